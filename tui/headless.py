"""Pages and stills without a terminal: the app paints on a screen that nobody sees, as large as it is asked to be."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias

from textual.screen import Screen

from algorithms.core import Refused
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.saving.files import write_in_parts
from algorithms.saving.session import Opening
from algorithms.timeline import Timeline
from algorithms.timeline.branches import Branches
from algorithms.timeline.divergence import Comparison
from tui.app import IterscopeApp
from tui.export.page import MOST, page
from tui.screens.compare import CompareScreen
from tui.screens.stage import StageScreen
from tui.widgets.too_small import LEAST

Shown: TypeAlias = LoadedRun | Opening | Timeline | Branches | Comparison
Write: TypeAlias = Callable[[BinaryIO], Iterator[float]]

_LARGEST = (300, 100)  # columns and rows
_SLICE = 0.1  # seconds of a run between two looks at ctrl+c
_PATIENCE = 0.02  # seconds between two looks whether the screen is there


def write_page(
    shown: LoadedRun | Opening,
    path: str | Path,
    *,
    steps: int | None = None,
    size: tuple[int, int] = (120, 36),
    overwrite: bool = False,
    watch: Callable[[float], object] = lambda share: None,
) -> int:
    """Write a run, or a session with its forks or its comparison, as a page for browsers; returns its last step.

    Args:
        steps: the step at which to stop; if not given the end of the run, or as many steps as a page holds, and of a
            session what it has.
        size: columns and rows of the screen.
        watch: told how much is done, 0 to 1, again and again; what it raises ends it, and nothing is left.

    Raises:
        Refused: when it is too long or too large, cannot be written, or a session does not run as it was saved.
    """

    def written(content: Write) -> Iterator[float]:
        return write_in_parts(Path(path), content, overwrite=overwrite)

    return asyncio.run(paint_page(shown, written, steps, size, watch))


def check_size(size: tuple[int, int]) -> None:
    """Refuse a screen on which too little is to be seen, or one that is larger than any."""
    if not all(least <= given <= most for least, given, most in zip(LEAST, size, _LARGEST)):
        least, most = (f"{columns}x{rows}" for columns, rows in (LEAST, _LARGEST))
        raise Refused(f"a page of {size[0]}x{size[1]} cells will not do: it takes {least} to {most}.")


async def paint_page(
    shown: Shown,
    written: Callable[[Write], Iterator[float]],
    steps: int | None,
    size: tuple[int, int],
    watch: Callable[[float], object],
) -> int:
    """Paint a page, as `write_page` says; returns its last step.

    Args:
        written: takes what writes the page, and works at that.
    """
    check_size(size)
    if steps is not None and steps >= MOST:
        raise Refused(f"a page has {MOST:,} steps at most: stop at step {MOST - 1:,}, or before.")
    asked = MOST - 1 if steps is None else steps
    begun = _begun(shown, asked)
    while (found := next(begun)) is None:
        watch(0.0)
    app, last = found

    def all_branches(screen: StageScreen) -> None:
        if isinstance(shown, Branches):
            screen.session.take(screen.loaded, shown, shown.root, 0)

    async with painted_by(app, size, all_branches) as screen:
        unit = "step"
        if isinstance(screen, CompareScreen):  # a session's may have a run that is longer than the first
            *_, end, unit = screen.extent
            last = min(asked, end)
        content = page(screen.runs_of_page(0, last), screen.export_title, unit)
        for share in written(content):
            watch(share)
            await asyncio.sleep(0)
    return last


@asynccontextmanager
async def painted_by(
    app: IterscopeApp, size: tuple[int, int], begin: Callable[[StageScreen], None] = lambda screen: None
) -> AsyncIterator[StageScreen | CompareScreen]:
    """Have an app paint out of sight; gives the screen of its runs.

    Args:
        begin: called with the screen of one run before its clock stands.
    """
    async with app.run_test(size=size):
        screen = await _screen_of(app)
        if isinstance(screen, StageScreen):
            begin(screen)
            screen = await _screen_of(app)  # that may have shown it beside others
        await app.push_screen(Screen())  # behind it the clock of the run stands
        yield screen


def _begun(shown: Shown, last: int) -> Iterator[tuple[IterscopeApp, int] | None]:
    """Run as far as is to be seen; None while that goes on, then the app that shows it, and its last step."""
    if isinstance(shown, Opening):
        while not shown.work(_SLICE):
            yield None
        if shown.differs:
            raise Refused(f"{shown.file} does not run here as it was saved: python -m algorithms replay says where.")
        yield IterscopeApp(session=shown), min(last, max(branch.timeline.last for branch in shown.branches.all))
        return
    first, *others = runs_of(shown)
    for run in (first, *others):
        while run.last < last and run.stopped is None:
            run.advance(last - run.last, _SLICE)
            yield None
    loaded = shown if isinstance(shown, LoadedRun) else ComparedRun("", first).opened
    player = Player(first)
    player.stay_behind()
    against = others if isinstance(shown, Comparison) else ()
    yield IterscopeApp(loaded, player, against=against), min(last, max(run.last for run in (first, *others)))


def runs_of(shown: LoadedRun | Timeline | Branches | Comparison) -> list[Timeline]:
    """List the runs that are to be seen, the first one first."""
    match shown:
        case LoadedRun():
            return [shown.timeline()]
        case Branches():
            return [branch.timeline for branch in shown.all]
        case Comparison():
            return list(shown.runs)
    return [shown]


async def _screen_of(app: IterscopeApp) -> StageScreen | CompareScreen:
    """Wait until the run is shown, or the comparison that a session has, and no thread works on it."""
    while True:
        screen = app.screen
        if isinstance(screen, CompareScreen):
            works = any(follower.busy for follower in screen.together.followers)
            if all(screen.pictures) and not works:
                return screen
        elif isinstance(screen, StageScreen):
            waits = screen.picture is None or screen.session.compared_last
            if not waits and not screen.session.access.busy:
                return screen
        await asyncio.sleep(_PATIENCE)
