"""k-means by trying all: every one of the k^n labellings of a few rows, and the one with the least F.

    F(z) = Σ_j Σ_{z_i = j} ‖x_i - μ_j‖²,   μ_j the mean of cluster j;   z* = argmin F over all k^n labellings z

Labellings are counted as numbers with n digits to the base k, the digit of row i being its cluster. To find the best
one is NP-hard, already for two clusters: with a million labellings a second, three clusters of 5 rows take a moment, of
30 rows six years.

Lloyd's algorithm, begun with the means of any labelling, ends between: OPT <= J <= F(z). It stays where a labelling is
a local minimum: no cluster is empty, and no row is nearer to another mean than to its own. The best labelling is one of
these, if it has no empty cluster, for moving a row to a nearer mean would lower F; but there may be more.

F needs no means: Σ over a cluster of ‖x - μ‖² = 1/(2 n_j) Σ over its pairs of ‖x_i - x_l‖². Each partition into k
clusters comes k! times, once for each way to name them; there are k! S(n, k) labellings without an empty cluster, with
Stirling's number S(n, k) = 1/k! Σ_j (-1)^(k-j) C(k, j) j^n.

References: Lloyd (1982), Least squares quantization in PCM, IEEE Trans. Information Theory 28(2), written in 1957;
Selim and Ismail (1984), K-means-type algorithms, IEEE PAMI 6(1); Aloise, Deshpande, Hansen and Popat (2009),
NP-hardness of Euclidean sum-of-squares clustering, Machine Learning 75; Stirling (1730), Methodus Differentialis;
Huygens (1673), Horologium Oscillatorium.
"""

from math import comb, factorial
from typing import Annotated, Any

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Bars,
    Cursor,
    Curve,
    Dataset,
    Event,
    FromStart,
    Labels,
    Meta,
    Needs,
    Panel,
    Points,
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
from algorithms.core.scene import Tone
from algorithms.core.text import counted
from algorithms.data import blobs, faithful, iris, rectangle
from algorithms.toolbox.clusters import lloyd_from, random_rows
from algorithms.toolbox.distances import pairwise_squared_distances, squared_distances
from algorithms.toolbox.labellings import digits, lasting, least_objective, middles, stays, tie, within
from algorithms.toolbox.panels.clusters import cells, in_units
from algorithms.toolbox.panels.row_words import Says, said_of_cluster

_MOST = 20_000  # labellings: 3^9 is 19,683
_COUNTED = 3_000  # labellings, up to which Lloyd's algorithm is run from each at the end
_BINS = 24
_A_SECOND = 1e6  # labellings, where it is said how long more rows would take


class ExhaustiveState(State, frozen=True, kw_only=True):
    number: int = -1  # which labelling is in hand; -1 before the first
    value: float = np.inf  # its F
    best: int = -1  # the first of the labellings with the least F so far
    least: float = np.inf  # that F
    minima: int = 0  # labellings so far that Lloyd's algorithm leaves as they are
    full: int = 0  # labellings so far without an empty cluster
    histogram: Array  # (bins,) how many labellings so far have an F in each


def exhaustive_clustering(
    data: Dataset,
    state: ExhaustiveState | None = None,
    *,
    k: Annotated[int, Meta(ge=1, le=10, description="clusters")] = 3,
    rows: Annotated[int, Meta(ge=2, le=16, description="rows to label, drawn at random, or all")] = 5,
    seed: Annotated[Seed, Meta(description="of which rows")] = 0,
) -> Run[ExhaustiveState]:
    X = data.once(from_the_first, rows, seed)
    if state is None:
        state = ExhaustiveState(histogram=np.zeros(_BINS, np.int64))
        yield state
    edges = data.once(bins, rows, seed)
    while (number := state.number + 1) < k ** len(X):
        labels = digits(number, k, len(X))
        value = within(X, labels, k)
        tallies = tallied(X, state, labels, k, place(edges, value))
        if value < state.least - tie(X):
            state = state.after("better", number=number, value=value, best=number, least=value, **tallies)
            yield state
        else:
            state = state.after("other", number=number, value=value, **tallies)
            yield state
    return f"all {k ** len(X):,} labellings are tried" if k > 1 else "the one labelling is tried"


