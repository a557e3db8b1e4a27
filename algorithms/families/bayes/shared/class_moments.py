"""Counts, means and scatter of the rows of each class, updated as rows come, one or many at a time.

A row x of class c, which has n rows with it:   μ' = μ + (x - μ)/n,   S' = S + (x - μ)(x - μ')ᵀ   (Welford)
m rows of mean b and scatter B, δ = b - μ:      μ' = μ + δ m/(n + m),   S' = S + B + δδᵀ nm/(n + m)   (Chan et al.)

References: Welford (1962), Note on a method for calculating corrected sums of squares and products, Technometrics 4;
Chan, Golub and LeVeque (1983), Algorithms for computing the sample variance, The American Statistician 37.
"""

from typing import Self

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset
from algorithms.toolbox.blocks import row_blocks
from algorithms.toolbox.covariances import least_variances


class Moments(Struct, frozen=True, eq=False):
    """What is known of the rows so far.

    Attributes:
        counts: (K,) rows of each class.
        means: (K, d), 0 for a class without rows.
        scatter: (K, d, d) Σ (x - μ)(x - μ)ᵀ.
    """

    counts: Array
    means: Array
    scatter: Array

    @classmethod
    def of_none(cls, classes: int, d: int) -> Self:
        """Begin without a row."""
        return cls(np.zeros(classes), np.zeros((classes, d)), np.zeros((classes, d, d)))

    def with_rows(self, X: Array, y: Array) -> "Moments":
        """Take in (m, d) rows of classes (m,)."""
        counts, means, scatter = self.counts.copy(), self.means.copy(), self.scatter.copy()
        for c in [y[0]] if len(y) == 1 else np.unique(y):
            x = X if (y[0] == y).all() else X[y == c]
            n, m = counts[c], len(x)
            b = x.mean(axis=0) if m > 1 else x[0]
            away = b - means[c]
            counts[c] = n + m
            means[c] += away * (m / (n + m))
            scatter[c] += np.outer(away, away) * (n * m / (n + m))
            if m > 1:
                scatter[c] += products_about(x, b)
        return Moments(counts, means, scatter)


def products_about(X: Array, centre: Array) -> Array:
    """(d, d) Σ (x - centre)(x - centre)', block by block."""
    total = np.zeros((X.shape[1], X.shape[1]))
    for rows in row_blocks(*X.shape):
        away = X[rows] - centre
        total += away.T @ away
    return total


def spread(data: Dataset) -> tuple[Array, Array]:
    """(d,) means and (d,) variances of the features, block by block; for `data.once`."""
    centre, squares = data.X.mean(axis=0), np.zeros(data.d)
    for rows in row_blocks(data.n, data.d):
        away = data.X[rows] - centre
        squares += np.einsum("ij,ij->j", away, away)
    return centre, squares / data.n


def least_of(data: Dataset, floor: float) -> Array:
    """(d,) `floor` times the features' variances; for `data.once`."""
    return least_variances(data.X, floor, data.once(spread)[1])


def class_sums(X: Array, Y: Array, centre: Array | float) -> tuple[Array, Array]:
    """(K, d) Σ x and Σ x² over the rows of each class, x about a centre, block by block.

    Args:
        Y: (n, K) 1 for the class of a row, else 0.
    """
    sums, squares = np.zeros((2, Y.shape[1], X.shape[1]))
    for rows in row_blocks(*X.shape):
        away, y = X[rows] - centre, Y[rows].T
        sums += y @ away
        away *= away
        squares += y @ away
    return sums, squares


def moments_of(X: Array, y: Array, classes: int) -> Moments:
    """Work out the moments of all rows at once: each class's mean, and what its rows are off it."""
    none = Moments.of_none(classes, X.shape[1])
    counts, means, scatter = none.counts, none.means, none.scatter
    for c in range(classes):
        x = X[y == c]
        if len(x):
            counts[c], means[c] = len(x), x.mean(axis=0)
            scatter[c] = (x - means[c]).T @ (x - means[c])
    return Moments(counts, means, scatter)
