"""The values that a parameter takes in many runs, as a person types them: lists, ranges, ranges of a logarithm."""

from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, get_origin

import numpy as np

from algorithms.core.errors import Refused
from algorithms.core.parameters import Parameter

_MOST_FLOATS = 10_000_000
_EXAMPLES = "as in 0:100, 0:1:0.1, 1e-3:1:log:20 or 2,3,4"


def values_of(given: str | Iterable[Any], name: str, parameter: Parameter | None) -> Sequence[Any]:
    """Give the values that are meant, in their order.

    Args:
        given: values; or a text. "2,3,4" is a list (with semicolons between, where a value itself has commas), "0:100"
            the whole numbers from 0 to before 100, "0:1:0.1" steps of that size to before 1, and "1e-3:1:log:20" so
            many numbers at equal ratios, both ends included.
        parameter: whose values they are, None where that is not known.

    Raises:
        Refused: for a text that is none of these, or no value at all.
    """
    if isinstance(given, str):
        values = _typed(given.strip(), name, parameter)
    elif isinstance(given, np.ndarray):
        values = given.tolist()
    elif isinstance(given, Iterable):
        values = given if isinstance(given, Sequence) else tuple(given)
    else:
        raise Refused(f"{name} takes several values, {_EXAMPLES}, not {given!r}.")
    if not len(values):
        raise Refused(f"{name} = {given} holds no value: give one or more, {_EXAMPLES}.")
    return values


def _typed(text: str, name: str, parameter: Parameter | None) -> Sequence[Any]:
    if _is_range(text, parameter):
        return _range(text, name, parameter)
    several = parameter is not None and get_origin(parameter.type) is tuple
    return [part.strip() for part in text.split(";" if several else ",") if part.strip()]


def _is_range(text: str, parameter: Parameter | None) -> bool:
    """Tell a range from a list: choices and texts may hold colons of their own."""
    return ":" in text and (parameter is None or parameter.type in (int, float, Any))


def _range(text: str, name: str, parameter: Parameter | None) -> Sequence[Any]:
    parts = [part.strip() for part in text.split(":")]
    try:
        if len(parts) == 4 and parts[2] == "log":
            return _logarithmic(float(parts[0]), float(parts[1]), int(parts[3]), parameter)
        if len(parts) in (2, 3):
            return _even([Decimal(part) for part in parts])
    except (ValueError, ArithmeticError, InvalidOperation):
        pass
    raise Refused(f"{name} = {text} is no range: write it {_EXAMPLES}.")


def _even(parts: list[Decimal]) -> Sequence[Any]:
    """Steps of one size, worked out in decimals, so that 0:1:0.1 has 0.3 in it and not 0.30000000000000004."""
    first, stop, step = parts if len(parts) == 3 else (*parts, Decimal(1))
    if all(part == part.to_integral_value() for part in (first, stop, step)):
        return range(int(first), int(stop), int(step))
    count = max(0, -int((first - stop) // step))
    if count > _MOST_FLOATS:
        raise ValueError("too many to be listed")
    inside = (first + i * step for i in range(count + 1))
    return [float(value) for value in inside if (value < stop if step > 0 else value > stop)]


def _logarithmic(first: float, last: float, count: int, parameter: Parameter | None) -> Sequence[Any]:
    if not (0 < first < np.inf and 0 < last < np.inf and 0 < count <= _MOST_FLOATS):
        raise ValueError("a logarithm needs numbers above 0")
    values: list[float] = np.geomspace(first, last, count).tolist()
    if parameter is not None and parameter.type is int:
        return list(dict.fromkeys(round(value) for value in values))
    return values
