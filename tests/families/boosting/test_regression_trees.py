"""Trees of gradient boosting: greedy, and what a question that lowers nothing is good for."""

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingRegressor

from algorithms import Timeline
from algorithms.core import Dataset
from algorithms.families.boosting.gradient_boosting.regression_trees import fitted, rows_in_order

EXCLUSIVE_OR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 2)
TARGETS = np.array([0.3, 1.7, 1.7, 0.3] * 2)


def run_of(X, depth):
    return Timeline("gradient_boosting", Dataset(X, TARGETS, kind="number"), {"depth": depth, "rounds": 3}).run()


def test_an_exclusive_or_is_found_as_scikit_learn_finds_it():
    """No first question lowers Σ r²; either of the two, and the other below it, leaves nothing."""
    theirs = GradientBoostingRegressor(max_depth=2, learning_rate=1.0, n_estimators=1, random_state=0)
    run = run_of(EXCLUSIVE_OR, 2)
    assert run.at(3).state.f == pytest.approx(theirs.fit(EXCLUSIVE_OR, TARGETS).predict(EXCLUSIVE_OR))
    assert run.at(3).state.f == pytest.approx(TARGETS)
    assert run.stopped.reason == "f is y on every row: no residual is left"
    assert not run.failures


def test_a_tree_is_greedy_and_need_not_be_the_best_of_its_depth():
    """The third feature alone lowers Σ r², and is asked first; the first and then the second would leave nothing."""
    run = run_of(np.column_stack([EXCLUSIVE_OR, [0, 1, 1, 0, 0, 0, 1, 1]]), 2)
    state = run.at(2).state
    assert state.trees[0].feature[0] == 2
    assert ((state.residual - state.trees[0](run.data.X)) ** 2).sum() == pytest.approx(1.96)
    assert "greedy" in run.algorithm.rule
    assert not run.failures


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_it_ends_where_no_question_of_the_greedy_tree_lowers_anything(depth):
    """A feature of no use comes first, so that the exclusive or of the others is found at a depth of three."""
    X = np.column_stack([np.repeat([0.0, 1.0], 4), EXCLUSIVE_OR])
    run = run_of(X, depth)
    tells = depth == 3
    none = "no question of the greedy tree tells the residuals apart"
    assert run.stopped.reason == ("f is y on every row: no residual is left" if tells else none)
    assert not run.stopped.untrue
    tree = fitted(X, rows_in_order(run.data), TARGETS, depth)
    assert (tree.threshold[0] < np.inf) == tells
    if not tells:
        assert tree(X) == pytest.approx(TARGETS.mean())


def test_below_a_question_that_tells_something_an_exclusive_or_is_found_too():
    """Half the rows are an exclusive or, the others are 5: the first feature tells these halves apart."""
    X = np.column_stack([np.repeat([0.0, 1.0], 8), np.tile(EXCLUSIVE_OR, (2, 1))])
    r = np.concatenate([TARGETS, np.full(8, 5.0)])
    tree = fitted(X, rows_in_order(Dataset(X, r, kind="number")), r, 3)
    assert tree(X) == pytest.approx(r)
    assert tree.threshold[2] == np.inf  # nothing is asked where all numbers are the same
