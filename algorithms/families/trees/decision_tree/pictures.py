"""What there is to see of a tree: its regions, itself, what it asks, and what its size does to its errors."""

from typing import TYPE_CHECKING, TypeVar

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
from algorithms.families.trees.decision_tree.nodes import (
    LEAF,
    box,
    counts_at_nodes,
    leaf_of,
    parents,
    sums_by_splits,
)
from algorithms.families.trees.decision_tree.questions import (
    Survey,
    classes_of,
    falls_along,
    in_hand,
    sorted_columns,
    survey,
    total_of,
)
from algorithms.toolbox.impurity import Criterion, impurity

if TYPE_CHECKING:
    from algorithms.families.trees.decision_tree.algorithm import DecisionTreeState

Values = TypeVar("Values", float, Array)

_FEW_CLASSES = 6  # so many counts can be read side by side
_MARGIN = 0.06  # of the data's extent, seen around them
_MOST_LISTED = 60
_ASIDE = 0.2  # weight of the rows that a step is not about
IMPURITIES = {"entropy": "entropy", "gini": "Gini index", "error": "error"}
_UNITS = {"entropy": " bits", "gini": "", "error": ""}


def scene(problem: Problem, tree: "DecisionTreeState") -> Scene:
    panels = [stage(problem, tree), outline(problem, tree), error_panel(problem, tree), leaves_table(problem, tree)]
    survey = problem.of(in_hand, tree).survey
    if tree.feature[tree.node] >= 0 and survey is not None:
        panels.insert(2, gain_panel(problem, tree))
        panels.insert(4, features_table(problem, tree, survey))
    return Scene(tuple(panels))


def stage(problem: Problem, tree: "DecisionTreeState") -> Panel:
    """The data in the rectangles of the leaves, with the question in hand."""
    data, rows = problem.data, problem.of(in_hand, tree).rows
    majority = tree.counts.argmax(axis=1)
    here = np.full(data.n, _ASIDE)
    here[rows] = 1.0
    points = Points(at=data.X, classes=data.y, weights=here, crossed=majority[leaf_of(tree, data.X)] != data.y)
    return Panel(
        title="the leaves",
        space="data",
        marks=(regions(tree, data.X), points, *question_line(problem, tree)),
        features=problem.once(telling_features),
    )


def telling_features(problem: Problem) -> tuple[int, int] | None:
    """The two features whose best question tells most of all the rows, so that the rectangles are seen."""
    data, least = problem.data, problem.parameters.min_leaf
    if data.d < 2 or data.n < 2 * least:
        return None
    rows = np.arange(data.n)
    asked = survey(sorted_columns(data), rows, classes_of(data, rows), problem.once(total_of), least)
    best = sorted(range(data.d), key=lambda j: -asked.best[j].fall)[:2]
    return best[0], best[1]


def regions(tree: "DecisionTreeState", X: Array) -> Region:
    """Each leaf in the tone of its majority, the stronger the purer."""
    shares = tree.counts / np.maximum(tree.counts.sum(axis=1, keepdims=True), 1)

    def score(at: Array) -> Array:
        return np.asarray(shares[leaf_of(tree, at)])

    return Region(score=score, depth=1.0, check=X)


def question_line(problem: Problem, tree: "DecisionTreeState") -> tuple[Mark, ...]:
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


def outline(problem: Problem, tree: "DecisionTreeState") -> Panel:
    """The tree itself: what a node asks, or whom a leaf votes for, and how many rows of each class it has."""
    data = problem.data
    texts, tones = [], []
    for node, (left, counts) in enumerate(zip(tree.left.tolist(), tree.counts.tolist())):
        vote = int(np.argmax(counts))
        said = data.classes[vote] if left == LEAF else asks(data, tree, node)
        texts.append(f"{said}  {counted(counts, left == LEAF)}")
        tones.append(vote if left == LEAF else None)
    note = f"{data.target}: {', '.join(data.classes)}" if len(data.classes) <= _FEW_CLASSES else ""
    mark = Tree(parents=parents(tree.left), texts=tuple(texts), tones=tuple(tones), marked=(tree.node,))
    return Panel(title="the tree", marks=(mark,), note=note)


