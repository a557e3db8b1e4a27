"""Expecting: the expectations of an algorithm, worked out beside the screen from when one is opened."""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from algorithms.core.dataset import Dataset
from algorithms.core.errors import Refused
from algorithms.core.expectation import MEASURED, Expectation
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.core.theorems import Theorem, Verdict
from algorithms.timeline import Timeline

if TYPE_CHECKING:
    from algorithms.sweeping.background import BackgroundSweep
    from algorithms.sweeping.expected import Estimate

_Key = tuple[int, int, tuple[tuple[str, Any], ...]]


class _Begun(Struct, eq=False):
    """An expectation that is being worked out: of these data, which are kept so that no others take their place."""

    data: Dataset
    problem: Problem | None
    sweep: "BackgroundSweep | None"
    refused: str = ""


class Expecting:
    """What holds on average, of the run that is shown: worked out for its data and parameters, once asked for."""

    def __init__(self) -> None:
        self._begun: dict[_Key, _Begun] = {}

    def begin(self, run: Timeline, index: int) -> None:
        """Begin to work one out, if that was not done; `take` and `verdicts` say how far it has come."""
        key = _key(run, index)
        if key not in self._begun:
            self._begun[key] = _begun(run, run.algorithm.expectations[index])

    def take(self) -> bool:
        """Take the numbers that have come; whether anything is new."""
        running = [begun.sweep for begun in self._begun.values() if begun.sweep is not None and begun.sweep.running]
        for sweep in running:
            sweep.take()
        return bool(running)

    @property
    def running(self) -> bool:
        """Whether numbers are to come."""
        return any(begun.sweep is not None and begun.sweep.running for begun in self._begun.values())

    def cancel(self) -> None:
        """End what is being worked out."""
        for begun in self._begun.values():
            if begun.sweep is not None:
                begun.sweep.cancel()

    def estimate(self, run: Timeline, index: int) -> "Estimate | None":
        """Give the mean over the runs so far, None where there are none yet."""
        from algorithms.sweeping.expected import estimate_from

        begun = self._begun.get(_key(run, index))
        if begun is None or begun.sweep is None or begun.problem is None or not begun.sweep.columns.done:
            return None
        columns = begun.sweep.columns
        well = columns.came & ~columns.failed
        values = {name: column[well] for name, column in columns.values.items()}
        expectation, failed = run.algorithm.expectations[index], int(columns.failed.sum())
        return estimate_from(expectation, begun.problem, values, columns.done, len(columns), failed)

    def verdicts(self, run: Timeline) -> tuple[Verdict, ...]:
        """Give each beside the theorems: the line of its mean, or what opens it. None is ever a verdict."""
        return tuple(
            Verdict(_as_theorem(expectation), "expected", why=self._words(run, index))
            for index, expectation in enumerate(run.algorithm.expectations)
        )

    def _words(self, run: Timeline, index: int) -> str:
        begun = self._begun.get(_key(run, index))
        if begun is None:
            return f"over {run.algorithm.expectations[index].runs_in_words}: open it, and it is worked out"
        refused = begun.refused or (begun.sweep.refused if begun.sweep is not None else "")
        estimate = self.estimate(run, index)
        return refused if refused else str(estimate) if estimate is not None else "the runs are being made"


def _key(run: Timeline, index: int) -> _Key:
    return index, id(run.data), tuple(sorted(run.parameters.items(), key=lambda pair: pair[0]))


def _begun(run: Timeline, expectation: Expectation) -> _Begun:
    from algorithms.sweeping.background import BackgroundSweep
    from algorithms.sweeping.expected import plan_of

    try:
        plan = plan_of(expectation, run.algorithm, run.data, run.parameters, expectation.runs)
        data, parameters = plan.problem_of(0)
        problem = run.algorithm.problem(data, None, parameters)
    except Refused as refusal:
        return _Begun(run.data, None, None, str(refusal))
    if not plan.spec:
        return _Begun(run.data, None, None, "another process, which would make the runs, cannot find this algorithm")
    measure = {MEASURED: expectation.measure}
    sweep = BackgroundSweep(
        plan.spec, plan.source, plan.fixed, plan.axes, len(plan), until=plan.most, measure=measure
    )  # fmt: skip
    return _Begun(run.data, problem, sweep)


def _as_theorem(expectation: Expectation) -> Theorem:
    """Make the theorem whose place it takes in lists and on its page; it says nothing of a step."""

    def silent(problem: Problem, before: State | None, after: State) -> None:
        return None

    return Theorem(expectation.statement, silent, source=expectation.source, proof=expectation.proof)
