"""One theorem for the last row of a hall: its sides in large digits, the relation between them as large."""

import math

from algorithms.core import Sides, Verdict
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.digits import columns_of, paint_digits
from tui.paint.text import wrapped
from tui.paint.ticks import number
from tui.sections.theorems import SIGN, sides_text
from tui.widgets.raster import RasterView

_APART = 3  # columns between a number and a relation
_NAME = 24  # columns of a side's name, at most
_DIGITS = (4, 3)  # of a number: fewer where there is no room for more


class BigTheorem(RasterView):
    """Shows the theorem in hand; where it is silent, its statement and why."""

    DEFAULT_CSS = "BigTheorem { height: 6; }"

    def __init__(self, *, id: str | None = None):
        super().__init__(id=id)
        self._verdict: Verdict | None = None

    def show(self, verdict: Verdict | None) -> None:
        self._verdict = verdict
        self.redraw()

    def paint(self, canvas: Canvas) -> None:
        palette, verdict = self.palette, self._verdict
        canvas.fill(palette.background)
        if verdict is None:
            canvas.text(1, 1, "no theorem is stated for this one", palette.dim)
            return
        canvas.text(1, 0, fitted(verdict.theorem.statement, canvas.columns - 2), palette.ink, bold=True)
        below = canvas.part(0, 1, canvas.columns, canvas.rows - 1)
        fails = verdict.status == "fails"
        if verdict.sides is None or not any(self._paint_sides(below, verdict.sides, fails, d) for d in _DIGITS):
            why = verdict.why if verdict.sides is None else sides_text(verdict.sides)
            for row, line in enumerate(wrapped(why, canvas.columns - 2)[: below.rows - 1]):
                below.text(1, row + 1, line, palette.wrong if fails else palette.dim)

    def _paint_sides(self, canvas: Canvas, sides: Sides, fails: bool, digits: int) -> bool:
        """Paint names above, numbers and relations below; tells whether there was room for all of them."""
        palette = self.palette
        texts = [number(value, digits).replace(",", "") for value in sides.values]
        sign = SIGN[sides.relation]
        widths = [max(columns_of(text), min(width_of(name), _NAME)) for text, name in zip(texts, sides.names)]
        room = canvas.columns - 2 - sum(widths) - (len(texts) - 1) * (columns_of(sign) + 2 * _APART)
        if room < 0:
            return False
        column = 1
        for i, (text, name, width) in enumerate(zip(texts, sides.names, widths)):
            canvas.text(column, 0, fitted(name, width), palette.dim)
            paint_digits(canvas, column, 1, text, palette.wrong if fails else palette.ink)
            column += width + _APART
            if i < len(texts) - 1:
                ink = palette.wrong if fails else palette.good
                column = paint_digits(canvas, column, 1, sign, ink) - 1 + _APART
        between = self._between(sides)
        wide = max(columns_of(between), width_of("between them"))
        if between and room >= wide + 2 * _APART:
            column += _APART
            canvas.text(column, 0, "between them", palette.dim)
            paint_digits(canvas, column, 1, between, palette.accent)
        return True

    @staticmethod
    def _between(sides: Sides) -> str:
        """Write what is left between two sides, "" where there are more or nothing is to be left."""
        if len(sides.values) != 2 or sides.relation == "==":
            return ""
        left = sides.values[1] - sides.values[0]
        return number(max(left, 0.0) if sides.hold else left).replace(",", "") if math.isfinite(left) else ""
