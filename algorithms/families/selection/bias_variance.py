"""Bias and variance: fit many samples of one truth, and see how far their mean is off and how far they scatter.

    y_s = f(x) + σ ε_s,   ε_s ~ N(0, 1),   g_s the fit to sample s,   ḡ = 1/S Σ g_s
    1/S Σ (g_s - f)² = (ḡ - f)² + 1/S Σ (g_s - ḡ)²   at every row:   error = bias² + variance
    on fresh targets of the same rows the error is bias² + variance + σ² on average

The model is a polynomial by its degree, ridge regression by λ, the mean of the k nearest rows, or a memoriser by how
many rows it knows by heart, from the stiffest to the most flexible. Rows stay where they are and their targets are
drawn anew, the same for every model. All these fits are linear, g = Hy with H of the rows alone, so it is known what to
expect of them before anything is drawn:

    E bias² = |f - Hf|²/n,   E variance = σ² Σ H_ij²/n,   E (fresh error - training error) = 2 σ² Σ H_ii/n.

The last is why the training error chooses the memoriser, H = I: it hides 2σ², and nothing hides more. Of d independent
columns Σ H_ii = d: where f is among them, the training error is σ²(1 - d/n) and the fresh one σ²(1 + d/n), on average.

Of made data f and σ are known. Of other data a polynomial fitted to the rows stands for f, and its residuals say σ.

References: Geman, Bienenstock and Doursat (1992), Neural networks and the bias/variance dilemma, Neural Computation 4;
Hastie, Tibshirani and Friedman (2009), The elements of statistical learning, sections 7.3 to 7.6; Efron (1986), How
biased is the apparent error rate of a prediction rule?, J. of the American Statistical Association 81; Mallows (1973),
Some comments on C_p, Technometrics 15; Hoerl and Kennard (1970), Ridge regression, Technometrics 12; Cover and Hart
(1967), Nearest neighbor pattern classification, IEEE Trans. Information Theory 13.
"""

from collections.abc import Callable
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Along,
    Answer,
    Array,
    Curve,
    Dataset,
    Event,
    Expectation,
    FromStart,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    Theorem,
    Variable,
    kept,
    once,
)
from algorithms.data import davis, diabetes, prostate, sine
from algorithms.toolbox.candidates import Candidates, Linear, Memoriser, ModelOrMemoriser, candidates
from algorithms.toolbox.entries import with_entry
from algorithms.toolbox.least_squares import mean_square
from algorithms.toolbox.linear_smoothers import expected_parts, rounding, traces
from algorithms.toolbox.panels.bias_variance import (
    Parts,
    fits_panel,
    mean_fit_panel,
    parts_along,
    parts_at_rows,
    parts_table,
)
from algorithms.toolbox.panels.functions import padded
from algorithms.toolbox.shrinkage import slope
from algorithms.toolbox.sizes import out_of_range, targets_out_of_range
from algorithms.toolbox.truth_samples import Samples, Truth, samples_of, truth_of

_LARGEST = 1e60  # beyond it and below its inverse, the squares of products would overflow or vanish
_MOST_ROWS = 1000  # of which the nearest are looked for, or that are known by heart
_MOST_WORK = 1e8  # rows times columns²: what a decomposition costs, once a sample


class BiasVarianceState(State, frozen=True, kw_only=True):
    w: Array  # (p, S) the fits of the present value, a column each, the intercept first; NaN where not fitted
    fit: Annotated[Array, Along("n")]  # g_s, of the sample fitted last
    mean: Annotated[Array, Along("n")]  # ḡ, the mean of the fits so far
    variance: Annotated[Array, Along("n")]  # 1/S Σ (g_s - ḡ)² so far
    error: Annotated[Array, Along("n")]  # 1/S Σ (g_s - f)² so far
    training: Array  # (values, S) mean squared error on the sample that was fitted
    fresh: Array  # (values, S) and on fresh targets of the same rows
    biases: Array  # (values,) mean of bias² over the rows; NaN where not all samples are fitted
    variances: Array  # (values,) the same of the variance
    choice: int = 0  # which value is tried
    sample: int = -1  # which sample was fitted; -1 before the first
    best: int = -1  # the value with the least bias² + variance of those compared; -1 before


