"""Our algorithms against scikit-learn's: the same data, the same start, the same number of iterations, one thread.

Ours is timed from the checked call to the last state, on a Dataset of which nothing has been computed yet.
"""

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms import Dataset, find
from algorithms.core import Array, State
from algorithms.families.reduction.kernel_pca import spectrum
from algorithms.families.regression.shared.lasso import centred
from algorithms.toolbox import clusters as toolbox, neighbours
from algorithms.toolbox.kernels import Kernel, usual_gamma
from algorithms.toolbox.lanczos import leading_eigenpairs
from tests.bench.row import Against, Pair, drain


def two_classes(n: int, d: int, apart: float, seed: int = 1) -> Dataset:
    """Two normal clouds, their means 2 * apart from each other, in random order."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 2)[rng.permutation(n)]
    direction = rng.standard_normal(d)
    direction /= np.linalg.norm(direction)
    X = rng.standard_normal((n, d)) + np.where(y == 1, apart, -apart)[:, None] * direction
    return Dataset(X, y, name="two classes", classes=("no", "yes"))


def clouds(n: int, d: int, k: int, spread: float, seed: int = 0) -> Dataset:
    """k normal clouds."""
    rng = np.random.default_rng(seed)
    means = rng.standard_normal((k, d)) * spread / np.sqrt(max(1, d / 4))
    return Dataset(means[rng.integers(0, k, n)] + rng.standard_normal((n, d)), name="clouds")


def fresh(data: Dataset) -> Dataset:
    """The same data as an object that nothing is kept for."""
    again = copy(data)
    again.__dict__.pop("signs", None)
    again._once = {}
    return again


def last_state(name: str, data: Dataset, start: State | None = None, **parameters: Any) -> Callable[[], Any]:
    """The work of running an algorithm to its end."""
    algorithm = find(name)
    return lambda: drain(algorithm(fresh(data), state=start, **parameters))


def apart(ours: Any, theirs: Any) -> str:
    """The greatest difference, relative to the greatest number."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    return f"differ by {np.abs(a - b).max() / max(np.abs(b).max(), 1e-300):.0e}"


def perceptron(every: str, distance: float) -> Callable[[int, int], Pair]:
    def make(n: int, d: int) -> Pair:
        from sklearn.linear_model import Perceptron

        data = two_classes(n, d, distance)
        ours = last_state("perceptron", data, every=every, epochs=5)
        last = ours()

        def theirs() -> Any:
            return Perceptron(shuffle=False, tol=None, max_iter=last.iteration).fit(data.X, data.y)

        model = theirs()
        return Pair(ours, theirs, f"{last.mistakes:,} mistakes, {apart(last.w, [*model.coef_[0], *model.intercept_])}")

    return make


def stochastic_gradient(n: int, d: int) -> Pair:
    from sklearn.linear_model import SGDRegressor

    epochs, eta = 2, 1e-3
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    data = Dataset(X, X @ rng.standard_normal(d) + 0.1 * rng.standard_normal(n), kind="number")
    ours = last_state("stochastic_gradient", data, eta=eta, batch=1, order="cyclic", epochs=epochs)

    def theirs() -> Any:
        same = {"penalty": None, "learning_rate": "constant", "eta0": eta, "shuffle": False, "tol": None}
        return SGDRegressor(max_iter=epochs, **same).fit(data.X, data.y)

    model = theirs()
    return Pair(ours, theirs, f"{n * epochs:,} samples, {apart(ours().w, [*model.coef_, *model.intercept_])}")


def lloyd(n: int, d: int) -> Pair:
    from sklearn.cluster import KMeans

    k, sweeps = 8, 30
    data = clouds(n, d, k, 2.0)
    start = next(find("lloyd")(data, k=k, start="rows"))
    ours = last_state("lloyd", data, start, k=k, sweeps=sweeps)
    last = ours()

    def theirs() -> Any:
        same = {"init": start.means, "n_init": 1, "tol": 0.0, "algorithm": "lloyd"}
        return KMeans(k, max_iter=last.iteration, **same).fit(data.X)

    model = theirs()
    return Pair(
        ours, theirs, f"{last.iteration} and {model.n_iter_} sweeps, {apart(last.means, model.cluster_centers_)}"
    )


