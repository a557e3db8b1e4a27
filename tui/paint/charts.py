"""Charts of curves: plotext draws them, as an array of cells; the cursor is ours, drawn over them.

What plotext is given is finite, thinned to two points a column and within the limits (measured:
NaN, outliers and long lines cost it dearly); a chart is drawn again only when its curve changes.
"""

import math
import re

import numpy as np
import plotext
from msgspec import Struct

from algorithms.core import Array
from tui.paint.canvas import Canvas, cells_of
from tui.paint.palette import Palette
from tui.paint.ticks import power_text, power_ticks, round_ticks, tick_labels

_RUN = re.compile(r"((?:\x1b\[[\d;]*m)*)([^\x1b\n]*)")
_INK = re.compile(r"38;2;(\d+);(\d+);(\d+)")
_HUGE = 1e150  # beyond it a chart has no axis
_LABEL = 7  # columns of a vertical tick's text, fixed so that nothing jumps


class Line(Struct, frozen=True, eq=False):
    """One curve: (x, value) pairs with x rising, and its colour; x is the step, or a variable of its own."""

    x: Array
    values: Array
    ink: int


class Across(Struct, frozen=True):
    """The horizontal axis of a chart.

    Attributes:
        first, last: x at its left and right edge.
        log: whether it is logarithmic.
        whole: whether only whole numbers are written on it, as of steps.
    """

    first: float
    last: float
    log: bool = False
    whole: bool = True

    def ends(self) -> tuple[float, float]:
        """The ends as they are drawn, logarithms where it is logarithmic."""
        first, last = self.places(np.array([self.first, self.last])).tolist()
        return first, last

    def places(self, x: Array) -> Array:
        """Where x is drawn."""
        x = np.asarray(x, float)
        return np.asarray(np.log10(x)) if self.log else x

    def ticks(self, most: int) -> tuple[list[float], list[str]]:
        """Choose at most so many places with round numbers, and the texts there."""
        first, last = self.ends()
        if self.log:
            return power_ticks(first, last, most)
        at = round_ticks(first, last, most)
        if self.whole:
            at = [x for x in at if x == int(x)]
            return at, [f"{int(x):,}" for x in at]
        return at, tick_labels(at)


def steps_up_to(last: int) -> Across:
    """The axis of steps from 0 to `last`."""
    return Across(0.0, float(max(last, 1)))


def around(x: Array, log: bool) -> Across:
    """The axis of a variable with room for its values, up to round numbers so that it seldom grows; powers of ten on a
    logarithmic one."""
    low, high = (min(max(float(end), -_HUGE), _HUGE) for end in (x.min(), x.max()))
    return _powers(low, high) if log else _rounded(low, high, whole=bool((x == np.round(x)).all()))


