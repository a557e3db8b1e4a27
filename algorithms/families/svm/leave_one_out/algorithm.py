"""Leave one out: solve the margin's problem again without a row, and ask what it says of that row.

    least     P(w, b) = ½‖w‖² + C Σ max(0, 1 - y f),   f = w·x + b, with or without b;   C = ∞ for a hard margin
    for each row i:   w', b' the best without it,   wrong if y_i f'(x_i) <= 0

A row with α = 0 that goes changes nothing: α is allowed without it and as good, so w' = w, which is unique; and of the
b that do as well, the one nearest to b is taken. It had y f >= 1 and keeps it. So only support vectors can be wrong,

    wrong rows/n  <=  support vectors/n,

and the left side is, on average over draws of the rows, the error on new ones after n - 1. Without a bias, for any C,

    y_i f'(x_i)  >=  y_i f(x_i) - α_i ‖x_i‖²,

so a row that is wrong has α‖x‖² >= y f, which is 1 or more for a hard margin. There Σ α = ‖w‖² = 1/γ² as well:

    wrong rows  <=  Σ α‖x‖² of these  <=  R²/γ²,

whatever the number of features: why a wide margin generalises.

References: Luntz and Brailovsky (1969), On estimation of characters obtained in statistical procedure of recognition,
Technicheskaya Kibernetica 3; Vapnik (1995), The nature of statistical learning theory, chapter 5; Joachims (2000),
Estimating the generalization performance of an SVM efficiently, ICML; Jaakkola and Haussler (1999), Probabilistic
kernel regression models, AISTATS; Vapnik and Chapelle (2000), Bounds on error expectation for support vector machines,
Neural Computation 12; Cortes and Vapnik (1995), Support-vector networks, Machine Learning 20.
"""

from typing import Annotated, Any, Literal

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
    FromStart,
    Meta,
    Needs,
    Points,
    Problem,
    Row,
    Run,
    Scene,
    Sides,
    State,
    Undecided,
    kept,
    numbers,
    theorem,
)
from algorithms.core.text import counted
from algorithms.core.theorems import EXACT
from algorithms.data import blobs, iris, wine
from algorithms.families.svm.leave_one_out.pictures import against, listed, says_left_out
from algorithms.families.svm.shared.hull_distance import hull_distance
from algorithms.families.svm.shared.two_classes import one_alone
from algorithms.toolbox.entries import with_entry
from algorithms.toolbox.margin_fits import SLACKNESS, MarginFit, dual, fits, gap, primal, violation
from algorithms.toolbox.panels.linear import boundaries, margin_lines, stage, weight_panels
from algorithms.toolbox.signed_rows import separated

_MOST = 1000  # rows, each of which is a problem to solve
_ROUNDED = 1e-12  # of y f, which is about 1, up to which rounding may put a row out of its case
_DIGITS = 8 * np.finfo(float).eps  # of the numbers that are added up to P, below which P - W is not known

Order = Literal["largest α first", "in turn"]


class LeaveOneOutState(State, frozen=True, kw_only=True):
    alpha: Annotated[Array, Along("n")]  # (n,) multipliers of the problem with all rows
    w: Array  # (d + 1,) its weights, the bias last, 0 where there is none
    left_alpha: Annotated[Array, Along("n")]  # (n,) those without the row, whose own is 0
    left_w: Array  # (d + 1,) w' and b'
    value: Annotated[Array, Along("n")]  # (n,) y f'(x) of each row when it was left out; NaN if not yet
    row: Annotated[int, Row] = -1  # the row that is left out
    unsure: int = 0  # problems that were not solved to their end


