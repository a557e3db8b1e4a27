"""Gaussian densities, of several Gaussians at once.

Covariances come in three shapes, and the shape of the array says which: full (k, d, d), diagonal (k, d), the
variances of the features, or spherical (k,), one variance for all directions.
"""

from math import log, pi

import numpy as np

from algorithms.core.arrays import Array
from algorithms.toolbox.blocks import row_blocks

_HALF_LOG_2_PI = 0.5 * log(2.0 * pi)


def log_densities(X: Array, means: Array, covariances: Array) -> Array:
    """(n, d) rows -> (k, n): log N(x_i; μ_j, Σ_j) = -½ (d log 2π + log|Σ_j| + ‖L_j⁻¹(x_i - μ_j)‖²), Σ_j = L_j L_jᵀ.

    Raises:
        LinAlgError: for a full covariance that is not positive definite.
    """
    if covariances.ndim == 3:
        squares, log_widths = _full_squares(X, means, covariances)
    else:
        squares, log_widths = _diagonal_squares(X, means, covariances)
    squares *= -0.5
    squares -= (log_widths + X.shape[1] * _HALF_LOG_2_PI)[:, None]
    return squares


def _full_squares(X: Array, means: Array, covariances: Array) -> tuple[Array, Array]:
    """(k, n) ‖L_j⁻¹(x_i - μ_j)‖² and (k,) ½ log|Σ_j|.

    One product for all components: (x_i - c, 1) with the L_j⁻¹ side by side, the L_j⁻¹(c - μ_j) in a row below. The
    place c is a row, so that little is lost where they are far from the origin.
    """
    (n, d), k, centre = X.shape, len(means), X[0]
    roots = np.linalg.cholesky(covariances)
    # Each feature in a unit of its own size, a power of two: else those of very different sizes cost all digits.
    units = np.exp2(np.frexp(np.sqrt(np.diagonal(covariances, axis1=1, axis2=2)))[1])
    inverses = np.linalg.inv(roots / units[:, :, None]) / units[:, None, :]
    log_widths = np.log(roots.diagonal(axis1=1, axis2=2)).sum(axis=1)
    whiten = np.empty((d + 1, k * d))
    whiten[:d] = inverses.reshape(k * d, d).T
    whiten[d] = np.vecdot(inverses, (centre - means)[:, None, :]).ravel()
    away = np.ones((n, d + 1))
    np.subtract(X, centre, out=away[:, :d])
    squares, ones = np.empty((k, n)), np.ones(d)
    for rows in row_blocks(n, k * d):
        whitened = away[rows] @ whiten
        whitened *= whitened
        squares[:, rows] = (whitened.reshape(-1, d) @ ones).reshape(-1, k).T
    return squares, log_widths


def _diagonal_squares(X: Array, means: Array, covariances: Array) -> tuple[Array, Array]:
    """The same for variances of the features, or one for all of them."""
    (n, d), k = X.shape, len(means)
    variances = np.broadcast_to(covariances.reshape(k, -1), (k, d))
    whiten = 1.0 / np.sqrt(variances)
    squares = np.empty((k, n))
    for rows in row_blocks(n, d):
        for j, mean in enumerate(means):
            away = X[rows] - mean
            away *= whiten[j]
            np.einsum("ij,ij->i", away, away, out=squares[j, rows])
    return squares, 0.5 * np.log(variances).sum(axis=1)


def as_matrices(covariances: Array, d: int) -> Array:
    """Covariances of any of the three shapes as (k, d, d)."""
    if covariances.ndim == 3:
        return covariances
    return np.asarray(covariances.reshape(len(covariances), -1, 1) * np.eye(d))
