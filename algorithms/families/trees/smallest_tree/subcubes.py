"""Subcubes: rows as combinations of bits, and the sets of them in which some bits are told and the others free.

A subcube is written as a digit a bit: 0 or 1 where it is told, * where it is free. It is known by a number, its digits
to the base 3 with 2 for *, the first bit's first; so over d bits there are 3^d, and the last is all combinations.
"""

from functools import cache

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.impurity import Criterion, total_impurity
from algorithms.toolbox.labellings import digits
from algorithms.toolbox.questions import sorted_columns
from algorithms.toolbox.trees import LEAF, Nodes, grow

FREE = 2


class Subcubes(Struct, frozen=True, eq=False):
    """All subcubes of the combinations of bits that the rows of a data set have.

    Attributes:
        cuts: (d,) bit j of a row is 1 where its feature j is above cuts[j].
        rows: (n,) which combination each row has.
        bits: (c, d) the combinations, 0 or 1.
        classes: (c,) what most rows of each are, the first class of equal ones.
        free: (3^d, d) bool, which bits of a subcube are free.
        holds: (3^d, c) bool, which combinations are in it.
        pure: (3^d,) bool, whether they are of one class, or there are none.
        turns: (m, 2) every question that is to be asked: a mixed subcube and one of its free bits, the smallest first.
        k: classes.
    """

    cuts: Array
    rows: Array
    bits: Array
    classes: Array
    free: Array
    holds: Array
    pure: Array
    turns: Array
    k: int

    @property
    def whole(self) -> int:
        """The subcube of all combinations."""
        return len(self.pure) - 1

    def parts(self, cube: int, bit: int) -> tuple[int, int]:
        """The two halves of a subcube in which a free bit is told: 0, 1."""
        place = 3 ** (len(self.cuts) - 1 - bit)
        return cube - FREE * place, cube - place

    def written(self, cube: int) -> str:
        """A digit a bit: "0 * 1 *"."""
        return " ".join("01*"[digit] for digit in digits(cube, 3, len(self.cuts)).tolist())


def subcubes(data: Dataset, d: int) -> Subcubes:
    """Cut each of the first d features in two, near its median; to be asked for by `data.once(subcubes, d)`."""
    d, y, k = min(d, data.d), np.asarray(data.y), len(data.classes)
    cuts = np.array([cut(data.X[:, j]) for j in range(d)])
    bits, rows = np.unique((data.X[:, :d] > cuts).astype(np.int64), axis=0, return_inverse=True)
    rows = rows.ravel()
    counts = np.zeros((len(bits), k), np.int64)
    np.add.at(counts, (rows, y), 1)
    classes = counts.argmax(axis=1)
    numbers = np.array([digits(number, 3, d) for number in range(3**d)])
    holds = ((numbers[:, None] == FREE) | (numbers[:, None] == bits)).all(axis=2)
    there = [holds[:, classes == c].any(axis=1) for c in range(k)]
    pure, free = np.sum(there, axis=0) <= 1, numbers == FREE
    order = free.sum(axis=1).argsort(kind="stable")
    turns = [(cube, bit) for cube in order.tolist() if not pure[cube] for bit in np.flatnonzero(free[cube]).tolist()]
    return Subcubes(cuts, rows, bits, classes, free, holds, pure, np.array(turns).reshape(-1, 2), k)


def cut(values: Array) -> float:
    """Half-way between two neighbouring values, the lower of which is the median or next below it."""
    there = np.unique(values)
    if len(there) == 1:
        return float(there[0])
    place = min(int(np.searchsorted(there, np.median(values), side="right")) - 1, len(there) - 2)
    return float(there[place] / 2 + there[place + 1] / 2)


def trees_over(bits: int) -> float:
    """How many trees there are that ask each bit at most once on the way to a leaf: T(d) = 1 + d T(d - 1)²."""
    trees = 1.0
    for d in range(1, bits + 1):
        trees = 1 + d * trees**2
    return trees


def least_leaves(bits: Array, classes: Array) -> int:
    """The least leaves of a tree that is right on (c, d) combinations of bits: from all of them down, each set once."""
    ones = [frozenset(np.flatnonzero(column).tolist()) for column in bits.T]
    named = classes.tolist()

    @cache
    def least(there: frozenset[int]) -> int:
        if len({named[i] for i in there}) <= 1:
            return 1
        parts = ((there & one, there - one) for one in ones)
        return min(least(yes) + least(no) for yes, no in parts if yes and no)

    return least(frozenset(range(len(named))))


def written_tree(cubes: Subcubes, question: Array, cube: int) -> Nodes:
    """The tree of a subcube in which each subcube asks about its bit in (3^d,) `question`, -1 for a leaf."""
    places, left, feature = [cube], [], []
    for at in places:  # which grows on the way
        asked = int(question[at])
        feature.append(asked)
        left.append(len(places) if asked >= 0 else LEAF)
        if asked >= 0:
            places.extend(cubes.parts(at, asked))
    return of_rows(cubes, np.array(feature), np.array(left), cubes.holds[places])


def greedy_tree(cubes: Subcubes, cube: int, criterion: Criterion) -> Nodes:
    """The tree of a subcube that asks the most gainful question first, until every leaf is of one class."""
    held = np.flatnonzero(cubes.holds[cube])
    columns = sorted_columns(cubes.bits[held].astype(float), cubes.classes[held], cubes.k)
    tree = grow(columns, np.arange(len(held)), total_impurity(criterion, len(held)), max_leaves=len(held))
    holds = np.zeros((len(tree.left), len(cubes.bits)), bool)
    holds[0] = cubes.holds[cube]
    for node in np.flatnonzero(tree.left != LEAF).tolist():
        one = cubes.bits[:, tree.feature[node]] == 1
        holds[tree.left[node]], holds[tree.left[node] + 1] = holds[node] & ~one, holds[node] & one
    return of_rows(cubes, tree.feature, tree.left, holds)


def of_rows(cubes: Subcubes, feature: Array, left: Array, holds: Array) -> Nodes:
    """The tree with its combinations of each class, (m, c) bool which of them come through each node."""
    counts = np.array([np.bincount(cubes.classes[there], minlength=cubes.k) for there in holds])
    inner = left != LEAF
    threshold = np.where(inner, cubes.cuts[np.where(inner, feature, 0)], np.nan)
    return Nodes(np.where(inner, feature, LEAF), threshold, left, counts)


def leaves_in(tree: Nodes) -> int:
    """How many leaves a tree has."""
    return int((tree.left == LEAF).sum())


def wrong_in(tree: Nodes) -> int:
    """How many combinations are not of their leaf's majority."""
    counts = tree.counts[tree.left == LEAF]
    return int((counts.sum(axis=1) - counts.max(axis=1)).sum())
