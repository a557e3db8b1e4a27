"""Distances between rows and places."""

import numpy as np

from algorithms.core.arrays import Array


def pairwise_squared_distances(a: Array, b: Array) -> Array:
    """(n, d) and (m, d) -> (n, m): the same where both are many, feature by feature."""
    total = np.zeros((len(a), len(b)))
    for j in range(a.shape[1]):
        total += np.subtract.outer(a[:, j], b[:, j]) ** 2
    return total


def squared_distances(rows: Array, places: Array) -> Array:
    """(n, d) and (k, d) -> (n, k): ‖x - p‖², from the differences themselves, so that a small one is exact."""
    squared = np.empty((len(rows), len(places)))
    for j, place in enumerate(places):
        away = rows - place
        np.einsum("ij,ij->i", away, away, out=squared[:, j])
    return squared
