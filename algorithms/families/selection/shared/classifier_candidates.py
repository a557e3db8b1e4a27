"""Linear classifiers of two classes that differ in one number, from the stiffest to the most flexible.

    logistic     Σ ln(1 + e^(-y f)) + ½ λ ‖w‖²    along λ, from large to small
    linear SVM   ½ ‖w‖² + C Σ max(0, 1 - y f)      along C, from small to large

f = b + w·x, with no penalty on b; y is +1 for class 1 and -1 for class 0. What is predicted is the class, 1 where f > 0
and else 0, so that the square of what a prediction is off by is 1 for an error, and their mean the share of errors.

References: Cox (1958), The regression analysis of binary sequences, JRSS B 20; Cortes and Vapnik (1995), Support-vector
networks, Machine Learning 20.
"""

from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Answer, Array, Dataset, DoesNotApply, Sides, Undecided
from algorithms.families.selection.shared.candidates import Candidates, candidates
from algorithms.toolbox.activations import sigmoid
from algorithms.toolbox.logistic import ENOUGH, Likelihood, solved
from algorithms.toolbox.margin_fits import by_pairs, dual, primal

ClassifierName = Literal["logistic", "linear SVM"]
Chosen = Literal["polynomial", "ridge", "neighbours", "logistic", "linear SVM"]
_MOST = 60  # Newton's steps
_CLOSE = 1e-14  # of 1 - log L: a rise as small as this that is promised is none
_LEFT = 1e-12  # the same that may be left where the values of log L are too coarse to go by
_SHORTEST = 2.0**-30  # a step below which rounding decides
_APART = 1e-3  # of P: how far a dual may stay below it


class Classifiers(Struct, frozen=True, eq=False):
    """Weights of two classes, with a penalty λ or a price C.

    Attributes:
        name: which classifier.
        letter: "λ" or "C".
        values: (v,) what it may be, from the stiffest model to the most flexible.
        X, signs: (n, d) the rows, and (n,) +1 or -1.
    """

    name: ClassifierName
    letter: str
    values: Array
    X: Array
    signs: Array

    def named(self, i: int) -> str:
        """Name the i-th: "C = 0.1"."""
        return f"{self.letter} = {self.values[i]:.4g}"

    def fit(self, i: int, rows: Array) -> Array:
        """(d + 1,) b and w of the i-th, fitted to the rows of a (n,) bool mask."""
        X, signs, value = self.X[rows], self.signs[rows], float(self.values[i])
        return logistic_weights(X, signs, value) if self.letter == "λ" else margin_weights(X, signs, value)

    def predict(self, i: int, weights: Array, rows: Array, at: Array) -> Array:
        """(m,) the class at (m, d) places: 1 where f > 0, else 0."""
        return np.where(at @ weights[1:] + weights[0] > 0, 1.0, 0.0)

    def price(self, i: int, weights: Array, rows: Array) -> float:
        """P(w, b) of a linear SVM with the i-th C on some rows."""
        return primal(self.X[rows], self.signs[rows], np.append(weights[1:], weights[0]), float(self.values[i]))

    def optimal(self, i: int, weights: Array, rows: Array) -> Answer:
        """Hold a fit of the i-th to rows against what makes it the best: no slope left, or a dual as high as it."""
        X, signs, value = self.X[rows], self.signs[rows], float(self.values[i])
        if self.letter == "λ":
            return without_slope(X, signs, weights, value)
        centre = X.mean(axis=0)
        alpha = by_pairs(X - centre, signs, value)[0]
        least, most = dual(X - centre, signs, alpha), self.price(i, weights, rows)
        best = self.price(i, self.fit(i, rows), rows)
        if best - least > _APART * best:
            return Undecided("the dual was not raised to the primal in as many steps as are allowed")
        return Sides(("W(α)", least), ("P(w, b)", most), relation="==", slack=_APART * best)


def classifiers(data: Dataset, name: ClassifierName, tried: int, least: float, most: float) -> Classifiers:
    """Make so many for the two classes of a data set; ask for them by `data.once(classifiers, name, tried, ...)`.

    Args:
        least, most: the ends of λ, or of C.
    """
    ends = (most, least) if name == "logistic" else (least, most)
    letter = "λ" if name == "logistic" else "C"
    return Classifiers(name, letter, np.geomspace(*ends, tried), data.X, data.signs)


def any_candidates(
    data: Dataset, model: Chosen, tried: int, least: float, most: float, *degree: int
) -> Candidates | Classifiers:
    """Make candidates that predict numbers or classes; ask for them by `data.once(any_candidates, model, ...)`."""
    if model == "logistic" or model == "linear SVM":
        return classifiers(data, model, tried, least, most)
    return data.once(candidates, model, tried, least, most, *degree)


def without_slope(X: Array, signs: Array, weights: Array, lam: float) -> Answer:
    """Hold Σ(y - p)x = λw, and Σ(y - p) = 0 for b, of logistic regression with (d + 1,) b and w, where it is worst."""
    if (signs == signs[0]).all():
        return DoesNotApply("the rows fitted on are of one class: the further b, the better")
    ones = np.column_stack([np.ones(len(X)), X])
    slope, pulled = (signs * sigmoid(-signs * (ones @ weights))) @ ones, lam * np.append(0.0, weights[1:])
    # what a step would still gain is gᵀH⁻¹g >= g_j²/H_jj, and H_jj <= Σx²/4 + λ
    bend = (ones**2).sum(axis=0) / 4 + np.append(0.0, np.full(X.shape[1], lam))
    left = np.sqrt(_LEFT * (1 + len(X)) * bend) + _LEFT * np.abs(ones).sum(axis=0)
    j = int((np.abs(slope - pulled) / np.where(left > 0, left, 1.0)).argmax())
    sides = (f"Σ(y - p)x[{j}]", float(slope[j])), (f"λw[{j}]", float(pulled[j]))
    return Sides(*sides, relation="==", slack=float(left[j]))


def logistic_weights(X: Array, signs: Array, lam: float) -> Array:
    """(d + 1,) b and w of the penalised logistic regression of (n, d) rows, by Newton's steps.

    Weights are measured in units in which no curvature is above 1, so that no unit of a feature hides b or another.
    """
    centre, n = X.mean(axis=0), len(X)
    away = np.column_stack([X - centre, np.ones(n)])
    penalties = np.append(np.full(X.shape[1], lam), 0.0)
    units = np.sqrt((away**2).sum(axis=0) / 4 + penalties)
    f = Likelihood(away / units, (signs + 1) / 2, penalties / units / units)
    w, value = np.zeros(f.p), f.value(np.zeros(f.p))
    for _ in range(_MOST):
        g = f.gradient(w)
        d = solved(f.hessian(f.weights(w)), g, f.units)
        rise, s = float(g @ d), 1.0
        if rise <= _CLOSE * (1 - value):
            break
        while s > _SHORTEST and f.value(w + s * d) < value + ENOUGH * s * rise:
            s /= 2
        w = w + s * d
        value = f.value(w)
    w = w / units
    return np.append(w[-1] - w[:-1] @ centre, w[:-1])


def margin_weights(X: Array, signs: Array, C: float) -> Array:
    """(d + 1,) b and w of the soft margin of (n, d) rows; of many b that do as well the middle one."""
    centre = X.mean(axis=0)
    alpha, low, high = by_pairs(X - centre, signs, C)
    w = (alpha * signs) @ (X - centre)
    b = (low + high) / 2 if np.isfinite(low + high) else low if np.isfinite(low) else high  # one class has no other end
    return np.append(b - w @ centre, w)
