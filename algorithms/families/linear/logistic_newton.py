"""Logistic regression by Newton's method: weigh the rows, solve a least-squares problem, step as far as ln P rises.

    p_i = 1/(1 + e^(-x_i·w)),   ln P(w) = Σ y_i ln p_i + (1 - y_i) ln(1 - p_i) - ½ λ ‖w‖²

    weigh   R = diag(p (1 - p))
    solve   g = Xᵀ(y - p) - λ w,   H = XᵀRX + λ I,   d <- H⁻¹ g
    halve   s <- s/2   while   ln P(w + s d) < ln P(w) + ¼ s g·d
    step    w <- w + s d

y is 1 or 0, and x has the constant 1 appended when there is a bias, on which there is no penalty. w + d solves the
least-squares problem with weights R and targets X w + R⁻¹(y - p), hence iteratively reweighted least squares.

R >= 0, so H is positive semi-definite, ln P is concave and d points up: g·d = gᵀH⁻¹g >= 0, and a step that passes the
test never lowers ln P. |p''| <= 1/(6√3), so the Hessian changes by at most M = Σ‖x_i‖³/(6√3) a unit of w. A whole step
therefore leaves, with μ the least eigenvalue of H at w and w* the maximum,

    ‖w' - w*‖  <=  M/(2μ) ‖w - w*‖²:

near the maximum the digits that are right double with every step. Without a penalty on separable rows there is no
maximum: ln P rises to 0 as w grows without end.

References: Berkson (1944), Application of the logistic function to bio-assay, JASA 39; Green (1984), Iteratively
reweighted least squares, JRSS B 46; Armijo (1966), Minimization of functions having Lipschitz continuous first partial
derivatives, Pacific Journal of Mathematics 16; Nocedal and Wright (2006), Numerical Optimization, theorem 3.5.
"""

from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    DoesNotApply,
    Event,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Words,
    kept,
    numbers,
    once,
    theorem,
)
from algorithms.core.arrays import frozen
from algorithms.data import blobs, breast_cancer, iris, moons, penguins, wine
from algorithms.families.linear.shared.climbing import (
    SHORTEST,
    begun,
    cut_as_asked,
    moved_along,
    rises_too_little,
    tried,
)
from algorithms.families.linear.shared.slopes import bend_agrees
from algorithms.toolbox.ends import reached
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.logistic import ENOUGH, FLAT, Likelihood, Maximum, gradient_gaps, likelihood, maximum, solved
from algorithms.toolbox.panels.chances import chances_along_scores
from algorithms.toolbox.panels.confusion import confusion
from algorithms.toolbox.panels.linear import both_margins, stage, weight_panels
from algorithms.toolbox.panels.row_words import says_chance

_THIRD = 1.0 / (6.0 * np.sqrt(3.0))  # the largest |p''|
_BESIDE = 200  # steps of the gradient that are made for comparison

Start = Literal["zero", "wrong way"]


class LogisticNewtonState(State, frozen=True, kw_only=True):
    w: Array  # (p,) weights, the bias last of them
    r: Annotated[Array, Along("n")]  # (n,) p (1 - p), what each row weighs; as of the last `weigh`
    d: Array  # (p,) Newton's direction, as of the last `solve`
    s: float = 1.0  # the length of the step to be tried, or just taken
    promise: float = np.nan  # g·d at the last `solve`


