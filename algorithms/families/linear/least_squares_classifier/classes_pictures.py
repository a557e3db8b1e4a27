"""Panels of classifiers with a weight vector a class: which class wins where, and the weights."""

import numpy as np

from algorithms.core import Array, Dataset, Matrix, Panel, Points, Region, columns
from algorithms.toolbox.panels.linear import alike

_COLUMNS = 6  # classes with a column of weights


def wins_panel(data: Dataset, rows: Points, W: Array, title: str = "where each class wins") -> Panel:
    """Tint each place by the class with the greatest W_c·x; none where all classes are alike.

    Args:
        rows: the rows as they are to be marked.
        W: (K, d + 1) weights, the bias last.
    """
    tint = (Region(score=lambda x: x @ W[:, :-1].T + W[:, -1], check=data.X),) if np.ptp(W, axis=0).any() else ()
    return Panel(title=title, space="data", marks=(*tint, rows), equal=alike(data))


def class_weights(data: Dataset, W: Array, row: int | None) -> tuple[Panel, ...]:
    """Table (K, d + 1) weights, a column a class; where rows are pictures, those of the row's class as an image."""
    table = columns("weights", {"feature": (*data.features, "bias"), **dict(zip(data.classes[:_COLUMNS], W))})
    if data.image is None or row is None or data.y is None:
        return (table,)
    code = int(data.y[row])
    picture = Matrix(values=W[code, :-1].reshape(data.image), signed=True)
    return Panel(title=f"W of {data.classes[code]} as an image"[:40], marks=(picture,)), table
