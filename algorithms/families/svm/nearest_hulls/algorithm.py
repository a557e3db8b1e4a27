"""Nearest points of two hulls: the hard margin as the shortest way between the convex hulls of two classes.

    p = Σ λ x over the rows of the one class, q over the other's; λ >= 0, Σ λ = 1 in each
    w = 2 (p - q)/‖p - q‖²,   b such that f(p) = 1 and f(q) = -1:   the plane across the middle of the segment p q
    i = argmin y f(x_i),      p (or q) <- the point nearest to q (or p) on the way to x_i

Let γ* be half of how far the hulls are apart. For any p and q in them

    least y f(x)/‖w‖  <=  γ*  <=  ‖p - q‖/2,

both equal where p and q are nearest: so the distance of the hulls is the width 2/‖w*‖ of the widest margin, whose
w* and b* have the least ‖w‖ with all y f >= 1. That is the dual seen in the plane of the rows: α = 2λ/‖p - q‖² is
allowed (Σ α y = 0), has Σ α y x = w, and of all its multiples the greatest W(α) = Σ α - ½‖w‖² = ½‖w‖² <= ½‖w*‖².
And w and b come near to theirs,

    ‖w - w*‖² <= ‖w*‖² - ‖w‖²,   (w - w*)·p <= b* - b <= (w - w*)·q.

One row of all moves one point (Schlesinger, Kozinec), or one of each class both by the same part of their ways
(Gilbert; it is Frank and Wolfe's step on ½‖p - q‖²). Both zigzag, for each row undoes a part of the last. With `away`
the row deepest in its class of those in use may give back weight instead.

From the class means the mean margin falls, none is larger than along their difference, and the least one rises.

References: Kozinec (1973), Recurrent algorithm separating convex hulls of two sets, in Vapnik, Learning algorithms in
pattern recognition; Gilbert (1966), An iterative procedure for computing the minimum of a quadratic form on a convex
set, SIAM J. Control 4; Schlesinger and Hlaváč (2002), Ten lectures on statistical and structural pattern recognition,
lecture 5; Franc and Hlaváč (2003), An iterative algorithm learning the maximal margin classifier, Pattern Recognition
36; Bennett and Bredensteiner (2000), Duality and geometry in SVM classifiers, ICML; Guélat and Marcotte (1986), Some
comments on Wolfe's 'away step', Mathematical Programming 35.
"""

from typing import Annotated, Any, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Array,
    Ask,
    Curve,
    Dataset,
    DragHandles,
    Meta,
    Needs,
    Points,
    Problem,
    Row,
    Run,
    Scene,
    Sides,
    State,
    kept,
    numbers,
    once,
    through,
)
from algorithms.data import blobs, iris, moons, penguins, wine
from algorithms.families.svm.nearest_hulls import hull_pairs
from algorithms.families.svm.nearest_hulls.hull_pairs import (
    Pull,
    given,
    how_far,
    means,
    room_to_give,
    shares_left,
    spread,
    way,
)
from algorithms.families.svm.nearest_hulls.hull_points import HullPoints, reach_of
from algorithms.families.svm.nearest_hulls.pictures import hulls_stage, projected_frame, projected_hulls, shares_panel
from algorithms.families.svm.nearest_hulls.theorems import THEOREMS
from algorithms.families.svm.shared.hull_distance import HullDistance, apart, hull_distance
from algorithms.families.svm.shared.two_classes import one_alone
from algorithms.toolbox.ends import reached
from algorithms.toolbox.panels.hull import Frame
from algorithms.toolbox.panels.linear import weight_panels
from algorithms.toolbox.panels.row_words import says_margin

_NOTHING = 1e-9  # of the rows' spread: p and q as near as this are one point


class NearestHullsState(State, frozen=True, kw_only=True):
    shares: Annotated[Array, Along("n")]  # (n,) λ
    p: Array  # (d,) Σ λ x over the rows of the positive class
    q: Array  # (d,) over those of the other
    plus: Annotated[int, Row] = -1  # the row that p went to, or away from; -1 where it stayed
    minus: Annotated[int, Row] = -1  # the same of q
    far: float = 0.0  # which part of the way

    @property
    def w(self) -> Array:
        """(d + 1,) weights and bias of the plane across the middle, with f(p) = 1 and f(q) = -1; 0 where p = q."""
        z = self.p - self.q
        square = float(z @ z)
        weights = 2 * z / square if square else z
        return np.append(weights, -float(weights @ (self.p + self.q)) / 2)

    @property
    def ends(self) -> Array:
        """(2, d) p and q."""
        return np.stack([self.p, self.q])


