"""Other futures: forks of the current run, edits taken back, and going between the runs there are."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from algorithms.playback.runs.tried_run import tried_fork
from algorithms.timeline.branches import Change
from tui.screens.stage.trying import Trying
from tui.widgets.track import Track


class Forking(Trying):
    """Other futures: forks of the current run, edits taken back, and going between the runs there are."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "fork", "fork from this step"),
        Binding("u", "undo", "undo the last edit"),
        Binding("tab", "other_run(1)", "next run, same step"),
        Binding("shift+tab", "other_run(-1)", "run before, same step"),
        Binding("B", "runs", "all runs"),
    ]

    def action_fork(self) -> None:
        from tui.screens.fork import Fork, why_no_fork
        from tui.screens.form_preview import FormPreview

        if self.is_recording():
            return
        refusal = why_no_fork(self.player.timeline)
        if refusal:
            self.tell(refusal)
            return
        self.pause()
        session, at = self.session, self.player.t
        preview = FormPreview(self, tried_fork, "the fork")

        def answered(asked: tuple[Change, str] | None) -> None:
            preview.leave(None)
            if asked:
                session.fork(at, *asked)

        self.app.push_screen(Fork(session.branches, session.branch, at, preview), answered)

    def action_undo(self) -> None:
        self.session.undo()

    def action_other_run(self, by: int) -> None:
        self.session.select_beside(by)

    def action_runs(self) -> None:
        from tui.screens.runs import Runs

        self.pause()
        session = self.session
        runs = Runs(session.branches, session.branch, session.select_remaining)
        self.app.push_screen(runs, session.select_remaining)

    def on_track_chosen(self, message: Track.Chosen) -> None:
        self.session.select(message.branch, message.t)
