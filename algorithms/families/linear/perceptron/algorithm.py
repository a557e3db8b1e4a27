"""Perceptron: correct one mistake at a time until a hyperplane separates the classes.

    when  y (w·x) <= margin:   w <- w + η y x

y is +1 or -1, and x has the constant 1 appended when there is a bias, so w·x holds it too. w = 0 is on neither
side, so w·x = 0 is a mistake. With margin > 0 this is the margin perceptron: a row must be on its side by
more than so much.

If a unit vector w* separates the rows, y (w*·x) >= γ > 0, and no row is longer than R, then after m
corrections from w = 0 with η and the margin constant

    η m γ  <=  w·w*  <=  ‖w‖  <=  √(m (η² R² + 2 η margin)),   so   m <= (R² + 2 margin / η) / γ².

So ‖w‖ <= (η R² + 2 margin)/γ, and once every row has y w·x > margin, w's own margin min y w·x/‖w‖ is above
γ margin/(η R² + 2 margin): with a large margin above nearly half of γ, with margin 0 above 0 only.

Each correction adds η y (x·w*) >= η γ to w·w*, and to ‖w‖² it adds 2 η y (w·x) + η² ‖x‖² <= 2 η margin + η² R².
γ and R are those of the space that is used, the constant 1 included. From w = 0 and with margin 0 all of w is a
multiple of η: another η gives the same mistakes.

References: Rosenblatt (1958), The perceptron, Psychological Review 65(6); Novikoff (1962), On convergence proofs on
perceptrons, Symposium on the Mathematical Theory of Automata; Duda and Hart (1973), Pattern Classification, section
5.5 (with a margin); Li, Zaragoza, Herbrich, Shawe-Taylor and Kandola (2002), The perceptron algorithm with uneven
margins, ICML.
"""

from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    DoesNotApply,
    Mark,
    Meta,
    Needs,
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
    kept,
    numbers,
    once,
    theorem,
)
from algorithms.data import badges, blobs, breast_cancer, circle, digits, iris, moons, wine, xor
from algorithms.families.linear.perceptron.pictures import name_beside, named_rows, names_to_predict
from algorithms.families.linear.perceptron.row_visits import Visits
from algorithms.toolbox.orders import epoch_order, used_in_epoch
from algorithms.toolbox.panels.linear import both_margins, compared, foot, stage, weight_panels
from algorithms.toolbox.panels.row_words import says_margin
from algorithms.toolbox.separation import strictly
from algorithms.toolbox.signed_rows import longest, rows_of, separation, signed_rows


class PerceptronState(State, frozen=True, kw_only=True):
    w: Array  # (d + 1,) weights, the bias last; (d,) without a bias
    row: Annotated[int, Row] = -1  # the row just visited
    place: int = -1  # its place in this epoch's order
    mistakes: int = 0  # corrections so far
    clean: int = 0  # rows visited since the last mistake, or since the epoch began if it is shuffled
    bound: float = 0.0  # Σ (η² R² + 2 η margin) over the corrections, which ‖w‖² cannot exceed


def perceptron(
    data: Dataset,
    state: PerceptronState | None = None,
    *,
    eta: Annotated[float, Meta(ge=1e-3, le=1e3, description="step size η")] = 1.0,
    margin: Annotated[float, Meta(ge=0, le=1e3, description="a row this close to the boundary is a mistake too")] = 0.0,
    bias: Annotated[bool, Meta(description="append the constant 1, so that the boundary may miss the origin")] = True,
    order: Annotated[
        Literal["cyclic", "shuffled"], Meta(description="rows in turn, or shuffled each epoch")
    ] = "cyclic",
    every: Annotated[
        Literal["row", "mistake"], Meta(description="a state a row visited, or a state a mistake")
    ] = "row",
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="passes before giving up")] = 100,
    seed: Annotated[Seed, Meta(description="of the shuffled orders")] = 0,
) -> Run[PerceptronState]:
    z = data.once(signed_rows, bias)  # y x, so a row is a mistake when z·w <= margin
    step = z if eta == 1 else eta * z  # what w gains by a mistake
    most = eta**2 * data.once(longest, bias) ** 2 + 2 * eta * margin
    if state is None:
        state = PerceptronState(w=np.zeros(z.shape[1]))
        yield state
    visits = Visits(z, margin, order, seed, (state.iteration or 1, state.place, state.clean))
    while visits.clean < len(z):
        row, score = visits.until_mistake(state.w)  # z·w of many rows at once, for w stays until then
        epoch, place = visits.epoch, visits.place
        if epoch > epochs:
            return f"no clean pass among {epochs:,}"
        for at, correct, clean in visits.right() if every == "row" else ():
            state = state.after("correct", row=correct, place=at, iteration=epoch, clean=clean)
            yield state
        if score <= margin:
            w, bound = state.w + step[row], state.bound + most
            m = state.mistakes + 1
            state = state.after("mistake", w=w, row=row, place=place, iteration=epoch, mistakes=m, clean=0, bound=bound)
            yield state
    return f"a whole pass without {'another' if state.phase == 'mistake' else 'a'} mistake"


