"""Learning a mean: by hand, against closed forms and SciPy, over many samples, and its theorems broken on purpose."""

from math import inf, log, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace
from scipy import stats

from algorithms import Add, Move, Refused, Remove, Timeline, edited, find
from algorithms.core import Band, Dataset, DragHandles, Paths
from algorithms.core.state import same
from algorithms.data import coin, faithful, gaussian, line
from algorithms.families.estimation.shared.mean_beliefs import MeanBelief, log_evidence
from algorithms.families.estimation.shared.student import Student
from algorithms.sweeping import estimates
from tests.examples import examples

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_a_row_left_out_or_taken_twice_is_noticed",
    "update": "test_a_mean_moved_the_wrong_way_half_as_far_or_not_at_all_is_noticed",
}

MEAN = find("gaussian_mean")
BETWEEN, BAYES, PRECISIONS, LIKELIEST, ORDER = MEAN.theorems
BOTH = ("known", "unknown")
MEASURE = {curve.name: curve.measure for curve in MEAN.curves}


def rows(*values, **more):
    return Dataset(np.array(values, float)[:, None], **more)


def run_of(data, **parameters):
    problem = MEAN.problem(data, None, parameters)
    return problem, list(MEAN.start(problem))


def statuses(problem, states):
    return [[t.verdict(problem, a, b).status for t in MEAN.theorems] for a, b in zip([None, *states], states)]


# By hand


def test_two_rows_by_hand():
    """N(0, 1) before, σ = 1: κ = 1. Row 3 moves m by 3/2 and row 0 by -1/2, to (0 + 3 + 0)/3."""
    problem, states = run_of(rows(3, 0), tau=1.0, sigma=1.0)
    assert [s.phase for s in states] == ["start", "row", "row"]
    assert [(s.mean, s.weight, s.rows) for s in states] == [(0.0, 1.0, 0), (1.5, 2.0, 1), (1.0, 3.0, 2)]
    assert [s.average for s in states] == [0.0, 3.0, 1.5]
    assert [s.scatter for s in states] == [0.0, 0.0, 4.5]
    assert [s.surprise for s in states] == [0.0, 4.5, 6.0]  # 1/2 3², then 2/3 1.5²
    expected = -0.5 * (log(2 * pi * 2) + 4.5) - 0.5 * (log(2 * pi * 1.5) + 1.5)
    assert states[-1].evidence == pytest.approx(expected)
    assert MEASURE["MLE of σ²"](problem, states[-1]) == 2.25
    assert MEASURE["unbiased"](problem, states[-1]) == 4.5
    assert np.isnan(MEASURE["MLE"](problem, states[0]))


def test_a_mean_far_off_weighs_as_many_rows_as_the_prior_counts():
    problem, states = run_of(rows(1, 1, 1, 1), prior_mean=9.0, tau=0.5, sigma=1.0)
    assert states[-1].mean == pytest.approx((4 * 9 + 4 * 1) / 8)
    assert MEASURE["prior's share"](problem, states[-1]) == 0.5


# Against closed forms and SciPy


def test_of_a_known_variance_it_is_the_closed_form():
    x = faithful.with_(columns=("eruptions",)).load().X[:, 0]
    problem, states = run_of(faithful.with_(columns=("eruptions",)).load(), prior_mean=1.0, tau=0.3, sigma=1.1)
    for n in (1, 7, 272):
        precision = 1 / 0.3**2 + n / 1.1**2
        assert states[n].mean == pytest.approx((1.0 / 0.3**2 + x[:n].sum() / 1.1**2) / precision, rel=1e-12)
        assert MEASURE["deviation"](problem, states[n]) == pytest.approx(precision**-0.5, rel=1e-12)
        assert states[n].average == pytest.approx(x[:n].mean(), rel=1e-12)
        assert MEASURE["MLE of σ²"](problem, states[n]) == pytest.approx(x[:n].var(), rel=1e-12, abs=1e-15)


