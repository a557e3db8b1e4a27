"""k nearest neighbours: keep all rows, and let the k nearest vote; k is chosen by leaving one row out at a time.

    ask      row i of all the others: ranked by distance, d(1) <= d(2) <= ..., its class by the vote of the first k
    next k   e(k) = share of the rows that the vote of their k nearest gets wrong,   k = 1, 2, ...
    choose   k* = argmin e(k)

Of rows at equal distances the first comes first, of classes with as many votes the first wins. Nothing is fitted: n d
numbers are kept, and gone through at every prediction. With k = 1 no training row is wrong, unless one of another class
is at distance 0: training error says nothing, and a wrong row makes an island. The larger k, the smoother the boundary.

The distance decides. Features in other units are other neighbours: as they are, over their standard deviations, or over
their ranges.

References: Fix and Hodges (1951), Discriminatory analysis, USAF School of Aviation Medicine; Cover and Hart (1967),
Nearest neighbor pattern classification, IEEE Trans. Information Theory 13; Lachenbruch and Mickey (1968), Estimation of
error rates in discriminant analysis, Technometrics 10 (one row left out); Hastie, Tibshirani and Friedman (2009), The
Elements of Statistical Learning, section 13.3.
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
    Event,
    FromStart,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Variable,
    Words,
    columns,
    numbers,
    once,
    theorem,
)
from algorithms.data import iris, moons, penguins, wine
from algorithms.families.neighbours.nearest_neighbours.pictures import neighbours_table, vote_stage
from algorithms.toolbox.distances import squared_distances
from algorithms.toolbox.neighbours import Rows, elected, nearest_others, outvoted, rows_among, votes
from algorithms.toolbox.orders import epoch_order, used_after
from algorithms.toolbox.panels.clusters import who
from algorithms.toolbox.panels.confusion import confusion
from algorithms.toolbox.sizes import columns_out_of_range

_LARGEST = 1e60  # beyond it and below its inverse, squares of squares would overflow or vanish
_MOST_COMPARED = 4000  # rows each of which is compared with all others

Scale = Literal["as they are", "deviation", "range"]
Order = Literal["cyclic", "shuffled"]


class NeighboursState(State, frozen=True, kw_only=True):
    neighbours: Array  # (most,) the rows nearest to the row in hand, the nearest first; -1 before the first
    wrong: Array  # (most,) how many of the rows asked the vote of 1, 2, ... neighbours gets wrong
    asked: int = 0  # rows asked
    tried: int = 0  # how many k
    k: int = 1  # whose boundary is shown
    best: int = 0  # the k with the fewest wrong of those tried; 0 before


def nearest_neighbours(
    data: Dataset,
    state: NeighboursState | None = None,
    *,
    most: Annotated[int, Meta(ge=1, le=200, description="the largest k, n - 1 at most")] = 15,
    scale: Annotated[Scale, Meta(description="features as they are, over their deviation, or over their range")] = (
        "as they are"
    ),
    order: Annotated[Order, Meta(description="rows asked in turn, or shuffled")] = "shuffled",
    seed: Annotated[Seed, Meta(description="of the shuffled order")] = 0,
) -> Run[NeighboursState]:
    X, y, most = data.once(scaled, scale), np.asarray(data.y), min(most, data.n - 1)
    if state is None:
        state = NeighboursState(neighbours=np.full(most, -1), wrong=np.zeros(most, int))
        yield state
    while state.asked < data.n:
        row = epoch_order(data.n, order, seed, 1)[state.asked]
        neighbours = ranked(X, row)[:most]
        wrong = state.wrong + (elected(y[neighbours], len(data.classes)) != y[row])
        asked = state.asked + 1
        state = state.after("ask", iteration=asked, neighbours=neighbours, wrong=wrong, asked=asked)
        yield state
    while state.tried < most:
        k = state.tried + 1
        state = state.after("next k", tried=k, k=k, best=1 + int(state.wrong[:k].argmin()))
        yield state
    if state.phase != "choose":
        state = state.after("choose", k=state.best)
        yield state
    return f"every k up to {most} is tried"


def scaled(data: Dataset, scale: Scale) -> Array:
    """(n, d) the rows in the units that distances are measured in; for `data.once`."""
    return data.X / data.once(units, scale)


def units(data: Dataset, scale: Scale) -> Array:
    """(d,) what each feature is divided by; 1 where it does not vary."""
    if scale == "as they are":
        return np.ones(data.d)
    unit = data.X.std(axis=0) if scale == "deviation" else np.ptp(data.X, axis=0)
    return np.where((np.ptp(data.X, axis=0) > 0) & (unit > 0), unit, 1.0)


def ranked(X: Array, row: int) -> Array:
    """(n - 1,) all other rows, the nearest first; of equal distances the row that comes first."""
    squares = squared_distances(X, X[[row]])[:, 0]
    order = squares.argsort(kind="stable")
    return np.asarray(order[order != row])


def adapt(before: Problem, after: Problem, state: NeighboursState, rows: Array) -> NeighboursState | FromStart:
    """The rows that were asked, of those still there, are asked anew of the rows as they are."""
    n = after.data.n
    asked = n if state.asked == before.data.n else used_after(rows, asked_in(before), state.asked)
    if state.phase == "ask" and not asked:
        return FromStart("none of the rows that were asked is left")
    most, asked_rows = len(left_out(after)[0]), asked_in(after)[:asked]
    wrong = wrong_by_k(after, asked_rows)
    neighbours = left_out(after)[asked_rows[-1]] if asked else np.full(most, -1)
    tried = min(state.tried, most)
    best = 1 + int(wrong[:tried].argmin()) if tried else 0
    k = best if state.phase == "choose" else min(state.k, most)
    return state.replaced(neighbours=neighbours, wrong=wrong, asked=asked, tried=tried, best=best, k=k)


def asked_in(problem: Problem) -> Array:
    """(n,) the order in which rows are asked."""
    return epoch_order(problem.data.n, problem.parameters.order, problem.parameters.seed, 1)


def row_in_hand(problem: Problem, state: NeighboursState) -> int:
    """The row asked last, -1 before the first."""
    return int(asked_in(problem)[state.asked - 1]) if state.asked else -1


@once
def rows_of(problem: Problem) -> Rows:
    """The training rows, ready to be looked among."""
    training = problem.training
    return rows_among(training.data.once(scaled, training.parameters.scale))


@once
def places(problem: Problem) -> Array:
    """(n, d) the rows in units of the training rows."""
    return np.asarray(problem.data.X / problem.training.data.once(units, problem.parameters.scale))


@once
def left_out(problem: Problem) -> Array:
    """(n, most) of each row the nearest of the others, all at once."""
    return nearest_others(rows_of(problem), min(problem.parameters.most, problem.data.n - 1))


@once
def elected_left_out(problem: Problem) -> Array:
    """(n, most) the class of each row by the vote of the others, for every k."""
    return elected(np.asarray(problem.data.y)[left_out(problem)], len(problem.data.classes))


@once
def wrong_left_out(problem: Problem) -> Array:
    """(n, most) bool: where the others outvote a row's class, for every k."""
    y = np.asarray(problem.data.y)
    return outvoted(y[left_out(problem)], y, len(problem.data.classes))


