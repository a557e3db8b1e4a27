"""Least squares by successive orthogonalisation: by hand, against scikit-learn, and its theorems broken on purpose."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import LinearRegression, OrthogonalMatchingPursuit

from algorithms import Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, Problem, State, Theorem
from algorithms.core.state import same
from algorithms.data import correlated, davis, dependent, diabetes, prostate, three_rows
from algorithms.families.regression.least_squares import algorithm as file
from algorithms.families.regression.least_squares.algorithm import projected
from algorithms.families.regression.least_squares.projection import System

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_column_that_takes_less_than_another_is_noticed",
    "update": "test_a_projection_half_as_long_or_on_the_column_as_it_was_is_noticed",
}
PLANTED = {
    "a dependent column adds exactly nothing": "test_a_column_called_dependent_that_is_not_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "a dependent column adds exactly nothing": "no column of this data depends on the others",
}

LEAST = find("least_squares")
NEAREST, STANDS, PYTHAGORAS, FALLS, ANGLES, DEPENDENT, AS_MANY, SOLUTION, LIKELIEST, RAISES, TURN = LEAST.theorems
REAL = {"prostate": prostate, "diabetes": diabetes, "davis": davis.with_(target="weight", columns=("height",))}


def run_of(data: Dataset, **parameters: Any) -> tuple[Problem, list[Any]]:
    problem = LEAST.problem(data, None, parameters)
    return problem, list(LEAST.start(problem))


def status(theorem: Theorem, problem: Problem, before: State | None, after: State) -> str:
    return theorem.verdict(problem, before, after).status


# The algorithm


def test_three_rows_by_hand() -> None:
    """y = (2, 0, 4): its mean 2 takes 12 of 20; what is left of x is (-1, 0, 1), and takes 2."""
    _, states = run_of(three_rows.load())
    assert [s.phase for s in states] == ["start", "orthogonalise", "project", "orthogonalise", "project"]
    assert states[2].fitted == pytest.approx([2, 2, 2])
    assert states[3].part == pytest.approx([-1, 0, 1])
    assert states[4].fitted == pytest.approx([1, 2, 3])
    assert states[4].w == pytest.approx([1, 1])


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("order", ["given", "greatest fall"])
def test_scikit_learn_comes_to_the_same_weights(name: str, order: str) -> None:
    data = REAL[name].load()
    theirs = LinearRegression().fit(data.X, data.y)
    _, states = run_of(data, order=order)
    assert states[-1].w == pytest.approx(np.append(theirs.intercept_, theirs.coef_), rel=1e-8)
    without = LinearRegression(fit_intercept=False).fit(data.X, data.y)
    assert run_of(data, intercept=False)[1][-1].w == pytest.approx(without.coef_, rel=1e-8)


def test_after_every_column_it_is_least_squares_on_those_so_far() -> None:
    data = prostate.load()
    _, states = run_of(data)
    for k, state in enumerate(s for s in states if s.phase == "project"):
        if k:
            theirs = LinearRegression().fit(data.X[:, :k], data.y)
            assert state.w[: k + 1] == pytest.approx(np.append(theirs.intercept_, theirs.coef_), rel=1e-8)
            assert not state.w[k + 1 :].any()


def test_the_first_by_the_greatest_fall_is_that_of_matching_pursuit() -> None:
    data = diabetes.load()
    theirs = OrthogonalMatchingPursuit(n_nonzero_coefs=1).fit(data.X / data.X.std(axis=0), data.y)
    _, states = run_of(data, order="greatest fall")
    assert states[-1].seen[1] - 1 == np.flatnonzero(theirs.coef_)[0]
    falls = -np.diff([float(np.sum((data.y - s.fitted) ** 2)) for s in states if s.phase == "project"])
    assert falls[1] == max(falls[1:])


def test_a_dependent_column_adds_nothing_and_the_shortest_is_another() -> None:
    problem, states = run_of(dependent.load())
    assert [s.phase for s in states][-2:] == ["orthogonalise", "dependent"]
    assert states[-1].w == pytest.approx([0, 3, 4, 0], abs=1e-9)
    assert same(states[-1].fitted, states[-3].fitted)
    verdict = SOLUTION.verdict(problem, states[-2], states[-1])
    assert verdict.status == "does not apply"
    table = next(p for p in LEAST.scene(problem, None, states[-1]).panels if p.title == "columns")
    assert [row[-1] for row in table.marks[0].rows] == pytest.approx([0, 3 / 7, 1 / 7, 9 / 7], abs=1e-9)


@pytest.mark.parametrize("X", [np.zeros((4, 1)), np.ones((4, 2)), np.arange(8.0).reshape(4, 2) // 8])
def test_columns_without_anything_in_them_are_dependent(X: Any) -> None:
    run = Timeline(LEAST, Dataset(X, [1.0, 2.0, 4.0, 9.0], kind="number")).run()
    assert run.at(run.last).state.phase == "dependent"
    assert run.failures == []
    assert run.at(run.last).state.fitted == pytest.approx(4.0)


def test_more_columns_than_rows_fit_exactly_and_the_others_depend() -> None:
    rng = np.random.default_rng(0)
    _, states = run_of(Dataset(rng.standard_normal((4, 7)), rng.standard_normal(4), kind="number"))
    assert len(states[-1].used) == 4
    assert [s.phase for s in states].count("dependent") == 4


def test_log_l_is_that_of_the_normal_distribution() -> None:
    from scipy.stats import norm

    problem, states = run_of(prostate.load(), sigma=0.7)
    r = problem.data.y - states[-1].fitted
    curve = next(c for c in LEAST.curves if c.name == "log L")
    assert curve.value(problem, states[-1]) == pytest.approx(norm(scale=0.7).logpdf(r).sum())


# The theorems


@pytest.mark.parametrize("data", [*REAL.values(), three_rows, dependent, correlated, prostate.with_(map="quadratic")])
@pytest.mark.parametrize("order", ["given", "greatest fall"])
def test_every_theorem_holds_wherever_it_applies(data: Any, order: str) -> None:
    problem, states = run_of(data.load(), order=order)
    for before, after in zip([None, *states], states):
        for theorem in LEAST.theorems:
            assert status(theorem, problem, before, after) in ("holds", "does not apply", "undecided"), (
                theorem.statement
            )
    if order == "given" and data is not dependent:
        assert status(NEAREST, problem, states[-2], states[-1]) == "holds"


def test_a_column_that_takes_less_than_another_is_noticed() -> None:
    problem, states = run_of(diabetes.load(), order="greatest fall")
    X = System(problem.data, True).X
    chosen = states[3]
    second = next(j for j in range(1, 11) if j != chosen.seen[-1])
    wrong = replace(chosen, seen=(0, second), part=X[:, second] - X[:, second].mean())
    assert status(TURN, problem, states[2], chosen) == "holds"
    assert status(TURN, problem, states[2], wrong) == "fails"
    given, in_turn = run_of(diabetes.load())
    assert status(TURN, given, in_turn[2], wrong) == ("holds" if second == 1 else "fails")
    assert status(TURN, given, in_turn[2], replace(in_turn[3], seen=(0, 2))) == "fails"


def test_a_projection_half_as_long_or_on_the_column_as_it_was_is_noticed() -> None:
    problem, states = run_of(prostate.load())
    of = System(problem.data, True)
    before, right = states[3], states[4]
    half = replace(right, fitted=(before.fitted + right.fitted) / 2)
    skew = projected(of.X, of.y, replace(before, part=of.X[:, 1]))
    for wrong in (half, skew):
        for theorem in (NEAREST, STANDS, PYTHAGORAS):
            assert status(theorem, problem, before, right) == "holds"
            assert status(theorem, problem, before, wrong) == "fails", theorem.statement
    assert status(FALLS, problem, before, half) == "fails"
    assert status(RAISES, problem, before, right) == status(RAISES, problem, before, half) == "holds"
    up = replace(right, fitted=2 * before.fitted - right.fitted)  # the same step, away from y
    assert status(RAISES, problem, before, up) == "fails"
    assert status(SOLUTION, problem, before, replace(right, w=right.w * 1.01)) == "fails"
    assert status(LIKELIEST, problem, before, replace(right, w=right.w * 1.01)) == "fails"


def test_a_column_that_was_orthogonalised_against_the_last_alone_is_noticed() -> None:
    problem, states = run_of(prostate.load())
    X = System(problem.data, True).X
    q = states[4].directions[-1]
    wrong = replace(states[5], part=X[:, 2] - (q @ X[:, 2]) * q)
    assert status(ANGLES, problem, states[4], states[5]) == "holds"
    assert status(ANGLES, problem, states[4], wrong) == "fails"


def test_a_column_called_dependent_that_is_not_is_noticed() -> None:
    problem, states = run_of(prostate.load())
    wrong = states[3].after("dependent")
    assert status(DEPENDENT, problem, states[3], wrong) == "fails"
    assert status(NEAREST, problem, states[3], wrong) == "fails"
    other, good = run_of(dependent.load())
    assert status(DEPENDENT, other, good[-2], good[-1]) == "holds"


def test_a_dependent_column_that_is_used_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What rounding leaves of it is no direction, also where y is fitted exactly without it."""
    assert not Timeline(LEAST, dependent).run().failures
    monkeypatch.setattr(file, "depends", lambda left, column: False)
    run = Timeline(LEAST, dependent).run()
    assert AS_MANY.statement in {failure.verdict.theorem.statement for failure in run.failures}


