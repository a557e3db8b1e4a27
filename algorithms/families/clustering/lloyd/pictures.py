"""What clusters look like: the cells of their means, the means as pictures, and a table."""

import numpy as np

from algorithms.core import Array, Dataset, Matrix, Panel, Region, Table
from algorithms.toolbox.distances import squared_distances

_MOST_PICTURES = 10
_A_LINE = 5


def name(cluster: int) -> str:
    """Clusters are counted from 1, as in the lecture; their labels from 0."""
    return str(cluster + 1)


def figure(value: float) -> str:
    """A number to four digits, with no exponent before it has to have one."""
    return f"{value:,.0f}" if 1e4 <= value < 1e12 else f"{value:.4g}"


def who(data: Dataset, row: int) -> str:
    """A row in its own units; a picture, whose pixels tell a reader nothing, by its class."""
    if data.image is not None and data.y is not None and data.kind == "class":
        return f"{data.target} {data.classes[int(data.y[row])]}"
    return data.row(row)


def voronoi(data: Dataset, means: Array, depth: float) -> tuple[Region, ...]:
    """The cell of each mean: the places that are nearer to it than to any other; nothing when there is one mean.

    `depth` is the difference of squared distances at which the tint is fullest.
    """
    if len(means) == 1:
        return ()
    return (Region(score=lambda places: -squared_distances(places, means), depth=depth, check=data.X),)


def pictures(data: Dataset, means: Array) -> tuple[Panel, ...]:
    """The means as images, five in a line, when rows are images and there are not too many."""
    if data.image is None or len(means) > _MOST_PICTURES:
        return ()
    height, width = data.image
    across = min(len(means), _A_LINE)
    down = -(-len(means) // across)
    sheet = np.zeros((down * (height + 1) - 1, across * (width + 1) - 1))
    for j, picture in enumerate(data.original(means).reshape(-1, height, width)):
        top, left = j // across * (height + 1), j % across * (width + 1)
        sheet[top : top + height, left : left + width] = picture
    return (Panel(title=f"the means as images, {name(0)} to {name(len(means) - 1)}", marks=(Matrix(values=sheet),)),)


def table(data: Dataset, means: Array, labels: Array, distances: Array, changed: Array) -> Panel:
    """Rows, mean in the data's own units, and spread of each cluster.

    Args:
        labels: (n,) clusters from 0; -1 for none.
        distances: (n,) squared distance of each row to the mean of its cluster; NaN for none.
        changed: (k,) which clusters gained or lost a row.
    """
    k, shown = len(means), min(data.d, 2)
    places = data.original(means)[:, :shown].tolist()
    if labels[0] < 0:
        counts, spreads = [None] * k, [None] * k
    else:
        sizes = np.bincount(labels, minlength=k)
        spread = np.sqrt(np.bincount(labels, weights=distances, minlength=k) / np.maximum(sizes, 1))
        counts = sizes.tolist()
        spreads = [s if c else None for s, c in zip(spread.tolist(), counts)]
    rows = tuple((name(j), counts[j], *places[j], spreads[j]) for j in range(k))
    found = Table(
        columns=("cluster", "rows", *data.features[:shown], "spread"),
        rows=rows,
        tones=tuple(range(k)),
        marked=tuple(np.flatnonzero(changed).tolist()),
    )
    note = "spread: √ mean ‖x-μ‖²" + (", of scaled features" if data.scaled else "")
    return Panel(title="clusters", marks=(found,), note=note)
