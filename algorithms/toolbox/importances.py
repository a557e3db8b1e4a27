"""Importances by permutation: how many more of the rows outside its bag a tree gets wrong when a feature is shuffled.

Shuffled, a feature says nothing any more of a row, but has the values that it had. Of a feature that a tree never asks
about nothing can be lost; shuffling one of others that know the same loses little, for the tree asks these too.

Reference: Breiman (2001), Random forests, Machine Learning 45(1), section 10.
"""

import numpy as np

from algorithms.core import Array
from algorithms.toolbox.bags import says
from algorithms.toolbox.trees import LEAF, Nodes


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
    for j in np.unique(tree.feature[tree.left != LEAF]).tolist():
        rise[j] = (int((says(tree, shuffled(at, j, seed)) != codes).sum()) - wrong) / len(at)
    return rise


def shuffled(X: Array, j: int, seed: tuple[int, ...]) -> Array:
    """(m, d) the rows with feature j in another order."""
    mixed = X.copy()
    mixed[:, j] = X[np.random.default_rng((*seed, j)).random(len(X)).argsort(), j]
    return mixed
