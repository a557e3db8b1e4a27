"""A surrogate objective of a linear classifier: the mean of a convex loss of the margins and a penalty.

    F(w) = M(w) + r(w),   M(w) = 1/n Σ loss(z_i),   z_i = y_i w·x_i,   r(w) = ½ λ ‖w‖², λ ‖w‖₁ or 0

y is +1 or -1, and x has the constant 1 appended when there is a bias, on which there is no penalty.
"""

from math import sqrt
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Answer, Array, Dataset, DoesNotApply, Sides
from algorithms.toolbox.margin_losses import MarginLoss, MarginLossName, margin_loss
from algorithms.toolbox.signed_rows import signed_rows

Penalty = Literal["none", "L2", "L1", "L1, proximal"]
Schedule = Literal["constant", "1/sqrt(t)"]

_ASIDE = 250  # steps that are spent on a good w to compare with
_FIRST = 3.0  # of the inverse length of a row: the length of the first of them


class Place(Struct, frozen=True, eq=False):
    """F at some weights.

    Attributes:
        w: (p,).
        z, losses, slopes: (n,) margins, what each costs, and the loss's slope there.
        mean_loss, value: M(w) and F(w).
        size: the largest number whose rounding shows in F(w): a steep loss passes on what its margin has lost.
        g: (p,) a subgradient.
    """

    w: Array
    z: Array
    losses: Array
    slopes: Array
    mean_loss: float
    value: float
    size: float
    g: Array


class Surrogate(Struct, frozen=True, eq=False):
    """F of one data set.

    Attributes:
        rows: (n, p) y x, the constant 1 appended to x first when there is a bias.
        loss: of the margins.
        penalty: which one.
        weights: (p,) λ for each weight, 0 for the bias and where there is no penalty.
    """

    rows: Array
    loss: MarginLoss
    penalty: Penalty
    weights: Array

    @property
    def p(self) -> int:
        """How many weights there are."""
        return int(self.rows.shape[1])

    @property
    def proximal(self) -> bool:
        """Whether a step takes the penalty by its proximal map, not by its slope."""
        return self.penalty == "L1, proximal"

    def margins(self, w: Array) -> Array:
        """(n,) z."""
        return self.rows @ w

    def mean_loss(self, w: Array) -> float:
        """M(w)."""
        return float(self.loss.of(self.margins(w)).sum()) / len(self.rows)

    def penalised(self, w: Array) -> float:
        """r(w)."""
        return float(self.weights @ (w**2 / 2 if self.penalty == "L2" else np.abs(w)))

    def value(self, w: Array) -> float:
        """F(w)."""
        return self.mean_loss(w) + self.penalised(w)

    def at(self, w: Array) -> "Place":
        """F at w with all that goes into it."""
        z, n = self.margins(w), len(self.rows)
        losses, slopes, r = self.loss.of(z), self.loss.slope(z), self.penalised(w)
        mean = float(losses.sum()) / n
        lost = float(np.abs(slopes) @ (np.abs(self.rows) @ np.abs(w))) / n
        return Place(w, z, losses, slopes, mean, mean + r, mean + lost + r, self.subgradient(w))

    def subgradient(self, w: Array) -> Array:
        """(p,) of F at w; of M alone where steps are proximal."""
        g = self.loss.slope(self.margins(w)) @ self.rows / len(self.rows)
        if self.penalty == "L2":
            g = g + self.weights * w
        elif self.penalty == "L1":
            g = g + self.weights * np.sign(w)
        return np.asarray(g)

    def stepped(self, w: Array, g: Array, eta: float) -> Array:
        """(p,) w - η g; proximal: then each weight shrunk by ηλ, to 0 where it is no larger."""
        moved = w - eta * g
        return np.sign(moved) * np.maximum(np.abs(moved) - eta * self.weights, 0.0) if self.proximal else moved

    def charged(self, before: Array, after: Array) -> float:
        """What a step's regret counts: F(w), and of proximal steps M(w) + r(w')."""
        return self.mean_loss(before) + self.penalised(after if self.proximal else before)


def surrogate(
    data: Dataset, bias: bool, loss: MarginLossName, epsilon: float, level: float, penalty: Penalty, strength: float
) -> Surrogate:
    """F of two classes; ask for it by `data.once(surrogate, ...)`."""
    rows = data.once(signed_rows, bias)
    weights = np.full(rows.shape[1], 0.0 if penalty == "none" else strength)
    if bias:
        weights[-1] = 0.0
    return Surrogate(rows, margin_loss(loss, epsilon, level), penalty, weights)


def midway(f: Surrogate, one: Place, other: Place, a: str, b: str) -> Answer:
    """Hold F half-way between two places, which are called a and b, against the mean of F at both."""
    if f.loss.cut_off(np.append(one.z, other.z)):
        return DoesNotApply("e^-z is cut off where it is no number any more")
    sides = (f"F(½{a} + ½{b})", f.value((one.w + other.w) / 2)), (f"½F({a}) + ½F({b})", (one.value + other.value) / 2)
    return Sides(*sides, size=one.size + other.size)


def step_size(eta: float, schedule: Schedule, t: int) -> float:
    """η_t of the t-th step, from 1."""
    return eta if schedule == "constant" else eta / sqrt(t)


def good_place(data: Dataset, *shape: Any) -> Place:
    """The best place of some hundred steps down F from 0, each so long as its number says; ask for it by `data.once`.

    Args:
        shape: of F, as for `surrogate`.
    """
    f: Surrogate = data.once(surrogate, *shape)
    w = best = np.zeros(f.p)
    lowest = f.value(w)
    first = _FIRST / (float(np.sqrt(np.vecdot(f.rows, f.rows).mean())) or 1.0)
    for t in range(1, _ASIDE + 1):
        g = f.subgradient(w)
        length = float(np.linalg.norm(g))
        if length == 0:
            break
        w = f.stepped(w, g, first / (length * np.sqrt(t)))
        value = f.value(w)
        if value < lowest:
            best, lowest = w, value
    return f.at(best)
