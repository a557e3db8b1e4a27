"""Ridge regression along λ, from large to small, by one singular value decomposition.

    minimise  ‖y - b - X w‖² + λ ‖w‖²:    X = U S V' without its means,   w_λ = V S/(S² + λ) U'y,   b = ȳ - x̄·w_λ

λ falls from ∞ (w = 0) to 0 (the shortest of the least-squares fits), then the λ is taken that leaves rows out best:

    f without row i is off by r_i/(1 - h_i) there,   h_i = 1/n + Σ U_ij² s_j²/(s_j² + λ).

As λ falls ‖w‖ rises and RSS falls; the degrees of freedom are Σ s²/(s² + λ). w_λ is what least squares finds
within ‖w‖ <= ‖w_λ‖, and the likeliest w under noise N(0, 1) and the prior N(0, γ²) with λ = 1/γ².

Where y = X w + ε with known w and noise of variance σ², E‖ŵ - w‖² is bias² + variance, and for 0 < λ <= 2σ²/‖w‖² it is
below that of λ = 0, if X'X is regular.

References: Hoerl and Kennard (1970), Ridge regression, Technometrics 12; Theobald (1974), Generalizations of mean
square error applied to ridge regression, JRSS B 36; Allen (1974), The relationship between variable selection and data
augmentation and a method for prediction, Technometrics 16; Hastie, Tibshirani and Friedman (2009), The Elements of
Statistical Learning, section 3.4.1; Penrose (1956), On best approximate solutions of linear matrix equations, Proc.
Cambridge Philosophical Society 52; Lindley and Smith (1972), Bayes estimates for the linear model, JRSS B 34.
"""

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from algorithms.core import (
    Algorithm,
    Answer,
    Array,
    Curve,
    Dataset,
    DoesNotApply,
    Event,
    Meta,
    Needs,
    Panel,
    Problem,
    Run,
    Scene,
    Sides,
    State,
    Theorem,
    Variable,
    columns,
    numbers,
    once,
)
from algorithms.data import correlated, dependent, diabetes, line, prostate
from algorithms.toolbox.hindsight import into_ball
from algorithms.toolbox.panels.coefficients import coefficient_paths
from algorithms.toolbox.panels.functions import function_panel, predicted_panel
from algorithms.toolbox.panels.ridge import bias_and_variance, loss_meets_disc
from algorithms.toolbox.ridge_error import Parts, by_directions, by_traces, most_that_helps
from algorithms.toolbox.shrinkage import Spectrum, residuals_left_out, slope, spectrum, weights_along
from algorithms.toolbox.sizes import out_of_range, targets_out_of_range
from algorithms.toolbox.truths import LinearTruth, linear_truth, true_function

_LARGEST = 1e50  # weights are quotients of such numbers, and squared
_LOST = 1e-13  # of the squared longest column: a λ below it does not hide what rounding leaves of 0
_LISTED = 12  # directions in the table


class RidgeState(State, frozen=True, kw_only=True):
    w: Array  # (p + 1,) b and the weights
    place: int = 0  # of λ among those tried; the first is ∞, the last 0
    best: int = 0  # the place of λ*, with the least leave-one-out error so far
    least: float = 0.0  # that error


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
        state = RidgeState(w=of.weights(np.inf), least=error_left_out(of, np.inf))
        yield state
    while state.phase != "choose":
        if state.place < tried:
            state = shrunk_less(of, penalties, state, "fit")
            yield state
        elif state.place == tried:
            state = shrunk_less(of, penalties, state, "limit")
            yield state
        else:
            state = state.after("choose", place=state.best, w=of.weights(penalties[state.best]))
            yield state
    return f"λ* = {in_words(penalties[state.best])} has the least leave-one-out error, {state.least:.4g}"


def path(most: float, least: float, tried: int) -> Array:
    """(tried + 2,) the λ in turn, ∞ the first and 0 the last."""
    return np.concatenate([[np.inf], np.geomspace(most, least, tried), [0.0]])


