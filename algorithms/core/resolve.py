"""Resolving: a scene's marks in R^d made plane arrays, with nothing left to call.

What paints sees arrays only, so an algorithm may run in a process of its own.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.arrays import Array
from algorithms.core.grids import Grids
from algorithms.core.plane import Axis, Plane
from algorithms.core.projection import UNDER as UNDER, History as History, Looking, OwnSpace, Projection, View as View
from algorithms.core.pullback import pulled_back
from algorithms.core.regions import Levels as Levels, Tint as Tint, contours, grid_scores, region
from algorithms.core.scene import (
    Arrow,
    Band,
    Bars,
    Contours,
    Cursor,
    DragHandles,
    Ellipse,
    ErrorBars,
    GhostTrail,
    Hyperplane,
    Labels,
    Mark,
    Matrix,
    Panel,
    Path,
    Paths,
    Points,
    Region,
    Segments,
    Table,
    Tone,
    Trail,
    Tree,
    Units,
)
from algorithms.core.state import State

_AROUND = np.stack([np.cos(a := np.linspace(0.0, 2 * np.pi, 73)), np.sin(a)], axis=1)


class Faded(Mark, frozen=True, kw_only=True):
    """Another mark, painted faintly: something that was.

    Attributes:
        age: in (0, 1]; 1 is the oldest.
        name: what it and those like it are, for the legend.
    """

    mark: Mark
    age: float
    name: str = ""


class ResolvedPanel(Struct, frozen=True, eq=False):
    """A resolved panel: plane coordinates only.

    Attributes:
        marks: those of a scene with their places on the plane, and Tint, Levels and Faded in place of what is asked
            for; DragHandles' `moved` takes a place on the plane: what the plane does not show stays as it is.
        across, up: the axes.
        limits: what the panel asks to show, or None.
        log: the axes on which places are powers of ten.
    """

    title: str
    marks: tuple[Mark, ...]
    across: Axis
    up: Axis
    limits: tuple[tuple[float, float], tuple[float, float]] | None
    equal: bool
    note: str
    space: str
    log: str = ""


def resolve(
    panel: Panel, plane: Plane, view: View, past: History | None = None, grids: Grids | None = None
) -> ResolvedPanel:
    """Resolve the panel's marks to plane arrays: data space through `plane`, its own space as it is.

    `grids` keeps what was asked from one call to the next, for as long as the view stays.
    """
    own = OwnSpace(panel.log) if panel.space == "own" else None
    looking = Looking(own or plane, view, past or History(), grids or Grids(), panel.title)
    shown, left_out = (list(panel.marks), "") if own else pulled_back(panel.marks, plane)
    notes = [note for note in (panel.note, left_out) if note]
    marks: list[Mark] = []
    for mark in shown:
        flat, note = _flatten(mark, looking)
        marks.extend(flat)
        if note:
            notes.append(note)
    across, up = (Axis(panel.axes[0]), Axis(panel.axes[1])) if own else (plane.across, plane.up)
    return ResolvedPanel(
        panel.title,
        tuple(marks),
        across,
        up,
        placed_limits(panel),
        panel.equal,
        ", ".join(notes),
        panel.space,
        panel.log if own else "",
    )


def placed_limits(panel: Panel) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Place the limits that a panel asks for: on a logarithmic axis they are powers of ten.

    Raises:
        ValueError: if a logarithmic axis is to begin at or below 0.
    """
    if panel.limits is None or not panel.log:
        return panel.limits
    own = OwnSpace(panel.log)
    (left, bottom), (right, top) = own.project(np.array(panel.limits).T).tolist()
    if own.clipped:
        raise ValueError(f"a logarithmic axis cannot show 0 or less, and the limits are {panel.limits}")
    return (left, right), (bottom, top)


