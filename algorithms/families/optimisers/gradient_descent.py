"""Gradient descent on a function of the plane: a step against the slope, again and again.

    x <- x - η ∇f(x)

Where no curvature of f exceeds L in size, so that ‖∇f(x) - ∇f(z)‖ <= L‖x - z‖, every step keeps

    f(x') <= f(x) - η (1 - ηL/2) ‖∇f(x)‖²,

and f falls for η < 2/L. If f is convex too and η <= 1/L, then after T steps f(x_T) - f* <= ‖x_0 - x*‖²/(2ηT).
On a quadratic each direction v with Hv = λv goes its own way, v·x' = (1 - ηλ) v·x: straight in for ηλ < 1, from side
to side above it, and away without end past 2, first along the steepest. A ravine, where the greatest λ is many
times the least, is therefore crossed again and again while little is gained along it.

With momentum β a share of the last move u is kept; Nesterov's gradient is that of where this leads:

    u <- βu - η ∇f(z),   x <- x + u        z = x, or x + βu

f may rise on the way. On a quadratic v·x then is a damped swing: with x° the place before x, c = 1 + β - ηλ and b = β
(Nesterov: c = (1 + β)(1 - ηλ) and b = β(1 - ηλ)), every step leaves the share b of e = (v·x)² - c (v·x)(v·x°) +
b (v·x°)². Where c² < 4b, e is a squared length, and x comes closer by √b a step in the long run. Past η = 2(1 + β)/L x
goes away from a minimum; with Nesterov's gradient past 2(1 + β)/((1 + 2β)L).

Where the gradient is 0 there is no step. That may be a saddle: from a start with no part along its way down, x ends
there. All but such starts leave it (Lee et al.), but not soon.

References: Cauchy (1847), Méthode générale pour la résolution des systèmes d'équations simultanées, Comptes Rendus 25;
Polyak (1964), Some methods of speeding up the convergence of iteration methods, USSR Computational Mathematics 4;
Nesterov (1983), A method of solving a convex programming problem with convergence rate O(1/k²), Soviet Mathematics
Doklady 27; Polyak (1987), Introduction to Optimization, section 1.4; Nesterov (2004), Introductory Lectures on Convex
Optimization, sections 1.2 and 2.1; Lee, Simchowitz, Jordan and Recht (2016), Gradient descent only converges to
minimizers, COLT.
"""

from typing import Annotated

import numpy as np
from msgspec import field

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Curve,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Theorem,
    kept,
    numbers,
)
from algorithms.toolbox.functions import FLAT, FUNCTIONS, Function, FunctionName, place, where_it_is_flat
from algorithms.toolbox.momentum import energy, long_run, longest_step, recursion
from algorithms.toolbox.panels.curvatures import curvature_table
from algorithms.toolbox.panels.levels import path_over_levels

_FAR = 1e6  # from the middle: it will not come back
_STRAIGHT = 1e-12  # a smaller curvature is rounding
_PART = 1e-12  # of the start's length: less of it along a direction is rounding


class GradientDescentState(State, frozen=True, kw_only=True):
    x: Array  # (2,)
    u: Array = field(default_factory=lambda: np.zeros(2))  # (2,) the last move


def gradient_descent(
    state: GradientDescentState | None = None,
    *,
    function: Annotated[FunctionName, Meta(description="what is descended")] = "valley",
    eta: Annotated[float, Meta(ge=1e-6, le=100, description="step size η")] = 0.08,
    momentum: Annotated[float, Meta(ge=0, le=0.999, description="β, the share of the last move that is kept")] = 0.0,
    nesterov: Annotated[bool, Meta(description="the gradient of where momentum leads, not of x")] = False,
    start: Annotated[
        tuple[Annotated[float, Meta(ge=-10, le=10)], ...],
        Meta(min_length=2, max_length=2, description="where it begins, across and up"),
    ] = (-2.0, 1.0),
    steps: Annotated[int, Meta(ge=1, le=100_000, description="steps at most")] = 2000,
) -> Run[GradientDescentState]:
    f = FUNCTIONS[function]
    if state is None:
        state = GradientDescentState(x=np.array(start))
        yield state
    while state.t < steps:
        if np.linalg.norm(f.gradient(state.x)) < FLAT and momentum * np.linalg.norm(state.u) < FLAT:
            return f"the slope is 0 to nine digits {where_it_is_flat(f, state.x)}"
        if np.abs(state.x).max() > _FAR:
            return "it diverges: η is too large" if f.minima else "f falls without end: it has no minimum"
        z = state.x + momentum * state.u if nesterov else state.x
        u = momentum * state.u - eta * f.gradient(z)
        state = state.after("step", iteration=state.t + 1, x=state.x + u, u=u)
        yield state
    return f"step {steps:,} was the last"


