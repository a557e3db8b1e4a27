"""Stretches: replayed states between two kept ones, so that steps around the cursor are at hand."""

from collections import OrderedDict
from time import perf_counter
from typing import Any

from algorithms.core.algorithm import Algorithm, Run
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.record.keeper import Keeper

_AT_HAND = 3  # the stretch of the cursor, the one before it, and one more


class Stretch:
    """The run again from one kept state on, as far as it has been replayed; thinned if it is too large."""

    def __init__(self, start: int, state: State, run: Run[Any], budget: int):
        self.position, self.state, self.run = start, state, run
        self.kept = Keeper(start, budget)
        self.kept.offer(start, state)

    def on_to(self, t: int, until: float) -> bool:
        """Replay to position t, but not past the moment `until`; True when there."""
        while self.position < t:
            self.state = _next(self.run)
            self.position += 1
            self.kept.offer(self.position, self.state)
            if perf_counter() > until and self.position < t:
                return False
        return True


class Stretches:
    """Gives any state of a run back, from the kept ones and a few stretches of replay."""

    def __init__(self, algorithm: Algorithm, problem: Problem, kept: Keeper, budget: int):
        self._algorithm, self._problem, self._kept = algorithm, problem, kept
        self._budget = budget // (_AT_HAND + 1)
        self._held: OrderedDict[int, Stretch] = OrderedDict()

    def find(self, t: int, until: float) -> State | None:
        """The state at t, or None when the moment `until` came first; the next call goes on from there."""
        start, state = self._kept.nearest(t)
        if start == t:
            return state
        stretch = self._open(start, state)
        if not stretch.on_to(t, until):
            return None
        if stretch.position == t:
            return stretch.state
        near, state = stretch.kept.nearest(t)
        if near == t:
            return state
        run = self._start(state)  # thinned away inside its stretch
        for _ in range(t - near):
            state = _next(run)
        return state

    def fill(self, t: int, end: int, until: float) -> bool:
        """Replay the whole stretch around t; True when it is at hand, or nothing is to be replayed."""
        start, state = self._kept.nearest(t)
        last = min(start + self._kept.stride, end) - 1
        return last <= start or self._open(start, state).on_to(last, until)

    def _open(self, start: int, state: State) -> Stretch:
        stretch = self._held.get(start)
        if stretch is None:
            stretch = self._held[start] = Stretch(start, state, self._start(state), self._budget)
            while len(self._held) > _AT_HAND:
                self._held.popitem(last=False)
        self._held.move_to_end(start)
        return stretch

    def _start(self, state: State) -> Run[Any]:
        return self._algorithm.start(self._problem, state)


def _next(run: Run[Any]) -> State:
    """The next state of a replay; it is there, or the algorithm does not keep its word."""
    try:
        state: State = next(run)
        return state
    except StopIteration:
        raise RuntimeError("the replay ended before the run did: its states are not complete") from None
