"""Linear feasibility by von Neumann's algorithm: a separator, or 0 as a weighted mean of the y x.

    i = argmin y x·z,    z <- the point nearest to 0 between z and y_i x_i,    w = z/‖z‖

z = Σ λ y x, λ >= 0, Σ λ = 1, is in the hull of the rows y x (x with the constant 1 appended when there is a bias), and
begins at the first. Let γ* be the distance from 0 to the hull. For every such λ and every w of length 1

    min y w·x  <=  γ*  <=  ‖Σ λ y x‖,

since min y w·x <= w·Σ λ y x <= ‖Σ λ y x‖ for any two of them, and both sides meet where the hull is nearest to 0. So γ*
is the widest margin, and 0 on the right proves that no w has all y w·x > 0 (Gordan); all >= 0 may still be.

A row pulled in from the wrong side, y x·z <= 0, stands at a right angle or more to z, so that

    1/‖z'‖²  >=  1/‖z‖² + 1/‖y x‖²,   and after k such rows   ‖z‖ <= R/√(k + 1),   k + 1 <= R²/γ*²,

the perceptron's bound. When all rows are right, the same step towards the nearest widens the margin (Gilbert; it is
Frank and Wolfe's on ½‖z‖²), and ‖z‖² - γ*² <= 4D²/(t + 2), where no two points of the hull are further apart than D. It
zigzags: each row undoes a part of the last. With `away` the highest of the rows in z may give back weight instead.

References: Gordan (1873), Über die Auflösung linearer Gleichungen mit reellen Coefficienten, Mathematische Annalen 6;
Dantzig (1992), An ε-precise feasible solution to a linear program with a convexity constraint in 1/ε² iterations
independent of problem size, Stanford SOL 92-5 (von Neumann's algorithm of 1948); Gilbert (1966), An iterative procedure
for computing the minimum of a quadratic form on a convex set, SIAM J. Control 4; Frank and Wolfe (1956), An algorithm
for quadratic programming, Naval Research Logistics Quarterly 3; Guélat and Marcotte (1986), Some comments on Wolfe's
'away step', Mathematical Programming 35; Jaggi (2013), Revisiting Frank-Wolfe, ICML.
"""

from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Event,
    Meta,
    Needs,
    Points,
    Problem,
    Row,
    Run,
    Scene,
    Sides,
    State,
    Undecided,
    kept,
    numbers,
    once,
    theorem,
)
from algorithms.data import blobs, iris, moons, penguins, wine
from algorithms.toolbox.ends import reached
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.hull_steps import chosen, how_far, least_share, moved, nearest, shares_left, widest_apart
from algorithms.toolbox.panels.hull import Frame, frame, hull_panel, mean_panel
from algorithms.toolbox.panels.linear import stage, weight_panels
from algorithms.toolbox.panels.row_words import says_margin
from algorithms.toolbox.separation import strictly
from algorithms.toolbox.signed_rows import longest, rows_of, separation, signed_rows

_NOTHING = 1e-9  # of R: a mean of the rows as short as this is 0
_KNOWN = 1e-6  # of R: γ* between bounds as close as this is known


class LinearFeasibilityState(State, frozen=True, kw_only=True):
    shares: Annotated[Array, Along("n")]  # (n,) λ
    z: Array  # (p,) Σ λ y x, the bias last; w is its direction
    row: Annotated[int, Row] = 0  # the row that was pulled in, or gave back
    far: float = 1.0  # how far z went: the share of the way to that row, or away from it
    wrong: int = 0  # rows pulled in so far from the wrong side