# Forks and edits


@pytest.mark.parametrize("edit", [Move(0, (70.0,)), Label(0, 300.0), Remove(5)])
def test_after_an_edit_the_same_columns_are_used_on_the_rows_of_now(edit: Any) -> None:
    data = REAL["davis"].load()
    run = Timeline(LEAST, data)
    run.advance(10)
    fork = run.fork(4, data=edited(data, [edit]))
    _, fresh = run_of(edited(data, [edit]))
    assert not fork.from_start
    assert same(fork.at(4).state.fitted, fresh[4].fitted)
    assert [status(t, fork.problem, None, fork.at(4).state) for t in (NEAREST, STANDS, SOLUTION)] == ["holds"] * 3


def test_an_edit_that_makes_a_column_independent_begins_anew() -> None:
    data = dependent.load()
    run = Timeline(LEAST, data).run()
    fork = run.fork(run.last, data=edited(data, [Move(0, (0.0, 0.0, 5.0))]))
    assert "which columns depend on others is not as it was" in fork.from_start


def test_forked_to_another_order_the_next_column_is_chosen_by_it() -> None:
    run = Timeline(LEAST, diabetes)
    run.advance(5)
    fork = run.fork(4, order="greatest fall").run()
    assert fork.at(fork.last).state.w == pytest.approx(Timeline(LEAST, diabetes).run().at(22).state.w)
    seen = fork.at(fork.last).state.seen
    assert seen[:2] == (0, 1)
    assert seen != tuple(range(11))


