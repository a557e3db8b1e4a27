"""Kernel logistic regression by gradient ascent: each row's multiplier moves by how far p is off for that row.

    f(x) = Σ α_i k(x_i, x),   p = 1/(1 + e^-f),   ln P(f) = Σ y_i ln p_i + (1 - y_i) ln(1 - p_i) - ½ λ ‖f‖²

    step   α <- α + η (y - p - λ α);   α = 0 at first

y is 1 or 0, f on the rows is Kα and ‖f‖² = αᵀKα. In the space of the kernel, k = φ·φ, f = w·φ(x) with w = Σ α_i φ(x_i),
and this is logistic regression on φ(x): the gradient Σ (y_i - p_i) φ(x_i) - λ w moves each α_i by y_i - p_i - λ α_i.
(The gradient with α taken for coordinates is K times that: another way, to the same f.) No curvature of ln P exceeds
L = λmax(K)/4 + λ, so it never falls for η <= 2/L, and after T steps with η <= 1/L

    ln P(f*) - ln P(f_T)  <=  ‖f_0 - f*‖² / (2ηT).

Representer: a part of f across the span of the k(x_i, ·) is 0 on the rows and only makes f longer, so no function does
better than f* in the span; there λ α_i = y_i - p_i: all rows count, the doubtful most.

References: Kimeldorf and Wahba (1971), Some results on Tchebycheffian spline functions, Journal of Mathematical
Analysis and Applications 33; Zhu and Hastie (2005), Kernel logistic regression and the import vector machine, Journal
of Computational and Graphical Statistics 14; Nesterov (2004), Introductory Lectures on Convex Optimization, section
2.1; Schölkopf and Smola (2002), Learning with Kernels, section 4.2.
"""

from collections.abc import Callable
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    kept,
    numbers,
    once,
    theorem,
)
from algorithms.core.text import change, counted
from algorithms.data import iris, moons, rings, wine, xor
from algorithms.families.kernels.kernel_logistic import kernel_likelihood
from algorithms.families.kernels.kernel_logistic.kernel_likelihood import with_best_bump
from algorithms.families.kernels.shared import kernel_rows as kernels
from algorithms.families.kernels.shared.bumps_pictures import both_ways
from algorithms.families.kernels.shared.gram_systems import function_length
from algorithms.families.kernels.shared.kernel_classifier_pictures import (
    chance_stage,
    chances_along,
    most_shares,
    shares_in_order,
)
from algorithms.families.kernels.shared.kernel_rows import coordinates, expansion, gram_with_bias
from algorithms.toolbox.activations import sigmoid, softplus
from algorithms.toolbox.ascent import rise_made
from algorithms.toolbox.ends import reached
from algorithms.toolbox.entries import of_rows
from algorithms.toolbox.explicit_features import feature_count
from algorithms.toolbox.kernels import (
    OF_KERNELS,
    Constant,
    Degree,
    Gamma,
    Kernel,
    KernelChoice,
    kernel_in_use,
    kernel_of,
    kernel_setting,
)
from algorithms.toolbox.logistic import Likelihood, Maximum, greatest
from algorithms.toolbox.panels.confusion import confusion

_MOST_ROWS = 600  # the maximum is found by Newton's steps in as many coordinates
_FAR = 1e6  # times as unlikely, in logarithms, as at f = 0: it will not come back


class KernelLogisticState(State, frozen=True, kw_only=True):
    alpha: Annotated[Array, Along("n")]  # (n,) the multipliers α
    scores: Annotated[Array, Along("n")]  # (n,) f on the rows, Kα


