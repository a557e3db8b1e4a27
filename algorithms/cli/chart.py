"""A chart of curves as text. plotext is given little and nothing that it chokes on: finite values within
the limits, a few hundred points, logarithms already taken, and a fresh figure each time."""

import math

import numpy as np
import plotext
from msgspec import Struct

from algorithms.core.arrays import Array

_MOST_POINTS = 400
_HUGE = 1e300  # so that the span between two values stays finite
_MARKERS = {"braille": "⠒", "x": "x", "o": "o", "+": "+", "*": "*"}  # as plotext calls them: how they look


class Series(Struct, frozen=True, eq=False):
    """A line of a chart: (n,) steps and (n,) values."""

    name: str
    t: Array
    values: Array


def chart(series: list[Series], width: int, height: int, log: bool = False) -> str | None:
    """Draw the lines over the steps; None when there is nothing to draw."""
    drawn = [line for line in (_drawable(line, log) for line in series) if len(line.t)]
    if not drawn:
        return None
    right = max(1.0, *(float(line.t[-1]) for line in drawn))
    low = min(float(line.values.min()) for line in drawn)
    high = max(float(line.values.max()) for line in drawn)
    if high - low <= 1e-12 * max(abs(high), abs(low)):
        room = 0.5 if log else max(abs(low) * 0.1, 0.5)
        low, high = low - room, high + room
    plotext.clear_figure()
    plotext.theme("clear")
    plotext.plot_size(width, height)
    markers = list(_MARKERS)
    for i, line in enumerate(drawn):
        t, values = _thinned(line.t, line.values)
        draw = plotext.plot if len(t) > 1 else plotext.scatter
        draw(t.tolist(), values.tolist(), marker=markers[i % len(markers)])
    plotext.xlim(0.0, right)
    plotext.ylim(low, high)
    steps = [step for step in round_ticks(0.0, right, 6) if step == int(step)]
    heights = round_ticks(low, high, 4)
    if log and len(whole := [y for y in heights if y == int(y)]) > 1:  # whole powers of ten, when there are two
        heights = whole
    plotext.xticks(steps, [f"{step:,.0f}" for step in steps])
    plotext.yticks(heights, [f"{10.0**y:8.3g}" if log else f"{y:8.4g}" for y in heights])
    drawing: str = plotext.uncolorize(plotext.build()).rstrip("\n")
    plotext.clear_figure()
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


def _drawable(line: Series, log: bool) -> Series:
    """Select the finite points, on a logarithmic axis the positive ones as powers of ten."""
    values = np.clip(line.values, -_HUGE, _HUGE)
    known = np.isfinite(line.values) & (values > 0 if log else True)
    return Series(line.name, line.t[known], np.log10(values[known]) if log else values[known])


def _thinned(t: Array, values: Array) -> tuple[Array, Array]:
    """Keep the least and the greatest of each stretch, so that no peak is lost."""
    if len(t) <= _MOST_POINTS:
        return t, values
    edges = np.linspace(0, len(t), _MOST_POINTS // 2 + 1).astype(int)
    keep = {a + int(pick) for a, b in zip(edges, edges[1:]) for pick in (values[a:b].argmin(), values[a:b].argmax())}
    chosen = np.array(sorted({0, len(t) - 1, *keep}))
    return t[chosen], values[chosen]
