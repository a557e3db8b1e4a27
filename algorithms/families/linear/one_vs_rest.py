"""One against the rest: K classifiers of two classes, each of which claims the rows of its own class.

    problem k:   y = +1 for the rows of class k, -1 for all others;   f_k(x) = w_k·x
    perceptron     a pass:  w_k <- w_k + η y x   at each row in turn with y (w_k·x) <= 0
    least squares  w_k <- the shortest w of least Σ (1 - y w·x)²

x has the constant 1 appended when there is a bias. Class k claims a place where f_k > 0. There are K problems, not
K - 1; each has all n rows, so its classes are m against (K - 1) m where they are equally many. Since nobody makes the
claims go together, a place can have several, or none; the label is then the class of the greatest f all the same,
although nothing makes f of one problem comparable with f of another.

A row on which no problem errs has one claim, that of its class, and is labelled right: so at most as many rows are
labelled wrong as there are errors of all K problems together. Where a unit vector separates class k from the rest
with margin γ, and no row is longer than R, its problem has at most R²/γ² corrections from w_k = 0. By least squares
with a bias Σ_k f_k = 2 - K everywhere, for the targets of a row sum to that: all K never claim a place together.

References: Novikoff (1962), On convergence proofs on perceptrons, Symposium on the Mathematical Theory of Automata;
Nilsson (1965), Learning Machines, section 2.6; Rifkin and Klautau (2004), In defense of one-vs-all classification,
JMLR 5; Allwein, Schapire and Singer (2000), Reducing multiclass to binary, JMLR 1; Gauss (1809), Theoria motus.
"""

from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    Words,
    columns,
    kept,
    numbers,
    theorem,
    through,
)
from algorithms.core.text import counted
from algorithms.data import blobs, iris, penguins, wine
from algorithms.families.linear.shared.base_problems import (
    Base,
    BaseProblem,
    Classifiers,
    Turns,
    against_rest,
    ended,
    followed,
    least_squares,
    longest,
    mislabelled,
    next_problem,
    perceptron_pass,
    places_of_plane,
    turn_in_words,
    with_constant,
)
from algorithms.families.linear.shared.base_statements import OF_BASE_PROBLEMS, Worked, ends
from algorithms.families.linear.shared.claims_pictures import base_stage, known_bounds, problem_table
from algorithms.toolbox.panels.confusion import confusion
from algorithms.toolbox.panels.linear import weight_panels

_DROWNED = 1e12  # beside numbers as large as this, least squares takes the constant 1 for rounding
_SHOWN = 8  # rows in dispute
_SCORES = 4  # classes whose f is shown of them


class OneVsRestState(Classifiers, frozen=True, kw_only=True):
    """The K classifiers, the k-th of them that of class k."""


def one_vs_rest(
    data: Dataset,
    state: OneVsRestState | None = None,
    *,
    base: Annotated[Base, Meta(description="how each problem of two classes is learnt")] = "perceptron",
    eta: Annotated[float, Meta(ge=1e-3, le=1e3, description="step size η of the perceptron")] = 1.0,
    bias: Annotated[bool, Meta(description="append the constant 1, so that boundaries may miss the origin")] = True,
    turns: Annotated[Turns, Meta(description="a pass for each problem in turn, or one after another")] = "in turn",
    epochs: Annotated[int, Meta(ge=1, le=100_000, description="passes before a problem is given up")] = 50,
) -> Run[OneVsRestState]:
    problems = data.once(against_rest, bias)
    if state is None:
        state = OneVsRestState.begun(problems, data.n)
        yield state
    while (k := next_problem(state.passes, state.settled, epochs, turns)) is not None:
        if base == "least squares":
            state = state.after("solve", **state.with_solution(k, least_squares(problems[k].z)))
            yield state
            continue
        made = perceptron_pass(problems[k].z, state.W[k], eta)
        if made.corrected.any():
            state = state.after("pass", **state.with_pass(k, problems[k], made, eta))
            yield state
        else:
            state = state.after("clean", **state.with_pass(k, problems[k], made, eta))
            yield state
    return ended(base, state.settled, epochs)


