"""Gaussian mixture by EM: share the rows out among k Gaussians, fit each to its shares, and again.

A row is drawn by choosing component j with probability π_j, and then x from N(μ_j, Σ_j); which one it was is not
seen. log L(θ) = Σ_i log Σ_j π_j N(x_i; μ_j, Σ_j) is what EM raises:

    E   r_ij <- π_j N(x_i; μ_j, Σ_j) / Σ_l π_l N(x_i; μ_l, Σ_l)           responsibilities
    M   n_j = Σ_i r_ij,   π_j <- n_j / n,   μ_j <- 1/n_j Σ_i r_ij x_i
        Σ_j <- 1/n_j Σ_i r_ij (x_i - μ_j)(x_i - μ_j)ᵀ, clipped              a diagonal, or σ_j² I, if so asked

For any shares r of the rows, by Jensen's inequality,

    F(r, θ) = 1/n Σ_ij r_ij log(π_j N(x_i; μ_j, Σ_j) / r_ij)  <=  log L(θ) / n,

with equality where r are the responsibilities at θ. So F touches log L / n after every E step; the M step gives the
θ with the greatest F; hence F rises, log L / n stays above it, and so the likelihood never falls. EM comes to a
stationary point, which need not be the greatest value: that one is infinite, with a component alone on one row.

What keeps components from collapsing is a floor φ: Σ_j - φ D is positive semi-definite, for the variances D of the
features. Clipping the eigenvalues of the scatter (in units of D) gives the most likely Σ_j among these, so the
likelihood still never falls; with something added to the diagonal it could. A component to which no row is left
keeps its place with weight 0.

References: Dempster, Laird and Rubin (1977), J. of the Royal Statistical Society B 39(1); Neal and Hinton (1998), A
view of the EM algorithm that justifies incremental, sparse, and other variants (F); Hathaway (1985), Annals of
Statistics 13(2) (constraints that keep the likelihood bounded).
"""

from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Array,
    Curve,
    Dataset,
    DoesNotApply,
    Event,
    Meta,
    Needs,
    Problem,
    Region,
    Run,
    Scene,
    Sides,
    State,
    Theorem,
)
from algorithms.core.theorem import Answer
from algorithms.data import faithful, iris, mixture, penguins
from algorithms.families.mixtures.gaussian_mixture import pictures
from algorithms.families.mixtures.gaussian_mixture.covariances import (
    Kind,
    clipped,
    least_variances,
    narrowest,
    scatters,
)
from algorithms.toolbox import clusters
from algorithms.toolbox.gaussian import log_densities
from algorithms.toolbox.logsumexp import shares_and_log_sum
from algorithms.toolbox.sizes import out_of_range

Start = Literal["k-means", "random"]

_LEAST_HELD = 1e-12  # rows' worth of shares below which a component is said to hold nothing
_LARGEST = 1e100  # beyond it and below its inverse, squares of distances would overflow or vanish


class GaussianMixtureState(State, frozen=True, kw_only=True):
    weights: Array  # (k,) π, which sum to one
    means: Array  # (k, d) μ
    covariances: Array  # Σ: full (k, d, d), diagonal (k, d) or spherical (k,)
    responsibilities: Array  # (n, k) r of the last E step; the weights in each row before the first
    log_likelihood: float = -np.inf  # log L/n as of the last E step
    gain: float = np.inf  # by how much it exceeded the one before
    narrow: Array  # (k,) in how many directions the last M step held each component at the floor


def gaussian_mixture(
    data: Dataset,
    state: GaussianMixtureState | None = None,
    *,
    k: Annotated[int, Meta(ge=1, le=100, description="components")] = 2,
    covariance: Annotated[Kind, Meta(description="shape of each component's covariance")] = "full",
    start: Annotated[
        Start, Meta(description="first parameters: from the clusters of k-means, or means on rows at random")
    ] = "random",
    floor: Annotated[
        float, Meta(ge=1e-7, le=1, description="least variance of a component, in each feature's own variance")
    ] = 1e-6,
    tol: Annotated[float, Meta(ge=0, le=1, description="a gain in mean log-likelihood this small ends the run")] = 1e-6,
    iterations: Annotated[int, Meta(ge=1, le=10_000, description="E and M steps before giving up")] = 200,
    seed: Annotated[int, Meta(ge=0, le=2**32 - 1, description="of the start")] = 0,
) -> Run[GaussianMixtureState]:
    X, least = data.X, least_variances(data.X, floor)
    if state is None:
        state = first_state(X, k, covariance, start, least, seed)
        yield state
    while True:
        if state.phase != "expect":
            if state.iteration >= iterations:
                return f"{iterations:,} iterations, and the log-likelihood may still rise"
            shares, level = expect(X, state.weights, state.means, state.covariances)
            iteration, gain = state.iteration + 1, level - state.log_likelihood
            state = state.after("expect", iteration=iteration, responsibilities=shares, log_likelihood=level, gain=gain)
            yield state
        if abs(state.gain) <= tol and above_floor(state, least):
            return f"the log-likelihood rose by {max(state.gain, 0.0):.2g} a row, which is no more than tol"
        weights, means, covariances, narrow = maximise(X, state, covariance, least)
        state = state.after("maximise", weights=weights, means=means, covariances=covariances, narrow=narrow)
        yield state


