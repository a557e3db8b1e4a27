"""Charts of curves: lines in braille over an axis with round ends, a cursor, and each curve's mark on its line.

A cell that several curves pass has the dots of all of them: the same ones in dashes of their colours, so that
equal curves are one line, and else in a pale colour of all: no dot has that of another curve. A mark stands in the cell
that holds its value, the first where several share one. What is drawn is thinned to two values a column.
"""

import math
from collections.abc import Mapping

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.playback.pictures.limits import Limits
from tui.paint.canvas import SPACE, Canvas, width_of
from tui.paint.distinct_rows import distinct_rows
from tui.paint.palette import DARK, Palette, mix, pack, unpack
from tui.paint.plot import Plot
from tui.paint.x_axis import XAxis
from tui.paint.y_axis import LABEL, OFF_HALVES, YAxis, fitted_y_axis, fitting_ticks

_LEAST = (16, 4)  # columns and rows below which there is no chart
_BRAILLE = 0x2800
_GAP = 2  # columns between two labels below
_A_LABEL = 8  # columns that one of them takes
_HALF = 0.49  # of a row: what is in one is no nearer to the next
KNOT = "="  # dark on white: where values are equal; a dot would be taken for the mark of a curve
EQUAL = 1e-9  # of a value: what is less is no difference
_DASH, _TALL_DASH = 3, 2  # columns of a dash where curves share their cells, and rows where they are upright
_PALE = 0.5  # of the way to the ink, where dots of several curves share a cell
_TO_COME = "to come"  # what is weaker in a chart
_BREAK = "┊"  # in a column where curves are broken
_BETWEEN = 0.55  # of the colour of what is between two curves, in the uprights that show it
_HELD = 0.6  # of a curve's colour where its value is one of before
_LATER = 0.45  # of a curve's colour in what comes after the step that is shown


class Line(Struct, frozen=True, eq=False):
    """One curve: (x, value) pairs with x rising, and its colour; x is the step, or a variable of its own."""

    x: Array
    values: Array
    ink: int


class VerticalLines(Struct, frozen=True, eq=False):
    """What stands at each x from a lower value to an upper one."""

    x: Array
    lower: Array
    upper: Array


class Chart(Struct, frozen=True, eq=False):
    """A drawn chart: cells, and where its plot lies in them.

    Attributes:
        glyphs, ink: (rows, columns).
        left, columns: the first column of the plot, and how many it has.
        x_axis: its horizontal axis.
        y_axis: its vertical axis.
    """

    glyphs: Array
    ink: Array
    left: int
    columns: int
    x_axis: XAxis
    y_axis: YAxis

    def column(self, x: float) -> int:
        """Find the column of x."""
        return int(self.columns_of(np.array([x]))[0])

    def columns_of(self, x: Array) -> Array:
        """Find the column of each x: that in which a curve has its dot there."""
        first, last = self.x_axis.ends()
        half = (last - first) / max(self.columns - 1, 1) / 2
        left = first - half * OFF_HALVES
        share = (self.x_axis.places(x) - left) / max(last + half - left, 1e-300)
        dots = np.clip(np.rint(share * (self.columns * 2) - 0.5), 0, self.columns * 2 - 1)
        return self.left + (dots.astype(np.intp) >> 1)

    def x(self, column: int) -> float:
        """Find the x at a column."""
        first, last = self.x_axis.ends()
        place = first + float(np.clip((column - self.left) / max(self.columns - 1, 1), 0, 1)) * (last - first)
        return 10.0**place if self.x_axis.log else place

    def step(self, column: int) -> int:
        """Find the step at a column, where x is the step."""
        return round(self.x(column))

    def not_yet(self, x: Array, since: Array, t: float) -> Array:
        """Mask the columns that a line which came to each x at step `since` has not reached at step t; it is nowhere
        beyond its ends."""
        later = np.zeros(self.glyphs.shape[1], bool)
        columns, open_since = self.columns_of(x), np.maximum(since[:-1], since[1:])
        later[: columns[0]] = later[columns[-1] + 1 :] = True
        for i in np.flatnonzero(np.diff(columns) > 1).tolist():
            later[columns[i] + 1 : columns[i + 1]] = open_since[i] > t
        later[columns[since > t]] = True
        later[columns[since <= t]] = False
        return later


