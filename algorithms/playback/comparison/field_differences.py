"""Field differences: the states of two runs held against each other, field by field, down into nested structures."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.core.state import State
from algorithms.timeline.changed_fields import formatted, parts, shape_of

Index = tuple[int | str, ...]
_TOLERANCE = 1e-9  # what is forgiven between two numbers, times the larger of them where that exceeds 1


class EntryApart(Struct, frozen=True):
    """The entry of a field in which two runs are furthest apart.

    Attributes:
        index: where it is: numbers of parts and entries, names of parts of a structure.
        values: the entry in the one run and in the other.
        by: how far they are apart; infinite where one of them is no number.
    """

    index: Index
    values: tuple[Any, Any]
    by: float


class FieldDifference(Struct, frozen=True):
    """A field in two runs.

    Attributes:
        name: the field.
        values: it in the one run and in the other, in a few words; "" where a run has none.
        differing, entries: how many of its entries differ, of how many both have.
        absolute: the entry with the greatest difference; None where there is no number that differs.
        relative: that with the greatest difference as a share of the greater of the two.
        shapes: what cannot be held against each other, by its shapes: "3 x 2 and 4 x 2 numbers"; "" for nothing.
        single: whether it is one value and has no entries.
    """

    name: str
    values: tuple[str, str]
    differing: int = 0
    entries: int = 0
    absolute: EntryApart | None = None
    relative: EntryApart | None = None
    shapes: str = ""
    single: bool = False

    @property
    def missing(self) -> bool:
        """Tell whether only one of the runs has it."""
        return "" in self.values

    @property
    def agrees(self) -> bool:
        return not self.differing and not self.shapes and not self.missing


def field_differences(first: State, second: State) -> list[FieldDifference]:
    """Hold two states against each other: phase, iteration and every field that one of them has."""
    mine, theirs = _fields(first), _fields(second)
    names = dict.fromkeys((*mine, *theirs))
    return [_difference(name, mine.get(name, _ABSENT), theirs.get(name, _ABSENT)) for name in names]


_ABSENT = object()


def _fields(state: State) -> dict[str, Any]:
    return {"phase": state.phase, "iteration": state.iteration} | state.parts()


def _difference(name: str, a: Any, b: Any) -> FieldDifference:
    values = tuple("" if value is _ABSENT else _in_short(value) for value in (a, b))
    single = all(value is _ABSENT or _is_single(value) for value in (a, b))
    if a is _ABSENT or b is _ABSENT:
        return FieldDifference(name, (values[0], values[1]), single=single)
    differing, entries, shapes = 0, 0, []
    absolute: EntryApart | None = None
    relative: EntryApart | None = None
    for leaf in _leaves(a, b, ()):
        if isinstance(leaf, str):
            shapes.append(leaf)
            continue
        differing, entries = differing + leaf.differing, entries + leaf.entries
        absolute, relative = _further(absolute, leaf.absolute), _further(relative, leaf.relative)
    more = f", and {len(shapes) - 1} more" if len(shapes) > 1 else ""
    return FieldDifference(
        name, (values[0], values[1]), differing, entries, absolute, relative, "".join(shapes[:1]) + more, single
    )


def _is_single(value: Any) -> bool:
    return not isinstance(value, tuple | Struct | np.ndarray)


def _in_short(value: Any) -> str:
    return type(value).__name__ if isinstance(value, Struct) else formatted(value)


class _Leaf(Struct, frozen=True):
    """Values without parts, held against each other."""

    differing: int
    entries: int
    absolute: EntryApart | None = None
    relative: EntryApart | None = None


def _further(a: EntryApart | None, b: EntryApart | None) -> EntryApart | None:
    if a is None or b is None:
        return a or b
    return b if b.by > a.by else a


def _leaves(a: Any, b: Any, at: Index) -> Iterator[_Leaf | str]:
    """Hold two values against each other part by part; in words where their shapes differ."""
    where = f"{index_words(at)}: " if at else ""
    if isinstance(a, tuple) and isinstance(b, tuple):
        if len(a) != len(b):
            yield f"{where}{len(a)} and {parts(b)}"
        for i, (mine, theirs) in enumerate(zip(a, b)):
            yield from _leaves(mine, theirs, (*at, i))
    elif isinstance(a, Struct) and type(a) is type(b):
        for name in a.__struct_fields__:
            yield from _leaves(getattr(a, name), getattr(b, name), (*at, name))
    elif not (_numeric(a) and _numeric(b)):
        yield _other(a, b, at)
    elif np.shape(a) != np.shape(b):
        yield f"{where}{shape_of(np.asarray(a))} and {shape_of(np.asarray(b))} numbers"
    else:
        yield _numbers(np.asarray(a), np.asarray(b), at)


def _numeric(value: Any) -> bool:
    return isinstance(value, int | float | np.number | np.bool_) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "biuf"
    )


def _other(a: Any, b: Any, at: Index) -> _Leaf:
    """Hold values that are no numbers against each other: they are equal or not."""
    equal = np.array_equal(a, b) if isinstance(a, np.ndarray) or isinstance(b, np.ndarray) else a == b
    apart = None if equal else EntryApart(at, (_in_short(a), _in_short(b)), math.inf)
    return _Leaf(int(not equal), 1, apart, apart)


def _numbers(a: Array, b: Array, at: Index) -> _Leaf:
    """Hold arrays of one shape against each other; a NaN agrees with a NaN and is infinitely far from a number."""
    x, y = a.astype(float), b.astype(float)
    with np.errstate(all="ignore"):
        by = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0.0, np.abs(x - y))
        by = np.where(np.isnan(by), np.inf, by)
        size = np.maximum(np.abs(x), np.abs(y))
        shares = np.where(by > 0, np.where(np.isfinite(by), by / size, np.inf), 0.0)
        differ = by > _TOLERANCE * np.where(np.isfinite(size), np.maximum(size, 1.0), 1.0)
    count = int(np.count_nonzero(differ))
    if not by.any():
        return _Leaf(count, x.size)
    absolute, relative = (_entry(a, b, of, at) for of in (by, shares))
    return _Leaf(count, x.size, absolute, relative)


def _entry(a: Array, b: Array, by: Array, at: Index) -> EntryApart:
    place = np.unravel_index(int(by.argmax()), by.shape)
    index = tuple(int(i) for i in place)
    return EntryApart((*at, *index), (a[index].item(), b[index].item()), float(by[index]))


def index_words(index: Index) -> str:
    """Write where an entry is: "[2,1]", "[0].left[3]"; "" for what has no entries."""
    words, numbers = "", []
    for part in (*index, ""):
        if isinstance(part, int):
            numbers.append(str(part))
            continue
        words += f"[{','.join(numbers)}]" if numbers else ""
        words, numbers = f"{words}.{part}" if part else words, []
    return words
