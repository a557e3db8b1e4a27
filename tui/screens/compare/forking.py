"""Other futures of the run in hand, beside it: forks, edits, and runs that are not on the screen."""

from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.playback.comparison.compared_run import LETTERS, ComparedRun
from algorithms.playback.runs.branched_runs import where_forked
from algorithms.playback.runs.tried_run import tried_fork
from algorithms.timeline.branches import Branch, Change
from tui.screens.adding_run import RunsThere, add_run
from tui.screens.compare.trying import Trying
from tui.screens.fork import Fork, why_no_fork
from tui.screens.form_preview import FormPreview


class Forking(Trying):
    """Other futures of the run in hand, which come in as further runs."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "fork", "fork the run in hand from its step"),
        Binding("i", "edit", "edit data and means of the run in hand; c brings the fork here"),
        Binding("B", "runs", "all runs there are, to put one in"),
    ]

    async def action_fork(self) -> None:
        if self.is_recording():
            return
        session, branch = self.home
        refusal = why_no_fork(branch.timeline)
        if refusal:
            self.tell(refusal)
            return
        await self.rest()
        at = self.player_in_hand.t

        preview = FormPreview(self, partial(tried_fork, branch=branch), "the fork")

        async def forked(asked: tuple[Change, str] | None) -> None:
            await self.leave_tried(preview, None)
            if asked is not None:
                session.fork_from(branch, at, *asked, lambda made: self._bring_in(made, at))

        self.app.push_screen(Fork(session.branches, branch, at, preview), forked)

    def _bring_in(self, made: Branch, at: int) -> None:
        words = where_forked(made, at)
        self.tell(f"{words}; B puts it beside these")
        add_run(
            self.app,
            self.compared,
            ComparedRun(made.name, made.timeline),
            lambda runs, place: self.show_runs(runs, place, f"{words}: it is {LETTERS[place]}"),
        )

    async def action_edit(self) -> None:
        """Edit the run in hand where it is alone on the screen."""
        if self.is_recording():
            return
        if self.home[1].timeline.resumes:
            await self.leave_for("edit")
        else:
            self.tell("no edits: this run keeps what it goes on from to itself, so it cannot go on from a change")

    async def action_runs(self) -> None:
        await self.rest()
        self.app.push_screen(RunsThere([*self.compared, *self.further], self.compared), self._put_in)

    def _put_in(self, run: ComparedRun | None) -> None:
        """Put a run beside these; take one in hand that is here."""
        if run is not None:
            add_run(self.app, self.compared, run, self._show_with)

    def _show_with(self, runs: list[ComparedRun], place: int) -> None:
        if len(runs) == len(self.compared) and runs[place] is self.compared[place]:
            self.current = place
            self.show_where()
        else:
            self.show_runs(runs, place)