def chosen_rows(data: Dataset, rows: int, seed: int) -> Array:
    """(m,) the rows that are labelled, in their order."""
    return np.sort(random_rows(data.n, min(rows, data.n), np.random.default_rng((seed, 0))))


def from_the_first(data: Dataset, rows: int, seed: int) -> Array:
    """(m, d) the rows that are labelled, less the first of them: far from the origin sums would lose what differs."""
    X = data.X[data.once(chosen_rows, rows, seed)]
    return np.asarray(X - X[0])


def tallied(X: Array, state: ExhaustiveState, labels: Array, k: int, at: int) -> dict[str, Any]:
    """What is counted, with one labelling more whose F is in the bin `at`."""
    return {
        "iteration": state.iteration + 1,
        "minima": state.minima + stays(X, labels, k),
        "full": state.full + (len(set(labels.tolist())) == k),
        "histogram": state.histogram + (np.arange(_BINS) == at),
    }


def bins(data: Dataset, rows: int, seed: int) -> Array:
    """(bins + 1,) edges from 0 to F of one cluster, which no labelling exceeds."""
    X = data.once(from_the_first, rows, seed)
    whole = within(X, np.zeros(len(X), np.int64), 1)
    return np.linspace(0.0, whole if whole > 0 else 1.0, _BINS + 1)


def place(edges: Array, value: float) -> int:
    """The bin of an F."""
    return int(np.clip(np.searchsorted(edges, value, side="right") - 1, 0, _BINS - 1))


def adapt(before: Problem, after: Problem, state: ExhaustiveState, rows: Array) -> State | FromStart:
    return state if after.data is before.data else FromStart("these labellings were of other rows")


def chosen(problem: Problem) -> Array:
    p = problem.parameters
    return problem.data.once(chosen_rows, p.rows, p.seed)


@once
def labelled(problem: Problem) -> Array:
    """(m, d) the rows that are labelled, less the first of them."""
    return problem.data.once(from_the_first, problem.parameters.rows, problem.parameters.seed)


@once
def least_of_all(problem: Problem) -> float:
    """OPT, the least F of all labellings."""
    return least_objective(labelled(problem), problem.parameters.k)


@kept
def labels_of(problem: Problem, state: ExhaustiveState) -> Array:
    return digits(state.number, problem.parameters.k, len(labelled(problem)))


@kept
def by_lloyd(problem: Problem, state: ExhaustiveState) -> float:
    """J where Lloyd's algorithm ends that starts with the means of the labelling in hand; NaN before the first."""
    if state.number < 0:
        return np.nan
    X, k = labelled(problem), problem.parameters.k
    labels, means = lloyd_from(X, middles(X, labels_of(problem, state), k))
    away = X - means[labels]
    return float(np.einsum("ij,ij->", away, away))


def rounding(problem: Problem) -> float:
    """What rounding may change in F."""
    X = labelled(problem)
    return 10 * len(X) * (tie(X) + float(np.spacing(np.abs(X).max())) ** 2)


def all_tried(problem: Problem, state: ExhaustiveState) -> bool | str:
    left = problem.parameters.k ** len(labelled(problem)) - state.number - 1
    return left == 0 or f"{counted(left, 'labelling')} still to be tried"


def best_is_full(problem: Problem, state: ExhaustiveState) -> bool | str:
    k, m = problem.parameters.k, len(labelled(problem))
    return len(set(digits(state.best, k, m).tolist())) == k or "the best labelling leaves a cluster empty"


def every_labelling(problem: Problem, state: ExhaustiveState) -> Sides:
    """Every number that a labelling has was in hand."""
    return Sides(("k^n", problem.parameters.k ** len(chosen(problem))), ("tried", state.number + 1), relation="==")