def linear_feasibility(
    data: Dataset,
    state: LinearFeasibilityState | None = None,
    *,
    bias: Annotated[bool, Meta(description="append the constant 1, so that the boundary may miss the origin")] = False,
    until: Annotated[
        Literal["a separator", "the widest"], Meta(description="ends where all rows are right, or with γ* enclosed")
    ] = "the widest",
    away: Annotated[bool, Meta(description="rows that z is made of may give back weight")] = False,
    tolerance: Annotated[float, Meta(ge=1e-8, le=1, description="ends with ‖z‖ - min y w·x this share of ‖z‖")] = 0.05,
    steps: Annotated[int, Meta(ge=1, le=1_000_000, description="steps before giving up")] = 1000,
) -> Run[LinearFeasibilityState]:
    yx, R = data.once(signed_rows, bias), data.once(longest, bias)
    if state is None:
        state = LinearFeasibilityState(shares=np.eye(1, data.n)[0], z=yx[0])
        yield state
    while True:
        products = yx @ state.z
        least, length = nearest(products, state.z), float(np.linalg.norm(state.z))
        if reason := ended(least, length, R, until, tolerance):
            return reason
        if state.t >= steps:
            return f"step {steps:,} was the last: γ* lies between {max(least, 0.0):.4g} and {length:.4g}"
        row, back = chosen(products, state.z, state.shares, away)
        far = how_far(state.z, yx[row], least_share(state.shares[row]) if back else 0.0)
        if far == 0:
            return f"what is left is lost in rounding: γ* lies between {max(least, 0.0):.4g} and {length:.4g}"
        change = {"iteration": state.t + 1, "row": row, "far": far, "shares": moved(state.shares, row, far)}
        z = (1 - far) * state.z + far * yx[row]
        if back:
            state = state.after("give back", z=z, **change)
            yield state
        elif products[row] <= 0:
            state = state.after("pull", z=z, wrong=state.wrong + 1, **change)
            yield state
        else:
            state = state.after("widen", z=z, **change)
            yield state


def ended(least: float, length: float, R: float, until: str, tolerance: float) -> str:
    """Why it is over, "" where it is not."""
    if length <= _NOTHING * R:
        return f"a weighted mean of the y x is 0 to nine digits: no w of length 1 has all y w·x above {length:.2g}"
    if until == "a separator" and least > 0:
        return f"all rows are on their side: y w·x >= {least:.4g}"
    if length - least <= tolerance * length:
        return f"w has the margin {least:.4g}, and no w of length 1 has one above {length:.4g}"
    return ""


def adapt(before: Problem, after: Problem, state: LinearFeasibilityState, rows: Array) -> LinearFeasibilityState:
    """The rows that are still there keep their shares; z is their mean where they are now."""
    if after.data is before.data:
        return state
    shares = shares_left(state.shares, rows)
    return state.replaced(shares=shares, z=shares @ rows_of(after))


def R_of(problem: Problem) -> float:
    return problem.data.once(longest, problem.parameters.bias)


def width(problem: Problem) -> float:
    return widest_apart(rows_of(problem))


@kept
def products(problem: Problem, state: LinearFeasibilityState) -> Array:
    """(n,) y x·z."""
    return np.asarray(rows_of(problem) @ state.z)


def upper(problem: Problem, state: LinearFeasibilityState) -> float:
    """‖z‖, above every margin."""
    return float(np.linalg.norm(state.z))


def lower(problem: Problem, state: LinearFeasibilityState) -> float:
    """min y w·x: the margin of w, below γ*."""
    return nearest(products(problem, state), state.z)


def widest(problem: Problem, state: LinearFeasibilityState) -> float:
    """γ*; NaN where it is not known."""
    return separation(problem).margin if known(problem, state) is True else np.nan


def length_bound(problem: Problem, state: LinearFeasibilityState) -> float:
    """R/√(k + 1)."""
    return R_of(problem) / float(np.sqrt(state.wrong + 1))


def error(problem: Problem, state: LinearFeasibilityState) -> float:
    return float((products(problem, state) <= 0).mean())


def known(problem: Problem, state: LinearFeasibilityState) -> bool | Undecided:
    best = separation(problem)
    if best.remainder - best.margin <= _KNOWN * best.longest:
        return True
    return Undecided(f"γ* is known to lie between {best.margin:.3g} and {best.remainder:.3g} only")


