"""The lasso by proximal gradient: a step down the gradient of ½‖r‖², then the soft threshold. ISTA, and FISTA.

    F(w) = ½ ‖r‖² + λ Σ |w_j|,   r = y - b - Xw,   b = ȳ - x̄·w: the intercept is not penalised

    gradient   u = z + η Xᵀ(y - Xz)
    shrink     w' = S(u, ηλ),   S(u, ηλ)_j = sign(u_j) max(|u_j| - ηλ, 0)

from w = 0, with z = w; accelerated z' = w' + (k - 1)/k' (w' - w), k' = (1 + √(1 + 4k²))/2, k = 1 at first. X here is
without the columns' means, L the greatest eigenvalue of XᵀX, and η a share of 1/L. λ is a share of λmax = max |x_j·y|,
from which on w* = 0. Without the ½ before ‖r‖² the same w belongs to 2λ; scikit-learn's alpha is λ/n.

Step       not accelerated, η <= 2/L:  F(w') <= F(w) - (1/η - L/2) ‖w' - w‖². Of FISTA F may rise.
Rate       η <= 1/L, after t steps:  F(w) - F(w*) <= ‖w_0 - w*‖²/(2ηt);  accelerated 2‖w_0 - w*‖²/(η(t + 1)²)
Support    not accelerated, η <= 2/L, Z the j with w*_j = 0 but w'_j not 0:
               ‖w' - w*‖² + η² Σ_Z (λ - |x_j·r*|)² <= ‖w - w*‖²
           so j is in Z at most ‖w_0 - w*‖²/(η(λ - |x_j·r*|))² times: the zeros are found after finitely many steps
Orthogonal XᵀX = L I:  w* = S(ŵ, λ/L), ŵ that of least squares, found by one step 1/L

References: Daubechies, Defrise and De Mol (2004), An iterative thresholding algorithm for linear inverse problems,
Communications on Pure and Applied Mathematics 57; Beck and Teboulle (2009), A fast iterative shrinkage-thresholding
algorithm for linear inverse problems, SIAM Journal on Imaging Sciences 2; Hale, Yin and Zhang (2008), Fixed-point
continuation for l1-minimization, SIAM Journal on Optimization 19, section 4; Tibshirani (1996), Regression shrinkage
and selection via the lasso, Journal of the Royal Statistical Society B 58.
"""

from math import sqrt
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    DoesNotApply,
    Event,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Sides,
    kept,
    once,
    theorem,
)
from algorithms.data import diabetes, line, prostate, sparse
from algorithms.families.regression.shared.lasso import Lasso, closed, lasso, soft
from algorithms.families.regression.shared.lasso_measures import Coefficients, best, error, excess, f_of, in_use, value
from algorithms.families.regression.shared.lasso_pictures import (
    Pair,
    coefficient_table,
    correlations_panel,
    pair,
    picture,
    shrinkage_panel,
    so_far,
    sparse_bars,
    threshold_panel,
)
from algorithms.toolbox.ends import reached

_DIVERGED = 1e6  # times F(0): far enough to see, and nothing overflows
_SEEN = 1e-12  # of ‖y‖²: an F that is nearer to the least is the least but for rounding
_ORTHOGONAL = 1e-9  # of L: how far XᵀX may be from L I


class LassoIstaState(Coefficients, frozen=True, kw_only=True):  # and with it w
    z: Array  # (d,) where the next gradient is taken; w, or beyond it
    u: Array  # (d,) after the gradient step, not shrunk yet
    k: float = 1.0  # of the acceleration


