"""Bayesian linear regression: what is believed of the weights, row by row, as a Gaussian that only narrows.

    model        y = x·w + noise,  noise ~ N(0, σ²);  x has the constant 1 last, if there is an intercept
    prior        w ~ N(0, τ² I)
    a row x, y   v = x·Σx,   k = Σx/(σ² + v),   m <- m + k (y - x·m),   Σ <- Σ - k xᵀΣ
    posterior    w ~ N(m, Σ),   Σ⁻¹ = I/τ² + XᵀX/σ²,   m = Σ Xᵀy/σ²

The posterior's mean, which is its mode too (the MAP estimate), is that of ridge regression with λ = σ²/τ²: the least
Σ (y - x·w)² + λ‖w‖², where the intercept is penalised like the others. A row expected as N(x·m, σ² + v) moves m along
Σx, and takes from Σ what it says of x·w: the variance of u·w falls by (u·Σx)²/(σ² + v), so that it never rises along
any u and stays where u·Σx = 0, and |Σ| is divided by 1 + v/σ². However the targets came out: Σ depends on the rows
alone.

Σ is kept as S Sᵀ, so that rounding cannot make a variance negative.

References: Gauss (1823), Theoria combinationis observationum erroribus minimis obnoxiae; Plackett (1950), Some theorems
in least squares, Biometrika 37 (a row at a time); Lindley and Smith (1972), Bayes estimates for the linear model, J. of
the Royal Statistical Society B 34; Hoerl and Kennard (1970), Ridge regression, Technometrics 12; Potter (1963), New
statistical formulas, MIT Instrumentation Laboratory (S in place of Σ); Bishop (2006), Pattern Recognition and Machine
Learning, section 3.3.
"""

from math import log, nan, pi, sqrt
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Ask,
    Curve,
    Dataset,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Words,
    columns,
    kept,
    numbers,
    once,
    theorem,
)
from algorithms.data import faithful, iris, line, prostate
from algorithms.families.estimation.bayesian_linear_regression.linear_beliefs import WeightBelief, log_evidence, ridge
from algorithms.families.estimation.bayesian_linear_regression.pictures import (
    line_panel,
    predicted_with_errors,
    slope_panel,
    weights_panel,
)
from algorithms.toolbox.ends import all_rows
from algorithms.toolbox.least_squares import features
from algorithms.toolbox.truths import true_function

_REACH = 1e6  # of the rows' length times τ/σ: beyond it Σ loses more digits than there are to spare
_DRAWN = 12  # lines drawn from what is believed


class BayesianRegressionState(State, frozen=True, kw_only=True):
    mean: Array  # (p,) m, the intercept last
    root: Array  # (p, p) S, of Σ = S Sᵀ
    rows: int = 0  # taken in so far
    evidence: float = 0.0  # Σ ln of the density with which each target was expected: ln p(y)


def bayesian_linear_regression(
    data: Dataset,
    state: BayesianRegressionState | None = None,
    *,
    sigma: Annotated[float, Meta(ge=1e-3, le=1e3, description="σ, the deviation of the noise")] = 0.5,
    tau: Annotated[float, Meta(ge=1e-3, le=1e3, description="τ, the deviation of each weight in the prior")] = 1.0,
    intercept: Annotated[bool, Meta(description="append the constant 1 to the features")] = True,
) -> Run[BayesianRegressionState]:
    X, y = data.once(features, intercept), np.asarray(data.y)
    if state is None:
        state = BayesianRegressionState(mean=np.zeros(X.shape[1]), root=tau * np.eye(X.shape[1]))
        yield state
    while state.rows < data.n:
        x, target = X[state.rows], float(y[state.rows])
        u = state.root.T @ x  # so x·Σx = u·u
        variance = sigma**2 + float(u @ u)
        off = target - float(x @ state.mean)
        k = state.root @ u / variance
        state = state.after(
            "row",
            iteration=state.rows + 1,
            rows=state.rows + 1,
            mean=state.mean + off * k,
            root=state.root - np.outer(k, u / (1 + sigma / sqrt(variance))),
            evidence=state.evidence - 0.5 * (log(2 * pi * variance) + off**2 / variance),
        )
        yield state
    return f"all {data.n:,} rows are taken in"