def leave_one_out(
    data: Dataset,
    state: LeaveOneOutState | None = None,
    *,
    margin: Annotated[Literal["soft", "hard"], Meta(description="rows fall short at price C, or not: C = ∞")] = "soft",
    C: Annotated[float, Meta(ge=1e-4, le=1e4, description="price of falling short of y f = 1 by one")] = 1.0,
    bias: Annotated[bool, Meta(description="f = w·x + b; else w·x, and the boundary goes through the origin")] = False,
    order: Annotated[Order, Meta(description="which row is left out next")] = "largest α first",
) -> Run[LeaveOneOutState]:
    solutions = data.once(fits, C if margin == "soft" else np.inf, bias)
    if state is None:
        all_rows, unknown = solutions.of_all(), np.full(data.n, np.nan)
        alpha, w, unsure = all_rows.alpha, all_rows.w, int(not all_rows.reached)
        state = LeaveOneOutState(alpha=alpha, w=w, left_alpha=alpha, left_w=w, value=unknown, unsure=unsure)
        yield state
    while np.isnan(state.value).any():
        row = next_row(state, order)
        without = solutions.without(row)
        value = float(data.signs[row] * f_of(data.X[row], without.w))
        change = left_out(state, row, without, value)
        if state.alpha[row] == 0:
            state = state.after("no support vector", **change)
            yield state
        elif value > 0:
            state = state.after("right", **change)
            yield state
        else:
            state = state.after("wrong", **change)
            yield state
    wrong, supports = int((state.value <= 0).sum()), int((state.alpha > 0).sum())
    unsolved = f"; {counted(state.unsure, 'problem')} could not be solved to the end" if state.unsure else ""
    return f"{wrong} of {data.n} rows wrong when left out, with {counted(supports, 'support vector')}{unsolved}"


def next_row(state: LeaveOneOutState, order: Order) -> int:
    """Of the rows that were not left out yet, the first, or that with the largest α."""
    waiting = np.isnan(state.value)
    return int(waiting.argmax() if order == "in turn" else np.where(waiting, state.alpha, -1.0).argmax())


def f_of(X: Array, w: Array) -> Array:
    """f of one row or many."""
    return np.asarray(X @ w[:-1] + w[-1])


def left_out(state: LeaveOneOutState, row: int, without: MarginFit, value: float) -> dict[str, Any]:
    """The fields of a state with one row more that was left out."""
    solution = {"left_alpha": without.alpha, "left_w": without.w, "unsure": state.unsure + (not without.reached)}
    return {"iteration": state.iteration + 1, "row": row, "value": with_entry(state.value, row, value), **solution}


def adapt(before: Problem, after: Problem, state: LeaveOneOutState, rows: Array) -> State | FromStart:
    return state if after.data is before.data else FromStart("these rows were left out of others")


def C_of(problem: Problem) -> float:
    return float(problem.parameters.C) if problem.parameters.margin == "soft" else np.inf


@kept
def z_of(problem: Problem, state: LeaveOneOutState) -> Array:
    """(n,) y f with all rows."""
    return np.asarray(problem.data.signs * f_of(problem.data.X, state.w))


@kept
def kept_rows(problem: Problem, state: LeaveOneOutState) -> Array:
    """(n,) bool, all rows but the one that is left out."""
    return np.asarray(np.arange(problem.data.n) != state.row)


@kept
def gaps(problem: Problem, state: LeaveOneOutState) -> tuple[float, float]:
    """P - W with all rows, and without the row, each with what rounding may hide: how far they may be from the best."""
    data, every, rest = problem.data, np.ones(problem.data.n, bool), kept_rows(problem, state)
    solutions = (every, state.alpha, state.w), (rest, state.left_alpha, state.left_w)
    first, second = (
        gap(data.X[on], data.signs[on], alpha[on], w, C_of(problem)) + _DIGITS * added(problem, on, w)
        for on, alpha, w in solutions
    )
    return first, second


def room(problem: Problem, state: LeaveOneOutState) -> float:
    """√(2 gap) + √(2 gap'), how far w and w' may be from each other where the best are the same."""
    return float(np.sqrt(2 * np.array(gaps(problem, state))).sum())


def squares(problem: Problem) -> Array:
    """(n,) ‖x‖²."""
    return np.asarray(np.vecdot(problem.data.X, problem.data.X))


def share(counted: Array, state: LeaveOneOutState) -> float:
    """How many of the rows that were left out are counted; NaN before the first."""
    return float(counted.sum()) / (state.iteration or np.nan)


def move(problem: Problem, state: LeaveOneOutState) -> float:
    """‖w' - w‖."""
    return float(np.linalg.norm(state.left_w[:-1] - state.w[:-1]))


