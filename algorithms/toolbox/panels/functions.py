"""Panels of a function that predicts numbers: over its one feature with the data, or against what is true."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import Array, Dataset, GhostTrail, Panel, Path, Points
from algorithms.core.scene import Mark, Tone
from algorithms.toolbox.panels.row_words import says_fit

Function = Callable[[Array], Array]  # (m, d) places as the algorithm sees them -> (m,)

_PLACES = 241  # of a curve
_SMALL = 0.3  # size of a row beside larger ones


def function_panel(
    data: Dataset,
    predict: Function | None,
    *,
    truth: Function | None = None,
    haloed: Array | None = None,
    larger: Array | None = None,
    kind: str = "",
    earlier: Callable[[Any], Function | None] | None = None,
    among: Callable[[Any, Any], bool] | None = None,
    names: tuple[str, str, str] = ("fit", "earlier fits", "truth"),
    note: str = "",
    behind: tuple[Mark, ...] = (),
) -> Panel:
    """Draw the rows and a function over the one feature, in the units the data came in; rows can be put by hand.

    Args:
        predict: the function now; None where there is none yet.
        truth: the function that the rows were made from, where it is known.
        haloed, larger: (n,) bool, rows of a kind to be told apart, on a ground of their own or by their size.
        kind: what these are, for the legend.
        earlier: (state) -> the function that it held, drawn faintly; None where there was none.
        among: (past, now) -> which earlier states are meant.
        behind: marks under all others: what the function is made of.
    """
    x, y = data.original(data.X)[:, 0], np.asarray(data.y, float)
    limits = padded(x, 0.04), padded(y, 0.12)
    at = np.linspace(*limits[0], _PLACES)
    places = (at[:, None] - data.centre) / data.spread

    def drawn(of: Function, tone: Tone, name: str = "") -> Path:
        return Path(at=np.column_stack([at, of(places)]), tone=tone, name=name)

    def echo(state: Any) -> Mark | None:
        then = earlier(state) if earlier is not None else None
        return None if then is None else drawn(then, "ink")

    def put(to: Array) -> tuple[Array, float]:
        return (to[:1] - data.centre) / data.spread, float(to[1])

    ghosts = (GhostTrail(mark=echo, among=among, name=names[1]),) if earlier is not None else ()
    true = (drawn(truth, 3, names[2]),) if truth is not None else ()
    now = (drawn(predict, "accent", names[0]),) if predict is not None else ()

    says = None if predict is None else says_fit(y, lambda row: float(predict(data.X[[row]])[0]))
    rows = Points(
        at=np.column_stack([x, y]),
        tone=0,
        haloed=haloed,
        halo=kind,
        weights=sizes_of(larger),
        sizes=kind,
        put=put,
        says=says,
    )
    return Panel(
        title=f"{data.target} against {data.features[0]}"[:40],
        marks=(*behind, *ghosts, *true, rows, *now),
        axes=(data.features[0], data.target),
        limits=limits,
        note=note,
    )


def sizes_of(larger: Array | None) -> Array | None:
    """(n,) sizes of rows some of which are to be larger than the others; None where none is."""
    return np.where(larger, 1.0, _SMALL) if larger is not None and larger.any() else None


def predicted_panel(
    data: Dataset,
    predicted: Array | None,
    haloed: Array | None = None,
    larger: Array | None = None,
    kind: str = "",
    note: str = "",
) -> Panel:
    """Draw what is predicted for each row against its target; the mean of the targets where nothing is yet.

    Args:
        haloed, larger, kind: as of `function_panel`.
    """
    y = np.asarray(data.y, float)
    ends = padded(y, 0.06)
    values = np.full(data.n, y.mean()) if predicted is None else predicted
    diagonal = np.array([[ends[0], ends[0]], [ends[1], ends[1]]])
    return Panel(
        title="predicted against true",
        marks=(
            Path(at=diagonal, tone="muted", name="predicted = true"),
            Points(
                at=np.column_stack([y, values]),
                tone=0,
                haloed=haloed,
                weights=sizes_of(larger),
                sizes=kind,
                halo=kind,
                says=None if predicted is None else says_fit(y, values),
            ),
        ),
        axes=(data.target, f"predicted {data.target}"),
        limits=(ends, ends),
        note=note,
    )


def padded(values: Array, share: float) -> tuple[float, float]:
    """The range of values with some room at its ends, also where they are all the same."""
    low, high = float(values.min()), float(values.max())
    size = max(abs(low), abs(high))
    room = share * (high - low) if high - low > 1e-9 * size else share * size or 1.0
    return low - room, high + room
