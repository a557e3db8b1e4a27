"""Kernel perceptron: count each row's mistakes; f is the sum of the rows' kernels, as often as they were mistaken.

    f(x) = Σ c_i y_i k(x_i, x);   when  y f(x) <= 0 for the row in hand:   c <- c + 1 for that row;   c = 0 at first

y is +1 or -1, and with a bias k is one more, so that the constant 1 is among the features. In the space of the kernel,
k = φ·φ, this is the perceptron, row for row: w = Σ c_i y_i φ(x_i), f = w·φ(x), and w itself is never needed. So where φ
can be written down, the perceptron on φ(x) makes the same mistakes. Where some unit vector w* separates the φ(x_i) with
margin γ, y (w*·φ(x)) >= γ, after m mistakes

    m γ <= w·w* <= ‖w‖ <= √m R,   R² = max k(x, x),   ‖w‖² = Σ c_i y_i f(x_i);   so   m <= R²/γ².

An RBF kernel separates any different rows of two classes, but the margin may be tiny.

References: Aizerman, Braverman and Rozonoer (1964), Theoretical foundations of the potential function method in pattern
recognition learning, Automation and Remote Control 25; Novikoff (1962), On convergence proofs on perceptrons, Symposium
on the Mathematical Theory of Automata; Freund and Schapire (1999), Large margin classification using the perceptron
algorithm, Machine Learning 37.
"""

from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    DoesNotApply,
    Meta,
    Needs,
    Panel,
    Problem,
    Row,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Undecided,
    numbers,
    once,
    theorem,
)
from algorithms.core.text import counted
from algorithms.core.theorems import EXACT
from algorithms.data import blobs, iris, moons, rings, wine, xor
from algorithms.families.kernels.kernel_perceptron.feature_perceptron import MistakesOnFeatures, mistakes_on_features
from algorithms.families.kernels.shared.bumps_pictures import both_ways
from algorithms.families.kernels.shared.gram_systems import function_length
from algorithms.families.kernels.shared.kernel_classifier_pictures import kernel_stage, most_shares, shares_in_order
from algorithms.families.kernels.shared.kernel_rows import (
    expansion,
    features_with_bias,
    gram_with_bias,
    kernel_separation,
    signed_coordinates,
    unusable_rows,
)
from algorithms.toolbox.ends import last_pass
from algorithms.toolbox.entries import of_rows
from algorithms.toolbox.explicit_features import feature_count, unwritten
from algorithms.toolbox.kernels import OF_KERNELS, Constant, Degree, Gamma, KernelChoice, kernel_in_use, kernel_of
from algorithms.toolbox.orders import epoch_order, next_place, used_in_epoch
from algorithms.toolbox.separation import Separation, strictly

Order: TypeAlias = Literal["cyclic", "shuffled"]


class KernelPerceptronState(State, frozen=True, kw_only=True):
    counts: Annotated[Array, Along("n")]  # (n,) c, how often each row was mistaken
    scores: Annotated[Array, Along("n")]  # (n,) f of the rows, kept mistake by mistake
    row: Annotated[int, Row] = -1  # the row just visited
    place: int = -1  # its place in this epoch's order
    clean: int = 0  # rows visited since the last mistake, or since the epoch began if it is shuffled


