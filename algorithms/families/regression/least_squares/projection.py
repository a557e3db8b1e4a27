"""The projection of y on the columns used so far, and what is known of it."""

from functools import cached_property
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.families.regression.least_squares.gaussian_noise import log_density
from algorithms.families.regression.least_squares.orthogonal import Span, span

Order = Literal["given", "greatest fall"]


class System:
    """Columns and targets; for `data.once`.

    Attributes:
        X, y: (n, p) columns, the constant first where there is an intercept, and (n,) targets.
        names: of the columns.
        intercept: whether the constant is one of them.
    """

    def __init__(self, data: Dataset, intercept: bool):
        self.intercept = intercept
        self.X = np.column_stack([np.ones(data.n), data.X]) if intercept else data.X
        self.y = np.asarray(data.y, float)
        self.names = (*(("constant",) if intercept else ()), *data.features)

    @cached_property
    def whole(self) -> Span:
        """The span of all columns."""
        return span(self.X)

    @cached_property
    def reach(self) -> float:
        """‖y‖: what nothing that is added or taken off here exceeds by much."""
        return float(np.linalg.norm(self.y))


class Projection(Struct, frozen=True, eq=False, dict=True):
    """ŷ by the directions that there are, and the column in hand.

    Attributes:
        data: the rows.
        of: what is projected on what.
        w: (p,) weights of the columns.
        fitted: (n,) ŷ.
        part: (n,) z, what is left of the column in hand.
        seen: the columns so far, in their order.
        used: those of them that do not depend on others.
        directions: (n,) each, orthonormal.
        in_hand: whether the last column is not counted yet.
        order: which column comes next.
        sigma: σ of the likelihood.
    """

    data: Dataset
    of: System
    w: Array
    fitted: Array
    part: Array
    seen: tuple[int, ...]
    used: tuple[int, ...]
    directions: tuple[Array, ...]
    in_hand: bool
    order: Order
    sigma: float

    @property
    def r(self) -> Array:
        """(n,) y - ŷ."""
        return np.asarray(self.of.y - self.fitted)

    @property
    def rss(self) -> float:
        return float(self.r @ self.r)

    @property
    def column(self) -> Array:
        """(n,) the last column that came, as it is."""
        return np.asarray(self.of.X[:, self.seen[-1]])

    @property
    def counted(self) -> tuple[int, ...]:
        """The columns that ŷ speaks of: all that have come but the one in hand."""
        return self.seen[:-1] if self.in_hand else self.seen

    @cached_property
    def reference(self) -> Span:
        """The span of the columns counted, by singular values."""
        return span(self.of.X[:, self.counted])

    @cached_property
    def likelihood(self) -> float:
        """log L(w)."""
        return log_density(self.of.y - self.of.X @ self.w, self.sigma)
