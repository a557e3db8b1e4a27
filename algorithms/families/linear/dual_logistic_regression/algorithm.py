"""Logistic regression in the dual: one row's multiplier at a time goes to where the dual is greatest.

    least     P(w) = ½‖w‖² + C Σ ln(1 + e^-z),  z = y w·x
    greatest  D(α) = C Σ H(α/C) - ½‖w‖²  over 0 < α < C,  w = Σ α y x,  H(q) = -q ln q - (1 - q) ln(1 - q)

    α' is where D is greatest along it:  ln(α'/(C - α')) = -z',   w' = w + (α' - α) y x

The slope of D along α is -z - ln(α/(C - α)), and no formula says where it is 0. Newton's step may lead beyond 0 or
C, where D is nothing; but z changes by at most ‖x‖²(C - α) as α rises to C and by ‖x‖²α as it falls to 0, so the
place lies between two log-odds that are known. A step that would leave them is replaced by the middle of them.

With p = 1/(1 + e^z), the chance of the wrong class, D is greatest where α = C p on every row: w is the sum of the
rows, each weighed by how much it is doubted. No row is ever left out, where the hinge leaves most at 0. At any α

    P - D = C Σ KL(α/C ‖ p) >= 0,   so   |α - Cp| <= √(½C(P - D)),

and D bends along α by ‖x‖² + C/(α(C - α)) >= ‖x‖² + 4/C, so a step s raises it by half that times s² at least.
A constant may be appended to x for a bias; its weight is penalised as the others are.

References: Yu, Huang and Lin (2011), Dual coordinate descent methods for logistic regression and maximum entropy
models, Machine Learning 85; Jaakkola and Haussler (1999), Probabilistic kernel regression models, AISTATS; Keerthi,
Duan, Shevade and Poo (2005), A fast dual algorithm for kernel logistic regression, Machine Learning 61; Pinsker
(1964), Information and Information Stability of Random Variables and Processes.
"""

from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Event,
    Meta,
    Needs,
    Panel,
    Path,
    Points,
    Problem,
    Row,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Undecided,
    Words,
    columns,
    kept,
    numbers,
    theorem,
)
from algorithms.data import blobs, breast_cancer, iris, moons, penguins
from algorithms.families.linear.dual_logistic_regression.logistic_duals import LogisticDual, bare_step, ends, share, top
from algorithms.toolbox.coordinate_ascent import made_of_rows, put
from algorithms.toolbox.ends import last_pass
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.orders import epoch_order, next_place, used_in_epoch
from algorithms.toolbox.panels.chances import chance_tint
from algorithms.toolbox.panels.linear import alike, boundary, normals, weight_panels
from algorithms.toolbox.panels.row_words import says_chance
from algorithms.toolbox.signed_rows import signed_rows, squared_lengths, with_offset

_LISTED = 24  # rows in the table
_COMPARED = 4000  # rows, of which each is held against all others


class DualLogisticRegressionState(State, frozen=True, kw_only=True):
    alpha: Annotated[Array, Along("n")]  # the multipliers α, above 0
    rest: Annotated[Array, Along("n")]  # C - α, above 0
    w: Array  # (p,) Σ α y x, the weight of the constant last
    row: Annotated[int, Row] = -1  # the row just visited
    place: int = -1  # its place in this pass's order
    settled: int = 0  # visits in turn at which α moved by no more than the tolerance; all rows of a pass end it


