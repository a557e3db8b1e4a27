"""Covariances of shares of rows, and those held above a floor."""

import numpy as np
from hypothesis import given, settings, strategies as st

from algorithms.toolbox.covariances import clipped, scatters
from algorithms.toolbox.gaussian import as_matrices
from tests.examples import examples


@settings(deadline=None, max_examples=examples(60))
@given(seed=st.integers(0, 10_000), d=st.integers(1, 4), size=st.floats(0.01, 100))
def test_clipping_gives_the_most_likely_covariance_above_the_floor(seed, d, size):
    """No other Σ above the floor has a greater -log|Σ| - tr(Σ⁻¹S), in any of the three shapes."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(d, d)) * size ** rng.normal(size=d)
    S, least = root @ root.T, rng.uniform(0.1, 10, d)
    held, unit = {"full": S, "diagonal": np.diag(S), "spherical": np.array(np.trace(S) / d)}, np.sqrt(least)

    def score(Σ):
        return -np.linalg.slogdet(Σ)[1] - np.trace(np.linalg.solve(Σ, S))

    for scatter in held.values():
        chosen = as_matrices(clipped(scatter[None], least)[0], d)[0]
        for _ in range(20):
            other = rng.normal(size=(d, d)) * rng.uniform(0, 2)
            if scatter.ndim == 2:
                rival = chosen + rng.uniform(0, 1) * (
                    np.outer(unit, unit) * (other @ other.T) + np.diag(least) - chosen
                )
            elif scatter.ndim == 1:
                rival = np.diag(np.maximum(np.diag(chosen) * np.exp(np.diag(other)), least))
            else:
                rival = np.eye(d) * max(chosen[0, 0] * np.exp(other[0, 0]), least.max())
            assert score(rival) <= score(chosen) + 1e-9 * abs(score(chosen))


def test_scatters_are_weighted_covariances():
    rng = np.random.default_rng(0)
    X, shares = rng.normal(size=(5000, 3)) + 3, rng.uniform(size=(2, 5000))
    held = shares.sum(axis=1)
    means = shares @ X / held[:, None]
    exact = np.stack([np.cov(X.T, aweights=r, bias=True) for r in shares])
    assert np.allclose(scatters(X, shares, held, means, "full"), exact, rtol=1e-11, atol=1e-12)
    diagonals = np.diagonal(exact, axis1=1, axis2=2)
    assert np.allclose(scatters(X, shares, held, means, "diagonal"), diagonals, rtol=1e-11)
    assert np.allclose(scatters(X, shares, held, means, "spherical"), diagonals.mean(axis=1), rtol=1e-11)
