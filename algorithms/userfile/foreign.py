"""Values of other libraries, by what they can do and not by their names, so that none of these is imported."""

import datetime
import decimal
import fractions
from collections.abc import Mapping
from typing import Any

import numpy as np

_MOST_NAMED = 64  # entries of a series, or columns of a table, that keep their names
_MOST_CELLS = 2 << 20  # of a sparse matrix that is written out
_MOST_ATTRIBUTES = 64
_OF_THE_DATA = {"classes_", "n_features_in_", "feature_names_in_", "n_outputs_"}  # what estimators note of them
_KEPT = (int, float, np.number, np.ndarray, np.bool_)


def plainer(value: Any) -> Any:
    """Turn a value into one of Python's or NumPy's, as far as it can say how; any other comes back as it is."""
    if isinstance(value, np.ma.MaskedArray):
        gone = np.ma.getmaskarray(value)
        return np.where(gone, np.nan, value.data) if value.dtype.kind in "biuf" and gone.any() else value.data
    if value is None or isinstance(value, bool | int | float | str | np.ndarray | np.generic):
        return value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, decimal.Decimal | fractions.Fraction):
        return float(value)
    if callable(getattr(value, "detach", None)):  # a tensor, whether it needs a gradient or lies elsewhere
        value = value.detach()
        for away in ("cpu", "resolve_conj", "resolve_neg"):
            value = getattr(value, away)() if callable(getattr(value, away, None)) else value
        return np.asarray(value.numpy())
    if callable(getattr(value, "toarray", None)):  # a sparse matrix
        shape = getattr(value, "shape", ())
        small = isinstance(shape, tuple) and int(np.prod(shape, dtype=float)) <= _MOST_CELLS
        return np.asarray(value.toarray()) if small else f"{'×'.join(map(str, shape))}, sparse: too large to be kept"
    if not hasattr(value, "__array__") and callable(getattr(value, "numpy", None)):
        return np.asarray(value.numpy())
    return value


def named_parts(value: Any) -> list[tuple[str, Any]]:
    """Name the parts of a table, of a series with names, and of an object that holds numbers; [] of all else."""
    columns, index = getattr(value, "columns", None), getattr(value, "index", None)
    if hasattr(value, "__array__"):
        if columns is not None and hasattr(value, "__getitem__"):
            names = list(columns)[:_MOST_NAMED]
            return [(str(name), np.asarray(value[name])) for name in names]
        if index is not None and not callable(index) and 0 < len(index) <= _MOST_NAMED:
            names = list(index)
            if all(isinstance(name, str) for name in names):
                return list(zip(names, np.asarray(value).tolist()))
        return []
    if isinstance(value, Mapping | type | list | tuple | set | frozenset | str) or callable(value):
        return []
    if any(hasattr(value, way) for way in ("detach", "toarray", "numpy", "__float__")):  # an array or a number itself
        return []
    held = getattr(value, "__dict__", None)
    if not isinstance(held, dict):
        return []
    shown = [(n, v) for n, v in list(held.items())[:_MOST_ATTRIBUTES] if not n.startswith("_")]
    if callable(getattr(value, "get_params", None)):  # an estimator: what it learned, and not its settings
        shown = [(name, part) for name, part in shown if name.endswith("_") and name not in _OF_THE_DATA]
    return shown if any(isinstance(v, _KEPT) and not isinstance(v, bool) for _, v in shown) else []
