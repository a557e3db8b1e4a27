"""Points: a glyph and a colour a class, rings, crosses and halos; several rows in one cell are seen to be several."""

from collections import OrderedDict
from functools import lru_cache

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Points
from algorithms.core.arrays import first_greatest
from algorithms.core.scene import Tone
from tui.paint.canvas import HALF, SPACE
from tui.paint.dispatch import paint
from tui.paint.names import BRACKETS
from tui.paint.palette import FADED, GLYPHS, HOLLOW, SMALL, Palette, mix, pack, unpack
from tui.paint.plot import Plot

ON_GROUND = " ● "  # in a legend, the sign of points on a ground of their own
THIS_STEP, SEVERAL = "this step", "several rows"  # what they are
AT_END = "a point at a bar's end"  # points of which a half is seen
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
_COMPARED = 64  # shares of a row that are compared column by column, where many rows are asked for
_MOST_KEPT = 8
_KEPT: OrderedDict[tuple[object, ...], tuple[Array, "_Places"]] = OrderedDict()


class _Places(Struct, frozen=True, eq=False):
    """Where points lie on the cells of a plot.

    Attributes:
        cells: (n,) which cell each is in, the nearest for one outside the view.
        inside: (n,) whether it is inside.
        last: (cells,) the last of those in each, -1 where none is.
        upper: (rows, columns) the cells in whose upper half one lies.
    """

    cells: Array
    inside: Array
    last: Array
    upper: Array


@paint.register
def _(mark: Points, plot: Plot) -> None:
    n = len(mark.at)
    canvas, palette = plot.canvas, plot.palette
    places = _places(mark.at, plot)
    cells, inside = places.cells, places.inside
    if plot.tops is not None:  # the cell of a point is on the region of the half-cell that the point lies in
        free = places.upper & ((canvas.glyphs == HALF) | (canvas.glyphs == SPACE))  # no other point is there
        canvas.ground[free] = plot.tops[free]
    halved = _halves(mark, plot, places)
    ringed, crossed, haloed, faded = (_mask(of, n) for of in (mark.ringed, mark.crossed, mark.haloed, mark.faded))
    numbers = None if mark.weights is None else np.argsort(mark.weights, kind="stable")  # as they are painted
    last = _last_painted(mark, places, numbers)
    seen = np.flatnonzero(last >= 0)
    shown = last[seen]  # of each cell the point that was painted last
    r, c = np.divmod(seen, canvas.columns)
    colours, glyphs = _looks(mark, shown, palette)
    glyphs = np.where(crossed[shown], _codes(HOLLOW)[tones_of(mark, shown) % len(HOLLOW)], glyphs)
    glyphs = np.where(faded[shown], ord(FADED), glyphs)
    glyphs = np.where(inside[shown], glyphs, _edge_glyphs(plot, mark.at[shown]))
    canvas.glyphs[r, c], canvas.dots[r, c] = glyphs, 0
    canvas.ink[r, c] = np.where(faded[shown], palette.dim, colours)
    for i, (own, lower, upper) in halved.items():  # the end of a bar stays, and the point is the other half
        at = divmod(int(cells[i]), canvas.columns)
        if canvas.ink[at] == (palette.dim if faded[i] else own):
            canvas.glyphs[at], canvas.ink[at], canvas.ground[at] = _LOWER, lower, upper
            plot.signs.append((chr(_LOWER), "muted" if mark.classes is not None else mark.tone, AT_END))
    if mark.rows:
        _crowd(mark, plot, _those(inside & ~(ringed | haloed | faded), numbers), cells)
    r, c = np.divmod(cells[np.flatnonzero(haloed)], canvas.columns)
    canvas.ground[r, c] = halo_of(palette)
    canvas.ink[r, c] = pack(unpack(canvas.ink[r, c]) * (1 - _ON_HALO) + unpack(palette.background) * _ON_HALO)
    canvas.bold[r, c] = True
    _ring(plot, *np.divmod(cells[np.flatnonzero(ringed)], canvas.columns))


