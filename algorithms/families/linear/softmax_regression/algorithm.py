"""Softmax regression: a score a class, shares of e^score, and weights that make the rows' own classes likely.

    p_k(x) = e^(w_k·x) / Σ_j e^(w_j·x),   ln P(w) = Σ_i ln p_(y_i)(x_i) - ½ λ Σ_k ‖w_k‖²

    gradient   g_k <- Σ_i (1[y_i = k] - p_k(x_i)) x_i - λ w_k
    solve      (Newton) d <- H⁻¹ g,   H = -∇²ln P, the shortest d (in balanced units) as H may be singular
    halve      (Newton) s <- s/2   while   ln P(w + s d) < ln P(w) + ¼ s g·d
    step       w <- w + s d,   by the gradient d = g and s = η

x has the constant 1 appended when there is a bias, on which there is no penalty. Only differences of scores count:
w_k - w_K for all k gives the same p, so K - 1 vectors are enough, and without a penalty H is singular. The gradients of
the classes sum to -λ Σ_k w_k, so a step multiplies Σ_k w_k by 1 - ηλ. diag(p) - ppᵀ <= ½, so no curvature of ln P
exceeds L = λmax(XᵀX)/2 + λ, and for η <= 2/L it never falls; the step is given as ηL, the same on all data. With two
classes w_1 - w_2 is what logistic regression makes with the step 2η and the penalty λ/2, and w_1 = -w_2 from w = 0.

References: McFadden (1974), Conditional logit analysis of qualitative choice behavior, in Frontiers in Econometrics;
Bridle (1990), Probabilistic interpretation of feedforward classification outputs, Neurocomputing; Böhning (1992),
Multinomial logistic regression algorithm, Annals of the Institute of Statistical Mathematics 44; Armijo (1966),
Minimization of functions having Lipschitz continuous first partial derivatives, Pacific Journal of Mathematics 16;
Hastie, Tibshirani and Friedman (2009), The Elements of Statistical Learning, sections 4.2 (masking) and 4.4.
"""

from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Region,
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
from algorithms.data import blobs, digits, iris, penguins, wine
from algorithms.families.linear.shared import climbing
from algorithms.families.linear.shared.slopes import slopes_agree
from algorithms.families.linear.softmax_regression.softmax import (
    SoftmaxLikelihood,
    direction_made,
    greatest_softmax_curvature,
    softmax_likelihood,
)
from algorithms.toolbox.ascent import rise_made, step_made
from algorithms.toolbox.ends import reached
from algorithms.toolbox.entry_names import names_by_class, weight_names
from algorithms.toolbox.logistic import likelihood
from algorithms.toolbox.logsumexp import shares_and_log_sum
from algorithms.toolbox.panels.confusion import confusion
from algorithms.toolbox.panels.row_words import says_scores
from algorithms.toolbox.panels.scores import along_main_direction, class_arrows, class_table, class_weights

_MOST_SOLVED = 200  # weights that Newton's method solves for at once


class SoftmaxRegressionState(State, frozen=True, kw_only=True):
    w: Array  # (K, p) weights of each class, the bias last of them
    g: Array  # (K, p) the gradient, as of the last `gradient`
    d: Array  # (K, p) the direction of the step: the gradient, or Newton's
    s: float = 1.0  # how much of it is taken


