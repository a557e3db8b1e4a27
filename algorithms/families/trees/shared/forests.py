"""Forests: trees of questions grown on weighted rows, a level at a time and several of them at once.

All nodes of a level look for their questions together: node, rank, class and weight of a row stand in one integer, so
that one sort gives the rows of every node in the order of a feature. A tree hangs on its own rows and its own random
numbers alone: which others are grown beside it changes nothing in it.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.toolbox.impurity import Total
from algorithms.toolbox.questions import Columns
from algorithms.toolbox.trees import LEAF, Nodes

_NARROW = 40_000  # rows whose square is a narrow number


class Growth(Struct, frozen=True):
    """How trees are grown.

    Attributes:
        total: rows times impurity, for as many rows as the heaviest bag weighs.
        features: how many features a node draws to ask about; more only where none of these can be asked.
        max_depth: questions on the way to a leaf at most.
        min_leaf: rows in a leaf at least, by weight.
    """

    total: Total
    features: int
    max_depth: int = 100
    min_leaf: int = 1


class _Level(Struct, frozen=True, eq=False):
    """The nodes of a level that can be split, M rows in them.

    Attributes:
        tree: (A,) rising, which tree a node is of.
        name: (A,) its number there.
        counts: (k, A) its rows of each class, by weight.
        row, node, weight: (M,) the rows, the place of each one's node in the level, and how often it counts.
    """

    tree: Array
    name: Array
    counts: Array
    row: Array
    node: Array
    weight: Array


class _Best(Struct, frozen=True, eq=False):
    """The best questions of A nodes: (A,) feature, -1 for none; the ranks it parts; (k, A) rows on the left."""

    feature: Array
    low: Array
    high: Array
    cost: Array
    left: Array


class _Splits(Struct, frozen=True, eq=False):
    """What becomes of a level: (s,) tree, node, question and left child of its splits; (k, 2s) their parts."""

    tree: Array
    node: Array
    feature: Array
    threshold: Array
    left: Array
    parts: Array


def grown(columns: Columns, weights: Array, growth: Growth, seeds: Sequence[tuple[int, ...]]) -> tuple[Nodes, ...]:
    """Grow a tree on each of several bags, level by level, until no leaf can be split.

    Args:
        weights: (T, n) how often each row is in each bag.
        seeds: T of them: what the features that a tree draws hang on.
    """
    generators = [np.random.default_rng(seed) for seed in seeds]
    level = _roots(columns, weights)
    roots, sizes, done = level.counts, np.ones(len(weights), np.intp), list[_Splits]()
    level = _splittable(level, growth)
    for _ in range(growth.max_depth):
        if not len(level.tree):
            break
        best = _questions(columns, level, growth, _drawn(generators, level.tree, len(columns.keys), growth.features))
        splits = _splits(columns, level, best, sizes)
        sizes += 2 * np.bincount(splits.tree, minlength=len(sizes))
        done.append(splits)
        level = _splittable(_children(columns, level, best, splits), growth)
    return _trees(roots, done)


def _roots(columns: Columns, weights: Array) -> _Level:
    tree, row = np.nonzero(weights)
    weight = weights[tree, row]
    T, k = len(weights), columns.k
    counts = np.bincount(tree * k + columns.y[row], weight, T * k).astype(np.intp).reshape(T, k).T
    return _Level(np.arange(T), np.zeros(T, np.intp), np.ascontiguousarray(counts), row, tree, weight)


def _splittable(level: _Level, growth: Growth) -> _Level:
    """The nodes of a level in which there is something to ask: of two classes or more, and not too small."""
    sizes = level.counts.sum(axis=0)
    there = (level.counts.max(axis=0) < sizes) & (sizes >= 2 * growth.min_leaf)
    return level if there.all() else _chosen(level, there)


def _chosen(level: _Level, there: Array) -> _Level:
    """The level with some of its nodes alone."""
    rows = there[level.node]
    node = (there.cumsum() - 1)[level.node[rows]]
    return _Level(
        level.tree[there], level.name[there], level.counts[:, there], level.row[rows], node, level.weight[rows]
    )


def _drawn(generators: Sequence[np.random.Generator], tree: Array, d: int, features: int) -> Array | None:
    """(A, d) the features in the order in which each node draws them; None where it asks about all of them."""
    if features >= d:
        return None
    nodes = np.bincount(tree, minlength=len(generators)).tolist()
    keys = [rng.random((m, d)) for rng, m in zip(generators, nodes) if m]
    return np.concatenate(keys).argsort(axis=1)


def _questions(columns: Columns, level: _Level, growth: Growth, drawn: Array | None) -> _Best:
    """The best question of each node about the features that it draws; beyond those only until there is one."""
    d = len(columns.keys)
    if drawn is None:
        order = np.broadcast_to(np.arange(d), (len(level.tree), d))
        return _best_about(columns, level, growth.total, growth.min_leaf, order)
    best = _best_about(columns, level, growth.total, growth.min_leaf, drawn[:, : growth.features])
    for slot in range(growth.features, d):
        without = best.feature < 0
        if not without.any():
            break
        more = _best_about(
            columns, _chosen(level, without), growth.total, growth.min_leaf, drawn[without, slot : slot + 1]
        )
        best = _filled(best, without, more)
    return best


def _filled(best: _Best, where: Array, more: _Best) -> _Best:
    fields = {name: getattr(best, name).copy() for name in _Best.__struct_fields__}
    for name, of_all in fields.items():
        of_all[..., where] = getattr(more, name)
    return _Best(**fields)


def _best_about(columns: Columns, level: _Level, total: Total, least: int, asked: Array) -> _Best:
    """The best question of each node about (A, f) features, of equal ones that of the first, and its lowest."""
    order = _ordering(columns, level)
    A, k, of_rank = len(level.tree), columns.k, (1 << len(columns.X).bit_length()) - 1
    feature, cost = np.full(A, -1), np.full(A, np.inf)
    low, high, best_left = np.zeros(A, np.intp), np.zeros(A, np.intp), np.zeros((k, A), np.intp)
    for slot in asked.T:
        packed = _keys_of(columns, level, slot).astype(order.known.dtype, copy=False)
        packed <<= order.shift
        packed += order.known
        packed.sort()
        ranks = packed >> order.shift + columns.bits
        parted, left = _parted(packed, ranks, order, total, least)
        lowest = np.minimum.reduceat(parted, order.starts)
        better = np.flatnonzero(lowest < cost)
        if len(better):
            hits = np.flatnonzero(parted == np.repeat(lowest, order.many))
            at = hits[np.searchsorted(hits, order.starts[better])]
            feature[better], cost[better] = slot[better], lowest[better]
            low[better], high[better] = ranks[at] & of_rank, ranks[at + 1] & of_rank
            best_left[:, better] = left[:, at]
    return _Best(feature, low, high, cost, best_left)


def _keys_of(columns: Columns, level: _Level, asked: Array) -> Array:
    """(M,) the rank of each row's value of the feature that its node is (A,) asked about, and below it the class."""
    if (asked == asked[0]).all():
        return np.asarray(columns.keys[asked[0]].take(level.row))
    return np.asarray(columns.keys.ravel().take((asked * len(columns.X)).take(level.node) + level.row))


