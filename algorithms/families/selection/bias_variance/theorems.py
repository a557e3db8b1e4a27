"""What holds of fits to samples of one truth: both sides of every statement, and why it is so."""

import numpy as np

from algorithms.core import Answer, Array, Problem, Sides, theorem
from algorithms.families.selection.bias_variance.fits import Fits
from algorithms.families.selection.shared.candidates import Growing, Linear, Memoriser
from algorithms.families.selection.shared.value_in_hand import none_less, stationary
from algorithms.toolbox.least_squares import mean_square

_LINEAR = "the fits are linear: g_s = H y_s, and H does not depend on the targets"


def penalised_fit(problem: Problem, now: Fits) -> bool | str:
    return isinstance(now.of.models, Linear | Growing) or "nothing is minimised: a mean of targets is looked up"


def nested_models(problem: Problem, now: Fits) -> bool | str:
    models = now.of.models
    if models.letter == "k":
        return "the mean of fewer neighbours is no special case of the mean of more"
    if isinstance(models, Growing):
        return "it is one model, on more rows each time"
    repeated = isinstance(models, Memoriser) and now.of.traces[-1, 0] < now.of.data.n
    return not repeated or "rows are equal, and what is known of the one is answered for the other"


def certain(problem: Problem, now: Fits) -> bool | str:
    return now.of.roundings[now.choice][1] or "the columns of the rows are dependent but for rounding"


def both_certain(problem: Problem, now: Fits) -> bool | str:
    """The value in hand and that before it, to which it is compared."""
    sure = all(sure for _, sure in now.of.roundings[max(now.choice - 1, 0) : now.choice + 1])
    return sure or "the columns of the rows are dependent but for rounding"


def by_heart(problem: Problem, now: Fits) -> bool | str:
    return bool(now.by_heart.any()) or "no row is answered by its own target alone"


_SURELY = "rounding does not decide which columns depend on others"
SURE = {_SURELY: certain}


@theorem(
    "error = bias² + variance, at every row",
    source="Geman, Bienenstock and Doursat (1992)",
    phases=("fit", "compare"),
    proof=(
        "g_s - f = (ḡ - f) + (g_s - ḡ); square it and take the mean over the samples so far",
        "the product 2 (ḡ - f) (g_s - ḡ) has the mean 0, for ḡ is the mean of g_s",
    ),
)
def decomposed(problem: Problem, before: Fits | None, now: Fits) -> Answer:
    parts = (now.mean - now.of.truth.f) ** 2 + now.variance
    size = now.of.size**2  # a mean is as exact as the targets are large, not as their noise is
    sides = ("error", now.error[now.rows]), ("bias² + variance", parts[now.rows])
    return Sides.each(*sides, relation="==", size=size, entries=names_of_rows(now.rows))


def names_of_rows(some: Array) -> list[str]:
    """Those that a (n,) mask has."""
    return [f"row {i}" for i in np.flatnonzero(some).tolist()]


@theorem(
    "bias² + variance is the mean error of the fits",
    source="Geman, Bienenstock and Doursat (1992)",
    phases=("compare",),
    proof=("it is so at every row, so it is so of the means over the rows",),
)
def averaged(problem: Problem, before: Fits | None, now: Fits) -> Answer:
    off = (now.at(now.of.data.X) - now.of.truth.f[:, None])[now.rows]
    size = now.size * now.of.size
    error = now.sum_of_parts
    return Sides(
        ("bias² + variance", error), ("mean of |g_s - f|²/n", float(np.mean(off**2))), relation="==", size=size
    )


@theorem(
    "the mean fit ḡ is the fit to the mean sample",
    source="Hastie, Tibshirani and Friedman (2009), section 7.6",
    phases=("fit", "compare"),
    hypotheses=SURE,
    proof=(_LINEAR, "1/S Σ H y_s = H (1/S Σ y_s)"),
)
def mean_of_samples(problem: Problem, before: Fits | None, now: Fits) -> Answer:
    rows, v, X = now.rows, now.choice, now.of.data.X
    models = now.of.models.given(now.of.drawn.targets[: now.sample + 1].mean(axis=0))
    fit = models.predict(v, models.fit(v, rows), rows, X)
    size = now.size
    return Sides.each(
        ("ḡ", now.mean[rows]),
        ("fit to the mean", fit[rows]),
        relation="==",
        size=size,
        entries=names_of_rows(rows),
    )