def kernel_logistic(
    data: Dataset,
    state: KernelLogisticState | None = None,
    *,
    kernel: KernelChoice = "rbf",
    gamma: Gamma = "automatic",
    degree: Degree = 2,
    constant: Constant = 1.0,
    bias: Annotated[bool, Meta(description="k + 1: the constant 1 is one of φ's features")] = False,
    penalty: Annotated[float, Meta(ge=0, le=1e6, description="λ, on the squared length of f")] = 0.1,
    eta_L: Annotated[float, Meta(ge=1e-3, le=100, description="step size η times L; ln P never falls up to 2")] = 1.0,
    tolerance: Annotated[float, Meta(ge=1e-12, le=1, description="ends when ‖∇‖ is this share of Σ√k(x, x)")] = 1e-3,
    steps: Annotated[int, Meta(ge=1, le=1_000_000, description="steps before giving up")] = 2000,
) -> Run[KernelLogisticState]:
    k = data.once(kernel_of, kernel, gamma, degree, constant)
    K, y = data.once(gram_with_bias, k, bias), (data.signs + 1) / 2
    eta = eta_L / data.once(curvature_bound, k, bias, penalty)
    if state is None:
        state = KernelLogisticState(alpha=np.zeros(data.n), scores=np.zeros(data.n))
        yield state
    while True:
        pulls = y - sigmoid(state.scores) - penalty * state.alpha
        slope = function_length(pulls, K @ pulls)
        room = tolerance * float(np.sqrt(np.diagonal(K)).sum())
        if slope <= room:
            wrong = int((data.signs * state.scores <= 0).sum())
            return f"‖∇ln P‖ = {slope:.3g}, no more than {room:.3g}, with {wrong} of {data.n} rows wrong"
        loss = softplus(-data.signs * state.scores).sum()
        if loss + penalty * function_length(state.alpha, state.scores) ** 2 > _FAR * data.n:
            return "it diverges: η is too large"
        if state.iteration >= steps:
            return f"{counted(steps, 'step')}, and ‖∇ln P‖ is still {slope:.3g}"
        alpha = state.alpha + eta * pulls
        state = state.after("step", iteration=state.iteration + 1, alpha=alpha, scores=K @ alpha)
        yield state


def curvature_bound(data: Dataset, k: Kernel, bias: bool, penalty: float) -> float:
    """L = λmax(K)/4 + λ; for `data.once`."""
    return data.once(kernels.greatest_eigenvalue, k, bias) / 4 + penalty


def adapt(before: Problem, after: Problem, state: KernelLogisticState, rows: Array) -> KernelLogisticState:
    """Rows keep their α, new ones have 0; f is what these make of the kernel that there is now."""
    if after.data is before.data and asked(after) == asked(before):
        return state
    alpha = of_rows(state.alpha, rows)
    return state.replaced(alpha=alpha, scores=gram_of(after) @ alpha)


def asked(problem: Problem) -> tuple[Kernel, bool]:
    """The kernel and the bias."""
    return kernel_in_use(problem), problem.parameters.bias


def gram_of(problem: Problem) -> Array:
    return problem.data.once(gram_with_bias, *asked(problem))


@once
def likelihood_of(problem: Problem) -> Likelihood:
    """ln P of weights on the coordinates of the φ(x)."""
    z = problem.data.once(coordinates, *asked(problem))
    return Likelihood(z, (problem.data.signs + 1) / 2, np.full(z.shape[1], float(problem.parameters.penalty)), [])


@once
def best(problem: Problem) -> Maximum:
    """w* among the coordinates, where ln P is greatest."""
    return greatest(likelihood_of(problem))


def eta_of(problem: Problem) -> float:
    p = problem.parameters
    return float(p.eta_L) / problem.data.once(curvature_bound, *asked(problem), p.penalty)


@kept
def weights(problem: Problem, state: KernelLogisticState) -> Array:
    """(r,) w = Σ α z, of the coordinates."""
    return np.asarray(state.alpha @ likelihood_of(problem).X)


def f_of(problem: Problem, state: KernelLogisticState) -> Callable[[Array], Array]:
    """f: (m, d) -> (m,), by the rows trained on."""
    training = problem.training
    return expansion(training.data, kernel_in_use(training), state.alpha, training.parameters.bias)


def scores_of(problem: Problem, state: KernelLogisticState) -> Array:
    """(n,) f of the problem's rows, those held out too."""
    return state.scores if problem is problem.training else f_of(problem, state)(problem.data.X)


def pulls_of(problem: Problem, state: KernelLogisticState) -> Array:
    """(n,) y - p - λα: the gradient is Σ of these φ(x)."""
    y = (problem.data.signs + 1) / 2
    return np.asarray(y - sigmoid(state.scores) - problem.parameters.penalty * state.alpha)


