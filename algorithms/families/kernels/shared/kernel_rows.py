"""Rows of two classes in the space of a kernel: their Gram matrix, with a bias k + 1, and coordinates that have it.

Eigenvectors V and eigenvalues λ of K make coordinates z_i = (√λ_j V_ij) with z_i·z_j = k(x_i, x_j): all that lengths,
angles and margins of φ(x_i) are, whether φ can be written down or not.
"""

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from algorithms.core import Array, Dataset
from algorithms.families.kernels.shared.gram_systems import gram_matrix
from algorithms.toolbox.explicit_features import explicit_features
from algorithms.toolbox.kernels import Kernel, unusable
from algorithms.toolbox.separation import Separation, separate

_EPSILON = 2.0**-52
_TINY = 1e-100
_PLACES = 24  # between rows, where a function with one more bump is asked for
_MOST_ROWS = 1_500  # whose Gram matrix is kept


def gram_with_bias(data: Dataset, kernel: Kernel, bias: bool) -> Array:
    """(n, n) k, and 1 more with a bias: the constant 1 is then one of φ's features; for `data.once`."""
    gram = data.once(gram_matrix, kernel)
    return gram + 1.0 if bias else gram


def features_with_bias(data: Dataset, kernel: Kernel, bias: bool) -> Array | None:
    """(n, D) φ of the rows, the constant 1 last with a bias; None where φ is not written down; for `data.once`."""
    phi = data.once(explicit_features, kernel)
    return phi if phi is None or not bias else np.column_stack([phi, np.ones(data.n)])


def signed_coordinates(data: Dataset, kernel: Kernel, bias: bool) -> Array:
    """(n, r) y φ of the rows, or y z where φ is not written down, z without what rounding made; for `data.once`."""
    phi = data.once(features_with_bias, kernel, bias)
    if phi is not None:
        return np.asarray(data.signs[:, None] * phi[:, seen(phi)])
    values, vectors = np.linalg.eigh(data.once(gram_with_bias, kernel, bias))
    held = values > _lost(values)
    return np.asarray(data.signs[:, None] * vectors[:, held] * np.sqrt(values[held]))


def coordinates(data: Dataset, kernel: Kernel, bias: bool) -> Array:
    """(n, r) φ of the rows, or z where φ is not written down: their inner products are K; for `data.once`.

    Of more features than rows, φ along n directions that the rows lie in: r is n at most.
    """
    phi = data.once(features_with_bias, kernel, bias)
    if phi is not None:
        return phi if phi.shape[1] <= data.n else np.ascontiguousarray(np.asarray(np.linalg.qr(phi.T, "r")).T)
    values, vectors = np.linalg.eigh(data.once(gram_with_bias, kernel, bias))
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def greatest_eigenvalue(data: Dataset, kernel: Kernel, bias: bool) -> float:
    """Of K; for `data.once`."""
    return float(np.linalg.eigvalsh(data.once(gram_with_bias, kernel, bias))[-1])


def seen(phi: Array) -> Array:
    """(D,) bool: the columns of φ that are not so small beside the greatest that their quotient is no number."""
    sizes = np.abs(phi).max(axis=0)
    return np.asarray(sizes > _TINY * sizes.max())


def _lost(values: Array) -> float:
    """What rounding may make of one of the (n,) eigenvalues."""
    return 8 * len(values) * _EPSILON * float(values[-1])


def kernel_separation(data: Dataset, kernel: Kernel, bias: bool) -> Separation:
    """A separating direction w* among the rows' coordinates with its margin γ, or the proof of none; `data.once`.

    Coordinates of rows whose φ is not written down are exact to the root of what rounding makes of an eigenvalue: a
    narrower margin is undecided.
    """
    best, phi = separate(data.once(signed_coordinates, kernel, bias)), data.once(features_with_bias, kernel, bias)
    if phi is not None:
        if best.direction is not None or seen(phi).all():
            return best
        return undecided(best, "some features of φ are too small beside the greatest to be told from 0")
    narrowest = 10 * float(np.sqrt(_lost(np.linalg.eigvalsh(data.once(gram_with_bias, kernel, bias)))))
    if best.direction is not None and best.margin > narrowest:
        return best
    return undecided(best, f"a margin below {narrowest:.2g} in the space of the kernel is hidden by rounding")


def undecided(best: Separation, why: str) -> Separation:
    return replace(best, direction=None, margin=0.0, impossible=False, why=why)


def expansion(data: Dataset, kernel: Kernel, shares: Array, bias: bool) -> Callable[[Array], Array]:
    """f(x) = Σ s_i k(x_i, x), and Σ s_i more with a bias: (m, d) -> (m,), from the rows with s_i other than 0."""
    held = np.flatnonzero(shares)
    rows, factors, offset = data.X[held], shares[held], float(shares.sum()) if bias else 0.0
    if not len(held):
        return lambda places: np.zeros(len(places))
    return lambda places: np.asarray(kernel(places, rows) @ factors + offset)


def rows_before_places(n: int) -> Array:
    """(m,) the rows of n that have a place between them and the next."""
    m = min(_PLACES, n - 1)
    return np.arange(m) * (n - 1) // m


def between_rows(data: Dataset, kernel: Kernel, bias: bool) -> tuple[Array, Array]:
    """(m, n) k of the rows with places z in the middle between one row and the next, and (m,) k(z, z); `data.once`."""
    at = rows_before_places(data.n)
    places = (data.X[at] + data.X[at + 1]) / 2
    return kernel(places, data.X) + bias, np.maximum(kernel.squares(places), 0.0) + bias


def unusable_rows(kernel: Kernel, data: Dataset, most: int = _MOST_ROWS) -> str | None:
    """Why K of these rows cannot be kept or worked with, for `validate`; None where it can."""
    if data.n > most:
        return f"K of {data.n:,} rows is too large to keep with its eigenvectors: take a sample of {most:,}."
    return unusable(kernel, data)