def dual_logistic_regression(
    data: Dataset,
    state: DualLogisticRegressionState | None = None,
    *,
    C: Annotated[float, Meta(ge=1e-6, le=1e6, description="price of a row's loss; 1/λ of a penalty ½λ‖w‖²")] = 1.0,
    constant: Annotated[float, Meta(ge=0, le=1000, description="appended to x for a bias, penalised; 0: none")] = 1.0,
    start: Annotated[float, Meta(ge=1e-9, le=0.999, description="share of C at which every α begins")] = 0.01,
    order: Annotated[
        Literal["cyclic", "shuffled"], Meta(description="rows in turn, or shuffled each pass")
    ] = "shuffled",
    tolerance: Annotated[float, Meta(ge=1e-14, le=1, description="shares of C that are as good as no move")] = 1e-3,
    passes: Annotated[int, Meta(ge=1, le=100_000, description="passes over the rows before giving up")] = 1000,
    seed: Annotated[Seed, Meta(description="of the orders")] = 0,
) -> Run[DualLogisticRegressionState]:
    Z, squares = data.once(signed_rows, constant), data.once(squared_lengths, constant)
    if state is None:
        alpha = np.full(data.n, start * C)
        state = DualLogisticRegressionState(alpha=alpha, rest=np.full(data.n, (1 - start) * C), w=alpha @ Z)
        yield state
    while state.settled < data.n or state.place + 1 < data.n:
        epoch, place = next_place(state.iteration, state.place, data.n)
        if epoch > passes:
            return f"pass {passes:,} was the last, and some α still move by more than {tolerance:g} C"
        row = int(epoch_order(data.n, order, seed, epoch)[place])
        was, other, z, square = state.alpha.item(row), state.rest.item(row), float(Z[row] @ state.w), squares.item(row)
        now, left = top(was, other, C, z, square)
        moved = {"alpha": put(state.alpha, row, now), "rest": put(state.rest, row, left)}
        settled = state.settled + 1 if abs(now - was) <= tolerance * C else 0
        visit = {"iteration": epoch, "place": place, "row": row, "settled": settled}
        w = state.w + (now - was) * Z[row]
        if 0 < bare_step(was, other, z, square) < C:
            state = state.after("newton", w=w, **moved, **visit)
            yield state
        else:
            state = state.after("guarded", w=w, **moved, **visit)
            yield state
    return f"in a whole pass no α moved by more than {tolerance:g} C"


def adapt(
    before: Problem, after: Problem, state: DualLogisticRegressionState, rows: Array
) -> DualLogisticRegressionState:
    """Rows keep α/C, new ones have the share of the start; w is worked out anew from them."""
    data, p, q = after.data, before.parameters, after.parameters
    if data is before.data and (p.C, p.order, p.seed, p.tolerance) == (q.C, q.order, q.seed, q.tolerance):
        return state
    alpha = np.where(rows >= 0, np.minimum(state.alpha[rows] * (q.C / p.C), q.C), q.start * q.C)  # of α = C too
    rest = np.where(rows >= 0, state.rest[rows] * (q.C / p.C), (1 - q.start) * q.C)
    return state.replaced(
        alpha=alpha,
        rest=rest,
        w=alpha @ data.once(signed_rows, q.constant),
        place=used_in_epoch(before, state.iteration, state.place + 1, rows) - 1,
        settled=0,
    )


@kept
def at(problem: Problem, state: DualLogisticRegressionState) -> LogisticDual:
    """Both problems at a state."""
    Z, C = problem.data.once(signed_rows, problem.parameters.constant), problem.parameters.C
    return LogisticDual(C, state.alpha, state.rest, state.w, Z, np.asarray(Z @ state.w))


def gap(problem: Problem, state: DualLogisticRegressionState) -> float:
    value = at(problem, state).gap
    return value if value > 0 else np.nan


def off(problem: Problem, state: DualLogisticRegressionState) -> float:
    """The greatest |α/C - p|."""
    here = at(problem, state)
    return float(np.abs(here.alpha / here.C - here.wrong).max()) or np.nan


def error(problem: Problem, state: DualLogisticRegressionState) -> float:
    Z = problem.data.once(signed_rows, problem.parameters.constant)
    return float((Z @ state.w <= 0).mean())


def row_in_turn(problem: Problem, before: DualLogisticRegressionState) -> int:
    """The row that is visited next."""
    p = problem.parameters
    epoch, place = next_place(before.iteration, before.place, problem.data.n)
    return int(epoch_order(problem.data.n, p.order, p.seed, epoch)[place])


