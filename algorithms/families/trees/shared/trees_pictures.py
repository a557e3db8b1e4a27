"""Panels of trees of questions: the regions of the leaves, the tree as an outline, questions and rows in words."""

from typing import TypeVar

import numpy as np

from algorithms.core import Array, Dataset, Hyperplane, Panel, Region, Segments, Tree
from algorithms.core.scene import Mark
from algorithms.toolbox.impurity import Total
from algorithms.toolbox.questions import Columns
from algorithms.toolbox.trees import LEAF, Nodes, box, falls_at_nodes, grow, leaf_of, parents

Values = TypeVar("Values", float, Array)

MARGIN = 0.06  # of the data's extent, seen around them
_FEW_CLASSES = 6  # so many counts can be read side by side
_SMALL = 8  # leaves
NEWEST = "newest question"


def regions(tree: Nodes, X: Array) -> Region:
    """Each leaf in the tone of its majority, the stronger the purer."""
    shares = tree.counts / np.maximum(tree.counts.sum(axis=1, keepdims=True), 1)

    def score(at: Array) -> Array:
        return np.asarray(shares[leaf_of(tree, at)])

    return Region(score=score, depth=1.0, check=X)


def telling_features(columns: Columns, total: Total, max_depth: int, min_leaf: int) -> tuple[int, int] | None:
    """The two features whose questions make a small tree of all rows purest: on them its leaves are seen best."""
    n, d = columns.X.shape
    if d < 2:
        return None
    tree = grow(columns, np.arange(n), total, max_leaves=_SMALL, max_depth=max_depth, min_leaf=min_leaf)
    inner = tree.left != LEAF
    falls = np.bincount(tree.feature[inner], falls_at_nodes(tree.left, tree.counts, total)[inner], d)
    first, second = np.argsort(-falls, kind="stable")[:2].tolist()
    return first, second


def corners(data: Dataset) -> tuple[Array, Array]:
    """(d,) each: the least and the greatest of each feature."""
    return data.X.min(axis=0), data.X.max(axis=0)


def question_line(data: Dataset, tree: Nodes, node: int) -> tuple[Mark, ...]:
    """Where the question of a node parts its rows: within its box; of more features than two where a plane cuts it."""
    feature, at = int(tree.feature[node]), float(tree.threshold[node])
    if feature < 0:
        return ()
    if data.d != 2:
        normal, far = np.zeros(data.d), np.full(data.d, np.inf)
        normal[feature] = 1.0
        return (Hyperplane(normal=normal, offset=-at, tone="accent", name=NEWEST, box=box(tree, node, -far, far)),)
    low, high = data.once(corners)
    room = MARGIN * (high - low)
    start, end = box(tree, node, low - room, high + room)
    start[feature] = end[feature] = at
    return (Segments(start=start, end=end, tone="accent", name=NEWEST),)


def outline(data: Dataset, tree: Nodes, node: int, way: tuple[int, ...] = (), row: int = 0) -> Panel:
    """The tree itself: what a node asks, or whom a leaf votes for, and how many rows of each class it has.

    Args:
        way: the nodes by which a row goes down, the last of them its leaf; () for none.
        row: which row that is.
    """
    texts, tones = [], []
    for i, (left, counts) in enumerate(zip(tree.left.tolist(), tree.counts.tolist())):
        vote = int(np.argmax(counts))
        text = data.classes[vote] if left == LEAF else asks(data, tree, i)
        goes = f"  · row {row} {'ends here' if i == way[-1] else 'goes on'}" if i in way else ""
        texts.append(f"{text}  {counted(counts, left == LEAF)}{goes if i else of_classes(data)}")
        tones.append(vote if left == LEAF else None)
    note = f"{data.target}: {', '.join(data.classes)}" if len(data.classes) <= _FEW_CLASSES else ""
    mark = Tree(parents=parents(tree.left), texts=tuple(texts), tones=tuple(tones), marked=(node,))
    return Panel(title="the tree", marks=(mark,), note=note)


def asks(data: Dataset, tree: Nodes, node: int) -> str:
    """The question of a node, in the units the data came in: "petal_length <= 2.45"."""
    feature = int(tree.feature[node])
    return f"{data.features[feature]} <= {in_units(data, feature, float(tree.threshold[node])):.4g}"


def in_units(data: Dataset, feature: int, value: Values) -> Values:
    """A value of a feature, or many, as the data had them before they were scaled."""
    return value * float(data.spread[feature]) + float(data.centre[feature])


def of_classes(data: Dataset) -> str:
    """Say what the counts of a node are of, where they are read side by side: " (upper/lower)"."""
    return f" ({'/'.join(data.classes)})" if len(data.classes) <= _FEW_CLASSES else ""


def counted(counts: list[int], leaf: bool) -> str:
    """How many rows there are of each class: "50/0/50"; of many classes how many rows, and of a leaf's vote."""
    if len(counts) <= _FEW_CLASSES:
        return "/".join(map(str, counts))
    return f"{max(counts)} of {sum(counts)}" if leaf else f"{sum(counts)} rows"


def spelt(data: Dataset, counts: Array) -> str:
    """The classes that are there, the most frequent first: "49 versicolor, 5 virginica", "34 of 0, 1 of 8"."""
    order = [c for c in np.argsort(-counts, kind="stable").tolist() if counts[c]]
    named = ", ".join(f"{counts[c]} {'of ' * data.classes[c][:1].isdigit()}{data.classes[c]}" for c in order[:3])
    more = len(order) - 3
    return named + (f" and {more} class{'es' * (more > 1)} more" if more > 0 else "")


def part(data: Dataset, counts: Array) -> str:
    """Some rows by their classes: "33 versicolor", "50 (46 upper, 4 lower)"."""
    classes = spelt(data, counts)
    return classes if np.count_nonzero(counts) == 1 else f"{counts.sum()} ({classes})"