class _Ordering(Struct, frozen=True, eq=False):
    """How the M rows of a level are put in order, node by node, and what does not hang on the feature.

    Attributes:
        known: (M,) a row's node and weight in one integer, which its rank and class are added to, between them.
        shift: bits of the weight, which come last.
        of_class: the mask of the class, whose bits are the next.
        many, starts: (A,) rows of each node, and where they begin.
        before, through: (k, M) rows of each class in the nodes before the node of each row, and in these and it.
    """

    known: Array
    shift: int
    of_class: int
    many: Array
    starts: Array
    before: Array
    through: Array


def _ordering(columns: Columns, level: _Level) -> _Ordering:
    A, shift = len(level.tree), int(level.weight.max()).bit_length()
    below = len(columns.X).bit_length() + columns.bits + shift  # bits of all but the node
    narrow = A.bit_length() + below < 32  # narrow numbers sort faster
    known = (level.node << below) + level.weight
    many = np.bincount(level.node, minlength=A)
    few = int(level.counts.sum(axis=0).max()) < _NARROW and int(level.counts.sum()) < 2**31
    through = level.counts.cumsum(axis=1, dtype=np.int32 if few else np.int64)
    before = through - level.counts.astype(through.dtype)
    return _Ordering(
        known=known.astype(np.int32 if narrow else np.int64),
        shift=shift,
        of_class=(1 << columns.bits) - 1,
        many=many,
        starts=many.cumsum() - many,
        before=np.repeat(before, many, axis=1),
        through=np.repeat(through, many, axis=1),
    )


