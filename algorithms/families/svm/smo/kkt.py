"""The dual of a soft margin in numbers: constraints, weak duality, the three cases, and what a pair's step gains."""

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from algorithms.core import Answer, Array, Sides
from algorithms.toolbox.duals import Solution, may_fall, rooms


def zero_sum(alpha: Array, signs: Array, largest: float) -> Answer:
    """Σ α y = 0; `largest` is the largest Σ α there was."""
    plus, minus = float(alpha[signs > 0].sum()), float(alpha[signs < 0].sum())
    return Sides(("Σ α of the + rows", plus), ("of the - rows", minus), relation="==", size=largest)


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
    return Sides.each(("1 - δ", 1 - now.delta), ("y f", np.where(rows, margins, np.inf)), size=now.size, axes=("row",))


def on_the_margin(margins: Array, rows: Array, now: Solution) -> Answer:
    """0 < α < C: |y f - 1| <= δ."""
    return Sides.each(
        ("|y f - 1|", np.where(rows, np.abs(margins - 1), -np.inf)), ("δ", now.delta), size=now.size, axes=("row",)
    )


def inside(margins: Array, rows: Array, now: Solution) -> Answer:
    """α = C: y f <= 1 + δ."""
    return Sides.each(("y f", np.where(rows, margins, -np.inf)), ("1 + δ", 1 + now.delta), size=now.size, axes=("row",))


# A step of two multipliers


class PairStep(Struct, frozen=True, eq=False):
    """α_i y_i rises and α_j y_j falls by as much.

    Attributes:
        signs: (n,) y.
        kept: (n,) bool, the rows in the problem.
        was, now: (n,) α before and after.
        F: (n,) before the step.
        box: C, infinite for a hard margin.
        distances: i -> (n,) ‖φ(x_i) - φ(x)‖² of every row x.
        old, new: both problems before and after.
    """

    i: int
    j: int
    signs: Array
    kept: Array
    was: Array
    now: Array
    F: Array
    box: float
    distances: Callable[[int], Array]
    old: Solution
    new: Solution

    @property
    def rise(self) -> float:
        """F_i - F_j, the slope of W along the pair's line."""
        return float(self.F[self.i] - self.F[self.j])


def gains_most(pair: PairStep) -> Answer:
    """The gain of the pair against that of every pair with a row of F = m."""
    etas, falls = pair.distances(pair.i), pair.kept & may_fall(pair.was, pair.signs, pair.box)
    ahead = np.where(falls, np.maximum(pair.old.up - pair.F, 0.0), 0.0)
    gained, most = pair.rise**2 / etas[pair.j], float((ahead**2 / etas).max())
    return Sides(("(F_i - F_j)²/η", gained), ("greatest (m - F_j)²/η", most), relation="==")


def to_the_top(pair: PairStep) -> Answer:
    """It goes to the top of the parabola along the pair's line, or as far as 0 <= α <= C lets it."""
    both = [pair.i, pair.j]
    risen, fallen = (pair.now - pair.was)[both] * pair.signs[both]
    free = pair.rise / float(pair.distances(pair.i)[pair.j])
    return Sides(
        ("rise of α_i y_i", risen),
        ("fall of α_j y_j", -fallen),
        ("min((F_i - F_j)/η, room)", min(free, *rooms(pair.was, pair.signs, pair.i, pair.j, pair.box))),
        relation="==",
        size=float(np.maximum(pair.was, pair.now)[both].max()),
    )


def gain(pair: PairStep, eta: float) -> Answer:
    """W' - W as it is, against the parabola; `eta` is that of the pair, from kernel values worked out afresh."""
    s = abs(float(pair.now[pair.i] - pair.was[pair.i]))
    gained, predicted = pair.new.dual - pair.old.dual, s * pair.rise - s * s * eta / 2
    sides = ("W(α') - W(α)", gained), ("s(F_i - F_j) - ½ηs²", predicted)
    return Sides(*sides, relation="==", size=pair.new.dual_size)


def dual_never_falls(pair: PairStep) -> Answer:
    return Sides(("W(α)", pair.old.dual), ("W(α')", pair.new.dual), size=pair.new.dual_size)


def followed(F: Array, fresh: Array, size: float) -> Answer:
    """F as it is kept from step to step, against F worked out from α."""
    return Sides.each(("F", F), ("y - Σ α y k", fresh), relation="==", size=size, axes=("row",))


def same_w(squared_change: float, first: Solution | None, now: Solution) -> Answer:
    """‖w' - w‖² of the rows that are left against those of all rows; None where none were taken out."""
    if first is None:
        return None
    room = 4 * (now.primal - first.dual) + 4 * (now.primal - now.dual)
    return Sides(("‖w' - w‖²", squared_change), ("4(P'-W) + 4(P'-W')", room), size=now.dual_size)