def _powers(low: float, high: float) -> Across:
    """The axis from a power of ten to another."""
    first, last = math.floor(math.log10(max(low, 1 / _HUGE)) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    room = 1 if first == last else 0
    return Across(10.0 ** (first - room), 10.0 ** (last + room), log=True, whole=False)


def _rounded(low: float, high: float, whole: bool) -> Across:
    """The axis from a round number to another."""
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        room = 1.0 if whole and abs(low) < 1e6 else abs(low) / 2 or 1.0
        return Across(low - room, high + room, whole=whole)
    ticks = round_ticks(low, high, 5)
    step = max(ticks[1] - ticks[0], 1.0 if whole else 0.0) if len(ticks) > 1 else high - low
    return Across(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, whole=whole)


class Chart(Struct, frozen=True, eq=False):
    """A drawn chart: cells, and where its plot lies in them.

    Attributes:
        glyphs, ink: (rows, columns).
        left, columns: the first column of the plot, and how many it has.
        across: its horizontal axis.
        low, high: the values at its lower and upper edge, logarithms if it is logarithmic.
    """

    glyphs: Array
    ink: Array
    left: int
    columns: int
    across: Across
    low: float
    high: float

    def column(self, x: float) -> int:
        """Find the column of x."""
        return int(self.columns_of(np.array([x]))[0])

    def columns_of(self, x: Array) -> Array:
        """Find the column of each x."""
        first, last = self.across.ends()
        share = (self.across.places(x) - first) / max(last - first, 1e-300)
        return self.left + np.clip(np.rint(share * (self.columns - 1)), 0, self.columns - 1).astype(np.intp)

    def x(self, column: int) -> float:
        """Find the x at a column."""
        first, last = self.across.ends()
        place = first + float(np.clip((column - self.left) / max(self.columns - 1, 1), 0, 1)) * (last - first)
        return 10.0**place if self.across.log else place

    def step(self, column: int) -> int:
        """Find the step at a column, where x is the step."""
        return round(self.x(column))

    def not_yet(self, x: Array, since: Array, t: float) -> Array:
        """Mask the columns that a line which came to each x at step `since` has not reached at step t."""
        later = np.zeros(self.glyphs.shape[1], bool)
        columns, open_since = self.columns_of(x), np.maximum(since[:-1], since[1:])
        for i in np.flatnonzero(np.diff(columns) > 1).tolist():
            later[columns[i] + 1 : columns[i + 1]] = open_since[i] > t
        later[columns[since > t]] = True
        later[columns[since <= t]] = False
        return later


def drawn(lines: list[Line], columns: int, rows: int, across: Across, log: bool, palette: Palette) -> Chart | None:
    """Draw the chart of some curves; None where there is nothing to draw or no room."""
    if not lines or columns < 16 or rows < 4:
        return None
    shaped = [_shaped(line, across, columns, log) for line in lines]
    values = np.concatenate([v for _, v in shaped])
    if not len(values):
        return None
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
        low, high = low - (abs(low) or 1.0) * 0.5, high + (abs(high) or 1.0) * 0.5
    room = (high - low) * 0.04
    low, high = low - room, high + room
    plotext.clear_figure()
    plotext.plot_size(columns, rows)
    plotext.theme("clear")
    for part in (plotext.canvas_color, plotext.axes_color):
        part(_rgb(palette.panel))
    plotext.ticks_color(_rgb(palette.dim))
    plotext.frame(False)
    plotext.xaxes(False, False)
    plotext.yaxes(False, False)
    plotext.xlim(*across.ends())
    plotext.ylim(low, high)
    y_at, y_text = _value_ticks(low, high, max(rows // 3, 2), log)
    plotext.yticks(y_at, [f"{text:>{_LABEL}} " for text in y_text])
    plotext.xticks(*across.ticks(max((columns - _LABEL) // 10, 2)))
    for (x, v), line in zip(shaped, lines):
        if len(x) == 1:
            plotext.scatter(x.tolist(), v.tolist(), color=_rgb(line.ink), marker="•")
        elif len(x):
            plotext.plot(x.tolist(), v.tolist(), color=_rgb(line.ink), marker="braille")
    glyphs, ink = _cells(plotext.build(), columns, rows, palette.dim)
    left = _LABEL + 1
    return Chart(glyphs, ink, left, columns - left, across, low, high)


def _shaped(line: Line, across: Across, columns: int, log: bool) -> tuple[Array, Array]:
    """Thin a line to finite points on the axis, logarithms if asked for, at most two a column: the lowest and the
    highest."""
    seen = slice(np.searchsorted(line.x, across.first), np.searchsorted(line.x, across.last, side="right"))
    x, values = across.places(line.x[seen]), np.asarray(line.values[seen], float)
    if log:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.log10(values)
    known = np.isfinite(values)
    x, values = x[known], np.clip(values[known], -1e300, 1e300)
    if len(x) <= 2 * columns:
        return x, values
    groups = np.array_split(np.arange(len(x)), columns)
    picks = sorted({i for g in groups for i in (g[values[g].argmin()], g[values[g].argmax()])})
    return x[picks], values[picks]


def _value_ticks(low: float, high: float, most: int, log: bool) -> tuple[list[float], list[str]]:
    ticks = round_ticks(low, high, most)
    if not log:
        texts = tick_labels(ticks)
        if max(map(len, texts), default=0) > _LABEL:
            texts = [f"{t:.2g}" for t in ticks]
        return ticks, texts
    whole = [t for t in ticks if t == int(t)]
    if len(whole) >= 2:
        return whole, [power_text(t) for t in whole]
    return ticks, [f"{10.0**t:.2g}" for t in ticks]


def _rgb(packed: int) -> tuple[int, int, int]:
    return packed >> 16, packed >> 8 & 255, packed & 255


def _cells(text: str, columns: int, rows: int, ink: int) -> tuple[Array, Array]:
    """Read what plotext printed as glyphs and their colours."""
    glyphs = np.full((rows, columns), 32, np.uint32)
    inks = np.full((rows, columns), ink, np.int32)
    for row, line in enumerate(text.split("\n")[:rows]):
        at, colour = 0, ink
        for codes, run in _RUN.findall(line):
            ink_code = _INK.search(codes)
            if ink_code:
                r, g, b = map(int, ink_code.groups())
                colour = (r << 16) | (g << 8) | b
            cells = cells_of(run)[: columns - at]
            glyphs[row, at : at + len(cells)], inks[row, at : at + len(cells)] = cells, colour
            at += len(cells)
    return glyphs, inks


class Mark(Struct, frozen=True):
    """What stands on a curve at the cursor: where, what is written, and how."""

    x: float
    value: float
    glyph: str
    ink: int
    ground: int | None = None


def put(
    canvas: Canvas, chart: Chart, cursor: float, later: Array, palette: Palette, marks: list[Mark], log: bool
) -> None:
    """Put the chart, with the cursor at x, nowhere if that is NaN, and each curve's mark on it, beside each other where
    they would cover each other.

    Args:
        later: which columns come after the step that is shown; they are dim.
    """
    rows, columns = min(canvas.rows, chart.glyphs.shape[0]), min(canvas.columns, chart.glyphs.shape[1])
    canvas.glyphs[:rows, :columns] = chart.glyphs[:rows, :columns]
    canvas.ink[:rows, :columns] = chart.ink[:rows, :columns]
    bottom = rows - 1
    dim = (chart.glyphs[:bottom, :columns] != 32) & later[:columns]
    canvas.ink[:bottom, :columns][dim] = palette.faint
    at = chart.column(cursor) if math.isfinite(cursor) else columns
    if at < columns:
        free = canvas.glyphs[:bottom, at] == 32
        canvas.glyphs[:bottom, at][free] = ord("│")
        canvas.ink[:bottom, at][free] = palette.faint
    taken: dict[tuple[int, int], int] = {}
    for mark in marks:
        shown = np.log10(mark.value) if log and mark.value > 0 else mark.value
        if math.isfinite(mark.x) and np.isfinite(shown) and (mark.value > 0 or not log):
            share = np.clip((chart.high - shown) / (chart.high - chart.low), 0, 1)
            row, column = min(int(share * bottom), bottom - 1), chart.column(mark.x)
            beside = taken.get((row, column), 0)
            taken[row, column] = beside + 1
            place = column + beside if column + beside < columns else column - beside
            canvas.text(place, row, mark.glyph, mark.ink, mark.ground, bold=True)


def after(chart: Chart, x: float) -> Array:
    """Mask the columns right of x."""
    return np.asarray(np.arange(chart.glyphs.shape[1]) > chart.column(x))
