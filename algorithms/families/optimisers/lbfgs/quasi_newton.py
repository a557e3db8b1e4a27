"""A curvature learned from the last moves: the pairs of L-BFGS, and what they say of the Hessian.

A pair is a move s with the change y of the gradient along it. With γ = s·y / y·y of the latest pair, B begins as I/γ,
and each pair in turn, the oldest first, changes it by as little as makes B s = y:

    B <- B - BssᵀB / sᵀBs + yyᵀ / s·y

B is never needed to solve B d = -g: two loops over the pairs do that in 4mp products.

References: Nocedal (1980), Updating quasi-Newton matrices with limited storage, Mathematics of Computation 35; Liu and
Nocedal (1989), On the limited memory BFGS method for large scale optimization, Mathematical Programming 45.
"""

import numpy as np

from algorithms.core import Array

_LOST = 2.0**-40  # of ‖s‖ ‖y‖: a smaller s·y is rounding, or a curvature that is not positive


def solved(S: Array, Y: Array, v: Array) -> Array:
    """(p,) the solution z of B z = v, by the two loops.

    Args:
        S, Y: (k, p) the pairs, the latest last; none where k = 0, and then B = I.
        v: (p,).
    """
    z, alphas = v, []
    for s, y in zip(S[::-1], Y[::-1]):
        alphas.append(float(s @ z) / float(s @ y))
        z = z - alphas[-1] * y
    z = first_scale(S, Y) * z
    for s, y, alpha in zip(S, Y, alphas[::-1]):
        z = z + (alpha - float(y @ z) / float(s @ y)) * s
    return np.asarray(z)


def first_scale(S: Array, Y: Array) -> float:
    """γ: one over the curvature along the latest move; 1 where there is none."""
    return float(S[-1] @ Y[-1]) / float(Y[-1] @ Y[-1]) if len(S) else 1.0


def with_pair(S: Array, Y: Array, s: Array, y: Array, memory: int) -> tuple[Array, Array]:
    """The pairs with one more, the last `memory` of them; as they were where s·y > 0 is lost in rounding."""
    if not bends(s, y):
        return S[-memory:], Y[-memory:]
    return np.vstack([S, s])[-memory:], np.vstack([Y, y])[-memory:]


def bends(s: Array, y: Array) -> bool:
    """Whether s·y is positive by more than rounding."""
    return bool(s @ y > _LOST * np.linalg.norm(s) * np.linalg.norm(y))


def curvature(S: Array, Y: Array, p: int) -> Array:
    """(p, p) B."""
    B = np.eye(p) / first_scale(S, Y)
    for s, y in zip(S, Y):
        along = B @ s
        B = B - np.outer(along, along) / float(s @ along) + np.outer(y, y) / float(s @ y)
    return np.asarray(B)