def slope_of(problem: Problem, state: KernelLogisticState) -> float:
    """‖∇ln P‖, of the coordinates: of K the half of its digits would be lost near 0."""
    return float(np.linalg.norm(pulls_of(problem, state) @ likelihood_of(problem).X))


def slope_lost(problem: Problem, state: KernelLogisticState) -> float:
    """By how much that may be off: coordinates of an unwritten φ are exact to the root of what rounding makes of K."""
    if problem.data.once(kernels.features_with_bias, *asked(problem)) is not None:
        return 0.0
    K = gram_of(problem)
    off = len(K) * 2.0**-49 * float(np.diagonal(K).sum())
    return float(np.sqrt(off) * np.linalg.norm(pulls_of(problem, state)))


def log_likelihood(problem: Problem, state: KernelLogisticState) -> float:
    lam, square = float(problem.parameters.penalty), norm(problem, state) ** 2
    return kernel_likelihood.log_likelihood(problem.data.signs, state.scores, lam, square)


def mean_loss(problem: Problem, state: KernelLogisticState) -> float:
    return float(softplus(-problem.data.signs * scores_of(problem, state)).mean())


def error(problem: Problem, state: KernelLogisticState) -> float:
    return float((problem.data.signs * scores_of(problem, state) <= 0).mean())


def norm(problem: Problem, state: KernelLogisticState) -> float:
    """‖f‖ = √(αᵀKα)."""
    return function_length(state.alpha, state.scores)


def left_to_gain(problem: Problem, state: KernelLogisticState) -> float:
    gap = float(best(problem).value - log_likelihood(problem, state))
    return max(gap, 0.0) if best(problem).exists else np.nan


def rate_bound(problem: Problem, state: KernelLogisticState) -> float:
    """‖f*‖²/(2ηT) of a run from f = 0."""
    if not state.iteration or problem.parameters.eta_L > 1 or not best(problem).exists:
        return np.nan
    w = best(problem).w
    return float(w @ w) / (2 * eta_of(problem) * state.iteration)


def has_maximum(problem: Problem, state: KernelLogisticState) -> bool | str:
    return best(problem).exists or "ln P has no maximum (λ = 0, and f separates the rows), or rounding hides it"


def size(problem: Problem, state: KernelLogisticState) -> float:
    """The largest number that is added on the way to a score."""
    K, k = gram_of(problem), kernel_in_use(problem)
    return float(np.diagonal(K).max()) * float(np.abs(state.alpha).sum()) * k.degree + k.size(problem.data.X) / 1e3


def flat(problem: Problem, state: KernelLogisticState) -> Sides:
    """The gradient at f is as short as was asked."""
    K, y = gram_of(problem), (problem.data.signs + 1) / 2
    pulls = y - sigmoid(state.scores) - problem.parameters.penalty * state.alpha
    room = problem.parameters.tolerance * float(np.sqrt(np.diagonal(K)).sum())
    return Sides(("‖∇ln P‖", function_length(pulls, K @ pulls)), ("tolerance Σ√k(x, x)", room))


def far_below(problem: Problem, state: KernelLogisticState) -> Sides:
    """ln P has fallen to where no step brings it back from."""
    size = problem.parameters.penalty * function_length(state.alpha, gram_of(problem) @ state.alpha) ** 2
    loss = float(softplus(-problem.data.signs * state.scores).sum())
    return Sides((f"{_FAR:g} n", _FAR * problem.data.n), ("loss + λ‖f‖²", loss + size))


def validate(problem: Problem) -> str | None:
    return kernels.unusable_rows(kernel_in_use(problem), problem.data, _MOST_ROWS)


def scene(problem: Problem, before: KernelLogisticState | None, after: KernelLogisticState) -> Scene:
    data, f = problem.data, f_of(problem, after)
    wrong, told = data.signs * after.scores <= 0, -1 if before is None else most_pulled(problem, before)
    return Scene(
        (
            chance_stage(data, lambda at: sigmoid(f(at)), after.alpha, wrong, "size: |α|", told),
            chances_along(data, after.scores),
            shares_in_order(data, after.alpha, -1, "α"),
            most_shares(data, after.alpha, after.scores, -1, "α"),
            so_far(problem, after),
            confusion(data, after.scores > 0),
            both_ways(data.n, feature_count(kernel_in_use(problem), data.d)),
        )
    )


