"""Tables of what PCA learns: the directions feature by feature, and the coordinates of the rows along them."""

import numpy as np

from algorithms.core import Array, Dataset, Panel, columns
from algorithms.toolbox.subscripts import subscript

_SHOWN = 6  # directions, the last ones
_FEATURES = 16  # entries of a direction, at most
_ROWS = 8


def directions_table(data: Dataset, W: Array) -> tuple[Panel, ...]:
    """List the entries of each direction (c, d), a feature a row, where they are few."""
    if data.d > _FEATURES:
        return ()
    return (columns("directions w", {"feature": data.features, **_named(W.T)}),)


def coordinates(data: Dataset, start: Array, W: Array) -> Panel:
    """List what stands for a row: its coordinates x·w along each direction (c, d), and below their mean over all rows.

    Args:
        start: (d,) where directions start from.
    """
    along = (data.X - start) @ W.T
    middle = along.mean(axis=0)
    middle[np.abs(middle) <= 1e-13 * np.abs(data.X).max()] = 0.0  # which rounding made
    shown = min(data.n, _ROWS)
    heads = {"row": (*map(str, range(shown)), "mean"), **_named(np.vstack([along[:shown], middle]))}
    note = f"{shown} of {data.n:,} rows" if shown < data.n else ""
    return columns("coordinates x·w", heads, note=note)


def _named(values: Array) -> dict[str, Array]:
    """A column for each of the last directions."""
    first = max(values.shape[1] - _SHOWN, 0)
    return {f"w{subscript(j + 1)}": values[:, j] for j in range(first, values.shape[1])}
