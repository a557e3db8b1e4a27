"""What there is to see of a plain generator: every part of what it yields by what it is, or as its VIEW says."""

from typing import Any

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset
from algorithms.core.problem import Problem
from algorithms.core.scene import Bars, Mark, Panel, Points, Scene, Table, Trail
from algorithms.userfile.array_panels import array_panel, places
from algorithms.userfile.guessing import data_space
from algorithms.userfile.meaning import is_counter
from algorithms.userfile.state import PlainState
from algorithms.userfile.values import in_short, named_vectors, told
from algorithms.userfile.view import NO_VIEW, View


def scene(problem: Problem, before: PlainState | None, after: PlainState, view: View = NO_VIEW) -> Scene:
    """Draw what is yielded in its order, what lies among the rows with these; the values and the local variables.

    The data stand first where what is yielded lies among them, and behind all where it does not.
    """
    data = problem.data
    fields = tuple(field for field in after.fields if not view.asks(field[0], "hide"))
    arrays = [(name, value) for name, value in fields if isinstance(value, np.ndarray)]
    among = {name: kind for name, value in arrays if (kind := data_space(data, name, value, view))}
    planes = _planes(arrays, view)
    drawn = {name: array_panel(problem, name, value, after, view) for name, value in arrays if name not in among}
    drawn |= {name: planes.get(name.removesuffix(".real")) for name in drawn if name.rpartition(".")[0] in planes}
    titles = {panel.title for panel in drawn.values() if panel is not None}
    joined = {name for name in drawn if any(title.endswith(f" of {name}") for title in titles - {f"path of {name}"})}
    shown = [panel for name, panel in drawn.items() if panel is not None and name not in joined]
    shown += _vectors(fields)
    if data:
        shown.insert(0 if among or (not shown and not fields) else len(shown), _data_panel(data, after, among))
    if not arrays and fields and not named_vectors(fields):
        shown.insert(0, _number_panel(after, fields))
    if not shown:
        shown.append(_number_panel(after, fields))
    tables = [Panel(title="values", marks=(_values(before, after, fields),))]
    if after.frame:
        rows = tuple((name, text) for name, text in after.frame)
        tables.append(Panel(title="locals", marks=(Table(columns=("name", "value"), rows=rows),)))
    return Scene((*shown, *tables))


def explain(problem: Problem, before: PlainState | None, after: PlainState, view: View = NO_VIEW) -> str:
    """Say what it yielded, in a sentence, without what is hidden."""
    if not after.fields:
        return "It has been called with its data and parameters." if after.t == 0 else "It yielded nothing to be shown."
    shown = [field for field in after.fields if not view.asks(field[0], "hide")]
    first = sorted(shown, key=lambda field: is_counter(*field))[:4]
    parts = [_phrase(name, value, before.get(name) if before else None) for name, value in first]
    more = f" and {len(shown) - 4} more" if len(shown) > 4 else ""
    remarks = "; ".join(filter(None, (after.remark, *(words for _, words in after.happened))))
    remark = f" Note: {remarks}." if remarks else ""
    return f"It yielded {', '.join(parts) or 'what is not shown'}{more}.{remark}"


def _phrase(name: str, value: Any, was: Any) -> str:
    if isinstance(value, str):
        return f"{name} “{value[:40]}”"
    if isinstance(value, np.ndarray):
        if isinstance(was, np.ndarray) and was.shape == value.shape and value.size and value.dtype.kind in "ifb":
            if value.dtype.kind in "ib":
                return f"{name} ({_shape(value)}, {int((value != was).sum())} changed)"
            return f"{name} ({_shape(value)}, moved by {float(np.linalg.norm(value - was)):.3g})"
        return f"{name} ({_shape(value)})"
    text, earlier = in_short(value), in_short(was)
    return f"{name} {text}" + (f" (was {earlier})" if was is not None and text != earlier else "")


def _shape(value: Array) -> str:
    return "×".join(map(str, value.shape))


