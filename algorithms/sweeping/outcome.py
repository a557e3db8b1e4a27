"""Outcome: what is kept of one run of many; numbers and words, no state."""

from typing import Any

from msgspec import Struct

from algorithms.core.arrays import Array


class Failed(Struct, frozen=True):
    """A theorem that did not hold in a run.

    Attributes:
        statement: the theorem's.
        t: the first step at which it failed.
        sides: the two sides there, in words.
        times: how many of the steps that were checked it failed at.
    """

    statement: str
    t: int
    sides: str
    times: int


class Outcome(Struct, frozen=True):
    """What came of one run.

    Attributes:
        place: its place among the runs, from 0.
        steps: how many steps it made.
        reason: why it ended.
        failed: whether that is an error, or a refusal of its data and parameters.
        values: the last value of each curve; NaN where it never had one.
        curves: (t, value) of each curve that was asked for, (m,) each, where it has one.
        failures: the theorems that failed.
        troubles: the curves and theorems that could not be computed, with the first error of each.
    """

    place: int
    steps: int
    reason: str
    failed: bool = False
    values: dict[str, float] = {}
    failures: tuple[Failed, ...] = ()
    troubles: tuple[str, ...] = ()
    curves: dict[str, tuple[Array, Array]] = {}

    @classmethod
    def without_numbers(cls, place: int, reason: str) -> "Outcome":
        """Make the outcome of a run of which nothing came."""
        return cls(place, 0, reason, failed=True)


Measures = dict[str, Any]  # by name, functions (problem, state) -> float; `Any` since they go to other processes
