"""Walks in the process of the app, through its own parser of keys: quick, and with the places of what failed.

What must hold after each burst: no exception, an answer, and what is shown is the state of the timeline. After the
walk: what was made can be opened again from what would be rescued, fork by fork and state by state.
"""

import asyncio
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import cast

from msgspec.structs import replace
from textual import events
from textual.app import App, ScreenStackError
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.pilot import Pilot

from algorithms import Refused
from algorithms.core.state import same
from algorithms.playback.cursor.player import Player
from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.runs.request import requested
from tests.hands.actions import Burst, Resize, Walk
from tests.hands.leftovers import files_left, marked, started_with
from tests.hands.made import Made, replayed, states_apart
from tests.terminal.pseudo import ROOT
from tui.__main__ import _app
from tui.app import IterscopeApp
from tui.rescue import Rescue
from tui.screens.compare import CompareScreen
from tui.screens.stage import StageScreen
from tui.terminal.keys import KeyParser
from tui.widgets.header import place_of
from tui.widgets.raster import RasterView

PATIENCE = 60.0  # seconds without an answer after which a screen counts as frozen; the machine may be busy
_EVERY = 15  # bursts between two looks at whether all is at rest
_FRAMES = 6  # of what failed, that are told

Make = Callable[[], IterscopeApp]


class Found(Exception):
    """Something that must hold did not."""


class Frozen(Exception):
    """Nothing is answered; raised where the time goes."""


def opened(walk: Walk) -> IterscopeApp:
    """Make the app as the command line of the walk does.

    Raises:
        Refused: when it asks for what cannot be opened.
    """
    words = [str(ROOT / word) if word.startswith("demos/") else word for word in walk.words]
    return _app(requested(words) if words else None)


async def play(make: Make, walk: Walk) -> None:
    """Do it all with a new app in the current folder; `Found` tells what did not hold, and in which burst."""
    i, asked = -1, []
    with started_with() as mark:
        try:
            app = make()
            quits = app.action_quit

            async def quit_as_asked() -> None:
                asked.append(i)
                await quits()

            app.action_quit = quit_as_asked  # type: ignore[method-assign]
            async with app.run_test(size=(walk.columns, walk.rows)) as pilot:
                hands = Hands(pilot)
                app._fatal_error = lambda: app.exit(return_code=1)  # type: ignore[method-assign]  # it is told here
                await pilot.pause(0.3)
                for i, burst in enumerate(walk.bursts):  # noqa: B007  (the number is told when it fails)
                    await hands.do(burst)
                    await hands.answer(i % _EVERY == 0)
                    if not app.is_running or app._exit:
                        if not asked:
                            raise Found("it ended, which nothing had asked for")
                        break
                else:
                    await settle(pilot)
                    await rescued(pilot)
                    # Keys that are still waiting would come to an app that the harness has taken the screens of.
                    await handed_on(app)
        except Found as found:
            raise Found(f"{_at(walk, i)}: {found}") from found
        except (Exception, asyncio.CancelledError) as error:
            raise Found(f"{_at(walk, i)}: {where(error)}") from error
        await _all_over(mark)


class Hands:
    """Send to an app what a terminal would."""

    def __init__(self, pilot: Pilot[None]):
        self.pilot, self.app = pilot, cast(IterscopeApp, pilot.app)
        self._parser = KeyParser(False)

    async def do(self, burst: Burst) -> None:
        """Send a burst: what comes in one read is there at once."""
        for part in burst.parts:
            if isinstance(part, Resize):
                self._resize(Size(part.columns, part.rows))
            else:
                self.send(part.decode("utf-8", "replace"))
        await asyncio.sleep(burst.pause)

    def send(self, text: str) -> None:
        driver = self.app._driver
        assert driver is not None
        for message in (*self._parser.feed(text), *self._parser.tick()):
            driver.process_message(message)

    def _resize(self, size: Size) -> None:
        assert isinstance(self.app._driver, HeadlessDriver)
        self.app._driver._size = size
        self.app.post_message(events.Resize(size, size))

    async def answer(self, rest: bool = True) -> None:
        """Wait for a turn of the app's loop, with `rest` for an idle one; what is shown has to be right then."""
        for message in self._parser.tick():  # an escape by itself
            self.app._driver.process_message(message)  # type: ignore[union-attr]
        if rest:
            await handed_on(self.app)
        with answered(PATIENCE):
            await (self.pilot.pause(0.1) if rest else asyncio.sleep(0))
        if self.app._exception is not None:
            raise self.app._exception
        check(self.app)


