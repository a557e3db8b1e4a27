"""Values of parameters and of states as JSON has them, and back, bit for bit."""

import math
from typing import Any

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused

_KINDS = {"float64", "float32", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool"}
_MOST = 1_000_000  # numbers of an array


def plain_parameter(name: str, value: Any) -> Any:
    """Write a parameter as JSON has it; infinity is the text that a parameter takes for it."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple | list):
        return [plain_parameter(name, part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise Refused(f"{name} = {str(value)[:60]!r} cannot be written down: a number, a text or a list of such can.")


def plain_field(name: str, value: Any) -> Any:
    """Write a field of a state: arrays of float64 as nested lists, others with their type, tuples under their name."""
    if isinstance(value, np.ndarray):
        kind = value.dtype.name
        if kind not in _KINDS:
            raise Refused(f"{name} is an array of {kind}, which cannot be written down.")
        finite = kind == "float64" and value.size and np.isfinite(value).all()
        if finite and value.ndim:
            return value.tolist()
        return {"dtype": kind, "shape": list(value.shape), "values": _words(value)}
    if isinstance(value, list):
        return plain_field(name, np.asarray(value))
    if isinstance(value, tuple):
        return {"tuple": [plain_field(name, part) for part in value]}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise Refused(f"{name} is a {type(value).__name__}, which cannot be written down.")


def field_of(name: str, plain: Any, held: Any) -> Any:
    """Read what `plain_field` wrote down; `Refused` for what it never writes, or of another type than is held."""
    value = _field(name, plain)
    if held is not None and type(value) is not type(held):
        raise _refusal(name)
    return value


def _field(name: str, plain: Any) -> Any:
    if isinstance(plain, list):
        return _array(name, plain, "float64", None)
    if isinstance(plain, dict):
        if plain.keys() == {"tuple"} and isinstance(plain["tuple"], list):
            return tuple(_field(name, part) for part in plain["tuple"])
        if plain.keys() == {"float"} and plain["float"] in ("nan", "inf", "-inf"):
            return float(plain["float"])
        if plain.keys() == {"dtype", "shape", "values"}:
            return _array(name, plain["values"], plain["dtype"], plain["shape"])
        raise _refusal(name)
    return plain


def _words(array: Array) -> list[Any]:
    """Write the numbers of an array in a row, those that JSON lacks in words."""
    return [str(x) if isinstance(x, float) and not math.isfinite(x) else x for x in array.reshape(-1).tolist()]


def _array(name: str, values: Any, kind: Any, shape: Any) -> Array:
    if kind not in _KINDS or not isinstance(values, list):
        raise _refusal(name)
    try:
        if shape is None:
            made = np.array(values)
            good = made.dtype.kind in "if"
        else:
            wanted = tuple(int(side) for side in shape)
            flat = [float(x) if isinstance(x, str) and kind.startswith("float") else x for x in values]
            made = np.array(flat, kind).reshape(wanted)
            good = made.reshape(-1).tolist() == flat or kind.startswith("float")
        if not good or made.size > _MOST:
            raise _refusal(name)
        return np.array(made, kind)
    except (TypeError, ValueError, OverflowError, MemoryError) as error:
        if isinstance(error, Refused):
            raise
        raise _refusal(name) from None


def _refusal(name: str) -> Refused:
    return Refused(f"what {name} is changed to is no value of a state.")