def plus_plus(n: int, d: int) -> Pair:
    from sklearn.cluster import kmeans_plusplus

    k = 8
    X: Array = clouds(n, d, k, 2.0).X
    draws = toolbox.greedy_draws(k)

    def ours() -> Any:
        return toolbox.plus_plus(X, k, np.random.default_rng(0), draws)

    def theirs() -> Any:
        return kmeans_plusplus(X, k, random_state=0, n_local_trials=draws)

    return Pair(ours, theirs, f"{draws} draws a mean, other random numbers")


def gaussian_mixture(n: int, d: int) -> Pair:
    from sklearn.mixture import GaussianMixture

    k, sweeps = 5, 20 if n < 50_000 else 5  # a sweep of the largest takes seconds
    data = clouds(n, d, k, 4.0)
    start = next(find("gaussian_mixture")(data, k=k, covariance="full"))
    ours = last_state("gaussian_mixture", data, start, k=k, covariance="full", tol=0.0, iterations=sweeps)

    def theirs() -> Any:
        first = {"weights_init": start.weights, "means_init": start.means}
        first["precisions_init"] = np.linalg.inv(start.covariances)
        return GaussianMixture(k, reg_covar=0.0, tol=0.0, max_iter=sweeps, **first).fit(data.X)

    model, last = theirs(), ours()
    return Pair(ours, theirs, f"{last.iteration} and {model.n_iter_} sweeps, {apart(last.means, model.means_)}")


def adaboost(n: int, d: int) -> Pair:
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier

    rounds = 50 if n < 50_000 else 10  # scikit-learn takes a second a round of the largest
    data = two_classes(n, d, 0.5)
    ours = last_state("adaboost", data, rounds=rounds, criterion="gini")

    def theirs() -> Any:
        stump = DecisionTreeClassifier(max_depth=1, random_state=0)
        return AdaBoostClassifier(stump, n_estimators=rounds, random_state=0).fit(data.X, data.y)

    model, last = theirs(), ours()
    return Pair(ours, theirs, f"{len(last.alphas)} rounds, errors {apart(last.errors, model.estimator_errors_)}")


def flat_cloud(n: int, d: int) -> Dataset:
    """Each direction half as wide as the one before, turned."""
    rng = np.random.default_rng(0)
    return Dataset(rng.standard_normal((n, d)) * 2.0 ** -np.arange(d) @ np.linalg.qr(rng.standard_normal((d, d)))[0])


def exact_eigenvalues(n: int, d: int) -> Pair:
    from sklearn.decomposition import PCA

    from algorithms.families.reduction.pca.algorithm import eigenvalues

    data = flat_cloud(n, d)

    def ours() -> Array:
        return eigenvalues(find("pca").problem(data))

    def theirs() -> Any:
        return PCA(svd_solver="covariance_eigh").fit(data.X)

    return Pair(ours, theirs, apart(ours() * n / (n - 1), theirs().explained_variance_))


def decision_tree(leaves: int) -> Callable[[int, int], Pair]:
    def make(n: int, d: int) -> Pair:
        from sklearn.tree import DecisionTreeClassifier

        clouds = two_classes(n, d, 0.8)
        X = clouds.X.astype(np.float32).astype(float)  # as scikit-learn's trees see it
        assert clouds.y is not None
        data = Dataset(X, clouds.y ^ (X[:, 0] * X[:, 1] > 0.5), name="two classes", classes=("no", "yes"))
        ours = last_state("decision_tree", data, criterion="gini", max_leaves=leaves, max_depth=100)

        def theirs() -> Any:
            return DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0).fit(data.X, data.y)

        tree, last = theirs().tree_, ours()
        m = min(len(last.left), tree.node_count)
        alike = (tree.children_left[:m] == last.left[:m]) & (tree.n_node_samples[:m] == last.counts[:m].sum(axis=1))
        return Pair(
            ours, theirs, f"{alike.mean():.0%} of {m} nodes are the same (of equal gains it takes one at random)"
        )

    return make


