"""Dual ascent: raise the least of the Lagrangian, and let the multipliers choose the point.

    minimise f(x) under g_i(x) <= 0;     L(x, α) = f(x) + Σ α_i g_i(x),   θ(α) = min over x of L(x, α)

    x <- a global minimum of L(·, α)         α <- max(0, α + η g(x))

The multiplier of an equality g_i = 0 is not held above 0. For α >= 0 a point that meets the constraints has
L(x, α) <= f(x), so that θ(α) <= p*, the least f: no α says too much. For α < 0 nothing of that is so, and a local
minimum of L would not do. θ is the least of functions that are straight in α: it is concave, and g(x) is a slope,

    θ(β) <= θ(α) + g(x)·(β - α)   for every β,

so a short step along g(x) raises it wherever it is smooth. Where two points are equally good it has a kink, and a
step of fixed length may lower it; with backtracking the step is halved until θ rises by a quarter of what its slope
promises. With no slope of ∇θ above M and η <= 1/M, θ* - θ(α_T) <= ‖α_0 - α*‖²/(2ηT).

If f and g are convex and some point meets the constraints strictly (Slater), or they are straight, then θ* = p*; at
the end α_i g_i = 0 and ∇f + Σ α_i ∇g_i = 0: the forces of the walls that are touched hold the point. Without
convexity a gap may stay, however long it runs, and need not.

References: Kuhn and Tucker (1951), Nonlinear programming, Berkeley Symposium; Slater (1950), Lagrange multipliers
revisited, Cowles Commission; Uzawa (1958), Iterative methods for concave programming; Polyak (1987), Introduction to
Optimization, chapter 9; Boyd and Vandenberghe (2004), Convex Optimization, chapter 5; Bertsekas (1999), Nonlinear
Programming, chapter 6.
"""

from typing import Annotated

import numpy as np

from algorithms.core import Algorithm, Array, Ask, Curve, Meta, Needs, Problem, Run, Scene, Sides
from algorithms.core.text import change
from algorithms.families.duality.dual_ascent.constrained import CONSTRAINED, ConstrainedName
from algorithms.families.duality.dual_ascent.measures import (
    DualAscentState,
    constrained,
    gap,
    multiplier,
    slack,
    theta,
    violation,
)
from algorithms.families.duality.dual_ascent.multipliers import (
    ascent,
    chosen,
    first,
    is_bound,
    where_it_ends,
    why_they_grow,
    written,
)
from algorithms.families.duality.dual_ascent.pictures import (
    TONES,
    between_forces,
    constraints,
    dual_over_each,
    duality,
    named,
    under_the_wall,
)
from algorithms.families.duality.dual_ascent.theorems import CHOICES, THEOREMS
from algorithms.toolbox.ends import reached

_STILL = 1e-7  # of the multipliers: a shorter move is none
_FAR = 1e6  # multipliers beyond it do not come back


def dual_ascent(
    state: DualAscentState | None = None,
    *,
    problem: Annotated[ConstrainedName, Meta(description="what is minimised, under which constraints")] = "half-planes",
    eta: Annotated[float, Meta(ge=1e-4, le=100, description="step size η, or the longest one tried")] = 0.15,
    backtracking: Annotated[bool, Meta(description="halve the step until θ rises enough")] = False,
    below_zero: Annotated[bool, Meta(description="multipliers of g <= 0 may go below 0: θ is no bound then")] = False,
    start: Annotated[
        tuple[Annotated[float, Meta(ge=-20, le=20)], ...],
        Meta(min_length=1, max_length=3, description="the first multipliers; one number for all"),
    ] = (0.0,),
    steps: Annotated[int, Meta(ge=1, le=100_000, description="steps at most")] = 1000,
) -> Run[DualAscentState]:
    of = CONSTRAINED[problem]
    if state is None:
        alpha = first(of, start)
        state = DualAscentState(alpha=alpha, x=chosen(of, alpha))
        yield state
    while True:
        if state.phase == "multipliers":
            state = state.after("point", x=chosen(of, state.alpha))
            yield state
        if state.iteration >= steps:
            return f"iteration {steps:,} was the last: {where_it_ends(of, state.alpha)}"
        alpha, step = ascent(of, state.alpha, of.g(state.x), eta, backtracking, below_zero)
        if np.abs(alpha - state.alpha).max() <= _STILL * max(1.0, float(np.abs(alpha).max())):
            still = "no step raises θ" if step < eta else "no multiplier moves"
            return f"{still} any more: {where_it_ends(of, state.alpha)}"
        if np.abs(alpha).max() > _FAR:
            return why_they_grow(of, eta, backtracking)
        if of.least(alpha) is None:
            return f"at α = {written(alpha)} L falls without end: θ = -∞, and no point is chosen"
        state = state.after("multipliers", iteration=state.iteration + 1, alpha=alpha, eta=step)
        yield state