def bias_variance(
    data: Dataset,
    state: BiasVarianceState | None = None,
    *,
    model: Annotated[
        ModelOrMemoriser, Meta(description="what is fitted, by degree, λ, k or rows known")
    ] = "polynomial",
    tried: Annotated[int, Meta(ge=2, le=40, description="values, from the stiffest to the most flexible")] = 10,
    samples: Annotated[int, Meta(ge=2, le=500, description="S, how many are drawn and fitted")] = 20,
    least: Annotated[float, Meta(ge=1e-6, le=1, description="the least λ, tried last")] = 0.01,
    most: Annotated[float, Meta(ge=1, le=1e8, description="the greatest λ, tried first")] = 1e4,
    degree: Annotated[int, Meta(ge=0, le=20, description="of the polynomial that stands for an unknown f")] = 3,
    seed: Annotated[Seed, Meta(description="of the noise of the samples")] = 0,
) -> Run[BiasVarianceState]:
    models, f = data.once(candidates, model, tried, least, most), data.once(truth_of, degree).f
    drawn, every = data.once(samples_of, degree, samples, seed), np.ones(data.n, bool)
    if state is None:
        state = unfitted(models, data.n, samples)
        yield state
    while state.phase != "compare" or state.choice + 1 < tried:
        if state.sample + 1 == samples and state.phase != "compare":
            biases = with_entry(state.biases, state.choice, mean_square(state.mean - f))
            variances = with_entry(state.variances, state.choice, float(state.variance.mean()))
            best = better(biases + variances, state.choice, state.best)
            state = state.after("compare", biases=biases, variances=variances, best=best)
            yield state
        else:
            v, s = divmod(state.choice * samples + state.sample + 1, samples)
            y = drawn.targets[s]
            w = models.given(y).fit(v, every)
            g = models.given(y).predict(v, w, every, data.X)
            mean = (s * state.mean + g) / (s + 1)
            variance = (s * state.variance + (g - state.mean) * (g - mean)) / (s + 1)
            error = (s * state.error + (g - f) ** 2) / (s + 1)
            errors = mean_square(y - g), mean_square(drawn.fresh[s] - g)
            state = state.after(
                "fit",
                iteration=v + 1,
                choice=v,
                sample=s,
                fit=g,
                mean=mean,
                variance=variance,
                error=error,
                **entered(state, v, s, w, errors),
            )
            yield state
    return f"all {tried} values are measured on {samples} samples"


def unfitted(models: Candidates, n: int, samples: int) -> BiasVarianceState:
    """The first state: nothing is fitted."""
    V, p, unknown, zero = len(models.values), len(models.fit(0, np.ones(n, bool))), np.nan, np.zeros(n)
    return BiasVarianceState(
        w=np.full((p, samples), unknown),
        fit=zero,
        mean=zero,
        variance=zero,
        error=zero,
        training=np.full((V, samples), unknown),
        fresh=np.full((V, samples), unknown),
        biases=np.full(V, unknown),
        variances=np.full(V, unknown),
    )


def entered(state: BiasVarianceState, v: int, s: int, w: Array, errors: tuple[float, float]) -> dict[str, Array]:
    """What a fit to a sample adds to those before it: its weights, and its errors on the sample and on a fresh one."""
    fits = state.w if s else np.full_like(state.w, np.nan)
    training, fresh = (with_entry(x, (v, s), e) for x, e in zip((state.training, state.fresh), errors))
    return {"w": with_entry(fits, (slice(None), s), w), "training": training, "fresh": fresh}


def better(errors: Array, choice: int, best: int) -> int:
    """Which value has the least error once `choice` is measured; the stiffer model of equal ones."""
    return choice if best < 0 or errors[choice] < errors[best] else best


def adapt(before: Problem, after: Problem, state: BiasVarianceState, rows: Array) -> State | FromStart:
    return state if after.data is before.data else FromStart("these samples were drawn for other rows")