def kernel_perceptron(
    data: Dataset,
    state: KernelPerceptronState | None = None,
    *,
    kernel: KernelChoice = "polynomial",
    gamma: Gamma = "automatic",
    degree: Degree = 2,
    constant: Constant = 1.0,
    bias: Annotated[bool, Meta(description="k + 1: the constant 1 is one of φ's features")] = False,
    order: Annotated[Order, Meta(description="rows in turn, or shuffled each epoch")] = "cyclic",
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="passes before giving up")] = 100,
    seed: Annotated[Seed, Meta(description="of the shuffled orders")] = 0,
) -> Run[KernelPerceptronState]:
    k = data.once(kernel_of, kernel, gamma, degree, constant)
    K, y, n = data.once(gram_with_bias, k, bias), data.signs, data.n
    if state is None:
        state = KernelPerceptronState(counts=np.zeros(n), scores=np.zeros(n))
        yield state
    while state.clean < n:
        epoch, place = next_place(state.iteration, state.place, n)
        if epoch > epochs:
            return f"no clean pass among {epochs:,}"
        row = int(epoch_order(n, order, seed, epoch)[place])
        visit = {"row": row, "place": place, "iteration": epoch}
        if y[row] * state.scores[row] <= 0:
            counts = with_one_more(state.counts, row)
            state = state.after("mistake", counts=counts, scores=state.scores + y[row] * K[row], clean=0, **visit)
            yield state
        else:
            clean = state.clean if order == "cyclic" or place else 0
            state = state.after("correct", clean=clean + 1, **visit)
            yield state
    return f"a whole pass without {'another' if state.phase == 'mistake' else 'a'} mistake"


def with_one_more(counts: Array, row: int) -> Array:
    counts = counts.copy()
    counts[row] += 1
    return counts


def adapt(before: Problem, after: Problem, state: KernelPerceptronState, rows: Array) -> KernelPerceptronState:
    """Rows keep their counts, new ones have 0; f is worked out from these, and so is what counts as right in turn."""
    p = before.parameters
    if after.data is before.data and asked(before) == asked(after):
        still = p.order == after.parameters.order and p.seed == after.parameters.seed
        return state.replaced(clean=state.clean if still else 0)
    counts = of_rows(state.counts, rows)
    place = used_in_epoch(before, state.iteration, state.place + 1, rows) - 1
    return state.replaced(counts=counts, scores=fresh_scores(after, counts), place=place, clean=0)


def asked(problem: Problem) -> tuple[object, bool]:
    """The kernel and the bias."""
    return kernel_in_use(problem), problem.parameters.bias


def gram_of(problem: Problem) -> Array:
    return problem.data.once(gram_with_bias, *asked(problem))


def fresh_scores(problem: Problem, counts: Array) -> Array:
    """(n,) f of the rows from the counts."""
    return np.asarray(gram_of(problem) @ (counts * problem.data.signs))


def f_of(problem: Problem, state: KernelPerceptronState) -> Callable[[Array], Array]:
    """f: (m, d) -> (m,), by the rows trained on."""
    training = problem.training
    data, bias = training.data, training.parameters.bias
    return expansion(data, kernel_in_use(training), state.counts * data.signs, bias)


def separation(problem: Problem) -> Separation:
    """w* and γ in the space of the kernel, or the proof that there is none."""
    return problem.data.once(kernel_separation, *asked(problem))


@once
def features(problem: Problem) -> Array | None:
    return problem.data.once(features_with_bias, *asked(problem))


@once
def longest(problem: Problem) -> float:
    """R² = max k(x, x)."""
    return float(np.diagonal(gram_of(problem)).max())


def mistakes(problem: Problem, state: KernelPerceptronState) -> float:
    return float(state.counts.sum())


def error(problem: Problem, state: KernelPerceptronState) -> float:
    scores = state.scores if problem is problem.training else f_of(problem, state)(problem.data.X)
    return float((problem.data.signs * scores <= 0).mean())


def norm(problem: Problem, state: KernelPerceptronState) -> float:
    """‖w‖ = √Σ c y f."""
    return function_length(state.counts * problem.data.signs, state.scores)


def lower_bound(problem: Problem, state: KernelPerceptronState) -> float:
    best = separation(problem)
    return mistakes(problem, state) * best.margin if best.direction is not None else np.nan


def upper_bound(problem: Problem, state: KernelPerceptronState) -> float:
    """√Σ c k(x, x), which is √m R at most."""
    return float(np.sqrt(state.counts @ np.diagonal(gram_of(problem))))


@once
def most_mistakes(problem: Problem) -> float:
    """R²/γ²; infinite without a separator."""
    best = separation(problem)
    return longest(problem) / best.margin / best.margin if best.direction is not None else np.inf


@once
def beside(problem: Problem) -> MistakesOnFeatures:
    """The perceptron on the explicit φ(x), in the same order."""
    phi, p = features(problem), problem.parameters
    assert phi is not None
    return mistakes_on_features(phi, problem.data.signs, p.order, p.seed)


