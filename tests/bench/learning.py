"""Our algorithms against scikit-learn's: the same data, the same start, the same number of iterations, one thread."""

from typing import Any

import numpy as np

from algorithms import Array, Dataset, find
from tests.bench.row import Against, Pair, drain


def two_classes(n: int, d: int, apart: float, seed: int = 1) -> Dataset:
    """Two normal clouds, their means 2 * apart from each other, in random order."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 2)[rng.permutation(n)]
    direction = rng.standard_normal(d)
    direction /= np.linalg.norm(direction)
    X = rng.standard_normal((n, d)) + np.where(y == 1, apart, -apart)[:, None] * direction
    return Dataset(X, y, name="two classes", classes=("no", "yes"))


def clusters(n: int, d: int, k: int, spread: float, seed: int = 0) -> Array:
    """k normal clouds."""
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((k, d)) * spread / np.sqrt(max(1, d / 4))
    return np.ascontiguousarray(means[rng.integers(0, k, n)] + rng.standard_normal((n, d)))


def apart(ours: Any, theirs: Any) -> str:
    """The greatest difference, relative to the greatest number."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    return f"differ by {np.abs(a - b).max() / max(np.abs(b).max(), 1e-300):.0e}"


def perceptron(every: str, distance: float) -> Any:
    def make(n: int, d: int) -> Pair:
        from sklearn.linear_model import Perceptron

        epochs, data = 5, two_classes(n, d, distance)
        algorithm = find("perceptron")

        def ours() -> Any:
            return drain(algorithm(data, every=every, epochs=epochs))

        last = ours()
        passes = last.iteration

        def theirs() -> Any:
            return Perceptron(shuffle=False, tol=None, max_iter=passes).fit(data.X, data.y)

        weights = np.append(theirs().coef_[0], theirs().intercept_)
        return Pair(ours, theirs, f"{last.mistakes:,} mistakes, {apart(last.w, weights)}")

    return make


def stochastic_gradient(n: int, d: int) -> Pair:
    from sklearn.linear_model import SGDRegressor

    epochs, eta = 2, 1e-3
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    data = Dataset(X, X @ rng.standard_normal(d) + 0.1 * rng.standard_normal(n), kind="number")
    algorithm = find("stochastic_gradient")

    def ours() -> Any:
        return drain(algorithm(data, eta=eta, batch=1, order="cyclic", epochs=epochs))

    def theirs() -> Any:
        model = SGDRegressor(penalty=None, learning_rate="constant", eta0=eta, shuffle=False, tol=None, max_iter=epochs)
        return model.fit(data.X, data.y)

    weights = np.append(theirs().coef_, theirs().intercept_)
    return Pair(ours, theirs, f"{n * epochs:,} samples, {apart(ours().w, weights)}")


def plus_plus(n: int, d: int) -> Pair:
    from sklearn.cluster import kmeans_plusplus

    from algorithms.toolbox import clusters as toolbox

    k = 8
    X = clusters(n, d, k, 2.0)
    draws = toolbox.greedy_draws(k)

    def ours() -> Any:
        return toolbox.plus_plus(X, k, np.random.default_rng(0), draws)

    def theirs() -> Any:
        return kmeans_plusplus(X, k, random_state=0, n_local_trials=draws)

    return Pair(ours, theirs, f"{draws} draws a mean, other random numbers")


LEARNING: tuple[Against, ...] = (
    Against("perceptron, a state a mistake, few of them", perceptron("mistake", 6.0), {"S": 1, "M": 2, "L": 2}),
    Against("perceptron, a state a mistake, many of them", perceptron("mistake", 1.2), {"S": 1, "M": 5, "L": 6}),
    Against("perceptron, a state a row", perceptron("row", 1.2), {"S": 3, "M": 40, "L": 40}),
    Against("stochastic gradient, a state a sample", stochastic_gradient, {"S": 4, "M": 16, "L": 16}),
)