def end_of_way(problem: Problem, before: LinearFeasibilityState, after: LinearFeasibilityState) -> Array:
    """(p,) the y x that z went to, or where the way from it leaves the hull."""
    row, share = rows_of(problem)[after.row], float(before.shares[after.row])
    return np.asarray((before.z - share * row) / (1 - share) if after.phase == "give back" else row)


@once
def seen(problem: Problem) -> Frame:
    names = tuple(f"y {name}" for name in weight_names(problem.data, problem.parameters.bias))
    return frame(rows_of(problem), names, separation(problem).direction)


def is_nothing(problem: Problem, state: LinearFeasibilityState) -> Sides:
    return Sides(
        ("‖Σ λ y x‖", float(np.linalg.norm(state.shares @ rows_of(problem)))), ("R/10⁹", _NOTHING * R_of(problem))
    )


def all_on_their_side(problem: Problem, state: LinearFeasibilityState) -> Sides:
    return Sides(("0", 0.0), ("least y z·x", float(products(problem, state).min())), relation="<")


def margin_enclosed(problem: Problem, state: LinearFeasibilityState) -> Sides:
    share, length = problem.parameters.tolerance, float(np.linalg.norm(state.z))
    least = nearest(products(problem, state), state.z)
    return Sides(("‖z‖ - least y w·x", length - least), ("tolerance ‖z‖", share * length))


def stands_still(problem: Problem, state: LinearFeasibilityState) -> Sides:
    """To the row that would be pulled in, or away from it, z has no way to go."""
    z, toward = state.z, products(problem, state)
    row, back = chosen(toward, z, state.shares, problem.parameters.away)
    far = how_far(z, rows_of(problem)[row], least_share(state.shares[row]) if back else 0.0)
    return Sides(("|far|", abs(far)), ("0", 0.0))


def scene(problem: Problem, before: LinearFeasibilityState | None, after: LinearFeasibilityState) -> Scene:
    data, bias, of, best = problem.data, problem.parameters.bias, seen(problem), separation(problem)
    along, length, row = products(problem, after), upper(problem, after), after.row if before is not None else -1
    start, end = None, None
    if before is not None and row >= 0:
        start, end = before.z, end_of_way(problem, before, after)
    rows = Points(
        at=data.X,
        classes=data.y,
        weights=after.shares / (float(after.shares.max()) or 1.0),
        sizes="size: share in z",
        ringed=np.arange(data.n) == row,
        crossed=along <= 0,
        says=says_margin(along, "y z·x"),
    )
    bounds = lower(problem, after), length
    others = {} if best.direction is None else {"γ* w*": best.margin * best.direction}
    return Scene(
        (
            hull_panel(of, replace(rows, at=of.at), after.z, lambda state: state.z, start, end, bounds),
            stage(data, rows, after.z, bias, field="z"),
            mean_panel(data, after.shares, along, length, row),
            *weight_panels(data, after.z, bias, start, **others),
            numbers(so_far(problem, after)),
        )
    )


def so_far(problem: Problem, state: LinearFeasibilityState) -> dict[str, float | int | None]:
    best = separation(problem)
    bounded = not problem.forked and best.margin > _NOTHING * best.longest
    return {
        "margin of w, min y w·x": lower(problem, state) if state.z.any() else None,
        "γ*": widest(problem, state),
        "‖z‖, above every margin": upper(problem, state),
        "wrong rows pulled in, k": state.wrong,
        "R²/γ*²": (best.longest / best.margin) ** 2 if bounded else None,
    }


