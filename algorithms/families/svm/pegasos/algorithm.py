"""Pegasos: the support vector machine's primal by subgradients, a row at a time, with steps of 1/(λt).

    f(w) = ½λ‖w‖² + 1/n Σ loss(y w·x),   loss max(0, 1 - z) or its square;   f/λ = ½‖w‖² + C Σ loss, C = 1/(nλ)
    f_t  the same with the loss of row t alone,   g_t one of its subgradients at w_t,   η_t = 1/(λt)
    hinge:  w' = (1 - ηλ)w + η y x [y w·x < 1],   then, if it is longer, back to ‖w‖ = 1/√λ, which the best u is not

Inside the margin w turns towards y x, y w'·x = (1 - ηλ) y w·x + η‖x‖²; outside it only shrinks. Where the hinge has
its kink any g with f_t(u) >= f_t(w) + g·(u - w) for all u does as a slope. As f_t is strongly convex, on every path,
however the rows come, and against any u (with the projection one of the ball),

    Σ [f_t(w_t) - f_t(u)]  <=  Σ ‖g_t‖²/(2λt)  <=  G² (1 + ln T)/(2λ),

where no g_t is longer than G. For rows drawn at random E f(ŵ) - f(u) is no more than that divided by T, ŵ the mean of
the w_t. Of a part of w across the rows a step leaves 1 - ηλ, and no margin sees it: the best w is made of rows.

A fork on other terms, or w dragged, begins the accounts anew, k steps made: then ½λk‖w - u‖² stands on the right too.

References: Shalev-Shwartz, Singer, Srebro and Cotter (2011), Pegasos: primal estimated sub-gradient solver for SVM,
Mathematical Programming 127; Hazan, Agarwal and Kale (2007), Logarithmic regret algorithms for online convex
optimization, Machine Learning 69; Schölkopf, Herbrich and Smola (2001), A generalized representer theorem, COLT;
Polyak (1987), Introduction to Optimization.
"""

from collections.abc import Mapping
from math import log, sqrt
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Curve,
    Dataset,
    Expectation,
    Meta,
    Needs,
    Points,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Theorem,
    kept,
    numbers,
    theorem,
)
from algorithms.data import blobs, breast_cancer, digits, iris, penguins
from algorithms.families.svm.pegasos import regularised_hinge as say
from algorithms.families.svm.pegasos.regularised_hinge import (
    Best,
    HingeName,
    HingeObjective,
    Step,
    across,
    best_weights,
    steepest,
)
from algorithms.families.svm.shared.two_classes import one_alone
from algorithms.toolbox.ends import last_pass
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.hindsight import into_ball
from algorithms.toolbox.margin_losses import margin_loss
from algorithms.toolbox.orders import Order, epoch_order, used_after
from algorithms.toolbox.panels.linear import margin_lines, stage, weight_panels
from algorithms.toolbox.panels.losses import loss_over_margin
from algorithms.toolbox.panels.row_words import says_margin
from algorithms.toolbox.signed_rows import longest, signed_rows
from algorithms.toolbox.sizes import out_of_range

_LARGEST = 1e50  # beyond it and below its inverse, squares of products would overflow or vanish
_STAGE = "w·x = 0, and the margin w·x = ±1"
_MOST_DIRECTIONS = 2000  # across the rows, each of as many numbers
_DIVERGED = 1e6  # times R/λ, the longest that w is with the hinge


class PegasosState(State, frozen=True, kw_only=True):
    w: Array  # (p,) weights, that of the constant last
    total: Array  # (p,) the sum of the w_t since the accounts began
    first: Array  # (p,) w then
    visits: Annotated[Array, Along("n")]  # (n,) how often each row has come since then
    since: int = 0  # k, the steps made before
    row: int = -1  # the row that came last
    used: int = 0  # rows of this pass that have come
    suffered: float = 0.0  # Σ f_t(w_t)
    slopes: float = 0.0  # Σ ‖g_t‖²/(2λt)

    @property
    def average(self) -> Array:
        """(p,) ŵ, the mean of the w_t since the accounts began."""
        return self.total / (self.t - self.since) if self.t > self.since else self.w


