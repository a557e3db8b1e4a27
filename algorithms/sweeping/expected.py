"""What an expectation comes to: the mean over the runs so far with its standard error, beside what bounds it."""

import math
from array import array
from collections.abc import Generator, Mapping
from contextlib import closing
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core.algorithm import Algorithm
from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset, Source
from algorithms.core.errors import Refused
from algorithms.core.expectation import MEASURED, Expectation
from algorithms.core.problem import Problem
from algorithms.core.text import counted
from algorithms.data.recipe import Recipe
from algorithms.sweeping.outcome import Outcome
from algorithms.sweeping.plan import OF_DATA, Plan
from algorithms.sweeping.sweep import Sweep

_ALL_SHOWN = 50  # runs after each of which there is an estimate; then one after every fiftieth part of them


class Estimate(Struct, frozen=True):
    """An expectation after some runs.

    Attributes:
        runs, of: how many runs there were, of how many.
        mean, error: of what was measured, with its standard error; NaN before there are two runs.
        bound: what the mean is held against.
        failed: runs that raised or were refused, which measure nothing.
        values: (runs,) what was measured.
    """

    expectation: Expectation
    runs: int
    of: int
    mean: float
    error: float
    bound: float
    failed: int
    values: Array

    def __str__(self) -> str:
        """Say it in a line: "412 of 1,000 runs: 1.31 ± 0.02 against 25.4"."""
        failed = f"; {self.failed:,} failed" if self.failed else ""
        mean = f"{self.mean:.4g} ± {self.error:.2g}"
        return f"{self.runs:,} of {counted(self.of, 'run')}: {mean} against {self.bound:.4g}{failed}"


def estimates(
    expectation: Expectation,
    algorithm: Algorithm,
    data: Dataset | Source,
    parameters: Mapping[str, Any] | None = None,
    *,
    runs: int | None = None,
    jobs: int | None = None,
) -> Generator[Estimate, None, None]:
    """Work an expectation out: an estimate again and again, the last when all runs are made.

    Args:
        parameters: those of the runs, where the expectation does not fix them.
        runs: how many; as many as it asks for if not given.
        jobs: how many processes; every core has one if not given.

    Raises:
        Refused: for data over which nothing can differ: rows as such have no seed and no split.
    """
    plan = plan_of(expectation, algorithm, data, parameters or {}, expectation.runs if runs is None else runs)
    first, given = plan.problem_of(0)
    problem = algorithm.problem(first, None, given)
    numbers: dict[str, array[float]] = {}
    done = failed = 0
    with closing(iter(Sweep(plan, jobs=jobs, measure={MEASURED: expectation.measure}))) as outcomes:
        for run in outcomes:
            done += 1
            failed += run.failed
            if not run.failed:
                _append(numbers, run.outcome)
            if done <= _ALL_SHOWN or done % max(len(plan) // _ALL_SHOWN, 1) == 0 or done == len(plan):
                columns = {name: np.array(column) for name, column in numbers.items()}
                yield estimate_from(expectation, problem, columns, done, len(plan), failed)


def plan_of(
    expectation: Expectation,
    algorithm: Algorithm,
    data: Dataset | Source,
    parameters: Mapping[str, Any],
    runs: int,
) -> Plan:
    """Make the plan of its runs: the parameters of the one on the screen, but for what it fixes and what differs."""
    _check_truth(expectation, data if isinstance(data, Dataset) else data.load())
    fixed = {name: value for name, value in parameters.items() if name != expectation.over} | dict(expectation.fixed)
    recipe = data
    if isinstance(data, Dataset) and isinstance(data.source, Recipe) and data.source.load() is data:  # not edited
        recipe = data.source
    if isinstance(recipe, Recipe):
        bare = Recipe(name=recipe.name)
        unsaid = {
            name: value for name, value in expectation.data.items() if getattr(recipe, name) == getattr(bare, name)
        }
        data = recipe.with_(**unsaid) if unsaid else data
    elif expectation.over.startswith(OF_DATA):
        raise Refused(
            f"{expectation.names[0]} is a mean over {expectation.over.removeprefix(OF_DATA).replace('_', ' ')}s, and "
            "these rows were edited or handed over as they are: open data by name or from a file."
        )
    until = math.inf if expectation.until is None else float(expectation.until)
    return Plan.of(algorithm, data, fixed, {expectation.over: range(runs)}, until)


def _check_truth(expectation: Expectation, data: Dataset) -> None:
    """Refuse data of which is not known what the mean is to be held against."""
    if missing := [name for name in expectation.truth if name not in data.truth]:
        raise Refused(
            f"{expectation.names[1]} rests on the {' and '.join(missing)} that the rows were made with, which are not "
            f"known of {data.words}: open made data of which they are."
        )


def _append(numbers: "dict[str, array[float]]", outcome: Outcome) -> None:
    for name, value in outcome.values.items():
        numbers.setdefault(name, array("d")).append(value)


def estimate_from(
    expectation: Expectation, problem: Problem, values: Mapping[str, Array], runs: int, of: int, failed: int
) -> Estimate:
    """Take the mean of what was measured of so many runs.

    Args:
        values: by name, (m,) the last value of each curve in those that did not fail, and what was measured of them.
    """
    measured = values.get(MEASURED, np.zeros(0))
    mean = float(measured.mean()) if len(measured) else math.nan
    error = float(measured.std(ddof=1) / math.sqrt(len(measured))) if len(measured) > 1 else math.nan
    bound = float(expectation.bound(problem, values)) if len(measured) else math.nan
    return Estimate(expectation, runs, of, mean, error, bound, failed, measured)
