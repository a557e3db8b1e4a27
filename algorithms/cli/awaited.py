"""A recording that is not there yet is waited for, where a person sits before it."""

import os
import sys
from pathlib import Path
from time import sleep

from algorithms.cli.arguments import one_line
from algorithms.core.errors import Refused
from algorithms.saving.runlog.logfile import Damaged, LogReader

_LOOK = 0.1  # seconds
_LONGEST = 255  # bytes of a file's name, on nearly all systems


def awaited(path: str) -> None:
    """Return when there is a recording that says what it is of, or a file that is none; tell whom it keeps waiting.

    Raises:
        Refused: for a file in a folder that is not there: no script will write it.
    """
    told = False
    while not _ready(path):
        if not told:
            if not sys.stdin.isatty() or not sys.stdout.isatty():
                return  # whoever reads it says what is wrong
            print(one_line(f"{path} is not written yet, and is waited for; ctrl+c ends that."), file=sys.stderr)
            told = True
        sleep(_LOOK)


def _ready(path: str) -> bool:
    file = Path(path)
    if not os.path.exists(path):
        if len(file.name.encode()) > _LONGEST:
            raise Refused(f"{path[:40]}… is too long for the name of a file.")
        if not os.path.isdir(file.parent):
            raise Refused(f"there is no folder {file.parent}, so nothing will be written to {path}.")
        return False
    try:
        if file.is_file() and file.stat().st_size == 0:  # between two moments of whoever begins it
            return False
        reader = LogReader(path)
    except (Refused, OSError):
        return True
    try:
        return reader.record(reader.start) is not None or not reader.written
    except Damaged:
        return True
    finally:
        reader.close()
