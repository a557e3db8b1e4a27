"""Lasso by iteratively reweighted least squares: a parabola over each |w|, least squares with these, and anew.

    F(w) = ½ ‖r‖² + λ Σ |w_j|,   r = y - Xw,   X and y without their means, so that the intercept is not penalised

    weigh   v_j = √(w_j² + ε²)
    solve   w = argmin ½ ‖r‖² + ½ λ Σ w_j²/v_j,   (XᵀX + λ diag(1/v)) w = Xᵀy

(v - |w|)² >= 0, so |w| <= w²/(2v) + v/2 for every v > 0, with equality where |w| = v; and with w² + ε² for w²

    |w| <= √(w² + ε²) <= (w² + ε²)/(2v) + v/2,   touching at w for v = √(w² + ε²).

To put the parabolas in the place of F's kinks gives a Q >= F_ε = ½‖r‖² + λ Σ √(w_j² + ε²) with Q = F_ε where w stands.
Its least is a ridge with a λ/v_j for each coefficient, and F_ε(w') <= Q(w') <= Q(w) = F_ε(w): it never rises.

The least of Q has x_j·r = λ w_j/v_j. So w_j/v_j tells how far the slope x_j·r is on its way to λ: where it comes to
±1 the coefficient stays, and where |x_j·r| < λ it shrinks in proportion, by |x_j·r|/λ at every round, until it is about
as small as ε. So none comes to be exactly 0 but by chance; one that begins at 0 with ε = 0, where the parabola is
infinitely steep, stays there for ever. F - F* ends no higher than λ Σ (√(w*_j² + ε²) - |w*_j|) <= λ d ε.

λ is given as a share of λmax = max |x_j·y|, from which on w* = 0; ε as a share of the largest coefficient that a
feature has alone, max |x_j·y|/‖x_j‖².

References: Tibshirani (1996), Regression shrinkage and selection via the lasso, Journal of the Royal Statistical
Society B 58, section 6; Hunter and Li (2005), Variable selection using MM algorithms, Annals of Statistics 33;
Daubechies, DeVore, Fornasier and Güntürk (2010), Iteratively reweighted least squares minimization for sparse
recovery, Communications on Pure and Applied Mathematics 63; Lange (2016), MM Optimization Algorithms.
"""

from functools import partial
from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Event,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    Words,
    kept,
    numbers,
    once,
    theorem,
)
from algorithms.data import diabetes, line, prostate, sparse
from algorithms.families.regression.shared.kinks_pictures import pair_of, parabola_over_size, weights_in_units
from algorithms.families.regression.shared.lasso import Lasso, lasso, zeros
from algorithms.families.regression.shared.lasso_measures import (
    Coefficients,
    best,
    error,
    excess,
    f_of,
    in_use,
    in_use_at_best,
    largest_of_zeros,
    value,
)
from algorithms.families.regression.shared.lasso_pictures import Pair, coefficient_table, pair, picture, sparse_bars
from algorithms.toolbox.ends import reached

_ROUNDED = 1e-13  # of the trace of √v XᵀX √v: a smaller λ is lost beside it

Start = Literal["least squares", "zero"]


class IrlsState(Coefficients, frozen=True, kw_only=True):  # and with it w
    v: Array  # (d,) what each is weighed by, 1/v; as of the last `weigh`


def lasso_irls(
    data: Dataset,
    state: IrlsState | None = None,
    *,
    ratio: Annotated[float, Meta(ge=1e-6, le=10, description="λ as a share of λmax, from which on w* = 0")] = 0.2,
    epsilon: Annotated[
        float, Meta(ge=0, le=10, description="ε, as a share of the largest w of one feature alone")
    ] = 1e-3,
    start: Annotated[Start, Meta(description="w of least squares, or w = 0")] = "least squares",
    tolerance: Annotated[
        float, Meta(ge=1e-14, le=0.1, description="ends when no w moves by this share of the largest")
    ] = 1e-6,
    rounds: Annotated[int, Meta(ge=1, le=100_000, description="rounds at most")] = 200,
) -> Run[IrlsState]:
    f = data.once(lasso, ratio)
    width = rounding(f, epsilon)
    if state is None:
        w = first(f, start)
        state = IrlsState(w=w, v=smoothed(w, width))
        yield state
    while True:
        if state.phase in ("start", "solve"):
            if state.iteration >= rounds:
                return f"round {rounds:,} was the last, with F = {f.value(state.w):.5g}, and w may still move"
            state = state.after("weigh", iteration=state.iteration + 1, v=smoothed(state.w, width))
            yield state
        w = weighted_solution(f, state.v)
        if np.abs(w - state.w).max() <= tolerance * np.abs(w).max():
            ended = f"solved anew, no coefficient moves by more than {tolerance:.2g} of the largest"
            return f"{ended}: F = {f.value(state.w):.5g}, with {zeros(state.w)}"
        state = state.after("solve", w=w)
        yield state


