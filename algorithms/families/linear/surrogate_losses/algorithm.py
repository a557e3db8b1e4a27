"""Surrogate losses: a linear classifier by subgradient descent on a convex loss of its margins, in place of the errors.

    F(w) = 1/n Σ loss(z_i) + r(w),   z = y w·x,   w <- w - η g   with g a subgradient of F at w

The 0-1 loss 1[z <= 0] is what counts, but it is flat almost everywhere: its slope says nothing, and the line with the
fewest errors is hard to find. A surrogate is convex: F(½w + ½w') <= ½F(w) + ½F(w'), which the 0-1 loss is not. None
falls below loss(0) for z <= 0, so with loss(0) > 0

    1[z <= 0]  <=  loss(z)/loss(0):

the hinge max(0, 1 - z), its square, e^-z and (1 - z)² bound the errors as they are, ln(1 + e^-z) does divided by ln 2,
and the perceptron loss max(0, -z), which is 0 at w = 0, bounds nothing. The generalised one has them as limits:

    max(0, L - z)  <=  ε ln(1 + e^((L - z)/ε))  <=  max(0, L - z) + ε ln 2:

L = 1, ε -> 0 the hinge; L = 0, ε -> 0 the perceptron loss; L = 0, ε = 1 the logistic loss. The hinge without a penalty
is the slackened problem: the least Σξ with y w·x >= 1 - ξ, ξ >= 0, which is 0 exactly if the rows can be separated.

The penalty r is ½λ‖w‖², λ‖w‖₁ or nothing. Subgradient steps on λ‖w‖₁ leave no weight at 0; proximal ones, which shrink
each weight of w - ηg by ηλ, do, with g of the losses alone. On every path, whatever u, F counting M(w) + r(w') there,

    ‖w' - u‖²  <=  ‖w - u‖² - 2η (F - F(u)) + η²‖g‖²,   so   Σ η(F - F(u))  <=  ½‖u - w_0‖² + ½ Σ η²‖g‖².

References: Rosasco, De Vito, Caponnetto, Piana and Verri (2004), Are loss functions all the same?, Neural Computation
16; Bartlett, Jordan and McAuliffe (2006), Convexity, classification, and risk bounds, JASA 101; Shor (1985),
Minimization Methods for Non-Differentiable Functions; Zinkevich (2003), Online convex programming, ICML; Duchi and
Singer (2009), Efficient online and batch learning using forward backward splitting, JMLR 10; Bennett and Mangasarian
(1992), Robust linear programming discrimination, Optimization Methods and Software 1.
"""

from collections.abc import Callable
from typing import Annotated

import numpy as np
from msgspec.structs import replace

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
    Words,
    kept,
    numbers,
    theorem,
)
from algorithms.data import breast_cancer, iris, leverage, moons, tilt
from algorithms.families.linear.surrogate_losses.fewest_wrong import fewest_of
from algorithms.families.linear.surrogate_losses.surrogates import (
    Penalty,
    Place,
    Schedule,
    Surrogate,
    good_place,
    midway,
    step_size,
    surrogate,
)
from algorithms.toolbox.ends import reached
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.margin_losses import MarginLossName, above_its_kink, not_convex, short
from algorithms.toolbox.panels.linear import margin_lines, parts, stage, weight_panels
from algorithms.toolbox.panels.losses import loss_over_margin, slack_lines
from algorithms.toolbox.panels.row_words import says_margin
from algorithms.toolbox.signed_rows import separation

_DIVERGED = 1e12  # times F at w = 0: far enough to see, and nothing overflows


class SurrogateState(State, frozen=True, kw_only=True):
    w: Array  # (p,) weights, the bias last of them
    origin: Array  # (p,) w_0, where the sums below begin
    charged: float = 0.0  # Σ η F
    length: float = 0.0  # Σ η
    squares: float = 0.0  # Σ η² ‖g‖²


