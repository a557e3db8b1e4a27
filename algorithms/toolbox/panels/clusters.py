"""Panels of clusters: the cells of their means, their outlines, means that can be dragged, means as images, tables.

Clusters are called as they are counted in a state, from 0.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import (
    Array,
    Dataset,
    DragHandles,
    Ellipse,
    Labels,
    Matrix,
    Panel,
    Region,
    Table,
    Trail,
)
from algorithms.core.arrays import smallest
from algorithms.core.scene import Mark, Tone
from algorithms.toolbox.distances import squared_distances
from algorithms.toolbox.mixtures import greatest_shares

OUTLINES = "1 and 2 deviations"
_MOST_IMAGES = 10
_A_LINE = 5


def who(data: Dataset, row: int) -> str:
    """A row in its own units; a picture, whose pixels tell a reader nothing, by its class."""
    if data.image is not None and data.y is not None and data.kind == "class":
        return f"{data.target} {data.classes[int(data.y[row])]}"
    return data.row(row)


def in_units(data: Dataset) -> str:
    """What distances are measured in, where rows are named in other units."""
    return " in scaled features" if data.scaled else ""


def cluster_names(k: int, what: str = "cluster") -> tuple[str, ...]:
    """Names of k clusters in a legend: what they are is said once."""
    return tuple(f"{what} {j}" if j == 0 else str(j) for j in range(k))


def moved_mean(state: Any, j: int, to: Array) -> Any:
    """A state that has `means`, (k, d), with the j-th of them at `to`."""
    means = state.means.copy()
    means[j] = to
    return state.replaced(means=means)


def marked_means(means: Array, what: str = "mean", tone: Tone | None = None) -> tuple[Mark, ...]:
    """The (k, d) `means` of a state: the way that they came, their numbers, and handles to drag them by.

    Args:
        tone: of all the ways; None: each has that of its mean.
    """
    tones = tuple(range(len(means))) if tone is None else (tone,)
    trail = Trail(where=lambda state: state.means, tones=tones, name="paths of the means")
    return trail, *named(means, what, moved_mean)


def named(at: Array, what: str, moved: Callable[[Any, int, Array], Any]) -> tuple[Mark, ...]:
    """The numbers of clusters at (k, 2) or (k, d) places, and handles to drag them by."""
    names = tuple(map(str, range(len(at))))
    labels = Labels(at=at, texts=names, tones=tuple(range(len(at))))
    return labels, DragHandles(at=at, moved=moved, names=tuple(f"{what} {name}" for name in names))


def cells(data: Dataset, means: Array, depth: float) -> tuple[Region, ...]:
    """The Voronoi cell of each mean, the places that are nearer to it than to any other; none of a single mean.

    `depth` is the difference of squared distances at which the tint is fullest.
    """
    if len(means) == 1:
        return ()
    return (
        Region(
            score=lambda places: -squared_distances(places, means),
            depth=depth,
            check=data.X,
            name="as near to two means",
        ),
    )


def outlines(means: Array, covariances: Array) -> tuple[Ellipse, ...]:
    """Each of the Gaussians with (k, d) means and (k, d, d) covariances, at one and two standard deviations."""
    return tuple(
        Ellipse(mean=m, covariance=c, tone=j, name="" if j else OUTLINES)  # named once, for all are of a kind
        for j, (m, c) in enumerate(zip(means, covariances))
    )


def images(data: Dataset, means: Array) -> tuple[Panel, ...]:
    """The means as images, five in a line, where rows are images and there are not too many."""
    if data.image is None or len(means) > _MOST_IMAGES:
        return ()
    height, width = data.image
    across = min(len(means), _A_LINE)
    down = -(-len(means) // across)
    sheet = np.zeros((down * (height + 1) - 1, across * (width + 1) - 1))
    for j, image in enumerate(data.original(means).reshape(-1, height, width)):
        top, left = j // across * (height + 1), j % across * (width + 1)
        sheet[top : top + height, left : left + width] = image
    return (Panel(title=f"the means as images, 0 to {len(means) - 1}", marks=(Matrix(values=sheet),)),)


def cluster_table(data: Dataset, means: Array, labels: Array, distances: Array, changed: Array) -> Panel:
    """Rows, mean in the data's own units, and spread of each cluster.

    Args:
        labels: (n,) clusters from 0; -1 for none.
        distances: (n,) squared distance of each row to the mean of its cluster; NaN for none.
        changed: (k,) which clusters gained or lost a row.
    """
    k, shown = len(means), min(data.d, 2)
    sizes: list[int | None] = [None] * k
    spreads: list[float | None] = [None] * k
    if labels[0] >= 0:
        sums = np.bincount(labels, weights=distances, minlength=k)
        sizes = np.bincount(labels, minlength=k).tolist()
        spreads = [float(np.sqrt(total / size)) if size else None for total, size in zip(sums, sizes)]
    places = data.original(means)[:, :shown].tolist()
    table = Table(
        columns=("cluster", "rows", *data.features[:shown], "spread"),
        rows=tuple((str(j), sizes[j], *places[j], spreads[j]) for j in range(k)),
        tones=tuple(range(k)),
        marked=tuple(np.flatnonzero(changed).tolist()),
    )
    note = "spread: √ mean ‖x-μ‖²" + (", of scaled features" if data.scaled else "")
    return Panel(title="clusters", marks=(table,), note=note)


def component_table(data: Dataset, weights: Array, means: Array, deviations: Array, marked: tuple[int, ...]) -> Panel:
    """Weight, and mean ± standard deviation in the data's own units, of each component of a mixture.

    Args:
        weights: (k,), which sum to one.
        means: (k, d).
        deviations: (k, d) standard deviations.
        marked: the components that this step is about.
    """
    shown = min(data.d, 3)
    cells = [
        [f"{middle:.4g} ± {width:.2g}" for middle, width in zip(*both)]
        for both in zip(data.original(means)[:, :shown], (deviations * data.spread)[:, :shown])
    ]
    table = Table(
        columns=("component", "weight", *data.features[:shown]),
        rows=tuple((str(j), float(weights[j]), *row) for j, row in enumerate(cells)),
        tones=tuple(range(len(means))),
        marked=marked,
    )
    return Panel(title="components", marks=(table,), note="mean ± standard deviation")


def least_decided(data: Dataset, shares: Array, marked: bool, most: int = 8, columns_shown: int = 4) -> Panel:
    """The rows of which the greatest of their (n, k) shares is smallest, with what each component has of them."""
    order = smallest(greatest_shares(shares), most).tolist()
    shown = range(min(shares.shape[1], columns_shown))
    rows = tuple((i, *(round(float(shares[i, j]), 4) for j in shown), data.row(i, 1)) for i in order)
    heads = ("row", *(f"r {j}" for j in shown), "")
    table = Table(columns=heads, rows=rows, marked=(0,) if marked else ())
    return Panel(title="rows least decided", marks=(table,))
