"""Runs of AdaBoost that its tests share, and all stumps."""

import itertools

import numpy as np

from algorithms import find
from algorithms.core import Dataset
from algorithms.families.boosting.shared.stumps import Stump

ADABOOST = find("adaboost")


def states_of(data, **parameters):
    return list(ADABOOST(data, **parameters))


def noisy(n=400, d=5, seed=0):
    """Rows in single precision, as scikit-learn's trees see them, with no two stumps alike."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(float)
    y = (X[:, 0] + X[:, 1] * X[:, -1] + rng.normal(size=n) > 0).astype(int)
    return Dataset(X, y, classes=("no", "yes"), name="noisy")


def all_stumps(X):
    """Every stump that tells two of the rows apart, one by one."""
    for feature in range(X.shape[1]):
        values = np.unique(X[:, feature])
        for threshold, sign in itertools.product((values[1:] + values[:-1]) / 2, (1.0, -1.0)):
            yield Stump(feature, float(threshold), -sign, sign)
