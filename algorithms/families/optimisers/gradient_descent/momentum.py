"""Momentum on a quadratic: along a direction v of curvature λ every step is x' = c x - b x°, x° the place before x.

    c = 1 + β - ηλ            b = β                 with the gradient of x
    c = (1 + β)(1 - ηλ)       b = β(1 - ηλ)         with that of x + β(x - x°), as Nesterov has it

References: Polyak (1964), Some methods of speeding up the convergence of iteration methods, USSR Computational
Mathematics and Mathematical Physics 4; Nesterov (1983), A method of solving a convex programming problem with
convergence rate O(1/k²), Soviet Mathematics Doklady 27.
"""

import numpy as np

from algorithms.core import Array


def recursion(curvatures: Array, eta: float, beta: float, nesterov: bool) -> tuple[Array, Array]:
    """(m,) c and (m,) b for each of (m,) curvatures λ."""
    shrinks = 1 - eta * curvatures
    if nesterov:
        return (1 + beta) * shrinks, beta * shrinks
    return beta + shrinks, np.full(len(curvatures), beta)


def long_run(c: Array, b: Array) -> Array:
    """(m,) by how much a step shrinks x in the long run: the larger root of r² - cr + b, in size."""
    root = np.sqrt((c * c - 4 * b).astype(complex))
    return np.asarray(np.maximum(np.abs(c + root), np.abs(c - root)) / 2)


def energy(now: Array, earlier: Array, c: Array, b: Array) -> Array:
    """(m,) e = x² - c x x° + b x°², of which every step leaves the share b."""
    return np.asarray(now**2 - c * now * earlier + b * earlier**2)


def longest_step(L: float, beta: float, nesterov: bool) -> float:
    """The η up to which no curvature up to L makes x grow."""
    return 2 * (1 + beta) / (L * (1 + 2 * beta if nesterov else 1))
