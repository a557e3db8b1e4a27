"""The covariances of an M step: of all that are nowhere narrower than a floor, the most likely ones.

The floor is a diagonal D, the `least` variances of the features: Σ - D is positive semi-definite. Given the rows'
shares, the likelihood of Σ depends on their scatter S alone, as -log|Σ| - tr(Σ⁻¹S). In units in which D is the
identity the greatest value over Σ ⪰ I has the eigenvectors of S, and its eigenvalues where they are above 1, else 1.
"""

from typing import Literal

import numpy as np

from algorithms.core import Array
from algorithms.toolbox.gaussian import as_matrices, row_blocks

Kind = Literal["full", "diagonal", "spherical"]


def least_variances(X: Array, floor: float) -> Array:
    """(d,) the diagonal D: `floor` times the variance of each feature, or times 1 for one that is constant."""
    varies = np.ptp(X, axis=0) > 0
    return np.asarray(floor * np.where(varies, X.var(axis=0), 1.0))


def scatters(X: Array, shares: Array, held: Array, means: Array, kind: Kind) -> Array:
    """Σ_i r_ij (x_i - μ_j)(x_i - μ_j)ᵀ / n_j of each component j, in the shape of its kind.

    The same is Σ_i r_ij (x_i - c)(x_i - c)ᵀ / n_j - (μ_j - c)(μ_j - c)ᵀ about one place c for all components, because
    μ_j is the weighted mean. It loses some digits for a component far from c, but rows lie within √n of the data's
    deviations from each other, so what is lost is far below the floor.

    Args:
        X: (n, d) rows.
        shares: (k, n) r_ij.
        held: (k,) n_j, their sums, above 0.
        means: (k, d) the weighted means.
        kind: what shape.
    """
    centre = means[0]
    apart = means - centre
    if kind == "full":
        moments = _products(X, shares, centre) / held[:, None, None]
        return np.asarray(moments - apart[:, :, None] * apart[:, None, :])
    moments = sum(shares[:, rows] @ (X[rows] - centre) ** 2 for rows in row_blocks(*X.shape)) / held[:, None]
    variances = np.asarray(moments - apart**2)
    return variances if kind == "diagonal" else np.asarray(variances.mean(axis=1))


def _products(X: Array, shares: Array, centre: Array) -> Array:
    """(k, d, d) Σ_i r_ij (x_i - c)(x_i - c)ᵀ, in one product for all components."""
    (n, d), k = X.shape, len(shares)
    found = np.zeros((k * d, d))
    for rows in row_blocks(n, k * d):
        away = X[rows] - centre
        weighted = np.ascontiguousarray(away.T) * shares[:, None, rows]
        found += weighted.reshape(k * d, -1) @ away
    found = found.reshape(k, d, d)
    return np.asarray((found + found.transpose(0, 2, 1)) / 2)  # rounding makes it differ from its transpose


def clipped(covariances: Array, least: Array) -> tuple[Array, Array]:
    """The covariances raised to the floor where they are narrower, and in how many directions each was: (k,)."""
    if covariances.ndim < 3:
        floor = least if covariances.ndim == 2 else np.broadcast_to(least.max(), covariances.shape)
        narrow = (covariances < floor).reshape(len(covariances), -1)
        return np.maximum(covariances, floor), narrow.sum(axis=1)
    unit = np.sqrt(least)
    units = np.outer(unit, unit)
    try:
        np.linalg.cholesky(covariances / units - np.eye(len(least)))
    except np.linalg.LinAlgError:  # some eigenvalue is not above 1
        values, vectors = np.linalg.eigh(covariances / units)
        narrow = (values < 1.0).sum(axis=1)
        raised = (vectors * np.maximum(values, 1.0)[:, None, :]) @ vectors.transpose(0, 2, 1)
        return np.where((narrow > 0)[:, None, None], raised * units, covariances), narrow
    return covariances, np.zeros(len(covariances), np.intp)


def narrowest(covariances: Array, least: Array) -> float:
    """The least variance in any direction, in units of the floor: below 1 where the floor is not kept."""
    unit = np.sqrt(least)
    return float(np.linalg.eigvalsh(as_matrices(covariances, len(least)) / np.outer(unit, unit)).min())
