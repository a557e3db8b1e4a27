"""The page of a theorem: what stands on it at a step, when it is silent, and after a fork."""

import numpy as np
import pytest

from algorithms import Dataset, Timeline, datasets, find
from algorithms.core import Sides
from algorithms.playback.theorems.page import theorem_page

LINE = Dataset([[1.0, 2.0], [2.0, 1.0], [-1.0, -2.0], [-2.0, -1.0]], [1, 1, 0, 0], classes=("-", "+"))
TIED = Dataset([[0.0, 1.0], [0.0, -1.0], [-1.0, 0.5]], [1, 1, 0], classes=("-", "+"))


def run_of(data: Dataset, **parameters: object) -> Timeline:
    return Timeline(find("perceptron"), data, parameters).run()


def test_it_has_the_letters_with_their_numbers_and_what_is_left_between_the_sides() -> None:
    run = run_of(LINE, eta=0.5)
    page = theorem_page(run, run.at(1), 1)
    assert (page.number, page.count, page.verdict.status, page.failed) == (2, 7, "holds", None)
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
    letters = {symbol.letter: symbol.occurs for symbol in theorem_page(run, run.at(1), 3).symbols}
    assert letters == {
        "w": True,
        "x, y": True,
        "η": False,
        "m": False,
        "w*": False,
        "γ": False,
        "R": False,
        "margin": True,
    }


def test_a_greek_letter_is_a_factor_of_what_it_stands_before() -> None:
    run = Timeline(find("softmax_regression"), datasets.load("iris"))
    run.advance(2)
    statements = [theorem.statement for theorem in run.algorithm.theorems]
    (i,) = [i for i, statement in enumerate(statements) if "ηL" in statement or "λw" in statement][:1]
    letters = {symbol.letter: symbol.occurs for symbol in theorem_page(run, run.at(1), i).symbols}
    assert letters["η"] or letters["λ"]


@pytest.mark.parametrize(
    ("algorithm", "statement", "letters"),
    [
        ("least_squares", "ŷ = XX⁺y", ("X, x", "X⁺")),  # factors of a product
        ("logistic_newton", "squares the error", ("R, r",)),  # in the meaning of H, and in the words of the first step
        ("gradient_boosting", "never rises", ("f", "c")),  # c in the meaning of f, which is in the meaning of a loss
    ],
)
def test_letters_of_products_and_of_meanings_of_meanings_occur(
    algorithm: str, statement: str, letters: tuple[str, ...]
) -> None:
    run = Timeline(find(algorithm), find(algorithm).datasets[0].load())
    run.advance(1)
    index = next(i for i, t in enumerate(run.algorithm.theorems) if statement in t.statement)
    occur = {symbol.letter for symbol in theorem_page(run, run.at(0), index).symbols if symbol.occurs}
    assert occur >= {*letters}
    assert len(occur) < len(run.algorithm.symbols), "a letter that is nowhere does not"


def test_letters_of_what_is_said_of_the_step_occur() -> None:
    run = Timeline(find("lasso_irls"), find("lasso_irls").datasets[0].load())
    run.advance(3)
    occurs = [{s.letter: s.occurs for s in theorem_page(run, run.at(t), 0).symbols}["v"] for t in (0, 2)]
    assert occurs == [False, True], "the first solve says how many v a coefficient is"


def test_the_sides_of_a_statement_about_every_entry_are_not_joined_but_what_is_left_is() -> None:
    run = Timeline(find("kernel_logistic"), datasets.moons.with_(n=40, hold_out=0).load(), {"steps": 30}).run()
    index = [t.statement for t in run.algorithm.theorems].index(
        next(t.statement for t in run.algorithm.theorems if "Kα" in t.statement)
    )
    page = theorem_page(run, run.at(8), index)
    sides, so_far = page.verdict.sides, page.so_far
    assert sides is not None
    assert so_far is not None
    assert sides.shape == (40,)
    assert sides.entry.startswith("row "), "an entry is named by what it counts"
    assert sides.names[0] == f"Kα ({sides.entry})"
    assert so_far.each
    assert so_far.names == ("|Kα - Σ α k(xᵢ, x)|",)
    here = so_far.t.tolist().index(8)
    assert abs(sides.values[1] - sides.values[0]) < sides.tolerance
    assert so_far.values[here, 0] == 0, "what rounding does is no difference"
    assert page.sides_at is not None
    assert page.sides_at(8, 1.0) == (0.0,)


def test_what_is_left_of_a_bound_on_every_entry_is_that_of_the_entry_nearest_to_failing() -> None:
    run = Timeline(find("lloyd"), datasets.recipe("faithful").load(), {"k": 3}).run()
    index = next(i for i, t in enumerate(run.algorithm.theorems) if "nearer" in t.statement)
    page = theorem_page(run, run.at(1), index)
    sides, so_far = page.verdict.sides, page.so_far
    assert sides is not None
    assert sides.entry.startswith("row ")
    assert so_far is not None
    assert so_far.values[so_far.t.tolist().index(1), 0] == sides.values[1] - sides.values[0]


def test_an_entry_is_named_by_its_axes() -> None:
    values = np.array([[0.0, 0.5], [0.0, 0.0]])
    assert Sides.each(("a", values), ("0", 0.0), relation="==").names == ("a (0,1)", "0")
    rows = Sides.each(("a", values), ("0", 0.0), relation="==", axes=("row", ""))
    assert (rows.names, rows.plain_names, rows.shape) == (("a (row 0, 1)", "0"), ("a", "0"), (2, 2))
    assert Sides(("a (0)", 1.0), ("b", 1.0)).plain_names == ("a (0)", "b")


def test_of_a_theorem_that_compares_two_states_the_letters_have_their_values_in_both() -> None:
    run = Timeline(find("dual_coordinate_descent"), datasets.moons.with_(n=40).load())
    run.advance(8)
    index = next(i for i, t in enumerate(run.algorithm.theorems) if t.about == "step" and "D" in t.statement)
    page = theorem_page(run, run.at(6), index)
    frame, (_, measure) = run.at(6), run.algorithm.symbols["D"]
    assert measure is not None
    assert frame.before is not None
    (letter,) = [symbol for symbol in page.symbols if symbol.letter == "D"]
    assert letter.before == measure(run.problem, frame.before)
    assert letter.value == measure(run.problem, frame.state)
    assert letter.before != letter.value
    of_one = theorem_page(run, run.at(6), next(i for i, t in enumerate(run.algorithm.theorems) if t.about != "step"))
    assert all(symbol.before is None for symbol in of_one.symbols)


def test_the_mean_that_is_sought_is_not_the_posteriors() -> None:
    run = Timeline(find("gaussian_mean"), find("gaussian_mean").datasets[0].load()).run()
    page = theorem_page(run, run.at(3), 0)
    letters = {symbol.letter: symbol.value for symbol in page.symbols}
    truth = float(run.curve("truth")[1][0]) if len(run.curve("truth")[1]) else None
    assert letters["μ"] == truth
    assert letters["μ"] != letters["m"]
