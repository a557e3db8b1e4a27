"""Perceptron: correct one mistake at a time until a hyperplane separates the classes.

    when  y (w·x) <= margin:   w <- w + η y x

y is +1 or -1, and x has the constant 1 appended when there is a bias, so w·x holds it too. w = 0 is on neither
side, so w·x = 0 is a mistake. With margin > 0 this is the margin perceptron: a row must be on its side by
more than so much.

If a unit vector w* separates the rows, y (w*·x) >= γ > 0, and no row is longer than R, then after m
corrections from w = 0 with η and the margin constant

    η m γ  <=  w·w*  <=  ‖w‖  <=  √(m (η² R² + 2 η margin)),   so   m <= (R² + 2 margin / η) / γ².

Each correction adds η y (x·w*) >= η γ to w·w*, and to ‖w‖² it adds 2 η y (w·x) + η² ‖x‖² <= 2 η margin + η² R².
γ and R are those of the space that is used, the constant 1 included.

References: Rosenblatt (1958), Psychological Review 65(6); Novikoff (1962), Symposium on the Mathematical
Theory of Automata; Krauth and Mézard (1987), Journal of Physics A 20 (the margin perceptron).
"""

from functools import lru_cache
from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Array,
    Curve,
    Dataset,
    DoesNotApply,
    GhostTrail,
    Matrix,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Table,
    Theorem,
    Undecided,
)
from algorithms.core.theorem import Answer
from algorithms.data import blobs, breast_cancer, digits, iris, moons, wine
from algorithms.families.linear.perceptron import pictures
from algorithms.toolbox.orders import epoch_order, used_after
from algorithms.toolbox.separation import Separation, separate
from algorithms.toolbox.sizes import out_of_range

_MOST_AHEAD = 32_768  # rows; more would make a mistake found early dear
_LARGEST = 1e100  # beyond it and below its inverse, squares of lengths would overflow or vanish


class PerceptronState(State, frozen=True, kw_only=True):
    w: Array  # (d + 1,) weights, the bias last; (d,) without a bias
    row: int = -1  # the row just visited
    place: int = -1  # its place in this epoch's order
    mistakes: int = 0  # corrections so far
    clean: int = 0  # rows visited since the last mistake, or since the epoch began if it is shuffled


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
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1, description="of the shuffled orders")] = 0,
) -> Run[PerceptronState]:
    z = signed_rows(data, bias)  # y x, so a row is a mistake when z·w <= margin
    step = z if eta == 1 else eta * z
    n = len(z)
    if state is None:
        state = PerceptronState(w=np.zeros(z.shape[1]))
        yield state
    epoch, place, clean = max(state.iteration, 1), state.place + 1, state.clean  # those of the next row
    look = 32
    while clean < n:
        if place == n:
            epoch, place = epoch + 1, 0
            clean = clean if order == "cyclic" else 0
        if epoch > epochs:
            return f"{epochs:,} passes, and none of them clean"
        # w stays as it is until the next mistake, so the margins of the rows to come are known at once.
        visits = epoch_order(n, order, seed, epoch)
        ahead = slice(place, place + min(look, n - place, n - clean))
        coming = z[ahead] if order == "cyclic" else z[visits[ahead]]
        right = rows_before_mistake(coming, state.w, margin)
        if every == "row":
            for row in visits[place : place + right].tolist():
                clean += 1
                state = state.after("correct", row=row, place=place, iteration=epoch, clean=clean)
                yield state
                place += 1
        else:
            place, clean = place + right, clean + right
        if right < len(coming):
            row, mistakes = int(visits[place]), state.mistakes + 1
            w = state.w + step[row]
            state = state.after("mistake", w=w, row=row, place=place, iteration=epoch, clean=0, mistakes=mistakes)
            yield state
            place, clean, look = place + 1, 0, (look + 3 * right) // 2 + 16
        else:
            look = min(2 * look, _MOST_AHEAD)
    return "a whole pass without a mistake"


def adapt(before: Problem, after: Problem, state: PerceptronState, rows: Array) -> PerceptronState:
    """w stays, and so does the place among the rows; none of them counts as clean any more."""
    p, n = before.parameters, before.data.n
    order = epoch_order(n, p.order, p.seed, max(state.iteration, 1))
    place = used_after(rows, order, state.place + 1) - 1
    row = np.flatnonzero((rows == state.row) & (rows >= 0))
    return state.replaced(place=place, row=int(row[0]) if row.size else -1, clean=0)


def rows_before_mistake(z: Array, w: Array, margin: float) -> int:
    """How many of the (m, p) signed rows z = y x come before the first with z·w <= margin; m if there is none.

    `vecdot` takes one dot product a row, so its bits do not depend on how many rows are looked at together.
    """
    wrong = np.vecdot(z, w) <= margin
    first = int(wrong.argmax())
    return first if wrong[first] else len(wrong)


