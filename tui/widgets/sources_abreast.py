"""The sources of two runs beside each other: the lines of this step, and which line gives what first differs.

Two versions of one program stand line by line beside each other, what differs between them marked; two programs each
around its own line.
"""

from msgspec import Struct

from algorithms.core.text import clean
from algorithms.playback.comparison.letters import LETTERS
from algorithms.playback.comparison.sources import Listing
from algorithms.timeline.source_texts import Row, parts_apart, versions
from tui.paint.canvas import Canvas, fitted
from tui.paint.palette import Palette
from tui.widgets.source import Source, block_of, common_indent, first_seen

_NUMBER, _SIGNS, _CODE = 1, 6, 9  # columns at which the number of a line, its two signs and its code begin


class _Half(Struct, frozen=True):
    """One of the two sources, and the part of the canvas that it is painted on.

    Attributes:
        block: the first and the last line of the statements of this step.
        focus: the lines that are to be seen, likewise.
    """

    run: int
    listing: Listing
    canvas: Canvas
    block: tuple[int, int]
    focus: tuple[int, int]

    def place_of(self, line: int) -> int:
        return line - self.listing.first


class SourcesAbreast(Source):
    """The source of the run in hand, or of two runs beside each other."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._two: tuple[tuple[int, Listing], ...] = ()
        self._there = False

    def show(self, first: int, lines: list[str], line: int) -> None:
        if self._two:
            self._two = ()
            self.redraw()
        super().show(first, lines, line)

    def show_two(self, two: tuple[tuple[int, Listing], ...], there: bool) -> None:
        """Show two sources, each with the run that it is of.

        Args:
            there: whether the runs stand where they first differ, so that the line which gives it is in the middle.
        """
        if (two, there) != (self._two, self._there):
            self._two, self._there = two, there
            self.redraw()

    def paint(self, canvas: Canvas) -> None:
        if not self._two:
            super().paint(canvas)
            return
        palette = self.palette
        canvas.fill(palette.panel)
        left = (canvas.columns - 1) // 2
        parts = [canvas.part(0, 0, left, canvas.rows), canvas.part(left + 1, 0, canvas.columns - left - 1, canvas.rows)]
        for row in range(canvas.rows):
            canvas.text(left, row, "│", palette.line)
        halves = [self._half(run, listing, part) for (run, listing), part in zip(self._two, parts)]
        rows = versions(halves[0].listing.lines, halves[1].listing.lines)
        another = None if rows is None else _another(halves, rows)
        for i, half in enumerate(halves):
            place = None if rows is None or another is None else rows[another].places[i]
            _paint_head(half, "" if rows is None else _words(rows), place, palette)
        if rows is not None:
            _paint_versions(halves, rows, another if self._there else None, palette)
            return
        for half in halves:
            _paint_alone(half, palette)

    def _half(self, run: int, listing: Listing, canvas: Canvas) -> _Half:
        block = block_of(listing.text, listing.first, listing.line) if listing.lines else (1, 1)
        focus = (listing.given, listing.given) if self._there and listing.given else block
        return _Half(run, listing, canvas, block, focus)


def _words(rows: tuple[Row, ...]) -> str:
    differ = sum(not row.same for row in rows)
    return "the same lines" if not differ else f"{differ:,} line{'s' if differ > 1 else ''} of {len(rows):,} differ"


def _another(halves: list[_Half], rows: tuple[Row, ...]) -> int | None:
    """Find the row that differs next to the lines which give what first differs, where these are the same."""
    given = [half.place_of(half.listing.given) if half.listing.given else None for half in halves]
    at = next((i for i, row in enumerate(rows) if row.same and row.places == tuple(given)), None)
    apart = [i for i, row in enumerate(rows) if not row.same]
    return min(apart, key=lambda i: abs(i - at)) if at is not None and apart else None


def _paint_head(half: _Half, words: str, another: int | None, palette: Palette) -> None:
    """Say whose source it is, which line gives what first differs, and which is not the other's where that line is."""
    listing, canvas = half.listing, half.canvas
    canvas.text(1, 0, LETTERS[half.run], palette.run(half.run))
    said = f"{clean(listing.field)} first differs, given in line {listing.given:,}" if listing.given else words
    said += "" if another is None else f"; line {listing.first + another:,} is another"
    room = canvas.columns - 4
    if listing.given and len(said) > room:
        said = f"{clean(listing.field)} ≠ in line {listing.given:,}"
        said += "" if another is None else f", ~ {listing.first + another:,}"
    said = fitted(said, room)
    name = clean(listing.name)
    if len(name) + 2 + len(said) <= room:
        canvas.text(3, 0, name, palette.dim)
    canvas.text(canvas.columns - 1 - len(said), 0, said, palette.wrong if listing.given else palette.dim)