def softmax_regression(
    data: Dataset,
    state: SoftmaxRegressionState | None = None,
    *,
    method: Annotated[Literal["gradient", "newton"], Meta(description="up the gradient, or Newton's")] = "gradient",
    eta_L: Annotated[float, Meta(ge=1e-3, le=100, description="step size η times L; ln P never falls up to 2")] = 1.0,
    penalty: Annotated[float, Meta(ge=0, le=1e6, description="λ, on the squared lengths of all w")] = 0.1,
    bias: Annotated[bool, Meta(description="append the constant 1, without a penalty")] = True,
    start: Annotated[Literal["zero", "drawn"], Meta(description="w = 0, or drawn from N(0, 1)")] = "zero",
    tolerance: Annotated[float, Meta(ge=1e-12, le=1, description="ends when g is below it, as a share of Σ‖x‖")] = 1e-4,
    steps: Annotated[int, Meta(ge=1, le=1_000_000, description="steps before giving up")] = 2000,
    seed: Annotated[Seed, Meta(description="of the weights drawn")] = 0,
) -> Run[SoftmaxRegressionState]:
    f, L = data.once(softmax_likelihood, penalty, bias), data.once(greatest_softmax_curvature, penalty, bias)
    flat = climbing.flat_below(f.X, tolerance)
    if state is None:
        state = SoftmaxRegressionState(w=first(f, start, seed), g=np.zeros(f.shape), d=np.zeros(f.shape))
        yield state
    while True:
        if state.phase in ("start", "step"):
            if state.iteration >= steps:
                return f"iteration {steps:,} was the last, and w still moves"
            g = f.gradient(state.w)
            state = state.after("gradient", iteration=state.iteration + 1, g=g, d=g, s=eta_L / L)
            yield state
        if np.linalg.norm(state.g) <= flat:
            return f"the gradient is {np.linalg.norm(state.g):.2g} long, below {tolerance:g} Σ‖x‖"
        if eta_L > 2 and f.value(state.w) < -climbing.FAR * data.n:
            return "it diverges: η is too large"
        if method == "newton" and state.phase == "gradient":
            state = state.after("solve", d=f.newton_direction(state.w, state.g), s=1.0)
            yield state
        while method == "newton" and not f.rises_enough(state.w, state.g, state.d, state.s):
            if state.s < climbing.SHORTEST:
                return "no step raises ln P by what g·d promises: it is lost in rounding"
            state = state.after("halve", s=state.s / 2)
            yield state
        state = state.after("step", w=state.w + state.s * state.d)
        yield state


def first(f: SoftmaxLikelihood, start: str, seed: int) -> Array:
    """(K, p) the first weights."""
    return np.zeros(f.shape) if start == "zero" else np.random.default_rng((seed, 0)).standard_normal(f.shape)


def f_of(problem: Problem) -> SoftmaxLikelihood:
    """ln P, of the rows that there are."""
    return problem.data.once(softmax_likelihood, problem.parameters.penalty, problem.parameters.bias)


def bound_of(problem: Problem) -> float:
    """L, which no curvature of ln P exceeds."""
    return problem.data.once(greatest_softmax_curvature, problem.parameters.penalty, problem.parameters.bias)


def eta_of(problem: Problem) -> float:
    """η, the step size up the gradient."""
    return float(problem.parameters.eta_L) / bound_of(problem)


@kept
def log_likelihood(problem: Problem, state: SoftmaxRegressionState) -> float:
    return f_of(problem).value(state.w)


@kept
def shares(problem: Problem, state: SoftmaxRegressionState) -> Array:
    """(K, n) p of each class at each row."""
    return f_of(problem).shares(state.w)


@kept
def right(problem: Problem, state: SoftmaxRegressionState) -> Array:
    """(n,) whether a row's own class is the likeliest."""
    return f_of(problem).right(state.w)


def slope_length(problem: Problem, state: SoftmaxRegressionState) -> float:
    return float(np.linalg.norm(state.g)) or np.nan


def weights(problem: Problem) -> tuple[str, ...]:
    """The names of the weights of a class."""
    return weight_names(problem.data, problem.parameters.bias)


def weights_by_class(problem: Problem) -> tuple[str, ...]:
    """The names of all weights."""
    return problem.data.once(names_by_class, problem.parameters.bias)


def flat(problem: Problem, state: SoftmaxRegressionState) -> bool | Sides:
    return state.phase == "gradient" and climbing.flat_at(f_of(problem), state.w, problem.parameters.tolerance)


def fallen(problem: Problem, state: SoftmaxRegressionState) -> bool | Sides:
    return state.phase == "gradient" and climbing.far_below(f_of(problem), state.w)


def no_step_rises(problem: Problem, state: SoftmaxRegressionState) -> bool | Sides:
    tried_last = state.phase in ("solve", "halve") and state.s < climbing.SHORTEST
    return tried_last and climbing.rises_too_little(f_of(problem), state.w, state.d, state.s)


def validate(problem: Problem) -> str | None:
    K, p = len(problem.data.classes), problem.data.d + problem.parameters.bias
    if problem.parameters.method == "newton" and K * p > _MOST_SOLVED:
        return f"Newton's method would solve for {K * p:,} weights at once, more than {_MOST_SOLVED}: use the gradient."
    return None


