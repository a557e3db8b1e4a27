"""Curves along a variable of their own: an error along λ, at whatever step each was measured."""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array
from algorithms.core.curves import Curve
from algorithms.timeline.timeline import Timeline

_SAME = 1e-9  # of a value, up to which two are one


class AlongVariable(Struct, frozen=True, eq=False):
    """A curve's samples, and what its variable was at each.

    Attributes:
        name: what the run calls the variable: "λ".
        log: whether its axis is logarithmic.
        t: (m,) the steps of the samples, rising.
        x, values: (m,) the variable and the curve there.
    """

    name: str
    log: bool
    t: Array
    x: Array
    values: Array

    def line(self) -> tuple[Array, Array, Array]:
        """Get (x, value, step) with x rising: of each x the last value, and the step that first came there."""
        x, first = np.unique(self.x, return_index=True)
        _, last = np.unique(self.x[::-1], return_index=True)
        return x, self.values[len(self.x) - 1 - last], self.t[first]

    def last_before(self, t: int) -> float:
        """Find the x at which the curve was measured at step t, or last before it; NaN where it was not yet."""
        i = int(np.searchsorted(self.t, t, side="right")) - 1
        return float(self.x[i]) if i >= 0 else math.nan

    def until(self, t: int) -> "AlongVariable":
        """Take the samples up to step t."""
        end = int(np.searchsorted(self.t, t, side="right"))
        return AlongVariable(self.name, self.log, self.t[:end], self.x[:end], self.values[:end])

    def values_at(self, x: Array) -> Array:
        """Get the value at each x, the last where there are several; NaN where none was measured."""
        at, values, _ = self.line()
        if not len(at):
            return np.full(len(x), np.nan)
        right = np.clip(np.searchsorted(at, x), 0, len(at) - 1)
        left = np.maximum(right - 1, 0)
        nearest = np.where(np.abs(at[left] - x) < np.abs(at[right] - x), left, right)
        return np.where(np.abs(at[nearest] - x) <= _SAME * np.abs(x), values[nearest], np.nan)

    def between(self, x: Array) -> Array:
        """Read the value at each x off the line between the nearest on either side; NaN beyond the ends."""
        at, values, _ = self.line()
        if not len(at):
            return np.full(len(x), np.nan)
        ends = (np.log10(x), np.log10(at)) if self.log else (x, at)
        return np.interp(*ends, values, left=np.nan, right=np.nan)


def along_variable(run: Timeline, curve: Curve) -> AlongVariable | None:
    """Join what was measured of a curve with its variable, step by step; None for one that is drawn along steps."""
    of = curve.variable
    if of is None or of.name not in {other.name for other in run.algorithm.curves}:
        return None
    name, log = of.axis(run.problem)
    (t, values), (steps, x) = run.curve(curve.name), run.curve(of.name)
    _, here, there = np.intersect1d(t, steps, assume_unique=True, return_indices=True)
    known = np.isfinite(x[there]) & ((x[there] > 0) if log else True)
    here, there = here[known], there[known]
    return AlongVariable(name, log, t[here], x[there], values[here])


class Joined(Struct, frozen=True):
    """Curves held against each other at one x: the value of each.

    Attributes:
        measured: whether each was measured there; else some are read off their lines, between two of their samples.
    """

    x: float
    values: tuple[float, ...]
    measured: bool


def joined(curves: Sequence[AlongVariable]) -> Joined | None:
    """Join curves at the last x of the first one that all have; else at the last that lies within all. None if none."""
    x = curves[0].x[::-1]
    for measured, values_of in ((True, AlongVariable.values_at), (False, AlongVariable.between)):
        values = np.array([values_of(curve, x) for curve in curves])
        places = np.flatnonzero(~np.isnan(values).any(axis=0))
        if len(places):
            return Joined(float(x[places[0]]), tuple(values[:, places[0]].tolist()), measured)
    return None
