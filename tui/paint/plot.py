"""A plot: a canvas with limits, on which points of the plane have cells."""

import math

import numpy as np

from algorithms.core import Array
from algorithms.core.scene import Tone
from algorithms.playback.pictures.limits import Limits
from tui.paint.canvas import Canvas, fitted, width_of
from tui.paint.names import Ground, Name
from tui.paint.palette import Palette, mix, strong_inks

_MANY = 100  # points of a line
_FEW, _LONG = 8, 4  # pieces, and dots of one, that may be drawn along a border
_FAR_DOTS = 4096  # of a piece that is looked at for what is seen of it
_FAR = 1e9  # views away at which a coordinate is cut, so that no number overflows

Piece = tuple[float, float, float, float]  # (x0, y0, x1, y1) in dots


class Plot:
    """What marks are painted on: cells, limits and a palette.

    Attributes:
        unnamed: (sign, tone, name) of what has no name on the plot, for the legend.
        signs: the same of how things are painted, for a legend that has room for it.
        past_seen: whether something of what was is in sight.
        tops: (rows, columns) colours of the upper halves of cells in regions.
        edges: (4 rows, 2 columns) bool, the dots of the borders of regions.
    """

    def __init__(self, canvas: Canvas, limits: Limits, palette: Palette):
        self.canvas, self.limits, self.palette = canvas, limits, palette
        self.unnamed: list[tuple[str, Tone, str]] = []
        self.signs: list[tuple[str, Tone, str]] = []
        self.past_seen = True
        self.edges: Array | None = None
        self.tops: Array | None = None
        self._strong = strong_inks(palette)
        self._lines = np.zeros(canvas.glyphs.shape, bool)  # the cells that lines pass
        self._names: list[Name] = []
        self._labels: list[Name] = []
        self._held: list[tuple[Array, ...]] = []
        self._arrows: list[tuple[Piece, str, Tone]] = []

    def dots(self, at: Array) -> tuple[Array, Array]:
        """Convert (m, 2) places to dot coordinates, two a column and four a row; cut far outside the view."""
        at = np.asarray(at, float)
        view = self.limits
        with np.errstate(all="ignore"):
            across = np.minimum(np.maximum((at[:, 0] - view.left) / view.width, -_FAR), _FAR)
            down = np.minimum(np.maximum((view.top - at[:, 1]) / view.height, -_FAR), _FAR)
        return across * (self.canvas.columns * 2) - 0.5, down * (self.canvas.rows * 4) - 0.5

    def cells(self, at: Array) -> tuple[Array, Array, Array]:
        """Convert (m, 2) places to (column, row, inside); a place outside the view has its nearest cell at the edge."""
        x, y = self.dots(at)
        with np.errstate(invalid="ignore"):
            column, row = np.floor((x + 0.5) / 2), np.floor((y + 0.5) / 4)
            inside = (column >= 0) & (column < self.canvas.columns) & (row >= 0) & (row < self.canvas.rows)
        known = np.isfinite(column) & np.isfinite(row)
        column = np.clip(np.where(known, column, 0), 0, max(self.canvas.columns - 1, 0)).astype(np.intp)
        row = np.clip(np.where(known, row, 0), 0, max(self.canvas.rows - 1, 0)).astype(np.intp)
        return column, row, inside & known

    def place(self, column: float, row: float) -> tuple[float, float]:
        """Find the point of the plane at the middle of a cell."""
        view = self.limits
        x = view.left + (column + 0.5) / max(self.canvas.columns, 1) * view.width
        return x, view.top - (row + 0.5) / max(self.canvas.rows, 1) * view.height

    def name(self, at: Array, name: str, tone: Tone, sign: str = "━", piece: Piece | None = None) -> None:
        """Name what ends at the first of (m, 2) places and lies at the others; in the legend if it is out of sight.

        Args:
            piece: (x0, y0, x1, y1) in dots of an arrow that has no name where all of it is covered, as of what was.
        """
        column, row, inside = self.cells(at)
        if inside[0]:
            cells = list(zip(column[inside].tolist(), row[inside].tolist()))
            ink = self.palette.tone(tone)
            self._names.append(Name(*cells[0], name, ink, None, sign, tone, tuple(cells[1:]), piece))
        else:
            self.unnamed.append((sign, tone, name))

    def name_arrow(self, piece: Piece, name: str, tone: Tone) -> None:
        """Name an arrow in the legend, if something of it is seen once all is drawn."""
        self._arrows.append((piece, name, tone))

    def name_cell(self, column: int, row: int, name: str, tone: Tone, sign: str = "━") -> None:
        """Name what is in a cell, once all is drawn: nearby, where that covers nothing, else in the legend."""
        self._names.append(Name(column, row, name, self.palette.tone(tone), sign=sign, tone=tone))

    def label(self, column: int, row: int, glyph: str, text: str, tone: Tone) -> None:
        """Mark a cell, with a text beside it, once all is drawn."""
        ground = mix(self.palette.background, self.palette.tone(tone), self.palette.label)
        self._labels.append(Name(column, row, f" {text} ", self.palette.background, ground, glyph, tone))

    def hold(self, rows: Array, columns: Array) -> None:
        """Have the cells stay as they are now, whatever is painted after."""
        canvas = self.canvas
        self._held.append((rows, columns, *(part[rows, columns] for part in _parts(canvas))))

    def write_names(self) -> None:
        """Put what is held, then labels, then names; those for which there is no room are left to the legend."""
        canvas = self.canvas
        kept = np.zeros(canvas.glyphs.shape, bool)
        for rows, columns, *parts in self._held:
            for part, held in zip(_parts(canvas), parts):
                part[rows, columns] = held
            kept[rows, columns], canvas.dots[rows, columns] = True, 0
        for label in self._labels:
            if label.marks and not kept[label.row, label.column]:
                canvas.text(label.column, label.row, label.sign, label.ink, label.ground, bold=True)
        for label in self._labels:
            kept[label.row, label.column] |= label.marks
        ground = Ground(canvas, self._lines, kept) if self._labels or self._names else None
        arrows = [("→", tone, name) for piece, name, tone in self._arrows if self._shows(piece, tone)]
        hidden = {i for i, name in enumerate(self._names) if name.piece and not self._shows(name.piece, name.tone)}
        self._names = [name for i, name in enumerate(self._names) if i not in hidden]
        for name in [*self._labels, *self._names]:
            assert ground is not None
            if not name.text.strip():  # a mark alone
                continue
            place = ground.place(name)
            if place is None:
                self.unnamed.append((name.sign, name.tone, name.text.strip()))
            else:
                canvas.text(*place, name.text, name.ink, name.ground, bold=True)
        self.unnamed += arrows
        self._names, self._labels, self._held, self._arrows = [], [], [], []

    def _shows(self, piece: Piece, tone: Tone) -> bool:
        """Tell whether a straight piece in dots is seen in its colour: in two cells, or in the only one it passes."""
        x0, y0, x1, y1 = piece
        share = np.linspace(0.0, 1.0, int(min(max(abs(x1 - x0), abs(y1 - y0)), _FAR_DOTS)) + 2)
        column = np.floor((x0 + share * (x1 - x0) + 0.5) / 2).astype(np.intp)
        row = np.floor((y0 + share * (y1 - y0) + 0.5) / 4).astype(np.intp)
        inside = (column >= 0) & (column < self.canvas.columns) & (row >= 0) & (row < self.canvas.rows)
        row, column = np.unique(np.stack([row[inside], column[inside]]), axis=1)
        seen = (self.canvas.dots[row, column] > 0) & (self.canvas.ink[row, column] == self.palette.tone(tone))
        return int(seen.sum()) >= max(min(2, len(row)), 1)

    def remark(self, text: str) -> None:
        """Say at the upper right how the plot differs from what it shows."""
        text = fitted(f" {text} ", self.canvas.columns)
        self.canvas.text(self.canvas.columns - width_of(text), 0, text, self.palette.dim, self.palette.panel)

    def line(self, at: Array, ink: int) -> None:
        """Draw straight pieces through (m, 2) places in braille; NaN lifts the pen."""
        if len(at) < 2:
            return
        x, y = self.dots(at)
        if len(x) > 8 * self.canvas.columns and bool((np.diff(x) >= 0).all()):
            x, y = _columns_span(x, y)
        elif len(x) > _MANY:  # of those that follow each other in one dot the first
            with np.errstate(invalid="ignore"):
                new = np.r_[True, (np.diff(np.rint(x)) != 0) | (np.diff(np.rint(y)) != 0)]
            x, y = x[new], y[new]
        self.pieces(np.stack([x[:-1], y[:-1], x[1:], y[1:]], axis=1), ink)

    def segments(self, start: Array, end: Array, ink: int) -> None:
        """Draw separate pieces from (m, 2) to (m, 2)."""
        x0, y0 = self.dots(start)
        x1, y1 = self.dots(end)
        self.pieces(np.stack([x0, y0, x1, y1], axis=1), ink)

    def in_turn(self, start: Array, end: Array, inks: Array) -> None:
        """Draw separate pieces from (m, 2) to (m, 2), each over those before it and in an ink of its own."""
        ends = np.concatenate([*self.dots(start), *self.dots(end)]).reshape(4, -1).T
        right, bottom = self.canvas.columns * 2 - 0.5, self.canvas.rows * 4 - 0.5
        alone = np.isin(inks, list(self._strong))  # which yields to none but its like
        if self.edges is not None or not _all_inside(ends, right, bottom):
            alone[:] = True
        first = 0
        for i in (*np.flatnonzero(alone).tolist(), len(inks)):
            if first < i:
                x, y, piece = _dots_of_all(ends[first:i])
                rows, columns = self.canvas.braille_in_turn(x, y, piece, inks[first:i], self._strong)
                self._lines[rows, columns] = True
            if i < len(inks):
                self.pieces(ends[i : i + 1], int(inks[i]))
            first = i + 1

    def pieces(self, ends: Array, ink: int) -> None:
        """Draw pieces (m, 4) from (x0, y0) to (x1, y1) in dots, cut at the edges."""
        cut = _clipped(ends, self.canvas.columns * 2 - 0.5, self.canvas.rows * 4 - 0.5)
        if not len(cut):
            return
        if self.edges is not None and len(cut) <= _FEW:
            self._take_edges(cut)
        if len(cut) == 1:
            x, y = _dots_along(*cut[0].tolist())
        else:
            x, y, _ = _dots_of_all(cut)
        self.trace(x, y, ink, line=True)

    def trace(self, x: Array, y: Array, ink: int, line: bool) -> None:
        """Set dots, where faint ones and what was give way to those of full colour.

        Args:
            line: whether they are of a line, which names keep off; not of one of many levels.
        """
        rows, columns = self.canvas.braille(x, y, ink, self._strong)
        self._lines[rows, columns] |= line

    def _take_edges(self, cut: Array) -> None:
        """Take away the dots of a border that is a dot beside an upright or level piece: it is drawn there."""
        assert self.edges is not None
        for x0, y0, x1, y1 in np.rint(cut).astype(np.intp).tolist():
            if x0 == x1 and abs(y1 - y0) >= _LONG:
                along = np.arange(min(y0, y1), max(y0, y1) + 1)
                self._take_dots(np.tile(along, 2), np.repeat([x0 - 1, x0 + 1], len(along)))
            elif y0 == y1 and abs(x1 - x0) >= _LONG:
                along = np.arange(min(x0, x1), max(x0, x1) + 1)
                self._take_dots(np.repeat([y0 - 1, y0 + 1], len(along)), np.tile(along, 2))

    def _take_dots(self, down: Array, across: Array) -> None:
        """Take away those of the dots that are of a border."""
        assert self.edges is not None
        height, width = self.edges.shape
        inside = (down >= 0) & (down < height) & (across >= 0) & (across < width)
        down, across = down[inside], across[inside]
        edge = self.edges[down, across]
        self.canvas.clear(down[edge], across[edge], self.tops)


