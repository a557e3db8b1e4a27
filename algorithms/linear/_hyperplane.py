"""What linear classifiers show of a hyperplane: its sides as a tint, and its normal as an arrow that can be seen."""

import numpy as np

from algorithms.core import Array, Arrow, Dataset, Hyperplane, Region


def sides(data: Dataset, weights: Array, offset: float) -> Region:
    """The side of weights·x + offset = 0 that a place is on, fullest where a tenth of the rows lie deeper."""
    depth = float(np.quantile(np.abs(data.X @ weights + offset), 0.9))
    return Region(score=lambda x: x @ weights + offset, depth=depth or None, check=data.X)


def boundary(weights: Array, offset: float) -> Hyperplane | None:
    """Where weights·x + offset = 0; None when that is nowhere or everywhere."""
    return Hyperplane(normal=weights, offset=offset, tone="muted") if weights.any() else None


def normals(data: Dataset, weights: Array, offset: float, earlier: Array | None) -> tuple[Arrow, ...]:
    """The weights as an arrow; with `earlier` ones, those too and what was added, from one place and to one scale.

    They stand where the boundary comes nearest to the middle of the data (at the middle itself if it is far),
    and are as long as can be seen well: their lengths are to be compared with each other only.
    """
    middle = data.X.mean(axis=0)
    reach = float(np.sqrt(((data.X - middle) ** 2).sum(axis=1).mean())) or 1.0
    before = np.zeros_like(weights) if earlier is None else earlier
    length = float(np.linalg.norm(weights))
    longest = max(length, float(np.linalg.norm(before)))
    if longest == 0:
        return ()
    from_boundary = float(weights @ middle + offset)
    near = abs(from_boundary) < reach * length
    start = middle - weights * (from_boundary / length**2) if near else middle
    scale = 0.6 * reach / longest
    head, old_head = start + scale * weights, start + scale * before
    now = Arrow(start=start, end=head, name="w")
    if not before.any():
        return (now,)
    was = Arrow(start=start, end=old_head, tone="muted", name="w before")
    return (was, Arrow(start=old_head, end=head, tone="accent"), now)


def alike(data: Dataset) -> bool:
    """Whether the features vary on scales so alike that angles may be shown as they are."""
    spread = data.X.std(axis=0)
    return bool(spread.max() <= 5 * spread.min())
