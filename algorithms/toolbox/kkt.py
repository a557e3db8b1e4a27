"""What is true of the dual of a soft margin at any α: its constraints, weak duality and the three cases, as numbers."""

import numpy as np

from algorithms.core import Answer, Array, Sides
from algorithms.toolbox.duals import Solution


def zero_sum(alpha: Array, signs: Array, largest: float) -> Answer:
    """Σ α y = 0; `largest` is the largest Σ α there was."""
    plus, minus = float(alpha[signs > 0].sum()), float(alpha[signs < 0].sum())
    return Sides(("Σ α of +", plus), ("Σ α of -", minus), relation="==", size=largest)


def in_the_box(alpha: Array, box: float) -> Answer:
    """0 <= α <= C."""
    sides = ("0", 0.0), ("least α", float(alpha.min())), ("greatest α", float(alpha.max()))
    return Sides(*sides, ("C", box)) if np.isfinite(box) else Sides(*sides)


def weak_duality(now: Solution) -> Answer:
    """W(α) <= P(w, b), where P is finite."""
    return Sides(("W(α)", now.dual), ("P(w, b)", now.primal), size=now.dual_size)


def widest(now: Solution, margins: Array) -> Answer:
    """No margin is wider than ‖w‖/Σα, where w is not 0; `margins` are y f of all rows."""
    size = (now.size + now.dual_size / now.total) / now.norm
    return Sides(("least y f/‖w‖", float(margins.min()) / now.norm), ("‖w‖/Σα", now.reach), size=size)


# The three cases of complementary slackness, of (n,) y f on the rows that are in them


def outside(margins: Array, rows: Array, now: Solution) -> Answer:
    """α = 0: y f >= 1 - δ."""
    return Sides.each(("1 - δ", 1 - now.delta), ("y f", np.where(rows, margins, np.inf)), size=now.size)


def on_the_margin(margins: Array, rows: Array, now: Solution) -> Answer:
    """0 < α < C: |y f - 1| <= δ."""
    return Sides.each(("|y f - 1|", np.where(rows, np.abs(margins - 1), -np.inf)), ("δ", now.delta), size=now.size)


def inside(margins: Array, rows: Array, now: Solution) -> Answer:
    """α = C: y f <= 1 + δ."""
    return Sides.each(("y f", np.where(rows, margins, -np.inf)), ("1 + δ", 1 + now.delta), size=now.size)
