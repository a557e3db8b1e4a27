"""The sides of a theorem in large digits beside each other, the relation between them as large."""

import math
from functools import lru_cache
from itertools import pairwise, product

from msgspec import Struct

from algorithms.core import Contrast, Sides
from algorithms.core.text import clean
from algorithms.playback.theorems.page import TheoremPage
from tui.paint.canvas import HALF, Canvas, fitted, width_of
from tui.paint.digits import HEIGHT, QUOTES, columns_of, paint_digits
from tui.paint.palette import Palette, glyph_of, mix
from tui.paint.text import typeset, wrapped
from tui.paint.ticks import number
from tui.sections.theorems.relations import SIGN, names_of, sides_text, values_of

DIGITS = (4, 3)  # of a number, and where there is little room
_MORE = range(5, 11)  # where neighbours that differ would be written alike
ROWS = 4  # of sides: their names and the digits
_NAMED = 2  # rows of names, where there are so many
_APART, _NEAR = 3, 2  # columns between a number and a relation, and where there is little room
_BESIDE = 2  # times the gap, before what is left between the sides
_NAMES = (24, 8)  # columns of a side's name that has no room as a whole, in one row
_UNCUT = 1_000
_ILL = 10  # columns that a line may be longer for, rather than to break a name within brackets
_LEADING = frozenset(["ln", "log", "exp", "min", "max", "Σ", "+", "-", "·", "=", "≤", "<"])  # they end no line
_USUAL = columns_of("0.00")  # of a number with few digits
_MOST = 4  # numbers that are read at a glance
_EQUAL = 1e-9  # of a side: what is less is nothing left
_WAS = 0.6  # of the accent's colour in what was left a step before


class Apart(Struct, frozen=True):
    """What is left between two sides.

    Attributes:
        words: how it is called.
        text: the number.
        past: whether it is that of the step before.
    """

    words: str
    text: str
    past: bool = False


