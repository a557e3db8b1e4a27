"""Features of 0 and 1: those of a data set, or whether each of its features is above a threshold of its own."""

from typing import Literal

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset

Threshold = Literal["middle", "mean"]


def thresholds(data: Dataset, at: Threshold) -> Array:
    """(d,) the middle of each feature's range, ½ where it is 0 and 1, or its mean; for `data.once`."""
    if at == "mean":
        return np.asarray(data.X.mean(axis=0))
    return np.asarray(data.X.min(axis=0) / 2 + data.X.max(axis=0) / 2)


def above(X: Array, at: Array) -> Array:
    """(n, d) 1 where a feature is above its threshold, else 0."""
    return (at < X).astype(float)


def above_thresholds(data: Dataset, at: Threshold) -> Array:
    """(n, d) the rows of a data set as 0 and 1, by thresholds of their own; for `data.once`."""
    return above(data.X, data.once(thresholds, at))


def are_binary(data: Dataset) -> bool:
    """Tell whether all features are 0 and 1 as they come."""
    return bool(np.isin(data.X, (0.0, 1.0)).all())
