"""Timing two ways of doing the same work, fairly: interleaved, and the median of pairs."""

import gc
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

from msgspec import Struct

_LEAST = 0.02  # seconds that a sample lasts; what is faster is repeated in it
_PAIRS = 7
_PAIRS_IF_SLOW = 3
_SLOW = 2.0  # seconds for a pair from which on fewer are taken

Work = Callable[[], Any]


class Ratio(Struct, frozen=True):
    """How long ours takes against theirs.

    Attributes:
        ours, theirs: median seconds.
        value: the median of the pairs' ratios.
        low, high: the smallest and greatest of them.
        over: seconds that ours takes beyond theirs, by the quickest of each; what is small is lost in medians.
    """

    ours: float
    theirs: float
    value: float
    low: float
    high: float
    over: float


def ratio(ours: Work, theirs: Work) -> Ratio:
    """Time both by turns, each first every second time."""
    times = {ours: _times(ours), theirs: _times(theirs)}
    slow = sum(seconds * n for n, seconds in times.values()) > _SLOW
    samples: dict[Work, list[float]] = {ours: [], theirs: []}
    gc.collect()
    gc.disable()
    try:
        for i in range(_PAIRS_IF_SLOW if slow else _PAIRS):
            for work in (ours, theirs) if i % 2 == 0 else (theirs, ours):
                samples[work].append(_sample(work, times[work][0]))
    finally:
        gc.enable()
    ratios = [a / b for a, b in zip(samples[ours], samples[theirs])]
    over = min(samples[ours]) - min(samples[theirs])
    return Ratio(median(samples[ours]), median(samples[theirs]), median(ratios), min(ratios), max(ratios), over)


def _times(work: Work) -> tuple[int, float]:
    """How often to do the work in a sample, and how long it takes once; it is done twice to find out."""
    work()
    seconds = _sample(work, 1)
    return max(1, int(_LEAST / max(seconds, 1e-7))), seconds


def _sample(work: Work, times: int) -> float:
    began = perf_counter()
    for _ in range(times):
        work()
    return (perf_counter() - began) / times
