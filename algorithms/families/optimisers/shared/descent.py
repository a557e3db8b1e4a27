"""What is measured of a descent on the plane: f, its slope, how far it is above f* and from the minimum."""

import numpy as np

from algorithms.core import Array, Problem, State, kept
from algorithms.toolbox.functions import FUNCTIONS, Function, above_lowest


class Descent(State, frozen=True, kw_only=True):
    """A place on the plane, from which f is descended."""

    x: Array  # (2,)


def function_of(problem: Problem) -> Function:
    """f, with what is known of it."""
    return FUNCTIONS[problem.parameters.function]


@kept
def gradient(problem: Problem, state: Descent) -> Array:
    """(2,) ∇f(x)."""
    return function_of(problem).gradient(state.x)


def value(problem: Problem, state: Descent) -> float:
    return float(function_of(problem).value(state.x))


def slope(problem: Problem, state: Descent) -> float:
    return float(np.linalg.norm(gradient(problem, state)))


def excess(problem: Problem, state: Descent) -> float:
    return above_lowest(function_of(problem), state.x)


def distance(problem: Problem, state: Descent) -> float:
    """From x to the minimum next to it; NaN where there is none."""
    nearest = function_of(problem).nearest_minimum(state.x)
    return np.nan if nearest is None else float(np.linalg.norm(state.x - nearest))
