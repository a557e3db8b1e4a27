"""Online gradient descent: predict a row, suffer its loss, step down the slope of that loss alone.

    z_t = y_t w_t·x_t,   f_t(w_t) = loss(z_t),   g_t = loss'(z_t) y_t x_t,   w_{t+1} = Π(w_t - η_t g_t),   w_1 = 0

Π goes to the nearest w with ‖w‖ <= r. Nothing is said of how the rows come: they may be drawn, sorted, or chosen by an
adversary who sees w. What is asked is the regret, Σ f_t(w_t) - Σ f_t(u), against any fixed u of the ball, also against
the one that would have been best for the rows that came. For convex losses, on every path,

    Σ f_t(w_t) - Σ f_t(u)  <=  ‖u - w_1‖²/(2η) + ½ Σ η ‖g_t‖²                                   (η constant)
    Σ f_t(w_t) - Σ f_t(u)  <=  D²/(2η_T) + ½ Σ η_t ‖g_t‖²  <=  1.5 D G √T         (η_t = D/(G√t)),

where D = 2r is the diameter of the ball and no slope in it is longer than G. So the regret a row goes to 0 like 1/√T.

With the perceptron loss max(0, -z) and its slope -1 at z = 0 a step is the perceptron's: η y x is added where z <= 0.
With the hinge it is that of the perceptron with margin 1, but for rows exactly on it.

A fork that changes data, loss, step or ball, and w dragged, begin the accounts anew: w_1 is that w then, and T = 0.

References: Zinkevich (2003), Online convex programming and generalized infinitesimal gradient ascent, ICML;
Cesa-Bianchi and Lugosi (2006), Prediction, Learning, and Games; Shalev-Shwartz (2012), Online learning and online
convex optimization, Foundations and Trends in Machine Learning 4; Rosenblatt (1958), The perceptron, Psychological
Review 65(6).
"""

from collections.abc import Callable
from math import sqrt
from typing import Annotated, Any, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Mark,
    Meta,
    Needs,
    Points,
    Problem,
    Row,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Words,
    kept,
    numbers,
    theorem,
)
from algorithms.data import blobs, iris, penguins, wine
from algorithms.families.online.online_gradient_descent.arrivals import Arrival, in_its_turn, next_row, turns
from algorithms.toolbox import hindsight
from algorithms.toolbox.ends import last_pass
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.hindsight import into_ball
from algorithms.toolbox.margin_losses import MarginLoss, margin_loss
from algorithms.toolbox.panels.linear import compared, stage, weight_panels
from algorithms.toolbox.panels.losses import loss_over_margin
from algorithms.toolbox.panels.row_words import says_margin
from algorithms.toolbox.signed_rows import rows_of, signed_rows

LossName = Literal["squared", "logistic", "hinge", "perceptron"]
Steps = Literal["constant", "1/sqrt(t)"]


class OnlineState(State, frozen=True, kw_only=True):
    w: Array  # (p,) weights, the bias last of them
    first: Array  # (p,) w_1, from which the accounts run
    seen: Annotated[Array, Along("n")]  # (n,) bool, whether the row has come in this pass
    visits: Annotated[Array, Along("n")]  # (n,) how often it has come in all
    row: Annotated[int, Row] = -1  # the row that came last
    rounds: int = 0  # T, the rows that have come
    suffered: float = 0.0  # Σ f_t(w_t)
    slopes: float = 0.0  # Σ η_t ‖g_t‖²
    mistakes: int = 0  # rows with z <= 0 when they came


