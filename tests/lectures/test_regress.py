"""The numbers of the lectures on regression, neighbours, trees and votes, computed."""

from typing import Any

import numpy as np
import pytest

from algorithms import datasets
from algorithms.core import Table
from algorithms.families.trees.bagging import in_a_bag
from algorithms.timeline import Timeline
from algorithms.toolbox.impurity import impurity
from tests.lectures.places import played


def run_of(run: str) -> tuple[Timeline, Any]:
    """The run that follows `python -m tui`, played to the step that `--at` names, and its state there."""
    timeline, picture = played(run)
    return timeline, picture.frame.state


def last_of(run: Timeline, curve: str) -> float:
    """The last value of a curve."""
    return float(run.curve(curve)[1][-1])


# Regression


def test_the_memoriser_pays_twice_the_noise() -> None:
    run, _ = run_of("bias_variance -p model=memoriser -p samples=200 -p tried=3 --at 603")
    assert last_of(run, "training error") == 0
    twice_the_noise = 2 * 0.6**2
    assert twice_the_noise == pytest.approx(0.72)
    assert last_of(run, "fresh error") == pytest.approx(0.72, abs=0.03)


def test_the_three_rows_split_into_fit_and_rest() -> None:
    run, last = run_of("least_squares --data three_rows --at 4")
    y = run.problem.data.y
    assert y @ y == 20
    assert last.fitted @ last.fitted == pytest.approx(14)
    assert last_of(run, "RSS") == pytest.approx(6)
    assert last_of(run, "log L") == pytest.approx(-5.757, abs=5e-4)


def test_past_two_over_the_curvature_descent_diverges() -> None:
    run, _ = run_of("stochastic_gradient -p batch=100 -p eta=1.2 --at 20")
    data = run.problem.data
    X = np.column_stack([data.X, np.ones(data.n)])
    L = np.linalg.eigvalsh(X.T @ X / data.n).max()
    limit = 2 / L
    assert limit == pytest.approx(1.272, abs=5e-4)
    diverging, _ = run_of("stochastic_gradient -p batch=100 -p eta=1.4 --at 20")
    assert last_of(run, "excess") < run.curve("excess")[1][0]
    assert last_of(diverging, "excess") > diverging.curve("excess")[1][0]


def test_the_average_settles_and_the_last_weights_hover() -> None:
    run, _ = run_of("stochastic_gradient --at 240")
    last, average = run.curve("excess")[1][150:], run.curve("excess of the average")[1][150:]
    assert last.max() > 10 * average.max()
    assert np.abs(np.diff(average)).max() < np.abs(np.diff(last)).max() / 10


def test_a_penalty_lifts_the_small_eigenvalues() -> None:
    values = np.array([4, 1, 0.25])
    assert (1 / values).sum() == pytest.approx(5.25)
    assert (1 / (values + 1)).sum() == pytest.approx(1.5)


def test_some_penalty_beats_least_squares() -> None:
    run, _ = run_of("ridge --data correlated:n=15,d=2,correlation=0.95,seed=4 --at 61")
    mse = run.curve("MSE")[1]
    assert mse[61] == pytest.approx(1.066, abs=5e-4)
    assert mse.min() == pytest.approx(0.102, abs=5e-4)
    w, sigma = run.problem.data.truth["w"], run.problem.data.truth["noise"]
    assert 2 * sigma**2 / (w @ w) == pytest.approx(1.38, abs=5e-3)


def test_three_weights_fit_dependent_features_alike() -> None:
    data = datasets.load("dependent")
    fits = np.array([(3, 4, 0), (1, 1, 1), (0, -0.5, 1.5)])
    assert all(data.X @ w == pytest.approx(data.y) for w in fits)
    assert (fits**2).sum(axis=1).tolist() == [25, 3, 2.5]
    assert np.abs(fits).sum(axis=1).tolist() == [7, 3, 2]


