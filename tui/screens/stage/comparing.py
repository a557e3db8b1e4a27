"""This run beside others."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms import Timeline
from tui.entrants import Entrant
from tui.screens.choose_runs import ChooseRuns
from tui.screens.compare import CompareScreen
from tui.screens.stage.base import StageBase


class Comparing(StageBase):
    """This run beside others."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("c", "compare", "compare with other runs, side by side")]

    async def action_compare(self) -> None:
        """Open two runs that there are at once; else ask which."""
        self.player.play(False)
        self.player.cancel()
        await self.workers.wait_for_complete()  # no thread works on the run while others look at it
        self._show_progress()
        self.app.push_screen(ChooseRuns(self.opened, self._entrants()), self._compare)

    def _entrants(self) -> list[Entrant]:
        """The runs there are, the one in hand first."""
        return [Entrant("", self.player.timeline)]

    def _compare(self, entrants: Sequence[Entrant] | None) -> None:
        if entrants:
            self.app.push_screen(CompareScreen(entrants, self.player.t, self.player.pace), self._compared)

    def compare_with(self, others: Sequence[Timeline]) -> None:
        """This run beside others."""
        self._compare([*self._entrants()[:1], *(Entrant("", run) for run in others)])

    def _compared(self, _nothing: None) -> None:
        """The run may have gone on meanwhile."""
        self.redraw()
