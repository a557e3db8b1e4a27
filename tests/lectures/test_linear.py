"""Numbers of the lectures' statements about linear classifiers, computed."""

from typing import Any

import numpy as np
import pytest

from algorithms import Dataset, Move, Timeline, edited, find
from algorithms.data import badges, blobs, breast_cancer, collinear, digits, iris, leverage, moons, three_points
from algorithms.families.linear.multiclass_svm.multiclass_hinge import softened_max
from algorithms.families.linear.shared.base_problems import against_rest, of_pairs
from algorithms.families.linear.surrogate_losses.fewest_wrong import fewest_of
from algorithms.families.selection.shared.classifier_candidates import classifiers
from algorithms.lectures import statements
from algorithms.toolbox.activations import sigmoid
from algorithms.toolbox.logistic import Likelihood, greatest, likelihood, maximum
from algorithms.toolbox.margin_losses import margin_loss, most_above, short
from tests.lectures.places import played

PETALS = iris.with_(columns=("petal_length_cm", "petal_width_cm"))


def ended(name: str, recipe: Any, **parameters: Any) -> Timeline:
    return Timeline(find(name), recipe, parameters).run()


def last(run: Timeline) -> Any:
    return run.at(run.last).state


def shown(run: Timeline, title: str, t: int | None = None) -> dict[str, Any]:
    """A table of a step's picture: its first column and the second."""
    frame = run.at(run.last if t is None else t)
    scene = run.algorithm.scene(run.problem, frame.before, frame.state)
    (table,) = [panel.marks[0] for panel in scene.panels if panel.title == title]
    return {row[0]: row[1] for row in table.rows}


def curve(run: Timeline, name: str) -> dict[int, float]:
    return dict(zip(*run.curve(name)))


# Losses of the margin


def test_the_logistic_loss_falls_and_never_is_0() -> None:
    at = margin_loss("logistic").of(np.array([0.0, 1.0, 5.0]))
    assert at.round(4).tolist() == [0.6931, 0.3133, 0.0067]
    assert [round(x, 3) for x in at[:2]] == [0.693, 0.313]
    assert (margin_loss("logistic").of(np.array([100.0, 700.0])) > 0).all()


def test_the_hinge_charges_right_rows_inside_the_margin() -> None:
    assert margin_loss("hinge").of(np.array([-2.0, -1.0, 0.5, 1.0, 3.0])).tolist() == [3, 2, 0.5, 0, 0]


def test_squares_of_residuals_are_squares_of_one_less_the_margin() -> None:
    g, y = np.linspace(-3, 3, 13), np.where(np.arange(13) % 2, 1.0, -1.0)
    assert margin_loss("squared").of(y * g) == pytest.approx((g - y) ** 2)
    assert margin_loss("squared").of(np.array([3.0])) == [4]


def test_the_rounded_loss_is_highest_above_its_limit_at_the_kink() -> None:
    z = np.linspace(-4, 4, 801)
    for level in (0.0, 1.0):
        for epsilon, most in ((1.0, 0.693), (0.1, 0.0693)):
            above = margin_loss("generalised", epsilon, level).of(z) - short(z, level)
            assert z[above.argmax()] == pytest.approx(level)
            assert above.max() == pytest.approx(most, rel=1e-3)
            assert above.max() == pytest.approx(most_above(epsilon))
            assert (above >= -1e-12).all()
    assert margin_loss("generalised", 1.0, 0.0).of(z) == pytest.approx(margin_loss("logistic").of(z))


def test_the_softened_multiclass_hinge_is_highest_above_it_where_all_classes_tie() -> None:
    assert round(softened_max(np.zeros(3), 1.0), 3) == 1.099
    s = np.random.default_rng(0).normal(size=(200, 3))
    above = [softened_max(row, 1.0) - row.max() for row in s]
    assert min(above) >= 0
    assert max(above) < 1.0986123


def test_which_losses_bound_the_errors() -> None:
    z = np.linspace(-5, 5, 1001)
    wrong = (z <= 0).astype(float)
    for name in ("hinge", "squared hinge", "exponential", "squared"):
        assert (margin_loss(name).of(z) >= wrong).all()
    logistic = margin_loss("logistic").of(z)
    assert not (logistic >= wrong).all()
    assert (logistic / np.log(2) >= wrong - 1e-12).all()
    assert margin_loss("perceptron").at_zero == 0