def nearest_hulls(
    data: Dataset,
    state: NearestHullsState | None = None,
    *,
    start: Annotated[
        Literal["class means", "first rows"], Meta(description="where p and q begin in their hulls")
    ] = "class means",
    moves: Annotated[
        Literal["one point", "both points"], Meta(description="the row of least y f of all, or that of each class")
    ] = "one point",
    away: Annotated[bool, Meta(description="rows that p and q are made of may give back weight")] = True,
    tolerance: Annotated[
        float, Meta(ge=1e-8, le=1, description="ends with ‖p - q‖/2 - least y f/‖w‖ this share of ‖p - q‖/2")
    ] = 1e-3,
    steps: Annotated[int, Meta(ge=1, le=1_000_000, description="steps before giving up")] = 1000,
) -> Run[NearestHullsState]:
    X, y, both = data.X, data.signs, moves == "both points"
    nothing = _NOTHING * data.once(spread)
    if state is None:
        state = placed(data, NearestHullsState(shares=y, p=X[0], q=X[0]), first_shares(y, start))
        yield state
    while True:
        heights, length = hull_pairs.heights(X, y, state.p, state.q), float(np.linalg.norm(state.p - state.q))
        if length <= nothing:
            return "the hulls meet: p and q are one point to nine digits, and no plane has the classes on its two sides"
        half, least = length / 2, float(heights.min()) / length
        if half - least <= tolerance * half:
            if state.phase != "nearest":
                state = state.after("nearest", plus=-1, minus=-1, far=0.0)
                yield state
            return f"all rows have y f/‖w‖ >= {least:.4g}, and no plane has more than ‖p - q‖/2 = {half:.4g}"
        if state.iteration >= steps:
            return f"step {steps:,} was the last: γ* lies between {max(least, 0.0):.4g} and {half:.4g}"
        pull = hull_pairs.chosen(heights, y, state.shares, length**2, both, away)
        far = nearest_on_the_way(X, y, state, pull)
        if far == 0:
            return f"what is left is lost in rounding: γ* lies between {max(least, 0.0):.4g} and {half:.4g}"
        if pull.back:
            state = state.after("give back", **gone(X, y, state, pull, far))
            yield state
        else:
            state = state.after("pull", **gone(X, y, state, pull, far))
            yield state


def first_shares(signs: Array, start: str) -> Array:
    """(n,) λ of the class means, or of the first row of each class."""
    return shares_left(np.ones(len(signs)) if start == "class means" else np.zeros(len(signs)), signs)


def nearest_on_the_way(X: Array, signs: Array, state: NearestHullsState, pull: Pull) -> float:
    """Which part of the way makes ‖p - q‖ least, as far as the hulls reach."""
    least = room_to_give(state.shares, pull.rows) if pull.back else 0.0
    return how_far(state.p - state.q, way(X, signs, state.p, state.q, pull.rows), least)


def gone(X: Array, signs: Array, state: NearestHullsState, pull: Pull, far: float) -> dict[str, Any]:
    """The fields of a state when its points have gone so far to the rows, or away from them."""
    p = state.p if pull.plus < 0 else (1 - far) * state.p + far * X[pull.plus]
    q = state.q if pull.minus < 0 else (1 - far) * state.q + far * X[pull.minus]
    shares = given(state.shares, signs, pull.rows, far)
    rows = {"plus": pull.plus, "minus": pull.minus, "far": far}
    return {"iteration": state.iteration + 1, "shares": shares, "p": p, "q": q, **rows}


def adapt(before: Problem, after: Problem, state: NearestHullsState, rows: Array) -> NearestHullsState:
    """The rows that are still of their class keep their shares; p and q are their means where they are now."""
    if after.data is before.data:
        return state
    signs = after.data.signs
    stayed = (rows >= 0) & (before.data.signs[rows] == signs)
    return placed(after.data, state, shares_left(np.where(stayed, state.shares[rows], 0.0), signs))


def placed(data: Dataset, state: NearestHullsState, shares: Array) -> NearestHullsState:
    """The state with other shares; no row is in hand."""
    p, q = means(data.X, data.signs, shares)
    return state.replaced(shares=shares, p=p, q=q, plus=-1, minus=-1, far=0.0)


def best_of(problem: Problem) -> HullDistance:
    """Where the hulls are nearest, by Wolfe's method: γ*, w* and b*."""
    return problem.data.once(hull_distance)


@kept
def points_of(problem: Problem, state: NearestHullsState) -> HullPoints:
    data, length = problem.data, float(np.linalg.norm(state.p - state.q))
    heights = hull_pairs.heights(data.X, data.signs, state.p, state.q)
    distances = heights / length if length else heights
    return HullPoints(data, state.shares, state.p, state.q, state.w, distances, data.once(reach_of), pull_of(state))


def pull_of(state: NearestHullsState) -> Pull:
    return Pull(state.plus, state.minus, state.phase == "give back")


def lower(problem: Problem, state: NearestHullsState) -> float:
    """The margin of the plane across the middle, no more than γ*."""
    return points_of(problem, state).least


