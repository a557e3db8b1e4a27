"""The sides of a statement in words: their names, their numbers, and the relation between them."""

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from algorithms.core import Sides
from algorithms.core.theorems import EXACT
from tui.paint.canvas import width_of
from tui.paint.text import cut, typeset
from tui.paint.ticks import number

SIGN = {"<=": "≤", "<": "<", "==": "="}
Piece = tuple[str, bool]  # a text, and whether it is a number, which is bright
_USUAL = 6  # cells of a number
_EQUALS = len(" = ")  # cells between a name and its number
_FAR = 100  # times the lesser of two numbers, from which on they are of different sizes
_ROUNDING = 1e-8  # of a slack, up to which it is there for rounding alone
_ENTRY = re.compile(r"\[[^\[\]]*\]$")  # of an array: "α[3]"
_RELATED = re.compile(r"[=<>≤≥≠]|(?:^| )[-+]$")  # a name that has a relation, or ends in a sign of its own


def values_of(sides: Sides) -> tuple[float, ...]:
    """Get the sides' numbers; neighbours that are 0 but for what rounding is forgiven are 0.

    Of "<=" positive ones are not that are far apart: rounding leaves numbers of one size.
    """
    values, lost = sides.values, _lost(sides)
    small = [abs(value) <= lost for value in values]
    if sides.relation == "<" or sum(small) < 2:
        return values
    left = [
        a and b and (sides.relation == "==" or not 0 < _FAR * x <= y)
        for a, b, x, y in zip(small, small[1:], values, values[1:])
    ]
    near = [a or b for a, b in zip([False, *left], [*left, False])]
    return tuple(0.0 if is_near else value for value, is_near in zip(values, near))


def _lost(sides: Sides) -> float:
    """Get the size up to which rounding may have made a side; below 0 where that is not known."""
    lost = EXACT * sides.size if sides.size is not None else -1.0
    return max(lost, sides.slack) if 0 < sides.slack <= _ROUNDING else lost


@lru_cache(512)
def numbers_of(sides: Sides, digits: int = 4) -> tuple[str, ...]:
    """Format the sides, with up to twice as many digits where those that differ would look the same."""
    values = values_of(sides)
    usual = tuple(number(v, digits) for v in values)
    if sides.relation == "==":
        return _alike(sides, list(usual))
    if len(set(usual)) == len(set(values)):
        return usual
    for more in range(digits + 2, 2 * digits + 1, 2):
        shown = tuple(number(v, more) for v in values)
        if len(set(shown)) == len(set(values)):
            return shown
    return usual  # equal but for rounding


def _alike(sides: Sides, shown: list[str]) -> tuple[str, ...]:
    """Write sides that are equal but for rounding in the same way: 1 and 1, not 1.000 and 1."""
    if len(set(shown)) == 1:
        return tuple(shown)
    links = zip(sides.values, sides.values[1:], sides.tolerances)
    for i, (a, b, tolerance) in enumerate(links):
        if abs(a - b) <= tolerance - sides.slack:
            shown[i] = shown[i + 1] = min(shown[i], shown[i + 1], key=len)
    return tuple(shown)


def beside(name: str, value: str) -> str:
    """Write a number after its name: "J = 4.1", for "γ 0.3" is read as a product and "D -1" as a difference; with a
    colon after a name that has a relation of its own or ends in a number: "F with 7: 225.7"."""
    if not name or not value:
        return name or value
    colon = _RELATED.search(name) or name[-1].isdecimal()
    return f"{name}: {value}" if colon else f"{name} = {value}"


def names_of(sides: Sides) -> list[str]:
    """Get the sides' names as they are written."""
    return [typeset(name) for name in sides.names]


@lru_cache(256)
def sides_text(sides: Sides) -> str:
    """ "m γ = 3.1 ≤ w·w* = 4 ≤ ‖w‖ = 4.2"; more digits where sides that differ would look the same."""
    sign = SIGN[sides.relation]
    return f" {sign} ".join(_side(name, value) for name, value in _named(sides)) + _forgiven(sides)


def _named(sides: Sides) -> list[tuple[str, str]]:
    """Pair names and numbers; sides that are equal have theirs once, at the end: "Σ g = -λ Σ w = 0"."""
    pairs = list(zip(names_of(sides), numbers_of(sides)))
    same = sides.relation == "==" and len({value for _, value in pairs}) == 1
    if not same or any(_RELATED.search(name) or name == value for name, value in pairs[:-1]):
        return pairs
    return [*((name, "") for name, _ in pairs[:-1]), pairs[-1]]


