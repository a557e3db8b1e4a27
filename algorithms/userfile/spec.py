"""What a person types for code of their own: the file or module, what in it, and the words that the file is to find."""

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

_WORDS = " -- "


class Spec(Struct, frozen=True):
    """`mine.py:name -- --epochs 3` in its parts.

    Attributes:
        place: the file or module.
        name: of what is to be run in it, "" where there is one thing alone.
        words: what the file finds in sys.argv behind its own name.
    """

    place: str
    name: str = ""
    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str) -> "Spec":
        code, dashes, words = (text, "", "") if os.path.exists(text) else text.partition(_WORDS)
        place, _, name = code.rpartition(":") if ":" in code else (code, "", "")
        return cls(place or code, name if place else "", tuple(_split(words)) if dashes else ())

    @property
    def argv(self) -> list[str]:
        """List what sys.argv is while it runs."""
        return [self.place, *self.words]


NO_WORDS = Spec("")


@contextmanager
def its_argv(spec: Spec) -> Iterator[None]:
    """Have a file find its own words meanwhile, where it is given any."""
    before = sys.argv
    if spec.words:
        sys.argv = spec.argv
    try:
        yield
    finally:
        sys.argv = before


def _split(words: str) -> list[str]:
    try:
        return shlex.split(words)
    except ValueError:  # a quotation mark that does not end
        return words.split()


def with_words(text: str, words: list[str]) -> str:
    """Add words that the file is to find, behind those that it has."""
    if not words:
        return text
    return f"{text}{' ' if _WORDS in text else _WORDS}{shlex.join(words)}"