def test_a_row_is_wrong_where_its_slack_is_at_least_1() -> None:
    run = ended("surrogate_losses", moons.with_(n=60, noise=0.25), steps=60)
    z = run.data.signs * (np.column_stack([run.data.X, np.ones(60)]) @ last(run).w)
    assert ((short(z) >= 1) == (z <= 0)).all()
    assert short(z).sum() >= np.count_nonzero(z <= 0) > 0


def test_the_0_1_loss_stays_where_the_hinge_falls() -> None:
    run = ended("surrogate_losses", moons.with_(n=60, noise=0.25), steps=60)
    wrong, F = curve(run, "training error"), curve(run, "F")
    alike = [t for t in range(30, 60) if wrong[t] == wrong[t + 1]]
    assert len(alike) > 20
    assert all(F[t] != F[t + 1] for t in alike)


def test_the_best_line_of_all_against_the_hinges() -> None:
    recipe = moons.with_(n=60, noise=0.25)
    run = ended("surrogate_losses", recipe, steps=60)
    facts = shown(run, "so far")
    assert (facts["fewest by any line"], facts["wrong rows"]) == (7, 11)
    assert recipe.load().once(fewest_of) == 7


def test_the_primal_of_the_support_vector_machine_is_penalty_and_hinge() -> None:
    run = ended("smo", blobs.with_(n=60, margin=0.5), kernel="linear", C=2.0)
    frame = run.at(5)
    scene = run.algorithm.scene(run.problem, frame.before, frame.state)
    (weights,) = [panel.marks[0] for panel in scene.panels if panel.title == "weights"]
    w = np.array([row[1] for row in weights.rows])
    z = run.data.signs * (np.column_stack([run.data.X, np.ones(60)]) @ w)
    assert curve(run, "primal")[5] == pytest.approx(w[:-1] @ w[:-1] / 2 + 2.0 * short(z).sum())


# Many classes


def test_one_against_the_rest_is_one_sided() -> None:
    for recipe, sizes in ((iris, {(50, 100)}), (digits, {(50, 450)})):
        problems = against_rest(recipe.load(), True)
        assert {(int((p.signs > 0).sum()), int((p.signs < 0).sum())) for p in problems} == sizes


def test_a_round_of_all_pairs_visits_fewer_rows() -> None:
    data = iris.load()
    assert sum(len(p.rows) for p in of_pairs(data, True)) == 300 == data.n * 2
    assert sum(len(p.rows) for p in against_rest(data, True)) == 450 == data.n * 3
    for p in of_pairs(data, True):
        assert (p.signs > 0).sum() == (p.signs < 0).sum() == data.n / 3


def test_votes_go_in_a_circle_after_fifty_passes() -> None:
    run = ended("one_vs_one", PETALS)
    assert last(run).passes.max() == 50
    assert curve(run, "share of plane in a circle")[run.last] == pytest.approx(0.03, abs=0.005)


def test_of_two_classes_the_greater_score_is_the_sign() -> None:
    data = iris.with_(positive="versicolor", scale=True).load()
    W = np.random.default_rng(0).normal(size=(2, data.d))
    assert ((data.X @ W.T).argmax(axis=1) == (data.X @ (W[1] - W[0]) > 0)).all()


def test_softmax_gives_the_middle_class_its_rows() -> None:
    data = collinear.load()
    w = last(ended("softmax_regression", collinear, method="newton")).w
    masked = last(ended("least_squares_classifier", collinear)).W
    X = np.column_stack([data.X, np.ones(data.n)])
    assert np.bincount((X @ w.T).argmax(axis=1)).tolist() == [50, 50, 50]
    _, there = played(next(one.run for one in statements() if one.id == "C13"))
    assert np.bincount((X @ there.frame.state.w.T).argmax(axis=1)).tolist() == [50, 50, 50], "at its place too"
    assert not ((X @ masked.T).argmax(axis=1) == 1).any()


# Hyperplanes


