"""What holds of two points p and q in the hulls of two classes, in numbers: how they move, and how near w and b are.

The hard margin's w* and b* are known but for how far the two bounds on the distance of the hulls are apart, and what is
said of them forgives as much in proportion: w = 2 (p - q)/‖p - q‖² has the error of p - q as often as it is longer.
"""

import numpy as np

from algorithms.core import Answer, DoesNotApply, Problem, Sides, Undecided, theorem
from algorithms.families.svm.nearest_hulls.hull_pairs import means, room_to_give, way
from algorithms.families.svm.nearest_hulls.hull_points import HullPoints
from algorithms.families.svm.shared.hull_distance import apart
from algorithms.toolbox.entry_names import class_names, row_names
from algorithms.toolbox.panels.linear import foot_of, parts

_ROUNDING = 1e-12  # of the largest number that is added on the way to p - q
MOVED = ("pull", "give back")


def are_apart(problem: Problem, now: HullPoints) -> bool | DoesNotApply | Undecided:
    return apart(now.best)


APART = {"the hulls are apart": are_apart}


@theorem(
    "least y f/‖w‖ <= γ* <= ‖p - q‖/2",
    source="Gilbert (1966); Bennett and Bredensteiner (2000)",
    hypotheses=APART,
    proof=(
        "any plane with all y f/‖w‖ >= γ has p on its one side and q on its other, γ away or more",
        "so 2γ <= ‖p - q‖, also of the nearest p and q: no margin is above half their distance",
        "the plane across the middle of these has it, for no row of a hull lies nearer to the other",
    ),
)
def enclosed(problem: Problem, before: HullPoints | None, now: HullPoints) -> Answer:
    """γ* between the margin of a plane and half the length of a way between the hulls."""
    best = now.best
    sides = ("least y f/‖w‖", now.least), ("γ*", best.lower / 2), ("‖p - q‖/2", now.length / 2)
    return Sides(*sides, size=now.reach, slack=(best.upper - best.lower) / 2)


@theorem(
    "at the end the width is the distance: 2/‖w‖ = ‖p - q‖",
    source="Bennett and Bredensteiner (2000)",
    about="step",
    phases=("nearest",),
    hypotheses=APART,
    proof=(
        "f = 1 and f = -1 are 2/‖w‖ apart, and with least y f = 1 that is twice the margin",
        "margin <= γ* <= ‖p - q‖/2, and the run ends when no more than the tolerance lies between",
    ),
)
def as_wide_as_far(problem: Problem, before: HullPoints, now: HullPoints) -> Answer:
    """The width 2/‖w‖ with least y f = 1 against the distance of p and q."""
    least = 1 - problem.parameters.tolerance
    sides = ("(1 - tolerance)‖p - q‖", least * now.length), ("2/‖w‖, least y f = 1", 2 * now.least)
    return Sides(*sides, ("‖p - q‖", now.length), size=now.reach)


def lost(now: HullPoints) -> float:
    """What may be wrong with w, or with w*, in proportion to its length."""
    best = now.best
    return (_ROUNDING * now.reach + best.upper - best.lower) / min(best.lower, now.length)


@theorem(
    "‖w - w*‖² <= ‖w*‖² - ‖w‖²",
    source="Gilbert (1966)",
    hypotheses=APART,
    proof=(
        "z = p - q, z* = p* - q* is the shortest of a convex set: z·z* >= ‖z*‖²",
        "so ‖z - z*‖² = ‖z‖² - 2 z·z* + ‖z*‖² <= ‖z‖² - ‖z*‖²",
        "w = 2z/‖z‖²: ‖w - w*‖ = 2‖z - z*‖/(‖z‖ ‖z*‖), and ‖w‖ = 2/‖z‖; w* is the hard margin's",
    ),
)
def nearer_w(problem: Problem, before: HullPoints | None, now: HullPoints) -> Answer:
    best = now.best
    wide, length, off = float(np.linalg.norm(best.w[:-1])), float(np.linalg.norm(now.w[:-1])), now.w - best.w
    room = (wide - length) * (wide + length)
    sides = ("‖w - w*‖²", float(off[:-1] @ off[:-1])), ("‖w*‖² - ‖w‖²", room)
    return Sides(*sides, slack=4 * wide**2 * lost(now))


@theorem(
    "(w - w*)·p <= b* - b <= (w - w*)·q",
    source="Bennett and Bredensteiner (2000)",
    hypotheses=APART,
    proof=(
        "w·p + b = 1 <= w*·p + b*, for f* >= 1 on the rows that p is a mean of",
        "w·q + b = -1 >= w*·q + b*, in the same way",
    ),
)
def nearer_b(problem: Problem, before: HullPoints | None, now: HullPoints) -> Answer:
    best = now.best
    off, wide = now.w - best.w, float(np.linalg.norm(best.w[:-1]))
    along, against = float(off[:-1] @ now.p), float(off[:-1] @ now.q)
    sides = ("(w - w*)·p", along), ("b* - b", -float(off[-1])), ("(w - w*)·q", against)
    return Sides(*sides, slack=8 * wide * now.reach * lost(now))


