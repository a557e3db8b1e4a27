"""Resolving: a scene's marks in R^d made plane arrays, with nothing left to call.

What paints sees arrays only, so an algorithm may run in a process of its own.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from algorithms.core.arrays import Array
from algorithms.core.plane import Axis, Plane
from algorithms.core.pullback import pulled_back
from algorithms.core.scene import (
    Arrow,
    Bars,
    Contours,
    DragHandles,
    Ellipse,
    GhostTrail,
    Hyperplane,
    Labels,
    Mark,
    Matrix,
    Panel,
    Path,
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

HONEST = 0.8  # a slice that is right about fewer rows than this is not tinted
_AROUND = np.stack([np.cos(a := np.linspace(0.0, 2 * np.pi, 73)), np.sin(a)], axis=1)


class View(Struct, frozen=True):
    """What part of the plane is seen, and how finely a region is asked for."""

    left: float
    right: float
    bottom: float
    top: float
    columns: int = 80
    rows: int = 60

    @property
    def diameter(self) -> float:
        return float(np.hypot(self.right - self.left, self.top - self.bottom))


class Tint(Mark, frozen=True, kw_only=True):
    """A resolved Region on the view's grid, top row first.

    Attributes:
        tones: (rows, columns) int16; -1 where there is none.
        strength: (rows, columns) float32 in [0, 1]; 0 at the boundary.
        shares: (rows, columns, k) float32 for a mixed region, else None.
        palette: the tones of the k shares.
    """

    tones: Array
    strength: Array
    shares: Array | None = None
    palette: tuple[int, ...] = ()


class Levels(Mark, frozen=True, kw_only=True):
    """Level lines of a (rows, columns) height on the view's grid, top row first.

    With `winner`, height is (k, rows, columns) and the lines are where the greatest changes.
    """

    height: Array
    levels: tuple[float, ...] = (0.0,)
    tone: Tone = "ink"
    winner: bool = False


class Faded(Mark, frozen=True, kw_only=True):
    """Another mark, painted faintly: something that was."""

    mark: Mark
    age: float  # in (0, 1]; 1 is the oldest


class ResolvedPanel(Struct, frozen=True, eq=False):
    """A resolved panel: plane coordinates only.

    Attributes:
        marks: Points, Labels, Path, Segments, Arrow, Bars, Matrix, Table, Tint, Levels, Faint; and Grips, whose
            `moved` takes a place on the plane: what the plane does not show stays as it is.
        across, up: the axes.
        limits: what the panel asks to show, or None.
    """

    title: str
    marks: tuple[Mark, ...]
    across: Axis
    up: Axis
    limits: tuple[tuple[float, float], tuple[float, float]] | None
    equal: bool
    note: str
    space: str


class History(Struct, frozen=True, eq=False):
    """Earlier states that trails and echoes draw on: `trail` oldest first, `recent` newest first."""

    trail: Sequence[State] = ()
    recent: Sequence[State] = ()


def resolve(panel: Panel, plane: Plane, view: View, past: History | None = None) -> ResolvedPanel:
    """The panel's marks as plane arrays: data space through `plane`, its own space as it is."""
    past = past or History()
    own = panel.space == "own"
    project: _Projection = _Own() if own else plane
    shown, left_out = (list(panel.marks), "") if own else pulled_back(panel.marks, plane)
    notes = [note for note in (panel.note, left_out) if note]
    marks: list[Mark] = []
    for mark in shown:
        flat, note = _flatten(mark, project, view, past)
        marks.extend(flat)
        if note:
            notes.append(note)
    marks.sort(key=_layer)
    across, up = (Axis(panel.axes[0]), Axis(panel.axes[1])) if own else (plane.across, plane.up)
    return ResolvedPanel(
        panel.title, tuple(marks), across, up, panel.limits, panel.equal, ", ".join(notes), panel.space
    )


def _layer(mark: Mark) -> int:
    """Tints lie at the back, what was before lies on them, and what is now on top of that."""
    return 0 if isinstance(mark, Tint) else 1 if isinstance(mark, Faded) else 2


class _Own:
    """A panel's own coordinates: already in the plane."""

    whole = True

    def project(self, at: Array) -> Array:
        return np.asarray(at, float)

    def lift(self, at: Array) -> Array:
        return at

    def carried(self, at: Array, to: Array) -> Array:
        return to

    def turn(self, directions: Array) -> Array:
        return directions


_Projection = _Own | Plane


def _flatten(mark: Mark, to: _Projection, view: View, past: History) -> tuple[list[Mark], str]:
    """One mark as resolved ones, and what the panel's note should add."""
    match mark:
        case DragHandles():
            return [_carried(mark, to)], ""
        case Points() | Labels() | Path() | Units():
            return [replace(mark, at=to.project(mark.at))], ""
        case Segments() | Arrow():
            start, end = to.project(np.atleast_2d(mark.start)), to.project(np.atleast_2d(mark.end))
            return [replace(mark, start=start, end=end)], ""
        case Region():
            return _region(mark, to, view)
        case Contours():
            height = _grid_scores(mark.height, to, view)[..., 0]
            return [Levels(height=height, levels=mark.levels, tone=mark.tone)], ""
        case Hyperplane():
            return _line(mark, to, view), ""
        case Ellipse():
            return _outlines(mark, to), ""
        case Trail():
            return _trails(mark, to, past.trail), ""
        case GhostTrail():
            return _echoes(mark, to, view, past), ""
        case Bars() | Matrix() | Table() | Tree():
            return [mark], ""
    raise TypeError(f"{type(mark).__name__} is not a mark that can be shown")