def pegasos(
    data: Dataset,
    state: PegasosState | None = None,
    *,
    lam: Annotated[float, Meta(ge=1e-6, le=100, description="λ, the penalty on ½‖w‖²; C = 1/(nλ)")] = 0.1,
    loss: Annotated[HingeName, Meta(description="what a row short of the margin 1 costs")] = "hinge",
    project: Annotated[bool, Meta(description="keep ‖w‖ <= 1/√λ")] = True,
    order: Annotated[Order, Meta(description="rows in turn, shuffled each pass, or drawn anew each")] = "replacement",
    bias: Annotated[float, Meta(ge=0, le=1000, description="the constant appended to x; 0 for no bias")] = 1.0,
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="passes: as many steps as there are rows")] = 10,
    seed: Annotated[Seed, Meta(description="of the rows drawn")] = 0,
) -> Run[PegasosState]:
    f = HingeObjective(data.once(signed_rows, bias), lam, loss)
    radius, too_long = ball(lam, project), _DIVERGED * data.once(longest, bias) / lam
    if state is None:
        nothing = np.zeros(f.yx.shape[1])
        state = PegasosState(w=nothing, total=nothing, first=nothing, visits=np.zeros(data.n))
        yield state
    while True:
        epoch, used = next_place(state, data.n)
        if epoch > epochs:
            return f"pass {epochs:,} was the last"
        row = int(epoch_order(data.n, order, seed, epoch)[used])
        g, eta = f.row_gradient(state.w, row), 1 / (lam * (state.t + 1))
        w = into_ball(state.w - eta * g, radius)
        if np.linalg.norm(w) > too_long:
            return (
                f"it diverges: ‖w‖ would be {np.linalg.norm(w):.3g}; `project` keeps it at 1/√λ = {1 / sqrt(lam):.3g}"
            )
        change = {"iteration": epoch, "used": used + 1, **charged(f, state, row, eta * float(g @ g) / 2)}
        if f.yx[row] @ state.w < 1:
            state = state.after("inside", w=w, **change)
            yield state
        else:
            state = state.after("outside", w=w, **change)
            yield state


def ball(lam: float, project: bool) -> float:
    """1/√λ, how long w may be; infinite without the projection."""
    return 1 / sqrt(lam) if project else np.inf


def next_place(state: PegasosState, n: int) -> tuple[int, int]:
    """The pass of the row that follows a state, and how many have come in it before."""
    return (state.iteration, state.used) if state.iteration and state.used < n else (state.iteration + 1, 0)


def charged(f: HingeObjective, state: PegasosState, row: int, slope: float) -> dict[str, Array | float]:
    """The accounts with one row more."""
    return {
        "row": row,
        "visits": state.visits + (np.arange(len(state.visits)) == row),
        "total": state.total + state.w,
        "suffered": state.suffered + f.row_value(state.w, row),
        "slopes": state.slopes + slope,
    }


def adapt(before: Problem, after: Problem, state: PegasosState, rows: Array) -> PegasosState:
    """w stays, as far as it is in the ball; on other terms the accounts begin anew."""
    was, now = before.parameters, after.parameters
    if after.data is before.data and (was.lam, was.loss, was.project) == (now.lam, now.loss, now.project):
        return state
    used = used_after(rows, epoch_order(before.data.n, was.order, was.seed, max(state.iteration, 1)), state.used)
    return begun(state.replaced(used=used, visits=np.zeros(len(rows)), row=-1), into_ball(state.w, radius_of(after)))


def begun(state: PegasosState, w: Array) -> PegasosState:
    """The state at a w from which the accounts begin."""
    fresh = {"total": np.zeros_like(w), "visits": 0 * state.visits, "suffered": 0.0, "slopes": 0.0}
    return state.replaced(w=w, first=w, since=state.t, **fresh)


def radius_of(problem: Problem) -> float:
    return ball(problem.parameters.lam, problem.parameters.project)


def objective(problem: Problem) -> HingeObjective:
    p = problem.parameters
    return HingeObjective(problem.data.once(signed_rows, p.bias), p.lam, p.loss)


def best_of(problem: Problem) -> Best:
    """u, by the dual's coordinates, and what no f is below."""
    p = problem.parameters
    return problem.data.once(best_weights, p.bias, p.lam, p.loss)


def C_of(problem: Problem) -> float:
    return float(1 / (problem.data.n * problem.parameters.lam))


@kept
def margins(problem: Problem, state: PegasosState) -> Array:
    """(n,) z = y w·x."""
    return np.asarray(objective(problem).yx @ state.w)


@kept
def value(problem: Problem, state: PegasosState) -> float:
    return objective(problem).value(state.w)


@kept
def value_of_average(problem: Problem, state: PegasosState) -> float:
    return objective(problem).value(state.average)


@kept
def suffered_by_u(problem: Problem, state: PegasosState) -> float:
    """Σ f_t(u) over the rows that came."""
    return float(state.visits @ objective(problem).row_values(best_of(problem).u))