def online_gradient_descent(
    data: Dataset,
    state: OnlineState | None = None,
    *,
    loss: Annotated[LossName, Meta(description="what a row costs, by its margin z")] = "squared",
    steps: Annotated[Steps, Meta(description="η at every step, or D/(G√t)")] = "constant",
    eta: Annotated[float, Meta(ge=1e-6, le=100, description="step size η, where it is constant")] = 0.01,
    radius: Annotated[float, Meta(ge=1e-3, le=1e4, description="r: ‖w‖ is kept at most this")] = 2.0,
    order: Annotated[Arrival, Meta(description="how rows come; worst first: the costliest one now")] = "shuffled",
    bias: Annotated[bool, Meta(description="append the constant 1, so that the boundary may miss the origin")] = True,
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="passes over the rows")] = 2,
    seed: Annotated[Seed, Meta(description="of the shuffled orders")] = 0,
) -> Run[OnlineState]:
    yx, f = data.once(signed_rows, bias), margin_loss(loss)
    G = data.once(hindsight.steepest, loss, radius, bias)
    if state is None:
        w = np.zeros(yx.shape[1])
        state = OnlineState(w=w, first=w, seen=np.zeros(data.n, bool), visits=np.zeros(data.n))
        yield state
    while True:
        epoch, seen = this_pass(state)
        if epoch > epochs:
            return f"pass {epochs:,} was the last"
        z = yx @ state.w
        row = next_row(seen, turns(data, f.of(z), order, seed, epoch))
        g = f.slope(z)[row] * yx[row]
        eta_t = eta if steps == "constant" else 2 * radius / (G * sqrt(state.rounds + 1))
        aim = state.w - eta_t * g
        account = charged(state, epoch, row, float(f.of(z)[row]), eta_t * float(g @ g), bool(z[row] <= 0))
        if not g.any():
            state = state.after("no slope", **account)
            yield state
        elif np.linalg.norm(aim) <= radius:
            state = state.after("step", w=aim, **account)
            yield state
        else:
            state = state.after("drawn back", w=into_ball(aim, radius), **account)
            yield state


def this_pass(state: OnlineState) -> tuple[int, Array]:
    """The pass of the row that follows a state, and (n,) which rows have come in it."""
    if state.iteration and not state.seen.all():
        return state.iteration, state.seen
    return state.iteration + 1, np.zeros(len(state.seen), bool)


def charged(state: OnlineState, epoch: int, row: int, cost: float, slope: float, wrong: bool) -> dict[str, Any]:
    """The accounts with one row more, which cost so much and had so large a slope."""
    came = np.arange(len(state.seen)) == row
    return {
        "iteration": epoch,
        "row": row,
        "seen": this_pass(state)[1] | came,
        "visits": state.visits + came,
        "rounds": state.rounds + 1,
        "suffered": state.suffered + cost,
        "slopes": state.slopes + slope,
        "mistakes": state.mistakes + wrong,
    }


def adapt(before: Problem, after: Problem, state: OnlineState, rows: Array) -> OnlineState:
    """w stays, as far as it is in the ball; on other terms the accounts begin anew."""
    was, now = before.parameters, after.parameters
    same_terms = (was.loss, was.steps, was.eta, was.radius) == (now.loss, now.steps, now.eta, now.radius)
    if after.data is before.data and same_terms:
        return state
    stayed = state.replaced(seen=(rows >= 0) & state.seen[rows], visits=np.zeros(len(rows)))
    return begun(stayed, into_ball(state.w, now.radius))


def begun(state: OnlineState, w: Array) -> OnlineState:
    """The state at a w from which the accounts begin."""
    return state.replaced(w=w, first=w, visits=0 * state.visits, rounds=0, suffered=0.0, slopes=0.0, mistakes=0)


def loss_of(problem: Problem) -> MarginLoss:
    return margin_loss(problem.parameters.loss)


def G_of(problem: Problem) -> float:
    p = problem.parameters
    return float(problem.data.once(hindsight.steepest, p.loss, p.radius, p.bias))


def step_made(problem: Problem, before: OnlineState) -> float:
    """η_t of the step after `before`."""
    p = problem.parameters
    return float(p.eta if p.steps == "constant" else 2 * p.radius / (G_of(problem) * sqrt(before.rounds + 1)))


@kept
def margins(problem: Problem, state: OnlineState) -> Array:
    """(n,) z = y w·x."""
    return np.asarray(rows_of(problem) @ state.w)