@theorem(
    "α = 2λ/‖p - q‖²: W(α) = ½‖w‖² <= ½‖w*‖²",
    source="Bennett and Bredensteiner (2000)",
    hypotheses=APART,
    proof=(
        "for any c > 0, α = cλ has W = 2c - ½c²‖p - q‖², greatest, 2/‖p - q‖², at c = 2/‖p - q‖²",
        "‖w‖ = 2/‖p - q‖ <= 1/γ* = ‖w*‖, the theorem on γ* turned over",
    ),
)
def as_the_dual(problem: Problem, before: HullPoints | None, now: HullPoints) -> Answer:
    """W at α = 2λ/‖p - q‖², which is ½‖w‖², and the least ½‖w‖² of a plane that separates."""
    best, alpha, signs = now.best, now.multipliers, now.data.signs
    w = (alpha * signs) @ (now.data.X - (now.p + now.q) / 2)  # Σ α y = 0: w is the same from any origin
    dual, half = float(alpha.sum() - w @ w / 2), float(now.w[:-1] @ now.w[:-1]) / 2
    slack = 8 * max(abs(dual), half) * lost(now)
    if abs(dual - half) > 1e-9 * max(abs(dual), half) + slack:
        return Sides(("W(α)", dual), ("½‖w‖²", half), relation="==", slack=slack)
    return Sides(("W(α) = ½‖w‖²", dual), ("½‖w*‖²", float(best.w[:-1] @ best.w[:-1]) / 2), slack=slack)


@theorem(
    "‖p - q‖ never rises",
    source="Kozinec (1973)",
    about="step",
    proof=("p and q go where ‖p - q‖ is least on their way, which begins where they are",),
)
def no_longer(problem: Problem, before: HullPoints, now: HullPoints) -> Answer:
    """‖p - q‖ after a step against that before it."""
    return Sides(("‖p' - q'‖", now.length), ("‖p - q‖", before.length), size=now.reach)


@theorem(
    "p and q are in the hulls: Σ λ x with λ >= 0, Σ λ = 1",
    source="Gilbert (1966)",
    proof=("for t in [0, 1], (1 - t) Σ λ x + t x is a mean too: the weights (1 - t)λ, and t more at x",),
)
def in_the_hulls(problem: Problem, before: HullPoints | None, now: HullPoints) -> Answer:
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


@theorem(
    "the row of least y f goes in, or the greatest out",
    source="Franc and Hlaváč (2003); Guélat and Marcotte (1986)",
    about="step",
    phases=MOVED,
    proof=("with m = (p + q)/2, ½‖p - q‖² falls towards x at the rate ½‖p - q‖² - y (p - q)·(x - m)",),
)
def right_choice(problem: Problem, before: HullPoints, now: HullPoints) -> Answer:
    """The fall of ‖p - q‖ along the way of the rows, against the best of those that are lowest, or highest."""
    p, pull = problem.parameters, now.pull
    signs, falls = before.data.signs, before.length / 2 - before.distances
    hulls = [signs > 0, signs < 0] if p.moves == "both points" else [np.ones(len(signs), bool)]
    best = sum(float(falls[hull].max()) for hull in hulls)
    if p.away:
        best = max(best, sum(-float(falls[hull & (before.shares > 0)].min()) for hull in hulls))
    made = sum(float(falls[row]) for row in pull.rows) * (-1 if pull.back else 1)
    return Sides(("most of any", best), ("of the rows", made), size=before.reach)


@theorem(
    "nearest on the way: z'·(end - z') >= 0, z = p - q",
    source="Kozinec (1973)",
    about="step",
    phases=MOVED,
    proof=(
        "for either end u of the way and some s in [0, 1], ‖z' + s(u - z')‖² has at s = 0",
        "the slope 2 z'·(u - z'), which is not below 0: it falls towards neither end",
    ),
)
def nearest_on_the_way(problem: Problem, before: HullPoints, now: HullPoints) -> Answer:
    """‖p - q‖ could fall towards neither end of the way."""
    pull, start, z = now.pull, before.p - before.q, now.p - now.q
    whole = way(before.data.X, before.data.signs, before.p, before.q, pull.rows)
    back = room_to_give(before.shares, pull.rows) if pull.back else 0.0
    ends = [start + whole, start + back * whole]
    size = before.reach * max(float(np.linalg.norm(end)) for end in [*ends, z])
    return Sides(("0", 0.0), ("least z'·(end - z')", min(float(z @ (end - z)) for end in ends)), size=size)


@theorem(
    "the row's foot: ‖x - x⊥‖ = |f(x)|/‖w‖",
    source="Schlesinger and Hlaváč (2002)",
    about="step",
    phases=MOVED,
    proof=("x⊥ = x - f(x) w/‖w‖² has f(x⊥) = f(x) - f(x) = 0, and is |f(x)|/‖w‖ from x",),
)
def at_the_foot(problem: Problem, before: HullPoints, now: HullPoints) -> Answer:
    """How far the rows are from their feet on the plane, against |f|/‖w‖."""
    pull = now.pull
    x, plane = before.data.X[list(pull.rows)], parts(before.w, True)
    lengths = np.array([np.linalg.norm(row - foot_of(row, *plane)) for row in x])
    values = np.abs(before.distances[list(pull.rows)])
    sides = ("‖x - x⊥‖", lengths), ("|f(x)|/‖w‖", values)
    return Sides.each(*sides, relation="==", size=before.reach, entries=row_names(pull.rows))


THEOREMS = (
    enclosed,
    as_wide_as_far,
    nearer_w,
    nearer_b,
    as_the_dual,
    no_longer,
    in_the_hulls,
    right_choice,
    nearest_on_the_way,
    at_the_foot,
)