def lasso_ista(
    data: Dataset,
    state: LassoIstaState | None = None,
    *,
    ratio: Annotated[float, Meta(ge=1e-6, le=10, description="λ as a share of λmax, from which on w = 0")] = 0.2,
    eta: Annotated[float, Meta(ge=1e-3, le=10, description="step size η as a share of 1/L")] = 1.0,
    accelerated: Annotated[bool, Meta(description="FISTA: the gradient beyond w, where it is heading")] = False,
    tolerance: Annotated[float, Meta(ge=1e-12, le=1, description="of ½‖y‖²: a smaller duality gap ends it")] = 1e-9,
    steps: Annotated[int, Meta(ge=1, le=1_000_000, description="the most there can be")] = 10_000,
) -> Run[LassoIstaState]:
    f = data.once(lasso, ratio)
    step = step_size(f, eta)
    if state is None:
        zero = np.zeros(data.d)
        state = LassoIstaState(w=zero, z=zero, u=zero)
        yield state
    while True:
        if state.phase != "gradient":
            ended = reason(f, state.w, tolerance, state.iteration, steps)
            if ended:
                return ended
            state = state.after("gradient", iteration=state.iteration + 1, u=state.z + step * f.correlations(state.z))
            yield state
        w = soft(state.u, step * f.lam)
        k = (1 + sqrt(1 + 4 * state.k**2)) / 2 if accelerated else 1.0
        z = w + (state.k - 1) / k * (w - state.w) if accelerated else w
        state = state.after("shrink", w=w, z=z, k=k)
        yield state


def step_size(f: Lasso, eta: float) -> float:
    """η itself; where all columns are 0 it does not matter."""
    return eta / f.of.L if f.of.L else 1.0


def reason(f: Lasso, w: Array, tolerance: float, iteration: int, steps: int) -> str | None:
    """Say why the run ends at w, None where it goes on."""
    gap = f.gap(w)
    if gap <= tolerance * f.of.total / 2:
        return closed(f, w, f.known_gap(w))
    if f.value(w) > _DIVERGED * f.of.total / 2:
        return f"it diverges: F = {f.value(w):.3g}; eta is too large"
    if iteration < steps:
        return None
    return f"iteration {iteration:,} was the last: F = {f.value(w):.5g} is at most {gap:.3g} above the least"


def adapt(before: Problem, after: Problem, state: LassoIstaState, rows: Array) -> LassoIstaState:
    """The coefficients stay; without acceleration the gradient is taken at them."""
    return state if after.parameters.accelerated else state.replaced(z=state.w, k=1.0)


def eta_of(problem: Problem) -> float:
    """η."""
    return step_size(f_of(problem), problem.parameters.eta)


@kept
def gap(problem: Problem, state: LassoIstaState) -> float:
    return f_of(problem).known_gap(state.w)


def rate(problem: Problem, state: LassoIstaState) -> float:
    """What F(w) - F(w*) is at most after so many steps from 0."""
    p, aim, t = problem.parameters, best(problem).w, steps_made(state)
    if not t or p.eta > 1:
        return np.nan
    away = float(aim @ aim) / eta_of(problem)
    return 2 * away / (t + 1) ** 2 if p.accelerated else away / (2 * t)


def steps_made(state: LassoIstaState) -> int:
    """How many steps are done; in the middle of one it is not."""
    return state.iteration - (state.phase == "gradient")


def unsettled(problem: Problem, state: LassoIstaState) -> float:
    """How many coefficients are 0 and should not be, or should be and are not, or have the wrong sign."""
    return float(np.count_nonzero(np.sign(state.w) != np.sign(best(problem).w)))


def plain(problem: Problem, state: LassoIstaState) -> bool | str:
    return not problem.parameters.accelerated or "it is accelerated: F may rise, and w run past w*"


def short(problem: Problem, state: LassoIstaState) -> bool | str:
    eta = problem.parameters.eta
    return eta <= 1 or f"η is {eta:g} times 1/L"


def not_long(problem: Problem, state: LassoIstaState) -> bool | str:
    eta = problem.parameters.eta
    return eta <= 2 or f"η is {eta:g} times 1/L, above 2/L: along the steepest direction it overshoots ever farther"


def orthogonal(problem: Problem, state: LassoIstaState) -> bool | str:
    of = f_of(problem).of
    off = float(np.abs(of.gram - of.L * np.eye(len(of.gram))).max())
    return of.L > 0 and off <= _ORTHOGONAL * of.L or "the columns are not orthogonal and of one length"


def size_of_step(problem: Problem, w: Array) -> Array:
    """(d,) the largest numbers that are added on the way to w + ηXᵀ(y - Xw)."""
    return np.abs(w) + eta_of(problem) * f_of(problem).sizes(w)


