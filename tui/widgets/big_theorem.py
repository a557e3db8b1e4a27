"""One theorem for the last row of a hall: its sides in large digits, the relation between them as large."""

from algorithms.playback.theorem_page import TheoremPage
from tui.paint.canvas import Canvas
from tui.sections.big_sides import BigSides, paint_statement
from tui.widgets.raster import RasterView


class BigTheorem(RasterView):
    """Shows the theorem in hand; where it is silent what it said last, or why."""

    DEFAULT_CSS = "BigTheorem { height: 6; }"

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._page: TheoremPage | None = None
        self._tones: tuple[int, ...] = ()
        self._sides: BigSides | None = None

    def show(self, page: TheoremPage, tones: tuple[int, ...] = ()) -> None:
        """Show a theorem; `tones` are those of the curves that are its sides."""
        self._page, self._tones = page, tones
        self.redraw()

    def on_mount(self) -> None:
        self._sides = BigSides(getattr(self.app, "ascii_alone", False))

    def paint(self, canvas: Canvas) -> None:
        palette, page = self.palette, self._page
        canvas.fill(palette.background)
        if page is None or self._sides is None:
            return
        paint_statement(canvas, page, palette)
        self._sides.paint(canvas.part(0, 1, canvas.columns, canvas.rows - 1), page, palette, self._tones)
