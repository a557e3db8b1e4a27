"""Names: where a text stands beside the cell that it names, so that it covers no point, no line and no other text."""

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.core.scene import Tone
from tui.paint.canvas import HALF, SPACE, Canvas, width_of

_ROWS, _COLUMNS = 2, 3  # how far from its cell a name may stand
_POINT = 6.0  # columns farther off that a label goes rather than cover a cell with a point or a line
_BESIDE = 1.0  # likewise, rather than touch one
_DOT = 0.25  # likewise, a level line


class Name(Struct, frozen=True, eq=False):
    """A text that belongs to a cell.

    Attributes:
        ground: of a label, which touches its cell and is read on it whatever lies under it; None for a bare name.
        sign, tone: what it names looks like, for a legend.
    """

    column: int
    row: int
    text: str
    ink: int
    ground: int | None = None
    sign: str = "━"
    tone: Tone = "ink"


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
        covered = points | (lines & there)
        self._parts = np.stack([covered, _POINT * covered + _DOT * there, kept])
        self._rows, self._columns = kept.shape
        self._sums: dict[int, tuple[list[float], list[float], list[float]]] = {}

    def keep(self, row: int, first: int, end: int) -> None:
        """Keep the cells of a row from first to before end free of names."""
        self._parts[2, row, max(first, 0) : max(end, 0)] = 1
        self._sums.pop(row, None)

    def place(self, name: Name) -> tuple[int, int] | None:
        """Choose (column, row) of the nearest place that is free, and take it.

        Of a label, where none is, that which covers least; None where nothing is left.
        """
        width, label = width_of(name.text), name.ground is not None
        best: tuple[float, int, int] | None = None
        for apart in range(_ROWS + 1):
            for row in {name.row - apart: 0, name.row + apart: 0}:
                if not 0 <= row < self._rows or (best is not None and best[0] <= 2 * apart):
                    continue
                for start, distance in self._starts(name, width, apart):
                    covered, cost = self._under(row, start, width)
                    if (covered and not label) or self._touches(name, row, start, width):
                        continue
                    found = (distance + 2 * apart + cost, start, row)
                    best = found if best is None or found[0] < best[0] else best
        if best is None:
            return None
        self.keep(best[2], best[1], best[1] + width)
        return best[1], best[2]

    def _starts(self, name: Name, width: int, apart: int) -> list[tuple[int, float]]:
        """List where in a row so far from its own a name may begin, and how far off that is."""
        column = name.column
        if apart == 0 and name.ground is not None:
            starts = [(column + 1, 0.0), (column - width, 0.5)]
        elif apart == 0:
            away = [(i, column + 2 + i, column - 1 - width - i) for i in range(_COLUMNS)]
            starts = [(place, i + 0.5 * left) for i, *sides in away for left, place in enumerate(sides)]
        else:
            places = [column, column + 1 - width, column + 1, column - width, column + 2, column - 1 - width]
            starts = [(place, max(place - column, column - place - width + 1, 0) + 0.1) for place in places]
        return [(start, off) for start, off in starts if 0 <= start <= self._columns - width]

    def _under(self, row: int, start: int, width: int) -> tuple[bool, float]:
        covered, cost, _ = self._sums_of(row)
        end = start + width
        inside = covered[end] - covered[start]
        beside = covered[min(end + 1, self._columns)] - covered[max(start - 1, 0)] - inside
        return inside > 0, cost[end] - cost[start] + _BESIDE * beside

    def _touches(self, name: Name, row: int, start: int, width: int) -> bool:
        """Tell whether there would be no blank between the name, with its cell if it touches it, and what is kept."""
        kept = self._sums_of(row)[2]
        first, end, own = start, start + width, 0
        if row == name.row and name.ground is not None:
            first, end, own = min(first, name.column), max(end, name.column + 1), 1  # its own cell is kept
        return bool(kept[min(end + 1, self._columns)] - kept[max(first - 1, 0)] > own)

    def _sums_of(self, row: int) -> tuple[list[float], list[float], list[float]]:
        """Sum up what is covered, what that costs and what is kept in a row, from its begin to before each column."""
        if row not in self._sums:
            sums = np.zeros((3, self._columns + 1))
            self._parts[:, row].cumsum(axis=1, out=sums[:, 1:])
            covered, cost, kept = sums.tolist()
            self._sums[row] = covered, cost, kept
        return self._sums[row]
