"""Tests of why a run ended that many algorithms share: as many as a parameter allows, all rows, within a tolerance."""

from collections.abc import Callable
from typing import Any

from algorithms.core import Problem, Sides
from algorithms.core.ends import Ending


def reached(parameter: str, count: str = "iteration", *phases: str) -> Ending:
    """Claim that as many are counted as a parameter allows, and that the last of them is whole: in one of `phases`."""

    def claim(problem: Problem, state: Any) -> bool | Sides:
        if phases and state.phase not in phases:
            return False
        return Sides((parameter, getattr(problem.parameters, parameter)), (f"{count} made", getattr(state, count)))

    return claim


def last_pass(parameter: str, of_pass: Callable[[Problem, Any], int]) -> Ending:
    """Claim that the last pass a parameter allows is over: `of_pass` counts the rows that it has visited.

    A fork that allows fewer may be beyond it, in the middle of another pass.
    """

    def claim(problem: Problem, state: Any) -> bool | Sides:
        most = getattr(problem.parameters, parameter)
        if state.iteration <= most and of_pass(problem, state) < problem.data.n:
            return False
        return Sides((parameter, most), ("pass", state.iteration))

    return claim


def all_rows(count: Callable[[Any], float]) -> Ending:
    """Claim that every row was taken in, once."""
    return lambda problem, state: Sides(("rows taken in", count(state)), ("n", problem.data.n), relation="==")