def upper(problem: Problem, state: NearestHullsState) -> float:
    """‖p - q‖/2, above every margin."""
    return points_of(problem, state).length / 2


def widest(problem: Problem, state: NearestHullsState) -> float:
    """γ*; NaN where it is not known."""
    return best_of(problem).lower / 2 if apart(best_of(problem)) is True else np.nan


def error(problem: Problem, state: NearestHullsState) -> float:
    return float((points_of(problem, state).distances <= 0).mean())


@once
def seen(problem: Problem) -> Frame:
    return projected_frame(problem.data, best_of(problem).w[:-1])


def hulls_meet(problem: Problem, state: NearestHullsState) -> Sides:
    """p and q are one point."""
    apart = float(np.linalg.norm(state.p - state.q))
    return Sides(("‖p - q‖", apart), ("0 to nine digits", _NOTHING * problem.data.once(spread)))


def margin_enclosed(problem: Problem, state: NearestHullsState) -> bool | Sides:
    half, least = upper(problem, state), lower(problem, state)
    sides = ("(1 - tolerance) ‖p - q‖/2", (1 - problem.parameters.tolerance) * half), ("least y f/‖w‖", least)
    return state.phase == "nearest" and Sides(*sides)


def stands_still(problem: Problem, state: NearestHullsState) -> Sides:
    """To the rows that would pull next there is no way to go."""
    X, y, p = problem.data.X, problem.data.signs, problem.parameters
    heights, squared = hull_pairs.heights(X, y, state.p, state.q), float((state.p - state.q) @ (state.p - state.q))
    pull = hull_pairs.chosen(heights, y, state.shares, squared, p.moves == "both points", p.away)
    return Sides(("|far|", abs(nearest_on_the_way(X, y, state, pull))), ("0", 0.0))


def scene(problem: Problem, before: NearestHullsState | None, after: NearestHullsState) -> Scene:
    data, pulled, now, best = problem.data, pull_of(after).rows, points_of(problem, after), best_of(problem)
    rows = Points(
        at=data.X,
        classes=data.y,
        weights=after.shares / float(after.shares.max()),
        sizes="size: share in p and q",
        ringed=np.isin(np.arange(data.n), pulled) & (before is not None),
        crossed=now.distances <= 0,
        says=says_margin(now.distances, "y f/‖w‖"),
    )
    earlier = None if before is None else before.w
    handles = DragHandles(at=after.ends, moved=lambda state, i, to: dragged(data, state, i, to), names=("p", "q"))
    return Scene(
        (
            hulls_stage(data, rows, after, earlier, pulled, handles),
            *projected_hulls(data, problem.once(seen), rows, after),
            shares_panel(data, after.shares, now.distances, pulled),
            *weight_panels(data, after.w, True, earlier, **({"w*": best.w} if best.lower > 0 else {})),
            numbers(so_far(problem, after)),
        )
    )


def dragged(data: Dataset, state: NearestHullsState, i: int, to: Array) -> NearestHullsState:
    """p or q on the row of its class that is nearest to a place."""
    own = data.signs == (1 if i == 0 else -1)
    row = int(np.where(own, ((data.X - to) ** 2).sum(axis=1), np.inf).argmin())
    return placed(data, state, np.where(own, np.arange(data.n) == row, state.shares))


def so_far(problem: Problem, state: NearestHullsState) -> dict[str, float | int | None]:
    now = points_of(problem, state)
    return {
        "least y f/‖w‖": now.least,
        "γ*": widest(problem, state),
        "‖p - q‖/2, above every margin": now.length / 2,
        "‖p - q‖": now.length,
        "2/‖w‖ with least y f = 1": 2 * now.least if now.least > 0 else None,
        "rows with λ > 0": int(np.count_nonzero(state.shares)),
        "wrong rows": int((now.distances <= 0).sum()),
    }


def explain(problem: Problem, before: NearestHullsState | None, after: NearestHullsState) -> str:
    now, data, own = points_of(problem, after), problem.data, pull_of(after).rows
    bounds = f"The widest margin γ* lies between {max(now.least, 0.0):.4g} and {now.length / 2:.4g}."
    if after.phase == "nearest" and before is not None:
        carry = int(np.count_nonzero(after.shares))
        width = f"2/‖w‖ = {2 * now.least:.4g} with least y f = 1, and ‖p - q‖ = {now.length:.4g}"
        return f"{width}: the margin is as wide as the hulls are apart. p and q are means of {carry} rows."
    if before is None or not own:
        means = not after.t and problem.parameters.start == "class means"
        where = f"p and q are {'the means of the classes' if means else 'in the hulls'}, {now.length:.4g} apart."
        return f"{where} The plane across the middle has the margin {now.least:.4g}. {bounds}"
    was = points_of(problem, before)
    who = " and ".join(f"row {r} ({data.row(r)})" for r in own)
    values = " and ".join(f"{float(was.distances[r]) + 0.0:.4g}" for r in own)
    moving = " and ".join("p" if data.signs[r] > 0 else "q" for r in own)
    verb = "goes" if len(own) == 1 else "go"
    falls = f"‖p - q‖ falls from {was.length:.4g} to {now.length:.4g}. {bounds}"
    if after.phase == "give back":
        return f"{moving} {verb} away from {who}, which had y f/‖w‖ = {values}, the deepest with λ > 0. {falls}"
    share = f"{100 * after.far:.3g}% of the way to {who}"
    return f"{moving} {verb} {share}, which had y f/‖w‖ = {values}, the lowest of all rows. {falls}"