def accelerates(problem: Problem, state: LassoIstaState) -> bool | str:
    return problem.parameters.accelerated or "it is not accelerated: z is w"


def gap_closed(problem: Problem, state: LassoIstaState) -> bool | Sides:
    f = f_of(problem)
    room = problem.parameters.tolerance * f.of.total / 2
    return state.phase != "gradient" and Sides(("gap", f.known_gap(state.w)), ("tolerance ½‖y‖²", room))


def diverges(problem: Problem, state: LassoIstaState) -> bool | Sides:
    f = f_of(problem)
    far = _DIVERGED * f.of.total / 2
    return state.phase != "gradient" and Sides((f"{_DIVERGED:g} ½‖y‖²", far), ("F", f.value(state.w)), relation="<")


def settles(before: LassoIstaState | None, after: LassoIstaState) -> bool:
    return before is not None and after.phase == "shrink" and ((before.w == 0) != (after.w == 0)).any()


@once
def seen(problem: Problem) -> Pair | None:
    """The two coefficients that are looked at."""
    return pair(f_of(problem), best(problem))


def pulled(state: LassoIstaState, w: Array) -> LassoIstaState:
    """The state with other coefficients, dragged there."""
    return state.replaced(w=w, z=w, u=w, k=1.0)


def scene(problem: Problem, before: LassoIstaState | None, after: LassoIstaState) -> Scene:
    data, f, aim = problem.data, f_of(problem), best(problem)
    earlier = before.w if before is not None and after.phase == "shrink" else None
    threshold = eta_of(problem) * f.lam
    reach = max(eta_of(problem) * f.greatest, float(np.abs(aim.w).max()) + threshold) or 1.0
    return Scene(
        (
            shrinkage_panel(after.u, threshold, after.phase != "gradient", data.features, reach),
            sparse_bars(data.features, after.w, reach),
            picture(data, f, aim, seen(problem), after.w, earlier, pulled),
            threshold_panel(after.u, threshold, after.phase != "gradient", reach),
            correlations_panel(f, after.w, f.correlations(after.w), -1),
            coefficient_table(data, f, aim, after.w, f.correlations(after.w)),
            so_far(f, aim, after.w, gap(problem, after), error(problem, after)),
        )
    )


def explain_start(problem: Problem, before: LassoIstaState | None, after: LassoIstaState) -> str:
    f, eta = f_of(problem), eta_of(problem)
    where = "w = 0" if not after.w.any() else "this w"
    return (
        f"F = {f.value(after.w):.4g} at {where}. λ = {f.lam:.4g} is {problem.parameters.ratio:g} λmax, and at λmax w "
        f"stays 0; each coefficient will be shrunk by ηλ = {eta * f.lam:.3g} a step, as η = eta/L = {eta:.3g}; "
        f"L = {f.of.L:.4g} is the greatest eigenvalue of XᵀX."
    )


def explain_gradient(problem: Problem, before: LassoIstaState | None, after: LassoIstaState) -> str:
    q, data, eta = f_of(problem).correlations(after.z), problem.data, eta_of(problem)
    j = int(np.abs(q).argmax())
    where = "Beyond w, where it was heading" if (after.z != after.w).any() else "At w"
    return (
        f"{where}, the gradient is steepest for {data.features[j]}: x·r = {q[j]:.4g} times η = eta/L = {eta:.3g} takes "
        f"it from {after.z[j]:.4g} to {after.u[j]:.4g}. {int((after.w == 0).sum())} of {data.d} coefficients are 0."
    )


def explain_shrink(problem: Problem, before: LassoIstaState | None, after: LassoIstaState) -> str:
    f, d = f_of(problem), problem.data.d
    zero, off = int((after.w == 0).sum()), int(unsettled(problem, after))
    over = excess(problem, after)
    least = f"{over:.3g} above the least" if over > _SEEN * f.of.total else "the least there is"
    left = f"F = {f.value(after.w):.5g} is {least}."
    signs = "1 sign or zero still differs" if off == 1 else f"{off} signs or zeros still differ"
    signs = f"{signs} from w*'s." if off else "All signs and zeros are those of w*."
    return f"Those within ηλ = {eta_of(problem) * f.lam:.3g} of 0 become 0: {zero} of {d}. {left} {signs}"