def settled_pass(problem: Problem, state: DualLogisticRegressionState) -> bool | Sides | Undecided:
    """A pass is over, and no α is farther from where D is greatest along it than moves of the others could bring it.

    When it was visited it was there, and since then each other α_j moved by the tolerance at most: that changes z by
    |k_ij| as much, and the best α_i by no more than 1/(k_ii + 4/C) of it.
    """
    n, p = problem.data.n, problem.parameters
    if state.settled < n or state.place + 1 < n:
        return False
    if n > _COMPARED:
        return Undecided(f"each α is held against all others, of {_COMPARED:,} rows at most")
    Z = problem.data.once(signed_rows, p.constant)
    K, z = np.abs(Z @ Z.T), Z @ state.w
    k = np.diagonal(K)
    at_rows = zip(state.alpha.tolist(), state.rest.tolist(), z.tolist(), k.tolist())
    best = [top(alpha, rest, p.C, z_i, k_i)[0] for alpha, rest, z_i, k_i in at_rows]
    room = p.tolerance * p.C * (K.sum(axis=1) - k) / (k + 4 / p.C)
    sides = ("|α* - α|", np.abs(best - state.alpha)), ("tolerance C Σ|k|/(k + 4/C)", room)
    return Sides.each(*sides, size=p.C, axes=("row",))


def scene(problem: Problem, before: DualLogisticRegressionState | None, after: DualLogisticRegressionState) -> Scene:
    data, constant, here = problem.data, problem.parameters.constant, at(problem, after)
    now = with_offset(after.w, constant)
    was = None if before is None else with_offset(before.w, constant)
    ringed = np.arange(data.n) == after.row
    rows = Points(
        at=data.X,
        classes=data.y,
        weights=here.alpha / here.C,
        crossed=here.z <= 0,
        ringed=ringed,
        says=says_chance(data, here.z),
    )
    tint = replace(chance_tint(now, True, data.X), lines=())  # the boundary itself is drawn once, in ink
    line = boundary(now[:-1], float(now[-1]), "ink")
    arrows = normals(data, now[:-1], float(now[-1]), None if was is None else was[:-1])
    marks = (tint, *(() if line is None else (line,)), rows, *arrows)
    picture = Panel(title="p as a tint, size: α/C", space="data", marks=marks, equal=alike(data))
    bias, p = bool(constant), len(after.w)
    weights = weight_panels(data, now[:p], bias, None if was is None else was[:p])
    return Scene(
        (picture, alpha_over_margin(problem, after), so_far(problem, after), doubted(problem, after), *weights)
    )


def alpha_over_margin(problem: Problem, state: DualLogisticRegressionState) -> Panel:
    """The curve C p over z, on which every row lies in the end."""
    here, data = at(problem, state), problem.data
    reach = 1.05 * max(float(np.abs(here.z).max()), 1.0)
    along = np.linspace(-reach, reach, 121)
    return Panel(
        title="α of the rows, and C p",
        marks=(
            Path(at=np.column_stack([along, here.C * share(-along)]), tone="muted", name="C p = C/(1 + e^z)"),
            Points(
                at=np.column_stack([here.z, here.alpha]),
                classes=data.y,
                crossed=here.z <= 0,
                ringed=np.arange(data.n) == state.row,
                says=lambda row: f"α {here.alpha[row]:.4g}, C p {here.C * share(-here.z[[row]])[0]:.4g}",
            ),
        ),
        axes=("z = y w·x", "α"),
        limits=((-reach, reach), (-0.05 * here.C, 1.05 * here.C)),
    )


def doubted(problem: Problem, state: DualLogisticRegressionState) -> Panel:
    """The row in hand first, then those with the greatest α."""
    here, data = at(problem, state), problem.data
    shown = np.lexsort((-here.alpha, np.arange(data.n) != state.row))[:_LISTED]
    heads = {"row": shown, "α": here.alpha[shown], "C p": here.C * here.wrong[shown], "z": here.z[shown]}
    tones = tuple(int(data.signs[r] > 0) for r in shown.tolist())
    note = f"{len(shown)} of {data.n}" if len(shown) < data.n else ""
    return columns("rows by α", heads, note, tones=tones, marked=(0,) if state.row >= 0 else ())