@lru_cache(maxsize=4)
def signed_rows(data: Dataset, bias: bool) -> Array:
    """(n, p) rows y x, the constant 1 appended to x first when there is a bias; read-only."""
    x = np.column_stack([data.X, np.ones(data.n)]) if bias else data.X
    z = x * data.signs[:, None]
    z.setflags(write=False)
    return z


def separation(problem: Problem) -> Separation:
    """A separating direction w* with its measured margin γ and the longest row's length R, or the proof of none."""
    return separate(signed_rows(problem.data, problem.parameters.bias))


def margins(problem: Problem, state: PerceptronState) -> Array:
    """(n,) y (w·x): positive for a row on its side."""
    return np.asarray(np.vecdot(signed_rows(problem.data, problem.parameters.bias), state.w))


def norm(problem: Problem, state: PerceptronState) -> float:
    return float(np.linalg.norm(state.w))


def lower_bound(problem: Problem, state: PerceptronState) -> float:
    """η m γ, which w·w* cannot fall behind; NaN without a separator."""
    found = problem.once(separation)
    return problem.parameters.eta * state.mistakes * found.margin if found.direction is not None else np.nan


def upper_bound(problem: Problem, state: PerceptronState) -> float:
    """√(m (η² R² + 2 η margin)), which ‖w‖ cannot exceed, separable or not."""
    eta, margin, R = problem.parameters.eta, problem.parameters.margin, problem.once(separation).longest
    return float(np.sqrt(state.mistakes * (eta**2 * R**2 + 2 * eta * margin)))


def most_mistakes(problem: Problem) -> float:
    """(R² + 2 margin / η) / γ²; infinite without a separator."""
    found, eta, margin = problem.once(separation), problem.parameters.eta, problem.parameters.margin
    return (found.longest**2 + 2 * margin / eta) / found.margin**2 if found.direction is not None else np.inf


def training_error(problem: Problem, state: PerceptronState) -> float:
    return float((problem.of(margins, state) <= 0).mean())


def held_out_error(problem: Problem, state: PerceptronState) -> float:
    aside = problem.data.held_out
    if aside is None:
        return np.nan
    return float((np.vecdot(signed_rows(aside, problem.parameters.bias), state.w) <= 0).mean())


def unseparated(found: Separation) -> DoesNotApply | Undecided:
    """Why there is no γ."""
    if found.impossible:
        rows = np.count_nonzero(found.shares)
        return DoesNotApply(f"the rows cannot be separated strictly: a weighted mean of {rows} of the y x is 0")
    return Undecided(f"{found.why}; none has a margin above {found.remainder:.3g}")


