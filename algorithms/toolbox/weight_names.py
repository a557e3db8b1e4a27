"""What the weights of linear functions are called: each by its feature, that of the constant "bias"."""

from algorithms.core import Dataset


def weight_names(data: Dataset, bias: bool) -> tuple[str, ...]:
    """Name the (p,) weights of a function, the bias last where there is one."""
    return (*data.features, *(("bias",) if bias else ()))


def names_by_class(data: Dataset, bias: bool) -> tuple[str, ...]:
    """Name (K, p) weights, class after class: "x1 of a"; for `data.once`, as there may be many."""
    return tuple(f"{weight} of {name}" for name in data.classes for weight in weight_names(data, bias))