def surrogate_losses(
    data: Dataset,
    state: SurrogateState | None = None,
    *,
    loss: Annotated[MarginLossName, Meta(description="what a row pays for its margin z = y w·x")] = "hinge",
    epsilon: Annotated[float, Meta(ge=1e-3, le=100, description="ε, how round the generalised loss is")] = 0.5,
    level: Annotated[float, Meta(ge=0, le=10, description="L, the margin that the generalised loss asks for")] = 1.0,
    penalty: Annotated[Penalty, Meta(description="½λ‖w‖², λ‖w‖₁ (by its slope, or proximal), or none")] = "none",
    strength: Annotated[float, Meta(ge=0, le=1e3, description="λ, of the penalty")] = 0.05,
    eta: Annotated[float, Meta(ge=1e-6, le=100, description="step size η")] = 0.2,
    schedule: Annotated[Schedule, Meta(description="η at every step, or shrinking")] = "constant",
    bias: Annotated[bool, Meta(description="append the constant 1, without a penalty")] = True,
    steps: Annotated[int, Meta(ge=1, le=1_000_000, description="steps at most")] = 300,
) -> Run[SurrogateState]:
    f = data.once(surrogate, bias, loss, epsilon, level, penalty, strength)
    if state is None:
        state = SurrogateState(w=np.zeros(f.p), origin=np.zeros(f.p))
        yield state
    too_high = _DIVERGED * (1 + f.value(np.zeros(f.p)))
    while state.iteration < steps:
        g, step = f.subgradient(state.w), step_size(eta, schedule, state.iteration + 1)
        w = f.stepped(state.w, g, step)
        if not f.value(w) <= too_high:
            return f"it diverges: the next step would have F = {f.value(w):.3g}; η is too large"
        if np.array_equal(w, state.w):
            return "the subgradient is 0: F is as low as it can be"
        t, sums = state.iteration + 1, regret_sums(f, state, w, g, step)
        state = state.after("step", iteration=t, w=w, **sums)
        yield state
    return f"step {steps:,} was the last"


def regret_sums(f: Surrogate, state: SurrogateState, w: Array, g: Array, step: float) -> dict[str, float]:
    """The sums of the regret with the step from `state` to w."""
    return {
        "charged": state.charged + step * f.charged(state.w, w),
        "length": state.length + step,
        "squares": state.squares + step**2 * float(g @ g),
    }


def adapt(before: Problem, after: Problem, state: SurrogateState, rows: Array) -> SurrogateState:
    """w stays; the sums of the regret begin anew, since F is another."""
    same = after.data is before.data and after.parameters == before.parameters
    return state if same else begun_at(state, state.w)


def begun_at(state: SurrogateState, w: Array) -> SurrogateState:
    """The state with these weights, and sums that begin there."""
    return state.replaced(w=w, origin=w, charged=0.0, length=0.0, squares=0.0)


def shape(problem: Problem) -> tuple[bool, MarginLossName, float, float, Penalty, float]:
    """What F depends on besides the rows."""
    p = problem.parameters
    return p.bias, p.loss, p.epsilon, p.level, p.penalty, p.strength


def objective(problem: Problem) -> Surrogate:
    """F, of the rows that there are."""
    return problem.data.once(surrogate, *shape(problem))


def comparator(problem: Problem) -> Place:
    """u, a good w to compare with, and F there."""
    return problem.data.once(good_place, *shape(problem))


@kept
def here(problem: Problem, state: SurrogateState) -> Place:
    """F at w, with the margins and a subgradient."""
    return objective(problem).at(state.w)


def fewest(problem: Problem) -> int | None:
    """The rows that the best line of all gets wrong, where that can be tried."""
    return problem.data.once(fewest_of) if problem.parameters.bias else None


def margins(problem: Problem, state: SurrogateState) -> Array:
    """(n,) z = y w·x."""
    return here(problem, state).z


def value(problem: Problem, state: SurrogateState) -> float:
    return here(problem, state).value


def error(problem: Problem, state: SurrogateState) -> float:
    return np.count_nonzero(margins(problem, state) <= 0) / problem.data.n


def error_bound(problem: Problem, state: SurrogateState) -> float:
    """The mean of loss(z)/loss(0), where it bounds the error."""
    at_zero = objective(problem).loss.at_zero
    return here(problem, state).mean_loss / at_zero if at_zero else np.nan


def features_used(problem: Problem, state: SurrogateState) -> float:
    """How many features have a weight that is not 0."""
    return float(np.count_nonzero(parts(state.w, problem.parameters.bias)[0]))