def explain(problem: Problem, before: LinearFeasibilityState | None, after: LinearFeasibilityState) -> str:
    data, now, least = problem.data, upper(problem, after), lower(problem, after)
    bounds = f"γ* lies between {max(least, 0.0):.4g} and {now:.4g}."
    if after.row < 0 or before is None:
        which = "z is the first y x" if not after.t else "z is where it was, as far as its rows are still there"
        letters = f"R = {R_of(problem):.4g} is the longest row's length, k counts wrong rows pulled in."
        return f"{which}, {now:.4g} from 0: no w of length 1 has a margin above that. {bounds} {letters}"
    row, was = after.row, upper(problem, before)
    height = float(products(problem, before)[row]) / was + 0.0
    drawn = ", drawn at -x" if data.signs[row] < 0 else ""
    who, falls = f"Row {row} ({data.row(row)}{drawn})", f"‖z‖ falls by {max(was - now, 0.0):.3g} to {now:.4g}. {bounds}"
    share = f"{100 * abs(after.far):.3g}%"
    if after.phase == "give back":
        return f"{who} had y w·x = {height:.4g}, the highest of those in z: z goes away from it and λ falls; {falls}"
    why = "on the wrong side" if after.phase == "pull" else "the nearest, with all rows right"
    return f"{who} had y w·x = {height:.4g}, the lowest: {why}. z goes {share} of the way to its y x, and {falls}"


def all_right(before: LinearFeasibilityState | None, after: LinearFeasibilityState) -> bool:
    return after.phase == "widen" and before is not None and before.phase == "pull"


SYMBOLS = {
    "x, y": ("a row, with 1 appended when there is a bias, and its class as +1 or -1", None),
    "λ": ("how much of each row is in z: >= 0, and 1 in all", None),
    "z, w": ("Σ λ y x, and its direction z/‖z‖, the weights", None),
    "γ*": (
        "from 0 to the hull of the y x: the widest margin, 0 if there is no separator",
        lambda problem, state: separation(problem).margin,
    ),
    "f": ("how far z goes, a share of the way to the row; below 0 away from it", lambda problem, state: state.far),
    "k": ("rows pulled in from the wrong side", lambda problem, state: state.wrong),
    "R": ("length of the longest row", lambda problem, state: R_of(problem)),
    "D": ("no two points of the hull are further apart", lambda problem, state: problem.once(width)),
    "i": ("the row that is pulled in", None),
    "t": ("steps made", lambda problem, state: state.t),
}


@theorem(
    "min y w·x <= γ* <= ‖z‖",
    source="Gordan (1873); Dantzig (1992)",
    hypotheses={"γ* is known": known},
    proof=(
        "min y w·x <= Σ λ y x·w for any λ >= 0 with Σ λ = 1: a mean is no less than the least",
        "with the λ of the hull's nearest point z*: min y w·x <= z*·w <= ‖z*‖ = γ*",
        "z is in the hull, and no point of that is nearer to 0 than γ*",
        "so ‖z‖ = 0 proves that no w has y w·x > 0 on all rows",
    ),
)
def enclosed(problem: Problem, before: LinearFeasibilityState | None, after: LinearFeasibilityState) -> Answer:
    best = separation(problem)
    bounds = [("γ*", best.margin), ("‖z‖", upper(problem, after))]
    if after.z.any():
        bounds.insert(0, ("min y w·x", lower(problem, after)))
    # γ* is known to lie between the margin of a direction and the length of a mean
    return Sides(*bounds, size=best.longest, slack=best.remainder - best.margin)


@theorem(
    "z = Σ λ y x with λ >= 0, Σ λ = 1",
    source="Dantzig (1992)",
    proof=("(1 - f) Σ λ y x + f y x is a mean again, with the shares (1 - f) λ and f more for the row",),
)
def in_the_hull(problem: Problem, before: LinearFeasibilityState | None, after: LinearFeasibilityState) -> Answer:
    total, least = float(after.shares.sum()), float(after.shares.min())
    if least < 0 or abs(total - 1) > 1e-9:
        return Sides(("0", 0.0), ("least λ", least)) if least < 0 else Sides(("Σ λ", total), ("1", 1.0), relation="==")
    mean = after.shares @ rows_of(problem)
    names = weight_names(problem.data, problem.parameters.bias)
    return Sides.each(("z", after.z), ("Σ λ y x", mean), relation="==", size=R_of(problem), entries=names)


