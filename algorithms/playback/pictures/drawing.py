"""Drawing: what a hand does on a panel, as edits of the data."""

from collections.abc import Callable

import numpy as np

from algorithms.core import Add, Array, Dataset, Edit, Label, Move, Points, Refused
from algorithms.core.plane import Plane
from algorithms.core.resolve import ResolvedPanel

BLOB = 12  # rows painted at once
_WIDE = 0.04  # standard deviation of a blob, of how far the rows reach


def rows_of(flat: ResolvedPanel) -> Points | None:
    """Find the points of a panel that are the rows of the data."""
    return next((mark for mark in flat.marks if isinstance(mark, Points) and mark.rows), None)


def added(flat: ResolvedPanel, plane: Plane, data: Dataset, at: Array, y: float | None) -> Add:
    """Add a row at a place of the panel, (2,); with the target of that place, or else `y`.

    In a panel of the data, features that the plane does not show are those of the plane. The row is of the features
    before any map.

    Raises:
        Refused: where a place is no row.
    """
    put = _put(flat)
    if put is not None:
        x, target = put(at)
        return Add(_row(x), y if target is None else target)
    if flat.space != "data":
        raise Refused(f"a place in {flat.title!r} is no row: m puts another panel on the stage.")
    if data.kind == "number" and y is None:
        y = float(np.asarray(data.y)[int(np.hypot(*(plane.project(data.X) - at).T).argmin())])
    return Add(_row(plane.inputs(at[None])[0]), y)


def carried(flat: ResolvedPanel, plane: Plane, data: Dataset, row: int, to: Array) -> tuple[Edit, ...]:
    """Move a row to where it is shown at (2,) `to`; what the panel does not show of it stays as it is.

    Raises:
        Refused: where a place is no row.
    """
    points, put = rows_of(flat), _put(flat)
    if put is not None:
        x, target = put(to)
        labels = () if target is None else (Label(row, target),)
        return (Move(row, _row(x)), *labels)
    if flat.space != "data" or points is None:
        raise Refused(f"a place in {flat.title!r} is no row: m puts another panel on the stage.")
    away = np.asarray(to - points.at[row])
    return (Move(row, _row(data.inputs.X[row] + away @ plane.basis)),)


def blob(
    flat: ResolvedPanel, plane: Plane, data: Dataset, at: Array, y: float | None, seed: tuple[int, int]
) -> tuple[Edit, ...]:
    """Add rows around a place of the panel, drawn with the seed; `Refused` where a place is no row."""
    points = rows_of(flat)
    spread = np.ones(2) if points is None else np.ptp(points.at, axis=0)
    places = at + _WIDE * spread * np.random.default_rng(seed).standard_normal((BLOB, 2))
    return tuple(added(flat, plane, data, place, y) for place in places)


def flipped(data: Dataset, row: int) -> Label:
    """Find the next class for a row, after the last the first; `Refused` where there are none."""
    if data.kind != "class" or data.y is None:
        raise Refused(f"the rows of {data.name} are in no classes, so there is no label to flip.")
    return Label(row, (int(data.y[row]) + 1) % len(data.classes))


def _put(flat: ResolvedPanel) -> Callable[[Array], tuple[Array, float | None]] | None:
    points = rows_of(flat)
    return points.put if points is not None else None


def _row(x: Array) -> tuple[float, ...]:
    return tuple(map(float, x))