def log_joint(X: Array, weights: Array, means: Array, covariances: Array) -> Array:
    """(k, n): log π_j N(x_i; μ_j, Σ_j); -inf for a component of weight 0."""
    with np.errstate(divide="ignore"):
        log_weights = np.log(weights)
    found = log_densities(X, means, covariances)
    found += log_weights[:, None]
    return found


def expect(X: Array, weights: Array, means: Array, covariances: Array) -> tuple[Array, float]:
    """The E step: (n, k) responsibilities, and the mean log-likelihood of a row."""
    shares, log_likelihoods = shares_and_log_sum(log_joint(X, weights, means, covariances))
    return shares.T, float(log_likelihoods.sum()) / len(X)


def maximise(X: Array, state: GaussianMixtureState, kind: Kind, least: Array) -> tuple[Array, Array, Array, Array]:
    """The M step: weights, means, covariances, and in how many directions each of these was held at the floor.

    A component that holds nothing keeps its mean and covariance: no others would make F any greater.
    """
    shares = np.ascontiguousarray(state.responsibilities.T)
    held = shares.sum(axis=1)
    divisor, centre = np.maximum(held, _LEAST_HELD), X[0]
    rows = X - centre  # sums of numbers far from 0 would lose what the components differ in
    apart = shares @ rows / divisor[:, None]
    means, covariances = apart + centre, scatters(rows, shares, divisor, apart, kind)
    nothing = held < _LEAST_HELD
    if nothing.any():
        means[nothing], covariances[nothing] = state.means[nothing], state.covariances[nothing]
    covariances, narrow = clipped(covariances, least)
    return held / held.sum(), means, covariances, narrow


def first_state(X: Array, k: int, kind: Kind, start: Start, least: Array, seed: int) -> GaussianMixtureState:
    """Means on random rows, each with the covariance of all rows; or an M step on the clusters of k-means."""
    n, rng = len(X), np.random.default_rng((seed, 0))
    rows = X - X[0]  # the mean of a feature that is constant may be off by a digit, and that of its zeros is not
    rows -= rows.mean(axis=0)
    everything = scatters(rows, np.ones((1, n)), np.array([n]), np.zeros((1, X.shape[1])), kind)
    state = begin(n, np.full(k, 1 / k), X[clusters.random_rows(n, k, rng)], np.repeat(everything, k, axis=0), least)
    if start == "random":
        return state
    found = replace(state, responsibilities=clusters.membership(clusters.k_means(X, k, rng), k).T)
    weights, means, covariances, _ = maximise(X, found, kind, least)
    return begin(n, weights, means, covariances, least)


def begin(n: int, weights: Array, means: Array, covariances: Array, least: Array) -> GaussianMixtureState:
    """The state from which a run on n rows starts at parameters of one's own, clipped at the floor."""
    covariances, narrow = clipped(covariances, least)
    return GaussianMixtureState(
        weights=weights, means=means, covariances=covariances, responsibilities=np.tile(weights, (n, 1)), narrow=narrow
    )


def adapt(before: Problem, after: Problem, state: GaussianMixtureState, rows: Array) -> GaussianMixtureState:
    """Rows keep their shares, and a new one has its responsibilities; the likelihood of the old rows is forgotten."""
    if after.data is before.data:
        return state
    fresh = np.tile(state.weights, (after.data.n, 1))
    if state.phase != "start":
        fresh, _ = expect(after.data.X, state.weights, state.means, state.covariances)
    shares = np.where(rows[:, None] >= 0, state.responsibilities[rows], fresh)
    return state.replaced(responsibilities=shares, log_likelihood=-np.inf, gain=np.inf)


def likelihood_and_bound(problem: Problem, state: GaussianMixtureState) -> tuple[float, float]:
    """log L/n and F at a state's parameters, with the shares that it holds; 0 log 0 = 0."""
    joint = log_joint(problem.data.X, state.weights, state.means, state.covariances)
    _, log_likelihoods = shares_and_log_sum(joint)
    shares = state.responsibilities.T
    held = shares > 0
    terms = shares[held] * (joint[held] - np.log(shares[held]))
    return float(log_likelihoods.mean()), float(terms.sum()) / problem.data.n


