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

Where k cannot tell the two rows apart η is 0 but for rounding: the rule takes 2⁻⁵² of φ's squared spread for it, and W
has no top on their line, but rises to the end of the box, or without end where there is none.

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

from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Along,
    Array,
    Ask,
    Curve,
    Dataset,
    Event,
    Meta,
    Needs,
    Problem,
    Row,
    Run,
    Scene,
    Sides,
    State,
    kept,
    once,
    through,
)
from algorithms.core.algorithm import Symbol
from algorithms.data import blobs, breast_cancer, digits, iris, moons, penguins, square
from algorithms.families.svm.smo import pictures, words
from algorithms.families.svm.smo.multipliers import KernelRows, Multipliers
from algorithms.families.svm.smo.pairs import ENDLESS, PairSearch, moved
from algorithms.families.svm.smo.theorems import THEOREMS
from algorithms.toolbox.duals import Solution, balanced, may_fall, may_rise, outputs
from algorithms.toolbox.entries import of_rows
from algorithms.toolbox.kernels import (
    OF_KERNELS,
    Constant,
    Degree,
    Gamma,
    KernelChoice,
    kernel_in_use,
    kernel_of,
    kernel_setting,
    unusable,
)

_WATCHED = 2_000_000  # kernel values kept to compute f afresh from α


class SmoState(State, frozen=True, kw_only=True):
    alpha: Annotated[Array, Along("n")]  # the multipliers α
    F: Annotated[Array, Along("n")]  # y - Σ α y k(x, ·): the b with which a row would have y f = 1
    kept: Annotated[Array, Along("n")]  # bool, the rows in the problem: all of them until it is pruned
    i: Annotated[int, Row] = -1  # the row whose α y was raised
    j: Annotated[int, Row] = -1  # the row whose α y was lowered
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
                return f"the rows ask for b >= m and b <= M, and m - M = {gap:.2g} is at most tol = {tol:g}"
            kept, nothing = state.alpha > 0, np.zeros(data.n)
            first = {"first_alpha": state.alpha, "first_F": state.F}
            state = state.after("prune", alpha=nothing, total=0.0, F=y, kept=kept, **first)
            yield state
            continue
        if margin == "hard":
            widest_margin = KernelRows(data, k, box).solution(state.alpha, state.F, state.kept, state.largest).widest
            if widest_margin <= least_margin * np.sqrt(k.squared_spread(data.X)):
                return f"the rows cannot be separated by more than ‖Σ α y φ‖/Σ α = {widest_margin:.2g}, and C = ∞"
        if gap > ENDLESS:
            return f"m - M = {gap:.2g} grows without end: k tells the rows apart by rounding alone, and C = ∞"
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
    alpha = balanced(of_rows(state.alpha, rows), data.signs, box)
    output = outputs(kernel, data.X, data.signs, alpha, data.X)
    if alpha.sum() < (alpha * data.signs) @ output / 2:
        alpha, output = np.zeros(data.n), np.zeros(data.n)
    total = float(alpha.sum())
    fresh = {"i": -1, "j": -1, "step": 0.0, "total": total, "largest": total, "first_alpha": None, "first_F": None}
    return replace(state, alpha=alpha, F=data.signs - output, kept=np.ones(data.n, bool), **fresh)


def box_of(problem: Problem) -> float:
    """C, infinite for a hard margin."""
    return float(problem.parameters.C) if problem.parameters.margin == "soft" else np.inf


@once
def rows_of(problem: Problem) -> KernelRows:
    return KernelRows(problem.data, kernel_in_use(problem), box_of(problem))


@kept
def multipliers_of(problem: Problem, state: SmoState) -> Multipliers:
    """What a state holds, on the rows of a problem."""
    first = None if state.first_alpha is None or state.first_F is None else (state.first_alpha, state.first_F)
    pair = (state.i, state.j) if state.i >= 0 else ()
    held = (state.alpha, state.F, state.kept, pair, state.step, state.largest)
    return Multipliers(rows_of(problem), *held, first, state.phase)


def solution_at(problem: Problem, state: SmoState) -> Solution:
    """Both problems at a state, on the rows that are kept."""
    return multipliers_of(problem, state).solution


def error(problem: Problem, state: SmoState) -> float:
    """The share of the problem's rows on the wrong side; of rows held out, by the rows trained on."""
    training = problem.training
    if problem is training:
        return float((solution_at(problem, state).margins <= 0).mean())
    return float((problem.data.signs * multipliers_of(training, state).f(problem.data.X) <= 0).mean())


def wrong_held_out(problem: Problem, state: SmoState) -> tuple[int, int] | None:
    """How many rows held out are on the wrong side, and how many there are."""
    aside = problem.held_out
    return None if aside is None else (round(error(aside, state) * aside.data.n), aside.data.n)


def primal(problem: Problem, state: SmoState) -> float:
    """Not drawn where it is infinite: a hard margin before f separates the rows."""
    value = solution_at(problem, state).primal
    return value if np.isfinite(value) else np.nan


