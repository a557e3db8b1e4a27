"""Questions x[feature] <= threshold: all that can be asked of some rows, and what each of them gains.

Each column is sorted once. A value is then known by its rank, the number of rows below it, and rank and class
stand in one integer, so that sorting a few integers gives the rows of a leaf in order with their classes.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.impurity import Total

_AT_ONCE = 1 << 17  # numbers that stay in the processor's cache


class Columns(Struct, frozen=True, eq=False):
    """The features of a data set, sorted.

    Attributes:
        X: (n, d) the features.
        y: (n,) the classes.
        keys: (d, n) rank of a row's value times 2^bits, plus the row's class.
        values: (d, n) each feature's values in order: that of rank r is values[feature, r].
        bits: that a class takes.
        k: classes.
    """

    X: Array
    y: Array
    keys: Array
    values: Array
    bits: int
    k: int


class Question(Struct, frozen=True):
    """x[feature] <= threshold? and how far rows times impurity falls when the rows are parted by it."""

    feature: int
    threshold: float
    fall: float


NO_QUESTION = Question(-1, np.nan, -np.inf)  # the rows are alike, or too few


def columns_of(data: Dataset) -> Columns:
    """The features of data with classes, sorted; to be asked for by `data.once(columns_of)`."""
    return sorted_columns(data.X, np.asarray(data.y), len(data.classes))


def sorted_columns(X: Array, y: Array, k: int) -> Columns:
    """The features of n rows of k classes, sorted."""
    n, bits = len(X), (k - 1).bit_length()
    columns = np.ascontiguousarray(X.T)
    order = columns.argsort(axis=1)
    values = np.take_along_axis(columns, order, axis=1)
    ranks = np.zeros(order.shape, np.int32 if n << bits < 2**31 else np.int64)  # narrow numbers sort faster
    ranks[:, 1:] = np.where(values[:, 1:] > values[:, :-1], np.arange(1, n), 0)
    np.maximum.accumulate(ranks, axis=1, out=ranks)
    keys = np.empty_like(ranks)
    np.put_along_axis(keys, order, ranks, axis=1)
    return Columns(X, y, keys << bits | y.astype(keys.dtype), values, bits, k)


def best_question(columns: Columns, rows: Array, counts: Array, total: Total, least: int) -> Question:
    """The question that gains most; of equal ones the first feature's, and its lowest threshold.

    Args:
        rows: (m,) the rows of a leaf, 2 `least` or more; one may come several times.
        counts: (k,) how many of them are of each class.
        total: rows times impurity.
        least: how many rows go either way at least.
    """
    best, m = NO_QUESTION, len(rows)
    for features in blocks(columns, m):
        ranks, parted = partings(columns, features, rows, counts, total)
        asked = parted[:, least - 1 : m - least]
        j, place = divmod(int(asked.argmin()), asked.shape[1])
        fall = float(parted[0, -1] - asked[j, place])
        if fall > best.fall:
            feature, place = features.start + j, least - 1 + place
            low, high = columns.values[feature, ranks[j, place : place + 2]].tolist()
            best = Question(feature, between(low, high), fall)
    return best


def partings(columns: Columns, features: slice, rows: Array, counts: Array, total: Total) -> tuple[Array, Array]:
    """(f, m) the ranks of some features in order, and rows times impurity when the rows are parted after each place.

    Between equal neighbours there is nothing to ask: infinity. After the last row, all of them are on the left.
    """
    keys = columns.keys[features].take(rows, axis=1)
    keys.sort(axis=1)
    ranks = keys >> columns.bits
    keys &= (1 << columns.bits) - 1
    m, k = len(rows), columns.k
    sizes = np.empty((2, 1, m), np.intp)
    sizes[0] = np.arange(1, m + 1)
    np.subtract(m, sizes[0], out=sizes[1])
    sides = np.empty((k, 2, *keys.shape), np.intp)  # rows of each class on the left and on the right
    left, right = sides[:, 0], sides[:, 1]
    for c in range(1, k):
        of_class = keys if k == 2 else keys == c
        of_class.cumsum(axis=1, out=left[c])
    np.subtract(sizes[0], left[1], out=left[0])
    for c in range(2, k):
        left[0] -= left[c]
    np.subtract(counts[:, None, None], left, out=right)
    parted, on_the_right = total(sides, sizes)
    parted += on_the_right
    np.copyto(parted[:, :-1], np.inf, where=ranks[:, 1:] == ranks[:, :-1])
    return ranks, parted


class Survey(Struct, frozen=True, eq=False):
    """All that can be asked of some rows.

    Attributes:
        best: the best question about each feature, NO_QUESTION where there is none.
        asked: how many questions there are.
        least: the least fall of rows times impurity by one of them; infinity without any.
        greatest: the greatest; minus infinity without any.
    """

    best: tuple[Question, ...]
    asked: int
    least: float

    @property
    def greatest(self) -> float:
        return max(question.fall for question in self.best)


def survey(columns: Columns, rows: Array, counts: Array, total: Total, least: int) -> Survey:
    """What best_question chooses from."""
    best: list[Question] = []
    asked, lowest, m = 0, np.inf, len(rows)
    for features in blocks(columns, m):
        ranks, parted = partings(columns, features, rows, counts, total)
        falls = parted[0, -1] - parted[:, least - 1 : m - least]
        there = falls > -np.inf
        asked += int(there.sum())
        lowest = min(lowest, float(falls[there].min(initial=np.inf)))
        for j, place in enumerate(falls.argmax(axis=1).tolist()):
            low, high = columns.values[features.start + j, ranks[j, place + least - 1 : place + least + 1]].tolist()
            question = Question(features.start + j, between(low, high), float(falls[j, place]))
            best.append(question if there[j, place] else NO_QUESTION)
    return Survey(tuple(best), asked, lowest)


def falls_along(
    columns: Columns, feature: int, rows: Array, counts: Array, total: Total, least: int
) -> tuple[Array, Array]:
    """(u,) the different values of a feature in order, and (u - 1,) the fall by a threshold between each and the next.

    It is NaN where too few rows would go either way.
    """
    ranks, parted = partings(columns, slice(feature, feature + 1), rows, counts, total)
    last = np.flatnonzero(np.append(ranks[0, 1:] != ranks[0, :-1], True))  # of the rows with a value
    falls = parted[0, -1] - parted[0, last[:-1]]
    allowed = (last[:-1] + 1 >= least) & (len(rows) - last[:-1] - 1 >= least)
    return columns.values[feature, ranks[0, last]], np.where(allowed, falls, np.nan)


def counts_of(columns: Columns, rows: Array) -> Array:
    """(k,) how many of the rows are of each class."""
    return np.bincount(columns.y[rows], minlength=columns.k)


def blocks(columns: Columns, rows: int) -> list[slice]:
    """The features, so many at a time as are best looked at together."""
    d, together = len(columns.keys), max(_AT_ONCE // (2 * rows * columns.k), 1)
    return [slice(j, min(j + together, d)) for j in range(0, d, together)]


def between(low: float, high: float) -> float:
    """Half-way, or `low` where rounding would put it on the other side."""
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low
