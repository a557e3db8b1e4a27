"""The nearest rows of places, exactly: single precision says which rows may be among them, double which are.

Of equal distances the row that comes first is the nearer one; of classes with as many votes the first one wins.
"""

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array

_AT_ONCE = 1 << 22  # distances of a block in single precision
_FAR = 1e6  # of the rows' reach, where single precision tells no rows apart
_GROUPS = 16  # rows of which the nearest stands for all, to find a distance that k rows keep


class Rows(Struct, frozen=True, eq=False):
    """Rows among which the nearest are looked for.

    Attributes:
        X: (n, d).
        centre: (d,) their mean.
        longest: the largest distance of one from it, 1 where that is 0.
        rough: (n, d) float32 (X - centre) / longest.
        half_squares: (n,) float32 ½‖rough‖².
    """

    X: Array
    centre: Array
    longest: float
    rough: Array
    half_squares: Array

    def nearest(self, at: Array, k: int) -> Array:
        """(m, d) places -> (m, k) the numbers of the rows nearest to each, the nearest first."""
        n, found = len(self.X), np.empty((len(at), k), np.intp)
        block = min(max(1, _AT_ONCE // n), len(at))
        room = np.empty((block, n), np.float32)  # used again: fresh memory of this size costs as much as the product
        for i in range(0, len(at), block):
            places = at[i : i + block]
            place, row = self._candidates(places, k, room[: len(places)])
            away = places[place] - self.X[row]
            order = np.lexsort((row, np.einsum("ij,ij->i", away, away), place))  # by place, distance, row
            first = np.searchsorted(place[order], np.arange(len(places)))
            found[i : i + block] = row[order][first[:, None] + np.arange(k)]
        return found

    def _candidates(self, places: Array, k: int, room: Array) -> tuple[Array, Array]:
        """Pairs of a place and a row that may be among its k nearest; all that are, are there."""
        away = (places - self.centre) / self.longest
        reach = np.sqrt(np.vecdot(away, away))
        if not reach.max() < _FAR:
            return np.repeat(np.arange(len(places)), len(self.X)), np.tile(np.arange(len(self.X)), len(places))
        closeness = np.matmul(away.astype(np.float32), self.rough.T, out=room)  # x·q - ½‖x‖², greater for nearer rows
        closeness -= self.half_squares
        # A product of d terms errs by d roundings at most, and the places by one each; twice that between two rows.
        lost = 2 * (places.shape[1] + 8) * float(np.finfo(np.float32).eps) * (reach + 1)
        least = _kth_greatest(closeness, k) - (2 * lost).astype(np.float32)
        place, row = np.divmod(np.flatnonzero(closeness >= least[:, None]), len(self.X))
        return place, row


def _kth_greatest(values: Array, k: int) -> Array:
    """(m, n) -> (m,) a number that k of each line's values reach: the k-th greatest of the greatest of groups."""
    m, n = values.shape
    size = n // _GROUPS
    if size >= 2 * k:
        values = values[:, : size * _GROUPS].reshape(m, _GROUPS, size).max(axis=1)
    return np.asarray(np.partition(values, values.shape[1] - k, axis=1)[:, -k])


def rows_among(X: Array) -> Rows:
    """Prepare (n, d) rows to be looked among."""
    centre = X.mean(axis=0)
    away = X - centre
    longest = float(np.sqrt(np.vecdot(away, away).max())) or 1.0
    rough = (away / longest).astype(np.float32)
    return Rows(X, centre, longest, rough, np.vecdot(rough, rough) / np.float32(2))


def nearest_others(rows: Rows, k: int) -> Array:
    """(n, k) of each row the rows nearest to it, without itself."""
    near, own = rows.nearest(rows.X, k + 1), np.arange(len(rows.X))[:, None]
    there = near == own
    there[~there.any(axis=1), -1] = True  # of so many equal rows it comes after all that count
    return np.asarray(near[~there].reshape(len(near), k))


def votes(labels: Array, classes: int) -> Array:
    """(..., k) classes of rows, the nearest first -> (..., k, K) how many of the first j each class has."""
    return np.asarray((labels[..., None] == np.arange(classes)).cumsum(axis=-2))


def elected(labels: Array, classes: int) -> Array:
    """(..., k) classes of rows, the nearest first -> (..., k) the class with most votes of the first j."""
    return np.asarray(votes(labels, classes).argmax(axis=-1))