@kept
def u_of(problem: Problem, state: OnlineState) -> Array:
    """(p,) u: of squares the best for the rows that came, else nearly the best for a whole pass."""
    p = problem.parameters
    if p.loss == "squared":
        return hindsight.best_squared(rows_of(problem), state.visits, p.radius)
    return problem.data.once(hindsight.best_of_a_pass, p.loss, p.radius, p.bias)


@kept
def suffered_by_u(problem: Problem, state: OnlineState) -> float:
    """Σ f_t(u) over the rows that came."""
    return float(state.visits @ loss_of(problem).of(rows_of(problem) @ u_of(problem, state)))


def regret(problem: Problem, state: OnlineState) -> float:
    return state.suffered - suffered_by_u(problem, state)


def bound(problem: Problem, state: OnlineState) -> float:
    """What the regret cannot exceed, from the slopes that there were."""
    p = problem.parameters
    if p.steps == "constant":
        away = u_of(problem, state) - state.first
        return float(away @ away / (2 * p.eta) + state.slopes / 2)
    return float(p.radius * G_of(problem) * sqrt(state.rounds) + state.slopes / 2)


def first_drawn(problem: Problem, state: OnlineState) -> int:
    """The row from which the bound is drawn: the first ones a u as long as the ball allows fits too well."""
    return 2 * len(state.w) + 1 if problem.parameters.loss == "squared" else 0


def bound_drawn(problem: Problem, state: OnlineState) -> float:
    """The same; NaN before that row."""
    return bound(problem, state) if state.rounds >= first_drawn(problem, state) else np.nan


def a_row(measure: Callable[[Problem, OnlineState], float]) -> Callable[[Problem, OnlineState], float]:
    """The same divided by T; NaN before the first row."""
    return lambda problem, state: measure(problem, state) / (state.rounds or np.nan)


def error(problem: Problem, state: OnlineState) -> float:
    return float((margins(problem, state) <= 0).mean())


def gradient(problem: Problem, before: OnlineState, row: int) -> Array:
    """(p,) g, the slope at `before` of the loss of a row."""
    return np.asarray(loss_of(problem).slope(margins(problem, before))[row] * rows_of(problem)[row])


def scene(problem: Problem, before: OnlineState | None, after: OnlineState) -> Scene:
    data, p, f, r = problem.data, problem.parameters, loss_of(problem), problem.parameters.radius
    rows = Points(
        at=data.X,
        classes=data.y,
        weights=np.where(after.seen, 1.0, 0.3),
        sizes="large: seen",
        ringed=np.arange(data.n) == after.row,
        crossed=(margins(problem, after) <= 0) & bool(after.w.any()),
        says=says_margin(margins(problem, after), "y w·x"),
    )
    then, earlier = margins(problem, after if before is None else before), None if before is None else before.w
    name = "what the row cost, before the step" if before is not None else "what each row would cost"
    costs = loss_over_margin(then, data.y, f.of, f.formula, name=name, ringed=rows.ringed, margin="y w·x")
    return Scene(
        (
            stage(data, rows, after.w, p.bias, earlier=earlier, pulled=lambda held, w: begun(held, into_ball(w, r))),
            costs,
            *weight_panels(data, after.w, p.bias, earlier, u=u_of(problem, after)),
            numbers(so_far(problem, after)),
        )
    )


def compared_with(problem: Problem, state: OnlineState) -> tuple[Mark, ...]:
    return compared(u_of(problem, state), problem.parameters.bias, "u, the best in hindsight")


def so_far(problem: Problem, state: OnlineState) -> dict[str, float | int | None]:
    return {
        "rows that came, T": state.rounds,
        "Σ f(w), suffered": state.suffered,
        "Σ f(u), in hindsight": suffered_by_u(problem, state),
        "regret": regret(problem, state),
        "mistakes": state.mistakes,
    }


