"""Losses of a function f that is fitted in stages, and the weight of a stage that lowers the loss most.

    squared      ½ (y - f)²        pull  y - f             y a number, or a class as +1 or -1
    logistic     ln(1 + e^(-y f))  pull  y / (1 + e^(y f))
    exponential  e^(-y f)          pull  y e^(-y f)

The pull -∂loss/∂f is the residual that the next stage is fitted to. All three are convex, so along f + α h the mean
loss is least where Σ pull · h = 0; the squared loss has one such α, the others one if h is wrong about some row.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.activations import sigmoid
from algorithms.toolbox.margin_losses import power

StageLossName = Literal["squared", "logistic", "exponential"]
_TURNS = 200  # of a search: bisection alone needs fewer


class StageLoss(Struct, frozen=True):
    """A convex loss of a target y and f.

    Attributes:
        name: what it is called.
        of: (n,) y, (n,) f -> (n,) losses.
        pull: -> (n,) their falls -∂loss/∂f.
        curvature: -> (n,) ∂²loss/∂f².
        constant: (n,) y -> the f that is the best constant.
        at_zero: the loss of f = 0 for a class.
        formula: what it is in mathematics.
    """

    name: StageLossName
    of: Callable[[Array, Array], Array]
    pull: Callable[[Array, Array], Array]
    curvature: Callable[[Array, Array], Array]
    constant: Callable[[Array], float]
    at_zero: float
    formula: str


def log_odds(y: Array) -> float:
    """ln of how many rows there are of class +1 for one of class -1."""
    positive = int((y > 0).sum())
    return float(np.log(positive / (len(y) - positive)))


LOSSES: dict[StageLossName, StageLoss] = {
    "squared": StageLoss(
        "squared",
        lambda y, f: (y - f) ** 2 / 2,
        lambda y, f: y - f,
        lambda y, f: np.ones_like(f),
        lambda y: float((y / len(y)).sum()),
        0.5,
        "½ (y - f)²",
    ),
    "logistic": StageLoss(
        "logistic",
        lambda y, f: np.logaddexp(0.0, -y * f),
        lambda y, f: y * sigmoid(-y * f),
        lambda y, f: sigmoid(f) * sigmoid(-f),
        log_odds,
        float(np.log(2)),
        "ln(1 + e^(-y f))",
    ),
    "exponential": StageLoss(
        "exponential",
        lambda y, f: power(y * f),
        lambda y, f: y * power(y * f),
        lambda y, f: power(y * f),
        lambda y: 0.0,  # as AdaBoost has it
        1.0,
        "e^(-y f)",
    ),
}


def targets(data: Dataset) -> Array:
    """(n,) y: the numbers, or the classes as +1 and -1."""
    return data.signs if data.kind == "class" else np.asarray(data.y)


def never_wrong(y: Array, h: Array) -> bool:
    """Whether h is on the wrong side of no row: the larger its weight, the less the loss of classes."""
    return bool((y * h >= 0).all())


def exact_weight(loss: StageLoss, y: Array, f: Array, h: Array) -> float:
    """The α where the mean loss of f + α h is least; infinity where it falls for ever.

    Args:
        h: (n,) with Σ pull · h >= 0, not all 0.
    """
    scale = float(np.abs(h).max())
    u = h / scale
    if loss.name == "squared":
        return float((loss.pull(y, f) / scale).dot(u) / u.dot(u))
    if never_wrong(y, h):
        return np.inf

    def slope(a: float) -> float:
        return -float(loss.pull(y, f + a * u) @ u)

    def curvature(a: float) -> float:
        return float(loss.curvature(y, f + a * u) @ u**2)

    return _least(slope, curvature) / scale


def _least(slope: Callable[[float], float], curvature: Callable[[float], float]) -> float:
    """The a >= 0 where a rising slope is 0: Newton's steps, and a bisection where they leave the bracket."""
    low, high, a = 0.0, 1.0, 0.0
    while slope(high) < 0:
        low, high = high, 2 * high
    for _ in range(_TURNS):
        s, c = slope(a), curvature(a)
        low, high = (a, high) if s < 0 else (low, a)
        step = a - s / c if c > 0 else high
        step = step if low <= step <= high else (low + high) / 2
        if s == 0 or abs(step - a) <= 1e-16 * abs(a):
            break
        a = step
    return a