def _carried(mark: DragHandles, through: _Projection) -> DragHandles:
    """Grips on the plane, whose `moved` takes places on the plane."""

    def moved(state: State, i: int, to: Array) -> Any:
        return mark.moved(state, i, through.carried(mark.at[i], to))

    return replace(mark, at=through.project(mark.at), moved=moved)


def _grid_scores(score: Callable[[Array], Array], to: _Projection, view: View) -> Array:
    """score at the centres of the view's grid, top row first: (rows, columns, k)."""
    x = view.left + (np.arange(view.columns) + 0.5) * (view.right - view.left) / view.columns
    y = view.top - (np.arange(view.rows) + 0.5) * (view.top - view.bottom) / view.rows
    places = np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1).reshape(-1, 2)
    values = np.asarray(score(to.lift(places)), float)
    return values.reshape(view.rows, view.columns, -1)


def _winners(scores: Array) -> Array:
    """(m, k) -> (m,): the column that wins; a signed score gives 1 where positive, else 0."""
    return np.asarray(scores[:, 0] > 0 if scores.shape[1] == 1 else scores.argmax(axis=1), np.int16)


def _region(mark: Region, to: _Projection, view: View) -> tuple[list[Mark], str]:
    note = ""
    if mark.check is not None and not to.whole:
        said = _winners(_columns(mark.score(to.lift(to.project(mark.check)))))
        meant = _winners(_columns(mark.score(mark.check)))
        agree = float((said == meant).mean())
        note = f"slice at the mean, {agree:.0%} of rows agree"
        if agree < HONEST:
            return [], note + ": no tint"
    scores = _grid_scores(mark.score, to, view)
    k = scores.shape[2]
    tones = np.array(mark.tones or range(max(k, 2)), np.int16)
    if mark.mixed:
        shares = scores.astype(np.float32)
        tint = Tint(
            tones=tones[scores.argmax(axis=2)],
            strength=shares.max(axis=2),
            shares=shares,
            palette=tuple(int(t) for t in tones),
        )
        return [tint], note
    if k == 1:
        signed = scores[..., 0]
        lead, winner = np.abs(signed), (signed > 0).astype(np.intp)
        lines: list[Mark] = [Levels(height=signed, levels=mark.lines)] if mark.lines else []
    else:
        two = np.partition(scores, k - 2, axis=2)[..., -2:]
        lead, winner = two[..., 1] - two[..., 0], scores.argmax(axis=2)
        lines = [Levels(height=np.moveaxis(scores, 2, 0), winner=True, tone="muted")] if mark.lines else []
    finite = np.where(np.isfinite(lead), lead, 0.0)
    depth = mark.depth or float(finite.max()) or 1.0
    strength = np.clip(finite / depth, 0.0, 1.0).astype(np.float32)
    return [Tint(tones=tones[winner], strength=strength), *lines], note


def _columns(scores: Any) -> Array:
    given = np.asarray(scores, float)
    return given.reshape(len(given), -1)


def _line(mark: Hyperplane, to: _Projection, view: View) -> list[Mark]:
    """Where the hyperplane cuts the plane: a line, or nothing when they are parallel."""
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
    return [Path(at=np.stack([foot - along, foot + along]), tone=mark.tone)]


def _outlines(mark: Ellipse, to: _Projection) -> list[Mark]:
    """The outlines of the Gaussian projected onto the plane, which is Gaussian again."""
    mean = to.project(np.atleast_2d(mark.mean))[0]
    flat = to.turn(to.turn(mark.covariance).T).T
    values, vectors = np.linalg.eigh((flat + flat.T) / 2)
    shape = vectors * np.sqrt(np.clip(values, 0.0, None))
    return [Path(at=mean + r * _AROUND @ shape.T, tone=mark.tone) for r in mark.deviations]


def _trails(mark: Trail, to: _Projection, states: Sequence[State]) -> list[Mark]:
    if len(states) < 2:
        return []
    places = [np.atleast_2d(mark.where(s)) for s in states]
    things = len(places[-1])
    stacked = np.stack([p for p in places if len(p) == things])  # (times, things, d)
    tones = mark.tones if len(mark.tones) == things else mark.tones[:1] * things
    return [Path(at=to.project(stacked[:, i]), tone=tones[i]) for i in range(things)]


def _echoes(mark: GhostTrail, to: _Projection, view: View, past: History) -> list[Mark]:
    found: list[Mark] = []
    for i, state in enumerate(past.recent[: mark.last]):
        earlier = mark.mark(state)
        if earlier is not None:
            flat, _ = _flatten(earlier, to, view, past)
            found.extend(Faded(mark=m, age=(i + 1) / mark.last) for m in flat)
    return found[::-1]
