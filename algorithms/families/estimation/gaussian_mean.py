"""Learning a mean: μ of a Gaussian, from its rows, as a distribution that narrows with each of them.

    prior        μ ~ N(μ₀, τ²),  which counts as κ₀ = σ²/τ² rows:  τ² = σ²/κ₀
    likelihood   p(x | μ) = Π N(x_i; μ, σ²)
    posterior    μ ~ N(m, σ²/κ),   κ <- κ + 1,   m <- m + (x - m)/κ      the prior's form again: conjugate

So precisions add, κ/σ² = 1/τ² + n/σ², and m = (κ₀ μ₀ + n MLE)/(κ₀ + n): the prior's mean and the mean of the rows,
their estimate of maximum likelihood (MLE), weighed by κ₀ and n. The posterior's mode, the MAP estimate, is m.

Where σ is not known it is a guess that counts as ν₀ rows: σ² ~ InverseGamma(a, b), a = (ν₀ + n)/2, 2b = ν₀σ² + Q, with

    Q = Σ κ/(κ + 1) (x - m)²  over the rows, by the m and κ before each  =  S + κ₀ n/κ (MLE - μ₀)²,   S = Σ (x_i - MLE)²

and of μ alone Student's t with ν₀ + n degrees of freedom is believed, about m, of width √(b/(aκ)).
The MLE of σ² is S/n. As the mean is fitted to these very rows, E[S/n] = (n - 1)/n σ²: it is too small on average.
With more features than one, the first is meant.

References: Gauss (1809), Theoria motus corporum coelestium, book II, section 3; Student (1908), The probable error of a
mean, Biometrika 6; Raiffa and Schlaifer (1961), Applied Statistical Decision Theory, chapter 11; Gauss (1823), Theoria
combinationis observationum erroribus minimis obnoxiae, pars posterior (n - p; n - 1 has the name of Bessel); Welford
(1962), Note on a method for calculating corrected sums of squares and products, Technometrics 4.
"""

from collections.abc import Mapping
from math import inf, nan, sqrt
from typing import Annotated, Literal

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Expectation,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Words,
    kept,
    numbers,
    once,
    theorem,
)
from algorithms.data import diabetes, faithful, gaussian, iris
from algorithms.families.estimation.shared.mean_beliefs import (
    PLACES_BESIDE,
    PLACES_LEARNT,
    MeanBelief,
    beside_likeliest,
    learnt_from,
    log_evidence,
    scaled_likelihood,
)
from algorithms.families.estimation.shared.means_pictures import (
    Ends,
    density_panel,
    distributions,
    ends_of,
    joint_panel,
    rows_panel,
)
from algorithms.families.estimation.shared.student import Student
from algorithms.toolbox.ends import all_rows
from algorithms.toolbox.sizes import column_out_of_range
from algorithms.toolbox.truths import true_gaussian

Variance = Literal["known", "unknown"]

_LARGEST = 1e50  # beyond it squares of squares would overflow
_EQUAL = 1e-12  # of the largest row: rows that differ by less are taken for equal
_EARLY = 5  # rows after which σ² is estimated for the expectation: its error is then plain to see
_MOST = 1e6  # of a parameter, in size


class GaussianMeanState(State, frozen=True, kw_only=True):
    mean: float  # m of the posterior
    weight: float  # κ: rows that the posterior counts for
    rows: int = 0  # n, taken in so far
    average: float = 0.0  # their mean, the MLE of μ
    scatter: float = 0.0  # S, Σ (x - MLE)² of them
    surprise: float = 0.0  # Q = Σ κ/(κ + 1) (x - m)²
    evidence: float = 0.0  # Σ ln of the density with which each row was expected: ln p(x)


