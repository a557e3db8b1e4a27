"""Timeline: a run that can be taken to any of its steps, and forked there.

Few states are kept; one in between is replayed from the kept one before it, exactly, since a state
is complete. The stretch around the last one asked for stays at hand.
"""

import math
import traceback
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core.algorithm import Algorithm, Run
from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset, Source
from algorithms.core.errors import Refused
from algorithms.core.state import State
from algorithms.core.theorem import Verdict
from algorithms.record.keeper import Keeper
from algorithms.record.series import Failure, Sample, Series, as_arrays, curve_values
from algorithms.record.stretch import Stretches

BUDGET = 96 << 20  # bytes of states, most of them for the kept ones, the rest for the stretches at hand


class Frame(Struct, frozen=True):
    """One step of a run, as it is shown.

    Attributes:
        t: its position, from 0.
        state: what was yielded there.
        before: the state before, None at the start of a run or fork.
        line: the line of the file that yielded it.
    """

    t: int
    state: State
    before: State | None
    line: int


class Kind(Struct, frozen=True):
    """What steps can have in common: phase, line, and which events happened."""

    phase: str
    line: int
    events: tuple[bool, ...]


class Stopped(Struct, frozen=True):
    """Why there is no next step: what the generator returned, or the error that it raised.

    Attributes:
        reason: for a person.
        line: where it was raised, 0 if it was not.
        details: the traceback, "" if there is none.
    """

    reason: str
    line: int = 0
    details: str = ""

    @property
    def failed(self) -> bool:
        return bool(self.details)


