"""A mixture of Gaussians over one feature: its density, with a histogram of the rows."""

from typing import Any

import numpy as np

from algorithms.core import Array, Bars, Dataset, Panel, Path, Points
from algorithms.toolbox.gaussian import log_densities
from algorithms.toolbox.panels.clusters import moved_mean, named
from algorithms.toolbox.panels.row_words import says_shares

_MOST_BINS = 60
_PLACES = 241  # at which densities are drawn
_AROUND = np.linspace(-4.0, 4.0, 33)  # deviations from each mean at which they are, too
_RUG = -0.04  # where the rows lie under a density, in its greatest height


def histogram(data: Dataset) -> tuple[Array, Array]:
    """Densities and edges of the one feature, in the data's own units."""
    values = data.original(data.X)[:, 0]
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-9 * max(abs(low), abs(high)):  # too little to be cut into bins
        room = 0.5 * max(abs(low), abs(high), 1.0)
        low, high = low - room, high + room
    heights, edges = np.histogram(values, _bins(values, high - low), (low, high), density=True)
    return heights, edges


def _bins(values: Array, width: float) -> int:
    """As many as Freedman and Diaconis (1981) or Sturges (1926) would have over such a width, whichever is more."""
    middle = float(np.subtract(*np.percentile(values, [75, 25])))
    wanted = width * len(values) ** (1 / 3) / (2 * middle) if middle > 0 else 0.0
    return int(np.ceil(min(max(wanted, np.log2(len(values)) + 1), _MOST_BINS)))


def _places(left: float, right: float, means: Array, deviations: Array) -> Array:
    """Choose where densities are drawn: evenly, and at each mean and so many deviations around it, so that the needle
    of a component that is narrower than a step is not passed over."""
    around = (means[:, None] + deviations[:, None] * _AROUND).ravel()
    return np.unique(np.concatenate([np.linspace(left, right, _PLACES), np.clip(around, left, right)]))


def mixture_density(
    data: Dataset, weights: Array, means: Array, variances: Array, shares: Array, ringed: Array
) -> Panel:
    """A histogram of the rows of one feature, π_j N(x; μ_j, σ_j²) of each component, and their sum.

    Args:
        weights: (k,) π.
        means: (k, 1) μ, the field `means` of a state.
        variances: (k,) σ².
        shares: (n, k) of each row, shown by its colour.
        ringed: (n,) bool, the rows that this step is about.
    """
    heights, edges = data.once(histogram)
    top = 1.2 * float(heights.max())
    room = 0.04 * (edges[-1] - edges[0])
    left, right = float(edges[0] - room), float(edges[-1] + room)
    places = _places(left, right, data.original(means)[:, 0], np.sqrt(variances) * float(data.spread[0]))
    x = (places[:, None] - data.centre) / data.spread
    curves = weights[:, None] * np.exp(log_densities(x, means, variances)) / data.spread
    rug = np.column_stack([data.original(data.X)[:, 0], np.full(data.n, _RUG * top)])
    summits = weights / np.sqrt(2 * np.pi * variances) / data.spread
    peaks = np.column_stack([data.original(means)[:, 0], summits])

    def put(to: Array) -> tuple[Array, None]:
        return (to[:1] - data.centre) / data.spread, None

    def drag(state: Any, j: int, to: Array) -> Any:
        return moved_mean(state, j, put(to)[0])

    return Panel(
        title="density of the rows and of the mixture",
        axes=(data.features[0], "density"),
        limits=((left, right), (2 * _RUG * top, top)),
        marks=(
            Bars(heights=heights, edges=edges),
            *((Path(at=np.column_stack([places, curves.sum(axis=0)])),) if len(means) > 1 else ()),
            *(Path(at=np.column_stack([places, curve]), tone=j) for j, curve in enumerate(curves)),
            Points(at=rug, shares=shares, ringed=ringed, put=put, says=says_shares(shares, "component")),
            *named(peaks, "the mean of component", drag),
        ),
    )
