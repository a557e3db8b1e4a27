"""The dual of penalised logistic regression: its value, its gap, and its maximum along one multiplier.

    least     P(w) = ½‖w‖² + C Σ ln(1 + e^-z),  z = y w·x
    greatest  D(α) = C Σ H(α/C) - ½‖w‖²  over 0 < α < C,  w = Σ α y x,  H(q) = -q ln q - (1 - q) ln(1 - q)

With p = 1/(1 + e^z), the chance of the wrong class, P - D is C Σ KL(α/C ‖ p): the gap of each row is how far its
α/C is from p. α and C - α are both kept, since next to C the one says nothing of the other.

References: Yu, Huang and Lin (2011), Dual coordinate descent methods for logistic regression and maximum entropy
models, Machine Learning 85.
"""

from math import exp, log

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.toolbox.activations import softplus

_STEPS = 200  # of Newton along one multiplier; some ten are needed
_EXACT = 4e-16  # of the log-odds: what a last step may change
_FARTHEST = 600.0  # log-odds beyond which a share could not be told from 0


def share(odds: Array) -> Array:
    """1/(1 + e^-v) of log-odds v, exact next to 0 too."""
    return np.asarray(np.exp(-softplus(-odds)))


def share_of(odds: float) -> float:
    """The same of one number."""
    return 1 / (1 + exp(-odds)) if odds > 0 else exp(odds) / (1 + exp(odds))


class LogisticDual(Struct, frozen=True, eq=False):
    """Both problems at some α.

    Attributes:
        C: the price of a row's loss.
        alpha, rest: (n,) α and C - α.
        w: (p,) Σ α y x, as it was kept.
        rows: (n, p) y x.
        z: (n,) y w·x.
    """

    C: float
    alpha: Array
    rest: Array
    w: Array
    rows: Array
    z: Array

    @property
    def entropy(self) -> float:
        """Σ H(α/C)."""
        q, other = self.alpha / self.C, self.rest / self.C
        return -float(q @ np.log(q) + other @ np.log(other))

    @property
    def half(self) -> float:
        """½‖w‖²."""
        return float(self.w @ self.w) / 2

    @property
    def primal(self) -> float:
        return self.half + self.C * float(softplus(-self.z).sum())

    @property
    def dual(self) -> float:
        return self.C * self.entropy - self.half

    @property
    def gap(self) -> float:
        return self.primal - self.dual

    @property
    def wrong(self) -> Array:
        """(n,) p, the chance of the wrong class."""
        return share(-self.z)

    @property
    def divergence(self) -> float:
        """Σ KL(α/C ‖ p)."""
        q, other = self.alpha / self.C, self.rest / self.C
        return float(q @ (np.log(q) + softplus(self.z)) + other @ (np.log(other) + softplus(-self.z)))

    @property
    def sizes(self) -> Array:
        """(n,) the largest number that is added on the way to each z, through w and what α has been."""
        lengths = np.abs(self.rows)
        return np.asarray(1.0 + lengths @ (self.alpha @ lengths + np.abs(self.w)))

    @property
    def size(self) -> float:
        """The largest number that is added on the way to P, D or the divergence."""
        q = self.alpha / self.C
        return 4 * self.half + self.C * float(self.sizes.sum() - q @ np.log(q))


def bare_step(alpha: float, rest: float, z: float, square: float) -> float:
    """Where one Newton step along α would go from where it stands, which may be beyond 0 or C."""
    slope = -z - log(alpha / rest)
    return alpha + slope / (square + 1 / alpha + 1 / rest)


def ends(alpha: float, C: float, z: float, square: float) -> tuple[float, float]:
    """Log-odds of α/C between which the top of D along α lies: what s does to z is at most ‖x‖²(C - α) or ‖x‖²α."""
    return -z - square * (C - alpha), -z + square * alpha


def top(alpha: float, rest: float, C: float, z: float, square: float) -> tuple[float, float]:
    """α and C - α where D is greatest along a row's α: where the log-odds v of α/C are -(z + ‖x‖²(α - its value now)).

    By Newton's steps in v, cut in half between the ends where a step would leave them.
    """
    low, high = (min(max(end, -_FARTHEST), _FARTHEST) for end in ends(alpha, C, z, square))
    odds = min(max(log(alpha / rest), low), high)
    for _ in range(_STEPS):
        q = share_of(odds)
        slope = odds + z + square * (C * q - alpha)
        low, high = (low, odds) if slope > 0 else (odds, high)
        following = odds - slope / (1 + square * C * q * (1 - q))
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - odds) <= _EXACT * max(1.0, abs(odds)):
            break
        odds = following
    return C * share_of(odds), C * share_of(-odds)
