"""Panel of fitted values along the line of class means: which class wins where, and which wins nowhere."""

import numpy as np
from msgspec.structs import replace

from algorithms.core import Array, Dataset, Panel, Path, Points
from algorithms.core.scene import Mark
from algorithms.toolbox.panels.functions import padded

_PLACES = 97
_SEEN = (-0.5, 1.5)  # of fitted values, which lie about 0 to 1 where there are rows


def fitted_along_means(data: Dataset, W: Array, rows: Points) -> Panel:
    """Draw W_c·x for each class along the direction in which class means differ most, with the rows at their own.

    Args:
        W: (K, d + 1) weights of the classes, the bias last.
        rows: the rows as they are to be marked.
    """
    X, y = data.inputs.X, np.asarray(data.y)
    means = np.stack([X[y == c].mean(axis=0) for c in np.unique(y)])
    middle = means.mean(axis=0)
    u = np.linalg.svd(means - middle)[2][0]
    u = u if u[np.abs(u).argmax()] > 0 else -u
    along = (X - middle) @ u
    at = np.linspace(*padded(along, 0.03), _PLACES)
    places = middle + np.outer(at, u)
    x = places if data.map is None else data.map(places)
    values, own = x @ W[:, :-1].T + W[:, -1], np.vecdot(data.X, W[y, :-1]) + W[y, -1]
    values[(values < _SEEN[0] - 0.2) | (values > _SEEN[1] + 0.2)] = np.nan
    lines: tuple[Mark, ...] = tuple(
        Path(at=np.column_stack([at, values[:, c]]), tone=c, name=name) for c, name in enumerate(data.classes)
    )
    at_own = replace(rows, at=np.column_stack([along, np.clip(own, *_SEEN)]))
    return Panel(
        title="fits along the means",
        marks=(*lines, at_own),
        axes=("along means", "W_c·x"),
        limits=((float(at[0]), float(at[-1])), _SEEN),
        note="rows at the value of their own class",
    )
