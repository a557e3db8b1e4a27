"""What there is to see of a tree: its regions, what it asks, and what its size does to its errors."""

from typing import Any

import numpy as np

from algorithms.core import Array, Dataset, Labels, Panel, Path, Points, columns
from algorithms.core.scene import Mark
from algorithms.families.trees.decision_tree.pruning import (
    Pruning,
    below,
    costs,
    links,
    pruning_rows,
    wrong_at_nodes,
)
from algorithms.toolbox.impurity import Criterion, Total, impurity
from algorithms.toolbox.panels.trees import MARGIN, asks, in_units, question_line, regions
from algorithms.toolbox.questions import Survey, columns_of, counts_of, falls_along
from algorithms.toolbox.trees import LEAF, Nodes

_MOST_LISTED = 60
_ASIDE = 0.2  # weight of the rows that a step is not about
IMPURITIES = {"entropy": "entropy", "gini": "Gini index", "error": "error"}
_UNITS = {"entropy": " bits", "gini": "", "error": ""}


def stage(data: Dataset, tree: Nodes, node: int, rows: Array, wrong: Array, features: tuple[int, int] | None) -> Panel:
    """The data in the rectangles of the leaves, with the current question.

    Args:
        node, rows: what this step is about.
        wrong: (n,) bool, the rows whose leaf votes for another class.
        features: the two on which the leaves are seen best.
    """
    here = np.full(data.n, _ASIDE)
    here[rows] = 1.0
    points = Points(at=data.X, classes=data.y, weights=here, crossed=wrong)
    marks = (regions(tree, data.X), points, *question_line(data, tree, node))
    return Panel(title="the leaves", space="data", marks=marks, features=features)


def gain_panel(
    data: Dataset, tree: Nodes, node: int, rows: Array, criterion: Criterion, total: Total, least: int
) -> Panel:
    """The gain of every threshold of the current feature, below the impurity that there is to lose.

    Args:
        total: rows times impurity.
        least: how many rows go either way at least.
    """
    sorted_columns, feature = data.once(columns_of), int(tree.feature[node])
    counts = counts_of(sorted_columns, rows)
    values, falls = falls_along(sorted_columns, feature, rows, counts, total, least)
    values, gains = in_units(data, feature, values), falls / len(rows)
    steps = np.column_stack([np.repeat(values, 2)[1:-1], np.repeat(gains, 2)])  # alike between two neighbours
    below = np.column_stack([in_units(data, feature, data.X[rows, feature]), np.zeros(len(rows))])
    at = float(in_units(data, feature, tree.threshold[node]))
    best = float(np.nanmax(gains, initial=0.0))
    there_is = impurity(criterion, counts)
    top = float(there_is) or 1.0
    room = MARGIN * (values[-1] - values[0]) or 1.0
    ends = float(values[0] - room), float(values[-1] + room)
    return Panel(
        title="gain over threshold",
        marks=(
            Path(at=np.array([[ends[0], top], [ends[1], top]]), tone="muted"),
            Path(at=steps, tone="ink"),
            Points(at=below, classes=np.asarray(data.y)[rows], rows=False),
            Labels(at=np.array([[at, best]]), texts=(f"<= {at:.4g}",), tones=("accent",)),
        ),
        axes=(data.features[feature], "gain, bits" if criterion == "entropy" else "gain"),
        limits=(ends, (-MARGIN * top, top * (1 + MARGIN))),
        note=f"leaf {node}, {amount(criterion, there_is)}",
    )


def error_panel(training: Array, held_out: Array | None) -> Panel:
    """The errors of the tree of 1 leaf, of 2 and so on; an upright line where that on rows held out is least."""
    leaves = np.arange(1, len(training) + 1)
    marks: list[Mark] = [Path(at=np.column_stack([leaves, training]), tone=0, name="training")]
    note = ""
    if held_out is not None:
        marks.append(Path(at=np.column_stack([leaves, held_out]), tone=1, name="held out"))
        least, top = int(held_out.argmin()) + 1, float(max(training[0], held_out[0]))
        marks.insert(0, Path(at=np.array([[least, 0.0], [least, top]]), tone="muted"))
        note = f"held out least at {least} lea{'ves' if least > 1 else 'f'}"
    return Panel(title="error by leaves", marks=tuple(marks), axes=("leaves", "error"), note=note)


def features_table(data: Dataset, node: int, m: int, survey: Survey) -> Panel:
    """The best question about each feature of the m current rows, the most gainful first."""
    asked = sorted((q for q in survey.best if q.feature >= 0), key=lambda q: -q.fall)[:_MOST_LISTED]
    heads = {
        "feature": [data.features[q.feature] for q in asked],
        "<=": [in_units(data, q.feature, q.threshold) for q in asked],
        "gain": [q.fall / m for q in asked],
    }
    return columns("best of each feature", heads, note=f"node {node}", marked=(0,) if asked else ())


def leaves_table(data: Dataset, tree: Nodes, gain: Array, node: int, criterion: Criterion) -> Panel:
    """The leaves, those that would gain most first."""
    leaves = np.flatnonzero(tree.left == LEAF)
    leaves = leaves[np.argsort(-gain[leaves], kind="stable")][:_MOST_LISTED]
    counts, asked = tree.counts[leaves], tree.feature[leaves] >= 0
    votes = counts.argmax(axis=1)
    heads = {
        "leaf": leaves,
        "vote": [data.classes[vote] for vote in votes],
        "rows": counts.sum(axis=1),
        IMPURITIES[criterion]: impurity(criterion, counts.T),
        "would ask": [asks(data, tree, leaf) if some else "" for leaf, some in zip(leaves.tolist(), asked)],
        "n_l/n gain": np.where(asked, gain[leaves], np.nan),
    }
    marked = tuple(np.flatnonzero(leaves == node).tolist())
    return columns("leaves", heads, tones=tuple(votes.tolist()), marked=marked)


def links_table(data: Dataset, tree: Nodes, node: int, total: Total, pruning: Pruning) -> Panel:
    """List the nodes that could become leaves next: the weakest links first, or the lowest, with their errors."""
    inner = np.flatnonzero(tree.left != LEAF)
    leaves = below(tree.left, np.ones(len(tree.left), int))
    heads: dict[str, Any] = {}
    if pruning == "cost complexity":
        link = links(tree.left, costs(tree, total))
        inner = inner[np.argsort(link[inner], kind="stable")][:_MOST_LISTED]
        heads["g(t)"] = link[inner]
    elif data.held_out is not None:
        wrong = wrong_at_nodes(tree, *pruning_rows(data.held_out))
        inner = inner[::-1][:_MOST_LISTED]
        heads |= {"wrong as it is": below(tree.left, wrong)[inner], "as a leaf": wrong[inner]}
    asked = [asks(data, tree, i) for i in inner.tolist()]
    titles = {"cost complexity": "links, the weakest first", "reduced error": "nodes on the pruning rows"}
    shown = {"node": inner, **heads, "leaves": leaves[inner], "asks": asked}
    return columns(titles.get(pruning, "nodes"), shown, note=f"now: node {node}")


def amount(criterion: Criterion, value: Array) -> str:
    """Say an impurity in words: "entropy 0.445 bits", "entropy 1 bit"."""
    number = f"{float(value):.3g}"
    unit = " bit" if number == "1" and criterion == "entropy" else _UNITS[criterion]
    return f"{IMPURITIES[criterion]} {number}{unit}"
