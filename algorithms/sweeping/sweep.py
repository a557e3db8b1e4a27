"""Sweep: an algorithm run many times, over seeds, parameters or data; any of the runs can be opened."""

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core.algorithm import Algorithm
from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset
from algorithms.core.errors import Refused, no_such
from algorithms.core.notices import warn_of
from algorithms.core.problem import Problem
from algorithms.data.given import source_of
from algorithms.sweeping import workers
from algorithms.sweeping.outcome import Failed, Outcome
from algorithms.sweeping.plan import Plan
from algorithms.timeline import Timeline
from algorithms.timeline.table import Table
from algorithms.userfile.plain import PlainAlgorithm


class SweptRun(Struct, frozen=True, eq=False):
    """One run of a sweep.

    Attributes:
        plan: what it is one of.
        outcome: what came of it.
    """

    plan: Plan
    outcome: Outcome

    @property
    def place(self) -> int:
        """Its place among the runs, from 0; they come in any order."""
        return self.outcome.place

    @property
    def parameters(self) -> dict[str, Any]:
        """What it had of what is swept over; "data.seed" is one of its data."""
        return self.plan.parameters(self.place)

    @property
    def steps(self) -> int:
        """How many steps it made."""
        return self.outcome.steps

    @property
    def reason(self) -> str:
        """Why it ended; an error, when it `failed`."""
        return self.outcome.reason

    @property
    def failed(self) -> bool:
        """Whether it raised, or was refused."""
        return self.outcome.failed

    @property
    def values(self) -> dict[str, float]:
        """The last value of each curve, NaN where it never had one, and of what was asked to be measured."""
        return self.outcome.values

    def curve(self, name: str) -> tuple[Array, Array]:
        """Get (t, value), (m,) each, of a curve that the sweep was asked to keep.

        They are of the first 64 steps of each phase, then of fewer and fewer, and of the last one: the same steps
        wherever the run is made. `open()` has the run with all of its steps.

        Raises:
            Refused: for one that was not kept; it names those that were.
        """
        if name not in self.outcome.curves:
            raise no_such("kept curve", name, self.outcome.curves)
        return self.outcome.curves[name]

    @property
    def failures(self) -> tuple[Failed, ...]:
        """The theorems that failed in it."""
        return self.outcome.failures

    def open(self) -> Timeline:
        """Make the run again, here, any step of which can be had; it is the same, bit for bit.

        Raises:
            Refused: when its data and parameters do not go together.
        """
        data, parameters = self.plan.problem_of(self.place)
        algorithm = self.plan.algorithm
        own = algorithm.afresh() if isinstance(algorithm, PlainAlgorithm) else algorithm
        timeline = Timeline(own, data, parameters)
        timeline.advance(self.plan.most + 1)
        return timeline


class Sweep:
    """Many runs, made while one goes through them; each comes when it has ended.

    Its length is that of all runs, so `tqdm(sweep(...))` shows how far it is.

    Attributes:
        plan: which runs there are.
        done: how many have come.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        jobs: int | None = None,
        scheduler: str = "",
        measure: Mapping[str, Callable[[Problem, Any], float]] | None = None,
        progress: Callable[[float], object] | None = None,
    ):
        if jobs is not None and jobs < 1:
            raise Refused(f"jobs = {jobs} will not do: one or more processes make the runs.")
        self.plan, self.done = plan, 0
        self._jobs, self._scheduler, self._measures = jobs, scheduler, dict(measure or {})
        self._progress = progress

    def __len__(self) -> int:
        return len(self.plan)

    def __iter__(self) -> Generator[SweptRun, None, None]:
        self.done = 0
        for outcome in self._outcomes():
            self.done += 1
            if self._progress is not None:
                self._progress(self.done / len(self))
            yield SweptRun(self.plan, outcome)

    def table(self) -> Table:
        """Make all runs; of each, by its place: what it had of what is swept over, its steps, why it ended, whether it
        failed, and the last value of each curve, NaN where there is none."""
        runs = sorted(self, key=lambda run: run.place)
        made = Table({name: np.array([run.parameters[name] for run in runs]) for name in self.plan.axes})
        ends = {
            "steps": np.array([run.steps for run in runs], np.int64),
            "reason": np.array([run.reason for run in runs], str),
            "failed": np.array([run.failed for run in runs], bool),
        }
        names = dict.fromkeys(name for run in runs for name in run.values)
        last = {name: np.array([run.values.get(name, math.nan) for run in runs]) for name in names}
        for name, column in (ends | last).items():
            made[f"{name} (last)" if name in made else name] = column
        return made

    def _outcomes(self) -> Iterator[Outcome]:
        if self._scheduler:
            from algorithms.sweeping import cluster

            return cluster.outcomes(self.plan, self._measures, self._scheduler)
        jobs = _cores() if self._jobs is None else self._jobs
        if jobs == 1:
            return workers.here(self.plan, self._measures)
        return workers.apart(self.plan, self._measures, jobs)


def sweep(
    algorithm: str | Algorithm,
    data: Any = None,
    *,
    over: Mapping[str, str | Iterable[Any]],
    measure: Mapping[str, Callable[[Problem, Any], float]] | None = None,
    jobs: int | None = None,
    scheduler: str = "",
    until: float = math.inf,
    curves: Iterable[str] | bool = False,
    progress: Callable[[float], object] | None = None,
    **parameters: Any,
) -> Sweep:
    """Run an algorithm for every combination of some values, and give what came of each run as it comes.

    Args:
        algorithm: the declaration, or its name; of your own, "path/to/mine.py" or "package.module:name".
        data: in any form that a Timeline takes: a recipe, a name, rows; those that it opens with if not given.
        over: values by parameter; "data.seed" is an argument of the data. A text is read as the command line reads it:
            "0:100", "1e-3:1:log:20", "2,3,4".
        measure: functions of (problem, last state) whose values are wanted besides those of the curves.
        jobs: how many processes; every core has one if not given, and 1 is this process itself.
        scheduler: the address of a Dask scheduler, "tcp://host:8786", whose workers make the runs instead.
        until: the step at which a run is stopped.
        curves: the names of those that are kept of each run, or True for all; see `SweptRun.curve`.
        progress: told the share of the runs that have come, after each; what it raises ends it.
        parameters: those that all runs have.

    Raises:
        Refused: for what is not there or cannot be so, before the first run. A run that raises is one that `failed`.

    >>> from algorithms import datasets, sweep
    >>> ends = sweep("lloyd", datasets.iris, over={"seed": range(4)}, jobs=1, k=3, start="rows")
    >>> [round(run.values["objective"], 2) for run in ends]
    [78.86, 78.86, 78.85, 78.86]
    >>> (run,) = sweep("lloyd", datasets.iris, over={"seed": [0]}, jobs=1, k=3, curves=["objective"])
    >>> t, values = run.curve("objective")
    >>> bool(values[0] > values[-1])
    True
    """
    source = None if data is None else source_of(data)
    plan = Plan.of(algorithm, source, parameters, over, until, curves)
    if source is not None and not isinstance(source, Dataset):  # of rows in hand a script was warned
        first, _ = plan.problem_of(0)
        warn_of(first.name, first.notices)
    return Sweep(plan, jobs=jobs, scheduler=scheduler, measure=measure, progress=progress)


def _cores() -> int:
    """Count the cores that this process may use, as joblib does: containers and affinities are heeded."""
    from joblib import cpu_count

    return int(cpu_count())