def regret(problem: Problem, state: PegasosState) -> float:
    return state.suffered - suffered_by_u(problem, state)


def bound(problem: Problem, state: PegasosState) -> float:
    """What the regret cannot exceed, from the slopes that there were."""
    away = best_of(problem).u - state.first
    return float(problem.parameters.lam * state.since * (away @ away) / 2) + state.slopes


def not_drawn_back(problem: Problem, state: PegasosState) -> bool | str:
    length = float(np.linalg.norm(state.w))
    return length < radius_of(problem) * (1 - 1e-12) or "the step left the ball, and w was drawn back"


def few_features(problem: Problem, state: PegasosState) -> bool | str:
    d = problem.data.d
    return d <= _MOST_DIRECTIONS or f"{d:,} features have too many directions across the rows"


def G_of(problem: Problem) -> float:
    p = problem.parameters
    return steepest(p.lam, p.loss, problem.data.once(longest, p.bias), p.project)


def step_of(problem: Problem, before: PegasosState, after: PegasosState) -> Step:
    return Step(objective(problem), before.w, after.w, after.row, after.t)


def diverges(problem: Problem, state: PegasosState) -> Sides:
    """The next row would make w longer than any that could be best."""
    p, f, n = problem.parameters, objective(problem), problem.data.n
    epoch, used = next_place(state, n)
    row = int(epoch_order(n, p.order, p.seed, epoch)[used])
    w = state.w - f.row_gradient(state.w, row) / (p.lam * (state.t + 1))
    far = _DIVERGED * problem.data.once(longest, p.bias) / p.lam
    return Sides((f"{_DIVERGED:g} R/λ", far), ("‖w‖ next", float(np.linalg.norm(into_ball(w, ball(p.lam, p.project))))))


def scene(problem: Problem, before: PegasosState | None, after: PegasosState) -> Scene:
    data, p, f, z = problem.data, problem.parameters, margin_loss(problem.parameters.loss), margins(problem, after)
    rows = Points(
        at=data.X,
        classes=data.y,
        weights=np.where(z < 1, 1.0, 0.3),
        sizes="y w·x < 1",
        ringed=np.arange(data.n) == after.row,
        crossed=(z <= 0) & bool(after.w.any()),
        says=says_margin(z, "y w·x"),
    )
    then, earlier = margins(problem, after if before is None else before), None if before is None else before.w
    name = "what the row cost, before the step" if before is not None else "what each row would cost"
    costs = loss_over_margin(then, data.y, f.of, f.formula, name=name, ringed=rows.ringed, margin="y w·x")
    others, radius = {"average": after.average, "u": best_of(problem).u}, radius_of(problem)
    lines = margin_lines(after.w, p.bias)

    def dragged(state: PegasosState, w: Array) -> PegasosState:
        return begun(state, into_ball(w, radius))

    return Scene(
        (
            stage(data, rows, after.w, p.bias, earlier=earlier, title=_STAGE, pulled=dragged, beside=lines),
            costs,
            *weight_panels(data, after.w, bool(p.bias), earlier, **others),
            numbers(so_far(problem, after)),
        )
    )


def so_far(problem: Problem, state: PegasosState) -> dict[str, float | int | None]:
    return {
        "f(w)": value(problem, state),
        "f of the average": value_of_average(problem, state),
        f"f(u), {best_of(problem).known}": best_of(problem).value,
        "η of the next step": 1 / (problem.parameters.lam * (state.t + 1)),
        "C = 1/(nλ)": C_of(problem),
        "‖w‖": float(np.linalg.norm(state.w)),
        "rows with z < 1": int((margins(problem, state) < 1).sum()),
        "regret": regret(problem, state),
    }


def explain(problem: Problem, before: PegasosState | None, after: PegasosState) -> str:
    now = f"f is {value(problem, after):.4g}, of the average {value_of_average(problem, after):.4g}"
    least = f"{now}; {best_of(problem).known} is {best_of(problem).value:.4g}, at C = 1/(nλ) = {C_of(problem):.3g}."
    if before is None or after.row < 0:
        return f"‖w‖ = {np.linalg.norm(after.w):.4g}. {least}"
    z, step = float(margins(problem, before)[after.row]) + 0.0, step_of(problem, before, after)
    who = f"Row {after.row} ({problem.data.row(after.row)}) has z = y w·x = {z:.4g}, {after.phase} the margin"
    what = f"w shrinks by {100 * (1 - step.left):.3g}%"
    if after.phase == "inside":
        what = f"{what}, and {step.pulled:.3g} y x is added"
    back = "" if not_drawn_back(problem, after) is True else f", then drawn back to ‖w‖ = {radius_of(problem):.3g}"
    return f"{who}: {what}{back}. {least}"