@once
def elected_by_all(problem: Problem) -> Array:
    """(n, most) the class of each row by the vote of the training rows, itself among them where it is one."""
    training = problem.training.data
    near = rows_of(problem).nearest(places(problem), min(problem.parameters.most, training.n - 1))
    return elected(np.asarray(training.y)[near], len(training.classes))


def wrong_by_k(problem: Problem, rows: Array) -> Array:
    """(most,) how many of some rows each k gets wrong when they are left out."""
    return np.asarray(wrong_left_out(problem)[rows].sum(axis=0), int)


def error(problem: Problem, state: NeighboursState) -> float:
    """The share of the rows that the vote of the training rows gets wrong; of those, each has a vote of its own."""
    predicted = elected_by_all(problem)[:, state.k - 1]
    return float((predicted != np.asarray(problem.data.y)).mean())


def left_out_error(problem: Problem, state: NeighboursState) -> float:
    return float(state.wrong[state.k - 1]) / state.asked if state.asked else np.nan


def error_so_far(problem: Problem, state: NeighboursState) -> float:
    return float(state.wrong[0]) / state.asked


def k_in_hand(problem: Problem, state: NeighboursState) -> float:
    return float(state.k)


def measured_anew(problem: Problem) -> Array:
    """(n, d) the rows in units that are taken from each feature by itself."""
    X, scale = problem.data.X, problem.parameters.scale
    units = []
    for x in X.T:
        spread = float(np.sqrt(np.mean((x - x.mean()) ** 2))) if scale == "deviation" else float(x.max() - x.min())
        units.append(spread if spread > 0 and x.max() > x.min() and scale != "as they are" else 1.0)
    return np.asarray(X / np.array(units))