def duality_gap(problem: Problem, state: SmoState) -> float:
    return positive(primal(problem, state) - solution_at(problem, state).dual)


def finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def positive(value: float) -> float:
    """What is below 0 is so by rounding alone, and is 0; what is not known stays so."""
    return 0.0 if value < 0 else value


def nearest(problem: Problem, state: SmoState) -> float:
    now = solution_at(problem, state)
    return float(now.margins[state.kept].min()) / now.norm if now.norm else np.nan


def reach(problem: Problem, state: SmoState) -> float:
    now = solution_at(problem, state)
    return now.reach if now.norm else np.nan


def on_the_margin(problem: Problem, state: SmoState) -> float:
    return float(multipliers_of(problem, state).between.sum())


def at_C(problem: Problem, state: SmoState) -> float:
    return float(multipliers_of(problem, state).at_C.sum())


def joined(before: SmoState | None, after: SmoState) -> int:
    """By how many support vectors a pair made more; 0 where no pair was moved."""
    if before is None or after.i < 0:
        return 0
    return int((after.alpha > 0).sum()) - int((before.alpha > 0).sum())


def slackness_holds(problem: Problem, state: SmoState) -> bool | Sides:
    """m - M of the rows in the problem, with F worked out from α anew, is as small as was asked."""
    if state.phase != "optimal" or (problem.parameters.prune and state.first_alpha is None):
        return False
    gap, room = slackness_gap(problem, state), solution_at(problem, state).size
    return Sides(("m - M", gap), ("tol", problem.parameters.tol), size=10 * room)


def slackness_gap(problem: Problem, state: SmoState) -> float:
    """m - M of the rows in the problem, with F worked out from α anew."""
    F, signs, box = multipliers_of(problem, state).fresh_F, problem.data.signs, box_of(problem)
    m = F[state.kept & may_rise(state.alpha, signs, box)].max(initial=-np.inf)
    M = F[state.kept & may_fall(state.alpha, signs, box)].min(initial=np.inf)
    return float(m - M)


def pairs_moved(problem: Problem, state: SmoState) -> bool | Sides:
    """As many pairs are moved as may be, and m - M is above what was asked."""
    p = problem.parameters
    return state.iteration >= p.pairs and Sides(("tol", p.tol), ("m - M", slackness_gap(problem, state)), relation="<")


def none_wider(problem: Problem, state: SmoState) -> Sides:
    """No two points of the hulls of the classes are farther apart than those that α weighs."""
    p, now = problem.parameters, solution_at(problem, state)
    least = p.least_margin * float(np.sqrt(kernel_in_use(problem).squared_spread(problem.data.X)))
    return Sides(("‖Σ α y φ‖/Σ α", now.widest), ("least margin of φ's spread", least))


def lost_in_rounding(problem: Problem, state: SmoState) -> bool:
    """The step of the pair that promises most leaves F as it is."""
    search = PairSearch(problem.data, kernel_in_use(problem), box_of(problem))
    i, j, _ = search.best(state.alpha, state.F, state.kept)
    free = (state.F.item(i) - state.F.item(j)) / search.eta
    return search.stuck(state.F, search.followed(state.F, free))


def endless(problem: Problem, state: SmoState) -> Sides:
    """m - M has grown beyond what can be squared."""
    search = PairSearch(problem.data, kernel_in_use(problem), box_of(problem))
    return Sides(
        ("what can be squared", ENDLESS), ("m - M", search.best(state.alpha, state.F, state.kept)[2]), relation="<"
    )


def validate(problem: Problem) -> str | None:
    there = np.bincount(np.asarray(problem.data.y), minlength=2)
    if not there.all():
        missing = problem.data.classes[int(there.argmin())]
        return f"no row of {problem.data.name} is {missing}: a margin lies between two classes."
    return unusable(kernel_in_use(problem), problem.data)


def scene(problem: Problem, before: SmoState | None, after: SmoState) -> Scene:
    return pictures.scene(None if before is None else multipliers_of(problem, before), multipliers_of(problem, after))


def explain(problem: Problem, before: SmoState | None, after: SmoState) -> str:
    now = multipliers_of(problem, after)
    if before is None:
        return words.changed(now) if after.t else words.start(now)
    if after.phase in ("optimal", "prune"):
        return words.optimal(now, wrong_held_out(problem, after)) if after.phase == "optimal" else words.prune(now)
    return words.moved(multipliers_of(problem, before), now)


