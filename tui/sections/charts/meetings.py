"""Knots: where two sides of a theorem meet again and again, and part in between."""

import numpy as np

from algorithms.core import Array
from tui.paint.canvas import Canvas
from tui.paint.charts import EQUAL, Chart, put_knot
from tui.paint.palette import Palette

_LEAST = 4  # steps of which it can be said
_APART = 2  # columns from one knot to the next, at least
_BLOCKS = 5  # the same for knots that are blocks


def meetings(values: Array) -> Array:
    """Mask, of (m, s) sides at m steps, the entries at which a side meets the next one, of those that meet and
    part in turn."""
    met = np.zeros(values.shape, bool)
    for i in range(values.shape[1] - 1):
        a, b = values[:, i], values[:, i + 1]
        known = np.isfinite(a) & np.isfinite(b)
        with np.errstate(invalid="ignore"):
            equal = known & (np.abs(a - b) <= EQUAL * np.maximum(np.abs(a), np.abs(b)))
        turns = int((equal[known][1:] != equal[known][:-1]).sum())
        if known.sum() >= _LEAST and turns >= known.sum() // 2:
            met[:, i] = equal
    return met


def put_knots(canvas: Canvas, chart: Chart, t: Array, values: Array, now: float, log: bool, palette: Palette) -> None:
    """Put a knot on each step at which two sides meet, as long as they can be told apart; that of `now` has marks.

    Args:
        t, values: (m,) steps and (m, s) sides.
    """
    seen = (t >= chart.x_axis.first) & (t <= chart.x_axis.last) & (t != now)
    steps, side = np.nonzero(meetings(values) & seen[:, None])
    if not len(steps):
        return
    columns = chart.columns_of(t[steps])
    apart = int(np.diff(np.unique(columns), prepend=-_BLOCKS).min())
    if apart < _APART:
        return
    for step, i, column in zip(steps.tolist(), side.tolist(), columns.tolist()):
        value = float(values[step, i])
        if value > 0 or not log:
            row = chart.y_axis.row(float(np.log10(value)) if log else value)
            put_knot(canvas, column, row, palette, weak=bool(t[step] > now), block=apart >= _BLOCKS)
