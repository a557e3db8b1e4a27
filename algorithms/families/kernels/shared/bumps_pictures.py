"""Panels of a function that is a sum of bumps, f(x) = ȳ + Σ α_i k(x_i, x): bumps, multipliers, what is left."""

from collections.abc import Callable

import numpy as np

from algorithms.core import Array, Bars, Dataset, Panel, Path, Paths, Points, columns
from algorithms.core.scene import Mark
from algorithms.toolbox.panels.functions import padded

_PLACES = 121  # of a bump
_MOST = 12  # bumps that are drawn, the largest
_FILL = 0.45  # of the height of the picture that the largest may take
_LISTED = 12  # rows in the table


def bumps(data: Dataset, k: Callable[[Array, Array], Array], alpha: Array, offset: float) -> tuple[Mark, ...]:
    """Draw α_i k(x_i, ·) of the rows whose α is largest, over the one feature, standing on `offset`; () for α = 0.

    They are drawn to one scale, divided by what their name says where they would leave the picture.
    """
    size = np.abs(alpha)
    if not size.any():
        return ()
    rows = np.sort(np.argsort(-size, kind="stable")[:_MOST])
    left, right = padded(data.original(data.X)[:, 0], 0.04)
    low, high = padded(np.asarray(data.y, float), 0.12)
    at = np.linspace(left, right, _PLACES)
    heights = alpha[rows, None] * k(data.X[rows], (at[:, None] - data.centre) / data.spread)
    tallest = float(np.abs(heights).max()) or 1.0
    scale = min(1.0, _FILL * (high - low) / tallest)
    paths = np.stack([np.broadcast_to(at, heights.shape), offset + scale * heights], axis=2)
    name = "bumps α k" if scale == 1 else f"bumps α k / {1 / scale:.2g}"
    return (Paths(at=paths, strength=0.15 + 0.6 * size[rows] / size.max(), tones=("muted",), name=name),)


def multipliers_in_order(data: Dataset, alpha: Array) -> Panel:
    """α of each row as a bar: in the order of the one feature, else of the rows."""
    alone = data.d == 1
    order = np.argsort(data.X[:, 0], kind="stable") if alone else np.arange(data.n)
    return Panel(
        title="α of the rows",
        marks=(Bars(heights=alpha[order], edges=np.arange(data.n + 1.0), tones=("ink",)),),
        axes=(f"rows by {data.features[0]}" if alone else "rows", "α"),
    )


def largest_multipliers(data: Dataset, alpha: Array, off: Array) -> Panel:
    """List the rows with the largest α, and how far f is off there."""
    rows = np.argsort(-np.abs(alpha), kind="stable")[:_LISTED]
    heads = {
        "row": rows,
        "α": alpha[rows],
        "y - f": off[rows],
        "": [data.row(int(i), 1) for i in rows],
    }
    return columns("rows that count most", heads, note=f"{len(rows)} of {data.n}" if len(rows) < data.n else "")


def left_along_eigenvectors(eigenvalues: Array, first: Array, now: Array) -> Panel:
    """Draw what is left of the error along each eigenvector, against its eigenvalue, beside what there was at first.

    Args:
        eigenvalues: (m,) rising, above 0.
        first, now: (m,) squares of the error along the eigenvectors, in the energy norm.
    """
    top = float(first.max(initial=0.0)) or 1.0
    bottom = 1e-18 * top

    def line(heights: Array) -> Array:
        return np.column_stack([eigenvalues, np.maximum(heights, bottom)])

    ends = (0.7 * float(eigenvalues[0]), 1.4 * float(eigenvalues[-1])) if len(eigenvalues) else (0.5, 2.0)
    return Panel(
        title="error left by eigenvector, logarithmic",
        marks=(
            Path(at=line(first), tone="muted", name="of α = 0"),
            Points(at=line(now), tone="accent", rows=False, names=("now",)),
        ),
        axes=("λ of A", "part of ‖e‖²"),
        limits=(ends, (bottom, 4 * max(top, float(now.max(initial=0.0))))),
        log="xy",
    )


def both_ways(n: int, D: int | None) -> Panel:
    """List what α on n rows costs, and what w on D features would; None where no finite number of them will do."""
    heads = {
        "": ("numbers to keep", "multiplications to solve"),
        "α, by K": (n, n**3),
        "w, by φ": ("∞", "∞") if D is None else (D, D**3),
    }
    cheaper = "φ has no finite length" if D is None else "K is cheaper" if n < D else "φ is no dearer"
    return columns("α on rows, or w on φ(x)", heads, note=cheaper)
