"""Dealings: what K folds say of models, on average over how the rows are dealt to the folds, and how much it varies.

A fold of a random dealing is a random part of the rows, as a hold-out is: both are off from the truth by as much on
average, but the mean over K folds varies less than one of them does.

References: Burman (1989), A comparative study of ordinary cross-validation, v-fold cross-validation and the repeated
learning-testing methods, Biometrika 76; Varma and Simon (2006), Bias in error estimation when using cross-validation
for model selection, BMC Bioinformatics 7.
"""

from typing import Protocol

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset, Expectation, Problem, once
from algorithms.toolbox.candidates import Candidates, ModelOrMemoriser, candidates
from algorithms.toolbox.folds import dealt
from algorithms.toolbox.least_squares import mean_square

_DEALT = 20  # times
_HELD_OUT = {"split": "hold out"}


class HoldOut(Protocol):
    """The last state of a hold-out.

    Attributes:
        errors: (v, 1) of each value on the rows held out.
        best: the value with the least.
    """

    @property
    def errors(self) -> Array: ...
    @property
    def best(self) -> int: ...


class Dealings(Struct, frozen=True, eq=False):
    """The mean errors of models over K folds, for several dealings of the rows.

    Attributes:
        errors: (m, v) CV of each value, a dealing a row.
    """

    errors: Array

    @property
    def mean(self) -> Array:
        """(v,) over the dealings."""
        return np.asarray(self.errors.mean(axis=0))

    @property
    def variance(self) -> Array:
        """(v,) over the dealings."""
        return np.asarray(self.errors.var(axis=0, ddof=1))

    @property
    def choice(self) -> int:
        """The value with the least mean."""
        return int(self.mean.argmin())


def dealings(data: Dataset, model: ModelOrMemoriser, tried: int, folds: int, least: float, most: float) -> Dealings:
    """Deal the rows of a data set to K folds again and again, and score every value; for `data.once`."""
    models, K = data.once(candidates, model, tried, least, most), min(folds, data.n)
    of = [dealt(data.n, "folds", K, seed) for seed in range(_DEALT)]
    each = [[np.mean([error(models, v, data, f, k) for k in range(K)]) for v in range(tried)] for f in of]
    return Dealings(np.array(each))


def error(models: Candidates, v: int, data: Dataset, fold_of: Array, fold: int) -> float:
    """The mean squared error of the v-th on a fold, fitted to all other rows."""
    F = fold_of == fold
    predicted = models.predict(v, models.fit(v, ~F), ~F, data.X[F])
    return mean_square(np.asarray(data.y)[F] - predicted)


@once
def dealt_often(problem: Problem) -> Dealings:
    """What K folds say of a problem with the parameters `model`, `tried`, `folds`, `least` and `most`."""
    p = problem.parameters
    return problem.data.once(dealings, p.model, p.tried, p.folds, p.least, p.most)


def least_mean(problem: Problem) -> float:
    """The mean of CV(v°), for the value v° that K folds choose on average."""
    return float(dealt_often(problem).mean.min())


def variance_of_mean(problem: Problem) -> float:
    """The variance of CV(v°) over the dealings."""
    often = dealt_often(problem)
    return float(often.variance[often.choice])


def error_of_choice(problem: Problem, state: HoldOut) -> float:
    """The error of a hold-out with v°."""
    return float(state.errors[dealt_often(problem).choice, 0])


def squared_difference(problem: Problem, state: HoldOut) -> float:
    """The square of its difference from the mean of CV(v°)."""
    return (error_of_choice(problem, state) - least_mean(problem)) ** 2


def least_error(problem: Problem, state: HoldOut) -> float:
    """The least error of a hold-out, that of the value it chooses."""
    return float(state.errors[state.best, 0])


HOLD_OUTS = (
    Expectation(
        "E[e(v°)] = E[CV(v°)]: on average a hold-out says what K folds say",
        error_of_choice,
        lambda problem, values: least_mean(problem),
        names=("mean e(v°) of a hold-out", "mean CV(v°) of 20 dealings"),
        source="Burman (1989)",
        fixed=_HELD_OUT,
        runs=400,
        proof=(
            "where K divides n, a fold of a random dealing and a hold-out are both n/K rows at random",
            "so E[e_k] = E[e] for each k, and CV is the mean of K of them",
        ),
    ),
    Expectation(
        "E[(e(v°) - E CV)²] >= Var CV(v°): one hold-out varies more than K folds",
        squared_difference,
        lambda problem, values: variance_of_mean(problem),
        names=("mean (e(v°) - mean CV)²", "variance of CV(v°) in 20 dealings"),
        source="Burman (1989)",
        fixed=_HELD_OUT,
        runs=400,
        proof=("Cov(e_j, e_k) <= Var(e), so Var(1/K Σ e_k) = 1/K² ΣΣ Cov(e_j, e_k) <= Var(e)",),
    ),
    Expectation(
        "E[e(v*)] <= E[CV(v°)]: the least error of a hold-out is too hopeful",
        least_error,
        lambda problem, values: least_mean(problem),
        names=("mean e(v*) of a hold-out", "mean CV(v°) of 20 dealings"),
        source="Varma and Simon (2006)",
        fixed=_HELD_OUT,
        runs=400,
        proof=("e(v*) = min e(v) <= e(v) for each v, so E[min e(v)] <= min E[e(v)] = min E[CV(v)]",),
    ),
)
