"""Bars in eighths of a cell, from 0 up or down; what is no number has a sign of its own."""

import numpy as np

from algorithms.core import Array, Bars
from algorithms.playback.pictures.limits import are_items
from tui.paint.canvas import SPACE
from tui.paint.dispatch import paint
from tui.paint.palette import Palette, mix
from tui.paint.plot import Plot

_MIDDLE, _STROKE = 4, 2  # eighths of a row: where its line is, and up to which a bar is a stroke on it
NAN, INFINITE = "×", "∞"  # in bars and matrices, in place of a number


@paint.register
def _(mark: Bars, plot: Plot) -> None:
    """Paint each column's bar; where several share one, the one farthest from 0, with a word that says so."""
    m = len(mark.heights)
    edges = mark.edges if mark.edges is not None else np.arange(m + 1) - 0.5
    tones = mark.tones if len(mark.tones) == m else mark.tones[:1] * m
    heights = np.asarray(mark.heights, float)
    shown, most = _bar_of_columns(np.asarray(edges, float), heights, plot)
    if are_items(mark) and _columns_a_bar(np.asarray(edges, float), plot) >= 2:
        shown = _as_wide_as_the_narrowest(shown)
    for column, i in enumerate(shown):
        if i < 0:
            continue
        if np.isfinite(heights[i]):
            _bar(plot, column, float(heights[i]), _bar_ink(tones[i], plot.palette))
        else:
            _no_number(plot, column, float(heights[i]))
    if most > 1:
        plot.remark(f"each column the tallest of {most}")


def _columns_a_bar(edges: Array, plot: Plot) -> float:
    """Count the columns that the narrowest bar takes."""
    return float(np.diff(edges).min()) / plot.limits.width * plot.canvas.columns


def _bar_of_columns(edges: Array, heights: Array, plot: Plot) -> tuple[list[int], int]:
    """Choose the bar that each column shows, -1 for none, and count how many there are at most in one."""
    columns, view = plot.canvas.columns, plot.limits
    m = len(heights)
    if _columns_a_bar(edges, plot) >= 1:  # then the middle of some column lies in each
        centre = view.left + (np.arange(columns) + 0.5) / max(columns, 1) * view.width
        bar = np.searchsorted(edges, centre, side="right") - 1
        return [i if 0 <= i < m else -1 for i in bar.tolist()], 1
    middle = np.floor(((edges[:-1] + edges[1:]) / 2 - view.left) / view.width * columns).astype(int)
    left = np.floor((edges[:-1] - view.left) / view.width * columns).astype(int)
    right = np.ceil((edges[1:] - view.left) / view.width * columns).astype(int)
    size = np.where(np.isfinite(heights), np.abs(heights), np.inf)  # what is no number is never passed over
    shown, most = [-1] * columns, 0
    for column in range(columns):
        there = np.flatnonzero(middle == column)
        most = max(most, len(there))
        if not len(there):  # of a histogram with uneven bins: the one that spans the column
            there = np.flatnonzero((left <= column) & (right > column))
        if len(there):
            shown[column] = int(there[size[there].argmax()])
    return shown, most


def _as_wide_as_the_narrowest(shown: list[int]) -> list[int]:
    """Leave each bar as many columns as the narrowest has without the one between it and the next: of bars that differ
    in width the wide ones would count for more."""
    numbers, counts = np.unique([i for i in shown if i >= 0], return_counts=True)
    first = {int(i): shown.index(i) for i in numbers}
    wide = max(int(counts.min()) - 1, 1) if len(counts) else 0
    return [i if i >= 0 and column - first[i] < wide else -1 for column, i in enumerate(shown)]


def _bar_ink(tone: int | str, palette: Palette) -> int:
    """Choose a bar's colour: a muted one is a ground on which lines are read, nearer to the panel than a muted line."""
    return mix(palette.panel, palette.dim, 0.35) if tone == "muted" else palette.tone(tone)


def _no_number(plot: Plot, column: int, height: float) -> None:
    """Put a sign on the axis for NaN; for an infinite height a dotted line to the edge, with its sign at the end."""
    canvas, view, ink = plot.canvas, plot.limits, plot.palette.wrong
    zero = min(max(0.0, view.bottom), view.top)
    foot = min(int((view.top - zero) / view.height * canvas.rows), canvas.rows - 1)
    if np.isnan(height):
        canvas.text(column, foot, NAN, ink, bold=True)
        return
    end = 0 if height > 0 else canvas.rows - 1
    for row in range(min(foot, end), max(foot, end) + 1):
        canvas.text(column, row, "┊", ink)
    canvas.text(column, end, INFINITE, ink, bold=True)


def _bar(plot: Plot, column: int, height: float, ink: int) -> None:
    """Fill the cells of a column from 0, most often the middle of a row, to a height in eighths; in a cell that holds
    both ends the half that is nearer, or a stroke."""
    canvas, view = plot.canvas, plot.limits
    eighths = canvas.rows * 8
    zero = round((min(max(0.0, view.bottom), view.top) - view.bottom) / view.height * eighths)
    end = round(np.clip((height - view.bottom) / view.height, 0.0, 1.0) * eighths)
    if end == zero and height:  # something is there
        end = zero + 1 if height > 0 else zero - 1
    if abs(end - zero) < _STROKE and zero % 8 == _MIDDLE:
        row = canvas.rows - 1 - zero // 8
        if height and 0 <= row < canvas.rows:
            canvas.dots[row, column] = 0
            canvas.text(column, row, "━", ink)
        return
    low, high = max(min(zero, end), 0), min(max(zero, end), eighths)
    for row in range(low // 8, (high + 7) // 8):
        y = canvas.rows - 1 - row
        upto = min(high - row * 8, 8)
        below = max(low - row * 8, 0)
        canvas.dots[y, column] = 0
        if below and upto < 8:  # both ends are in the cell: nothing has such a shape but the half that is nearer
            upto, below = (8, 4) if below + upto >= 8 else (4, 0)
        if below:  # a bar that hangs from the zero line: its end is cut out of a full cell
            canvas.glyphs[y, column] = 0x2580 + below
            canvas.ink[y, column], canvas.ground[y, column] = canvas.ground[y, column], ink
        elif upto == 8:  # as the background, so that a line in front of it leaves it whole
            canvas.glyphs[y, column], canvas.ground[y, column] = SPACE, ink
        else:
            canvas.glyphs[y, column], canvas.ink[y, column] = 0x2580 + upto, ink
