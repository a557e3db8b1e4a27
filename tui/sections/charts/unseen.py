"""What a chart says while next to nothing of its run is seen: that it is drawn as one goes on."""

from tui.paint.canvas import SPACE, Canvas, width_of
from tui.paint.palette import Palette
from tui.paint.text import wrapped
from tui.sections.charts.axis import ChartContext

_WORDS = "drawn as it is seen"
_NOTHING = "not measured so far"
_GAP = 2  # columns between the axis and the words
_LEAST = 10  # columns that words need


def paint_unseen(canvas: Canvas, left: int, context: ChartContext, palette: Palette, empty: bool = False) -> None:
    """Say that a chart is drawn as it is seen, right of where it begins; of one that has nothing the axes too.

    Args:
        left: the first column of its plot.
        empty: whether nothing of it was measured so far.
    """
    rows, first = canvas.rows - 1, context.seen == 0 and context.hints  # those above the numbers
    if context.seen is None or not (first or empty) or canvas.columns < left + _GAP + _LEAST or rows < 1:
        return
    if empty:
        for row in range(rows):
            canvas.text(left, row, "│", palette.line)
        canvas.text(left, rows, f"{context.t:,}", palette.accent, bold=True)
    lines = wrapped(_WORDS if first else _NOTHING, canvas.columns - left - _GAP)
    top = max((rows - len(lines)) // 2, 0)
    for row, line in enumerate(lines[:rows], start=top):
        column, width = left + _GAP, width_of(line)
        if column + width >= canvas.columns or not _is_free(canvas, row, column, width):
            continue
        canvas.text(column, row, f"{line} ", palette.dim)  # apart from the faint line of a label


def _is_free(canvas: Canvas, row: int, column: int, width: int) -> bool:
    """Tell whether nothing but blanks and the faint line of a label would be written over."""
    return all(glyph in (SPACE, ord("─")) for glyph in canvas.glyphs[row, column : column + width].tolist())
