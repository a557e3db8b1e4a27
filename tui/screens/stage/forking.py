"""Other futures: forks of the current run, edits taken back, and going between the runs there are."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from tui.screens.fork import Fork, why_no_fork
from tui.screens.runs import Runs
from tui.screens.stage.base import StageBase
from tui.widgets.track import Track


class Forking(StageBase):
    """Other futures: forks of the current run, edits taken back, and going between the runs there are."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "fork", "fork from this step"),
        Binding("u", "undo", "undo the last edit"),
        Binding("tab", "other_run(1)", "next run, same step"),
        Binding("shift+tab", "other_run(-1)", "run before, same step"),
        Binding("B", "runs", "all runs"),
    ]

    def action_fork(self) -> None:
        if self.is_recording():
            return
        refusal = why_no_fork(self.player.timeline)
        if refusal:
            self.tell(refusal)
            return
        self.pause()
        session, at = self.session, self.player.t
        form = Fork(session.branches, session.branch, at)
        self.app.push_screen(form, lambda asked: session.fork(at, *asked) if asked else None)

    def action_undo(self) -> None:
        self.session.undo()

    def action_other_run(self, by: int) -> None:
        self.session.select_beside(by)

    def action_runs(self) -> None:
        self.pause()
        session = self.session
        runs = Runs(session.branches, session.branch, session.select_remaining)
        self.app.push_screen(runs, session.select_remaining)

    def on_track_chosen(self, message: Track.Chosen) -> None:
        self.session.select(message.branch, message.t)
