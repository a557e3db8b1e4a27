"""Lasso by subgradient descent: a step against one of the slopes that F has, also where it has a kink.

    F(w) = ½ ‖r‖² + λ Σ |w_j|,   r = y - Xw,   X and y without their means, so that the intercept is not penalised

    g = -Xᵀr + λ s,   s_j = the sign of w_j, at w_j = 0 any number from -1 to 1,   w <- w - η_t g,   w_0 = 0,

with η_t = η/L, η/(L√t) or η/(Lt) for the t-th step, from 1; L is the greatest eigenvalue of XᵀX. w* is where F is
least. λ is given as a share of λmax = max |x_j·y|, from which on w* = 0; without the ½ on ‖r‖² it would be twice as
large for the same w*.

A subgradient at w is a g with F(z) >= F(w) + g·(z - w) for all z: a line under F that touches at w. Of |w| it is the
sign, and at 0 all of [-1, 1]. -g need not lead down, but a short step leads nearer to w*: on every path, for steps of
any size,

    ‖w' - w*‖² <= ‖w - w*‖² - 2η(F - F*) + η²‖g‖²,   so   min F - F* <= (‖w_0 - w*‖² + Σ η²‖g‖²)/(2 Σ η).

For steps that shrink to 0 while Σ η grows without end the right side goes to 0, if ‖g‖ stays bounded; for a constant
η to η times half the mean of ‖g‖². And the slope does not shrink on the way to a kink: where |x_j·r| < λ and
w_j is not 0, a step moves it by η(λ - |x_j·r|) at least, from one side of 0 to the other. So a constant step hovers
about w*, and no coefficient that has moved comes to be 0 but by chance, where coordinate descent and shrinkage stop.

References: Tibshirani (1996), Regression shrinkage and selection via the lasso, Journal of the Royal Statistical
Society B 58; Shor (1985), Minimization Methods for Non-Differentiable Functions; Rockafellar (1970), Convex Analysis,
section 23; Boyd, Xiao and Mutapcic (2003), Subgradient methods, Stanford University.
"""

from functools import partial
from math import sqrt
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
    Sides,
    kept,
    numbers,
    once,
    theorem,
)
from algorithms.core.text import counted
from algorithms.data import diabetes, line, prostate, sparse
from algorithms.families.regression.shared.kinks_pictures import kinked_path, pair_of, supporting_line
from algorithms.families.regression.shared.lasso import Lasso, lasso, zeros
from algorithms.families.regression.shared.lasso_measures import (
    Coefficients,
    best,
    error,
    excess,
    f_of,
    in_use,
    in_use_at_best,
    largest_of_zeros,
    value,
)
from algorithms.families.regression.shared.lasso_pictures import coefficient_table, sparse_bars
from algorithms.toolbox.ends import reached

_DIVERGED = 1e12  # times F at w = 0: far enough to see, and nothing overflows

Schedule = Literal["constant", "1/sqrt(t)", "1/t"]
_POWERS: dict[Schedule, float] = {"constant": 0.0, "1/sqrt(t)": 0.5, "1/t": 1.0}  # of t, that η is divided by


class SubgradientState(Coefficients, frozen=True, kw_only=True):  # and with it w
    origin: Array  # (d,) w_0, where the sums below begin
    lowest: float  # the least F since then
    length: float = 0.0  # Σ η
    squares: float = 0.0  # Σ η² ‖g‖²


def lasso_subgradient(
    data: Dataset,
    state: SubgradientState | None = None,
    *,
    ratio: Annotated[float, Meta(ge=0, le=10, description="λ as a share of λmax, from which on w* = 0")] = 0.2,
    eta: Annotated[float, Meta(ge=1e-4, le=100, description="η, the step size in units of 1/L")] = 0.5,
    schedule: Annotated[Schedule, Meta(description="η at every step, or shrinking")] = "constant",
    at_zero: Annotated[
        float, Meta(ge=-1, le=1, description="what of [-1, 1] is taken for the slope of |w| at 0")
    ] = 0.0,
    steps: Annotated[int, Meta(ge=1, le=1_000_000, description="steps at most")] = 400,
) -> Run[SubgradientState]:
    f = data.once(lasso, ratio)
    if state is None:
        state = begun_at(f, np.zeros(f.d))
        yield state
    while state.iteration < steps:
        g = subgradient(f, state.w, at_zero)
        step = step_size(f, eta, schedule, state.iteration + 1)
        w = state.w - step * g
        if np.array_equal(w, state.w):
            return "the subgradient is 0: F is least here"
        value = f.value(w)
        if not value <= _DIVERGED * f.value(np.zeros(f.d)):
            return f"it diverges: the next step would have F = {value:.3g}; η is too large"
        state = state.after(
            "step",
            iteration=state.iteration + 1,
            w=w,
            lowest=min(state.lowest, value),
            length=state.length + step,
            squares=state.squares + step**2 * float(g @ g),
        )
        yield state
    return f"step {steps:,} was the last: the least F so far is {state.lowest:.5g}; w has {zeros(state.w)}"