def separable(problem: Problem, state: KernelPerceptronState) -> bool | DoesNotApply | Undecided:
    return strictly(separation(problem))


def written(problem: Problem, state: KernelPerceptronState) -> bool | str:
    return unwritten(kernel_in_use(problem), problem.data.n, problem.data.d) or True


def size(problem: Problem, state: KernelPerceptronState) -> float:
    """The largest number that is added on the way to a score."""
    return longest(problem) * (1.0 + mistakes(problem, state)) * kernel_in_use(problem).degree


def clean_pass(problem: Problem, state: KernelPerceptronState) -> bool | Sides:
    """A pass is over, and every row is on its side of f."""
    right = int((problem.data.signs * state.scores > 0).sum())
    return state.clean >= problem.data.n and Sides(("n", problem.data.n), ("rows on their side", right))


def validate(problem: Problem) -> str | None:
    return unusable_rows(kernel_in_use(problem), problem.data)


def scene(problem: Problem, before: KernelPerceptronState | None, after: KernelPerceptronState) -> Scene:
    data, shares = problem.data, after.counts * problem.data.signs
    D = feature_count(kernel_in_use(problem), data.d)
    wrong = data.signs * after.scores <= 0
    sizes = "size: mistakes c; dim: c = 0" if shares.any() else "every c is 0"
    return Scene(
        (
            kernel_stage(data, f_of(problem, after), shares, wrong, after.row, sizes),
            shares_in_order(data, shares, after.row, "c y"),
            most_shares(data, shares, after.scores, after.row, "c y"),
            so_far(problem, after),
            both_ways(data.n, D),
        )
    )


def so_far(problem: Problem, state: KernelPerceptronState) -> Panel:
    best, length = separation(problem), norm(problem, state)
    there = best.direction is not None
    return numbers(
        {
            "mistakes m": int(mistakes(problem, state)),
            "most there can be": most_mistakes(problem) if there and not problem.forked else None,
            "rows that f is made of": int((state.counts > 0).sum()),
            "rows right in turn": state.clean,
            "wrong rows now": int((problem.data.signs * state.scores <= 0).sum()),
            "‖w‖": length,
            "least y f/‖w‖": float((problem.data.signs * state.scores).min()) / length if length else None,
            "γ, the margin of w*": best.margin if there else None,
            "R": float(np.sqrt(longest(problem))),
            "γ of the kernel": kernel_in_use(problem).gamma,
        }
    )


def explain(problem: Problem, before: KernelPerceptronState | None, after: KernelPerceptronState) -> str:
    data = problem.data
    if after.row < 0 and after.t:
        return "The row that was visited last is gone; the others keep their counts, and f is made of them."
    if after.row < 0:
        return "c = 0 makes f = 0, which is on neither side, so the first row that is visited is a mistake."
    positive, i = data.signs[after.row] > 0, after.row
    who = f"{data.who(i)} is {data.classes[int(positive)]} ({'+' if positive else '-'})"
    now = float(after.scores[i]) + 0.0  # never "-0"
    if before is None:
        return f"{who}. The rows keep their counts: with these f = {now:.4g} there."
    if after.phase == "correct":
        return f"{who} and f = {now:.4g}: right, and f stays. That makes {after.clean} of {data.n} rows right in turn."
    made_of = counted(int((after.counts > 0).sum()), "row")
    return (
        f"{who}, but f = {float(before.scores[i]) + 0.0:.4g}: its mistake number {int(after.counts[i])}. f gains "
        f"{'+' if positive else '-'}k(x, ·), and is {now:.4g} there now; it is made of {made_of}."
    )


