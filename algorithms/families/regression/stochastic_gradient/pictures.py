"""Panels of a descent on least squares: the fit, and the path of the weights over the level lines."""

from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core import (
    Array,
    Arrow,
    Contours,
    Dataset,
    DragHandles,
    Labels,
    Panel,
    Path,
    Points,
    Segments,
    State,
    Trail,
)
from algorithms.core.scene import Mark, Role
from algorithms.toolbox.least_squares import Bowl
from algorithms.toolbox.panels.row_words import says_fit

LAST: Role = "ink"
AVERAGE: Role = "accent"
_EXACT: Role = "muted"
_NAMES = ("exact", "averaged", "last")  # the last on top, where they meet
_TONES = (_EXACT, AVERAGE, LAST)
_LEVELS = (0.01, 0.05, 0.2, 0.5, 1.0, 2.0)  # of what there is to gain from w = 0


def fit_panel(data: Dataset, of: Bowl, w: Array, average: Array, used: Array | None, earlier: Array | None) -> Panel:
    """One feature: the rows and the lines. More: what is predicted for each row, against its target.

    `used` are the rows of the step just made, ringed unless they are all; `earlier` the weights they were
    predicted with.
    """
    if used is not None and len(used) == data.n:
        used = None
    ringed, says = (
        None if used is None else np.isin(np.arange(data.n), used),
        says_fit(of.y, lambda row: float(of.X[row] @ w)),
    )
    if data.d > 1:
        ends = _padded(of.y)
        at = np.column_stack([of.y, of.X @ w])
        marks: tuple[Mark, ...] = (
            Path(at=np.column_stack([ends, ends]), tone="muted", name="predicted = true"),
            Points(at=at, tone=0, ringed=ringed, says=says),
        )
        axes = (data.target, f"predicted {data.target}")
        return Panel(title="predicted against true", marks=marks, axes=axes, limits=(ends, _from_zero(of)))
    x = data.original(data.X)[:, 0]
    ends = _padded(x)
    weights = np.column_stack([of.exact, average, w])
    heights = _rows_at(data, of, np.array(ends)) @ weights
    lines = tuple(Path(at=np.column_stack([ends, heights[:, i]]), tone=tone) for i, tone in enumerate(_TONES))
    named = ends[0] + np.array([0.02, 0.25, 0.85]) * (ends[1] - ends[0])  # apart, also where the lines meet
    names = Labels(
        at=np.column_stack([named, (_rows_at(data, of, named) * weights.T).sum(axis=1)]), texts=_NAMES, tones=_TONES
    )

    def put(to: Array) -> tuple[Array, float]:
        return (to[:1] - data.centre) / data.spread, float(to[1])

    missed: tuple[Mark, ...] = ()
    if used is not None and earlier is not None:
        start = np.column_stack([x[used], of.y[used]])
        missed = (
            Segments(
                start=start, end=np.column_stack([x[used], of.X[used] @ earlier]), tone="wrong", name="y - w·x before"
            ),
        )
    return Panel(
        title=f"{data.target} against {data.features[0]}",
        marks=(
            Points(at=np.column_stack([x, of.y]), tone=0, ringed=ringed, put=put, says=says),
            *missed,
            *lines,
            names,
        ),
        axes=(data.features[0], data.target),
        limits=(ends, _from_zero(of)),
    )


def _rows_at(data: Dataset, of: Bowl, places: Array) -> Array:
    """(m, p) rows at m places of the one feature, given in the units the data came in."""
    rows = (places[:, None] - data.centre) / data.spread
    return rows if of.p == 1 else np.column_stack([rows, np.ones(len(rows))])


def _from_zero(of: Bowl) -> tuple[float, float]:
    """A range for what is predicted: from 0, where w = 0 begins, over targets and exact predictions."""
    return _padded(np.concatenate([of.y, of.X @ of.exact, [0.0]]))


def _padded(values: Array) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    size = max(abs(low), abs(high))
    room = 0.06 * (high - low) if high - low > 1e-9 * size else 0.06 * size or 1.0
    return low - room, high + room