class BigSides:
    """Paints sides; a number keeps the columns it once took, so that what stands right of it does not move.

    Args:
        ascii_alone: whether nothing but ASCII can be shown.
    """

    def __init__(self, ascii_alone: bool = False) -> None:
        self._upper = QUOTES if ascii_alone else HALF
        self._widths: dict[tuple[object, ...], int] = {}

    def paint(self, canvas: Canvas, page: TheoremPage, palette: Palette, tones: tuple[int, ...] = ()) -> None:
        """Paint names above, numbers and relations below; as text where they have no room.

        Args:
            tones: of the curves that are the sides, each with its mark before its name; () where none are drawn.
        """
        sides = sides_of(page)
        if sides is None:
            why = typeset(clean(page.verdict.why))
            for row, line in enumerate(wrapped(why, canvas.columns - 2)[: canvas.rows - 1]):
                canvas.text(1, row + 1, line, palette.dim)
            return
        drawn = _Drawn(sides, _apart(page, sides), inks(page, palette), () if sides.entry else tones)
        self._paint_sides(canvas, drawn, palette)

    def paint_measured(self, canvas: Canvas, sides: Sides, palette: Palette) -> None:
        """Paint numbers that were measured, and that no theorem compares; see `measured_sides`."""
        a, b = sides.values
        left = (Apart("between them", _digits(b - a)),) if a < b else ()
        self._paint_sides(canvas, _Drawn(sides, left, (palette.ink, palette.dim), ()), palette)

    def _paint_sides(self, canvas: Canvas, drawn: "_Drawn", palette: Palette) -> None:
        if canvas.rows < ROWS or not self._paint_numbers(canvas, drawn, palette):
            for row, line in enumerate(wrapped(sides_text(drawn.sides), canvas.columns - 2)[: canvas.rows]):
                canvas.text(1, row, line, drawn.inks[0])

    @staticmethod
    def fits(sides: Sides | None, columns: int, named: int = 0) -> bool:
        """Tell whether sides have room in so many columns, with numbers of the usual width and whole names in so many
        rows; 0 for names of whatever width."""
        if sides is None:
            return True
        texts = written(sides, DIGITS[-1])
        names = [_columns_in(name, named) + 2 if named else 0 for name in names_of(sides)]
        widths = [max(_USUAL, columns_of(text), name) for text, name in zip(texts, names)]
        links = (len(texts) - 1) * (columns_of(SIGN[sides.relation]) + 2 * _NEAR)
        return sum(widths) + links + 2 <= columns

    def _paint_numbers(self, canvas: Canvas, drawn: "_Drawn", palette: Palette) -> bool:
        """Paint the numbers with as much room between as there is; tells whether there is enough."""
        for row in _ways(drawn, canvas.rows - HEIGHT):
            if self._room(row, canvas.columns) >= 0:
                self._paint_row(canvas, row, drawn, palette)
                return True
        return False

    def _room(self, row: "_Row", columns: int) -> int:
        """Count the columns that are left over; below 0 where there are not enough."""
        links = (len(row.texts) - 1) * (columns_of(row.sign) + 2 * row.gap)
        more = sum(_BESIDE * row.gap + self._slot_apart(row, one, columns) for one in row.apart)
        return columns - 2 - links - more - sum(self._slots(row, columns))

    def _slots(self, row: "_Row", columns: int) -> list[int]:
        key = (row.sign, columns, row.digits, row.names, row.named)
        return [
            self._slot(min(_columns_in(name, row.named) + 2, row.names), text, (name, i, *key))
            for i, (name, text) in enumerate(zip(names_of(row.sides), row.texts))
        ]

    def _slot_apart(self, row: "_Row", one: Apart, columns: int) -> int:
        return self._slot(_columns_in(one.words, row.named), one.text, (one.past, columns, row.named))

    def _slot(self, name: int, text: str, key: tuple[object, ...]) -> int:
        """Measure the columns of a number, those of its name at least: as many as it took before, or more."""
        self._widths[key] = max(self._widths.get(key, 0), columns_of(text), name)
        return self._widths[key]

    def _paint_row(self, canvas: Canvas, row: "_Row", drawn: "_Drawn", palette: Palette) -> None:
        """Paint numbers and relations in two colours, and what is left between them in a third."""
        column, last = 1, len(row.texts) - 1
        (ink, relation), tones, top, links = drawn.inks, drawn.tones, row.named, links_of(row.sides)
        for i, (name, text, width) in enumerate(zip(names_of(row.sides), row.texts, self._slots(row, canvas.columns))):
            room = canvas.columns - column - 1 if i == last and not row.apart else width
            names = canvas.part(column, 0, room, top)
            _paint_name(names, name, palette, tones[i] if i < len(tones) else None)
            paint_digits(canvas, column, top, text, ink, self._upper)
            column += width + row.gap
            if i < last:
                paint_digits(canvas, column, top, links[i], relation, self._upper)
                column += columns_of(row.sign) + row.gap
        column -= row.gap
        for one in row.apart:
            column += _BESIDE * row.gap
            width = self._slot_apart(row, one, canvas.columns)
            _paint_name(canvas.part(column, 0, width, top), one.words, palette, None)
            accent = mix(palette.background, palette.accent, _WAS if one.past else 1.0)
            paint_digits(canvas, column, top, one.text, accent, self._upper)
            column += width


class _Drawn(Struct, frozen=True, eq=False):
    """Sides as they are to be painted.

    Attributes:
        apart: what is left between them.
        inks: of the numbers, and of the relations.
        tones: of the curves that are the sides; () where none are drawn.
    """

    sides: Sides
    apart: tuple[Apart, ...]
    inks: tuple[int, int]
    tones: tuple[int, ...]


class _Row(Struct, frozen=True, eq=False):
    """A row of numbers.

    Attributes:
        digits: of each number.
        gap: columns between a number and a relation.
        names: columns of a name, at most.
        named: rows that names have.
        apart: what is left between the sides, as far as it is to be there.
    """

    sides: Sides
    digits: int
    gap: int
    names: int
    named: int
    apart: tuple[Apart, ...]

    @property
    def texts(self) -> list[str]:
        return written(self.sides, self.digits)

    @property
    def sign(self) -> str:
        return SIGN[self.sides.relation]


