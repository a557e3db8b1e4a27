"""The curves of one chart, with a legend that holds this step's values; from near where the cursor is followed."""

import math
from collections.abc import Callable

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.playback.viewer import CurveNow
from tui.paint.across import around, steps_up_to
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.charts import Chart, Line, Mark, after, drawn, put, put_step
from tui.paint.palette import GLYPHS, Palette
from tui.paint.ticks import number
from tui.sections.window import ROWS, Window, paint_phases, paint_whole, touch, window

TALL = 11  # rows of a chart from which on the whole run is shown under a window
_LABEL = 8  # columns before the plot
_VALUE = 6  # columns that are kept for a value in the legend


class ChartContext(Struct, frozen=True, eq=False):
    """What a chart is to know of the run and of the screen.

    Attributes:
        t, last: the step that is shown, and the run's last.
        used: tones on the stage, which no curve takes.
        phase: what each step was, None where that is not to be written.
        thick: whether curves are two dots thick, to be seen from afar.
        legend: whether the curves are named here, with their values; else they are elsewhere, with their marks.
    """

    t: int
    last: int
    used: frozenset[int] = frozenset()
    phase: Callable[[int], str] | None = None
    thick: bool = False
    legend: bool = True


class Charts:
    """Draws charts and keeps what was drawn until a curve, the size or the look changes.

    Attributes:
        near: whether the cursor is followed from near; None where curves that meet again and again decide.
    """

    def __init__(self) -> None:
        self.near: bool | None = None
        self._kept: dict[str, tuple[tuple[object, ...], Chart | None]] = {}
        self._windows: dict[str, Window | None] = {}
        self._touch: dict[str, tuple[int, bool]] = {}

    @property
    def is_near(self) -> bool:
        """Tell whether the chart that was painted last follows the cursor."""
        return any(part is not None for part in self._windows.values())

    def paint(
        self, canvas: Canvas, name: str, curves: list[CurveNow], context: ChartContext, palette: Palette
    ) -> Chart | None:
        """Paint the chart of a group of curves, with the cursor at a step; gives the chart back for the mouse."""
        curves = [c for c in curves if c.t.size] or curves[:1]  # one that is never measured says nothing
        looks = _looks(len(curves), context.used)
        inks = [palette.tone(tone) for tone in looks]
        used = self._legend(canvas, curves, looks, context.t, palette) if context.legend else 0
        body = canvas.part(0, used, canvas.columns, canvas.rows - used)
        part = self._window(name, curves, body, context)
        if part is not None:
            self._paint_below(body, curves[0], inks[0], part, context, palette)
            body = body.part(0, 0, body.columns, body.rows - ROWS)
        log = curves[0].curve.log
        key = (
            canvas.columns,
            canvas.rows,
            palette.name,
            context.last,
            context.thick,
            log,
            part,
            *inks,
            *(_mark(c) for c in curves),
        )
        held = self._kept.get(name)
        if held is None or held[0] != key:
            held = self._kept[name] = (key, _chart(curves, inks, body, context, part, palette))
        chart = held[1]
        if chart is None:
            return None
        shaped = len(curves) > 1 or not context.legend
        marks = [
            Mark(
                c.here if c.along is not None or math.isfinite(c.here) else context.t,
                c.now,
                GLYPHS[tone] if shaped else "●",
                ink,
            )
            for c, tone, ink in zip(curves, looks, inks)
        ]
        cursor = context.t if curves[0].along is None else marks[0].x
        put(body, chart, cursor, _later(chart, curves, context.t), palette, marks, log)
        if part is not None:
            put_step(body, chart, context.t, palette)
        if part is not None and context.phase is not None:
            under = canvas.part(0, used + body.rows, canvas.columns, 1)
            paint_phases(under, chart, part, context.t, context.phase, palette)
        return chart

    def _window(self, name: str, curves: list[CurveNow], body: Canvas, context: ChartContext) -> Window | None:
        """Choose the steps that are seen, None for all: what has a variable of its own, or little room, is whole."""
        if any(c.along is not None for c in curves) or body.rows < TALL:
            return None
        near = self.near
        if near is None:
            held = self._touch.get(name)
            known = len(curves[0].t)
            if held is None or known >= 2 * held[0]:  # as the run grows it is asked again, but not at each step
                held = self._touch[name] = (max(known, 1), touch([(c.t, c.values) for c in curves]))
            near = held[1]
        before = self._windows.get(name)
        part = window(context.t, context.last, body.columns - _LABEL, before) if near else None
        self._windows[name] = part
        return part

    @staticmethod
    def _paint_below(
        body: Canvas, curve: CurveNow, ink: int, part: Window, context: ChartContext, palette: Palette
    ) -> None:
        """Paint the whole run under the window."""
        line = Line(curve.t, curve.values, ink)
        strip = body.part(0, body.rows - ROWS + 1, body.columns, 2)
        end = f"{context.last:,}"
        room = strip.part(0, 0, strip.columns - width_of(end) - 1, 2)
        paint_whole(room, line, part, context.last, curve.curve.log, palette, _LABEL)
        strip.text(strip.columns - width_of(end), 1, end, palette.dim)

    @staticmethod
    def _legend(canvas: Canvas, curves: list[CurveNow], looks: list[int], t: int, palette: Palette) -> int:
        """ "● objective 64.6   ▲ bound 70.1": each curve's mark on the cursor, with its value there; returns how many
        lines it took. A curve stands on the first line that has room for it, so that as few as can be do."""
        most = max(canvas.rows - 4, 1)  # of a low chart little is left, but no curve without a name
        free = [1]  # the next free column of each line
        for curve, tone in zip(curves, looks):
            value = number(curve.now) if measured(curve, t) else "–"
            name = curve.curve.name if len(curves) > 1 else curve.curve.formula or curve.curve.name
            width = width_of(name) + max(width_of(value), _VALUE) + 3  # lines do not come and go with digits
            row = next((r for r, at in enumerate(free) if at == 1 or at + width <= canvas.columns), len(free))
            if row == len(free):
                if row == most:
                    break
                free.append(1)
            shape = GLYPHS[tone] if len(curves) > 1 else "━"
            column = canvas.text(free[row], row, f"{shape} ", palette.tone(tone))
            name = fitted(name, canvas.columns - column - width_of(value) - 2)
            column = canvas.text(column, row, name + " ", palette.dim)
            free[row] = canvas.text(column, row, value, palette.ink, bold=True) + 2
        return len(free)


