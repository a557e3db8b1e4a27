"""Bias and variance: by hand, against scikit-learn and the trace formulas, its theorems broken, and edits."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor

from algorithms import Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Array, Cursor, Dataset, ErrorBars, Paths, Problem, Theorem
from algorithms.core.state import same
from algorithms.data import davis, diabetes, line, prostate, sine
from algorithms.families.selection.bias_variance.algorithm import fits_of
from algorithms.families.selection.bias_variance.fits import study_of
from algorithms.families.selection.bias_variance.linear_smoothers import expected_errors, expected_parts, traces
from algorithms.families.selection.shared.value_in_hand import models_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_value_that_is_not_the_best_is_noticed",
    "update": "test_a_fit_to_another_sample_or_with_another_value_is_noticed",
}
SILENT = {  # in the run that opens, and why
    "known by heart, g_s = y_s: where H_ii = 1 the training error is 0": "no row is answered by its own target alone",
}

BV = find("bias_variance")
LEAST, DECOMPOSED, AVERAGED, MEAN_SAMPLE, OPTIMAL, NESTED, HIDES, BY_HEART, AFRESH = BV.theorems
DATA = {
    "sine": sine.with_(n=20, noise=0.6),
    "davis": davis.with_(target="weight", columns=("height",)),
    "prostate": prostate.with_(scale=True),
    "diabetes": diabetes,
}
MODELS = ("polynomial", "ridge", "neighbours", "memoriser", "rows")


@cache
@cache
def finished(name: str = "sine", **parameters: Any) -> tuple[Problem, list[Any]]:
    problem = BV.problem(DATA[name].load(), None, {"tried": 4, "samples": 5} | parameters)
    return problem, list(BV.start(problem))


def at(states: list[Any], phase: str, choice: int, sample: int = -1) -> int:
    return next(i for i, s in enumerate(states) if (s.phase, s.choice) == (phase, choice) and sample in (-1, s.sample))


# The algorithm


def test_two_samples_by_hand() -> None:
    """Degree 0 of two samples: the means of their targets, and what these have of bias and variance."""
    problem, states = finished(samples=2, tried=2)
    y, f = study_of(problem).drawn.targets, study_of(problem).truth.f
    a, b = y.mean(axis=1)
    end = states[3]
    assert [s.phase for s in states] == ["start", *(["fit", "fit", "compare"] * 2)]
    assert end.mean == pytest.approx(np.full(20, (a + b) / 2))
    assert end.variance == pytest.approx(np.full(20, (a - b) ** 2 / 4))
    assert end.error == pytest.approx(((a - f) ** 2 + (b - f) ** 2) / 2)
    assert end.biases[0] == pytest.approx((((a + b) / 2 - f) ** 2).mean())
    assert end.training[0] == pytest.approx(y.var(axis=1))
    assert end.fresh[0] == pytest.approx(((study_of(problem).drawn.fresh - np.array([[a], [b]])) ** 2).mean(axis=1))


def test_samples_lie_about_the_truth_and_depend_on_the_seed() -> None:
    problem, other = (BV.problem(DATA["sine"].load(), None, {"samples": 400, "seed": seed}) for seed in (0, 1))
    drawn, of = study_of(problem).drawn, study_of(problem).truth
    assert of.known
    assert of.f == pytest.approx(np.sin(np.pi * problem.data.X[:, 0]))
    for y in (drawn.targets, drawn.fresh):
        assert (y - of.f).mean() == pytest.approx(0, abs=0.02)
        assert (y - of.f).std() == pytest.approx(0.6, rel=0.02)
    assert (study_of(other).drawn.targets != drawn.targets).all()


def test_of_real_data_a_polynomial_stands_for_the_truth() -> None:
    problem, states = finished("davis")
    x, y, of = problem.data.X[:, 0], problem.data.y, study_of(problem).truth
    assert not of.known
    assert of.f == pytest.approx(np.polyval(np.polyfit(x, y, 3), x), rel=1e-6)
    assert of.sigma == pytest.approx(np.sqrt(((y - of.f) ** 2).sum() / (len(x) - 4)), rel=1e-6)
    assert states[-1].best == 3


@pytest.mark.parametrize("name", ["prostate", "diabetes"])
@pytest.mark.parametrize("model", ["ridge", "neighbours"])
def test_scikit_learn_has_the_same_fits_of_the_same_samples(name: str, model: str) -> None:
    problem, states = finished(name, model=model, degree=1)
    X, y = problem.data.X, study_of(problem).drawn.targets
    machines = [Ridge(lam) for lam in np.geomspace(1e4, 0.01, 4)] if model == "ridge" else map(nearest, (4, 3, 2, 1))
    for v, machine in enumerate(machines):
        end = states[at(states, "compare", v)]
        fits = np.stack([machine.fit(X, sample).predict(X) for sample in y])
        shown = fits_of(problem, end).at(X).T
        assert shown == pytest.approx(fits, rel=1e-8)
        assert end.mean == pytest.approx(fits.mean(axis=0), rel=1e-8)
        assert end.variance == pytest.approx(fits.var(axis=0), rel=1e-6, abs=1e-12)
        assert end.training[v] == pytest.approx(((y - fits) ** 2).mean(axis=1), rel=1e-8)


def nearest(k: int) -> KNeighborsRegressor:
    return KNeighborsRegressor(k, algorithm="brute")


@pytest.mark.parametrize("model", MODELS)
def test_the_traces_are_those_of_the_hat_matrix(model: Any) -> None:
    problem, _ = finished(model=model)
    n, every, models = problem.data.n, np.ones(problem.data.n, bool), models_of(problem)
    for v, (own, all_of_them) in enumerate(traces(models)):
        H = np.empty((n, n))
        for j, unit in enumerate(np.eye(n)):
            given = models.given(unit)
            H[:, j] = given.predict(v, given.fit(v, every), every, problem.data.X.copy())
        assert np.trace(H) == pytest.approx(own)
        assert (H * H).sum() == pytest.approx(all_of_them)


@pytest.mark.parametrize("model", MODELS)
def test_bias_and_variance_are_on_average_those_of_the_trace_formula(model: str) -> None:
    problem, states = finished(model=model, samples=300)
    last, of, n = states[-1], study_of(problem).truth, problem.data.n
    expected = expected_parts(models_of(problem), problem.data.X, of.f, of.sigma)
    assert last.biases + last.variances == pytest.approx(expected.sum(axis=1), rel=0.1)
    assert last.variances == pytest.approx(expected[:, 1], rel=0.15)
    fresh, training = last.fresh.mean(axis=1), last.training.mean(axis=1)
    errors = expected_errors(models_of(problem), expected, of.sigma, n)
    assert fresh == pytest.approx(errors[:, 1], rel=0.05)
    assert fresh - training == pytest.approx(errors[:, 1] - errors[:, 0], abs=0.03)
    if model != "rows":
        hidden = 2 * of.sigma**2 * traces(models_of(problem))[:, 0] / n
        assert errors[:, 1] - errors[:, 0] == pytest.approx(hidden)


def test_of_few_samples_a_part_of_the_variance_is_expected_in_bias_as_its_docstring_says() -> None:
    """The mean of S = 2 fits has half of their variance about the fit to f: that is in bias², and off the variance."""
    problem, _ = finished(samples=2)
    f, sigma, n = study_of(problem).truth.f, study_of(problem).truth.sigma, problem.data.n
    runs = [finished(samples=2, seed=seed)[1][-1] for seed in range(200)]
    bias, scatter = expected_parts(models_of(problem), problem.data.X, f, sigma).T
    assert scatter == pytest.approx(sigma**2 * traces(models_of(problem))[:, 1] / n)
    for name, expected in (("biases", bias + scatter / 2), ("variances", (1 - 1 / 2) * scatter)):
        measured = np.array([getattr(last, name) for last in runs])
        assert (np.abs(measured.mean(axis=0) - expected) < 4 * measured.std(axis=0) / np.sqrt(200)).all()
    assert "E bias² = |f - Hf|²/n + σ² Σ H_ij²/(nS),   E variance = (1 - 1/S) σ² Σ H_ij²/n," in BV.about


@pytest.mark.parametrize(("n", "training", "fresh"), [(10, 0.5, 1.5), (50, 0.9, 1.1)])
def test_of_five_columns_the_training_error_is_too_small_by_as_much_as_the_fresh_one_is_too_large(
    n: int, training: float, fresh: float
) -> None:
    """σ²(1 - d/n) and σ²(1 + d/n), where the truth is among the columns: a line, fitted with degree 4."""
    problem = BV.problem(line.with_(n=n, noise=1.0).load(), None, {"tried": 5, "samples": 300})
    last = list(BV.start(problem))[-1]
    assert last.training[4].mean() == pytest.approx(training, abs=0.05)
    assert last.fresh[4].mean() == pytest.approx(fresh, abs=0.1)


def test_along_the_rows_training_and_fresh_error_come_together_by_the_formulas() -> None:
    """Five columns, the truth among them: σ²(1 - d/n) and σ²(1 + d/n)."""
    problem = BV.problem(
        line.with_(n=50, noise=1.0).load(), None, {"model": "rows", "degree": 4, "tried": 5, "samples": 300}
    )
    last, n = list(BV.start(problem))[-1], np.array([10, 20, 30, 40, 50])
    assert models_of(problem).values.tolist() == n.tolist()
    errors = study_of(problem).expected_errors
    assert errors == pytest.approx(np.column_stack([1 - 5 / n, 1 + 5 / n]))
    for measured, expected in zip((last.training, last.fresh), errors.T):
        off = measured.std(axis=1) / np.sqrt(300)
        assert (np.abs(measured.mean(axis=1) - expected) < 4 * off).all()
    assert last.best == 4


def test_on_the_first_rows_alone_the_fits_are_scikit_learns() -> None:
    problem, states = finished("prostate", model="rows", degree=1)
    X, y = problem.data.X, study_of(problem).drawn.targets
    for v in range(4):
        m, end = int(models_of(problem).values[v]), states[at(states, "compare", v)]
        fits = np.stack([Ridge(1e-10).fit(X[:m], sample[:m]).predict(X[:m]) for sample in y])
        assert end.mean[:m] == pytest.approx(fits.mean(axis=0), rel=1e-6)
        assert end.training[v] == pytest.approx(((y[:, :m] - fits) ** 2).mean(axis=1), rel=1e-6)


def test_the_learning_curve_has_what_is_expected_as_lines() -> None:
    problem, states = finished(model="rows")
    curve = BV.scene(problem, states[-2], states[-1]).panels[1]
    assert curve.title == "learning curve"
    lines = {mark.name: mark.at for mark in curve.marks if isinstance(mark, Paths)}
    assert lines["E fresh"][0, :, 1] == pytest.approx(study_of(problem).expected_errors[:, 1])
    assert (lines["E training"][0, :, 1] < lines["E fresh"][0, :, 1]).all()


@pytest.mark.parametrize("number", range(4))
def test_what_is_expected_is_measured(number: int) -> None:
    expectation = BV.expectations[number]
    runs = [finished(samples=5, tried=4, seed=seed) for seed in range(60)]
    measured = [expectation.measure(problem, states[-1]) for problem, states in runs]
    bound = expectation.bound(runs[-1][0], {})
    assert np.mean(measured) == pytest.approx(bound, abs=4 * np.std(measured) / np.sqrt(60))
    assert np.std(measured) / np.sqrt(60) < 0.1 * bound


def test_the_run_that_it_opens_with_shows_within_240_steps_that_training_error_chooses_the_most_flexible() -> None:
    last = list(BV(BV.datasets[0].load()))[-1]
    assert last.best == 3
    assert last.training.mean(axis=1).argmin() == 9
    assert last.biases[0] > 10 * last.variances[0]
    assert last.variances[9] > 10 * last.biases[9]
    assert last.biases[9] + last.variances[9] > 2 * (last.biases + last.variances)[3]
    assert last.t < 240


@pytest.mark.parametrize("model", ["neighbours", "memoriser"])
def test_the_memoriser_has_no_training_error_and_twice_the_noise_on_fresh_targets(model: str) -> None:
    problem, states = finished(model=model, samples=200)
    assert states[-1].training[-1] == pytest.approx(np.zeros(200), abs=1e-24)
    assert states[-1].fresh[-1].mean() == pytest.approx(2 * 0.6**2, rel=0.05)
    assert BY_HEART.verdict(problem, states[-3], states[-2]).status == "holds"


# Its states


@pytest.mark.parametrize("edit", [Label(3, 100.0), Move(3, (170.0,)), Remove(3)], ids=str)
def test_an_edit_begins_it_anew_so_that_no_fit_to_samples_of_another_truth_is_kept(edit: Any) -> None:
    run = Timeline(BV, DATA["davis"], {"tried": 3, "samples": 4}).run()
    data = edited(run.data, [edit])
    fork = run.fork(7, data=data)
    assert fork.from_start == "Bias and variance starts afresh: these samples were drawn for other rows."
    fork.run()
    assert same(fork.at(fork.last).state, list(BV(data, tried=3, samples=4))[-1])
    assert fork.failures == []


def test_half_way_nothing_but_the_data_can_be_changed() -> None:
    run = Timeline(BV, DATA["sine"], {"tried": 3, "samples": 4}).run()
    fork = run.fork(7).run()
    assert same(fork.at(fork.last).state, run.at(run.last).state)
    with pytest.raises(Refused, match="seed cannot be changed half-way"):
        run.fork(7, seed=3)


# Its theorems


def broken(problem: Problem, states: list[Any], theorem: Theorem, i: int, **changes: Any) -> None:
    """The theorem holds at the i-th state, and fails where that is changed."""
    assert theorem.verdict(problem, states[i - 1], states[i]).status == "holds"
    assert theorem.verdict(problem, states[i - 1], states[i].replaced(**changes)).status == "fails"


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", ["sine", "davis", "prostate"])
def test_they_hold_for_every_model(name: str, model: str) -> None:
    problem, states = finished(name, model=model)
    for theorem in BV.theorems:
        answers = {theorem.verdict(problem, b, a).status for b, a in zip([None, *states], states)}
        assert answers <= {"holds", "does not apply"}, theorem.statement
        assert "holds" in answers or theorem in (OPTIMAL, NESTED, BY_HEART)


@pytest.mark.parametrize(("theorem", "field", "model"), [(MEAN_SAMPLE, "mean", "rows"), (BY_HEART, "fit", "memoriser")])
def test_of_some_rows_the_one_that_is_off_is_called_by_its_own_number(theorem: Theorem, field: str, model: str) -> None:
    problem, states = finished(model=model)
    i = next(i for i, s in enumerate(states) if i and theorem.verdict(problem, states[i - 1], s).sides is not None)
    off = getattr(states[i], field).copy()
    off[2] += 1.0
    sides = theorem.verdict(problem, states[i - 1], states[i].replaced(**{field: off})).sides
    assert sides is not None
    assert sides.entry == "row 2"


def test_a_value_that_is_not_the_best_is_noticed() -> None:
    problem, states = finished(tried=6)
    assert states[-1].best == 3
    for wrong in {*range(6)} - {3}:
        broken(problem, states, LEAST, len(states) - 1, best=wrong)


@pytest.mark.parametrize("model", MODELS)
def test_a_fit_to_another_sample_or_with_another_value_is_noticed(model: str) -> None:
    """The generator goes on from the wrong fit: the mean of the fits is wrong from then on."""
    problem, states = finished(model=model)
    i, every, X = at(states, "fit", 2, 1), np.ones(problem.data.n, bool), problem.data.X
    for v, s in ((2, 0), (1, 1), (3, 1)):
        given = models_of(problem).given(study_of(problem).drawn.targets[s])
        w = given.fit(v, every)
        g = given.predict(v, w, every, X)
        broken(problem, states, MEAN_SAMPLE, i, mean=(states[i - 1].mean + g) / 2)
        if model in ("polynomial", "ridge"):
            fits = states[i].w.copy()
            fits[:, 1] = w
            broken(problem, states, OPTIMAL, i, w=fits)
            later = states[at(states, "compare", 2)]
            fits = later.w.copy()
            fits[:, 1] = w
            broken(problem, states, AVERAGED, states.index(later), w=fits)


@pytest.mark.parametrize("field", ["mean", "variance", "error"])
def test_a_running_mean_with_the_wrong_weights_is_noticed(field: str) -> None:
    problem, states = finished()
    i = at(states, "fit", 2, 3)
    wrong = getattr(states[i], field) * 3 / 4
    broken(problem, states, DECOMPOSED, i, **{field: wrong})


def test_a_variance_over_one_sample_less_is_noticed() -> None:
    """The unbiased S - 1 is another number, and bias² + variance is the error no more."""
    problem, states = finished()
    i = at(states, "compare", 2)
    broken(problem, states, DECOMPOSED, i, variance=states[i].variance * 5 / 4)
    broken(problem, states, AVERAGED, i, variances=states[i].variances * 5 / 4)


def test_a_training_error_that_rises_is_noticed() -> None:
    problem, states = finished("prostate", model="ridge")
    i = at(states, "fit", 2, 1)
    training = states[i].training.copy()
    training[2, 1] = training[1, 1] * 1.001
    broken(problem, states, NESTED, i, training=training)


def test_a_memoriser_that_forgets_is_noticed() -> None:
    problem, states = finished(model="neighbours")
    i = at(states, "fit", 3, 1)
    broken(problem, states, BY_HEART, i, fit=np.roll(states[i].fit, 1))
    broken(problem, states, BY_HEART, i, fit=0.99 * states[i].fit)


def test_a_training_error_of_other_targets_is_noticed() -> None:
    problem, states = finished()
    i = at(states, "fit", 2, 1)
    for wrong in (states[i].fresh[2, 1], states[i].training[2, 0], 0.5 * states[i].training[2, 1]):
        training = states[i].training.copy()
        training[2, 1] = wrong
        broken(problem, states, HIDES, i, training=training)


def test_a_fresh_error_of_the_sample_fitted_or_of_another_is_noticed() -> None:
    problem, states = finished()
    i = next(i for i, s in enumerate(states) if s.phase == "fit" and (s.choice, s.sample) == (2, 1))
    assert AFRESH.verdict(problem, states[i - 1], states[i]).status == "holds"
    for wrong in (states[i].training[2, 1], states[i].fresh[2, 0]):
        fresh = states[i].fresh.copy()
        fresh[2, 1] = wrong
        broken(problem, states, AFRESH, i, fresh=fresh)


def test_of_equal_rows_the_memoriser_is_claimed_to_repeat_the_first_alone() -> None:
    problem, states = finished("davis", model="memoriser")
    distinct = len(np.unique(problem.data.X))
    assert distinct < problem.data.n
    assert fits_of(problem, states[-2]).by_heart.sum() == distinct
    assert BY_HEART.verdict(problem, states[-3], states[-2]).status == "holds"
    verdict = NESTED.verdict(problem, states[-3], states[-2])
    assert verdict.why == "rows are equal, and what is known of the one is answered for the other"


# What a person sees


def test_all_fits_are_drawn_faintly_with_their_mean_and_the_truth() -> None:
    problem, states = finished()
    i = at(states, "fit", 2, 3)
    fits, along, table, at_rows = BV.scene(problem, states[i - 1], states[i]).panels
    lines = {mark.name: mark for mark in fits.marks if isinstance(mark, Paths)}
    assert lines["fits"].at.shape[0] == 4
    assert lines["mean fit"].at[0] == pytest.approx(lines["fits"].at.mean(axis=0))
    assert lines["truth"].at[0, :, 1] == pytest.approx(np.sin(np.pi * lines["truth"].at[0, :, 0]))
    assert next(mark.x for mark in along.marks if isinstance(mark, Cursor)) == 2


def test_of_several_features_the_fits_stand_against_the_truth() -> None:
    problem, states = finished("diabetes", degree=1)
    panels = BV.scene(problem, states[-2], states[-1]).panels
    assert [panel.title for panel in panels] == ["fits against the truth", "error along degree", "errors"]


def test_it_says_what_it_does() -> None:
    problem, states = finished()

    def said(i: int) -> str:
        return BV.explain(problem, states[i - 1] if i else None, states[i])

    assert said(0) == (
        "The data was made with a known f, and noise of deviation σ = 0.6. "
        "4 values are tried, from degree 0 to degree 3, on 5 samples each."
    )
    assert said(1).startswith("Sample 1 of 5: with degree 0 its error is ")
    assert said(2).partition(" The 2 fits so far have bias² ")[2]
    assert ", the least so far. With σ² that is " in said(6)
    assert said(len(states) - 1).startswith("Training error chooses degree 3, as bias² + variance does.")
    davis_problem, davis_states = finished("davis")
    assert BV.explain(davis_problem, None, davis_states[0]).startswith("A polynomial of degree 3 stands for f, ")


@pytest.mark.parametrize(
    ("model", "n", "noise", "samples", "seed", "way"),
    [
        ("polynomial", 20, 0.6, 20, 4, ": over-fitting"),
        ("memoriser", 20, 1.0, 20, 4, ": over-fitting"),
        ("rows", 60, 0.6, 20, 4, ": over-fitting"),  # of few rows the training error is small, and the variance great
        ("rows", 20, 0.1, 2, 37, ""),  # of more rows a polynomial is not more flexible
    ],
)
def test_it_says_how_the_value_that_training_error_chooses_is_wrong(
    model: str, n: int, noise: float, samples: int, seed: int, way: str
) -> None:
    data, tried = sine.with_(n=n, noise=noise).load(), 4 if samples == 2 else 10
    problem = BV.problem(data, None, {"model": model, "tried": tried, "samples": samples, "seed": seed})
    last, models = list(BV.start(problem))[-1], models_of(problem)
    trained = int(last.training.mean(axis=1).argmin())
    assert trained != last.best
    assert (model == "rows" and way != "") == (trained < last.best)
    verdict = f"Training error chooses {models.named(trained)}, bias² + variance {models.named(last.best)}{way}."
    assert BV.explain(problem, None, last).startswith(f"{verdict} The fit with ")


def test_of_more_and_more_rows_none_is_called_the_most_flexible() -> None:
    """One polynomial is fitted to them: what is expected is so of the last value, whatever the model."""
    assert all("flexible" not in expectation.statement for expectation in BV.expectations)
    assert all("flexible" not in parameter.help for parameter in BV.parameters)


def rows(n: int) -> Dataset:
    return Dataset(np.arange(float(n))[:, None], np.arange(float(n)) ** 2, kind="number")


@pytest.mark.parametrize(
    ("data", "parameters", "sentence"),
    [
        (rows(4), {}, r"^4 rows do not say how far they lie from a polynomial of degree 3: lower the degree\.$"),
        (rows(8), {"model": "neighbours"}, r"^k = 10 needs as many rows; data has 8\.$"),
        (rows(12), {"model": "rows"}, r"^10 numbers of rows from 8 on, .* degree 3, need 17 rows; data has 12\.$"),
        (rows(1500), {"model": "memoriser"}, r"among 1,000 at most; data has 1,500\.$"),
        (Dataset(1e-160 * rows(9).X, rows(9).y, kind="number"), {}, r"out of range: scale it\.$"),
        (Dataset(rows(9).X, 1e140 * rows(9).y, kind="number"), {}, r"out of range: scale it\.$"),
    ],
)
def test_what_cannot_be_done_is_said(data: Dataset, parameters: Any, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        BV(data, **parameters)


def test_equal_rows_and_targets_end_well() -> None:
    for y in (np.full(12, 3.0), np.arange(12.0)):
        run = Timeline(BV, Dataset(np.ones((12, 1)), y, kind="number"), {"tried": 3, "samples": 3}).run()
        assert run.failures == []
        assert np.isfinite(run.at(run.last).state.error).all()


def test_a_curve_of_the_held_out_rows_is_that_of_the_fit_of_now() -> None:
    run = Timeline(BV, davis.with_(target="weight", columns=("height",), hold_out=0.25), {"samples": 4}).run()
    frame = run.at(12)
    held: Any = run.data.held_out
    fit: Array = fits_of(run.problem, frame.state).at(held.X)[:, -1]
    steps, errors = run.curve("held-out error")
    assert errors[steps.tolist().index(12)] == pytest.approx(((held.y - fit) ** 2).mean())


def test_each_part_of_the_error_has_one_tone_on_the_chart_and_in_the_panels() -> None:
    problem, states = finished()
    along, at_rows = (BV.scene(problem, states[-2], states[-1]).panels[i] for i in (1, 3))
    tones = {mark.name: mark.tones[0] for panel in (along, at_rows) for mark in panel.marks if isinstance(mark, Paths)}
    tones |= {mark.name: mark.tone for mark in along.marks if isinstance(mark, ErrorBars)}
    on_chart = {curve.name: curve.tone for curve in BV.curves}
    for curve, name in (("bias² + variance", "sum"), ("training error", "training"), ("fresh error", "fresh")):
        assert on_chart[curve] == tones[name]
    assert [on_chart[part] for part in ("bias²", "variance")] == [tones["bias²"], tones["variance"]]
    assert len({on_chart[name] for name in ("bias²", "variance", "training error", "fresh error")}) == 4
