"""What several runs have in common: the step, the iteration, or the time that was spent; a place on it for all.

A place is a pair of numbers in order of succession. Each run has a key at every position, the place at which it
comes there; at a place it stands at the last position whose key is not beyond it.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Refused
from algorithms.playback.cursor.stopwatch import Stopwatch, stopwatches
from algorithms.timeline import Timeline

Place: TypeAlias = tuple[float, float]
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


class Axis(Struct, frozen=True):
    """The common axis, as it is shown.

    Attributes:
        last: the coordinate of its right end.
        here: that of the cursor.
        unit: the coordinates that make one of what it is numbered in.
        name: what that is: "step", "µs".
    """

    last: float
    here: float
    unit: float
    name: str


class Alignment(Protocol):
    """By what runs are held against each other.

    Attributes:
        name: "step", "iteration", "time spent".
        whole: whether the clock moves by whole units.
        plain: whether the next place is known without asking a run what it did.
        grain: about how far apart steps are along the axis.
    """

    name: str
    whole: bool
    plain: bool

    @property
    def grain(self) -> float: ...

    def position(self, run: Timeline, place: Place) -> int | None:
        """Find where the run stands at a place, perhaps a step it has not come to yet; None while it is not known."""
        ...

    def key(self, run: Timeline, t: int) -> Place | None:
        """Find the place at which the run comes to position t; None while it is not known."""
        ...

    def learn(self, run: Timeline, seconds: float) -> None:
        """Find out more about where the run comes when, for so long at most."""
        ...

    def lags(self, run: Timeline) -> bool:
        """Tell whether less is known of the run than it has come to."""
        ...

    def moved(self, place: Place, units: float) -> Place:
        """Find the place so many units of the clock later."""
        ...

    def at(self, along: float) -> Place:
        """Find the place at a coordinate of the axis, which is the first number of a place."""
        ...

    def words(self, place: Place) -> str: ...

    def pace(self, units: float) -> str:
        """Say how fast it goes at so many units a second."""
        ...

    def series(self, run: Timeline, t: Array, values: Array) -> tuple[Array, Array]:
        """Place what was measured at the positions t, against the axis."""
        ...

    def unit(self, last: float) -> tuple[float, str]:
        """Choose the unit in which an axis up to `last` is numbered, in coordinates, and its name."""
        ...


class BySteps:
    """The same step: what each did with as many steps."""

    name, whole, plain, grain = "step", True, True, 1.0

    def position(self, run: Timeline, place: Place) -> int | None:
        t = int(place[0])
        return min(t, run.last) if run.stopped else t

    def key(self, run: Timeline, t: int) -> Place | None:
        return float(t), 0.0

    def learn(self, run: Timeline, seconds: float) -> None:
        run.advance(math.inf, seconds)

    def lags(self, run: Timeline) -> bool:
        return False

    def moved(self, place: Place, units: float) -> Place:
        return place[0] + units, 0.0

    def at(self, along: float) -> Place:
        return float(max(round(along), 0)), 0.0

    def words(self, place: Place) -> str:
        return f"step {int(place[0]):,}"

    def pace(self, units: float) -> str:
        return "as fast as it goes" if math.isinf(units) else f"{units:,} step{'s' if units > 1 else ''}/s"

    def series(self, run: Timeline, t: Array, values: Array) -> tuple[Array, Array]:
        return t, values

    def unit(self, last: float) -> tuple[float, str]:
        return 1.0, "step"


class ByIterations:
    """The same iteration: each at its last state of it, or so many steps into it. A place is (iteration, steps)."""

    name, whole, plain, grain = "iteration", True, False, 1.0

    def position(self, run: Timeline, place: Place) -> int | None:
        starts, (iteration, steps) = run.iteration_starts(), place
        i = max(bisect_right(range(len(starts)), iteration, key=run.iteration_number) - 1, 0)
        end = int(starts[i + 1]) - 1 if i + 1 < len(starts) else run.last if run.stopped else None
        if run.iteration_number(i) < iteration or math.isinf(steps):
            return end
        t = int(starts[i] + steps)
        if end is None:
            return t if t <= run.last else None
        return min(t, end)

    def key(self, run: Timeline, t: int) -> Place | None:
        if t > run.last:
            return None
        starts = run.iteration_starts()
        i = int(np.searchsorted(starts, t, side="right")) - 1
        return float(run.iteration_number(i)), float(t - starts[i])

    def learn(self, run: Timeline, seconds: float) -> None:
        run.advance(math.inf, seconds)

    def lags(self, run: Timeline) -> bool:
        return False

    def moved(self, place: Place, units: float) -> Place:
        return place[0] + units, math.inf

    def at(self, along: float) -> Place:
        return float(max(round(along), 0)), math.inf

    def words(self, place: Place) -> str:
        iteration, steps = place
        within = "" if math.isinf(steps) else f", {int(steps):,} step{'s' if steps > 1 else ''} in"
        return f"iteration {int(iteration):,}{within}"

    def pace(self, units: float) -> str:
        return "as fast as it goes" if math.isinf(units) else f"{units:,} iteration{'s' if units > 1 else ''}/s"

    def series(self, run: Timeline, t: Array, values: Array) -> tuple[Array, Array]:
        """Keep the last value of each iteration."""
        starts = run.iteration_starts()
        i = np.searchsorted(starts, t, side="right") - 1
        last = np.flatnonzero(np.r_[i[1:] != i[:-1], True]) if len(i) else i
        return iteration_numbers(run, i[last]), values[last]

    def unit(self, last: float) -> tuple[float, str]:
        return 1.0, "iteration"


def iteration_numbers(run: Timeline, i: Array) -> Array:
    """List the numbers of the iterations that are i-th; they mostly count on by one."""
    count = len(run.iteration_starts())
    first = run.iteration_number(0)
    if run.iteration_number(count - 1) - first == count - 1:
        return np.asarray(first + i, float)
    return np.array([run.iteration_number(int(n)) for n in i], float)


class ByTime:
    """The same time spent: the processor seconds of each run's steps, timed apart, from its first state on.

    Raises:
        Refused: when the steps of a run cannot be timed.
    """

    name, whole, plain = "time spent", False, False

    def __init__(self, runs: Sequence[Timeline]):
        self._watches: dict[int, Stopwatch] = {id(run): w for run, w in zip(runs, stopwatches(runs))}

    @property
    def grain(self) -> float:
        """Seconds of a step of the fastest run."""
        return min((w.seconds_a_step for w in self._watches.values() if w.last), default=1e-4) or 1e-9

    def watch(self, run: Timeline) -> Stopwatch:
        return self._watches[id(run)]

    def position(self, run: Timeline, place: Place) -> int | None:
        watch = self.watch(run)
        t = int(np.searchsorted(watch.spent, place[0], side="right")) - 1
        return t if t < watch.last or watch.done else None

    def key(self, run: Timeline, t: int) -> Place | None:
        watch = self.watch(run)
        return (float(watch.spent[t]), 0.0) if t <= watch.last else None

    def learn(self, run: Timeline, seconds: float) -> None:
        """Learn the time of further steps, and those steps themselves."""
        watch = self.watch(run)
        ahead = watch.done or watch.last > run.last
        if ahead and not run.stopped:
            run.advance(math.inf, seconds)
        else:
            watch.work(seconds)

    def lags(self, run: Timeline) -> bool:
        watch = self.watch(run)
        return watch.last < run.last and not watch.done

    def moved(self, place: Place, units: float) -> Place:
        return place[0] + units * self.grain, 0.0

    def at(self, along: float) -> Place:
        return max(along, 0.0), 0.0

    def words(self, place: Place) -> str:
        return duration(place[0])

    def pace(self, units: float) -> str:
        return "as fast as it goes" if math.isinf(units) else f"{duration(units * self.grain, 1)} a second"

    def series(self, run: Timeline, t: Array, values: Array) -> tuple[Array, Array]:
        spent = self.watch(run).spent
        known = t < len(spent)
        return spent[t[known]], values[known]

    def unit(self, last: float) -> tuple[float, str]:
        """Choose the largest of s, ms, µs, ns of which there are twenty or more."""
        size, name = next(((size, name) for size, name in _UNITS if last >= 20 * size), _UNITS[-1])
        return size, f"{name} of processor time"


def alignment_named(name: str, runs: Sequence[Timeline]) -> Alignment:
    """Make the alignment of that name; by step where the steps of these runs cannot be timed."""
    try:
        return ByTime(runs) if name == ByTime.name else ByIterations() if name == ByIterations.name else BySteps()
    except Refused:
        return BySteps()


def duration(seconds: float, digits: int = 3) -> str:
    """ "1.24 ms", "38.1 µs", "0 s"."""
    if seconds <= 0:
        return "0 s"
    size, name = next(((size, name) for size, name in _UNITS if seconds >= size), _UNITS[-1])
    value = seconds / size
    decimals = max(digits - 1 - math.floor(math.log10(value)), 0) if value > 0 else 0
    return f"{value:,.{decimals}f} {name}"


def beyond(least: float) -> float:
    """Choose the next of 1, 2, 5, 10, 20 ... that is greater, at any power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power > least)