def function_of(problem: Problem) -> Function:
    """f, with what is known of it."""
    return FUNCTIONS[problem.parameters.function]


@kept
def gradient(problem: Problem, state: GradientDescentState) -> Array:
    """(2,) ∇f(x)."""
    return function_of(problem).gradient(state.x)


def pull(problem: Problem, state: GradientDescentState) -> Array:
    """(2,) βu - η∇f(z), the next move."""
    chosen = problem.parameters
    z = state.x + chosen.momentum * state.u if chosen.nesterov else state.x
    return np.asarray(chosen.momentum * state.u - chosen.eta * function_of(problem).gradient(z))


def swing(problem: Problem, curvatures: Array) -> tuple[Array, Array]:
    """(2,) c and (2,) b: v·x' = c v·x - b v·x° along the direction of each curvature λ."""
    chosen = problem.parameters
    return recursion(curvatures, chosen.eta, chosen.momentum, chosen.nesterov)


def value(problem: Problem, state: GradientDescentState) -> float:
    return float(function_of(problem).value(state.x))


def slope(problem: Problem, state: GradientDescentState) -> float:
    return float(np.linalg.norm(gradient(problem, state)))


def excess(problem: Problem, state: GradientDescentState) -> float:
    """f(x) - f*; NaN where f falls without end."""
    lowest = function_of(problem).lowest
    return np.nan if lowest is None else value(problem, state) - lowest


def rate_bound(problem: Problem, state: GradientDescentState) -> float:
    """‖x_0 - x*‖²/(2ηT), where the theorem has it."""
    if not state.t or any(test(problem, state) is not True for test in OF_THE_RATE.values()):
        return np.nan
    away = np.array(problem.parameters.start) - function_of(problem).minima[0]
    return float(away @ away / (2 * problem.parameters.eta * state.t))


def distance(problem: Problem, state: GradientDescentState) -> float:
    """From x to the minimum next to it; NaN where there is none."""
    nearest = function_of(problem).nearest_minimum(state.x)
    return np.nan if nearest is None else float(np.linalg.norm(state.x - nearest))


def bounded(problem: Problem, state: GradientDescentState) -> bool | str:
    return function_of(problem).L is not None or "the curvature of f grows without end far out: there is no L"


def convex(problem: Problem, state: GradientDescentState) -> bool | str:
    return function_of(problem).convex or "f is not convex"


def quadratic(problem: Problem, state: GradientDescentState) -> bool | str:
    return function_of(problem).quadratic or "f is not quadratic: its curvature is another at every place"


def without_momentum(problem: Problem, state: GradientDescentState) -> bool | str:
    return problem.parameters.momentum == 0 or "with momentum x may climb, and no step stands by itself"


def with_momentum(problem: Problem, state: GradientDescentState) -> bool | str:
    return problem.parameters.momentum > 0 or "there is no momentum: e is 0 after a step"


def short_steps(problem: Problem, state: GradientDescentState) -> bool | str:
    eta, L = problem.parameters.eta, curvature_bound(problem)
    return eta <= 1 / L or f"η = {eta:g} is above 1/L = {1 / L:g}"


def long_steps(problem: Problem, state: GradientDescentState) -> bool | str:
    eta, L = problem.parameters.eta, curvature_bound(problem)
    return eta > 2 / L or f"η = {eta:g} is not above 2/L = {2 / L:g}"


def starts_along(problem: Problem, state: GradientDescentState) -> bool | str:
    start, (steepest, _) = np.array(problem.parameters.start), function_of(problem).curvatures(state.x)[1]
    part = abs(float(steepest @ start)) > _PART * float(np.linalg.norm(start))
    return part or "x₀ has no part along v: nothing grows there but rounding"


def curvature_bound(problem: Problem) -> float:
    """L, where there is one."""
    L = function_of(problem).L
    assert L is not None
    return L


def against_the_slope(problem: Problem, before: GradientDescentState, after: GradientDescentState) -> Answer:
    move = pull(problem, before)
    size = np.maximum(np.abs(before.x), np.abs(move) + problem.parameters.momentum * np.abs(before.u))
    return Sides.each(("x'", after.x), ("x + βu - η∇f(z)", before.x + move), relation="==", size=size)


