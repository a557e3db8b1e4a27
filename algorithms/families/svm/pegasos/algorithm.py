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
from math import sqrt
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Array,
    Ask,
    Curve,
    Dataset,
    Expectation,
    Mark,
    Meta,
    Needs,
    Points,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    Words,
    numbers,
)
from algorithms.data import blobs, breast_cancer, digits, iris, penguins
from algorithms.families.svm.pegasos.measures import (
    C_of,
    G_of,
    PegasosState,
    ball,
    best_of,
    bound,
    margins,
    next_place,
    not_drawn_back,
    objective,
    radius_of,
    regret,
    step_of,
    value,
    value_of_average,
)
from algorithms.families.svm.pegasos.regularised_hinge import (
    HingeName,
    HingeObjective,
)
from algorithms.families.svm.pegasos.theorems import THEOREMS
from algorithms.families.svm.shared.two_classes import one_alone
from algorithms.toolbox.ends import last_pass
from algorithms.toolbox.hindsight import into_ball
from algorithms.toolbox.margin_losses import margin_loss
from algorithms.toolbox.orders import Order, epoch_order, used_in_epoch
from algorithms.toolbox.panels.linear import compared, margin_lines, stage, weight_panels
from algorithms.toolbox.panels.losses import loss_over_margin
from algorithms.toolbox.panels.row_words import says_margin
from algorithms.toolbox.signed_rows import longest, signed_rows

_STAGE = "w·x = 0, and the margin w·x = ±1"
_DIVERGED = 1e6  # times R/λ, the longest that w is with the hinge


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
            return f"pass {epochs:,} was the last: f(w) = {f.value(state.w):.4g}"
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
    used = used_in_epoch(before, state.iteration, state.used, rows)
    return begun(state.replaced(used=used, visits=np.zeros(len(rows)), row=-1), into_ball(state.w, radius_of(after)))


def begun(state: PegasosState, w: Array) -> PegasosState:
    """The state at a w from which the accounts begin."""
    fresh = {"total": np.zeros_like(w), "visits": 0 * state.visits, "suffered": 0.0, "slopes": 0.0}
    return state.replaced(w=w, first=w, since=state.t, **fresh)


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
        sizes="large: y w·x < 1",
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


def compared_with(problem: Problem, state: PegasosState) -> tuple[Mark, ...]:
    return compared(best_of(problem).u, problem.parameters.bias, "u, the least there is")


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
    now, average, best = value(problem, after), value_of_average(problem, after), best_of(problem)
    least = f"The objective f is {now:.4g}, at the average of all w {average:.4g}; {best.known} is {best.value:.4g}"
    least = f"{least}, at C = 1/(nλ) = {C_of(problem):.3g}."
    if before is None or after.row < 0:
        return f"‖w‖ = {np.linalg.norm(after.w):.4g}. {least}"
    if after.used == problem.data.n and after.iteration >= problem.parameters.epochs:  # the last row: what came out
        return Words.of("", least)
    z, step = float(margins(problem, before)[after.row]) + 0.0, step_of(problem, before, after)
    who = f"{problem.data.who(after.row)} has z = y w·x = {z:.4g}, {after.phase} the margin"
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
    "w, w'": ("weights, that of the appended constant last; after the step", None),
    "x, y, z": ("a row, with the constant appended if there is one, its class +1 or -1, and y w·x", None),
    "f": ("the objective, ½λ‖w‖² + mean loss of all rows; f(w) here", value),
    "fₜ, g": ("the same with the loss of the row that came alone, and its slope at w", None),
    "λ": ("the penalty", lambda problem, state: problem.parameters.lam),
    "C": ("1/(nλ), the price of a row in ½‖w‖² + C Σ loss", lambda problem, state: C_of(problem)),
    "η": ("1/(λt), the size of the step just made", lambda p, s: 1 / (p.parameters.lam * s.t) if s.t else None),
    "u": ("where f is least, by the dual's coordinates; f(u) here", lambda p, s: best_of(p).value),
    "Π": ("to the nearest w of the ball ‖w‖ <= 1/√λ, where that is asked for", None),
    "T, t": ("steps since the accounts began; steps in all", lambda problem, state: state.t - state.since),
    "n": ("number of rows", lambda problem, state: problem.data.n),
    "α": ("multipliers of the dual at its best, 0 <= α <= C for the hinge", None),
    "ξ": ("max(0, 1 - z) at u", None),
    "k, w₁": ("the steps before the accounts began, and w then", lambda problem, state: state.since),
    "G": ("no g is longer", lambda p, s: G_of(p) if np.isfinite(G_of(p)) else None),
    "v": ("the part of w at a right angle to all rows", None),
}


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
    point="Only rows inside the margin push the border about, by ever smaller steps.",
    after=("stochastic_gradient", "nearest_hulls"),
    leaves_open="Passes are counted: the least f is near, and not reached.",
    tries=(("a tenth of λ", "-p lam=0.01"), ("no projection", "-p project=false")),
    asks=(
        Ask("Is the next row inside the margin?", "inside"),
        Ask.way("Against a subgradient of one row: what does the objective do?", "objective"),
    ),
    summary="Steps down the primal of the support vector machine, one row's subgradient at a time, by 1/(λt).",
    rule="w <- (1 - ηλ) w + η y x  if y w·x < 1, else (1 - ηλ) w\nη = 1/(λt),   then back into ‖w‖ <= 1/√λ",
    needs=Needs(target="class", classes=2, within=(1e-50, 1e50)),  # beyond, squares of products overflow or vanish
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
        "pass … was the last: f(w) = …": last_pass("epochs", lambda problem, state: state.used),
        "it diverges: ‖w‖ would be …; `project` keeps it at 1/√λ = …": diverges,
    },
    symbols=SYMBOLS,
    only_for={"seed": ("order", "shuffled", "replacement")},
    compared=compared_with,
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=lambda problem: one_alone(problem.data, "a margin lies between two"),
    datasets=(
        blobs.with_(n=60, spread=1.5),
        iris.with_(positive="versicolor", scale=True),
        penguins.with_(positive="Chinstrap", scale=True),
        breast_cancer.with_(scale=True),
        digits.with_(positive="3", scale=True),
    ),
)
