"""What there is to see of a vote of stumps: the rows by weight, their margins, the stumps, and these in words."""

from math import log

import numpy as np

from algorithms.core import Array, Bars, Dataset, Hyperplane, Panel, Points, Region, columns
from algorithms.core.scene import Tone
from algorithms.toolbox.stumps import Stump, Votes

_BINS = np.arange(-10, 11) / 10
_LAST = 10


def stage(
    data: Dataset, found: Votes, weights: Array, *, ringed: Array, crossed: Array, features: tuple[int, int] | None
) -> Panel:
    """The rows by weight, the last stump's threshold, and the sides of the vote.

    Args:
        weights: (n,) of the rows.
        features: the two on which the vote is seen best.
    """
    # At the start a row has a quarter of the full size, so that it can grow; later the heaviest has all of it.
    size = weights / max(float(weights.max()), 4.0 / data.n)
    rows = Points(at=data.X, classes=data.y, weights=size, ringed=ringed, crossed=crossed)
    total = float(found.alphas.sum())
    tint = (Region(score=lambda places: found(places) / total, check=data.X),) if len(found.alphas) else ()
    threshold = (line(data, found.stump(-1)),) if len(found.features) else ()
    return Panel(title="rows by weight, and the vote", space="data", marks=(*tint, *threshold, rows), features=features)


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


def stump_table(data: Dataset, found: Votes, errors: Array, current: bool) -> Panel:
    """The last stumps, the newest first; the current one has no α before it is weighed."""
    newest = range(len(errors) - 1, max(len(errors) - 1 - _LAST, -1), -1)
    last = [found.stump(i) for i in newest]
    heads = {
        "round": [i + 1 for i in newest],
        "feature": [data.features[stump.feature] for stump in last],
        "threshold": [own_units(data, stump) for stump in last],
        "ε": [errors[i] for i in newest],
        "α": [found.alphas[i] if i < len(found.alphas) else np.nan for i in newest],
        "above it": [called(data, stump.above) for stump in last],
    }
    tones: tuple[Tone, ...] = tuple(int(stump.above > 0) for stump in last)
    return columns("stumps, the newest first", heads, tones=tones, marked=(0,) if current else ())


def half_log(error: float, alpha: float) -> str:
    """ "½ ln(1.415 / 0.585) = 0.442": with as many digits as it takes for what is printed to be true."""
    for digits in range(3, 18):
        right, wrong = f"{2 - 2 * error:.{digits}g}", f"{2 * error:.{digits}g}"
        if f"{log(float(right) / float(wrong)) / 2:.3g}" == f"{alpha:.3g}":
            break
    return f"½ ln({right} / {wrong}) = {alpha:.3g}"
