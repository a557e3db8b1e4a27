"""Draws of rows with chances in proportion to D², the squared distance to the nearest row drawn before.

D² is infinite while there is none, and then all rows have the same chance.
"""

import numpy as np

from algorithms.core.arrays import Array
from algorithms.toolbox.distances import squared_distances


def chances(squared: Array) -> Array:
    """(n,) p: D²/ΣD², the same for all while there is no mean."""
    if np.isinf(squared[0]):
        return np.full(len(squared), 1 / len(squared))
    return np.asarray(squared / squared.sum())


def pointed_at(squared: Array, u: Array) -> Array:
    """(draws,) the rows at whose pieces of the wheel the numbers u point."""
    n = len(squared)
    if np.isinf(squared[0]):
        return np.minimum((n * u).astype(np.int64), n - 1)
    ends = squared.cumsum()
    last = np.flatnonzero(squared)[-1]  # rounding may not carry u past the last piece
    return np.asarray(np.minimum(ends.searchsorted(u * ends[-1], side="right"), last))


def shortened(X: Array, squared: Array, row: int) -> Array:
    """(n,) D² with one mean more, on a row."""
    return np.asarray(np.minimum(squared, squared_distances(X, X[[row]])[:, 0]))


def nearest_squared(X: Array, rows: Array) -> Array:
    """(n,) D² to means on some rows, from the rows alone."""
    return squared_distances(X, X[rows]).min(axis=1) if len(rows) else np.full(len(X), np.inf)
