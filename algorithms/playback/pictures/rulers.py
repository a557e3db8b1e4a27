"""Rulers: the round numbers along a direction of a panel, and limits with which each stands on the line of its row.

A row's line is its middle, for points, lines and bars alike, so that all of them are read on one scale.
"""

import math
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from algorithms.core import Bars, Panel
from algorithms.core.plane import Axis, Plane
from algorithms.core.resolve import ResolvedPanel
from algorithms.playback.pictures.limits import Limits, has_bars, has_grids, whole_of

_NICE = {1.0: 0.0, 2.0: 0.0, 2.5: 0.1, 5.0: 0.0, 3.0: 0.1, 4.0: 0.1}  # and what it costs to count in them
_POWERS = (1, 2, 3, 4, 5, 10, 20, 50, 100, 200)  # of ten, from one number to the next of a logarithmic direction
_THIRD = 1 / 3  # of a power of ten: about as far is each of 1, 2, 5 and 10 from the next
_FINE = 2.5  # powers of ten up to which 1, 2 and 5 times one are written
_LOW = 12  # rows up to which a panel is low: it has room for few numbers
_USUAL = (4, 5)  # rows from one number to the next that are aimed at; in a low panel
_USUAL_LOW = (2, 5)
_FAR, _NEAR = 0.08, 0.04  # what each row more or fewer costs
_ADJACENT = 2.2  # what it costs that numbers are in adjacent rows
_ALONE = 4.0  # the same for fewer than two numbers
_BARE = 0.7  # the same for all rows beyond the first and the last number
_WIDER = 1.2  # the same for a view twice as long
_MOST = 0.15  # of a view, by which it is widened without more ado
_TOO_WIDE = 4.0  # what it costs that it is twice as long beyond that
_LEANS = 0.1  # the same for numbers off their lines
_ASTRAY = 6.0  # the same for all rows that they are off
_UNEVEN = 0.12  # the same for distances that are not the same
_WITHIN = 0.15  # of a row from an end to the next number, at least
_OFF = 0.02  # of a row, up to which a number stands on its line
_ODD = 0.2  # the same for every second number, where that leaves out 0 but for -1 and 1
_THREE = 3


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
        bars: whether there are bars: with numbers off their lines, these could not be compared with them.
    """

    offset: float = 0.0
    unit: float = 1.0
    log: bool = False
    whole: bool = False
    bars: bool = False

    def multiples(self, step: float, low: float, high: float) -> list[float]:
        """List the coordinates between two at which the number is a multiple of a step."""
        a, b = sorted((self.offset + self.unit * low, self.offset + self.unit * high))
        first, last = math.ceil(a / step - 1e-9), math.floor(b / step + 1e-9)
        if self.log and step == _THIRD:
            fine = (math.log10((1, 2, 5)[k % 3]) + k // 3 for k in range(first - 1, last + 2))
            return [c for c in fine if low - 1e-9 <= c <= high + 1e-9]
        return sorted((k * step - self.offset) / self.unit for k in range(first, last + 1))


def scale_of(axis: Axis, log: bool = False, whole: bool = False, bars: bool = False) -> Scale:
    """Make the scale of a panel's axis."""
    return Scale(0.0, 1.0, log, whole, bars) if log else Scale(axis.offset, axis.unit, log, whole, bars)


@lru_cache(512)
def ruler(low: float, high: float, cells: int, scale: Scale) -> Ruler:
    """Choose numbers for limits that stay: such as stand on their lines, where there are any, else the nearest cell."""
    return Ruler(low, high, _chosen(low, high, cells, scale)[1])


def _chosen(low: float, high: float, cells: int, scale: Scale) -> tuple[float, tuple[tuple[int, float], ...]]:
    """Choose the cheapest numbers for limits that stay, with what they cost."""
    size = (high - low) / max(cells, 1)
    best: tuple[float, tuple[tuple[int, float], ...]] = (math.inf, ())
    for step in steps_of((high - low) * abs(scale.unit), scale):
        room = step / abs(scale.unit) / size
        if room < 1 or (room > cells and best[1]):
            continue
        ends = low + _WITHIN * size, high - _WITHIN * size
        places = [(c, (c - low) / size - 0.5) for c in scale.multiples(step, *ends)]
        for some in (places, places[::2] if len(places) == _THREE else places):
            ticks = tuple((min(max(_row(at), 0), cells - 1), c) for c, at in some)
            cost = clumsy(step) + _placed([at for _, at in some], cells, step, scale)
            cost += _ODD * (len(some) < len(places) and not _are_opposite([c for c, _ in some], scale))
            if cost < best[0] - 1e-12:
                best = cost, ticks
    return best


