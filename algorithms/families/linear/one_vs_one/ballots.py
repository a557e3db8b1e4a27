"""Ballots: the votes of pairwise classifiers, and where they go in a circle.

Of K classes each pair a, b has a score f_ab(x): a wins where it is positive, b where it is negative, nobody where it is
0. The votes are as many as a class has won; a beats b beats c beats a is a circle. Where every pair has a winner there
are

    K(K - 1)(2K - 1)/12 - ½ Σ votes²

circles of three, so there is none exactly where the votes are 0, 1, ..., K - 1.

Reference: Kendall and Babington Smith (1940), On the method of paired comparisons, Biometrika 31.
"""

from itertools import combinations

import numpy as np

from algorithms.core import Array


def wins(scores: Array, k: int) -> Array:
    """(m, K, K) bool: whether class a beats class b at each place, from (m, P) scores of the pairs in their order."""
    beaten = np.zeros((len(scores), k, k), bool)
    if k > 1:
        a, b = np.array(list(combinations(range(k), 2))).T
        beaten[:, a, b] = scores > 0
        beaten[:, b, a] = scores < 0
    return beaten


def votes_of(scores: Array, k: int) -> Array:
    """(m, K) how many others each class beats, from (m, P) scores."""
    a, b = np.array(list(combinations(range(k), 2))).T
    first, second = np.zeros((len(a), k)), np.zeros((len(a), k))
    first[np.arange(len(a)), a] = 1.0
    second[np.arange(len(a)), b] = 1.0
    return np.asarray(((scores > 0) @ first + (scores < 0) @ second).astype(np.int64))


def in_circle(votes: Array, decided: Array) -> Array:
    """(m,) bool: whether the votes go in a circle somewhere, from (m, K) votes where every pair is `decided`, (m,)."""
    k = votes.shape[1]
    return np.asarray(decided & (np.sort(votes, axis=1) != np.arange(k)).any(axis=1))


def circles_by_votes(votes: Array) -> Array:
    """(m,) circles of three, from (m, K) votes where every pair has a winner."""
    k = votes.shape[1]
    return np.asarray(k * (k - 1) * (2 * k - 1) / 12 - (votes.astype(float) ** 2).sum(axis=1) / 2)


def circles_counted(beaten: Array) -> Array:
    """(m,) circles of three, counted: a beats b, b beats c and c beats a is the trace of the third power, thrice."""
    B = beaten.astype(float)
    return np.asarray(((B @ B) * B.transpose(0, 2, 1)).sum(axis=(1, 2)) / 3)


def a_circle(beaten: Array) -> tuple[int, int, int] | None:
    """Three classes of (K, K) wins that beat each other in a circle, None where there are none."""
    for a, b, c in combinations(range(len(beaten)), 3):
        if beaten[a, b] and beaten[b, c] and beaten[c, a]:
            return a, b, c
        if beaten[b, a] and beaten[c, b] and beaten[a, c]:
            return a, c, b
    return None
