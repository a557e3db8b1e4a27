"""Recorded run: the steps of a run that is read from a file, any of them without those before it.

How many there are and of which kind is taken from the file at once. What takes every step in order, such as events of
a run that declares none, and the curves, follows behind.
"""

import math
from collections import OrderedDict
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.state import State, size_of
from algorithms.timeline.checkpoints import CheckpointStore
from algorithms.timeline.live_run import Frame, LiveRun
from algorithms.timeline.series import KINDS
from algorithms.timeline.step_log import Kind

_SKETCHED = 256  # steps at which curves are measured before all are looked at
_ON_A_TRAIL = 200  # states of a trail that are read for a picture, evenly apart; those between come with the next ones


class RecordedRun(LiveRun):
    """The steps of a recording; its algorithm is a `LoggedRun`.

    `leap` takes note of all that is in the file. Then `advance` looks at those steps in order, and at new ones after
    that. Without a leap it goes on step by step, as any run does.

    Attributes:
        whole: whether the last step is known and will stay the last.
    """

    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self._first: State | None = None
        self._sketch = Sketch()
        self._lag: int | None = None  # so many were looked at, while that is not all
        self._ended_there = False
        self._hold_read(0)

    def _hold_read(self, following: int) -> None:
        recorded: Any = self.algorithm
        self.checkpoints = self._states = ReadStates(recorded.read, self._budget // 2, following)

    def __getstate__(self) -> dict[str, Any]:
        return {n: value for n, value in super().__getstate__().items() if n not in ("_states", "checkpoints")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._budget = state["_budget"]
        super().__setstate__(state | {"checkpoints": None})
        self._hold_read(len(self.log))
        if self._lag is not None and self.stopped is None:
            self._run = self._read_from(self._lag)

    @property
    def whole(self) -> bool:
        return self.stopped is not None or self._ended_there

    @property
    def looked(self) -> int:
        return len(self.log) if self._lag is None else self._lag

    @property
    def known(self) -> int:
        return len(self.log) if self.algorithm.events_recorded else self.looked  # type: ignore[attr-defined]

    def leap(self, seconds: float) -> bool:
        """Take note of the steps that are in the file, for so long at most; False when there are more."""
        if self.stopped or not len(self.log):
            return True
        recorded: Any = self.algorithm
        done: bool = recorded.scan(perf_counter() + seconds)
        first = len(self.log)
        scanned = recorded.scanned(first)
        if scanned is not None:
            self._lag = first if self._lag is None else self._lag
            self.log.extend(scanned)
            self._head, self._before_head = self._read(self.last), self._read(self.last - 1)
            self._sketch.reach(self._lag, self.last)
        self._ended_there = done and recorded.end_known
        return done

    def advance(self, steps: float, seconds: float, later: bool = False) -> int:
        """Look at so many steps at most in order, or for so long; returns how many there were."""
        until, done = perf_counter() + seconds, 0
        if self._lag is not None:
            if seconds < math.inf and not self._sketch.work(self._measured, until):
                return 1  # nobody waits for curves that are not looked at meanwhile
            done = self._look_on(steps, until)
            if self._lag is not None or done >= steps or perf_counter() > until:
                return done
        done += super().advance(steps - done, until - perf_counter())
        if self._first is None and len(self.log):
            self._first = self._read(0)
        return done

    def _look_on(self, steps: float, until: float) -> int:
        """Look at so many steps, or up to the moment `until`: measure them, and see what happens in them."""
        began, first = perf_counter(), self.looked
        self._look_to(first + steps, until)
        done = max(self.looked - first, 0)
        self.seconds_a_step = (perf_counter() - began) / max(done, 1)
        if self._lag is not None and self._lag >= len(self.log):
            self._caught_up()
        return done

    def _look_to(self, end: float, until: float) -> None:
        recorded: Any = self.algorithm
        each, log, waits = not recorded.events_recorded, self.log, self.series.waits
        before: State | None = None
        while self._lag is not None and self._lag < min(end, len(log)):
            t = self._lag
            kind = min(log.codes[t], KINDS - 1)
            measured = not waits[kind]
            state = self._seen(t) if each else self._read(t) if measured else None
            if state is None and (each or measured):
                break  # it is damaged, and what comes after it is no more there
            if measured and state is not None:
                self.series.measure(t, min(log.codes[t], KINDS - 1), before, state)
            else:
                waits[kind] -= 1
            before = state
            self._lag = t + 1
            if not t & 15 and perf_counter() > until:
                break

    def _measured(self, t: int) -> tuple[float, ...]:
        state = self._read(t)
        return self.hooks.values(state) if state is not None else ()

    def curve(self, i: int) -> tuple[Array, Array]:
        t, values = super().curve(i)
        if self._lag is None:
            return t, values
        beyond, sketched = self._sketch.curve(i, self._lag, len(self.log))
        return np.concatenate([t, beyond]), np.concatenate([values, sketched])

    def _seen(self, t: int) -> State | None:
        """Read the next step in order, and note which events happened in it."""
        try:
            state: State = next(self._run)
        except StopIteration:
            self._cut(t)
            return None
        events = self.hooks.events(None, state)
        if any(events):
            self.log.codes[t] = self.log.code(Kind(state.phase, self.log.kind(t).line, events))
        self._states.hold(t, state)
        return state

    def _caught_up(self) -> None:
        """Go on behind the last step of the file."""
        if not self.algorithm.events_recorded:  # type: ignore[attr-defined]
            self._before_head, self._head = self._read(self.last - 1), self._read(self.last)
        else:
            self._run = self._read_from(len(self.log))
        self._lag = None
        self._states.next = len(self.log)
        self.measure_newest()

    def _read_from(self, t: int) -> Any:
        run = self.algorithm.start(self.problem, self._read(t - 1) if t else None)
        self._place = getattr(run, "gi_frame", run)
        return run

    def _read(self, t: int) -> State | None:
        """Read a step; None where it is damaged, and the run ends before it."""
        if t < 0:
            return None
        state = self._states.get(t) if t else self._first or self._states.get(t)
        if state is None:
            self._cut(t)
        return state

    def _cut(self, t: int) -> None:
        """Have the run end before step t, which cannot be read; the first step of all is at hand since it was read."""
        t = max(t, 1)
        if t >= len(self.log) and self._lag is None:
            return
        self.log.cut(t)
        self._ended_there = False
        head, before = self._read(t - 1), self._read(t - 2)
        if len(self.log) < t:  # one of these is damaged, too: that was seen to
            return
        self._head, self._before_head = head, before
        if self._lag is None or self._lag >= t:
            self._lag, self._states.next = None, t
            self._run = self._read_from(t)

    def measure_newest(self) -> None:
        if self._lag is None:
            super().measure_newest()

    # Any step

    def frame(self, t: int, until: float = math.inf) -> Frame | None:
        while True:  # once, unless it is damaged: then to the last that is not
            t = min(t, self.last)
            state, before = self._read(t), self._read(t - 1)
            if state is not None and (before is not None or not t):
                return Frame(t, state, before, self.log.kind(t).line)

    def fill(self, t: int, until: float) -> bool:
        return True

    def steps_to(self, t: int) -> int:
        return 0

    def sweep(self, first: int, stop: int) -> Iterator[tuple[int, Any, Any]]:
        before = self._read(first - 1)
        for t in range(first, stop):
            state = self._read(t)
            if state is None:
                return
            yield t, before, state
            before = state

    def sweep_before(self, stop: int, least: int) -> int:
        return max(stop - least, 0)

    def trail(self, positions: list[int]) -> list[State]:
        missing = [at for at in positions if self._states.held(at) is None]
        for at in missing[:: -(-len(missing) // _ON_A_TRAIL) or 1]:
            self._read(at)
        return [state for state in map(self._states.held, positions) if state is not None]


class Sketch:
    """A few values of each curve, at even distances, of steps that were not looked at yet."""

    def __init__(self) -> None:
        self._to_measure: list[int] = []
        self._measured: dict[int, tuple[float, ...]] = {}

    def reach(self, first: int, last: int) -> None:
        """Go from one step to another."""
        places = np.unique(np.linspace(first, last, _SKETCHED).astype(int)).tolist()
        self._to_measure = [t for t in reversed(places) if t not in self._measured]

    def work(self, measure: Callable[[int], tuple[float, ...]], until: float) -> bool:
        """Measure them, up to the moment `until`; False when that came first."""
        while self._to_measure:
            t = self._to_measure.pop()
            self._measured[t] = measure(t)
            if perf_counter() > until:
                return not self._to_measure
        return True

    def curve(self, i: int, first: int, stop: int) -> tuple[Array, Array]:
        """Get (t, value) of a curve from `first` to before `stop`."""
        known = [(t, v[i]) for t, v in sorted(self._measured.items()) if first <= t < stop and i < len(v)]
        known = [(t, value) for t, value in known if value == value]
        return np.array([t for t, _ in known], np.int64), np.array([value for _, value in known], float)


class ReadStates(CheckpointStore):
    """States that were read, those that were asked for last, within so many bytes: any can be read again.

    Args:
        read: (t) -> the state at t, or None where there is none.
        following: the position of the next that is read in order.
    """

    def __init__(self, read: Callable[[int], State | None], budget: int, following: int):
        super().__init__(0, budget)
        self._fetch, self.next = read, following
        self._held: OrderedDict[int, tuple[State, int]] = OrderedDict()

    def keep(self, state: State) -> bool:
        self.hold(self.next, state)
        self.next += 1
        return False

    def held(self, t: int) -> State | None:
        """Give the state at t if it is at hand."""
        return self._held[t][0] if t in self._held else None

    def get(self, t: int) -> State | None:
        """Give the state at t, read if it has to be; None where it cannot be."""
        if t in self._held:
            self._held.move_to_end(t)
            return self._held[t][0]
        state = self._fetch(t)
        if state is not None:
            self.hold(t, state)
        return state

    def hold(self, t: int, state: State) -> None:
        """Keep a state at hand."""
        size = size_of(state, self.held(t - 1))
        self.bytes += size - self._held.pop(t, (None, 0))[1]
        self._held[t] = state, size
        while self.bytes > self.budget and len(self._held) > 2:
            self.bytes -= self._held.popitem(last=False)[1][1]

    @property
    def held_now(self) -> int:
        """Count them."""
        return len(self._held)