def explain(problem: Problem, before: OnlineState | None, after: OnlineState) -> str:
    data = problem.data
    if before is None or after.row < 0:
        came = f"Rows so far: {after.rounds}, at a cost of {after.suffered:.4g}" if after.rounds else "No row has come"
        return f"{came}; ‖w‖ = {np.linalg.norm(after.w):.4g}. The next is predicted with this w, and paid for."
    z = float(margins(problem, before)[after.row]) + 0.0
    cost, name = after.suffered - before.suffered, data.classes[int(data.signs[after.row] > 0)]
    who = f"{data.who(after.row)} comes; it is {name}, so z = y w·x = {z:.4g} costs {cost:.4g}."
    what = f"w goes {np.linalg.norm(after.w - before.w):.3g} down its slope, with η = {step_made(problem, before):.3g}."
    if after.phase == "no slope":
        what = "The loss has no slope there, and w stays."
    elif after.phase == "drawn back":
        what = f"The step leaves the ball, and w is drawn back to ‖w‖ = {problem.parameters.radius:g}."
    rows = f"{after.rounds} {'row' if after.rounds == 1 else 'rows'}"
    total = f"After {rows} the regret is {regret(problem, after):.4g} in all; by its bound"
    first = first_drawn(problem, after)
    drawn = "" if after.rounds >= first else f"The bound is drawn from row {first} on: so few rows u fits too well."
    return Words.of(f"{who} {what}", f"{total} it is {bound(problem, after):.4g} at most.", drawn)


SYMBOLS = {
    "w, w₁": ("weights, the bias last; those that the accounts begin at", None),
    "x, y": ("a row, with 1 appended when there is a bias, and its class as +1 or -1", None),
    "z": ("y w·x, the margin of the row when it comes", None),
    "f, g": ("the loss of the row, as a function of w, and its slope loss'(z) y x", None),
    "u": ("fixed weights, ‖u‖ <= r: with squares the best there for the rows so far, else (nearly) for a pass", None),
    "η": ("the step size, of the next row", step_made),
    "Π": ("to the nearest w of the ball ‖w‖ <= r", None),
    "T": ("rows that came", lambda problem, state: state.rounds),
    "D": ("2r, the diameter of the ball", lambda problem, state: 2 * problem.parameters.radius),
    "G": ("no slope in the ball is longer", lambda problem, state: G_of(problem)),
    "r": ("the radius, how long w may be", lambda problem, state: problem.parameters.radius),
    "t": ("the round, from 1", lambda problem, state: state.rounds),
}
CONSTANT = {"η is constant": lambda problem, state: problem.parameters.steps == "constant"}


@theorem(
    "regret <= ‖u - w₁‖²/2η + ½Σ η‖g‖²",
    source="Zinkevich (2003)",
    hypotheses=CONSTANT,
    proof=(
        "f is convex: f(w) - f(u) <= g·(w - u); u is in the ball, so Π takes w no farther from it:",
        "so f(w) - f(u) <= (‖w - u‖² - ‖w' - u‖²)/2η + ½η‖g‖² at each row",
        "summed, the distances cancel but for ‖w₁ - u‖² and the last, which is >= 0",
    ),
    along="T",
)
def regret_bound(problem: Problem, before: OnlineState | None, after: OnlineState) -> Answer:
    sides = ("Σf(w) - Σf(u)", regret(problem, after)), ("‖u - w₁‖²/2η + ½Σηg²", bound(problem, after))
    return Sides(*sides, size=after.suffered + suffered_by_u(problem, after))


@theorem(
    "the row is the next of its order",
    source="Zinkevich (2003)",
    about="step",
    proof=("that is the order; the bounds ask nothing of it",),
)
def right_choice(problem: Problem, before: OnlineState, after: OnlineState) -> Answer:
    p, (epoch, seen), costs = problem.parameters, this_pass(before), loss_of(problem).of(margins(problem, before))
    return in_its_turn(after.row, seen, problem.data, costs, p.order, p.seed, epoch)