def subgradient(f: Lasso, w: Array, at_zero: float) -> Array:
    """(d,) g, one of the slopes of F at w."""
    return np.asarray(f.lam * np.where(w == 0, at_zero, np.sign(w)) - f.correlations(w))


def step_size(f: Lasso, eta: float, schedule: Schedule, t: int) -> float:
    """η_t of the t-th step, from 1; columns that are all constant have no L."""
    first = eta / (f.of.L or 1.0)
    if schedule == "constant":
        return first
    return first / t if schedule == "1/t" else first / sqrt(t)


def begun_at(f: Lasso, w: Array) -> SubgradientState:
    """The first state, at w."""
    return SubgradientState(w=w, origin=w, lowest=f.value(w))


def moved(f: Lasso, state: SubgradientState, w: Array) -> SubgradientState:
    """The state at other coefficients, with sums that begin there."""
    return state.replaced(w=w, origin=w, lowest=f.value(w), length=0.0, squares=0.0)


def adapt(before: Problem, after: Problem, state: SubgradientState, rows: Array) -> SubgradientState:
    """w stays; the sums begin anew where F is another, and go on where only the steps are."""
    same = after.data is before.data and after.parameters.ratio == before.parameters.ratio
    return state if same else moved(f_of(after), state, state.w)


@kept
def slope(problem: Problem, state: SubgradientState) -> Array:
    """(d,) g at w."""
    return subgradient(f_of(problem), state.w, problem.parameters.at_zero)


def least_excess(problem: Problem, state: SubgradientState) -> float:
    """The least F so far, less F*; NaN where rounding hides it."""
    return max(state.lowest - best(problem).value, 0.0)


def excess_bound(problem: Problem, state: SubgradientState) -> float:
    """(‖w_0 - w*‖² + Σ η²‖g‖²)/(2 Σ η)."""
    away = state.origin - best(problem).w
    return (float(away @ away) + state.squares) / (2 * state.length) if state.length else np.nan


def step_made(problem: Problem, after: SubgradientState) -> float:
    """η_t of the step that led here."""
    p, L = problem.parameters, f_of(problem).of.L or 1.0
    return float(p.eta / L / after.iteration ** _POWERS[p.schedule])


def crossing(before: SubgradientState | None, after: SubgradientState) -> Array:
    """(d,) bool, the coefficients that the step took from one side of 0 to the other."""
    return np.zeros(len(after.w), bool) if before is None else np.sign(before.w) * np.sign(after.w) < 0


def lower(before: SubgradientState | None, after: SubgradientState) -> bool:
    return before is not None and after.lowest < before.lowest


def next_w(problem: Problem, state: SubgradientState) -> Array:
    f, p = f_of(problem), problem.parameters
    return state.w - step_size(f, p.eta, p.schedule, state.iteration + 1) * subgradient(f, state.w, p.at_zero)


def stands_still(problem: Problem, state: SubgradientState) -> bool | Sides:
    """The next step would move no coefficient, and F is what it is least."""
    f, least = f_of(problem), best(problem)
    still = np.array_equal(next_w(problem, state), state.w)
    return still and Sides(("F", f.value(state.w)), ("F*", f.value(least.w)), size=1e3 * f.size(state.w))


def diverges(problem: Problem, state: SubgradientState) -> Sides:
    """The next step would go to where F is far above that of w = 0."""
    f = f_of(problem)
    far = _DIVERGED * f.value(np.zeros(f.d))
    return Sides((f"{_DIVERGED:g} F(0)", far), ("F of the next w", f.value(next_w(problem, state))), relation="<")


@once
def pair_shown(problem: Problem) -> Array:
    return pair_of(best(problem), deepest=True)


def scene(problem: Problem, before: SubgradientState | None, after: SubgradientState) -> Scene:
    names, f, aim, pair = problem.data.features, f_of(problem), best(problem), pair_shown(problem)
    earlier = None if before is None else before.w
    drag = partial(dragged, problem, pair)
    path = (kinked_path(f, aim, pair, names, after.w, moved=drag, earlier=earlier),) if f.d > 1 else ()
    return Scene(
        (
            *path,
            supporting_line(f, aim, pair, names, after.w),
            sparse_bars(names, after.w, 1.4 * float(np.abs(aim.w).max())),
            coefficient_table(problem.data, f, aim, after.w, f.correlations(after.w)),
            so_far(problem, before, after),
        )
    )


