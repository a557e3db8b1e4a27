"""Ridge regression on written features, against the Gram matrix: the same, and no larger than its rows ask for."""

import tracemalloc

import numpy as np
import pytest

from algorithms.families.kernels.shared.gram_systems import GramSystem, ridge_values


def system(phi, lam):
    y = np.random.default_rng(1).normal(size=len(phi))
    return GramSystem(phi @ phi.T, y, lam, 0.0)


@pytest.mark.parametrize("lam", [0.0, 0.1, 100.0])
@pytest.mark.parametrize("shape", [(4, 50), (12, 12), (30, 5)])
def test_the_values_are_those_of_least_squares(shape, lam):
    phi = np.random.default_rng(0).normal(size=shape)
    below = np.vstack([phi, np.sqrt(lam) * np.eye(shape[1])])
    of = system(phi, lam)
    w = np.linalg.lstsq(below, np.append(of.y, np.zeros(shape[1])))[0]
    assert ridge_values(of, phi) == pytest.approx(phi @ w, abs=1e-9)


def test_features_of_no_row_and_rows_that_depend_are_no_harm():
    assert ridge_values(system(np.zeros((3, 8)), 0.0), np.zeros((3, 8))).tolist() == [0, 0, 0]
    twice = np.tile(np.random.default_rng(2).normal(size=8), (3, 1))
    of = system(twice, 0.0)
    assert ridge_values(of, twice) == pytest.approx(np.full(3, of.y.mean()))


def test_many_features_of_few_rows_make_no_matrix_of_features_by_features():
    """A polynomial kernel of degree 10 on four features has 1,001 of them: 4 rows took 5 seconds."""
    phi = np.random.default_rng(3).normal(size=(4, 3000))
    tracemalloc.start()
    ridge_values(system(phi, 0.1), phi)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3000 * 3000 * 8 / 10
