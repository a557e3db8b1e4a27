"""Pages without a terminal: the app paints on a screen that nobody sees, as large as it is asked to be."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from textual.screen import Screen

from algorithms.core import Refused
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.saving.files import write_in_parts
from tui.app import IterscopeApp
from tui.export.page import MOST, page
from tui.screens.stage import StageScreen
from tui.widgets.too_small import LEAST

_LARGEST = (300, 100)  # columns and rows
_SLICE = 0.1  # seconds of a run between two looks at ctrl+c
_PATIENCE = 0.02  # seconds between two looks whether the screen is there


def write_page(
    loaded: LoadedRun,
    path: str | Path,
    *,
    steps: int | None = None,
    size: tuple[int, int] = (120, 36),
    overwrite: bool = False,
    watch: Callable[[float], object] = lambda share: None,
) -> int:
    """Write a run as a page for browsers; returns its last step.

    Args:
        steps: the step at which to stop; the end of the run, or as many steps as a page holds, if not given.
        size: columns and rows of the screen.
        watch: told how much is done, 0 to 1.

    Raises:
        Refused: when it is too long or too large, or cannot be written.
    """
    if not all(least <= given <= most for least, given, most in zip(LEAST, size, _LARGEST)):
        least, most = (f"{columns}x{rows}" for columns, rows in (LEAST, _LARGEST))
        raise Refused(f"a page of {size[0]}x{size[1]} cells will not do: it takes {least} to {most}.")
    if steps is not None and steps >= MOST:
        raise Refused(f"a page has {MOST:,} steps at most: stop at step {MOST - 1:,}, or before.")
    return asyncio.run(_written(loaded, Path(path), MOST - 1 if steps is None else steps, size, overwrite, watch))


async def _written(
    loaded: LoadedRun,
    path: Path,
    last: int,
    size: tuple[int, int],
    overwrite: bool,
    watch: Callable[[float], object],
) -> int:
    player = Player(loaded.timeline())
    run = player.timeline
    while run.last < last and run.stopped is None:
        run.advance(last - run.last, _SLICE)
        await asyncio.sleep(0)
    last = min(last, run.last)
    player.stay_behind()
    app = IterscopeApp(loaded, player)
    async with app.run_test(size=size):
        while not isinstance(screen := app.screen, StageScreen) or screen.picture is None:
            await asyncio.sleep(_PATIENCE)
        await app.push_screen(Screen())  # behind it the clock of the stage stands
        steps = page(screen.runs_of_page(0, last), screen.export_title)
        for share in write_in_parts(path, steps, overwrite=overwrite):
            watch(share)
            await asyncio.sleep(0)
    return last