def so_far(problem: Problem, state: DualLogisticRegressionState) -> Panel:
    here, constant = at(problem, state), problem.parameters.constant
    return numbers(
        {
            "D(α), the dual": here.dual,
            "P(w), the primal": here.primal,
            "P - D": here.gap,
            "C ΣH(α/C)": here.C * here.entropy,
            "½‖w‖²": here.half,
            "b": float(with_offset(here.w, constant)[-1]) if constant else None,
            "greatest |α/C - p|": off(problem, state),
            "least α/C": float(here.alpha.min()) / here.C,
            "rows with α above C/100": int((here.alpha > here.C / 100).sum()),
            "Σ α": float(here.alpha.sum()),
            "wrong rows": int((here.z <= 0).sum()),
        }
    )


def explain(problem: Problem, before: DualLogisticRegressionState | None, after: DualLogisticRegressionState) -> str:
    data, here, row = problem.data, at(problem, after), after.row
    if after.phase == "start":
        each = f"Every row begins with α = {problem.parameters.start:g} C = {here.alpha[0]:.3g}, and w = Σ α y x"
        return f"{each}: the dual is D = {here.dual:.4g}, the primal P = {here.primal:.4g}."
    if before is None or row < 0:
        return f"The run goes on from here: D = {here.dual:.4g}, P = {here.primal:.4g}."
    old = at(problem, before)
    was, now, z = float(before.alpha[row]), float(after.alpha[row]), float(old.z[row])
    who = f"{data.who(row)} has p = {old.wrong[row]:.3g} of the wrong class, and α = {was:.3g}"
    gained = max(here.dual - old.dual, 0.0)
    goes = f"α goes to {now:.3g}, C times its p then: D rises by {gained:.3g}."
    if min(after.settled, after.place + 1) >= data.n:
        wrong = int((here.z <= 0).sum())
        came = f"D = {here.dual:.5g} is {here.gap:.2g} below P, each α is C p of its row, and {wrong} of {data.n} rows"
        return Words.of("", f"{came} are wrong.")
    if after.phase == "newton":
        return f"{who}. {goes}"
    x = here.rows[row]
    bare = bare_step(was, float(before.rest[row]), z, float(x @ x))
    return f"{who}. A bare Newton step would leave (0, C), to {bare:.3g}: held back, {goes}"


SYMBOLS = {
    "α, C": ("a row's multiplier, and what it stays below; C here", lambda p, s: p.parameters.C),
    "w": ("Σ α y x, the weight of the constant last; ‖w‖ here", lambda p, s: float(np.linalg.norm(s.w))),
    "x, y": ("a row with the constant appended, and its class as ±1", None),
    "z": ("y w·x, above 0 on the right side", None),
    "p, σ": ("1/(1 + e^z), the chance of the wrong class; σ(v) = 1/(1 + e^-v)", None),
    "H, q": ("entropy of a chance q in nats, -q ln q - (1 - q) ln(1 - q)", None),
    "D": ("the dual, C ΣH(α/C) - ½‖w‖²", lambda p, s: at(p, s).dual),
    "P": ("the primal, ½‖w‖² + C Σ ln(1 + e^-z)", lambda p, s: at(p, s).primal),
    "KL": ("q ln(q/p) + (1 - q) ln((1 - q)/(1 - p)), how far q is from p; Σ here", lambda p, s: at(p, s).divergence),
    "s": ("by how much α moved", None),
    "α', p', D'": ("those after a step", None),
}
VISITS = ("newton", "guarded")
IDENTITY = "‖w‖² = Σ α z, so P - D = Σ [C ln(1 + e^-z) - C H(α/C) + α z] = C Σ KL(α/C ‖ p)"


@theorem(
    "the dual is never above the primal: D(α) <= P(w)",
    source="Jaakkola and Haussler (1999)",
    proof=(
        "ln(1 + e^-z) is the greatest H(q) - q z over 0 < q < 1: P(w) >= C ΣH(α/C) - Σ α z + ½‖w‖²",
        "that is least over w at Σ α y x, where it is D(α)",
    ),
)
def weak_duality(
    problem: Problem, before: DualLogisticRegressionState | None, after: DualLogisticRegressionState
) -> Answer:
    here = at(problem, after)
    return Sides(("D(α)", here.dual), ("P(w)", here.primal), size=here.size)


