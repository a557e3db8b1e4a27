"""The stage: the scene's main panel, with zoom, pan, and the row under the mouse."""

import numpy as np
from textual import events
from textual.message import Message

from algorithms import Dataset, Points
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.plot import Limits, Plot
from tui.sections.plots import paint_legend, paint_plot
from tui.viewer import Picture
from tui.widgets.raster import RasterView

_NEAR = 2.0  # cells from a row at which the mouse is on it


class Stage(RasterView):
    """Shows a picture's stage; posts what the mouse asks for."""

    class Zoomed(Message):
        """Another part of the panel is wanted."""

        def __init__(self, title: str, limits: Limits):
            super().__init__()
            self.title, self.limits = title, limits

    def __init__(self, data: Dataset, *, id: str | None = None):
        super().__init__(id=id)
        self._data = data
        self._picture: Picture | None = None
        self._notes: tuple[str, ...] = ()
        self._plot: Plot | None = None
        self._box = (0, 0)
        self._row: int | None = None  # under the mouse
        self._picked: int | None = None
        self._grab: tuple[int, int, Limits] | None = None

    @property
    def room(self) -> tuple[int, int]:
        """Columns and rows of the plot, near enough before the first painting."""
        if self._plot is not None:
            return self._plot.canvas.columns, self._plot.canvas.rows
        return max(self.size.width - 9, 2), max(self.size.height - 4, 2)

    @property
    def plot(self) -> Plot | None:
        return self._plot

    def show(self, picture: Picture, notes: tuple[str, ...], data: Dataset) -> None:
        """A picture, with notes for the frame's corner; those without room are left out, the last one first."""
        self._picture, self._notes = picture, notes
        if data is not self._data:
            self._data, self._row, self._picked = data, None, None
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        picture = self._picture
        if picture is None:
            canvas.fill(self.palette.panel)
            canvas.frame(self.palette.line)
            return
        flat = picture.stage
        note = self._note(flat.title, [flat.note, *self._notes], canvas.columns)
        inside = framed(canvas, flat.title, note, self.palette)
        limits = picture.limits[flat.title]
        self._plot = paint_plot(inside, flat, limits, self.palette)
        self._box = self._origin(inside)
        paint_legend(canvas, flat, self.palette, self._data)
        self._name_row(canvas)

    @staticmethod
    def _note(title: str, parts: list[str], columns: int) -> str:
        """As many clauses as there is room for; none is cut."""
        parts = [clause for part in parts if part for clause in part.split(", ")]
        while parts and sum(width_of(p) + 2 for p in parts) > columns - width_of(title) - 10:
            parts.pop()
        return ", ".join(parts)

    def _origin(self, inside: Canvas) -> tuple[int, int]:
        """Where the plot's first cell lies in the widget; parts share memory, so the offset tells."""
        assert self._plot is not None
        whole, plot = inside.glyphs, self._plot.canvas.glyphs
        if not plot.size or not whole.size:
            return 1, 1
        apart = (plot.__array_interface__["data"][0] - whole.__array_interface__["data"][0]) // whole.itemsize
        stride = whole.strides[0] // whole.itemsize
        return 1 + apart % stride, 1 + apart // stride

    # The row under the mouse

    def _name_row(self, canvas: Canvas) -> None:
        shown = self._row if self._row is not None else self._picked
        points = self._points()
        if shown is None or points is None or self._plot is None or shown >= len(points.at):
            return
        column, row, inside = self._plot.cells(points.at[shown : shown + 1])
        if not inside[0]:
            return
        left, top = self._box
        data, palette = self._data, self.palette
        label = f" row {shown}: {data.row(shown, most=4)}"
        if data.y is not None:
            value = data.classes[int(data.y[shown])] if data.kind == "class" else f"{data.y[shown]:.4g}"
            label += f", {data.target} {value}"
        label = fitted(label + " ", canvas.columns - 4)
        at_row = top + int(row[0]) - 1 if row[0] > 0 else top + 1
        at = min(max(left + int(column[0]) - 2, 2), canvas.columns - 2 - width_of(label))
        canvas.text(at, at_row, label, palette.on_held, palette.held)
        cell = left + int(column[0]), top + int(row[0])
        canvas.ground[cell[1], cell[0]] = palette.ink
        canvas.ink[cell[1], cell[0]] = palette.background

    def _points(self) -> Points | None:
        if self._picture is None:
            return None
        return next((m for m in self._picture.stage.marks if isinstance(m, Points) and m.rows), None)

    def _row_at(self, x: int, y: int) -> int | None:
        points = self._points()
        if points is None or self._plot is None or not len(points.at):
            return None
        column, row, inside = self._plot.cells(points.at)
        apart = np.hypot(column - (x - self._box[0]), 2.0 * (row - (y - self._box[1])))
        apart[~inside] = np.inf
        nearest = int(apart.argmin())
        return nearest if apart[nearest] <= _NEAR else None

    # The mouse

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._grab is not None and self._plot is not None and self._picture is not None:
            x, y, limits = self._grab
            columns, rows = max(self._plot.canvas.columns, 1), max(self._plot.canvas.rows, 1)
            moved = limits.moved((x - event.x) / columns, (event.y - y) / rows)
            self.post_message(self.Zoomed(self._picture.stage.title, moved))
            return
        row = self._row_at(event.x, event.y)
        if row != self._row:
            self._row = row
            self.redraw()

    def on_leave(self) -> None:
        if self._row is not None:
            self._row = None
            self.redraw()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if self._plot is not None:
            self._grab = event.x, event.y, self._plot.limits
            self.capture_mouse()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self.release_mouse()
        if self._grab is not None and self._grab[:2] == (event.x, event.y):
            row = self._row_at(event.x, event.y)
            self._picked = None if row == self._picked else row
            self.redraw()
        self._grab = None

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._zoom_at(event, 0.8)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._zoom_at(event, 1.25)

    def _zoom_at(self, event: events.MouseEvent, factor: float) -> None:
        if self._plot is None or self._picture is None:
            return
        event.stop()
        across = (event.x - self._box[0] + 0.5) / max(self._plot.canvas.columns, 1)
        up = 1 - (event.y - self._box[1] + 0.5) / max(self._plot.canvas.rows, 1)
        limits = self._plot.limits.zoomed(factor, min(max(across, 0.0), 1.0), min(max(up, 0.0), 1.0))
        self.post_message(self.Zoomed(self._picture.stage.title, limits))
