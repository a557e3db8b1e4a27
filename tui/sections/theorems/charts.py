"""The charts of an opened theorem: its sides over the run, and beneath them what is left between them."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Array, Curve
from algorithms.core.scene import Tone
from algorithms.playback.pictures.viewer import CurveNow
from algorithms.playback.theorems.page import SidesSoFar, TheoremPage, drawn_sides
from algorithms.timeline.variables import AlongVariable
from tui.paint.canvas import Canvas, width_of
from tui.paint.charts import Chart, equal
from tui.paint.palette import Palette
from tui.sections.charts.axis import whole_axis
from tui.sections.charts.curves import TALL, ChartContext, Charts, Look, curve_looks, looks_of, step_at
from tui.sections.charts.meetings import put_knots
from tui.sections.charts.window import COLUMNS_A_STEP
from tui.sections.theorems.notes import heading
from tui.sections.theorems.unmeasured import Stretch

LEAST = 6  # rows of a chart with its heading
BOTH = 14  # rows from which on there are two
_SECOND = 0.37  # of the rows, for what is left between
_WIDE = 1e3  # times the least value: where the greatest is more, the axis is logarithmic unasked
_GLANCE = 3  # values that are needed for that


class DrawnChart(Struct, frozen=True, eq=False):
    """A chart as it lies on the page, for the mouse: its rows, its first column, and what it shows."""

    top: int
    rows: int
    left: int
    chart: Chart
    curves: list[CurveNow]

    def step(self, column: int) -> int:
        """Find the step at a column of the page."""
        return step_at(self.chart, self.curves, column - self.left)


class TheoremCharts:
    """Draws the charts of an opened theorem.

    Args:
        hall: whether the sides alone are drawn, in thick lines.

    Attributes:
        along: whether along the theorem's own variable, where it has one.
        log: whether the axes are logarithmic; None where the numbers decide, of each chart its own.
        used: tones that no curve takes.
    """

    def __init__(self, hall: bool = False) -> None:
        self.along = False
        self.log: bool | None = None
        self.used: frozenset[int] = frozenset()
        self._hall = hall
        self._sides, self._gaps = Charts(), Charts()
        self._gaps.near = False  # the whole run beneath, also where the sides are followed from near
        self._was_log, self._was_near = False, False
        self._stretch = Stretch()

    @property
    def unfinished(self) -> bool:
        """Tell whether there is more to be seen around the cursor, when it is painted again."""
        return self._was_near and self._stretch.unfinished

    def tones(self, page: TheoremPage) -> tuple[int, ...]:
        """List the tones of the sides; none of a theorem without sides."""
        so_far = page.so_far
        return tuple(looks_of(len(so_far.names), self.used)) if so_far is not None and len(so_far.t) else ()

    def follow(self) -> None:
        """Show the sides from near, following the cursor, or over the whole run."""
        self._sides.near = not self._was_near

    def switch_log(self) -> None:
        """Make the axes logarithmic, or not."""
        self.log = not self._was_log

    def paint(self, canvas: Canvas, page: TheoremPage, palette: Palette) -> list[DrawnChart]:
        """Paint both charts, or the first alone where there is little room, or nothing was ever left; none of a theorem
        that has none."""
        so_far = page.so_far
        if so_far is None or not has_charts(page) or canvas.rows < LEAST:
            return []
        two = canvas.rows >= BOTH and not self._hall and not so_far.each and not so_far.never_apart
        second = round(canvas.rows * _SECOND) if two else 0
        if self._sides.near and canvas.rows - second <= TALL:
            second = 0  # the sides are seen from near where there is room for that
        upper = canvas.part(0, 0, canvas.columns, canvas.rows - second)
        drawn = [self._paint_sides(upper, page, so_far, palette)]
        if second:
            lower = canvas.part(0, upper.rows, canvas.columns, second)
            drawn.append(self._paint_gaps(lower, page, so_far, upper.rows, palette))
        return [chart for chart in drawn if chart is not None]

    def _paint_sides(
        self, canvas: Canvas, page: TheoremPage, so_far: SidesSoFar, palette: Palette
    ) -> DrawnChart | None:
        self._was_log = self._is_log(begun(so_far.values))
        along = self._along(so_far.along)
        follows = self._was_near if self._sides.near is None else self._sides.near
        if follows and not along:
            so_far = self._stretch.filled(page, so_far, canvas.columns // COLUMNS_A_STEP)
        curves = _curves(so_far.names, so_far, page, along, sides_now(page), self._was_log)
        context = _context(page, self.used, thick=self._hall)
        chart = self._sides.paint(_inside(canvas), f"{page.number}", curves, context, palette)
        if chart is not None and not along and not so_far.each:
            put_knots(_inside(canvas), chart, so_far.t, so_far.values, page.t, self._was_log, palette)
        self._was_near = chart is not None and curves[0].along is None and chart.x_axis != whole_axis(curves, context)
        self._stretch.unfinished |= self._was_near and not follows
        near = f"near step {page.t:,}" if self._was_near else "over the run"
        words = f"{_what(so_far)} {self._place(curves, near)}"
        self._head(canvas, words, self._was_log, curves, palette, self._sides.hidden_marks, context.used)
        return None if chart is None else DrawnChart(1, canvas.rows - 1, 0, chart, curves)

    def _paint_gaps(
        self, canvas: Canvas, page: TheoremPage, so_far: SidesSoFar, top: int, palette: Palette
    ) -> DrawnChart | None:
        gaps, sides = so_far.gaps, len(so_far.names)
        names = [f"{b} - {a}" for a, b in zip(so_far.names, so_far.names[1:])]
        log = self._is_log(gaps)
        now = np.diff(sides_now(page))
        now = np.abs(now) if so_far.equal else now
        gaps_so_far = replace(so_far, values=gaps)
        curves = _curves(names, gaps_so_far, page, self._along(so_far.gaps_along()), now, log)
        context = _context(page, frozenset(range(sides)))
        chart = self._gaps.paint(_inside(canvas), f"{page.number}", curves, context, palette)
        what = "how far they are apart" if so_far.equal else "what is left between them"
        words = f"{what} {self._place(curves, 'over the run')}"
        self._head(canvas, words, log, curves, palette, self._gaps.hidden_marks, context.used)
        return None if chart is None else DrawnChart(top + 1, canvas.rows - 1, 0, chart, curves)

    def _along(self, along: tuple[AlongVariable, ...]) -> tuple[AlongVariable, ...]:
        return along if self.along else ()

    def _is_log(self, values: Array) -> bool:
        """Tell whether an axis is logarithmic; never where no value has a place on it."""
        return spans_powers(values) if self.log is None else self.log and bool((values > 0).any())

    @staticmethod
    def _place(curves: list[CurveNow], along_steps: str) -> str:
        along = curves[0].along
        return along_steps if along is None else f"along {along.name}"

    @staticmethod
    def _head(
        canvas: Canvas,
        words: str,
        log: bool,
        curves: list[CurveNow],
        palette: Palette,
        hidden_marks: Mapping[int, int],
        used: frozenset[int],
    ) -> None:
        """Head a chart, and say of marks that are not seen in it with which they are."""
        along = curves[0].along
        note = f"{'step' if along is None else along.name} →"
        words += ", logarithmic" if log else ""
        heading(canvas, 0, words, palette, note)
        end = canvas.columns - width_of(note) - 2
        looks = curve_looks(curves, used)
        values = [curve.now for curve in curves]
        paint_hidden_marks(canvas, width_of(words) + 3, end, hidden_marks, looks, values, palette)


def paint_hidden_marks(
    canvas: Canvas,
    column: int,
    end: int,
    hidden_marks: Mapping[int, int],
    looks: Sequence[Look],
    values: Sequence[float],
    palette: Palette,
) -> None:
    """Say in the first row, from one column to another, with which marks those are that are not seen: "▲ behind ●"."""
    for i, j in hidden_marks.items():
        between = " equals " if equal(values[i], values[j]) else " behind "
        (tone, sign), (other, there) = looks[i], looks[j]
        parts: list[tuple[str, Tone]] = [(f" {sign}", tone), (between, "muted"), (f"{there} ", other)]
        if column + sum(width_of(text) for text, _ in parts) > end:
            break
        for text, tone in parts:
            column = canvas.text(column, 0, text, palette.tone(tone))
        column += 1


def has_charts(page: TheoremPage) -> bool:
    """Tell whether a theorem has charts: not one without sides, nor one about every entry whose sides were equal at all
    steps, since what is left is nothing and the entry nearest to failing is another one at each step."""
    so_far = page.so_far
    return so_far is not None and len(so_far.t) > 0 and not (so_far.each and so_far.never_apart)


def _what(so_far: SidesSoFar) -> str:
    """Say what the first chart shows."""
    if not so_far.each:
        return "the sides"
    return "apart at most, beyond rounding," if so_far.equal else "left at the entry nearest to failing,"


def _inside(canvas: Canvas) -> Canvas:
    return canvas.part(0, 1, canvas.columns, canvas.rows - 1)


def _context(page: TheoremPage, used: frozenset[int], thick: bool = False) -> ChartContext:
    last, seen = (page.last, None) if page.range is None else (page.range, page.last)
    return ChartContext(page.t, last, used, page.phase_at, thick, legend=False, seen=seen)


def sides_now(page: TheoremPage) -> Array:
    """This step's sides; of a silent theorem what it said last, NaN where it had not spoken."""
    assert page.so_far is not None
    verdict = page.verdict if page.spoken is None else page.spoken.verdict
    values = np.full(len(page.so_far.names), np.nan)
    known = drawn_sides(verdict)[: len(values)]
    values[: len(known)] = known
    return values


def _curves(
    names: Sequence[str], of: SidesSoFar, page: TheoremPage, along: tuple[AlongVariable, ...], now: Array, log: bool
) -> list[CurveNow]:
    """Make a curve of each column of the values, marked at the step that is shown, or where the theorem last spoke."""
    curves: list[CurveNow] = []
    for i, name in enumerate(names):
        curve = Curve(name, lambda problem, state: math.nan, log=log)
        variable = along[i] if along else None
        here = variable.last_before(page.t) if variable is not None else page.spoken.t if page.spoken else math.nan
        column = np.ascontiguousarray(of.values[:, i])
        curves.append(CurveNow(curve, of.t, column, float(now[i]), variable, here, breaks=page.breaks))
    return curves


def begun(values: Array) -> Array:
    """Leave out the zeros that sides begin with, before the first mistake or the first row: they need no place."""
    before = np.logical_and.accumulate((values == 0) | np.isnan(values), axis=0)
    return np.where(before, np.nan, values)


def spans_powers(values: Array) -> bool:
    """Tell whether values, all above 0, are of so many sizes that only their logarithms show them all."""
    known = values[np.isfinite(values)]
    if len(known) < _GLANCE or known.min() <= 0:
        return False
    return bool(known.max() > _WIDE * known.min())
