"""Ridge regression along λ, from large to small, by one singular value decomposition.

    minimise  ‖y - b - X w‖² + λ ‖w‖²:    X = U S Vᵀ without its means,   w_λ = V S/(S² + λ) Uᵀy,   b = ȳ - x̄·w_λ

λ falls from ∞ (w = 0) to 0 (the shortest of the least-squares fits), then the λ is taken that leaves rows out best:

    f without row i is off by r_i/(1 - h_i) there,   h_i = 1/n + Σ U_ij² s_j²/(s_j² + λ).

As λ falls ‖w‖ rises and RSS falls; the degrees of freedom are Σ s²/(s² + λ). w_λ is what least squares finds
within ‖w‖ <= ‖w_λ‖, and the likeliest w under noise N(0, 1) and the prior N(0, γ²) with λ = 1/γ².

Where y = X w* + ε with known w* and noise of variance σ², E‖w - w*‖² is bias² + variance, and for 0 < λ <= 2σ²/‖w*‖²
it is below that of λ = 0, if XᵀX is regular.

References: Hoerl and Kennard (1970), Ridge regression, Technometrics 12; Theobald (1974), Generalizations of mean
square error applied to ridge regression, JRSS B 36; Allen (1974), The relationship between variable selection and data
augmentation and a method for prediction, Technometrics 16; Hastie, Tibshirani and Friedman (2009), The Elements of
Statistical Learning, section 3.4.1; Penrose (1956), On best approximate solutions of linear matrix equations, Proc.
Cambridge Philosophical Society 52; Lindley and Smith (1972), Bayes estimates for the linear model, JRSS B 34.
"""

from collections.abc import Callable
from typing import Annotated

import numpy as np

from algorithms.core import (
    Algorithm,
    Array,
    Ask,
    Curve,
    Dataset,
    Event,
    Meta,
    Needs,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Variable,
    kept,
    once,
    through,
)
from algorithms.data import correlated, dependent, diabetes, line, prostate
from algorithms.families.regression.ridge import pictures, words
from algorithms.families.regression.ridge.fit import RidgeFit, RidgeRows, decomposed, error_left_out, in_words, path
from algorithms.families.regression.ridge.theorems import THEOREMS
from algorithms.toolbox.shrinkage import Spectrum


class RidgeState(State, frozen=True, kw_only=True):
    w: Array  # (p + 1,) b and the weights
    tried: Array  # (m,) λ so far after ∞, falling
    best: int = -1  # which of them is λ*, with the least leave-one-out error so far; -1 for ∞
    least: float = 0.0  # that error

    @property
    def lam(self) -> float:
        """λ in hand."""
        return self.best_lam if self.phase == "choose" else self.tried.item(-1) if len(self.tried) else np.inf

    @property
    def best_lam(self) -> float:
        """λ*."""
        return self.tried.item(self.best) if self.best >= 0 else np.inf


def ridge(
    data: Dataset,
    state: RidgeState | None = None,
    *,
    most: Annotated[float, Meta(ge=1e-6, le=1e12, description="the first λ after ∞")] = 1e4,
    least: Annotated[float, Meta(ge=1e-9, le=1e9, description="the last λ before 0")] = 1e-3,
    tried: Annotated[int, Meta(ge=2, le=1000, description="how many λ between them, of equal ratios")] = 60,
) -> Run[RidgeState]:
    of, penalties = data.once(decomposed), path(most, least, tried)
    if state is None:
        state = RidgeState(w=of.weights(np.inf), tried=np.zeros(0), least=error_left_out(of, np.inf))
        yield state
    while state.phase != "choose":
        smaller = penalties[penalties < state.lam]
        if len(smaller) > 1:
            state = shrunk_less(of, state, smaller[0], "fit")
            yield state
        elif len(smaller) == 1:
            state = shrunk_less(of, state, 0.0, "limit")
            yield state
        else:
            state = state.after("choose", w=of.weights(state.best_lam))
            yield state
    return f"λ* = {in_words(state.best_lam)} has the least leave-one-out error, {state.least:.4g}"