def gain_panel(problem: Problem, tree: "DecisionTreeState") -> Panel:
    """The gain of every threshold of the feature in hand, below the impurity that there is to lose."""
    data, p, held, feature = problem.data, problem.parameters, problem.of(in_hand, tree), int(tree.feature[tree.node])
    values, falls = falls_along(
        sorted_columns(data), feature, held.rows, held.counts, problem.once(total_of), p.min_leaf
    )
    values, gains = in_units(data, feature, values), falls / len(held.rows)
    steps = np.column_stack([np.repeat(values, 2)[1:-1], np.repeat(gains, 2)])  # alike between two neighbours
    rows = np.column_stack([in_units(data, feature, data.X[held.rows, feature]), np.zeros(len(held.rows))])
    at = float(in_units(data, feature, tree.threshold[tree.node]))
    best = tree.gain[tree.node] * data.n / len(held.rows)
    top = float(impurity(p.criterion, held.counts)) or 1.0
    room = _MARGIN * (values[-1] - values[0]) or 1.0
    ends = float(values[0] - room), float(values[-1] + room)
    return Panel(
        title="gain over threshold",
        marks=(
            Path(at=np.array([[ends[0], top], [ends[1], top]]), tone="muted"),
            Path(at=steps, tone="ink"),
            Points(at=rows, classes=np.asarray(data.y)[held.rows], rows=False),
            Labels(at=np.array([[at, best]]), texts=(f"<= {at:.4g}",), tones=("accent",)),
        ),
        axes=(data.features[feature], "gain, bits" if p.criterion == "entropy" else "gain"),
        limits=(ends, (-_MARGIN * top, top * (1 + _MARGIN))),
        note=f"leaf {tree.node}, {amount(p.criterion, impurity(p.criterion, held.counts))}",
    )


def error_panel(problem: Problem, tree: "DecisionTreeState") -> Panel:
    """Training and held-out error of the tree at each size it has had."""
    data, aside, counts = problem.data, problem.data.held_out, tree.counts
    wrong = sums_by_splits(tree.left, counts.sum(axis=1) - counts.max(axis=1)) / data.n
    leaves = np.arange(1, len(wrong) + 1)
    marks: list[Mark] = [Path(at=np.column_stack([leaves, wrong]), tone=0, name="training")]
    if aside is not None:
        held = counts_at_nodes(tree, aside.X, np.asarray(aside.y))
        missed = held.sum(axis=1) - held[np.arange(len(held)), counts.argmax(axis=1)]
        errors = sums_by_splits(tree.left, missed) / aside.n
        marks.append(Path(at=np.column_stack([leaves, errors]), tone=1, name="held out"))
    return Panel(title="error by leaves", marks=tuple(marks), axes=("leaves", "error"))


def features_table(problem: Problem, tree: "DecisionTreeState", survey: Survey) -> Panel:
    """The best question about each feature of the rows in hand, the most gainful first."""
    data, m = problem.data, len(problem.of(in_hand, tree).rows)
    asked = sorted((q for q in survey.best if q.feature >= 0), key=lambda q: -q.fall)[:_MOST_LISTED]
    rows = tuple((data.features[q.feature], in_units(data, q.feature, q.threshold), q.fall / m) for q in asked)
    table = Table(columns=("feature", "<=", "gain"), rows=rows, marked=(0,) if rows else ())
    return Panel(title="best of each feature", marks=(table,), note=f"node {tree.node}")


def leaves_table(problem: Problem, tree: "DecisionTreeState") -> Panel:
    """The leaves, those that would gain most first."""
    data = problem.data
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


def asks(data: Dataset, tree: "DecisionTreeState", node: int) -> str:
    """The question of a node, in the units the data came in: "petal_length <= 2.45"."""
    feature = int(tree.feature[node])
    return f"{data.features[feature]} <= {in_units(data, feature, float(tree.threshold[node])):.4g}"


def in_units(data: Dataset, feature: int, value: Values) -> Values:
    """A value of a feature, or many, as the data had them before they were scaled."""
    return value * float(data.spread[feature]) + float(data.centre[feature])


def counted(counts: list[int], leaf: bool) -> str:
    """How many rows there are of each class: "50/0/50"; of many classes how many rows, and of a leaf's vote."""
    if len(counts) <= _FEW_CLASSES:
        return "/".join(map(str, counts))
    return f"{max(counts)} of {sum(counts)}" if leaf else f"{sum(counts)} rows"


def amount(criterion: Criterion, value: Array) -> str:
    """An impurity in words: "entropy 0.445 bits"."""
    return f"{IMPURITIES[criterion]} {float(value):.3g}{_UNITS[criterion]}"


def spelt(data: Dataset, counts: Array) -> str:
    """The classes that are there, the most frequent first: "49 versicolor, 5 virginica", "34 of 0, 1 of 8"."""
    order = [c for c in np.argsort(-counts, kind="stable").tolist() if counts[c]]
    said = ", ".join(f"{counts[c]} {'of ' * data.classes[c][:1].isdigit()}{data.classes[c]}" for c in order[:3])
    return said + (f" and {len(order) - 3} classes more" if len(order) > 3 else "")


def part(data: Dataset, counts: Array) -> str:
    """Some rows by their classes: "33 versicolor", "50 (46 upper, 4 lower)"."""
    classes = spelt(data, counts)
    return classes if np.count_nonzero(counts) == 1 else f"{counts.sum()} ({classes})"
