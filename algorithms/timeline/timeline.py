"""Timeline: a run that goes on, can be taken to any of its steps, and forked there."""

import math
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from typing import Any, Generic, Self

import numpy as np

from algorithms.core.algorithm import Algorithm, FromStart, S
from algorithms.core.catalogue import find
from algorithms.core.dataset import Dataset
from algorithms.core.edits import followed
from algorithms.core.errors import Refused
from algorithms.core.problem import Problem
from algorithms.timeline.fork_states import adapted, check_state
from algorithms.timeline.live_run import Frame, LiveRun
from algorithms.timeline.recorded_run import RecordedRun
from algorithms.timeline.run_so_far import RunSoFar

BUDGET = 96 << 20  # bytes of states: half for the kept ones, most of the rest for replay segments
_LOOK = 0.1  # seconds of running between two words of progress


class Timeline(RunSoFar[S]):
    """A run of an algorithm on data that can be taken to any of its steps.

    Args:
        algorithm: what runs, or its name in the catalogue.
        data: a Dataset, a recipe for one, or its name; an array (n, d), a pair (X, y), or a DataFrame, which is read as
            a file is (see `Dataset.of`); those that the algorithm opens with if not given.
        parameters: by name; the rest keep their defaults.
        budget: bytes of states that may be held; a fork has as many of its own.

    Attributes:
        algorithm: what runs.
        parent: the run this one was forked from, or None.
        from_start: why a fork begins at step 0 and not where it was asked for, "" if it does not.

    Raises:
        Refused: for a name that there is not, with the nearest; when data and parameters do not go together.

    >>> from algorithms import Timeline
    >>> run = Timeline("lloyd", "faithful", {"k": 3})
    >>> run.advance(5)
    5
    >>> run[4].state.phase
    'update'
    >>> [frame.state.phase for frame in run][-2:]
    ['assign', 'update']

    It can be pickled, with all that was recorded and measured; what comes out of the pickle goes on from its newest
    state, but for a generator that takes none.
    """

    def __init__(
        self,
        algorithm: Algorithm[S] | str,
        data: Any = None,
        parameters: Mapping[str, Any] | None = None,
        *,
        budget: int = BUDGET,
    ):
        if isinstance(algorithm, str):
            algorithm = find(algorithm)
        if data is None:
            data = algorithm.datasets[0] if algorithm.datasets else Dataset.none
        problem = algorithm.problem(Dataset.of(data), None, parameters)
        kind = RecordedRun if algorithm.recorded else LiveRun
        self._open(kind(algorithm, problem, budget), None, budget)

    def _open(self, own: LiveRun, parent: Self | None, budget: int) -> None:
        self.algorithm, self.parent, self.from_start = own.algorithm, parent, ""
        self._own, self._budget = own, budget

    # Going forward

    def advance(self, steps: float = 1, seconds: float = math.inf, *, later: bool = False) -> int:
        """Run on for so many steps at most, or so long; returns how many there were.

        A step that raises ends the run; what was recorded stays, and `stopped` tells.

        Args:
            later: whether theorems wait, where they take long, until `settle` or somebody asks for them.
        """
        there = self._unveil_some(steps)
        return there + self._own.advance(steps - there, seconds, later) if there < steps else there

    @property
    def settled(self) -> bool:
        """Tell whether no theorem waits to be checked."""
        return self._own.series.settled

    def settle(self, seconds: float = math.inf) -> bool:
        """Check the theorems that wait, for so long at most; whether none does any more."""
        return self._own.series.settle(perf_counter() + seconds)

    def leap(self, seconds: float = math.inf) -> bool:
        """Take note of all steps of a recording that are in its file, without looking at them, for so long at most.

        Then each can be gone to at once, and `advance` looks at those that were not. Of any other run nothing is known
        beforehand.

        Returns:
            Whether that is done.
        """
        return self._own.leap(seconds) if isinstance(self._own, RecordedRun) else True

    def run(self, progress: Callable[[int], object] | None = None) -> Self:
        """Run on to the end.

        Args:
            progress: told the newest step, some ten times a second; what it raises ends it, and the steps so far stay.
        """
        if progress is None:
            self.advance(math.inf)
            return self
        while self.stopped is None:
            self.advance(math.inf, _LOOK)
            progress(self.last)
        return self

    def going(self, steps: int | None = None) -> "Going[S]":
        """Run on while one goes through the frames, as in `for frame in tqdm(run.going(1000))`.

        Args:
            steps: so many at most; to the end if not given.
        """
        return Going(self, steps)

    # The other future

    def fork(
        self,
        at: int,
        *,
        state: S | None = None,
        data: Any = None,
        **parameters: Any,
    ) -> "Timeline[S]":
        """Fork a second run from the state at `at`, with other parameters, other data, or another state.

        Data that were made by edits of the run's own may have more rows or fewer; the algorithm's `adapt` makes the
        state follow. Where it has none, a fork whose rows came or went is a run from the start: `from_start` says so.
        A state is that of `at` with fields replaced.

        It begins at the nearest step at or before `at` after which a change is sound (the declaration's
        `fork_after`); its `begin` says where. What was before is the parent's, which is the run that recorded
        that step (of a fork before its `begin`: its own parent). With nothing changed it does as the parent.

        Raises:
            Refused: for a parameter that matters at the start alone (at step 0 it gives a run from the start), a state
                that is not that step's, or data of another shape that are not an edit of this run's.
            IndexError: beyond what has been run.
        """
        begin = self.nearest_entry(at)
        owner = self._owner(begin)
        if not owner.resumes:
            raise Refused(f"{self.algorithm.title} cannot be taken up again from a state, so it cannot be forked.")
        first, changed = owner.at(begin), owner._own.changed
        if state is not None:
            check_state(state, first.state, at)
            first, changed = Frame(begin, state, None, first.line), True
        data = owner.data if data is None else Dataset.of(data)
        rows = followed(owner.data, data)
        if rows is None or data.d != owner.data.d or data.classes != owner.data.classes:
            raise Refused(f"a fork keeps {_shape(owner.data)}; {data.name} has {_shape(data)}.")
        problem = owner._problem_with(data, parameters)
        fixed = owner._start_only_changed(problem)
        if fixed and (at or state is not None):
            raise Refused(f"{fixed} cannot be changed half-way: it settles how a run starts.")
        if fixed:
            return self._from_start(owner, problem, f"{fixed} settles how a run starts", None)
        if self.algorithm.adapt is None and not np.array_equal(rows, np.arange(owner.data.n)):
            return self._from_start(owner, problem, "no step of it goes on when rows come or go", state)
        if problem is not owner.problem:
            follows = adapted(self.algorithm, owner.problem, problem, first.state, rows)
            if isinstance(follows, FromStart):
                return self._from_start(owner, problem, follows.why, state)
            first, changed = Frame(begin, follows, None, first.line), True
        fork = type(self).__new__(type(self))
        own = LiveRun(self.algorithm, problem, self._budget, first=first, changed=changed, past=owner._own)
        fork._open(own, owner, self._budget)
        return fork

    def _from_start(self, owner: Self, problem: Problem, why: str, state: S | None) -> "Timeline[S]":
        """A fork that begins at step 0, for the reason given."""
        if state is not None:
            raise Refused(f"{self.algorithm.title} starts afresh on these rows, so no state can be changed: {why}.")
        fork = type(self).__new__(type(self))
        fork._open(LiveRun(self.algorithm, problem, self._budget), owner, self._budget)
        fork.from_start = f"{self.algorithm.title} starts afresh: {why.rstrip('.')}."
        fork.advance()
        return fork

    def _problem_with(self, data: Dataset, parameters: Mapping[str, Any]) -> Problem:
        """Make the problem of a fork; that of this run when nothing differs."""
        problem = self.algorithm.problem(data, None, self.parameters | dict(parameters))
        unchanged = data is self.data and problem.parameters == self.problem.parameters
        return self.problem if unchanged else problem

    def _start_only_changed(self, problem: Problem) -> str:
        """Name a parameter that matters at the start alone and differs from this run's; "" where none does."""
        changed = (n for n in self.algorithm.start_only if getattr(problem.parameters, n) != self.parameters[n])
        return next(changed, "")


class Going(Generic[S]):
    """The frames that a run comes to while one goes through them; its length where it is known how many at most."""

    def __init__(self, run: Timeline[S], steps: int | None):
        self._run, self._steps = run, steps

    def __len__(self) -> int:
        if self._steps is None:
            raise TypeError("nobody knows how many steps there will be")
        return self._steps

    def __iter__(self) -> Iterator[Frame[S]]:
        made = 0
        while (self._steps is None or made < self._steps) and self._run.advance(1):
            yield self._run.at(self._run.last)
            made += 1


def _shape(data: Dataset) -> str:
    classes = f" in the classes {', '.join(data.classes)}" if data.classes else ""
    return f"{data.n} row{'s' * (data.n != 1)} of {data.d} feature{'s' * (data.d != 1)}{classes}"
