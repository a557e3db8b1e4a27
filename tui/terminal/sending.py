"""What is sent to the terminal when something on the screen has changed: the difference to what it shows.

Textual sends whole rows of a widget, each piece of one style with both colours and a reset, and all of a screen that
comes to the front, several times. A widget that is an array of cells is compared with what was sent last, cell by
cell; its strips are made only when something else asks for them. What is no such widget is drawn by Textual, made cells
of and compared likewise. What no cell of ours can be, a link or an underlined word, goes Textual's way, and so does all
on a terminal whose colours Textual filters.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from rich.cells import cell_len
from rich.color import Color, ColorType
from rich.console import COLOR_SYSTEMS, Console
from rich.style import Style
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from algorithms.core import Array
from tui.paint.canvas import cells_of as codes_of
from tui.paint.cells import UNKNOWN, Cells, painting
from tui.terminal.inside import CompositorUpdate, DrawnRows, display, laid_out, places_of_widgets, take_dirty

Packing = Callable[[Style | None], int | None]

_NO_CELL = ("dim", "italic", "underline", "underline2", "overline", "blink", "blink2", "reverse", "conceal", "strike")


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
        before, self._sent = self._sent, None  # until it is known what was sent
        if before is not None and before.glyphs.shape != now.glyphs.shape:
            before = None
        drawn = now.glyphs == UNKNOWN  # by Textual
        anew = drawn & _within(dirty, now.glyphs.shape) if before is not None else drawn
        if before is not None:
            now.put(drawn & ~anew, before)
        text = self._drawn(screen, now, anew, console) if anew.any() else ""
        text += painting(before, now, COLOR_SYSTEMS[console.color_system or "truecolor"])
        self._sent = now
        return text

    def forget(self) -> None:
        """Send all the next time, whatever was sent: something else has written on the terminal, or cleared it."""
        self._sent = None

    def _drawn(self, screen: Screen[Any], now: Cells, anew: Array, console: Console) -> str:
        """Have Textual draw what is marked, and make cells of it; what cannot be a cell is written at once."""
        rows = DrawnRows(screen, np.flatnonzero(anew.any(axis=1)).tolist())
        now.put(anew, from_strips(rows, now, as_sent))
        left = anew & (now.glyphs == UNKNOWN)
        return rows.written(_spans(left), console) if left.any() else ""


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


def from_strips(rows: Iterable[tuple[int, list[tuple[int, Strip]]]], like: Cells, packed: Packing) -> Cells:
    """Make cells of what Textual has drawn of some rows of a screen; `UNKNOWN` elsewhere.

    Args:
        like: the cells of the whole screen.
        packed: makes a style that of a cell, None where it cannot be one.
    """
    glyphs, styles = np.full(like.glyphs.shape, UNKNOWN, np.uint32), np.full(like.styles.shape, -1, np.int64)
    columns = like.glyphs.shape[1]
    for row, pieces in rows:
        for column, strip in pieces:
            for text, style, _ in strip:
                codes, end = codes_of(text), column + cell_len(text)
                key = packed(style) if len(codes) == end - column else None
                if key is not None:
                    glyphs[row, column:end], styles[row, column:end] = codes[: columns - column], key
                column = end
    return Cells(glyphs, styles)


@lru_cache(8192)
def as_sent(style: Style | None) -> int | None:
    """Pack a style that is two colours and perhaps bold; None where it is more, or less."""
    if style is None or style.link or any(getattr(style, name) for name in _NO_CELL):
        return None
    ink, ground = _colour(style.color), _colour(style.bgcolor)
    return None if ink is None or ground is None else bool(style.bold) << 48 | ink << 24 | ground


def _colour(colour: Color | None) -> int | None:
    if colour is None or colour.type is not ColorType.TRUECOLOR or colour.triplet is None:
        return None
    return int(colour.triplet.red << 16 | colour.triplet.green << 8 | colour.triplet.blue)


def _within(regions: Iterable[Region], shape: tuple[int, ...]) -> Array:
    """Mark the cells of regions."""
    marked = np.zeros(shape, bool)
    for region in regions:
        marked[max(region.y, 0) : max(region.bottom, 0), max(region.x, 0) : max(region.right, 0)] = True
    return marked


def _spans(marked: Array) -> list[tuple[int, int, int]]:
    """List (row, first column, column after the last) of marked cells beside each other."""
    edges = np.diff(np.pad(marked, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    (rows, first), (_, end) = np.nonzero(edges > 0), np.nonzero(edges < 0)
    return list(zip(rows.tolist(), first.tolist(), end.tolist()))
