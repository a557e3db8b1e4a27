"""Keeping what was made: saving a session, opening one, and asking before it would be lost."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from tui.screens.run_screen import RunScreen

if TYPE_CHECKING:
    from algorithms.saving.session import Opening


class KeepsSessions(RunScreen):
    """Keeping what was made: saving a session, opening one, and asking before it would be lost."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "save the session"),
        Binding("ctrl+o", "open", "open a session"),
    ]

    # Saving

    def action_save(self) -> None:
        """Save to where it was saved before; the first time, ask where."""
        if self.is_recording():
            return
        self.pause()
        self._save(lambda: None)

    def _save(self, then: Callable[[], object]) -> None:
        from tui.screens.session import SaveSession

        session = self.session_in_hand
        if session.file.path is not None:
            self._save_to(session.file.path, then)
        else:
            asking = SaveSession(session.file.proposed(session), session.file.path)
            self.app.push_screen(asking, lambda path: self._save_to(path, then) if path else None)

    def _save_to(self, path: Path, then: Callable[[], object]) -> None:
        """Write it and go on; the dialog has asked before it gives the name of a file that is there."""

        def save() -> None:
            if self.session_in_hand.save(path, self.view_now()):
                then()

        self.when_free(save)

    # Opening

    def action_open(self) -> None:
        from tui.screens.session import OpenSession

        self.pause()
        loaded, file = self.session_in_hand.loaded, self.session_in_hand.file
        asking = OpenSession(loaded.algorithm, loaded.spec, file.path or file.origin)
        self.app.push_screen(
            asking, lambda opening: self.unless_unsaved(self._open_session(opening)) if opening else None
        )

    def _open_session(self, opening: "Opening") -> Callable[[], object]:
        return lambda: self.host.open_session(opening)

    # Leaving

    def unless_unsaved(self, leave: Callable[[], object]) -> None:
        """Leave these runs; when something was made of them that is not saved, ask what to do."""
        from tui.screens.session import Leave

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
        if self.session.side_by_side.forked:
            self.unless_unsaved(start)
        else:
            start()
