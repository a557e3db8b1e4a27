"""Kernel k-means: Lloyd's algorithm on features φ(x) that are never written down; the means stay among the features.

    m_j = 1/n_j Σ φ(x_i) over the rows of cluster j
    assign   z_i <- argmin_j ‖φ(x_i) - m_j‖²       on a tie a row stays where it is
             ‖φ(x_i) - m_j‖² = K_ii - 2/n_j Σ_l K_il + 1/n_j² Σ_lm K_lm      l, m: the rows of j;  K_il = k(x_i, x_l)
    update   m_j <- the mean of φ over its rows: a weight 1/n_j for each of them

A mean is kept as the weights of the rows in it, so nothing but the Gram matrix K is needed. K may be centred, for the
weights sum to one and no distance changes. With x·z it is Lloyd's algorithm; where φ can be written down it is Lloyd's
algorithm on φ(x). So J = Σ‖φ(x_i) - m_{z_i}‖² never rises, no assignment comes twice, and it ends where neither phase
lowers J: not always in the least J there is. An empty cluster's mean stays where it is.

Among the rows a cell need not be convex. Whether rings are parted is for the kernel to say: with radii .5 and 2 and
k = exp(-‖x - z‖²) the rings themselves have the least J; with radii 1 and 2 a cut across both has a lower one.

The first means are rows drawn by k-means++ with the distances above, or k rows at random, or those of a random
assignment.

References: Schölkopf, Smola and Müller (1998), Nonlinear component analysis as a kernel eigenvalue problem, Neural
Computation 10, appendix (k-means); Girolami (2002), Mercer kernel-based clustering in feature space, IEEE Trans. Neural
Networks 13; Zha, He, Ding, Simon and Gu (2001), Spectral relaxation for k-means clustering, NIPS; Selim and Ismail
(1984), K-means-type algorithms, IEEE PAMI 6(1); Huygens (1673), Horologium Oscillatorium (moments).
"""

from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
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
    Points,
    Problem,
    Region,
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
from algorithms.core.text import counted
from algorithms.data import faithful, iris, rings
from algorithms.families.clustering.shared.feature_means import (
    FeatureRows,
    equal_weights,
    feature_rows,
    means_of_rows,
    plus_plus,
)
from algorithms.families.clustering.shared.partition_pictures import (
    feature_plane,
    gram_by_cluster,
    newly,
    of_classes,
    outside,
)
from algorithms.families.clustering.shared.partition_words import assignment, dealt, fallen, figure
from algorithms.toolbox import clusters
from algorithms.toolbox.distances import squared_distances
from algorithms.toolbox.ends import reached
from algorithms.toolbox.explicit_features import explicit_features, unwritten
from algorithms.toolbox.gram_iteration import MOST_ROWS
from algorithms.toolbox.kernels import (
    OF_KERNELS,
    Constant,
    Degree,
    Gamma,
    KernelChoice,
    kernel_in_use,
    kernel_of,
    kernel_setting,
    unusable,
)
from algorithms.toolbox.panels.clusters import cluster_names
from algorithms.toolbox.panels.row_words import says_distances

Start = Literal["k-means++", "rows", "assignment"]


class KernelKMeansState(State, frozen=True, kw_only=True):
    weights: Annotated[Array, Along("", "n")]  # (k, n) of each row's φ in each mean; they sum to one
    labels: Annotated[Array, Along("n")]  # (n,) int8, the cluster of each row; -1 before the first assignment
    moved: int = 0  # rows that changed cluster in the last assignment


def kernel_k_means(
    data: Dataset,
    state: KernelKMeansState | None = None,
    *,
    kernel: KernelChoice = "rbf",
    gamma: Gamma = 1.0,
    degree: Degree = 2,
    constant: Constant = 0.0,
    k: Annotated[int, Meta(ge=1, le=20, description="clusters")] = 2,
    start: Annotated[Start, Meta(description="the first means: by k-means++, rows at random, a random assignment")] = (
        "k-means++"
    ),
    seed: Annotated[Seed, Meta(description="of the start")] = 2,
    sweeps: Annotated[int, Meta(ge=1, le=10_000, description="assignments before giving up")] = 300,
) -> Run[KernelKMeansState]:
    rows = data.once(feature_rows, data.once(kernel_of, kernel, gamma, degree, constant))
    if state is None:
        state = first_state(rows, k, start, seed)
        yield state
    while state.phase != "settled":
        if state.phase != "assign":
            if state.iteration >= sweeps:
                return f"{counted(sweeps, 'assignment')}, and rows may still move"
            labels = rows.nearer(state.weights, state.labels)
            moved = int(np.count_nonzero(labels != state.labels))
            state = state.after("assign", iteration=state.iteration + 1, labels=labels, moved=moved)
            yield state
        weights = equal_weights(state.labels, k, state.weights)
        if state.moved == 0 and np.array_equal(weights, state.weights):
            state = state.after("settled")
            yield state
            break
        state = state.after("update", weights=weights)
        yield state
    return "no row moved"


