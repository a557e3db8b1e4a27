"""Notices: the one sentence that is told at a time, and what algorithms have to say, told once."""

from collections.abc import Iterable

from algorithms.core import Algorithm
from algorithms.core.text import clean


class Notices:
    """The sentence that is told.

    Attributes:
        text: the sentence, "" when nothing is told.
    """

    def __init__(self, text: str = ""):
        self.text = text
        self._counts: dict[int, int] = {}  # of the notices of each algorithm that were told

    def skip(self, algorithm: Algorithm) -> None:
        """Leave out what has come to light of an algorithm so far."""
        self._counts[id(algorithm)] = len(algorithm.notices)

    def newest(self, watched: Iterable[tuple[str, Algorithm]]) -> str:
        """Find what has come to light last of how an algorithm behaves and was not told, "" when nothing has.

        Args:
            watched: the algorithms, each with what its notices begin with.
        """
        text = ""
        for prefix, algorithm in watched:
            if len(algorithm.notices) > self._counts.get(id(algorithm), 0):
                self.skip(algorithm)
                text = clean(f"{prefix}{algorithm.notices[-1]}")
        return text
