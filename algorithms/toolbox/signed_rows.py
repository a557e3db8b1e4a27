"""Signed rows: y x of two classes, which a linear classifier has to bring to one side of the origin."""

import numpy as np

from algorithms.core import Array, Dataset
from algorithms.toolbox.separation import Separation, separate


def signed_rows(data: Dataset, bias: bool) -> Array:
    """(n, p) rows y x, the constant 1 appended to x first when there is a bias."""
    x = np.column_stack([data.X, np.ones(data.n)]) if bias else data.X
    return np.asarray(x * data.signs[:, None])


def longest(data: Dataset, bias: bool) -> float:
    """R, the length of the longest row."""
    z = data.once(signed_rows, bias)
    return float(np.sqrt(np.vecdot(z, z).max()))


def separated(data: Dataset, bias: bool) -> Separation:
    """The direction that separates the rows most widely, or the proof of none; ask by `data.once(separated, bias)`."""
    return separate(data.once(signed_rows, bias))
