"""The covariances of an M step: of all that are nowhere narrower than a floor, the most likely ones.

The floor is a diagonal D, the `least` variances of the features: Σ - D is positive semi-definite. Given the rows'
shares, the likelihood of Σ depends on their scatter S alone, as -log|Σ| - tr(Σ⁻¹S). In units in which D is the
identity the greatest value over Σ ⪰ I has the eigenvectors of S, and its eigenvalues where they are above 1, else 1.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np

from algorithms.core import Array
from algorithms.toolbox.gaussian import as_matrices, row_blocks

Kind = Literal["full", "diagonal", "spherical"]


def least_variances(X: Array, floor: float) -> Array:
    """(d,) the diagonal D: `floor` times the variance of each feature, or times 1 for one that is constant."""
    varies = np.ptp(X, axis=0) > 0
    return np.asarray(floor * np.where(varies, X.var(axis=0), 1.0))


def full(away: Array) -> Array:
    return np.asarray(away.T @ away)


def diagonal(away: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->j", away, away))


def spherical(away: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->", away, away) / away.shape[1])


PRODUCTS: dict[Kind, Callable[[Array], Array]] = {"full": full, "diagonal": diagonal, "spherical": spherical}


def scatters(X: Array, shares: Array, means: Array, kind: Kind) -> Array:
    """Σ_i r_ij (x_i - μ_j)(x_i - μ_j)ᵀ of each component j, in the shape of its kind; `shares` is (k, n)."""
    product, roots = PRODUCTS[kind], np.sqrt(shares)
    found = [product(X[:0])] * len(means)
    for rows in row_blocks(*X.shape):
        for j, mean in enumerate(means):
            found[j] = found[j] + product((X[rows] - mean) * roots[j, rows, None])
    return np.stack(found)


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
