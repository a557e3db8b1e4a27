"""What a run's curves can be drawn along in place of its steps: its iterations, or the time that they took."""

from bisect import bisect_left
from typing import Protocol

import numpy as np

from algorithms.core import Array
from algorithms.playback.comparison.alignment import ByTime, iteration_numbers
from algorithms.timeline import Timeline


class Coordinate(Protocol):
    """A number that rises with the steps.

    Attributes:
        name: what it is called on the axis.
        brief: the same where there is little room.
        whole: whether it is counted in whole numbers.
    """

    @property
    def name(self) -> str: ...

    @property
    def brief(self) -> str: ...

    @property
    def whole(self) -> bool: ...

    def of(self, t: Array) -> Array:
        """Get where each step is; NaN where that is not known yet."""
        ...


class Iterations:
    """The iteration, and how far in it a step is: its steps are at even distances between its number and the next."""

    name, brief, whole = "iteration", "iter.", True

    def __init__(self, run: Timeline):
        self._run = run

    def of(self, t: Array) -> Array:
        starts = self._run.iteration_starts()
        if not len(t):
            return np.zeros(0)
        i = np.searchsorted(starts, t, side="right") - 1
        number = iteration_numbers(self._run, i)
        ends = np.append(starts[1:], self._end(starts))
        return np.maximum.accumulate(number + (t - starts[i]) / np.maximum(ends[i] - starts[i], 1))

    def _end(self, starts: Array) -> int:
        """Find where the newest iteration ends: it has as many steps as the one before until it has more."""
        so_far = self._run.last + 1
        if self._run.stopped or len(starts) < 2:
            return so_far
        return max(so_far, int(starts[-1] + (starts[-1] - starts[-2])))


class Spent:
    """The processor time that the steps took, timed apart.

    Raises:
        Refused: when the steps of the run cannot be timed.
    """

    whole = False

    def __init__(self, run: Timeline):
        self._run, self._clock = run, ByTime((run,))

    @property
    def name(self) -> str:
        return self._unit[1]

    @property
    def brief(self) -> str:
        return self._unit[1].split()[0]

    @property
    def _unit(self) -> tuple[float, str]:
        return self._clock.unit(float(self._clock.watch(self._run).spent[-1]))

    @property
    def lags(self) -> bool:
        """Tell whether there are steps that have not been timed."""
        return self._clock.lags(self._run)

    def learn(self, seconds: float) -> None:
        """Time further steps, for so long at most."""
        self._clock.learn(self._run, seconds)

    def of(self, t: Array) -> Array:
        spent = self._clock.watch(self._run).spent
        known = t < len(spent)
        places = np.full(len(t), np.nan)
        places[known] = spent[t[known]] / self._unit[0]
        return places


def step_near(coordinate: Coordinate, x: float, last: int) -> int:
    """Find the step that is nearest to a place, of those from 0 to `last`."""

    def place(t: int) -> float:
        known = float(coordinate.of(np.array([t]))[0])
        return known if known == known else np.inf

    after = min(bisect_left(range(last + 1), x, key=place), last)
    before = max(after - 1, 0)
    return before if abs(x - place(before)) <= abs(place(after) - x) else after
