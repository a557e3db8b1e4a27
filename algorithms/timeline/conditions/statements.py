"""Statements: what holds of a step or does not."""

import operator
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.curves import Curve
from algorithms.core.state import same
from algorithms.core.theorem import Theorem
from algorithms.timeline.conditions.moment import Moment, Unanswerable
from algorithms.timeline.conditions.values import Field, Known, Value, number_of, numbers_of
from algorithms.timeline.step_log import Kind, StepLog


class Statement(Struct, frozen=True, tag=True):
    """Something that holds of a step or does not."""

    def holds(self, moment: Moment) -> bool:
        raise NotImplementedError

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        """Mask the steps from first to before stop at which it may hold by the log alone, or does if `by_log`."""
        return np.ones(stop - first, bool)

    @property
    def parts(self) -> tuple["Statement", ...]:
        """The statements it is made of."""
        return ()

    @property
    def by_log(self) -> bool:
        """Tell whether the log alone tells."""
        return bool(self.parts) and all(part.by_log for part in self.parts)

    @property
    def values(self) -> tuple[Value, ...]:
        """Give what is computed for it."""
        return tuple(value for part in self.parts for value in part.values)

    @property
    def curves(self) -> tuple[Curve, ...]:
        """Those that are measured for it."""
        return tuple(curve for value in self.values for curve in value.curves)

    @property
    def assumed_fields(self) -> tuple[str, ...]:
        """The names that are taken for fields though no state was known when they were read."""
        return tuple(name for value in self.values for name in value.assumed_fields)

    @property
    def looks_back(self) -> bool:
        """Tell whether it compares with what was measured several steps before."""
        return any(part.looks_back for part in self.parts)

    @property
    def lasts(self) -> bool:
        """Tell whether it is made of comparisons alone, which hold for a while; all else happens at a step."""
        return bool(self.parts) and all(part.lasts for part in self.parts)

    @property
    def events(self) -> tuple[str, ...]:
        """Those it asks for."""
        return tuple(event for part in self.parts for event in part.events)


class InPhase(Statement, frozen=True):
    """The step was of that phase."""

    phase: str

    def holds(self, moment: Moment) -> bool:
        return moment.state.phase == self.phase

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        return log.which(lambda kind: kind.phase == self.phase, first, stop)

    @property
    def by_log(self) -> bool:
        return True


class Happened(Statement, frozen=True):
    """The algorithm's i-th event happened."""

    index: int
    name: str

    def _did(self, kind: Kind) -> bool:
        return self.index < len(kind.events) and kind.events[self.index]

    def holds(self, moment: Moment) -> bool:
        return self._did(moment.run.kind(moment.t))

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        return log.which(self._did, first, stop)

    @property
    def by_log(self) -> bool:
        return True

    @property
    def events(self) -> tuple[str, ...]:
        return (self.name,)


class Begins(Statement, frozen=True):
    """The iteration of that number begins."""

    iteration: int

    def holds(self, moment: Moment) -> bool:
        return bool(self.possible(moment.run.log, moment.t, moment.t + 1)[0])

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        now = log.iterations(max(first - 1, 0), stop)
        begun = now == self.iteration
        begun[1:] &= now[:-1] != now[1:]
        return np.asarray(begun[len(now) - (stop - first) :])

    @property
    def by_log(self) -> bool:
        return True


class Compare(Statement, frozen=True):
    """Values in order: 0 < x <= 1; one that is not there makes it false, and so does NaN, but for !=."""

    compared: tuple[Value, ...]
    signs: tuple[str, ...]

    def holds(self, moment: Moment) -> bool:
        left = number_of(self.compared[0].of(moment))
        for sign, value in zip(self.signs, self.compared[1:]):
            if left is None:
                return False
            right = number_of(value.of(moment))
            if right is None or not COMPARISONS[sign](left, right):
                return False
            left = right
        return True

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        if not self.by_log:
            return Statement.possible(self, log, first, stop)
        holding = np.ones(stop - first, bool)
        along = [value.along(log, first, stop) for value in self.compared]
        for sign, left, right in zip(self.signs, along, along[1:]):
            holding &= COMPARISONS[sign](left, right)
        return holding

    @property
    def lasts(self) -> bool:
        return True

    @property
    def by_log(self) -> bool:
        return all(value.by_log for value in self.compared)

    @property
    def values(self) -> tuple[Value, ...]:
        return self.compared


class IsNaN(Statement, frozen=True):
    """A value is NaN, or one of its entries is."""

    value: Value

    def holds(self, moment: Moment) -> bool:
        return bool(np.isnan(numbers_of(self.value.of(moment))).any())

    @property
    def lasts(self) -> bool:
        return True

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.value,)


class IsFinite(Statement, frozen=True):
    """A value is a finite number, or all of its entries are; what is not there is none."""

    value: Value

    def holds(self, moment: Moment) -> bool:
        numbers = numbers_of(self.value.of(moment))
        return bool(numbers.size and np.isfinite(numbers).all())

    @property
    def lasts(self) -> bool:
        return True

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.value,)


