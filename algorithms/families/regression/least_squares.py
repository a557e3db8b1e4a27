"""Least squares by successive orthogonalisation: take in one column after the other, each without what is known of it.

    orthogonalise   z = x - Σ (q·x) q              over the directions q that there are
    project         q = z/‖z‖,   ŷ <- ŷ + (q·r) q,   r = y - ŷ
    dependent       z = 0: the column is a sum of those before it, and adds nothing

x runs over the columns of X, the constant 1 first where there is an intercept. What is left of a column stands at
right angles on all before it, so that what it takes of y is taken for good: after every step ŷ is the point of the span
of the columns used that is nearest to y,

    X'(y - ŷ) = 0,   ‖y‖² = ‖ŷ‖² + ‖r‖²,   ŷ = XX⁺y,   and w = X⁺y where the columns are independent.

Where they are not, many w fit alike; the one here gives dependent columns no weight, X⁺y is the shortest. With noise
N(0, σ²) on each row, log L(w) = -RSS/(2σ²) - n ln(σ√(2π)), so the likeliest w is that of least squares.

References: Gauss (1809), Theoria motus, section 179; Schmidt (1907), Mathematische Annalen 63; Penrose (1956), On best
approximate solutions of linear matrix equations, Proc. Cambridge Philosophical Society 52; Efroymson (1960), Multiple
regression analysis, in Mathematical Methods for Digital Computers; Hastie, Tibshirani and Friedman (2009), The Elements
of Statistical Learning, section 3.2.3; Giraud, Langou and Rozložník (2005), The loss of orthogonality in the
Gram-Schmidt process, Computers and Mathematics with Applications 50.
"""

from math import log
from typing import Annotated, Any, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Curve,
    Dataset,
    DoesNotApply,
    FromStart,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Theorem,
    Undecided,
    columns,
    kept,
    numbers,
    once,
)
from algorithms.data import correlated, davis, dependent, diabetes, prostate, three_rows
from algorithms.toolbox.gaussian_noise import log_density
from algorithms.toolbox.orthogonal import Span, depends, orthogonal_part, span, taken_by, weights_of
from algorithms.toolbox.panels.functions import function_panel, predicted_panel
from algorithms.toolbox.panels.right_angles import cosines_panel, right_triangle, space_panel
from algorithms.toolbox.sizes import columns_out_of_range, targets_out_of_range
from algorithms.toolbox.truths import true_function

Order = Literal["given", "greatest fall"]

_ROUNDED = 1e-24  # of ‖y‖²: what rounding leaves of a residual's square
_LARGEST = 1e50  # weights are quotients of such numbers, and squared


class LeastSquaresState(State, frozen=True, kw_only=True):
    w: Array  # (p,) weights of the columns, the intercept first; 0 for those not used
    fitted: Annotated[Array, Along("n")]  # (n,) ŷ, by the directions that there are
    part: Annotated[Array, Along("n")]  # (n,) z, what is left of the last column without the others
    seen: tuple[int, ...] = ()  # the columns so far, in their order
    used: tuple[int, ...] = ()  # those of them that do not depend on others
    directions: tuple[Array, ...] = ()  # (n,) each, orthonormal, one for each that is used


def least_squares(
    data: Dataset,
    state: LeastSquaresState | None = None,
    *,
    order: Annotated[Order, Meta(description="columns as they come, or the one by which ‖r‖² falls most")] = "given",
    intercept: Annotated[bool, Meta(description="the constant 1 is the first column")] = True,
    sigma: Annotated[float, Meta(ge=1e-3, le=1e6, description="σ of the noise in the likelihood")] = 1.0,
) -> Run[LeastSquaresState]:
    X, y = data.once(system, intercept)
    if state is None:
        state = start(X)
        yield state
    while True:
        if state.phase != "orthogonalise":
            if len(state.seen) == X.shape[1]:
                return ended(X, y, state)
            j = next_column(X, y - state.fitted, state, order, intercept)
            state = orthogonalised(X, state, j)
            yield state
        if depends(state.part, X[:, state.seen[-1]]):
            state = state.after("dependent")
            yield state
        else:
            state = projected(X, y, state)
            yield state


