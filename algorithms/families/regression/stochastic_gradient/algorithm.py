"""Stochastic gradient descent on least squares: a step down the slope of a few rows' loss, not of all.

    f(w) = 1/(2n) Σ (x_i·w - y_i)²,   f_t(w) = the same mean over the rows of batch t,

    g_t = ∇f_t(w_t),   w_{t+1} = w_t - η_t g_t,   ŵ_T = Σ η_t w_t / Σ η_t  over t < T,   w_0 = 0,

with η_t = η, η/√t or η/t for the t-th step, from 1; x has the constant 1 appended for the intercept. u is the
exact solution of the normal equations XᵀX u = Xᵀy, the shortest where there are many. L is the greatest
eigenvalue of the Hessian H = XᵀX/n of f as normalised here, and v its eigenvector.

Any w:       the mean of the rows' ∇fᵢ(w) is ∇f(w) = H(w - u): a row drawn at random is right on average.
Any batch:   f(w_{t+1}) <= f(w_t) - η_t g_t·∇f(w_t) + ½ L η_t² ‖g_t‖²   (f is quadratic and H <= L)
All rows:    then g_t = ∇f(w_t), so for η < 2/L the loss never rises. Past it v·(w - u), multiplied by
             1 - ηL at every step, grows without end, if the start has a part along v.
Every path:  Σ η_t (f_t(w_t) - f_t(u)) <= ½ ‖u - w_0‖² + ½ Σ η_t² ‖g_t‖².   For a constant step this is
             Σ (f_t(w_t) - f_t(u)) <= ‖u - w_0‖²/(2η) + (η/2) Σ ‖g_t‖². It asks nothing of how rows were drawn;
             drawn at random, its left side bounds Σ η_t (f(ŵ_T) - f(u)) in expectation.

A row used costs 2p multiplications, for x·w and for its part of the gradient, the normal equations np² + np + p³.

The mean ŵ weighs each w by the step made from it; for a constant η it is the plain mean of Polyak and Ruppert.

References: Robbins and Monro (1951), A stochastic approximation method, Annals of Mathematical Statistics 22; Polyak
and Juditsky (1992), Acceleration of stochastic approximation by averaging, SIAM J. Control Optim. 30; Zinkevich (2003),
Online convex programming and generalized infinitesimal gradient ascent, ICML; Nesterov (2004), Introductory Lectures on
Convex Optimization, section 1.2; Polyak (1987), Introduction to Optimization.
"""

from collections.abc import Mapping
from math import sqrt
from typing import Annotated, Literal, TypeAlias

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    DoesNotApply,
    Expectation,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Words,
    columns,
    once,
    theorem,
)
from algorithms.data import davis, diabetes, line, prostate
from algorithms.families.regression.stochastic_gradient.pictures import (
    AVERAGE,
    LAST,
    Window,
    fit_panel,
    parabola_panel,
    path_panel,
    window,
)
from algorithms.toolbox.ends import last_pass
from algorithms.toolbox.least_squares import Bowl, bowl, half_mean_square, loss_and_move
from algorithms.toolbox.orders import Order, epoch_order, used_in_epoch

Steps = Literal["constant", "1/sqrt(t)", "1/t"]
Rows: TypeAlias = int | slice | Array

_DIVERGED = 1e12  # times the loss of w = 0: far enough to see, and nothing overflows


class StochasticGradientState(State, frozen=True, kw_only=True):
    w: Array  # (p,) the last weights, the intercept last of them
    weighed: Array  # (p,) Σ η_t w_t over the steps made
    used: int = 0  # rows of this epoch used so far
    length: float = 0.0  # Σ η_t
    regret: float = 0.0  # Σ η_t (f_t(w_t) - f_t(u))
    squares: float = 0.0  # Σ η_t² ‖g_t‖²
    multiplications: int = 0  # 2 p a row used: for x·w, and for its part of the gradient

    @property
    def average(self) -> Array:
        """(p,) ŵ, the mean of the weights before it, each weighed by the step made from it."""
        return self.weighed / self.length if self.length else self.w