def remembers(problem: Problem, before: GradientDescentState, after: GradientDescentState) -> Answer:
    size = np.abs(before.x) + np.abs(after.x)
    return Sides.each(("u'", after.u), ("x' - x", after.x - before.x), relation="==", size=size)


def descent(problem: Problem, before: GradientDescentState, after: GradientDescentState) -> Answer:
    f, eta, L = function_of(problem), problem.parameters.eta, curvature_bound(problem)
    fall = eta * slope(problem, before) ** 2
    bound = value(problem, before) - (1 - eta * L / 2) * fall
    size = L * float(before.x @ before.x + after.x @ after.x) + (1 + eta * L) * fall
    return Sides(("f(x')", float(f.value(after.x))), ("f(x) - η(1 - ηL/2)‖∇f‖²", bound), size=size)


def rate(problem: Problem, before: GradientDescentState | None, after: GradientDescentState) -> Answer:
    if not after.t:
        return None
    return Sides(("f(x) - f*", excess(problem, after)), ("‖x₀ - x*‖²/(2ηT)", rate_bound(problem, after)))


def each_direction(problem: Problem, before: GradientDescentState, after: GradientDescentState) -> Answer:
    eta, (curvatures, directions) = problem.parameters.eta, function_of(problem).curvatures(before.x)
    size = (1 + eta * np.abs(curvatures).max()) * float(np.linalg.norm(before.x))
    return Sides.each(
        ("v·x'", directions @ after.x),
        ("(1 - ηλ) v·x", (1 - eta * curvatures) * (directions @ before.x)),
        relation="==",
        size=size,
    )


def swings(problem: Problem, before: GradientDescentState, after: GradientDescentState) -> Answer:
    curvatures, directions = function_of(problem).curvatures(before.x)
    c, b = swing(problem, curvatures)

    now, then = (energy(directions @ at.x, directions @ (at.x - at.u), c, b) for at in (after, before))
    lengths = [float(np.linalg.norm(place)) for place in (before.x, before.u, after.x, after.u)]
    size = (1 + np.abs(c) + np.abs(b)) * (1 + problem.parameters.eta * np.abs(curvatures).max()) * sum(lengths) ** 2
    return Sides.each(("e'", now), ("b e", b * then), relation="==", size=size)


def divergence(problem: Problem, before: GradientDescentState | None, after: GradientDescentState) -> Answer:
    start, (steepest, _) = np.array(problem.parameters.start), function_of(problem).curvatures(after.x)[1]
    growth = float(problem.parameters.eta * curvature_bound(problem) - 1) ** after.t
    size = growth * float(np.linalg.norm(start))
    return Sides(
        ("|v·x_T|", abs(float(steepest @ after.x))),
        ("(ηL - 1)^T |v·x₀|", growth * abs(float(steepest @ start))),
        relation="==",
        size=size,
        slack=1e-15 * after.t * size,  # a few bits are lost at every step, and grow with what is there
    )


def scene(problem: Problem, before: GradientDescentState | None, after: GradientDescentState) -> Scene:
    f = function_of(problem)
    picture = path_over_levels(
        f.value,
        f.window,
        after.x,
        where=lambda state: state.x,
        moved=lambda state, to: state.replaced(x=to),
        earlier=None if before is None else before.x,
        marked={"x*": f.minima, "saddle": f.saddles, "maximum": f.maxima},
        title=f"the path over {problem.parameters.function}",
    )
    return Scene((picture, directions_panel(problem, after), numbers(so_far(problem, after))))


def directions_panel(problem: Problem, state: GradientDescentState) -> Panel:
    """The directions in which f curves most and least at x, and what a step does along each."""
    curvatures, directions = function_of(problem).curvatures(state.x)
    plain, left = 1 - problem.parameters.eta * curvatures, long_run(*swing(problem, curvatures))
    shrinks = {"left a step": left} if problem.parameters.momentum > 0 else {"1 - ηλ": plain}
    return curvature_table(curvatures, directions, gradient(problem, state), shrinks)


def so_far(problem: Problem, state: GradientDescentState) -> dict[str, float | str | None]:
    f, chosen = function_of(problem), problem.parameters
    longest = None if f.L is None else longest_step(f.L, chosen.momentum, chosen.nesterov)
    return {
        "f": f.formula,
        "x": place(state.x),
        "f(x)": value(problem, state),
        "f*": f.lowest,
        "‖∇f(x)‖": slope(problem, state),
        "η": chosen.eta,
        "longest η" if chosen.momentum else "2/L": longest,
    }


