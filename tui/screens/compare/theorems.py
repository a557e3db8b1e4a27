"""A theorem of the run in hand, opened; all runs go on stepping there."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.playback.comparison.compared_run import LETTERS
from tui.screens.compare.returning import Returning
from tui.screens.expectations import Expectations
from tui.screens.theorem import TheoremScreen
from tui.widgets.header import how_far


class Theorems(Expectations, Returning):
    """Opening a theorem of the run in hand: its numbers, what its letters mean, what it rests on and its proof."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open_theorem", "open a theorem of the run in hand")]

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

        self.app.push_screen(TheoremScreen(self.theorem_page, self._step_all, offered), closed)

    def _step_all(self, by: int) -> str:
        """Take all runs a step on or back, and say which step of the one in hand that is."""
        if by:
            self.together.step(by)
            self.together.work_all(0.2)
        player = self.player_in_hand
        run = player.timeline
        return f"{LETTERS[self.current]}   step {player.t:,} of {run.last:,}{how_far(run, player.t)}"