def shrunk_less(of: Spectrum, penalties: Array, state: RidgeState, phase: str) -> RidgeState:
    """The fit with the next λ; it is λ* when its leave-one-out error is the least so far."""
    place = state.place + 1
    lam = float(penalties[place])
    error = error_left_out(of, lam)
    best, least = (place, error) if error < state.least else (state.best, state.least)
    return state.after(phase, iteration=place, place=place, w=of.weights(lam), best=best, least=least)


def error_left_out(of: Spectrum, lam: float) -> float:
    """The mean of (r/(1 - h))²; ∞ where a row alone decides a direction."""
    left = residuals_left_out(of, lam)[0]
    return float(left @ left) / len(left)


def decomposed(data: Dataset) -> Spectrum:
    return spectrum(data.X, np.asarray(data.y, float))


def adapt(before: Problem, after: Problem, state: RidgeState, rows: Array) -> RidgeState:
    """The same λ on the rows that there are now, and the best of those so far."""
    so_far = errors_left_out(after)[: state.iteration + 1]
    best = int(so_far.argmin())
    place = best if state.phase == "choose" else state.place
    w = spectrum_of(after).weights(penalties_of(after)[place])
    return state.replaced(w=w, place=place, best=best, least=float(so_far[best]))


def in_words(lam: float) -> str:
    return "∞" if np.isinf(lam) else f"{lam:.4g}"


def spectrum_of(problem: Problem) -> Spectrum:
    return problem.data.once(decomposed)


@once
def penalties_of(problem: Problem) -> Array:
    p = problem.parameters
    return path(p.most, p.least, p.tried)


def lam_of(problem: Problem, state: RidgeState) -> float:
    return float(penalties_of(problem)[state.place])


@once
def errors_left_out(problem: Problem) -> Array:
    """(v,) of every λ."""
    return np.array([error_left_out(spectrum_of(problem), lam) for lam in penalties_of(problem).tolist()])


@once
def centred(problem: Problem) -> tuple[Array, Array]:
    """X and y without their means."""
    y = np.asarray(problem.data.y, float)
    return problem.data.X - problem.data.X.mean(axis=0), y - y.mean()


@once
def shortest(problem: Problem) -> Array:
    """(p,) the shortest least-squares fit."""
    of, (X, y) = spectrum_of(problem), centred(problem)
    rank = len(of.S)
    if not rank:
        return np.zeros(X.shape[1])
    return np.asarray(np.linalg.pinv(X, rcond=float(of.S[-1] / of.S[0]) / 2) @ y)


def penalty(problem: Problem, state: RidgeState) -> float:
    """λ where it is on a logarithmic axis."""
    lam = lam_of(problem, state)
    return lam if 0 < lam < np.inf else np.nan


def mean_square(problem: Problem, state: RidgeState) -> float:
    """Of y - f, also on rows held out."""
    r = np.asarray(problem.data.y) - state.w[0] - problem.data.X @ state.w[1:]
    return float(r @ r) / len(r)


def rss(problem: Problem, w: Array) -> float:
    """‖y - b - Xw‖² for (p,) weights, with the best b."""
    X, y = centred(problem)
    r = y - X @ w
    return float(r @ r)


def norm(problem: Problem, state: RidgeState) -> float:
    return float(np.linalg.norm(state.w[1:]))


def left_out_error(problem: Problem, state: RidgeState) -> float:
    error = errors_left_out(problem)[state.place]
    return float(error) if np.isfinite(error) else np.nan


def freedom(problem: Problem, state: RidgeState) -> float:
    return float(spectrum_of(problem).shrinkage(lam_of(problem, state)).sum())


@once
def truth(problem: Problem) -> LinearTruth | None:
    return linear_truth(problem.data)


@once
def parts_along(problem: Problem) -> list[Parts]:
    """Bias and variance at every λ, where the truth is known."""
    of, known = spectrum_of(problem), linear_truth(problem.data)
    if known is None:
        return []
    return [by_directions(of.S, of.V, known.w, known.sigma, lam) for lam in penalties_of(problem).tolist()]


