"""The top line of several runs: what they share, and where the cursor is."""

from tui.paint.canvas import Canvas
from tui.widgets.header import paint_header
from tui.widgets.raster import RasterView


class TopLine(RasterView):
    """What the runs share, and where the cursor is."""

    DEFAULT_CSS = "TopLine { height: 1; }"

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self.brief = False  # whether title, data and the place are all there is
        self._line: tuple[tuple[str, str, str], tuple[str, ...], str, bool] | None = None

    def show(self, title: str, data: str, parameters: tuple[str, ...], state: str, playing: bool) -> None:
        self._line = ((title, "", data), parameters, state, playing)
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        canvas.fill(self.palette.background)
        if self._line is not None:
            named, parameters, state, playing = self._line
            if self.brief:
                parameters, state, playing = (), state.split("   ")[-1], False
            paint_header(canvas, named, parameters, state, playing, self.palette)
