"""Separation, against non-negative least squares and support vectors, and by its own proofs."""

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.optimize import nnls
from sklearn.svm import SVC

from algorithms.toolbox.separation import separate
from tests.examples import examples


def shortest_by_least_squares(rows: np.ndarray) -> float:
    """The norm of the hull's shortest point, by Lawson and Hanson's algorithm with the sum held at 1 by a heavy row."""
    n, p = rows.shape
    heavy = 1e4
    weights, _ = nnls(np.vstack([rows.T, np.full(n, heavy)]), np.append(np.zeros(p), heavy))
    return float(np.linalg.norm(weights / weights.sum() @ rows))


def test_two_rows_by_hand():
    separation = separate(np.array([[1.0, 1.0], [1.0, -0.5]]))
    assert separation.direction == pytest.approx([1.0, 0.0])
    assert separation.margin == pytest.approx(1.0)
    assert separation.shares == pytest.approx([1 / 3, 2 / 3])


def test_rows_that_are_only_weakly_separable_come_with_the_proof():
    """The three points of the lecture, by their signs: (1, 0) has none of them on its negative side."""
    separation = separate(np.array([[0.0, 1.0], [0.0, -1.0], [1.0, -0.5]]))
    assert separation.direction is None
    assert separation.impossible
    assert separation.shares == pytest.approx([0.5, 0.5, 0.0])


@pytest.mark.parametrize("rows", [[[0.0, 0.0]], [[0.0, 0.0], [1.0, 2.0]], [[1.0], [-3.0]]])
def test_a_zero_row_or_opposite_rows_cannot_be_separated(rows):
    assert separate(np.array(rows)).impossible


@pytest.mark.parametrize("bias", [False, True])
def test_columns_of_very_different_units_are_separated(bias):
    rng = np.random.default_rng(0)
    y = np.where(rng.random(60) < 0.5, 1.0, -1.0)
    X = np.column_stack([1e6 * rng.normal(size=60), y * 1e-6 * (1 + rng.random(60)), *([np.ones(60)] if bias else [])])
    rows = y[:, None] * X
    separation = separate(rows)
    assert not separation.impossible
    assert separation.direction is not None
    assert (rows @ separation.direction >= separation.margin).all()
    assert 0.9e-6 < separation.margin <= np.abs(X[:, 1]).min() + 1e-7


def test_rows_of_very_different_lengths_are_separated():
    rows = np.array([[1e-9, 0.0], [1e6, 1e6]])
    separation = separate(rows)
    assert 1e-10 < separation.margin <= 1e-9
    assert separation.margin == pytest.approx((rows @ separation.direction).min())


def test_columns_that_are_all_zero_change_nothing():
    assert separate(np.array([[1e6, 0.0, 1e-9], [-1e6, 0.0, 1e-9]])).direction == pytest.approx([0.0, 0.0, 1.0])


@pytest.mark.parametrize("apart", [1e-13, 1e-14])
def test_what_rounding_hides_is_undecided(apart):
    """Separable by ``apart``, along a direction that no column is: neither the answer yes nor no can be trusted."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(60) < 0.5, 1.0, -1.0)
    along, across = rng.normal(size=60), y * apart * (1 + rng.random(60))
    separation = separate(y[:, None] * np.column_stack([along + across, along - across]))
    assert not separation.impossible
    assert separation.direction is None
    assert separation.why == "rounding hides whether anything separates the rows"


@settings(max_examples=examples(100), deadline=None)
@given(
    arrays(float, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=st.integers(-3, 3).map(float)),
    st.integers(0, 2**32 - 1),
)
@example(np.array([[1.0, 0, 0, 0], [-1, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1]]), 10923192)  # a short entry in a column
def test_units_of_columns_and_lengths_of_rows_do_not_change_whether_there_is_one(rows, seed):
    rng = np.random.default_rng(seed)
    powers = [2.0 ** rng.integers(-30, 30, size=size) for size in rows.shape]
    plain, scaled = separate(rows), separate(rows * powers[0][:, None] * powers[1])
    assert (plain.direction is None) == plain.impossible
    if scaled.why:  # undecided, which is allowed; the other answer is not
        assert scaled.direction is None
        assert not scaled.impossible
    else:
        assert (scaled.direction is None) == scaled.impossible == plain.impossible


def test_one_row_is_its_own_direction():
    separation = separate(np.array([[3.0, 4.0]]))
    assert separation.direction == pytest.approx([0.6, 0.8])
    assert separation.margin == separation.longest == pytest.approx(5.0)


@settings(max_examples=examples(300), deadline=None)
@given(arrays(float, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.integers(-3, 3).map(float)))
@example(np.array([[2.0, 0, -1], [0, 0, 3], [0, 0, 3], [-1, -3, 2], [1, 2, -3]]))  # a weight that rounds to almost 0
def test_the_answer_is_proved_and_is_the_best_there_is(rows):
    separation = separate(rows)
    assert (separation.shares >= 0).all()
    assert separation.shares.sum() == pytest.approx(1.0)
    assert separation.remainder == pytest.approx(np.linalg.norm(separation.shares @ rows), abs=1e-12)
    assert separation.remainder == pytest.approx(shortest_by_least_squares(rows), abs=1e-5)
    if separation.direction is None:
        assert separation.impossible
    else:
        assert np.linalg.norm(separation.direction) == pytest.approx(1.0)
        assert separation.margin == pytest.approx((rows @ separation.direction).min())
        assert separation.margin == pytest.approx(separation.remainder, rel=1e-6)  # closer, but for flat hulls


def test_the_direction_is_that_of_a_support_vector_machine():
    rng = np.random.default_rng(4)
    signs = np.where(rng.random(120) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(120, 3)) + 4 * signs[:, None]
    machine = SVC(C=1e9, kernel="linear", tol=1e-9).fit(X, signs)
    centred = X + machine.intercept_[0] * machine.coef_[0] / (machine.coef_[0] @ machine.coef_[0])
    separation = separate(signs[:, None] * centred)  # through the origin once the offset is taken out
    assert separation.margin == pytest.approx(1 / np.linalg.norm(machine.coef_[0]), rel=1e-6)
    assert separation.direction == pytest.approx(machine.coef_[0] / np.linalg.norm(machine.coef_[0]), abs=1e-5)


@pytest.mark.parametrize("size", [1e-200, 1e150])
def test_tiny_and_huge_rows_have_the_same_answer(size):
    separation = separate(size * np.array([[1.0, 1.0], [1.0, -0.5]]))
    assert separation.direction == pytest.approx([1.0, 0.0])
    assert separation.margin == pytest.approx(size)


def test_when_the_work_runs_out_the_best_so_far_stands_and_is_still_true(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    signs = np.where(X @ rng.normal(size=20) > 0, 1.0, -1.0)
    rows = signs[:, None] * X
    best = separate(rows)
    monkeypatch.setattr("algorithms.toolbox.separation._PRODUCTS", 1)
    cut_short = separate(rows)
    assert not cut_short.impossible
    assert (cut_short.why == "no separator was found in time") == (cut_short.direction is None)
    assert cut_short.margin <= best.margin <= cut_short.remainder
    assert cut_short.direction is None or (rows @ cut_short.direction).min() > 0
