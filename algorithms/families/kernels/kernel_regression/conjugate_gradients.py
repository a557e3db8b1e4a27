"""One step of conjugate gradients on a system with a Gram matrix, and what is true of it.

    η = r·r / d·Ad,   α' = α + η d,   r' = r - η A d,   d' = r' + (r'·r' / r·r) d

References: Hestenes and Stiefel (1952), Methods of conjugate gradients for solving linear systems, Journal of Research
of the National Bureau of Standards 49.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Sides
from algorithms.families.kernels.shared.gram_systems import Spectral

_TINY = 1e-300
_OF_PRODUCTS = 1e-2  # of the slack for the largest number added: what n products of it are rounded by is less


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


def error_falls(step: DirectionStep) -> Sides:
    """‖e'‖² + η²‖d‖² = ‖e‖², all in the norm of A."""
    of, eta, before = step.of, step.eta, step.before
    gone = eta**2 * float(before.direction @ step.image)
    was, now = float(of.parts(before.alpha).sum()), float(of.parts(step.after.alpha).sum())
    size = of.energy_size(before.alpha) + of.energy_size(step.after.alpha) + gone
    size += eta * float(np.linalg.norm(before.direction)) * (of.residual_size(before.alpha) + before.size(of))
    # of d·Ad, which may be far shorter than the products that it is added up from
    size += _OF_PRODUCTS * eta**2 * of.greatest * float(before.direction @ before.direction)
    return Sides(("‖e'‖² + η²‖d‖²", now + gone), ("‖e‖²", was), relation="==", size=size)


def orthogonal_residuals(step: DirectionStep) -> Sides:
    product = float(step.after.residual @ step.before.residual)
    return Sides(("r'·r", product), ("0", 0.0), relation="==", size=step.product_size)


def conjugate_directions(step: DirectionStep) -> Sides:
    """d'·Ad = 0: as far as r' = r - ηAd has its digits, and r'·r is 0."""
    image = step.image
    lengths = float(np.linalg.norm(step.after.direction) + np.linalg.norm(step.before.residual))
    size = lengths * float(np.linalg.norm(image)) + step.product_size / step.eta
    return Sides(("d'·Ad", float(step.after.direction @ image)), ("0", 0.0), relation="==", size=size)


def residual_kept(of: Spectral, now: Iterate) -> Sides:
    """r as it was kept step by step is that of α."""
    fresh = of.system.residual(now.alpha)
    size = of.residual_size(now.alpha) + now.size(of)
    return Sides.each(("r", now.residual), ("b - Aα", fresh), relation="==", size=size, axes=("row",))


def chebyshev(of: Spectral, steps: int) -> float:
    """2 ((√κ - 1)/(√κ + 1))^t ‖e_0‖_A, which ‖e‖_A is no greater than t steps from α = 0."""
    root = np.sqrt(of.condition)
    first = float(np.sqrt(of.parts(np.zeros(len(of.system.y))).sum()))
    return 2 * float((root - 1) / (root + 1)) ** steps * first


def near_solution(of: Spectral, now: Iterate) -> Sides:
    """‖α - α*‖ <= ‖r‖/μ."""
    away = float(np.linalg.norm(now.alpha - of.solution))
    bound = float(np.linalg.norm(now.residual)) / of.least
    size = (of.residual_size(now.alpha) + now.size(of)) / of.least
    return Sides(("‖α - α*‖", away), ("‖r‖/μ", bound), size=size)


def near_ridge(of: Spectral, now: Iterate, values: Array) -> Sides:
    """‖Kα - φ·w‖ <= ‖r‖ with (n,) φ·w of ridge regression on φ; at λ = 0 ‖r‖/√μ."""
    away = float(np.linalg.norm(of.system.gram @ now.alpha - values))
    name, most = ("‖r‖", 1.0) if of.system.lam else ("‖r‖/√μ", 1 / np.sqrt(of.least))
    # least squares on φ are exact to the condition of φ, which is the root of that of A
    size = of.left_size(now.alpha) * np.sqrt(of.condition) + most * now.size(of)
    return Sides(("‖f - φ·w‖", away), (name, most * float(np.linalg.norm(now.residual))), size=float(size))


def no_other_bump(of: Spectral, now: Iterate, values: Array, places: Sequence[str]) -> Sides:
    """½|∂J/∂β| <= ‖k_z‖‖r‖ of f + β k(z, ·), at named places z with (m, n) values k_z of the rows."""
    system = of.system
    off = system.y - system.gram @ now.alpha
    slopes = np.abs(values @ off - system.lam * (values @ now.alpha))
    longest = np.maximum(np.abs(values).max(axis=1), _TINY)  # squares of small values would vanish
    lengths = longest * np.linalg.norm(values / longest[:, None], axis=1)
    added = of.left_size(now.alpha) + system.lam * float(np.linalg.norm(now.alpha))
    size = lengths * (added + now.size(of))
    bound = lengths * float(np.linalg.norm(now.residual))
    return Sides.each(("½|∂J/∂β|", slopes), ("‖k_z‖‖r‖", bound), size=size, entries=places)
