"""k-means by Lloyd's algorithm: rows go to the nearest mean, means go to the middle of their rows.

    assign   z_i <- argmin_j ‖x_i - μ_j‖²      on a tie a row stays where it is
    fill     an empty cluster takes the row that is farthest from its own mean
    update   μ_j <- mean of the x_i with z_i = j

The objective is J(z, μ) = Σ_i ‖x_i - μ_{z_i}‖². No phase raises it: a row moves only to a nearer mean; a row that
an empty cluster takes is its mean, so its distance falls to 0; and the mean of some rows is the place with the
least sum of squared distances to them. While a row moves J falls strictly, so no assignment comes twice; there are
finitely many, and the run ends, in a minimum that need not be the least one. Each cluster is then the part of
the data in one Voronoi cell of the means.

A tie is a difference in ‖x - μ‖² that rounding can make (1e-13 of the largest squared distance from the mean of
the data): a row that is nearer by less stays, so the strict fall holds in floating point too, and at the first
assignment it goes to the first of the means that tie.

The cluster of a row that is taken keeps at least one other, and a row on its mean is not taken: with fewer
different rows than clusters one may stay empty, and then its mean stays where it is.

The first means are k rows at random, or drawn by k-means++ (each in proportion to its squared distance from those
before it; the greedy variant takes the best of 2 + ln k draws), or those of a random assignment.

References: Lloyd (1982), IEEE Transactions on Information Theory 28(2), written in 1957; MacQueen (1967), Berkeley
Symposium 5; Arthur and Vassilvitskii (2007), SODA (k-means++); Selim and Ismail (1984), IEEE PAMI 6(1)
(convergence).
"""

from typing import Annotated, Any

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Array,
    Curve,
    Dataset,
    DragHandles,
    Event,
    Labels,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Theorem,
    Trail,
)
from algorithms.data import blobs, digits, faithful, iris, penguins
from algorithms.families.clustering.lloyd import pictures
from algorithms.families.clustering.lloyd.moves import Measured, measured, moves
from algorithms.families.clustering.lloyd.pictures import figure, name, who
from algorithms.families.clustering.lloyd.starts import DRAWN, Start, first_rows
from algorithms.toolbox import clusters
from algorithms.toolbox.distances import squared_distances
from algorithms.toolbox.sizes import out_of_range

FEW = 1000  # rows, which are summed as fast as some of them
_LARGEST = 1e100  # beyond it and below its inverse, squared distances would overflow or vanish


class LloydState(State, frozen=True, kw_only=True):
    means: Array  # (k, d)
    labels: Array  # (n,) int8, the cluster of each row; -1 before the first assignment
    sums: Array  # (k, d) sums of each cluster's rows
    counts: Array  # (k,) rows of each cluster
    moved: int = 0  # rows that changed cluster in the last assign or fill


def lloyd(
    data: Dataset,
    state: LloydState | None = None,
    *,
    k: Annotated[int, Meta(ge=1, le=100, description="clusters")] = 3,
    start: Annotated[
        Start,
        Meta(description="the first means: by k-means++, by its greedy variant, rows at random, a random assignment"),
    ] = "k-means++",
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1, description="of the start")] = 0,
    sweeps: Annotated[int, Meta(ge=1, le=10_000, description="sweeps before giving up")] = 300,
) -> Run[LloydState]:
    rows = measured(data)
    if state is None:
        state = first_state(data, k, start, seed)
        yield state
    while True:
        if state.phase in ("start", "update"):
            if state.iteration >= sweeps:
                return f"{sweeps:,} sweeps, and rows may still move"
            moved, to = moves(rows, state.means, state.labels)
            state = state.after("assign", iteration=state.iteration + 1, **relabelled(rows, state, moved, to))
            yield state
        if state.phase == "assign":
            if state.moved == 0 and np.array_equal(middles(state), state.means):
                return "no row moved"
            taken, to = for_empty_clusters(rows, state)
            if len(taken):
                means = state.means.copy()
                means[to] = data.X[taken]
                state = state.after("fill", means=means, **relabelled(rows, state, taken, to))
                yield state
        state = state.after("update", means=middles(state))
        yield state


