"""Logistic regression on the same rows, which least squares is compared with."""

from typing import Any

from algorithms.core import Array, Mark, Problem, once
from algorithms.toolbox.logistic import maximum
from algorithms.toolbox.panels.linear import compared


@once
def logistic(problem: Problem) -> Array:
    """(d + 1,) of two classes, the weights of logistic regression on all rows with the penalty ½‖w‖²."""
    return problem.data.once(maximum, 1.0, True).w


def compared_with(problem: Problem, state: Any) -> tuple[Mark, ...]:
    """The boundary of logistic regression, between two classes."""
    return compared(logistic(problem), True, "logistic regression") if len(state.W) == 2 else ()
