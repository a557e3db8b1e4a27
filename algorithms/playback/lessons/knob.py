"""Knob: a parameter that is turned at a moment, and the values that it goes through."""

import math
from decimal import Decimal, InvalidOperation
from typing import Any

from msgspec import Struct

from algorithms.core import Parameter, Refused
from algorithms.core.parameters import as_typed
from algorithms.playback.cursor.knob import turned
from algorithms.timeline import Timeline

_MOST = 60  # values


class Knob(Struct, frozen=True):
    """A parameter that is turned.

    Attributes:
        name: which.
        values: those that it goes through, rising.
        value: that which it has.
    """

    name: str
    values: tuple[float, ...]
    value: float

    def beside(self, by: int) -> float | None:
        """Give the next value, or the one before for -1; None where there is none."""
        beyond = [value for value in self.values if (value - self.value) * by > 0]
        return (min(beyond) if by > 0 else max(beyond)) if beyond else None

    @property
    def ends(self) -> tuple[str, str]:
        """Get where it begins and ends, as they are typed."""
        return as_typed(self.values[0]), as_typed(self.values[-1])


def knob_of(text: str, run: Timeline, t: int) -> Knob:
    """Make the knob that an instruction asks for: "eta 0.1 1", or "eta 0.1 1 0.05" with its step.

    Raises:
        Refused: when there is none such on a run that has its value.
    """
    words = text.split()
    if len(words) not in (3, 4):
        raise Refused("a knob has a parameter, two ends, and a step if it has one, as in knob eta 0.1 1 0.05")
    name, *ends = words
    known = {parameter.name: parameter for parameter in run.algorithm.parameters}
    if name not in known:
        raise Refused(f"there is no parameter {name!r}; there are {', '.join(known) or 'none'}")
    parameter = known[name]
    if parameter.type not in (int, float) or parameter.choices:
        raise Refused(f"a knob turns a number, and {name} is none")
    low, high = (_number(run, name, end) for end in ends[:2])
    if not low < high:
        raise Refused(f"a knob goes from the less to the more, not from {ends[0]} to {ends[1]}")
    now = getattr(run.problem_at(t).parameters, name)
    if not isinstance(now, int | float) or not low <= now <= high:
        raise Refused(f"{name} is {as_typed(now)} here, and the knob goes from {ends[0]} to {ends[1]}")
    values = _by(run, name, ends) if len(ends) == 3 else _in_turn(parameter, low, high)
    return Knob(name, tuple(sorted({*values, now})), now)


def _number(run: Timeline, name: str, text: str) -> float:
    value: Any = getattr(run.algorithm.checked({name: text}), name)
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise Refused(f"a knob goes from a number to a number, and {text} is none")
    return value


def _by(run: Timeline, name: str, ends: list[str]) -> list[float]:
    """List the values a step apart, worked out in decimals, that 0.3 may not be 0.30000000000000004."""
    try:
        low, high, step = map(Decimal, ends)
    except InvalidOperation:
        raise Refused(f"the step of a knob is a number, and {ends[2]} is none") from None
    if not (step.is_finite() and step > 0):
        raise Refused(f"the step of a knob is above 0, and {ends[2]} is not")
    if (high - low) / step >= _MOST:
        raise Refused(f"a knob has {_MOST} values at most: take a greater step than {ends[2]}")
    return [_number(run, name, str(low + i * step)) for i in range(int((high - low) / step) + 1)]


def _in_turn(parameter: Parameter, low: float, high: float) -> list[float]:
    """List the values that the form of parameters goes through."""
    values = [low]
    while values[-1] < high:
        following = turned(parameter, values[-1], 1)
        if len(values) == _MOST or not following > values[-1]:
            raise Refused(f"a knob has {_MOST} values at most: give it a step")
        values.append(min(following, high))
    return values
