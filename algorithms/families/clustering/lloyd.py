"""k-means by Lloyd's algorithm: rows go to the nearest mean, means go to the middle of their rows.

    assign   z_i <- argmin_j ‖x_i - μ_j‖²      on a tie a row stays where it is
    fill     an empty cluster takes the row that is farthest from its own mean
    update   μ_j <- mean of the x_i with z_i = j

The objective is J(z, μ) = Σ_i ‖x_i - μ_{z_i}‖². No phase raises it: a row moves only to a nearer mean; a row that
an empty cluster takes is its mean, so its distance falls to 0; and the mean of some rows is the place with the
least sum of squared distances to them. While a row moves J falls strictly, so no assignment comes twice; there are
finitely many, and the run ends where neither phase lowers J. That is a local minimum if no row ties, and need not be
the least one; where a row is as near to another mean, J may be lower beside it: rows -2, 0, 1 in the clusters {-2, 0}
and {1} have J = 2, and it falls as soon as the means turn a little to the right. Each cluster is the part of the data
in one Voronoi cell of the means.

A tie is a difference in ‖x - μ‖² that rounding can make (1e-13 of the largest squared distance from the mean of
the data): a row that is nearer by less stays, so the strict fall holds in floating point too, and at the first
assignment it goes to the first of the means that tie.

The cluster of a row that is taken keeps at least one other, and a row on its mean is not taken: with fewer different
rows than clusters one may stay empty, and then its mean stays where it is. The first means are k rows at random, or
drawn by k-means++ (each in proportion to its squared distance from those before it; the greedy variant takes the best
of 2 + ln k draws), or those of a random assignment.

References: Lloyd (1982), Least squares quantization in PCM, IEEE Trans. Information Theory 28(2), written in 1957;
MacQueen (1967), Some methods for classification and analysis of multivariate observations, Berkeley Symposium 5; Selim
and Ismail (1984), K-means-type algorithms, IEEE PAMI 6(1) (where it ends); Bradley and Fayyad (1998), Refining initial
points for k-means clustering, ICML (empty clusters); Arthur and Vassilvitskii (2007), k-means++: the advantages of
careful seeding, SODA.
"""

from typing import Annotated, Any

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Event,
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
    kept_by,
    theorem,
)
from algorithms.core.text import counted
from algorithms.data import blobs, digits, faithful, iris, penguins
from algorithms.families.clustering.shared.partition_pictures import newly
from algorithms.families.clustering.shared.partition_words import assignment, dealt, fallen, figure
from algorithms.toolbox import clusters
from algorithms.toolbox.distances import squared_distances, squared_distances_to_own
from algorithms.toolbox.ends import reached
from algorithms.toolbox.nearer import Measured, measured, nearer, total
from algorithms.toolbox.panels.clusters import cells, cluster_names, cluster_table, images, in_units, marked_means, who
from algorithms.toolbox.panels.row_words import says_mean

FEW = 1000  # rows, which are summed as fast as some of them


class LloydState(State, frozen=True, kw_only=True):
    means: Array  # (k, d)
    labels: Annotated[Array, Along("n")]  # (n,) int8, the cluster of each row; -1 before the first assignment
    sums: Array  # (k, d) sums of each cluster's rows
    counts: Array  # (k,) rows of each cluster
    moved: int = 0  # rows that changed cluster in the last assign or fill


def lloyd(
    data: Dataset,
    state: LloydState | None = None,
    *,
    k: Annotated[int, Meta(ge=1, le=100, description="clusters")] = 3,
    start: Annotated[
        clusters.Start,
        Meta(description="the first means: by k-means++, by its greedy variant, rows at random, a random assignment"),
    ] = "k-means++",
    seed: Annotated[Seed, Meta(description="of the start")] = 0,
    sweeps: Annotated[int, Meta(ge=1, le=10_000, description="sweeps before giving up")] = 300,
) -> Run[LloydState]:
    if state is None:
        state = first_state(data, k, start, seed)
        yield state
    while state.phase != "settled":
        if state.phase in ("start", "update"):
            if state.iteration >= sweeps:
                return f"{counted(sweeps, 'sweep')}, and rows may still move"
            rows, to = nearer(data, state.means, state.labels)
            state = state.after("assign", iteration=state.iteration + 1, **relabelled(data, state, rows, to))
            yield state
        if state.phase == "assign":
            if state.moved == 0 and at_rest(data, state):
                state = state.after("settled")
                yield state
                break
            rows, to = for_empty_clusters(data, state)
            if len(rows):
                means = state.means.copy()
                means[to] = data.X[rows]
                state = state.after("fill", means=means, **relabelled(data, state, rows, to))
                yield state
        state = state.after("update", means=middles(state))
        yield state
    return "no row moved"