def validate(problem: Problem) -> str | None:
    data, p = problem.data, problem.parameters
    m = min(p.rows, data.n)
    if p.k > m:
        return f"{p.k} clusters need {p.k} rows or more; {m} are labelled."
    if p.k**m > _MOST:
        return f"{p.k}^{m} = {p.k**m:,} labellings are too many; {_MOST:,} can be tried: take fewer rows."
    return None


def scene(problem: Problem, before: ExhaustiveState | None, after: ExhaustiveState) -> Scene:
    if after.number < 0:
        return Scene((stage(problem, None, "rows that will be labelled", ""), so_far(problem, after)))
    k, m = problem.parameters.k, len(labelled(problem))
    best = stage(problem, digits(after.best, k, m), "the best labelling so far", f"labelling {after.best + 1:,}")
    hand = stage(problem, labels_of(problem, after), "the labelling in hand", f"labelling {after.number + 1:,}")
    return Scene((best, heights(problem, after), so_far(problem, after), hand))


def stage(problem: Problem, labels: Array | None, title: str, note: str) -> Panel:
    """The labelled rows in their clusters with the cells of the means, the other rows faint behind them."""
    data, k = problem.data, problem.parameters.k
    X = data.X[chosen(problem)]
    others = Points(at=data.X, faded=np.ones(data.n, bool), fade="" if len(X) == data.n else "rows left out")
    if labels is None:
        return Panel(title=title, space="data", marks=(others, Points(at=X, rows=False)))
    others, full = replace(others, says=says_labelled(problem, labels)), np.unique(labels)
    means, alone = middles(X, labels, k)[full], np.bincount(labels, minlength=k)[full] == 1  # a mark hides a lone row
    names = tuple(
        Labels(at=means[some], texts=tuple(map(str, full[some])), tones=tuple(full[some].tolist()), glyph=glyph)
        for some, glyph in ((~alone, "+"), (alone, " "))
        if some.any()
    )
    held = Points(at=X, classes=labels, rows=False)
    tint = tuple(cells(data, means, depth=within(X, labels * 0, 1) / len(X))) if len(full) == k else ()
    return Panel(title=title, space="data", marks=(*tint, others, held, *names), note=note)


def says_labelled(problem: Problem, labels: Array) -> Says:
    """Say the cluster of a row and the distances of two means, as of a row in clusters; of another that it is none."""
    X, rows, k = labelled(problem), chosen(problem).tolist(), problem.parameters.k
    full = np.unique(labels)
    means = middles(X, labels, k)[full]

    def says(row: int) -> str:
        if row not in rows:
            return "left out"
        place = rows.index(row)
        return said_of_cluster(full, squared_distances(X[[place]], means)[0], int(labels[place]))

    return says


def heights(problem: Problem, state: ExhaustiveState) -> Panel:
    """How many labellings have which F, with the one in hand and the least."""
    p = problem.parameters
    edges = problem.data.once(bins, p.rows, p.seed)
    tones: tuple[Tone, ...] = tuple("accent" if i == place(edges, state.value) else "muted" for i in range(_BINS))
    marks = Bars(heights=state.histogram.astype(float), edges=edges, tones=tones), Cursor(x=state.least, name="least")
    top = 1.1 * max(float(state.histogram.max()), 5.0)
    limits = ((0.0, float(edges[-1])), (0.0, top))
    return Panel(title="labellings by F", marks=marks, axes=("F", "labellings"), limits=limits)


def so_far(problem: Problem, state: ExhaustiveState) -> Panel:
    """What is counted, and how long 30 rows would take."""
    k, m = problem.parameters.k, len(labelled(problem))
    facts = {
        "tried": state.number + 1,
        f"of {k}^{m}": k**m,
        "F of this one": state.value if state.number >= 0 else None,
        "J by Lloyd": by_lloyd(problem, state),
        "least F": state.least if state.number >= 0 else None,
        "local minima": state.minima,
        "no empty cluster": state.full,
        f"{k}^30": f"{k**30:.3g}",
        "at 10⁶ a second": lasting(k**30 / _A_SECOND),
    }
    return numbers(facts, title="counted")


