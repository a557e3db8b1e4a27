"""Regression trees of a fixed depth: questions that part numbers best, and the sum of many weighted trees.

A question x[feature] <= threshold parts m numbers r into l on the left, whose mean is a, and the others, whose mean is
b: Σ (r - mean)² falls by l (m - l)/m (a - b)². Each feature is sorted once for a data set; the rows of a node keep that
order. Nodes stand as in a heap, the children of node k are 2k + 1 and 2k + 2; a node that asks nothing sends all left.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.questions import between

SAME = 1e-12  # of Σ (r - mean)²: what rounding can make of none; and questions that differ by less are as good
_AT_ONCE = 1 << 20  # places of rows in trees


class Regressor(Struct, frozen=True, eq=False):
    """A tree of depth D.

    Attributes:
        feature: (2^D - 1,) int64, what a node asks about.
        threshold: (2^D - 1,) rows with x[feature] <= threshold go left; infinity where nothing is asked.
        value: (2^D,) what a leaf says.
    """

    feature: Array
    threshold: Array
    value: Array

    def leaves(self, x: Array) -> Array:
        """(m, d) -> (m,) the leaf that each row comes to, 0 to 2^D - 1."""
        return np.asarray(_leaves(self.feature[None], self.threshold[None], x)[0])

    def __call__(self, x: Array) -> Array:
        """(m, d) -> (m,) what it says."""
        return np.asarray(self.value[self.leaves(x)])


def weighted_sum(trees: Sequence[Regressor], weights: Array, x: Array) -> Array:
    """(m,) Σ weight · tree(x), over as many trees as have a weight; all of one depth."""
    total = np.zeros(len(x))
    together = max(_AT_ONCE // max(len(x), 1), 1)
    for first in range(0, len(weights), together):
        some = trees[first : first + len(weights[first : first + together])]
        leaves = _leaves(np.stack([t.feature for t in some]), np.stack([t.threshold for t in some]), x)
        values = np.stack([t.value for t in some]) * weights[first : first + together, None]
        total += np.take_along_axis(values, leaves, axis=1).sum(axis=0)
    return total


def _leaves(feature: Array, threshold: Array, x: Array) -> Array:
    """(t, m) the leaves of (t, 2^D - 1) questions."""
    columns, rows, tree = np.ascontiguousarray(x.T), np.arange(len(x)), np.arange(len(feature))[:, None]
    place = np.zeros((len(feature), len(x)), np.intp)
    first = 0
    while first < feature.shape[1]:
        node = place + first
        place = 2 * place + (columns[feature[tree, node], rows] > threshold[tree, node])
        first = 2 * first + 1
    return place


def rows_in_order(data: Dataset) -> Array:
    """(d, n) the rows in ascending order of each feature; to be asked for by `data.once(rows_in_order)`."""
    return np.ascontiguousarray(data.X.T).argsort(axis=1, kind="stable")


def falls(X: Array, order: Array, r: Array) -> Array:
    """(d, m - 1) how far Σ (r - mean)² falls when the m rows are parted after each place; -inf between equal values.

    Args:
        order: (d, m) the rows in ascending order of each feature.
        r: (n,) the numbers, of which m are parted.
    """
    m = order.shape[1]
    values = np.take_along_axis(X.T, order, axis=1)
    sums = (r - r[order[0]].mean())[order].cumsum(axis=1)[:, :-1]
    left = np.arange(1, m)
    return np.where(values[:, 1:] > values[:, :-1], sums * sums * (m / (left * (m - left))), -np.inf)


def best_question(X: Array, order: Array, r: Array, least: float) -> tuple[int, float, float] | None:
    """Feature, threshold and fall of the question with the greatest, of equal ones the first feature's and its lowest.

    The fall may be 0: the questions below may tell what this one does not, as in an exclusive or. None where the
    numbers are the same, Σ (r - mean)² at most `least`, or no feature tells the rows apart.
    """
    here = r[order[0]]
    if len(here) < 2 or not ((here - here.mean()) ** 2).sum() > least:
        return None
    fall = falls(X, order, r)
    best = float(fall.max())
    if best == -np.inf:
        return None
    feature, place = divmod(int((fall >= best - least).argmax()), fall.shape[1])
    return feature, between(*X[order[feature, place : place + 2], feature].tolist()), best


def fitted(X: Array, order: Array, r: Array, depth: int) -> Regressor:
    """Fit a tree to numbers by least squares, greedily, level by level; a leaf says the mean of its rows.

    Args:
        order: (d, n) the rows in ascending order of each feature.
        r: (n,) the numbers.
    """
    scale = float(np.abs(r).max()) or 1.0  # so that no square overflows or vanishes
    scaled = r / scale
    least = SAME * float(((scaled - scaled.mean()) ** 2).sum())
    inner = 2**depth - 1
    feature, threshold = np.zeros(inner, np.int64), np.full(inner, np.inf)
    orders, greatest = [order], 0.0
    for node in range(inner):
        if (question := best_question(X, orders[node], scaled, least)) is not None:
            feature[node], threshold[node], fall = question
            greatest = max(greatest, fall)
        left = (X[:, feature[node]] <= threshold[node])[orders[node]]
        orders += [orders[node][side].reshape(len(order), -1) for side in (left, ~left)]
    if not greatest > least:  # no question lowers Σ (r - h)², so none is asked
        feature[:], threshold[:] = 0, np.inf
        orders[inner:] = [order, *[order[:, :0]] * inner]
    value = np.array([scaled[leaf[0]].mean() if leaf.size else 0.0 for leaf in orders[inner:]])
    return Regressor(feature, threshold, value * scale)


def rows_of_nodes(tree: Regressor, X: Array) -> list[Array]:
    """The rows that come to each node, in order: (m,) for each of the 2^D - 1."""
    rows = [np.arange(len(X))]
    for node, (feature, threshold) in enumerate(zip(tree.feature.tolist(), tree.threshold.tolist())):
        left = X[rows[node], feature] <= threshold
        rows += [rows[node][left], rows[node][~left]]
    return rows[: len(tree.feature)]


def best_falls(tree: Regressor, X: Array, order: Array, r: Array) -> Array:
    """(2^D - 1,) the greatest fall that any question makes at each node's rows; 0 where there is nothing to ask."""
    greatest = np.zeros(len(tree.feature))
    for node, rows in enumerate(rows_of_nodes(tree, X)):
        if len(rows) > 1:
            here = np.zeros(len(X), bool)
            here[rows] = True
            greatest[node] = max(float(falls(X, order[here[order]].reshape(len(order), -1), r).max()), 0.0)
    return greatest


def falls_at_nodes(tree: Regressor, X: Array, r: Array) -> Array:
    """(2^D - 1,) how far Σ (r - mean)² falls by each node's question, from the rows that go either way."""
    fell = np.zeros(len(tree.feature))
    for node, rows in enumerate(rows_of_nodes(tree, X)):
        left = X[rows, tree.feature[node]] <= tree.threshold[node]
        if left.any() and not left.all():
            a, b, many = r[rows[left]].mean(), r[rows[~left]].mean(), int(left.sum())
            fell[node] = many * (len(rows) - many) / len(rows) * (a - b) ** 2
    return fell