def gaussian_mean(
    data: Dataset,
    state: GaussianMeanState | None = None,
    *,
    variance: Annotated[Variance, Meta(description="σ is known, or itself a guess")] = "known",
    prior_mean: Annotated[float, Meta(ge=-_MOST, le=_MOST, description="μ₀, the mean of the prior")] = 0.0,
    tau: Annotated[float, Meta(ge=1e-3, le=_MOST, description="τ, the deviation of the prior")] = 0.5,
    sigma: Annotated[float, Meta(ge=1e-3, le=_MOST, description="σ, the deviation of a row, or its guess")] = 1.0,
    guess: Annotated[float, Meta(ge=1, le=1000, description="ν₀: an unknown σ's guess counts as many rows")] = 4.0,
) -> Run[GaussianMeanState]:
    x = data.X[:, 0]
    if state is None:
        state = GaussianMeanState(mean=prior_mean, weight=(sigma / tau) ** 2)
        yield state
    while state.rows < data.n:
        row, n, weight = float(x[state.rows]), state.rows + 1, state.weight + 1
        away, off = row - state.mean, row - state.average
        state = state.after(
            "row",
            iteration=n,
            rows=n,
            weight=weight,
            mean=state.mean + away / weight,
            average=state.average + off / n,
            scatter=state.scatter + (n - 1) / n * off**2,
            surprise=state.surprise + state.weight / weight * away**2,
            evidence=state.evidence + float(belief(state, variance, sigma, guess).of_next.log_density(row)),
        )
        yield state
    return f"all {data.n:,} rows are taken in"


def belief(state: GaussianMeanState, variance: Variance, sigma: float, guess: float) -> MeanBelief:
    """What is believed of μ and σ²: with σ unknown its guess is (ν₀σ² + Q)/(ν₀ + n)."""
    if variance == "known":
        return MeanBelief(state.mean, state.weight, sigma**2)
    freedom = guess + state.rows
    return MeanBelief(state.mean, state.weight, (guess * sigma**2 + state.surprise) / freedom, freedom)


def adapt(before: Problem, after: Problem, state: GaussianMeanState, rows: Array) -> GaussianMeanState:
    """Learn anew from the rows taken in that are still there, as they now are, under the prior that is now."""
    p = after.parameters
    prior = {"variance": p.variance, "prior_mean": p.prior_mean, "tau": p.tau, "sigma": p.sigma, "guess": p.guess}
    run = gaussian_mean(after.data, **prior)
    fresh = next(run)
    for _ in range(int(((rows >= 0) & (rows < state.rows)).sum())):
        fresh = next(run)
    return state.replaced(**fresh.parts())


def taken(problem: Problem, state: GaussianMeanState) -> Array:
    """(n,) the rows taken in."""
    return problem.data.X[: state.rows, 0]


def known(problem: Problem) -> bool:
    return bool(problem.parameters.variance == "known")


def known_square(problem: Problem) -> float | None:
    """σ² where it is known."""
    return float(problem.parameters.sigma**2) if known(problem) else None


def strength(problem: Problem) -> float:
    """κ₀ = σ²/τ²: how many rows the prior counts for."""
    return float((problem.parameters.sigma / problem.parameters.tau) ** 2)


@once
def prior(problem: Problem) -> MeanBelief:
    p = problem.parameters
    return MeanBelief(p.prior_mean, strength(problem), p.sigma**2, inf if known(problem) else p.guess)


@kept
def posterior(problem: Problem, state: GaussianMeanState) -> MeanBelief:
    p = problem.parameters
    return belief(state, p.variance, p.sigma, p.guess)


def likelihood(problem: Problem, state: GaussianMeanState) -> Student | None:
    """The likelihood over μ, scaled so that it integrates to one; None where it has no greatest value."""
    if differ(problem, state) is not True:
        return None
    return scaled_likelihood(state.rows, state.average, state.scatter, known_square(problem))


def share(problem: Problem, state: GaussianMeanState) -> float:
    """κ₀/(κ₀ + n): how much of m is the prior's."""
    return strength(problem) / (strength(problem) + state.rows)


def most_likely(problem: Problem, state: GaussianMeanState) -> float:
    """The mean of the rows; NaN before the first row."""
    return state.average if state.rows else nan


