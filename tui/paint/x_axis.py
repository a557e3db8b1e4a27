"""The horizontal axis of a chart: steps, or a variable of a curve's own."""

import math

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from tui.paint.ticks import parts_between, power_text, power_ticks, round_ticks, tick_labels

_NEAR = 0.5  # of the distance of two numbers: one that is as near to an end is not written
_HUGE = 1e150  # beyond it a chart has no axis


class XAxis(Struct, frozen=True):
    """The horizontal axis of a chart.

    Attributes:
        first, last: x at its left and right edge.
        log: whether it is logarithmic.
        whole: whether only whole numbers are written on it, as of steps.
        upto: the x up to which there are numbers: what comes after it is not known.
    """

    first: float
    last: float
    log: bool = False
    whole: bool = True
    upto: float = math.inf

    def ends(self) -> tuple[float, float]:
        """The ends as they are drawn, logarithms where it is logarithmic."""
        first, last = self.places(np.array([self.first, self.last])).tolist()
        return first, last

    def places(self, x: Array) -> Array:
        """Where x is drawn."""
        x = np.asarray(x, float)
        return np.asarray(np.log10(x)) if self.log else x

    def part(self, first: float, last: float) -> "XAxis":
        """Take a part of it, by where its ends are drawn."""
        low, high = (10.0**first, 10.0**last) if self.log else (first, last)
        return XAxis(low, high, self.log, self.whole, self.upto)

    def holds(self, x: float) -> bool:
        """Tell whether x lies on it."""
        slack = 1e-9 * (self.last - self.first)
        return self.first - slack <= x <= self.last + slack

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """Choose places with round numbers between both ends, and the texts there: (place, text), the ends first.

        Where the ends can be divided into parts that are round they are; else no number is near an end.
        """
        known = self.places(np.array([self.upto]))[0]
        return [(place, text) for place, text in self._all_ticks(most) if place <= known]

    def _all_ticks(self, most: int) -> list[tuple[float, str]]:
        """Choose places and texts, whatever is known."""
        first, last = self.ends()
        inner = self._inner(first, last, most)
        if self.log:
            return [(first, _power(first)), (last, _power(last)), *inner]
        if self.whole:
            return [(first, f"{round(first):,}"), (last, f"{round(last):,}"), *inner]
        return [(first, self._end(first, inner)), (last, self._end(last, inner)), *inner]

    @staticmethod
    def _end(place: float, inner: list[tuple[float, str]]) -> str:
        """Write an end with as many decimals as the numbers between have, more only where it needs them."""
        few = len(inner[-1][1].partition(".")[2]) if inner and "e" not in inner[-1][1] else 3
        text = f"{place:,.{few}f}"
        return text if math.isclose(float(text.replace(",", "")), place, rel_tol=1e-6) else f"{place:.3g}"

    def _inner(self, first: float, last: float, most: int) -> list[tuple[float, str]]:
        """Choose what stands between the ends."""
        if self.log and (first != round(first) or last != round(last)):
            return [(x, text) for x, text in zip(*power_ticks(first, last, most)) if _is_between(x, first, last, most)]
        few = self.whole or self.log  # one more where there is none else
        at = next(filter(None, (parts_between(first, last, most + more, few) for more in range(3))), [])
        if self.log:
            return [(x, power_text(x)) for x in at]
        if self.whole:
            return [(x, f"{round(x):,}") for x in at]
        return list(zip(at, tick_labels([first, *at, last])[1:-1]))


def _is_between(x: float, first: float, last: float, most: int) -> bool:
    """Tell whether a place is not near an end."""
    return min(x - first, last - x) > _NEAR * (last - first) / max(most, 1)


def steps_up_to(last: int) -> XAxis:
    """The axis of steps from 0 to `last`."""
    return XAxis(0.0, float(max(last, 1)))


def around(x: Array, log: bool) -> XAxis:
    """The axis of a variable with room for its values, up to round numbers so that it seldom grows; powers of ten on a
    logarithmic one."""
    low, high = (min(max(float(end), -_HUGE), _HUGE) for end in (x.min(), x.max()))
    return _powers(low, high) if log else _rounded(low, high, whole=bool((x == np.round(x)).all()))


def _powers(low: float, high: float) -> XAxis:
    """The axis from a power of ten to another."""
    first, last = math.floor(math.log10(max(low, 1 / _HUGE)) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    room = 1 if first == last else 0
    return XAxis(10.0 ** (first - room), 10.0 ** (last + room), log=True, whole=False)


def _rounded(low: float, high: float, whole: bool) -> XAxis:
    """The axis from a round number to another."""
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        room = 1.0 if whole and abs(low) < 1e6 else abs(low) / 2 or 1.0
        return XAxis(low - room, high + room, whole=whole)
    ticks = round_ticks(low, high, 5)
    step = max(ticks[1] - ticks[0], 1.0 if whole else 0.0) if len(ticks) > 1 else high - low
    return XAxis(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step, whole=whole)


def _power(place: float) -> str:
    """Write 10 to a power in few characters, be it whole or not."""
    return power_text(place) if place == int(place) else f"{10.0**place:.3g}"
