"""Logistic regression by gradient ascent: every row pulls w towards its class, by as much as p is off.

    p_i = 1/(1 + e^(-x_i·w)),   ln P(w) = Σ y_i ln p_i + (1 - y_i) ln(1 - p_i) - ½ λ ‖w‖²

    gradient   g <- Xᵀ(y - p) - λ w
    step       w <- w + η g

y is 1 or 0, and x has the constant 1 appended when there is a bias, on which there is no penalty. The penalty is what
a Gaussian prior adds, w ~ N(0, σ²) with σ² = 1/λ: the maximum then is the mode of the posterior (MAP). p(1 - p) <= ¼,
so no curvature of ln P exceeds L = λmax(XᵀX)/4 + λ, and a step raises ln P by η (1 - ½ηL) ‖g‖² at least: for η <= 2/L
it never falls. The step size is given as ηL, so that one number means the same on all data. After T steps with
η <= 1/L

    ln P(w*) - ln P(w_T)  <=  ‖w_0 - w*‖² / (2ηT).

On rows that a unit vector u separates with margin γ, without a penalty, there is no maximum: u·w grows at every step,
by η γ Σ(1 - p of the row's class) at least, and so w grows for ever; for η < 2/L its direction tends to that of the
widest margin, of the rows as they are in X, with the constant 1 where there is a bias.

References: Berkson (1944), Application of the logistic function to bio-assay, JASA 39; Cox (1958), The regression
analysis of binary sequences, JRSS B 20; Nesterov (2004), Introductory Lectures on Convex Optimization, section 2.1;
Soudry, Hoffer, Nacson, Gunasekar and Srebro (2018), The implicit bias of gradient descent on separable data, JMLR
19; Murphy (2012), Machine Learning: A Probabilistic Perspective, section 8.3.
"""

from typing import Annotated

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
    Run,
    Scene,
    Sides,
    State,
    Undecided,
    Words,
    kept,
    numbers,
    once,
    theorem,
)
from algorithms.data import blobs, breast_cancer, iris, leverage, penguins, wine
from algorithms.families.linear.shared.climbing import FAR, at_most, balanced, begun, far_below, flat_at, flat_below
from algorithms.families.linear.shared.slopes import slopes_agree
from algorithms.toolbox.ascent import rise_made, step_made
from algorithms.toolbox.ends import reached
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.logistic import Likelihood, Maximum, greatest_curvature, likelihood, maximum
from algorithms.toolbox.panels.chances import chance_tint, chances_along_scores
from algorithms.toolbox.panels.confusion import confusion
from algorithms.toolbox.panels.linear import both_margins, boundaries, parts, stage, weight_panels
from algorithms.toolbox.panels.row_words import says_chance
from algorithms.toolbox.separation import Separation, separate


class LogisticRegressionState(State, frozen=True, kw_only=True):
    w: Array  # (p,) weights, the bias last of them
    g: Array  # (p,) the gradient, as of the last `gradient`


def logistic_regression(
    data: Dataset,
    state: LogisticRegressionState | None = None,
    *,
    eta_L: Annotated[float, Meta(ge=1e-3, le=100, description="step size η times L; ln P never falls up to 2")] = 1.0,
    penalty: Annotated[float, Meta(ge=0, le=1e6, description="λ, on the squared length of w: 1/σ² of a prior")] = 0.0,
    bias: Annotated[bool, Meta(description="append the constant 1, without a penalty")] = True,
    tolerance: Annotated[float, Meta(ge=1e-12, le=1, description="ends when g is below it, as a share of Σ‖x‖")] = 1e-4,
    steps: Annotated[int, Meta(ge=1, le=1_000_000, description="steps before giving up")] = 2000,
) -> Run[LogisticRegressionState]:
    f, eta = data.once(likelihood, penalty, bias), eta_L / data.once(greatest_curvature, penalty, bias)
    flat = flat_below(f.X, tolerance)
    if state is None:
        state = LogisticRegressionState(w=np.zeros(f.p), g=np.zeros(f.p))
        yield state
    while True:
        if state.phase != "gradient":
            if state.iteration >= steps:
                return f"iteration {steps:,} was the last, and w still moves"
            state = state.after("gradient", iteration=state.iteration + 1, g=f.gradient(state.w))
            yield state
        if np.linalg.norm(state.g) <= flat:
            return f"the gradient is {np.linalg.norm(state.g):.2g} long, below {tolerance:g} Σ‖x‖"
        if eta_L > 2 and f.value(state.w) < -FAR * data.n:
            return "it diverges: η is too large"
        state = state.after("step", w=state.w + eta * state.g)
        yield state


