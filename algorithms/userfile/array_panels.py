"""A panel for an array: as points, an image, bars, a path, or over the places of another."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset
from algorithms.core.problem import Problem
from algorithms.core.scene import Bars, Labels, Mark, Matrix, Panel, Path, Points, Table, Trail
from algorithms.userfile.guessing import guessed, places_of
from algorithms.userfile.meaning import is_tour
from algorithms.userfile.state import PlainState
from algorithms.userfile.view import View

_FEW = 12  # places that have names and trails
_NUMBERED = 40  # places that show where in an order they come
_CELLS = (60, 12)  # rows and columns of a table


def array_panel(problem: Problem, name: str, value: Array, state: PlainState, view: View) -> Panel | None:
    """Draw an array as VIEW says, or by what it is; None for one that cannot be drawn."""
    data = problem.data
    way = view.array_way(name) or guessed(data, name, value, state)
    if not way or value.size == 0 or value.ndim > 3:
        return None
    kind, _, of = way.partition(" of ")
    if of:
        return _over_places(data, name, value, state, kind, of) or _drawn(data, name, value, "line")
    return _drawn(data, name, value, kind)


def _drawn(data: Dataset, name: str, value: Array, way: str) -> Panel:
    numbers = np.asarray(value, float)
    if numbers.ndim == 3:
        numbers = numbers.reshape(-1, numbers.shape[-1])
    wide = numbers.ndim == 2 and numbers.shape[1] > 1
    if way in ("points", "path", "places") and wide:
        marks = [Path(at=numbers[:, :2], tone="accent")] if way == "path" else places(name, numbers[:, :2])
        return Panel(title=name, marks=tuple(marks), axes=(f"{name}[:, 0]", f"{name}[:, 1]"))
    if way == "trail" and (numbers.shape == (2,) or wide):
        at = np.atleast_2d(numbers)[:, :2]
        return Panel(title=f"path of {name}", marks=tuple(places(name, at)), axes=("first", "second"))
    if way == "table":
        return Panel(title=name, marks=(_table(np.atleast_2d(value if value.ndim < 3 else numbers)),))
    if way == "image":
        return Panel(title=name, marks=(_image(data, numbers),))
    if way == "bars" and (numbers.ndim == 1 or len(numbers) == 1):
        heights = numbers.reshape(-1)
        names = data.features if heights.size == data.d else tuple(map(str, range(heights.size)))
        return Panel(title=name, marks=(Bars(heights=heights, names=names),), axes=("", name))
    return _lines(name, numbers)


def _lines(name: str, numbers: Array) -> Panel:
    """Draw a vector, or each column of a matrix, against its index."""
    columns = np.atleast_2d(numbers.T)
    finite = np.where(np.isfinite(columns), columns, np.nan)  # where it is no number, the pen is lifted
    index = np.arange(columns.shape[1], dtype=float)
    tones: tuple[Any, ...] = ("accent",) if len(columns) == 1 else tuple(range(len(columns)))
    paths = (Path(at=np.stack([index, line], axis=1), tone=tone) for line, tone in zip(finite, tones))
    return Panel(title=name, marks=tuple(paths), axes=("index", name))


def _image(data: Dataset, numbers: Array) -> Matrix:
    if numbers.ndim == 1:
        image = data.image if data.image is not None else (0, 0)
        numbers = numbers.reshape(image if image[0] * image[1] == numbers.size else _rectangle(numbers.size))
    return Matrix(values=numbers, signed=_signed(numbers))


def _rectangle(size: int) -> tuple[int, int]:
    """Lay a vector out as a square where it is one, else as one row."""
    side = round(size**0.5)
    return (side, side) if side * side == size else (1, size)


def _signed(numbers: Array) -> bool:
    """Tell whether there are numbers below 0."""
    return bool((numbers[np.isfinite(numbers)] < 0).any())


def _table(value: Array) -> Table:
    rows, columns = min(len(value), _CELLS[0]), min(value.shape[1], _CELLS[1])
    cells = tuple((i, *value[i, :columns].tolist()) for i in range(rows))
    return Table(columns=("", *map(str, range(columns))), rows=cells)


def _over_places(data: Dataset, name: str, value: Array, state: PlainState, kind: str, of: str) -> Panel | None:
    """Draw a tour, an order or groups over the places that they are of; None where these do not fit."""
    at = places_of(data, state, of)
    codes = value.reshape(-1)
    if at is None or value.dtype.kind not in "iub":
        return None
    axes = (f"{of}[:, 0]", f"{of}[:, 1]")
    if kind == "groups":
        if len(codes) != len(at):
            return None
        points = Points(at=at, classes=np.asarray(codes, np.int64), rows=False)
        return Panel(title=f"{name} of {of}", marks=(points,), axes=axes)
    if codes.size == 0 or codes.min() < 0 or codes.max() >= len(at):
        return None
    ordered = at[codes.astype(np.int64)]
    marks: list[Mark] = []
    if kind == "path":
        closes = is_tour(name) and len(codes) == len(at)
        line = np.concatenate([ordered, ordered[:1]]) if closes else ordered
        marks.append(Path(at=line, tone="accent", name=name))
    marks.append(Points(at=at, rows=False, tone="ink"))
    if kind == "order" and len(at) <= _NUMBERED:
        texts = tuple(str(i) for i in range(len(codes)))
        marks.append(Labels(at=ordered, texts=texts, tones=("accent",), glyph="•"))
    return Panel(title=f"{name} of {of}", marks=tuple(marks), axes=axes)


def places(name: str, at: Array, tones: bool = False, where: Callable[[Any], Array] | None = None) -> list[Mark]:
    """Show a few places with names and trails, or many as points.

    Args:
        where: where they were in a state, if that is not the field of that name.
    """
    whole = np.flatnonzero(np.isfinite(at).all(axis=1)).tolist()  # the others have no place
    if len(at) > _FEW:
        return [Points(at=at[whole], rows=False, tone="accent")]
    colours: tuple[Any, ...] = tuple(range(len(at))) if tones else ("accent",) * len(at)
    texts = (name,) if len(at) == 1 else tuple(f"{name} {i}" for i in range(len(at)))
    trail = Trail(where=where or _where(name, at.shape[1]), tones=colours)
    if not whole:  # of what became nan there is where it was
        return [trail]
    return [trail, Labels(at=at[whole], texts=tuple(texts[i] for i in whole), tones=tuple(colours[i] for i in whole))]


def _where(name: str, d: int) -> Callable[[Any], Array]:
    """Look where the thing of that name was in a state; nowhere, (0, d), when it was not."""

    def where(state: PlainState) -> Array:
        value = state.get(name)
        good = isinstance(value, np.ndarray) and value.ndim in (1, 2) and value.shape[-1] >= d
        return np.atleast_2d(np.asarray(value, float))[:, :d] if good else np.empty((0, d))

    return where
