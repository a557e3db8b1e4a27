"""Values: what a condition computes of a step: fields, curves, arithmetic and functions of them.

A value that a step has not got (another phase, a field that is None, an index beyond the end) is None; what is
compared with None is false.
"""

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.curves import Curve
from algorithms.timeline.conditions.moment import Moment, Unanswerable
from algorithms.timeline.step_log import StepLog

Known: TypeAlias = float | Array | tuple[Any, ...] | str | None


class Value(Struct, frozen=True, tag=True):
    """Something computed of a step."""

    def of(self, moment: Moment) -> Known:
        """What it is there, None where there is none."""
        raise NotImplementedError

    def along(self, log: StepLog, first: int, stop: int) -> Array:
        """What it is at the steps from first to before stop, of those that the log alone tells."""
        raise NotImplementedError

    @property
    def parts(self) -> tuple["Value", ...]:
        """The values it is made of."""
        return ()

    @property
    def by_log(self) -> bool:
        """Whether the log alone tells."""
        return all(part.by_log for part in self.parts)

    @property
    def curves(self) -> tuple[Curve, ...]:
        """Those that are measured for it."""
        return tuple(curve for part in self.parts for curve in part.curves)

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases outside of which it is not there; () when it is there in all."""
        limited = [curve.phases for curve in self.curves if curve.phases]
        shared = [p for p in limited[0] if all(p in others for others in limited)] if limited else []
        return tuple(shared) or (limited[0] if limited else ())


class Number(Value, frozen=True):
    """A constant."""

    value: float

    def of(self, moment: Moment) -> float:
        return self.value

    def along(self, log: StepLog, first: int, stop: int) -> Array:
        return np.full(stop - first, self.value)


class Place(Value, frozen=True):
    """The number of the step."""

    def of(self, moment: Moment) -> float:
        return moment.t

    def along(self, log: StepLog, first: int, stop: int) -> Array:
        return np.arange(first, stop, dtype=float)


class Iteration(Value, frozen=True):
    """The number of the iteration."""

    def of(self, moment: Moment) -> float:
        return moment.state.iteration

    def along(self, log: StepLog, first: int, stop: int) -> Array:
        return log.iterations(first, stop).astype(float)


class Field(Value, frozen=True):
    """A field of the state, or an entry of it."""

    name: str
    index: tuple[int, ...] = ()

    def of(self, moment: Moment) -> Known:
        value = moment.state.get(self.name)
        return _entry(value, self.index) if self.index else value

    @property
    def by_log(self) -> bool:
        return False


class CurveValue(Value, frozen=True):
    """What a curve measures."""

    curve: Curve

    def of(self, moment: Moment) -> float | None:
        if self.curve.phases and moment.state.phase not in self.curve.phases:
            return None
        try:
            return float(self.curve.measure(moment.problem, moment.state))
        except Exception as error:
            said = f"the curve {self.curve.name} could not be measured at step {moment.t:,}"
            raise Unanswerable(f"{said}: {type(error).__name__}: {error}") from error

    @property
    def by_log(self) -> bool:
        return False

    @property
    def curves(self) -> tuple[Curve, ...]:
        return (self.curve,)


class Arithmetic(Value, frozen=True):
    """Two values joined by + - * / **; entry by entry where they are arrays."""

    sign: str
    left: Value
    right: Value

    def of(self, moment: Moment) -> Known:
        left, right = _operand(self.left.of(moment)), _operand(self.right.of(moment))
        if left is None or right is None:
            return None
        try:
            with np.errstate(all="ignore"):
                return ARITHMETIC[self.sign](left, right)  # type: ignore[no-any-return]
        except ValueError:  # arrays of different shapes
            return None

    def along(self, log: StepLog, first: int, stop: int) -> Array:
        with np.errstate(all="ignore"):
            joined = ARITHMETIC[self.sign](self.left.along(log, first, stop), self.right.along(log, first, stop))
        return np.asarray(joined)

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.left, self.right)


class Function(Value, frozen=True):
    """max, min, sum, norm, len of all entries of an array; abs, entry by entry."""

    name: str
    inside: Value

    def of(self, moment: Moment) -> Known:
        value = self.inside.of(moment)
        if value is None:
            return None
        try:
            found: Known = FUNCTIONS[self.name](value)
        except (ValueError, TypeError):  # of nothing, or of what is no number
            return None
        return found

    def along(self, log: StepLog, first: int, stop: int) -> Array:
        inside = self.inside.along(log, first, stop)
        return np.ones(len(inside)) if self.name == "len" else np.abs(inside) if self.name in _ABS else inside

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.inside,)


def _entry(value: Any, index: tuple[int, ...]) -> Known:
    """An entry of an array, or of an array in a tuple."""
    try:
        while index and isinstance(value, tuple):
            value, index = value[index[0]], index[1:]
        return value[index] if index else value  # type: ignore[no-any-return]
    except (IndexError, TypeError):
        return None


def _operand(value: Known) -> Any:
    """A number or array to compute with, as floats so that no power of whole numbers grows without end."""
    if isinstance(value, np.ndarray):
        return value.astype(float) if value.dtype.kind in "biuf" else None
    return np.float64(value) if isinstance(value, int | float | np.number | np.bool_) else None


def _entries(value: Any) -> Array:
    """All numbers of an array, or of the arrays in a tuple, in a row."""
    if isinstance(value, tuple):
        return np.concatenate([_entries(part) for part in value]) if value else np.empty(0)
    return np.ravel(np.asarray(value, float))


def _length(value: Any) -> int:
    return len(value) if isinstance(value, tuple | str) or np.ndim(value) else 1


def _magnitude(value: Any) -> Any:
    return np.abs(np.asarray(value, float))


ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}
FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "max": lambda value: float(np.max(_entries(value))),
    "min": lambda value: float(np.min(_entries(value))),
    "sum": lambda value: float(np.sum(_entries(value))),
    "norm": lambda value: float(np.linalg.norm(_entries(value))),
    "abs": _magnitude,
    "len": _length,
}
_ABS = ("abs", "norm")


def number_of(value: Known) -> float | None:
    """The one number that a value is; None where it is not there, not a number, or more than one."""
    if type(value) is float:
        return None if math.isnan(value) else value
    if isinstance(value, np.ndarray):
        value = value.item() if value.size == 1 and value.dtype.kind in "biuf" else None
    if isinstance(value, int | float | np.number | np.bool_):
        number = float(value)
        return None if math.isnan(number) else number
    return None