def added(problem: Problem, kept: Array, w: Array) -> float:
    """The largest number that is added on the way to P of some rows: 1 - y f of each is a difference.

    P of a hard margin is divided by the square of the least y f, which large numbers that cancel leave uncertain.
    """
    X, signs, C = problem.data.X[kept], problem.data.signs[kept], C_of(problem)
    size, of_f = float(w[:-1] @ w[:-1]), np.abs(X) @ np.abs(w[:-1]) + abs(w[-1])
    if np.isfinite(C):
        return size + C * float((1 + of_f).sum())
    least = float((signs * f_of(X, w)).min())
    return size / least**2 * (1 + float(of_f.max()) / least) if least > 0 else size


def all_left_out(problem: Problem, state: LeaveOneOutState) -> Sides:
    """Each row was left out once."""
    return Sides(("rows with y f'", int(np.isfinite(state.value).sum())), ("n", problem.data.n), relation="==")


def validate(problem: Problem) -> str | None:
    data, hard = problem.data, problem.parameters.margin == "hard"
    if refused := one_alone(data, "a margin lies between two classes"):
        return refused
    if data.n > _MOST:
        return f"a row is a problem of its own, for {_MOST:,} rows at most; {data.name} has {data.n:,}: draw a sample."
    bias = problem.parameters.bias
    apart = hull_distance(data).lower > 0 if hard and bias else hard and data.once(separated, False).margin > 0
    if hard and not apart:
        return f"with C = ∞ no row may fall short, and the rows of {data.name} are not separated: take a soft margin."
    if not data.once(fits, C_of(problem), bias).of_all().reached:
        return f"the margin of all rows of {data.name} could not be solved to its end: scale the features, or lower C."
    return None


def scene(problem: Problem, before: LeaveOneOutState | None, after: LeaveOneOutState) -> Scene:
    data, bias, z = problem.data, problem.parameters.bias, z_of(problem, after)
    supports, top = after.alpha > 0, float(after.alpha.max()) or 1.0
    sizes, in_hand = np.where(supports, 0.4 + 0.6 * after.alpha / top, 0.0), np.arange(data.n) == after.row
    rows = Points(at=data.X, classes=data.y, weights=sizes, sizes="size: α", says=says_left_out(z, after.value))
    signs = {"haloed": supports, "halo": "support vector", "crossed": after.value <= 0, "cross": "wrong left out"}
    rows = replace(rows, ringed=in_hand, **signs)
    note, without = "hollow: wrong when left out", boundaries(after.left_w, True) if after.row >= 0 else ()
    title = "f = 0 and ±1; in yellow without the row"
    main = stage(
        data, rows, after.w, True, title=title, field="left_w", beside=(*margin_lines(after.w, True), *without)
    )
    return Scene(
        (
            replace(main, note=note),
            against(data, z, after.value, after.row),
            listed(data, after.alpha, z, after.value, after.row),
            *weight_panels(data, after.left_w if bias else after.left_w[:-1], bias, after.w if bias else after.w[:-1]),
            numbers(so_far(problem, after)),
        )
    )


def so_far(problem: Problem, state: LeaveOneOutState) -> dict[str, float | int | None]:
    least, R = float(z_of(problem, state).min()), float(np.sqrt(squares(problem).max()))
    length = float(np.linalg.norm(state.w[:-1]))
    return {
        "rows left out": state.iteration,
        "wrong when left out": int((state.value <= 0).sum()),
        "support vectors": int((state.alpha > 0).sum()),
        "wrong with all rows": int((z_of(problem, state) <= 0).sum()),
        "‖w‖": length,
        "‖w' - w‖": move(problem, state) if state.row >= 0 else None,
        "least y f/‖w‖": least / length if length else None,
        "R²/γ²": (R * length / least) ** 2 if least > 0 and length else None,
    }


def explain(problem: Problem, before: LeaveOneOutState | None, after: LeaveOneOutState) -> str:
    data, i, n = problem.data, after.row, problem.data.n
    supports = int((after.alpha > 0).sum())
    if i < 0:
        summed = f"With all {n} rows w = Σ α y x has {counted(supports, 'support vector')}, rows with α > 0"
        return f"{summed}. Of the rows left out one at a time only such a row can be wrong."
    z, value = float(z_of(problem, after)[i]) + 0.0, float(after.value[i]) + 0.0
    wrong = int((after.value <= 0).sum())
    total = f"So far {wrong} of {after.iteration} left out {'is' if wrong == 1 else 'are'} wrong."
    if before is not None and after.unsure > before.unsure:
        total = f"The problem could not be solved to its end, and this is a guess. {total}"
    who = f"{data.who(i)} has α = {after.alpha[i]:.3g} and y f = {z:.4g}"
    if after.phase == "no support vector":
        return f"{who}: without it w and b stay, and y f' = {value:.4g}. {total}"
    verdict = "still right" if value > 0 else "wrong"
    return f"{who}. Without it w moves by {move(problem, after):.3g} and y f' = {value:.4g}: {verdict}. {total}"


