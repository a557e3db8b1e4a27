"""What conformance and hard numbers run over: all algorithms there are, or the one that is being checked."""

import os
from collections.abc import Iterable
from typing import TypeVar

from algorithms import names

VARIABLE = "ITERSCOPE_ALGORITHM"

T = TypeVar("T")


def chosen() -> tuple[str, ...]:
    """Every name, or the one in the environment: exactly that one, and no other is imported."""
    wanted = os.environ.get(VARIABLE)
    return tuple(name for name in names() if wanted in (None, "", name))


def in_turn(cases: Iterable[tuple[int, T]], every: int) -> list[T]:
    """Take one of so many cases by their places; of one algorithm that is checked alone all of them.

    So that over all algorithms each case is met by some, and each algorithm meets some cases, in the time of a few.
    """
    return [case for place, case in cases if len(chosen()) == 1 or place % every == 0]
