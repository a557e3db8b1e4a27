"""What is true of a graph of neighbours and of the slow vectors that a lazy walk on it leaves, with a step's numbers.

References: von Luxburg (2007), A tutorial on spectral clustering, Statistics and Computing 17; Weinstein (1934) and
Krylov and Bogolyubov (1929), an eigenvalue within r; Fan (1949), On a theorem of Weyl concerning eigenvalues, Proc.
National Academy of Sciences 35; Parlett (1998), The Symmetric Eigenvalue Problem, chapter 4.
"""

from math import sqrt

import numpy as np
from msgspec import Struct

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, Undecided, theorem
from algorithms.families.clustering.spectral_clustering.neighbour_graph import LEFT, NeighbourGraph, components
from algorithms.toolbox.eigenvectors import basis, near, spread
from algorithms.toolbox.entry_names import row_names
from algorithms.toolbox.power_iteration import deflated_matrix
from algorithms.toolbox.subscripts import subscript

_SIZE = 10.0  # of numbers that are added where eigenvalues are no more than 2


class Walk(Struct, frozen=True, eq=False):
    """How far the walk on a graph has come.

    Attributes:
        edges: (e, 2) pairs of rows that are joined.
        found: (c, n) unit vectors found.
        u: (n,) the unit vector in hand.
        turn: the angle by which it turned last.
        turns: how often it has turned.
    """

    graph: NeighbourGraph
    edges: Array
    found: Array
    u: Array
    turn: float
    turns: int

    @property
    def quotient(self) -> float:
        """u·Lu."""
        return self.graph.quotient(self.u)[0]


@theorem(
    "L has the eigenvalue 0 once for each connected component",
    source="von Luxburg (2007), proposition 4",
    phases=("edges",),
    proof=(
        "u·Lu = ½ Σ w (fᵢ - fⱼ)² is 0 just where f has one value along every edge,",
        "so one value in every component: as many independent f as there are components",
    ),
)
def zeros_and_components(problem: Problem, before: Walk | None, now: Walk) -> Answer:
    if now.graph.zeros is None:
        return Undecided("an eigenvalue is so small that rounding cannot tell whether it is 0")
    apart = components(len(now.graph.L), now.edges)
    return Sides(("eigenvalues 0", now.graph.zeros), ("components", apart), relation="==", size=0.0)


@theorem(
    "rows are joined where one is among the m nearest of the other",
    source="von Luxburg (2007), section 2.2",
    phases=("edges",),
    proof=("that is the rule; rows as far as the m-th nearest count as near",),
)
def nearest_joined(problem: Problem, before: Walk | None, now: Walk) -> Answer:
    """No edge is longer than the reach of both ends, and the m-th shortest of a row is no longer than its reach."""
    graph, (a, b) = now.graph, now.edges.T
    lengths = np.full(graph.squared.shape, np.inf)
    lengths[a, b] = lengths[b, a] = graph.squared[a, b]
    shortest = np.partition(lengths, graph.neighbours - 1, axis=1)[:, graph.neighbours - 1]
    edge = np.concatenate([graph.squared[a, b], shortest])
    reach = np.concatenate([np.maximum(graph.reach[a], graph.reach[b]), graph.reach])
    names = [*(f"row {i}, row {j}" for i, j in now.edges.tolist()), *row_names(range(len(shortest)))]
    return Sides.each(("‖x-x'‖² of an edge", edge), ("of the m-th nearest", reach), size=0.0, entries=names)


@theorem(
    "u·Lu = ½ Σ wᵢⱼ (fᵢ - fⱼ)², fᵢ = uᵢ/√dᵢ",
    source="von Luxburg (2007), proposition 3",
    phases=("edges", "iterate", "found"),
    proof=("½ Σ w (fᵢ - fⱼ)² = Σ dᵢ fᵢ² - Σ w fᵢ fⱼ = fᵀ(D - W)f = uᵀ(I - D^-½WD^-½)u",),
)
def along_edges(problem: Problem, before: Walk | None, now: Walk) -> Answer:
    f = now.u / np.sqrt(now.graph.degrees)
    differences = f[now.edges[:, 0]] - f[now.edges[:, 1]]
    total = float(differences @ differences)
    return Sides(("u·Lu", now.quotient), ("½Σw(fᵢ-fⱼ)²", total), relation="==", size=_SIZE)


