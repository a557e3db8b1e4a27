"""Run so far: the steps of a run that there are, in any order, and what is known and was measured of them.

Few states are kept; one in between is replayed from the kept one before it, exactly, since a state
is complete. The segment around the last one asked for is kept.
"""

import math
from collections.abc import Callable, Iterator
from itertools import islice
from operator import index
from time import perf_counter
from typing import Any, Generic, Self, overload

import numpy as np
from msgspec.structs import replace

from algorithms.core.algorithm import Algorithm, S
from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset
from algorithms.core.errors import no_such
from algorithms.core.painter import draughtsman, painter
from algorithms.core.problem import Problem
from algorithms.core.theorems import Verdict
from algorithms.timeline.checkpoints import trail_positions
from algorithms.timeline.hooks import HookError
from algorithms.timeline.live_run import Frame, LiveRun, Stopped
from algorithms.timeline.series import Failure
from algorithms.timeline.step_log import Kind, StepLog
from algorithms.timeline.table import StepRows, Table

_LONGEST = 40  # characters that name a run


class RunSoFar(Generic[S]):
    """A run as far as it has come, that can be taken to any of its steps.

    Attributes:
        algorithm: what runs.
        parent: the run this one was forked from, or None.
    """

    algorithm: Algorithm[S]
    parent: Self | None
    _own: LiveRun
    _veiled_after: int | None = None  # the step after which what was run does not count as run

    # What runs, and how far it has come

    def __len__(self) -> int:
        """Count the states so far, those of the parent before the fork included."""
        run = len(self._own.log)
        return run if self._veiled_after is None else min(run, self._veiled_after + 1)

    def veil(self, after: int) -> None:
        """Have what comes after a step not count as run, until it is gone on to: then it is there at once."""
        self._veiled_after = after if self.begin <= after < self._own.last else None

    def unveil(self) -> None:
        """Have everything count that was run."""
        self._veiled_after = None

    def _unveil_some(self, steps: float) -> int:
        """Have so many veiled steps at most count again; returns how many there were."""
        if self._veiled_after is None:
            return 0
        more = max(int(min(steps, self._own.last - self._veiled_after)), 0)  # asked for less, no more are veiled
        self.veil(self._veiled_after + more)
        return more

    @overload
    def __getitem__(self, t: int) -> Frame[S]: ...
    @overload
    def __getitem__(self, t: slice) -> list[Frame[S]]: ...
    def __getitem__(self, t: int | slice) -> Frame[S] | list[Frame[S]]:
        """Get the frame at position t, from the newest back where t is negative; of a slice, a list of them.

        Raises:
            IndexError: beyond what has been run.
        """
        if isinstance(t, slice):
            return [self.at(place) for place in range(*t.indices(len(self)))]
        place = index(t)
        return self.at(place + len(self) if place < 0 else place)

    def __iter__(self) -> Iterator[Frame[S]]:
        """Iterate over the frames so far, from the start on; those that cannot be had any more are left out."""
        frames = (self.at(t) for t in range(len(self)))
        return (frame for t, frame in enumerate(frames) if frame.t == t)

    @property
    def title_words(self) -> str:
        """Name it in few words: "lloyd on faithful"."""
        words = f"{self.algorithm.name} on {self.data.name}" if self.data else self.algorithm.name
        return "".join(sign if sign.isprintable() else "?" for sign in words[:_LONGEST])

    def __repr__(self) -> str:
        if not len(self):
            return f"<{type(self).__name__} of {self.title_words}: not begun, advance(n) or run() does>"
        ends = "" if self.stopped is None else ", ended"
        return f"<{type(self).__name__} of {self.title_words}: steps 0 to {self.last:,}{ends}>"

    def _repr_html_(self) -> str | None:
        """Show the steps so far, for a notebook."""
        return painter().html_of(self)  # type: ignore[no-any-return]

    @property
    def problem(self) -> Problem:
        """Get the data and the parameters it runs on now; for a fork, those from `begin` on."""
        return self._own.problem

    @property
    def data(self) -> Dataset:
        return self.problem.data

    @property
    def parameters(self) -> dict[str, Any]:
        """Get the parameters by name."""
        return {p.name: getattr(self.problem.parameters, p.name) for p in self.algorithm.parameters}

    @property
    def begin(self) -> int:
        """Get the position of the first state of its own, 0 without a parent."""
        return self._own.begin

    @property
    def last(self) -> int:
        """Get the position of the newest state."""
        return len(self) - 1

    @property
    def stopped(self) -> Stopped | None:
        """Why there is no next step, or None while there may be one."""
        return self._own.stopped if self._veiled_after is None else None

    @property
    def whole(self) -> bool:
        """Tell whether the last step is known: it has stopped, or is read from a file that has ended."""
        return self._own.whole and self._veiled_after is None

    @property
    def looked(self) -> int:
        """Count the steps that were measured as it went on; fewer than there are where a recording was read ahead."""
        return min(len(self), self._own.looked)

    @property
    def known(self) -> int:
        """Count the steps of which it is known whether an event happened in them."""
        return min(len(self), self._own.known)

    @property
    def seconds_a_step(self) -> float:
        """Measure how long a step took of late, with what is measured at it."""
        return self._own.seconds_a_step

    @property
    def stride(self) -> int:
        """Measure how far apart the kept states are."""
        return self._own.checkpoints.stride

    @property
    def kept(self) -> int:
        """Count how many states are kept."""
        return self._own.checkpoints.held_now

    @property
    def resumes(self) -> bool:
        """Tell whether a step that is not kept can be replayed.

        If not (a generator that takes no state, or keeps something to itself), every step is kept while
        memory lasts, and after that only the kept ones.
        """
        return self._own.resumes

    @property
    def troubles(self) -> tuple[HookError, ...]:
        """Get the curves, theorems and events that raised, each with its first error; the run went on without them."""
        troubles, end = tuple(self._own.hooks.troubles.values()), self._veiled_after
        return troubles if end is None else tuple(trouble for trouble in troubles if trouble.t <= end)

    # Going anywhere

    def at(self, t: int) -> Frame[S]:
        """Get the frame at position t, by replay where it is no checkpoint.

        When steps cannot be replayed (see `resumes`) it is the nearest kept frame at or before t.

        Raises:
            IndexError: beyond what has been run.
        """
        frame = self.fetch(t)
        assert frame is not None
        return replace(frame, run=self)

    def fetch(self, t: int, seconds: float = math.inf) -> Frame[S] | None:
        """Get the frame at t, or None when that takes longer than so long; asking again goes on from there."""
        self._check(t)
        return self._owner(t)._own.frame(t, perf_counter() + seconds)

    def prefetch(self, t: int, seconds: float) -> bool:
        """Replay the segments around t and before it, working so long at most; True when they are done."""
        return not 0 <= t < len(self) or self._owner(t)._own.fill(t, perf_counter() + seconds)

    def steps_to(self, t: int) -> int:
        """Count the steps to be replayed before `fetch(t)` gives its frame; 0 when it is there."""
        self._check(t)
        return self._owner(t)._own.steps_to(t)

    def _check(self, t: int) -> None:
        if not 0 <= t < len(self):
            raise IndexError(f"step {t} is not there: the run has come to step {self.last}")

    def _owner(self, t: int) -> Self:
        """Find the run that recorded position t: this one, or one that it was forked from."""
        owner = self
        while t < owner.begin and owner.parent is not None:
            owner = owner.parent
        return owner

    def problem_at(self, t: int) -> Problem:
        """Get the data and parameters with which the step at t was made."""
        return self._owner(t).problem

    def changed_at(self, t: int) -> bool:
        """Tell whether the step at t belongs to a run that did not come from its start unchanged."""
        return self._owner(t)._own.changed

    def same_until(self, t: int) -> int:
        """Find the first step after t that was made with other data or parameters."""
        return min((run.begin for run in self._line() if run.begin > t), default=len(self))

    def sweep(self, first: int, stop: int) -> Iterator[tuple[int, S | None, S]]:
        """Yield (t, the state before, the state) of the steps from first to before stop, replayed in one go.

        What cannot be had any more (see `resumes`) is left out, and the state before it is None then.
        """
        while first < stop:
            end = min(stop, self.same_until(first))
            yield from self._owner(first)._own.sweep(first, end)
            first = end

    def sweep_before(self, stop: int, least: int) -> int:
        """Find where a sweep up to `stop`, of `least` steps or somewhat more, begins without replaying others first."""
        return self._owner(stop - 1)._own.sweep_before(stop, least)

    def shared_with(self, other: Self) -> int:
        """Count the steps from the start on that two runs have in common because one was forked from the other."""
        begins = sorted({run.begin for line in (self._line(), other._line()) for run in line})
        for t in begins:
            if not (t < len(self) and t < len(other) and self._owner(t) is other._owner(t)):
                return t
        return min(len(self), len(other))

    def _line(self) -> Iterator[Self]:
        """Iterate over this run and those it was forked from, the newest first."""
        run: Self | None = self
        while run is not None:
            yield run
            run = run.parent

    # What is known of every step

    @property
    def log(self) -> StepLog:
        """Get the kind of every step and where iterations begin."""
        return self._own.log

    def kind(self, t: int) -> Kind:
        """Get phase, line and events of the step at t."""
        return self._own.log.kind(t)

    def iteration_starts(self) -> Array:
        """Get the positions at which an iteration begins, in order; a view that costs nothing."""
        starts = self._own.log.starts
        return starts if self._veiled_after is None else starts[: np.searchsorted(starts, len(self))]

    def iteration_number(self, i: int) -> int:
        """Get the number of the iteration that begins at `iteration_starts()[i]`."""
        return self._own.log.iteration(i)

    def next_iteration(self, t: int) -> int | None:
        """Find the first position after t at which an iteration begins."""
        after = self._own.log.iteration_after(t)
        return after if after is not None and after < len(self) else None

    def previous_iteration(self, t: int) -> int | None:
        """Find the last position before t at which an iteration begins."""
        return self._own.log.iteration_before(t)

    def next_event(self, t: int) -> int | None:
        """Find the first position after t at which an event happened."""
        return self._own.log.first(_eventful, max(t + 1, 0), min(len(self), self._own.known))

    def previous_event(self, t: int) -> int | None:
        """Find the last position before t at which an event happened."""
        return self._own.log.last(_eventful, 0, min(t, len(self)))

    def gone_wrong(self) -> list[int]:
        """List the steps at which an event is a sign that something is wrong."""
        signs = [i for i, event in enumerate(self.algorithm.events) if event.wrong]
        if not signs:
            return []
        there = self.log.which(lambda kind: any(kind.events[i] for i in signs), 0, len(self))
        return np.flatnonzero(there).tolist()

    def begun_anew(self) -> list[tuple[int, str]]:
        """List the steps at which another problem begins, each with which, in a few words."""
        begun: list[tuple[int, str]] = []
        for i, event in enumerate(self.algorithm.events):
            if event.anew:
                there = self.log.which(lambda kind, i=i: kind.events[i], 0, len(self))  # type: ignore[misc]
                begun += [(t, event.anew) for t in np.flatnonzero(there).tolist()]
        return sorted(begun)

    def forks_of(self, curve: str) -> list[tuple[int, str]]:
        """List the steps at which forks begin that changed the objective which a curve measures."""
        return [
            (run.begin, "the fork") for run in self._line() if run.parent is not None and run._measures_another(curve)
        ]

    def _measures_another(self, curve: str) -> bool:
        """Tell whether a curve's objective is another one than in the run that this one was forked from."""
        assert self.parent is not None
        before, now = (self.algorithm.objective_of(curve, run.problem) for run in (self.parent, self))
        return now is not None and (now != before or self.data is not self.parent.data)

    # What was measured

    def curve(self, name: str, *, unthinned: bool = False) -> tuple[Array, Array]:
        """Get (t, value) of a curve where it has one, up to the newest step; a few thousand at most.

        Args:
            unthinned: of every step, which replays a long run; where it came out as nan, that is no value then.

        Raises:
            Refused: for a name that no curve has; it names the nearest.
        """
        self._own.measure_newest()
        names = [c.name for c in self.algorithm.curves]
        if name not in names:
            raise no_such("curve", name, names)
        i = names.index(name)
        if not unthinned:
            return self._so_far(*self._own.curve(i))
        at = [(frame.t, self.values(frame)[i]) for frame in self]
        t, values = np.array([t for t, _ in at], np.int64), np.array([value for _, value in at], float)
        return t[~np.isnan(values)], values[~np.isnan(values)]

    def table(self, progress: Callable[[float], object] | None = None) -> Table:
        """Measure every step so far: t, iteration and phase; each curve; each theorem's verdict "T1" and its sides.

        Args:
            progress: told the share that is done after every step; what it raises ends it.
        """
        rows = StepRows()
        for frame in self:
            state = frame.state
            step = frame.t, state.iteration, state.phase
            rows.add(step, zip(self.algorithm.curves, self.values(frame)), self.verdicts(frame))
            if progress is not None:
                progress((frame.t + 1) / len(self))
        return rows.table()

    def figure(self, *curves: str, unthinned: bool = False) -> Any:
        """Draw curves for a paper, all of them if none are named: a Figure of matplotlib.

        Args:
            unthinned: of every step, as `curve` has them.

        Raises:
            Refused: for a name that no curve has; where matplotlib is not installed.
        """
        return draughtsman().curves_of(self, curves, unthinned=unthinned)

    def theorem_series(self, i: int) -> tuple[Array, Array]:
        """Get (t, (m, s) sides) of the i-th theorem where it applies, up to the newest step."""
        self._own.measure_newest()
        return self._so_far(*self._own.series.sides(i))

    def _so_far(self, t: Array, measured: Array) -> tuple[Array, Array]:
        """Take what was measured up to the newest step that counts."""
        if self._veiled_after is None:
            return t, measured
        end = int(np.searchsorted(t, len(self)))
        return t[:end], measured[:end]

    @property
    def failures(self) -> list[Failure]:
        """List every step that was measured, or looked at, at which a theorem did not hold, in order."""
        failures, end = self._own.series.failures, self._veiled_after
        return failures if end is None else [failure for failure in failures if failure.t <= end]

    @property
    def first_nan(self) -> int | None:
        """Get the first step whose state holds a nan, where that is looked for: in what a reader's own file yields."""
        first = self._own.first_nan
        return first if first is not None and first < len(self) else None

    def waits(self, frame: Frame) -> bool:
        """Tell whether the theorems at a frame are not checked, and take long."""
        series = self._owner(frame.t)._own.series
        return series.dear and series.at(frame.t) is None

    def values(self, frame: Frame) -> tuple[float, ...]:
        """Measure each curve at a frame, unless that was done as it was recorded; NaN where it has no value."""
        own = self._owner(frame.t)._own
        measured = own.series.at(frame.t)
        values = own.series.waiting(frame.t) if measured is None else measured[1]
        if values is not None and len(values) == len(own.hooks.algorithm.curves):
            return values
        return own.hooks.values(frame.state)  # also where a reader's own has more curves since it has yielded

    def verdicts(self, frame: Frame) -> tuple[Verdict, ...]:
        """Check each theorem at a frame, unless that was done as it was recorded; a failure is kept for good."""
        own = self._owner(frame.t)._own
        own.series.look(frame.t)
        measured = own.series.at(frame.t)
        verdicts = own.hooks.verdicts(frame.before, frame.state) if measured is None else measured[0]
        self._own.series.keep_failures(frame.t, verdicts)
        return verdicts

    def nearest_entry(self, at: int) -> int:
        """Find the last position at or before `at` after which a change is sound; the start is."""
        self._check(at)
        return self._own.log.last(lambda kind: kind.phase in self.algorithm.fork_after, 0, at + 1) or 0

    # Earlier states, for trails and echoes

    def trail(self, t: int) -> list[S]:
        """Collect states from the start to t, oldest first, from what is kept: all of the first thousand, so that a
        path is drawn as it was taken, and then fewer and fewer, each at a distance that is a power of two."""
        self._check(t)
        positions = trail_positions(t)
        if self.parent is None:
            states: list[Any] = self._own.trail(positions)
        else:
            held = dict(self._owner(at)._own.checkpoints.near(at) for at in positions)
            states = [held[at] for at in sorted(held)]
        return [*states, self.at(t).state] if self.steps_to(t) == 0 else states

    def recent(self, t: int, most: int, seconds: float = 0.01) -> list[S]:
        """Collect the states after the last few events before the one that led to t, newest first.

        With fewer than so many events before it, the first state of all ends the list. What cannot be
        replayed in time is left out, and is there when asked again.
        """
        self._check(t)
        until = perf_counter() + seconds
        events = list(islice(self._own.log.backwards(_eventful, 0, t + 1), most + 1))[1:]
        if len(events) < most and t > 0 and events[-1:] != [0]:
            events.append(0)
        frames = [self._owner(at)._own.frame(at, until) for at in events]
        return [frame.state for frame in frames if frame]


def _eventful(kind: Kind) -> bool:
    return any(kind.events)
