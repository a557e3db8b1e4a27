"""How each resolved mark is painted on a plot."""

from functools import lru_cache, singledispatch

import numpy as np

from algorithms.core import Array, Arrow, Bars, DragHandles, Labels, Matrix, Path, Points, Segments, Units
from algorithms.core.resolve import Faded, Levels, Tint
from algorithms.core.scene import Mark
from tui.paint.canvas import HALF, SPACE, width_of
from tui.paint.palette import GLYPHS, HOLLOW, SMALL, Palette, glyph_of, mix, pack, unpack
from tui.paint.plot import Plot

SHADES = 5  # of a tint, from its boundary to its fullest
_EDGE = "◂▸▴▾"
_FADED = 0.75
_HALO = 0.5  # of a point's colour in the ground around it
_MANY = 12  # ringed points from which on they are marked softly


@singledispatch
def paint(mark: Mark, plot: Plot) -> None:
    """Paint a resolved mark."""
    raise TypeError(f"{type(mark).__name__} is not a mark that can be painted")


@paint.register
def _(mark: DragHandles, plot: Plot) -> None:
    """Nothing: what can be moved by them is painted by other marks."""


@paint.register
def _(mark: Points, plot: Plot) -> None:
    n = len(mark.at)
    column, row, inside = plot.cells(mark.at)
    colours, glyphs = _looks(mark, n, plot.palette)
    canvas, palette = plot.canvas, plot.palette
    ringed = _mask(mark.ringed, n)
    crossed = _mask(mark.crossed, n)
    glyphs = np.where(crossed, _hollow(mark, n), glyphs)
    edge = _edge_glyphs(plot, mark.at)
    glyphs = np.where(inside, glyphs, edge)
    haloed = _mask(mark.haloed, n)
    order = np.arange(n) if mark.weights is None else np.argsort(mark.weights, kind="stable")
    plain = ~ringed & ~haloed
    for layer in (plain & ~crossed, plain & crossed, haloed & ~ringed, ringed):  # what matters most comes last
        chosen = order[layer[order]]
        r, c = row[chosen], column[chosen]
        canvas.glyphs[r, c], canvas.ink[r, c], canvas.dots[r, c] = glyphs[chosen], colours[chosen], 0
    r, c = row[haloed], column[haloed]
    canvas.ground[r, c] = pack(np.asarray(unpack(colours[haloed]) * _HALO + unpack(palette.panel) * (1 - _HALO)))
    canvas.bold[r, c] = True
    r, c = row[ringed], column[ringed]
    if int(ringed.sum()) > _MANY:  # a crowd in full yellow would hide what it is about
        canvas.ground[r, c] = pack(unpack(canvas.ground[r, c]) * 0.62 + unpack(palette.held) * 0.38)
        canvas.ink[r, c], canvas.bold[r, c] = palette.ink, True
    else:
        canvas.ground[r, c], canvas.ink[r, c], canvas.bold[r, c] = palette.held, palette.on_held, True
    if 0 < int(ringed.sum()) <= 3:
        for x, y in zip(c.tolist(), r.tolist()):
            for beside, bracket in ((x - 1, "⟨"), (x + 1, "⟩")):
                if 0 <= beside < canvas.columns:
                    canvas.text(beside, y, bracket, palette.accent, bold=True)


def _mask(given: Array | None, n: int) -> Array:
    return np.zeros(n, bool) if given is None else np.asarray(given, bool)


def _tones(mark: Points, n: int) -> Array:
    if mark.classes is not None:
        return np.asarray(mark.classes, np.intp)
    if mark.shares is not None:
        return np.asarray(mark.shares.argmax(axis=1), np.intp)
    return np.full(n, mark.tone if isinstance(mark.tone, int) else 0, np.intp)


def _looks(mark: Points, n: int, palette: Palette) -> tuple[Array, Array]:
    """The colour and the glyph of each point."""
    tones = _tones(mark, n)
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
    return np.asarray(_codes(HOLLOW)[_tones(mark, n) % len(HOLLOW)])


def _edge_glyphs(plot: Plot, at: Array) -> Array:
    """For points outside the view, the way they lie."""
    view = plot.limits
    left, right, up, down = (ord(g) for g in _EDGE)
    beside = np.where(at[:, 0] < view.left, left, right)
    above = np.where(at[:, 1] > view.top, up, down)
    across = (at[:, 0] < view.left) | (at[:, 0] > view.right)
    return np.where(across, beside, above).astype(np.uint32)


