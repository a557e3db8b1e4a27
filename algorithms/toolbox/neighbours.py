"""The nearest rows of places, exactly: single precision says which rows may be among them, double which are.

Of equal distances the row that comes first is the nearer one; of classes with as many votes the first one wins.
"""

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array

_PLACES = 128  # looked at together
_TILE = 8192  # rows looked at together: their distances from so many places stay near the processor
_SAMPLED = 8  # one row in so many is looked at first
_BLOCK = 1024  # rows prepared together
_GROUP = 16  # values of which the greatest stands for all
_PAIRS = 1 << 16  # of a place and a row, measured together
_FAR = 1e6  # of the rows' reach, where single precision tells no rows apart


class Rows(Struct, frozen=True, eq=False):
    """Rows among which the nearest are looked for.

    Attributes:
        X: (n, d).
        centre: (d,) their mean.
        longest: the largest distance of one from it, 1 where that is 0.
        rough: (n, d + 1) float32 x = (X - centre) / longest, and after each -½‖x‖².
        sampled: (s, d + 1) every so manieth of them.
    """

    X: Array
    centre: Array
    longest: float
    rough: Array
    sampled: Array

    def nearest(self, at: Array, k: int) -> Array:
        """(m, d) places -> (m, k) the numbers of the rows nearest to each, the nearest first."""
        nearest = np.empty((len(at), k), np.intp)
        room = np.empty(min(len(at), _PLACES) * min(len(self.X), _TILE), np.float32)
        for i in range(0, len(at), _PLACES):
            places = at[i : i + _PLACES]
            place, row = self._candidates(places, k, room)
            order = np.lexsort((row, self._squares(places, place, row), place))  # by place, distance, row
            first = np.searchsorted(place[order], np.arange(len(places)))
            nearest[i : i + _PLACES] = row[order][first[:, None] + np.arange(k)]
        return nearest

    def _squares(self, places: Array, place: Array, row: Array) -> Array:
        """Squared distances of pairs, from the differences themselves."""
        squares = np.empty(len(place))
        for i in range(0, len(place), _PAIRS):
            away = places[place[i : i + _PAIRS]] - self.X[row[i : i + _PAIRS]]
            np.einsum("ij,ij->i", away, away, out=squares[i : i + _PAIRS])
        return squares

    def _candidates(self, places: Array, k: int, room: Array) -> tuple[Array, Array]:
        """Pairs of a place and a row that may be among its k nearest; all that are, are there."""
        n, away = len(self.X), (places - self.centre) / self.longest
        reach = np.sqrt(np.vecdot(away, away))
        if not reach.max() < _FAR:
            return np.repeat(np.arange(len(places)), n), np.tile(np.arange(n), len(places))
        query = np.column_stack([away, np.ones(len(away))]).astype(np.float32)  # (q, 1), for q·x - ½‖x‖² as a product
        # A product of d + 1 terms errs by as many roundings, and the places by one each; twice that between two rows.
        lost = (4 * (places.shape[1] + 9) * float(np.finfo(np.float32).eps) * (reach + 1)).astype(np.float32)
        if n <= _TILE:
            closeness = self._closeness(query, slice(0, n), room)
            place, row, _ = _reaching(closeness, kth_greatest(closeness, k) - lost)
            return place, row
        few = self.sampled if len(self.sampled) >= k else self.rough
        least, parts = kth_greatest(query @ few.T, k) - lost, []
        for j in range(0, n, _TILE):
            place, row, close = _reaching(self._closeness(query, slice(j, j + _TILE), room), least)
            parts.append((place, row + j, close))
        place, row, close = (np.concatenate(part) for part in zip(*parts))
        order = np.lexsort((-close, place))
        place, row, close = place[order], row[order], close[order]
        reached = close[np.searchsorted(place, np.arange(len(places))) + k - 1]  # now that all are known
        near = close >= (reached - lost)[place]
        return place[near], row[near]

    def _closeness(self, query: Array, rows: slice, room: Array) -> Array:
        """x·q - ½‖x‖² of some rows, greater for nearer ones; in `room`, for fresh memory costs as much as a product."""
        x = self.rough[rows]
        return np.matmul(query, x.T, out=room[: len(query) * len(x)].reshape(len(query), len(x)))


def _reaching(closeness: Array, least: Array) -> tuple[Array, Array, Array]:
    """Where (m, n) values reach the least of their line: lines, columns and the values there."""
    there = np.flatnonzero(closeness >= least[:, None])
    place, row = np.divmod(there, closeness.shape[1])
    return place, row, closeness.ravel()[there]


def kth_greatest(values: Array, k: int) -> Array:
    """(m, n) -> (m,) a number that k of each line's values reach: the k-th greatest of the greatest of groups."""
    size = values.shape[1] // _GROUP
    if size >= 2 * k:
        values = values[:, : size * _GROUP].reshape(len(values), _GROUP, size).max(axis=1)
    return np.asarray(np.partition(values, values.shape[1] - k, axis=1)[:, -k])


def rows_among(X: Array) -> Rows:
    """Prepare (n, d) rows to be looked among."""
    (n, d), centre = X.shape, X.mean(axis=0)
    blocks = [slice(i, i + _BLOCK) for i in range(0, n, _BLOCK)]  # whose differences stay near the processor
    longest = max(float(np.vecdot(away, away).max()) for away in (X[rows] - centre for rows in blocks)) ** 0.5 or 1.0
    rough = np.empty((n, d + 1), np.float32)
    for rows in blocks:
        x = rough[rows, :d]
        x[:] = (X[rows] - centre) / longest
        rough[rows, d] = np.vecdot(x, x) / np.float32(-2)
    return Rows(X, centre, longest, rough, rough[::_SAMPLED].copy())


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


def outvoted(labels: Array, own: Array, classes: int) -> Array:
    """(n, k) classes of rows, the nearest first, and (n,) classes -> (n, k) bool: whether another one wins the vote."""
    mine, lost = (labels == own[:, None]).cumsum(axis=1), np.zeros(labels.shape, bool)
    for c in range(classes):
        theirs = (labels == c).cumsum(axis=1)
        lost |= (theirs > mine) | ((theirs == mine) & (c < own)[:, None])
    return lost
