"""What holds of dual coordinate descent: both sides of every statement, and why it is so."""

import numpy as np

from algorithms.core import Answer, Problem, Sides, Theorem, theorem
from algorithms.core.theorem import Hypothesis
from algorithms.families.svm.dual_coordinate_descent.measures import (
    DualCoordinateDescentState,
    at,
    machine_at,
    seen_from,
)
from algorithms.toolbox.coordinate_ascent import SoftLoss
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.linear_kkt import (
    goes_to_the_top,
    in_the_box,
    made_of_rows,
    no_longer,
    no_wider,
    on_a_convex_front,
    owed_within,
    rises,
    twice_the_slack,
    weak_duality,
    wrongly_settled,
)
from algorithms.toolbox.orders import epoch_order, next_place


def finite(problem: Problem, state: DualCoordinateDescentState) -> bool | str:
    return bool(np.isfinite(at(problem, state).primal)) or "no multiple of w has z >= 1 on all rows yet: P = ∞"


def with_loss(loss: SoftLoss) -> Hypothesis:
    """The hypothesis that the loss is this one."""
    return lambda p, state: p.parameters.loss == loss or f"the loss is the {p.parameters.loss}"


def some_row(case: int, none: str) -> Hypothesis:
    """The hypothesis that a row is in a case of complementary slackness."""
    return lambda p, state: bool(at(p, state).cases()[case].any()) or none


def priced(problem: Problem, state: DualCoordinateDescentState) -> bool | str:
    return problem.parameters.loss != "hard margin" or "a hard margin has no price"


MOVED = ("free", "clipped")
OWED = "P - D = Σ [α max(0, z - 1) + (C - α) max(0, 1 - z)], and no term is below 0"
CASES = (
    ("α = 0: C(1 - z) <= P - D, so z >= 1 at the end", "no row has α = 0"),
    ("0 < α < C: α(z - 1), (C - α)(1 - z) <= P - D", "no row has 0 < α < C"),
    ("α = C: C(z - 1) <= P - D, so z <= 1 at the end", "no row has α = C"),
)


def of_the_case(case: int, statement: str, none: str) -> Theorem:
    """What the rows of a case of complementary slackness owe is within the gap."""
    return Theorem(
        statement,
        lambda p, before, s: owed_within(at(p, s), at(p, s).cases()[case]),
        source="Boyd and Vandenberghe (2004)",
        hypotheses={"the loss is the hinge": with_loss("hinge"), "a row is in this case": some_row(case, none)},
        proof=("‖w‖² = Σ α z, so P - D = Σ [C ξ - α(1 - z)]", OWED, "each is at most the whole gap, which goes to 0"),
    )


@theorem(
    "the next row's α goes to the top of its parabola, or the box's end",
    source="Hsieh et al. (2008)",
    about="step",
    phases=("left", "free", "clipped"),
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
    return rises(seen_from(machine_at(problem, after), problem, before), at(problem, after), after.row)


@theorem(
    "w = Σ α y x, where the Lagrangian is least",
    source="Boser, Guyon and Vapnik (1992)",
    proof=("½‖w‖² + Σ α(1 - y w·x) has the slope w - Σ α y x", "a step adds s y x to w and s to α"),
)
def made_of(problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState) -> Answer:
    names = weight_names(problem.data, bool(problem.parameters.constant))
    return made_of_rows(at(problem, after).rows, after.alpha, after.w, after.largest, names)


THEOREMS = (
    Theorem(
        "the dual is never above the primal: D(α) <= P(w)",
        lambda p, before, s: weak_duality(at(p, s)),
        source="Cortes and Vapnik (1995)",
        hypotheses={"P is finite": finite},
        proof=("D(α) is the least the Lagrangian can be, which is not above P where the constraints hold",),
    ),
    in_turn,
    dual_rises,
    made_of,
    Theorem(
        "0 <= α <= U, for the hinge U = C",
        lambda p, before, s: in_the_box(at(p, s)),
        source="Cortes and Vapnik (1995)",
        proof=("for the hinge α + β = C with multipliers α of z >= 1 - ξ and β of ξ >= 0",),
    ),
    *(of_the_case(case, *words) for case, words in enumerate(CASES)),
    Theorem(
        "squared hinge: (α - 2Cξ)² <= 4C(P - D), so α = 2Cξ at the end",
        lambda p, before, s: twice_the_slack(at(p, s)),
        source="Hsieh et al. (2008)",
        hypotheses={"the loss is the squared hinge": with_loss("squared hinge")},
        proof=(
            "‖w‖² = Σ α z, so P - D = Σ [C ξ² + α²/(4C) - α(1 - z)], and 1 - z <= ξ",
            "so every term is (√C ξ - α/(2√C))² at least, which is (α - 2Cξ)²/(4C)",
        ),
    ),
    Theorem(
        "no margin is wider than ‖w‖/Σα",
        lambda p, before, s: no_wider(at(p, s)),
        source="Boser, Guyon and Vapnik (1992)",
        proof=("if y u·x >= γ on all rows for a unit u: γΣα <= Σ α y u·x = u·w <= ‖w‖ (Cauchy, Schwarz)",),
    ),
    Theorem(
        "½‖w‖² <= Cn: w goes to 0 with its price",
        lambda p, before, s: no_longer(at(p, s)),
        source="Shalev-Shwartz et al. (2011)",
        about="run",
        hypotheses={"there is a price": priced},
        proof=(
            "½‖w‖² = Σ(α - ½δα²) - D, and D is 0 at α = 0 and never falls",
            "hinge: α <= C; squared hinge: α - α²/(4C) <= C; n rows have Cn at most, P at w = 0",
        ),
    ),
    Theorem(
        "between C₁ and C₂ the front of (Σ loss, ½‖w‖²) falls by C₁ to C₂",
        lambda p, before, s: on_a_convex_front(s.solved),
        source="Boyd and Vandenberghe (2004)",
        phases=("solved",),
        hypotheses={"two C are solved": lambda p, s: len(s.solved) > 1 or "only one C is solved yet"},
        proof=(
            "P₁(w₁) <= P₁(w₂) + gap₁, the P of C₁: ½‖w₂‖² - ½‖w₁‖² >= C₁(loss₁ - loss₂) - gap₁",
            "P₂(w₂) <= P₂(w₁) + gap₂, the P of C₂: ½‖w₂‖² - ½‖w₁‖² <= C₂(loss₁ - loss₂) + gap₂",
        ),
    ),
)