@theorem(
    "the next row's α goes to C p', the chance of the wrong class then",
    source="Yu, Huang and Lin (2011)",
    about="step",
    phases=VISITS,
    proof=(
        "∂D/∂α = -z - ln(α/(C - α)): H'(q) = ln((1 - q)/q), and ½‖w‖² has the slope z",
        "it is 0 where α/(C - α) = e^-z, that is α = C/(1 + e^z), with the z after the step",
    ),
)
def to_the_chance(problem: Problem, before: DualLogisticRegressionState, after: DualLogisticRegressionState) -> Answer:
    row, here = row_in_turn(problem, before), at(problem, after)
    if row != after.row:
        return Sides(("row", after.row), ("the next in turn", row), relation="==")
    aim = put(before.alpha, row, here.C * float(here.wrong[row]))
    size = here.C * float(here.sizes[row] + at(problem, before).sizes[row])
    return Sides.each(("α'", after.alpha), ("C p'", aim), relation="==", size=size, axes=("row",))


@theorem(
    "the dual never falls: D + ½(‖x‖² + 4/C)s² <= D'",
    source="Yu, Huang and Lin (2011)",
    about="step",
    phases=VISITS,
    proof=("D bends along α by ‖x‖² + C/(α(C - α)) >= ‖x‖² + 4/C", "its slope is 0 where the step ends"),
)
def rises(problem: Problem, before: DualLogisticRegressionState, after: DualLogisticRegressionState) -> Answer:
    old, now, row = at(problem, before), at(problem, after), after.row
    moved, x = float(after.alpha[row] - before.alpha[row]), now.rows[row]
    least = (float(x @ x) + 4 / now.C) * moved**2 / 2
    sides = ("D + ½(‖x‖² + 4/C)s²", old.dual + least), ("D'", now.dual)
    return Sides(*sides, size=old.size + now.size + least)


@theorem(
    "C σ(-z - ‖x‖²(C - α)) <= α' <= C σ(-z + ‖x‖²α)",
    source="Keerthi et al. (2005)",
    about="step",
    phases=VISITS,
    proof=("z' = z + ‖x‖²(α' - α) with 0 < α' < C, and α' = C σ(-z')",),
)
def between_the_ends(
    problem: Problem, before: DualLogisticRegressionState, after: DualLogisticRegressionState
) -> Answer:
    here, row = at(problem, before), after.row
    x, C, was = here.rows[row], here.C, float(before.alpha[row])
    low, high = ends(was, C, float(here.z[row]), float(x @ x))
    first, last = (C * float(share(np.array(odds))) for odds in (low, high))
    named = ("C σ(-z - ‖x‖²(C - α))", first), ("α'", float(after.alpha[row])), ("C σ(-z + ‖x‖²α)", last)
    return Sides(*named, size=C * float(here.sizes[row]))


@theorem(
    "0 < α < C, strictly",
    source="Jaakkola and Haussler (1999)",
    proof=("at 0 the slope of D is +∞ and at C it is -∞: the top lies between",),
)
def strictly_inside(
    problem: Problem, before: DualLogisticRegressionState | None, after: DualLogisticRegressionState
) -> Answer:
    C, least = problem.parameters.C, min(float(after.alpha.min()), float(after.rest.min()))
    if np.abs(after.alpha + after.rest - C).max() > 1e-12 * C:
        total = after.alpha + after.rest
        return Sides.each(("α + (C - α)", total), ("C", C), relation="==", size=C, axes=("row",))
    return Sides(("0", 0.0), ("least of α, C - α", least), relation="<")


