"""Replay segments: replayed states between two kept ones, so that steps around the cursor are at hand."""

from collections import OrderedDict
from collections.abc import Callable
from time import perf_counter
from typing import Any

from algorithms.core.algorithm import Run
from algorithms.core.state import State
from algorithms.timeline.checkpoints import CheckpointStore

Replay = Callable[[State], Run[Any]]

_AT_HAND = 8  # segments, as long as they fit
_DEPTH = 4  # how often a segment that does not fit is split again; below that steps are replayed each time


class NotComplete(RuntimeError):
    """A replay did not give what the run gave: the algorithm's states do not hold all that follows from them."""


class ReplaySegment:
    """The run again from one kept state on, as far as it has been replayed."""

    def __init__(self, replay: Replay, start: int, state: State, budget: int, depth: int):
        self.position, self.state = start, state
        self.before: State | None = None  # the one before `state`, if it was passed
        self.kept = CheckpointStore(start, budget)
        self.kept.keep(state)
        self._run = replay(state)
        self._inner = ReplaySegments(replay, self.kept, budget // 2, depth - 1) if depth else None

    def on_to(self, t: int, until: float) -> bool:
        """Replay to position t, but not past the moment `until`, a step at least; True when there."""
        while self.position < t:
            self.before, self.state = self.state, following(self._run)
            self.position += 1
            if self.position == self.kept.next and self.kept.keep(self.state):
                self.kept.thin()
            if perf_counter() > until and self.position < t:
                return False
        return True

    def holds(self, t: int) -> bool:
        """Tell whether the state at t comes without starting the replay again."""
        return t >= self.position - (self.before is not None) or self._inner is not None

    def find(self, t: int, until: float) -> State | None:
        """Get the state at t, or None when `until` came first."""
        if not self.on_to(t, until):
            return None
        if t == self.position:
            return self.state
        if t == self.position - 1 and self.before is not None:
            return self.before
        assert self._inner is not None
        return self._inner.find(t, until)

    def steps_to(self, t: int) -> int:
        if t >= self.position or self._inner is None:
            return max(t - self.position, 0)
        return 0 if t == self.position - 1 else self._inner.steps_to(t)


class ReplaySegments:
    """Gives any state of a run back, from the checkpoints and a few segments of replay."""

    def __init__(self, replay: Replay, kept: CheckpointStore, budget: int, depth: int = _DEPTH):
        self._replay, self._kept, self._budget, self._depth = replay, kept, budget, depth
        self._held: OrderedDict[int, ReplaySegment] = OrderedDict()

    def find(self, t: int, until: float) -> State | None:
        """Get the state at t, or None when the moment `until` came first; the next call goes on from there.

        Raises:
            NotComplete: when the replay ends or fails where the run went on.
        """
        start, state = self._kept.nearest(t)
        return state if start == t else self._open(start, state, t).find(t, until)

    def fill(self, t: int, end: int, until: float) -> bool:
        """Replay the whole segment around t; True when it is at hand, or nothing is to be replayed."""
        start, state = self._kept.nearest(t)
        last = min(start + self._kept.stride, end) - 1
        return last <= start or self._open(start, state, last).on_to(last, until)

    def steps_to(self, t: int) -> int:
        """Count the steps to be replayed before the state at t is there."""
        start, _ = self._kept.nearest(t)
        held = self._held.get(start)
        return t - start if held is None or not held.holds(t) else held.steps_to(t)

    def _open(self, start: int, state: State, t: int) -> ReplaySegment:
        segment = self._held.get(start)
        if segment is None or not segment.holds(t):
            segment = self._held[start] = ReplaySegment(self._replay, start, state, self._budget // 2, self._depth)
        self._held.move_to_end(start)
        while len(self._held) > 1 and (len(self._held) > _AT_HAND or self._bytes() > self._budget):
            self._held.popitem(last=False)
        return segment

    def _bytes(self) -> int:
        return sum(segment.kept.bytes for segment in self._held.values())


def following(run: Run[Any]) -> State:
    """Get the next state of a replay."""
    try:
        state: State = next(run)
    except StopIteration:
        raise NotComplete("the replay ended before the run did") from None
    except Exception as error:
        raise NotComplete(f"the replay raised {type(error).__name__}: {error}") from error
    return state