def _paint_alone(half: _Half, palette: Palette) -> None:
    """Paint a source around its own line."""
    listing, rows = half.listing, half.canvas.rows - 1
    last = listing.first + len(listing.lines) - 1
    top = first_seen(*half.focus, listing.first, last, rows)
    places = [half.place_of(top + row) for row in range(min(rows, last - top + 1))]
    spare = common_indent([listing.lines[place] for place in places])
    for row, place in enumerate(places):
        _paint_line(half, row + 1, place, spare, palette)


def _paint_versions(halves: list[_Half], rows: tuple[Row, ...], another: int | None, palette: Palette) -> None:
    """Paint two versions line by line, around the lines that are sought, and the row that differs next to them."""
    room = halves[0].canvas.rows - 1
    seen = [
        at
        for at, row in enumerate(rows)
        for half, place in zip(halves, row.places)
        if place is not None and half.place_of(half.focus[0]) <= place <= half.place_of(half.focus[1])
    ]
    start, end = (min(seen), max(seen)) if seen else (0, 0)
    if another is not None:
        start, end = min(start, another), max(end, another)
    if end - start >= room:  # they stand far apart: that which differs, or the one that stands first
        start = end = start if another is None else another
    top = first_seen(start, end, 0, len(rows) - 1, room)
    shown = [(row, _lines(halves, row)) for row in rows[top : top + room]]
    spare = common_indent([line for _, lines in shown for line in lines])
    for at, (row, lines) in enumerate(shown):
        for half, place, part in zip(halves, row.places, parts_apart(*lines)):
            if place is not None:
                _paint_line(half, at + 1, place, spare, palette, None if row.same else part)


def _lines(halves: list[_Half], row: Row) -> tuple[str, str]:
    """Get the two lines of a row, "" where there is none."""
    one, other = ("" if place is None else half.listing.lines[place] for half, place in zip(halves, row.places))
    return one, other


def _paint_line(
    half: _Half, row: int, place: int, spare: int, palette: Palette, apart: tuple[int, int] | None = None
) -> None:
    """Paint a line with its signs: where the run stands, what gives the first difference, what the other has not so.

    Args:
        spare: blanks at its beginning that are left out.
        apart: from where to where it differs from the line beside it; None where it does not.
    """
    listing, canvas = half.listing, half.canvas
    number = listing.first + place
    inside, current = half.block[0] <= number <= half.block[1], number == listing.line
    if current:
        canvas.ground[row, :] = palette.selected
    canvas.text(_NUMBER, row, f"{number:>4}", palette.dim if inside else palette.faint)
    canvas.text(_SIGNS, row, "▸" if current else "│" if inside else " ", palette.accent)
    given = number == listing.given
    canvas.text(_SIGNS + 1, row, "≠" if given else "~" if apart else " ", palette.wrong if given else palette.accent)
    code = fitted(clean(listing.lines[place][spare:]), canvas.columns - _CODE - 1)
    canvas.text(_CODE, row, code, palette.ink if inside or given else palette.dim)
    if apart is not None:
        begin, end = (max(at - spare, 0) for at in apart)
        canvas.text(_CODE + begin, row, code[begin:end], palette.accent)
