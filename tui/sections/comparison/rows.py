"""The rows of a table of several runs: a name, a cell a run, and a mark; and how they are painted."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette, glyph_of

DIGITS = 5  # of a number in the table
WIDTH = 10  # of a number, so that columns stay where they are
_NAME = 14  # columns that a name keeps before a column is left out
_BROAD = 17  # columns of a broad cell at least
_MARK = 10  # columns of the mark of a theorem


class Cell(Struct, frozen=True):
    """A text in a table.

    Attributes:
        text: what it says.
        bright: whether it is of the step that is shown.
        ink: "" for what brightness says, else what it means.
        run: the run that it is the letter of, None for no letter.
    """

    text: str
    bright: bool = False
    ink: Literal["", "good", "wrong", "accent"] = ""
    run: int | None = None

    def colour(self, palette: Palette) -> int:
        if self.run is not None:
            return palette.run(self.run)
        inks = {"good": palette.good, "wrong": palette.wrong, "accent": palette.accent}
        return inks.get(self.ink, palette.ink if self.bright else palette.dim)


class Row(Struct, frozen=True):
    """A row.

    Attributes:
        name: of the number, cluster or theorem; of a section its title.
        cells: one a run.
        after: further columns: the difference, the share.
        mark: what stands at the right.
        tone: the tone of a cluster, shown as its glyph before the name; None for none.
        marked: whether it differs most.
        section: whether other rows stand under it.
        wide: whether its cells are broad and share the whole row.
        spread: whether its name has the whole row.
    """

    name: str
    cells: tuple[Cell, ...] = ()
    after: tuple[Cell, ...] = ()
    mark: Cell = Cell("")
    tone: int | None = None
    marked: bool = False
    section: bool = False
    wide: bool = False
    spread: bool = False


def paint_rows(canvas: Canvas, heads: Sequence[Cell], rows: Sequence[Row], palette: Palette) -> None:
    """Paint the heads and as many rows as there is room for; a further column that has no room is left out."""
    runs = max((len(row.cells) for row in rows), default=0)
    count = len(heads)
    while count > runs and canvas.columns - 3 - count * (WIDTH + 1) < _NAME:
        count -= 1
    for i, head in enumerate(heads[:count]):
        _put(canvas, 0, _left(canvas, i, count), WIDTH, head, palette)
    for line, row in enumerate(rows[: canvas.rows - 1], start=1):
        if row.section:
            _section(canvas, line, row, palette)
        elif row.spread:
            _name(canvas, line, row, canvas.columns - 1, palette)
        elif row.wide:
            _broad(canvas, line, row, palette)
        else:
            _narrow(canvas, line, row, count, palette)


def _left(canvas: Canvas, i: int, count: int) -> int:
    """Find the first cell of the i-th of so many columns."""
    return canvas.columns - 3 - (count - i) * (WIDTH + 1) + 1


def _put(canvas: Canvas, line: int, left: int, width: int, cell: Cell, palette: Palette) -> None:
    text = fitted(cell.text, width)
    canvas.text(left + width - width_of(text), line, text, cell.colour(palette))


def _section(canvas: Canvas, line: int, row: Row, palette: Palette) -> None:
    canvas.text(0, line, "─" * canvas.columns, palette.line)
    end = canvas.text(1, line, f" {row.name} ", palette.ink)
    left = canvas.columns - width_of(row.mark.text) - 4
    if row.mark.text and left > end:
        canvas.text(left, line, f" {row.mark.text} ", row.mark.colour(palette))


def _name(canvas: Canvas, line: int, row: Row, room: int, palette: Palette) -> None:
    if row.marked:
        canvas.ground[line, :] = palette.selected
    if row.tone is not None:
        canvas.text(1, line, glyph_of(row.tone), palette.tone(row.tone))
    column = 1 if row.tone is None else 3
    canvas.text(column, line, fitted(row.name, room - column), palette.accent if row.marked else palette.dim)


def _narrow(canvas: Canvas, line: int, row: Row, count: int, palette: Palette) -> None:
    _name(canvas, line, row, _left(canvas, 0, count) - 1, palette)
    for i, cell in enumerate((*row.cells, *row.after)[:count]):
        _put(canvas, line, _left(canvas, i, count), WIDTH, cell, palette)
    mark = "◂" if row.marked else row.mark.text[:2]
    canvas.text(canvas.columns - 2, line, mark, palette.accent if row.marked else row.mark.colour(palette))


def _broad(canvas: Canvas, line: int, row: Row, palette: Palette) -> None:
    """Paint broad cells: each as wide as it is, the name gets the rest."""
    each = max(max(width_of(cell.text) for cell in row.cells), _BROAD)
    right = canvas.columns - 1 - _MARK
    first = right - len(row.cells) * (each + 2)
    _name(canvas, line, row, first, palette)
    for i, cell in enumerate(row.cells):
        _put(canvas, line, first + i * (each + 2) + 2, each, cell, palette)
    _put(canvas, line, right + 1, _MARK - 1, row.mark, palette)
