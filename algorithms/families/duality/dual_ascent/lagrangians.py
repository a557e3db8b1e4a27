"""Lagrangians in numbers: what multipliers and the point they choose say of the least f under constraints."""

from functools import lru_cache

import numpy as np

from algorithms.core import Answer, Array, Sides
from algorithms.families.duality.dual_ascent.constrained import Constrained
from algorithms.families.duality.dual_ascent.multipliers import is_bound

_SIDE = 41  # places along each side at which L is looked at


@lru_cache
def places(of: Constrained) -> Array:
    """(s, 2) places over twice the window, in the box."""
    sides = np.array(of.window)
    middle, extent = sides.mean(axis=1), np.ptp(sides, axis=1)
    low, high = np.maximum(middle - extent, of.box[:, 0]), np.minimum(middle + extent, of.box[:, 1])
    across, up = (np.linspace(low[j], high[j], _SIDE) for j in (0, 1))
    return np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)


def weak_duality(of: Constrained, x: Array, alpha: Array) -> Answer:
    """θ(α) <= L(x*, α) <= p*, where no multiplier of an inequality is below 0."""
    sides = ("θ(α)", float(of.lagrangian(x, alpha))), ("L(x*, α)", float(of.lagrangian(of.solution, alpha)))
    return Sides(*sides, ("p*", of.optimum), size=of.size(x, alpha) + of.size(of.solution, alpha))


def least_of_all(of: Constrained, x: Array, alpha: Array) -> Answer:
    """Hold L(x, α) against L at many places."""
    least = float(of.lagrangian(places(of), alpha).min())
    sides = ("L(x, α)", float(of.lagrangian(x, alpha))), (f"least of {_SIDE**2:,} places", least)
    return Sides(*sides, size=of.size(x, alpha))


def along_the_constraints(
    of: Constrained, was: Array, now: Array, x: Array, step: float, longest: float, *, halved: bool, below_zero: bool
) -> Answer:
    """α' = max(0, α + η g(x)), with the η that was asked for or, halved, a shorter one; 0 on the way back to α >= 0."""
    back = not (below_zero or is_bound(of, was))
    right = step == 0 if back else (0 < step <= longest if halved else step == longest)
    if not right:
        return Sides(("step", step), ("η", 0.0 if back else longest), relation="==")
    g = of.g(x)
    size, aim = np.abs(was) + step * (1 + np.abs(g)), was + step * g
    aim = np.where(of.signed | below_zero | (aim > 0), aim, 0.0)
    return Sides.each(("α'", now), ("max(0, α + ηg)", aim), relation="==", size=size, entries=of.texts)


def concave(of: Constrained, x: Array, alpha: Array) -> Answer:
    """θ(α*) <= θ(α) + g(x)·(α* - α)."""
    line = of.theta(alpha) + float(of.g(x) @ (of.multipliers - alpha))
    sides = ("θ(α*)", of.greatest), ("θ(α) + g·(α* - α)", line)
    return Sides(*sides, size=of.size(x, alpha) + of.size(x, of.multipliers))


def forces_balance(of: Constrained, x: Array, alpha: Array) -> Answer:
    """∇f(x) + Σ α ∇g(x) = 0."""
    pulls = alpha[:, None] * of.slopes(x)
    size = 1 + np.abs(of.gradient(x)) + np.abs(pulls).sum(axis=0)
    forces = of.gradient(x) + pulls.sum(axis=0)
    return Sides.each(("∇f + Σα∇g", forces), ("0", 0.0), relation="==", size=size, entries=of.axes)


def near_the_solution(of: Constrained, x: Array, alpha: Array) -> Answer:
    """½μ‖x - x*‖² <= p* - θ(α)."""
    away, value = x - of.solution, float(of.lagrangian(x, alpha))
    sides = ("½μ‖x - x*‖²", of.mu * float(away @ away) / 2), ("p* - θ(α)", of.optimum - value)
    return Sides(*sides, size=of.size(x, alpha) + abs(of.optimum))


def no_gap(of: Constrained) -> Answer:
    """θ(α*) = p*."""
    size = of.size(of.solution, of.multipliers)
    return Sides(("θ(α*)", of.greatest), ("p*", of.optimum), relation="==", size=size)


def slack_or_free(of: Constrained) -> Answer:
    """α* g(x*) = 0 for every constraint."""
    products = of.multipliers * of.g(of.solution) + 0.0
    size = of.size(of.solution, of.multipliers)
    return Sides.each(("α* g(x*)", products), ("0", 0.0), relation="==", size=size, entries=of.texts)