def logistic_newton(
    data: Dataset,
    state: LogisticNewtonState | None = None,
    *,
    penalty: Annotated[float, Meta(ge=0, le=1e6, description="λ, on the squared length of w")] = 0.1,
    bias: Annotated[bool, Meta(description="append the constant 1, without a penalty")] = True,
    start: Annotated[Start, Meta(description="w = 0, or from the mean of class 1 to that of class 0")] = "zero",
    tolerance: Annotated[float, Meta(ge=1e-14, le=1.0, description="ends when ½ g·d is below it")] = 1e-10,
    steps: Annotated[int, Meta(ge=1, le=10_000, description="Newton steps before giving up")] = 100,
) -> Run[LogisticNewtonState]:
    f = data.once(likelihood, penalty, bias)
    if state is None:
        w = first(f, start)
        state = LogisticNewtonState(w=w, r=f.weights(w), d=np.zeros(f.p))
        yield state
    while True:
        if state.phase in ("start", "step"):
            if state.iteration >= steps:
                return f"iteration {steps:,} was the last, and w may still move"
            state = state.after("weigh", iteration=state.iteration + 1, r=f.weights(state.w))
            yield state
        if state.phase == "weigh":
            g, H = f.gradient(state.w), f.hessian(state.r)
            d = solved(H, g, f.units)
            state = state.after("solve", d=d, s=1.0, promise=float(g @ d))
            yield state
        if state.promise <= 2 * tolerance:
            return f"½ g·d = {max(state.promise, 0.0) / 2:.2g}: no step can raise ln P by more than about that"
        while not enough(f, state, to := frozen(state.w + state.s * state.d)):
            if state.s < SHORTEST:
                return "no step raises ln P by what g·d promises: it is lost in rounding"
            state = state.after("halve", s=state.s / 2)
            yield state
        state = state.after("step", w=to)
        yield state


def first(f: Likelihood, start: Start) -> Array:
    """(p,) the first weights."""
    if start == "zero" or f.y.min() == f.y.max():
        return np.zeros(f.p)
    return np.asarray(f.X[f.y == 0].mean(axis=0) - f.X[f.y == 1].mean(axis=0))


def enough(f: Likelihood, state: LogisticNewtonState, to: Array) -> bool:
    """Armijo's test: ln P rises by a quarter of what its slope promises."""
    return f.value(to) - f.value(state.w) >= ENOUGH * state.s * state.promise


def adapt(before: Problem, after: Problem, state: LogisticNewtonState, rows: Array) -> LogisticNewtonState:
    """The weights w stay; rows weigh what they weigh at these."""
    return state.replaced(r=f_of(after).weights(state.w))


def f_of(problem: Problem) -> Likelihood:
    """ln P, of the rows that there are."""
    return problem.data.once(likelihood, problem.parameters.penalty, problem.parameters.bias)


def best(problem: Problem) -> Maximum:
    """w*, where ln P is greatest."""
    return problem.data.once(maximum, problem.parameters.penalty, problem.parameters.bias)


@kept
def log_likelihood(problem: Problem, state: LogisticNewtonState) -> float:
    return f_of(problem).value(state.w)


def left_to_gain(problem: Problem, state: LogisticNewtonState) -> float:
    gap = best(problem).value - log_likelihood(problem, state)
    return max(gap, 0.0) if best(problem).exists else np.nan


def by_gradient(problem: Problem, state: LogisticNewtonState) -> float:
    """What gradient ascent with the step 1/L has left to gain after as many steps."""
    p = problem.parameters
    gaps = problem.data.once(gradient_gaps, p.penalty, p.bias, _BESIDE)
    made = state.iteration - (state.phase not in ("start", "step"))
    return max(float(gaps[made]), 0.0) if best(problem).exists and made <= _BESIDE else np.nan


def distance(problem: Problem, state: LogisticNewtonState) -> float:
    return float(np.linalg.norm(state.w - best(problem).w)) or np.nan if best(problem).exists else np.nan


def right_digits(problem: Problem, state: LogisticNewtonState) -> float:
    """-log10 ‖w - w*‖/‖w*‖: how many digits of w are right."""
    length, away = float(np.linalg.norm(best(problem).w)), distance(problem, state)
    return float(-np.log10(away / length)) if length and away == away else np.nan


def promise(problem: Problem, state: LogisticNewtonState) -> float:
    return max(state.promise, 0.0) / 2 or np.nan


def error(problem: Problem, state: LogisticNewtonState) -> float:
    return float((margins(problem, state) <= 0).mean())


@kept
def margins(problem: Problem, state: LogisticNewtonState) -> Array:
    """(n,) positive for a row on its side."""
    return f_of(problem).margins(state.w)


