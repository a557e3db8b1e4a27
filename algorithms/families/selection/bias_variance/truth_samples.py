"""Samples from a known truth: targets drawn anew at the same places, y = f(x) + σ ε with ε ~ N(0, 1).

Of made data f and σ are those it was made with. Of other data a polynomial stands for f, fitted to the rows, and the
deviation of its residuals for σ: samples of it are those of a parametric bootstrap.

References: Efron and Tibshirani (1993), An introduction to the bootstrap, section 6.5.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.families.selection.shared.candidates import candidates
from algorithms.toolbox.panels.functions import Function
from algorithms.toolbox.truths import true_function


class Truth(Struct, frozen=True, eq=False):
    """What samples are drawn from.

    Attributes:
        f: (n,) at the rows.
        sigma: deviation of the noise; NaN where too few rows are left to say.
        function: f at any places.
        known: whether the data was made so; else a polynomial stands for it.
    """

    f: Array
    sigma: float
    function: Function
    known: bool


class Samples(Struct, frozen=True, eq=False):
    """Targets (S, n) to fit, and as many fresh ones (S, n) of the same rows, to measure on."""

    targets: Array
    fresh: Array


def truth_of(data: Dataset, degree: int) -> Truth:
    """Find the truth of made data, or fit the polynomial that stands for it; ask by `data.once(truth_of, degree)`."""
    f = true_function(data)
    if f is not None and "noise" in data.truth:
        return Truth(f(data.X), float(data.truth["noise"]), f, True)
    models, every, y = candidates(data, "polynomial", degree + 1), np.ones(data.n, bool), np.asarray(data.y, float)
    w = models.fit(degree, every)

    def polynomial(at: Array) -> Array:
        return models.predict(degree, w, every, at)

    f_rows = polynomial(data.X)
    left = data.n - models.hat(degree)[0].sum()
    residuals = y - f_rows
    sigma = float(np.sqrt(residuals @ residuals / left)) if left >= 1 else np.nan
    return Truth(f_rows, sigma, polynomial, False)


def samples_of(data: Dataset, degree: int, samples: int, seed: int) -> Samples:
    """Draw them, each from the seed and its own number; ask by `data.once(samples_of, ...)`."""
    truth = data.once(truth_of, degree)
    noise = np.stack([np.random.default_rng((seed, 0, s)).standard_normal((2, data.n)) for s in range(samples)])
    drawn = truth.f + truth.sigma * noise
    return Samples(drawn[:, 0], drawn[:, 1])
