"""A table of a scene: what of it has room, scrolled; names dim, and bright what the step changed."""

from collections.abc import Iterator, Sequence
from os.path import commonprefix

from msgspec import Struct

from algorithms.core import Table
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette, glyph_of, mix
from tui.paint.text import typeset
from tui.paint.ticks import number

_LONG = 16  # columns of a name that is cut, at most for being told from another
_TEXT = 6  # columns that a text at the right keeps
_SIGNS = frozenset("+-0123456789∞")  # with which a text that is a number begins
_DIGITS = 4
_MARK = "◂"  # at the right of a row that the step is about
_ON_SELECTED = 0.3  # how much of ink there is in what is dim on the row in hand


class Offset(Struct, frozen=True):
    """How far a table is scrolled.

    Attributes:
        row: the first row that is shown.
        column: how many columns after the first are passed over.
        away: whether a person scrolled away from the rows that the step is about.
    """

    row: int = 0
    column: int = 0
    away: bool = False


class Extract(Struct, frozen=True):
    """What of a table is shown.

    Attributes:
        places: (column, first cell, width) of those that are shown.
        digits: how many digits numbers have.
        offset: how far it is scrolled, within what there is.
        rows: how many are shown.
        below, right: how many rows are beneath, and columns to the right.
        lines: the row of each line, twice that of a name which goes on in a second one.
    """

    places: tuple[tuple[int, int, int], ...]
    digits: int
    offset: Offset
    rows: int
    below: int
    right: int
    lines: tuple[int, ...]

    @property
    def whole(self) -> bool:
        return not (self.offset.row or self.offset.column or self.below or self.right)

    def words(self, room: int, brief: bool = False) -> str:
        """Say what is out of sight, with the keys if there is room, or as signs alone if it may be brief.

        There are no words for nothing, nor where there is no room.
        """
        if self.whole:
            return ""
        rows = _counts("row", ("↑", self.offset.row), ("↓", self.below))
        columns = _counts("column", ("←", self.offset.column), ("→", self.right))
        hints = [rows + ", pgdn"] * bool(rows) + [columns + ", < >"] * bool(columns)
        named = [text for text in (rows, columns) if text]
        choices = [hints, named, *([[text.rpartition(" ")[0] for text in named]] if brief else [])]
        return next((text for parts in choices if width_of(text := "  ".join(parts)) <= room), "")


def _counts(name: str, *signs: tuple[str, int]) -> str:
    """Count what is out of sight either way: "↑ 3 ↓ 16 rows"; "" for nothing."""
    some = [(sign, count) for sign, count in signs if count]
    plural = "" if len(some) == 1 and some[0][1] == 1 else "s"
    return " ".join(f"{sign} {count}" for sign, count in some) + f" {name}{plural}" if some else ""


def table_height(table: Table) -> int:
    """Count the rows that the whole table takes."""
    return len(table.rows) + 1


def extract(table: Table, columns: int, rows: int, offset: Offset = Offset()) -> Extract:
    """Choose what of a table is shown in so much room: names are cut before columns wait beside.

    The rows of the step are brought into sight unless a person scrolled away from them.
    """
    room = max(rows - 1, 0)
    last = max(len(table.rows) - room, 0)
    row = min(offset.row, last) if offset.away else _following(min(offset.row, last), room, last, table.marked)
    measure = _Measure(table)
    squeeze = measure.fitting(columns - 2 - 2 * bool(table.tones))
    most = 0 if squeeze else max(len(table.columns) - 2, 0)
    for passed in range(min(offset.column, most) + 1):
        places = _placed(table, measure, squeeze, columns, passed)
        if len(places) >= len(table.columns) - passed:  # the last one is in sight
            break
    right = len(table.columns) - passed - len(places)
    shown = min(room, len(table.rows) - row)
    return Extract(
        tuple(places),
        (squeeze or _PANNED).digits,
        Offset(row, passed, offset.away),
        shown,
        len(table.rows) - row - shown,
        right,
        _lines(table, range(row, row + shown), places[0][2] if places and measure.named else 0, room),
    )


def _lines(table: Table, rows: range, width: int, room: int) -> tuple[int, ...]:
    """Choose the row of each line: names that are cut go on in a second one where there are enough lines for all."""
    cut_names = [i for i in rows if width and width_of(_cell(table.rows[i][0])) > width]
    if not cut_names or len(rows) + len(cut_names) > room:
        return tuple(rows)
    return tuple(sorted([*rows, *cut_names]))


def scrolled(table: Table, seen: Extract, by: int) -> Offset:
    """Find where a table is after it was scrolled by some rows, and whether that is away from those of the step."""
    row = min(max(seen.offset.row + by, 0), seen.offset.row + seen.below)
    in_sight = any(row <= marked < row + seen.rows for marked in table.marked)
    return Offset(row, seen.offset.column, away=bool(table.marked) and not in_sight)


def panned(seen: Extract, by: int) -> Offset:
    """Find where a table is after columns were passed over, or taken back."""
    row, column = seen.offset.row, seen.offset.column
    return Offset(row, max(column + by, 0) if by < 0 or seen.right else column, seen.offset.away)


