"""What an algorithm is run on: its data sets, or its settings where it has none, and fewer rows for many runs."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from algorithms import Algorithm, Dataset

Indices = np.ndarray[Any, np.dtype[np.intp]]

ROWS = 47  # no half, third or fourth of the states of a run: nothing else is likely to be as long by chance


def with_settings(algorithm: Algorithm, data: Sequence[Dataset]) -> list[tuple[Algorithm, Dataset]]:
    """The algorithm on each of the data; without rows, with each of its settings for defaults."""
    if algorithm.needs.data:
        return [(algorithm, one) for one in data]
    return [(each, Dataset.none) for each in _by_setting(algorithm)]


@cache
def _by_setting(algorithm: Algorithm) -> list[Algorithm]:
    return [algorithm.with_defaults(**setting) for setting in algorithm.settings]


def thinned(data: Dataset, rows: int = ROWS) -> Dataset:
    """So many rows at even distances, of each class about as many; the data itself where it has no more.

    Nothing is held out, and what is known row by row of made data is left out.
    """
    if data.n <= rows:
        return data
    groups = _groups(data)
    kept = np.sort(np.concatenate([_even(group, rows // len(groups)) for group in groups]))
    truth = {name: value for name, value in data.truth.items() if np.shape(value)[:1] != (data.n,)}
    return Dataset(
        data.X[kept],
        None if data.y is None else data.y[kept],
        name=data.name,
        kind=None if data.y is None else data.kind,
        features=data.features,
        classes=data.classes,
        target=data.target,
        centre=data.centre if data.scaled else None,
        spread=data.spread if data.scaled else None,
        truth=truth,
        image=data.image,
    )


def _groups(data: Dataset) -> Sequence[Indices]:
    """The rows of each class, or all of them."""
    if data.y is None or data.kind != "class":
        return [np.arange(data.n)]
    return [group for code in range(len(data.classes)) if len(group := np.flatnonzero(data.y == code))]


def _even(group: Indices, most: int) -> Indices:
    """At most so many of them (at least two), at even distances."""
    kept: Indices = group[np.linspace(0, len(group) - 1, min(len(group), max(most, 2))).round().astype(int)]
    return kept
