"""The charts of an opened theorem: its sides over the run, and beneath them what is left between them."""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Curve
from algorithms.playback.theorem_page import SidesSoFar, TheoremPage
from algorithms.playback.viewer import CurveNow
from algorithms.timeline.variables import AlongVariable
from tui.paint.across import steps_up_to
from tui.paint.canvas import Canvas
from tui.paint.charts import Chart
from tui.paint.palette import Palette
from tui.sections.curves import TALL, ChartContext, Charts, step_at
from tui.sections.theorem_notes import heading

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

    Attributes:
        along: whether along the theorem's own variable, where it has one.
        log: whether the sides stand on a logarithmic axis; None where the numbers decide.
    """

    def __init__(self) -> None:
        self.along = False
        self.log: bool | None = None
        self._sides, self._gaps = Charts(), Charts()
        self._gaps.near = False  # the whole run beneath, also where the sides are followed from near
        self._was_log, self._was_near = False, False

    def follow(self) -> None:
        """Show the sides from near, following the cursor, or over the whole run."""
        self._sides.near = not self._was_near

    def switch_log(self) -> None:
        """Put the sides on a logarithmic axis, or off it."""
        self.log = not self._was_log

    def paint(self, canvas: Canvas, page: TheoremPage, palette: Palette) -> list[DrawnChart]:
        """Paint both charts, or the first alone where there is little room; none of a theorem without sides."""
        so_far = page.so_far
        if so_far is None or not len(so_far.t) or canvas.rows < LEAST:
            return []
        second = round(canvas.rows * _SECOND) if canvas.rows >= BOTH else 0
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
        self._was_log = spans_powers(so_far.values) if self.log is None else self.log
        curves = _curves(so_far.names, so_far, so_far.values, self._along(so_far.along), self._was_log)
        curves = _with_now(curves, _sides_now(page), page.t)
        chart = self._sides.paint(_inside(canvas), f"{page.number}", curves, _context(page, 0), palette)
        self._was_near = chart is not None and curves[0].along is None and chart.across != steps_up_to(page.last)
        near = f"near step {page.t:,}" if self._was_near else "over the run"
        self._head(canvas, f"the sides {self._place(curves, near)}", self._was_log, curves, palette)
        return None if chart is None else DrawnChart(1, canvas.rows - 1, 0, chart, curves)

    def _paint_gaps(
        self, canvas: Canvas, page: TheoremPage, so_far: SidesSoFar, top: int, palette: Palette
    ) -> DrawnChart | None:
        gaps, sides = so_far.gaps, len(so_far.names)
        names = [f"{b} - {a}" for a, b in zip(so_far.names, so_far.names[1:])]
        log = spans_powers(gaps)
        curves = _curves(names, so_far, gaps, self._along(so_far.gaps_along()), log)
        now = _sides_now(page)
        curves = _with_now(curves, [b - a for a, b in zip(now, now[1:])], page.t)
        chart = self._gaps.paint(_inside(canvas), f"{page.number}", curves, _context(page, sides), palette)
        words = f"what is left between them {self._place(curves, 'over the run')}"
        self._head(canvas, words, log, curves, palette)
        return None if chart is None else DrawnChart(top + 1, canvas.rows - 1, 0, chart, curves)

    def _along(self, along: tuple[AlongVariable, ...]) -> tuple[AlongVariable, ...]:
        return along if self.along else ()

    @staticmethod
    def _place(curves: list[CurveNow], along_steps: str) -> str:
        along = curves[0].along
        return along_steps if along is None else f"along {along.name}"

    @staticmethod
    def _head(canvas: Canvas, words: str, log: bool, curves: list[CurveNow], palette: Palette) -> None:
        along = curves[0].along
        note = f"{'step' if along is None else along.name} →"
        heading(canvas, 0, words + (", logarithmic" if log else ""), palette, note)


def _inside(canvas: Canvas) -> Canvas:
    return canvas.part(0, 1, canvas.columns, canvas.rows - 1)


def _context(page: TheoremPage, used: int) -> ChartContext:
    return ChartContext(page.t, page.last, frozenset(range(used)), page.phase_at, legend=False)


def _sides_now(page: TheoremPage) -> list[float]:
    """This step's sides; of a silent theorem what it said last, NaN where it had not spoken."""
    verdict = page.verdict if page.spoken is None else page.spoken.verdict
    values = list(verdict.sides.values) if verdict.sides is not None else []
    assert page.so_far is not None
    return (values + [math.nan] * len(page.so_far.names))[: len(page.so_far.names)]


def _curves(
    names: Sequence[str], so_far: SidesSoFar, values: Array, along: tuple[AlongVariable, ...], log: bool
) -> list[CurveNow]:
    """Make a curve of each column of the values."""
    return [
        CurveNow(
            Curve(name, lambda problem, state: math.nan, log=log),
            so_far.t,
            np.ascontiguousarray(values[:, i]),
            math.nan,
            along[i] if along else None,
        )
        for i, name in enumerate(names)
    ]


def _with_now(curves: list[CurveNow], now: list[float], t: int) -> list[CurveNow]:
    """Give each curve its value at step t."""
    return [
        CurveNow(c.curve, c.t, c.values, value, c.along, math.nan if c.along is None else c.along.last_before(t))
        for c, value in zip(curves, now)
    ]


def spans_powers(values: Array) -> bool:
    """Tell whether values, all above 0, are of so many sizes that only their logarithms show them all."""
    known = values[np.isfinite(values)]
    if len(known) < _GLANCE or known.min() <= 0:
        return False
    return bool(known.max() > _WIDE * known.min())