def adapt(before: Problem, after: Problem, state: BayesianRegressionState, rows: Array) -> BayesianRegressionState:
    """Learn anew from the rows taken in that are still there, as they now are, under the prior that is now."""
    p, q = before.parameters, after.parameters
    if after.data is before.data and (p.sigma, p.tau) == (q.sigma, q.tau):
        return state
    run = bayesian_linear_regression(after.data, sigma=q.sigma, tau=q.tau, intercept=q.intercept)
    fresh = next(run)
    for _ in range(int(((rows >= 0) & (rows < state.rows)).sum())):
        fresh = next(run)
    return state.replaced(**fresh.parts())


def rows_of(problem: Problem) -> tuple[Array, Array]:
    """(n, p) rows with the constant 1 last, where there is an intercept, and (n,) targets."""
    return problem.data.once(features, problem.parameters.intercept), np.asarray(problem.data.y, float)


def taken(problem: Problem, state: BayesianRegressionState) -> tuple[Array, Array]:
    """The rows taken in."""
    X, y = rows_of(problem)
    return X[: state.rows], y[: state.rows]


@once
def prior(problem: Problem) -> WeightBelief:
    p = rows_of(problem)[0].shape[1]
    return WeightBelief(np.zeros(p), problem.parameters.tau * np.eye(p))


@kept
def posterior(problem: Problem, state: BayesianRegressionState) -> WeightBelief:
    return WeightBelief(state.mean, state.root)


@kept
def variances(problem: Problem, state: BayesianRegressionState) -> Array:
    """(p,) eigenvalues of Σ, the greatest first."""
    return posterior(problem, state).variances()


def penalty(problem: Problem) -> float:
    """λ = σ²/τ²."""
    return float((problem.parameters.sigma / problem.parameters.tau) ** 2)


@once
def in_the_end(problem: Problem) -> Array:
    """(p,) ridge's weights of all rows."""
    return ridge(*rows_of(problem), penalty(problem))


def reach(problem: Problem) -> float:
    """‖X‖ τ/σ: how much narrower the posterior may become than the prior."""
    return float(np.linalg.norm(rows_of(problem)[0])) / sqrt(penalty(problem))


def lost(problem: Problem) -> float:
    """What rounding takes of S at first, beside what is left of it in the end, where that may be so much less."""
    return float(1e-15 * rows_of(problem)[0].shape[1] * (1 + reach(problem)) ** 2)


def size_of_weights(problem: Problem, state: BayesianRegressionState) -> float:
    """The largest number that is added on the way to m: targets times k, which is at most τ/(2σ) long."""
    y, p = taken(problem, state)[1], problem.parameters
    return float(np.abs(state.mean).max() + np.abs(y).max(initial=0.0) * p.tau / p.sigma)


def error(problem: Problem, state: BayesianRegressionState) -> float:
    X, y = rows_of(problem)
    return float(np.mean((y - X @ state.mean) ** 2))


def expected(problem: Problem, before: BayesianRegressionState, row: int) -> tuple[float, float]:
    """x·m of a row, and x·Σx."""
    fit, variance = posterior(problem, before).of_fit(rows_of(problem)[0][row : row + 1])
    return float(fit[0]), float(variance[0])


def validate(problem: Problem) -> str | None:
    if reach(problem) <= _REACH:
        return None
    return f"‖X‖ τ/σ is {reach(problem):.2g}; beyond {_REACH:g} rounding leaves nothing of Σ: scale the features."


@once
def noise(problem: Problem) -> Array:
    """(12, p) standard Gaussian numbers, the same at every step: weights drawn by them move with what is believed."""
    return np.random.default_rng(0).standard_normal((_DRAWN, rows_of(problem)[0].shape[1]))


def scene(problem: Problem, before: BayesianRegressionState | None, after: BayesianRegressionState) -> Scene:
    data, now, sigma, n = problem.data, posterior(problem, after), problem.parameters.sigma, after.rows
    drawn = now.mean + noise(problem) @ now.root.T
    one = data.d == 1
    if one:
        fit = line_panel(data, now, drawn, sigma, n, true_function(data))
    else:
        fit = predicted_with_errors(data, *now.of_fit(rows_of(problem)[0]), sigma, n)
    tables = weights_table(problem, after), numbers_table(problem, after)
    if len(after.mean) == 1:
        weights = slope_panel(prior(problem), now, in_the_end(problem), data.features[0])
        return Scene((fit, weights, *tables))
    axes = (1, 0) if one else (0, 1)  # the intercept across, the slope up
    row = (rows_of(problem)[0][n - 1], float(rows_of(problem)[1][n - 1])) if one and n and before is not None else None
    names = names_of(problem)[axes[0]], names_of(problem)[axes[1]]
    true = true_weights(problem)
    weights = weights_panel(prior(problem), now, drawn, in_the_end(problem), axes, names, row, sigma, true)
    return Scene((fit, weights, *tables))


