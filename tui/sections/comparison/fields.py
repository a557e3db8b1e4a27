"""The states of several runs field by field, as rows of a table: what agrees, and by how much the rest does not."""

import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from algorithms.core.state import State
from algorithms.core.text import clean
from algorithms.playback.comparison.compared_run import LETTERS
from algorithms.playback.comparison.field_differences import EntryApart, FieldDifference, field_differences, index_words
from algorithms.timeline.changed_fields import formatted
from tui.paint.ticks import number
from tui.sections.comparison.numbers import difference, share
from tui.sections.comparison.rows import DIGITS, WIDTH, Cell, Row

_AGREES = Cell("agrees", ink="good")


class StateNow(Struct, frozen=True, eq=False):
    """The state that a run shows, and its step."""

    t: int
    state: State


class Fields:
    """Holds states against each other, and keeps what came of it until other states are shown."""

    def __init__(self) -> None:
        self._kept: tuple[tuple[int, ...], Sequence[StateNow], list[Row]] | None = None

    def rows(self, shown: Sequence[StateNow], reference: int, first: int | None) -> list[Row]:
        """List the rows.

        Args:
            reference: which run, of more than two, the others are held against.
            first: the step at which they were found to differ first, None where that is not known.
        """
        key = (reference, -1 if first is None else first, *(id(each.state) for each in shown))
        if self._kept is None or self._kept[0] != key:
            self._kept = (key, shown, field_rows(shown, reference, first))  # the states too, so that no other has an id
        return self._kept[2]


def field_rows(shown: Sequence[StateNow], reference: int, first: int | None = None) -> list[Row]:
    """List the fields that differ, each with its entries furthest apart; then those that agree."""
    others = [i for i in range(len(shown)) if i != reference] if len(shown) > 2 else [1]
    against = reference if len(shown) > 2 else 0
    of_each = [field_differences(shown[against].state, shown[i].state) for i in others]
    by_name = [{row.name: row for row in rows} for rows in of_each]
    names = list(dict.fromkeys(row.name for rows in of_each for row in rows))
    fields = [[known.get(name) for known in by_name] for name in names]
    apart = [field for field in fields if not all(one is not None and one.agrees for one in field)]
    agreeing = [field for field in fields if field not in apart]
    rows = [Row(_where(shown), section=True, mark=_mark(len(apart), len(fields), first))]
    for field in apart:
        rows += _of_two(field[0]) if len(shown) == 2 else _of_many(field, others, against)
    if agreeing:
        rows.append(Row("the same in all" if len(shown) > 2 else "the same in both", section=True))
    return rows + [_agreeing(field, len(shown), against) for field in agreeing]


def _where(shown: Sequence[StateNow]) -> str:
    steps = list(dict.fromkeys(each.t for each in shown))
    if len(steps) == 1:
        return f"at step {steps[0]:,}"
    return "at step " + ", ".join(f"{each.t:,} of {letter}" for letter, each in zip(LETTERS, shown))


def _mark(apart: int, of: int, first: int | None) -> Cell:
    found = "" if first is None else f"first at step {first:,}, "
    return Cell(f"{found}{apart} of {of} differ" if apart else f"{found}all agree", ink="accent" if apart else "good")


def _name(field: FieldDifference) -> str:
    """Name a field, with the shape of an array or the parts of a tuple."""
    short = field.values[0] or field.values[1]
    shape = short.removesuffix(" numbers") if short.endswith((" numbers", " parts")) else ""
    return clean(f"{field.name}  {shape}" if shape else field.name)


def _of_two(field: FieldDifference | None) -> list[Row]:
    """List a field of two runs that differs."""
    assert field is not None
    if field.missing:
        return [Row(_name(field), tuple(Cell(_brief(v, field), bool(v)) for v in field.values), (Cell("in one"),))]
    if field.single:
        return [_entry(_name(field), field.absolute)]
    if field.shapes:
        rows = [Row(f"{_name(field)}: {clean(field.shapes)}", spread=True)]
    else:
        rows = [Row(_name(field), (Cell(""), Cell("")), (Cell(_count(field), True), Cell("differ")))]
    if field.absolute is not None:
        rows.append(_entry(f"  most, at {index_words(field.absolute.index)}", field.absolute))
    if field.relative is not None and field.absolute is not None and field.relative.index != field.absolute.index:
        rows.append(_entry(f"  relative, at {index_words(field.relative.index)}", field.relative))
    return rows


