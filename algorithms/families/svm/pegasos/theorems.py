"""What holds of Pegasos: both sides of every statement, and why it is so."""

from math import log

import numpy as np

from algorithms.core import Answer, DoesNotApply, Problem, Sides, theorem
from algorithms.families.svm.pegasos.measures import (
    G_of,
    PegasosState,
    best_of,
    bound,
    next_place,
    not_drawn_back,
    objective,
    radius_of,
    regret,
    step_of,
    suffered_by_u,
)
from algorithms.families.svm.pegasos.regularised_hinge import across
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.orders import epoch_order

_MOST_DIRECTIONS = 2000  # across the rows, each of as many numbers


def projected(problem: Problem, state: PegasosState) -> bool:
    return bool(problem.parameters.project)


def few_features(problem: Problem, state: PegasosState) -> bool | str:
    d = problem.data.d
    return d <= _MOST_DIRECTIONS or f"{d:,} features have too many directions across the rows"


@theorem(
    "regret: Σ fₜ(w) - Σ fₜ(u) <= ½λk‖w₁ - u‖² + Σ ‖g‖²/(2λt)",
    source="Hazan, Agarwal and Kale (2007); Shalev-Shwartz et al. (2011)",
    proof=(
        "a step has fₜ(w) - fₜ(u) <= ½λ(t-1)‖w-u‖² - ½λt‖w'-u‖² + ‖g‖²/(2λt)",
        "in the sum over t > k each -½λt‖w'-u‖² cancels the first term of the next step;",
        "½λk‖w₁ - u‖² stays, 0 for a whole run, and at the end a term that is not above 0",
        "‖g‖ <= G, and Σ 1/t <= 1 + ln T",
    ),
    along="T",
)
def regret_bound(problem: Problem, before: PegasosState | None, after: PegasosState) -> Answer:
    sides = [("Σfₜ(w) - Σfₜ(u)", regret(problem, after)), ("½λk‖w₁ - u‖² + Σ‖g‖²/2λt", bound(problem, after))]
    p, rounds, steepest = problem.parameters, after.t - after.since, G_of(problem)
    if rounds and not after.since and np.isfinite(steepest):
        sides.append(("G²(1 + ln T)/2λ", steepest**2 * (1 + log(rounds)) / (2 * p.lam)))
    return Sides(*sides, size=after.suffered + suffered_by_u(problem, after) + bound(problem, after))


@theorem(
    "the row is the next of its order",
    source="Shalev-Shwartz et al. (2011)",
    about="step",
    proof=("that is the order; the bound on the regret asks nothing of it",),
)
def right_choice(problem: Problem, before: PegasosState, after: PegasosState) -> Answer:
    p = problem.parameters
    epoch, used = next_place(before, problem.data.n)
    named = int(epoch_order(problem.data.n, p.order, p.seed, epoch)[used])
    return Sides(("the row", after.row), (f"row {used} of pass {epoch}", named), relation="==")


@theorem(
    "w' = Π((1 - ηλ)w + η y x [z < 1])",
    source="Shalev-Shwartz et al. (2011)",
    about="step",
    proof=("g = λw - y x [z < 1] is a subgradient of fₜ, and w' = Π(w - ηg)", "squared hinge: 2(1 - z) y x"),
)
def down_the_slope(problem: Problem, before: PegasosState, after: PegasosState) -> Answer:
    """w' against the rule, drawn back to the radius where it is longer."""
    step, names = step_of(problem, before, after), weight_names(problem.data, bool(problem.parameters.bias))
    aim = step.left * step.was + step.added
    aim = aim / max(float(np.linalg.norm(aim)) / radius_of(problem), 1.0)
    size = np.abs(step.was) + np.abs(step.added)
    sides = ("w'", step.now), ("Π((1 - ηλ)w + η y x)", aim)
    return Sides.each(*sides, relation="==", size=size, entries=names)


@theorem(
    "z' = (1 - ηλ)z + η‖x‖² inside the margin, (1 - ηλ)z outside",
    source="Shalev-Shwartz et al. (2011)",
    about="step",
    hypotheses={"w is not drawn back": not_drawn_back},
    proof=("the rule, times y x; for the squared hinge 2(1 - z)η‖x‖² in place of η‖x‖²",),
)
def turned_towards(problem: Problem, before: PegasosState, after: PegasosState) -> Answer:
    """The row's margin after the step: less for the shrinking, more where y x was added."""
    step = step_of(problem, before, after)
    yx, gain = step.f.yx[step.row], float(step.added @ step.f.yx[step.row])
    sides = ("y w'·x", float(yx @ step.now)), ("(1 - ηλ)z + η‖x‖²", step.left * float(yx @ step.was) + gain)
    return Sides(*sides, relation="==", size=float(np.abs(yx) @ np.abs(step.was)) + gain)


