"""The state of dual coordinate descent, and what is measured of it: both problems, their gap, the errors."""

from typing import Annotated

import numpy as np

from algorithms.core import Along, Array, Problem, Row, State, kept
from algorithms.toolbox.coordinate_ascent import Both, LinearMachine, both
from algorithms.toolbox.signed_rows import signed_rows

_RATIO = 4.0  # of a price to the one before


class DualCoordinateDescentState(State, frozen=True, kw_only=True):
    alpha: Annotated[Array, Along("n")]  # the multipliers α
    w: Array  # (p,) Σ α y x, the weight of the constant last
    solved: Array  # (C's, 4) of each C that is solved: C, ½‖w‖², Σ loss, P - D
    row: Annotated[int, Row] = -1  # the row just visited
    place: int = -1  # its place in this pass's order
    settled: int = 0  # visits in turn at which no slope was above the tolerance; all rows of a pass end it
    stage: int = 0  # how many prices came before this one
    largest: float = 0.0  # the largest Σ α since w was worked out from α: rounding in w is in proportion to it


def price(C: float, path: int, stage: int) -> float:
    """The C of a stage, each four times the one before and the last of them C."""
    return float(C / _RATIO ** (path - 1 - stage))


def machine_at(problem: Problem, state: DualCoordinateDescentState) -> LinearMachine:
    """The losses at the price of this stage."""
    p = problem.parameters
    return LinearMachine(p.loss, price(p.C, p.path, state.stage))


@kept
def at(problem: Problem, state: DualCoordinateDescentState) -> Both:
    """Both problems at a state."""
    return seen_from(machine_at(problem, state), problem, state)


def seen_from(machine: LinearMachine, problem: Problem, state: DualCoordinateDescentState) -> Both:
    """Both problems at a state, for a price that need not be that of its stage."""
    return both(machine, problem.data.once(signed_rows, problem.parameters.constant), state.alpha, state.w)


def primal(problem: Problem, state: DualCoordinateDescentState) -> float:
    value = at(problem, state).primal
    return value if np.isfinite(value) else np.nan


def a_row(problem: Problem, state: DualCoordinateDescentState) -> float:
    """P/(nC) = ½λ‖w‖² + mean loss with λ = 1/(nC); a hard margin has no C."""
    machine = machine_at(problem, state)
    return np.nan if machine.loss == "hard margin" else at(problem, state).primal / (problem.data.n * machine.C)


def gap(problem: Problem, state: DualCoordinateDescentState) -> float:
    value = at(problem, state).gap
    return value if np.isfinite(value) and value > 0 else np.nan


def error(problem: Problem, state: DualCoordinateDescentState) -> float:
    return float((at(problem, state).z <= 0).mean())