def variance_mle(problem: Problem, state: GaussianMeanState) -> float:
    """S/n; NaN before the first row."""
    return state.scatter / state.rows if state.rows else nan


def unbiased(problem: Problem, state: GaussianMeanState) -> float:
    """S/(n - 1); NaN before the second row."""
    return state.scatter / (state.rows - 1) if state.rows > 1 else nan


def standard_error(problem: Problem, state: GaussianMeanState) -> float:
    """Of the mean of the rows: by σ where that is known, else by the rows; NaN before there are enough."""
    square = known_square(problem)
    return sqrt((unbiased(problem, state) if square is None else square) / state.rows) if state.rows else nan


def seen(problem: Problem, state: GaussianMeanState) -> bool | str:
    """The hypothesis that there is an estimate of maximum likelihood."""
    return state.rows > 0 or "before the first row there is no estimate of maximum likelihood"


@kept
def differ(problem: Problem, state: GaussianMeanState) -> bool | str:
    """The hypothesis that the likelihood has a greatest value."""
    if known(problem) or not state.rows:
        return seen(problem, state)
    x = taken(problem, state)
    if float(np.ptp(x)) > _EQUAL * float(np.abs(x).max()):
        return True
    return f"{'one row is' if state.rows == 1 else 'equal rows are'} fitted the better the smaller σ is, without end"


def validate(problem: Problem) -> str | None:
    return column_out_of_range(problem.data, 0, _LARGEST)


def scene(problem: Problem, before: GaussianMeanState | None, after: GaussianMeanState) -> Scene:
    data, (true, _), coming = problem.data, true_gaussian(problem.data), posterior(problem, after).of_next
    ends = ends_of(data.X[:, 0], problem.parameters.prior_mean, problem.parameters.tau)
    axis = data.features[0] + (" (scaled)" if data.scaled else "")

    def means(past: GaussianMeanState) -> Array:
        return np.array([past.mean, most_likely(problem, past)])

    densities = density_panel(
        beliefs(problem, after),
        ends,
        axis,
        true,
        earlier=lambda past: posterior(problem, past).of_mean,
        moved=lambda state, to: state.replaced(mean=to),
        sets=lambda to: {"prior_mean": min(max(round(to, 3), -_MOST), _MOST)},
    )
    rows = rows_panel(data, axis, after.rows, coming, true, problem.parameters.prior_mean, means)
    both = () if known(problem) else (mean_and_deviation(problem, after, ends),)
    return Scene((densities, *both, rows, distributions(beliefs(problem, after)), numbers_table(problem, after)))


def beliefs(problem: Problem, state: GaussianMeanState) -> dict[str, Student | None]:
    """What is said of μ alone, by whom."""
    of_mean = posterior(problem, state).of_mean
    return {"prior": prior(problem).of_mean, "likelihood": likelihood(problem, state), "posterior": of_mean}


def mean_and_deviation(problem: Problem, state: GaussianMeanState, ends: Ends) -> Panel:
    """μ and σ, of which the latter is not known."""
    now, deepest = posterior(problem, state), 2.5 * max(float(problem.data.X[:, 0].std()), problem.parameters.sigma)
    likeliest = most_likely(problem, state), sqrt(variance_mle(problem, state))
    places = {"MAP": (now.mean, sqrt(now.likeliest_square)), "MLE": likeliest, "truth": true_gaussian(problem.data)}
    return joint_panel(now, ends, deepest, places)


def numbers_table(problem: Problem, state: GaussianMeanState) -> Panel:
    return numbers(
        {
            "rows n": state.rows,
            "MLE of μ: mean": most_likely(problem, state),
            "MAP of μ: m": state.mean,
            "the prior's share of it": share(problem, state),
            "MLE of σ²: S/n": variance_mle(problem, state),
            "unbiased: S/(n - 1)": unbiased(problem, state),
            "σ² known" if known(problem) else "MAP of σ²": posterior(problem, state).likeliest_square,
            "ln p(x)": nan if problem.forked else state.evidence,
            "true μ": true_gaussian(problem.data)[0],
            "true σ²": true_gaussian(problem.data)[1] ** 2,
        }
    )