def relabelled(data: Dataset, state: LloydState, rows: Array, to: Array) -> dict[str, Any]:
    """What changes when the `rows` go to the clusters `to`: the sums lose and gain those rows alone.

    With few rows, or when most of them move, it is as well to sum all.
    """
    if len(rows) == 0:
        return {"moved": 0}
    x, k, labels = data.once(measured).x, len(state.means), state.labels.copy()
    labels[rows] = to
    if 4 * len(rows) + FEW > len(labels):
        sums = clusters.membership(labels, k) @ x
    else:
        change = clusters.membership(to, k) - clusters.membership(state.labels[rows], k)
        sums = state.sums + change @ x[rows]
    return {"labels": labels, "sums": sums, "counts": clusters.sizes(labels, k), "moved": len(rows)}


def middles(state: LloydState) -> Array:
    """(k, d) the mean of each cluster's rows; an empty cluster's mean stays."""
    if not has_empty(state):
        return np.asarray(state.sums / state.counts[:, None])
    return np.where(state.counts[:, None] > 0, state.sums / np.maximum(state.counts, 1)[:, None], state.means)


def has_empty(state: LloydState) -> bool:
    return bool(np.count_nonzero(state.counts) < len(state.counts))


def at_rest(data: Dataset, state: LloydState) -> bool:
    """Whether there is nothing to fill, and each mean is in the middle of its rows."""
    return len(for_empty_clusters(data, state)[0]) == 0 and np.array_equal(middles(state), state.means)


def for_empty_clusters(data: Dataset, state: LloydState) -> tuple[Array, Array]:
    """The rows that the empty clusters take, and which of them takes each."""
    if not assigned(state) or not has_empty(state):
        return np.empty(0, np.intp), np.empty(0, np.int8)
    tie = data.once(measured).tie(state.means)
    labels = clusters.fill_empty(from_own_mean(data, state), state.labels, len(state.means), least=tie)
    taken = np.flatnonzero(labels != state.labels)
    return taken, labels[taken]


def assigned(state: LloydState) -> bool:
    return bool(state.labels[0] != clusters.NO_CLUSTER)


def from_own_mean(data: Dataset, state: LloydState) -> Array:
    """(n,) ‖x - μ‖² for the mean of its cluster."""
    return squared_distances_to_own(data.X, state.means, state.labels)


def first_state(data: Dataset, k: int, start: clusters.Start, seed: int) -> LloydState:
    if start != "assignment":
        return begin(data, data.X[clusters.first_rows(data.X, k, start, seed)])
    labels = clusters.random_labels(data.n, k, np.random.default_rng((seed, 0)))
    nobody = begin(data, np.tile(data.once(measured).centre, (k, 1)))
    state = replace(nobody, **relabelled(data, nobody, np.arange(data.n), labels))
    return replace(state, means=middles(state), moved=0)


def begin(data: Dataset, means: Array) -> LloydState:
    """The state from which a run starts at (k, d) means of one's own: lloyd(data, begin(data, means), k=len(means))."""
    k = len(means)
    return LloydState(
        means=np.array(means, float),
        labels=np.full(data.n, clusters.NO_CLUSTER, np.int8),
        sums=np.zeros((k, data.d)),
        counts=np.zeros(k, np.int64),
    )


def adapt(before: Problem, after: Problem, state: LloydState, rows: Array) -> LloydState:
    """Rows stay in their clusters, and a new one joins the nearest mean; sums and counts are taken anew."""
    data, k = after.data, len(state.means)
    if data is before.data:
        return state
    if not assigned(state):
        return state.replaced(labels=np.full(data.n, clusters.NO_CLUSTER))
    labels = np.where(rows >= 0, state.labels[rows], clusters.nearest(data.X, state.means))
    sums = clusters.membership(labels, k) @ data.once(measured).x
    return state.replaced(labels=labels, sums=sums, counts=clusters.sizes(labels, k))


@kept
def distances(problem: Problem, state: LloydState) -> Array:
    """(n,) squared distance of each row to the mean of its cluster; NaN before the first assignment."""
    return from_own_mean(problem.data, state) if assigned(state) else np.full(problem.data.n, np.nan)