def test_the_planes_f_1_and_f_minus_1_are_twice_the_inverse_length_apart() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        w, b, u = rng.normal(size=3), float(rng.normal()), rng.normal(size=3)
        u = u + (1 - w @ u - b) / (w @ w) * w
        c = -2 / (w @ w)
        assert w @ u + b == pytest.approx(1)
        assert w @ (u + c * w) + b == pytest.approx(-1)
        assert abs(c) * np.linalg.norm(w) == pytest.approx(2 / np.linalg.norm(w))


def test_a_longer_w_is_the_same_hyperplane() -> None:
    run = ended("perceptron", blobs.with_(n=60, margin=0.3))
    facts = shown(run, "so far")
    frame, w = run.at(run.last), last(run).w
    longer = run.algorithm.scene(run.problem, None, frame.state.replaced(w=3 * w))
    (table,) = [panel.marks[0] for panel in longer.panels if panel.title == "so far"]
    scaled = dict(table.rows)
    assert scaled["least y w·x"] == pytest.approx(3 * facts["least y w·x"])
    assert scaled["least y w·x/‖w‖"] == pytest.approx(facts["least y w·x/‖w‖"])


def test_the_constant_1_lengthens_the_rows() -> None:
    facts = {bias: shown(ended("perceptron", blobs.with_(n=60, margin=0.3), bias=bias), "so far") for bias in (0, 1)}
    R = {bias: facts[bias]["R, the longest row"] for bias in facts}
    assert R[1] == pytest.approx(np.hypot(R[0], 1))
    weights = shown(ended("perceptron", blobs.with_(n=60, margin=0.3)), "weights")
    assert list(weights)[-1] == "bias"


# The perceptron


def test_three_orders_end_at_three_hyperplanes() -> None:
    ends = [(-0.55, -0.83, 0), (-0.37, -0.88, 0.29), (-0.58, -0.81, 0)]
    for seed, end in enumerate(ends):
        run = ended("perceptron", blobs.with_(n=60, margin=0.5), order="shuffled", seed=seed)
        w = last(run).w
        assert (w / np.linalg.norm(w)).round(2) == pytest.approx(np.array(end))
        assert curve(run, "training error")[run.last] == 0


def test_the_mistake_bound_of_the_blobs() -> None:
    run = ended("perceptron", blobs.with_(n=60, margin=0.3))
    facts = shown(run, "so far")
    assert round(facts["most there can be"]) == 285
    assert facts["mistakes m"] == 10
    assert facts["γ, the margin of w*"] == pytest.approx(0.3)


def test_a_correction_spoils_another_row() -> None:
    run = ended("perceptron", three_points, bias=False, epochs=1)
    first, w = run.data.X[0], [run.at(t).state.w for t in (1, 2)]
    assert run.at(2).state.row == 1
    assert w[0] @ first > 0 >= w[1] @ first


def test_the_three_points_with_a_bias() -> None:
    assert last(ended("perceptron", three_points)).mistakes == 3
    boxed = ended("perceptron", three_points.with_(height=-1.0))
    assert last(boxed).mistakes == 8
    assert boxed.stopped is not None
    assert boxed.stopped.reason == "a whole pass without a mistake"


def test_a_vowel_as_second_letter_is_the_rule_of_the_badges() -> None:
    data = badges.load()
    run = ended("decision_tree", badges)
    vowel = data.X[:, data.features.index("second_is_vowel")]
    assert np.count_nonzero(vowel == data.y) == data.n == 36
    assert len(shown(run, "leaves")) == 2
    assert curve(run, "training error")[run.last] == 0


# Logistic regression


def test_the_sigmoid_at_its_ends_and_in_the_middle() -> None:
    assert sigmoid(np.array([-np.inf, 0.0, np.inf])).tolist() == [0, 0.5, 1]


def test_both_labels_share_one_and_the_log_odds_are_linear() -> None:
    f = np.linspace(-8, 8, 33)
    p, other = sigmoid(f), sigmoid(-f)
    assert p + other == pytest.approx(1)
    assert np.log(p / other) == pytest.approx(f)
    assert ((p > 0.5) == (f > 0)).all()


def test_cross_entropy_is_the_logistic_loss_for_either_label() -> None:
    data = iris.with_(positive="versicolor", scale=True).load()
    f, w = data.once(likelihood, 0.0, True), np.random.default_rng(0).normal(size=5)
    margins = data.signs * (np.column_stack([data.X, np.ones(data.n)]) @ w)
    assert -f.value(w) == pytest.approx(margin_loss("logistic").of(margins).sum())
    p = f.chances(w)
    assert -f.value(w) == pytest.approx(-(data.y * np.log(p) + (1 - data.y) * np.log(1 - p)).sum())


