"""The state of L-BFGS, and what is measured of it: the function, its slope, the curvature learned so far."""

import numpy as np

from algorithms.core import Array, Problem, kept
from algorithms.families.optimisers.lbfgs.quasi_newton import curvature
from algorithms.families.optimisers.shared.descent import Descent, function_of, gradient


class LbfgsState(Descent, frozen=True, kw_only=True):  # and with it x
    d: Array  # (2,) the direction, as of the last `direction`
    S: Array  # (k, 2) the last k <= m moves, the latest last
    Y: Array  # (k, 2) how the gradient changed along each
    alpha: float = 1.0  # how much of d is to be tried, or was just taken
    low: float = 0.0  # an α that was too near
    high: float = 0.0  # one that was too far; 0 while there is none


@kept
def learned(problem: Problem, state: LbfgsState) -> Array:
    """(2, 2) B."""
    return curvature(state.S, state.Y, 2)


def misjudged(problem: Problem, state: LbfgsState) -> float:
    """‖B - H‖/‖H‖: how far the learned curvature is from the true one."""
    H = function_of(problem).hessian(state.x)
    return float(np.linalg.norm(learned(problem, state) - H, 2) / (np.linalg.norm(H, 2) or 1.0))


def descends(problem: Problem, state: LbfgsState) -> float:
    """g·d, the slope of f along d at x."""
    return float(gradient(problem, state) @ state.d)


def pair_of(problem: Problem, before: LbfgsState, after: LbfgsState) -> tuple[Array, Array]:
    """s = x' - x and y = g' - g."""
    return after.x - before.x, gradient(problem, after) - gradient(problem, before)
