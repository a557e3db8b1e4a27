"""Panels of chances: p against the score of a row, with the rows on it; p over the plane."""

import numpy as np

from algorithms.core import Array, Dataset, Panel, Path, Points, Region
from algorithms.toolbox.activations import sigmoid
from algorithms.toolbox.logistic import Likelihood
from algorithms.toolbox.panels.row_words import says_chance


def chances_along_scores(f: Likelihood, w: Array, data: Dataset) -> Panel:
    """Draw the s-curve, and each row on it: at its x·w and its p."""
    scores = f.X @ w
    reach = 1.05 * max(float(np.abs(scores).max()), 1.0)
    along = np.linspace(-reach, reach, 121)
    wrong = (f.margins(w) <= 0) & bool(w.any())
    return Panel(
        title="p against x·w",
        marks=(
            Path(at=np.column_stack([along, sigmoid(along)]), tone="muted", name="p = 1/(1 + e^(-x·w))"),
            Points(
                at=np.column_stack([scores, sigmoid(scores)]),
                classes=data.y,
                crossed=wrong,
                says=says_chance(data, f.margins(w)),
            ),
        ),
        axes=("x·w", "p"),
        limits=((-reach, reach), (-0.1, 1.1)),
    )


def chance_tint(w: Array, bias: bool, rows: Array) -> Region:
    """Tint the plane by p, the two colours mixed; the line is p = ½."""
    weights, offset = (w[:-1], float(w[-1])) if bias else (w, 0.0)
    return Region(score=lambda x: classes_of(sigmoid(x @ weights + offset)), mixed=True, check=rows)


def classes_of(p: Array) -> Array:
    """(m,) chances of class 1 -> (m, 2) of both."""
    return np.column_stack([1 - p, p])
