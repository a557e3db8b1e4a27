"""Canvas: an array of cells, each a glyph with a colour on a background.

Braille dots are kept apart from glyphs until the end, so that lines may cross in one cell. Text that
comes from data enters through `text`, which lets no control character through.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from unicodedata import normalize

import numpy as np
from rich.cells import get_character_cell_size

from algorithms.core import Array
from tui.paint.legible import legible

SPACE = 32
HALF = ord("▀")  # two colours in a cell, one above the other
CONTINUED = 0  # the second cell of a character that is two wide
_UNKNOWN = 0xFFFD
_ACCENTS = str.maketrans({"\u0304": "¯", "\u0305": "¯", "\u0302": "^", "\u0303": "~"})  # a mean, an estimate
_DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]], np.uint8)  # [row, column] of a cell
_BRAILLE = 0x2800
_NUMBER = re.compile(r"(?<!\w)[-+]?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?")


@lru_cache(4096)
def cells_of(text: str) -> Array:
    """Encode a text as the cells it takes: code points, with nothing in them that could steer a terminal.

    A control or zero-width character becomes "�", but an accent that a letter cannot take up stands behind it ("w¯");
    a wide character is followed by a continued cell.
    """
    if text.isascii() and text.isprintable():
        return np.frombuffer(text.encode("utf-32-le"), np.uint32)
    text = normalize("NFC", text).translate(_ACCENTS)
    codes: list[int] = []
    for character in text:
        width = get_character_cell_size(character) if character.isprintable() else 0
        codes.append(ord(character) if width else _UNKNOWN)
        if width == 2:
            codes.append(CONTINUED)
    return np.array(codes, np.uint32)


def width_of(text: str) -> int:
    """Count the cells that a text takes."""
    return len(cells_of(text))


def fitted(text: str, width: int) -> str:
    """Cut the text to what fits, with an ellipsis; not within a number, since what is left of one is another."""
    if width_of(text) <= width:
        return text
    longest = bisect_right(range(len(text)), width - 1, key=lambda length: width_of(text[:length])) - 1
    cut = text[: max(longest, 0)]
    begun = (found.start() for found in _NUMBER.finditer(text) if found.start() < len(cut) < found.end())
    cut = cut[: next(begun, len(cut))]
    return cut.rstrip() + "…" if width > 0 else ""


class Canvas:
    """`rows` by `columns` cells. Colours are packed 0xRRGGBB.

    Attributes:
        glyphs: (rows, columns) code points.
        ink, ground: (rows, columns) colours.
        dots: (rows, columns) braille dots; where there are any, they are shown in place of the glyph.
        bold: (rows, columns).
    """

    def __init__(self, columns: int, rows: int, ground: int, ink: int):
        shape = (max(rows, 0), max(columns, 0))
        self.glyphs = np.full(shape, SPACE, np.uint32)
        self.ink = np.full(shape, ink, np.int32)
        self.ground = np.full(shape, ground, np.int32)
        self.dots = np.zeros(shape, np.uint8)
        self.bold = np.zeros(shape, bool)

    @property
    def rows(self) -> int:
        return int(self.glyphs.shape[0])

    @property
    def columns(self) -> int:
        return int(self.glyphs.shape[1])

    def part(self, left: int, top: int, columns: int, rows: int) -> "Canvas":
        """Cut out a piece of this canvas as a canvas of its own; what is painted there shows here."""
        left, top = max(left, 0), max(top, 0)
        piece = Canvas.__new__(Canvas)
        cut = np.s_[top : top + max(rows, 0), left : left + max(columns, 0)]
        piece.glyphs, piece.ink, piece.ground = self.glyphs[cut], self.ink[cut], self.ground[cut]
        piece.dots, piece.bold = self.dots[cut], self.bold[cut]
        return piece

    def paste(self, other: "Canvas") -> None:
        """Put another canvas' cells at the upper left, as many as there is room for."""
        rows, columns = min(self.rows, other.rows), min(self.columns, other.columns)
        for name in ("glyphs", "ink", "ground", "dots", "bold"):
            getattr(self, name)[:rows, :columns] = getattr(other, name)[:rows, :columns]

    def fill(self, ground: int) -> None:
        """Empty it, in one colour."""
        self.glyphs[:], self.ground[:], self.dots[:], self.bold[:] = SPACE, ground, 0, False

    def text(self, column: int, row: int, text: str, ink: int, ground: int | None = None, bold: bool = False) -> int:
        """Write at a cell, cut at the edges; returns the column after it."""
        codes = cells_of(text)
        end = column + len(codes)
        rows, columns = self.glyphs.shape
        if not 0 <= row < rows or end <= 0 or column >= columns:
            return end
        if column < 0 or end > columns:
            codes = codes[max(0, -column) : columns - column]
        cut = row, slice(max(column, 0), min(end, columns))
        self.glyphs[cut], self.ink[cut], self.dots[cut], self.bold[cut] = codes, ink, 0, bold
        if ground is not None:
            self.ground[cut] = ground
        return end

    def frame(self, line: int) -> None:
        """Draw a thin border around the whole canvas."""
        if self.rows < 2 or self.columns < 2:
            return
        self.text(0, 0, "╭" + "─" * (self.columns - 2) + "╮", line)
        self.text(0, self.rows - 1, "╰" + "─" * (self.columns - 2) + "╯", line)
        for column in (0, self.columns - 1):
            self.glyphs[1:-1, column], self.ink[1:-1, column] = ord("│"), line

    def braille(self, x: Array, y: Array, ink: int, strong: frozenset[int] = frozenset()) -> tuple[Array, Array]:
        """Set dots at (x, y) in dots, two a column across and four a row down; those outside are left out.

        A cell that holds a point or text keeps it: lines pass under them. One in which another line has its dots is
        that line's or this one's, since it has one colour.

        Args:
            strong: the inks of lines that yield to none but each other, and to those every other cell.

        Returns:
            The rows and columns of the cells they are in.
        """
        inside = self._inside(x, y)
        across, down = np.rint(x[inside]).astype(np.intp), np.rint(y[inside]).astype(np.intp)
        row, column = down >> 2, across >> 1
        free = (self.glyphs[row, column] == SPACE) | (self.glyphs[row, column] == HALF)
        there = self.ink[row, column]
        other = free & (self.dots[row, column] > 0) & (there != ink)
        if other.any():
            keeps = other & (there[:, None] == list(strong)).any(axis=1)
            if ink in strong:
                keeps &= (row + column) % 2 > 0
            lost = other & ~keeps
            self.dots[row[lost], column[lost]] = 0
            free &= ~keeps
        row, column = row[free], column[free]
        np.bitwise_or.at(self.dots, (row, column), _DOTS[down[free] & 3, across[free] & 1])
        self.ink[row, column] = ink
        return row, column

    def braille_in_turn(
        self, x: Array, y: Array, turns: Array, inks: Array, strong: frozenset[int]
    ) -> tuple[Array, ...]:
        """Set the dots of many lines as `braille` would of one after the other, at once.

        Args:
            x, y: (m,) in dots.
            turns: (m,) which line each dot is of, those of the first before those of the second.
            inks: the ink of each line, none of the strong ones.

        Returns:
            The rows and columns of the cells they are in.
        """
        inside = self._inside(x, y)
        across, down, turns = np.rint(x[inside]).astype(np.intp), np.rint(y[inside]).astype(np.intp), turns[inside]
        row, column = down >> 2, across >> 1
        glyphs, there = self.glyphs[row, column], self.ink[row, column]
        held = (self.dots[row, column] > 0) & (there[:, None] == list(strong)).any(axis=1)
        free = ((glyphs == SPACE) | (glyphs == HALF)) & ~held
        row, column, turns = row[free], column[free], turns[free]
        cell, there = row * self.columns + column, there[free]
        last, since = np.full((2, self.glyphs.size), -1)  # of a cell: its last line, and the last of another ink
        last[cell] = turns  # of what is set at one place more than once the last stays
        ink = inks[last[cell]]
        other = inks[turns] != ink
        since[cell[other]] = turns[other]
        lost = (there != ink) | (since[cell] >= 0)
        self.dots[row[lost], column[lost]] = 0
        stays = turns > since[cell]
        dots = _DOTS[down[free] & 3, across[free] & 1]
        np.bitwise_or.at(self.dots, (row[stays], column[stays]), dots[stays])
        self.ink[row, column] = ink
        return row, column

    def _inside(self, x: Array, y: Array) -> Array:
        """Tell which of some places in dots are on the canvas."""
        with np.errstate(invalid="ignore"):
            inside = (x >= -0.5) & (x < self.columns * 2 - 0.5) & (y >= -0.5) & (y < self.rows * 4 - 0.5)
        return np.asarray(inside)

    def clear(self, y: Array, x: Array, tops: Array | None = None) -> None:
        """Take dots away, two a column across and four a row down.

        Args:
            tops: (rows, columns) colours of the upper halves of cells. One whose last dot goes takes its own again,
                for its ink was the line's; without them it is of one colour.
        """
        row, column = y >> 2, x >> 1
        np.bitwise_and.at(self.dots, (row, column), ~_DOTS[y & 3, x & 1])
        empty = (self.dots[row, column] == 0) & (self.glyphs[row, column] == HALF)
        row, column = row[empty], column[empty]
        if tops is None:
            self.glyphs[row, column] = SPACE
        else:
            self.ink[row, column] = tops[row, column]

    def cells(self) -> tuple[Array, Array]:
        """Compose (glyphs, styles) as they are shown; a style is bold << 48 | ink << 24 | ground."""
        glyphs = np.where(self.dots > 0, self.dots.astype(np.uint32) + _BRAILLE, self.glyphs)
        # A blank's ink is not seen: it takes that of the glyph before it, so as not to split a run.
        last = np.maximum.accumulate(np.where(glyphs != SPACE, np.arange(self.columns), 0), axis=1)
        last += np.arange(self.rows)[:, None] * self.columns
        ink = legible(glyphs, self.ink, self.ground).ravel()[last].astype(np.int64)
        return glyphs, (self.bold.astype(np.int64) << 48) | (ink << 24) | self.ground
