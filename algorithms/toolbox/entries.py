"""Entries of arrays that are never changed: the same array with others at a place."""

from typing import Any

from algorithms.core import Array


def with_entry(values: Array, where: Any, entry: Array | float) -> Array:
    """Copy the values with others at a place."""
    changed = values.copy()
    changed[where] = entry
    return changed