def test_the_log_likelihood_is_the_slides_with_its_sign_mended() -> None:
    data = iris.with_(positive="versicolor", scale=True).load()
    w, X = np.random.default_rng(0).normal(size=5), np.column_stack([data.X, np.ones(data.n)])
    scores = X @ w
    slide = (-(1 - data.y) * scores - np.log1p(np.exp(-scores))).sum()
    plain, penalised = data.once(likelihood, 0.0, True), data.once(likelihood, 3.0, True)
    assert plain.value(w) == pytest.approx(slide)
    assert plain.gradient(w) == pytest.approx(X.T @ (data.y - sigmoid(scores)))
    assert penalised.value(w) == pytest.approx(slide - 1.5 * w[:-1] @ w[:-1])


def test_logistic_regression_blunders_by_leverage() -> None:
    """The lecture's nine rows at 1 and one at -100, all of them +; and the same of both classes, with a bias."""
    X, penalties = np.array([[1.0]] * 9 + [[-100.0]]), np.zeros(1)
    w = greatest(Likelihood(X, np.ones(10), penalties)).w
    assert round(float(w[0]), 4) == -0.0304
    assert [int((X[:, 0] * v <= 0).sum()) for v in (float(w[0]), 1.0)] == [9, 1]
    for far, wrong in ((8.0, 2), (10.0, 18), (100.0, 18)):
        data = leverage.with_(far=far).load()
        best = data.once(maximum, 0.0, True).w
        assert np.count_nonzero(data.signs * (data.X[:, 0] * best[0] + best[1]) <= 0) == wrong
        assert data.n == 20
        assert data.once(fewest_of) == 2
    assert round(float(best[0]), 4) == -0.0304


# Prices and outliers


def test_a_row_dragged_across_narrows_the_hard_margin_alone() -> None:
    data = blobs.with_(n=60, margin=0.5).load()
    place = -0.4 * data.signs[3] * np.asarray(data.truth["direction"])
    moved = edited(data, [Move(3, tuple(place))])
    hard, soft = {"margin": "hard"}, {"margin": "soft", "C": 0.1}
    widths = [solved(rows, **parameters) for parameters in (hard, soft) for rows in (data, moved)]
    assert [round(width, 3) for width, _ in widths] == [1.000, 0.231, 2.320, 2.391]
    assert [round(alpha, 1) for _, alpha in widths] == [0, 37.5, 0, 0.1]


def solved(data: Dataset, **parameters: Any) -> tuple[float, float]:
    """The width between f = 1 and -1 of a linear machine, and α of row 3."""
    run = Timeline(find("smo"), data, {"kernel": "linear", "prune": False, **parameters}).run()
    alpha = last(run).alpha
    return 2 / float(np.linalg.norm((alpha * data.signs) @ data.X)), float(alpha[3])


def test_the_prices_of_the_support_vector_machine_are_powers_of_two() -> None:
    prices = classifiers(iris.with_(classes=("versicolor", "virginica")).load(), "linear SVM", 7, 2.0**-8, 16.0).values
    assert 1 / prices[:2] == pytest.approx([256, 64])
    assert prices[-1] == 16


def test_the_training_error_would_choose_another_price() -> None:
    tumours = breast_cancer.with_(scale=True, sample=60)
    state = last(ended("cross_validation", tumours, model="linear SVM", tried=7, least=2.0**-8, most=16.0))
    prices = classifiers(tumours.load(), "linear SVM", 7, 2.0**-8, 16.0).values
    left_out, training = state.errors.mean(axis=1), state.training.mean(axis=1)
    assert 1 / prices[left_out.argmin()] == pytest.approx(64)
    assert left_out.min() == pytest.approx(0.067, abs=5e-4)
    assert prices[training.argmin()] == pytest.approx(1)
    assert left_out[training.argmin()] == pytest.approx(0.1)
    assert training[0] == pytest.approx(0.146, abs=5e-4)
    assert (training[training.argmin() :] == 0).all()
    assert (np.diff(training) <= 0).all()
