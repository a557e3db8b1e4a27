"""Kernel SVM by SMO: the widest soft margin, two multipliers at a time.

The soft margin with bias, f(x) = w·φ(x) + b, and its dual, in which φ is seen through k(x, z) = φ(x)·φ(z) alone:

    least     P(w, b) = ½‖w‖² + C Σ max(0, 1 - y f(x))
    greatest  W(α) = Σ α - ½ Σ α_i α_j y_i y_j k(x_i, x_j)    over 0 <= α <= C, Σ α y = 0;    w = Σ α y φ(x)

Let F = y - Σ α y k(x, ·): the b that would put a row right on its margin, y f = 1. α is best if and only if some b
has F <= b on all rows whose α y may rise and F >= b on all whose α y may fall, that is if m <= M, the greatest of
the former and the least of the latter. While m > M, the two rows move that gain most; η = ‖φ(x_i) - φ(x_j)‖²:

    i = argmax F, may rise;    j = argmax (F_i - F_j)²/η, may fall and F_j < F_i
    s = min((F_i - F_j)/η, what 0 <= α <= C leaves)
    α_i <- α_i + y_i s,   α_j <- α_j - y_j s          W rises by s (F_i - F_j) - ½ η s², and Σ α y stays 0

At any α, W(α) <= W* = P* <= P(w, b), and with b = (m + M)/2 no row is further than δ = (m - M)/2 from its case of
complementary slackness: y f >= 1 - δ where α = 0, |y f - 1| <= δ where 0 < α < C, y f <= 1 + δ where α = C. The run
ends when m - M <= tol. w is unique; α need not be; without a row at 0 < α < C every b in [m, M] does.

Rows with α = 0 may be taken out and w stays what it was: `prune` does so, and begins again from α' = 0. On the rows
that are left α is still one of the multipliers that are allowed, and ½‖w(α) - w*‖² <= W* - W(α) <= P' - W(α) for all
of them, P' at any w, b; so ‖w' - w‖² <= 4(P' - W(α)) + 4(P' - W(α')), which goes to 0.

A hard margin is C = ∞. If a unit w separates the rows with margin γ*, its y f >= γ*; times α >= 0 and summed,
γ* <= ‖Σ α y φ‖ / Σ α for any α of the dual. Where nothing separates, α grows for ever and that bound goes to 0; below
a stated length the run says so and ends.

References: Boser, Guyon and Vapnik (1992), A training algorithm for optimal margin classifiers, COLT (support
vectors); Cortes and Vapnik (1995), Support-vector networks, Machine Learning 20; Platt (1998), Fast training of
support vector machines using SMO; Keerthi, Shevade, Bhattacharyya and Murthy (2001), Improvements to Platt's SMO
algorithm, Neural Computation 13 (m and M); Fan, Chen and Lin (2005), Working set selection using second order
information, J. of Machine Learning Research 6 (the pair); Burges and Crisp (2000), Uniqueness of the SVM solution,
NIPS 12 (what is unique).
"""

from collections.abc import Callable
from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Curve,
    Dataset,
    Event,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Theorem,
    kept,
    numbers,
    once,
)
from algorithms.core.algorithm import Symbol
from algorithms.core.theorem import Hypothesis
from algorithms.data import blobs, breast_cancer, digits, iris, moons, penguins
from algorithms.families.svm.smo.pairs import PairSearch, moved, squared_distances
from algorithms.toolbox.duals import Solution, balanced, decision, outputs, solution, squared_distance
from algorithms.toolbox.kernels import (
    Constant,
    Degree,
    Gamma,
    Kernel,
    KernelChoice,
    kernel_in_use,
    kernel_of,
    kernel_size,
    unusable,
)
from algorithms.toolbox.kkt import (
    PairStep,
    dual_never_falls,
    followed,
    gain,
    gains_most,
    in_the_box,
    inside,
    on_the_margin,
    outside,
    same_w,
    to_the_top,
    weak_duality,
    widest,
    zero_sum,
)
from algorithms.toolbox.panels.gram import GramSample, gram, gram_sample
from algorithms.toolbox.panels.linear import weight_panels
from algorithms.toolbox.panels.support_vectors import facts, margin_stage, multipliers, support_vectors

_WATCHED = 2_000_000  # kernel values kept to compute f afresh from α