def mistake_bound(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> Answer:
    found = problem.once(separation)
    if found.direction is None:
        return unseparated(found)
    name = "(R² + 2 margin/η)/γ²" if problem.parameters.margin else "R²/γ²"
    return Sides(("m", after.mistakes), (name, problem.once(most_mistakes)))


def mistake_proof(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> Answer:
    found = problem.once(separation)
    if found.direction is None:
        return unseparated(found)
    return Sides(
        ("η m γ", lower_bound(problem, after)),
        ("w·w*", float(after.w @ found.direction)),
        ("‖w‖", norm(problem, after)),
        ("√(m(η²R² + 2η margin))" if problem.parameters.margin else "√m η R", upper_bound(problem, after)),
    )


def correction(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> Answer:
    if before is None or after.phase != "mistake":
        return None
    z, eta = signed_rows(problem.data, problem.parameters.bias)[after.row], problem.parameters.eta
    # Each product loses a few bits of ‖x‖‖w‖, however small it comes out.
    rounding = 1e-12 * float(np.linalg.norm(z)) * (norm(problem, before) + norm(problem, after))
    moved = float(z @ before.w + eta * z @ z)
    return Sides(("y w'·x", float(z @ after.w)), ("y w·x + η‖x‖²", moved), relation="==", slack=rounding)


def validate(problem: Problem) -> str | None:
    return out_of_range(problem.data, _LARGEST)


def scene(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> Scene:
    panels = [stage(problem, before, after), weights_table(problem, before, after), numbers_table(problem, after)]
    if problem.data.image is not None:
        weights, _ = parts(problem, after)
        picture = Matrix(values=weights.reshape(problem.data.image), signed=True)
        panels.insert(1, Panel(title="w as an image", marks=(picture,)))
    return Scene(tuple(panels))


def parts(problem: Problem, state: PerceptronState) -> tuple[Array, float]:
    """The (d,) weights of the features, and the bias (0 where there is none)."""
    return (state.w[:-1], float(state.w[-1])) if problem.parameters.bias else (state.w, 0.0)


def stage(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> Panel:
    data = problem.data
    weights, offset = parts(problem, after)
    corrected = before is not None and after.phase == "mistake"
    rows = Points(
        at=data.X,
        classes=data.y,
        ringed=np.arange(data.n) == after.row,
        crossed=(problem.of(margins, after) <= 0) & bool(after.w.any()),  # w = 0 has not said anything yet
    )
    tint = (pictures.sides(data, weights, offset),) if weights.any() else ()
    past = GhostTrail(mark=lambda state: pictures.boundary(*parts(problem, state)))
    earlier = parts(problem, before)[0] if corrected and before is not None else None
    arrows = pictures.normals(data, weights, offset, earlier)

    def pulled(held: PerceptronState, weights: Array, offset: float) -> PerceptronState:
        return held.replaced(w=np.append(weights, offset) if problem.parameters.bias else weights, clean=0)

    grips = pictures.grips(data, weights, offset, earlier, problem.parameters.bias, pulled)
    return Panel(
        title="the boundary w·x = 0",
        space="data",
        marks=(*tint, past, rows, *arrows, *grips),
        equal=pictures.alike(data),
    )


def weights_table(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> Panel:
    """w by feature, what this step added, and the widest-margin direction at the length of w."""
    names = (*problem.data.features, *(("bias",) if problem.parameters.bias else ()))
    change = after.w - (after.w if before is None else before.w)
    columns = {"feature": names, "w": after.w.tolist(), "change": change.tolist()}
    best = problem.once(separation).direction
    if best is not None:
        columns["‖w‖ w*"] = (norm(problem, after) * best).tolist()
    return Panel(title="weights", marks=(Table(columns=tuple(columns), rows=tuple(zip(*columns.values()))),))


def numbers_table(problem: Problem, state: PerceptronState) -> Panel:
    found, length = problem.once(separation), norm(problem, state)
    separable = found.direction is not None
    rows: tuple[tuple[str, float | int | None], ...] = (
        ("mistakes m", state.mistakes),
        ("most there can be", problem.once(most_mistakes) if separable else None),
        ("rows right in turn", state.clean),
        ("wrong rows now", int((problem.of(margins, state) <= 0).sum())),
        ("‖w‖", length),
        ("cosine of w and w*", float(state.w @ found.direction) / length if separable and length else None),
        ("γ, the margin of w*", found.margin if separable else None),
        ("R, the longest row", found.longest),
    )
    return Panel(title="so far", marks=(Table(columns=("", "now"), rows=rows),))


def explain(problem: Problem, before: PerceptronState | None, after: PerceptronState) -> str:
    data = problem.data
    if after.row < 0 and after.t:
        return "The row that was visited last is gone; w stays, and goes on with the rows there are."
    if after.row < 0:
        return "w = 0 puts no row on either side, so the first row that is visited is a mistake."
    positive = data.signs[after.row] > 0
    sign, z = ("+" if positive else "-"), signed_rows(data, problem.parameters.bias)[after.row]
    who = f"Row {after.row} ({data.row(after.row)}) is {data.classes[int(positive)]} ({sign})"
    now = float(data.signs[after.row] * (z @ after.w)) + 0.0  # never "-0"
    if after.phase == "correct":
        ending = f"{after.clean} of {data.n} rows right in turn"
        return f"{who} and w·x = {now:.4g}: right, and w stays. That makes {ending}."
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


ALGORITHM = Algorithm(
    perceptron,
    title="Perceptron",
    summary="Visits the rows in turn and corrects w at each mistake, until a hyperplane separates the classes.",
    rule="when y (w·x) <= margin:\n    w <- w + η y x",
    needs=Needs(target="class", classes=2),
    phases={
        "start": "w = 0",
        "mistake": "on the wrong side, or too close: add η y x to w",
        "correct": "on the right side: leave w alone",
    },
    events=("mistake",),
    start_only=("bias",),
    curves=(
        Curve("mistakes", lambda problem, state: state.mistakes, "m"),
        Curve("training error", training_error, "share of rows with y (w·x) <= 0", chart="error"),
        Curve("held-out error", held_out_error, "the same on rows held out", chart="error"),
        Curve("lower bound", lower_bound, "η m γ", chart="length of w"),
        Curve("‖w‖", norm, "‖w‖", chart="length of w"),
        Curve("upper bound", upper_bound, "√(m(η²R² + 2η margin))", chart="length of w"),
    ),
    theorems=(
        Theorem("mistakes m <= (R² + 2 margin/η)/γ²", mistake_bound, source="Novikoff (1962)", about="run"),
        Theorem(
            "η m γ <= w·w* <= ‖w‖ <= √(m(η²R² + 2η margin))",
            mistake_proof,
            source="Novikoff (1962)",
            about="run",
        ),
        Theorem("a correction raises y w·x of its row by η‖x‖²", correction, source="Rosenblatt (1958)", about="step"),
    ),
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        blobs.with_(n=60, margin=0.1),
        iris.with_(positive="setosa"),
        wine.with_(positive="cultivar_2", scale=True),
        breast_cancer.with_(scale=True),
        digits.with_(positive="3"),
        moons,
    ),
    references=(
        "Rosenblatt (1958), The perceptron, Psychological Review 65(6)",
        "Novikoff (1962), On convergence proofs on perceptrons",
        "Krauth and Mézard (1987), Learning algorithms with optimal stability, J. Physics A 20",
    ),
)