@kept
def curvatures(problem: Problem, state: LogisticNewtonState) -> Array:
    """(p,) eigenvalues of H at w, the least first."""
    f = f_of(problem)
    return np.linalg.eigvalsh(f.hessian(f.weights(state.w)))


@once
def third(problem: Problem) -> float:
    """M, how much the Hessian can change a unit of w."""
    X = f_of(problem).X
    return float(_THIRD * (np.vecdot(X, X) ** 1.5).sum())


def has_maximum(problem: Problem, state: LogisticNewtonState) -> bool | str:
    return best(problem).exists or "ln P has no maximum (the rows can be separated, or depend), or rounding hides it"


def curved(problem: Problem, state: LogisticNewtonState) -> bool | str:
    f, values = f_of(problem), curvatures(problem, state)
    # those by which `solved` tells what is flat: where rows that are sure weigh nothing, only the penalty may be left
    in_units = np.linalg.eigvalsh(f.hessian(f.weights(state.w)) / np.outer(f.units, f.units))
    bent = values[0] > 1e-10 * values[-1] and in_units[0] > 10 * FLAT * in_units[-1]
    return bool(bent) or "H is so nearly flat in some direction that rounding decides"


def cut_short(before: LogisticNewtonState | None, after: LogisticNewtonState) -> bool:
    return after.phase == "step" and after.s < 1


def little_promised(problem: Problem, state: LogisticNewtonState) -> bool | Sides:
    """g·d at w, worked out anew, is as little as was asked."""
    if state.phase != "solve":
        return False
    f = f_of(problem)
    g = f.gradient(state.w)
    size = float(np.abs(g * state.d).sum())
    return Sides(("½ g·d", float(g @ state.d) / 2), ("tolerance", problem.parameters.tolerance), size=1e3 * size)


def no_step_rises(problem: Problem, state: LogisticNewtonState) -> bool | Sides:
    tried_last = state.phase in ("solve", "halve") and state.s < SHORTEST
    return tried_last and rises_too_little(f_of(problem), state.w, state.d, state.s)


def scene(problem: Problem, before: LogisticNewtonState | None, after: LogisticNewtonState) -> Scene:
    data, bias = problem.data, problem.parameters.bias
    crossed = (margins(problem, after) <= 0) & bool(after.w.any())
    sizes, says = np.clip(4 * after.r, 0, 1), says_chance(data, margins(problem, after))
    ringed = (np.arange(data.n) == after.r.argmax()) & (after.phase == "weigh")
    rows = Points(at=data.X, classes=data.y, weights=sizes, ringed=ringed, crossed=crossed, says=says)
    earlier = None if before is None else before.w
    moved = earlier if after.phase == "step" else None
    aim = best(problem).w if best(problem).exists else None
    title = "line: p = ½, a row's size: p(1 - p)"
    return Scene(
        (
            stage(data, rows, after.w, bias, earlier=moved, title=title, pulled=lambda held, w: held.replaced(w=w)),
            chances_along_scores(f_of(problem), after.w, problem.data),
            *weight_panels(data, after.w, bias, earlier, d=after.d, **{"w*": aim}),
            so_far(problem, after),
            confusion(data, f_of(problem).chances(after.w) > 0.5),
        )
    )


def so_far(problem: Problem, state: LogisticNewtonState) -> Panel:
    values = curvatures(problem, state)
    return numbers(
        {
            "log-likelihood ln P": log_likelihood(problem, state),
            "ln P at the maximum": best(problem).value if best(problem).exists else None,
            "digits of w that are right": right_digits(problem, state),
            "s": state.s,
            "½ g·d": state.promise / 2,
            "least eigenvalue of H": float(values[0]),
            "greatest": float(values[-1]),
            "wrong rows": int((margins(problem, state) <= 0).sum()),
            **both_margins(state.w, problem.parameters.bias, margins(problem, state)),
        }
    )


def explain_start(problem: Problem, before: LogisticNewtonState | None, after: LogisticNewtonState) -> str:
    said = begun(log_likelihood(problem, after), problem.data.n, 2, after.w)
    return said if after.w.any() else f"{said[:-1]}, and all weigh ¼ in R."


