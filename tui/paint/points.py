"""Points: a glyph and a colour a class, rings, crosses and halos; several rows in one cell are seen to be several."""

from functools import lru_cache

import numpy as np

from algorithms.core import Array, Points
from algorithms.core.scene import Tone
from tui.paint.canvas import HALF, SPACE
from tui.paint.dispatch import paint
from tui.paint.names import BRACKETS
from tui.paint.palette import FADED, GLYPHS, HOLLOW, SMALL, Palette, mix, pack, unpack
from tui.paint.plot import Plot

ON_GROUND = " ● "  # in a legend, the sign of points on a ground of their own
THIS_STEP, SEVERAL = "this step", "several rows"  # what they are
_EDGE = "◂▸▴▾"
_LOWER = ord("▄")
_FULL, _SMALLER = "■□", "▪▫"  # of one that fills its cell in width, dark on yellow, two yellow bars would be seen
_POINTS = frozenset(map(ord, "".join((*GLYPHS, *HOLLOW, *SMALL, FADED))))  # what a bracket must not cover
_HALO = 0.7  # of ink in the ground of a halo: grey and bright, not to be taken for that of several rows in a cell
_ON_HALO = 0.55  # of the background in the mark on it
_SOFTLY = 0.62  # of yellow in the ground of a crowd that is marked
_FEW = 3  # ringed points that have brackets too
_MANY = 12  # ringed points from which on they are marked softly
_GROUND = (0.26, 0.42)  # of their colour in the ground under two rows in a cell, and under three or more
_LIGHTER = (0.25, 0.5)  # of ink in the mark of two rows, and of three or more
_OTHER = 0.5  # of another class's colour in the ground under a mark


@paint.register
def _(mark: Points, plot: Plot) -> None:
    n = len(mark.at)
    column, row, inside = plot.cells(mark.at)
    colours, glyphs = _looks(mark, n, plot.palette)
    canvas, palette = plot.canvas, plot.palette
    _take_ground(plot, mark.at, (row, column), inside)
    halved = _halves(plot, mark.at, (row, column), inside, colours)
    ringed = _mask(mark.ringed, n)
    crossed = _mask(mark.crossed, n)
    glyphs = np.where(crossed, _hollow(mark, n), glyphs)
    faded = _mask(mark.faded, n)
    glyphs, colours = np.where(faded, ord(FADED), glyphs), np.where(faded, palette.dim, colours)
    edge = _edge_glyphs(plot, mark.at)
    glyphs = np.where(inside, glyphs, edge)
    haloed = _mask(mark.haloed, n)
    order = np.arange(n) if mark.weights is None else np.argsort(mark.weights, kind="stable")
    plain = ~ringed & ~haloed & ~faded
    for layer in (faded, plain & ~crossed, plain & crossed, haloed & ~ringed, ringed):  # what matters most comes last
        chosen = order[layer[order]]
        r, c = row[chosen], column[chosen]
        canvas.glyphs[r, c], canvas.ink[r, c], canvas.dots[r, c] = glyphs[chosen], colours[chosen], 0
    for i, (lower, upper) in halved.items():  # the end of a bar stays where it is, and the point is the other half
        r, c = row[i], column[i]
        if canvas.ink[r, c] == colours[i]:
            canvas.glyphs[r, c], canvas.ink[r, c], canvas.ground[r, c] = _LOWER, lower, upper
    if mark.rows:
        _crowd(plot, order[(plain & inside)[order]], row * canvas.columns + column, tones_of(mark, n), colours)
    r, c = row[haloed], column[haloed]
    canvas.ground[r, c] = halo_of(palette)
    canvas.ink[r, c] = pack(unpack(canvas.ink[r, c]) * (1 - _ON_HALO) + unpack(palette.background) * _ON_HALO)
    canvas.bold[r, c] = True
    _ring(plot, row[ringed], column[ringed])


