"""Rescue what is not saved when the app ends otherwise than in order, and offer it on the next start.

While the app runs, a session of what is not saved is kept in memory, made between two pictures whenever forks or
breakpoints change: what ends the app (a signal, an error, a step that never ends) may come at a moment when nothing can
be asked of the run any more. It is written then, into the current folder, where sessions go that get no other place.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from textual.app import App
from textual.css.query import NoMatches

from algorithms.core import Refused
from algorithms.playback.runs.session_file import made_by_hand
from algorithms.saving.files import Exists, write_whole
from tui.screens.stage import StageScreen

if TYPE_CHECKING:
    from algorithms.saving.session import Session

_SUFFIX = ".rescued.json"
_LONGEST = 10.0  # seconds that a file may take to be written on a disk that is busy
_MOST_FILES = 99


class Rescue:
    """Keeps a session of what is not saved, to be written when the app ends otherwise than in order.

    Args:
        folder: where it is written and looked for.
    """

    def __init__(self, folder: Path | None = None):
        self._folder = folder or Path.cwd()
        self._content = b""  # of the file, b"" while all is saved
        self._name = ""
        self._made: Any = None  # what the person had made when it was written down
        self._writing = Lock()

    def look(self, app: App[Any]) -> None:
        """Write down in memory what is not saved, if that has changed; called in the app's loop."""
        from algorithms.saving.session import default_name
        from algorithms.saving.session.schema import session_bytes

        stage = next((screen for screen in app.screen_stack if isinstance(screen, StageScreen)), None)
        if stage is None or not stage.session.unsaved:
            self._content, self._made = b"", None
            return
        session = stage.session
        made = session.branches, made_by_hand(session)
        if made == self._made or _is_busy(stage):
            return
        name = Path(default_name(session.loaded.algorithm.name, session.loaded.recipe.name)).stem
        try:
            self._content, self._name = (
                session_bytes(session.file.written(session, self._folder / name, stage.view_now(), digests=False)),
                name,
            )
        except NoMatches:  # its widgets are being closed; what was written down before stays
            return
        except Refused:  # it cannot be written down, and would be refused each time
            pass
        self._made = made

    def write(self) -> str:
        """Write what is not saved to a file; returns what to tell the person, "" when there was nothing.

        It asks nothing of the run, and may be called from any thread and more than once: who comes second waits, since
        both the loop and what watches over it end the process behind this.
        """
        if not self._writing.acquire(timeout=_LONGEST):
            return ""
        try:
            content, self._content = self._content, b""
            return self._written(content) if content else ""
        finally:
            self._writing.release()

    def _written(self, content: bytes) -> str:
        for path in self._paths():
            try:
                write_whole(path, content)
            except Exists:
                continue
            except Refused as refusal:
                return f"What was not saved is lost: {refusal}"
            return f"What was not saved is in {path.name}; iterscope offers it when it is started here again."
        return f"What was not saved is lost: there are {_MOST_FILES} files of its name in {self._folder} already."

    def _paths(self) -> Iterator[Path]:
        for i in range(1, _MOST_FILES + 1):
            yield self._folder / f"{self._name}{f'-{i}' if i > 1 else ''}{_SUFFIX}"

    def offer(self, algorithm: str | None, spec: str = "") -> "Rescued | None":
        """Find the newest session that was rescued here.

        Args:
            algorithm: the name of the algorithm that is opened; None for the catalogue, where any of ours will do.
            spec: the file that it is in, for one of the reader's own.
        """
        with suppress(OSError):
            rescued = sorted(self._folder.glob(f"*{_SUFFIX}"), key=lambda path: -path.stat().st_mtime)
            if not rescued:
                return None
            from algorithms.saving.session import read_session  # seldom needed, and a dear import

            for path in rescued:
                with suppress(Refused):
                    session = read_session(path)
                    if session.spec == spec and algorithm in (None, session.algorithm):
                        return Rescued(path, session)
        return None


class Rescued(Struct, frozen=True, eq=False):
    """A session that was rescued, and its file."""

    path: Path
    session: "Session"

    @property
    def words(self) -> str:
        """Say what there is in it: "2 forks and 1 breakpoint of lloyd, which were not saved"."""
        forks = sum(len(each.branches) - 1 for each in (self.session, *self.session.beside))
        stops = len(self.session.breakpoints)
        parts = [f"{n} {what}{'s' * (n > 1)}" for n, what in ((forks, "fork"), (stops, "breakpoint")) if n]
        were = "was" if forks + stops == 1 else "were"
        return f"{' and '.join(parts)} of {self.session.algorithm} {were} not saved when iterscope last ended here."

    def drop(self) -> None:
        """Delete the file."""
        with suppress(OSError):
            self.path.unlink()


def _is_busy(stage: StageScreen) -> bool:
    """Tell whether a thread has the run to itself, or nothing has been shown yet."""
    return stage.session.access.busy or stage.picture is None or not stage.is_running


def count_as_unsaved(stage: StageScreen) -> None:
    """Have a stage that resumed a rescued session ask before that is lost, and where it is to be saved."""
    stage.session.file.forget()