def regret(problem: Problem, state: SurrogateState) -> float:
    """Σ η(F - F(u))."""
    return state.charged - state.length * comparator(problem).value


def regret_bound(problem: Problem, state: SurrogateState) -> float:
    """½‖u - w_0‖² + ½ Σ η²‖g‖²."""
    away = comparator(problem).w - state.origin
    return float(away @ away) / 2 + state.squares / 2


def mean(of: Callable[[Problem, SurrogateState], float]) -> Callable[[Problem, SurrogateState], float]:
    """Divided by Σ η."""
    return lambda problem, state: of(problem, state) / state.length if state.length else np.nan


def step_made(problem: Problem, after: SurrogateState) -> float:
    """η_t of the step that led here."""
    return step_size(problem.parameters.eta, problem.parameters.schedule, after.iteration)


def bounds_errors(problem: Problem, state: SurrogateState) -> bool | str:
    return objective(problem).loss.at_zero > 0 or "loss(0) = 0: a row on the boundary is wrong, and costs nothing"


def generalised(problem: Problem, state: SurrogateState) -> bool | str:
    return problem.parameters.loss == "generalised" or f"the loss is the {problem.parameters.loss} one"


def a_hinge(problem: Problem, state: SurrogateState) -> bool | str:
    if (problem.parameters.loss, problem.parameters.penalty) != ("hinge", "none"):
        return "it is not the hinge without a penalty"
    return separation(problem).impossible or "the rows can be separated, or rounding hides it: Σξ may come to 0"


def next_w(problem: Problem, state: SurrogateState) -> Array:
    f, p = objective(problem), problem.parameters
    return f.stepped(state.w, f.subgradient(state.w), step_size(p.eta, p.schedule, state.iteration + 1))


def diverges(problem: Problem, state: SurrogateState) -> Sides:
    """The next step would go to where F is far above that of w = 0."""
    f = objective(problem)
    far = _DIVERGED * (1 + f.value(np.zeros(f.p)))
    return Sides((f"{_DIVERGED:g} (1 + F(0))", far), ("F of the next w", f.value(next_w(problem, state))))


def stands_still(problem: Problem, state: SurrogateState) -> bool:
    """The next step would move no weight."""
    return np.array_equal(next_w(problem, state), state.w)


def dearest(problem: Problem, before: SurrogateState | None) -> int:
    """Find the row that paid most before the step, of which is spoken; -1 at the start."""
    return -1 if before is None else int(here(problem, before).losses.argmax())


def scene(problem: Problem, before: SurrogateState | None, after: SurrogateState) -> Scene:
    data, bias, loss, z = problem.data, problem.parameters.bias, objective(problem).loss, margins(problem, after)
    earlier, told = None if before is None else before.w, np.arange(data.n) == dearest(problem, before)
    wrong, said = (z <= 0) & bool(after.w.any()), says_margin(z, "y w·x")
    rows = Points(at=data.X, classes=data.y, ringed=told, crossed=wrong, says=said)
    slack = slack_lines(data, parts(after.w, bias)[0], np.where(told, short(z), 0.0)) if "hinge" in loss.name else ()
    title = "w·x = 0, 1 and -1; ξ of who paid most" if slack else "the boundary w·x = 0"
    plane = stage(data, rows, after.w, bias, earlier=earlier, title=title, pulled=begun_at)
    return Scene(
        (
            replace(plane, marks=(*plane.marks, *(margin_lines(after.w, bias) if slack else ()), *slack)),
            loss_over_margin(z, data.y, loss.of, loss.formula, ringed=told, margin="y w·x"),
            *weight_panels(data, after.w, bias, earlier, u=comparator(problem).w),
            so_far(problem, before, after),
        )
    )


