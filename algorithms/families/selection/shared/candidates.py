"""Candidates: models from the stiffest to the most flexible, or of more and more rows, of which one is to be chosen.

    polynomial    of degree 0, 1, 2, ... in each feature, by least squares
    ridge         ‖y - b - X w‖² + λ ‖w‖² along λ, from large to small
    neighbours    the mean of the k nearest rows, from many to one
    memoriser     the targets of the first m rows by heart, from none to all, and of all other places the mean
    rows          one polynomial by least squares on the first n rows, from few to all

The first two are penalised fits: a penalty, 0 for polynomials, on columns that do not depend on which rows are fitted.
All are linear in the targets, ŷ = Hy, with H of the rows alone.

References: Hoerl and Kennard (1970), Ridge regression, Technometrics 12; Cover and Hart (1967), Nearest neighbor
pattern classification, IEEE Trans. Information Theory 13.
"""

from typing import Literal, Protocol, Self

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Array, Dataset
from algorithms.toolbox.distances import pairwise_squared_distances
from algorithms.toolbox.shrinkage import Spectrum, spectrum

_FEW = 1000  # rows whose nearest are found for all of them beforehand

Model = Literal["polynomial", "ridge", "neighbours"]
ModelOrRows = Literal["polynomial", "ridge", "neighbours", "memoriser", "rows"]


