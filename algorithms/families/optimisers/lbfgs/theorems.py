"""What holds of L-BFGS: both sides of every statement, and why it is so."""

import numpy as np

from algorithms.core import Answer, DoesNotApply, Problem, Sides, theorem
from algorithms.families.optimisers.lbfgs.measures import LbfgsState, descends, learned, pair_of
from algorithms.families.optimisers.lbfgs.quasi_newton import bends
from algorithms.families.optimisers.lbfgs.wolfe import FIRST, SECOND
from algorithms.families.optimisers.shared.descent import function_of, gradient, slope, value

COORDINATES = ("x₁", "x₂")


def size_of_value(problem: Problem, before: LbfgsState, after: LbfgsState) -> float:
    """What rounding is in proportion to in f at both."""
    f = function_of(problem)
    return f.size(before.x) + f.size(after.x)


def forgiven(problem: Problem, before: LbfgsState) -> float:
    """What the search forgives, for f is rounded to that."""
    return 1e-15 * (1 + abs(value(problem, before)))


def size_of_slope(problem: Problem, before: LbfgsState, after: LbfgsState) -> float:
    """What rounding is in proportion to in the gradient at both, for x is rounded too."""
    f = function_of(problem)
    bend = max(float(np.abs(f.hessian(x)).max() * np.linalg.norm(x)) for x in (before.x, after.x))
    return bend + slope(problem, before) + slope(problem, after)


def by_wolfe(problem: Problem, state: LbfgsState) -> bool | str:
    return problem.parameters.search == "wolfe" or "α goes to the minimum along d"


def exactly(problem: Problem, state: LbfgsState) -> bool | str:
    return problem.parameters.search == "exact" or "α is not exact: Wolfe's conditions leave some slope along d"


def is_bowl(problem: Problem, state: LbfgsState) -> bool | str:
    f = function_of(problem)
    return (f.quadratic and f.convex) or "f is no quadratic with a minimum"


def two_steps(problem: Problem, state: LbfgsState) -> bool | str:
    return state.iteration >= 2 or "it has made one step"


def remembers_two(problem: Problem, state: LbfgsState) -> bool | str:
    return len(state.S) >= 2 or "fewer than two moves are remembered"


def amplified(state: LbfgsState) -> float:
    """By how much more than in B d rounding tells in what leads to it: Π ‖s‖‖y‖/s·y, the greatest of them twice."""
    lengths = np.linalg.norm(state.S, axis=1) * np.linalg.norm(state.Y, axis=1)
    times = lengths / np.vecdot(state.S, state.Y)
    return float(np.prod(times) * times.max(initial=1.0))


def condition(problem: Problem, state: LbfgsState) -> float:
    """The greatest curvature over the least, of a bowl."""
    curvatures = function_of(problem).curvatures(state.x)[0]
    return float(curvatures[0] / curvatures[1])


WOLFE, EXACT = {"α is by Wolfe's conditions": by_wolfe}, {"α is exact": exactly}
BOWL = {"f is a quadratic with a minimum": is_bowl, **EXACT, "two steps are made": two_steps}
CONJUGATE = (
    "exact α: g'·s = 0, so B⁻¹g' = γ(g' - s y·g'/s·y), along a direction of conjugate gradients",
    "how long d is does not matter, for α is exact; so s₂·Hs₁ = 0: the moves span the plane",
)


@theorem(
    "not too far: f(x') <= f(x) + c₁ α g·d",
    source="Wolfe (1969)",
    about="step",
    phases=("step",),
    hypotheses=WOLFE,
    proof=("α is halved until it is so; f(x + α d) = f(x) + α g·d but for α²: a small α will do",),
)
def falls(problem: Problem, before: LbfgsState, after: LbfgsState) -> Answer:
    bound = value(problem, before) + FIRST * before.alpha * descends(problem, before)
    size = size_of_value(problem, before, after)
    sides = ("f(x')", value(problem, after)), ("f(x) + c₁ α g·d", bound)
    return Sides(*sides, size=size, slack=forgiven(problem, before))


@theorem(
    "secant equation: B s = y",
    source="Broyden (1970)",
    about="step",
    phases=("step",),
    proof=("the latest pair comes last: Bs - Bs sᵀBs/sᵀBs + y s·y/s·y = y",),
)
def secant(problem: Problem, before: LbfgsState, after: LbfgsState) -> Answer:
    s, y = pair_of(problem, before, after)
    if not bends(s, y):
        return DoesNotApply("the slope changes by rounding only: the move is not remembered")
    B = learned(problem, after)
    size = float(np.linalg.norm(B, 2) * np.linalg.norm(s)) + float(np.linalg.norm(y))
    return Sides.each(("B s", B @ s), ("y", y), relation="==", size=size * amplified(after), entries=COORDINATES)


@theorem(
    "B d = -g",
    source="Nocedal (1980)",
    about="step",
    phases=("direction",),
    proof=("the two loops multiply g by the inverse of B, pair by pair (Sherman and Morrison)",),
)
def solves(problem: Problem, before: LbfgsState, after: LbfgsState) -> Answer:
    B = learned(problem, after)
    size = float(np.linalg.norm(B, 2) * np.linalg.norm(after.d)) * amplified(after)
    sides = ("B d", B @ after.d), ("-g", -gradient(problem, after))
    return Sides.each(*sides, relation="==", size=size, entries=COORDINATES)


