"""Breakpoints, which hold for all runs that they have a meaning in."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from tui.screens.breakpoints import Breakpoints
from tui.screens.compare.base import CompareBase


class Stopping(CompareBase):
    """Breakpoints, which hold for all runs that they have a meaning in."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "breakpoints", "breakpoints, for all runs"),
        Binding("right_square_bracket", "to_stop(True)", "on to a breakpoint of any"),
        Binding("left_square_bracket", "to_stop(False)", "back to a breakpoint of any"),
    ]

    async def action_breakpoints(self) -> None:
        """Ask for breakpoints, in the names of the run in hand, when no thread works on a run any more."""
        self.together.cancel()
        await self.wait_for_threads()
        run = self.compared[self.current].timeline
        asking = Breakpoints(self.session.breakpoints, run, self.session.arm)
        self.app.push_screen(asking, lambda _: self.redraw())

    def action_to_stop(self, forward: bool) -> None:
        stops = self.session.breakpoints
        if any(stop.on for stop in stops):
            self.together.stop(stops, forward)
            self.act()
        else:
            self.refuse(f"{'no breakpoint is on' if stops else 'there are no breakpoints'}; b makes one")
