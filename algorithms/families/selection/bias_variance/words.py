"""What is said of the steps of bias and variance, with this step's numbers."""

from algorithms.core import Words
from algorithms.families.selection.bias_variance.fits import Fits
from algorithms.families.selection.shared.candidates import Growing
from algorithms.toolbox.least_squares import mean_square


def start(now: Fits) -> str:
    of, models = now.of.truth, now.of.models
    known = "The data was made with a known f" if of.known else f"A polynomial of degree {now.of.degree} stands for f"
    tried = f"{len(models.values)} values are tried, from {models.named(0)} to {models.named(len(models.values) - 1)}"
    return f"{known}, and noise of deviation σ = {of.sigma:.4g}. {tried}, on {now.of.samples} samples each."


def fit(now: Fits) -> str:
    v, s, value = now.choice, now.sample, now.name
    errors = f"its error is {now.training[v, s]:.4g} on the sample and {now.fresh[v, s]:.4g} on fresh targets"
    fitted = f"Sample {s + 1} of {now.of.samples}: with {value} {errors}."
    if not s:
        return f"{fitted} One fit says nothing of how fits scatter."
    bias = mean_square((now.mean - now.of.truth.f)[now.rows])
    parts = f"bias² {bias:.4g} and variance {now.variance[now.rows].mean():.4g}"
    return Words.of(fitted, f"The {s + 1} fits so far have {parts}.")


def compare(now: Fits) -> str:
    v, models, parts = now.choice, now.of.models, now.parts
    least = "the least so far" if now.best == v else f"not below {parts.error[now.best]:.4g}"
    added = f"bias² {parts.bias[v]:.4g} + variance {parts.variance[v]:.4g} = {parts.error[v]:.4g}, {least}"
    fresh, training = parts.fresh[v].mean(), parts.training.mean(axis=1)
    measured = f"With σ² that is {parts.error[v] + parts.noise:.4g}; fresh: {fresh:.4g} ± {parts.deviation[v]:.3g}"
    errors = f"{models.named(v)} has {added}. {measured}, training: {training[v]:.4g}."
    if v + 1 < len(models.values):
        return f"The fit with {errors}"
    trained = int(training.argmin())
    chosen = f"Training error chooses {models.named(trained)}"
    if trained == now.best:
        return Words.of("", f"{chosen}, as bias² + variance does.", f"The fit with {errors}")
    verdict = f"{chosen}, bias² + variance {models.named(now.best)}{misled(now, trained)}."
    return Words.of("", verdict, f"The fit with {errors}")


def misled(now: Fits, trained: int) -> str:
    """What it is called to fit with the value that training error chooses, where that is not the best."""
    later = trained > now.best
    if isinstance(now.of.models, Growing):  # fewer rows are over-fitted more; that more are chosen is chance
        return "" if later else ": over-fitting"
    return ": over-fitting" if later else ": under-fitting"  # values come from the stiffest on