def next_multipliers(problem: Problem, state: DualAscentState) -> Array:
    of, p = constrained(problem), problem.parameters
    return ascent(of, state.alpha, of.g(chosen(of, state.alpha)), p.eta, p.backtracking, p.below_zero)[0]


def stands_still(problem: Problem, state: DualAscentState) -> bool | Sides:
    """From the x that belongs to α, the step would move no multiplier."""
    following = next_multipliers(problem, state)
    room = _STILL * max(1.0, float(np.abs(following).max()))
    moved = float(np.abs(following - state.alpha).max())
    return state.phase in CHOICES and Sides(("most that an α moves", moved), ("nothing", room))


def far_away(problem: Problem, state: DualAscentState) -> bool | Sides:
    largest = float(np.abs(next_multipliers(problem, state)).max())
    return state.phase in CHOICES and Sides(("far", _FAR), ("the largest α next", largest), relation="<")


def bottomless(problem: Problem, state: DualAscentState) -> bool:
    """At the multipliers that come next L has no least value."""
    return state.phase in CHOICES and constrained(problem).least(next_multipliers(problem, state)) is None


def validate(problem: Problem) -> str | None:
    here, p = constrained(problem), problem.parameters
    if len(p.start) not in (1, here.m):
        return f"start holds {len(p.start)} multipliers; {p.problem} has {here.m}: give one number, or so many."
    if here.least(first(here, p.start)) is None:
        most = here.multipliers[0]
        return f"L falls without end at such a start, and no point is chosen: begin {p.problem} at {most:g} or below."
    return None


def scene(problem: Problem, before: DualAscentState | None, after: DualAscentState) -> Scene:
    here, begin = constrained(problem), first(constrained(problem), problem.parameters.start)
    reach = 1.6 * max(float(np.abs(here.multipliers).max()), float(np.abs(begin).max()), 0.5)

    def dragged(state: DualAscentState, alpha: Array) -> DualAscentState:
        x = here.least(alpha)
        return state if x is None else state.replaced(alpha=alpha, x=x)

    return Scene(
        (
            between_forces(here, after.x, after.alpha, lambda state: state.x, here.formula),
            dual_over_each(here, after.x, after.alpha, dragged, reach),
            constraints(here, after.x, after.alpha),
            *(() if here.signed.any() else (under_the_wall(here, after.x, after.alpha),)),
            duality(here, after.x, after.alpha),
        )
    )


def explain_choice(problem: Problem, before: DualAscentState | None, after: DualAscentState) -> str:
    here, value = constrained(problem), theta(problem, after)
    where = f"With α = {written(after.alpha)} L is least at x = {written(after.x)}: θ = {value:.4g}"
    if before is None and not after.t:
        where = f"f = {here.formula} is to be least where {' and '.join(here.texts)}. {where}"
    if not is_bound(here, after.alpha):
        return f"{where}. With a multiplier below 0 that is no bound: p* = {here.optimum:.4g}."
    return f"{where}, so p* cannot be lower. p* = {here.optimum:.4g}; {here.broken(after.x)}."


def explain_multipliers(problem: Problem, before: DualAscentState | None, after: DualAscentState) -> str:
    here = constrained(problem)
    if before is None:
        return f"The multipliers are {written(after.alpha)}; the point they choose comes next."
    g, changes = here.g(before.x), np.abs(after.alpha - before.alpha)
    i = int(changes.argmax())
    name = named("α", i, here.m)
    moved = f"{name} goes {change(before.alpha.item(i), after.alpha.item(i))}"
    if not after.eta:
        return f"{moved}: multipliers of inequalities begin at 0 or above."
    rise = theta(problem, after) - theta(problem, before)
    gained = f"θ {'rises' if rise >= 0 else 'falls'} by {abs(rise):.3g}"
    short = changes[i] < abs(after.eta * g[i]) * (1 - 1e-9)
    far = f"by {'less than ' if short else ''}η g with η = {after.eta:.3g}{', for it stops at 0' if short else ''}"
    cause = "is broken" if g[i] > 0 or here.constraints[i].equality else "has room"
    return f"{here.constraints[i].text} {cause}, g = {g[i]:.3g}: {moved}, {far}. {gained}."


