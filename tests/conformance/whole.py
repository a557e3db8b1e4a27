"""What an algorithm keeps to over all its data sets together, and over runs longer than a screenful."""

from collections.abc import Sequence
from typing import Any

from algorithms import Algorithm, Dataset, Problem, Refused, Timeline
from algorithms.core.state import same
from tests.conformance.declaration import edges
from tests.conformance.runs import described, difference, ensure, fail, record
from tests.conformance.theorems import check_curves, check_theorems, hold_at

_LONG = 4000  # states of a long run, as many as are measured one by one
_SECONDS = 2.0  # and how long it may take


def check_long_run(algorithm: Algorithm, data: Dataset) -> None:
    """A few thousand states on, or at its end: no theorem failed, no hook raised, and it still resumes."""
    run = Timeline(algorithm, data)
    run.advance(_LONG, _SECONDS)
    ensure(not (run.stopped and run.stopped.failed), f"the run failed: {run.stopped and run.stopped.details}")
    for failure in run.failures:
        fail(f"step {failure.t}: {failure.verdict.theorem.statement!r} fails: {failure.verdict.sides}")
    ensure(not run.troubles, f"a hook raised: {[t.what + ': ' + t.error for t in run.troubles]}")
    for t in {run.last * 2 // 3, max(run.last - 3, 0)}:
        for i, state in enumerate(record(algorithm, run.problem, run.at(t).state, min(run.last - t, 40)).states, t + 1):
            expected = run.at(i).state
            ensure(same(expected, state), f"resumed at {t}, {described(expected)}: {difference(expected, state)}")
    for t in {run.last // 2, run.last}:
        frame = run.at(t)
        algorithm.scene(run.problem, frame.before, frame.state)
        algorithm.explain(run.problem, frame.before, frame.state)


def check_theorems_apply(algorithm: Algorithm, data: Sequence[Dataset]) -> None:
    """Each theorem applies at some step on some of the data, or with another choice of one parameter."""
    applied: set[str] = set()
    for one in data:
        applied |= check_theorems(algorithm, one)
    for problem in choices(algorithm, data[0]):
        states = record(algorithm, problem, most=20).states
        for before, after in zip([None, *states], states):
            applied |= hold_at(algorithm, problem, before, after)
    missing = [theorem.statement for theorem in algorithm.theorems if theorem.statement not in applied]
    ensure(not missing, f"never applies: {missing}")


def check_curves_defined(algorithm: Algorithm, data: Sequence[Dataset]) -> None:
    """Each curve is a number at some step on some of the data."""
    defined: set[str] = set()
    for one in data:
        defined |= check_curves(algorithm, one)
    missing = [curve.name for curve in algorithm.curves if curve.name not in defined]
    ensure(not missing, f"never a number: {missing}")


def check_phases_come(algorithm: Algorithm, data: Sequence[Dataset]) -> None:
    """Each phase and each event comes on some of the data, or with another choice of one parameter."""
    phases: set[str] = set()
    events: set[str] = set()
    for problem in [*(algorithm.problem(one) for one in data), *choices(algorithm, data[0])]:
        states = record(algorithm, problem).states
        phases |= {state.phase for state in states}
        for before, after in zip([None, *states], states):
            events |= {event.name for event in algorithm.events if event.happened(before, after)}
    missing = [phase for phase in algorithm.phases if phase not in phases]
    missing += [event.name for event in algorithm.events if event.name not in events]
    ensure(not missing, f"never comes: {missing}")


def choices(algorithm: Algorithm, data: Dataset) -> list[Problem]:
    """Problems with one parameter at an edge or at another of its choices."""
    found: list[Problem] = []
    for parameter in algorithm.parameters:
        for value in edges(parameter):
            changed: dict[str, Any] = {parameter.name: value}
            try:
                found.append(algorithm.problem(data, None, changed))
            except Refused:
                continue
    return found
