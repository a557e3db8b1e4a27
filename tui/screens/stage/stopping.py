"""Stopping where it matters: breakpoints, the last change of a number, and where two runs first differ."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.playback.pictures.viewer import Picture
from algorithms.timeline import conditions
from algorithms.timeline.branches import Branch
from tui.screens.stage.base import StageBase
from tui.widgets.column import Column
from tui.widgets.stage import Stage


class Stopping(StageBase):
    """Stopping where it matters: breakpoints, the last change of a number, and where two runs first differ."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "breakpoints", "breakpoints"),
        Binding("right_square_bracket", "to_stop(True)", "on to a breakpoint"),
        Binding("left_square_bracket", "to_stop(False)", "back to a breakpoint"),
        Binding("y", "last_change", "when it last changed"),
        Binding("D", "first_difference", "where two runs differ"),
    ]

    def pick_what_stopped(self, picture: Picture, before: Picture | None) -> None:
        """Have the row picked of which a breakpoint speaks that holds at this step."""
        watch, t = self.player.watch, picture.frame.t
        if watch is not None and t in watch.hits and (before is None or before.frame.t != t):
            row = watch.row(t)
            if row is not None:
                self.query_one(Stage).pick(row)

    def action_breakpoints(self) -> None:
        self.pause()
        self.session.when_free(self._ask_breakpoints)

    def _ask_breakpoints(self) -> None:
        from tui.screens.breakpoints import Breakpoints

        session = self.session
        asking = Breakpoints(session.breakpoints, self.player.timeline, session.arm)
        self.app.push_screen(asking, lambda _: self.redraw())

    def action_to_stop(self, forward: bool) -> None:
        self.session.go_to_breakpoint(forward)

    def action_last_change(self) -> None:
        self.pause()
        self.session.when_free(self._ask_last_change)

    def _ask_last_change(self) -> None:
        from tui.screens.last_change import LastChange

        self.app.push_screen(LastChange(self.player.timeline, self.player.frame), self._go_to_change)

    def _go_to_change(self, condition: conditions.Condition | None) -> None:
        if condition is not None:
            self.session.go_to_last_change(condition)

    def on_column_asked(self, message: Column.Asked) -> None:
        """Go to the last change of a field whose row was clicked."""
        self.session.go_to_last_change_of(message.field)

    def action_first_difference(self) -> None:
        from tui.screens.other_run import OtherRun

        others = self.session.others
        if not others:
            self.tell("there is one run; f makes a second one, and D tells where the two first differ")
        elif len(others) == 1:
            self._go_to_difference(others[0])
        else:
            self.pause()
            self.app.push_screen(OtherRun(others), self._go_to_difference)

    def _go_to_difference(self, other: Branch | None) -> None:
        if other is not None:
            self.session.go_to_difference(other)
