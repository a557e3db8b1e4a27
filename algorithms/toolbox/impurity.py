"""Impurity: how mixed the classes of some rows are, by entropy, by the Gini index or by the error of a vote.

With p_c the share of class c among the rows,

    entropy  -Σ p_c log2 p_c   in bits, with 0 log 0 = 0
    gini     1 - Σ p_c²        how often two rows drawn at random (with replacement) differ
    error    1 - max p_c       how often the majority is wrong

All three are concave in p and 0 for rows of one class, so parting the rows never raises the weighted mean. What is
computed is rows times impurity, from whole numbers of rows, with the classes along the first axis.

References: Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, chapter 4.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

from algorithms.core.arrays import Array

Criterion = Literal["entropy", "gini", "error"]
Total: TypeAlias = Callable[[Array, Array], Array]  # (k, ...) rows of each class, (...,) their sums -> (...,)


def impurity(criterion: Criterion, counts: Array) -> Array:
    """(k, ...) rows of each class -> (...,) their impurity; 0 where there are no rows."""
    rows = counts.sum(axis=0)
    most = int(rows.max(initial=0))
    return np.asarray(total_impurity(criterion, most)(counts, rows) / np.maximum(rows, 1))


def total_impurity(criterion: Criterion, most: int) -> Total:
    """What gives rows times impurity, for up to so many rows; exactly 0 where they are of one class."""
    return {"entropy": _entropy(most.bit_length()), "gini": _gini, "error": _error}[criterion]


@lru_cache(maxsize=32)
def _entropy(bits: int) -> Total:
    """n H = n log2 n - Σ c log2 c, with c log2 c of all whole numbers of so many bits at hand."""
    c = np.arange(1 << bits)
    log = c * np.log2(np.maximum(c, 1))

    def total(counts: Array, rows: Array) -> Array:
        information = log[rows] - log[counts[0]]
        for of_class in counts[1:]:
            information -= log[of_class]
        return np.asarray(information)

    return total


def _gini(counts: Array, rows: Array) -> Array:
    squares = counts[0] * counts[0]
    for of_class in counts[1:]:
        squares += of_class * of_class
    return np.asarray(rows - squares / np.maximum(rows, 1))


def _error(counts: Array, rows: Array) -> Array:
    return np.asarray(rows - counts.max(axis=0), float)