def of_k(most: int) -> list[str]:
    return [f"k = {k}" for k in range(1, most + 1)]


@once
def has_rows_at_0(problem: Problem) -> tuple[bool, bool]:
    """Whether any two rows are at distance 0, and whether any two of different classes are.

    Not only equal rows are: the square of a difference below 1.5e-162 vanishes.
    """
    X, y = problem.data.once(scaled, problem.parameters.scale), np.asarray(problem.data.y)
    nearest = X[left_out(problem)[:, 0]]
    at_0 = ((X - nearest) ** 2).sum(axis=1) == 0
    mixed = len(np.unique(np.column_stack([X, y]), axis=0)) > len(np.unique(X, axis=0))
    lost = np.unique(X[at_0 & (nearest != X).any(axis=1)], axis=0)  # unequal ones; of two, the later has the earlier
    there = (y[squared_distances(X, place[None])[:, 0] == 0] for place in lost)
    return bool(at_0.any()), mixed or any((classes != classes[0]).any() for classes in there)


def none_at_0(problem: Problem, state: NeighboursState) -> bool | str:
    return not has_rows_at_0(problem)[0] or "some rows are at distance 0, so that a row need not be its own nearest"


def none_differs(problem: Problem, state: NeighboursState) -> bool | str:
    return not has_rows_at_0(problem)[1] or "two rows at distance 0 have different classes"


def all_asked(problem: Problem, state: NeighboursState) -> bool | str:
    return state.asked == problem.data.n or "not all rows are asked yet"


def all_tried(problem: Problem, state: NeighboursState) -> bool | Sides:
    """Every row was asked and every k tried, and that in hand errs least."""
    wrong, most = wrong_by_k(problem, np.arange(problem.data.n)), len(state.wrong)
    if state.phase != "choose" or (state.asked, state.tried) != (problem.data.n, most):
        return False
    return Sides(("wrong with the k chosen", wrong[state.k - 1]), ("fewest", wrong[:most].min()))


def validate(problem: Problem) -> str | None:
    data = problem.data
    if data.n > _MOST_COMPARED:
        most = f"each row is compared with {_MOST_COMPARED:,} others at most"
        return f"{most}; {data.name} has {data.n:,}: take a sample."
    return columns_out_of_range(data, _LARGEST)


def scene(problem: Problem, before: NeighboursState | None, after: NeighboursState) -> Scene:
    data, row, most = problem.data, row_in_hand(problem, after), len(after.wrong)
    ringed = row if after.phase == "ask" else -1  # a k and the choice are about all rows
    shown = after.neighbours[: most if ringed >= 0 else 0]
    unit, training = data.once(units, problem.parameters.scale), data.once(scaled, problem.parameters.scale)
    stage = vote_stage(data, rows_of(problem), unit, after.k, ringed, shown, crossed_rows(problem, after))
    table = neighbours_table(data, training, row, after.neighbours) if row >= 0 else ()
    predicted = elected_left_out(problem)[:, after.k - 1]
    by_k = (errors_by_k(problem, after),) if after.tried else ()
    return Scene((stage, *by_k, *table, so_far(problem, after), confusion(data, predicted)))