def problems_of(problem: Problem) -> tuple[BaseProblem, ...]:
    """The K problems of two classes."""
    return problem.data.once(against_rest, problem.parameters.bias)


def worked_on(problem: Problem, state: OneVsRestState) -> Worked:
    return Worked(problems_of(problem), state)


def fitted(problem: Problem, at: Array, W: Array) -> Array:
    """(m, K) f of each class at (m, d) places."""
    return np.asarray(with_constant(at, problem.parameters.bias) @ W.T)


@kept
def scores(problem: Problem, state: OneVsRestState) -> Array:
    """(n, K) f of each class at the rows."""
    return fitted(problem, problem.data.X, state.W)


def predicted(f: Array) -> Array:
    """(m,) the class of the greatest f, the first of those that tie."""
    return np.asarray(f.argmax(axis=1))


@kept
def wrong(problem: Problem, state: OneVsRestState) -> Array:
    """(n,) bool: the rows whose label is wrong."""
    f, y = scores(problem, state), np.asarray(problem.data.y)
    return mislabelled(predicted(f), f.max(axis=1) > f.min(axis=1), y)


@kept
def claims_of_rows(problem: Problem, state: OneVsRestState) -> Array:
    """(n,) how many classes claim each row."""
    return np.asarray((scores(problem, state) > 0).sum(axis=1))


@kept
def claims_of_plane(problem: Problem, state: OneVsRestState) -> Array:
    """(m,) how many classes claim each place of the plane."""
    at = problem.data.once(places_of_plane)
    return np.asarray((fitted(problem, at, state.W) > 0).sum(axis=1))


def error(problem: Problem, state: OneVsRestState) -> float:
    return float(wrong(problem, state).mean())


def unclaimed(problem: Problem, state: OneVsRestState) -> float:
    return float((claims_of_rows(problem, state) == 0).mean())


def disputed(problem: Problem, state: OneVsRestState) -> float:
    return float((claims_of_rows(problem, state) > 1).mean())


def unclaimed_plane(problem: Problem, state: OneVsRestState) -> float:
    return float((claims_of_plane(problem, state) == 0).mean())


def disputed_plane(problem: Problem, state: OneVsRestState) -> float:
    return float((claims_of_plane(problem, state) > 1).mean())


@kept
def errors(problem: Problem, state: OneVsRestState) -> Array:
    """(K,) how many rows of each problem are not on their side."""
    signs = np.column_stack([of.signs for of in problems_of(problem)])
    return np.asarray((scores(problem, state) * signs <= 0).sum(axis=0))


def all_solved(problem: Problem, state: OneVsRestState) -> bool | str:
    left = int(np.count_nonzero(~state.settled))
    return not left or f"{counted(left, 'problem')} still to be solved"


def with_bias(problem: Problem, state: OneVsRestState) -> bool | str:
    if not problem.parameters.bias:
        return "there is no bias to fit the constant by"
    largest = float(np.abs(problem.data.X).max())
    return largest < _DROWNED or f"the constant 1 is lost beside features of {largest:.3g}"


def scene(problem: Problem, before: OneVsRestState | None, after: OneVsRestState) -> Scene:
    data, bias, problems = problem.data, problem.parameters.bias, problems_of(problem)
    stage = base_stage(
        data,
        problems,
        after,
        before,
        bias,
        claims=lambda at: fitted(problem, at, after.W) > 0,
        crossed=wrong(problem, after),
        title="claims",
        several="several",
    )
    f = scores(problem, after)
    classes = [np.asarray(data.y) == k for k in range(len(problems))]
    own = tuple(f"{(f[rows, k] > 0).sum()} of {rows.sum()}" for k, rows in enumerate(classes))
    table = problem_table(
        problems, after, known_bounds(problem, problems, after), errors(problem, after), {"claimed": own}
    )
    k = max(after.worked, 0)
    weights = weight_panels(data, after.W[k], bias, None if before is None else before.W[k])
    return Scene(
        (stage, table, so_far(problem, after), dispute(problem, after), confusion(data, predicted(f)), *weights)
    )