def _last_painted(mark: Points, places: _Places, numbers: Array | None) -> Array:
    """(cells,) Find the point that is painted last in each cell, -1 where none is.

    Layers go over each other, what matters most last: faded ones, others, crossed, haloed, ringed ones. Each takes
    those of the next ones with it, which go over it anyway: so the lowest is all points, and of these it is kept.
    """
    last = places.last.copy()
    cells, shown = places.cells, None if mark.faded is None else ~np.asarray(mark.faded, bool)
    if numbers is not None:
        last[cells[numbers]] = numbers
    crossed = mark.crossed if mark.crossed is None or shown is None else np.asarray(mark.crossed, bool) & shown
    for layer in (shown, crossed, mark.haloed, mark.ringed):
        if layer is not None:
            chosen = _those(np.asarray(layer, bool), numbers)
            last[cells[chosen]] = chosen
    return last


def _those(mask: Array, numbers: Array | None) -> Array:
    """Give the numbers of the points for which the mask holds, as they are painted."""
    return np.flatnonzero(mask) if numbers is None else np.asarray(numbers[mask[numbers]])


def _places(at: Array, plot: Plot) -> _Places:
    """Find them; those of places that cannot change are kept, for the rows are where they were a step before."""
    key = (id(at), plot.limits, plot.canvas.columns, plot.canvas.rows)
    kept = _KEPT.get(key)
    if kept is not None and kept[0] is at:
        return kept[1]
    column, row, inside = plot.cells(at)
    upper = np.zeros((plot.canvas.rows, plot.canvas.columns), bool)
    higher = inside & ((plot.dots(at)[1] + 0.5) % 4 < 2)
    upper[row[higher], column[higher]] = True
    cells = row * plot.canvas.columns + column
    last = np.full(upper.size, -1)
    last[cells] = np.arange(len(at))
    places = _Places(cells, inside, last, upper)
    if not at.flags.writeable:
        _KEPT[key] = at, places
        while len(_KEPT) > _MOST_KEPT:
            _KEPT.popitem(last=False)
    return places


def _halves(mark: Points, plot: Plot, places: _Places) -> dict[int, tuple[int, int, int]]:
    """Put the cells of points in which a bar ends on one ground, where the bar has hardly any or nearly all of it; of
    the others, by point, give its colour and those of both halves, of which that is its own in which it lies."""
    canvas = plot.canvas
    eighths = canvas.glyphs.astype(np.int64) - (_LOWER - 4)
    ends = (eighths > 0) & (eighths < 8)
    halved: dict[int, tuple[int, int, int]] = {}
    if not ends.any():
        return halved
    points = np.flatnonzero(places.inside & ends.ravel()[places.cells])
    _, down = plot.dots(mark.at[points])
    colours, _ = _looks(mark, points, plot.palette)
    for i, below, own in zip(points.tolist(), ((down + 0.5) % 4 >= 2).tolist(), colours.tolist()):
        at = divmod(int(places.cells[i]), canvas.columns)
        part, lower, upper = int(eighths[at]), int(canvas.ink[at]), int(canvas.ground[at])
        if abs(part - 4) > 1:
            canvas.ground[at] = lower if part > 4 else upper
        else:
            halved[i] = (own, own, upper) if below else (own, lower, own)
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
    beside = _free_beside(plot, rows, columns) if len(rows) <= _FEW else {}
    if len(rows):
        plot.signs.append((BRACKETS if beside else ON_GROUND, "accent", THIS_STEP))
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
    for (y, x), bracket in beside.items():
        canvas.text(x, y, bracket, palette.accent, bold=True)
    cells |= set(beside)
    if cells:
        plot.hold(*np.array(sorted(cells)).T)


def _free_beside(plot: Plot, rows: Array, columns: Array) -> dict[tuple[int, int], str]:
    """Find the cells beside some points in which no point is, each with its bracket."""
    cells = set(zip(rows.tolist(), columns.tolist()))
    beside = {(y, x + side): bracket for y, x in cells for side, bracket in zip((-1, 1), BRACKETS)}
    glyphs, wide = plot.canvas.glyphs, plot.canvas.columns
    return {(y, x): bracket for (y, x), bracket in beside.items() if 0 <= x < wide and glyphs[y, x] not in _POINTS}


