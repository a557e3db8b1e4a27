"""Panels of nearest neighbours: how they vote everywhere, and who is asked of the row in hand."""

import numpy as np

from algorithms.core import Array, Dataset, Panel, Points, Region, Segments, columns
from algorithms.toolbox.neighbours import Rows, votes
from algorithms.toolbox.panels.row_words import says_neighbours


def vote_stage(data: Dataset, among: Rows, units: Array, k: int, row: int, neighbours: Array, crossed: Array) -> Panel:
    """Tint each place by the vote of its k nearest rows, and join the row in hand to its neighbours.

    Args:
        among: the rows in the units that distances are measured in.
        units: (d,) what features are divided by for that.
        row: the row in hand, -1 for none.
        neighbours: those of its nearest that are joined to it.
        crossed: (n,) bool, wrong rows.
    """
    y, K = np.asarray(data.y), len(data.classes)

    def shares(at: Array) -> Array:
        return np.asarray(votes(y[among.nearest(at / units, k)], K)[:, -1] / k)

    part = data.once(_voters, k, units.tobytes())  # one object as long as the vote is the same
    tint = Region(terms=((part, shares),), mixed=True, check=data.X, name="where the vote changes")
    joined: tuple[Segments, ...] = ()
    if row >= 0 and len(neighbours):
        start = np.repeat(data.X[[row]], len(neighbours), axis=0)
        joined = (Segments(start=start, end=data.X[neighbours], tone="accent", name="to its neighbours"),)
    rows = Points(
        at=data.X,
        classes=data.y,
        ringed=np.arange(data.n) == row,
        crossed=crossed,
        says=says_neighbours(data, among, units, k),
    )
    return Panel(
        title=f"the vote of the {k} nearest" if k > 1 else "the nearest decides",
        space="data",
        marks=(tint, *joined, rows),
    )


def _voters(data: Dataset, k: int, units: bytes) -> tuple[int, bytes]:
    """What a vote depends on besides the rows."""
    return k, units


def neighbours_table(data: Dataset, X: Array, row: int, neighbours: Array) -> tuple[Panel, ...]:
    """List the neighbours of a row with their distance, and how the vote stands with each.

    Args:
        X: (n, d) the rows in the units that distances are measured in.
    """
    codes = np.asarray(data.y)[neighbours]
    counts = votes(codes, len(data.classes))
    heads = {
        "k": np.arange(1, len(neighbours) + 1),
        "row": neighbours,
        data.target: [data.classes[c] for c in codes],
        "distance": np.sqrt(((X[neighbours] - X[row]) ** 2).sum(axis=1)),
        "vote": [_winner(data, count) for count in counts],
    }
    own = data.classes[int(np.asarray(data.y)[row])]
    return (columns("nearest of the others", heads, note=f"row {row} is {own}"[:30], tones=tuple(codes.tolist())),)


def _winner(data: Dataset, counts: Array) -> str:
    """Name who wins a vote, and with how many; the first of those that tie."""
    tie = np.count_nonzero(counts == counts.max()) > 1
    return f"{data.classes[int(counts.argmax())]} {counts.max()}" + (", tie" if tie else "")