def written(problem: Problem, state: ExhaustiveState, number: int) -> str:
    """A labelling as its digits: "0 0 1 2 1"."""
    return " ".join(map(str, digits(number, problem.parameters.k, len(labelled(problem))).tolist()))


def of_start(problem: Problem, before: ExhaustiveState | None, after: ExhaustiveState) -> str:
    k, m, data = problem.parameters.k, len(labelled(problem)), problem.data
    which = "All" if m == data.n else f"{m} of the"
    time, rows = lasting(k**30 / _A_SECOND), ", ".join(map(str, chosen(problem).tolist()))
    return (
        f"{which} {data.n} rows have {k}^{m} = {k**m:,} labellings with {counted(k, 'cluster')}. Of 30 rows there "
        f"would be {k**30:.3g}: {time} at a million a second. A labelling has a digit, the cluster, for each of the "
        f"rows {rows}."
    )


def of_labelling(problem: Problem, before: ExhaustiveState | None, after: ExhaustiveState) -> str:
    z, lower = written(problem, after, after.number), by_lloyd(problem, after)
    text, so_far = f"Labelling {after.number + 1:,}, {z}, has F = {after.value:.4g}", ""
    if after.phase == "better":
        was = "" if before is None or before.number < 0 else f", below {before.least:.4g}"
        text += f"{was}: the least so far."
    else:
        end = all_tried(problem, after) is True
        least, of = ("The least of all", reached(problem)) if end else ("The least so far", "")
        so_far = f"{least} is {after.least:.4g}, of {written(problem, after, after.best)}{of}."
        text += "."
    if stays(labelled(problem), labels_of(problem, after), problem.parameters.k):
        ends = "It is a local minimum, in which Lloyd's algorithm stays."
    else:
        ends = f"Lloyd's algorithm from its means ends at {lower:.4g}{moved_first(problem, after)}."
    return Words.of(text, so_far, ends) if so_far else f"{text} {ends}"


def reached(problem: Problem) -> str:
    """Say whose the digits are, and from how many labellings Lloyd's algorithm ends at the least F."""
    X, k, found, rows = labelled(problem), problem.parameters.k, 0, ", ".join(map(str, chosen(problem).tolist()))
    most = k ** len(X)
    for number in range(most if most <= _COUNTED else 0):
        labels, means = lloyd_from(X, middles(X, digits(number, k, len(X)), k))
        found += float(((X - means[labels]) ** 2).sum()) <= least_of_all(problem) + rounding(problem)
    often = f"; Lloyd's algorithm reaches it from {found:,} of {most:,}" if found else ""
    return f" (rows {rows}){often}"


def moved_first(problem: Problem, state: ExhaustiveState) -> str:
    """Which row is farthest from its mean beside a nearer one."""
    X, z, k = labelled(problem), labels_of(problem, state), problem.parameters.k
    full = np.unique(z)
    away = squared_distances(X, middles(X, z, k)[full])
    gain = away[np.arange(len(X)), np.searchsorted(full, z)] - away.min(axis=1)
    i = int(gain.argmax())
    if gain[i] <= tie(X):
        empty = k - len(full)
        return f"; {empty} clusters are empty" if empty > 1 else "; a cluster is empty"
    row, to = int(chosen(problem)[i]), int(full[away[i].argmin()])
    own, near = np.sqrt(away[i, np.searchsorted(full, z[i])]), np.sqrt(away[i].min())
    units, who = in_units(problem.data), f"row {row} (place {i + 1} of {len(z)})"
    return f": {who} is {own:.3g} from its mean and {near:.3g} from that of cluster {to}{units}"


SEEN = ("better", "other")
ALL = {"all labellings are tried": all_tried}


