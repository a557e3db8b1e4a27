"""The covariance C of the rows, what an iteration makes of it, and what is left when components are taken out."""

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.toolbox.blocks import row_blocks
from algorithms.toolbox.power_iteration import aligned


def root(data: Dataset, centre: bool) -> Array:
    """(m, d) Z with ZᵀZ = C: the rows over √n, or of more rows than features the triangle of their QR factors over √n.

    For X = QZ has XᵀX = ZᵀZ, and what takes a direction out of the rows of X takes it out of those of Z.
    """
    X, n, d = data.X, data.n, data.d
    start = origin(data, centre)
    if n > d:
        triangles = [np.linalg.qr(X[rows] - start, mode="r") for rows in row_blocks(n, d, least=4 * d)]
        Z = np.asarray(np.linalg.qr(np.concatenate(triangles), mode="r")) / np.sqrt(n)
    else:
        Z = (X - start) / np.sqrt(n)
    return np.asarray(Z)


def origin(data: Dataset, centre: bool) -> Array:
    """(d,) what directions start from: the mean, or 0 without centring."""
    return np.asarray(data.X.mean(axis=0)) if centre else np.zeros(data.d)


def turned(Z: Array, w: Array, components: Array) -> Array:
    """C w at length 1; w itself where nothing varies along it."""
    return aligned(Z.T @ (Z @ w), w, components)


def deflated(Z: Array, components: Array) -> Array:
    """Z with each component taken out of every row: z <- z - (z·w) w."""
    for w in components:
        Z = Z - np.outer(Z @ w, w)
    return Z


def variance(Z: Array) -> float:
    """The trace of C = ZᵀZ."""
    return float(np.einsum("ij,ij->", Z, Z))


def left_along(Z: Array, components: Array) -> Array:
    """(c,) ‖C'w‖ of each component, C' that of the residues: what the covariance has left along it."""
    left = deflated(Z, components)
    return np.asarray(np.linalg.norm(left.T @ (left @ components.T), axis=0))


def exact_eigenvalues(data: Dataset, start: Array) -> Array:
    """(d,) those of C by `eigh`, the greatest first; where d > n those of the n by n matrix of products, then zeros.

    Args:
        start: (d,) where directions start from.
    """
    X, n, d = data.X, data.n, data.d
    if d <= n:
        products = np.zeros((d, d))
        for rows in row_blocks(n, d):
            away = X[rows] - start
            products += away.T @ away
    else:
        products = (X - start) @ (X - start).T
    values = np.zeros(d)
    values[: len(products)] = np.maximum(np.linalg.eigvalsh(products)[::-1] / n, 0.0)
    return values
