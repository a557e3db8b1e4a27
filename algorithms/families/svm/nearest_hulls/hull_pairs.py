"""Steps of two points in the hulls of two classes: rows are pulled in, or give back, to bring the points nearer.

p = Σ λ x over the rows of the one class, q over those of the other. Going a part f of the way to a row, p' = (1 - f) p
+ f x; with f < 0 p goes away from it, and can until the row's λ is used up. Both may go, by the same part.

References: Gilbert (1966), An iterative procedure for computing the minimum of a quadratic form on a convex set, SIAM
J. Control 4; Franc and Hlaváč (2003), An iterative algorithm learning the maximal margin classifier, Pattern
Recognition 36 (Schlesinger's and Kozinec's).
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.hull_steps import least_share, moved, widest_apart


class Pull(Struct, frozen=True):
    """The rows that p and q go towards, or away from; -1 for the point that stays."""

    plus: int
    minus: int
    back: bool

    @property
    def rows(self) -> tuple[int, ...]:
        return tuple(row for row in (self.plus, self.minus) if row >= 0)


def heights(X: Array, signs: Array, p: Array, q: Array) -> Array:
    """(n,) y z·(x - m) with z = p - q and m half-way between: ‖z‖ times how far a row is on its side of the middle."""
    return np.asarray(signs * ((X - (p + q) / 2) @ (p - q)))


def chosen(heights: Array, signs: Array, shares: Array, square: float, both: bool, away: bool) -> Pull:
    """The lowest rows to pull in, or the highest of those with a share to give back: whichever gains more.

    Args:
        heights: (n,) as above; that of p and q is ½‖z‖².
        square: ‖z‖².
        both: a row of each class moves; else the one row of them all.
    """
    low, high = lowest(heights, signs, both), highest(heights, signs, shares, both)
    more = sum(heights.item(r) - square / 2 for r in high) > sum(square / 2 - heights.item(r) for r in low)
    rows = high if away and more else low
    plus = next((r for r in rows if signs.item(r) > 0), -1)
    return Pull(plus, next((r for r in rows if signs.item(r) < 0), -1), away and more)


def lowest(heights: Array, signs: Array, both: bool) -> list[int]:
    """The lowest row, or that of each class."""
    if not both:
        return [int(heights.argmin())]
    return [int(np.where(signs == sign, heights, np.inf).argmin()) for sign in (1, -1)]


def highest(heights: Array, signs: Array, shares: Array, both: bool) -> list[int]:
    """The highest of the rows with a share, or that of each class."""
    return lowest(np.where(shares > 0, -heights, np.inf), signs, both)


def way(X: Array, signs: Array, p: Array, q: Array, rows: tuple[int, ...]) -> Array:
    """(d,) how z = p - q changes when its points go all the way to these rows."""
    ends = [X[r] - p if signs.item(r) > 0 else q - X[r] for r in rows]
    return np.asarray(sum(ends))


def how_far(z: Array, way: Array, least: float) -> float:
    """f in [least, 1] with which z + f way is the shortest."""
    square = float(way @ way)
    return float(np.clip(-(z @ way) / square, least, 1.0)) if square else 0.0


def room_to_give(shares: Array, rows: tuple[int, ...]) -> float:
    """How far away p and q can go from these rows, as a negative part of the way to them.

    A row with all of its class's share is where the point is already: going away from it goes nowhere.
    """
    return max((least_share(share) for share in shares[list(rows)].tolist() if share < 1), default=0.0)


def given(shares: Array, signs: Array, rows: tuple[int, ...], far: float) -> Array:
    """(n,) λ when p and q go so far to these rows, or away from them; used up where that was all the room."""
    for r in rows:
        left = moved(shares, r, far)
        if far < 0 and shares[r] < 1 and far == least_share(shares.item(r)):
            left[r] = 0.0
        shares = np.where(signs == signs[r], left, shares)
    return np.asarray(shares)


def means(X: Array, signs: Array, shares: Array) -> tuple[Array, Array]:
    """(d,) p and (d,) q, the means of either class by these shares."""
    plus = signs > 0
    return shares[plus] @ X[plus], shares[~plus] @ X[~plus]


def shares_left(shares: Array, signs: Array) -> Array:
    """(n,) λ of each class in proportion to those that are left; on its first row where none is left."""
    shares = shares.astype(float)
    for sign in (1, -1):
        own = signs == sign
        total = float(shares[own].sum())
        if total > 0:
            shares[own] /= total
        elif own.any():
            shares[np.flatnonzero(own)[0]] = 1.0
    return shares


def spread(data: Dataset) -> float:
    """The largest distance of a row from the mean of all."""
    return widest_apart(data.X) / 2