def explain(problem: Problem, before: GaussianMeanState | None, after: GaussianMeanState) -> str:
    p, of_mu = problem.parameters, posterior(problem, after).of_mean
    now = f"μ is {of_mu.place:.4g} ± {of_mu.width:.2g}"
    if not after.rows:
        guess = "" if known(problem) else f", that of the guess σ = {p.sigma:g} is {p.guess:g}"
        return f"Before any row {now}: the prior's weight, in rows, is σ²/τ² = {strength(problem):.3g}{guess}."
    row = f"Row {after.rows - 1} is {float(problem.data.X[after.rows - 1, 0]):.4g}"
    weighs = f"The mean of {after.rows} is {after.average:.4g}; the prior has {share(problem, after):.0%} of the weight"
    if before is None:
        return f"{row}. {weighs}: {now}."
    expected = posterior(problem, before).of_next
    moves = f"m moves by 1/κ = {1 / after.weight:.3g} of what it was off"
    said = f"{row}; {expected.place:.4g} ± {expected.width:.3g} was expected, and {moves}."
    return Words.of(said, f"{weighs}: {now}.")


def too_small(problem: Problem, values: Mapping[str, Array]) -> float:
    """(n - 1)/n σ² of the rows that were taken in."""
    n = min(_EARLY, problem.data.n)
    return float((n - 1) / n * true_gaussian(problem.data)[1] ** 2)


def off_squared(problem: Problem, last: GaussianMeanState) -> float:
    """(MLE - μ)² of a run's rows."""
    return float((last.average - true_gaussian(problem.data)[0]) ** 2)


def over_n(problem: Problem, values: Mapping[str, Array]) -> float:
    """σ²/n."""
    return float(true_gaussian(problem.data)[1] ** 2 / problem.data.n)


def true_mean(problem: Problem, state: GaussianMeanState) -> float | None:
    """The mean that the rows were made with, None where nobody knows it."""
    mean = true_gaussian(problem.data)[0]
    return mean if np.isfinite(mean) else None


SYMBOLS = {
    "μ": ("the mean that is sought, where the rows were made with a known one", true_mean),
    "σ": ("the deviation of a row; where it is not known, the guess of it", lambda p, state: p.parameters.sigma),
    "μ₀, τ": ("mean and deviation of the prior", None),
    "κ₀": ("σ²/τ², the rows that the prior counts for", lambda problem, state: strength(problem)),
    "κ": ("κ₀ + n, those that the posterior counts for", lambda problem, state: state.weight),
    "ν₀": ("the rows that the guess of an unknown σ counts for", None),
    "n": ("rows so far", lambda problem, state: state.rows),
    "m": ("the posterior's mean and mode", lambda problem, state: state.mean),
    "MLE": ("of μ, the mean of the rows", lambda problem, state: state.average if state.rows else None),
    "S": ("Σ (x - MLE)² over them", lambda problem, state: state.scatter),
    "Q": ("Σ κ/(κ + 1) (x - m)², by the κ and m before each row", lambda problem, state: state.surprise),
    "s": ("the prior's share, κ₀/(κ₀ + n)", share),
    "L": ("the likelihood, Π N(x_i; μ, σ²)", None),
    "x": ("a row: its first feature", None),
    "N(m, σ²/κ)": ("the normal distribution of mean m and variance σ²/κ", None),
    "p": ("what is believed, as a density", None),
}
SQUARE = "κ(μ - m)² + (x - μ)² = (κ + 1)(μ - m')² + κ/(κ + 1) (x - m)²,  m' = m + (x - m)/(κ + 1)"