def smoothed(w: Array, width: float) -> Array:
    """√(w² + ε²), a |w| without its kink."""
    return np.hypot(w, width)


def weighted_solution(f: Lasso, v: Array) -> Array:
    """(d,) w with (XᵀX + λ diag(1/v)) w = Xᵀy, 0 where v is: w = √v u with (√v XᵀX √v + λ) u = √v Xᵀy.

    Where λ is lost in the rounding of that matrix, u is that of least squares on X√v over √λ I.
    """
    if f.lam == 0:  # no feature has to do with y
        return np.zeros(f.d)
    root = np.sqrt(v)
    if f.lam > _ROUNDED * float(v @ f.of.squares):
        return np.asarray(root * np.linalg.solve(scaled(f, root), root * f.of.moments))
    below = np.vstack([f.of.X * root, np.sqrt(f.lam) * np.eye(f.d)])
    return np.asarray(root * np.linalg.lstsq(below, np.append(f.of.y, np.zeros(f.d)))[0])


def scaled(f: Lasso, root: Array) -> Array:
    """(d, d) √v XᵀX √v + λ I."""
    return np.asarray(root[:, None] * f.of.gram * root + f.lam * np.eye(f.d))


def rounding(f: Lasso, epsilon: float) -> float:
    """ε in the units of the coefficients."""
    alone = np.divide(np.abs(f.of.moments), f.of.squares, out=np.zeros(f.d), where=f.of.squares > 0)
    return epsilon * float(alone.max())


def first(f: Lasso, start: Start) -> Array:
    """(d,) the coefficients it begins with; of least squares the shortest."""
    return np.zeros(f.d) if start == "zero" else np.asarray(np.linalg.lstsq(f.of.X, f.of.y)[0])


def adapt(before: Problem, after: Problem, state: IrlsState, rows: Array) -> IrlsState:
    """w stays; it is weighed as the new ε has it."""
    return at(after, state, state.w)


def at(problem: Problem, state: IrlsState, w: Array) -> IrlsState:
    """The state with these coefficients, and what they weigh."""
    return state.replaced(w=w, v=smoothed(w, width_of(problem)))


@once
def width_of(problem: Problem) -> float:
    """ε in the units of the coefficients."""
    return rounding(f_of(problem), problem.parameters.epsilon)


@once
def cost_of_rounding(problem: Problem) -> float:
    """λ Σ(√(w*² + ε²) - |w*|), how much higher F_ε is at w* than F."""
    aim, width = np.abs(best(problem).w), width_of(problem)
    above = np.divide(width * width, np.hypot(aim, width) + aim, out=np.zeros(len(aim)), where=aim + width > 0)
    return f_of(problem).lam * float(above.sum())


@kept
def smooth_value(problem: Problem, state: IrlsState) -> float:
    """F_ε."""
    f = f_of(problem)
    return f.squared(state.w) / 2 + f.lam * float(smoothed(state.w, width_of(problem)).sum())


def size(problem: Problem, w: Array) -> float:
    """The largest number that is added on the way to F_ε(w)."""
    f = f_of(problem)
    return f.size(w) + f.lam * f.d * width_of(problem)


def gap(problem: Problem, state: IrlsState) -> float:
    return f_of(problem).gap(state.w)


def parabola(w: Array, v: Array, width: float) -> Array:
    """(w² + ε²)/(2v) + v/2, for v > 0."""
    return np.asarray(w * (w / (2 * v)) + width * (width / (2 * v)) + v / 2)


def names_of(problem: Problem, on: Array) -> list[str]:
    """The features that a (d,) mask has."""
    return [problem.data.features[j] for j in np.flatnonzero(on).tolist()]


@once
def seen(problem: Problem) -> Pair | None:
    return pair(f_of(problem), best(problem))


@once
def of_one(problem: Problem) -> int:
    """The coefficient of which the parabola is drawn."""
    return int(pair_of(best(problem), deepest=False)[1])


def solves_its_own(problem: Problem, state: IrlsState) -> bool | Sides:
    """Weighed by w itself, the solution is w but for what was asked."""
    if state.phase != "weigh":
        return False
    f = f_of(problem)
    w = weighted_solution(f, smoothed(state.w, rounding(f, problem.parameters.epsilon)))
    room = problem.parameters.tolerance * float(np.abs(w).max())
    return Sides(("most that a w moves", float(np.abs(w - state.w).max())), ("tolerance max |w|", room))