def so_far(problem: Problem, state: KernelLogisticState) -> Panel:
    off = np.abs((problem.data.signs + 1) / 2 - sigmoid(state.scores))
    return numbers(
        {
            "log-likelihood ln P": log_likelihood(problem, state),
            "ln P at the maximum": best(problem).value if best(problem).exists else None,
            "‖∇ln P‖": slope_of(problem, state),
            "‖f‖ = √(αᵀKα)": norm(problem, state),
            "Σ|y - p|, what the rows pull": float(off.sum()),
            "wrong rows": int((problem.data.signs * state.scores <= 0).sum()),
            "η": eta_of(problem),
            "γ of the kernel": kernel_in_use(problem).gamma,
        }
    )


def explain_start(problem: Problem, before: KernelLogisticState | None, after: KernelLogisticState) -> str:
    if after.alpha.any():
        return f"The rows keep their α; ln P = {log_likelihood(problem, after):.4g} with these."
    step = f"{eta_of(problem) / 2:.3g}"
    return f"α = 0 gives every row the chance ½: y - p = ½ or -½, and each α moves by η/2 = {step} towards its class."


def most_pulled(problem: Problem, before: KernelLogisticState) -> int:
    """Find the row whose α the step moves most."""
    return int(np.abs(pulls_of(problem, before)).argmax())


def explain_step(problem: Problem, before: KernelLogisticState | None, after: KernelLogisticState) -> str:
    data, value = problem.data, log_likelihood(problem, after)
    if before is None:
        return f"ln P = {value:.5g} with these α."
    row = most_pulled(problem, before)
    p, rise = float(sigmoid(before.scores[row : row + 1])[0]), value - log_likelihood(problem, before)
    direction = "rises" if rise >= 0 else "falls"
    name, changes = data.classes[int(data.signs[row] > 0)], change(before.alpha.item(row), after.alpha.item(row))
    return (
        f"{data.who(row)} is {name} and had p = {p:.3g} of {data.classes[1]}: its α moves "
        f"most, {changes}. ln P {direction} by {abs(rise):.3g} to {value:.5g}."
    )


SYMBOLS = {
    "α": ("a multiplier a row", None),
    "f, f*": ("Σ αᵢ k(xᵢ, ·), and where ln P is greatest; ‖f‖ here", norm),
    "K, k": ("k of the rows with each other; the kernel, one more with a bias", None),
    "y, p": ("1 for the second class, else 0; the chance of 1", None),
    "λ": ("the penalty on ‖f‖²", lambda problem, state: problem.parameters.penalty),
    "γ": ("of the kernel", lambda problem, state: kernel_in_use(problem).gamma),
    "η": ("step size", lambda problem, state: eta_of(problem)),
    "L": ("λmax(K)/4 + λ, the greatest curvature", lambda p, s: p.parameters.eta_L / eta_of(p)),
    "φ, w": ("features with k = φ·φ; w = Σ α φ(x)", None),
    "ln P": ("Σ y ln p + (1 - y) ln(1 - p), less ½λ‖f‖²; at f* ln P(f*)", log_likelihood),
    "g": ("Σ (y - p - λα) φ(x), the gradient ∇ln P; ‖g‖ here", slope_of),
    "β": ("how much of k(z, ·) is added to f, z between rows", None),
    "f', ln P'": ("those after a step", None),
    "T": ("steps", lambda problem, state: state.iteration),
    "x, z": ("rows; any place", None),
}


@theorem(
    "ln P rises: ln P' >= ln P + η(1 - ½ηL)‖g‖²",
    source="Nesterov (2004)",
    about="step",
    phases=("step",),
    proof=("p(1 - p) <= ¼: no curvature of ln P exceeds L = λmax(K)/4 + λ", "Taylor's theorem along the step"),
)
def climbs(problem: Problem, before: KernelLogisticState, after: KernelLogisticState) -> Answer:
    f, was, now = likelihood_of(problem), weights(problem, before), weights(problem, after)
    return rise_made(f, was, now, eta_of(problem), problem.parameters.eta_L)


