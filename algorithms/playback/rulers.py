"""Rulers: the round numbers along a direction of a panel, and limits with which each stands on the line of its row.

A row's line is its middle; under bars it is its lower edge, since they stand there.
"""

import math
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from algorithms.core import Bars, Panel
from algorithms.core.plane import Axis, Plane
from algorithms.core.resolve import ResolvedPanel
from algorithms.playback.limits import Limits, has_grids, stands_on_edges, whole_of

_NICE = (1.0, 2.0, 2.5, 5.0)
_POWERS = (1, 2, 3, 4, 5, 10, 20, 50, 100, 200)  # of ten, from one number to the next of a logarithmic direction
_A_NUMBER = 4  # rows for each number, about
_MOST = 6  # numbers are aimed at, at most
_MISSED = 0.03  # of the rows: as much is one number more or fewer worth
_FILLED = 1.2  # what it is worth that limits are not widened
_CLOSE = 0.6  # the same for numbers in adjacent rows
_THREE = 3
_CLUMSY = 0.1
_FREE = 1.9  # rows from one number to the next, at least, if there is room
_BEYOND = 1.0  # the same for all rows beyond the first and the last number
_ALONE = 4.0  # the same for fewer than two numbers
_LEANS = 2.0  # the same for numbers off their lines
_UNEVEN = 0.3  # the same for distances that are not the same
_OFF = 0.02  # of a row, up to which a number stands on its line
_HAIR = 1e-6  # of a row: so much are limits moved for what is on an edge to be in the row over it


class Ruler(Struct, frozen=True):
    """Numbers along a direction that is divided into cells.

    Attributes:
        low, high: the limits.
        ticks: (cell from the low end, number) of each.
    """

    low: float
    high: float
    ticks: tuple[tuple[int, float], ...]


class Scale(Struct, frozen=True):
    """What a direction's numbers are like.

    Attributes:
        offset, unit: a coordinate c is the number offset + unit * c.
        log: whether coordinates are powers of ten.
        whole: whether there are whole numbers alone.
        edges: whether the line of a cell is its lower edge.
    """

    offset: float = 0.0
    unit: float = 1.0
    log: bool = False
    whole: bool = False
    edges: bool = False

    def multiples(self, step: float, low: float, high: float) -> list[float]:
        """List the coordinates between two at which the number is a multiple of a step."""
        a, b = sorted((self.offset + self.unit * low, self.offset + self.unit * high))
        first, last = math.ceil(a / step - 1e-9), math.floor(b / step + 1e-9)
        return sorted((k * step - self.offset) / self.unit for k in range(first, last + 1))


def scale_of(axis: Axis, log: bool = False, whole: bool = False, edges: bool = False) -> Scale:
    """Make the scale of a panel's axis."""
    return Scale(0.0, 1.0, log, whole, edges) if log else Scale(axis.offset, axis.unit, log, whole, edges)


@lru_cache(512)
def ruler(low: float, high: float, cells: int, scale: Scale) -> Ruler:
    """Choose numbers for limits that stay: such as stand on their lines, where there are any, else the nearest cell."""
    size = (high - low) / max(cells, 1)
    best: tuple[float, tuple[tuple[int, float], ...]] = (-math.inf, ())
    for step in steps_of((high - low) * abs(scale.unit), scale):
        room = step / abs(scale.unit) / size
        if room < 1:
            continue
        places = [(c, (c - low) / size - (0.0 if scale.edges else 0.5)) for c in scale.multiples(step, low, high)]
        places = [(c, at) for c, at in places if -1 < at < cells]
        two = places[1:] if scale.edges else places[::2]  # equal ones; bars have their 0, which is in the middle
        for some in (places, two if len(places) == _THREE else places):
            ticks = tuple((min(max(round(at), 0), cells - 1), c) for c, at in some)
            off = max((abs(at - round(at)) for _, at in some), default=0.0)
            rows = [cell for cell, _ in ticks]
            uneven = len({b - a for a, b in zip(rows, rows[1:])}) > 1
            close = room < _FREE and len(some) > 2
            worth = _worth(rows, cells) - clumsy(step)
            worth -= _LEANS * (off > _OFF) + _UNEVEN * uneven + _CLOSE * close
            if worth > best[0] + 1e-12:
                best = worth, ticks
    return Ruler(low, high, best[1])


