"""The vertical axis of a chart: round limits that hold the values, each label on the row of its line."""

import math

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from tui.paint.ticks import power_text, tick_labels

_APART = 2  # rows from one label to the next, at least
_LEAST = 1e-290  # between two labels
_USUAL = 4  # labels are aimed at
_NICE = (1.0, 2.0, 5.0)
_FINE = (1, 2, 5)  # times a power of ten: the ends of a logarithmic axis where less than one is in sight
_WIDE = 1.5  # powers of ten from which on they are the ends


class Upright(Struct, frozen=True):
    """A vertical axis: the middles of its first and last row are its ends.

    Attributes:
        low, high: the values at its foot and head, logarithms if it is logarithmic.
        rows: how many it takes of those there are.
        ticks: (row from the head, text) of each label.
    """

    low: float
    high: float
    rows: int
    ticks: tuple[tuple[int, str], ...]

    def share(self, values: Array) -> Array:
        """Place values, or logarithms, from 0 at the head to 1 at the foot."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.high - np.asarray(values, float)) / (self.high - self.low))

    def row(self, value: float) -> int:
        """Find the row of a value from the head, the nearest where it is outside."""
        return int(np.clip(np.rint(float(self.share(np.array([value]))[0]) * (self.rows - 1)), 0, self.rows - 1))


def upright(low: float, high: float, rows: int, log: bool) -> Upright:
    """Choose the axis for values from `low` to `high`, or their logarithms, in so many rows."""
    if high - low <= (4e-9 if log else 1e-12 * max(abs(low), abs(high), 1e-300)):  # logarithms may be about 0
        room = 0.5 if log else (abs(low) or 1.0) * 0.5
        low, high = low - room, high + room
    return _of_powers(low, high, rows) if log else _of_numbers(low, high, rows)


def _of_numbers(low: float, high: float, rows: int) -> Upright:
    """Round numbers at equal distances, so many that the values fill the rows best."""
    most = max((rows - 1) // _APART, 1)
    power = max(10.0 ** math.floor(math.log10((high - low) / most)), _LEAST)
    best: tuple[float, float, float, int] | None = None
    for step in (nice * power * ten for ten in (1.0, 10.0, 100.0) for nice in _NICE):
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        count = max(last - first, 1)
        if count > max(most, 2):  # on both sides of 0 there are two however far they reach
            continue
        taken = count * ((rows - 1) // count) + 1
        filled = (high - low) / (count * step) * taken / rows - 0.04 * abs(count - _USUAL)
        if best is None or filled > best[0] + 1e-12:
            best = filled, first * step, step, count
    assert best is not None  # with two intervals any numbers fit
    _, foot, step, count = best
    every = (rows - 1) // count
    texts = tick_labels([foot + k * step for k in range(count + 1)])
    ticks = tuple(((count - k) * every, text) for k, text in enumerate(texts))
    return Upright(foot, foot + count * step, count * every + 1, ticks)


def _of_powers(low: float, high: float, rows: int) -> Upright:
    """Powers of ten at both ends, 1, 2 or 5 times one where less than two powers are in sight."""
    foot, head = math.floor(low + 1e-9), math.ceil(high - 1e-9)
    if high - low > _WIDE:
        head = max(head, foot + 1)
        count = (rows - 1) // _APART + 1
        every = next(n for n in (1, 2, 3, 5, *(10 * k for k in range(1, 60))) if (head - foot) / n < count)
        places = {float(p): power_text(p) for p in (*range(foot, head, every), head)}
    else:
        fine = [p + math.log10(n) for p in range(foot - 1, head + 1) for n in _FINE]
        below, above = max(f for f in fine if f <= low + 1e-9), min(f for f in fine if f >= high - 1e-9)
        places = {f: f"{10.0**f:.3g}" for f in fine if below <= f <= above}
    axis = Upright(min(places), max(places), rows, ())
    spread: list[tuple[int, str]] = []
    for place in (axis.low, axis.high, *places):
        row = axis.row(place)
        if all(abs(row - other) >= 2 for other, _ in spread):
            spread.append((row, places[place]))
    return Upright(axis.low, axis.high, rows, tuple(spread))