def _ways(drawn: _Drawn, rows: int) -> list[_Row]:
    """List how numbers may stand, the best first: names are whole, in two rows if need be, before anything else; they
    are cut where there is one row for them. Neighbours that differ have as many digits as tell them apart, if that
    helps."""
    digits = (*telling(drawn.sides), *DIGITS)
    named = range(1, min(rows, _NAMED) + 1)
    whole = product(digits, range(len(drawn.apart), -1, -1), named, (_APART, _NEAR))
    ways = [_Row(drawn.sides, each, gap, _UNCUT, on, drawn.apart[:count]) for each, count, on, gap in whole]
    if rows < _NAMED:
        cut = product(_NAMES, digits, range(len(drawn.apart), -1, -1), (_APART, _NEAR))
        ways += [_Row(drawn.sides, each, gap, names, 1, drawn.apart[:n]) for names, each, n, gap in cut]
    return ways


def links_of(sides: Sides) -> list[str]:
    """Choose the sign of each relation: of sides that may be equal, and are but for rounding, "="."""
    values = values_of(sides)
    equal = [sides.relation == "<=" and math.isclose(a, b, rel_tol=_EQUAL) for a, b in pairwise(values)]
    return [SIGN["==" if is_equal else sides.relation] for is_equal in equal]


def telling(sides: Sides) -> tuple[int, ...]:
    """Find the fewest digits with which no two neighbours that differ are written alike; () where the usual ones do, or
    none that can be read."""
    values = values_of(sides)
    differ = [i for i, (a, b) in enumerate(pairwise(values)) if not math.isclose(a, b, rel_tol=_EQUAL)]

    def told(digits: int) -> bool:
        texts = written(sides, digits)
        return all(texts[i] != texts[i + 1] for i in differ)

    return () if told(DIGITS[0]) else tuple(digits for digits in _MORE if told(digits))[:1]


def _columns_in(name: str, rows: int) -> int:
    """Count the columns that a name takes as a whole in so many rows."""
    return max(map(width_of, _halved(name))) if rows > 1 else width_of(name)


@lru_cache(512)
def _halved(name: str) -> tuple[str, ...]:
    """Break a name in two where it then takes few columns and reads well: before an operation that is in no brackets,
    and neither after one nor after "ln"."""
    words = name.split()
    ways = [(" ".join(words[:i]), " ".join(words[i:]), _ill(words, i)) for i in range(1, len(words))]
    best = min(ways, key=lambda way: max(width_of(way[0]), width_of(way[1])) + way[2], default=None)
    return best[:2] if best is not None else (name,)


def _ill(words: list[str], i: int) -> int:
    """Say how ill it reads when a line ends before the i-th word, in columns that would be worth it."""
    before = " ".join(words[:i])
    within = before.count("(") + before.count("[") > before.count(")") + before.count("]")
    return _ILL * within + _ILL * (words[i - 1] in _LEADING) // 2


def _paint_name(canvas: Canvas, name: str, palette: Palette, tone: int | None) -> None:
    """Paint a name right above its number, in as few rows as it can have."""
    left = 2 if tone is not None else 0
    room = canvas.columns - left
    lines = (name,) if width_of(name) <= room else _halved(name)
    if len(lines) > canvas.rows or max(map(width_of, lines)) > room:
        lines = (fitted(name, room),)
    top = canvas.rows - len(lines)
    if tone is not None:
        canvas.text(0, top, glyph_of(tone), palette.tone(tone), bold=True)
    for row, line in enumerate(lines):
        canvas.text(left, top + row, line, palette.dim)


def sides_of(page: TheoremPage) -> Sides | None:
    """Get the sides at the step, those it had last where the theorem is silent; None where it had none so far."""
    if page.verdict.sides is not None:
        return page.verdict.sides
    return page.spoken.verdict.sides if page.spoken is not None else None


def measured_sides(contrast: Contrast, values: tuple[float, float]) -> Sides:
    """Put two numbers that were measured in order, the lesser one first."""
    (a, x), (b, y) = sorted(zip(contrast.names, values), key=lambda pair: pair[1])
    return Sides((a, x), (b, y), relation="<" if x < y else "==")


def inks(page: TheoremPage, palette: Palette) -> tuple[int, int]:
    """Choose the colours of numbers and relations: bright with green, red where it fails, dim where it is silent."""
    if page.verdict.sides is None:
        return palette.dim, palette.dim
    if page.verdict.status == "fails":
        return palette.wrong, palette.wrong
    return palette.ink, palette.good


