"""Bayesian linear regression: by hand, against scikit-learn and closed forms, and its theorems broken on purpose."""

from math import log, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace
from scipy import stats
from sklearn.linear_model import BayesianRidge, Ridge

from algorithms import Add, Label, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Band, Dataset, DragHandles, Ellipse, Paths
from algorithms.core.state import same
from algorithms.data import diabetes, faithful, line, prostate
from algorithms.families.estimation.bayesian_linear_regression.linear_beliefs import WeightBelief
from tests.examples import examples
from tests.families.ends import end_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_left_out_or_taken_twice_is_noticed",
    "update": "test_a_step_half_as_far_backwards_or_without_narrowing_is_noticed",
}

BAYESIAN = find("bayesian_linear_regression")
SHRINKS, RIDGE, PRECISIONS, DETERMINANT, BAYES, ORDER = BAYESIAN.theorems
MEASURE = {curve.name: curve.measure for curve in BAYESIAN.curves}


def run_of(data, **parameters):
    problem = BAYESIAN.problem(data, None, parameters)
    return problem, list(BAYESIAN.start(problem))


def statuses(problem, states):
    return [[t.verdict(problem, a, b).status for t in BAYESIAN.theorems] for a, b in zip([None, *states], states)]


def covariance(state):
    return state.root @ state.root.T


def design(data):
    return np.column_stack([data.X, np.ones(data.n)])


# By hand


def test_one_row_by_hand():
    """x = (1, 1), y = 3, σ = τ = 1: v = 2, k = (1/3, 1/3), so m = (1, 1) and Σ = I - 1/3."""
    data = Dataset([[1.0], [2.0]], [3.0, 1.5], kind="number")
    problem, states = run_of(data, sigma=1.0, tau=1.0)
    assert [s.phase for s in states] == ["start", "row", "row"]
    assert states[1].mean == pytest.approx([1, 1])
    assert covariance(states[1]) == pytest.approx(np.eye(2) - 1 / 3)
    assert states[1].evidence == pytest.approx(-0.5 * (log(2 * pi * 3) + 3))
    assert MEASURE["log volume"](problem, states[1]) == pytest.approx(log(1 / 3))
    assert MEASURE["greatest deviation"](problem, states[1]) == pytest.approx(1)  # across x nothing is learnt
    assert MEASURE["least deviation"](problem, states[1]) == pytest.approx(sqrt(1 / 3))


def test_the_lectures_prior_with_noise_of_one_is_ridge_with_one_over_its_variance():
    data = line.with_(n=20).load()
    _, states = run_of(data, sigma=1.0, tau=0.5)
    X = design(data)
    assert states[-1].mean == pytest.approx(np.linalg.solve(X.T @ X + 4 * np.eye(2), X.T @ data.y))


# Against scikit-learn and closed forms


@pytest.mark.parametrize("data", [line, prostate.with_(scale=True), diabetes.with_(columns=("bmi", "bp"), scale=True)])
def test_the_posterior_is_that_of_scikit_learns_bayesian_ridge_at_its_precisions(data):
    data = data.load()
    X = design(data)
    theirs = BayesianRidge(fit_intercept=False).fit(X, data.y)
    sigma, tau = theirs.alpha_**-0.5, theirs.lambda_**-0.5
    _, states = run_of(data, sigma=float(sigma), tau=float(tau))
    # what it reports is worked out with the precisions it ends with
    again = np.linalg.inv(theirs.lambda_ * np.eye(X.shape[1]) + theirs.alpha_ * X.T @ X)
    assert covariance(states[-1]) == pytest.approx(theirs.sigma_, rel=1e-8, abs=1e-12)
    assert covariance(states[-1]) == pytest.approx(again, rel=1e-8, abs=1e-12)
    assert states[-1].mean == pytest.approx(theirs.coef_, rel=1e-8)
    mean, deviation = theirs.predict(X[:5], return_std=True)
    fit, variance = WeightBelief(states[-1].mean, states[-1].root).of_fit(X[:5])
    assert fit == pytest.approx(mean, rel=1e-8)
    assert np.sqrt(variance + sigma**2) == pytest.approx(deviation, rel=1e-8)


