"""The numbers of the lectures' statements on boosting, generative models, networks and optimisers, each computed."""

import itertools

import numpy as np
import pytest

from algorithms import Timeline, find
from algorithms.data import breast_cancer, davis, digits, emails, iris, joint, moons, rings, xor
from algorithms.families.bayes import naive_bayes
from algorithms.families.bayes.full_joint import algorithm as full_joint
from algorithms.families.boosting.adaboost.algorithm import (
    reweighted,
    rounds_of,
    signed_weight,
    vote_weight,
    weighted_error,
)
from algorithms.families.boosting.shared.stumps import Stump
from algorithms.toolbox.functions import FUNCTIONS
from algorithms.toolbox.margin_losses import margin_loss
from algorithms.toolbox.network import network_for, predictions

ADABOOST = find("adaboost")
NETWORK = find("multilayer_perceptron")
TEN = moons.with_(n=10, noise=0.5, seed=8)  # the first stump errs on three of ten


def ends(values):
    return dict(zip([curve.name for curve in values.algorithm.curves], values.values(values.at(values.last))))


# AdaBoost


def test_a_stump_that_errs_on_three_of_ten():
    """z = .4, γ = .2, α = .4236, Z = .9165; wrong rows grow by 1.667, right ones shrink by .714."""
    data = TEN.load()
    start, found, weighed, fresh = itertools.islice(ADABOOST(data), 4)
    error = float(found.errors[0])
    z = 1 - 2 * error
    assert error == pytest.approx(0.3)
    assert (z, z / 2) == (pytest.approx(0.4), pytest.approx(0.2))
    assert round(float(weighed.alphas[0]), 4) == 0.4236
    assert round(float(np.sqrt(1 - z * z)), 4) == 0.9165
    grown = np.unique(np.round(fresh.weights / start.weights, 3))
    assert grown.tolist() == [0.714, 1.667]
    assert weighted_error(fresh.weights, data.signs, np.sign(weighed.votes)) == pytest.approx(0.5)


def test_errors_of_a_run_stay_below_the_bounds_of_its_edges():
    """After 20 rounds no error, ΠZ = .0098, exp(-2Σγ²) = .0250; 2Σγ² = 3.69 >= ln 20 = 3.00."""
    run = Timeline(ADABOOST, TEN)
    run.advance(61)
    last = run.at(60).state
    gammas = 0.5 - last.errors
    assert len(gammas) == 20
    assert round(2 * float(gammas @ gammas), 2) == 3.69
    assert round(float(np.log(20)), 2) == 3.00
    assert round(float(np.exp(-2 * len(gammas) * (gammas**2).mean())), 4) == 0.0250
    assert round(float(np.prod(np.sqrt(1 - 4 * gammas**2))), 4) == 0.0098
    assert ends(run)["training error"] == 0


def test_margins_grow_after_the_last_error():
    """Versicolor and virginica: no error from round 24 on, least margin .021; .039, .067, .083 at 50, 100, 400."""
    data, least = iris.with_(classes=("versicolor", "virginica")).load(), {}
    for state in ADABOOST(data, rounds=400):
        if state.phase == "weigh":
            least[state.iteration] = float((data.signs * state.votes / state.alphas.sum()).min())
    assert min(t for t in least if least[t] > 0) == 24
    assert [round(least[t], 3) for t in (24, 50, 100, 400)] == [0.021, 0.039, 0.067, 0.083]
    assert min(np.diff([least[t] for t in range(24, 101)])) < 0  # not in every round


def test_alpha_is_odd_in_z():
    """±.549 at z = ±½, 0 at z = 0."""
    y = np.ones(4)
    given = {0.5: [1, 1, 1, -1], 0.0: [1, 1, -1, -1], -0.5: [1, -1, -1, -1]}
    for z, says in given.items():
        D, h = np.full(4, 0.25), np.array(says, float)
        assert D @ (y * h) == z
        assert round(signed_weight(D, y, h, weighted_error(D, y, h)), 3) == {0.5: 0.549, 0.0: 0.0, -0.5: -0.549}[z]


def test_of_stumps_drawn_at_random_only_the_squares_of_the_edges_count():
    """Of 50 rounds 24 have γ < 0; the mean is -.006, of γ² .017: no error, and ΠZ = .160 <= .190."""
    run = Timeline(ADABOOST, TEN, {"learner": "random"})
    run.advance(151)
    gammas = 0.5 - run.at(150).state.errors
    assert (len(gammas), int((gammas < 0).sum())) == (50, 24)
    assert round(float(gammas.mean()), 3) == -0.006
    assert round(float((gammas**2).mean()), 3) == 0.017
    values = dict(zip([curve.name for curve in ADABOOST.curves], run.values(run.at(150))))
    assert values["training error"] == 0
    assert (round(values["Π Z"], 3), round(values["exp(-2Σγ²)"], 3)) == (0.160, 0.190)


