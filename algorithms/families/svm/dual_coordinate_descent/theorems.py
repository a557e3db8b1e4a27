"""What holds of dual coordinate descent: both sides of every statement, and why it is so."""

import numpy as np

from algorithms.core import Answer, Array, Problem, Sides, theorem
from algorithms.core.theorems import Hypothesis
from algorithms.families.svm.dual_coordinate_descent.measures import (
    DualCoordinateDescentState,
    at,
    machine_at,
    seen_from,
)
from algorithms.toolbox.coordinate_ascent import Both, SoftLoss, made_of_rows, put
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.orders import epoch_order, next_place


def finite(problem: Problem, state: DualCoordinateDescentState) -> bool | str:
    return bool(np.isfinite(at(problem, state).primal)) or "no multiple of w has z >= 1 on all rows yet: P = ∞"


def with_loss(loss: SoftLoss) -> Hypothesis:
    """The hypothesis that the loss is this one."""
    return lambda p, state: p.parameters.loss == loss or f"the loss is the {p.parameters.loss}"


def in_case(case: int, none: str) -> dict[str, Hypothesis]:
    """The hypotheses of a case of complementary slackness: rows are in it."""

    def some_row(problem: Problem, state: DualCoordinateDescentState) -> bool | str:
        return bool(at(problem, state).cases()[case].any()) or none

    return {"the loss is the hinge": with_loss("hinge"), "a row is in this case": some_row}


def priced(problem: Problem, state: DualCoordinateDescentState) -> bool | str:
    return problem.parameters.loss != "hard margin" or "a hard margin has no price"


def two_solved(problem: Problem, state: DualCoordinateDescentState) -> bool | str:
    return len(state.solved) > 1 or "only one C is solved yet"


MOVED = ("free", "clipped")
OWED = (
    "‖w‖² = Σ α z, so P - D = Σ [C ξ - α(1 - z)]",
    "P - D = Σ [α max(0, z - 1) + (C - α) max(0, 1 - z)], and no term is below 0",
    "each is at most the whole gap, which goes to 0",
)


@theorem(
    "the dual is never above the primal: D(α) <= P(w)",
    source="Cortes and Vapnik (1995)",
    hypotheses={"P is finite": finite},
    proof=("D(α) is the least the Lagrangian can be, which is not above P where the constraints hold",),
)
def weak_duality(
    problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState
) -> Answer:
    now = at(problem, after)
    return Sides(("D(α)", now.dual), ("P(w)", now.primal), size=now.size)


@theorem(
    "the next row's α goes to the top of its parabola, or the box's end",
    source="Hsieh et al. (2008)",
    about="step",
    phases=("stays", "free", "clipped"),
    proof=("∂D/∂α = 1 - z - δα, ∂²D/∂α² = -(‖x‖² + δ): D is a parabola along α, and concave",),
)
def in_turn(problem: Problem, before: DualCoordinateDescentState, after: DualCoordinateDescentState) -> Answer:
    n, p = problem.data.n, problem.parameters
    epoch, place = next_place(before.iteration, before.place, n)
    row = int(epoch_order(n, p.order, p.seed, epoch)[place])
    if row != after.row:
        return Sides(("row", after.row), ("the next in turn", row), relation="==")
    old = seen_from(machine_at(problem, after), problem, before)
    settled = before.settled if before.stage == after.stage else 0
    return wrongly_settled(old, row, p.tolerance, settled, after.settled) or goes_to_the_top(old, after.alpha, row)


def goes_to_the_top(old: Both, now: Array, row: int) -> Answer:
    """Hold (n,) α after a visit to a row against the top of the parabola along its own, worked out anew."""
    x = old.rows[row]
    slope, bend = 1 - float(x @ old.w) - old.machine.damping * old.alpha[row], float(x @ x) + old.machine.damping
    flat = old.machine.most if slope > 0 else old.alpha[row]  # along a row of zeros D is a line
    best = old.alpha[row] + slope / bend if bend else flat
    aim = put(old.alpha, row, float(np.clip(best, 0.0, old.machine.most)))
    size = np.maximum(old.alpha, aim) + (1 + float(np.abs(x) @ np.abs(old.w))) / (bend or 1.0)
    if np.array_equal(now, put(old.alpha, row, float(now[row]))):  # the others stay: the row's own is what there is
        sides = (f"α'[row {row}]", float(now[row])), (f"top[row {row}]", float(aim[row]))
        return Sides(*sides, relation="==", size=float(size[row]))
    return Sides.each(("α'", now), ("top", aim), relation="==", size=size, axes=("row",))


