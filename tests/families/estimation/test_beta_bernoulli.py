"""Learning a coin: by hand, against SciPy, and its theorems broken on purpose."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace
from scipy import integrate, stats

from algorithms import Add, Label, Refused, Remove, Timeline, edited, find
from algorithms.core import Dataset, Paths
from algorithms.data import badges, coin, davis, iris
from algorithms.families.estimation.beta_bernoulli import beta as _beta
from algorithms.families.estimation.beta_bernoulli.beta import Beta, interval, log_beta, masses
from tests.examples import examples
from tests.families.ends import end_of

WRONG = {  # the planted faults that a live theorem has to notice
    "choice": "test_forgetting_a_toss_or_not_learning_from_it_breaks_that_the_order_does_not_matter",
    "update": "test_a_toss_counted_for_the_other_side_twice_or_not_at_all_breaks_bayes_rule",
}

COIN = find("beta_bernoulli")
BETWEEN, BAYES, TO_ONE, WEIGHED, ORDER = COIN.theorems
PLANTED = {  # true of any counts of heads and tails: what breaks them is in the formulas
    TO_ONE.statement: "test_a_wrong_normalisation_breaks_that_it_integrates_to_one",
    BETWEEN.statement: "test_an_update_that_counts_tails_as_heads_breaks_that_the_mean_is_between",
    WEIGHED.statement: "test_a_mean_that_forgets_the_prior_is_not_the_weighed_one",
}
SHAPES = (0.01, 0.3, 1.0, 1.5, 2.0, 17.0, 400.0)
MEASURE = {curve.name: curve.measure for curve in COIN.curves}


def tossed(faces, **more):
    """Tosses written as HTTH."""
    return Dataset(np.arange(float(len(faces)))[:, None], [f == "H" for f in faces], classes=("tails", "heads"), **more)


def states_of(data, **parameters):
    return list(COIN(data, **parameters))


# By hand


def test_three_tosses_by_hand():
    """From Beta(1, 1): heads is expected with 1/2, the next heads with 2/3, tails then with 1/4."""
    states = states_of(tossed("HHT"), alpha=1, beta=1)
    assert [s.phase for s in states] == ["start", "heads", "heads", "tails"]
    assert [(s.heads, s.tails) for s in states] == [(0, 0), (1, 0), (2, 0), (2, 1)]
    assert [s.evidence for s in states] == pytest.approx([0, log(1 / 2), log(1 / 3), log(1 / 12)])
    problem = COIN.problem(tossed("HHT"), None, {"alpha": 1, "beta": 1})
    assert MEASURE["posterior mean"](problem, states[-1]) == pytest.approx(3 / 5)
    assert MEASURE["posterior mode"](problem, states[-1]) == MEASURE["MLE"](problem, states[-1]) == pytest.approx(2 / 3)
    assert np.isnan(MEASURE["MLE"](problem, states[0]))


def test_the_lectures_tosses():
    """0 0 0 0 1 1 0 0 0: Beta(α + 2, β + 7)."""
    data = tossed("TTTTHHTTT")
    problem = COIN.problem(data, None, {"alpha": 3, "beta": 4})
    last = list(COIN.start(problem))[-1]
    assert (last.heads, last.tails) == (2, 7)
    assert MEASURE["posterior mean"](problem, last) == pytest.approx((3 + 2) / (3 + 4 + 9))
    assert MEASURE["posterior mode"](problem, last) == pytest.approx((3 + 2 - 1) / (3 + 4 + 9 - 2))


def test_the_truth_is_found_in_the_long_run():
    data = coin.with_(n=20_000, p=0.3).load()
    problem = COIN.problem(data)
    last = list(COIN.start(problem))[-1]
    mean, deviation = MEASURE["posterior mean"](problem, last), MEASURE["deviation"](problem, last)
    assert mean == pytest.approx(0.3, abs=4 * deviation)
    assert deviation < 0.004
    assert MEASURE["truth"](problem, last) == 0.3
    assert np.isnan(MEASURE["truth"](COIN.problem(badges.load()), last))


def test_badges_are_tosses_too():
    last = states_of(badges.load())[-1]
    assert (last.heads, last.tails) == (22, 14)


# Against SciPy


@pytest.mark.parametrize("a", SHAPES)
@pytest.mark.parametrize("b", SHAPES)
def test_the_distribution_is_scipys(a, b):
    ours, theirs = Beta(a, b), stats.beta(a, b)
    assert ours.mean == pytest.approx(theirs.mean(), rel=1e-12)
    assert ours.deviation == pytest.approx(theirs.std(), rel=1e-12)
    at = np.linspace(0.001, 0.999, 97)
    assert ours.density(at) == pytest.approx(theirs.pdf(at), rel=1e-9, abs=1e-300)
    assert masses(a, b)[1].sum() == pytest.approx(1, abs=1e-11)
    assert interval(a, b) == pytest.approx(theirs.ppf([0.025, 0.975]), abs=2e-4)


def test_the_mode_is_where_the_density_is_greatest():
    at = np.linspace(0, 1, 4001)[1:-1]
    for a in SHAPES:
        for b in SHAPES:
            mode, heights = Beta(a, b).mode, stats.beta(a, b).pdf(at)
            if (a < 1 and b < 1) or a == b == 1:
                assert np.isnan(mode)
            else:
                assert mode == pytest.approx(at[heights.argmax()], abs=3e-4)


def test_the_posterior_is_prior_times_likelihood_over_their_integral():
    """By another quadrature, from the definition."""
    alpha, beta, h, t = 2.5, 4.0, 7, 3

    def joint(x):
        return stats.beta(alpha, beta).pdf(x) * x**h * (1 - x) ** t

    evidence = integrate.quad(joint, 0, 1, epsabs=1e-14)[0]
    at = np.linspace(0.01, 0.99, 50)
    assert Beta(alpha + h, beta + t).density(at) == pytest.approx(joint(at) / evidence, rel=1e-9)
    assert log_beta(alpha + h, beta + t) - log_beta(alpha, beta) == pytest.approx(log(evidence))
    last = states_of(tossed("HTHHHTHTHH"), alpha=alpha, beta=beta)[-1]
    assert last.evidence == pytest.approx(log(evidence))


def test_the_evidence_is_scipys_beta_binomial_of_one_order():
    last = states_of(davis.load(), alpha=3, beta=5)[-1]
    n = last.heads + last.tails
    together = stats.betabinom(n, 3, 5).logpmf(last.heads)
    orders = stats.binom(n, 0.5).logpmf(last.heads) + n * log(2)
    assert last.evidence == pytest.approx(together - orders)


# Its states


def test_another_prior_halfway_is_as_if_it_had_been_there_from_the_start():
    run = Timeline(COIN, coin).run()
    fork = run.fork(50, alpha=30.0).run()
    fresh = Timeline(COIN, coin, {"alpha": 30.0}).run()
    for measure in ("posterior mean", "posterior mode", "deviation"):
        values = [MEASURE[measure](r.problem, r.at(80).state) for r in (fork, fresh)]
        assert values[0] == values[1]
    verdict = fork.verdicts(fork.at(80))[-1]
    assert np.isnan(fork.values(fork.at(80))[-1])  # ln p(tosses) under one prior for the first and another for the rest
    assert verdict.status == "does not apply"


def test_it_learns_from_two_classes_only():
    with pytest.raises(Refused, match="2 classes"):
        COIN(iris.load())


def test_a_coin_that_only_ever_showed_one_face_is_refused_in_words():
    with pytest.raises(Refused, match="all 5 tosses are heads; toss more often"):
        coin.with_(n=5, p=1.0).load()


# Its theorems


@settings(max_examples=examples(90))
@given(st.text("HT", min_size=2, max_size=40), st.floats(0.01, 1000), st.floats(0.01, 1000))
def test_they_hold_for_any_tosses_and_any_prior(faces, alpha, beta):
    problem = COIN.problem(tossed(faces), None, {"alpha": alpha, "beta": beta})
    states = list(COIN.start(problem))
    for before, after in zip([None, *states], states):
        for theorem in COIN.theorems:
            verdict = theorem.verdict(problem, before, after)
            applies = after.t > 0 or theorem in (TO_ONE, ORDER)
            assert verdict.status == ("holds" if applies else "does not apply"), verdict.sides


@pytest.mark.parametrize(("alpha", "beta"), [(0.01, 0.01), (0.01, 1000.0), (1000.0, 1000.0)])
def test_they_hold_after_very_many_tosses(alpha, beta):
    data = coin.with_(n=100_000, p=0.2).load()
    problem = COIN.problem(data, None, {"alpha": alpha, "beta": beta})
    *_, before, last = COIN.start(problem)
    assert all(theorem.verdict(problem, before, last).status == "holds" for theorem in COIN.theorems)


def test_the_mean_has_no_estimate_to_lie_next_to_before_the_first_toss():
    problem = COIN.problem(coin.load())
    start = next(COIN.start(problem))
    for theorem in (BETWEEN, WEIGHED):
        verdict = theorem.verdict(problem, None, start)
        assert verdict.status == "does not apply"
        assert verdict.why == "before the first toss there is no estimate of maximum likelihood"


def test_a_toss_counted_for_the_other_side_twice_or_not_at_all_breaks_bayes_rule():
    problem = COIN.problem(coin.load())
    start, first = [state for state, _ in zip(COIN.start(problem), range(2))]
    assert BAYES.verdict(problem, start, first).status == "holds"
    for heads, tails in ((first.tails, first.heads), (2 * first.heads, 2 * first.tails)):
        assert BAYES.verdict(problem, start, replace(first, heads=heads, tails=tails)).status == "fails"
    third = list(COIN.start(problem))[3]
    stuck = third.after("heads", heads=third.heads, tails=third.tails)
    assert BAYES.verdict(problem, third, stuck).status == "fails"


def test_a_mean_that_forgets_the_prior_is_not_the_weighed_one(monkeypatch):
    import algorithms.families.estimation.beta_bernoulli.algorithm as module

    problem = COIN.problem(tossed("HHHTHHHH"), None, {})
    last = list(COIN.start(problem))[-1]
    assert WEIGHED.verdict(problem, None, last).status == "holds"
    monkeypatch.setattr(module, "posterior", lambda problem, state: Beta(state.heads, state.tails))
    assert WEIGHED.verdict(problem, None, last).status == "fails"


def test_a_wrong_normalisation_breaks_that_it_integrates_to_one(monkeypatch):
    problem = COIN.problem(coin.load())
    last = list(COIN.start(problem))[-1]
    assert TO_ONE.verdict(problem, None, last).status == "holds"
    monkeypatch.setattr(_beta, "log_beta", lambda a, b: log_beta(a + 1, b))
    assert TO_ONE.verdict(problem, None, last).status == "fails"


def test_an_update_that_counts_tails_as_heads_breaks_that_the_mean_is_between(monkeypatch):
    import algorithms.families.estimation.beta_bernoulli.algorithm as module

    problem = COIN.problem(tossed("HHHTHHHH"), None, {})
    last = list(COIN.start(problem))[-1]
    assert BETWEEN.verdict(problem, None, last).status == "holds"

    def swapped(problem, state):
        return Beta(2.0 + state.tails, 2.0 + state.heads)

    monkeypatch.setattr(module, "posterior", swapped)
    assert BETWEEN.verdict(problem, None, last).status == "fails"


def test_forgetting_a_toss_or_not_learning_from_it_breaks_that_the_order_does_not_matter():
    problem = COIN.problem(coin.load())
    *_, last = COIN.start(problem)
    assert ORDER.verdict(problem, None, last).status == "holds"
    assert ORDER.verdict(problem, None, replace(last, evidence=last.evidence - log(0.5))).status == "fails"
    without_learning = replace(last, evidence=(last.heads + last.tails) * log(0.5))
    assert ORDER.verdict(problem, None, without_learning).status == "fails"
    assert ORDER.verdict(problem, None, replace(last, heads=last.heads + 1, tails=last.tails - 1)).status == "fails"


# What a person sees


def test_it_explains_its_steps():
    problem = COIN.problem(tossed("HT"), None, {"alpha": 1, "beta": 1})
    start, heads, tails = COIN.start(problem)
    assert COIN.explain(problem, None, start) == "Before any toss Beta(1, 1) is believed: θ is 0.500 ± 0.289."
    assert COIN.explain(problem, heads, tails) == (
        "Toss 2 is tails, which was expected with chance 0.333. 1 of 2 tosses are heads, 0.500; θ is 0.500 ± 0.224."
    )


def test_every_density_that_is_drawn_has_area_one():
    problem = COIN.problem(coin.load())
    last = list(COIN.start(problem))[-1]
    panel = COIN.scene(problem, None, last).panels[0]
    assert panel.note == "likelihood scaled to area 1"
    drawn = [at for mark in panel.marks if isinstance(mark, Paths) for at in mark.at]
    assert len(drawn) == 3
    for at in drawn:
        assert np.trapezoid(at[:, 1], at[:, 0]) == pytest.approx(1, abs=1e-3)
        assert at[:, 1].max() <= panel.limits[1][1]


@pytest.mark.parametrize("t", [0, 7, 40])
def test_an_edited_run_ends_where_a_fresh_one_does(t):
    run = Timeline(find("beta_bernoulli"), coin)
    run.advance(t + 1)
    flipped = 1 - int(run.data.y[6])
    data = edited(run.data, [Label(6, flipped), Remove(2), Remove(50), Add(tuple(run.data.X[0]), 1)])
    fork, (other, _) = run.fork(t, data=data).run(), end_of(COIN(data))
    mine = fork.at(fork.last).state
    assert (mine.heads, mine.tails) == (other.heads, other.tails)
    assert mine.evidence == pytest.approx(other.evidence)
    first = fork.at(t).state
    assert first.heads + first.tails == max(t - (t > 2), 0)
    assert "Toss" in run.algorithm.explain(fork.problem, None, first) or t == 0


@pytest.mark.parametrize(("tosses", "shown"), [(0, 20), (7, 20), (19, 20), (20, 40), (79, 80), (80, 100), (100, 100)])
def test_the_axis_of_tosses_is_as_long_as_those_that_came(tosses, shown):
    problem = COIN.problem(coin.load())
    state = list(COIN.start(problem))[tosses]
    panel = COIN.scene(problem, None, state).panels[1]
    assert panel.limits[0] == (0.0, shown + 1.0)


def test_the_letter_of_the_chance_has_no_estimate_for_its_value():
    assert find("beta_bernoulli").symbols["θ"][1] is None
