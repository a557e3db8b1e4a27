"""What holds of SMO at every step: both sides of every statement, and why it is so."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import Answer, Array, Problem, Sides, Theorem
from algorithms.core.theorem import Hypothesis
from algorithms.families.svm.smo.kkt import (
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
from algorithms.families.svm.smo.multipliers import Multipliers, pair_of

MultipliersOf = Callable[[Problem, Any], Multipliers]

_MOVED = ("free", "clipped")
_PARABOLA = "along the pair's line W has slope F_i - F_j and curvature -η: it is a parabola"
_CASES = "F <= b + δ where α y may rise, F >= b - δ where it may fall; and y f = 1 - y (F - b)"
_DISTANCE = "½‖w(α) - w*‖² <= W* - W(α) <= P' - W(α): W is quadratic, w* where it is greatest"


def not_refuted(now: Multipliers) -> Answer:
    sample = now.of.sample
    return Sides(("0", 0.0), ("least eigenvalue", sample.least), slack=sample.lost)  # rounding of a whole matrix


def finite_primal(now: Multipliers) -> bool | str:
    return bool(np.isfinite(now.solution.primal)) or "C = ∞, and P is infinite until f separates the rows"


def some_w(now: Multipliers) -> bool | str:
    return now.solution.squared_norm > 1e3 * now.solution.lost or "w = 0"


def pruned(now: Multipliers) -> bool | str:
    return now.first is not None or "no rows were taken out"


def theorems(multipliers_of: MultipliersOf) -> tuple[Theorem, ...]:
    """Make the statements about the multipliers that a state holds."""

    def here(sides: Callable[[Multipliers], Answer]) -> Callable[[Problem, Any, Any], Answer]:
        return lambda problem, before, after: sides(multipliers_of(problem, after))

    def pairs(sides: Callable[[PairStep], Answer]) -> Callable[[Problem, Any, Any], Answer]:
        return lambda problem, before, after: sides(
            pair_of(multipliers_of(problem, before), multipliers_of(problem, after))
        )

    def rise(problem: Problem, before: Any, after: Any) -> Answer:
        was, now = multipliers_of(problem, before), multipliers_of(problem, after)
        return gain(pair_of(was, now), now.of.eta(*now.pair))

    def ended(problem: Problem, before: Any, after: Any) -> Answer:
        return Sides(("m - M", multipliers_of(problem, after).solution.gap), ("tol", problem.parameters.tol))

    def met(test: Callable[[Multipliers], bool | str]) -> Hypothesis:
        return lambda problem, state: test(multipliers_of(problem, state))

    def some_row(words: str, which: Callable[[Multipliers], Array]) -> dict[str, Hypothesis]:
        return {f"some row has {words}": met(lambda now: bool(which(now).any()) or f"no row has {words}")}

    return (
        Theorem(
            "the dual is never above the primal",
            here(lambda now: weak_duality(now.solution)),
            source="Cortes and Vapnik (1995)",
            hypotheses={"P is finite": met(finite_primal)},
            proof=(
                "Σ α y = 0, so ‖w‖² = Σ α y f, and with ξ = max(0, 1 - y f)",
                "P - W = C Σ ξ - Σ α (1 - y f) >= Σ (C - α) ξ >= 0",
            ),
        ),
        Theorem(
            "the dual never falls",
            pairs(dual_never_falls),
            source="Platt (1998)",
            about="step",
            phases=_MOVED,
            proof=(_PARABOLA, "it rises up to s = (F_i - F_j)/η, and s is no more than that"),
        ),
        Theorem(
            "complementary slackness at the end: m - M <= tol",
            ended,
            source="Keerthi et al. (2001)",
            about="step",
            phases=("optimal",),
            proof=("some b suits all rows if and only if m <= M; the run ends when that is so within tol",),
        ),
        Theorem(
            "α = 0: y f >= 1 - δ, δ = (m - M)/2",
            here(lambda now: outside(now.fresh_margins, now.at_zero, now.solution)),
            source="Keerthi et al. (2001)",
            hypotheses=some_row("α = 0", lambda now: now.at_zero),
            proof=(_CASES,),
        ),
        Theorem(
            "0 < α < C: |y f - 1| <= δ",
            here(lambda now: on_the_margin(now.fresh_margins, now.between, now.solution)),
            source="Keerthi et al. (2001)",
            hypotheses=some_row("0 < α < C", lambda now: now.between),
            proof=(_CASES,),
        ),
        Theorem(
            "α = C: y f <= 1 + δ",
            here(lambda now: inside(now.fresh_margins, now.at_C, now.solution)),
            source="Keerthi et al. (2001)",
            hypotheses=some_row("α = C", lambda now: now.at_C),
            proof=(_CASES,),
        ),
        Theorem(
            "of the pairs with F_i = m, W would rise most by this one",
            pairs(gains_most),
            source="Fan, Chen and Lin (2005)",
            about="step",
            phases=_MOVED,
            proof=("that is the rule", "at s = (F_i - F_j)/η the parabola has risen by (F_i - F_j)²/(2η)"),
        ),
        Theorem(
            "it goes to the top of the pair's line, or to the end of the box",
            pairs(to_the_top),
            source="Platt (1998)",
            about="step",
            phases=_MOVED,
            proof=("that is the rule", "α y rises by s on one row and falls by s on the other, so Σ α y stays 0"),
        ),
        Theorem(
            "W rises by s(F_i - F_j) - ½ηs²",
            rise,
            source="Fan, Chen and Lin (2005)",
            about="step",
            phases=_MOVED,
            proof=("α_i y_i + s: ∂W/∂s = F_i; α_j y_j - s: ∂W/∂s = -F_j", _PARABOLA),
        ),
        Theorem(
            "F = y - Σ α y k(x, ·)",
            here(lambda now: followed(now.F, now.fresh_F, now.solution.size)),
            source="Keerthi et al. (2001)",
            proof=("true at α = 0, where F = y", "a step changes α_i y_i by s and α_j y_j by -s: F by -s(k_i - k_j)"),
        ),
        Theorem(
            "Σ α y = 0",
            here(lambda now: zero_sum(now.alpha, now.signs, now.largest)),
            source="Cortes and Vapnik (1995)",
            proof=("the Lagrangian has no least b otherwise", "a step adds s and takes s"),
        ),
        Theorem(
            "0 <= α <= C",
            here(lambda now: in_the_box(now.alpha, now.of.box)),
            source="Cortes and Vapnik (1995)",
            proof=("multipliers of y f >= 1 - ξ are not negative, nor are C - α, those of ξ >= 0",),
        ),
        Theorem(
            "no margin is wider than ‖Σ α y φ‖/Σ α",
            here(lambda now: widest(now.solution, now.solution.margins[now.kept])),
            source="Boser, Guyon and Vapnik (1992)",
            hypotheses={"w is not 0": met(some_w)},
            proof=(
                "if y (u·φ + c) >= γ on all rows for a unit u: times α >= 0, summed, with Σ α y = 0",
                "u·w >= γ Σ α, and u·w <= ‖w‖ (Cauchy, Schwarz)",
            ),
        ),
        Theorem(
            "no eigenvalue of a Gram matrix is negative",
            here(not_refuted),
            source="Mercer (1909)",
            proof=("Σ Σ c_i c_j k(x_i, x_j) = ‖Σ c_i φ(x_i)‖² >= 0 for all c",),
        ),
        Theorem(
            "only support vectors matter: w' without the others is w",
            here(lambda now: same_w(now.squared_change, now.first_solution, now.solution)),
            source="Boser, Guyon and Vapnik (1992)",
            hypotheses={"rows were taken out": met(pruned), "P' is finite": met(finite_primal)},
            proof=(
                "the rows taken out have α = 0: α is allowed without them, and W(α) is what it was",
                _DISTANCE,
                "for α and for α'; and ‖w' - w‖² <= 2‖w' - w*‖² + 2‖w - w*‖²",
            ),
        ),
    )
