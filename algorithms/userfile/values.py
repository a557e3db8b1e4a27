"""Whatever a generator yields, taken apart into named numbers, texts and arrays of our own."""

import dataclasses
import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from reprlib import Repr
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.userfile.foreign import named_parts, plainer
from algorithms.userfile.meaning import is_quantity

Fields = tuple[tuple[str, Any], ...]

LARGEST = 16 << 20  # bytes of what is kept of one value; what is larger is said, not kept
_PARTS = 64  # parts of one thing yielded
_DEPTH = 3  # containers in containers
_ITEMS = LARGEST // 8  # of a list that is made an array
_LOCALS = 40
_COUNTED = 1 << 12  # numbers of a local variable in which a nan is looked for
_READY = frozenset((float, bool))  # what is kept as it is, and most of what is yielded


def yielded_fields(yielded: Any, names: tuple[str, ...] = ()) -> Fields:
    """Take what was yielded apart, by name; `names` are those that the yield itself gives the parts.

    Of one thing with parts, these have their own names, but for a dict of numbers alone, which is a vector.
    """
    if len(names) == 1:
        return _some(_parts("" if _names_parts(yielded) else names[0], yielded, 0))
    if type(yielded) is tuple and len(names) == len(yielded):
        return _some(part for name, value in zip(names, yielded) for part in _parts(name, value, 1))
    return _some(_parts("", yielded, 0))


def named_vectors(fields: Fields) -> dict[str, list[str]]:
    """Find the dicts of numbers of one kind, whose entries are a vector with names: their entries by their name."""
    found: dict[str, dict[str, type]] = {}
    other: set[str] = set()
    for name, value in fields:
        prefix, _, last = name.rpartition(".")
        if prefix and type(value) in (int, float) and not is_quantity(last):
            found.setdefault(prefix, {})[name] = type(value)
        elif prefix:
            other.add(prefix)
    alike = {prefix: list(kinds) for prefix, kinds in found.items() if len(set(kinds.values())) == 1}
    return {prefix: names for prefix, names in alike.items() if len(names) > 1 and prefix not in other}


def _names_parts(yielded: Any) -> bool:
    """Tell whether the parts of what is yielded have names of their own."""
    if isinstance(yielded, Mapping):
        numbers = all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in yielded.values())
        return not numbers or any(is_quantity(str(name)) for name in yielded)
    if isinstance(yielded, tuple):
        return hasattr(yielded, "_fields")
    return isinstance(yielded, Struct) or dataclasses.is_dataclass(yielded) or bool(_own_parts(yielded))


def _own_parts(value: Any) -> list[tuple[str, Any]]:
    try:
        return named_parts(value)
    except Exception:  # whatever another library's class raises
        return []


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
    """(name, short text) of local variables; a repr that raises or is long does no harm.

    In a large array, such as the rows, no nan is counted: it is there at every step, and most often the same.
    """
    names = [name for name in variables if not name.startswith("__")][:_LOCALS]
    return tuple((name, in_short(variables[name], _COUNTED)) for name in names)


def in_short(value: Any, counted: float = math.inf) -> str:
    """Put a value in a few words; in an array of more numbers than `counted` no nan is."""
    try:
        if isinstance(value, np.ndarray):
            if value.size <= 6 and value.ndim == 1 and value.dtype.kind in "biuf":
                return "[" + " ".join(f"{number:.4g}" for number in value.tolist()) + "]"
            nans = np.count_nonzero(np.isnan(value)) if value.dtype.kind == "f" and value.size <= counted else 0
            shape = "×".join(map(str, value.shape)) or "one"
            return f"{shape} {_name_of(value.dtype)}" + (f", {nans:,} nan" if nans else "")
        if isinstance(value, float | np.floating):
            return f"{float(value):.6g}"
        return _short.repr(value)[:60]
    except Exception as error:
        return f"({type(value).__name__}, whose repr raises {type(error).__name__})"


@lru_cache(64)
def _name_of(dtype: np.dtype[Any]) -> str:
    return str(dtype)  # NumPy takes its time over it


def told(value: Any, was: Any) -> str:
    """Put a value in a few words: a long array by its extremes, and how much of it changed."""
    text = in_short(value)
    if not isinstance(value, np.ndarray) or text.startswith("["):
        return text
    known = value[np.isfinite(value)] if value.dtype.kind == "f" else value
    if value.dtype.kind == "b":
        text = f"{text}, {int(value.sum()):,} true"
    elif known.size:
        text = f"{text}, {known.min():.4g} to {known.max():.4g}"
    if isinstance(was, np.ndarray) and was.shape == value.shape and value.size:
        changed = int(((value != was) & ~((value != value) & (was != was))).sum())
        text += f", {changed:,} changed" if 0 < changed < value.size else ""
    return text


class _Short(Repr):
    """Texts that stay short; an array inside a list is said, and not written out."""

    def repr1(self, value: Any, level: int) -> str:
        return repr(value) if type(value) is float else super().repr1(value, level)

    def repr_ndarray(self, value: np.ndarray[Any, Any], level: int) -> str:
        return in_short(value)


_short = _Short()
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
    return [] if isinstance(value, str | int | float | np.ndarray | np.generic | list) else _own_parts(value)


def _parts(name: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    children = _children(value)
    if type(value) is tuple and depth and _number_row(value):  # (x, y) inside something is a place
        children = []
    if children and depth < _DEPTH:
        for child, part in children:
            known = f"{name}.{child}" if name else child
            if type(part) in _READY:
                yield known, part
            else:
                yield from _parts(known, part, depth + 1)
        return
    plain = _plain(value)
    if isinstance(plain, complex) or (isinstance(plain, np.ndarray) and plain.dtype.kind == "c"):
        for which, part in (("real", plain.real), ("imag", plain.imag)):
            yield f"{name or 'value'}.{which}", _plain(part)
        return
    yield name or "value", plain


def _number_row(value: tuple[Any, ...]) -> bool:
    return all(isinstance(v, int | float | np.number) for v in value) and not hasattr(value, "_fields")


def _plain(value: Any) -> Any:
    """Make it a number, a text, or an array that is a copy; a complex one as it is."""
    try:
        value = plainer(value)
    except Exception:  # whatever another library's class raises
        return in_short(value)
    if isinstance(value, complex | np.complexfloating):
        return complex(value)
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
    if value.dtype.kind in "mM":
        return _dates(value)
    if value.dtype.kind == "O":
        value = _of_objects(value)
    if value.dtype.kind not in "biufc":
        return in_short(value)
    if value.ndim == 0:
        return _plain(value.item())
    return np.array(value, order="C")


def _dates(value: np.ndarray[Any, Any]) -> str:
    """Say the dates of an array: the one, or the first and the last."""
    if value.size <= 1:
        return str(value.reshape(-1)[0]) if value.size else "no dates"
    return f"{value.size:,} dates, {value.min()} to {value.max()}"


def _of_objects(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Turn an array of Python's numbers into one of NumPy's; dates and texts stay as they are."""
    try:
        return value.astype(float)
    except (TypeError, ValueError):
        return value
