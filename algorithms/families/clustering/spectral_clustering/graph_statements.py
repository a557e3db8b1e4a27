"""What is true of a graph of neighbours and of the slow vectors that a lazy walk on it leaves, with a step's numbers.

References: von Luxburg (2007), A tutorial on spectral clustering, Statistics and Computing 17; Weinstein (1934) and
Krylov and Bogolyubov (1929), an eigenvalue within r; Fan (1949), On a theorem of Weyl concerning eigenvalues, Proc.
National Academy of Sciences 35; Parlett (1998), The Symmetric Eigenvalue Problem, chapter 4.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, Theorem, Undecided
from algorithms.families.clustering.spectral_clustering.neighbour_graph import LEFT, NeighbourGraph, components
from algorithms.toolbox.eigenvectors import NEAR
from algorithms.toolbox.entry_names import row_names
from algorithms.toolbox.power_iteration import deflated_matrix
from algorithms.toolbox.subscripts import subscript

_SIZE = 10.0  # of numbers that are added where eigenvalues are no more than 2


def nearest_joined(graph: NeighbourGraph, edges: Array) -> Sides:
    """No edge is longer than the reach of both ends, and the m-th shortest of a row is no longer than its reach."""
    lengths = np.full(graph.squared.shape, np.inf)
    a, b = edges.T
    lengths[a, b] = lengths[b, a] = graph.squared[a, b]
    shortest = np.partition(lengths, graph.neighbours - 1, axis=1)[:, graph.neighbours - 1]
    edge = np.concatenate([graph.squared[a, b], shortest])
    reach = np.concatenate([np.maximum(graph.reach[a], graph.reach[b]), graph.reach])
    names = [*(f"row {i}, row {j}" for i, j in edges.tolist()), *row_names(range(len(shortest)))]
    return Sides.each(("‖x-x'‖² of an edge", edge), ("of the m-th nearest", reach), size=0.0, entries=names)


def zeros_and_components(graph: NeighbourGraph, edges: Array) -> Sides | Undecided:
    """The eigenvalue 0 comes once for each component."""
    if graph.zeros is None:
        return Undecided("an eigenvalue is so small that rounding cannot tell whether it is 0")
    apart = components(len(graph.L), edges)
    return Sides(("eigenvalues 0", graph.zeros), ("components", apart), relation="==", size=0.0)


def along_edges(graph: NeighbourGraph, edges: Array, u: Array) -> Sides:
    """u·Lu is the sum over the edges."""
    f = u / np.sqrt(graph.degrees)
    differences = f[edges[:, 0]] - f[edges[:, 1]]
    total = float(differences @ differences)
    return Sides(("u·Lu", graph.quotient(u)[0]), ("½Σw(fᵢ-fⱼ)²", total), relation="==", size=_SIZE)


def by_walking(graph: NeighbourGraph, before: Array, after: Array, found: Array, steps: int) -> Sides:
    """The walk, with the vectors found taken out of P, in place of going across them at every step."""
    u, P, shrunk = before, deflated_matrix(graph.P, found), 1.0
    for _ in range(steps):
        image = P @ u
        length = sqrt(image @ image)
        if length < LEFT:
            break
        u, shrunk = image / length, min(shrunk, length)
    size = _SIZE * steps / max(shrunk, 1e-6)  # a short Pu is known to fewer digits
    return Sides.each(("u'", after), ("Pˢu/‖Pˢu‖", u), relation="==", size=size, axes=("row",))


def eigenvalue_near(graph: NeighbourGraph, u: Array) -> Sides:
    """An eigenvalue is within r."""
    quotient, r = graph.quotient(u)
    away = np.abs(graph.values - quotient)
    return Sides((f"|u·Lu - λ{subscript(int(away.argmin()) + 1)}|", float(away.min())), ("r", r), size=_SIZE)


def no_less(graph: NeighbourGraph, vectors: Array) -> Sides:
    """Orthonormal (c, n) vectors have no less than the c least eigenvalues."""
    c, quotients = len(vectors), np.vecdot(vectors @ graph.L, vectors)
    return Sides((f"Σ of {c} least λ", float(graph.values[:c].sum())), ("Σ u·Lu", float(quotients.sum())), size=_SIZE)


def graph_theorems(of: Callable[[Problem], NeighbourGraph]) -> tuple[Theorem, ...]:
    """For an algorithm with the phases edges, iterate and found, and states with edges, vectors, u, turn and turns."""

    def walk(problem: Problem, before: Any, after: Any) -> Answer:
        return by_walking(of(problem), before.u, after.u, before.vectors, problem.parameters.steps)

    def never_rises(problem: Problem, before: Any, after: Any) -> Answer:
        graph = of(problem)
        return Sides(("λ", graph.quotient(after.u)[0]), ("λ before", graph.quotient(before.u)[0]), size=_SIZE)

    def ended(problem: Problem, before: Any, after: Any) -> Answer:
        p = problem.parameters
        if after.turns >= p.turns and after.turn > p.tol:
            return DoesNotApply(f"the iteration was ended after {after.turns:,}, as asked")
        return Sides(("turn of u", after.turn), ("tol", p.tol))

    return (
        Theorem(
            "L has the eigenvalue 0 once for each connected component",
            lambda problem, before, after: zeros_and_components(of(problem), after.edges),
            source="von Luxburg (2007), proposition 4",
            phases=("edges",),
            proof=(
                "u·Lu = ½ Σ w (fᵢ - fⱼ)² is 0 just where f has one value along every edge,",
                "so one value in every component: as many independent f as there are components",
            ),
        ),
        Theorem(
            "rows are joined where one is among the m nearest of the other",
            lambda problem, before, after: nearest_joined(of(problem), after.edges),
            source="von Luxburg (2007), section 2.2",
            phases=("edges",),
            proof=("that is the rule; rows as far as the m-th nearest count as near",),
        ),
        Theorem(
            "u·Lu = ½ Σ wᵢⱼ (fᵢ - fⱼ)², fᵢ = uᵢ/√dᵢ",
            lambda problem, before, after: along_edges(of(problem), after.edges, after.u),
            source="von Luxburg (2007), proposition 3",
            phases=("edges", "iterate", "found"),
            proof=("½ Σ w (fᵢ - fⱼ)² = Σ dᵢ fᵢ² - Σ w fᵢ fⱼ = fᵀ(D - W)f = uᵀ(I - D^-½WD^-½)u",),
        ),
        Theorem(
            "a state is s steps of the walk, u' = Pˢu/‖Pˢu‖, across those found",
            walk,
            source="Parlett (1998)",
            about="step",
            phases=("iterate",),
            proof=("that is the rule; worked out anew with the vectors found taken out of P",),
        ),
        Theorem(
            "λ = u·Lu never rises",
            never_rises,
            source="Parlett (1998)",
            about="step",
            phases=("iterate",),
            proof=(
                "u·Pu = 1 - λ/2, and P, between projections across those found, has no eigenvalue below 0",
                "in its eigenvectors, u = Σ cⱼ vⱼ with pⱼ: Σ cⱼ²pⱼ³ / Σ cⱼ²pⱼ² >= Σ cⱼ²pⱼ",
            ),
        ),
        Theorem(
            "some eigenvalue of L is within r of u·Lu",
            lambda problem, before, after: eigenvalue_near(of(problem), after.u),
            source="Weinstein (1934)",
            phases=("edges", "iterate", "found"),
            proof=NEAR[:2],
        ),
        Theorem(
            "u is found when it turns by no more than tol",
            ended,
            source="Parlett (1998)",
            phases=("found",),
            proof=("that is the rule",),
        ),
        Theorem(
            "no orthonormal vectors have a sum of u·Lu below that of the least λ",
            lambda problem, before, after: no_less(of(problem), after.vectors),
            source="Fan (1949)",
            phases=("found",),
            proof=("Σ uⱼ·Luⱼ = Σᵢ λᵢ qᵢ with 0 <= qᵢ <= 1 and Σ qᵢ = c: least with the first c",),
        ),
    )
