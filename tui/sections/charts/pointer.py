"""What a chart of several runs says of itself: the values where the mouse is, and which part of the axis is seen."""

from collections.abc import Sequence

import numpy as np

from algorithms.core import Array
from algorithms.playback.comparison.compared_run import LETTERS
from tui.paint.canvas import SPACE, Canvas, fitted, width_of
from tui.paint.charts import Chart
from tui.paint.palette import Palette
from tui.paint.ticks import number
from tui.paint.x_axis import XAxis

_LABEL = 8  # columns before the plot


def paint_pointer(
    canvas: Canvas, chart: Chart, column: int, name: str, lines: Sequence[tuple[int, Array, Array]], palette: Palette
) -> None:
    """Paint a line at the mouse, and what the runs' curves are there in place of the ticks under it.

    Args:
        name: of the axis.
        lines: (run, x, values) of each curve.
    """
    if not chart.left <= column < min(chart.left + chart.columns, canvas.columns):
        return
    for row in range(min(chart.y_axis.rows, canvas.rows)):
        if canvas.glyphs[row, column] in (SPACE, ord("─")):
            canvas.text(column, row, "┆", palette.dim)
    x = float(chart.step(column)) if chart.x_axis.whole else chart.x(column)
    values = [f"{LETTERS[run]} {number(_value(at, of, x))}" for run, at, of in lines]
    label = fitted(f" {'  '.join([f'{name} {number(x)}', *values])} ", canvas.columns)
    start = min(max(column - width_of(label) // 2, 0), canvas.columns - width_of(label))
    canvas.text(start, min(chart.y_axis.rows, canvas.rows - 1), label, palette.on_held, palette.held)


def _value(x: Array, values: Array, at: float) -> float:
    """Get the last value of a curve that is not after a place; NaN before the first."""
    i = int(np.searchsorted(x, at + 1e-9, side="right")) - 1
    return float(values[i]) if i >= 0 else float("nan")


def paint_part(canvas: Canvas, part: XAxis, whole: XAxis, palette: Palette) -> None:
    """Paint a line for the whole axis, on which the part that is seen is stronger."""
    first, last = number(whole.first), number(whole.last)
    canvas.text(0, 0, "all", palette.dim)
    canvas.text(_LABEL - 1 - width_of(first), 0, first, palette.dim)
    columns = canvas.columns - _LABEL - width_of(last) - 1
    if columns < 2:
        return
    canvas.text(canvas.columns - width_of(last), 0, last, palette.dim)
    canvas.text(_LABEL, 0, "─" * columns, palette.faint)
    begin, end = whole.ends()
    low, high = (round((place - begin) / (end - begin) * (columns - 1)) for place in part.ends())
    canvas.text(_LABEL + low, 0, "━" * (high - low + 1), palette.ink)