def random_forest(n: int, d: int) -> Pair:
    from sklearn.ensemble import RandomForestClassifier

    trees = 10
    clouds = two_classes(n, d, 0.8)
    X = clouds.X.astype(np.float32).astype(float)  # as scikit-learn's trees see it
    assert clouds.y is not None
    data = Dataset(X, clouds.y ^ (X[:, 0] * X[:, 1] > 0.5), name="two classes", classes=("no", "yes"))
    ours = last_state("random_forest", data, trees=trees, importances=False)

    def theirs() -> Any:
        return RandomForestClassifier(trees, random_state=0, n_jobs=1).fit(data.X, data.y)

    nodes = sum(len(tree.left) for tree in ours().trees), sum(e.tree_.node_count for e in theirs().estimators_)
    return Pair(ours, theirs, f"{nodes[0]:,} and {nodes[1]:,} nodes, of other bags")


def pca(n: int, d: int) -> Pair:
    from sklearn.decomposition import PCA

    data = flat_cloud(n, d)
    ours = last_state("pca", data, k=2)

    def theirs() -> Any:
        return PCA(2, svd_solver="covariance_eigh").fit(data.X)

    model, last = theirs(), ours()
    return Pair(ours, theirs, f"{last.t} states, {apart(np.abs(last.components), np.abs(model.components_))}")


def kernel_eigenpairs(n: int, d: int) -> Pair:
    from sklearn.decomposition import KernelPCA

    n, k = min(n, 3_000), 2 if d < 5 else 5  # n x n numbers of the largest would be 80 GB
    data = clouds(n, d, 5, 2.0)
    kernel = Kernel("rbf", usual_gamma(data.X))

    def ours() -> Array:
        return leading_eigenpairs(spectrum(fresh(data), kernel).A, k)[0] * n  # those of K

    def theirs() -> Any:
        return KernelPCA(k, kernel="rbf", gamma=kernel.gamma).fit(data.X)

    return Pair(ours, theirs, f"{n} rows, {k} components, {apart(ours(), theirs().eigenvalues_)}")


def multilayer_perceptron(every: str) -> Callable[[int, int], Pair]:
    def make(n: int, d: int) -> Pair:
        from sklearn.neural_network import MLPClassifier

        units, batch, eta, epochs = 32, min(200, n), 0.05, 10 if n < 100_000 else 2
        data = two_classes(n, d, 1.0)
        settings = {"hidden": (units,), "activation": "relu", "eta": eta, "batch": batch, "order": "cyclic"}

        def theirs(eta: float = eta) -> Any:
            descent = {"solver": "sgd", "momentum": 0.0, "alpha": 0.0, "learning_rate_init": eta, "batch_size": batch}
            until = {"shuffle": False, "max_iter": epochs, "tol": 0.0, "n_iter_no_change": 10**6}
            return MLPClassifier((units,), random_state=0, **descent, **until).fit(data.X, data.y)

        def weights(model: Any) -> Array:
            layers = zip(model.coefs_, model.intercepts_)
            return np.concatenate([np.column_stack([W.T, b]).ravel() for W, b in layers])

        first = next(find("multilayer_perceptron")(data, **settings))
        start = replace(first, weights=weights(theirs(1e-300)))  # no step: where they begin
        ours = last_state("multilayer_perceptron", data, start, every=every, epochs=epochs, **settings)
        last = ours()
        return Pair(ours, theirs, f"{last.t:,} states, {apart(last.weights, weights(theirs()))}")

    return make


def smo(n: int, d: int) -> Pair:
    from sklearn.svm import SVC

    n, d = (1000, 10) if n > 5000 else (n, d)  # pairs grow with rows: of the largest there would be a million
    data = two_classes(n, d, 1.2)
    ours = last_state("smo", data, kernel="rbf", C=1.0, tol=1e-3, prune=False)

    def theirs() -> Any:
        return SVC(C=1.0, kernel="rbf", gamma="scale", tol=1e-3, cache_size=1000).fit(data.X, data.y)

    model, last = theirs(), ours()
    alpha = np.zeros(n)
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    return Pair(ours, theirs, f"{last.iteration:,} and {model.n_iter_[0]:,} pairs, {apart(last.alpha, alpha)}")


def logistic_newton(n: int, d: int) -> Pair:
    from sklearn.linear_model import LogisticRegression

    data = two_classes(n, d, 1.0)

    def theirs() -> Any:
        return LogisticRegression(C=1.0, solver="newton-cholesky", tol=1e-6, max_iter=100).fit(data.X, data.y)

    model = theirs()
    steps = int(model.n_iter_[0])
    ours = last_state("logistic_newton", data, penalty=1.0, tolerance=1e-14, steps=steps)
    return Pair(ours, theirs, f"{steps} steps, {apart(ours().w, [*model.coef_[0], *model.intercept_])}")


