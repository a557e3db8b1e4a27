"""A panel of a scene: framed, with axes, marks and a legend."""

from algorithms.core import Dataset, Matrix
from algorithms.core.resolve import ResolvedPanel
from algorithms.playback.limits import Limits, has_grids, stands_on_edges, whole_of
from tui.paint.axes import Look, plotted
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.legend import Entry, legend_of
from tui.paint.marks import paint_all
from tui.paint.matrices import matrix_part
from tui.paint.palette import Palette
from tui.paint.plot import Plot
from tui.paint.told_apart import told_apart
from tui.sections.trees import paint_tree, tree_of

_NAME, _SHORT = 24, 5  # columns of a name in a legend, and of one that is cut to have the others beside it
_CLOSE = 12  # columns of a name from which on entries stand close to each other


def paint_plot(canvas: Canvas, flat: ResolvedPanel, limits: Limits, palette: Palette, widened: bool = False) -> Plot:
    """Paint axes and marks; gives back the Plot, so that the mouse can be read on it.

    Args:
        widened: whether the limits may be widened for the labels to stand on their lines.
    """
    tree = tree_of(flat)
    if tree is not None:
        paint_tree(canvas, tree, frozenset(), palette)
        return Plot(canvas.part(0, 0, 0, 0), Limits(0, 1, 0, 1), palette)
    matrix = next((m for m in flat.marks if isinstance(m, Matrix)), None)
    if matrix is not None:
        plot = Plot(matrix_part(canvas, matrix), Limits(0, 1, 0, 1), palette)
    else:
        look = Look(whole_of(flat), stands_on_edges(flat), widened and not has_grids(flat))
        plot = plotted(canvas, limits, flat.across, flat.up, palette, flat.equal, flat.log, look)
    if plot.canvas.columns and plot.canvas.rows:  # there may be no room at all
        paint_all(flat.marks, plot)
    return plot


def entries_of(flat: ResolvedPanel, data: Dataset) -> list[Entry]:
    """List what a panel's legend names."""
    return legend_of(flat.marks, data.y if data.kind == "class" else None, data.classes)


def paint_legend(canvas: Canvas, flat: ResolvedPanel, palette: Palette, data: Dataset) -> None:
    """Write what glyphs mean on the lower line of the frame, in short where there is no room for the names of all."""
    entries, room = entries_of(flat, data), canvas.columns - 5
    names = told_apart([name for _, _, name in entries], room)
    entries = [(glyph, tone, name) for (glyph, tone, _), name in zip(entries, names)]
    wide = next((w for w in range(_NAME, _SHORT, -1) if sum(_columns(entry, w) for entry in entries) <= room), _SHORT)
    column, row = 2, canvas.rows - 1
    for entry in entries:
        if column + _columns(entry, wide) > canvas.columns - 2:
            break
        glyph, tone, name = entry
        column = canvas.text(column, row, f" {glyph}", palette.tone(tone))
        column = canvas.text(column, row, f" {fitted(name, wide)}", palette.dim)
        canvas.text(column, row, " ", palette.dim)
        column += wide > _CLOSE  # two blanks between them where there is room


def _columns(entry: Entry, wide: int) -> int:
    """Count the columns of an entry whose name is cut to so many."""
    return width_of(entry[0]) + width_of(fitted(entry[2], wide)) + 2 + (wide > _CLOSE)