def stochastic_gradient(
    data: Dataset,
    state: StochasticGradientState | None = None,
    *,
    eta: Annotated[float, Meta(ge=1e-6, le=100, description="step size η")] = 0.1,
    steps: Annotated[Steps, Meta(description="η at every step, or shrinking")] = "constant",
    batch: Annotated[int, Meta(ge=1, le=1_000_000, description="rows a step; from n on, all of them")] = 1,
    order: Annotated[Order, Meta(description="rows in turn, shuffled each epoch, or drawn anew each")] = "replacement",
    intercept: Annotated[bool, Meta(description="append the constant 1 to the features")] = True,
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="passes: an epoch uses as many rows as there are")] = 20,
    seed: Annotated[Seed, Meta(description="of the rows drawn")] = 0,
) -> Run[StochasticGradientState]:
    f = data.once(bowl, intercept)
    if state is None:
        state = StochasticGradientState(w=np.zeros(f.p), weighed=np.zeros(f.p))
        yield state
    n, too_high = data.n, _DIVERGED * half_mean_square(f.y)
    while True:
        epoch, used, rows = next_batch(state, n, batch, order, seed)
        if epoch > epochs:
            above, averaged = f.excess(state.w), f.excess(state.average)
            return (
                f"epoch {epochs:,} was the last: f is {above:.3g} above the least at w, {averaged:.3g} at the average"
            )
        X = f.X[rows]
        step = step_size(eta, steps, state.t + 1)
        loss, move = loss_and_move(X, f.y[rows], state.w, step)
        if not loss <= too_high:
            return f"it diverges: the next rows' loss is {loss:.3g}, far above all at w = 0; eta is too large"
        state = state.after(
            "step",
            iteration=epoch,
            used=used,
            w=state.w - move,
            weighed=state.weighed + step * state.w,
            length=state.length + step,
            regret=state.regret + step * (loss - half_mean_square(f.left[rows])),
            squares=state.squares + float(move.dot(move)),
            multiplications=state.multiplications + 2 * X.size,
        )
        yield state


def next_batch(state: StochasticGradientState, n: int, batch: int, order: Order, seed: int) -> tuple[int, int, Rows]:
    """Of the step after `state`: its epoch, how many rows of the epoch are used after it, and which it uses.

    They are given as what picks them out of an array; a single row as its number.
    """
    begins = state.iteration == 0 or state.used == n
    epoch, first = (state.iteration + 1, 0) if begins else (state.iteration, state.used)
    last = first + batch if first + batch < n else n
    if last - first == 1:
        return epoch, last, first if order == "cyclic" else epoch_order(n, order, seed, epoch).item(first)
    if order == "cyclic" or last - first == n:
        return epoch, last, slice(first, last)
    return epoch, last, epoch_order(n, order, seed, epoch)[first:last]


def adapt(before: Problem, after: Problem, state: StochasticGradientState, rows: Array) -> StochasticGradientState:
    """The weights stay; of the epoch, what was used of the rows that are still there."""
    return state.replaced(used=used_in_epoch(before, state.iteration, state.used, rows))


def step_size(eta: float, steps: Steps, t: int) -> float:
    """η_t of the t-th step, from 1."""
    if steps == "constant":
        return eta
    return eta / t if steps == "1/t" else eta / sqrt(t)


def objective(problem: Problem) -> Bowl:
    """f, with its exact solution and its curvatures."""
    return problem.data.once(bowl, problem.parameters.intercept)


def names_of(problem: Problem) -> tuple[str, ...]:
    """What the weights are called."""
    return (*problem.data.features, *(("intercept",) if problem.parameters.intercept else ()))


def rows_used(problem: Problem, before: StochasticGradientState) -> Array:
    """The numbers of the rows that the step after `before` used."""
    p, n = problem.parameters, problem.data.n
    return np.atleast_1d(np.arange(n)[next_batch(before, n, p.batch, p.order, p.seed)[2]])


def step_made(problem: Problem, after: StochasticGradientState) -> float:
    """η_t of the step that led here."""
    return step_size(problem.parameters.eta, problem.parameters.steps, after.t)


def gradient_used(problem: Problem, before: StochasticGradientState) -> Array:
    """(p,) g_t, the gradient at `before` of the loss of the rows that were next."""
    f, rows = objective(problem), rows_used(problem, before)
    return np.asarray((f.X[rows] @ before.w - f.y[rows]) @ f.X[rows] / len(rows))


def loss(problem: Problem, state: StochasticGradientState) -> float:
    return objective(problem).loss(state.w)


