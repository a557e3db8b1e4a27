"""Steps up the gradient of a log-likelihood whose curvature is nowhere above L: what each has to keep.

w' = w + η∇f(w),   f(w') >= f(w) + η(1 - ½ηL)‖∇f(w)‖²
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from algorithms.core import Answer, Array, Sides


class Climbed(Protocol):
    """A log-likelihood less a penalty, as of rows X; weights may have a row a class."""

    @property
    def X(self) -> Array: ...
    @property
    def penalties(self) -> Array: ...
    def value(self, w: Array) -> float: ...
    def size(self, w: Array) -> float: ...
    def gradient(self, w: Array) -> Array: ...


def step_made(f: Climbed, was: Array, now: Array, eta: float, names: Sequence[str]) -> Answer:
    """Hold a step against the gradient at its beginning, worked out anew; `names` of the weights."""
    size = np.abs(was) + eta * (np.abs(f.X).sum(axis=0) + f.penalties * np.abs(was))
    aim = was + eta * f.gradient(was)
    return Sides.each(("w'", now), ("w + η∇ln P", aim), relation="==", size=size, entries=names)


def rise_made(f: Climbed, was: Array, now: Array, eta: float, eta_L: float) -> Answer:
    """Hold a step against what it raises ln P by at least, which is below 0 for ηL > 2."""
    before, after, g = f.value(was), f.value(now), f.gradient(was)
    promised = eta * (1 - eta_L / 2) * float((g * g).sum())
    size = f.size(was) + f.size(now) + abs(promised)
    if eta_L > 2:
        return Sides(("ln P - η(½ηL - 1)‖g‖²", before + promised), ("ln P'", after), size=size)
    # near the maximum ln P and ln P' have the same digits: what is between them has digits of its own
    return Sides(("0", 0.0), ("η(1 - ½ηL)‖g‖²", promised), ("ln P' - ln P", after - before), size=size)