def test_of_a_known_variance_the_evidence_is_that_of_correlated_rows():
    """x ~ N(μ₀ 1, σ² I + τ² 11')."""
    data = gaussian.with_(n=12).load()
    _, states = run_of(data, prior_mean=1.0, tau=0.7, sigma=1.3)
    together = stats.multivariate_normal(np.ones(12), 1.69 * np.eye(12) + 0.49)
    assert states[-1].evidence == pytest.approx(together.logpdf(data.X[:, 0]))


def test_of_an_unknown_variance_the_posterior_is_that_of_a_quadrature():
    """p(μ) from the definition: the integral of prior times likelihood over ln σ², on a fine grid."""
    data, x = rows(1, 2.5, 0.3), np.array([1, 2.5, 0.3])
    problem, states = run_of(data, variance="unknown", prior_mean=0.5, tau=0.8, sigma=1.2, guess=5.0)
    square, mu = np.exp(np.linspace(-6, 9, 301)), np.linspace(-30, 31, 1526)[:, None]
    deviation = np.sqrt(square)
    joint = stats.invgamma(2.5, scale=2.5 * 1.44).pdf(square) * square
    joint = joint * stats.norm.pdf(mu, 0.5, deviation / sqrt(1.44 / 0.64))
    for value in x:
        joint *= stats.norm.pdf(value, mu, deviation)
    over_square = joint.sum(axis=1) * 0.05
    evidence = over_square.sum() * 0.04
    assert states[-1].evidence == pytest.approx(log(evidence), rel=1e-5)
    last = states[-1]
    of_mean = Student(last.mean, sqrt((5 * 1.44 + last.surprise) / 8 / last.weight), 8.0)
    assert of_mean.density(mu[:, 0]) == pytest.approx(over_square / evidence, rel=1e-4, abs=1e-6)
    table = MEAN.scene(problem, None, last).panels[-2].marks[0]
    assert [row[3] for row in table.rows[:2]] == [last.mean, pytest.approx(of_mean.deviation)]


@pytest.mark.parametrize("freedom", [1.0, 2.5, 7.0, 1000.0, inf])
def test_the_distribution_is_scipys(freedom):
    ours = Student(2.0, 3.0, freedom)
    theirs = stats.norm(2, 3) if freedom == inf else stats.t(freedom, 2, 3)
    at = np.linspace(-20, 20, 41)
    assert ours.density(at) == pytest.approx(theirs.pdf(at), rel=1e-9)
    assert ours.interval == pytest.approx(theirs.ppf([0.025, 0.975]), rel=1e-3)
    if freedom > 2:
        assert ours.deviation == pytest.approx(theirs.std())
    else:
        assert np.isnan(ours.deviation)


def test_a_well_known_deviation_is_as_good_as_a_known_one():
    data = gaussian.with_(n=30).load()
    _, known = run_of(data)
    problem, guessed = run_of(data, variance="unknown", guess=1000.0)
    assert guessed[-1].mean == known[-1].mean
    assert guessed[-1].evidence == pytest.approx(known[-1].evidence, abs=0.05)
    assert MEASURE["deviation"](problem, guessed[-1]) == pytest.approx(1 / sqrt(34), rel=0.02)


def test_the_truth_is_found_in_the_long_run():
    problem, states = run_of(gaussian.with_(n=5000, mean=3.0, deviation=2.0).load(), variance="unknown")
    assert states[-1].mean == pytest.approx(3.0, abs=4 * MEASURE["deviation"](problem, states[-1]))
    assert MEASURE["MLE of σ²"](problem, states[-1]) == pytest.approx(4.0, rel=0.1)
    assert (MEASURE["truth"](problem, states[-1]), MEASURE["true σ²"](problem, states[-1])) == (3.0, 4.0)


