"""The lasso by coordinate descent: each coefficient in its turn goes to where the objective is least along it.

    F(w) = ½ ‖r‖² + λ Σ |w_j|,   r = y - b - Xw,   b = ȳ - x̄·w: the intercept is not penalised

    w_j <- S(x_j·r + ‖x_j‖² w_j, λ) / ‖x_j‖²,   S(z, λ) = sign(z) max(|z| - λ, 0), the soft threshold

X here is without the columns' means. λ is a share of λmax = max |x_j·y|, from which on w* = 0. Without the ½ before
‖r‖², as it is often written, the same w belongs to 2λ; scikit-learn's alpha is λ/n. Only x_j·r is followed, by
XᵀX ("covariance updates"): a step costs as many sums as there are features, however many rows.

Step        F(w') <= F(w) - ½ ‖x_j‖² (w_j' - w_j)²: along a coordinate F is at least as curved as its square
Dual        D(θ) = ½ ‖y‖² - ½ ‖y - θ‖² <= F(w*) <= F(w) for any θ with |x_j·θ| <= λ. With θ = s r, s just so small,
            the gap F(w) - D(θ) = ½ ‖r - θ‖² + Σ (λ|w_j| - w_j x_j·θ), where no term is below 0
Zeros       at w* |x_j·r| <= λ where w_j = 0, and x_j·r = λ sign(w_j) elsewhere; at any w as far as the gap allows:
            ‖x_j·r - x_j·θ‖ <= ‖x_j‖ √(2 gap), and |w_j| (λ - sign(w_j) x_j·θ) <= gap

It comes to w*, for what is not smooth in F is a sum of terms of one coordinate each.

References: Tibshirani (1996), Regression shrinkage and selection via the lasso, Journal of the Royal Statistical
Society B 58; Fu (1998), Penalized regressions: the bridge versus the lasso, Journal of Computational and Graphical
Statistics 7; Friedman, Hastie and Tibshirani (2010), Regularization paths for generalized linear models via coordinate
descent, Journal of Statistical Software 33; Tseng (2001), Convergence of a block coordinate descent method for
nondifferentiable minimization, Journal of Optimization Theory and Applications 109, section 4; Osborne, Presnell and
Turlach (2000), On the lasso and its dual, Journal of Computational and Graphical Statistics 9; Wu and Lange (2008),
Coordinate descent algorithms for lasso penalized regression, Annals of Applied Statistics 2.
"""

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Event,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    Undecided,
    kept,
    once,
    theorem,
)
from algorithms.core.theorems import EXACT
from algorithms.data import diabetes, line, prostate, sparse
from algorithms.families.regression.shared.lasso import Lasso, closed, lasso
from algorithms.families.regression.shared.lasso_measures import Coefficients, best, error, excess, f_of, in_use, value
from algorithms.families.regression.shared.lasso_pictures import (
    Pair,
    coefficient_table,
    correlations_panel,
    pair,
    picture,
    so_far,
    sparse_bars,
    threshold_panel,
)
from algorithms.toolbox.orders import epoch_order
from algorithms.toolbox.panels.functions import predicted_panel

Order = Literal["cyclic", "shuffled", "greedy"]
Every = Literal["coordinate", "sweep"]

_FELL = 1e-3  # of what it was: a coefficient no longer than that costs x_j·r its digits


class LassoCoordinateDescentState(Coefficients, frozen=True, kw_only=True):  # and with it w
    correlations: Array  # (d,) x_j·r
    j: int = -1  # the coordinate just visited
    place: int = 0  # coordinates of this sweep visited so far


