"""The lesson that one writes by doing: its file, and what was kept last."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from algorithms.lectures.lessons import lesson_named
from algorithms.playback.lessons.keeping import kept_after, kept_in_new
from algorithms.playback.lessons.reader import Reader

if TYPE_CHECKING:
    from algorithms.playback.lessons.keeping import Kept
    from algorithms.playback.runs.loaded_run import LoadedRun


class Written:
    """The file that moments are kept in: that of the reader's own lesson that is gone through, or a new one.

    Attributes:
        path: the file that was begun here, None before.
    """

    def __init__(self) -> None:
        self.path: Path | None = None

    def keep(self, moment: str, loaded: "LoadedRun", reader: Reader | None) -> str:
        """Keep a moment; returns what to tell.

        Raises:
            Refused: when it cannot be.
        """
        own = own_file(reader)
        if own is not None and reader is not None:
            kept = kept_after(moment, own, reader.index)
            reader.take(lesson_named(str(own)), kept.index)
        elif self.path is not None and os.path.exists(self.path):
            kept = kept_after(moment, self.path, None)
        else:
            kept = kept_in_new(moment, loaded, Path.cwd())
            self.path = kept.path
        return _told(kept)


def own_file(reader: Reader | None) -> Path | None:
    """Find the file of the lesson that is gone through, None where it is one of the course."""
    return Path(reader.lesson.file) if reader is not None and reader.lesson.own else None


def read_again(reader: Reader) -> bool:
    """Read the file of a lesson again where it was written meanwhile; whether it was.

    Raises:
        Misread: when it cannot be read now; what was read before stays.
    """
    own = own_file(reader)
    if own is None:
        return False
    lesson = lesson_named(str(own))
    changed = lesson != reader.lesson
    if changed:
        reader.take(lesson)
    return changed


def _told(kept: "Kept") -> str:
    return f"kept as moment {kept.index + 1} of {kept.path.name}; python -m tui --lesson {kept.path.name} shows it"