SYMBOLS = {
    "w, w*": ("coefficients; those where F is least", None),
    "z, u": ("where the gradient is taken, and what the step makes of it", None),
    "F": ("½‖r‖² + λΣ|wⱼ|", value),
    "λ": ("strength of the penalty", lambda problem, state: f_of(problem).lam),
    "η": ("step size, eta/L", lambda problem, state: eta_of(problem)),
    "L": ("greatest eigenvalue of XᵀX", lambda problem, state: f_of(problem).of.L),
    "S": ("the soft threshold: towards 0 by ηλ, to 0 what is nearer", None),
    "r, r*": ("residuals y - b - Xw; those of w*", None),
    "b": ("the intercept ȳ - x̄·w, which is not penalised", None),
    "k": ("(k - 1)/k' of the last move is made again", lambda problem, state: state.k),
    "t": ("steps done", lambda problem, state: steps_made(state)),
    "Z": ("the j with w*_j = 0 but w'ⱼ not 0", None),
    "ŵ": ("the coefficients of least squares", None),
    "X, x, y": ("the columns, one of them, and the targets, each less its mean", None),
    "I": ("the identity matrix", None),
}
PLAIN = {"it is not accelerated": plain, "η <= 2/L": not_long}
PROXIMAL = "of all v, w' has the least λΣ|vⱼ| + ‖v - u‖²/(2η): of each vⱼ it is S(uⱼ, ηλ)"
ACCELERATED = {"it is accelerated": accelerates}


@theorem(
    "η <= 1/L: F(w) - F(w*) <= ‖w*‖²/(2ηt)",
    source="Beck and Teboulle (2009)",
    about="run",
    phases=("shrink",),
    hypotheses={"η <= 1/L": short},
    proof=(
        "F = ½‖r‖² + λΣ|wⱼ|: each part is convex, and the step is the proximal one of Σ|wⱼ|",
        "so 2η(F(w') - F(w*)) <= ‖w - w*‖² - ‖w' - w*‖² at each step with η <= 1/L",
        "summed over t steps from 0, and F never rises: 2ηt(F(w) - F(w*)) <= ‖w*‖²",
        "accelerated: the same at z, times k², and k'² - k' = k²; k >= (t + 1)/2",
    ),
)
def rate_kept(problem: Problem, before: LassoIstaState | None, after: LassoIstaState) -> Answer:
    if not steps_made(after):
        return None
    f = f_of(problem)
    name = "2‖w*‖²/(η(t + 1)²)" if problem.parameters.accelerated else "‖w*‖²/(2ηt)"
    least = best(problem)
    return Sides(("F(w) - F(w*)", excess(problem, after)), (name, rate(problem, after)), size=f.size(least.w))


@theorem(
    "u = z + ηXᵀ(y - Xz)",
    source="Daubechies, Defrise and De Mol (2004)",
    about="step",
    phases=("gradient",),
    proof=("that is the rule; the gradient of ½‖r‖² is -Xᵀr",),
)
def down_the_gradient(problem: Problem, before: LassoIstaState | None, after: LassoIstaState) -> Answer:
    of, eta = f_of(problem).of, eta_of(problem)
    aim = after.z + eta * (of.X.T @ (of.y - of.X @ after.z))
    size = size_of_step(problem, after.z)
    named = ("u", after.u), ("z + ηXᵀ(y - Xz)", aim)
    return Sides.each(*named, relation="==", size=size, entries=problem.data.features)


@theorem(
    "w' = S(u, ηλ)",
    source="Daubechies, Defrise and De Mol (2004)",
    about="step",
    phases=("shrink",),
    proof=(PROXIMAL,),
)
def shrunk(problem: Problem, before: LassoIstaState | None, after: LassoIstaState) -> Answer:
    threshold = eta_of(problem) * f_of(problem).lam
    aim = np.where(np.abs(after.u) <= threshold, 0.0, after.u - threshold * np.sign(after.u))
    named, size = (("w'", after.w), ("S(u, ηλ)", aim)), np.abs(after.u) + threshold
    return Sides.each(*named, relation="==", size=size, entries=problem.data.features)


