"""What holds of dual ascent: both sides of every statement, and why it is so."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, theorem
from algorithms.core.theorems import Hypothesis
from algorithms.families.duality.dual_ascent.constrained import Constrained
from algorithms.families.duality.dual_ascent.measures import DualAscentState, constrained, theta
from algorithms.families.duality.dual_ascent.multipliers import GAP, chosen, first, is_bound
from algorithms.families.duality.dual_ascent.pictures import named

_SIDE = 41  # places along each side at which L is looked at
CHOICES = ("start", "point")


def not_below_zero(problem: Problem, state: DualAscentState) -> bool | DoesNotApply:
    if is_bound(constrained(problem), state.alpha):
        return True
    i = int(np.where(constrained(problem).signed, np.inf, state.alpha).argmin())
    low = f"{named('α', i, constrained(problem).m)} = {state.alpha[i]:.4g} < 0 and θ is no bound"
    return DoesNotApply(f"{low}: θ = {theta(problem, state):.4g}, p* = {constrained(problem).optimum:.4g}")


def convex(problem: Problem, state: DualAscentState) -> bool | str:
    here = constrained(problem)
    left = here.optimum - here.greatest
    return here.convex or (
        f"f is not convex: a gap of {left:.4g} stays" if left > GAP else "f is not convex; no gap stays"
    )


def of_one_length(problem: Problem, state: DualAscentState) -> bool | str:
    return not problem.parameters.backtracking or "steps are halved"


def smooth(problem: Problem, state: DualAscentState) -> bool | str:
    return constrained(problem).L is not None or "θ has a kink, or breaks off: a step of fixed length may lower it"


def short(problem: Problem, state: DualAscentState) -> bool | str:
    eta, bend = problem.parameters.eta, constrained(problem).L or np.inf
    return eta <= 1 / bend or f"η = {eta:g} is above 1/M = {1 / bend:.4g}"


def rising(problem: Problem, state: DualAscentState) -> bool | str:
    if problem.parameters.backtracking:
        return True
    reasons = (test for test in (smooth(problem, state), short(problem, state)) if test is not True)
    return next(reasons, True)


def held_at_zero(problem: Problem, state: DualAscentState) -> bool | str:
    return not problem.parameters.below_zero or "multipliers may go below 0"


def starts_allowed(problem: Problem, state: DualAscentState) -> bool | str:
    return (
        is_bound(constrained(problem), first(constrained(problem), problem.parameters.start))
        or "the run begins below 0"
    )


def in_the_box(problem: Problem, state: DualAscentState) -> bool | str:
    return constrained(problem).inside(state.x) or "x is at the edge of where it is chosen from"


def bends(problem: Problem, state: DualAscentState) -> bool | str:
    return constrained(problem).mu > 0 or "f does not bend in every direction: μ = 0"


BOUND: Mapping[str, Hypothesis] = {"α >= 0 where g <= 0": not_below_zero}
CONVEX = {"f and g are convex, with a point well inside or straight g": convex}


@theorem(
    "α >= 0: θ(α) <= p*",
    source="Kuhn and Tucker (1951)",
    phases=CHOICES,
    hypotheses=BOUND,
    proof=("θ is the least L(·, α), so no more than that at x*", "α g(x*) <= 0, so L(x*, α) <= f(x*) = p*"),
)
def weak_duality(problem: Problem, before: DualAscentState | None, after: DualAscentState) -> Answer:
    of, x, alpha = constrained(problem), after.x, after.alpha
    sides = ("θ(α)", float(of.lagrangian(x, alpha))), ("p*", of.optimum)
    return Sides(*sides, size=of.size(x, alpha) + of.size(of.solution, alpha))


@theorem(
    "x is a global minimum of L(·, α)",
    source="Kuhn and Tucker (1951)",
    phases=CHOICES,
    proof=("that is the rule: only so is L(x, α) below L everywhere, and θ below p*",),
)
def least_of_all(problem: Problem, before: DualAscentState | None, after: DualAscentState) -> Answer:
    """Hold L(x, α) against L at many places."""
    of, x, alpha = constrained(problem), after.x, after.alpha
    least = float(of.lagrangian(places(of), alpha).min())
    sides = ("L(x, α)", float(of.lagrangian(x, alpha))), (f"least of {_SIDE**2:,} places", least)
    return Sides(*sides, size=of.size(x, alpha))


@lru_cache
def places(of: Constrained) -> Array:
    """(s, 2) places over twice the window, in the box."""
    sides = np.array(of.window)
    middle, extent = sides.mean(axis=1), np.ptp(sides, axis=1)
    low, high = np.maximum(middle - extent, of.box[:, 0]), np.minimum(middle + extent, of.box[:, 1])
    across, up = (np.linspace(low[j], high[j], _SIDE) for j in (0, 1))
    return np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)


@theorem(
    "α' = max(0, α + η g(x))",
    source="Uzawa (1958)",
    about="step",
    phases=("multipliers",),
    proof=("that is the rule; g(x) is the slope of L(x, ·), which touches θ at α",),
)
def along_g(problem: Problem, before: DualAscentState, after: DualAscentState) -> Answer:
    """With the η that was asked for or, halved, a shorter one; 0 on the way back to α >= 0."""
    of, p, was, step = constrained(problem), problem.parameters, before.alpha, after.eta
    back = not (p.below_zero or is_bound(of, was))
    right = step == 0 if back else (0 < step <= p.eta if p.backtracking else step == p.eta)
    if not right:
        return Sides(("step", step), ("η", 0.0 if back else p.eta), relation="==")
    g = of.g(before.x)
    size, aim = np.abs(was) + step * (1 + np.abs(g)), was + step * g
    aim = np.where(of.signed | p.below_zero | (aim > 0), aim, 0.0)
    return Sides.each(("α'", after.alpha), ("max(0, α + ηg)", aim), relation="==", size=size, entries=of.texts)


@theorem(
    "θ never falls",
    source="Polyak (1987)",
    about="step",
    phases=("multipliers",),
    hypotheses={"θ is smooth and η <= 1/M, or steps are halved": rising},
    proof=(
        "smooth: θ(α') >= θ(α) + g·(α' - α) - ½M‖α' - α‖²",
        "and g·(α' - α) >= ‖α' - α‖²/η for a step held at 0; η <= 1/M leaves ‖α' - α‖²/(2η)",
        "halved: until θ rises by a quarter of g·(α' - α), which is not below 0",
    ),
)
def never_falls(problem: Problem, before: DualAscentState, after: DualAscentState) -> Answer:
    here = constrained(problem)
    if not (problem.parameters.below_zero or is_bound(here, before.alpha)):
        return DoesNotApply("α was below 0, and goes back first")
    size = here.size(before.x, before.alpha) + here.size(chosen(here, after.alpha), after.alpha)
    return Sides(("θ(α)", theta(problem, before)), ("θ(α')", theta(problem, after)), size=size)


@theorem(
    "θ(β) <= θ(α) + g(x)·(β - α), at β = α*",
    source="Bertsekas (1999)",
    phases=CHOICES,
    proof=("θ(β) <= L(x, β) = L(x, α) + g(x)·(β - α), and L(x, α) = θ(α)",),
)
def concave(problem: Problem, before: DualAscentState | None, after: DualAscentState) -> Answer:
    of, x, alpha = constrained(problem), after.x, after.alpha
    line = of.theta(alpha) + float(of.g(x) @ (of.multipliers - alpha))
    sides = ("θ(α*)", of.greatest), ("θ(α) + g·(α* - α)", line)
    return Sides(*sides, size=of.size(x, alpha) + of.size(x, of.multipliers))


@theorem(
    "the forces balance: ∇f(x) + Σ α ∇g(x) = 0",
    source="Kuhn and Tucker (1951)",
    phases=CHOICES,
    hypotheses={"x is not at the edge of its box": in_the_box},
    proof=("L(·, α) is least at x, where its slope is 0",),
)
def forces_balance(problem: Problem, before: DualAscentState | None, after: DualAscentState) -> Answer:
    of, x, alpha = constrained(problem), after.x, after.alpha
    pulls = alpha[:, None] * of.slopes(x)
    size = 1 + np.abs(of.gradient(x)) + np.abs(pulls).sum(axis=0)
    forces = of.gradient(x) + pulls.sum(axis=0)
    return Sides.each(("∇f + Σα∇g", forces), ("0", 0.0), relation="==", size=size, entries=of.axes)


@theorem(
    "½μ‖x - x*‖² <= p* - θ(α)",
    source="Polyak (1987)",
    phases=CHOICES,
    hypotheses={"f bends in every direction, and g is convex": bends, **BOUND},
    proof=("L(·, α) bends by μ at least, and is least at x: L(x*, α) >= θ(α) + ½μ‖x - x*‖²", "L(x*, α) <= p*"),
)
def near_the_solution(problem: Problem, before: DualAscentState | None, after: DualAscentState) -> Answer:
    of, x, alpha = constrained(problem), after.x, after.alpha
    away, value = x - of.solution, float(of.lagrangian(x, alpha))
    sides = ("½μ‖x - x*‖²", of.mu * float(away @ away) / 2), ("p* - θ(α)", of.optimum - value)
    return Sides(*sides, size=of.size(x, alpha) + abs(of.optimum))


@theorem(
    "η <= 1/M: θ* - θ(α_T) <= ‖α₀ - α*‖²/(2ηT)",
    source="Polyak (1987)",
    about="run",
    hypotheses={
        "steps are of one length": of_one_length,
        "θ is smooth": smooth,
        "η <= 1/M": short,
        "multipliers are held at 0": held_at_zero,
        "the run begins at α >= 0": starts_allowed,
    },
    proof=(
        "θ(α') >= θ(α*) + (‖α' - α*‖² - ‖α - α*‖²)/(2η), as θ is concave and η <= 1/M",
        "summed over T steps the distances cancel but for two; no later θ is below an earlier one",
    ),
)
def rate(problem: Problem, before: DualAscentState | None, after: DualAscentState) -> Answer:
    here, p = constrained(problem), problem.parameters
    if not after.iteration:
        return None
    away = first(here, p.start) - here.multipliers
    bound = float(away @ away) / (2 * p.eta * after.iteration)
    return Sides(
        ("θ* - θ(α)", here.greatest - theta(problem, after)),
        ("‖α₀ - α*‖²/(2ηT)", bound),
        size=here.size(after.x, after.alpha),
    )


@theorem(
    "convex: θ* = p*",
    source="Slater (1950)",
    hypotheses=CONVEX,
    proof=(
        "the pairs (g(x), f(x)) and all above them are a convex set, and (0, p*) is on its edge",
        "a plane holds it there; Slater's point keeps it from standing upright: its slope is -α*",
    ),
)
def no_gap(problem: Problem, before: DualAscentState | None, after: DualAscentState) -> Answer:
    of = constrained(problem)
    size = of.size(of.solution, of.multipliers)
    return Sides(("θ(α*)", of.greatest), ("p*", of.optimum), relation="==", size=size)


@theorem(
    "convex: α* g(x*) = 0",
    source="Kuhn and Tucker (1951)",
    hypotheses=CONVEX,
    proof=("p* = θ(α*) <= f(x*) + Σ α* g(x*) <= f(x*) = p*, where no term of the sum is above 0",),
)
def slack_or_free(problem: Problem, before: DualAscentState | None, after: DualAscentState) -> Answer:
    of = constrained(problem)
    products = of.multipliers * of.g(of.solution) + 0.0
    size = of.size(of.solution, of.multipliers)
    return Sides.each(("α* g(x*)", products), ("0", 0.0), relation="==", size=size, entries=of.texts)


THEOREMS = (
    weak_duality,
    least_of_all,
    along_g,
    never_falls,
    concave,
    forces_balance,
    near_the_solution,
    rate,
    no_gap,
    slack_or_free,
)
