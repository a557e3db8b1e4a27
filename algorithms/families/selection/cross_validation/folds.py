"""Folds: how rows are dealt to the parts that are held out in turn, as a function of the seed alone."""

from typing import Literal

import numpy as np

from algorithms.core import Array

Split = Literal["folds", "leave one out", "hold out"]


def dealt(n: int, split: Split, folds: int, seed: int) -> Array:
    """Deal n rows: (n,) the fold of each, -1 for one that is never held out.

    Folds differ by one row at most. A hold-out is a single fold, of one row in so many as there would be folds.
    """
    if split == "leave one out":
        return np.arange(n)
    order = np.random.default_rng((seed, 0)).random(n).argsort()
    fold_of = np.full(n, -1)
    if split == "folds":
        fold_of[order] = np.arange(n) % folds
    else:
        fold_of[order[: max(1, round(n / folds))]] = 0
    return fold_of


def fold_sizes(fold_of: Array) -> Array:
    """(K,) how many rows each fold has."""
    return np.bincount(fold_of[fold_of >= 0])