def explain(problem: Problem, before: GradientDescentState | None, after: GradientDescentState) -> str:
    now, long = value(problem, after), slope(problem, after)
    if long < FLAT and problem.parameters.momentum * float(np.linalg.norm(after.u)) < FLAT:
        return f"f(x) = {now:.4g}, and the slope is 0 to nine digits: there is no step to make."
    if before is None:
        return f"f(x) = {now:.4g}, and the gradient is {long:.3g} long. The next step goes against it, η times as far."
    was, moved = value(problem, before), float(np.linalg.norm(after.x - before.x))
    word = "falls" if now < was else "rises" if now > was else "stays"
    then = f"and f {word} from {was:.4g} to {now:.4g}."
    if problem.parameters.momentum > 0:
        return f"{carried(problem, before)} x moves by {moved:.3g}, {then}"
    how = f"A gradient {slope(problem, before):.3g} long moves x by {moved:.3g}"
    return f"{how}, {then} {why(problem, before, rises=now > was)}"


def carried(problem: Problem, before: GradientDescentState) -> str:
    """What momentum has a share in of the next move."""
    beta, u = problem.parameters.momentum, before.u
    if not u.any():
        return "There is no last move yet to keep a share of."
    push = pull(problem, before) - beta * u
    against = "against each other" if push @ u < 0 else "the same way"
    kept_of, step = f"{beta * np.linalg.norm(u):.3g}", f"{np.linalg.norm(push):.3g}"
    taken = " of where that leads" if problem.parameters.nesterov else ""
    return f"β = {beta:g} of the last move is {kept_of} long, -η times the gradient{taken} {step}: they go {against}."


def why(problem: Problem, before: GradientDescentState, rises: bool) -> str:
    """What the curvature at the step's beginning says of it."""
    curvatures, directions = function_of(problem).curvatures(before.x)
    most = int(np.abs(np.vecdot(directions, gradient(problem, before))).argmax())
    curvature = float(curvatures[most])
    share = problem.parameters.eta * curvature
    along = f"Along {place(directions[most], 2)}, where most of the slope is, f curves by λ = {curvature:.3g}"
    if abs(curvature) < _STRAIGHT:
        return f"Along {place(directions[most], 2)}, where the slope is, f is straight: the slope stays as long."
    if curvature < 0:
        return f"{along}: downwards, so the slope grows on the way."
    if rises:
        return f"{along}, and ηλ = {share:.3g}: the step goes too far."
    if share > 1:
        return f"{along}, and ηλ = {share:.3g} > 1: the step crosses to the other side."
    return f"{along}, and ηλ = {share:.3g} <= 1: the step stays on its side."


