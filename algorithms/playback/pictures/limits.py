"""Limits: what part of a plane is shown, and what part a panel asks for."""

import math

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Arrow, Band, Bars, ErrorBars, Labels, Path, Paths, Points, Segments, Units
from algorithms.core.plane import Axis
from algorithms.core.resolve import UNDER, Levels, ResolvedPanel, Tint
from algorithms.core.scene import Mark

LEAST = 1e-300  # the least distance that can be divided into cells and ticks
NARROWEST = 1e-12  # of a coordinate's size: a narrower view has too few numbers in it
_OVER_BARS = 0.015  # of their height: how much room they have above and below
_LEVEL = 2  # places of a band that is level: it is as long as the panel is wide
_A_COUNT = 4  # from which on bars of whole heights are counts, whatever stands among them


class Limits(Struct, frozen=True):
    """What part of the plane is shown."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def divisible(self) -> bool:
        """Tell whether double precision can tell the cells of a screen apart in it."""
        sizes = (self.width, max(abs(self.left), abs(self.right))), (self.height, max(abs(self.bottom), abs(self.top)))
        return all(max(NARROWEST * size, LEAST) < span < math.inf for span, size in sizes)

    def within(self, times: float, other: "Limits") -> bool:
        """Tell whether neither direction is more than so many times as long as another view's."""
        return self.width <= times * other.width and self.height <= times * other.height

    def zoomed(self, factor: float, across: float = 0.5, up: float = 0.5) -> "Limits":
        """Scaled about a point given in shares of the view; below 1 comes nearer."""
        x, y = self.left + across * self.width, self.bottom + up * self.height
        return Limits(
            x - (x - self.left) * factor,
            x + (self.right - x) * factor,
            y - (y - self.bottom) * factor,
            y + (self.top - y) * factor,
        )

    def moved(self, across: float, up: float) -> "Limits":
        """Shifted by shares of the view."""
        x, y = across * self.width, up * self.height
        return Limits(self.left + x, self.right + x, self.bottom + y, self.top + y)

    def joined(self, other: "Limits") -> "Limits":
        """Join two limits into the least that hold both."""
        return Limits(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.bottom, other.bottom),
            max(self.top, other.top),
        )

    def with_room_for(self, places: Array) -> "Limits":
        """Widen the limits with a margin until they hold all of (m, 2) places; where they do, they stay."""
        low, high = np.array([self.left, self.bottom]), np.array([self.right, self.top])
        if ((places >= low) & (places <= high)).all():
            return self
        return self.joined(limits_around(places))

    def equal(self, columns: int, rows: int) -> "Limits":
        """Widened so that a unit is as long across as it is up; a cell is twice as high as it is wide."""
        across, up = self.width / max(columns, 1), self.height / max(2 * rows, 1)
        if up > across:
            return self.zoomed_across(up / across)
        return self.zoomed_up(across / up)

    def zoomed_across(self, factor: float) -> "Limits":
        middle, half = (self.left + self.right) / 2, self.width * factor / 2
        return Limits(middle - half, middle + half, self.bottom, self.top)

    def zoomed_up(self, factor: float) -> "Limits":
        middle, half = (self.bottom + self.top) / 2, self.height * factor / 2
        return Limits(self.left, self.right, middle - half, middle + half)


def limits_around(places: Array, margin: float = 0.06) -> Limits:
    """Fit limits around (m, 2) finite places with a margin; a flat direction gets room."""
    if not len(places):
        return Limits(0.0, 1.0, 0.0, 1.0)
    low, high = places.min(axis=0).astype(float), places.max(axis=0).astype(float)
    span, size = high - low, np.maximum(np.abs(low), np.abs(high))
    flat = span <= np.maximum(NARROWEST * size, LEAST)
    room = np.where(flat, max(float(span.max()) / 2, (float(size.max()) or 1.0) * 0.05, 1e-9), span * margin)
    low, high = low - room, high + room
    return Limits(float(low[0]), float(high[0]), float(low[1]), float(high[1]))


def places_of(marks: tuple[Mark, ...]) -> Array:
    """(m, 2) finite places that a panel should have in view."""
    places: list[Array] = [np.empty((0, 2))]
    for mark in marks:
        match mark:
            case Points() | Labels() | Path() | Paths() | Units():
                places.append(np.asarray(mark.at, float).reshape(-1, 2))
            case Segments() | Arrow():
                places += [np.asarray(mark.start, float), np.asarray(mark.end, float)]
            case Band() | ErrorBars():
                x = mark.x if isinstance(mark, Band) else mark.at[:, 0]
                places += [np.stack([x, ends], axis=1) for ends in (mark.lower, mark.upper)]
            case Bars():
                edges = mark.edges if mark.edges is not None else np.arange(len(mark.heights) + 1) - 0.5
                tops = np.append(np.asarray(mark.heights, float), 0.0)
                places.append(np.stack([edges, tops], axis=1))
                places.append(np.array([[edges[0], 0.0], [edges[-1], 0.0]]))
            case _:
                pass
    together = np.concatenate(places)
    return np.asarray(together[(np.isfinite(together) & (together != UNDER)).all(axis=1)])


