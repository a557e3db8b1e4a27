"""A chart of curves as text. plotext is given little and nothing that it chokes on: finite values within
the limits, a few hundred points, logarithms already taken, and a fresh figure each time."""

import math
from collections.abc import Iterator

import numpy as np
import plotext
from msgspec import Struct

from algorithms.core.arrays import Array

_MOST_POINTS = 400
_HUGE = 1e300  # so that the span between two values stays finite
_MARKERS = {"braille": "⠒", "x": "x", "o": "o", "+": "+", "*": "*"}  # as plotext calls them: how they look


class Series(Struct, frozen=True, eq=False):
    """A line of a chart: (n,) x rising, steps or a variable, and (n,) values."""

    name: str
    x: Array
    values: Array


def chart(
    series: list[Series], width: int, height: int, log: bool = False, along: str = "", log_along: bool = False
) -> str | None:
    """Draw the lines; None when there is nothing to draw.

    Args:
        log: whether the values are drawn on a logarithmic axis.
        along: the variable that they are drawn over, "" for the steps, and whether its axis is logarithmic.
    """
    drawn = [line for line in (_drawable(line, log, log_along) for line in series) if np.isfinite(line.values).any()]
    if not drawn:
        return None
    left, right = _ends(drawn, steps=not along)
    low = min(float(np.nanmin(line.values)) for line in drawn)
    high = max(float(np.nanmax(line.values)) for line in drawn)
    if high - low <= 1e-12 * max(abs(high), abs(low)):
        room = 0.5 if log else max(abs(low) * 0.1, 0.5)
        low, high = low - room, high + room
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plot_size(width, height)
    markers = list(_MARKERS)
    for i, line in enumerate(drawn):
        for x, values in _pieces(*_thinned(line.x, line.values)):
            draw = plotext.plot if len(x) > 1 else plotext.scatter
            draw(x.tolist(), values.tolist(), marker=markers[i % len(markers)])
    plotext.xlim(left, right)
    plotext.ylim(low, high)
    places = round_ticks(left, right, 6)
    if all(x == int(x) for line in drawn for x in line.x.tolist()) or (log_along and right - left > 1):
        places = [x for x in places if x == int(x)]
    heights = round_ticks(low, high, 4)
    if log and len(whole := [y for y in heights if y == int(y)]) > 1:  # whole powers of ten, when there are two
        heights = whole
    plotext.xticks(places, [_tick(x, log_along) for x in places])
    plotext.yticks(heights, [f"{10.0**y:8.3g}" if log else f"{y:8.4g}" for y in heights])
    drawing: str = plotext.uncolorize(plotext.build()).rstrip("\n")
    plotext.clear_figure()
    if along:
        drawing = f"{drawing}\n{f'{along} →':>{width}}"
    if len(drawn) == 1:
        return drawing
    legend = "   ".join(f"{_MARKERS[markers[i % len(markers)]] * 2} {line.name}" for i, line in enumerate(drawn))
    return f"{legend}\n{drawing}"


def round_ticks(low: float, high: float, about: int) -> list[float]:
    """Choose about so many round numbers from low to high, one at least."""
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [i * step for i in range(first, last + 1)] or [low]


def _tick(x: float, log: bool) -> str:
    if not log:
        return f"{x:,.10g}"
    return f"{10.0**x:,g}" if x == int(x) else f"{10.0**x:.3g}"


def _ends(drawn: list[Series], steps: bool) -> tuple[float, float]:
    """Find the ends of the horizontal axis: of steps from 0, of a variable around its values."""
    left, right = min(float(line.x[0]) for line in drawn), max(float(line.x[-1]) for line in drawn)
    if steps:
        return 0.0, max(1.0, right)
    room = 0.5 if right - left <= 1e-12 * max(abs(left), abs(right)) else 0.0
    return left - room, right + room


def _drawable(line: Series, log: bool, log_along: bool) -> Series:
    """Take the points, on a logarithmic axis as powers of ten; one that is not finite is NaN, a hole."""
    values = np.clip(line.values, -_HUGE, _HUGE)
    known = np.isfinite(line.values) & (values > 0 if log else True)
    values = np.where(known, values, np.nan)
    there = line.x > 0 if log_along else np.ones(len(line.x), bool)
    x, values = line.x[there], values[there]
    return Series(line.name, np.log10(x) if log_along else x, np.log10(values) if log else values)


def _pieces(x: Array, values: Array) -> Iterator[tuple[Array, Array]]:
    """Cut a line where it has holes."""
    known = np.isfinite(values)
    for piece in np.split(np.arange(len(x)), np.flatnonzero(known[1:] != known[:-1]) + 1):
        if known[piece[0]]:
            yield x[piece], values[piece]


def _thinned(x: Array, values: Array) -> tuple[Array, Array]:
    """Keep the least and the greatest of each stretch, so that no peak is lost."""
    if len(x) <= _MOST_POINTS:
        return x, values
    edges = np.linspace(0, len(x), _MOST_POINTS // 2 + 1).astype(int)
    keep = {int(pick) for a, b in zip(edges, edges[1:]) for pick in _extremes(values, a, b)}
    chosen = np.array(sorted({0, len(x) - 1, *keep}))
    return x[chosen], values[chosen]


def _extremes(values: Array, a: int, b: int) -> Iterator[int]:
    """Find where a stretch is least and greatest, and where its first hole is."""
    holes = np.flatnonzero(np.isnan(values[a:b]))
    if len(holes):
        yield a + int(holes[0])
    if len(holes) < b - a:
        yield a + int(np.nanargmin(values[a:b]))
        yield a + int(np.nanargmax(values[a:b]))
