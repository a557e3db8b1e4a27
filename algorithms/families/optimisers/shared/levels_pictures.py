"""Panels of an optimiser in the plane: the path over the level lines of what is descended, and that along an axis."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from algorithms.core import Array, Arrow, Contours, Cursor, DragHandles, Labels, Panel, Path, Points, State, Trail
from algorithms.core.scene import Mark

Window = tuple[tuple[float, float], tuple[float, float]]

_PLACES = 241  # along an axis
_CLOSE = 0.02  # of what is shown: as near to a place, where it stands is under the name there


def path_over_levels(
    height: Callable[[Array], Array],
    window: Window,
    at: Array,
    *,
    where: Callable[[Any], Array],
    moved: Callable[[Any, Array], State],
    start: str = "start",
    earlier: Array | None = None,
    marked: Mapping[str, Sequence[Array | tuple[float, float]]] = {},
    title: str = "the path over the level lines of f",
    axes: tuple[str, str] = ("x₁", "x₂"),
    name: str = "x",
    marks: tuple[Mark, ...] = (),
    bare: bool = False,
) -> Panel:
    """Show where an optimiser stands, the step that led there and the path before it.

    Args:
        height: (m, 2) -> (m,), what is descended.
        window: ((left, right), (bottom, top)), what is shown of it; the note tells when `at` lies outside.
        at: (2,) where it stands.
        where: (state) -> (2,) where it stood in an earlier state.
        moved: (state, to) -> the state standing at `to`, for dragging.
        start: the parameter that holds where it begins: dragged at step 0, a run begins there.
        earlier: (2,) where the last step came from.
        marked: places with a name, by name: minima, saddles.
        marks: what else there is to see, above the level lines and under the path: a local model.
        bare: whether where it stands is a point that the legend names, for a label would cover what is about it; at a
            named place, whose label covers the point, it has one.
    """
    names = [text for text, places in marked.items() for _ in places]
    places = [np.asarray(place, float) for several in marked.values() for place in several]
    known = (Labels(at=np.array(places), texts=tuple(names), tones=("muted",)),) if places else ()

    def sets(to: Array) -> dict[str, Any]:
        return {start: tuple(np.round(to, 2).tolist())}

    reach = _CLOSE * float(np.ptp(np.array(window), axis=1).min())
    bare = bare and all(np.linalg.norm(at - place) > reach for place in places)  # which the name there would cover
    step = () if earlier is None else (Arrow(start=earlier, end=at, tone="accent", legend="the step"),)
    low, high = np.array(window).T
    here = (
        Points(at=at[None], tone="accent", names=(name,), rows=False)
        if bare
        else Labels(at=at[None], texts=(name,), tones=("accent",))
    )
    return Panel(
        title=title,
        marks=(
            Contours(height=height, name="levels of f"),
            *marks,
            *known,
            Trail(where=lambda state: where(state)[None], tones=("accent",), name="path of x"),
            *step,
            here,
            DragHandles(at=at[None], moved=lambda state, _, to: moved(state, to), names=(name,), sets=sets),
        ),
        axes=axes,
        limits=window,
        equal=True,
        note="" if ((low <= at) & (at <= high)).all() else f"{name} lies outside of what is shown",
    )


def along_axis(
    height: Callable[[Array], Array], window: Window, at: Array, j: int, earlier: float | None, name: str
) -> Panel:
    """Draw what is descended over one coordinate, the other one kept.

    Args:
        height: (m, 2) -> (m,).
        window: as in `path_over_levels`.
        at: (2,) where the optimiser stands.
        j: which coordinate, 0 or 1.
        earlier: that coordinate before the step; None where the step moved another, or there was none.
        name: of the coordinate.
    """
    over = np.linspace(*window[j], _PLACES)
    places = np.repeat(at[None], _PLACES, axis=0)
    places[:, j] = over
    heights = height(places)
    before = () if earlier is None else (Cursor(x=earlier, tone="muted", name="before"),)
    room = 0.05 * float(np.ptp(heights)) or 1.0
    return Panel(
        title=f"f along {name}",
        marks=(Path(at=np.column_stack([over, heights]), tone="ink"), *before, Cursor(x=float(at[j]), name="now")),
        axes=(name, "f"),
        limits=(window[j], (float(heights.min()) - room, float(heights.max()) + room)),
        note="" if earlier is None else "moved last",
    )
