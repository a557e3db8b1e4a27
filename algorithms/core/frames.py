"""Tables that other libraries hold, taken apart without an import of these: DataFrames, Arrow tables, sparse ones."""

from collections.abc import Iterator
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.errors import Refused

MOST_DENSE = 1 << 26  # cells of a sparse matrix that are written out


def columns_of(given: Any) -> tuple[tuple[str, Array], ...] | None:
    """Take a table with named columns apart: (name, (n,) values of any type) a column; None for what has no names.

    It is a DataFrame of pandas or polars, a table of Arrow, or an array with named fields.
    """
    if isinstance(given, np.ndarray):
        return None if given.dtype.names is None else tuple((n, np.asarray(given[n])) for n in given.dtype.names)
    if not callable(getattr(given, "__getitem__", None)) or not isinstance(getattr(given, "shape", None), tuple):
        return None
    arrow = getattr(given, "column_names", None)
    names = getattr(given, "columns", None) if arrow is None else arrow
    if names is None or len(given.shape) != 2:
        return None
    return tuple((str(name), column) for name, column in zip(names, _columns(given, arrow is not None)))


def _columns(given: Any, arrow: bool) -> Iterator[Array]:
    for j in range(given.shape[1]):  # by place: two columns of pandas may have one name
        if arrow:
            column = given.column(j)
        elif hasattr(given, "iloc"):
            column = given.iloc[:, j]
        else:
            column = given[given.columns[j]]
        yield np.asarray(column.to_numpy())


def name_of(y: Any) -> str:
    """Get what a column of a DataFrame is called, "y" for what has no name."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"


def dense(given: Any) -> Any:
    """Write a sparse matrix out as an array (n, d); what is none is given back.

    Raises:
        Refused: when it would have more than MOST_DENSE cells.
    """
    if not callable(getattr(given, "toarray", None)):
        return given
    check_dense(given.shape, "the sparse matrix")
    return given.toarray()


def check_dense(shape: tuple[int, ...], called: str) -> None:
    """Refuse to write a sparse matrix out that would have more than MOST_DENSE cells."""
    if int(np.prod(shape, dtype=object)) > MOST_DENSE:
        has = " x ".join(f"{side:,}" for side in shape)
        raise Refused(f"{called} is {has}; {MOST_DENSE:,} cells at most are written out: choose rows or columns.")


def numbers_of(columns: tuple[tuple[str, Array], ...]) -> Array:
    """Convert named columns to (n, d) float64, NaN where a cell is missing.

    Raises:
        Refused: for a column of dates or of anything else that is no number, with its first such cell.
    """
    matrix = np.empty((len(columns[0][1]) if columns else 0, len(columns)))
    for j, (name, values) in enumerate(columns):
        if values.dtype.kind in "Mm":
            raise Refused(
                f"row 0 has {str(values[0])!r} in column {name}, a date; write it as a number, such as days or years, "
                "or choose the columns."
            )
        numbers = as_numbers(values)
        if numbers is None:
            i, cell = next((i, v) for i, v in enumerate(values) if not (is_number(v) or is_missing(v)))
            raise Refused(
                f"row {i} has {str(cell)[:40]!r} in column {name}, which is not a number; choose the columns, or "
                "say datasets.load(table, target=...), which leaves out what is text."
            )
        matrix[:, j] = numbers
    return matrix


def as_numbers(values: Array) -> Array | None:
    """Convert (n,) values to float64, NaN where one is missing; None where one is neither."""
    if values.dtype.kind in "biuf":
        with np.errstate(all="ignore"):  # what is too large for eight bytes is infinite, which is told
            return values.astype(np.float64)
    if values.dtype.kind != "O" or not all(is_number(value) or is_missing(value) for value in values):
        return None
    return np.array([float(value) if is_number(value) else np.nan for value in values], np.float64)


def is_number(value: Any) -> bool:
    """Tell whether it is a number that eight bytes have room for."""
    if not isinstance(value, Real | Decimal):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def is_missing(value: Any) -> bool:
    """Tell whether a cell says that there is no value: None, NaN, NaT or pandas' NA."""
    return value is None or str(value) in ("nan", "NaT", "<NA>")
