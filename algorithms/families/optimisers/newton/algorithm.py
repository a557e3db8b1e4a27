"""Newton's method on a function of the plane: step to where the local quadratic is flat, again and again.

    q(z) = f(x) + g·(z - x) + ½ (z - x)ᵀH(z - x)      f's value, slope g and curvature H at x
    solve   H d = -g                                  so that ∇q(x + d) = 0
    step    x <- x + d

On a quadratic q is f, so one step ends it. Where H changes by at most M a unit of length between x and a place x* with
∇f(x*) = 0, and no curvature at x is smaller in size than μ,

    ‖x' - x*‖  <=  M/(2μ) ‖x - x*‖²:

near x* the digits that are right double with every step. But x* is any place where f is flat: where a curvature is
negative the step goes up along it, and a saddle or a maximum draws x as a minimum does. Far away q says little of f,
and f may rise.

Damped, both are mended. With H = Σ λ vvᵀ, M = Σ |λ| vvᵀ takes the place of H, so that d points down (where λ = 0, the
greatest |λ| is taken), and

    halve   s <- s/2   while   f(x + s d) > f(x) + ¼ s g·d
    step    x <- x + s d

A small enough s passes the test, for f's slope along d is g·d < 0; so f falls at every step.

References: Newton (1669) and Raphson (1690), Analysis aequationum universalis; Kantorovich (1948), Functional analysis
and applied mathematics, Uspekhi Mat. Nauk 3; Armijo (1966), Minimization of functions having Lipschitz continuous first
partial derivatives, Pacific Journal of Mathematics 16; Greenstadt (1967), On the relative efficiencies of gradient
methods, Mathematics of Computation 21 (|λ| for λ); Nocedal and Wright (2006), Numerical Optimization, sections 3.3 and
3.4.
"""

from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    DoesNotApply,
    Event,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    columns,
    kept,
    numbers,
    theorem,
)
from algorithms.families.optimisers.newton.line_search import ENOUGH, SHORTEST, falls_enough
from algorithms.families.optimisers.shared.descent import Descent, excess, function_of, gradient, slope, value
from algorithms.families.optimisers.shared.levels_pictures import path_over_levels
from algorithms.families.optimisers.shared.local_quadratic_pictures import along_step, level_line
from algorithms.toolbox.ends import reached
from algorithms.toolbox.functions import FLAT, FUNCTIONS, Function, FunctionName, place, where_it_is_flat

COORDINATES = ("x₁", "x₂")
_FAR = 1e6  # from the middle: it will not come back
NOT_NEWTON = "a curvature is negative: damped, the step is not Newton's"
_STRAIGHT = 1e-12  # of the greatest curvature: a smaller one is rounding


class NewtonState(Descent, frozen=True, kw_only=True):  # and with it x
    d: Array  # (2,) Newton's direction, as of the last `solve`
    s: float = 1.0  # how much of it is to be tried, or was just taken


def newton(
    state: NewtonState | None = None,
    *,
    function: Annotated[FunctionName, Meta(description="what is descended")] = "rosenbrock",
    damped: Annotated[bool, Meta(description="|λ| in place of λ, and as far only as f falls")] = True,
    start: Annotated[
        tuple[Annotated[float, Meta(ge=-10, le=10)], ...],
        Meta(min_length=2, max_length=2, description="where it begins, across and up"),
    ] = (-1.2, 1.0),
    steps: Annotated[int, Meta(ge=1, le=10_000, description="steps at most")] = 100,
) -> Run[NewtonState]:
    f = FUNCTIONS[function]
    if state is None:
        state = NewtonState(x=np.array(start), d=np.zeros(2))
        yield state
    while True:
        if state.phase in ("start", "step"):
            if np.linalg.norm(f.gradient(state.x)) < FLAT:
                return f"the slope is 0 to nine digits {where_it_is_flat(f, state.x)}"
            if np.abs(state.x).max() > _FAR:
                return "x goes away without end" if f.minima else "f falls without end: it has no minimum"
            if state.iteration >= steps:
                return f"iteration {steps:,} was the last"
            if not damped and straight(f, state.x):
                return f"H is singular at {place(state.x)}: there q has no place where it is flat"
            state = state.after("solve", iteration=state.iteration + 1, d=direction(f, state.x, damped), s=1.0)
            yield state
        while damped and not falls_enough(f, state.x, state.d, state.s):
            if state.s < SHORTEST:
                return "no step lowers f by what g·d promises: it is lost in rounding"
            state = state.after("halve", s=state.s / 2)
            yield state
        state = state.after("step", x=state.x + state.s * state.d)
        yield state


