"""A curve of several runs on one chart, and their numbers in one table."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from textual import events

from algorithms.core import Array
from algorithms.playback.comparison.alignment import Axis
from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.playback.comparison.earlier import Spoken
from algorithms.playback.comparison.matching import Matching
from algorithms.playback.comparison.objectives import Objectives
from algorithms.playback.pictures.viewer import CurveNow, Picture
from algorithms.timeline.series import broken
from tui.paint.axes import framed
from tui.paint.canvas import Canvas
from tui.paint.charts import Chart
from tui.paint.x_axis import around, steps_up_to
from tui.sections.charts import edge as chart_edge
from tui.sections.charts.curves import step_at
from tui.sections.charts.overlay import Abscissa, Charted, Overlay, Series, curves_of, pages, variable_of
from tui.sections.charts.window import Window, window
from tui.sections.comparison.data import OtherData, data_rows
from tui.sections.comparison.fields import Fields, StateNow
from tui.sections.comparison.numbers import paint_numbers, paint_table
from tui.widgets.chart_mouse import ChartMouse, DrawnChart
from tui.widgets.seeking import PlaceSought

_MOST_PAGES = 10_000
_BESIDE = 2 + 8 + chart_edge.COLUMNS  # columns of a chart's frame, of its labels and of the values at its edge
Along = Callable[[int, CurveNow], tuple[Array, Array]]  # a run's curve against the common axis


class Standing(Struct, frozen=True):
    """How runs stand to each other besides what their pictures show.

    Attributes:
        held: those that have ended before the cursor and hold their last state.
        ends: the last step of each, None of one that goes on.
        reference: which one the others' fields are held against.
        first: the step at which they were found to differ first, None where that is not known.
        data: the data of each, () where they do not differ.
        own_axes: whether a stage has axes that another has not.
        whole, now: what their objectives depend on, of the runs as they go on and at the steps that are shown.
    """

    held: frozenset[int] = frozenset()
    ends: tuple[int | None, ...] = ()
    reference: int = 0
    first: int | None = None
    data: tuple[OtherData, ...] = ()
    own_axes: bool = False
    whole: Objectives = Objectives()
    now: Objectives = Objectives()


class RunsChart(DrawnChart, frozen=True, eq=False):
    """A chart of several runs' curves, by run."""

    curves: dict[int, CurveNow]