SYMBOLS = {
    "c": ("how often each row was mistaken", None),
    "f": ("Σ cᵢ yᵢ k(xᵢ, ·)", None),
    "k, φ": ("the kernel, one more with a bias; features with k = φ·φ", None),
    "w": ("Σ cᵢ yᵢ φ(xᵢ); ‖w‖ here", norm),
    "m": ("mistakes so far, Σ c", mistakes),
    "w*": ("the unit vector that separates the φ(x) most widely", None),
    "γ": ("the least y w*·φ(x) of a row", lambda problem, state: separation(problem).margin or None),
    "R": ("√max k(x, x), the length of the longest φ(x)", lambda problem, state: float(np.sqrt(longest(problem)))),
    "x, y": ("a row, and its class as +1 or -1", None),
    "K": ("k of all rows with each other", None),
}
SEPARABLE = {"the φ(x) can be separated strictly": separable}


@theorem(
    "mistakes m <= R²/γ² in the space of the kernel",
    source="Novikoff (1962)",
    about="run",
    hypotheses=SEPARABLE,
    proof=("m γ <= ‖w‖ <= √m R, the chain from m γ to √m R", "square it and divide by m γ²"),
    along="m",
)
def mistake_bound(problem: Problem, before: KernelPerceptronState | None, after: KernelPerceptronState) -> Answer:
    if not np.isfinite(most_mistakes(problem)):
        return Undecided(f"γ = {separation(problem).margin:.3g} is so small that R²/γ² is beyond every number")
    return Sides(("m", mistakes(problem, after)), ("R²/γ²", most_mistakes(problem)))


@theorem(
    "m γ <= w·w* <= ‖w‖ <= √Σ c k(x, x) <= √m R",
    source="Novikoff (1962)",
    about="run",
    hypotheses=SEPARABLE,
    proof=(
        "a mistake adds y φ(x) to w: w·w* grows by y w*·φ(x) >= γ",
        "‖w + y φ(x)‖² = ‖w‖² + 2 y f(x) + k(x, x), and y f(x) <= 0",
    ),
    along="m",
)
def mistake_proof(problem: Problem, before: KernelPerceptronState | None, after: KernelPerceptronState) -> Answer:
    best = separation(problem).direction
    assert best is not None
    along = float(after.counts @ (problem.data.once(signed_coordinates, *asked(problem)) @ best))
    m, length, R = mistakes(problem, after), norm(problem, after), float(np.sqrt(longest(problem)))
    rounded = EXACT * float(after.counts @ np.abs(gram_of(problem)) @ after.counts)  # of ‖w‖², a root of which is taken
    return Sides(
        ("m γ", lower_bound(problem, after)),
        ("w·w*", along),
        ("‖w‖", length),
        ("√Σ c k(x, x)", upper_bound(problem, after)),
        ("√m R", float(np.sqrt(m)) * R),
        size=m * R,
        slack=rounded / (length + np.sqrt(rounded)) if rounded else 0.0,
    )


@theorem(
    "on φ(x) the perceptron makes the same mistakes, row for row",
    source="Aizerman, Braverman and Rozonoer (1964)",
    about="run",
    hypotheses={"φ is written down": written},
    proof=("w·φ(x) = Σ cᵢ yᵢ φ(xᵢ)·φ(x) = f(x): the same sign, so the same rows are mistaken",),
)
def mistake_for_mistake(problem: Problem, before: KernelPerceptronState | None, after: KernelPerceptronState) -> Answer:
    run, n = beside(problem), problem.data.n
    visits = (max(after.iteration, 1) - 1) * n + after.place + 1
    if visits > run.sure:
        return Undecided(run.why)
    made = np.bincount(run.rows[run.visits <= visits], minlength=n)
    return Sides.each(("c", after.counts), ("c on φ(x)", made), relation="==", axes=("row",))


@theorem(
    "representer: f(x) = w·φ(x) with w = Σ c y φ(x)",
    source="Aizerman, Braverman and Rozonoer (1964)",
    hypotheses={"φ is written down": written},
    proof=("k(xᵢ, x) = φ(xᵢ)·φ(x)",),
)
def by_features(problem: Problem, before: KernelPerceptronState | None, after: KernelPerceptronState) -> Answer:
    phi = features(problem)
    assert phi is not None
    w = (after.counts * problem.data.signs) @ phi
    return Sides.each(
        ("f", after.scores), ("w·φ(x)", phi @ w), relation="==", size=10 * size(problem, after), axes=("row",)
    )


