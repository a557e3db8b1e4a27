"""The data of several runs, where they differ, as rows of a table."""

from collections.abc import Sequence

from msgspec import Struct

from algorithms.playback.comparison.compared_run import LETTERS
from tui.sections.comparison.rows import Cell, Row


class OtherData(Struct, frozen=True):
    """The data of a run among others.

    Attributes:
        words: what tells them from the others'.
        n, d: how many rows and features they have.
    """

    words: str
    n: int
    d: int


def data_rows(several: Sequence[OtherData], apart: bool) -> list[Row]:
    """List what the data are, where they differ; nothing where they do not.

    Args:
        apart: whether a stage has axes that another has not.
    """
    if not several:
        return []
    axes = Cell("each stage has axes of its own" if apart else "the same axes")
    return [
        Row("data, which differ", section=True, mark=axes),
        *_words(several),
        _counts("rows", [each.n for each in several]),
        _counts("features", [each.d for each in several]),
    ]


def _words(several: Sequence[OtherData]) -> list[Row]:
    """Name the data of two runs beside each other; of more, whose columns are narrow, a row each."""
    if len(several) == 2:
        return [Row("data", tuple(Cell(each.words, True) for each in several), wide=True)]
    return [Row(f"{letter}  {each.words}", spread=True) for letter, each in zip(LETTERS, several)]


def _counts(name: str, counts: Sequence[int]) -> Row:
    difference = counts[1] - counts[0]
    after = () if len(counts) != 2 else (Cell(f"{difference:+,}" if difference else "="),)
    return Row(name, tuple(Cell(f"{count:,}", True) for count in counts), after)
