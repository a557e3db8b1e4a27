"""Sizes of single features, where each has a weight of its own, or one alone is used."""

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.core.ranges import out_of_range, outside


def largest_features(data: Dataset) -> Array:
    """(d,) the largest size of each feature; for `data.once`."""
    return np.asarray(np.abs(data.X).max(axis=0))


def column_out_of_range(data: Dataset, j: int, most: float) -> str | None:
    """Why numbers of this size cannot be multiplied as often as is needed, of one feature; None where they can."""
    return outside(f"{data.features[j]} of {data.name}", data.X[:, j], most, 1 / most)


def columns_out_of_range(data: Dataset, most: float) -> str | None:
    """The same of each feature by itself, where each has a weight of its own: none may vanish beside 1/most."""
    squares = np.einsum("ij,ij->j", data.X, data.X)  # a third of the time of the least and the largest
    if squares.min() > 2 * data.n / most**2 > 0 and squares.max() <= most**2 < np.inf and data.held_out is None:
        return None
    largest = np.maximum(data.X.max(axis=0), -data.X.min(axis=0))
    for j in np.flatnonzero((largest > 0) & (largest < 1 / most)).tolist():
        return column_out_of_range(data, j, most)
    return None if data.held_out is None and largest.max() <= most else out_of_range(data, most)
