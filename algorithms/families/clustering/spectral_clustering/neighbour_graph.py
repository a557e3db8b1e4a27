"""The graph of nearest neighbours of some rows, its normalised Laplacian, and the lazy walk on it.

    w_ij = 1    where one of two rows is among the m nearest of the other, 0 elsewhere;  d_i = Σ_j w_ij
    L = I - D^-½ W D^-½,    u·Lu = ½ Σ w_ij (f_i - f_j)²  with f = D^-½ u
    P = I - L/2             the lazy walk: half of it stays, half goes along an edge

L has eigenvalues from 0 to 2, and 0 once for each connected component; P those from 1 down to 0, so that its powers
leave what L has least of. Rows as far as the m-th nearest count as near.

References: Fiedler (1973), Algebraic connectivity of graphs, Czechoslovak Mathematical Journal 23; Chung (1997),
Spectral Graph Theory, chapter 1; von Luxburg (2007), A tutorial on spectral clustering, Statistics and Computing 17.
"""

from functools import cached_property
from math import sqrt

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.toolbox.distances import pairwise_squared_distances

MOST_ROWS = 1_000  # of which n x n numbers are kept, and all eigenvalues worked out
_NOTHING = 1e-11  # an eigenvalue below it may be 0
_USUAL = 3.2  # standard deviations of the coordinates of a random vector
_SOMETHING = 1e-8  # and one above it is not
LEFT = 1e-13  # of a unit vector, by a step of the walk: less is rounding
_LITTLE = 0.01  # of it, beside which rounding is no longer small


class NeighbourGraph:
    """A graph of n rows.

    Attributes:
        squared: (n, n) squared distances of the rows.
        reach: (n,) the squared distance of each row's m-th nearest.
        neighbours: m.
        edges: (e, 2) the pairs of rows that are joined, the lesser first.
        degrees: (n,) how many edges each row has.
        L: (n, n) the normalised Laplacian.
        P: (n, n) the lazy walk, I - L/2.
    """

    def __init__(self, X: Array, neighbours: int):
        self.neighbours = neighbours
        self.squared = pairwise_squared_distances(X, X)
        self.reach = np.partition(self.squared, neighbours, axis=1)[:, neighbours]  # the row itself is one of them
        joined = self.squared <= np.maximum.outer(self.reach, self.reach)
        np.fill_diagonal(joined, False)
        self.edges = np.argwhere(np.triu(joined))
        self.degrees = joined.sum(axis=1)
        self.L = laplacian(joined, self.degrees)
        self.P = np.eye(len(X)) - self.L / 2

    @property
    def first(self) -> Array:
        """(n,) the unit eigenvector of eigenvalue 0 that needs no iteration: √d."""
        return np.asarray(np.sqrt(self.degrees / self.degrees.sum()))

    @cached_property
    def pairs(self) -> tuple[Array, Array]:
        """(n,) eigenvalues of L, the least first, none below 0; and (n, n) eigenvectors as rows."""
        values, vectors = np.linalg.eigh(self.L)
        return np.maximum(values, 0.0), vectors.T

    @property
    def values(self) -> Array:
        """(n,) eigenvalues of L, the least first."""
        return self.pairs[0]

    def reach_of(self, k: int) -> float:
        """How far from 0 the coordinates of k slow vectors lie at most, or those of most random ones."""
        return max(_USUAL, 1.1 * float(np.abs(self.heights(self.pairs[1][:k])).max()))

    def value(self, which: int) -> float:
        """An eigenvalue, the least being the 0th; exactly 0 where it is 0 but for rounding."""
        value = float(self.values[which])
        return 0.0 if value < _NOTHING else value

    @property
    def zeros(self) -> int | None:
        """How many eigenvalues are 0; None where rounding cannot tell."""
        sure = self.values < _NOTHING
        return int(sure.sum()) if (sure | (self.values > _SOMETHING)).all() else None

    def quotient(self, u: Array) -> tuple[float, float]:
        """λ = u·Lu of a unit vector, and r = ‖Lu - λu‖."""
        image = self.L @ u
        rho = float(u @ image)
        return rho, float(np.linalg.norm(image - rho * u))

    def heights(self, vectors: Array) -> Array:
        """(c, n) unit vectors -> (n, c) f = D^-½ u of each, in units in which the first is 1 at every row."""
        return np.asarray((vectors * np.sqrt(self.degrees.sum() / self.degrees)).T)

    def cut(self, edges: Array, labels: Array, k: int) -> tuple[Array, Array]:
        """(k,) how many of the edges leave each cluster, and (k,) the sum of its degrees."""
        a, b = labels[edges[:, 0]], labels[edges[:, 1]]
        leaving = np.bincount(a[a != b], minlength=k) + np.bincount(b[a != b], minlength=k)
        return leaving, np.bincount(labels, weights=self.degrees, minlength=k)


def laplacian(joined: Array, degrees: Array) -> Array:
    """(n, n) I - D^-½ W D^-½."""
    roots = np.sqrt(degrees)
    return np.asarray(np.eye(len(joined)) - joined / np.multiply.outer(roots, roots))


def neighbour_graph(data: Dataset, neighbours: int) -> NeighbourGraph:
    """The graph of the rows; for `data.once`."""
    return NeighbourGraph(data.X, neighbours)


def walked(P: Array, u: Array, found: Array, steps: int) -> Array:
    """(n,) the unit vector that so many steps of the lazy walk make of u, across the (c, n) vectors found."""
    for _ in range(steps):
        image = P @ u
        image -= (found @ image) @ found
        length = sqrt(image @ image)
        if length < LEFT:  # nothing is left along it but rounding
            break
        if length < _LITTLE:  # beside which rounding left a trace of those found
            image -= (found @ image) @ found
            length = sqrt(image @ image)
        u = image / length
    return u


def components(n: int, edges: Array) -> int:
    """How many connected components a graph of n rows with (e, 2) edges has, by following edges."""
    least = np.arange(n)
    while True:
        low = np.minimum(least[edges[:, 0]], least[edges[:, 1]])
        joined = least.copy()
        np.minimum.at(joined, edges[:, 0], low)
        np.minimum.at(joined, edges[:, 1], low)
        joined = joined[joined]
        if np.array_equal(joined, least):
            return len(np.unique(least))
        least = joined