@theorem(
    "a round is s steps of the walk, u' = Pˢu/‖Pˢu‖, across those found",
    source="Parlett (1998)",
    about="step",
    phases=("iterate",),
    proof=("that is the rule; worked out anew with the vectors found taken out of P",),
)
def by_walking(problem: Problem, before: Walk, now: Walk) -> Answer:
    """The walk, with the vectors found taken out of P, in place of going across them at every step."""
    u, P, shrunk, steps = before.u, deflated_matrix(now.graph.P, before.found), 1.0, problem.parameters.steps
    for _ in range(steps):
        image = P @ u
        length = sqrt(image @ image)
        if length < LEFT:
            break
        u, shrunk = image / length, min(shrunk, length)
    size = _SIZE * steps / max(shrunk, 1e-6)  # a short Pu is known to fewer digits
    return Sides.each(("u'", now.u), ("Pˢu/‖Pˢu‖", u), relation="==", size=size, axes=("row",))


@theorem(
    "λ = u·Lu never rises",
    source="Parlett (1998)",
    about="step",
    phases=("iterate",),
    proof=(
        "u·Pu = 1 - λ/2, and P, between projections across those found, has no eigenvalue below 0",
        basis("u", "L"),
        "let pⱼ = 1 - λⱼ/2: Σ cⱼ²pⱼ becomes Σ cⱼ²pⱼ³ / Σ cⱼ²pⱼ², with more weight on greater p",
    ),
)
def never_rises(problem: Problem, before: Walk, now: Walk) -> Answer:
    was = now.graph.quotient(before.u)[0]
    return Sides(("λ", now.quotient), ("λ before", was), size=_SIZE)


@theorem(
    "some eigenvalue of L is within r of u·Lu",
    source="Weinstein (1934)",
    phases=("edges", "iterate", "found"),
    proof=near("u", "L", "u·Lu")[:2],
)
def eigenvalue_near(problem: Problem, before: Walk | None, now: Walk) -> Answer:
    quotient, r = now.graph.quotient(now.u)
    away = np.abs(now.graph.values - quotient)
    return Sides((f"|u·Lu - λ{subscript(int(away.argmin()) + 1)}|", float(away.min())), ("r", r), size=_SIZE)


@theorem(
    "u is found when it turns by no more than tol",
    source="Parlett (1998)",
    phases=("found",),
    proof=("that is the rule",),
)
def settled(problem: Problem, before: Walk | None, now: Walk) -> Answer:
    p = problem.parameters
    if now.turns >= p.turns and now.turn > p.tol:
        return DoesNotApply(f"the iteration was ended after {now.turns:,}, as asked")
    return Sides(("turn of u", now.turn), ("tol", p.tol))


@theorem(
    "no orthonormal vectors have a sum of u·Lu below that of the least λ",
    source="Fan (1949)",
    phases=("found",),
    proof=(
        spread("u", "L", "Luⱼ"),
        "0 <= qᵢ <= 1 for orthonormal u, and Σ qᵢ is their number: least with qᵢ = 1 at the least λ",
    ),
)
def no_less(problem: Problem, before: Walk | None, now: Walk) -> Answer:
    vectors, L, values = now.found, now.graph.L, now.graph.values
    c, quotients = len(vectors), np.vecdot(vectors @ L, vectors)
    return Sides((f"Σ of {c} least λ", float(values[:c].sum())), ("Σ u·Lu", float(quotients.sum())), size=_SIZE)


OF_GRAPH = (
    zeros_and_components,
    nearest_joined,
    along_edges,
    by_walking,
    never_rises,
    eigenvalue_near,
    settled,
    no_less,
)
