"""Drive the app without a terminal: the tiny run on the screen, what the screen shows, and waits for it."""

import time
from collections.abc import Callable
from contextlib import suppress

from textual.css.query import NoMatches
from textual.pilot import Pilot

from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tiny import TINY, Rows
from tui.app import IterscopeApp
from tui.screens.stage import StageScreen
from tui.widgets.raster import RasterView

PATIENCE = 30.0  # seconds; two workers on two cores that others use too
SIZES = [(160, 48), (100, 30), (80, 24)]


def app(**parameters: object) -> IterscopeApp:
    return IterscopeApp(LoadedRun.checked(TINY, Rows(), dict(parameters)))


def text(pilot: Pilot[None], widget: str | None = None) -> str:
    """What the raster widgets show, as text."""
    screen = pilot.app.screen
    views = [screen.query_one(widget, RasterView)] if widget else list(screen.query(RasterView))
    return "\n".join(strip.text for view in views if view.display for strip in view.strips)


async def until(pilot: Pilot[None], holds: Callable[[], bool], what: str = "it") -> None:
    """Wait for a condition: it comes at once, but on a machine that is busy elsewhere."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(NoMatches):  # a screen is there a moment before what it is made of
            if holds():
                return
        await pilot.pause(0.05)
    raise AssertionError(f"{what} never came to hold; the screen shows\n{text(pilot)}")


def at(pilot: Pilot[None], t: int) -> Callable[[], bool]:
    def holds() -> bool:
        return stage(pilot).player.t == t and f"step {t} of" in text(pilot, "#header")

    return holds


def stage(pilot: Pilot[None]) -> StageScreen:
    screen = pilot.app.screen
    assert isinstance(screen, StageScreen)
    return screen