def part(which: str) -> Callable[[Problem, RidgeState], float]:
    def value(problem: Problem, state: RidgeState) -> float:
        along = parts_along(problem)
        return float(getattr(along[state.place], which)) if along else np.nan

    return value


def certain(problem: Problem, state: RidgeState) -> bool | str:
    return spectrum_of(problem).certain(lam_of(problem, state)) or "columns are dependent but for rounding"


def size(problem: Problem, state: RidgeState) -> float:
    """The largest square that is added on the way to RSS, and how much of rounding comes through."""
    y = np.asarray(problem.data.y)
    return spectrum_of(problem).magnifies(lam_of(problem, state)) * float(y @ y)


def optimal(problem: Problem, before: RidgeState | None, after: RidgeState) -> Answer:
    y = np.asarray(problem.data.y, float)
    gradient, pulled, added = slope(problem.data.X, y, after.w, lam_of(problem, after))
    return Sides.each(("X'(y - Xw)", gradient), ("λw", pulled), relation="==", size=added)


def longer(problem: Problem, before: RidgeState, after: RidgeState) -> Answer:
    return Sides(("‖w before‖", norm(problem, before)), ("‖w‖", norm(problem, after)))


def closer(problem: Problem, before: RidgeState, after: RidgeState) -> Answer:
    was, now = rss(problem, before.w[1:]), rss(problem, after.w[1:])
    return Sides(("RSS", now), ("RSS before", was), size=size(problem, after))


def degrees(problem: Problem, before: RidgeState | None, after: RidgeState) -> Answer:
    """tr H from the predictions themselves: what each row's own target does to them, by a QR of X over √λ I."""
    (X, _), lam = centred(problem), lam_of(problem, after)
    n, p = X.shape
    of = spectrum_of(problem)
    if len(of.S) < p and lam <= _LOST * of.longest**2:
        return DoesNotApply("directions were taken for 0, and λ is too small to tell that they are")
    Q = np.linalg.qr(np.vstack([X, np.sqrt(lam) * np.eye(p)]))[0][:n]
    magnified = p * spectrum_of(problem).magnifies(lam)
    traced = float(np.vecdot(Q, Q).sum())
    return Sides(("Σ s²/(s² + λ)", freedom(problem, after)), ("tr H - 1", traced), relation="==", size=magnified)


def without_row(problem: Problem, before: RidgeState | None, after: RidgeState) -> Answer:
    of, lam = spectrum_of(problem), lam_of(problem, after)
    left, magnified = residuals_left_out(of, lam)
    if not np.isfinite(magnified):
        return DoesNotApply("a row alone decides a direction, 1 - h = 0: without it that is lost")
    i = int(np.abs(left).argmax())
    keep = np.arange(problem.data.n) != i
    X, y = problem.data.X, np.asarray(problem.data.y, float)
    w = refitted(X[keep], y[keep], lam)
    r = y[i] - after.w[0] - float(X[i] @ after.w[1:])
    shortcut = r * left[i] / (of.residuals(lam)[i] or 1.0)
    return Sides(
        (f"y - f without row {i}", float(y[i] - w[0] - X[i] @ w[1:])),
        ("r/(1 - h)", shortcut),
        relation="==",
        size=magnified * float(np.abs(y).max()),
    )


def refitted(X: Array, y: Array, lam: float) -> Array:
    """(p + 1,) b and w by least squares with √λ I below X: another way to the same."""
    means, mean = X.mean(axis=0), y.mean()
    p = X.shape[1]
    below = np.vstack([X - means, np.sqrt(lam) * np.eye(p)])
    w = np.linalg.lstsq(below, np.concatenate([y - mean, np.zeros(p)]))[0]
    return np.concatenate([[mean - means @ w], w])


