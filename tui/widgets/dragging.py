"""What is moved along with the mouse: pressed at a place, and dragged from there."""

from textual import events

from tui.widgets.raster import RasterView


class Dragged(RasterView):
    """Subclasses go to a column in `seek`, and may press in a way of their own with `grab`."""

    _dragging = False

    def seek(self, x: int) -> None:
        """Go to a column."""
        raise NotImplementedError

    def grab(self, x: int) -> None:
        """Go to a column, and along with the mouse until it is released."""
        self._dragging = True
        self.capture_mouse()
        self.seek(x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging:
            self.seek(event.x)

    def on_mouse_up(self, _event: events.MouseUp) -> None:
        self._dragging = False
        self.release_mouse()
