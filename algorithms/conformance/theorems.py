"""Theorems hold, curves are numbers, at every step."""

import math
from collections.abc import Collection

from algorithms import Algorithm, Dataset
from algorithms.conformance.runs import described, ensure, recorded, shared, some
from algorithms.core import Problem, State

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
        where = f"{described(after)}, {theorem.statement!r}"
        mend = _IN_A_FORK if forked and theorem.about == "state" else ""
        ensure(verdict.status != "fails", f"{where} fails: {verdict.sides}{mend}")
        if verdict.sides is None:
            ensure(verdict.why.strip() != "", f"{where}: {verdict.status}, and does not say why")
        else:
            applied.add(theorem.statement)
            ensure(all(verdict.sides.names), f"{where}: a side has no name")
    return applied


@shared
def check_curves(algorithm: Algorithm, data: Dataset) -> set[str]:
    """Every curve is a number, or NaN where it is not defined; returns the names of those defined somewhere."""
    run = recorded(algorithm, data)
    defined: set[str] = set()
    for curve in algorithm.curves:
        for phase in curve.phases:
            ensure(phase in algorithm.phases, f"the curve {curve.name!r} names the phase {phase!r}; there is none")
        for state in run.states:
            if not curve.phases or state.phase in curve.phases:
                value = curve.measure(run.problem, state)
                where = f"{described(state)}: the curve {curve.name!r} is {value!r}"
                ensure(isinstance(float(value), float), where)
                ensure(not math.isinf(value), f"{where}; it cannot be drawn")
                if not math.isnan(value):
                    defined.add(curve.name)
    return defined
