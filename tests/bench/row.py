"""Rows of the benchmark: what is run against what, on which sizes, with which targets."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from tests.bench.ratio import Work

SIZES = {"S": (200, 2), "M": (5_000, 20), "L": (100_000, 50)}  # rows and features


class Pair(Struct, frozen=True):
    """Two ways of doing the same work.

    Attributes:
        ours, theirs: each does it once.
        agree: how near the two answers are, or why they need not be.
    """

    ours: Work
    theirs: Work
    agree: str


class Against(Struct, frozen=True):
    """A row that holds an algorithm against scikit-learn.

    Attributes:
        name: what is run.
        make: (rows, features) -> the pair.
        targets: the ratio aimed at, by size; {} where there is none.
        note: what is to be known of the comparison.
    """

    name: str
    make: Callable[[int, int], Pair]
    targets: dict[str, float]
    note: str = ""


class Result(Struct, frozen=True):
    """One figure.

    Attributes:
        what: what was measured.
        figure: with its unit: "1.21 µs".
        target: what it is held against: "<= 1.3 µs", "" for nothing.
        good: whether it does, None where there is no target.
    """

    what: str
    figure: str
    target: str = ""
    good: bool | None = None


class Figures(Struct, frozen=True):
    """A row that measures something of our own."""

    name: str
    measure: Callable[[], Iterator[Result]]


Row = Against | Figures


def below(what: str, value: float, most: float, unit: str, digits: int = 3) -> Result:
    """A figure that should be at most so large."""
    return Result(what, f"{value:.{digits}g} {unit}", f"<= {most:g} {unit}", value <= most)


def drain(run: Any) -> Any:
    """The last state of a run."""
    state = None
    for state in run:  # noqa: B007
        pass
    return state
