"""Linear smoothers: fits ŷ = Hy with H of the rows alone, of which bias, variance and rounding are known beforehand.

    E bias² = ‖f - Hf‖²/n,   E variance = σ² Σ H_ij²/n

References: Hastie, Tibshirani and Friedman (2009), The elements of statistical learning, section 7.6.
"""

import numpy as np

from algorithms.core import Array
from algorithms.toolbox.candidates import Candidates, Linear
from algorithms.toolbox.least_squares import mean_square


def traces(models: Candidates) -> Array:
    """(v, 2) Σ H_ii and Σ H_ij² of each, fitted to all rows."""
    hats = [models.hat(i) for i in range(len(models.values))]
    return np.array([(leverages.sum(), squares) for leverages, squares in hats])


def expected_parts(models: Candidates, X: Array, f: Array, sigma: float) -> Array:
    """(v, 2) what bias² and variance are on average over samples of (n,) f with noise of deviation σ."""
    every, given = np.ones(len(X), bool), models.given(f)
    fits = [given.predict(i, given.fit(i, every), every, X) for i in range(len(models.values))]
    biases = np.array([mean_square(f - fit) for fit in fits])
    return np.column_stack([biases, sigma**2 * traces(models)[:, 1] / len(X)])


def rounding(models: Candidates, i: int) -> tuple[float, bool]:
    """How much of rounding may come through in the i-th fit to all rows, and whether anything is certain then."""
    if not isinstance(models, Linear):
        return 1.0, True
    fit = models.spectrum(i, np.ones(len(models.y), bool))
    return fit.magnifies(models.penalties[i]), fit.certain(models.penalties[i])