@pytest.mark.parametrize("intercept", [True, False])
def test_after_every_row_the_mean_is_scikit_learns_ridge(intercept):
    data = prostate.with_(scale=True).load()
    X = design(data) if intercept else data.X
    _, states = run_of(data, sigma=0.7, tau=2.0, intercept=intercept)
    for n in (1, 5, 40, 97):
        theirs = Ridge(alpha=0.49 / 4, fit_intercept=False, solver="svd").fit(X[:n], data.y[:n])
        assert states[n].mean == pytest.approx(theirs.coef_, rel=1e-8, abs=1e-10)


def test_the_evidence_is_that_of_correlated_targets():
    data = line.with_(n=15).load()
    _, states = run_of(data, sigma=0.4, tau=1.5)
    X = design(data)
    together = stats.multivariate_normal(np.zeros(15), 0.16 * np.eye(15) + 2.25 * X @ X.T)
    assert states[-1].evidence == pytest.approx(together.logpdf(data.y))


def test_a_density_is_scipys():
    rng = np.random.default_rng(0)
    belief = WeightBelief(rng.standard_normal(3), rng.standard_normal((3, 3)))
    at = rng.standard_normal((6, 3))
    theirs = stats.multivariate_normal(belief.mean, belief.covariance)
    assert belief.log_density(at) == pytest.approx(theirs.logpdf(at))
    assert belief.deviations == pytest.approx(np.sqrt(np.diag(belief.covariance)))
    assert belief.variances() == pytest.approx(np.linalg.eigvalsh(belief.covariance)[::-1])


def test_the_truth_is_found_in_the_long_run():
    _, states = run_of(line.with_(n=3000).load())
    deviations = np.sqrt(np.diag(covariance(states[-1])))
    assert np.abs(states[-1].mean - [2.0, 1.0]).max() < 4 * deviations.max() < 0.06


def test_another_order_of_the_rows_ends_in_the_same():
    data = prostate.with_(scale=True).load()
    order = np.random.default_rng(1).permutation(data.n)
    other = Dataset(data.X[order], data.y[order], kind="number")
    mine, theirs = run_of(data)[1][-1], run_of(other)[1][-1]
    assert mine.mean == pytest.approx(theirs.mean, rel=1e-9)
    assert covariance(mine) == pytest.approx(covariance(theirs), rel=1e-9)
    assert mine.evidence == pytest.approx(theirs.evidence, rel=1e-9)


def test_what_is_believed_of_the_covariance_does_not_hang_on_the_targets():
    data = line.with_(n=10).load()
    mine, theirs = run_of(data)[1][-1], run_of(Dataset(data.X, -7 * data.y, kind="number"))[1][-1]
    assert same(mine.root, theirs.root)


# Its states


@pytest.mark.parametrize("changed", [{"tau": 0.1}, {"sigma": 3.0}])
def test_another_prior_halfway_is_as_if_it_had_been_there_from_the_start(changed):
    data = line.with_(n=40)
    run = Timeline(BAYESIAN, data)
    run.advance(21)
    fork = run.fork(20, **changed).run()
    assert same(fork.at(fork.last).state, end_of(BAYESIAN(data, **changed))[0])
    assert not fork.failures
    by_name = {v.theorem.statement: v.status for v in fork.verdicts(fork.at(30))}
    assert by_name[ORDER.statement] == by_name[RIDGE.statement] == "does not apply"
    assert by_name[BAYES.statement] == by_name[PRECISIONS.statement] == "holds"


@pytest.mark.parametrize("t", [0, 7, 40])
def test_an_edited_run_ends_where_a_fresh_one_does(t):
    run = Timeline(BAYESIAN, line.with_(n=40))
    run.advance(t + 1)
    data = edited(run.data, [Move(6, (9.0,)), Label(3, -2.0), Remove(2), Remove(30), Add((4.0,), 1.0)])
    fork, (other, _) = run.fork(t, data=data).run(), end_of(BAYESIAN(data))
    mine = fork.at(fork.last).state
    assert (mine.rows, mine.evidence) == (other.rows, other.evidence)
    assert same(mine.mean, other.mean)
    assert same(mine.root, other.root)
    assert not fork.failures


