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

Where f is convex it lies below its chords, f(½x + ½x') <= ½f(x) + ½f(x'), as a step shows; where it is concave, above;
a straight line does both. Along a saddle some steps have the chord above f and some below.

Where the gradient is 0 there is no step. That may be a saddle: from a start with no part along its way down, x ends
there. All but such starts leave it (Lee et al.), but not soon.

References: Cauchy (1847), Méthode générale pour la résolution des systèmes d'équations simultanées, Comptes Rendus 25;
Jensen (1906), Sur les fonctions convexes et les inégalités entre les valeurs moyennes, Acta Mathematica 30; Polyak
(1964), Some methods of speeding up the convergence of iteration methods, USSR Computational Mathematics 4;
Nesterov (1983), A method of solving a convex programming problem with convergence rate O(1/k²), Soviet Mathematics
Doklady 27; Polyak (1987), Introduction to Optimization, section 1.4; Nesterov (2004), Introductory Lectures on Convex
Optimization, sections 1.2 and 2.1; Lee, Simchowitz, Jordan and Recht (2016), Gradient descent only converges to
minimizers, COLT.
"""

from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Array,
    Ask,
    Curve,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    numbers,
)
from algorithms.families.optimisers.gradient_descent.chords_pictures import chord_panel
from algorithms.families.optimisers.gradient_descent.curvatures_pictures import curvature_table
from algorithms.families.optimisers.gradient_descent.measures import GradientDescentState, pull, swing
from algorithms.families.optimisers.gradient_descent.momentum import long_run, longest_step
from algorithms.families.optimisers.gradient_descent.theorems import THEOREMS, rate_bound
from algorithms.families.optimisers.shared.descent import distance, excess, function_of, gradient, slope, value
from algorithms.families.optimisers.shared.levels_pictures import path_over_levels
from algorithms.toolbox.ends import reached
from algorithms.toolbox.functions import FLAT, FUNCTIONS, FunctionName, place, where_it_is_flat

_FAR = 1e6  # from the middle: it will not come back
_STRAIGHT = 1e-12  # a smaller curvature is rounding


def gradient_descent(
    state: GradientDescentState | None = None,
    *,
    function: Annotated[FunctionName, Meta(description="what is descended")] = "valley",
    eta: Annotated[float, Meta(ge=1e-6, le=100, description="step size η")] = 0.045,
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


def flat(problem: Problem, state: GradientDescentState) -> Sides:
    """The gradient is 0, and so is what the momentum would move."""
    slope = float(np.linalg.norm(FUNCTIONS[problem.parameters.function].gradient(state.x)))
    carried = problem.parameters.momentum * float(np.linalg.norm(state.u))
    return Sides(("‖g‖ or β‖u‖", max(slope, carried)), ("0 to nine digits", FLAT), relation="<")


def far_away(problem: Problem, state: GradientDescentState) -> Sides:
    return Sides(("far", _FAR), ("|x|", float(np.abs(state.x).max())), relation="<")


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
    a, b = step_of(problem, before, after)
    chord = chord_panel(f, a, b, names=("x", "x'") if before is None else ("before", "x"))
    return Scene((picture, directions_panel(problem, after), chord, numbers(so_far(problem, after, f.half_way(a, b)))))


def step_of(problem: Problem, before: GradientDescentState | None, after: GradientDescentState) -> tuple[Array, Array]:
    """The step just made, from (2,) to (2,); where there was none, the next."""
    return (after.x, after.x + pull(problem, after)) if before is None else (before.x, after.x)


def directions_panel(problem: Problem, state: GradientDescentState) -> Panel:
    """The directions in which f curves most and least at x, and what a step does along each."""
    curvatures, directions = function_of(problem).curvatures(state.x)
    plain, left = 1 - problem.parameters.eta * curvatures, long_run(*swing(problem, curvatures))
    shrinks = {"left a step": left} if problem.parameters.momentum > 0 else {"1 - ηλ": plain}
    return curvature_table(curvatures, directions, gradient(problem, state), shrinks)


def so_far(problem: Problem, state: GradientDescentState, middle: tuple[float, float]) -> dict[str, float | str | None]:
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
        "chord less f, half-way": middle[1] - middle[0],
    }


def explain(problem: Problem, before: GradientDescentState | None, after: GradientDescentState) -> str:
    now, long = value(problem, after), slope(problem, after)
    if long < FLAT and problem.parameters.momentum * float(np.linalg.norm(after.u)) < FLAT:
        return f"f(x) = {now:.4g} with a gradient {long:.2g} long: there is no step to make."
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
    point="Short steps run down the valley; a step too long, and down becomes up.",
    leaves_open="A minimum of one valley says nothing of the others.",
    tries=(("a longer step", "-p eta=0.06"), ("two wells", "-p 'function=two wells'")),
    also=("gd", "steepest descent"),
    asks=(
        Ask.number("What will f be after the step?", "objective"),
        Ask.number("How far will x be from the minimum?", "distance"),
    ),
    summary="Steps against the slope of a function of the plane, in proportion to how steep it is.",
    rule="u <- βu - η ∇f(z)   (z = x; Nesterov: x + βu)\nx <- x + u",
    needs=Needs(data=False),
    phases={"start": "x is where it begins", "step": "against the gradient"},
    start_only=("start",),
    curves=(
        Curve("excess", excess, "f(x) - f*", log=True),
        Curve("bound", rate_bound, "‖x₀ - x*‖²/(2ηT)", chart="excess", log=True, about="run"),
        Curve("objective", value, "f(x)"),
        Curve("slope", slope, "‖∇f(x)‖", log=True),
        Curve("distance", distance, "‖x - x*‖, x* the nearest", log=True),
    ),
    objective={("objective", "excess", "bound", "slope", "distance"): ("function",)},
    theorems=THEOREMS,
    ends={
        "the slope is 0 to nine digits …": flat,
        "it diverges: η is too large": far_away,
        "f falls without end: it has no minimum": far_away,
        "step … was the last": reached("steps", "t"),
    },
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    settings=(
        {"function": "valley", "eta": 0.045},
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
