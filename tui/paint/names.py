"""Names: where a text stands beside the cell that it names, so that it is read as that cell's and hides nothing."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.core.scene import Tone
from tui.paint.canvas import HALF, SPACE, Canvas, width_of

_POINT, _LINE, _LEVEL = 2.0, 1.0, 0.25  # what a label pays for each cell that it covers
_NEIGHBOUR = 3.0  # what it pays to touch a mark or a label that is not its own
_CROWDED = 0.5  # what a bare name pays to stand over or under a point, or beside a line
_OFF = 0.5  # what a place pays that is not straight beside its cell

BRACKETS = "⟨⟩"  # beside a cell in hand

Sums = tuple[list[float], list[float], list[float], list[float]]


class Name(Struct, frozen=True, eq=False):
    """A text that belongs to a cell.

    Attributes:
        ground: of a label, which touches its cell and is read on it whatever lies under it; None for a bare name.
        sign, tone: what it names looks like, for a legend.
        elsewhere: (column, row) of other cells that a bare name may stand beside, where its own has no room.
        piece: (x0, y0, x1, y1) in dots of the arrow that it names, of one that has no name where it is covered.
    """

    column: int
    row: int
    text: str
    ink: int
    ground: int | None = None
    sign: str = "━"
    tone: Tone = "ink"
    elsewhere: tuple[tuple[int, int], ...] = ()
    piece: tuple[float, float, float, float] | None = None

    @property
    def marks(self) -> bool:
        """Tell whether it brings a mark for its cell; else it names what is there."""
        return self.ground is not None and bool(self.sign.strip())


class Ground:
    """What names must not cover.

    Args:
        canvas: all that is drawn.
        lines: (rows, columns) bool, cells that lines and arrows pass; not level lines, which may be covered.
        kept: (rows, columns) bool, cells that nothing covers.
    """

    def __init__(self, canvas: Canvas, lines: Array, kept: Array):
        there = canvas.dots > 0
        points = ~there & (canvas.glyphs != SPACE) & (canvas.glyphs != HALF)
        lines = lines & there
        cost = _POINT * points + _LINE * lines + _LEVEL * (there & ~lines)
        self._glyphs = canvas.glyphs
        self._parts = np.stack([points | lines, cost, kept, points | kept])
        self._rows, self._columns = kept.shape
        self._sums: dict[int, Sums] = {}

    def keep(self, row: int, first: int, end: int) -> None:
        """Keep the cells of a row from first to before end free of names."""
        self._parts[2:, row, max(first, 0) : max(end, 0)] = 1
        self._sums.pop(row, None)

    def place(self, name: Name) -> tuple[int, int] | None:
        """Choose (column, row) of the best place that is free, and take it; None where nothing is left.

        A label touches its cell and covers as little as can be; it never covers a mark, another text or what is held.
        A bare name covers nothing that is drawn, and a blank is between it and each point.
        """
        width = width_of(name.text)
        for cell in ((name.column, name.row), *name.elsewhere):
            of = self._of_label if name.ground is not None else self._of_name
            best, least = None, [math.inf]
            for place in of(name, cell, width, least):
                if best is None or place < best:
                    best, least[0] = place, place[0]
            if best is not None:
                self.keep(best[2], best[1], best[1] + width)
                return best[1], best[2]
        return None

    def _of_label(
        self, name: Name, cell: tuple[int, int], width: int, least: Sequence[float]
    ) -> Iterator[tuple[float, int, int]]:
        """Give the places of a label that touch its cell, each as (what it costs, column, row).

        Args:
            least: what the best one so far costs: no place that is farther off is looked at.
        """
        column, row = cell
        right, left = column + 1, column - 1
        right += int(right < self._columns and self._glyphs[row, right] == ord(BRACKETS[1]))
        left -= int(left >= 0 and self._glyphs[row, left] == ord(BRACKETS[0]))
        beside = [(right, 0.0), (left + 1 - width, _OFF)]
        if not name.marks and not self._sum(3, row, column, column + 1) and not self._sum(0, row, column, column + 1):
            beside.insert(0, (column - width // 2, -_OFF))  # nothing is in its cell: there
        across = [(column - width // 2, 1.0), (column, 1.0), (column + 1 - width, 1.0)]
        across += [(right, 1.0 + _OFF), (left + 1 - width, 1.0 + _OFF)]
        for at, starts in ((row, beside), (row - 1, across), (row + 1, across)):
            for start, off in starts:
                end = start + width
                if off > least[0] or not (0 <= at < self._rows and 0 <= start <= self._columns - width):
                    continue
                if self._sum(2, at, start, end) or self._others(at, start, end, (left, right, row)):
                    continue  # without a blank between them two labels read as one
                opposite = left if start == right else right if end == left + 1 else -1
                if at == row and opposite >= 0 and self._sum(2, row, opposite, opposite + 1):
                    continue  # nor may two stand around the mark of both: "x + x*"
                near = [
                    self._others(r, start, end, (left, right, row)) for r in (at - 1, at + 1) if 0 <= r < self._rows
                ]
                yield off + self._sum(1, at, start, end) + _NEIGHBOUR * min(sum(near), 1.0), start, at

    def _others(self, at: int, start: int, end: int, own: tuple[int, int, int]) -> float:
        """Count the cells of a row from one before a place to one after it that are kept for something else.

        Args:
            own: the columns on both sides of the name's own cell, with its brackets, and its row.
        """
        left, right, row = own
        first, end = start - 1, end + 1
        total = self._sum(2, at, first, end)
        if at == row:
            total -= self._sum(2, at, max(first, left), min(end, right)) if first < right and left < end else 0.0
        return total

    def _of_name(
        self, name: Name, cell: tuple[int, int], width: int, least: Sequence[float]
    ) -> Iterator[tuple[float, int, int]]:
        """Give the places of a bare name a cell off its own, as `_of_label` does."""
        column, row = cell
        beside = [(column + 2, 0.0), (column - 1 - width, 0.5), (column + 3, 1.0), (column - 2 - width, 1.5)]
        places = [(column, 1.0), (column + 1 - width, 1.0), (column - width // 2, 1.0)]
        across = [*places, (column + 1, 1.5), (column - width, 1.5)]
        for at, starts in ((row, beside), (row - 1, across), (row + 1, across)):
            for start, off in starts:
                end = start + width
                if off > least[0] or not (0 <= at < self._rows and 0 <= start <= self._columns - width):
                    continue
                if self._sum(0, at, start, end) or self._sum(3, at, start - 1, end + 1):
                    continue
                lines = self._sum(0, at, start - 1, end + 1)
                if lines and at != row and name.sign == "━":  # it would be read as the name of what passes there
                    continue
                around = sum(self._sum(3, near, start, end) for near in (at - 1, at + 1) if 0 <= near < self._rows)
                yield off + _CROWDED * (lines + min(around, 1.0)), start, at

    def _sum(self, part: int, row: int, first: int, end: int) -> float:
        """Sum up a part from a column to before another one."""
        sums = self._sums_of(row)[part]
        last = len(sums) - 1
        return sums[min(max(end, 0), last)] - sums[min(max(first, 0), last)]

    def _sums_of(self, row: int) -> Sums:
        """Sum up each part in a row, from its begin to before each column."""
        if row not in self._sums:
            sums = np.zeros((4, self._columns + 1))
            self._parts[:, row].cumsum(axis=1, out=sums[:, 1:])
            covered, cost, kept, near = sums.tolist()
            self._sums[row] = covered, cost, kept, near
        return self._sums[row]
