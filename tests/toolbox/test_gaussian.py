"""Log densities and log-sum-exp, against SciPy."""

import numpy as np
import pytest
from scipy.special import logsumexp, softmax
from scipy.stats import multivariate_normal

from algorithms.toolbox.blocks import row_blocks
from algorithms.toolbox.gaussian import as_matrices, log_densities
from algorithms.toolbox.logsumexp import shares_and_log_sum


def covariances_of(kind, k, d, rng):
    if kind == "spherical":
        return rng.uniform(0.1, 2.0, k)
    if kind == "diagonal":
        return rng.uniform(0.1, 2.0, (k, d))
    roots = rng.normal(size=(k, d, d)) + 2 * np.eye(d)
    return roots @ roots.transpose(0, 2, 1)


@pytest.mark.parametrize("kind", ["full", "diagonal", "spherical"])
@pytest.mark.parametrize(("n", "d", "k"), [(7, 1, 1), (40, 3, 4), (3000, 8, 2)])
def test_log_densities_are_scipy_s(kind, n, d, k):
    rng = np.random.default_rng(n)
    X, means = rng.normal(size=(n, d)), rng.normal(size=(k, d))
    covariances = covariances_of(kind, k, d, rng)
    matrices = as_matrices(covariances, d)
    theirs = [multivariate_normal(m, c).logpdf(X) for m, c in zip(means, matrices)]
    assert np.allclose(log_densities(X, means, covariances), theirs, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("kind", ["full", "diagonal", "spherical"])
def test_rows_far_from_the_origin_lose_nothing(kind):
    rng = np.random.default_rng(0)
    X, means = rng.integers(-4, 5, (50, 3)).astype(float), np.array([[0.0, 1.0, 2.0], [1.0, -1.0, 0.0]])
    covariances = covariances_of(kind, 2, 3, rng)
    far = 2.0**40
    assert np.array_equal(log_densities(X + far, means + far, covariances), log_densities(X, means, covariances))


def test_blocks_cover_every_row_once():
    for n, width in ((1, 1), (64, 10**6), (65, 10**6), (100_000, 3)):
        assert np.concatenate([np.arange(n)[rows] for rows in row_blocks(n, width)]).tolist() == list(range(n))


def test_shares_and_log_sum_are_scipy_s_however_large_the_scores():
    scores = np.random.default_rng(0).normal(size=(4, 30)) * 400
    scores[2] = -np.inf
    scores[:, 5] += 1e6
    shares, log_sum = shares_and_log_sum(scores)
    assert np.allclose(log_sum, logsumexp(scores, axis=0), rtol=1e-14)
    assert np.allclose(shares, softmax(scores, axis=0), rtol=1e-12, atol=1e-300)
    assert not shares[2].any()
