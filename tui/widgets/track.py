"""The timeline: where the cursor is in the run, with a mark where each iteration begins."""

import numpy as np
from textual import events
from textual.message import Message

from tui.paint.canvas import Canvas, width_of
from tui.player import Player
from tui.widgets.raster import RasterView


class Track(RasterView):
    """Click to go to a step, drag to move along the run."""

    DEFAULT_CSS = "Track { height: 2; }"

    class Sought(Message):
        """A step was asked for with the mouse."""

        def __init__(self, t: int):
            super().__init__()
            self.t = t

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._player: Player | None = None
        self._dragging = False

    def show(self, player: Player) -> None:
        self._player = player
        self.redraw()

    @property
    def _span(self) -> tuple[int, int]:
        """The first column of the track and how many it has."""
        return 2, max(self.size.width - 4, 1)

    @property
    def _end(self) -> int:
        assert self._player is not None
        return self._player.range

    def _column(self, t: int) -> int:
        left, columns = self._span
        return left + round(t / self._end * (columns - 1))

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        if self._player is None or canvas.columns < 8:
            return
        run, t = self._player.timeline, self._player.t
        left, columns = self._span
        here, known = self._column(t), self._column(min(run.last, self._end))
        canvas.text(left, 0, "┈" * columns, palette.faint)
        canvas.text(left, 0, "─" * (known - left + 1), palette.dim)
        canvas.text(left, 0, "━" * (here - left + 1), palette.accent)
        self._paint_iterations(canvas, here)
        if run.last > self._end:
            canvas.text(left + columns - 1, 0, "▸", palette.dim)
        canvas.text(here, 0, "●", palette.accent, bold=True)

    def _paint_iterations(self, canvas: Canvas, here: int) -> None:
        """A mark in every column in which an iteration begins, and the numbers of as many as have room."""
        assert self._player is not None
        palette, run = self.palette, self._player.timeline
        starts = run.iteration_starts()
        left, columns = self._span
        free = 0
        for column in range(left, left + columns):
            t0 = (column - left - 0.5) * self._end / max(columns - 1, 1)
            t1 = (column - left + 0.5) * self._end / max(columns - 1, 1)
            i = int(np.searchsorted(starts, t0))
            if i >= np.searchsorted(starts, t1):
                continue
            canvas.text(column, 0, "┳" if column <= here else "┬", palette.accent if column <= here else palette.dim)
            text = f"{run.iteration_number(i):,}"
            start = min(max(column - width_of(text) // 2, 0), canvas.columns - width_of(text))
            if start >= free:
                canvas.text(start, 1, text, palette.dim)
                free = start + width_of(text) + 3

    def _seek(self, x: int) -> None:
        if self._player is not None:
            left, columns = self._span
            share = min(max((x - left) / max(columns - 1, 1), 0.0), 1.0)
            self.post_message(self.Sought(min(round(share * self._end), self._player.timeline.last)))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._dragging = True
        self.capture_mouse()
        self._seek(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging:
            self._seek(event.x)

    def on_mouse_up(self, _event: events.MouseUp) -> None:
        self._dragging = False
        self.release_mouse()
