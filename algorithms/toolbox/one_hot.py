"""One-hot targets: 1 for a row's class, 0 for the others; and which rows a class's greatest score gets wrong."""

import numpy as np

from algorithms.core import Array, Dataset


def one_hot(data: Dataset) -> Array:
    """Make (n, K) targets; ask for them by `data.once(one_hot)`."""
    return np.eye(len(data.classes))[data.y]


def even_start(data: Dataset) -> Array:
    """Make (K, d + 1) weights that give every class 1/K everywhere: 0, and the bias 1/K."""
    W = np.zeros((len(data.classes), data.d + 1))
    W[:, -1] = 1 / len(W)
    return W


def wrong_rows(scores: Array, y: Array) -> Array:
    """(n,) bool: the rows whose own class has not the one greatest of (n, K) scores."""
    rows, others = np.arange(len(y)), scores.copy()
    others[rows, y] = -np.inf
    return np.asarray(scores[rows, y] <= others.max(axis=1))


def rows_won(scores: Array) -> Array:
    """(K,) how many rows each class wins, with the one greatest of (n, K) scores."""
    winners = scores.argmax(axis=1)
    return np.bincount(winners[~wrong_rows(scores, winners)], minlength=scores.shape[1])
