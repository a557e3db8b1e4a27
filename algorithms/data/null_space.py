"""The null space of Φ: the directions u with Φu = 0, in which nothing can be learnt from these rows.

Φ has a row φ(x) for each row of the data, and the constant 1 beside it (as a bias is). Whatever multiple of such a u is
added to the weights, no prediction of a row changes. A basis is given whose vectors each have a 1 where all others have
0 (reduced echelon form, the last features leading), so that an equation which the rows fulfil can be read off it.
"""

from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array, frozen
from algorithms.core.dataset import Dataset, FeatureMap
from algorithms.core.scene import Panel, Table
from algorithms.core.text import counted

_TITLE = "Φu = 0"
_MOST_FEATURES = 400  # of more it is not worked out
_MOST_WORK = 1 << 30  # rows times features squared
_SHOWN = 4  # so many directions are columns of the table
_TINY = 1e-9  # of an entry, beside the largest


class NullSpace(Struct, frozen=True, eq=False):
    """The rank of Φ with its constant, and the directions in which nothing can be learnt.

    Attributes:
        names: of the D columns of Φ, "1" first.
        rank: of Φ.
        basis: (D - rank, D).
    """

    names: tuple[str, ...]
    rank: int
    basis: Array


_FOUND: WeakKeyDictionary[Dataset, NullSpace | None] = WeakKeyDictionary()


def null_space(data: Dataset) -> NullSpace | None:
    """Work out rank and null space of Φ on the rows, once; None where Φ is too large."""
    if data not in _FOUND:
        _FOUND[data] = _null_space(data)
    return _FOUND[data]


def map_notices(inputs: Dataset, by: FeatureMap) -> tuple[str, ...]:
    """Say how many features a map makes, and along how many directions nothing can be learnt."""
    data = inputs.mapped(by)
    notice = f"the {by.title} makes {data.d:,} features of {inputs.d:,}"
    null = null_space(data)
    if null is None:
        return (f"{notice}.",)
    if not len(null.basis):
        return (f"{notice}; no combination of them is constant over the rows.",)
    along = counted(len(null.basis), "direction")
    return (f"{notice}; Φ has rank {null.rank} of {len(null.names)}: Φu = 0 along {along}.",)


def null_space_panel(data: Dataset) -> Panel:
    """Show the null space as a table: a feature of φ a row, a direction u a column."""
    null = null_space(data)
    if null is None:
        return Panel(title=_TITLE, marks=(Table(columns=("Φ",), rows=(("too large to be looked through",),)),))
    size = len(null.names)
    if not len(null.basis):
        lines = (("rank of Φ, with 1", null.rank), ("features, with 1", size), ("directions u", 0))
        return Panel(title=f"{_TITLE}, u = 0", marks=(Table(columns=("", "now"), rows=lines),))
    shown = null.basis[:_SHOWN]
    heads = ("column of Φ", *(f"u{i + 1}" for i in range(len(shown))))
    rows: tuple[tuple[str | float | None, ...], ...] = tuple(
        (name, *(float(u[j]) for u in shown)) for j, name in enumerate(null.names)
    )
    more = len(null.basis) - _SHOWN
    if more > 0:
        rows = (*rows, (f"and {more} more", *(None for _ in shown)))
    return Panel(title=f"{_TITLE}, rank {null.rank} of {size}", marks=(Table(columns=heads, rows=rows),))


def _null_space(data: Dataset) -> NullSpace | None:
    constant = bool((data.X == 1.0).all(axis=0).any())
    columns = data.X if constant else np.column_stack([np.ones(data.n), data.X])
    names = data.features if constant else ("1", *data.features)
    size = len(names)
    if size > _MOST_FEATURES or data.n * size**2 > _MOST_WORK:
        return None
    lengths = np.linalg.norm(columns, axis=0)
    lengths[lengths == 0] = 1.0
    _, values, directions = np.linalg.svd(columns / lengths, full_matrices=True)
    tolerance = max(columns.shape) * np.finfo(float).eps * float(values[0])
    rank = int((values > tolerance).sum())
    return NullSpace(names, rank, frozen(_echelon(directions[rank:] / lengths)))


def _echelon(basis: Array) -> Array:
    """Bring a basis into reduced echelon form, from the last column on; the shortest equation first."""
    rows = np.array(basis)
    free = list(range(len(rows)))
    for j in reversed(range(rows.shape[1])):
        if not free:
            break
        scale = np.abs(rows[free]).max(axis=1)
        i = free[int((np.abs(rows[free, j]) / scale).argmax())]
        if abs(rows[i, j]) <= _TINY * np.abs(rows[i]).max():
            continue
        rows[i] /= rows[i, j]
        others = np.arange(len(rows)) != i
        rows[others] -= np.outer(rows[others, j], rows[i])
        free.remove(i)
    rows[np.abs(rows) <= _TINY * np.abs(rows).max(axis=1, keepdims=True, initial=1e-300)] = 0.0
    return np.asarray(rows[np.count_nonzero(rows, axis=1).argsort(kind="stable")])
