"""The state of kernel regression, and what is measured of it: the system it solves, and how far it is from α*."""

from typing import Annotated, Any

import numpy as np

from algorithms.core import Along, Array, Problem, State, kept
from algorithms.families.kernels.kernel_regression.conjugate_gradients import DirectionStep, Iterate, chebyshev
from algorithms.families.kernels.shared.gram_systems import GramSystem, Spectral, gram_system, spectral
from algorithms.toolbox.kernels import kernel_in_use


class KernelRegressionState(State, frozen=True, kw_only=True):
    alpha: Annotated[Array, Along("n")]  # (n,) the multipliers α
    residual: Annotated[Array, Along("n")]  # (n,) r = b - Aα, kept step by step
    direction: Annotated[Array, Along("n")]  # (n,) d, along which the next step goes
    first: Annotated[Array, Along("n")]  # (n,) the residual where the directions began, r_0
    longest: float = 0.0  # the greatest ‖α‖ since then: r has the rounding of its products
    eaten: float = 0.0  # the greatest |cos(r, r_0)| of the residuals stepped from: 0 but for rounding


def asked(problem: Problem) -> tuple[Any, float, bool]:
    """Kernel, λ and whether f is measured from the mean: what the system hangs on besides the rows."""
    return kernel_in_use(problem), problem.parameters.penalty, problem.parameters.centred


def system_of(problem: Problem) -> GramSystem:
    return problem.data.once(gram_system, *asked(problem))


def spectral_of(problem: Problem) -> Spectral:
    """A along its eigenvectors, with α*."""
    return problem.data.once(spectral, *asked(problem))


@kept
def distance(problem: Problem, state: KernelRegressionState) -> float:
    """‖e‖_A."""
    return float(np.sqrt(spectral_of(problem).parts(state.alpha).sum()))


def rate(problem: Problem, state: KernelRegressionState) -> float:
    return chebyshev(spectral_of(problem), state.iteration)


def residual_length(problem: Problem, state: KernelRegressionState) -> float:
    return float(np.linalg.norm(state.residual))


def iterate(state: KernelRegressionState) -> Iterate:
    began, longest = float(np.linalg.norm(state.first)), max(state.longest, float(np.linalg.norm(state.alpha)))
    return Iterate(state.alpha, state.residual, state.direction, began, longest)


def step_of(problem: Problem, before: KernelRegressionState, after: KernelRegressionState) -> DirectionStep:
    return DirectionStep(spectral_of(problem), iterate(before), iterate(after))