LIPSCHITZ = "‖∇f(x) - ∇f(z)‖ <= L‖x - z‖, so f(x') <= f(x) + ∇f(x)·(x' - x) + ½L‖x' - x‖²"
OWN_WAY = "∇f(x) = Hx, so x' = (1 - ηH)x, and v·x' = ((1 - ηH)v)·x = (1 - ηλ) v·x"
PLAIN = {"there is no momentum": without_momentum}
OF_THE_RATE = PLAIN | {"one L bounds every curvature of f": bounded, "f is convex": convex, "η <= 1/L": short_steps}
THEOREMS = (
    Theorem(
        "x' = x + βu - η∇f(z)",
        against_the_slope,
        source="Cauchy (1847)",
        about="step",
        proof=("that is the rule; without momentum β = 0, and x' = x - η∇f(x)",),
    ),
    Theorem("u' = x' - x", remembers, source="Polyak (1964)", about="step", proof=("u is the last move",)),
    Theorem(
        "f(x') <= f(x) - η(1 - ηL/2)‖∇f(x)‖²",
        descent,
        source="Nesterov (2004)",
        about="step",
        hypotheses=PLAIN | {"one L bounds every curvature of f": bounded},
        proof=(LIPSCHITZ, "put x' - x = -η∇f(x) into it"),
    ),
    Theorem(
        "convex, η <= 1/L: f(x_T) - f* <= ‖x₀ - x*‖²/(2ηT)",
        rate,
        source="Nesterov (2004)",
        about="run",
        hypotheses=OF_THE_RATE,
        proof=(
            "η <= 1/L: f(x') <= f(x) - ½η‖∇f(x)‖², the theorem before",
            "f(x) <= f* + ∇f(x)·(x - x*), for f is convex",
            "so f(x') - f* <= (‖x - x*‖² - ‖x' - x*‖²)/(2η), as the square of x' - x* shows",
            "summed over T steps the distances cancel but for the first and the last, which is >= 0",
            "and no later f(x') is above an earlier one, so T times the last is at most the sum",
        ),
    ),
    Theorem(
        "quadratic, Hv = λv: v·x' = (1 - ηλ) v·x",
        each_direction,
        source="Polyak (1987)",
        about="step",
        hypotheses=PLAIN | {"f is quadratic": quadratic},
        proof=(OWN_WAY,),
    ),
    Theorem(
        "quadratic, momentum: along each v, e' = b e",
        swings,
        source="Polyak (1964)",
        about="step",
        hypotheses={"there is momentum": with_momentum, "f is quadratic": quadratic},
        proof=(
            "u = x - x°, so along v the rule is: next = c now - b before, with c and b as said",
            "e' = next(next - c now) + b now² = -b before next + b now²",
            "= b(now² - before(c now - b before)) = b e",
        ),
    ),
    Theorem(
        "quadratic, η > 2/L: |v·x_T| = (ηL - 1)^T |v·x₀|",
        divergence,
        source="Polyak (1987)",
        about="run",
        hypotheses=PLAIN
        | {
            "f is quadratic": quadratic,
            "f is convex": convex,
            "η > 2/L": long_steps,
            "x₀ has a part along v": starts_along,
        },
        proof=(OWN_WAY, "along the steepest λ = L, and ηL > 2 makes 1 - ηL less than -1", "T steps multiply T times"),
    ),
)
SYMBOLS = {
    "x": ("where it stands, (x₁, x₂)", None),
    "η": ("step size", lambda problem, state: problem.parameters.eta),
    "β, u": ("share that is kept of the last move u", lambda problem, state: problem.parameters.momentum),
    "z": ("where the gradient is taken: x; with Nesterov x + βu", None),
    "e": ("(v·x)² - c (v·x)(v·x°) + b (v·x°)², with x° = x - u", None),
    "c, b": ("1 + β - ηλ and β; with Nesterov (1 + β)(1 - ηλ) and β(1 - ηλ)", None),
    "∇f": ("gradient of f: the direction in which it rises most, as long as it is steep", slope),
    "L": ("the least number that no curvature of f exceeds in size", lambda problem, state: function_of(problem).L),
    "x*, f*": ("the lowest minimum, and f there", lambda problem, state: function_of(problem).lowest),
    "λ, v": ("an eigenvalue of the Hessian H and its direction; with L, the steepest one", None),
    "T": ("steps made", lambda problem, state: state.t),
}

ALGORITHM = Algorithm(
    gradient_descent,
    title="Gradient descent",
    summary="Steps against the slope of a function of the plane, in proportion to how steep it is.",
    rule="u <- βu - η ∇f(z)   (z = x; Nesterov: x + βu)\nx <- x + u",
    needs=Needs(data=False),
    phases={"start": "x is where it begins", "step": "against the gradient"},
    start_only=("start",),
    curves=(
        Curve("objective", value, "f(x)"),
        Curve("excess", excess, "f(x) - f*", log=True),
        Curve("bound", rate_bound, "‖x₀ - x*‖²/(2ηT)", chart="excess", log=True, about="run"),
        Curve("slope", slope, "‖∇f(x)‖", log=True),
        Curve("distance", distance, "‖x - x*‖, x* the minimum next to x", log=True),
    ),
    theorems=THEOREMS,
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    settings=(
        {"function": "valley", "eta": 0.08},
        {"function": "valley", "eta": 0.102},
        {"function": "valley", "eta": 0.1, "momentum": 0.5},
        {"function": "valley", "eta": 0.05, "momentum": 0.65, "nesterov": True},
        {"function": "bowl", "eta": 0.4},
        {"function": "rosenbrock", "eta": 0.0015, "start": (-1.2, 1.0)},
        {"function": "saddle", "eta": 0.2, "start": (-2.0, 0.0)},
        {"function": "two wells", "eta": 0.3, "start": (-0.1, 1.5)},
        {"function": "huber", "eta": 0.5, "start": (-3.5, 2.0)},
    ),
)