def models_of(problem: Problem) -> Candidates:
    p = problem.parameters
    return problem.data.once(candidates, p.model, p.tried, p.least, p.most)


def truth(problem: Problem) -> Truth:
    return problem.data.once(truth_of, problem.parameters.degree)


def drawn_samples(problem: Problem) -> Samples:
    p = problem.parameters
    return problem.data.once(samples_of, p.degree, p.samples, p.seed)


def letter_of(problem: Problem) -> str:
    return models_of(problem).letter


def penalised(problem: Problem) -> bool:
    return letter_of(problem) == "λ"


def value_tried(problem: Problem, state: BiasVarianceState) -> float:
    return float(models_of(problem).values[state.choice])


def penalty(problem: Problem, state: BiasVarianceState) -> float | None:
    models = models_of(problem)
    return float(models.penalties[state.choice]) if isinstance(models, Linear) else None


@once
def all_traces(problem: Problem) -> Array:
    return traces(models_of(problem))


@once
def expected(problem: Problem) -> Array:
    """(values, 2) what bias² and variance are on average over samples."""
    return expected_parts(models_of(problem), problem.data.X, truth(problem).f, truth(problem).sigma)


def parts_of(problem: Problem, state: BiasVarianceState) -> Parts:
    models = models_of(problem)
    measured = (state.biases, state.variances, expected(problem).sum(axis=1), state.training, state.fresh)
    return Parts(models.letter, models.values, *measured, truth(problem).sigma ** 2)


@once
def size_of_targets(problem: Problem) -> float:
    """The largest number there is in the samples and in the truth."""
    drawn = drawn_samples(problem)
    return float(max(np.abs(drawn.targets).max(), np.abs(truth(problem).f).max()))


@once
def roundings(problem: Problem) -> tuple[tuple[float, bool], ...]:
    """How much of rounding may come through with each value, and whether anything is certain then."""
    return tuple(rounding(models_of(problem), v) for v in range(problem.parameters.tried))


def size_of_fits(problem: Problem, state: BiasVarianceState) -> float:
    """The largest number that is added on the way to a fit."""
    return roundings(problem)[state.choice][0] * size_of_targets(problem)


def of_value(field: str) -> Callable[[Problem, BiasVarianceState], float]:
    """The mean over samples of an error of the value tried; NaN until all are known."""
    return lambda problem, state: float(getattr(state, field)[state.choice].mean())


def sum_of_parts(problem: Problem, state: BiasVarianceState) -> float:
    return float(state.biases[state.choice] + state.variances[state.choice])


def held_out_error(problem: Problem, state: BiasVarianceState) -> float:
    aside, every = problem.data.held_out, np.ones(problem.data.n, bool)
    if aside is None:
        return np.nan
    models = models_of(problem).given(drawn_samples(problem).targets[state.sample])
    with np.errstate(over="ignore", invalid="ignore"):  # of a row far out, high powers are no numbers
        error = mean_square(
            np.asarray(aside.y) - models.predict(state.choice, state.w[:, state.sample], every, aside.X)
        )
    return error if np.isfinite(error) else np.nan


def penalised_fit(problem: Problem, state: BiasVarianceState) -> bool | str:
    return isinstance(models_of(problem), Linear) or "nothing is minimised: a mean of targets is looked up"


def nested_models(problem: Problem, state: BiasVarianceState) -> bool | str:
    models = models_of(problem)
    if models.letter == "k":
        return "the mean of fewer neighbours is no special case of the mean of more"
    repeated = isinstance(models, Memoriser) and all_traces(problem)[-1, 0] < problem.data.n
    return not repeated or "rows are equal, and what is known of the one is answered for the other"


def certain(problem: Problem, state: BiasVarianceState) -> bool | str:
    return roundings(problem)[state.choice][1] or "the columns of the rows are dependent but for rounding"


@kept
def known_by_heart(problem: Problem, state: BiasVarianceState) -> Array:
    """(n,) bool, whether H_ii = 1, where nothing is rounded in it: of models that look targets up."""
    models = models_of(problem)
    return np.zeros(problem.data.n, bool) if isinstance(models, Linear) else models.hat(state.choice)[0] == 1


