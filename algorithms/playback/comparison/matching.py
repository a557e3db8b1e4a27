"""Matching: the clusters of several runs by the rows they share, so that equal solutions wear equal tones.

Clusters of a run are paired with those of the runs before it so that the pairs share as many rows as can be; a pair
that shares less than half of its smaller cluster is none. A cluster without a partner gets a tone of its own, which
later runs can match. Where runs have other rows, the nearest means are paired.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.core.problem import Problem
from algorithms.core.state import State
from algorithms.timeline import Frame, Timeline

Tones = tuple[int, ...]  # the tone that each cluster of a run wears, by its own number
_ORDER = (0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7)  # in which tones are given: last those that are letters' of runs


class Clusters(Struct, frozen=True, eq=False):
    """The clusters of one run at a step.

    Attributes:
        data: the rows.
        labels: (n,) the cluster of each row.
        k: how many clusters there are, empty ones included.
        means: (k, d) where they are in the data's own units; NaN for an empty one that has no mean in the state.
    """

    data: Dataset
    labels: Array
    k: int
    means: Array

    @property
    def members(self) -> Array:
        """Mark the rows of each cluster: (k, n) bool."""
        return np.asarray(self.labels == np.arange(self.k)[:, None])


class Matching(Struct, frozen=True, eq=False):
    """The clusters of several runs, and the tones that they wear; None for a run that has none.

    Attributes:
        clusters, tones: one a run.
    """

    clusters: tuple[Clusters | None, ...]
    tones: tuple[Tones | None, ...]

    def changed(self, i: int) -> bool:
        """Tell whether a run's clusters wear other tones than their own numbers."""
        own = self.tones[i]
        return own is not None and own != usual(len(own))

    def toned(self, i: int) -> Array | None:
        """Give each row of a run the tone that it wears: (n,), -1 for none."""
        clusters, tones = self.clusters[i], self.tones[i]
        if clusters is None or tones is None:
            return None
        return np.where(clusters.labels >= 0, np.asarray(tones, np.intp)[np.maximum(clusters.labels, 0)], -1)

    def agreeing(self, i: int, j: int) -> int | None:
        """Count the rows that wear the same tone in two runs; None where these have other rows."""
        a, b = self.clusters[i], self.clusters[j]
        if a is None or b is None or not same_rows(a.data, b.data):
            return None
        mine, theirs = self.toned(i), self.toned(j)
        return int(np.count_nonzero((mine == theirs) & (a.labels >= 0)))


def usual(k: int) -> Tones:
    """List the tones of so many clusters that match none."""
    return tuple(map(_tone, range(k)))


def _tone(place: int) -> int:
    """Choose the tone that is given at a place."""
    return _ORDER[place] if place < len(_ORDER) else place


def same_rows(a: Dataset, b: Dataset) -> bool:
    return a is b or (a.X.shape == b.X.shape and np.array_equal(a.X, b.X))


def matching(runs: Sequence[Timeline], frames: Sequence[Frame | None]) -> Matching:
    """Match the clusters of runs at the steps that are shown; one that shows none yet has none."""
    clusters = tuple(None if frame is None else clusters_of(run, frame) for run, frame in zip(runs, frames))
    return Matching(clusters, tuple(matched(clusters)))


def clusters_of(run: Timeline, frame: Frame) -> Clusters | None:
    """Find the clusters of a step; None where the algorithm is told the classes, or has no clusters."""
    if run.algorithm.needs.target != "none" or not run.data:
        return None
    problem = run.problem_at(frame.t)
    labels, k = _labels(problem, frame.state)
    if labels is None:
        return None
    return Clusters(problem.data, labels, k, _means(problem.data, frame.state, labels, k))


def _labels(problem: Problem, state: State) -> tuple[Array | None, int]:
    """Read the cluster of each row, or the component that has most of it; before any, that of the nearest mean."""
    data, labels, shares, means = problem.data, *(state.get(n) for n in ("labels", "responsibilities", "means"))
    if isinstance(labels, np.ndarray) and labels.shape == (data.n,) and labels.dtype.kind in "iu":
        k = max(int(labels.max(initial=-1)) + 1, len(means) if isinstance(means, np.ndarray) else 0)
        if (labels >= 0).any():
            return labels, k
        if _placed(means, data):
            return _nearest(data.X, means), k
    if isinstance(shares, np.ndarray) and shares.ndim == 2 and len(shares) == data.n:
        return shares.argmax(axis=1), shares.shape[1]
    return None, 0


def _placed(means: object, data: Dataset) -> bool:
    return isinstance(means, np.ndarray) and means.ndim == 2 and means.shape[1] == data.d and len(means) > 0