def names_of(problem: Problem) -> tuple[str, ...]:
    """What the weights are called."""
    data = problem.data
    slopes = ("slope",) if data.d == 1 and problem.parameters.intercept else data.features
    return (*slopes, "intercept") if problem.parameters.intercept else slopes


def true_weights(problem: Problem) -> Array | None:
    """(2,) slope and intercept that a made line has, where they are known."""
    truth = problem.data.truth
    if problem.data.d != 1 or not problem.parameters.intercept or not {"slope", "intercept"} <= truth.keys():
        return None
    return np.array([truth["slope"], truth["intercept"]], float)


def weights_table(problem: Problem, state: BayesianRegressionState) -> Panel:
    now, true = posterior(problem, state), true_weights(problem)
    heads = {"": names_of(problem), "mean": now.mean, "±": now.deviations, "ridge, all rows": in_the_end(problem)}
    if true is not None:
        heads["truth"] = true
    note = "of scaled features" if problem.data.scaled else ""
    return columns("weights", heads, note=note)


def numbers_table(problem: Problem, state: BayesianRegressionState) -> Panel:
    largest = variances(problem, state)
    return numbers(
        {
            "rows": state.rows,
            "λ = σ²/τ²": penalty(problem),
            "greatest deviation of w": sqrt(largest[0]),
            "least deviation of w": sqrt(largest[-1]),
            "ln|Σ|": 2 * posterior(problem, state).log_volume,
            "mean squared error, all rows": error(problem, state),
            "ln p(y)": nan if problem.forked else state.evidence,
        }
    )


def explain(problem: Problem, before: BayesianRegressionState | None, after: BayesianRegressionState) -> str:
    p, data, now = problem.parameters, problem.data, posterior(problem, after)
    i = int(np.abs(after.mean[: data.d]).argmax())
    weight = f"{names_of(problem)[i]} is {after.mean[i]:.3g} ± {now.deviations[i]:.2g}"
    if not after.rows:
        return (
            f"Before any row each weight is 0 ± {p.tau:g}, as under a ridge penalty λ = σ²/τ² = {penalty(problem):.3g}."
        )
    row = after.rows - 1
    which = f"{data.who(row)} has {data.target} {float(rows_of(problem)[1][row]):.4g}"
    if before is None:
        return f"{which}. {weight}."
    fit, v = expected(problem, before, row)
    left = expected(problem, after, row)[1]
    expectation = f"{fit:.4g} ± {sqrt(p.sigma**2 + v):.3g} was expected"
    narrows = f"Now x·w is known there to ± {sqrt(left):.2g}, before to ± {sqrt(v):.2g}"
    if after.rows < data.n:
        return f"{which}; {expectation}. {narrows}; {weight}."
    return Words.of(
        f"{which}; {expectation}. {narrows}.", f"After {after.rows} rows {weight}; the prior had 0 ± {p.tau:g}."
    )


SYMBOLS = {
    "w": ("weights, the intercept last", None),
    "m": ("mean and mode of what is believed of them", None),
    "Σ, S": ("covariance of what is believed of w, S Sᵀ", None),
    "σ": ("the deviation of the noise", lambda problem, state: problem.parameters.sigma),
    "τ": ("the deviation of each weight in the prior", lambda problem, state: problem.parameters.tau),
    "λ": ("σ²/τ², the penalty of ridge regression", lambda problem, state: penalty(problem)),
    "X, y": ("the rows so far, 1 the last column with an intercept; their targets", None),
    "x": ("the row just taken in", None),
    "v": ("x·Σx, the variance of x·w before it", None),
    "k": ("the gain Σx/(σ² + x·Σx): how far m moves for an error of 1", None),
    "I": ("the identity matrix", None),
    "p": ("what is believed, as a density", None),
}
SQUARES = "Σ (y - x·w)²/σ² + ‖w‖²/τ² = (w - m)ᵀΣ⁻¹(w - m) + what w is not in,  Σ⁻¹ = I/τ² + XᵀX/σ²"


