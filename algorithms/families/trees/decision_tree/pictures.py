"""What there is to see of a tree: its regions, what it asks, a row's way down, what its size does to its errors."""

from typing import Any

import numpy as np

from algorithms.core import Array, Dataset, Labels, Panel, Path, Points, Scene, columns
from algorithms.core.curves import HELD_OUT
from algorithms.core.scene import Mark, Tone
from algorithms.families.trees.decision_tree.looks import Look
from algorithms.families.trees.decision_tree.pruning import (
    Pruning,
    below,
    costs,
    links,
    pruning_rows,
    wrong_at_nodes,
)
from algorithms.families.trees.shared.trees_pictures import (
    MARGIN,
    asks,
    counted,
    in_units,
    of_classes,
    outline,
    question_line,
    regions,
)
from algorithms.toolbox.impurity import Criterion, Total, impurity
from algorithms.toolbox.panels.row_words import says_leaf
from algorithms.toolbox.questions import Survey, columns_of, counts_of, falls_along
from algorithms.toolbox.trees import LEAF, Nodes, errors_from_leaves, path_of

TRAINING: Tone = 2  # of the error on the rows it is grown on, here and in the curves
_MOST_LISTED = 60
_MIXTURES = 101
_ASIDE = 0.2  # weight of the rows that a step is not about
IMPURITIES = {"entropy": "entropy", "gini": "Gini index", "error": "error"}
_UNITS = {"entropy": " bits", "gini": "", "error": ""}


def scene(now: Look, held_out: Array | None, features: tuple[int, int] | None, pruning: Pruning, row: int) -> Scene:
    """What there is to see of a step.

    Args:
        held_out: the errors on rows held out of the tree of 1 leaf, of 2 and so on.
        features: the two on which the leaves are seen best.
        pruning: "none" where nothing is pruned in this step.
        row: whose way down is shown.
    """
    data, tree, node = now.data, now.tree, now.node
    way = path_of(tree, data.X[row])
    panels = [
        stage(data, tree, node, now.rows, now.wrong, features),
        outline(data, tree, node, way, row),
        error_panel(errors_from_leaves(tree, now.leaf_of_rows, np.asarray(data.y)), held_out),
        leaves_table(data, tree, now.gain, node, now.criterion),
        way_table(data, tree, way, row),
    ]
    if now.asks and now.survey is not None:
        panels.insert(2, gain_panel(data, tree, node, now.rows, now.criterion, now.total, now.least))
        if all(map(len, now.parts)):  # after a fork all rows may be on one side
            panels.insert(3, chord_panel(now))
        panels.insert(-1, features_table(data, node, len(now.rows), now.survey))
    if pruning != "none":
        panels.insert(2, links_table(data, tree, node, now.total, pruning))
    return Scene(tuple(panels))


def way_table(data: Dataset, tree: Nodes, way: tuple[int, ...], row: int) -> Panel:
    """A row's way down: what it is asked, what it answers, and the leaf it comes to."""
    *inner, leaf = way
    asked = [asks(data, tree, node) for node in inner]
    answers = ["yes" if below == tree.left[node] else "no" for node, below in zip(inner, way[1:])]
    vote = data.classes[int(tree.counts[leaf].argmax())]
    heads = {
        "node": way,
        "asks": [*asked, f"a leaf: {vote}"],
        "answer": [*answers, ""],
        "rows": [counted(tree.counts[node].tolist(), node == leaf) for node in way],
    }
    is_of = data.classes[int(np.asarray(data.y)[row])]
    return columns(f"row {row}'s way", heads, note=f"it is {is_of}; rows{of_classes(data)}", marked=(len(way) - 1,))


def chord_panel(now: Look) -> Panel:
    """The impurity of all mixtures of classes between the two parts of a question; the gain is the gap to the chord.

    Of two classes the curve is that over the share of the second; of more it runs from the left part to the right.
    """
    ends = [counts / counts.sum() for counts in now.counts_of_parts]
    whole, two = now.counts / now.counts.sum(), len(now.counts) == 2
    share = len(now.parts[1]) / len(now.rows)
    t = np.linspace(0, 1, _MIXTURES)
    shares = np.column_stack([1 - t, t]) if two else np.outer(1 - t, ends[0]) + np.outer(t, ends[1])
    places = np.array([ends[0][1], whole[1], ends[1][1]] if two else [0.0, share, 1.0])
    heights = np.array([of_shares(now.criterion, mixture) for mixture in (ends[0], whole, ends[1])])
    chord = (1 - share) * heights[0] + share * heights[2]
    curve = np.column_stack([t, [of_shares(now.criterion, mixture) for mixture in shares]])
    over = f"share of {now.data.classes[1]}" if two else "share that says no"
    top = 1.1 * max(float(curve[:, 1].max()), 1e-9)
    marks = (
        Path(at=curve, tone="muted", name="I(p)"),
        Path(at=np.column_stack([places[::2], heights[::2]]), tone="ink", name="chord"),
        Path(at=np.array([[places[1], chord], [places[1], heights[1]]]), tone="accent", name="gain"),
        Points(at=np.column_stack([places, heights])[::2], tone="ink", rows=False, names=("the parts",)),
        Points(at=np.array([[places[1], heights[1]]]), tone="accent", rows=False, names=("the leaf",)),
    )
    unit = IMPURITIES[now.criterion]
    note = f"{heights[1]:.3g} - {chord:.3g} = {heights[1] - chord:.3g}"
    limits = ((-0.02, 1.02), (-0.04 * top, top))
    return Panel(title="impurity over its chord", marks=marks, axes=(over, unit), limits=limits, note=note)


def of_shares(criterion: Criterion, shares: Array) -> float:
    """The impurity of (k,) shares of the classes that sum to one."""
    if criterion == "entropy":
        there = shares[shares > 0]
        return float(-(there * np.log2(there)).sum()) + 0.0
    return float(1 - (shares**2).sum() if criterion == "gini" else 1 - shares.max())


def stage(data: Dataset, tree: Nodes, node: int, rows: Array, wrong: Array, features: tuple[int, int] | None) -> Panel:
    """The data in the rectangles of the leaves, with the current question.

    Args:
        node, rows: what this step is about.
        wrong: (n,) bool, the rows whose leaf votes for another class.
        features: the two on which the leaves are seen best.
    """
    here = np.full(data.n, _ASIDE)
    here[rows] = 1.0
    points = Points(
        at=data.X, classes=data.y, weights=here, sizes="large: in node", crossed=wrong, says=says_leaf(data, tree)
    )
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
    marks: list[Mark] = [Path(at=np.column_stack([leaves, training]), tone=TRAINING, name="training")]
    note = ""
    if held_out is not None:
        marks.append(Path(at=np.column_stack([leaves, held_out]), tone=HELD_OUT, name="held out"))
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
