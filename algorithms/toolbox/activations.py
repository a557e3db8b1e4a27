"""Activations: what a unit makes of its weighted sum z, with its slope written by the value a itself.

    sigmoid  a = 1/(1 + e^-z),  a' = a (1 - a);   tanh  a' = 1 - a²;   ReLU  a = max(z, 0),  a' = 1 where a > 0

ReLU has no slope at z = 0; 0 is taken there, as everyone does.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array

ActivationName = Literal["sigmoid", "tanh", "relu"]


class Activation(Struct, frozen=True):
    """A function of each number by itself.

    Attributes:
        name: what it is called.
        value: (z, out) -> a, written into `out`, which may be z.
        slope: a -> a', the derivative at the z that gave a.
        smooth: whether it has a derivative everywhere.
    """

    name: ActivationName
    value: Callable[[Array, Array], Array]
    slope: Callable[[Array], Array]
    smooth: bool = True


def sigmoid(z: Array, out: Array | None = None) -> Array:
    """1/(1 + e^-z) = (1 + tanh(z/2))/2, which cannot overflow."""
    out = np.multiply(z, 0.5, out=out)
    np.tanh(out, out=out)
    out += 1.0
    out *= 0.5
    return out


def softplus(z: Array) -> Array:
    """ln(1 + e^z), as exact for a large z as for a small one; several times as fast as `logaddexp`."""
    return np.asarray(np.maximum(z, 0.0) + np.log1p(np.exp(-np.abs(z))))


ACTIVATIONS: dict[ActivationName, Activation] = {
    "sigmoid": Activation("sigmoid", sigmoid, lambda a: a * (1 - a)),
    "tanh": Activation("tanh", lambda z, out: np.tanh(z, out=out), lambda a: 1 - a * a),
    "relu": Activation("relu", lambda z, out: np.maximum(z, 0.0, out=out), lambda a: a > 0, smooth=False),
}
