"""What holds of SMO at every step: both sides of every statement, and why it is so."""

from collections.abc import Callable

import numpy as np

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, theorem
from algorithms.core.theorems import Hypothesis
from algorithms.families.svm.smo.multipliers import Multipliers, pair_of
from algorithms.toolbox.duals import may_fall

_MOVED = ("free", "clipped")
_PARABOLA = "along the pair's line W has slope F_i - F_j and curvature -η: it is a parabola"
_CASES = "F <= b + δ where α y may rise, F >= b - δ where it may fall; and y f = 1 - y (F - b)"
_DISTANCE = "½‖w(α) - w*‖² <= W* - W(α) <= P' - W(α): W is quadratic, w* where it is greatest"


def finite_primal(problem: Problem, now: Multipliers) -> bool | str:
    return bool(np.isfinite(now.solution.primal)) or "C = ∞, and P is infinite until f separates the rows"


def some_w(problem: Problem, now: Multipliers) -> bool | str:
    return now.solution.squared_norm > 1e3 * now.solution.lost or "w = 0"


def pruned(problem: Problem, now: Multipliers) -> bool | str:
    return now.first is not None or "no rows were taken out"


def some_row(words: str, which: Callable[[Multipliers], Array]) -> dict[str, Hypothesis]:
    """The hypothesis that some row is in a case of complementary slackness."""
    return {f"some row has {words}": lambda problem, now: bool(which(now).any()) or f"no row has {words}"}


@theorem(
    "the dual never falls",
    source="Platt (1998)",
    about="step",
    phases=_MOVED,
    proof=(_PARABOLA, "it rises up to s = (F_i - F_j)/η, and s is no more than that"),
)
def dual_never_falls(problem: Problem, before: Multipliers, now: Multipliers) -> Answer:
    old, new = before.solution, now.solution
    return Sides(("W(α)", old.dual), ("W(α')", new.dual), size=new.dual_size)


@theorem(
    "the dual is never above the primal",
    source="Cortes and Vapnik (1995)",
    hypotheses={"P is finite": finite_primal},
    proof=(
        "Σ α y = 0, so ‖w‖² = Σ α y f, and with ξ = max(0, 1 - y f)",
        "P - W = C Σ ξ - Σ α (1 - y f) >= Σ (C - α) ξ >= 0",
    ),
)
def weak_duality(problem: Problem, before: Multipliers | None, now: Multipliers) -> Answer:
    at = now.solution
    return Sides(("W(α)", at.dual), ("P(w, b)", at.primal), size=at.dual_size)


@theorem(
    "complementary slackness at the end: m - M <= tol",
    source="Keerthi et al. (2001)",
    about="step",
    phases=("optimal",),
    proof=("some b suits all rows if and only if m <= M; the run ends when that is so to within tol",),
)
def slackness_at_the_end(problem: Problem, before: Multipliers, now: Multipliers) -> Answer:
    return Sides(("m - M", now.solution.gap), ("tol", problem.parameters.tol))


@theorem(
    "α = 0: y f >= 1 - δ, δ = (m - M)/2",
    source="Keerthi et al. (2001)",
    hypotheses=some_row("α = 0", lambda now: now.at_zero),
    proof=(_CASES,),
)
def outside(problem: Problem, before: Multipliers | None, now: Multipliers) -> Answer:
    at, theirs = now.solution, np.where(now.at_zero, now.fresh_margins, np.inf)
    return Sides.each(("1 - δ", 1 - at.delta), ("y f", theirs), size=at.size, axes=("row",))


@theorem(
    "0 < α < C: |y f - 1| <= δ",
    source="Keerthi et al. (2001)",
    hypotheses=some_row("0 < α < C", lambda now: now.between),
    proof=(_CASES,),
)
def on_the_margin(problem: Problem, before: Multipliers | None, now: Multipliers) -> Answer:
    at, theirs = now.solution, np.where(now.between, np.abs(now.fresh_margins - 1), -np.inf)
    return Sides.each(("|y f - 1|", theirs), ("δ", at.delta), size=at.size, axes=("row",))