def _nearest(X: Array, means: Array) -> Array:
    scores = X @ means.T - np.einsum("kd,kd->k", means, means) / 2
    return np.asarray(scores.argmax(axis=1))


def _means(data: Dataset, state: State, labels: Array, k: int) -> Array:
    """Find (k, d) means: those of the state, else the middles of the rows."""
    means = state.get("means")
    if _placed(means, data) and len(means) == k:
        return np.asarray(data.original(means))
    members = labels == np.arange(k)[:, None]
    with np.errstate(invalid="ignore"):
        return np.asarray(data.original((members @ data.X) / members.sum(axis=1)[:, None]))


def matched(of_each: Sequence[Clusters | None]) -> list[Tones | None]:
    """Choose the tones of each run's clusters; those of the first that has any are in the order of its own numbers."""
    tones: list[Tones | None] = []
    known: list[tuple[Clusters, int, int]] = []  # run, cluster and tone of the clusters that later ones can match
    for clusters in of_each:
        if clusters is None:
            tones.append(None)
            continue
        pairs = _partners(clusters, known)
        own: list[int] = []
        for j in range(clusters.k):
            partner = pairs.get(j)
            if partner is None:
                known.append((clusters, j, _tone(len(known))))  # each of them has brought a tone
                own.append(known[-1][2])
            else:
                own.append(known[partner][2])
        tones.append(tuple(own))
    return tones


def _partners(clusters: Clusters, known: Sequence[tuple[Clusters, int, int]]) -> dict[int, int]:
    """Pair a run's clusters with known ones, by what they share or, with other rows, by how near their means are."""
    mine = clusters.data
    same = [i for i, (other, *_) in enumerate(known) if same_rows(other.data, mine)]
    kin = same or [i for i, (other, *_) in enumerate(known) if other.data.features == mine.features]
    if not kin:
        return {}
    if same:
        worth = _shared(clusters.members, np.stack([known[i][0].labels == known[i][1] for i in kin]))
    else:
        worth = _nearness(clusters.means, np.stack([known[i][0].means[known[i][1]] for i in kin]))
    return {j: kin[column] for j, column in best_pairs(worth)}


def _shared(mine: Array, theirs: Array) -> Array:
    """Count the rows that clusters share; 0 where that is less than half of the smaller one."""
    counts = mine.astype(np.float64) @ theirs.T.astype(np.float64)
    smaller = np.minimum(mine.sum(axis=1)[:, None], theirs.sum(axis=1)[None, :])
    return np.where(2 * counts >= smaller, counts, 0.0)


def _nearness(mine: Array, theirs: Array) -> Array:
    """Turn distances of means into what pairs are worth: the nearest are worth most, and every pair something."""
    squared = ((mine[:, None, :] - theirs[None, :, :]) ** 2).sum(axis=2)
    known = np.isfinite(squared)
    distances = np.sqrt(np.where(known, squared, 0.0))
    return np.where(known, 1.0 + distances.max(initial=0.0) * min(distances.shape) - distances, 0.0)


def best_pairs(worth: Array) -> list[tuple[int, int]]:
    """Assign rows to columns so that the pairs are worth most together; pairs worth nothing are left out.

    Args:
        worth: (a, b), none negative.

    Returns:
        (row, column) pairs, by row.

    The shortest augmenting path for one row after another, with a price a row and a column (Kuhn 1955, Munkres 1957).
    """
    a, b = worth.shape
    if a > b:
        return sorted((i, j) for j, i in best_pairs(worth.T))
    cost = worth.max(initial=0.0) - worth
    row_price, column_price = np.zeros(a), np.zeros(b + 1)
    owner = np.full(b + 1, -1)  # the row of each column; the last column is where a path starts
    for i in range(a):
        owner[b], column = i, b
        least, came_from, closed = np.full(b, np.inf), np.full(b, b), np.zeros(b + 1, bool)
        while owner[column] >= 0:
            closed[column] = True
            row, still_open = owner[column], ~closed[:b]
            reduced = cost[row] - row_price[row] - column_price[:b]
            better = still_open & (reduced < least)
            least[better], came_from[better] = reduced[better], column
            nearest = int(np.where(still_open, least, np.inf).argmin())
            by = least[nearest]
            row_price[owner[closed]] += by
            column_price[closed] -= by
            least[still_open] -= by
            column = nearest
        while column != b:
            owner[column], column = owner[came_from[column]], came_from[column]
    return sorted((int(owner[j]), j) for j in range(b) if owner[j] >= 0 and worth[owner[j], j] > 0)
