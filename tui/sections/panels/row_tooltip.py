"""The tooltip of rows of the data, beside the cell that they are in."""

from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette

_LISTED = 8  # numbers of rows
_INSIDE = 2  # columns of the frame and the blank beside it


def listed(rows: list[int]) -> str:
    """Name rows by number: "rows 3, 17, 21", or "12 rows: 3, 17, 21 ..."."""
    numbers = ", ".join(map(str, rows[:_LISTED]))
    return f"rows {numbers}" if len(rows) <= _LISTED else f"{len(rows)} rows: {numbers} ..."


def paint_row_tooltip(
    canvas: Canvas, texts: list[str], cell: tuple[int, int], palette: Palette, first: int = _INSIDE
) -> None:
    """Write texts above a cell, or below it where there is more room: the first one bright, the others under it.

    Args:
        first: the column from which on they may stand: right of the axis, whose numbers are read with them.
    """
    room = max(canvas.columns - _INSIDE - first - 2, 1)  # with a blank on both sides
    lines = [(fitted(line, room), i == 0) for i, text in enumerate(texts) for line in wrapped(text, room)]
    x, y = cell
    above, below = y - 1, canvas.rows - 2 - y
    if len(lines) > max(above, below):
        lines = lines[: max(above, below)]
    top = y - len(lines) if len(lines) <= above else y + 1
    width = max((width_of(line) for line, _ in lines), default=0) + 2
    left = max(min(x - 2, canvas.columns - _INSIDE - width), first)
    for row, (line, bright) in enumerate(lines, start=top):
        ink, ground = (palette.on_held, palette.held) if bright else (palette.ink, palette.selected)
        canvas.text(left, row, f" {line} " + " " * (width - width_of(line) - 2), ink, ground)


def wrapped(text: str, width: int) -> list[str]:
    """Break a text at its blanks into lines of at most so many cells; what follows is indented."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line.strip() else line + word
        if line.strip() and width_of(longer) > width:
            lines.append(line)
            longer = "  " + word
        line = longer
    return [*lines, line]