def lasso_coordinate_descent(
    data: Dataset,
    state: LassoCoordinateDescentState | None = None,
    *,
    ratio: Annotated[float, Meta(ge=1e-6, le=10, description="λ as a share of λmax, from which on w = 0")] = 0.2,
    order: Annotated[Order, Meta(description="of a sweep; greedy: the coordinate along which F falls most")] = "cyclic",
    every: Annotated[Every, Meta(description="a state a coordinate, or a state a sweep")] = "coordinate",
    tolerance: Annotated[float, Meta(ge=1e-12, le=1, description="of ½‖y‖²: a smaller duality gap ends it")] = 1e-9,
    sweeps: Annotated[int, Meta(ge=1, le=100_000, description="the most there can be")] = 1_000,
    seed: Annotated[Seed, Meta(description="of the shuffled order")] = 0,
) -> Run[LassoCoordinateDescentState]:
    f = data.once(lasso, ratio)
    gram, squares = list(f.of.gram), f.of.squares.tolist()
    if state is None:
        state = LassoCoordinateDescentState(w=np.zeros(data.d), correlations=f.of.moments)
        yield state
    while True:
        sweep, place = next_visit(state, data.d)
        if place == 0:
            gap = f.gap(state.w, state.correlations)
            if gap <= tolerance * f.of.total / 2:
                return closed(f, state.w, f.known(gap, state.w))
            if sweep > sweeps:
                return f"sweep {sweeps:,} was the last: F = {f.value(state.w):.5g} is at most {gap:.3g} above the least"
            q = f.correlations(state.w)  # what a larger w has left there in digits goes
        else:
            q = state.correlations.copy()
        last = data.d if every == "sweep" else place + 1
        w = state.w.copy()
        for j in coordinates(f, w, q, order, seed, sweep, place, last):
            was = w.item(j)
            now = least(q.item(j) + squares[j] * was, f.lam, squares[j])
            if now != was:
                w[j] = now
                q -= (now - was) * gram[j]
                if abs(now) < _FELL * abs(was) > np.abs(w).max():  # what q was rounded to is large beside it now
                    q[:] = f.correlations(w)  # in place: a greedy order goes by it
        state = state.after("coordinate", iteration=sweep, place=last, j=j, w=w, correlations=q)
        yield state


def next_visit(state: LassoCoordinateDescentState, d: int) -> tuple[int, int]:
    """The sweep of the step after a state, and how many coordinates of it come before."""
    return (state.iteration + 1, 0) if state.iteration == 0 or state.place >= d else (state.iteration, state.place)


def coordinates(
    f: Lasso, w: Array, q: Array, order: Order, seed: int, sweep: int, first: int, last: int
) -> Iterator[int]:
    """Name the coordinates at these places of a sweep; a greedy one by w and q as they are when it is asked for."""
    if order == "greedy":
        return (int(f.falls(w, q).argmax()) for _ in range(first, last))
    return iter(range(first, last) if order == "cyclic" else epoch_order(f.d, order, seed, sweep)[first:last].tolist())


def least(z: float, lam: float, square: float) -> float:
    """Where F is least along a coordinate: S(z, λ)/‖x_j‖²; 0 for a column of zeros."""
    if -lam <= z <= lam or square == 0:
        return 0.0
    return (z - lam if z > 0 else z + lam) / square


def adapt(
    before: Problem, after: Problem, state: LassoCoordinateDescentState, rows: Array
) -> LassoCoordinateDescentState:
    """The coefficients stay; x_j·r is what it is at these."""
    return state.replaced(correlations=f_of(after).correlations(state.w))


@kept
def gap(problem: Problem, state: LassoCoordinateDescentState) -> float:
    """F(w) - D(s r), of the same x_j·r that the run ends by."""
    return f_of(problem).known_gap(state.w, state.correlations)


def visited(
    problem: Problem, before: LassoCoordinateDescentState, after: LassoCoordinateDescentState
) -> Array | Undecided:
    """(d,) the coefficients after the visits between two states, worked out anew.

    Of coordinates along which F falls alike to rounding, as of equal columns, a greedy order may take any; which it
    took is known of a state a coordinate, and not of a state a sweep.
    """
    p, f, w = problem.parameters, f_of(problem), before.w.copy()
    sweep, place = next_visit(before, f.d)
    q = f.correlations(w)
    turns = np.arange(f.d) if p.order == "cyclic" else epoch_order(f.d, "shuffled", p.seed, sweep)
    for turn in turns[place : f.d if p.every == "sweep" else place + 1].tolist():
        j = turn
        if p.order == "greedy":
            falls = f.falls(w, q)
            j = after.j if p.every == "coordinate" else int(falls.argmax())
            alike = np.count_nonzero(falls >= falls[j] - EXACT * f.size(w)) > 1
            if p.every == "sweep" and falls[j] > 0 and alike:
                return Undecided("F falls alike along two coordinates of the sweep, to rounding: either may come first")
        square = float(f.of.squares[j])
        w[j] = least(float(q[j]) + square * float(w[j]), f.lam, square)
        q[:] = f.correlations(w)
    return w


