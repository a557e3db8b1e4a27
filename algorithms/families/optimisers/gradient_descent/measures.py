"""The state of gradient descent, and what is measured of it: the function, its slope, the next move."""

import numpy as np
from msgspec import field

from algorithms.core import Array, Problem
from algorithms.families.optimisers.gradient_descent.momentum import recursion
from algorithms.families.optimisers.shared.descent import Descent, function_of


class GradientDescentState(Descent, frozen=True, kw_only=True):  # and with it x
    u: Array = field(default_factory=lambda: np.zeros(2))  # (2,) the last move


def pull(problem: Problem, state: GradientDescentState) -> Array:
    """(2,) βu - η∇f(z), the next move."""
    chosen = problem.parameters
    z = state.x + chosen.momentum * state.u if chosen.nesterov else state.x
    return np.asarray(chosen.momentum * state.u - chosen.eta * function_of(problem).gradient(z))


def swing(problem: Problem, curvatures: Array) -> tuple[Array, Array]:
    """(2,) c and (2,) b: v·x' = c v·x - b v·x° along the direction of each curvature λ."""
    chosen = problem.parameters
    return recursion(curvatures, chosen.eta, chosen.momentum, chosen.nesterov)


def curvature_bound(problem: Problem) -> float:
    """L, where there is one."""
    L = function_of(problem).L
    assert L is not None
    return L
