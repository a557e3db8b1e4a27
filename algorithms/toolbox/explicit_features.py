"""Explicit features of a kernel: the φ of k(x, z) = φ(x)·φ(z), written down where it has few enough coordinates.

    linear      φ(x) = x
    polynomial  (γ x·z + c)^p = (u·v)^p = Σ √m_a u^a · √m_a v^a,   |a| = p, m_a = p!/(a_0! a_1! ...)

with u = (√γ x, √c), v = (√γ z, √c). So a polynomial kernel of degree p on d features has C(d + p, p) coordinates
(C(d + p - 1, p) for c = 0). No finite φ makes an RBF kernel: the Gram matrix of n different rows has rank n.

References: Schölkopf and Smola (2002), Learning with Kernels, sections 2.1 and 2.2.
"""

from collections import Counter
from itertools import combinations_with_replacement
from math import comb, factorial, prod, sqrt

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.toolbox.kernels import Kernel

_MOST = 3_000  # coordinates that are written down
_MOST_NUMBERS = 2_000_000  # of the rows mapped


def feature_count(kernel: Kernel, d: int) -> int | None:
    """How many coordinates φ has of rows with d features; None where no finite number will do."""
    match kernel.name:
        case "linear":
            return d
        case "polynomial":
            return comb(d + kernel.degree - (kernel.constant == 0), kernel.degree)
    return None


def unwritten(kernel: Kernel, n: int, d: int) -> str | None:
    """Why φ of (n, d) rows is not written down; None where it is."""
    count = feature_count(kernel, d)
    if count is None:
        return "no finite φ makes an RBF kernel"
    if count > _MOST or n * count > _MOST_NUMBERS:
        return f"φ has {count:,} coordinates, too many to write down"
    return None


def explicit_features(data: Dataset, kernel: Kernel) -> Array | None:
    """(n, D) φ of the rows, for `data.once`; None where it is not written down."""
    if unwritten(kernel, data.n, data.d) is not None:
        return None
    return data.X if kernel.name == "linear" else monomials(kernel, data.X)


def monomials(kernel: Kernel, rows: Array) -> Array:
    """(n, d) -> (n, D): the weighted products of p factors whose inner products are a polynomial kernel."""
    constant = [] if kernel.constant == 0 else [np.full(len(rows), sqrt(kernel.constant))]
    factors = np.column_stack([sqrt(kernel.gamma) * rows, *constant])
    chosen = list(combinations_with_replacement(range(factors.shape[1]), kernel.degree))
    made = np.empty((len(chosen), len(rows)))
    for column, picked in zip(made, chosen):
        times = factorial(kernel.degree) // prod(map(factorial, Counter(picked).values()))
        column[:] = sqrt(times) * factors[:, list(picked)].prod(axis=1)
    return np.ascontiguousarray(made.T)