def once_each(problem: Problem, state: LassoCoordinateDescentState) -> bool | str:
    p = problem.parameters
    return p.every == "coordinate" or p.order != "greedy" or "in a greedy sweep a coordinate may come more than once"


def greedy(problem: Problem, state: LassoCoordinateDescentState) -> bool | str:
    p = problem.parameters
    if p.every == "sweep":
        return "a state is a sweep"
    return p.order == "greedy" or "the coordinates are taken in another order"


def sweeps_made(problem: Problem, state: LassoCoordinateDescentState) -> bool | Sides:
    """As many sweeps are made as may be, the last to its end."""
    over = state.place >= problem.data.d
    return over and Sides(("sweeps", problem.parameters.sweeps), ("made", state.iteration))


def gap_closed(problem: Problem, state: LassoCoordinateDescentState) -> bool | Sides:
    """A sweep is over, and the gap, with every x_j·r worked out anew, is as small as was asked."""
    f = f_of(problem)
    room = problem.parameters.tolerance * f.of.total / 2
    whole = state.place in (0, f.d)
    return whole and Sides(("gap", f.known_gap(state.w)), ("tolerance ½‖y‖²", room), slack=1e-14 * f.size(state.w))


def enters(before: LassoCoordinateDescentState | None, after: LassoCoordinateDescentState) -> bool:
    return before is not None and bool(((before.w == 0) & (after.w != 0)).any())


def leaves(before: LassoCoordinateDescentState | None, after: LassoCoordinateDescentState) -> bool:
    return before is not None and bool(((before.w != 0) & (after.w == 0)).any())


@once
def seen(problem: Problem) -> Pair | None:
    """The two coefficients that are looked at."""
    return pair(f_of(problem), best(problem))


def scene(problem: Problem, before: LassoCoordinateDescentState | None, after: LassoCoordinateDescentState) -> Scene:
    data, f, j = problem.data, f_of(problem), after.j
    earlier = None if before is None else before.w
    marked = (j,) if j >= 0 else ()
    return Scene(
        (
            picture(data, f, best(problem), seen(problem), after.w, earlier, partial(pulled, problem)),
            sparse_bars(data.features, after.w, 1.4 * float(np.abs(best(problem).w).max())),
            correlations_panel(f, after.w, after.correlations, j),
            threshold(problem, after),
            coefficient_table(data, f, best(problem), after.w, after.correlations, marked),
            so_far(f, best(problem), after.w, gap(problem, after), error(problem, after)),
            predicted_panel(data, f.of.predicted(after.w, data.X)),
        )
    )


def pulled(problem: Problem, state: LassoCoordinateDescentState, w: Array) -> LassoCoordinateDescentState:
    """The state with other coefficients, dragged there."""
    return state.replaced(w=w, correlations=f_of(problem).correlations(w))


def without(f: Lasso, state: LassoCoordinateDescentState, j: int) -> float:
    """x_j·r if w_j were 0: what is shrunk. It does not depend on w_j, so it is the same before the step and after."""
    return float(state.correlations[j] + f.of.squares[j] * state.w[j])


def threshold(problem: Problem, state: LassoCoordinateDescentState) -> Panel:
    """The coordinate in hand before it was shrunk, in units of the coefficient, and after; at the start the first."""
    f, j = f_of(problem), max(state.j, 0)
    a = float(f.of.squares[j]) or 1.0
    z = without(f, state, j) / a
    reach = max(abs(z), f.lam / a, float(np.abs(best(problem).w).max())) or 1.0
    return threshold_panel(np.array([z]), f.lam / a, state.j >= 0, reach)