def start(X: Array) -> LeastSquaresState:
    """The state before the first column."""
    n, p = X.shape
    return LeastSquaresState(w=np.zeros(p), fitted=np.zeros(n), part=np.zeros(n))


def next_column(X: Array, r: Array, state: LeastSquaresState, order: Order, intercept: bool) -> int:
    """The first column left, or the one by which ‖r‖² falls most; the constant comes before all."""
    left = [j for j in range(X.shape[1]) if j not in state.seen]
    if order == "given" or (intercept and not state.seen):
        return left[0]
    return left[int(taken_by(X[:, left], state.directions, r).argmax())]


def orthogonalised(X: Array, state: LeastSquaresState, j: int) -> LeastSquaresState:
    """Take the parts along the directions off the j-th column."""
    left = orthogonal_part(X[:, j], state.directions)
    return state.after("orthogonalise", iteration=len(state.seen) + 1, seen=(*state.seen, j), part=left)


def projected(X: Array, y: Array, state: LeastSquaresState) -> LeastSquaresState:
    """Add to ŷ the part of y along what is left of the column."""
    q = state.part / np.linalg.norm(state.part)
    used, directions = (*state.used, state.seen[-1]), (*state.directions, q)
    fitted = state.fitted + float(q @ (y - state.fitted)) * q
    w = weights_of(X, y, used, directions)
    return state.after("project", fitted=fitted, used=used, directions=directions, w=w)


def ended(X: Array, y: Array, state: LeastSquaresState) -> str:
    r, more = y - state.fitted, X.shape[1] - len(state.used)
    lost = f", {counted_words(more, 'of them depends', 'of them depend')} on others" if more else ""
    return (
        f"{counted_words(X.shape[1], 'column is', 'columns are')} in{lost}; ŷ is y's projection, {rss_in_words(r, y)}"
    )


def adapt(before: Problem, after: Problem, state: LeastSquaresState, rows: Array) -> LeastSquaresState | FromStart:
    """The same columns in the same order, on the rows that there are now."""
    X, y = system_of(after)
    again = start(X)
    for j in state.seen:
        again = orthogonalised(X, again, j)
        if j == state.seen[-1] and state.phase == "orthogonalise":
            return again
        again = again.after("dependent") if depends(again.part, X[:, j]) else projected(X, y, again)
    if again.phase == state.phase:
        return again
    return FromStart("which columns depend on others is not as it was on the rows before")


def system(data: Dataset, intercept: bool) -> tuple[Array, Array]:
    """(n, p) columns, the constant first where there is an intercept, and (n,) targets."""
    X = np.column_stack([np.ones(data.n), data.X]) if intercept else data.X
    return X, np.asarray(data.y, float)


def system_of(problem: Problem) -> tuple[Array, Array]:
    return problem.data.once(system, problem.parameters.intercept)


def names_of(problem: Problem) -> tuple[str, ...]:
    return (*(("constant",) if problem.parameters.intercept else ()), *problem.data.features)


def residual(problem: Problem, state: LeastSquaresState) -> Array:
    """(n,) r = y - ŷ."""
    return np.asarray(system_of(problem)[1] - state.fitted)


def rss(problem: Problem, state: LeastSquaresState) -> float:
    r = residual(problem, state)
    return float(r @ r)


def mean_square(problem: Problem, state: LeastSquaresState) -> float:
    """Of y - Xw, also on rows held out."""
    X, y = system_of(problem)
    left = y - X @ state.w
    return float(left @ left) / len(y)


@kept
def likelihood_of(problem: Problem, state: LeastSquaresState) -> float:
    X, y = system_of(problem)
    return log_density(y - X @ state.w, problem.parameters.sigma)


def counted(state: LeastSquaresState) -> tuple[int, ...]:
    """The columns that ŷ speaks of: all that have come but the one in hand."""
    return state.seen[:-1] if state.phase == "orthogonalise" else state.seen


