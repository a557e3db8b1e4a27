"""Panels of a choice of how many clusters: what fits come to along k, the criteria beside it, and a fit itself."""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Bars, Cursor, Dataset, Labels, Panel, Path, Points, columns
from algorithms.core.scene import Mark
from algorithms.toolbox.gaussian import as_matrices, log_densities
from algorithms.toolbox.numbers_of_clusters import Fit
from algorithms.toolbox.panels.clusters import cells, outlines
from algorithms.toolbox.panels.density import histogram
from algorithms.toolbox.panels.row_words import says_mean

CRITERIA, OBJECTIVE = (8, 10), 11  # tones that clusters take last
_PLACES = 241  # at which densities are drawn


class Tried(Struct, frozen=True, eq=False):
    """What is known of k = 1, 2, ..., as far as they were fitted.

    Attributes:
        name: what a fit comes to: "F" or "-2 ln L".
        most: the greatest k there will be.
        fits: one for each k.
        parameters: (m,) how many numbers each has.
        aic, bic: (m,) NaN where σ is 0.
    """

    name: str
    most: int
    fits: tuple[Fit, ...]
    parameters: Array
    aic: Array
    bic: Array

    @property
    def k(self) -> Array:
        return np.arange(1, len(self.fits) + 1)

    @property
    def least(self) -> Array:
        return np.array([fit.least for fit in self.fits])


def least_place(values: Array) -> int | None:
    """Where values are least, NaN aside; None where there is none."""
    return None if np.isnan(values).all() else int(np.nanargmin(values))


def elbow(tried: Tried, shown: int) -> Panel:
    """Draw what each start came to, and the best of each k."""
    each = np.array([(k, value) for k, fit in zip(tried.k, tried.fits) for value in fit.tries])
    best = np.column_stack([tried.k, tried.least])
    low, high = float(each[:, 1].min()), float(each[:, 1].max())
    low = 0.0 if tried.name == "F" else low - 0.1 * (high - low)
    marks: tuple[Mark, ...] = (
        Cursor(x=float(shown + 1), name=f"k = {shown + 1}"),
        Points(at=each, tone="muted", rows=False, names=("each start",)),
        Path(at=best, tone=OBJECTIVE, name="the best"),
        Points(at=best, tone=OBJECTIVE, rows=False),
    )
    return Panel(title=f"{tried.name} along k", marks=marks, axes=("k", tried.name), limits=_limits(tried, low, high))


def criteria(tried: Tried, shown: int) -> Panel:
    """Draw AIC and BIC along k, each with its least ringed."""
    marks: list[Mark] = [Cursor(x=float(shown + 1), name=f"k = {shown + 1}")]
    for tone, name, values in zip(CRITERIA, ("AIC", "BIC"), (tried.aic, tried.bic)):
        defined = ~np.isnan(values)
        at = np.column_stack([tried.k, values])[defined]
        if len(at):
            ringed = np.flatnonzero(defined) == least_place(values)
            marks += [Path(at=at, tone=tone), Points(at=at, tone=tone, ringed=ringed, rows=False, names=(name,))]
    known = np.concatenate([tried.aic, tried.bic])
    known = known[~np.isnan(known)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    limits = _limits(tried, low - 0.1 * (high - low), high)
    return Panel(title="AIC and BIC along k", marks=tuple(marks), axes=("k", ""), limits=limits)


def _limits(tried: Tried, low: float, high: float) -> tuple[tuple[float, float], tuple[float, float]]:
    high += 0.08 * (high - low)
    return (0.5, tried.most + 0.5), (low, high if high > low else low + max(abs(low), 1.0))


def tried_table(tried: Tried, shown: int) -> Panel:
    """List k, how many numbers are fitted, what the best start came to, the criteria and, if there is room, -2 ln L."""
    deviances = [fit.deviance for fit in tried.fits]
    heads = {"k": [str(k) for k in tried.k], "K": tried.parameters}
    if tried.name == "F":
        heads["F"] = tried.least
    heads |= {"BIC": tried.bic, "AIC": tried.aic, "-2 ln L": deviances}
    places = {"AIC": least_place(tried.aic), "BIC": least_place(tried.bic)}
    least = ", ".join(f"{name} at {place + 1}" for name, place in places.items() if place is not None)
    return columns("numbers of clusters", heads, f"least: {least}" if least else "", marked=(shown,))


def fit_panel(data: Dataset, fit: Fit, soft: bool, depth: float) -> Panel:
    """The rows in their clusters, with the cells of k-means, or the components of a mixture at two deviations."""
    k = len(fit.means)
    if data.d == 1:
        return _density(data, fit)
    rows = Points(at=data.X, classes=fit.labels, tone="muted", says=says_mean(data.X, fit.means, fit.labels))
    names = Labels(at=fit.means, texts=tuple(map(str, range(k))), tones=tuple(range(k)))
    if soft:
        held = fit.weights > 0
        shapes = outlines(fit.means[held], as_matrices(fit.covariances, data.d)[held])
        return Panel(title=_title(k, "component"), space="data", marks=(rows, *shapes, names))
    return Panel(title=_title(k, "cluster"), space="data", marks=(*cells(data, fit.means, depth), rows, names))


def _title(k: int, what: str) -> str:
    return f"{k} {what}" if k == 1 else f"{k} {what}s"


def _density(data: Dataset, fit: Fit) -> Panel:
    """A histogram of one feature, π_j N(x; μ_j, σ_j²) of each cluster or component, and their sum."""
    heights, edges = data.once(histogram)
    room = 0.04 * (edges[-1] - edges[0])
    places = np.linspace(edges[0] - room, edges[-1] + room, _PLACES)
    variances = as_matrices(fit.covariances, 1)[:, 0, 0]
    marks: list[Mark] = [Bars(heights=heights, edges=edges)]
    top = float(heights.max())
    if variances.min() > 0:
        x = (places[:, None] - data.centre) / data.spread
        each = fit.weights[:, None] * np.exp(log_densities(x, fit.means, variances)) / data.spread
        marks += [Path(at=np.column_stack([places, height]), tone=j) for j, height in enumerate(each)]
        marks.append(Path(at=np.column_stack([places, each.sum(axis=0)]), name="sum"))
        top = max(top, float(each.sum(axis=0).max()))
    limits = ((float(places[0]), float(places[-1])), (0.0, 1.1 * top))
    title, axes = _title(len(fit.means), "cluster"), (data.features[0], "")
    return Panel(title=title, marks=tuple(marks), axes=axes, limits=limits)
