"""The full joint table: count every combination of binary features by itself, in each class; naive Bayes beside it.

    table    P(c, x) = n(x, c) / m                                    2^(d+1) - 1 numbers
    naive    P(c, x) = π_c Π_j p_cj^x_j (1 - p_cj)^(1 - x_j)          2d + 1 numbers, p_cj the share of ones

for d features of 0 and 1 (or above a threshold of their own) and two classes. Both take the class with the greater
P(c, x), the first where they are equal, and no class where both are 0. With s > 0 both are smoothed,
P(x | c) = (n(x, c) + s)/(n_c + 2^d s) and p_cj = (ones + s)/(n_c + 2s).

The table takes nothing for granted: s = 0, no classifier of these features makes fewer errors on the rows counted, and
no distribution makes them likelier. But of its 2^(d+1) cells m rows fill m at most. Naive Bayes has every feature as
often as the table has it, and nothing of how they go together: if they do, only the table can tell; if they do not, or
rows are few, naive Bayes is right about rows that it never met.

References: Chow and Liu (1968), Approximating discrete probability distributions with dependence trees, IEEE Trans.
Information Theory 14; Hughes (1968), On the mean accuracy of statistical pattern recognizers, IEEE Trans. Information
Theory 14 (cells and rows); Domingos and Pazzani (1997), On the optimality of the simple Bayesian classifier, Machine
Learning 29; Koller and Friedman (2009), Probabilistic Graphical Models, section 17.2.
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
    Meta,
    Needs,
    Panel,
    Problem,
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
from algorithms.data import breast_cancer, davis, emails, joint
from algorithms.families.bayes.full_joint.joint_table import JointTable, bits_of, cells_of
from algorithms.families.bayes.full_joint.pictures import cells_panel, cells_table
from algorithms.families.bayes.shared.binary import Threshold, above, thresholds
from algorithms.families.bayes.shared.generative import Bernoulli, names_of_classes, posterior
from algorithms.families.bayes.shared.generative_pictures import in_words
from algorithms.toolbox.ends import all_rows
from algorithms.toolbox.orders import epoch_order, used_in_epoch
from algorithms.toolbox.panels.confusion import confusion

Order = Literal["cyclic", "shuffled"]


class FullJointState(State, frozen=True, kw_only=True):
    counts: Array  # (2, 2^d) n(x, c), rows of each class in each cell; the first feature is the highest bit
    used: int = 0  # rows counted


def full_joint(
    data: Dataset,
    state: FullJointState | None = None,
    *,
    features: Annotated[int, Meta(ge=1, le=10, description="d, so many of the first features")] = 8,
    smoothing: Annotated[
        float, Meta(ge=0, le=100, description="s, added to every cell, and to naive Bayes' counts")
    ] = 0.0,
    threshold: Annotated[Threshold, Meta(description="a feature is 1 above it: the middle of its range, or mean")] = (
        "mean"
    ),
    order: Annotated[Order, Meta(description="rows in turn, or shuffled")] = "shuffled",
    seed: Annotated[Seed, Meta(description="of the shuffled order")] = 0,
) -> Run[FullJointState]:
    cells, y = data.once(cells_of_rows, features, threshold), np.asarray(data.y)
    if state is None:
        state = FullJointState(counts=np.zeros((2, 2 ** min(features, data.d))))
        yield state
    while state.used < data.n:
        row = epoch_order(data.n, order, seed, 1)[state.used]
        counts = state.counts.copy()
        counts[y[row], cells[row]] += 1
        state = state.after("count", iteration=state.used + 1, counts=counts, used=state.used + 1)
        yield state
    filled = np.count_nonzero(state.counts)
    return f"all {data.n:,} rows are counted: {filled} of {state.counts.size} cells have a row"


def cells_of_rows(data: Dataset, features: int, threshold: Threshold) -> Array:
    """(n,) the cell of each row; for `data.once`."""
    return cells_of(above(data.X, data.once(thresholds, threshold))[:, :features])


def adapt(before: Problem, after: Problem, state: FullJointState, rows: Array) -> FullJointState:
    """The rows are counted anew, as many as are still there of those that were."""
    counted = state.replaced(used=used_in_epoch(before, 1, state.used, rows))
    return counted.replaced(counts=recount(after, taken(after, counted)))


def taken(problem: Problem, state: FullJointState) -> Array:
    """(m,) the rows counted so far."""
    p = problem.parameters
    return epoch_order(problem.data.n, p.order, p.seed, 1)[: state.used]


@once
def rows_of(problem: Problem) -> Array:
    """(n, d) the rows as 0 and 1, those held out by the thresholds of the training rows."""
    p = problem.parameters
    return above(problem.data.X, problem.training.data.once(thresholds, p.threshold))[:, : p.features]


@once
def cells(problem: Problem) -> Array:
    """(n,) the cell of each row."""
    return cells_of(rows_of(problem))


@once
def names_of_cells(problem: Problem) -> tuple[list[str], list[str]]:
    """Of the classes, and of the cells by their bits: "class ham", "cell 0110"."""
    d = rows_of(problem).shape[1]
    return names_of_classes(problem), [f"cell {x:0{d}b}" for x in range(2**d)]


def recount(problem: Problem, rows: Array) -> Array:
    """(2, 2^d) how many of some rows lie in each cell."""
    y, size = np.asarray(problem.data.y)[rows], 2 ** rows_of(problem).shape[1]
    return np.bincount(y * size + cells(problem)[rows], minlength=2 * size).reshape(2, size).astype(float)


@kept
def recounted(problem: Problem, state: FullJointState) -> Array:
    return recount(problem, taken(problem, state))


@kept
def table(problem: Problem, state: FullJointState) -> JointTable:
    """The table that the counts make."""
    return JointTable(state.counts, problem.parameters.smoothing)


@kept
def naive(problem: Problem, state: FullJointState) -> Bernoulli:
    """Naive Bayes of the same counts, taken together by feature."""
    return table(problem, state).naive()


def wrong(of: Array, y: Array) -> Array:
    """(n,) bool of (2, n) log P(c, x): rows of which the other class is likelier, or neither could have made."""
    return np.asarray((of.argmax(axis=0) != y) | np.isneginf(of).all(axis=0))


@kept
def table_wrong(problem: Problem, state: FullJointState) -> Array:
    """(n,) bool: rows that the table gets wrong."""
    return wrong(table(problem, state).scores(cells(problem)), np.asarray(problem.data.y))


@kept
def naive_wrong(problem: Problem, state: FullJointState) -> Array:
    """(n,) bool: rows that naive Bayes gets wrong."""
    return wrong(naive(problem, state).scores(rows_of(problem)), np.asarray(problem.data.y))


def error(problem: Problem, state: FullJointState) -> float:
    return float(table_wrong(problem, state).mean()) if state.used else np.nan


def naive_error(problem: Problem, state: FullJointState) -> float:
    return float(naive_wrong(problem, state).mean()) if state.used else np.nan


def naive_held_out(problem: Problem, state: FullJointState) -> float:
    return np.nan if problem.held_out is None else naive_error(problem.held_out, state)


def empty(problem: Problem, state: FullJointState) -> float:
    return float((state.counts == 0).mean())


def unmet(problem: Problem, state: FullJointState) -> float:
    """The share of the rows in cells where no row of either class was counted."""
    return float((state.counts.sum(axis=0)[cells(problem)] == 0).mean())


@once
def truth(problem: Problem) -> Array | None:
    """(2, 2^d) the P(c, x) that made data were drawn from, where all their features are taken; else None."""
    data, known = problem.data, problem.data.truth
    if rows_of(problem).shape[1] < data.d or not {"tables", "chances"} & known.keys():
        return None
    share = np.array([1 - known["p"], known["p"]])
    if "tables" in known:
        return np.asarray(share[:, None] * known["tables"])
    return np.exp(Bernoulli(share, np.asarray(known["chances"])).scores(bits_of(data.d)))


def table_away(problem: Problem, state: FullJointState) -> float:
    return away(truth(problem), table(problem, state).chances()) if state.used else np.nan


def naive_away(problem: Problem, state: FullJointState) -> float:
    return away(truth(problem), table(problem, state).expected()) if state.used else np.nan


def away(true: Array | None, of: Array) -> float:
    """½ Σ |P - truth|, the most by which the chance of any event is off; NaN where the truth is not known."""
    return np.nan if true is None else float(np.abs(of - true).sum() / 2)


def unsmoothed(problem: Problem, state: FullJointState) -> bool | str:
    return not (s := problem.parameters.smoothing) or f"s = {s:g} is added to every cell"


def begun(problem: Problem, state: FullJointState) -> bool | str:
    return bool(state.counts.any()) or "no row is counted yet"


def scene(problem: Problem, before: FullJointState | None, after: FullJointState) -> Scene:
    data, of = problem.data, table(problem, after)
    here = int(cells(problem)[taken(problem, after)[-1]]) if after.used else -1
    stage = cells_panel(data, of, after.used * of.expected(), here, fullest(problem))
    predicted = of.scores(cells(problem)).argmax(axis=0)
    return Scene(
        (
            stage,
            so_far(problem, after),
            cells_table(data, of, naive(problem, after), truth(problem), here),
            confusion(data, predicted),
        )
    )


@once
def fullest(problem: Problem) -> float:
    """The rows of the fullest cell when all are counted, or those that naive Bayes then expects in one."""
    of = JointTable(recount(problem, np.arange(problem.data.n)), 0.0)
    return float(max(of.counts.max(), problem.data.n * of.expected().max()))


def so_far(problem: Problem, state: FullJointState) -> Panel:
    d, of, aside = table(problem, state).d, state.used > 0, problem.held_out
    facts: dict[str, float | None] = {
        "rows counted": state.used,
        "numbers: the table": 2 ** (d + 1) - 1,
        "numbers: naive Bayes": 2 * d + 1,
        "cells with a row": int((state.counts > 0).sum()),
        "cells in all": state.counts.size,
        "wrong rows: the table": int(table_wrong(problem, state).sum()) if of else None,
        "wrong rows: naive Bayes": int(naive_wrong(problem, state).sum()) if of else None,
    }
    if aside is not None and of:
        facts |= {"held out: the table": int(table_wrong(aside, state).sum())}
        facts |= {"held out: naive Bayes": int(naive_wrong(aside, state).sum())}
        facts |= {"held out in empty cells": round(unmet(aside, state) * aside.data.n)}
    return numbers(facts)


def explain(problem: Problem, before: FullJointState | None, after: FullJointState) -> str:
    said = told(problem, before, after)
    return Words.of(said, came_out(problem, after)) if after.used == problem.data.n else said


def came_out(problem: Problem, state: FullJointState) -> str:
    """Say what both models get wrong when all rows are counted, of rows held out where there are."""
    aside = problem.held_out or problem
    rows = f"{aside.data.n} rows{'' if problem.held_out is None else ' held out'}"
    mine, other = int(table_wrong(aside, state).sum()), int(naive_wrong(aside, state).sum())
    silent = int(np.isneginf(table(aside, state).scores(cells(aside))).all(axis=0).sum())
    blind = f" ({silent} in empty cells, of which it says nothing)" if silent else ""
    return f"Of {rows} the table gets {mine} wrong{blind}, naive Bayes {other}."


def told(problem: Problem, before: FullJointState | None, after: FullJointState) -> str:
    """Say what the step did."""
    data, d = problem.data, table(problem, after).d
    size = f"{d} feature{'s have' if d > 1 else ' has'} 2^{d} = {2**d} combinations"
    if not after.used:
        plain = (
            ""
            if problem.parameters.smoothing
            else " Unlike Laplace's rule, s = 0 adds nothing to the counts of either."
        )
        numbers = f"the table has {2 ** (d + 1) - 1} numbers, naive Bayes {2 * d + 1}"
        return f"{size}, each in two classes: {numbers}.{plain}"
    row = int(taken(problem, after)[-1])
    cell, own = int(cells(problem)[row]), int(np.asarray(data.y)[row])
    row_is = f"Row {row} ({in_words(data, row)}) is {data.classes[own]} and falls into cell {cell:0{d}b}"
    filled = f"Cells with a row: {int((after.counts > 0).sum())} of {after.counts.size}."
    if before is None or before.used + 1 != after.used:
        return f"Rows counted: {after.used}. {filled}"
    had = before.counts[:, cell]
    if not had.any():
        first = "where no row was: the table knew nothing of it"
        chance = (
            float(posterior(naive(problem, before).scores(rows_of(problem)[[row]]))[own, 0]) if before.used else np.nan
        )
        guessed = f", naive Bayes gave its class P = {chance:.3g}" if chance == chance else ""
        return f"{row_is}, {first}{guessed}. {filled}"
    return f"{row_is}, with {had[own]:.0f} of its class and {had[1 - own]:.0f} of the other before it. {filled}"


MET = {"a row is counted": begun}
EXACT = MET | {"the cells are not smoothed": unsmoothed}


@theorem(
    "counted rows: errors of the table <= naive Bayes'",
    source="Hughes (1968)",
    hypotheses=EXACT,
    proof=("naive Bayes is a classifier of these features too; held out it may be the better",),
)
def fewer_than_naive(problem: Problem, before: FullJointState | None, after: FullJointState) -> Answer:
    rows = taken(problem, after)
    mine, other = (int(of(problem, after)[rows].sum()) for of in (table_wrong, naive_wrong))
    return Sides(("table, counted rows", mine), ("naive Bayes, same rows", other))


@theorem(
    "no classifier errs less often on the counted rows",
    source="Hughes (1968)",
    hypotheses=EXACT,
    proof=(
        "a classifier of these features says one class in a cell, and errs on rows of the other",
        "min(n(x, 0), n(x, 1)) at least; the table says the greater, so it errs on just so many",
    ),
)
def fewest_errors(problem: Problem, before: FullJointState | None, after: FullJointState) -> Answer:
    rows = taken(problem, after)
    groups = np.column_stack([rows_of(problem), np.asarray(problem.data.y)])[rows]
    every, of = np.unique(groups[:, :-1], axis=0, return_inverse=True)
    ones = np.bincount(of.ravel(), weights=groups[:, -1], minlength=len(every))
    fewest = np.minimum(ones, np.bincount(of.ravel(), minlength=len(every)) - ones).sum()
    mine = int(table_wrong(problem, after)[rows].sum())
    return Sides(("fewest of any", float(fewest)), ("table, counted rows", mine), relation="==")


@theorem(
    "ln L of naive Bayes <= ln L of the table",
    source="Chow and Liu (1968)",
    hypotheses=EXACT,
    proof=(
        "ln L of any Q is Σ n(x, c) ln Q(x, c), greatest at Q = n/m by Gibbs' inequality",
        "the gap is m times how much the features tell of each other given the class, in nats",
    ),
)
def likelier(problem: Problem, before: FullJointState | None, after: FullJointState) -> Answer:
    again, rows = JointTable(recounted(problem, after), 0.0), taken(problem, after)
    y, X, of = np.asarray(problem.data.y)[rows], rows_of(problem)[rows], cells(problem)[rows]
    places = np.arange(len(rows))
    loose = float(again.naive().scores(X)[y, places].sum())
    best, mine = (float(one.scores(of)[y, places].sum()) for one in (again, table(problem, after)))
    return Sides(("ln L of naive Bayes", loose), ("of the rows' cells", best), ("of the table", mine))


@theorem(
    "both have each feature as often: Σ P(x|c) = p_cj",
    source="Chow and Liu (1968)",
    hypotheses=EXACT,
    proof=("for each feature j, n(x, c) summed over cells with x_j = 1 counts rows of class c with it",),
)
def same_marginals(problem: Problem, before: FullJointState | None, after: FullJointState) -> Answer:
    rows, y = taken(problem, after), np.asarray(problem.data.y)
    X, met = rows_of(problem)[rows], np.flatnonzero(np.bincount(y[rows], minlength=2))
    shares = np.stack([X[y[rows] == c].mean(axis=0) for c in met])
    summed = table(problem, after).given()[met] @ bits_of(X.shape[1])
    sides = ("Σ P(x|c) over x with the feature", summed), ("its share p_cj", shares)
    classes = [names_of_classes(problem)[c] for c in met]
    return Sides.each(*sides, relation="==", size=1.0, axes=(classes, problem.data.features))


@theorem(
    "at least 1 - m/2^(d+1) of the cells are empty",
    source="Hughes (1968)",
    proof=("a row fills one cell at most",),
)
def mostly_empty(problem: Problem, before: FullJointState | None, after: FullJointState) -> Answer:
    return Sides(("1 - m/2^(d+1)", 1 - after.used / after.counts.size), ("share of empty cells", empty(problem, after)))


@theorem(
    "n(x, c) counts the rows of the cell",
    source="Koller and Friedman (2009), section 17.2",
    proof=("each row is counted once, in its cell and class",),
)
def of_the_rows(problem: Problem, before: FullJointState | None, after: FullJointState) -> Answer:
    sides = ("n(x, c)", after.counts), ("rows in the cell", recounted(problem, after))
    return Sides.each(*sides, relation="==", axes=names_of_cells(problem))


THEOREMS = (fewer_than_naive, fewest_errors, likelier, same_marginals, mostly_empty, of_the_rows)

ALGORITHM = Algorithm(
    full_joint,
    title="The full joint table",
    point="Every combination is counted by itself; most are never met, and there it knows nothing.",
    after=("naive_bayes",),
    leaves_open="Of a cell without a row it knows nothing.",
    tries=(("three features", "-p features=3"), ("a count lent to each", "-p smoothing=1")),
    asks=(
        Ask("Does the next row fall into a cell in which no row was?", '"empty cells" falls'),
        Ask.way("A row more is counted: what does the error on rows held out do?", '"held-out error"'),
    ),
    summary="Counts every combination of binary features by itself in each class, beside naive Bayes' few numbers.",
    rule="n(x, c) <- n(x, c) + 1 for the cell of the row\nP(c, x) = n(x, c)/m;   naive: π_c Π_j P(x_j | c)",
    needs=Needs(target="class", classes=2),
    phases={"start": "all cells are empty", "count": "a row is counted in its cell"},
    start_only=("features",),
    curves=(
        Curve("error", error, "of the table: wrong, or in a cell without a row", held_out=True),
        Curve("naive Bayes, training", naive_error, "share of wrong rows", chart="error", tone="ink"),
        Curve("naive Bayes, held out", naive_held_out, "share of wrong rows", chart="error"),
        Curve("empty cells", empty, "share of all 2^(d+1)"),
        Curve("off the truth", table_away, "½ Σ |P - truth|, the table", chart="off the truth"),
        Curve("naive Bayes off it", naive_away, "the same", chart="off the truth", tone="ink"),
    ),
    objective={},
    theorems=THEOREMS,
    contrast=Contrast(
        "on rows held out: the errors of the table, and of naive Bayes",
        curves=("held-out error", "naive Bayes, held out"),
        names=("error of the table", "error of naive Bayes"),
    ),
    ends={
        "all … rows are counted: … of … cells have a row": all_rows(lambda state: state.counts.sum()),
    },
    symbols={
        "x, c": ("a combination of features of 0 and 1; a class", None),
        "n(x, c)": ("rows counted of a cell and class", None),
        "m, d": ("rows counted; features", lambda problem, state: state.used),
        "P": ("the chance of a class and a combination", None),
        "p, π": ("share of a feature's ones in a class; share of the classes", None),
        "s": ("what is added to every count", lambda problem, state: problem.parameters.smoothing),
        "L": ("how likely the rows counted are, with their classes", None),
    },
    measured=("counts",),
    scene=scene,
    explain=explain,
    adapt=adapt,
    datasets=(
        emails.with_(seed=7, hold_out=0.3),
        joint.with_(hold_out=0.25),
        davis.with_(sample=80, hold_out=0.25),
        breast_cancer.with_(sample=100, hold_out=0.3),
    ),
)
