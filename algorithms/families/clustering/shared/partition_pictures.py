"""Panels of a partition of rows into clusters: what classes are in each, and where its means are among features."""

from typing import Any

import numpy as np

from algorithms.core import Array, Dataset, Labels, Matrix, Panel, Points, Trail, columns
from algorithms.families.clustering.shared.feature_means import FeatureRows
from algorithms.toolbox.panels.clusters import cluster_names
from algorithms.toolbox.panels.row_words import Says

_MOST_SHOWN = 96  # rows of a matrix in the picture


def newly(before: Any, after: Any) -> Array:
    """(n,) bool: the rows that went from one cluster to another between two states with (n,) `labels`."""
    if before is None or before.labels[0] < 0:
        return np.zeros(len(after.labels), bool)
    return np.asarray(before.labels != after.labels)


def class_counts(data: Dataset, labels: Array, k: int) -> Array | None:
    """(k, K) rows of each class in each cluster; None without classes, or where no row is in a cluster yet."""
    if data.kind != "class" or data.y is None or labels[0] < 0:
        return None
    m = len(data.classes)
    return np.bincount(m * labels.astype(int) + data.y, minlength=k * m).reshape(k, m)


def outside(data: Dataset, labels: Array, k: int) -> float:
    """How many rows are not of the class most frequent in their cluster; NaN where that cannot be told."""
    counts = class_counts(data, labels, k)
    return np.nan if counts is None else float(data.n - counts.max(axis=1).sum())


def of_classes(data: Dataset, labels: Array, k: int, distances: Array) -> Panel:
    """Table of the clusters: rows, spread, and the class that most of them are of, with how many.

    Args:
        labels: (n,) clusters from 0; -1 for none.
        distances: (n,) squared distance of each row to the mean of its cluster; NaN for none.
    """
    there, counts = labels[0] >= 0, class_counts(data, labels, k)
    sizes = np.bincount(labels, minlength=k) if there else np.zeros(k, int)
    sums = np.bincount(labels, weights=distances, minlength=k) if there else np.zeros(k)
    heads: dict[str, Any] = {"cluster": [str(j) for j in range(k)], "rows": sizes if there else [None] * k}
    if counts is not None:
        heads |= {"class": [data.classes[c] for c in counts.argmax(axis=1)], "of it": counts.max(axis=1)}
    heads["spread"] = np.where(sizes > 0, np.sqrt(sums / np.maximum(sizes, 1)), np.nan)
    return columns("clusters", heads, note="spread: √ mean squared distance", tones=tuple(range(k)))


def feature_plane(
    rows: FeatureRows, state: Any, labels: Array | None, changed: Array, says: Says | None = None
) -> Panel:
    """The rows and the means where φ puts them, along the two directions in which the φ(x) vary most.

    Args:
        state: with (k, n) `weights` of the rows in each mean.
        labels: (n,) clusters; None before there are any.
        changed: (n,) bool, the rows that this step moved.
        says: what is said of a row.
    """
    z, k = rows.plane, len(state.weights)
    reach = 1.15 * np.maximum(np.abs(z).max(axis=0), 1e-12 * (np.abs(z).max() or 1.0))
    limits = ((-float(reach[0]), float(reach[0])), (-float(reach[1]), float(reach[1])))
    note = f"shows {float((z**2).sum()) / rows.total:.0%} of the variance" if rows.total else "to k all rows are one"
    tones, names = tuple(range(k)), () if labels is None else cluster_names(k)

    def means(past: Any) -> Array:
        return past.weights @ z if past.weights.shape[1] == len(z) else np.empty((0, 2))  # of other rows before a fork

    return Panel(
        title="φ(x) and the means",
        axes=("first direction of φ(x)", "second"),
        limits=limits,
        marks=(
            Points(at=z, classes=labels, tone="muted", ringed=changed, says=says, names=names),
            Trail(where=means, tones=tones, name="paths of the means"),
            Labels(at=means(state), texts=tuple(map(str, tones)), tones=tones),
        ),
        note=note,
    )


def gram_by_cluster(K: Array, labels: Array) -> Panel:
    """A centred Gram matrix as an image, one cluster after the other; of many rows some.

    Args:
        labels: (n,) clusters from 0; -1 for none.
    """
    n, m = len(K), min(len(K), _MOST_SHOWN)
    shown = np.argsort(labels, kind="stable")[np.arange(m) * n // m]
    return Panel(
        title="K, centred" if labels[0] < 0 else "K, cluster by cluster",
        marks=(Matrix(values=K[np.ix_(shown, shown)], signed=True),),
        note=f"{m} of {n} rows" if m < n else "",
    )