def _looks(count: int, used: frozenset[int]) -> list[int]:
    """Choose a tone, a colour with its shape, for each curve: those first that nothing on the stage has."""
    order = [tone for tone in range(len(GLYPHS)) if tone not in used] + sorted(used)
    return [order[i % len(order)] for i in range(count)]


def _chart(
    curves: list[CurveNow],
    inks: list[int],
    body: Canvas,
    context: ChartContext,
    part: Window | None,
    palette: Palette,
) -> Chart | None:
    """Draw curves along the steps so far or those of a window, or along the variable that they share."""
    known = [c.along for c in curves if c.along is not None and len(c.along.x)]
    if curves[0].along is None:
        across = steps_up_to(context.last) if part is None else part.across
        lines = [Line(c.t, c.values, ink) for c, ink in zip(curves, inks)]
    elif known:
        across = around(np.concatenate([along.x for along in known]), known[0].log)
        lines = [Line(*c.along.line()[:2], ink) for c, ink in zip(curves, inks) if c.along is not None]
    else:
        return None
    return drawn(lines, body.columns, body.rows, across, curves[0].curve.log, palette, context.thick)


def _later(chart: Chart, curves: list[CurveNow], t: int) -> Array:
    """Mask the columns that no curve has come to at step t."""
    alongs = [c.along for c in curves if c.along is not None]
    if not alongs:
        return after(chart, t)
    lines = [along.line() for along in alongs if len(along.x)]
    return np.asarray(np.logical_and.reduce([chart.not_yet(x, since, t) for x, _, since in lines]))


def step_at(chart: Chart, curves: list[CurveNow], column: int) -> int:
    """Find the step at a column of a chart: of a curve along a variable, that which first came nearest to it."""
    along = next((c.along for c in curves if c.along is not None), None)
    if along is None:
        return chart.step(column)
    x, _, since = along.line()
    return int(since[np.abs(chart.columns_of(x) - column).argmin()])


def measured(curve: CurveNow, t: int) -> bool:
    """Tell whether the curve has a value at step t, be it NaN; not before it is first measured."""
    return not math.isnan(curve.now) or (bool(curve.t.size) and float(curve.t[0]) <= t)


def _mark(curve: CurveNow) -> tuple[object, ...]:
    """Fingerprint a curve: changes when it does."""
    x = b"" if curve.along is None else curve.along.x.tobytes()
    return (curve.curve.name, hash(curve.t.tobytes()), hash(curve.values.tobytes()), hash(x))