def ridge(n: int, d: int) -> Pair:
    from sklearn.linear_model import Ridge

    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    data = Dataset(X, X @ rng.standard_normal(d) + rng.standard_normal(n) + 3, kind="number")
    tried = 20
    ours = last_state("ridge", data, most=1e3, least=1e-2, tried=tried)

    def theirs() -> Any:
        fits = [Ridge(alpha=lam).fit(data.X, data.y) for lam in np.geomspace(1e3, 1e-2, tried)]
        return [*fits, Ridge(alpha=0.0).fit(data.X, data.y)]

    states = list(find("ridge")(data, most=1e3, least=1e-2, tried=tried))
    mine = np.array([s.w for s in states[1 : tried + 1]])
    return Pair(ours, theirs, f"{tried + 1} λ, {apart(mine, [[m.intercept_, *m.coef_] for m in theirs()[:-1]])}")


def gradient(name: str, k: int) -> Callable[[int, int], Pair]:
    """Steps up the gradient against as many iterations of L-BFGS: scikit-learn has no plain gradient."""

    def make(n: int, d: int) -> Pair:
        from sklearn.linear_model import LogisticRegression

        cloud = two_classes(n, d, 1.0)
        y = np.asarray(cloud.y) if k == 2 else np.random.default_rng(2).integers(0, k, n)
        data = Dataset(cloud.X + np.eye(k, d)[y], y, name="classes", classes=tuple("abcdefgh"[:k]))

        def theirs() -> Any:
            return LogisticRegression(C=1.0, tol=1e-30, max_iter=10).fit(data.X, data.y)

        steps = int(np.max(theirs().n_iter_))
        ours = last_state(name, data, penalty=1.0, tolerance=1e-12, steps=steps)
        return Pair(ours, theirs, f"{ours().iteration} and {steps} iterations, of another method")

    return make