SYMBOLS: dict[str, Symbol] = {
    "α, C": ("a multiplier a row, and the most it may be; C here", lambda p, s: finite(box_of(p))),
    "F": ("y - Σ α y k(x, ·), the b with which a row would have y f = 1", None),
    "m": ("the greatest b that a row asks for whose α y may rise", lambda p, s: solution_at(p, s).up),
    "M": ("the least b that a row asks for whose α y may fall", lambda p, s: solution_at(p, s).low),
    "δ": ("(m - M)/2, how far a row may be from its case", lambda p, s: solution_at(p, s).delta),
    "s": ("by how much α_i y_i rises and α_j y_j falls", lambda p, s: s.step if s.i >= 0 else None),
    "η": ("‖φ(x_i) - φ(x_j)‖² of the pair; in the rule not below rounding", lambda p, s: multipliers_of(p, s).eta),
    "φ, k": ("the features that the kernel stands for, k(x, z) = φ(x)·φ(z)", None),
    "γ": ("of the kernel", lambda p, s: kernel_in_use(p).gamma),
    "w, b": ("Σ α y φ(x), and (m + M)/2; ‖w‖ here", lambda p, s: solution_at(p, s).norm),
    "W": ("the dual, Σ α - ½‖w‖²", lambda p, s: solution_at(p, s).dual),
    "P": ("the primal, ½‖w‖² + C Σ max(0, 1 - y f)", lambda p, s: finite(solution_at(p, s).primal)),
    "α', w'": ("those after a step, or without the rows that were taken out", None),
    "i, j": ("the rows whose α y is raised and lowered", lambda problem, state: state.i if state.i >= 0 else None),
    "x, y": ("a row, and its class as +1 or -1", None),
    "f": ("Σ α y k(x, ·) + b", None),
    "ξ": ("max(0, 1 - y f), by how much a row falls short", None),
}


def setting(problem: Problem) -> dict[str, object]:
    """What the objective depends on: a hard margin has no price."""
    p = problem.parameters
    return kernel_setting(problem) | {"margin": p.margin} | ({"C": p.C} if p.margin == "soft" else {})


ALGORITHM = Algorithm(
    smo,
    title="Kernel SVM by SMO",
    point="Two rows at a time trade weight, until only those at or inside the margin have any.",
    after=("dual_coordinate_descent",),
    also=("svm", "svc", "sequential minimal optimisation"),
    leaves_open="It is the best w for this C and this kernel; nothing here chose them.",
    tries=(("narrower bumps", "-p gamma=20"), ("a straight border", "-p kernel=linear")),
    asks=(
        Ask("Does one of the pair stop at 0 or at C?", "clipped"),
        Ask.way("The dual rises: what does the primal do?", "primal"),
    ),
    summary="Finds the widest soft margin between two classes, with or without a kernel, two multipliers at a time.",
    rule="i: greatest F that may rise; j: greatest (F_i - F_j)²/η\n"
    "s = min((F_i - F_j)/η, what 0 <= α <= C leaves)\n"
    "α_i <- α_i + y_i s,   α_j <- α_j - y_j s\n"
    "F <- F - s (k(x_i, x) - k(x_j, x))",
    needs=Needs(target="class", classes=2),
    phases={
        "start": "α = 0",
        "free": "the pair goes to where W is highest on its line, or far where W has no top",
        "clipped": "the pair goes until one of them is at 0 or C",
        "optimal": "m - M <= tol: along no pair's line does W rise more steeply",
        "prune": "a new run begins, from α = 0, without the rows that had α = 0",
    },
    events=(
        Event("a new support vector", lambda before, after: joined(before, after) > 0),
        Event("one fewer support vector", lambda before, after: joined(before, after) < 0),
        "optimal",
        Event("prune", lambda before, after: after.phase == "prune", "prune", "α = 0 taken out"),
    ),
    curves=(
        Curve("dual", lambda p, s: solution_at(p, s).dual, "W(α)", chart="objective"),
        Curve("primal", primal, "P(w, b)", chart="objective"),
        Curve("gap", duality_gap, "P(w, b) - W(α)", log=True),
        Curve("violation", lambda p, s: positive(solution_at(p, s).gap), "m - M", log=True),
        Curve("on the margin", on_the_margin, "rows with 0 < α < C", chart="support vectors"),
        Curve("at C", at_C, "rows with α = C", chart="support vectors"),
        Curve("error", error, "share of wrong rows", held_out=True),
        Curve("nearest row", nearest, "least y f/‖w‖", chart="hard margin"),
        Curve("widest possible", reach, "‖w‖/Σα", chart="hard margin"),
    ),
    objective={("primal", "dual", "gap"): setting},
    theorems=through(multipliers_of, *THEOREMS),
    ends={
        "the rows ask for b >= m and b <= M, and m - M = … is at most tol = …": slackness_holds,
        "the rows cannot be separated by more than …, and C = ∞": none_wider,
        "… pair…, and m - M is still …": pairs_moved,
        "m - M = …, and what is left to gain is lost in rounding": lost_in_rounding,
        "m - M = … grows without end: k tells the rows apart by rounding alone, and C = ∞": endless,
    },
    symbols=SYMBOLS,
    only_for=OF_KERNELS | {"C": ("margin", "soft"), "least_margin": ("margin", "hard")},
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        moons.with_(hold_out=0.25),
        blobs.with_(n=60, margin=0.5),
        square,
        iris.with_(positive="versicolor"),
        penguins.with_(positive="Chinstrap", scale=True),
        breast_cancer.with_(scale=True),
        digits.with_(positive="3"),
    ),
)