def test_the_truth_of_scaled_rows_is_not_that_of_the_others():
    problem, states = run_of(gaussian.with_(mean=5.0, scale=True).load())
    assert np.isnan(MEASURE["truth"](problem, states[0]))
    assert MEAN.scene(problem, None, states[3]).panels[0].axes[0] == "μ of x (scaled)"


# Over many samples


def test_the_likeliest_variance_is_too_small_on_average():
    *_, estimate = estimates(MEAN.expectations[0], MEAN, gaussian.with_(deviation=2.0), runs=200, jobs=1)
    assert estimate.bound == pytest.approx(4 / 5 * 4.0)
    assert abs(estimate.mean - estimate.bound) < 3.5 * estimate.error
    assert estimate.mean < 4.0 - 3.5 * estimate.error  # and not σ²


def test_the_mean_of_25_has_a_variance_25_times_smaller():
    *_, estimate = estimates(MEAN.expectations[1], MEAN, gaussian.with_(n=25), runs=100, jobs=1)
    assert estimate.bound == pytest.approx(0.04)
    assert abs(estimate.mean - 0.04) < 3.5 * estimate.error < 0.025


@pytest.mark.parametrize("data", [faithful.with_(columns=("eruptions",)), line, gaussian.with_(scale=True)])
def test_over_samples_of_which_the_truth_is_not_known_nothing_is_expected(data):
    with pytest.raises(Refused, match=r"the mean and deviation that the rows were made with, which are not known of"):
        next(estimates(MEAN.expectations[0], MEAN, data, runs=2, jobs=1))


# Its states


@pytest.mark.parametrize("changed", [{"tau": 0.1}, {"sigma": 3.0}, {"variance": "unknown"}])
def test_another_prior_halfway_is_as_if_it_had_been_there_from_the_start(changed):
    run = Timeline(MEAN, gaussian).run()
    fork = run.fork(20, **changed).run()
    fresh = Timeline(MEAN, gaussian, changed).run()
    assert same(fork.at(fork.last).state, fresh.at(fresh.last).state)
    assert not fork.failures
    by_name = {v.theorem.statement: v.status for v in fork.verdicts(fork.at(30))}
    assert by_name[ORDER.statement] == by_name[BETWEEN.statement] == "does not apply"
    assert by_name[BAYES.statement] == by_name[PRECISIONS.statement] == "holds"


@pytest.mark.parametrize("t", [0, 7, 40])
def test_an_edited_run_ends_where_a_fresh_one_does(t):
    run = Timeline(MEAN, gaussian, {"variance": "unknown"}).run()
    data = edited(run.data, [Move(6, (9.0,)), Remove(2), Remove(30), Add((4.0,))])
    fork, fresh = run.fork(t, data=data).run(), Timeline(MEAN, data, {"variance": "unknown"}).run()
    assert same(
        replace(fork.at(fork.last).state, t=0, iteration=0), replace(fresh.at(fresh.last).state, t=0, iteration=0)
    )
    assert not fork.failures


def test_the_posterior_can_be_dragged_and_the_prior_at_the_start():
    run = Timeline(MEAN, gaussian).run()
    frame = run.at(10)
    marks = MEAN.scene(run.problem, frame.before, frame.state).panels[0].marks
    (grips,) = (mark for mark in marks if isinstance(mark, DragHandles))
    moved = grips.moved(frame.state, 0, np.array([-1.0, 0.3]))
    assert (moved.mean, moved.weight) == (-1.0, frame.state.weight)
    assert grips.sets(np.array([1.23456, 0.0])) == {"prior_mean": 1.235}
    fork = run.fork(10, state=moved).run()
    assert not fork.failures
    assert fork.at(40).state.mean == pytest.approx(run.at(40).state.mean - 14 / 44 * (frame.state.mean + 1))


def test_sizes_of_which_no_squares_can_be_taken_are_refused_in_words():
    with pytest.raises(Refused, match=r"out of range: scale it\.$"):
        MEAN(rows(1e140, 2e140))


