"""Joint tables of two classes and binary features: a cell a combination, numbered by its bits."""

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.families.bayes.shared.generative import Bernoulli, logarithms


def cells_of(X: Array) -> Array:
    """(n, d) rows of 0 and 1 -> (n,) the number of each one's cell, the first feature the highest bit."""
    return np.asarray(X @ 2.0 ** np.arange(X.shape[1])[::-1]).astype(int)


def bits_of(d: int) -> Array:
    """(2^d, d) the features of every cell, in their order."""
    return (np.arange(2**d)[:, None] >> np.arange(d)[::-1] & 1).astype(float)


class JointTable(Struct, frozen=True, eq=False):
    """What counts of cells say of classes and features.

    Attributes:
        counts: (2, 2^d) rows of each class in each cell.
        smoothing: s, what is added to each.
    """

    counts: Array
    smoothing: float

    @property
    def d(self) -> int:
        return int(self.counts.shape[1]).bit_length() - 1

    @property
    def share(self) -> Array:
        """(2,) of the classes among the rows."""
        return np.asarray(self.counts.sum(axis=1) / max(self.counts.sum(), 1))

    def given(self) -> Array:
        """(2, 2^d) P(x | c); of a class without rows the same in every cell."""
        smoothed = self.counts + self.smoothing
        total = smoothed.sum(axis=1, keepdims=True)
        return np.where(total > 0, smoothed / np.where(total > 0, total, 1), 1 / self.counts.shape[1])

    def chances(self) -> Array:
        """(2, 2^d) P(c, x)."""
        return self.share[:, None] * self.given()

    def scores(self, cells: Array) -> Array:
        """(n,) cells -> (2, n) log P(c, x), -inf where that is 0."""
        chances = self.chances()[:, cells]
        return np.where(chances > 0, logarithms(chances), -np.inf)

    def naive(self) -> Bernoulli:
        """Naive Bayes of the same rows: its ones are those of all cells that have the feature."""
        total, s = self.counts.sum(axis=1, keepdims=True), self.smoothing
        size = total + 2 * s
        p = np.where(size > 0, (self.counts @ bits_of(self.d) + s) / np.where(size > 0, size, 1), 0.5)
        return Bernoulli(self.share, p)

    def expected(self) -> Array:
        """(2, 2^d) P(c, x) by that naive Bayes; 0 before there is a row."""
        return np.exp(self.naive().scores(bits_of(self.d)))
