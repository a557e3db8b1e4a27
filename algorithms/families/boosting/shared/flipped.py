"""Rows whose label was turned on purpose, and how much of some weight they have."""

import numpy as np

from algorithms.core import Array, Dataset

FLIPPED = "flipped"  # the truth in which a recipe says which they are


def flipped_rows(data: Dataset) -> Array | None:
    """(n,) bool: the rows whose label was turned and still is; None where none was. For `data.once`.

    Of rows that were changed by hand those count that came from such a row and kept its label.
    """
    if FLIPPED not in data.truth:
        return None
    if data.origin is None:
        return np.asarray(data.truth[FLIPPED])
    before = flipped_rows(data.origin.parent)
    if before is None:
        return None
    rows = data.origin.rows
    kept = (rows >= 0) & (np.asarray(data.origin.parent.y)[rows] == np.asarray(data.y))
    return np.asarray(kept & before[rows])


def weight_on_flipped(data: Dataset, weights: Array) -> float:
    """The share of the weights that flipped rows have; NaN where none is known to be flipped."""
    flipped = data.once(flipped_rows)
    if flipped is None or not flipped.any():
        return np.nan
    return float(weights[flipped].sum() / weights.sum())
