"""Arrays that nobody can change: owned, contiguous and read-only."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

# The bits of ndarray.flags.num; one look at the number costs half of two looks at named flags.
_CONTIGUOUS, _OWNED, _WRITEABLE = 0x0001, 0x0004, 0x0400
_FROZEN = _CONTIGUOUS | _OWNED
_KIND = _CONTIGUOUS | _OWNED | _WRITEABLE


def frozen(array: Array) -> Array:
    """The array itself made read-only, or a read-only copy of it if it is a view or strided.

    A view is copied because its base may change under it; a strided array because the last bits of a
    product depend on strides, and a state that came out of a pickle has lost them.
    """
    kind = array.flags.num & _KIND
    if kind == _FROZEN:
        return array
    if kind != _KIND:
        array = np.array(array, order="C")
    array.setflags(write=False)
    return array