def crossed_rows(problem: Problem, state: NeighboursState) -> Array:
    """(n,) bool: rows asked that the k in hand gets wrong when they are left out."""
    rows = np.isin(np.arange(problem.data.n), asked_in(problem)[: state.asked])
    return np.asarray(rows & wrong_left_out(problem)[:, state.k - 1])


def errors_by_k(problem: Problem, state: NeighboursState) -> Panel:
    """List the rows wrong by each k tried, left out and with themselves, and of those held out."""
    tried, y, aside = state.tried, np.asarray(problem.data.y), problem.held_out
    heads: dict[str, object] = {"k": np.arange(1, tried + 1), "left out": state.wrong[:tried]}
    heads["training"] = (elected_by_all(problem) != y[:, None]).sum(axis=0)[:tried]
    if aside is not None:
        heads["held out"] = (elected_by_all(aside) != np.asarray(aside.data.y)[:, None]).sum(axis=0)[:tried]
    return columns("wrong rows by k", heads, marked=(state.k - 1,))


def so_far(problem: Problem, state: NeighboursState) -> Panel:
    n, d = problem.data.n, problem.data.d
    facts: dict[str, float | None] = {"rows asked": state.asked, "k": state.k}
    facts |= {"wrong of those": int(state.wrong[state.k - 1]) if state.asked else None, "k*": state.best or None}
    return numbers(facts | {"numbers kept": n * d, "squares a prediction": n * d, "a line would keep": d + 1})


def explain_start(problem: Problem, before: NeighboursState | None, after: NeighboursState) -> str:
    n, d = problem.data.n, problem.data.d
    kept = f"{n} rows of {d} feature{'s' * (d > 1)} are kept, {n * d} numbers"
    return f"Nothing is fitted: {kept}. Each will be left out and asked."


def explain_ask(problem: Problem, before: NeighboursState | None, after: NeighboursState) -> str:
    data, row, y = problem.data, row_in_hand(problem, after), np.asarray(problem.data.y)
    first, most = int(after.neighbours[0]), len(after.neighbours)
    X = data.once(scaled, problem.parameters.scale)
    away = float(np.linalg.norm(X[first] - X[row]))
    lost = " but for rounding" if away == 0 and (X[first] != X[row]).any() else ""
    units_named = " in scaled features" if data.scaled or problem.parameters.scale != "as they are" else ""
    said = elected(y[after.neighbours], len(data.classes))
    itself = f"Row {row} ({who(data, row)}) is {data.classes[y[row]]}"
    nearest = f"{itself}. Nearest is row {first}, {away:.3g} away{units_named}{lost}"
    vote = f"{data.classes[y[first]]}: {'right' if y[first] == y[row] else 'wrong'} with k = 1"
    wide = f", {'right' if said[-1] == y[row] else 'wrong'} with k = {most}" if most > 1 else ""
    return f"{nearest}, {vote}{wide}.{tied(problem, row, after.neighbours)}"


def tied(problem: Problem, row: int, neighbours: Array) -> str:
    """Tell of equal distances, and of votes that tie."""
    data = problem.data
    X, counts = data.once(scaled, problem.parameters.scale), votes(np.asarray(data.y)[neighbours], len(data.classes))
    squares = squared_distances(X[neighbours], X[[row]])[:, 0]
    alike = int((np.diff(squares) == 0).sum())
    ties = 1 + np.flatnonzero((counts == counts.max(axis=-1, keepdims=True)).sum(axis=-1) > 1)
    distances = f" {alike + 1} of the distances are equal." if alike == 1 else ""
    if alike > 1:
        distances = f" {alike} of the distances are equal to the one before."
    listed = ", ".join(map(str, ties[:4].tolist())) + (", ..." if len(ties) > 4 else "")
    return distances + (f" The vote ties at k = {listed}." if len(ties) else "")


