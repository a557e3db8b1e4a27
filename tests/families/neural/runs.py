"""Runs of the network that its tests share."""

import numpy as np
from sklearn.neural_network import MLPClassifier

from algorithms import find
from algorithms.core import Dataset

MLP = find("multilayer_perceptron")
AGREE, SLOPE, STEP, FALL, TURN, BIAS, BALANCE, LINEAR = MLP.theorems
ALL = 1_000_000  # a batch of all rows


def overlapping(n=60, d=3, k=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    return Dataset(rng.normal(size=(n, d)) + y[:, None], y, classes=tuple("abcd"[:k]))


def run_of(data, every="phase", **parameters):
    return list(MLP(data, every=every, **parameters))


def first(most, data, every="phase", **parameters):
    return [state for _, state in zip(range(most), MLP(data, every=every, **parameters))]


def at(theorem, problem, before, after):
    return theorem.verdict(problem, before, after)


def verdicts(theorem, data, most=400, every="phase", **parameters):
    (of_it,) = verdicts_of([theorem], data, most, every, **parameters)
    return of_it


def verdicts_of(theorems, data, most=400, every="phase", **parameters):
    """What each of the theorems says along one run: asked step by step, since they share what they measure."""
    problem = MLP.problem(data, None, {"every": every, **parameters})
    states = [state for _, state in zip(range(most), MLP.start(problem))]
    return list(zip(*([at(each, problem, b, a) for each in theorems] for b, a in zip([None, *states], states))))


def theirs_as_ours(model):
    """scikit-learn's weights as one vector: each layer's matrix turned, its biases as the last column."""
    return np.concatenate([np.column_stack([W.T, b]).ravel() for W, b in zip(model.coefs_, model.intercepts_)])


NAMES = {"tanh": "tanh", "sigmoid": "logistic", "relu": "relu"}


def trained(kind, X, y, hidden, activation, eta, batch, epochs):
    """Their weights at the start (after steps of length 0 as good as) and after so many epochs of plain descent."""
    settings = {
        "hidden_layer_sizes": hidden,
        "activation": NAMES[activation],
        "solver": "sgd",
        "momentum": 0.0,
        "alpha": 0.0,
        "batch_size": batch,
        "shuffle": False,
        "tol": 0.0,
        "n_iter_no_change": 10**6,
        "random_state": 0,
    }
    start = kind(**settings, learning_rate_init=1e-300)
    model = kind(**settings, learning_rate_init=eta)
    classes = {"classes": np.unique(y)} if kind is MLPClassifier else {}
    start.partial_fit(X, y, **classes)
    for _ in range(epochs):
        model.partial_fit(X, y, **classes)
    return theirs_as_ours(start), model
