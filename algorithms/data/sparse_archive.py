"""Sparse matrices as SciPy saves them: the arrays of an archive, written out as a table."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused
from algorithms.core.frames import check_dense
from algorithms.data.array_columns import columns_of_array
from algorithms.data.sampling import Sample, rows_drawn
from algorithms.data.table import Table

E = TypeVar("E")

_PLACES = {"csr": ("indices", "indptr"), "csc": ("indices", "indptr"), "coo": ("row", "col")}


def is_sparse(names: Mapping[str, object]) -> bool:
    """Tell whether these are the arrays of a sparse matrix."""
    return {"format", "shape", "data"} <= names.keys()


def read_sparse(entries: Mapping[str, E], flat: Callable[[E], Array], file: str, sample: Sample) -> Table:
    """Write a sparse matrix out as a table.

    Args:
        entries: the arrays by name.
        flat: reads all items of one, in a row.

    Raises:
        Refused: for a form that is not read, places beyond the shape, or more cells than are written out.
    """
    form = str(np.asarray(flat(entries["format"])).astype(str)[0])
    if form not in _PLACES or not set(_PLACES[form]) <= entries.keys():
        raise Refused(f"{file} holds a sparse matrix in the form {form[:10]!r}; save it in the form csr, csc or coo.")
    shape = tuple(int(side) for side in flat(entries["shape"]))
    if len(shape) != 2 or min(shape) < 1:
        raise Refused(f"{file} holds a sparse matrix of the shape {shape}; it must be rows by columns.")
    check_dense(shape, f"the sparse matrix in {file}")
    n, d = shape
    values = flat(entries["data"])
    row, column = _places(form, (n, d), *(flat(entries[name]) for name in _PLACES[form]))
    inside = len(row) == len(column) == len(values) and not np.any(
        (row < 0) | (row >= n) | (column < 0) | (column >= d)
    )
    if not inside or values.dtype.kind not in "biuf":
        raise Refused(f"{file} holds a sparse matrix whose parts do not go together: it is damaged.")
    most = sample.most(8 * n * d, d)
    kept = np.arange(n) if most is None or most >= n else rows_drawn(n, most, sample.seed)
    place = np.full(n, -1)
    place[kept] = np.arange(len(kept))
    drawn = place[row] >= 0
    cells = np.zeros((len(kept), d))
    np.add.at(cells, (place[row[drawn]], column[drawn]), values[drawn])
    columns = columns_of_array([f"x{j + 1}" for j in range(d)], cells)
    notice = f"a sparse matrix ({n:,} x {d:,}) is written out as rows by columns."
    return Table(tuple(columns), notices=(notice, *sample.notice(len(kept), n, 8 * n * d)), target="")


def _places(form: str, shape: tuple[int, int], first: Array, second: Array) -> tuple[Array, Array]:
    """Give row and column of each value; of unequal length where the parts do not go together."""
    if first.dtype.kind not in "iu" or second.dtype.kind not in "iu":
        return np.zeros(1, int), np.zeros(0, int)
    if form == "coo":
        return first.astype(np.int64), second.astype(np.int64)
    ends = second.astype(np.int64)
    along = shape[0] if form == "csr" else shape[1]
    if len(ends) != along + 1 or ends[0] != 0 or ends[-1] != len(first) or np.any(np.diff(ends) < 0):
        return np.zeros(1, int), np.zeros(0, int)
    major, minor = np.repeat(np.arange(along), np.diff(ends)), first.astype(np.int64)
    return (major, minor) if form == "csr" else (minor, major)