def _take_ground(plot: Plot, at: Array, cells: tuple[Array, Array], inside: Array) -> None:
    """Put each point's cell on the region of the half-cell that the point lies in."""
    canvas, (row, column) = plot.canvas, cells
    if plot.tops is not None:
        _, down = plot.dots(at)
        glyphs = canvas.glyphs[row, column]
        upper = inside & ((down + 0.5) % 4 < 2) & ((glyphs == HALF) | (glyphs == SPACE))  # no other point is there
        r, c = row[upper], column[upper]
        canvas.ground[r, c] = plot.tops[r, c]


def _halves(
    plot: Plot, at: Array, cells: tuple[Array, Array], inside: Array, colours: Array
) -> dict[int, tuple[int, int]]:
    """Put the cells of points in which a bar ends on one ground, where the bar has hardly any or nearly all of it; of
    the others, by point, give the colours of both halves, of which that is the point's in which it lies."""
    canvas, (row, column) = plot.canvas, cells
    eighths = canvas.glyphs[row, column].astype(np.int64) - (_LOWER - 4)
    _, down = plot.dots(at)
    halved: dict[int, tuple[int, int]] = {}
    for i in np.flatnonzero(inside & (eighths > 0) & (eighths < 8)).tolist():
        r, c, part = row[i], column[i], int(eighths[i])
        lower, upper = int(canvas.ink[r, c]), int(canvas.ground[r, c])
        if abs(part - 4) > 1:
            canvas.ground[r, c] = lower if part > 4 else upper
        else:
            own = int(colours[i])
            halved[i] = (lower, own) if (down[i] + 0.5) % 4 < 2 else (own, upper)
    return halved


def halo_of(palette: Palette) -> int:
    """Mix the ground of rows with a halo."""
    return mix(palette.panel, palette.ink, _HALO)


def ground_of(tone: Tone, palette: Palette) -> tuple[int, int]:
    """Choose ink and ground of points on a ground of their own, as a legend shows them: those of this step, several in
    a cell, or with a halo."""
    if tone == "accent":
        return palette.on_held, palette.held
    if tone == "muted":
        return palette.ink, mix(palette.panel, palette.ink, _GROUND[1])
    return palette.background, halo_of(palette)


def _ring(plot: Plot, rows: Array, columns: Array) -> None:
    """Mark the cells of what a step is about: a few between brackets, which cover no other point, and nothing covers
    them; a crowd softly."""
    canvas, palette = plot.canvas, plot.palette
    if len(rows):
        plot.signs.append((BRACKETS if len(rows) <= _FEW else ON_GROUND, "accent", THIS_STEP))
    if len(rows) > _MANY:  # a crowd in full yellow would hide what it is about
        under = unpack(canvas.ground[rows, columns])
        canvas.ground[rows, columns] = pack(under * (1 - _SOFTLY) + unpack(palette.held) * _SOFTLY)
        canvas.ink[rows, columns], canvas.bold[rows, columns] = palette.on_held, True
        return
    for full, smaller in zip(_codes(_FULL), _codes(_SMALLER)):
        there = canvas.glyphs[rows, columns] == full
        canvas.glyphs[rows[there], columns[there]] = smaller
    canvas.ground[rows, columns], canvas.ink[rows, columns] = palette.held, palette.on_held
    canvas.bold[rows, columns] = True
    cells = set(zip(rows.tolist(), columns.tolist()))
    if len(rows) <= _FEW:
        beside = {(y, x + side): bracket for y, x in cells for side, bracket in zip((-1, 1), BRACKETS)}
        free = {
            (y, x): bracket
            for (y, x), bracket in beside.items()
            if 0 <= x < canvas.columns and canvas.glyphs[y, x] not in _POINTS
        }
        for (y, x), bracket in free.items():
            canvas.text(x, y, bracket, palette.accent, bold=True)
        cells |= set(free)
    if cells:
        plot.hold(*np.array(sorted(cells)).T)


