"""What there is to see of a tree: its regions, itself, what it asks, and what its size does to its errors."""

import numpy as np

from algorithms.core import (
    Array,
    Dataset,
    Hyperplane,
    Labels,
    Panel,
    Path,
    Points,
    Problem,
    Region,
    Scene,
    Segments,
    Table,
    Tree,
)
from algorithms.core.scene import Mark
from algorithms.toolbox.impurity import Criterion, impurity
from algorithms.trees._nodes import (
    LEAF,
    Nodes,
    box,
    counts_at_nodes,
    leaf_of,
    parents,
    sums_by_splits,
)
from algorithms.trees._questions import falls_along, in_hand, sorted_columns, total_of

_FEW_CLASSES = 6  # so many counts can be read side by side
_MARGIN = 0.06  # of the data's extent, seen around them
_MOST_LISTED = 60
IMPURITIES = {"entropy": "entropy", "gini": "Gini index", "error": "error"}
_UNITS = {"entropy": " bits", "gini": "", "error": ""}


def scene(problem: Problem, tree: Nodes) -> Scene:
    return Scene(
        (
            stage(problem, tree),
            outline(problem, tree),
            gain_panel(problem, tree),
            error_panel(problem, tree),
            features_table(problem, tree),
            leaves_table(problem, tree),
        )
    )


def stage(problem: Problem, tree: Nodes) -> Panel:
    """The data in the rectangles of the leaves, with the question in hand."""
    data, rows = problem.data, problem.of(in_hand, tree).rows
    majority = tree.counts.argmax(axis=1)
    here = np.zeros(data.n)
    here[rows] = 1.0
    points = Points(at=data.X, classes=data.y, weights=here, crossed=majority[leaf_of(tree, data.X)] != data.y)
    return Panel(title="the leaves", space="data", marks=(regions(tree, data.X), points, *question_line(problem, tree)))


def regions(tree: Nodes, X: Array) -> Region:
    """Each leaf in the tone of its majority, the stronger the purer."""
    shares = tree.counts / np.maximum(tree.counts.sum(axis=1, keepdims=True), 1)

    def score(at: Array) -> Array:
        return np.asarray(shares[leaf_of(tree, at)])

    return Region(score=score, depth=1.0, check=X)


def question_line(problem: Problem, tree: Nodes) -> tuple[Mark, ...]:
    """Where the question in hand parts its leaf; in more dimensions than two, where it parts the plane."""
    data, feature, at = problem.data, int(tree.feature[tree.node]), float(tree.threshold[tree.node])
    if feature < 0:
        return ()
    if data.d != 2:
        return (Hyperplane(normal=np.eye(data.d)[feature], offset=-at, tone="accent"),)
    low, high = data.X.min(axis=0), data.X.max(axis=0)
    room = _MARGIN * (high - low)
    start, end = box(tree, tree.node, low - room, high + room)
    start[feature] = end[feature] = at
    return (Segments(start=start, end=end, tone="accent"),)


def outline(problem: Problem, tree: Nodes) -> Panel:
    """The tree itself: what a node asks, or whom a leaf votes for, and how many rows of each class it has."""
    data = problem.data
    texts, tones = [], []
    for node, (left, counts) in enumerate(zip(tree.left.tolist(), tree.counts.tolist())):
        vote = int(np.argmax(counts))
        said = data.classes[vote] if left == LEAF else asks(data, tree, node)
        texts.append(f"{said}  {counted(data, counts)}")
        tones.append(vote if left == LEAF else None)
    note = f"{data.target}: {', '.join(data.classes)}" if len(data.classes) <= _FEW_CLASSES else ""
    mark = Tree(parents=parents(tree.left), texts=tuple(texts), tones=tuple(tones), marked=(tree.node,))
    return Panel(title="the tree", marks=(mark,), note=note)


def gain_panel(problem: Problem, tree: Nodes) -> Panel:
    """The gain of every threshold of the feature in hand."""
    data, criterion = problem.data, problem.parameters.criterion
    k, feature = len(data.classes), int(tree.feature[tree.node])
    top = float(impurity(criterion, np.ones(k, np.intp)))  # the most that any question gains
    name = data.features[max(feature, 0)]
    axes = (name, f"gain{_UNITS[criterion]}")
    if feature < 0 or problem.of(in_hand, tree).survey is None:
        return Panel(title="gain over threshold", marks=(), axes=axes, limits=((0.0, 1.0), (0.0, top)))
    held, unit = problem.of(in_hand, tree), float(data.spread[feature])
    values, falls = falls_along(
        sorted_columns(data), feature, held.rows, held.counts, problem.once(total_of), problem.parameters.min_leaf
    )
    values, gains = values * unit + data.centre[feature], falls / len(held.rows)
    steps = np.column_stack([np.repeat(values, 2)[1:-1], np.repeat(gains, 2)])  # the same between two neighbours
    at = float(tree.threshold[tree.node]) * unit + float(data.centre[feature])
    best = tree.gain[tree.node] * data.n / len(held.rows)
    column = data.X[:, feature] * unit + data.centre[feature]
    room = _MARGIN * (column.max() - column.min())
    return Panel(
        title="gain over threshold",
        marks=(
            Path(at=steps, tone="ink"),
            Points(
                at=np.column_stack([column[held.rows], np.zeros(len(held.rows))]),
                classes=problem.data.y[held.rows],
                rows=False,
            ),
            Labels(at=np.array([[at, best]]), texts=(f"{at:.4g}",), tones=("accent",)),
        ),
        axes=axes,
        limits=((float(column.min() - room), float(column.max() + room)), (-_MARGIN * top, top * (1 + _MARGIN))),
    )


