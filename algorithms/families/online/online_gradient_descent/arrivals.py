"""Arrivals: how rows come to one who learns them one at a time, each once in a pass.

An adversary may choose them: "worst first" brings, of the rows that have not come, the one that costs most now.
"""

from typing import Literal

import numpy as np

from algorithms.core import Array, Dataset, Sides
from algorithms.toolbox.orders import epoch_order

Arrival = Literal["shuffled", "as it comes", "by class", "worst first"]


def turns(data: Dataset, costs: Array, arrival: Arrival, seed: int, epoch: int) -> Array:
    """(n,) when the turn of each row is; of those that have not come in this pass, the row with the least is next.

    Args:
        costs: (n,) what each row would cost now.
        epoch: the pass, for an order of its own.
    """
    if arrival == "worst first":
        return -costs
    if arrival == "by class":
        return np.asarray(data.signs * data.n + np.arange(data.n))
    if arrival == "shuffled":
        return np.argsort(epoch_order(data.n, "shuffled", seed, epoch))
    return np.arange(data.n)


def next_row(seen: Array, turn: Array) -> int:
    """The row whose turn is next, of those that have not come; seen (n,) bool says which have."""
    return int(np.where(seen, np.inf, turn).argmin())


def in_its_turn(row: int, seen: Array, data: Dataset, costs: Array, arrival: Arrival, seed: int, epoch: int) -> Sides:
    """The turn of the row is the least of those to come; or its cost the most, where the worst comes first."""
    if arrival == "worst first":
        left = np.where(seen, -np.inf, costs)
        return Sides(("most of those to come", float(left.max())), ("f of the row", float(left[row])))
    turn = np.where(seen, np.inf, turns(data, costs, arrival, seed, epoch))
    return Sides(("turn of the row", float(turn[row])), ("the least to come", float(turn.min())))