@kept_by("means")
def least_distances(problem: Problem, state: LloydState) -> Array:
    """(n,) squared distance of each row to the nearest mean."""
    return np.asarray(squared_distances(problem.data.X, state.means).min(axis=1))


def objective(problem: Problem, state: LloydState) -> float:
    """J(z, μ), the sum of squared distances; NaN before the first assignment."""
    return float(distances(problem, state).sum())


def rows_of(problem: Problem) -> Measured:
    return problem.data.once(measured)


def lost(problem: Problem) -> float:
    """What a mean that is only as good as its last digits can add to J: J is flat in the middle of the rows."""
    return problem.data.n * rows_of(problem).lost ** 2


def farthest_row(problem: Problem, before: LloydState, after: LloydState) -> Answer:
    """Of the rows that could have been taken: those that others are with, in the cluster that they are in."""
    taken, was = before.labels != after.labels, distances(problem, before)
    could = (after.counts[before.labels] > 1) & ~taken
    if not could.any() or not taken.any():
        return None
    return Sides(("‖x-μ‖² of another", was[could].max()), ("of the row taken", was[taken].min()), size=0.0)


def a_row_moved(before: LloydState | None, after: LloydState) -> bool:
    return after.phase == "assign" and after.moved > 0


def an_empty_cluster(before: LloydState | None, after: LloydState) -> bool:
    return after.phase == "assign" and has_empty(after)


def no_row_moves(problem: Problem, state: LloydState) -> bool:
    """Another assignment would move no row, and each mean is that of its rows."""
    rows, _ = nearer(problem.data, state.means, state.labels)
    return state.phase == "settled" and not len(rows) and at_rest(problem.data, state)


def validate(problem: Problem) -> str | None:
    return clusters.too_few_rows(problem.data, problem.parameters.k)


def scene(problem: Problem, before: LloydState | None, after: LloydState) -> Scene:
    data, changed = problem.data, newly(before, after)
    said = says_mean(data.X, after.means, after.labels) if assigned(after) else None
    labels = after.labels if assigned(after) else None
    names = () if labels is None else cluster_names(len(after.means))
    rows = Points(at=data.X, classes=labels, tone="muted", ringed=changed, says=said, names=names)
    note = "marked: rows that changed cluster" if changed.any() else ""
    touched = np.zeros(len(after.means), bool)
    if before is not None and changed.any():
        touched[after.labels[changed]] = touched[before.labels[changed]] = True
    marks = (*cells(data, after.means, depth=data.once(total) / data.n), rows, *marked_means(after.means))
    return Scene(
        (
            Panel(title="rows in the cells of the means", space="data", marks=marks, note=note),
            *images(data, after.means),
            cluster_table(data, after.means, after.labels, distances(problem, after), touched),
        )
    )


def of_start(problem: Problem, before: LloydState | None, after: LloydState) -> str:
    data, start, k = problem.data, problem.parameters.start, len(after.means)
    if assigned(after):
        return dealt(data.n)
    rows = None if start == "assignment" else clusters.first_rows(data.X, k, start, problem.parameters.seed)
    if rows is None or not np.array_equal(data.X[rows], after.means):
        return "The run starts from these means; no row is in a cluster yet."
    which = ", ".join(map(str, rows[:8].tolist())) + (", ..." if k > 8 else "")
    return f"The means start on row{'s' * (k > 1)} {which}, {clusters.DRAWN[start]}."


def of_assignment(problem: Problem, before: LloydState | None, after: LloydState) -> str:
    data, was = problem.data, None if before is None else before.labels
    empty = ", ".join(map(str, np.flatnonzero(after.counts == 0).tolist()))
    said = assignment(
        data,
        was,
        after.labels,
        after.moved,
        objective(problem, after),
        lambda rows: squared_distances(data.X[rows], after.means),
        unit=in_units(data),
    )
    return f"{said} Cluster {empty} has no rows." if empty else said


def of_filling(problem: Problem, before: LloydState | None, after: LloydState) -> str:
    taken = np.flatnonzero(newly(before, after))
    if before is None or len(taken) == 0:
        return "An empty cluster has taken the row that was farthest from its mean."
    row = int(taken[distances(problem, before)[taken].argmax()])
    far = float(np.sqrt(distances(problem, before)[row]))
    return (
        f"Cluster {after.labels[row]} had no rows. It takes row {row} ({who(problem.data, row)}), {far:.3g} from the "
        f"mean of {before.labels[row]}{in_units(problem.data)}: farther than any other that is not alone. Its mean "
        "goes there."
    )