def explain_k(problem: Problem, before: NeighboursState | None, after: NeighboursState) -> str:
    n, k, wrong = problem.data.n, after.k, int(after.wrong[after.k - 1])
    own = round(error(problem, after) * n)
    share = f"With k = {k}, wrong when left out: {wrong} of {n} rows; with a vote of their own: {own}."
    if after.best == k:
        return f"{share} {'It is the first k tried.' if k == 1 else 'No k before has as few.'}"
    return f"{share} k = {after.best} has {after.wrong[after.best - 1]}."


def explain_choice(problem: Problem, before: NeighboursState | None, after: NeighboursState) -> str:
    n, aside, fewest = problem.data.n, problem.held_out, after.wrong[after.best - 1]
    chosen = f"Of {n} rows left out one at a time, k = {after.best} gets the fewest wrong: {fewest}."
    training = (elected_by_all(problem) != np.asarray(problem.data.y)[:, None]).sum(axis=0)
    other = f"Training error would have chosen k = {1 + int(training.argmin())}, with {training.min()}."
    held = "" if aside is None else f" Wrong of {aside.data.n} held out: {round(error(aside, after) * aside.data.n)}."
    return Words(f"{chosen} {other}{held}", f"{chosen} {other}")


@theorem(
    "k = 1 has training error 0",
    source="Cover and Hart (1967)",
    phases=("next k",),
    hypotheses={"no two rows at distance 0 have different classes": none_differs},
    proof=("a row is at distance 0 from itself, and so is its nearest; what else is at 0 has its class",),
)
def one_neighbour(problem: Problem, before: NeighboursState | None, after: NeighboursState) -> Answer:
    if after.tried != 1:
        return None
    return Sides(("training error, k = 1", error(problem, after)), ("0", 0.0), relation="==")


@theorem(
    "k* has the fewest wrong rows of the k tried",
    source="Lachenbruch and Mickey (1968)",
    phases=("next k", "choose"),
    hypotheses={"all rows are asked": all_asked},
    proof=("that is the rule; the rows are asked again",),
)
def fewest_wrong(problem: Problem, before: NeighboursState | None, after: NeighboursState) -> Answer:
    wrong = wrong_by_k(problem, np.arange(problem.data.n))[: after.tried]
    others = np.flatnonzero(np.arange(len(wrong)) != after.best - 1)  # it is no less than itself
    if not len(others):
        return None
    next_best = int(others[wrong[others].argmin()])
    sides = (
        (f"wrong with k* = {after.best}", int(wrong[after.best - 1])),
        (f"with k = {next_best + 1}", int(wrong[next_best])),
    )
    return Sides(*sides)


@theorem(
    "distances are sorted, and no other row is nearer",
    source="Fix and Hodges (1951)",
    phases=("ask",),
    proof=("that is what is meant by the nearest; units and distances to all others are taken anew",),
)
def sorted_distances(problem: Problem, before: NeighboursState | None, after: NeighboursState) -> Answer:
    X, row = measured_anew(problem), row_in_hand(problem, after)
    squares = ((X - X[row]) ** 2).sum(axis=1)
    others = np.setdiff1d(np.arange(len(X)), [row, *after.neighbours])
    distances = np.sqrt(squares[after.neighbours])
    farther = np.append(distances[1:], np.sqrt(squares[others].min()) if len(others) else np.inf)
    if not len(others):
        distances, farther = distances[:-1], farther[:-1]
    if not len(distances):
        return None
    nearest_first = [f"j = {j}" for j in range(1, len(distances) + 1)]
    return Sides.each(("r(j)", distances), ("the next, or any other", farther), entries=nearest_first)


@theorem(
    "the wrong rows are those that are wrong asked again",
    source="Lachenbruch and Mickey (1968)",
    proof=("each row is asked once, of all others; single precision ranks them here, double decides",),
)
def asked_again(problem: Problem, before: NeighboursState | None, after: NeighboursState) -> Answer:
    again = wrong_by_k(problem, asked_in(problem)[: after.asked])
    return Sides.each(("wrong rows", after.wrong), ("asked again", again), relation="==", entries=of_k(len(again)))


