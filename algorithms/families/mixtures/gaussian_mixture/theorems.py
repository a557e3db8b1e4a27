"""What EM on a Gaussian mixture keeps at every step: both sides, the hypotheses and the proof."""

import numpy as np

from algorithms.core import Answer, DoesNotApply, Problem, Sides, theorem
from algorithms.families.mixtures.gaussian_mixture.measures import (
    GaussianMixtureState,
    above_floor,
    bound,
    least,
    log_likelihood,
    middle,
    rounding,
)
from algorithms.toolbox.distances import squared_distances
from algorithms.toolbox.mixtures import second_moments


def floor_kept(problem: Problem, before: GaussianMixtureState) -> DoesNotApply | None:
    """The M step is sure to do no worse than covariances it could choose, but not than narrower ones."""
    return None if above_floor(before, least(problem)) else DoesNotApply("the covariances before were below the floor")


def nothing_clipped(problem: Problem, state: GaussianMixtureState) -> bool | str:
    return not state.narrow.any() or "a component was held at the floor"


def free(problem: Problem, state: GaussianMixtureState) -> bool | str:
    return problem.parameters.covariance != "fixed" or "σ is fixed: the M step does not choose it"


def fixed(problem: Problem, state: GaussianMixtureState) -> bool | str:
    return (
        problem.parameters.covariance == "fixed"
        or "each component has a covariance of its own, or they share a free one"
    )


JENSEN = "log Σ π N = log Σ r (π N/r) >= Σ r log(π N/r), for log is concave"


@theorem(
    "the log-likelihood never falls",
    source="Dempster, Laird, Rubin (1977)",
    about="step",
    proof=("log L/n = F after the E step", "the M step raises F", "log L/n >= F after it: " + JENSEN),
)
def never_falls(problem: Problem, before: GaussianMixtureState, after: GaussianMixtureState) -> Answer:
    was, now = log_likelihood(problem, before), log_likelihood(problem, after)
    return floor_kept(problem, before) or Sides(("log L/n before", was), ("log L/n", now), slack=rounding(problem))


@theorem(
    "the lower bound F touches log L/n after E, is below it after M",
    source="Jensen (1906)",
    phases=("expect", "maximise"),
    proof=(JENSEN, "with equality where π N/r is the same for all j, so where r is the responsibility"),
)
def bounds(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> Answer:
    sides = ("F", bound(problem, after)), ("log L/n", log_likelihood(problem, after))
    if after.phase == "maximise":
        return Sides(*sides, slack=rounding(problem))
    return Sides(*sides, ("as the E step has it", after.log_likelihood), relation="==", slack=rounding(problem))


@theorem(
    "neither step lowers F",
    source="Neal and Hinton (1998)",
    about="step",
    proof=(
        "E: F is greatest over r, log L/n, at the responsibilities",
        "M: F is Σ r log π + Σ r log N but for a constant, and each sum is made greatest",
    ),
)
def bound_never_falls(problem: Problem, before: GaussianMixtureState, after: GaussianMixtureState) -> Answer:
    was, now = bound(problem, before), bound(problem, after)
    return floor_kept(problem, before) or Sides(("F before", was), ("F", now), slack=rounding(problem))


@theorem(
    "after M the mixture has the rows' mean: Σπμ = 1/n Σx",
    source="Dempster, Laird, Rubin (1977)",
    about="step",
    phases=("maximise",),
    proof=("π_j μ_j = n_j/n · 1/n_j Σ_i r_ij x_i = 1/n Σ_i r_ij x_i", "and Σ_j r_ij = 1"),
)
def mean_of_rows(problem: Problem, before: GaussianMixtureState, after: GaussianMixtureState) -> Answer:
    size = np.maximum(np.abs(problem.data.X).max(axis=0), np.abs(after.means).max(axis=0))
    sides = ("Σπμ", after.weights @ after.means), ("1/n Σx", middle(problem))
    return Sides.each(*sides, relation="==", size=size, entries=problem.data.features)


@theorem(
    "after M the rows' second moments are kept: Σπ(Σ + μμᵀ) = 1/n Σxxᵀ",
    source="Dempster, Laird, Rubin (1977)",
    about="step",
    phases=("maximise",),
    hypotheses={"the covariances are free": free, "nothing was clipped": nothing_clipped},
    proof=(
        "n_j (Σ_j + μ_j μ_jᵀ) = Σ_i r_ij x_i x_iᵀ, the scatter about 0",
        "sum over j, and Σ_j r_ij = 1; about any other place it is as true",
    ),
)
def moments_of_rows(problem: Problem, before: GaussianMixtureState, after: GaussianMixtureState) -> Answer:
    mixture, rows, size = second_moments(problem.data.X, middle(problem), after.weights, after.means, after.covariances)
    features = problem.data.features
    of_shape = {1: (("mean of the features",),), 2: (features,), 3: (features, features)}
    axes = of_shape[after.covariances.ndim]
    return Sides.each(("Σπ(Σ + μμᵀ)", mixture), ("1/n Σxxᵀ", rows), relation="==", size=size, axes=axes)


@theorem(
    "σ -> 0 is k-means: J/n <= -2σ² log L/n - const <= J/n - 2σ² log π",
    source="Bishop (2006)",
    hypotheses={"σ is fixed": fixed},
    proof=(
        "with a_j = ‖x - μ_j‖² a row has log Σ_j π_j exp(-a_j/2σ²), and a constant",
        "exp(-a_j/2σ²) <= exp(-min a/2σ²), and Σπ = 1: the left side",
        "the sum is no less than any one of its terms: the right side",
    ),
)
def near_k_means(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> Answer:
    """min_j a_j <= -2σ² log Σ_j π_j exp(-a_j/2σ²) <= min_j (a_j - 2σ² log π_j) for a_j = ‖x - μ_j‖², since Σπ = 1."""
    variance, away = float(after.covariances[0]), squared_distances(problem.data.X, after.means)
    with np.errstate(divide="ignore"):
        lone = away - 2 * variance * np.log(after.weights)
    constant = 0.5 * problem.data.d * np.log(2 * np.pi * variance)
    soft = -2 * variance * (log_likelihood(problem, after) + constant)
    size = 2 * variance * (abs(log_likelihood(problem, after)) + abs(constant))
    sides = (
        ("J/n", away.min(axis=1).mean()),
        ("-2σ² log L/n - const", soft),
        ("min J/n - 2σ² log π", lone.min(axis=1).mean()),
    )
    return Sides(*sides, size=size, slack=2 * variance * rounding(problem))


THEOREMS = (never_falls, bounds, bound_never_falls, mean_of_rows, moments_of_rows, near_k_means)