def chosen(problem: Problem, before: RidgeState | None, after: RidgeState) -> Answer:
    errors = errors_left_out(problem)
    so_far = errors[: after.iteration + 1]
    return Sides.each(("CV(λ*)", float(errors[after.best])), ("CV", so_far[np.isfinite(so_far)]))


def limit(problem: Problem, before: RidgeState | None, after: RidgeState) -> Answer:
    w, magnified = shortest(problem), spectrum_of(problem).magnifies(0.0)
    added = magnified**2 * float(np.linalg.norm(w)) + magnified**2 * _scale(problem)
    return Sides.each(("w", after.w[1:]), ("X⁺(y - ȳ)", w), relation="==", size=added)


def _scale(problem: Problem) -> float:
    """‖y‖ over the greatest singular value: a weight that explains all of y."""
    of = spectrum_of(problem)
    return float(np.linalg.norm(np.asarray(problem.data.y)) / of.S[0]) if len(of.S) else 0.0


def likeliest(problem: Problem, before: RidgeState | None, after: RidgeState) -> Answer:
    lam, w = lam_of(problem, after), after.w[1:]
    if lam == 0:
        return DoesNotApply("λ = 0: the prior is flat")

    def posterior(u: Array) -> float:
        return -(rss(problem, u) + lam * float(u @ u)) / 2

    (X, y), of = centred(problem), spectrum_of(problem)
    uphill = w + ((y - X @ w) @ X - lam * w) / (lam + float((of.S**2).max(initial=0.0)))
    others = (np.zeros_like(w), shortest(problem), uphill)
    return Sides.each(
        ("log p(another w | y)", np.array([posterior(u) for u in others])),
        ("log p(w | y)", posterior(w)),
        size=size(problem, after) + lam * float(w @ w),
    )


def within(problem: Problem, before: RidgeState | None, after: RidgeState) -> Answer:
    of, (X, y), w = spectrum_of(problem), centred(problem), after.w[1:]
    radius = float(np.linalg.norm(w))
    downhill = w + (y - X @ w) @ X / float(of.S[0]) ** 2 if len(of.S) else w
    others = (into_ball(downhill, radius), into_ball(shortest(problem), radius))
    losses = np.array([rss(problem, u) for u in others])
    return Sides.each(("RSS", rss(problem, w)), ("RSS of another in the disc", losses), size=size(problem, after))


def beats(problem: Problem, before: RidgeState | None, after: RidgeState) -> Answer:
    known, of, lam = truth(problem), spectrum_of(problem), lam_of(problem, after)
    if known is None:
        return DoesNotApply("the true w and σ are not known")
    if len(of.S) < problem.data.d:
        return DoesNotApply("the columns are dependent: X'X is singular, and least squares has no one w")
    most = most_that_helps(known.w, known.sigma)
    if not 0 < lam <= most:
        return DoesNotApply(f"λ = {in_words(lam)} is not in (0, 2σ²/‖w‖²] = (0, {most:.4g}]")
    if lam <= 1e-10 * float(of.S[0]) ** 2:
        return DoesNotApply("λ is so small that rounding decides")
    X = centred(problem)[0]
    here = by_traces(X, known.w, known.sigma, lam).total
    return Sides(("MSE(λ)", here), ("MSE(0)", parts_along(problem)[-1].total), relation="<")


def validate(problem: Problem) -> str | None:
    data, p = problem.data, problem.parameters
    if p.least >= p.most:
        return f"λ falls from most = {p.most:g} to least = {p.least:g}: least must be below most."
    return out_of_range(data, _LARGEST) or targets_out_of_range(data, _LARGEST, 1 / _LARGEST)


@once
def coefficients_along(problem: Problem) -> Array:
    """(tried, p) with each finite λ above 0."""
    return weights_along(spectrum_of(problem), penalties_of(problem)[1:-1])


def scene(problem: Problem, before: RidgeState | None, after: RidgeState) -> Scene:
    return Scene((*pictures(problem, after), directions(problem, after), so_far(problem, after)))