class Changes(Statement, frozen=True):
    """A value rises, falls or changes against the step before; a curve, against where it was last measured."""

    value: Value
    way: Literal["rises", "falls", "changes"]

    def holds(self, moment: Moment) -> bool:
        phases = self.value.phases
        if phases and moment.state.phase not in phases:
            return False
        previous = moment.previous(phases)
        if previous is None:
            return False
        now, then = self.value.of(moment), self.value.of(previous)
        if self.way == "changes":
            return now is not None and then is not None and now is not then and not alike(now, then)
        new, old = number_of(now), number_of(then)
        return new is not None and old is not None and (new > old if self.way == "rises" else new < old)

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        phases = self.value.phases
        if not self.by_log:
            return log.which(lambda kind: not phases or kind.phase in phases, first, stop)
        start = max(first - 1, 0)
        now = self.value.along(log, start, stop)
        changing = np.zeros(len(now), bool)
        changing[1:] = _WAYS[self.way](now[1:], now[:-1])
        return changing[first - start :]

    @property
    def by_log(self) -> bool:
        return self.value.by_log

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.value,)

    @property
    def looks_back(self) -> bool:
        return bool(self.value.phases)


class Visited(Statement, frozen=True):
    """The current row is that one."""

    row: int
    field: Field

    def holds(self, moment: Moment) -> bool:
        return number_of(self.field.of(moment)) == self.row

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.field,)


class RowMoves(Statement, frozen=True):
    """Something of a row changes: its label where states have `labels`, else any entry that each row has one of.

    A row that had no label yet, a negative one, joins a group as every row does: it does not move.
    """

    row: int

    def holds(self, moment: Moment) -> bool:
        if moment.before is None:
            return False
        labels = moment.before.get("labels")
        if isinstance(labels, np.ndarray) and labels.ndim and self.row < len(labels) and (labels[self.row] < 0).all():
            return False
        fields = ("labels",) if moment.state.get("labels") is not None else tuple(moment.state.parts())
        return any(self._differs(moment.before.get(name), moment.state.get(name), moment) for name in fields)

    def _differs(self, before: Any, after: Any, moment: Moment) -> bool:
        rows = moment.problem.data.n
        if after is before or not (isinstance(after, np.ndarray) and isinstance(before, np.ndarray)):
            return False
        if self.row >= rows or not (after.ndim and before.ndim and len(after) == len(before) == rows):
            return False
        return not alike(after[self.row], before[self.row])


class Fails(Statement, frozen=True):
    """One of the theorems does not hold."""

    theorems: tuple[Theorem, ...]

    def holds(self, moment: Moment) -> bool:
        for theorem in self.theorems:
            try:
                verdict = theorem.verdict(moment.problem, moment.before, moment.state, moment.changed)
            except Exception as error:
                failure = f"the theorem {theorem.statement} could not be computed at step {moment.t:,}"
                raise Unanswerable(f"{failure}: {type(error).__name__}: {error}") from error
            if verdict.status == "fails":
                return True
        return False


class Every(Statement, frozen=True):
    """All of them hold."""

    all: tuple[Statement, ...]

    def holds(self, moment: Moment) -> bool:
        return all(part.holds(moment) for part in self.all)

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        return np.asarray(np.logical_and.reduce([part.possible(log, first, stop) for part in self.all]))

    @property
    def parts(self) -> tuple[Statement, ...]:
        return self.all


class Either(Statement, frozen=True):
    """One of them holds, or several."""

    all: tuple[Statement, ...]

    def holds(self, moment: Moment) -> bool:
        return any(part.holds(moment) for part in self.all)

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        return np.asarray(np.logical_or.reduce([part.possible(log, first, stop) for part in self.all]))

    @property
    def parts(self) -> tuple[Statement, ...]:
        return self.all


class Not(Statement, frozen=True):
    """It does not hold."""

    inside: Statement

    def holds(self, moment: Moment) -> bool:
        return not self.inside.holds(moment)

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        if self.by_log:
            return ~self.inside.possible(log, first, stop)
        return Statement.possible(self, log, first, stop)

    @property
    def parts(self) -> tuple[Statement, ...]:
        return (self.inside,)


class Starts(Statement, frozen=True):
    """It holds and did not at the step before; of a curve that some phases measure, where it was last measured."""

    inside: Statement

    def holds(self, moment: Moment) -> bool:
        if not self.inside.holds(moment):
            return False
        previous = moment.previous(self._phases)
        return previous is None or not self.inside.holds(previous)

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        start = max(first - 1, 0)
        possible = self.inside.possible(log, start, stop)
        if self.by_log:
            possible[1:] &= ~possible[:-1]
        return possible[first - start :]

    @property
    def _phases(self) -> tuple[str, ...]:
        limited = [curve.phases for curve in self.curves]
        return tuple(dict.fromkeys(p for phases in limited for p in phases)) if all(limited) else ()

    @property
    def parts(self) -> tuple[Statement, ...]:
        return (self.inside,)

    @property
    def looks_back(self) -> bool:
        return bool(self._phases)


def alike(a: Known, b: Known) -> bool:
    """Compare two values for equality; a NaN equals a NaN."""
    if isinstance(a, np.ndarray | np.generic) and isinstance(b, np.ndarray | np.generic):
        floats = a.dtype.kind == "f" and b.dtype.kind == "f"
        return a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=floats))
    return same(a, b) or bool(type(a) is type(b) and isinstance(a, int | float) and a == b)


COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_WAYS: Mapping[str, Callable[[Any, Any], Any]] = {"rises": operator.gt, "falls": operator.lt, "changes": operator.ne}