@theorem(
    "f on the rows = K(c y)",
    source="Freund and Schapire (1999)",
    proof=("each mistake of a row adds y k(x, ·) to f",),
)
def represented(problem: Problem, before: KernelPerceptronState | None, after: KernelPerceptronState) -> Answer:
    fresh = fresh_scores(problem, after.counts)
    return Sides.each(("f", after.scores), ("Σ c y k", fresh), relation="==", size=size(problem, after), axes=("row",))


@theorem(
    "a row is counted exactly where y f <= 0",
    source="Freund and Schapire (1999)",
    about="step",
    proof=("that is the rule",),
)
def right_choice(problem: Problem, before: KernelPerceptronState, after: KernelPerceptronState) -> Answer:
    if after.row < 0:
        return None
    was = float(problem.data.signs[after.row] * before.scores[after.row])
    if after.phase == "correct":
        return Sides(("0", 0.0), ("y f", was), relation="<")
    return Sides(("y f", was), ("0", 0.0))


@theorem(
    "a mistake raises y f of its row by k(x, x)",
    source="Freund and Schapire (1999)",
    about="step",
    phases=("mistake",),
    proof=("y (f + y k(x, ·))(x) = y f(x) + k(x, x), as y² = 1",),
)
def one_more(problem: Problem, before: KernelPerceptronState, after: KernelPerceptronState) -> Answer:
    i, y = after.row, problem.data.signs
    moved = float(y[i] * before.scores[i] + gram_of(problem)[i, i])
    now = float(y[i] * after.scores[i])
    return Sides(("y f'", now), ("y f + k(x, x)", moved), relation="==", size=size(problem, after))


THEOREMS = (mistake_bound, mistake_proof, mistake_for_mistake, by_features, represented, right_choice, one_more)

ALGORITHM = Algorithm(
    kernel_perceptron,
    title="Kernel perceptron",
    point="Each mistake counts its row's kernel once more, and the border bends to fit.",
    after=("perceptron",),
    leaves_open="Any f that is right on all rows will do: this margin need not be the widest.",
    tries=(("a straight border", "-p kernel=linear"), ("moons, RBF", "--data moons:n=50 -p kernel=rbf")),
    asks=(
        Ask("Is the next row a mistake?", "mistake"),
        Ask.way("After the next row: what does the training error do?", '"training error"'),
    ),
    summary="Counts the mistakes of each row; f is the sum of the kernels of the rows, as often as they were mistaken.",
    rule="f(x) = Σ cᵢ yᵢ k(xᵢ, x)\nwhen y f(x) <= 0:   c <- c + 1 of that row",
    needs=Needs(target="class", classes=2),
    phases={
        "start": "c = 0",
        "mistake": "on the wrong side: count it, and f gains y k(x, ·)",
        "correct": "on the right side: leave f alone",
    },
    events=("mistake",),
    curves=(
        Curve("mistakes", mistakes, "m = Σ c"),
        Curve("error", error, "share of wrong rows", held_out=True),
        Curve("rows in f", lambda problem, state: float((state.counts > 0).sum()), "rows with c > 0"),
        Curve("lower bound", lower_bound, "m γ", chart="length of w", about="run"),
        Curve("‖w‖", norm, "√Σ c y f", chart="length of w"),
        Curve("upper bound", upper_bound, "√Σ c k(x, x)", chart="length of w", about="run"),
    ),
    objective={},
    theorems=THEOREMS,
    ends={
        "a whole pass without … mistake": clean_pass,
        "no clean pass among …": last_pass("epochs", lambda problem, state: state.place + 1),
    },
    symbols=SYMBOLS,
    only_for=OF_KERNELS | {"seed": ("order", "shuffled")},
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        rings.with_(n=50),
        iris.with_(positive="versicolor", sample=60, hold_out=0.25),
        wine.with_(positive="cultivar_2", scale=True, sample=60),
        moons.with_(n=50),
        xor,
        blobs.with_(n=50),
    ),
)