@theorem(
    "OPT <= J of Lloyd's algorithm from these means <= F",
    source="Lloyd (1957)",
    phases=SEEN,
    proof=(
        "Lloyd's algorithm ends with a labelling, and OPT is the least of all",
        "neither assigning rows nor moving means raises J, and J begins at F",
    ),
)
def between_both(problem: Problem, before: ExhaustiveState | None, after: ExhaustiveState) -> Answer:
    of_this = f"F of labelling {after.number + 1:,}"  # what is on the stage is the best one, another mostly
    sides = ("OPT", least_of_all(problem)), ("J by Lloyd", by_lloyd(problem, after)), (of_this, after.value)
    return Sides(*sides, slack=rounding(problem))


@theorem(
    "z* has the least F so far",
    source="Aloise, Deshpande, Hansen, Popat (2009)",
    about="step",
    phases=SEEN,
    proof=("that is the rule: z* changes where F is below the least before it",),
)
def least_so_far(problem: Problem, before: ExhaustiveState, after: ExhaustiveState) -> Answer:
    """F* is F of the best labelling, and below that in hand and that before."""
    X, k = labelled(problem), problem.parameters.k
    own = within(X, digits(after.best, k, len(X)), k)
    # what is lower by rounding alone is no better: the same clusters by other names
    others = np.array([after.value, min(before.least, after.value)])
    named = "in hand", "least so far"
    return Sides.each(("F of z*", own), ("F", others), slack=rounding(problem), entries=named)


@theorem(
    "F from pairs: Σ_j 1/(2n_j) Σ‖x_i-x_l‖²",
    source="Huygens (1673)",
    phases=SEEN,
    proof=(
        "Σ_l ‖x_i - x_l‖² = n_j ‖x_i - μ‖² + Σ_l ‖x_l - μ‖², for Σ(x_l - μ) = 0",
        "sum over i: 2 n_j Σ‖x - μ‖²",
    ),
)
def from_pairs(problem: Problem, before: ExhaustiveState | None, after: ExhaustiveState) -> Answer:
    X, z = labelled(problem), labels_of(problem, after)
    pairs = pairwise_squared_distances(X, X) * (z[:, None] == z) / (2 * np.bincount(z)[z][:, None])
    return Sides(("F", after.value), ("Σ 1/(2n_j) Σ‖x_i-x_l‖²", pairs.sum()), relation="==", slack=rounding(problem))


@theorem(
    "at the end the least so far is the least of all",
    source="Aloise, Deshpande, Hansen, Popat (2009)",
    phases=SEEN,
    hypotheses=ALL,
    proof=("each of the k^n labellings was in hand once",),
)
def found(problem: Problem, before: ExhaustiveState | None, after: ExhaustiveState) -> Answer:
    sides = ("F*", after.least), ("OPT", least_of_all(problem))
    return Sides(*sides, relation="==", slack=rounding(problem))


@theorem(
    "k! S(n, k) labellings have no empty cluster",
    source="Stirling (1730)",
    phases=SEEN,
    hypotheses=ALL,
    proof=("S(n, k) partitions into k clusters, each with k! ways to name them",),
)
def without_empty(problem: Problem, before: ExhaustiveState | None, after: ExhaustiveState) -> Answer:
    k, m = problem.parameters.k, len(labelled(problem))
    exactly = sum((-1) ** (k - j) * comb(k, j) * j**m for j in range(k + 1))
    return Sides(("without an empty cluster", after.full), ("k! S(n, k)", exactly), relation="==", size=0.0)


@theorem(
    "local minima come k! at a time",
    source="Selim and Ismail (1984)",
    phases=SEEN,
    hypotheses=ALL,
    proof=("other names for the clusters change no distance, and none is empty",),
)
def names_aside(problem: Problem, before: ExhaustiveState | None, after: ExhaustiveState) -> Answer:
    times = factorial(problem.parameters.k)
    aside = after.minima // times
    sides = ("local minima", after.minima), (f"{times} times those with names aside", times * aside)
    return Sides(*sides, relation="==", size=0.0)


