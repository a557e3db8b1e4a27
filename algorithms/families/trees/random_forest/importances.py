"""Importances by permutation: how many more of the rows outside its bag a tree gets wrong when a feature is shuffled.

Shuffled, a feature says nothing any more of a row, but has the values that it had. Of a feature that a tree never asks
about nothing can be lost; shuffling one of others that know the same loses little, for the tree asks these too.

Reference: Breiman (2001), Random forests, Machine Learning 45(1), section 10.
"""

import numpy as np

from algorithms.core import Array
from algorithms.families.trees.shared.bags import says
from algorithms.toolbox.trees import LEAF, Nodes

_ROWS = 50_000


def rises(tree: Nodes, X: Array, y: Array, outside: Array, seed: tuple[int, ...]) -> Array:
    """(d,) the rise of the share of the rows outside the bag that the tree gets wrong when each feature is shuffled.

    Args:
        outside: (n,) bool, the rows outside; without any, all are 0.
        seed: what the orders hang on; each feature has one of its own.
    """
    rise = np.zeros(X.shape[1])
    at, codes = X[outside], y[outside]
    if not len(at):
        return rise
    wrong = int((says(tree, at) != codes).sum())
    asked, orders = np.unique(tree.feature[tree.left != LEAF]), orders_of(at, seed)
    together = max(_ROWS // len(at), 1)  # features whose shuffled rows are asked about in one go
    for first in range(0, len(asked), together):
        some = asked[first : first + together]
        mixed = np.repeat(at[None], len(some), axis=0)
        for rows, j in zip(mixed, some.tolist()):
            rows[:, j] = at[orders[j], j]
        lost = says(tree, mixed.reshape(-1, X.shape[1])).reshape(len(some), -1) != codes
        rise[some] = (lost.sum(axis=1) - wrong) / len(at)
    return rise


def orders_of(X: Array, seed: tuple[int, ...]) -> Array:
    """(d, m) the order in which each feature of m rows is shuffled."""
    return np.asarray(np.random.default_rng(seed).random(X.shape[::-1]).argsort(axis=1))


def shuffled(X: Array, j: int, seed: tuple[int, ...]) -> Array:
    """(m, d) the rows with feature j in another order."""
    mixed = X.copy()
    mixed[:, j] = X[orders_of(X, seed)[j], j]
    return mixed