def _flatten(mark: Mark, looking: Looking) -> tuple[list[Mark], str]:
    """Resolve one mark, into several if need be; with words for the panel's note."""
    to = looking.to
    match mark:
        case DragHandles():
            return [_carried(mark, to)], ""
        case Points():
            return [_points(mark, looking)], ""
        case Labels() | Path() | Paths() | Units():
            return [replace(mark, at=to.project(mark.at))], ""
        case Segments() | Arrow():
            start, end = to.project(np.atleast_2d(mark.start)), to.project(np.atleast_2d(mark.end))
            return [replace(mark, start=start, end=end)], ""
        case Region():
            return region(mark, looking)
        case Contours():
            return [contours(mark, looking)], ""
        case Hyperplane():
            return _line(mark, to, looking.view), ""
        case Ellipse():
            return _outlines(mark, to), ""
        case Trail():
            return _trails(mark, to, looking.past.trail), ""
        case GhostTrail():
            return _echoes(mark, looking), ""
        case Band() | ErrorBars() | Cursor():
            return [_upright(mark, to)], ""
        case Bars() if isinstance(to, OwnSpace) and to.log:
            raise ValueError("Bars stand on 0, which a logarithmic axis has not; a Path or ErrorBars can be shown")
        case Bars() | Matrix() | Table() | Tree():
            return [mark], ""
    raise TypeError(f"{type(mark).__name__} is not a mark that can be shown")


def _points(mark: Points, looking: Looking) -> Points:
    """Project points, and have `put` take a place on the plane."""
    put, to = mark.put, looking.to
    if put is not None and isinstance(to, OwnSpace) and to.log:
        return replace(mark, at=to.project(mark.at), put=lambda place: put(to.lift(place)))
    return replace(mark, at=to.project(mark.at) if isinstance(to, OwnSpace) else looking.grids.projected(to, mark.at))


def _upright(mark: Band | ErrorBars | Cursor, to: Projection) -> Mark:
    """Project a mark that stands over a panel's own axes."""
    if not isinstance(to, OwnSpace):
        raise ValueError(f"{type(mark).__name__} needs a panel of its own space, and this one shows the data's")
    if isinstance(mark, Cursor):
        return replace(mark, x=float(to.project(np.array([mark.x, 1.0]))[0]))
    x = mark.x if isinstance(mark, Band) else np.asarray(mark.at)[:, 0]
    if not len(x) == len(mark.lower) == len(mark.upper):
        counts = f"{len(x)} places, {len(mark.lower)} lower and {len(mark.upper)} upper ends"
        raise ValueError(f"{type(mark).__name__} has {counts}; there must be as many of each")
    lower, upper = (to.project(np.stack([x, ends], axis=-1)) for ends in (mark.lower, mark.upper))
    if isinstance(mark, Band):
        return replace(mark, x=lower[:, 0], lower=lower[:, 1], upper=upper[:, 1])
    return replace(mark, at=to.project(mark.at), lower=lower[:, 1], upper=upper[:, 1])


def _carried(mark: DragHandles, through: Projection) -> DragHandles:
    """Project drag handles, and have `moved` take places on the plane."""

    def moved(state: State, i: int, to: Array) -> Any:
        return mark.moved(state, i, through.carried(mark.at[i], to))

    def parameters(to: Array) -> dict[str, Any]:
        assert mark.sets is not None
        return mark.sets(through.carried(mark.at[0], to))

    return replace(mark, at=through.project(mark.at), moved=moved, sets=parameters if mark.sets else None)