class SmoState(State, frozen=True, kw_only=True):
    alpha: Annotated[Array, Along("n")]  # the multipliers α
    F: Annotated[Array, Along("n")]  # y - Σ α y k(x, ·): the b with which a row would have y f = 1
    kept: Annotated[Array, Along("n")]  # bool, the rows in the problem: all of them until it is pruned
    i: int = -1  # the row whose α y was raised
    j: int = -1  # the row whose α y was lowered
    step: float = 0.0  # s, by how much
    total: float = 0.0  # Σ α, added up step by step
    largest: float = 0.0  # the largest Σ α since F was worked out from α: rounding in F is in proportion to it
    first_alpha: Annotated[Array | None, Along("n")] = None  # α of the run on all rows, once that is done and pruned
    first_F: Annotated[Array | None, Along("n")] = None  # and its F


def smo(
    data: Dataset,
    state: SmoState | None = None,
    *,
    kernel: KernelChoice = "rbf",
    margin: Annotated[
        Literal["soft", "hard"], Meta(description="rows may fall short of y f = 1 at price C, or not at all: C = ∞")
    ] = "soft",
    C: Annotated[float, Meta(ge=1e-6, le=1e6, description="price of falling short of y f = 1 by one")] = 1.0,
    gamma: Gamma = "automatic",
    degree: Degree = 3,
    constant: Constant = 1.0,
    tol: Annotated[float, Meta(ge=1e-12, le=1, description="m - M may be this large at the end")] = 1e-3,
    least_margin: Annotated[
        float, Meta(ge=1e-9, le=0.1, description="a hard margin below this share of φ's spread is none")
    ] = 1e-4,
    pairs: Annotated[int, Meta(ge=1, le=10_000_000, description="pairs before giving up")] = 100_000,
    prune: Annotated[bool, Meta(description="when done, take out the rows with α = 0 and run again")] = True,
) -> Run[SmoState]:
    y, box = data.signs, C if margin == "soft" else np.inf
    k = data.once(kernel_of, kernel, gamma, degree, constant)
    search = PairSearch(data, k, box)
    if state is None:
        state = SmoState(alpha=np.zeros(data.n), F=y, kept=np.ones(data.n, bool))
        yield state
    while True:
        i, j, gap = search.best(state.alpha, state.F, state.kept)
        if gap <= tol:
            if state.phase != "optimal":
                state = state.after("optimal", i=-1, j=-1, step=0.0)
                yield state
            if not prune or state.first_alpha is not None:
                return f"m - M = {gap:.2g}, within tol: complementary slackness holds"
            kept, nothing = state.alpha > 0, np.zeros(data.n)
            first = {"first_alpha": state.alpha, "first_F": state.F}
            state = state.after("prune", alpha=nothing, total=0.0, F=y, kept=kept, **first)
            yield state
            continue
        if margin == "hard":
            widest_margin = solution_of(data, k, state, box).widest
            if widest_margin <= least_margin * np.sqrt(k.squared_spread(data.X)):
                return f"the rows cannot be separated by more than ‖Σ α y φ‖/Σ α = {widest_margin:.2g}, and C = ∞"
        if state.iteration >= pairs:
            return f"{pairs:,} pair{'s' if pairs > 1 else ''}, and m - M is still {gap:.2g}"
        free = (state.F.item(i) - state.F.item(j)) / search.eta
        alpha, step = moved(state.alpha, y, i, j, free, box)
        F = search.followed(state.F, step)
        if step == free and search.stuck(state.F, F):
            return f"m - M = {gap:.2g}, and what is left to gain is lost in rounding"
        number, total = state.iteration + 1, state.total + step * (y.item(i) - y.item(j))
        largest = total if total > state.largest else state.largest
        made = {"iteration": number, "total": total, "largest": largest}
        if step == free:
            state = state.after("free", alpha=alpha, F=F, i=i, j=j, step=step, **made)
            yield state
        else:
            state = state.after("clipped", alpha=alpha, F=F, i=i, j=j, step=step, **made)
            yield state