def shrunk_less(of: Spectrum, state: RidgeState, lam: float, phase: str) -> RidgeState:
    """The fit with the next λ; it is λ* when its leave-one-out error is the least so far."""
    place, error = len(state.tried), error_left_out(of, lam)
    best, least = (place, error) if error < state.least else (state.best, state.least)
    tried = np.append(state.tried, lam)
    return state.after(phase, iteration=place + 1, tried=tried, w=of.weights(lam), best=best, least=least)


def adapt(before: Problem, after: Problem, state: RidgeState, rows: Array) -> RidgeState:
    """The same λ on the rows that there are now, and the best of those so far; λ goes on down the path of now."""
    if after.data is before.data:
        return state
    of = after.data.once(decomposed)
    errors = np.array([error_left_out(of, lam) for lam in (np.inf, *state.tried.tolist())])
    best = int(errors.argmin())
    moved = state.replaced(best=best - 1, least=float(errors[best]))
    return moved.replaced(w=of.weights(moved.lam))


@once
def rows_of(problem: Problem) -> RidgeRows:
    p = problem.parameters
    return RidgeRows(problem.data, path(p.most, p.least, p.tried))


@kept
def fit_of(problem: Problem, state: RidgeState) -> RidgeFit:
    """What a state holds, on the rows it was fitted to."""
    so_far = (np.inf, *state.tried.tolist())
    b, w = state.w.item(0), state.w[1:]
    return RidgeFit(rows_of(problem), b, w, state.lam, so_far, state.best_lam, state.least)


def penalty(problem: Problem, state: RidgeState) -> float:
    """λ where it is on a logarithmic axis."""
    return state.lam if 0 < state.lam < np.inf else np.nan


def mean_square(problem: Problem, state: RidgeState) -> float:
    """Of y - f, also on rows held out."""
    r = np.asarray(problem.data.y) - state.w[0] - problem.data.X @ state.w[1:]
    return float(r @ r) / len(r)


def of_fit(measure: Callable[[RidgeFit], float]) -> Callable[[Problem, RidgeState], float]:
    """A curve of what a fit has."""
    return lambda problem, state: measure(fit_of(problem, state))


def sigma_of(problem: Problem, state: RidgeState) -> float | None:
    known = rows_of(problem).truth
    return None if known is None else known.sigma


def finite(lam: float) -> float | None:
    return lam if np.isfinite(lam) else None


def is_least(problem: Problem, state: RidgeState) -> bool | Sides:
    """Every λ down to 0 was tried, and of none is the leave-one-out error less."""
    p, tried = problem.parameters, state.tried.tolist()
    left_out = () if problem.forked else {*path(p.most, p.least, p.tried).tolist()} - {np.inf, *tried}
    if state.phase != "choose" or tried[-1] != 0 or left_out:
        return False
    of = problem.data.once(decomposed)
    least = min(error_left_out(of, lam) for lam in (np.inf, *tried))
    return Sides(("error at λ*", error_left_out(of, state.best_lam)), ("the least", least))


def validate(problem: Problem) -> str | None:
    p = problem.parameters
    if p.least >= p.most:
        return f"λ falls from most = {p.most:g} to least = {p.least:g}: least must be below most."
    return None


def scene(problem: Problem, before: RidgeState | None, after: RidgeState) -> Scene:
    return pictures.scene(fit_of(problem, after))


def explained(sentence: Callable[[RidgeFit], str]) -> Callable[[Problem, RidgeState | None, RidgeState], str]:
    """What is said of the fit that a step came to."""
    return lambda problem, before, after: sentence(fit_of(problem, after))


LAM = Variable("λ", penalty, log=lambda problem: True)