# Numbers


@pytest.mark.parametrize("scale", [1e-40, 1e-8, 1e8, 1e40])
def test_the_scale_of_columns_and_targets_changes_nothing_but_the_units(scale: float) -> None:
    data = prostate.load()
    _, small = run_of(Dataset(data.X * scale, data.y * scale, kind="number"))
    problem, states = run_of(data)
    assert [s.phase for s in small] == [s.phase for s in states]
    assert small[-1].w[1:] == pytest.approx(states[-1].w[1:], rel=1e-8)


@pytest.mark.parametrize("scale", [1e-160, 1e140])
def test_numbers_that_cannot_be_squared_are_refused(scale: float) -> None:
    data = prostate.load()
    with pytest.raises(Refused, match="out of range"):
        run_of(Dataset(data.X * scale, data.y, kind="number"))
    with pytest.raises(Refused, match="out of range"):
        run_of(Dataset(data.X, data.y * scale, kind="number"))
    with pytest.raises(Refused, match="out of range"):
        run_of(Dataset(data.X * np.r_[scale, np.ones(7)], data.y, kind="number"))


def test_columns_that_are_nearly_dependent_are_undecided_not_wrong() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal(40)
    X = np.column_stack([x, x + 3e-8 * rng.standard_normal(40)])
    problem, states = run_of(Dataset(X, rng.standard_normal(40), kind="number"))
    verdicts = [t.verdict(problem, b, s).status for b, s in pairwise(states) for t in LEAST.theorems]
    assert "fails" not in verdicts
    assert "undecided" in verdicts
