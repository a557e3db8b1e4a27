"""Many curves, the band between two, intervals at places, and a cursor: what stands over an axis."""

import numpy as np

from algorithms.core import Array, Band, Cursor, ErrorBars, Paths
from tui.paint.canvas import HALF, SPACE
from tui.paint.dispatch import paint
from tui.paint.palette import glyph_of, mix, pack, unpack
from tui.paint.plot import Plot

_WEAKEST = 0.15  # of a curve's colour in one without strength
_THIN = 1.5  # rows of a band below which it takes whole cells
_NEAR = 0.75  # of a row: a bar's end that is as near to its dot is not shown
_GROUND = 0.3  # of a band's colour in the ground under it


@paint.register
def _(mark: Paths, plot: Plot) -> None:
    """Draw the weak curves first, so that the strong ones lie on top."""
    count = len(mark.at)
    strength = np.ones(count) if mark.strength is None else np.asarray(mark.strength, float)
    tones = mark.tones if len(mark.tones) == count else mark.tones[:1] * count
    for i in np.argsort(strength, kind="stable").tolist():
        share = _WEAKEST + (1 - _WEAKEST) * round(float(strength[i]) * 12) / 12
        plot.line(mark.at[i], mix(plot.palette.panel, plot.palette.tone(tones[i]), share))


@paint.register
def _(mark: Band, plot: Plot) -> None:
    """Shade the ground of the half-cells that a band touches, of a thin one the cells; what is drawn there stays."""
    canvas, view = plot.canvas, plot.limits
    if not canvas.rows or not canvas.columns or not len(mark.x):
        return
    x = view.left + (np.arange(canvas.columns) + 0.5) / canvas.columns * view.width
    y = view.top - (np.arange(2 * canvas.rows) + 0.5) / (2 * canvas.rows) * view.height
    lower, upper = (np.interp(x, mark.x, ends, left=np.nan, right=np.nan) for ends in (mark.lower, mark.upper))
    half = view.height / (4 * canvas.rows)
    with np.errstate(invalid="ignore"):
        inside = (y[:, None] > lower - half) & (y[:, None] < upper + half)
        thin = upper - lower < _THIN * 4 * half  # one of no height is where a line or a point in its middle is
    _, row, seen = plot.cells(np.column_stack([x, (lower + upper) / 2])[thin])
    inside[:, thin] = False
    for side in (0, 1):
        inside[2 * row + side, np.flatnonzero(thin)] = seen
    _shade(plot, inside, plot.palette.tone(mark.tone))


def _shade(plot: Plot, inside: Array, tone: int) -> None:
    """Mix a colour into the ground of the (2 rows, columns) half-cells inside."""
    canvas = plot.canvas
    halves = canvas.glyphs == HALF
    free = (halves | (canvas.glyphs == SPACE)) & (canvas.dots == 0)
    upper = np.where(halves, canvas.ink, canvas.ground)
    over = unpack(tone) * _GROUND
    shaded = [
        np.where(where, pack(unpack(colours) * (1 - _GROUND) + over), colours)
        for where, colours in ((inside[0::2], upper), (inside[1::2], canvas.ground))
    ]
    two = free & (shaded[0] != shaded[1])
    canvas.ground[:] = np.where(free | inside[1::2], shaded[1], canvas.ground)
    canvas.glyphs[:] = np.where(two, HALF, np.where(free, SPACE, canvas.glyphs))
    canvas.ink[:] = np.where(two, shaded[0], canvas.ink)


@paint.register
def _(mark: ErrorBars, plot: Plot) -> None:
    """Draw a dot on a bar with a cap at either end; where an end is outside the view, the way it lies."""
    canvas, ink = plot.canvas, plot.palette.tone(mark.tone)
    x = np.asarray(mark.at, float)[:, 0]
    column, row, inside = plot.cells(mark.at)
    _, top, above = plot.cells(np.stack([x, mark.upper], axis=1))
    _, foot, below = plot.cells(np.stack([x, mark.lower], axis=1))
    view = plot.limits
    middle, size = np.asarray(mark.at, float)[:, 1], view.height / max(canvas.rows, 1)
    top = np.where(inside & above, _beside(row, top, -1, (mark.upper - middle) / size), top)
    foot = np.where(inside & below, _beside(row, foot, 1, (middle - mark.lower) / size), foot)
    for i in np.flatnonzero((x >= view.left) & (x <= view.right)).tolist():
        c, first, last = int(column[i]), max(int(top[i]), 0), min(int(foot[i]), canvas.rows - 1)
        for r in range(first, last + 1):
            canvas.text(c, r, "│", ink)
        if last > first:
            canvas.text(c, first, "┬" if above[i] else "▴", ink)
            canvas.text(c, last, "┴" if below[i] else "▾", ink)
        if inside[i]:
            canvas.text(c, int(row[i]), glyph_of(mark.tone), ink, bold=True)


def _beside(row: Array, ends: Array, side: int, rows: Array) -> Array:
    """Choose the rows of bars' ends above (-1) or below (1) their dots: those of the dots where they are near, else
    others, so that what is as long on either side has both ends or none."""
    return np.asarray(np.where(rows < _NEAR, row, side * np.maximum(side * ends, side * row + 1)))


@paint.register
def _(mark: Cursor, plot: Plot) -> None:
    """Draw a dotted line in the cells that are free, with its name at its head."""
    canvas, view = plot.canvas, plot.limits
    if not view.left <= mark.x <= view.right or not canvas.columns:
        return
    column = min(int((mark.x - view.left) / view.width * canvas.columns), canvas.columns - 1)
    ink = plot.palette.tone(mark.tone)
    free = (canvas.glyphs[:, column] == SPACE) & (canvas.dots[:, column] == 0)
    canvas.glyphs[free, column], canvas.ink[free, column] = ord("┊"), ink
    if mark.name:
        plot.name_cell(column, 0, mark.name, mark.tone, "┊")