def first_state(rows: FeatureRows, k: int, start: Start, seed: int) -> KernelKMeansState:
    n, rng = len(rows.K), np.random.default_rng((seed, 0))
    if start == "assignment":
        labels = clusters.random_labels(n, k, rng)
        return KernelKMeansState(weights=equal_weights(labels, k, np.zeros((k, n))), labels=labels)
    chosen = plus_plus(rows, k, rng) if start == "k-means++" else clusters.random_rows(n, k, rng)
    return begin(n, chosen)


def begin(n: int, chosen: Array) -> KernelKMeansState:
    """The state from which a run starts at the φ of these (k,) rows of n."""
    return KernelKMeansState(weights=np.eye(n)[chosen], labels=np.full(n, clusters.NO_CLUSTER, np.int8))


def assigned(state: KernelKMeansState) -> bool:
    return bool(state.labels[0] != clusters.NO_CLUSTER)


def adapt(before: Problem, after: Problem, state: KernelKMeansState, rows: Array) -> KernelKMeansState | FromStart:
    """Rows stay in their clusters, and a new one joins the nearest mean; means are those of the rows there are."""
    if after.data is before.data:
        return state
    kept_weights = np.where(rows >= 0, state.weights[:, rows], 0.0)
    if not assigned(state):
        if not np.array_equal(kept_weights.sum(axis=1), np.ones(len(kept_weights))):
            return FromStart("a row that a mean begins on is gone")
        return state.replaced(weights=kept_weights, labels=np.full(after.data.n, clusters.NO_CLUSTER))
    nearest = rows_of(before).closeness(after.data.X, state.weights).argmax(axis=1)
    labels = np.where(rows >= 0, state.labels[rows], nearest).astype(np.int8)
    empty = np.bincount(labels, minlength=len(state.weights)) == 0
    if empty.any() and len(labels) != len(state.labels):
        return FromStart("a cluster has lost its last row, or its mean those that it was made of")
    return state.replaced(weights=equal_weights(labels, len(state.weights), kept_weights), labels=labels)


def rows_of(problem: Problem) -> FeatureRows:
    return problem.data.once(feature_rows, kernel_in_use(problem))


@kept
def all_distances(problem: Problem, state: KernelKMeansState) -> Array:
    """(k, n) ‖φ(x) - m‖² of each row to each mean."""
    return rows_of(problem).squared_distances(state.weights)


@kept
def distances(problem: Problem, state: KernelKMeansState) -> Array:
    """(n,) ‖φ(x) - m‖² of each row to the mean of its cluster; NaN before the first assignment."""
    if not assigned(state):
        return np.full(problem.data.n, np.nan)
    return np.asarray(all_distances(problem, state)[state.labels, np.arange(problem.data.n)])


def objective(problem: Problem, state: KernelKMeansState) -> float:
    """J = Σ‖φ(x) - m_z‖²; NaN before the first assignment."""
    return float(distances(problem, state).sum())


def least_possible(problem: Problem, state: KernelKMeansState) -> float:
    return rows_of(problem).least_possible(len(state.weights))


@once
def of_the_classes(problem: Problem) -> float | None:
    """J of the classes as clusters; None where there are none, or more or fewer than k."""
    data, k = problem.data, problem.parameters.k
    if data.kind != "class" or data.y is None or len(data.classes) != k:
        return None
    weights = equal_weights(np.asarray(data.y, np.int8), k, np.zeros((k, data.n)))
    return float(rows_of(problem).squared_distances(weights)[data.y, np.arange(data.n)].sum())


def outside_share(problem: Problem, state: KernelKMeansState) -> float:
    """The share of rows that are not of the class most frequent in their cluster; NaN without classes."""
    return outside(problem.data, state.labels, len(state.weights)) / problem.data.n


def room(problem: Problem) -> float:
    """The largest number that is added on the way to J."""
    return 10 * problem.data.n * rows_of(problem).size


def written_down(problem: Problem, state: KernelKMeansState) -> bool | str:
    return unwritten(kernel_in_use(problem), problem.data.n, problem.data.d) or True


