"""The multipliers α of a kernel SVM at a step, and what follows from them: w, b, both problems, f."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.families.svm.smo.gram_pictures import GramSample, gram_sample
from algorithms.families.svm.smo.pairs import squared_distances
from algorithms.toolbox.duals import Solution, decision, rooms, solution, squared_distance
from algorithms.toolbox.kernels import Kernel, kernel_size

_WATCHED = 2_000_000  # kernel values kept to compute f afresh from α


class KernelRows:
    """Rows of two classes under a kernel.

    Attributes:
        data: the rows.
        kernel: k.
        box: C, infinite for a hard margin.
    """

    def __init__(self, data: Dataset, kernel: Kernel, box: float):
        self.data, self.kernel, self.box = data, kernel, box

    @cached_property
    def watched(self) -> tuple[Array, Array]:
        """Rows on which F is worked out afresh, all of them unless they are many; with their k to every row."""
        X, n = self.data.X, self.data.n
        m = min(n, max(_WATCHED // n, 2))
        rows = np.arange(m) * n // m
        return rows, self.kernel(X[rows], X)

    @cached_property
    def sample(self) -> GramSample:
        """The Gram matrix of some rows."""
        return gram_sample(self.data, self.kernel)

    def eta(self, i: int, j: int) -> float:
        """η = ‖φ(x_i) - φ(x_j)‖²."""
        two = self.data.X[[i, j]]
        return float(self.kernel.squares(two).sum() - 2 * self.kernel(two[:1], two[1:])[0, 0])

    def solution(self, alpha: Array, F: Array, kept: Array, largest: float) -> Solution:
        """Both problems at α, on the rows that are kept."""
        size = self.data.once(kernel_size, self.kernel)
        return solution(self.data.signs, alpha, F, kept, self.box, largest, size)


class Multipliers(Struct, frozen=True, eq=False, dict=True):
    """What a state holds.

    Attributes:
        of: the rows.
        alpha, F: (n,) the multipliers, and y - Σ α y k(x, ·).
        kept: (n,) bool, the rows in the problem.
        pair: the rows whose multipliers were moved; () where none were.
        step: s, by how much.
        largest: the largest Σ α since F was worked out from α.
        first: α and F of the run on all rows, once that is done and pruned.
        phase: what was done.
    """

    of: KernelRows
    alpha: Array
    F: Array
    kept: Array
    pair: tuple[int, ...]
    step: float
    largest: float
    first: tuple[Array, Array] | None
    phase: str

    @property
    def signs(self) -> Array:
        """(n,) y."""
        return self.of.data.signs

    @cached_property
    def solution(self) -> Solution:
        """Both problems, on the rows that are kept."""
        return self.of.solution(self.alpha, self.F, self.kept, self.largest)

    @cached_property
    def first_solution(self) -> Solution | None:
        """The solution on all rows, once that run is done and pruned."""
        if self.first is None:
            return None
        return self.of.solution(*self.first, np.ones(len(self.alpha), bool), self.largest)

    @property
    def squared_change(self) -> float:
        """‖w' - w‖² from the w on all rows; 0 before pruning."""
        return 0.0 if self.first is None else squared_distance(self.signs, self.alpha, self.F, *self.first)

    @property
    def f(self) -> Callable[[Array], Array]:
        """f: (m, d) -> (m,)."""
        return decision(self.of.kernel, self.of.data.X, self.signs, self.alpha, self.solution.bias)

    @property
    def linear_weights(self) -> Array:
        """(d + 1,) w and b, where w is one of the rows' space."""
        return np.append((self.alpha * self.signs) @ self.of.data.X, self.solution.bias)

    @cached_property
    def fresh_F(self) -> Array:
        """(n,) F worked out afresh from α on the watched rows; as it is kept on the others."""
        rows, values = self.of.watched
        fresh = self.F.copy()
        fresh[rows] = self.signs[rows] - values @ (self.alpha * self.signs)
        return fresh

    @property
    def fresh_margins(self) -> Array:
        """(n,) y f, worked out afresh."""
        return np.asarray(1 - self.signs * (self.fresh_F - self.solution.bias))

    @property
    def eta(self) -> float | None:
        """η of the pair that was moved."""
        return self.of.eta(*self.pair) if self.pair else None

    @property
    def at_zero(self) -> Array:
        """(n,) bool."""
        return np.asarray(self.kept & (self.alpha == 0))

    @property
    def between(self) -> Array:
        """(n,) bool, 0 < α < C."""
        return np.asarray((self.alpha > 0) & (self.alpha < self.of.box))

    @property
    def at_C(self) -> Array:
        """(n,) bool."""
        return np.asarray(self.alpha == self.of.box)


class PairStep(Struct, frozen=True, eq=False):
    """α_i y_i rises and α_j y_j falls by as much.

    Attributes:
        signs: (n,) y.
        kept: (n,) bool, the rows in the problem.
        was, now: (n,) α before and after.
        F: (n,) before the step.
        box: C, infinite for a hard margin.
        distances: i -> (n,) ‖φ(x_i) - φ(x)‖² of every row x, none below the least η.
        flat: the least η, for rows that k cannot tell apart.
    """

    i: int
    j: int
    signs: Array
    kept: Array
    was: Array
    now: Array
    F: Array
    box: float
    distances: Callable[[int], Array]
    flat: float

    @property
    def eta(self) -> float:
        """η by the rule, no less than the least there is."""
        return float(self.distances(self.i)[self.j])

    @property
    def free(self) -> float:
        """By how much the rule would move the pair in no box."""
        return self.rise / self.eta

    @property
    def room(self) -> float:
        """By how much 0 <= α <= C lets the pair move; infinite where nothing stops it."""
        return min(rooms(self.was, self.signs, self.i, self.j, self.box))

    @property
    def topless(self) -> bool:
        """Whether the pair stopped where its line has no top: k cannot tell the two apart, and there was more room."""
        return self.eta <= self.flat and self.free < self.room

    @property
    def rise(self) -> float:
        """F_i - F_j, the slope of W along the pair's line."""
        return float(self.F[self.i] - self.F[self.j])


def pair_of(before: Multipliers, after: Multipliers) -> PairStep:
    """The step of a pair, from what was before and the α after."""
    distances, flat = after.of.data.once(squared_distances, after.of.kernel)
    rows = after.signs, before.kept, before.alpha, after.alpha, before.F
    i, j = after.pair
    return PairStep(i, j, *rows, after.of.box, distances, flat)
