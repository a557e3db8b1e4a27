"""Keeping what was made: saving a session, opening one, and asking before it would be lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from algorithms.playback.session_file import whole_number
from algorithms.saving.session import Opening
from tui.screens.session import Leave, OpenSession, SaveSession
from tui.screens.stage.base import StageBase
from tui.widgets.side import Side


class Keeping(StageBase):
    """Keeping what was made: saving a session, opening one, and asking before it would be lost."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "save the session"),
        Binding("ctrl+o", "open", "open a session"),
    ]

    _view: dict[str, Any] | None = None  # how it is to be looked at, until there are widgets to be told

    # Saving

    def action_save(self) -> None:
        """Save to where it was saved before; the first time, ask where."""
        if self.is_recording():
            return
        self.pause()
        self._save(lambda: None)

    def _save(self, then: Callable[[], object]) -> None:
        file = self.session.file
        if file.path is not None:
            self._save_to(file.path, then)
        else:
            asking = SaveSession(file.proposed(self.session), file.path)
            self.app.push_screen(asking, lambda path: self._save_to(path, then) if path else None)

    def _save_to(self, path: Path, then: Callable[[], object]) -> None:
        """Write it and go on; the dialog has asked before it gives the name of a file that is there."""

        def save() -> None:
            if self.session.save(path, self.view_now()):
                then()

        self.session.when_free(save)

    # Opening

    def action_open(self) -> None:
        self.pause()
        asking = OpenSession(self.loaded.algorithm, self.loaded.spec)
        self.app.push_screen(
            asking, lambda opening: self.unless_unsaved(self._open_session(opening)) if opening else None
        )

    def _open_session(self, opening: Opening) -> Callable[[], object]:
        return lambda: self.host.open_session(opening)

    def resume(self, opening: Opening) -> None:
        """Take over the runs of a session and how they were looked at; before the screen is shown."""
        self.session.resume(opening)
        self._view = opening.session.view

    def on_mount(self) -> None:
        if self._view is not None:
            side, rows = self._view.get("side"), self._view.get("source rows")
            self.query_one(Side).restore(side if isinstance(side, dict) else {})
            if rows is not None:
                self._source_rows = whole_number(rows, 0, 100)
            self._view = None

    def view_now(self) -> dict[str, Any]:
        """Describe how the screen shows it, in plain values."""
        rows = {} if self._source_rows is None else {"source rows": self._source_rows}
        return {"side": self.query_one(Side).kept(), **rows}

    # Leaving

    def unless_unsaved(self, leave: Callable[[], object]) -> None:
        """Leave this run; when something was made of it that is not saved, ask what to do."""
        unsaved = self.session.unsaved
        if not unsaved:
            leave()
            return

        def answered(answer: str | None) -> None:
            if answer == "leave":
                leave()
            elif answer == "save":
                self._save(leave)

        self.pause()
        self.app.push_screen(Leave(unsaved), answered)

    def unless_forks(self, start: Callable[[], None]) -> None:
        """Start another run in place of all there are: at once, or when there are forks, once they may go."""
        if self.session.others:
            self.unless_unsaved(start)
        else:
            start()
