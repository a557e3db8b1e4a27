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

_BLOCK = 1024  # rows at least: each block's scatter is a matrix to add


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
        moments = self
        for c in np.unique(y).tolist():
            moments = moments.with_class(c, X, np.flatnonzero(y == c))
        return moments

    def with_class(self, c: int, X: Array, rows: Array) -> "Moments":
        """Take in those rows of X, all of class c: a block at a time, that is in the cache for its mean and scatter."""
        counts, means, scatter = self.counts.copy(), self.means.copy(), self.scatter.copy()
        for block in row_blocks(len(rows), X.shape[1], least=_BLOCK):
            x = X[rows[block]]
            b, B = mean_and_scatter(x)
            n, away = counts[c], b - means[c]
            counts[c] = n + len(x)
            means[c] += away * (len(x) / (n + len(x)))
            scatter[c] += B + away[:, None] * away * (n * len(x) / (n + len(x)))
        return Moments(counts, means, scatter)

    def with_whole_class(self, c: int, all_rows: "Moments") -> "Moments":
        """Take in class c, of which no row is in, from the moments of all rows."""
        counts, means, scatter = self.counts.copy(), self.means.copy(), self.scatter.copy()
        counts[c], means[c], scatter[c] = all_rows.counts[c], all_rows.means[c], all_rows.scatter[c]
        return Moments(counts, means, scatter)

    @property
    def variances(self) -> Array:
        """(d,) of the features over all rows: what rows are off their class's mean, and that off the mean of all."""
        away = self.means - self.counts @ self.means / self.counts.sum()
        scatter = np.diagonal(self.scatter, axis1=1, axis2=2).sum(axis=0) + self.counts @ (away * away)
        return np.asarray(scatter / self.counts.sum())


def mean_and_scatter(X: Array) -> tuple[Array, Array | float]:
    """(d,) b and (d, d) B = Σ (x - b)(x - b)ᵀ of (m, d) rows."""
    if len(X) == 1:
        return X[0], 0.0
    b = column_sums(X) / len(X)
    away = X - b
    return b, away.T @ away


def column_sums(X: Array) -> Array:
    """(d,) Σ x over (m, d) rows, as a product with ones: some times as fast as `sum`."""
    return np.asarray(np.ones(len(X)) @ X)


def class_moments(data: Dataset) -> Moments:
    """The moments of all rows; for `data.once`."""
    return Moments.of_none(len(data.classes), data.d).with_rows(data.X, np.asarray(data.y))


def taken_in(data: Dataset, moments: Moments, rows: Array) -> Moments:
    """The moments with rows of one class; a whole class has those that the features' variances are of too."""
    c = int(np.asarray(data.y)[rows[0]])
    first = len(rows) > 1 and not moments.counts[c]
    if first and len(rows) == (of_all := data.once(class_moments)).counts[c]:
        return moments.with_whole_class(c, of_all)
    return moments.with_class(c, data.X, rows)


def least_covariance(data: Dataset, floor: float) -> Array:
    """(d,) `floor` times the features' variances; for `data.once`."""
    return least_variances(data.X, floor, data.once(class_moments).variances)


def sums_of_all(data: Dataset) -> tuple[Array, Array, Array]:
    """(d,) mean of all rows, and (K, d) Σ x and Σ x² about it of the rows of each class; for `data.once`."""
    centre = column_sums(data.X) / data.n
    return centre, *class_sums(data.X, np.asarray(data.y), len(data.classes), centre)


def spread(data: Dataset) -> tuple[Array, Array]:
    """(d,) means and (d,) variances of the features; for `data.once`."""
    centre, _, squares = data.once(sums_of_all)
    return centre, squares.sum(axis=0) / data.n


def least_of(data: Dataset, floor: float) -> Array:
    """(d,) `floor` times the features' variances; for `data.once`."""
    return least_variances(data.X, floor, data.once(spread)[1])


def class_sums(X: Array, y: Array, classes: int, centre: Array | float) -> tuple[Array, Array]:
    """(K, d) Σ x and Σ x² over the rows of each class, x about a centre, block by block."""
    sums, squares = np.zeros((2, classes, X.shape[1]))
    each = np.arange(classes)[:, None]
    for rows in row_blocks(*X.shape):
        away, of_class = X[rows] - centre, (y[rows] == each).astype(float)
        sums += of_class @ away
        away *= away
        squares += of_class @ away
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
