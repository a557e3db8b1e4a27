"""What stands at the right edge of a chart of several runs: each run's letter and value, at the height of its line."""

import math
from collections.abc import Sequence

from msgspec import Struct

from algorithms.playback.comparison.compared_run import LETTERS
from tui.paint.canvas import Canvas, fitted
from tui.paint.charts import Chart
from tui.paint.palette import Palette
from tui.paint.ticks import number
from tui.sections.comparison.rows import DIGITS

COLUMNS = 12  # of the edge: a blank, the letter, a blank, the value
LEAST = 44  # columns of a chart that has an edge


class Reading(Struct, frozen=True):
    """A run's value at the cursor; `held` where it was measured in another phase, before."""

    run: int
    value: float
    held: bool = False


def paint_edge(canvas: Canvas, chart: Chart, readings: Sequence[Reading], log: bool, palette: Palette) -> None:
    """Paint the readings, the greatest first, each as near to its line as the others let it."""
    seen = [each for each in readings if math.isfinite(each.value) and (each.value > 0 or not log)]
    seen.sort(key=lambda each: -each.value)
    wanted = [chart.y_axis.row(math.log10(each.value) if log else each.value) for each in seen]
    for each, row in zip(seen, spread(wanted, min(chart.y_axis.rows, canvas.rows))):
        column = canvas.text(1, row, LETTERS[each.run], palette.run(each.run), bold=True) + 1
        value = fitted(number(each.value, DIGITS), canvas.columns - column)
        canvas.text(column, row, value, palette.dim if each.held else palette.ink)


def spread(wanted: Sequence[int], rows: int) -> list[int]:
    """Give each of some rising rows one of its own, near the one that is wanted, in the same order.

    What is too close is moved apart from its middle, as long as there is room.
    """
    groups: list[list[int]] = []  # of neighbours without a row between them: their wanted first rows
    for row in wanted:
        groups.append([row])
        while len(groups) > 1 and _first(groups[-2], rows) + len(groups[-2]) > _first(groups[-1], rows):
            last = groups.pop()
            groups[-1] += last
    return [_first(group, rows) + k for group in groups for k in range(len(group))]


def _first(group: Sequence[int], rows: int) -> int:
    """Find the first row of neighbours, so that they are off their wanted rows as little as can be."""
    middle = sum(row - k for k, row in enumerate(group)) / len(group)
    return min(max(math.ceil(middle - 0.5), 0), max(rows - len(group), 0))