class Candidates(Protocol):
    """Models that differ in one number.

    Attributes:
        letter: its name: "degree", "λ" or "k".
        values: (v,) what it may be, from the stiffest model to the most flexible; of `rows` from few to all.
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
        """Predict at (m, d) places by the i-th, which was fitted to those rows; of (p, c) weights or targets (m, c)."""

    def given(self, y: Array) -> Self:
        """The same models of the same rows with other targets, (n,), or (n, c) to predict c samples at once."""

    def hat(self, i: int) -> tuple[Array, float]:
        """(n,) H_ii and Σ H_ij² of the i-th with no rows held out: leverages, and how much noise comes through."""


class Linear(Struct, frozen=True, eq=False):
    """Weights on columns, with a penalty.

    Attributes:
        low, high: (d,) where each feature begins and ends; empty: the features themselves are the columns.
        columns: (n, p) those of the rows.
        used: (v,) how many of them each candidate uses, the first ones.
        penalties: (v,) λ of each.
        y: (n,) targets.
        features: what the features are called.
    """

    letter: str
    values: Array
    low: Array
    high: Array
    columns: Array
    used: Array
    penalties: Array
    y: Array
    features: tuple[str, ...]

    def named(self, i: int) -> str:
        return f"{self.letter} {'= ' if self.letter == 'λ' else ''}{self.values[i]:.4g}"

    def columns_of(self, i: int) -> Array:
        """(n, q) those that the i-th uses."""
        return self.columns[:, : self.used[i]]

    def column_names(self, i: int) -> tuple[str, ...]:
        """Name them, the constant first: "1", "degree 2 of x1"."""
        if not len(self.low):
            return "1", *self.features
        degrees = range(1, int(self.used[i]) // len(self.low) + 1)
        return "1", *(f"degree {degree} of {feature}" for degree in degrees for feature in self.features)

    def spectrum(self, i: int, rows: Array) -> Spectrum:
        """Decompose the columns of the i-th on some rows."""
        return spectrum(self.columns_of(i)[rows], self.y[rows])

    def fit(self, i: int, rows: Array) -> Array:
        weights = self.spectrum(i, rows).weights(self.penalties[i])
        return np.pad(weights, (0, self.columns.shape[1] + 1 - len(weights)))

    def predict(self, i: int, weights: Array, rows: Array, at: Array) -> Array:
        columns = at if not len(self.low) else powers(at, self.low, self.high, int(self.used[i]) // len(self.low))
        return np.asarray(weights[0] + columns @ weights[1 : columns.shape[1] + 1])

    def given(self, y: Array) -> Self:
        return replace(self, y=y)

    def hat(self, i: int) -> tuple[Array, float]:
        fit = self.spectrum(i, np.ones(len(self.y), bool))
        kept = fit.shrinkage(self.penalties[i])
        return 1 / len(self.y) + fit.U**2 @ kept, 1 + float(kept @ kept)


class Neighbours(Struct, frozen=True, eq=False):
    """The mean of the k nearest rows; of equal distances the row that comes first.

    Attributes:
        X, y: the rows, which is all that it learns.
        nearest: (n, k) rows that are nearest to each, where all are fitted; () where there are too many.
    """

    values: Array
    X: Array
    y: Array
    nearest: Array
    letter: str = "k"

    def named(self, i: int) -> str:
        return f"k = {self.values[i]:.0f}"

    def fit(self, i: int, rows: Array) -> Array:
        return np.zeros(0)

    def predict(self, i: int, weights: Array, rows: Array, at: Array) -> Array:
        if at is self.X and len(self.nearest) and rows.all():
            near = self.nearest[:, : int(self.values[i])]
        else:
            near = nearest_rows(at, self.X[rows], int(self.values[i]))
        return np.asarray(self.y[rows][near].mean(axis=1))

    def given(self, y: Array) -> Self:
        return replace(self, y=y)

    def hat(self, i: int) -> tuple[Array, float]:
        near = self.nearest if len(self.nearest) else nearest_rows(self.X, self.X, int(self.values[i]))
        near = near[:, : int(self.values[i])]
        own = (near == np.arange(len(self.X))[:, None]).any(axis=1)
        return own / self.values[i], float(len(self.X) / self.values[i])


class Memoriser(Struct, frozen=True, eq=False):
    """The first m rows by heart, and the mean of the targets wherever it was not told.

    Attributes:
        values: (v,) m.
        X, y: the rows; of equal ones that are remembered the first answers.
    """

    values: Array
    X: Array
    y: Array
    letter: str = "m"

    def named(self, i: int) -> str:
        return f"m = {self.values[i]:.0f} rows known"

    def fit(self, i: int, rows: Array) -> Array:
        return np.zeros(0)

    def predict(self, i: int, weights: Array, rows: Array, at: Array) -> Array:
        y, remembered = self.y[rows], self.X[rows][: int(self.values[i])]
        answers = np.repeat(y.mean(axis=0)[None], len(at), axis=0)
        known = {row.tobytes(): j for j, row in reversed(list(enumerate(remembered + 0.0)))}  # -0.0 is 0.0
        told = np.array([known.get(row.tobytes(), -1) for row in at + 0.0], int)
        answers[told >= 0] = y[told[told >= 0]]
        return answers

    def given(self, y: Array) -> Self:
        return replace(self, y=y)

    def hat(self, i: int) -> tuple[Array, float]:
        by_heart = self.given(np.eye(len(self.X)))
        H = by_heart.predict(i, np.zeros(0), np.ones(len(self.X), bool), self.X)
        return np.diag(H), float((H * H).sum())


class Growing(Struct, frozen=True, eq=False):
    """One model that is fitted to the first n rows, from few of them to all.

    Attributes:
        values: (v,) n.
        linear: what is fitted, the one candidate there is.
    """

    values: Array
    linear: Linear
    letter: str = "n"

    def named(self, i: int) -> str:
        return f"n = {self.values[i]:.0f} rows"

    def rows(self, i: int) -> Array:
        """(n,) bool, those that the i-th is fitted to."""
        return np.asarray(np.arange(len(self.linear.y)) < self.values[i])

    def fit(self, i: int, rows: Array) -> Array:
        return self.linear.fit(0, rows)

    def predict(self, i: int, weights: Array, rows: Array, at: Array) -> Array:
        return self.linear.predict(0, weights, rows, at)

    def given(self, y: Array) -> Self:
        return replace(self, linear=self.linear.given(y))

    def hat(self, i: int) -> tuple[Array, float]:
        rows = self.rows(i)
        fit = self.linear.spectrum(0, rows)
        kept = fit.shrinkage(0.0)
        leverages = np.zeros(len(rows))
        leverages[rows] = 1 / rows.sum() + fit.U**2 @ kept
        return leverages, 1 + float(kept @ kept)


def rows_fitted(models: Candidates, i: int, n: int) -> Array:
    """(n,) bool, the rows that the i-th of some models is fitted to where none are held out."""
    return models.rows(i) if isinstance(models, Growing) else np.ones(n, bool)


def candidates(
    data: Dataset, model: ModelOrRows, tried: int, least: float = 0.01, most: float = 1e4, degree: int = 3
) -> Candidates:
    """Make so many candidates for a data set; ask for them by `data.once(candidates, model, tried, ...)`.

    Args:
        least, most: the ends of λ.
        degree: of the polynomial that is fitted to more and more rows.
    """
    y = np.asarray(data.y, float)
    if model == "neighbours":
        nearest = nearest_rows(data.X, data.X, tried) if data.n <= _FEW else np.zeros((0, tried), int)
        return Neighbours(np.arange(tried, 0, -1.0), data.X, y, nearest)
    if model == "memoriser":
        return Memoriser(np.round(np.linspace(0, data.n, tried)), data.X, y)
    if model == "ridge":
        lam = np.geomspace(most, least, tried)
        none = np.zeros(0)
        return Linear("λ", lam, none, none, data.X, np.full(tried, data.d), lam, y, data.features)
    low, high = data.X.min(axis=0), data.X.max(axis=0)
    if model == "rows":
        one, columns = np.array([float(degree)]), powers(data.X, low, high, degree)
        linear = Linear("degree", one, low, high, columns, np.array([columns.shape[1]]), np.zeros(1), y, data.features)
        return Growing(np.round(np.linspace(fewest_rows(data.d, degree), data.n, tried)), linear)
    degrees = np.arange(tried)
    columns = powers(data.X, low, high, tried - 1)
    return Linear(
        "degree", degrees.astype(float), low, high, columns, degrees * data.d, np.zeros(tried), y, data.features
    )


def fewest_rows(d: int, degree: int) -> int:
    """How many rows a learning curve begins with: twice as many as there are weights."""
    return 2 * (d * degree + 1)


def nearest_rows(at: Array, X: Array, k: int) -> Array:
    """(m, k) the rows of X that are nearest to (m, d) places, the nearest first."""
    return pairwise_squared_distances(at, X).argsort(axis=1, kind="stable")[:, :k]


def powers(X: Array, low: Array, high: Array, degree: int) -> Array:
    """(n, degree d) Legendre's polynomials 1 to `degree` of each feature, which spans [-1, 1] from `low` to `high`.

    They span what the powers x, x², ... span, and are far from dependent.
    """
    x = (2 * X - (low + high)) / np.where(high > low, high - low, 1.0)
    each = np.polynomial.legendre.legvander(x, degree)[:, :, 1:]  # (n, d, degree)
    return np.asarray(each.transpose(0, 2, 1).reshape(len(X), -1))
