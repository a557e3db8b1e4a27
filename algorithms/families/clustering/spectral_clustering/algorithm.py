"""Spectral clustering: join near rows, find the slow vectors of the graph, and run k-means where these put the rows.

    edges    i and j where one is among the m nearest of the other;    d_i = edges at i,  L = I - D^-½ W D^-½
    iterate  u <- P u / ‖P u‖, P = I - L/2, s times a round            a random u, across the vectors found
    found    f = D^-½ u                                                u settles: one more coordinate of every row
    assign   z_i <- argmin_j ‖f_i - μ_j‖²,   update  μ_j <- the mean of the f_i with z_i = j

P is the lazy walk on the graph: half of a row's weight stays, half goes to its neighbours. It wears off fastest what
differs along edges, u·Lu = ½ Σ w_ij (f_i - f_j)², and leaves what hardly does: nearly one value for each group of rows
that few edges leave. L has the eigenvalue 0 once for each connected component of the graph; the first vector, √d, is
known, and has one f everywhere, 1/√Σd when u has length 1: in this unit f is shown and J measured. So rings that no
straight line parts come to lie in two places, and k-means parts these; a ring with a gap wider than the way to the
other ring is cut there instead.

The normalised cut of a partition, Σ_j cut(C_j)/vol(C_j) (edges that leave C_j over the degrees in it), is the sum of
u·Lu of k orthonormal vectors that have one value in each cluster: it is at least the sum of the k least eigenvalues.
The least cut itself is hard to find; vectors without that restriction are not. An empty cluster's mean stays.

References: Shi and Malik (2000), Normalized cuts and image segmentation, IEEE PAMI 22(8); Ng, Jordan and Weiss (2001),
On spectral clustering, NIPS; von Luxburg (2007), A tutorial on spectral clustering, Statistics and Computing 17;
Fiedler (1973), Algebraic connectivity of graphs, Czechoslovak Mathematical Journal 23; Weinstein (1934) and Krylov and
Bogolyubov (1929), an eigenvalue within r; Fan (1949), On a theorem of Weyl concerning eigenvalues, Proc. National
Academy of Sciences 35; Parlett (1998), The Symmetric Eigenvalue Problem, chapter 4; Lloyd (1982), Least squares
quantization in PCM, IEEE Trans. Information Theory 28(2), written in 1957; Selim and Ismail (1984), K-means-type
algorithms, IEEE PAMI 6(1).
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
    DoesNotApply,
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
    Words,
    numbers,
    theorem,
    through,
)
from algorithms.core.text import counted
from algorithms.data import faithful, iris, moons, penguins, rings
from algorithms.families.clustering.shared.assignments import middles, reassigned, tie
from algorithms.families.clustering.shared.partition_pictures import newly, of_classes, outside
from algorithms.families.clustering.shared.partition_words import fallen, figure, sizes_listed
from algorithms.families.clustering.spectral_clustering import pictures
from algorithms.families.clustering.spectral_clustering.graph_statements import OF_GRAPH, Walk
from algorithms.families.clustering.spectral_clustering.measures import (
    FINDING,
    SpectralState,
    assigned,
    distances,
    exact,
    graph_of,
    in_hand,
    least_sum,
    normalised_cut,
    objective,
    outside_share,
    own_distances,
    places,
    room,
)
from algorithms.families.clustering.spectral_clustering.neighbour_graph import (
    MOST_ROWS,
    components,
    neighbour_graph,
    walked,
)
from algorithms.toolbox import clusters
from algorithms.toolbox.distances import squared_distances
from algorithms.toolbox.power_iteration import angle, first_direction
from algorithms.toolbox.subscripts import subscript

LLOYD = ("assign", "update", "settled")


def spectral_clustering(
    data: Dataset,
    state: SpectralState | None = None,
    *,
    k: Annotated[int, Meta(ge=2, le=20, description="clusters, and vectors to find")] = 2,
    neighbours: Annotated[int, Meta(ge=1, le=200, description="nearest rows that each row is joined to: m")] = 5,
    steps: Annotated[int, Meta(ge=1, le=1000, description="steps of the lazy walk in a round: s")] = 64,
    tol: Annotated[float, Meta(ge=0, le=1, description="a turn this small, in radians, ends the iteration")] = 1e-3,
    turns: Annotated[int, Meta(ge=1, le=100_000, description="rounds for one vector at most")] = 400,
    seed: Annotated[Seed, Meta(description="of the vectors to start from, and of the first means")] = 0,
    sweeps: Annotated[int, Meta(ge=1, le=10_000, description="assignments before giving up")] = 300,
) -> Run[SpectralState]:
    graph = data.once(neighbour_graph, neighbours)
    if state is None:
        state = nothing(data.n, k)
        yield state
    if state.phase == "start":
        found = graph.first[None]
        state = state.after("edges", iteration=1, edges=graph.edges, vectors=found, u=first_direction(found, seed))
        yield state
    while len(state.vectors) < k:
        while state.phase != "found" and state.turn > tol and state.turns < turns:
            u = walked(graph.P, state.u, state.vectors, steps)
            state = state.after("iterate", u=u, turn=angle(u, state.u), turns=state.turns + 1)
            yield state
        if state.phase != "found":
            state = state.after("found", iteration=state.iteration + 1, vectors=np.vstack([state.vectors, state.u]))
            yield state
        if len(state.vectors) < k:
            state = state.after("across", u=first_direction(state.vectors, seed), turn=np.inf, turns=0)
            yield state
    f = graph.heights(state.vectors[1:])
    if state.phase == "found":
        state = state.after("means", means=f[clusters.first_rows(f, k, "greedy", seed)])
        yield state
    while state.phase != "settled":
        if state.phase != "assign":
            if state.iteration - k >= sweeps:
                return f"{counted(sweeps, 'assignment')}, and rows may still move"
            labels = reassigned(squared_distances(f, state.means).T, state.labels, tie(f))
            moved = int(np.count_nonzero(labels != state.labels))
            state = state.after("assign", iteration=state.iteration + 1, labels=labels, moved=moved)
            yield state
        means = middles(f, state.labels, state.means)
        if state.moved == 0 and np.array_equal(means, state.means):
            state = state.after("settled")
            yield state
            break
        state = state.after("update", means=means)
        yield state
    return "no row moved"


def nothing(n: int, k: int) -> SpectralState:
    return SpectralState(
        edges=np.empty((0, 2), int),
        vectors=np.empty((0, n)),
        u=np.zeros(n),
        means=np.zeros((k, k - 1)),
        labels=np.full(n, clusters.NO_CLUSTER, np.int8),
    )


def adapt(before: Problem, after: Problem, state: SpectralState, rows: Array) -> SpectralState | FromStart:
    """Vectors of a graph are none of another graph."""
    if after.data is not before.data:
        return FromStart("these edges join the rows that there were")
    if after.parameters.neighbours != before.parameters.neighbours and len(state.edges):
        return FromStart("these vectors are those of another graph")
    return state


def walk_of(problem: Problem, state: SpectralState) -> Walk:
    return Walk(graph_of(problem), state.edges, state.vectors, state.u, state.turn, state.turns)


def at_rest(problem: Problem, state: SpectralState) -> bool:
    """Another assignment would move no row, and another update no mean."""
    if state.phase != "settled":
        return False
    f = places(problem, state)
    again = reassigned(squared_distances(f, state.means).T, state.labels, tie(f))
    means = middles(f, state.labels, state.means)
    return np.array_equal(again, state.labels) and np.array_equal(means, state.means)


def assignments_made(problem: Problem, state: SpectralState) -> bool | Sides:
    """As many assignments are made as may be; an iteration is a vector or one of them."""
    p = problem.parameters
    return state.phase in ("means", "update") and Sides(("sweeps", p.sweeps), ("made", state.iteration - p.k))


def validate(problem: Problem) -> str | None:
    data, p = problem.data, problem.parameters
    if p.neighbours >= data.n:
        return f"a row with {p.neighbours} neighbours is one of {p.neighbours + 1} or more; {data.name} has {data.n}."
    return clusters.too_few_rows(data, p.k)


def scene(problem: Problem, before: SpectralState | None, after: SpectralState) -> Scene:
    data, changed, k = problem.data, newly(before, after), len(after.means)
    if after.phase == "start":
        return Scene((pictures.joined(data, after.edges, None, changed), numbers(figures(problem, after))))
    f, finding = places(problem, after), not assigned(after)
    tones = np.asarray(f[:, -1] > 0, int) if finding else after.labels
    names = ("f ≤ 0", "f > 0") if finding else tuple(f"cluster {j}" for j in range(k))
    means = after.means if after.phase in ("means", *LLOYD) else None
    values, own = graph_of(problem).values, own_distances(problem, after)
    return Scene(
        (
            pictures.joined(data, after.edges, tones, changed, names, pictures.says_place(f, tones, means)),
            pictures.moved(f, tones, changed, means, names, graph_of(problem).reach_of(k)),
            pictures.least_eigenvalues(values, in_hand(problem, after)[0] if after.phase == "iterate" else None, k),
            vectors(problem, after) if finding else of_classes(data, after.labels, k, own),
            numbers(figures(problem, after)),
        )
    )


def vectors(problem: Problem, state: SpectralState) -> Panel:
    graph, current = graph_of(problem), state.phase in FINDING
    u = np.vstack([state.vectors, state.u]) if current else state.vectors
    exact = np.array([graph.value(j) for j in range(len(u))])
    return pictures.vectors(np.vecdot(u @ graph.L, u), exact, graph.heights(u), current)


def figures(problem: Problem, state: SpectralState) -> dict[str, float | None]:
    return {
        "edges": len(state.edges),
        "vectors found": len(state.vectors),
        "r = ‖Lu - λu‖": in_hand(problem, state)[1],
        "normalised cut": normalised_cut(problem, state),
        "no cut is below": least_sum(problem, state),
        "outside their class": outside(problem.data, state.labels, len(state.means)),
    }


def of_start(problem: Problem, before: SpectralState | None, after: SpectralState) -> str:
    m = problem.parameters.neighbours
    return f"{problem.data.n} rows, not joined yet. Each will be joined to its {counted(m, 'nearest neighbour')}."


def of_edges(problem: Problem, before: SpectralState | None, after: SpectralState) -> str:
    apart = components(problem.data.n, after.edges)
    pieces = "all rows hang together" if apart == 1 else f"the rows fall into {apart} connected components"
    times = "once" if apart == 1 else f"{apart} times"
    many = (
        " There are more components than clusters: which come together hangs on u."
        if apart > problem.parameters.k
        else ""
    )
    return (
        f"{len(after.edges):,} edges join near rows; {pieces}, so L has the eigenvalue 0 {times}. The first vector, "
        f"f = 1 at every row, is known; a random u across it is to become the second.{many}"
    )


def of_iteration(problem: Problem, before: SpectralState | None, after: SpectralState) -> str:
    (quotient, r), s = in_hand(problem, after), problem.parameters.steps
    # across a fork it may have been another number of steps
    walk = "The last round turned" if before is None else f"{counted(s, 'step')} of the walk turn{'s' * (s == 1)}"
    which = subscript(len(after.vectors) + 1)
    return (
        f"{walk} u{which} by {np.degrees(after.turn):.3g}°: λ = u·Lu is now {quotient:.4g}, "
        f"the exact one {exact(problem, after):.4g}, and ‖Lu - λu‖ = {r:.2g}."
    )


def of_finding(problem: Problem, before: SpectralState | None, after: SpectralState) -> str:
    f, quotient = places(problem, after)[:, -1], in_hand(problem, after)[0]
    below = int((f <= 0).sum())
    settled = "" if after.turn <= problem.parameters.tol else ", still turning,"
    which, rounds = subscript(len(after.vectors)), counted(after.turns, "round")
    return (
        f"u{which} is found after {rounds} of the walk{settled} with λ = {quotient:.4g}: "
        f"{below} rows have f <= 0, the other {len(f) - below} f > 0."
    )


def of_across(problem: Problem, before: SpectralState | None, after: SpectralState) -> str:
    c = len(after.vectors)
    return f"A random u across the {c} vectors found is to become u{subscript(c + 1)}."


def of_means(problem: Problem, before: SpectralState | None, after: SpectralState) -> str:
    c = after.means.shape[1]
    where = "f is its place" if c == 1 else f"the {c} values of f are its place"
    return f"Of every row {where} now. {len(after.means)} means are drawn among these by greedy k-means++."


def of_assignment(problem: Problem, before: SpectralState | None, after: SpectralState) -> str:
    sizes = sizes_listed(after.labels)
    cut, least = normalised_cut(problem, after), least_sum(problem, after)
    cuts = "" if np.isnan(cut) else f" Normalised cut {figure(cut)}; none is below {figure(least)}."
    if after.moved == 0:
        return f"No row is nearer to another mean, so none moves: {sizes}.{cuts}"
    return f"{counted(after.moved, 'row')} moved to the nearest mean: {sizes}.{cuts}"


def of_update(problem: Problem, before: SpectralState | None, after: SpectralState) -> str:
    now = objective(problem, after)
    if before is None:
        return f"Each mean is in the middle of the f of its rows: J = {figure(now)}."
    return f"Each mean goes to the middle of the f of its rows: {fallen(objective(problem, before), now)}"


def of_end(problem: Problem, before: SpectralState | None, after: SpectralState) -> str:
    cut, wrong = normalised_cut(problem, after), outside(problem.data, after.labels, len(after.means))
    cuts = "" if np.isnan(cut) else f"Edges that leave a cluster make a normalised cut of {figure(cut)}."
    classes = "" if np.isnan(wrong) else f"{int(wrong)} of {problem.data.n} rows lie outside their class."
    J = figure(objective(problem, after))
    now = f"Neither phase of k-means lowers J = {J}, the sum of squared distances of the f from their means, any more."
    return Words.of(now, " ".join(filter(None, (cuts, classes)))) if cuts or classes else now


SYMBOLS = {
    "f, fᵢ": ("u/√d, row by row, of each vector but the first: coordinates, shown times √Σd", None),
    "w, d": ("1 for an edge, 0 for none; how many edges a row has", None),
    "L": ("I - D^-½ W D^-½, the normalised Laplacian", None),
    "P, s": ("I - L/2, the lazy walk, and how many steps of it make a round", None),
    "u": ("the vector in hand, of length 1", None),
    "λ": ("u·Lu; also an eigenvalue of L", lambda problem, state: _finite(in_hand(problem, state)[0])),
    "r": ("‖Lu - λu‖", lambda problem, state: _finite(in_hand(problem, state)[1])),
    "z, μ": ("the cluster of each row, and the mean of each cluster among the f", None),
    "J": ("Σd Σ‖f - μ_z‖²: of f as shown", lambda problem, state: _finite(objective(problem, state))),
    "cut, vol": ("edges that leave a cluster, and the sum of the d in it", None),
    "I, W, D": ("the identity, the weights w as a matrix, and the degrees d on a diagonal", None),
    "i, j": ("which row; which cluster, or which vector", None),
    "k, m": ("clusters; nearest rows that are joined", lambda problem, state: problem.parameters.k),
}


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _logged(value: float) -> float:
    """What has a logarithm; NaN for an eigenvalue or a residual that is 0 but for rounding."""
    return value if value > 1e-14 else np.nan


@theorem(
    "no partition has a normalised cut below the sum of the k least λ",
    source="Shi and Malik (2000)",
    phases=LLOYD,
    proof=(
        "for every cluster Cⱼ let uⱼ = D^½ 1ⱼ/√vol(Cⱼ): orthonormal, for clusters share no row",
        "f: 1/√vol(Cⱼ) on its rows, else 0; uⱼ·Luⱼ, Σ over edges of (f - f at the other end)², is",
        "cut(Cⱼ)/vol(Cⱼ): an edge that leaves Cⱼ has 1/vol(Cⱼ), every other one 0",
        "of k orthonormal u, Σ u·Lu is no less than the k least eigenvalues of L (Fan, 1949)",
    ),
)
def no_better_cut(problem: Problem, before: SpectralState | None, after: SpectralState) -> Answer:
    cut = normalised_cut(problem, after)
    if np.isnan(cut):
        return DoesNotApply("a cluster is empty") if assigned(after) else None
    return Sides(("Σ of k least λ", least_sum(problem, after)), ("normalised cut", cut), size=10.0)


@theorem(
    "the objective J of k-means on f never rises",
    source="Lloyd (1957)",
    about="step",
    phases=("assign", "update"),
    proof=("assign: each row goes to the nearest mean", "update: Σ‖f - μ‖² is least at the mean of the f"),
)
def falls(problem: Problem, before: SpectralState, after: SpectralState) -> Answer:
    if not assigned(before):
        return None
    now, was = objective(problem, after), objective(problem, before)
    return Sides(("J", now), ("J before", was), size=room(problem, after))


@theorem(
    "it ends where neither phase lowers J: J = min_z J = min_μ J",
    source="Selim and Ismail (1984)",
    phases=("settled",),
    proof=("no row is nearer to another mean, and each mean is in the middle of its rows",),
)
def neither_lowers(problem: Problem, before: SpectralState | None, after: SpectralState) -> Answer:
    f = places(problem, after)
    away = f - middles(f, after.labels, after.means)[after.labels]
    nearest = float(distances(problem, after).min(axis=1).sum())
    sides = ("min_μ J", float(np.vdot(away, away))), ("J", objective(problem, after)), ("min_z J", nearest)
    return Sides(*sides, relation="==", size=room(problem, after), slack=2 * len(f) * tie(f))


THEOREMS = (no_better_cut, *through(walk_of, *OF_GRAPH), falls, neither_lowers)

ALGORITHM = Algorithm(
    spectral_clustering,
    title="Spectral clustering",
    point="Near rows are joined; the graph comes apart where it is thinnest.",
    after=("lloyd",),
    leaves_open="Whom the graph joins was chosen before any cut: another graph has another thinnest cut.",
    tries=(("twenty neighbours", "-p neighbours=20"), ("three clusters", "-p k=3")),
    asks=(
        Ask("Does the vector turn so little that it is found?", "found", "iterate"),
        Ask.number("How far will the vector turn, in radians?", "turn", 0.2, "iterate"),
    ),
    summary="Joins near rows, finds the graph's slow vectors by power iteration, and runs k-means where they put rows.",
    rule="u <- P u / ‖P u‖,  P = I - L/2,  L = I - D^-½ W D^-½\nfᵢ = uᵢ/√dᵢ\n"
    "zᵢ <- argminⱼ ‖fᵢ - μⱼ‖²\nμⱼ <- mean of the fᵢ with zᵢ = j",
    # beyond, squared distances overflow or vanish
    needs=Needs(target="none", rows=3, most_rows=MOST_ROWS, within=(1e-100, 1e100)),
    phases={
        "start": "rows without edges",
        "edges": "join each row to its nearest",
        "iterate": "steps of the lazy walk: what differs along edges wears off",
        "found": "u turns by no more than tol, or its turns are used up: f is a coordinate",
        "across": "a random vector across those found",
        "means": "the first means among the rows where f puts them",
        "assign": "each row to the nearest mean; on a tie it stays",
        "update": "each mean to the middle of its rows",
        "settled": "neither phase lowers J",
    },
    events=("found", Event("a row moved", lambda before, after: after.phase == "assign" and after.moved > 0)),
    fork_after=("start", "edges", "iterate", "across", "means", "update"),
    start_only=("k", "seed"),
    curves=(
        Curve("λ", lambda p, s: _logged(in_hand(p, s)[0]), "u·Lu", chart="eigenvalue", log=True, phases=FINDING),
        Curve("exact λ", lambda p, s: _logged(exact(p, s)), "to be found", "eigenvalue", log=True, phases=FINDING),
        Curve("‖Lu - λu‖", lambda p, s: _logged(in_hand(p, s)[1]), log=True, phases=FINDING),
        Curve("normalised cut", normalised_cut, "Σ cut/vol", chart="cut", phases=LLOYD),
        Curve("Σ of k least λ", least_sum, "no cut is below", chart="cut", phases=LLOYD),
        Curve("objective", objective, "J = Σ‖f - μ‖²", phases=LLOYD),
        Curve("outside their class", outside_share, "share not of their cluster's most frequent class"),
    ),
    objective={
        ("normalised cut", "Σ of k least λ", "objective"): ("k", "neighbours"),
        ("λ", "exact λ"): ("neighbours",),
    },
    theorems=THEOREMS,
    ends={
        "no row moved": at_rest,
        "… assignment…, and rows may still move": assignments_made,
    },
    symbols=SYMBOLS,
    scene=scene,
    explain={
        "start": of_start,
        "edges": of_edges,
        "iterate": of_iteration,
        "found": of_finding,
        "across": of_across,
        "means": of_means,
        "assign": of_assignment,
        "update": of_update,
        "settled": of_end,
    },
    adapt=adapt,
    validate=validate,
    measured=("edges", "vectors", "u"),
    datasets=(
        rings.with_(n=150, seed=1),
        penguins.with_(scale=True, sample=120),
        iris,
        moons.with_(n=120),
        faithful.with_(scale=True, sample=120),
    ),
)