def _data_panel(data: Dataset, state: PlainState, among: dict[str, str]) -> Panel:
    """Draw the rows in the groups or the shares that were yielded, and the places among them."""
    groups = next((state.get(name) for name, kind in among.items() if kind == "groups"), None)
    shares = next((state.get(name) for name, kind in among.items() if kind == "shares"), None)
    codes = data.y if groups is None and data.kind == "class" else groups
    classes = None if codes is None or (shares is not None and groups is None) else np.asarray(codes, np.int64)
    marks: list[Mark] = [Points(at=data.X, classes=classes, shares=shares if classes is None else None)]
    toned = groups is not None or shares is not None
    for name, kind in among.items():
        if kind == "places":
            marks += places(name, np.atleast_2d(np.asarray(state.get(name), float)), tones=toned)
    return Panel(title="the data", space="data", marks=tuple(marks))


def _planes(arrays: list[tuple[str, Array]], view: View) -> dict[str, Panel]:
    """Draw the entries of complex vectors in the plane of their parts."""
    values = dict(arrays)
    panels = {}
    for name, real in arrays:
        whole, imaginary = name.removesuffix(".real"), values.get(f"{name.removesuffix('.real')}.imag")
        said = view.array_way(name) or view.array_way(whole)
        if whole == name or imaginary is None or real.ndim != 1 or imaginary.shape != real.shape or said:
            continue

        def where(state: PlainState, whole: str = whole, shape: tuple[int, ...] = real.shape) -> Array:
            parts = [state.get(f"{whole}.{which}") for which in ("real", "imag")]
            there = all(isinstance(part, np.ndarray) and part.shape == shape for part in parts)
            return np.stack(parts, axis=1) if there else np.empty((0, 2))

        marks = places(whole, np.stack([real, imaginary], axis=1), where=where)
        panels[whole] = Panel(title=whole, marks=tuple(marks), axes=("real", "imaginary"), equal=True)
    return panels


def _vectors(fields: tuple[tuple[str, Any], ...]) -> list[Panel]:
    """Draw each dict of numbers as a bar an entry."""
    values = dict(fields)
    panels = []
    for prefix, names in named_vectors(fields).items():
        heights = np.array([float(values[name]) for name in names])
        bars = Bars(heights=heights, names=tuple(name[len(prefix) + 1 :] for name in names))
        panels.append(Panel(title=prefix, marks=(bars,), axes=("", prefix)))
    return panels


def _number_panel(state: PlainState, fields: tuple[tuple[str, Any], ...]) -> Panel:
    """Draw the first number that is no counter against the step, when there is nothing else to be drawn."""
    numbers = sorted((is_counter(n, v), i, n) for i, (n, v) in enumerate(fields) if isinstance(v, int | float))
    if not numbers:
        return Panel(title="nothing to be drawn yet" if state.t == 0 else "nothing to be drawn", marks=())
    name = numbers[0][2]

    def where(earlier: PlainState) -> Array:
        value = earlier.get(name)
        if not isinstance(value, int | float):
            return np.empty((0, 2))
        return np.array([[float(earlier.t), float(value) if np.isfinite(value) else np.nan]])  # a hole in the line

    here = where(state)
    there = Points(at=here[np.isfinite(here).all(axis=1)], rows=False, tone="accent")
    return Panel(title=name, marks=(Trail(where=where, tones=("accent",)), there), axes=("step", name))


def _values(before: PlainState | None, after: PlainState, fields: tuple[tuple[str, Any], ...]) -> Table:
    """List every part with its value, those that changed marked."""
    was = dict(before.fields) if before is not None else {}
    rows = tuple(
        (name, v if isinstance(v, int | float) and np.isfinite(v) else told(v, was.get(name))) for name, v in fields
    )
    changed = tuple(i for i, (name, v) in enumerate(fields) if before is not None and not _same(v, was.get(name)))
    return Table(columns=("yielded", "value"), rows=rows, marked=changed if len(changed) < len(rows) else ())


def _same(value: Any, was: Any) -> bool:
    if isinstance(value, np.ndarray):
        return isinstance(was, np.ndarray) and np.array_equal(value, was, equal_nan=value.dtype.kind == "f")
    return in_short(value) == in_short(was)
