"""The frame of the column beside the stage: one for all sections, with a line between two of them."""

import re
from collections.abc import Iterator

from tui.paint.canvas import SPACE, Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.text import without_keys

_LINE = ord("─")
_KEY = re.compile(r"(?<!\S)[a-z](?=: (?:\d+(?: of |/)\d|whole))|(?<= )pgdn(?!\S)|< >")  # in "t: 1 of 5", ", pgdn"


def outlined(canvas: Canvas, tops: list[int], palette: Palette) -> None:
    """Draw the frame, and the lines at the tops of sections that stand under others."""
    canvas.fill(palette.panel)
    canvas.frame(palette.line)
    for top in tops:
        canvas.text(0, top, "├" + "─" * (canvas.columns - 2) + "┤", palette.line)


def inside(canvas: Canvas) -> Canvas:
    """Cut out what is between a section's title and the line under it."""
    return canvas.part(1, 1, canvas.columns - 2, canvas.rows - 2)


def room_for_note(canvas: Canvas, title: str) -> int:
    """Count the cells for a note at the right of a title, before what stands there already."""
    return _limit(canvas, title) - _end(canvas, title) - 2


def headed(canvas: Canvas, title: str, note: str, palette: Palette) -> Canvas:
    """Write a section's title at the left of its first row and a note at the right; the canvas inside."""
    if canvas.rows >= 2 and canvas.columns > 6:
        room, width = room_for_note(canvas, title), width_of_hint(note, palette)
        if width and width <= room:  # part of a hint would be none
            paint_hint(canvas, _limit(canvas, title) - width - 2, 0, f" {note} ", palette)
        canvas.text(2, 0, f" {fitted(title, canvas.columns - 5)} ", palette.ink)
    return inside(canvas)


def paint_hint(canvas: Canvas, column: int, row: int, text: str, palette: Palette) -> None:
    """Write a hint, its keys as in the line of keys: the reader's own where there are any."""
    for part, is_key in _parts(text, palette):
        column = canvas.text(column, row, part, palette.accent if is_key else palette.dim)


def width_of_hint(text: str, palette: Palette) -> int:
    """Count the cells that a hint takes as it is written."""
    return sum(width_of(part) for part, _ in _parts(text, palette))


def _parts(text: str, palette: Palette) -> Iterator[tuple[str, bool]]:
    """Take a hint apart into keys and what is none; where none can be pressed there are none in it."""
    if not palette.keys:
        yield without_keys(text), False
        return
    own, end = dict(palette.own_keys), 0
    for key in _KEY.finditer(text):
        yield text[end : key.start()], False
        yield own.get(key.group(), key.group()), True
        end = key.end()
    yield text[end:], False


def _end(canvas: Canvas, title: str) -> int:
    return 4 + min(width_of(title), canvas.columns - 5)


def _limit(canvas: Canvas, title: str) -> int:
    """Find the cell after the last one that a note may take."""
    return first_taken(canvas, _end(canvas, title)) - 1


def first_taken(canvas: Canvas, begin: int = 1) -> int:
    """Find the first cell of a section's first row that is neither blank nor a line, from `begin` on."""
    first_row = canvas.glyphs[:1, begin : canvas.columns - 1].ravel()  # of no cells where there is no row
    taken = [begin + i for i, glyph in enumerate(first_row) if glyph not in (_LINE, SPACE)]
    return min(taken, default=canvas.columns - 1)