ALGORITHM = Algorithm(
    ridge,
    title="Ridge regression",
    point="As the penalty falls the coefficients grow; the best for new rows lies on the way.",
    after=("least_squares",),
    also=("tikhonov",),
    leaves_open="Other rows may ask for another λ.",
    tries=(
        ("200 rows", "--data correlated:n=200,d=2,correlation=0.95,seed=4"),
        ("a dependent column", "--data dependent"),
    ),
    asks=(
        Ask.way("λ is smaller: what does the leave-one-out error do?", '"leave-one-out error"', "fit"),
        Ask.way("λ is smaller: what does the expected squared error do?", "MSE", "fit"),
    ),
    summary="Least squares with a penalty on the length of w, along λ from large to small, by one decomposition.",
    rule="minimise ‖y - b - Xw‖² + λ‖w‖²\nw = V s/(s² + λ) Uᵀy",
    # weights are quotients of such numbers, and squared
    needs=Needs(target="number", most_features=1_000, within=(1e-50, 1e50)),
    phases={
        "start": "λ = ∞: w = 0",
        "fit": "the next λ",
        "limit": "λ = 0",
        "choose": "back to λ*, which leaves rows out best",
    },
    events=(
        "limit",
        "choose",
        Event("a new λ*", lambda before, after: before is not None and after.best != before.best),
    ),
    curves=(
        Curve("error", mean_square, "mean (y - f)²", held_out=True, along=LAM),
        Curve("leave-one-out error", of_fit(lambda fit: fit.left_out_error), "mean (r/(1 - h))²", "error", along=LAM),
        Curve("‖w‖", of_fit(lambda fit: fit.norm), "√(w·w)", along=LAM),
        Curve("degrees of freedom", of_fit(lambda fit: fit.freedom), "Σ s²/(s² + λ)", along=LAM),
        Curve("bias²", of_fit(lambda fit: fit.parts.bias), "‖E ŵ - w‖²", "MSE", along=LAM, tone=pictures.BIAS),
        Curve(
            "variance", of_fit(lambda fit: fit.parts.variance), "E‖ŵ - E ŵ‖²", "MSE", along=LAM, tone=pictures.VARIANCE
        ),
        Curve("MSE", of_fit(lambda fit: fit.parts.total), "bias² + variance", "MSE", along=LAM, tone="ink"),
    ),
    objective={},
    theorems=through(fit_of, *THEOREMS),
    in_hall="λ* has the least leave-one-out error so far",
    ends={
        "λ* = … has the least leave-one-out error, …": is_least,
    },
    symbols={
        "X, y": ("rows and targets; in H, u, s, v without their means", None),
        "w, b": ("weights; the intercept, without a penalty", None),
        "λ": ("the penalty", lambda problem, state: finite(state.lam)),
        "λ*": ("the one with the least leave-one-out error so far", lambda problem, state: finite(state.best_lam)),
        "U, u, s, V, v": ("singular vectors and values of X", None),
        "H, h": ("ŷ = Hy; its diagonal", None),
        "f, r": ("predictions b + Xw; residuals y - f", None),
        "RSS, CV": ("Σr²; the mean square error of rows left out, one at a time", None),
        "γ": ("deviation of the prior", lambda p, s: s.lam**-0.5 if 0 < s.lam < np.inf else None),
        "σ": ("deviation of the noise, where it is known", sigma_of),
        "w*, MSE": ("the true weights; the mean of ‖w - w*‖² over noise drawn anew", None),
        "i": ("the row that is left out", None),
        "I": ("the identity matrix", None),
        "N(0, γ²)": ("the normal distribution of mean 0 and variance γ²", None),
    },
    measured=("w", "best", "least"),
    scene=scene,
    explain={
        "start": explained(words.start),
        "fit": explained(words.next_penalty),
        "limit": explained(words.limit),
        "choose": explained(words.choose),
    },
    adapt=adapt,
    validate=validate,
    datasets=(
        correlated.with_(d=2, n=15, correlation=0.95, seed=4),
        prostate.with_(scale=True),
        diabetes.with_(scale=True),
        dependent,
        line.with_(n=8),
    ),
)