def so_far(problem: Problem, before: SurrogateState | None, after: SurrogateState) -> Panel:
    z = margins(problem, after)
    return numbers(
        {
            "F": value(problem, after),
            "F(u)": comparator(problem).value,
            "wrong rows": int((z <= 0).sum()),
            "bound on them": error_bound(problem, after) * problem.data.n,
            "fewest by any line": fewest(problem),
            "Σξ": float(short(z).sum()),
            "Σξ is at least": 1 / float(separation(problem).shares.max()) if separation(problem).impossible else 0.0,
            "features with a weight": int(features_used(problem, after)),
            "‖w‖": float(np.linalg.norm(after.w)),
            "rows not convex in 0-1": None if before is None else not_convex(margins(problem, before), z),
        }
    )


def explain(problem: Problem, before: SurrogateState | None, after: SurrogateState) -> str:
    data, f, z = problem.data, objective(problem), margins(problem, after)
    wrong, F = int((z <= 0).sum()), value(problem, after)
    if before is None and after.w.any():
        return f"F = {F:.4g} here. Wrong rows: {wrong} of {data.n}."
    if before is None:
        return f"w = 0 puts every row on the boundary, where it pays {f.loss.at_zero:.3g}: F = {F:.4g}."
    was, moved = here(problem, before), float(np.linalg.norm(after.w - before.w))
    row, pulling = dearest(problem, before), np.count_nonzero(was.slopes)
    most = f"{data.who(row)} pays most: z = {was.z[row]:.3g} costs {was.losses[row]:.3g}"
    change = F - was.value
    word = f"{'falls' if change < 0 else 'rises'} by {abs(change):.3g} to {F:.4g}" if change else f"stays {F:.4g}"
    came = f"Wrong rows: {wrong} of {data.n}"
    if f.loss.at_zero:
        came += f", and no more than {error_bound(problem, after) * data.n:.3g} by the mean loss"
    said = f"Rows that pull or push at w: {pulling} of {data.n}. {most}. w moves by {moved:.3g}, and F {word}."
    return Words.of(said, f"{came}.")


SYMBOLS = {
    "w, w₀, w'": ("weights, the bias last; those at which the sums begin; those after the step", None),
    "u": ("a good w to compare with, of some hundred steps made aside", None),
    "z": ("y w·x of a row: positive on its side", None),
    "F, F(u)": ("the mean loss and the penalty; that of u", value),
    "g": ("a subgradient of F at w; of the losses alone in proximal steps, where F counts r(w')", None),
    "η": ("size of the step", lambda problem, state: step_made(problem, state) if state.iteration else None),
    "λ": ("strength of the penalty", lambda problem, state: problem.parameters.strength),
    "ε, L": ("how round the generalised loss is, and the margin that it asks for", None),
    "ξ": ("max(0, 1 - z), what a row is short of the margin 1", None),
    "s": ("weights with Σ s = 1 and Σ s y x = 0, which prove that nothing separates the rows", None),
    "x, y": ("a row with the constant 1 where there is a bias, and its class as +1 or -1", None),
    "n": ("rows", lambda problem, state: problem.data.n),
    "r": ("the penalty: ½λ‖w‖², λ‖w‖₁ or none", None),
}


@theorem(
    "share of errors <= mean loss(z)/loss(0)",
    source="Bartlett, Jordan and McAuliffe (2006)",
    hypotheses={"loss(0) > 0": bounds_errors},
    proof=(
        "no loss here is negative, nor below loss(0) where z <= 0",
        "so 1[z <= 0] <= loss(z)/loss(0) at every row: take the mean",
    ),
)
def errors_bounded(problem: Problem, before: SurrogateState | None, after: SurrogateState) -> Answer:
    return Sides(("share of errors", error(problem, after)), ("mean loss/loss(0)", error_bound(problem, after)))


@theorem(
    "w' = w - ηg; proximal: then shrunk by ηλ",
    source="Shor (1985); proximal Duchi and Singer (2009)",
    about="step",
    proof=("that is the rule",),
)
def stepped(problem: Problem, before: SurrogateState, after: SurrogateState) -> Answer:
    f, step, was = objective(problem), step_made(problem, after), here(problem, before)
    added = np.abs(was.slopes) @ np.abs(f.rows) / len(f.rows) + f.weights
    size = np.abs(before.w) * (1 + step * f.weights) + step * added
    sides = ("w'", after.w), ("w - ηg", f.stepped(before.w, was.g, step))
    names = weight_names(problem.data, problem.parameters.bias)
    return Sides.each(*sides, relation="==", size=size, entries=names)


