"""The legend of a chart: each curve's mark on the cursor, its name and its value there."""

from collections.abc import Container, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from algorithms.playback.pictures.viewer import CurveNow
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.palette import Palette
from tui.paint.shortened import shortened
from tui.paint.text import wrapped

_VALUE = 6  # columns that are kept for a value
_APART = 2  # columns from one curve to the next
_SIGNS = (9, 5)  # columns kept for " behind ●" or " equals ●", of marks in one cell; for " at ●" or " =●"
_WRAPPED = 3  # lines from which on the name of a single curve may take two
_READ = 8  # columns of a name that is cut, so that it can be read
_LEAST = 4  # the same where there is no room for that
_HIGH = 13  # rows of a chart from which on there is a line to say of which step values are
_OPERATORS = "<>=≤≥+-−·/^"


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
        return width_of(self.named) + max(width_of(self.value), _VALUE) + 3

    @property
    def named(self) -> str:
        """Get the name as it stands before a value, of which no digit is to be read as another one of it."""
        return self.name + ":" * (self.name[-1:].isdecimal() or self.name[-1:] in _OPERATORS)


class Remark(Struct, frozen=True):
    """What is said after the curves, with columns kept for it that do not come and go with what it says.

    Attributes:
        last: whether it is about all of them, so that it comes after the last one.
        needed: whether a line of its own is given to it.
    """

    text: str
    ink: int
    columns: int
    last: bool = False
    needed: bool = False


class Legend(Struct, frozen=True):
    """A legend as it is laid out.

    Attributes:
        entries, places: the curves, with the (line, column, columns) of each.
        remarks: each with its line and column.
        rows: how many lines it takes.
        lead: the first line of a name that takes two.
    """

    entries: tuple[Entry, ...]
    places: tuple[tuple[int, int, int], ...]
    remarks: tuple[tuple[Remark, int, int], ...]
    rows: int
    lead: str = ""

    def paint(
        self,
        canvas: Canvas,
        palette: Palette,
        same: Mapping[int, int] | None = None,
        equal: Container[int] = (),
    ) -> None:
        """Write "● objective 64.6   ▲ bound 70.1 behind ●", or "equals ●".

        Args:
            same: the curves whose marks are not seen on the chart, each with that whose mark is in their cell.
            equal: those of them that have its value.
        """
        if self.lead:
            canvas.text(canvas.text(1, 0, f"{self.entries[0].shape} ", self.entries[0].ink), 0, self.lead, palette.dim)
        for i, (entry, (row, column, room)) in enumerate(zip(self.entries, self.places)):
            end = _paint(canvas, entry, column, row, room, palette, " " if self.lead else entry.shape)
            other = self.entries[same[i]] if same and i in same else None
            ways = (" equals ", " =") if i in equal else (" behind ", " at ")
            free = min(column + room + 1, canvas.columns)
            sign = next((words for words in ways if end + width_of(words) < free), "")
            if other is not None and sign:
                canvas.text(canvas.text(end, row, sign, palette.dim), row, other.shape, other.ink)
        for remark, row, column in self.remarks:
            canvas.text(column, row, fitted(remark.text, canvas.columns - column), remark.ink)


