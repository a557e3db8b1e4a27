"""What a step of a growing tree is about: a node, its rows, and what can be asked of them."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.impurity import Criterion, Total, impurity
from algorithms.toolbox.questions import Survey, columns_of, counts_of, survey
from algorithms.toolbox.trees import LEAF, Nodes, rows_at


class Look(Struct, frozen=True, eq=False, dict=True):
    """A tree, and the node that a step is about: the leaf looked at, or the node just split or pruned.

    Attributes:
        come_to: finds the leaf that each row comes to, (n,).
        gain: (m,) n_l/n times the gain of what a node asks, or a leaf would.
        total: rows times impurity, as the tree measures it.
        least: rows in a leaf at least.
    """

    data: Dataset
    tree: Nodes
    come_to: Callable[[], Array]
    gain: Array
    node: int
    criterion: Criterion
    total: Total
    least: int

    @cached_property
    def rows(self) -> Array:
        """The rows of the node."""
        return rows_at(self.tree, self.data.X, self.node)

    @cached_property
    def counts(self) -> Array:
        """(k,) how many of them there are of each class."""
        return counts_of(self.data.once(columns_of), self.rows)

    @property
    def impurity(self) -> Array:
        return impurity(self.criterion, self.counts)

    @cached_property
    def survey(self) -> Survey | None:
        """What can be asked of them; None if they are too few."""
        if len(self.rows) < 2 * self.least:
            return None
        return survey(self.data.once(columns_of), self.rows, self.counts, self.total, self.least)

    @property
    def asks(self) -> bool:
        """Whether there is something to ask."""
        return bool(self.tree.feature[self.node] >= 0)

    @cached_property
    def parts(self) -> tuple[Array, Array]:
        """The rows that go either way by the node's question."""
        goes_left = self.data.X[self.rows, self.tree.feature[self.node]] <= self.tree.threshold[self.node]
        return self.rows[goes_left], self.rows[~goes_left]

    @property
    def counts_of_parts(self) -> tuple[Array, Array]:
        """(k,) each: their classes."""
        columns = self.data.once(columns_of)
        return counts_of(columns, self.parts[0]), counts_of(columns, self.parts[1])

    @property
    def fall_by_parting(self) -> float:
        """How far Σ n_l/n I(l) falls by the question, from the rows that go either way."""
        whole, left, right = (float(self.total(c, c.sum())) for c in (self.counts, *self.counts_of_parts))
        return (whole - left - right) / self.data.n

    @property
    def leaves(self) -> Array:
        """(l,) the nodes that are leaves."""
        return np.flatnonzero(self.tree.left == LEAF)

    @property
    def earlier_leaves(self) -> Array:
        """The leaves of the tree before its last split."""
        left = self.tree.left
        earlier = len(left) - 2
        return np.flatnonzero((left[:earlier] == LEAF) | (left[:earlier] == earlier))

    @cached_property
    def leaf_of_rows(self) -> Array:
        """(n,) the leaf that each row comes to."""
        return self.come_to()

    @cached_property
    def wrong(self) -> Array:
        """(n,) bool: the rows that are not of their leaf's majority."""
        return np.asarray(self.tree.counts.argmax(axis=1)[self.leaf_of_rows] != self.data.y)

    def over(self, leaves: Array) -> float:
        """Σ n_l/n I(l) over some leaves."""
        return over_leaves(self.total, self.tree.counts[leaves])

    @property
    def size_of_sums(self) -> float:
        """The largest number that is added on the way to a mean impurity: log2 n, of (1/n) Σ n_l log2 n_l."""
        return 1.0 + float(np.log2(self.data.n))


def over_leaves(total: Total, counts: Array) -> float:
    """Σ n_l/n I(l) for leaves with (leaves, k) counts."""
    return float(total(counts.T, counts.sum(axis=1)).sum() / counts.sum())
