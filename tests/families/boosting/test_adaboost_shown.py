"""What AdaBoost says and shows: sentences with their numbers, the stage, margins and tables."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from algorithms.core import Dataset, Hyperplane, Region
from algorithms.data import breast_cancer, moons, penguins, wine
from algorithms.families.boosting.adaboost.algorithm import (
    vote_weight,
)
from algorithms.families.boosting.adaboost.pictures import half_log
from tests.examples import examples
from tests.families.boosting.runs import ADABOOST, states_of

FOUR = Dataset([[1.0], [2.0], [3.0], [4.0]], [1, 1, 0, 1], classes=("-", "+"), features=("x",))


def test_the_sentences_have_the_numbers_of_the_step():
    problem = ADABOOST.problem(FOUR, None, {"rounds": 1})
    states = list(ADABOOST.start(problem))
    said = [ADABOOST.explain(problem, b, a) for b, a in zip([None, *states], states)]
    assert said[0] == "Each of the 4 rows weighs 1/4. There is no vote yet, so none is right."
    assert said[1].startswith("Stump 1 says - where x > 2.5, else +. It is wrong on 1 row with 0.25 of the weight")
    assert "z = 1 - 2 ε = 0.5" in said[2]
    assert "The vote is wrong on 1 of 4 rows." in said[2]
    assert "Row 3 (x 4) is the heaviest, 2 times its share." in said[3]


def test_margins_are_counted_in_bins_and_a_tie_is_with_the_wrong_ones():
    problem = ADABOOST.problem(FOUR, None, {"rounds": 1})
    states = list(ADABOOST.start(problem))
    bars = [ADABOOST.scene(problem, None, s).panels[1].marks[0] for s in states]
    assert bars[0].heights[9] == 4  # no vote yet: all at 0
    assert bars[2].heights[[0, 19]].tolist() == [1, 3]
    assert [tone == "wrong" for tone in bars[0].tones] == [True] * 10 + [False] * 10
    assert all(b.heights.sum() == 4 for b in bars)


def test_the_stage_shows_weights_errors_and_the_vote():
    data = moons.load()
    problem = ADABOOST.problem(data, None, {"rounds": 3})
    states = list(ADABOOST.start(problem))
    stage, _, table = ADABOOST.scene(problem, states[-2], states[-1]).panels
    region, line, rows = stage.marks
    assert rows.weights.max() <= 1.0
    assert rows.crossed.sum() == (data.signs * states[-1].votes <= 0).sum()
    np.testing.assert_allclose(region.score(data.X), states[-1].votes / states[-1].alphas.sum(), atol=1e-12)
    assert line.normal[states[-1].features[-1]] == 1.0
    assert line.offset == -states[-1].thresholds[-1]
    assert [row[0] for row in table.marks[0].rows] == [3, 2, 1]
    first = ADABOOST.scene(problem, None, states[0]).panels[0].marks
    assert len(first) == 1
    assert (first[0].weights == 0.25).all()


def test_thresholds_are_shown_in_the_units_of_the_data():
    plain, scaled = penguins.with_(positive="Gentoo"), penguins.with_(positive="Gentoo", scale=True)
    tables = []
    for recipe in (plain, scaled):
        problem = ADABOOST.problem(recipe.load(), None, {"rounds": 2})
        tables.append(ADABOOST.scene(problem, None, list(ADABOOST.start(problem))[-1]).panels[2].marks[0].rows)
    assert [row[:3] for row in tables[0]] == [(a, b, pytest.approx(c)) for a, b, c, *_ in tables[1]]
    assert [row[-1] for row in tables[0]] == [row[-1] for row in tables[1]]


@settings(max_examples=examples(200), deadline=None)
@given(st.floats(1e-12, 0.5 - 1e-9))
def test_what_is_said_of_alpha_is_true_on_a_calculator(error):
    said = half_log(error, vote_weight(error))
    fraction, alpha = said.removeprefix("½ ln(").split(") = ")
    right, wrong = map(float, fraction.split(" / "))
    assert f"{np.log(right / wrong) / 2:.3g}" == alpha


def test_the_logarithm_has_as_many_digits_as_it_takes():
    assert half_log(0.2925, vote_weight(0.2925)) == "½ ln(1.415 / 0.585) = 0.442"


def test_of_many_features_the_two_that_its_stumps_ask_about_are_shown():
    data = breast_cancer.with_(scale=True).load()
    problem = ADABOOST.problem(data)
    last = states_of(data, rounds=8)[-1]
    shown = ADABOOST.scene(problem, None, last).panels[0].features
    assert last.features[0] in shown
    assert set(shown) <= set(last.features.tolist())


def test_whom_rows_are_wrong_for_is_said_where_two_are_shown():
    problem = ADABOOST.problem(moons.load(), None, {"rounds": 2})
    states = list(ADABOOST.start(problem))
    notes = {s.phase: ADABOOST.scene(problem, b, s).panels[0].note for b, s in zip([None, *states], states)}
    vote, yellow = "hollow: the vote is wrong", "yellow: the"
    assert notes["start"] == ""
    assert notes["find"] == f"{yellow} stump is wrong, {vote}"
    assert notes["weigh"] in (vote, f"{yellow} vote turned, {vote}")
    assert notes["reweight"] == f"{yellow} heaviest, {vote}"
    many = ADABOOST.problem(wine.with_(positive="cultivar_2").load(), None, {"rounds": 1})
    assert ADABOOST.scene(many, None, list(ADABOOST.start(many))[1]).panels[0].note == ""  # a slice says how true it is


def test_a_vote_of_one_stump_is_bordered_by_that_stump_alone():
    problem = ADABOOST.problem(FOUR, None, {"rounds": 2})
    drawn = {}
    for state in ADABOOST.start(problem):
        marks = ADABOOST.scene(problem, None, state).panels[0].marks
        tint, lines = [m for m in marks if isinstance(m, Region)], [m for m in marks if isinstance(m, Hyperplane)]
        drawn.setdefault(
            (len(state.alphas), len(state.errors)), [t.lines for t in tint] + [line.name for line in lines]
        )
    assert drawn[1, 1] == [(), "the vote, one stump"]
    assert drawn[1, 2] == [(0.0,), "the newest stump"]
