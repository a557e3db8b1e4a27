"""Pruning: a node with all below it becomes a leaf, where that costs least.

    reduced error     bottom up, each node that is wrong on no more of the pruning rows as a leaf than its leaves are
    cost complexity   the weakest link: the node with the least  g(t) = (R(t) - R(T_t)) / (leaves below t - 1),

where R(t) = n_t/n I(t), R(T_t) is the sum of R over the leaves below t, and g the α at which R + α · leaves is alike
with them and without. Rows that decide what is pruned no longer measure: of the rows held out every second one does.

References: Quinlan (1987), Simplifying decision trees, International Journal of Man-Machine Studies 27; Breiman,
Friedman, Olshen and Stone (1984), Classification and Regression Trees, chapter 3.
"""

from typing import Literal

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.toolbox.impurity import Total
from algorithms.toolbox.trees import LEAF, Nodes, counts_at_nodes

Pruning = Literal["none", "reduced error", "cost complexity"]
NOTHING = -1  # no node is to be pruned
_PRUNING, MEASURING = slice(0, None, 2), slice(1, None, 2)  # of the rows held out
_SAME = 1e-12  # of R: links that differ by less are as weak


def pruning_rows(aside: Dataset) -> tuple[Array, Array]:
    """(m, d) and (m,) of the rows held out, those that prune: the first, the third and so on."""
    return aside.X[_PRUNING], np.asarray(aside.y)[_PRUNING]


def measuring_rows(aside: Dataset) -> tuple[Array, Array]:
    """The others, which measure."""
    return aside.X[MEASURING], np.asarray(aside.y)[MEASURING]


def next_node(pruning: Pruning, data: Dataset, tree: Nodes, total: Total) -> int:
    """The node that becomes a leaf next; NOTHING where pruning ends."""
    if pruning == "none" or len(tree.left) == 1:
        return NOTHING
    if pruning == "cost complexity":
        return weakest(tree.left, links(tree.left, costs(tree, total)))
    assert data.held_out is not None
    wrong = wrong_at_nodes(tree, *pruning_rows(data.held_out))
    no_worse = np.flatnonzero((tree.left != LEAF) & (wrong <= below(tree.left, wrong)))
    return int(no_worse[-1]) if len(no_worse) else NOTHING  # children come after their parents: the last is lowest


def costs(tree: Nodes, total: Total) -> Array:
    """(m,) R(t) = n_t/n I(t)."""
    rows = tree.counts.sum(axis=1)
    return np.asarray(total(tree.counts.T, rows) / rows[0])


def wrong_at_nodes(tree: Nodes, X: Array, y: Array) -> Array:
    """(m,) rows that come to a node and are not of the class that it would vote for as a leaf."""
    there = counts_at_nodes(tree, X, y)
    return np.asarray(there.sum(axis=1) - there[np.arange(len(there)), tree.counts.argmax(axis=1)])


def below(left: Array, of_node: Array) -> Array:
    """(m,) the sum of a number over the leaves below each node; a leaf's own."""
    sums = of_node.copy()
    for node in range(len(left) - 1, -1, -1):
        if left[node] != LEAF:
            sums[node] = sums[left[node]] + sums[left[node] + 1]
    return sums


def least_below(left: Array, of_node: Array) -> Array:
    """(m,) the least of such sums, of all trees that what is below a node can be pruned to."""
    least = of_node.astype(float)
    for node in range(len(left) - 1, -1, -1):
        if left[node] != LEAF:
            least[node] = min(least[node], least[left[node]] + least[left[node] + 1])
    return least


def links(left: Array, cost: Array) -> Array:
    """(m,) g(t), how much each leaf more lowers R; infinity at leaves."""
    inner = left != LEAF
    more = below(left, np.ones(len(left))) - 1
    return np.where(inner, (cost - below(left, cost)) / np.maximum(more, 1), np.inf)


def weakest(left: Array, link: Array) -> int:
    """The first node with the least g; NOTHING in a tree of one leaf."""
    return int((link <= link.min() + _SAME).argmax()) if (left != LEAF).any() else NOTHING


def kept_nodes(left: Array, node: int) -> Array:
    """(m,) bool: the nodes that are not below a node."""
    gone = np.zeros(len(left), bool)
    for parent in range(node, len(left)):
        if left[parent] != LEAF and (parent == node or gone[parent]):
            gone[left[parent] : left[parent] + 2] = True
    return ~gone


def renumbered(left: Array, node: int, kept: Array) -> Array:
    """The left children of the nodes that are kept, by their new numbers."""
    number = np.cumsum(kept) - 1
    remaining = np.where(left == LEAF, LEAF, number[left])
    remaining[node] = LEAF
    return np.asarray(remaining[kept])