def written(sides: Sides, digits: int) -> list[str]:
    """Write the numbers with so many digits."""
    return [number(value, digits).replace(",", "") for value in values_of(sides)]


def _apart(page: TheoremPage, sides: Sides) -> tuple[Apart, ...]:
    """Say what is left between two sides, and what was between the first two a step before, where they are
    equal now or there is no third."""
    values, equal = values_of(sides), sides.relation == "=="
    if page.verdict.sides is None or len(values) > 2 and not equal:
        return ()
    found: list[Apart] = []
    left = 0.0 if math.isclose(*values[:2], rel_tol=_EQUAL) else values[1] - values[0]
    if len(values) == 2 and math.isfinite(left) and (left or not equal):
        found.append(Apart("between them", _digits(left)))
    before = _before(page)
    if before is not None and _digits(before[1]) not in ["0", *(one.text for one in found)]:
        found.append(Apart(f"step before: {before[0]}", _digits(before[1]), past=True))
    return tuple(found[: max(_MOST - len(values), 0)])


def _digits(value: float) -> str:
    return number(value, 3).replace(",", "")


def _before(page: TheoremPage) -> tuple[str, float] | None:
    """Find the phase of the step before, and what was left between the sides there; None if the phase is the same."""
    so_far = page.so_far
    if so_far is None or page.t < 1 or so_far.values.shape[1] < 2 - so_far.each:
        return None
    there = so_far.t.searchsorted(page.t - 1)
    phase = page.phase_at(page.t - 1)
    if there >= len(so_far.t) or so_far.t[there] != page.t - 1 or phase == page.phase:
        return None
    a, b = (0.0, so_far.values[there, 0].item()) if so_far.each else so_far.values[there, :2].tolist()
    was = 0.0 if math.isclose(a, b, rel_tol=_EQUAL) else abs(b - a)
    return (phase, was) if math.isfinite(was) else None


def standing(page: TheoremPage, palette: Palette) -> tuple[tuple[str, ...], int]:
    """Say how a theorem stands, and since when: the longest words first, and their colour."""
    failed = page.failed
    match page.verdict.status:
        case "fails":
            since = "at this step" if failed is None or failed >= page.t else f"first at step {failed:,}"
            return (f"✗ FAILS {since}", "✗ FAILS"), palette.wrong
        case "holds" if failed is not None:
            return (f"holds, but failed at step {failed:,}", f"failed at {failed:,}"), palette.wrong
        case "holds":
            return ("✓ held wherever it was measured", "✓ holds", "✓"), palette.good
    since = f"spoke last at step {page.spoken.t:,}" if page.spoken is not None else "never spoke so far"
    state = "undecided" if page.verdict.status == "undecided" else "silent"
    return (f"{state} ({typeset(clean(page.verdict.why))}), {since}", f"{state}, {since}", since, state), palette.dim


def paint_statement(canvas: Canvas, page: TheoremPage, palette: Palette, alone: bool = True) -> None:
    """Paint what a theorem states, whole, and at its right how it stands, where it is that of one run alone."""
    texts, ink = standing(page, palette) if alone else (("",), palette.dim)
    lines, words = _stated(page.theorem.statement, texts, canvas.columns)
    for row, line in enumerate(lines[: canvas.rows]):
        canvas.text(1, row, line, palette.ink, bold=True)
    canvas.text(canvas.columns - 1 - width_of(words), len(lines) - 1, words, ink, bold=True)


def rows_of_statement(page: TheoremPage, palette: Palette, columns: int) -> int:
    """Count the rows that a statement takes with how it stands."""
    return len(_stated(page.theorem.statement, standing(page, palette)[0], columns)[0])


def _stated(statement: str, texts: tuple[str, ...], columns: int) -> tuple[list[str], str]:
    """Break a statement so that one of some texts, the first that can, stands at its right: a row if that is enough."""
    statement, room = typeset(statement), columns - 2
    for text in texts:
        if width_of(statement) + width_of(text) + 3 <= room or not text and width_of(statement) <= room:
            return [statement], text
    lines = wrapped(statement, room if width_of(statement) > room else max(room - width_of(texts[-1]) - 3, 1))
    return lines, next((text for text in texts if width_of(lines[-1]) + width_of(text) + 3 <= room), "")