@theorem(
    "the lowest row goes in, or the highest out",
    source="Dantzig (1992); Guélat and Marcotte (1986)",
    about="step",
    proof=("that is the rule; y x·z says how fast ‖z‖² falls on the way to y x",),
)
def right_choice(problem: Problem, before: LinearFeasibilityState, after: LinearFeasibilityState) -> Answer:
    along, size = products(problem, before), R_of(problem) * upper(problem, before)
    square, back, away = float(before.z @ before.z), after.phase == "give back", problem.parameters.away
    lowest = ("‖z‖² - least", square - float(along.min()))
    highest = ("highest - ‖z‖²", float(along[before.shares > 0].max()) - square)
    own = ("that of the row", (float(along[after.row]) - square) * (1 if back else -1))
    less = [highest, lowest] if away and not back else [lowest, highest] if back else [lowest]
    return Sides(*less, own, size=size)


@theorem(
    "nearest to 0 on the way: z'·(end - z') >= 0",
    source="Dantzig (1992)",
    about="step",
    proof=(
        "for s in [0, 1] and each end u of the way: ‖z' + s(u - z')‖² is least at s = 0",
        "so its slope there, 2 z'·(u - z'), is not below 0",
    ),
)
def nearest_on_the_way(problem: Problem, before: LinearFeasibilityState, after: LinearFeasibilityState) -> Answer:
    end, z, size = end_of_way(problem, before, after), after.z, R_of(problem)
    room = min(float(z @ (before.z - z)), float(z @ (end - z)))
    return Sides(("0", 0.0), ("least z'·(end - z')", room), size=size * (size + float(np.linalg.norm(end))))


@theorem(
    "a wrong row: 1/‖z'‖² >= 1/‖z‖² + 1/‖y x‖²",
    source="Dantzig (1992)",
    about="step",
    phases=("pull",),
    proof=(
        "y x·z <= 0: the triangle 0, z, y x has a right angle or more at 0",
        "with a right one its height ‖z'‖ has 1/‖z'‖² = 1/‖z‖² + 1/‖y x‖²; else it is less",
    ),
)
def pulled(problem: Problem, before: LinearFeasibilityState, after: LinearFeasibilityState) -> Answer:
    row, more = rows_of(problem)[after.row], after.wrong - before.wrong
    if more != 1:
        return Sides(("k' - k", more), ("1", 1), relation="==")
    was, length = float(before.z @ before.z), float(row @ row)
    bound = was / (was + length) * length  # the products themselves might overflow
    return Sides(("‖z'‖²", float(after.z @ after.z)), ("1/(1/‖z‖² + 1/‖y x‖²)", bound), size=was + length)


@theorem(
    "‖z‖ <= R/√(k + 1)",
    source="Dantzig (1992)",
    about="run",
    proof=("1/‖z‖² begins at 1/R² or more", "each wrong row adds 1/R² or more; no other step makes z longer"),
    along="k",
)
def short_enough(problem: Problem, before: LinearFeasibilityState | None, after: LinearFeasibilityState) -> Answer:
    return Sides(("‖z‖", upper(problem, after)), ("R/√(k + 1)", length_bound(problem, after)), size=R_of(problem))


@theorem(
    "wrong rows: k + 1 <= R²/γ*²",
    source="Dantzig (1992)",
    about="run",
    hypotheses={
        "the rows can be separated strictly": lambda problem, state: strictly(separation(problem)),
        "γ* is known": known,
    },
    proof=("γ* <= ‖z‖ <= R/√(k + 1): two theorems of these; square it",),
    along="k",
)
def soon_enough(problem: Problem, before: LinearFeasibilityState | None, after: LinearFeasibilityState) -> Answer:
    ratio = R_of(problem) / separation(problem).margin
    if not ratio < 1e150:
        return Undecided("γ* is so small that R²/γ*² is beyond every number")
    return Sides(("k + 1", after.wrong + 1), ("R²/γ*²", ratio**2))