def wrongly_settled(old: Both, row: int, tolerance: float, before: int, after: int) -> Sides | None:
    """Hold the count of visits in turn without a slope above the tolerance against it; None where it is right."""
    alpha, most = float(old.alpha[row]), old.machine.most
    slope = 1 - float(old.rows[row] @ old.w) - old.machine.damping * alpha
    held = (alpha <= 0 and slope < 0) or (alpha >= most and slope > 0)
    steep = 0.0 if held else abs(slope)
    right = before + 1 if steep <= tolerance else 0
    return None if after == right else Sides(("visits settled", after), ("in turn", right), relation="==")


@theorem(
    "the dual never falls: D + ½(‖x‖² + δ)s² <= D'",
    source="Hsieh et al. (2008)",
    about="step",
    phases=MOVED,
    proof=(
        "a step s along α raises D by (slope)s - ½(‖x‖² + δ)s²",
        "it goes to s = slope/(‖x‖² + δ) or less far: slope times s is (‖x‖² + δ)s² at least",
    ),
)
def dual_rises(problem: Problem, before: DualCoordinateDescentState, after: DualCoordinateDescentState) -> Answer:
    old, now = seen_from(machine_at(problem, after), problem, before), at(problem, after)
    moved, x = float(now.alpha[after.row] - old.alpha[after.row]), old.rows[after.row]
    least = (float(x @ x) + now.machine.damping) * moved**2 / 2
    size = old.size + now.size + least
    return Sides(("D + ½(‖x‖² + δ)s²", old.dual + least), ("D'", now.dual), size=size)


@theorem(
    "w = Σ α y x, where the Lagrangian is least",
    source="Boser, Guyon and Vapnik (1992)",
    proof=("½‖w‖² + Σ α(1 - y w·x) has the slope w - Σ α y x", "a step adds s y x to w and s to α"),
)
def made_of(problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState) -> Answer:
    names = weight_names(problem.data, bool(problem.parameters.constant))
    return made_of_rows(at(problem, after).rows, after.alpha, after.w, after.largest, names)


@theorem(
    "0 <= α <= U, for the hinge U = C",
    source="Cortes and Vapnik (1995)",
    proof=("hinge: let β >= 0 be the multipliers of ξ >= 0, as α are of z >= 1 - ξ: then α + β = C",),
)
def in_the_box(
    problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState
) -> Answer:
    now = at(problem, after)
    ends = ("0", 0.0), ("least α", float(now.alpha.min())), ("greatest α", float(now.alpha.max()))
    return Sides(*ends, ("U", now.machine.most)) if np.isfinite(now.machine.most) else Sides(*ends)


@theorem(
    "α = 0: C(1 - z) <= P - D, so z >= 1 at the end",
    source="Boyd and Vandenberghe (2004)",
    hypotheses=in_case(0, "no row has α = 0"),
    proof=OWED,
)
def at_zero(problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState) -> Answer:
    now = at(problem, after)
    return owed_within(now, now.cases()[0])


@theorem(
    "0 < α < C: α(z - 1), (C - α)(1 - z) <= P - D",
    source="Boyd and Vandenberghe (2004)",
    hypotheses=in_case(1, "no row has 0 < α < C"),
    proof=OWED,
)
def between(problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState) -> Answer:
    now = at(problem, after)
    return owed_within(now, now.cases()[1])


@theorem(
    "α = C: C(z - 1) <= P - D, so z <= 1 at the end",
    source="Boyd and Vandenberghe (2004)",
    hypotheses=in_case(2, "no row has α = C"),
    proof=OWED,
)
def at_C(problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState) -> Answer:
    now = at(problem, after)
    return owed_within(now, now.cases()[2])


