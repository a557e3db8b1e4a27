"""Assignments of rows to the nearest of some means, by distances that were worked out already."""

import numpy as np

from algorithms.core import Array
from algorithms.toolbox.clusters import NO_CLUSTER, membership

_ROUNDING = 1e-12  # of the largest squared length: what a squared distance may be off by


def reassigned(distances: Array, labels: Array, tie: float) -> Array:
    """(n,) int8 labels: each row in the cluster of the nearest mean; on a tie it stays, or joins the first of them.

    Args:
        distances: (k, n) squared distances of rows to means.
        labels: (n,) the clusters they are in; -1 for none.
        tie: the difference of two squared distances that rounding can make.
    """
    least = distances.min(axis=0)
    if labels[0] == NO_CLUSTER:
        return np.asarray((distances <= least + tie).argmax(axis=0), np.int8)
    stays = distances[labels, np.arange(len(labels))] <= least + tie
    return np.where(stays, labels, distances.argmin(axis=0)).astype(np.int8)


def tie(f: Array) -> float:
    """The difference of two squared distances between (n, c) places that rounding can make."""
    return _ROUNDING * float(np.vecdot(f, f).max())


def middles(f: Array, labels: Array, means: Array) -> Array:
    """(k, c) the mean of each cluster's places; an empty cluster's mean stays."""
    members = membership(labels, len(means))
    counts = members.sum(axis=1, keepdims=True)
    return np.where(counts > 0, members @ f / np.maximum(counts, 1.0), means)
