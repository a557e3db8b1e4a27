"""Truths of made data: the function that the targets follow but for noise, where it is known."""

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
