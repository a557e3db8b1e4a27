"""What is sent to the terminal when something on the screen has changed: the difference to what it shows.

Textual sends whole rows of a widget, each piece of one style with both colours and a reset. A widget that is an array
of cells is compared with what was sent last, cell by cell; its strips are made only when something else asks for them.
What is no such widget goes Textual's way, and so does all on a terminal whose colours Textual filters.
"""

from typing import Any

import numpy as np
from rich.console import COLOR_SYSTEMS, Console
from textual.screen import Screen
from textual.widget import Widget

from algorithms.core import Array
from tui.paint.cells import UNKNOWN, Cells, painting
from tui.terminal.inside import CompositorUpdate, display, laid_out, places_of_widgets, rendered, take_dirty


class CellWidget(Widget):
    """A widget that is an array of cells."""

    @property
    def cells(self) -> tuple[Array, Array] | None:
        """(rows, columns) glyphs and packed styles as they are shown; None before anything is."""
        raise NotImplementedError

    @property
    def filtered(self) -> bool:
        """Tell whether Textual shows its colours otherwise (NO_COLOR, ANSI)."""
        return any(type(f).__name__ != "ANSIToTruecolor" for f in self.get_line_filters())


class Sending:
    """Knows what the terminal shows, and sends what a screen shows otherwise."""

    def __init__(self) -> None:
        self._sent: Cells | None = None

    def send(self, screen: Screen[Any]) -> None:
        """Send what has changed on the screen in front."""
        display(screen, _Changes(self, screen))

    def changes(self, screen: Screen[Any], console: Console) -> str:
        """Write what has changed, which is sent then."""
        dirty = take_dirty(screen)
        if not dirty:
            return ""
        now = cells_of(screen)
        before, self._sent = self._sent, now
        if laid_out(screen) in dirty or (before is not None and before.glyphs.shape != now.glyphs.shape):
            before = None
        others = np.zeros(now.glyphs.shape, bool)
        for region in dirty:
            others[region.y : region.bottom, region.x : region.right] = True
        others &= now.glyphs == UNKNOWN
        text = rendered(screen, _spans(others), console) if others.any() else ""
        return text + painting(before, now, COLOR_SYSTEMS[console.color_system or "truecolor"])


class _Changes(CompositorUpdate):
    """Is asked by Textual for what to send, at the moment when it is sent."""

    def __init__(self, sending: Sending, screen: Screen[Any]):
        self._sending, self._screen = sending, screen

    def render_segments(self, console: Console) -> str:
        return self._sending.changes(self._screen, console)


def cells_of(screen: Screen[Any]) -> Cells:
    """Put the cells of a screen's widgets together, those behind first; `UNKNOWN` where Textual draws."""
    columns, rows = laid_out(screen).size
    glyphs, styles = np.full((rows, columns), UNKNOWN, np.uint32), np.full((rows, columns), -1, np.int64)
    for widget, region, seen in places_of_widgets(screen):
        part = np.s_[seen.y : seen.bottom, seen.x : seen.right]
        cells = widget.cells if isinstance(widget, CellWidget) and not widget.filtered else None
        if cells is None or cells[0].shape != (region.height, region.width):  # it is drawn anew in a moment
            glyphs[part], styles[part] = UNKNOWN, -1
        else:
            own = np.s_[seen.y - region.y : seen.bottom - region.y, seen.x - region.x : seen.right - region.x]
            glyphs[part], styles[part] = cells[0][own], cells[1][own]
    return Cells(glyphs, styles)


def _spans(marked: Array) -> list[tuple[int, int, int]]:
    """List (row, first column, column after the last) of marked cells beside each other."""
    edges = np.diff(np.pad(marked, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    (rows, first), (_, end) = np.nonzero(edges > 0), np.nonzero(edges < 0)
    return list(zip(rows.tolist(), first.tolist(), end.tolist()))