def test_ridge_takes_the_shortest_and_the_lasso_the_least_sum() -> None:
    run, state = run_of("ridge --data dependent --at 61")
    shortest = state.w[1:]
    assert shortest == pytest.approx(np.array([3, 1, 9]) / 7)
    assert shortest @ shortest == pytest.approx(13 / 7)
    # of all (3, 4, 0) - t (2, 3, -1) the one with the least sum has its kink where the second is 0
    sums = [np.abs(np.array([3, 4, 0]) - t * np.array([2, 3, -1])).sum() for t in np.linspace(0, 3, 901)]
    assert min(sums) == pytest.approx(5 / 3)
    assert np.abs([1 / 3, 0, 4 / 3]).sum() == pytest.approx(5 / 3)
    fitted = run.problem.data.X @ [1 / 3, 0, 4 / 3]
    assert fitted == pytest.approx(run.problem.data.y)


def test_the_loss_is_level_on_ellipses_about_the_best() -> None:
    data = datasets.load("line")
    X = np.column_stack([data.X, np.ones(data.n)])
    best, *_ = np.linalg.lstsq(X, data.y, rcond=None)
    values, vectors = np.linalg.eigh(X.T @ X)
    for angle in np.linspace(0, 6, 9):
        w = best + vectors @ (np.array([np.cos(angle), np.sin(angle)]) * np.sqrt(3.0 / values))
        assert ((data.y - X @ w) ** 2).sum() - ((data.y - X @ best) ** 2).sum() == pytest.approx(3.0)


def test_the_dual_takes_rows_cubed() -> None:
    _, picture = played("kernel_regression --data line:n=12 -p kernel=linear --at 2")
    table = next(panel for title, panel in picture.beside if title == "α on rows, or w on φ(x)")
    assert isinstance(table, Table)
    assert [tuple(row)[1:] for row in table.rows] == [(12, 1), (1_728, 1)]
    assert 12**3 == 1_728


# Bias and variance


def test_a_sine_is_best_fitted_by_a_cubic() -> None:
    _, last = run_of("bias_variance --data sine:n=20,noise=0.6 -p samples=5 --at 60")
    assert last.best == 3
    assert last.biases[0] > last.variances[0]
    assert last.biases[9] < last.variances[9]


def test_the_four_corners_of_bias_and_variance() -> None:
    _, last = run_of("bias_variance --data sine:n=20,noise=0.6 -p samples=5 --at 60")
    _, by_heart = run_of("bias_variance -p model=memoriser -p samples=5 -p tried=3 --at 18")
    corners = [(last, 3), (last, 9), (last, 0), (by_heart, 1)]
    high = [(states.biases[v] > 0.15, states.variances[v] > 0.15) for states, v in corners]
    assert high == [(False, False), (False, True), (True, False), (True, True)]


# Losses, neighbours


def test_the_best_line_of_all_through_two_moons() -> None:
    run, state = run_of("surrogate_losses --data moons:n=60,noise=0.25 --at 50")
    data = run.problem.data
    wrong = data.signs * (np.column_stack([data.X, np.ones(60)]) @ state.w) <= 0
    assert wrong.sum() == 12
    assert min(wrong_beside(data.X, data.signs, i, j) for i in range(60) for j in range(i)) == 7


def wrong_beside(X: Any, signs: Any, i: int, j: int) -> int:
    """The fewest wrong rows of the lines that pass by rows i and j, on either side of each."""
    across = np.array([X[j, 1] - X[i, 1], X[i, 0] - X[j, 0]])
    sides = np.sign((X - X[i]) @ across)
    sides[[i, j]] = 0
    others = int((sides * signs < 0).sum()), int((sides * signs > 0).sum())
    return min(others)  # the two on the line can be put on their own sides by turning and moving it a little


def test_rows_that_are_far_right_tilt_least_squares() -> None:
    run, _ = run_of("least_squares_classifier --data tilt --at 50")
    data = run.problem.data
    assert (data.X[:, 0] > 4).sum() == (data.signs[data.X[:, 0] > 4] > 0).sum() == 20
    assert (data.signs * data.X[:, 0] > 0).all()  # x1 = 0, where logistic regression comes to, is right about all
    assert last_of(run, "degrees from logistic") == pytest.approx(30.8, abs=0.05)
    assert last_of(run, "training error") * 50 == 5


def test_neighbours_keep_every_number() -> None:
    data = datasets.load("moons", n=30, noise=0.3)
    assert data.X.size == 60
    assert data.d + 1 == 3


