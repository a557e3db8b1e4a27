"""Cross-validation: by hand, against scikit-learn on the same folds, its theorems broken on purpose, and edits."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeCV
from sklearn.model_selection import LeaveOneOut, PredefinedSplit, cross_val_score
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import SVC

from algorithms import Add, Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Array, Cursor, Dataset, GhostTrail, Hyperplane, Points, Problem, State, Theorem
from algorithms.core.expectation import MEASURED
from algorithms.core.state import same
from algorithms.data import davis, diabetes, iris, line, prostate, sine
from algorithms.families.selection.cross_validation.folds import dealt
from algorithms.families.selection.cross_validation.hold_outs import LEAST
from algorithms.families.selection.shared.value_in_hand import chosen_among, least_so_far, linear_models
from algorithms.toolbox.shrinkage import left_out, spectrum

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_value_that_is_not_the_best_is_noticed",
    "update": "test_a_fit_that_has_seen_the_fold_is_noticed",
}

_CLASSES = "classes: Σ(y - p)x = λw; of a support vector machine W(α) = P(w, b)"
PLANTED = {_CLASSES: "test_a_classifier_that_is_not_the_best_is_noticed"}
SILENT = {_CLASSES: "a number is predicted"}  # in the run that opens, and why

CV = find("cross_validation")
SHORTCUT, CHOSEN, OPTIMAL, CLASSES, NESTED, ONCE = CV.theorems
TWO = iris.with_(classes=("versicolor", "virginica"))
REAL = {
    "diabetes": diabetes.with_(scale=True),
    "prostate": prostate.with_(scale=True),
    "davis": davis.with_(target="weight", columns=("height",)),
}


@cache
def finished(name: str, **parameters: Any) -> tuple[Problem, list[Any]]:
    made = {"sine": sine, "few": sine.with_(n=25), "two": TWO, "some of two": TWO.with_(sample=24)}
    data = (REAL | made)[name].load()
    problem = CV.problem(data, None, parameters)
    return problem, list(CV.start(problem))


def theirs(model: Any, data: Dataset, folds: Any) -> Array:
    return -cross_val_score(model, data.X, data.y, cv=folds, scoring="neg_mean_squared_error")


# The algorithm


def test_two_folds_by_hand() -> None:
    """(0, 0), (1, 1), (2, 5) with one row left out: the mean and then the line through the other two."""
    data = Dataset([[0.0], [1.0], [2.0]], [0.0, 1.0, 5.0], kind="number")
    states = list(CV(data, tried=2, split="leave one out"))
    means, lines = states[-1].errors
    assert means == pytest.approx([(0 - 3) ** 2, (1 - 2.5) ** 2, (5 - 0.5) ** 2])
    assert lines == pytest.approx([(0 + 3) ** 2, (1 - 2.5) ** 2, (5 - 2) ** 2])
    assert states[-1].training[0] == pytest.approx([4.0, 6.25, 0.25])
    assert states[-1].training[1] == pytest.approx([0, 0, 0], abs=1e-20)
    assert states[-1].best == 1
    assert [s.phase for s in states] == ["start", *(["fit", "score"] * 6), "refit"]


@pytest.mark.parametrize("name", ["davis", "sine"])
@pytest.mark.parametrize("folds", [2, 7])
def test_scikit_learn_has_the_same_errors_of_polynomials_on_the_same_folds(name: str, folds: int) -> None:
    problem, states = finished(name, folds=folds, tried=5)
    last, same_folds = states[-1], PredefinedSplit(states[-1].fold_of)
    for degree in range(5):
        model = make_pipeline(PolynomialFeatures(degree), LinearRegression())
        data = centred(problem.data)  # their powers are not orthogonal: far from the origin they lose digits
        assert last.errors[degree] == pytest.approx(theirs(model, data, same_folds), rel=1e-8)


def centred(data: Dataset) -> Dataset:
    x = data.X - data.X.mean(axis=0)
    return Dataset(x / np.abs(x).max(), data.y, kind="number")


@pytest.mark.parametrize("name", ["diabetes", "prostate"])
@pytest.mark.parametrize("split", ["folds", "hold out"])
def test_scikit_learn_has_the_same_errors_of_ridge_on_the_same_folds(name: str, split: str) -> None:
    problem, states = finished(name, model="ridge", split=split, tried=6)
    last = states[-1]
    for lam, mine in zip(np.geomspace(1e4, 0.01, 6), last.errors):
        assert mine == pytest.approx(theirs(Ridge(alpha=lam), problem.data, PredefinedSplit(last.fold_of)), rel=1e-8)
    assert states[-1].choice == last.errors.mean(axis=1).argmin()


def test_scikit_learn_chooses_the_same_penalty_leaving_one_out() -> None:
    problem, states = finished("prostate", model="ridge", split="leave one out", tried=6)
    data, last = problem.data, states[-1]
    machine = RidgeCV(np.geomspace(1e4, 0.01, 6), store_cv_results=True, scoring=None).fit(data.X, data.y)
    assert machine.alpha_ == pytest.approx(np.geomspace(1e4, 0.01, 6)[last.best])
    assert machine.best_score_ == pytest.approx(-last.errors[last.best].mean(), rel=1e-8)
    assert last.w == pytest.approx(np.append(machine.intercept_, machine.coef_), rel=1e-8)


@pytest.mark.parametrize("split", ["folds", "leave one out"])
def test_scikit_learn_has_the_same_errors_of_neighbours(split: str) -> None:
    problem, states = finished(
        "few" if split == "leave one out" else "prostate", model="neighbours", split=split, tried=4
    )
    data, last = problem.data, states[-1]
    folds = LeaveOneOut() if split == "leave one out" else PredefinedSplit(last.fold_of)
    for k, mine in zip((4, 3, 2, 1), last.errors):
        assert mine == pytest.approx(theirs(KNeighborsRegressor(k), data, folds), rel=1e-8)
    assert last.training[-1] == pytest.approx(np.zeros(last.errors.shape[1]))  # the memoriser


@pytest.mark.parametrize("model", ["logistic", "linear SVM"])
def test_scikit_learn_has_the_same_errors_of_classifiers_on_the_same_folds(model: str) -> None:
    """C of a linear support vector machine is chosen by held-out errors; on the training rows it errs 12, ..., 3."""
    prices = np.geomspace(2.0**-8, 16, 7)
    if model == "logistic":
        ends = {"least": float(1 / prices[-1]), "most": float(1 / prices[0])}
        machines = [LogisticRegression(C=C, tol=1e-10, solver="newton-cholesky") for C in prices]
    else:
        ends = {"least": float(prices[0]), "most": float(prices[-1])}
        machines = [SVC(kernel="linear", C=C, tol=1e-8) for C in prices]
    problem, states = finished("two", model=model, tried=7, **ends)
    data, split = problem.data, PredefinedSplit(states[0].fold_of)
    errors = [1 - cross_val_score(machine, data.X, data.y, cv=split) for machine in machines]
    assert states[-1].errors == pytest.approx(np.array(errors))
    models, every = chosen_among(problem), np.ones(data.n, bool)
    wrong = [(models.predict(v, models.fit(v, every), every, data.X) != data.y).sum() for v in range(7)]
    if model == "linear SVM":
        assert wrong == [12, 8, 6, 1, 1, 3, 3]
        assert models.values[states[-1].best] == 1


def test_the_training_error_of_logistic_regression_would_choose_the_least_penalty() -> None:
    problem, states = finished("two", model="logistic", most=100.0)
    values, last = chosen_among(problem).values, states[-1]
    assert values[last.best] == pytest.approx(0.2154, abs=5e-5)
    assert values[last.training.mean(axis=1).argmin()] == pytest.approx(0.01)
    assert last.errors.mean(axis=1)[[last.best, -1]] == pytest.approx([0.05, 0.08])


@pytest.mark.parametrize("lam", [0.0, 3.0])
@pytest.mark.parametrize("rows", [1, 13])
def test_leaving_rows_out_is_had_without_fitting_again(lam: float, rows: int) -> None:
    data = prostate.load()
    aside = np.isin(np.arange(data.n), np.random.default_rng(rows).permutation(data.n)[:rows])
    residuals, _ = left_out(spectrum(data.X, data.y), data.y, lam, aside)
    machine = Ridge(alpha=lam, solver="svd") if lam else LinearRegression()
    refitted = machine.fit(data.X[~aside], data.y[~aside])
    assert residuals == pytest.approx(data.y[aside] - refitted.predict(data.X[aside]), rel=1e-8)


@pytest.mark.parametrize(("split", "folds", "sizes"), [("folds", 4, {2, 3}), ("hold out", 5, {2}), ("folds", 10, {1})])
def test_folds_are_dealt_evenly_and_by_the_seed(split: Any, folds: int, sizes: set[int]) -> None:
    fold_of = dealt(10, split, folds, 3)
    assert set(np.bincount(fold_of[fold_of >= 0]).tolist()) == sizes
    assert fold_of.max() + 1 == (folds if split == "folds" else 1)
    assert (fold_of == dealt(10, split, folds, 3)).all()
    assert (fold_of != dealt(10, split, folds, 4)).any()


def test_of_many_lines_a_line_is_chosen_most_often_though_training_error_always_chooses_the_most() -> None:
    chosen = np.zeros(10, int)
    for seed in range(15):
        last = list(CV(line.with_(n=60, seed=seed).load()))[-1]
        chosen[last.best] += 1
        assert last.training.mean(axis=1).argmin() == 9
    assert chosen.argmax() == 1
    assert chosen[0] == 0


def test_the_run_that_it_opens_with_shows_within_240_steps_that_training_error_chooses_badly() -> None:
    last = list(CV(CV.datasets[0].load()))[-1]
    assert last.best == 3
    assert last.training.mean(axis=1).argmin() == 9
    assert last.errors[9].mean() > 5 * last.errors[3].mean()
    assert last.t < 240


def test_of_equal_models_the_stiffer_is_chosen() -> None:
    errors = np.array([2.0, 2.0, 1.0, np.nan])
    assert [least_so_far(errors, i, best) for i, best in ((0, -1), (1, 0), (2, 0), (3, 2))] == [0, 0, 2, 2]


def test_the_chosen_model_is_fitted_to_all_rows_at_last() -> None:
    problem, states = finished("diabetes", model="ridge", tried=6)
    lam = np.geomspace(1e4, 0.01, 6)[states[-1].best]
    machine = Ridge(alpha=lam).fit(problem.data.X, problem.data.y)
    assert states[-1].phase == "refit"
    assert states[-1].w == pytest.approx(np.append(machine.intercept_, machine.coef_), rel=1e-8)


# Its states


@pytest.mark.parametrize("edit", [Label(3, 500.0), Move(3, (0.9,)), Remove(3), Add((0.5,), 2.0)], ids=str)
@pytest.mark.parametrize("t", [1, 20, 33])
def test_an_edit_begins_it_anew_so_that_no_error_of_other_rows_is_kept(edit: Any, t: int) -> None:
    run = Timeline(CV, sine, {"tried": 4, "folds": 4})
    run.advance(t + 1)
    data = edited(run.data, [edit])
    fork = run.fork(t, data=data)
    assert fork.from_start == "Cross-validation starts afresh: these errors were measured on other rows."
    fork.run()
    assert same(fork.at(fork.last).state, list(CV(data, tried=4, folds=4))[-1])
    assert fork.failures == []


# Its theorems


def broken(problem: Problem, states: list[Any], theorem: Theorem, i: int, **changes: Any) -> None:
    """The theorem holds at the i-th state, and fails where that is changed."""
    before = states[i - 1]
    assert theorem.verdict(problem, before, states[i]).status == "holds"
    assert theorem.verdict(problem, before, states[i].replaced(**changes)).status == "fails"


def at(states: list[Any], phase: str, choice: int, fold: int) -> int:
    return next(i for i, s in enumerate(states) if (s.phase, s.choice, s.fold) == (phase, choice, fold))


@pytest.mark.parametrize("model", ["polynomial", "ridge", "neighbours"])
@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("sine", "leave one out"),
        *((name, split) for name in ("sine", "prostate", "davis") for split in ("folds", "hold out")),
    ],
)
def test_they_hold_for_every_model_and_split(name: str, model: str, split: str) -> None:
    problem, states = finished(name, model=model, split=split, tried=4)
    for theorem in CV.theorems:
        answers = {theorem.verdict(problem, b, a).status for b, a in zip([None, *states], states)}
        silent = theorem is CLASSES or (theorem in (SHORTCUT, OPTIMAL, NESTED) and model == "neighbours")
        wanted = {"does not apply"} if silent else {"holds", "does not apply"}
        assert answers == wanted, theorem.statement


@pytest.mark.parametrize("model", ["logistic", "linear SVM"])
@pytest.mark.parametrize("split", ["folds", "leave one out", "hold out"])
def test_they_hold_where_a_class_is_predicted(model: str, split: str) -> None:
    name = "some of two" if split == "leave one out" else "two"
    problem, states = finished(name, model=model, split=split, tried=3, most=16.0)
    for theorem in CV.theorems:
        answers = {theorem.verdict(problem, b, a).status for b, a in zip([None, *states], states)}
        silent = theorem in (SHORTCUT, OPTIMAL, NESTED)
        assert answers == ({"does not apply"} if silent else {"holds", "does not apply"}), theorem.statement


@pytest.mark.parametrize("model", ["logistic", "linear SVM"])
def test_a_classifier_that_is_not_the_best_is_noticed(model: str) -> None:
    problem, states = finished("two", model=model, tried=3, most=16.0)
    i = at(states, "fit", 1, 2)
    for w in (1.1 * states[i].w, states[i].w + 0.1, states[at(states, "fit", 2, 2)].w):
        broken(problem, states, CLASSES, i, w=w)


@pytest.mark.parametrize("model", ["logistic", "linear SVM"])
@pytest.mark.parametrize("sizes", [(1e-55, 1e-55), (1e50, 1e50), (1e-50, 1e50)])
def test_features_of_any_size_and_folds_of_one_class_end_in_numbers(model: str, sizes: tuple[float, float]) -> None:
    X = np.array([[1.0, 1.0], [3.0, -1.0], [2.0, 3.0], [1.0, 2.5]]) * sizes
    for y in ([0, 0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 1]):
        data = Dataset(X, y, classes=("a", "b"))
        run = Timeline(CV, data, {"model": model, "split": "leave one out", "tried": 2, "least": 1e-6}).run()
        assert run.failures == []
        assert np.isfinite(run.at(run.last).state.errors).all()


def test_a_value_that_is_not_the_best_is_noticed() -> None:
    problem, states = finished("sine")
    last = len(states) - 1
    for wrong in {*range(10)} - {states[-1].best}:
        broken(problem, states, CHOSEN, last, best=wrong)
    broken(problem, states, CHOSEN, at(states, "score", 5, 4), best=4)


def test_the_value_that_fits_the_training_rows_best_is_noticed() -> None:
    problem, states = finished("davis")
    broken(problem, states, CHOSEN, len(states) - 1, best=int(states[-1].training.mean(axis=1).argmin()))


def wrongly_fitted(problem: Problem, state: Any, choice: int, rows: Array) -> Array:
    models = linear_models(problem)
    return models.predict(choice, models.fit(choice, rows), rows, problem.data.X)


@pytest.mark.parametrize("model", ["polynomial", "ridge"])
@pytest.mark.parametrize("split", ["folds", "leave one out", "hold out"])
def test_a_fit_that_has_seen_the_fold_is_noticed(model: str, split: str) -> None:
    problem, states = finished("prostate" if split != "leave one out" else "sine", model=model, split=split, tried=4)
    i = at(states, "score", 2, 0)
    held = states[i].fold_of == 0
    said = wrongly_fitted(problem, states[i], 2, np.ones(len(held), bool))
    broken(problem, states, SHORTCUT, i, left=np.where(held, problem.data.y - said, states[i].left))


@pytest.mark.parametrize("model", ["polynomial", "ridge"])
def test_a_fit_with_another_value_or_without_another_fold_is_noticed(model: str) -> None:
    problem, states = finished("sine", model=model)
    i = at(states, "score", 2, 1)
    held = states[i].fold_of == 1
    for choice, fold in ((1, 1), (3, 1), (2, 0)):
        said = wrongly_fitted(problem, states[i], choice, states[i].fold_of != fold)
        broken(problem, states, SHORTCUT, i, left=np.where(held, problem.data.y - said, states[i].left))
        f = at(states, "fit", 2, 1)
        models = linear_models(problem)
        broken(problem, states, OPTIMAL, f, w=models.fit(choice, states[i].fold_of != fold))


def test_a_penalty_on_the_intercept_is_noticed() -> None:
    problem, states = finished("prostate", model="ridge")
    f = at(states, "fit", 3, 1)
    lam, rest = linear_models(problem).penalties[3], states[f].fold_of != 1
    X = np.column_stack([np.ones(rest.sum()), problem.data.X[rest]])
    w = np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ problem.data.y[rest])
    broken(problem, states, OPTIMAL, f, w=w)


def test_a_training_error_that_rises_is_noticed() -> None:
    problem, states = finished("prostate", model="ridge")
    f = at(states, "fit", 4, 1)
    training = states[f].training.copy()
    training[4, 1] = states[f].training[3, 1] * 1.001
    broken(problem, states, NESTED, f, training=training)


def test_a_row_in_no_fold_or_in_two_and_errors_that_are_no_mean_squares_are_noticed() -> None:
    problem, states = finished("sine")
    i = at(states, "score", 2, 1)
    held = np.flatnonzero(states[i].fold_of == 1)
    other = np.flatnonzero(states[i].fold_of == 3)
    for rows, value in ((held[:1], np.nan), (other[:1], 0.5)):
        left = states[i].left.copy()
        left[rows] = value
        broken(problem, states, ONCE, i, left=left)
    for wrong in (np.abs(states[i].left[held]).mean(), 0.5 * states[i].errors[2, 1]):
        errors = states[i].errors.copy()
        errors[2, 1] = wrong
        broken(problem, states, ONCE, i, errors=errors)


def test_where_the_fold_holds_all_of_a_direction_nothing_is_claimed() -> None:
    """Only row 3 has anything in the second feature: left out, its weight cannot be known."""
    X = np.column_stack([np.arange(8.0), np.arange(8) == 3])
    data = Dataset(X, np.arange(8.0) ** 2, kind="number")
    run = Timeline(CV, data, {"tried": 2, "split": "leave one out"}).run()
    assert run.failures == []
    t = next(t for t in range(len(run)) if (s := run.at(t).state).phase == "score" and (s.choice, s.fold) == (1, 3))
    verdict = SHORTCUT.verdict(run.problem, run.at(t).before, run.at(t).state)
    assert verdict.why == "without the fold a direction of the columns is all but lost: I - H_FF has no inverse"


# What holds on average over splits


@cache
def dealt_again(runs: int = 100) -> tuple[Problem, list[Any]]:
    """Last states of as many dealings of 25 rows to 5 folds."""
    problem, _ = finished("few", model="neighbours", tried=6)
    fixed = CV.expectations[0].fixed
    ends = [list(CV(problem.data, model="neighbours", tried=6, seed=seed, **fixed))[-1] for seed in range(runs)]
    return problem, ends


def expected(number: int) -> tuple[Array, float, float]:
    """What is measured of each, the error of its mean, and what K folds say to it."""
    (problem, ends), expectation = dealt_again(), CV.expectations[number]
    curve = next(curve for curve in CV.curves if curve.name == LEAST)
    values = np.array([expectation.measure(problem, end) for end in ends])
    of_folds = {LEAST: np.array([curve.value(problem, end) for end in ends]), MEASURED: values}
    return values, float(values.std() / len(ends) ** 0.5), expectation.bound(problem, of_folds)


def test_many_hold_outs_say_on_average_what_folds_say() -> None:
    values, error, folds = expected(0)
    assert values.mean() == pytest.approx(folds, abs=3 * error)
    assert values.std() > 0.2 * folds


def test_one_hold_out_varies_more_than_folds_do_by_its_difference_from_them() -> None:
    """What is set side by side are the two sides, not two of the numbers that are added up."""
    squares, error, both = expected(1)
    assert squares.mean() == pytest.approx(both, abs=3 * error)
    hold_outs, _, folds = expected(0)
    assert squares == pytest.approx(hold_outs**2)
    assert both > folds**2, "by what a hold-out differs from K folds"


def test_the_least_error_of_a_hold_out_is_too_hopeful() -> None:
    values, error, folds = expected(2)
    assert values.mean() + 3 * error < folds


def test_a_hold_out_has_on_average_the_error_of_a_fold() -> None:
    problem, ends = dealt_again()
    runs = (CV(problem.data, model="neighbours", tried=6, seed=seed, split="hold out") for seed in range(len(ends)))
    alone = np.array([list(run)[-1].errors[:, 0] for run in runs])
    folds = np.array([end.errors[:, 0] for end in ends])
    assert alone.shape == folds.shape
    errors = np.sqrt((alone.var(axis=0) + folds.var(axis=0)) / len(ends))
    assert (np.abs(alone.mean(axis=0) - folds.mean(axis=0)) < 3 * errors).all()


# What a person sees


def test_the_rows_held_out_are_larger_and_the_note_says_so() -> None:
    for data in (sine.load(), prostate.load()):
        run = Timeline(CV, data)
        run.advance(20)
        frame = run.at(14)
        panels = CV.scene(run.problem, frame.before, frame.state).panels
        rows = next(mark for mark in panels[0].marks if isinstance(mark, Points))
        assert rows.ringed is None
        assert rows.weights is not None
        assert ((rows.weights == 1) == (frame.state.fold_of == frame.state.fold)).all()
        assert panels[0].note == "degree 1, large: held out, fold 2"
        (cursor,) = [mark for mark in panels[1].marks if isinstance(mark, Cursor)]
        assert cursor.x == frame.state.choice
        (folds,) = [mark for mark in panels[1].marks if isinstance(mark, Points) and mark.names == ("each fold",)]
        assert folds.at[:, 1] == pytest.approx(frame.state.errors[1, :2])  # scored so far


def test_the_mean_error_is_a_curve_along_the_value() -> None:
    run = Timeline(CV, prostate.with_(scale=True), {"model": "ridge"}).run()
    t, means = run.curve("mean error")
    _, values = run.curve("value")
    end, known = run.at(run.last).state, ~np.isnan(means)
    assert means[known][:-1] == pytest.approx(end.errors.mean(axis=1))
    assert means[-1] == end.errors[end.best].mean(), "in the end the mark stands at the least"
    assert set(np.geomspace(1e4, 0.01, 10).round(9)) == set(values.round(9))


def test_of_classes_the_boundary_is_drawn_with_those_of_other_folds() -> None:
    run = Timeline(CV, TWO, {"model": "logistic", "tried": 3})
    run.advance(8)
    frame = run.at(6)
    panels = CV.scene(run.problem, frame.before, frame.state).panels
    rows = next(mark for mark in panels[0].marks if isinstance(mark, Points))
    assert rows.weights is not None
    assert ((rows.weights == 1) == (frame.state.fold_of == frame.state.fold)).all()
    assert (rows.crossed == ((run.data.X @ frame.state.w[1:] + frame.state.w[0] > 0) != run.data.y)).all()
    (line,) = [mark for mark in panels[0].marks if isinstance(mark, Hyperplane)]
    assert (line.normal == frame.state.w[1:]).all()
    assert any(isinstance(mark, GhostTrail) for mark in panels[0].marks)
    start = CV.scene(run.problem, None, run.at(0).state).panels[0]
    assert not any(isinstance(mark, Hyperplane) for mark in start.marks)
    assert " the share of errors is " in CV.explain(run.problem, frame.before, frame.state)


def test_it_says_what_it_does() -> None:
    data = Dataset(np.arange(10.0)[:, None], np.arange(10.0) ** 2, kind="number")
    run = Timeline(CV, data, {"tried": 3}).run()

    def said(t: int) -> str:
        return CV.explain(run.problem, run.at(t).before, run.at(t).state)

    assert said(0) == (
        "The 10 rows are dealt to 5 folds, each of which will be held out in its turn. "
        "3 values are tried, from degree 0 to degree 2."
    )
    assert said(1).startswith("With degree 0 it is fitted to 8 rows, all but fold 1. On them the error is ")
    assert said(2).startswith("On the 2 rows of fold 1, which were not fitted, the mean squared error is ")
    assert said(20).endswith(", the least so far.")
    assert said(run.last).endswith("it is fitted to all 10 rows. The training error would have chosen degree 2.")
    assert run.stopped is not None
    assert run.stopped.reason == "all 3 values are scored"


@pytest.mark.parametrize(
    ("n", "parameters", "sentence"),
    [
        (3, {"folds": 5}, r"^5 folds need as many rows; data has 3\.$"),
        (8, {"model": "neighbours"}, r"^k = 10 needs as many rows to fit on; without a fold there are 6\.$"),
        (2500, {"split": "leave one out"}, r"2,000 at most; data has 2,500: take folds\.$"),
        (8, {"model": "logistic"}, r"^logistic tells two classes apart; y of data is a number: take another model\.$"),
        (5000, {"model": "neighbours"}, r"among 4,000 rows at most; data has 5,000\.$"),
    ],
)
def test_what_cannot_be_done_is_said(n: int, parameters: Any, sentence: str) -> None:
    data = Dataset(np.arange(float(n))[:, None], np.arange(float(n)), kind="number")
    with pytest.raises(Refused, match=sentence):
        CV(data, **parameters)


def test_it_keeps_nothing_of_what_it_needs_outside_its_states() -> None:
    """A state given back with numbers that are none changes the errors: nothing is remembered beside it."""
    problem, states = finished("sine")
    fit = states[at(states, "fit", 3, 2)]
    spoilt: State = fit.replaced(w=np.full_like(fit.w, np.nan))
    after = next(CV.start(problem, spoilt))
    assert np.isnan(after.errors[3, 2])
    assert SHORTCUT.verdict(problem, fit, after).status == "fails"
