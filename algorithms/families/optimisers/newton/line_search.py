"""How far to go along a direction d in which f falls: Armijo's test.

    f(x + s d) <= f(x) + ¼ s ∇f(x)·d

References: Armijo (1966), Minimization of functions having Lipschitz continuous first partial derivatives, Pacific
Journal of Mathematics 16.
"""

from algorithms.core import Array
from algorithms.toolbox.functions import Function

ENOUGH = 0.25  # of what the slope promises has to be kept
SHORTEST = 2.0**-40  # a step below which rounding decides


def falls_enough(f: Function, x: Array, d: Array, s: float) -> bool:
    """Whether f falls by a quarter of what its slope promises, but for what f itself is rounded to."""
    value = float(f.value(x))
    most = value + ENOUGH * s * float(f.gradient(x) @ d) + 1e-15 * (1 + abs(value))
    return bool(f.value(x + s * d) <= most)
