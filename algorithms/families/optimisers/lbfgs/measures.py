"""The state of L-BFGS, and what is measured of it: the function, its slope, the curvature learned so far."""

import numpy as np

from algorithms.core import Array, Problem, State, kept
from algorithms.families.optimisers.lbfgs.quasi_newton import curvature
from algorithms.toolbox.functions import FUNCTIONS, Function


class LbfgsState(State, frozen=True, kw_only=True):
    x: Array  # (2,)
    d: Array  # (2,) the direction, as of the last `direction`
    S: Array  # (k, 2) the last k <= m moves, the latest last
    Y: Array  # (k, 2) how the gradient changed along each
    alpha: float = 1.0  # how much of d is to be tried, or was just taken
    low: float = 0.0  # an α that was too near
    high: float = 0.0  # one that was too far; 0 while there is none


def function_of(problem: Problem) -> Function:
    """f, with what is known of it."""
    return FUNCTIONS[problem.parameters.function]


@kept
def gradient(problem: Problem, state: LbfgsState) -> Array:
    """(2,) g = ∇f(x)."""
    return function_of(problem).gradient(state.x)


@kept
def learned(problem: Problem, state: LbfgsState) -> Array:
    """(2, 2) B."""
    return curvature(state.S, state.Y, 2)


def value(problem: Problem, state: LbfgsState) -> float:
    return float(function_of(problem).value(state.x))


def slope(problem: Problem, state: LbfgsState) -> float:
    return float(np.linalg.norm(gradient(problem, state)))


def excess(problem: Problem, state: LbfgsState) -> float:
    """f(x) - f*, 0 also where rounding leaves less; NaN where f falls without end."""
    lowest = function_of(problem).lowest
    return np.nan if lowest is None else max(value(problem, state) - lowest, 0.0)


def distance(problem: Problem, state: LbfgsState) -> float:
    """From x to the minimum next to it; NaN where there is none."""
    nearest = function_of(problem).nearest_minimum(state.x)
    return np.nan if nearest is None else float(np.linalg.norm(state.x - nearest))


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