@theorem(
    "w' = Π(w - η g)",
    source="Zinkevich (2003)",
    about="step",
    proof=("that is the rule; g is worked out anew from the row",),
)
def down_the_slope(problem: Problem, before: OnlineState, after: OnlineState) -> Answer:
    move = step_made(problem, before) * gradient(problem, before, after.row)
    aim = before.w - move
    aim = aim / max(float(np.linalg.norm(aim)) / problem.parameters.radius, 1.0)
    size = np.abs(before.w) + np.abs(move)
    names = weight_names(problem.data, problem.parameters.bias)
    return Sides.each(("w'", after.w), ("Π(w - η g)", aim), relation="==", size=size, entries=names)


@theorem(
    "the accounts grow by f(w), η‖g‖² and one row",
    source="Cesa-Bianchi and Lugosi (2006)",
    about="step",
    proof=("that is the protocol: first w is there, then the row comes and is paid for",),
)
def accounted(problem: Problem, before: OnlineState, after: OnlineState) -> Answer:
    i, g, z = after.row, gradient(problem, before, after.row), margins(problem, before)
    was, now = (np.array([s.suffered, s.slopes, s.mistakes, s.rounds, s.visits[i]]) for s in (before, after))
    more = np.array([loss_of(problem).of(z)[i], step_made(problem, before) * float(g @ g), z[i] <= 0, 1, 1])
    names = "Σ f(w)", "Σ η‖g‖²", "mistakes", "rows that came", f"visits of row {i}"
    return Sides.each(("account'", now), ("account + the row's", was + more), relation="==", entries=names)


@theorem(
    "f(w) - f(u) <= g·(w-u) <= (‖w-u‖² - ‖w'-u‖²)/2η + ½η‖g‖²",
    source="Zinkevich (2003)",
    about="step",
    proof=(
        "f is convex: f(u) >= f(w) + g·(u - w), also with a slope at a kink",
        "Π brings nearer to u: ‖w'-u‖² <= ‖w - ηg - u‖² = ‖w-u‖² - 2ηg·(w-u) + η²‖g‖²",
    ),
)
def link(problem: Problem, before: OnlineState, after: OnlineState) -> Answer:
    g, u, yx = gradient(problem, before, after.row), u_of(problem, after), rows_of(problem)[after.row]
    costs = loss_of(problem).of(np.array([yx @ before.w, yx @ u]))
    return hindsight.nearer_by_a_step(before.w, after.w, u, g, step_made(problem, before), costs)


@theorem(
    "u is the best in hindsight: Σf(u) <= Σf(w)",
    source="Cesa-Bianchi and Lugosi (2006)",
    hypotheses={"the loss is squared": lambda problem, state: problem.parameters.loss == "squared"},
    proof=("Σf is a quadratic form of the rows that came, and u is where it is least in the ball",),
)
def best_in_hindsight(problem: Problem, before: OnlineState | None, after: OnlineState) -> Answer:
    yx, u, r = rows_of(problem), u_of(problem, after), problem.parameters.radius
    return hindsight.no_squares_less(yx, after.visits, u, after.w, r)


@theorem(
    "η = D/(G√t): regret <= D²/2η + ½Σ η‖g‖² <= 1.5 D G √T",
    source="Zinkevich (2003)",
    hypotheses={"η shrinks": lambda problem, state: problem.parameters.steps != "constant"},
    proof=(
        "Σ (‖w-u‖² - ‖w'-u‖²)/2η <= D²/2η₁ + Σ D²(1/2η - 1/2η') = D²/2η_T, for ‖w - u‖ <= D",
        "½Σ ηg² <= ½ D G Σ 1/√t <= D G √T, and D²/2η_T = ½ D G √T",
    ),
    along="T",
)
def anytime_bound(problem: Problem, before: OnlineState | None, after: OnlineState) -> Answer:
    most = 3 * problem.parameters.radius * G_of(problem) * sqrt(after.rounds)
    size = after.suffered + suffered_by_u(problem, after)
    spent = ("D²/2η + ½Σηg²", bound(problem, after))
    return Sides(("Σf(w) - Σf(u)", regret(problem, after)), spent, ("1.5 D G √T", most), size=size)


