"""What is said of the steps of ridge regression, with this step's numbers."""

import numpy as np

from algorithms.families.regression.ridge.fit import RidgeFit, in_words
from algorithms.toolbox.shrinkage import residuals_left_out


def start(fit: RidgeFit) -> str:
    off = f"left out, rows are off by {fit.least:.4g} in mean square"
    return f"λ = ∞ leaves w = 0: every row is given the mean, {fit.b:.4g}; {off}. Now λ falls."


def next_penalty(fit: RidgeFit) -> str:
    lam, of, error = fit.lam, fit.rows.of, fit.left_out_error
    kept_of = f"{fit.freedom:.3g} of {len(of.S)} degree{'s' * (len(of.S) != 1)} of freedom"
    if not len(of.S):
        kept_of = "nothing, for no feature varies"
    made = f"λ = {lam:.4g} keeps {kept_of}: ‖w‖ = {fit.norm:.4g}, RSS = {fit.rss:.4g}."
    if np.isnan(error):
        return f"{made} One row alone decides a direction, and left out it cannot be predicted."
    row = int(np.abs(residuals_left_out(of, lam)[0]).argmax())
    best = f"not below the {fit.least:.4g} of λ = {in_words(fit.best)}"
    among = "the least so far" if fit.best == lam else best
    return f"{made} Left out, rows are off by {error:.4g} in mean square, {among}; row {row} is farthest off."


def limit(fit: RidgeFit) -> str:
    lost = fit.rows.data.d - len(fit.rows.of.S)
    which = "the least-squares fit" if not lost else "of the many least-squares fits the shortest"
    return f"λ = 0: w is {which}, ‖w‖ = {fit.norm:.4g} and RSS = {fit.rss:.4g}."


def choose(fit: RidgeFit) -> str:
    ratio = fit.norm / (float(np.linalg.norm(fit.rows.shortest)) or 1.0)
    error = fit.rows.error_left_out(0.0)
    at_zero = f"rows left out are off by {error:.4g} in mean square"
    if np.isinf(error):
        at_zero = "a row left out cannot be predicted, for one alone decides a direction"
    return (
        f"Back to λ* = {in_words(fit.best)}: w is {ratio:.1%} as long as the shortest least-squares fit. "
        f"At λ = 0 {at_zero}."
    )
