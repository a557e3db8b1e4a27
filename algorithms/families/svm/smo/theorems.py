"""What is true of every step of SMO, as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from algorithms.core import Array, DoesNotApply, Problem, Sides
from algorithms.core.theorem import Answer
from algorithms.families.svm.smo.dual import apart, box_of, found, found_first, fresh_margins, kernel_in_use
from algorithms.toolbox.kernels import eigenvalue_rounding, least_eigenvalue

if TYPE_CHECKING:
    from algorithms.families.svm.smo.algorithm import SmoState

_STEPS = 50.0  # roundings of k, times Σ α, that F may be off by after many steps
_SAMPLE = 96  # rows of the Gram matrix that is looked at


def rounding(problem: Problem) -> float:
    """What rounding may have made of a k(x, z)."""
    return kernel_in_use(problem).rounding(problem.data.X)


def of_F(problem: Problem, state: SmoState) -> float:
    """What rounding may have made of an F."""
    return _STEPS * (2.0**-52 + most_alpha(state) * problem.once(rounding))


def of_W(problem: Problem, state: SmoState) -> float:
    """What rounding may have made of W or ‖w‖²: that of F, α times."""
    return of_F(problem, state) * (1.0 + most_alpha(state))


def most_alpha(state: SmoState) -> float:
    """Σ α, with that of the run on all rows if it is pruned."""
    return float(state.alpha.sum()) + (0.0 if state.first_alpha is None else float(state.first_alpha.sum()))


def dual_never_falls(problem: Problem, before: SmoState, after: SmoState) -> Answer:
    if after.phase == "prune":
        return DoesNotApply("it begins again from α = 0")
    old, new = problem.of(found, before).dual, problem.of(found, after).dual
    return Sides(("W(α)", old), ("W(α')", new), slack=of_W(problem, before) + of_W(problem, after))


def gain(problem: Problem, before: SmoState, after: SmoState) -> Answer:
    """W' - W as it is, against the parabola along the pair's line, from kernel values worked out afresh."""
    if after.phase == "prune":
        return DoesNotApply("it begins again from α = 0")
    s = abs(float(after.alpha[after.i] - before.alpha[after.i]))
    rise = float(before.F[after.i] - before.F[after.j])
    predicted = s * rise - s * s * squared_distance(problem, after.i, after.j) / 2
    return Sides(
        ("W(α') - W(α)", problem.of(found, after).dual - problem.of(found, before).dual),
        ("s(F_i - F_j) - ½ηs²", predicted),
        relation="==",
        slack=of_W(problem, before) + of_W(problem, after),
    )


def squared_distance(problem: Problem, i: int, j: int) -> float:
    """η = ‖φ(x_i) - φ(x_j)‖²."""
    pair, kernel = problem.data.X[[i, j]], kernel_in_use(problem)
    return float(kernel.squares(pair).sum() - 2 * kernel(pair[:1], pair[1:])[0, 0])


def duality(problem: Problem, before: SmoState | None, after: SmoState) -> Answer:
    now = problem.of(found, after)
    if not np.isfinite(now.primal):
        return DoesNotApply("C = ∞, and P is infinite until f separates the rows")
    return Sides(("W(α)", now.dual), ("P(w, b)", now.primal), slack=of_W(problem, after))


def balanced(problem: Problem, before: SmoState | None, after: SmoState) -> Answer:
    positive = problem.data.signs > 0
    plus, minus = float(after.alpha[positive].sum()), float(after.alpha[~positive].sum())
    return Sides(("Σ α of +", plus), ("Σ α of -", minus), relation="==")


def in_the_box(problem: Problem, before: SmoState | None, after: SmoState) -> Answer:
    box, alpha = box_of(problem), after.alpha[after.kept]
    sides = ("0", 0.0), ("least α", float(alpha.min())), ("greatest α", float(alpha.max()))
    return Sides(*sides, ("C", box)) if np.isfinite(box) else Sides(*sides)


def without_share(problem: Problem, before: SmoState | None, after: SmoState) -> Answer:
    margins = case(problem, after, after.alpha == 0)
    if not len(margins):
        return DoesNotApply("no row has α = 0")
    delta = problem.of(found, after).gap / 2
    return Sides(("1 - δ", 1 - delta), ("least y f", float(margins.min())), slack=of_F(problem, after))


def on_the_margin(problem: Problem, before: SmoState | None, after: SmoState) -> Answer:
    margins = case(problem, after, (after.alpha > 0) & (after.alpha < box_of(problem)))
    if not len(margins):
        return DoesNotApply("no row has 0 < α < C")
    delta = problem.of(found, after).gap / 2
    return Sides(("greatest |y f - 1|", float(np.abs(margins - 1).max())), ("δ", delta), slack=of_F(problem, after))


def at_the_bound(problem: Problem, before: SmoState | None, after: SmoState) -> Answer:
    margins = case(problem, after, after.alpha == box_of(problem))
    if not len(margins):
        return DoesNotApply("no row has α = C")
    delta = problem.of(found, after).gap / 2
    return Sides(("greatest y f", float(margins.max())), ("1 + δ", 1 + delta), slack=of_F(problem, after))


def case(problem: Problem, state: SmoState, which: Array) -> Array:
    """y f, worked out afresh, of the rows of one case."""
    margins = problem.of(fresh_margins, state)[which]
    return np.asarray(margins[~np.isnan(margins)])


def widest(problem: Problem, before: SmoState | None, after: SmoState) -> Answer:
    now = problem.of(found, after)
    lost = of_W(problem, after)
    if now.squared_norm <= 1e3 * lost:
        return DoesNotApply("w = 0")
    least = float(now.margins[after.kept].min())
    slack = (of_F(problem, after) + lost / now.total) / now.norm
    return Sides(("least y f/‖w‖", least / now.norm), ("‖w‖/Σα", now.reach), slack=slack)


def same_w(problem: Problem, before: SmoState | None, after: SmoState) -> Answer:
    first, now = problem.of(found_first, after), problem.of(found, after)
    if first is None:
        return DoesNotApply("no rows were taken out")
    if not np.isfinite(now.primal):
        return DoesNotApply("C = ∞, and P' is infinite until f separates the rows")
    lost = of_W(problem, after)
    room = sum(np.sqrt(2 * max(now.primal - dual, 0.0)) for dual in (first.dual, now.dual))
    return Sides(("‖w' - w‖", apart(problem, after)), ("√2(P'-W) + √2(P'-W')", room), slack=np.sqrt(lost))


def sample(problem: Problem) -> tuple[Array, Array]:
    """Some rows, one class after the other, and their Gram matrix."""
    n = problem.data.n
    m = min(n, _SAMPLE)
    rows = np.argsort(problem.data.signs, kind="stable")[np.arange(m) * n // m]
    return rows, kernel_in_use(problem)(problem.data.X[rows], problem.data.X[rows])


def least_of_sample(problem: Problem) -> tuple[float, float]:
    """The least eigenvalue of that Gram matrix, and what rounding may have made of it."""
    _, gram = problem.once(sample)
    return least_eigenvalue(gram), eigenvalue_rounding(gram) + len(gram) * problem.once(rounding)


def not_refuted(problem: Problem, before: SmoState | None, after: SmoState) -> Answer:
    least, lost = problem.once(least_of_sample)
    return Sides(("0", 0.0), ("least eigenvalue", least), slack=lost)
