"""How many clusters: fit k = 1, 2, ... from several starts each, and weigh the fit against the numbers it takes.

    F_k    the least F = Σ‖x - μ_z‖² that Lloyd's algorithm found with k means, over the starts
    AIC    2K - 2 ln L,        BIC    K ln n - 2 ln L,        K how many numbers were fitted, not how many clusters

The first start with k means is that with k - 1 and one more on the row farthest from its own; it lowers F by that D² at
least, so F_k never rises, and it is 0 where each row has a mean of its own. So F alone cannot choose k: one looks for
an elbow, or adds a penalty to -2 ln L of a model.

The model of k-means: cluster j has chance π_j, and a row of it is drawn from N(μ_j, σ² I). With the clusters given,
ln L is greatest at π_j = n_j/n, μ_j their means and σ² = F/(nd):

    -2 ln L = nd (ln 2πσ² + 1) - 2 Σ n_j ln(n_j/n),        K = (k - 1) + kd + 1.

In a mixture of Gaussians the clusters are not given, ln L = Σ_i ln Σ_j π_j N(x_i; μ_j, Σ_j), raised by EM; K counts
k - 1 weights, kd means and the covariances: in one dimension 3k - 1. Its first start with k components is that with
k - 1 and one of weight 0, so -2 ln L never rises with k either. Variances are held above a floor, else a component on
equal rows has no bound.

For n >= 8 BIC asks more for each number than AIC, so it never chooses more clusters. Both are of use while n is large
beside K: with a cluster for all but a few rows σ² vanishes, and -2 ln L falls without end.

References: MacQueen (1967), Some methods for classification and analysis of multivariate observations, Berkeley
Symposium 5; Thorndike (1953), Who belongs in the family?, Psychometrika 18 (the elbow); Akaike (1974), A new look at
the statistical model identification, IEEE Trans. Automatic Control 19; Schwarz (1978), Estimating the dimension of a
model, Annals of Statistics 6; Pelleg and Moore (2000), X-means, ICML (the model of k-means); Dempster, Laird and Rubin
(1977), Maximum likelihood from incomplete data via the EM algorithm, J. of the Royal Statistical Society B 39(1);
Huygens (1673), Horologium Oscillatorium (moments about another place).
"""

from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Event,
    FromStart,
    Meta,
    Needs,
    Panel,
    Points,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    kept,
    theorem,
)
from algorithms.core.text import counted
from algorithms.data import blobs, faithful, iris, mixture, penguins
from algorithms.families.clustering.choose_k.pictures import (
    CRITERIA,
    OBJECTIVE,
    Tried,
    criteria,
    elbow,
    fit_panel,
    least_place,
    tried_table,
)
from algorithms.toolbox.nearer import measured, total
from algorithms.toolbox.numbers_of_clusters import (
    Fit,
    Model,
    between,
    deviance_of_rows,
    fit,
    free_parameters,
    squared_from_own,
)

Criterion = Literal["BIC", "AIC"]


class ChooseKState(State, frozen=True, kw_only=True):
    fits: tuple[Fit, ...] = ()  # the best of k = 1, 2, ...
    shown: int = -1  # the place among them of the one in hand; -1 before the first


def choose_k(
    data: Dataset,
    state: ChooseKState | None = None,
    *,
    model: Annotated[Model, Meta(description="k-means, or Gaussians with covariances of this shape")] = "k-means",
    most: Annotated[int, Meta(ge=2, le=50, description="the greatest k")] = 8,
    starts: Annotated[int, Meta(ge=1, le=20, description="starts for each k")] = 5,
    criterion: Annotated[Criterion, Meta(description="what chooses at the end")] = "BIC",
    floor: Annotated[float, Meta(ge=1e-6, le=1, description="least variance, in each feature's own")] = 0.001,
    seed: Annotated[Seed, Meta(description="of the starts")] = 0,
) -> Run[ChooseKState]:
    if state is None:
        state = ChooseKState()
        yield state
    while len(state.fits) < most:
        k, before = len(state.fits) + 1, state.fits[-1] if state.fits else None
        best = fit(data, model, k, before, starts, seed, floor)
        state = state.after("fit", iteration=k, fits=(*state.fits, best), shown=k - 1)
        yield state
    chosen = least_place(penalised(data, model, state.fits, criterion))
    if chosen is None:
        return f"σ is 0 for every k, so there is no {criterion}"
    if state.phase != "choose" or state.shown != chosen:
        state = state.after("choose", shown=chosen)
        yield state
    return f"{criterion} chooses k = {chosen + 1} of {len(state.fits)}"