def loss_averaged(problem: Problem, state: StochasticGradientState) -> float:
    return objective(problem).loss(state.average)


def excess_last(problem: Problem, state: StochasticGradientState) -> float:
    return objective(problem).excess(state.w)


def excess_averaged(problem: Problem, state: StochasticGradientState) -> float:
    return objective(problem).excess(state.average)


def distance_last(problem: Problem, state: StochasticGradientState) -> float:
    return float(np.linalg.norm(state.w - objective(problem).exact))


def distance_averaged(problem: Problem, state: StochasticGradientState) -> float:
    return float(np.linalg.norm(state.average - objective(problem).exact))


def on_all_rows(problem: Problem, before: StochasticGradientState) -> DoesNotApply | None:
    """Why a statement about steps on all rows says nothing of the step after `before`; None if it does."""
    used, n = len(rows_used(problem, before)), problem.data.n
    return None if used == n else DoesNotApply(f"a step uses {used} of the {n} rows, not all")


def diverges(problem: Problem, state: StochasticGradientState) -> Sides:
    """The loss of the rows that come next is far above that of all at w = 0."""
    f, rows = objective(problem), rows_used(problem, state)
    far = _DIVERGED * half_mean_square(f.y)
    return Sides((f"{_DIVERGED:g} f(0)", far), ("their loss", half_mean_square(f.X[rows] @ state.w - f.y[rows])))


@once
def seen(problem: Problem) -> Window:
    return window(problem.data, objective(problem))


def scene(problem: Problem, before: StochasticGradientState | None, after: StochasticGradientState) -> Scene:
    f, w, average = objective(problem), after.w, after.average
    earlier = None if before is None else before.w
    used = None if before is None else rows_used(problem, before)
    fit = fit_panel(problem.data, f, w, average, used, earlier)
    path = parabola_panel(f, w, average) if f.p == 1 else path_panel(f, seen(problem), w, average, earlier)
    weights = {"": names_of(problem), "last": w, "averaged": average, "exact": f.exact}
    note = "of scaled features" if problem.data.scaled else ""
    return Scene((fit, path, columns("weights", weights, note), so_far(problem, after)))


def so_far(problem: Problem, state: StochasticGradientState) -> Panel:
    f, p = objective(problem), problem.parameters
    longest = float(np.vecdot(f.X, f.X).max())
    rows: dict[str, tuple[float, ...]] = {
        "f": (f.loss(state.w), f.loss(state.average), f.lowest),
        "f - f(u)": (f.excess(state.w), f.excess(state.average), 0.0),
        "‖w - u‖": (distance_last(problem, state), distance_averaged(problem, state), 0.0),
        "η of the next step": (step_size(p.eta, p.steps, state.t + 1), np.nan, np.nan),
        "2/L, all rows": (2 / f.L if f.L else np.nan, np.nan, np.nan),
        "2/max ‖x‖², one row": (2 / longest if longest else np.nan, np.nan, np.nan),
        "multiplications": (state.multiplications, np.nan, by_inverse(*f.X.shape)),
    }
    last, average, exact = zip(*rows.values())
    return columns("so far", {"": tuple(rows), "last": last, "averaged": average, "exact": exact})


def by_inverse(n: int, p: int) -> int:
    """How many multiplications the normal equations take: n p² for XᵀX, n p for Xᵀy, about p³ for the inverse."""
    return n * p**2 + n * p + p**3


def explain(problem: Problem, before: StochasticGradientState | None, after: StochasticGradientState) -> str:
    data, f = problem.data, objective(problem)
    above = f"f is {f.loss(after.w):.4g}, {f.excess(after.w):.3g} above the least possible."
    if before is None:
        return f"{'Now' if after.w.any() else 'w = 0:'} {above}"
    rows = rows_used(problem, before)
    off = f.X[rows] @ before.w - f.y[rows]
    if len(rows) == 1:
        i = int(rows[0])
        made = f"{data.who(i)} has {data.target} {f.y[i]:.4g}, predicted {f.y[i] + off[0]:.4g}."
    else:
        some = ", ".join(map(str, rows[:3].tolist()))
        which = f"All {data.n} rows" if len(rows) == data.n else f"{len(rows)} rows ({some}, ...)"
        made = f"{which} were off by {np.sqrt(off @ off / len(off)):.4g} in root mean square."
    step, moved = step_made(problem, after), float(np.linalg.norm(after.w - before.w))
    both = f"{above[:-1]}; the average of all w is {f.excess(after.average):.3g} above it."
    return Words.of(f"{made} η = {step:.3g} times the gradient moves w by {moved:.3g}.", f"Now {both}")