def along_the_gradient(problem: Problem, state: PegasosState) -> float:
    """g·∇f at w = 0, for the first step's g = -λ w'."""
    start = np.zeros_like(state.w)
    return float(-problem.parameters.lam * state.w @ objective(problem).gradient(start))


def whole_gradient(problem: Problem, values: Mapping[str, Array]) -> float:
    """‖∇f(0)‖²."""
    f = objective(problem)
    gradient = f.gradient(np.zeros(f.yx.shape[1]))
    return float(gradient @ gradient)


SYMBOLS = {
    "w": ("weights, that of the appended constant last", None),
    "x, y, z": ("a row, with the constant appended if there is one, its class +1 or -1, and y w·x", None),
    "f": ("the objective, ½λ‖w‖² + mean loss of all rows; f(w) here", value),
    "fₜ, g": ("the same with the loss of the row that came alone, and its slope at w", None),
    "λ": ("the penalty", lambda problem, state: problem.parameters.lam),
    "C": ("1/(nλ), the price of a row in ½‖w‖² + C Σ loss", lambda problem, state: C_of(problem)),
    "η": ("1/(λt), the size of the step just made", lambda p, s: 1 / (p.parameters.lam * s.t) if s.t else None),
    "u": ("where f is least, by the dual's coordinates; f(u) here", lambda p, s: best_of(p).value),
    "Π": ("to the nearest w of the ball ‖w‖ <= 1/√λ, where that is asked for", None),
    "T, t": ("steps since the accounts began; steps in all", lambda problem, state: state.t - state.since),
    "k, w₁": ("the steps before the accounts began, and w then", lambda problem, state: state.since),
    "G": ("no g is longer", lambda p, s: G_of(p) if np.isfinite(G_of(p)) else None),
    "v": ("the part of w at a right angle to all rows", None),
}


