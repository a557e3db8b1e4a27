"""The likelihood of softmax regression, with its slope and its curvature.

    p_k(x) = e^(w_k·x) / Σ_j e^(w_j·x),   ln P(w) = Σ_i ln p_(y_i)(x_i) - ½ λ Σ_k ‖w_k‖²

x has the constant 1 appended when there is a bias, on which there is no penalty. All arrays have a class a row.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct

from algorithms.core import Answer, Array, Dataset, Sides, Undecided
from algorithms.toolbox.logistic import ENOUGH, solved
from algorithms.toolbox.logsumexp import shares_and_log_sum

_NO_BEND = 1e-30  # of the greatest there can be: all rows lie so far out that no direction means anything
_CURVED = 1e-8  # of H's greatest curvature: along less, rounding may decide what d is


class SoftmaxLikelihood(Struct, frozen=True, eq=False, dict=True):
    """ln P of one data set.

    Attributes:
        X: (n, p) rows, the constant 1 last when there is a bias.
        Y: (K, n) 1 where a row is of the class, else 0.
        penalties: (p,) λ for each weight of a class, 0 for the bias.
    """

    X: Array
    Y: Array
    penalties: Array

    @property
    def shape(self) -> tuple[int, int]:
        """(K, p), that of the weights."""
        return len(self.Y), len(self.penalties)

    def shares(self, w: Array) -> Array:
        """(K, n) p of each class at each row."""
        return shares_and_log_sum(w @ self.X.T)[0]

    def losses(self, w: Array) -> Array:
        """(n,) -ln p of each row's own class, exact for a small one as for a large one."""
        scores = w @ self.X.T
        own = (scores * self.Y).sum(axis=0)
        return shares_and_log_sum(scores - own)[1]

    def value(self, w: Array) -> float:
        """ln P(w)."""
        return -float(self.losses(w).sum()) - 0.5 * float((w**2 @ self.penalties).sum())

    def size(self, w: Array) -> float:
        """The largest number that is added on the way to ln P(w)."""
        scores = (np.abs(w) @ np.abs(self.X).T).max(axis=0)
        return 1.0 + 2 * float((scores + np.log(len(w))).sum()) + float((w**2 @ self.penalties).sum())

    def gradient(self, w: Array) -> Array:
        """(K, p) ∇ln P = (Y - P) X - λ w."""
        return np.asarray((self.Y - self.shares(w)) @ self.X - self.penalties * w)

    def hessian(self, w: Array) -> Array:
        """(Kp, Kp) -∇²ln P, of the weights class after class."""
        K, p = self.shape
        P = self.shares(w)
        rest = (1 - np.eye(K)) @ P  # 1 - p, exact for a p near 1 too
        together = (P[:, None, :] * self.X.T).reshape(K * p, -1)
        H = -together @ together.T
        for k in range(K):
            own = slice(k * p, (k + 1) * p)
            root = np.sqrt(P[k] * rest[k])[:, None] * self.X
            H[own, own] = root.T @ root + np.diag(self.penalties)
        return np.asarray(H)

    def bend(self, w: Array, u: Array) -> Array:
        """(K, p) H u of (K, p) u, without H: how the gradient falls along it."""
        P, along = self.shares(w), u @ self.X.T
        return np.asarray((P * (along - (P * along).sum(axis=0))) @ self.X + self.penalties * u)

    @cached_property
    def units(self) -> Array:
        """(Kp,) what rows and columns of H are divided by, so that no feature's unit hides how another bends."""
        most = (self.X**2).sum(axis=0) / 4 + self.penalties
        return np.tile(np.sqrt(np.where(most > 0, most, 1.0)), len(self.Y))

    def newton_direction(self, w: Array, g: Array) -> Array:
        """(K, p) the d with H d = g that is shortest with each feature in a unit of its own; 0 where all is flat."""
        H, units = self.hessian(w), self.units
        if np.abs(H / units / units[:, None]).max() < _NO_BEND:
            return np.zeros(self.shape)
        return solved(H, g.ravel(), units).reshape(self.shape)

    def rises_enough(self, w: Array, g: Array, d: Array, s: float) -> bool:
        """Armijo's test: ln P rises by a quarter of what its slope promises."""
        promise = ENOUGH * s * float((g * d).sum())
        return promise > 0 and self.value(w + s * d) - self.value(w) >= promise

    def right(self, w: Array) -> Array:
        """(n,) whether a row's own class alone has the greatest score."""
        scores = w @ self.X.T
        own = (scores * self.Y).sum(axis=0)
        return np.asarray(own > np.where(self.Y > 0, -np.inf, scores).max(axis=0))

    def reach(self, u: Array) -> Array:
        """(n,) how far the scores of a row's classes move apart in a unit along (K, p) u."""
        moved = u @ self.X.T
        return np.asarray(moved.max(axis=0) - moved.min(axis=0))


def softmax_likelihood(data: Dataset, penalty: float, bias: bool) -> SoftmaxLikelihood:
    """ln P of K classes; ask for it by `data.once(softmax_likelihood, penalty, bias)`."""
    X = np.column_stack([data.X, np.ones(data.n)]) if bias else data.X
    penalties = np.full(X.shape[1], float(penalty))
    if bias:
        penalties[-1] = 0.0
    Y = (np.arange(len(data.classes))[:, None] == data.y).astype(float)
    return SoftmaxLikelihood(X, Y, penalties)


def greatest_softmax_curvature(data: Dataset, penalty: float, bias: bool) -> float:
    """L = λmax(XᵀX)/2 + λ, which no curvature of ln P exceeds: diag(p) - ppᵀ <= ½; 1 where all rows are 0."""
    X = data.once(softmax_likelihood, penalty, bias).X
    return float(np.linalg.eigvalsh(X.T @ X)[-1]) / 2 + penalty or 1.0


def direction_made(f: SoftmaxLikelihood, w: Array, direction: Array, names: Sequence[str]) -> Answer:
    """Hold (K, p) d against H d = g at w; undecided where g has a part along what H hardly bends.

    Args:
        names: of the weights, class after class.
    """
    units, H, g = f.units, f.hessian(w), f.gradient(w).ravel()
    balanced = H / units / units[:, None]
    reach = np.tile(np.abs(f.X).sum(axis=0), len(f.Y)) / units

    def sides(d: Array) -> Sides:
        lost = np.abs(balanced).max() * np.abs(units * d).sum() + reach.max()
        return Sides.each(("Hd", H @ d), ("g", g), relation="==", size=10 * units * lost, entries=names)

    best = np.linalg.lstsq(balanced, g / units, rcond=_CURVED)[0] / units
    if np.abs(balanced).max() < _NO_BEND or not sides(best).hold:
        return Undecided("rounding hides how H bends along a part of g")
    return sides(direction.ravel())
