"""Distances between rows and places."""

from collections.abc import Iterable

import numpy as np

from algorithms.core.arrays import Array
from algorithms.toolbox.blocks import row_blocks

_FEW = 8  # features


def pairwise_squared_distances(a: Array, b: Array) -> Array:
    """(n, d) and (m, d) -> (n, m): the same where both are many, feature by feature."""
    total = np.zeros((len(a), len(b)))
    for j in range(a.shape[1]):
        total += np.subtract.outer(a[:, j], b[:, j]) ** 2
    return total


def squared_distances(rows: Array, places: Array) -> Array:
    """(n, d) and (k, d) -> (n, k): ‖x - p‖², from the differences themselves, so that a small one is exact."""
    squared = np.empty((len(places), len(rows)))
    if rows.shape[1] > _FEW:
        for block in row_blocks(len(rows), rows.shape[1]):
            for place, out in zip(places, squared):
                away = rows[block] - place
                np.einsum("ij,ij->i", away, away, out=out[block])
        return squared.T
    columns = np.ascontiguousarray(rows.T)
    for place, out in zip(places, squared):
        _summed(((column, x) for column, x in zip(columns, place)), out)
    return squared.T


def squared_distances_to_own(rows: Array, places: Array, labels: Array) -> Array:
    """(n, d), (k, d) and (n,) -> (n,): ‖x - p‖² for the place that each row has, the same to the last digit."""
    if rows.shape[1] > _FEW:
        out = np.empty(len(rows))
        for block in row_blocks(len(rows), rows.shape[1]):
            away = rows[block] - places[labels[block]]
            np.einsum("ij,ij->i", away, away, out=out[block])
        return out
    out = np.empty(len(rows))
    _summed(((rows[:, j], places[:, j].take(labels)) for j in range(rows.shape[1])), out)
    return out


def _summed(pairs: Iterable[tuple[Array, Array]], out: Array) -> None:
    """Σ (a - b)² into `out`, feature by feature: along rows of a few numbers NumPy takes ten times as long."""
    out[:] = 0.0
    for a, b in pairs:
        away = a - b
        away *= away
        out += away
