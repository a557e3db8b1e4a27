"""A theorem of the run in hand, opened; all runs go on stepping there."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.playback.comparison.compared_run import LETTERS, ComparedRun
from algorithms.playback.runs.run_session import RunSession
from algorithms.playback.theorems.expecting import Expecting
from algorithms.playback.theorems.page import TheoremPage, theorem_page
from tui.screens.compare.returning import Returning
from tui.screens.theorem import TheoremScreen
from tui.widgets.header import how_far

_MOMENT = 0.25  # seconds between two looks at the numbers of expectations


class Theorems(Returning):
    """Opening a theorem of the run in hand: its numbers, what its letters mean, what it rests on and its proof."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open_theorem", "open a theorem of the run in hand")]

    def __init__(self, session: RunSession, compared: Sequence[ComparedRun]):
        super().__init__(session, compared)
        self._expecting = Expecting()

    def on_mount(self) -> None:
        self.set_interval(_MOMENT, self._take_expectations)

    def on_unmount(self) -> None:
        self._expecting.cancel()

    def _take_expectations(self) -> None:
        if self._expecting.take() and isinstance(self.app.screen, TheoremScreen):
            self.app.screen.show_again()

    async def action_open_theorem(self) -> None:
        """Show a theorem on a screen of its own, when no thread works on a run any more."""
        if not self.compared[self.current].timeline.algorithm.theorems:
            self.refuse(f"no theorem is stated for {LETTERS[self.current]}")
            return
        await self.rest()
        offered = self.theorem_in_hand()

        def closed(left: int | None) -> None:
            """Keep what the page was left at, where it is another theorem than it was opened at."""
            stated = self.compared[self.current].timeline.algorithm.theorems
            if left is not None and left != offered and left < len(stated):
                self.choose_theorem(left)
            self.redraw()

        self.app.push_screen(TheoremScreen(self._page, self._step_all, offered), closed)

    def _page(self, index: int) -> TheoremPage:
        player = self.together.lanes[self.current].player
        run = player.timeline
        if index >= len(run.algorithm.theorems):
            self._expecting.begin(run, index - len(run.algorithm.theorems))
        return theorem_page(run, player.frame, index, self._expecting)

    def _step_all(self, by: int) -> str:
        """Take all runs a step on or back, and say which step of the one in hand that is."""
        if by:
            self.together.step(by)
            self.together.work_all(0.2)
        player = self.together.lanes[self.current].player
        run = player.timeline
        return f"{LETTERS[self.current]}   step {player.t:,} of {run.last:,}{how_far(run, player.t)}"
