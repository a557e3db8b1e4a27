"""Least squares on one-hot targets as a classifier, row by row: each row that is taken in leaves the exact solution.

y is 1 in the entry of the row's class and 0 in the K - 1 others, and x has the constant 1 appended; a place goes to the
class with the greatest fitted value W_c·x. From V, which is 0 with the bias 1/K, and P = I/δ, each row in turn gives

    e = y - W x,   k = P x / (1 + x·P x),   W <- W + e kᵀ,   P <- P - k (P x)'.

Then W is the minimum of J = Σ ‖y - W x‖² + δ ‖W - V‖² over the rows so far, P = (δI + Σ x xᵀ)⁻¹ (Sherman, Morrison),
and the row's own error has shrunk to e/(1 + x·P x). P is kept as S Sᵀ, with
S <- S - k vᵀ/(1 + 1/√(1 + v·v)) for v = Sᵀx (Potter): so it cannot turn indefinite.

The fitted values sum to one over the classes, everywhere: they do at the start, and each e sums to 0.

The tilt. With two classes f = (W_1 - W_0)·x is the least-squares fit of y = +1 and -1: a row pays (1 - y f)², which is
twice its part of J, also where y f > 1, for being right by more than 1. Rows beyond 1 push, rows short of 1 pull,

    Σ_{y f < 1} (1 - y f) y x  =  Σ_{y f > 1} (y f - 1) y x + δ (W_1 - W_0),

so a far cluster turns the boundary, though it lies on its right side. Where rows are is no matter to the 0-1 loss.

Masking. With equal counts and class means on a line, mean_c - mean = t_c v, all classes have one function of x:
W_c·x = 1/K + t_c h(x). So only the two outer classes ever win, anywhere; on one feature equal counts are enough. Means
that only nearly lie on a line leave the middle class a wedge, and squares among the features give it its place.

References: Plackett (1950), Some theorems in least squares, Biometrika 37; Potter (1963), in Battin, Astronautical
Guidance (1964); Bishop (2006), Pattern Recognition and Machine Learning, section 4.1.3; Hastie, Tibshirani and Friedman
(2009), The Elements of Statistical Learning, section 4.2.
"""

from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Contrast,
    Curve,
    Dataset,
    Event,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Row,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Words,
    kept,
    numbers,
    once,
    theorem,
)
from algorithms.data import collinear, digits, iris, penguins, tilt
from algorithms.families.linear.least_squares_classifier.angles import degrees
from algorithms.families.linear.least_squares_classifier.class_means import MeansLine, line_of_means
from algorithms.families.linear.least_squares_classifier.classes_pictures import class_weights, wins_panel
from algorithms.families.linear.least_squares_classifier.fitted_pictures import fitted_along_means
from algorithms.families.linear.least_squares_classifier.logistic_beside import compared_with, logistic
from algorithms.families.linear.least_squares_classifier.words import beside_logistic, winners
from algorithms.toolbox.ends import all_rows
from algorithms.toolbox.entry_names import class_names, names_by_class, row_names
from algorithms.toolbox.least_squares import features
from algorithms.toolbox.one_hot import even_start, one_hot, rows_won, wrong_rows
from algorithms.toolbox.orders import epoch_order, used_in_epoch
from algorithms.toolbox.panels.confusion import confusion
from algorithms.toolbox.panels.linear import stage, weight_panels
from algorithms.toolbox.panels.losses import square_in_words, squares_over_margin
from algorithms.toolbox.panels.row_words import says_margin

_REACH = 1e9  # of the rows' length over √δ: beyond it S loses more digits than there are to spare


class LeastSquaresState(State, frozen=True, kw_only=True):
    W: Array  # (K, d + 1) weights of each class, the bias last
    S: Array  # (d + 1, d + 1) P = S Sᵀ
    row: Annotated[int, Row] = -1  # the row just taken in
    used: int = 0  # rows taken in so far
    by_hand: bool = False  # whether W was dragged, and so is the minimum of nothing

    @property
    def w(self) -> Array:
        """(d + 1,) of two classes: f = w·x is positive where class 1 wins."""
        return np.asarray(self.W[-1] - self.W[0])


