"""Linear SVM by dual coordinate descent: one multiplier at a time goes to where the dual is greatest.

    least     P(w) = ½‖w‖² + C Σ loss(z),  z = y w·x           loss: max(0, 1 - z), its square, or 0 where z >= 1 else ∞
    greatest  D(α) = Σ α - ½‖w‖² - ½ δ Σ α²  over 0 <= α <= U,  w = Σ α y x;   U = C, δ = 0;  U = ∞, δ = 1/(2C);  ∞, 0

    α' = min(max(α + (1 - z - δα)/(‖x‖² + δ), 0), U),   w' = w + (α' - α) y x

A constant may be appended to x. Its weight stands in ‖w‖² as the others do, so there is no Σ α y = 0 and a multiplier
may move alone; the larger the constant, the less is paid for the bias b = constant times its weight.

For fixed α >= 0 the Lagrangian is least at w = Σ α y x, where it is D(α): so D(α) <= P(w) for all of them, and

    P - D = Σ [C ξ - α(1 - z)],  every term >= 0           hinge, ξ = max(0, 1 - z)
    P - D = Σ [C ξ² + α²/(4C) - α(1 - z)] >= Σ (√C ξ - α/(2√C))²           squared hinge

so that no row is further from its case (α = 0 and z >= 1; 0 < α < C and z = 1; α = C and z <= 1; or α = 2Cξ) than
the gap lets it. A step that moves α by s raises D by ½(‖x‖² + δ)s² at least.

With `path` the prices C grow fourfold up to C, each from the solution of the last. The pairs (Σ loss, ½‖w‖²) that
solve it for C1 and C2 lie on a convex front: its slope between them is between C1 and C2. As C grows ‖w‖ never falls
and Σ loss never rises; the errors may do either.

References: Hsieh, Chang, Lin, Keerthi and Sundararajan (2008), A dual coordinate descent method for large-scale linear
SVM, ICML; Cortes and Vapnik (1995), Support-vector networks, Machine Learning 20; Boser, Guyon and Vapnik (1992), A
training algorithm for optimal margin classifiers, COLT; Boyd and Vandenberghe (2004), Convex Optimization, sections
4.7 (fronts) and 5.5 (slackness).
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
    Seed,
    Sides,
    State,
    Theorem,
    Variable,
    kept,
    numbers,
)
from algorithms.core.theorem import Hypothesis
from algorithms.data import blobs, breast_cancer, iris, moons, penguins
from algorithms.toolbox.coordinate_ascent import Both, LinearMachine, SoftLoss, both, put
from algorithms.toolbox.linear_kkt import (
    goes_to_the_top,
    in_the_box,
    made_of_rows,
    no_wider,
    on_a_convex_front,
    owed_within,
    rises,
    twice_the_slack,
    weak_duality,
    wrongly_settled,
)
from algorithms.toolbox.orders import epoch_order, next_place, used_after
from algorithms.toolbox.panels.fronts import front_panels
from algorithms.toolbox.panels.linear import normals, weight_panels
from algorithms.toolbox.panels.support_vectors import linear_facts, margin_stage, multipliers, support_vectors
from algorithms.toolbox.signed_rows import extended_rows, squared_lengths, with_offset
from algorithms.toolbox.sizes import out_of_range

_LARGEST = 1e50  # beyond it squares of weights would overflow
_SHORT = 1e-8  # of the longest row: a shorter one would need a w out of all proportion to have z >= 1
_RATIO = 4.0  # of a price to the one before


class DualCoordinateDescentState(State, frozen=True, kw_only=True):
    alpha: Annotated[Array, Along("n")]  # the multipliers α
    w: Array  # (p,) Σ α y x, the weight of the constant last
    solved: Array  # (C's, 4) of each C that is solved: C, ½‖w‖², Σ loss, P - D
    row: int = -1  # the row just visited
    place: int = -1  # its place in this pass's order
    settled: int = 0  # visits in turn at which no slope was above the tolerance; all rows of a pass end it
    stage: int = 0  # how many prices came before this one
    largest: float = 0.0  # the largest Σ α since w was worked out from α: rounding in w is in proportion to it


def dual_coordinate_descent(
    data: Dataset,
    state: DualCoordinateDescentState | None = None,
    *,
    loss: Annotated[SoftLoss, Meta(description="what a row pays for z = y f below 1")] = "hinge",
    C: Annotated[float, Meta(ge=1e-6, le=1e6, description="price of a loss of one; of no use to a hard margin")] = 1.0,
    path: Annotated[int, Meta(ge=1, le=8, description="so many C, each four times the last, up to C")] = 1,
    constant: Annotated[float, Meta(ge=0, le=1000, description="appended to x for a bias, penalised; 0: none")] = 1.0,
    order: Annotated[
        Literal["cyclic", "shuffled"], Meta(description="rows in turn, or shuffled each pass")
    ] = "shuffled",
    tolerance: Annotated[float, Meta(ge=1e-12, le=1, description="slopes of D that are as good as none")] = 1e-2,
    passes: Annotated[int, Meta(ge=1, le=100_000, description="passes over the rows before giving up")] = 1000,
    seed: Annotated[Seed, Meta(description="of the orders")] = 0,
) -> Run[DualCoordinateDescentState]:
    Z, squares = data.once(extended_rows, constant), data.once(squared_lengths, constant)
    if state is None:
        state = DualCoordinateDescentState(alpha=np.zeros(data.n), w=np.zeros(Z.shape[1]), solved=np.empty((0, 4)))
        yield state
    while True:
        machine = LinearMachine(loss, price(C, path, state.stage))
        over = state.settled >= data.n and state.place + 1 == data.n
        if over and state.phase != "solved":
            front = np.vstack([state.solved, both(machine, Z, state.alpha, state.w).solved])
            state = state.after("solved", solved=front)
            yield state
            continue
        if over and state.stage + 1 == path:
            return f"in a whole pass no slope of D was above {tolerance:g}"
        stage, settled = (state.stage + 1, 0) if over else (state.stage, state.settled)
        machine = LinearMachine(loss, price(C, path, stage))
        epoch, place = next_place(state.iteration, state.place, data.n)
        if epoch > passes:
            return f"pass {passes:,} was the last, and slopes are left: {both(machine, Z, state.alpha, state.w).left}"
        row = int(epoch_order(data.n, order, seed, epoch)[place])
        was, z = state.alpha.item(row), float(Z[row] @ state.w)
        settled = settled + 1 if machine.violation(was, z) <= tolerance else 0
        visit: dict[str, float] = {"iteration": epoch, "place": place, "row": row, "settled": settled, "stage": stage}
        now = machine.top(was, z, squares.item(row))
        alpha, w = put(state.alpha, row, now), state.w + (now - was) * Z[row]
        visit["largest"] = max(state.largest, float(alpha.sum()))
        if now == was:
            state = state.after("left", **visit)
            yield state
        elif now in (0.0, machine.most):
            state = state.after("clipped", alpha=alpha, w=w, **visit)
            yield state
        else:
            state = state.after("free", alpha=alpha, w=w, **visit)
            yield state


def price(C: float, path: int, stage: int) -> float:
    """The C of a stage, each four times the one before and the last of them C."""
    return float(C / _RATIO ** (path - 1 - stage))


def adapt(
    before: Problem, after: Problem, state: DualCoordinateDescentState, rows: Array
) -> DualCoordinateDescentState:
    """Rows keep their α as far as U lets them, new ones have 0; w is worked out anew from them."""
    data, p, q = after.data, before.parameters, after.parameters
    same = data is before.data and p.loss == q.loss
    if same and (p.C, p.order, p.seed, p.tolerance) == (q.C, q.order, q.seed, q.tolerance):
        return state
    most = LinearMachine(q.loss, price(q.C, q.path, state.stage)).most
    alpha = np.minimum(np.where(rows >= 0, state.alpha[rows], 0.0), most)
    used = used_after(rows, epoch_order(before.data.n, p.order, p.seed, max(state.iteration, 1)), state.place + 1)
    row = np.flatnonzero((rows == state.row) & (rows >= 0))
    return state.replaced(
        alpha=alpha,
        w=alpha @ data.once(extended_rows, q.constant),
        solved=state.solved if same else np.empty((0, 4)),
        row=int(row[0]) if row.size else -1,
        place=used - 1,
        settled=0,
        largest=float(alpha.sum()),
    )


def machine_at(problem: Problem, state: DualCoordinateDescentState) -> LinearMachine:
    """The losses at the price of this stage."""
    p = problem.parameters
    return LinearMachine(p.loss, price(p.C, p.path, state.stage))


@kept
def at(problem: Problem, state: DualCoordinateDescentState) -> Both:
    """Both problems at a state."""
    return seen_from(machine_at(problem, state), problem, state)


def seen_from(machine: LinearMachine, problem: Problem, state: DualCoordinateDescentState) -> Both:
    """Both problems at a state, for a price that need not be that of its stage."""
    return both(machine, problem.data.once(extended_rows, problem.parameters.constant), state.alpha, state.w)


def primal(problem: Problem, state: DualCoordinateDescentState) -> float:
    value = at(problem, state).primal
    return value if np.isfinite(value) else np.nan


def gap(problem: Problem, state: DualCoordinateDescentState) -> float:
    value = at(problem, state).gap
    return value if np.isfinite(value) and value > 0 else np.nan


def error(problem: Problem, state: DualCoordinateDescentState) -> float:
    return float((at(problem, state).z <= 0).mean())


def finite(problem: Problem, state: DualCoordinateDescentState) -> bool | str:
    return bool(np.isfinite(at(problem, state).primal)) or "no multiple of w has z >= 1 on all rows yet: P = ∞"


def with_loss(loss: SoftLoss) -> Hypothesis:
    """The hypothesis that the loss is this one."""
    return lambda p, state: p.parameters.loss == loss or f"the loss is the {p.parameters.loss}"


def some_row(case: int, none: str) -> Hypothesis:
    """The hypothesis that a row is in a case of complementary slackness."""
    return lambda p, state: bool(at(p, state).cases()[case].any()) or none


def in_turn(problem: Problem, before: DualCoordinateDescentState, after: DualCoordinateDescentState) -> Answer:
    n, p = problem.data.n, problem.parameters
    epoch, place = next_place(before.iteration, before.place, n)
    row = int(epoch_order(n, p.order, p.seed, epoch)[place])
    if row != after.row:
        return Sides(("row", after.row), ("the next in turn", row), relation="==")
    old = seen_from(machine_at(problem, after), problem, before)
    settled = before.settled if before.stage == after.stage else 0
    return wrongly_settled(old, row, p.tolerance, settled, after.settled) or goes_to_the_top(old, after.alpha, row)


def dual_rises(problem: Problem, before: DualCoordinateDescentState, after: DualCoordinateDescentState) -> Answer:
    return rises(seen_from(machine_at(problem, after), problem, before), at(problem, after), after.row)


def supports_changed(by: int) -> Callable[[DualCoordinateDescentState | None, DualCoordinateDescentState], bool]:
    """Whether a step made one support vector more (by 1) or fewer (by -1)."""

    def happened(before: DualCoordinateDescentState | None, after: DualCoordinateDescentState) -> bool:
        if before is None or len(before.alpha) != len(after.alpha) or after.phase not in ("free", "clipped"):
            return False
        return int((after.alpha > 0).sum()) - int((before.alpha > 0).sum()) == by

    return happened


def validate(problem: Problem) -> str | None:
    p = problem.parameters
    if p.loss == "hard margin" and p.path > 1:
        return "a hard margin has no price C to follow: set path to 1, or choose another loss."
    extreme = out_of_range(problem.data, _LARGEST)
    if extreme or p.loss != "hard margin":
        return extreme
    squares = problem.data.once(squared_lengths, p.constant)
    shortest = int(squares.argmin())
    if squares[shortest] <= _SHORT**2 * squares.max():
        return f"row {shortest} is 0, or next to it, so that no w gives it y f >= 1: choose another loss or a constant."
    return None


def scene(problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState) -> Scene:
    data, constant, machine = problem.data, problem.parameters.constant, machine_at(problem, after)
    z, most = at(problem, after).z, machine.most
    now = with_offset(after.w, constant)
    was = None if before is None else with_offset(before.w, constant)
    marked = (after.row,) if after.row >= 0 and after.phase != "solved" else ()
    stage = margin_stage(data, lambda x: x @ now[:-1] + now[-1], after.alpha, most, z, marked)
    arrows = normals(data, now[:-1], float(now[-1]), None if was is None else was[:-1])
    panels = [
        replace(stage, marks=(*stage.marks, *arrows)),
        multipliers(data.signs, after.alpha, most, marked),
        numbers(linear_facts(at(problem, after), constant)),
        support_vectors(data, after.alpha, most, z, marked),
        *weight_panels(data, now[: len(after.w)], bool(constant), None if was is None else was[: len(after.w)]),
    ]
    if problem.parameters.path > 1:
        panels[2:2] = front_panels(after.solved, at(problem, after).solved)
    return Scene(tuple(panels))


def explain(problem: Problem, before: DualCoordinateDescentState | None, after: DualCoordinateDescentState) -> str:
    data, machine, row = problem.data, machine_at(problem, after), after.row
    carried = at(problem, after).carried
    if after.phase == "start":
        return f"All {data.n} multipliers are 0 and so is w: every row falls short of y f = 1 by one, and D = 0."
    if after.phase == "solved" and after.settled >= data.n:
        price_now = "" if machine.loss == "hard margin" else f" at C = {machine.C:g}"
        left, b = gap(problem, after), float(with_offset(after.w, problem.parameters.constant)[-1])
        close = "" if np.isnan(left) else f", and P - D = {left:.2g}"
        paid = f" b = {b:.3g} costs {after.w[-1] ** 2 / 2:.2g} of P." if b else ""
        return f"A whole pass found no slope to follow{price_now}{close}. {carried}.{paid}"
    if before is None or row < 0:
        return f"The run goes on from here: {carried}, which is Σ α y x of those with α > 0."
    z = float(at(problem, before).z[row])
    was, now = before.alpha.item(row), after.alpha.item(row)
    who = f"Row {row} ({data.row(row)}) has y f = {z:.3g} and α = {was:.3g}"
    if after.phase == "left":
        return f"{who}. {machine.why_it_stays(was, z)}"
    reached = float(at(problem, after).z[row])
    gained = max(at(problem, after).dual - machine.dual(before.alpha, before.w), 0.0)
    slope = "rises" if now > was else "falls"
    end = " and stops there, at an end of its box" if after.phase == "clipped" else ", where D is greatest along it"
    return f"{who}: D {slope} with α. α goes to {now:.3g}{end}; y f = {reached:.3g} now. D rises by {gained:.3g}."


PRICE = Variable("C", lambda problem, state: machine_at(problem, state).C, log=lambda problem: True)
SYMBOLS = {
    "α": ("a multiplier a row, α >= 0", None),
    "C": ("the price of a loss of one; the most an α of the hinge may be", lambda p, s: machine_at(p, s).C),
    "U, δ": ("most α may be, and its own curvature of D: 1/(2C), squared hinge", lambda p, s: machine_at(p, s).damping),
    "w": ("Σ α y x, the weight of the constant last; ‖w‖ here", lambda p, s: at(p, s).norm),
    "x, y, f": ("a row with the constant appended, its class as ±1, and w·x", None),
    "z": ("y f, above 0 on the right side", None),
    "ξ": ("max(0, 1 - z), by how much a row falls short", None),
    "D": ("the dual, Σ α - ½‖w‖² - ½δΣα²", lambda p, s: at(p, s).dual),
    "P": ("the primal, ½‖w‖² + C Σ loss", lambda p, s: at(p, s).primal if np.isfinite(at(p, s).primal) else None),
    "s": ("by how much α moved", None),
    "α', w', D'": ("those after a step", None),
}
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


THEOREMS = (
    Theorem(
        "the next row's α goes to the top of its parabola, or the box's end",
        in_turn,
        source="Hsieh et al. (2008)",
        about="step",
        phases=("left", "free", "clipped"),
        proof=("∂D/∂α = 1 - z - δα, ∂²D/∂α² = -(‖x‖² + δ): D is a parabola along α, and concave",),
    ),
    Theorem(
        "the dual never falls: D + ½(‖x‖² + δ)s² <= D'",
        dual_rises,
        source="Hsieh et al. (2008)",
        about="step",
        phases=MOVED,
        proof=(
            "a step s along α raises D by (slope)s - ½(‖x‖² + δ)s²",
            "it goes to s = slope/(‖x‖² + δ) or less far: slope times s is (‖x‖² + δ)s² at least",
        ),
    ),
    Theorem(
        "w = Σ α y x, where the Lagrangian is least",
        lambda p, before, s: made_of_rows(at(p, s).rows, s.alpha, s.w, s.largest),
        source="Boser, Guyon and Vapnik (1992)",
        proof=("½‖w‖² + Σ α(1 - y w·x) has the slope w - Σ α y x", "a step adds s y x to w and s to α"),
    ),
    Theorem(
        "0 <= α <= U",
        lambda p, before, s: in_the_box(at(p, s)),
        source="Cortes and Vapnik (1995)",
        proof=("for the hinge α + β = C with multipliers α of z >= 1 - ξ and β of ξ >= 0",),
    ),
    Theorem(
        "the dual is never above the primal: D(α) <= P(w)",
        lambda p, before, s: weak_duality(at(p, s)),
        source="Cortes and Vapnik (1995)",
        hypotheses={"P is finite": finite},
        proof=("D(α) is the least the Lagrangian can be, which is not above P where the constraints hold",),
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

ALGORITHM = Algorithm(
    dual_coordinate_descent,
    title="Linear SVM, dual coordinate descent",
    summary="Finds a soft margin through its dual: each row in turn has its multiplier put where the dual is greatest.",
    rule="α' = min(max(α + (1 - y w·x - δα)/(‖x‖² + δ), 0), U)\nw' = w + (α' - α) y x",
    needs=Needs(target="class", classes=2),
    phases={
        "start": "α = 0 and w = 0",
        "free": "α goes to the top of its parabola",
        "clipped": "α goes to an end of its box",
        "left": "α is where it is best already",
        "solved": "a pass without a slope to follow: this C is solved",
    },
    events=(
        Event("a new support vector", supports_changed(1)),
        Event("one fewer support vector", supports_changed(-1)),
        "solved",
    ),
    start_only=("path", "constant"),
    curves=(
        Curve("primal", primal, "P(w)", chart="objective"),
        Curve("dual", lambda problem, state: at(problem, state).dual, "D(α)", chart="objective"),
        Curve("gap", gap, "P(w) - D(α)", log=True),
        Curve("error", error, "share of rows with y f <= 0", held_out=True),
        Curve("support vectors", lambda problem, state: float((state.alpha > 0).sum()), "rows with α > 0"),
        Curve("‖w‖", lambda problem, state: at(problem, state).norm, "√(w·w), at the last w of each C", along=PRICE),
        Curve("Σ loss", lambda problem, state: at(problem, state).total_loss, "at the last w of each C", along=PRICE),
        Curve("error by C", error, "share of rows with y f <= 0, at the last w of each C", held_out=True, along=PRICE),
    ),
    theorems=THEOREMS,
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        blobs.with_(n=40, spread=1.5, hold_out=0.25),
        iris.with_(positive="virginica", columns=("petal_length_cm", "petal_width_cm"), scale=True),
        penguins.with_(positive="Chinstrap", scale=True),
        breast_cancer.with_(scale=True, hold_out=0.25),
        moons,
    ),
)