@theorem(
    "α = C: y f <= 1 + δ",
    source="Keerthi et al. (2001)",
    hypotheses=some_row("α = C", lambda now: now.at_C),
    proof=(_CASES,),
)
def inside(problem: Problem, before: Multipliers | None, now: Multipliers) -> Answer:
    at, theirs = now.solution, np.where(now.at_C, now.fresh_margins, -np.inf)
    return Sides.each(("y f", theirs), ("1 + δ", 1 + at.delta), size=at.size, axes=("row",))


@theorem(
    "of the pairs with F_i = m, W would rise most by this one",
    source="Fan, Chen and Lin (2005)",
    about="step",
    phases=_MOVED,
    proof=("that is the rule", "at s = (F_i - F_j)/η the parabola has risen by (F_i - F_j)²/(2η)"),
)
def gains_most(problem: Problem, before: Multipliers, now: Multipliers) -> Answer:
    """The gain of the pair against that of every pair with a row of F = m."""
    pair = pair_of(before, now)
    etas, falls = pair.distances(pair.i), pair.kept & may_fall(pair.was, pair.signs, pair.box)
    ahead = np.where(falls, np.maximum(before.solution.up - pair.F, 0.0), 0.0)
    gained, most = pair.rise**2 / etas[pair.j], float((ahead**2 / etas).max())
    return Sides(("(F_i - F_j)²/η", gained), ("greatest (m - F_j)²/η", most), relation="==")


@theorem(
    "it goes to the top of the pair's line, or to the end of the box",
    source="Platt (1998)",
    about="step",
    phases=_MOVED,
    proof=("that is the rule", "α y rises by s on one row and falls by s on the other, so Σ α y stays 0"),
)
def to_the_top(problem: Problem, before: Multipliers, now: Multipliers) -> Answer:
    """It goes to the top of the parabola along the pair's line, or as far as 0 <= α <= C lets it."""
    pair = pair_of(before, now)
    if pair.topless:
        return DoesNotApply("k cannot tell the two rows apart, and W has no top on their line")
    both = [pair.i, pair.j]
    risen, fallen = (pair.now - pair.was)[both] * pair.signs[both]
    return Sides(
        ("rise of α_i y_i", risen),
        ("fall of α_j y_j", -fallen),
        ("min((F_i - F_j)/η, room)", min(pair.free, pair.room)),
        relation="==",
        size=float(np.maximum(pair.was, pair.now)[both].max()),
    )


@theorem(
    "W rises by s(F_i - F_j) - ½ηs²",
    source="Fan, Chen and Lin (2005)",
    about="step",
    phases=_MOVED,
    proof=("α_i y_i + s: ∂W/∂s = F_i; α_j y_j - s: ∂W/∂s = -F_j", _PARABOLA),
)
def rises_as_the_parabola(problem: Problem, before: Multipliers, now: Multipliers) -> Answer:
    """W' - W as it is, against the parabola with η of the pair from kernel values worked out afresh."""
    pair, eta = pair_of(before, now), now.of.eta(*now.pair)
    s = abs(float(pair.now[pair.i] - pair.was[pair.i]))
    gained, predicted = now.solution.dual - before.solution.dual, s * pair.rise - s * s * eta / 2
    sides = ("W(α') - W(α)", gained), ("s(F_i - F_j) - ½ηs²", predicted)
    return Sides(*sides, relation="==", size=now.solution.dual_size)


@theorem(
    "F = y - Σ α y k(x, ·)",
    source="Keerthi et al. (2001)",
    proof=("true at α = 0, where F = y", "a step changes α_i y_i by s and α_j y_j by -s: F by -s(k_i - k_j)"),
)
def followed(problem: Problem, before: Multipliers | None, now: Multipliers) -> Answer:
    """F as it is kept from step to step, against F worked out from α."""
    size = now.solution.size
    return Sides.each(("F", now.F), ("y - Σ α y k", now.fresh_F), relation="==", size=size, axes=("row",))


