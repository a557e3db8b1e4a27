"""The nodes of a tree as arrays: where rows end, and what the tree was when it was smaller.

Children stand in the order in which they were split off: the s-th split made nodes 2s - 1 and 2s. So the tree of
s splits is in the first 2s + 1 nodes of any larger one that grew from it.
"""

from typing import Protocol

import numpy as np

from algorithms.core import Array

LEAF = -1  # stands for the left child of a node without one


class Nodes(Protocol):
    """What a tree is, for the m nodes of it; see DecisionTreeState."""

    @property
    def feature(self) -> Array: ...
    @property
    def threshold(self) -> Array: ...
    @property
    def left(self) -> Array: ...
    @property
    def counts(self) -> Array: ...


def leaf_of(tree: Nodes, X: Array) -> Array:
    """(n,) the leaf that each row comes to."""
    node, rows = np.zeros(len(X), np.intp), np.arange(len(X))
    while len(rows):
        at = node[rows]
        rows = rows[tree.left[at] != LEAF]
        at = node[rows]
        node[rows] = tree.left[at] + (X[rows, tree.feature[at]] > tree.threshold[at])
    return node


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


def depths(left: Array) -> Array:
    """(m,) questions from the root to each node."""
    depth = np.zeros(len(left), np.intp)
    for node, above in enumerate(parents(left)[1:].tolist(), 1):
        depth[node] = depth[above] + 1
    return depth


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
    m, k = tree.counts.shape
    counts = np.bincount(leaf_of(tree, X) * k + y, minlength=m * k).reshape(m, k)
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