@theorem(
    "w = Σ α y x",
    source="Jaakkola and Haussler (1999)",
    proof=("the slope of ½‖w‖² - α·z is w - Σ α y x; a step adds s y x to w and s to α",),
)
def made_of(problem: Problem, before: DualLogisticRegressionState | None, after: DualLogisticRegressionState) -> Answer:
    p, names = problem.parameters, weight_names(problem.data, bool(problem.parameters.constant))
    return made_of_rows(at(problem, after).rows, after.alpha, after.w, problem.data.n * p.C, names)


@theorem(
    "P - D = C Σ KL(α/C ‖ p)",
    source="Jaakkola and Haussler (1999)",
    proof=(IDENTITY,),
)
def gap_is_divergence(
    problem: Problem, before: DualLogisticRegressionState | None, after: DualLogisticRegressionState
) -> Answer:
    here = at(problem, after)
    return Sides(("P - D", here.gap), ("C Σ KL(α/C ‖ p)", here.C * here.divergence), relation="==", size=here.size)


@theorem(
    "(α - Cp)² <= ½C(P - D), so α = C p at the end",
    source="Pinsker (1964)",
    proof=("(q - p)² <= ½ KL(q ‖ p) for each row (Pinsker)", "no row's KL is above Σ KL = (P - D)/C"),
)
def near_the_chance(
    problem: Problem, before: DualLogisticRegressionState | None, after: DualLogisticRegressionState
) -> Answer:
    here = at(problem, after)
    squares = (here.alpha - here.C * here.wrong) ** 2
    return Sides.each(
        ("(α - Cp)²", squares), ("½C(P - D)", here.C * here.gap / 2), size=here.C * here.size, axes=("row",)
    )


THEOREMS = (
    weak_duality,
    to_the_chance,
    rises,
    between_the_ends,
    strictly_inside,
    made_of,
    gap_is_divergence,
    near_the_chance,
)

ALGORITHM = Algorithm(
    dual_logistic_regression,
    title="Logistic regression in the dual",
    point="Every row gets a weight, the more the less sure its class is; none is ever zero.",
    after=("logistic_newton",),
    leaves_open="The penalty alone keeps w from growing where a line separates.",
    tries=(("a line separates", "--data blobs:n=60,margin=0.3"), ("C = 0.01", "-p C=0.01")),
    asks=(
        Ask.way("The dual rises: what does the primal do?", "primal"),
        Ask.way("The dual rises: what does the training error do?", '"training error"'),
    ),
    summary="Weighs the rows one by one: each in turn by the chance of the wrong class, where the dual is greatest.",
    rule="α' where ln(α'/(C - α')) = -(z + ‖x‖²(α' - α)),  z = y w·x\nw' = w + (α' - α) y x",
    needs=Needs(target="class", classes=2, within=(1e-50, 1e50)),  # beyond, squares of weights overflow
    phases={
        "start": "every α begins at the same share of C",
        "newton": "α goes to the top of D along it",
        "guarded": "it goes there; a bare Newton step would leave (0, C)",
    },
    events=(Event("a Newton step was held back", lambda before, after: after.phase == "guarded"),),
    start_only=("constant", "start"),
    curves=(
        Curve("primal", lambda problem, state: at(problem, state).primal, "P(w)", chart="objective"),
        Curve("dual", lambda problem, state: at(problem, state).dual, "D(α)", chart="objective"),
        Curve("gap", gap, "P(w) - D(α)", log=True),
        Curve("farthest from p", off, "greatest |α/C - p|", log=True),
        Curve("error", error, "share of wrong rows", held_out=True),
    ),
    objective={("primal", "dual", "gap"): ("C", "constant")},
    theorems=THEOREMS,
    ends={
        "in a whole pass no α moved by more than … C": settled_pass,
        "pass … was the last, and some α still move by more than … C": last_pass("passes", lambda p, s: s.place + 1),
    },
    symbols=SYMBOLS,
    only_for={"seed": ("order", "shuffled")},
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(
        moons.with_(n=60, hold_out=0.25),
        iris.with_(positive="virginica", columns=("petal_length_cm", "petal_width_cm"), scale=True),
        penguins.with_(positive="Chinstrap", scale=True),
        breast_cancer.with_(scale=True, hold_out=0.25),
        blobs.with_(n=40, spread=2.0),
    ),
)