def explain(problem: Problem, before: LassoCoordinateDescentState | None, after: LassoCoordinateDescentState) -> str:
    f, data = f_of(problem), problem.data
    at_zero = f"{int((after.w == 0).sum())} of {data.d} are 0"
    if before is None or after.j < 0:
        where = "All coefficients are 0" if not after.w.any() else f"Of the coefficients {at_zero}"
        k = int(np.abs(after.correlations).argmax())
        largest = f"the largest xⱼ·r is {after.correlations[k]:.4g}, that of {data.features[k]}"
        return f"{where}, F = {f.value(after.w):.4g}; {largest}, and λ is {f.lam:.4g}."
    made = explain_sweep(problem, before, after)
    if problem.parameters.every == "coordinate":
        made = explain_visit(f, data.features[after.j], before, after)
    fall = max(f.value(before.w) - f.value(after.w), 0.0)
    return f"{made} F falls by {fall:.3g} to {f.value(after.w):.5g}; {at_zero}."


def explain_visit(f: Lasso, name: str, before: LassoCoordinateDescentState, after: LassoCoordinateDescentState) -> str:
    was, now = float(before.w[after.j]), float(after.w[after.j])
    z = f"Without {name}, x·r = {without(f, after, after.j):.4g} for it"
    if now:
        return f"{z}: beyond λ = {f.lam:.4g}, so its coefficient goes from {was:.4g} to {now:.4g}."
    moves = f"its coefficient goes from {was:.4g} to exactly 0" if was else "it stays 0"
    return f"{z}: no more than λ = {f.lam:.4g} in size, so {moves}."


def explain_sweep(problem: Problem, before: LassoCoordinateDescentState, after: LassoCoordinateDescentState) -> str:
    names, moves = problem.data.features, np.abs(after.w - before.w)
    j = int(moves.argmax())
    most = f"that of {names[j]} most, from {before.w[j]:.4g} to {after.w[j]:.4g}"
    return f"Sweep {after.iteration} changes {np.count_nonzero(moves)} of {len(names)} coefficients, {most}."


SYMBOLS = {
    "w, w*": ("coefficients; those where F is least", None),
    "F": ("½‖r‖² + λΣ|wⱼ|", value),
    "D": ("its dual, ½‖y‖² - ½‖y - θ‖² for |xⱼ·θ| <= λ", None),
    "λ": ("strength of the penalty", lambda problem, state: f_of(problem).lam),
    "r": ("residuals y - b - Xw", None),
    "b": ("the intercept ȳ - x̄·w, which is not penalised", None),
    "Δ": ("change from w to w'", None),
    "j": ("the coordinate in hand, from 1", lambda problem, state: state.j + 1 if state.j >= 0 else None),
    "S": ("the soft threshold sign(z) max(|z| - λ, 0)", None),
    "s": ("the largest up to 1 with |xⱼ·s r| <= λ", lambda p, state: f_of(p).shrunk(state.correlations)),
    "θ": ("s r", None),
    "gap": ("F(w) - D(s r)", gap),
    "X, x, y": ("the columns, one of them, and the targets, each less its mean", None),
}


@theorem(
    "F never rises: F(w') + ½‖xⱼ‖²(Δwⱼ)² <= F(w)",
    source="Tseng (2001)",
    about="step",
    phases=("coordinate",),
    hypotheses={"no coordinate comes twice": once_each},
    proof=(
        "along wⱼ, F = ½‖r‖² + λΣ|wⱼ| is ½‖xⱼ‖²wⱼ² and what is convex, and wⱼ' is where it is least",
        "so F(w) >= F(w') + ½‖xⱼ‖²(wⱼ - wⱼ')²; over a sweep such are added",
    ),
)
def never_rises(problem: Problem, before: LassoCoordinateDescentState, after: LassoCoordinateDescentState) -> Answer:
    f = f_of(problem)
    bent = float(f.of.squares @ (after.w - before.w) ** 2) / 2
    size = f.size(before.w) + f.size(after.w)
    return Sides(("F(w') + ½‖xⱼ‖²(Δwⱼ)²", f.value(after.w) + bent), ("F(w)", f.value(before.w)), size=size)


