"""The fields that changed from one state to the next, in words."""

import math
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array, smallest
from algorithms.core.state import State, same

_ENTRIES = 4  # of an array that is shown by them
_MANY = 10_000  # numbers, all finite, of which the most changed are found without picking out those that changed
_NAMED = 2  # entries that are named, the most changed first


class ChangedField(Struct, frozen=True):
    """A field that changed.

    Attributes:
        field: its name.
        words: what changed: "2 → 3", "[41]: 1 → 2".
        count: how many entries of it did.
        largest: by how much at most; None where that is no number.
    """

    field: str
    words: str
    count: int
    largest: float | None


def changed_fields(before: State | None, after: State) -> list[ChangedField]:
    """Compare a state with the one before, field by field in their order; none without one before."""
    if before is None:
        return []
    changed: list[ChangedField] = []
    if before.iteration != after.iteration:
        changed.append(_of("iteration", before.iteration, after.iteration))
    old, new = before.parts(), after.parts()
    for name in [*new, *(n for n in old if n not in new)]:
        if name not in old or name not in new:
            words = f"new: {formatted(new[name])}" if name in new else f"gone: it was {formatted(old[name])}"
            changed.append(ChangedField(name, words, 1, None))
        elif old[name] is not new[name] and not same(old[name], new[name]):
            changed.append(_of(name, old[name], new[name]))
    return changed


def _of(name: str, before: Any, after: Any) -> ChangedField:
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        return _of_arrays(name, before, after)
    if isinstance(before, tuple) and isinstance(after, tuple):
        return _of_tuples(name, before, after)
    numbers = all(isinstance(v, int | float) for v in (before, after))
    by = abs(float(after) - float(before)) if numbers else None
    return ChangedField(
        name, f"{formatted(before)} → {formatted(after)}", 1, by if by is not None and np.isfinite(by) else None
    )


def _of_arrays(name: str, before: Array, after: Array) -> ChangedField:
    if before.shape != after.shape:
        grown = " ".join(formatted(v) for v in np.ravel(after[len(before) :])[:4]) if _grew(before, after) else ""
        words = f"{shape_of(before)} → {shape_of(after)}" + (f", new: {grown}" if grown else "")
        return ChangedField(name, words, abs(after.size - before.size), None)
    with np.errstate(all="ignore"):
        if before.size > _MANY and before.dtype == after.dtype == np.float64:
            by = np.abs(after - before).ravel()
            if np.isfinite(by.max()):
                return _of_many(name, before, after, by)
        differ = before != after
        if before.dtype.kind == after.dtype.kind == "f":
            differ &= ~(np.isnan(before) & np.isnan(after))
        places = np.flatnonzero(differ)
        by = np.abs(after.ravel()[places].astype(float) - before.ravel()[places].astype(float))
    if not len(places):
        return ChangedField(name, "equal, but not bit for bit", 0, 0.0)
    sizes = np.nan_to_num(by, nan=0.0, posinf=np.inf)
    named = _named(before, after, places[smallest(-sizes, _NAMED)].tolist(), len(places))
    finite = sizes[np.isfinite(sizes)]
    return ChangedField(name, named, len(places), float(finite.max()) if len(finite) else None)


def _of_many(name: str, before: Array, after: Array, by: Array) -> ChangedField:
    """Say the same of many finite numbers, which differ by so much each; that is used up."""
    count, largest = int(np.count_nonzero(by)), float(by.max())
    if not count:
        return ChangedField(name, "equal, but not bit for bit", 0, 0.0)
    places: list[int] = []
    for _ in range(min(_NAMED, count)):
        places.append(int(by.argmax()))
        by[places[-1]] = -1.0
    return ChangedField(name, _named(before, after, places, count), count, largest)


def _named(before: Array, after: Array, places: list[int], count: int) -> str:
    """Name the entries at some places, and that there are more where so many changed."""
    first = [np.unravel_index(place, before.shape) for place in places]
    named = ", ".join(f"{_index(at)}{formatted(before[at])} → {formatted(after[at])}" for at in first)
    return named + (", …" if count > len(first) else "")


def _of_tuples(name: str, before: tuple[Any, ...], after: tuple[Any, ...]) -> ChangedField:
    if len(before) != len(after):
        return ChangedField(name, f"{len(before)} → {parts(after)}", abs(len(after) - len(before)), None)
    changed = [_of(f"[{i}]", a, b) for i, (a, b) in enumerate(zip(before, after)) if not same(a, b)]
    if not changed:
        return ChangedField(name, "equal, but not bit for bit", 0, 0.0)
    largest = [part.largest for part in changed if part.largest is not None]
    one = changed[0]
    words = f"{one.field}: {one.words}" + (", …" if len(changed) > 1 else "")
    return ChangedField(name, words, sum(part.count for part in changed), max(largest, default=None))


def _grew(before: Array, after: Array) -> bool:
    return before.ndim == after.ndim and before.shape[1:] == after.shape[1:] and len(after) > len(before)


def _index(at: tuple[Any, ...]) -> str:
    return f"[{','.join(map(str, at))}]: " if len(at) else ""


def shape_of(value: Array) -> str:
    return " x ".join(map(str, value.shape)) or "one number"


def parts(value: tuple[Any, ...]) -> str:
    """Count the parts of a tuple, in words."""
    return "1 part" if len(value) == 1 else f"{len(value)} parts"


def formatted(value: Any) -> str:
    """Format a value in a few words: a number with five digits; a short array by its entries,
    others by their shape."""
    if isinstance(value, np.ndarray):
        if value.ndim == 1 and value.size <= _ENTRIES:
            return f"[{' '.join(map(formatted, value))}]"
        return f"{shape_of(value)} numbers" if value.size != 1 else formatted(value.item())
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return f"{value:.5g}" if math.isfinite(value) else "nan" if math.isnan(value) else "∞" if value > 0 else "-∞"
    if isinstance(value, tuple):
        return parts(value)
    if isinstance(value, str):
        return value if len(value) <= 24 else f"{value[:23]}…"
    return "none" if value is None else f"{value:,}" if type(value) is int else str(value)