# Its theorems


@settings(deadline=None, max_examples=examples(40))
@given(
    st.lists(st.floats(-50, 50).map(lambda x: round(x, 3)), min_size=2, max_size=15),
    st.sampled_from(BOTH),
    st.floats(-20, 20),
    st.floats(0.01, 100),
    st.floats(0.1, 100),
)
def test_they_hold_for_any_rows_and_any_prior(values, variance, prior_mean, tau, sigma):
    problem, states = run_of(rows(*values), variance=variance, prior_mean=prior_mean, tau=tau, sigma=sigma)
    for each in statuses(problem, states):
        assert "fails" not in each
    assert statuses(problem, states)[-1].count("holds") >= 4


@pytest.mark.parametrize("variance", BOTH)
def test_they_hold_after_very_many_rows(variance):
    problem, states = run_of(gaussian.with_(n=30_000).load(), variance=variance)
    assert statuses(problem, states[-2:])[1] == ["holds"] * 5


def test_equal_rows_have_no_likeliest_variance():
    problem, states = run_of(rows(2, 2, 3), variance="unknown")
    verdicts = [LIKELIEST.verdict(problem, None, s) for s in states]
    assert [v.status for v in verdicts] == ["does not apply"] * 3 + ["holds"]
    assert verdicts[1].why == "one row is fitted the better the smaller σ is, without end"
    assert verdicts[2].why == "equal rows are fitted the better the smaller σ is, without end"


@pytest.mark.parametrize("variance", BOTH)
def test_a_row_left_out_or_taken_twice_is_noticed(variance):
    data = gaussian.load()
    problem, states = run_of(data, variance=variance)
    other = Dataset(data.X[[0, 1, 2, 3, 3, 5, 6, 7]])  # row 4 is left out, and row 3 taken twice
    _, wrong = run_of(other, variance=variance)
    assert statuses(problem, wrong[:5])[-1] == ["holds"] * 5
    seen = [theorem.verdict(problem, wrong[4], wrong[5]).status for theorem in (BAYES, LIKELIEST, ORDER)]
    assert seen == ["fails"] * 3
    skipped = states[5].after("row", rows=6)  # not learnt from at all
    assert BAYES.verdict(problem, states[5], skipped).status == "fails"
    assert PRECISIONS.verdict(problem, states[5], skipped).status == "fails"


@pytest.mark.parametrize("variance", BOTH)
@pytest.mark.parametrize("share", [-1.0, 0.0, 0.5, 2.0])
def test_a_mean_moved_the_wrong_way_half_as_far_or_not_at_all_is_noticed(variance, share):
    problem, states = run_of(gaussian.load(), variance=variance)
    before, after = states[6], states[7]
    wrong = replace(after, mean=before.mean + share * (after.mean - before.mean))
    assert BAYES.verdict(problem, before, wrong).status == "fails"
    assert BAYES.verdict(problem, before, after).status == "holds"


def test_a_mean_beyond_the_mean_of_the_rows_is_noticed():
    problem, states = run_of(gaussian.load())
    assert BETWEEN.verdict(problem, None, replace(states[9], mean=states[9].average + 1e-6)).status == "fails"
    assert BETWEEN.verdict(problem, None, replace(states[9], mean=-1e-6)).status == "fails"


@pytest.mark.parametrize("variance", BOTH)
def test_deviations_added_instead_of_precisions_are_noticed(variance):
    problem, states = run_of(gaussian.load(), variance=variance)
    wrong = replace(states[9], weight=states[8].weight * 1.5)
    assert PRECISIONS.verdict(problem, None, wrong).status == "fails"
    assert BAYES.verdict(problem, states[8], wrong).status == "fails"