def relabelled(rows: Measured, state: LloydState, moved: Array, to: Array) -> dict[str, Any]:
    """What changes when the `moved` rows go to the clusters `to`: the sums lose and gain those rows alone.

    With few rows, or when most of them move, it is as well to sum all.
    """
    if len(moved) == 0:
        return {"moved": 0}
    k, labels = len(state.means), state.labels.copy()
    labels[moved] = to
    if 4 * len(moved) + FEW > len(labels):
        sums = clusters.membership(labels, k) @ rows.x
    else:
        change = clusters.membership(to, k) - clusters.membership(state.labels[moved], k)
        sums = state.sums + change @ rows.x[moved]
    return {"labels": labels, "sums": sums, "counts": clusters.sizes(labels, k), "moved": len(moved)}


def middles(state: LloydState) -> Array:
    """(k, d) the mean of each cluster's rows; an empty cluster's mean stays."""
    if not has_empty(state):
        return np.asarray(state.sums / state.counts[:, None])
    return np.where(state.counts[:, None] > 0, state.sums / np.maximum(state.counts, 1)[:, None], state.means)


def has_empty(state: LloydState) -> bool:
    return bool(np.count_nonzero(state.counts) < len(state.counts))


def for_empty_clusters(rows: Measured, state: LloydState) -> tuple[Array, Array]:
    """The rows that the empty clusters take, and which of them takes each."""
    if not has_empty(state):
        return np.empty(0, np.intp), np.empty(0, np.int8)
    away = rows.x - state.means[state.labels]
    far = np.einsum("ij,ij->i", away, away)
    labels = clusters.fill_empty(far, state.labels, len(state.means), least=rows.tie)
    taken = np.flatnonzero(labels != state.labels)
    return taken, labels[taken]


def first_state(data: Dataset, k: int, start: Start, seed: int) -> LloydState:
    if start != "assignment":
        return begin(data, data.X[first_rows(data, k, start, seed)])
    rows, labels = measured(data), clusters.random_labels(data.n, k, np.random.default_rng((seed, 0)))
    nobody = begin(data, np.tile(rows.centre, (k, 1)))
    state = replace(nobody, **relabelled(rows, nobody, np.arange(data.n), labels))
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
    if state.labels[0] == clusters.NO_CLUSTER:
        return state.replaced(labels=np.full(data.n, clusters.NO_CLUSTER))
    labels = np.where(rows >= 0, state.labels[rows], clusters.nearest(data.X, state.means))
    sums = clusters.membership(labels, k) @ measured(data).x
    return state.replaced(labels=labels, sums=sums, counts=clusters.sizes(labels, k))


def distances(problem: Problem, state: LloydState) -> Array:
    """(n,) squared distance of each row to the mean of its cluster; NaN before the first assignment."""
    if state.labels[0] == clusters.NO_CLUSTER:
        return np.full(problem.data.n, np.nan)
    away = problem.data.X - state.means[state.labels]
    return np.asarray(np.einsum("ij,ij->i", away, away))


def objective(problem: Problem, state: LloydState) -> float:
    """J(z, μ), the sum of squared distances; NaN before the first assignment."""
    return float(problem.of(distances, state).sum())


def total(problem: Problem) -> float:
    """Σ‖x - c‖², the objective of one cluster, whose mean c is that of all rows."""
    x = problem.data.X - measured(problem.data).centre
    return float(np.einsum("ij,ij->", x, x))


def never_rises(problem: Problem, before: LloydState, after: LloydState) -> Sides | None:
    if before.labels[0] == clusters.NO_CLUSTER:
        return None
    rounding = problem.data.n * measured(problem.data).lost ** 2  # a mean is only as good as its last digits
    return Sides(("J", objective(problem, after)), ("J before", objective(problem, before)), slack=rounding)


def falls_while_rows_move(problem: Problem, before: LloydState, after: LloydState) -> Sides | None:
    """Over the rows that moved alone, where the fall is not lost in the rounding of a sum over all rows."""
    if before.labels[0] == clusters.NO_CLUSTER or after.phase == "update":
        return None
    moved = before.labels != after.labels
    if not moved.any():
        return None
    now, was = problem.of(distances, after)[moved].sum(), problem.of(distances, before)[moved].sum()
    return Sides(("Σ‖x-μ‖² of those", now), ("before", was), relation="<")


