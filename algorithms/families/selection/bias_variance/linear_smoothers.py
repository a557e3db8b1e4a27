"""Linear smoothers: fits ŷ = Hy with H of the rows alone, of which bias, variance and rounding are known beforehand.

    bias² = ‖f - E g‖²/n = ‖f - Hf‖²/n,   variance = E ‖g - E g‖²/n = σ² Σ H_ij²/n

With the mean of S fits in place of E g they come to this as S → ∞: of few, σ² Σ H_ij²/(nS) of the variance is expected
to be counted as bias². The sum is expected to be the same for every S.

References: Hastie, Tibshirani and Friedman (2009), The elements of statistical learning, section 7.6.
"""

import numpy as np

from algorithms.core import Array
from algorithms.families.selection.shared.candidates import Candidates, Growing, Linear, rows_fitted
from algorithms.toolbox.least_squares import mean_square


def traces(models: Candidates) -> Array:
    """(v, 2) Σ H_ii and Σ H_ij² of each, fitted to all rows."""
    hats = [models.hat(i) for i in range(len(models.values))]
    return np.array([(leverages.sum(), squares) for leverages, squares in hats])


def expected_parts(models: Candidates, X: Array, f: Array, sigma: float) -> Array:
    """(v, 2) bias² and variance over all samples, S → ∞, of (n,) f with noise of deviation σ."""
    given, fitted = models.given(f), [rows_fitted(models, i, len(X)) for i in range(len(models.values))]
    fits = [given.predict(i, given.fit(i, rows), rows, X) for i, rows in enumerate(fitted)]
    biases = np.array([mean_square((f - fit)[rows]) for fit, rows in zip(fits, fitted)])
    return np.column_stack([biases, sigma**2 * traces(models)[:, 1] / [rows.sum() for rows in fitted]])


def expected_errors(models: Candidates, parts: Array, sigma: float, n: int) -> Array:
    """(v, 2) what the training error and that on fresh targets of the same rows are on average over samples.

    Args:
        parts: (v, 2) bias² and variance over all samples.
    """
    rows = np.array([rows_fitted(models, i, n).sum() for i in range(len(models.values))])
    both = parts.sum(axis=1) + sigma**2
    return np.column_stack([both - 2 * sigma**2 * traces(models)[:, 0] / rows, both])


def rounding(models: Candidates, i: int) -> tuple[float, bool]:
    """How much of rounding may come through in the i-th fit to all rows, and whether anything is certain then."""
    if isinstance(models, Growing):
        fit = models.linear.spectrum(0, models.rows(i))
        return fit.magnifies(0.0), fit.certain(0.0)
    if not isinstance(models, Linear):
        return 1.0, True
    fit = models.spectrum(i, np.ones(len(models.y), bool))
    return fit.magnifies(models.penalties[i]), fit.certain(models.penalties[i])