def f_of(problem: Problem) -> Likelihood:
    """ln P, of the rows that there are."""
    return problem.data.once(likelihood, problem.parameters.penalty, problem.parameters.bias)


def best(problem: Problem) -> Maximum:
    """w*, where ln P is greatest."""
    return problem.data.once(maximum, problem.parameters.penalty, problem.parameters.bias)


def bound_of(problem: Problem) -> float:
    """L, which no curvature of ln P exceeds."""
    return problem.data.once(greatest_curvature, problem.parameters.penalty, problem.parameters.bias)


def eta_of(problem: Problem) -> float:
    """η, the step size."""
    return float(problem.parameters.eta_L) / bound_of(problem)


def steps_made(state: LogisticRegressionState) -> int:
    """T."""
    return state.iteration - (state.phase == "gradient")


@once
def separation(problem: Problem) -> Separation | None:
    """u with its margin γ, or the proof of none; None where a penalty makes it of no account."""
    f = f_of(problem)
    return None if problem.parameters.penalty else separate((2 * f.y - 1)[:, None] * f.X)


def widest(problem: Problem) -> tuple[Array, float] | None:
    """(p,) u and its margin γ, where they keep ln P from having a maximum."""
    found = separation(problem)
    return None if found is None or found.direction is None else (found.direction, found.margin)


def gamma(problem: Problem) -> float | None:
    return (widest(problem) or (None, None))[1]


@kept
def log_likelihood(problem: Problem, state: LogisticRegressionState) -> float:
    return f_of(problem).value(state.w)


@kept
def margins(problem: Problem, state: LogisticRegressionState) -> Array:
    """(n,) positive for a row on its side."""
    return f_of(problem).margins(state.w)


@kept
def curvature(problem: Problem, state: LogisticRegressionState) -> float:
    """The greatest curvature of ln P at w, which is down."""
    f = f_of(problem)
    return float(np.linalg.eigvalsh(f.hessian(f.weights(state.w)))[-1])


def left_to_gain(problem: Problem, state: LogisticRegressionState) -> float:
    gap = best(problem).value - log_likelihood(problem, state) if best(problem).exists else np.nan
    return gap if gap > 0 else np.nan


def rate_bound(problem: Problem, state: LogisticRegressionState) -> float:
    """‖w*‖²/(2ηT), where the theorem has it; the run began at w = 0."""
    if not steps_made(state) or any(test(problem, state) is not True for test in OF_THE_RATE.values()):
        return np.nan
    aim = best(problem).w
    return float(aim @ aim) / (2 * eta_of(problem) * steps_made(state))


def length(problem: Problem, state: LogisticRegressionState) -> float:
    return float(np.linalg.norm(state.w))


def cosine(problem: Problem, state: LogisticRegressionState) -> float:
    apart, long = widest(problem), length(problem, state)
    return float(apart[0] @ state.w) / long if apart and long else np.nan


def separable(problem: Problem, state: LogisticRegressionState) -> bool | str | Undecided:
    found = separation(problem)
    if found is None or found.direction is not None:
        return found is not None or f"λ = {problem.parameters.penalty:g}, so there is a maximum"
    return "nothing separates the rows strictly" if found.impossible else Undecided(found.why)


def flat(problem: Problem, state: LogisticRegressionState) -> bool | Sides:
    return state.phase == "gradient" and flat_at(f_of(problem), state.w, problem.parameters.tolerance)


