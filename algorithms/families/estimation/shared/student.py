"""Student's t distribution about a place, the Gaussian as its limit: density, deviation, and its middle part."""

from functools import lru_cache
from math import inf, isinf, lgamma, log, nan, pi, sqrt
from typing import NamedTuple

import numpy as np

from algorithms.core import Array

_GAUSSIAN_QUANTILE = 1.959963984540054  # beyond which a fortieth lies
_REACH, _NODES = 45.0, 4001  # of the sum, in u


class Student(NamedTuple):
    """t with `freedom` >= 1 degrees of freedom, times `width` and about `place`; with infinitely many N(place, width²).

    It is what is believed of a mean when the variance is not known: a Gaussian whose variance is drawn.
    """

    place: float
    width: float
    freedom: float = inf

    @property
    def deviation(self) -> float:
        """The standard deviation; NaN with 2 degrees of freedom or fewer, where there is none."""
        if isinf(self.freedom):
            return self.width
        return self.width * sqrt(self.freedom / (self.freedom - 2)) if self.freedom > 2 else nan

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of its middle 95%, to about four digits."""
        half = self.width * quantile(self.freedom)
        return self.place - half, self.place + half

    def log_density(self, at: Array | float) -> Array:
        """ln of the density at places."""
        z, k = (np.asarray(at) - self.place) / self.width, self.freedom
        if isinf(k):
            return np.asarray(-0.5 * z * z - log(self.width) - 0.5 * log(2 * pi))
        normaliser = lgamma((k + 1) / 2) - lgamma(k / 2) - 0.5 * log(k * pi) - log(self.width)
        return np.asarray(normaliser - 0.5 * (k + 1) * np.log1p(z * z / k))

    def density(self, at: Array | float) -> Array:
        return np.asarray(np.exp(self.log_density(at)))


@lru_cache(maxsize=512)
def quantile(freedom: float) -> float:
    """Where all but a fortieth of t lies below, to about four digits.

    With z = sinh u the density falls off exponentially on both sides, and the trapezoid rule is exact enough.
    """
    if isinf(freedom):
        return _GAUSSIAN_QUANTILE
    u = np.linspace(0.0, _REACH, _NODES)
    z = np.sinh(u)
    mass = Student(0.0, 1.0, freedom).density(z) * np.cosh(u) * (u[1] - u[0])
    below = 0.5 + mass.cumsum() - (mass[0] + mass) / 2
    return float(np.sinh(np.interp(0.975, below, u)))
