"""Panels of classifiers with a score a class: scores and shares along a line through the rows, weights as images."""

from collections.abc import Callable

import numpy as np

from algorithms.core import Array, Arrow, Dataset, DragHandles, Matrix, Panel, Path, Points, State, columns
from algorithms.core.scene import Mark
from algorithms.toolbox.entry_names import weight_names
from algorithms.toolbox.panels.row_words import says_scores

_ACROSS = 5  # images beside each other
_NAMED = 4  # arrows; of more the class alone is named


def main_direction(data: Dataset) -> tuple[Array, Array]:
    """(d,) the rows' mean and (d,) the unit direction in which they vary most; for `data.once`."""
    middle = data.X.mean(axis=0)
    size = float(np.abs(data.X - middle).max()) or 1.0
    return middle, np.linalg.svd((data.X - middle) / size, full_matrices=False)[2][0]


def along_main_direction(
    data: Dataset, scores: Callable[[Array], Array], shares: Callable[[Array], Array] | None = None
) -> tuple[Panel, ...]:
    """Draw each class's score, and its share, on the line through the rows' mean along which they vary most.

    The rows stand where they lie along that line, in the panel of shares at the share of their own class. They lie
    off the line, so off the curves too: title and axis say so.

    Args:
        scores, shares: (m, d) -> (m, K); without shares there is the panel of scores alone.
    """
    middle, direction = data.once(main_direction)
    if direction[np.abs(direction).argmax()] < 0:
        direction = -direction
    places = (data.X - middle) @ direction
    low, high = float(places.min()), float(places.max())
    reach = 0.08 * (high - low) or 1.0
    t = np.linspace(low - reach, high + reach, 121)
    line, codes = middle + t[:, None] * direction, np.asarray(data.y)
    alone = data.d == 1
    name = data.features[0] if alone else "along component 1"
    across, at = (t + middle[0] * direction[0], places + middle[0] * direction[0]) if alone else (t, places)
    heights = scores(line)
    lines = tuple(
        Path(at=np.column_stack([across, heights[:, k]]), tone=k, name=named) for k, named in enumerate(data.classes)
    )
    panels = [Panel(title="scores of the classes", marks=lines, axes=(name, "score"))]
    if shares is not None:
        parts, own = shares(line), shares(data.X)[np.arange(data.n), codes]
        curves = tuple(Path(at=np.column_stack([across, parts[:, k]]), tone=k) for k in range(parts.shape[1]))
        said = says_scores(data, shares, "p")
        rows = Points(at=np.column_stack([at, own]), classes=codes, names=data.classes, says=said)
        title = "p of each class" + ("" if alone else "; rows off the line")
        axes, limits = (name, "p; a row's: of its class"), ((float(across[0]), float(across[-1])), (-0.05, 1.05))
        panels.insert(0, Panel(title=title, marks=(*curves, rows), axes=axes, limits=limits))
    return tuple(panels)


def class_arrows(data: Dataset, w: Array, bias: bool) -> tuple[tuple[Mark, ...], tuple[DragHandles, ...]]:
    """The weights of each class as an arrow from the rows' mean, to one scale, and their heads to drag.

    Args:
        w: (K, p) weights, the bias last where there is one; the field `w` of a state.
    """
    weights = w[:, :-1] if bias else w
    longest = float(np.linalg.norm(weights, axis=1).max())
    if longest == 0:
        return (), ()
    start = data.X.mean(axis=0)
    scale = 0.8 * (float(np.sqrt(((data.X - start) ** 2).sum(axis=1).mean())) or 1.0) / longest

    def moved(state: State, k: int, to: Array) -> State:
        changed = w.copy()
        changed[k, : data.d] = (to - start) / scale
        return state.replaced(w=changed)

    names = tuple(f"w of {name}" for name in data.classes)
    arrows = tuple(
        Arrow(start=start, end=start + scale * v, tone=k, name=names[k] if len(w) <= _NAMED else data.classes[k])
        for k, v in enumerate(weights)
        if v.any()
    )
    return arrows, (DragHandles(at=start + scale * weights, moved=moved, names=names),)


def class_table(data: Dataset, w: Array, p: Array) -> Panel:
    """List the classes: their rows, for how many they are likeliest, the sum of (K, n) shares, length of (K, p) w."""
    heads = {
        "rows": np.bincount(np.asarray(data.y), minlength=len(w)),
        "likeliest": np.bincount(p.argmax(axis=0), minlength=len(w)),
        "Σp": p.sum(axis=1),
        "‖w‖": np.linalg.norm(w, axis=1),
    }
    return columns("classes", {"class": data.classes} | heads, tones=tuple(range(len(w))))


def class_weights(data: Dataset, w: Array, bias: bool) -> tuple[Panel, ...]:
    """(K, p) weights in a table, a column a class; and as images beside each other where rows are images."""
    features = weight_names(data, bias)
    table = columns("weights", {"feature": features} | {name: w[k] for k, name in enumerate(data.classes)})
    if data.image is None:
        return (table,)
    height, width = data.image
    K, across = len(w), min(_ACROSS, len(w))
    mosaic = np.zeros((-(-K // across) * (height + 1) - 1, across * (width + 1) - 1))
    for k in range(K):
        top, left = (height + 1) * (k // across), (width + 1) * (k % across)
        mosaic[top : top + height, left : left + width] = w[k, : data.d].reshape(height, width)
    note = f"{data.classes[0]} to {data.classes[across - 1]} above" if across < K else ""
    return Panel(title="w as images", marks=(Matrix(values=mosaic, signed=True),), note=note), table