@once
def features_off_their_mean(problem: Problem) -> Array | None:
    """(n, D) φ(x) less their mean: far from the origin distances would lose digits; None where not written down."""
    features = problem.data.once(explicit_features, kernel_in_use(problem))
    return None if features is None else np.asarray(features - features.mean(axis=0))


def at_rest(problem: Problem, state: KernelKMeansState) -> bool:
    """Another assignment would move no row, and another update no mean."""
    again = rows_of(problem).nearer(state.weights, state.labels)
    weights = equal_weights(state.labels, len(state.weights), state.weights)
    return state.phase == "settled" and np.array_equal(again, state.labels) and np.array_equal(weights, state.weights)


def validate(problem: Problem) -> str | None:
    data = problem.data
    return clusters.too_few_rows(data, problem.parameters.k) or unusable(kernel_in_use(problem), data)


def scene(problem: Problem, before: KernelKMeansState | None, after: KernelKMeansState) -> Scene:
    data, rows, changed = problem.data, rows_of(problem), newly(before, after)
    labels = after.labels if assigned(after) else None
    said = None if labels is None else says_distances(lambda row: all_distances(problem, after)[:, row], labels)
    tint = Region(score=lambda places: rows.closeness(places, after.weights), check=data.X, name="as near to two means")
    names = () if labels is None else cluster_names(len(after.weights))
    points = Points(at=data.X, classes=labels, tone="muted", ringed=changed, says=said, names=names)
    marks = (tint, points) if len(after.weights) > 1 else (points,)
    cells = Panel(title="rows in the cells of the means", space="data", marks=marks)
    table = of_classes(data, after.labels, len(after.weights), distances(problem, after))
    plane, gram = feature_plane(rows, after, labels, changed, said), gram_by_cluster(rows.K, after.labels)
    return Scene((cells, plane, table, figures(problem, after), gram))


def figures(problem: Problem, state: KernelKMeansState) -> Panel:
    kernel = kernel_in_use(problem)
    facts = {
        "J": objective(problem, state),
        "no clustering is below": least_possible(problem, state),
        "J of the classes": of_the_classes(problem),
        "γ": kernel.gamma if kernel.name != "linear" else None,
        "outside their class": outside(problem.data, state.labels, len(state.weights)),
    }
    return numbers({name: value for name, value in facts.items() if value is not None})


def of_start(problem: Problem, before: KernelKMeansState | None, after: KernelKMeansState) -> str:
    if assigned(after):
        return dealt(problem.data.n)
    rows = after.weights.argmax(axis=1).tolist()
    which = ", ".join(map(str, rows[:8])) + (", ..." if len(rows) > 8 else "")
    return f"The means start on φ of row{'s' * (len(rows) > 1)} {which}; no row is in a cluster yet."


def of_assignment(problem: Problem, before: KernelKMeansState | None, after: KernelKMeansState) -> str:
    was, away = None if before is None else before.labels, all_distances(problem, after).T
    now = objective(problem, after)
    return assignment(problem.data, was, after.labels, after.moved, now, lambda rows: away[rows], "its φ is ")


def of_update(problem: Problem, before: KernelKMeansState | None, after: KernelKMeansState) -> str:
    now = objective(problem, after)
    if before is None:
        return f"Each mean is a weighted sum of the φ of its rows: J = {figure(now)}."
    weights = ", ".join(f"1/{c}" for c in np.bincount(after.labels, minlength=len(after.weights))[:8].tolist() if c)
    return f"The rows of a mean weigh alike: {weights} each. {fallen(objective(problem, before), now)}"


def of_end(problem: Problem, before: KernelKMeansState | None, after: KernelKMeansState) -> str:
    now, classes = objective(problem, after), of_the_classes(problem)
    least, rounding = figure(least_possible(problem, after)), 1e-12 * room(problem)
    if classes is None:
        beside = ""
    elif abs(classes - now) <= rounding:
        beside = "The classes as clusters have the same J."
    elif classes < now:
        beside = f"The classes have {figure(classes)}, which is less: another start may find them."
    else:
        beside = f"The classes have {figure(classes)}, which is more: to this kernel they are not the clusters."
    ended = f"Neither phase lowers J = {figure(now)} any more; no clustering is below {least}."
    return Words.of("", ended, beside)


