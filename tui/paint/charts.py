"""Charts of curves: plotext draws them, as an array of cells; the cursor is ours, drawn over them.

What plotext is given is finite, thinned to two points a column and within the limits (measured:
NaN, outliers and long lines cost it dearly); a chart is drawn again only when its curve changes.
"""

import re

import numpy as np
import plotext
from msgspec import Struct

from algorithms.core import Array
from tui.paint.canvas import Canvas, cells_of
from tui.paint.palette import Palette
from tui.paint.ticks import power_text, round_ticks, tick_labels

_RUN = re.compile(r"((?:\x1b\[[\d;]*m)*)([^\x1b\n]*)")
_INK = re.compile(r"38;2;(\d+);(\d+);(\d+)")
_LABEL = 7  # columns of a vertical tick's text, fixed so that nothing jumps


class Line(Struct, frozen=True, eq=False):
    """One curve: (t, value) pairs with t rising, and its colour."""

    t: Array
    values: Array
    ink: int


class Chart(Struct, frozen=True, eq=False):
    """A drawn chart: cells, and where its plot lies in them.

    Attributes:
        glyphs, ink: (rows, columns).
        left, columns: the first column of the plot, and how many it has.
        first, last: the t at the plot's left and right edge.
        low, high: the values at its lower and upper edge, logarithms if it is logarithmic.
    """

    glyphs: Array
    ink: Array
    left: int
    columns: int
    first: float
    last: float
    low: float
    high: float

    def column(self, t: float) -> int:
        """Find the column of a step."""
        share = (t - self.first) / max(self.last - self.first, 1e-300)
        return self.left + int(np.clip(round(share * (self.columns - 1)), 0, self.columns - 1))

    def step(self, column: int) -> int:
        """Find the step at a column."""
        share = np.clip((column - self.left) / max(self.columns - 1, 1), 0, 1)
        return int(round(self.first + float(share) * (self.last - self.first)))


def drawn(lines: list[Line], columns: int, rows: int, last: int, log: bool, palette: Palette) -> Chart | None:
    """Draw the chart of some curves from step 0 to `last`; None where there is nothing to draw or no room."""
    if not lines or columns < 16 or rows < 4:
        return None
    shaped = [_shaped(_upto(line, last), columns, log) for line in lines]
    values = np.concatenate([v for _, v in shaped])
    if not len(values):
        return None
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
        low, high = low - (abs(low) or 1.0) * 0.5, high + (abs(high) or 1.0) * 0.5
    room = (high - low) * 0.04
    low, high = low - room, high + room
    last = max(last, 1)
    plotext.clear_figure()
    plotext.plot_size(columns, rows)
    plotext.theme("clear")
    for part in (plotext.canvas_color, plotext.axes_color):
        part(_rgb(palette.panel))
    plotext.ticks_color(_rgb(palette.dim))
    plotext.frame(False)
    plotext.xaxes(False, False)
    plotext.yaxes(False, False)
    plotext.xlim(0, last)
    plotext.ylim(low, high)
    y_at, y_text = _value_ticks(low, high, max(rows // 3, 2), log)
    plotext.yticks(y_at, [f"{text:>{_LABEL}} " for text in y_text])
    x_at = round_ticks(0, last, max((columns - _LABEL) // 10, 2))
    x_at = [t for t in x_at if t == int(t)]
    plotext.xticks(x_at, [f"{int(t):,}" for t in x_at])
    for (t, v), line in zip(shaped, lines):
        if len(t) == 1:
            plotext.scatter(t.tolist(), v.tolist(), color=_rgb(line.ink), marker="•")
        elif len(t):
            plotext.plot(t.tolist(), v.tolist(), color=_rgb(line.ink), marker="braille")
    glyphs, ink = _cells(plotext.build(), columns, rows, palette.dim)
    left = _LABEL + 1
    return Chart(glyphs, ink, left, columns - left, 0.0, float(last), low, high)


def _upto(line: Line, last: int) -> Line:
    """Cut a line at a step."""
    end = int(np.searchsorted(line.t, last, side="right"))
    return Line(line.t[:end], line.values[:end], line.ink)


def _shaped(line: Line, columns: int, log: bool) -> tuple[Array, Array]:
    """Thin a line to finite points, logarithms if asked for, at most two a column: the lowest and the highest."""
    t, values = np.asarray(line.t, float), np.asarray(line.values, float)
    if log:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.log10(values)
    known = np.isfinite(values)
    t, values = t[known], np.clip(values[known], -1e300, 1e300)
    if len(t) <= 2 * columns:
        return t, values
    groups = np.array_split(np.arange(len(t)), columns)
    picks = sorted({i for g in groups for i in (g[values[g].argmin()], g[values[g].argmax()])})
    return t[picks], values[picks]


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


def put(
    canvas: Canvas, chart: Chart, t: float, palette: Palette, values: list[tuple[float, str, int]], log: bool
) -> None:
    """Put the chart, with the cursor at step t: what comes after is dim, each curve's (value, mark, ink) on it, beside
    each other where they would cover each other."""
    rows, columns = min(canvas.rows, chart.glyphs.shape[0]), min(canvas.columns, chart.glyphs.shape[1])
    canvas.glyphs[:rows, :columns] = chart.glyphs[:rows, :columns]
    canvas.ink[:rows, :columns] = chart.ink[:rows, :columns]
    cursor, bottom = chart.column(t), rows - 1
    later = canvas.ink[:bottom, cursor + 1 : columns]
    later[canvas.glyphs[:bottom, cursor + 1 : columns] != 32] = palette.faint
    if cursor < columns:
        free = canvas.glyphs[:bottom, cursor] == 32
        canvas.glyphs[:bottom, cursor][free] = ord("│")
        canvas.ink[:bottom, cursor][free] = palette.faint
        taken: dict[int, int] = {}
        for value, mark, ink in values:
            shown = np.log10(value) if log and value > 0 else value
            if np.isfinite(shown) and (value > 0 or not log):
                share = np.clip((chart.high - shown) / (chart.high - chart.low), 0, 1)
                row = min(int(share * bottom), bottom - 1)
                beside = taken.get(row, 0)
                taken[row] = beside + 1
                column = cursor + beside if cursor + beside < columns else cursor - taken[row] + 1
                canvas.text(column, row, mark, ink, bold=True)
