"""Panels of components: rows, what is left of them, projections, pictures, shares, and what it takes to keep them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import (
    Array,
    Arrow,
    Bars,
    Dataset,
    DragHandles,
    Labels,
    Matrix,
    Panel,
    Paths,
    Points,
    Segments,
    State,
    Trail,
    columns,
)
from algorithms.core.scene import Tone
from algorithms.toolbox.panels.row_words import said_of_coordinates
from algorithms.toolbox.subscripts import subscript

_MOST_SEGMENTS = 400  # rows whose projections are drawn
_SEEN = 0.05  # of the largest coordinate: what lies as near to its projection has no line to be seen
_FEWEST_BARS, _MOST_BARS = 4, 12
_LENGTH = 2.0  # of an arrow, in standard deviations along it


def stage(
    data: Dataset,
    origin: Array,
    components: Array,
    w: Array,
    deviations: Array,
    trail: Callable[[State], Array],
    drag: Callable[[Any, int, Array], State],
) -> Panel:
    """The rows with the components found taken out, their projections onto the direction in hand, and its way there.

    Args:
        origin: (d,) the mean, or zero without centring.
        found: (c, d) components taken out of the rows.
        w: (d,) the direction in hand.
        deviations: (c + 1,) the root of the variance along each, the one in hand last.
        trail: where the head of the arrow in hand was at an earlier state; nowhere for another component.
        drag: (state, 0, (d,)) -> the state with the head of the arrow in hand towards there.
    """
    away = data.X - origin
    left = away - (away @ components.T) @ components
    onto = np.outer(left @ w, w)
    reach = 1.1 * float(np.abs(left @ w).max()) * w
    whole = (Points(at=data.X, tone="muted", rows=False, names=("rows",)),) if len(components) else ()
    far = float(np.abs(left - onto).max()) > _SEEN * float(np.abs(away).max())
    less = f"less {spanned(len(components))}" if len(components) else ""
    drawn = data.n <= _MOST_SEGMENTS and far
    of_class = data.y if data.kind == "class" else None
    W = np.vstack([components, w])

    def says(row: int) -> str:
        z = W @ away[row]
        lengths = float(np.linalg.norm(away[row] - z @ W)), float(np.linalg.norm(away[row]))
        return said_of_coordinates(z, lengths)

    return Panel(
        title="rows, what is left of them, and w",
        space="data",
        equal=True,
        marks=(
            *whole,
            Paths(at=np.stack([origin - reach, origin + reach])[None], tones=("muted",), name="along w"),
            *((Segments(start=origin + left, end=origin + onto, tone=8, name="the rest"),) if drawn else ()),
            Points(at=origin + left, classes=of_class, says=says, names=(less,) if less and of_class is None else ()),
            *(
                Arrow(start=origin, end=origin + _LENGTH * s * v, tone="muted", name=f"w{subscript(j + 1)}")
                for j, (v, s) in enumerate(zip(components, deviations))
            ),
            Trail(where=trail, tones=("accent",), name="path of w"),
            Arrow(
                start=origin,
                end=origin + _LENGTH * deviations[-1] * w,
                tone="accent",
                name=f"w{subscript(len(components) + 1)}",
                over=True,
            ),
            Labels(at=origin[None], texts=("mean" if origin.any() else "0",)),
            DragHandles(
                at=head(origin, w, float(deviations[-1])),
                moved=drag,
                names=(f"the direction w{subscript(len(components) + 1)}",),
            ),
        ),
        note=f"in colour: {less}" if less and of_class is not None else "",
    )


def spanned(c: int) -> str:
    """Name the components found."""
    return "w₁" if c == 1 else f"w₁ to w{subscript(c)}"


def head(origin: Array, w: Array, deviation: float) -> Array:
    """(1, d) where the arrow of a direction ends."""
    return (origin + _LENGTH * deviation * w)[None]


def picture(data: Dataset, w: Array, which: int) -> tuple[Panel, ...]:
    """A direction as an image, when the rows are images."""
    if data.image is None:
        return ()
    return (
        Panel(
            title="w as an image",
            marks=(Matrix(values=w.reshape(data.image), signed=True),),
            note=f"w{subscript(which)}",
        ),
    )


def spectrum(shares: Array, exact: Array, enough: int | None) -> Panel:
    """The share of the variance along each component: the exact one at the left, as found so far at the right of it.

    Args:
        shares: (c,) those found, the one in hand last.
        exact: (d,) those of all eigenvalues, or of the greatest.
        enough: how many of them make 95%; None where more than there are here.
    """
    m = min(len(exact), _MOST_BARS)
    heights = np.zeros(2 * m)
    heights[::2] = exact[:m]
    heights[1 : 2 * len(shares) : 2] = shares[:m]
    tones: tuple[Tone, ...] = ("muted", "accent") * m
    edges = 0.5 + np.arange(2 * m + 1) / 2
    top = 1.1 * float(exact.max())
    return Panel(
        title=f"shares of the variance: 95% takes {enough or f'over {len(exact)}'}",
        axes=("component", "share"),
        limits=((0.5, max(m, _FEWEST_BARS) + 0.5), (0.0, top)),
        marks=(Bars(heights=heights, edges=edges, tones=tones, meanings=(("muted", "exact"), ("accent", "so far"))),),
    )


def table(variances: Array, total: float, exact: Array, current: bool) -> Panel:
    """The variance along each component, its share, the shares so far, and the exact eigenvalue."""
    shares = variances / total
    heads = {
        "": [f"w{subscript(j + 1)}" for j in range(len(shares))],
        "ρ": variances,
        "share": [f"{share:.1%}" for share in shares],
        "so far": [f"{share:.1%}" for share in shares.cumsum()],
        "exact λ": exact[: len(shares)],
    }
    return columns("components", heads, marked=(len(shares) - 1,) if current else ())


def storage(n: int, d: int, k: int, centred: bool, enough: int) -> Panel:
    """How many numbers keep the rows, and how many k components of them with the coordinates along these."""
    return columns(
        "numbers to keep",
        {
            "": (
                "all rows: d n",
                f"{k} component{'s' * (k > 1)}: k (d + n)",
                *(("with the mean: + d",) if centred else ()),
                f"enough for 95%: k = {enough}",
            ),
            "numbers": (
                d * n,
                k * (d + n),
                *((k * (d + n) + d,) if centred else ()),
                enough * (d + n) + (d if centred else 0),
            ),
        },
    )
