"""Candidates: models from the stiffest to the most flexible, of which one is to be chosen.

    polynomial    of degree 0, 1, 2, ... in each feature, by least squares
    ridge         ‖y - b - X w‖² + λ ‖w‖² along λ, from large to small
    neighbours    the mean of the k nearest rows, from many to one

The first two are linear: a penalty, 0 for polynomials, on columns that do not depend on which rows are fitted.

References: Hoerl and Kennard (1970), Ridge regression, Technometrics 12; Cover and Hart (1967), Nearest neighbor
pattern classification, IEEE Trans. Information Theory 13.
"""

from typing import Literal, Protocol

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.distances import pairwise_squared_distances
from algorithms.toolbox.shrinkage import Spectrum, spectrum

Model = Literal["polynomial", "ridge", "neighbours"]


class Candidates(Protocol):
    """Models that differ in one number.

    Attributes:
        letter: its name: "degree", "λ" or "k".
        values: (v,) what it may be, from the stiffest model to the most flexible.
    """

    @property
    def letter(self) -> str: ...
    @property
    def values(self) -> Array: ...

    def named(self, i: int) -> str:
        """Name the i-th: "degree 3", "λ = 0.1"."""

    def fit(self, i: int, rows: Array) -> Array:
        """Fit the i-th to the rows of a (n,) bool mask: its weights, the intercept first; () where there are none."""

    def predict(self, i: int, weights: Array, rows: Array, at: Array) -> Array:
        """Predict at (m, d) places by the i-th, which was fitted to those rows."""


class Linear(Struct, frozen=True, eq=False):
    """Weights on columns, with a penalty.

    Attributes:
        low, high: (d,) where each feature begins and ends; empty: the features themselves are the columns.
        columns: (n, p) those of the rows.
        used: (v,) how many of them each candidate uses, the first ones.
        penalties: (v,) λ of each.
        y: (n,) targets.
    """

    letter: str
    values: Array
    low: Array
    high: Array
    columns: Array
    used: Array
    penalties: Array
    y: Array

    def named(self, i: int) -> str:
        return f"{self.letter} {'= ' if self.letter == 'λ' else ''}{self.values[i]:.4g}"

    def columns_of(self, i: int) -> Array:
        """(n, q) those that the i-th uses."""
        return self.columns[:, : self.used[i]]

    def spectrum(self, i: int, rows: Array) -> Spectrum:
        """Decompose the columns of the i-th on some rows."""
        return spectrum(self.columns_of(i)[rows], self.y[rows])

    def fit(self, i: int, rows: Array) -> Array:
        weights = self.spectrum(i, rows).weights(self.penalties[i])
        return np.pad(weights, (0, self.columns.shape[1] + 1 - len(weights)))

    def predict(self, i: int, weights: Array, rows: Array, at: Array) -> Array:
        columns = at if not len(self.low) else powers(at, self.low, self.high, int(self.used[i]) // len(self.low))
        return np.asarray(weights[0] + columns @ weights[1 : columns.shape[1] + 1])


class Neighbours(Struct, frozen=True, eq=False):
    """The mean of the k nearest rows; of equal distances the row that comes first.

    Attributes:
        X, y: the rows, which is all that it learns.
    """

    values: Array
    X: Array
    y: Array
    letter: str = "k"

    def named(self, i: int) -> str:
        return f"k = {self.values[i]:.0f}"

    def fit(self, i: int, rows: Array) -> Array:
        return np.zeros(0)

    def predict(self, i: int, weights: Array, rows: Array, at: Array) -> Array:
        near = pairwise_squared_distances(at, self.X[rows]).argsort(axis=1, kind="stable")[:, : int(self.values[i])]
        return np.asarray(self.y[rows][near].mean(axis=1))


def candidates(data: Dataset, model: Model, tried: int, least: float = 0.01, most: float = 1e4) -> Candidates:
    """Make so many candidates for a data set; ask for them by `data.once(candidates, model, tried, ...)`.

    Args:
        least, most: the ends of λ.
    """
    y = np.asarray(data.y, float)
    if model == "neighbours":
        return Neighbours(np.arange(tried, 0, -1.0), data.X, y)
    if model == "ridge":
        lam = np.geomspace(most, least, tried)
        none = np.zeros(0)
        return Linear("λ", lam, none, none, data.X, np.full(tried, data.d), lam, y)
    low, high = data.X.min(axis=0), data.X.max(axis=0)
    degrees = np.arange(tried)
    columns = powers(data.X, low, high, tried - 1)
    return Linear("degree", degrees.astype(float), low, high, columns, degrees * data.d, np.zeros(tried), y)


def powers(X: Array, low: Array, high: Array, degree: int) -> Array:
    """(n, degree d) Legendre's polynomials 1 to `degree` of each feature, which spans [-1, 1] from `low` to `high`.

    They span what the powers x, x², ... span, and are far from dependent.
    """
    x = (2 * X - (low + high)) / np.where(high > low, high - low, 1.0)
    each = np.polynomial.legendre.legvander(x, degree)[:, :, 1:]  # (n, d, degree)
    return np.asarray(each.transpose(0, 2, 1).reshape(len(X), -1))