@theorem(
    "Σ fₜ(w) - Σ fₜ(u) <= ½λk‖w₁ - u‖² + Σ ‖g‖²/(2λt)",
    source="Hazan, Agarwal and Kale (2007); Shalev-Shwartz et al. (2011)",
    proof=(
        "fₜ(w) - fₜ(u) <= what w came nearer, over t > k: ½λ(t-1)‖w-u‖² cancels what t - 1 left",
        "of the first ½λk‖w₁ - u‖² stays, 0 for a whole run; the last is <= 0",
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
    names = weight_names(problem.data, bool(problem.parameters.bias))
    return say.down_the_slope(step_of(problem, before, after), radius_of(problem), names)


THEOREMS = (
    regret_bound,
    right_choice,
    down_the_slope,
    Theorem(
        "z' = (1 - ηλ)z + η‖x‖² inside the margin, (1 - ηλ)z outside",
        lambda p, before, after: say.turned_towards(step_of(p, before, after)),
        source="Shalev-Shwartz et al. (2011)",
        about="step",
        hypotheses={"w is not drawn back": not_drawn_back},
        proof=("the rule, times y x; for the squared hinge 2(1 - z)η‖x‖² in place of η‖x‖²",),
    ),
    Theorem(
        "fₜ(w) - fₜ(u) <= g·(w-u) - ½λ‖w-u‖² <= what w came nearer",
        lambda p, before, after: say.nearer(step_of(p, before, after), best_of(p).u),
        source="Hazan, Agarwal and Kale (2007)",
        about="step",
        proof=(
            "fₜ(u) >= fₜ(w) + g·(u - w) + ½λ‖u - w‖²: the loss lies above its slope, at a kink too",
            "‖w'-u‖² <= ‖w - ηg - u‖² = ‖w-u‖² - 2ηg·(w-u) + η²‖g‖², for Π brings nearer to u",
            "times λt/2 = 1/(2η): g·(w-u) <= ½λt(‖w-u‖² - ‖w'-u‖²) + ‖g‖²/(2λt)",
        ),
    ),
    Theorem(
        "‖w‖ <= 1/√λ",
        lambda p, before, s: Sides(("‖w‖", float(np.linalg.norm(s.w))), ("1/√λ", radius_of(p))),
        source="Shalev-Shwartz et al. (2011)",
        hypotheses={"w is kept in the ball": lambda problem, state: problem.parameters.project},
        proof=(
            "w is drawn back; and the best w is in the ball: ½‖w*‖² <= P = W = Σα - ½‖w*‖²",
            "hinge: ‖w*‖² <= Σ α <= nC = 1/λ; squared: λ‖w*‖² = 2/n Σ ξ(1 - ξ) <= ½",
        ),
    ),
    Theorem(
        "½λ‖w - u‖² <= f(w) - f(u)",
        lambda p, before, s: say.grown(objective(p), best_of(p), s.w),
        source="Polyak (1987)",
        proof=("f(w) >= f(u) + g·(w - u) + ½λ‖w - u‖², and g = 0 is a subgradient where f is least",),
    ),
    Theorem(
        "across the rows v' = (1 - ηλ)v: the best w is made of rows",
        lambda p, b, a: say.left_across(step_of(p, b, a), p.data.once(across, p.parameters.bias)),
        source="Schölkopf, Herbrich and Smola (2001)",
        about="step",
        hypotheses={"w is not drawn back": not_drawn_back, "few features": few_features},
        proof=("w' = (1 - ηλ)w + a multiple of x, and v·x = 0", "so v adds ½λ‖v‖² to fₜ and changes no z"),
    ),
)
EXPECTATIONS = (
    Expectation(
        "E[g·∇f(w)] = ‖∇f(w)‖²: a drawn row's g is right on average (at w = 0)",
        along_the_gradient,
        whole_gradient,
        names=("mean g·∇f(0)", "‖∇f(0)‖²"),
        source="Shalev-Shwartz et al. (2011)",
        fixed={"order": "replacement", "project": False},
        until=1,
        proof=("each row is drawn with chance 1/n, and f is the mean of the fᵢ: E[∇fᵢ] = (1/n) Σ ∇fᵢ = ∇f",),
    ),
)


def setting(problem: Problem) -> dict[str, object]:
    """What the objective depends on, as dual coordinate descent has it: C = 1/(nλ)."""
    p = problem.parameters
    return {"loss": p.loss, "constant": p.bias, "C": 1 / (problem.data.n * p.lam)}


ALGORITHM = Algorithm(
    pegasos,
    title="Pegasos, subgradient SVM",
    summary="Steps down the primal of the support vector machine, one row's subgradient at a time, by 1/(λt).",
    rule="w <- (1 - ηλ) w + η y x  if y w·x < 1, else (1 - ηλ) w\nη = 1/(λt),   then back into ‖w‖ <= 1/√λ",
    needs=Needs(target="class", classes=2),
    phases={
        "start": "w = 0",
        "inside": "y w·x < 1: w shrinks and turns towards y x",
        "outside": "y w·x >= 1: w only shrinks",
    },
    events=("inside",),
    start_only=("bias",),
    curves=(
        Curve("objective", value, "f(w)", "objective", log=True),
        Curve("of the average", value_of_average, "f(ŵ)", "objective", log=True),
        Curve("least", lambda p, s: best_of(p).value, "f(u)", "objective", log=True),
        Curve("excess", lambda p, s: value(p, s) - best_of(p).value, "f(w) - f(u)", "excess", log=True),
        Curve(
            "excess of the average",
            lambda p, s: value_of_average(p, s) - best_of(p).value,
            "f(ŵ) - f(u)",
            "excess",
            log=True,
        ),
        Curve("regret", regret, "Σ fₜ(w) - Σ fₜ(u)", "regret"),
        Curve("bound", bound, "from the slopes", "regret"),
        Curve("spread of g", lambda p, s: objective(p).spread(s.w), "√mean ‖gᵢ - ∇f‖²"),
        Curve("error", lambda p, s: float((margins(p, s) <= 0).mean()), "share of wrong rows", held_out=True),
    ),
    objective={("objective", "of the average", "least", "excess", "excess of the average", "regret", "bound"): setting},
    theorems=THEOREMS,
    expectations=EXPECTATIONS,
    ends={
        "pass … was the last": last_pass("epochs", lambda problem, state: state.used),
        "it diverges: ‖w‖ would be …; `project` keeps it at 1/√λ = …": diverges,
    },
    symbols=SYMBOLS,
    only_for={"seed": ("order", "shuffled", "replacement")},
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=lambda problem: (
        one_alone(problem.data, "a margin lies between two") or out_of_range(problem.data, _LARGEST)
    ),
    datasets=(
        blobs.with_(n=60, spread=1.5),
        iris.with_(positive="versicolor", scale=True),
        penguins.with_(positive="Chinstrap", scale=True),
        breast_cancer.with_(scale=True),
        digits.with_(positive="3", scale=True),
    ),
)