def test_the_sum_in_two_parts():
    """ε = .3: least at α = .4236, .9165; Z(0) = 1, Z(1) = 1.073."""
    problem = ADABOOST.problem(TEN.load())
    weighed = next(itertools.islice(ADABOOST.start(problem), 2, None))
    rounds = rounds_of(problem, weighed)
    assert rounds.error == pytest.approx(0.3)
    along = np.linspace(-1, 2, 30_001)
    least = along[rounds.normaliser(along).argmin()]
    assert (round(float(least), 4), round(float(weighed.alphas[0]), 4)) == (0.4236, 0.4236)
    assert np.round(rounds.normaliser(np.array([0.0, weighed.alphas[0], 1.0])), 4).tolist() == [1, 0.9165, 1.073]


def test_the_lectures_table_with_one_row_wrong():
    """D = (.3, .5, .2): rows 1 and 3 wrong: ε = ½; row 1 alone: α = .424, Z = .917, D = (.5, .357, .143)."""
    D, both, one = np.array([0.3, 0.5, 0.2]), np.array([-1.0, 1.0, -1.0]), np.array([-1.0, 1.0, 1.0])
    assert weighted_error(D, both, np.ones(3)) == 0.5
    alpha = vote_weight(weighted_error(D, one, np.ones(3)))
    assert round(alpha, 3) == 0.424
    assert round(float(D @ np.exp(-alpha * one)), 3) == 0.917
    assert np.round(reweighted(D, one, alpha), 3).tolist() == [0.5, 0.357, 0.143]


def test_how_many_rounds_are_enough():
    """ln(2n)/2γ² at n = 100 and γ = .1: 265."""
    n, gamma = 100, 0.1
    assert int(np.ceil(np.log(2 * n) / (2 * gamma**2))) == 265


@pytest.mark.parametrize("alpha", [0.05, 0.5, 3.0])
def test_the_stump_of_least_exponential_loss_is_that_of_least_weighted_error(alpha):
    data = TEN.load()
    state = list(ADABOOST(data, rounds=3))[-1]
    stumps = [
        Stump(j, float(at), -sign, sign)
        for j in range(2)
        for at in np.sort(data.X[:, j])[:-1] + 1e-9
        for sign in (1.0, -1.0)
    ]
    losses = [np.exp(-data.signs * (state.votes + alpha * stump(data.X))).sum() for stump in stumps]
    errors = [weighted_error(state.weights, data.signs, stump(data.X)) for stump in stumps]
    assert errors[int(np.argmin(losses))] == pytest.approx(min(errors))
    worst = [np.exp(-data.signs * (state.votes - alpha * stump(data.X))).sum() for stump in stumps]
    assert errors[int(np.argmin(worst))] == pytest.approx(max(errors))


def test_the_exponential_loss_pulls_hardest_where_a_label_is_wrong():
    """At z = -5 148, squared 12, hinge 1, logistic .993; 20 of 200 turned labels hold .364 of D, logistic .231."""
    at = {name: -float(margin_loss(name).slope(np.array([-5.0]))[0]) for name in ("exponential", "squared", "hinge")}
    logistic = margin_loss("logistic").slope
    assert [round(at[name]) for name in ("exponential", "squared", "hinge")] == [148, 12, 1]
    assert round(-float(logistic(np.array([-5.0]))[0]), 3) == 0.993
    data = moons.with_(n=200, noise=0.2, flip=0.1).load()
    last = list(ADABOOST(data, rounds=30))[-1]
    flipped = data.truth["flipped"]
    assert (data.n, int(flipped.sum()), last.t) == (200, 20, 90)
    assert round(float(last.weights[flipped].sum()), 3) == 0.364
    pull = -logistic(data.signs * last.votes)
    assert round(float(pull[flipped].sum() / pull.sum()), 3) == 0.231


# Optimisers


def test_a_step_falls_by_eta_times_one_less_half_eta_l_at_least():
    """η = .08, L = 20: by .016 ‖∇f‖² at least."""
    f, eta, curvature = FUNCTIONS["valley"], 0.08, 20.0
    assert eta * (1 - eta * curvature / 2) == pytest.approx(0.016)
    states = list(itertools.islice(find("gradient_descent")(eta=0.08), 21))
    for before, after in itertools.pairwise(states):
        g = f.gradient(before.x)
        assert f.value(after.x) <= f.value(before.x) - 0.016 * g @ g + 1e-15
        along = 1e-5 * np.array([-g[1], g[0]]) / np.linalg.norm(g)  # the level line
        assert abs(f.value(before.x + along) - f.value(before.x - along)) < 1e-12 * max(1, f.value(before.x))


