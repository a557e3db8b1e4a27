"""Lanczos' iteration against NumPy's."""

import numpy as np
import pytest

from algorithms.toolbox.lanczos import leading_eigenpairs


def symmetric(n, rank, seed=0):
    A = np.random.default_rng(seed).normal(size=(n, rank))
    return A @ A.T


@pytest.mark.parametrize(
    "A",
    [
        symmetric(60, 60),
        symmetric(200, 7),
        symmetric(30, 2),
        np.eye(20),
        np.diag([3.0, 3.0, 2.0, 2.0, 1.0] + [0.5] * 20),
        np.zeros((6, 6)),
        1e80 * symmetric(40, 40),
        1e-80 * symmetric(40, 40),
    ],
    ids=["full", "rank 7", "rank 2", "identity", "equal ones", "nothing", "large", "small"],
)
def test_the_greatest_eigenvalues_are_those_of_numpy(A):
    values, vectors = leading_eigenpairs(A, 5)
    exact = np.linalg.eigvalsh(A)[::-1][:5]
    assert values == pytest.approx(exact, abs=1e-9 * max(abs(exact[0]), 1e-300))
    assert vectors @ vectors.T == pytest.approx(np.eye(5), abs=1e-9)
    assert vectors @ A == pytest.approx(values[:, None] * vectors, abs=1e-5 * max(abs(exact[0]), 1e-300))


def test_of_a_larger_matrix_few_products_are_enough():
    A = symmetric(700, 30) + 1e-3 * np.eye(700)
    values, vectors = leading_eigenpairs(A, 8)
    assert values == pytest.approx(np.linalg.eigvalsh(A)[::-1][:8], rel=1e-10)
    assert vectors.shape == (8, 700)
