"""The pairs of L-BFGS: two loops against matrices, also in more than two dimensions; the search against SciPy's."""

import numpy as np
import pytest
from scipy.optimize import line_search

from algorithms.families.optimisers.lbfgs.quasi_newton import curvature, solved, with_pair
from algorithms.families.optimisers.lbfgs.wolfe import FIRST, SECOND, fault, least_along, narrowed
from algorithms.toolbox.functions import FUNCTIONS


def pairs(p, k, seed=0):
    """k moves on a quadratic of p variables, and the Hessian."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((p, p))
    H, S = A @ A.T + np.eye(p), rng.standard_normal((k, p))
    return H, S, S @ H


@pytest.mark.parametrize(("p", "k"), [(2, 0), (2, 5), (7, 3), (7, 12)])
def test_two_loops_solve_what_the_matrix_does(p, k):
    _, S, Y = pairs(p, k)
    v = np.random.default_rng(1).standard_normal(p)
    B = curvature(S, Y, p)
    assert B @ solved(S, Y, v) == pytest.approx(v, abs=1e-8)
    assert np.linalg.eigvalsh(B)[0] > 0
    if k:
        assert B @ S[-1] == pytest.approx(Y[-1])


def test_only_the_latest_moves_are_kept_and_none_that_bends_down():
    _, S, Y = pairs(3, 4)
    s, y = np.ones(3), np.array([1.0, 2.0, 3.0])
    kept = with_pair(S, Y, s, y, 2)
    assert np.array_equal(kept[0], [S[-1], s])
    assert np.array_equal(kept[1], [Y[-1], y])
    assert np.array_equal(with_pair(S, Y, s, -y, 4)[0], S)
    assert np.array_equal(with_pair(S, Y, s, np.zeros(3), 4)[0], S)


@pytest.mark.parametrize("function", ["rosenbrock", "himmelblau", "valley", "two wells"])
def test_the_search_ends_at_a_step_that_passes_both_conditions_as_scipys_does(function):
    f, x = FUNCTIONS[function], np.array([-1.2, 1.0])
    d = -f.gradient(x)
    alpha, low, high = 1.0, 0.0, 0.0
    while wrong := fault(f, x, d, alpha):
        alpha, low, high = narrowed(wrong, alpha, low, high)
    theirs = line_search(f.value, f.gradient, x, d, c1=FIRST, c2=SECOND)[0]
    for step in (alpha, theirs):
        assert f.value(x + step * d) <= f.value(x) + FIRST * step * f.gradient(x) @ d
        assert f.gradient(x + step * d) @ d >= SECOND * f.gradient(x) @ d


def test_the_exact_step_on_a_quadratic_is_the_closed_form():
    f, x = FUNCTIONS["valley"], np.array([-2.0, 1.0])
    g = f.gradient(x)
    assert least_along(f, x, -g, 1.0) == pytest.approx(g @ g / (g @ f.hessian(x) @ g), rel=1e-14)
    saddle = FUNCTIONS["saddle"]
    assert least_along(saddle, np.array([0.0, 0.5]), np.array([0.0, 1.0]), 1.0) is None
