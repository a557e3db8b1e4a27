"""The curves of one chart, with a legend that holds this step's values; from near where the cursor is followed."""

import math

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.scene import Tone
from algorithms.playback.pictures.viewer import CurveNow
from tui.paint.canvas import Canvas, width_of
from tui.paint.charts import Chart, Mark, VerticalLines, drawn, equal, put, put_breaks, put_step
from tui.paint.palette import GLYPHS, Palette
from tui.paint.ticks import number
from tui.paint.x_axis import XAxis, steps_up_to
from tui.sections.charts.axis import (
    ChartContext as ChartContext,
    breaks_of,
    here,
    later,
    line_of,
    lines_of,
    paint_axis_name,
    step_at as step_at,
    whole_axis,
    x_of,
)
from tui.sections.charts.gap import LEAST, ROWS as BETWEEN_ROWS, Between, between, drawn_between, paint_between
from tui.sections.charts.legend import Entry, Legend, Remark, has_holes, held_remark, legend
from tui.sections.charts.reading import paint_reading
from tui.sections.charts.unseen import paint_unseen
from tui.sections.charts.window import (
    COLUMNS_A_STEP,
    ROWS,
    Window,
    columns_a_step,
    has_phases,
    paint_phases,
    paint_whole,
    touch,
    whole_line,
    window,
)
from tui.sections.charts.zooms import Zooms

Look = tuple[Tone, str]  # of a curve: the tone of its colour, and its shape

TALL = 11  # rows of a chart from which on the whole run is shown under a window
_LABEL = 8  # columns before the plot
_PLOT = 4  # rows that the legend of a low chart leaves
_LEGEND = 3  # rows of a chart for each one of its legend
_SIGNED = 12  # rows of a chart up to which, or curves from which on, marks are often in one cell
_MANY = 4
_BETWEEN = 6  # columns that are kept for what is between, in a legend


class _Drawn(Struct, frozen=True, eq=False):
    """A chart as it was drawn, and under it what is between its curves, with the phase after which that is nothing."""

    chart: Chart | None
    below: Chart | None = None
    gap: CurveNow | None = None
    touched: str = ""
    upper_first: bool = True


class _Asked(Struct, frozen=True, eq=False):
    """A chart that is to be drawn: what of, how large, and along what."""

    curves: list[CurveNow]
    inks: list[int]
    columns: int
    rows: int
    context: ChartContext
    x_axis: XAxis
    sides: Between | None
    palette: Palette

    @property
    def key(self) -> tuple[object, ...]:
        """What the drawing depends on."""
        coordinate = self.context.coordinate is not None
        places = [line_of(c, 0, self.context).x.tobytes() if coordinate else b"" for c in self.curves]
        look = (self.columns, self.rows, self.palette.name, self.x_axis, self.context.thick, self.log)
        return (*look, self.sides is None, *self.inks, *map(hash, places), *(_mark(c) for c in self.curves))

    @property
    def log(self) -> bool:
        return _log(self.curves, self.context)

    def drawn(self) -> _Drawn:
        """Draw the chart, and under it what is between its curves if there is something."""
        return self._alone() if self.sides is None else self._with(self.sides)

    def _alone(self) -> _Drawn:
        return _Drawn(self._chart(self.rows))

    def _with(self, sides: Between) -> _Drawn:
        context, x_axis = self.context, self.x_axis
        gap = sides.curve(self.log and bool((sides.values > 0).any()))
        x = x_of(context, sides.t)
        below = drawn_between(gap, x, self.columns, x_axis, self.palette)
        if below is None:
            return self._alone()
        near = columns_a_step(x_axis, self.columns - _LABEL) >= COLUMNS_A_STEP - 1
        verticals = VerticalLines(x, sides.lower, sides.lower + sides.values) if near else None
        chart = self._chart(self.rows - BETWEEN_ROWS + 1, verticals)
        touched = sides.touched_after(context.phase) if context.phase is not None else ""
        return _Drawn(chart, below, gap, touched, sides.upper_first)

    def _chart(self, rows: int, verticals: VerticalLines | None = None) -> Chart | None:
        lines = lines_of(self.curves, self.inks, self.context)
        holds = [c.along.values for c in self.curves if c.along is not None]  # a mark stands also where a line was
        every = np.concatenate(holds) if holds else None
        look = (self.palette, self.context.thick, verticals, every)
        return drawn(lines, self.columns, rows, self.x_axis, self.log, *look)