@theorem(
    "Σ α y = 0",
    source="Cortes and Vapnik (1995)",
    proof=("the Lagrangian has no least b otherwise", "a step adds s and takes s"),
)
def zero_sum(problem: Problem, before: Multipliers | None, now: Multipliers) -> Answer:
    plus, minus = float(now.alpha[now.signs > 0].sum()), float(now.alpha[now.signs < 0].sum())
    return Sides(("Σ α of the + rows", plus), ("of the - rows", minus), relation="==", size=now.largest)


@theorem(
    "0 <= α <= C",
    source="Cortes and Vapnik (1995)",
    proof=("multipliers of y f >= 1 - ξ are not negative, nor are C - α, those of ξ >= 0",),
)
def in_the_box(problem: Problem, before: Multipliers | None, now: Multipliers) -> Answer:
    sides = ("0", 0.0), ("least α", float(now.alpha.min())), ("greatest α", float(now.alpha.max()))
    return Sides(*sides, ("C", now.of.box)) if np.isfinite(now.of.box) else Sides(*sides)


@theorem(
    "no margin is wider than ‖Σ α y φ‖/Σ α",
    source="Boser, Guyon and Vapnik (1992)",
    hypotheses={"w is not 0": some_w},
    proof=(
        "for any unit vector u and two numbers t, r with y (u·φ + t) >= r on all rows:",
        "times α >= 0, summed, with Σ α y = 0: u·w >= r Σ α, and u·w <= ‖w‖ (Cauchy, Schwarz)",
    ),
)
def widest(problem: Problem, before: Multipliers | None, now: Multipliers) -> Answer:
    at = now.solution
    size = (at.size + at.dual_size / at.total) / at.norm
    return Sides(("least y f/‖w‖", float(at.margins[now.kept].min()) / at.norm), ("‖w‖/Σα", at.reach), size=size)


@theorem(
    "no eigenvalue of a Gram matrix is negative",
    source="Mercer (1909)",
    proof=("for all c: Σ Σ c_i c_j k(x_i, x_j) = ‖Σ c_i φ(x_i)‖² >= 0",),
)
def not_refuted(problem: Problem, before: Multipliers | None, now: Multipliers) -> Answer:
    sample = now.of.sample
    return Sides(("0", 0.0), ("least eigenvalue", sample.least), slack=sample.lost)  # rounding of a whole matrix


@theorem(
    "only support vectors matter: w' without the others is w",
    source="Boser, Guyon and Vapnik (1992)",
    hypotheses={"rows were taken out": pruned, "P' is finite": finite_primal},
    proof=(
        "the rows taken out have α = 0: α is allowed without them, and W(α) is what it was",
        _DISTANCE,
        "for α and for α'; and ‖w' - w‖² <= 2‖w' - w*‖² + 2‖w - w*‖²",
    ),
)
def same_w(problem: Problem, before: Multipliers | None, now: Multipliers) -> Answer:
    """‖w' - w‖² of the rows that are left against those of all rows."""
    at, first = now.solution, now.first_solution
    if first is None:
        return None
    room = 4 * (at.primal - first.dual) + 4 * (at.primal - at.dual)
    return Sides(("‖w' - w‖²", now.squared_change), ("4(P'-W) + 4(P'-W')", room), size=at.dual_size)


THEOREMS = (
    weak_duality,
    dual_never_falls,
    slackness_at_the_end,
    outside,
    on_the_margin,
    inside,
    gains_most,
    to_the_top,
    rises_as_the_parabola,
    followed,
    zero_sum,
    in_the_box,
    widest,
    not_refuted,
    same_w,
)