def fallen(problem: Problem, state: LogisticRegressionState) -> bool | Sides:
    return state.phase == "gradient" and far_below(f_of(problem), state.w)


def scene(problem: Problem, before: LogisticRegressionState | None, after: LogisticRegressionState) -> Scene:
    data, bias, f, apart = problem.data, problem.parameters.bias, f_of(problem), widest(problem)
    u = None if apart is None else apart[0]
    crossed = (margins(problem, after) <= 0) & bool(after.w.any())
    earlier = None if before is None else before.w
    picture = stage(
        data,
        Points(
            at=data.X,
            classes=data.y,
            weights=f.pulls(after.w),
            ringed=(np.arange(data.n) == strongest(problem, after)) & (after.phase == "gradient"),
            crossed=crossed,
            says=says_chance(data, margins(problem, after)),
        ),
        after.w,
        bias,
        earlier=earlier if after.phase == "step" else None,
        title="p as a tint, " + ("bright: widest margin" if apart else "a row's size: |y - p|"),
        pulled=lambda held, w: held.replaced(w=w),
        tint=chance_tint(after.w, bias, data.X),
        beside=() if u is None else boundaries(u, bias),
    )
    aim = best(problem).w if best(problem).exists else None
    others = {"g": after.g, "w*": aim, "‖w‖ u": None if u is None else length(problem, after) * u}
    curve = chances_along_scores(f, after.w, data)
    tables = weight_panels(data, after.w, bias, earlier, **others)
    return Scene((picture, curve, *tables, so_far(problem, after), confusion(data, f.chances(after.w) > 0.5)))


def so_far(problem: Problem, state: LogisticRegressionState) -> Panel:
    f, lam = f_of(problem), problem.parameters.penalty
    apart = {"cosine of w and u": cosine(problem, state), "γ, the widest margin": gamma(problem)}
    apart = apart if widest(problem) else {}  # where no plane separates the rows there is no u
    return numbers(
        {
            "log-likelihood ln P": log_likelihood(problem, state),
            "ln P at the maximum": best(problem).value if best(problem).exists else None,
            "η": eta_of(problem),
            "1/L": 1 / bound_of(problem),
            "greatest curvature at w": curvature(problem, state),
            "2/η": 2 / eta_of(problem),
            "σ of the prior, 1/√λ": lam**-0.5 if lam else None,
            "‖w‖": length(problem, state),
            **apart,
            "mean p": float(f.chances(state.w).mean()),
            "share of class 1": float(f.y.mean()),
            "wrong rows": int((margins(problem, state) <= 0).sum()),
            **both_margins(state.w, problem.parameters.bias, margins(problem, state)),
        }
    )


def explain_start(problem: Problem, before: LogisticRegressionState | None, after: LogisticRegressionState) -> str:
    return begun(log_likelihood(problem, after), problem.data.n, 2, after.w)


def strongest(problem: Problem, state: LogisticRegressionState) -> int:
    """Find the row that pulls most."""
    f = f_of(problem)
    return int((f.pulls(state.w) * np.linalg.norm(f.X, axis=1)).argmax())


def explain_gradient(problem: Problem, before: LogisticRegressionState | None, after: LogisticRegressionState) -> str:
    f, data = f_of(problem), problem.data
    row = strongest(problem, after)
    p = float(f.chances(after.w)[row])
    long, less = float(np.linalg.norm(after.g)), ", less λ w," if problem.parameters.penalty else ""
    most = f"{data.who(row)} pulls most: it is {data.classes[int(f.y[row])]} (y = {f.y[row]:.0f}), and p = {p:.3g}."
    said = f"{most} All pulls (y - p) x{less} add up to g, {long:.3g} long."
    if long > flat_below(f.X, problem.parameters.tolerance):
        return said
    wrong = int((margins(problem, after) <= 0).sum())
    return Words.of(said, balanced(log_likelihood(problem, after), wrong, data.n))


