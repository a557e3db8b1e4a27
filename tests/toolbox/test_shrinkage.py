"""Penalised least squares by one decomposition: against scikit-learn, and what rounding lets be said."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge

from algorithms.data import diabetes, prostate
from algorithms.toolbox.shrinkage import left_out, slope, spectrum, weights_along


@pytest.mark.parametrize("data", [prostate.load(), diabetes.load()], ids=["prostate", "diabetes"])
@pytest.mark.parametrize("lam", [0.0, 0.01, 1.0, 1e4])
def test_weights_are_those_of_scikit_learn(data, lam):
    machine = (Ridge(alpha=lam, solver="svd") if lam else LinearRegression()).fit(data.X, data.y)
    of = spectrum(data.X, data.y)
    assert of.weights(lam) == pytest.approx(np.append(machine.intercept_, machine.coef_), rel=1e-8)
    assert weights_along(of, np.array([lam]))[0] == pytest.approx(machine.coef_, rel=1e-8)


def test_the_degrees_of_freedom_are_the_trace_of_the_hat_matrix():
    data = prostate.load()
    X = data.X - data.X.mean(axis=0)
    for lam in (0.0, 10.0, 1e3):
        hat = X @ np.linalg.solve(X.T @ X + lam * np.eye(data.d), X.T)
        assert spectrum(data.X, data.y).shrinkage(lam).sum() == pytest.approx(np.trace(hat))


def test_of_many_solutions_without_a_penalty_it_is_the_shortest():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((6, 2))[:, [0, 1, 0]]
    y = rng.standard_normal(6)
    expected = np.linalg.pinv(X - X.mean(axis=0)) @ (y - y.mean())
    of = spectrum(X, y)
    assert of.weights(0.0)[1:] == pytest.approx(expected)
    assert len(of.S) == 2
    assert of.certain(0.0)


def test_where_weights_are_optimal_both_sides_of_the_slope_agree_and_nowhere_else():
    data = prostate.load()
    w = spectrum(data.X, data.y).weights(3.0)
    gradient, penalised, size = slope(data.X, data.y, w, 3.0)
    assert np.abs(gradient - penalised).max() < 1e-12 * size
    gradient, penalised, size = slope(data.X, data.y, 1.001 * w, 3.0)
    assert np.abs(gradient - penalised).max() > 1e-6 * size


def test_nothing_is_said_of_columns_that_are_dependent_but_for_rounding():
    rng = np.random.default_rng(0)
    column = rng.standard_normal(20)
    y = rng.standard_normal(20)
    nearly = np.column_stack([column, column + 1e-9 * rng.standard_normal(20)])
    far = np.column_stack([column + 1e9, rng.standard_normal(20)])
    for X in (nearly, far):
        assert not spectrum(X, y).certain(0.0)
    assert spectrum(nearly, y).certain(1.0)


def test_a_row_that_alone_knows_a_direction_cannot_be_left_out():
    X = np.column_stack([np.arange(6.0), np.arange(6) == 2])
    y = np.array([1.0, 3.0, 2.0, 5.0, 4.0, 6.0])
    assert np.isinf(left_out(spectrum(X, y), y, 0.0, np.arange(6) == 2)[1])
    assert np.isfinite(left_out(spectrum(X, y), y, 0.0, np.arange(6) == 3)[1])
    assert np.isfinite(left_out(spectrum(X, y), y, 1.0, np.arange(6) == 2)[1])