def pictures(problem: Problem, state: RidgeState) -> tuple[Panel, ...]:
    """The loss and the disc where there are two weights or more, the coefficients along λ, and the fit."""
    data, lam, w = problem.data, lam_of(problem, state), coefficients_along(problem)
    at = penalty(problem, state)
    note = "of scaled features" if data.scaled else ""
    paths = coefficient_paths(
        data.features, penalties_of(problem)[1:-1], w, None if np.isnan(at) else at, axis="λ", log="x", note=note
    )

    def f(places: Array) -> Array:
        return np.asarray(state.w[0] + places @ state.w[1:])

    if data.d == 1:
        fit = predicted_panel(data, f(data.X)) if data.map else function_panel(data, f, truth=true_function(data))
        return fit, *error_panel(problem, state), paths
    i, j = sorted(np.abs(w).max(axis=0).argsort(kind="stable")[-2:].tolist())
    X, y = centred(problem)
    known = truth(problem)
    disc = loss_meets_disc(data.features, X, y, state.w[1:], w, (i, j), lam, None if known is None else known.w)
    return disc, paths, *error_panel(problem, state), predicted_panel(data, f(data.X))


def error_panel(problem: Problem, state: RidgeState) -> tuple[Panel, ...]:
    known, parts = truth(problem), parts_along(problem)
    if known is None:
        return ()
    most, lam = most_that_helps(known.w, known.sigma), lam_of(problem, state)
    return (bias_and_variance(penalties_of(problem)[1:-1], parts[1:-1], parts[-1], lam, most),)


def directions(problem: Problem, state: RidgeState) -> Panel:
    of = spectrum_of(problem)
    heads: dict[str, Any] = {
        "direction": range(1, len(of.S[:_LISTED]) + 1),
        "s²": of.S[:_LISTED] ** 2,
        "kept, s²/(s² + λ)": of.shrinkage(lam_of(problem, state))[:_LISTED],
        "of y along it": of.along[:_LISTED],
    }
    more = len(of.S) - _LISTED
    return columns("directions of the rows", heads, f"and {more} more" if more > 0 else "")


def so_far(problem: Problem, state: RidgeState) -> Panel:
    lam, parts, known = lam_of(problem, state), parts_along(problem), truth(problem)
    facts: dict[str, Any] = {
        "λ": lam,
        "γ of the prior, 1/√λ": lam**-0.5 if lam else np.inf,
        "‖w‖": norm(problem, state),
        "‖w‖ at λ = 0": float(np.linalg.norm(shortest(problem))),
        "weights that are 0": int((state.w[1:] == 0).sum()),
        "RSS": rss(problem, state.w[1:]),
        "degrees of freedom": freedom(problem, state),
        "leave-one-out error": left_out_error(problem, state),
        "the least so far": state.least,
        "at λ*": float(penalties_of(problem)[state.best]),
    }
    if known is not None:
        facts |= {
            "E‖ŵ - w‖², MSE": parts[state.place].total,
            "the least": min(p.total for p in parts),
            "2σ²/‖w‖²": most_that_helps(known.w, known.sigma),
        }
    return numbers(facts)


def best_value(problem: Problem, state: RidgeState) -> float | None:
    lam = float(penalties_of(problem)[state.best])
    return lam if np.isfinite(lam) else None


def explain_start(problem: Problem, before: RidgeState | None, after: RidgeState) -> str:
    off = f"left out, rows are off by {after.least:.4g} in mean square"
    return f"λ = ∞ leaves w = 0: every row is given the mean, {after.w[0]:.4g}; {off}. Now λ falls."


