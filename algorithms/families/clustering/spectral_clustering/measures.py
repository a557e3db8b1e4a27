"""The state of spectral clustering, and what is measured of it: the vectors, J among their places, the cut."""

from typing import Annotated

import numpy as np

from algorithms.core import Along, Array, Problem, State, kept
from algorithms.families.clustering.shared.partition_pictures import outside
from algorithms.families.clustering.spectral_clustering.neighbour_graph import NeighbourGraph, neighbour_graph
from algorithms.toolbox import clusters
from algorithms.toolbox.distances import squared_distances

FINDING = ("edges", "iterate", "across")  # phases with a vector in hand that is not found yet


class SpectralState(State, frozen=True, kw_only=True):
    edges: Array  # (e, 2) pairs of rows that are joined
    vectors: Annotated[Array, Along("", "n")]  # (c, n) unit vectors found, orthonormal
    u: Annotated[Array, Along("n")]  # (n,) the unit vector in hand
    means: Array  # (k, k - 1) places among the coordinates f
    labels: Annotated[Array, Along("n")]  # (n,) int8, the cluster of each row; -1 for none yet
    turn: float = np.inf  # the angle by which the last state turned u, in radians
    turns: int = 0  # states on this vector so far
    moved: int = 0  # rows that changed cluster in the last assignment


def graph_of(problem: Problem) -> NeighbourGraph:
    return problem.data.once(neighbour_graph, problem.parameters.neighbours)


def assigned(state: SpectralState) -> bool:
    return bool(state.labels[0] != clusters.NO_CLUSTER)


@kept
def places(problem: Problem, state: SpectralState) -> Array:
    """(n, c) f of each row: the vectors found but for the first, and the one in hand where it is not one of them."""
    inside = state.phase in FINDING
    return graph_of(problem).heights(np.vstack([state.vectors[1:], state.u]) if inside else state.vectors[1:])


@kept
def in_hand(problem: Problem, state: SpectralState) -> tuple[float, float]:
    """λ = u·Lu of the vector in hand, and r = ‖Lu - λu‖; NaN before there is one."""
    if state.phase == "start":
        return np.nan, np.nan
    return graph_of(problem).quotient(state.u)


def exact(problem: Problem, state: SpectralState) -> float:
    """The eigenvalue that the vector in hand is to find."""
    which = len(state.vectors) - (state.phase not in FINDING)
    if state.phase == "start":
        return np.nan
    return graph_of(problem).value(which)


@kept
def distances(problem: Problem, state: SpectralState) -> Array:
    """(n, k) ‖f - μ‖² of each row to each mean."""
    return squared_distances(places(problem, state), state.means)


@kept
def own_distances(problem: Problem, state: SpectralState) -> Array:
    """(n,) ‖f - μ‖² of each row to the mean of its cluster; NaN before the first assignment."""
    n = problem.data.n
    return np.asarray(distances(problem, state)[np.arange(n), state.labels]) if assigned(state) else np.full(n, np.nan)


def objective(problem: Problem, state: SpectralState) -> float:
    """J = Σ‖f - μ_z‖²; NaN before the first assignment."""
    return float(own_distances(problem, state).sum())


def room(problem: Problem, state: SpectralState) -> float:
    """The largest number that is added on the way to J."""
    return 10 * problem.data.n * float((places(problem, state) ** 2).sum(axis=1).max())


def normalised_cut(problem: Problem, state: SpectralState) -> float:
    """Σ_j cut(C_j)/vol(C_j); NaN without a partition into k."""
    if not assigned(state):
        return np.nan
    leaving, volume = graph_of(problem).cut(state.edges, state.labels, len(state.means))
    return float((leaving / volume).sum()) if volume.all() else np.nan


def least_sum(problem: Problem, state: SpectralState) -> float:
    """Σ of the k least eigenvalues."""
    return float(graph_of(problem).values[: problem.parameters.k].sum())


def outside_share(problem: Problem, state: SpectralState) -> float:
    return outside(problem.data, state.labels, len(state.means)) / problem.data.n