def weight(i: int) -> Curve:
    """The curve of one multiplier."""
    return Curve(
        named("α", i, 3), lambda problem, state: multiplier(problem, state, i), "", chart="multipliers", tone=TONES[i]
    )


SYMBOLS = {
    "x, x*": ("the point in hand, and the one that solves the problem", None),
    "f, p*": ("what is minimised, and its least value under the constraints", lambda p, s: constrained(p).optimum),
    "g": ("constraints, g <= 0 or g = 0; the worst violation here", violation),
    "α, α*": ("multipliers, one a constraint, and those where θ is greatest", None),
    "L(x, α)": ("f(x) + Σ α g(x)", lambda p, s: float(constrained(p).lagrangian(s.x, s.alpha))),
    "θ, θ*": ("the least L over x, and the greatest θ", theta),
    "η": ("step size", lambda problem, state: problem.parameters.eta),
    "M": ("what no slope of ∇θ exceeds", lambda problem, state: constrained(problem).L),
    "μ": ("least curvature of f in any direction", lambda problem, state: constrained(problem).mu),
    "β": ("any multipliers", None),
    "T": ("steps made", lambda problem, state: state.iteration),
    "α'": ("those after a step", None),
}


ALGORITHM = Algorithm(
    dual_ascent,
    title="Dual ascent",
    point="What the constraints forbid is made to cost more, until the point moves in by itself.",
    leaves_open="That the gap closes needs a convex problem.",
    tries=(
        ("not convex: wells", "-p problem=wells -p eta=0.5 -p backtracking=true"),
        ("prices below 0", "-p below_zero=true"),
    ),
    asks=(
        Ask.way("What does α₂ do?", "α₂", "point"),
        Ask.way("x goes to where L is least: what does Σ|α g| do?", '"Σ|α g|"', "multipliers"),
    ),
    summary="Raises the least of the Lagrangian; what constraints would forbid, the multipliers come to cost.",
    rule="x <- argmin over x of L(x, α),  L = f(x) + Σ α g(x)\nα <- max(0, α + η g(x))",
    needs=Needs(data=False),
    phases={
        "start": "the first multipliers, and the point they choose",
        "multipliers": "α goes along g(x): broken constraints cost more",
        "point": "x goes to where L(·, α) is least",
    },
    fork_after=("start", "point"),
    start_only=("problem", "start"),
    curves=(
        Curve("θ", theta, "min L(x, α)", chart="θ and p*"),
        Curve("p*", lambda problem, state: constrained(problem).optimum, "f(x*)", chart="θ and p*", tone="ink"),
        Curve("gap", gap, "p* - θ(α)", log=True),
        *(weight(i) for i in range(3)),
        Curve("Σ|α g|", slack, "complementary slackness: 0 at the end", phases=CHOICES, log=True),
        Curve("violation", violation, "greatest g(x), or |g(x)|", phases=CHOICES),
    ),
    objective={("θ", "p*", "gap"): ("problem",)},
    theorems=THEOREMS,
    ends={
        "iteration … was the last: …": reached("steps", "iteration", "start", "point"),
        "no step raises θ any more: …": stands_still,
        "no multiplier moves any more: …": stands_still,
        "the multipliers grow without end: …": far_away,
        "at α = … L falls without end: …": bottomless,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={"start": explain_choice, "multipliers": explain_multipliers, "point": explain_choice},
    validate=validate,
    settings=(
        {"problem": "half-planes"},
        {"problem": "svm", "eta": 0.12},
        {"problem": "line", "eta": 0.1, "start": (1.0,)},
        {"problem": "two rows", "eta": 0.1},
        {"problem": "circle", "eta": 1.0, "backtracking": True},
        {"problem": "kink", "eta": 0.3, "steps": 60},
        {"problem": "wells", "eta": 0.5, "backtracking": True},
        {"problem": "trust region", "eta": 1.0, "backtracking": True},
        {"problem": "slack", "eta": 0.5, "backtracking": True},
    ),
)