@theorem(
    "wⱼ' = S(xⱼ·r + ‖xⱼ‖²wⱼ, λ)/‖xⱼ‖², others stay",
    source="Fu (1998)",
    about="step",
    phases=("coordinate",),
    proof=(
        "with z = xⱼ·r + ‖xⱼ‖²wⱼ: along wⱼ, F is ½‖xⱼ‖²wⱼ² - z wⱼ + λ|wⱼ| and a constant",
        "where wⱼ > 0 its slope is ‖xⱼ‖²wⱼ - z + λ, which is 0 at (z - λ)/‖xⱼ‖², if z > λ",
        "likewise below 0; for |z| <= λ the slope is >= 0 to the right of 0 and <= 0 to the left",
    ),
)
def least_along(problem: Problem, before: LassoCoordinateDescentState, after: LassoCoordinateDescentState) -> Answer:
    f = f_of(problem)
    aim = visited(problem, before, after)
    if isinstance(aim, Undecided):
        return aim
    added = f.sizes(before.w) + f.lam
    size = np.abs(before.w) + np.divide(added, f.of.squares, out=np.zeros(f.d), where=f.of.squares > 0)
    named = ("w'", after.w), ("S(xⱼ·r + ‖xⱼ‖²wⱼ, λ)/‖xⱼ‖²", aim)
    return Sides.each(*named, relation="==", size=size, entries=problem.data.features)


@theorem(
    "xⱼ·r as updated at each visit is xⱼ·(y - Xw)",
    source="Friedman et al. (2010)",
    proof=("xₖ·r' = xₖ·r - xₖ·xⱼ (wⱼ' - wⱼ), for r' = r - xⱼ (wⱼ' - wⱼ)",),
)
def followed(
    problem: Problem, before: LassoCoordinateDescentState | None, after: LassoCoordinateDescentState
) -> Answer:
    of = f_of(problem).of
    anew = of.X.T @ (of.y - of.X @ after.w)
    size = f_of(problem).sizes(after.w)
    named = ("xⱼ·r as updated", after.correlations), ("xⱼ·(y - Xw)", anew)
    return Sides.each(*named, relation="==", size=size, entries=problem.data.features)


@theorem(
    "greedy: along no coordinate does F fall more",
    source="Wu and Lange (2008)",
    about="step",
    phases=("coordinate",),
    hypotheses={"the order is greedy": greedy},
    proof=("that is the rule",),
)
def falls_most(problem: Problem, before: LassoCoordinateDescentState, after: LassoCoordinateDescentState) -> Answer:
    f = f_of(problem)
    of_each = f.falls(before.w, f.correlations(before.w))
    made = f.value(before.w) - f.value(after.w)
    named, size = (("fall along j", of_each), ("F(w) - F(w')", made)), f.size(before.w) + f.size(after.w)
    return Sides.each(*named, size=size, entries=problem.data.features)


@theorem(
    "the duality gap is >= 0: D(s r) <= F(w*) <= F(w)",
    source="Osborne, Presnell and Turlach (2000)",
    proof=(
        "for |xⱼ·θ| <= λ: F(w) - D(θ) = ½‖r - θ‖² + Σ(λ|wⱼ| - wⱼ xⱼ·θ), for y = r + Xw",
        "no term is below 0, whatever w is; at w* too",
    ),
)
def below_and_above(
    problem: Problem, before: LassoCoordinateDescentState | None, after: LassoCoordinateDescentState
) -> Answer:
    f = f_of(problem)
    s = f.shrunk(after.correlations)
    residuals = f.of.y - f.of.X @ after.w
    dual = f.of.total / 2 - float(np.sum((f.of.y - s * residuals) ** 2)) / 2
    size = f.size(after.w) + f.size(best(problem).w)
    return Sides(("D(s r)", dual), ("F(w*)", best(problem).value), ("F(w)", f.value(after.w)), size=size)