def least_squares_classifier(
    data: Dataset,
    state: LeastSquaresState | None = None,
    *,
    delta: Annotated[float, Meta(ge=1e-6, le=1e6, description="δ, on ‖W - V‖², how far W is from its start")] = 0.01,
    order: Annotated[Literal["cyclic", "shuffled"], Meta(description="rows in turn, or shuffled")] = "cyclic",
    seed: Annotated[Seed, Meta(description="of the shuffled order")] = 0,
) -> Run[LeastSquaresState]:
    X, Y = data.once(features, True), data.once(one_hot)
    if state is None:
        state = LeastSquaresState(W=data.once(even_start), S=np.eye(X.shape[1]) / np.sqrt(delta))
        yield state
    while state.used < data.n:
        row = int(epoch_order(data.n, order, seed, 1)[state.used])
        x, y = X[row], Y[row]
        v = state.S.T @ x  # so x·P x = v·v
        e, k = y - state.W @ x, state.S @ v / (1 + v @ v)
        W = state.W + np.outer(e, k)
        S, used = state.S - np.outer(k, v / (1 + 1 / np.sqrt(1 + v @ v))), state.used + 1
        state = state.after("take in", iteration=used, W=W, S=S, row=row, used=used)
        yield state
    return f"all {data.n:,} rows are taken in"


def adapt(before: Problem, after: Problem, state: LeastSquaresState, rows: Array) -> LeastSquaresState:
    """W and S are worked out anew of the rows as they are, as many as are still there of those taken in."""
    data, p, q = after.data, before.parameters, after.parameters
    if data is before.data and p == q:
        return state
    used = used_in_epoch(before, 1, state.used, rows)
    run = least_squares_classifier(data, delta=q.delta, order=q.order, seed=q.seed)
    fresh = next(run)
    for _ in range(used):
        fresh = next(run)
    return state.replaced(W=fresh.W, S=fresh.S, row=fresh.row, used=used, by_hand=False)


def taken(problem: Problem, state: LeastSquaresState) -> Array:
    """(m,) the rows taken in so far."""
    p = problem.parameters
    return epoch_order(problem.data.n, p.order, p.seed, 1)[: state.used]


def rows_of(problem: Problem) -> tuple[Array, Array]:
    """(n, d + 1) rows with the constant 1, and (n, K) targets."""
    return problem.data.once(features, True), problem.data.once(one_hot)


@kept
def fitted(problem: Problem, state: LeastSquaresState) -> Array:
    """(n, K) fitted values W_c·x of all rows."""
    return rows_of(problem)[0] @ state.W.T


@kept
def margins(problem: Problem, state: LeastSquaresState) -> Array:
    """(n,) of two classes z = y f."""
    return np.asarray(problem.data.signs * (rows_of(problem)[0] @ state.w))


@kept
def wrong(problem: Problem, state: LeastSquaresState) -> Array:
    """(n,) bool: rows that another class wins, or ties."""
    return wrong_rows(fitted(problem, state), np.asarray(problem.data.y))


def error(problem: Problem, state: LeastSquaresState) -> float:
    return float(wrong(problem, state).mean())


def winning(problem: Problem, state: LeastSquaresState) -> float:
    return float(np.count_nonzero(rows_won(fitted(problem, state))))


@kept
def J(problem: Problem, state: LeastSquaresState) -> float:
    """Σ ‖y - W x‖² over the rows taken in + δ ‖W - V‖²."""
    off, away = errors(problem, state), state.W - problem.data.once(even_start)
    return float((off**2).sum() + problem.parameters.delta * (away**2).sum())


@kept
def errors(problem: Problem, state: LeastSquaresState) -> Array:
    """(m, K) y - W x of the rows taken in."""
    rows = taken(problem, state)
    return np.asarray(rows_of(problem)[1][rows] - fitted(problem, state)[rows])


def punished(problem: Problem, state: LeastSquaresState) -> float:
    """Of two classes, Σ (1 - z)² over the rows taken in that are right by more than 1."""
    if len(state.W) != 2 or not state.used:
        return np.nan
    z = margins(problem, state)[taken(problem, state)]
    return float(((1 - z[z > 1]) ** 2).sum())