def explain_step(problem: Problem, before: LogisticRegressionState | None, after: LogisticRegressionState) -> str:
    value, wrong = log_likelihood(problem, after), int((margins(problem, after) <= 0).sum())
    rows = f"Wrong rows: {wrong} of {problem.data.n}."
    if before is None:
        return f"ln P = {value:.5g} here. {rows}"
    rise, eta = value - log_likelihood(problem, before), eta_of(problem)
    if rise < 0 and problem.parameters.eta_L > 2:  # with a shorter step it never falls, but for rounding
        far = "on the way ln P bends along g by more than 2/η"
        return f"Too far: ln P falls by {-rise:.3g} to {value:.5g}; {far} = {2 / eta:.3g}. {rows}"
    moved = float(np.linalg.norm(after.w - before.w))
    up = f"ln P rises by {max(rise, 0.0):.3g} to {value:.5g}"
    return f"η = {eta:.3g} times g moves w by {moved:.3g}: {up}. {rows}"


SYMBOLS = {
    "w, w*": ("weights, the bias last; those where ln P is greatest", None),
    "ln P": ("the log-likelihood, less the penalty; at w* ln P*", log_likelihood),
    "p, y": ("the chance of class 1 at a row, and 1 if it is of that class, else 0", None),
    "λ": ("the penalty on ‖w‖² without the bias, 1/σ² of N(0, σ²)", lambda problem, state: problem.parameters.penalty),
    "g": ("the gradient Σ(y - p) x of ln P, less λ w", lambda problem, state: float(np.linalg.norm(state.g))),
    "η": ("step size", lambda problem, state: eta_of(problem)),
    "L": ("a quarter of the greatest eigenvalue of Σ x xᵀ, plus λ: ln P bends nowhere more", lambda p, s: bound_of(p)),
    "T, n": ("steps made, T here; rows", lambda problem, state: steps_made(state)),
    "u, γ": (
        "the unit vector of the widest margin and that margin; none where no plane separates the rows or λ > 0",
        lambda problem, state: gamma(problem),
    ),
    "q, h": ("a direction of length 1, that of g or of one weight; a short way along it", None),
    "X, x": ("the rows with the constant 1 where there is a bias; one of them", None),
}
BEND = "p(1 - p) <= ¼, so ln P(w + ηg) >= ln P + η g·g - ½η²L‖g‖²"
NO_MAXIMUM = "ln P has no maximum (the rows can be separated, or depend), or rounding hides it"
MAXIMUM = {"ln P has a maximum": lambda problem, state: best(problem).exists or NO_MAXIMUM}
OF_THE_RATE = {"η <= 1/L": at_most(1)} | MAXIMUM
RISING = {"η <= 2/L": at_most(2)}


@theorem(
    "g is the slope of ln P",
    source="Cox (1958)",
    phases=("gradient",),
    proof=("ln p has the slope (1 - p)x, and ln(1 - p) the slope -p x: Σ(y - p)x", "the penalty has the slope -λ w"),
)
def slopes(problem: Problem, before: LogisticRegressionState | None, after: LogisticRegressionState) -> Answer:
    f, data = f_of(problem), problem.data
    names = weight_names(data, problem.parameters.bias)
    return slopes_agree(f.value, after.w, after.g, names, lambda u: np.abs(f.X @ u), f.size, after.t)


@theorem(
    "w' = w + η∇ln P",
    source="Cauchy (1847)",
    about="step",
    phases=("step",),
    proof=("that is the rule",),
)
def stepped(problem: Problem, before: LogisticRegressionState, after: LogisticRegressionState) -> Answer:
    names = weight_names(problem.data, problem.parameters.bias)
    return step_made(f_of(problem), before.w, after.w, eta_of(problem), names)