SYMBOLS = {
    "λ": ("how much of each row is in p or q: >= 0, and 1 in all in each class", None),
    "p, q": ("Σ λ x of either class, points of the hulls", None),
    "w, b": ("of the plane across the middle of the segment p q, f(p) = 1 and f(q) = -1", None),
    "f, y": ("w·x + b; the class of a row as +1 or -1", None),
    "γ*": ("half of how far the hulls are apart: the widest margin", lambda p, s: best_of(p).lower / 2),
    "w*, b*": (
        "the hard margin: the least ‖w‖ with all y f >= 1; ‖w*‖ here",
        lambda p, s: float(np.linalg.norm(best_of(p).w[:-1])),
    ),
    "α": (
        "2λ/‖p - q‖², multipliers of the dual: the greatest here",
        lambda p, s: float(points_of(p, s).multipliers.max()),
    ),
    "W(α)": ("the dual, Σ α - ½‖Σ α y x‖²", None),
    "x⊥": ("the foot of a row on the plane", None),
    "i": ("the row that is farthest behind its point", None),
    "z": ("p - q; z' after the move", None),
}


ALGORITHM = Algorithm(
    nearest_hulls,
    title="Hard margin by nearest hulls",
    point="Two points, one in each hull, come together; the widest margin lies midway across.",
    after=("perceptron",),
    leaves_open="One row more can halve the margin.",
    tries=(("no steps away", "-p away=false"), ("hulls that meet", "--data moons")),
    asks=(
        Ask.way("p and q come nearer: what does the margin do?", "margin"),
        Ask("Does p or q go away from a row?", 'phase "give back"'),
    ),
    summary="Brings a point of each class's hull nearest to the other: the widest margin lies across the middle.",
    rule="i = argmin y f(x_i),   f across the middle of p and q\n"
    "p (or q) <- the point nearest to q (or p) on the way to x_i",
    # beyond, products of squares of lengths overflow or vanish
    needs=Needs(target="class", classes=2, within=(1e-70, 1e70)),
    phases={
        "start": "p and q are in the hulls",
        "pull": "p or q goes towards the row with the least y f",
        "give back": "p or q goes away from the row with the greatest y f in it",
        "nearest": "p and q are nearest, to within the tolerance",
    },
    events=("nearest",),
    start_only=("start",),
    curves=(
        Curve("margin", lower, "least y f/‖w‖", "margins"),
        Curve("widest", widest, "γ*", "margins"),
        Curve("half distance", upper, "‖p - q‖/2, no margin is above it", "margins", tone=5),
        Curve("mean margin", lambda p, s: points_of(p, s).mean, "of the classes' mean y f/‖w‖", "mean, greatest"),
        Curve(
            "greatest margin", lambda p, s: float(points_of(p, s).distances.max()), "greatest y f/‖w‖", "mean, greatest"
        ),
        Curve("gap", lambda p, s: upper(p, s) - lower(p, s), "‖p - q‖/2 - least y f/‖w‖", log=True),
        Curve("rows in use", lambda p, s: int(np.count_nonzero(s.shares)), "rows with λ > 0"),
        Curve("error", error, "share of rows with y f <= 0", held_out=True),
    ),
    objective={("margin", "widest", "half distance", "gap"): ()},
    theorems=through(points_of, *THEOREMS),
    ends={
        "the hulls meet: …": hulls_meet,
        "all rows have y f/‖w‖ >= …, and no plane has more than ‖p - q‖/2 = …": margin_enclosed,
        "step … was the last: …": reached("steps"),
        "what is left is lost in rounding: …": stands_still,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=lambda problem: one_alone(problem.data, "it takes two hulls"),
    datasets=(
        blobs.with_(n=60, seed=10),
        iris.with_(positive="setosa", columns=("petal_length_cm", "petal_width_cm")),
        penguins.with_(positive="Gentoo", columns=("bill_depth_mm", "body_mass_g"), scale=True),
        wine.with_(positive="cultivar_1", scale=True),
        moons,
    ),
)