@theorem(
    "F never rises: F(w') + (1/η - L/2)‖w' - w‖² <= F(w)",
    source="Beck and Teboulle (2009)",
    about="step",
    phases=("shrink",),
    hypotheses=PLAIN,
    proof=(
        "½‖r'‖² <= ½‖r‖² - Xᵀr·(w' - w) + ½L‖w' - w‖², for XᵀX <= L",
        f"{PROXIMAL}",
        "so (u - w')/η = Xᵀr - (w' - w)/η is a subgradient of λΣ|vⱼ| at w'",
        "λΣ|w'ⱼ| <= λΣ|wⱼ| + (Xᵀr - (w' - w)/η)·(w' - w); add both",
    ),
)
def never_rises(problem: Problem, before: LassoIstaState, after: LassoIstaState) -> Answer:
    f, eta, step = f_of(problem), eta_of(problem), after.w - before.w
    bent = (1 / eta - f.of.L / 2) * float(step @ step)
    size = f.size(before.w) + f.size(after.w) + float(step @ step) / eta
    left = ("F(w') + (1/η - L/2)‖w' - w‖²", f.value(after.w) + bent)
    return Sides(left, ("F(w)", f.value(before.w)), size=size)


@theorem(
    "‖w' - w*‖² + η²Σ_Z(λ - |xⱼ·r*|)² <= ‖w - w*‖²",
    source="Hale, Yin and Zhang (2008)",
    about="step",
    phases=("shrink",),
    hypotheses=PLAIN,
    proof=(
        "w* = S(u*, ηλ) with u* = w* + ηXᵀr*, and ‖u - u*‖ <= ‖w - w*‖ for η <= 2/L",
        "for all numbers a, b: |S(a) - S(b)| <= |a - b|; where b is within ηλ and a is not,",
        "|a - b|² >= |S(a)|² + (ηλ - |b|)², and u*_j = ηxⱼ·r* where w*_j = 0",
        "so j is in Z finitely often, if |xⱼ·r*| < λ: then the zeros are settled",
    ),
)
def nearer(problem: Problem, before: LassoIstaState, after: LassoIstaState) -> Answer:
    f, eta, aim = f_of(problem), eta_of(problem), best(problem)
    wrongly = (aim.w == 0) & (after.w != 0)
    room = np.maximum(f.lam - np.abs(aim.correlations), 0.0)[wrongly]
    was, now = before.w - aim.w, after.w - aim.w
    left = float(now @ now) + eta**2 * float(room @ room)
    # w* is known as far as its own gradient is 0 but for rounding, and a step adds as much again
    lost = 1e-12 * float(np.linalg.norm(size_of_step(problem, aim.w)) + np.linalg.norm(size_of_step(problem, before.w)))
    slack = lost * (float(np.linalg.norm(was)) + lost)
    return Sides(("‖w' - w*‖² + η²Σ_Z(λ - |xⱼ·r*|)²", left), ("‖w - w*‖²", float(was @ was)), slack=slack)


@theorem(
    "XᵀX = L I: w' = S(ŵ, λ/L) = w*, in one step 1/L",
    source="Tibshirani (1996)",
    about="step",
    phases=("shrink",),
    hypotheses={"XᵀX = L I": orthogonal},
    proof=("ŵ = Xᵀy/L, and z + Xᵀ(y - Xz)/L = z + ŵ - z = ŵ",),
)
def by_one_threshold(problem: Problem, before: LassoIstaState | None, after: LassoIstaState) -> Answer:
    if problem.parameters.eta != 1:
        return DoesNotApply(f"η is {problem.parameters.eta:g} times 1/L")
    of, f = f_of(problem).of, f_of(problem)
    aim = soft(of.moments / of.L, f.lam / of.L)
    size = size_of_step(problem, after.z) + _ORTHOGONAL * np.abs(after.z)
    named = ("w'", after.w), ("S(ŵ, λ/L)", aim)
    return Sides.each(*named, relation="==", size=size, entries=problem.data.features)


