"""Panels of a graph of rows: its edges, where its slow vectors put the rows, and its least eigenvalues."""

from typing import Any

import numpy as np

from algorithms.core import Array, Bars, Dataset, Labels, Panel, Points, Segments, Trail, columns
from algorithms.core.scene import Mark, Tone
from algorithms.toolbox.panels.row_words import Says, says_mean
from algorithms.toolbox.subscripts import subscript

_MOST_EDGES = 3_000
_MOST_BARS = 12
_ROUNDING = 1e-14  # what may be left of a u·Lu that is 0


def joined(
    data: Dataset,
    edges: Array,
    tones: Array | None,
    changed: Array,
    names: tuple[str, ...] = (),
    says: Says | None = None,
) -> Panel:
    """The rows and the (e, 2) edges between them; those between two tones stand out.

    Args:
        tones: (n,) of the rows; None for none.
        changed: (n,) bool, the rows that this step moved.
        names: what the tones are.
        says: what is said of a row besides how many edges it has.
    """
    leaving = np.zeros(len(edges), bool) if tones is None else tones[edges[:, 0]] != tones[edges[:, 1]]
    marks: list[Mark] = []
    parts: tuple[tuple[Array, Tone], ...] = ((~leaving, "muted"), (leaving, "wrong"))
    for chosen, tone in parts:
        if chosen.any() and len(edges) <= _MOST_EDGES:
            ends = edges[chosen]
            marks.append(
                Segments(
                    start=data.X[ends[:, 0]],
                    end=data.X[ends[:, 1]],
                    tone=tone,
                    name="edges" if tone == "muted" else "edges cut",
                )
            )
    rows = Points(
        at=data.X,
        classes=tones,
        tone="muted",
        ringed=changed,
        names=names,
        says=_says_edges(edges, says) if says else None,
    )
    hidden = f"{len(edges):,} edges, too many to draw" if len(edges) > _MOST_EDGES else ""
    note = f"{int(leaving.sum()):,} of {len(edges):,} edges join two colours" if tones is not None else ""
    return Panel(title="rows and their graph", space="data", marks=(*marks, rows), note=hidden or note)


def _says_edges(edges: Array, says: Says) -> Says:
    def all_said(row: int) -> str:
        count = int((edges == row).sum())
        return f"{count} edge{'s' * (count != 1)}, {says(row)}"

    return all_said


def says_place(f: Array, tones: Array, means: Array | None) -> Says:
    """Say the last of a row's (n, c) coordinates f, or its cluster and how far the means are once there are any."""
    return says_mean(f, means, tones) if means is not None else lambda row: f"f {f[row, -1]:.4g}"


def moved(f: Array, tones: Array, changed: Array, means: Array | None, names: tuple[str, ...], reach: float) -> Panel:
    """The rows where the (n, c) coordinates f put them: the last across; upwards the one before it, or their order.

    Args:
        means: (k, c) places; None for none.
        names: what the tones are.
        reach: how far coordinates are shown, the same for the whole run.
    """
    n, c = f.shape
    order = np.empty(n)
    order[np.argsort(f[:, -1], kind="stable")] = np.arange(n)
    alone = c == 1
    at = np.column_stack([f[:, -1], order]) if alone else f[:, [-1, -2]]
    says = says_place(f, tones, means)
    marks: list[Mark] = [Points(at=at, classes=tones, ringed=changed, names=names, says=says)]
    if means is not None:
        names = tuple(map(str, range(len(means))))
        shown = np.column_stack([means[:, -1], np.full(len(means), n / 2)]) if alone else means[:, [-1, -2]]
        marks.append(Labels(at=shown, texts=names, tones=tuple(range(len(means)))))
        if not alone:
            marks.append(_way(means))
    return Panel(
        title="the rows where f puts them",
        axes=(f"f{subscript(c + 1)}", "order" if alone else f"f{subscript(c)}"),
        limits=((-reach, reach), (0.0, float(n)) if alone else (-reach, reach)),
        marks=tuple(marks),
    )


def _way(means: Array) -> Trail:
    """The way of the (k, c) means; before there were any they were here already."""

    def where(past: Any) -> Array:
        return np.asarray((past.means if past.means.any() else means)[:, [-1, -2]])

    return Trail(where=where, tones=tuple(range(len(means))), name="paths of the means")


def least_eigenvalues(values: Array, now: float | None, k: int) -> Panel:
    """The least of (n,) eigenvalues as bars, those of k vectors in another tone.

    Args:
        now: u·Lu of the vector in hand; None for none.
    """
    m = min(len(values), max(_MOST_BARS, k + 1))
    tones: tuple[Tone, ...] = tuple("accent" if j < k else "muted" for j in range(m))
    return Panel(
        title="least λ of L",
        axes=("which", ""),
        marks=(Bars(heights=values[:m], edges=0.5 + np.arange(m + 1.0), tones=tones),),
        note=f"bright: the first {k}" if now is None else f"u·Lu = {now:.3g}",
    )


def vectors(quotients: Array, exact: Array, f: Array, current: bool) -> Panel:
    """Table of the vectors found and the one in hand.

    Args:
        quotients: (c,) u·Lu of each.
        exact: (c,) the eigenvalues that they are to find.
        f: (n, c) coordinates.
        current: whether the last is in hand.
    """
    heads = {
        "": [f"u{subscript(j + 1)}" for j in range(len(quotients))],
        "u·Lu": np.where(quotients > _ROUNDING, quotients, 0.0),
        "exact λ": exact,
        "f > 0": (f > 0).sum(axis=0),
    }
    return columns("vectors", heads, marked=(len(quotients) - 1,) if current else ())
