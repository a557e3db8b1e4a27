"""Edits: rows of a Dataset added, moved, removed or labelled anew, as values that can be written down.

They are applied in order, and a row's number is the one it has at that moment. The Dataset that comes of it
remembers which of its rows were there before (`Dataset.origin`), so that the state of a run can follow.
"""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array, frozen
from algorithms.core.dataset import Dataset, Origin
from algorithms.core.errors import Refused


class Add(Struct, frozen=True, tag="add"):
    """A new last row.

    Attributes:
        at: (d,) its place among the features of `Dataset.inputs`, which a map then makes others of.
        y: its class code or number; None where there is no target.

    >>> from algorithms import Add, datasets, edited
    >>> edited(datasets.load("faithful"), [Add((2.0, 50.0))]).n
    273
    """

    at: tuple[float, ...]
    y: float | None = None


class Move(Struct, frozen=True, tag="move"):
    """A row put somewhere else: (d,) among the features of `Dataset.inputs`.

    >>> from algorithms import Move, datasets, edited
    >>> edited(datasets.load("faithful"), [Move(0, (2.0, 50.0))]).X[0].tolist()
    [2.0, 50.0]
    """

    row: int
    at: tuple[float, ...]


class Remove(Struct, frozen=True, tag="remove"):
    """A row taken out; those after it move up by one.

    >>> from algorithms import Remove, datasets, edited
    >>> edited(datasets.load("faithful"), [Remove(0)]).n
    271
    """

    row: int


class Label(Struct, frozen=True, tag="label"):
    """Another class code, or another number, for a row.

    >>> from algorithms import Label, datasets, edited
    >>> int(edited(datasets.load("iris"), [Label(0, 2)]).y[0])
    2
    """

    row: int
    y: float


Edit: TypeAlias = Add | Move | Remove | Label


def edited(data: Dataset, edits: Sequence[Edit]) -> Dataset:
    """Give the data with the edits made in order; `data` itself when there are none.

    Raises:
        Refused: when a row is not there, a place or a label does not fit, or no row of a class would be left.
    """
    if not edits:
        return data
    if not data:
        raise Refused("this runs without rows, so there is none to add or change.")
    if data.map is not None:
        inputs = edited(data.inputs, edits)
        assert inputs.origin is not None
        notices = data.notices[len(data.inputs.notices) :]
        return inputs.mapped(data.map, notices=notices, origin=Origin(data, inputs.origin.rows))
    places, names = list(data.X), list(data.names)
    labels: list[float | None] = [None] * data.n if data.y is None else data.y.tolist()
    rows = list(range(data.n))
    for edit in edits:
        match edit:
            case Add():
                places.append(_place(data, edit.at))
                labels.append(_label(data, edit.y))
                rows.append(-1)
                names += [""] * bool(names)
            case Move():
                places[_row(edit.row, rows)] = _place(data, edit.at)
            case Remove():
                row = _row(edit.row, rows)
                del places[row], labels[row], rows[row], names[row : row + 1]
            case Label():
                if data.kind == "none":
                    raise Refused(f"{data.name} has no target, so a row has no label to change.")
                labels[_row(edit.row, rows)] = _label(data, edit.y)
    if not rows:
        raise Refused("no row would be left; a run needs some.")
    for code, name in enumerate(data.classes):
        if code not in labels:
            raise Refused(f"no row of {name} would be left; every class keeps one at least.")
    return Dataset(
        np.array(places),
        None if data.kind == "none" else labels,
        name=data.name,
        kind=None if data.kind == "none" else data.kind,
        features=data.features,
        classes=data.classes,
        target=data.target,
        centre=data.centre if data.scaled else None,
        spread=data.spread if data.scaled else None,
        truth=data.truth,
        notices=data.notices,
        image=data.image,
        held_out=data.held_out,
        origin=Origin(data, frozen(np.array(rows, np.intp))),
        names=tuple(names),
    )


def followed(before: Dataset, after: Dataset) -> Array | None:
    """(n,) for each row of `after` the row of `before` that it was, or -1; None when that is not known.

    Data that do not come from `before` by edits are taken row by row if there are as many.
    """
    rows, data = np.arange(after.n), after
    while data is not before and data.origin is not None:
        rows = np.where(rows < 0, -1, data.origin.rows[rows])
        data = data.origin.parent
    if data is before:
        return rows
    return np.arange(after.n) if after.n == before.n else None


def _row(row: int, rows: list[int]) -> int:
    if not 0 <= row < len(rows):
        there = f"they go from 0 to {len(rows) - 1}" if rows else "none is left"
        raise Refused(f"there is no row {row}: {there}.")
    return row


def _place(data: Dataset, at: tuple[float, ...]) -> Array:
    if len(at) != data.d or not np.isfinite(at).all():
        raise Refused(f"a row of {data.name} is {data.d} finite number{'s' * (data.d > 1)}, not {at}.")
    return np.array(at, float)


def _label(data: Dataset, y: float | None) -> float | None:
    if data.kind == "none":
        if y is not None:
            raise Refused(f"{data.name} has no target, so a row has no label: y is to be None, not {y:g}.")
        return None
    if data.kind == "number":
        if y is None or not np.isfinite(y):
            raise Refused(f"a row of {data.name} needs a finite number as its {data.target}, not {y}.")
        return float(y)
    if y is None or y not in range(len(data.classes)):
        codes = ", ".join(f"{code} {name}" for code, name in enumerate(data.classes))
        raise Refused(f"a row of {data.name} needs the code of its class ({codes}), not {y}.")
    return int(y)
