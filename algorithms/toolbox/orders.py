"""Orders: in which order an epoch visits the rows, as a function of the seed and the epoch alone."""

from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

from algorithms.core import Array, Problem

Order = Literal["cyclic", "shuffled", "replacement"]
Rows: TypeAlias = slice | Array


@lru_cache(maxsize=8)
def epoch_order(n: int, order: Order, seed: int, epoch: int) -> Array:
    """(n,) row numbers in the order in which `epoch` visits them, read-only.

    "cyclic" is 0, 1, ..., n - 1; "shuffled" a fresh permutation every epoch; "replacement" n independent
    draws. A run that is taken up in the middle of an epoch asks again and gets the same order; the last few
    are kept. The keys of a permutation are drawn row by row, so one more row does not reshuffle the others.
    """
    if order == "cyclic":
        rows = np.arange(n)
    elif order == "shuffled":
        rows = np.random.default_rng((seed, epoch)).random(n).argsort()
    else:
        rows = np.random.default_rng((seed, epoch)).integers(n, size=n)
    rows.setflags(write=False)
    return rows


def next_place(epoch: int, place: int, n: int) -> tuple[int, int]:
    """The epoch and the place in its order that come after a visit; 0 and -1 are before the first."""
    return (max(epoch, 1), place + 1) if place + 1 < n else (epoch + 1, 0)


def used_after(rows: Array, order: Array, used: int) -> int:
    """How many places of an epoch are used up after rows came or went: one fewer for each visit to a row that went.

    Args:
        rows: (n,) for each row now, which one it was; -1 for a new one.
        order: the epoch's order before.
        used: how many of its places were used.
    """
    stayed = int(np.isin(order[:used], rows).sum())
    return min(stayed, len(rows))


def used_in_epoch(before: Problem, epoch: int, used: int, rows: Array) -> int:
    """The same of a run on `before`, in the order that its parameters give the epoch in hand; 0 is before the first."""
    p = before.parameters
    return used_after(rows, epoch_order(before.data.n, p.order, p.seed, max(epoch, 1)), used)


def batch_rows(n: int, order: Order, seed: int, epoch: int, first: int, last: int) -> Rows:
    """The rows at places first to last - 1 of an epoch's order; a slice where they are in turn, or all of them."""
    if order == "cyclic" or (order == "shuffled" and last - first == n):
        return slice(first, last)
    return epoch_order(n, order, seed, epoch)[first:last]