def log_likelihood(problem: Problem, state: GaussianMixtureState) -> float:
    return problem.of(likelihood_and_bound, state)[0]


def bound(problem: Problem, state: GaussianMixtureState) -> float:
    return problem.of(likelihood_and_bound, state)[1]


def gap(problem: Problem, state: GaussianMixtureState) -> float:
    """log L/n - F, the mean relative entropy of the shares to the responsibilities; NaN where rounding is all of it."""
    apart = log_likelihood(problem, state) - bound(problem, state)
    return apart if apart > 0 else np.nan


def rounding(problem: Problem) -> float:
    """What it may cost a row's log density, of Gaussians as narrow as the floor lets them be.

    A mean that is rounded to ε away from the best one costs ½ (ε/σ)², and the log density itself some digits.
    """
    X = problem.data.X
    steps = np.where((X[0] != X).any(axis=0), np.spacing(np.abs(X).max(axis=0)), 0.0)
    return 1e-9 + float((steps**2 / least_variances(X, problem.parameters.floor)).sum())


def above_floor(state: GaussianMixtureState, least: Array) -> bool:
    """Whether no component is narrower than the floor; after a fork that raised it, some may be until the M step."""
    return narrowest(state.covariances, least) > 1.0 - 1e-6


def below_floor(problem: Problem, state: GaussianMixtureState) -> DoesNotApply | None:
    """The M step is sure to do no worse than covariances it could choose, but not than narrower ones."""
    if above_floor(state, least_variances(problem.data.X, problem.parameters.floor)):
        return None
    return DoesNotApply("the covariances before were below the floor")


def never_falls(problem: Problem, before: GaussianMixtureState, after: GaussianMixtureState) -> Answer:
    was, now = log_likelihood(problem, before), log_likelihood(problem, after)
    return below_floor(problem, before) or Sides(
        ("log L/n before", was), ("log L/n", now), slack=problem.once(rounding)
    )