@theorem(
    "‖w' - u‖² <= ‖w - u‖² - 2η(F - F(u)) + η²‖g‖²",
    source="Shor (1985); proximal Duchi and Singer (2009)",
    about="step",
    proof=(
        "‖w' - u‖² = ‖w - u‖² - 2ηg·(w - u) + η²‖g‖², and g·(w - u) >= F - F(u), for F is convex",
        "proximal: (w - ηg - w')/η is a subgradient of r at w': r(u) - r(w') >= it times (u - w')",
        "with M = the mean loss: that and M(u) - M(w) >= g·(u - w) give it for F = M(w) + r(w')",
    ),
)
def nearer(problem: Problem, before: SurrogateState, after: SurrogateState) -> Answer:
    f, step, u = objective(problem), step_made(problem, after), comparator(problem)
    at, was, now = here(problem, before), before.w - u.w, after.w - u.w
    excess = at.mean_loss + f.penalised(after.w if f.proximal else before.w) - u.value
    pushed, lengths = step**2 * float(at.g @ at.g), float(before.w @ before.w + after.w @ after.w + u.w @ u.w)
    size = lengths + 2 * step * (at.size + here(problem, after).size + u.size) + pushed
    right = float(was @ was) - 2 * step * excess + pushed
    return Sides(("‖w' - u‖²", float(now @ now)), ("‖w - u‖² - 2η(F - F(u)) + η²‖g‖²", right), size=size)


@theorem(
    "Σ η(F - F(u)) <= ½‖u - w₀‖² + ½Ση²‖g‖²",
    source="Zinkevich (2003); proximal Duchi and Singer (2009)",
    proof=("‖w' - u‖² <= ‖w - u‖² - ..., summed: distances cancel but for the first and the last, >= 0",),
)
def regret_bounded(problem: Problem, before: SurrogateState | None, after: SurrogateState) -> Answer:
    bound = regret_bound(problem, after)
    size = after.charged + after.length * comparator(problem).size + bound
    return Sides(("Σ η(F - F(u))", regret(problem, after)), ("½‖u - w₀‖² + ½Ση²‖g‖²", bound), size=size)


@theorem(
    "the sums Σ ηF, Σ η and Σ η²‖g‖² grow by this step's",
    source="Zinkevich (2003)",
    about="step",
    proof=("that is what they sum; proximal: F is the mean loss at w, and r(w')",),
)
def summed(problem: Problem, before: SurrogateState, after: SurrogateState) -> Answer:
    f, step, at = objective(problem), step_made(problem, after), here(problem, before)
    added = step * f.charged(before.w, after.w), step, step**2 * float(at.g @ at.g)
    was, now = (np.array([s.charged, s.length, s.squares]) for s in (before, after))
    size = now + np.array([step * at.size, step, added[2]])
    sides = ("sum'", now), ("sum + its part", was + added)
    return Sides.each(*sides, relation="==", size=size, entries=("Σ ηF", "Σ η", "Σ η²‖g‖²"))


@theorem(
    "F is convex: F(½w + ½w') <= ½F(w) + ½F(w')",
    source="Rosasco et al. (2004)",
    about="step",
    proof=("each loss is convex in z, z is linear in w, and sums of convex functions are convex",),
)
def convex(problem: Problem, before: SurrogateState, after: SurrogateState) -> Answer:
    return midway(objective(problem), here(problem, before), here(problem, after), "w", "w'")


@theorem(
    "F has one valley: F(½w + ½u) <= ½F(w) + ½F(u)",
    source="Rosasco et al. (2004)",
    proof=("F is convex; so on the way from w to a lower u it falls at once: no minimum is local only",),
)
def convex_far(problem: Problem, before: SurrogateState | None, after: SurrogateState) -> Answer:
    return midway(objective(problem), here(problem, after), comparator(problem), "w", "u")


