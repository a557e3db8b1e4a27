"""Separation: whether a hyperplane through the origin has all rows strictly on one side, with the proof of it.

The point of least norm in the convex hull of z_1, ..., z_n answers both ways. If it is p != 0, then
z_i·p >= ‖p‖² for every row: p/‖p‖ separates, and no unit vector does so with a wider margin than ‖p‖. If it
is 0, then 0 = Σ λ_i z_i with λ >= 0, Σ λ = 1, and no u has u·z_i > 0 for all i, since Σ λ_i (u·z_i) = 0.

References: Wolfe (1976), Finding the nearest point in a polytope, Mathematical Programming 11; Gordan (1873).
"""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from algorithms.core import Array

_PRODUCTS = 500_000_000  # multiplications that may be spent on looking: about half a second
_ZERO = 1e-12  # of the longest row: a weighted mean as short as this is 0
_NOTHING = 1e-12  # a weight that rounding may have made of 0
_OPTIMAL = 1e-10  # a margin this close to the best possible, relatively, is the best


class Separation(Struct, frozen=True, eq=False):
    """What was found, and what proves it.

    Attributes:
        direction: (p,) unit vector with every row at least `margin` on its positive side, or None.
        margin: the least z·direction, measured on the rows; 0 where there is no direction.
        shares: (n,) weights >= 0 that sum to one.
        remainder: the norm of the rows' mean under those weights; no unit vector has a margin above it.
        longest: the norm of the longest row.
    """

    direction: Array | None
    margin: float
    shares: Array
    remainder: float
    longest: float

    @property
    def impossible(self) -> bool:
        """Whether the weighted mean is 0, to rounding: then nothing separates the rows."""
        return self.remainder <= _ZERO * self.longest


def separate(rows: Array) -> Separation:
    """Look for a separating direction of (n, p) rows, or for the proof that there is none.

    The work is bounded by a count, not by a clock, so that the same rows always have the same answer. When the
    count runs out, the best direction so far stands with the margin it has; there may be none.
    """
    n, p = rows.shape
    size = float(np.abs(rows).max()) or 1.0  # taken out, so that no square overflows or vanishes
    rows = rows / size
    longest = float(np.sqrt(np.vecdot(rows, rows).max()))
    shares, best, widest, spent = np.zeros(n), None, _ZERO * longest, 0
    for members, weights, point, reached in hull_points(rows):
        length = float(np.linalg.norm(point))
        if length > 0 and reached.min() / length > widest:
            best, widest = point / length, float(reached.min()) / length
        shares[:] = 0
        shares[members] = weights
        spent += n * p + 8 * p * len(members) ** 2
        if length <= _ZERO * longest or widest >= length * (1 - _OPTIMAL) or spent > _PRODUCTS:
            break
    margin = 0.0 if best is None else float((rows @ best).min())
    return Separation(
        direction=best if margin > 0 else None,
        margin=size * max(margin, 0.0),
        shares=shares,
        remainder=size * float(np.linalg.norm(shares @ rows)),
        longest=size * longest,
    )


def hull_points(rows: Array) -> Iterator[tuple[list[int], Array, Array, Array]]:
    """Points of the hull of (n, p) rows, each shorter than the one before, down to the shortest (Wolfe).

    Yields (members, weights, point, rows·point): the point is the mean of the members under the weights. A
    turn brings in the row that lies lowest along the point, then goes to the shortest point of the flat
    through the members, and on the way drops each member whose weight would turn negative.
    """
    members = [int(np.vecdot(rows, rows).argmin())]
    weights = np.ones(1)
    shortest = np.inf
    while True:
        point = weights @ rows[members]
        if not point @ point < shortest:  # rounding hides what is left to gain
            return
        shortest = float(point @ point)
        reached = rows @ point
        yield members, weights, point, reached
        lowest = int(reached.argmin())
        if lowest in members:
            return
        members, weights = [*members, lowest], np.append(weights, 0.0)
        aim = shortest_of_flat(rows[members])
        while aim.min() <= _NOTHING:
            members, weights = dropped(members, weights, aim)
            aim = shortest_of_flat(rows[members])
        weights = aim


def dropped(members: list[int], weights: Array, aim: Array) -> tuple[list[int], Array]:
    """From the weights towards the aim until the first weight is used up, without the member whose weight that is.

    A newcomer's weight is still 0 when another is used up at once; it stays.
    """
    falling = np.flatnonzero(aim <= _NOTHING)
    room = weights[falling] - aim[falling]
    steps = np.divide(weights[falling], room, out=np.zeros(len(falling)), where=room > _NOTHING)
    step = steps.min()
    weights = np.delete((1 - step) * weights + step * aim, falling[steps.argmin()]).clip(min=0.0)
    return [m for i, m in enumerate(members) if i != falling[steps.argmin()]], weights / weights.sum()


def shortest_of_flat(points: Array) -> Array:
    """(m, p) -> (m,) weights that sum to one, of the shortest point of the flat through the points."""
    differences = points[1:] - points[0]
    along = np.linalg.lstsq(differences.T, -points[0])[0]
    return np.append(1 - along.sum(), along)
