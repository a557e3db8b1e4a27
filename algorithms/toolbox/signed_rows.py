"""Signed rows: y x of two classes, which a linear classifier has to bring to one side of the origin."""

import numpy as np

from algorithms.core import Array, Dataset, Problem
from algorithms.toolbox.separation import Separation, separate


def signed_rows(data: Dataset, bias: float) -> Array:
    """(n, p) rows y x, the constant `bias` appended to x first; True is 1, and 0 appends none.

    Its weight is one among the others.
    """
    signed = np.empty((data.n, data.d + bool(bias)))
    np.multiply(data.X, data.signs[:, None], out=signed[:, : data.d])
    if bias:
        np.multiply(data.signs, bias, out=signed[:, data.d])
    return signed


def longest(data: Dataset, bias: float) -> float:
    """R, the length of the longest row."""
    z = data.once(signed_rows, bias)
    return float(np.sqrt(np.vecdot(z, z).max()))


def separated(data: Dataset, bias: float) -> Separation:
    """The direction that separates the rows most widely, or the proof of none; ask by `data.once(separated, bias)`."""
    return separate(data.once(signed_rows, bias))


def rows_of(problem: Problem) -> Array:
    """(n, p) the signed rows of a problem whose parameters have a bias."""
    return problem.data.once(signed_rows, problem.parameters.bias)


def separation(problem: Problem) -> Separation:
    """What separates them: a direction w* with its measured margin γ and the longest row's length R, or the proof."""
    return problem.data.once(separated, problem.parameters.bias)


def squared_lengths(data: Dataset, constant: float) -> Array:
    """(n,) ‖x‖² of the same rows."""
    z = data.once(signed_rows, constant)
    return np.asarray(np.vecdot(z, z))


def with_offset(w: Array, constant: float) -> Array:
    """(d + 1,) the weights of the features, and last the offset b that the (p,) w of signed rows stands for."""
    return np.append(w[:-1], constant * w[-1]) if constant else np.append(w, 0.0)