def solved(problem: Problem, state: LeaveOneOutState) -> bool | Undecided:
    return not state.unsure or Undecided(f"{state.unsure} of the problems could not be solved to their end")


def reached(problem: Problem, state: LeaveOneOutState) -> float | None:
    length = float(np.linalg.norm(state.w))
    return float(z_of(problem, state).min()) / length if length else None


SYMBOLS = {
    "w, b, f": ("the best with all rows, and w·x + b; ‖w‖ here", lambda p, s: float(np.linalg.norm(s.w[:-1]))),
    "w', b', f'": ("the best without the row; ‖w'‖ here", lambda p, s: float(np.linalg.norm(s.left_w[:-1]))),
    "x, y": ("the row, and its class as +1 or -1", None),
    "α": ("multiplier of the row with all rows", lambda p, s: float(s.alpha[s.row]) if s.row >= 0 else None),
    "P, W": (
        "½‖w‖² + C Σ max(0, 1 - y f) and its dual, with all rows; W here",
        lambda p, s: dual(p.data.X, p.data.signs, s.alpha),
    ),
    "P', W'": ("the same without the row", None),
    "gap, gap'": ("P - W and P' - W', left between primal and dual, or lost in rounding", lambda p, s: gaps(p, s)[0]),
    "C": (
        "the price of falling short by one, ∞ for a hard margin",
        lambda p, s: C_of(p) if np.isfinite(C_of(p)) else None,
    ),
    "R": ("length of the longest row", lambda p, s: float(np.sqrt(squares(p).max()))),
    "γ": ("least y f/‖w‖ of a hard margin", reached),
    "i": ("the row that is left out", lambda problem, state: state.row if state.row >= 0 else None),
}
SOLVED = {"all problems so far are solved to their end": solved}
NO_BIAS = SOLVED | {"there is no bias": lambda p, state: not p.parameters.bias or "there is a bias, which moves too"}
HARD = {"C = ∞": lambda problem, state: problem.parameters.margin == "hard" or "rows may fall short at price C"}
LEFT = ("no support vector", "right", "wrong")
OF_THESE = "shares of the rows left out"


@theorem(
    "wrong when left out <= support vectors",
    source="Luntz and Brailovsky (1969); Vapnik (1995)",
    hypotheses=SOLVED,
    proof=("with α = 0 the row had y f >= 1, and w, b are still the best without it: it stays right",),
)
def few_wrong(problem: Problem, before: LeaveOneOutState | None, after: LeaveOneOutState) -> Answer:
    done = ~np.isnan(after.value)
    wrong, supports = int((after.value <= 0).sum()), int((after.alpha[done] > 0).sum())
    return Sides(("wrong when left out", wrong), ("support vectors left out", supports))


@theorem(
    "no support vector: ‖w' - w‖ <= √(2 gap) + √(2 gap'), that is 0",
    source="Vapnik (1995)",
    phases=("no support vector",),
    hypotheses=SOLVED,
    proof=(
        "α is allowed without the row: W'(α) = W(α), and P' <= P at w, b",
        "½‖w - w*‖² <= W* - W <= P - W = gap for any α, and the same w* is nearest to both",
    ),
)
def same_w(problem: Problem, before: LeaveOneOutState | None, after: LeaveOneOutState) -> Answer:
    within, length = room(problem, after), float(np.linalg.norm(after.w[:-1]))
    if not within <= SLACKNESS * length:
        return Undecided(f"the solutions are known only to be within {within:.2g} of the same w")
    return Sides(("‖w' - w‖", move(problem, after)), ("√(2 gap) + √(2 gap')", within), slack=EXACT * length)