@lru_cache(512)
def widened(low: float, high: float, cells: int, scale: Scale, least: float = 0.0) -> tuple[float, float]:
    """Widen limits, as little as can be, until round numbers stand on lines at equal distances; where that would take
    too much they stay.

    Args:
        least: the size of a cell, at least.
    """
    span = high - low
    if not (math.isfinite(span) and span > 0 and cells > 1):
        return low, high
    size, full = max(span / cells, least), max(span / (cells - 0.5), least)
    spare = (size * cells - span) / 2
    as_it_is = low - spare, high + spare
    best = _chosen(*as_it_is, cells, scale)[0], as_it_is
    for step in steps_of(size * cells * abs(scale.unit), scale):
        apart = step / abs(scale.unit)
        for every in _distances(apart / size):
            cell = apart / every
            halves = bool(every % 1)
            for line in (0.0, apart)[: 1 + halves]:
                limits = _laid(low, high, cells, cell, line - scale.offset / scale.unit)
                if limits is None:
                    continue
                first = limits[0] + cell / 2
                numbers = scale.multiples(step, first, first + (cells - 1) * cell)
                places = [(c - first) / cell for c in numbers]
                if halves and len(places) != _THREE:  # the one between two is on no line
                    continue
                wider = max(cell / full - 1, 0.0)
                cost = _WIDER * wider + _TOO_WIDE * max(wider - _MOST, 0.0) + clumsy(step)
                cost += _placed(places[:: 1 + halves], cells, step, scale)
                cost += _ODD * (halves and not _are_opposite(numbers[::2], scale))
                if cost < best[0] - 1e-12:
                    best = cost, limits
    return best[1]


def _row(at: float) -> int:
    """Find the row of a place, of those half-way between two always the lower one, as a mark there has it."""
    return math.ceil(at - 0.5 - 1e-6)


def _are_opposite(coordinates: list[float], scale: Scale) -> bool:
    """Tell whether the first and the last number are -x and x."""
    first, last = (scale.offset + scale.unit * c for c in (coordinates[0], coordinates[-1]))
    return abs(first + last) <= 1e-6 * abs(last - first)


def _placed(places: list[float], cells: int, step: float, scale: Scale) -> float:
    """Weigh the places of numbers, in rows."""
    rows = list(map(_row, places))
    off = max((abs(at - row) for at, row in zip(places, rows)), default=0.0)
    return _cost(rows, cells) + _off(off, cells, step, scale)


def _distances(most: float) -> list[float]:
    """List how many rows may be from one number to the next, of at most so many: with halves every second number is on
    a line."""
    whole = math.floor(most + 1e-9)
    halves = [half for half in (whole - 0.5, whole + 0.5) if 1 < half <= most + 1e-9]
    return [*range(max(whole - 2, 1), whole + 1), *halves]


def _laid(low: float, high: float, cells: int, cell: float, line: float) -> tuple[float, float] | None:
    """Lay cells of a size over limits, with a coordinate on a line; None where they are not all held so."""
    spare = cells * cell - (high - low)
    bottom = line + (round((low - spare / 2 - line) / cell - 0.5) + 0.5) * cell
    for tried in (bottom, bottom + cell, bottom - cell):
        if tried <= low + 1e-9 * cell and tried + cells * cell >= high - 1e-9 * cell:
            return tried, tried + cells * cell
    return None


def _cost(rows: list[int], cells: int) -> float:
    """Weigh how far numbers are from each other and how far they reach: 0 where it is as it should be."""
    if len(set(rows)) < 2:
        return _ALONE
    least, most = _USUAL_LOW if cells < _LOW else _USUAL
    apart = [b - a for a, b in zip(rows, rows[1:])]
    near, far = min(apart), max(apart)
    cost = _NEAR * max(least - near, 0) + _FAR * max(far - most, 0) + _ADJACENT * (near < 2 and len(rows) > 2)
    beyond = (min(rows) + cells - 1 - max(rows)) / cells
    return cost + _UNEVEN * (near < far) * (2 if cells < _LOW else 1) + _BARE * beyond


def _off(off: float, cells: int, step: float, scale: Scale) -> float:
    """Weigh that numbers stand so many rows off their lines."""
    if off <= _OFF:
        return 0.0
    return _LEANS * (step != _THIRD) + (1 + 3 * scale.bars) * _ASTRAY * off / cells


def steps_of(span: float, scale: Scale) -> Iterator[float]:
    """Give the distances that numbers may have in so long a stretch of them."""
    if scale.log:
        if span <= _FINE:
            yield _THIRD
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
    """Weigh that nobody counts in a distance, or that it takes a digit more."""
    return _NICE.get(round(step / 10.0 ** math.floor(math.log10(step) + 1e-9), 6), 0.0)


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
    bars = any(isinstance(mark, Bars) for mark in panel.marks)
    scale = scale_of(up, "y" in panel.log and panel.space != "data", bars=bars)
    return on_lines(shown, columns, rows, scale, equal)


def counts_on_lines(flat: ResolvedPanel, wide: Limits, shown: Limits, columns: int, rows: int, equal: bool) -> Limits:
    """Widen the limits of a panel in which there are whole numbers alone anew, for those to stand on lines; others, and
    what was not widened, stay."""
    if wide is shown or has_grids(flat) or not whole_of(flat)[1]:
        return wide
    return on_lines(shown, columns, rows, scale_of(flat.up, whole=True, bars=has_bars(flat)), equal)
