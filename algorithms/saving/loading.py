"""By what a person types: an algorithm of the catalogue, one of their own, or a recording."""

from typing import TYPE_CHECKING

from algorithms.core.catalogue import find, names

if TYPE_CHECKING:
    from algorithms.core.algorithm import Algorithm


def load(spec: str, apart: bool = False) -> "Algorithm":
    """Load the algorithm in "path/to/mine.py", "mine.py:name" or "package.module:name", or open the recording "x.log".

    A file with an ALGORITHM gives that; one with a generator function gives an algorithm that shows what it yields.

    Args:
        apart: whether code is imported and run in processes of its own.

    Raises:
        Refused: in a sentence with file and line, when there is nothing that can be watched.
    """
    from algorithms.saving.runlog import LoggedRun, is_recording
    from algorithms.userfile import load_userfile

    return LoggedRun(spec) if is_recording(spec) else load_userfile(spec, apart)


def named_algorithm(text: str, apart: bool = False) -> "Algorithm":
    """Give the algorithm of that name, file or module, or the recording."""
    return load(text, apart) if is_own(text) else find(text)


def is_own(text: str) -> bool:
    """Tell whether it speaks of a file, a module or a recording, and not of the catalogue."""
    if text in names():
        return False
    from algorithms.saving.runlog import is_recording
    from algorithms.userfile import is_userfile

    return is_userfile(text) or is_recording(text)
