"""Comparisons: predicates about values, which hold for a while, and about how they change."""

import operator
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from algorithms.core.arrays import Array
from algorithms.timeline.conditions.moment import Moment, moments_before
from algorithms.timeline.conditions.predicates import Predicate
from algorithms.timeline.conditions.values import Known, Value, alike, is_silent, number_of, numbers_of
from algorithms.timeline.step_log import StepLog


class Compare(Predicate, frozen=True):
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
            return Predicate.possible(self, log, first, stop)
        holding = np.ones(stop - first, bool)
        along = [value.along(log, first, stop) for value in self.compared]
        for sign, left, right in zip(self.signs, along, along[1:]):
            holding &= COMPARISONS[sign](left, right)
        return holding

    def silent(self, moment: Moment) -> bool:
        return any(is_silent(value, value.of(moment), moment) for value in self.compared)

    @property
    def lasts(self) -> bool:
        return True

    @property
    def by_log(self) -> bool:
        return all(value.by_log for value in self.compared)

    @property
    def values(self) -> tuple[Value, ...]:
        return self.compared


class OfValue(Predicate, frozen=True):
    """A predicate about one value."""

    value: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.value,)


class OfNumbers(OfValue, frozen=True):
    """Whether the entries of a value are numbers."""

    @property
    def lasts(self) -> bool:
        return True

    @property
    def asks_for_nan(self) -> bool:
        return True


class IsNaN(OfNumbers, frozen=True):
    """A value is NaN, or one of its entries is."""

    def holds(self, moment: Moment) -> bool:
        return bool(np.isnan(numbers_of(self.value.of(moment))).any())


class IsFinite(OfNumbers, frozen=True):
    """A value is a finite number, or all of its entries are; what is not there is none."""

    def holds(self, moment: Moment) -> bool:
        numbers = numbers_of(self.value.of(moment))
        return bool(numbers.size and np.isfinite(numbers).all())


class Changes(OfValue, frozen=True):
    """A value rises, falls or changes against the step before; a curve, against where it was last measured."""

    way: Literal["rises", "falls", "changes"]

    def holds(self, moment: Moment) -> bool:
        phases = self.value.phases
        if phases and moment.state.phase not in phases:
            return False
        now = self.value.of(moment)
        if is_silent(self.value, now, moment):
            return False
        for earlier in moments_before(moment, phases):
            then = self.value.of(earlier)
            if not is_silent(self.value, then, earlier):
                return self._changed(then, now)
        return False

    def _changed(self, then: Known, now: Known) -> bool:
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
    def looks_back(self) -> bool:
        return bool(self.value.phases)


COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_WAYS: Mapping[str, Callable[[Any, Any], Any]] = {"rises": operator.gt, "falls": operator.lt, "changes": operator.ne}
