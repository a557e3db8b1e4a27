"""What gradient descent keeps: both sides, the hypotheses and the proof of every statement."""

import numpy as np

from algorithms.core import Answer, Problem, Sides, theorem
from algorithms.families.optimisers.gradient_descent.measures import GradientDescentState, curvature_bound, pull, swing
from algorithms.families.optimisers.gradient_descent.momentum import energy
from algorithms.families.optimisers.shared.descent import excess, function_of, slope, value

COORDINATES = ("x₁", "x₂")
OF_CURVATURES = ("the steepest v", "the flattest v")
_PART = 1e-12  # of the start's length: less of it along a direction is rounding


def rate_bound(problem: Problem, state: GradientDescentState) -> float:
    """‖x_0 - x*‖²/(2ηT), where the theorem has it."""
    if not state.t or any(test(problem, state) is not True for test in OF_THE_RATE.values()):
        return np.nan
    away = np.array(problem.parameters.start) - function_of(problem).minima[0]
    return float(away @ away / (2 * problem.parameters.eta * state.t))


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


LIPSCHITZ = "‖∇f(x) - ∇f(z)‖ <= L‖x - z‖, so f(x') <= f(x) + ∇f(x)·(x' - x) + ½L‖x' - x‖²"
OWN_WAY = "∇f(x) = Hx, so x' = (1 - ηH)x, and v·x' = ((1 - ηH)v)·x = (1 - ηλ) v·x"
PLAIN = {"there is no momentum": without_momentum}
OF_THE_RATE = PLAIN | {"one L bounds every curvature of f": bounded, "f is convex": convex, "η <= 1/L": short_steps}


@theorem(
    "convex, η <= 1/L: f(x_T) - f* <= ‖x₀ - x*‖²/(2ηT)",
    source="Nesterov (2004)",
    about="run",
    hypotheses=OF_THE_RATE,
    proof=(
        "η <= 1/L: f(x') <= f(x) - ½η‖∇f(x)‖², as a step is bounded",
        "f(x) <= f* + ∇f(x)·(x - x*), for f is convex",
        "so f(x') - f* <= (‖x - x*‖² - ‖x' - x*‖²)/(2η), as the square of x' - x* shows",
        "summed over T steps the distances cancel but for the first and the last, which is >= 0",
        "and no later f(x') is above an earlier one, so T times the last is at most the sum",
    ),
)
def rate(problem: Problem, before: GradientDescentState | None, after: GradientDescentState) -> Answer:
    if not after.t:
        return None
    return Sides(("f(x) - f*", excess(problem, after)), ("‖x₀ - x*‖²/(2ηT)", rate_bound(problem, after)))


@theorem(
    "x' = x + βu - η∇f(z)",
    source="Cauchy (1847)",
    about="step",
    proof=("that is the rule; without momentum β = 0, and x' = x - η∇f(x)",),
)
def against_the_slope(problem: Problem, before: GradientDescentState, after: GradientDescentState) -> Answer:
    move = pull(problem, before)
    size = np.maximum(np.abs(before.x), np.abs(move) + problem.parameters.momentum * np.abs(before.u))
    sides = ("x'", after.x), ("x + βu - η∇f(z)", before.x + move)
    return Sides.each(*sides, relation="==", size=size, entries=COORDINATES)


@theorem("u' = x' - x", source="Polyak (1964)", about="step", proof=("u is the last move",))
def remembers(problem: Problem, before: GradientDescentState, after: GradientDescentState) -> Answer:
    size = np.abs(before.x) + np.abs(after.x)
    sides = ("u'", after.u), ("x' - x", after.x - before.x)
    return Sides.each(*sides, relation="==", size=size, entries=COORDINATES)


@theorem(
    "f(x') <= f(x) - η(1 - ηL/2)‖∇f(x)‖²",
    source="Nesterov (2004)",
    about="step",
    hypotheses=PLAIN | {"one L bounds every curvature of f": bounded},
    proof=(LIPSCHITZ, "put x' - x = -η∇f(x) into it"),
)
def descent(problem: Problem, before: GradientDescentState, after: GradientDescentState) -> Answer:
    f, eta, L = function_of(problem), problem.parameters.eta, curvature_bound(problem)
    fall = eta * slope(problem, before) ** 2
    bound = value(problem, before) - (1 - eta * L / 2) * fall
    size = L * float(before.x @ before.x + after.x @ after.x) + (1 + eta * L) * fall
    return Sides(("f(x')", float(f.value(after.x))), ("f(x) - η(1 - ηL/2)‖∇f‖²", bound), size=size)


@theorem(
    "convex: f(½x + ½x') <= ½f(x) + ½f(x'), the chord is above",
    source="Jensen (1906)",
    about="step",
    hypotheses={"f is convex": convex},
    proof=(
        "with m = ½x + ½x': f(x) >= f(m) + ∇f(m)·(x - m) and f(x') >= f(m) + ∇f(m)·(x' - m)",
        "half of both added: the slopes cancel, as x - m = -(x' - m)",
    ),
)
def below_chord(problem: Problem, before: GradientDescentState, after: GradientDescentState) -> Answer:
    f = function_of(problem)
    middle, chord = f.half_way(before.x, after.x)
    size = f.size(before.x) + f.size(after.x)
    return Sides(("f(½x + ½x')", middle), ("½f(x) + ½f(x')", chord), size=size)


@theorem(
    "quadratic, Hv = λv: v·x' = (1 - ηλ) v·x",
    source="Polyak (1987)",
    about="step",
    hypotheses=PLAIN | {"f is quadratic": quadratic},
    proof=(OWN_WAY,),
)
def each_direction(problem: Problem, before: GradientDescentState, after: GradientDescentState) -> Answer:
    eta, (curvatures, directions) = problem.parameters.eta, function_of(problem).curvatures(before.x)
    size = (1 + eta * np.abs(curvatures).max()) * float(np.linalg.norm(before.x))
    return Sides.each(
        ("v·x'", directions @ after.x),
        ("(1 - ηλ) v·x", (1 - eta * curvatures) * (directions @ before.x)),
        relation="==",
        size=size,
        entries=OF_CURVATURES,
    )


@theorem(
    "quadratic, momentum: along each v, e' = b e",
    source="Polyak (1964)",
    about="step",
    hypotheses={"there is momentum": with_momentum, "f is quadratic": quadratic},
    proof=(
        "u = x - x°, so along v the rule is: next = c now - b before, with c and b as said",
        "e' = next(next - c now) + b now² = -b before next + b now²",
        "= b(now² - before(c now - b before)) = b e",
    ),
)
def swings(problem: Problem, before: GradientDescentState, after: GradientDescentState) -> Answer:
    curvatures, directions = function_of(problem).curvatures(before.x)
    c, b = swing(problem, curvatures)

    now, then = (energy(directions @ at.x, directions @ (at.x - at.u), c, b) for at in (after, before))
    lengths = [float(np.linalg.norm(place)) for place in (before.x, before.u, after.x, after.u)]
    size = (1 + np.abs(c) + np.abs(b)) * (1 + problem.parameters.eta * np.abs(curvatures).max()) * sum(lengths) ** 2
    return Sides.each(("e'", now), ("b e", b * then), relation="==", size=size, entries=OF_CURVATURES)


@theorem(
    "quadratic, η > 2/L: |v·x_T| = (ηL - 1)^T |v·x₀|",
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
)
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


THEOREMS = (rate, against_the_slope, remembers, descent, below_chord, each_direction, swings, divergence)
