"""This run beside others."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.runs.run_session import RunSession
from algorithms.timeline import Timeline
from tui.screens.stage.base import StageBase
from tui.widgets.column import Column


class Comparing(StageBase):
    """This run beside others."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "compare", "compare two runs; back to those compared"),
        Binding("C", "choose_runs", "choose the runs to compare"),
    ]

    def action_compare(self) -> None:
        """Go back to the last comparison, with this run in it; else compare two runs that there are, or ask which."""
        from tui.screens.adding_run import add_run

        self.put_by()
        self._pause()
        session = self.session
        runs, there = session.compared_last, session.candidates
        if runs:
            add_run(self.app, runs, there[0], lambda those, _: session.when_free(lambda: self._open(those)))
        elif len(there) == 2:
            self._compare(there)
        else:
            self.action_choose_runs()

    def action_choose_runs(self) -> None:
        from tui.screens.choose_runs import ChooseRuns

        self.put_by()
        self._pause()
        like = replace(self.session.current, data=self.player.timeline.data)
        self.app.push_screen(ChooseRuns(like, self.session.candidates), self._compare)

    def _pause(self) -> None:
        self.player.cancel()
        self.show_where()

    def compare_with(self, others: Sequence[Timeline | ComparedRun]) -> None:
        """Show the current run beside others."""
        runs = (other if isinstance(other, ComparedRun) else ComparedRun("", other) for other in others)
        self._compare([*self.session.candidates[:1], *runs])

    def compare_again(self) -> None:
        """Show the last comparison, where there was one."""
        runs, notice = self.session.compared_last, self.session.notice
        if runs:
            self._open(runs)
            self.tell(notice)

    def _compare(self, runs: Sequence[ComparedRun] | None) -> None:
        """Show runs that were not compared before."""
        if runs:
            self.session.side_by_side.forget()
            self.session.when_free(lambda: self._open(runs))

    def _open(self, runs: Sequence[ComparedRun]) -> None:
        from tui.screens.compare import CompareScreen

        self.app.push_screen(CompareScreen(self.session, runs))

    def on_screen_resume(self) -> None:
        """Show one run again, when runs beside each other were left."""
        if self.app.screen is self and self.session.side_by_side.together is not None:
            self.session.show_to(self)
            self._show_session(self.session.end_comparison())

    def _show_session(self, session: RunSession) -> None:
        """Show the run in hand of a session; it may have gone on meanwhile."""
        if session is not self.session:
            self.session = session
            self.query_one(Column).start_over()
        self.redraw()
        self.act()
        self.when_there(lambda: self.tell("c goes back to the comparison"))  # or its coming would have the last word