@theorem(
    "the best labelling is a local minimum: no row is nearer to another mean",
    source="Selim and Ismail (1984)",
    phases=SEEN,
    hypotheses={**ALL, "its clusters have rows": best_is_full},
    proof=("a row that went to a nearer mean would lower F, and new means do not raise it",),
)
def local_minimum(problem: Problem, before: ExhaustiveState | None, after: ExhaustiveState) -> Answer:
    X, k = labelled(problem), problem.parameters.k
    z = digits(after.best, k, len(X))
    away = squared_distances(X, middles(X, z, k))
    sides = ("‖x-μ_z‖²", away[np.arange(len(X)), z]), ("min_j ‖x-μ_j‖²", away.min(axis=1))
    rows = [f"row {row}" for row in chosen(problem).tolist()]
    return Sides.each(*sides, size=0.0, slack=rounding(problem), entries=rows)


THEOREMS = (between_both, least_so_far, from_pairs, found, without_empty, names_aside, local_minimum)

ALGORITHM = Algorithm(
    exhaustive_clustering,
    title="Exhaustive k-means",
    point="All ways to group a few rows are tried, and Lloyd's answers held against the best.",
    after=("lloyd",),
    leaves_open="Trying all is for a few rows: each row more is k times the work.",
    tries=(("other rows", "-p seed=1"), ("eight rows, k = 2", "-p k=2 -p rows=8")),
    asks=(
        Ask("Is the next labelling better than all before it?", "better"),
        Ask("Would Lloyd's algorithm stay at the next labelling, a local minimum?", '"a local minimum"'),
    ),
    summary="Tries all k^n ways to put a few rows into k clusters and keeps the one with the least squared distances.",
    rule="z* = argmin F(z) over all k^n labellings z\nF(z) = Σ‖x_i - μ_{z_i}‖²",
    needs=Needs(target="none", within=(1e-100, 1e100)),  # beyond, squared distances overflow or vanish
    phases={
        "start": "no labelling is tried yet",
        "better": "a labelling with the least F so far",
        "other": "a labelling that is no better",
    },
    events=("better", Event("a local minimum", lambda before, after: before and after.minima > before.minima)),
    start_only=("k", "rows", "seed"),
    curves=(
        Curve("F", lambda _, state: state.value, "F(z)", "objective", SEEN),
        Curve("least so far", lambda _, state: state.least, "F(z*)", "objective", SEEN, tone="accent"),
        Curve("J by Lloyd", by_lloyd, "from the means of z", "objective", SEEN),
        Curve("local minima", lambda _, state: state.minima, "where Lloyd stays"),
    ),
    objective={("F", "least so far", "J by Lloyd"): ("k", "rows", "seed")},
    theorems=THEOREMS,
    ends={
        "all … labellings are tried": every_labelling,
        "the one labelling is tried": every_labelling,
    },
    symbols={
        "z, z*": ("a labelling: the cluster of each row; the best so far", None),
        "n": ("rows that are labelled", lambda problem, state: len(labelled(problem))),
        "k": ("clusters", lambda problem, state: problem.parameters.k),
        "n_j": ("rows in cluster j", None),
        "x, μ, μ_z": ("a row; the mean of a cluster; that of the row's own", None),
        "F": ("Σ‖x - μ_z‖² of the labelling in hand", lambda p, state: state.value if state.number >= 0 else None),
        "F*": ("the least so far", lambda p, state: state.least if state.number >= 0 else None),
        "J": ("F where Lloyd's algorithm ends", lambda p, s: by_lloyd(p, s) if s.number >= 0 else None),
        "OPT": ("the least F of all labellings", lambda problem, state: least_of_all(problem)),
        "S(n, k)": ("partitions of n rows into k clusters", None),
    },
    measured=("value", "least", "best", "minima", "full", "histogram"),
    scene=scene,
    explain={"start": of_start, "better": of_labelling, "other": of_labelling},
    adapt=adapt,
    validate=validate,
    datasets=(blobs.with_(n=60, k=3, spread=1.0, seed=1), faithful.with_(scale=True), iris, rectangle),
)
