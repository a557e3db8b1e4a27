"""Linear support vector machines solved without a word, with all rows or without one of them.

    least     P(w, b) = ½‖w‖² + C Σ max(0, 1 - y f),   f = w·x + b;   C = ∞: ½‖w‖² with all y f >= 1
    greatest  W(α) = Σ α - ½‖w‖²   over 0 <= α <= C,   w = Σ α y x,   and Σ α y = 0 where there is a bias

With a bias pairs of α move, as in SMO, and now and then all that are not at an end; without one, α by α. Any α that is
allowed has W(α) <= P(w', b'), whatever w' and b', and ½‖w - w*‖² <= W* - W(α).

References: Fan, Chen and Lin (2005), Working set selection using second order information, J. of Machine Learning
Research 6; Hsieh et al. (2008), A dual coordinate descent method for large-scale linear SVM, ICML.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.core.theorems import EXACT
from algorithms.toolbox.boxed_dual import solve_boxed, together
from algorithms.toolbox.duals import may_fall, may_rise, rooms

_MOST = 3000  # pairs, or steps of one α, that may be spent on one solution
SLACKNESS = 1e-4  # how far a row may be from its case of complementary slackness at the end
_TOGETHER = 25  # pairs before a step of all that are not at an end
_LOST = 1e-13  # of W: a rise as small as this over so many pairs is rounding
_CLOSE = 1e-7  # m - M, as SMO has them, at the end


class MarginFit(Struct, frozen=True, eq=False):
    """A solution.

    Attributes:
        alpha: (n,) multipliers, 0 of the row that is left out.
        w: (d + 1,) weights and bias, the bias 0 where there is none.
        reached: whether no row is further than SLACKNESS from its case of complementary slackness.
    """

    alpha: Array
    w: Array
    reached: bool


class MarginFits:
    """The solutions on the rows of a data set, each worked out when it is first asked for; made by `data.once`."""

    def __init__(self, data: Dataset, C: float, bias: bool):
        self._X, self._signs, self._C, self._bias = data.X, data.signs, C, bias
        self._known: dict[int, MarginFit] = {}

    def of_all(self) -> MarginFit:
        return self.without(-1)

    def without(self, row: int) -> MarginFit:
        """Solve without a row, with all for -1; where many b do as well, the one nearest to that of all rows."""
        if row not in self._known:
            prefer = None if row < 0 else float(self.of_all().w[-1])
            self._known[row] = self._solved(np.arange(len(self._X)) != row, prefer)
        return self._known[row]

    def _solved(self, kept: Array, prefer: float | None) -> MarginFit:
        alpha, w = self._best(kept, prefer)
        worst = violation(self._X[kept], self._signs[kept], alpha[kept], w, self._C)
        return MarginFit(alpha, w, worst <= SLACKNESS)

    def _best(self, kept: Array, prefer: float | None) -> tuple[Array, Array]:
        X, y, alpha = self._X[kept], self._signs[kept], np.zeros(len(kept))
        if not self._bias:
            alpha[kept] = solve_boxed(X * y[:, None], self._C, most=_MOST).alpha
            return alpha, np.append((alpha * self._signs) @ self._X, 0.0)
        centre = X.mean(axis=0)
        alpha[kept], low, high = by_pairs(X - centre, y, self._C)
        w = (alpha * self._signs)[kept] @ (X - centre)
        shift = float(w @ centre)  # b is that of the centred rows until here
        b = (low + high) / 2 if prefer is None else float(np.clip(prefer + shift, low, high))
        return alpha, np.append(w, b - shift)


def fits(data: Dataset, C: float, bias: bool) -> MarginFits:
    """The solutions on a data set; ask for them by `data.once(fits, C, bias)`."""
    return MarginFits(data, C, bias)


def by_pairs(X: Array, signs: Array, C: float) -> tuple[Array, float, float]:
    """(n,) α, and the least and greatest b that suit it, for (n, d) rows.

    Rows of one class alone have α = 0, and any b on their side.
    """
    alpha, F = np.zeros(len(X)), signs.copy()
    squares = np.vecdot(X, X)
    flat = np.finfo(float).eps * (float(squares.max()) or 1.0)
    reached = 0.0
    for step in range(_MOST):
        if step % _TOGETHER == _TOGETHER - 1:
            alpha = together(X * signs[:, None], alpha, signs * F, C, signs=signs)
            w = (alpha * signs) @ X
            F, height = signs - X @ w, float(alpha.sum() - w @ w / 2)
            if not height > reached * (1 + _LOST):
                break
            reached = height
        rising, falling = may_rise(alpha, signs, C), may_fall(alpha, signs, C)
        if not rising.any() or not falling.any():
            break
        i = int(np.where(rising, F, -np.inf).argmax())
        ahead = np.where(falling, np.maximum(F[i] - F, 0.0), 0.0)
        if ahead.max() <= _CLOSE:
            break
        k_i = X @ X[i]
        distances = np.maximum(squares + squares[i] - 2 * k_i, flat)
        j = int((ahead**2 / distances).argmax())
        room_i, room_j = rooms(alpha, signs, i, j, C)
        by = min(float(ahead[j] / distances[j]), room_i, room_j)
        alpha[i] = ended(alpha[i] + signs[i] * by, by == room_i, signs[i] > 0, C)
        alpha[j] = ended(alpha[j] - signs[j] * by, by == room_j, signs[j] < 0, C)
        F = F - by * (k_i - X @ X[j])
    F = signs - X @ ((alpha * signs) @ X)
    bounds = F[may_rise(alpha, signs, C)], F[may_fall(alpha, signs, C)]
    up, low = float(bounds[0].max(initial=-np.inf)), float(bounds[1].min(initial=np.inf))
    if not (np.isfinite(up) and np.isfinite(low)):  # one class: any b from here on does
        return alpha, *((up, np.inf) if np.isfinite(up) else (-np.inf, low))
    return alpha, min(up, low), max(up, low)


def ended(alpha: float, at_end: bool, rising: bool, C: float) -> float:
    """α; where it went all the way, 0 or C itself and not what rounding makes of it."""
    return float((C if rising else 0.0) if at_end else alpha)


def primal(X: Array, signs: Array, w: Array, C: float) -> float:
    """P(w, b); of a hard margin that of w and b divided by the least y f, infinite where that is not above 0."""
    z, half = signs * (X @ w[:-1] + w[-1]), float(w[:-1] @ w[:-1]) / 2
    if np.isfinite(C):
        return half + C * float(np.maximum(1 - z, 0.0).sum())
    least = float(z.min())
    return half / least**2 if least > 0 else np.inf


def dual(X: Array, signs: Array, alpha: Array) -> float:
    """W(α)."""
    w = (alpha * signs) @ X
    return float(alpha.sum() - w @ w / 2)


def gap(X: Array, signs: Array, alpha: Array, w: Array, C: float) -> float:
    """P(w, b) - W(α) with w = Σ α y x: neither is further than that from the best.

    Args:
        w: (d + 1,) weights as they were rounded, and the bias; of large rows that cancel, another sum differs in a few
            digits. Weights that are not Σ α y x to rounding are not taken.
    """
    carried = (alpha * signs) @ X
    if (np.abs(w[:-1] - carried) > EXACT * (alpha @ np.abs(X))).any():
        w = np.append(carried, w[-1])
    return max(primal(X, signs, w, C) - dual(X, signs, alpha), 0.0)


def violation(X: Array, signs: Array, alpha: Array, w: Array, C: float) -> float:
    """How far the farthest row is from its case of complementary slackness, or w from Σ α y x beside its length.

    0 of rows of one class, on whose side b is.
    """
    carried = (alpha * signs) @ X
    length = float(np.linalg.norm(carried))
    z = signs * (X @ w[:-1] + w[-1])
    away = float(np.linalg.norm(carried - w[:-1])) / length if length else float(np.abs(w[:-1]).max() > 0)
    return max(away, float(out_of_its_case(z, alpha, C).max()))


def out_of_its_case(z: Array, alpha: Array, C: float) -> Array:
    """(n,) how far y f is from where complementary slackness has it: >= 1 at α = 0, 1 between, <= 1 at α = C."""
    at_C = np.where(alpha >= C, np.maximum(z - 1, 0.0), np.abs(z - 1))
    return np.asarray(np.where(alpha <= 0, np.maximum(1 - z, 0.0), at_C))