class Charts:
    """Draws charts and keeps what was drawn until a curve, the size or the look changes.

    Attributes:
        near: whether the cursor is followed from near; None where curves that meet again and again decide.
        zooms: the parts that were chosen by hand.
        barred: why a chart cannot be seen from near, "" where it can.
        hidden_marks: of the chart that was painted last, the curves whose marks are not seen, each with that in whose
            cell they are.
    """

    def __init__(self, zooms: Zooms | None = None) -> None:
        self.near: bool | None = None
        self.zooms = Zooms() if zooms is None else zooms
        self.barred: dict[str, str] = {}
        self.hidden_marks: dict[int, int] = {}
        self._kept: dict[str, tuple[tuple[object, ...], _Drawn]] = {}
        self._windows: dict[str, Window | None] = {}
        self._touch: dict[str, tuple[int, bool]] = {}
        self._wholes: dict[str, tuple[tuple[object, ...], Canvas]] = {}
        self._between: dict[str, tuple[tuple[object, ...], Between | None]] = {}

    @property
    def is_near(self) -> bool:
        """Tell whether the chart that was painted last follows the cursor."""
        return any(part is not None for part in self._windows.values())

    def between(self, name: str, curves: list[CurveNow]) -> Between | None:
        """Find what is between the curves of a chart, where they are the two sides of something."""
        curves = _measured(curves)
        key = tuple((*_mark(c), c.now) for c in curves)
        held = self._between.get(name)
        if held is None or held[0] != key:
            held = self._between[name] = (key, between(curves))
        return held[1]

    def paint(
        self, canvas: Canvas, name: str, curves: list[CurveNow], context: ChartContext, palette: Palette
    ) -> Chart | None:
        """Paint the chart of a group of curves, with the cursor at a step; gives the chart back for the mouse."""
        self.hidden_marks = {}
        curves = _measured(curves)
        looks = curve_looks(curves, context.used)
        inks = [palette.tone(tone) for tone, _ in looks]
        whole = whole_axis(curves, context)
        sides = self.between(name, curves) if context.between else None
        named = _legend(canvas, curves, looks, context, sides, palette) if context.legend else None
        used = 0 if named is None else named.rows
        body = canvas.part(0, used, canvas.columns, canvas.rows - used)
        if named is not None:
            named.paint(canvas, palette)
        if whole is None:
            paint_unseen(body, _LABEL, context, palette, empty=True)
            return None
        cursor = here(context, context.t) if curves[0].along is None else _place_now(curves)
        part = self._part(name, whole, curves, body, context, cursor)
        self.zooms.painted(name, part or whole, whole)
        phases = False
        if part is not None and body.rows >= TALL:
            phases = _shows_phases(part, body, curves, context)
            below = int(phases)
            if not context.thick:  # in a hall there is room for one thing
                self._paint_below(name, body, curves[0], inks[0], part, whole, context, palette)
                below += ROWS - 1
            body = body.part(0, 0, body.columns, body.rows - below)
        if body.columns < LEAST[0] or body.rows < LEAST[1]:
            sides = None
        kept = self._drawn(name, _Asked(curves, inks, body.columns, body.rows, context, part or whole, sides, palette))
        if kept.chart is None and name in self.zooms:  # nothing was measured there
            self.zooms.forget(name)
            return self.paint(canvas, name, curves, context, palette)
        if kept.chart is None:
            paint_unseen(body, _LABEL, context, palette, empty=True)
            paint_axis_name(body, body.rows - 1, context.axis, palette.dim)
            return None
        cursor = cursor if (part or whole).holds(cursor) else math.nan
        shapes = [glyph if len(curves) > 1 or not context.legend else "●" for _, glyph in looks]
        same = self.hidden_marks = self._put(body, kept, curves, shapes, inks, cursor, context, palette)
        if named is not None and same:
            named.paint(canvas, palette, same, {i for i, j in same.items() if equal(curves[i].now, curves[j].now)})
        foot = used + body.rows
        if phases and context.phase is not None:
            paint_phases(canvas.part(0, foot, canvas.columns, 1), kept.chart, context.t, context.phase, palette)
        paint_reading(canvas, (used, foot - 1), kept.chart, curves, shapes, context, palette)
        return kept.chart

    def _put(
        self,
        body: Canvas,
        kept: _Drawn,
        curves: list[CurveNow],
        shapes: list[str],
        inks: list[int],
        cursor: float,
        context: ChartContext,
        palette: Palette,
    ) -> dict[int, int]:
        """Put the chart with each curve's mark, and what is between them under it; returns the curves whose marks have
        no place, each with that whose mark is there."""
        assert kept.chart is not None
        past = later(kept.chart, curves, here(context, context.t), context.t)
        marks = [
            _mark_of(c, shape, ink, kept.chart.x_axis, context, palette) for c, shape, ink in zip(curves, shapes, inks)
        ]
        rows = body.rows if kept.below is None else body.rows - BETWEEN_ROWS + 1
        plot = body.part(0, 0, body.columns, rows)
        unsaid = context.seen is not None  # what comes is not drawn: what is weaker was seen
        same = put(plot, kept.chart, cursor, past, palette, marks, _log(curves, context), named=not unsaid)
        paint_unseen(plot, kept.chart.left, context, palette)
        put_breaks(plot, kept.chart, breaks_of(curves, context), palette)
        lowest = kept.chart
        if kept.below is not None and kept.gap is not None:
            strip = body.part(0, rows - 1, body.columns, BETWEEN_ROWS)
            lowest = kept.below
            signs = " - ".join(shapes if kept.upper_first else shapes[::-1])
            paint_between(strip, kept.below, kept.gap, signs, kept.touched, cursor, past, palette, to_come=not unsaid)
            body = strip.part(0, 1, strip.columns, strip.rows - 1)
        along_steps = context.coordinate is None and curves[0].along is None
        if along_steps and math.isfinite(cursor) and lowest.x_axis != steps_up_to(context.last):
            put_step(body, lowest, context.t, palette)
        paint_axis_name(body, body.rows - 1, context.axis, palette.dim)
        return same

    def _drawn(self, name: str, asked: _Asked) -> _Drawn:
        """Draw the chart, and what is between its curves; what was drawn is kept until something of it changes."""
        held, key = self._kept.get(name), asked.key
        if held is None or held[0] != key:
            held = self._kept[name] = (key, asked.drawn())
        kept = held[1]
        if asked.sides is None or kept.gap is None:
            return kept
        return replace(kept, gap=asked.sides.curve(kept.gap.curve.log))

    def _part(
        self, name: str, whole: XAxis, curves: list[CurveNow], body: Canvas, context: ChartContext, cursor: float
    ) -> XAxis | None:
        """Choose the part that is seen, None for all: that which was chosen, or the steps around the cursor."""
        part = self.zooms.part(name, whole, cursor)
        if part is not None:
            self._windows[name] = None
            return part
        near = self._window(name, curves, body, context)
        return None if near is None else replace(near.x_axis, upto=whole.upto)

    def _window(self, name: str, curves: list[CurveNow], body: Canvas, context: ChartContext) -> Window | None:
        """Choose the steps that are seen, None for all: what has a variable of its own, or little room, is whole."""
        self.barred[name] = _why_whole(curves, body, context)
        if self.barred[name]:
            self._windows[name] = None
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

    def _paint_below(
        self,
        name: str,
        body: Canvas,
        curve: CurveNow,
        ink: int,
        part: XAxis,
        whole: XAxis,
        context: ChartContext,
        palette: Palette,
    ) -> None:
        """Paint the whole run under the part of it that is seen."""
        strip = body.part(0, body.rows - ROWS + 1, body.columns, 2)
        ends = [text for _, text in whole.ticks(1)[:2]]
        ends = ends if whole.upto >= whole.last else [ends[0], ""]
        room = strip.part(0, 0, strip.columns - width_of(ends[1]) - 1, 2)
        columns, log, (line,) = room.columns - _LABEL, _log([curve], context), lines_of([curve], [ink], context)
        key = (columns, whole, log, palette.name, ink, _mark(curve), hash(line.x.tobytes()))
        held = self._wholes.get(name)
        if held is None or held[0] != key:
            held = self._wholes[name] = (key, whole_line(columns, line, whole, log, palette))
        more = curve.along is None and len(curve.t) > 0 and int(curve.t[-1]) > context.last or context.seen is not None
        paint_whole(room, held[1], part, whole, palette, _LABEL, ends[0], "seen" if more else "all")
        strip.text(strip.columns - width_of(ends[1]), 1, ends[1], palette.dim)