def along_the_gradient(problem: Problem, state: StochasticGradientState) -> float:
    """g·∇f at w = 0, for the first step's gradient g."""
    start = np.zeros_like(state.w)
    return float((start - state.w) @ objective(problem).gradient(start)) / step_made(problem, state)


def whole_gradient(problem: Problem, values: Mapping[str, Array]) -> float:
    """‖∇f(0)‖²."""
    f = objective(problem)
    gradient = f.gradient(np.zeros(f.p))
    return float(gradient @ gradient)


SYMBOLS = {
    "w": ("weights, the intercept last", None),
    "ŵ": ("mean of the w so far, each weighed by its step", None),
    "u": ("the exact solution, the shortest where there are many", None),
    "f, fₜ": ("half the mean squared error: of all rows, of those of step t", None),
    "g, gₜ": ("the gradient of fₜ at w", None),
    "η": ("the size of the step just made", lambda problem, state: step_made(problem, state) if state.t else None),
    "fᵢ, H": ("half the squared error of row i; XᵀX/n, by which ∇f changes", None),
    "L": ("greatest eigenvalue of XᵀX/n, the curvature of f", lambda problem, state: objective(problem).L),
    "v": ("its eigenvector", None),
    "b": ("rows a step", lambda problem, state: min(problem.parameters.batch, problem.data.n)),
    "X, x, y": ("the rows, with the constant 1 where there is an intercept; one; its target", None),
}
SMOOTH = "f(w - η g) = f(w) - η g·∇f(w) + ½ η² g·Hg, for f is quadratic, and g·Hg <= L ‖g‖²"


@theorem(
    "Σ η(fₜ(wₜ) - fₜ(u)) <= ½‖u‖² + ½Σ η²‖gₜ‖²",
    source="Zinkevich (2003)",
    about="run",
    proof=(
        "‖w' - u‖² = ‖w - u‖² - 2 η g·(w - u) + η²‖g‖²",
        "fₜ(w) - fₜ(u) <= g·(w - u), for fₜ is convex",
        "so η(fₜ(w) - fₜ(u)) <= ½‖w - u‖² - ½‖w' - u‖² + ½η²‖g‖²",
        "summed over t the distances cancel, but for the first, ‖u‖², and the last, which is >= 0",
    ),
)
def regret_bound(problem: Problem, before: StochasticGradientState | None, after: StochasticGradientState) -> Answer:
    u = objective(problem).exact
    return Sides(("Σ η(fₜ - fₜ(u))", after.regret), ("½‖u‖² + ½Σ η²‖gₜ‖²", float(u @ u) / 2 + after.squares / 2))


@theorem(
    "w' = w - η g of the rows that were next",
    source="Robbins and Monro (1951)",
    about="step",
    proof=("that is the rule; g is worked out anew from the rows that the order names",),
)
def down_the_gradient(problem: Problem, before: StochasticGradientState, after: StochasticGradientState) -> Answer:
    f, step, rows = objective(problem), step_made(problem, after), rows_used(problem, before)
    move = step * gradient_used(problem, before)
    X = np.abs(f.X[rows])
    added = step * (X @ np.abs(before.w) + np.abs(f.y[rows])) @ X / len(rows)  # what is summed on the way to g
    sides, size = (("w'", after.w), ("w - η g", before.w - move)), np.maximum(np.abs(before.w), added)
    return Sides.each(*sides, relation="==", size=size, entries=names_of(problem))


@theorem(
    "ŵ is the mean of the w, each weighed by its η",
    source="Polyak and Juditsky (1992), for a constant η",
    about="step",
    proof=("ŵ' Σ'η = Σ'ηw = Σηw + η w, with the w that the step was made from",),
)
def averaged(problem: Problem, before: StochasticGradientState, after: StochasticGradientState) -> Answer:
    mean = (before.weighed + step_made(problem, after) * before.w) / after.length
    size = (np.abs(before.weighed).max() + np.abs(before.w).max() * step_made(problem, after)) / after.length
    sides = ("ŵ'", after.average), ("(Σηw + η w)/Ση", mean)
    return Sides.each(*sides, relation="==", size=float(size), entries=names_of(problem))