def within_and_between(problem: Problem, before: LloydState, after: LloydState) -> Sides | None:
    """Σ‖x - c‖² against J + Σ n_j ‖μ_j - c‖², with c the mean of all rows."""
    if after.phase != "update":
        return None
    rows = measured(problem.data)
    away = after.means - rows.centre
    between = float(after.counts @ np.einsum("ij,ij->i", away, away))
    whole, parts = problem.once(total), objective(problem, after) + between
    rounding = problem.data.n * (rows.tie + rows.lost**2)
    return Sides(("total", whole), ("J + between", parts), relation="==", slack=rounding)


def a_row_moved(before: LloydState | None, after: LloydState) -> bool:
    return after.phase == "assign" and after.moved > 0


def an_empty_cluster(before: LloydState | None, after: LloydState) -> bool:
    return after.phase == "assign" and has_empty(after)


def validate(problem: Problem) -> str | None:
    data, k = problem.data, problem.parameters.k
    if k > data.n:
        return f"{k} clusters need {k} rows or more; {data.name} has {data.n}."
    return out_of_range(data, _LARGEST, held_out=False)


def changed_rows(before: LloydState | None, after: LloydState) -> Array:
    """(n,) bool: the rows that this step took from one cluster to another."""
    if before is None or before.labels[0] == clusters.NO_CLUSTER:
        return np.zeros(len(after.labels), bool)
    return np.asarray(before.labels != after.labels)


def scene(problem: Problem, before: LloydState | None, after: LloydState) -> Scene:
    data, k = problem.data, len(after.means)
    changed = changed_rows(before, after)
    assigned = after.labels[0] != clusters.NO_CLUSTER
    tones = tuple(range(k))
    rows = Points(at=data.X, classes=after.labels if assigned else None, tone="muted", ringed=changed)
    marks = (
        *pictures.voronoi(data, after.means, depth=problem.once(total) / data.n),
        rows,
        Trail(where=lambda state: state.means, tones=tones),
        Labels(at=after.means, texts=tuple(map(name, tones)), tones=tones),
        DragHandles(at=after.means, moved=clusters.moved_mean, names=tuple(f"mean {name(j)}" for j in tones)),
    )
    touched = np.zeros(k, bool)
    if before is not None and changed.any():
        touched[after.labels[changed]] = touched[before.labels[changed]] = True
    return Scene(
        (
            Panel(title="rows in the cells of the means", space="data", marks=marks),
            *pictures.pictures(data, after.means),
            pictures.table(data, after.means, after.labels, problem.of(distances, after), touched),
        )
    )


def explain(problem: Problem, before: LloydState | None, after: LloydState) -> str:
    match after.phase:
        case "start":
            return of_start(problem, after)
        case "assign":
            return of_assignment(problem, before, after)
        case "fill":
            return of_filling(problem, before, after)
    return of_update(problem, before, after)


def of_start(problem: Problem, after: LloydState) -> str:
    data, start, k = problem.data, problem.parameters.start, len(after.means)
    if after.labels[0] != clusters.NO_CLUSTER:
        return f"The {data.n} rows are dealt at random to clusters of equal size, so the means start close together."
    rows = first_rows(data, k, start, problem.parameters.seed)
    if not np.array_equal(data.X[rows], after.means):
        return "The run starts from these means; no row is in a cluster yet."
    which = ", ".join(map(str, rows[:8].tolist())) + (", ..." if k > 8 else "")
    return f"The means start on row{'s' * (k > 1)} {which}, {DRAWN[start]}."