@theorem(
    "max(0, L - z) <= generalised <= max(0, L - z) + ε ln 2",
    source="Rosasco et al. (2004)",
    hypotheses={"the loss is the generalised one": generalised},
    proof=(
        "with a = (L - z)/ε: 1 + e^a lies between e^max(0, a) and 2 e^max(0, a)",
        "take ε times the logarithm; at z = L the right side is reached",
    ),
)
def between_kinks(problem: Problem, before: SurrogateState | None, after: SurrogateState) -> Answer:
    p = problem.parameters
    return above_its_kink(margins(problem, after), here(problem, after).losses, p.level, p.epsilon)


@theorem(
    "hinge, rows that nothing separates: 1/max s <= Σξ",
    source="Bennett and Mangasarian (1992)",
    hypotheses={"the loss is the hinge, without a penalty, and nothing separates the rows": a_hinge},
    proof=("Σ s ξ >= Σ s(1 - z) = 1 - w·Σ s y x = 1", "and Σ s ξ <= max s Σξ, for ξ >= 0"),
)
def not_feasible(problem: Problem, before: SurrogateState | None, after: SurrogateState) -> Answer:
    proof, total = separation(problem), float(short(margins(problem, after)).sum())
    most = float(proof.shares.max())
    # the weighted mean of the y x is 0 to rounding only, which w makes larger
    slack = float(np.linalg.norm(after.w)) * proof.remainder / most
    return Sides(("1/max s", 1 / most), ("Σξ", total), slack=slack)


THEOREMS = (errors_bounded, stepped, nearer, regret_bounded, summed, convex, convex_far, between_kinks, not_feasible)


def setting(problem: Problem) -> dict[str, object]:
    """What the objective depends on; a penalty is the same by its slope and proximal."""
    p = problem.parameters
    shape = {"ε": p.epsilon, "L": p.level} if p.loss == "generalised" else {}
    strength = {} if p.penalty == "none" else {"λ": p.strength}
    return {"loss": p.loss, "penalty": p.penalty.removesuffix(", proximal")} | shape | strength


ALGORITHM = Algorithm(
    surrogate_losses,
    title="Surrogate losses",
    point="Errors are flat nearly everywhere; a convex loss above them has a slope to walk down.",
    after=("logistic_regression",),
    leaves_open="The least surrogate bounds the errors; fewer errors may be possible.",
    tries=(("far rows, squared loss", "--data tilt -p loss=squared -p eta=0.01"), ("far rows, hinge", "--data tilt")),
    asks=(
        Ask.way("Against a subgradient: what does F do?", "F"),
        Ask.way("Against a subgradient: what does the training error do?", '"training error"'),
    ),
    summary="Goes down a convex loss of the margins (hinge, logistic, ...), for errors themselves have no slope.",
    rule="F(w) = 1/n Σ loss(y w·x) + r(w)\nw <- w - η g,   g a subgradient of F\nproximal: shrink each weight by ηλ",
    needs=Needs(target="class", classes=2, within=(1e-50, 1e50)),  # beyond, squares of slopes overflow
    phases={"start": "w = 0", "step": "against a subgradient of F"},
    start_only=("bias",),
    curves=(
        Curve("error", error, "share of wrong rows", held_out=True),
        Curve("bound on the error", error_bound, "mean of loss(z)/loss(0)", chart="error"),
        Curve("F", value, "mean loss and penalty"),
        Curve("mean regret", mean(regret), "Σ η(F - F(u))/Ση", chart="regret"),
        Curve("bound on regret", mean(regret_bound), "(½‖u - w₀‖² + ½Ση²‖g‖²)/Ση", chart="regret", log=True),
        Curve("features used", features_used, "weights that are not 0"),
    ),
    objective={("F", "bound on the error", "mean regret", "bound on regret"): setting},
    theorems=THEOREMS,
    ends={
        "step … was the last": reached("steps"),
        "it diverges: the next step would have F = …": diverges,
        "the subgradient is 0: F is as low as it can be": stands_still,
    },
    symbols=SYMBOLS,
    only_for={
        "epsilon": ("loss", "generalised"),
        "level": ("loss", "generalised"),
        "strength": ("penalty", "L2", "L1", "L1, proximal"),
    },
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(
        moons.with_(n=60, noise=0.25),
        tilt,
        iris.with_(positive="versicolor", scale=True),
        breast_cancer.with_(scale=True, hold_out=0.25),
        leverage.with_(scale=True),
    ),
)