def explain_fit(problem: Problem, before: RidgeState | None, after: RidgeState) -> str:
    lam, of = lam_of(problem, after), spectrum_of(problem)
    kept_of = f"{freedom(problem, after):.3g} of {len(of.S)} direction{'s' * (len(of.S) != 1)}"
    made = f"λ = {lam:.4g} keeps {kept_of}: ‖w‖ = {norm(problem, after):.4g}, RSS = {rss(problem, after.w[1:]):.4g}."
    error = left_out_error(problem, after)
    if np.isnan(error):
        return f"{made} One row alone decides a direction, and left out it cannot be predicted."
    row = int(np.abs(residuals_left_out(of, lam)[0]).argmax())
    best = f"not below the {after.least:.4g} of λ = {best_in_words(problem, after)}"
    among = "the least so far" if after.best == after.place else best
    return f"{made} Left out, rows are off by {error:.4g} in mean square, {among}; row {row} is farthest off."


def best_in_words(problem: Problem, state: RidgeState) -> str:
    return in_words(float(penalties_of(problem)[state.best]))


def explain_limit(problem: Problem, before: RidgeState | None, after: RidgeState) -> str:
    lost = problem.data.d - len(spectrum_of(problem).S)
    which = "the least-squares fit" if not lost else "of the many least-squares fits the shortest"
    return f"λ = 0: w is {which}, ‖w‖ = {norm(problem, after):.4g} and RSS = {rss(problem, after.w[1:]):.4g}."


def explain_choose(problem: Problem, before: RidgeState | None, after: RidgeState) -> str:
    ratio = norm(problem, after) / (float(np.linalg.norm(shortest(problem))) or 1.0)
    return (
        f"λ* = {best_in_words(problem, after)} has the least leave-one-out error, {after.least:.4g}; at λ = 0 it was "
        f"{in_words(float(errors_left_out(problem)[-1]))}. w is {ratio:.1%} as long as the shortest least-squares fit."
    )


LAM = Variable("λ", penalty, log=lambda problem: True)
FITTED = ("fit", "limit")
EVERY = ("fit", "limit", "choose")
CERTAIN = {"rounding lets it be said": certain}
FINITE = {"λ is finite": lambda problem, state: np.isfinite(lam_of(problem, state)) or "λ = ∞, and w = 0"}
THEOREMS = (
    Theorem(
        "w is optimal: X'(y - b - Xw) = λw",
        optimal,
        "Hoerl and Kennard (1970)",
        phases=EVERY,
        hypotheses=FINITE,
        proof=("half the gradient of ‖y - b - Xw‖² + λ‖w‖² is λw - X'(y - b - Xw), and that by b has no λ",),
    ),
    Theorem(
        "‖w‖ never falls as λ falls",
        longer,
        "Hoerl and Kennard (1970)",
        "step",
        FITTED,
        proof=("w = Σ s/(s² + λ) (u·y) v, and each s/(s² + λ) grows as λ falls; the v are orthonormal",),
    ),
    Theorem(
        "RSS never rises as λ falls",
        closer,
        "Hoerl and Kennard (1970)",
        "step",
        FITTED,
        hypotheses=CERTAIN,
        proof=("r = y - ȳ - Σ s²/(s² + λ) (u·y) u: of (u·y)² (λ/(s² + λ))² is left, less for less λ",),
    ),
    Theorem(
        "degrees of freedom: tr H = 1 + Σ s²/(s² + λ)",
        degrees,
        "Hastie, Tibshirani and Friedman (2009)",
        phases=EVERY,
        hypotheses={**FINITE, **CERTAIN},
        proof=("H = 11'/n + Σ s²/(s² + λ) uu', and tr uu' = ‖u‖² = 1", "H is QQ' of the rows of X over √λ I = QR"),
    ),
    Theorem(
        "left out, row i is off by r_i/(1 - h_i)",
        without_row,
        "Allen (1974)",
        phases=EVERY,
        hypotheses={**FINITE, **CERTAIN},
        proof=(
            "were y_i what f without row i says there, that f would fit all rows best",
            "so f_i = (Hy)_i - h_i (y_i - f_i), and (1 - h_i)(y_i - f_i) = y_i - (Hy)_i = r_i",
        ),
    ),
    Theorem(
        "λ* has the least leave-one-out error so far",
        chosen,
        "Allen (1974)",
        phases=EVERY,
        proof=("that is the rule: λ* changes where the error is below the least before it",),
    ),
    Theorem(
        "at λ = 0 w is the shortest fit, X⁺(y - ȳ)",
        limit,
        "Penrose (1956)",
        phases=("limit",),
        hypotheses=CERTAIN,
        proof=("s/(s² + λ) → 1/s along each direction with s > 0, and w has no part along the others",),
    ),
    Theorem(
        "least squares within ‖u‖ <= ‖w‖: no RSS is less",
        within,
        "Hoerl and Kennard (1970)",
        phases=EVERY,
        hypotheses=CERTAIN,
        proof=("RSS + λ‖w‖² <= RSS(u) + λ‖u‖² <= RSS(u) + λ‖w‖² for every u in the disc",),
    ),
    Theorem(
        "w is the MAP of the prior N(0, γ²), λ = 1/γ², σ = 1",
        likeliest,
        "Lindley and Smith (1972)",
        phases=EVERY,
        hypotheses={**FINITE, **CERTAIN},
        proof=("log p(y | w) p(w) = -½ RSS - ½ ‖w‖²/γ² + a constant: -½ of what ridge minimises",),
    ),
    Theorem(
        "MSE(λ) < MSE(0) for 0 < λ <= 2σ²/‖w‖²",
        beats,
        "Hoerl and Kennard (1970); this bound Theobald (1974)",
        phases=EVERY,
        hypotheses=CERTAIN,
        proof=(
            "along v the error is (λ²(v·w)² + σ²s²)/(s² + λ)², at λ = 0 it is σ²/s²",
            "it falls by λ(σ²(2 + λ/s²) - λ(v·w)²)/(s² + λ)², and λ(v·w)² <= λ‖w‖² <= 2σ²",
        ),
    ),
)