@kept
def reference(problem: Problem, state: LeastSquaresState) -> Span:
    """The span of the columns used, by singular values."""
    return span(system_of(problem)[0][:, counted(state)])


@once
def whole(problem: Problem) -> Span:
    """The span of all columns."""
    return span(system_of(problem)[0])


def sure(problem: Problem, state: LeastSquaresState) -> bool | Undecided:
    """The hypothesis that which columns depend on others can be told."""
    return reference(problem, state).sure or Undecided("columns are so nearly dependent that rounding decides")


def reach(problem: Problem) -> float:
    """‖y‖: what nothing that is added or taken off here exceeds by much."""
    return float(np.linalg.norm(system_of(problem)[1]))


def stands(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    X = system_of(problem)[0][:, counted(after)]
    size = np.linalg.norm(X, axis=0) * reach(problem)
    return Sides.each(("x·r", residual(problem, after) @ X), ("0", 0.0), relation="==", size=size)


def pythagoras(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    both = float(after.fitted @ after.fitted) + rss(problem, after)
    return Sides(("‖y‖²", reach(problem) ** 2), ("‖ŷ‖² + ‖r‖²", both), relation="==", size=reach(problem) ** 2)


def falls(problem: Problem, before: LeastSquaresState, after: LeastSquaresState) -> Answer:
    z, r = before.part, residual(problem, before)
    taken = float(z @ r / np.linalg.norm(z)) ** 2
    was, size = rss(problem, before), reach(problem) ** 2
    return Sides(("‖r'‖²", rss(problem, after)), ("‖r‖² - (q·r)²", was - taken), relation="==", size=size)


def at_right_angles(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    if not after.directions:
        return DoesNotApply("it is the first column")
    size = float(np.linalg.norm(system_of(problem)[0][:, after.seen[-1]]))
    return Sides.each(("q·z", np.stack(after.directions) @ after.part), ("0", 0.0), relation="==", size=size)


def nearest(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    of, y = reference(problem, after), system_of(problem)[1]
    size = of.condition * reach(problem)  # rounding comes through the more the nearer columns are to dependent
    return Sides.each(("ŷ", after.fitted), ("XX⁺y", of.fitted(y)), relation="==", size=size)


def adds_nothing(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    of, y = reference(problem, after), system_of(problem)[1]
    r = y - of.fitted(y)
    size = of.condition * reach(problem) ** 2
    return Sides(("least RSS with it", float(r @ r)), ("RSS without", rss(problem, after)), relation="==", size=size)


def independent(problem: Problem, state: LeastSquaresState) -> bool | str:
    return reference(problem, state).independent or "columns depend on others: w is one of many that fit alike"


def solution(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    X, y = system_of(problem)
    used, of = list(counted(after)), reference(problem, after)
    lengths = np.linalg.norm(X[:, used], axis=0)
    size = of.condition**2 * reach(problem) / np.where(lengths > 0, lengths, 1.0)
    return Sides.each(("w", after.w[used]), ("X⁺y", of.shortest(y)), relation="==", size=size)


def likeliest(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    (X, y), sigma = system_of(problem), problem.parameters.sigma
    best = y - whole(problem).fitted(y)
    gap = 2 * sigma**2 * (log_density(best, sigma) - likelihood_of(problem, after))
    added = float((np.abs(X) @ np.abs(after.w) + np.abs(y)).max())
    size = len(y) * (added**2 + 2 * sigma**2 * abs(log(sigma) + 1))
    more = rss(problem, after) - float(best @ best)
    return Sides(("2σ²(log L* - log L)", gap), ("RSS - RSS*", more), relation="==", size=size)


def none_falls_more(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    if problem.parameters.order == "given":
        j = after.seen[-1]
        return Sides(("columns before it", float(len(after.seen) - 1)), ("its number", float(j)), relation="==")
    if problem.parameters.intercept and len(after.seen) == 1:
        return DoesNotApply("the constant comes first, whatever it takes")
    X, r = system_of(problem)[0], residual(problem, after)
    left = [j for j in range(X.shape[1]) if j not in after.seen[:-1]]
    takes = taken_by(X[:, left], after.directions, r)
    return Sides.each(("(q·r)²", takes), ("(z·r)²/‖z‖²", takes[left.index(after.seen[-1])]), size=reach(problem) ** 2)


def validate(problem: Problem) -> str | None:
    data = problem.data
    return columns_out_of_range(data, _LARGEST) or targets_out_of_range(data, _LARGEST, 1 / _LARGEST)


def scene(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Scene:
    fit, sides = fit_panel(problem, after), triangle(problem, after)
    first = (in_space(problem, after), sides, fit) if problem.data.n == 3 else (fit, sides)
    return Scene((*first, cosines(problem, after), column_table(problem, after), so_far(problem, after)))


def in_space(problem: Problem, state: LeastSquaresState) -> Panel:
    (X, y), of = system_of(problem), whole(problem)
    named = {name: X[:, j] for j, name in enumerate(names_of(problem)[:3])}
    left = (X[:, state.seen[-1]], state.part) if state.used else None
    return space_panel(of.U[:, :2], named, y, y - of.fitted(y), state.fitted, left)


def fit_panel(problem: Problem, state: LeastSquaresState) -> Panel:
    data, bias = problem.data, problem.parameters.intercept

    def line(of: LeastSquaresState) -> Any:
        return lambda at: of.w[0] * bias + at @ of.w[bias:]

    if data.d > 1 or data.map is not None:
        return predicted_panel(data, line(state)(data.X))
    earlier = lambda past: line(past) if past.phase == "project" else None  # noqa: E731
    return function_panel(data, line(state), truth=true_function(data), earlier=earlier)


def triangle(problem: Problem, state: LeastSquaresState) -> Panel:
    """From the mean on, once that is taken off: all of y is mostly its mean."""
    y = system_of(problem)[1]
    from_mean = problem.parameters.intercept and bool(state.used) and problem.data.n > 3
    middle = float(y.mean()) if from_mean else 0.0

    def fitted(of: LeastSquaresState) -> Array:
        return np.asarray(of.fitted - middle) if of.used or not from_mean else np.zeros(len(y))

    return right_triangle(y - middle, fitted(state), fitted, "from the mean on" if from_mean else "")


def cosines(problem: Problem, state: LeastSquaresState) -> Panel:
    """Between what is left of each column that has come, and the others as they are."""
    X = system_of(problem)[0]
    left = {j: np.zeros(len(X)) for j in state.seen} | dict(zip(state.used, state.directions))
    if state.phase == "orthogonalise" and not depends(state.part, X[:, state.seen[-1]]):
        left[state.seen[-1]] = state.part
    rest = [X[:, j] for j in range(X.shape[1]) if j not in left]
    return cosines_panel(np.stack([*left.values(), *rest]), len(left))


def falls_of(problem: Problem, state: LeastSquaresState) -> dict[int, float]:
    """By how much each column that counts made ‖r‖² fall, in their order."""
    y = system_of(problem)[1]
    return dict.fromkeys(counted(state), 0.0) | {j: float(q @ y) ** 2 for j, q in zip(state.used, state.directions)}


def column_table(problem: Problem, state: LeastSquaresState) -> Panel:
    X, y = system_of(problem)
    order = [*state.seen, *(j for j in range(X.shape[1]) if j not in state.seen)]
    takes, names = falls_of(problem, state), names_of(problem)
    heads = {
        "column": [names[j] for j in order],
        "‖r‖² falls by": [takes.get(j) for j in order],
        "": ["dependent" if j in takes and j not in state.used else None for j in order],
        "w": [float(state.w[j]) if j in state.used else None for j in order],
        "X⁺y at the end": whole(problem).shortest(y)[order],
    }
    note = "of scaled features" if problem.data.scaled else ""
    return columns("columns", heads, note, marked=(len(state.seen) - 1,) if state.seen else ())


def so_far(problem: Problem, state: LeastSquaresState) -> Panel:
    y = system_of(problem)[1]
    about = y - y.mean() if problem.parameters.intercept else y
    total, left = float(about @ about), rss(problem, state)
    return numbers(
        {
            "‖y‖²": float(y @ y),
            "‖ŷ‖²": float(state.fitted @ state.fitted),
            "RSS = ‖r‖²": left,
            "R², share explained": 1 - left / total if total > 0 and state.used else None,
            "log L": likelihood_of(problem, state),
            "‖w‖": float(np.linalg.norm(state.w)),
            "‖X⁺y‖ of all columns": float(np.linalg.norm(whole(problem).shortest(y))),
            "columns used": len(state.used),
            "columns that depend on others": len({*counted(state)} - {*state.used}),
        }
    )


def rss_in_words(r: Array, y: Array) -> str:
    """RSS, which is 0 where only rounding is left of it."""
    left = float(r @ r)
    return f"RSS = {left:.4g}" if left > _ROUNDED * float(y @ y) else "RSS = 0 but for rounding"


def counted_words(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def explain_orthogonalise(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> str:
    j = after.seen[-1]
    name, x = names_of(problem)[j], system_of(problem)[0][:, j]
    if not after.directions:
        return f"{name} is the first column: nothing is to be taken off it. ŷ will be y's projection on it."
    if depends(after.part, x):
        return f"Nothing but rounding is left of {name} without its parts along the columns before it: z = 0."
    share = float(np.linalg.norm(after.part) / np.linalg.norm(x))
    others = "column" if len(after.directions) == 1 else f"{len(after.directions)} columns"
    angle = np.degrees(np.arcsin(min(share, 1.0)))
    return f"Of {name} {share:.1%} of its length is left: it stands at {angle:.3g}° to the {others} before it."


def explain_project(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> str:
    j, r, y = after.seen[-1], residual(problem, after), system_of(problem)[1]
    row, taken = int(np.abs(r).argmax()), float(after.directions[-1] @ y) ** 2
    made = f"{names_of(problem)[j]} takes {taken:.4g} off: {rss_in_words(r, y)}; its weight is {after.w[j]:.4g}."
    if float(r @ r) <= _ROUNDED * float(y @ y):
        return f"{made} Every row is fitted exactly."
    return f"{made} Row {row} ({problem.data.row(row)}) is farthest off, by {r[row]:+.4g}."


def explain_other(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> str:
    left, p = rss_in_words(residual(problem, after), system_of(problem)[1]), len(after.w)
    if after.phase == "start":
        return f"ŷ = 0, so all of y is residual: {left}. {counted_words(p, 'column is', 'columns are')} to come."
    name = names_of(problem)[after.seen[-1]]
    return f"{name} is a sum of columns before it: ŷ stays, {left} as before. Many w fit as well; X⁺y is the shortest."


KNOWN = {
    "a column is used": lambda problem, state: bool(counted(state)),
    "what depends on what can be told": sure,
}
THEOREMS = (
    Theorem(
        "ŷ is nearest to y: ŷ = XX⁺y of the columns used",
        nearest,
        "Penrose (1956)",
        hypotheses=KNOWN,
        proof=("the q have the span of the columns, and XX⁺ is the projection on it", "ŷ = Σ (q·y) q is that of y"),
    ),
    Theorem(
        "r stands on every column used: X'r = 0",
        stands,
        "Gauss (1809)",
        hypotheses=KNOWN,
        proof=("r = y - Σ (q·y) q, so q·r = 0 for every q", "a column used is a sum of the q"),
    ),
    Theorem(
        "‖y‖² = ‖ŷ‖² + ‖r‖²",
        pythagoras,
        "Gauss (1809), after Pythagoras",
        proof=("y = ŷ + r, and ŷ, a sum of the q, stands on r: ‖y‖² = ‖ŷ‖² + 2 ŷ·r + ‖r‖²",),
    ),
    Theorem(
        "‖r‖² falls by (q·r)², so ‖r‖ never rises",
        falls,
        "Schmidt (1907)",
        "step",
        ("project",),
        proof=("r' = r - (q·r) q with ‖q‖ = 1", "‖r'‖² = ‖r‖² - 2 (q·r)² + (q·r)²"),
    ),
    Theorem(
        "what is left of a column stands on all before: q·z = 0",
        at_right_angles,
        "Schmidt (1907); twice: Giraud et al. (2005)",
        phases=("orthogonalise",),
        proof=("q_k·z = q_k·x - Σ (q·x) (q_k·q), and q_k·q is 1 for q_k itself, 0 for the others",),
    ),
    Theorem(
        "a dependent column adds exactly nothing",
        adds_nothing,
        "Penrose (1956)",
        phases=("dependent",),
        hypotheses=KNOWN,
        proof=("x = Σ (q·x) q lies in the span: with it the span, and so the nearest ŷ, is the same",),
    ),
    Theorem(
        "w = X⁺y where the columns used are independent",
        solution,
        "Penrose (1956)",
        phases=("project",),
        hypotheses={**KNOWN, "the columns used are independent": independent},
        proof=("Xw = ŷ = XX⁺y, and Xv = 0 for v = 0 alone",),
    ),
    Theorem(
        "2σ²(log L* - log L) = RSS - RSS*",
        likeliest,
        "Gauss (1809)",
        proof=(
            "log L = Σ -(y - x·w)²/(2σ²) - n ln(σ√(2π)), of which the last does not depend on w",
            "so it is greatest where RSS is least: the likeliest w is that of least squares",
        ),
    ),
    Theorem(
        "the column in hand is the one whose turn it is",
        none_falls_more,
        "Efroymson (1960) for the greatest fall",
        phases=("orthogonalise",),
        proof=(
            "given: columns come by their number",
            "greatest fall: ‖r‖² would fall by (z·r)²/‖z‖²; the column with the greatest is taken",
        ),
    ),
)

ALGORITHM = Algorithm(
    least_squares,
    title="Least squares",
    summary="Takes in one column after the other, made orthogonal to those before it: ŷ is y's projection.",
    rule="z = x - Σ (q·x) q,  q = z/‖z‖\nŷ ← ŷ + (q·r) q,  r = y - ŷ",
    needs=Needs(target="number"),
    phases={
        "start": "ŷ = 0",
        "orthogonalise": "take off the next column what those before it hold",
        "project": "add y's part along what is left",
        "dependent": "nothing is left: leave ŷ as it is",
    },
    events=("project", "dependent"),
    fork_after=("start", "project", "dependent"),
    start_only=("intercept",),
    curves=(
        Curve("RSS", rss, "‖y - ŷ‖²"),
        Curve("error", mean_square, "mean (y - Xw)²", held_out=True),
        Curve("log L", likelihood_of, "-RSS/(2σ²) - n ln(σ√(2π))"),
        Curve("‖w‖", lambda problem, state: float(np.linalg.norm(state.w)), "√(w·w)"),
    ),
    theorems=THEOREMS,
    symbols={
        "X, x": ("columns, the constant 1 first; one of them", None),
        "X⁺": ("its pseudo-inverse", None),
        "y, ŷ": ("targets; their projection on the columns used", None),
        "r, RSS": ("y - ŷ; its squared length", rss),
        "z, q": ("what is left of a column; the same with length 1", None),
        "w": ("weights of the columns, 0 for those not used", None),
        "σ": ("deviation of the noise, as the likelihood has it", lambda p, s: p.parameters.sigma),
        "L, *": ("likelihood of w; at its best", None),
    },
    measured=("w", "fitted", "part", "used", "directions"),
    scene=scene,
    explain={
        "start": explain_other,
        "orthogonalise": explain_orthogonalise,
        "project": explain_project,
        "dependent": explain_other,
    },
    adapt=adapt,
    validate=validate,
    datasets=(
        three_rows,
        davis.with_(target="weight", columns=("height",)),
        dependent,
        prostate,
        diabetes,
        correlated,
    ),
)