def test_the_mean_can_be_dragged_and_the_run_goes_on():
    run = Timeline(BAYESIAN, line).run()
    frame = run.at(5)
    marks = BAYESIAN.scene(run.problem, frame.before, frame.state).panels[1].marks
    (grips,) = (mark for mark in marks if isinstance(mark, DragHandles))
    assert grips.at[0] == pytest.approx(frame.state.mean[::-1])  # the intercept across
    moved = grips.moved(frame.state, 0, np.array([-1.0, 0.3]))
    assert moved.mean.tolist() == [0.3, -1.0]
    assert not run.fork(5, state=moved).run().failures


@pytest.mark.parametrize("size", [1e-160, 1e140])
def test_sizes_of_which_no_squares_can_be_taken_are_refused_in_words(size):
    with pytest.raises(Refused, match=r"out of range: scale it\.$"):
        BAYESIAN(Dataset(size * np.arange(1.0, 5)[:, None], [1.0, 2.5, 3.0, 1.0], kind="number"))


def test_features_beside_which_the_prior_is_nothing_are_refused_in_words():
    with pytest.raises(Refused, match=r"rounding leaves nothing of Σ: scale the features\.$"):
        BAYESIAN(Dataset(1e8 * np.arange(1.0, 5)[:, None], [1.0, 2.5, 3.0, 1.0], kind="number"))


# Its theorems


@settings(deadline=None, max_examples=examples(40))
@given(
    st.integers(1, 4),
    st.integers(2, 12),
    st.floats(0.01, 30),
    st.floats(0.01, 30),
    st.sampled_from([1e-3, 1.0, 30.0]),
    st.integers(0, 100),
)
def test_they_hold_for_any_rows_and_any_prior(d, n, sigma, tau, size, seed):
    rng = np.random.default_rng(seed)
    X = size * rng.integers(-3, 4, (n, d)).astype(float) + 0.1
    problem, states = run_of(Dataset(X, rng.standard_normal(n) * 5, kind="number"), sigma=sigma, tau=tau)
    assert statuses(problem, states)[1:] == [["holds"] * 6] * n


def test_a_row_left_out_or_taken_twice_is_noticed():
    data = line.with_(n=20).load()
    problem, states = run_of(data)
    which = [0, 1, 2, 3, 3, *range(5, 20)]  # row 4 is left out, and row 3 taken twice
    _, wrong = run_of(Dataset(data.X[which], data.y[which], kind="number"))
    assert statuses(problem, wrong[:5])[-1] == ["holds"] * 6
    for theorem in (RIDGE, PRECISIONS, DETERMINANT, BAYES, ORDER):
        assert theorem.verdict(problem, wrong[4], wrong[5]).status == "fails"
    skipped = states[5].after("row", rows=6)  # not learnt from at all
    for theorem in (RIDGE, PRECISIONS, DETERMINANT, BAYES, ORDER):
        assert theorem.verdict(problem, states[5], skipped).status == "fails"


@pytest.mark.parametrize("share", [-1.0, 0.0, 0.5, 2.0])
def test_a_step_half_as_far_backwards_or_without_narrowing_is_noticed(share):
    problem, states = run_of(line.load())
    before, after = states[4], states[5]
    wrong = replace(after, mean=before.mean + share * (after.mean - before.mean))
    assert RIDGE.verdict(problem, before, wrong).status == "fails"
    assert BAYES.verdict(problem, before, wrong).status == "fails"
    narrowed = replace(after, root=before.root + share * (after.root - before.root))
    for theorem in (PRECISIONS, DETERMINANT, BAYES):
        assert theorem.verdict(problem, before, narrowed).status == "fails"


def test_along_u_the_variance_falls_only_where_a_row_says_something_of_it_as_its_docstring_says():
    """(1, 0) with τ = 1, σ = ½: along it 1 becomes 1 - 1/(¼ + 1), across it stays; a row of 0 says nothing."""
    data = Dataset([[1.0, 0.0], [0.0, 0.0]], [1.0, 2.0], kind="number")
    problem, states = run_of(data, tau=1.0, sigma=0.5, intercept=False)
    assert covariance(states[1]) == pytest.approx(np.diag([0.2, 1.0]))
    assert covariance(states[2]) == pytest.approx(np.diag([0.2, 1.0]))
    assert statuses(problem, states)[2][0] == "holds"
    assert "falls by (u·Σx)²/(σ² + v), so that it never rises" in BAYESIAN.about
    assert "fall in every direction" not in BAYESIAN.about


