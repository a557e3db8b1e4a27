"""Panels of rows that have names: which name lies on which side."""

import numpy as np

from algorithms.core import Array, Dataset, Labels, Panel, columns
from algorithms.toolbox.panels.linear import parts


def named_rows(data: Dataset, margins: Array, row: int, head: str = "y w·x") -> tuple[Panel, ...]:
    """List the rows by name with their class and (n,) margin; nothing where rows have numbers only."""
    if not data.names:
        return ()
    codes = np.asarray(data.y)
    heads = {"name": data.names, data.target: [data.classes[code] for code in codes], head: margins + 0.0}
    marked = (row,) if row >= 0 else ()
    return (columns("names", heads, tones=tuple(codes.tolist()), marked=marked),)


def names_to_predict(data: Dataset, w: Array, bias: bool) -> tuple[Panel, ...]:
    """List the rows held out by name with their w·x and the class it gives, none at 0; nothing without such names.

    Args:
        w: (p,) weights, the bias last where there is one.
    """
    aside = data.held_out
    if aside is None or not aside.names:
        return ()
    weights, offset = parts(w, bias)
    scores, codes = aside.X @ weights + offset, np.asarray(aside.y)
    predicted = [data.classes[int(score > 0)] if score else "cannot say" for score in scores]
    truth = [data.classes[code] for code in codes]
    heads = {"name": aside.names, "w·x": scores + 0.0, "predicted": predicted, data.target: truth}
    return (columns("names to predict", heads, tones=tuple(codes.tolist())),)


def name_beside(data: Dataset, row: int) -> tuple[Labels, ...]:
    """Write the name of the row in hand beside it; nothing where it has none."""
    if row < 0 or not data.names or not data.names[row]:
        return ()
    return (Labels(at=data.X[row][None], texts=(f" {data.names[row]}",), tones=("accent",), glyph=" "),)