def _crowd(mark: Points, plot: Plot, order: Array, cells: Array) -> None:
    """Lighten the marks of cells with several rows, on a ground of their colour; of two classes, on the other one's.

    Args:
        order: the points in the order in which they were painted.
        cells: (n,) which cell each is in.
    """
    canvas, palette = plot.canvas, plot.palette
    cells = cells[order]
    counts = np.bincount(cells, minlength=canvas.rows * canvas.columns)
    several = np.flatnonzero(counts > 1)
    if not len(several):
        return
    plot.signs.append((ON_GROUND, "muted", SEVERAL))
    front, other = np.full(len(counts), -1), np.full(len(counts), -1)  # their places in the order
    front[cells] = np.arange(len(order))  # the last one painted stays
    tones = tones_of(mark, order)
    others = np.flatnonzero(tones != tones[front][cells])
    other[cells[others]] = others
    r, c = np.divmod(several, canvas.columns)
    shown, behind, many = order[front[several]], other[several], counts[several] > 2
    colours, _ = _looks(mark, shown, palette)
    under = np.where(behind >= 0, _looks(mark, order[behind], palette)[0], colours)
    share = np.where(behind >= 0, _OTHER, np.where(many, _GROUND[1], _GROUND[0]))[:, None]
    lighter = np.where(many, _LIGHTER[1], _LIGHTER[0])[:, None]
    canvas.ground[r, c] = pack(unpack(canvas.ground[r, c]) * (1 - share) + unpack(under) * share)
    canvas.ink[r, c] = pack(unpack(colours) * (1 - lighter) + unpack(palette.ink) * lighter)
    canvas.bold[r, c] = True  # where there are no colours


def _mask(given: Array | None, n: int) -> Array:
    return np.zeros(n, bool) if given is None else np.asarray(given, bool)


def tones_of(mark: Points, rows: Array) -> Array:
    """Give the number of the tone of some of the points."""
    if mark.classes is not None:
        return np.asarray(mark.classes, np.intp)[rows]
    if mark.shares is not None:
        if 2 * len(rows) < len(mark.shares) or mark.shares.shape[1] > _COMPARED:
            return np.asarray(mark.shares[rows].argmax(axis=1), np.intp)
        return np.asarray(first_greatest(mark.shares.T)[rows], np.intp)
    return np.full(len(rows), mark.tone if isinstance(mark.tone, int) else 0, np.intp)


def _looks(mark: Points, rows: Array, palette: Palette) -> tuple[Array, Array]:
    """Choose the colour and the glyph of some of the points."""
    tones = tones_of(mark, rows)
    table = np.array(palette.classes, np.int32)
    if mark.shares is not None:
        parts = unpack(table[np.arange(mark.shares.shape[1]) % len(table)])
        colours = pack(mark.shares[rows].astype(np.float32) @ parts)
    elif mark.classes is None:
        colours = np.full(len(rows), palette.tone(mark.tone), np.int32)
    else:
        colours = table[tones % len(table)]
    glyphs = _codes(GLYPHS)[tones % len(GLYPHS)]
    if mark.weights is not None:
        small = _codes(SMALL)[tones % len(SMALL)]
        weights = np.asarray(mark.weights)[rows]
        glyphs = np.where(weights < 0.35, small, glyphs)
        dim = pack(np.asarray(unpack(colours) * 0.6 + unpack(palette.panel) * 0.4))
        colours = np.where(weights < 0.12, dim, colours)
    return np.asarray(colours), np.asarray(glyphs)


@lru_cache
def _codes(glyphs: str) -> Array:
    return np.array([ord(g) for g in glyphs], np.uint32)


def _edge_glyphs(plot: Plot, at: Array) -> Array:
    """Choose arrows for points outside the view: the way they lie."""
    view = plot.limits
    left, right, up, down = (ord(g) for g in _EDGE)
    beside = np.where(at[:, 0] < view.left, left, right)
    above = np.where(at[:, 1] > view.top, up, down)
    across = (at[:, 0] < view.left) | (at[:, 0] > view.right)
    return np.where(across, beside, above).astype(np.uint32)
