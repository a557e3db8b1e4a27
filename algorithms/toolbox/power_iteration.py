"""Power iteration with deflation on a positive semi-definite matrix: the steps, and what they leave of the matrix.

    w <- A w / ‖A w‖                   turns w towards the eigenvector of the greatest eigenvalue
    A <- (I - w wᵀ) A (I - w wᵀ)       takes it out, so that the next one is the greatest

References: Hotelling (1933), Analysis of a complex of statistical variables, J. of Educational Psychology 24; Parlett
(1998), The Symmetric Eigenvalue Problem, chapters 4 and 6 (twice is enough).
"""

import numpy as np

from algorithms.core import Array

_LITTLE = 0.01  # of a vector: where less of it is left, rounding is no longer small beside it


def across(g: Array, found: Array) -> Array:
    """The part of (m,) g orthogonal to the (c, m) orthonormal ones found; taken twice where it is little (Parlett)."""
    rest = g - found.T @ (found @ g)
    little = np.linalg.norm(rest) < _LITTLE * np.linalg.norm(g)
    return np.asarray(rest - found.T @ (found @ rest) if little else rest)


def first_direction(found: Array, seed: int) -> Array:
    """A random direction orthogonal to the (c, m) orthonormal ones found, (m,)."""
    number, m = found.shape
    rest = across(np.asarray(np.random.default_rng((seed, number)).standard_normal(m)), found)
    return np.asarray(rest / np.linalg.norm(rest))


def aligned(image: Array, w: Array, found: Array) -> Array:
    """(m,) A w at length 1; w itself where nothing is left along it.

    It is made orthogonal to the (c, m) found once more: rounding leaves a trace of them in A, which would grow.

    Args:
        image: (m,) A w.
    """
    rest = across(image, found)
    length = float(np.linalg.norm(rest))
    return np.asarray(rest / length) if length > 0 else w


def angle(a: Array, b: Array) -> float:
    """Between unit vectors, in radians; exact for small angles too."""
    return 2.0 * float(np.arcsin(min(float(np.linalg.norm(a - b)) / 2.0, 1.0)))


def iterations(own: int, all_so_far: int) -> str:
    """Count the iterations on a component, apart from those on the ones before it: "2 iterations of its own"."""
    return f"{own} iteration{'s' * (own != 1)}{' of its own' * (all_so_far > own)}"


def captured_by(number: int, share: float) -> str:
    """Say what several components have of the variance together; "" of one, whose own share it is."""
    return f"The {number} components capture {share:.1%} of the variance." if number > 1 else ""


def still_turning(turn: float, tol: float) -> str:
    """Say by how much an iteration that was ended early turned last: ", still turning by 3°"; "" of one that settled.

    Args:
        turn: in radians; infinite where a fork or a hand put the direction there.
    """
    if turn <= tol:
        return ""
    return f", still turning by {np.degrees(turn):.2g}°" if np.isfinite(turn) else ", not iterated since it was changed"


def deflated_matrix(A: Array, found: Array) -> Array:
    """(m, m) symmetric A with each of the (c, m) found taken out of rows and columns."""
    for w in found:
        image = A @ w
        A = A - np.outer(w, image) - np.outer(image - (image @ w) * w, w)
    return A
