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
    note = in_own_keys(note, palette) if palette.keys else without_keys(note)
    if canvas.rows >= 2 and canvas.columns > 6:
        room = room_for_note(canvas, title)
        if note and width_of(note) <= room:  # part of a hint would be none
            paint_hint(canvas, _limit(canvas, title) - width_of(note) - 2, 0, f" {note} ", palette)
        canvas.text(2, 0, f" {fitted(title, canvas.columns - 5)} ", palette.ink)
    return inside(canvas)


def paint_hint(canvas: Canvas, column: int, row: int, text: str, palette: Palette) -> None:
    """Write a hint, its keys as in the line of keys."""
    if not palette.keys:
        text, whole = without_keys(text), text
        column += width_of(whole) - width_of(text)  # it stands at the right
    canvas.text(column, row, text, palette.dim)
    own = {key for _, key in palette.own_keys}
    for key in _KEY.finditer(text) if not own else _named_in(text, own):
        canvas.text(column + width_of(text[: key.start()]), row, key.group(), palette.accent)


def in_own_keys(text: str, palette: Palette) -> str:
    """Write a hint with the keys that the reader has given to what it speaks of."""
    own = dict(palette.own_keys)
    return _KEY.sub(lambda key: own.get(key.group(), key.group()), text) if own else text


def _named_in(text: str, own: set[str]) -> Iterator[re.Match[str]]:
    """Find the keys of a hint where some are the reader's own."""
    longest = "|".join(map(re.escape, sorted(own, key=len, reverse=True)))
    return re.finditer(rf"(?<!\S)(?:{longest})(?=: (?:\d+(?: of |/)\d|whole))|{_KEY.pattern}", text)


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
