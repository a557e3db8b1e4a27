"""Gaussian mixture by EM: share the rows out among k Gaussians, fit each to its shares, and again.

A row is drawn by choosing component j with probability π_j, and then x from N(μ_j, Σ_j); which one it was is not
seen. log L(θ) = Σ_i log Σ_j π_j N(x_i; μ_j, Σ_j) is what EM raises:

    E   r_ij <- π_j N(x_i; μ_j, Σ_j) / Σ_l π_l N(x_i; μ_l, Σ_l)           responsibilities
    M   n_j = Σ_i r_ij,   π_j <- n_j / n,   μ_j <- 1/n_j Σ_i r_ij x_i
        Σ_j <- 1/n_j Σ_i r_ij (x_i - μ_j)(x_i - μ_j)ᵀ, clipped

Σ_j may be full, a diagonal, σ_j² I, one for all components (tied), or σ² I with a σ that is given (fixed).

For any shares r of the rows, by Jensen's inequality,

    F(r, θ) = 1/n Σ_ij r_ij log(π_j N(x_i; μ_j, Σ_j) / r_ij)  <=  log L(θ) / n,

with equality where r are the responsibilities at θ. So F touches log L / n after every E step; the M step gives the
θ with the greatest F; hence F rises, log L / n stays above it, and so the likelihood never falls. EM comes to a
stationary point, which need not be the greatest value: where each component has a covariance of its own that one is
infinite, with a component alone on one row.

With shares that sum to one for each row, the M step makes the mixture's mean that of the rows, Σ_j π_j μ_j =
1/n Σ_i x_i, and its second moments theirs, Σ_j π_j (Σ_j + μ_j μ_jᵀ) = 1/n Σ_i x_i x_iᵀ, if nothing was clipped.

With a fixed σ the responsibilities depend on ‖x_i - μ_j‖² / σ²; as σ -> 0 each row goes whole to the nearest mean,
-2σ² log L is Σ_i min_j ‖x_i - μ_j‖² but for a constant, and EM is k-means.

What keeps components from collapsing is a floor φ: Σ_j - φ D is positive semi-definite, for the variances D of the
features. Clipping the eigenvalues of the scatter (in units of D) gives the most likely Σ_j among these, so the
likelihood still never falls; with something added to the diagonal it could. A component to which no row is left
keeps its place with weight 0.

References: Dempster, Laird and Rubin (1977), Maximum likelihood from incomplete data via the EM algorithm, J. of the
Royal Statistical Society B 39(1); Neal and Hinton (1998), A view of the EM algorithm that justifies incremental,
sparse, and other variants (F); Hathaway (1985), A constrained formulation of maximum-likelihood estimation, Annals of
Statistics 13(2) (constraints that keep the likelihood bounded); Bishop (2006), Pattern Recognition and Machine
Learning, section 9.3.2 (σ -> 0).
"""

from typing import Annotated, Literal

import numpy as np
from msgspec.structs import replace

from algorithms.core import (
    Algorithm,
    Array,
    Ask,
    Curve,
    Dataset,
    Event,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Region,
    Run,
    Scene,
    Seed,
    Sides,
    Words,
    numbers,
)
from algorithms.core.arrays import first_greatest
from algorithms.core.text import counted
from algorithms.data import faithful, iris, mixture, penguins
from algorithms.families.mixtures.gaussian_mixture.measures import (
    GaussianMixtureState,
    at_floor,
    bound,
    floors,
    gap,
    log_likelihood,
    moved_most,
    undecided_row,
)
from algorithms.families.mixtures.gaussian_mixture.theorems import THEOREMS
from algorithms.toolbox import clusters
from algorithms.toolbox.covariances import (
    Kind,
    clipped,
    fixed_variance,
    scatters,
)
from algorithms.toolbox.ends import reached
from algorithms.toolbox.gaussian import as_matrices
from algorithms.toolbox.mixtures import expect, m_step
from algorithms.toolbox.numbers_of_clusters import free_parameters
from algorithms.toolbox.panels.clusters import cluster_names, component_table, least_decided, marked_means, outlines
from algorithms.toolbox.panels.density import mixture_density
from algorithms.toolbox.panels.row_words import says_shares

Start = Literal["k-means", "random"]

_WRITTEN = 4  # weights of components in words


