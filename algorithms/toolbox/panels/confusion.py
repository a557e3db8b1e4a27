"""Panel: how many rows of each class are taken for which."""

import numpy as np

from algorithms.core import Array, Dataset, Panel, columns


def confusion(data: Dataset, predicted: Array) -> Panel:
    """A table with a row a class and a column a prediction.

    Args:
        predicted: (n,) class codes, or bool for two classes.
    """
    k, y = len(data.classes), np.asarray(data.y)
    counts = np.bincount(k * y + predicted.astype(int), minlength=k * k).reshape(k, k)
    heads = {"is \\ predicted": data.classes} | {name: counts[:, j] for j, name in enumerate(data.classes)}
    return columns("confusion", heads, tones=tuple(range(k)))