@paint.register
def _(mark: Labels, plot: Plot) -> None:
    column, row, inside = plot.cells(mark.at)
    tones = mark.tones if len(mark.tones) == len(mark.at) else mark.tones[:1] * len(mark.at)
    palette, canvas = plot.palette, plot.canvas
    for i, (c, r) in enumerate(zip(column.tolist(), row.tolist())):
        glyph = mark.glyph if inside[i] else "·"
        ground, ink = mix(palette.background, palette.tone(tones[i]), 0.85), palette.background
        text = f" {mark.texts[i]} "
        canvas.text(c, r, glyph, ink, ground, bold=True)
        start = c + 1 if c + 1 + width_of(text) <= canvas.columns else c - width_of(text)
        canvas.text(start, r, text, ink, ground, bold=True)


@paint.register
def _(mark: Path, plot: Plot) -> None:
    plot.line(mark.at, plot.palette.tone(mark.tone))
    if mark.name and len(mark.at):
        _name_end(mark.at[-1:], mark.name, plot, plot.palette.tone(mark.tone))


@paint.register
def _(mark: Segments, plot: Plot) -> None:
    if mark.values is None:
        plot.segments(mark.start, mark.end, plot.palette.tone(mark.tone))
        return
    strength = np.abs(mark.values)
    for i in np.argsort(strength, kind="stable").tolist():  # the strongest last, on top
        ink = mix(plot.palette.panel, _signed(float(mark.values[i]), plot.palette), 0.15 + 0.85 * float(strength[i]))
        plot.segments(mark.start[i : i + 1], mark.end[i : i + 1], ink)


def _signed(value: float, palette: Palette) -> int:
    """The colour of a sign."""
    return palette.classes[1] if value >= 0 else palette.classes[0]