def adapt(before: Problem, after: Problem, state: SmoState, rows: Array) -> SmoState:
    """Rows keep their α, as far as C lets them, and new ones have 0; the heavier class is scaled down to Σ α y = 0.

    F is worked out from these under the kernel that there is now, on all rows. Where W(α) < 0, as it may be to another
    kernel, α = 0 does better; without that, α that came from elsewhere might be larger by far than any the new problem
    asks for, and F would keep the rounding.
    """
    data, box, kernel = after.data, box_of(after), kernel_in_use(after)
    if data is before.data and box == box_of(before) and kernel == kernel_in_use(before):
        return state
    alpha = balanced(np.where(rows >= 0, state.alpha[rows], 0.0), data.signs, box)
    output = outputs(kernel, data.X, data.signs, alpha, data.X)
    if alpha.sum() < (alpha * data.signs) @ output / 2:
        alpha, output = np.zeros(data.n), np.zeros(data.n)
    total = float(alpha.sum())
    fresh = {"i": -1, "j": -1, "step": 0.0, "total": total, "largest": total, "first_alpha": None, "first_F": None}
    return replace(state, alpha=alpha, F=data.signs - output, kept=np.ones(data.n, bool), **fresh)


def box_of(problem: Problem) -> float:
    """C, infinite for a hard margin."""
    return float(problem.parameters.C) if problem.parameters.margin == "soft" else np.inf


def solution_of(data: Dataset, kernel: Kernel, state: SmoState, box: float) -> Solution:
    largest, size = state.largest, data.once(kernel_size, kernel)
    return solution(data.signs, state.alpha, state.F, state.kept, box, largest, size)


@kept
def solution_at(problem: Problem, state: SmoState) -> Solution:
    """Both problems at a state, on the rows that are kept."""
    return solution_of(problem.data, kernel_in_use(problem), state, box_of(problem))


@kept
def first_solution(problem: Problem, state: SmoState) -> Solution | None:
    """The solution on all rows, once that run is done and pruned."""
    if state.first_alpha is None:
        return None
    everyone = np.ones(problem.data.n, bool)
    return solution_at(problem, replace(state, alpha=state.first_alpha, F=state.first_F, kept=everyone))


def squared_change(problem: Problem, state: SmoState) -> float:
    """‖w' - w‖² from the w on all rows; 0 before pruning."""
    if state.first_alpha is None or state.first_F is None:
        return 0.0
    return squared_distance(problem.data.signs, state.alpha, state.F, state.first_alpha, state.first_F)


def f_of(problem: Problem, state: SmoState) -> Callable[[Array], Array]:
    """f: (m, d) -> (m,)."""
    data, bias = problem.data, solution_at(problem, state).bias
    return decision(kernel_in_use(problem), data.X, data.signs, state.alpha, bias)