def drawn(
    lines: list[Line],
    columns: int,
    rows: int,
    x_axis: XAxis,
    log: bool,
    palette: Palette,
    thick: bool = False,
    verticals: VerticalLines | None = None,
    holds: Array | None = None,
) -> Chart | None:
    """Draw the chart of some curves, two dots thick if asked for; None where there is nothing to draw or no room.

    Args:
        holds: values that the vertical axis has room for besides, such as those of a chart beside it.
    """
    if not lines or columns < _LEAST[0] or rows < _LEAST[1]:
        return None
    shaped = [_shaped(line, x_axis, log) for line in lines]
    known = np.concatenate([values[np.isfinite(values)] for _, values in shaped])
    if not len(known):
        return None
    if holds is not None:
        with np.errstate(all="ignore"):
            beside = np.log10(np.where(holds > 0, holds, np.nan)) if log else holds
        known = np.concatenate([known, beside[np.isfinite(beside)]])
    whole = not log and all(_is_whole(line.values) for line in lines)
    y_axis = fitted_y_axis(float(known.min()), float(known.max()), rows - 1, log, whole)
    left = LABEL + 1
    glyphs, ink = np.full((rows, columns), SPACE, np.uint32), np.full((rows, columns), palette.dim, np.int32)
    chart = Chart(glyphs, ink, left, columns - left, x_axis, y_axis)
    canvas = Canvas(columns, rows, palette.panel, palette.dim)
    _lines_of_the_labels(canvas, chart, palette)
    plot = canvas.part(left, y_axis.head, chart.columns, y_axis.plot)
    if verticals is not None:
        uprights = mix(palette.panel, palette.accent, _BETWEEN)
        _draw_verticals(plot, verticals, x_axis, y_axis, log, uprights)
    _draw(plot, lines, shaped, x_axis, y_axis, palette, thick)
    _labels_below(canvas, chart, rows - 1, palette)
    chart.glyphs[:], chart.ink[:] = canvas.glyphs, canvas.ink
    return chart


def _shaped(line: Line, x_axis: XAxis, log: bool) -> tuple[Array, Array]:
    """Cut a line at the ends of the axis, logarithms if asked for; what has no place is NaN, a gap."""
    values = np.asarray(line.values, float)
    with np.errstate(all="ignore"):
        values = np.log10(np.where(values > 0, values, np.nan)) if log else values
        x = x_axis.places(line.x)
    values = np.where(np.isfinite(values), np.clip(values, -1e300, 1e300), np.nan)
    first, last = x_axis.ends()
    begin, end = int(np.searchsorted(x, first)), int(np.searchsorted(x, last, side="right"))
    at, seen = x[begin:end], values[begin:end]
    if 0 < begin < len(x) and (begin == end or at[0] > first):  # it comes in from the left
        at, seen = np.r_[first, at], np.r_[_crossing(x, values, begin, first), seen]
    if 0 < end < len(x) and at[-1] < last:
        at, seen = np.r_[at, last], np.r_[seen, _crossing(x, values, end, last)]
    return at, seen


def _is_whole(values: Array) -> bool:
    """Tell whether they are whole numbers, as counts are."""
    known = values[np.isfinite(values)]
    return bool((known == np.rint(known)).all())


def _crossing(x: Array, values: Array, i: int, at: float) -> float:
    """Find the value where the line from the sample before i to that at i crosses `at`."""
    return float(values[i - 1] + (values[i] - values[i - 1]) * ((at - x[i - 1]) / (x[i] - x[i - 1])))


