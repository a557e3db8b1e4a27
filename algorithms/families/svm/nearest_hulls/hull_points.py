"""Two points p and q in the hulls of two classes, and the plane across the middle of the segment between them."""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.families.svm.nearest_hulls.hull_pairs import Pull
from algorithms.families.svm.shared.hull_distance import HullDistance, hull_distance


class HullPoints(Struct, frozen=True, eq=False):
    """A point in each hull.

    Attributes:
        data: rows of two classes.
        shares: (n,) λ.
        p, q: (d,) the points.
        w: (d + 1,) weights and bias of the plane across the middle.
        distances: (n,) y f/‖w‖.
        reach: the largest number that is added on the way to one of them.
        pull: the rows that they went to, or away from.
    """

    data: Dataset
    shares: Array
    p: Array
    q: Array
    w: Array
    distances: Array
    reach: float
    pull: Pull

    @property
    def best(self) -> HullDistance:
        """Where the hulls are nearest, by Wolfe's method: γ*, w* and b*."""
        return self.data.once(hull_distance)

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.p - self.q))

    @property
    def least(self) -> float:
        return float(self.distances.min())

    @property
    def mean(self) -> float:
        """The mean of both classes' mean distances, which is greatest along the difference of the class means."""
        plus = self.data.signs > 0
        return float(self.distances[plus].mean() + self.distances[~plus].mean()) / 2

    @property
    def multipliers(self) -> Array:
        """(n,) α = 2λ/‖p - q‖²; 0 where p = q."""
        square = self.length**2
        return 2 * self.shares / square if square else 0 * self.shares


def reach_of(data: Dataset) -> float:
    return float(np.abs(data.X).max()) * float(np.sqrt(data.d))
