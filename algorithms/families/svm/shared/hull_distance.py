"""How far apart the convex hulls of two classes lie, exactly but for rounding, or the proof that they meet.

The differences x - x' of points of two hulls are a hull again, whose shortest point z* is where the two come nearest.
Wolfe's method goes to it and needs no list of its corners, only the one that lies lowest along a direction z: that is
the row of the one class with the least x·z, less the row of the other with the greatest. Along z/‖z‖ the classes lie
min x·z/‖z‖ - max x'·z/‖z‖ apart, which is never more than ‖z*‖, as no z in the hull of differences is shorter.

References: Wolfe (1976), Finding the nearest point in a polytope, Mathematical Programming 11.
"""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset, DoesNotApply, Undecided
from algorithms.toolbox.separation import dropped, shortest_of_flat

_PRODUCTS = 200_000_000  # multiplications that may be spent on looking
_OPTIMAL = 1e-13  # a width this close to the length of z, relatively, is the distance
_NOTHING = 1e-12  # of the spread: a distance that rounding may have made of 0
_NOTHING_LEFT = 1e-12  # a weight that rounding may have made of 0
_KNOWN = 1e-6  # of the spread: a distance between bounds as close as this is known


class HullDistance(Struct, frozen=True, eq=False):
    """Where two hulls are nearest to each other.

    Attributes:
        z: (d,) p - q of the nearest points p and q that were reached.
        middle: (d,) half-way between the rows of either class that lie lowest along z.
        lower, upper: what the distance lies between; the lower is 0 where they may meet.
        spread: the largest distance of a row from the mean of all.
    """

    z: Array
    middle: Array
    lower: float
    upper: float
    spread: float

    @property
    def meets(self) -> bool:
        """Whether p and q are the same point but for rounding."""
        return self.upper <= _NOTHING * self.spread

    @property
    def w(self) -> Array:
        """(d + 1,) weights and bias of the hard margin: least y f = 1, as far as it was approached; 0 where they meet.

        f = 1 on the lowest row of the one class along z and f = -1 on that of the other.
        """
        if self.lower <= 0:
            return np.zeros(len(self.z) + 1)
        weights = 2 / self.lower * (self.z / float(np.linalg.norm(self.z)))
        return np.append(weights, -float(weights @ self.middle))


def hull_distance(data: Dataset) -> HullDistance:
    """Find how far apart the hulls of two classes are; ask for it by `data.once(hull_distance)`."""
    centre = data.X.mean(axis=0)
    rows, plus = data.X - centre, data.signs > 0
    size = float(np.abs(rows).max()) or 1.0  # taken out, so that no square overflows or vanishes
    rows = rows / size
    upper, lower, best, spent = np.inf, 0.0, np.zeros(data.d), 0
    for z, width, members in nearest_differences(rows[plus], rows[~plus]):
        length = float(np.linalg.norm(z))
        spent += rows.size + 8 * data.d * members**2
        if length < upper:
            upper, best, lower = length, z, max(width, 0.0)
        if lower >= upper * (1 - _OPTIMAL) or upper <= _NOTHING or spent > _PRODUCTS:
            break
    nearest = rows[plus][int((rows[plus] @ best).argmin())], rows[~plus][int((rows[~plus] @ best).argmax())]
    middle, spread = size * (nearest[0] + nearest[1]) / 2 + centre, size * float(np.linalg.norm(rows, axis=1).max())
    return HullDistance(size * best, middle, size * lower, size * upper, spread)


def apart(best: HullDistance) -> bool | DoesNotApply | Undecided:
    """Whether the hulls are apart by a known distance, as the hypothesis of a theorem, with the reason where not."""
    if best.meets:
        return DoesNotApply("the hulls meet: nothing separates the classes strictly")
    if best.lower > 0 and best.upper - best.lower <= _KNOWN * best.spread:
        return True
    return Undecided(f"the distance of the hulls is known to lie between {best.lower:.3g} and {best.upper:.3g} only")


def nearest_differences(P: Array, Q: Array) -> Iterator[tuple[Array, float, int]]:
    """Go down the hull of all x - x' to its shortest point, for (n, d) rows x of one class and (m, d) of the other.

    Yields (z, how far apart the classes are along z, of how many differences z is the mean).
    """
    pairs = [(int(np.vecdot(P, P).argmin()), int(np.vecdot(Q, Q).argmin()))]
    weights, shortest = np.ones(1), np.inf
    while True:
        points = differences(P, Q, pairs)
        z = weights @ points
        square = float(z @ z)
        if not square < shortest:  # rounding hides what is left to gain
            return
        shortest = square
        along, against = P @ z, Q @ z
        lowest = int(along.argmin()), int(against.argmax())
        width = (along.item(lowest[0]) - against.item(lowest[1])) / (square**0.5 or 1.0)
        yield z, width, len(pairs)
        if lowest in pairs:
            return
        pairs, weights = [*pairs, lowest], np.append(weights, 0.0)
        aim = shortest_of_flat(differences(P, Q, pairs))
        while aim.min() <= _NOTHING_LEFT:
            members, weights = dropped(list(range(len(pairs))), weights, aim)
            pairs = [pairs[i] for i in members]
            aim = shortest_of_flat(differences(P, Q, pairs))
        weights = aim


def differences(P: Array, Q: Array, pairs: list[tuple[int, int]]) -> Array:
    """(m, d) x - x' of each pair."""
    first, second = zip(*pairs)
    return np.asarray(P[list(first)] - Q[list(second)])
