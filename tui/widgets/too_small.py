"""What is shown in place of everything when there is no room for it."""

from tui.paint.canvas import Canvas
from tui.widgets.raster import RasterView

LEAST = (80, 24)  # columns and rows


class TooSmall(RasterView):
    """Says which size is needed."""

    def paint(self, canvas: Canvas) -> None:
        palette = self.palette
        canvas.fill(palette.background)
        width, height = LEAST
        lines = (
            f"iterscope needs {width}x{height}",
            f"this is {self.app.size.width}x{self.app.size.height}",
            "q quits, ? helps",
        )
        if canvas.columns < len(lines[0]):
            lines = (f"need {width}x{height}", f"is {self.app.size.width}x{self.app.size.height}", "q quits")
        for i, line in enumerate(lines):
            canvas.text(max((canvas.columns - len(line)) // 2, 0), canvas.rows // 2 - 1 + i, line, palette.ink)