@theorem(
    "with itself among k + 1, no more rows are wrong",
    source="Lachenbruch and Mickey (1968)",
    phases=("next k",),
    hypotheses={"no two rows are at distance 0": none_at_0, "all rows are asked": all_asked},
    proof=(
        "the k + 1 nearest of a row are itself and the k nearest of the others",
        "its class has one vote more so and the others as many: won before, it is won again",
    ),
)
def never_beyond(problem: Problem, before: NeighboursState | None, after: NeighboursState) -> Answer:
    """Left out, a row has one vote less for its class: what k gets right so, k + 1 with the row gets right too."""
    every, y, k = elected_by_all(problem), np.asarray(problem.data.y), after.k
    if k >= every.shape[1]:
        return None
    with_it = int((every[:, k] != y).sum())
    return Sides((f"wrong with itself, of {k + 1}", with_it), (f"wrong left out, of {k}", int(after.wrong[k - 1])))


THEOREMS = (one_neighbour, fewest_wrong, sorted_distances, asked_again, never_beyond)

K = Variable("k", k_in_hand)
TRIED = ("next k", "choose")  # before that not all rows are asked, and at one k the share would go up and down

ALGORITHM = Algorithm(
    nearest_neighbours,
    title="k nearest neighbours",
    point="Every place asks its nearest rows: one frays the border, many smooth it.",
    also=("knn",),
    leaves_open="The k that is best on these rows need not be best on others.",
    tries=(("features as measured", "--no-scale"), ("k up to 75", "-p most=75")),
    asks=(
        Ask("Is the nearest other row of another class than the next row?", "wrong[0] rises", "start or ask"),
        Ask.way("With the next k: what does the left-out error do?", '"left-out error"', '"next k"'),
    ),
    summary="Keeps all rows, lets the k nearest vote, and chooses the k that is best at rows left out.",
    rule="class of x: most votes of its k nearest rows\nk* = argmin of the rows wrong when each is left out",
    needs=Needs(target="class"),
    phases={
        "start": "all rows are kept",
        "ask": "a row is left out: the others ranked, their vote",
        "next k": "the boundary and the wrong rows of the next k",
        "choose": "the k with the fewest wrong rows",
    },
    events=(Event("fewest wrong so far", lambda before, after: after.phase == "next k" and after.k == after.best),),
    start_only=("most",),
    curves=(
        Curve("left-out error", left_out_error, "e(k), each row asked of the others", "error", TRIED, along=K),
        Curve("error", error, "rows among themselves", "error", held_out=True, along=K),
        Curve("left-out error so far, k = 1", error_so_far, "of the rows asked", phases=("ask",)),
    ),
    objective={},
    theorems=THEOREMS,
    in_hall="k* has the fewest wrong rows of the k tried",
    ends={
        "every k up to … is tried": all_tried,
    },
    symbols={
        "k, k*": ("neighbours that vote; the k that is chosen", k_in_hand),
        "r(j)": ("distance of the j-th nearest row", None),
        "e": ("share of wrong rows, each left out", None),
        "n, d": ("rows and features", lambda problem, state: problem.data.n),
        "x": ("a row, or any place", None),
    },
    measured=("neighbours", "wrong"),
    scene=scene,
    explain={"start": explain_start, "ask": explain_ask, "next k": explain_k, "choose": explain_choice},
    adapt=adapt,
    validate=validate,
    datasets=(
        penguins.with_(
            columns=("bill_length_mm", "body_mass_g"), scale=True, sample=160, hold_out=0.3, hold_out_seed=1
        ),
        moons.with_(n=80, noise=0.3),
        iris.with_(columns=("sepal_length_cm", "sepal_width_cm"), sample=90),
        wine.with_(sample=80, hold_out=0.25),
    ),
)
