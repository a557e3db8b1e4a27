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
from algorithms.core.state import same
from algorithms.core.theorems import Theorem
from algorithms.timeline.conditions.moment import Moment, Unanswerable, moment_at, verdict_of
from algorithms.timeline.step_log import StepLog

Known: TypeAlias = float | Array | tuple[Any, ...] | str | None


class Value(Struct, frozen=True, tag=True):
    """Something computed of a step."""

    def of(self, moment: Moment) -> Known:
        """Evaluate at a moment; None where there is no value."""
        raise NotImplementedError

    def along(self, log: StepLog, first: int, stop: int) -> Array:
        """Evaluate at the steps from first to before stop, by the log alone."""
        raise NotImplementedError

    @property
    def parts(self) -> tuple["Value", ...]:
        """Get the values it is made of."""
        return ()

    @property
    def by_log(self) -> bool:
        """Tell whether the log alone tells."""
        return all(part.by_log for part in self.parts)

    @property
    def curves(self) -> tuple[Curve, ...]:
        """List those that are measured for it."""
        return tuple(curve for part in self.parts for curve in part.curves)

    @property
    def assumed_fields(self) -> tuple[str, ...]:
        """Get the names that are taken for fields though no state was known."""
        return tuple(name for part in self.parts for name in part.assumed_fields)

    @property
    def phases(self) -> tuple[str, ...]:
        """Get the phases outside of which it is not there; () when it is there in all."""
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
    """A field of the state, or an entry of it.

    Attributes:
        assumed: whether no state was known when the name was read, so that the run has to show that it is one.
    """

    name: str
    index: tuple[int, ...] = ()
    assumed: bool = False

    def of(self, moment: Moment) -> Known:
        value = moment.state.get(self.name)
        return _entry(value, self.index) if self.index else value

    @property
    def by_log(self) -> bool:
        return False

    @property
    def assumed_fields(self) -> tuple[str, ...]:
        return (self.name,) if self.assumed else ()


class CurveValue(Value, frozen=True):
    """What a curve measures."""

    curve: Curve

    def of(self, moment: Moment) -> float | None:
        if self.curve.phases and moment.state.phase not in self.curve.phases:
            return None
        try:
            return float(self.curve.measure(moment.problem, moment.state))
        except Exception as error:
            failure = f"the curve {self.curve.name} could not be measured at step {moment.t:,}"
            raise Unanswerable(f"{failure}: {type(error).__name__}: {error}") from error

    @property
    def by_log(self) -> bool:
        return False

    @property
    def curves(self) -> tuple[Curve, ...]:
        return (self.curve,)


class Side(Value, frozen=True):
    """A side of a theorem, counted from 0; there is none where it is silent."""

    theorem: Theorem
    side: int

    def of(self, moment: Moment) -> float | None:
        if moment.before is None:  # as of the step before that a change is measured against
            moment = moment_at(moment.run, moment.t) or moment
        sides = verdict_of(self.theorem, moment).sides
        return sides.values[self.side] if sides is not None and self.side < len(sides.values) else None

    @property
    def by_log(self) -> bool:
        return False


class Arithmetic(Value, frozen=True):
    """Values joined by + - * / ** from left to right; entry by entry where they are arrays.

    A long sum is one of these and not one inside another, so that its length costs no depth.
    """

    values: tuple[Value, ...]
    signs: tuple[str, ...]

    def of(self, moment: Moment) -> Known:
        operands = [_operand(value.of(moment)) for value in self.values]
        if any(operand is None for operand in operands):
            return None
        try:
            return self._joined(operands)  # type: ignore[no-any-return]
        except ValueError:  # arrays of different shapes
            return None

    def along(self, log: StepLog, first: int, stop: int) -> Array:
        return np.asarray(self._joined([value.along(log, first, stop) for value in self.values]))

    def _joined(self, operands: list[Any]) -> Any:
        result, *others = operands
        with np.errstate(all="ignore"):
            for sign, operand in zip(self.signs, others):
                result = ARITHMETIC[sign](result, operand)
        return result

    @property
    def parts(self) -> tuple[Value, ...]:
        return self.values


class Function(Value, frozen=True):
    """max, min, sum, norm, len of all entries of an array; abs, entry by entry."""

    name: str
    inside: Value

    def of(self, moment: Moment) -> Known:
        value = self.inside.of(moment)
        if value is None:
            return None
        try:
            result: Known = FUNCTIONS[self.name](value)
        except (ValueError, TypeError, OverflowError):  # of nothing, or of what is no number
            return None
        return result

    def along(self, log: StepLog, first: int, stop: int) -> Array:
        inside = self.inside.along(log, first, stop)
        return np.ones(len(inside)) if self.name == "len" else np.abs(inside) if self.name in _ABS else inside

    @property
    def parts(self) -> tuple[Value, ...]:
        return (self.inside,)


def _entry(value: Any, index: tuple[int, ...]) -> Known:
    """Index an array, or an array in a tuple."""
    try:
        while index and isinstance(value, tuple):
            value, index = value[index[0]], index[1:]
        return value[index] if index else value  # type: ignore[no-any-return]
    except (IndexError, TypeError):
        return None


def _operand(value: Known) -> Any:
    """Convert a number or array to floats, so that no power of whole numbers grows without end."""
    if isinstance(value, np.ndarray):
        return value.astype(float) if value.dtype.kind in "biuf" else None
    return np.float64(_float(value)) if isinstance(value, int | float | np.number | np.bool_) else None


def _entries(value: Any) -> Array:
    """Flatten an array, or the arrays in a tuple, to numbers in a row."""
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
    """Convert a value to one number, NaN included; None where it is not there, a text, or more than one."""
    if type(value) is float:
        return value
    if isinstance(value, np.ndarray):
        value = value.item() if value.size == 1 and value.dtype.kind in "biuf" else None
    return _float(value) if isinstance(value, int | float | np.number | np.bool_) else None


def _float(value: float | np.number[Any] | np.bool_) -> float:
    """Convert a number to a float, infinite where it is a whole one too large to be one."""
    try:
        return float(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def numbers_of(value: Known) -> Array:
    """Flatten a value to its numbers; none where it is not there or a text."""
    try:
        return _entries(value) if value is not None else np.empty(0)
    except (ValueError, TypeError, OverflowError):
        return np.empty(0)


def alike(a: Known, b: Known) -> bool:
    """Compare two values for equality; a NaN equals a NaN."""
    if isinstance(a, np.ndarray | np.generic) and isinstance(b, np.ndarray | np.generic):
        floats = a.dtype.kind == "f" and b.dtype.kind == "f"
        return a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=floats))
    return same(a, b) or bool(type(a) is type(b) and isinstance(a, int | float) and a == b)


def is_silent(value: Value, known: Known, moment: Moment) -> bool:
    """Tell whether a value came out as nan since a curve in it is not defined at a moment, in a phase that measures it.

    A nan that a reader's generator yielded under the curve's name is a value as any other.
    """
    if not value.curves:
        return False
    number = number_of(known)
    return number is not None and math.isnan(number) and any(_undefined(curve, moment) for curve in value.curves)


def _undefined(curve: Curve, moment: Moment) -> bool:
    yielded = moment.state.get(curve.name)
    measured = CurveValue(curve).of(moment)
    return measured is not None and math.isnan(measured) and not isinstance(yielded, float)
