"""One theorem for the last row of a hall: its sides in large digits, the relation between them as large."""

from algorithms.core import Contrast, Sides
from algorithms.playback.theorems.page import TheoremPage
from tui.paint.canvas import Canvas, width_of
from tui.paint.text import typeset, wrapped
from tui.sections.theorems.large import BigSides, measured_sides, paint_statement, rows_of_statement
from tui.widgets.raster import RasterView

_BELOW = 5  # rows under the statement: two of names, three of digits
_MEASURED = "measured"


class BigTheorem(RasterView):
    """Shows the theorem in hand; where it is silent what it said last, or why. Or two numbers that were measured."""

    DEFAULT_CSS = "BigTheorem { height: 6; }"

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._page: TheoremPage | None = None
        self._contrast: tuple[Contrast, Sides] | None = None
        self._tones: tuple[int, ...] = ()
        self._sides: BigSides | None = None

    def show(self, page: TheoremPage, tones: tuple[int, ...] = ()) -> None:
        """Show a theorem; `tones` are those of the curves that are its sides."""
        self._page, self._contrast, self._tones = page, None, tones
        self._put(rows_of_statement(page, self.palette, self._columns))

    def show_measured(self, contrast: Contrast, values: tuple[float, float]) -> None:
        """Show two numbers that were measured, the lesser one first."""
        self._contrast = contrast, measured_sides(contrast, values)
        self._put(len(_words_of(contrast, self._columns)))

    @property
    def _columns(self) -> int:
        return self.size.width or self.app.size.width

    def _put(self, rows: int) -> None:
        self.styles.height = rows + _BELOW
        self.redraw()

    def on_mount(self) -> None:
        self._sides = BigSides(getattr(self.app, "ascii_alone", False))

    def paint(self, canvas: Canvas) -> None:
        palette, page = self.palette, self._page
        canvas.fill(palette.background)
        if self._sides is None:
            return
        if self._contrast is not None:
            contrast, sides = self._contrast
            lines = _words_of(contrast, canvas.columns)
            for row, line in enumerate(lines):
                canvas.text(1, row, line, palette.ink, bold=True)
            canvas.text(canvas.columns - 1 - width_of(_MEASURED), len(lines) - 1, _MEASURED, palette.dim)
            below = canvas.part(0, len(lines), canvas.columns, canvas.rows - len(lines))
            self._sides.paint_measured(below, sides, palette)
        elif page is not None:
            rows = rows_of_statement(page, palette, canvas.columns)
            paint_statement(canvas, page, palette)
            below = canvas.part(0, rows, canvas.columns, canvas.rows - rows)
            self._sides.paint(below, page, palette, self._tones)


def _words_of(contrast: Contrast, columns: int) -> list[str]:
    """Wrap what the numbers are, with room for "measured" behind the last line."""
    words = typeset(contrast.words)
    lines = wrapped(words, columns - 2)
    room = columns - 5 - width_of(_MEASURED)
    return lines if width_of(lines[-1]) <= room else wrapped(words, room)