def so_far(problem: Problem, state: OneVsRestState) -> Panel:
    rows, plane = claims_of_rows(problem, state), claims_of_plane(problem, state)
    return numbers(
        {
            "problems K": len(state.W),
            "rows in a round, nK": sum(len(of.rows) for of in problems_of(problem)),
            "rows nobody claims": int((rows == 0).sum()),
            "rows several claim": int((rows > 1).sum()),
            "plane nobody claims": f"{(plane == 0).mean():.1%}",
            "plane several claim": f"{(plane > 1).mean():.1%}",
            "rows labelled wrong": int(wrong(problem, state).sum()),
            "errors of all problems": int(errors(problem, state).sum()),
        }
    )


def dispute(problem: Problem, state: OneVsRestState) -> Panel:
    """Rows that nobody claims or several do, with f of each class."""
    data, f, claims = problem.data, scores(problem, state), claims_of_rows(problem, state)
    rows = np.flatnonzero(claims != 1)[:_SHOWN]
    y = np.asarray(data.y)
    heads = {"row": rows, "is": [data.classes[y[i]] for i in rows], "claims": claims[rows]}
    heads |= {f"f {name}": f[rows, k] for k, name in enumerate(data.classes[:_SCORES])}
    note = f"{np.count_nonzero(claims != 1)} of {data.n}"
    return columns("rows without one claim", heads, note, tones=tuple(int(y[i]) for i in rows))


def explain(problem: Problem, before: OneVsRestState | None, after: OneVsRestState) -> str:
    data, k = problem.data, after.worked
    if k < 0:
        problems = counted(len(after.W), "problem")
        return f"{problems} of {data.n} rows each: every class against the rest. All w = 0, and nobody claims anything."
    of, claims = problems_of(problem)[k], claims_of_rows(problem, after)
    mine = int(np.count_nonzero(of.signs > 0))
    name = data.classes[k]
    claimed = int((scores(problem, after)[data.y == k, k] > 0).sum())
    none, several = int((claims == 0).sum()), int((claims > 1).sum())
    now = f"{name} claims {claimed} of its {mine}; {counted(none, 'row')} without a claim, {several} with several."
    rest = f"{name} ({counted(mine, 'row')}) against the rest ({len(of.rows) - mine})"
    return Words.of(turn_in_words(after, rest, before is None), labelled_in_words(problem, after), now)


def labelled_in_words(problem: Problem, state: OneVsRestState) -> str:
    """How many rows are labelled wrong, by what a row is labelled, and which mistake is the most frequent."""
    data, f, off = problem.data, scores(problem, state), wrong(problem, state)
    bad = f"{int(off.sum())} of {data.n} rows are labelled wrong by the greatest w·x"
    swapped = np.zeros((len(state.W),) * 2, int)
    told = off & (f.max(axis=1) > f.min(axis=1))  # where all tie there is no label
    np.add.at(swapped, (np.asarray(data.y)[told], predicted(f)[told]), 1)
    if not swapped.any():
        return f"{bad}."
    true, label = np.unravel_index(int(swapped.argmax()), swapped.shape)
    return f"{bad}: {swapped[true, label]} of {data.classes[true]} as {data.classes[label]}."


SYMBOLS = {
    "K": ("classes, and so problems", lambda problem, state: len(state.W)),
    "w": ("weights of a problem, the bias last", None),
    "f": ("w·x: a class claims a place where its f is above 0", None),
    "x, y": ("a row, with 1 appended when there is a bias; +1 if it is of the class, else -1", None),
    "η": ("step size of the perceptron", lambda problem, state: problem.parameters.eta),
    "m": ("corrections of a problem", lambda problem, state: float(state.mistakes[max(state.worked, 0)])),
    "w*": ("the unit vector that separates the two classes of a problem most widely", None),
    "γ": ("least y x·w* of a row of the problem", None),
    "R": ("length of the longest row", lambda problem, state: longest(problems_of(problem)[0].z)),
    "k": ("a class, that of the problem in hand", None),
}