@theorem(
    "m lies between the prior's mean and the MLE",
    source="Bayes (1763); Raiffa and Schlaifer (1961)",
    about="run",
    hypotheses={"there was a row": seen},
    proof=(
        "κ'm' = κm + x at each row; summed: (κ₀ + n) m = κ₀ μ₀ + Σ x = κ₀ μ₀ + n MLE",
        "so m = s μ₀ + (1 - s) MLE, a mean with weights that are both >= 0",
    ),
)
def is_between(problem: Problem, before: GaussianMeanState | None, after: GaussianMeanState) -> Answer:
    x, first = taken(problem, after), problem.parameters.prior_mean
    low, high = sorted([first, float(x.mean())])
    size = float(np.abs(x).max()) + abs(first) + abs(after.mean)
    return Sides(("min(μ₀, MLE)", low), ("m", after.mean), ("max(μ₀, MLE)", high), size=size)


@theorem(
    "Bayes: p'(μ) = p(μ) p(x|μ)/p(x)",
    source="Bayes (1763); of a Gaussian Gauss (1809)",
    about="step",
    phases=("row",),
    proof=(
        SQUARE,
        "the first square is that of N(m', σ²/(κ + 1)), the second that of p(x) = N(m, σ² + σ²/κ)",
        "σ unknown: the second is added to Q; p(x), integrated over σ², is a Student distribution",
    ),
)
def bayes_rule(problem: Problem, before: GaussianMeanState, after: GaussianMeanState) -> Answer:
    """The new density at some places, against the old one times the row's likelihood over its chance."""
    row = float(problem.data.X[after.rows - 1, 0])
    now, learnt, size = learnt_from(row, posterior(problem, before), posterior(problem, after))
    sides = ("ln p'(μ)", now), ("ln p(μ)p(x|μ)/p(x)", learnt)
    return Sides.each(*sides, relation="==", size=size, entries=PLACES_LEARNT)


@theorem(
    "precisions add: κ/σ² = 1/τ² + n/σ²",
    source="Gauss (1809)",
    proof=(SQUARE, "so each row adds 1 to κ, 1/σ² to the precision κ/σ², whatever it is; κ₀/σ² = 1/τ²"),
)
def precisions_add(problem: Problem, before: GaussianMeanState | None, after: GaussianMeanState) -> Answer:
    if not known(problem):
        return Sides(("κ", after.weight), ("κ₀ + n", strength(problem) + after.rows), relation="==")
    sigma, tau = problem.parameters.sigma, problem.parameters.tau
    added = 1 / tau**2 + after.rows / sigma**2
    return Sides(("κ/σ²", after.weight / sigma**2), ("1/τ² + n/σ²", added), relation="==")


@theorem(
    "the likelihood is greatest at the MLE",
    source="Gauss (1809)",
    hypotheses={"the likelihood has a greatest value": differ},
    proof=(
        "Σ (x - μ)² = S + n(MLE - μ)², so whatever σ is the likeliest μ is the mean of the rows",
        "there -2 ln L = n ln 2πσ² + S/σ², which falls up to σ² = S/n and then rises",
    ),
)
def is_likeliest(problem: Problem, before: GaussianMeanState | None, after: GaussianMeanState) -> Answer:
    near, best, size = beside_likeliest(taken(problem, after), after.average, after.scatter, known_square(problem))
    return Sides.each(("ln L beside", near), ("ln L", best), size=size, entries=PLACES_BESIDE[: len(near)])


@theorem(
    "the order of the rows does not matter",
    source="de Finetti (1937)",
    about="run",
    proof=(
        "p(x_1) p(x_2|x_1) ... p(x_n|x_1 ... x_{n-1}) = p(x_1, ..., x_n), by whatever order",
        "and that depends on n, MLE and S alone: Q = S + κ₀ n/κ (MLE - μ₀)²",
    ),
)
def order_does_not_matter(problem: Problem, before: GaussianMeanState | None, after: GaussianMeanState) -> Answer:
    together, size = log_evidence(prior(problem), taken(problem, after))
    return Sides(("Σ ln p as they came", after.evidence), ("ln p(x) at once", together), relation="==", size=size)