def legend(
    entries: Sequence[Entry], remarks: Sequence[Remark], columns: int, most: int, signs: bool, at_most: int = 0
) -> Legend:
    """Lay a legend out on as few lines as can be.

    The name of a single curve goes on in a second line where the chart has room. Where there are too few lines names
    are shortened, so that each curve has its mark and its value.

    Args:
        most: how many lines there are.
        at_most: how many there are where names could not be read else.
        signs: whether that a mark is in the cell of another is to be said rather than remarks.
    """
    if len(entries) == 1 and entries[0].columns >= columns and most >= _WRAPPED:
        value = max(width_of(entries[0].value), _VALUE)
        ways = (wrapped(entries[0].name, columns - room) for room in (4, 4 + value))
        first, *later = next((lines for lines in ways if len(lines) > 1), [""])
        if later:
            rest = legend([replace(entries[0], name=" ".join(later))], remarks, columns, most - 1, signs)
            places = tuple((row + 1, column, room) for row, column, room in rest.places)
            moved = tuple((remark, row + 1, column) for remark, row, column in rest.remarks)
            return Legend(rest.entries, places, moved, rest.rows + 1, first)
    longest = max((width_of(entry.name) for entry in entries), default=0)
    names = [entry.name for entry in entries]
    tried = list(entries)
    least = _READ if at_most > most else _LEAST
    for width in range(max(longest, least), least - 1, -1):
        tried = [replace(entry, name=name) for entry, name in zip(entries, shortened(names, width))]
        laid, kept = _with_signs(tried, remarks, columns, most, signs, forced=width == least)
        if laid is not None:
            return replace(laid, entries=_lengthened(entries, laid, kept))
    if at_most > most:
        return legend(entries, remarks, columns, most + 1, signs, at_most)
    across = -(-len(entries) // max(most, 1))
    room = (columns - 1) // across
    grid = [(i // across, 1 + i % across * room, room - (across > 1)) for i in range(len(entries))]
    return Legend(tuple(tried), tuple(grid), (), -(-len(entries) // across))


def _with_signs(
    entries: list[Entry], remarks: Sequence[Remark], columns: int, most: int, signs: bool, forced: bool
) -> tuple[Legend | None, int]:
    """Lay out names as they are, with as many columns after each value as can be kept to say that its mark is in the
    cell of another.

    Args:
        signs: whether remarks are given for that.
        forced: whether a name may be longer than a line.

    Returns:
        None where the names have no room, and how many columns are kept.
    """
    bare = _placed([entry.columns for entry in entries], columns)
    if _lines_of(bare) > most or not (forced or all(room < columns for _, _, room in bare)):
        return None, 0
    plain = _with_remarks(entries, bare, remarks, columns, most)
    for kept in _SIGNS if len(entries) > 1 else ():
        placed = _placed([entry.columns + kept * (i > 0) for i, entry in enumerate(entries)], columns)
        if _lines_of(placed) <= most and all(room < columns for _, _, room in placed):
            laid = _with_remarks(entries, placed, remarks, columns, most)
            if signs or len(laid.remarks) >= len(plain.remarks):
                return laid, kept
    return plain, 0


def _lengthened(whole: Sequence[Entry], laid: Legend, kept: int) -> tuple[Entry, ...]:
    """Give those that were shortened for others, but have a line of their own, as much of their name as it holds."""
    lines = [row for row, _, _ in laid.places]
    longer = list(laid.entries)
    for i, (entry, (row, _, room)) in enumerate(zip(laid.entries, laid.places)):
        if lines.count(row) == 1 and entry.name != whole[i].name:
            free = room - 3 - max(width_of(entry.value), _VALUE) - kept * (i > 0)
            name = shortened([other.name for other in whole], free)[i]
            longer[i] = replace(entry, name=max(entry.name, name, key=width_of))
    return tuple(longer)


def _with_remarks(
    entries: list[Entry], placed: list[tuple[int, int, int]], remarks: Sequence[Remark], columns: int, most: int
) -> Legend:
    """Put the remarks after the curves, where there is room."""
    rows = max((row for row, _, _ in placed), default=0) + 1
    free = [max((at + room + _APART for line, at, room in placed if line == row), default=1) for row in range(rows)]
    put: list[tuple[Remark, int, int]] = []
    for remark in remarks:
        lines = list(enumerate(free))[rows - 1 if remark.last else 0 :]
        row = next((r for r, at in lines if at + remark.columns <= columns), len(free))
        if row == len(free):
            if not remark.needed or row >= most:
                continue
            free.append(1)
        put.append((remark, row, free[row]))
        free[row] += remark.columns + _APART
    last = {row: max(at for line, at, _ in placed if line == row) for row in {row for row, _, _ in placed}}
    ends = {row: min((column - _APART for _, line, column in put if line == row), default=columns) for row in last}
    wide = [(row, at, ends[row] - at if at == last[row] else room) for row, at, room in placed]
    return Legend(tuple(entries), tuple(wide), tuple(put), len(free))


def _placed(widths: Sequence[int], columns: int) -> list[tuple[int, int, int]]:
    """Choose the line and column of each entry: the first line that has room for it."""
    free: list[int] = []
    places = []
    for width in widths:
        row = next((r for r, at in enumerate(free) if at + width <= columns), len(free))
        if row == len(free):
            free.append(1)
        places.append((row, free[row], width))
        free[row] += width + _APART
    return places


def _lines_of(placed: Sequence[tuple[int, int, int]]) -> int:
    """Count the lines that entries take."""
    return max((row for row, _, _ in placed), default=0) + 1


def _paint(canvas: Canvas, entry: Entry, column: int, row: int, room: int, palette: Palette, shape: str) -> int:
    """Write a curve in so many columns, of which the name is cut first; returns the column after it."""
    column = canvas.text(column, row, f"{shape} ", entry.ink)
    name = fitted(entry.named, room - 3 - width_of(entry.value))
    column = canvas.text(column, row, f"{name} " if name else "", palette.dim)
    return canvas.text(column, row, entry.value, palette.dim if entry.held else palette.ink, bold=not entry.held)


def held_remark(curves: list[CurveNow], last: int, palette: Palette, rows: int) -> Remark:
    """Say of which step the values are that are held, with room kept for it at the steps at which none is; in a line of
    its own where the chart is high."""
    since = sorted({curve.held_from for curve in curves if curve.held_from is not None})
    before = "of step" if len(curves) == 1 else "dim: values of step"
    words = f"{before}{'s' if len(since) > 1 else ''} {' and '.join(f'{t:,}' for t in since[:2])}" if since else ""
    columns = max(width_of(f"{before} {last:,}"), width_of(words))
    return Remark(words, palette.dim, columns, last=True, needed=rows >= _HIGH)


def has_holes(curve: CurveNow) -> bool:
    """Tell whether there are steps at which the curve has no value of its own."""
    t = curve.t
    return curve.held_from is not None or (bool(curve.curve.phases) and len(t) > 1 and len(t) <= int(t[-1]) - int(t[0]))