def dragged(problem: Problem, pair: Array, state: SubgradientState, to: Array) -> SubgradientState:
    """The state with a pair of its coefficients at another place."""
    w = state.w.copy()
    w[pair] = to
    return moved(f_of(problem), state, w)


def so_far(problem: Problem, before: SubgradientState | None, after: SubgradientState) -> Panel:
    return numbers(
        {
            "F": value(problem, after),
            "F* (at w*)": best(problem).value,
            "F - F*": excess(problem, after),
            "the least so far": least_excess(problem, after),
            "bound on it": excess_bound(problem, after),
            "‖w - w*‖": float(np.linalg.norm(after.w - best(problem).w)),
            "‖g‖ of the step": None if before is None else float(np.linalg.norm(slope(problem, before))),
            "‖g‖ here, of the next": float(np.linalg.norm(slope(problem, after))),
            "λ": f_of(problem).lam,
            "η of the step": step_made(problem, after) if after.iteration else None,
            "coefficients at 0": f_of(problem).d - int(in_use(problem, after)),
            "of w*": f_of(problem).d - int(in_use_at_best(problem, after)),
            "crossed 0 just now": int(crossing(before, after).sum()),
        }
    )


def explain(problem: Problem, before: SubgradientState | None, after: SubgradientState) -> str:
    now = value(problem, after)
    above = f"{excess(problem, after):.3g} above the least there is"
    if before is None:
        if after.w.any():
            return f"F = {now:.4g} here, {above}."
        some = f"At 0 |w| has every slope of [-1, 1]: {problem.parameters.at_zero:g} is taken."
        return f"w = 0: F = {now:.4g}, {above}. {some} {L_in_words(problem)}"
    was, long = value(problem, before), float(np.linalg.norm(slope(problem, before)))
    went = f"falls by {was - now:.3g}" if now < was else f"rises by {now - was:.3g}" if now > was else "stays"
    eta = f"η = {eta_in_words(problem)} = {step_made(problem, after):.3g}"
    made = f"w moves by {eta} times a subgradient {long:.4g} long"
    zero = about_zero(problem, before, after)
    begun = f" {L_in_words(problem)}" if after.t == 1 else ""  # later its letters are in the list of the theorem's page
    return f"{made}: F {went} and is {now:.4g}, {above}. {zero}{begun}"


def L_in_words(problem: Problem) -> str:
    """Say what the letters of η stand for."""
    return f"eta = {problem.parameters.eta:g}, and L = {f_of(problem).of.L:.4g} is XᵀX's greatest eigenvalue."


def eta_in_words(problem: Problem) -> str:
    """Write what η is made of."""
    return {"constant": "eta/L", "1/t": "eta/(Lt)"}.get(problem.parameters.schedule, "eta/(L√t)")


def about_zero(problem: Problem, before: SubgradientState, after: SubgradientState) -> str:
    """What became of the coefficients next to 0, and why."""
    over = np.flatnonzero(crossing(before, after))
    if len(over):
        j = int(over[np.abs(after.w - before.w)[over].argmax()])
        name, lam = problem.data.features[j], f_of(problem).lam
        others = "" if len(over) == 1 else f" ({counted(len(over) - 1, 'other')} too)"
        went = f"{name}{others} goes from {before.w[j]:.3g} to {after.w[j]:.3g}"
        sign = np.sign(before.w[j])
        back = " and sends it back" if abs(f_of(problem).correlations(after.w)[j]) < lam else ""
        return f"{went}: past 0 the slope of λ|w| flips from {lam * sign:.3g} to {-lam * sign:.3g}{back}."
    none = len(after.w) - int(in_use(problem, after))
    return "No coefficient is exactly 0." if not none else f"{counted(none, 'coefficient')} at 0 exactly."


