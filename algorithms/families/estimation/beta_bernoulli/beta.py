"""The Beta distribution: density, mean, mode, deviation, and its integral as a sum."""

from math import lgamma, log, nan, sqrt
from typing import NamedTuple

import numpy as np

from algorithms.core import Array

_REACH, _NODES = 7.5, 2001  # of the sum, in u


class Beta(NamedTuple):
    """θ^(a-1) (1-θ)^(b-1) / B(a, b) for θ in [0, 1], with a and b above 0."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    @property
    def deviation(self) -> float:
        return sqrt(self.mean * (1 - self.mean) / (self.a + self.b + 1))

    @property
    def mode(self) -> float:
        """Where the density is greatest; NaN when that is everywhere, or at both ends."""
        a, b = self
        if a > 1 and b > 1:
            return (a - 1) / (a + b - 2)
        at_zero, at_one = a < 1 <= b or a == 1 < b, b < 1 <= a or b == 1 < a
        return 0.0 if at_zero else 1.0 if at_one else nan

    def density(self, at: Array) -> Array:
        """The density at places strictly between 0 and 1."""
        return np.asarray(np.exp(self.log_density(at)))

    def log_density(self, at: Array) -> Array:
        """Its logarithm there."""
        a, b = self
        return np.asarray((a - 1) * np.log(at) + (b - 1) * np.log1p(-at) - log_beta(a, b))


def log_beta(a: float, b: float) -> float:
    """ln B(a, b)."""
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def masses(a: float, b: float) -> tuple[Array, Array]:
    """Places (m,) in [0, 1] and the mass (m,) of Beta(a, b) about each, which sum to its integral.

    With θ = 1/(1 + e^(-z)) the integrand θ^a (1-θ)^b dz is smooth, and falls off like e^(az) and e^(-bz); with
    z = ln a/b + √(1/a + 1/b) sinh u, about its top and as wide as it is, it falls off doubly exponentially.
    There the trapezoid rule converges faster than any power of the step (Takahasi and Mori 1974).
    """
    u = np.linspace(-_REACH, _REACH, _NODES)
    width = sqrt(1 / a + 1 / b)
    z = log(a / b) + width * np.sinh(u)
    of_heads, of_tails = -np.logaddexp(0, -z), -np.logaddexp(0, z)  # ln θ and ln(1 - θ)
    steps = width * np.cosh(u) * (u[1] - u[0])
    return np.exp(of_heads), np.asarray(np.exp(a * of_heads + b * of_tails - log_beta(a, b)) * steps)


def interval(a: float, b: float, share: float = 0.95) -> tuple[float, float]:
    """The ends of the middle `share` of Beta(a, b), to about three digits."""
    at, mass = masses(a, b)
    below = mass.cumsum() - mass / 2
    low, high = np.interp([(1 - share) / 2, (1 + share) / 2], below, at)
    return float(low), float(high)
