"""What there is to see of AdaBoost: the rows by weight in the vote, and how a weight in it comes about."""

from math import log

from algorithms.core import Array, Dataset, Panel, Points, Region
from algorithms.toolbox.panels.stumps import line
from algorithms.toolbox.stumps import Votes


def stage(
    data: Dataset, votes: Votes, weights: Array, *, ringed: Array, crossed: Array, features: tuple[int, int] | None
) -> Panel:
    """The rows by weight, the last stump's threshold, and the sides of the vote.

    Args:
        weights: (n,) of the rows.
        features: the two on which the vote is seen best.
    """
    # At the start a row has a quarter of the full size, so that it can grow; later the heaviest has all of it.
    size = weights / max(float(weights.max()), 4.0 / data.n)
    rows = Points(at=data.X, classes=data.y, weights=size, ringed=ringed, crossed=crossed)
    total = float(votes.alphas.sum())
    tint = (Region(score=lambda places: votes(places) / total, check=data.X),) if len(votes.alphas) else ()
    threshold = (line(data, votes.stump(-1)),) if len(votes.features) else ()
    return Panel(title="rows by weight, and the vote", space="data", marks=(*tint, *threshold, rows), features=features)


def half_log(error: float, alpha: float) -> str:
    """ "½ ln(1.415 / 0.585) = 0.442": with as many digits as it takes for what is printed to be true."""
    for digits in range(3, 18):
        right, wrong = f"{2 - 2 * error:.{digits}g}", f"{2 * error:.{digits}g}"
        if f"{log(float(right) / float(wrong)) / 2:.3g}" == f"{alpha:.3g}":
            break
    return f"½ ln({right} / {wrong}) = {alpha:.3g}"