@theorem(
    "each fit is optimal: Xᵀ(y - Xw) = λw",
    source="Hoerl and Kennard (1970)",
    phases=("fit",),
    hypotheses={"the model is a penalised fit": penalised_fit},
    proof=("half the gradient of |y - Xw|² + λ|w|² is λw - Xᵀ(y - Xw), for the intercept without λw",),
)
def optimal(problem: Problem, before: Fits | None, now: Fits) -> Answer:
    models = now.of.models
    if isinstance(models, Growing):
        return stationary(models.linear.given(now.y), 0, now.rows, now.w[:, now.sample])
    assert isinstance(models, Linear)
    return stationary(models.given(now.y), now.choice, now.rows, now.w[:, now.sample])


@theorem(
    "training error never rises from v to the next v'",
    source="Hoerl and Kennard (1970)",
    phases=("fit",),
    hypotheses={"each model contains those before it": nested_models, _SURELY: both_certain},
    proof=(
        "every value is fitted to the same samples",
        "polynomials: each degree contains those before it; by heart: each row adds an error of 0",
        "ridge, λ' < λ: RSS' + λ'|w'|² <= RSS + λ'|w|² and RSS + λ|w|² <= RSS' + λ|w'|²",
        "add them: (λ - λ')(|w|² - |w'|²) <= 0, and with the first RSS' <= RSS",
    ),
)
def never_rises(problem: Problem, before: Fits | None, now: Fits) -> Answer:
    v, s = now.choice, now.sample
    if v == 0:
        return None
    models = now.of.models
    here, was, size = now.training[v, s], now.training[v - 1, s], now.size * now.of.size
    return Sides((f"at {models.named(v)}", here), (f"at {models.named(v - 1)}", was), size=size)


@theorem(
    "training error = |g_s - f|²/n + |y_s - f|²/n - 2 (y_s - f)·(g_s - f)/n",
    source="Efron (1986)",
    phases=("fit",),
    proof=(
        "y_s - g_s = (y_s - f) - (g_s - f); square it",
        "on average the product is σ² Σ H_ii: what follows its own noise hides more of it",
    ),
)
def hides(problem: Problem, before: Fits | None, now: Fits) -> Answer:
    f, y, v, s = now.of.truth.f, now.y, now.choice, now.sample
    off, noise = (now.fit - f)[now.rows], (y - f)[now.rows]
    parts = mean_square(off) + mean_square(noise) - 2 * float(noise @ off) / len(off)
    size = now.of.size**2
    return Sides(("training error", now.training[v, s]), ("parts", parts), relation="==", size=size)


@theorem(
    "fresh error = |g_s - f|²/n + |y' - f|²/n - 2 (y' - f)·(g_s - f)/n",
    source="Efron (1986)",
    phases=("fit",),
    proof=(
        "y' - g_s = (y' - f) - (g_s - f); square it",
        "g_s knows nothing of the noise in y': on average the product is 0",
    ),
)
def measured_afresh(problem: Problem, before: Fits | None, now: Fits) -> Answer:
    f, y, v, s = now.of.truth.f, now.of.drawn.fresh[now.sample], now.choice, now.sample
    off, noise = (now.fit - f)[now.rows], (y - f)[now.rows]
    parts = mean_square(off) + mean_square(noise) - 2 * float(noise @ off) / len(off)
    size = max(now.of.size, float(np.abs(y).max())) ** 2
    return Sides(("fresh error", now.fresh[v, s]), ("parts", parts), relation="==", size=size)


@theorem(
    "known by heart, g_s = y_s: where H_ii = 1 the training error is 0",
    source="Cover and Hart (1967)",
    phases=("fit",),
    hypotheses={"a row is answered by its own target alone": by_heart},
    proof=("the answers are means of targets: a weight of 1 leaves nothing for others, so g_s = y_s",),
)
def repeated(problem: Problem, before: Fits | None, now: Fits) -> Answer:
    rows = now.by_heart
    y = now.y
    size = now.of.size
    return Sides.each(("g_s", now.fit[rows]), ("y_s", y[rows]), relation="==", size=size, entries=names_of_rows(rows))


@theorem(
    "v* has the least bias² + variance so far",
    source="Hastie, Tibshirani and Friedman (2009), section 7.3",
    phases=("compare",),
    proof=("v* changes where a sum is below the least before it",),
)
def least_of_all(problem: Problem, before: Fits | None, now: Fits) -> Answer:
    return none_less("bias² + variance", now.of.models, now.parts.error, now.best)


THEOREMS = (
    least_of_all,
    decomposed,
    averaged,
    mean_of_samples,
    optimal,
    never_rises,
    hides,
    repeated,
    measured_afresh,
)