def gaussian_mixture(
    data: Dataset,
    state: GaussianMixtureState | None = None,
    *,
    k: Annotated[int, Meta(ge=1, le=100, description="components")] = 2,
    covariance: Annotated[
        Kind, Meta(description="shape of each component's covariance: tied is one for all, fixed is σ² I")
    ] = "full",
    start: Annotated[
        Start, Meta(description="first parameters: from the clusters of k-means, or means on rows at random")
    ] = "random",
    floor: Annotated[
        float, Meta(ge=1e-7, le=1, description="least variance of a component, in each feature's own variance")
    ] = 1e-6,
    tol: Annotated[float, Meta(ge=0, le=1, description="a gain in mean log-likelihood this small ends the run")] = 1e-6,
    iterations: Annotated[int, Meta(ge=1, le=10_000, description="E and M steps before giving up")] = 200,
    sigma: Annotated[
        float, Meta(ge=1e-3, le=10, description="σ where it is fixed, in the features' own deviation")
    ] = 0.3,
    seed: Annotated[Seed, Meta(description="of the start")] = 0,
) -> Run[GaussianMixtureState]:
    X, least = data.X, data.once(floors, floor)
    if state is None:
        state = first_state(data, k, covariance, sigma, start, floor, seed)
        yield state
    while True:
        if state.phase != "expect":
            if state.iteration >= iterations:
                return f"{counted(iterations, 'iteration')}, and the log-likelihood may still rise"
            shares, level = expect(X, state.weights, state.means, state.covariances)
            iteration, gain = state.iteration + 1, level - state.log_likelihood
            state = state.after("expect", iteration=iteration, responsibilities=shares, log_likelihood=level, gain=gain)
            yield state
        if abs(state.gain) <= tol and at_floor(state, least):
            return f"the log-likelihood rose by {max(state.gain, 0.0):.2g} a row, no more than {tol:g}"
        weights, means, covariances, narrow = maximise(X, state, covariance, least)
        state = state.after("maximise", weights=weights, means=means, covariances=covariances, narrow=narrow)
        yield state


def maximise(X: Array, state: GaussianMixtureState, kind: Kind, least: Array) -> tuple[Array, Array, Array, Array]:
    """The M step: weights, means, covariances, and in how many directions each of these was held at the floor."""
    weights, means, covariances, narrow = m_step(X, state.responsibilities, state.means, state.covariances, kind, least)
    return weights, means, covariances, state.narrow if narrow is None else narrow


def first_state(
    data: Dataset, k: int, kind: Kind, sigma: float, start: Start, floor: float, seed: int
) -> GaussianMixtureState:
    """Means on random rows, each with the covariance of all rows; or an M step on the clusters of k-means."""
    X, n, rng, least = data.X, data.n, np.random.default_rng((seed, 0)), data.once(floors, floor)
    rows = X - X[0]  # the mean of a feature that is constant may be off by a digit, and that of its zeros is not
    rows -= rows.mean(axis=0)
    everything = np.array([fixed_variance(X, sigma)])
    if kind != "fixed":
        everything = scatters(rows, np.ones((1, n)), np.array([n]), np.zeros((1, data.d)), kind)
    state = begin(n, np.full(k, 1 / k), X[clusters.random_rows(n, k, rng)], np.repeat(everything, k, axis=0), least)
    if start == "random":
        return state
    in_clusters = replace(state, responsibilities=clusters.membership(clusters.k_means(X, k, rng), k).T)
    weights, means, covariances, _ = maximise(X, in_clusters, kind, least)
    return begin(n, weights, means, covariances, least)


def begin(n: int, weights: Array, means: Array, covariances: Array, least: Array) -> GaussianMixtureState:
    """The state from which a run on n rows starts at parameters of one's own, clipped at the floor."""
    covariances, narrow = clipped(covariances, least)
    return GaussianMixtureState(
        weights=weights, means=means, covariances=covariances, responsibilities=np.tile(weights, (n, 1)), narrow=narrow
    )


def adapt(before: Problem, after: Problem, state: GaussianMixtureState, rows: Array) -> GaussianMixtureState:
    """Rows keep their shares, and a new one has its responsibilities; the likelihood of the old rows is forgotten, as
    it is where σ is fixed at another value.
    """
    data, p = after.data, after.parameters
    if p.covariance == "fixed":
        variances = np.full(p.k, fixed_variance(data.X, p.sigma))
        covariances, narrow = clipped(variances, data.once(floors, p.floor))
        if not np.array_equal(covariances, state.covariances):
            state = state.replaced(covariances=covariances, narrow=narrow, log_likelihood=-np.inf, gain=np.inf)
    if data is before.data:
        return state
    fresh = np.tile(state.weights, (data.n, 1))
    if state.phase != "start":
        fresh, _ = expect(data.X, state.weights, state.means, state.covariances)
    shares = np.where(rows[:, None] >= 0, state.responsibilities[rows], fresh)
    return state.replaced(responsibilities=shares, log_likelihood=-np.inf, gain=np.inf)