def scene(problem: Problem, before: SoftmaxRegressionState | None, after: SoftmaxRegressionState) -> Scene:
    data, bias, p = problem.data, problem.parameters.bias, shares(problem, after)
    weights, offsets = (after.w[:, :-1], after.w[:, -1]) if bias else (after.w, np.zeros(len(after.w)))

    def scores_at(x: Array) -> Array:
        return np.asarray(x @ weights.T + offsets)

    def shares_at(x: Array) -> Array:
        return shares_and_log_sum(scores_at(x).T)[0].T

    off = 1 - (p * f_of(problem).Y).sum(axis=0)
    pulls = (np.arange(data.n) == strongest(problem, after)) & (after.phase == "gradient")
    wrong, says = ~right(problem, after) & bool(after.w.any()), says_scores(data, shares_at, "P")
    rows = Points(at=data.X, classes=data.y, weights=off, ringed=pulls, crossed=wrong, says=says)
    tint = (Region(score=shares_at, mixed=True, check=data.X),) if after.w.any() else ()
    arrows, handles = class_arrows(data, after.w, bias)
    picture = Panel(title="shares p mixed; a row's size: 1 - p", space="data", marks=(*tint, rows, *arrows, *handles))
    return Scene(
        (
            picture,
            *along_main_direction(data, scores_at, shares_at),
            *class_weights(data, after.w, bias),
            class_table(data, after.w, p),
            so_far(problem, after),
            confusion(data, p.argmax(axis=0)),
        )
    )


def so_far(problem: Problem, state: SoftmaxRegressionState) -> Panel:
    newton = problem.parameters.method == "newton"
    return numbers(
        {
            "log-likelihood ln P": log_likelihood(problem, state),
            "s" if newton else "η": state.s if newton else eta_of(problem),
            "1/L": 1 / bound_of(problem),
            "‖g‖": slope_length(problem, state),
            "‖Σ w‖ over the classes": float(np.linalg.norm(state.w.sum(axis=0))),
            "wrong rows": int((~right(problem, state)).sum()),
        }
    )


def explain_start(problem: Problem, before: SoftmaxRegressionState | None, after: SoftmaxRegressionState) -> str:
    return climbing.begun(log_likelihood(problem, after), problem.data.n, len(after.w), after.w)


def strongest(problem: Problem, state: SoftmaxRegressionState) -> int:
    """Find the row that pulls most."""
    f = f_of(problem)
    off = 1 - (shares(problem, state) * f.Y).sum(axis=0)
    return int((off * np.linalg.norm(f.X, axis=1)).argmax())


def explain_gradient(problem: Problem, before: SoftmaxRegressionState | None, after: SoftmaxRegressionState) -> str:
    data, p, f = problem.data, shares(problem, after), f_of(problem)
    own, row = (p * f.Y).sum(axis=0), strongest(problem, after)
    code, other = int(np.asarray(data.y)[row]), int(np.where(f.Y[:, row] > 0, -1, p[:, row]).argmax())
    long = float(np.linalg.norm(after.g))
    said = (
        f"{data.who(row)} pulls most: it is {data.classes[code]} with p = {own[row]:.3g}, and "
        f"{data.classes[other]} has {p[other, row]:.3g}. g is {long:.3g} long."
    )
    if long > climbing.flat_below(f.X, problem.parameters.tolerance):
        return said
    wrong = int((~right(problem, after)).sum())
    return Words.of(said, climbing.balanced(log_likelihood(problem, after), wrong, data.n))


def explain_newton(problem: Problem, before: SoftmaxRegressionState | None, after: SoftmaxRegressionState) -> str:
    if after.phase == "halve":
        return climbing.tried(after.s)
    promise = float((after.g * after.d).sum()) / 2
    return f"Newton's direction is {np.linalg.norm(after.d):.3g} long; as a parabola ln P would rise by {promise:.3g}."