def bounds(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> Answer:
    if after.phase == "start":
        return None
    sides = ("F", bound(problem, after)), ("log L/n", log_likelihood(problem, after))
    return Sides(*sides, relation="==" if after.phase == "expect" else "<=", slack=problem.once(rounding))


def bound_never_falls(problem: Problem, before: GaussianMixtureState, after: GaussianMixtureState) -> Answer:
    was, now = bound(problem, before), bound(problem, after)
    return below_floor(problem, before) or Sides(("F before", was), ("F", now), slack=problem.once(rounding))


def held_at_floor(before: GaussianMixtureState | None, after: GaussianMixtureState) -> bool:
    """A component is newly held at the floor, or in one direction more."""
    return before is not None and bool((after.narrow > before.narrow).any())


def likeliest_changes(before: GaussianMixtureState | None, after: GaussianMixtureState) -> bool:
    """Some row has another likeliest component than after the E step before."""
    if before is None or after.phase != "expect" or after.iteration == 1:
        return False
    return bool((after.responsibilities.argmax(axis=1) != before.responsibilities.argmax(axis=1)).any())


def validate(problem: Problem) -> str | None:
    data, k = problem.data, problem.parameters.k
    if k > data.n:
        return f"{k} components need {k} rows or more; {data.name} has {data.n}."
    return out_of_range(data, _LARGEST, held_out=False)


def least_decided(state: GaussianMixtureState) -> int | None:
    """After an E step, the row whose likeliest component has the smallest share."""
    if state.phase != "expect" or len(state.means) == 1:
        return None
    return int(state.responsibilities.max(axis=1).argmin())


def moved_most(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> int | None:
    """After an M step, the component whose mean moved farthest, each feature in its own deviation."""
    if before is None or after.phase != "maximise":
        return None
    steps = (after.means - before.means) / np.sqrt(least_variances(problem.data.X, 1.0))
    return int(np.linalg.norm(steps, axis=1).argmax())


def scene(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> Scene:
    data, row = problem.data, least_decided(after)

    def shares(places: Array) -> Array:
        return expect(places, after.weights, after.means, after.covariances)[0]

    tint = Region(score=shares, mixed=True, check=data.X)
    main = pictures.density(problem, after, tint, row) if data.d == 1 else pictures.plane(data, after, tint, row)
    panels = [main, pictures.table(data, after, moved_most(problem, before, after))]
    return Scene((*panels, pictures.least_decided(data, after)) if len(after.means) > 1 else tuple(panels))


def explain(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> str:
    if after.phase == "expect":
        return explain_expect(problem.data, after)
    if after.phase == "maximise":
        return explain_maximise(problem, before, after)
    k, way = len(after.means), problem.parameters.start
    whence = "come from the clusters of k-means" if way == "k-means" else "lie on rows drawn at random"
    if way == "random" and not all((mean == problem.data.X).all(axis=1).any() for mean in after.means):
        whence = "begin where they are"
    level = log_likelihood(problem, after)
    return f"The {k} components {whence}; every row is still shared out alike. The mean log-likelihood is {level:.5g}."


def explain_expect(data: Dataset, state: GaussianMixtureState) -> str:
    change = f", {state.gain:+.2g}" if np.isfinite(state.gain) else ""
    ending = f"The mean log-likelihood is {state.log_likelihood:.5g}{change}."
    row = least_decided(state)
    if row is None:
        return f"The one component takes every row whole. {ending}"
    first, second = np.argsort(-state.responsibilities[row], kind="stable")[:2].tolist()
    shares = state.responsibilities[row]
    return (
        f"Row {row} ({data.row(row)}) is the least decided: {shares[first]:.3f} of it goes to component "
        f"{pictures.name(first)}, {shares[second]:.3f} to {pictures.name(second)}. {ending}"
    )


def explain_maximise(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> str:
    data, n = problem.data, problem.data.n
    j = moved_most(problem, before, after)
    if j is None or before is None:
        return (
            f"Each component is fitted to its shares. The mean log-likelihood is {log_likelihood(problem, after):.5g}."
        )
    now, was = (data.original(state.means[j])[:2] for state in (after, before))
    place = ", ".join(f"{f} {a:.4g} -> {b:.4g}" for f, a, b in zip(data.features, was, now))
    text = (
        f"Component {pictures.name(j)} moves most ({place}) and holds {after.weights[j] * n:.4g} of {n} rows. "
        f"F rises by {bound(problem, after) - bound(problem, before):.2g}, the log-likelihood by "
        f"{log_likelihood(problem, after) - log_likelihood(problem, before):.2g}."
    )
    held = [pictures.name(j) for j in np.flatnonzero(after.narrow).tolist()]
    return f"{text} At the floor: component {', '.join(held)}." if held else text


ALGORITHM = Algorithm(
    gaussian_mixture,
    title="Gaussian mixture by EM",
    summary="Shares every row out among k Gaussians, fits each Gaussian to its shares, and repeats.",
    rule="E  r_ij <- π_j N(x_i; μ_j, Σ_j) / Σ_l π_l N(x_i; μ_l, Σ_l)\n"
    "M  n_j = Σ_i r_ij,  π_j <- n_j/n,  μ_j <- Σ_i r_ij x_i / n_j\n"
    "   Σ_j <- Σ_i r_ij (x_i-μ_j)(x_i-μ_j)ᵀ / n_j, clipped",
    needs=Needs(),
    phases={
        "start": "weights, means and covariances to begin with",
        "expect": "E step: share each row out by how likely each component is to have made it",
        "maximise": "M step: the weights, means and covariances most likely for these shares",
    },
    events=(
        Event("a row's likeliest component changes", likeliest_changes),
        Event("a component reaches the floor", held_at_floor),
    ),
    # After an E step the shares of the old parameters, or of the old data, would go into the next M step.
    fork_after=("start", "maximise"),
    start_only=("k", "covariance", "start", "seed"),
    curves=(
        Curve("log-likelihood", log_likelihood, "log L/n = 1/n Σ log Σ π N", chart="log-likelihood"),
        Curve("lower bound", bound, "F", chart="log-likelihood", phases=("expect", "maximise")),
        Curve("gap", gap, "log L/n - F after an M step", phases=("maximise",), log=True),
    ),
    theorems=(
        Theorem("the log-likelihood never falls", never_falls, source="Dempster, Laird, Rubin (1977)", about="step"),
        Theorem("the lower bound F touches it after E, is below it after M", bounds, source="Jensen (1906)"),
        Theorem("neither step lowers F", bound_never_falls, source="Neal and Hinton (1998)", about="step"),
    ),
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        faithful.with_(scale=True),
        faithful.with_(columns=("waiting",)),
        iris,
        penguins.with_(columns=("bill_length_mm", "flipper_length_mm"), scale=True),
        mixture.with_(k=2),
    ),
    references=(
        "Dempster, Laird and Rubin (1977), Maximum likelihood from incomplete data, J. Royal Stat. Soc. B 39(1)",
        "Neal and Hinton (1998), A view of the EM algorithm that justifies incremental, sparse, and other variants",
        "Hathaway (1985), A constrained formulation of maximum-likelihood estimation, Annals of Statistics 13(2)",
    ),
)