def penalised(data: Dataset, model: Model, fits: tuple[Fit, ...], criterion: Criterion) -> Array:
    """(m,) AIC or BIC of each fit: -2 ln L and 2 or ln n for each number fitted; NaN where σ is 0."""
    price = 2.0 if criterion == "AIC" else float(np.log(data.n))
    return np.array([f.deviance + price * free_parameters(model, len(f.means), data.d) for f in fits])


def adapt(before: Problem, after: Problem, state: ChooseKState, rows: Array) -> State | FromStart:
    return state if after.data is before.data else FromStart("these clusters were fitted to other rows")


def in_hand(state: ChooseKState) -> Fit | None:
    return state.fits[state.shown] if state.shown >= 0 else None


@kept
def tried(problem: Problem, state: ChooseKState) -> Tried:
    p, data, fits = problem.parameters, problem.data, state.fits
    return Tried(
        name="F" if p.model == "k-means" else "-2 ln L",
        most=max(p.most, len(fits)),
        fits=fits,
        parameters=np.array([free_parameters(p.model, k + 1, data.d) for k in range(len(fits))]),
        aic=penalised(data, p.model, fits, "AIC"),
        bic=penalised(data, p.model, fits, "BIC"),
    )


def other_start(state: ChooseKState) -> bool:
    """Whether the means of before with one more were not the best start."""
    return state.phase == "fit" and state.shown > 0 and int(state.fits[-1].tries.argmin()) > 0


def k_of(problem: Problem, state: ChooseKState) -> float:
    return float(state.shown + 1) if state.shown >= 0 else np.nan


def objective(problem: Problem, state: ChooseKState) -> float:
    """F of the clusters in hand; NaN of a mixture."""
    held = in_hand(state)
    return held.least if held is not None and problem.parameters.model == "k-means" else np.nan


def deviance(problem: Problem, state: ChooseKState) -> float:
    held = in_hand(state)
    return np.nan if held is None else held.deviance


def aic(problem: Problem, state: ChooseKState) -> float:
    return float(tried(problem, state).aic[state.shown]) if state.fits else np.nan


def bic(problem: Problem, state: ChooseKState) -> float:
    return float(tried(problem, state).bic[state.shown]) if state.fits else np.nan


def of_clusters(problem: Problem, state: ChooseKState) -> bool | str:
    return problem.parameters.model == "k-means" or "the model is a mixture, which has no F"


def of_mixture(problem: Problem, state: ChooseKState) -> bool | str:
    return problem.parameters.model != "k-means" or "the model is k-means: its likelihood is that of given clusters"


def measured_again(problem: Problem, held: Fit) -> float:
    """F or -2 ln L of a fit, from the rows."""
    if problem.parameters.model == "k-means":
        return float(squared_from_own(problem.data, held.means, held.labels).sum())
    return deviance_of_rows(problem.data, problem.parameters.model, held)


def positive(problem: Problem, state: ChooseKState) -> bool | str:
    held = in_hand(state)
    return held is None or not np.isnan(held.deviance) or "σ² = F/(nd) is 0, and the likelihood has no bound"


def numbers_fitted(problem: Problem, held: Fit) -> int:
    """K: the weights but for one, as they sum to 1, every mean's coordinates and the widths that are free."""
    k, d = held.means.shape
    matrix = d * (d + 1) // 2  # of a symmetric matrix
    widths = {"k-means": 1, "spherical": k, "diagonal": k * d, "tied": matrix, "full": k * matrix}
    return int(len(held.weights) - 1 + held.means.size + widths[problem.parameters.model])


def enough_rows(problem: Problem, state: ChooseKState) -> bool | str:
    return problem.data.n >= 8 or f"there are {problem.data.n} rows: ln n is below 2"


def is_least(problem: Problem, state: ChooseKState) -> bool | Sides:
    """All k are fitted, and no criterion is below that of the one in hand."""
    if state.phase != "choose" or len(state.fits) < problem.parameters.most:
        return False
    values = tried(problem, state).aic if problem.parameters.criterion == "AIC" else tried(problem, state).bic
    return Sides(("of the k chosen", float(values[state.shown])), ("the least", float(np.nanmin(values))))


def none_to_compare(problem: Problem, state: ChooseKState) -> bool:
    """All k are fitted, and the rows lie on the means of each."""
    return len(state.fits) >= problem.parameters.most and all(np.isnan(fit.deviance) for fit in state.fits)


