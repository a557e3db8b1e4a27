"""Regions as a tint in half-cells, and level lines in braille."""

from functools import lru_cache

import numpy as np

from algorithms.core import Array
from algorithms.core.resolve import Levels, Tint
from tui.paint.canvas import HALF, SPACE
from tui.paint.dispatch import paint
from tui.paint.palette import Palette, mix, pack, unpack
from tui.paint.plot import Plot

_LEVEL = 0.3  # share of neighbours that are equal, from which on heights may be stepped
_STRAIGHT = 0.8  # share of a border that goes straight on, above which they are
FAINTER = "fainter: nearer a tie"  # what the shades of a tint mean
SHADES = 5  # of a tint, from its boundary to its fullest


@paint.register
def _(mark: Tint, plot: Plot) -> None:
    """Paint the background in half-cells, so that what comes after keeps it."""
    canvas, rows = plot.canvas, mark.tones.shape[0]
    if not canvas.rows or not canvas.columns:
        return
    across = np.arange(canvas.columns) * mark.tones.shape[1] // canvas.columns
    down = np.arange(canvas.rows * 2) * rows // (canvas.rows * 2)
    colours = tint_colours(mark, plot.palette)[np.ix_(down, across)]
    top, bottom = colours[0::2], colours[1::2]
    two = top != bottom
    canvas.ground[:] = bottom
    canvas.glyphs[:] = np.where(two, HALF, SPACE)
    canvas.ink[:] = np.where(two, top, canvas.ink)
    plot.tops = top
    if mark.shares is None and plot.palette.tint[1] > 0 and _graded(mark):
        plot.signs.append(("▒", "muted", FAINTER))


def _graded(mark: Tint) -> bool:
    """Tell whether a tint has several shades."""
    shown = mark.strength[mark.tones >= 0]
    return bool(shown.size) and int(shown.max() * SHADES) > int(shown.min() * SHADES)


def tint_colours(mark: Tint, palette: Palette) -> Array:
    high = palette.tint[1]
    if mark.shares is not None:
        steps = np.round(mark.shares * 6) / 6  # few colours: a terminal paints runs of one colour
        steps /= np.maximum(steps.sum(axis=2, keepdims=True), 1 / 6)  # three rounded thirds of one are not one
        parts = unpack(np.array([palette.tone(t) for t in mark.palette], np.int32))
        over = steps @ parts
        return pack(unpack(palette.panel) * (1 - high * 0.8) + over * (high * 0.8))
    shade = np.minimum((mark.strength * SHADES).astype(np.intp), SHADES - 1)
    table = _shades(palette)
    return np.asarray(np.where(mark.tones < 0, palette.panel, table[mark.tones % len(table), shade]))


@lru_cache(16)
def _shades(palette: Palette) -> Array:
    """Mix the shades of each class: (classes, shades) packed colours."""
    low, high = palette.tint
    return np.array(
        [
            [mix(palette.panel, palette.tone(t), low + (high - low) * s / (SHADES - 1)) for s in range(SHADES)]
            for t in range(len(palette.classes))
        ],
        np.int32,
    )


@paint.register
def _(mark: Levels, plot: Plot) -> None:
    canvas = plot.canvas
    if not canvas.rows or not canvas.columns:
        return
    ink = plot.palette.tone(mark.tone)
    heights = mark.height if mark.winner else mark.height[None]
    stepped = min(heights.shape[1:]) > 1 and _stepped(heights, mark.winner)
    finer = _by_cells if stepped else _finer
    fine = np.stack([finer(h, canvas.rows * 4, canvas.columns * 2) for h in heights])
    bands = [fine.argmax(axis=0)] if mark.winner else [fine[0] > level for level in mark.levels]
    steep = np.zeros((0, 0), bool) if mark.winner else _steep(fine[0])
    for i, band in enumerate(bands):
        edges = _edge(band) if mark.winner else _thin_edge(band, steep)
        y, x = np.nonzero(edges)
        if mark.winner or mark.levels[i] == 0:
            plot.edges = edges if plot.edges is None else plot.edges | edges
            _agree(plot, edges, stepped)
        weaker = not mark.winner and len(mark.levels) > 1 and mark.levels[i] != 0
        shade = mix(plot.palette.panel, ink, 0.55) if weaker else ink
        plot.trace(x.astype(float), y.astype(float), shade, line=not weaker and isinstance(mark.tone, int))


