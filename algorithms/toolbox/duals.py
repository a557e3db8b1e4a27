"""The soft margin and its dual: what multipliers α, with F = y - Σ α y k(x, ·), say of both.

    least     P(w, b) = ½‖w‖² + C Σ max(0, 1 - y f(x))          f(x) = w·φ(x) + b
    greatest  W(α) = Σ α - ½‖w‖²    over 0 <= α <= C, Σ α y = 0;    w = Σ α y φ(x)

F is the b with which a row would have y f = 1. α is best if and only if some b has F <= b on all rows whose α y may
rise and F >= b on all whose α y may fall: m <= M, the greatest of the former and the least of the latter.

From a start with W >= 0 that W never falls below, Σ α stays below five times what it is at the end: W* >= W and
½‖w - w*‖² <= W* - W give ‖w‖ <= 2√(2 Σ α*), and Σ α = W + ½‖w‖². So F stays as exact as its end deserves.

References: Cortes and Vapnik (1995), Machine Learning 20; Keerthi et al. (2001), Neural Computation 13 (m and M).
"""

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.toolbox.kernels import Kernel

_LOST = 1e-14  # of the largest number that is added: what rounding makes of a long sum, or of a sum kept for many steps


class Solution(Struct, frozen=True, eq=False):
    """Both problems at some α, on the rows that are kept.

    Attributes:
        up: m, the greatest F of the rows whose α y may rise: b may not be below it.
        low: M, the least F of those whose α y may fall: b may not be above it.
        margins: (n,) y f, with b in the middle of m and M.
        squared_norm: ‖w‖² = Σ α (1 - y F).
        total: Σ α.
        primal: P(w, b). For a hard margin f is first divided by its least y f, so that all have y f >= 1; infinite
            where that is not above 0.
        size: the largest number that was added on the way to an F.
        dual_size: the same of W, P and ‖w‖².
    """

    up: float
    low: float
    margins: Array
    squared_norm: float
    total: float
    primal: float
    size: float
    dual_size: float

    @property
    def bias(self) -> float:
        return (self.up + self.low) / 2

    @property
    def gap(self) -> float:
        """m - M: while it is above 0, no b suits all rows."""
        return self.up - self.low

    @property
    def delta(self) -> float:
        """δ = (m - M)/2: no row is further from its case of complementary slackness."""
        return self.gap / 2

    @property
    def dual(self) -> float:
        return self.total - self.squared_norm / 2

    @property
    def norm(self) -> float:
        return float(np.sqrt(self.squared_norm))

    @property
    def reach(self) -> float:
        """‖w‖ / Σ α, above which there is no margin; infinite for α = 0."""
        return self.norm / self.total if self.total else np.inf

    @property
    def lost(self) -> float:
        """What rounding may have made of W or ‖w‖²."""
        return _LOST * self.dual_size

    @property
    def widest(self) -> float:
        """‖w‖ / Σ α with what rounding may have taken from it: surely no margin is wider; infinite for α = 0."""
        return float(np.sqrt(self.squared_norm + self.lost)) / self.total if self.total else np.inf


def solution(
    signs: Array, alpha: Array, F: Array, kept: Array, box: float, largest: float, kernel_size: float
) -> Solution:
    """Both problems at α.

    Args:
        signs, alpha, F: (n,) y, the multipliers and y - Σ α y k(x, ·).
        kept: (n,) bool, the rows in the problem; α = 0 on the others.
        box: C, infinite for a hard margin.
        largest: the greatest Σ α there was since F was worked out from α and not step by step.
        kernel_size: the largest number that is added on the way to a k(x, z).
    """
    up = float(F[kept & may_rise(alpha, signs, box)].max())
    low = float(F[kept & may_fall(alpha, signs, box)].min())
    margins = 1 - signs * (F - (up + low) / 2)
    total = float(alpha.sum())
    squared_norm = max(total - float((alpha * signs) @ F), 0.0)
    if np.isfinite(box):
        primal = squared_norm / 2 + box * float(np.maximum(1 - margins[kept], 0.0).sum())
    else:
        least = float(margins[kept].min())
        primal = squared_norm / 2 / least**2 if least > 0 else np.inf
    size = 1 + largest * kernel_size
    return Solution(up, low, margins, squared_norm, total, primal, size, largest * size)


def may_rise(alpha: Array, signs: Array, box: float) -> Array:
    """(n,) bool: whether α y can grow within 0 <= α <= C."""
    return np.asarray(np.where(signs > 0, alpha < box, alpha > 0))


def may_fall(alpha: Array, signs: Array, box: float) -> Array:
    """(n,) bool: whether α y can shrink within 0 <= α <= C."""
    return may_rise(alpha, -signs, box)


def rooms(alpha: Array, y: Array, i: int, j: int, box: float) -> tuple[float, float]:
    """By how much α_i y_i may rise and α_j y_j fall within 0 <= α <= C."""
    room_i = box - alpha.item(i) if y.item(i) > 0 else alpha.item(i)
    room_j = alpha.item(j) if y.item(j) > 0 else box - alpha.item(j)
    return room_i, room_j


def outputs(kernel: Kernel, rows: Array, signs: Array, alpha: Array, places: Array) -> Array:
    """(m,) Σ α y k(x, place), from the (n, d) rows with α > 0."""
    held = alpha > 0
    return kernel(places, rows[held]) @ (alpha * signs)[held] if held.any() else np.zeros(len(places))


def decision(kernel: Kernel, rows: Array, signs: Array, alpha: Array, bias: float) -> Callable[[Array], Array]:
    """f: (m, d) -> (m,), from the support vectors."""
    held = alpha > 0
    rows, signs, alpha = rows[held], signs[held], alpha[held]
    return lambda places: outputs(kernel, rows, signs, alpha, places) + bias


def squared_distance(signs: Array, alpha: Array, F: Array, other: Array, other_F: Array) -> float:
    """‖w - w'‖² of two (n,) α with their F: Σ (α - α') y (g - g'), where g = y - F."""
    return max(float(((alpha - other) * signs) @ (other_F - F)), 0.0)


def balanced(alpha: Array, signs: Array, box: float) -> Array:
    """The (n,) α cut down to C, then those of the heavier class scaled down until Σ α y = 0."""
    within = np.minimum(alpha, box)
    plus, minus = float(within[signs > 0].sum()), float(within[signs < 0].sum())
    lighter = min(plus, minus)
    return np.asarray(within * np.where(signs > 0, lighter / (plus or 1.0), lighter / (minus or 1.0)))