def of_update(problem: Problem, before: LloydState | None, after: LloydState) -> str:
    now = objective(problem, after)
    if before is None and np.array_equal(middles(after), after.means):
        return f"Each mean is in the middle of its rows: J = {figure(now)}."
    if before is None:
        return f"With this change not every mean is in the middle of its rows: J = {figure(now)}."
    went = np.linalg.norm(after.means - before.means, axis=1)
    far = int(went.argmax())
    return (
        f"Each mean goes to the middle of its rows; {far} goes farthest, by {went[far]:.3g}{in_units(problem.data)}. "
        f"{fallen(objective(problem, before), now)}"
    )


def of_end(problem: Problem, before: LloydState | None, after: LloydState) -> str:
    near = squared_distances(problem.data.X, after.means) - distances(problem, after)[:, None]
    ties = np.flatnonzero((near <= rows_of(problem).tie(after.means)).sum(axis=1) > 1)
    now = f"Neither phase lowers J = {figure(objective(problem, after))} any more"
    if len(ties):
        return Words.of(f"{now}.", f"Row {ties[0]} is as near to another mean: beside these means J may be lower.")
    other = "Another start may end in a lower one." if len(after.means) > 1 else ""
    return Words.of("", f"{now}, and no row ties: a local minimum.", other)


SYMBOLS = {
    "x, c": ("a row, and the mean of all rows", None),
    "z": ("the cluster of each row", None),
    "μ": ("the mean of each cluster", None),
    "k, n": ("clusters, and rows", lambda problem, state: len(state.means)),
    "n_j": ("rows in cluster j", None),
    "J": ("Σ‖x - μ_z‖²", lambda problem, state: objective(problem, state) if assigned(state) else None),
    "between": ("Σ n_j ‖μ_j - c‖²", None),
    "total": ("Σ‖x - c‖²", lambda problem, state: problem.data.once(total)),
    "i, j": ("a row and a cluster", None),
}
MIDDLE = "for every m, Σ‖x - m‖² over some rows has the gradient 2 Σ(m - x): least at their mean"


@theorem(
    "the objective J never rises",
    source="Lloyd (1957)",
    about="step",
    proof=("assign: ‖x - μ_z‖² <= ‖x - μ‖² of the mean it had", "fill an empty cluster: its row has 0 now", MIDDLE),
)
def never_rises(problem: Problem, before: LloydState, after: LloydState) -> Answer:
    if not assigned(before):
        return None
    now, was = objective(problem, after), objective(problem, before)
    return Sides(("J", now), ("J before", was), size=was, slack=lost(problem))


@theorem(
    "J falls strictly while a row moves: no assignment comes twice",
    source="Selim and Ismail (1984)",
    about="step",
    phases=("assign", "fill"),
    proof=(
        "a row moves only to a mean that is nearer; on a tie it stays",
        "J after an update depends on the assignment alone: one that came again would have its J",
        "there are at most k^n assignments, so the run ends",
    ),
)
def falls_while_rows_move(problem: Problem, before: LloydState, after: LloydState) -> Answer:
    """Over the rows that moved alone, where the fall is not lost in the rounding of a sum over all rows."""
    moved = before.labels != after.labels
    if not assigned(before) or not moved.any():
        return None
    now, was = distances(problem, after)[moved].sum(), distances(problem, before)[moved].sum()
    return Sides(("Σ‖x-μ‖² of those", now), ("before", was), relation="<")


@theorem(
    "no row is nearer to another mean; an empty cluster takes the farthest",
    source="Lloyd (1957); Bradley and Fayyad (1998)",
    about="step",
    phases=("assign", "fill"),
    proof=(
        "assign: that is the rule, z = argmin_j ‖x - μ_j‖²",
        "fill: the farthest row that is not alone, for none lowers J more by having the mean on it",
    ),
)
def right_choice(problem: Problem, before: LloydState, after: LloydState) -> Answer:
    if after.phase == "fill":
        return farthest_row(problem, before, after)
    tie = rows_of(problem).tie(after.means)  # a row stays that is nearer to another by less
    own, least = distances(problem, after), least_distances(problem, after)
    return Sides.each(("‖x-μ_z‖²", own), ("min_j ‖x-μ_j‖²", least), size=0.0, slack=2 * tie, axes=("row",))