def by_heart(problem: Problem, state: BiasVarianceState) -> bool | str:
    return bool(known_by_heart(problem, state).any()) or "no row is answered by its own target alone"


def decomposed(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> Answer:
    bias = (after.mean - truth(problem).f) ** 2
    size = size_of_targets(problem) ** 2  # a mean is as exact as the targets are large, not as their noise is
    return Sides.each(("error", after.error), ("bias² + variance", bias + after.variance), relation="==", size=size)


def averaged(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> Answer:
    off = fits_of(problem, after, problem.data.X) - truth(problem).f[:, None]
    size = size_of_fits(problem, after) * size_of_targets(problem)
    error = sum_of_parts(problem, after)
    return Sides(
        ("bias² + variance", error), ("mean of |g_s - f|²/n", float(np.mean(off**2))), relation="==", size=size
    )


def mean_of_samples(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> Answer:
    every, v, X = np.ones(problem.data.n, bool), after.choice, problem.data.X
    models = models_of(problem).given(drawn_samples(problem).targets[: after.sample + 1].mean(axis=0))
    fit = models.predict(v, models.fit(v, every), every, X)
    size = size_of_fits(problem, after)
    return Sides.each(("ḡ", after.mean), ("fit to the mean", fit), relation="==", size=size)


def optimal(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> Answer:
    models = models_of(problem)
    assert isinstance(models, Linear)
    columns, lam = models.columns_of(after.choice), models.penalties[after.choice]
    y, w = drawn_samples(problem).targets[after.sample], after.w[: columns.shape[1] + 1, after.sample]
    gradient, penalised, size = slope(columns, y, w, lam)
    return Sides.each(("X'(y - Xw)", gradient), ("λw", penalised), relation="==", size=size)


def never_rises(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> Answer:
    v, s = after.choice, after.sample
    if v == 0:
        return None
    models = models_of(problem)
    now, was = after.training[v, s], after.training[v - 1, s]
    size = size_of_fits(problem, after) * size_of_targets(problem)
    return Sides((f"at {models.named(v)}", now), (f"at {models.named(v - 1)}", was), size=size)


def hides(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> Answer:
    f, y, v, s = truth(problem).f, drawn_samples(problem).targets[after.sample], after.choice, after.sample
    off, noise = after.fit - f, y - f
    parts = mean_square(off) + mean_square(noise) - 2 * float(noise @ off) / problem.data.n
    size = size_of_targets(problem) ** 2
    return Sides(("training error", after.training[v, s]), ("parts", parts), relation="==", size=size)


def repeated(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> Answer:
    rows = known_by_heart(problem, after)
    y = drawn_samples(problem).targets[after.sample]
    size = size_of_targets(problem)
    return Sides.each(("g_s", after.fit[rows]), ("y_s", y[rows]), relation="==", size=size)


def least_of_all(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> Answer:
    parts = parts_of(problem, after)
    return Sides.each(("at v*", parts.error[after.best]), ("error", parts.error[parts.known]))


def fresh_beyond_parts(problem: Problem, state: BiasVarianceState) -> float:
    return float(state.fresh[-1].mean() - state.biases[-1] - state.variances[-1])


def parts_at_last(problem: Problem, state: BiasVarianceState) -> float:
    return float(state.biases[-1] + state.variances[-1])


def hidden(problem: Problem, state: BiasVarianceState) -> float:
    """How much less the training error is than the fresh one."""
    return float(state.fresh[-1].mean() - state.training[-1].mean())


def fits_of(problem: Problem, state: BiasVarianceState, at: Array) -> Array:
    """(m, s) all fits so far of the present value, at (m, d) places."""
    s, every = state.sample + 1, np.ones(problem.data.n, bool)
    models = models_of(problem).given(drawn_samples(problem).targets[:s].T)
    return models.predict(state.choice, state.w[:, :s], every, at)


def validate(problem: Problem) -> str | None:
    data, p = problem.data, problem.parameters
    refused = out_of_range(data, _LARGEST) or targets_out_of_range(data, _LARGEST, 1 / _LARGEST)
    if refused:
        return refused
    if p.model == "neighbours" and p.tried > data.n:
        return f"k = {p.tried} needs as many rows; {data.name} has {data.n}."
    if p.model in ("neighbours", "memoriser") and data.n > _MOST_ROWS:
        return f"rows are looked up among {_MOST_ROWS:,} at most; {data.name} has {data.n:,}."
    columns = data.d * {"polynomial": p.tried - 1, "ridge": 1}.get(p.model, 0)
    if data.n * max(columns, data.d * p.degree) ** 2 > _MOST_WORK:
        return f"{columns} columns of {data.n:,} rows are too many to fit again and again: choose fewer features."
    if not np.isfinite(truth(problem).sigma):
        return f"{data.n} rows do not say how far they lie from a polynomial of degree {p.degree}: lower the degree."
    return None


def scene(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> Scene:
    parts, name, data = parts_of(problem, after), models_of(problem).named(after.choice), problem.data
    spread = float(np.var(truth(problem).f))
    along = parts_along(parts, after.choice, name, spread, penalised(problem))
    shown = (fits(problem, after, name), along, parts_table(parts, after.choice))
    if data.d > 1:
        return Scene(shown)
    bias, most = (after.mean - truth(problem).f) ** 2, spread + 2 * truth(problem).sigma ** 2 or 1.0
    at_rows = parts_at_rows(data, bias if after.sample >= 0 else np.full(data.n, np.nan), after.variance, most, name)
    return Scene((*shown, at_rows))


def fits(problem: Problem, state: BiasVarianceState, name: str) -> Panel:
    """All fits of the present value, their mean and the truth."""
    data, of, s = problem.data, truth(problem), state.sample
    note = "" if s < 0 else f"{name}, {s + 1} of {problem.parameters.samples} samples"
    targets = drawn_samples(problem).targets
    if data.d > 1:
        return mean_fit_panel(data, of.f, (state.mean, state.variance, state.fit) if s >= 0 else None, note)
    shown = (targets[s], lambda at: fits_of(problem, state, at)) if s >= 0 else None
    return fits_panel(data, shown, of.function, padded(targets, 0.1), note)


def explain_start(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> str:
    of, p, models = truth(problem), problem.parameters, models_of(problem)
    known = "The data was made with a known f" if of.known else f"A polynomial of degree {p.degree} stands for f"
    tried = f"{len(models.values)} values are tried, from {models.named(0)} to {models.named(len(models.values) - 1)}"
    return f"{known}, and noise of deviation σ = {of.sigma:.4g}. {tried}, on {p.samples} samples each."


def explain_fit(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> str:
    v, s, value = after.choice, after.sample, models_of(problem).named(after.choice)
    errors = f"its error is {after.training[v, s]:.4g} on the sample and {after.fresh[v, s]:.4g} on fresh targets"
    fitted = f"Sample {s}: with {value} {errors}."
    if not s:
        return f"{fitted} One fit says nothing of how fits scatter."
    bias = mean_square(after.mean - truth(problem).f)
    parts = f"bias² {bias:.4g} and variance {after.variance.mean():.4g}"
    return f"{fitted} The {s + 1} fits so far have {parts}."


def explain_compare(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> str:
    v, models, parts = after.choice, models_of(problem), parts_of(problem, after)
    least = "the least so far" if after.best == v else f"not below {parts.error[after.best]:.4g}"
    added = f"bias² {parts.bias[v]:.4g} + variance {parts.variance[v]:.4g} = {parts.error[v]:.4g}, {least}"
    fresh, training = parts.fresh[v].mean(), parts.training.mean(axis=1)
    measured = f"With σ² that is {parts.error[v] + parts.noise:.4g}; fresh: {fresh:.4g} ± {parts.deviation[v]:.3g}"
    errors = f"{models.named(v)} has {added}. {measured}, training: {training[v]:.4g}."
    if v + 1 < len(models.values):
        return f"The fit with {errors}"
    trained = int(training.argmin())
    verdict = "too" if trained == after.best else f"not {models.named(after.best)}"
    return f"The fit with {errors} Training error chooses {models.named(trained)}, {verdict}."


VALUE = Variable("value", value_tried, letter_of, log=penalised)
CERTAIN = {"rounding lets it be said": certain}
LINEAR = "the fits are linear: g_s = H y_s, and H does not hang on the targets"
THEOREMS = (
    Theorem(
        "error = bias² + variance, at every row",
        decomposed,
        source="Geman, Bienenstock and Doursat (1992)",
        phases=("fit", "compare"),
        proof=(
            "g_s - f = (ḡ - f) + (g_s - ḡ); square it and take the mean over the samples so far",
            "the product 2 (ḡ - f) (g_s - ḡ) has the mean 0, for ḡ is the mean of g_s",
        ),
    ),
    Theorem(
        "bias² + variance is the mean error of the fits",
        averaged,
        source="Geman, Bienenstock and Doursat (1992)",
        phases=("compare",),
        proof=("it is so at every row, so it is so of the means over the rows",),
    ),
    Theorem(
        "the mean fit ḡ is the fit to the mean sample",
        mean_of_samples,
        source="Hastie, Tibshirani and Friedman (2009), section 7.6",
        phases=("fit", "compare"),
        hypotheses=CERTAIN,
        proof=(LINEAR, "1/S Σ H y_s = H (1/S Σ y_s)"),
    ),
    Theorem(
        "each fit is optimal: X'(y - Xw) = λw",
        optimal,
        source="Hoerl and Kennard (1970)",
        phases=("fit",),
        hypotheses={"the model is a penalised fit": penalised_fit},
        proof=("half the gradient of |y - Xw|² + λ|w|² is λw - X'(y - Xw), for the intercept without λw",),
    ),
    Theorem(
        "training error never rises from v to v",
        never_rises,
        source="Hoerl and Kennard (1970)",
        phases=("fit",),
        hypotheses={"each model contains those before it": nested_models, **CERTAIN},
        proof=(
            "every value is fitted to the same samples",
            "polynomials: each degree contains those before it; by heart: each row adds an error of 0",
            "ridge, λ' < λ: RSS' + λ'|w'|² <= RSS + λ'|w|² and RSS + λ|w|² <= RSS' + λ|w'|²",
            "add them: (λ - λ')(|w|² - |w'|²) <= 0, and with the first RSS' <= RSS",
        ),
    ),
    Theorem(
        "training error = |g_s - f|²/n + |y_s - f|²/n - 2 (y_s - f)·(g_s - f)/n",
        hides,
        source="Efron (1986)",
        phases=("fit",),
        proof=(
            "y_s - g_s = (y_s - f) - (g_s - f); square it",
            "on average the product is σ² Σ H_ii: what follows its own noise hides more of it",
        ),
    ),
    Theorem(
        "known by heart, g_s = y_s: where H_ii = 1 the training error is 0",
        repeated,
        source="Cover and Hart (1967)",
        phases=("fit",),
        hypotheses={"a row is answered by its own target alone": by_heart},
        proof=("the answers are means of targets: a weight of 1 leaves nothing for others, so g_s = y_s",),
    ),
    Theorem(
        "v* has the least bias² + variance so far",
        least_of_all,
        source="Hastie, Tibshirani and Friedman (2009), section 7.3",
        phases=("compare",),
        proof=("v* changes where a sum is below the least before it",),
    ),
)
OF_LAST = "of the most flexible"
EXPECTATIONS = (
    Expectation(
        f"E (fresh error - bias² - variance) = σ², {OF_LAST}",
        fresh_beyond_parts,
        lambda problem, values: truth(problem).sigma ** 2,
        names=("fresh error - bias² - variance", "σ²"),
        source="Hastie, Tibshirani and Friedman (2009), section 7.3",
        fixed={"samples": 5},
        runs=200,
        proof=("a fresh target is f + σ ε with ε independent of the fit, of mean 0 and variance 1",),
    ),
    Expectation(
        f"E (bias² + variance) = |f - Hf|²/n + σ² Σ H_ij²/n, {OF_LAST}",
        parts_at_last,
        lambda problem, values: float(expected(problem)[-1].sum()),
        names=("bias² + variance", "|f - Hf|²/n + σ² Σ H_ij²/n"),
        source="Mallows (1973)",
        fixed={"samples": 5},
        runs=200,
        proof=("g_s - f = (Hf - f) + σ H ε_s, and E |H ε|² = Σ H_ij²",),
    ),
    Expectation(
        f"E (fresh error - training error) = 2 σ² Σ H_ii/n, {OF_LAST}",
        hidden,
        lambda problem, values: float(2 * truth(problem).sigma ** 2 * all_traces(problem)[-1, 0] / problem.data.n),
        names=("fresh error - training error", "2 σ² Σ H_ii/n"),
        source="Efron (1986)",
        fixed={"samples": 5},
        runs=200,
        proof=(
            "|y - g|² = |f - g|² + 2σ ε·(f - g) + σ²|ε|², and E ε·(f - g) = -σ E ε·Hε = -σ Σ H_ii",
            "with fresh ε, independent of g, the middle term has the mean 0",
        ),
    ),
)

ALGORITHM = Algorithm(
    bias_variance,
    title="Bias and variance",
    summary="Fits many samples of one truth with each model: how far their mean is off, and how far they scatter.",
    rule="y_s = f + σ ε_s, g_s = H y_s, ḡ = 1/S Σ g_s\nmean (g_s - f)² = (ḡ - f)² + mean (g_s - ḡ)²",
    needs=Needs(target="number"),
    phases={
        "start": "the truth is known, and nothing is fitted",
        "fit": "a sample is drawn and fitted",
        "compare": "bias² and variance over all samples",
    },
    events=("compare", Event("a new least", lambda before, after: before is not None and after.best != before.best)),
    start_only=("model", "tried", "samples", "least", "most", "degree", "seed"),
    curves=(
        Curve("bias² + variance", sum_of_parts, "mean (g_s - f)²", "error", ("compare",), along=VALUE),
        Curve("bias²", lambda p, s: float(s.biases[s.choice]), "(ḡ - f)²", "error", ("compare",), along=VALUE),
        Curve("variance", lambda p, s: float(s.variances[s.choice]), "", "error", ("compare",), along=VALUE),
        Curve("training error", of_value("training"), "of the samples", "error", ("compare",), along=VALUE),
        Curve("fresh error", of_value("fresh"), "of new targets", "error", ("compare",), along=VALUE),
        Curve("held-out error", held_out_error, "of the fit of now on rows never seen", phases=("fit",)),
    ),
    theorems=THEOREMS,
    expectations=EXPECTATIONS,
    symbols={
        "v, v*": ("degree, λ, k or m rows known by heart; that with the least bias² + variance", value_tried),
        "s, S": ("a sample; how many are drawn", lambda p, s: p.parameters.samples),
        "f": ("the truth, without noise", None),
        "σ": ("deviation of the noise", lambda problem, state: truth(problem).sigma),
        "ε": ("standard normal noise, drawn anew for each sample", None),
        "g_s, ḡ": ("the fit to sample s; the mean of the fits so far", None),
        "H": (
            "the hat matrix, g = Hy; its trace are the degrees of freedom",
            lambda p, s: float(all_traces(p)[s.choice, 0]),
        ),
        "λ": ("the penalty, 0 for polynomials", penalty),
        "X, w": ("columns of the rows, 1 the first; weights, the intercept first", None),
    },
    measured=("training", "fresh", "biases", "variances"),
    scene=scene,
    explain={"start": explain_start, "fit": explain_fit, "compare": explain_compare},
    adapt=adapt,
    validate=validate,
    datasets=(
        sine.with_(n=20, noise=0.6),
        davis.with_(target="weight", columns=("height",)),
        diabetes.with_(columns=("bmi",)),
        prostate.with_(columns=("lcavol", "lweight"), scale=True),
    ),
)
