"""The state of dual ascent, and what is measured of it: θ, the gap below p*, what constraints are broken."""

import numpy as np

from algorithms.core import Array, Problem, State, kept
from algorithms.families.duality.dual_ascent.constrained import CONSTRAINED, Constrained


class DualAscentState(State, frozen=True, kw_only=True):
    alpha: Array  # (m,) the multipliers
    x: Array  # (2,) where L(·, α) is least; as of the last `point`
    eta: float = 0.0  # the step that was made


def constrained(problem: Problem) -> Constrained:
    """f, its constraints and all that is known of them."""
    return CONSTRAINED[problem.parameters.problem]


@kept
def theta(problem: Problem, state: DualAscentState) -> float:
    return constrained(problem).theta(state.alpha)


def gap(problem: Problem, state: DualAscentState) -> float:
    """p* - θ(α); none where α < 0 makes θ no bound."""
    value = constrained(problem).optimum - theta(problem, state)
    return value if value > 0 else np.nan


def slack(problem: Problem, state: DualAscentState) -> float:
    return float(np.abs(state.alpha * constrained(problem).g(state.x)).sum()) or np.nan


def violation(problem: Problem, state: DualAscentState) -> float:
    g = constrained(problem).g(state.x)
    return float(np.where(constrained(problem).signed, np.abs(g), np.maximum(g, 0.0)).max())


def multiplier(problem: Problem, state: DualAscentState, i: int) -> float:
    return float(state.alpha[i]) if i < constrained(problem).m else np.nan