@once
def watched(problem: Problem) -> tuple[Array, Array]:
    """Rows on which F is worked out afresh from α, all of them unless they are many; with their k to every row."""
    X, n = problem.data.X, problem.data.n
    m = min(n, max(_WATCHED // n, 2))
    rows = np.arange(m) * n // m
    return rows, kernel_in_use(problem)(X[rows], X)


@kept
def fresh_F(problem: Problem, state: SmoState) -> Array:
    """(n,) F worked out afresh from α on the watched rows; as it is kept on the others."""
    rows, values = watched(problem)
    fresh = state.F.copy()
    fresh[rows] = problem.data.signs[rows] - values @ (state.alpha * problem.data.signs)
    return fresh


@once
def sample(problem: Problem) -> GramSample:
    return gram_sample(problem.data, kernel_in_use(problem))


def error(problem: Problem, state: SmoState) -> float:
    """The share of the problem's rows on the wrong side; of rows held out, by the rows trained on."""
    training = problem.training
    if problem is training:
        return float((solution_at(problem, state).margins <= 0).mean())
    return float((problem.data.signs * f_of(training, state)(problem.data.X) <= 0).mean())


def primal(problem: Problem, state: SmoState) -> float:
    """Not drawn where it is infinite: a hard margin before f separates the rows."""
    value = solution_at(problem, state).primal
    return value if np.isfinite(value) else np.nan


def duality_gap(problem: Problem, state: SmoState) -> float:
    return positive(primal(problem, state) - solution_at(problem, state).dual)


def finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def positive(value: float) -> float:
    """For a logarithmic axis, on which 0 has no place."""
    return value if value > 0 else np.nan


def at_zero(problem: Problem, state: SmoState) -> Array:
    return np.asarray(state.kept & (state.alpha == 0))


def between(problem: Problem, state: SmoState) -> Array:
    return np.asarray((state.alpha > 0) & (state.alpha < box_of(problem)))


def at_C(problem: Problem, state: SmoState) -> Array:
    return np.asarray(state.alpha == box_of(problem))


def nearest(problem: Problem, state: SmoState) -> float:
    now = solution_at(problem, state)
    return float(now.margins[state.kept].min()) / now.norm if now.norm else np.nan


def reach(problem: Problem, state: SmoState) -> float:
    now = solution_at(problem, state)
    return now.reach if now.norm else np.nan


def joined(before: SmoState | None, after: SmoState) -> int:
    """By how many support vectors a pair made more; 0 where no pair was moved."""
    if before is None or after.i < 0:
        return 0
    return int((after.alpha > 0).sum()) - int((before.alpha > 0).sum())


def eta_of(problem: Problem, i: int, j: int) -> float:
    """η = ‖φ(x_i) - φ(x_j)‖²."""
    two, kernel = problem.data.X[[i, j]], kernel_in_use(problem)
    return float(kernel.squares(two).sum() - 2 * kernel(two[:1], two[1:])[0, 0])


def pair_of(problem: Problem, before: SmoState, after: SmoState) -> PairStep:
    """The step of a pair, from the state before and the α after."""
    distances, _ = problem.data.once(squared_distances, kernel_in_use(problem))
    solutions = solution_at(problem, before), solution_at(problem, after)
    rows = problem.data.signs, before.kept, before.alpha, after.alpha, before.F
    return PairStep(after.i, after.j, *rows, box_of(problem), distances, *solutions)


def fresh_margins(problem: Problem, state: SmoState) -> Array:
    """(n,) y f, worked out afresh."""
    return np.asarray(1 - problem.data.signs * (fresh_F(problem, state) - solution_at(problem, state).bias))


def not_refuted(problem: Problem, before: SmoState | None, after: SmoState) -> Answer:
    now = sample(problem)
    return Sides(("0", 0.0), ("least eigenvalue", now.least), slack=now.lost)  # rounding of a whole matrix


def some_row(words: str, which: Callable[[Problem, SmoState], Array]) -> dict[str, Hypothesis]:
    return {f"some row has {words}": lambda problem, state: bool(which(problem, state).any()) or f"no row has {words}"}


def finite_primal(problem: Problem, state: SmoState) -> bool | str:
    separated = bool(np.isfinite(solution_at(problem, state).primal))
    return separated or "C = ∞, and P is infinite until f separates the rows"


def some_w(problem: Problem, state: SmoState) -> bool | str:
    now = solution_at(problem, state)
    return now.squared_norm > 1e3 * now.lost or "w = 0"


def pruned(problem: Problem, state: SmoState) -> bool | str:
    return state.first_alpha is not None or "no rows were taken out"


def validate(problem: Problem) -> str | None:
    there = np.bincount(np.asarray(problem.data.y), minlength=2)
    if not there.all():
        missing = problem.data.classes[int(there.argmin())]
        return f"no row of {problem.data.name} is {missing}: a margin lies between two classes."
    return unusable(kernel_in_use(problem), problem.data)


def scene(problem: Problem, before: SmoState | None, after: SmoState) -> Scene:
    data, alpha, box, kernel = problem.data, after.alpha, box_of(problem), kernel_in_use(problem)
    now, pair = solution_at(problem, after), (after.i, after.j) if after.i >= 0 else ()
    was = None if before is None else linear_weights(problem, before)
    weights = weight_panels(data, linear_weights(problem, after), True, was) if kernel.name == "linear" else ()
    return Scene(
        (
            margin_stage(data, f_of(problem, after), alpha, box, now.margins, pair),
            multipliers(data.signs, alpha, box, pair),
            *weights,
            gram(sample(problem), signed=kernel.name != "rbf"),
            support_vectors(data, alpha, box, now.margins, pair),
            numbers({**facts(now, alpha, box, after.kept), **more_facts(problem, after)}),
        )
    )


def linear_weights(problem: Problem, state: SmoState) -> Array:
    """(d + 1,) w and b, where w is one of the rows' space."""
    return np.append((state.alpha * problem.data.signs) @ problem.data.X, solution_at(problem, state).bias)


def more_facts(problem: Problem, state: SmoState) -> dict[str, float | int]:
    """γ; and how far from the w on all rows it is, once the run is pruned."""
    gamma, first = kernel_in_use(problem).gamma, first_solution(problem, state)
    if first is None:
        return {"γ of the kernel": gamma}
    return {
        "γ of the kernel": gamma,
        "rows taken out": int((~state.kept).sum()),
        "‖w‖ of all rows": first.norm,
        "‖w' - w‖ now": float(np.sqrt(squared_change(problem, state))),
        "‖α' - α‖ now": float(np.linalg.norm(state.alpha - np.asarray(state.first_alpha))),
    }


def explain(problem: Problem, before: SmoState | None, after: SmoState) -> str:
    i, j = after.i, after.j
    if before is None and after.t:
        return changed_on_the_way(after)
    if before is None:
        no, yes = problem.data.classes
        return f"α = 0, so f = b. A row of {yes} would be on its margin with b = 1, a row of {no} with b = -1."
    if after.phase == "prune":
        out, left = int((~after.kept).sum()), int(after.kept.sum())
        gone = "1 has α = 0 and is" if out == 1 else f"{out or 'none'} have α = 0 and are"
        return f"Done with all rows: {gone} taken out. With the {left} that are left it begins again."
    if after.phase == "optimal":
        delta, carry = max(solution_at(problem, after).delta, 0.0), int((after.alpha > 0).sum())
        return (
            f"Every row is in its case of complementary slackness to within δ = (m - M)/2 = {delta:.2g}. "
            f"{carry} of {int(after.kept.sum())} rows have α > 0 and carry w."
        )
    asked = (
        f"Row {i} ({problem.data.row(i)}) asks for b >= {before.F[i]:.3g}, "
        f"row {j} ({problem.data.row(j)}) for b <= {before.F[j]:.3g}: both cannot be."
    )
    changes = " and ".join(f"{before.alpha[r]:.3g} → {after.alpha[r]:.3g}" for r in (i, j))
    ends = [(r, "0" if after.alpha[r] == 0 else "C") for r in (i, j) if after.alpha[r] in (0, box_of(problem))]
    why = f"row {ends[0][0]} stops at {ends[0][1]}" if after.phase == "clipped" else "now both ask for the same b"
    gained = max(solution_at(problem, after).dual - solution_at(problem, before).dual, 0.0)
    return f"{asked} α goes {changes}; {why}. W rises by {gained:.3g}."


def changed_on_the_way(after: SmoState) -> str:
    """Where a fork begins."""
    i, j = after.i, after.j
    if i >= 0:
        return f"Rows {i} and {j} were moved: their α are now {after.alpha[i]:.3g} and {after.alpha[j]:.3g}."
    if not after.alpha.any():
        return "α = 0: of what there was nothing is left, or W(α) < 0 = W(0), so that none of it is worth keeping."
    return "Every row keeps its α as far as the change lets it; those of one class shrink until Σ α y = 0 again."


SYMBOLS: dict[str, Symbol] = {
    "α, C": ("a multiplier a row, and the most it may be; C here", lambda p, s: finite(box_of(p))),
    "F": ("y - Σ α y k(x, ·), the b with which a row would have y f = 1", None),
    "m": ("the greatest F of the rows whose α y may rise", lambda p, s: solution_at(p, s).up),
    "M": ("the least F of the rows whose α y may fall", lambda p, s: solution_at(p, s).low),
    "δ": ("(m - M)/2, how far a row may be from its case", lambda p, s: solution_at(p, s).delta),
    "s": ("by how much α_i y_i rises and α_j y_j falls", lambda p, s: s.step if s.i >= 0 else None),
    "η": ("‖φ(x_i) - φ(x_j)‖² of the pair", lambda p, s: eta_of(p, s.i, s.j) if s.i >= 0 else None),
    "φ, k": ("the features that the kernel stands for, k(x, z) = φ(x)·φ(z)", None),
    "γ": ("of the kernel", lambda p, s: kernel_in_use(p).gamma),
    "w, b": ("Σ α y φ(x), and (m + M)/2; ‖w‖ here", lambda p, s: solution_at(p, s).norm),
    "W": ("the dual, Σ α - ½‖w‖²", lambda p, s: solution_at(p, s).dual),
    "P": ("the primal, ½‖w‖² + C Σ max(0, 1 - y f)", lambda p, s: finite(solution_at(p, s).primal)),
    "α', w'": ("those after a step, or without the rows that were taken out", None),
}
MOVED = ("free", "clipped")
PARABOLA = "along the pair's line W has slope F_i - F_j and curvature -η: it is a parabola"
CASES = "F <= b + δ where α y may rise, F >= b - δ where it may fall; and y f = 1 - y (F - b)"
DISTANCE = "½‖w(α) - w*‖² <= W* - W(α) <= P' - W(α): W is quadratic, w* where it is greatest"
THEOREMS = (
    Theorem(
        "the dual never falls",
        lambda p, before, s: dual_never_falls(pair_of(p, before, s)),
        source="Platt (1998)",
        about="step",
        phases=MOVED,
        proof=(PARABOLA, "it rises up to s = (F_i - F_j)/η, and s is no more than that"),
    ),
    Theorem(
        "the dual is never above the primal",
        lambda problem, before, after: weak_duality(solution_at(problem, after)),
        source="Cortes and Vapnik (1995)",
        hypotheses={"P is finite": finite_primal},
        proof=(
            "Σ α y = 0, so ‖w‖² = Σ α y f, and with ξ = max(0, 1 - y f)",
            "P - W = C Σ ξ - Σ α (1 - y f) >= Σ (C - α) ξ >= 0",
        ),
    ),
    Theorem(
        "complementary slackness at the end: m - M <= tol",
        lambda p, before, s: Sides(("m - M", solution_at(p, s).gap), ("tol", p.parameters.tol)),
        source="Keerthi et al. (2001)",
        about="step",
        phases=("optimal",),
        proof=("some b suits all rows if and only if m <= M; the run ends when that is so within tol",),
    ),
    Theorem(
        "α = 0: y f >= 1 - δ, δ = (m - M)/2",
        lambda p, before, s: outside(fresh_margins(p, s), at_zero(p, s), solution_at(p, s)),
        source="Keerthi et al. (2001)",
        hypotheses=some_row("α = 0", at_zero),
        proof=(CASES,),
    ),
    Theorem(
        "0 < α < C: |y f - 1| <= δ",
        lambda p, before, s: on_the_margin(fresh_margins(p, s), between(p, s), solution_at(p, s)),
        source="Keerthi et al. (2001)",
        hypotheses=some_row("0 < α < C", between),
        proof=(CASES,),
    ),
    Theorem(
        "α = C: y f <= 1 + δ",
        lambda p, before, s: inside(fresh_margins(p, s), at_C(p, s), solution_at(p, s)),
        source="Keerthi et al. (2001)",
        hypotheses=some_row("α = C", at_C),
        proof=(CASES,),
    ),
    Theorem(
        "of the pairs with F_i = m, W would rise most by this one",
        lambda p, before, s: gains_most(pair_of(p, before, s)),
        source="Fan, Chen and Lin (2005)",
        about="step",
        phases=MOVED,
        proof=("that is the rule", "at s = (F_i - F_j)/η the parabola has risen by (F_i - F_j)²/(2η)"),
    ),
    Theorem(
        "it goes to the top of the pair's line, or to the end of the box",
        lambda p, before, s: to_the_top(pair_of(p, before, s)),
        source="Platt (1998)",
        about="step",
        phases=MOVED,
        proof=("that is the rule", "α y rises by s on one row and falls by s on the other, so Σ α y stays 0"),
    ),
    Theorem(
        "W rises by s(F_i - F_j) - ½ηs²",
        lambda p, before, s: gain(pair_of(p, before, s), eta_of(p, s.i, s.j)),
        source="Fan, Chen and Lin (2005)",
        about="step",
        phases=MOVED,
        proof=("α_i y_i + s: ∂W/∂s = F_i; α_j y_j - s: ∂W/∂s = -F_j", PARABOLA),
    ),
    Theorem(
        "F = y - Σ α y k(x, ·)",
        lambda p, before, s: followed(s.F, fresh_F(p, s), solution_at(p, s).size),
        source="Keerthi et al. (2001)",
        proof=("true at α = 0, where F = y", "a step changes α_i y_i by s and α_j y_j by -s: F by -s(k_i - k_j)"),
    ),
    Theorem(
        "Σ α y = 0",
        lambda problem, before, after: zero_sum(after.alpha, problem.data.signs, after.largest),
        source="Cortes and Vapnik (1995)",
        proof=("the Lagrangian has no least b otherwise", "a step adds s and takes s"),
    ),
    Theorem(
        "0 <= α <= C",
        lambda problem, before, after: in_the_box(after.alpha, box_of(problem)),
        source="Cortes and Vapnik (1995)",
        proof=("multipliers of y f >= 1 - ξ are not negative, nor are C - α, those of ξ >= 0",),
    ),
    Theorem(
        "no margin is wider than ‖Σ α y φ‖/Σ α",
        lambda p, before, s: widest(solution_at(p, s), solution_at(p, s).margins[s.kept]),
        source="Boser, Guyon and Vapnik (1992)",
        hypotheses={"w is not 0": some_w},
        proof=(
            "if y (u·φ + c) >= γ on all rows for a unit u: times α >= 0, summed, with Σ α y = 0",
            "u·w >= γ Σ α, and u·w <= ‖w‖ (Cauchy, Schwarz)",
        ),
    ),
    Theorem(
        "no eigenvalue of a Gram matrix is negative",
        not_refuted,
        source="Mercer (1909)",
        proof=("Σ Σ c_i c_j k(x_i, x_j) = ‖Σ c_i φ(x_i)‖² >= 0 for all c",),
    ),
    Theorem(
        "only support vectors matter: w' without the others is w",
        lambda p, before, s: same_w(squared_change(p, s), first_solution(p, s), solution_at(p, s)),
        source="Boser, Guyon and Vapnik (1992)",
        hypotheses={"rows were taken out": pruned, "P' is finite": finite_primal},
        proof=(
            "the rows taken out have α = 0: α is allowed without them, and W(α) is what it was",
            DISTANCE,
            "for α and for α'; and ‖w' - w‖² <= 2‖w' - w*‖² + 2‖w - w*‖²",
        ),
    ),
)

ALGORITHM = Algorithm(
    smo,
    title="Kernel SVM by SMO",
    summary="Finds the widest soft margin between two classes, with or without a kernel, two multipliers at a time.",
    rule="i: greatest F that may rise; j: greatest (F_i - F_j)²/η\n"
    "s = min((F_i - F_j)/η, what 0 <= α <= C leaves)\n"
    "α_i <- α_i + y_i s,   α_j <- α_j - y_j s\n"
    "F <- F - s (k(x_i, x) - k(x_j, x))",
    needs=Needs(target="class", classes=2),
    phases={
        "start": "α = 0",
        "free": "the pair goes to where W is highest on its line",
        "clipped": "the pair goes until one of them is at 0 or C",
        "optimal": "m - M is within tol: no pair has anything to gain",
        "prune": "done: rows with α = 0 are taken out, and α = 0 again",
    },
    events=(
        Event("a new support vector", lambda before, after: joined(before, after) > 0),
        Event("one fewer support vector", lambda before, after: joined(before, after) < 0),
        "optimal",
        "prune",
    ),
    curves=(
        Curve("dual", lambda p, s: solution_at(p, s).dual, "W(α)", chart="objective"),
        Curve("primal", primal, "P(w, b)", chart="objective"),
        Curve("gap", duality_gap, "P(w, b) - W(α)", log=True),
        Curve("violation", lambda p, s: positive(solution_at(p, s).gap), "m - M", log=True),
        Curve("on the margin", lambda p, s: between(p, s).sum(), "rows with 0 < α < C", chart="support vectors"),
        Curve("at C", lambda p, s: at_C(p, s).sum(), "rows with α = C", chart="support vectors"),
        Curve("error", error, "share of rows with y f <= 0", held_out=True),
        Curve("nearest row", nearest, "least y f/‖w‖", chart="hard margin"),
        Curve("widest possible", reach, "‖w‖/Σα", chart="hard margin"),
    ),
    theorems=THEOREMS,
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        moons,
        blobs.with_(n=60, margin=0.5),
        iris.with_(positive="versicolor"),
        penguins.with_(positive="Chinstrap", scale=True),
        breast_cancer.with_(scale=True),
        digits.with_(positive="3"),
    ),
)
