"""Statements made of others: all of them, one of them, not it, and where it begins to hold."""

import numpy as np

from algorithms.core.arrays import Array
from algorithms.timeline.conditions.moment import Moment, moments_before
from algorithms.timeline.conditions.predicates import Predicate
from algorithms.timeline.step_log import StepLog


class Several(Predicate, frozen=True):
    """A predicate made of several."""

    all: tuple[Predicate, ...]

    @property
    def parts(self) -> tuple[Predicate, ...]:
        return self.all


class Every(Several, frozen=True):
    """All of them hold."""

    def holds(self, moment: Moment) -> bool:
        return all(part.holds(moment) for part in self.all)

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        return np.asarray(np.logical_and.reduce([part.possible(log, first, stop) for part in self.all]))


class Either(Several, frozen=True):
    """One of them holds, or several."""

    def holds(self, moment: Moment) -> bool:
        return any(part.holds(moment) for part in self.all)

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        return np.asarray(np.logical_or.reduce([part.possible(log, first, stop) for part in self.all]))


class OfAnother(Predicate, frozen=True):
    """A predicate about another one."""

    inside: Predicate

    @property
    def parts(self) -> tuple[Predicate, ...]:
        return (self.inside,)


class Not(OfAnother, frozen=True):
    """It does not hold."""

    def holds(self, moment: Moment) -> bool:
        return not self.inside.holds(moment)

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        if self.by_log:
            return ~self.inside.possible(log, first, stop)
        return Predicate.possible(self, log, first, stop)


class Starts(OfAnother, frozen=True):
    """It holds and did not at the step before; of a curve that is silent at some steps, where it was last measured."""

    def holds(self, moment: Moment) -> bool:
        if not self.inside.holds(moment):
            return False
        skips = bool(self.curves) and not self.asks_for_nan
        for previous in moments_before(moment, self._phases):
            if self.inside.holds(previous):
                return False
            if not (skips and self.inside.silent(previous)):
                return True
        return True

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
    def looks_back(self) -> bool:
        return bool(self._phases)
