"""Clusters: rows and the means they are nearest to, and places for the means to start from.

Labels are int8: 0..k-1, for 127 means at most, and -1 for a row that is in no cluster yet.

References: Arthur and Vassilvitskii (2007), k-means++: the advantages of careful seeding, SODA (whose section 7
proposes the greedy variant, the best of several draws).
"""

from typing import Literal

import numpy as np

from algorithms.core.arrays import Array, first_greatest as first_greatest
from algorithms.core.dataset import Dataset

NO_CLUSTER = -1

Start = Literal["k-means++", "greedy", "rows", "assignment"]  # how the first means of k-means are chosen

DRAWN = {
    "k-means++": "drawn by k-means++: the farther from those before, the likelier",
    "greedy": "drawn by k-means++, each the best of several draws",
    "rows": "drawn at random",
}


def mean_row(rows: Array) -> Array:
    """(d,) the mean of the rows, by a product: four times faster than `mean` when there are many."""
    return np.asarray(np.ones(len(rows)) @ rows / len(rows))


def closeness(rows: Array, means: Array, centre: Array) -> Array:
    """(n, d) and (k, d) -> (k, n): (μ-c)·(x-c) - ‖μ-c‖²/2 with c the centre, the greater the nearer x is to μ:
    ‖x-μ‖² = ‖x-c‖² - 2 closeness.

    One matrix product: it is (μ-c)·x - (μ-c)·(μ+c)/2. With the mean of the rows as centre, little is lost where
    all are far from the origin.
    """
    directions = means - centre
    scores = directions @ rows.T
    scores -= np.vecdot(directions, 0.5 * (means + centre))[:, None]
    return np.asarray(scores)


def squared_lengths(rows: Array, centre: Array) -> Array:
    """(n,) ‖x - centre‖², without a copy of the rows."""
    return np.asarray(np.maximum(np.vecdot(rows, rows) - 2.0 * (rows @ centre) + centre @ centre, 0.0))


def nearest(rows: Array, means: Array) -> Array:
    """(n, d) and (k, d) -> (n,) labels of the nearest means; of equally near ones, the first."""
    return first_greatest(closeness(rows, means, mean_row(rows)))


def membership(labels: Array, k: int) -> Array:
    """(n,) labels -> (k, n): 1 where a row is in a cluster, 0 elsewhere."""
    return np.asarray(labels == np.arange(k, dtype=np.int8)[:, None], float)


def sizes(labels: Array, k: int) -> Array:
    """How many rows each of k clusters has; every row is in one."""
    return np.bincount(labels, minlength=k)


def random_rows(n: int, k: int, rng: np.random.Generator) -> Array:
    """(k,) different rows, each set of them as likely as any other."""
    return np.asarray(rng.random(n).argsort()[:k])


def random_labels(n: int, k: int, rng: np.random.Generator) -> Array:
    """(n,) labels at random, with clusters as equal in size as can be, so that none is empty for k <= n."""
    labels = np.empty(n, np.int8)
    labels[rng.random(n).argsort()] = np.arange(n) % k
    return labels


def plus_plus(rows: Array, k: int, rng: np.random.Generator, draws: int = 1) -> Array:
    """(k,) rows to start from, by k-means++: each drawn with probability in proportion to D², the squared
    distance to the nearest one before it.

    With several draws, the one that leaves the smallest ΣD² (`greedy_draws` gives the usual number).
    """
    n, centre = len(rows), mean_row(rows)
    lengths = squared_lengths(rows, centre)
    chosen = np.empty(k, np.intp)
    chosen[0] = min(int(n * rng.random()), n - 1)
    greatest = closeness(rows, rows[chosen[:1]], centre)[0]  # D² = ‖x-c‖² - 2 greatest
    for j in range(1, k):
        left = np.maximum(lengths - 2.0 * greatest, 0.0)
        left[chosen[:j]] = 0.0  # exactly, so that no row is drawn twice while there are others
        sums = left.cumsum()
        drawn = np.minimum(sums.searchsorted(rng.random(draws) * sums[-1]), n - 1)
        after = closeness(rows, rows[drawn], centre)
        np.maximum(greatest, after, out=after)
        best = int(after.sum(axis=1).argmax())
        chosen[j], greatest = drawn[best], after[best]
    return chosen


def greedy_draws(k: int) -> int:
    """How many draws the greedy k-means++ makes for each mean: 2 + ln k."""
    return 2 + int(np.log(k))


def first_rows(rows: Array, k: int, start: Start, seed: int) -> Array:
    """(k,) rows that the first means lie on; for every start but a random assignment."""
    rng = np.random.default_rng((seed, 0))
    if start == "rows":
        return random_rows(len(rows), k, rng)
    return plus_plus(rows, k, rng, greedy_draws(k) if start == "greedy" else 1)


def too_few_rows(data: Dataset, k: int, what: str = "clusters") -> str | None:
    """Refuse more clusters than there are rows; None where there are enough."""
    return f"{k} {what} need {k} rows or more; {data.name} has {data.n}." if k > data.n else None


def fill_empty(distances: Array, labels: Array, k: int, least: float = 0.0) -> Array:
    """(n,) labels, in which each empty cluster has taken the row farthest from its own mean.

    A row that is alone in its cluster stays, and so does one that is no farther than `least`: then a cluster
    may stay empty (there are fewer different rows than clusters).

    Args:
        distances: (n,) each row's squared distance to the mean of its cluster.
        labels: (n,) the clusters they are in.
        k: how many clusters there are.
        least: the squared distance that a row must exceed to be taken.
    """
    labels, counts = labels.copy(), sizes(labels, k)
    empty = np.flatnonzero(counts == 0).tolist()
    for row in np.argsort(-distances, kind="stable").tolist():
        if not empty or distances[row] <= least:
            break
        if counts[labels[row]] > 1:
            counts[labels[row]] -= 1
            labels[row] = empty.pop(0)
    return np.asarray(labels)


def k_means(rows: Array, k: int, rng: np.random.Generator, sweeps: int = 100) -> Array:
    """(n,) labels of k-means run to its end, or for so many sweeps, from a k-means++ start.

    For algorithms that start from clusters; k-means as one to watch is in the family `clustering`.
    """
    return lloyd_from(rows, rows[plus_plus(rows, k, rng, greedy_draws(k))], sweeps)[0]


def lloyd_from(rows: Array, means: Array, sweeps: int = 100) -> tuple[Array, Array]:
    """Run k-means from (k, d) means to its end, or for so many sweeps: (n,) labels and (k, d) means of their rows."""
    k, centre = len(means), mean_row(rows)
    lengths = squared_lengths(rows, centre)
    labels = np.full(len(rows), NO_CLUSTER, np.int8)
    for _ in range(sweeps):
        scores = closeness(rows, means, centre)
        nearest = first_greatest(scores)
        counts = sizes(nearest, k)
        if np.count_nonzero(counts) < k:
            nearest = fill_empty(lengths - 2.0 * scores[nearest, np.arange(len(rows))], nearest, k)
            counts = sizes(nearest, k)
        if np.array_equal(nearest, labels):
            break
        labels = nearest
        means = np.where(counts[:, None] > 0, membership(labels, k) @ rows / np.maximum(counts, 1)[:, None], means)
    return labels, means
