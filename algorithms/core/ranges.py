"""Ranges of numbers: how large and how small they may be for products of them to be numbers still."""

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset


def out_of_range(data: Dataset, most: float, least: float | None = None, held_out: bool = True) -> str | None:
    """Why features of this size cannot be multiplied as often as is needed, for a refusal; None where they can.

    Args:
        data: its rows, and those held out, which cannot be too small.
        most: the largest size; products of larger numbers overflow.
        least: what the largest number may not be below, or products vanish; 1/most by default. All may be 0.
        held_out: whether anything is measured on the rows held out.
    """
    sentence = outside(data.name, data.X, most, 1 / most if least is None else least)
    if sentence is None and held_out and data.held_out is not None:
        return outside(f"the rows of {data.name} held out", data.held_out.X, most, 0.0)
    return sentence


def targets_out_of_range(data: Dataset, most: float, least: float) -> str | None:
    """The same of targets that are numbers."""
    sentence = outside(f"{data.target} of {data.name}", np.asarray(data.y), most, least)
    if sentence is None and data.held_out is not None:
        return outside(f"{data.target} of the rows of {data.name} held out", np.asarray(data.held_out.y), most, 0.0)
    return sentence


def outside(name: str, values: Array, most: float, least: float) -> str | None:
    """The same of any numbers, by the name of what they are."""
    largest = max(float(np.maximum.reduce(values, axis=None)), -float(np.minimum.reduce(values, axis=None)))
    if largest <= most and not 0 < largest < least:
        return None
    return f"the largest number in {name} is {largest:.3g}; products of such numbers are out of range: scale it."
