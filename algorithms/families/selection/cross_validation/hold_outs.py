"""Hold-outs: what one fold says of models, on average over how the rows are dealt, beside the mean over K folds.

A fold of a random dealing is a hold-out: n/K rows, any as likely as any. With e_k(v) the error on fold k, CV(v) their
mean over the K folds, and v* chosen by CV, in which the folds count alike,

    E e_0(v*) = E CV(v*),    Var e_0(v*) = Var CV(v*) + E (e_0 - CV)²,    E min e_0(v) <= E min CV(v).

References: Burman (1989), A comparative study of ordinary cross-validation, v-fold cross-validation and the repeated
learning-testing methods, Biometrika 76; Varma and Simon (2006), Bias in error estimation when using cross-validation
for model selection, BMC Bioinformatics 7.
"""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from algorithms.core import Array, Expectation, Problem
from algorithms.core.expectation import MEASURED

_DEALT = {"split": "folds"}
LEAST = "least mean error"  # the curve of CV(v*)


class Dealt(Protocol):
    """The last state of a run over K folds.

    Attributes:
        errors: (v, K) of each value on each fold.
        best: v*, the value with the least mean.
    """

    @property
    def errors(self) -> Array: ...
    @property
    def best(self) -> int: ...


def error_of_choice(problem: Problem, state: Dealt) -> float:
    """e_0(v*)."""
    return float(state.errors[state.best, 0])


def squared_error(problem: Problem, state: Dealt) -> float:
    """e_0(v*)²."""
    return float(state.errors[state.best, 0]) ** 2


def least_error(problem: Problem, state: Dealt) -> float:
    """The least e_0(v), that of the value that the hold-out would choose."""
    return float(state.errors[:, 0].min())


def mean_over_folds(problem: Problem, values: Mapping[str, Array]) -> float:
    """The mean of CV(v*) over the dealings so far."""
    return float(values[LEAST].mean())


def two_squares(problem: Problem, values: Mapping[str, Array]) -> float:
    """The mean of CV(v*)² + (e_0(v*) - CV(v*))² over the dealings so far."""
    folds, hold_out = values[LEAST], np.sqrt(values[MEASURED])
    return float((folds**2 + (hold_out - folds) ** 2).mean())


HOLD_OUTS = (
    Expectation(
        "E[e_0(v*)] = E[CV(v*)]: on average a hold-out says what K folds say",
        error_of_choice,
        mean_over_folds,
        names=("mean e_0(v*) of a hold-out", "mean CV(v*) of K folds"),
        source="Burman (1989)",
        fixed=_DEALT,
        runs=200,
        proof=(
            "where K divides n, the folds are alike: v* does not change when they change places",
            "so E[e_k(v*)] is the same for each k, and CV is the mean of K of them",
        ),
    ),
    Expectation(
        "E[e_0²] = E[CV²] + E[(e_0 - CV)²]: a hold-out varies more than K folds",
        squared_error,
        two_squares,
        names=("mean e_0² of a hold-out", "mean CV² + (e_0 - CV)² of K folds and it"),
        source="Burman (1989)",
        fixed=_DEALT,
        runs=200,
        proof=(
            "Cov(e_k, CV) is the same for each k, and their mean is Var CV",
            "so Cov(e_0 - CV, CV) = 0, and Var e_0 = Var CV + Var(e_0 - CV), where E[e_0 - CV] = 0",
            "add (E e_0)² = (E CV)² to both sides",
        ),
    ),
    Expectation(
        "E[min e_0(v)] <= E[min CV(v)]: the least error of a hold-out is too hopeful",
        least_error,
        mean_over_folds,
        names=("mean of min e_0(v) of a hold-out", "mean of min CV(v) of K folds"),
        source="Varma and Simon (2006)",
        fixed=_DEALT,
        runs=200,
        proof=(
            "min e_k <= e_k(v) for each v and k: 1/K Σ min e_k <= min CV, each dealing",
            "and E[min e_k] is the same for each k",
        ),
    ),
)
