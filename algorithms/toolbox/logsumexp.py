"""log Σ exp without overflow, and the shares that go with it."""

import numpy as np

from algorithms.core.arrays import Array


def shares_and_log_sum(scores: Array) -> tuple[Array, Array]:
    """(k, n) scores s -> (k, n) shares exp(s_j) / Σ_l exp(s_l) and (n,) log Σ_j exp(s_j).

    The greatest score of each column is taken off first, so the largest power is exp(0). A score of -inf has
    no share; each column needs one that is finite.
    """
    greatest = scores.max(axis=0)
    shares = scores - greatest
    np.exp(shares, out=shares)
    total = shares.sum(axis=0)
    shares /= total
    return shares, np.log(total) + greatest