def drawn_line(canvas: Canvas, line: Line, x_axis: XAxis, log: bool, palette: Palette) -> None:
    """Draw one line over a whole canvas, without labels."""
    x, values = _shaped(line, x_axis, log)
    known = values[np.isfinite(values)]
    if not len(known):
        return
    low, high = float(known.min()), float(known.max())
    room = (high - low) * 0.1 or abs(low) * 0.5 or 1.0
    y_axis = YAxis(low - room, high + room, canvas.rows, ())
    _draw(canvas, [line], [(x, values)], x_axis, y_axis, palette)


def _lines_of_the_labels(canvas: Canvas, chart: Chart, palette: Palette) -> None:
    """Draw a faint line at each label of the vertical axis."""
    for row, text in fitting_ticks(chart.y_axis):
        canvas.text(LABEL - width_of(text), row, text, palette.dim)
        canvas.text(chart.left, row, "─" * chart.columns, mix(palette.panel, palette.line, 0.6))


def _draw(
    canvas: Canvas,
    lines: list[Line],
    shaped: list[tuple[Array, Array]],
    x_axis: XAxis,
    y_axis: YAxis,
    palette: Palette,
    thick: bool = False,
) -> None:
    """Draw each curve; a cell that several pass has the dots of all, so that none of them hops."""
    limits, high = _limits(canvas, x_axis, y_axis)
    dots = np.zeros((len(lines), canvas.rows, canvas.columns), np.uint8)
    for i, (x, values) in enumerate(shaped):
        layer = Canvas(canvas.columns, canvas.rows, 0, 0)
        plot = Plot(layer, limits, DARK)
        for below in (0.0, high / 2)[: 1 + thick]:  # half a cell up and down is four dots: a quarter of it is one
            plot.line(np.stack([x, values - below], axis=1), 1)
        _alone(plot, x, values)
        dots[i] = layer.dots
    there = dots > 0
    count = there.sum(axis=0)
    together, seen = np.bitwise_or.reduce(dots, axis=0), count > 0
    canvas.glyphs[seen] = together[seen].astype(np.uint32) + _BRAILLE
    turn, place = _dashes(count), there.cumsum(axis=0) - 1
    for i, line in enumerate(lines):
        canvas.ink[there[i] & (place[i] == turn)] = line.ink
    apart = (there & (dots != together)).any(axis=0)
    if apart.any():
        inks = unpack(np.array([line.ink for line in lines]))
        mean = np.einsum("ijk,ic->jkc", there, inks)[apart] / count[apart][:, None]
        canvas.ink[apart] = pack(mean + _PALE * (unpack(palette.ink) - mean))


def _dashes(count: Array) -> Array:
    """Choose whose colour each cell takes, of so many curves in it: in dashes of one length along the columns, and
    along the rows where what they share is upright."""
    row, column = np.indices(count.shape)
    upright_here = (count > 1).sum(axis=0) > _TALL_DASH
    dash = column // _DASH + np.where(upright_here, row // _TALL_DASH, 0)
    return np.asarray(dash % np.maximum(count, 1))


def _limits(canvas: Canvas, x_axis: XAxis, y_axis: YAxis) -> tuple[Limits, float]:
    """Find the limits of the plot, of which the ends of the axes are middles of cells, and half a cell's height."""
    first, last = x_axis.ends()
    wide = (last - first) / max(canvas.columns - 1, 1) / 2
    high = (y_axis.high - y_axis.low) / max(y_axis.plot - 1, 1) / 2
    return Limits(first - wide * OFF_HALVES, last + wide, y_axis.low - high, y_axis.high + high * OFF_HALVES), high


def _draw_verticals(canvas: Canvas, lines: VerticalLines, x_axis: XAxis, y_axis: YAxis, log: bool, ink: int) -> None:
    """Draw uprights where they are more than a dot high; curves are drawn over them."""
    layer = Canvas(canvas.columns, canvas.rows, 0, 0)
    limits, high = _limits(canvas, x_axis, y_axis)
    x, lower = _shaped(Line(lines.x, lines.lower, 0), x_axis, log)
    _, upper = _shaped(Line(lines.x, lines.upper, 0), x_axis, log)
    seen = np.isin(x, x_axis.places(lines.x)) & (upper - lower > high / 2)
    below, above = (np.stack([x[seen], side[seen]], axis=1) for side in (lower, upper))
    Plot(layer, limits, DARK).segments(below, above, 1)
    there = layer.dots > 0
    canvas.glyphs[there] = layer.dots[there].astype(np.uint32) + _BRAILLE
    canvas.ink[there] = ink


