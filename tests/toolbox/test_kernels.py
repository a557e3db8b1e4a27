"""Kernels: against scikit-learn and against features written out, centred and not; and what refutes a kernel."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel
from sklearn.preprocessing import KernelCenterer
from sklearn.svm import SVC

from algorithms.toolbox.kernels import (
    Kernel,
    centred,
    centred_sums,
    eigenvalue_rounding,
    least_eigenvalue,
    refutes,
    usual_gamma,
)
from tests.examples import examples

LINEAR = Kernel(name="linear")
POLYNOMIAL = Kernel(name="polynomial", gamma=0.5, degree=3, constant=2.0)
RBF = Kernel(name="rbf", gamma=0.7)
ALL = pytest.mark.parametrize("kernel", [LINEAR, POLYNOMIAL, RBF], ids=lambda k: k.name)


def rows_of(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def squares_and_products(X, gamma, constant):
    """φ of (γ x·z + c)² for two features: six coordinates."""
    a, b, g = X[:, 0], X[:, 1], gamma
    half = np.sqrt(2 * g * constant)
    return np.column_stack(
        [g * a * a, g * b * b, np.sqrt(2) * g * a * b, half * a, half * b, np.full(len(X), constant)]
    )


def test_they_are_those_of_scikit_learn():
    X, Z = rows_of(30, 4), rows_of(20, 4, seed=1)
    assert LINEAR(X, Z) == pytest.approx(linear_kernel(X, Z), abs=1e-13)
    theirs = polynomial_kernel(X, Z, gamma=0.5, degree=3, coef0=2.0)
    assert POLYNOMIAL(X, Z) == pytest.approx(theirs, rel=1e-12, abs=1e-12)
    assert RBF(X, Z) == pytest.approx(rbf_kernel(X, Z, gamma=0.7), rel=1e-12, abs=1e-14)


def test_the_polynomial_is_an_inner_product_of_features_that_can_be_written_down():
    X = rows_of(25, 2)
    features = squares_and_products(X, 0.5, 2.0)
    assert Kernel(name="polynomial", gamma=0.5, degree=2, constant=2.0)(X, X) == pytest.approx(features @ features.T)


@ALL
def test_the_squares_are_the_diagonal(kernel):
    X = rows_of(20, 3)
    assert kernel.squares(X) == pytest.approx(np.diagonal(kernel(X, X)), rel=1e-12)


@ALL
def test_distances_are_those_of_the_features(kernel):
    X = rows_of(20, 3)
    K = kernel(X, X)
    distances = kernel.squared_distances_of(X)
    for i in (0, 7, 19):
        assert distances(i) == pytest.approx(np.diagonal(K) + K[i, i] - 2 * K[i], abs=1e-11)
        assert distances(i)[i] == 0


@ALL
def test_no_distance_is_below_the_least(kernel):
    X = np.repeat(rows_of(5, 3), 2, axis=0)
    distances = kernel.squared_distances_of(X, least=1e-9)
    for i in range(10):
        assert distances(i).min() == distances(i)[i] == distances(i)[i ^ 1] == 1e-9


@pytest.mark.parametrize("kernel", [LINEAR, RBF], ids=lambda k: k.name)
def test_distances_far_from_the_origin_are_as_good_as_near_it(kernel):
    X = np.round(rows_of(20, 3), 3)
    near, far = kernel.squared_distances_of(X), kernel.squared_distances_of(X + 2.0**20)
    for i in range(20):
        assert far(i) == pytest.approx(near(i), abs=1e-8)


def test_the_usual_gamma_is_that_of_scikit_learn():
    X, y = rows_of(30, 4) * [1.0, 2.0, 3.0, 4.0] + 7.0, np.arange(30) % 2
    assert usual_gamma(X) == pytest.approx(SVC(gamma="scale").fit(X, y)._gamma, rel=1e-12)
    assert usual_gamma(np.ones((3, 2))) == 1.0


@ALL
def test_centring_is_that_of_scikit_learn(kernel):
    X, Z = rows_of(15, 3), rows_of(6, 3, seed=1)
    gram = kernel(X, X)
    theirs = KernelCenterer().fit(gram)
    assert centred(gram) == pytest.approx(theirs.transform(gram), abs=1e-12)
    assert centred_sums(kernel(Z, X), gram, np.eye(len(X))) == pytest.approx(theirs.transform(kernel(Z, X)), abs=1e-12)


def test_centring_takes_the_mean_off_the_features():
    X, Z = rows_of(15, 2), rows_of(6, 2, seed=1)
    kernel = Kernel(name="polynomial", gamma=0.5, degree=2, constant=2.0)
    features, others = squares_and_products(X, 0.5, 2.0), squares_and_products(Z, 0.5, 2.0)
    mean = features.mean(axis=0)
    gram = kernel(X, X)
    assert centred(gram) == pytest.approx((features - mean) @ (features - mean).T, abs=1e-12)
    assert centred_sums(kernel(Z, X), gram, np.eye(len(X))) == pytest.approx(
        (others - mean) @ (features - mean).T, abs=1e-12
    )


@settings(max_examples=examples(60), deadline=None)
@given(
    st.sampled_from(["linear", "polynomial", "rbf"]),
    st.integers(2, 25),
    st.integers(1, 5),
    st.floats(1e-3, 1e3),
    st.integers(1, 6),
    st.floats(0, 10),
    st.integers(0, 2**32 - 1),
)
def test_no_gram_matrix_of_theirs_refutes_them(name, n, d, gamma, degree, constant, seed):
    kernel, X = Kernel(name=name, gamma=gamma, degree=degree, constant=constant), rows_of(n, d, seed)
    gram = kernel(X, X)
    assert not refutes(gram)
    assert not refutes(centred(gram))
    assert least_eigenvalue(gram) >= -eigenvalue_rounding(gram)


def test_what_is_no_kernel_is_refuted_by_some_rows():
    X = rows_of(20, 3)
    assert refutes(np.tanh(X @ X.T - 1))
    assert refutes(-rbf_kernel(X))
    assert refutes(np.sqrt(((X[:, None] - X) ** 2).sum(axis=2)))


def test_one_gram_matrix_never_proves_a_kernel():
    """k(x, z) = x·z - 1 is none, as k(x, x) < 0 near 0; rows far from 0 do not show it."""
    far, near = 3.0 * np.eye(2), 0.1 * np.eye(2)
    assert not refutes(far @ far.T - 1)
    assert refutes(near @ near.T - 1)


def test_a_negative_constant_makes_no_kernel():
    X = np.array([[0.1], [0.2]])
    assert refutes(Kernel(name="polynomial", gamma=1.0, degree=1, constant=-1.0)(X, X))


def test_distances_are_those_of_a_kernel_even_where_rounding_is_all_of_the_exponent():
    rows = np.random.default_rng(0).normal(size=(12, 2)) * 1e45
    rows[1] = rows[0]
    distances = Kernel(name="rbf", gamma=1e6).squared_distances_of(rows)
    found = np.array([distances(i) for i in range(12)])
    assert np.isfinite(found).all()
    assert found.min() >= 0
    assert found.max() <= 2