class Window(Struct, frozen=True, eq=False):
    """Two coordinates of the weights in which a descent is shown, and how much of them.

    Attributes:
        axes: (2, p) directions; a coordinate is their product with w.
        bend: (2, 2) H in these coordinates.
        names: of the two.
        limits: ((left, right), (bottom, top)), with w = 0 and the exact solution well inside.
        to_gain: f(0) - f(u) as far as it lies in these two.
    """

    axes: Array
    bend: Array
    names: tuple[str, str]
    limits: tuple[tuple[float, float], tuple[float, float]]
    to_gain: float

    def of(self, weights: Array) -> Array:
        """(m, p) -> (m, 2)."""
        return np.asarray(weights @ self.axes.T)


def window(data: Dataset, of: Bowl) -> Window:
    """With two weights, those. With more, the direction of the greatest curvature, in which a descent is the
    first to diverge, and of the others the one in which there is most to gain from w = 0.
    """
    p = len(of.exact)
    if p == 2:
        axes = np.eye(2)
        names = ("slope", "intercept") if data.d == 1 else data.features
    else:
        gains = of.curvatures[1:] * (of.axes[1:] @ of.exact) ** 2
        second = 1 + int(gains.argmax())
        axes = of.axes[[0, second]]
        names = tuple(f"along eigenvector {i + 1} (λ = {of.curvatures[i]:.3g})" for i in (0, second))
    bend = axes @ (of.X.T @ (of.X @ axes.T)) / len(of.X)
    aim = axes @ of.exact
    to_gain = max(float(aim @ bend @ aim) / 2, 0.0)  # where all cancels, rounding may leave less
    flat = np.sqrt(2 * to_gain / np.maximum(np.diag(bend), 1e-9 * of.L or 1.0))  # as far as w = 0 is high
    half = 1.3 * np.maximum(np.abs(aim), 0.4 * flat)
    half[half == 0] = 1.0
    (left, bottom), (right, top) = (aim - half).tolist(), (aim + half).tolist()
    return Window(axes, bend, (names[0], names[1]), ((left, right), (bottom, top)), to_gain)


def path_panel(of: Bowl, seen: Window, w: Array, average: Array, earlier: Array | None) -> Panel:
    """Where the last and the averaged weights have been, over the level lines of f through the exact solution."""
    aim = seen.of(of.exact)

    def height(at: Array) -> Array:
        return np.asarray(of.lowest + np.vecdot((at - aim) @ seen.bend, at - aim) / 2)

    def drag(state: Any, _: int, to: Array) -> State:
        moved: State = state.replaced(w=state.w + (to - seen.of(state.w)) @ seen.axes)
        return moved

    places = seen.of(np.stack([of.exact, average, w]))
    levels = tuple(of.lowest + share * seen.to_gain for share in _LEVELS) if seen.to_gain > 0 else ()
    step = () if earlier is None else (Arrow(start=seen.of(earlier), end=places[2], tone=LAST, legend="the step"),)
    return Panel(
        title="the path of w over the loss",
        marks=(
            Contours(height=height, levels=levels, name="levels of the loss"),
            Trail(where=lambda state: seen.of(np.stack([state.w, state.average])), tones=(LAST, AVERAGE), name="paths"),
            *step,
            Labels(at=places, texts=_NAMES, tones=_TONES),
            DragHandles(at=places[2:], moved=drag, names=("w",)),
        ),
        axes=seen.names,
        limits=seen.limits,
        note="" if len(of.exact) == 2 else "other coordinates at the exact solution",
    )


def parabola_panel(of: Bowl, w: Array, average: Array) -> Panel:
    """With a single weight: f over it, and where the weights are."""
    aim = float(of.exact[0])
    half = 1.3 * abs(aim) or 1.0
    over = np.linspace(aim - half, aim + half, 97)
    top = of.lowest + of.L * half**2 / 2
    at = np.array([[v[0], of.loss(v)] for v in (of.exact, average, w)])
    return Panel(
        title="the loss over w",
        marks=(
            Path(at=np.column_stack([over, of.lowest + of.L * (over - aim) ** 2 / 2]), tone="muted"),
            Labels(at=at, texts=_NAMES, tones=_TONES),
            DragHandles(at=at[2:], moved=lambda state, _, to: state.replaced(w=to[:1]), names=("w",)),
        ),
        axes=("slope", "f"),
        limits=((aim - half, aim + half), (0.0, 1.05 * top or 1.0)),
    )
