"""Panels of margins: how far rows are on the right side of a vote."""

import numpy as np

from algorithms.core import Array, Bars, Panel
from algorithms.core.scene import Tone

_BINS = np.arange(-10, 11) / 10


def margin_bars(margins: Array, of: str = "y f(x) / Σα") -> Panel:
    """How many rows have which margin, in (low, high] bins, so that a tied vote is with the wrong ones.

    Args:
        margins: (n,) y f(x) / Σα, in [-1, 1].
        of: what they are.
    """
    places = np.maximum(_BINS.searchsorted(margins) - 1, 0)
    heights = np.bincount(np.minimum(places, len(_BINS) - 2), minlength=len(_BINS) - 1).astype(float)
    tones: tuple[Tone, ...] = tuple("wrong" if right <= 0 else "muted" for right in _BINS[1:])
    wrong = int((margins <= 0).sum())
    return Panel(
        title="margins of the rows",
        marks=(Bars(heights=heights, edges=_BINS, tones=tones, meanings=(("wrong", "wrong"), ("muted", "right"))),),
        axes=(of, "rows"),
        note=f"{wrong} of {len(margins)} wrong",
    )