@once
def widest_of_one(problem: Problem) -> float:
    """How large that coefficient is at the start or in w*; where it is 0 in both, a tenth of the largest."""
    aim, j = best(problem).w, of_one(problem)
    largest = float(np.abs(aim).max()) or 1.0
    return max(abs(float(first(f_of(problem), problem.parameters.start)[j])), abs(float(aim[j]))) or largest / 10


def scene(problem: Problem, before: IrlsState | None, after: IrlsState) -> Scene:
    data, f, aim, j, solved = problem.data, f_of(problem), best(problem), of_one(problem), after.phase == "solve"
    earlier = before.w if before is not None and solved else None
    u = np.divide(after.w, after.v, out=np.zeros(f.d), where=after.v > 0)
    one = data.features[j], float(after.w[j]), float(after.v[j]), width_of(problem)
    return Scene(
        (
            parabola_over_size(*one, touches=not solved, widest=widest_of_one(problem)),
            weights_in_units(u, aim.w == 0),
            picture(data, f, aim, seen(problem), after.w, earlier, partial(at, problem)),
            sparse_bars(data.features, after.w, 1.4 * float(np.abs(aim.w).max())),
            coefficient_table(data, f, aim, after.w, f.correlations(after.w)),
            so_far(problem, after),
        )
    )


def so_far(problem: Problem, state: IrlsState) -> Panel:
    return numbers(
        {
            "F_ε": smooth_value(problem, state),
            "F": value(problem, state),
            "F* (at w*)": best(problem).value,
            "F - F*": excess(problem, state),
            "duality gap": gap(problem, state),
            "λΣ(√(w*² + ε²) - |w*|)": cost_of_rounding(problem),
            "λ": f_of(problem).lam,
            "ε": width_of(problem),
            "coefficients at 0": f_of(problem).d - int(in_use(problem, state)),
            "of w*": f_of(problem).d - int(in_use_at_best(problem, state)),
            "largest of these now": largest_of_zeros(problem, state),
        }
    )


def explain_start(problem: Problem, before: IrlsState | None, after: IrlsState) -> str:
    begins = "the w of least squares" if np.array_equal(after.w, first(f_of(problem), "least squares")) else "this w"
    above = f"F = {value(problem, after):.4g}, {excess(problem, after):.3g} above the least there is."
    if after.w.any():
        return f"The run begins at {begins}, where {above}"
    stuck = "ε = 0: over w = 0 every parabola is infinitely steep." if width_of(problem) == 0 else ""
    return f"w = 0: {above} {stuck}".rstrip()


def explain_weigh(problem: Problem, before: IrlsState | None, after: IrlsState) -> str:
    if not after.v.all():
        name = problem.data.features[int(after.v.argmin())]
        return f"{name} is 0 and ε is 0: over it the parabola is infinitely steep, and it will stay 0."
    j = of_one(problem)  # the one that is drawn
    name, v = problem.data.features[j], float(after.v[j])
    steep = f"{1 / v:,.0f}" if v < 1e-3 else f"{1 / v:.3g}"
    said = (
        f"Over each |w| the parabola that touches it at w, rounded by ε = {width_of(problem):.3g}. Over {name}, "
        f"w = {after.w[j]:.3g}, it goes up as {steep} w²/2."
    )
    count = f_of(problem).d - int(in_use_at_best(problem, after))
    if not count or not solves_its_own(problem, after):
        return said
    largest = (
        f"the largest |w| is {largest_of_zeros(problem, after):.2g} where w* has a 0 ({count} of {f_of(problem).d})"
    )
    return Words.of(said, f"With ε > 0 |w| has no kink that would hold a coefficient at 0: {largest}.")


def explain_solve(problem: Problem, before: IrlsState | None, after: IrlsState) -> str:
    now, f = smooth_value(problem, after), f_of(problem)
    if before is None:
        return f"F_ε = {now:.4g} at these coefficients."
    j = of_one(problem)
    name, q = problem.data.features[j], f.correlations(after.w)[j]
    fell = max(smooth_value(problem, before) - now, 0.0)
    made = f"Least squares with these parabolas lowers F_ε by {fell:.3g} to {now:.5g}"
    moved = f"{name} goes from {before.w[j]:.3g} to {after.w[j]:.3g}"
    if not after.v[j] or not f.lam:
        return f"{made}. {moved}."
    return f"{made}. {moved}, {after.w[j] / after.v[j]:.3g} v: its xⱼ·r is {q:.3g}, and λ is {f.lam:.3g}."