def explain_weigh(problem: Problem, before: LogisticNewtonState | None, after: LogisticNewtonState) -> str:
    row = int(after.r.argmax())
    p = float(f_of(problem).chances(after.w)[row])
    return (
        f"{problem.data.who(row)} is the least certain, p = {p:.3g}, and weighs most: {after.r[row]:.3g}. "
        f"All rows together weigh {after.r.sum():.4g}, a quarter each at most."
    )


def explain_solve(problem: Problem, before: LogisticNewtonState | None, after: LogisticNewtonState) -> str:
    promised = max(after.promise, 0.0) / 2
    said = (
        f"The least-squares problem with these weights sends w {np.linalg.norm(after.d):.3g} away; the slope there "
        f"promises that ln P rises by about ½ g·d = {promised:.3g}."
    )
    if promised > problem.parameters.tolerance:
        return said
    value, wrong = log_likelihood(problem, after), int((margins(problem, after) <= 0).sum())
    steps, n = after.iteration - 1, problem.data.n
    return Words.of("", f"After {steps} steps of Newton ln P = {value:.5g}, and {wrong} of {n} rows are wrong.")


def explain_halve(problem: Problem, before: LogisticNewtonState | None, after: LogisticNewtonState) -> str:
    return tried(after.s)


def explain_step(problem: Problem, before: LogisticNewtonState | None, after: LogisticNewtonState) -> str:
    value, n = log_likelihood(problem, after), problem.data.n
    errors = int((margins(problem, after) <= 0).sum())
    if before is None:
        return f"ln P = {value:.5g} here, with {errors} of {n} rows wrong."
    rise = value - log_likelihood(problem, before)
    size = "The whole step" if after.s == 1 else f"A step of s = {after.s:.3g}"
    digits = right_digits(problem, after)
    right = f" {digits:.1f} digits of w are right." if digits == digits and digits > 0 else ""
    return f"{size} raises ln P by {max(rise, 0):.3g} to {value:.5g}. {errors} of {n} rows are wrong.{right}"


SYMBOLS = {
    "w, w*": ("weights, the bias last; those where ln P is greatest", None),
    "ln P": ("the log-likelihood, less the penalty", log_likelihood),
    "p, y": ("the chance of class 1 at a row, and 1 if it is of that class, else 0", None),
    "λ": ("the penalty on ‖w‖²", lambda problem, state: problem.parameters.penalty),
    "R, r": ("diagonal of p(1 - p): what each row weighs", None),
    "g, H": ("slope Xᵀ(y - p) - λw of ln P, and its curvature XᵀRX + λI", None),
    "d": ("Newton's direction, H⁻¹g", None),
    "s": ("how much of d is taken", lambda problem, state: state.s),
    "μ": ("least eigenvalue of H", lambda problem, state: float(curvatures(problem, state)[0])),
    "M": ("Σ‖x‖³/(6√3): how much H can change a unit of w", lambda problem, state: third(problem)),
    "q, h": ("the direction d/‖d‖, and a short way along it", None),
    "X, x": ("the rows with the constant 1 where there is a bias; one of them", None),
}


@theorem(
    "ln P never falls: ln P + ¼ s g·d <= ln P', not so with 2s",
    source="Armijo (1966)",
    about="step",
    phases=("step",),
    proof=("s is halved until it is so, from 1 on; g·d = gᵀH⁻¹g >= 0, so for a small s it is",),
)
def never_falls(problem: Problem, before: LogisticNewtonState, after: LogisticNewtonState) -> Answer:
    return cut_as_asked(f_of(problem), before.w, after.w, after.s, after.d, after.promise)


@theorem(
    "R = diag(p(1 - p)) at w",
    source="Green (1984)",
    phases=("weigh", "solve", "halve"),
    proof=("ln p has the slope 1 - p along x·w, and that the slope -p(1 - p)",),
)
def weighed(problem: Problem, before: LogisticNewtonState | None, after: LogisticNewtonState) -> Answer:
    p = f_of(problem).chances(after.w)
    return Sides.each(("rᵢ", after.r), ("pᵢ(1 - pᵢ)", p * (1 - p)), relation="==", size=1.0, axes=("row",))