def owed_within(at: Both, among: Array) -> Answer:
    """α max(0, z - 1) + (C - α) max(0, 1 - z) <= P - D on each of some rows: the hinge's terms of the gap."""
    owed = at.alpha * np.maximum(at.z - 1, 0.0) + (at.machine.C - at.alpha) * np.maximum(1 - at.z, 0.0)
    return Sides.each(("owed", np.where(among, owed, 0.0)), ("P - D", at.gap), size=at.size, axes=("row",))


@theorem(
    "squared hinge: (α - 2Cξ)² <= 4C(P - D), so α = 2Cξ at the end",
    source="Hsieh et al. (2008)",
    hypotheses={"the loss is the squared hinge": with_loss("squared hinge")},
    proof=(
        "‖w‖² = Σ α z, so P - D = Σ [C ξ² + α²/(4C) - α(1 - z)], and 1 - z <= ξ",
        "so every term is (√C ξ - α/(2√C))² at least, which is (α - 2Cξ)²/(4C)",
    ),
)
def twice_the_slack(
    problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState
) -> Answer:
    now = at(problem, after)
    C = now.machine.C
    off = (now.alpha - 2 * C * np.maximum(1 - now.z, 0.0)) ** 2 / (4 * C)
    return Sides.each(("(α - 2Cξ)²/(4C)", off), ("P - D", now.gap), size=now.size, axes=("row",))


@theorem(
    "no margin is wider than ‖w‖/Σα",
    source="Boser, Guyon and Vapnik (1992)",
    proof=(
        "for any unit vector u, let γ be its margin: y u·x >= γ for all rows",
        "γ Σ α <= Σ α y u·x = u·w <= ‖w‖ (Cauchy, Schwarz)",
    ),
)
def no_wider(problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState) -> Answer:
    now = at(problem, after)
    total = float(now.alpha.sum())
    if not now.norm or not total:
        return None
    size = (now.size / total + float(np.abs(now.z).max())) / now.norm
    return Sides(("least z/‖w‖", float(now.z.min()) / now.norm), ("‖w‖/Σα", now.norm / total), size=size)


@theorem(
    "½‖w‖² <= Cn: w goes to 0 with its price",
    source="Shalev-Shwartz et al. (2011)",
    about="run",
    hypotheses={"there is a price": priced},
    proof=(
        "½‖w‖² = Σ(α - ½δα²) - D, and D is 0 at α = 0 and never falls",
        "hinge: α <= C; squared hinge: α - α²/(4C) <= C; n rows have Cn at most, P at w = 0",
    ),
)
def no_longer(problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState) -> Answer:
    now = at(problem, after)
    return Sides(("½‖w‖²", now.norm**2 / 2), ("Cn", now.machine.C * len(now.alpha)), size=now.size)


@theorem(
    "between C₁ and C₂ the front of (Σ loss, ½‖w‖²) falls by C₁ to C₂",
    source="Boyd and Vandenberghe (2004)",
    phases=("solved",),
    hypotheses={"two C are solved": two_solved},
    proof=(
        "P₁(w₁) <= P₁(w₂) + gap₁, the P of C₁: ½‖w₂‖² - ½‖w₁‖² >= C₁(loss₁ - loss₂) - gap₁",
        "P₂(w₂) <= P₂(w₁) + gap₂, the P of C₂: ½‖w₂‖² - ½‖w₁‖² <= C₂(loss₁ - loss₂) + gap₂",
    ),
)
def on_a_convex_front(
    problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState
) -> Answer:
    """Of the last two prices that are solved, what ½‖w‖² rose by against what Σ loss fell by.

    Neither is solved but for its gap, which is let in.
    """
    (C1, half1, loss1, gap1), (C2, half2, loss2, gap2) = after.solved[-2:].tolist()
    fell, size = loss1 - loss2, half1 + half2 + (C1 + C2) * (loss1 + loss2)
    sides = ("C₁ fall - gap₁", C1 * fell - gap1), ("rise of ½‖w‖²", half2 - half1), ("C₂ fall + gap₂", C2 * fell + gap2)
    return Sides(*sides, size=size)


THEOREMS = (
    weak_duality,
    in_turn,
    dual_rises,
    made_of,
    in_the_box,
    at_zero,
    between,
    at_C,
    twice_the_slack,
    no_wider,
    no_longer,
    on_a_convex_front,
)