@theorem(
    "ln P(f*) - ln P(f) <= ‖f*‖²/(2ηT)",
    source="Nesterov (2004)",
    about="run",
    hypotheses={
        "ηL <= 1": lambda p, s: p.parameters.eta_L <= 1 or "ηL > 1",
        "ln P has a maximum": has_maximum,
    },
    proof=(
        "ln P is concave: η(ln P(f*) - ln P') <= ½‖f - f*‖² - ½‖f' - f*‖² at every step",
        "their sum telescopes, and ln P never falls",
    ),
)
def rate(problem: Problem, before: KernelLogisticState | None, after: KernelLogisticState) -> Answer:
    if not after.iteration:
        return None
    gap = best(problem).value - log_likelihood(problem, after)
    added = likelihood_of(problem).size(best(problem).w)
    return Sides(("ln P(f*) - ln P(f)", gap), ("‖f*‖²/(2ηT)", rate_bound(problem, after)), size=added)


@theorem(
    "w = Σ α φ(x) moves as in logistic regression on φ(x)",
    source="Zhu and Hastie (2005)",
    about="step",
    phases=("step",),
    proof=("g = Σ (y - p) φ(x) - λ w = Σ (y - p - λα) φ(x)", "another step of the α would be another w"),
)
def as_logistic(problem: Problem, before: KernelLogisticState, after: KernelLogisticState) -> Answer:
    f, eta, was = likelihood_of(problem), eta_of(problem), weights(problem, before)
    length = np.abs(before.alpha) @ np.abs(f.X)  # of what w is a sum of, and may be far shorter than
    size = (1 + eta * f.penalties) * length + eta * np.abs(f.X).sum(axis=0)
    aim = was + eta * f.gradient(was)
    sides = ("w'", weights(problem, after)), ("w + η∇ln P", aim)
    return Sides.each(*sides, relation="==", size=size, axes=("coordinate",))


@theorem(
    "each α moves by η(y - p - λα)",
    source="Zhu and Hastie (2005)",
    about="step",
    phases=("step",),
    proof=("that is the rule",),
)
def moved(problem: Problem, before: KernelLogisticState, after: KernelLogisticState) -> Answer:
    aim = before.alpha + eta_of(problem) * pulls_of(problem, before)
    added = np.abs(before.alpha) + eta_of(problem) * (1 + problem.parameters.penalty * np.abs(before.alpha))
    return Sides.each(("α'", after.alpha), ("α + η(y - p - λα)", aim), relation="==", size=added, axes=("row",))


@theorem("f on the rows = Kα", source="Kimeldorf and Wahba (1971)", proof=("f(x) = Σ αᵢ k(xᵢ, x), asked at the rows",))
def on_rows(problem: Problem, before: KernelLogisticState | None, after: KernelLogisticState) -> Answer:
    sides = ("Kα", after.scores), ("Σ α k(xᵢ, x)", f_of(problem, after)(problem.data.X))
    return Sides.each(*sides, relation="==", size=size(problem, after), axes=("row",))


@theorem(
    "‖f‖² = αᵀKα = ‖w‖²",
    source="Schölkopf and Smola (2002), section 4.2",
    proof=("‖Σ αᵢ φ(xᵢ)‖² = Σ αᵢ αⱼ φ(xᵢ)·φ(xⱼ)",),
)
def lengths(problem: Problem, before: KernelLogisticState | None, after: KernelLogisticState) -> Answer:
    w, added = weights(problem, after), size(problem, after) * float(np.abs(after.alpha).sum())
    return Sides(("αᵀKα", float(after.alpha @ after.scores)), ("‖w‖²", float(w @ w)), relation="==", size=added)


