"""Least squares by successive orthogonalisation: take in one column after the other, each without what is known of it.

    orthogonalise   z = x - Σ (q·x) q              over the directions q that there are
    project         q = z/‖z‖,   ŷ <- ŷ + (q·r) q,   r = y - ŷ
    dependent       z = 0: the column is a sum of those before it, and adds nothing

x runs over the columns of X, the constant 1 first where there is an intercept. What is left of a column stands at
right angles on all before it, so that what it takes of y is taken for good: after every step ŷ is the point of the span
of the columns used that is nearest to y,

    Xᵀ(y - ŷ) = 0,   ‖y‖² = ‖ŷ‖² + ‖r‖²,   ŷ = XX⁺y,   and w = X⁺y where the columns are independent.

Where they are not, many w fit alike; the one here gives dependent columns no weight, X⁺y is the shortest. With noise
N(0, σ²) on each row, log L(w) = -RSS/(2σ²) - n ln(σ√(2π)), so the likeliest w is that of least squares.

References: Gauss (1809), Theoria motus, section 179; Schmidt (1907), Mathematische Annalen 63; Penrose (1956), On best
approximate solutions of linear matrix equations, Proc. Cambridge Philosophical Society 52; Efroymson (1960), Multiple
regression analysis, in Mathematical Methods for Digital Computers; Hastie, Tibshirani and Friedman (2009), The Elements
of Statistical Learning, section 3.2.3; Giraud, Langou and Rozložník (2005), The loss of orthogonality in the
Gram-Schmidt process, Computers and Mathematics with Applications 50.
"""

from collections.abc import Callable
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Array,
    Ask,
    Curve,
    Dataset,
    FromStart,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    kept,
    through,
)
from algorithms.core.algorithm import Explain
from algorithms.core.ranges import targets_out_of_range
from algorithms.data import correlated, davis, dependent, diabetes, prostate, three_rows
from algorithms.families.regression.least_squares import pictures, words
from algorithms.families.regression.least_squares.orthogonal import depends, orthogonal_part, taken_by, weights_of
from algorithms.families.regression.least_squares.projection import Order, Projection, System
from algorithms.families.regression.least_squares.theorems import THEOREMS
from algorithms.toolbox.sizes import columns_out_of_range

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
    of = data.once(System, intercept)
    X, y = of.X, of.y
    if state is None:
        state = start(X)
        yield state
    while True:
        if state.phase != "orthogonalise":
            if len(state.seen) == X.shape[1]:
                return words.end(projection(data, state, order, intercept, sigma))
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


def adapt(before: Problem, after: Problem, state: LeastSquaresState, rows: Array) -> LeastSquaresState | FromStart:
    """The same columns in the same order, on the rows that there are now."""
    X, y = system_of(after).X, system_of(after).y
    again = start(X)
    for j in state.seen:
        again = orthogonalised(X, again, j)
        if j == state.seen[-1] and state.phase == "orthogonalise":
            return again
        again = again.after("dependent") if depends(again.part, X[:, j]) else projected(X, y, again)
    if again.phase == state.phase:
        return again
    return FromStart("which columns depend on others is not as it was on the rows before")


def system_of(problem: Problem) -> System:
    return problem.data.once(System, problem.parameters.intercept)


def projection(data: Dataset, state: LeastSquaresState, order: Order, intercept: bool, sigma: float) -> Projection:
    """The projection that a state holds."""
    of, in_hand = data.once(System, intercept), state.phase == "orthogonalise"
    known = (state.w, state.fitted, state.part, state.seen, state.used, state.directions)
    return Projection(data, of, *known, in_hand, order, sigma)


@kept
def projection_of(problem: Problem, state: LeastSquaresState) -> Projection:
    p = problem.parameters
    return projection(problem.data, state, p.order, p.intercept, p.sigma)


def mean_square(problem: Problem, state: LeastSquaresState) -> float:
    """Of y - Xw, also on rows held out."""
    of = system_of(problem)
    left = of.y - of.X @ state.w
    return float(left @ left) / len(left)


def is_projection(problem: Problem, state: LeastSquaresState) -> bool | Sides:
    """Every column had its turn, and y - ŷ is at right angles to those that are used."""
    of = system_of(problem)
    if state.phase == "orthogonalise" or len(state.seen) < of.X.shape[1]:
        return False
    X = of.X[:, list(state.used)]
    sizes = np.sqrt(np.vecdot(X.T, X.T)) * float(np.linalg.norm(of.y))
    along = np.abs(X.T @ (of.y - state.fitted))
    names = [of.names[j] for j in state.used]
    return not X.size or Sides.each(("|x·(y - ŷ)|", along), ("0", 0.0), size=1e3 * sizes, entries=names)


def validate(problem: Problem) -> str | None:
    data = problem.data
    return columns_out_of_range(data, _LARGEST) or targets_out_of_range(data, _LARGEST, 1 / _LARGEST)


def scene(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Scene:
    return pictures.scene(projection_of(problem, after))


def explained(sentence: Callable[[Projection], str]) -> Explain:
    """What is said of the projection that a step came to."""
    return lambda problem, before, after: sentence(projection_of(problem, after))


ALGORITHM = Algorithm(
    least_squares,
    title="Least squares",
    point="Column by column the fit comes nearer; what is left over stands at right angles.",
    also=("ols", "linear regression"),
    leaves_open="What is left over may be noise, or a bend that no line has.",
    tries=(("a dependent column", "--data dependent"), ("eight columns", "--data prostate -p 'order=greatest fall'")),
    asks=(
        Ask.number("What will RSS be with this column?", "RSS", 0.1, "orthogonalise"),
        Ask.number("How long will w be with this column?", '"‖w‖"', 0.1, "orthogonalise"),
    ),
    summary="Takes in one column after the other, made orthogonal to those before it: ŷ is y's projection.",
    rule="z = x - Σ (q·x) q,  q = z/‖z‖\nŷ ← ŷ + (q·r) q,  r = y - ŷ",
    needs=Needs(target="number", most_features=1_000),
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
        Curve("RSS", lambda problem, state: projection_of(problem, state).rss, "‖y - ŷ‖²"),
        Curve("error", mean_square, "mean (y - Xw)²", held_out=True),
        Curve("log L", lambda problem, state: projection_of(problem, state).likelihood, "-RSS/(2σ²) - n ln(σ√(2π))"),
        Curve("‖w‖", lambda problem, state: float(np.linalg.norm(state.w)), "√(w·w)"),
    ),
    objective={("RSS",): (), ("log L",): ("sigma",)},
    theorems=through(projection_of, *THEOREMS),
    in_hall="a column more never raises RSS",
    ends={
        "… in…; ŷ is y's projection, …": is_projection,
    },
    symbols={
        "X, x": ("columns, the constant 1 first; one of them", None),
        "X⁺": ("its pseudo-inverse", None),
        "y, ŷ": ("targets; their projection on the columns used", None),
        "r, RSS": ("y - ŷ; its squared length", lambda problem, state: projection_of(problem, state).rss),
        "z, q": ("what is left of a column; the same with length 1", None),
        "w": ("weights of the columns, 0 for those not used", None),
        "σ": ("deviation of the noise, as the likelihood has it", lambda p, s: p.parameters.sigma),
        "L, *": ("likelihood of w; at its best", None),
    },
    measured=("w", "fitted", "part", "used", "directions"),
    scene=scene,
    explain={
        "start": explained(words.start),
        "orthogonalise": explained(words.orthogonalise),
        "project": explained(words.project),
        "dependent": explained(words.dependent),
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