def _alone(plot: Plot, x: Array, values: Array) -> None:
    """Put a dot where a value has no neighbour to be joined with, in the cell in which its mark stands."""
    known = np.isfinite(values)
    joined = np.zeros(len(values), bool)
    joined[1:] |= known[:-1]
    joined[:-1] |= known[1:]
    alone = known & ~joined
    across, down = plot.dots(np.stack([x[alone], values[alone]], axis=1))
    left, top = np.rint(across) // 2 * 2, np.rint(down) // 4 * 4
    top = np.clip(np.floor(down), top, top + 2)
    for right, below in ((0, 0), (1, 0), (0, 1), (1, 1)):
        plot.canvas.braille(left + right, top + below, 1)


def _labels_below(canvas: Canvas, chart: Chart, row: int, palette: Palette) -> None:
    """Write the labels of the horizontal axis, both ends first, others where there is room between."""
    taken: list[tuple[int, int]] = []
    first, last = chart.x_axis.ends()
    for place, text in chart.x_axis.ticks(max(chart.columns // _A_LABEL, 2)):
        column = chart.left + round((place - first) / max(last - first, 1e-300) * (chart.columns - 1))
        start = min(max(column - width_of(text) // 2, 0), canvas.columns - width_of(text))
        end = start + width_of(text)
        if all(end + _GAP <= a or start >= b + _GAP for a, b in taken):
            canvas.text(start, row, text, palette.dim)
            taken.append((start, end))


class Mark(Struct, frozen=True):
    """What stands on a curve at the cursor: where, what is written, and how.

    Attributes:
        weak: whether the value is not of this x.
        since: the x that it is of, from which it is held; NaN where that is not to be seen.
    """

    x: float
    value: float
    glyph: str
    ink: int
    ground: int | None = None
    weak: bool = False
    since: float = math.nan


def put(
    canvas: Canvas,
    chart: Chart,
    cursor: float,
    later: Array,
    palette: Palette,
    marks: list[Mark],
    log: bool,
    named: bool = True,
) -> dict[int, int]:
    """Put the chart, with the cursor at x, nowhere if that is NaN, and each curve's mark in the cell that holds its
    value: of several in a cell the first stands for all, as a knot where they are equal. Letters of runs stand a row
    above or below each other there.

    Args:
        later: which columns come after the step that is shown; curves are weaker there.
        named: whether it is written that these are to come.

    Returns:
        The marks that are not seen, by number, each with that which stands in their cell.
    """
    rows, columns = min(canvas.rows, chart.glyphs.shape[0]), min(canvas.columns, chart.glyphs.shape[1])
    canvas.glyphs[:rows, :columns] = chart.glyphs[:rows, :columns]
    canvas.ink[:rows, :columns] = chart.ink[:rows, :columns]
    bottom = min(rows, chart.y_axis.rows)
    glyphs = chart.glyphs[:bottom, :columns]
    ink = canvas.ink[:bottom, :columns]
    to_come = np.tile(later[:columns], (bottom, 1))
    for mark in marks:
        if mark.since < mark.x:  # its curve goes on to a value that is not known yet
            to_come |= (ink == mark.ink) & (np.arange(columns) > chart.column(mark.since))
    weak = (glyphs > _BRAILLE) & (glyphs < _BRAILLE + 256) & to_come
    ink[weak] = pack(unpack(ink[weak]) * _LATER + unpack(palette.panel) * (1 - _LATER))
    if weak.any() and named:
        _name_what_is_to_come(canvas.part(0, 0, columns, bottom), chart.left, later[:columns], palette)
    at = chart.column(cursor) if math.isfinite(cursor) else columns
    if at < columns:
        free = (canvas.glyphs[:bottom, at] == SPACE) | (canvas.glyphs[:bottom, at] == ord("─"))
        canvas.glyphs[:bottom, at][free] = ord("│")
        canvas.ink[:bottom, at][free] = palette.faint
    met = _met(marks)
    rows_of, hidden = _standing(chart, marks, met, bottom, log)
    knots = set(met.values())
    for i, row in rows_of.items():
        mark, column = marks[i], chart.column(marks[i].x)
        colour = mix(palette.panel, mark.ink, _HELD) if mark.weak else mark.ink
        if chart.x_axis.first <= mark.since < mark.x:
            _hold(canvas, row, chart.column(mark.since) + 1, column, colour)
        if i in knots:
            put_knot(canvas, column, row, palette, weak=mark.weak)
        else:
            canvas.text(column, row, mark.glyph, colour, mark.ground, bold=not mark.weak)
    return hidden


def _name_what_is_to_come(canvas: Canvas, first: int, later: Array, palette: Palette) -> None:
    """Write where a chart, from its first column on, shows what comes after the step, in cells that are free, next to
    where that begins: at its left, but along a variable that falls at its right."""
    width = width_of(_TO_COME)
    rises = bool(later[-1])
    here = np.flatnonzero(~later[first:])
    known = first + int(here[-1 if rises else 0]) if len(here) else first
    left = known + _GAP if rises else known - _GAP - width + 1
    room = later[known + 1 :] if rises else later[first:known]
    if room.sum() < 2 * width or not later[left : left + width].all():
        return
    cells = canvas.glyphs[:, left - 1 : left + width + 1]
    free = ((cells == SPACE) | (cells == ord("─"))).all(axis=1)
    if free.any():
        canvas.text(left - 1, int(free.argmax()), f" {_TO_COME} ", palette.dim)


def put_knot(canvas: Canvas, column: int, row: int, palette: Palette, weak: bool, block: bool = True) -> None:
    """Put a knot in a cell: as a block, that is seen from afar, or as a sign, where there are many."""
    colour = palette.dim if weak else palette.ink
    canvas.text(column, row, KNOT, palette.background if block else colour, colour if block else None, bold=True)


def put_breaks(canvas: Canvas, chart: Chart, breaks: Mapping[float, str], palette: Palette) -> None:
    """Draw a line where curves are broken, in the cells that are free, and say why beside it where there is room.

    What no line has room for between the others is said at one of them all the same, over those.
    """
    rows = min(canvas.rows, chart.y_axis.rows)
    columns = [(chart.column(at), words) for at, words in breaks.items() if chart.x_axis.holds(at)]
    for column, _ in columns:  # all lines before any words: none goes through them
        for row in range(rows):
            if canvas.glyphs[row, column] in (SPACE, ord("─")):
                canvas.text(column, row, _BREAK, palette.dim)
    said = set()
    for column, words in columns:
        if _put_words(canvas, chart, column, words, (SPACE, ord("─")), palette):
            said.add(words)
    for column, words in columns:
        if words not in said and _put_words(canvas, chart, column, words, (SPACE, ord("─"), ord(_BREAK)), palette):
            said.add(words)


def _put_words(canvas: Canvas, chart: Chart, column: int, words: str, over: tuple[int, ...], palette: Palette) -> bool:
    """Put words beside a line of the chart, over such signs alone; whether there is a row that has room."""
    width = width_of(words)
    for row in range(min(canvas.rows, chart.y_axis.rows)):
        for left in (column + 1, column - width):
            after = left > column  # a blank stands between words and what is beside them
            cells = canvas.glyphs[row, max(left - (not after), 0) : left + width + after]
            if chart.left <= left <= canvas.columns - width and np.isin(cells, over).all():
                canvas.text(left, row, words, palette.dim)
                return True
    return False


def _standing(
    chart: Chart, marks: list[Mark], met: dict[int, int], rows: int, log: bool
) -> tuple[dict[int, int], dict[int, int]]:
    """Choose the row of each mark that is seen; of those that are not, the one in their cell.

    Args:
        met: marks that are one with another.
    """
    columns: dict[int, list[tuple[float, int]]] = {}
    own: dict[int, int] = {}
    for i, mark in enumerate(marks):
        shown = float(np.log10(mark.value)) if log and mark.value > 0 else mark.value
        if i not in met and math.isfinite(mark.x) and math.isfinite(shown) and (mark.value > 0 or not log):
            columns.setdefault(chart.column(mark.x), []).append((chart.y_axis.place(shown), i))
            own[i] = min(chart.y_axis.row(shown), rows - 1)
    standing: dict[int, int] = {}
    for placed in columns.values():
        lettered = any(marks[i].ground is not None for _, i in placed)
        standing |= _letters_apart(placed, own, rows) if lettered else _first_of_cells(placed, own, marks)
    there = {(chart.column(marks[i].x), row): i for i, row in standing.items() if row == own[i]}
    cells = {i: (chart.column(marks[i].x), row) for i, row in own.items() if i not in standing}
    hidden = {i: there[cell] for i, cell in cells.items() if cell in there}
    return standing, hidden | {i: hidden.get(first, first) for i, first in met.items()}


def _met(marks: list[Mark]) -> dict[int, int]:
    """Find the marks whose value at the same x is that of one before them, each with the first of those; letters of
    runs have places of their own."""
    met: dict[int, int] = {}
    for i, mark in enumerate(marks):
        before = (j for j, other in enumerate(marks[:i]) if other.x == mark.x and other.ground is mark.ground is None)
        first = next((j for j in before if equal(marks[j].value, mark.value)), None)
        if first is not None:
            met[i] = first
    return met


def equal(a: float, b: float) -> bool:
    """Tell whether two values differ by no more than rounding."""
    return abs(a - b) <= EQUAL * max(abs(a), abs(b))


def _letters_apart(placed: list[tuple[float, int]], own: dict[int, int], rows: int) -> dict[int, int]:
    """Give letters of runs in one column rows of their own, one of several in a cell its line."""
    placed = sorted(placed)
    near = [own[i] + min(max(place - own[i], -_HALF), _HALF) for place, i in placed]
    chosen = distinct_rows(near, rows)
    return {i: row for (_, i), row in zip(placed, chosen) if row is not None}


def _first_of_cells(placed: list[tuple[float, int]], own: dict[int, int], marks: list[Mark]) -> dict[int, int]:
    """Give each cell of a column to the first of the marks in it, to one of this step before one that is held."""
    first: dict[int, int] = {}
    for _, i in sorted(placed, key=lambda one: (marks[one[1]].weak, one[1])):
        first.setdefault(own[i], i)
    return {i: row for row, i in first.items()}


def _hold(canvas: Canvas, row: int, first: int, end: int, ink: int) -> None:
    """Draw how a value is held, in the cells that are free."""
    for column in range(first, end):
        if canvas.glyphs[row, column] in (SPACE, ord("─")):
            canvas.text(column, row, "┄", ink)


def put_step(canvas: Canvas, chart: Chart, t: int, palette: Palette) -> None:
    """Write the step that is shown among those below the chart, in place of one that is too near."""
    row, text = chart.glyphs.shape[0] - 1, f"{t:,}"
    start = min(max(chart.column(t) - width_of(text) // 2, 0), canvas.columns - width_of(text))
    first, end = max(start - 1, 0), min(start + width_of(text) + 1, canvas.columns)
    while first > 0 and canvas.glyphs[row, first - 1] != SPACE:
        first -= 1
    while end < canvas.columns and canvas.glyphs[row, end] != SPACE:
        end += 1
    canvas.text(first, row, " " * (end - first), palette.dim)
    canvas.text(start, row, text, palette.accent, bold=True)


def after(chart: Chart, x: float) -> Array:
    """Mask the columns right of x."""
    return np.asarray(np.arange(chart.glyphs.shape[1]) > chart.column(x))
