"""The likelihood of logistic regression of a function f = Σ α_i k(x_i, ·), and of f with one more bump elsewhere.

ln P(f) = Σ ln p of each row's class - ½ λ ‖f‖²,   p = 1/(1 + e^-f),   ‖f‖² = αᵀKα
"""

import numpy as np

from algorithms.core import Array
from algorithms.toolbox.activations import sigmoid, softplus

_TINY = 1e-300


def log_likelihood(signs: Array, scores: Array, lam: float, square: float) -> float:
    """ln P of a function with (n,) scores on the rows and ‖f‖² = square."""
    return -float(softplus(-signs * scores).sum()) - lam / 2 * square


def with_best_bump(signs: Array, alpha: Array, scores: Array, lam: float, values: Array, squares: Array) -> float:
    """ln P of f + β k(z, ·), with the z and the β that promise the most.

    Args:
        values, squares: (m, n) k of the rows with m places z, and (m,) k(z, z).
    """
    at_z = values @ alpha
    slopes = values @ ((signs + 1) / 2 - sigmoid(scores)) - lam * at_z
    steps = slopes / (np.vecdot(values, values) / 4 + lam * squares + _TINY)
    j = int((slopes * steps).argmax())
    beta = float(steps[j])
    square = float(alpha @ scores) + 2 * beta * float(at_z[j]) + beta**2 * float(squares[j])
    return log_likelihood(signs, scores + beta * values[j], lam, square)
