"""What is expected of fits to samples, on average over many sets of them."""

from typing import Protocol

from algorithms.core import Array, Expectation, Problem
from algorithms.families.selection.bias_variance.fits import study_of


class Measured(Protocol):
    """The errors of all values, as the last state has them."""

    @property
    def training(self) -> Array: ...
    @property
    def fresh(self) -> Array: ...
    @property
    def biases(self) -> Array: ...
    @property
    def variances(self) -> Array: ...


def fresh_beyond_parts(problem: Problem, state: Measured) -> float:
    return float(state.fresh[-1].mean() - state.biases[-1] - state.variances[-1])


def parts_at_last(problem: Problem, state: Measured) -> float:
    return float(state.biases[-1] + state.variances[-1])


def hidden(problem: Problem, state: Measured) -> float:
    """How much less the training error is than the fresh one."""
    return float(state.fresh[-1].mean() - state.training[-1].mean())


def training_at_last(problem: Problem, state: Measured) -> float:
    return float(state.training[-1].mean())


_OF_LAST = "of the last value"
EXPECTATIONS = (
    Expectation(
        f"E (fresh error - bias² - variance) = σ², {_OF_LAST}",
        fresh_beyond_parts,
        lambda problem, values: study_of(problem).truth.sigma ** 2,
        names=("fresh error - bias² - variance", "σ²"),
        source="Hastie, Tibshirani and Friedman (2009), section 7.3",
        fixed={"samples": 5},
        runs=200,
        proof=("a fresh target is f + σ ε with ε independent of the fit, of mean 0 and variance 1",),
    ),
    Expectation(
        f"E (bias² + variance) = |f - Hf|²/n + σ² Σ H_ij²/n, {_OF_LAST}",
        parts_at_last,
        lambda problem, values: float(study_of(problem).expected[-1].sum()),
        names=("bias² + variance", "|f - Hf|²/n + σ² Σ H_ij²/n"),
        source="Mallows (1973)",
        fixed={"samples": 5},
        runs=200,
        proof=("g_s - f = (Hf - f) + σ H ε_s, and E |H ε|² = Σ H_ij²",),
    ),
    Expectation(
        f"E (fresh error - training error) = 2 σ² Σ H_ii/n, {_OF_LAST}",
        hidden,
        lambda problem, values: study_of(problem).hidden,
        names=("fresh error - training error", "2 σ² Σ H_ii/n"),
        source="Efron (1986)",
        fixed={"samples": 5},
        runs=200,
        proof=(
            "|y - g|² = |f - g|² + 2σ ε·(f - g) + σ²|ε|², and E ε·(f - g) = -σ E ε·Hε = -σ Σ H_ii",
            "with fresh ε, independent of g, the middle term has the mean 0",
        ),
    ),
    Expectation(
        f"E training error = |f - Hf|²/n + σ²(1 - (2 Σ H_ii - Σ H_ij²)/n), {_OF_LAST}",
        training_at_last,
        lambda problem, values: float(study_of(problem).expected_errors[-1, 0]),
        names=("training error", "|f - Hf|²/n + σ²(1 - (2 Σ H_ii - Σ H_ij²)/n)"),
        source="Mallows (1973)",
        fixed={"samples": 5},
        runs=200,
        proof=(
            "y_s - g_s = (I - H)(f + σ ε), and E |(I - H) ε|² = n - 2 Σ H_ii + Σ H_ij²",
            "of d independent columns both sums are d, and where f is among them it is σ²(1 - d/n)",
        ),
    ),
)
