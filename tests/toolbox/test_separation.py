"""Separation, against non-negative least squares and support vectors, and by its own proofs."""

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.optimize import nnls
from sklearn.svm import SVC

from algorithms.toolbox.separation import separate


def shortest_by_least_squares(rows: np.ndarray) -> float:
    """The norm of the hull's shortest point, by Lawson and Hanson's algorithm with the sum held at 1 by a heavy row."""
    n, p = rows.shape
    heavy = 1e4
    weights, _ = nnls(np.vstack([rows.T, np.full(n, heavy)]), np.append(np.zeros(p), heavy))
    return float(np.linalg.norm(weights / weights.sum() @ rows))


def test_two_rows_by_hand():
    found = separate(np.array([[1.0, 1.0], [1.0, -0.5]]))
    assert found.direction == pytest.approx([1.0, 0.0])
    assert found.margin == pytest.approx(1.0)
    assert found.shares == pytest.approx([1 / 3, 2 / 3])


def test_rows_that_are_only_weakly_separable_come_with_the_proof():
    found = separate(np.array([[0.0, 1.0], [0.0, -1.0], [1.0, -0.5]]))
    assert found.direction is None
    assert found.impossible
    assert found.shares == pytest.approx([0.5, 0.5, 0.0])


@pytest.mark.parametrize("rows", [[[0.0, 0.0]], [[0.0, 0.0], [1.0, 2.0]], [[1.0], [-3.0]]])
def test_a_zero_row_or_opposite_rows_cannot_be_separated(rows):
    assert separate(np.array(rows)).impossible


def test_one_row_is_its_own_direction():
    found = separate(np.array([[3.0, 4.0]]))
    assert found.direction == pytest.approx([0.6, 0.8])
    assert found.margin == found.longest == pytest.approx(5.0)


@settings(max_examples=300, deadline=None)
@given(arrays(float, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.integers(-3, 3).map(float)))
@example(np.array([[2.0, 0, -1], [0, 0, 3], [0, 0, 3], [-1, -3, 2], [1, 2, -3]]))  # a weight that rounds to almost 0
def test_the_answer_is_proved_and_is_the_best_there_is(rows):
    found = separate(rows)
    assert (found.shares >= 0).all()
    assert found.shares.sum() == pytest.approx(1.0)
    assert found.remainder == pytest.approx(np.linalg.norm(found.shares @ rows), abs=1e-12)
    assert found.remainder == pytest.approx(shortest_by_least_squares(rows), abs=1e-5)
    if found.direction is None:
        assert found.impossible
    else:
        assert np.linalg.norm(found.direction) == pytest.approx(1.0)
        assert found.margin == pytest.approx((rows @ found.direction).min())
        assert found.margin == pytest.approx(found.remainder, rel=1e-9)


def test_the_direction_is_that_of_a_support_vector_machine():
    rng = np.random.default_rng(4)
    signs = np.where(rng.random(120) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(120, 3)) + 4 * signs[:, None]
    machine = SVC(C=1e9, kernel="linear", tol=1e-9).fit(X, signs)
    centred = X + machine.intercept_[0] * machine.coef_[0] / (machine.coef_[0] @ machine.coef_[0])
    found = separate(signs[:, None] * centred)  # through the origin once the offset is taken out
    assert found.margin == pytest.approx(1 / np.linalg.norm(machine.coef_[0]), rel=1e-6)
    assert found.direction == pytest.approx(machine.coef_[0] / np.linalg.norm(machine.coef_[0]), abs=1e-5)


@pytest.mark.parametrize("size", [1e-200, 1e150])
def test_tiny_and_huge_rows_have_the_same_answer(size):
    found = separate(size * np.array([[1.0, 1.0], [1.0, -0.5]]))
    assert found.direction == pytest.approx([1.0, 0.0])
    assert found.margin == pytest.approx(size)


def test_when_the_work_runs_out_what_was_found_stands_and_is_still_true(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    signs = np.where(X @ rng.normal(size=20) > 0, 1.0, -1.0)
    rows = signs[:, None] * X
    best = separate(rows)
    monkeypatch.setattr("algorithms.toolbox.separation._PRODUCTS", 1)
    cut_short = separate(rows)
    assert not cut_short.impossible
    assert cut_short.margin <= best.margin <= cut_short.remainder
    assert cut_short.direction is None or (rows @ cut_short.direction).min() > 0
