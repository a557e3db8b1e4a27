"""What the entries of arrays are called: rows by their numbers, classes by their names, weights by their features."""

from collections.abc import Iterable

from algorithms.core import Dataset


def row_names(rows: Iterable[int]) -> list[str]:
    """Name rows by their numbers in the data, where a statement is about some of them only: "row 3"."""
    return [f"row {row}" for row in rows]


def class_names(data: Dataset) -> list[str]:
    """Name the K classes: "class a", for a name alone may be a number or a sign."""
    return [f"class {name}" for name in data.classes]


def weight_names(data: Dataset, bias: bool) -> tuple[str, ...]:
    """Name the (p,) weights of a linear function, the bias last where there is one."""
    return (*data.features, *(("bias",) if bias else ()))


def names_by_class(data: Dataset, bias: bool) -> tuple[str, ...]:
    """Name (K, p) weights, class after class: "x1 of a"; for `data.once`, as there may be many."""
    return tuple(f"{weight} of {name}" for name in data.classes for weight in weight_names(data, bias))
