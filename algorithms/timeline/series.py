"""Series: the curves and theorems measured along a run, at a few thousand steps however long it is."""

import math
from bisect import insort
from collections.abc import Iterable
from time import perf_counter, process_time
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.state import State
from algorithms.core.theorems import Verdict
from algorithms.timeline.hooks import Hooks

MOST = 4096  # samples in all; then the most frequent kinds of step give up every second
KINDS = 256  # kinds of step told apart here; the rest count as one
_WORTH = 256  # a kind of step with fewer samples than this gives none up
_FEW = 64  # so many samples are taken however dear they are
_KEPT = 2048  # steps whose verdicts and values are kept as they were measured, the newest ones
# seconds of the processor, so that nothing is missing because of what else is done on the machine: measuring that takes
# longer, and half of the time that passes by the clock besides, is thinned as well
_PATIENCE = 1.0
DEAR = 5e-3  # seconds of the processor from which on the theorems of a step may wait until one looks at it
_MOST_WAITING = 64


def broken(x: Array, values: Array, breaks: Iterable[float]) -> tuple[Array, Array]:
    """Put a hole into a line before each of some places, so that what comes after it is not joined with what was."""
    at = np.array(sorted(breaks), float)
    if not at.size:
        return x, values
    places = np.searchsorted(x, at)
    return np.insert(np.asarray(x, float), places, at), np.insert(np.asarray(values, float), places, np.nan)


class Failure(Struct, frozen=True):
    """A theorem that did not hold at a step."""

    t: int
    verdict: Verdict