@theorem(
    "H = XᵀRX + λI is positive semi-definite",
    source="Green (1984)",
    phases=("weigh", "solve"),
    proof=("for every v: vᵀHv = Σ rᵢ(xᵢ·v)² + λ‖v‖² >= 0, as rᵢ = p(1 - p) >= 0",),
)
def semi_definite(problem: Problem, before: LogisticNewtonState | None, after: LogisticNewtonState) -> Answer:
    values = np.linalg.eigvalsh(f_of(problem).hessian(np.maximum(after.r, 0))) if (after.r >= 0).all() else None
    if values is None:
        return Sides(("0", 0.0), ("least rᵢ", float(after.r.min())))
    return Sides(("0", 0.0), ("least eigenvalue of H", float(values[0])), size=float(values[-1]))


@theorem(
    "Σ p(1 - p)x xᵀ = XᵀRX: with λI it is minus the gradient's slope",
    source="Green (1984)",
    phases=("solve",),
    proof=("∇ln P = Σ(y - p)x - λw, and p has the slope p(1 - p)x: so -∇²ln P = Σ p(1 - p)x xᵀ + λI",),
)
def slope_of_gradient(problem: Problem, before: LogisticNewtonState | None, after: LogisticNewtonState) -> Answer:
    f, names = f_of(problem), weight_names(problem.data, problem.parameters.bias)
    if not after.d.any() or (after.r < 0).any():
        return None
    return bend_agrees(f, after.w, after.d, f.hessian(after.r), names)


@theorem(
    "d solves the weighted normal equations H d = g",
    source="Green (1984)",
    about="step",
    phases=("solve",),
    hypotheses={"H is not flat in any direction": curved},
    proof=("ln P(w + d) ≈ ln P + g·d - ½ dᵀHd is greatest where g - Hd = 0",),
)
def normal_equations(problem: Problem, before: LogisticNewtonState, after: LogisticNewtonState) -> Answer:
    f = f_of(problem)
    H, g = f.hessian(f.weights(after.w)), f.gradient(after.w)
    units = f.units  # in which no entry of H is above 1, and each is known to rounding of that
    size = units * float(units @ np.abs(after.d)) + np.abs(f.X).sum(axis=0) + f.penalties * np.abs(after.w)
    names = weight_names(problem.data, problem.parameters.bias)
    return Sides.each(("Hd", H @ after.d), ("g", g), relation="==", size=10 * size, entries=names)


@theorem("w' = w + s d", source="Berkson (1944)", about="step", phases=("step",), proof=("that is the rule",))
def stepped(problem: Problem, before: LogisticNewtonState, after: LogisticNewtonState) -> Answer:
    names = weight_names(problem.data, problem.parameters.bias)
    return moved_along(before.w, before.s, before.d, after.w, names)


@theorem(
    "a whole step squares the error: ‖w' - w*‖ <= M/(2μ) ‖w - w*‖²",
    source="Nocedal and Wright (2006)",
    about="step",
    phases=("solve", "step"),
    hypotheses={"ln P has a maximum": has_maximum},
    proof=(
        "w' - w* = H⁻¹[H(w)(w - w*) - (∇ln P(w*) - ∇ln P(w))], for ∇ln P(w*) = 0",
        "over t in [0, 1]: ∇ln P(w*) - ∇ln P(w) = ∫ H(w + t(w* - w))(w - w*) dt",
        "|p''| <= 1/(6√3), so ‖H(w) - H(w + t(w* - w))‖ <= t M ‖w - w*‖",
        "‖H⁻¹‖ <= 1/μ, and ∫ t dt = ½; w' is w + d, taken or to come",
    ),
)
def quadratic(problem: Problem, before: LogisticNewtonState, after: LogisticNewtonState) -> Answer:
    if after.s < 1 and after.phase == "step":
        return DoesNotApply(f"only s = {after.s:.3g} of the step was taken")
    values, aim = curvatures(problem, before), best(problem).w
    if values[0] <= FLAT * values[-1]:
        return DoesNotApply("H is flat in some direction")
    led = after.w if after.phase == "step" else after.w + after.d
    was, now = float(np.linalg.norm(before.w - aim)), float(np.linalg.norm(led - aim))
    bound = third(problem) / (2 * float(values[0])) * was**2
    # w* and the solution of H d = g are known to so many digits only, the fewer the flatter H is
    in_gradient = 1e-15 * float(np.abs(f_of(problem).X).sum(axis=0).max())
    lost = (1e-11 * (float(np.linalg.norm(aim)) + was) * float(values[-1]) + in_gradient) / float(values[0])
    return Sides(("‖w' - w*‖", now), ("M/(2μ) ‖w - w*‖²", bound), slack=lost)


