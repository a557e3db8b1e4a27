"""Sizes of numbers: how large and how small they may be for products of them to be numbers still."""

import numpy as np

from algorithms.core.arrays import Array


def out_of_range(name: str, values: Array, most: float, least: float | None = None) -> str | None:
    """Why numbers of this size cannot be multiplied as often as is needed, for `refuse`; None where they can.

    Args:
        name: of the data.
        values: the numbers; what counts is the largest of them in size.
        most: from which on products overflow.
        least: below which products vanish, 1/most by default; all of them may be 0.
    """
    largest = max(float(values.max()), -float(values.min()))
    if largest <= most and not 0 < largest < (1 / most if least is None else least):
        return None
    return f"the largest number in {name} is {largest:.3g}; products of such numbers are out of range: scale it."
