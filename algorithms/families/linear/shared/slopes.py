"""Slopes of a log-likelihood by central differences, from its values alone, with a bound on how far they may be off.

    D(h) = (f(w + h u) - f(w - h u)) / 2h = u·∇f + h²/6 f''',   f''' of u at a place between the two

-ln p of a row bends along u by the variance of its classes' scores x·u, and that changes by their third central moment,
at most r³/(6√3) in size where the scores lie within r of each other: so Σ r³/(6√3) bounds f'''. To that comes the
rounding R of f on either side, R/h; h is such that both are alike.
"""

from collections.abc import Callable

import numpy as np

from algorithms.core import Answer, Array, Sides
from algorithms.toolbox.gradient_check import Difference, agreement, spread_evenly
from algorithms.toolbox.logistic import Likelihood

THIRD = 1.0 / (6.0 * np.sqrt(3.0))  # the largest third central moment of numbers that lie within 1 of each other
_FOURTH = 1.0 / 8.0  # the largest size of the third derivative of p = 1/(1 + e^-s)
_EPSILON = float(np.finfo(float).eps)
_CHECKED = 1  # weights a step, beside the gradient itself


def slopes_agree(
    value: Callable[[Array], float],
    w: Array,
    g: Array,
    names: tuple[str, ...],
    reach: Callable[[Array], Array],
    size: Callable[[Array], float],
    t: int,
) -> Answer:
    """Hold a gradient against the slopes of f along itself and some weights, others at each step t.

    Args:
        value: f.
        w, g: weights and the gradient there, of one shape.
        names: of the weights, in the order in which they lie.
        reach: (u) -> (n,) how far the scores of a row's classes move apart in a unit along u.
        size: (w) -> the largest number that is added on the way to f(w).
    """
    checked = np.unique(spread_evenly(t, _CHECKED, w.size)).tolist()
    along = {names[j]: np.eye(1, w.size, j).reshape(w.shape) for j in checked}
    long = float(np.linalg.norm(g))
    along |= {"g/‖g‖": g / long} if long else {}
    made = [difference(name, value, w, u, g, reach(u), size) for name, u in along.items()]
    return agreement(made, "q·g", "[ln P(w + h q) - ln P(w - h q)]/2h")


def difference(
    name: str,
    value: Callable[[Array], float],
    w: Array,
    u: Array,
    gradient: Array,
    reach: Array,
    size: Callable[[Array], float],
) -> Difference:
    """The slope at w along u, held against u·gradient.

    Args:
        w, u, gradient: of one shape.
        reach: (n,) how far the scores of a row's classes move apart in a unit along u.
        size: (w) -> the largest number that is added on the way to f(w).
    """
    largest, bits = size(w), (w.size + 16) * _EPSILON
    third = THIRD * float((reach**3).sum())
    h = (6 * bits * largest / third) ** (1 / 3) if third else 1.0
    while max(size(w + h * u), size(w - h * u)) > 4 * largest:  # so far away more would be lost in rounding
        h /= 4
    slope = (value(w + h * u) - value(w - h * u)) / (2 * h)
    exact = float((u * gradient).sum())
    # the slope itself is a sum of (y - p) x·u, in which p is as exact as the scores are
    lost = bits * (largest * float(reach.max(initial=0.0)) + float(np.abs(u * gradient).sum()))
    return Difference(name, slope, exact, h * h / 6 * third + 4 * bits * largest / h + lost, h)


def bend_agrees(f: Likelihood, w: Array, d: Array, H: Array, names: tuple[str, ...]) -> Answer:
    """Hold H u, u = d/‖d‖, against how the gradient changes along u: at the weight where rounding explains it least.

    Entry j of the gradient has no third derivative along u above Σ|x_j||x·u|³/8; the rounding of p and of the sums is
    divided by h, which is such that both are alike.

    Args:
        w, d: (p,) where, and which way; d is not 0.
        H: (p, p) to be held against.
        names: of the weights.
    """
    u, size = d / np.linalg.norm(d), np.abs(f.X)
    third = _FOURTH * (np.abs(f.X @ u) ** 3 @ size)
    rounding = (f.p + 16) * _EPSILON * ((1 + size @ np.abs(w)) @ size + f.penalties * np.abs(w))
    h = (3 * rounding.max() / third.max()) ** (1 / 3) if third.any() else 1.0
    bent, slope = H @ u, (f.gradient(w - h * u) - f.gradient(w + h * u)) / (2 * h)
    lost = 16 * _EPSILON * (np.abs(H) @ np.abs(u) + f.penalties)
    slack = h * h / 6 * third + 4 * rounding / h + lost
    j = int((np.abs(bent - slope) / np.where(slack > 0, slack, 1.0)).argmax())
    sides = (f"H q of {names[j]}", float(bent[j])), ("[g(w - h q) - g(w + h q)]/2h", float(slope[j]))
    return Sides(*sides, relation="==", slack=float(slack[j]))