@theorem(
    "variances never rise, along any axis of Σ",
    source="Plackett (1950)",
    about="step",
    phases=("row",),
    proof=(
        "Σ - Σ' = Σx xᵀΣ/(σ² + v) has no negative eigenvalue",
        "so for each j the j-th eigenvalue of Σ' is at most that of Σ (Weyl 1912)",
    ),
)
def only_shrinks(problem: Problem, before: BayesianRegressionState, after: BayesianRegressionState) -> Answer:
    was, now = variances(problem, before), variances(problem, after)
    longest_first = [f"axis {j}" for j in range(1, len(now) + 1)]
    return Sides.each(("variance", now), ("before", was), size=was[0], entries=longest_first)


@theorem(
    "m is ridge regression's w with λ = σ²/τ²",
    source="Hoerl and Kennard (1970); Lindley and Smith (1972)",
    about="run",
    proof=(
        "-2σ² ln p(w|y) = Σ (y - x·w)² + (σ²/τ²)‖w‖² + what w is not in: prior times likelihood",
        "a Gaussian is densest at its mean, so m makes that least",
    ),
)
def is_ridge(problem: Problem, before: BayesianRegressionState | None, after: BayesianRegressionState) -> Answer:
    X, y = taken(problem, after)
    w = ridge(X, y, penalty(problem))
    size = float(np.abs(w).max()) + size_of_weights(problem, after)
    sides, slack = (("m", after.mean), ("ridge", w)), lost(problem) * size
    return Sides.each(*sides, relation="==", size=size, slack=slack, entries=names_of(problem))


@theorem(
    "precisions add: Σ⁻¹ = I/τ² + XᵀX/σ²",
    source="Gauss (1823); Lindley and Smith (1972)",
    proof=(SQUARES, "seen as SᵀΣ⁻¹S = I: with Σ = SSᵀ that is the same"),
)
def precisions_add(problem: Problem, before: BayesianRegressionState | None, after: BayesianRegressionState) -> Answer:
    """Σ times the precision is I, for every entry: Sᵀ(I/τ² + XᵀX/σ²)S too, which loses fewer digits."""
    S, X = after.root, taken(problem, after)[0] @ after.root / problem.parameters.sigma
    whole = S.T @ S / problem.parameters.tau**2 + X.T @ X
    sides = ("Sᵀ(I/τ² + XᵀX/σ²)S", whole), ("I", np.eye(len(S)))
    return Sides.each(*sides, relation="==", size=1.0, slack=lost(problem), axes=("column", "column"))


@theorem(
    "|Σ'| = |Σ|/(1 + v/σ²)",
    source="Sylvester (1851); Plackett (1950)",
    about="step",
    phases=("row",),
    proof=("|Σ'⁻¹| = |Σ⁻¹ + xxᵀ/σ²| = |Σ⁻¹| (1 + xᵀΣx/σ²)",),
)
def determinant(problem: Problem, before: BayesianRegressionState, after: BayesianRegressionState) -> Answer:
    _, v = expected(problem, before, after.rows - 1)
    now, was = 2 * posterior(problem, after).log_volume, 2 * posterior(problem, before).log_volume
    learnt = was - log(1 + v / problem.parameters.sigma**2)
    size = abs(was) + abs(now) + len(after.mean)
    return Sides(("ln|Σ'|", now), ("ln|Σ| - ln(1 + v/σ²)", learnt), relation="==", size=size, slack=lost(problem))


@theorem(
    "Bayes: p'(w) = p(w) p(y|w)/p(y)",
    source="Bayes (1763)",
    about="step",
    phases=("row",),
    proof=(
        "the exponents are quadratic: so is their sum, a Gaussian's of mean m' and covariance Σ'",
        "p(y) = ∫ p(w) p(y|w) dw has mean x·m and variance σ² + v, of two independent errors",
    ),
)
def bayes_rule(problem: Problem, before: BayesianRegressionState, after: BayesianRegressionState) -> Answer:
    """The new density at some places, against the old one times the row's likelihood over its chance."""
    X, y = rows_of(problem)
    x, target, sigma = X[after.rows - 1], float(y[after.rows - 1]), problem.parameters.sigma
    was, now, (fit, v) = (
        posterior(problem, before),
        posterior(problem, after),
        expected(problem, before, after.rows - 1),
    )
    w = np.vstack([after.mean, after.mean + 2 * after.root.T])  # as far as it is still believed
    off, wide = (target - w @ x) / sigma, sigma**2 + v
    of_row = -0.5 * off**2 - log(sigma)
    chance = -0.5 * (target - fit) ** 2 / wide - 0.5 * log(wide)
    here, there = now.log_density(w), was.log_density(w)
    far = (abs(target) + np.abs(w) @ np.abs(x) + float(np.abs(before.mean) @ np.abs(x))) / sigma
    size = np.abs(here) + np.abs(there) + (np.abs(off) + 1) * (far + np.abs(off)) + abs(chance) + abs(log(sigma)) + 5
    learnt = there + of_row - chance
    slack = lost(problem) * float(size.max())
    sides = ("ln p'(w)", here), ("ln p(w)p(y|w)/p(y)", learnt)
    places = ["m", *(f"m + 2 × column {j} of S" for j in range(len(after.mean)))]
    return Sides.each(*sides, relation="==", size=float(size.max()), slack=slack, entries=places)