SYMBOLS = {
    "φ": ("features with k(a, b) = φ(a)·φ(b), less their mean", None),
    "K": ("the Gram matrix k(x_i, x_l), centred", None),
    "z": ("the cluster of each row", None),
    "m, m_j": ("the mean of φ over the rows of a cluster, kept as their weights", None),
    "n_j": ("rows in cluster j", None),
    "J": ("Σ‖φ(x) - m_z‖²", lambda problem, state: objective(problem, state) if assigned(state) else None),
    "between": ("Σ n_j ‖m_j‖²", None),
    "total": ("Σ‖φ(x)‖², the trace of K", lambda problem, state: rows_of(problem).total),
    "λ": ("an eigenvalue of K/n; Σλ the sum of the k - 1 greatest", None),
    "x": ("a row", None),
    "k": ("clusters", lambda problem, state: len(state.weights)),
}
MIDDLE = "Σ‖φ - m‖² over some rows is least at the mean of their φ"


@theorem(
    "the objective J never rises",
    source="Girolami (2002)",
    about="step",
    proof=("assign: ‖φ(x) - m_z‖² <= ‖φ(x) - m‖² of the mean it had", MIDDLE),
)
def never_rises(problem: Problem, before: KernelKMeansState, after: KernelKMeansState) -> Answer:
    if not assigned(before):
        return None
    return Sides(("J", objective(problem, after)), ("J before", objective(problem, before)), size=room(problem))


@theorem(
    "J falls strictly while a row moves: no assignment comes twice",
    source="Selim and Ismail (1984)",
    about="step",
    phases=("assign",),
    proof=(
        "a row moves only to a mean that is nearer; on a tie it stays",
        "J after an update depends on the assignment alone: one that came again would have its J",
        "there are at most kⁿ assignments, so the run ends",
    ),
)
def falls_while_rows_move(problem: Problem, before: KernelKMeansState, after: KernelKMeansState) -> Answer:
    moved = before.labels != after.labels
    if not assigned(before) or not moved.any():
        return None
    now, was = distances(problem, after)[moved].sum(), distances(problem, before)[moved].sum()
    return Sides(("Σ‖φ-m‖² of those that moved", now), ("before", was), relation="<")


@theorem(
    "no row is nearer to another mean",
    source="Girolami (2002)",
    about="step",
    phases=("assign",),
    proof=("that is the rule: z = argmin_j ‖φ(x) - m_j‖²",),
)
def right_choice(problem: Problem, before: KernelKMeansState, after: KernelKMeansState) -> Answer:
    own, least = distances(problem, after), all_distances(problem, after).min(axis=0)
    sides = ("‖φ(x)-m_z‖²", own), ("min_j ‖φ(x)-m_j‖²", least)
    return Sides.each(*sides, size=0.0, slack=2 * rows_of(problem).tie, axes=("row",))


@theorem(
    "total = within + between, after an update",
    source="Huygens (1673)",
    phases=("update",),
    proof=(
        "‖φ‖² = ‖φ - m‖² + 2 (φ - m)·m + ‖m‖²",
        "over the rows of a cluster Σ(φ - m) = 0, so the middle term goes",
    ),
)
def within_and_between(problem: Problem, before: KernelKMeansState | None, after: KernelKMeansState) -> Answer:
    """The trace of the centred K against J + Σ n_j ‖m_j‖², φ̄ being 0."""
    rows, counts = rows_of(problem), np.bincount(after.labels, minlength=len(after.weights))
    between = float(counts @ np.vecdot(after.weights @ rows.K, after.weights))
    parts = objective(problem, after) + between
    return Sides(("total", rows.total), ("J + between", parts), relation="==", size=room(problem))


@theorem(
    "with φ written down it is Lloyd's step on φ(x)",
    source="Schölkopf, Smola and Müller (1998)",
    phases=("update",),
    hypotheses={"φ can be written down": written_down},
    proof=(
        "m_j = 1/n_j Σ φ(x_l), so φ(x)·m_j = 1/n_j Σ K_l and ‖m_j‖² = 1/n_j² Σ K_lm",
        "equal distances send each row to the same mean; with x·z, φ(x) = x: Lloyd's own",
    ),
)
def same_as_lloyd(problem: Problem, before: KernelKMeansState | None, after: KernelKMeansState) -> Answer:
    """To means of φ(x) over each cluster's rows, with φ written down."""
    features = features_off_their_mean(problem)
    if features is None:
        return None
    theirs = squared_distances(features, means_of_rows(features, after.labels, after.weights)).T
    sides = ("‖φ(x)-m‖² by K", all_distances(problem, after)), ("by Lloyd on φ(x)", theirs)
    return Sides.each(*sides, relation="==", size=10 * rows_of(problem).size, axes=("cluster", "row"))