ALGORITHM = Algorithm(
    ridge,
    title="Ridge regression",
    summary="Least squares with a penalty on the length of w, along λ from large to small, by one decomposition.",
    rule="minimise ‖y - b - Xw‖² + λ‖w‖²\nw = V s/(s² + λ) U'y",
    needs=Needs(target="number"),
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
    start_only=("most", "least", "tried"),
    curves=(
        Curve("error", mean_square, "mean (y - f)²", held_out=True, along=LAM),
        Curve("leave-one-out error", left_out_error, "mean (r/(1 - h))²", "error", along=LAM),
        Curve("‖w‖", norm, "√(w·w)", along=LAM),
        Curve("degrees of freedom", freedom, "Σ s²/(s² + λ)", along=LAM),
        Curve("bias²", part("bias"), "‖E ŵ - w‖²", "MSE", along=LAM),
        Curve("variance", part("variance"), "E‖ŵ - E ŵ‖²", "MSE", along=LAM),
        Curve("MSE", part("total"), "bias² + variance", "MSE", along=LAM),
    ),
    theorems=THEOREMS,
    symbols={
        "X, y": ("rows and targets; in H, u, s, v without their means", None),
        "w, b": ("weights; the intercept, without a penalty", None),
        "λ": ("the penalty", lambda problem, state: lam if np.isfinite(lam := lam_of(problem, state)) else None),
        "λ*": ("the one with the least leave-one-out error so far", best_value),
        "U, u, s, V, v": ("singular vectors and values of X", None),
        "H, h": ("ŷ = Hy; its diagonal", None),
        "r": ("residuals y - f", None),
        "γ": ("deviation of the prior", lambda p, s: lam**-0.5 if 0 < (lam := lam_of(p, s)) < np.inf else None),
        "σ": ("deviation of the noise, where it is known", lambda p, s: known.sigma if (known := truth(p)) else None),
        "MSE": ("E‖ŵ - w‖², over noise drawn anew", None),
    },
    measured=("w", "best", "least"),
    scene=scene,
    explain={"start": explain_start, "fit": explain_fit, "limit": explain_limit, "choose": explain_choose},
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
