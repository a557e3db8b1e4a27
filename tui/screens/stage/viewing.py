"""What part of it is seen, and how large."""

from collections.abc import Callable
from time import perf_counter
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from algorithms.core import Dataset
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.runs.data_words import why_no_plane
from tui.screens.stage.base import StageBase, most_of_source, usual_rows_of_source
from tui.screens.zooming import Zooming
from tui.sections.signs import OnScreen, on_screen
from tui.widgets.column import Column
from tui.widgets.source import Source
from tui.widgets.stage import Stage


class Viewing(Zooming, StageBase):
    """What part of it is seen, and how large."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "plane", "choose the plane"),
        Binding("m", "swap", "next panel on the stage"),
        Binding("t", "table", "the next table or panel"),
        Binding("pagedown", "scroll_table(1)", "further rows of the table"),
        Binding("pageup", "scroll_table(-1)", "earlier rows of the table"),
        Binding("greater_than_sign", "pan_table(1)", "further columns of the table"),
        Binding("less_than_sign", "pan_table(-1)", "earlier columns of the table"),
        Binding("x", "chart", "the next chart"),
        Binding("W", "follow", "charts from near, following the cursor, or the whole run"),
        Binding("1", "section(1)", "curves alone, or all"),
        Binding("2", "section(2)", "theorems alone, or all"),
        Binding("3", "section(3)", "the 1st panel alone, or all"),
        Binding("4", "section(4)", "the 2nd panel alone, or all"),
        Binding("5", "section(5)", "the 3rd panel alone, or all"),
        Binding("6", "section(6)", "the 4th panel alone, or all"),
        Binding("7", "section(7)", "the 5th panel alone, or all"),
        Binding("s", "source", "more source, none, usual"),
    ]

    def signs_now(self) -> OnScreen:
        stage, column = self.query_one(Stage), self.query_one(Column)
        if self.picture is None:
            return OnScreen({})
        return on_screen(
            self.player.timeline,
            self.picture,
            stage.plot,
            column.curve_signs(),
            stage.palette,
            column.tabs,
            hides=self.player.seen is not None,
        )

    def action_swap(self) -> None:
        if self.picture is not None:
            drawn = 1 + sum(1 for _, shown in self.picture.beside if hasattr(shown, "marks"))
            self.viewer.next_stage(drawn)
            self.redraw()

    def action_table(self) -> None:
        self.refuse(self.query_one(Column).next_panel())

    def action_scroll_table(self, by: int) -> None:
        self.refuse(self.query_one(Column).scroll_table(by))

    def action_pan_table(self, by: int) -> None:
        self.refuse(self.query_one(Column).pan_table(by))

    def action_source(self) -> None:
        """Go on to more rows, to none where there were some, and to the usual ones."""
        if not self.query_one(Source).display:
            self.refuse("the source has no room in a hall, nor beside a lesson or a question")
            return
        height = self.size.height
        most = most_of_source(height)
        order = [most, 0, None] if usual_rows_of_source(height) else [*sorted({min(6, most), most}), None]
        now = None if self._source_rows is None else min(self._source_rows, most)
        at = order.index(now) if now in order else len(order) - 1
        self._source_rows = order[(at + 1) % len(order)]
        self.remembered.note(source=self._source_rows)
        self.on_resize()

    def change_limits(self, change: Callable[[Limits], Limits]) -> None:
        plot = self.query_one(Stage).plot
        if plot is not None and self.picture is not None:
            self._chart_last = False
            self.viewer.choose_limits(self.picture.stage.title, change(plot.limits))
            self.redraw()

    def action_fit(self) -> None:
        """Show the whole again of what was zoomed last, the stage or charts; then of the other."""
        if self.picture is None:
            return
        column, title = self.query_one(Column), self.picture.stage.title
        if column.zoomed and (self._chart_last or not self.viewer.zoomed(title)):
            column.show_whole()
        else:
            self.viewer.choose_limits(title, None)
            self.redraw()
        self._chart_last = not self._chart_last

    def on_stage_zoomed(self, message: Stage.Zoomed) -> None:
        self._chart_last = False
        self.viewer.choose_limits(message.title, message.limits)
        self.redraw(moving=True)
        self._moved = perf_counter()

    def action_plane(self) -> None:
        from tui.screens.choose_plane import ChoosePlane

        if self.loaded.data.d < 2:
            self.refuse(why_no_plane(self.loaded.data))
            return
        data = self.loaded.data
        chooser = ChoosePlane(data, self.viewer.planes, self.viewer.plane)
        self.app.push_screen(chooser, lambda plane: self._use_plane(plane, data))

    def _use_plane(self, plane: Any, data: Dataset) -> None:
        if plane is not None and self.loaded.data is data:  # a file may have been loaded again since it was asked
            self.viewer.choose_plane(plane)
            self.redraw()
