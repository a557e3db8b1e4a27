"""Whatever a generator yields, yielded_fields apart into named numbers, texts and arrays of our own."""

import dataclasses
from collections.abc import Iterator, Mapping
from itertools import islice
from reprlib import Repr
from typing import Any

import numpy as np
from msgspec import Struct

Fields = tuple[tuple[str, Any], ...]

LARGEST = 16 << 20  # bytes of what is kept of one value; what is larger is said, not kept
_PARTS = 64  # parts of one thing yielded
_DEPTH = 3  # containers in containers
_ITEMS = LARGEST // 8  # of a list that is made an array
_LOCALS = 40


def yielded_fields(yielded: Any, names: tuple[str, ...] = ()) -> Fields:
    """Take what was yielded apart, by name; `names` are those that the yield itself gives the parts."""
    if len(names) == 1:
        return _some(_parts(names[0], yielded, 0))
    if type(yielded) is tuple and len(names) == len(yielded):
        return _some(part for name, value in zip(names, yielded) for part in _parts(name, value, 1))
    return _some(_parts("", yielded, 0))


def _some(parts: Iterator[tuple[str, Any]]) -> Fields:
    """Choose as many parts as are kept; arrays only while all of them together are not too large."""
    kept: list[tuple[str, Any]] = []
    room = 2 * LARGEST
    for name, value in islice(parts, _PARTS):
        if isinstance(value, np.ndarray):
            room -= value.nbytes
            if room < 0:
                value = f"{in_short(value)}: too large to be kept beside the others"
        kept.append((name, value))
    return tuple(kept)


def arrays_in(yielded: Any) -> Iterator[tuple[str, Any]]:
    """List the things in it that can be changed in place, each with its name: it first, then its parts."""
    if isinstance(yielded, np.ndarray | list | dict):
        yield "", yielded
    for name, value in _children(yielded):
        if isinstance(value, np.ndarray | list | dict):
            yield name, value


def short_locals(variables: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """(name, short text) of local variables; a repr that raises or is long does no harm."""
    names = [name for name in variables if not name.startswith("__")][:_LOCALS]
    return tuple((name, in_short(variables[name])) for name in names)


def in_short(value: Any) -> str:
    """Put a value in a few words."""
    try:
        if isinstance(value, np.ndarray):
            if value.size <= 6 and value.ndim == 1 and value.dtype.kind in "biuf":
                return "[" + " ".join(f"{number:.4g}" for number in value.tolist()) + "]"
            nans = int(np.isnan(value).sum()) if value.dtype.kind == "f" else 0
            return f"{'×'.join(map(str, value.shape)) or 'one'} {value.dtype}" + (f", {nans:,} nan" if nans else "")
        if isinstance(value, float | np.floating):
            return f"{float(value):.6g}"
        return _short.repr(value)[:60]
    except Exception as error:
        return f"({type(value).__name__}, whose repr raises {type(error).__name__})"


_short = Repr()
_short.maxlist = _short.maxtuple = _short.maxdict = 4
_short.maxstring = _short.maxother = 40


def _children(value: Any) -> list[tuple[str, Any]]:
    """Name the parts of a container; [] of what is none."""
    if isinstance(value, Mapping):
        return [(str(key), value[key]) for key in list(value)[:_PARTS]]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, Struct):
        return [(name, getattr(value, name)) for name in value.__struct_fields__]
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None) or tuple(f"value {i}" for i in range(len(value)))
        return list(zip(names, value))[:_PARTS]
    return []


def _parts(name: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    children = _children(value)
    if type(value) is tuple and depth and _number_row(value):  # (x, y) inside something is a place
        children = []
    if children and depth < _DEPTH:
        for child, part in children:
            yield from _parts(f"{name}.{child}" if name else child, part, depth + 1)
        return
    yield name or "value", _plain(value)


def _number_row(value: tuple[Any, ...]) -> bool:
    return all(isinstance(v, int | float | np.number) for v in value) and not hasattr(value, "_fields")


def _plain(value: Any) -> Any:
    """Make it a number, a text, or an array that is a copy."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        try:
            return int(value) if abs(int(value)) < 2**63 else float(value)
        except OverflowError:  # beyond the largest float
            return f"a whole number of {int(value).bit_length():,} bits"
    if isinstance(value, float | np.floating):
        return float(value)
    if isinstance(value, str):
        return value[:2000]
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, list | tuple | set | range) and value and len(value) <= _ITEMS:
        try:
            return _array(np.array(list(value)))
        except (ValueError, TypeError):
            return in_short(value)
    if hasattr(value, "__array__"):
        try:
            return _array(np.asarray(value))
        except Exception:
            return in_short(value)
    return in_short(value)


def _array(value: np.ndarray[Any, Any]) -> Any:
    if value.nbytes > LARGEST:
        size = f"{value.nbytes / 2**30:.1f} GB" if value.nbytes >= 2**29 else f"{value.nbytes / 2**20:.0f} MB"
        return f"{in_short(value)}, {size}: too large to be kept"
    if value.dtype.kind not in "biuf":
        return in_short(value)
    if value.ndim == 0:
        return _plain(value.item())
    return np.array(value, order="C")