@pytest.mark.parametrize("variance", BOTH)
def test_estimates_beside_the_likeliest_are_noticed(variance):
    problem, states = run_of(gaussian.load(), variance=variance)
    last = states[-1]
    assert LIKELIEST.verdict(problem, None, replace(last, average=last.average + 1e-3)).status == "fails"
    if variance == "unknown":  # the unbiased estimate is not the likeliest
        unbiased = replace(last, scatter=last.scatter * 40 / 39)
        assert LIKELIEST.verdict(problem, None, unbiased).status == "fails"


@pytest.mark.parametrize("variance", ["known", "unknown"])
def test_of_a_first_feature_too_small_to_be_squared_nothing_is_said_by_the_others(variance):
    rows = Dataset([[1e-300, 1.0], [3e-300, 2.0], [-2e-300, 3.0]])
    with pytest.raises(Refused, match="out of range"):
        Timeline(MEAN, rows, {"variance": variance})


def test_an_evidence_without_what_is_learnt_is_noticed():
    problem, states = run_of(gaussian.load())
    first = MeanBelief(0.0, 4.0, 1.0)
    unlearnt = float(first.of_next.log_density(problem.data.X[:, 0]).sum())
    assert ORDER.verdict(problem, None, states[-1]).status == "holds"
    assert ORDER.verdict(problem, None, replace(states[-1], evidence=unlearnt)).status == "fails"
    assert log_evidence(first, np.zeros(0))[0] == 0.0


# What a person sees


def test_it_explains_its_steps():
    problem, states = run_of(rows(3, 0), tau=1.0, sigma=1.0)
    assert MEAN.explain(problem, None, states[0]) == (
        "Before any row μ is 0 ± 1: the prior's weight, in rows, is σ²/τ² = 1."
    )
    assert MEAN.explain(problem, states[1], states[2]) == (
        "Row 1 is 0; 1.5 ± 1.22 was expected, and m moves by 1/κ = 0.333 of what it was off. "
        "The mean of 2 is 1.5; the prior has 33% of the weight: μ is 1 ± 0.58."
    )


@pytest.mark.parametrize("variance", BOTH)
def test_every_density_that_is_drawn_has_area_one(variance):
    problem, states = run_of(gaussian.load(), variance=variance)
    panel = MEAN.scene(problem, None, states[-1]).panels[0]
    drawn = [at for mark in panel.marks if isinstance(mark, Paths) for at in mark.at]
    assert len(drawn) == 3
    for at in drawn:
        assert np.trapezoid(at[:, 1], at[:, 0]) == pytest.approx(1, abs=0.03)
        assert at[:, 1].max() <= panel.limits[1][1]


def test_only_the_first_feature_is_meant_and_no_row_is_put_where_the_others_are_not_known():
    data = Dataset(np.column_stack([gaussian.load().X, np.arange(40.0)]))
    problem, states = run_of(data)
    assert states[-1].average == pytest.approx(data.X[:, 0].mean())
    points = MEAN.scene(problem, None, states[5]).panels[1].marks[-1]
    assert points.put is None
    assert MEAN.scene(*run_of(coin.load())[:1], None, states[0]).panels[1].marks[-1].put(np.array([3.0, 7.0]))[0] == [
        7.0
    ]


def test_the_truth_is_unknown_of_real_rows():
    problem, states = run_of(faithful.with_(columns=("eruptions",)).load())
    assert np.isnan(MEASURE["truth"](problem, states[0]))


def test_the_axis_of_rows_leaves_room_for_what_is_expected_of_the_next():
    problem, states = run_of(gaussian.with_(n=80).load())
    for rows, shown in ((0, 20), (19, 20), (20, 40), (80, 80)):
        panel = MEAN.scene(problem, None, states[rows]).panels[1]
        assert panel.limits[0] == (0.0, shown + 1.0)
        bands = [mark for mark in panel.marks if isinstance(mark, Band)]
        assert [mark.x.tolist() for mark in bands] == ([[rows + 0.6, shown + 1.0]] if rows < 80 else [])
