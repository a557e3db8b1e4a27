"""This run beside others."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType

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
        """Compare two runs that there are, or those of the comparison before, at once; else ask which."""
        runs = self.session.compared_last or self.session.candidates
        if self.session.compared_last or len(runs) == 2:
            self._pause()
            self._compare(runs)
        else:
            self.action_choose_runs()

    def action_choose_runs(self) -> None:
        self._pause()
        like = replace(self.session.current, data=self.player.timeline.data)
        self.app.push_screen(ChooseRuns(like, self.session.candidates), self._compare)

    def _pause(self) -> None:
        self.player.cancel()
        self._show_progress()

    def compare_with(self, others: Sequence[Timeline]) -> None:
        """Show the current run beside others."""
        self._compare([*self.session.candidates[:1], *(ComparedRun("", run) for run in others)])

    def _compare(self, runs: Sequence[ComparedRun] | None) -> None:
        if runs:
            self.session.when_free(lambda: self._open(runs))

    def _open(self, runs: Sequence[ComparedRun]) -> None:
        self.app.push_screen(CompareScreen(self.session, runs), self._compared)

    def _compared(self, _nothing: None) -> None:
        """Show one run again; it may have gone on meanwhile."""
        self.session.audience = self
        self.session.end_comparison()
        self.redraw()
