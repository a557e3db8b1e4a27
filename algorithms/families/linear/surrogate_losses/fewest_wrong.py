"""The fewest rows that any line gets wrong, by trying them all: easy on a plane of few rows, NP-hard in general.

A line can be moved without a row changing its side until it nearly goes through two rows, so it is enough to look along
every difference of two rows, turned a little to either side, and at each place between two rows on the way.

Reference: Höffgen, Simon and Van Horn (1995), Robust trainability of single neurons, Journal of Computer and System
Sciences 50.
"""

import numpy as np

from algorithms.core import Array, Dataset

MOST = 100  # rows: the work grows with their third power
_TURN = 1e-7  # as far as directions are turned
_ROUNDING = 1e-14  # of the rows' spread: places as near as this are one, so that no line parts equal rows


def fewest_of(data: Dataset) -> int | None:
    """Count what the best line gets wrong of two classes; ask for it by `data.once(fewest_of)`."""
    return fewest_wrong(data.X, data.signs)


def fewest_wrong(X: Array, signs: Array) -> int | None:
    """Count what the best line gets wrong of (n, d) rows with (n,) signs +1 or -1; None where d > 2 or n > 100."""
    n, d = X.shape
    if d > 2 or n > MOST:
        return None
    X = balanced(X)
    along = np.ones((1, 1)) if d == 1 else directions(X)
    places = along @ X.T
    order = places.argsort(axis=1)
    sorted_places, labels = np.take_along_axis(places, order, axis=1), signs[order]
    below = np.cumsum(labels > 0, axis=1)  # + below each place, wrong where above is +
    above = np.cumsum((labels < 0)[:, ::-1], axis=1)[:, ::-1]
    counts = np.column_stack([above[:, 0], below[:, :-1] + above[:, 1:], below[:, -1]])
    between = np.ones(counts.shape, bool)
    between[:, 1:-1] = np.diff(sorted_places, axis=1) > _ROUNDING
    counts = np.minimum(counts, n - counts)
    return int(counts[between].min())


def balanced(X: Array) -> Array:
    """(n, d) rows with columns of mean 0 and size 1: which rows a line can part does not depend on the units."""
    away = X - X.mean(axis=0)
    greatest = np.abs(away).max(axis=0)
    return np.asarray(away / np.where(greatest > 0, greatest, 1.0))


def directions(X: Array) -> Array:
    """(m, 2) normals of the lines through two of (n, 2) rows, each turned a little to either side."""
    spread = X.std(axis=0)
    i, j = np.triu_indices(len(X), 1)
    differences = X[i] - X[j]
    lengths = np.linalg.norm(differences, axis=1)
    differences = differences[lengths > 0] / lengths[lengths > 0, None]
    if not len(differences) or not spread.any():
        return np.array([[1.0, 0.0]])
    normals = np.column_stack([-differences[:, 1], differences[:, 0]])
    return np.concatenate([normals + _TURN * differences, normals - _TURN * differences])
