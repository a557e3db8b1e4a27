"""A table of a scene: what of it has room, scrolled; names dim, and bright what the step changed."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from algorithms.core import Table
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette, glyph_of, mix
from tui.paint.ticks import number

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
    """

    places: tuple[tuple[int, int, int], ...]
    digits: int
    offset: Offset
    rows: int
    below: int
    right: int

    @property
    def whole(self) -> bool:
        return not (self.offset.row or self.offset.column or self.below or self.right)

    def words(self, room: int) -> str:
        """Say what is out of sight, in as many words as there is room for; "" for nothing."""
        if self.whole:
            return ""
        rows = _counts("row", ("↑", self.offset.row), ("↓", self.below))
        columns = _counts("column", ("←", self.offset.column), ("→", self.right))
        hints = [rows + ", pgdn"] * bool(rows) + [columns + ", < >"] * bool(columns)
        brief = [text.rpartition(" ")[0] for text in (rows, columns) if text]
        choices = ("  ".join(parts) for parts in (hints, [text for text in (rows, columns) if text], brief))
        return next((text for text in choices if width_of(text) <= room), "")


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
    passed = min(offset.column, _most_passed(table, columns))
    places, digits = _placed(table, columns, passed)
    right = len(table.columns) - passed - len(places)
    shown = min(room, len(table.rows) - row)
    return Extract(tuple(places), digits, Offset(row, passed, offset.away), shown, len(table.rows) - row - shown, right)


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
    """How much is cut so that a table is narrower: names and heads down to so many cells, numbers to so many digits."""

    name: int
    head: int
    digits: int


_PANNED = _Squeeze(11, 10, 4)  # where columns wait beside all the same


def _squeezes(table: Table) -> Iterator[_Squeeze]:
    """List what may be cut, the least first: names, then heads, then digits."""
    heads = max(map(width_of, table.columns))
    yield _Squeeze(99, heads, _DIGITS)
    for name, least, digits in ((8, 5, _DIGITS), (8, 4, 3), (5, 3, 3)):
        yield from (_Squeeze(name, head, digits) for head in range(heads, least - 1, -1))


def _widths(table: Table, shown: Sequence[int], squeeze: _Squeeze, room: int) -> list[int]:
    """Measure columns: as wide as their widest cell, and as their head unless that is cut; names take what is left."""
    widths = []
    for j in shown:
        cells = max((width_of(_cell(row[j], squeeze.digits)) for row in table.rows), default=0)
        head = width_of(table.columns[j])
        widths.append(max(cells, min(head, squeeze.head) if j else head))
    if shown[0] == 0 and not _has_numbers(table, 0):
        over = sum(widths) + len(widths) - 1 - room
        widths[0] = max(widths[0] - max(over, 0), min(squeeze.name, widths[0]))
    return widths


def _has_numbers(table: Table, j: int) -> bool:
    """Tell whether a column has numbers, be it as text ("3.8 ± 1.2"), of which nothing may be cut."""
    texts = [cell for row in table.rows if isinstance(cell := row[j], str) and cell]
    return _numeric(table, j) or (bool(texts) and all(text[0] in _SIGNS for text in texts))


def _numeric(table: Table, j: int) -> bool:
    return any(isinstance(row[j], int | float) for row in table.rows)


def _placed(table: Table, columns: int, passed: int) -> tuple[list[tuple[int, int, int]], int]:
    """Place the first column and those after the passed ones, as many as fit: (column, first cell, width); and how many
    digits numbers have."""
    start, end = 1 + (2 if table.tones else 0), columns - 1
    every = range(len(table.columns))
    fits = (s for s in _squeezes(table) if sum(_widths(table, every, s, end - start)) + len(every) - 1 <= end - start)
    squeeze = next(fits, None)
    shown = every if squeeze else [0, *range(1 + passed, len(every))]
    squeeze = squeeze or _PANNED
    widths = _widths(table, shown, squeeze, end - start)
    gap = next((gap for gap in (3, 2) if sum(widths) + gap * (len(widths) - 1) <= end - start), 1)
    places: list[tuple[int, int, int]] = []
    for j, width in zip(shown, widths):
        least = width if _has_numbers(table, j) else min(width, _TEXT)
        if start >= end or (len(places) > 1 and start + least > end):
            break
        places.append((j, start, min(width, end - start)))
        start += width + gap
    return places, squeeze.digits


def _most_passed(table: Table, columns: int) -> int:
    """Count the columns that have to be passed over until the last one is in sight."""
    most = max(len(table.columns) - 2, 0)
    return next((k for k in range(most) if len(_placed(table, columns, k)[0]) >= len(table.columns) - k), most)


def changed_cells(table: Table, before: Table | None) -> list[list[bool]] | None:
    """Tell which cells say something else than a step before; None where that is not known.

    Rows are compared with the one of the same name where each has a name of its own, else with the one at their place.
    """
    if before is None or before.columns != table.columns:
        return None
    keys, keys_before = ([row[0] for row in of.rows if row] for of in (table, before))
    own = len(set(keys)) == len(keys) and len(set(keys_before)) == len(keys_before)
    earlier = {key if own else i: row for i, (key, row) in enumerate(zip(keys_before, before.rows))}
    return [
        [i_before is None or _cell(cell) != _cell(i_before[j]) for j, cell in enumerate(row)]
        for i_before, row in (
            (earlier.get(key if own else i), row) for i, (key, row) in enumerate(zip(keys, table.rows))
        )
    ]


def paint_table(
    canvas: Canvas, table: Table, palette: Palette, seen: Extract | None = None, before: Table | None = None
) -> None:
    """Paint what is seen of a table: bright what the step changed, as far as the table before it is known."""
    seen = seen or extract(table, canvas.columns, canvas.rows)
    changed = changed_cells(table, before)
    for j, left, width in seen.places:
        _put(canvas, left, 0, table.columns[j], width, _numeric(table, j), palette.dim)
    first = seen.offset.row
    for line, i in enumerate(range(first, first + seen.rows), start=1):
        _paint_row(canvas, line, table, i, seen, None if changed is None else changed[i], palette)


def _paint_row(
    canvas: Canvas, line: int, table: Table, i: int, seen: Extract, changed: list[bool] | None, palette: Palette
) -> None:
    dim, marked = palette.dim, i in table.marked
    if marked:
        canvas.ground[line, :], dim = palette.selected, mix(palette.dim, palette.ink, _ON_SELECTED)
        canvas.text(canvas.columns - 1, line, _MARK, palette.accent)
    tone = table.tones[i] if i < len(table.tones) else None
    if tone is not None:
        canvas.text(1, line, glyph_of(tone), palette.tone(tone))
    for j, left, width in seen.places:
        if j == 0 and len(table.columns) > 1:
            ink, bold = palette.accent if marked else dim, False
        else:
            bright = changed is None or changed[j]
            ink, bold = palette.ink if bright else dim, bright and changed is not None
        _put(canvas, left, line, _cell(table.rows[i][j], seen.digits), width, _numeric(table, j), ink, bold)


def _cell(value: str | int | float | None, digits: int = _DIGITS) -> str:
    return value if isinstance(value, str) else number(value, digits)


def _put(canvas: Canvas, left: int, row: int, text: str, width: int, right: bool, ink: int, bold: bool = False) -> None:
    text = fitted(text, width)
    canvas.text(left + (width - width_of(text) if right else 0), row, text, ink, bold=bold)