def _forgiven(sides: Sides) -> str:
    """Say within what sides hold that are, as they are written, the wrong way round: " (within 1e-12)"."""
    shown, values = numbers_of(sides), values_of(sides)
    if sides.relation != "==" and all(a <= b for a, b in zip(values, values[1:])):
        return ""
    if len(set(shown)) == 1:
        return ""
    links = zip(zip(values, shown), zip(values[1:], shown[1:]), sides.tolerances)
    off = [tolerance for (a, x), (b, y), tolerance in links if x != y and (a > b if sides.relation != "==" else a != b)]
    return f" (within {max(off):.0e})".replace("e-0", "e-") if off and sides.hold else ""


class InARow(Struct, frozen=True):
    """Sides in one row.

    Attributes:
        width: the cells they take.
        steady: those that they take where each number has the room of a usual one, so that it differs little from step
            to step.
    """

    pieces: tuple[Piece, ...]
    width: int
    steady: int


@lru_cache(256)
def in_a_row(sides: Sides) -> InARow:
    """Lay the sides out in one row."""
    link, row = f" {SIGN[sides.relation]} ", list[Piece]()
    for i, (name, value) in enumerate(_named(sides)):
        row += _pieces(link if i else "", name, value, "")
    if note := _forgiven(sides):
        row.append((note, False))
    widths = [(width_of(text), bright) for text, bright in row]
    width = sum(cells for cells, _ in widths)
    return InARow(tuple(row), width, width + sum(max(_USUAL - cells, 0) for cells, bright in widths if bright))


@lru_cache(256)
def laid_sides(sides: Sides, width: int) -> tuple[tuple[Piece, ...], ...]:
    """Lay the sides out in rows of at most so many cells, broken before a relation; a name that is too long is cut,
    so that its number stands beside it."""
    if in_a_row(sides).width <= width:
        return (in_a_row(sides).pieces,)
    sign, rows = SIGN[sides.relation], [list[Piece]()]
    named = _named(sides)
    for i, (name, value) in enumerate(named):
        link = f"{sign} " if i else ""
        note = _forgiven(sides) if i == len(named) - 1 else ""
        taken = width_of_pieces(rows[-1]) + bool(i)
        if i and taken + width_of(link + _side(name, value)) + width_of(note) > width:
            rows.append([])
            taken = 0
        if taken:
            link = f" {link}"
        if taken + width_of(link + _side(name, value)) > width:
            name = cut(name, width - taken - width_of(link) - width_of(value) - _EQUALS)
        beyond = taken + width_of(link + _side(name, value) + note) > width
        rows[-1] += _pieces(link, name, value, "" if beyond else note)
        if note and beyond:
            rows.append([(note.strip(), False)])
    return tuple(map(tuple, rows))


def _side(name: str, value: str) -> str:
    return value if name == value else beside(name, value)


def _pieces(link: str, name: str, value: str, note: str) -> list[Piece]:
    side = _side(name, value)
    pieces = [(link + side.removesuffix(value), False), (value, name != value), (note, False)]
    return [piece for piece in pieces if piece[0]]


@lru_cache(256)
def laid_values(sides: Sides, digits: int = 4) -> tuple[Piece, ...]:
    """Lay the numbers out in a row, without names."""
    row: list[Piece] = []
    for i, value in enumerate(numbers_of(sides, digits)):
        row += [(f" {SIGN[sides.relation]} ", False)] * bool(i) + [(value, True)]
    note = _forgiven(sides)
    return (*row, (note, False)) if note else tuple(row)


@lru_cache(512)
def named_values(sides: Sides, statement: str) -> tuple[Piece, ...]:
    """Lay the numbers out in a row, the first that has a name with that name where the statement does not have it."""
    row = laid_values(sides)
    for i, (name, value) in enumerate(zip(names_of(sides), numbers_of(sides))):
        if name != value and not _has(statement, name):
            return (*row[: 2 * i], (beside(name, value).removesuffix(value), False), *row[2 * i :])
        if name != value:
            break
    return row


def _has(statement: str, name: str) -> bool:
    """Tell whether a side's name, but for the number of an entry, is in a statement, and in no longer word there."""
    plain = _ENTRY.sub("", name)
    return bool(re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", statement))


def width_of_pieces(pieces: Sequence[Piece]) -> int:
    """Count the cells that pieces take."""
    return sum(width_of(text) for text, _ in pieces)