def tilted(problem: Problem, state: LeastSquaresState) -> float:
    return degrees(state.w[:-1], logistic(problem)[:-1]) if len(state.W) == 2 else np.nan


@once
def reach(problem: Problem) -> float:
    """‖X‖/√δ: how much larger S is at first than in the end."""
    return float(np.linalg.norm(rows_of(problem)[0])) / float(np.sqrt(problem.parameters.delta))


def lost(problem: Problem) -> float:
    """What rounding takes of S at first, beside what is left of it in the end."""
    return 1e-14 * problem.data.d * (1 + reach(problem))


@kept
def means_line(problem: Problem, state: LeastSquaresState) -> MeansLine | str:
    """The line of the class means of the rows taken in, or why there is none."""
    rows = taken(problem, state)
    return line_of_means(problem.data.X[rows], np.asarray(problem.data.y)[rows], len(state.W))


def in_a_row(problem: Problem, state: LeastSquaresState) -> bool | str:
    line = means_line(problem, state)
    return line if isinstance(line, str) else True


def taken_in(problem: Problem, before: LeastSquaresState, after: LeastSquaresState) -> tuple[Array, Array, float]:
    """x of the row taken in, its e before, and 1 + x·P x."""
    x, y = (values[after.row] for values in rows_of(problem))
    v = before.S.T @ x
    return x, y - before.W @ x, float(1 + v @ v)


def turned(before: LeastSquaresState | None, after: LeastSquaresState) -> bool:
    return before is not None and degrees(before.W[:, :-1], after.W[:, :-1]) > 5


def validate(problem: Problem) -> str | None:
    if reach(problem) <= _REACH:
        return None
    least = problem.parameters.delta * (reach(problem) / _REACH) ** 2
    return f"features as large as those of {problem.data.name} take δ above {least:.1g}; or scale them."


