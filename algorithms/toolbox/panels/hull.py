"""Panel of a convex hull: its points and outline, the origin, and the point of it that comes ever nearer to that."""

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Arrow, Dataset, Hyperplane, Labels, Panel, Paths, Points, Segments, Trail, columns
from algorithms.core.scene import Mark

_ROOM = 0.08  # of the picture, at each side
_LISTED = 12  # rows in the table of those that z is made of


class Frame(Struct, frozen=True, eq=False):
    """Two directions in which points of R^p are seen, with all that stays the same over a run.

    Attributes:
        axes: (2, p) orthogonal directions of length 1; the second is 0 where p is 1.
        names: of the two.
        at: (n, 2) the points.
        outline: (m, 2) the corners of their hull, the first again at the end.
        limits: ((left, right), (bottom, top)), points and origin inside.
        flat: whether there are no other directions, so that lengths are true.
    """

    axes: Array
    names: tuple[str, str]
    at: Array
    outline: Array
    limits: tuple[tuple[float, float], tuple[float, float]]
    flat: bool

    def of(self, points: Array) -> Array:
        """(..., p) -> (..., 2)."""
        return np.asarray(points @ self.axes.T)


def frame(points: Array, names: tuple[str, ...], towards: Array | None, name: str = "w*") -> Frame:
    """See (n, p) points by their own coordinates where there are two; else along `towards` and what varies most.

    Args:
        names: of the p coordinates.
        towards: (p,) a direction of length 1; what is longest among the points if None.
    """
    p = points.shape[1]
    if p == 2:
        axes, named = np.eye(2), (names[0], names[1])
    elif p == 1:
        axes, named = np.array([[1.0], [0.0]]), (names[0], "")
    else:
        first = longest_direction(points) if towards is None else towards
        second = longest_direction(points - np.outer(points @ first, first))
        axes = np.stack([first, second])
        named = ("the longest way", "the longest across") if towards is None else (f"along {name}", "across it")
    at = points @ axes.T
    low, high = np.minimum(at.min(axis=0), 0), np.maximum(at.max(axis=0), 0)
    room = _ROOM * np.where(high > low, high - low, (high - low).max() or 1.0)
    (left, bottom), (right, top) = (low - room).tolist(), (high + room).tolist()
    return Frame(axes, named, at, outline(at), ((left, right), (bottom, top)), p <= 2)


def longest_direction(points: Array) -> Array:
    """(p,) of length 1: that along which Σ (point·v)² is greatest."""
    size = float(np.abs(points).max()) or 1.0
    if points.shape[1] > len(points):  # the product below would have a number for each pair of coordinates
        return np.asarray(np.linalg.svd(points / size, full_matrices=False)[2][0])
    return np.asarray(np.linalg.eigh((points / size).T @ (points / size))[1][:, -1])


def outline(at: Array) -> Array:
    """(m, 2) corners of the hull of (n, 2) points, one way round, the first again at the end (Andrew's chains)."""
    places = np.unique(at, axis=0)
    if len(places) < 3:
        return np.concatenate([places, places[:1]])
    lower, upper = _chain(places.tolist()), _chain(places[::-1].tolist())
    return np.array([*lower[:-1], *upper])


def _chain(places: list[list[float]]) -> list[list[float]]:
    """Places in the order of their first coordinate, without those at which one would turn right."""
    chain: list[list[float]] = []
    for x, y in places:
        while len(chain) > 1:
            (a, b), (c, d) = chain[-2:]
            if (c - a) * (y - b) > (d - b) * (x - a):
                break
            chain.pop()
        chain.append([x, y])
    return chain


def hull_panel(
    seen: Frame,
    points: Points,
    z: Array,
    where: Callable[[Any], Array],
    start: Array | None = None,
    end: Array | None = None,
    levels: tuple[float, float] | None = None,
    title: str = "the hull of the rows y x",
) -> Panel:
    """Draw a hull and a point z in it, the path that z took, and its last step on the way to `end`.

    Args:
        points: the points as they are to be marked, `seen.at` their places.
        z: (p,).
        where: (state) -> (p,), z of an earlier state.
        start, end: (p,) the ends of the way on which the last step went; None: there was none.
        levels: the least z/‖z‖·u of a point u, and ‖z‖, where a line each is drawn if lengths are true.
    """
    now = seen.of(z)
    marks: list[Mark] = [Paths(at=seen.outline[None], tones=("muted",), name="hull"), points]
    if levels is not None and seen.flat and z.any() and len(z) == 2:
        unit = z / np.linalg.norm(z)
        tones = ("ink", "accent")
        names = ("lowest level", "level of z")
        marks += [
            Hyperplane(normal=unit, offset=-level, tone=tone, name=name)  # type: ignore[arg-type]
            for level, tone, name in zip(levels, tones, names)
        ]
    if start is not None and end is not None:
        marks.append(Segments(start=seen.of(start)[None], end=seen.of(end)[None], tone=8, name="the way searched"))
    marks.append(Trail(where=lambda state: seen.of(where(state))[None], tones=(2,), name="path of z"))
    if z.any():
        marks.append(Arrow(start=np.zeros(2), end=now, tone="accent", name="z"))
    marks.append(Labels(at=np.zeros((1, 2)), texts=("0",)))
    note = "y = -1: at -x" if seen.flat else f"y = -1: at -x; {len(z)} weights, along two directions"
    return Panel(title=title, marks=tuple(marks), axes=seen.names, limits=seen.limits, equal=True, note=note)


def mean_panel(data: Dataset, shares: Array, products: Array, length: float, row: int) -> Panel:
    """List the rows that z = Σ λ y x is made of, the largest share first.

    Args:
        shares: (n,) λ.
        products: (n,) y x·z.
        length: ‖z‖.
        row: the row to mark, -1 for none.
    """
    order = np.argsort(-shares, kind="stable")[:_LISTED]
    order = order[shares[order] > 0]
    heights = products[order] / length if length else np.full(len(order), np.nan)
    left = int(np.count_nonzero(shares)) - len(order)
    return columns(
        "z is the mean of",
        {"row": order, "λ": shares[order], "y w·x": heights},
        note=f"and {left} more" if left else "",
        tones=tuple(np.asarray(data.y)[order].tolist()),
        marked=tuple(np.flatnonzero(order == row).tolist()),
    )
