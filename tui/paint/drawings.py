"""Labels, paths, arrows, segments and the units of a network."""

import numpy as np

from algorithms.core import Array, Arrow, Labels, Path, Segments, Units
from tui.paint.canvas import HALF, SPACE, width_of
from tui.paint.dispatch import paint
from tui.paint.palette import Palette, mix
from tui.paint.plot import Plot

_ABREAST = 3  # columns of a layer
_HEAD, _HEAD_SHARE, _LEAST_HEAD = 5.0, 0.4, 2.0  # dots of a barb: at most, of its arrow's length, and at least
_SEEN = 3.0  # dots of an arrow that is worth a place in the legend
_BARB = 2.5  # radians from the arrow's direction


@paint.register
def _(mark: Labels, plot: Plot) -> None:
    column, row, inside = plot.cells(mark.at)
    tones = mark.tones if len(mark.tones) == len(mark.at) else mark.tones[:1] * len(mark.at)
    for i, (c, r) in enumerate(zip(column.tolist(), row.tolist())):
        plot.label(c, r, mark.glyph if inside[i] else "·", mark.texts[i], tones[i])


@paint.register
def _(mark: Path, plot: Plot) -> None:
    plot.line(mark.at, plot.palette.tone(mark.tone))
    if mark.name and len(mark.at):
        plot.name(mark.at[-1:], mark.name, mark.tone)


@paint.register
def _(mark: Segments, plot: Plot) -> None:
    if mark.values is None:
        plot.segments(mark.start, mark.end, plot.palette.tone(mark.tone))
        return
    palette, values = plot.palette, mark.values
    turn = np.argsort(np.abs(values), kind="stable")  # the strongest last, on top
    inks = [mix(palette.panel, _signed(v, palette), 0.15 + 0.85 * abs(v)) for v in values[turn].tolist()]
    plot.in_turn(mark.start[turn], mark.end[turn], np.array(inks))


def _signed(value: float, palette: Palette) -> int:
    """Choose the colour of a sign."""
    return palette.classes[1] if value >= 0 else palette.classes[0]


@paint.register
def _(mark: Units, plot: Plot) -> None:
    canvas, palette = plot.canvas, plot.palette
    column, row, _ = plot.cells(mark.at)
    column = _staggered(column, row, max(map(width_of, mark.texts), default=1) + 2)
    filled: list[tuple[int, int, int]] = []  # (row, first column, end) of the units painted
    for i, (c, r) in enumerate(zip(column.tolist(), row.tolist())):
        value = float(np.clip(np.nan_to_num(mark.values[i]), -1.0, 1.0))
        ground = mix(palette.line, _signed(value, palette), round(abs(value) * 12) / 12)
        marked = mark.marked is not None and bool(mark.marked[i])
        text = mark.texts[i] if mark.texts else " "
        text = f"⟨{text}⟩" if marked else f" {text} "
        start = _beside(filled, r, c - width_of(text) // 2, width_of(text), canvas.columns)
        filled.append((r, start, start + width_of(text)))
        canvas.text(start, r, text, palette.background if abs(value) > 0.5 else palette.ink, ground, bold=marked)
        if marked:
            canvas.text(start, r, "⟨", palette.accent, ground, bold=True)
            canvas.text(start + width_of(text) - 1, r, "⟩", palette.accent, ground, bold=True)


def _staggered(columns: Array, rows: Array, width: int) -> Array:
    """Put a layer with more units than rows in several columns, in turn: one alone aside would seem another."""
    staggered = columns.copy()
    for column in np.unique(columns).tolist():
        layer = np.flatnonzero(columns == column)
        side_by_side = int(np.bincount(rows[layer]).max())
        if 1 < side_by_side <= _ABREAST:
            turn = np.arange(len(layer)) % side_by_side
            staggered[layer] = column + (2 * turn - side_by_side + 1) * width // 2
    return staggered


def _beside(filled: list[tuple[int, int, int]], row: int, start: int, width: int, columns: int) -> int:
    """Choose where in its row a unit begins: where it is asked for, else beside the one that has the place."""
    there = [(first, end) for r, first, end in filled if r == row]
    last = max(columns - width, 0)
    wanted = min(max(start, 0), last)
    places = [wanted, *(place for first, end in there for place in (end, first - width) if 0 <= place <= last)]
    near = [place for place in places if abs(place - wanted) <= 2 * width]  # a layer stays a column
    return next((p for p in near if not any(p < end and first < p + width for first, end in there)), wanted)


@paint.register
def _(mark: Arrow, plot: Plot) -> None:
    """Paint an arrow; a short one has a small head, what was (muted) none, as two would make a blot."""
    x, y = plot.dots(np.concatenate([mark.start, mark.end]))
    pieces = [(x[0], y[0], x[1], y[1])]
    length = float(np.hypot(x[1] - x[0], y[1] - y[0]))
    long = bool(np.isfinite(length) and length >= 1)
    head = min(_HEAD, _HEAD_SHARE * length) if long and mark.tone != "muted" else 0.0
    if head >= _LEAST_HEAD:
        angle = np.arctan2(y[1] - y[0], x[1] - x[0])
        barbs = (angle + _BARB, angle - _BARB)
        pieces += [(x[1], y[1], x[1] + head * np.cos(at), y[1] + head * np.sin(at)) for at in barbs]
    draw = _over_points if mark.over else Plot.pieces
    draw(plot, np.array(pieces), plot.palette.tone(mark.tone))
    piece = float(x[0]), float(y[0]), float(x[1]), float(y[1])
    if mark.legend and length >= _SEEN:
        plot.name_arrow(piece, mark.legend, mark.tone)
    if mark.name and long:
        was = piece if mark.tone == "muted" else None
        plot.name(np.concatenate([mark.end, (mark.start + mark.end) / 2]), mark.name, mark.tone, "→", was)


def _over_points(plot: Plot, pieces: Array, ink: int) -> None:
    """Draw pieces in place of the points and dots that are in their cells; the ground of a crowd stays."""
    canvas = plot.canvas
    dots, inks, glyphs = canvas.dots.copy(), canvas.ink.copy(), canvas.glyphs.copy()
    canvas.dots[:], canvas.glyphs[glyphs != HALF] = 0, SPACE  # lines pass under what is in a cell
    plot.pieces(pieces, ink)
    elsewhere = canvas.dots == 0
    for now, before in ((canvas.dots, dots), (canvas.ink, inks), (canvas.glyphs, glyphs)):
        now[elsewhere] = before[elsewhere]
