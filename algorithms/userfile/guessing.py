"""What an array is, by its shape, its values and its name; what VIEW says comes before any guess."""

import numpy as np

from algorithms.core.arrays import Array
from algorithms.core.dataset import Dataset
from algorithms.userfile.meaning import is_coefficient, is_place, is_tour
from algorithms.userfile.state import PlainState
from algorithms.userfile.view import OF_DATA, View

_BARS = 64  # heights that are told apart; a longer vector is a path
_LONGEST_ORDER = 10_000  # places; a longer one is no picture
_FURTHER = 2.0  # times the extent of the data beyond them: what lies elsewhere is no place among them


def guessed(data: Dataset, name: str, value: Array, state: PlainState) -> str:
    """Choose the way in which an array is drawn, as VIEW would name it; "" for one that is not drawn."""
    if value.size == 0 or value.ndim > 3:
        return ""
    if value.ndim == 1:
        return _of_vector(data, name, value, state)
    if value.ndim == 3:
        return "image"
    if len(value) == 1 and bool(data) and value.shape[1] == data.d:
        return "bars"  # a coefficient of each feature
    if value.shape[1] == 2 and not is_symmetric(value) and not are_shares(value):
        return "points"
    return "points" if value.shape[1] > 1 and is_place(name) else "image"


def _of_vector(data: Dataset, name: str, value: Array, state: PlainState) -> str:
    of = _permuted(data, name, value, state)
    if of:
        return f"path of {of}" if is_tour(name) else f"order of {of}"
    if data.image is not None and value.size == data.image[0] * data.image[1]:
        return "image"
    if value.shape == (2,) and value.dtype.kind == "f" and not are_shares(value[None]) and not is_interval(name):
        return "trail"
    return "bars" if value.size <= _BARS else "line"


def is_interval(name: str) -> bool:
    return name in ("bounds", "interval", "limits", "range", "bracket")


def data_space(data: Dataset, name: str, value: Array, view: View) -> str:
    """Tell how an array is shown with the data: "groups", "shares" or "places"; "" where it is not.

    Of one row nobody can say whether it is a place or a coefficient of each feature.
    """
    if not data:
        return ""
    way = view.array_way(name)
    if way:
        return "places" if way == "places" and value.shape[-1:] == (data.d,) and value.ndim < 3 else ""
    if value.shape == (data.n,) and value.dtype.kind in "iub" and data.n > 1:
        return "groups"
    if value.ndim != 2:
        return ""
    if len(value) == data.n and data.n > 1 and value.dtype.kind == "f" and are_shares(value):
        return "shares"
    if value.shape[1] != data.d or len(value) < 2 or value.dtype.kind not in "if" or is_symmetric(value):
        return ""
    if is_place(name):
        return "places"
    return "" if is_coefficient(name) or not _near(data, value) else "places"


def _near(data: Dataset, value: Array) -> bool:
    """Tell whether most of it lies where the data do, or not too far from there."""
    low, high = data.X.min(axis=0), data.X.max(axis=0)
    room = _FURTHER * np.maximum(high - low, np.finfo(float).tiny)
    whole = value[np.isfinite(value).all(axis=1)]
    if not len(whole):
        return True
    return bool(((whole >= low - room) & (whole <= high + room)).all(axis=1).mean() >= 0.5)


def are_shares(value: Array) -> bool:
    """Tell whether each row is shares that sum to one."""
    if value.ndim != 2 or value.shape[1] < 2 or value.dtype.kind != "f":
        return False
    return bool((value >= 0).all() and np.allclose(value.sum(axis=1), 1.0, atol=1e-6))


def is_symmetric(value: Array) -> bool:
    """Tell whether it is a square matrix that is its own transpose, as a covariance."""
    return value.ndim == 2 and value.shape[0] == value.shape[1] > 1 and np.array_equal(value, value.T)


def _permuted(data: Dataset, name: str, value: Array, state: PlainState) -> str:
    """Name the places which an array has all of in some order; "" where it is no such order."""
    m = value.size
    if value.dtype.kind not in "iu" or not 4 <= m <= _LONGEST_ORDER or (value[0] == value[-1] and not is_tour(name)):
        return ""
    closed = m > 4 and value[0] == value[-1]
    m -= closed
    if not np.array_equal(np.sort(value[:m]), np.arange(m)):
        return ""
    for other, places in state.fields:
        if isinstance(places, np.ndarray) and places.shape == (m, 2) and places.dtype.kind in "if":
            return other
    return "data" if bool(data) and data.n == m and data.d == 2 and is_tour(name) else ""


def places_of(data: Dataset, state: PlainState, name: str) -> Array | None:
    """Find the places of that name, (m, 2) of the first two columns: a field, or the rows; else None."""
    value = state.get(name)
    if value is None and bool(data) and (name in OF_DATA or name == data.name):
        value = data.X
    if not isinstance(value, np.ndarray) or value.ndim != 2 or value.shape[1] < 2 or value.dtype.kind not in "if":
        return None
    return np.asarray(value[:, :2], float)
