"""Sizes of numbers: how large and how small they may be for products of them to be numbers still."""

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset


def out_of_range(data: Dataset, most: float, least: float | None = None, held_out: bool = True) -> str | None:
    """Why features of this size cannot be multiplied as often as is needed, for `refuse`; None where they can.

    Args:
        data: its rows, and those held out, which cannot be too small.
        most: the largest size; products of larger numbers overflow.
        least: what the largest number may not be below, or products vanish; 1/most by default. All may be 0.
        held_out: whether anything is measured on the rows held out.
    """
    sentence = _sentence(data.name, data.X, most, 1 / most if least is None else least)
    if sentence is None and held_out and data.held_out is not None:
        return _sentence(f"the rows of {data.name} held out", data.held_out.X, most, 0.0)
    return sentence


def column_out_of_range(data: Dataset, j: int, most: float) -> str | None:
    """The same of one feature, where no other is used."""
    return _sentence(f"{data.features[j]} of {data.name}", data.X[:, j], most, 1 / most)


def columns_out_of_range(data: Dataset, most: float) -> str | None:
    """The same of each feature by itself, where each has a weight of its own: none may vanish beside 1/most."""
    squares = np.einsum("ij,ij->j", data.X, data.X)  # a third of the time of the least and the largest
    if squares.min() > 2 * data.n / most**2 > 0 and squares.max() <= most**2 < np.inf and data.held_out is None:
        return None
    largest = np.maximum(data.X.max(axis=0), -data.X.min(axis=0))
    for j in np.flatnonzero((largest > 0) & (largest < 1 / most)).tolist():
        return column_out_of_range(data, j, most)
    return None if data.held_out is None and largest.max() <= most else out_of_range(data, most)


def targets_out_of_range(data: Dataset, most: float, least: float) -> str | None:
    """The same of targets that are numbers."""
    sentence = _sentence(f"{data.target} of {data.name}", np.asarray(data.y), most, least)
    if sentence is None and data.held_out is not None:
        return _sentence(f"{data.target} of the rows of {data.name} held out", np.asarray(data.held_out.y), most, 0.0)
    return sentence


def _sentence(name: str, values: Array, most: float, least: float) -> str | None:
    largest = max(float(values.max()), -float(values.min()))
    if largest <= most and not 0 < largest < least:
        return None
    return f"the largest number in {name} is {largest:.3g}; products of such numbers are out of range: scale it."