def _following(first: int, room: int, last: int, marked: tuple[int, ...]) -> int:
    """Choose the first row to show: as it was where a marked row is in sight, else with one in the middle."""
    if not marked or any(first <= i < first + room for i in marked):
        return first
    return min(max(marked[0] - room // 2, 0), last)


class _Squeeze(Struct, frozen=True):
    """How much is cut so that a table is narrower: names and heads down to so many cells, numbers to so many digits,
    the blanks between two columns to so many."""

    name: int
    head: int
    digits: int
    gap: int = 2


_PANNED = _Squeeze(11, 10, 4)  # where columns wait beside all the same


def _squeezes(heads: int) -> Iterator[_Squeeze]:
    """List what may be cut, the least first: names, then heads, which are so wide, digits, and what is between."""
    yield _Squeeze(99, heads, _DIGITS)
    for name, least, digits, gap in ((8, 5, _DIGITS, 2), (8, 4, 3, 2), (8, 4, 3, 1)):
        yield from (_Squeeze(name, head, digits, gap) for head in range(max(heads, least), least - 1, -1))


class _Measure:
    """Measures the columns of a table, each text once."""

    def __init__(self, table: Table):
        self._table = table
        self.heads = [width_of(head) for head in table.columns]
        self.named = bool(table.columns) and not _has_numbers(table, 0)
        self._least_name = _cells_to_differ(table) if self.named else 0
        self._cells: dict[int, list[int]] = {}

    def _of_cells(self, digits: int) -> list[int]:
        if digits not in self._cells:
            columns = range(len(self._table.columns))
            cells = [column_texts(self._table, j, digits) for j in columns]
            self._cells[digits] = [max(map(width_of, texts), default=0) for texts in cells]
        return self._cells[digits]

    def widths(self, shown: Sequence[int], squeeze: _Squeeze, room: int) -> list[int]:
        """Measure columns: as wide as their widest cell and their head, unless that is cut; names take what is left."""
        cells = self._of_cells(squeeze.digits)
        widths = [max(cells[j], min(self.heads[j], squeeze.head) if j else self.heads[j]) for j in shown]
        if self.named:
            over = sum(widths) + squeeze.gap * (len(widths) - 1) - room
            widths[0] = max(widths[0] - max(over, 0), min(max(squeeze.name, self._least_name), widths[0]))
        return widths

    def fitting(self, room: int) -> _Squeeze | None:
        """Choose what is cut so that all columns fit; None where they do not."""
        every = range(len(self.heads))
        squeezes = _squeezes(max(self.heads))
        gaps = len(every) - 1
        return next((s for s in squeezes if sum(self.widths(every, s, room)) + s.gap * gaps <= room), None)


def _cells_to_differ(table: Table) -> int:
    """Count the cells that names need so that, cut, no two of them look alike; more than some are not given."""
    names = sorted({_cell(row[0]) for row in table.rows})
    shared = max((len(commonprefix([a, b])) for a, b in zip(names, names[1:])), default=0)
    return min(shared + 2, _LONG)


def _has_numbers(table: Table, j: int) -> bool:
    """Tell whether a column has numbers, be it as text ("3.8 ± 1.2"), of which nothing may be cut."""
    texts = [cell for row in table.rows if isinstance(cell := row[j], str) and cell]
    return _numeric(table, j) or (bool(texts) and all(text[0] in _SIGNS for text in texts))


def _numeric(table: Table, j: int) -> bool:
    return any(isinstance(row[j], int | float) for row in table.rows)


def _placed(
    table: Table, measure: _Measure, squeeze: _Squeeze | None, columns: int, passed: int
) -> list[tuple[int, int, int]]:
    """Place the first column and those after the passed ones, as many as fit: (column, first cell, width)."""
    start, end = 1 + (2 if table.tones else 0), columns - 1
    every = range(len(table.columns))
    shown = every if squeeze else [0, *range(1 + passed, len(every))]
    widths = measure.widths(shown, squeeze or _PANNED, end - start)
    least_gap = (squeeze or _PANNED).gap
    gap = next((gap for gap in (3, 2) if sum(widths) + gap * (len(widths) - 1) <= end - start), least_gap)
    places: list[tuple[int, int, int]] = []
    for j, width in zip(shown, widths):
        least = width if _has_numbers(table, j) else min(width, _TEXT)
        if start >= end or (len(places) > 1 and start + least > end):
            break
        places.append((j, start, min(width, end - start)))
        start += width + gap
    return places


def changed_cells(table: Table, before: Table | None) -> list[list[bool]] | None:
    """Tell which cells say something else than a step before; None where that is not known.

    Rows are compared with the one of the same name where each has a name of its own, else with the one at their place.
    """
    if before is None or before.columns != table.columns or not table.columns:
        return None
    names, names_before = ([row[0] for row in of.rows] for of in (table, before))
    own = len(set(names)) == len(names) and len(set(names_before)) == len(names_before)
    keys, keys_before = (names, names_before) if own else (range(len(names)), range(len(names_before)))
    known = dict(zip(keys_before, before.rows))
    return [
        [key not in known or _differs(cell, was) for cell, was in zip(row, known.get(key, row))]
        for key, row in zip(keys, table.rows)
    ]


def _differs(a: str | int | float | None, b: str | int | float | None) -> bool:
    """Tell whether two cells say something else."""
    return a != b and _cell(a) != _cell(b)


def paint_table(
    canvas: Canvas, table: Table, palette: Palette, seen: Extract | None = None, before: Table | None = None
) -> None:
    """Paint what is seen of a table: bright what the step changed, as far as the table before it is known."""
    seen = seen or extract(table, canvas.columns, canvas.rows)
    changed = changed_cells(table, before)
    cells = {j: column_texts(table, j, seen.digits) for j, _, _ in seen.places}
    for j, left, width in seen.places:
        _put(canvas, left, 0, table.columns[j], width, _at_the_right(table, j), palette.dim)
    for line, i in enumerate(seen.lines, start=1):
        if line > 1 and seen.lines[line - 2] == i:
            _paint_rest(canvas, line, table, i, seen, palette)
            continue
        texts = [cells[j][i] for j, _, _ in seen.places]
        goes_on = seen.lines[line : line + 1] == (i,)
        if goes_on:
            texts[0] = broken_name(texts[0], seen.places[0][2])[0]
        _paint_row(canvas, line, table, i, texts, seen, None if changed is None else changed[i], palette)


def _paint_rest(canvas: Canvas, line: int, table: Table, i: int, seen: Extract, palette: Palette) -> None:
    """Paint what is left of a name in a line of its own."""
    if i in table.marked:
        canvas.ground[line, :] = palette.selected
    _, left, width = seen.places[0]
    rest = broken_name(_cell(table.rows[i][0]), width)[1]
    rest = fitted(rest, canvas.columns - left - 1)
    canvas.text(left, line, rest, palette.accent if i in table.marked else palette.dim)


def broken_name(name: str, width: int) -> tuple[str, str]:
    """Break a name after the last blank, dash or underscore that is within so many cells, else where it must be."""
    head = name[:width]
    places = [place for place in range(1, len(head) + 1) if head[place - 1] in " -_"]
    place = places[-1] if places and places[-1] > 1 else len(head)
    return name[:place].rstrip(), name[place:].lstrip()


def _paint_row(
    canvas: Canvas,
    line: int,
    table: Table,
    i: int,
    texts: Sequence[str],
    seen: Extract,
    changed: list[bool] | None,
    palette: Palette,
) -> None:
    dim, marked = palette.dim, i in table.marked
    if marked:
        canvas.ground[line, :], dim = palette.selected, mix(palette.dim, palette.ink, _ON_SELECTED)
        canvas.text(canvas.columns - 1, line, _MARK, palette.accent)
    tone = table.tones[i] if i < len(table.tones) else None
    if tone is not None:
        canvas.text(1, line, glyph_of(tone), palette.tone(tone))
    for (j, left, width), text in zip(seen.places, texts):
        if j == 0 and len(table.columns) > 1:
            ink, bold = palette.accent if marked else dim, False
        else:
            bright = changed is None or changed[j]
            ink, bold = palette.ink if bright else dim, bright and changed is not None
        _put(canvas, left, line, text, width, _at_the_right(table, j), ink, bold)


def column_texts(table: Table, j: int, digits: int = _DIGITS) -> list[str]:
    """Write the cells of a column; of what has a deviation, "4.345 ± 0.37", the points stand below each other."""
    texts = [_cell(row[j], digits) for row in table.rows]
    if not _deviates(table, j):
        return texts
    parts = [text.partition(" ± ") for text in texts]
    values, deviations = aligned([value for value, _, _ in parts]), aligned([after for _, _, after in parts])
    return [f"{a}{sign}{b}" if sign else text for a, (_, sign, _), b, text in zip(values, parts, deviations, texts)]


def aligned(numbers: Sequence[str]) -> list[str]:
    """Pad numbers so that their points stand below each other."""
    parts = [number.partition(".") for number in numbers]
    before = max((width_of(whole) for whole, _, _ in parts), default=0)
    after = max((width_of(point + rest) for _, point, rest in parts), default=0)
    return [whole.rjust(before) + (point + rest).ljust(after) for whole, point, rest in parts]


def _deviates(table: Table, j: int) -> bool:
    first = next((row[j] for row in table.rows if row[j]), None)
    return isinstance(first, str) and " ± " in first


def _at_the_right(table: Table, j: int) -> bool:
    return _numeric(table, j) or _deviates(table, j)


def _cell(value: str | int | float | None, digits: int = _DIGITS) -> str:
    return typeset(value) if isinstance(value, str) else number(value, digits)


def _put(canvas: Canvas, left: int, row: int, text: str, width: int, right: bool, ink: int, bold: bool = False) -> None:
    text = fitted(text, width)
    canvas.text(left + (width - width_of(text) if right else 0), row, text, ink, bold=bold)
