"""The horizontal axis of a chart: the steps, what they are drawn along in their place, or a variable of the curves."""

import math
from collections.abc import Callable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Array
from algorithms.playback.cursor.coordinates import Coordinate, step_near
from algorithms.playback.pictures.viewer import CurveNow
from algorithms.timeline.series import broken
from tui.paint.canvas import SPACE, Canvas, width_of
from tui.paint.charts import Chart, Line, after
from tui.paint.x_axis import XAxis, around, steps_up_to

GUTTER = 7  # columns before the numbers below a chart, in which what is along it is named


class ChartContext(Struct, frozen=True, eq=False):
    """What a chart is to know of the run and of the screen.

    Attributes:
        t, last: the step that is shown, and the run's last.
        used: tones on the stage, which no curve takes.
        phase: what each step was, None where that is not to be written.
        thick: whether curves are two dots thick, to be seen from afar.
        legend: whether the curves are named here, with their values; else they are elsewhere, with their marks.
        log: whether the values are logarithmic, None where the curve's declaration decides.
        coordinate: what curves are drawn along that have no variable of their own, None for the steps.
        between: whether what is between two sides is to be seen, where there is room.
        pointer: the column and row of the mouse in the chart, where it reads the curves.
        axis: the name of what is along it, "" where that is not to be written.
        seen: the step up to which the run is to be seen, None where all of it is.
        hints: whether a chart of which nothing was seen yet says how one goes on.
    """

    t: int
    last: int
    used: frozenset[int] = frozenset()
    phase: Callable[[int], str] | None = None
    thick: bool = False
    legend: bool = True
    log: bool | None = None
    coordinate: Coordinate | None = None
    between: bool = False
    pointer: tuple[int, int] | None = None
    axis: str = ""
    seen: int | None = None
    hints: bool = True


def x_of(context: ChartContext, t: Array) -> Array:
    """Place steps on the axis."""
    return np.asarray(t if context.coordinate is None else context.coordinate.of(np.asarray(t)))


def here(context: ChartContext, t: float) -> float:
    """Place a step on the axis."""
    return float(x_of(context, np.array([round(t)]))[0])


def whole_axis(curves: list[CurveNow], context: ChartContext) -> XAxis | None:
    """Choose the axis of the whole run, or of the variable that the curves share; None where it was never measured."""
    known = [c.along for c in curves if c.along is not None and len(c.along.x)]
    if curves[0].along is not None:
        return around(np.concatenate([along.x for along in known]), known[0].log) if known else None
    coordinate = context.coordinate
    upto = math.inf if context.seen is None else here(context, context.seen)
    if coordinate is None:
        return replace(steps_up_to(context.last), upto=upto)
    x = coordinate.of(np.array([0, context.last]))
    if coordinate.whole:
        return XAxis(float(x[0]), float(max(math.ceil(x[1]), x[0] + 1)), upto=upto)
    measured = np.concatenate([coordinate.of(c.t[c.t <= context.last]) for c in curves])
    high = float(measured[np.isfinite(measured)].max(initial=0.0))
    return XAxis(0.0, around(np.array([0.0, high]), log=False).last if high > 0 else 1.0, whole=False)


def lines_of(curves: list[CurveNow], inks: list[int], context: ChartContext) -> list[Line]:
    """Place the curves on the axis."""
    if curves[0].along is not None:
        return [Line(*c.along.line()[:2], ink) for c, ink in zip(curves, inks) if c.along is not None]
    return [line_of(c, ink, context) for c, ink in zip(curves, inks)]


def line_of(curve: CurveNow, ink: int, context: ChartContext) -> Line:
    """Place one curve on the axis, as far as it is known where its steps are."""
    x = x_of(context, curve.t)
    known = np.isfinite(x)
    at = breaks_of([curve], context)
    return Line(*broken(x[known], curve.values[known], at), ink)


def breaks_of(curves: list[CurveNow], context: ChartContext) -> dict[float, str]:
    """Find where on the axis curves begin to measure something else, and what."""
    steps = {t: words for curve in curves if curve.along is None for t, words in curve.breaks}
    x = x_of(context, np.array([*steps], np.int64)).tolist() if steps else []
    return {at: words for at, words in zip(x, steps.values()) if math.isfinite(at)}


def later(chart: Chart, curves: list[CurveNow], cursor: float, t: int) -> Array:
    """Mask the columns that no curve has come to at step t, with the cursor at x."""
    alongs = [c.along for c in curves if c.along is not None]
    if not alongs:
        return after(chart, cursor) if math.isfinite(cursor) else np.zeros(chart.glyphs.shape[1], bool)
    lines = [along.line() for along in alongs if len(along.x)]
    return np.asarray(np.logical_and.reduce([chart.not_yet(x, since, t) for x, _, since in lines]))


def step_at(chart: Chart, curves: list[CurveNow], column: int, context: ChartContext | None = None) -> int:
    """Find the step at a column of a chart: of curves along a variable, that at which one first came nearest to it; the
    first step where none has come to anything yet."""
    alongs = [c.along for c in curves if c.along is not None]
    if not alongs:
        coordinate = None if context is None else context.coordinate
        if coordinate is None or context is None:
            return chart.step(column)
        return step_near(coordinate, chart.x(column), context.last)
    came = [(x, since) for x, _, since in (along.line() for along in alongs) if len(x)]
    if not came:
        return 0
    x, since = came[0]
    return int(since[np.abs(chart.columns_of(x) - column).argmin()])


def paint_axis_name(canvas: Canvas, row: int, name: str, ink: int) -> None:
    """Name what is along a chart before the numbers in a row below it, where it has room."""
    if not 0 <= row < canvas.rows:  # the legend took all there was
        return
    taken = np.flatnonzero(canvas.glyphs[row] != SPACE)
    room = min(int(taken[0]) if len(taken) else canvas.columns, GUTTER + 1) - 1
    if 0 < width_of(name) <= min(room, GUTTER):
        canvas.text(0 if width_of(name) == GUTTER else 1, row, name, ink)