@theorem(
    "the mean of the rows' ∇fᵢ is ∇f = H(w - u)",
    source="Robbins and Monro (1951)",
    proof=(
        "f is the mean of the fᵢ: a row drawn at random is right on average",
        "for all n rows: ∇f(w) = Xᵀ(Xw - y)/n, and Xᵀy = XᵀX u: H(w - u) with H = XᵀX/n",
    ),
)
def right_on_average(
    problem: Problem, before: StochasticGradientState | None, after: StochasticGradientState
) -> Answer:
    f = objective(problem)
    mean, away = f.row_gradients(after.w).mean(axis=0), f.axes @ (after.w - f.exact)
    # u and the eigenvectors are exact in norm, not entry by entry
    size = f.L * float(np.linalg.norm(after.w) + np.linalg.norm(f.exact)) + sqrt(f.L) * f.scale
    sides = ("mean ∇fᵢ", mean), ("H(w - u)", (f.curvatures * away) @ f.axes)
    return Sides.each(*sides, relation="==", size=size, entries=names_of(problem))


@theorem(
    "f(w') <= f(w) - η g·∇f(w) + ½Lη²‖g‖²",
    source="Nesterov (2004)",
    about="step",
    proof=(SMOOTH,),
)
def descent(problem: Problem, before: StochasticGradientState, after: StochasticGradientState) -> Answer:
    f, step, g = objective(problem), step_made(problem, after), gradient_used(problem, before)
    was, falls, bends = f.loss(before.w), step * float(g @ f.gradient(before.w)), f.L * step**2 * float(g @ g) / 2
    size = f.size(before.w) + was + abs(falls) + bends
    return Sides(("f(w')", f.loss(after.w)), ("f(w) - η g·∇f + ½Lη²‖g‖²", was - falls + bends), size=size)


@theorem(
    "all rows, η < 2/L: the loss never rises",
    source="Nesterov (2004)",
    about="step",
    proof=(SMOOTH, "with g = ∇f(w): f(w') <= f(w) - η(1 - ½ηL)‖∇f(w)‖²"),
)
def never_rises(problem: Problem, before: StochasticGradientState, after: StochasticGradientState) -> Answer:
    f, step = objective(problem), step_made(problem, after)
    if step * f.L >= 2:
        return on_all_rows(problem, before) or DoesNotApply(
            f"η = {step:.3g} is not below 2/L = {2 / f.L:.3g}: along v the error is multiplied by {1 - step * f.L:.3g}"
        )
    sides = Sides(("f(w')", f.loss(after.w)), ("f(w)", f.loss(before.w)), size=f.size(before.w))
    return on_all_rows(problem, before) or sides


@theorem(
    "all rows: along v the error times 1 - ηL",
    source="Polyak (1987)",
    about="step",
    proof=("w' - u = (w - u) - η H(w - u), and vᵀH = L vᵀ",),
)
def along_v(problem: Problem, before: StochasticGradientState, after: StochasticGradientState) -> Answer:
    f, step = objective(problem), step_made(problem, after)
    v, factor = f.axes[0], 1 - step * f.L
    was, now = float(v @ (before.w - f.exact)), float(v @ (after.w - f.exact))
    # v and u are exact to rounding only, and that counts in proportion to the weights and to what a step can add
    sizes = (1 + step * f.L) * (np.linalg.norm(before.w) + np.linalg.norm(f.exact)) + step * sqrt(f.L) * f.scale
    sides = Sides(("v·(w' - u)", now), ("(1 - ηL) v·(w - u)", factor * was), relation="==", slack=1e-11 * float(sizes))
    return on_all_rows(problem, before) or sides


