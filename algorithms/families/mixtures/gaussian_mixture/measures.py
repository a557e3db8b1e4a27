"""The state of EM on a Gaussian mixture, and what is measured of it: log L, its lower bound, the floor."""

from typing import Annotated

import numpy as np

from algorithms.core import Along, Array, Dataset, Problem, State, kept, kept_by, once
from algorithms.toolbox.covariances import least_variances, narrowest
from algorithms.toolbox.mixtures import greatest_shares, jensen_bound, log_joint, mean_log_sum


class GaussianMixtureState(State, frozen=True, kw_only=True):
    weights: Array  # (k,) π, which sum to one
    means: Array  # (k, d) μ
    covariances: Array  # Σ: full or tied (k, d, d), diagonal (k, d), spherical or fixed (k,)
    responsibilities: Annotated[Array, Along("n", "k")]  # r of the last E step; before it the weights in each row
    log_likelihood: float = -np.inf  # log L/n as of the last E step
    gain: float = np.inf  # by how much it exceeded the one before
    narrow: Array  # (k,) in how many directions the last M step held each component at the floor


def floors(data: Dataset, floor: float) -> Array:
    """(d,) the least variance that a component may have along each feature."""
    return least_variances(data.X, floor)


@kept_by("weights", "means", "covariances")
def joint(problem: Problem, state: GaussianMixtureState) -> Array:
    """(k, n) log π_j N(x_i; μ_j, Σ_j) at a state's parameters, which an E step leaves as they are."""
    return log_joint(problem.data.X, state.weights, state.means, state.covariances)


@kept_by("weights", "means", "covariances")
def log_likelihood(problem: Problem, state: GaussianMixtureState) -> float:
    """log L/n at a state's parameters."""
    return mean_log_sum(joint(problem, state))


@kept
def bound(problem: Problem, state: GaussianMixtureState) -> float:
    """F at a state's parameters, with the shares that it holds."""
    return jensen_bound(joint(problem, state), state.responsibilities)


def gap(problem: Problem, state: GaussianMixtureState) -> float:
    """log L/n - F, the mean relative entropy of the shares to the responsibilities; 0 where rounding is all of it."""
    apart = log_likelihood(problem, state) - bound(problem, state)
    return max(apart, 0.0)


@once
def rounding(problem: Problem) -> float:
    """What rounding may cost a row's log density, of Gaussians as narrow as the floor lets them be.

    A mean that is rounded to ε away from the best one costs ½ (ε/σ)², and the log density itself some digits.
    """
    X = problem.data.X
    steps = np.where((X[0] != X).any(axis=0), np.spacing(np.abs(X).max(axis=0)), 0.0)
    return 1e-9 + float((steps**2 / least(problem)).sum())


def above_floor(state: GaussianMixtureState, least: Array) -> bool:
    """Whether no component is narrower than the floor; after a fork that raised it, some may be until the M step."""
    return narrowest(state.covariances, least) > 1.0 - 1e-6


def at_floor(state: GaussianMixtureState, least: Array) -> bool:
    """Whether no component is below the floor, nor held where it was before a fork lowered it."""
    held = bool(state.narrow.any())
    return above_floor(state, least) and not (held and narrowest(state.covariances, least) > 1.0 + 1e-6)


def least(problem: Problem) -> Array:
    return problem.data.once(floors, problem.parameters.floor)


@once
def middle(problem: Problem) -> Array:
    """(d,) the mean row, by differences from a row: far from the origin their mean has more digits."""
    X = problem.data.X
    return np.asarray(X[0] + (X - X[0]).mean(axis=0))


def undecided_row(state: GaussianMixtureState) -> int | None:
    """After an E step, the row whose likeliest component has the smallest share."""
    if state.phase != "expect" or len(state.means) == 1:
        return None
    return int(greatest_shares(state.responsibilities).argmin())


def moved_most(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> int | None:
    """After an M step, the component whose mean moved farthest, each feature in its own deviation."""
    if before is None or after.phase != "maximise":
        return None
    steps = (after.means - before.means) / np.sqrt(problem.data.once(floors, 1.0))
    return int(np.linalg.norm(steps, axis=1).argmax())