SYMBOLS = {
    "w, w₀, w'": ("coefficients; those at which the sums begin; those after the step", None),
    "w*, F*": ("where F is least, and F there", lambda problem, state: best(problem).value),
    "F": ("½‖r‖² + λΣ|wⱼ|", value),
    "r": ("residuals y - Xw, X and y without their means", None),
    "λ": ("strength of the penalty", lambda problem, state: f_of(problem).lam),
    "g": (
        "a subgradient of F at w, which the next step takes; ‖g‖ here",
        lambda problem, state: float(np.linalg.norm(slope(problem, state))),
    ),
    "z": ("any other coefficients: w*, 0 and w' are tried", None),
    "η": (
        "size of the step, eta/L at first",
        lambda problem, state: step_made(problem, state) if state.iteration else None,
    ),
    "L": ("the greatest eigenvalue of XᵀX", lambda problem, state: f_of(problem).of.L),
    "X, x, y": ("the columns, one of them, and the targets, each less its mean", None),
    "s": ("the signs of w; at w = 0 a number from -1 to 1", None),
}
ONE_STEP = "‖w' - w*‖² = ‖w - w*‖² - 2ηg·(w - w*) + η²‖g‖²"


@theorem(
    "min F - F* <= (‖w₀ - w*‖² + Ση²‖g‖²)/(2Ση)",
    source="Shor (1985)",
    proof=(
        "‖w' - w*‖² <= ‖w - w*‖² - 2η(F - F*) + η²‖g‖² at each step; F = ½‖r‖² + λΣ|wⱼ| is convex",
        "summed: all distances cancel but the first and the last, which is >= 0",
        "so 2Ση(F - F*) <= ‖w₀ - w*‖² + Ση²‖g‖², and no F is less than the least of them",
    ),
)
def closing_in(problem: Problem, before: SubgradientState | None, after: SubgradientState) -> Answer:
    if not after.length:
        return None
    f, bound = f_of(problem), excess_bound(problem, after)
    size = f.size(best(problem).w) + f.size(after.w) + bound
    return Sides(("min F - F*", after.lowest - best(problem).value), ("(‖w₀ - w*‖² + Ση²‖g‖²)/(2Ση)", bound), size=size)


@theorem(
    "w' = w - ηg",
    source="Shor (1985)",
    about="step",
    proof=("that is the rule; g is worked out anew",),
)
def stepped(problem: Problem, before: SubgradientState, after: SubgradientState) -> Answer:
    f, step = f_of(problem), step_made(problem, after)
    size = np.abs(before.w) + step * (f.sizes(before.w) + f.lam)
    named = ("w'", after.w), ("w - ηg", before.w - step * slope(problem, before))
    return Sides.each(*named, relation="==", size=size, entries=problem.data.features)


@theorem(
    "g is a subgradient: F(w) + g·(z - w) <= F(z)",
    source="Rockafellar (1970)",
    about="step",
    proof=(
        "½‖r‖² is convex: it lies above the plane that touches it at w, of slope -Xᵀr",
        "|z| >= sz for |s| <= 1, and s w = |w|: so λ|z| >= λ|w| + λs(z - w)",
        "the sum of the two; (w - w')/η is the g of the step that was made",
    ),
)
def supports(problem: Problem, before: SubgradientState, after: SubgradientState) -> Answer:
    """With g as the step shows it, (w - w')/η, at the place among w*, 0 and w' where the line is nearest to F."""
    f, step = f_of(problem), step_made(problem, after)
    g, was = (before.w - after.w) / step, value(problem, before)
    places = {"w*": best(problem).w, "0": np.zeros(f.d), "w'": after.w}
    room = {name: f.value(z) - was - float(g @ (z - before.w)) for name, z in places.items()}
    name = min(room, key=lambda z: room[z])
    z = places[name]
    # g is a difference of coefficients divided by η: their last bits count so much more
    size = f.size(before.w) + f.size(z) + float((np.abs(before.w) + np.abs(after.w)) @ np.abs(z - before.w)) / step
    line = was + float(g @ (z - before.w))
    return Sides((f"F(w) + g·(z - w), z = {name}", line), ("F(z)", f.value(z)), size=size)


@theorem(
    "‖w' - w*‖² <= ‖w - w*‖² - 2η(F - F*) + η²‖g‖²",
    source="Shor (1985)",
    about="step",
    proof=(ONE_STEP, "g·(w - w*) >= F - F*, for g is a subgradient"),
)
def nearer(problem: Problem, before: SubgradientState, after: SubgradientState) -> Answer:
    f, step, g, u = f_of(problem), step_made(problem, after), slope(problem, before), best(problem)
    was, now, pushed = before.w - u.w, after.w - u.w, step**2 * float(g @ g)
    right = float(was @ was) - 2 * step * (value(problem, before) - u.value) + pushed
    lengths = float(before.w @ before.w + after.w @ after.w + u.w @ u.w)
    size = lengths + 2 * step * (f.size(before.w) + f.size(u.w)) + pushed
    return Sides(("‖w' - w*‖²", float(now @ now)), ("‖w - w*‖² - 2η(F - F*) + η²‖g‖²", right), size=size)