def adapt(before: Problem, after: Problem, state: PerceptronState, rows: Array) -> PerceptronState:
    """w stays, and so does the place among the rows; what was right stays so on the same rows in the same order."""
    p, q = before.parameters, after.parameters
    shuffled_anew = q.order == "shuffled" and p.seed != q.seed  # a row may come twice in this epoch, another never
    still = after.data is before.data and (p.margin, p.order) == (q.margin, q.order) and not shuffled_anew
    place = used_in_epoch(before, state.iteration, state.place + 1, rows) - 1
    return state.replaced(place=place, clean=state.clean if still else 0)


@kept
def margins(problem: Problem, state: PerceptronState) -> Array:
    """(n,) y (w·x): positive for a row on its side."""
    return np.asarray(np.vecdot(rows_of(problem), state.w))


def norm(problem: Problem, state: PerceptronState) -> float:
    return float(np.linalg.norm(state.w))


def error(problem: Problem, state: PerceptronState) -> float:
    return float((margins(problem, state) <= 0).mean())


def lower_bound(problem: Problem, state: PerceptronState) -> float:
    """η m γ, which w·w* cannot fall behind; NaN without a separator."""
    best = separation(problem)
    return problem.parameters.eta * state.mistakes * best.margin if best.direction is not None else np.nan


def upper_bound(problem: Problem, state: PerceptronState) -> float:
    """√Σ(η² R² + 2 η margin) over the corrections, which ‖w‖ cannot exceed, separable or not."""
    return float(np.sqrt(state.bound))


def own_margin(problem: Problem, state: PerceptronState) -> float:
    """The least y w·x/‖w‖, which is γ for the best of all w; NaN for w = 0."""
    length = norm(problem, state)
    return float(margins(problem, state).min()) / length if length else np.nan


def gamma(problem: Problem, state: PerceptronState) -> float:
    return separation(problem).margin if separation(problem).direction is not None else np.nan


@once
def most_mistakes(problem: Problem) -> float:
    """(R² + 2 margin / η) / γ²; infinite without a separator."""
    best, eta, margin = separation(problem), problem.parameters.eta, problem.parameters.margin
    if best.direction is None:
        return np.inf
    ratio = best.longest / best.margin  # not of squares, which may vanish
    return float(ratio * ratio + 2 * margin / eta / best.margin / best.margin)


def separable(problem: Problem, state: PerceptronState) -> bool | DoesNotApply | Undecided:
    """The hypothesis of the bound, with the reason where there is no γ."""
    return strictly(separation(problem))


def all_beyond(problem: Problem, state: PerceptronState) -> bool | str:
    within = int((margins(problem, state) <= problem.parameters.margin).sum())
    return not within or f"there are rows with y w·x <= margin, {within} of them"


def clean_pass(problem: Problem, state: PerceptronState) -> bool | Sides:
    """Every row is beyond the margin, in as many visits as there are rows; with a state a mistake these follow it."""
    if state.clean < problem.data.n and problem.parameters.every == "row":
        return False
    beyond = int((margins(problem, state) > problem.parameters.margin).sum())
    return Sides(("n", problem.data.n), ("rows beyond the margin", beyond))


