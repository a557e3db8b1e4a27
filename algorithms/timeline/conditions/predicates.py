"""Predicates: what holds of a step or does not."""

from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.curves import Curve
from algorithms.core.theorems import Theorem
from algorithms.timeline.conditions.moment import Moment, verdict_of
from algorithms.timeline.conditions.values import Field, Value, alike, number_of
from algorithms.timeline.step_log import Kind, StepLog


class Predicate(Struct, frozen=True, tag=True):
    """Something that holds of a step or does not."""

    def holds(self, moment: Moment) -> bool:
        raise NotImplementedError

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        """Mask the steps from first to before stop at which it may hold by the log alone, or does if `by_log`."""
        return np.ones(stop - first, bool)

    @property
    def parts(self) -> tuple["Predicate", ...]:
        """Get the predicates it is made of."""
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
        """List those that are measured for it."""
        return tuple(curve for value in self.values for curve in value.curves)

    @property
    def assumed_fields(self) -> tuple[str, ...]:
        """Get the names that are taken for fields though no state was known when they were read."""
        return tuple(name for value in self.values for name in value.assumed_fields)

    @property
    def looks_back(self) -> bool:
        """Tell whether it compares with what was measured several steps before."""
        return any(part.looks_back for part in self.parts)

    def silent(self, moment: Moment) -> bool:
        """Tell whether a curve that it compares says nothing at a moment, so that the last value it had stands."""
        return any(part.silent(moment) for part in self.parts)

    @property
    def asks_for_nan(self) -> bool:
        """Whether it asks if a value is a number at all, so that none stands for another."""
        return any(part.asks_for_nan for part in self.parts)

    @property
    def lasts(self) -> bool:
        """Tell whether it is made of comparisons alone, which hold for a while; all else happens at a step."""
        return bool(self.parts) and all(part.lasts for part in self.parts)

    @property
    def events(self) -> tuple[str, ...]:
        """List those it asks for."""
        return tuple(event for part in self.parts for event in part.events)


class OfKind(Predicate, frozen=True):
    """What the log tells of the kind of a step."""

    def told_by(self, kind: Kind) -> bool:
        raise NotImplementedError

    def holds(self, moment: Moment) -> bool:
        return self.told_by(moment.run.kind(moment.t))

    def possible(self, log: StepLog, first: int, stop: int) -> Array:
        return log.which(self.told_by, first, stop)

    @property
    def by_log(self) -> bool:
        return True


class InPhase(OfKind, frozen=True):
    """The step was of that phase."""

    phase: str

    def told_by(self, kind: Kind) -> bool:
        return kind.phase == self.phase


class Happened(OfKind, frozen=True):
    """The algorithm's i-th event happened."""

    index: int
    name: str

    def told_by(self, kind: Kind) -> bool:
        return self.index < len(kind.events) and kind.events[self.index]

    @property
    def events(self) -> tuple[str, ...]:
        return (self.name,)


class Begins(Predicate, frozen=True):
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


class Visited(Predicate, frozen=True):
    """The current row is that one."""

    row: int
    field: Field

    def holds(self, moment: Moment) -> bool:
        return number_of(self.field.of(moment)) == self.row

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.field,)


class RowMoves(Predicate, frozen=True):
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


class Fails(Predicate, frozen=True):
    """One of the theorems does not hold."""

    theorems: tuple[Theorem, ...]

    def holds(self, moment: Moment) -> bool:
        return any(verdict_of(theorem, moment).status == "fails" for theorem in self.theorems)