def straight(f: Function, x: Array) -> bool:
    """Whether f has no curvature at x in some direction."""
    sizes = np.abs(f.curvatures(x)[0])
    return bool(sizes.min() <= _STRAIGHT * sizes.max())


def divisors(f: Function, x: Array, damped: bool) -> tuple[Array, Array]:
    """(2,) what the slope is divided by along each of the (2, 2) directions: λ; damped |λ|, the greatest for 0."""
    curvatures, directions = f.curvatures(x)
    if not damped:
        return curvatures, directions
    sizes = np.abs(curvatures)
    return np.where(sizes > _STRAIGHT * sizes.max(), sizes, sizes.max()), directions


def direction(f: Function, x: Array, damped: bool) -> Array:
    """(2,) d with Hd = -g; damped, with |λ| for each eigenvalue of H."""
    curvatures, directions = divisors(f, x, damped)
    return np.asarray(-(directions @ f.gradient(x) / curvatures) @ directions)


@kept
def eigen(problem: Problem, state: NewtonState) -> tuple[Array, Array]:
    """The curvatures λ (2,) at x, the steepest first, and their directions (2, 2)."""
    return function_of(problem).curvatures(state.x)


def distance(problem: Problem, state: NewtonState) -> float:
    """From x to the place next to it where f is flat."""
    return float(np.linalg.norm(state.x - function_of(problem).nearest_critical(state.x)))


def promise(problem: Problem, state: NewtonState) -> float:
    """g·d, the slope of f along d at x."""
    return float(gradient(problem, state) @ state.d)


def condition(problem: Problem, state: NewtonState) -> float:
    """The greatest curvature over the least, in size: by so much more than in H rounding tells in d."""
    sizes = np.abs(eigen(problem, state)[0])
    return float(sizes.max() / sizes.min()) if sizes.min() > 0 else 1 / _STRAIGHT


def is_damped(problem: Problem, state: NewtonState) -> bool | str:
    return problem.parameters.damped or "the step is not damped: it goes where q is flat, be it up or down"


def is_quadratic(problem: Problem, state: NewtonState) -> bool | str:
    return function_of(problem).quadratic or "f is not quadratic: q is f at x only"


def keeps_signs(problem: Problem, state: NewtonState) -> bool | str:
    whole = not problem.parameters.damped or function_of(problem).convex
    return whole or "damped, it goes down along the negative curvature, where there is no end"


def smooth(problem: Problem, state: NewtonState) -> bool | str:
    return function_of(problem).third is not None or "H is not continuous: f has an edge in its curvature"


def whole(problem: Problem, state: NewtonState) -> bool | str:
    return state.s == 1 or f"only s = {state.s:.3g} of the step was taken"


def upward(problem: Problem, state: NewtonState) -> bool | str:
    """Ask x, where the step began."""
    curvatures = np.linalg.eigvalsh(function_of(problem).hessian(state.x - state.s * state.d))
    return not problem.parameters.damped or curvatures.min() > 0 or NOT_NEWTON


def cut_short(before: NewtonState | None, after: NewtonState) -> bool:
    return after.phase == "step" and after.s < 1