@theorem(
    "Σ η(fₜ(wₜ) - fₜ(u)) and Σ η²‖gₜ‖² grow by this step's",
    source="Zinkevich (2003)",
    about="step",
    proof=("that is what they sum; fₜ and g are worked out anew from the rows that the order names",),
)
def summed(problem: Problem, before: StochasticGradientState, after: StochasticGradientState) -> Answer:
    f, rows, step = objective(problem), rows_used(problem, before), step_made(problem, after)
    X, g = f.X[rows], gradient_used(problem, before)
    costs = half_mean_square(X @ before.w - f.y[rows]) - half_mean_square(f.left[rows])
    anew = before.regret + step * costs, before.squares + step**2 * float(g @ g)
    reach = np.abs(X) @ np.abs(before.w) + np.abs(f.y[rows]) + np.abs(f.left[rows])
    steepest = np.mean(np.abs(X) * reach[:, None], axis=0)
    sizes = abs(before.regret) + step * half_mean_square(reach), before.squares + step**2 * float(steepest @ steepest)
    sides = ("as kept", np.array([after.regret, after.squares])), ("with this step's", np.array(anew))
    return Sides.each(*sides, relation="==", size=np.array(sizes), entries=("Σ η(fₜ - fₜ(u))", "Σ η²‖gₜ‖²"))


THEOREMS = (regret_bound, down_the_gradient, averaged, right_on_average, descent, never_rises, along_v, summed)

EXPECTATIONS = (
    Expectation(
        "E[g·∇f(w)] = ‖∇f(w)‖²: a drawn row's gradient is that of f on average (at w = 0)",
        along_the_gradient,
        whole_gradient,
        names=("mean g·∇f(0)", "‖∇f(0)‖²"),
        source="Robbins and Monro (1951)",
        fixed={"order": "replacement"},
        until=1,
        proof=("each row is drawn with chance 1/n, and f is the mean of the f_i: E[∇f_i] = (1/n) Σ ∇f_i = ∇f",),
    ),
)

ALGORITHM = Algorithm(
    stochastic_gradient,
    title="Stochastic gradient descent, least squares",
    point="The last weights jitter about the best ones; the mean of them all comes to rest.",
    after=("least_squares",),
    also=("sgd", "stochastic gradient descent"),
    leaves_open="With steps that never shrink the last weights never rest.",
    tries=(("η falls as 1/√t", "-p steps=1/sqrt(t)"), ("20 rows a step", "-p batch=20")),
    asks=(
        Ask.way("Down one row's gradient: what does the loss of all rows do?", '"training loss"'),
        Ask("Is the average of all w then lower than w itself?", '"excess of the average" < excess'),
    ),
    summary="Steps down the slope of the squared error of a few rows at a time, and averages the weights on the way.",
    rule="w <- w - η_t 1/b Σ (x_i·w - y_i) x_i   over b rows\nŵ <- mean of the w, each weighed by its η_t",
    # beyond, the squares of products overflow or vanish
    needs=Needs(target="number", most_features=1_000, within=(1e-70, 1e30)),
    phases={"start": "w = 0", "step": "against the gradient of the next rows' loss"},
    start_only=("intercept",),
    curves=(
        Curve("excess", excess_last, "f(w) - f(u)", chart="excess loss", log=True, tone=LAST),
        Curve("excess of the average", excess_averaged, "f(ŵ) - f(u)", chart="excess loss", log=True, tone=AVERAGE),
        Curve("loss", loss, "f(w) = 1/(2n) Σ (x·w - y)²", log=True, held_out=True, tone=LAST),
        Curve("loss of the average", loss_averaged, "f(ŵ)", chart="loss", log=True, tone=AVERAGE),
        Curve("spread of g", lambda p, s: objective(p).spread(s.w), "√mean ‖∇fᵢ - ∇f‖²", log=True),
        Curve("distance", distance_last, "‖w - u‖", chart="distance", log=True, tone=LAST),
        Curve("distance of the average", distance_averaged, "‖ŵ - u‖", chart="distance", log=True, tone=AVERAGE),
    ),
    objective={("loss", "loss of the average", "excess", "excess of the average"): ()},
    theorems=THEOREMS,
    expectations=EXPECTATIONS,
    ends={
        "epoch … was the last: f is … above the least at w, … at the average": last_pass(
            "epochs", lambda problem, state: state.used
        ),
        "it diverges: the next rows' loss is …": diverges,
    },
    symbols=SYMBOLS,
    only_for={"seed": ("order", "shuffled", "replacement")},
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(
        line,
        davis.with_(target="weight", columns=("height",), scale=True),
        diabetes.with_(scale=True),
        prostate.with_(scale=True),
    ),
)