def _parted(packed: Array, ranks: Array, order: _Ordering, total: Total, least: int) -> tuple[Array, Array]:
    """(M,) rows times impurity, parted after each row, infinite where they cannot be; (k, M) rows on the left."""
    left = _so_far(packed, order)
    right = order.through - left
    left -= order.before
    on_left, on_right = left.sum(axis=0, dtype=left.dtype), right.sum(axis=0, dtype=right.dtype)
    parted = total(left, on_left)
    parted += total(right, on_right)
    parted[:-1][ranks[1:] == ranks[:-1]] = np.inf
    if least > 1:
        parted[(on_left < least) | (on_right < least)] = np.inf
    parted[order.starts[1:] - 1] = parted[-1] = np.inf
    return parted, left


def _so_far(packed: Array, order: _Ordering) -> Array:
    """(k, M) the rows of each class up to each row, those of the nodes before its own among them, by weight."""
    weight, code = packed & ((1 << order.shift) - 1), packed >> order.shift & order.of_class
    sums = np.empty_like(order.before)
    weight.cumsum(dtype=sums.dtype, out=sums[0])
    for c in range(1, len(sums)):
        of_class = weight * (code == c) if len(sums) > 2 else weight * code
        of_class.cumsum(dtype=sums.dtype, out=sums[c])
        sums[0] -= sums[c]
    return sums


def _splits(columns: Columns, level: _Level, best: _Best, sizes: Array) -> _Splits:
    """The splits of a level, their children numbered on in each tree."""
    at = np.flatnonzero(best.feature >= 0)
    tree, feature = level.tree[at], best.feature[at]
    low, high = columns.values[feature, best.low[at]], columns.values[feature, best.high[at]]
    middle = low / 2 + high / 2
    threshold = np.where((low <= middle) & (middle < high), middle, low)
    first = np.searchsorted(tree, tree)  # of the splits of the same tree
    left = sizes[tree] + 2 * (np.arange(len(at)) - first)
    on_left = best.left[:, at]
    parts = np.empty((len(on_left), 2 * len(at)), level.counts.dtype)
    parts[:, ::2], parts[:, 1::2] = on_left, level.counts[:, at] - on_left
    return _Splits(tree, level.name[at], feature, threshold, left, parts)


def _children(columns: Columns, level: _Level, best: _Best, splits: _Splits) -> _Level:
    """The level below: the two parts of each node that is split."""
    there = best.feature >= 0
    if not there.all():
        level = _chosen(level, there)
    low, feature = best.low[there], best.feature[there]
    name, tree = np.repeat(splits.left, 2), np.repeat(splits.tree, 2)
    name[1::2] += 1
    node = 2 * level.node
    if len(low):
        node += _keys_of(columns, level, feature) >> columns.bits > low.take(level.node)
    return _Level(tree, name, splits.parts, level.row, node, level.weight)


def _trees(roots: Array, done: Sequence[_Splits]) -> tuple[Nodes, ...]:
    """The trees, from their (k, T) roots and what became of each level."""
    if not done:
        return tuple(_tree(root[:, None], *np.zeros((4, 0))) for root in roots.T)
    tree, node, feature, threshold, left = (
        np.concatenate([getattr(splits, name) for splits in done])
        for name in ("tree", "node", "feature", "threshold", "left")
    )
    of_children = np.concatenate([splits.parts for splits in done], axis=1)
    order = tree.argsort(kind="stable")  # tree by tree, the levels of each in order
    ends = np.searchsorted(tree[order], np.arange(1, roots.shape[1]))
    grown = []
    for root, at in zip(roots.T, np.split(order, ends)):
        counts = np.empty((len(root), 1 + 2 * len(at)), roots.dtype)
        counts[:, 0], counts[:, 1::2], counts[:, 2::2] = root, of_children[:, 2 * at], of_children[:, 2 * at + 1]
        grown.append(_tree(counts, node[at], feature[at], threshold[at], left[at]))
    return tuple(grown)


def _tree(counts: Array, node: Array, feature: Array, threshold: Array, left: Array) -> Nodes:
    """A tree of (k, m) rows of each class, from its (s,) splits."""
    m, node = counts.shape[1], node.astype(np.intp)
    tree = Nodes(np.full(m, LEAF), np.full(m, np.nan), np.full(m, LEAF), counts.T.copy("C"))
    tree.feature[node], tree.threshold[node], tree.left[node] = feature, threshold, left
    for array in (tree.feature, tree.threshold, tree.left, tree.counts):
        array.setflags(write=False)  # so that all states hold the same tree
    return tree
