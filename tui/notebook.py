"""Runs in a notebook: a cell shows a run as the page that `e` writes, and a frame as a still."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from html import escape
from io import BytesIO
from threading import Event
from typing import Any, TypeVar

from msgspec import Struct

from algorithms.core import Refused
from algorithms.core.text import counted
from algorithms.lectures.lessons import Lesson
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.cursor.player import Player
from algorithms.timeline import Frame, Timeline
from algorithms.timeline.branches import Branches
from algorithms.timeline.divergence import Comparison
from tui.app import IterscopeApp
from tui.export.page import MOST
from tui.export.svg import still
from tui.headless import Shown, Write, check_size, paint_page, painted_by, runs_of
from tui.lesson_page import paint_lesson
from tui.screens.stage import StageScreen

USUAL = 100  # the last step of a cell where none is named: some four seconds of painting
_SIZE = (120, 36)
_BELOW = 8  # rows of cells that the keys and the slider below the screen take

T = TypeVar("T")


class Cell(Struct, frozen=True, eq=False):
    """A page that a cell of a notebook shows, in a frame of its own.

    Attributes:
        page: the whole HTML file.
        size: columns and rows of the screen in it.
        words: what it is, for who sees no page.
    """

    page: str
    size: tuple[int, int]
    words: str

    def _repr_html_(self) -> str:
        """Put the page into a frame that may run the page's own script and nothing else of the notebook."""
        columns, rows = self.size
        style = f"width:100%;border:0;aspect-ratio:{columns}/{2 * (rows + _BELOW)}"
        frame = f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(self.page)}"></iframe>'
        return f"{frame}<div>{escape(self.words)}</div>"

    def __repr__(self) -> str:
        return self.words


def show(
    run: Shown | Lesson,
    *,
    steps: int | None = None,
    size: tuple[int, int] = _SIZE,
    watch: Callable[[float], object] = lambda share: None,
) -> Cell:
    """Show a run, its branches or a comparison in a cell of a notebook, as a page that one steps through both ways.

    Args:
        run: a Timeline, Branches, a Comparison; a saved session, as Opening; or a lesson.
        steps: the last step that is shown, to which a run is advanced that has not come so far; if not given the last
            one so far, 100 at most. A lesson has those of its moments.
        size: columns and rows of the screen.
        watch: told how much is done, 0 to 1, again and again; what it raises ends it.

    Raises:
        Refused: when it is too long or too large.
    """
    if isinstance(run, Lesson):
        return _lesson(run, size, watch)
    asked, so_far = steps, None
    if isinstance(run, Timeline | Branches | Comparison):
        runs = runs_of(run)
        so_far = max(each.last for each in runs)
        room = MOST // len(runs) - 1 if isinstance(run, Branches) else MOST - 1
        asked = min(so_far, USUAL, room) if steps is None else steps
    held = BytesIO()

    def written(content: Write) -> Iterator[float]:
        return content(held)

    def work(look: Callable[[], None]) -> Coroutine[Any, Any, int]:
        def told(share: float) -> None:
            look()
            watch(share)

        return paint_page(run, written, asked, size, told)

    last = _painted(work)
    words = f"steps 0 to {last:,}"
    if so_far is not None and so_far > last:
        words += f" of {so_far:,}; show(run, steps={min(so_far, MOST - 1)}) has more"
    return Cell(held.getvalue().decode(), size, words)


def _lesson(lesson: Lesson, size: tuple[int, int], watch: Callable[[float], object]) -> Cell:
    """Show a lesson, whose text takes a third of the frame."""

    def work(look: Callable[[], None]) -> Coroutine[Any, Any, bytes]:
        def told(share: float) -> None:
            look()
            watch(share)

        return paint_lesson(lesson, size, told)

    columns, rows = size
    words = f"{lesson.title} ({counted(len(lesson.moments), 'moment')})"
    return Cell(_painted(work).decode(), (columns + columns // 3, rows), words)


def html_of(run: Timeline[Any] | Branches | Comparison | Lesson) -> str | None:
    """Show what a cell ends with, as far as it has come; None where nothing has happened yet, or it cannot be shown."""
    if not isinstance(run, Lesson) and not all(len(each) for each in runs_of(run)):
        return None
    try:
        return show(run)._repr_html_()
    except Refused:
        return None


def svg_of(frame: Frame[Any], size: tuple[int, int] = _SIZE) -> str | None:
    """Draw a still of the screen at a frame's step; None for a frame that is of no run any more."""
    if frame.run is None:
        return None
    return _painted(lambda look: _still(frame.run, frame.t, size))


async def _still(run: Timeline[Any], t: int, size: tuple[int, int]) -> str:
    check_size(size)
    player = Player(run, at=t)
    player.stay_behind()
    app = IterscopeApp(ComparedRun("", run).opened, player)
    async with painted_by(app, size) as screen:
        assert isinstance(screen, StageScreen)
        _, light = screen.in_both_looks(partial(screen.paint_step, player.frame))
        return still(light, f"{screen.export_title}, step {t:,}")


def _painted(work: Callable[[Callable[[], None]], Coroutine[Any, Any, T]]) -> T:
    """Paint in a thread of its own, since a notebook's has a loop that goes on; interrupted, it ends there too."""
    stop = Event()

    def look() -> None:
        if stop.is_set():
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as pool:
        painting = pool.submit(lambda: asyncio.run(work(look)))
        try:
            return painting.result()
        except BaseException:
            stop.set()
            raise
