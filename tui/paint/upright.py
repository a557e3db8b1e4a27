"""The vertical axis of a chart: round limits that hold the values, each label on the row of its line."""

import math

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from tui.paint.ticks import power_text, tick_labels

_APART = 2  # rows from one label to the next, at least
_LEAST = 1e-290  # between two labels
_ROUND = (1, 2, 5, 10)  # times a round distance, which make another
_USUAL = 4  # intervals between labels are aimed at
_MISSED = 0.06  # of the rows: as much is one interval more or fewer worth
_BARE = 0.1  # the same for an axis of which the ends alone are written
_ODD = 0.35  # the same for labels that are no multiples of their distance
_UNNAMED = 0.05  # the same for a round number that is not written
_NICE = (1.0, 2.0, 2.5, 5.0)
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
        return round(self.place(value))

    def place(self, value: float) -> float:
        """Find the place of a value, in rows from the head, the nearest where it is outside."""
        return float(np.clip(float(self.share(np.array([value]))[0]) * (self.rows - 1), 0, self.rows - 1))


def upright(low: float, high: float, rows: int, log: bool) -> Upright:
    """Choose the axis for values from `low` to `high`, or their logarithms, in so many rows."""
    if high - low <= (4e-9 if log else 1e-12 * max(abs(low), abs(high), 1e-300)):  # logarithms may be about 0
        room = 0.5 if log else (abs(low) or 1.0) * 0.5
        low, high = low - room, high + room
    return _of_powers(low, high, rows) if log else _of_numbers(low, high, rows)


def _of_numbers(low: float, high: float, rows: int) -> Upright:
    """Round numbers at equal distances, so many that the values fill the rows best; one row is left over at most."""
    most = max((rows - 1) // _APART, 1)
    power = max(10.0 ** math.floor(math.log10((high - low) / most)), _LEAST)
    best: tuple[float, float, float, int, int] | None = None
    for step in (nice * power * ten for ten in (1.0, 10.0, 100.0) for nice in _NICE):
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        count = max(last - first, 1)
        labels = _labelled(count, max(most, 2), rows - 1)
        taken = (rows - 1) // labels * labels + 1
        filled = (
            (high - low) / (count * step) * taken / rows
            - _MISSED * abs(labels - _USUAL)
            - _BARE * (labels == 1)
            - _UNNAMED * (count // labels - 1)
            - _ODD * (labels > 1 and first % (count // labels) != 0)
        )
        if best is None or filled > best[0] + 1e-12:
            best = filled, first * step, step, count, labels
    assert best is not None
    _, foot, step, count, labels = best
    every = (rows - 1) // labels
    texts = tick_labels([foot + k * step for k in range(count + 1)])[:: count // labels]
    ticks = tuple(((labels - k) * every, text) for k, text in enumerate(texts))
    return Upright(foot, foot + count * step, labels * every + 1, ticks)


def _labelled(count: int, most: int, between: int) -> int:
    """Choose in how many equal parts an axis of `count` steps is labelled: the most that leave one row over at most.

    Args:
        most: how many there is room for.
        between: rows from the first to the last.
    """
    round_parts = (n for n in range(min(count, most), 1, -1) if count % n == 0 and count // n in _ROUND)
    return next((n for n in round_parts if between % n <= 1), 1)


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
        places = {f: power_text(f) for f in fine if below <= f <= above}
    axis = Upright(min(places), max(places), rows, ())
    spread: list[tuple[int, str]] = []
    for place in (axis.low, axis.high, *places):
        row = axis.row(place)
        if all(abs(row - other) >= 2 for other, _ in spread):
            spread.append((row, places[place]))
    return Upright(axis.low, axis.high, rows, tuple(spread))
