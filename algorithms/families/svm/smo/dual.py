"""The soft-margin problem and its dual: what multipliers α, with F = y - Σ α y k(x, ·), say of both."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset, Problem
from algorithms.toolbox.kernels import Kernel, KernelName, usual_gamma

if TYPE_CHECKING:
    from algorithms.families.svm.smo.algorithm import SmoState

_WATCHED = 2_000_000  # kernel values kept to compute f afresh from α


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
    """

    up: float
    low: float
    margins: Array
    squared_norm: float
    total: float
    primal: float

    @property
    def bias(self) -> float:
        return (self.up + self.low) / 2

    @property
    def gap(self) -> float:
        """m - M: while it is above 0, no b suits all rows."""
        return self.up - self.low

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


def solution(signs: Array, alpha: Array, F: Array, kept: Array, box: float) -> Solution:
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
    return Solution(up, low, margins, squared_norm, total, primal)


def may_rise(alpha: Array, signs: Array, box: float) -> Array:
    """(n,) bool: whether α y can grow within 0 <= α <= C."""
    return np.asarray(np.where(signs > 0, alpha < box, alpha > 0))


def may_fall(alpha: Array, signs: Array, box: float) -> Array:
    """(n,) bool: whether α y can shrink within 0 <= α <= C."""
    return may_rise(alpha, -signs, box)


def barriers(alpha: Array, signs: Array, kept: Array, box: float) -> tuple[Array, Array]:
    """(n,) -∞ for rows whose α y may not rise, ∞ for those whose may not fall, else 0: to be added to F."""
    rise = np.where(kept & may_rise(alpha, signs, box), 0.0, -np.inf)
    fall = np.where(kept & may_fall(alpha, signs, box), 0.0, np.inf)
    return rise, fall


def barrier(alpha: float, sign: float, box: float) -> tuple[float, float]:
    """The barriers of one row that is kept."""
    grows, shrinks = 0.0 if alpha < box else np.inf, 0.0 if alpha > 0 else np.inf
    return (-grows, shrinks) if sign > 0 else (-shrinks, grows)


@lru_cache(maxsize=8)
def kernel_of(data: Dataset, name: KernelName, gamma: float, degree: int, constant: float) -> Kernel:
    """The kernel with its parameters; γ = 0 stands for the usual one."""
    return Kernel(name=name, gamma=gamma or usual_gamma(data.X), degree=degree, constant=constant)


def squared_spread(kernel: Kernel, X: Array) -> float:
    """The greatest ‖φ(x) - φ(x_0)‖², a measure of how far apart the rows are for k."""
    squares = kernel.squares(X)
    return float((squares + squares[0] - 2 * kernel(X, X[:1])[:, 0]).max())


def box_of(problem: Problem) -> float:
    """C, infinite for a hard margin."""
    return float(problem.parameters.C) if problem.parameters.margin == "soft" else np.inf


def kernel_in_use(problem: Problem) -> Kernel:
    p = problem.parameters
    return kernel_of(problem.data, p.kernel, p.gamma, p.degree, p.constant)


def found(problem: Problem, state: SmoState) -> Solution:
    return solution(problem.data.signs, state.alpha, state.F, state.kept, box_of(problem))


def found_first(problem: Problem, state: SmoState) -> Solution | None:
    """What was found on all rows, once that run is done and pruned."""
    if state.first_alpha is None or state.first_F is None:
        return None
    everyone = np.ones(problem.data.n, bool)
    return solution(problem.data.signs, state.first_alpha, state.first_F, everyone, box_of(problem))


def apart(problem: Problem, state: SmoState) -> float:
    """‖w' - w‖ from the w found on all rows: the root of Σ (α' - α) y (g' - g), where g = y - F; 0 before pruning."""
    if state.first_alpha is None or state.first_F is None:
        return 0.0
    shares = (state.alpha - state.first_alpha) * problem.data.signs
    return float(np.sqrt(max(float(shares @ (state.first_F - state.F)), 0.0)))


def decision(problem: Problem, state: SmoState) -> Callable[[Array], Array]:
    """f: (m, d) -> (m,), from the support vectors."""
    kernel, held = kernel_in_use(problem), state.alpha > 0
    rows, shares = problem.data.X[held], (state.alpha * problem.data.signs)[held]
    bias = problem.of(found, state).bias

    def f(places: Array) -> Array:
        return kernel(places, rows) @ shares + bias if len(rows) else np.full(len(places), bias)

    return f


def watched(problem: Problem) -> tuple[Array, Array]:
    """Rows on which f is worked out afresh from α, all of them unless they are many; with their k to every row."""
    X, n = problem.data.X, problem.data.n
    m = min(n, max(_WATCHED // n, 2))
    rows = np.arange(m) * n // m
    return rows, kernel_in_use(problem)(X[rows], X)


def fresh_margins(problem: Problem, state: SmoState) -> Array:
    """(n,) y f worked out afresh from α on the watched rows that are kept; NaN on the others."""
    rows, values = problem.once(watched)
    signs, margins = problem.data.signs, np.full(problem.data.n, np.nan)
    margins[rows] = signs[rows] * (values @ (state.alpha * signs) + problem.of(found, state).bias)
    return np.where(state.kept, margins, np.nan)
