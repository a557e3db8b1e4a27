"""What holds of two points p and q in the hulls of two classes, in numbers: how they move, and how near w and b are.

The hard margin's w* and b* are known but for how far the two bounds on the distance of the hulls are apart, and what is
said of them forgives as much in proportion: w = 2 (p - q)/‖p - q‖² has the error of p - q as often as it is longer.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Answer, Array, Dataset, Sides
from algorithms.families.svm.nearest_hulls.hull_pairs import Pull, means, room_to_give, way
from algorithms.families.svm.shared.hull_distance import HullDistance
from algorithms.toolbox.entry_names import class_names, row_names
from algorithms.toolbox.panels.linear import foot_of, parts

_ROUNDING = 1e-12  # of the largest number that is added on the way to p - q


class HullPoints(Struct, frozen=True, eq=False):
    """A point in each hull.

    Attributes:
        data: rows of two classes.
        shares: (n,) λ.
        p, q: (d,) the points.
        w: (d + 1,) weights and bias of the plane across the middle.
        distances: (n,) y f/‖w‖.
        reach: the largest number that is added on the way to one of them.
    """

    data: Dataset
    shares: Array
    p: Array
    q: Array
    w: Array
    distances: Array
    reach: float

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.p - self.q))

    @property
    def least(self) -> float:
        return float(self.distances.min())

    @property
    def mean(self) -> float:
        """The mean of both classes' mean distances, which is greatest along the difference of the class means."""
        plus = self.data.signs > 0
        return float(self.distances[plus].mean() + self.distances[~plus].mean()) / 2

    @property
    def multipliers(self) -> Array:
        """(n,) α = 2λ/‖p - q‖²; 0 where p = q."""
        square = self.length**2
        return 2 * self.shares / square if square else 0 * self.shares


def reach_of(data: Dataset) -> float:
    return float(np.abs(data.X).max()) * float(np.sqrt(data.d))


def enclosed(now: HullPoints, best: HullDistance) -> Answer:
    """γ* between the margin of a plane and half the length of a way between the hulls."""
    sides = ("least y f/‖w‖", now.least), ("γ*", best.lower / 2), ("‖p - q‖/2", now.length / 2)
    return Sides(*sides, size=now.reach, slack=(best.upper - best.lower) / 2)


def as_wide_as_far(now: HullPoints, tolerance: float) -> Answer:
    """The width 2/‖w‖ with least y f = 1 against the distance of p and q."""
    sides = ("(1 - tolerance)‖p - q‖", (1 - tolerance) * now.length), ("2/‖w‖, least y f = 1", 2 * now.least)
    return Sides(*sides, ("‖p - q‖", now.length), size=now.reach)


def lost(now: HullPoints, best: HullDistance) -> float:
    """What may be wrong with w, or with w*, in proportion to its length."""
    return (_ROUNDING * now.reach + best.upper - best.lower) / min(best.lower, now.length)


def nearer_w(now: HullPoints, best: HullDistance) -> Answer:
    wide, length, off = float(np.linalg.norm(best.w[:-1])), float(np.linalg.norm(now.w[:-1])), now.w - best.w
    room = (wide - length) * (wide + length)
    sides = ("‖w - w*‖²", float(off[:-1] @ off[:-1])), ("‖w*‖² - ‖w‖²", room)
    return Sides(*sides, slack=4 * wide**2 * lost(now, best))


def nearer_b(now: HullPoints, best: HullDistance) -> Answer:
    off, wide = now.w - best.w, float(np.linalg.norm(best.w[:-1]))
    along, against = float(off[:-1] @ now.p), float(off[:-1] @ now.q)
    sides = ("(w - w*)·p", along), ("b* - b", -float(off[-1])), ("(w - w*)·q", against)
    return Sides(*sides, slack=8 * wide * now.reach * lost(now, best))


