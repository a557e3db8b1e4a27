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
that are left α is still one of the multipliers that are allowed, and ½‖w(α) - w*‖² <= W* - W(α) <= P - W(α) for all
of them; so with P' of the rows left ‖w' - w‖ <= √(2(P' - W(α))) + √(2(P' - W(α'))), which goes to 0.

A hard margin is C = ∞. If a unit w separates the rows with margin γ*, its y f >= γ*; times α >= 0 and summed,
γ* <= ‖Σ α y φ‖ / Σ α for any α of the dual. Where nothing separates, α grows for ever and that bound goes to 0; below
a stated length the run says so and ends.

References: Boser, Guyon and Vapnik (1992), COLT; Cortes and Vapnik (1995), Machine Learning 20; Platt (1998), Fast
training of support vector machines using SMO; Keerthi et al. (2001), Neural Computation 13 (m and M); Fan, Chen and
Lin (2005), J. of Machine Learning Research 6 (the pair); Burges and Crisp (2000), NIPS 12 (what is unique).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Array,
    Curve,
    Dataset,
    Event,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    State,
    Theorem,
)
from algorithms.data import blobs, breast_cancer, digits, iris, moons, penguins
from algorithms.families.svm.smo import pictures, theorems
from algorithms.families.svm.smo.dual import (
    barrier,
    barriers,
    box_of,
    decision,
    found,
    kernel_in_use,
    kernel_of,
    solution,
    squared_spread,
)
from algorithms.toolbox.kernels import KernelName
from algorithms.toolbox.sizes import out_of_range

_CACHED = 25_000_000  # distances kept while it runs: 200 MB
_FLAT = 2.0**-52  # of the squared spread of φ: the least η, for rows that k cannot tell apart; lost in rounding else
_LARGEST = 1e100  # beyond it and below its inverse, products would overflow or vanish
_BLURRED = 0.25  # of the rows' spread: where rounding may make so much of a k, nothing is known of them


class SmoState(State, frozen=True, kw_only=True):
    alpha: Array  # (n,) the multipliers α
    F: Array  # (n,) y - Σ α y k(x, ·): the b with which a row would have y f = 1
    kept: Array  # (n,) bool, the rows in the problem: all of them until it is pruned
    i: int = -1  # the row whose α y was raised
    j: int = -1  # the row whose α y was lowered
    step: float = 0.0  # s, by how much
    first_alpha: Array | None = None  # α of the run on all rows, once that is done and pruned
    first_F: Array | None = None  # and its F


def smo(
    data: Dataset,
    state: SmoState | None = None,
    *,
    kernel: Annotated[KernelName, Meta(description="x·z, (γ x·z + c)^degree, or exp(-γ ‖x - z‖²)")] = "rbf",
    margin: Annotated[
        Literal["soft", "hard"], Meta(description="rows may fall short of y f = 1 at price C, or not at all: C = ∞")
    ] = "soft",
    C: Annotated[float, Meta(ge=1e-6, le=1e6, description="price of falling short of y f = 1 by one")] = 1.0,
    gamma: Annotated[float, Meta(ge=0, le=1e6, description="γ of the kernel; 0 stands for 1/(d · variance)")] = 0.0,
    degree: Annotated[int, Meta(ge=1, le=10, description="of the polynomial kernel")] = 3,
    constant: Annotated[float, Meta(ge=0, le=1e6, description="c of the polynomial kernel")] = 1.0,
    tol: Annotated[float, Meta(ge=1e-12, le=1, description="m - M may be this large at the end")] = 1e-3,
    least_margin: Annotated[
        float, Meta(ge=1e-9, le=0.1, description="a hard margin below this share of φ's spread is none")
    ] = 1e-4,
    pairs: Annotated[int, Meta(ge=1, le=10_000_000, description="pairs before giving up")] = 100_000,
    prune: Annotated[bool, Meta(description="when done, take out the rows with α = 0 and run again")] = False,
) -> Run[SmoState]:
    y, box = data.signs, C if margin == "soft" else np.inf
    k = kernel_of(data, kernel, gamma, degree, constant)
    squares, spread = k.squares(data.X), squared_spread(k, data.X)
    flat = _FLAT * spread
    distances = lru_cache(max(_CACHED // data.n, 2))(k.squared_distances_of(data.X, flat))
    if state is None:
        state = SmoState(alpha=np.zeros(data.n), F=y, kept=np.ones(data.n, bool))
        yield state
    rise, fall = barriers(state.alpha, y, state.kept, box)
    ahead = np.empty(data.n)
    while True:
        i, j, gap = best_pair(state.F, rise, fall, distances, ahead)
        if gap <= tol:
            if not prune or state.first_alpha is not None:
                return f"m - M = {gap:.2g}, within tol: complementary slackness holds"
            state = begin_again(state, y)
            yield state
            rise, fall = barriers(state.alpha, y, state.kept, box)
            continue
        if margin == "hard":
            reach = solution(y, state.alpha, state.F, state.kept, box).reach
            if reach <= least_margin * np.sqrt(spread):
                return f"the rows cannot be separated by more than ‖Σ α y φ‖/Σ α = {reach:.2g}, and C = ∞"
        if state.iteration >= pairs:
            return f"{pairs:,} pairs, and m - M is still {gap:.2g}"
        eta = distances(i).item(j)
        wanted = (state.F.item(i) - state.F.item(j)) / eta
        alpha, step = moved(state.alpha, y, i, j, wanted, box)
        F = followed(state.F, step, distances(i), distances(j), squares.item(i) - squares.item(j))
        if step == wanted and eta > flat and F.item(i) - F.item(j) >= state.F.item(i) - state.F.item(j):
            return f"m - M = {gap:.2g}, and what is left to gain is lost in rounding"
        rise[i], fall[i] = barrier(alpha.item(i), y.item(i), box)
        rise[j], fall[j] = barrier(alpha.item(j), y.item(j), box)
        number = state.iteration + 1
        if step == wanted:
            state = state.after("free", iteration=number, alpha=alpha, F=F, i=i, j=j, step=step)
            yield state
        else:
            state = state.after("clipped", iteration=number, alpha=alpha, F=F, i=i, j=j, step=step)
            yield state


def adapt(before: Problem, after: Problem, state: SmoState, rows: Array) -> SmoState:
    """Rows keep their α, as far as C lets them, and new ones have 0; the heavier class is scaled down to Σ α y = 0.

    F is worked out from these under the kernel that there is now, on all rows.
    """
    data, box, kernel = after.data, box_of(after), kernel_in_use(after)
    if data is before.data and box == box_of(before) and kernel == kernel_in_use(before):
        return state
    alpha = np.minimum(np.where(rows >= 0, state.alpha[rows], 0.0), box)
    of_class = [data.signs > 0, data.signs < 0]
    sums = [float(alpha[mine].sum()) for mine in of_class]
    for mine, total in zip(of_class, sums):
        if total > 0:
            alpha[mine] *= min(sums) / total
    held = alpha > 0
    F = data.signs - kernel(data.X, data.X[held]) @ (alpha * data.signs)[held] if held.any() else data.signs
    fresh = {"i": -1, "j": -1, "step": 0.0, "first_alpha": None, "first_F": None}
    return replace(state, alpha=alpha, F=F, kept=np.ones(data.n, bool), **fresh)


def best_pair(
    F: Array, rise: Array, fall: Array, distances: Callable[[int], Array], ahead: Array
) -> tuple[int, int, float]:
    """The rows to move, and m - M: i of the greatest F, and the j with which W would rise most.

    By (F_i - F_j)²/(2η), if nothing held α back (Fan, Chen and Lin). `ahead` is (n,) room to reckon in.
    """
    i = int(np.add(F, rise, out=ahead).argmax())
    np.subtract(F.item(i), F, out=ahead)
    ahead -= fall  # -∞ for those that may not fall
    gap = ahead.item(ahead.argmax())
    np.maximum(ahead, 0.0, out=ahead)
    ahead *= ahead
    ahead /= distances(i)
    return i, int(ahead.argmax()), gap


def moved(alpha: Array, y: Array, i: int, j: int, wanted: float, box: float) -> tuple[Array, float]:
    """α with α_i y_i raised and α_j y_j lowered by `wanted`, or until one of them is at 0 or C; and by how much."""
    room_i = box - alpha.item(i) if y.item(i) > 0 else alpha.item(i)
    room_j = alpha.item(j) if y.item(j) > 0 else box - alpha.item(j)
    step = min(wanted, room_i, room_j)
    alpha = alpha.copy()
    alpha[i] = changed(alpha.item(i), y.item(i) * step, step == room_i, box)
    alpha[j] = changed(alpha.item(j), -y.item(j) * step, step == room_j, box)
    return alpha, step


def changed(alpha: float, by: float, to_the_end: bool, box: float) -> float:
    """α + by; where that is all the room there is, 0 or C itself and not what rounding makes of it."""
    if to_the_end:
        return box if by > 0 else 0.0
    return min(alpha + by, box)


def followed(F: Array, step: float, from_i: Array, from_j: Array, longer: float) -> Array:
    """F - s (k_i - k_j) after a step s, k_i = k(x_i, x) for all x.

    All that matters of k are distances: k_i - k_j = ½ (‖φ(x_j) - φ‖² - ‖φ(x_i) - φ‖² + ‖φ(x_i)‖² - ‖φ(x_j)‖²).

    Args:
        from_i, from_j: (n,) squared distances of φ from that of row i and of row j.
        longer: ‖φ(x_i)‖² - ‖φ(x_j)‖².
    """
    found = from_i - from_j
    found *= step / 2
    found += F
    if longer:
        found -= step / 2 * longer
    return np.asarray(found)


def begin_again(state: SmoState, y: Array) -> SmoState:
    """α = 0 on the support vectors alone; what was found on all rows is put aside."""
    first = {"first_alpha": state.alpha, "first_F": state.F}
    return state.after("prune", alpha=np.zeros(len(y)), F=y, kept=state.alpha > 0, i=-1, j=-1, step=0.0, **first)


def training_error(problem: Problem, state: SmoState) -> float:
    return float((problem.of(found, state).margins <= 0).mean())


def held_out_error(problem: Problem, state: SmoState) -> float:
    aside = problem.data.held_out
    return np.nan if aside is None else float((aside.signs * decision(problem, state)(aside.X) <= 0).mean())


def dual(problem: Problem, state: SmoState) -> float:
    return problem.of(found, state).dual


def primal(problem: Problem, state: SmoState) -> float:
    """Not drawn where it is infinite: a hard margin before f separates the rows."""
    value = problem.of(found, state).primal
    return value if np.isfinite(value) else np.nan


def duality_gap(problem: Problem, state: SmoState) -> float:
    return positive(primal(problem, state) - dual(problem, state))


def violation(problem: Problem, state: SmoState) -> float:
    return positive(problem.of(found, state).gap)


def positive(value: float) -> float:
    """For a logarithmic axis, on which 0 has no place."""
    return value if value > 0 else np.nan


def between(problem: Problem, state: SmoState) -> int:
    return int(((state.alpha > 0) & (state.alpha < box_of(problem))).sum())


def at_the_bound(problem: Problem, state: SmoState) -> int:
    return int((state.alpha == box_of(problem)).sum())


def nearest(problem: Problem, state: SmoState) -> float:
    now = problem.of(found, state)
    return float(now.margins[state.kept].min()) / now.norm if now.norm else np.nan


def reach(problem: Problem, state: SmoState) -> float:
    now = problem.of(found, state)
    return now.reach if now.norm else np.nan


def joins(before: SmoState | None, after: SmoState) -> bool:
    return before is not None and after.i >= 0 and bool((after.alpha > 0).sum() > (before.alpha > 0).sum())


def leaves(before: SmoState | None, after: SmoState) -> bool:
    return before is not None and after.i >= 0 and bool((after.alpha > 0).sum() < (before.alpha > 0).sum())


def validate(problem: Problem) -> str | None:
    X, name = problem.data.X, problem.data.name
    there = np.bincount(np.asarray(problem.data.y), minlength=2)
    if not there.all():
        return f"no row of {name} is {problem.data.classes[int(there.argmin())]}: a margin lies between two classes."
    extreme = out_of_range(problem.data, _LARGEST)
    if extreme:
        return extreme
    kernel = kernel_in_use(problem)
    with np.errstate(over="ignore", invalid="ignore"):
        longest, spread = float(kernel.squares(X).max()), squared_spread(kernel, X)
        if problem.data.held_out is not None:
            longest = max(longest, float(kernel.squares(problem.data.held_out.X).max()))
    if not longest < _LARGEST:
        return f"the largest k(x, x) in {name} is {longest:.3g}, which is out of range: scale the features."
    if not spread > 0:
        return f"to this kernel, all rows of {name} are in one place: no f can tell them apart."
    if spread < 1 / _LARGEST:
        return f"the largest ‖φ(x) - φ(z)‖² in {name} is {spread:.3g}, which is out of range: scale the features."
    if kernel.name != "linear" and kernel.rounding(X) > _BLURRED * spread:  # linear ones are taken about the mean
        return f"to this kernel, the rows of {name} differ by no more than rounding: scale them, or change gamma."
    return None


def scene(problem: Problem, before: SmoState | None, after: SmoState) -> Scene:
    return Scene(
        (
            pictures.stage(problem, after),
            pictures.multipliers(problem, after),
            *pictures.weights(problem, after),
            pictures.gram(problem),
            pictures.support_vectors(problem, after),
            pictures.numbers(problem, after),
        )
    )


def explain(problem: Problem, before: SmoState | None, after: SmoState) -> str:
    if after.phase == "start":
        no, yes = problem.data.classes
        return f"α = 0, so f = b. A row of {yes} would be on its margin with b = 1, a row of {no} with b = -1."
    if after.phase == "prune":
        out, left = int((~after.kept).sum()), int(after.kept.sum())
        return f"Done with all rows: {out} have α = 0 and are taken out. With the {left} that are left it begins again."
    i, j = after.i, after.j
    if i < 0:
        return "Every row keeps its α as far as the change lets it; those of one class shrink until Σ α y = 0 again."
    if before is None:
        return f"Rows {i} and {j} were moved: their α are now {after.alpha[i]:.3g} and {after.alpha[j]:.3g}."
    asked = (
        f"Row {i} ({problem.data.row(i)}) asks for b >= {before.F[i]:.3g}, "
        f"row {j} ({problem.data.row(j)}) for b <= {before.F[j]:.3g}: both cannot be."
    )
    changes = " and ".join(f"{before.alpha[r]:.3g} → {after.alpha[r]:.3g}" for r in (i, j))
    ends = [(r, "0" if after.alpha[r] == 0 else "C") for r in (i, j) if after.alpha[r] in (0, box_of(problem))]
    why = f"row {ends[0][0]} stops at {ends[0][1]}" if after.phase == "clipped" else "now both ask for the same b"
    gained = max(dual(problem, after) - dual(problem, before), 0.0)
    return f"{asked} α goes {changes}; {why}. W rises by {gained:.3g}."


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
        "prune": "done: rows with α = 0 are taken out, and α = 0 again",
    },
    events=(Event("a new support vector", joins), Event("one fewer support vector", leaves), "prune"),
    curves=(
        Curve("dual", dual, "W(α)", chart="objective"),
        Curve("primal", primal, "P(w, b)", chart="objective"),
        Curve("gap", duality_gap, "P(w, b) - W(α)", log=True),
        Curve("violation", violation, "m - M", log=True),
        Curve("on the margin", between, "rows with 0 < α < C", chart="support vectors"),
        Curve("at C", at_the_bound, "rows with α = C", chart="support vectors"),
        Curve("training error", training_error, "share of rows with y f <= 0", chart="error"),
        Curve("held-out error", held_out_error, "the same on rows held out", chart="error"),
        Curve("nearest row", nearest, "least y f/‖w‖", chart="hard margin"),
        Curve("widest possible", reach, "‖w‖/Σα", chart="hard margin"),
    ),
    theorems=(
        Theorem("the dual never falls", theorems.dual_never_falls, source="Platt (1998)", about="step"),
        Theorem("the dual is never above the primal", theorems.duality, source="Cortes and Vapnik (1995)"),
        Theorem("α = 0: y f >= 1 - δ, δ = (m - M)/2", theorems.without_share, source="Keerthi et al. (2001)"),
        Theorem("0 < α < C: |y f - 1| <= δ", theorems.on_the_margin, source="Keerthi et al. (2001)"),
        Theorem("α = C: y f <= 1 + δ", theorems.at_the_bound, source="Keerthi et al. (2001)"),
        Theorem("Σ α y = 0", theorems.balanced, source="Cortes and Vapnik (1995)"),
        Theorem("0 <= α <= C", theorems.in_the_box, source="Cortes and Vapnik (1995)"),
        Theorem("no margin is wider than ‖Σ α y φ‖/Σ α", theorems.widest, source="Boser, Guyon and Vapnik (1992)"),
        Theorem("W rises by s(F_i - F_j) - ½ηs²", theorems.gain, source="Fan, Chen and Lin (2005)", about="step"),
        Theorem("no eigenvalue of a Gram matrix is negative", theorems.not_refuted, source="Mercer (1909)"),
        Theorem(
            "only support vectors matter: w' without the others is w",
            theorems.same_w,
            source="Burges and Crisp (2000)",
            about="run",
        ),
    ),
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
    references=(
        "Boser, Guyon and Vapnik (1992), A training algorithm for optimal margin classifiers, COLT",
        "Cortes and Vapnik (1995), Support-vector networks, Machine Learning 20",
        "Platt (1998), Fast training of support vector machines using SMO",
        "Keerthi, Shevade, Bhattacharyya and Murthy (2001), Neural Computation 13",
        "Fan, Chen and Lin (2005), J. of Machine Learning Research 6",
    ),
)