@theorem(
    "|xⱼ·r| <= λ where wⱼ = 0, else = λ, to the gap",
    source="Tibshirani (1996)",
    proof=(
        "½‖r - θ‖² <= gap, so |xⱼ·r - xⱼ·θ| <= ‖xⱼ‖√(2 gap), and |xⱼ·θ| <= λ",
        "λ|wⱼ| - wⱼ xⱼ·θ <= gap, so λ - sign(wⱼ) xⱼ·θ <= gap/|wⱼ|",
        "without the ½ before ‖r‖² it reads λ/2, with that λ",
    ),
)
def zeros(problem: Problem, before: LassoCoordinateDescentState | None, after: LassoCoordinateDescentState) -> Answer:
    f, q, w = f_of(problem), after.correlations, after.w
    left = f.gap(w)
    off = np.where(w == 0, np.maximum(np.abs(q) - f.lam, 0.0), np.abs(q - f.lam * np.sign(w)))
    # the gap is known to rounding only, and more of it is allowed where a coefficient is small
    left += 1e-14 * f.size(w)
    per_size = np.divide(left, np.abs(w), out=np.zeros(f.d), where=w != 0)
    allowed = per_size + np.sqrt(2 * left * f.of.squares)
    named = ("|xⱼ·r| off", off), ("gap/|wⱼ| + ‖xⱼ‖√(2 gap)", allowed)
    return Sides.each(*named, size=f.sizes(w), entries=problem.data.features)


THEOREMS = (below_and_above, never_rises, least_along, followed, falls_most, zeros)

ALGORITHM = Algorithm(
    lasso_coordinate_descent,
    title="Lasso by coordinate descent",
    point="One coefficient at a time is set to its best; some come to be exactly zero.",
    after=("ridge",),
    also=("lasso",),
    leaves_open="Of two features that go together it may keep the wrong one.",
    tries=(("half the penalty", "-p ratio=0.1"), ("eight real features", "--data prostate")),
    asks=(
        Ask.way("F falls: what does the training error do?", '"training error"'),
        Ask.way("F falls: what does the number of coefficients in use do?", '"coefficients in use"'),
    ),
    summary="Fits a linear function with a penalty on Σ|wⱼ|, coefficient by coefficient; some come to be exactly 0.",
    rule="F(w) = ½‖r‖² + λ Σ|wⱼ|\nwⱼ <- S(xⱼ·r + ‖xⱼ‖²wⱼ, λ)/‖xⱼ‖²",
    # beyond, the squares of products overflow or vanish
    needs=Needs(target="number", most_features=2_000, within=(1e-70, 1e30)),
    phases={"start": "w = 0", "coordinate": "the least F along one coefficient"},
    events=(Event("a coefficient leaves 0", enters), Event("a coefficient becomes 0", leaves)),
    curves=(
        Curve("objective", value, "F(w) = ½‖r‖² + λ Σ|wⱼ|"),
        Curve("excess", excess, "F(w) - F(w*)", chart="above the least", log=True),
        Curve("duality gap", gap, "F(w) - D(s r)", chart="above the least", log=True),
        Curve("coefficients in use", in_use, "how many are not 0"),
        Curve("error", error, "mean squared error", held_out=True),
    ),
    objective={("objective", "excess", "duality gap"): ("ratio",)},
    theorems=THEOREMS,
    ends={
        "the duality gap is …: F = … is …, with … at 0": gap_closed,
        "sweep … was the last: F = … is at most … above the least": sweeps_made,
    },
    symbols=SYMBOLS,
    only_for={"seed": ("order", "shuffled")},
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(
        sparse.with_(d=2, relevant=1, correlation=0.9),
        prostate.with_(scale=True, hold_out=0.25),
        diabetes.with_(scale=True),
        sparse,
        line,
    ),
)
