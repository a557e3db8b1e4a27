"""What linear classifiers show of a hyperplane: its sides as a tint, and its normal as an arrow that can be seen."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import Array, Arrow, Dataset, DragHandles, Hyperplane, Region, State


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
    before = np.zeros_like(weights) if earlier is None else earlier
    found = _footing(data, weights, offset, before)
    if found is None:
        return ()
    start, scale, _ = found
    head, old_head = start + scale * weights, start + scale * before
    now = Arrow(start=start, end=head, name="w")
    if not before.any():
        return (now,)
    was = Arrow(start=start, end=old_head, tone="muted", name="w before")
    return (was, Arrow(start=old_head, end=head, tone="accent"), now)


def _footing(data: Dataset, weights: Array, offset: float, before: Array) -> tuple[Array, float, bool] | None:
    """Where the arrows start, how long a unit of weight is, and whether that is on the boundary; None for w = 0."""
    middle = data.X.mean(axis=0)
    reach = float(np.sqrt(((data.X - middle) ** 2).sum(axis=1).mean())) or 1.0
    length = float(np.linalg.norm(weights))
    longest = max(length, float(np.linalg.norm(before)))
    if longest == 0:
        return None
    from_boundary = float(weights @ middle + offset)
    near = abs(from_boundary) < reach * length
    start = middle - weights * (from_boundary / length**2) if near else middle
    return start, 0.6 * reach / longest, near


def grips(
    data: Dataset,
    weights: Array,
    offset: float,
    earlier: Array | None,
    bias: bool,
    pulled: Callable[[Any, Array, float], State],
) -> tuple[DragHandles, ...]:
    """The head of the arrow, which turns the boundary about its foot; with a bias the foot too, which shifts it.

    `pulled` is (state, weights, offset) -> the state with these.
    """
    found = _footing(data, weights, offset, np.zeros_like(weights) if earlier is None else earlier)
    if found is None:
        return ()
    start, scale, near = found

    def moved(state: State, i: int, to: Array) -> State:
        if i == 1:
            return pulled(state, weights, -float(weights @ to))
        turned = (to - start) / scale
        return pulled(state, turned, -float(turned @ start) if bias and near else offset)

    both = bias and near
    at = np.stack([start + scale * weights, start]) if both else (start + scale * weights)[None]
    return (DragHandles(at=at, moved=moved, names=("w", "the boundary") if both else ("w",)),)


def alike(data: Dataset) -> bool:
    """Whether the features vary on scales so alike that angles may be shown as they are."""
    spread = data.X.std(axis=0)
    return bool(spread.max() <= 5 * spread.min())
