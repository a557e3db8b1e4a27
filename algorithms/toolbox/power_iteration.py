"""Power iteration with deflation on a positive semi-definite matrix: the steps, and what they leave of the matrix.

    w <- A w / ‖A w‖                   turns w towards the eigenvector of the greatest eigenvalue
    A <- (I - w wᵀ) A (I - w wᵀ)       takes it out, so that the next one is the greatest

References: Hotelling (1933), Analysis of a complex of statistical variables, J. of Educational Psychology 24; Parlett
(1998), The Symmetric Eigenvalue Problem, chapter 4.
"""

import numpy as np

from algorithms.core import Array


def first_direction(found: Array, seed: int) -> Array:
    """A random direction orthogonal to the (c, m) orthonormal ones found, (m,)."""
    number, m = found.shape
    g = np.random.default_rng((seed, number)).standard_normal(m)
    across = g - found.T @ (found @ g)
    return np.asarray(across / np.linalg.norm(across))


def aligned(image: Array, w: Array, found: Array) -> Array:
    """(m,) A w at length 1; w itself where nothing is left along it.

    It is made orthogonal to the (c, m) found once more: rounding leaves a trace of them in A, which would grow.

    Args:
        image: (m,) A w.
    """
    across = image - found.T @ (found @ image)
    length = float(np.linalg.norm(across))
    return np.asarray(across / length) if length > 0 else w


def angle(a: Array, b: Array) -> float:
    """Between unit vectors, in radians; exact for small angles too."""
    return 2.0 * float(np.arcsin(min(float(np.linalg.norm(a - b)) / 2.0, 1.0)))


def deflated_matrix(A: Array, found: Array) -> Array:
    """(m, m) symmetric A with each of the (c, m) found taken out of rows and columns."""
    for w in found:
        image = A @ w
        A = A - np.outer(w, image) - np.outer(image - (image @ w) * w, w)
    return A