@theorem(
    "fₜ(w) - fₜ(u) <= g·(w-u) - ½λ‖w-u‖² <= what w came nearer",
    source="Hazan, Agarwal and Kale (2007)",
    about="step",
    proof=(
        "fₜ(u) >= fₜ(w) + g·(u - w) + ½λ‖u - w‖²: the loss lies above its slope, at a kink too",
        "‖w'-u‖² <= ‖w - ηg - u‖² = ‖w-u‖² - 2ηg·(w-u) + η²‖g‖², for Π brings nearer to u",
        "times λt/2 = 1/(2η): g·(w-u) <= ½λt(‖w-u‖² - ‖w'-u‖²) + ‖g‖²/(2λt)",
    ),
)
def nearer(problem: Problem, before: PegasosState, after: PegasosState) -> Answer:
    """f_t(w) - f_t(u) <= g·(w-u) - ½λ‖w-u‖² <= ½λ(t-1)‖w-u‖² - ½λt‖w'-u‖² + ‖g‖²/(2λt), the row's f_t."""
    step, u = step_of(problem, before, after), best_of(problem).u
    f, t, away = step.f, step.t, step.was - u
    g, costs = f.row_gradient(step.was, step.row), [f.row_value(w, step.row) for w in (step.was, u)]
    was, now, spent = float(away @ away), float((step.now - u) @ (step.now - u)), float(g @ g) / (2 * f.lam * t)
    reach = float(np.linalg.norm(step.was) + np.linalg.norm(step.now) + np.linalg.norm(u))
    sides = ("f_t(w) - f_t(u)", costs[0] - costs[1]), ("g·(w-u) - ½λ‖w-u‖²", float(g @ away) - f.lam * was / 2)
    came = "½λ((t-1)‖w-u‖² - t‖w'-u‖²) + ‖g‖²/2λt", f.lam * ((t - 1) * was - t * now) / 2 + spent
    return Sides(*sides, came, size=sum(costs) + f.lam * t * reach**2 + reach * float(np.linalg.norm(g)) + spent)


@theorem(
    "‖w‖ <= 1/√λ",
    source="Shalev-Shwartz et al. (2011)",
    hypotheses={"w is kept in the ball": projected},
    proof=(
        "w is drawn back; and u is in the ball: ½‖u‖² <= f(u)/λ = Σ α - ½‖u‖², the dual at its best",
        "hinge: ‖u‖² <= Σ α <= nC = 1/λ; squared: λ‖u‖² = (2/n) Σ ξ(1 - ξ) <= ½",
    ),
)
def in_the_ball(problem: Problem, before: PegasosState | None, after: PegasosState) -> Answer:
    return Sides(("‖w‖", float(np.linalg.norm(after.w))), ("1/√λ", radius_of(problem)))


@theorem(
    "½λ‖w - u‖² <= f(w) - f(u)",
    source="Polyak (1987)",
    proof=("f(w) >= f(u) + g·(w - u) + ½λ‖w - u‖², and g = 0 is a subgradient where f is least",),
)
def grown(problem: Problem, before: PegasosState | None, after: PegasosState) -> Answer:
    """½λ‖w - u‖² <= f(w) - f(u), where f(u) is the least but for what lies between it and the dual."""
    f, best, w = objective(problem), best_of(problem), after.w
    near, value, gap = f.lam * float((w - best.u) @ (w - best.u)) / 2, f.value(w), best.value - best.bound
    slack = gap + 2 * float(np.sqrt(max(gap, 0.0) * near))  # u is that near to the best, in the same measure
    return Sides(("½λ‖w - u‖²", near), ("f(w) - f(u)", value - best.bound), size=value + near, slack=slack)


@theorem(
    "across the rows v' = (1 - ηλ)v: the best w is made of rows",
    source="Schölkopf, Herbrich and Smola (2001)",
    about="step",
    hypotheses={"w is not drawn back": not_drawn_back, "few features": few_features},
    proof=("w' = (1 - ηλ)w + a multiple of x, and v·x = 0", "so v adds ½λ‖v‖² to fₜ and changes no z"),
)
def left_across(problem: Problem, before: PegasosState, after: PegasosState) -> Answer:
    """What a step leaves of the part of w across the rows, against 1 - ηλ of it."""
    step, directions = step_of(problem, before, after), problem.data.once(across, problem.parameters.bias)
    if not len(directions):
        return DoesNotApply("the rows span all directions")
    was, size = directions @ step.was, float(np.linalg.norm(step.was) + np.linalg.norm(step.added))
    sides = ("v'", directions @ step.now), ("(1 - ηλ)v", step.left * was)
    return Sides.each(*sides, relation="==", size=size, axes=("direction",))


THEOREMS = (
    regret_bound,
    right_choice,
    down_the_slope,
    turned_towards,
    nearer,
    in_the_ball,
    grown,
    left_across,
)
