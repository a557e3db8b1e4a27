"""The covariances of an M step: of all that are nowhere narrower than a floor, the most likely ones.

The floor is a diagonal D, the `least` variances of the features: Σ - D is positive semi-definite. Given the rows'
shares, the likelihood of Σ depends on their scatter S alone, as -log|Σ| - tr(Σ⁻¹S). In units in which D is the
identity the greatest value over Σ ⪰ I has the eigenvectors of S, and its eigenvalues where they are above 1, else 1.
"""

from typing import Literal

import numpy as np

from algorithms.core import Array
from algorithms.toolbox.blocks import row_blocks

Kind = Literal["full", "tied", "diagonal", "spherical", "fixed"]

_VANISHING = 1e-200  # a variance in whose units no other can be measured


def least_variances(X: Array, floor: float, variances: Array | None = None) -> Array:
    """(d,) the diagonal D: `floor` times the variance of each feature, or times 1 for one that is constant, or
    varies by so little that squares vanish.

    Args:
        variances: (d,) those of X, where they are known.
    """
    variances = X.var(axis=0) if variances is None else variances
    varies = X[0] != X[-1]
    if not varies.all():
        varies = (X[0] != X).any(axis=0)
    varies &= variances > _VANISHING
    return np.asarray(floor * np.where(varies, variances, 1.0))


def fixed_variance(X: Array, sigma: float) -> float:
    """σ² for `sigma` times the deviation of the features (the root of their mean variance; 1 where it vanishes)."""
    variance = float(X.var(axis=0).mean())
    return sigma**2 * (variance if variance > _VANISHING else 1.0)


def pooled(covariances: Array, weights: Array) -> Array:
    """Σ_j π_j Σ_j, the one covariance that all components share when they are tied: (k, d, d), k times the same."""
    return np.repeat(np.tensordot(weights, covariances, 1)[None], len(weights), axis=0)


def scatters(rows: Array, shares: Array, held: Array, means: Array, kind: Kind) -> Array:
    """Σ_i r_ij (x_i - μ_j)(x_i - μ_j)ᵀ / n_j = Σ_i r_ij x_i x_iᵀ / n_j - μ_j μ_jᵀ, in the shape of its kind.

    Rows and means are to be taken about a place among the rows. The difference loses some digits for a component far
    from it, but rows lie within √n of the data's deviations from their mean: what is lost is far below the floor.

    Args:
        rows: (n, d) x.
        shares: (k, n) r.
        held: (k,) n_j, the sums of the shares, above 0.
        means: (k, d) μ, the weighted means.
        kind: what shape.
    """
    if kind in ("full", "tied"):
        moments = _products(rows, shares)
        moments = moments + moments.transpose(0, 2, 1)  # rounding has made it differ from its transpose
        return np.asarray(moments / (2.0 * held[:, None, None]) - means[:, :, None] * means[:, None, :])
    variances = np.asarray(_squares(rows, shares) / held[:, None] - means**2)
    return variances if kind == "diagonal" else np.asarray(variances.mean(axis=1))


def _products(rows: Array, shares: Array) -> Array:
    """(k, d, d) Σ_i r_ij x_i x_iᵀ, in one product for all components."""
    (n, d), k = rows.shape, len(shares)
    products = np.zeros((k * d, d))
    for block in row_blocks(n, k * d):
        weighted = np.ascontiguousarray(rows[block].T) * shares[:, None, block]
        products += weighted.reshape(k * d, -1) @ rows[block]
    return products.reshape(k, d, d)


def _squares(rows: Array, shares: Array) -> Array:
    """(k, d) Σ_i r_ij x_i² of each feature."""
    squares = np.zeros((len(shares), rows.shape[1]))
    for block in row_blocks(*rows.shape):
        squares += shares[:, block] @ rows[block] ** 2
    return squares


def clipped(covariances: Array, least: Array) -> tuple[Array, Array]:
    """The covariances raised to the floor where they are narrower, and in how many directions each was: (k,)."""
    if covariances.ndim < 3:
        floor = least if covariances.ndim == 2 else np.broadcast_to(least.max(), covariances.shape)
        narrow = (covariances < floor).reshape(len(covariances), -1)
        return np.maximum(covariances, floor), narrow.sum(axis=1)
    unit = np.sqrt(least)
    units = unit[:, None] * unit
    above = covariances / units
    above.reshape(len(above), -1)[:, :: len(least) + 1] -= 1.0  # the diagonals
    try:
        np.linalg.cholesky(above)
    except np.linalg.LinAlgError:  # some eigenvalue is not above 1
        values, vectors = np.linalg.eigh(covariances / units)
        narrow = (values < 1.0).sum(axis=1)
        # what is narrower than the rounding of the widest direction would come out below 0
        least_kept = np.maximum(1.0, 4 * len(least) * np.finfo(float).eps * values[:, -1:])
        raised = (vectors * np.maximum(values, least_kept)[:, None, :]) @ vectors.transpose(0, 2, 1)
        return np.where((narrow > 0)[:, None, None], raised * units, covariances), narrow
    return covariances, np.zeros(len(covariances), np.intp)


def narrowest(covariances: Array, least: Array) -> float:
    """The least variance in any direction, in units of the floor: below 1 where the floor is not kept."""
    if covariances.ndim < 3:
        with np.errstate(over="ignore"):  # what is so much wider than a floor is not the narrowest
            return float((covariances.reshape(len(covariances), -1) / least).min())
    unit = np.sqrt(least)
    return float(np.linalg.eigvalsh(covariances / np.outer(unit, unit)).min())
