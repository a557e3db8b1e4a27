"""The duals of a linear machine without a free bias, as seen from one multiplier: what is lost, gained and best.

    least     P(w) = ½‖w‖² + C Σ loss(z),  z = y w·x            greatest  D(α) = Σ α - ½‖w‖² - ½ δ Σ α²
                                                                over 0 <= α <= U,  w = Σ α y x

    hinge           max(0, 1 - z)     U = C,  δ = 0
    squared hinge   max(0, 1 - z)²    U = ∞,  δ = 1/(2C)
    hard margin     0 or ∞            U = ∞,  δ = 0

Without a free bias nothing ties the multipliers to each other, so that each may move alone. Along one of them D is a
parabola with the slope 1 - z - δα and the curvature -(‖x‖² + δ).

References: Hsieh, Chang, Lin, Keerthi and Sundararajan (2008), A dual coordinate descent method for large-scale linear
SVM, ICML.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Answer, Array, Sides

SoftLoss = Literal["hinge", "squared hinge", "hard margin"]


class LinearMachine(Struct, frozen=True):
    """A linear machine with one of these losses, and its dual.

    Attributes:
        loss: what a row pays for its z.
        C: the price of a loss of one; without meaning for a hard margin.
    """

    loss: SoftLoss
    C: float

    @property
    def most(self) -> float:
        """U, the most a multiplier may be."""
        return self.C if self.loss == "hinge" else np.inf

    @property
    def damping(self) -> float:
        """δ, the curvature of D along a multiplier that is not of ‖w‖²."""
        return 1 / (2 * self.C) if self.loss == "squared hinge" else 0.0

    def losses(self, z: Array) -> Array:
        """(n,) loss of each row; of a hard margin what the hinge would say."""
        short = np.maximum(0.0, 1.0 - z)
        return np.asarray(short * short if self.loss == "squared hinge" else short)

    def primal(self, w: Array, z: Array) -> float:
        """P(w); of a hard margin for the multiple of w with z >= 1, infinite where no multiple has it."""
        half = float(w @ w) / 2
        if self.loss == "hard margin":
            least = float(z.min())
            return half / least**2 if least > 0 else np.inf
        return half + self.C * float(self.losses(z).sum())

    def dual(self, alpha: Array, w: Array) -> float:
        """D(α)."""
        return float(alpha.sum()) - float(w @ w) / 2 - self.damping * float(alpha @ alpha) / 2

    def dual_size(self, alpha: Array, w: Array) -> float:
        """The largest number that is added on the way to D or P."""
        return 1.0 + float(alpha.sum()) + float(w @ w) + self.damping * float(alpha @ alpha)

    def slope(self, alpha: float, z: float) -> float:
        """∂D/∂α of a row."""
        return 1.0 - z - self.damping * alpha

    def violation(self, alpha: float, z: float) -> float:
        """|∂D/∂α| as far as α may follow it: 0 at an end of the box that it points out of."""
        slope = self.slope(alpha, z)
        held = alpha <= 0 if slope < 0 else alpha >= self.most
        return 0.0 if held else abs(slope)

    def why_it_stays(self, alpha: float, z: float) -> str:
        """Say why a multiplier is where it is best already."""
        if self.slope(alpha, z) == 0:
            return "The slope of D along α is 0: it stays."
        if alpha == 0:
            return "D would rise only below α = 0, where no multiplier may go: it stays, and has no part in w."
        if alpha == self.most:
            return "D would rise only above C, where no multiplier may go: it stays."
        return "What there is to gain is lost in rounding: it stays."

    def top(self, alpha: float, z: float, square: float) -> float:
        """The α of a row of length² `square` at which D is greatest while the others stay."""
        slope, curvature = self.slope(alpha, z), square + self.damping
        if curvature == 0:  # a row of zeros: D is a line
            return self.most if slope > 0 else alpha
        return min(max(alpha + slope / curvature, 0.0), self.most)


def put(alpha: Array, row: int, value: float) -> Array:
    """α with one multiplier changed."""
    changed = alpha.copy()
    changed[row] = value
    return changed


class Both(Struct, frozen=True, eq=False):
    """Both problems at some α, with w as it was kept from step to step.

    Attributes:
        machine: the losses.
        rows: (n, p) y x, a constant appended to x where there is one.
        alpha: (n,).
        w: (p,).
        z: (n,) y w·x.
    """

    machine: LinearMachine
    rows: Array
    alpha: Array
    w: Array
    z: Array

    @property
    def primal(self) -> float:
        return self.machine.primal(self.w, self.z)

    @property
    def dual(self) -> float:
        return self.machine.dual(self.alpha, self.w)

    @property
    def gap(self) -> float:
        return self.primal - self.dual

    @property
    def norm(self) -> float:
        return float(np.linalg.norm(self.w))

    @property
    def total_loss(self) -> float:
        return float(self.machine.losses(self.z).sum())

    @property
    def size(self) -> float:
        """The largest number that is added on the way to D or P."""
        least = float(self.z.min())
        stretched = least**-2 if self.machine.loss == "hard margin" and 0 < least < 1 else 1.0
        total, squares = float(self.alpha.sum()), self.machine.damping * float(self.alpha @ self.alpha)
        paid = self.machine.C * self.total_loss if self.machine.loss != "hard margin" else 0.0
        return (total + float(self.w @ self.w)) * stretched + squares + paid + float(self.alpha @ np.abs(self.z))

    @property
    def solved(self) -> Array:
        """(4,) what is kept of a price that is solved: C, ½‖w‖², Σ loss and the gap that is left."""
        return np.array([self.machine.C, float(self.w @ self.w) / 2, self.total_loss, self.gap])

    @property
    def left(self) -> str:
        """Say what is left; of a hard margin that nothing reached, how wide one could be at most."""
        if np.isfinite(self.gap):
            return f"P - D = {self.gap:.2g}"
        total = float(self.alpha.sum())
        return f"no margin is wider than ‖w‖/Σα = {self.norm / total:.2g}" if total else "α = 0"

    @property
    def made_of(self) -> str:
        """Say how many rows w is made of."""
        count = int((self.alpha > 0).sum())
        return f"w = Σ α y x of {count} of the {len(self.alpha)} rows"

    def cases(self) -> tuple[Array, Array, Array]:
        """(n,) bool each: α = 0, 0 < α < C, α = C."""
        return self.alpha == 0, (self.alpha > 0) & (self.alpha < self.machine.C), self.alpha == self.machine.C


def both(machine: LinearMachine, rows: Array, alpha: Array, w: Array) -> Both:
    return Both(machine, rows, alpha, w, np.asarray(rows @ w))


def made_of_rows(rows: Array, alpha: Array, w: Array, largest: float, names: Sequence[str]) -> Answer:
    """w = Σ α y x for (n, p) rows y x.

    Args:
        largest: the largest Σ α there was since w was worked out from α.
        names: of the weights.
    """
    size = max(largest, float(alpha.sum())) * np.abs(rows).max(axis=0)
    return Sides.each(("w", w), ("Σ α y x", alpha @ rows), relation="==", size=size, entries=names)