@theorem(
    "it is the perceptron: + η y x where z <= 0 (hinge: z < 1)",
    source="Rosenblatt (1958)",
    about="step",
    phases=("step", "no slope"),
    hypotheses=CONSTANT | {"f has a kink": lambda problem, _: problem.parameters.loss in ("hinge", "perceptron")},
    proof=("max(0, -z) has the slope -1 for z < 0, and at z = 0 too is -1 one", "so -ηg = η y x, or 0"),
)
def as_the_perceptron(problem: Problem, before: OnlineState, after: OnlineState) -> Answer:
    z, move = margins(problem, before)[after.row], problem.parameters.eta * rows_of(problem)[after.row]
    adds = z < 1 if problem.parameters.loss == "hinge" else z <= 0
    name, aim = ("w + η y x", before.w + move) if adds else ("w", before.w)
    names, size = weight_names(problem.data, problem.parameters.bias), np.abs(before.w) + np.abs(move)
    return Sides.each(("w'", after.w), (name, aim), relation="==", size=size, entries=names)


THEOREMS = (
    regret_bound,
    right_choice,
    down_the_slope,
    accounted,
    link,
    best_in_hindsight,
    anytime_bound,
    as_the_perceptron,
)

ALGORITHM = Algorithm(
    online_gradient_descent,
    title="Online gradient descent",
    point="Each row is paid for before it is learned from; what hindsight saves a row shrinks.",
    after=("stochastic_gradient",),
    also=("ogd",),
    leaves_open="Little regret is no little loss: the best fixed w may be bad.",
    tries=(("one class, then the other", "-p 'order=by class'"), ("η falls as 1/√t", "-p steps=1/sqrt(t) -p eta=0.1")),
    asks=(
        Ask.way("The next row comes: what does the regret do?", "regret"),
        Ask("Is the next row a mistake?", "mistakes rises"),
    ),
    summary="Predicts each row as it comes, pays for it, and steps down its loss; regret is what hindsight would save.",
    rule="z = y w·x,   pay f(w) = loss(z),   g = loss'(z) y x\nw <- Π(w - η g)   with ‖w‖ <= r",
    # beyond, squares of slopes overflow or vanish
    needs=Needs(target="class", classes=2, most_features=1_000, within=(1e-50, 1e50)),
    phases={
        "start": "w = 0; no row has come",
        "no slope": "the row has no slope: w stays",
        "step": "down the slope of the row's loss",
        "drawn back": "down the slope and back into the ball",
    },
    events=("drawn back",),
    start_only=("bias",),
    curves=(
        Curve("regret a row", a_row(regret), "regret/T"),
        Curve("regret", regret, "Σ f(w) - Σ f(u)", chart="regret"),
        Curve("bound", bound_drawn, "from the slopes", chart="regret"),
        Curve("loss a row", a_row(lambda problem, state: state.suffered), "Σ f(w)/T", chart="loss a row"),
        Curve("of u", a_row(suffered_by_u), "Σ f(u)/T", chart="loss a row"),
        Curve("mistakes", lambda problem, state: state.mistakes, "rows with z <= 0 when they came"),
        Curve("error", error, "share of wrong rows now", held_out=True),
    ),
    objective={("regret", "bound", "regret a row", "loss a row", "of u"): ("loss",)},
    theorems=THEOREMS,
    ends={
        "pass … was the last": last_pass("epochs", lambda problem, state: int(state.seen.sum())),
    },
    symbols=SYMBOLS,
    compared=compared_with,
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(
        blobs.with_(n=120, spread=1.5),
        iris.with_(positive="versicolor", scale=True),
        penguins.with_(positive="Chinstrap", scale=True),
        wine.with_(positive="cultivar_2", scale=True),
        blobs.with_(n=60, margin=0.3),
    ),
)
