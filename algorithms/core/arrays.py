"""Arrays that nobody can change: owned, contiguous and read-only."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

# Bits of ndarray.flags.num; one look at the number costs half of two looks at named flags. An array is
# frozen when flags.num & KIND == FROZEN.
_CONTIGUOUS, _OWNED, _WRITEABLE = 0x0001, 0x0004, 0x0400
FROZEN = _CONTIGUOUS | _OWNED
KIND = _CONTIGUOUS | _OWNED | _WRITEABLE


def frozen(array: Array) -> Array:
    """Give the array itself, made read-only, or a read-only copy of it if it is a view or strided.

    A view is copied because its base may change under it; a strided array because the last bits of a
    product depend on strides, and a state that came out of a pickle has lost them.
    """
    kind = array.flags.num & KIND
    if kind == FROZEN:
        return array
    if kind != KIND:
        array = np.array(array, order="C")
    array.setflags(False)  # type: ignore[call-arg]  # by position: naming it would take twice as long
    return array


def smallest(values: Array, most: int) -> Array:
    """List the places of the smallest values, so many at most, in the order of a stable sort of them all.

    It costs a look at each value; a sort of 100,000 takes as long as ten pictures of a step may.
    """
    if most < len(values):
        last = np.partition(values, most - 1)[most - 1]
        near = np.flatnonzero(values <= last)
        if len(near) >= most:  # there are fewer only where values are NaN
            return np.asarray(near[np.argsort(values[near], kind="stable")[:most]])
    return np.asarray(np.argsort(values, kind="stable")[:most])


def first_greatest(scores: Array) -> Array:
    """(k, n) -> (n,) labels: where each column has its greatest value, the first place if there are several.

    Whole rows are compared at a time, with one byte for each value: several times faster than `argmax`.
    """
    k = len(scores)
    scores = np.ascontiguousarray(scores)  # of a transposed one the rows are apart: fifty times as slow
    reached = (scores == scores.max(axis=0)).view(np.int8)
    reached *= np.arange(k, 0, -1, dtype=np.int8)[:, None]  # the first place counts most
    return np.asarray(np.int8(k) - reached.max(axis=0))