def as_the_dual(now: HullPoints, best: HullDistance) -> Answer:
    """W at α = 2λ/‖p - q‖², which is ½‖w‖², and the least ½‖w‖² of a plane that separates."""
    alpha, signs = now.multipliers, now.data.signs
    w = (alpha * signs) @ (now.data.X - (now.p + now.q) / 2)  # Σ α y = 0: w is the same from any origin
    dual, half = float(alpha.sum() - w @ w / 2), float(now.w[:-1] @ now.w[:-1]) / 2
    slack = 8 * max(abs(dual), half) * lost(now, best)
    if abs(dual - half) > 1e-9 * max(abs(dual), half) + slack:
        return Sides(("W(α)", dual), ("½‖w‖²", half), relation="==", slack=slack)
    return Sides(("W(α) = ½‖w‖²", dual), ("½‖w*‖²", float(best.w[:-1] @ best.w[:-1]) / 2), slack=slack)


def no_longer(before: HullPoints, after: HullPoints) -> Answer:
    """‖p - q‖ after a step against that before it."""
    return Sides(("‖p' - q'‖", after.length), ("‖p - q‖", before.length), size=after.reach)


def in_the_hulls(now: HullPoints) -> Answer:
    """λ >= 0; Σ λ = 1 in each class; p and q are their means."""
    signs, shares, size = now.data.signs, now.shares, float(np.abs(now.data.X).max())
    if float(shares.min()) < 0:
        return Sides(("0", 0.0), ("least λ", float(shares.min())))
    totals = np.array([shares[signs > 0].sum(), shares[signs < 0].sum()])
    if (np.abs(totals - 1) > 1e-9).any():
        names = class_names(now.data)[::-1]  # y = +1 comes first
        return Sides.each(("Σ λ", totals), ("1", 1.0), relation="==", entries=names)
    sums = np.concatenate(means(now.data.X, signs, shares))
    names = [f"{name} of {point}" for point in "pq" for name in now.data.features]
    sides = ("p, q", np.concatenate([now.p, now.q])), ("Σ λ x", sums)
    return Sides.each(*sides, relation="==", size=size, entries=names)


def right_choice(before: HullPoints, pull: Pull, both: bool, away: bool) -> Answer:
    """The fall of ‖p - q‖ along the way of the rows, against the best of those that are lowest, or highest."""
    signs, falls = before.data.signs, before.length / 2 - before.distances
    hulls = [signs > 0, signs < 0] if both else [np.ones(len(signs), bool)]
    best = sum(float(falls[hull].max()) for hull in hulls)
    if away:
        best = max(best, sum(-float(falls[hull & (before.shares > 0)].min()) for hull in hulls))
    made = sum(float(falls[row]) for row in pull.rows) * (-1 if pull.back else 1)
    return Sides(("most of any", best), ("of the rows", made), size=before.reach)


def nearest_on_the_way(before: HullPoints, after: HullPoints, pull: Pull) -> Answer:
    """‖p - q‖ could fall towards neither end of the way."""
    start, z = before.p - before.q, after.p - after.q
    whole = way(before.data.X, before.data.signs, before.p, before.q, pull.rows)
    back = room_to_give(before.shares, pull.rows) if pull.back else 0.0
    ends = [start + whole, start + back * whole]
    size = before.reach * max(float(np.linalg.norm(end)) for end in [*ends, z])
    return Sides(("0", 0.0), ("least z'·(end - z')", min(float(z @ (end - z)) for end in ends)), size=size)


def at_the_foot(before: HullPoints, pull: Pull) -> Answer:
    """How far the rows are from their feet on the plane, against |f|/‖w‖."""
    x, plane = before.data.X[list(pull.rows)], parts(before.w, True)
    lengths = np.array([np.linalg.norm(row - foot_of(row, *plane)) for row in x])
    values = np.abs(before.distances[list(pull.rows)])
    sides = ("‖x - x⊥‖", lengths), ("|f(x)|/‖w‖", values)
    return Sides.each(*sides, relation="==", size=before.reach, entries=row_names(pull.rows))
