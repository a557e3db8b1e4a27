"""The state of gradient descent, and what is measured of it: the function, its slope, the next move."""

import numpy as np
from msgspec import field

from algorithms.core import Array, Problem, State, kept
from algorithms.families.optimisers.gradient_descent.momentum import recursion
from algorithms.toolbox.functions import FUNCTIONS, Function


class GradientDescentState(State, frozen=True, kw_only=True):
    x: Array  # (2,)
    u: Array = field(default_factory=lambda: np.zeros(2))  # (2,) the last move


def function_of(problem: Problem) -> Function:
    """f, with what is known of it."""
    return FUNCTIONS[problem.parameters.function]


@kept
def gradient(problem: Problem, state: GradientDescentState) -> Array:
    """(2,) ∇f(x)."""
    return function_of(problem).gradient(state.x)


def pull(problem: Problem, state: GradientDescentState) -> Array:
    """(2,) βu - η∇f(z), the next move."""
    chosen = problem.parameters
    z = state.x + chosen.momentum * state.u if chosen.nesterov else state.x
    return np.asarray(chosen.momentum * state.u - chosen.eta * function_of(problem).gradient(z))


def swing(problem: Problem, curvatures: Array) -> tuple[Array, Array]:
    """(2,) c and (2,) b: v·x' = c v·x - b v·x° along the direction of each curvature λ."""
    chosen = problem.parameters
    return recursion(curvatures, chosen.eta, chosen.momentum, chosen.nesterov)


def value(problem: Problem, state: GradientDescentState) -> float:
    return float(function_of(problem).value(state.x))


def slope(problem: Problem, state: GradientDescentState) -> float:
    return float(np.linalg.norm(gradient(problem, state)))


def excess(problem: Problem, state: GradientDescentState) -> float:
    """f(x) - f*; NaN where f falls without end."""
    lowest = function_of(problem).lowest
    return np.nan if lowest is None else value(problem, state) - lowest


def distance(problem: Problem, state: GradientDescentState) -> float:
    """From x to the minimum next to it; NaN where there is none."""
    nearest = function_of(problem).nearest_minimum(state.x)
    return np.nan if nearest is None else float(np.linalg.norm(state.x - nearest))


def curvature_bound(problem: Problem) -> float:
    """L, where there is one."""
    L = function_of(problem).L
    assert L is not None
    return L
