"""RasterView: a widget that is a canvas."""

import numpy as np
from msgspec.structs import replace
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from algorithms.core import Array
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK, LIGHT, Palette, untinted
from tui.paint.strips import strips_of
from tui.terminal.containment import Contained, blank_where_it_fails
from tui.terminal.sending import CellWidget

_LOOKS = {  # by whether it is dark, and whether it is for a page
    (look is DARK, on_page): replace(look, keys=not on_page) for look in (DARK, LIGHT) for on_page in (False, True)
}


class RasterView(CellWidget):
    """Subclasses paint themselves in `paint(canvas)`; `redraw` does it again.

    It has neither border, padding nor opacity: the frame is drawn in the raster (CSS borders cost more
    than everything else on the screen).
    """

    DEFAULT_CSS = "RasterView { width: 1fr; height: 1fr; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None):
        super().__init__(id=id, classes=classes)
        self._strips: list[Strip | None] = []  # of the rows; None where it is to be made
        self._shown: tuple[Array, Array] | None = None
        self._palette: Palette | None = None  # while it is painted: each look at the theme takes its time

    @property
    def palette(self) -> Palette:
        if self._palette is not None:
            return self._palette
        on_page = isinstance(self.app, Contained) and self.app.on_page
        palette = _LOOKS[self.app.current_theme.dark, on_page]
        own = getattr(self.screen, "keys_in_place", ()) if self.is_attached else ()  # without a screen it has none
        if own:
            palette = replace(palette, own_keys=own)
        return palette if self.app.console.color_system == "truecolor" else untinted(palette)

    def paint(self, canvas: Canvas) -> None:
        """Paint the whole canvas, which is as large as the widget."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Paint again."""
        if isinstance(self.app, Contained) and self.app.input_queue.puts_off_drawing(self, self.redraw):
            return
        width, height = self.size
        palette = self.palette
        canvas = Canvas(width, height, palette.background, palette.ink)
        if width and height:
            self._palette = palette
            try:
                self.paint(canvas)
            finally:
                self._palette = None
        glyphs, styles = canvas.cells()
        before, self._shown = self._shown, (glyphs, styles)
        if before is None or before[0].shape != glyphs.shape:
            self._strips = [None] * height
            self.refresh()
            return
        changed = np.flatnonzero(((glyphs != before[0]) | (styles != before[1])).any(axis=1))
        if not len(changed):
            return
        for row in changed.tolist():
            self._strips[row] = None
        runs = np.split(changed, np.flatnonzero(np.diff(changed) > 1) + 1)
        self.refresh(*[Region(0, int(run[0]), width, len(run)) for run in runs])

    @property
    def cells(self) -> tuple[Array, Array] | None:
        return self._shown

    @property
    def strips(self) -> list[Strip]:
        """Make strips of the rows that changed since they were last asked for."""
        new = [row for row, strip in enumerate(self._strips) if strip is None]
        if new and self._shown is not None:
            glyphs, styles = self._shown
            for row, strip in zip(new, strips_of(glyphs[new], styles[new])):
                self._strips[row] = strip
        return [strip for strip in self._strips if strip is not None]

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _theme: self.redraw())

    def on_resize(self) -> None:
        width, height = self.size
        if self._shown is None or self._shown[0].shape != (height, width):  # else it was painted for this very size
            self.redraw()

    def render_line(self, y: int) -> Strip:
        # A blank has a style, though an empty one: Textual's filters look into it.
        if y >= len(self._strips):
            return Strip.blank(self.size.width, Style())
        return self._strips[y] or self.strips[y]

    @blank_where_it_fails
    def render_lines(self, crop: Region) -> list[Strip]:
        """Render the strips as they are; Textual's own way where it has to filter their colours (NO_COLOR, ANSI)."""
        if self.filtered:
            return super().render_lines(crop)
        width = self.size.width
        strips = [self.render_line(y) for y in range(crop.y, crop.bottom)]
        self._dirty_regions.clear()
        if crop.x or crop.width != width:
            return [strip.crop(crop.x, crop.right) for strip in strips]
        return strips
