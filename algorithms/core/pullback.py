"""Pulling back: marks of a feature map's space, shown among the features that were mapped.

A score or a height is asked at φ(x) for each place x of the plane, so boundaries come out as the curves they are. A row
has its own place. Any other point of φ's space (a mean, the head of w) is φ of no place, and is left out.
"""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from algorithms.core.arrays import Array
from algorithms.core.plane import Plane
from algorithms.core.scene import (
    Arrow,
    Contours,
    DragHandles,
    Ellipse,
    GhostTrail,
    Hyperplane,
    Labels,
    Mark,
    Path,
    Points,
    Segments,
    Trail,
    Units,
)

_MOST_NAMED = 2  # kinds of what is left out
_CALLED: dict[type[Mark], str] = {
    Arrow: "arrows",
    Ellipse: "ellipses",
    Labels: "named points",
    Path: "paths",
    Points: "points",
    Segments: "lines",
    Units: "units",
}


def pulled_back(marks: Sequence[Mark], plane: Plane) -> tuple[list[Mark], str]:
    """Pull marks back to the original features; with a note of those that cannot be."""
    if plane.mapped is None:
        return list(marks), ""
    pulled = [(mark, _pulled_back(mark, plane)) for mark in marks]
    lost = dict.fromkeys(_CALLED[type(mark)] for mark, seen in pulled if seen is None and type(mark) in _CALLED)
    named = " and ".join(lost) if len(lost) <= _MOST_NAMED else "places"
    return [seen for _, seen in pulled if seen is not None], f"{named} of φ left out" if lost else ""


def _pulled_back(mark: Mark, plane: Plane) -> Mark | None:
    match mark:
        case Hyperplane():
            normal, offset = mark.normal, mark.offset
            return Contours(height=lambda at: at @ normal + offset, levels=(0.0,), tone=mark.tone, name=mark.name)
        case DragHandles() | Ellipse() | Trail():
            return None
        case GhostTrail():
            earlier = mark.mark
            return replace(mark, mark=lambda state: _earlier(earlier(state), plane))
        case Path():
            return mark if _known(mark.at, plane).all() else None
        case Arrow() | Segments():
            return _of_rows(mark, _known(mark.start, plane) & _known(mark.end, plane))
        case Points(rows=True):  # the i-th is the row i, so there are all or none
            return mark if _known(mark.at, plane).all() else None
        case Points() | Labels() | Units():
            return _of_rows(mark, _known(mark.at, plane))
    return mark


def _earlier(mark: Mark | None, plane: Plane) -> Mark | None:
    return None if mark is None else _pulled_back(mark, plane)


def _known(at: Array, plane: Plane) -> Array:
    """Tell which places of φ's space are those of rows: (m,) bool."""
    return np.asarray(~np.isnan(plane.project(np.atleast_2d(at))).any(axis=1))


def _of_rows(mark: Mark, known: Array) -> Mark | None:
    """Keep those of a mark's m places that are known; None when none is."""
    if known.all():
        return mark
    if not known.any():
        return None
    parts = {name: getattr(mark, name) for name in mark.__struct_fields__}
    return replace(mark, **{name: _some(part, known) for name, part in parts.items()})


def _some(part: object, known: Array) -> object:
    if isinstance(part, np.ndarray) and len(part) == len(known):
        return part[known]
    if isinstance(part, tuple) and len(part) == len(known) > 1:
        return tuple(value for value, kept in zip(part, known) if kept)
    return part