@theorem(
    "no support vector: w, b are still the best, P'(w, b) = P'(w', b')",
    source="Vapnik (1995)",
    phases=("no support vector",),
    hypotheses=SOLVED,
    proof=(
        "P'(w, b) <= P(w, b) = W(α) + (P - W), and W(α) = W'(α) <= P'(w', b') by weak duality",
        "P'(w', b') = W'(α') + (P' - W'), and W'(α') <= P'(w, b)",
    ),
)
def still_best(problem: Problem, before: LeaveOneOutState | None, after: LeaveOneOutState) -> Answer:
    data, rest, C = problem.data, kept_rows(problem, after), C_of(problem)
    old, new = (primal(data.X[rest], data.signs[rest], w, C) for w in (after.w, after.left_w))
    slack = sum(gaps(problem, after))  # of either P, how far it may be from the best
    size = sum(added(problem, rest, w) for w in (after.w, after.left_w))
    sides = ("P'(w, b)", old), ("P'(w', b')", new)
    return Sides(*sides, relation="==", slack=slack, size=size) if np.isfinite(slack) else None


@theorem(
    "w', b' are the best without the row: complementary slackness",
    source="Cortes and Vapnik (1995)",
    phases=LEFT,
    hypotheses=SOLVED,
    proof=("y f' >= 1 at α' = 0, 1 where 0 < α' < C, <= 1 at C; w' = Σ α'yx without the row",),
)
def slackness(problem: Problem, before: LeaveOneOutState | None, after: LeaveOneOutState) -> Answer:
    data, rest, own = problem.data, kept_rows(problem, after), float(after.left_alpha[after.row])
    worst = violation(data.X[rest], data.signs[rest], after.left_alpha[rest], after.left_w, C_of(problem))
    away = max(worst, own)
    return Sides(("farthest from its case", away if away > _ROUNDED else 0.0), ("at the end", SLACKNESS))


@theorem(
    "no bias: y f(x) - α‖x‖² <= y f'(x)",
    source="Jaakkola and Haussler (1999)",
    phases=LEFT,
    hypotheses=NO_BIAS,
    proof=(
        "let v = y f - α‖x‖², what the other rows' α say of the row",
        "W(α) = W'(rest) + α - α v - ½α²‖x‖² is no less than with α' in place of the rest:",
        "W'(rest) - α v >= W'(α') - α y f', and W'(α') >= W'(rest)",
        "so α y f' >= α v; where α = 0 nothing changes",
    ),
)
def no_less(problem: Problem, before: LeaveOneOutState | None, after: LeaveOneOutState) -> Answer:
    i, alpha = after.row, float(after.alpha[after.row])
    pull, was = alpha * float(squares(problem)[i]), float(z_of(problem, after)[i])
    size = pull + abs(was) + abs(float(after.value[i]))
    # what either solution may be short of the best by; with α = 0, how far that leaves w' from w
    lost = sum(gaps(problem, after)) / alpha if alpha else float(np.sqrt(squares(problem)[i])) * room(problem, after)
    if not lost <= SLACKNESS * max(size, 1.0):
        return Undecided(f"the solutions are known only so well that y f'(x) may be {lost:.2g} off")
    sides = ("y f(x) - α‖x‖²", was - pull), ("y f'(x)", float(after.value[i]))
    return Sides(*sides, size=size, slack=lost + 1e-6 * size)


@theorem(
    "no bias, C = ∞: wrong <= Σ α‖x‖² of these <= R²/γ²",
    source="Vapnik and Chapelle (2000); Vapnik (1995)",
    hypotheses=NO_BIAS | HARD,
    proof=(
        "a wrong row has 0 >= y f' >= y f - α‖x‖² >= 1 - α‖x‖²: each has α‖x‖² >= 1",
        "Σ α‖x‖² <= R² Σ α, and Σ α = Σ α y f = ‖w‖² = 1/γ², for α > 0 only where y f = 1",
    ),
)
def few_by_margin(problem: Problem, before: LeaveOneOutState | None, after: LeaveOneOutState) -> Answer:
    pulls, least = (after.alpha * squares(problem))[after.value <= 0], float(z_of(problem, after).min())
    if (pulls < 1 - SLACKNESS).any():
        return Sides(("1", 1.0), ("α‖x‖² of one that is wrong", float(pulls.min())), slack=SLACKNESS)
    most = float(squares(problem).max()) * float(after.w @ after.w) / least**2
    sides = ("wrong", len(pulls)), ("Σ α‖x‖² of these", float(pulls.sum())), ("R²/γ²", most)
    return Sides(*sides, slack=SLACKNESS * (1 + len(pulls)))  # y f = 1 is met to that


