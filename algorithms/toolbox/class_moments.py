"""Counts, means and scatter of the rows of each class, updated as rows come, one or many at a time.

A row x of class c, which has n rows with it:   μ' = μ + (x - μ)/n,   S' = S + (x - μ)(x - μ')'   (Welford)
m rows of mean b and scatter B, δ = b - μ:      μ' = μ + δ m/(n + m),   S' = S + B + δδ' nm/(n + m)   (Chan et al.)

References: Welford (1962), Note on a method for calculating corrected sums of squares and products, Technometrics 4;
Chan, Golub and LeVeque (1983), Algorithms for computing the sample variance, The American Statistician 37.
"""

from typing import Self

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array


class Moments(Struct, frozen=True, eq=False):
    """What is known of the rows so far.

    Attributes:
        counts: (K,) rows of each class.
        means: (K, d), 0 for a class without rows.
        scatter: (K, d, d) Σ (x - μ)(x - μ)'.
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
            x = X[y == c] if len(y) > 1 else X
            n, m = counts[c], len(x)
            b = x.mean(axis=0) if m > 1 else x[0]
            away = b - means[c]
            counts[c] = n + m
            means[c] += away * (m / (n + m))
            scatter[c] += np.outer(away, away) * (n * m / (n + m))
            if m > 1:
                scatter[c] += (x - b).T @ (x - b)
        return Moments(counts, means, scatter)


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
