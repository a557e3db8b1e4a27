"""Cells as pictures, drawn by Pillow, and pictures as a GIF that is written one after another."""

import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

from PIL import GifImagePlugin, Image, ImageDraw, ImageFont

from algorithms.core import Refused
from tui.export.cells import changes, rgb
from tui.paint.canvas import CONTINUED, HALF, SPACE
from tui.paint.cells import Cells

_FONTS = (
    ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"),
    ("Menlo.ttc", "Menlo.ttc"),
    ("LiberationMono-Regular.ttf", "LiberationMono-Bold.ttf"),
    ("NotoSansMono-Regular.ttf", "NotoSansMono-Bold.ttf"),
    ("UbuntuMono-R.ttf", "UbuntuMono-B.ttf"),
    ("consola.ttf", "consolab.ttf"),
    ("cour.ttf", "courbd.ttf"),
)
_SIZE = 14  # of the letters, in pixels
_BRAILLE = range(0x2800, 0x2900)
_EIGHTHS = range(0x2581, 0x2589)  # of a cell, from below: fonts leave gaps here too
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # [row][column] of a braille cell
_LINES = {  # lines of frames, as left, right, up and down from the middle: fonts leave gaps between them
    "─": "lr", "━": "lr", "│": "ud", "┃": "ud", "╭": "rd", "╮": "ld", "╰": "ru", "╯": "lu", "├": "rud", "┤": "lud",
    "┬": "lrd", "┴": "lru", "┼": "lrud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu",
}  # fmt: skip
_HEAVY = "━┃"


class Painter:
    """Draws cells; a glyph in its colours is drawn once."""

    def __init__(self) -> None:
        self._plain, self._bold = _fonts()
        ascent, descent = self._plain.getmetrics()
        self.width = max(int(self._plain.getlength("M") + 0.5), 4)
        self.height = max(ascent + descent, 8)
        self._tiles: dict[tuple[int, int, bool], Image.Image] = {}
        self.image: Image.Image | None = None
        self._before: Cells | None = None

    def size_of(self, cells: Cells) -> tuple[int, int]:
        """Width and height of their picture, in pixels."""
        rows, columns = cells.glyphs.shape
        return columns * self.width, rows * self.height

    def draw(self, cells: Cells) -> tuple[int, int, int, int] | None:
        """Bring `image` up to date; the box in which it changed, in pixels, or None."""
        if self.image is None:
            self.image = Image.new("RGB", self.size_of(cells))
        spans = changes(self._before, cells)
        for row, first, end in spans:
            glyphs, styles = cells.glyphs[row, first:end].tolist(), cells.styles[row, first:end].tolist()
            for i, (glyph, style) in enumerate(zip(glyphs, styles)):
                if glyph != CONTINUED:
                    wide = i + 1 < len(glyphs) and glyphs[i + 1] == CONTINUED
                    self.image.paste(self._tile(glyph, style, wide), ((first + i) * self.width, row * self.height))
        self._before = cells
        if not spans:
            return None
        return (
            min(first for _, first, _ in spans) * self.width,
            min(row for row, _, _ in spans) * self.height,
            max(end for _, _, end in spans) * self.width,
            (max(row for row, _, _ in spans) + 1) * self.height,
        )

    def _tile(self, glyph: int, style: int, wide: bool) -> Image.Image:
        key = (glyph, style & 0xFFFFFF if glyph == SPACE else style, wide)
        tile = self._tiles.get(key)
        if tile is None:
            if len(self._tiles) > 20_000:
                self._tiles.clear()
            tile = self._tiles[key] = self._drawn(glyph, style, wide)
        return tile

    def _drawn(self, glyph: int, style: int, wide: bool) -> Image.Image:
        width, height = self.width * (2 if wide else 1), self.height
        ink, ground = rgb(style >> 24), rgb(style)
        tile = Image.new("RGB", (width, height), ground)
        pen = ImageDraw.Draw(tile)
        character = chr(glyph)
        if glyph == HALF:
            pen.rectangle((0, 0, width - 1, (height - 1) // 2), fill=ink)
        elif glyph in _EIGHTHS:
            pen.rectangle((0, height - round((glyph - 0x2580) / 8 * height), width - 1, height - 1), fill=ink)
        elif glyph in _BRAILLE:
            for row, pair in enumerate(_DOTS):
                for column, bit in enumerate(pair):
                    if glyph & bit:
                        x, y = int((column + 0.5) * width / 2) - 1, int((row + 0.5) * height / 4) - 1
                        pen.rectangle((x, y, x + 1, y + 1), fill=ink)
        elif character in _LINES:
            x, y = width // 2, height // 2
            ends = {"l": (0, y), "r": (width - 1, y), "u": (x, 0), "d": (x, height - 1)}
            for side in _LINES[character]:
                pen.line(((x, y), ends[side]), fill=ink, width=3 if character in _HEAVY else 1)
        elif glyph != SPACE:
            pen.text((0, 0), character, fill=ink, font=self._bold if style >> 48 else self._plain)
        return tile


def _fonts() -> tuple[Any, Any]:
    """Find a font of one width and its bold, as the system has them, else Pillow's own."""
    for plain, bold in _FONTS:
        with suppress(OSError):
            font = ImageFont.truetype(plain, _SIZE)
            try:
                return font, ImageFont.truetype(bold, _SIZE)
            except OSError:
                return font, font
    own = ImageFont.load_default(_SIZE)
    return own, own


def write_gif(
    file: BinaryIO, frames: Iterator[tuple[float, Cells | None]], seconds: float, hold: float
) -> Iterator[float]:
    """Write a GIF, a picture of what changed a step; each is drawn and forgotten.

    Yields:
        How much is done, 0 to 1.
    """
    painter = Painter()
    waiting: list[tuple[Image.Image, tuple[int, int]]] = []  # one that is written when it is known how long it stays
    stays = 0.0
    for share, cells in frames:
        if cells is None:
            yield share
            continue
        if painter.image is not None and painter.size_of(cells) != painter.image.size:
            raise Refused("the terminal has changed its size while the GIF was drawn: export it again.")
        box = painter.draw(cells)
        assert painter.image is not None
        if box is not None:
            if waiting:
                _write(file, *waiting.pop(), stays)
            else:
                _begin(file, painter.image.size)
            waiting.append((_with_few_colours(painter.image.crop(box)), box[:2]))
            stays = 0.0
        stays += seconds
        yield share
    if waiting:
        _write(file, *waiting.pop(), max(stays, hold))
        file.write(b";")


def _begin(file: BinaryIO, size: tuple[int, int]) -> None:
    file.write(b"GIF89a" + struct.pack("<HHBBB", *size, 0x70, 0, 0))
    file.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")  # over and over


def _write(file: BinaryIO, picture: Image.Image, offset: tuple[int, int], seconds: float) -> None:
    hundredths = min(max(round(seconds * 100), 2), 65_535)  # what is shorter, browsers show for a tenth of a second
    file.write(b"!\xf9\x04" + struct.pack("<BHB", 0x04, hundredths, 0) + b"\x00")
    for block in GifImagePlugin.getdata(picture, offset, include_color_table=True):
        file.write(block)


def _with_few_colours(picture: Image.Image) -> Image.Image:
    """With 256 colours of its own, which most screens do not have as many of."""
    return picture.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
