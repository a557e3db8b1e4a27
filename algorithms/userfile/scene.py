"""What there is to see of a plain generator: every part of what it yields by what it is."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset
from algorithms.core.problem import Problem
from algorithms.core.scene import Bars, Labels, Mark, Matrix, Panel, Path, Points, Scene, Table, Trail
from algorithms.userfile.state import PlainState
from algorithms.userfile.values import in_short

_FEW = 12  # places that have names and trails
_BARS = 64  # heights that are told apart; a longer vector is a path


def scene(problem: Problem, before: PlainState | None, after: PlainState) -> Scene:
    """Draw the data with what lies in its space, a panel for every other array, the values and the local variables."""
    data = problem.data
    shown: list[Panel] = []
    if data:
        shown.append(_data_panel(data, after))
    for name, value in after.fields:
        if isinstance(value, np.ndarray) and not (shown and _in_data_space(data, value)):
            panel = _array_panel(data, name, value)
            if panel is not None:
                shown.append(panel)
    if not shown:
        shown.append(_number_panel(after))
    tables = [Panel(title="values", marks=(_values(before, after),))]
    if after.frame:
        rows = tuple((name, text) for name, text in after.frame)
        tables.append(Panel(title="locals", marks=(Table(columns=("name", "value"), rows=rows),)))
    return Scene((*shown, *tables))


def explain(problem: Problem, before: PlainState | None, after: PlainState) -> str:
    """Say what it yielded, in a sentence."""
    if not after.fields:
        return "It has been called with its data and parameters." if after.t == 0 else "It yielded nothing to be shown."
    parts = [_phrase(name, value, before.get(name) if before else None) for name, value in after.fields[:4]]
    more = f" and {len(after.fields) - 4} more" if len(after.fields) > 4 else ""
    remarks = "; ".join(filter(None, (after.remark, *(words for _, words in after.happened))))
    remark = f" Note: {remarks}." if remarks else ""
    return f"It yielded {', '.join(parts)}{more}.{remark}"


def _phrase(name: str, value: Any, was: Any) -> str:
    if isinstance(value, str):
        return f"{name} “{value[:40]}”"
    if isinstance(value, np.ndarray):
        if isinstance(was, np.ndarray) and was.shape == value.shape and value.size and value.dtype.kind in "if":
            if value.dtype.kind == "i":
                return f"{name} ({_shape(value)}, {int((value != was).sum())} changed)"
            return f"{name} ({_shape(value)}, moved by {float(np.linalg.norm(value - was)):.3g})"
        return f"{name} ({_shape(value)})"
    text, earlier = in_short(value), in_short(was)
    return f"{name} {text}" + (f" (was {earlier})" if was is not None and text != earlier else "")


def _shape(value: Array) -> str:
    return "×".join(map(str, value.shape))


def _labels(data: Dataset, value: Any) -> bool:
    """Tell whether it is a code for every row: groups of the data."""
    return isinstance(value, np.ndarray) and value.shape == (data.n,) and value.dtype.kind in "iub" and data.n > 1


def _in_data_space(data: Dataset, value: Array) -> bool:
    """Tell whether it is shown with the data: places in its space, or the groups of its rows; of one row nobody can say
    whether it is a place or a coefficient of each feature."""
    places = bool(data) and value.ndim == 2 and value.shape[1] == data.d and len(value) > 1 and value.dtype.kind in "if"
    return _labels(data, value) or places


def _data_panel(data: Dataset, state: PlainState) -> Panel:
    groups = next((v for _, v in state.fields if _labels(data, v)), None)
    codes = data.y if groups is None and data.kind == "class" else groups
    marks: list[Mark] = [Points(at=data.X, classes=None if codes is None else np.asarray(codes, np.int64))]
    for name, value in state.fields:
        if isinstance(value, np.ndarray) and not _labels(data, value) and _in_data_space(data, value):
            marks += _places(name, np.asarray(value, float), tones=groups is not None)
    return Panel(title="the data", space="data", marks=tuple(marks))


def _places(name: str, at: Array, tones: bool = False) -> list[Mark]:
    """Show a few places with names and trails, or many as points."""
    whole = np.flatnonzero(np.isfinite(at).all(axis=1)).tolist()  # the others have no place
    if len(at) > _FEW or not whole:
        return [Points(at=at[whole], rows=False, tone="accent")]
    colours: tuple[Any, ...] = tuple(range(len(at))) if tones else ("accent",) * len(at)
    texts = (name,) if len(at) == 1 else tuple(f"{name} {i}" for i in range(len(at)))
    trail = Trail(where=_where(name, at.shape[1]), tones=colours)
    return [trail, Labels(at=at[whole], texts=tuple(texts[i] for i in whole), tones=tuple(colours[i] for i in whole))]


def _where(name: str, d: int) -> Callable[[Any], Array]:
    """Look where the thing of that name was in a state; nowhere, (0, d), when it was not."""

    def where(state: PlainState) -> Array:
        value = state.get(name)
        good = isinstance(value, np.ndarray) and value.ndim in (1, 2) and value.shape[-1] == d
        return np.atleast_2d(np.asarray(value, float)) if good else np.empty((0, d))

    return where


def _array_panel(data: Dataset, name: str, value: Array) -> Panel | None:
    """Show an array by its shape: n x 2 as points, a matrix as an image, a vector as bars or a path."""
    numbers = np.asarray(value, float)
    if value.size == 0 or value.ndim > 3:
        return None
    if value.ndim == 2 and len(value) == 1 and bool(data) and value.shape[1] == data.d:
        value = numbers = numbers[0]  # a coefficient of each feature
    if value.ndim == 3:
        numbers = numbers.reshape(-1, numbers.shape[-1])
    if value.ndim == 2 and value.shape[1] == 2:
        return Panel(title=name, marks=tuple(_places(name, numbers)), axes=(f"{name}[:, 0]", f"{name}[:, 1]"))
    if value.ndim >= 2:
        return Panel(title=name, marks=(Matrix(values=numbers, signed=_signed(numbers)),))
    if data.image is not None and value.size == data.image[0] * data.image[1]:
        return Panel(title=name, marks=(Matrix(values=numbers.reshape(data.image), signed=_signed(numbers)),))
    if value.shape == (2,):
        return Panel(title=f"path of {name}", marks=tuple(_places(name, numbers[None])), axes=("first", "second"))
    if value.size <= _BARS:
        names = data.features if value.size == data.d else tuple(map(str, range(value.size)))
        return Panel(title=name, marks=(Bars(heights=numbers, names=names),), axes=("", name))
    finite = np.where(np.isfinite(numbers), numbers, np.nan)  # where it is no number, the pen is lifted
    path = np.stack([np.arange(value.size, dtype=float), finite], axis=1)
    return Panel(title=name, marks=(Path(at=path, tone="accent"),), axes=("index", name))


def _signed(numbers: Array) -> bool:
    """Tell whether there are numbers below 0."""
    return bool((numbers[np.isfinite(numbers)] < 0).any())


def _number_panel(state: PlainState) -> Panel:
    """Draw the first number against the step, when there is nothing else to be drawn."""
    name = next((n for n, v in state.fields if isinstance(v, int | float)), "")
    if not name:
        return Panel(title="nothing to be drawn yet" if state.t == 0 else "nothing to be drawn", marks=())

    def where(earlier: PlainState) -> Array:
        value = earlier.get(name)
        if not isinstance(value, int | float):
            return np.empty((0, 2))
        return np.array([[float(earlier.t), float(value) if np.isfinite(value) else np.nan]])  # a hole in the line

    here = where(state)
    there = Points(at=here[np.isfinite(here).all(axis=1)], rows=False, tone="accent")
    return Panel(title=name, marks=(Trail(where=where, tones=("accent",)), there), axes=("step", name))


def _values(before: PlainState | None, after: PlainState) -> Table:
    """List every part with its value, those that changed marked."""
    rows = tuple(
        (name, v if isinstance(v, int | float) and np.isfinite(v) else in_short(v)) for name, v in after.fields
    )
    texts = [in_short(v) for _, v in after.fields]
    changed = tuple(
        i for i, (name, _) in enumerate(after.fields) if before is not None and in_short(before.get(name)) != texts[i]
    )
    return Table(columns=("yielded", "value"), rows=rows, marked=changed if len(changed) < len(rows) else ())