def explain_step(problem: Problem, before: SoftmaxRegressionState | None, after: SoftmaxRegressionState) -> str:
    value, wrong = log_likelihood(problem, after), int((~right(problem, after)).sum())
    rows = f"Wrong rows: {wrong} of {problem.data.n}."
    if before is None:
        return f"ln P = {value:.5g} here. {rows}"
    rise, moved = value - log_likelihood(problem, before), float(np.linalg.norm(after.w - before.w))
    if rise < 0 and problem.parameters.method == "gradient" and problem.parameters.eta_L > 2:
        return f"η = {after.s:.3g} is too far: ln P falls by {-rise:.3g} to {value:.5g}. {rows}"
    return f"The step moves w by {moved:.3g}, and ln P rises by {max(rise, 0):.3g} to {value:.5g}. {rows}"


SYMBOLS = {
    "w": ("weights of each class, the bias last of them; w₁ those of the positive one of two", None),
    "p, K": ("a class's share at a row, and how many classes", lambda problem, state: len(state.w)),
    "ln P": ("the log-likelihood, less the penalty", log_likelihood),
    "λ": ("the penalty on all ‖w‖², the biases left out", lambda problem, state: problem.parameters.penalty),
    "g": ("the gradient of ln P, a row a class", lambda problem, state: float(np.linalg.norm(state.g))),
    "η": ("step size up the gradient", lambda problem, state: eta_of(problem)),
    "L": ("half the greatest eigenvalue of Σ x xᵀ, plus λ: ln P bends nowhere more", lambda p, s: bound_of(p)),
    "H": ("the curvature -∇²ln P, of all classes together", None),
    "d, s": ("the direction of the step, and how much of it is taken", lambda problem, state: state.s),
    "v": ("w₁ - w₂ of two classes: ln P(v) is that of logistic regression with λ/2", None),
    "x, y": ("a row with the constant 1 where there is a bias, and its class", None),
    "q, h": ("a direction of length 1, that of g or of one weight; a short way along it", None),
    "k, j": ("any class", None),
}
GRADIENT = {"up the gradient": lambda problem, s: problem.parameters.method == "gradient" or "the steps are Newton's"}
NEWTON = {"Newton's": lambda problem, s: problem.parameters.method == "newton" or "the steps are up the gradient"}
TWO = {"there are two classes": lambda problem, s: len(s.w) == 2 or f"there are {len(s.w)} classes"}
FROM_ZERO = {"w began at 0": lambda problem, s: problem.parameters.start == "zero" or "w began elsewhere"}
RISING = {"η <= 2/L": climbing.at_most(2)}


@theorem(
    "by the gradient, η <= 2/L: ln P never falls",
    source="Böhning (1992)",
    about="step",
    phases=("gradient", "step"),
    hypotheses=GRADIENT | RISING,
    proof=("taken or to come, ln P(w + ηg) >= ln P + η g·g - ½η²L‖g‖²", "as diag(p) - ppᵀ <= ½; 1 - ½ηL >= 0"),
)
def climbs(problem: Problem, before: SoftmaxRegressionState, after: SoftmaxRegressionState) -> Answer:
    led = after.w if after.phase == "step" else after.w + eta_of(problem) * after.g
    return rise_made(f_of(problem), before.w, led, eta_of(problem), problem.parameters.eta_L)


@theorem(
    "g is the slope of ln P",
    source="Bridle (1990)",
    phases=("gradient",),
    proof=("ln p_y = w_y·x - ln Σ e^(w_j·x) has the slope (1[k = y] - p_k) x in w_k",),
)
def slopes(problem: Problem, before: SoftmaxRegressionState | None, after: SoftmaxRegressionState) -> Answer:
    f, names = f_of(problem), weights_by_class(problem)
    return slopes_agree(f.value, after.w, after.g, names, f.reach, f.size, after.t)


@theorem(
    "Σ g over the classes = -λ Σ w",
    source="Bridle (1990)",
    phases=("gradient",),
    proof=("Σ_k (1[y = k] - p_k) = 1 - 1 = 0 for every row", "only the penalty is left"),
)
def gradients_sum(problem: Problem, before: SoftmaxRegressionState | None, after: SoftmaxRegressionState) -> Answer:
    f = f_of(problem)
    size = np.abs(f.X).sum(axis=0) + f.penalties * np.abs(after.w).sum(axis=0)
    total = -f.penalties * after.w.sum(axis=0)
    sides = ("Σ g", after.g.sum(axis=0)), ("-λ Σ w", total)
    return Sides.each(*sides, relation="==", size=2 * size, entries=weights(problem))


