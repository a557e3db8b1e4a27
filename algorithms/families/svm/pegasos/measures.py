"""The state of Pegasos, and what is measured of it: the objective, its least value, the regret and its bound."""

from math import sqrt
from typing import Annotated

import numpy as np

from algorithms.core import Along, Array, Problem, Row, State, kept
from algorithms.families.svm.pegasos.regularised_hinge import Best, HingeObjective, Step, best_weights, steepest
from algorithms.toolbox.signed_rows import longest, signed_rows


class PegasosState(State, frozen=True, kw_only=True):
    w: Array  # (p,) weights, that of the constant last
    total: Array  # (p,) the sum of the w_t since the accounts began
    first: Array  # (p,) w then
    visits: Annotated[Array, Along("n")]  # (n,) how often each row has come since then
    since: int = 0  # k, the steps made before
    row: Annotated[int, Row] = -1  # the row that came last
    used: int = 0  # rows of this pass that have come
    suffered: float = 0.0  # Σ f_t(w_t)
    slopes: float = 0.0  # Σ ‖g_t‖²/(2λt)

    @property
    def average(self) -> Array:
        """(p,) ŵ, the mean of the w_t since the accounts began."""
        return self.total / (self.t - self.since) if self.t > self.since else self.w


def ball(lam: float, project: bool) -> float:
    """1/√λ, how long w may be; infinite without the projection."""
    return 1 / sqrt(lam) if project else np.inf


def radius_of(problem: Problem) -> float:
    return ball(problem.parameters.lam, problem.parameters.project)


def objective(problem: Problem) -> HingeObjective:
    p = problem.parameters
    return HingeObjective(problem.data.once(signed_rows, p.bias), p.lam, p.loss)


def best_of(problem: Problem) -> Best:
    """u, by the dual's coordinates, and what no f is below."""
    p = problem.parameters
    return problem.data.once(best_weights, p.bias, p.lam, p.loss)


def C_of(problem: Problem) -> float:
    return float(1 / (problem.data.n * problem.parameters.lam))


@kept
def margins(problem: Problem, state: PegasosState) -> Array:
    """(n,) z = y w·x."""
    return np.asarray(objective(problem).yx @ state.w)


@kept
def value(problem: Problem, state: PegasosState) -> float:
    return objective(problem).value(state.w)


@kept
def value_of_average(problem: Problem, state: PegasosState) -> float:
    return objective(problem).value(state.average)


@kept
def suffered_by_u(problem: Problem, state: PegasosState) -> float:
    """Σ f_t(u) over the rows that came."""
    return float(state.visits @ objective(problem).row_values(best_of(problem).u))


def regret(problem: Problem, state: PegasosState) -> float:
    return state.suffered - suffered_by_u(problem, state)


def bound(problem: Problem, state: PegasosState) -> float:
    """What the regret cannot exceed, from the slopes that there were."""
    away = best_of(problem).u - state.first
    return float(problem.parameters.lam * state.since * (away @ away) / 2) + state.slopes


def not_drawn_back(problem: Problem, state: PegasosState) -> bool | str:
    length = float(np.linalg.norm(state.w))
    return length < radius_of(problem) * (1 - 1e-12) or "the step left the ball, and w was drawn back"


def G_of(problem: Problem) -> float:
    p = problem.parameters
    return steepest(p.lam, p.loss, problem.data.once(longest, p.bias), p.project)


def step_of(problem: Problem, before: PegasosState, after: PegasosState) -> Step:
    return Step(objective(problem), before.w, after.w, after.row, after.t)


def next_place(state: PegasosState, n: int) -> tuple[int, int]:
    """The pass of the row that follows a state, and how many have come in it before."""
    return (state.iteration, state.used) if state.iteration and state.used < n else (state.iteration + 1, 0)
