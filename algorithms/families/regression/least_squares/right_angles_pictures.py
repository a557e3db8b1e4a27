"""Panels of the geometry of least squares: y, its projection and what is left; three rows as a place in space."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import Array, Arrow, Matrix, Panel, Paths, Segments, Trail
from algorithms.core.scene import Mark

_TURN, _TILT = -0.6, 0.45  # of the eye, about the normal of the plane and above the plane
_LINES = 5  # of the grid that shows a plane, each way


def right_triangle(y: Array, fitted: Array, earlier: Callable[[Any], Array], note: str = "") -> Panel:
    """Draw y, ŷ and r as the sides of a triangle, in true lengths; where its corner was, and Thales' circle.

    Args:
        y, fitted: (n,).
        earlier: (state) -> (n,) the fitted values that it held.
    """
    length = float(np.linalg.norm(y)) or 1.0

    def corner(of: Array) -> Array:
        along = float(of @ y) / length
        return np.array([along, np.sqrt(max(float(of @ of) - along**2, 0.0))])

    def corner_of(state: Any) -> Array:
        of = earlier(state)
        return corner(of)[None] if len(of) == len(y) else np.empty((0, 2))  # before a fork there were other rows

    tip, here = np.array([length, 0.0]), corner(fitted)
    turn = np.linspace(0.0, np.pi, 61)
    circle = length / 2 * np.column_stack([1 + np.cos(turn), np.sin(turn)])
    sides: list[Mark] = [Arrow(start=np.zeros(2), end=tip, name="y")] if y.any() else []
    if fitted.any() and y.any():
        sides += [
            Arrow(start=np.zeros(2), end=here, tone="accent", name="ŷ"),
            Arrow(start=here, end=tip, tone="wrong", name="r"),
        ]
    return Panel(
        title="y, ŷ and r in true lengths",
        marks=(
            Paths(at=circle[None], tones=("muted",), name="right angles"),
            Trail(where=corner_of, tones=("accent",), name="path of ŷ"),
            *sides,
        ),
        axes=("along y", "across"),
        limits=((-0.05 * length, 1.12 * length), (-0.04 * length, 0.58 * length)),
        equal=True,
        note=note,
    )


def view_of_space(plane: Array, normal: Array) -> Array:
    """(3, 2) the projection of space on the screen, of one who looks at a plane from above its edge.

    Args:
        plane: (3, 1 or 2) an orthonormal basis of what lies in it.
        normal: (3,) what stands on it, and is to point up; of any length, 0 if that is not known.
    """
    first = plane[:, 0]
    up = normal / np.linalg.norm(normal) if normal.any() else np.cross(first, plane[:, -1])
    if not up.any():  # a single column, and y along it
        up = np.cross(first, np.eye(3)[np.abs(first).argmin()])
        up = up / np.linalg.norm(up)
    second = np.cross(up, first)
    across = np.cos(_TURN) * first + np.sin(_TURN) * second
    away = -np.sin(_TURN) * first + np.cos(_TURN) * second
    return np.column_stack([across, np.cos(_TILT) * up + np.sin(_TILT) * away])


def space_panel(
    plane: Array,
    columns: dict[str, Array],
    y: Array,
    normal: Array,
    fitted: Array,
    left: tuple[Array, Array] | None,
) -> Panel:
    """Draw three rows as space: a column is an arrow in it, y stands off the columns' plane, r is what is left.

    Args:
        plane: (3, 0 to 2) an orthonormal basis of the span of the columns.
        columns: (3,) arrows by name.
        y, fitted: (3,).
        normal: (3,) what is left of y when all columns are used; it points up.
        left: a column and what is left of it without its parts along those before it.
    """
    plane = plane if plane.shape[1] else np.eye(3)[:, :1]
    view = view_of_space(plane, normal if np.linalg.norm(normal) > 1e-9 * np.linalg.norm(y) else np.zeros(3))
    seen = np.stack([np.zeros(3), y, *columns.values()]) @ plane
    low, high = seen.min(axis=0), seen.max(axis=0)
    room = 0.25 * float((high - low).max()) or 1.0
    at = np.linspace(low - room, high + room, _LINES).T  # (1 or 2, lines)
    if len(at) == 1:
        ends = at[:, [0, -1]].T[None]
    else:
        along = [[[a, at[1, 0]], [a, at[1, -1]]] for a in at[0]]
        ends = np.array(along + [[[at[0, 0], b], [at[0, -1], b]] for b in at[1]])
    grid = ends @ plane.T @ view
    origin = np.zeros(2)
    marks: list[Mark] = [Segments(start=grid[:, 0], end=grid[:, 1], name="plane of the columns")]
    marks += [Arrow(start=origin, end=v @ view, tone=i, name=name) for i, (name, v) in enumerate(columns.items())]
    if left is not None and left[1].any():
        whole, part = left
        taken = Segments(start=(whole @ view)[None], end=(part @ view)[None], tone=5, name="taken off")
        marks += [taken, Arrow(start=origin, end=part @ view, tone=3, name="z")]
    marks.append(Arrow(start=origin, end=y @ view, name="y"))
    if fitted.any():
        marks.append(Arrow(start=fitted @ view, end=y @ view, tone="wrong", name="r"))
        marks.append(Arrow(start=origin, end=fitted @ view, tone="accent", name="ŷ"))
    shown = np.concatenate([grid.reshape(-1, 2), (y @ view)[None]])
    low, high = shown.min(axis=0), shown.max(axis=0)
    room = 0.05 * float((high - low).max())
    return Panel(
        title="the columns' plane, and y above it",
        marks=tuple(marks),
        axes=("", ""),
        limits=((float(low[0] - room), float(high[0] + room)), (float(low[1] - room), float(high[1] + room))),
        equal=True,
        note="three rows: three dimensions",
    )


def cosines_panel(vectors: Array, orthogonal: int) -> Panel:
    """Show the cosines between (p, n) columns as they are now, of which the first so many are orthogonal by now."""
    lengths = np.linalg.norm(vectors, axis=1)
    unit = vectors / np.where(lengths > 0, lengths, 1.0)[:, None]
    marked = ((orthogonal - 1, orthogonal - 1),) if orthogonal else ()
    image = Matrix(values=np.clip(unit @ unit.T, -1, 1), signed=True, scale=(-1.0, 1.0), marked=marked)
    note = f"the first {orthogonal} at right angles" if orthogonal > 1 else ""
    return Panel(title="cosines between columns", marks=(image,), note=note)
