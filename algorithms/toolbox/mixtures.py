"""Mixtures of Gaussians: shares of the rows, Jensen's bound on the likelihood, and moments.

The shape of the covariances says which they are, as in `algorithms.toolbox.gaussian`.
"""

import numpy as np

from algorithms.core.arrays import Array
from algorithms.toolbox.covariances import Kind, clipped, pooled, scatters
from algorithms.toolbox.gaussian import as_matrices, log_densities
from algorithms.toolbox.logsumexp import shares_and_log_sum

_LEAST_HELD = 1e-12  # rows' worth of shares below which a component is said to hold nothing


def log_joint(X: Array, weights: Array, means: Array, covariances: Array) -> Array:
    """(k, n): log π_j N(x_i; μ_j, Σ_j); -inf for a component of weight 0."""
    with np.errstate(divide="ignore"):
        log_weights = np.log(weights)
    joint = log_densities(X, means, covariances)
    joint += log_weights[:, None]
    return joint


def expect(X: Array, weights: Array, means: Array, covariances: Array) -> tuple[Array, float]:
    """The E step: (n, k) responsibilities, and the mean log-likelihood of a row."""
    shares, log_likelihoods = shares_and_log_sum(log_joint(X, weights, means, covariances))
    return shares.T, float(log_likelihoods.sum()) / len(X)


def m_step(
    X: Array, responsibilities: Array, means: Array, covariances: Array, kind: Kind, least: Array
) -> tuple[Array, Array, Array, Array | None]:
    """The M step on (n, k) shares: weights, means, covariances, and in how many directions each was at the floor.

    A component that holds nothing keeps its mean and covariance: no others would make F any greater. Fixed covariances
    stay as they are, and nothing is said of the floor.

    Args:
        means, covariances: those of before.
        least: (d,) the floor, the least variance along each feature.
    """
    shares = np.ascontiguousarray(responsibilities.T)
    held = shares.sum(axis=1)
    weights, divisor, nothing = held / held.sum(), np.maximum(held, _LEAST_HELD), held < _LEAST_HELD
    rows = X - X[0]  # sums of numbers far from 0 would lose what the components differ in
    apart = shares @ rows / divisor[:, None]
    middles = apart + X[0]
    middles[nothing] = means[nothing]
    if kind == "fixed":
        return weights, middles, covariances, None
    widths = scatters(rows, shares, divisor, apart, kind)
    if kind == "tied":
        widths = pooled(widths, weights)
    elif nothing.any():
        widths[nothing] = covariances[nothing]
    return weights, middles, *clipped(widths, least)


def mean_log_sum(joint: Array) -> float:
    """log L/n of (k, n) log π_j N(x_i; μ_j, Σ_j)."""
    return float(shares_and_log_sum(joint)[1].mean())


def jensen_bound(joint: Array, responsibilities: Array) -> float:
    """F = 1/n Σ_ij r_ij (log π_j N(x_i; μ_j, Σ_j) - log r_ij) for (n, k) shares r; 0 log 0 = 0."""
    shares = responsibilities.T
    held = shares > 0
    terms = np.zeros(shares.shape)
    np.log(shares, out=terms, where=held)
    np.subtract(joint, terms, out=terms, where=held)
    np.multiply(shares, terms, out=terms, where=held)
    return float(terms.sum()) / len(responsibilities)


def greatest_shares(shares: Array) -> Array:
    """(n,) the greatest of each row of (n, k) shares: column by column, for along short rows NumPy is slow."""
    greatest = shares[:, 0].copy()
    for column in shares.T[1:]:
        np.maximum(greatest, column, out=greatest)
    return np.asarray(greatest)


def second_moments(
    X: Array, centre: Array, weights: Array, means: Array, covariances: Array
) -> tuple[Array, Array, Array]:
    """Those of a mixture, Σ_j π_j (Σ_j + μ_j μ_jᵀ), those of the rows, 1/n Σ x xᵀ, and the size of what was added.

    All are about `centre`, where the sums lose least. Of diagonal covariances the diagonals alone, of σ_j² I their
    mean: these are what such components can have in common with the rows.
    """
    rows, away = X - centre, means - centre
    mixture = np.tensordot(weights, as_matrices(covariances, X.shape[1]), 1) + (weights * away.T) @ away
    data = rows.T @ rows / len(X)
    far, top = np.abs(rows).max(axis=0), np.abs(X).max(axis=0)
    size = np.outer(far, far + top) + np.outer(far + top, far)  # each factor is rounded where it lies
    if covariances.ndim == 3:
        return mixture, data, size
    diagonals = np.diag(mixture), np.diag(data), np.diag(size)
    if covariances.ndim == 2:
        return diagonals
    mixture, data, size = (np.array([diagonal.mean()]) for diagonal in diagonals)
    return mixture, data, size