@paint.register
def _(mark: Units, plot: Plot) -> None:
    canvas, palette = plot.canvas, plot.palette
    column, row, _ = plot.cells(mark.at)
    for i, (c, r) in enumerate(zip(column.tolist(), row.tolist())):
        value = float(np.clip(np.nan_to_num(mark.values[i]), -1.0, 1.0))
        ground = mix(palette.line, _signed(value, palette), round(abs(value) * 12) / 12)
        marked = mark.marked is not None and bool(mark.marked[i])
        text = mark.texts[i] if mark.texts else " "
        text = f"⟨{text}⟩" if marked else f" {text} "
        start = min(max(c - width_of(text) // 2, 0), max(canvas.columns - width_of(text), 0))
        canvas.text(start, r, text, palette.background if abs(value) > 0.5 else palette.ink, ground, bold=marked)
        if marked:
            canvas.text(start, r, "⟨", palette.accent, ground, bold=True)
            canvas.text(start + width_of(text) - 1, r, "⟩", palette.accent, ground, bold=True)


@paint.register
def _(mark: Arrow, plot: Plot) -> None:
    ink = plot.palette.tone(mark.tone)
    plot.segments(mark.start, mark.end, ink)
    x, y = plot.dots(np.concatenate([mark.start, mark.end]))
    if not np.isfinite(np.r_[x, y]).all() or np.hypot(x[1] - x[0], y[1] - y[0]) < 1:
        return
    angle = np.arctan2(y[1] - y[0], x[1] - x[0])
    for turn in (2.6, -2.6):
        barb = np.array([[x[1], y[1], x[1] + 6 * np.cos(angle + turn), y[1] + 6 * np.sin(angle + turn)]])
        plot.pieces(barb, ink)
    if mark.name:
        _name_end(mark.end, mark.name, plot, ink)


def _name_end(at: Array, name: str, plot: Plot, ink: int) -> None:
    """A name just right of a place, or left of it where there is no room."""
    column, row, inside = plot.cells(at)
    if inside[0]:
        start = int(column[0]) + 2
        if start + width_of(name) > plot.canvas.columns:
            start = int(column[0]) - 1 - width_of(name)
        plot.canvas.text(start, int(row[0]), name, ink, bold=True)


@paint.register
def _(mark: Faded, plot: Plot) -> None:
    """Another mark, drawn in a colour near the panel's."""
    base = plot.palette
    share = 0.35 * (1.0 - _FADED * mark.age)
    if isinstance(mark.mark, Path):
        plot.line(mark.mark.at, mix(base.panel, base.tone(mark.mark.tone), share + 0.12))
    elif isinstance(mark.mark, Levels):
        _level_lines(mark.mark, plot, mix(base.panel, base.tone(mark.mark.tone), share + 0.12))
    else:
        paint(mark.mark, plot)


@paint.register
def _(mark: Tint, plot: Plot) -> None:
    """Two half-cells a cell, as the background; so what comes after keeps it."""
    canvas, rows = plot.canvas, mark.tones.shape[0]
    if not canvas.rows or not canvas.columns:
        return
    across = np.arange(canvas.columns) * mark.tones.shape[1] // canvas.columns
    down = np.arange(canvas.rows * 2) * rows // (canvas.rows * 2)
    colours = _tint_colours(mark, plot.palette)[np.ix_(down, across)]
    top, bottom = colours[0::2], colours[1::2]
    two = top != bottom
    canvas.ground[:] = bottom
    canvas.glyphs[:] = np.where(two, HALF, SPACE)
    canvas.ink[:] = np.where(two, top, canvas.ink)


def _tint_colours(mark: Tint, palette: Palette) -> Array:
    low, high = palette.tint
    if mark.shares is not None:
        steps = np.round(mark.shares * 6) / 6  # few colours: a terminal paints runs of one colour
        parts = unpack(np.array([palette.tone(t) for t in mark.palette], np.int32))
        over = steps @ parts
        return pack(unpack(palette.panel) * (1 - high * 0.8) + over * (high * 0.8))
    shade = np.minimum((mark.strength * SHADES).astype(np.intp), SHADES - 1)
    table = np.array(
        [
            [mix(palette.panel, palette.tone(t), low + (high - low) * s / (SHADES - 1)) for s in range(SHADES)]
            for t in range(len(palette.classes))
        ],
        np.int32,
    )
    return np.asarray(np.where(mark.tones < 0, palette.panel, table[mark.tones % len(table), shade]))


@paint.register
def _(mark: Levels, plot: Plot) -> None:
    _level_lines(mark, plot, plot.palette.tone(mark.tone))


def _level_lines(mark: Levels, plot: Plot, ink: int) -> None:
    canvas = plot.canvas
    if not canvas.rows or not canvas.columns:
        return
    heights = mark.height if mark.winner else mark.height[None]
    fine = np.stack([_finer(h, canvas.rows * 4, canvas.columns * 2) for h in heights])
    bands = [fine.argmax(axis=0)] if mark.winner else [fine[0] > level for level in mark.levels]
    for i, band in enumerate(bands):
        y, x = np.nonzero(_edge(band) if mark.winner else _thin_edge(band, fine[0]))
        weaker = not mark.winner and len(mark.levels) > 1 and mark.levels[i] != 0
        canvas.braille(x.astype(float), y.astype(float), mix(plot.palette.panel, ink, 0.55) if weaker else ink)


def _edge(band: Array) -> Array:
    """Where a band ends, downwards or across."""
    edge = np.zeros(band.shape, bool)
    edge[:-1] |= band[1:] != band[:-1]
    edge[:, :-1] |= band[:, 1:] != band[:, :-1]
    return edge


def _thin_edge(band: Array, height: Array) -> Array:
    """Where a band ends, one dot wide: looked for downwards where the height changes most that way, else across."""
    edge = np.zeros(band.shape, bool)
    down, across = band[1:, :-1] != band[:-1, :-1], band[:-1, 1:] != band[:-1, :-1]
    steep = np.abs(height[1:, :-1] - height[:-1, :-1]) >= np.abs(height[:-1, 1:] - height[:-1, :-1])
    edge[:-1, :-1] = np.where(steep, down, across)
    edge[-1, :-1] = band[-1, 1:] != band[-1, :-1]
    edge[:-1, -1] = band[1:, -1] != band[:-1, -1]
    return edge


def _finer(height: Array, rows: int, columns: int) -> Array:
    """Bilinear interpolation of values at cell centres, on a finer grid of cell centres."""

    def weights(fine: int, coarse: int) -> tuple[Array, Array]:
        at = np.clip((np.arange(fine) + 0.5) * coarse / fine - 0.5, 0, coarse - 1)
        low = np.minimum(at.astype(np.intp), max(coarse - 2, 0))
        return low, at - low

    r, s = weights(rows, height.shape[0])
    c, q = weights(columns, height.shape[1])
    down = height[r] * (1 - s)[:, None] + height[np.minimum(r + 1, height.shape[0] - 1)] * s[:, None]
    return np.asarray(down[:, c] * (1 - q) + down[:, np.minimum(c + 1, height.shape[1] - 1)] * q)


@paint.register
def _(mark: Bars, plot: Plot) -> None:
    """Bars in eighths of a cell, from 0 up (or down)."""
    m = len(mark.heights)
    edges = mark.edges if mark.edges is not None else np.arange(m + 1) - 0.5
    tones = mark.tones if len(mark.tones) == m else mark.tones[:1] * m
    canvas, view = plot.canvas, plot.limits
    centre = view.left + (np.arange(canvas.columns) + 0.5) / max(canvas.columns, 1) * view.width
    bar = np.searchsorted(edges, centre, side="right") - 1
    for column, i in enumerate(bar.tolist()):
        apart = mark.edges is None and column + 1 < canvas.columns and bar[column + 1] != i
        if 0 <= i < m and np.isfinite(mark.heights[i]) and not apart:
            _bar(plot, column, float(mark.heights[i]), _bar_ink(tones[i], plot.palette))


def _bar_ink(tone: int | str, palette: Palette) -> int:
    """A muted bar is a ground on which lines are read: nearer to the panel than a muted line is."""
    return mix(palette.panel, palette.dim, 0.35) if tone == "muted" else palette.tone(tone)


def _bar(plot: Plot, column: int, height: float, ink: int) -> None:
    canvas, view = plot.canvas, plot.limits
    eighths = canvas.rows * 8
    zero = round((min(max(0.0, view.bottom), view.top) - view.bottom) / view.height * eighths)
    end = round(np.clip((height - view.bottom) / view.height, 0.0, 1.0) * eighths)
    low, high = min(zero, end), max(zero, end)
    if height > 0 and high == low:
        high = low + 1  # something is there
    if low == high:
        return
    for row in range(low // 8, min((high + 7) // 8, canvas.rows)):
        y = canvas.rows - 1 - row
        upto = min(high - row * 8, 8)
        below = max(low - row * 8, 0)
        if below:  # a bar that hangs from the zero line: its end is cut out of a full cell
            canvas.glyphs[y, column] = 0x2580 + below
            canvas.ink[y, column], canvas.ground[y, column] = canvas.ground[y, column], ink
        elif upto == 8:  # as the background, so that a line in front of it leaves it whole
            canvas.glyphs[y, column], canvas.ground[y, column] = SPACE, ink
        else:
            canvas.glyphs[y, column], canvas.ink[y, column] = 0x2580 + upto, ink
        canvas.dots[y, column] = 0


@paint.register
def _(mark: Matrix, plot: Plot) -> None:
    """Numbers as an image that fills the plot, two half-cells a cell."""
    canvas, palette = plot.canvas, plot.palette
    if not canvas.rows or not canvas.columns:
        return
    values = np.asarray(mark.values, float)
    finite = values[np.isfinite(values)]
    greatest = float(np.abs(finite).max()) if len(finite) else 0.0
    if mark.signed:
        share = np.nan_to_num(values / (greatest or 1.0))
        ends = np.where(share >= 0, palette.classes[1], palette.classes[0])
        share = np.abs(share)
    else:
        low = float(finite.min()) if len(finite) else 0.0
        share = np.nan_to_num((values - low) / ((float(finite.max()) - low if len(finite) else 0.0) or 1.0))
        ends = np.full(values.shape, palette.ink)
    share = np.round(share * 24) / 24
    under = unpack(palette.panel)
    colours = pack(under * (1 - share[..., None]) + unpack(ends) * share[..., None])
    across = np.arange(canvas.columns) * values.shape[1] // canvas.columns
    down = np.arange(canvas.rows * 2) * values.shape[0] // (canvas.rows * 2)
    shown = colours[np.ix_(down, across)]
    canvas.glyphs[:], canvas.ink[:], canvas.ground[:] = HALF, shown[0::2], shown[1::2]
    canvas.dots[:] = 0


def legend_of(
    marks: tuple[Mark, ...], codes: Array | None, classes: tuple[str, ...]
) -> list[tuple[str, int | str, str]]:
    """(glyph, tone, name) of what the points of a plot say: classes, wrong rows.

    Points are the rows' classes where they have the data's own `codes`; else they are clusters, named in a table.
    """
    entries: list[tuple[str, int | str, str]] = []
    for mark in marks:
        if isinstance(mark, Points):
            if mark.classes is not None and codes is not None and np.array_equal(mark.classes, codes):
                entries += [(glyph_of(i), i, name) for i, name in enumerate(classes)]
            if mark.crossed is not None and bool(np.any(mark.crossed)):
                tones = sorted(set(_tones(mark, len(mark.at))[np.asarray(mark.crossed, bool)].tolist()))[:2]
                entries.append(("".join(glyph_of(t, HOLLOW) for t in tones), "muted", "wrong"))
    return entries