@theorem(
    "‖f - f*‖ <= ‖g‖/λ",
    source="Nesterov (2004)",
    hypotheses={"λ > 0": lambda p, s: p.parameters.penalty > 0 or "λ = 0", "ln P has a maximum": has_maximum},
    proof=("no curvature of -ln P is below λ, so its slope at f is at least λ‖f - f*‖",),
)
def near(problem: Problem, before: KernelLogisticState | None, after: KernelLogisticState) -> Answer:
    away = float(np.linalg.norm(weights(problem, after) - best(problem).w))
    lam = problem.parameters.penalty
    # w* is where its slope is 0 but for rounding of the sums that make it
    added = float(np.linalg.norm(np.abs(likelihood_of(problem).X).sum(axis=0))) / lam + size(problem, after)
    slack = slope_lost(problem, after) / lam
    return Sides(("‖f - f*‖", away), ("‖g‖/λ", slope_of(problem, after) / lam), size=added, slack=slack)


@theorem(
    "representer: no bump elsewhere takes f above f*: ln P(f + βk(z, ·)) <= ln P(f*)",
    source="Kimeldorf and Wahba (1971)",
    hypotheses={"ln P has a maximum": has_maximum},
    proof=("a part of f across the span of the k(xᵢ, ·) is 0 on the rows and makes ‖f‖ greater",),
)
def no_other_bump(problem: Problem, before: KernelLogisticState | None, after: KernelLogisticState) -> Answer:
    values, squares = problem.data.once(kernels.between_rows, *asked(problem))
    lam, most = float(problem.parameters.penalty), ("ln P(f*)", best(problem).value)
    value = with_best_bump(problem.data.signs, after.alpha, after.scores, lam, values, squares)
    added = likelihood_of(problem).size(best(problem).w) + likelihood_of(problem).size(weights(problem, after))
    return Sides(("ln P(f + βk(z, ·))", value), most, size=added)


THEOREMS = (rate, climbs, as_logistic, moved, on_rows, lengths, near, no_other_bump)


def setting(problem: Problem) -> dict[str, object]:
    """What the objective depends on."""
    return kernel_setting(problem) | {"penalty": problem.parameters.penalty, "bias": problem.parameters.bias}


ALGORITHM = Algorithm(
    kernel_logistic,
    title="Kernel logistic regression",
    point="A bump on every row grows or sinks, and the sum becomes a border that bends.",
    after=("logistic_regression", "kernel_perceptron"),
    leaves_open="How wide the bumps are was given, not learned.",
    tries=(("exclusive or", "--data xor"), ("a straight border", "-p kernel=linear")),
    asks=(
        Ask.way("ln P rises: what does the training error do?", '"training error"'),
        Ask.number("What will ln P be?", '"log-likelihood"'),
    ),
    summary="Raises the likelihood along f = Σ α k(xᵢ, ·): each α moves by how far p is off for its row.",
    rule="f = Σ αᵢ k(xᵢ, ·),   p = 1/(1 + e^-f)\nα <- α + η (y - p - λ α)",
    needs=Needs(target="class", classes=2),
    phases={"start": "α = 0, p = ½", "step": "each α by how far p is off for its row"},
    curves=(
        Curve("log-likelihood", log_likelihood, "log-likelihood - ½λ‖f‖²"),
        Curve("left to gain", left_to_gain, "ln P(f*) - ln P(f)", log=True),
        Curve("bound", rate_bound, "‖f*‖²/(2ηT)", chart="left to gain", log=True, about="run"),
        Curve("error", error, "share of wrong rows", held_out=True),
        Curve("loss", mean_loss, "mean of -ln p of the class", held_out=True),
        Curve("‖f‖", norm, "√(αᵀKα)"),
    ),
    objective={("log-likelihood", "left to gain", "bound"): setting},
    theorems=THEOREMS,
    ends={
        "‖∇ln P‖ = …, no more than …, with … of … rows wrong": flat,
        "it diverges: …": far_below,
        "… step…, and ‖∇ln P‖ is still …": reached("steps"),
    },
    symbols=SYMBOLS,
    only_for=OF_KERNELS,
    scene=scene,
    explain={"start": explain_start, "step": explain_step},
    adapt=adapt,
    validate=validate,
    datasets=(
        rings.with_(n=60),
        moons.with_(n=60, hold_out=0.25),
        iris.with_(positive="versicolor", sample=60),
        wine.with_(positive="cultivar_2", scale=True, sample=60),
        xor,
    ),
)
