"""A fit of ridge regression at one λ, and what is known of its rows at every λ."""

from functools import cached_property

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.families.regression.ridge.ridge_error import Parts, by_directions, most_that_helps
from algorithms.toolbox.shrinkage import Spectrum, residuals_left_out, spectrum, weights_along
from algorithms.toolbox.truths import LinearTruth, linear_truth


def decomposed(data: Dataset) -> Spectrum:
    """Decompose the columns of a data set; for `data.once`."""
    return spectrum(data.X, np.asarray(data.y, float))


def path(most: float, least: float, tried: int) -> Array:
    """(tried + 2,) the λ in turn, ∞ the first and 0 the last."""
    return np.concatenate([[np.inf], np.geomspace(most, least, tried), [0.0]])


def error_left_out(of: Spectrum, lam: float) -> float:
    """The mean of (r/(1 - h))²; ∞ where a row alone decides a direction."""
    left = residuals_left_out(of, lam)[0]
    return float(left @ left) / len(left)


class RidgeRows:
    """Rows, their decomposition, and what they say of each λ of a path.

    Attributes:
        data: the rows.
        of: their columns, decomposed.
        X, y: columns and targets without their means.
        penalties: (v,) λ, ∞ the first and 0 the last.
        truth: w and σ, where they are known.
    """

    def __init__(self, data: Dataset, penalties: Array):
        y = np.asarray(data.y, float)
        self.data, self.penalties = data, penalties
        self.of: Spectrum = data.once(decomposed)
        self.X, self.y = data.X - data.X.mean(axis=0), y - y.mean()
        self.truth: LinearTruth | None = linear_truth(data)
        self._errors: dict[float, float] = {}

    def error_left_out(self, lam: float) -> float:
        """The leave-one-out error with a λ, of the path or not."""
        if lam not in self._errors:
            left = residuals_left_out(self.of, lam)[0]  # their mean square anew, for what is noted is held against it
            self._errors[lam] = float(np.square(left).mean())
        return self._errors[lam]

    def rss(self, w: Array) -> float:
        """‖y - b - Xw‖² for (p,) weights, with the best b."""
        r = self.y - self.X @ w
        return float(r @ r)

    def size(self, lam: float) -> float:
        """The largest square that is added on the way to RSS, and how much of rounding comes through."""
        y = np.asarray(self.data.y)
        return self.of.magnifies(lam) * float(y @ y)

    @cached_property
    def shortest(self) -> Array:
        """(p,) the shortest least-squares fit."""
        rank = len(self.of.S)
        if not rank:
            return np.zeros(self.X.shape[1])
        return np.asarray(np.linalg.pinv(self.X, rcond=float(self.of.S[-1] / self.of.S[0]) / 2) @ self.y)

    @cached_property
    def coefficients(self) -> Array:
        """(v - 2, p) with each finite λ above 0."""
        return weights_along(self.of, self.penalties[1:-1])

    @property
    def most_that_helps(self) -> float:
        """2σ²/‖w*‖² of the truth, NaN where that is not known."""
        return np.nan if self.truth is None else most_that_helps(self.truth.w, self.truth.sigma)

    @cached_property
    def parts(self) -> list[Parts]:
        """Bias and variance at every λ of the path, where the truth is known."""
        return [] if self.truth is None else [self.parts_at(lam) for lam in self.penalties.tolist()]

    def parts_at(self, lam: float) -> Parts:
        """Bias and variance with a λ; NaN where the truth is not known."""
        if self.truth is None:
            return Parts(np.nan, np.nan)
        return by_directions(self.of.S, self.of.V, self.truth.w, self.truth.sigma, lam)


class RidgeFit(Struct, frozen=True, eq=False):
    """The fit with one λ.

    Attributes:
        rows: what was fitted.
        b, w: the intercept and (p,) weights.
        lam: λ in hand.
        so_far: the λ that were tried, ∞ the first.
        best: λ*, the one of them with the least leave-one-out error.
        least: that error.
    """

    rows: RidgeRows
    b: float
    w: Array
    lam: float
    so_far: tuple[float, ...]
    best: float
    least: float

    @property
    def norm(self) -> float:
        return float(np.linalg.norm(self.w))

    @property
    def rss(self) -> float:
        return self.rows.rss(self.w)

    @property
    def size(self) -> float:
        """What its RSS may be off by, as `RidgeRows.size`."""
        return self.rows.size(self.lam)

    @property
    def shrinkage(self) -> Array:
        """(r,) s²/(s² + λ)."""
        return self.rows.of.shrinkage(self.lam)

    @property
    def freedom(self) -> float:
        return float(self.shrinkage.sum())

    @property
    def left_out_error(self) -> float:
        """NaN where a row alone decides a direction."""
        error = self.rows.error_left_out(self.lam)
        return error if np.isfinite(error) else np.nan

    @property
    def parts(self) -> Parts:
        return self.rows.parts_at(self.lam)

    def predict(self, at: Array) -> Array:
        """(m,) f at (m, p) places."""
        return np.asarray(self.b + at @ self.w)


def in_words(lam: float) -> str:
    """λ as it is written."""
    return "∞" if np.isinf(lam) else f"{lam:.4g}"