@theorem(
    "rows labelled wrong <= errors of all K problems",
    source="Allwein, Schapire and Singer (2000)",
    proof=(
        "a row on which no problem errs has f > 0 for its class and f < 0 for all others,",
        "so its class has the greatest f; a row labelled wrong has an error in a problem",
    ),
)
def reduction(problem: Problem, before: OneVsRestState | None, after: OneVsRestState) -> Answer:
    return Sides(("rows wrong", int(wrong(problem, after).sum())), ("Σ errors", int(errors(problem, after).sum())))


@theorem(
    "solved by least squares: Σ f = 2 - K everywhere",
    source="Gauss (1809)",
    phases=("solve",),
    hypotheses={"every problem is solved": all_solved, "there is a bias": with_bias},
    proof=(
        "w is linear in the targets, so Σ f is what least squares makes of their sum",
        "that is 1 - (K - 1) at every row, and the bias fits a constant exactly",
    ),
)
def sums_to(problem: Problem, before: OneVsRestState | None, after: OneVsRestState) -> Answer:
    f, k = scores(problem, after), len(after.W)
    x = np.abs(with_constant(problem.data.X, True))
    size = 10 * float((x @ np.abs(after.W).T).sum(axis=1).max() + k)  # least squares loses some digits of each w
    return Sides.each(("Σ f", f.sum(axis=1)), ("2 - K", 2.0 - k), relation="==", size=size, axes=("row",))


THEOREMS = (
    reduction,
    sums_to,
    *through(worked_on, *OF_BASE_PROBLEMS),
)

ALGORITHM = Algorithm(
    one_vs_rest,
    title="One against the rest",
    point="Each class draws a border against all others: some places get two claims, some none.",
    after=("perceptron",),
    also=("ovr", "one vs all"),
    leaves_open="A class between two others may have no line against the rest.",
    tries=(("least squares", "-p 'base=least squares'"), ("three round classes", "--data blobs:n=120,k=3")),
    asks=(
        Ask("Is the next pass without a mistake?", "clean"),
        Ask.way("After the next pass: what does the number of rows without a claim do?", '"rows without a claim"'),
    ),
    summary="Learns for each class to tell it from all others; a place may then have several claims, or none.",
    rule="class k: y = +1 for its rows, -1 for the rest\n"
    "perceptron: w_k <- w_k + η y x  where y (w_k·x) <= 0\n"
    "least squares: w_k of least Σ (1 - y w_k·x)²\n"
    "label: the class of the greatest w_k·x",
    # beyond, squares of lengths and their products overflow or vanish
    needs=Needs(target="class", within=(1e-50, 1e50)),
    phases={
        "start": "w = 0 for every problem",
        "pass": "a pass over the rows of one problem, with mistakes",
        "clean": "a pass without a mistake: this problem is done",
        "solve": "one problem solved by least squares",
    },
    events=("clean",),
    start_only=("bias",),
    curves=(
        Curve("error", error, "share of wrong rows", held_out=True),
        Curve("rows without a claim", unclaimed, "share with f <= 0 for all", chart="rows by claims"),
        Curve("rows with several", disputed, "share with f > 0 for two or more", chart="rows by claims"),
        Curve("plane without a claim", unclaimed_plane, "share of the plane", chart="plane by claims"),
        Curve("plane with several", disputed_plane, "share of the plane", chart="plane by claims"),
        Curve("mistakes", lambda problem, state: float(state.mistakes.sum()), "corrections of all problems"),
    ),
    objective={},
    theorems=THEOREMS,
    ends=ends(problems_of),
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=followed,
    datasets=(
        iris.with_(columns=("petal_length_cm", "petal_width_cm"), scale=True),
        blobs.with_(k=3, n=120, hold_out=0.25),
        penguins.with_(columns=("bill_length_mm", "flipper_length_mm"), scale=True),
        wine.with_(scale=True, hold_out=0.25),
    ),
)
