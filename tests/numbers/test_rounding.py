"""What rounding, ties or other rows once made of a true theorem: each cause by itself, on the data that showed it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from algorithms import Add, Dataset, Move, Remove, Timeline, datasets, edited, find
from algorithms.core import Edit
from algorithms.playback.pictures.viewer import Viewer
from tests.numbers.checks import check_picture, check_run

TWO = np.arange(12) % 2


def drawn(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape)


def check(name: str, data: Dataset, steps: int = 60, **parameters: Any) -> Timeline:
    """Run it and look at every step."""
    run = Timeline(find(name), data, parameters)
    run.advance(steps)
    check_run(run)
    return run


def check_fork(run: Timeline, t: int, edits: Sequence[Edit] = (), steps: int = 30, **parameters: Any) -> Timeline:
    """Fork it and look at every step, and at the first picture."""
    fork = run.fork(t, data=edited(run.data, edits), **parameters)
    fork.advance(steps)
    check_run(fork)
    check_picture(Viewer(fork).picture(fork.at(fork.begin), 60, 30))
    return fork


# Made on other rows, or in another order


def test_columns_that_were_taken_in_another_order_are_no_fault_of_the_given_one() -> None:
    run = check("least_squares", datasets.load("diabetes"), order="greatest fall")
    check_fork(run, 8, order="given")


def test_the_column_in_hand_is_still_held_to_the_given_order() -> None:
    run = check("least_squares", datasets.load("diabetes"), order="greatest fall")
    turn = find("least_squares").theorems[-1]
    given = find("least_squares").problem(run.data, None, {"order": "given"})
    states = [run.at(t).state for t in range(len(run))]
    verdicts = [turn.verdict(given, b, s).status for b, s in zip(states, states[1:]) if s.phase == "orthogonalise"]
    assert "fails" in verdicts


def test_a_linear_voter_of_other_rows_is_not_held_against_these() -> None:
    data = datasets.load("iris")
    run = check("bagging", data, 8, base="least squares", trees=6)
    fork = check_fork(run, 4, [Move(0, tuple(data.X[0] + 3.0))])
    assert fork.at(fork.last).state.t > 4


def test_paths_are_drawn_of_states_on_as_many_rows_alone() -> None:
    data = Dataset(drawn(8, 2), drawn(8, seed=1), kind="number")
    check_fork(check("least_squares", data), 4, [Remove(0)])
    check_fork(check("kernel_k_means", Dataset(drawn(9, 2)), k=2), 2, [Add((0.0, 1.0))])


def test_a_node_without_rows_on_one_side_has_no_chord() -> None:
    data = Dataset([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], classes=("a", "b"))
    run = check("decision_tree", data)
    split = next(t for t in range(len(run)) if run.kind(t).phase == "split")
    check_fork(run, split, [Move(2, (0.5,)), Move(3, (0.5,))])


def test_a_direction_that_a_fork_put_there_has_not_turned_by_infinity() -> None:
    run = check("pca", Dataset(drawn(10, 3)), turns=5)
    fork = check_fork(run, 3, [Remove(2)], turns=2)
    words = fork.algorithm.explain(fork.problem, fork.at(3).state, fork.at(4).state)
    assert "inf" not in words
    assert "not iterated" in words


def test_rows_that_are_all_gone_have_no_likelihood() -> None:
    run = check("gaussian_discriminant", Dataset(drawn(8, 2), TWO[:8], classes=("a", "b")), order="cyclic")
    check_fork(run, 1, [Remove(0)])


# Ties


@pytest.mark.parametrize("every", ["coordinate", "sweep"])
@pytest.mark.parametrize("seed", range(12))
def test_a_greedy_choice_among_equal_columns_is_the_best_whichever_it_is(seed: int, every: str) -> None:
    rng = np.random.default_rng(seed)
    a, b = np.round(rng.normal(size=(2, 20)), 2)
    X = np.column_stack([a, b, b, a])
    y = np.round(X @ rng.normal(size=4) + rng.normal(size=20), 2)
    check("lasso_coordinate_descent", Dataset(X, y, kind="number"), order="greedy", every=every)


def test_a_greedy_sweep_without_ties_is_still_followed() -> None:
    data = datasets.load("prostate")
    run = check("lasso_coordinate_descent", data, 8, order="greedy", every="sweep")
    (first,) = (t for t in find("lasso_coordinate_descent").theorems if t.statement.startswith("wⱼ' = S("))
    made = [first.verdict(run.problem, run.at(t).before, run.at(t).state).status for t in range(1, len(run))]
    assert "holds" in made


def test_a_stump_that_is_wrong_on_all_rows_has_an_error_of_1_however_weights_round() -> None:
    from algorithms.families.boosting.adaboost.algorithm import weighted_error

    for n in range(2, 60):
        assert weighted_error(np.full(n, 1.0 / n), np.ones(n), -np.ones(n)) == 1.0


# Units and sizes


@pytest.mark.parametrize("size", [1e-5, 1e-6, 1e-7, 1e-8, 1e-20, 1e8])
def test_the_dual_of_short_rows_is_below_every_f(size: float) -> None:
    iris = datasets.load("iris")
    check("multiclass_svm", Dataset(iris.X * size, iris.y, kind="class"), bias=False, order="cyclic")


@pytest.mark.parametrize("name", ["one_vs_rest", "one_vs_one"])
@pytest.mark.parametrize("seed", range(4))
def test_least_squares_is_solved_whatever_the_units_of_columns(name: str, seed: int) -> None:
    X = drawn(30, 3, seed=seed) * [1e5, 1.0, 1e-4]
    y = np.random.default_rng(seed).integers(0, 3, 30)
    check(name, Dataset(X, y, kind="class"), base="least squares")


@pytest.mark.parametrize("seed", range(266, 282))
def test_irls_of_copies_and_means_of_columns_far_out_has_a_solution(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.choice([5, 8, 12, 20]))
    a, b, c = rng.normal(size=(3, n)) * 10 ** rng.uniform(-2, 4) + 1e6
    X = np.column_stack([a, b, c, b, (a + b) / 2, (b + c) / 2, a])[:, rng.permutation(7)]
    check("lasso_irls", Dataset(X, rng.normal(size=n), kind="number"), ratio=8.4e-5)


def test_targets_that_are_constant_but_for_rounding_leave_nothing_to_fit() -> None:
    data = Dataset(drawn(30, 3) * 1e-5, np.full(30, 0.3), kind="number")
    for name in ("lasso_irls", "lasso_ista", "lasso_coordinate_descent", "lasso_subgradient"):
        run = check(name, data)
        assert not run.at(run.last).state.w.any()


def test_w_of_the_lasso_is_exact_whatever_the_units_of_columns() -> None:
    from algorithms.families.regression.shared.lasso import lasso, solution

    for seed in range(20):
        a, b, c = drawn(3, 7, seed=seed)
        X = np.column_stack([1e-3 * (a + 0.1 * b), 1e-6 * (a + 0.1 * c), a])
        data = Dataset(X, drawn(7, seed=seed + 100), kind="number")
        f, best = lasso(data, 1e-3), solution(data, 1e-3)
        assert f.gap(best.w) <= 1e-9 * f.size(best.w)


@pytest.mark.parametrize("seed", range(3))
def test_newton_solves_for_a_bias_beside_a_large_penalty(seed: int) -> None:
    data = Dataset(drawn(6, 4, seed=seed), TWO[:6], classes=("a", "b"))
    check("logistic_newton", data, penalty=94930.0, start="wrong way")


def test_the_best_weights_are_found_to_the_last_digits_where_columns_are_copies() -> None:
    from algorithms.toolbox.logistic import likelihood, maximum

    for seed in range(30):
        a, b = np.round(drawn(2, 29, seed=seed), 1)
        y = np.random.default_rng(seed).integers(0, 2, 29)
        data = Dataset(np.column_stack([a, b, a, b, a]), y, classes=("a", "b"))
        f, best = likelihood(data, 0.1, True), maximum(data, 0.1, True)
        assert np.abs(f.gradient(best.w)).max() <= 1e-12 * np.abs(f.X).sum()


@pytest.mark.parametrize("seed", [0, 1, 2, 4])
def test_a_row_left_out_of_large_rows_leaves_the_best_as_it_was(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 3)) * 10 ** rng.uniform(4, 7)
    check("leave_one_out", Dataset(X, np.arange(20) % 2, classes=("a", "b")), bias=False)


@pytest.mark.parametrize("seed", range(6))
def test_a_row_left_out_is_off_by_as_much_where_columns_are_of_all_sizes(seed: int) -> None:
    X = drawn(13, 3, seed=seed) * [1e-8, 1e4, 1e8]
    check("ridge", Dataset(X, drawn(13, seed=seed + 50), kind="number"), 70)


def test_a_leave_one_out_error_that_is_rounding_alone_is_not_shown() -> None:
    from algorithms.toolbox.shrinkage import residuals_left_out, spectrum

    X = np.column_stack([np.arange(8.0), np.arange(8.0)])
    X[3, 1] += 1e-6  # by which row 3 alone decides the difference of the columns
    X = X + 1e3
    left, magnified = residuals_left_out(spectrum(X, drawn(8)), 0.0)
    assert left[3] == np.inf
    assert magnified == np.inf


@pytest.mark.parametrize("kernel", ["linear", "polynomial", "rbf"])
def test_conjugate_gradients_keep_to_the_energy_far_from_the_origin(kernel: str) -> None:
    for seed in range(6):
        X = 24166.0 + 0.01 * drawn(7, 1, seed=seed)
        data = Dataset(X, drawn(7, seed=seed + 9), kind="number")
        for penalty in (0.0, 0.1, 1243.0):
            check("kernel_regression", data, 12, kernel=kernel, penalty=penalty, constant=208406.0)


def test_k_of_rows_far_apart_in_one_column_and_near_in_another_keeps_to_the_energy() -> None:
    for seed in range(6):
        X = np.round(drawn(30, 3, seed=seed)) * [700.0, 1e-5, 1e-8]
        data = Dataset(X, 1e-5 * drawn(30, seed=seed + 9), kind="number")
        check("kernel_regression", data, 12, gamma=121939.0)


def test_features_that_rounding_hides_in_k_are_hidden_from_ridge() -> None:
    for seed in range(6):
        X = drawn(8, 4, seed=seed) * [1e8, 1.0, 1e-3, 1e-8]
        data = Dataset(X, drawn(8, seed=seed + 9), kind="number")
        check("kernel_regression", data, 12, kernel="linear", penalty=0.0)


@pytest.mark.parametrize("size", [1e3, 1e6])
def test_the_length_of_w_among_large_products_is_known_to_half_its_digits(size: float) -> None:
    for seed in range(8):
        data = Dataset(np.abs(drawn(8, 2, seed=seed)) * size, TWO[:8], classes=("a", "b"))
        check("kernel_perceptron", data, constant=7.0)
        check("kernel_perceptron", data, kernel="linear")


def test_w_of_rows_whose_shares_cancel_moves_as_in_logistic_regression() -> None:
    for seed in range(8):
        data = Dataset(np.round(drawn(20, 2, seed=seed)) * 28.8, np.arange(20) % 2, classes=("a", "b"))
        check("kernel_logistic", data, 20, penalty=916177.0, eta_L=6.98, gamma=10799.7)


@pytest.mark.parametrize("n", [4, 6])
def test_a_walk_that_leaves_nothing_of_u_leaves_u(n: int) -> None:
    for seed in range(8):
        run = check("spectral_clustering", Dataset(drawn(n, 2, seed=seed)), k=3, neighbours=1, seed=seed)
        vectors = run.at(run.last).state.vectors
        assert np.allclose(vectors @ vectors.T, np.eye(len(vectors)), atol=1e-9)


def test_boosting_that_has_nothing_left_has_residuals_of_0() -> None:
    data = Dataset(drawn(8, 2) * 1e-3, np.round(drawn(8, seed=1)) * 1e-3, kind="number")
    check("gradient_boosting", data, 80, loss="squared", depth=4, rounds=24)


def test_e_to_a_power_that_is_cut_off_is_not_held_to_be_convex() -> None:
    data = Dataset(drawn(12, 2) * 1e6, TWO, classes=("a", "b"))
    check_fork(check("surrogate_losses", data, 20, penalty="L2"), 19, loss="exponential")


@pytest.mark.parametrize("model", ["ridge", "polynomial"])
@pytest.mark.parametrize("split", ["folds", "leave one out"])
def test_folds_are_off_by_as_much_far_from_the_origin(model: str, split: str) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = np.round(rng.normal(size=(10, 2)), 1) + 1000.0
        data = Dataset(X, np.round(rng.normal(size=10), 2) + 1000.0, kind="number")
        check("cross_validation", data, model=model, split=split, least=1e-6, most=1e8)