# Generative models


def test_most_cells_of_a_full_table_are_empty():
    """15 numbers at d = 3; of 8 words 511, and after 84 emails 92% of 512 cells are empty."""
    run = Timeline(find("full_joint"), emails.with_(seed=7, hold_out=0.3))
    run.advance(85)
    assert (2 ** (3 + 1) - 1, 2 ** (8 + 1) - 1) == (15, 511)
    assert run.at(84).state.counts.size == 512
    assert round(100 * full_joint.empty(run.problem, run.at(84).state)) == 92


def test_a_cell_of_naive_bayes_is_a_product():
    """010 has (1 - p₁) p₂ (1 - p₃); 7 numbers at d = 3."""
    run = Timeline(find("full_joint"), joint).run()
    of = full_joint.naive(run.problem, run.at(run.last).state)
    assert of.p[1].size + of.p[0].size + 1 == 7
    p = of.p[1]
    cell = np.exp(of.scores(np.array([[0.0, 1.0, 0.0]])))[1, 0]
    assert cell == pytest.approx(of.share[1] * (1 - p[0]) * p[1] * (1 - p[2]))


def test_naive_bayes_works_though_its_assumption_is_false():
    """Eight features of breast cancer, 70 rows: of 30 held out the table gets 10 wrong, naive Bayes 4."""
    run = Timeline(find("full_joint"), breast_cancer.with_(sample=100, hold_out=0.3)).run()
    aside, last = run.problem.held_out, run.at(run.last).state
    assert (run.data.n, aside.data.n) == (70, 30)
    assert int(full_joint.table_wrong(aside, last).sum()) == 10
    assert int(full_joint.naive_wrong(aside, last).sum()) == 4
    apart = full_joint.table(run.problem, last).given() - full_joint.table(run.problem, last).expected()
    assert np.abs(apart).max() > 0.1  # the features are not independent, given the class


def test_estimates_are_shares_of_the_rows_counted():
    data = emails.with_(seed=7, hold_out=0.3).load()
    problem = find("naive_bayes").problem(data, None, {"smoothing": 0.0})
    *_, last = find("naive_bayes").start(problem)
    of, y = naive_bayes.estimates(problem, last), np.asarray(data.y)
    assert of.share[1] == pytest.approx((y == 1).mean())
    assert of.p[1] == pytest.approx(data.X[y == 1].mean(axis=0))


# Networks


def test_a_network_tells_pictures_apart():
    """After 8 passes none of 375 digits is wrong, of 125 held out 11: an error of .088."""
    run = Timeline(NETWORK, digits.with_(scale=True, hold_out=0.25), {"every": "epoch"})
    run.advance(9)
    values = ends(run)
    assert (run.data.n, run.problem.held_out.data.n) == (375, 125)
    assert values["training error"] == 0
    assert round(values["held-out error"], 3) == 0.088
    assert round(125 * values["held-out error"]) == 11


def test_its_loss_is_not_convex():
    """Two units swapped give the same loss, and the mean of both weights a greater one."""
    data = rings.load()
    network = network_for(data, (8,), "tanh", "cross-entropy")
    *_, last = NETWORK(data, epochs=20, every="epoch")
    first, second = (W.copy() for W in network.matrices(last.weights))
    first[[0, 1]], second[:, [0, 1]] = first[[1, 0]], second[:, [1, 0]]
    swapped = np.concatenate([first, second], axis=None)
    here, there, between = (
        predictions(network, w, data).loss for w in (last.weights, swapped, (last.weights + swapped) / 2)
    )
    assert here == pytest.approx(there)
    assert between > 1.01 * here


def test_at_the_corners_of_xor_no_stump_is_better_than_a_coin_toss():
    run = Timeline(ADABOOST, xor.with_(n=4, noise=0.0)).run()
    assert run.at(1).state.errors.tolist() == [0.5]
    assert run.stopped.reason.startswith("no stump is better than a coin toss")


def test_the_line_of_logistic_regression_is_another_with_a_penalty():
    """The greatest likelihood has no λ; with λ = .1 the line is that which a reader of the demo sees."""
    lines = []
    for penalty in (0.0, 0.1):
        run = Timeline(find("logistic_newton"), davis.with_(scale=True), {"penalty": penalty}).run()
        lines.append(run.at(run.last).state.w)
    assert lines[0] == pytest.approx([2.660, 3.407, -0.336], abs=5e-4)
    assert lines[1] == pytest.approx([2.574, 3.254, -0.328], abs=5e-4)
