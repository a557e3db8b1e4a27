"""Words for a step, of which one sentence says most."""

from collections.abc import Callable
from typing import Self


class Words(str):
    """An explanation with its point: the sentence that stays where there is room for one, as in a hall or at the end.

    Attributes:
        point: that sentence; it is a part of the whole.
    """

    point: str

    def __new__(cls, words: str, point: str) -> Self:
        made = super().__new__(cls, words)
        made.point = point
        return made

    @classmethod
    def of(cls, before: str, point: str, after: str = "") -> Self:
        """Put a point between what comes before it and after it."""
        return cls(" ".join(part for part in (before, point, after) if part), point)

    def each(self, change: Callable[[str], str]) -> "Words":
        """Change the whole and the point alike."""
        return type(self)(change(str(self)), change(self.point))


def point_of(words: str) -> str:
    """Get the point of an explanation, "" where none is marked."""
    return words.point if isinstance(words, Words) else ""
