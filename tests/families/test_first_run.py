"""What an algorithm opens with shows its point."""

from typing import Any

import numpy as np
import pytest

from algorithms import find
from algorithms.core import Bars, Panel, Problem, Segments


def opening(name: str) -> tuple[Problem, list[Any]]:
    algorithm = find(name)
    problem = algorithm.problem(algorithm.datasets[0].load())
    return problem, list(algorithm.start(problem))


def curve(name: str, called: str, problem: Problem, state: Any) -> float:
    return next(float(c.measure(problem, state)) for c in find(name).curves if c.name == called)


def main_panel(name: str, problem: Problem, before: Any, after: Any) -> Panel:
    return find(name).scene(problem, before, after).panels[0]


def test_one_against_one_learns_its_rows() -> None:
    problem, states = opening("one_vs_one")
    assert curve("one_vs_one", "training error", problem, states[-1]) < 0.1


def test_of_nearest_neighbours_several_are_chosen_and_err_less_often_on_rows_held_out() -> None:
    problem, states = opening("nearest_neighbours")
    one = next(state for state in states if state.phase == "next k" and state.k == 1)
    assert states[-1].k > 3
    for error in ("left-out error", "held-out error"):
        assert curve("nearest_neighbours", error, problem, states[-1]) < 0.9 * curve(
            "nearest_neighbours", error, problem, one
        )


def test_of_bias_and_variance_fresh_errors_lie_on_both_sides_of_what_they_come_to() -> None:
    problem, states = opening("bias_variance")
    end = states[-1]
    off = end.fresh.mean(axis=1) - (end.biases + end.variances + problem.data.truth["noise"] ** 2)
    assert 0 < (off < 0).sum() < len(off)
    assert np.abs(off).max() < 0.03


def test_of_reweighted_least_squares_a_coefficient_is_seen_to_shrink() -> None:
    problem, states = opening("lasso_irls")
    limits = {main_panel("lasso_irls", problem, before, after).limits for before, after in zip([None, *states], states)}
    assert len(limits) == 1


def test_of_surrogate_losses_only_the_row_that_is_spoken_of_has_a_line() -> None:
    problem, states = opening("surrogate_losses")
    stage = main_panel("surrogate_losses", problem, states[3], states[4])
    assert sum(len(mark.start) for mark in stage.marks if isinstance(mark, Segments)) == 1


@pytest.mark.parametrize("t", [1, 40, 84])
def test_of_naive_bayes_the_stage_is_what_is_counted(t: int) -> None:
    """The share of rows with a word, a bar a class and word."""
    problem, states = opening("naive_bayes")
    stage = main_panel("naive_bayes", problem, states[t - 1], states[t])
    bars = next(mark for mark in stage.marks if isinstance(mark, Bars))
    assert len(bars.heights) >= 2 * problem.data.d
