"""What the mouse does on charts: the wheel zooms, dragging pans, hovering reads, a click goes there."""

from collections.abc import Sequence

from msgspec import Struct
from textual import events
from textual.message import Message

from tui.paint.charts import Chart
from tui.paint.x_axis import XAxis
from tui.sections.charts.zooms import Zooms
from tui.widgets.raster import RasterView

_NEARER, _FARTHER = 0.8, 1.25


class DrawnChart(Struct, frozen=True, eq=False):
    """A chart as it lies in a widget.

    Attributes:
        key: its name with what it is along.
        left: its first column inside the frame.
        rows: the rows of the widget that it has.
    """

    key: str
    left: int
    rows: range
    chart: Chart

    def holds(self, x: int, y: int) -> bool:
        """Tell whether a cell lies in the columns of its plot."""
        return self.chart.left <= x - self.left < self.chart.left + self.chart.columns and y in self.rows


class ChartMouse(RasterView):
    """Follows the mouse over charts.

    Attributes:
        zooms: which parts of the charts were chosen by hand.
    """

    class Zoomed(Message):
        """Another part of a chart is seen."""

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self.zooms = Zooms()
        self._drawn: Sequence[DrawnChart] = []
        self._pointer: tuple[int, int] | None = None  # where the mouse is
        self._grab: tuple[int, DrawnChart, XAxis] | None = None  # where a chart was pressed, and what was seen of it
        self._pressed: int | None = None  # the column where a chart was pressed
        self._dragged = False  # so that the click that ends it goes nowhere

    def show_whole(self) -> None:
        """Show the whole of every chart again."""
        self.zooms.forget()
        self.redraw()

    def under(self, event: events.MouseEvent) -> DrawnChart | None:
        """Find the chart under the mouse."""
        return next((drawn for drawn in self._drawn if drawn.holds(event.x, event.y)), None)

    def _on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.turn(event, _NEARER)

    def _on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.turn(event, _FARTHER)

    def turn(self, event: events.MouseEvent, factor: float) -> None:
        """Zoom the chart under the wheel about the pointer."""
        drawn = self.under(event)
        if drawn is None:
            return
        event.stop()
        share = (event.x - drawn.left - drawn.chart.left) / max(drawn.chart.columns - 1, 1)
        if self.zooms.zoom(drawn.key, factor, share):
            self._see_another_part()

    def _see_another_part(self) -> None:
        self.redraw()
        self.post_message(self.Zoomed())

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._dragged = False
        drawn = self.under(event)
        self._pressed = None if drawn is None else event.x
        seen = None if drawn is None else self.zooms.seen(drawn.key)
        if drawn is not None and seen is not None:
            self._grab = event.x, drawn, seen
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._grab is not None:
            self._drag_to(event.x)
            return
        pointer = None if self.under(event) is None else (event.x, event.y)
        if pointer != self._pointer:
            self._pointer = pointer
            self.redraw()

    def _drag_to(self, x: int) -> None:
        assert self._grab is not None
        since, drawn, seen = self._grab
        if x == since and not self._dragged:
            return
        self._dragged = True
        if self.zooms.pan(drawn.key, seen, (since - x) / max(drawn.chart.columns - 1, 1)):
            self._see_another_part()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self._dragged = self._dragged or self._pressed not in (None, event.x)
        if self._grab is not None:
            self._grab = None
            self.release_mouse()

    def on_leave(self) -> None:
        if self._pointer is not None:
            self._pointer = None
            self.redraw()
