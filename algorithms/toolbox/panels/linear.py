"""Panels of linear classifiers: the sides of a hyperplane, its normal as an arrow that can be dragged, the weights."""

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Array,
    Arrow,
    Dataset,
    DragHandles,
    GhostTrail,
    Hyperplane,
    Matrix,
    Panel,
    Points,
    Region,
    Segments,
    State,
    columns,
)
from algorithms.core.scene import Mark, Tone
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.sizes import largest_features

_DOTS = 0.1  # of the rows' distance from their middle: a line shorter than that is a dot or two
_SHORT = 0.2  # of the longer w: a step shorter than that is little more than its head
_ROUNDED = 64 * float(np.finfo(float).eps)  # of the largest part of a sum: what is smaller is lost in its rounding


def sides(data: Dataset, weights: Array, offset: float) -> Region:
    """The side of weights·x + offset = 0 that a place is on, fullest where a tenth of the rows lie deeper."""
    deep = int(0.9 * (data.n - 1))
    depth = float(np.partition(np.abs(data.X @ weights + offset), deep)[deep])
    return Region(score=lambda x: x @ weights + offset, depth=depth or None, check=data.X)


def boundary(weights: Array, offset: float, tone: Tone = "muted") -> Hyperplane | None:
    """Where weights·x + offset = 0; None when that is nowhere or everywhere."""
    return Hyperplane(normal=weights, offset=offset, tone=tone) if weights.any() else None


def boundaries(w: Array, bias: bool) -> tuple[Hyperplane, ...]:
    """The boundary of other weights, to be told from that of w; () where it is nowhere or everywhere."""
    weights, offset = parts(w, bias)
    return (Hyperplane(normal=weights, offset=offset, tone="accent"),) if weights.any() else ()


def compared(w: Array | None, bias: float, name: str) -> tuple[Hyperplane, ...]:
    """The boundary that another one is compared with, in a colour of its own; () where there is none."""
    if w is None:
        return ()
    weights, offset = parts(w, bias)
    return (Hyperplane(normal=weights, offset=offset, tone=3, name=name),) if weights.any() else ()


def margin_lines(w: Array, bias: float) -> tuple[Hyperplane, ...]:
    """The planes on which w·x + b is 1 and -1; () where they are nowhere."""
    weights, offset = parts(w, bias)
    return tuple(Hyperplane(normal=weights, offset=offset - f, tone="muted") for f in (1, -1)) if weights.any() else ()


def foot(data: Dataset, w: Array, bias: bool, row: int) -> tuple[Segments, ...]:
    """Draw the way from a row to its foot on w·x + b = 0, |w·x + b|/‖w‖ long; () where it cannot be seen whole."""
    weights, offset = parts(w, bias)
    if row < 0 or data.d > 2 or data.map is not None or not weights.any():
        return ()
    x = data.X[row]
    end = foot_of(x, weights, offset)
    if float(np.linalg.norm(x - end)) < _DOTS * data.once(_middle_and_reach)[1]:  # the row's own mark covers it
        return ()
    return (Segments(start=x[None], end=end[None], tone="accent", name="row to boundary"),)


def foot_of(x: Array, weights: Array, offset: float) -> Array:
    """Find the (d,) place of weights·x + offset = 0 that is nearest to x."""
    length = float(np.linalg.norm(weights))
    unit = weights / length
    return np.asarray(x - (x @ unit + offset / length) * unit)


def both_margins(w: Array, bias: bool, z: Array) -> dict[str, float | None]:
    """Give the least y w·x and the least distance with its sign: a longer w makes the first larger, and not the second.

    Args:
        z: (n,) y w·x of the rows.
    """
    length = float(np.linalg.norm(parts(w, bias)[0]))
    return {"least y w·x": float(z.min()), "least y w·x/‖w‖": float(z.min()) / length if length else None}


def normals(data: Dataset, weights: Array, offset: float, earlier: Array | None) -> tuple[Arrow, ...]:
    """The weights as an arrow; with `earlier` ones, those too and what was added, from one place and to one scale.

    They stand where the boundary comes nearest to the middle of the data (at the middle itself if it is far),
    and are as long as can be seen well: their lengths are to be compared with each other only.
    """
    before = np.zeros_like(weights) if earlier is None else earlier
    footing = _footing(data, weights, offset, before)
    if footing is None:
        return ()
    start, scale, _ = footing
    head, old_head = start + scale * weights, start + scale * before
    now = Arrow(start=start, end=head, name="w")
    if not before.any() or np.array_equal(before, weights):  # nothing was added: one arrow, not two in one place
        return (now,)
    was = Arrow(start=start, end=old_head, tone="muted", name="w before")
    seen = float(np.linalg.norm(weights - before)) > _SHORT * float(
        max(np.linalg.norm(weights), np.linalg.norm(before))
    )
    return (was, Arrow(start=old_head, end=head, tone="accent", legend="the step" if seen else ""), now)


