"""Drive the app without a terminal: the tiny run on the screen, what the screen shows, and waits for it."""

from collections.abc import Callable
from contextlib import suppress

from textual.css.model import RuleSet
from textual.css.query import NoMatches
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.timeline import Timeline
from tests.patience import PATIENCE, Patience
from tests.tiny import TINY, Rows
from tui.app import IterscopeApp
from tui.screens.stage import StageScreen
from tui.widgets.raster import RasterView

_parse = Stylesheet._parse_rules
_parsed: dict[object, list[RuleSet]] = {}


def _parsed_once(sheet: Stylesheet, css: str, *named: object, **others: object) -> list[RuleSet]:
    """Parse the styles of an app where no app before it has: it took a seventh of the time of each that was opened."""
    key = (css, named, tuple(others.items()), tuple(sheet._variables.items()))
    if key not in _parsed:
        _parsed[key] = _parse(sheet, css, *named, **others)  # type: ignore[arg-type]
    return _parsed[key]


Stylesheet._parse_rules = _parsed_once  # type: ignore[method-assign]

IterscopeApp.NOTIFICATION_TIMEOUT = PATIENCE  # of what is told: or it may be gone before one looks
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
    patience = Patience(PATIENCE)
    while not patience.over:
        with suppress(NoMatches):  # a screen is there a moment before what it is made of
            if holds():
                return
        await pilot.pause(0.05)
    raise AssertionError(f"{what} never came to hold; the screen shows\n{text(pilot)}")


async def still(pilot: Pilot[None]) -> None:
    """Wait until nothing on the screen changes any more: eight looks are alike, however long they take."""
    shown, alike, patience = "", 0, Patience(PATIENCE)
    while alike < 8:
        assert not patience.over, f"it never stood still; the screen shows\n{text(pilot)}"
        await pilot.pause(0.05)
        now = text(pilot)
        alike, shown = alike + 1 if now == shown else 0, now


async def worked_out(pilot: Pilot[None]) -> Timeline:
    """Work the run to its end here, when no thread works on it: of one whose steps take long one does."""
    await until(pilot, lambda: not stage(pilot).shown.access.busy)
    return stage(pilot).player.timeline.run()


def at(pilot: Pilot[None], t: int) -> Callable[[], bool]:
    def holds() -> bool:
        screen = pilot.app.screen  # one on which something is asked may still be in front
        return isinstance(screen, StageScreen) and screen.player.t == t and f"step {t} of" in text(pilot, "#header")

    return holds


def stage(pilot: Pilot[None]) -> StageScreen:
    screen = pilot.app.screen
    assert isinstance(screen, StageScreen)
    return screen
