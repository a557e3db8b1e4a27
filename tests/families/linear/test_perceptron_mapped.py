"""The perceptron on mapped rows: names by their second letter, XOR and a circle, which no line separates unmapped."""

import numpy as np
import pytest

from algorithms import Dataset, Timeline, find
from algorithms.core import Labels
from algorithms.data import badges, badges_raw, circle, xor
from algorithms.families.linear.perceptron.algorithm import most_mistakes, separation

PERCEPTRON = find("perceptron")
LETTERS = badges.with_(map="letters:2")
RAW = badges_raw.with_(map="letters:2")
XOR = xor.with_(map="products")
CIRCLE = circle.with_(map="quadratic", scale=True)


def test_badges_by_their_second_letter_reach_novikoffs_bound_in_every_order():
    """Eleven letters, each row one of them: R = 1, γ = 1/√11, and each letter is mistaken once: 11 <= 11."""
    data = LETTERS.load()
    assert data.d == 11
    orders = [np.arange(data.n), *(np.random.default_rng(seed).permutation(data.n) for seed in range(5))]
    for rows in orders:
        turned = Dataset(data.X[rows], np.asarray(data.y)[rows], classes=data.classes)
        last = list(PERCEPTRON(turned, bias=False))[-1]
        problem = PERCEPTRON.problem(turned, None, {"bias": False})
        assert separation(problem).longest == pytest.approx(1)
        assert separation(problem).margin == pytest.approx(11**-0.5)
        assert most_mistakes(problem) == pytest.approx(11)
        assert last.mistakes == 11
        (bound, proof) = PERCEPTRON.theorems[:2]
        assert bound.verdict(problem, None, last).status == "holds"
        assert proof.verdict(problem, None, last).status == "holds"


def test_with_a_bias_the_bound_on_badges_is_not_reached():
    run = Timeline(PERCEPTRON, LETTERS).run()
    assert run.at(run.last).state.mistakes == 16
    assert most_mistakes(run.problem) == pytest.approx(21.83, abs=0.01)


def test_the_names_are_listed_and_the_one_in_hand_is_written_on_the_stage():
    run = Timeline(PERCEPTRON, LETTERS, {"bias": False}).run()
    frame = run.at(12)
    panels = {p.title: p for p in PERCEPTRON.scene(run.problem, frame.before, frame.state).panels}
    table = panels["names"].marks[0]
    assert table.columns == ("name", "badge", "y w·x")
    assert table.rows[11] == ("Andrey Burago", "-", 1.0)
    assert table.marked == (11,)
    (label,) = [m for m in panels["the boundary w·x = 0"].marks if isinstance(m, Labels)]
    assert label.texts == (" Andrey Burago",)
    assert np.array_equal(label.at[0], run.data.X[11])


def test_the_names_to_predict_are_told_but_for_letters_that_no_known_name_has():
    run = Timeline(PERCEPTRON, RAW, {"bias": False}).run()
    assert run.data.n == 36
    frame = run.at(run.last)
    panels = {p.title: p for p in PERCEPTRON.scene(run.problem, frame.before, frame.state).panels}
    rows = panels["names to predict"].marks[0].rows
    assert len(rows) == 10
    assert [truth for *_, truth in rows] == list("+-+-+--++-")
    unknown = [(name, score, said) for name, score, said, truth in rows if said != truth]
    assert unknown == [("Attilio Giordana", 0.0, "cannot say"), ("J. R. Quinlan", 0.0, "cannot say")]
    first = PERCEPTRON.scene(run.problem, None, run.at(0).state)
    (table,) = [p.marks[0] for p in first.panels if p.title == "names to predict"]
    assert {said for _, _, said, _ in table.rows} == {"cannot say"}


@pytest.mark.parametrize("recipe", [XOR, CIRCLE], ids=lambda r: r.name)
def test_what_no_line_separates_is_separated_by_the_map_and_the_title_says_so(recipe):
    assert recipe in PERCEPTRON.datasets
    bare = PERCEPTRON.problem(recipe.with_(map="").load())
    assert separation(bare).impossible
    run = Timeline(PERCEPTRON, recipe).run()
    assert run.stopped.reason == "a whole pass without a mistake"
    assert run.last < 500
    frame = run.at(run.last)
    assert PERCEPTRON.scene(run.problem, frame.before, frame.state).panels[0].title == "the boundary w·φ(x) = 0"