def flat(problem: Problem, state: NewtonState) -> bool | Sides:
    return state.phase in ("start", "step") and Sides(("‖g‖", slope(problem, state)), ("0", FLAT), relation="<")


def far_away(problem: Problem, state: NewtonState) -> bool | Sides:
    return state.phase in ("start", "step") and Sides(("far", _FAR), ("|x|", np.abs(state.x).max()), relation="<")


def singular(problem: Problem, state: NewtonState) -> bool | Sides:
    sizes = np.abs(eigen(problem, state)[0])
    return state.phase in ("start", "step") and Sides(("least |λ|", sizes.min()), ("0", _STRAIGHT * sizes.max()))


def no_step_falls(problem: Problem, state: NewtonState) -> bool | Sides:
    """Not even the shortest step goes where f is lower by a quarter of what its slope promises."""
    f, here = function_of(problem), value(problem, state)
    if state.phase not in ("solve", "halve") or state.s >= SHORTEST:
        return False
    most = here + ENOUGH * state.s * promise(problem, state)
    return Sides(("f(x) + ¼ s g·d", most), ("f(x + s d)", float(f.value(state.x + state.s * state.d))), relation="<")


def scene(problem: Problem, before: NewtonState | None, after: NewtonState) -> Scene:
    f = function_of(problem)
    stepping = before is not None and after.phase == "step"
    origin = before if stepping and before is not None else after  # where the quadratic touches
    H, flat = f.hessian(origin.x), None if straight(f, origin.x) else origin.x + direction(f, origin.x, False)
    picture = path_over_levels(
        f.value,
        f.window,
        after.x,
        where=lambda state: state.x,
        moved=lambda state, to: state.replaced(x=to),
        earlier=origin.x if stepping else None,
        marked={"x*": f.minima, "saddle": f.saddles, "maximum": f.maxima},
        title=f"{problem.parameters.function}: the path, and q = f(x)",
        marks=level_line(f, origin.x, H, flat, f"q = f(x){' of the x before' * stepping}"),
    )
    d = np.zeros(2) if after.phase == "step" and before is None else after.d  # across a fork it began elsewhere
    tested = along_step(f, origin.x, H, d, after.s, ENOUGH if problem.parameters.damped else None)
    return Scene((picture, *tested, curvature(problem, after), numbers(so_far(problem, after))))


