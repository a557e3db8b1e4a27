"""The vertical axis of a chart: round limits that hold the values, each label on the row of its line.

Labels are at equal distances, or at equal ratios on a logarithmic axis, an equal number of rows apart. Of 1, 2 and 5
times a power of ten each stands within a quarter of a row of its place.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from tui.paint.canvas import width_of
from tui.paint.ticks import power_texts, tick_labels

_APART = 2  # rows from one label to the next, at least
LABEL = 7  # columns of a vertical tick's text, fixed so that nothing jumps
OFF_HALVES = 1 + 0.02  # times half a cell beyond an end: what is half-way between two dots is nearer to one of them
_LEAST = 1e-290  # between two labels
_ROUND = (1, 2, 5, 10)  # times a round distance, which make another
_USUAL = 4  # intervals between labels are aimed at
_MISSED = 0.06  # of the rows: as much is one interval more or fewer worth
_BARE = 0.15  # the same for an axis of which the ends alone are written
_ODD = 0.35  # the same for labels that are no multiples of their distance
_UNNAMED = 0.05  # the same for a round number that is not written
_SPARE = 0.08  # the same for a row that is left over
_OFF = 0.2  # the same for a label a row off
_RARE = 0.1  # the same for labels at a distance that is less round
_QUAINT = 0.3  # the same for one that nobody counts in
_TALL = 0.03  # the same for each row of an axis with ends alone that has more than these
_FEW = 5
_NICE = (1.0, 2.0, 2.5, 5.0, 1.5, 3.0, 4.0)
_COUNTED = {1.0: 0.0, 2.0: 0.0, 5.0: 0.0, 2.5: 0.02, 1.5: _RARE, 3.0: _RARE, 4.0: _RARE}
_FINE = (1, 2, 5)  # times a power of ten: the ends of a logarithmic axis where few of those are in sight
_WIDE = 2.5  # powers of ten from which on they are the ends
_POWERS = (1, 2, 3, 4, 5, 10, 20, 30, 50, 100, 200)  # from one label of a logarithmic axis to the next
_UNEQUAL = 0.04  # of the rows: as much are labels at equal distances worth
_QUARTER = 0.25 + 1e-9  # of a row, up to which a label may stand off its place
_FLAT = 1e-4  # powers of ten, up to which values on a logarithmic axis are about one
_TEXT = 7  # columns of a label


class YAxis(Struct, frozen=True):
    """A vertical axis: the middles of its first and last row are its ends.

    Attributes:
        low, high: the values at its foot and head, logarithms if it is logarithmic.
        rows: how many it takes, with those over its head.
        ticks: (row, text) of each label.
        head: the row of its upper end; what is over it is left over.
    """

    low: float
    high: float
    rows: int
    ticks: tuple[tuple[int, str], ...]
    head: int = 0

    @property
    def plot(self) -> int:
        """Count the rows from end to end."""
        return self.rows - self.head

    def share(self, values: Array) -> Array:
        """Place values, or logarithms, from 0 at the upper end to 1 at the lower."""
        with np.errstate(invalid="ignore"):
            return np.asarray((self.high - np.asarray(values, float)) / (self.high - self.low))

    def row(self, value: float) -> int:
        """Find the row of a value, the nearest where it is outside: that in which a curve has its dot there."""
        half = (self.high - self.low) / max(self.plot - 1, 1) / 2
        top = self.high + half * OFF_HALVES
        dot = (top - value) / (top - (self.low - half)) * (self.plot * 4) - 0.5
        return self.head + min(max(round(dot) >> 2, 0), self.plot - 1)

    def place(self, value: float) -> float:
        """Find the place of a value in rows, the nearest where it is outside."""
        last = self.plot - 1
        return self.head + float(np.clip(float(self.share(np.array([value]))[0]) * last, 0, last))


class _Choice(Struct, frozen=True):
    """Labels of an axis, the first and the last at its ends.

    Attributes:
        worth: how well they fit.
        rows: from end to end.
        places, texts: of the labels, rising.
        multiples: of which number, in place of these.
    """

    worth: float
    rows: int
    places: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    multiples: tuple[range, float] | None = None

    def labels(self) -> tuple[Sequence[float], Sequence[str]]:
        """Get the places and the texts."""
        if self.multiples is None:
            return self.places, self.texts
        of, step = self.multiples
        places = [k * step for k in of]
        if of.start % of.step == 0:
            return places, tick_labels(places)
        return places, tick_labels([k * step for k in range(of.start, of.stop)])[:: of.step]  # with all their digits


@lru_cache(512)
def fitted_y_axis(low: float, high: float, rows: int, log: bool, whole: bool = False) -> YAxis:
    """Choose the axis for values from `low` to `high`, or their logarithms, in so many rows.

    Args:
        whole: whether the values are whole numbers, so that nothing else is written.
    """
    low, high = _with_room(low, high, log, whole)
    choices = _of_powers(low, high, rows) if log else _of_numbers(low, high, rows, whole)
    best = max(choices, key=lambda choice: round(choice.worth, 12))  # of equal ones the first
    places, texts = best.labels()
    foot, top = places[0], places[-1]
    last = best.rows - 1
    ticks = tuple((rows - 1 - round((place - foot) / (top - foot) * last), text) for place, text in zip(places, texts))
    return YAxis(foot, top, rows, ticks, rows - best.rows)


def _with_room(low: float, high: float, log: bool, whole: bool) -> tuple[float, float]:
    """Widen what is about one value: a count goes up to the next one."""
    if high - low > (_FLAT if log else 1e-12 * max(abs(low), abs(high), 1e-300)):  # logarithms may be about 0
        return low, high
    if whole and not log and abs(low) < 1e6:
        return (0.0, 1.0) if low == 0 else (low - 1, high + 1)
    if low == high == 0 and not log:
        return 0.0, 1.0
    room = 0.3 if log else (abs(low) or 1.0) * 0.5
    return low - room, high + room


def _of_numbers(low: float, high: float, rows: int, whole: bool) -> Iterator[_Choice]:
    """Round numbers at equal distances."""
    most = max((rows - 1) // _APART, 1)
    apart = (high - low) / most  # 0 of the least numbers there are
    power = max(10.0 ** math.floor(math.log10(apart)), _LEAST) if apart else _LEAST
    for ten in (1.0, 10.0, 100.0):
        for nice in _NICE:
            step = nice * power * ten
            if whole and (step < 1 or step != round(step)):
                continue
            for first, last in _ends(math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)):
                yield from _divided(first, last, step, nice, (high - low, rows, most))


def _ends(first: int, last: int) -> Iterator[tuple[int, int]]:
    """Give the ends that hold the values, and those a step on, but none beyond 0 for it."""
    last = max(last, first + 1)
    yield first, last
    if last:
        yield first, last + 1
    if first:
        yield first - 1, last


def _divided(first: int, last: int, step: float, nice: float, room: tuple[float, int, int]) -> Iterator[_Choice]:
    """Label the axis from first to last times a step in equal parts.

    Args:
        nice: the step, but for a power of ten.
        room: how much of the axis the values take, the rows, and how many parts there is room for.
    """
    span, rows, most = room
    count = last - first
    for parts in range(min(count, most), 0, -1):
        every = count // parts
        spare = (rows - 1) % parts
        if count % parts or spare > _most_spare(rows) or (every not in _ROUND and parts > 1):
            continue
        counted = nice * every if nice * every < 10 else nice * every / 10
        worth = (
            span / (count * step) * (rows - spare) / rows
            - _MISSED * abs(parts - _USUAL)
            - _bare(parts, rows)
            - _UNNAMED * (min(every, 10) - 1)
            - _ODD * (parts > 1 and first % every != 0)
            - _SPARE * spare
            - (_COUNTED.get(counted, _QUAINT) if parts > 1 else 0.0)
        )
        yield _Choice(worth, rows - spare, multiples=(range(first, last + 1, every), step))


def _of_powers(low: float, high: float, rows: int) -> Iterator[_Choice]:
    """Powers of ten at equal ratios; where few of them are in sight 1, 2 or 5 times one, or numbers that are near."""
    most = max((rows - 1) // _APART, 1)
    if high - low <= _WIDE:
        yield from _of_ratios(low, high, rows)
    steps = dict.fromkeys(_POWERS, 0.0) | {
        max(math.ceil((high - math.floor(low)) / parts), 1): _RARE for parts in range(1, min(most, _USUAL) + 1)
    }
    for every, rare in (steps | dict.fromkeys(_POWERS, 0.0)).items():
        for foot in sorted({every * math.floor(low / every + 1e-9), math.floor(low + 1e-9)}):
            least = max(math.ceil((high - foot) / every - 1e-9), 1)
            for parts in range(least, least + 3):
                spare = (rows - 1) % parts
                if parts > most or spare > _most_spare(rows):
                    continue
                places = tuple(float(foot + k * every) for k in range(parts + 1))
                worth = _worth(places, (low, high), rows, spare) - rare - (_RARE if foot % every else 0.0)
                yield _Choice(worth, rows - spare, places, tuple(power_texts(places)))


def _worth(places: tuple[float, ...], values: tuple[float, float], rows: int, spare: int) -> float:
    """Weigh how well the values fill a logarithmic axis with these labels."""
    parts = len(places) - 1
    filled = (values[1] - values[0]) / (places[-1] - places[0]) * (rows - spare) / rows
    return filled - _MISSED * abs(parts - _USUAL) - _bare(parts, rows) - _SPARE * spare


def _bare(parts: int, rows: int) -> float:
    """Weigh that the ends alone are labelled: the more rows there are, the more is missing."""
    return (_BARE + _TALL * max(rows - _FEW, 0)) * (parts == 1)


def _most_spare(rows: int) -> int:
    """Count how many rows may be left over at most."""
    return 1 + (rows > 11)


def _of_ratios(low: float, high: float, rows: int) -> Iterator[_Choice]:
    """Round numbers on a logarithmic axis, of which each label stands on its line."""
    for places, texts, all_of_them in _near(low, high):
        for spare in range(1 + _most_spare(rows)):
            last = rows - 1 - spare
            at = [(place - places[0]) / (places[-1] - places[0]) * last for place in places]
            kept = [i for i, x in enumerate(at) if abs(x - round(x)) <= _QUARTER]
            if all_of_them and len(kept) < len(at):
                continue
            distances = [round(at[j]) - round(at[i]) for i, j in zip(kept, kept[1:])]
            chosen = tuple(texts[i] for i in kept)
            if (len(kept) > 2 and min(distances) < _APART) or len(set(chosen)) < len(chosen):
                continue
            off = max(abs(at[i] - round(at[i])) for i in kept)
            labels = tuple(places[i] for i in kept)
            worth = _worth(labels, (low, high), rows, spare) - _OFF * off - _UNEQUAL * (len(set(distances)) > 1)
            yield _Choice(worth, rows - spare, labels, chosen)


def _near(low: float, high: float) -> Iterator[tuple[tuple[float, ...], tuple[str, ...], bool]]:
    """Give the labels that an axis from a round number to another may have, and whether it has to have all of them:
    1, 2 and 5 times powers, each twice or ten times the last, or at equal differences."""
    fine = [p + math.log10(n) for p in range(math.floor(low) - 1, math.ceil(high) + 2) for n in _FINE]
    below = [f for f in fine if f <= low + 1e-9][-2:]
    above = [f for f in fine if f >= high - 1e-9][:2]
    for a, b in ((a, b) for a in below for b in above if b - a > 1e-9):
        every = tuple(f for f in fine if a - 1e-9 <= f <= b + 1e-9)
        yield every, tuple(power_texts(every)), False
        for ratio in (math.log10(2), 1.0):
            parts = round((b - a) / ratio)
            if parts and abs(parts * ratio - (b - a)) < 1e-9:
                chain = tuple(a + k * ratio for k in range(parts + 1))
                yield chain, tuple(power_texts(chain)), True
        yield (a, b), tuple(power_texts((a, b))), True
    for places, texts in _at_differences(low, high):
        yield places, texts, True


def _at_differences(low: float, high: float) -> Iterator[tuple[tuple[float, ...], tuple[str, ...]]]:
    """Give numbers at equal differences, where the values are so near each other that their ratios are alike."""
    if high - low > 0.5 or not -4 < low < 5:
        return
    least, greatest = 10.0**low, 10.0**high
    power = 10.0 ** math.floor(math.log10((greatest - least) / 6))
    for step in (nice * power for nice in (1, 2, 5, 10, 20, 50)):
        first, last = math.floor(least / step + 1e-9), math.ceil(greatest / step - 1e-9)
        values = [k * step for k in range(max(first, 1), max(last, first + 1) + 1)]
        texts = tuple(tick_labels(values))
        if 2 <= len(values) <= 7 and first > 0 and all(len(text) <= _TEXT for text in texts):
            yield tuple(math.log10(value) for value in values), texts


def fitting_ticks(y_axis: YAxis) -> list[tuple[int, str]]:
    """Write the labels in the room that there is; of values that differ in later digits the lowest, and by how much
    the others are above it."""
    short = [(row, _shortened(text)) for row, text in y_axis.ticks]
    if len({text for _, text in short}) == len(short):
        return short
    foot = max(row for row, _ in short)
    step = (y_axis.high - y_axis.low) / (y_axis.plot - 1)
    texts = (f"{y_axis.low:{form}}" for form in (".5g", ".2g", ".0e"))
    lowest = next(text for text in texts if width_of(text) <= LABEL)
    return [(row, lowest if row == foot else _above((foot - row) * step)) for row, _ in short]


def _shortened(text: str) -> str:
    """Cut digits of a number until it has room."""
    value = float(text.replace(",", ""))
    return next((short for short in (text, f"{value:.2g}", f"{value:.0e}") if width_of(short) <= LABEL), text)


def _above(difference: float) -> str:
    """Write a difference in the fewest digits: +2e-7, +0.002."""
    digits, _, power = f"{difference:.2g}".partition("e")
    return f"+{digits}e{int(power)}" if power else f"+{digits}"
