"""Gaussian densities, of several Gaussians at once.

Covariances come in three shapes, and the shape of the array says which: full (k, d, d), diagonal (k, d), the
variances of the features, or spherical (k,), one variance for all directions.
"""

from collections.abc import Iterator

import numpy as np

from algorithms.core.arrays import Array

_BLOCK = 1 << 15  # numbers of a block of rows: 256 kB, which stay in the cache from one product to the next


def row_blocks(n: int, d: int) -> Iterator[slice]:
    """n rows of d numbers in blocks that fit into the cache, of 64 rows at least."""
    size = max(_BLOCK // d, 64)
    for first in range(0, n, size):
        yield slice(first, first + size)


def log_densities(X: Array, means: Array, covariances: Array) -> Array:
    """(n, d) rows -> (k, n): log N(x_i; μ_j, Σ_j) = -½ (d log 2π + log|Σ_j| + ‖L_j⁻¹(x_i - μ_j)‖²), Σ_j = L_j L_jᵀ.

    Raises:
        LinAlgError: for a full covariance that is not positive definite.
    """
    n, d = X.shape
    whiten, log_determinants = _whitening(covariances, d)
    squares = np.empty((len(means), n))
    for rows in row_blocks(n, d):
        for j, mean in enumerate(means):
            away = X[rows] - mean
            away = away @ whiten[j] if covariances.ndim == 3 else away * whiten[j]
            np.einsum("ij,ij->i", away, away, out=squares[j, rows])
    squares += d * np.log(2.0 * np.pi) + log_determinants[:, None]
    squares *= -0.5
    return squares


def _whitening(covariances: Array, d: int) -> tuple[Array, Array]:
    """What turns x - μ into L⁻¹(x - μ) from the right: (k, d, d), or (k, d) to multiply by; and the k log|Σ|."""
    if covariances.ndim == 3:
        roots = np.linalg.cholesky(covariances)
        diagonals = np.diagonal(roots, axis1=1, axis2=2)
        return np.ascontiguousarray(np.linalg.inv(roots).transpose(0, 2, 1)), 2.0 * np.log(diagonals).sum(axis=1)
    variances = np.broadcast_to(covariances.reshape(len(covariances), -1), (len(covariances), d))
    return 1.0 / np.sqrt(variances), np.log(variances).sum(axis=1)


def as_matrices(covariances: Array, d: int) -> Array:
    """Covariances of any of the three shapes as (k, d, d)."""
    if covariances.ndim == 3:
        return covariances
    return np.asarray(covariances.reshape(len(covariances), -1, 1) * np.eye(d))
