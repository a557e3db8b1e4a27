"""The stage: the scene's main panel, with zoom, pan, and the row under the mouse."""

import numpy as np
from msgspec import Struct
from textual import events
from textual.message import Message

from algorithms.core import Array, Dataset, DragHandles, Points
from algorithms.core.resolve import ResolvedPanel
from algorithms.playback.pictures.limits import Limits
from algorithms.playback.pictures.viewer import Picture
from tui.paint.axes import framed
from tui.paint.canvas import Canvas, width_of
from tui.paint.plot import Plot
from tui.sections.panels.plots import corner_of, legend_rows, paint_legend, paint_plot, words_of
from tui.sections.panels.row_tooltip import paint_row_tooltip
from tui.widgets.describes_rows import DescribesRows

_NEAR = 2.0  # cells from a row at which the mouse is on it
_GRIP, _CURSOR, _CARRIED = "◈", "┼", "◎"
_RIGHT = 3  # button of a mouse


class Pencil(Struct, frozen=True):
    """What is shown of an edit that is being made.

    Attributes:
        at: where the cursor is on the plane.
        carried: from where something is being carried to it, None while nothing is.
        text: what is there, or what is being done.
    """

    at: tuple[float, float]
    carried: tuple[float, float] | None = None
    text: str = ""