@theorem(
    "w' = w + s d",
    source="Cauchy (1847)",
    about="step",
    phases=("step",),
    proof=("that is the rule; by the gradient s = η and d = g",),
)
def stepped(problem: Problem, before: SoftmaxRegressionState, after: SoftmaxRegressionState) -> Answer:
    if problem.parameters.method == "gradient":
        return step_made(f_of(problem), before.w, after.w, eta_of(problem), weights_by_class(problem))
    return climbing.moved_along(before.w, before.s, before.d, after.w, weights_by_class(problem))


@theorem(
    "Newton: H d = g",
    source="Böhning (1992)",
    about="step",
    phases=("solve",),
    hypotheses=NEWTON,
    proof=("ln P(w + d) ≈ ln P + g·d - ½ dᵀHd is greatest where Hd = g; where H is flat g is 0",),
)
def normal_equations(problem: Problem, before: SoftmaxRegressionState, after: SoftmaxRegressionState) -> Answer:
    return direction_made(f_of(problem), after.w, after.d, weights_by_class(problem))


@theorem(
    "Newton: ln P + ¼ s g·d <= ln P', and not so with 2s",
    source="Armijo (1966)",
    about="step",
    phases=("step",),
    hypotheses=NEWTON,
    proof=("s is halved until it is so, from 1 on; g·d = dᵀHd >= 0, so for a small s it is",),
)
def rises(problem: Problem, before: SoftmaxRegressionState, after: SoftmaxRegressionState) -> Answer:
    return climbing.cut_as_asked(f_of(problem), before.w, after.w, after.s, after.d, float((after.g * after.d).sum()))


@theorem(
    "K - 1 vectors are enough: p of w - w_K is p of w",
    source="McFadden (1974)",
    phases=("step",),
    proof=("e^((w_k - w_K)·x) = e^(w_k·x)/e^(w_K·x): the same factor above and below",),
)
def fewer_vectors(problem: Problem, before: SoftmaxRegressionState | None, after: SoftmaxRegressionState) -> Answer:
    f, p = f_of(problem), shares(problem, after)
    less, size = f.shares(after.w - after.w[-1]), 1 + float((np.abs(after.w) @ np.abs(f.X.T)).max())
    return Sides.each(("p of w", p.T), ("p of w - w_K", less.T), relation="==", size=size, axes=("row", "class"))


@theorem(
    "all shifted alike: H(w_K, ..., w_K) = λw_K, flat without λ",
    source="Böhning (1992)",
    phases=("step",),
    proof=("all scores move by w_K·x, so no p moves, and the gradient by the penalty's λ w_K alone",),
)
def flat_together(problem: Problem, before: SoftmaxRegressionState | None, after: SoftmaxRegressionState) -> Answer:
    f = f_of(problem)
    u = np.broadcast_to(after.w[-1], f.shape)
    size = shares(problem, after) * np.abs(u @ f.X.T) @ np.abs(f.X) + f.penalties * np.abs(u)
    sides = ("H(w_K, ..., w_K)", f.bend(after.w, u)), ("λw_K", f.penalties * u)
    return Sides.each(*sides, relation="==", size=size, entries=weights_by_class(problem))


@theorem(
    "two classes: v' = v + 2η∇ln P(v), the binary run with λ/2",
    source="McFadden (1974)",
    about="step",
    phases=("step",),
    hypotheses=TWO | GRADIENT,
    proof=("p₁ = 1/(1 + e^(-v·x)), and g₁ - g₂ = 2Σ(y - p₁)x - λv = 2(Σ(y - p₁)x - ½λv)",),
)
def binary_run(problem: Problem, before: SoftmaxRegressionState, after: SoftmaxRegressionState) -> Answer:
    p = problem.parameters
    binary, eta = problem.data.once(likelihood, p.penalty / 2, p.bias), 2 * eta_of(problem)
    was, now = before.w[1] - before.w[0], after.w[1] - after.w[0]
    size = np.abs(before.w).sum(axis=0) + eta * (np.abs(binary.X).sum(axis=0) + p.penalty * np.abs(was))
    sides = ("v'", now), ("v + 2η∇ln P(v)", was + eta * binary.gradient(was))
    return Sides.each(*sides, relation="==", size=size, entries=weights(problem))