def validate(problem: Problem) -> str | None:
    data, most = problem.data, problem.parameters.most
    if most > data.n:
        return f"{most} clusters need {most} rows or more; {data.name} has {data.n}: lower most."
    return None


def scene(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> Scene:
    data, held = problem.data, in_hand(after)
    if held is None:
        return Scene((Panel(title="rows", space="data", marks=(Points(at=data.X, tone="muted"),)),))
    table, soft = tried(problem, after), problem.parameters.model != "k-means"
    main = fit_panel(data, held, soft, depth=problem.data.once(total) / data.n)
    along = criteria(table, after.shown), elbow(table, after.shown)
    return Scene((main, *along, tried_table(table, after.shown)))


def of_start(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> str:
    p = problem.parameters
    what = "Lloyd's algorithm" if p.model == "k-means" else "EM"
    return f"k = 1 to {p.most} will be tried, each by {what} from {counted(p.starts, 'start')}."


def of_fit(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> str:
    held, k, table = after.fits[after.shown], after.shown + 1, tried(problem, after)
    best, starts = int(held.tries.argmin()), len(held.tries)
    one = "the one start" if starts == 1 else f"start {best + 1} of {starts} is the best"
    first = f"With k = {k} {one}: {table.name} = {held.least:,.5g}"
    if k > 1:
        first += f", after {after.fits[k - 2].least:,.5g}"
    if np.isnan(held.deviance):
        return f"{first}. σ is 0 to rounding: the likelihood has no bound, so AIC and BIC say nothing."
    place = least_place(table.bic)
    so_far = "the least so far" if place == k - 1 else f"least at k = {(place or 0) + 1}"
    fitted, bic, aic = int(table.parameters[-1]), table.bic[-1], table.aic[-1]
    return f"{first}. It fits {fitted} numbers (K): BIC = {bic:#,.5g}, {so_far}; AIC = {aic:#,.5g}."


def of_choice(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> str:
    table, criterion = tried(problem, after), problem.parameters.criterion
    other, values = ("AIC", table.aic) if criterion == "BIC" else ("BIC", table.bic)
    own, k = (table.bic if criterion == "BIC" else table.aic), after.shown + 1
    place = least_place(values)
    also = f"{other} is least at {'the same k' if place == after.shown else f'k = {(place or 0) + 1}'}"
    least = f"With k = {k} {criterion} is {own[after.shown]:#,.5g}, the least"
    return f"{least}; {also}. {table.name} alone never rises with k."


CLUSTERS = {"the model is k-means": of_clusters}
MIXTURE = {"the model is a mixture": of_mixture}
SHOWN = ("fit", "choose")
RULE = "that is the rule"


@theorem(
    "F never rises with k: one mean more takes off max D²",
    source="MacQueen (1967)",
    phases=SHOWN,
    hypotheses=CLUSTERS,
    proof=(
        "the first start has the k - 1 means of before, and one on the row farthest from its own",
        "that row's D² becomes 0, and no other rises; Lloyd's algorithm raises nothing",
        "the best start is no worse than the first",
    ),
)
def never_rises(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> Answer:
    if after.shown == 0:
        return None
    was, now = after.fits[after.shown - 1], after.fits[after.shown]
    k, far = after.shown + 1, float(squared_from_own(problem.data, was.means, was.labels).max())
    sides = (f"F with {k}", now.least), (f"F with {k - 1}, less max D²", was.least - far)
    return Sides(*sides, size=was.least, slack=problem.data.once(measured).rounding)


@theorem(
    "what was chosen has the least AIC or BIC",
    source="Akaike (1974); Schwarz (1978)",
    phases=("choose",),
    proof=(RULE,),
)
def least_of_all(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> Answer:
    name = problem.parameters.criterion
    price = 2.0 if name == "AIC" else float(np.log(problem.data.n))
    values = np.array([held.deviance + price * numbers_fitted(problem, held) for held in after.fits])
    known = np.flatnonzero(~np.isnan(values) & (np.arange(len(values)) != after.shown))  # it is no less than itself
    if not len(known):
        return None
    next_best = int(known[values[known].argmin()])
    sides = [(f"{name} at k = {place + 1}", float(values[place])) for place in (after.shown, next_best)]
    return Sides(*sides)


@theorem(
    "ln L never falls with k: a component of weight 0 changes nothing",
    source="Dempster, Laird and Rubin (1977)",
    phases=("fit",),
    hypotheses=MIXTURE,
    proof=(
        "the first start has the k - 1 components of before, and one of weight 0: the same density",
        "EM lowers no likelihood, and the best start is no worse than start 0",
    ),
)
def likelier(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> Answer:
    if after.shown == 0:
        return None
    was, now, k = after.fits[after.shown - 1], after.fits[after.shown], after.shown + 1
    return Sides((f"-2 ln L with {k}", now.deviance), (f"with {k - 1}", was.deviance), slack=1e-9 * problem.data.n)


@theorem(
    "of the starts the best is kept",
    source="MacQueen (1967)",
    phases=SHOWN,
    proof=(RULE,),
)
def best_of_starts(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> Answer:
    held, of_rows = after.fits[after.shown], tried(problem, after).name
    own = measured_again(problem, held)
    slack = problem.data.once(measured).rounding if of_rows == "F" else 1e-9 * problem.data.n
    sides = (f"{of_rows} of these rows", own), (f"{of_rows} of start", held.tries)
    return Sides.each(*sides, slack=slack, axes=("start",))


@theorem(
    "Σ‖x-c‖² = F + Σ n_j ‖μ_j-c‖²: means are in the middle",
    source="Huygens (1673)",
    phases=SHOWN,
    hypotheses=CLUSTERS,
    proof=(
        "‖x - c‖² = ‖x - μ‖² + 2 (x - μ)·(μ - c) + ‖μ - c‖²",
        "over the rows of a cluster Σ(x - μ) = 0, so the middle term goes",
    ),
)
def in_the_middle(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> Answer:
    held = after.fits[after.shown]
    parts = held.least + between(problem.data, held)
    sides = ("Σ‖x-c‖²", problem.data.once(total)), ("F + Σ n_j ‖μ_j-c‖²", parts)
    return Sides(*sides, relation="==", slack=problem.data.once(measured).rounding)


@theorem(
    "the mixture has the rows' mean: Σπμ = 1/n Σx",
    source="Dempster, Laird and Rubin (1977)",
    phases=SHOWN,
    hypotheses=MIXTURE,
    proof=("π_j μ_j = 1/n Σ_i r_ij x_i after EM's maximisation", "and Σ_j r_ij = 1 for every row"),
)
def mean_of_rows(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> Answer:
    held, X = after.fits[after.shown], problem.data.X
    size = np.maximum(np.abs(X).max(axis=0), np.abs(held.means).max(axis=0))
    middle = problem.data.once(measured).centre
    sides = ("Σπμ", held.weights @ held.means), ("1/n Σx", middle)
    return Sides.each(*sides, relation="==", size=size, slack=0.0, entries=problem.data.features)


@theorem(
    "-2 ln L of the model is that of its rows",
    source="Pelleg and Moore (2000)",
    phases=SHOWN,
    hypotheses={"σ is above 0": positive},
    proof=(
        "k-means: -2 Σ ln π_z = -2 Σ n_j ln(n_j/n), and Σ‖x - μ_z‖²/σ² = F/σ² = nd",
        "a mixture: EM's last expectation has the sum",
    ),
)
def row_by_row(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> Answer:
    held = after.fits[after.shown]
    if np.isnan(held.deviance):
        return None
    again = deviance_of_rows(problem.data, problem.parameters.model, held)
    size = problem.data.n * problem.data.d * max(1.0, abs(held.deviance) / problem.data.n)
    return Sides(("-2 ln L", held.deviance), ("summed over the rows", again), relation="==", slack=1e-9 * size)


@theorem(
    "AIC + BIC = -4 ln L + K (2 + ln n), K all that is fitted",
    source="Akaike (1974); Schwarz (1978)",
    phases=SHOWN,
    hypotheses={"σ is above 0": positive},
    proof=("K: k - 1 weights, as they sum to 1; kd of the means; σ², or the free entries of each Σ",),
)
def charged(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> Answer:
    held, table = after.fits[after.shown], tried(problem, after)
    K = numbers_fitted(problem, held)
    paid = ("-4 ln L + K (2 + ln n)", 2 * held.deviance + K * (2 + float(np.log(problem.data.n))))
    both = float(table.aic[after.shown] + table.bic[after.shown])
    return Sides(("AIC + BIC", both), paid, relation="==", size=abs(held.deviance) + K * problem.data.n)


@theorem(
    "BIC chooses no more clusters than AIC, for n >= 8",
    source="Schwarz (1978)",
    phases=SHOWN,
    hypotheses={"ln n > 2": enough_rows},
    proof=(
        "BIC - AIC = K (ln n - 2), which rises with k",
        "past the least AIC neither falls below it, so BIC is greater there",
    ),
)
def fewer(problem: Problem, before: ChooseKState | None, after: ChooseKState) -> Answer:
    table = tried(problem, after)
    by_bic, by_aic = least_place(table.bic), least_place(table.aic)
    if by_bic is None or by_aic is None:
        return None
    return Sides(("k of the least BIC", by_bic + 1), ("k of the least AIC", by_aic + 1))


THEOREMS = (
    never_rises,
    least_of_all,
    likelier,
    best_of_starts,
    in_the_middle,
    mean_of_rows,
    row_by_row,
    charged,
    fewer,
)

ALGORITHM = Algorithm(
    choose_k,
    title="How many clusters",
    point="More clusters always fit closer; a price for each shows where to stop.",
    after=("k_means_plus_plus",),
    leaves_open="The price chooses among what was fitted, whether clusters are there or not.",
    tries=(("waits for a geyser", "--data faithful"), ("bells for iris", "--data iris -p model=full")),
    asks=(
        Ask.way("One cluster more is fitted: what does BIC do?", "BIC", "fit"),
        Ask("Is another start than the first the best?", '"another start than the first was best"', "fit"),
    ),
    summary="Fits k = 1, 2, ... clusters from several starts each, and weighs each fit against the numbers it takes.",
    rule="F_k = least Σ‖x - μ_z‖² over the starts\nAIC = 2K - 2 ln L,  BIC = K ln n - 2 ln L",
    needs=Needs(target="none", within=(1e-100, 1e100)),  # beyond, squared distances overflow or vanish
    phases={
        "start": "nothing is fitted yet",
        "fit": "k clusters from several starts; the best is kept",
        "choose": "the k with the least AIC or BIC",
    },
    events=(Event("another start than the first was best", lambda before, after: other_start(after)),),
    fork_after=("start", "fit"),
    start_only=("model", "floor"),
    curves=(
        Curve("AIC", aic, "2K - 2 ln L", "criteria", phases=SHOWN, along=("k", k_of), tone=CRITERIA[0]),
        Curve("BIC", bic, "K ln n - 2 ln L", "criteria", phases=SHOWN, along=("k", k_of), tone=CRITERIA[1]),
        Curve("objective", objective, "F_k = Σ‖x - μ_z‖²", phases=SHOWN, along=("k", k_of), tone=OBJECTIVE),
        Curve("-2 ln L", deviance, "of the model", phases=SHOWN, along=("k", k_of)),
    ),
    objective={("objective", "AIC", "BIC", "-2 ln L"): ("model",)},
    theorems=THEOREMS,
    in_hall="what was chosen has the least AIC or BIC",
    ends={
        "… chooses k = … of …": is_least,
        "σ is 0 for every k, so there is no …": none_to_compare,
    },
    symbols={
        "k": ("clusters, or components", lambda problem, state: state.shown + 1 if state.shown >= 0 else None),
        "K": ("numbers fitted, not clusters", lambda p, s: int(tried(p, s).parameters[s.shown]) if s.fits else None),
        "AIC, BIC": ("2K - 2 ln L, K ln n - 2 ln L: the misfit, and a price for each number fitted", None),
        "n, d": ("rows, and features of each", None),
        "x, c": ("a row, and the mean of all rows", None),
        "z, n_j": ("the cluster of a row; how many rows cluster j has", None),
        "μ, Σ": ("means; covariances of components", None),
        "π": ("weights of clusters or components, which sum to one", None),
        "D²": ("squared distance of a row from the mean of its cluster", None),
        "F": (
            "ΣD² over the rows: k-means lowers it",
            lambda p, s: None if np.isnan(objective(p, s)) else objective(p, s),
        ),
        "σ²": ("F/(nd), the variance in every cluster of k-means", None),
        "r": ("share that a component has of a row", None),
        "L": ("likelihood of the rows; -2 ln L", lambda p, s: None if np.isnan(deviance(p, s)) else deviance(p, s)),
    },
    measured=("fits",),
    scene=scene,
    explain={"start": of_start, "fit": of_fit, "choose": of_choice},
    adapt=adapt,
    validate=validate,
    datasets=(
        blobs.with_(n=200, k=4, spread=1.0, seed=1),
        faithful.with_(columns=("waiting",)),
        iris,
        penguins.with_(columns=("bill_length_mm", "flipper_length_mm"), scale=True),
        mixture.with_(k=2),
    ),
)