def held_at_floor(before: GaussianMixtureState | None, after: GaussianMixtureState) -> bool:
    """A component is newly held at the floor, or in one direction more."""
    return before is not None and bool((after.narrow > before.narrow).any())


def likeliest_changes(before: GaussianMixtureState | None, after: GaussianMixtureState) -> bool:
    """Some row has another likeliest component than after the E step before."""
    if before is None or after.phase != "expect" or after.iteration == 1:
        return False
    return bool((likeliest(after) != likeliest(before)).any())


def likeliest(state: GaussianMixtureState) -> Array:
    """(n,) the component with the greatest share in each row."""
    return first_greatest(state.responsibilities.T)


def settled(problem: Problem, state: GaussianMixtureState) -> bool | Sides:
    """The last E step found little more than the one before, and no component is held from its floor."""
    if state.phase != "expect" or not at_floor(state, problem.data.once(floors, problem.parameters.floor)):
        return False
    return Sides(("|gain|", abs(state.gain)), ("tol", problem.parameters.tol))


def validate(problem: Problem) -> str | None:
    return clusters.too_few_rows(problem.data, problem.parameters.k, "components")


def scene(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> Scene:
    data, row, most = problem.data, undecided_row(after), moved_most(problem, before, after)
    ringed = np.arange(data.n) == (-1 if row is None else row)
    matrices = as_matrices(after.covariances, data.d)
    deviations = np.sqrt(np.diagonal(matrices, axis1=1, axis2=2))
    table = component_table(data, after.weights, after.means, deviations, () if most is None else (most,))
    shares = after.responsibilities
    if data.d == 1:
        main = mixture_density(data, after.weights, after.means, matrices[:, 0, 0], shares, ringed)
    else:
        main = stage(
            data,
            after,
            Points(
                at=data.X,
                shares=shares,
                ringed=ringed,
                says=says_shares(shares, "component"),
                names=cluster_names(len(after.means), "component"),
            ),
            matrices,
        )
    undecided = (least_decided(data, shares, after.phase == "expect"),) if len(after.means) > 1 else ()
    return Scene((main, table, *undecided, numbers(criteria(problem, after))))


def criteria(problem: Problem, state: GaussianMixtureState) -> dict[str, float]:
    """What the fit costs by AIC and BIC: K numbers are free, and -2 ln L."""
    data, kind = problem.data, problem.parameters.covariance
    K, deviance = free_parameters(kind, len(state.means), data.d), -2 * data.n * log_likelihood(problem, state)
    return {
        "free parameters K": K,
        "-2 ln L": deviance,
        "AIC: 2K - 2 ln L": deviance + 2 * K,
        "BIC: K ln n - 2 ln L": deviance + K * np.log(data.n),
    }


def stage(data: Dataset, state: GaussianMixtureState, rows: Points, covariances: Array) -> Panel:
    """Rows in mixed colours, each component at one and two standard deviations, and the way of the means."""

    def shares(places: Array) -> Array:
        return expect(places, state.weights, state.means, state.covariances)[0]

    tint = (Region(score=shares, mixed=True, check=data.X, name="two equally likely"),) if len(state.means) > 1 else ()
    means = marked_means(state.means, "the mean of component", "ink")  # outlines have the components' colours
    marks = (*tint, rows, *outlines(state.means, covariances), *means)
    return Panel(title="components at 1 and 2 deviations", space="data", marks=marks)


def of_start(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> str:
    k, way = len(after.means), problem.parameters.start
    begins = "component begins where it is" if k == 1 else "components begin where they are"
    if way == "k-means":
        begins = "component comes from the one cluster" if k == 1 else "components come from the clusters of k-means"
    elif all((mean == problem.data.X).all(axis=1).any() for mean in after.means):
        begins = "component lies on a row drawn at random" if k == 1 else "components lie on rows drawn at random"
    level = log_likelihood(problem, after)
    return (
        f"The {'one' if k == 1 else k} {begins}; every row is still shared out alike. "
        f"The mean log-likelihood is {level:.5g}."
    )


def of_expectation(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> str:
    change = f", {after.gain:+.2g} since the last E step" if np.isfinite(after.gain) else ""
    ending = f"The mean log-likelihood is {after.log_likelihood:.5g}{change}."
    if 1 < len(after.weights) <= _WRITTEN:
        ending += f" Weights of the components: {', '.join(f'{weight:.3g}' for weight in after.weights)}."
    row = undecided_row(after)
    if row is None:
        return Words.of("The one component takes every row whole.", ending)
    shares = after.responsibilities[row]
    first, second = np.argsort(-shares, kind="stable")[:2].tolist()
    return Words.of(
        f"{problem.data.who(row)} is the least decided: {shares[first]:.3f} of it goes to component "
        f"{first}, {shares[second]:.3f} to {second}.",
        ending,
    )


def of_maximisation(problem: Problem, before: GaussianMixtureState | None, after: GaussianMixtureState) -> str:
    data, n = problem.data, problem.data.n
    j = moved_most(problem, before, after)
    if j is None or before is None:
        return (
            f"Each component is fitted to its shares. The mean log-likelihood is {log_likelihood(problem, after):.5g}."
        )
    now, was = (data.original(state.means[j])[:2] for state in (after, before))
    place = ", ".join(f"{f} {a:.4g} -> {b:.4g}" for f, a, b in zip(data.features, was, now))
    text = (
        f"Component {j} moves most ({place}) and holds {after.weights[j] * n:.4g} of {n} rows. "
        f"F rises by {bound(problem, after) - bound(problem, before):.2g}, the mean log-likelihood by "
        f"{log_likelihood(problem, after) - log_likelihood(problem, before):.2g}."
    )
    held = ", ".join(map(str, np.flatnonzero(after.narrow).tolist()))
    return f"{text} At the floor: component {held}." if held else text


SYMBOLS = {
    "π": ("weights of the components, which sum to one", None),
    "μ, Σ": ("mean and covariance of each component", None),
    "r": ("responsibilities: the share that each component has of each row", None),
    "n_j": ("Σ r_ij, how many rows component j holds", None),
    "x": ("a row", None),
    "L": ("likelihood of the n rows; log L/n", log_likelihood),
    "F": ("lower bound on log L/n, for the shares r", bound),
    "φ": ("the floor: least variance of a component", lambda problem, state: problem.parameters.floor),
    "σ": (
        "deviation of every component where it is fixed",
        lambda problem, state: state.covariances[0] ** 0.5 if problem.parameters.covariance == "fixed" else None,
    ),
    "J": ("Σ min_j ‖x - μ_j‖², what k-means lowers", None),
    "E, M": ("the step that finds the shares r, and the one that finds π, μ and Σ", None),
    "N": ("N(x; μ, Σ), the normal density of mean μ and covariance Σ at x", None),
    "k": ("components", lambda problem, state: len(state.weights)),
}
ALGORITHM = Algorithm(
    gaussian_mixture,
    title="Gaussian mixture by EM",
    point="Bells take shares of every row and move to them; two humps are found unasked.",
    after=("lloyd",),
    leaves_open="No theorem says that another start would not end higher.",
    tries=(("start elsewhere", "-p seed=3"), ("three components", "-p k=3")),
    also=("gmm", "em", "expectation maximisation"),
    asks=(
        Ask.way("What does the mean log-likelihood do in the next step?", '"mean log-likelihood"'),
        Ask("Does a row's likeliest component change?", '"a row\'s likeliest component changes"', "maximise"),
    ),
    summary="Shares every row out among k Gaussians, fits each Gaussian to its shares, and repeats.",
    rule="E  r_ij <- π_j N(x_i; μ_j, Σ_j) / Σ_l π_l N(x_i; μ_l, Σ_l)\n"
    "M  n_j = Σ_i r_ij,  π_j <- n_j/n,  μ_j <- Σ_i r_ij x_i / n_j\n"
    "   Σ_j <- Σ_i r_ij (x_i-μ_j)(x_i-μ_j)ᵀ / n_j, clipped",
    needs=Needs(most_features=500, within=(1e-100, 1e100)),  # beyond, squares of distances overflow or vanish
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
        Curve("mean log-likelihood", log_likelihood, "log L/n = 1/n Σ log Σ π N", chart="mean log-likelihood"),
        Curve("lower bound F", bound, "on log L/n", chart="mean log-likelihood", phases=("expect", "maximise")),
        Curve("gap", gap, "log L/n - F after an M step", phases=("maximise",), log=True),
    ),
    objective={("mean log-likelihood", "lower bound F", "gap"): ("k", "covariance")},
    theorems=THEOREMS,
    ends={
        "the log-likelihood rose by … a row, no more than …": settled,
        "… iteration…, and the log-likelihood may still rise": reached("iterations", "iteration", "start", "maximise"),
    },
    symbols=SYMBOLS,
    only_for={"sigma": ("covariance", "fixed")},
    scene=scene,
    explain={"start": of_start, "expect": of_expectation, "maximise": of_maximisation},
    adapt=adapt,
    validate=validate,
    datasets=(
        faithful.with_(scale=True),
        faithful.with_(columns=("waiting",)),
        iris,
        penguins.with_(columns=("bill_length_mm", "flipper_length_mm"), scale=True),
        mixture.with_(k=2),
    ),
)