class Series:
    """Each curve's value and each theorem's sides at samples of a run.

    Samples are taken kind by kind, so that every phase stays seen, and thinned as the run grows or when
    they are dear. A theorem that fails is kept for good in `failures`.

    Args:
        past: a series whose samples before `upto` this one begins with.

    Attributes:
        waits: for each kind, how many steps to let pass before the next is measured.
    """

    def __init__(self, hooks: Hooks, past: "Series | None" = None, upto: int = 0):
        curves, theorems = len(hooks.algorithm.curves), len(hooks.algorithm.theorems)
        room = MOST + 2  # the last for the newest step, whether it is a sample or not
        self.failures: list[Failure] = []
        self.waits = [0] * KINDS
        self._hooks = hooks
        self._failed: set[tuple[int, str]] = set()
        self._every = [1] * KINDS
        self._count = 0
        self._t, self._kinds = np.full(room, -1, np.int64), np.zeros(room, np.intp)
        self._values = np.zeros((room, curves))
        self._measured = np.zeros((room, curves), bool)  # one that is nan was, too
        self._sides = [np.zeros((room, 2)) for _ in range(theorems)]
        self._kept: dict[int, tuple[tuple[Verdict, ...], tuple[float, ...]]] = {}
        # of steps whose theorems wait, by step: the state before, the state, the values of its curves
        self._waiting: dict[int, tuple[State | None, State, tuple[float, ...]]] = {}
        self._cost = 0.0  # seconds that the theorems of a step took, of late
        self._began, self._spent = perf_counter(), 0.0
        if past is not None:
            self._begin_with(past, upto)

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what was measured; the theorems that failed go by their place, since they are functions."""
        theorems = self._hooks.algorithm.theorems
        failed = [(f.t, theorems.index(f.verdict.theorem), f.verdict.sides, f.verdict.why) for f in self.failures]
        self.settle()
        measured = {name: value for name, value in vars(self).items() if name not in ("_hooks", "_kept")}
        return measured | {"failures": failed}

    def ask(self, hooks: Hooks) -> None:
        """Measure with these hooks from now on, as one that came out of a pickle must."""
        theorems = hooks.algorithm.theorems
        failed: list[Any] = self.failures
        self.failures = [Failure(t, Verdict(theorems[i], "fails", sides, why)) for t, i, sides, why in failed]
        self._hooks, self._kept = hooks, {}

    def at(self, t: int) -> tuple[tuple[Verdict, ...], tuple[float, ...]] | None:
        """Get the verdicts and values of a step as they were measured; None where they were not, or long ago."""
        return self._kept.get(t)

    @property
    def dear(self) -> bool:
        """Tell whether theorems take so long that they may wait until one looks at a step."""
        return self._cost > DEAR

    @property
    def settled(self) -> bool:
        """Tell whether no theorem waits to be checked."""
        return not self._waiting

    def waiting(self, t: int) -> tuple[float, ...] | None:
        """Get the values of a step whose theorems are still to be checked; None of any other."""
        return self._waiting[t][2] if t in self._waiting else None

    def settle(self, until: float = math.inf) -> bool:
        """Check the theorems that wait, the oldest first, up to the moment `until`; False when that came first."""
        while self._waiting:
            self.look(next(iter(self._waiting)))
            if perf_counter() > until:
                break
        return not self._waiting

    def look(self, t: int) -> None:
        """Check the theorems of a step, where they wait."""
        if t not in self._waiting:
            return
        before, after, values = self._waiting.pop(t)
        verdicts = self._checked(t, before, after, values)
        row = int(np.searchsorted(self._t[: self._count], t))
        if row < self._count and self._t[row] == t:  # else it was thinned out meanwhile
            self._write_sides(row, verdicts)

    def measure(self, t: int, kind: int, before: State | None, after: State, later: bool = False) -> None:
        """Take a sample of the step at t, later than all before it.

        Args:
            later: whether its theorems wait where they take long; not more of them than are soon checked.
        """
        began = process_time()
        self._kinds[self._count] = kind
        self._write(t, before, after, later and self.dear)
        self._count += 1
        self.waits[kind] = self._every[kind] - 1
        self._spent += process_time() - began
        now = perf_counter()
        dear = self._spent > _PATIENCE + (now - self._began) / 2
        if self._count > MOST or (dear and self._count > _FEW):
            self._thin()
            self._began, self._spent = now, 0.0
        if len(self._waiting) > _MOST_WAITING:
            self.look(next(iter(self._waiting)))

    def newest(self, t: int, before: State | None, after: State) -> None:
        """Put the newest step at the end of the curves, though it is no sample."""
        if self._t[self._count] != t and not (self._count and self._t[self._count - 1] == t):
            self._write(t, before, after)

    def curve(self, i: int) -> tuple[Array, Array]:
        """Get (t, value) of a curve where it was measured; nan where that was the value."""
        n = self._rows
        if i >= self._values.shape[1]:  # first measured after the last sample
            return self._t[:0], self._values[:0].sum(axis=1)
        measured = self._measured[:n, i]
        return self._t[:n][measured], self._values[:n, i][measured]

    def sides(self, i: int) -> tuple[Array, Array]:
        """Get (t, (m, s) sides) of a theorem where it applies; NaN where a step has fewer sides."""
        n = self._rows
        t, sides = self._t[:n], self._sides[i][:n]
        known = ~np.isnan(sides).all(axis=1)
        return t[known], sides[known]

    def keep_failures(self, t: int, verdicts: tuple[Verdict, ...]) -> None:
        """Keep the verdicts that failed, for good."""
        for verdict in verdicts:
            key = (t, verdict.theorem.statement)
            if verdict.status == "fails" and key not in self._failed:
                self._failed.add(key)
                insort(self.failures, Failure(t, verdict), key=lambda failure: failure.t)

    @property
    def _rows(self) -> int:
        """Count how many rows there are, the newest step's included."""
        n = self._count
        return n + 1 if n and self._t[n] > self._t[n - 1] else n

    def _write(self, t: int, before: State | None, after: State, later: bool = False) -> None:
        row = self._count
        values = self._hooks.values(after)
        if later:
            self._waiting[t] = before, after, values
            verdicts: tuple[Verdict, ...] = ()
        else:
            verdicts = self._checked(t, before, after, values)
        self._t[row] = t
        missing = len(values) - self._values.shape[1]
        if missing > 0:  # a reader's generator has yielded a number that it had not before
            self._values = np.pad(self._values, ((0, 0), (0, missing)))
            self._measured = np.pad(self._measured, ((0, 0), (0, missing)))
        self._values[row] = values
        self._measured[row] = True
        for i, value in enumerate(values):
            if value != value:  # nan: none, or one that it came out as
                self._measured[row, i] = after.is_nan(self._hooks.algorithm.curves[i].name)
        for sides in self._sides:
            sides[row] = np.nan
        self._write_sides(row, verdicts)

    def _write_sides(self, row: int, verdicts: tuple[Verdict, ...]) -> None:
        for i, verdict in enumerate(verdicts):
            sides = verdict.sides.values if verdict.sides else ()
            missing = len(sides) - self._sides[i].shape[1]
            if missing > 0:
                self._sides[i] = np.pad(self._sides[i], ((0, 0), (0, missing)), constant_values=np.nan)
            self._sides[i][row, : len(sides)] = sides

    def _checked(self, t: int, before: State | None, after: State, values: tuple[float, ...]) -> tuple[Verdict, ...]:
        """Check the theorems of a step, and keep what came of it beside its values."""
        began = process_time()
        verdicts = self._hooks.verdicts(before, after)
        self._cost += (process_time() - began - self._cost) / 4
        self._kept[t] = verdicts, values
        if len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        self.keep_failures(t, verdicts)
        return verdicts

    def _thin(self) -> None:
        n = self._count
        kinds = self._kinds[:n]
        counts: Array = np.bincount(kinds, minlength=KINDS)
        worth = min(_WORTH, n // (2 * int(np.count_nonzero(counts))))
        keep = np.ones(n, bool)
        for kind in np.flatnonzero(counts > worth).tolist():
            keep[np.flatnonzero(kinds == kind)[1::2]] = False
            if counts[kind] % 2:  # the last was kept: the next would be dropped
                self.waits[kind] += self._every[kind]
            self._every[kind] *= 2
        self._keep(np.flatnonzero(keep))

    def _keep(self, rows: Array) -> None:
        """Move these rows to the front."""
        n = self._count = len(rows)
        for column in (self._t, self._kinds, self._values, self._measured, *self._sides):
            column[:n] = column[rows]
        self._t[n] = -1

    def _begin_with(self, past: "Series", upto: int) -> None:
        past.settle()
        self._every = list(past._every)
        self._t, self._kinds, self._values = past._t.copy(), past._kinds.copy(), past._values.copy()
        self._measured = past._measured.copy()
        self._sides = [column.copy() for column in past._sides]
        self._count = int(np.searchsorted(past._t[: past._count], upto))
        self._t[self._count :] = -1  # what the past measured after the fork is not of this run
        self.failures = [failure for failure in past.failures if failure.t < upto]
