"""Runs to their end without their curves and theorems: what many tests ask is where a run ends, and why."""

from typing import Any

from algorithms.core import Run


def end_of(run: Run[Any]) -> tuple[Any, str]:
    """The last state that a generator yields (None where it yields none), and the reason that it returns."""
    last = None
    while True:
        try:
            last = next(run)
        except StopIteration as end:
            return last, end.value
