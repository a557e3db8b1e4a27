"""Panels of votes of stumps: a stump as a line and in words, the last ones in a table."""

import numpy as np

from algorithms.core import Array, Dataset, Hyperplane, Panel, columns
from algorithms.core.scene import Tone
from algorithms.families.boosting.shared.stumps import Stump, Votes

_LAST = 10


def line(data: Dataset, stump: Stump, name: str = "the newest stump") -> Hyperplane:
    """Where a stump changes its mind: x_j = threshold."""
    normal = np.zeros(data.d)
    normal[stump.feature] = 1.0
    return Hyperplane(normal=normal, offset=-stump.threshold, tone="accent", name=name)


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


def stump_table(data: Dataset, votes: Votes, errors: Array, current: bool) -> Panel:
    """The last stumps, the newest first; the current one has no α before it is weighed."""
    newest = range(len(errors) - 1, max(len(errors) - 1 - _LAST, -1), -1)
    last = [votes.stump(i) for i in newest]
    heads = {
        "round": [i + 1 for i in newest],
        "feature": [data.features[stump.feature] for stump in last],
        "threshold": [own_units(data, stump) for stump in last],
        "ε": [errors[i] for i in newest],
        "α": [votes.alphas[i] if i < len(votes.alphas) else np.nan for i in newest],
        "above it": [called(data, stump.above) for stump in last],
    }
    tones: tuple[Tone, ...] = tuple(int(stump.above > 0) for stump in last)
    return columns("stumps, the newest first", heads, tones=tones, marked=(0,) if current else ())
