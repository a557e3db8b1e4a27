"""Cells to Textual strips: runs of one style a segment, styles made once."""

import numpy as np
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from algorithms.core import Array

_MOST = 8192
_styles: dict[int, Style] = {}


def style_of(key: int) -> Style:
    """Make the Rich style of a packed one (bold << 48 | ink << 24 | ground)."""
    style = _styles.get(key)
    if style is None:
        if len(_styles) >= _MOST:
            _styles.clear()
        ink, ground = key >> 24 & 0xFFFFFF, key & 0xFFFFFF
        style = _styles[key] = Style(color=_colour(ink), bgcolor=_colour(ground), bold=bool(key >> 48) or None)
    return style


def _colour(packed: int) -> Color:
    return Color.from_rgb(packed >> 16, packed >> 8 & 255, packed & 255)


def strips_of(glyphs: Array, styles: Array) -> list[Strip]:
    """Make one strip a row of (rows, columns) cells."""
    rows, columns = glyphs.shape
    if not rows or not columns:
        return [Strip.blank(columns) for _ in range(rows)]
    text = glyphs.astype("<u4").tobytes().decode("utf-32-le")
    starts = np.empty(styles.shape, bool)
    starts[:, 0] = True
    np.not_equal(styles[:, 1:], styles[:, :-1], out=starts[:, 1:])
    cuts = np.flatnonzero(starts)
    keys = styles.ravel()[cuts].tolist()
    first = np.searchsorted(cuts, np.arange(rows + 1) * columns).tolist()
    places = [*cuts.tolist(), rows * columns]
    wide = "\0" in text  # the second cells of two-wide characters are not printed
    segments = [
        Segment(text[a:b].replace("\0", "") if wide else text[a:b], style_of(key))
        for a, b, key in zip(places, places[1:], keys)
    ]
    return [Strip(segments[a:b], columns) for a, b in zip(first, first[1:])]
