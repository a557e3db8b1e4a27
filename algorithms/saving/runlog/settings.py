"""Parameters as a recording can hold them: names that Python knows, and values that compare."""

import math
import re
from collections.abc import Mapping
from keyword import iskeyword
from typing import Any

import numpy as np

from algorithms.userfile.values import in_short

_MOST, _LONGEST = 200, 60  # parameters, and characters of a name
_SAFE_INT = 1 << 63


def recordable(parameters: Mapping[Any, Any]) -> dict[str, Any]:
    """Give each parameter a name and a value that can be read again: what is no number, text, truth value or tuple of
    such (an array, a dict, NaN) is its text, and "learning-rate" is called learning_rate."""
    settings: dict[str, Any] = {}
    for given, value in list(parameters.items())[:_MOST]:
        name = stem = _name(str(given))
        number = 1
        while name in settings:
            number += 1
            name = f"{stem}_{number}"
        settings[name] = _value(value)
    return settings


def _name(text: str) -> str:
    name = re.sub(r"\W+", "_", text)[:_LONGEST].strip("_") or "parameter"
    if not name.isidentifier():
        name = f"p_{name}"
    return f"{name}_" if iskeyword(name) or not name.isidentifier() else name


def _value(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple | list) and all(_is_plain(part) for part in map(_item, value)):
        return tuple(map(_item, value))
    return value if value is None or _is_plain(value) else in_short(value)


def _item(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _is_plain(value: Any) -> bool:
    if type(value) is float:
        return not math.isnan(value)
    return type(value) in (bool, str) or (type(value) is int and -_SAFE_INT <= value < _SAFE_INT)
