"""Panels of two convex hulls: outlines, a point in each, and the segment between these with the plane across it."""

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Array,
    Dataset,
    DragHandles,
    GhostTrail,
    Labels,
    Panel,
    Path,
    Points,
    Region,
    Segments,
    Trail,
    columns,
)
from algorithms.core.scene import Mark
from algorithms.toolbox.panels.hull import Frame, frame, outline
from algorithms.toolbox.panels.linear import alike, boundary, foot, parts

_LISTED = 6  # rows of either class in the table of those that p and q are made of

Seen = Callable[[Array], Array]


def hulls_stage(
    data: Dataset,
    rows: Points,
    state: Any,
    earlier: Array | None,
    pulled: tuple[int, ...],
    handles: DragHandles,
) -> Panel:
    """The rows on the sides of the plane f = 0; of one or two features the hulls too, with p, q and their segment.

    Args:
        rows: the rows as they are to be marked.
        state: has `ends`, (2, d) p and q, and `w`, (d + 1,) weights and bias of the plane.
        earlier: (d + 1,) those before the step, to whose plane the feet of the rows in hand are drawn.
        pulled: the rows in hand.
        handles: p and q to be dragged.
    """
    weights, offset = parts(state.w, True)
    now = boundary(weights, offset, "ink")
    planes: tuple[Mark, ...] = () if now is None else (now,)
    tint = Region(score=lambda x: x @ weights + offset, lines=(-1.0, 1.0), depth=2.0, check=data.X)
    past = GhostTrail(mark=lambda state: boundary(*parts(state.w, True)), name="earlier planes", last=4)
    hulls = hull_marks(data, lambda x: x, state) if flat(data) else ((), ())
    feet = () if earlier is None else tuple(mark for r in pulled for mark in foot(data, earlier, True, r))
    marks = (*((tint,) if planes else ()), past, *hulls[0], *planes, rows, *feet, *hulls[1], handles)
    title = "two hulls, and the plane between" if flat(data) else "the plane between two hulls"
    return Panel(title=title, space="data", marks=marks, equal=alike(data), note="f = 0 and f = ±1")


def flat(data: Dataset) -> bool:
    """Whether the plane is all there is, so that hulls are seen as they are."""
    return data.d <= 2 and data.map is None


def hull_marks(data: Dataset, at: Seen, state: Any) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """What lies under the rows, the outline of each class; and over them, p and q, their segment and where they were.

    Args:
        at: (m, d) -> (m, 2) or (m, d), as the panel has it.
    """
    pair = at(state.ends)
    outlines = tuple(Path(at=edge(at(data.X[data.signs == sign])), tone=tone) for sign, tone in ((-1, 0), (1, 1)))
    return outlines, (
        Trail(where=lambda state: at(state.ends), tones=("muted", "muted"), name="paths of p, q"),
        Segments(start=pair[:1], end=pair[1:], tone=5, name="p - q"),
        Labels(at=pair, texts=("p", "q"), glyph="◆"),
    )


def edge(at: Array) -> Array:
    """(m, k) the outline of places on a line or in a plane."""
    return np.array([[at.min()], [at.max()]]) if at.shape[1] == 1 else outline(at)


def projected_frame(data: Dataset, w: Array | None) -> Frame:
    """Two directions in which hulls of more than two features are seen: along w, the boundary's normal, and across."""
    direction = None if w is None or not w.any() else w / np.linalg.norm(w)
    return frame(data.X - data.X.mean(axis=0), data.features, direction)


def projected_hulls(data: Dataset, seen: Frame, rows: Points, state: Any) -> tuple[Panel, ...]:
    """Draw hulls of more than two features along two directions; () where the stage shows them as they are."""
    if flat(data):
        return ()
    centre = data.X.mean(axis=0)
    under, over = hull_marks(data, lambda x: seen.of(x - centre), state)
    return (
        Panel(
            title="the hulls along w* and across it",
            marks=(*under, replace(rows, at=seen.at), *over),
            axes=seen.names,
            limits=seen.limits,
            equal=True,
            note=f"{data.d} features, two directions",
        ),
    )


def shares_panel(data: Dataset, shares: Array, margins: Array, marked: tuple[int, ...]) -> Panel:
    """List the rows that p and q are made of, the largest share of each class first.

    Args:
        shares: (n,) λ.
        margins: (n,) y f/‖w‖.
    """
    order = np.lexsort((-shares, data.signs < 0))
    listed = [
        r for sign in (1, -1) for r in order[(shares[order] > 0) & (data.signs[order] == sign)][:_LISTED].tolist()
    ]
    left = int(np.count_nonzero(shares)) - len(listed)
    return columns(
        "rows that p and q are made of",
        {"row": listed, "λ": shares[listed], "y f/‖w‖": margins[listed]},
        note=f"and {left} more" if left else "",
        tones=tuple(np.asarray(data.y)[listed].tolist()),
        marked=tuple(i for i, r in enumerate(listed) if r in marked),
    )
