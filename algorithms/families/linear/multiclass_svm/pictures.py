"""Panels of linear scores, one a class: where each is the greatest, and the weights as arrows that can be dragged."""

from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms.core import Array, Arrow, Dataset, DragHandles, Matrix, Panel, Points, Region, State, columns
from algorithms.core.scene import Mark
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.panels.linear import alike
from algorithms.toolbox.panels.row_words import says_scores

_COLUMNS = 6  # classes whose weights are shown beside each other


def scores_stage(
    data: Dataset,
    W: Array,
    bias: bool,
    earlier: Array | None,
    row: int,
    crossed: Array,
    moved: tuple[int, ...] | None,
    title: str = "the class of the greatest w·x",
) -> Panel:
    """The rows where each class scores highest, and every w as an arrow that can be dragged.

    Args:
        W: (K, p) weights, the field `W` of a state, the bias last where there is one.
        earlier: (K, p) weights before this step.
        row: the row in hand, -1 for none.
        crossed: (n,) bool, wrong rows.
        moved: the classes whose w it turned.
    """
    d = data.d
    rows = Points(at=data.X, classes=data.y, ringed=np.arange(data.n) == row, crossed=crossed)
    if not W.any():
        return Panel(title=title, space="data", marks=(rows,), equal=alike(data))
    weights, offsets = W[:, :d], W[:, d] if bias else np.zeros(len(W))
    rows = replace(rows, says=says_scores(data, lambda at: at @ weights.T + offsets, "w·x"))
    two = np.partition(data.X @ weights.T + offsets, len(W) - 2, axis=1)
    depth = float(np.quantile(two[:, -1] - two[:, -2], 0.9))
    tint = Region(score=lambda at: at @ weights.T + offsets, depth=depth or None, check=data.X)
    arrows = weight_arrows(data, weights, None if earlier is None else earlier[:, :d], moved or ())
    return Panel(title=title, space="data", marks=(tint, rows, *arrows), equal=alike(data))


def weight_arrows(data: Dataset, W: Array, earlier: Array | None, moved: tuple[int, ...]) -> tuple[Mark, ...]:
    """The (K, d) weights of the features from the middle of the rows, to one scale, and what was added to them."""
    was = W if earlier is None else earlier
    longest = max(float(np.linalg.norm(W, axis=1).max()), float(np.linalg.norm(was, axis=1).max()))
    middle = data.X.mean(axis=0)
    reach = float(np.sqrt(((data.X - middle) ** 2).sum(axis=1).mean())) or 1.0
    if not longest:
        return ()
    scale = 0.8 * reach / longest
    now, old = middle + scale * W, middle + scale * was
    heads = [Arrow(start=middle, end=head, tone=k, name=f"w of {data.classes[k]}") for k, head in enumerate(now)]
    added = [
        Arrow(start=old[k], end=now[k], tone="accent", legend="the step") for k in moved if (old[k] != now[k]).any()
    ]

    def pulled(held: Any, k: int, to: Array) -> State:
        turned = held.W.copy()
        turned[k, : data.d] = (to - middle) / scale
        changed: State = held.replaced(W=turned)
        return changed

    return (*heads, *added, DragHandles(at=now, moved=pulled, names=tuple(f"w of {name}" for name in data.classes)))


def push_panel(data: Dataset, pushed: Array, here: tuple[int, int] | None) -> Panel:
    """How much the rows of each class (down) have pushed each other class (across) away, of (K, K)."""
    k, note = len(pushed), "down: the row's class, across: who is pushed"
    if k > _COLUMNS:
        image = Matrix(values=pushed, marked=() if here is None else (here,))
        return Panel(title="who pushes whom away", marks=(image,), note=note)
    heads: dict[str, Any] = {"pushed:": data.classes}
    for r, name in enumerate(data.classes):
        heads[name] = [None if r == own else float(pushed[own, r]) for own in range(k)]
    marked = () if here is None else (here[0],)
    return columns("who pushes whom away", heads, note, tones=tuple(range(k)), marked=marked)


def row_panel(data: Dataset, row: int, before: Array, after: Array, **more: Array) -> Panel:
    """The scores of a row by class, (K,), before and after a step, with more columns between."""
    heads = {"class": data.classes, "w·x": before, **more, "w'·x": after}
    own = int(np.asarray(data.y)[row])
    return columns(f"row {row}", heads, tones=tuple(range(len(before))), marked=(own,))


def class_weights(data: Dataset, W: Array, bias: bool, note: str = "") -> Panel:
    """(K, p) weights by feature, a column a class."""
    names = weight_names(data, bias)
    heads = {"feature": names} | {f"w {name}": W[k] for k, name in enumerate(data.classes[:_COLUMNS])}
    return columns("weights", heads, note)
