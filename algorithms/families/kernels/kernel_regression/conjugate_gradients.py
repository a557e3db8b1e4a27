"""One step of conjugate gradients on a system with a Gram matrix, and what is left after it.

    η = r·r / d·Ad,   α' = α + η d,   r' = r - η A d,   d' = r' + (r'·r' / r·r) d

References: Hestenes and Stiefel (1952), Methods of conjugate gradients for solving linear systems, Journal of Research
of the National Bureau of Standards 49.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.families.kernels.shared.gram_systems import Spectral


def share_left(residual: Array, b: Array) -> float:
    """‖r‖/‖b‖; 0 where b = 0."""
    return float(np.linalg.norm(residual)) / (float(np.linalg.norm(b)) or 1.0)


def cosine(residual: Array, first: Array) -> float:
    """|cos(r, r_0)|; 0 of r_0 itself."""
    size = float(np.linalg.norm(residual)) * float(np.linalg.norm(first))
    return abs(float(residual @ first)) / size if size and not np.array_equal(residual, first) else 0.0


class Iterate(Struct, frozen=True, eq=False):
    """Multipliers α, their residual r and the direction d that comes next, (n,) each.

    Attributes:
        began: ‖r_0‖ where the directions began: r, kept step by step, has the rounding of that.
        longest: the greatest ‖α‖ since then, and of products with that.
    """

    alpha: Array
    residual: Array
    direction: Array
    began: float
    longest: float

    def size(self, of: Spectral) -> float:
        """The largest number that was added on the way to the residual that is kept."""
        return self.began + of.greatest * self.longest


class DirectionStep(Struct, frozen=True, eq=False):
    """A step along a direction, from one iterate to the next."""

    of: Spectral
    before: Iterate
    after: Iterate

    @property
    def image(self) -> Array:
        """(n,) A d."""
        return self.of.system.times(self.before.direction)

    @property
    def eta(self) -> float:
        """r·r / d·Ad."""
        return float(self.before.residual @ self.before.residual) / float(self.before.direction @ self.image)

    @property
    def product_size(self) -> float:
        """The largest number that is added on the way to r'·r, where d has to be conjugate to the last direction."""
        r, d = float(np.linalg.norm(self.before.residual)), float(np.linalg.norm(self.before.direction))
        return r * r + self.eta * self.of.greatest * d * (d + r)


def chebyshev(of: Spectral, steps: int) -> float:
    """2 ((√κ - 1)/(√κ + 1))^t ‖e_0‖_A, which ‖e‖_A is no greater than t steps from α = 0."""
    root = np.sqrt(of.condition)
    first = float(np.sqrt(of.parts(np.zeros(len(of.system.y))).sum()))
    return 2 * float((root - 1) / (root + 1)) ** steps * first