@theorem(
    "total = within + between, after an update",
    source="Huygens (1673)",
    about="step",
    phases=("update",),
    proof=(
        "‖x - c‖² = ‖x - μ‖² + 2 (x - μ)·(μ - c) + ‖μ - c‖²",
        "over the rows of a cluster Σ(x - μ) = 0, so the middle term goes",
    ),
)
def within_and_between(problem: Problem, before: LloydState | None, after: LloydState) -> Answer:
    """Σ‖x - c‖² against J + Σ n_j ‖μ_j - c‖², with c the mean of all rows."""
    rows, whole = rows_of(problem), problem.data.once(total)
    away = after.means - rows.centre
    between = float(after.counts @ np.einsum("ij,ij->i", away, away))
    # far from the origin a mean is rounded to so much that Σ 2(x-μ)·(μ-c) is not 0
    parts = objective(problem, after) + between
    return Sides(("total", whole), ("J + between", parts), relation="==", size=whole, slack=rows.rounding)


@theorem(
    "it ends where neither phase lowers J: J = min_z J = min_μ J",
    source="Selim and Ismail (1984)",
    phases=("settled",),
    proof=(
        "no row is nearer to another mean, and each mean is in the middle of its rows",
        MIDDLE,
        "if no row ties, z is the best for all means close by: a local minimum",
    ),
)
def neither_lowers(problem: Problem, before: LloydState | None, after: LloydState) -> Answer:
    X, z, counts = problem.data.X, after.labels, np.bincount(after.labels, minlength=len(after.means))
    sums = clusters.membership(z, len(counts)) @ X
    means = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], after.means)
    away = X - means[z]
    now, by_assigning = objective(problem, after), float(least_distances(problem, after).sum())
    rounding = 2 * problem.data.n * rows_of(problem).tie(after.means)  # as many rows may be nearer by a tie
    return Sides(
        ("min_μ J", float(np.einsum("ij,ij->", away, away))),
        ("J", now),
        ("min_z J", by_assigning),
        relation="==",
        size=now,
        slack=rounding + lost(problem),
    )


THEOREMS = (never_rises, falls_while_rows_move, right_choice, within_and_between, neither_lowers)

ALGORITHM = Algorithm(
    lloyd,
    title="k-means, Lloyd's algorithm",
    point="Rows go to the nearest mean, means to the middle of their rows, until nothing moves.",
    leaves_open="No theorem says that this minimum is the least.",
    tries=(("start elsewhere", "-p seed=1"), ("two clusters", "-p k=2")),
    also=("kmeans", "Lloyd's algorithm"),
    asks=(
        Ask.row("Which row leaves its cluster?", "labels changes", "update"),
        Ask.number("What will J be?", "objective"),
    ),
    summary="Sends each row to the nearest of k means and each mean to the middle of its rows, until no row moves.",
    rule="z_i <- argmin_j ‖x_i - μ_j‖²\nμ_j <- mean of the x_i with z_i = j",
    needs=Needs(target="none", within=(1e-100, 1e100)),  # beyond, squared distances overflow or vanish
    phases={
        "start": "the first k means",
        "assign": "each row to the nearest mean; on a tie it stays",
        "fill": "an empty cluster takes the farthest row",
        "update": "each mean to the middle of its rows",
        "settled": "neither phase lowers J",
    },
    events=(Event("a row moved", a_row_moved), Event("a cluster was empty", an_empty_cluster)),
    fork_after=("start", "update"),
    start_only=("k", "start", "seed"),
    curves=(
        Curve("objective", objective, "J = Σ‖x - μ‖²"),
        Curve("rows moved", lambda _, state: state.moved, "rows that changed cluster", phases=("assign",)),
    ),
    objective={("objective",): ("k",)},
    theorems=THEOREMS,
    ends={
        "no row moved": no_row_moves,
        "… sweep…, and rows may still move": reached("sweeps", "iteration", "start", "update"),
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={"start": of_start, "assign": of_assignment, "fill": of_filling, "update": of_update, "settled": of_end},
    adapt=adapt,
    validate=validate,
    datasets=(
        faithful.with_(scale=True),
        iris,
        blobs.with_(n=300, k=4, spread=1.3),
        digits,
        penguins.with_(scale=True),
    ),
)
