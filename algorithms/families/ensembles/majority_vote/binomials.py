"""Binomials: how many of n voters are wrong where each is with chance p, alone, and how likely it is half of them.

With q = 1 - p, of n voters k are wrong with chance C(n, k) p^k q^(n-k). A voter that joins is one more among the wrong
with chance p. Half of them or more, a tie with them, is what makes a majority wrong.
"""

from math import comb

import numpy as np

from algorithms.core import Array

MOST = 1000  # voters: beyond it C(n, k) is no longer a double


def binomial(n: int, p: float) -> Array:
    """(n + 1,) the chances that none, one, ..., all of n are wrong; n is at most MOST."""
    k = np.arange(n + 1)
    chances = np.array([float(comb(n, i)) for i in range(n + 1)])
    for wrong, right in ((k // 2, (n - k) // 2), (k - k // 2, n - k - (n - k) // 2)):
        chances *= np.float_power(p, wrong) * np.float_power(1.0 - p, right)  # by halves: a whole power may vanish
    return chances


def joined(chances: Array, p: float) -> Array:
    """(n + 2,) the chances when another voter has joined those of (n + 1,) chances."""
    more = np.zeros(len(chances) + 1)
    more[:-1] = (1.0 - p) * chances
    more[1:] += p * chances
    return more


def half_or_more(chances: Array) -> float:
    """The chance that half of the n or more are wrong."""
    n = len(chances) - 1
    return float(chances[(n + 1) // 2 :].sum())


def in_the_balance(m: int, p: float) -> float:
    """C(2m - 1, m) (p q)^m: how likely one more voter makes a tie of 2m - 1 with their majority right."""
    half, rest = (float(np.float_power(p * (1.0 - p), power)) for power in (m // 2, m - m // 2))
    return half * float(comb(2 * m - 1, m)) * rest