def error_panel(problem: Problem, tree: Nodes) -> Panel:
    """Training and held-out error of the tree at each size it has had."""
    data, aside, counts = problem.data, problem.data.held_out, tree.counts
    wrong = sums_by_splits(tree.left, counts.sum(axis=1) - counts.max(axis=1)) / data.n
    leaves = np.arange(1, len(wrong) + 1)
    marks: list[Mark] = [Path(at=np.column_stack([leaves, wrong]), tone=0, name="training")]
    top = float(wrong[0])
    if aside is not None:
        held = counts_at_nodes(tree, aside.X, np.asarray(aside.y))
        missed = held.sum(axis=1) - held[np.arange(len(held)), counts.argmax(axis=1)]
        errors = sums_by_splits(tree.left, missed) / aside.n
        marks.append(Path(at=np.column_stack([leaves, errors]), tone=1, name="held out"))
        top = max(top, float(errors.max()))
    return Panel(title="error by leaves", marks=tuple(marks), axes=("leaves", "error"))


def features_table(problem: Problem, tree: Nodes) -> Panel:
    """The best question about each feature of the rows in hand, the most gainful first."""
    data, held = problem.data, problem.of(in_hand, tree)
    rows: tuple[tuple[str | float | None, ...], ...] = ()
    if held.survey is not None:
        asked = sorted((q for q in held.survey.best if q.feature >= 0), key=lambda q: -q.fall)[:_MOST_LISTED]
        rows = tuple(
            (data.features[q.feature], in_units(data, q.feature, q.threshold), q.fall / len(held.rows)) for q in asked
        )
    table = Table(
        columns=("feature", "<=", f"gain{_UNITS[problem.parameters.criterion]}"), rows=rows, marked=(0,) if rows else ()
    )
    return Panel(title="best of each feature", marks=(table,), note=f"node {tree.node}")


def leaves_table(problem: Problem, tree: Nodes) -> Panel:
    """The leaves, those that would gain most first."""
    data, n = problem.data, problem.data.n
    leaves = np.flatnonzero(tree.left == LEAF)
    leaves = leaves[np.argsort(-tree.gain[leaves], kind="stable")][:_MOST_LISTED]
    mixed = impurity(problem.parameters.criterion, tree.counts[leaves].T)
    rows = []
    for node, impure in zip(leaves.tolist(), mixed.tolist()):
        counts = tree.counts[node].tolist()
        question = asks(data, tree, node) if tree.feature[node] >= 0 else None
        gain = float(tree.gain[node]) if question else None
        rows.append((node, data.classes[int(np.argmax(counts))], sum(counts), impure, question, gain))
    columns = ("leaf", "vote", "rows", IMPURITIES[problem.parameters.criterion], "would ask", "n_l/n gain")
    tones = tuple(int(tree.counts[node].argmax()) for node in leaves)
    marked = tuple(np.flatnonzero(leaves == tree.node).tolist())
    return Panel(title="leaves", marks=(Table(columns=columns, rows=tuple(rows), tones=tones, marked=marked),))


def asks(data: Dataset, tree: Nodes, node: int) -> str:
    """The question of a node, in the units the data came in: "petal_length <= 2.45"."""
    feature = int(tree.feature[node])
    return f"{data.features[feature]} <= {in_units(data, feature, float(tree.threshold[node])):.4g}"


def in_units(data: Dataset, feature: int, value: float) -> float:
    return value * float(data.spread[feature]) + float(data.centre[feature])


def counted(data: Dataset, counts: list[int]) -> str:
    """How many rows there are of each class: "50/0/50"; of many classes, how many there are, and of the majority."""
    if len(counts) <= _FEW_CLASSES:
        return "/".join(map(str, counts))
    vote = int(np.argmax(counts))
    return f"{counts[vote]} {data.classes[vote]} of {sum(counts)}"


def amount(criterion: Criterion, value: float) -> str:
    """An impurity in words: "entropy 0.445 bits"."""
    return f"{IMPURITIES[criterion]} {float(value):.3g}{_UNITS[criterion]}"


def spelt(data: Dataset, counts: Array) -> str:
    """The classes that are there, the most frequent first: "49 versicolor, 5 virginica"."""
    order = [c for c in np.argsort(-counts, kind="stable").tolist() if counts[c]]
    said = ", ".join(f"{counts[c]} {data.classes[c]}" for c in order[:3])
    return said + (f" and {len(order) - 3} classes more" if len(order) > 3 else "")