def lasso(every: str) -> Callable[[int, int], Pair]:
    def make(n: int, d: int) -> Pair:
        from sklearn.linear_model import Lasso

        rng = np.random.default_rng(0)
        X = rng.standard_normal((n, d)) + rng.standard_normal((n, 1))
        data = Dataset(X, X[:, : d // 2].sum(axis=1) + rng.standard_normal(n), kind="number")
        share = 0.1
        alpha = share * data.once(centred).greatest / n

        def theirs() -> Any:
            return Lasso(alpha=alpha, tol=1e-6).fit(data.X, data.y)

        model = theirs()
        settings = {"ratio": share, "every": every, "sweeps": model.n_iter_, "tolerance": 1e-12}
        ours = last_state("lasso_coordinate_descent", data, **settings)
        last = ours()
        return Pair(ours, theirs, f"{last.iteration} and {model.n_iter_} sweeps, {apart(last.w, model.coef_)}")

    return make


def gaussian_naive_bayes(n: int, d: int) -> Pair:
    from sklearn.naive_bayes import GaussianNB

    from algorithms.families.bayes.naive_bayes import estimates

    data = two_classes(n, d, 1.0)
    settings = {"model": "gaussian", "batch": 1_000_000, "order": "cyclic"}

    def ours() -> Any:
        algorithm = find("naive_bayes")
        problem = algorithm.problem(fresh(data), None, settings)
        return estimates(problem, drain(algorithm.start(problem)))

    def theirs() -> Any:
        return GaussianNB().fit(data.X, data.y)

    return Pair(ours, theirs, f"variances {apart(ours().covariances, theirs().var_)}")


def linear_discriminant(n: int, d: int) -> Pair:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    from algorithms.families.bayes.gaussian_discriminant import gaussians

    data = two_classes(n, d, 1.0)

    def ours() -> Any:
        algorithm = find("gaussian_discriminant")
        problem = algorithm.problem(fresh(data), None, {"every": "class", "order": "cyclic"})
        W, _ = gaussians(problem, drain(algorithm.start(problem))).linear()
        return W[1] - W[0]

    def theirs() -> Any:
        return LinearDiscriminantAnalysis(solver="lsqr").fit(data.X, data.y)

    return Pair(ours, theirs, f"weights {apart(ours(), theirs().coef_[0])}")


def nearest_neighbours(n: int, d: int) -> Pair:
    from sklearn.neighbors import KNeighborsClassifier

    data, k = two_classes(n, d, 1.0), 5
    at = data.X[: min(1000, n)] + 0.5 * np.random.default_rng(3).standard_normal((min(1000, n), d))
    y = np.asarray(data.y)

    def ours() -> Array:
        return neighbours.elected(y[neighbours.rows_among(data.X).nearest(at, k)], 2)[:, -1]

    def theirs() -> Any:
        return KNeighborsClassifier(k, algorithm="brute").fit(data.X, y).predict(at)

    return Pair(ours, theirs, f"{(ours() == theirs()).mean():.1%} of {len(at):,} votes are the same")


LEARNING: tuple[Against, ...] = (
    Against("Lloyd", lloyd, {"S": 0.3, "M": 0.7, "L": 0.6}),
    Against("k-means++", plus_plus, {"S": 0.5, "M": 0.7, "L": 0.9}),
    Against("Gaussian mixture, full", gaussian_mixture, {"S": 0.2, "M": 0.4, "L": 0.4}),
    Against("AdaBoost with stumps", adaboost, {"S": 0.05, "M": 0.1, "L": 0.15}),
    Against("PCA, eigh", exact_eigenvalues, {"S": 0.1, "M": 0.5, "L": 0.9}, "what the deflation is held to"),
    Against("PCA by deflation, against eigh", pca, {}, "two components, a state a turn: another method, no target"),
    Against(
        "kernel PCA, Lanczos",
        kernel_eigenpairs,
        {"S": 0.3, "M": 0.8, "L": 0.8},
        "what the deflation is held to where rows are many; M and L are 3,000 rows",
    ),
    Against("decision tree, 8 leaves", decision_tree(8), {"S": 1.5, "M": 0.8, "L": 0.5}),
    Against("decision tree, 30 leaves", decision_tree(30), {"S": 1.5, "M": 0.8, "L": 0.5}),
    Against("random forest, 10 trees", random_forest, {"S": 0.3, "M": 0.5, "L": 0.5}),
    Against("SMO, RBF kernel", smo, {"S": 2, "M": 0.8, "L": 1.3}, "L is 1,000 x 10"),
    Against("neural network, a state an update", multilayer_perceptron("update"), {"S": 0.15, "M": 0.3, "L": 0.4}),
    Against(
        "neural network, a state a layer", multilayer_perceptron("phase"), {}, "forward and backward layer by layer"
    ),
    Against("ridge along λ", ridge, {"S": 0.1, "M": 0.4, "L": 0.5}, "21 λ, leaving one out at each"),
    Against("logistic, Newton", logistic_newton, {"S": 0.1, "M": 0.4, "L": 0.4}),
    Against(
        "logistic, gradient",
        gradient("logistic_regression", 2),
        {"S": 0.1, "M": 0.4, "L": 0.4},
        "against as many of L-BFGS",
    ),
    Against(
        "softmax, gradient, 3 classes",
        gradient("softmax_regression", 3),
        {"S": 0.1, "M": 0.4, "L": 0.7},
        "against as many of L-BFGS",
    ),
    Against("lasso by coordinates, a state a sweep", lasso("sweep"), {"S": 0.1, "M": 0.5, "L": 0.4}),
    Against("lasso by coordinates, a state a coordinate", lasso("coordinate"), {}, "every coordinate can be looked at"),
    Against(
        "Gaussian naive Bayes", gaussian_naive_bayes, {"S": 0.05, "M": 0.1, "L": 0.2}, "all rows counted in a step"
    ),
    Against("linear discriminant", linear_discriminant, {"S": 0.05, "M": 0.1, "L": 0.2}, "a state a class"),
    Against("5 nearest neighbours", nearest_neighbours, {"S": 0.7, "M": 0.7, "L": 0.5}, "brute, up to 1,000 places"),
    Against("perceptron, a state a mistake, few of them", perceptron("mistake", 6.0), {"S": 1, "M": 2, "L": 2}),
    Against("perceptron, a state a mistake, many of them", perceptron("mistake", 1.2), {"S": 1, "M": 5, "L": 6}),
    Against("perceptron, a state a row", perceptron("row", 1.2), {"S": 3, "M": 40, "L": 40}),
    Against("stochastic gradient, a state a sample", stochastic_gradient, {"S": 4, "M": 16, "L": 16}),
)
