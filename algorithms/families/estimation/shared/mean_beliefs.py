"""What is believed of the mean μ of a Gaussian, and of its variance σ² where that is not known: the conjugate forms.

    σ known:     μ ~ N(m, σ²/κ)
    σ unknown:   σ² ~ InverseGamma(ν/2, νσ²/2) with a guess σ² that counts as ν rows, and μ ~ N(m, σ²/κ) given σ²

References: Raiffa and Schlaifer (1961), Applied Statistical Decision Theory, chapter 11.
"""

from math import inf, isinf, lgamma, log, pi, sqrt
from typing import NamedTuple

import numpy as np

from algorithms.core import Array
from algorithms.families.estimation.shared.student import Student

_LOOKED_AT = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])  # deviations away, where Bayes' rule is worked out anew
_NEIGHBOURS = np.array([-1.0, -1e-3, 1e-3, 1.0])  # standard errors away from the likeliest
PLACES_LEARNT = (
    *("2 deviations below the old m", "1 deviation below the old m", "the old m"),
    *("1 deviation above the old m", "2 deviations above the old m"),
)
PLACES_BESIDE = (
    *("μ - 1 standard error", "μ - 0.001 standard errors", "μ + 0.001 standard errors", "μ + 1 standard error"),
    *("σ² × e^(-1/√n)", "σ² × e^(-0.001/√n)", "σ² × e^(0.001/√n)", "σ² × e^(1/√n)"),
)


class MeanBelief(NamedTuple):
    """A belief about μ, and about σ².

    Attributes:
        mean: m.
        weight: κ, the rows that m counts for.
        square: σ², or the guess of it.
        freedom: ν, the rows that the guess counts for; infinitely many where σ is known.
    """

    mean: float
    weight: float
    square: float
    freedom: float = inf

    @property
    def known(self) -> bool:
        """Whether σ is."""
        return isinf(self.freedom)

    @property
    def of_mean(self) -> Student:
        """What is believed of μ alone."""
        return Student(self.mean, sqrt(self.square / self.weight), self.freedom)

    @property
    def of_next(self) -> Student:
        """What is expected of the next row."""
        return Student(self.mean, sqrt(self.square * (1 + 1 / self.weight)), self.freedom)

    @property
    def likeliest_square(self) -> float:
        """σ², or where the density of μ and σ² together is greatest: b/(a + 3/2)."""
        return self.square if self.known else self.freedom * self.square / (self.freedom + 3)

    def log_density(self, mu: Array | float, square: Array | float) -> Array:
        """ln of the density at places of μ, and of σ² with it where that is not known."""
        away = self.weight * (np.asarray(mu) - self.mean) ** 2 / square
        of_mu = -0.5 * (np.log(2 * pi * np.asarray(square) / self.weight) + away)
        if self.known:
            return np.asarray(of_mu)
        a, b = self.freedom / 2, self.freedom * self.square / 2
        return np.asarray(of_mu + a * log(b) - lgamma(a) - (a + 1) * np.log(square) - b / np.asarray(square))


def scaled_likelihood(n: int, average: float, scatter: float, square: float | None) -> Student:
    """The likelihood of n rows over μ, scaled to area one: at the likeliest σ for each μ, where `square` is None."""
    if square is not None:
        return Student(average, sqrt(square / n))
    return Student(average, sqrt(scatter / n / (n - 1)), n - 1.0)


def log_likelihood(x: Array, mu: Array, square: Array) -> Array:
    """(k,) Σ ln N(x_i; μ, σ²) of (n,) rows at (k,) places of both."""
    squares = ((x[:, None] - mu) ** 2).sum(axis=0)
    return np.asarray(-0.5 * (len(x) * np.log(2 * pi * square) + squares / square))


def learnt_from(row: float, was: MeanBelief, now: MeanBelief) -> tuple[Array, Array, Array]:
    """Work Bayes' rule out at (5,) places: ln p' as it is, and ln of p times the row's likelihood over its chance.

    They are those of `PLACES_LEARNT`.

    Returns:
        both, and the largest numbers that were added on the way.
    """
    square = now.likeliest_square * (np.ones(5) if now.known else np.exp(_LOOKED_AT / 2))
    mu = was.mean + np.sqrt(square / was.weight) * _LOOKED_AT
    of_row = -0.5 * (np.log(2 * pi * square) + (row - mu) ** 2 / square)
    learnt = was.log_density(mu, square) + of_row - was.of_next.log_density(row)
    here = now.log_density(mu, square)
    # squares of differences between larger numbers, and logarithms that cancel
    away = np.abs(row - mu) + now.weight * np.abs(mu - now.mean) + abs(row - was.mean)
    far = np.abs(mu) + abs(row) + abs(now.mean) + abs(was.mean) + away
    size = far * away / square + np.abs(here) + np.abs(learnt) + np.abs(np.log(square))
    if not now.known:
        size = size + (now.freedom + abs(lgamma(now.freedom))) * (1 + np.abs(np.log(square)))
    return here, learnt, size


def beside_likeliest(x: Array, average: float, scatter: float, square: float | None) -> tuple[Array, float, Array]:
    """Work the log-likelihood of (n,) rows out at the estimates, and beside them on both sides of each.

    Args:
        average, scatter: the estimate of μ, and n times that of σ².
        square: σ² where it is known and only μ is estimated.

    Returns:
        (k,) values at the first k of `PLACES_BESIDE`, that at the estimates, and the largest numbers that were added on
        the way.
    """
    n, likeliest = len(x), scatter / len(x) if square is None else square
    mu, squares = average + sqrt(likeliest / n) * _NEIGHBOURS, np.full(4, likeliest)
    if square is None:
        mu = np.concatenate([mu, np.full(4, average)])
        squares = np.concatenate([squares, likeliest * np.exp(_NEIGHBOURS / sqrt(n))])
    best = float(log_likelihood(x, np.array([average]), np.array([likeliest]))[0])
    near = log_likelihood(x, mu, squares)
    far = float((np.abs(x - average) * np.abs(x)).sum()) / likeliest  # differences of larger numbers, squared
    return near, best, n + far + np.abs(near) + n * abs(log(likeliest))


def log_evidence(prior: MeanBelief, x: Array) -> tuple[float, float]:
    """Work ln p(x) out for (n,) rows at once, of which none is the first, by Q = S + κ₀ n/κ (mean - μ₀)².

    Returns:
        it, and the largest number that is added on the way, here or row by row.
    """
    n, first = len(x), prior.weight
    last = first + n
    mean = float(x.mean()) if n else 0.0
    Q = float(((x - mean) ** 2).sum()) + first * n / last * (mean - prior.mean) ** 2
    together = 0.5 * (log(first) - log(last)) - 0.5 * n * log(2 * pi)
    square, freedom = prior.square, prior.freedom
    if prior.known:
        parts = [0.5 * n * log(square), 0.5 * Q / square]
        together -= sum(parts)
    else:
        was, now = freedom * square / 2, (freedom * square + Q) / 2
        gammas, square = lgamma((freedom + n) / 2) - lgamma(freedom / 2), 2 * now / (freedom + n)
        parts = [0.5 * freedom * log(was), 0.5 * (freedom + n) * log(now), gammas]
        together += parts[0] - parts[1] + gammas
    far = float(np.abs(x).max(initial=0.0)) + abs(prior.mean)
    size = (
        sum(map(abs, parts))
        + n * (5 + far / sqrt(square) + abs(log(square)))
        + sqrt(Q * n / square) * far / sqrt(square)
    )
    return together, size + abs(log(first)) + abs(log(last))
