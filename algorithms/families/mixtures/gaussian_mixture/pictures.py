"""What a mixture looks like: in the plane, as a density over one feature, and in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from algorithms.core import (
    Array,
    Bars,
    Dataset,
    DragHandles,
    Ellipse,
    Labels,
    Panel,
    Path,
    Points,
    Problem,
    Region,
    Table,
    Trail,
)
from algorithms.toolbox.gaussian import as_matrices, log_densities
from algorithms.toolbox.panels.clusters import moved_mean

if TYPE_CHECKING:
    from algorithms.families.mixtures.gaussian_mixture.algorithm import GaussianMixtureState

_MOST_BINS = 60
_PLACES = 241  # at which densities are drawn
_MOST_ROWS, _MOST_SHARES = 8, 4
_RUG = -0.04  # where the rows lie under a density, in its greatest height


def name(component: int) -> str:
    """Components are counted from 1."""
    return str(component + 1)


def names_of_means(k: int) -> tuple[str, ...]:
    return tuple(f"the mean of component {name(j)}" for j in range(k))


def ringed(n: int, row: int | None) -> Array:
    """(n,) bool: the one row that this step is about, if there is one."""
    return np.asarray(np.arange(n) == (-1 if row is None else row))


def plane(data: Dataset, state: GaussianMixtureState, tint: Region, row: int | None) -> Panel:
    """Rows in mixed colours, each component at one and two standard deviations, and the way of the means."""
    k, tones = len(state.means), tuple(range(len(state.means)))
    outlines = zip(state.means, as_matrices(state.covariances, data.d))
    return Panel(
        title="components at 1 and 2 deviations",
        space="data",
        marks=(
            *((tint,) if k > 1 else ()),
            Points(at=data.X, shares=state.responsibilities, ringed=ringed(data.n, row)),
            *(Ellipse(mean=m, covariance=c, tone=j) for j, (m, c) in enumerate(outlines)),
            Trail(where=lambda earlier: earlier.means, tones=tones),
            Labels(at=state.means, texts=tuple(map(name, tones)), tones=tones),
            DragHandles(at=state.means, moved=moved_mean, names=names_of_means(k)),
        ),
    )


def histogram(problem: Problem) -> tuple[Array, Array]:
    """Densities and edges of the one feature, in the data's own units."""
    values = problem.data.original(problem.data.X)[:, 0]
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-9 * max(abs(low), abs(high)):  # too little to be cut into bins
        room = 0.5 * max(abs(low), abs(high), 1.0)
        low, high = low - room, high + room
    heights, edges = np.histogram(values, bins_for(values, high - low), (low, high), density=True)
    return heights, edges


def bins_for(values: Array, width: float) -> int:
    """As many as Freedman and Diaconis (1981) or Sturges (1926) would have over such a width, whichever is more."""
    middle = float(np.subtract(*np.percentile(values, [75, 25])))
    wanted = width * len(values) ** (1 / 3) / (2 * middle) if middle > 0 else 0.0
    return int(np.ceil(min(max(wanted, np.log2(len(values)) + 1), _MOST_BINS)))


def density(problem: Problem, state: GaussianMixtureState, tint: Region, row: int | None) -> Panel:
    """One feature: a histogram of the rows, π_j N(x; μ_j, σ_j²) of each component, and their sum."""
    data, k = problem.data, len(state.means)
    heights, edges = problem.once(histogram)
    top = 1.2 * float(heights.max())
    room = 0.04 * (edges[-1] - edges[0])
    left, right = float(edges[0] - room), float(edges[-1] + room)
    places = np.linspace(left, right, _PLACES)
    x = (places - data.centre[0]) / data.spread[0]
    components = weighted_densities(state, x[:, None]) / data.spread[0]
    rug = np.column_stack([data.original(data.X)[:, 0], np.full(data.n, _RUG * top)])
    tones = tuple(range(k))

    def put(to: Array) -> tuple[Array, None]:
        return (to[:1] - data.centre) / data.spread, None

    def drag(earlier: GaussianMixtureState, j: int, to: Array) -> GaussianMixtureState:
        moved: GaussianMixtureState = moved_mean(earlier, j, put(to)[0])
        return moved

    return Panel(
        title="density of the rows and of the mixture",
        axes=(data.features[0], "density"),
        limits=((left, right), (2 * _RUG * top, top)),
        marks=(
            Bars(heights=heights, edges=edges),
            *((Path(at=np.column_stack([places, components.sum(axis=0)])),) if k > 1 else ()),
            *(Path(at=np.column_stack([places, heights]), tone=j) for j, heights in enumerate(components)),
            Points(at=rug, shares=state.responsibilities, ringed=ringed(data.n, row), put=put),
            Labels(at=peaks(data, state), texts=tuple(map(name, tones)), tones=tones),
            DragHandles(at=peaks(data, state), moved=drag, names=names_of_means(k)),
        ),
    )


def weighted_densities(state: GaussianMixtureState, places: Array) -> Array:
    """(m, d) places -> (k, m): π_j N(x; μ_j, Σ_j)."""
    return np.asarray(state.weights[:, None] * np.exp(log_densities(places, state.means, state.covariances)))


def peaks(data: Dataset, state: GaussianMixtureState) -> Array:
    """(k, 2) where each component's density over the one feature is greatest, and how great, in the data's units."""
    variances = state.covariances.reshape(-1)
    heights = state.weights / np.sqrt(2 * np.pi * variances) / data.spread[0]
    return np.column_stack([data.original(state.means)[:, 0], heights])


def table(data: Dataset, state: GaussianMixtureState, marked: int | None) -> Panel:
    """Weight, and mean ± deviation in the data's own units, of each component."""
    shown = min(data.d, 3)
    means = data.original(state.means)
    variances = np.diagonal(as_matrices(state.covariances, data.d), axis1=1, axis2=2)
    deviations = np.sqrt(variances) * data.spread
    rows: tuple[tuple[str | float, ...], ...] = tuple(
        (name(j), float(state.weights[j]), *(f"{means[j, f]:.4g} ± {deviations[j, f]:.2g}" for f in range(shown)))
        for j in range(len(means))
    )
    found = Table(
        columns=("component", "weight", *data.features[:shown]),
        rows=rows,
        tones=tuple(range(len(means))),
        marked=() if marked is None else (marked,),
    )
    return Panel(title="components", marks=(found,), note="mean ± standard deviation")


def least_decided(data: Dataset, state: GaussianMixtureState) -> Panel:
    """The rows whose likeliest component has the smallest shares, with what each component has of them."""
    greatest = state.responsibilities.max(axis=1)
    order = np.argsort(greatest, kind="stable")[:_MOST_ROWS].tolist()
    shown = range(min(len(state.means), _MOST_SHARES))
    rows = tuple((i, *(round(float(state.responsibilities[i, j]), 4) for j in shown), data.row(i, 1)) for i in order)
    columns = ("row", *(f"r {name(j)}" for j in shown), "")
    marked = (0,) if state.phase == "expect" else ()
    return Panel(title="rows least decided", marks=(Table(columns=columns, rows=rows, marked=marked),))
