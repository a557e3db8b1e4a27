"""Losses of a margin z = y f: what a classifier f pays for a row of class y = +1 or -1, as a function of z alone.

    0-1             1[z <= 0]                 perceptron   max(0, -z)
    hinge           max(0, 1 - z)             logistic     ln(1 + e^-z)
    squared hinge   max(0, 1 - z)²            exponential  e^-z
    squared         (1 - z)² = (y - f)²       generalised  ε ln(1 + e^((L - z)/ε))

All but the 0-1 loss are convex. Each one's loss(z) >= loss(0) 1[z <= 0], for none rises on the left of 0 and none is
negative; so those with loss(0) = 1 bound the 0-1 loss, the logistic loss does divided by ln 2, and the perceptron loss,
which is 0 at z = 0, does not. The generalised loss is never below max(0, L - z), nor above it by more than ε ln 2:
L = 1 and ε -> 0 is the hinge, L = 0 and ε -> 0 the perceptron loss, L = 0 and ε = 1 the logistic loss.
"""

from collections.abc import Callable
from math import log
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Sides
from algorithms.toolbox.activations import sigmoid

MarginLossName = Literal["hinge", "squared hinge", "logistic", "exponential", "squared", "perceptron", "generalised"]

_STEEPEST = 300.0  # e to a power beyond it has a square that is no number


class MarginLoss(Struct, frozen=True):
    """A convex loss of z = y f.

    Attributes:
        name: what it is called.
        of: (n,) z -> (n,) losses, none negative.
        slope: (n,) z -> (n,) derivatives; at a kink 0 for the hinge, and for the perceptron loss -1.
        formula: what it is in mathematics.
    """

    name: MarginLossName
    of: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    formula: str

    def cut_off(self, z: Array) -> bool:
        """Tell whether some loss of these margins would be no number, and is held at the greatest: not convex there."""
        return self.name == "exponential" and bool((-z > _STEEPEST).any())

    @property
    def at_zero(self) -> float:
        """loss(0), by which it is divided to bound the 0-1 loss; 0 where it bounds nothing."""
        return float(self.of(np.zeros(1))[0])


def short(z: Array, level: float = 1.0) -> Array:
    """max(0, level - z): how far rows fall short of a margin."""
    return np.maximum(0.0, level - z)


def power(z: Array) -> Array:
    """e^-z, cut off where its square would be no number."""
    return np.exp(np.minimum(-z, _STEEPEST))


_NAMED: dict[MarginLossName, MarginLoss] = {
    loss.name: loss
    for loss in (
        MarginLoss("hinge", short, lambda z: np.where(z < 1, -1.0, 0.0), "max(0, 1 - z)"),
        MarginLoss("squared hinge", lambda z: short(z) ** 2, lambda z: -2 * short(z), "max(0, 1 - z)²"),
        MarginLoss("logistic", lambda z: np.logaddexp(0.0, -z), lambda z: -sigmoid(-z), "ln(1 + e^-z)"),
        MarginLoss("exponential", power, lambda z: -power(z), "e^-z"),
        MarginLoss("squared", lambda z: (1 - z) ** 2, lambda z: -2 * (1 - z), "(1 - z)²"),
        MarginLoss("perceptron", lambda z: short(z, 0.0), lambda z: np.where(z <= 0, -1.0, 0.0), "max(0, -z)"),
    )
}


def margin_loss(name: MarginLossName, epsilon: float = 1.0, level: float = 1.0) -> MarginLoss:
    """Make the loss of that name; ε and L shape the generalised one alone."""
    if name != "generalised":
        return _NAMED[name]
    return MarginLoss(
        "generalised",
        lambda z: epsilon * np.logaddexp(0.0, (level - z) / epsilon),
        lambda z: -sigmoid((level - z) / epsilon),
        "ε ln(1 + e^((L - z)/ε))",
    )


def most_above(epsilon: float) -> float:
    """ε ln 2: how far the generalised loss can lie above max(0, L - z)."""
    return epsilon * log(2)


def above_its_kink(z: Array, losses: Array, level: float, epsilon: float) -> Sides:
    """Hold what the generalised loss charges (n,) margins between max(0, L - z) and that + ε ln 2."""
    low = short(z, level)
    names = "max(0, L - z)", "the loss", "max(0, L - z) + ε ln 2"
    sides = zip(names, (low, losses, low + most_above(epsilon)))
    return Sides.each(*sides, size=level + epsilon + np.abs(z), axes=("row",))


def not_convex(was: Array, now: Array) -> int:
    """Count the rows of margins z that are wrong half-way and at one end only: there the 0-1 loss is not convex."""
    return int(((was + now <= 0) & ((was <= 0) != (now <= 0))).sum())