def _line(mark: Hyperplane, to: Projection, view: View) -> list[Mark]:
    """Cut the plane with the hyperplane: a line, or nothing when they are parallel; a curve on logarithmic axes."""
    if isinstance(to, OwnSpace) and to.log:
        height = grid_scores(lambda at: at @ mark.normal + mark.offset, to, view)[..., 0]
        return [Levels(height=height, tone=mark.tone, name=mark.name)]
    origin = to.lift(np.zeros((1, 2)))[0]
    normal = to.turn(np.atleast_2d(mark.normal))[0]
    offset = float(mark.normal @ origin + mark.offset)
    length = float(np.hypot(*normal))
    if length <= 1e-12 * float(np.linalg.norm(mark.normal)) or not np.isfinite(length):
        return []
    middle = np.array([(view.left + view.right) / 2, (view.bottom + view.top) / 2])
    across = normal / length
    away = float(across @ middle) + offset / length
    if not abs(away) <= view.diameter:
        return []
    foot = middle - away * across
    along = np.array([-across[1], across[0]]) * view.diameter
    ends = np.stack([foot - along, foot + along])
    if mark.box is not None:
        enter, leave = _within(*mark.box, *to.lift(ends))
        if enter >= leave:
            return []
        ends = ends[0] + np.outer([enter, leave], ends[1] - ends[0])
    return _named(mark.name, [(ends, mark.tone)])


def _within(low: Array, high: Array, start: Array, end: Array) -> tuple[float, float]:
    """Clip a piece in R^d to a box: the shares of it from which on and up to which it is inside (Liang and Barsky).

    The first is not the lesser where nothing of it is.
    """
    way = end - start
    if bool(((way == 0) & ((start < low) | (start > high))).any()):
        return 1.0, 0.0
    runs = way != 0
    sides = np.stack([low - start, high - start])[:, runs] / way[runs]
    return float(sides.min(axis=0).max(initial=0.0)), float(sides.max(axis=0).min(initial=1.0))


def _outlines(mark: Ellipse, to: Projection) -> list[Mark]:
    """Outline the Gaussian projected onto the plane, which is Gaussian again."""
    own = isinstance(to, OwnSpace)
    mean = np.atleast_2d(mark.mean)[0] if own else to.project(np.atleast_2d(mark.mean))[0]
    flat = to.turn(to.turn(mark.covariance).T).T
    values, vectors = np.linalg.eigh((flat + flat.T) / 2)
    shape = vectors * np.sqrt(np.clip(values, 0.0, None))
    outlines = [mean + r * _AROUND @ shape.T for r in mark.deviations]
    return _named(mark.name, [(to.project(at) if own else at, mark.tone) for at in outlines])


def _trails(mark: Trail, to: Projection, states: Sequence[State]) -> list[Mark]:
    if len(states) < 2:
        return []
    places = [np.asarray(mark.where(s)) for s in states]
    shape = next((place.shape for place in reversed(places) if place.size), None)  # it may be nowhere now
    if shape is None:
        return []
    alike = [p for p in places if p.shape == shape]
    things = shape[0] if len(shape) > 1 else 1
    stacked = np.concatenate(alike).reshape(len(alike), things, -1)  # (times, things, d)
    tones = mark.tones if len(mark.tones) == things else mark.tones[:1] * things
    return _named(mark.name, [(to.project(stacked[:, i]), tones[i]) for i in range(things)])


def _named(name: str, lines: Sequence[tuple[Array, Tone]]) -> list[Mark]:
    """Make paths of lines, of the same length each; with a name for the legend if they have one."""
    if name:
        return [Paths(at=np.stack([at for at, _ in lines]), tones=tuple(tone for _, tone in lines), name=name)]
    return [Path(at=at, tone=tone) for at, tone in lines]


def _echoes(mark: GhostTrail, looking: Looking) -> list[Mark]:
    """Resolve the marks of earlier states, the oldest first, at the back."""
    past = looking.past
    states = list(past.recent)
    if mark.among is not None and past.now is not None:
        states = [state for state in states if mark.among(state, past.now)]
    echoes: list[Mark] = []
    for i, state in enumerate(states[: mark.last]):
        earlier = mark.mark(state)
        if earlier is not None:
            flat, _ = _flatten(earlier, looking)
            echoes.extend(Faded(mark=m, age=(i + 1) / mark.last, name=mark.name) for m in flat)
    return echoes[::-1]
