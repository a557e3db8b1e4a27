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
and Σ loss never rises; the errors may do either. The least ½‖w‖² for Σ loss <= T is on that front too, and C is the
multiplier of that constraint. As D >= 0 on the way, ½‖w‖² <= Cn, which is P at w = 0: w goes to 0 with C.

References: Hsieh, Chang, Lin, Keerthi and Sundararajan (2008), A dual coordinate descent method for large-scale linear
SVM, ICML; Cortes and Vapnik (1995), Support-vector networks, Machine Learning 20; Boser, Guyon and Vapnik (1992), A
training algorithm for optimal margin classifiers, COLT; Shalev-Shwartz, Singer, Srebro and Cotter (2011), Pegasos:
primal estimated sub-gradient solver for SVM, Mathematical Programming 127; Boyd and Vandenberghe (2004), Convex
Optimization, sections 4.7 (fronts) and 5.5 (slackness).
"""

from collections.abc import Callable
from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Array,
    Ask,
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
    Undecided,
    Variable,
    numbers,
)
from algorithms.data import blobs, breast_cancer, iris, moons, penguins
from algorithms.families.svm.dual_coordinate_descent.measures import (
    DualCoordinateDescentState,
    a_row,
    at,
    error,
    gap,
    machine_at,
    price,
    primal,
)
from algorithms.families.svm.dual_coordinate_descent.pictures import front_panels
from algorithms.families.svm.dual_coordinate_descent.theorems import THEOREMS
from algorithms.families.svm.shared.support_vectors_pictures import (
    linear_facts,
    margin_stage,
    multipliers,
    support_vectors,
)
from algorithms.toolbox.coordinate_ascent import LinearMachine, SoftLoss, both, put
from algorithms.toolbox.entries import of_rows
from algorithms.toolbox.orders import epoch_order, next_place, used_in_epoch
from algorithms.toolbox.panels.linear import normals, weight_panels
from algorithms.toolbox.signed_rows import signed_rows, squared_lengths, with_offset

_COMPARED = 4000  # rows, of which each is held against all others
_SHORT = 1e-8  # of the longest row: a shorter one would need a w out of all proportion to have z >= 1


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
    Z, squares = data.once(signed_rows, constant), data.once(squared_lengths, constant)
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
            solution = both(machine, Z, state.alpha, state.w)
            return f"in a whole pass no slope of D was above {tolerance:g}; {solution.made_of}"
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
            state = state.after("stays", **visit)
            yield state
        elif now in (0.0, machine.most):
            state = state.after("clipped", alpha=alpha, w=w, **visit)
            yield state
        else:
            state = state.after("free", alpha=alpha, w=w, **visit)
            yield state


def adapt(
    before: Problem, after: Problem, state: DualCoordinateDescentState, rows: Array
) -> DualCoordinateDescentState:
    """Rows keep their α as far as U lets them, new ones have 0; w is worked out anew from them."""
    data, p, q = after.data, before.parameters, after.parameters
    same = data is before.data and p.loss == q.loss
    if same and (p.C, p.order, p.seed, p.tolerance) == (q.C, q.order, q.seed, q.tolerance):
        return state
    most = LinearMachine(q.loss, price(q.C, q.path, state.stage)).most
    alpha = np.minimum(of_rows(state.alpha, rows), most)
    return state.replaced(
        alpha=alpha,
        w=alpha @ data.once(signed_rows, q.constant),
        solved=state.solved if same else np.empty((0, 4)),
        place=used_in_epoch(before, state.iteration, state.place + 1, rows) - 1,
        settled=0,
        largest=float(alpha.sum()),
    )


def supports_changed(by: int) -> Callable[[DualCoordinateDescentState | None, DualCoordinateDescentState], bool]:
    """Whether a step made one support vector more (by 1) or fewer (by -1)."""

    def happened(before: DualCoordinateDescentState | None, after: DualCoordinateDescentState) -> bool:
        if before is None or len(before.alpha) != len(after.alpha) or after.phase not in ("free", "clipped"):
            return False
        return int((after.alpha > 0).sum()) - int((before.alpha > 0).sum()) == by

    return happened


def passes_made(problem: Problem, state: DualCoordinateDescentState) -> bool | Sides:
    """As many passes are made as may be, and the last did not settle."""
    n, most = problem.data.n, problem.parameters.passes  # a fork that allows fewer may be beyond it, within a pass
    whole = state.place + 1 == n
    over, settled = state.iteration > most or whole, whole and state.settled >= n and state.phase != "solved"
    return over and not settled and Sides(("passes", most), ("made", state.iteration))


def settled_pass(problem: Problem, state: DualCoordinateDescentState) -> bool | Sides | Undecided:
    """A pass is over, and along no α D has a larger slope than moves of the others could bring it.

    When it was visited the slope became 0, and since then each other α_j moved by tolerance/(k_jj + δ) at most, which
    changes the slope along α_i by |k_ij| as much.
    """
    n, p = problem.data.n, problem.parameters
    if state.phase != "solved" or state.stage + 1 < p.path or state.settled < n:
        return False
    if n > _COMPARED:
        return Undecided(f"each α is held against all others, of {_COMPARED:,} rows at most")
    machine, Z = machine_at(problem, state), problem.data.once(signed_rows, p.constant)
    K, z = np.abs(Z @ Z.T), Z @ state.w
    k = np.diagonal(K) + machine.damping
    moves = np.divide(p.tolerance, k, out=np.zeros(n), where=k > 0)
    slopes = np.array([machine.violation(alpha, z_i) for alpha, z_i in zip(state.alpha, z)])
    room = K @ moves - np.diagonal(K) * moves
    size = 1 + np.abs(z) + machine.damping * state.alpha + state.largest * np.diagonal(K)
    return Sides.each(("|slope of D|", slopes), ("tolerance Σ|k|/(k + δ)", room), size=size, axes=("row",))


def validate(problem: Problem) -> str | None:
    p = problem.parameters
    if p.loss == "hard margin" and p.path > 1:
        return "a hard margin has no price C to follow: set path to 1, or choose another loss."
    if p.loss != "hard margin":
        return None
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
    made_of = at(problem, after).made_of
    if after.phase == "start":
        return f"All {data.n} multipliers are 0 and so is w: every row falls short of y f = 1 by one, and D = 0."
    if after.phase == "solved" and after.settled >= data.n:
        price_now = "" if machine.loss == "hard margin" else f" at C = {machine.C:g}"
        left, b = gap(problem, after), float(with_offset(after.w, problem.parameters.constant)[-1])
        close = "" if np.isnan(left) else f": P - D = {left:.2g}"
        half = float(after.w @ after.w) / 2
        paid = f" ½‖w‖² = {half:.3g}, of which the bias b = {b:.3g} is {after.w[-1] ** 2 / 2:.2g}." if b else ""
        return f"This is the solution{price_now}{close}.{paid}"
    if before is None or row < 0:
        return f"The run goes on from here: {made_of}."
    z = float(at(problem, before).z[row])
    was, now = before.alpha.item(row), after.alpha.item(row)
    who = f"{data.who(row)} has y f = {z:.3g} and α = {was:.3g}"
    if after.phase == "stays":
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
    "n": ("number of rows", lambda p, s: p.data.n),
    "z": ("y f, above 0 on the right side", None),
    "ξ": ("max(0, 1 - z), by how much a row falls short", None),
    "D": ("the dual, Σ α - ½‖w‖² - ½δΣα²", lambda p, s: at(p, s).dual),
    "P": ("the primal, ½‖w‖² + C Σ loss", lambda p, s: at(p, s).primal if np.isfinite(at(p, s).primal) else None),
    "s": ("by how much α moved", None),
    "α', w', D'": ("those after a step", None),
}


def setting(problem: Problem) -> dict[str, object]:
    """What the objective depends on: Pegasos has 1/(nλ) for C."""
    p = problem.parameters
    price = {} if p.loss == "hard margin" else {"C": p.C}
    return {"loss": p.loss, "constant": p.constant} | price | ({"path": p.path} if p.path > 1 else {})


ALGORITHM = Algorithm(
    dual_coordinate_descent,
    title="Linear SVM, dual coordinate descent",
    point="One row at a time gets its weight; only those at or inside the margin keep any.",
    after=("nearest_hulls",),
    also=("linear svm", "liblinear"),
    leaves_open="It is the best w for this C; nothing here chose C.",
    tries=(("a hard margin", "-p 'loss=hard margin'"), ("C = 0.01", "-p C=0.01")),
    asks=(
        Ask("Is α of the next row best as it is?", "stays"),
        Ask.way("The dual rises, or stays: what does the primal do?", "primal"),
    ),
    summary="Finds a soft margin through its dual: each row in turn has its multiplier put where the dual is greatest.",
    rule="α' = min(max(α + (1 - y w·x - δα)/(‖x‖² + δ), 0), U)\nw' = w + (α' - α) y x",
    needs=Needs(target="class", classes=2, within=(1e-50, 1e50)),  # beyond, squares of weights overflow
    phases={
        "start": "α = 0 and w = 0",
        "free": "α goes to the top of its parabola",
        "clipped": "α goes to an end of its box",
        "stays": "α is where it is best already",
        "solved": "a pass without a slope to follow: this C is solved",
    },
    events=(
        Event("a new support vector", supports_changed(1)),
        Event("one fewer support vector", supports_changed(-1)),
        Event("the next C", lambda before, after: before is not None and after.stage > before.stage, anew="the next C"),
        "solved",
    ),
    start_only=("path", "constant"),
    curves=(
        Curve("primal", primal, "P(w)", chart="objective"),
        Curve("dual", lambda problem, state: at(problem, state).dual, "D(α)", chart="objective"),
        Curve("gap", gap, "P(w) - D(α)", log=True),
        Curve("objective", a_row, "P/(nC), as Pegasos has it", chart="P a row", log=True),
        Curve("error", error, "share of wrong rows", held_out=True),
        Curve("support vectors", lambda problem, state: float((state.alpha > 0).sum()), "rows with α > 0"),
        Curve("‖w‖", lambda problem, state: at(problem, state).norm, "√(w·w), at the last w of each C", along=PRICE),
        Curve("Σ loss", lambda problem, state: at(problem, state).total_loss, "at the last w of each C", along=PRICE),
        Curve("error by C", error, "share of wrong rows, at the last w of each C", held_out=True, along=PRICE),
    ),
    objective={("primal", "dual", "gap", "objective"): setting},
    theorems=THEOREMS,
    ends={
        "in a whole pass no slope of D was above …; …": settled_pass,
        "pass … was the last, and slopes are left: …": passes_made,
    },
    symbols=SYMBOLS,
    only_for={"seed": ("order", "shuffled")},
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
