"""Truths of made data: the function that the targets follow but for noise, the Gaussian of the rows, where known."""

from collections.abc import Callable

import numpy as np

from algorithms.core import Array, Dataset


def true_function(data: Dataset) -> Callable[[Array], Array] | None:
    """Find f of a made line or sine, (m, 1) places as the algorithm sees them -> (m,); None where it is not known."""
    truth = data.truth
    if data.d != 1:
        return None
    if {"slope", "intercept"} <= truth.keys():
        return lambda at: np.asarray(truth["slope"] * data.original(at)[:, 0] + truth["intercept"])
    if "waves" in truth:
        return lambda at: np.asarray(np.sin(np.pi * truth["waves"] * data.original(at)[:, 0]))
    return None


def true_gaussian(data: Dataset) -> tuple[float, float]:
    """Find mean and deviation of rows made of one Gaussian; NaN where they are not known, as of scaled rows."""
    if not {"mean", "deviation"} <= data.truth.keys():
        return np.nan, np.nan
    return float(data.truth["mean"]), float(data.truth["deviation"])
