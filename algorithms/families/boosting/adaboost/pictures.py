"""How stumps and margins are shown."""

import numpy as np

from algorithms.core import Array, Bars, Dataset, Hyperplane, Panel, Table
from algorithms.core.scene import Tone
from algorithms.families.boosting.adaboost.stumps import Stump, Votes

_BINS = np.arange(-10, 11) / 10
_LAST = 10


def line(data: Dataset, stump: Stump) -> Hyperplane:
    """Where a stump changes its mind: x_j = threshold."""
    normal = np.zeros(data.d)
    normal[stump.feature] = 1.0
    return Hyperplane(normal=normal, offset=-stump.threshold, tone="accent")


def own_units(data: Dataset, stump: Stump) -> float:
    """The threshold in the units that the data came in."""
    return float(stump.threshold * data.spread[stump.feature] + data.centre[stump.feature])


def called(data: Dataset, answer: float) -> str:
    return data.classes[int(answer > 0)]


def in_words(data: Dataset, stump: Stump) -> str:
    """ "malignant where worst_area > 884", "always benign"."""
    if stump.above == stump.below:
        return f"always {called(data, stump.above)}"
    where = f"{data.features[stump.feature]} > {own_units(data, stump):.4g}"
    return f"{called(data, stump.above)} where {where}, else {called(data, stump.below)}"


def margin_bars(margins: Array) -> Panel:
    """How many rows have which margin, in (low, high] bins, so that a tied vote is with the wrong ones."""
    places = np.maximum(_BINS.searchsorted(margins) - 1, 0)
    heights = np.bincount(np.minimum(places, len(_BINS) - 2), minlength=len(_BINS) - 1).astype(float)
    tones: tuple[Tone, ...] = tuple("wrong" if right <= 0 else "muted" for right in _BINS[1:])
    wrong = int((margins <= 0).sum())
    return Panel(
        title="margins of the rows",
        marks=(Bars(heights=heights, edges=_BINS, tones=tones),),
        axes=("y f(x) / Σα", "rows"),
        note=f"{wrong} of {len(margins)} wrong",
    )


def stump_table(data: Dataset, found: Votes, errors: Array, in_hand: bool) -> Panel:
    """The last stumps, the newest first; the one in hand has no α before it is weighed."""
    t = len(errors)
    rows = []
    for i in range(t - 1, max(t - 1 - _LAST, -1), -1):
        stump = found.stump(i)
        alpha = float(found.alphas[i]) if i < len(found.alphas) else None
        above = called(data, stump.above)
        rows.append((i + 1, data.features[stump.feature], own_units(data, stump), float(errors[i]), alpha, above))
    tones: tuple[Tone, ...] = tuple(int(found.above[t - 1 - i] > 0) for i in range(len(rows)))
    table = Table(
        columns=("round", "feature", "threshold", "ε", "α", "above it"),
        rows=tuple(rows),
        tones=tones,
        marked=(0,) if in_hand else (),
    )
    return Panel(title="stumps, the newest first", marks=(table,))