@theorem(
    "the order of the rows does not matter",
    source="de Finetti (1937)",
    about="run",
    proof=(
        "p(y_1) p(y_2|y_1) ... = p(y_1, ..., y_n), by whatever order",
        "and y is Gaussian, of mean 0 and covariance σ²I + τ²XXᵀ: exchanged rows change nothing",
    ),
)
def order_does_not_matter(
    problem: Problem, before: BayesianRegressionState | None, after: BayesianRegressionState
) -> Answer:
    X, y = taken(problem, after)
    together = log_evidence(X, y, problem.parameters.sigma, problem.parameters.tau)
    large = float(np.abs(y).max(initial=0.0)) / problem.parameters.sigma
    size = (
        after.rows * (5 + abs(log(problem.parameters.sigma)) + large**2) + abs(together) + 2 * log(1 + reach(problem))
    )
    return Sides(
        ("Σ ln p as they came", after.evidence),
        ("ln p(y) at once", together),
        relation="==",
        size=size,
        slack=lost(problem) * size,
    )


THEOREMS = (only_shrinks, is_ridge, precisions_add, determinant, bayes_rule, order_does_not_matter)

ALGORITHM = Algorithm(
    bayesian_linear_regression,
    title="Bayesian linear regression",
    point="Each row narrows the band of lines that are still believed.",
    after=("least_squares", "gaussian_mean"),
    leaves_open="The band is right if σ is, and the truth a line.",
    tries=(("a prior sure of 0", "-p tau=0.05"), ("σ thought small", "-p sigma=0.05")),
    asks=(
        Ask.way("A row more is taken in: what does the training error do?", '"training error"'),
        Ask.number("What will the greatest deviation of w be?", '"greatest deviation"', 0.1),
    ),
    summary="Learns what to believe of the weights of a line from row after row, as a Gaussian that only narrows.",
    rule="k = Σx/(σ² + x·Σx)\nm <- m + k (y - x·m)\nΣ <- Σ - k xᵀΣ",
    needs=Needs(target="number", most_features=1_000, within=(1e-50, 1e50)),  # beyond, squares of squares overflow
    phases={
        "start": "the prior w ~ N(0, τ² I)",
        "row": "a row is taken in: the mean of w moves, its covariance shrinks",
    },
    start_only=("intercept",),
    curves=(
        Curve("error", error, "mean (y - x·m)²", "error", log=True, held_out=True),
        Curve(
            "greatest deviation",
            lambda problem, state: sqrt(variances(problem, state)[0]),
            "√ of Σ's greatest eigenvalue",
            "deviation",
            log=True,
        ),
        Curve("least deviation", lambda p, s: sqrt(variances(p, s)[-1]), "of the least", "deviation", log=True),
        Curve("log volume", lambda problem, state: 2 * posterior(problem, state).log_volume, "ln|Σ|"),
        Curve("log evidence", lambda problem, state: state.evidence, "ln p(y)", about="run"),
    ),
    objective={("log evidence",): ()},
    theorems=THEOREMS,
    ends={
        "all … rows are taken in": all_rows(lambda state: state.rows),
    },
    symbols=SYMBOLS,
    scene=scene,
    explain=explain,
    adapt=adapt,
    validate=validate,
    datasets=(
        line.with_(n=40),
        faithful.with_(target="eruptions", columns=("waiting",), scale=True),
        prostate.with_(scale=True),
        iris.with_(target="petal_width_cm", columns=("petal_length_cm",), scale=True),
    ),
)
