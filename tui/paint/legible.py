"""Contrast: what is read on a screen stands out from its ground, whatever lies under it.

A colour is chosen for the panel, but written on tinted regions, on the row in hand and on bars too. There it is made
lighter or darker by no more than it takes (Web Content Accessibility Guidelines 2.2, 1.4.3: 4.5 or more).
"""

from functools import lru_cache

import numpy as np

from algorithms.core import Array
from tui.paint.palette import mix

ENOUGH = 4.5
_WHITE, _BLACK = 0xFFFFFF, 0
_SHARES = [step / 32 for step in range(33)]
_READ = np.ones(0x3000, bool)  # by code point: what things are drawn with is seen, not read
for _first, _after in ((0x00, 0x21), (0x2500, 0x2600), (0x2605, 0x2668), (0x2800, 0x2900), (0x2B00, 0x2C00)):
    _READ[_first:_after] = False  # blanks; lines, blocks and shapes; stars and suits; braille; more shapes
_READ[[ord(shape) for shape in "•⋆◗✚✛"]] = False  # of classes


def legible(glyphs: Array, ink: Array, ground: Array) -> Array:
    """Choose inks in which each letter, digit and sign is read on its ground; those of all else stay.

    Args:
        glyphs, ink, ground: (rows, columns) code points and packed colours.
    """
    read = _READ[np.minimum(glyphs, len(_READ) - 1)]
    pairs = ink[read].astype(np.int64) << 24 | ground[read]
    if not len(pairs):
        return ink
    begins = np.ones(len(pairs), bool)  # a word is in one colour
    np.not_equal(pairs[1:], pairs[:-1], out=begins[1:])
    better = [readable(pair >> 24, pair & 0xFFFFFF) for pair in pairs[begins].tolist()]
    inks = ink.copy()
    inks[read] = np.array(better)[begins.cumsum() - 1]
    return inks


@lru_cache(16384)
def readable(ink: int, ground: int) -> int:
    """Mix white or black into an ink, as little as it takes to be read on a ground."""
    ends = (_WHITE, _BLACK) if luminance(ink) >= luminance(ground) else (_BLACK, _WHITE)
    nearer = (mix(ink, end, share) for end in ends for share in _SHARES)
    return next(colour for colour in nearer if contrast(colour, ground) >= ENOUGH)


def contrast(ink: int, ground: int) -> float:
    """Measure the contrast of two packed colours, 1 to 21."""
    low, high = sorted((luminance(ink), luminance(ground)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(4096)
def luminance(packed: int) -> float:
    """Measure the relative luminance of an sRGB colour, 0 to 1."""
    shares = [(packed >> shift & 255) / 255 for shift in (16, 8, 0)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
