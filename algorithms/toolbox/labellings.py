"""Labellings of a few rows: each as a number, its objective of k-means, and whether Lloyd's algorithm leaves it."""

import numpy as np

from algorithms.core.arrays import Array
from algorithms.toolbox.distances import pairwise_squared_distances, squared_distances

_AT_ONCE = 4096  # labellings
_YEAR = 365.25 * 86_400


def digits(number: int, k: int, m: int) -> Array:
    """(m,) the labelling with that number: its digits to the base k, the last row's first."""
    return np.array([number // k**i % k for i in reversed(range(m))], np.int64)


def middles(X: Array, labels: Array, k: int) -> Array:
    """(k, d) the mean of each cluster; of an empty one that of all rows."""
    return np.array([X[labels == j].mean(axis=0) if (labels == j).any() else X.mean(axis=0) for j in range(k)])


def within(X: Array, labels: Array, k: int) -> float:
    """F of a labelling."""
    away = X - middles(X, labels, k)[labels]
    return float(np.einsum("ij,ij->", away, away))


def tie(X: Array) -> float:
    """A difference of squared distances that rounding can make."""
    size = float(np.linalg.norm(X - X.mean(axis=0), axis=1).max())
    return 1e-13 * (size + float(np.linalg.norm(X.mean(axis=0)))) * size


def stays(X: Array, labels: Array, k: int) -> bool:
    """Whether Lloyd's algorithm leaves a labelling as it is: none is empty, and no row is nearer to another mean."""
    if len(set(labels.tolist())) < k:
        return False
    away = squared_distances(X, middles(X, labels, k))
    return bool((away[np.arange(len(X)), labels] <= away.min(axis=1) + tie(X)).all())


def lasting(seconds: float) -> str:
    """A time in the unit that goes with it: "6.52 years"."""
    for length, unit in ((_YEAR, "years"), (86_400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds:.3g} seconds"


def least_objective(X: Array, k: int) -> float:
    """The least F of all k^m labellings, from their pairs: F = Σ_j 1/(2 n_j) Σ ‖x_i - x_l‖²."""
    pairs, m = pairwise_squared_distances(X, X), len(X)
    least = np.inf
    for first in range(0, k**m, _AT_ONCE):
        z = np.arange(first, min(first + _AT_ONCE, k**m))[:, None] // k ** np.arange(m) % k
        F = np.zeros(len(z))
        for j in range(k):
            held = (z == j).astype(float)
            F += np.vecdot(held @ pairs, held) / np.maximum(2 * held.sum(axis=1), 1)
        least = min(least, float(F.min()))
    return least
