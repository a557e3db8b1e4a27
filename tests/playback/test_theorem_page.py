"""The page of a theorem: what stands on it at a step, when it is silent, and after a fork."""

import numpy as np
import pytest

from algorithms import Dataset, Timeline, datasets, find
from algorithms.playback.theorem_page import theorem_page

LINE = Dataset([[1.0, 2.0], [2.0, 1.0], [-1.0, -2.0], [-2.0, -1.0]], [1, 1, 0, 0], classes=("-", "+"))
TIED = Dataset([[0.0, 1.0], [0.0, -1.0], [-1.0, 0.5]], [1, 1, 0], classes=("-", "+"))


def run_of(data: Dataset, **parameters: object) -> Timeline:
    return Timeline(find("perceptron"), data, parameters).run()


def test_it_has_the_letters_with_their_numbers_and_what_is_left_between_the_sides() -> None:
    run = run_of(LINE, eta=0.5)
    page = theorem_page(run, run.at(1), 1)
    assert (page.number, page.count, page.verdict.status, page.failed) == (2, 6, "holds", None)
    letters = {symbol.letter: symbol.value for symbol in page.symbols}
    assert letters["η"] == 0.5
    assert letters["m"] == 1
    assert letters["R"] == pytest.approx(np.sqrt(6))
    assert letters["w"] is None
    assert page.verdict.sides is not None
    values = page.verdict.sides.values
    assert [left for left, _ in page.links] == pytest.approx([b - a for a, b in zip(values, values[1:])])
    assert all(0 < forgiven < 1e-6 for _, forgiven in page.links)


def test_it_says_which_hypothesis_is_not_met() -> None:
    run = run_of(TIED, bias=False, epochs=2)
    page = theorem_page(run, run.at(2), 0)
    (unchanged, separable) = page.hypotheses
    assert unchanged.met is True
    assert separable.met is False
    assert "cannot be separated" in separable.why
    assert page.links == ()
    assert {symbol.letter: symbol.value for symbol in page.symbols}["γ"] is None


def test_after_a_fork_what_speaks_of_the_whole_run_says_that_it_was_changed() -> None:
    fork = run_of(LINE).fork(1, eta=0.1).run()
    page = theorem_page(fork, fork.at(fork.last), 0)
    assert page.hypotheses[0].words == "no fork and no edit came between"
    assert page.hypotheses[0].met is False
    assert page.verdict.status == "does not apply"


def test_a_theorem_of_some_phases_names_them() -> None:
    run = run_of(LINE)
    page = theorem_page(run, run.at(0), 4)
    assert [(h.words, h.met) for h in page.hypotheses] == [
        ("there is a step before", False),
        ("the step is of the phase mistake", False),
    ]


def test_it_has_the_sides_over_the_run_and_along_the_variable_of_its_own() -> None:
    run = run_of(LINE, eta=0.5)
    so_far = theorem_page(run, run.at(1), 1).so_far
    assert so_far is not None
    assert so_far.names == ("η m γ", "w·w*", "‖w‖", "√m η R")
    assert so_far.t.tolist() == list(range(len(run)))
    for t in so_far.t.tolist():
        sides = run.verdicts(run.at(t))[1].sides
        assert sides is not None
        assert so_far.values[t].tolist() == list(sides.values)
    assert so_far.gaps == pytest.approx(np.diff(so_far.values, axis=1))
    assert [along.name for along in so_far.along] == ["m"] * 4
    mistakes = [run.at(t).state.mistakes for t in range(len(run))]  # type: ignore[attr-defined]
    assert so_far.along[0].x.tolist() == mistakes
    assert [gap.values.tolist() for gap in so_far.gaps_along()] == so_far.gaps.T.tolist()


def test_a_theorem_without_a_curve_of_its_variable_is_not_along_it() -> None:
    run = run_of(LINE)
    assert theorem_page(run, run.at(1), 3).so_far.along == ()  # type: ignore[union-attr]


def test_a_silent_theorem_says_what_it_said_last() -> None:
    run = Timeline(find("lloyd"), datasets.load("faithful"), {}).run()
    page = theorem_page(run, run.at(5), 3)  # of updates, which are at 2, 4, 6, ...
    assert page.verdict.sides is None
    assert page.spoken is not None
    assert page.spoken.t == 4
    assert page.spoken.verdict.sides is not None
    then = run.verdicts(run.at(4))[3].sides
    assert then is not None
    assert page.spoken.verdict.sides.values == then.values
    assert theorem_page(run, run.at(1), 3).spoken is None
    assert theorem_page(run, run.at(4), 3).spoken is None  # it speaks


def test_the_step_at_which_it_last_spoke_is_found_between_the_measured_ones() -> None:
    run = Timeline(find("perceptron"), datasets.load("xor"), {"epochs": 60}).run()
    corrections = [t for t in range(len(run)) if run.kind(t).phase == "mistake"]
    measured = set(run.theorem_series(4)[0].tolist())
    t = next(a for a, b in zip(corrections, corrections[1:]) if a not in measured and b > a + 1)
    page = theorem_page(run, run.at(t + 1), 4)
    assert page.spoken is not None
    assert page.spoken.t == t


def test_equal_sides_are_apart_by_a_size() -> None:
    run = Timeline(find("lloyd"), datasets.load("faithful"), {}).run()
    so_far = theorem_page(run, run.at(4), 3).so_far
    assert so_far is not None
    assert so_far.equal
    assert (so_far.gaps >= 0).all()


def test_letters_that_the_theorem_has_not_are_told_apart() -> None:
    run = run_of(LINE)
    letters = {symbol.letter: symbol.occurs for symbol in theorem_page(run, run.at(1), 0).symbols}
    assert letters == {"w": True, "x, y": False, "η": True, "m": True, "w*": False, "γ": True, "R": True}
