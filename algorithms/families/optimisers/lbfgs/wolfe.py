"""How far to go along a direction d in which f falls: Wolfe's two conditions, and the exact minimum.

    f(x + α d) <= f(x) + c₁ α ∇f(x)·d        not too far: f falls by a share of what its slope promises
    ∇f(x + α d)·d >= c₂ ∇f(x)·d              not too near: the slope is no longer as steep

A step that is too far is the upper end of an interval, one that is too near the lower end; the next to be tried is the
middle, or twice as far while there is no upper end. Where f is bounded below there are steps between that pass both.

References: Wolfe (1969), Convergence conditions for ascent methods, SIAM Review 11; Burke, Lewis and Overton (2005), A
robust gradient sampling algorithm, SIAM J. on Optimization 15 (the search by halves); Nocedal and Wright (2006),
Numerical Optimization, section 3.1.
"""

from typing import Any, Literal, Protocol

import numpy as np

from algorithms.core import Array

FIRST = 1e-3  # c₁
SECOND = 0.9  # c₂
_FAR = 1e6  # a longer move goes away without end
_LEVEL = 1e-15  # of f: what it is rounded to
_HALVES = 200  # more than double precision has

Fault = Literal["", "too far", "too near"]


class Smooth(Protocol):
    """A function of p variables with a gradient everywhere."""

    @property
    def value(self) -> Any:
        """(p,) -> f."""

    @property
    def gradient(self) -> Any:
        """(p,) -> (p,)."""


def fault(f: Smooth, x: Array, d: Array, alpha: float) -> Fault:
    """Which of Wolfe's conditions a step fails, but for what f itself is rounded to."""
    value, slope, to = float(f.value(x)), float(f.gradient(x) @ d), x + alpha * d
    if not f.value(to) <= value + FIRST * alpha * slope + _LEVEL * (1 + abs(value)):
        return "too far"
    return "" if f.gradient(to) @ d >= SECOND * slope else "too near"


def narrowed(wrong: Fault, alpha: float, low: float, high: float) -> tuple[float, float, float]:
    """The next step to be tried, and the ends of the interval; `high` is 0 while there is no upper end."""
    low, high = (low, alpha) if wrong == "too far" else (alpha, high)
    return ((low + high) / 2 if high else 2 * alpha), low, high


def goes_away(d: Array, alpha: float) -> bool:
    """Whether the move is so long that f falls along it without end."""
    return bool(alpha * np.linalg.norm(d) > _FAR)


def used_up(low: float, high: float) -> bool:
    """Whether the interval has no width left in which f could tell one step from another."""
    return bool(high and high - low <= 2.0**-40 * high)


def least_along(f: Smooth, x: Array, d: Array, alpha: float) -> float | None:
    """The step to a minimum of f along d, to the last digit; None where f falls without end.

    Args:
        f: what falls along d at x.
        x, d: (p,).
        alpha: a first try, which is doubled until it is too far.
    """
    value, low, high = float(f.value(x)), 0.0, alpha
    most = value + _LEVEL * (1 + abs(value))

    def beyond(step: float) -> bool:
        to = x + step * d
        return bool(f.gradient(to) @ d >= 0 or f.value(to) > most)

    while not beyond(high):
        if goes_away(d, high):
            return None
        low, high = high, 2 * high
    for _ in range(_HALVES):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return high
