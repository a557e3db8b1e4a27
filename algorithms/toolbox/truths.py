"""Truths of made data: the function that the targets follow but for noise, the Gaussian of the rows, where known."""

from collections.abc import Callable

import numpy as np
from msgspec import Struct

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


class LinearTruth(Struct, frozen=True, eq=False):
    """What targets were made from: w·x and an intercept, with normal noise.

    Attributes:
        w: (d,) weights of the features as the algorithm sees them.
        sigma: deviation of the noise.
    """

    w: Array
    sigma: float


def linear_truth(data: Dataset) -> LinearTruth | None:
    """Find the weights and the noise that made data follow, None where they are not known."""
    truth = data.truth
    if data.map is not None or data.kind != "number" or "noise" not in truth:
        return None
    if "slope" in truth:
        return LinearTruth(np.array([truth["slope"]]) * data.spread, float(truth["noise"]))
    if "w" in truth and len(truth["w"]) == data.d:
        return LinearTruth(np.asarray(truth["w"]) * data.spread, float(truth["noise"]))
    return None