def _footing(data: Dataset, weights: Array, offset: float, before: Array) -> tuple[Array, float, bool] | None:
    """Where the arrows start, how long a unit of weight is, and whether that is on the boundary; None for w = 0."""
    middle, reach = data.once(_middle_and_reach)
    length = float(np.linalg.norm(weights))
    longest = max(length, float(np.linalg.norm(before)))
    if longest == 0:
        return None
    from_boundary = float(weights @ middle + offset)
    near = abs(from_boundary) < reach * length
    start = middle - weights * (from_boundary / length**2) if near else middle
    return start, 0.6 * reach / longest, near


def _middle_and_reach(data: Dataset) -> tuple[Array, float]:
    """The mean of the rows, and how far they are from it; 1 where all are in one place."""
    middle = data.X.mean(axis=0)
    return middle, float(np.sqrt(((data.X - middle) ** 2).sum(axis=1).mean())) or 1.0


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
    footing = _footing(data, weights, offset, np.zeros_like(weights) if earlier is None else earlier)
    if footing is None:
        return ()
    start, scale, near = footing

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
    return data.once(_alike)


def _alike(data: Dataset) -> bool:
    spread = data.X.std(axis=0)
    return bool(spread.max() <= 5 * spread.min())


def parts(w: Array, bias: float) -> tuple[Array, float]:
    """The (d,) weights of the features, and the bias: the last weight, as often as the constant that is appended.

    Args:
        bias: the constant, True being 1; 0 where none is appended.
    """
    return (w[:-1], bias * float(w[-1])) if bias else (w, 0.0)


def stage(
    data: Dataset,
    rows: Points,
    w: Array,
    bias: float,
    *,
    earlier: Array | None = None,
    title: str = "",
    field: str = "w",
    pulled: Callable[[Any, Array], State] | None = None,
    tint: Region | None = None,
    beside: tuple[Mark, ...] = (),
) -> Panel:
    """The rows on the sides of w·x = 0, with w as an arrow, the boundaries that were, and places to drag.

    Args:
        rows: the rows as they are to be marked.
        w: (p,) weights, that of the constant last where there is one.
        bias: that constant; True is 1.
        earlier: (p,) weights before this step, drawn beside w when it changed them.
        field: the field of a state that holds w, of which the earlier boundaries are drawn.
        pulled: (state, w) -> the state with other weights, for dragging; None where nothing can be dragged.
        tint: what the plane is tinted by; the side, where there is none.
        beside: what else there is to see, under the rows.
    """
    title = title or f"the boundary w·{'x' if data.map is None else 'φ(x)'} = 0"
    weights, offset = parts(w, bias)
    before = None if earlier is None else parts(earlier, bias)[0]
    tinted = replace(tint or sides(data, weights, offset), lines=())  # the boundary itself is drawn over what was
    tints = (tinted,) if weights.any() else ()
    past = GhostTrail(mark=lambda state: boundary(*parts(getattr(state, field), bias)), name="earlier boundaries")
    handles: tuple[DragHandles, ...] = ()
    if pulled is not None:

        def moved(state: Any, weights: Array, offset: float) -> State:
            return pulled(state, np.append(weights, offset / bias) if bias else weights)

        handles = grips(data, weights, offset, before, bool(bias), moved)
    arrows = normals(data, weights, offset, before)
    now = boundary(weights, offset, "ink")  # last of the lines, and seen where the plane is not tinted too
    lines = (past, *beside, *(() if now is None else (now,)))
    return Panel(title=title, space="data", marks=(*tints, *lines, rows, *arrows, *handles), equal=data.once(alike))


def seen(data: Dataset, w: Array) -> Array:
    """(p,) weights, 0 where what they add to any w·x is below the rounding of what the others add."""
    reach = np.append(data.once(largest_features), np.ones(len(w) - data.d))
    added = np.abs(w) * reach
    return np.where(added <= _ROUNDED * added.max(), 0.0, w)


def weight_panels(
    data: Dataset, w: Array, bias: bool, earlier: Array | None = None, **more: Array | None
) -> tuple[Panel, ...]:
    """w by feature with what this step added and other weights beside it; and as an image where rows are images."""
    names = weight_names(data, bias)
    shown = seen(data, w)
    change = shown - (shown if earlier is None else seen(data, earlier))
    others = {name: seen(data, column) for name, column in more.items() if column is not None}
    table = columns("weights", {"feature": names, "w": shown, "change": change, **others})
    if data.image is None:
        return (table,)
    return Panel(
        title="w as an image", marks=(Matrix(values=parts(w, bias)[0].reshape(data.image), signed=True),)
    ), table