@theorem(
    "no rest at a kink: η(λ - |xⱼ·r|) <= |wⱼ' - wⱼ| where wⱼ is not 0",
    source="Boyd, Xiao and Mutapcic (2003)",
    about="step",
    proof=(
        "|wⱼ' - wⱼ| = η|gⱼ|, gⱼ = λs - xⱼ·r with |s| = 1",
        "for every number a: |λs - a| >= λ - |a|",
    ),
)
def no_rest(problem: Problem, before: SubgradientState, after: SubgradientState) -> Answer:
    f, step, off = f_of(problem), step_made(problem, after), before.w != 0
    if not off.any():
        return None
    least = step * np.maximum(f.lam - np.abs(f.correlations(before.w)), 0.0)
    size = np.abs(before.w) + step * (f.sizes(before.w) + f.lam)
    moves, names = np.abs(after.w - before.w), [problem.data.features[j] for j in np.flatnonzero(off)]
    return Sides.each(("η(λ - |xⱼ·r|)", least[off]), ("|wⱼ' - wⱼ|", moves[off]), size=size[off], entries=names)


@theorem(
    "min F, Ση and Ση²‖g‖² take in F(w') and this step's",
    source="Shor (1985)",
    about="step",
    proof=("that is what they are the least and the sums of; F and g are worked out anew",),
)
def kept_account(problem: Problem, before: SubgradientState, after: SubgradientState) -> Answer:
    f, step, g = f_of(problem), step_made(problem, after), slope(problem, before)
    anew = min(before.lowest, f.value(after.w)), before.length + step, before.squares + step**2 * float(g @ g)
    steepest = float(np.sum((f.sizes(before.w) + f.lam) ** 2))
    sizes = f.size(after.w), after.length, after.squares + step**2 * steepest
    sides = ("as kept", np.array([after.lowest, after.length, after.squares])), ("anew", np.array(anew))
    return Sides.each(*sides, relation="==", size=np.array(sizes), entries=("min F", "Ση", "Ση²‖g‖²"))


THEOREMS = (closing_in, stepped, supports, nearer, no_rest, kept_account)

ALGORITHM = Algorithm(
    lasso_subgradient,
    title="Lasso by subgradient descent",
    point="It zigzags about the corner, and comes near zero without ever standing on it.",
    after=("lasso_coordinate_descent",),
    leaves_open="Steps are counted: that the least is near is known by its bound alone.",
    tries=(("η falls as 1/√t", "-p schedule=1/sqrt(t)"), ("η falls as 1/t", "-p schedule=1/t")),
    asks=(
        Ask.way("Against a subgradient: what does F do?", "objective"),
        Ask.way("Against a subgradient: what does the error on rows held out do?", '"held-out error"'),
    ),
    summary="Steps against a subgradient of squared error plus λ Σ|w|: near the best, but never exactly at its zeros.",
    rule="g = -Xᵀ(y - Xw) + λ s,  s = sign of w, at 0 in [-1, 1]\nw <- w - ηₜ g",
    # beyond, the squares of products overflow or vanish
    needs=Needs(target="number", most_features=2_000, within=(1e-70, 1e30)),
    phases={"start": "w = 0", "step": "against a subgradient of F"},
    events=(Event("F is lower than ever", lower),),
    curves=(
        Curve("excess", excess, "F(w) - F(w*)", chart="above the least", log=True),
        Curve("least so far", least_excess, "min F - F(w*)", chart="above the least", log=True),
        Curve("bound", excess_bound, "(‖w₀ - w*‖² + Ση²‖g‖²)/(2Ση)", chart="above the least", log=True),
        Curve("objective", value, "F(w) = ½‖r‖² + λ Σ|wⱼ|"),
        Curve("coefficients in use", in_use, "how many are not 0"),
        Curve("in use in w*", in_use_at_best, "how many of w* are not 0", chart="coefficients in use"),
        Curve("size of what should be 0", largest_of_zeros, "max |wⱼ| where wⱼ* = 0", log=True),
        Curve("error", error, "mean squared error", held_out=True),
    ),
    objective={("objective", "excess", "least so far", "bound"): ("ratio",)},
    theorems=THEOREMS,
    ends={
        "step … was the last: the least F so far is …; w has … at 0": reached("steps"),
        "the subgradient is 0: F is least here": stands_still,
        "it diverges: the next step would have F = …": diverges,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(
        prostate.with_(scale=True, hold_out=0.25),
        diabetes.with_(scale=True),
        sparse,
        line,
    ),
)
