"""A matrix as an image, its entries all of one size; what is no number has a colour and a sign of its own."""

import math

import numpy as np

from algorithms.core import Array, Matrix
from tui.paint.bars import INFINITE, NAN
from tui.paint.canvas import HALF, Canvas
from tui.paint.dispatch import paint
from tui.paint.palette import Palette, mix, pack, unpack
from tui.paint.plot import Plot

_STEPS = 24  # of a colour
_GUIDE = 0.3  # of yellow in what is still to come of a row and column
_LEAST = 0.1  # of the colour in the least entry, which is there too


def shape_of(mark: Matrix) -> tuple[int, int]:
    """Count the rows and columns of the matrix when it is whole."""
    rows, columns = np.shape(mark.values)
    whole = mark.shape or (rows, columns)
    return max(rows, whole[0]), max(columns, whole[1])


def matrix_part(canvas: Canvas, mark: Matrix) -> Canvas:
    """Cut out the piece in the middle that the matrix fills with entries of one size: squares of half-cells."""
    rows, columns = shape_of(mark)
    size, every = _size(canvas, rows, columns)
    width, height = -(-columns // every) * size, math.ceil(-(-rows // every) * size / 2)
    return canvas.part((canvas.columns - width) // 2, (canvas.rows - height) // 2, width, height)


def _size(canvas: Canvas, rows: int, columns: int) -> tuple[int, int]:
    """Choose (half-cells an entry is long, 1) where all have room; else (1, how many entries a side share one)."""
    if not rows or not columns or not canvas.rows or not canvas.columns:
        return 1, 1
    size = min(canvas.rows * 2 // rows, canvas.columns // columns)
    if size >= 1:
        return (size - size % 2 if size > 2 else size), 1
    return 1, max(-(-rows // (canvas.rows * 2)), -(-columns // canvas.columns))


@paint.register
def _(mark: Matrix, plot: Plot) -> None:
    """Paint entries as half-cells; of those that share one, the one that stands out most."""
    canvas, palette = plot.canvas, plot.palette
    if not canvas.rows or not canvas.columns or not np.size(mark.values):
        return
    rows, columns = shape_of(mark)
    values = np.full((rows, columns), np.nan)
    known = np.zeros((rows, columns), bool)
    r, c = np.shape(mark.values)
    values[:r, :c], known[:r, :c] = mark.values, True
    colours = np.where(known, matrix_colours(mark, values, palette), mix(palette.panel, palette.line, 0.35))
    for row, column in mark.marked:  # what is still to come of its row and column points at an entry that is too small
        lines = np.zeros_like(known)
        lines[row], lines[:, column] = True, True
        colours = np.where(lines & ~known, mix(palette.panel, palette.accent, _GUIDE), colours)
    size, every = _size(canvas, rows, columns)
    across, down = _entries(canvas.columns, size, columns, every), _entries(canvas.rows * 2, size, rows, every)
    if every > 1:
        colours = _standing_out(values, known, colours, every)
    shown = np.full((canvas.rows * 2, canvas.columns), palette.panel, np.int32)
    shown[np.ix_(down >= 0, across >= 0)] = colours[np.ix_(down[down >= 0], across[across >= 0])]
    canvas.glyphs[:], canvas.ink[:], canvas.ground[:] = HALF, shown[0::2], shown[1::2]
    canvas.dots[:] = 0
    if every > 1:
        plot.remark(f"extremes of {every} × {every}")
    elif size > 1:
        _signs(mark, values, known, size, plot)


def _entries(halves: int, size: int, count: int, every: int) -> Array:
    """Find the entry (or block of entries) of each half-cell along one side, -1 beyond the last."""
    entry = np.arange(halves) // size
    return np.where(entry < -(-count // every), entry, -1)


def ends_of(mark: Matrix) -> tuple[float, float]:
    """Find the values that the two ends of the colours stand for."""
    values = np.asarray(mark.values, float)
    finite = values[np.isfinite(values)]
    return mark.scale or ((float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0))


def matrix_colours(mark: Matrix, values: Array, palette: Palette) -> Array:
    """Choose the colour of each entry: from the panel's to full, and those of NaN and infinity."""
    low, high = ends_of(mark)
    with np.errstate(all="ignore"):
        if mark.signed:
            share = values / (max(abs(low), abs(high)) or 1.0)
            ends = np.where(share >= 0, palette.classes[1], palette.classes[0])
            share = np.abs(share)
        else:
            share, ends = (values - low) / ((high - low) or 1.0), np.full(values.shape, palette.ink)
    share = np.round(np.clip(np.nan_to_num(share), 0.0, 1.0) * _STEPS) / _STEPS
    if not mark.signed:
        share = _LEAST + (1 - _LEAST) * share
    colours = pack(unpack(palette.panel) * (1 - share[..., None]) + unpack(ends) * share[..., None])
    colours = np.where(np.isnan(values), palette.wrong, colours)
    return np.asarray(np.where(np.isinf(values), palette.accent, colours))


def _standing_out(values: Array, known: Array, colours: Array, every: int) -> Array:
    """Choose the colour of each square block: of its entry farthest from the median, or of what is no number."""
    finite = np.isfinite(values)
    middle = float(np.median(values[finite])) if finite.any() else 0.0
    weight = np.where(finite, np.abs(np.where(finite, values, 0.0) - middle), np.inf)
    weight = np.where(known, weight, -1.0)
    rows, columns = (-(-n // every) for n in values.shape)
    padded = [(0, rows * every - values.shape[0]), (0, columns * every - values.shape[1])]

    def blocks(entries: Array, fill: float) -> Array:
        whole = np.pad(entries, padded, constant_values=fill)
        return whole.reshape(rows, every, columns, every).swapaxes(1, 2).reshape(rows, columns, every * every)

    chosen = blocks(weight, -2.0).argmax(axis=2)[..., None]
    return np.asarray(np.take_along_axis(blocks(colours, 0), chosen, axis=2)[..., 0])


def _signs(mark: Matrix, values: Array, known: Array, size: int, plot: Plot) -> None:
    """Put signs on what is no number, and brackets around the entries that the step is about."""
    canvas, palette = plot.canvas, plot.palette
    for r, c in np.argwhere(~np.isfinite(values) & known).tolist():
        sign = NAN if math.isnan(values[r, c]) else INFINITE
        ground = palette.wrong if sign == NAN else palette.accent
        canvas.text(
            c * size + (size - 1) // 2, (r * size + size // 2) // 2, sign, palette.background, ground, bold=True
        )
    for r, c in mark.marked:
        row = (r * size + size // 2) // 2
        ground = int(canvas.ground[min(row, canvas.rows - 1), min(c * size, canvas.columns - 1)])
        canvas.text(c * size, row, "⟨", palette.held, ground, bold=True)
        canvas.text((c + 1) * size - 1, row, "⟩", palette.held, ground, bold=True)