def shrank(before: IrlsState | None, after: IrlsState) -> bool:
    """Whether a coefficient has come to less than a tenth of what it was."""
    return before is not None and bool((np.abs(after.w) < 0.1 * np.abs(before.w)).any())


SYMBOLS = {
    "w, w'": ("coefficients, and those after the step", None),
    "w*, F*": ("where F is least, and F there", lambda problem, state: best(problem).value),
    "v": ("√(w² + ε²) as of the last `weigh`: where the parabola touches", None),
    "F": ("½‖r‖² + λΣ|wⱼ|", value),
    "F_ε, Q": ("F with √(w² + ε²) for |w|; Q has the parabolas for that", smooth_value),
    "r": ("residuals y - Xw, X and y without their means", None),
    "λ": ("strength of the penalty", lambda problem, state: f_of(problem).lam),
    "ε": ("how far from 0 the kink of |w| is rounded", lambda problem, state: width_of(problem)),
    "X, x, y": ("the columns, one of them, and the targets, each less its mean", None),
    "d": ("w' - w, how far a round goes", None),
}


@theorem(
    "F_ε never rises: F_ε(w') <= F_ε(w) - ½ dᵀ(XᵀX + λ diag(1/v))d, d = w' - w",
    source="Lange (2016)",
    about="step",
    phases=("solve",),
    proof=(
        "F_ε(w') <= Q(w'), for no parabola is below, and Q(w) = F_ε(w), for they touch at w",
        "Q is quadratic and least at w': Q(w) = Q(w') + ½ dᵀ(XᵀX + λ diag(1/v))d",
    ),
)
def never_rises(problem: Problem, before: IrlsState, after: IrlsState) -> Answer:
    f, off = f_of(problem), after.w - before.w
    bent = np.divide(off, after.v, out=np.zeros(f.d), where=after.v > 0)
    fall = (float(off @ f.of.gram @ off) + f.lam * float(off @ bent)) / 2
    sides = ("F_ε(w')", smooth_value(problem, after)), ("F_ε(w) - fall of Q", smooth_value(problem, before) - fall)
    return Sides(*sides, size=size(problem, before.w) + size(problem, after.w) + fall)


@theorem(
    "the parabola touches at w: v = √(w² + ε²) = (w² + ε²)/(2v) + v/2",
    source="Hunter and Li (2005)",
    phases=("start", "weigh"),
    proof=("v² = w² + ε², so (w² + ε²)/(2v) = v/2",),
)
def touches(problem: Problem, before: IrlsState | None, after: IrlsState) -> Answer:
    width, on = width_of(problem), after.v != 0
    if not on.any():
        return None
    w, v = after.w[on], after.v[on]
    sides = ("v", v), ("√(w² + ε²)", smoothed(w, width)), ("(w² + ε²)/(2v) + v/2", parabola(w, v, width))
    names = names_of(problem, on)
    return Sides.each(*sides, relation="==", size=np.abs(v) + np.abs(w) + width, entries=names)


@theorem(
    "the parabola is nowhere below: |w| <= √(w² + ε²) <= (w² + ε²)/(2v) + v/2",
    source="Hunter and Li (2005)",
    about="step",
    phases=("solve",),
    proof=("with s = √(w² + ε²): 0 <= (s - v)² = s² - 2sv + v²", "divided by 2v: s <= s²/(2v) + v/2"),
)
def above_the_kink(problem: Problem, before: IrlsState, after: IrlsState) -> Answer:
    width, on = width_of(problem), after.v != 0
    if not on.any():
        return None
    w, v = after.w[on], after.v[on]
    sides = ("|w|", np.abs(w)), ("√(w² + ε²)", smoothed(w, width)), ("(w² + ε²)/(2v) + v/2", parabola(w, v, width))
    return Sides.each(*sides, size=np.abs(w) + width + np.abs(v), entries=names_of(problem, on))


@theorem(
    "w' solves the weighted problem: vⱼ xⱼ·r = λ wⱼ",
    source="Tibshirani (1996)",
    about="step",
    phases=("solve",),
    proof=("the slope of ½‖r‖² + ½λΣ wⱼ²/vⱼ along wⱼ is -xⱼ·r + λ wⱼ/vⱼ, and 0 where it is least",),
)
def normal_equations(problem: Problem, before: IrlsState, after: IrlsState) -> Answer:
    f, root = f_of(problem), np.sqrt(np.abs(after.v))
    u = np.divide(after.w, root, out=np.zeros(f.d), where=root > 0)
    # the system is solved to the rounding of X√v over √λ I as a whole, not to that of each equation
    length = float(np.sqrt(after.v.max() * f.of.L + f.lam))
    largest = length * (length * float(np.linalg.norm(u)) + float(np.sqrt(f.of.total)))
    left, right = after.v * f.correlations(after.w), f.lam * after.w
    sides = ("vⱼ xⱼ·r", left), ("λ wⱼ", right)
    return Sides.each(*sides, relation="==", size=root * largest, entries=problem.data.features)


