"""Where a lesson is: a small file that a second terminal follows, to show the notes of that moment."""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from msgspec import Struct

from algorithms.lectures.lessons import Lesson
from algorithms.saving.files import file_name


class Place(Struct, frozen=True):
    """The moment that a lesson is at, from 0, and the process that shows it."""

    index: int
    process: int


def place_file(lesson: Lesson) -> Path:
    """Find the file that says where a lesson is; that of a reader's own goes by its whole path."""
    from platformdirs import user_state_path

    name = str(Path(lesson.file).resolve()) if lesson.own else lesson.name
    folder = user_state_path("iterscope", appauthor=False) / "notes"
    return folder / file_name(f"{lesson.name}-{crc32(name.encode()):08x}", ".json")


def note_place(lesson: Lesson, index: int) -> None:
    """Say where a lesson is. Where that cannot be written nobody can follow, and nothing else is the worse for it."""
    path, process = place_file(lesson), os.getpid()
    part = path.with_suffix(f".{process}.part")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps({"index": index, "process": process}), "utf-8")
        part.replace(path)  # whole: who reads meanwhile has the place before


def forget_place(lesson: Lesson) -> None:
    """Say that a lesson is left; not where another process shows it by now."""
    place = place_of(lesson)
    if place is not None and place.process == os.getpid():
        with suppress(OSError):
            place_file(lesson).unlink()


def place_of(lesson: Lesson) -> Place | None:
    """Tell where a lesson is, None where no process shows it."""
    try:
        noted = json.loads(place_file(lesson).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    index, process = (noted.get(name) if isinstance(noted, dict) else None for name in ("index", "process"))
    if type(index) is not int or type(process) is not int or index < 0 or process <= 0 or not _lives(process):
        return None
    return Place(min(index, len(lesson.moments) - 1), process)


def _lives(process: int) -> bool:
    """Tell whether a process is there still: one that was killed forgets nothing."""
    if sys.platform == "win32":  # signal 0 would end it
        return True
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
