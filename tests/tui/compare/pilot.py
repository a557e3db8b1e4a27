"""Driving the comparison: apps of two runs, and where their runs are."""

from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot

from algorithms import Timeline, datasets, find
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import variant
from tests.tiny import TINY, Rows
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.screens.compare import CompareScreen


def tiny(**parameters: Any) -> Timeline:
    return Timeline(TINY, Rows().load(), parameters)


def tinies(*others: Timeline, **parameters: Any) -> IterscopeApp:
    return IterscopeApp(LoadedRun.checked(TINY, Rows(), parameters), against=others)


def clusterings() -> IterscopeApp:
    """Two algorithms on the same data."""
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {"k": 2})
    return IterscopeApp(opened, against=[variant(opened, "gaussian_mixture").timeline()])


def screen(pilot: Pilot[None]) -> CompareScreen:
    assert isinstance(pilot.app.screen, CompareScreen)
    return pilot.app.screen


async def worked_out(pilot: Pilot[None]) -> None:
    """Work all runs to their ends here: of one that seems slow, on a busy machine, none goes on by itself."""
    for follower in screen(pilot).together.followers:
        await until(pilot, lambda follower=follower: not follower.busy)  # type: ignore[misc]
        follower.run.run()
    await until(pilot, lambda: screen(pilot).together.end is not None)


def at(pilot: Pilot[None], *steps: int) -> Callable[[], bool]:
    """Whether the runs are at these steps, and the screen says so."""

    def holds() -> bool:
        if not isinstance(pilot.app.screen, CompareScreen):
            return False
        followers = screen(pilot).together.followers
        shown = text(pilot)
        return [follower.player.t for follower in followers] == [*steps] and all(
            f"{t:,} of" in shown or f"at step {t}" in shown or f"at {t}" in shown for t in steps
        )

    return holds
