"""What is measured of coefficients of the lasso, whichever way they are found: F, how far it is above F*, the zeros."""

import numpy as np

from algorithms.core import Array, Problem, State, kept
from algorithms.families.regression.shared import lasso as lassos
from algorithms.families.regression.shared.lasso import Lasso, Solution


class Coefficients(State, frozen=True, kw_only=True):
    """Coefficients, for which F is to be least."""

    w: Array  # (d,)


def f_of(problem: Problem) -> Lasso:
    """F with its λ, of the rows that coefficients are fitted to."""
    return problem.training.data.once(lassos.lasso, problem.parameters.ratio)


def best(problem: Problem) -> Solution:
    """w*, where F is least."""
    return problem.training.data.once(lassos.solution, problem.parameters.ratio)


@kept
def value(problem: Problem, state: Coefficients) -> float:
    return f_of(problem).value(state.w)


def excess(problem: Problem, state: Coefficients) -> float:
    """F(w) - F(w*), 0 where it is but rounding."""
    return lassos.known_excess(f_of(problem), best(problem), state.w)


def error(problem: Problem, state: Coefficients) -> float:
    return f_of(problem).of.error(state.w, problem.data)


def in_use(problem: Problem, state: Coefficients) -> float:
    return float(np.count_nonzero(state.w))


def in_use_at_best(problem: Problem, state: Coefficients) -> float:
    return float(np.count_nonzero(best(problem).w))


def largest_of_zeros(problem: Problem, state: Coefficients) -> float:
    """The largest |w_j| among those that are 0 in w*; 0 where there are none."""
    return float(np.abs(state.w[best(problem).w == 0]).max(initial=0.0))
