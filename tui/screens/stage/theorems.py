"""A theorem, opened."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.playback.theorem_page import TheoremPage, theorem_page
from tui.screens.stage.base import StageBase
from tui.screens.theorem import TheoremScreen
from tui.widgets.side import Side


class Theorems(StageBase):
    """Opening a theorem: its numbers, what its letters mean, what it rests on and its proof."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open_theorem", "open a theorem")]

    def action_open_theorem(self, index: int = 0) -> None:
        """Show a theorem on a screen of its own; the arrows go on stepping there."""
        if not self.loaded.algorithm.theorems:
            self.tell("no theorem is stated for this one")
            return
        self.pause()
        self.app.push_screen(TheoremScreen(self._page, self._step_on, index), lambda _: self.redraw())

    def _page(self, index: int) -> TheoremPage:
        return theorem_page(self.player.timeline, self.player.frame, index)

    def _step_on(self, by: int) -> str:
        """Go so many steps on or back, and say which step that is."""
        player = self.player
        if by:
            player.step(by)
            player.work(0.2)
        ended = ", ended" if player.timeline.stopped else " so far"
        return f"step {player.t:,} of {player.timeline.last:,}{ended}"

    def on_side_opened(self, message: Side.Opened) -> None:
        """Open the theorem that was clicked."""
        self.action_open_theorem(message.theorem)