def curvature(problem: Problem, state: NewtonState) -> Panel:
    """The directions in which f curves most and least at x, and how far a step goes along each."""
    curvatures, directions = eigen(problem, state)
    along = directions @ gradient(problem, state)
    divided = divisors(function_of(problem), state.x, problem.parameters.damped)[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        moves = np.where(divided != 0, -along / divided, np.nan)
    heads = {"x₁ of v": directions[:, 0], "x₂ of v": directions[:, 1], "λ": curvatures, "v·g": along, "v·d": moves}
    return columns("curvature at x", heads)


def so_far(problem: Problem, state: NewtonState) -> dict[str, float | str | None]:
    return {
        "f": function_of(problem).formula,
        "x₁": float(state.x[0]),
        "x₂": float(state.x[1]),
        "f(x)": value(problem, state),
        "f*": function_of(problem).lowest,
        "s": state.s,
    }


def explain_start(problem: Problem, before: NewtonState | None, after: NewtonState) -> str:
    curvatures = eigen(problem, after)[0]
    return (
        f"f(x) = {value(problem, after):.4g}, the gradient is {slope(problem, after):.3g} long, and f curves by "
        f"λ = {curvatures[0]:.3g} and {curvatures[1]:.3g} here. q has the same value, slope and curvatures."
    )


def explain_solve(problem: Problem, before: NewtonState | None, after: NewtonState) -> str:
    curvatures, directions = eigen(problem, after)
    long, down = float(np.linalg.norm(after.d)), promise(problem, after)
    if curvatures.min() > 0:
        return (
            f"λ = {curvatures[0]:.3g} and {curvatures[1]:.3g} > 0: q has its minimum {long:.3g} away, "
            f"{-down / 2:.3g} below f(x)."
        )
    negative = f"λ = {curvatures.min():.3g} along {place(directions[curvatures.argmin()], 2)}"
    if problem.parameters.damped:
        instead = "the greatest λ" if straight(function_of(problem), after.x) else "|λ|"
        return f"{negative}: q has no minimum. With {instead} in its place d points down: g·d = {down:.3g}."
    way, kind = "up" if down > 0 else "down", "a maximum" if curvatures.max() < 0 else "a saddle"
    return f"{negative}: q is flat at {kind}, and d goes there, {long:.3g} away, {way}hill at first."


def explain_halve(problem: Problem, before: NewtonState | None, after: NewtonState) -> str:
    there = float(function_of(problem).value(after.x + 2 * after.s * after.d))
    return (
        f"Too far: with s = {2 * after.s:.3g} f would be {there:.4g}, beside {value(problem, after):.4g} here, and q "
        f"is no longer f. s = {after.s:.3g} is tried."
    )


def explain_step(problem: Problem, before: NewtonState | None, after: NewtonState) -> str:
    now, away = value(problem, after), distance(problem, after)
    if before is None:
        return f"f(x) = {now:.4g} here; the next step begins at {place(after.x)}."
    # to the same place before and after, which need not be the one next to where the step began
    was, aim = value(problem, before), function_of(problem).nearest_critical(after.x)
    earlier = float(np.linalg.norm(before.x - aim))
    change = (
        f"{'falls' if now < was else 'rises'} from {was:.4g} to {now:.4g}"
        if f"{was:.4g}" != f"{now:.4g}"
        else f"stays at about {now:.4g}"
    )
    much, long = (
        "The whole step" if after.s == 1 else f"s = {after.s:.3g} of the step",
        np.linalg.norm(after.x - before.x),
    )
    moved = f"{much} moves x by {long:.3g}, and f {change}."
    return f"{moved} " + ("f is flat here." if away == 0 else f"To x* it is {away:.2g}; it was {earlier:.2g}.")


SYMBOLS = {
    "x": ("where it stands, (x₁, x₂)", None),
    "g, ∇f": ("gradient of f at x", slope),
    "H": ("Hessian of f at x: how the gradient changes", None),
    "q": ("the quadratic with f's value, gradient and Hessian at x", None),
    "d": (
        "Newton's direction: q, where it was solved for, is flat at x + d",
        lambda problem, state: float(np.linalg.norm(state.d)),
    ),
    "s": ("how much of d is taken", lambda problem, state: state.s),
    "λ, v": ("an eigenvalue of H and its direction", lambda problem, state: float(eigen(problem, state)[0].min())),
    "μ": ("what the slope is divided by: λ; damped |λ|, for 0 the greatest; in the bound the least in size", None),
    "M": ("how much H changes a unit between x and x*, at most", None),
    "x*": ("the minimum, saddle or maximum next to x'", None),
}


@theorem(
    "the error is squared: ‖x' - x*‖ <= M/(2μ) ‖x - x*‖²",
    source="Kantorovich (1948)",
    about="step",
    phases=("step",),
    hypotheses={
        "H is Lipschitz continuous": smooth,
        "s = 1: the whole step is taken": whole,
        "damped: no curvature at x is negative": upward,
    },
    proof=(
        "x' - x* = H⁻¹[H(x)(x - x*) - (∇f(x) - ∇f(x*))], for ∇f(x*) = 0: minimum or not",
        "over t in [0, 1]: ∇f(x) - ∇f(x*) = ∫ H(x + t(x* - x))(x - x*) dt",
        "‖H(x) - H(x + t(x* - x))‖ <= t M ‖x - x*‖; here M is found at an end of the way",
        "‖H⁻¹‖ = 1/μ, and ∫ t dt = ½",
    ),
)
def error_is_squared(problem: Problem, before: NewtonState, after: NewtonState) -> Answer:
    f, damped = function_of(problem), problem.parameters.damped
    curvatures = eigen(problem, before)[0]
    if damped and curvatures.min() <= 0:
        return DoesNotApply(NOT_NEWTON)  # and not but by the rounding of x' - d
    if f.third is None or straight(f, before.x):
        return DoesNotApply("f is straight in some direction")
    aim = f.nearest_critical(after.x)
    was, now = float(np.linalg.norm(before.x - aim)), float(np.linalg.norm(after.x - aim))
    along = (aim - before.x) / (was or 1.0)
    M = max(float(np.linalg.norm(f.third(end, along), 2)) for end in (before.x, aim))
    bound = M / (2 * float(np.abs(curvatures).min())) * was**2
    size = condition(problem, before) * (was + float(np.linalg.norm(aim)))
    return Sides(("‖x' - x*‖", now), ("M/(2μ) ‖x - x*‖²", bound), size=size)


@theorem(
    "d is slope over curvature: μ v·d = -v·g",
    source="Raphson (1690)",
    about="step",
    phases=("solve",),
    proof=("∇q(x + d) = g + Hd = 0; along an eigenvector v·Hd = λ v·d", "damped, μ = |λ| takes the place of λ"),
)
def solved(problem: Problem, before: NewtonState, after: NewtonState) -> Answer:
    curvatures, directions = np.linalg.eigh(function_of(problem).hessian(after.x))
    if problem.parameters.damped:
        sizes = np.abs(curvatures)
        curvatures = np.where(sizes > _STRAIGHT * sizes.max(), sizes, sizes.max())
    along, g = directions.T @ after.d, directions.T @ gradient(problem, after)
    size = slope(problem, after) + float(np.abs(curvatures).max() * np.linalg.norm(after.d))
    of_v = "v of the least λ", "v of the greatest λ"
    return Sides.each(("μ v·d", curvatures * along), ("-v·g", -g), relation="==", size=size, entries=of_v)


@theorem(
    "damped: d points down, g·d < 0",
    source="Greenstadt (1967)",
    about="step",
    phases=("solve",),
    hypotheses={"the step is damped": is_damped},
    proof=("g·d = -Σ (v·g)²/|λ| < 0 for g ≠ 0",),
)
def points_down(problem: Problem, before: NewtonState, after: NewtonState) -> Answer:
    return Sides(("g·d", promise(problem, after)), ("0", 0.0), relation="<")


@theorem(
    "s is halved only where f falls too little",
    source="Armijo (1966)",
    about="step",
    phases=("halve",),
    hypotheses={"the step is damped": is_damped},
    proof=("that is the rule",),
)
def halved_for_a_reason(problem: Problem, before: NewtonState, after: NewtonState) -> Answer:
    f = function_of(problem)
    most = value(problem, after) + ENOUGH * before.s * promise(problem, after)
    there = float(f.value(after.x + before.s * after.d))
    return Sides(("f(x) + ¼ s g·d", most), ("f(x + s d)", there), relation="<")


@theorem("x' = x + s d", source="Raphson (1690)", about="step", phases=("step",), proof=("that is the rule",))
def stepped(problem: Problem, before: NewtonState, after: NewtonState) -> Answer:
    aim, size = before.x + before.s * before.d, np.abs(before.x) + np.abs(before.s * before.d)
    return Sides.each(("x'", after.x), ("x + s d", aim), relation="==", size=size, entries=COORDINATES)


@theorem(
    "damped: f(x') <= f(x) + ¼ s g·d, so f falls",
    source="Armijo (1966)",
    about="step",
    phases=("step",),
    hypotheses={"the step is damped": is_damped},
    proof=("s is halved until it is so; f(x + s d) = f(x) + s g·d but for s²: a small s will do",),
)
def falls(problem: Problem, before: NewtonState, after: NewtonState) -> Answer:
    f = function_of(problem)
    bound = value(problem, before) + ENOUGH * after.s * promise(problem, before)
    size, forgiven = f.size(before.x) + f.size(after.x), 1e-15 * (1 + abs(value(problem, before)))
    # the test forgives what f is rounded to
    return Sides(("f(x')", value(problem, after)), ("f(x) + ¼ s g·d", bound), size=size, slack=forgiven)


@theorem(
    "quadratic: one step ends where f is flat",
    source="Nocedal and Wright (2006)",
    about="step",
    phases=("step",),
    hypotheses={"f is quadratic": is_quadratic, "μ = λ": keeps_signs},
    proof=("q = f, so ∇f(x + d) = ∇q(x + d) = 0; and q falls by -½ g·d, enough for the whole step",),
)
def ends_at_once(problem: Problem, before: NewtonState, after: NewtonState) -> Answer:
    size = condition(problem, before) * float(np.linalg.norm(before.x))
    return Sides.each(("x'", after.x), ("x*", 0.0), relation="==", size=size, entries=COORDINATES)


THEOREMS = (error_is_squared, solved, points_down, halved_for_a_reason, stepped, falls, ends_at_once)

ALGORITHM = Algorithm(
    newton,
    title="Newton's method",
    point="Where the valley is nearly a parabola, one step lands almost at its bottom.",
    after=("gradient_descent",),
    also=("newton raphson",),
    leaves_open="A slope of 0 alone does not tell a minimum from a saddle.",
    tries=(("whole steps", "-p damped=false"), ("a saddle", "-p function=saddle -p damped=false -p start=-2,0.5")),
    asks=(
        Ask("Is the whole step too long, so that it is halved?", "halve", "solve"),
        Ask.way("x moves downhill, or stays: what does the slope do?", "slope", "solve or halve"),
    ),
    summary="Steps to where the local quadratic of a function of the plane is flat.",
    rule="solve  H d = -g   (damped: with |λ| for λ)\nhalve  s <- s/2  while f falls too little\nstep   x <- x + s d",
    needs=Needs(data=False),
    phases={
        "start": "x is where it begins",
        "solve": "to where the local quadratic is flat",
        "halve": "half as far, since f would not fall enough",
        "step": "x moves",
    },
    events=(Event("a step was cut short", cut_short), "step"),
    fork_after=("start", "step"),
    start_only=("start",),
    curves=(
        Curve("distance", distance, "‖x - x*‖", log=True),
        Curve("objective", value, "f(x)"),
        Curve("excess", excess, "f(x) - f*", log=True),
        Curve("slope", slope, "‖g‖", log=True),
    ),
    objective={("objective", "excess", "slope", "distance"): ("function",)},
    theorems=THEOREMS,
    ends={
        "the slope is 0 to nine digits …": flat,
        "x goes away without end": far_away,
        "f falls without end: it has no minimum": far_away,
        "iteration … was the last": reached("steps", "iteration", "start", "step"),
        "H is singular at …: there q has no place where it is flat": singular,
        "no step lowers f by what g·d promises: it is lost in rounding": no_step_falls,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={"start": explain_start, "solve": explain_solve, "halve": explain_halve, "step": explain_step},
    settings=(
        {"function": "rosenbrock"},
        {"function": "rosenbrock", "damped": False},
        {"function": "valley", "damped": False, "start": (-2.0, 1.0)},
        {"function": "two wells", "damped": False, "start": (0.4, 1.5)},
        {"function": "two wells", "start": (0.4, 1.5)},
        {"function": "himmelblau", "damped": False, "start": (-0.6, -0.5)},
        {"function": "saddle", "damped": False, "start": (-2.0, 0.5)},
        {"function": "huber", "start": (-3.5, 2.0)},
    ),
)
