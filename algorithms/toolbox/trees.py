"""Trees of questions x[feature] <= threshold as arrays: how one grows, where rows end, what it was when smaller.

Children stand in the order in which they were split off: the s-th split made nodes 2s - 1 and 2s. So the tree of
s splits is in the first 2s + 1 nodes of any larger one that grew from it.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.toolbox.impurity import Total
from algorithms.toolbox.questions import Columns, Question, best_question, counts_of

_MANY = 200  # rows a node from which on they are parted node by node
LEAF = -1  # stands for the left child of a node without one, and for what a leaf asks about


class Nodes(Struct, frozen=True, eq=False):
    """A tree of m nodes, the root first.

    Attributes:
        feature: (m,) what a node asks about; of a leaf it says nothing.
        threshold: (m,) rows with x[feature] <= threshold go left.
        left: (m,) the left child, and the right one is the next; LEAF for a leaf.
        counts: (m, k) training rows of each class.
    """

    feature: Array
    threshold: Array
    left: Array
    counts: Array


class Leaf(Struct, frozen=True, eq=False):
    """What the data say of a leaf: which rows are in it, in their order; and how many questions lead to it."""

    rows: Array
    depth: int


def parted(X: Array, leaf: Leaf, feature: int, threshold: float) -> tuple[Leaf, Leaf]:
    """The two parts of a leaf by a question."""
    goes_left = X[leaf.rows, feature] <= threshold
    return Leaf(leaf.rows[goes_left], leaf.depth + 1), Leaf(leaf.rows[~goes_left], leaf.depth + 1)


def leaves_of(tree: Nodes, X: Array) -> dict[int, Leaf]:
    """The leaves of a tree by node."""
    nodes = {0: Leaf(np.arange(len(X)), 0)}
    for node in np.flatnonzero(tree.left != LEAF).tolist():
        pair = parted(X, nodes.pop(node), tree.feature[node], tree.threshold[node])
        nodes |= enumerate(pair, int(tree.left[node]))
    return nodes


def grow(
    columns: Columns, rows: Array, total: Total, *, max_leaves: int, max_depth: int = 100, min_leaf: int = 1
) -> Nodes:
    """Grow a tree best leaf first, of equal ones the oldest.

    Args:
        rows: (m,) those it grows on; a row that comes several times counts as often, as in a bootstrap sample.
        total: rows times impurity, for up to m rows.
        max_leaves, max_depth, min_leaf: leaves at most, questions on the way to one at most, rows in one at least.
    """
    feature: list[int] = []
    threshold: list[float] = []
    left: list[int] = []
    counts: list[Array] = []
    candidates: list[tuple[float, int, Question, Leaf]] = []  # the most gainful first

    def add(leaf: Leaf) -> None:
        of_classes = counts_of(columns, leaf.rows)
        if splittable(of_classes, leaf.depth, max_depth, min_leaf):
            question = best_question(columns, leaf.rows, of_classes, total, min_leaf)
            if question.feature >= 0:
                heappush(candidates, (-question.fall, len(left), question, leaf))
        feature.append(LEAF)
        threshold.append(np.nan)
        left.append(LEAF)
        counts.append(of_classes)

    add(Leaf(rows, 0))
    while candidates and len(left) < 2 * max_leaves - 1:
        _, node, question, leaf = heappop(candidates)
        feature[node], threshold[node], left[node] = question.feature, question.threshold, len(left)
        for part in parted(columns.X, leaf, question.feature, question.threshold):
            add(part)
    return Nodes(np.array(feature), np.array(threshold), np.array(left), np.array(counts))


def splittable(counts: Array, depth: int, max_depth: int, min_leaf: int) -> bool:
    """Whether there is anything to ask in a leaf: of two classes or more, not too deep, not too small.

    Args:
        counts: (k,) its rows of each class.
    """
    rows = counts.tolist()
    n = sum(rows)
    return depth < max_depth and n >= 2 * min_leaf and max(rows) < n


def falls_at_nodes(left: Array, counts: Array, total: Total) -> Array:
    """(m,) how far rows times impurity falls where a node is parted into its children; 0 at leaves."""
    of_node, falls = total(counts.T, counts.sum(axis=1)), np.zeros(len(left))
    inner = np.flatnonzero(left != LEAF)
    falls[inner] = of_node[inner] - (of_node[left[inner]] + of_node[left[inner] + 1])
    return falls


def leaf_of(tree: Nodes, X: Array) -> Array:
    """(n,) the leaf that each row comes to: node by node where many rows share one, else level by level."""
    if len(tree.left) * _MANY < len(X):
        return _leaf_by_nodes(tree, X)
    return np.asarray(_leaf_by_levels(tree, X, np.zeros(1, np.intp))[0])


def leaf_of_each(trees: Sequence[Nodes], X: Array) -> Array:
    """(T, n) the same for each of several trees, all of them at once: a level of several takes little more than one's.

    They stand in a row as one, in which each has its root.
    """
    sizes = np.array([len(tree.left) for tree in trees])
    roots = sizes.cumsum() - sizes
    feature, threshold, left = (
        np.concatenate([getattr(tree, name) for tree in trees]) for name in ("feature", "threshold", "left")
    )
    left += np.where(left == LEAF, 0, np.repeat(roots, sizes))
    leaf = _leaf_by_levels(Nodes(feature, threshold, left, trees[0].counts), X, roots)
    leaf -= roots[:, None]
    return leaf


def _leaf_by_levels(tree: Nodes, X: Array, roots: Array) -> Array:
    """(T, n) the leaf that each row comes to from each of the nodes (T,)."""
    (n, d), x = X.shape, X.ravel()
    at, leaf = np.repeat(roots, n), np.empty(len(roots) * n, np.intp)
    way, first = np.arange(len(leaf)), np.tile(np.arange(n) * d, len(roots))  # where the row begins in x
    while len(way):
        left = tree.left.take(at)
        inner = (left != LEAF).nonzero()[0]
        if len(inner) < len(way):
            leaf[way] = at
            way, first, at, left = way.take(inner), first.take(inner), at.take(inner), left.take(inner)
        at = left + (x.take(first + tree.feature.take(at)) > tree.threshold.take(at))
    return leaf.reshape(len(roots), n)


def _leaf_by_nodes(tree: Nodes, X: Array) -> Array:
    leaf, columns = np.empty(len(X), np.intp), dict[int, Array]()
    below = [(0, np.arange(len(X)))]
    while below:
        node, rows = below.pop()
        left, feature = int(tree.left[node]), int(tree.feature[node])
        if left == LEAF:
            leaf[rows] = node
            continue
        if feature not in columns:
            columns[feature] = X[:, feature].copy()  # in one piece: rows are picked from it again and again
        right = columns[feature].take(rows) > tree.threshold[node]
        below += [(left, rows[~right]), (left + 1, rows[right])]
    return leaf


def path_of(tree: Nodes, x: Array) -> tuple[int, ...]:
    """The nodes that a row (d,) comes through, the root first."""
    way = [0]
    while (left := int(tree.left[way[-1]])) != LEAF:
        way.append(left + int(x[tree.feature[way[-1]]] > tree.threshold[way[-1]]))
    return tuple(way)


def rows_at(tree: Nodes, X: Array, node: int) -> Array:
    """The rows that come through a node, in order."""
    above = parents(tree.left)
    rows = np.arange(len(X))
    while node:
        parent = int(above[node])
        x, at = X[rows, tree.feature[parent]], tree.threshold[parent]
        rows = rows[x <= at] if node == tree.left[parent] else rows[x > at]
        node = parent
    return rows


def parents(left: Array) -> Array:
    """(m,) the parent of each node, -1 for the root."""
    above = np.full(len(left), -1)
    inner = np.flatnonzero(left != LEAF)
    above[left[inner]] = above[left[inner] + 1] = inner
    return above


def box(tree: Nodes, node: int, low: Array, high: Array) -> tuple[Array, Array]:
    """The corners (d,) of the part of the box from low to high whose points come through a node."""
    low, high = low.copy(), high.copy()
    above = parents(tree.left)
    while node:
        parent = int(above[node])
        j, at = tree.feature[parent], tree.threshold[parent]
        if node == tree.left[parent]:
            high[j] = min(high[j], at)
        else:
            low[j] = max(low[j], at)
        node = parent
    return low, high


def counts_at_nodes(tree: Nodes, X: Array, y: Array) -> Array:
    """(m, k) how many rows of each class come through each node."""
    return counts_from_leaves(tree, leaf_of(tree, X), y)


def counts_from_leaves(tree: Nodes, leaves: Array, y: Array) -> Array:
    """(m, k) the same, from the (n,) leaf that each row comes to."""
    m, k = tree.counts.shape
    counts = np.bincount(leaves * k + y, minlength=m * k).reshape(m, k)
    for node in range(m - 1, -1, -1):
        left = tree.left[node]
        if left != LEAF:
            counts[node] = counts[left] + counts[left + 1]
    return counts


def sums_by_splits(left: Array, of_node: Array) -> Array:
    """(s + 1,) the sum of a number over the leaves, for the tree of 0 splits, of 1 and so on to its s."""
    inner = np.flatnonzero(left != LEAF)
    inner = inner[left[inner].argsort()]
    change = of_node[left[inner]] + of_node[left[inner] + 1] - of_node[inner]
    return np.concatenate((of_node[:1], of_node[0] + change.cumsum()))


def errors_by_leaves(tree: Nodes, X: Array, y: Array) -> Array:
    """(s + 1,) the share of rows not of their leaf's majority, for the tree of 1 leaf, of 2 and so on."""
    return errors_from_leaves(tree, leaf_of(tree, X), y)


def errors_from_leaves(tree: Nodes, leaves: Array, y: Array) -> Array:
    """(s + 1,) the same, from the (n,) leaf that each row comes to."""
    counts = counts_from_leaves(tree, leaves, y)
    missed = counts.sum(axis=1) - counts[np.arange(len(counts)), tree.counts.argmax(axis=1)]
    return sums_by_splits(tree.left, missed) / len(leaves)
