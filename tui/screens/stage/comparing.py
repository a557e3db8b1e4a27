"""This run beside others."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from algorithms.data.text import clean
from algorithms.playback.compared_run import ComparedRun
from algorithms.timeline import Timeline
from tui.screens.choose_runs import ChooseRuns
from tui.screens.compare import CompareScreen
from tui.screens.stage.base import StageBase


class Comparing(StageBase):
    """This run beside others."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "compare", "compare: two runs or more side by side"),
        Binding("C", "choose_runs", "choose the runs to compare"),
    ]

    def action_compare(self) -> None:
        """Two runs that there are stand beside each other at once; else it is asked which."""
        entrants = self._entrants()
        if len(entrants) == 2:
            self._pause()
            self._compare(entrants)
        else:
            self.action_choose_runs()

    def action_choose_runs(self) -> None:
        self._pause()
        like = replace(self.in_hand, data=self.player.timeline.data)
        self.app.push_screen(ChooseRuns(like, self._entrants()), self._compare)

    def _pause(self) -> None:
        self.player.cancel()
        self._show_progress()

    def _entrants(self) -> list[ComparedRun]:
        """The runs there are, the one in hand first."""
        runs = sorted(self.branches.all, key=lambda branch: branch is not self.branch)
        return [ComparedRun(clean(branch.name) if len(runs) > 1 else "", branch.timeline) for branch in runs]

    def _compare(self, entrants: Sequence[ComparedRun] | None) -> None:
        if entrants:
            self.when_free(lambda: self._open(entrants))

    def _open(self, entrants: Sequence[ComparedRun]) -> None:
        self.app.push_screen(CompareScreen(entrants, self.player.t, self.player.pace), self._compared)

    def compare_with(self, others: Sequence[Timeline]) -> None:
        """The run in hand beside others."""
        self._compare([*self._entrants()[:1], *(ComparedRun("", run) for run in others)])

    def _compared(self, _nothing: None) -> None:
        """The run may have gone on meanwhile."""
        self.redraw()