def test_a_covariance_that_grows_along_an_axis_is_noticed():
    problem, states = run_of(line.load())
    before, after = states[4], states[5]
    wider = replace(after, root=before.root + (before.root - after.root))
    assert SHRINKS.verdict(problem, before, wider).status == "fails"
    assert SHRINKS.verdict(problem, before, after).status == "holds"


def test_least_squares_without_a_prior_is_not_the_mean():
    data = line.with_(n=10).load()
    problem, states = run_of(data, tau=0.3)
    exact = np.linalg.lstsq(design(data), data.y)[0]
    assert RIDGE.verdict(problem, None, replace(states[-1], mean=exact)).status == "fails"


def test_an_evidence_without_what_is_learnt_is_noticed():
    problem, states = run_of(line.load())
    assert ORDER.verdict(problem, None, replace(states[9], evidence=states[9].evidence + 1e-3)).status == "fails"


# What a person sees


def test_it_explains_its_steps():
    data = Dataset([[1.0], [2.0]], [3.0, 1.5], kind="number")
    problem, states = run_of(data, sigma=1.0, tau=1.0)
    start = "Before any row each weight is 0 ± 1, as under a ridge penalty λ = σ²/τ² = 1."
    assert BAYESIAN.explain(problem, None, states[0]) == start
    assert BAYESIAN.explain(problem, states[0], states[1]) == (
        "Row 0 (x1 1) has y 3; 0 ± 1.73 was expected. Now x·w is known there to ± 0.82, before to ± 1.4; "
        "slope is 1 ± 0.82."
    )


def test_of_one_feature_lines_and_a_band_are_seen_over_the_rows_and_the_weights_as_ellipses():
    problem, states = run_of(line.load())
    fit, weights, *_ = BAYESIAN.scene(problem, states[4], states[5]).panels
    (lines,) = (mark for mark in fit.marks if isinstance(mark, Paths))
    assert lines.at.shape == (12, 2, 2)
    (band,) = (mark for mark in fit.marks if isinstance(mark, Band))
    middle = (band.lower + band.upper) / 2
    of_mean = band.x * states[5].mean[0] + states[5].mean[1]
    assert middle == pytest.approx(of_mean)
    ellipses = [mark for mark in weights.marks if isinstance(mark, Ellipse)]
    assert ellipses[1].mean == pytest.approx(states[5].mean[::-1])
    assert ellipses[1].covariance == pytest.approx(covariance(states[5])[::-1, ::-1])


def test_the_row_s_strip_holds_the_weights_that_fit_it():
    problem, states = run_of(line.load())
    weights = BAYESIAN.scene(problem, states[4], states[5]).panels[1]
    (strip,) = (mark for mark in weights.marks if isinstance(mark, Band))
    x, y = float(problem.data.X[4, 0]), float(problem.data.y[4])
    inside = (strip.lower > weights.limits[1][0]) & (strip.upper < weights.limits[1][1])
    assert inside.sum() > 5
    ends = np.sort([strip.x + strip.lower * x - y, strip.x + strip.upper * x - y], axis=0)[:, inside]
    assert ends[0] == pytest.approx(-0.5)
    assert ends[1] == pytest.approx(0.5)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize(
    "data", [faithful.with_(target="eruptions", columns=("waiting",)), prostate.with_(scale=True, hold_out=0.3)]
)
def test_the_panels_are_there_for_any_number_of_weights(data, intercept):
    run = Timeline(BAYESIAN, data, {"intercept": intercept, "sigma": 5.0})
    run.advance(12)
    frame = run.at(9)
    assert len(BAYESIAN.scene(run.problem, frame.before, frame.state).panels) == 4
    assert not run.troubles
    if data.hold_out:
        assert np.isfinite(run.curve("held-out error")[1]).all()
