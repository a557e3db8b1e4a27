"""A theorem, opened; and what holds on average, worked out beside the screen from when it is opened."""

from typing import ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from algorithms.playback.cursor.player import Player
from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.theorems.expecting import Expecting
from algorithms.playback.theorems.page import TheoremPage, theorem_page
from tui.screens.stage.base import StageBase
from tui.widgets.column import Side
from tui.widgets.header import how_far

_MOMENT = 0.25  # seconds between two looks at the numbers of expectations


class Theorems(StageBase):
    """Opening a theorem: its numbers, what its letters mean, what it rests on and its proof."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open_theorem", "open a theorem")]

    def __init__(self, loaded: LoadedRun, at: int = 0, player: Player | None = None):
        super().__init__(loaded, at, player)
        self._expecting = Expecting()

    def on_mount(self) -> None:
        self.set_interval(_MOMENT, self._take_expectations)

    def on_unmount(self) -> None:
        self._expecting.cancel()

    def with_expectations(self, picture: Picture) -> Picture:
        """Add to the theorems what holds on average, as far as it was worked out."""
        expected = self._expecting.verdicts(self.player.timeline)
        return replace(picture, verdicts=(*picture.verdicts, *expected)) if expected else picture

    def _take_expectations(self) -> None:
        """Take the numbers that have come, and show them."""
        if self._expecting.take():
            from tui.screens.theorem import TheoremScreen

            self.redraw()
            if isinstance(self.app.screen, TheoremScreen):
                self.app.screen.show_again()

    def action_open_theorem(self, index: int | None = None) -> None:
        """Show a theorem on a screen of its own; the arrows go on stepping there."""
        if not self.loaded.algorithm.theorems:
            self.refuse("no theorem is stated for this one")
            return
        from tui.screens.theorem import TheoremScreen

        self.pause()
        offered = self.theorem_in_hand() if index is None else None
        first = offered if offered is not None else index or 0

        def closed(left: int | None) -> None:
            """Keep what the page was left at, unless that is what was offered: then nobody chose it."""
            if left is not None and left != offered and left < len(self.player.timeline.algorithm.theorems):
                self.choose_theorem(left)
            self.redraw()

        self.app.push_screen(TheoremScreen(self._page, self._step_on, first), closed)

    def _page(self, index: int) -> TheoremPage:
        run = self.player.timeline
        if index >= len(run.algorithm.theorems):
            self._expecting.begin(run, index - len(run.algorithm.theorems))
        return theorem_page(run, self.player.frame, index, self._expecting)

    def _step_on(self, by: int) -> str:
        """Go so many steps on or back, and say which step that is."""
        player = self.player
        if by:
            player.step(by)
            player.work(0.2)
        return f"step {player.t:,} of {player.timeline.last:,}{how_far(player.timeline, player.t)}"

    def on_side_opened(self, message: Side.Opened) -> None:
        """Open the theorem that was clicked."""
        self.action_open_theorem(message.theorem)