@theorem(
    "d points down: g·d < 0",
    source="Broyden (1970)",
    about="step",
    phases=("direction",),
    proof=(
        "g·d = -dᵀBd, and B is positive definite",
        "for it begins as the identity divided by γ > 0, and a pair with s·y > 0 keeps it so",
    ),
)
def points_down(problem: Problem, before: LbfgsState, after: LbfgsState) -> Answer:
    return Sides(("g·d", descends(problem, after)), ("0", 0.0), relation="<")


@theorem(
    "an α is given up only where a condition fails",
    source="Wolfe (1969)",
    about="step",
    phases=("search",),
    hypotheses=WOLFE,
    proof=("that is the rule",),
)
def given_up_for_a_reason(problem: Problem, before: LbfgsState, after: LbfgsState) -> Answer:
    f, alpha, down = function_of(problem), before.alpha, descends(problem, after)
    to = after.x + alpha * after.d
    if after.high == alpha:
        most = value(problem, after) + FIRST * alpha * down
        return Sides(("f(x) + c₁ α g·d", most), ("f(x + α d)", float(f.value(to))), relation="<")
    return Sides(("g(x + α d)·d", float(f.gradient(to) @ after.d)), ("c₂ g·d", SECOND * down), relation="<")


@theorem("x' = x + α d", source="Nocedal (1980)", about="step", phases=("step",), proof=("that is the rule",))
def stepped(problem: Problem, before: LbfgsState, after: LbfgsState) -> Answer:
    move = before.alpha * before.d
    size = np.abs(before.x) + np.abs(move)
    return Sides.each(("x'", after.x), ("x + α d", before.x + move), relation="==", size=size, entries=COORDINATES)


@theorem(
    "not too near: g'·d >= c₂ g·d",
    source="Wolfe (1969)",
    about="step",
    phases=("step",),
    hypotheses=WOLFE,
    proof=(
        "α grows until it is so, or until it is too far; f bounded below along d ends that",
        "between one too near and one too far, f - c₁ α g·d is least: there the slope is c₁ g·d",
    ),
)
def flattens(problem: Problem, before: LbfgsState, after: LbfgsState) -> Answer:
    now = float(gradient(problem, after) @ before.d)
    size = size_of_slope(problem, before, after) * float(np.linalg.norm(before.d))
    return Sides(("c₂ g·d", SECOND * descends(problem, before)), ("g'·d", now), size=size)


@theorem(
    "exact: no slope is left along d, g'·d = 0",
    source="Nocedal and Wright (2006)",
    about="step",
    phases=("step",),
    hypotheses=EXACT,
    proof=("x' is a minimum along d",),
)
def flat_along(problem: Problem, before: LbfgsState, after: LbfgsState) -> Answer:
    size = size_of_slope(problem, before, after) * float(np.linalg.norm(before.d))
    return Sides(("g'·d", float(gradient(problem, after) @ before.d)), ("0", 0.0), relation="==", size=size)


@theorem(
    "f never rises",
    source="Wolfe (1969)",
    about="step",
    phases=("step",),
    proof=("g·d < 0, and α is such that f falls", "exact: f falls at first, and α is no place above f(x)"),
)
def never_rises(problem: Problem, before: LbfgsState, after: LbfgsState) -> Answer:
    size = size_of_value(problem, before, after)
    sides = ("f(x')", value(problem, after)), ("f(x)", value(problem, before))
    return Sides(*sides, size=size, slack=forgiven(problem, before))


@theorem(
    "s·y > 0",
    source="Wolfe (1969)",
    about="step",
    phases=("step",),
    proof=("s·y = α(g'·d - g·d) >= α(c₂ - 1) g·d > 0", "exact: g'·d = 0, and s·y = -α g·d"),
)
def bends_upwards(problem: Problem, before: LbfgsState, after: LbfgsState) -> Answer:
    s, y = pair_of(problem, before, after)
    if not bends(s, y) and not bends(s, -y):
        return DoesNotApply("the slope changes by rounding only: the move is not remembered")
    return Sides(("0", 0.0), ("s·y", float(s @ y)), relation="<")


@theorem(
    "quadratic, exact: two steps end it",
    source="Nocedal and Wright (2006)",
    about="run",
    phases=("step",),
    hypotheses=BOWL,
    proof=(*CONJUGATE, "f is least along each, so over the plane"),
)
def ends_in_two(problem: Problem, before: LbfgsState | None, after: LbfgsState) -> Answer:
    size = condition(problem, after) * float(np.linalg.norm(problem.parameters.start))
    return Sides.each(("x", after.x), ("x*", 0.0), relation="==", size=size, entries=COORDINATES)


@theorem(
    "quadratic, exact, m >= 2: then B = H",
    source="Nocedal and Wright (2006)",
    about="run",
    phases=("step",),
    hypotheses=BOWL | {"two moves are remembered": remembers_two},
    proof=(*CONJUGATE, "Bs₂ = y₂; and Bs₁ = y₁ stays, for s₂ and y₂ are at right angles to y₁ and s₁"),
)
def learns_all(problem: Problem, before: LbfgsState | None, after: LbfgsState) -> Answer:
    H = function_of(problem).hessian(after.x)
    told = float(np.linalg.norm(problem.parameters.start)) / float(np.linalg.norm(after.S, axis=1).min())
    size = float(np.linalg.norm(H, 2)) * condition(problem, after) * (1 + told)  # a short move tells fewer digits
    sides = ("B", learned(problem, after)), ("H", H)
    return Sides.each(*sides, relation="==", size=size, axes=(COORDINATES, COORDINATES))


THEOREMS = (
    falls,
    secant,
    solves,
    points_down,
    given_up_for_a_reason,
    stepped,
    flattens,
    flat_along,
    never_rises,
    bends_upwards,
    ends_in_two,
    learns_all,
)