@lru_cache(512)
def widened(low: float, high: float, cells: int, scale: Scale, least: float = 0.0) -> tuple[float, float]:
    """Widen limits, as little as can be, until round numbers stand on lines at equal distances.

    Args:
        least: the size of a cell, at least.
    """
    span = high - low
    if not (math.isfinite(span) and span > 0 and cells > 1):
        return low, high
    size = max(span / cells, least)
    best: tuple[float, tuple[float, float]] = (-math.inf, (low, high))
    for step in steps_of(size * cells * abs(scale.unit), scale):
        apart = step / abs(scale.unit)
        most = math.floor(apart / size + 1e-9)
        for every in range(max(most - 2, 1), most + 1):
            cell = apart / every
            limits = _laid(low, high, cells, cell, scale)
            if limits is None:
                continue
            first = limits[0] + (0.0 if scale.edges else cell / 2)
            rows = [round((c - first) / cell) for c in scale.multiples(step, first, first + (cells - 1) * cell)]
            worth = _FILLED * size / cell + _worth(rows, cells) - _CLOSE * (every < _FREE) - clumsy(step)
            if worth > best[0] + 1e-12:
                best = worth, limits
    return best[1]


def _laid(low: float, high: float, cells: int, cell: float, scale: Scale) -> tuple[float, float] | None:
    """Lay cells of a size over limits, with 0 on a line; None where they are not all held so."""
    line = -scale.offset / scale.unit  # the number 0; all multiples of the cell from there are lines
    shift = 0.0 if scale.edges else 0.5
    spare = cells * cell - (high - low)
    on_edge = scale.edges and abs((low - line) / cell - round((low - line) / cell)) < 1e-6
    ideal = low if on_edge else low - spare / 2
    bottom = line + (round((ideal - line) / cell - shift) + shift) * cell
    for tried in (bottom, bottom + cell, bottom - cell):
        if tried <= low + 1e-9 * cell and tried + cells * cell >= high - 1e-9 * cell:
            hair = _HAIR * cell if scale.edges else 0.0
            return tried - hair, tried + cells * cell - hair
    return None


def _worth(rows: list[int], cells: int) -> float:
    """Weigh how many numbers there are, and how far they reach."""
    if len(set(rows)) < 2:
        return -_ALONE
    wanted = min(max(cells / _A_NUMBER, 2.0), _MOST)
    beyond = (min(rows) + cells - 1 - max(rows)) / cells
    return -_MISSED * abs(len(rows) - wanted) - _BEYOND * beyond


def steps_of(span: float, scale: Scale) -> Iterator[float]:
    """Give the distances that numbers may have in so long a stretch of them."""
    if scale.log:
        yield from _POWERS
        return
    if not (math.isfinite(span) and span > 1e-290):
        return
    power = 10.0 ** math.floor(math.log10(span))
    for ten in (0.01, 0.1, 1.0):
        for nice in _NICE:
            step = nice * power * ten
            if not scale.whole or (step >= 1 and step == round(step)):
                yield step


def clumsy(step: float) -> float:
    """Weigh that numbers at a distance have a digit more than those at 2 or 5 times a power of ten."""
    return _CLUMSY if round(step / 10.0 ** math.floor(math.log10(step) + 1e-9), 6) == 2.5 else 0.0


def on_lines(limits: Limits, columns: int, rows: int, up: Scale, equal: bool) -> Limits:
    """Widen a panel's limits so that the round numbers upwards stand on the lines of its rows.

    Args:
        equal: whether a unit is as long across as it is up, a cell being twice as high as it is wide.
    """
    if columns < 1 or rows < 2 or not limits.divisible:
        return limits
    least = 2 * limits.width / columns if equal else 0.0
    bottom, top = widened(limits.bottom, limits.top, rows, up, least * (1 - 1e-9))
    wide = Limits(limits.left, limits.right, bottom, top)
    return wide.equal(columns, rows) if equal else wide


def panel_on_lines(panel: Panel, plane: Plane, shown: Limits, columns: int, rows: int, equal: bool) -> Limits:
    """Widen the limits of a panel that is not yet resolved."""
    up = plane.up if panel.space == "data" else Axis("")
    edges = any(isinstance(mark, Bars) for mark in panel.marks)
    return on_lines(shown, columns, rows, scale_of(up, "y" in panel.log and panel.space != "data", edges=edges), equal)


def counts_on_lines(flat: ResolvedPanel, wide: Limits, shown: Limits, columns: int, rows: int, equal: bool) -> Limits:
    """Widen the limits of a panel in which there are whole numbers alone anew, for those to stand on lines; others, and
    what was not widened, stay."""
    if wide is shown or has_grids(flat) or not whole_of(flat)[1]:
        return wide
    return on_lines(shown, columns, rows, scale_of(flat.up, whole=True, edges=stands_on_edges(flat)), equal)
