"""Measure how well what is on the screen can be read: the contrast of every letter, digit and sign with its ground.

Contrast is that of the Web Content Accessibility Guidelines 2.2: (L1 + 0.05) / (L2 + 0.05) of the relative luminances.
"""

import unicodedata
from functools import lru_cache

import numpy as np
from msgspec import Struct
from rich.color import Color
from rich.style import Style
from textual.app import App
from textual.geometry import Region

from tui.paint.canvas import CONTINUED, cells_of
from tui.paint.cells import Cells

ENOUGH = 4.5
_DRAWN = (  # what is drawn with characters: they are seen as lines, areas and shapes, not read
    range(0x2500, 0x25A0),  # lines of frames, blocks and half-blocks
    range(0x25A0, 0x2600),  # geometric shapes: of classes, of what is clicked
    range(0x2605, 0x2668),  # stars and suits, which classes have too
    range(0x2800, 0x2900),  # braille: curves and contours
    range(0x2B00, 0x2C00),  # more shapes
)
_SHAPES = "•⋆◗✚✛"  # of classes, elsewhere in Unicode


class Faint(Struct, frozen=True):
    """A text of less contrast than it needs, in one row and one colour."""

    contrast: float
    row: int
    column: int
    text: str
    ink: int
    ground: int

    def __str__(self) -> str:
        where = f"row {self.row}, column {self.column}"
        return f"{self.contrast:.2f} at {where}: {self.text!r} in #{self.ink:06x} on #{self.ground:06x}"


@lru_cache(4096)
def is_read(glyph: int) -> bool:
    """Tell whether a character is a letter, a digit or a sign that is read, and not one that things are drawn with."""
    character = chr(glyph)
    if character in _SHAPES or any(glyph in drawn for drawn in _DRAWN):
        return False
    return unicodedata.category(character)[0] in "LNPS"


@lru_cache(65536)
def contrast(ink: int, ground: int) -> float:
    """Measure the contrast of two packed colours, 1 to 21."""
    low, high = sorted((_luminance(ink), _luminance(ground)))
    return (high + 0.05) / (low + 0.05)


def _luminance(packed: int) -> float:
    shares = [(packed >> shift & 255) / 255 for shift in (16, 8, 0)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def faint(cells: Cells, enough: float = ENOUGH) -> list[Faint]:
    """List what is written with less contrast than that, the worst first."""
    runs: list[Faint] = []
    for row, (glyphs, styles) in enumerate(zip(cells.glyphs.tolist(), cells.styles.tolist())):
        for column, (glyph, style) in enumerate(zip(glyphs, styles)):
            ink, ground = style >> 24 & 0xFFFFFF, style & 0xFFFFFF
            if glyph == CONTINUED or not is_read(glyph) or contrast(ink, ground) >= enough:
                continue
            before = runs[-1] if runs else None
            blanks = column - before.column - len(before.text) if before and before.row == row else 2
            if before and blanks <= 1 and (before.ink, before.ground) == (ink, ground):
                text = before.text + " " * blanks + chr(glyph)
                runs[-1] = Faint(before.contrast, row, before.column, text, ink, ground)
            else:
                runs.append(Faint(contrast(ink, ground), row, column, chr(glyph), ink, ground))
    return sorted(runs, key=lambda run: run.contrast)


def whole_screen(app: App[None], inside: Region | None = None) -> Cells:
    """Take the cells of all that is on the screen, Textual's own widgets too; of one region, where one is given.

    What a dialog stands before is out of use and dimmed on purpose: give the dialog's region.
    """
    strips = app.screen._compositor.render_strips()
    columns, rows = app.size
    glyphs, styles = np.full((rows, columns), 32, np.uint32), np.zeros((rows, columns), np.int64)
    for row, strip in enumerate(strips[:rows]):
        column = 0
        for text, style, _ in strip:
            codes = cells_of(text)[: columns - column]
            glyphs[row, column : column + len(codes)] = codes
            styles[row, column : column + len(codes)] = _packed(style or Style(), app)
            column += len(codes)
    if inside is not None:
        part = np.s_[inside.y : inside.bottom, inside.x : inside.right]
        return Cells(glyphs[part], styles[part])
    return Cells(glyphs, styles)


def _packed(style: Style, app: App[None]) -> int:
    """Pack a Rich style as cells have it: what is reversed or dim as a terminal shows it."""
    theme = app.current_theme
    ink, ground = _colour(style.color, theme.foreground), _colour(style.bgcolor, theme.background)
    if style.reverse:
        ink, ground = ground, ink
    if style.dim:
        ink = sum(((ink >> s & 255) + (ground >> s & 255)) // 2 << s for s in (16, 8, 0))
    return bool(style.bold) << 48 | ink << 24 | ground


def _colour(colour: Color | None, usual: str | None) -> int:
    """Pack a colour; the theme's where none is said."""
    if colour is None or colour.is_default:
        return int((usual or "#000000")[1:], 16)
    red, green, blue = colour.get_truecolor()
    return red << 16 | green << 8 | blue
