"""The screen as an SVG that is well-formed whatever the text on it."""

import re
from html import escape
from itertools import groupby
from typing import Any

from tui.export.cells import rgb
from tui.paint.canvas import CONTINUED
from tui.paint.cells import Cells

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_WORDS = re.compile(r"[^ ]+(?: [^ ]+)*")
_WIDE, _HIGH, _BASE, _LETTERS = 8, 17, 13, 13  # of a cell and of its letters
_FONTS = "ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def svg(app: Any, title: str) -> str:
    """Make a picture of the screen as Textual draws it; characters that XML has no place for become �."""
    return _xml(app.export_screenshot(title=_NOT_XML.sub(" ", title)))


def still(cells: Cells, title: str) -> str:
    """Draw cells with what the reader's machine has: it asks for no font from elsewhere, and has no style sheet."""
    rows, columns = cells.glyphs.shape
    grounds: list[str] = []
    texts: list[str] = []
    for row in range(rows):
        glyphs, styles = cells.glyphs[row].tolist(), cells.styles[row].tolist()
        for ground, places in groupby(enumerate(styles), lambda placed: placed[1] & 0xFFFFFF):
            (first, _), *more = places
            at = f'x="{first * _WIDE}" y="{row * _HIGH}" width="{(1 + len(more)) * _WIDE}" height="{_HIGH}"'
            grounds.append(f'<rect {at} fill="{_colour(ground)}"/>')
        for style, places in groupby(enumerate(styles), lambda placed: placed[1] >> 24):
            texts += _text(row, style, [(i, glyphs[i]) for i, _ in places])
    size = f'viewBox="0 0 {columns * _WIDE} {rows * _HIGH}" width="100%" style="max-width:{columns * _WIDE}px"'
    letters = f'font-family="{_FONTS}" font-size="{_LETTERS}"'
    whole = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}><title>{escape(title)}</title>'
        f'<g shape-rendering="crispEdges">{"".join(grounds)}</g><g {letters}>{"".join(texts)}</g></svg>'
    )
    return _xml(whole)


def _text(row: int, style: int, cells: list[tuple[int, int]]) -> list[str]:
    """Write the characters in one ink, each at the place of its cell, words that are two blanks apart by themselves:
    several blanks in a text become one wherever a notebook has it as a part of its own page."""
    look = f'fill="{_colour(style & 0xFFFFFF)}"' + (' font-weight="bold"' if style >> 24 else "")
    y, texts = row * _HIGH + _BASE, []
    shown = [(column, chr(glyph)) for column, glyph in cells if glyph != CONTINUED]
    for found in _WORDS.finditer("".join(sign for _, sign in shown)):
        places = [column * _WIDE for column, _ in shown[found.start() : found.end()]]
        at = f'x="{" ".join(map(str, places))}"'
        if found[0].isascii():  # of one width with its cells
            at = f'x="{places[0]}" textLength="{len(places) * _WIDE}" lengthAdjust="spacingAndGlyphs"'
        texts.append(f'<text y="{y}" {at} {look}>{escape(found[0])}</text>')
    return texts


def _colour(packed: int) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb(packed))


def _xml(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