def of_assignment(problem: Problem, before: LloydState | None, after: LloydState) -> str:
    data, k = problem.data, len(after.means)
    empty = [name(j) for j in np.flatnonzero(after.counts == 0).tolist()]
    left = f" Cluster {', '.join(empty)} has no rows." if empty else ""
    if after.moved == 0:
        ties = "No row is nearer to another mean than to its own, so none moves"
        return f"{ties}: J = {figure(objective(problem, after))}.{left}"
    changed = np.flatnonzero(changed_rows(before, after))
    if before is None or len(changed) == 0:
        sizes = ", ".join(f"{c} in {name(j)}" for j, c in enumerate(after.counts[:8].tolist()))
        return f"Every row joins the nearest of the {k} means: {sizes}{', ...' if k > 8 else ''}.{left}"
    away = np.sqrt(squared_distances(data.X[changed], after.means))
    place = np.arange(len(changed))
    new, old = after.labels[changed], before.labels[changed]
    most = int((away[place, old] - away[place, new]).argmax())  # the row that gains most
    row, joins, leaves = int(changed[most]), int(new[most]), int(old[most])
    return (
        f"{after.moved} of {data.n} rows change{'s' * (after.moved == 1)} cluster. Row {row} ({who(data, row)}) joins "
        f"{name(joins)}: {away[most, joins]:.3g} from its mean, {away[most, leaves]:.3g} from {name(leaves)}'s.{left}"
    )


def of_filling(problem: Problem, before: LloydState | None, after: LloydState) -> str:
    taken = np.flatnonzero(changed_rows(before, after))
    if before is None or len(taken) == 0:
        return "An empty cluster has taken the row that was farthest from its mean."
    row = int(taken[problem.of(distances, before)[taken].argmax()])
    far = float(np.sqrt(problem.of(distances, before)[row]))
    cluster, old = name(int(after.labels[row])), name(int(before.labels[row]))
    return (
        f"Cluster {cluster} had no rows. It takes row {row} ({who(problem.data, row)}), {far:.3g} from the mean "
        f"of {old} and farther than any other, and its mean goes there."
    )


def of_update(problem: Problem, before: LloydState | None, after: LloydState) -> str:
    now = objective(problem, after)
    if before is None and np.array_equal(middles(after), after.means):
        return f"Each mean is in the middle of its rows: J = {figure(now)}."
    if before is None:
        return f"With this change not every mean is in the middle of its rows: J = {figure(now)}."
    went = np.linalg.norm(after.means - before.means, axis=1)
    far = int(went.argmax())
    fall = objective(problem, before) - now
    return (
        f"Each mean goes to the middle of its rows; {name(far)} goes farthest, by {went[far]:.3g}. "
        f"J falls by {figure(max(fall, 0.0))} to {figure(now)}."
    )


ALGORITHM = Algorithm(
    lloyd,
    title="k-means, Lloyd's algorithm",
    summary="Sends each row to the nearest of k means and each mean to the middle of its rows, until no row moves.",
    rule="z_i <- argmin_j ‖x_i - μ_j‖²\nμ_j <- mean of the x_i with z_i = j",
    needs=Needs(target="none"),
    phases={
        "start": "the first k means",
        "assign": "each row to the nearest mean; on a tie it stays",
        "fill": "an empty cluster takes the farthest row",
        "update": "each mean to the middle of its rows",
    },
    events=(Event("a row moved", a_row_moved), Event("a cluster was empty", an_empty_cluster)),
    fork_after=("start", "update"),
    start_only=("k", "start", "seed"),
    curves=(
        Curve("objective", objective, "J = Σ‖x - μ‖²"),
        Curve("rows moved", lambda problem, state: state.moved, "rows that changed cluster", phases=("assign",)),
    ),
    theorems=(
        Theorem("the objective never rises", never_rises, source="Lloyd (1957)", about="step"),
        Theorem(
            "it falls strictly while a row moves, so no assignment comes twice",
            falls_while_rows_move,
            source="Selim and Ismail (1984)",
            about="step",
        ),
        Theorem(
            "total = within + between, after an update",
            within_and_between,
            source="Huygens (1673)",
            about="step",
        ),
    ),
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        faithful.with_(scale=True),
        iris,
        blobs.with_(n=300, k=4, spread=1.3),
        digits,
        penguins.with_(scale=True),
    ),
    references=(
        "Lloyd (1982), Least squares quantization in PCM, IEEE Trans. Information Theory 28(2)",
        "Selim and Ismail (1984), K-means-type algorithms, IEEE PAMI 6(1)",
        "Arthur and Vassilvitskii (2007), k-means++: the advantages of careful seeding, SODA",
    ),
)