@contextmanager
def answered(seconds: float) -> Iterator[None]:
    """Raise `Frozen` in the midst of what takes longer."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Frozen(f"no answer within {seconds:g} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def where(error: BaseException) -> str:
    """Name an error by its kind, its words and the places nearest to it."""
    frames = traceback.extract_tb(error.__traceback__)[::-1][:_FRAMES]
    places = " < ".join(f"{Path(frame.filename).stem}.{frame.name}:{frame.lineno}" for frame in frames)
    words = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {words} [{places}]"


def _at(walk: Walk, i: int) -> str:
    return f"burst {i}, {list(walk.bursts[i].actions)}" if i >= 0 else "before the first burst"


def check(app: App[None]) -> None:
    """Hold that what is shown is a state of its run, that of the timeline bit for bit."""
    with suppress(ScreenStackError):  # it is on its way out
        screen = app.screen
        if isinstance(screen, StageScreen) and not screen.session.access.busy:
            _check(screen.player, screen.picture)
        elif isinstance(screen, CompareScreen) and not screen.session.access.busy:
            for follower, picture in zip(screen.together.followers, screen.pictures):
                _check(follower.player, picture)


def _check(player: Player, picture: Picture | None) -> None:
    if picture is None:
        return
    frame, run, shown = picture.frame, player.timeline, player.frame
    if shown.t >= len(run):
        raise Found(f"the cursor stands at step {shown.t}, the run has come to {run.last}")
    if run.resumes and not same(run.at(shown.t).state, shown.state):
        raise Found(f"the state in hand is not the timeline's at step {shown.t}")
    if frame.t == shown.t and not same(frame.state, shown.state):
        raise Found(f"the state shown is not the one in hand, at step {frame.t}")


async def handed_on(app: IterscopeApp) -> None:
    """Wait until all input was handed on; `Found` when nothing of it is for too long."""
    queue, end, before = app.input_queue, 0.0, -1
    while queue._in_hand is not None and app.is_running:
        if (now := len(queue._waiting)) != before:
            before, end = now, time.monotonic() + PATIENCE
        if time.monotonic() > end:
            raise Found(f"{queue._in_hand} is never done with; {now} wait behind it")
        await asyncio.sleep(0.02)


async def settle(pilot: Pilot[None]) -> None:
    """Close and stop everything: the stage shows the step that the timeline is at, or a list is what is left."""
    app, hands = cast(IterscopeApp, pilot.app), Hands(pilot)
    end = time.monotonic() + PATIENCE
    hands.send("\x1b[201~")  # a paste that was never over
    await hands.do(Burst((Resize(120, 40),)))
    while time.monotonic() < end:
        hands.send("\x1b[27u")  # escape, whole: after a lone one the parser waits for more
        await hands.answer()
        screen = app.screen
        if isinstance(screen, StageScreen):
            screen.player.cancel()
            await pilot.pause(0.05)
            header = "\n".join(
                strip.text for view in screen.query("#header").results(RasterView) for strip in view.strips
            )
            if place_of(screen.player) in header and screen.is_active:
                return
        elif len(app.screen_stack) == 2 and not any(isinstance(each, StageScreen) for each in app.screen_stack):
            return  # a list, with no run behind it
    raise Found(f"it does not come to rest: {[type(each).__name__ for each in app.screen_stack]}")


async def rescued(pilot: Pilot[None]) -> None:
    """Have what is not saved rescued as by an end out of order, open it, and compare all that was made."""
    app = pilot.app
    rescue: Rescue | None = getattr(app, "_rescue", None)
    stage = next((screen for screen in app.screen_stack if isinstance(screen, StageScreen)), None)
    if rescue is None or stage is None:
        return
    await _until(lambda: not stage.session.access.busy, "the runs are not given back")
    rescue.look(app)
    made = Made.of(stage.session)
    if made.refusal:
        return
    with answered(4 * PATIENCE):
        offered = _offered(rescue)
        if offered is None or not made.unsaved:
            if bool(made.unsaved) != (offered is not None):
                raise Found(f"{made.unsaved or 'nothing is unsaved'}, but {offered} is offered")
            return
        try:
            opening = replayed(offered, stage.session.loaded.algorithm if stage.session.loaded.spec else None)
        except Refused as refusal:
            raise Found(f"what was rescued cannot be opened: {refusal}") from refusal
        lost = [made.lost(Made.opened(opening)), *states_apart(stage.session, opening)]
    if any(lost):
        raise Found(f"what was rescued is not what was there: {'; '.join(filter(None, lost))}")
    offered.unlink()


def _offered(rescue: Rescue) -> Path | None:
    """Write what is not saved, and find the file."""
    before = set(Path.cwd().glob("*.rescued.json"))
    rescue.write()
    return next(iter(set(Path.cwd().glob("*.rescued.json")) - before), None)


async def _all_over(mark: str) -> None:
    """Hold that nothing is left: no process, no half of a file."""
    end = time.monotonic() + PATIENCE
    while (processes := marked(mark)) and time.monotonic() < end:
        await asyncio.sleep(0.1)
    if processes:
        raise Found(f"processes are left: {processes}")
    if left := files_left(Path.cwd()):
        raise Found(f"files are left: {left}")


async def _until(holds: Callable[[], bool], otherwise: str) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise Found(otherwise)
        await asyncio.sleep(0.02)


async def shortest(make: Make, walk: Walk, most: float = float("inf")) -> Walk:
    """Take out of a failing walk as many bursts as can be, by halves, quarters, ... and one at a time.

    Args:
        most: seconds after which what there is will do.
    """
    end = time.monotonic() + most
    bursts: Sequence[Burst] = walk.bursts
    size = max(len(bursts) // 2, 1)
    while size:
        at = 0
        while at < len(bursts) and time.monotonic() < end:
            fewer = (*bursts[:at], *bursts[at + size :])
            try:
                await play(make, replace(walk, bursts=fewer))
            except Found:
                bursts = fewer
            else:
                at += size
        size //= 2
    return replace(walk, bursts=tuple(bursts))