THEOREMS = (is_between, bayes_rule, precisions_add, is_likeliest, order_does_not_matter)
EXPECTATIONS = (
    Expectation(
        "E[S/n] = (n - 1)/n σ²: the MLE of σ² is too small (after 5 rows)",
        variance_mle,
        too_small,
        names=("mean S/n", "(n - 1)/n σ²"),
        source="Gauss (1823)",
        over="data.seed",
        truth=("mean", "deviation"),
        until=_EARLY,
        proof=("S = Σ (x - μ)² - n(MLE - μ)²", "the first has the mean nσ², the second n σ²/n: E[S] = (n - 1)σ²"),
    ),
    Expectation(
        "E[(MLE - μ)²] = σ²/n: the mean of n rows has a variance n times smaller",
        off_squared,
        over_n,
        names=("mean (MLE - μ)²", "σ²/n"),
        source="Gauss (1809)",
        over="data.seed",
        truth=("mean", "deviation"),
        proof=("E[MLE] = μ, and the variances of independent rows add: Var(Σx/n) = nσ²/n² = σ²/n",),
    ),
)

ALGORITHM = Algorithm(
    gaussian_mean,
    title="Learning a mean: Gaussian, prior and rows",
    point="Each row narrows the bell of belief, and draws it from the prior towards the rows.",
    after=("beta_bernoulli",),
    leaves_open="The belief is as narrow as σ says, whether σ is right or not.",
    tries=(("a sure prior, far off", "-p prior_mean=5 -p tau=0.1"), ("σ unknown too", "-p variance=unknown")),
    asks=(
        Ask("Does the posterior mean come nearer to the truth?", 'abs("posterior mean" - truth) falls'),
        Ask.way("One row more: what does the estimate of σ² do?", '"MLE of σ²"'),
    ),
    summary="Learns the mean of a Gaussian from its rows, as a distribution that narrows with each of them.",
    rule="κ <- κ + 1\nm <- m + (x - m)/κ        μ ~ N(m, σ²/κ)",
    needs=Needs(target="none"),
    phases={"start": "the prior N(μ₀, τ²)", "row": "a row is taken in: m moves by 1/κ of what it was off"},
    curves=(
        Curve("posterior mean", lambda problem, state: state.mean, "m, the MAP estimate", "μ", tone="accent"),
        Curve("MLE", most_likely, "Σ x/n", "μ", tone=2),
        Curve(
            "truth",
            lambda problem, state: true_gaussian(problem.data)[0],
            "μ that the rows were made with",
            "μ",
            tone=3,
        ),
        Curve("deviation", lambda p, s: posterior(p, s).of_mean.deviation, "of the posterior", "deviation", log=True),
        Curve("standard error", standard_error, "σ/√n; σ unknown: √(S/n(n - 1))", "deviation", log=True),
        Curve("prior's share", share, "κ₀/(κ₀ + n)"),
        Curve("MLE of σ²", variance_mle, "S/n", "σ²"),
        Curve("unbiased", unbiased, "S/(n - 1)", "σ²"),
        Curve("true σ²", lambda p, state: true_gaussian(p.data)[1] ** 2, "of which the rows were made", "σ²"),
        Curve("log evidence", lambda problem, state: state.evidence, "ln p(x)", about="run"),
    ),
    objective={("log evidence",): ()},
    theorems=THEOREMS,
    expectations=EXPECTATIONS,
    ends={
        "all … rows are taken in": all_rows(lambda state: state.rows),
    },
    symbols=SYMBOLS,
    only_for={"guess": ("variance", "unknown")},
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    start_only=("prior_mean",),
    datasets=(
        gaussian.with_(n=80, seed=2),
        faithful.with_(columns=("eruptions",)),
        diabetes.with_(columns=("s4",)),
        iris.with_(columns=("sepal_width_cm",)),
    ),
)