@theorem(
    "η <= 1/L: ln P* - ln P <= ‖w*‖²/(2ηT)",
    source="Nesterov (2004)",
    about="run",
    hypotheses=OF_THE_RATE,
    proof=(
        "ln P is concave: ln P* <= ln P + g·(w* - w), and a step gains ½η‖g‖² or more",
        "so ln P* - ln P' <= (‖w - w*‖² - ‖w' - w*‖²)/(2η), as the square of w' - w* shows",
        "summed over T steps from w = 0 the distances cancel but for ‖w*‖² and the last",
        "and no gap is above an earlier one, so T times the last is at most the sum",
    ),
)
def rate(problem: Problem, before: LogisticRegressionState | None, after: LogisticRegressionState) -> Answer:
    if not steps_made(after):
        return None
    gap, size = best(problem).value - log_likelihood(problem, after), f_of(problem).size(after.w)
    return Sides(("ln P* - ln P", gap), ("‖w*‖²/(2ηT)", rate_bound(problem, after)), size=size)


@theorem(
    "with a bias: (Σp - Σy)² <= ‖g‖² <= 2L(ln P* - ln P)",
    source="Nesterov (2004)",
    hypotheses={"a bias": lambda problem, state: problem.parameters.bias or "there is no bias"} | MAXIMUM,
    proof=(
        "the bias has the gradient Σ(y - p): it is one entry of g",
        "a step of 1/L from w gains ‖g‖²/(2L) or more, and cannot pass ln P*",
        "at w* both are 0: the mean p is the share of class 1",
    ),
)
def calibrated(problem: Problem, before: LogisticRegressionState | None, after: LogisticRegressionState) -> Answer:
    f, g = f_of(problem), f_of(problem).gradient(after.w)
    off = float((f.y - f.chances(after.w)).sum())
    gap, twice = best(problem).value - log_likelihood(problem, after), 2 * bound_of(problem)
    size = twice * (f.size(after.w) + f.size(best(problem).w))
    named = ("(Σp - Σy)²", off**2), ("‖g‖²", float(g @ g)), ("2L(ln P* - ln P)", twice * gap)
    return Sides(*named, size=size)


@theorem(
    "λ = 0, separable: u·w + ηγ Σ|y - p| <= u·w' <= ‖w'‖",
    source="Soudry et al. (2018)",
    about="step",
    phases=("step",),
    hypotheses={"λ = 0, and u separates the rows": separable},
    proof=(
        "u·g = Σ|y - p| (±x·u) >= γ Σ|y - p| > 0",
        "were w bounded, Σ|y - p| would stay above some number: so it grows for ever",
    ),
)
def grows(problem: Problem, before: LogisticRegressionState, after: LogisticRegressionState) -> Answer:
    u, margin = widest(problem) or (np.zeros_like(after.w), 0.0)
    by = eta_of(problem) * margin * float(f_of(problem).pulls(before.w).sum())
    sides = ("u·w + ηγ Σ|y - p|", float(u @ before.w) + by), ("u·w'", float(u @ after.w))
    long = length(problem, after)
    return Sides(*sides, ("‖w'‖", long), size=length(problem, before) + long)


@theorem(
    "λ > 0, η <= 2/L: ½λ‖w‖² <= n ln 2",
    source="Murphy (2012)",
    about="run",
    hypotheses={"λ > 0": lambda problem, state: problem.parameters.penalty > 0 or "there is no prior"} | RISING,
    proof=("ln P began at -n ln 2 and never fell", "and ln P <= -½λ‖w‖², for no chance is above 1"),
)
def held_by_prior(problem: Problem, before: LogisticRegressionState | None, after: LogisticRegressionState) -> Answer:
    weights, _ = parts(after.w, problem.parameters.bias)
    most = problem.data.n * float(np.log(2))
    return Sides(("½λ‖w‖²", problem.parameters.penalty * float(weights @ weights) / 2), ("n ln 2", most))


@theorem(
    "η <= 2/L: ln P never falls",
    source="Nesterov (2004)",
    about="step",
    phases=("step",),
    hypotheses=RISING,
    proof=(BEND, "and 1 - ½ηL >= 0"),
)
def never_falls(problem: Problem, before: LogisticRegressionState, after: LogisticRegressionState) -> Answer:
    return rise_made(f_of(problem), before.w, after.w, eta_of(problem), problem.parameters.eta_L)


