"""Losses of a classifier's outputs, each with the outputs that go with it, so that its slope in z is a - y.

    cross-entropy  a = e^z / Σ e^z (softmax),  -Σ y ln a;   one output for two classes: a = 1/(1 + e^-z),
                   -y ln a - (1 - y) ln(1 - a), which is the softmax of 0 and z
    squared        a = z,  ½ Σ (a - y)²

y is 1 in the output of the row's class and 0 in the others; the one output of two classes speaks of class 1.
All arrays have an output a row and a column for each row of data; losses are worked out of stacks of them too.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.toolbox.activations import sigmoid
from algorithms.toolbox.logsumexp import shares_and_log_sum

LossName = Literal["cross-entropy", "squared"]


class Loss(Struct, frozen=True):
    """How wrong outputs are.

    Attributes:
        name: what it is called.
        outputs: (k, b) sums z -> (k, b) outputs a.
        of_rows: (..., k, b) sums z and (k, b) targets y -> (..., b) losses.
    """

    name: LossName
    outputs: Callable[[Array], Array]
    of_rows: Callable[[Array, Array], Array]


def probabilities(z: Array) -> Array:
    """(k, b): softmax of each column; the sigmoid where there is one output."""
    return sigmoid(z) if len(z) == 1 else shares_and_log_sum(z)[0]


def cross_entropy(z: Array, y: Array) -> Array:
    """(b,) -ln of the probability of each column's own class, as exact for a small loss as for a large one."""
    if z.shape[-2] == 1:
        return np.asarray(np.logaddexp(0.0, (1 - 2 * y[0]) * z[..., 0, :]))
    return np.asarray(np.logaddexp.reduce(z - (z * y).sum(axis=-2, keepdims=True), axis=-2))


def half_squared(z: Array, y: Array) -> Array:
    """(b,) ½ ‖z - y‖²."""
    return np.asarray(((z - y) ** 2).sum(axis=-2) / 2)


LOSSES: dict[LossName, Loss] = {
    "cross-entropy": Loss("cross-entropy", probabilities, cross_entropy),
    "squared": Loss("squared", lambda z: z, half_squared),
}
