"""Stopwatch: how long each step of a run takes by itself, apart from what records, measures and paints it."""

from collections.abc import Sequence
from time import perf_counter, thread_time
from typing import Any

import numpy as np

from algorithms.core import Array, Refused
from algorithms.timeline import Timeline


class Stopwatch:
    """Runs the generator once more, bare, and notes the processor time of every step.

    What comes before the first state (setting up, drawing a start) is not counted, nor is setting up again after a
    fork: the first step there counts as much as the second. What a fork shares with its parent is the parent's time.

    Args:
        timeline: the run; it must be one that can be taken up again.
        before: the stopwatch of the run it was forked from, for the steps before the fork.

    Attributes:
        done: whether there is no further step.

    Raises:
        Refused: for a run that can be made only once, or goes on in another process.
    """

    def __init__(self, timeline: Timeline, before: "Stopwatch | None" = None):
        if timeline.algorithm.apart or not timeline.resumes:
            raise Refused(f"{timeline.algorithm.title} runs in its own way, so its steps cannot be timed one by one.")
        self._spent: Array = np.zeros(64)
        self._count = 1
        self.done = False
        self._timeline, self._before = timeline, before
        self._run: Any = None
        self._first: float | None = None  # the first step of a fork, until the second is there

    @property
    def last(self) -> int:
        """Get the position of the newest step that has been timed."""
        return self._count - 1

    @property
    def spent(self) -> Array:
        """spent[t] is the seconds from the first state to the one at t; a view that stays as it is."""
        return self._spent[: self._count]

    @property
    def seconds_a_step(self) -> float:
        """Get the mean so far, 0 when there is none."""
        return float(self.spent[-1]) / self.last if self.last else 0.0

    def work(self, seconds: float) -> None:
        """Time further steps, for so long at most."""
        until = perf_counter() + seconds
        if self._run is None and not self._begin(until):
            return
        while not self.done and perf_counter() < until:
            self._time_one()

    def _begin(self, until: float) -> bool:
        """Be at the first state of its own; whether that is so."""
        run = self._timeline
        before, state = self._before, None
        if before is not None:
            while before.last < run.begin and not before.done:
                if perf_counter() >= until:
                    return False
                before.work(until - perf_counter())
            self._spent = before.spent[: run.begin + 1].copy()
            self._count = len(self._spent)
            state = run.at(run.begin).state
        self._run = run.algorithm.start(run.problem, state)
        if state is None:
            self._next()
        return True

    def _next(self) -> float | None:
        """Time the next step, in seconds; None when there is none."""
        began = thread_time()
        try:
            next(self._run)
        except Exception:  # it ends here, as its timeline does, which says why
            self.done = True
            return None
        return thread_time() - began

    def _time_one(self) -> None:
        taken = self._next()
        if self._before is not None and self._first is None:
            self._first = taken
            if taken is not None:
                return
        elif self._before is not None and self.last == self._timeline.begin and self._first is not None:
            self._append(self._first if taken is None else taken)
        if taken is not None:
            self._append(taken)

    def _append(self, taken: float) -> None:
        if self._count == len(self._spent):
            self._spent = np.concatenate([self._spent, np.zeros(max(64, self._count))])
        self._spent[self._count] = self._spent[self._count - 1] + taken
        self._count += 1


def stopwatches(timelines: Sequence[Timeline]) -> list[Stopwatch]:
    """Make one for each run; runs that were forked from each other share the time of what they share.

    Raises:
        Refused: when one of them can be made only once.
    """
    made: dict[int, Stopwatch] = {}

    def of(run: Timeline) -> Stopwatch:
        if id(run) not in made:
            made[id(run)] = Stopwatch(run, of(run.parent) if run.parent is not None else None)
        return made[id(run)]

    return [of(run) for run in timelines]
