"""AdaBoost with stumps that are drawn at random: edges of either sign, and the bounds all the same."""

import pickle

import numpy as np
import pytest

from algorithms import Timeline
from algorithms.core import Dataset
from algorithms.core.state import same
from algorithms.data import davis, moons
from algorithms.families.boosting.adaboost import algorithm as module
from algorithms.families.boosting.adaboost.algorithm import error as training_error, signed_weight, weighted_error
from algorithms.families.boosting.adaboost.rounds import drawn_stump
from algorithms.families.boosting.shared.stumps import Stump, presorted
from tests.families.boosting.runs import ADABOOST, noisy, states_of

BEST = next(theorem for theorem in ADABOOST.theorems if theorem.statement == "no feature has a better stump")


@pytest.mark.parametrize("recipe", [*ADABOOST.datasets, davis], ids=lambda r: r.name)
def test_of_stumps_drawn_at_random_the_theorems_hold_too(recipe):
    run = Timeline(ADABOOST, recipe, {"learner": "random", "rounds": 20}).run()
    last = run.at(run.last).state
    assert not run.failures
    assert not run.troubles
    assert (last.errors > 0.5).any()
    assert (last.alphas < 0).tolist() == (last.errors > 0.5).tolist()
    assert BEST.verdict(run.problem, None, run.at(1).state).why == "the stump is drawn, not chosen"


def test_a_stump_and_its_opposite_come_to_the_same_vote(monkeypatch):
    data = noisy(60, 2)
    drawn = states_of(data, learner="random", rounds=12)[-1]
    monkeypatch.setattr(module, "drawn_stump", lambda *given: opposite(drawn_stump(*given)))
    other = states_of(data, learner="random", rounds=12)[-1]
    assert other.alphas == pytest.approx(-drawn.alphas, abs=1e-12)
    assert other.votes == pytest.approx(drawn.votes, abs=1e-12)


def opposite(stump):
    return Stump(stump.feature, stump.threshold, -stump.below, -stump.above)


def test_every_cut_of_every_feature_that_has_one_is_drawn():
    X = np.column_stack([[1.0, 2.0, 3.0], [5.0, 5.0, 5.0], [0.0, 0.0, 7.0]])
    drawn = {drawn_stump(X, presorted(X), 0, number) for number in range(1, 200)}
    assert {(stump.feature, stump.threshold) for stump in drawn} == {(0, 1.5), (0, 2.5), (2, 3.5)}
    assert {(stump.below, stump.above) for stump in drawn} == {(-1.0, 1.0), (1.0, -1.0)}
    assert drawn_stump(X, presorted(X), 3, 7) == drawn_stump(X, presorted(X), 3, 7)


def test_a_drawn_stump_that_is_wrong_on_every_row_counts_as_its_opposite_and_ends_the_run():
    data = Dataset([[1.0], [2.0]], [0, 1], classes=("-", "+"))
    ended = {}
    for seed in range(20):
        run = Timeline(ADABOOST, data, {"learner": "random", "seed": seed}).run()
        last = run.at(run.last).state
        ended[float(last.alphas[-1])] = run.stopped.reason
        assert training_error(run.problem, last) == 0.0
        assert not run.failures
        assert "infinit" in ADABOOST.explain(run.problem, None, last)
    assert set(ended) == {1.0, -1.0}
    assert ended[-1.0] == "a stump is wrong on every row: z = -1, and no row is left to learn from"


def test_of_a_stump_right_on_almost_no_weight_no_digits_are_lost():
    """Three rows hold all but 1e-13 of the weight, and the stump is right on the fourth alone."""
    weights, y = np.array([0.5, 0.25, 0.25 - 1e-13, 1e-13]), np.array([1.0, -1.0, 1.0, -1.0])
    says = np.array([-1.0, 1.0, -1.0, -1.0])
    error, other = weighted_error(weights, y, says), weighted_error(weights, y, -says)
    assert other == 1e-13
    assert signed_weight(weights, y, says, error) == pytest.approx(0.5 * np.log(1e-13), rel=1e-12)
    nothing_left = np.array([0.5, 0.25, 0.25, 1e-30])
    assert weighted_error(nothing_left, y, says) < 1.0
    assert weighted_error(nothing_left, y, -y) == 1.0


@pytest.mark.parametrize("learner", ["best", "random"])
def test_a_fork_to_the_other_learner_is_sound(learner):
    run = Timeline(ADABOOST, moons, {"rounds": 20, "learner": learner}).run()
    fork = run.fork(run.nearest_entry(30), learner="best" if learner == "random" else "random").run()
    assert not fork.failures
    assert not fork.troubles


def test_it_goes_on_from_any_state_bit_for_bit():
    states = states_of(noisy(60, 2), learner="random", rounds=8, seed=5)
    for i, state in enumerate(states):
        again = states_of(noisy(60, 2), state=pickle.loads(pickle.dumps(state)), learner="random", rounds=8, seed=5)
        assert all(same(a, b) for a, b in zip(again, states[i + 1 :], strict=True))