THEOREMS = (quadratic, never_falls, normal_equations, weighed, semi_definite, slope_of_gradient, stepped)

ALGORITHM = Algorithm(
    logistic_newton,
    title="Logistic regression, Newton (IRLS)",
    point="A few long jumps do what the gradient needs many small steps for.",
    after=("logistic_regression",),
    also=("irls",),
    leaves_open="It is the maximum on these rows; of others it says nothing.",
    tries=(("start the wrong way", "-p 'start=wrong way'"), ("no penalty, 15 rows", "--data blobs:n=15 -p penalty=0")),
    asks=(
        Ask.number("What will ln P be after the step?", '"log-likelihood"', 0.1, "solve"),
        Ask.way("ln P rises: what does the training error do?", '"training error"', "solve"),
    ),
    summary="Climbs the likelihood of a linear log-odds by solving a least-squares problem with new weights each step.",
    rule="weigh  R = diag(p (1 - p))\nsolve  H = XᵀRX + λI,  d = H⁻¹(Xᵀ(y - p) - λw)\nstep   w <- w + s d",
    # beyond, cubes of lengths and their products overflow
    needs=Needs(target="class", classes=2, most_features=1_000, within=(1e-50, 1e50)),
    phases={
        "start": "the first weights",
        "weigh": "uncertain rows weigh most: p (1 - p)",
        "solve": "Newton's direction, by weighted least squares",
        "halve": "half as far, since ln P would not rise enough",
        "step": "w moves",
    },
    events=(Event("a step was cut short", cut_short), "step"),
    fork_after=("start", "step"),
    start_only=("bias", "start"),
    curves=(
        Curve("left to gain", left_to_gain, "ln P(w*) - ln P(w)", chart="left to gain", log=True),
        Curve("by gradient ascent", by_gradient, "the same of gradient steps 1/L", chart="left to gain", log=True),
        Curve("log-likelihood", log_likelihood, "ln P(w)"),
        Curve("right digits", right_digits, "-log10 ‖w - w*‖/‖w*‖"),
        Curve("½ g·d", promise, "half the promised rise", phases=("solve",), log=True),
        Curve("error", error, "share of wrong rows", held_out=True),
    ),
    objective={("log-likelihood", "left to gain", "by gradient ascent", "½ g·d"): ("penalty",)},
    theorems=THEOREMS,
    ends={
        "½ g·d = …: no step can raise ln P by more than about that": little_promised,
        "iteration … was the last, and w may still move": reached("steps", "iteration", "step"),
        "no step raises ln P by what g·d promises: it is lost in rounding": no_step_rises,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={
        "start": explain_start,
        "weigh": explain_weigh,
        "solve": explain_solve,
        "halve": explain_halve,
        "step": explain_step,
    },
    adapt=adapt,
    datasets=(
        blobs.with_(n=120, spread=2.0, hold_out=0.25),
        iris.with_(positive="versicolor"),
        breast_cancer.with_(scale=True, hold_out=0.25),
        wine.with_(positive="cultivar_2", scale=True),
        penguins.with_(positive="Chinstrap", scale=True),
        moons,
    ),
)