def _parts(canvas: Canvas) -> tuple[Array, ...]:
    return canvas.glyphs, canvas.ink, canvas.ground, canvas.bold


def _columns_span(x: Array, y: Array) -> tuple[Array, Array]:
    """Thin a dense line to the lowest and highest value of each dot column, in the order they come."""
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    if not len(x):
        return x, y
    first = np.flatnonzero(np.r_[True, np.diff(np.rint(x)) != 0])
    low, high = np.minimum.reduceat(y, first), np.maximum.reduceat(y, first)
    column = np.rint(x[first])
    rising = y[np.r_[first[1:], len(y)] - 1] >= y[first]
    a, b = np.where(rising, low, high), np.where(rising, high, low)
    return np.repeat(column, 2), np.stack([a, b], axis=1).ravel()


def _dots_along(x0: float, y0: float, x1: float, y1: float) -> tuple[Array, Array]:
    """Step from one end of a piece to the other, a dot at most at a time."""
    steps = int(max(abs(x1 - x0), abs(y1 - y0))) + 1
    share = np.arange(steps + 1) / steps
    return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share


def _dots_of_all(cut: Array) -> tuple[Array, Array, Array]:
    """Step along each of (m, 4) pieces, as along one: the dots of all and which piece each is of."""
    steps = np.maximum(np.abs(cut[:, 2] - cut[:, 0]), np.abs(cut[:, 3] - cut[:, 1])).astype(np.intp) + 1
    piece = np.repeat(np.arange(len(cut)), steps + 1)
    step = np.arange(len(piece)) - np.repeat(np.cumsum(steps + 1) - (steps + 1), steps + 1)
    share = step / steps[piece]
    x = cut[piece, 0] + (cut[:, 2] - cut[:, 0])[piece] * share
    y = cut[piece, 1] + (cut[:, 3] - cut[:, 1])[piece] * share
    return x, y, piece