def scene(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Scene:
    pictures = two_panels(problem, before, after) if len(after.W) == 2 else many_panels(problem, after)
    return Scene((*pictures, so_far(problem, after), confusion(problem.data, fitted(problem, after).argmax(axis=1))))


def marked_rows(problem: Problem, state: LeastSquaresState) -> Points:
    """The rows, large those taken in, crossed those that another class wins."""
    data, rows = problem.data, np.arange(problem.data.n)
    sizes, crossed = np.where(np.isin(rows, taken(problem, state)), 0.75, 0.1), wrong(problem, state) & (state.used > 0)
    said, in_hand = says_margin(margins(problem, state)) if len(data.classes) == 2 else None, rows == state.row
    return Points(
        at=data.X, classes=data.y, weights=sizes, sizes="large: taken in", ringed=in_hand, crossed=crossed, says=said
    )


def two_panels(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> tuple[Panel, ...]:
    """The boundary with w as an arrow, what rows pay for their margins, and the weights beside the logistic ones."""
    data, rows, earlier = problem.data, marked_rows(problem, after), None if before is None else before.w
    beside = {"w of logistic regression": logistic(problem)}
    return (
        stage(data, rows, after.w, True, earlier=earlier, title="the boundary W₁·x = W₀·x", pulled=pulled),
        squares_over_margin(margins(problem, after), rows),
        *weight_panels(data, after.w, True, earlier, **beside),
    )


def many_panels(problem: Problem, after: LeastSquaresState) -> tuple[Panel, ...]:
    """Which class wins where, the fitted values along the class means, and the weights by class."""
    data, rows = problem.data, marked_rows(problem, after)
    fits, row = fitted_along_means(data, after.W, rows), after.row
    return (wins_panel(data, rows, after.W), fits, *class_weights(data, after.W, row if row >= 0 else None))


def pulled(held: LeastSquaresState, w: Array) -> LeastSquaresState:
    """The state with weights of one's own for two classes, which still sum to one."""
    both = held.W.sum(axis=0)
    return held.replaced(W=np.stack([both - w, both + w]) / 2, by_hand=True)


def so_far(problem: Problem, state: LeastSquaresState) -> Panel:
    facts = {"rows taken in": state.used, "wrong rows of all": int(wrong(problem, state).sum()), "J": J(problem, state)}
    if len(state.W) == 2:
        paid = {"paid for being right": punished(problem, state)}
        return numbers(facts | paid | {"degrees from logistic": tilted(problem, state)})
    won = zip(problem.data.classes, rows_won(fitted(problem, state)))
    return numbers(facts | {f"rows that {name} wins": n for name, n in won})


def explain(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> str:
    data, K = problem.data, len(after.W)
    if after.row < 0:
        first = "W was moved by hand" if after.by_hand else f"Every class has the value 1/{K} everywhere, so none wins"
        return f"{first}. No row is taken in yet."
    own = int(np.asarray(data.y)[after.row])
    who = f"{data.who(after.row)} is {data.classes[own]}"
    now = f"Wrong rows: {int(wrong(problem, after).sum())} of {data.n}."
    if before is None or after.used != before.used + 1:
        return f"{who}. Rows taken in: {after.used}. {now}"
    _, e, a = taken_in(problem, before, after)
    was = fitted(problem, before)[after.row]
    shrinks = f"Its error y - Wx shrinks to 1/{a:.3g} of what it was."
    if K == 2:
        pays = f"{who}: {square_in_words(float(margins(problem, before)[after.row]))} {shrinks}"
        if after.used < data.n:
            return f"{pays} {now}"
        both = int(wrong(problem, after).sum()), round(error_of_logistic(problem, after) * data.n)
        return Words.of(pays, beside_logistic(*both, margins(problem, after)))
    best = int(was.argmax())
    right = "right" if not wrong(problem, before)[after.row] else "wrong"
    value = f"fitted {was[own]:.3g} of the 1 it should have"
    other = f", and {was[best]:.3g} for {data.classes[best]}" if best != own else ""
    said = f"{who}: {value}{other}, {right}. {shrinks}"
    if after.used < data.n:
        return f"{said} {now}"
    return Words.of(said, f"{now} {winners(data.classes, rows_won(fitted(problem, after)))}")


def error_of_logistic(problem: Problem, state: LeastSquaresState) -> float:
    if len(state.W) != 2:
        return np.nan
    sides = rows_of(problem)[0] @ logistic(problem) > 0
    return float((sides != (np.asarray(problem.data.y) == 1)).mean())


SYMBOLS = {
    "W, V": ("(K, d + 1) weights of each class, the bias last; those at the start, 0 with the bias 1/K", None),
    "x, y": ("a row with the constant 1; 1 for its class and 0 for the others, or of two classes +1 or -1", None),
    "e": ("y - W x, by how much a row's fitted values are off", None),
    "P, S": ("(δI + Σxxᵀ)⁻¹ over the rows so far, and its root: P = S Sᵀ", None),
    "H": ("X P Xᵀ of the rows so far, the same for all classes; y_c is the 1 and 0 of class c", None),
    "k": ("the gain Px/(1 + x·Px): how far W moves for an error of 1", None),
    "J": ("Σ‖y - Wx‖² + δ‖W - V‖² over the rows so far", J),
    "δ": ("what W's distance from V costs", lambda problem, state: problem.parameters.delta),
    "f, w, z": ("of two classes the difference of fitted values, f = w·x with w = W₁ - W₀; and y f", None),
    "s": ("where a middle class mean lies between the outer ones, 0 to 1", None),
    "K": ("classes", lambda problem, state: len(problem.data.classes)),
}
BY_HAND = {"W was not moved by hand": lambda problem, state: not state.by_hand or "W was moved by hand"}
TWO = {"there are two classes": lambda problem, state: len(state.W) == 2 or f"there are {len(state.W)} classes"}


@theorem(
    "rows right by more than 1 push as the others pull",
    source="Bishop (2006), section 4.1.3",
    hypotheses=TWO | BY_HAND,
    proof=(
        "with two classes ‖y - Wx‖² = ½(y - f)² = ½(1 - y f)², and ‖W - V‖² = ½‖w‖²",
        "so the slope of J in w = W₁ - W₀ is δw - Σ(1 - y f) y x, and is 0 at the minimum",
        "pull is the sum over y f < 1, push what is left of it with the sign turned",
    ),
    along="rows taken in",
)
def pushed(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    rows, delta, W = taken(problem, after), problem.parameters.delta, np.abs(after.W).sum(axis=0)
    X, y, z = rows_of(problem)[0][rows], problem.data.signs[rows], margins(problem, after)[rows]
    pull = (np.maximum(1 - z, 0) * y) @ X
    push = (np.maximum(z - 1, 0) * y) @ X + delta * after.w
    size = float(((1 + np.abs(X) @ W) @ np.abs(X) + delta * W).max())
    sides, names = (("pull", pull), ("push + δw", push)), (*problem.data.features, "the bias")
    return Sides.each(*sides, relation="==", size=size, slack=2 * lost(problem) * size, entries=names)


@theorem(
    "W is the minimum of J: Σ(y - Wx)xᵀ = δ(W - V)",
    source="Plackett (1950)",
    hypotheses=BY_HAND,
    proof=(
        "J is convex and quadratic, so its minimum is where its slope is 0",
        "with P = (δI + Σxxᵀ)⁻¹ that is W = (Σ y xᵀ + δV)P, a row more gives W' = W + e kᵀ",
        "(P⁻¹ + x xᵀ)⁻¹ = P - P x xᵀP/(1 + x·Px) (Sherman and Morrison)",
    ),
    along="rows taken in",
)
def is_minimum(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    X, delta, W = rows_of(problem)[0][taken(problem, after)], problem.parameters.delta, np.abs(after.W)
    slope, pull = errors(problem, after).T @ X, delta * (after.W - problem.data.once(even_start))
    size = float(((1 + np.abs(X) @ W.T).T @ np.abs(X) + delta * (W + 1)).max())
    slack = lost(problem) * size
    sides, names = (("Σ(y - Wx)xᵀ", slope), ("δ(W - V)", pull)), problem.data.once(names_by_class, True)
    return Sides.each(*sides, relation="==", size=size, slack=slack, entries=names)


@theorem(
    "each class by itself: W_c·x = 1/K + H(y_c - 1/K)",
    source="Hastie, Tibshirani and Friedman (2009)",
    hypotheses=BY_HAND,
    proof=(
        "J is a sum over the classes, so W_c is least squares on y_c alone",
        "with X = the rows so far, H = X P Xᵀ is the same for all",
    ),
    along="rows taken in",
)
def alone(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    rows, c = taken(problem, after), after.used % len(after.W)
    if not len(rows):
        return None
    (X, Y), even = rows_of(problem), 1 / len(after.W)
    XS, y = X[rows] @ after.S, Y[rows, c]
    size = 1 + float((np.abs(X[rows]) @ np.abs(after.W[c])).max())
    named = (f"W_{c}·x", fitted(problem, after)[rows, c]), (f"1/K + H(y_{c} - 1/K)", even + XS @ (XS.T @ (y - even)))
    return Sides.each(*named, relation="==", size=size, slack=lost(problem) * size, entries=row_names(rows))


@theorem(
    "a row's own error shrinks to e/(1 + x·Px)",
    source="Plackett (1950)",
    about="step",
    phases=("take in",),
    proof=("y - W'x = e - e k·x, and k·x = x·Px/(1 + x·Px)",),
)
def own_error(problem: Problem, before: LeastSquaresState, after: LeastSquaresState) -> Answer:
    x, e, a = taken_in(problem, before, after)
    gained = float(np.abs(x) @ (np.abs(before.S) @ np.abs(before.S.T @ x))) / a  # summed on the way to k·x
    size = 1 + np.abs(before.W) @ np.abs(x) + np.abs(e) * gained
    now = e - (after.W - before.W) @ x
    sides = ("y - W'x", now), ("(y - Wx)/(1 + x·Px)", e / a)
    return Sides.each(*sides, relation="==", size=size, entries=class_names(problem.data))


@theorem(
    "fitted values sum to one over the classes",
    source="Hastie, Tibshirani and Friedman (2009)",
    proof=(
        "Σ W_c is (0, ..., 0, 1) at the start: K times 1/K",
        "Σ y_c = 1, so Σ e_c = 1 - Σ W_c·x = 0, and no row changes Σ W_c",
    ),
)
def sums_to_one(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    X = rows_of(problem)[0]
    total, size = X @ after.W.sum(axis=0), np.abs(X) @ np.abs(after.W).sum(axis=0)
    return Sides.each(("Σ W_c·x", total), ("1", 1.0), relation="==", size=size, slack=lost(problem), axes=("row",))


@theorem(
    "masking: W_middle = (1 - s)W_low + sW_high",
    source="Hastie, Tibshirani and Friedman (2009), section 4.2",
    hypotheses=BY_HAND | {"all classes have as many rows, and their means lie on a line": in_a_row},
    proof=(
        "for n rows, n/K of each class: Σ(y_c - 1/K)x = (n/K)(mean_c - mean, 0)",
        "for some v and t_c that is (n/K) t_c (v, 0), as the means lie on a line",
        "W - V = (Σ(y - 1/K)xᵀ)P, so with h(x) = (n/K)(v, 0)·Px it is W_c·x = 1/K + t_c h(x)",
        "t_middle lies between the others': so does its value, and where h = 0 all are 1/K",
    ),
)
def masked(problem: Problem, before: LeastSquaresState | None, after: LeastSquaresState) -> Answer:
    line = means_line(problem, after)
    assert not isinstance(line, str)
    middle, between = line.between_ends(after.W)
    # means off the line by so much turn W_c by n/K times that, divided by the least eigenvalue of δI + Σxxᵀ
    shift = after.used * line.off * float(np.linalg.norm(after.S, 2)) ** 2
    slack = shift + lost(problem) * (float(np.abs(after.W).max()) + 1)
    names = np.reshape(problem.data.once(names_by_class, True), after.W.shape)[line.middle].ravel().tolist()
    sides = ("W_middle", middle), ("(1-s)W_low + sW_high", between)
    return Sides.each(*sides, relation="==", slack=slack, entries=names)


THEOREMS = (pushed, is_minimum, alone, own_error, sums_to_one, masked)

PETAL = ("petal_length_cm",)  # one feature, on which equal counts are enough for masking

ALGORITHM = Algorithm(
    least_squares_classifier,
    title="Least squares classifier",
    point="Rows far on their right side pull the border too, and tilt it.",
    after=("perceptron",),
    leaves_open="The least squared error need not mean the fewest wrong rows.",
    tries=(("three classes in a row", "--data collinear"), ("no row far off", "--data blobs:n=60,margin=0.3")),
    asks=(
        Ask.way("A row more is taken in: what does the training error do?", '"training error"'),
        Ask("Does the line turn by more than 5°?", '"the fit turned by more than 5°"'),
    ),
    summary="Fits each class's 1 and 0 by least squares, a row at a time, and takes the class with the greatest value.",
    rule="e = y - W x,   k = P x / (1 + x·P x)\nW <- W + e kᵀ,   P <- P - k (P x)ᵀ\nclass of x: the greatest W_c·x",
    needs=Needs(target="class", most_features=1_000, within=(1e-50, 1e50)),  # beyond, squares of squares overflow
    phases={"start": "every class has 1/K everywhere", "take in": "the exact minimum with one row more"},
    events=(Event("the fit turned by more than 5°", turned),),
    curves=(
        Curve("error", error, "share wrong of all rows", held_out=True),
        Curve("of logistic regression", error_of_logistic, "share wrong of all rows, of two classes", "error"),
        Curve("degrees from logistic", tilted, "angle with logistic w"),
        Curve("paid for being right", punished, "Σ(1 - z)² over z > 1"),
        Curve("classes that win rows", winning, "with the greatest W_c·x"),
        Curve("J", J, "Σ‖y - Wx‖² + δ‖W - V‖²"),
    ),
    objective={("J",): ("delta",)},
    contrast=Contrast(
        "rows wrong: of least squares, and of logistic regression",
        curves=("training error", "of logistic regression"),
        names=("error of least squares", "error of logistic regression"),
    ),
    theorems=THEOREMS,
    ends={"all … rows are taken in": all_rows(lambda state: state.used)},
    symbols=SYMBOLS,
    measured=("W", "S"),
    only_for={"seed": ("order", "shuffled")},
    compared=compared_with,
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(tilt, collinear, iris.with_(columns=PETAL), iris, penguins.with_(scale=True, hold_out=0.25), digits),
)