@theorem(
    "‖z‖² - γ*² <= 4D²/(t + 2)",
    source="Frank and Wolfe (1956); Jaggi (2013)",
    about="run",
    hypotheses={"no row gives back": lambda problem, state: not problem.parameters.away, "γ* is known": known},
    proof=(
        "with g = ‖z‖² - min y x·z: h = ½‖z‖² - ½γ*² <= g, for ½‖z‖² is convex",
        "any f in [0, 1] would give h' <= h - f g + ½ f²D² <= (1 - f) h + ½ f²D², the best no more",
        "with f = 2/(t + 2) that is h <= 2D²/(t + 2), by induction",
    ),
)
def rate(problem: Problem, before: LinearFeasibilityState | None, after: LinearFeasibilityState) -> Answer:
    if not after.t:
        return None
    best = separation(problem)
    gap = upper(problem, after) ** 2 - best.margin**2
    bound = 4 * problem.once(width) ** 2 / (after.t + 2)
    slack = best.remainder**2 - best.margin**2
    return Sides(("‖z‖² - γ*²", gap), ("4D²/(t + 2)", bound), size=best.longest**2, slack=slack)


THEOREMS = (enclosed, in_the_hull, right_choice, nearest_on_the_way, pulled, short_enough, soon_enough, rate)

ALGORITHM = Algorithm(
    linear_feasibility,
    title="Linear feasibility, von Neumann",
    point="The worst row pulls the line round, until it separates or proves that none can.",
    after=("perceptron",),
    leaves_open="The widest margin on these rows promises nothing of others.",
    tries=(("no line separates", "--data moons"), ("stop at a separator", "-p 'until=a separator'")),
    asks=(
        Ask("Is the lowest row on the wrong side, so that z goes towards it?", "pull"),
        Ask.row("Which row does z go to, or away from?", "row"),
    ),
    summary="Pulls the worst row into a weighted mean of the y x, which separates or, at 0, proves that none can.",
    rule="i = argmin y x·z\nz <- the point nearest to 0 between z and y_i x_i",
    needs=Needs(target="class", classes=2, within=(1e-100, 1e100)),  # beyond, squares of lengths overflow or vanish
    phases={
        "start": "z = y x of the first row",
        "pull": "the lowest row is on the wrong side: z goes towards it",
        "widen": "all rows are right: z goes towards the nearest",
        "give back": "the highest row in z gives back: z goes away from it",
    },
    events=(Event("all rows are right", all_right),),
    start_only=("bias",),
    curves=(
        Curve("margin", lower, "min y w·x", log=True, tone="ink"),
        Curve("widest", widest, "γ*", "margin", log=True, tone=3),
        Curve("‖z‖", upper, "no margin is above it", "margin", log=True, tone="accent"),
        Curve("R/√(k + 1)", length_bound, "‖z‖ is no longer", "margin", log=True, about="run", tone=5),
        Curve("error", error, "share of wrong rows", held_out=True),
    ),
    objective={("margin", "widest", "‖z‖", "R/√(k + 1)"): ("bias",)},
    theorems=THEOREMS,
    ends={
        "a weighted mean of the y x is 0 to nine digits: …": is_nothing,
        "all rows are on their side: …": all_on_their_side,
        "w has the margin …, and no w of length 1 has one above …": margin_enclosed,
        "step … was the last: …": reached("steps"),
        "what is left is lost in rounding: …": stands_still,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(
        blobs.with_(n=60, margin=0.3),
        iris.with_(positive="setosa"),
        penguins.with_(positive="Gentoo", scale=True),
        wine.with_(positive="cultivar_1", scale=True),
        moons,
    ),
)
