"""Entries of arrays that are never changed: the same array with others at a place, or of other rows."""

from typing import Any

import numpy as np

from algorithms.core import Array


def with_entry(values: Array, where: Any, entry: Array | float) -> Array:
    """Copy the values with others at a place."""
    changed = values.copy()
    changed[where] = entry
    return changed


def of_rows(values: Array, rows: Array, new: float = 0.0) -> Array:
    """Take (n,) values of rows along to (m,) rows of which each names one of these, or is new where it is -1."""
    return np.where(rows >= 0, values[rows], new)
