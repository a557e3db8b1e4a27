"""The penalised mean of a hinge loss: its value, its subgradients row by row, and the weights where it is least.

    f(w) = ½λ‖w‖² + 1/n Σ loss(y w·x),    f_i(w) = ½λ‖w‖² + loss(y_i w·x_i),    C = 1/(nλ) in the other normalisation

f is strongly convex: f(w) >= f(u) + g·(w - u) + ½λ‖w - u‖² for a subgradient g at u, and g = 0 is one at the best u.
"""

from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.boxed_dual import solve_boxed
from algorithms.toolbox.hindsight import into_ball
from algorithms.toolbox.margin_losses import margin_loss
from algorithms.toolbox.signed_rows import signed_rows

HingeName = Literal["hinge", "squared hinge"]

_FLAT = 1e-13  # of the greatest singular value: a direction as flat as this has no rows in it


class HingeObjective(Struct, frozen=True, eq=False):
    """f on the rows of a data set.

    Attributes:
        yx: (n, p) signed rows.
        lam: λ.
        loss: the name of the loss.
    """

    yx: Array
    lam: float
    loss: HingeName

    def row_values(self, w: Array) -> Array:
        """(n,) f_i(w)."""
        return self.lam * float(w @ w) / 2 + margin_loss(self.loss).of(self.yx @ w)

    def row_value(self, w: Array, row: int) -> float:
        """f_i(w)."""
        z = self.yx[row] @ w
        return self.lam * float(w @ w) / 2 + float(margin_loss(self.loss).of(z[None])[0])

    def value(self, w: Array) -> float:
        return float(self.row_values(w).mean())

    def pulls(self, z: Array) -> Array:
        """(n,) how often y x is in -g_i: -loss'(z)."""
        return -margin_loss(self.loss).slope(z)

    def row_gradient(self, w: Array, row: int) -> Array:
        """(p,) g_i at w."""
        z = self.yx[row] @ w
        return np.asarray(self.lam * w - self.pulls(z[None])[0] * self.yx[row])

    def gradient(self, w: Array) -> Array:
        """(p,) the mean of all g_i."""
        return np.asarray(self.lam * w - self.pulls(self.yx @ w) @ self.yx / len(self.yx))

    def spread(self, w: Array) -> float:
        """The root of the mean of ‖g_i - g‖²."""
        away = self.pulls(self.yx @ w)[:, None] * self.yx
        return float(np.sqrt(((away - away.mean(axis=0)) ** 2).sum(axis=1).mean()))


class Best(Struct, frozen=True, eq=False):
    """Where f is least.

    Attributes:
        u: (p,) the weights.
        value: f(u).
        bound: what f is never below: the dual's value.
    """

    u: Array
    value: float
    bound: float

    @property
    def known(self) -> str:
        """What f(u) is called: of very many rows it is only near the least."""
        return "the least" if self.value - self.bound <= 1e-3 * self.value else "the least known"


def best_weights(data: Dataset, bias: float, lam: float, loss: HingeName) -> Best:
    """Find the weights of least f; ask for them by `data.once(best_weights, bias, λ, loss)`.

    They lie in the ball ‖w‖ <= 1/√λ, as ½λ‖w‖² is no more than half of what the dual is at its best.
    """
    yx = data.once(signed_rows, bias)
    solution = solve_boxed(yx, 1 / (len(yx) * lam), loss == "squared hinge")
    u = into_ball(solution.w, 1 / np.sqrt(lam))
    return Best(u, HingeObjective(yx, lam, loss).value(u), lam * solution.dual)


def across(data: Dataset, bias: float) -> Array:
    """(k, p) orthogonal directions of length 1 that no row has a part in; none where the rows span all."""
    yx = data.once(signed_rows, bias)
    lengths = np.linalg.norm(yx, axis=1)  # taken out: beside a row far out others would seem to be nothing
    triangle = np.linalg.qr(yx / np.where(lengths > 0, lengths, 1.0)[:, None], mode="r")
    _, values, directions = np.linalg.svd(triangle)
    rank = int((values > _FLAT * max(float(values[0]), _FLAT)).sum())
    return np.asarray(directions[rank:])


def steepest(lam: float, loss: HingeName, R: float, project: bool) -> float:
    """G: no subgradient of f_i is longer at a w that Pegasos comes to from 0; infinite where there is no saying.

    Args:
        R: the length of the longest row.
        project: whether w is kept in the ball; without, the hinge's w is a mean of y x/λ, no longer than R/λ.
    """
    if loss == "hinge":
        return float(np.sqrt(lam)) + R if project else 2 * R
    return float(np.sqrt(lam) + 2 * R * (1 + R / np.sqrt(lam))) if project else np.inf


class Step(Struct, frozen=True, eq=False):
    """A step of 1/(λt) down the slope of f_i, and perhaps back into a ball.

    Attributes:
        was, now: (p,) w before and after.
        row: i.
        t: the number of the step, from 1.
    """

    f: HingeObjective
    was: Array
    now: Array
    row: int
    t: int

    @property
    def left(self) -> float:
        """1 - ηλ, the share of w that is left."""
        return (self.t - 1) / self.t

    @property
    def pulled(self) -> float:
        """How much of y x is added: η inside the margin and 0 outside; for the squared hinge 2η(1 - z)."""
        short = max(1 - float(self.f.yx[self.row] @ self.was), 0.0)
        often = 2 * short if self.f.loss == "squared hinge" else float(short > 0)
        return often / (self.f.lam * self.t)

    @property
    def added(self) -> Array:
        return np.asarray(self.pulled * self.f.yx[self.row])