@theorem(
    "η > 2/L: ln P' >= ln P - η(½ηL - 1)‖g‖²",
    source="Nesterov (2004)",
    about="step",
    phases=("step",),
    hypotheses={"η > 2/L": lambda problem, state: problem.parameters.eta_L > 2 or "η <= 2/L"},
    proof=(BEND, "it can fall, and does where ln P bends by more than 2/η on the way"),
)
def falls_no_more(problem: Problem, before: LogisticRegressionState, after: LogisticRegressionState) -> Answer:
    return rise_made(f_of(problem), before.w, after.w, eta_of(problem), problem.parameters.eta_L)


THEOREMS = (
    rate,
    never_falls,
    slopes,
    stepped,
    falls_no_more,
    calibrated,
    grows,
    held_by_prior,
)

ALGORITHM = Algorithm(
    logistic_regression,
    title="Logistic regression, gradient ascent",
    point="Every row raises the chance of its own class, the more the lower that chance is.",
    after=("perceptron",),
    also=("logit",),
    leaves_open="It stops where the slope is small, not where it is 0.",
    tries=(("a line separates", "--data blobs:n=120,margin=0.3"), ("one row far out", "--data leverage")),
    asks=(
        Ask.way("ln P rises: what does the training error do?", '"training error"', "gradient"),
        Ask.number("What will ln P be after the step?", '"log-likelihood"', 0.05, "gradient"),
    ),
    summary="Climbs the likelihood of a linear log-odds: every row pulls w towards its class by as much as p is off.",
    rule="gradient  g <- Xᵀ(y - p) - λw,   p = 1/(1 + e^(-x·w))\nstep      w <- w + ηg",
    # beyond, cubes of lengths and their products overflow
    needs=Needs(target="class", classes=2, most_features=1_000, within=(1e-50, 1e50)),
    phases={"start": "w = 0", "gradient": "every row pulls by y - p", "step": "w moves up the gradient"},
    events=("step",),
    fork_after=("start", "step"),
    start_only=("bias",),
    curves=(
        Curve("log-likelihood", log_likelihood, "ln P(w)"),
        Curve("‖w‖", length, "‖w‖"),
        Curve("left to gain", left_to_gain, "ln P* - ln P", chart="left to gain", log=True),
        Curve("bound on it", rate_bound, "‖w*‖²/(2ηT)", chart="left to gain", log=True, about="run"),
        Curve("cosine with the widest margin", cosine, "w·u/‖w‖"),
        Curve("greatest curvature", curvature, "of ln P at w", chart="curvature"),
        Curve("2/η", lambda problem, state: 2 / eta_of(problem), "what makes a step too long", chart="curvature"),
        Curve("error", lambda p, s: float((margins(p, s) <= 0).mean()), "share of wrong rows", held_out=True),
        Curve("log loss", lambda p, s: f_of(p).mean_loss(s.w), "mean of -ln p of the row's class", held_out=True),
    ),
    objective={("log-likelihood", "left to gain", "bound on it"): ("penalty",)},
    theorems=THEOREMS,
    ends={
        "the gradient is … long, below … Σ‖x‖": flat,
        "iteration … was the last, and w still moves": reached("steps", "iteration", "step"),
        "it diverges: η is too large": fallen,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={"start": explain_start, "gradient": explain_gradient, "step": explain_step},
    adapt=lambda before, after, state, rows: state.replaced(g=f_of(after).gradient(state.w)),
    datasets=(
        blobs.with_(n=120, spread=2.0, hold_out=0.25),
        iris.with_(positive="versicolor"),
        breast_cancer.with_(scale=True, hold_out=0.25),
        iris.with_(positive="setosa", columns=("sepal_length_cm", "sepal_width_cm"), scale=True),
        wine.with_(positive="cultivar_2", scale=True),
        penguins.with_(positive="Chinstrap", scale=True),
        leverage,
    ),
)