def passes_over(problem: Problem, state: PerceptronState) -> bool | Sides:
    """The last pass that may be made is over: of its rows none that is still to come is a mistake."""
    p, n = problem.parameters, problem.data.n
    if state.iteration > p.epochs:  # of a fork that allows fewer
        return True
    to_come = epoch_order(n, p.order, p.seed, max(state.iteration, 1))[state.place + 1 :]
    if len(to_come) and (p.every == "row" or (margins(problem, state)[to_come] <= p.margin).any()):
        return False
    return Sides(("epochs", p.epochs), ("passes", state.iteration))


def scene(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> Scene:
    data, bias = problem.data, problem.parameters.bias
    rows = Points(
        at=data.X,
        classes=data.y,
        ringed=np.arange(data.n) == after.row,
        crossed=(margins(problem, after) <= 0) & bool(after.w.any()),  # w = 0 has not said anything yet
        says=says_margin(margins(problem, after), "y w·x"),
    )
    best = separation(problem).direction
    widest = None if best is None else norm(problem, after) * best
    earlier = before.w if before is not None and after.phase == "mistake" else None
    beside = (*foot(data, after.w, bias, after.row), *name_beside(data, after.row))
    return Scene(
        (
            stage(data, rows, after.w, bias, earlier=earlier, pulled=pulled, beside=beside),
            *named_rows(data, margins(problem, after), after.row),
            *names_to_predict(data, after.w, bias),
            *weight_panels(data, after.w, bias, None if before is None else before.w, **{"‖w‖ w*": widest}),
            numbers(so_far(problem, after)),
        )
    )


def compared_with(problem: Problem, state: PerceptronState) -> tuple[Mark, ...]:
    """w*, of the widest margin."""
    return compared(separation(problem).direction, problem.parameters.bias, "w*, the widest margin")


def pulled(held: PerceptronState, w: Array) -> PerceptronState:
    """The state with weights of one's own: no row counts as clean, and ‖w‖ is what the bound starts from."""
    return held.replaced(w=w, clean=0, bound=float(w @ w))


def so_far(problem: Problem, state: PerceptronState) -> dict[str, float | int | None]:
    best, length = separation(problem), norm(problem, state)
    found = best.direction is not None
    return {
        "mistakes m": state.mistakes,
        "most there can be": most_mistakes(problem) if found and not problem.forked else None,
        "rows right in turn": state.clean,
        "wrong rows now": int((margins(problem, state) <= 0).sum()),
        "‖w‖": length,
        "‖w‖/η": length / problem.parameters.eta,
        "cosine of w and w*": float(state.w @ best.direction) / length if found and length else None,
        "γ, the margin of w*": best.margin if found else None,
        "R, the longest row": best.longest,
        **both_margins(state.w, problem.parameters.bias, margins(problem, state)),
    }


def explain(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> str:
    data = problem.data
    if after.row < 0 and after.t:
        return "The row that was visited last is gone; w stays, and goes on with the rows there are."
    if after.row < 0:
        return "w = 0 puts no row on either side, so the first row that is visited is a mistake."
    positive = data.signs[after.row] > 0
    sign, z = ("+" if positive else "-"), rows_of(problem)[after.row]
    who = f"{data.who(after.row)} is {data.classes[int(positive)]} ({sign})"
    now = float(data.signs[after.row] * (z @ after.w)) + 0.0  # never "-0"
    if after.phase == "correct":
        stays, turn = f"{who} and w·x = {now:.4g}: right, and w stays.", f"{after.clean} of {data.n} rows right in turn"
        if after.clean < data.n:
            return f"{stays} That makes {turn}."
        return Words.of(stays, f"That makes {turn}: w separates the classes, after {after.mistakes} mistakes.")
    if before is None:
        return f"{who}. It was a mistake; after its correction w·x = {now:.4g}."
    was = float(data.signs[after.row] * (z @ before.w)) + 0.0
    turn = "towards" if positive else "away from"
    why = f"but w·x = {was:.4g}: a mistake"
    if was * data.signs[after.row] > 0:
        why = f"w·x = {was:.4g}, within the margin of {problem.parameters.margin:g}: a mistake"
    first = f"{rows_between(data.n, before, after)} rows were right. " if problem.parameters.every == "mistake" else ""
    return f"{first}{who}, {why}. w turns {turn} it, and now w·x = {now:.4g}."


def rows_between(n: int, before: PerceptronState, after: PerceptronState) -> int:
    """How many rows were visited after that of `before` and before that of `after`."""
    passes = after.iteration - max(before.iteration, 1)
    return passes * n + after.place - before.place - 1


SYMBOLS = {
    "w": ("weights, the bias last", None),
    "x, y": ("a row, with 1 appended when there is a bias, and its class as +1 or -1", None),
    "η": ("step size", lambda problem, state: problem.parameters.eta),
    "margin": ("the parameter: y w·x that is no greater is a mistake", lambda p, s: p.parameters.margin),
    "m": ("mistakes corrected so far", lambda problem, state: state.mistakes),
    "w*": ("the unit vector that separates the rows most widely", None),
    "γ": ("the least y x·w* of a row", lambda problem, state: separation(problem).margin or None),
    "R": ("length of the longest row", lambda problem, state: separation(problem).longest),
}
ADDED = "a correction adds η y x to w, where y w·x <= margin"
SQUARE = "‖w + η y x‖² = ‖w‖² + 2 η y w·x + η²‖x‖² <= ‖w‖² + 2 η margin + η²R²"


@theorem(
    "mistakes m <= (R² + 2 margin/η)/γ²",
    source="Novikoff (1962); with a margin Duda and Hart (1973)",
    about="run",
    hypotheses={"the rows can be separated strictly": separable},
    proof=(
        "w gains η y x, so that w·w* grows by η γ or more, ‖w‖² by η²R² + 2η margin at most",
        "so η m γ <= w·w* <= ‖w‖ <= √(m (η²R² + 2η margin)): square it, divide by η² m γ²",
    ),
    along="m",
)
def mistake_bound(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> Answer:
    name = "(R² + 2 margin/η)/γ²" if problem.parameters.margin else "R²/γ²"
    if not np.isfinite(most_mistakes(problem)):
        return Undecided(f"γ = {separation(problem).margin:.3g} is so small that {name} is beyond every number")
    return Sides(("m", after.mistakes), (name, most_mistakes(problem)))


@theorem(
    "η m γ <= w·w* <= ‖w‖ <= √(m(η²R² + 2η margin))",
    source="Novikoff (1962); with a margin Li et al. (2002)",
    about="run",
    hypotheses={"the rows can be separated strictly": separable},
    proof=(ADDED, "so w·w* grows by η y x·w* >= η γ each time", "w·w* <= ‖w‖‖w*‖ = ‖w‖ (Cauchy, Schwarz)", SQUARE),
    along="m",
)
def mistake_proof(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> Answer:
    best = separation(problem).direction
    assert best is not None
    name = "√(m(η²R² + 2η margin))" if problem.parameters.margin else "√m η R"
    return Sides(
        ("η m γ", lower_bound(problem, after)),
        ("w·w*", float(after.w @ best)),
        ("‖w‖", norm(problem, after)),
        (name, upper_bound(problem, after)),
        slack=1e-15 * len(best) * norm(problem, after),  # of w·w*, where great entries cancel
    )


@theorem(
    "‖w‖² <= Σ(η²R² + 2η margin) over the corrections",
    source="Novikoff (1962)",
    proof=(ADDED, SQUARE, "with or without a separator, and whatever was changed on the way"),
    along="m",
)
def length_bound(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> Answer:
    return Sides(("‖w‖²", norm(problem, after) ** 2), ("Σ(η²R² + 2η margin)", after.bound))


@theorem(
    "a row is corrected exactly where y w·x <= margin",
    source="Rosenblatt (1958)",
    about="step",
    proof=("that is the rule",),
)
def right_choice(problem: Problem, before: PerceptronState, after: PerceptronState) -> Answer:
    if after.row < 0:
        return None
    was, margin = float(rows_of(problem)[after.row] @ before.w), problem.parameters.margin
    if after.phase == "correct":
        return Sides(("margin", margin), ("y w·x", was), relation="<")
    return Sides(("y w·x", was), ("margin", margin))


@theorem(
    "a correction raises y w·x of its row by η‖x‖²",
    source="Rosenblatt (1958)",
    about="step",
    phases=("mistake",),
    proof=("y (w + η y x)·x = y w·x + η y² x·x, and y² = 1",),
)
def correction(problem: Problem, before: PerceptronState, after: PerceptronState) -> Answer:
    z, eta = rows_of(problem)[after.row], problem.parameters.eta
    # each product loses a few bits of ‖x‖‖w‖, however small it comes out
    size = float(np.linalg.norm(z)) * (norm(problem, before) + norm(problem, after))
    moved = float(z @ before.w + eta * z @ z)
    return Sides(("y w'·x", float(z @ after.w)), ("y w·x + η‖x‖²", moved), relation="==", size=size)


@theorem(
    "at the end: γ margin/(ηR² + 2 margin) <= min y w·x/‖w‖",
    source="Li et al. (2002)",
    about="run",
    hypotheses={"the rows can be separated strictly": separable, "y w·x > margin for every row": all_beyond},
    proof=(
        "the first two: ‖w‖ <= √(m(η²R² + 2η margin)) with m <= (R² + 2 margin/η)/γ²",
        "so ‖w‖ <= (ηR² + 2 margin)/γ, and y w·x > margin for every row",
    ),
)
def margin_kept(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> Answer:
    best, p = separation(problem), problem.parameters
    share = p.margin / (p.eta * best.longest**2 + 2 * p.margin)
    return Sides(("γ margin/(ηR² + 2 margin)", best.margin * share), ("min y w·x/‖w‖", own_margin(problem, after)))


@theorem(
    "a correction adds η²R² + 2η margin to the bound on ‖w‖²",
    source="Novikoff (1962)",
    about="step",
    phases=("mistake",),
    proof=(SQUARE, "summed over the corrections; R is the longest row, looked for anew"),
)
def bound_grown(problem: Problem, before: PerceptronState, after: PerceptronState) -> Answer:
    X, p = problem.data.X, problem.parameters
    square = float(np.vecdot(X, X).max()) + p.bias
    grown = before.bound + p.eta**2 * square + 2 * p.eta * p.margin
    return Sides(("its bound", after.bound), ("the last + η²R² + 2η margin", grown), relation="==", size=grown)


THEOREMS = (mistake_bound, mistake_proof, length_bound, right_choice, correction, margin_kept, bound_grown)

ALGORITHM = Algorithm(
    perceptron,
    title="Perceptron",
    point="Each mistake turns the line in favour of its row, until no row is wrong.",
    leaves_open="Any line that separates will do: this one need not be the widest.",
    tries=(("rows with less room", "--data blobs:n=60,margin=0.05"), ("rows in shuffled order", "-p order=shuffled")),
    asks=(
        Ask("Is the next row a mistake?", "mistake"),
        Ask.way("After the next row: what does the training error do?", '"training error"'),
        Ask.way("After the next row: what does the length of w do?", "‖w‖"),
    ),
    summary="Visits the rows in turn and corrects w at each mistake, until a hyperplane separates the classes.",
    rule="when y (w·x) <= margin:\n    w <- w + η y x",
    needs=Needs(target="class", classes=2, within=(1e-100, 1e100)),  # beyond, squares of lengths overflow or vanish
    phases={
        "start": "w = 0",
        "mistake": "on the wrong side, or too close: add η y x to w",
        "correct": "on the right side: leave w alone",
    },
    events=("mistake",),
    start_only=("bias",),
    curves=(
        Curve("mistakes", lambda problem, state: state.mistakes, "m"),
        Curve("error", error, "share of wrong rows", held_out=True),
        Curve("lower bound", lower_bound, "η m γ", chart="length of w", about="run"),
        Curve("‖w‖", norm, "‖w‖", chart="length of w"),
        Curve("upper bound", upper_bound, "√Σ(η²R² + 2η margin)", chart="length of w"),
        Curve("margin of w", own_margin, "min y w·x/‖w‖", chart="margin"),
        Curve("γ", gamma, "min y w*·x, of the best w", chart="margin"),
    ),
    objective={},
    theorems=THEOREMS,
    ends={
        "a whole pass without … mistake": clean_pass,
        "no clean pass among …": passes_over,
    },
    symbols=SYMBOLS,
    only_for={"seed": ("order", "shuffled")},
    compared=compared_with,
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(
        blobs.with_(n=60, margin=0.3),
        iris.with_(positive="setosa"),
        wine.with_(positive="cultivar_2", scale=True),
        breast_cancer.with_(scale=True),
        digits.with_(positive="3"),
        moons,
        badges.with_(map="letters:2"),
        xor.with_(map="products"),
        circle.with_(map="quadratic", scale=True),
    ),
)