class ChartAndNumbers(ChartMouse):
    """Shows the chart, the table, or both beside each other.

    Attributes:
        table: which table: that of the numbers, or that of the fields of the states.
        own: whether curves that have a variable of their own are drawn along it.
        near: whether the cursor is followed from near, a few columns a step.
    """

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._drawn: list[RunsChart] = []
        self._pictures: Sequence[Picture] = ()
        self._axis: Axis | None = None
        self._along: Along | None = None
        self._overlays = [Overlay() for _ in LETTERS]
        self._page = 0
        self._parts: tuple[str, ...] = ("chart", "numbers")
        self._note = ""
        self._spoken: Sequence[Sequence[Spoken | None]] = ()
        self._matching: Matching | None = None
        self._first = self._last = 0  # the first row of the table that is shown, and the greatest that it can be
        self._stacked = False
        self._short = False  # whether all steps have the room that they have from near
        self._standing, self._fields = Standing(), Fields()
        self.table: Literal["numbers", "fields"] = "numbers"
        self.own, self.near = True, False
        self._window: Window | None = None
        self._logarithmic: dict[str, bool] = {}  # by a curve's name, where that was chosen
        self._corner = (0, 0)  # the first column and row of the table

    @property
    def thick(self) -> bool:
        """Tell whether curves are two dots thick, for a hall."""
        return self._overlays[0].thick

    @thick.setter
    def thick(self, thick: bool) -> None:
        for overlay in self._overlays:
            overlay.thick = thick

    @property
    def stale(self) -> bool:
        """Tell whether the chart is older than its curves."""
        return any(overlay.stale for overlay in self._overlays)

    def show(
        self,
        pictures: Sequence[Picture],
        axis: Axis,
        along: Along,
        spoken: Sequence[Sequence[Spoken | None]] = (),
        matching: Matching | None = None,
        standing: Standing | None = None,
    ) -> None:
        self._pictures, self._axis, self._along = pictures, axis, along
        self._spoken, self._matching, self._standing = spoken, matching, standing or Standing()
        self.redraw()

    def forget_drawn(self) -> None:
        """Draw the curves anew, since one of the runs is another."""
        for overlay in self._overlays:
            overlay.forget()

    def choose_table(self, table: Literal["numbers", "fields"]) -> None:
        """Choose the table, from its first row on."""
        self.table, self._first = table, 0

    def page(self, pictures: Sequence[Picture], objectives: Objectives) -> list[str]:
        """Name the curves that are on the chart."""
        all_pages = pages(pictures, objectives)
        return list(dict.fromkeys(one.name for one in all_pages[self._page % len(all_pages)])) if all_pages else []

    @property
    def _named(self) -> list[str]:
        return self.page(self._pictures, self._standing.whole)

    def scroll_table(self, by: int) -> bool:
        """Move the table by some rows; tell whether there was anything to move."""
        self._first = min(max(self._first + by, 0), self._last)
        self.redraw()
        return self._last > 0

    def turn(self, event: events.MouseEvent, factor: float) -> None:
        """Scroll the table under the wheel, or zoom the chart there."""
        if self._on_table(event.x, event.y):
            event.stop()
            self.scroll_table(2 if factor > 1 else -2)
        else:
            super().turn(event, factor)

    def choose(self, parts: tuple[str, ...], note: str, stacked: bool = False) -> None:
        """Choose which of "chart" and "numbers" to show, with a note of how to see more, and whether one stands under
        the other."""
        if (parts, note, stacked) != (self._parts, self._note, self._stacked):
            self._parts, self._note, self._stacked = parts, note, stacked
            self.redraw()

    def kept(self) -> dict[str, Any]:
        """Describe what is chosen, in plain values."""
        chosen = {"logarithmic": self._logarithmic, "zoomed": self.zooms.kept(), "near": self.near}
        chosen |= {"along the common axis": not self.own, "fields": self.table == "fields"}
        return {"curve": self._page} | {name: value for name, value in chosen.items() if value}

    def restore(self, kept: dict[str, Any]) -> None:
        """Choose what was kept, as far as it can be meant."""
        page, logarithmic = kept.get("curve"), kept.get("logarithmic")
        self._page = page if type(page) is int and 0 <= page < _MOST_PAGES else 0
        if isinstance(logarithmic, dict):
            self._logarithmic = {name: on for name, on in logarithmic.items() if type(on) is bool}
        self.zooms.restore(kept.get("zoomed"))
        self.near, self.own = kept.get("near") is True, kept.get("along the common axis") is not True
        self.table = "fields" if kept.get("fields") is True else "numbers"

    def bring_forward(self, name: str, pictures: Sequence[Picture], objectives: Objectives) -> None:
        """Have a curve on the chart, where a run has it."""
        named = [[one.name for one in page] for page in pages(pictures, objectives)]
        self._page = next((i for i, names in enumerate(named) if name in names), self._page)

    def next_curve(self) -> None:
        self._page += 1
        self.redraw()

    @property
    def along_own(self) -> bool:
        """Tell whether a curve on the chart is drawn along a variable of its own."""
        return any(self._variable(list(self._curves(name).values())) for name in self._named)

    def switch_log(self) -> str:
        """Make the values on the chart logarithmic, or no longer; why that cannot be, "" where it can."""
        for name in self._named:
            curves = list(self._curves(name).values())
            if not self._is_log(curves) and not any((c.values > 0).any() for c in curves):
                return f"{name} has no value above 0, so no logarithm"
            self._logarithmic[name] = not self._is_log(curves)
        self.redraw()
        return ""

    def _curves(self, name: str, runs: Sequence[int] | None = None) -> dict[int, CurveNow]:
        """Find a curve in the runs that have it, or in some of them."""
        among = range(len(self._pictures)) if runs is None else runs
        return {run: known[name] for run in among if name in (known := curves_of(self._pictures[run]))}

    def _variable(self, curves: Sequence[CurveNow]) -> str:
        """Name what curves are drawn along that is their own, "" for the common axis; before it was measured too."""
        known = any(curve.along is not None and len(curve.along.x) for curve in curves)
        return variable_of(curves) if self.own and known else ""

    def _is_log(self, curves: Sequence[CurveNow]) -> bool:
        curve = curves[-1].curve
        return self._logarithmic.get(curve.name, curve.log)

    def follow(self) -> str:
        """Show the chart from near, following the cursor, or the whole axis; why that cannot be, "" where it can."""
        if not self.near and (self.along_own or not self._is_counted):
            return "from near the chart is seen along steps or iterations; j chooses these"
        if not self.near and self._short and not self.zooms:
            return "the runs are so short that all of them is seen from near"
        self.near = not self.near
        self.show_whole()
        return ""

    @property
    def _is_counted(self) -> bool:
        """Tell whether the common axis is one of steps or iterations."""
        return self._axis is not None and self._axis.name in ("step", "iteration")

    def paint(self, canvas: Canvas) -> None:
        canvas.fill(self.palette.background)
        self._drawn = []
        if not self._pictures:
            return
        both = len(self._parts) == 2
        wide = round(canvas.columns * 0.56) if both and not self._stacked else canvas.columns
        high = round(canvas.rows * 0.52) if both and self._stacked else canvas.rows
        if "chart" in self._parts:
            self._paint_charts(canvas.part(0, 0, wide, high))
        if "numbers" in self._parts:
            self._corner = left, top = (wide if wide < canvas.columns else 0, high if high < canvas.rows else 0)
            part = canvas.part(left, top, canvas.columns - left, canvas.rows - top)
            self._last = self._paint_table(part)
            self._first = min(self._first, self._last)

    def _paint_table(self, canvas: Canvas) -> int:
        """Paint the table that was chosen; gives the last row that it can begin with."""
        standing, pictures = self._standing, self._pictures
        if self.table == "numbers":
            data = data_rows(standing.data, standing.own_axes)
            spoken, matching, ends = self._spoken, self._matching, standing.ends
            return paint_numbers(
                canvas, pictures, self._note, self.palette, spoken, matching, self._first, ends, data, standing.now
            )
        shown = [StateNow(picture.frame.t, picture.frame.state) for picture in pictures]
        rows = self._fields.rows(shown, standing.reference, standing.first)
        title = "fields of the states"
        if len(shown) > 2:
            title = f"{title}, against {LETTERS[standing.reference]}"
        note = "  ".join(filter(None, ("D: numbers", self._note)))
        return paint_table(canvas, title, rows, len(shown), note, self.palette, self._first)

    def _paint_charts(self, canvas: Canvas) -> None:
        """Paint a page of curves beside each other."""
        all_pages = pages(self._pictures, self._standing.whole)
        if not all_pages:
            framed(canvas, "curves", self._note, self.palette).text(1, 0, "no curve was measured yet", self.palette.dim)
            return
        page = all_pages[self._page % len(all_pages)]
        note = f"x: {self._page % len(all_pages) + 1} of {len(all_pages)}" if len(all_pages) > 1 else ""
        if len(self._parts) == 1:
            note = "  ".join(filter(None, (note, self._note)))
        left = 0
        for i, one in enumerate(page):
            end = canvas.columns * (i + 1) // len(page)
            piece = canvas.part(left, 0, end - left, canvas.rows)
            curves = self._curves(one.name, one.runs)
            why = "" if one.runs[0] == page[0].runs[0] else self._other(one, page[0])
            self._paint_chart(piece, left, i, curves, note if i == len(page) - 1 else "", why)
            left = end

    def _other(self, one: Charted, first: Charted) -> str:
        """Say why a curve has a chart of its own."""
        return self._standing.whole.incomparable(one.name, first.runs[0], one.runs[0]) if one.name == first.name else ""

    def _paint_chart(self, canvas: Canvas, left: int, i: int, curves: dict[int, CurveNow], note: str, why: str) -> None:
        variable, name = self._variable(list(curves.values())), next(iter(curves.values())).curve.name
        series, against = self._along_variable(curves) if variable else self._abreast(curves, canvas.columns)
        key = f"{name} along {against.name}"
        against = self._part(key, series, against)
        if key in self.zooms:
            note = "  ".join(filter(None, ("zoomed, w: whole", note)))
        log = self._is_log(list(curves.values()))
        formula = why or next((curve.curve.formula for curve in curves.values() if curve.curve.formula), "")
        title = f"{name} along {variable}" if variable else name
        title = f"{title}: {formula}" if formula and formula != name else title
        title = f"{title}, logarithmic" if log else title
        pointer = None if self._pointer is None or self._grab is not None else self._pointer[0] - left - 1
        chart = self._overlays[i].paint(canvas, title, note, series, against, log, self.palette, pointer)
        if chart is not None:
            self._drawn.append(RunsChart(key, left + 1, range(canvas.rows), chart, curves))

    def _part(self, key: str, series: Sequence[Series], against: Abscissa) -> Abscissa:
        """Choose the part of an axis that was zoomed to by hand, else what there is."""
        whole = against.x_axis if against.whole is None else against.whole
        cursor = against.cursor if math.isfinite(against.cursor) else series[0].here
        part = self.zooms.part(key, whole, cursor)
        if part is not None:
            against = replace(against, x_axis=part, whole=whole)
        self.zooms.painted(key, against.x_axis, whole)
        return against

    def _abreast(self, curves: dict[int, CurveNow], columns: int) -> tuple[list[Series], Abscissa]:
        """Place runs' curves against the common axis, or the part of it that follows the cursor."""
        assert self._axis is not None
        assert self._along is not None
        axis, series = self._axis, []
        here, standing = axis.here / axis.unit, self._standing
        for run, curve in curves.items():
            places = (self._place(run, curve, t) for t, _ in curve.breaks)
            x, values = broken(*self._along(run, curve), places)
            held, ended = run in standing.held, bool(standing.ends) and standing.ends[run] is not None
            at = min(self._place(run, curve) / axis.unit, here) if held else here
            of, since = curve.held_from, math.nan
            if of is not None:
                since = self._place(run, curve, of) / axis.unit
            series.append(Series(run, x / axis.unit, values, at, curve.now, None, 0, ended, held, of, since))
        last = max(math.ceil(axis.last / axis.unit), 1)
        whole, near = steps_up_to(last), self.near and self._is_counted
        self._short = window(round(here), last, columns - _BESIDE, None) is None
        self._window = window(round(here), last, columns - _BESIDE, self._window) if near else None
        if self._window is None:
            return series, Abscissa(axis.name, whole, here)
        return series, Abscissa(axis.name, self._window.x_axis, here, whole)

    def _along_variable(self, curves: dict[int, CurveNow]) -> tuple[list[Series], Abscissa]:
        """Place runs' curves against the variable that they share."""
        series, everywhere, name, log = [], [], "", False
        for run, curve in curves.items():
            assert curve.along is not None
            x, values, since = curve.along.line()
            t = self._pictures[run].frame.t
            series.append(Series(run, x, values, curve.here, curve.now, since, t))
            everywhere.append(x)
            name, log = curve.along.name, curve.along.log
        return series, Abscissa(name, around(np.concatenate(everywhere), log), math.nan)

    def _on_table(self, x: int, y: int) -> bool:
        return "numbers" in self._parts and x >= self._corner[0] and y >= self._corner[1]

    def on_click(self, event: events.Click) -> None:
        drawn = self.under(event)
        if isinstance(drawn, RunsChart) and not self._dragged and self._axis is not None:
            column = event.x - drawn.left
            self.post_message(PlaceSought(self._coordinate(drawn.chart, drawn.curves, column)))

    def _coordinate(self, chart: Chart, curves: dict[int, CurveNow], column: int) -> float:
        """Find the coordinate of the common axis at a column; along a variable, where the first run came there."""
        assert self._axis is not None
        if not self._variable(list(curves.values())):
            return chart.step(column) * self._axis.unit
        run, curve = next(iter(curves.items()))
        return self._place(run, curve, step_at(chart, [curve], column))

    def _place(self, run: int, curve: CurveNow, t: int | None = None) -> float:
        """Find the coordinate of the common axis at which a run came to a step, by default to that which it shows."""
        assert self._axis is not None
        assert self._along is not None
        step = self._pictures[run].frame.t if t is None else t
        x, _ = self._along(run, replace(curve, t=np.array([step]), values=np.zeros(1)))
        return float(x[0]) if len(x) else self._axis.here
