"""The page of a theorem: what stands on it at a step, when it is silent, and after a fork."""

import numpy as np
import pytest

from algorithms import Dataset, Timeline, find
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