def _why_whole(curves: list[CurveNow], body: Canvas, context: ChartContext) -> str:
    """Say why the whole of a chart is shown, whatever was chosen; "" where the cursor can be followed."""
    if any(c.along is not None for c in curves) or context.coordinate is not None:
        return "from near a chart is seen along the steps; j chooses these"
    if body.rows < TALL:
        return "there is no room to show a chart from near"
    if window(context.t, context.last, body.columns - _LABEL, None) is None:
        return "the run is so short that all of it is seen from near"
    return ""


def _measured(curves: list[CurveNow]) -> list[CurveNow]:
    """Leave out the curves that were never measured, which say nothing; of nothing else there is the first."""
    return [c for c in curves if c.t.size] or curves[:1]


def _log(curves: list[CurveNow], context: ChartContext) -> bool:
    """Tell whether the values are logarithmic."""
    return curves[0].curve.log if context.log is None else context.log


def _shows_phases(part: XAxis, body: Canvas, curves: list[CurveNow], context: ChartContext) -> bool:
    """Tell whether there is room for the phase of each step under a part of the run."""
    along_steps = curves[0].along is None and context.coordinate is None and context.phase is not None
    return along_steps and has_phases(part, body.columns - _LABEL)


def _legend(
    canvas: Canvas,
    curves: list[CurveNow],
    looks: list[Look],
    context: ChartContext,
    sides: Between | None,
    palette: Palette,
) -> Legend:
    """Lay out each curve's mark, name and value, from which step on it is held, and what is between two sides where
    there is no room for its curve."""
    entries = []
    for curve, (tone, glyph) in zip(curves, looks):
        value = number(curve.now) if measured(curve, context.t) else "–"
        name = curve.curve.name if len(curves) > 1 else curve.curve.formula or curve.curve.name
        shape = glyph if len(curves) > 1 else "━"
        entries.append(Entry(shape, palette.tone(tone), name, value, curve.held_from is not None))
    remarks = []
    if sides is not None and canvas.columns < LEAST[0]:
        texts = ["–"] if math.isnan(sides.now) else [number(sides.now), number(sides.now, 2)]
        value = next((text for text in texts if width_of(text) <= _BETWEEN), texts[-1])
        remarks.append(Remark(f"between {value}", palette.accent, width_of("between ") + _BETWEEN))
    if any(has_holes(curve) for curve in curves):
        remarks.append(held_remark(curves, context.last, palette, canvas.rows))
    signs = canvas.rows <= _SIGNED or len(curves) >= _MANY
    return legend(entries, remarks, canvas.columns, _lines(canvas.rows), signs, canvas.rows // 2)


def _lines(rows: int) -> int:
    """Count the lines that a legend may take of a chart's rows."""
    return max(rows // _LEGEND, min(_LEGEND, rows - _PLOT), 1)


def _mark_of(curve: CurveNow, shape: str, ink: int, x_axis: XAxis, context: ChartContext, palette: Palette) -> Mark:
    """Choose where a curve's mark stands: at the cursor, dim where the value is one of before; not out of sight."""
    at, since = curve.here, math.nan
    if curve.along is None:
        at = here(context, curve.here if math.isfinite(curve.here) else context.t)
        since = here(context, curve.held_from) if curve.held_from is not None else since
    weak = curve.held_from is not None and curve.along is None
    return Mark(at if x_axis.holds(at) else math.nan, curve.now, shape, ink, since=since, weak=weak)


def curve_looks(curves: list[CurveNow], used: frozenset[int]) -> list[Look]:
    """Choose tone and shape of each curve: its own where it declares one, else such as nothing on the stage has."""
    own = frozenset(c.curve.tone for c in curves if isinstance(c.curve.tone, int))
    free = iter(looks_of(len(curves), used | own))
    looks: list[Look] = []
    for tone in (c.curve.tone for c in curves):
        shape = tone if isinstance(tone, int) else next(free)
        looks.append((shape if tone is None else tone, GLYPHS[shape]))
    return looks


def looks_of(count: int, used: frozenset[int]) -> list[int]:
    """Choose a tone, a colour with its shape, for each curve: those first that nothing on the stage has."""
    order = [tone for tone in range(len(GLYPHS)) if tone not in used] + sorted(used)
    return [order[i % len(order)] for i in range(count)]


def _place_now(curves: list[CurveNow]) -> float:
    """Choose where the cursor stands among curves along a variable: at one measured at this step, if there is any."""
    return next((c.here for c in curves if c.held_from is None and math.isfinite(c.here)), curves[0].here)


def measured(curve: CurveNow, t: int) -> bool:
    """Tell whether the curve has a value at step t, be it NaN; not before it is first measured."""
    return not math.isnan(curve.now) or (bool(curve.t.size) and float(curve.t[0]) <= t)


def _mark(curve: CurveNow) -> tuple[object, ...]:
    """Fingerprint a curve: changes when it does."""
    x = b"" if curve.along is None else curve.along.x.tobytes()
    return (curve.curve.name, hash(curve.t.tobytes()), hash(curve.values.tobytes()), hash(x), curve.breaks)
