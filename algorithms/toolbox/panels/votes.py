"""Panels of trees that vote: the vote over the plane with the newest tree's boundary, the bag, and the trees listed."""

from collections.abc import Callable

import numpy as np

from algorithms.core import Array, Contours, Dataset, Panel, Points, Region, columns
from algorithms.core.scene import Mark
from algorithms.toolbox.bags import says
from algorithms.toolbox.trees import LEAF, Nodes

_OUTSIDE, _MOST = 0.12, 4  # size of a row outside the bag; draws that make a row as large as can be
_LISTED = 60


def vote_stage(
    data: Dataset, trees: tuple[Nodes, ...], bag: Array | None, wrong: Array, features: tuple[int, int] | None
) -> Panel:
    """Draw the rows by how often the newest bag holds them, the shares of the votes, and the newest tree's boundary.

    Args:
        bag: (n,) how often each row is in it; None without one.
        wrong: (n,) bool, rows that the vote gets wrong.
        features: the two on which the vote is seen best.
    """
    k = len(data.classes)
    sizes = None if bag is None else np.where(bag > 0, np.minimum(0.25 + bag / _MOST, 1.0), _OUTSIDE)
    marks: list[Mark] = []
    if trees:
        terms = tuple((tree, ballots(tree, k)) for tree in trees)
        marks.append(Region(terms=terms, mixed=True, check=data.X))
    marks.append(Points(at=data.X, classes=data.y, weights=sizes, crossed=wrong))
    if trees:
        newest = trees[-1]
        levels = tuple(code + 0.5 for code in range(k - 1))
        marks.append(Contours(height=lambda at: says(newest, at).astype(float), levels=levels, tone="accent"))
    return Panel(
        title="the vote mixed; yellow: newest tree" if trees else "the rows by their draws",
        space="data",
        marks=tuple(marks),
        features=features,
        note="size: draws into the bag" if bag is not None else "",
    )


def ballots(tree: Nodes, k: int) -> Callable[[Array], Array]:
    """(m, d) places -> (m, k) the vote of a tree at each: 1 for its class, 0 for the others."""
    return lambda at: np.eye(k)[says(tree, at)]


def trees_table(trees: tuple[Nodes, ...], bags: tuple[Array, ...], said: Array, y: Array) -> Panel:
    """List the last trees: leaves, different rows in the bag, and the share of the rows outside that it gets wrong.

    Args:
        said: (T, n) what each says of each row.
    """
    first = max(len(trees) - _LISTED, 0)
    numbers = range(len(trees) - 1, first - 1, -1)
    outside = [bags[b] == 0 for b in numbers]
    heads = {
        "tree": [b + 1 for b in numbers],
        "leaves": [int((trees[b].left == LEAF).sum()) for b in numbers],
        "rows": [int((~out).sum()) for out in outside],
        "wrong outside": [_share((said[b] != y)[out]) for b, out in zip(numbers, outside)],
    }
    return columns("trees", heads, marked=(0,) if trees else ())


def _share(wrong: Array) -> float:
    return float(wrong.mean()) if len(wrong) else np.nan
