"""Panels of rows that are left out one at a time: what is said of them then, against what was said with all rows."""

import numpy as np

from algorithms.core import Array, Dataset, Panel, Path, Points, columns
from algorithms.toolbox.panels.row_words import Says, says_margin

_LISTED = 16  # rows in the table


def says_left_out(z: Array, value: Array) -> Says:
    """Say y f of a row with all rows and without it, and whether it is right then; arguments as in `against`."""
    with_all, without = says_margin(z), says_margin(value, "without it")

    def says(row: int) -> str:
        return with_all(row) + ("" if np.isnan(value[row]) else f"; {without(row)}")

    return says


def against(data: Dataset, z: Array, value: Array, row: int) -> Panel:
    """Draw y f'(x) of the rows that were left out over y f(x) with all of them; below 0 they are wrong.

    Args:
        z: (n,) y f with all rows.
        value: (n,) y f' of each row without it, NaN where it was not left out yet; what is far below is drawn lower.
        row: the one in hand, -1 for none.
    """
    done = np.flatnonzero(~np.isnan(value))
    low, high = min(float(z.min()), -1.0) - 1.0, float(z.max()) + 0.5
    points = Points(
        at=np.column_stack([z[done], np.clip(value[done], low, high)]),
        classes=np.asarray(data.y)[done],
        ringed=done == row,
        crossed=value[done] <= 0,
        rows=False,
    )
    ends = np.array([low, high])
    same = Path(at=np.column_stack([ends, ends]), tone="muted", name="nothing changes")
    zero = Path(at=np.column_stack([ends, 0 * ends]), tone="wrong", name="wrong below")
    limits = (low, high), (low, high)
    return Panel(
        title="left out against all rows", marks=(same, zero, points), axes=("y f(x)", "y f'(x)"), limits=limits
    )


def listed(data: Dataset, alpha: Array, z: Array, value: Array, row: int) -> Panel:
    """List the support vectors, the row in hand first, then those that are wrong, then by α; arguments as above."""
    first = np.arange(data.n) == row
    order = np.lexsort((-alpha, ~(value <= 0), ~first))
    order = order[(first | (alpha > 0))[order]]
    shown, pull = order[:_LISTED], alpha * np.vecdot(data.X, data.X)
    heads = {"row": shown, "α": alpha[shown], "y f": z[shown], "y f'": value[shown], "α‖x‖²": pull[shown]}
    note = f"{len(shown)} of {len(order)}" if len(order) > len(shown) else ""
    tones = tuple(np.asarray(data.y)[shown].tolist())
    return columns("support vectors", heads, note=note, tones=tones, marked=(0,) if first.any() else ())