@theorem(
    "each row is left out once, in its order",
    source="Luntz and Brailovsky (1969)",
    about="step",
    proof=("that is the order; it ends when no row is waiting",),
)
def once_each(problem: Problem, before: LeaveOneOutState, after: LeaveOneOutState) -> Answer:
    waiting = np.flatnonzero(np.isnan(before.value))
    first = 0 if problem.parameters.order == "in turn" else before.alpha[waiting].argmax()
    return Sides(("the row", after.row), ("next", int(waiting[first])), relation="==")


@theorem(
    "y f'(x) is what the fit without the row says: y (w'·x + b')",
    source="Lachenbruch (1967)",
    phases=LEFT,
    proof=("that is what leaving a row out means: no fit that saw it has a say",),
)
def as_fitted(problem: Problem, before: LeaveOneOutState | None, after: LeaveOneOutState) -> Answer:
    x, sign, w = problem.data.X[after.row], float(problem.data.signs[after.row]), after.left_w
    says = sign * (float(x @ w[:-1]) + float(w[-1]))
    size = float(np.abs(x) @ np.abs(w[:-1])) + abs(float(w[-1]))
    return Sides(("y f'(x)", float(after.value[after.row])), ("y (w'·x + b')", says), relation="==", size=size)


THEOREMS = (few_wrong, same_w, still_best, slackness, no_less, few_by_margin, once_each, as_fitted)

ALGORITHM = Algorithm(
    leave_one_out,
    title="SVM, one row left out",
    point="Most rows can go and nothing changes; only support vectors can then come out wrong.",
    after=("smo",),
    also=("loo",),
    leaves_open="The rows left out are all of one sample: another may err more.",
    tries=(("C = 0.01", "-p C=0.01"), ("a hard margin", "--data blobs:n=60,margin=0.3 -p margin=hard")),
    asks=(
        Ask("Does the line move without the next row?", 'not "no support vector"'),
        Ask("Is the next row wrong when it is left out?", "phase wrong"),
    ),
    summary="Solves a support vector machine again without each row: only support vectors can then be wrong.",
    rule="w', b' <- the best without row i\nwrong: y_i f'(x_i) <= 0",
    needs=Needs(target="class", classes=2, rows=3, within=(1e-50, 1e50)),  # beyond, products of squares overflow
    phases={
        "start": "solved with all rows",
        "no support vector": "a row with α = 0 is left out: nothing changes",
        "right": "a support vector is left out, and is still right",
        "wrong": "a support vector is left out, and is wrong",
    },
    events=("wrong",),
    start_only=("margin", "C", "bias"),
    curves=(
        Curve("wrong", lambda p, s: share(s.value <= 0, s), "wrong rows/rows left out", OF_THESE),
        Curve(
            "support vectors", lambda p, s: share((s.alpha > 0) & ~np.isnan(s.value), s), "of those left out", OF_THESE
        ),
        Curve("change", move, "‖w' - w‖"),
        Curve("left out", lambda p, s: float(s.value[s.row]) if s.row >= 0 else np.nan, "y f'(x)", "the row"),
        Curve("with it", lambda p, s: float(z_of(p, s)[s.row]) if s.row >= 0 else np.nan, "y f(x)", "the row"),
        Curve(
            "error",
            lambda p, s: float((p.data.signs * f_of(p.data.X, s.left_w) <= 0).mean()),
            "share wrong without the row",
            held_out=True,
        ),
    ),
    objective={},
    theorems=THEOREMS,
    ends={"… of … rows wrong when left out, with …": all_left_out},
    symbols=SYMBOLS,
    measured=("value",),
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        blobs.with_(n=60, seed=7),
        iris.with_(positive="setosa", columns=("petal_length_cm", "petal_width_cm"), scale=True),
        wine.with_(positive="cultivar_2", scale=True, sample=100),
        iris.with_(positive="virginica", columns=("petal_length_cm", "petal_width_cm"), scale=True),
    ),
)
