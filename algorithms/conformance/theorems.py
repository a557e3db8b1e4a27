"""Theorems hold, curves are numbers, at every step."""

import math
from collections.abc import Collection

from algorithms import Algorithm, Dataset
from algorithms.conformance.runs import described, ensure, fail, recorded, shared, some
from algorithms.core import Curve, Problem, State
from algorithms.core.theorems import Verdict

_IN_A_FORK = (
    "; what it rests on was changed: `adapt` makes the state true again (without it a state stays as it is where rows "
    "are moved, labels flipped and parameters turned), or it is about='run' and falls silent"
)


@shared
def check_theorems(algorithm: Algorithm, data: Dataset) -> set[str]:
    """No theorem fails at any step, nor raises across a fork; returns the statements that applied somewhere."""
    run = recorded(algorithm, data)
    applied: set[str] = set()
    before: State | None = None
    for state in run.states:
        applied |= hold_at(algorithm, run.problem, before, state)
        before = state
    for i in some(run.states):
        hold_at(algorithm, run.problem, None, run.states[i], forked=True)
    return applied


def hold_at(
    algorithm: Algorithm,
    problem: Problem,
    before: State | None,
    after: State,
    forked: bool = False,
    among: Collection[str] | None = None,
) -> set[str]:
    """The statements that apply at a step, all of which must hold there; of all, or among some."""
    applied: set[str] = set()
    for theorem in algorithm.theorems:
        if among is not None and theorem.statement not in among:
            continue
        verdict = theorem.verdict(problem, before, after, forked)
        if wrong := _wrong(verdict, forked):
            fail(f"{described(after)}, {theorem.statement!r}{wrong}")
        if verdict.sides is not None:
            applied.add(theorem.statement)
    return applied


def _wrong(verdict: Verdict, forked: bool) -> str:
    """What is wrong with a verdict, "" where nothing is: put into words only then, since verdicts are many."""
    if verdict.status == "fails":
        return f" fails: {verdict.sides}{_IN_A_FORK if forked and verdict.theorem.about == 'state' else ''}"
    if verdict.sides is None:
        return "" if verdict.why.strip() else f": {verdict.status}, and does not say why"
    return "" if all(verdict.sides.names) else ": a side has no name"


@shared
def check_curves(algorithm: Algorithm, data: Dataset) -> set[str]:
    """Every curve is a number, or NaN where it is not defined; returns the names of those defined somewhere."""
    run = recorded(algorithm, data)
    defined: set[str] = set()
    for curve in algorithm.curves:
        for phase in curve.phases:
            ensure(phase in algorithm.phases, f"the curve {curve.name!r} names the phase {phase!r}; there is none")
        for state in run.states:
            if (not curve.phases or state.phase in curve.phases) and measured_at(curve, run.problem, state):
                defined.add(curve.name)
    return defined


def measured_at(curve: Curve, problem: Problem, state: State) -> bool:
    """Whether a curve is a number at a state, which may not be infinite, and not NaN."""
    value = curve.measure(problem, state)
    if math.isinf(float(value)):
        fail(f"{described(state)}: the curve {curve.name!r} is {value!r}; it cannot be drawn")
    return not math.isnan(value)