@theorem(
    "two classes from w = 0: w₁ = -w₂",
    source="McFadden (1974)",
    about="run",
    hypotheses=TWO | FROM_ZERO | GRADIENT,
    proof=("w' = w + η g and Σ g = -λ Σ w, so a step multiplies Σ w = w₁ + w₂ by 1 - η λ: it stays 0",),
)
def opposite(problem: Problem, before: SoftmaxRegressionState | None, after: SoftmaxRegressionState) -> Answer:
    size = np.abs(after.w).sum(axis=0) + eta_of(problem) * np.abs(f_of(problem).X).sum(axis=0)
    size = size * (1 + after.iteration)  # every step adds its own rounding
    return Sides.each(("w₁", after.w[1]), ("-w₂", -after.w[0]), relation="==", size=size, entries=weights(problem))


THEOREMS = (
    climbs,
    slopes,
    gradients_sum,
    stepped,
    normal_equations,
    rises,
    fewer_vectors,
    flat_together,
    binary_run,
    opposite,
)

ALGORITHM = Algorithm(
    softmax_regression,
    title="Softmax regression",
    point="Every place is shared among the classes, and borders turn until the shares fit the rows.",
    after=("logistic_regression",),
    also=("multinomial logistic regression",),
    leaves_open="Adding one vector to all w changes no share: the penalty chooses among them.",
    tries=(("Newton's steps", "-p method=newton"), ("drawn W, no penalty", "-p start=drawn -p penalty=0")),
    asks=(
        Ask.way("ln P rises: what does the training error do?", '"training error"', "gradient"),
        Ask.number("What will ln P be after the step?", '"log-likelihood"', 0.05, "gradient"),
    ),
    summary="Gives each class a score and a share of e^score, and climbs the likelihood of the rows' own classes.",
    rule="gradient  g_k <- Σ (1[y = k] - p_k) x - λ w_k\nstep      w <- w + ηg,  Newton: w + s d, H d = g",
    needs=Needs(target="class", most_features=1_000, within=(1e-50, 1e50)),  # beyond, products of cubes overflow
    phases={
        "start": "the first weights",
        "gradient": "a row pulls its own class up by 1 - p, the others down by p",
        "solve": "Newton's direction",
        "halve": "half as far, since ln P would not rise enough",
        "step": "w moves",
    },
    events=("step", "halve"),
    fork_after=("start", "step"),
    start_only=("bias", "start", "seed"),
    curves=(
        Curve("log-likelihood", log_likelihood, "ln P(w)"),
        Curve("length of the gradient", slope_length, "‖g‖", phases=("gradient",), log=True),
        Curve("‖Σ w‖", lambda problem, state: float(np.linalg.norm(state.w.sum(axis=0))), "over the classes"),
        Curve("error", lambda p, s: float(1 - right(p, s).mean()), "share of rows not right", held_out=True),
        Curve("log loss", lambda p, s: float(f_of(p).losses(s.w).mean()), "mean of -ln p_y", held_out=True),
    ),
    objective={("log-likelihood",): ("penalty",)},
    theorems=THEOREMS,
    ends={
        "the gradient is … long, below … Σ‖x‖": flat,
        "iteration … was the last, and w still moves": reached("steps", "iteration", "step"),
        "it diverges: η is too large": fallen,
        "no step raises ln P by what g·d promises: it is lost in rounding": no_step_rises,
    },
    symbols=SYMBOLS,
    only_for={"seed": ("start", "drawn")},
    scene=scene,
    explain={"start": explain_start, "gradient": explain_gradient, "step": explain_step}
    | dict.fromkeys(("solve", "halve"), explain_newton),
    adapt=lambda before, after, state, rows: state.replaced(g=f_of(after).gradient(state.w)),
    validate=validate,
    datasets=(
        blobs.with_(n=150, k=3, hold_out=0.2),
        iris.with_(columns=("petal_length_cm", "petal_width_cm"), scale=True),
        blobs.with_(n=150, k=3, d=1, scale=True),
        penguins.with_(scale=True, hold_out=0.25),
        wine.with_(scale=True),
        iris.with_(positive="versicolor", scale=True),
        digits,
    ),
)