def test_grams_beside_millimetres() -> None:
    opened = "nearest_neighbours --data penguins --columns bill_length_mm,body_mass_g --sample 120 --hold-out 0.25"
    plain, _ = run_of(f"{opened} --at 20")
    scaled, _ = run_of(f"{opened} -p scale=deviation --at 20")
    assert [round(100 * last_of(run, "held-out error"), 1) for run in (plain, scaled)] == [36.7, 10.0]


# Trees and votes


def test_held_out_error_falls_and_then_rises_with_the_leaves() -> None:
    run, _ = run_of("decision_tree --data moons:n=300,noise=0.25 --hold-out 0.3 --at 34")
    leaves = [int((run.at(int(t)).state.left < 0).sum()) for t in run.curve("held-out error")[0]]
    held_out, training = (dict(zip(leaves, 100 * run.curve(name)[1])) for name in ("held-out error", "training error"))
    assert [round(held_out[k], 1) for k in (2, 7, 18)] == [14.4, 1.1, 3.3]
    assert training[18] == 0


def test_the_share_of_rows_in_a_bag() -> None:
    assert [round(in_a_bag(n), 3) for n in (10, 100)] == [0.651, 0.634]
    assert in_a_bag(10**6) == pytest.approx(0.632, abs=5e-4)
    assert 100 * in_a_bag(10**6) == pytest.approx(63.2, abs=0.05)


def test_seven_voters_of_the_lecture() -> None:
    _, last = run_of("majority_vote --at 14")
    assert [round(x, 3) for x in last.chances[:7]] == [0.028, 0.131, 0.261, 0.290, 0.194, 0.077, 0.017]
    assert round(last.chances[7], 4) == round(0.4**7, 4) == 0.0016
    assert [round(np.exp(-c * 7 * 0.1**2), 3) for c in (2, 1)] == [0.869, 0.932]


def test_the_entropy_of_two_classes() -> None:
    bits = [impurity("entropy", np.array(counts)) for counts in ([8, 0], [4, 4], [6, 2], [9, 1])]
    assert np.round(bits, 3).tolist() == [0, 1, 0.811, 0.469]
    assert [2 / 8, 1 / 10] == [0.25, 0.1]


def test_row_100_comes_to_a_leaf_of_virginica() -> None:
    run, state = run_of("decision_tree --data iris -p row=100 --at 4")
    assert (run.problem.data.X[100, 2:] > [2.45, 1.75]).all()
    assert state.counts[4].tolist() == [0, 1, 45]
    assert state.counts[4].sum() == 46


def test_the_ratios_of_irises_are_parted_at_the_lecture_s_places() -> None:
    run, state = run_of("decision_tree --data iris_ratios -p max_leaves=3 --at 4")
    asked = state.threshold[state.left >= 0]
    assert [round(float(at), 3) for at in asked] == [1.716, 2.725]
    X, y = run.problem.data.X, run.problem.data.y
    for first, second, wrong in ((*asked, 21), (1.7, 2.8, 23)):
        leaf = np.where(X[:, 0] <= first, 0, np.where(X[:, 1] <= second, 1, 2))
        assert len(y) - sum(np.bincount(y[leaf == k]).max() for k in range(3)) == wrong
    assert len(y) == 150


def test_eleven_rows_of_an_exclusive_or() -> None:
    run, state = run_of("smallest_tree --data decoys --at 68")
    data = run.problem.data
    assert data.X.shape == (11, 4)
    assert ((data.X[:, 0] != data.X[:, 1]) == data.y).all()
    assert (state.least[-1], last_of(run, "greedy"), last_of(run, "trees weighed")) == (4, 10, 238_145)
    over_five = 1 + 5 * 238_145**2
    assert over_five == pytest.approx(2.8 * 10**11, rel=0.02)


def test_least_squares_gains_little_by_a_vote() -> None:
    moons = "bagging --data moons:n=300,noise=0.3,seed=1 --hold-out 0.3 -p trees=10"
    own, _ = run_of(f'{moons} -p base="least squares" --at 20')
    trees, _ = run_of(f"{moons} --at 20")
    assert [round(last_of(run, "of a tree"), 3) for run in (own, trees)] == [0.273, 0.182]
    assert [round(last_of(run, "spread"), 3) for run in (own, trees)] == [0.017, 0.092]