def _stepped(heights: Array, winner: bool) -> bool:
    """Tell whether heights (k, rows, columns) are levels with borders along the axes, as votes of trees are.

    Between two levels there is nothing to interpolate: a border would lie off the edge of the tint, where no tree asks.
    Of a border aslant, as between shares that are 0 and 1 all but there, the stairs would be coarser.
    """
    band = heights.argmax(axis=0) if winner else heights[0] > 0
    borders = straight = 0
    for values, sides in ((heights, band), (heights.swapaxes(1, 2), band.T)):
        if float((values[:, 1:] == values[:, :-1]).all(axis=0).mean()) < _LEVEL:
            return False
        changes = sides[1:] != sides[:-1]
        borders += int(changes[:, 1:].sum())
        straight += int((changes[:, 1:] & changes[:, :-1]).sum())
    return straight > _STRAIGHT * borders


def _edge(band: Array) -> Array:
    """Find where a band ends, downwards or across."""
    edge = np.zeros(band.shape, bool)
    edge[:-1] |= band[1:] != band[:-1]
    edge[:, :-1] |= band[:, 1:] != band[:, :-1]
    return edge


def _steep(height: Array) -> Array:
    """Tell where a height changes more downwards than across."""
    return np.asarray(np.abs(height[1:, :-1] - height[:-1, :-1]) >= np.abs(height[:-1, 1:] - height[:-1, :-1]))


def _thin_edge(band: Array, steep: Array) -> Array:
    """Find where a band ends, one dot wide: downwards where the height changes most that way, else across."""
    edge = np.zeros(band.shape, bool)
    down, across = band[1:, :-1] != band[:-1, :-1], band[:-1, 1:] != band[:-1, :-1]
    edge[:-1, :-1] = np.where(steep, down, across)
    edge[-1, :-1] = band[-1, 1:] != band[-1, :-1]
    edge[:-1, -1] = band[1:, -1] != band[:-1, -1]
    return edge


def _by_cells(height: Array, rows: int, columns: int) -> Array:
    """Repeat on a finer grid, four rows a cell, what is in the lower half of each cell."""
    cells = max(rows // 4, 1)
    down = np.repeat((2 * np.arange(cells) + 1) * height.shape[0] // (2 * cells), 4)
    return np.asarray(height[np.ix_(down, np.arange(columns) * height.shape[1] // max(columns, 1))])


def _agree(plot: Plot, edges: Array, stepped: bool) -> None:
    """Put a cell with a border, which has one ground, on that of the side that has more of it.

    Of a border along cells the cell under it is all of the lower side, as the line is.
    """
    canvas = plot.canvas
    if plot.tops is None:
        return
    parts = edges.reshape(canvas.rows, 4, canvas.columns, 2).sum(axis=3)
    if not stepped:
        upper = parts[:, 2:].sum(axis=1) > parts[:, :2].sum(axis=1)
        canvas.ground[upper] = plot.tops[upper]
        return
    above = np.zeros((canvas.rows, canvas.columns), bool)
    above[1:] = parts[:-1, 3] == 2
    canvas.glyphs[above & (canvas.glyphs == HALF) & (canvas.dots == 0)] = SPACE


def _finer(height: Array, rows: int, columns: int) -> Array:
    """Interpolate values at cell centres bilinearly, on a finer grid of cell centres."""

    def weights(fine: int, coarse: int) -> tuple[Array, Array]:
        at = np.clip((np.arange(fine) + 0.5) * coarse / fine - 0.5, 0, coarse - 1)
        low = np.minimum(at.astype(np.intp), max(coarse - 2, 0))
        return low, at - low

    r, s = weights(rows, height.shape[0])
    c, q = weights(columns, height.shape[1])
    down = height[r] * (1 - s)[:, None] + height[np.minimum(r + 1, height.shape[0] - 1)] * s[:, None]
    return np.asarray(down[:, c] * (1 - q) + down[:, np.minimum(c + 1, height.shape[1] - 1)] * q)