@theorem(
    "accelerated: k'² - k' = k²",
    source="Nesterov (1983); Beck and Teboulle (2009)",
    about="step",
    phases=("shrink",),
    hypotheses=ACCELERATED,
    proof=("k' = ½ (1 + √(1 + 4k²)), of which k'² - k' is ¼ (1 + 4k²) - ¼ = k²",),
)
def follows_k(problem: Problem, before: LassoIstaState, after: LassoIstaState) -> Answer:
    return Sides(("k'² - k'", after.k**2 - after.k), ("k²", before.k**2), relation="==", size=after.k**2)


@theorem(
    "accelerated: z' = w' + (k - 1)/k' (w' - w)",
    source="Nesterov (1983); Beck and Teboulle (2009)",
    about="step",
    phases=("shrink",),
    hypotheses=ACCELERATED,
    proof=("with v = w + k (w' - w), what the bound of F is made of, z' is w' + (v - w')/k'",),
)
def heads_on(problem: Problem, before: LassoIstaState, after: LassoIstaState) -> Answer:
    aim = after.w + (before.k - 1) * (after.w - before.w) / after.k
    size = 2 * np.abs(after.w) + np.abs(before.w)
    named = ("z'", after.z), ("w' + (k - 1)/k' (w' - w)", aim)
    return Sides.each(*named, relation="==", size=size, entries=problem.data.features)


THEOREMS = (rate_kept, down_the_gradient, shrunk, never_rises, nearer, by_one_threshold, follows_k, heads_on)

ALGORITHM = Algorithm(
    lasso_ista,
    title="Lasso by proximal gradient (ISTA)",
    point="A step down the slope, then all shrink towards zero: the small ones stay there.",
    after=("lasso_coordinate_descent",),
    also=("ista", "proximal gradient"),
    leaves_open="Which features are 0 depends on λ, which nothing here chose.",
    tries=(("with momentum", "-p accelerated=true"), ("steps of a tenth", "-p eta=0.1")),
    asks=(
        Ask("Does a coefficient become 0, or leave it?", '"the zeros change"', "gradient"),
        Ask.way("After shrinking: what does the number in use do?", '"coefficients in use"', "gradient"),
    ),
    summary="Fits a linear function with a penalty on Σ|wⱼ|: a gradient step, then all are shrunk towards 0.",
    rule="u <- z + η Xᵀ(y - Xz)\nw <- S(u, ηλ)\nz <- w   (FISTA: w + (k - 1)/k' (w - w before))",
    # beyond, the squares of products overflow or vanish
    needs=Needs(target="number", most_features=2_000, within=(1e-70, 1e30)),
    phases={
        "start": "w = 0",
        "gradient": "down the gradient of ½‖r‖²",
        "shrink": "towards 0 by ηλ, to 0 what is nearer",
    },
    events=(Event("the zeros change", settles), "shrink"),
    fork_after=("start", "shrink"),
    curves=(
        Curve("excess", excess, "F(w) - F(w*)", chart="above the least", log=True, phases=("start", "shrink")),
        Curve("bound", rate, "by the theorem", "above the least", ("shrink",), log=True, about="run"),
        Curve("duality gap", gap, "F(w) - D(s r)", chart="above the least", log=True, phases=("start", "shrink")),
        Curve("objective", value, "F(w) = ½‖r‖² + λ Σ|wⱼ|"),
        Curve("coefficients in use", in_use, "how many are not 0", chart="support"),
        Curve("not as in w*", unsettled, "how many signs or zeros", chart="support"),
        Curve("error", error, "mean squared error", held_out=True),
    ),
    objective={("objective", "excess", "duality gap", "bound"): ("ratio",)},
    theorems=THEOREMS,
    ends={
        "the duality gap is …: F = … is …, with … at 0": gap_closed,
        "it diverges: F = …; eta is too large": diverges,
        "iteration … was the last: F = … is at most … above the least": reached(
            "steps", "iteration", "start", "shrink"
        ),
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={"start": explain_start, "gradient": explain_gradient, "shrink": explain_shrink},
    adapt=adapt,
    datasets=(
        sparse.with_(correlation=0.7),
        prostate.with_(scale=True, hold_out=0.25),
        diabetes.with_(scale=True),
        sparse.with_(d=2, relevant=1, correlation=0.9),
        line,
    ),
)