def _entry(name: str, entry: EntryApart | None) -> Row:
    """Show an entry in two runs, its difference and that as a share of the first."""
    assert entry is not None
    a, b = entry.values
    cells = tuple(Cell(_short(value), True) for value in entry.values)
    if isinstance(a, str) or isinstance(b, str) or isinstance(a, bool):
        return Row(name, cells, (Cell("differs", ink="accent"),))
    apart = difference(a, b) or number(abs(a - b), DIGITS)
    return Row(name, cells, (Cell(apart, ink="accent"), Cell(share(a, b), ink="accent")))


def _short(value: Any) -> str:
    """Write a value in a column."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return clean(formatted(value))
    return number(value, DIGITS)


def _of_many(field: Sequence[FieldDifference | None], others: Sequence[int], against: int) -> list[Row]:
    """List a field of more than two runs that differs in one: by how much from one of them, and where."""
    known = next(one for one in field if one is not None)
    heads, entries, places, shares, at_shares = ([Cell("")] * (len(others) + 1) for _ in range(5))
    heads[against] = Cell(_brief(known.values[0], known) if known.single or not known.values[0] else "", True)
    for i, one in zip(others, field):
        heads[i] = _verdict(one)
        if one is None or one.agrees or one.absolute is None or one.relative is None:
            continue
        if any(isinstance(value, str) for value in one.absolute.values):
            continue  # it has no size
        entries[i], shares[i] = Cell(_by(one.absolute), True), Cell(_by(one.relative, share=True), True)
        places[i], at_shares[i] = Cell(index_words(one.absolute.index)), Cell(index_words(one.relative.index))
    rows = [Row(_name(known), tuple(heads))]
    if any(cell.text for cell in entries):
        rows.append(Row("  apart by", tuple(entries)))
        rows += [Row("    at", tuple(places))] if not known.single else []
        rows.append(Row("  relative", tuple(shares)))
        rows += [Row("    at", tuple(at_shares))] if at_shares != places else []
    return rows


def _brief(value: str, field: FieldDifference) -> str:
    """Write one value in a column; of what has entries only that it is there."""
    if not value:
        return "–"
    return clean(value) if field.single and len(value) <= WIDTH else "there"


def _verdict(field: FieldDifference | None) -> Cell:
    """Say in a column whether a field agrees with the run that all are held against."""
    if field is None or field.missing:
        return Cell("–" if field is None else _brief(field.values[1], field))
    if field.agrees:
        return _AGREES
    if field.shapes:
        shape = field.values[1].removesuffix(" numbers")
        return Cell(shape if shape != field.values[1] and len(shape) <= WIDTH else "other size", ink="accent")
    if field.single and len(field.values[1]) <= WIDTH:
        return Cell(clean(field.values[1]), True)
    return Cell(_count(field), ink="accent")


def _count(field: FieldDifference) -> str:
    words = f"{field.differing:,} of {field.entries:,}"
    return words if len(words) <= WIDTH else f"{100 * field.differing / field.entries:.0f} % of it"


def _by(entry: EntryApart, share: bool = False) -> str:
    """Write how far an entry is from another; of a nan there is no such number."""
    if any(isinstance(value, float) and math.isnan(value) for value in entry.values):
        return "nan"
    return _percent(entry.by) if share else number(entry.by, DIGITS)


def _percent(by: float) -> str:
    return "∞" if math.isinf(by) else (share(1.0, 1.0 + by) or f"{100 * by:.0e} %").removeprefix("+")


def _agreeing(field: Sequence[FieldDifference | None], runs: int, against: int) -> Row:
    """Show a field that agrees; how far apart rounding has it, where that is not nothing."""
    known = next(one for one in field if one is not None)
    value = Cell(clean(known.values[0]) if known.single and len(known.values[0]) <= WIDTH else "")
    by = max((one.absolute.by for one in field if one is not None and one.absolute is not None), default=0.0)
    rounding = Cell(f"± {by:.0e}") if by else Cell("=")
    if runs == 2:
        return Row(_name(known), (value, value), (_AGREES, rounding))
    return Row(_name(known), tuple(value if i == against else _AGREES for i in range(runs)))