class Timeline:
    """A run of an algorithm on data, with every step at hand.

    Args:
        algorithm: what runs.
        data: a Dataset, or a recipe for one.
        parameters: by name; the rest keep their defaults.
        budget: bytes of states that may be held.

    Raises:
        Refused: when data and parameters do not go together.

    >>> from algorithms import Timeline, find, datasets
    >>> run = Timeline(find("lloyd"), datasets.load("faithful"), {"k": 3})
    >>> run.advance(10)
    10
    >>> run.at(4).state.phase
    'update'
    """

    def __init__(
        self,
        algorithm: Algorithm,
        data: Dataset | Source,
        parameters: Mapping[str, Any] | None = None,
        *,
        budget: int = BUDGET,
    ):
        dataset = data if isinstance(data, Dataset) else data.load()
        self._open(algorithm, algorithm.problem(dataset, None, parameters), budget, None, None)

    def _open(
        self,
        algorithm: Algorithm,
        problem: Any,
        budget: int,
        parent: "Timeline | None",
        first: State | None,
    ) -> None:
        self.algorithm, self.problem, self.parent = algorithm, problem, parent
        self.begin = first.t if first else 0
        self.stopped: Stopped | None = None
        self.seconds_a_step = 1.0
        self._budget = budget
        self._keeper = Keeper(self.begin, budget * 3 // 4)
        self._stretches = Stretches(algorithm, problem, self._keeper, budget // 4)
        self._kinds: list[Kind] = []
        self._kind_codes: dict[tuple[str, int, tuple[bool, ...]], int] = {}
        self._codes = array("H")
        self._iterations: list[int] = []
        self._series = Series(algorithm, problem, forked=parent is not None)
        self._head: State | None = None
        self._before_head: State | None = None
        self._run: Run[Any] = algorithm.start(problem, first)
        self._frame: Any = getattr(self._run, "gi_frame", None)
        if first is not None and parent is not None:
            self._take(first, parent.kind(first.t).line)

    # How far it has come

    def __len__(self) -> int:
        """How many states there are so far, those of the parent before the fork included."""
        return self.begin + len(self._codes)

    @property
    def data(self) -> Dataset:
        data: Dataset = self.problem.data
        return data

    @property
    def last(self) -> int:
        """The position of the newest state."""
        return len(self) - 1

    @property
    def stride(self) -> int:
        """How far apart the kept states are."""
        return self._keeper.stride

    @property
    def kept(self) -> int:
        """How many states are kept."""
        return len(self._keeper.states)

    # Going forward

    def advance(self, steps: float = 1, seconds: float = math.inf) -> int:
        """Run[Any] on for so many steps at most, or so long; returns how many there were.

        A step that raises ends the run; what was recorded stays, and `stopped` tells.
        """
        if self.stopped:
            return 0
        done, start = 0, perf_counter()
        run, take = self._run, self._take
        often = 0 if self.seconds_a_step > 1e-4 else 15  # how often to look at the clock, as a mask
        try:
            while done < steps:
                state = next(run)
                take(state, self._frame.f_lineno if self._frame is not None else 0)
                done += 1
                if not done & often and perf_counter() - start > seconds:
                    break
        except StopIteration as end:
            self._stop(Stopped(str(end.value or "the run has ended")))
        except Exception as error:
            self._stop(_failure(error, self.algorithm))
        if done:
            self.seconds_a_step = (perf_counter() - start) / done
        return done

    def run(self) -> "Timeline":
        """Run[Any] on to the end."""
        self.advance(math.inf)
        return self

    def _take(self, state: State, line: int) -> None:
        before, t = self._head, self.begin + len(self._codes)
        events = tuple(e.happened(before, state) for e in self.algorithm.events)
        key = (state.phase, line, events)
        code = self._kind_codes.get(key)
        if code is None:
            code = self._kind_codes[key] = len(self._kinds)
            self._kinds.append(Kind(*key))
        self._codes.append(code)
        if before is None or state.iteration != before.iteration:
            self._iterations.append(t)
        self._keeper.offer(t, state)
        self._before_head, self._head = before, state
        if self._series.due(code):
            self._series.measure(t, code, before, state)

    def _stop(self, stopped: Stopped) -> None:
        self.stopped, self._frame = stopped, None
        last = self.last
        if self._head is not None and (not self._series.samples or self._series.samples[-1].t != last):
            self._series.measure(last, self._codes[-1], self._before_head, self._head)

    # Going anywhere

    def at(self, t: int) -> Frame:
        """The frame at position t; replayed if it has to be. IndexError beyond what has been run."""
        frame = self.fetch(t)
        assert frame is not None
        return frame

    def fetch(self, t: int, seconds: float = math.inf) -> Frame | None:
        """The frame at t, or None when that takes longer than so long; asking again goes on from there."""
        if not 0 <= t < len(self):
            raise IndexError(f"step {t} is not there: the run has come to step {self.last}")
        if t < self.begin:
            assert self.parent is not None
            return self.parent.fetch(t, seconds)
        line = self.kind(t).line
        if t == self.last and self._head is not None:
            return Frame(t, self._head, self._before_head, line)
        until = perf_counter() + seconds
        state = self._stretches.find(t, until)
        if state is None:
            return None
        if t == self.begin:
            return Frame(t, state, None, line)
        before = self._stretches.find(t - 1, until)
        return None if before is None else Frame(t, state, before, line)

    def prefetch(self, t: int, seconds: float) -> bool:
        """Have the stretch around t at hand, working so long at most; True when it is."""
        if not self.begin <= t < len(self):
            return True
        return self._stretches.fill(t, len(self), perf_counter() + seconds)

    # What is known of every step

    def kind(self, t: int) -> Kind:
        """Phase, line and events of the step at t."""
        if t < self.begin:
            assert self.parent is not None
            return self.parent.kind(t)
        return self._kinds[self._codes[t - self.begin]]

    def iteration_starts(self) -> list[int]:
        """The positions at which an iteration begins."""
        if self.parent is None:
            return self._iterations
        return [t for t in self.parent.iteration_starts() if t < self.begin] + self._iterations

    def next_iteration(self, t: int) -> int | None:
        """The first position after t at which an iteration begins."""
        starts = self.iteration_starts()
        i = bisect_right(starts, t)
        return starts[i] if i < len(starts) else None

    def previous_iteration(self, t: int) -> int | None:
        """The last position before t at which an iteration begins."""
        starts = self.iteration_starts()
        i = bisect_right(starts, t - 1)
        return starts[i - 1] if i else None

    def next_event(self, t: int) -> int | None:
        """The first position after t at which something that matters happened."""
        marks = self._eventful(max(t + 1, self.begin), len(self))
        if t + 1 < self.begin and self.parent is not None:
            found = self.parent.next_event(t)
            if found is not None and found < self.begin:
                return found
        return int(marks[0]) if len(marks) else None

    def previous_event(self, t: int) -> int | None:
        """The last position before t at which something that matters happened."""
        marks = self._eventful(self.begin, min(t, len(self)))
        if len(marks):
            return int(marks[-1])
        return self.parent.previous_event(min(t, self.begin)) if self.parent is not None else None

    def _eventful(self, start: int, stop: int) -> Array:
        if stop <= start:
            return np.empty(0, np.int64)
        matters = np.array([any(kind.events) for kind in self._kinds], bool)
        codes = np.frombuffer(self._codes, np.uint16)[start - self.begin : stop - self.begin]
        return np.flatnonzero(matters[codes]) + start

    # What was measured

    @property
    def samples(self) -> list[Sample]:
        """Measured steps in order, a few thousand at most; those before a fork are the parent's."""
        if self.parent is None:
            return self._series.samples
        return [s for s in self.parent.samples if s.t < self.begin] + self._series.samples

    @property
    def failures(self) -> list[Failure]:
        """Every step that was measured at which a theorem did not hold."""
        if self.parent is None:
            return self._series.failures
        return [f for f in self.parent.failures if f.t < self.begin] + self._series.failures

    def curve(self, name: str) -> tuple[Array, Array]:
        """(t, value) of a curve along the run."""
        names = [c.name for c in self.algorithm.curves]
        return as_arrays(self.samples, names.index(name))

    def values(self, frame: Frame) -> tuple[float, ...]:
        """Each curve's value at a frame, NaN where it has none."""
        owner = self._owner(frame.t)
        return curve_values(owner.algorithm, owner.problem, frame.state)

    def verdicts(self, frame: Frame) -> tuple[Verdict, ...]:
        """Each theorem at a frame; a failure is noted for good."""
        return self._owner(frame.t)._series.verdicts(frame.t, frame.before, frame.state)

    def _owner(self, t: int) -> "Timeline":
        return self if self.parent is None or t >= self.begin else self.parent._owner(t)

    # Earlier states, for trails

    def trail(self, t: int, most: int = 200) -> list[State]:
        """States from the start to t at even distances, oldest first, from what is kept.

        The distance is a power of two, so that a trail grows at its end and does not wobble.
        """
        apart = 1 << max(0, math.ceil(math.log2((t + 1) / most)))
        found = [state for at, state in self._kept_upto(t) if at % apart == 0 or at == t]
        return found[::-1]

    def recent(self, t: int, most: int) -> list[State]:
        """The last few states before t between which something happened, newest first, from what is kept."""
        found: list[State] = []
        event = self.previous_event(t + 1)  # the change that made what stands at t
        for at, state in self._kept_upto(t):
            if event is None or len(found) >= most:
                break
            if at < event:
                found.append(state)
                event = self.previous_event(at + 1)
        return found

    def _kept_upto(self, t: int) -> Iterator[tuple[int, State]]:
        if t >= self.begin:
            yield from self._keeper.upto(t)
        if self.parent is not None:
            yield from self.parent._kept_upto(min(t, self.begin - 1))

    # The other future

    def fork(
        self, at: int, *, state: State | None = None, data: Dataset | None = None, **parameters: Any
    ) -> "Timeline":
        """A second run from the state at `at`, with other parameters, other data of the same shape, or another state.

        It begins at the nearest step at or before `at` after which a change is sound (the
        declaration's `entries`); its `begin` says where. What happens before is the parent's.

        Raises:
            Refused: for a parameter that gives the state its shape, or data of another shape.
        """
        begin = self.nearest_entry(at)
        if state is not None and begin != at:
            raise Refused(f"the state of step {at} cannot be changed: the nearest sound place is step {begin}.")
        for name in parameters:
            if name in self.algorithm.fixed:
                raise Refused(f"{name} gives the state its shape; it can only be changed from the start.")
        if data is not None and data.X.shape != self.data.X.shape:
            raise Refused(f"a fork keeps {self.data.n} rows of {self.data.d} features; these are {data.n} of {data.d}.")
        problem = self.algorithm.problem(data or self.data, None, self.parameters | parameters)
        fork = Timeline.__new__(Timeline)
        fork._open(self.algorithm, problem, self._budget, self, state or self.at(begin).state)
        return fork

    def nearest_entry(self, at: int) -> int:
        """The last position at or before `at` after which a change is sound."""
        for t in range(at, 0, -1):
            if self.kind(t).phase in self.algorithm.entries:
                return t
        return 0

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of this run by name."""
        return {name: getattr(self.problem.parameters, name) for name in self.algorithm._parameters.names}


def _failure(error: Exception, algorithm: Algorithm) -> Stopped:
    """The error for a person, with the innermost line of the algorithm's own file."""
    file = algorithm.run.__code__.co_filename
    lines = [entry.lineno or 0 for entry in traceback.extract_tb(error.__traceback__) if entry.filename == file]
    details = "".join(traceback.format_exception(error))
    return Stopped(f"{type(error).__name__}: {error}", lines[-1] if lines else 0, details)
