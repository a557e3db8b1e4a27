"""Multipliers: where they begin, how they go up θ along the constraints, and how they are written."""

import numpy as np

from algorithms.core import Array
from algorithms.families.duality.dual_ascent.constrained import Constrained

GAP = 1e-6  # a smaller one is none
_SHORTEST = 2.0**-45  # of η: a step below which rounding decides
_ENOUGH = 0.25  # of the rise that the slope promises, for a step to be taken


def first(of: Constrained, start: tuple[float, ...]) -> Array:
    """(m,) the first multipliers: one number is meant for all."""
    return np.full(of.m, start[0]) if len(start) == 1 else np.array(start)


def chosen(of: Constrained, alpha: Array) -> Array:
    """(2,) where L(·, α) is least; it is not asked where L falls without end."""
    x = of.least(alpha)
    assert x is not None
    return x


def risen(of: Constrained, alpha: Array, g: Array, step: float, below_zero: bool) -> Array:
    """α + η g, held at 0 for inequalities."""
    free = of.signed | below_zero
    return np.asarray(np.where(free, alpha + step * g, np.maximum(alpha + step * g, 0.0)))


def ascent(
    of: Constrained, alpha: Array, g: Array, eta: float, backtracking: bool, below_zero: bool
) -> tuple[Array, float]:
    """The next multipliers, and the step that led there; back to 0 first, where some are below it."""
    if not (below_zero or is_bound(of, alpha)):
        return risen(of, alpha, g, 0.0, below_zero), 0.0
    step, now = eta, of.theta(alpha)
    following = risen(of, alpha, g, step, below_zero)
    while backtracking and of.theta(following) < now + _ENOUGH * float(g @ (following - alpha)):
        step /= 2
        if step < _SHORTEST * eta:
            return alpha, step
        following = risen(of, alpha, g, step, below_zero)
    return following, step


def is_bound(of: Constrained, alpha: Array) -> bool:
    """Whether no multiplier of an inequality is below 0."""
    return bool((alpha[~of.signed] >= 0).all())


def where_it_ends(of: Constrained, alpha: Array) -> str:
    """θ, p* and what is between them."""
    theta, gap = of.theta(alpha), of.greatest - of.optimum
    stays = f", and a gap of {-gap:.4g} stays however θ rises" if gap < -GAP else ""
    return f"θ = {theta:.6g}, p* = {of.optimum:.6g}{stays}"


def written(values: Array) -> str:
    """(0.5, 1.2), or 0.5 alone."""
    parts = [f"{value + 0.0:.4g}" for value in values.tolist()]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def why_they_grow(of: Constrained, eta: float, backtracking: bool) -> str:
    """Why multipliers become larger and larger."""
    if not backtracking and of.L is not None and eta > 2 / of.L:
        return f"the multipliers grow without end: η is above 2/M = {2 / of.L:.4g}"
    return "the multipliers grow without end: with some below 0 θ has no greatest value"
