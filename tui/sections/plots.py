"""A panel of a scene: framed, with axes, marks and a legend."""

import numpy as np

from algorithms import Array, Arrow, Bars, Dataset, Flat, Labels, Mark, Matrix, Path, Points, Segments, Units
from tui.paint.axes import plotted
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.marks import legend_of, paint
from tui.paint.palette import Palette
from tui.paint.plot import Limits, Plot, limits_around
from tui.sections.trees import paint_tree, tree_of


def places_of(marks: tuple[Mark, ...]) -> Array:
    """(m, 2) finite places that a panel should have in view."""
    found: list[Array] = [np.empty((0, 2))]
    for mark in marks:
        match mark:
            case Points() | Labels() | Path() | Units():
                found.append(np.asarray(mark.at, float).reshape(-1, 2))
            case Segments() | Arrow():
                found += [np.asarray(mark.start, float), np.asarray(mark.end, float)]
            case Bars():
                edges = mark.edges if mark.edges is not None else np.arange(len(mark.heights) + 1) - 0.5
                tops = np.append(np.asarray(mark.heights, float), 0.0)
                found.append(np.stack([edges, tops], axis=1))
                found.append(np.array([[edges[0], 0.0], [edges[-1], 0.0]]))
            case _:
                pass
    together = np.concatenate(found)
    return np.asarray(together[np.isfinite(together).all(axis=1)])


def wanted_limits(flat: Flat) -> Limits:
    """The limits a panel asks for, or those of what is in it."""
    if flat.limits is not None:
        (left, right), (bottom, top) = flat.limits
        return Limits(left, right, bottom, top)
    around = limits_around(places_of(flat.marks))
    if any(isinstance(m, Bars) for m in flat.marks):
        edges = [m.edges for m in flat.marks if isinstance(m, Bars) and m.edges is not None]
        left = min((float(e[0]) for e in edges), default=around.left)
        right = max((float(e[-1]) for e in edges), default=around.right)
        lowest = float(places_of(flat.marks)[:, 1].min())
        return Limits(left, right, 0.0 if lowest >= 0 else around.bottom, around.top)
    return around


def paint_plot(canvas: Canvas, flat: Flat, limits: Limits, palette: Palette) -> Plot:
    """Axes and marks; gives back the Plot, so that the mouse can be read on it."""
    tree = tree_of(flat)
    if tree is not None:
        paint_tree(canvas, tree, frozenset(), palette)
        return Plot(canvas.part(0, 0, 0, 0), Limits(0, 1, 0, 1), palette)
    if any(isinstance(m, Matrix) for m in flat.marks):
        plot = Plot(_matrix_part(canvas, flat), Limits(0, 1, 0, 1), palette)
    else:
        plot = plotted(canvas, limits, flat.across, flat.up, palette, flat.equal)
    if plot.canvas.columns and plot.canvas.rows:  # there may be no room at all
        for mark in flat.marks:
            paint(mark, plot)
    return plot


def _matrix_part(canvas: Canvas, flat: Flat) -> Canvas:
    """The largest piece in which the matrix' entries are square, in the middle."""
    values = next(m.values for m in flat.marks if isinstance(m, Matrix))
    rows, columns = values.shape
    size = max(min(canvas.rows * 2 / rows, canvas.columns / columns), 0.0)
    if size >= 2:
        size = int(size) - int(size) % 2
    width, height = int(columns * size), int(rows * size / 2)
    if width < columns or height * 2 < rows:  # more entries than cells: fill what there is
        width, height = min(canvas.columns, max(width, 1)), min(canvas.rows, max(height, 1))
    return canvas.part((canvas.columns - width) // 2, (canvas.rows - height) // 2, width, height)


def paint_legend(canvas: Canvas, flat: Flat, palette: Palette, data: Dataset) -> None:
    """What glyphs mean, on the lower line of the frame, as far as there is room."""
    column = 2
    row = canvas.rows - 1
    for glyph, tone, name in legend_of(flat.marks, data.y if data.kind == "class" else None, data.classes):
        text = fitted(name, 24)
        if column + width_of(glyph) + width_of(text) + 3 > canvas.columns - 3:
            break
        column = canvas.text(column, row, f" {glyph}", palette.tone(tone))
        column = canvas.text(column, row, f" {text} ", palette.dim)
