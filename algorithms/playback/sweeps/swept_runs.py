"""SweptRuns: runs that are made beside the one in hand, in groups that can be gone through: bars, or values."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Array
from algorithms.core.parameters import as_typed
from algorithms.core.text import clean, counted
from algorithms.playback.sweeps.request import SweepRequest
from algorithms.timeline import Timeline

if TYPE_CHECKING:
    from algorithms.sweeping import Columns

_BARS = 40  # of a histogram, at most
_ROUNDING = 1e-9  # of a number: those that differ by less are the same
_ALIKE = 0.1  # of a number: how much a histogram shows where all are the same


class Groups(Struct, frozen=True, eq=False):
    """The runs that have a number, by group, and in a group by that number.

    Attributes:
        places: (m,) the runs.
        group: (m,) the group of each, rising.
        edges: of a histogram, the ends of its bars; None where a group is a value of what is swept over.
    """

    places: Array
    group: Array
    edges: Array | None = None

    def members(self, group: int) -> Array:
        """Give the runs of a group, the least first."""
        first, end = np.searchsorted(self.group, [group, group + 1])
        return np.asarray(self.places[first:end])

    @property
    def heights(self) -> Array:
        """How many runs each bar of a histogram has."""
        return np.bincount(self.group, minlength=0 if self.edges is None else len(self.edges) - 1)


class Made(Protocol):
    """Runs that are made somewhere.

    Attributes:
        columns: the numbers of those that have come.
        running: whether more are to come.
        refused: why no more came than did, "" when that was not so.
    """

    columns: "Columns"
    running: bool
    refused: str

    def take(self) -> int:
        """Take the numbers that have come; of how many runs."""

    def cancel(self) -> None:
        """Make no more runs."""


class SweptRuns:
    """A sweep on a screen: what has come of it, which run of it is chosen, and which are marked.

    Args:
        asked: what was asked for.
        made: where the runs are made; in a process of its own if not given.

    Attributes:
        asked: what was asked for.
        chosen: the place of a run, None before one has come.
        marked: the places of two runs at most, to be held against each other.
    """

    def __init__(self, asked: SweepRequest, made: Made | None = None):
        self.asked = asked
        self.chosen: int | None = None
        self.marked: list[int] = []
        self.background: Made = made or _in_background(asked)
        self.columns = self.background.columns
        self._groups: Groups | None = None
        self._cancelled = False

    def take(self) -> None:
        """Take the numbers that have come."""
        if self.background.take():
            self._groups = None
            if self.chosen is None and len(self.groups.places):
                self.chosen = int(self.groups.places[0])

    @property
    def running(self) -> bool:
        """Whether more runs are to come."""
        return self.background.running

    def cancel(self) -> None:
        """Make no more runs; the numbers so far stay."""
        self._cancelled = self.running
        self.background.cancel()
        self._groups = None

    # What has come

    def value(self, place: int) -> float:
        """Give the number of a run, NaN where it has none."""
        column = self.columns.values.get(self.asked.curve)
        return math.nan if column is None or not self.columns.came[place] else float(column[place])

    def _known(self) -> tuple[Array, Array]:
        """Find the runs that have a number that can be shown, and those numbers, logarithms if asked for."""
        column = self.columns.values.get(self.asked.curve)
        if column is None:
            return np.zeros(0, int), np.zeros(0)
        with np.errstate(divide="ignore", invalid="ignore"):
            shown = np.log10(column) if self.asked.log else column
        places = np.flatnonzero(self.columns.came & np.isfinite(shown))
        return places, shown[places]

    @property
    def groups(self) -> Groups:
        """The runs as they are shown: in bars, or by the value of what is swept over."""
        if self._groups is None:
            places, values = self._known()
            edges = None if self.asked.ordered else bar_edges(values)
            if edges is None:
                group = places // self.asked.each
            else:
                group = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
            order = np.lexsort((places, values, group))
            self._groups = Groups(places[order], group[order], edges)
        return self._groups

    def spread(self) -> tuple[Array, Array]:
        """Work out, of each value of what is swept over that has numbers: the group (m,), and (m, 5) the least number,
        the one a tenth is below, the middle one, the one a tenth is above, and the greatest."""
        groups = self.groups
        shown = np.full(len(self.columns), np.nan)
        places, values = self._known()
        shown[places] = values
        there = np.unique(groups.group)
        numbers = [np.quantile(shown[groups.members(int(g))], [0, 0.1, 0.5, 0.9, 1]) for g in there]
        return there, np.array(numbers).reshape(-1, 5)

    def next_curve(self) -> None:
        """Look at another curve of the same runs."""
        asked = self.asked
        curves = [curve for curve in asked.loaded.algorithm.curves if curve.name in self.columns.values]
        names = [curve.name for curve in curves]
        if curves:
            following = curves[(names.index(asked.curve) + 1) % len(curves) if asked.curve in names else 0]
            self.asked = replace(asked, curve=following.name, log=following.log)
            self._groups = None

    # Going through it

    def group_of(self, place: int) -> int | None:
        """Find the group of a run, None where it is in none."""
        at = np.flatnonzero(self.groups.places == place)
        return int(self.groups.group[at[0]]) if len(at) else None

    def move(self, by: int) -> None:
        """Choose the first run of the next group that has any, or of the one before."""
        there = np.unique(self.groups.group)
        if not len(there):
            return
        here = None if self.chosen is None else self.group_of(self.chosen)
        at = 0 if here is None else int(np.searchsorted(there, here))
        self._choose(self.groups.members(int(there[min(max(at + by, 0), len(there) - 1)]))[0])

    def go_to_end(self, last: bool) -> None:
        """Choose the first run of the first group, or the last of the last: of a histogram, the least, the greatest."""
        if len(self.groups.places):
            self._choose(self.groups.places[-1 if last else 0])

    def move_within(self, by: int) -> None:
        """Choose the next run of the same group, or the one before."""
        at = np.flatnonzero(self.groups.places == self.chosen)
        if len(at):
            members = self.groups.members(int(self.groups.group[at[0]]))
            here = int(np.flatnonzero(members == self.chosen)[0])
            self._choose(members[min(max(here + by, 0), len(members) - 1)])

    def choose_group(self, group: int) -> bool:
        """Choose the first run of a group; whether it has any."""
        members = self.groups.members(group)
        if len(members):
            self._choose(members[0])
        return bool(len(members))

    def _choose(self, place: int) -> None:
        self.chosen = int(place)

    def mark(self) -> None:
        """Mark the chosen run, or take its mark away; a third takes the place of the first."""
        if self.chosen is None:
            return
        if self.chosen in self.marked:
            self.marked.remove(self.chosen)
        else:
            self.marked = [*self.marked[-1:], self.chosen]

    @property
    def pair(self) -> tuple[int, int] | None:
        """The two runs to be held against each other: those marked, the marked one and the chosen one, or the ends."""
        pair = [*self.marked, *([self.chosen] if self.chosen is not None and self.chosen not in self.marked else [])]
        if not self.marked:
            places, values = self._known()
            pair = [int(places[values.argmin()]), int(places[values.argmax()])] if len(places) else []
        return (pair[0], pair[1]) if len(pair) >= 2 and pair[0] != pair[1] else None

    # In words

    @property
    def title(self) -> str:
        loaded, asked = self.asked.loaded, self.asked
        of = f" on {loaded.data.name}" if loaded.data else ""
        return clean(f"{loaded.algorithm.title}{of}: {asked.curve} over {asked.over}")

    @property
    def progress(self) -> str:
        """How many of the runs are done: "412 of 1,000 runs"."""
        end = ", cancelled" if self._cancelled else "" if self.running else ", all done"
        if not self.running and self.background.refused:
            end = ", ended"
        return f"{self.columns.done:,} of {counted(len(self.columns), 'run')}{end}"

    @property
    def summary(self) -> str:
        """What they have in common: the mean with its standard error, the ends, and those that have no number."""
        places, _ = self._known()
        numbers = self.columns.values[self.asked.curve][places] if len(places) else np.zeros(0)
        words = []
        if len(numbers):
            with np.errstate(over="ignore", invalid="ignore"):
                error = f" ± {numbers.std(ddof=1) / math.sqrt(len(numbers)):.2g}" if len(numbers) > 1 else ""
                words.append(f"mean {numbers.mean():.5g}{error}, from {numbers.min():.5g} to {numbers.max():.5g}")
        failed, without = int(self.columns.failed.sum()), self.columns.done - len(numbers)
        words += [f"{failed:,} failed"] if failed else []
        words += [f"{without - failed:,} without a number that can be shown"] if without > failed else []
        words += [f"a theorem fails in {self.columns.with_failures:,}"] if self.columns.with_failures else []
        words += [clean(self.background.refused)] if self.background.refused else []
        return "; ".join(words)

    def words(self, place: int) -> str:
        """Say what a run is and what came of it: "seed 17: 142.75 after 16 steps: no row moved"."""
        outcome = self.columns.outcome(place)
        fails = "".join(f"; fails: {failure.statement}" for failure in outcome.failures)
        steps = counted(outcome.steps, "step")
        return clean(f"{self.named(place)}: {self.value(place):.6g} after {steps}: {outcome.reason}{fails}")

    def csv(self, places: Sequence[int]) -> Iterator[str]:
        """Write runs as the command line does, a line each below the heads."""
        from algorithms.cli.sweep import lines
        from algorithms.sweeping.sweep import SweptRun

        runs = (SweptRun(self.asked.plan, self.columns.outcome(place)) for place in places)
        return lines(runs, self.asked.plan, (), "csv")

    def named(self, place: int) -> str:
        """Name a run by what it has of what is swept over: "eta 0.1, seed 3"."""
        return clean(
            ", ".join(f"{name} {as_typed(value)}" for name, value in self.asked.plan.parameters(place).items())
        )

    def in_hand(self, run: Timeline) -> float | None:
        """Give the number of the run in hand, so far as it has come; None where it has none, or is of other data."""
        asked = self.asked
        if run.algorithm.name != asked.loaded.algorithm.name or run.data is not asked.loaded.data:
            return None
        if asked.curve not in [curve.name for curve in run.algorithm.curves] or not len(run):
            return None
        _, values = run.curve(asked.curve)
        return float(values[-1]) if len(values) else None


def _in_background(asked: SweepRequest) -> Made:
    from algorithms.sweeping.background import BackgroundSweep

    plan, loaded = asked.plan, asked.loaded
    spec = loaded.spec or loaded.algorithm.name
    return BackgroundSweep(spec, plan.source, plan.fixed, plan.axes, len(plan))


def bar_edges(values: Array) -> Array:
    """Choose the ends of a histogram's bars: round numbers, equally far apart, 40 bars at most."""
    if not len(values):
        return np.array([0.0, 1.0])
    limit, least = np.finfo(float).max, np.finfo(float).tiny / np.finfo(float).eps
    low, high = float(values.min()), float(values.max())
    size = max(abs(low), abs(high)) or 1.0
    part = high / _BARS - low / _BARS  # the whole of it may be more than the greatest number
    alike = _ROUNDING * size / _BARS
    part = max(part if part > alike else size * _ALIKE / _BARS, least)  # and a part of it less than the least
    power = 10.0 ** math.floor(math.log10(part))
    fit = (_BARS - 1) / _BARS
    step = next(factor * power for factor in (1, 2, 5, 10, 20) if part / (factor * power) <= fit)
    first, last = math.floor(low / step), math.floor(high / step) + 1
    with np.errstate(over="ignore"):
        return np.asarray(np.clip(np.arange(first, last + 1) * step, -limit, limit))
