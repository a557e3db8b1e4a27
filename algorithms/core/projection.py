"""Projection: how the places of a panel come to lie on a plane, and what of it is in view."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.grids import Grids
from algorithms.core.plane import Plane
from algorithms.core.state import State

UNDER = -1e305  # the logarithm of what has none: below every view, so that it lies at its edge


class View(Struct, frozen=True):
    """What part of the plane is seen, and how finely a region is asked for."""

    left: float
    right: float
    bottom: float
    top: float
    columns: int = 80
    rows: int = 60

    @property
    def diameter(self) -> float:
        return float(np.hypot(self.right - self.left, self.top - self.bottom))


class History(Struct, frozen=True, eq=False):
    """States that trails and echoes draw on: `trail` oldest first, `recent` newest first, `now` the present one."""

    trail: Sequence[State] = ()
    recent: Sequence[State] = ()
    now: State | None = None


class OwnSpace:
    """A panel's own coordinates: already in the plane, or the logarithms of what the axes show.

    Attributes:
        log: "x", "y", "xy" or "".
        clipped: whether something projected had no logarithm.
    """

    whole = True

    def __init__(self, log: str = "") -> None:
        self.log, self.clipped = log, False
        self._which = [i for i, axis in enumerate("xy") if axis in log]

    def project(self, at: Array) -> Array:
        places = np.array(at, float)
        for i in self._which:
            known, some = np.isnan(places[..., i]), places[..., i] > 0
            self.clipped |= not bool((known | some).all())
            with np.errstate(divide="ignore", invalid="ignore"):
                places[..., i] = np.where(known | some, np.log10(places[..., i]), UNDER)
        return places

    def lift(self, at: Array) -> Array:
        places = np.array(at, float)
        places[..., self._which] = 10.0 ** places[..., self._which]
        return places

    def carried(self, at: Array, to: Array) -> Array:
        return self.lift(to)

    def turn(self, directions: Array) -> Array:
        return directions


Projection = OwnSpace | Plane


class Looking(Struct, frozen=True, eq=False):
    """How the marks of a panel are looked at."""

    to: Projection
    view: View
    past: History
    grids: Grids
    title: str

    @property
    def place(self) -> tuple[object, ...]:
        """Name all that a grid of the panel depends on besides what is asked."""
        of = self.to.log if isinstance(self.to, OwnSpace) else self.to
        return of, self.view
