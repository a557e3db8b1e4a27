"""Ridge along λ: by hand, against scikit-learn, its theorems broken on purpose, and bias against variance."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from sklearn.linear_model import LinearRegression, Ridge, RidgeCV

from algorithms import Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, Problem, State, Theorem
from algorithms.core.state import same
from algorithms.data import correlated, dependent, diabetes, line, prostate
from algorithms.families.regression.ridge.algorithm import fit_of
from algorithms.families.regression.ridge.fit import RidgeFit, RidgeRows
from algorithms.families.regression.ridge.ridge_error import by_directions, by_traces
from algorithms.toolbox.shrinkage import residuals_left_out, spectrum
from algorithms.toolbox.truths import linear_truth
from tests.families.ends import end_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_penalty_that_is_not_the_best_is_noticed",
    "update": "test_weights_of_the_penalty_before_or_shrunk_alike_are_noticed",
}
PLANTED = {
    "MSE(λ) < MSE(0) for 0 < λ <= 2σ²/‖w*‖²": "test_beyond_its_range_the_bound_is_not_true",
    "degrees of freedom: tr H = 1 + Σ s²/(s² + λ)": "test_degrees_of_freedom_of_unsquared_singular_values_are_noticed",
}

RIDGE = find("ridge")
BEATS, CHOSEN, OPTIMAL, LONGER, CLOSER, DEGREES, LEFT_OUT, LIMIT, WITHIN, MAP = RIDGE.theorems
SETS = {
    "correlated": correlated,
    "prostate": prostate.with_(scale=True),
    "diabetes": diabetes.with_(scale=True),
    "dependent": dependent,
    "line": line.with_(n=8),
}


@cache
def finished(name: str, **parameters: Any) -> tuple[Problem, list[Any]]:
    return run_of(SETS[name].load(), **parameters)


def run_of(data: Dataset, **parameters: Any) -> tuple[Problem, list[Any]]:
    problem = RIDGE.problem(data, None, parameters)
    return problem, list(RIDGE.start(problem))


def status(theorem: Theorem, problem: Problem, before: State | None, after: State) -> str:
    return theorem.verdict(problem, before, after).status


def value(name: str, problem: Problem, state: State) -> float:
    return next(curve for curve in RIDGE.curves if curve.name == name).value(problem, state)


# The algorithm


def test_three_rows_by_hand() -> None:
    """x = -1, 0, 1 and y = 0, 3, 6: Σx² = 2 and Σxy = 6, so w = 6/(2 + λ)."""
    _, states = run_of(Dataset([[-1.0], [0.0], [1.0]], [0.0, 3.0, 6.0], kind="number"), most=4.0, least=1.0, tried=3)
    assert [s.phase for s in states] == ["start", "fit", "fit", "fit", "limit", "choose"]
    assert [s.w[1] for s in states[:5]] == pytest.approx([0, 1, 1.5, 2, 3])
    assert all(s.w[0] == pytest.approx(3) for s in states)
    assert states[0].least == pytest.approx((4.5**2 + 0 + 4.5**2) / 3)  # off by 3, less a third
    assert states[-1].best == 3
    assert states[-1].least == pytest.approx(0.0, abs=1e-20)


@pytest.mark.parametrize("name", ["prostate", "diabetes", "correlated", "line"])
def test_scikit_learn_has_the_same_weights_at_every_penalty(name: str) -> None:
    problem, states = finished(name, tried=9)
    for state, lam in zip(states[1:10], np.geomspace(1e4, 1e-3, 9)):
        theirs = Ridge(alpha=lam, solver="cholesky").fit(problem.data.X, problem.data.y)
        assert state.w == pytest.approx(np.append(theirs.intercept_, theirs.coef_), rel=1e-8)
    theirs = LinearRegression().fit(problem.data.X, problem.data.y)
    assert states[10].w == pytest.approx(np.append(theirs.intercept_, theirs.coef_), rel=1e-8)


@pytest.mark.parametrize("name", ["prostate", "diabetes", "correlated"])
def test_scikit_learn_chooses_the_same_penalty_leaving_one_out(name: str) -> None:
    problem, states = finished(name)
    penalties = np.geomspace(1e4, 1e-3, 60)
    machine = RidgeCV(penalties, store_cv_results=True, scoring=None).fit(problem.data.X, problem.data.y)
    assert machine.alpha_ == pytest.approx(states[-1].best_lam)
    assert states[-1].least == pytest.approx(-machine.best_score_, rel=1e-8)
    assert states[-1].w == pytest.approx(np.append(machine.intercept_, machine.coef_), rel=1e-8)
    ours = [value("leave-one-out error", problem, s) for s in states[1:61]]
    assert ours == pytest.approx(machine.cv_results_.mean(axis=0), rel=1e-8)


@pytest.mark.parametrize("lam", [0.0, 0.5, 100.0])
def test_left_out_rows_are_off_by_what_a_fit_without_them_says(lam: float) -> None:
    data = prostate.load()
    left, _ = residuals_left_out(spectrum(data.X, data.y), lam)
    for i in (0, 17, 96):
        keep = np.arange(97) != i
        machine = Ridge(alpha=lam, solver="svd") if lam else LinearRegression()
        off = data.y[i] - machine.fit(data.X[keep], data.y[keep]).predict(data.X[[i]])[0]
        assert left[i] == pytest.approx(off, rel=1e-8)


@pytest.mark.parametrize("dependent_by", [None, 1e-3, 1e-7, 0.0])
def test_many_rows_are_decomposed_as_few_are(dependent_by: float | None) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1500, 4)) * [1.0, 100.0, 1e-3, 1.0] + 5
    if dependent_by is not None:
        X[:, 3] = X[:, 0] + dependent_by * X[:, 3]
    of, S = spectrum(X, X[:, 0]), np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    assert S[: len(of.S)] == pytest.approx(of.S, rel=1e-8)
    assert len(of.S) == (3 if dependent_by == 0 else 4)
    assert pytest.approx(np.eye(len(of.S)), abs=1e-12) == of.U.T @ of.U
    assert pytest.approx(X - X.mean(axis=0), abs=1e-10) == of.U * of.S @ of.V.T


def test_of_dependent_features_the_shortest_fit_is_the_limit() -> None:
    _, states = finished("dependent")
    assert states[61].w == pytest.approx([0, 3 / 7, 1 / 7, 9 / 7], abs=1e-9)
    assert float(states[61].w[1:] @ states[61].w[1:]) == pytest.approx(13 / 7)
    assert states[60].w == pytest.approx(states[61].w, abs=1e-3)


def test_no_coefficient_is_ever_exactly_0() -> None:
    for name in ("diabetes", "prostate"):
        assert all(s.w[1:].all() for s in finished(name)[1][1:])


@pytest.mark.parametrize("X", [np.zeros((4, 1)), np.ones((4, 3)), np.c_[np.arange(4.0), np.zeros(4)]])
def test_constant_columns_have_no_weight(X: Any) -> None:
    run = Timeline(RIDGE, Dataset(X, [1.0, 2.0, 4.0, 9.0], kind="number"), {"tried": 5}).run()
    last = run.at(run.last)
    assert run.failures == []
    assert not last.state.w[1:][np.ptp(X, axis=0) == 0].any()


def test_with_fewer_rows_than_features_the_limit_fits_exactly_and_leaves_none_out() -> None:
    rng = np.random.default_rng(0)
    problem, states = run_of(Dataset(rng.standard_normal((5, 9)), rng.standard_normal(5), kind="number"), tried=6)
    assert value("training error", problem, states[7]) == pytest.approx(0, abs=1e-20)
    assert np.isnan(value("leave-one-out error", problem, states[7]))
    assert states[-1].best != 6
    assert "cannot be predicted" not in RIDGE.explain(problem, states[0], states[1])
    assert RIDGE.explain(problem, states[-2], states[-1]).endswith("for one alone decides a direction.")
    usual, of_usual = finished("prostate")
    assert RIDGE.explain(usual, of_usual[-2], of_usual[-1]).endswith("off by 0.5591 in mean square.")


# Bias and variance


def test_the_lecture_s_eigenvalues_have_these_errors() -> None:
    """s² = 4, 1, 1/4 and σ = 1: Σ 1/s² = 5.25 at λ = 0; at λ = 1 the sum of 1/(s² + λ) is 1.5 + 0.5."""
    S = np.array([2.0, 1.0, 0.5])
    assert by_directions(S, np.eye(3), np.ones(3), 1.0, 0.0).total == pytest.approx(5.25)
    assert (1 / (S**2 + 1)).sum() == pytest.approx(0.2 + 0.5 + 0.8)
    assert by_directions(S, np.eye(3), np.ones(3), 1.0, 1.0).total < 5.25


@pytest.mark.parametrize("lam", [0.0, 0.1, 3.0, 1e4])
def test_traces_and_directions_agree_and_the_mean_of_many_fits_comes_to_them(lam: float) -> None:
    data = correlated.load()
    known = linear_truth(data)
    assert known is not None
    X = data.X - data.X.mean(axis=0)
    _, S, Vt = np.linalg.svd(X, full_matrices=False)
    parts = by_directions(S, Vt.T, known.w, known.sigma, lam)
    traced = by_traces(X, known.w, known.sigma, lam)
    assert (parts.bias, parts.variance) == pytest.approx((traced.bias, traced.variance), rel=1e-8, abs=1e-18)
    Y = data.X @ known.w + known.sigma * np.random.default_rng(0).standard_normal((4000, data.n))
    fits = np.linalg.solve(X.T @ X + lam * np.eye(6), X.T @ Y.T).T
    errors = ((fits - known.w) ** 2).sum(axis=1)
    assert errors.mean() == pytest.approx(parts.total, abs=4 * errors.std() / np.sqrt(4000) + 1e-12)


def test_where_the_truth_is_known_ridge_beats_least_squares_in_the_range_and_its_least_is_marked() -> None:
    problem, states = finished("correlated")
    verdicts = [status(BEATS, problem, None, s) for s in states[1:]]
    assert verdicts.count("holds") > 10
    assert "fails" not in verdicts
    assert value("MSE", problem, states[-1]) < value("MSE", problem, states[61])
    panel = next(p for p in RIDGE.scene(problem, None, states[30]).panels if p.title.startswith("bias²"))
    total = [value("MSE", problem, s) for s in states[1:61]]
    marked = next(m for m in panel.marks if getattr(m, "names", ()) == ("least",))
    assert marked.at[0, 1] == pytest.approx(min(total))
    assert BEATS.verdict(*finished("prostate")[:1], None, finished("prostate")[1][5]).why == (
        "the true w and σ are not known"
    )


def test_beyond_its_range_the_bound_is_not_true(monkeypatch: Any) -> None:
    problem, states = run_of(correlated.with_(noise=0.1).load())
    monkeypatch.setattr(RidgeRows, "most_that_helps", np.inf)
    assert "fails" in [status(BEATS, problem, None, s) for s in states[1:30]]


def test_of_features_that_do_not_vary_no_direction_is_counted() -> None:
    run = Timeline(RIDGE, Dataset([[2.0], [2.0], [2.0]], kind="number", y=[1.0, 2.0, 4.0])).run()
    frame = run.at(3)
    assert "keeps nothing, for no feature varies" in RIDGE.explain(run.problem, frame.before, frame.state)


def test_where_rounding_decides_which_directions_there_are_nothing_is_said_of_a_row_left_out() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 4)) * [1e-25, 1e-9, 1e9, 1e25]
    data = Dataset(X, kind="number", y=rng.standard_normal(12))
    for i in range(12):
        run = Timeline(RIDGE, edited(data, [Move(i, (1e12,) * 4)]), {"tried": 12}).run()
        assert not run.failures, run.failures[0].verdict.sides


# The theorems


@pytest.mark.parametrize("name", SETS)
def test_every_theorem_holds_wherever_it_applies(name: str) -> None:
    problem, states = finished(name)
    for before, after in zip([None, *states], states):
        for theorem in RIDGE.theorems:
            assert status(theorem, problem, before, after) in ("holds", "does not apply"), theorem.statement
    assert status(OPTIMAL, problem, states[60], states[61]) == "holds"
    assert status(LIMIT, problem, states[60], states[61]) == "holds"


def test_a_penalty_that_is_not_the_best_is_noticed() -> None:
    problem, states = finished("prostate")
    assert status(CHOSEN, problem, states[-2], states[-1]) == "holds"
    second = replace(states[-1], best=states[-1].best - 1)
    assert status(CHOSEN, problem, states[-2], second) == "fails"
    by_training = replace(states[-1], best=60)
    assert status(CHOSEN, problem, states[-2], by_training) == "fails"


def test_an_error_that_is_a_mean_of_sizes_and_not_of_squares_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_sizes(of: Any, lam: float) -> float:
        return float(np.abs(residuals_left_out(of, lam)[0]).mean())

    monkeypatch.setattr("algorithms.families.regression.ridge.algorithm.error_left_out", of_sizes)
    run = Timeline(RIDGE, SETS["prostate"], {}).run()
    assert CHOSEN.statement in {failure.verdict.theorem.statement for failure in run.failures}


def test_weights_of_the_penalty_before_or_shrunk_alike_are_noticed() -> None:
    problem, states = finished("diabetes")
    before, right = states[30], states[31]
    for theorem in (OPTIMAL, LONGER, CLOSER, LEFT_OUT, WITHIN, MAP):
        assert status(theorem, problem, before, right) == "holds", theorem.statement
    late, alike = replace(right, w=before.w), replace(right, w=states[61].w * 0.6)
    for wrong in (late, alike):
        assert status(OPTIMAL, problem, before, wrong) == "fails"
        assert status(MAP, problem, before, wrong) == "fails"
        assert status(LEFT_OUT, problem, before, wrong) == "fails"
    assert status(WITHIN, problem, before, alike) == "fails"
    assert status(LONGER, problem, before, replace(right, w=states[29].w)) == "fails"
    assert status(CLOSER, problem, before, replace(right, w=states[29].w)) == "fails"
    other, along = finished("dependent")
    another = replace(along[61], w=np.array([0.0, 3.0, 4.0, 0.0]))  # it fits as well, and is longer
    assert status(LIMIT, other, along[60], another) == "fails"


def test_degrees_of_freedom_of_unsquared_singular_values_are_noticed(monkeypatch: Any) -> None:
    problem, states = finished("prostate")
    assert status(DEGREES, problem, states[29], states[30]) == "holds"
    S = spectrum(problem.data.X, problem.data.y).S
    monkeypatch.setattr(RidgeFit, "freedom", property(lambda fit: float((S / (S + fit.lam)).sum())))
    assert status(DEGREES, problem, states[29], states[30]) == "fails"


# Forks, edits and numbers


@pytest.mark.parametrize("edit", [Move(0, (1.0,) * 8), Label(0, 9.0), Remove(5)])
@pytest.mark.parametrize("t", [30, 62])
def test_after_an_edit_it_stands_where_a_fresh_run_would(edit: Any, t: int) -> None:
    data = SETS["prostate"].load()
    run = Timeline(RIDGE, data)
    run.advance(t + 1)
    fork = run.fork(t, data=edited(data, [edit]))
    _, fresh = run_of(edited(data, [edit]))
    mine = fork.at(t).state
    assert same(mine.w, fresh[t].w)
    assert (mine.best, mine.lam) == (fresh[t].best, fresh[t].lam)
    assert mine.least == pytest.approx(fresh[t].least)
    problem = fork.problem
    assert "fails" not in [status(theorem, problem, None, mine) for theorem in RIDGE.theorems]


@pytest.mark.parametrize(
    ("t", "changes"),
    [(0, {"tried": 5}), (20, {"least": 0.1}), (20, {"tried": 7}), (40, {"most": 1e6}), (61, {"least": 1e-6})],
)
def test_half_way_the_path_goes_on_from_the_penalty_in_hand(t: int, changes: dict[str, Any]) -> None:
    """Those tried before count for λ*, whichever path they were of; those of the new path that lie above do not."""
    run = Timeline(RIDGE, SETS["prostate"])
    run.advance(t + 1)
    fork = run.fork(t, **changes).run()
    assert fork.failures == []
    kept, last = run.at(t).state, fork.at(fork.last).state
    p = fork.problem.parameters
    new = np.geomspace(p.most, p.least, p.tried)
    wanted = np.concatenate([kept.tried, new[new < kept.lam], [0.0] if kept.lam else []])
    assert last.tried == pytest.approx(wanted, rel=1e-12)
    errors = [fit_of(fork.problem, last).rows.error_left_out(lam) for lam in wanted]
    assert last.best == int(np.argmin(errors))
    machine = Ridge(alpha=last.best_lam, solver="cholesky").fit(fork.problem.data.X, fork.problem.data.y)
    assert last.w == pytest.approx(np.append(machine.intercept_, machine.coef_), rel=1e-8)


def test_a_penalty_of_the_new_path_that_was_never_tried_is_no_rival() -> None:
    """A coarse path passes over the best λ; after the fork the fine one has it, above the λ in hand."""
    run = Timeline(RIDGE, SETS["prostate"], {"tried": 3}).run()
    fork = run.fork(3, tried=40).run()
    assert fork.failures == []
    fine, _ = end_of(RIDGE(SETS["prostate"], tried=40))
    assert fork.at(fork.last).state.least > fine.least


@pytest.mark.parametrize("scale", [1e-20, 1e-4, 1e4, 1e20])
def test_other_units_of_the_target_change_nothing_but_them(scale: float) -> None:
    problem, states = finished("prostate", tried=7)
    other, scaled = run_of(Dataset(problem.data.X, problem.data.y * scale, kind="number"), tried=7)
    assert scaled[-1].best == states[-1].best
    assert scaled[5].w == pytest.approx(states[5].w * scale, rel=1e-8)
    verdicts = [status(t, other, b, s) for b, s in zip(scaled, scaled[1:]) for t in RIDGE.theorems]
    assert "fails" not in verdicts


def test_numbers_out_of_range_and_penalties_in_the_wrong_order_are_refused() -> None:
    data = prostate.load()
    for scale in (1e-160, 1e140):
        with pytest.raises(Refused, match="out of range"):
            run_of(Dataset(data.X * scale, data.y, kind="number"))
    with pytest.raises(Refused, match="least must be below most"):
        run_of(data, most=1.0, least=2.0)


def test_along_the_penalty_the_curves_are_drawn_and_held_out_error_has_its_least_within() -> None:
    problem, states = run_of(correlated.with_(n=60, hold_out=0.5).load())
    assert all(curve.variable is not None for curve in RIDGE.curves if curve.name != "λ")
    errors = np.array([value("held-out error", problem, s) for s in states[1:62]])
    assert 0 < errors.argmin() < 60
    training = np.array([value("training error", problem, s) for s in states[1:62]])
    assert (np.diff(training) <= 1e-12).all()
