"""A table of a scene: columns as wide as they need, numbers at the right, rows of this step marked."""

from algorithms.core import Table
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette, glyph_of
from tui.paint.ticks import number

_NUMBER, _NAME = 9, 8  # columns that a number is worth, and that a name keeps


def table_height(table: Table) -> int:
    """Count the rows that the whole table takes."""
    return len(table.rows) + 1


def paint_table(canvas: Canvas, table: Table, palette: Palette) -> None:
    """Paint as many rows as there is room for; columns that do not fit are left out at the right."""
    cells = [[_cell(value) for value in row] for row in table.rows]
    right = [any(isinstance(row[j], int | float) for row in table.rows) for j in range(len(table.columns))]
    widths = [
        max(width_of(head), *(width_of(row[j]) for row in cells)) if cells else width_of(head)
        for j, head in enumerate(table.columns)
    ]
    column = 1 + (2 if table.tones else 0)
    if len(widths) > 1 and right[1]:  # names that are too long are cut before their numbers are left out
        widths[0] = min(widths[0], max(canvas.columns - column - 2 - min(widths[1], _NUMBER), _NAME))
    gaps = _gaps(canvas.columns - column - 1, widths)
    places: list[tuple[int, int]] = []
    for width in widths:
        if column + min(width, 6) > canvas.columns - 1 and places:
            break
        width = min(width, canvas.columns - 1 - column)
        places.append((column, width))
        column += width + gaps
    for j, (left, width) in enumerate(places):
        _put(canvas, left, 0, table.columns[j], width, right[j], palette.dim)
    room = canvas.rows - 1
    first = _first_shown(len(cells), room, table.marked)
    for line, i in enumerate(range(first, min(len(cells), first + room)), start=1):
        marked = i in table.marked
        if marked:
            canvas.ground[line, :] = palette.selected
        if table.tones and i < len(table.tones):
            tone = table.tones[i]
            if tone is not None:
                canvas.text(1, line, glyph_of(tone), palette.tone(tone))
        for j, (left, width) in enumerate(places):
            _put(canvas, left, line, cells[i][j], width, right[j], palette.accent if marked else palette.ink)
    below = len(cells) - first - room
    if below > 0 and canvas.rows > 2:
        text = f" {below + 1} more rows "
        canvas.text(1, canvas.rows - 1, " " * (canvas.columns - 1), palette.dim, palette.panel)
        canvas.text(1, canvas.rows - 1, text, palette.dim, palette.panel)


def _gaps(room: int, widths: list[int]) -> int:
    """Choose the blanks between columns: three where there is room, else two or one."""
    for gap in (3, 2):
        if sum(widths) + gap * (len(widths) - 1) <= room:
            return gap
    return 1


def _first_shown(rows: int, room: int, marked: tuple[int, ...]) -> int:
    """Choose the first row to show, so that a marked one is in sight."""
    if rows <= room or not marked:
        return 0
    return min(max(marked[0] - room // 2, 0), rows - room)


def _cell(value: str | int | float | None) -> str:
    return value if isinstance(value, str) else number(value)


def _put(canvas: Canvas, left: int, row: int, text: str, width: int, right: bool, ink: int) -> None:
    text = fitted(text, width)
    canvas.text(left + (width - width_of(text) if right else 0), row, text, ink)
