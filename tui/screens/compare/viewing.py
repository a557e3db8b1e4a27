"""What part of them is seen, and how large."""

from collections.abc import Callable
from time import perf_counter
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.pictures.viewer import Slices
from algorithms.playback.runs.data_words import why_no_plane
from tui.screens.choose_plane import ChoosePlane
from tui.screens.compare.base import VIEWS, CompareBase
from tui.screens.compare.layout import View
from tui.screens.zooming import Zooming
from tui.sections.signs import OnScreen, on_screen
from tui.widgets.chart_and_numbers import ChartAndNumbers
from tui.widgets.pane import Pane
from tui.widgets.tabs import Tabs


class Viewing(Zooming, CompareBase):
    """What part of them is seen, and how large. Runs on the same data are looked at in the same way."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "hand(1)", "take the next run in hand", priority=True),
        Binding("shift+tab", "hand(-1)", "take the run before in hand", priority=True),
        Binding("x", "curve", "the next curve"),
        Binding("W", "follow", "the chart from near, following the cursor, or the whole axis"),
        Binding("k", "log", "the chart's values logarithmic, or not"),
        Binding("t", "part", "chart or numbers"),
        Binding("pagedown", "scroll_table(5)", "further rows of the table"),
        Binding("pageup", "scroll_table(-5)", "earlier rows of the table"),
        Binding("1", "show_only('stages')", "the stages alone, or all"),
        Binding("2", "show_only('chart')", "the chart alone, or all"),
        Binding("3", "show_only('numbers')", "the numbers alone, or all"),
        Binding("m", "swap", "next panel of the run in hand"),
        Binding("v", "plane", "choose the plane"),
    ]

    def signs_now(self) -> OnScreen:
        """Say what the stage of the run in hand shows."""
        picture, stage = self.pictures[self.current], self.query_one(f"#pane-{self.current}", Pane).stage
        if picture is None:
            return OnScreen({})
        return on_screen(self.player_in_hand.timeline, picture, stage.plot, (), stage.palette)

    def action_hand(self, by: int) -> None:
        self.current = (self.current + by) % len(self.compared)
        self.show_where()

    def on_pane_taken(self, message: Pane.Taken) -> None:
        self.current = message.run
        self.show_where()

    def action_curve(self) -> None:
        if self.in_hall("curve"):
            return
        self.query_one(ChartAndNumbers).next_curve()
        self.show_where()

    def action_follow(self) -> None:
        self.refuse(self.query_one(ChartAndNumbers).follow())

    def action_log(self) -> None:
        self.refuse(self.query_one(ChartAndNumbers).switch_log())

    def action_scroll_table(self, by: int) -> None:
        now = self.layout_now
        if now.lower == 0 or "numbers" not in now.parts:
            self.refuse("the table is not on the screen: 3 shows it alone")
        elif not self.query_one(ChartAndNumbers).scroll_table(by):
            alone = self.view == "numbers"
            self.refuse(f"all rows of the table are there{'' if alone else '; 3 shows it alone'}")

    def action_part(self) -> None:
        """Show the other of chart and numbers; where there is room for one thing, the next one."""
        if self.in_hall("part"):
            return
        now = self.layout_now
        if now.tabs or self.view != "all":
            at = VIEWS.index(self.view) if self.view != "all" else 0
            self.view = VIEWS[(at + 1) % len(VIEWS)]
        elif len(now.parts) == 1:
            self.part = "numbers" if self.part == "chart" else "chart"
        else:
            self.refuse("chart and numbers are both there; 2 and 3 show one alone")
        self.share_out()

    def action_show_only(self, view: View) -> None:
        if self.in_hall(view):
            return
        self.view = "all" if view == self.view else view
        self.share_out()

    def on_tabs_chosen(self, message: Tabs.Chosen) -> None:
        self.view = VIEWS[message.tab]
        self.share_out()

    def action_swap(self) -> None:
        picture = self.pictures[self.current]
        if picture is not None and picture.drawn > 1:
            self.viewers[self.current].next_stage(picture.drawn)
            self.redraw()
        else:
            self.refuse(f"{LETTERS[self.current]} has one panel")

    def change_limits(self, change: Callable[[Limits], Limits]) -> None:
        plot = self.query_one(f"#pane-{self.current}", Pane).stage.plot
        if plot is not None:
            self._chart_last = False
            self._choose_limits(self.current, change(plot.limits))

    def action_fit(self) -> None:
        """Show the whole again of what was zoomed last, the stages or the chart; then of the other."""
        chart, picture = self.query_one(ChartAndNumbers), self.pictures[self.current]
        zoomed = picture is not None and self.viewers[self.current].zoomed(picture.stage.title)
        if chart.zooms and (self._chart_last or not zoomed):
            chart.show_whole()
        else:
            self._choose_limits(self.current, None)
        self._chart_last = not self._chart_last

    def on_pane_zoomed(self, message: Pane.Zoomed) -> None:
        self._chart_last = False
        self._choose_limits(message.run, message.limits, moving=True)
        self._moved = perf_counter()

    def _choose_limits(self, run: int, limits: Any, moving: bool = False) -> None:
        """Show the same part of the panel for all runs that have it."""
        for i, (viewer, picture) in enumerate(zip(self.viewers, self.pictures)):
            if picture is not None and self.alike(run, i):
                viewer.choose_limits(picture.stage.title, limits)
        self.redraw(moving=moving)

    def action_plane(self) -> None:
        data, viewer = self.compared[self.current].timeline.data, self.viewers[self.current]
        if data.d < 2:
            self.refuse(why_no_plane(data))
            return
        self.app.push_screen(
            ChoosePlane(data, viewer.planes, viewer.plane), lambda plane: self._use_plane(plane, viewer.slices)
        )

    def _use_plane(self, plane: Any, slices: Slices) -> None:
        """Choose the plane for all runs that are on those that it was chosen from."""
        if plane is not None:
            for viewer in self.viewers:
                if viewer.slices is slices:
                    viewer.choose_plane(plane)
            self.redraw()