def _all_inside(ends: Array, right: float, bottom: float) -> bool:
    """Whether no piece has to be cut, as most often; NaN is nowhere."""
    return bool(((ends >= -0.5) & (ends <= (right, bottom, right, bottom))).all())


def _clipped(ends: Array, right: float, bottom: float) -> Array:
    """Clip each piece to [-0.5, right] x [-0.5, bottom] (Liang and Barsky, 1984); others are dropped."""
    if _all_inside(ends, right, bottom):
        return ends
    if len(ends) <= _FEW:
        found = [left for piece in ends.tolist() if (left := _clipped_alone(piece, right, bottom))]
        return np.array(found).reshape(-1, 4)
    ends = ends[np.isfinite(ends).all(axis=1)]
    x0, y0, x1, y1 = ends.T
    dx, dy = x1 - x0, y1 - y0
    enter, leave = np.zeros(len(ends)), np.ones(len(ends))
    keep = np.ones(len(ends), bool)
    for p, q in ((-dx, x0 + 0.5), (dx, right - x0), (-dy, y0 + 0.5), (dy, bottom - y0)):
        with np.errstate(all="ignore"):
            r = q / p
        enter = np.where(p < 0, np.maximum(enter, r), enter)
        leave = np.where(p > 0, np.minimum(leave, r), leave)
        keep &= (p != 0) | (q >= 0)
    keep &= enter <= leave
    cut = np.stack([x0 + enter * dx, y0 + enter * dy, x0 + leave * dx, y0 + leave * dy], axis=1)
    return np.asarray(cut[keep])


def _clipped_alone(piece: list[float], right: float, bottom: float) -> tuple[float, ...]:
    """Clip one piece as `_clipped` does many, which takes that fourteen times as long; () where nothing is left."""
    if not all(map(math.isfinite, piece)):
        return ()
    x0, y0, x1, y1 = piece
    dx, dy = x1 - x0, y1 - y0
    enter, leave = 0.0, 1.0
    for p, q in ((-dx, x0 + 0.5), (dx, right - x0), (-dy, y0 + 0.5), (dy, bottom - y0)):
        if p < 0:
            enter = max(enter, q / p)
        elif p > 0:
            leave = min(leave, q / p)
        elif q < 0:
            return ()
    if enter > leave:
        return ()
    return x0 + enter * dx, y0 + enter * dy, x0 + leave * dx, y0 + leave * dy
