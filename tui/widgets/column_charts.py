"""The charts in the column beside the stage: how they are looked at, and what the mouse does on them."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import numpy as np
from msgspec.structs import replace

from algorithms.playback.cursor.coordinates import Coordinate
from algorithms.playback.pictures.viewer import CurveNow, Picture
from tui.paint.canvas import Canvas, fitted, width_of
from tui.sections.charts.axis import GUTTER
from tui.sections.charts.curves import ChartContext, Charts, curve_looks, step_at
from tui.sections.charts.gap import related
from tui.sections.charts.zooms import Zooms
from tui.sections.column.frame import first_taken, headed, inside, room_for_note
from tui.sections.column.layout import Slot
from tui.widgets.chart_mouse import ChartMouse, DrawnChart

Along = Literal["own", "step", "iteration", "time"]  # "own": a curve's variable where it has one, else the steps
_OUT_OF_SIGHT = "there is no chart on the screen: 1 shows the curves"
_ROWS = 8  # of a chart with its frame, and one more for each curve


class SideChart(DrawnChart, frozen=True, eq=False):
    """A chart in the column: its place there, and what it shows."""

    slot: Slot
    curves: list[CurveNow]
    context: ChartContext

    def step(self, x: int) -> int:
        """Find the step at a column of the widget."""
        return step_at(self.chart, self.curves, x - self.left, self.context)


class ColumnCharts(ChartMouse):
    """Paints the charts of a picture; the wheel zooms them, dragging pans, hovering reads.

    Attributes:
        coordinate: what stands along charts in place of the steps, None for those.
    """

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self.coordinate: Coordinate | None = None
        self.lecture = False  # whether one chart is all that is shown, for a hall
        self._picture: Picture | None = None
        self._last = 0
        self._seen: int | None = None  # the step up to which the run is to be seen, None where all of it is
        self._phase: Callable[[int], str] | None = None  # what each step was
        self._charts = Charts(self.zooms)
        self._chart = 0  # the one in hand
        self._along: Along = "own"
        self._logs: dict[str, bool] = {}  # charts whose values are logarithmic, or not, by hand
        self._drawn: list[SideChart] = []
        self._in_sight: set[int] = set()  # charts that were painted last, by number, also where nothing was drawn
        self._related: frozenset[str] = frozenset()  # charts of which a theorem relates the curves
        self._tones_in_use: frozenset[int] = frozenset()  # tones that were on the stage: curves do not change theirs

    # How they are looked at

    @property
    def along(self) -> Along:
        """Get what stands along the charts."""
        return self._along

    @along.setter
    def along(self, along: Along) -> None:
        self._along, self._pointer = along, None

    def change_along(self) -> str:
        """Put something else along the charts; why that cannot be, "" where it can."""
        refused = self._not_seen
        if not refused:
            self.along = self._next_along
        return refused

    @property
    def _next_along(self) -> Along:
        """Get what stands along the chart in hand next: its own variable, steps, iterations, time."""
        curves = self._in_hand()[1]
        choices: list[Along] = list(get_args(Along))
        if not any(curve.along is not None for curve in curves):
            choices.remove("step")  # they are along the steps by themselves
        now = self._along if self._along in choices else "own"
        return choices[(choices.index(now) + 1) % len(choices)]

    @property
    def zoomed(self) -> bool:
        """Tell whether a part of a chart was chosen."""
        return bool(self.zooms)

    def follow(self) -> str:
        """Show the charts from near, following the cursor, or the whole run; why that cannot be, "" where it can."""
        barred = [self._charts.barred.get(drawn.key, "") for drawn in self._drawn]
        if all(barred) and not self.zoomed:
            return barred[0] if barred else _OUT_OF_SIGHT
        self._charts.near = not self._charts.is_near
        self.zooms.forget()
        self.redraw()
        return ""

    def switch_log(self) -> str:
        """Make the values of the chart in hand logarithmic, or not; returns what is to be said of it, "" if nothing."""
        name, curves = self._in_hand()
        if refused := self._not_seen:
            return refused
        values = np.concatenate([curve.values for curve in curves])
        values = values[np.isfinite(values)]
        if self._is_log(curves):
            self._logs[name] = False
        elif not (values > 0).any():
            return f"{name} has no logarithm: none of its values is above 0"
        else:
            self._logs[name] = True
        self.redraw()
        without = int((values <= 0).sum())
        if not self._logs[name] or not without:
            return ""
        return f"{without:,} of {len(values):,} values of {name} have no logarithm, since they are not above 0: a gap"

    def charts_start_over(self) -> None:
        """Begin anew for another algorithm."""
        self.zooms = Zooms()
        self._charts, self._chart, self._logs, self.along = Charts(self.zooms), 0, {}, "own"
        self._tones_in_use, self._related = frozenset(), frozenset()

    def kept_charts(self) -> dict[str, Any]:
        """Describe how they are looked at, in plain values."""
        kept = {"logarithmic": self._logs, "zoomed": self.zooms.kept()}
        along = {} if self._along == "own" else {"along": self._along}
        return along | {name: held for name, held in kept.items() if held}

    def restore_charts(self, kept: dict[str, Any]) -> None:
        """Look at them as it was kept, as far as that can be meant."""
        if kept.get("along") in get_args(Along):
            self.along = kept["along"]
        logs = kept.get("logarithmic")
        if isinstance(logs, dict):
            self._logs = {name: on for name, on in logs.items() if type(on) is bool}
        self.zooms.restore(kept.get("zoomed"))

    @property
    def _not_seen(self) -> str:
        """Get why nothing is to be done to the chart in hand: it is not on the screen; "" where it is."""
        count = len(self._picture.charts) if self._picture else 0
        if not count:
            return "there is no chart"
        return "" if self._chart % count in self._in_sight else _OUT_OF_SIGHT

    def _in_hand(self) -> tuple[str, list[CurveNow]]:
        """Get the chart in hand: its curves' name, and they."""
        charts = list(self._picture.charts.values()) if self._picture else []
        curves = charts[self._chart % len(charts)] if charts else []
        return (curves[0].curve.group if curves else ""), curves

    def _is_log(self, curves: list[CurveNow]) -> bool:
        return self._logs.get(curves[0].curve.group, curves[0].curve.log)

    def curve_signs(self) -> list[tuple[CurveNow, str, int]]:
        """List the curves of the charts in sight, each with its sign and its ink."""
        keys = [drawn.key for drawn in self._drawn]
        charts = [
            curves
            for name, curves in (self._picture.charts.items() if self._picture else ())
            if any(key in (name, self._key(name, self._turned(curves))) for key in keys)
        ]
        looks = [(curves, curve_looks(curves, self._tones_in_use)) for curves in charts]
        return [
            (curve, glyph if len(curves) > 1 else "━", self.palette.tone(tone))
            for curves, tones in looks
            for curve, (tone, glyph) in zip(curves, tones)
        ]

    # Painting

    def rows_wanted(self) -> tuple[int, int]:
        """Count the rows that the chart in hand wants, at least and at most."""
        name, curves = self._in_hand()
        curves = self._turned(curves)
        if curves:
            self._relate(curves)
        sides = (
            bool(curves) and name in self._related and self._charts.between(self._key(name, curves), curves) is not None
        )
        return _ROWS + max(sum(curve.t.size > 0 for curve in curves), 1), 25 if sides else 17

    def _turned(self, curves: list[CurveNow]) -> list[CurveNow]:
        """Turn curves to what stands along them."""
        return curves if self._along == "own" else [replace(c, along=None, here=math.nan) for c in curves]

    def _key(self, name: str, curves: list[CurveNow]) -> str:
        """Name a chart with what is along it: what was chosen of one axis means nothing on another."""
        along = curves[0].along
        return f"{name} along {'step' if self.coordinate is None else self._along}" if along is None else name

    def paint_chart(self, canvas: Canvas, picture: Picture, name: str, slot: Slot, count: int) -> None:
        """Paint a chart in its frame, which says what is along it, and how it is looked at."""
        self._in_sight.add(slot.index)
        curves = self._turned(picture.charts[name])
        self._relate(curves)
        self._tones_in_use |= picture.tones_in_use
        along, log = curves[0].along, self._is_log(curves)
        title = name if along is not None else curves[0].curve.group
        key = self._key(title, curves)
        pointer = None
        if self._pointer is not None and self._grab is None:
            pointer = self._pointer[0] - 1, self._pointer[1] - slot.top - 1
        context = ChartContext(
            picture.frame.t,
            self._last,
            self._tones_in_use,
            self._phase,
            self.lecture,
            log=log,
            coordinate=None if along is not None else self.coordinate,
            between=not self.lecture and curves[0].curve.group in self._related,
            pointer=pointer,
            axis=self._axis_name(curves, GUTTER),
            seen=self._seen,
            hints=slot.index == self._chart % len(picture.charts),  # one of those in sight
        )
        chart = self._charts.paint(inside(canvas), key, curves, context, self.palette)
        notes = (["zoomed, w: whole"] if key in self.zooms else []) + (
            [f"x: {slot.index + 1} of {count}"] if count > 1 else []
        )
        brief = [curves[0].curve.group] if along is not None and width_of(context.axis) <= GUTTER else []
        titles = [title, *brief]
        if along is None and context.axis != self._axis_name(curves):  # there is a brief name before the numbers
            titles = [f"{title} along {self._axis_name(curves)}"]
        self._head(canvas, titles, title if along is None else titles[-1], log, notes)
        if chart is not None:
            rows = range(slot.top + 1, slot.top + slot.rows - 1)
            self._drawn.append(SideChart(key, 1, rows, chart, slot, curves, context))

    def _axis_name(self, curves: list[CurveNow], room: int | None = None) -> str:
        """Name what stands along a chart, briefly where the name has no room."""
        along, coordinate = curves[0].along, self.coordinate
        if along is not None or coordinate is None:
            return along.name if along is not None else "step"
        return coordinate.name if room is None or width_of(coordinate.name) <= room else coordinate.brief

    def _relate(self, curves: list[CurveNow]) -> None:
        """Note that a theorem relates the curves of a chart, once it has said so: what is between others is nothing."""
        if self._picture is not None and related(curves, self._picture.verdicts):
            self._related |= {curves[0].curve.group}

    def _head(self, canvas: Canvas, titles: Sequence[str], least: str, log: bool, notes: list[str]) -> None:
        """Write title and notes over the chart, and of the titles, which are ever shorter, the first that leaves room
        for the notes; `least` where none of them has room. What has no room goes: the last note first, the name of the
        axis of the chart above as a whole, but never that the values are logarithmic."""
        taken = first_taken(canvas)
        scales = (", logarithmic", ", log") if log else ("",)

        def fitting(room: int) -> list[str]:
            named = [[title + scale for title in some for scale in scales] for some in (titles, [least])]
            return next(filter(None, ([each for each in some if width_of(each) + 4 <= room] for some in named)), [])

        chosen = fitting(taken)
        if not chosen and taken < canvas.columns - 1:
            canvas.text(1, 0, "─" * (canvas.columns - 2), self.palette.line)
            chosen = fitting(canvas.columns - 1)
        if not chosen:
            room = canvas.columns - 5 - width_of(scales[-1])
            chosen = [fitted(least, room) + scales[-1]]
        title, words = head(chosen, notes, lambda title: room_for_note(canvas, title))
        headed(canvas, title, words, self.palette)


def head(titles: Sequence[str], notes: Sequence[str], room_beside: Callable[[str], int]) -> tuple[str, str]:
    """Choose a title and the notes beside it: as many notes as can be, with the longest title that leaves room for
    them; "x: 1/5" where "x: 1 of 5" has none."""
    for count in range(len(notes), 0, -1):
        words = "   ".join(notes[:count])
        for title in titles:
            for note in (words, words.replace(" of ", "/")):
                if width_of(note) <= room_beside(title):
                    return title, note
    return titles[0], ""
