"""By what a person types: an algorithm of the catalogue, or one of their own."""

from algorithms.core.algorithm import Algorithm
from algorithms.core.catalogue import find
from algorithms.userfile.importing import found
from algorithms.userfile.in_process import wrapped


def is_userfile(text: str) -> bool:
    """Whether it speaks of a file or a module, and not of the catalogue."""
    return text.endswith(".py") or ":" in text or "/" in text


def load(spec: str, apart: bool = False) -> Algorithm:
    """The algorithm in "path/to/mine.py", "mine.py:name" or "package.module:name".

    A file with an ALGORITHM gives that; one with a generator function gives an algorithm that shows what it yields.

    Args:
        apart: whether it is imported and run in processes of its own.

    Raises:
        Refused: in a sentence with file and line, when there is nothing that can be watched.
    """
    if apart:
        from algorithms.userfile.isolated import opened

        return opened(spec)
    thing = found(spec)
    return thing if isinstance(thing, Algorithm) else wrapped(thing)


def named(text: str, apart: bool = False) -> Algorithm:
    """The algorithm of that name, file or module."""
    return load(text, apart) if is_userfile(text) else find(text)
