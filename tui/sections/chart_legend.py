"""The legend of a chart: each curve's mark on the cursor, its name and its value there."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.text import wrapped

_VALUE = 6  # columns that are kept for a value
_APART = 2  # columns from one curve to the next
_ROOM = 8  # lines from which on the name of a single curve may take two


class Entry(Struct, frozen=True):
    """A curve in a legend.

    Attributes:
        shape, ink: its mark.
        name, value: what stands beside it.
        held: whether the value is that of a step before.
    """

    shape: str
    ink: int
    name: str
    value: str
    held: bool = False

    @property
    def columns(self) -> int:
        """Count its columns; they do not come and go with digits."""
        return width_of(self.name) + max(width_of(self.value), _VALUE) + 3


class Remark(Struct, frozen=True):
    """What is said after the curves, with columns kept for it that do not come and go with what it says."""

    text: str
    ink: int
    columns: int
    needed: bool = False  # so that a line of its own is given to it


def paint_legend(
    canvas: Canvas, entries: Sequence[Entry], remarks: Sequence[Remark], most: int, palette: Palette
) -> int:
    """Write "● objective 64.6   ▲ bound 70.1" on as few lines as can be; returns how many.

    The name of a single curve goes on in a second line where the chart has room. Where there are too few lines names
    are cut, with an ellipsis, so that each curve has its mark and its value.
    """
    if len(entries) == 1 and entries[0].columns >= canvas.columns and most >= _ROOM:
        first, *later = wrapped(entries[0].name, canvas.columns - 4)
        if later:
            canvas.text(canvas.text(1, 0, f"{entries[0].shape} ", entries[0].ink), 0, first, palette.dim)
            below = canvas.part(0, 1, canvas.columns, canvas.rows - 1)
            rest = replace(entries[0], shape=" ", name=" ".join(later))
            return 1 + paint_legend(below, [rest], remarks, most - 1, palette)
    lines = _lines([entry.columns for entry in entries], canvas.columns)
    if max(lines, default=0) >= most:
        return _in_columns(canvas, entries, most, palette)
    free = [1] * (max(lines, default=0) + 1)
    for entry, row in zip(entries, lines):
        _paint(canvas, entry, free[row], row, canvas.columns - free[row], palette)
        free[row] += entry.columns + _APART
    for remark in remarks:
        row = next((r for r, at in enumerate(free) if at + remark.columns <= canvas.columns), len(free))
        if row == len(free):
            if not remark.needed or row >= most:
                continue
            free.append(1)
        canvas.text(free[row], row, remark.text, remark.ink)
        free[row] += remark.columns + _APART
    return len(free)


def _lines(widths: Sequence[int], columns: int) -> list[int]:
    """Choose the line of each entry: the first that has room for it."""
    free: list[int] = []
    lines = []
    for width in widths:
        row = next((r for r, at in enumerate(free) if at + width <= columns), len(free))
        if row == len(free):
            free.append(1)
        free[row] += width + _APART
        lines.append(row)
    return lines


def _in_columns(canvas: Canvas, entries: Sequence[Entry], rows: int, palette: Palette) -> int:
    """Write the curves beside each other in columns of equal width, as many as there have to be."""
    across = -(-len(entries) // rows)
    width = (canvas.columns - 1) // across
    for i, entry in enumerate(entries):
        _paint(canvas, entry, 1 + i % across * width, i // across, width - (across > 1), palette)
    return -(-len(entries) // across)


def _paint(canvas: Canvas, entry: Entry, column: int, row: int, room: int, palette: Palette) -> None:
    """Write a curve in so many columns; the name is cut first."""
    column = canvas.text(column, row, f"{entry.shape} ", entry.ink)
    name = fitted(entry.name, room - 3 - width_of(entry.value))
    column = canvas.text(column, row, f"{name} " if name else "", palette.dim)
    canvas.text(column, row, entry.value, palette.dim if entry.held else palette.ink, bold=not entry.held)
