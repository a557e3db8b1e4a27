"""Trees grown for their tests, and every question asked one by one."""

import numpy as np

from algorithms import find
from algorithms.core import Dataset
from algorithms.families.trees.decision_tree.algorithm import tree_of
from algorithms.toolbox.trees import (
    leaf_of as leaf_of_nodes,
)

TREE = find("decision_tree")


def leaf_of(state, X):
    return leaf_of_nodes(tree_of(state), X)


def narrow(data):
    """The data as scikit-learn's trees see them, in single precision."""
    X = data.X.astype(np.float32).astype(float)
    return Dataset(X, data.y, classes=data.classes, name=data.name, features=data.features)


def made(n=400, d=5, k=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (X[:, 0] + 0.5 * X[:, 1] ** 2 + 0.7 * rng.normal(size=n) > np.array([[-0.5], [1.0], [1.5]])[: k - 1]).sum(
        axis=0
    )
    return narrow(Dataset(X, y, classes=tuple("abcd"[:k])))


def states_of(data, **parameters):
    return list(TREE(data, **parameters))


def splits_of(states):
    return [s for s in states if s.phase == "split"]


def by_definition(criterion, y):
    p = np.unique(y, return_counts=True)[1] / len(y)
    return {"entropy": -(p * np.log2(p)).sum(), "gini": 1 - (p**2).sum(), "error": 1 - p.max()}[criterion]


def gains_one_by_one(data, rows, criterion, least):
    """{(feature, threshold): gain} of every question about some rows."""
    found = {}
    for j in range(data.d):
        values = np.unique(data.X[rows, j])
        for threshold in (values[1:] + values[:-1]) / 2:
            left, right = rows[data.X[rows, j] <= threshold], rows[data.X[rows, j] > threshold]
            if min(len(left), len(right)) >= least:
                parts = sum(len(part) * by_definition(criterion, data.y[part]) for part in (left, right))
                found[j, float(threshold)] = by_definition(criterion, data.y[rows]) - parts / len(rows)
    return found
