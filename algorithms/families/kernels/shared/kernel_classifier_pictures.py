"""Panels of a classifier that is a sum over rows, f(x) = Σ s_i k(x_i, x): f in the plane, and what each row adds."""

from collections.abc import Callable

import numpy as np

from algorithms.core import Array, Bars, Dataset, Panel, Path, Points, Region, columns
from algorithms.core.scene import Tone
from algorithms.toolbox.activations import sigmoid
from algorithms.toolbox.panels.chances import classes_of
from algorithms.toolbox.panels.row_words import says_chance, says_function, says_scores

_LISTED = 12  # rows in the table


def kernel_stage(
    data: Dataset, f: Callable[[Array], Array], shares: Array, crossed: Array, row: int = -1, note: str = ""
) -> Panel:
    """Tint the plane by f with its line f = 0, the rows by the size of their (n,) shares, the row in hand ringed."""
    most = float(np.abs(shares).max())
    tint = (Region(score=f, check=data.X),) if most else ()
    points = Points(
        at=data.X,
        classes=data.y,
        weights=sizes_of(shares) if most else None,
        ringed=np.arange(data.n) == row,
        crossed=crossed & bool(most),  # f = 0 has not said anything yet
        says=says_function(data, f),
    )
    return Panel(title="f = 0", space="data", marks=(*tint, points), note=note)


def chance_stage(
    data: Dataset, p: Callable[[Array], Array], shares: Array, crossed: Array, note: str, told: int = -1
) -> Panel:
    """Tint the plane by (m, d) -> (m,) chances of class 1, the line at ½, the rows by the size of their shares.

    Args:
        told: the row that is spoken of, -1 for none.
    """
    most = float(np.abs(shares).max())
    tint = (Region(score=lambda at: classes_of(p(at)), mixed=True, check=data.X),) if most else ()
    points = Points(
        at=data.X,
        classes=data.y,
        weights=sizes_of(shares) if most else None,
        ringed=np.arange(data.n) == told,
        crossed=crossed & bool(most),  # p = ½ everywhere has not said anything yet
        says=says_scores(data, lambda at: classes_of(p(at)), "P"),
    )
    return Panel(title=f"p of {data.classes[1]}, and p = ½"[:40], space="data", marks=(*tint, points), note=note)


def chances_along(data: Dataset, scores: Array) -> Panel:
    """Draw the s-curve, and each row on it: at its f and its p."""
    reach = 1.05 * max(float(np.abs(scores).max()), 1.0)
    along = np.linspace(-reach, reach, 121)
    wrong = (data.signs * scores <= 0) & bool(scores.any())
    return Panel(
        title="p against f",
        marks=(
            Path(at=np.column_stack([along, sigmoid(along)]), tone="muted", name="p = 1/(1 + e^(-f))"),
            Points(
                at=np.column_stack([scores, sigmoid(scores)]),
                classes=data.y,
                crossed=wrong,
                says=says_chance(data, data.signs * scores),
            ),
        ),
        axes=("f", "p"),
        limits=((-reach, reach), (-0.1, 1.1)),
    )


def sizes_of(shares: Array) -> Array:
    """(n,) sizes in [0.1, 1] of shares that are not all 0."""
    size = np.abs(shares)
    return np.asarray(np.minimum(0.1 + 0.9 * size / size.max(), 1.0))


def shares_in_order(data: Dataset, shares: Array, row: int, name: str) -> Panel:
    """Draw the (n,) shares that are not 0 as bars, the greatest first, in the tones of the classes."""
    there = np.flatnonzero(shares)
    order = there[np.argsort(-shares[there], kind="stable")]
    tones: tuple[Tone, ...] = tuple("accent" if i == row else int(data.signs[i] > 0) for i in order.tolist())
    bars = Bars(
        heights=shares[order] if len(order) else np.zeros(1),
        edges=np.arange(max(len(order), 1) + 1.0),
        tones=tones or ("muted",),
    )
    top = 1.05 * float(np.abs(shares).max()) or 1.0
    ends = ((0.0, float(max(len(order), 8))), (-top, top))
    return Panel(title=f"{name} of the rows", marks=(bars,), axes=(f"rows by {name}", name), limits=ends)


def most_shares(data: Dataset, shares: Array, scores: Array, row: int, name: str) -> Panel:
    """List the rows with the largest shares, and their y f."""
    order = np.argsort(-np.abs(shares), kind="stable")
    shown = order[np.abs(shares[order]) > 0][:_LISTED]
    heads = {
        "row": shown,
        name: shares[shown],
        "y f": (data.signs * scores)[shown],
        "": [data.row(int(i), 1) for i in shown],
    }
    tones = tuple(int(data.signs[i] > 0) for i in shown.tolist())
    marked = tuple(np.flatnonzero(shown == row).tolist())
    count = int((shares != 0).sum())
    note = f"{len(shown)} of {count}" if count > len(shown) else ""
    return columns("rows that count most", heads, note, tones=tones, marked=marked)