def wanted_limits(flat: ResolvedPanel) -> Limits:
    """Find the limits a panel asks for, or those of what is in it."""
    if flat.limits is not None:
        (left, right), (bottom, top) = flat.limits
        return Limits(left, right, bottom, top)
    places = places_of(flat.marks)
    around = limits_around(places)
    if not has_bars(flat):
        return around
    edges = [m.edges for m in flat.marks if isinstance(m, Bars) and m.edges is not None]
    left = min((float(e[0]) for e in edges), default=around.left)
    right = max((float(e[-1]) for e in edges), default=around.right)
    low, high = float(places[:, 1].min()), float(places[:, 1].max())
    room = (high - low) * _OVER_BARS
    return Limits(left, right, low - room, high + room) if room > LEAST else Limits(left, right, 0.0, around.top)


def fitted_limits(flat: ResolvedPanel, held: Limits | None) -> tuple[Limits, bool]:
    """Fit a panel with what was in it so far; and whether that is to be held on to: not where all of it is level, whose
    room on either side says nothing of what is to come."""
    wanted = wanted_limits(flat)
    places = places_of(flat.marks)
    if flat.limits is not None or not len(places):
        return (held.joined(wanted) if held else wanted), True
    low, high = places.min(axis=0), places.max(axis=0)
    level = high - low <= np.maximum(NARROWEST * np.maximum(np.abs(low), np.abs(high)), LEAST)
    if held is None:
        return wanted, not level.any()
    (left, bottom), (right, top) = low, high
    across = (left, right) if level[0] else (wanted.left, wanted.right)
    up = (bottom, top) if level[1] else (wanted.bottom, wanted.top)
    return held.joined(Limits(*map(float, (*across, *up)))), True


def has_bars(flat: ResolvedPanel) -> bool:
    """Tell whether there are bars, which grow from 0."""
    return any(isinstance(mark, Bars) for mark in flat.marks)


def has_grids(flat: ResolvedPanel) -> bool:
    """Tell whether there is something that was asked for at each place within the limits."""
    return any(isinstance(mark, Tint | Levels) for mark in flat.marks)


def whole_of(flat: ResolvedPanel) -> tuple[bool, bool]:
    """Tell whether a panel of its own is about whole numbers across, and upwards, as counts and columns are: all that
    is in it is at such, or its bars are."""
    bars = [mark for mark in flat.marks if isinstance(mark, Bars)]
    if flat.space == "data" or not flat.marks:
        return False, False
    heights = np.concatenate([np.asarray(mark.heights, float) for mark in bars] or [np.empty(0)])
    counts = _are_whole(flat.up, heights) and np.abs(heights[np.isfinite(heights)]).max(initial=0.0) >= _A_COUNT
    places = places_of(tuple(mark for mark in flat.marks if not isinstance(mark, Bars | Band)))
    bands = [mark for mark in flat.marks if isinstance(mark, Band)]
    paths = any(isinstance(mark, Paths) for mark in flat.marks)
    lines = paths or bands or any(isinstance(mark, Path) for mark in flat.marks)  # of which the next one may not be so
    all_up = not lines and _are_whole(flat.up, np.append(places[:, 1], heights))
    if bars:
        return all(map(are_items, bars)), bool(counts) or all_up
    curved = paths or any(len(mark.x) > _LEVEL for mark in bands)
    return not curved and _are_whole(flat.across, places[:, 0]), all_up


def are_items(mark: Bars) -> bool:
    """Tell whether bars stand for one item each, at whole numbers, and not for stretches of an axis."""
    if mark.edges is None:
        return True
    edges = np.asarray(mark.edges, float)
    return bool(np.allclose(np.diff(edges), 1.0) and np.allclose(edges - 0.5, np.rint(edges - 0.5)))


def _are_whole(axis: Axis, at: Array) -> bool:
    """Tell whether coordinates are whole numbers in the axis' own units, be they ever so small."""
    values = axis.offset + axis.unit * at[np.isfinite(at)]
    near = 1e-9 * min(float(np.abs(values).max(initial=0.0)), 1.0)
    return bool(len(values) and (np.abs(values - np.rint(values)) <= near).all())
