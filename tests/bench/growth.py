"""How the time of the same steps grows with the rows: with ten times as many by ten, or what leaves the cache."""

import statistics
from collections.abc import Iterator
from itertools import islice
from time import process_time

from algorithms import Dataset, datasets, find
from tests.bench.learning import fresh
from tests.bench.row import Figures, Result, below

_FEW, _MANY = 10_000, 100_000  # rows
_STEPS, _PAIRS = 8, 5


def growth() -> Iterator[Result]:
    """Some steps on some rows and on ten times as many, by turns."""
    few, many = (datasets.recipe("blobs", n=n).load() for n in (_FEW, _MANY))
    for name in ("lloyd", "decision_tree", "adaboost"):
        found = [_seconds(name, many) / _seconds(name, few) for _ in range(_PAIRS)]
        yield below(
            f"{name}, {_STEPS} steps on {_MANY:,} rows over those on {_FEW:,}", statistics.median(found), 12, "times"
        )


def _seconds(name: str, data: Dataset) -> float:
    algorithm, data = find(name), fresh(data)
    began = process_time()
    for _ in islice(algorithm.start(algorithm.problem(data)), _STEPS):
        pass
    return process_time() - began


GROWTH = (Figures("ten times the rows", growth),)
