"""Fits to many samples of one truth: what they are fitted to, and what is measured of them."""

from functools import cached_property

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset, Problem, once
from algorithms.families.selection.bias_variance.bias_variance_pictures import Parts
from algorithms.families.selection.bias_variance.linear_smoothers import (
    expected_errors,
    expected_parts,
    rounding,
    traces,
)
from algorithms.families.selection.bias_variance.truth_samples import Samples, Truth, samples_of, truth_of
from algorithms.families.selection.shared.candidates import Candidates, Growing, Linear, rows_fitted
from algorithms.families.selection.shared.value_in_hand import models_of


class Study:
    """The models, the truth and the samples of it.

    Attributes:
        data: the rows, whose targets are drawn anew.
        every: (n,) True: all of them are fitted.
        degree: of the polynomial that stands for an unknown truth.
    """

    def __init__(self, data: Dataset, models: Candidates, truth: Truth, drawn: Samples, degree: int):
        self.data, self.models, self.truth, self.drawn, self.degree = data, models, truth, drawn, degree
        self.every = np.ones(data.n, bool)

    @property
    def samples(self) -> int:
        return len(self.drawn.targets)

    @cached_property
    def traces(self) -> Array:
        """(v, 2) Σ H_ii and Σ H_ij² of each model."""
        return traces(self.models)

    @cached_property
    def expected(self) -> Array:
        """(v, 2) bias² and variance over all samples, S → ∞; their sum is expected of any S."""
        return expected_parts(self.models, self.data.X, self.truth.f, self.truth.sigma)

    @property
    def hidden(self) -> float:
        """2 σ² Σ H_ii/n of the last value: what its training error hides on average."""
        return float(2 * self.truth.sigma**2 * self.traces[-1, 0] / self.data.n)

    @cached_property
    def expected_errors(self) -> Array:
        """(v, 2) what the training and the fresh error are on average over samples."""
        return expected_errors(self.models, self.expected, self.truth.sigma, self.data.n)

    @cached_property
    def roundings(self) -> tuple[tuple[float, bool], ...]:
        """How much of rounding may come through with each value, and whether anything is certain then."""
        return tuple(rounding(self.models, v) for v in range(len(self.models.values)))

    @cached_property
    def size(self) -> float:
        """The largest number there is in the samples and in the truth."""
        return float(max(np.abs(self.drawn.targets).max(), np.abs(self.truth.f).max()))


@once
def study_of(problem: Problem) -> Study:
    """What a problem is about."""
    data, p = problem.data, problem.parameters
    drawn = data.once(samples_of, p.degree, p.samples, p.seed)
    return Study(data, models_of(problem), data.once(truth_of, p.degree), drawn, p.degree)


class Fits(Struct, frozen=True, eq=False, dict=True):
    """The fits of the value in hand, and the errors of all values, as the state has them.

    Attributes:
        of: what they are fitted to.
    """

    of: Study
    w: Array
    fit: Array
    mean: Array
    variance: Array
    error: Array
    training: Array
    fresh: Array
    biases: Array
    variances: Array
    choice: int
    sample: int
    best: int

    @property
    def name(self) -> str:
        """The value in hand by its name: "degree 3"."""
        return self.of.models.named(self.choice)

    @property
    def rows(self) -> Array:
        """(n,) bool, those that are fitted, and whose errors are measured."""
        return rows_fitted(self.of.models, self.choice, self.of.data.n)

    @property
    def y(self) -> Array:
        """(n,) targets of the sample fitted last."""
        return np.asarray(self.of.drawn.targets[self.sample])

    @property
    def size(self) -> float:
        """The largest number that is added on the way to a fit."""
        return self.of.roundings[self.choice][0] * self.of.size

    @property
    def sum_of_parts(self) -> float:
        """bias² + variance of the value in hand."""
        return float(self.biases[self.choice] + self.variances[self.choice])

    @property
    def parts(self) -> Parts:
        """What the errors of all values are made of."""
        models = self.of.models
        measured = (self.biases, self.variances, self.of.expected.sum(axis=1), self.training, self.fresh)
        return Parts(models.letter, models.values, *measured, self.of.truth.sigma**2)

    @cached_property
    def by_heart(self) -> Array:
        """(n,) bool, whether H_ii = 1, where nothing is rounded in it: of models that look targets up."""
        models = self.of.models
        if isinstance(models, Linear | Growing):
            return np.zeros(self.of.data.n, bool)
        return np.asarray(models.hat(self.choice)[0] == 1)

    def at(self, places: Array) -> Array:
        """(m, s) all fits so far of the value in hand, at (m, d) places."""
        s = self.sample + 1
        models = self.of.models.given(self.of.drawn.targets[:s].T)
        return models.predict(self.choice, self.w[:, :s], self.of.every, places)
