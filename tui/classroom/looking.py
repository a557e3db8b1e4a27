"""The screen in front as others are to see it: all of its cells, those too that Textual draws, a field or a list."""

from asyncio import TimerHandle, get_running_loop
from collections.abc import Callable
from time import monotonic
from typing import Any
from weakref import ref

import numpy as np
from rich.color import Color
from rich.style import Style
from textual.screen import Screen

from tui.export.cells import rgb
from tui.paint.canvas import SPACE
from tui.paint.cells import UNKNOWN, Cells
from tui.paint.palette import DARK, LIGHT
from tui.screens.compare import CompareScreen
from tui.screens.stage import StageScreen
from tui.terminal.containment import Contained
from tui.terminal.inside import DrawnRows, is_leaving, laid_out
from tui.terminal.sending import cells_of, from_strips

_EACH = 0.04  # seconds between two looks at a screen that is painted all the time


class Onlooker:
    """Looks at the screen in front after it was painted, and hands on what it shows.

    Args:
        show: is given the cells, and what tells one step on the screen from another.
    """

    def __init__(self, app: Contained[Any], show: Callable[[Cells, str], object]):
        self._app, self._show = app, show
        self._waits: TimerHandle | None = None
        self._front: ref[Screen[Any]] | None = None
        self._fronts = 0  # how often another screen came to the front
        self._last = -_EACH
        app.painted = self.painted

    def painted(self) -> None:
        """Look soon; one look sees all that is painted until then."""
        if self._waits is None:
            self._waits = get_running_loop().call_later(max(0.0, self._last + _EACH - monotonic()), self._look)

    def _look(self) -> None:
        self._waits, self._last = None, monotonic()
        if is_leaving(self._app) or not self._app.screen_stack:
            return
        try:
            screen = self._app.screen
            if self._front is None or self._front() is not screen:
                self._front, self._fronts = ref(screen), self._fronts + 1
            if laid_out(screen):  # else it has no cells yet
                self._show(whole(screen), f"{self._fronts} {step_of(screen)}")
        except Exception as error:  # as of a painter: told of, and nobody is in its way
            self._app._handle_exception(error)


def whole(screen: Screen[Any]) -> Cells:
    """Get what every cell of a screen shows."""
    cells = cells_of(screen)
    unknown = cells.glyphs == UNKNOWN
    rows = np.flatnonzero(unknown.any(axis=1)).tolist()
    if rows:
        palette = DARK if screen.app.current_theme.dark else LIGHT
        plain = palette.ink << 24 | palette.background
        cells.put(unknown, from_strips(DrawnRows(screen, rows), cells, lambda style: _packed(style, plain)))
        missing = cells.glyphs == UNKNOWN
        cells.glyphs[missing], cells.styles[missing] = SPACE, plain
    return cells


def _packed(style: Style | None, plain: int) -> int:
    """Pack a style as those of our own cells are; what has no colour has the look's."""
    if style is None:
        return plain
    ink, ground = _colour(style.color, plain >> 24), _colour(style.bgcolor, plain & 0xFFFFFF)
    if style.reverse:
        ink, ground = ground, ink
    if style.dim:
        ink = sum((a + b) // 2 << by for a, b, by in zip(rgb(ink), rgb(ground), (16, 8, 0)))
    return bool(style.bold) << 48 | ink << 24 | ground


def _colour(colour: Color | None, plain: int) -> int:
    if colour is None or colour.is_default:
        return plain
    red, green, blue = colour.get_truecolor()
    return red << 16 | green << 8 | blue


def step_of(screen: Screen[Any]) -> int:
    """Get the step that a screen shows, by which one goes back; 0 where it shows none."""
    match screen:
        case StageScreen(picture=picture):
            return picture.frame.t if picture is not None else 0
        case CompareScreen():
            return screen.extent[0]
    return 0