def _crowd(plot: Plot, order: Array, cells: Array, tones: Array, colours: Array) -> None:
    """Lighten the marks of cells with several rows, on a ground of their colour; of two classes, on the other one's.

    Args:
        order: the points in the order in which they were painted.
        cells: (n,) which cell each is in; tones and colours likewise.
    """
    canvas, palette = plot.canvas, plot.palette
    counts = np.bincount(cells[order], minlength=canvas.rows * canvas.columns)
    order = order[counts[cells[order]] > 1]
    if not len(order):
        return
    plot.signs.append((ON_GROUND, "muted", SEVERAL))
    front, other = np.full(len(counts), -1), np.full(len(counts), -1)
    front[cells[order]] = order  # the last one painted stays
    others = order[tones[order] != tones[front[cells[order]]]]
    other[cells[others]] = others
    several = np.flatnonzero(front >= 0)
    r, c = np.divmod(several, canvas.columns)
    shown, mixed, many = front[several], other[several] >= 0, counts[several] > 2
    under = np.where(mixed, colours[other[several]], colours[shown])
    share = np.where(mixed, _OTHER, np.where(many, _GROUND[1], _GROUND[0]))[:, None]
    lighter = np.where(many, _LIGHTER[1], _LIGHTER[0])[:, None]
    canvas.ground[r, c] = pack(unpack(canvas.ground[r, c]) * (1 - share) + unpack(under) * share)
    canvas.ink[r, c] = pack(unpack(colours[shown]) * (1 - lighter) + unpack(palette.ink) * lighter)
    canvas.bold[r, c] = True  # where there are no colours


def _mask(given: Array | None, n: int) -> Array:
    return np.zeros(n, bool) if given is None else np.asarray(given, bool)


def tones_of(mark: Points, n: int) -> Array:
    if mark.classes is not None:
        return np.asarray(mark.classes, np.intp)
    if mark.shares is not None:
        return np.asarray(mark.shares.argmax(axis=1), np.intp)
    return np.full(n, mark.tone if isinstance(mark.tone, int) else 0, np.intp)


def _looks(mark: Points, n: int, palette: Palette) -> tuple[Array, Array]:
    """Choose the colour and the glyph of each point."""
    tones = tones_of(mark, n)
    table = np.array(palette.classes, np.int32)
    if mark.shares is not None:
        parts = unpack(table[np.arange(mark.shares.shape[1]) % len(table)])
        colours = pack(mark.shares.astype(np.float32) @ parts)
    elif mark.classes is None:
        colours = np.full(n, palette.tone(mark.tone), np.int32)
    else:
        colours = table[tones % len(table)]
    glyphs = _codes(GLYPHS)[tones % len(GLYPHS)]
    if mark.weights is not None:
        small = _codes(SMALL)[tones % len(SMALL)]
        weights = np.asarray(mark.weights)
        glyphs = np.where(weights < 0.35, small, glyphs)
        dim = pack(np.asarray(unpack(colours) * 0.6 + unpack(palette.panel) * 0.4))
        colours = np.where(weights < 0.12, dim, colours)
    return np.asarray(colours), np.asarray(glyphs)


@lru_cache
def _codes(glyphs: str) -> Array:
    return np.array([ord(g) for g in glyphs], np.uint32)


def _hollow(mark: Points, n: int) -> Array:
    return np.asarray(_codes(HOLLOW)[tones_of(mark, n) % len(HOLLOW)])


def _edge_glyphs(plot: Plot, at: Array) -> Array:
    """Choose arrows for points outside the view: the way they lie."""
    view = plot.limits
    left, right, up, down = (ord(g) for g in _EDGE)
    beside = np.where(at[:, 0] < view.left, left, right)
    above = np.where(at[:, 1] > view.top, up, down)
    across = (at[:, 0] < view.left) | (at[:, 0] > view.right)
    return np.where(across, beside, above).astype(np.uint32)
