"""Data that a script has in hand, by name or as they are: read by the rules by which a file is read."""

import os
from typing import Any

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset, Source, reads
from algorithms.core.errors import Refused
from algorithms.core.frames import columns_of, dense, name_of
from algorithms.data.array_columns import table_of_arrays
from algorithms.data.recipe import Recipe, recipe
from algorithms.data.table import Table

NAME = "data"  # of what has none of its own


def loaded(given: Any, y: Any = None, **changes: Any) -> Dataset:
    """Load data in any form, prepared as a recipe says; see `datasets.load`."""
    if isinstance(given, str | os.PathLike):
        _check_without(y, str(given))
        return recipe(os.fspath(given), **changes).load()
    if isinstance(given, Recipe):
        _check_without(y, given.name)
        return given.with_(**changes).load()
    if isinstance(given, Dataset):
        if changes:
            raise Refused(f"{given.name} is made already, and {', '.join(changes)} would have to be known before that.")
        return Dataset.of(given, y)
    return Recipe(name=NAME).with_(**changes).of_table(table_of(given, y))


def source_of(given: Any) -> Dataset | Source:
    """Make a recipe of a name, or a Dataset of rows in hand; what is one of the two is given back."""
    if isinstance(given, str | os.PathLike):
        return recipe(os.fspath(given))
    return given if isinstance(given, Recipe) else Dataset.of(given)


@reads
def read(given: Any, y: Any) -> Dataset | None:
    """Read what `Dataset.of` is given: names, recipes and tables with named columns; None for arrays."""
    if isinstance(given, str | os.PathLike):
        return loaded(given, y)
    if columns_of(given) is not None:
        return loaded(given, y)
    load = getattr(given, "load", None)  # a recipe, or a source of another kind
    if callable(load):
        _check_without(y, given.name)
        made: Dataset = load()
        return made
    return None


def table_of(given: Any, y: Any = None) -> Table:
    """Make a table of a DataFrame, a table of Arrow, an array (n, d) or a sparse matrix, and of y (n,) its last column.

    Of an array nothing is taken for the target unasked.
    """
    columns = columns_of(given)
    arrays = list(_of_array(given) if columns is None else columns)
    target = "" if columns is None else None
    if y is not None:
        last = _target(y)
        if arrays and len(last[1]) != len(arrays[0][1]):
            raise Refused(f"y has {len(last[1]):,} values for {len(arrays[0][1]):,} rows; it must be one value a row.")
        target = last[0]
        arrays.append(last)
    return table_of_arrays(arrays, NAME, target=target)


def _of_array(given: Any) -> list[tuple[str, Array]]:
    array = dense(given)
    try:
        array = np.asarray(array)
    except ValueError as error:
        raise Refused(f"X is not a table of numbers: {str(error).rstrip('.')}.") from None
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise Refused(f"X has shape {array.shape}; it must be rows by features, at least one of each.")
    return [(f"x{j + 1}", array[:, j]) for j in range(array.shape[1])]


def _target(y: Any) -> tuple[str, Array]:
    """Get y with its name: a list, an array (n,), a column of a DataFrame or a DataFrame of one."""
    columns = columns_of(y)
    if columns is not None and len(columns) == 1:
        return columns[0]
    values = np.asarray(y.to_numpy() if callable(getattr(y, "to_numpy", None)) else y)
    if values.ndim != 1:
        raise Refused(f"y has shape {values.shape}; it must be one value a row.")
    return name_of(y), values


def _check_without(y: Any, name: str) -> None:
    if y is not None:
        raise Refused(f"{name} has its target with it: name that with target=..., and give no y.")
