"""Colours by what they mean, on dark and on light; as packed integers 0xRRGGBB.

The class colours are Okabe and Ito's (2008), distinguishable by people with any colour vision, some
of them lightened or darkened to stand out from the panel.
"""

from functools import lru_cache

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core import Array


class Palette(Struct, frozen=True):
    """One look."""

    name: str
    background: int
    panel: int
    line: int
    ink: int
    dim: int
    faint: int
    accent: int
    held: int  # the ground under what a step is about
    on_held: int
    good: int
    wrong: int
    selected: int
    classes: tuple[int, ...]
    tint: tuple[float, float]  # how much of a class colour a region has at its boundary, and at its fullest
    label: float  # how much of a colour the ground of a label has, on which the background's is read
    own_keys: tuple[tuple[str, str], ...] = ()  # (a usual key, that of the reader's own in its place)
    keys: bool = True  # whether keys that can be pressed are written; on a page and on paper none can

    def tone(self, tone: int | str) -> int:
        """Find the colour of a class code or of a role."""
        if isinstance(tone, str):
            return {"ink": self.ink, "muted": self.dim, "accent": self.accent, "wrong": self.wrong}[tone]
        return self.classes[int(tone) % len(self.classes)]

    def run(self, i: int) -> int:
        """Find the colour of one of several runs, of those that classes take last."""
        return self.classes[_RUNS[i % len(_RUNS)]]


_RUNS = (5, 6, 7, 4)

DARK = Palette(
    name="dark",
    background=0x14161B,
    panel=0x191C22,
    line=0x333945,
    ink=0xD7DAE0,
    dim=0x8C94A3,
    faint=0x4B5261,
    accent=0xFFD166,
    held=0xFFD166,
    on_held=0x14161B,
    good=0x2FBF8F,
    wrong=0xFF6B57,
    selected=0x2B2C26,
    classes=(0x56B4E9, 0xE69F00, 0x2FBF8F, 0xCC79A7, 0xF0E442, 0x7F8CFF, 0xDA6A14, 0x9BD1C4, 0xB8A1E3, 0xA6ACB8)
    + (0x9CCB3B, 0xC08A5A),
    tint=(0.10, 0.28),
    label=0.85,
)

LIGHT = Palette(
    name="light",
    background=0xF1F2F5,
    panel=0xFCFCFD,
    line=0xC3C8D2,
    ink=0x1D2129,
    dim=0x5C6472,
    faint=0xA9AFBC,
    accent=0x8C5200,
    held=0xFFC53D,
    on_held=0x1D2129,
    good=0x0E7853,
    wrong=0xC2261A,
    selected=0xFBE9D2,
    classes=(0x0072B2, 0xA56300, 0x00805A, 0xA8477F, 0x837300, 0x4653C9, 0xB44700, 0x2E7F73, 0x7352B0, 0x555C69)
    + (0x557A00, 0x8A5529),
    tint=(0.09, 0.26),
    label=1.0,
)


@lru_cache
def untinted(palette: Palette) -> Palette:
    """Drop the tint for terminals of 256 colours or fewer, which have no faint ones: borders alone show regions."""
    return replace(palette, tint=(0.0, 0.0))


@lru_cache(64)
def faded(palette: Palette, share: float) -> Palette:
    """Fade the palette for history: so much of its colours, the rest the panel's."""
    inks = ("ink", "dim", "accent", "wrong", "good", "held")
    mixed = {name: mix(palette.panel, getattr(palette, name), share) for name in inks}
    return replace(palette, classes=tuple(mix(palette.panel, c, share) for c in palette.classes), **mixed)


@lru_cache(64)
def strong_inks(palette: Palette) -> frozenset[int]:
    """Collect the colours that are neither faint nor dim."""
    return frozenset((*palette.classes, palette.ink, palette.accent, palette.wrong))


GLYPHS = "●▲■◆★✚▼◗♣♠♥◀"
SMALL = "•▴▪♦⋆+▾•♣♠♥◂"
FADED = "·"  # of a row that takes no part
HOLLOW = "○△□◇☆✛▽◌♧♤♡◁"


def glyph_of(tone: int | str, glyphs: str = GLYPHS) -> str:
    """Choose the shape of a class, so that nothing is said by colour alone."""
    return glyphs[0] if isinstance(tone, str) else glyphs[int(tone) % len(glyphs)]


@lru_cache(4096)
def mix(under: int, over: int, share: float) -> int:
    """Mix `share` of `over` into `under`."""
    parts = (round((under >> s & 255) + ((over >> s & 255) - (under >> s & 255)) * share) << s for s in (16, 8, 0))
    return sum(parts)


def unpack(colours: Array | int) -> Array:
    """Unpack colours: (...) packed -> (..., 3) floats from 0 to 255."""
    packed = np.asarray(colours)
    return np.stack([packed >> 16 & 255, packed >> 8 & 255, packed & 255], axis=-1).astype(np.float32)


def pack(channels: Array) -> Array:
    """Pack colours: (..., 3) from 0 to 255 -> (...) packed."""
    c = np.rint(channels).astype(np.int32)
    return np.asarray((c[..., 0] << 16) | (c[..., 1] << 8) | c[..., 2])
