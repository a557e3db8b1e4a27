"""Breakpoints: conditions at which a run stops, and those of them that mean something in it."""

from collections.abc import Iterable

from msgspec import Struct

from algorithms.core import Refused
from algorithms.playback.cursor.watch import Watch
from algorithms.timeline import Timeline, conditions


class Breakpoint(Struct):
    """A condition at which a run stops.

    Attributes:
        text: the condition, as it was typed.
        on: whether the run stops there now.
    """

    text: str
    on: bool = True


def watch_for(breakpoints: Iterable[Breakpoint], run: Timeline) -> Watch | None:
    """Watch a run for the breakpoints that are on and have a meaning in it; None where there is none."""
    state, armed = run.at(run.last).state, []
    for each in breakpoints:
        if each.on:
            try:
                armed.append(conditions.starting(conditions.parse(each.text, run.algorithm, run.data, state)))
            except Refused:  # of another number of rows, or a file that was edited: the list of them tells
                continue
    return Watch(run, armed) if armed else None