class Stage(DescribesRows):
    """Shows a picture's stage; posts what the mouse asks for.

    Attributes:
        pencil: shown while the data are edited; then the mouse posts `Pointed`, and names no row by itself.
        names_only: whether of a row no more is said than what it is: nothing that the algorithm says of it.
    """

    class Zoomed(Message):
        """Another part of the panel is wanted."""

        def __init__(self, title: str, limits: Limits):
            super().__init__()
            self.title, self.limits = title, limits

    class Replotted(Message):
        """The plot has other room than before: what lies on a grid of its cells is to be made anew."""

    class Pointed(Message):
        """While the data are edited: the mouse has come to a place, or does something there.

        `does` is "move", "grab" (pressed on a row or a grip), "drop" (released after it), "put" (a click where
        nothing is) or "remove" (a right click).
        """

        def __init__(self, does: str, at: tuple[float, float], still: bool = False):
            super().__init__()
            self.does, self.at = does, at
            self.still = still  # since it was pressed

    class Picked(Message):
        """A row was clicked, or let go by a second click."""

        def __init__(self, row: int | None):
            super().__init__()
            self.row = row

    def __init__(self, data: Dataset, *, id: str | None = None):
        super().__init__(data, id=id)
        self._notes: tuple[str, ...] = ()
        self._plot: Plot | None = None
        self._was_room = (0, 0)
        self._box = (0, 0)
        self._row: int | None = None  # under the mouse
        self._picked: int | None = None
        self._legend: tuple[tuple[str, int, int], int] | None = None  # of which panel, and how many rows it has
        self._grab: tuple[int, int, Limits] | None = None
        self._carries: tuple[int, int] | None = None  # where a row or grip was grabbed
        self.pencil: Pencil | None = None
        self.names_only = False

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
        """Show a picture, with notes for the frame's corner; those without room are left out, the last one first."""
        before, notes_before = self._picture, self._notes
        self._picture, self._notes = picture, notes
        if data is not self._data:
            self._data, self._row, self._picked = data, None, None
        elif before is not None and (picture.stage, picture.limits, notes) == (
            before.stage,
            before.limits,
            notes_before,
        ):
            return  # the curves beside it are longer
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        picture = self._picture
        if picture is None:
            canvas.fill(self.palette.panel)
            canvas.frame(self.palette.line)
            return
        flat = picture.stage
        title, note = words_of(flat, self.palette)
        note = corner_of(self._notes, note, canvas.columns - width_of(title) - 10)
        rows = self._legend_rows(flat, canvas)
        while True:
            whole = framed(canvas, title, note, self.palette)
            inside = whole.part(0, 0, whole.columns, whole.rows - rows + 1)
            self._plot = paint_plot(inside, flat, picture.limits[flat.title], self.palette)
            needed = self._legend_rows(flat, canvas, self._plot)
            if needed <= rows:
                break
            rows = needed  # names without room on the plot take a second row of the legend, from now on
        if self.room != self._was_room:
            self._was_room = self.room
            self.post_message(self.Replotted())
        self._box = self._origin(inside)
        paint_legend(canvas, flat, self.palette, self._data, self._plot, rows)
        if self.pencil is None:
            self._name_rows(canvas)
        else:
            self._show_pencil(canvas, self.pencil)

    def looks_of(self, picture: Picture) -> bytes:
        """Give what the plot of a picture would be, cell by cell, to be told from another's."""
        canvas = Canvas(*self.room, self.palette.panel, self.palette.ink)
        paint_plot(canvas, picture.stage, picture.limits[picture.stage.title], self.palette)
        return b"".join(cells.tobytes() for cells in (canvas.glyphs, canvas.dots, canvas.ink, canvas.ground))

    def _legend_rows(self, flat: ResolvedPanel, canvas: Canvas, plot: Plot | None = None) -> int:
        """Count the rows of the legend: once there were two, there are, so that the plot does not jump."""
        key = (flat.title, canvas.columns, canvas.rows)
        rows = legend_rows(flat, self._data, canvas.columns, canvas.rows, plot)
        if self._legend is None or self._legend[0] != key or self._legend[1] < rows:
            self._legend = key, rows
        return self._legend[1]

    def _origin(self, inside: Canvas) -> tuple[int, int]:
        """Find where the plot's first cell lies in the widget; parts share memory, so the offset tells."""
        assert self._plot is not None
        whole, plot = inside.glyphs, self._plot.canvas.glyphs
        if not plot.size or not whole.size:
            return 1, 1
        apart = (plot.__array_interface__["data"][0] - whole.__array_interface__["data"][0]) // whole.itemsize
        stride = whole.strides[0] // whole.itemsize
        return 1 + apart % stride, 1 + apart // stride

    # The rows under the mouse

    def _name_rows(self, canvas: Canvas) -> None:
        """Say what there is to say of the rows in the cell under the mouse, or in that which was clicked."""
        shown = self._row if self._row is not None else self._picked
        points = self._points()
        if shown is None or points is None or self._plot is None or shown >= len(points.at):
            return
        column, row, inside = self._plot.cells(points.at)
        if not inside[shown]:
            return
        there = np.flatnonzero(inside & (column == column[shown]) & (row == row[shown])).tolist()
        x, y = self._box[0] + int(column[shown]), self._box[1] + int(row[shown])
        lines = self.lines_of(there, canvas.rows)
        said = lines[:1] if self.names_only else lines
        paint_row_tooltip(canvas, said, (x, y), self.palette, self._box[0])
        self._invert(canvas, x, y)

    def _invert(self, canvas: Canvas, x: int, y: int) -> None:
        canvas.ground[y, x], canvas.ink[y, x] = self.palette.ink, self.palette.background

    def _points(self) -> Points | None:
        if self._picture is None:
            return None
        return next((m for m in self._picture.stage.marks if isinstance(m, Points) and m.rows), None)

    def _row_at(self, x: int, y: int) -> int | None:
        points = self._points()
        return None if points is None else self._nearest(points.at, x, y)

    def _nearest(self, places: Array, x: int, y: int) -> int | None:
        """Find which of some (m, 2) places is near a cell of the widget, None if none is."""
        if self._plot is None or not len(places):
            return None
        column, row, inside = self._plot.cells(places)
        apart = np.hypot(column - (x - self._box[0]), 2.0 * (row - (y - self._box[1])))
        apart[~inside] = np.inf
        nearest = int(apart.argmin())
        return nearest if apart[nearest] <= _NEAR else None

    # While the data are edited

    @property
    def has_places(self) -> bool:
        """Tell whether there are axes on which something can be placed."""
        plot = self._plot
        return plot is not None and plot.canvas.columns > 0 and self._picture is not None

    @property
    def middle(self) -> tuple[float, float]:
        """Get the place in the middle of what is shown."""
        assert self._plot is not None
        view = self._plot.limits
        return (view.left + view.right) / 2, (view.bottom + view.top) / 2

    def write(self, pencil: Pencil | None) -> None:
        """Show an edit that is being made, or none: then the mouse looks and pans again."""
        if pencil != self.pencil:
            self.pencil, self._row, self._carries = pencil, None, self._carries if pencil else None
            self.redraw()

    @property
    def picked(self) -> int | None:
        """Get the row that was clicked."""
        return self._picked

    def pick(self, row: int | None) -> None:
        self._picked = row
        self.redraw()

    def row_near(self, at: tuple[float, float]) -> int | None:
        """Find the row that is shown near a place of the plane."""
        return self._row_at(*self._cell(at))

    @property
    def handle_places(self) -> list[tuple[float, float]]:
        """Get the places that can be dragged, as they are on the plane."""
        return [(float(x), float(y)) for grips in self._grips() for x, y in grips.at]

    def grip_near(self, at: tuple[float, float]) -> tuple[DragHandles, int] | None:
        """Find what can be dragged near a place of the plane: the mark, and which of its places."""
        for grips in self._grips():
            i = self._nearest(grips.at, *self._cell(at))
            if i is not None:
                return grips, i
        return None

    def moved_by(self, at: tuple[float, float], columns: int, rows: int) -> tuple[float, float]:
        """Find the place so many cells to the right of another and down, kept within what is shown."""
        assert self._plot is not None
        x, y = self._cell(at)
        return self._place(x + columns, y + rows)

    def _cell(self, at: tuple[float, float]) -> tuple[int, int]:
        assert self._plot is not None
        column, row, _ = self._plot.cells(np.array([at]))
        return self._box[0] + int(column[0]), self._box[1] + int(row[0])

    def _place(self, x: int, y: int) -> tuple[float, float]:
        assert self._plot is not None
        columns, rows = self._plot.canvas.columns, self._plot.canvas.rows
        column, row = min(max(x - self._box[0], 0), columns - 1), min(max(y - self._box[1], 0), rows - 1)
        return self._plot.place(column, row)

    def _grips(self) -> list[DragHandles]:
        return [] if self._picture is None else [m for m in self._picture.stage.marks if isinstance(m, DragHandles)]

    def _show_pencil(self, canvas: Canvas, pencil: Pencil) -> None:
        """Paint the places that can be dragged, the cursor, and the way of what is carried."""
        plot, palette = self._plot, self.palette
        if plot is None or not plot.canvas.columns:
            return
        taken: list[tuple[int, int]] = []
        for grips in self._grips():
            for column, row, inside in zip(*plot.cells(grips.at)):
                if inside:
                    plot.canvas.text(int(column), int(row), _GRIP, palette.accent, bold=True)
                    taken.append((self._box[0] + int(column), self._box[1] + int(row)))
        x, y = self._cell(pencil.at)
        row, points = self.row_near(pencil.at), self._points()
        if pencil.carried is not None:
            plot.segments(np.array([pencil.carried]), np.array([pencil.at]), palette.accent)
            canvas.text(x, y, _CARRIED, palette.on_held, palette.held, bold=True)
        elif row is not None and points is not None and self.grip_near(pencil.at) is None:
            taken.append(cell := self._cell((float(points.at[row, 0]), float(points.at[row, 1]))))
            self._invert(canvas, *cell)
        if pencil.carried is None and (x, y) not in taken:
            canvas.text(x, y, _CURSOR, palette.on_held, palette.held, bold=True)
        elif pencil.carried is None:
            canvas.ground[y, x], canvas.ink[y, x] = palette.held, palette.on_held
        if pencil.text:
            paint_row_tooltip(canvas, [pencil.text], (x, y), palette, self._box[0])

    # The mouse

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._points_only(event, "move") and self._grab is None:
            return
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

    def _points_only(self, event: events.MouseEvent, does: str, still: bool = False) -> bool:
        """While the data are edited, post what the mouse does; whether they are."""
        if self.pencil is None or self._plot is None or not self._plot.canvas.columns:
            return False
        self.post_message(self.Pointed(does, self._place(event.x, event.y), still))
        return True

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if self.pencil is not None and self._plot is not None:
            place = self._place(event.x, event.y)
            if event.button == _RIGHT:
                self._points_only(event, "remove")
                return
            if self.row_near(place) is not None or self.grip_near(place) is not None:
                self._carries = event.x, event.y
                self._points_only(event, "grab")
                self.capture_mouse()
                return
        if self._plot is not None:
            self._grab = event.x, event.y, self._plot.limits
            self.capture_mouse()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self.release_mouse()
        if self._carries is not None:
            self._points_only(event, "drop", still=self._carries == (event.x, event.y))
            self._carries = None
        elif self._grab is not None and self._grab[:2] == (event.x, event.y) and not self._points_only(event, "put"):
            row = self._row_at(event.x, event.y)
            self._picked = None if row == self._picked else row
            self.post_message(self.Picked(self._picked))
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