@theorem(
    "excess: F - F* <= ∇F_ε·(w - w*) + λΣ(√(w*² + ε²) - |w*|)",
    source="Daubechies et al. (2010)",
    proof=(
        "F = ½‖r‖² + λΣ|wⱼ| <= F_ε, for |w| <= √(w² + ε²), and F_ε is convex:",
        "so F_ε(w) - F_ε(w*) <= ∇F_ε(w)·(w - w*)",
        "F_ε(w*) - F* = λΣ(√(w*² + ε²) - |w*|); where w settles ∇F_ε = 0, and this alone is left",
    ),
)
def near_the_best(problem: Problem, before: IrlsState | None, after: IrlsState) -> Answer:
    f, aim, width = f_of(problem), best(problem), width_of(problem)
    rounded = smoothed(after.w, width)
    slope = f.lam * np.divide(after.w, rounded, out=np.zeros(f.d), where=rounded > 0) - f.correlations(after.w)
    bound = float(slope @ (after.w - aim.w)) + cost_of_rounding(problem)
    largest = size(problem, after.w) + size(problem, aim.w)
    return Sides(
        ("F - F*", value(problem, after) - aim.value), ("∇F_ε·(w - w*) + λΣ(√(w*² + ε²) - |w*|)", bound), size=largest
    )


THEOREMS = (near_the_best, never_rises, above_the_kink, touches, normal_equations)

ALGORITHM = Algorithm(
    lasso_irls,
    title="Lasso by reweighted least squares (IRLS)",
    point="Parabolas stand in for the corners: a ridge is solved again and again, ever sharper.",
    after=("lasso_coordinate_descent",),
    leaves_open="No coefficient is exactly 0: which ones are meant to be is read off.",
    tries=(("a blunter corner", "-p epsilon=0.1"), ("three times the penalty", "-p ratio=0.6")),
    asks=(
        Ask("Does a coefficient fall to a tenth?", '"a coefficient fell to a tenth"', "weigh"),
        Ask.way("F falls: what does the error on rows held out do?", '"held-out error"', "weigh"),
    ),
    summary="Puts a parabola over each |w| and solves the ridge that this makes, then weighs anew.",
    rule="weigh  vⱼ = √(wⱼ² + ε²)\nsolve  (XᵀX + λ diag(1/v)) w = Xᵀy",
    # beyond, the squares of products overflow or vanish
    needs=Needs(target="number", most_features=2_000, within=(1e-70, 1e30)),
    phases={
        "start": "the first coefficients",
        "weigh": "over each |w| the parabola that touches it at w",
        "solve": "least squares with these parabolas",
    },
    events=(Event("a coefficient fell to a tenth", shrank),),
    fork_after=("start", "solve"),
    start_only=("start",),
    curves=(
        Curve("excess", excess, "F(w) - F(w*)", chart="above the least", log=True),
        Curve("duality gap", gap, "at least F(w) - F(w*)", chart="above the least", log=True),
        Curve("objective", value, "F(w) = ½‖r‖² + λ Σ|wⱼ|"),
        Curve("smoothed objective", smooth_value, "F_ε(w) = ½‖r‖² + λ Σ√(wⱼ² + ε²)", chart="objective"),
        Curve("coefficients in use", in_use, "how many are not 0"),
        Curve("in use in w*", in_use_at_best, "how many of w* are not 0", chart="coefficients in use"),
        Curve("size of what should be 0", largest_of_zeros, "max |wⱼ| where wⱼ* = 0", log=True),
        Curve("error", error, "mean squared error", held_out=True),
    ),
    objective={("objective", "excess", "duality gap"): ("ratio",), ("smoothed objective",): ("ratio", "epsilon")},
    theorems=THEOREMS,
    ends={
        "solved anew, no coefficient moves by more than … of the largest: F = …, with … at 0": solves_its_own,
        "round … was the last, with F = …, and w may still move": reached("rounds", "iteration", "start", "solve"),
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={"start": explain_start, "weigh": explain_weigh, "solve": explain_solve},
    adapt=adapt,
    datasets=(
        prostate.with_(scale=True, hold_out=0.25),
        diabetes.with_(scale=True),
        sparse,
        line,
    ),
)
