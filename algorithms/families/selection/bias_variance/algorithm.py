"""Bias and variance: fit many samples of one truth, and see how far their mean is off and how far they scatter.

    y_s = f(x) + σ ε_s,   ε_s ~ N(0, 1),   g_s the fit to sample s,   ḡ = 1/S Σ g_s
    1/S Σ (g_s - f)² = (ḡ - f)² + 1/S Σ (g_s - ḡ)²   at every row:   error = bias² + variance
    on fresh targets of the same rows the error is bias² + variance + σ² on average

The model is a polynomial by its degree, ridge regression by λ, the mean of the k nearest rows, or a memoriser by how
many rows it knows by heart, from the stiffest to the most flexible; or one polynomial on more and more of the rows,
whose errors are those of these rows. Rows stay where they are and their targets are drawn anew, the same for every
model. All these fits are linear, g = Hy with H of the rows alone, so it is known what to expect of them before anything
is drawn:

    E bias² = |f - Hf|²/n + σ² Σ H_ij²/(nS),   E variance = (1 - 1/S) σ² Σ H_ij²/n,
    E (fresh error - training error) = 2 σ² Σ H_ii/n.

ḡ, the mean of S fits, scatters too: 1/S of the variance of a fit counts as bias². The sum is expected to be the same
for every S; as S → ∞ the parts come to |f - Hf|²/n and σ² Σ H_ij²/n.

The last line is why the training error chooses the memoriser, H = I: it hides 2σ², and nothing hides more. Of d
independent columns Σ H_ii = d: where f is among them, the training error is σ²(1 - d/n) and the fresh one σ²(1 + d/n),
on average.

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
    Array,
    Ask,
    Contrast,
    Curve,
    Dataset,
    Event,
    FromStart,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Seed,
    Sides,
    State,
    kept,
    through,
)
from algorithms.core.algorithm import Explain
from algorithms.core.curves import HELD_OUT
from algorithms.data import davis, diabetes, line, prostate, sine
from algorithms.families.selection.bias_variance import pictures, words
from algorithms.families.selection.bias_variance.bias_variance_pictures import BIAS, FRESH, SUM, TRAINING, VARIANCE
from algorithms.families.selection.bias_variance.expectations import EXPECTATIONS
from algorithms.families.selection.bias_variance.fits import Fits, study_of
from algorithms.families.selection.bias_variance.theorems import THEOREMS
from algorithms.families.selection.bias_variance.truth_samples import samples_of, truth_of
from algorithms.families.selection.shared.candidates import (
    Candidates,
    ModelOrRows,
    candidates,
    fewest_rows,
    rows_fitted,
)
from algorithms.families.selection.shared.value_in_hand import VALUE, least_so_far, models_of, penalty, value_tried
from algorithms.toolbox.entries import with_entry
from algorithms.toolbox.least_squares import mean_square

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
        ModelOrRows, Meta(description="what is fitted, by degree, λ, k, rows known or rows fitted")
    ] = "polynomial",
    tried: Annotated[int, Meta(ge=2, le=40, description="values, from the stiffest on, or from the fewest rows")] = 10,
    samples: Annotated[int, Meta(ge=2, le=500, description="S, how many are drawn and fitted")] = 20,
    least: Annotated[float, Meta(ge=1e-6, le=1, description="the least λ, tried last")] = 0.01,
    most: Annotated[float, Meta(ge=1, le=1e8, description="the greatest λ, tried first")] = 1e4,
    degree: Annotated[
        int, Meta(ge=0, le=20, description="of the polynomial that stands for an unknown f, and is fitted to n rows")
    ] = 3,
    seed: Annotated[Seed, Meta(description="of the noise of the samples")] = 4,
) -> Run[BiasVarianceState]:
    models, f = data.once(candidates, model, tried, least, most, degree), data.once(truth_of, degree).f
    drawn = data.once(samples_of, degree, samples, seed)
    if state is None:
        state = unfitted(models, data.n, samples)
        yield state
    while state.phase != "compare" or state.choice + 1 < tried:
        if state.sample + 1 == samples and state.phase != "compare":
            rows = rows_fitted(models, state.choice, data.n)
            biases = with_entry(state.biases, state.choice, mean_square((state.mean - f)[rows]))
            variances = with_entry(state.variances, state.choice, float(state.variance[rows].mean()))
            best = least_so_far(biases + variances, state.choice, state.best)
            state = state.after("compare", biases=biases, variances=variances, best=best)
            yield state
        else:
            v, s = divmod(state.choice * samples + state.sample + 1, samples)
            y, rows = drawn.targets[s], rows_fitted(models, v, data.n)
            w = models.given(y).fit(v, rows)
            g = models.given(y).predict(v, w, rows, data.X)
            mean = (s * state.mean + g) / (s + 1)
            variance = (s * state.variance + (g - state.mean) * (g - mean)) / (s + 1)
            error = (s * state.error + (g - f) ** 2) / (s + 1)
            errors = mean_square((y - g)[rows]), mean_square((drawn.fresh[s] - g)[rows])
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


def adapt(before: Problem, after: Problem, state: BiasVarianceState, rows: Array) -> State | FromStart:
    return state if after.data is before.data else FromStart("these samples were drawn for other rows")


@kept
def fits_of(problem: Problem, state: BiasVarianceState) -> Fits:
    """What a state holds, with what was fitted to what."""
    measured = (state.w, state.fit, state.mean, state.variance, state.error, state.training, state.fresh)
    return Fits(study_of(problem), *measured, state.biases, state.variances, state.choice, state.sample, state.best)


def sum_of_parts(problem: Problem, state: BiasVarianceState) -> float:
    return fits_of(problem, state).sum_of_parts


def of_value(field: str) -> Callable[[Problem, BiasVarianceState], float]:
    """The mean over samples of an error of the value tried; NaN until all are known."""
    return lambda problem, state: float(getattr(state, field)[state.choice].mean())


def held_out_error(problem: Problem, state: BiasVarianceState) -> float:
    aside, every = problem.data.held_out, np.ones(problem.data.n, bool)
    if aside is None:
        return np.nan
    models = models_of(problem).given(fits_of(problem, state).y)
    with np.errstate(over="ignore", invalid="ignore"):  # of a row far out, high powers are no numbers
        error = mean_square(
            np.asarray(aside.y) - models.predict(state.choice, state.w[:, state.sample], every, aside.X)
        )
    return error if np.isfinite(error) else np.nan


def all_measured(problem: Problem, state: BiasVarianceState) -> bool | Sides:
    """Every value was fitted to every sample, and compared."""
    p, fits = problem.parameters, int(np.isfinite(state.training).sum())
    compared = state.phase == "compare" and np.isfinite(state.biases + state.variances).all()
    return bool(compared) and Sides(("values · S", p.tried * p.samples), ("fits measured", fits), relation="==")


def validate(problem: Problem) -> str | None:
    data, p = problem.data, problem.parameters
    if p.model == "neighbours" and p.tried > data.n:
        return f"k = {p.tried} needs as many rows; {data.name} has {data.n}."
    if p.model in ("neighbours", "memoriser") and data.n > _MOST_ROWS:
        return f"rows are looked up among {_MOST_ROWS:,} at most; {data.name} has {data.n:,}."
    fewest = fewest_rows(data.d, p.degree)
    if p.model == "rows" and data.n - fewest + 1 < p.tried:
        return (
            f"{p.tried} numbers of rows from {fewest} on, twice the weights of degree {p.degree}, need "
            f"{fewest + p.tried - 1} rows; {data.name} has {data.n}."
        )
    columns = data.d * {"polynomial": p.tried - 1, "ridge": 1, "rows": p.degree}.get(p.model, 0)
    if data.n * max(columns, data.d * p.degree) ** 2 > _MOST_WORK:
        return f"{columns} columns of {data.n:,} rows are too many to fit again and again: choose fewer features."
    if not np.isfinite(problem.data.once(truth_of, p.degree).sigma):
        return f"{data.n} rows do not say how far they lie from a polynomial of degree {p.degree}: lower the degree."
    return None


def scene(problem: Problem, before: BiasVarianceState | None, after: BiasVarianceState) -> Scene:
    return pictures.scene(fits_of(problem, after))


def explained(sentence: Callable[[Fits], str]) -> Explain:
    """What is said of the fits that a step came to."""
    return lambda problem, before, after: sentence(fits_of(problem, after))


ALGORITHM = Algorithm(
    bias_variance,
    title="Bias and variance",
    point="Stiff models miss all in one way, supple ones each in their own: the best lies between.",
    after=("least_squares",),
    leaves_open="Bias and variance are measured on a truth that is not known in practice.",
    tries=(("ten times the rows", "--data sine:n=200,noise=0.6"), ("neighbours", "-p model=neighbours")),
    asks=(
        Ask.way("One sample more: what does the variance of the fits so far do?", "sum(variance)", "fit"),
        Ask.way("One sample more: what does their mean squared error do?", "sum(error)", "fit"),
    ),
    summary="Fits many samples of one truth with each model: how far their mean is off, and how far they scatter.",
    rule="y_s = f + σ ε_s, g_s = H y_s, ḡ = 1/S Σ g_s\nmean (g_s - f)² = (ḡ - f)² + mean (g_s - ḡ)²",
    needs=Needs(target="number", within=(1e-60, 1e60)),  # beyond, the squares of products overflow or vanish
    phases={
        "start": "the truth is known, and nothing is fitted",
        "fit": "a sample is drawn and fitted",
        "compare": "bias² and variance over all samples",
    },
    events=("compare", Event("a new least", lambda before, after: before is not None and after.best != before.best)),
    start_only=("model", "tried", "samples", "least", "most", "degree", "seed"),
    curves=(
        Curve("bias² + variance", sum_of_parts, "mean (g_s - f)²", "error", ("compare",), along=VALUE, tone=SUM),
        Curve(
            "bias²", lambda p, s: float(s.biases[s.choice]), "(ḡ - f)²", "error", ("compare",), along=VALUE, tone=BIAS
        ),
        Curve(
            "variance", lambda p, s: float(s.variances[s.choice]), "", "error", ("compare",), along=VALUE, tone=VARIANCE
        ),
        Curve(
            "training error", of_value("training"), "of the samples", "error", ("compare",), along=VALUE, tone=TRAINING
        ),
        Curve("fresh error", of_value("fresh"), "of new targets", "error", ("compare",), along=VALUE, tone=FRESH),
        Curve("held-out error", held_out_error, "of the fit on rows unseen", phases=("fit",), tone=HELD_OUT),
    ),
    objective={},
    theorems=through(fits_of, *THEOREMS),
    contrast=Contrast(
        "the same fits on their own targets, and on fresh ones",
        curves=("training error", "fresh error"),
        names=("training error", "error on fresh targets"),
    ),
    expectations=EXPECTATIONS,
    ends={
        "all … values are measured on … samples": all_measured,
    },
    symbols={
        "v, v', v*": (
            "degree, λ, k, rows known or fitted; the one after it; that with the least bias² + variance",
            value_tried,
        ),
        "s, S": ("a sample; how many are drawn", lambda p, s: p.parameters.samples),
        "f": ("the truth, without noise", None),
        "σ": ("deviation of the noise", lambda problem, state: study_of(problem).truth.sigma),
        "ε": ("standard normal noise, drawn anew for each sample", None),
        "g_s, ḡ": ("the fit to sample s; the mean of the fits so far", None),
        "H": (
            "the hat matrix, g = Hy; its trace are the degrees of freedom",
            lambda p, s: float(study_of(p).traces[s.choice, 0]),
        ),
        "λ": ("the penalty, 0 for polynomials", penalty),
        "X, w": ("columns of the rows, 1 the first; weights, the intercept first", None),
        "y, y_s": ("targets, and those of the s-th sample: f and noise", None),
        "n": ("rows", lambda problem, state: problem.data.n),
    },
    measured=("training", "fresh", "biases", "variances"),
    only_for={"least": ("model", "ridge"), "most": ("model", "ridge")},
    scene=scene,
    explain={
        "start": explained(words.start),
        "fit": explained(words.fit),
        "compare": explained(words.compare),
    },
    adapt=adapt,
    validate=validate,
    datasets=(
        sine.with_(n=20, noise=0.6),
        davis.with_(target="weight", columns=("height",)),
        diabetes.with_(columns=("bmi",)),
        prostate.with_(columns=("lcavol", "lweight"), scale=True),
        line.with_(n=50, noise=1.0),
    ),
)