@theorem(
    "no clustering into k has J below total - n Σλ",
    source="Zha, He, Ding, Simon and Gu (2001)",
    proof=(
        "for every cluster j let u_j be 1/√n_j on its rows, else 0: k orthonormal vectors",
        "J = total - Σ u_j·Ku_j, as ‖m_j‖² = 1/n_j² Σ K_lm = u_j·Ku_j/n_j over the rows l, m of j",
        "1/√n is a combination of them, and K1 = 0: the others are k - 1 orthonormal vectors",
        "k - 1 of those capture no more than the k - 1 greatest eigenvalues, n Σλ (Fan, 1949)",
    ),
)
def no_lower(problem: Problem, before: KernelKMeansState | None, after: KernelKMeansState) -> Answer:
    sides = ("total - n Σλ", least_possible(problem, after)), ("J", objective(problem, after))
    return Sides(*sides, size=room(problem)) if assigned(after) else None


@theorem(
    "it ends where neither phase lowers J: J = min_z J = min_m J",
    source="Selim and Ismail (1984)",
    phases=("settled",),
    proof=("no row is nearer to another mean, and each mean is that of its rows", MIDDLE),
)
def neither_lowers(problem: Problem, before: KernelKMeansState | None, after: KernelKMeansState) -> Answer:
    rows, n = rows_of(problem), problem.data.n
    middles = equal_weights(after.labels, len(after.weights), after.weights)
    by_means = float(rows.squared_distances(middles)[after.labels, np.arange(n)].sum())
    by_rows = float(all_distances(problem, after).min(axis=0).sum())
    sides = ("min_m J", by_means), ("J", objective(problem, after)), ("min_z J", by_rows)
    return Sides(*sides, relation="==", size=room(problem), slack=2 * n * rows.tie)


THEOREMS = (
    never_rises,
    falls_while_rows_move,
    right_choice,
    within_and_between,
    same_as_lloyd,
    no_lower,
    neither_lowers,
)


def setting(problem: Problem) -> dict[str, object]:
    """What the objective depends on; with the linear kernel it is that of k-means."""
    kernel = kernel_setting(problem)
    return {"k": problem.parameters.k} | ({} if kernel["kernel"] == "linear" else kernel)


ALGORITHM = Algorithm(
    kernel_k_means,
    title="Kernel k-means",
    point="Means that lie among unseen features: cells bend, and a ring can be a cluster.",
    after=("lloyd",),
    leaves_open="No theorem says that this minimum is the least.",
    tries=(("straight cells", "-p kernel=linear"), ("another start", "-p seed=0")),
    asks=(
        Ask.row("Which row leaves its cluster?", "labels changes", "update"),
        Ask.number("What will J be?", "objective", 0.02),
    ),
    summary="Lloyd's algorithm among features that are never written down: means are weights of rows, cells may bend.",
    rule="z_i <- argmin_j ‖φ(x_i) - m_j‖²\nm_j <- 1/n_j Σ φ(x_l) over its rows\n"
    "‖φ(x_i) - m_j‖² = K_ii - 2/n_j Σ K_il + 1/n_j² Σ K_lm",
    needs=Needs(target="none", most_rows=MOST_ROWS),
    phases={
        "start": "the first k means among the features",
        "assign": "each row to the nearest mean; on a tie it stays",
        "update": "each mean to the mean of its rows' features",
        "settled": "neither phase lowers J",
    },
    events=(Event("a row moved", lambda before, after: after.phase == "assign" and after.moved > 0),),
    fork_after=("start", "update"),
    start_only=("k", "start", "seed"),
    curves=(
        Curve("objective", objective, "J = Σ‖φ(x) - m‖²", chart="objective"),
        Curve("spectral bound", least_possible, "total - n Σλ: no clustering is below", chart="objective"),
        Curve("rows moved", lambda _, state: state.moved, phases=("assign",)),
        Curve("outside their class", outside_share, "share not of their cluster's most frequent class"),
    ),
    objective={("objective", "spectral bound"): setting},
    theorems=THEOREMS,
    in_hall="no clustering into k has J below total - n Σλ",
    ends={
        "no row moved": at_rest,
        "… assignment…, and rows may still move": reached("sweeps", "iteration", "start", "update"),
    },
    symbols=SYMBOLS,
    only_for=OF_KERNELS,
    scene=scene,
    explain={"start": of_start, "assign": of_assignment, "update": of_update, "settled": of_end},
    adapt=adapt,
    validate=validate,
    datasets=(rings.with_(n=120, inner=0.5), faithful.with_(scale=True, sample=150), iris, rings.with_(n=120)),
)
