"""What holds of ridge regression at each λ: both sides of every statement, and why it is so."""

import numpy as np

from algorithms.core import Answer, Array, DoesNotApply, Problem, Sides, theorem
from algorithms.families.regression.ridge.fit import RidgeFit, in_words
from algorithms.families.regression.ridge.ridge_error import by_traces
from algorithms.toolbox.hindsight import into_ball
from algorithms.toolbox.shrinkage import residuals_left_out, slope

_LOST = 1e-13  # of the squared longest column: a λ below it does not hide what rounding leaves of 0
_HIDDEN = "directions were taken for 0, and λ is too small to tell that they are"
_EVERY = ("fit", "limit", "choose")


def certain(problem: Problem, fit: RidgeFit) -> bool | str:
    return fit.rows.of.certain(fit.lam) or "columns are dependent but for rounding"


def finite(problem: Problem, fit: RidgeFit) -> bool | str:
    return bool(np.isfinite(fit.lam)) or "λ = ∞, and w = 0"


SURE = {"rounding does not decide which columns depend on others": certain}
FINITE = {"λ is finite": finite}


def hidden(fit: RidgeFit) -> bool:
    """Whether directions were taken for 0 by which λ would not hide that they are not."""
    of = fit.rows.of
    return len(of.S) < fit.rows.data.d and fit.lam <= _LOST * of.longest**2


@theorem(
    "w is optimal: Xᵀ(y - b - Xw) = λw",
    source="Hoerl and Kennard (1970)",
    phases=_EVERY,
    hypotheses=FINITE,
    proof=("half the gradient of ‖y - b - Xw‖² + λ‖w‖² is λw - Xᵀ(y - b - Xw), and that by b has no λ",),
)
def optimal(problem: Problem, before: RidgeFit | None, fit: RidgeFit) -> Answer:
    w = np.concatenate([[fit.b], fit.w])
    gradient, pulled, added = slope(fit.rows.data.X, np.asarray(fit.rows.data.y, float), w, fit.lam)
    names = "b", *fit.rows.data.features
    return Sides.each(("Xᵀ(y - Xw)", gradient), ("λw", pulled), relation="==", size=added, entries=names)


@theorem(
    "‖w‖ never falls as λ falls",
    source="Hoerl and Kennard (1970)",
    about="step",
    phases=("fit", "limit"),
    proof=("w = Σ s/(s² + λ) (u·y) v, and each s/(s² + λ) grows as λ falls; the v are orthonormal",),
)
def longer(problem: Problem, before: RidgeFit, after: RidgeFit) -> Answer:
    return Sides(("‖w before‖", before.norm), ("‖w‖", after.norm))


@theorem(
    "RSS never rises as λ falls",
    source="Hoerl and Kennard (1970)",
    about="step",
    phases=("fit", "limit"),
    hypotheses=SURE,
    proof=("r = y - ȳ - Σ s²/(s² + λ) (u·y) u: of (u·y)² (λ/(s² + λ))² is left, less for less λ",),
)
def closer(problem: Problem, before: RidgeFit, after: RidgeFit) -> Answer:
    return Sides(("RSS", after.rss), ("RSS before", before.rss), size=after.size)


@theorem(
    "degrees of freedom: tr H = 1 + Σ s²/(s² + λ)",
    source="Hastie, Tibshirani and Friedman (2009)",
    phases=_EVERY,
    hypotheses=FINITE | SURE,
    proof=(
        "with 1 for n ones: H = 11ᵀ/n + Σ s²/(s² + λ) uuᵀ, and tr uuᵀ = ‖u‖² = 1",
        "measured by QR of X over √λ I: let Q be its first n rows, then QQᵀ = H - 11ᵀ/n",
    ),
)
def degrees(problem: Problem, before: RidgeFit | None, fit: RidgeFit) -> Answer:
    """tr H from the predictions themselves: what each row's own target does to them, by a QR of X over √λ I."""
    X, lam, of = fit.rows.X, fit.lam, fit.rows.of
    n, p = X.shape
    if hidden(fit):
        return DoesNotApply(_HIDDEN)
    Q = np.linalg.qr(np.vstack([X, np.sqrt(lam) * np.eye(p)]))[0][:n]
    traced = float(np.vecdot(Q, Q).sum())
    size = p * of.magnifies(lam)
    return Sides(("Σ s²/(s² + λ)", fit.freedom), ("tr H - 1", traced), relation="==", size=size)


@theorem(
    "left out, row i is off by rᵢ/(1 - hᵢ)",
    source="Allen (1974)",
    phases=_EVERY,
    hypotheses=FINITE | SURE,
    proof=(
        "were yᵢ what f without row i says there, that f would fit all rows best",
        "so fᵢ = (Hy)ᵢ - hᵢ (yᵢ - fᵢ), and (1 - hᵢ)(yᵢ - fᵢ) = yᵢ - (Hy)ᵢ = rᵢ",
    ),
)
def without_row(problem: Problem, before: RidgeFit | None, fit: RidgeFit) -> Answer:
    of, lam, data = fit.rows.of, fit.lam, fit.rows.data
    if lam and hidden(fit):
        return DoesNotApply(_HIDDEN)
    left, magnified = residuals_left_out(of, lam)
    if not np.isfinite(magnified):
        return DoesNotApply("a row alone decides a direction, 1 - h = 0: without it that is lost")
    i = int(np.abs(left).argmax())
    keep = np.arange(data.n) != i
    X, y = data.X, np.asarray(data.y, float)
    w = refitted(X[keep], y[keep], lam, of.least / float(of.S[0]) if len(of.S) else 1.0)
    r = y[i] - fit.b - float(X[i] @ fit.w)
    shortcut = r * left[i] / (of.residuals(lam)[i] or 1.0)
    return Sides(
        (f"y - f without row {i}", float(y[i] - w[0] - X[i] @ w[1:])),
        ("r/(1 - h)", shortcut),
        relation="==",
        size=magnified * max(float(np.abs(y).max()), float(np.abs(left[i]))),
    )


def refitted(X: Array, y: Array, lam: float, flat: float) -> Array:
    """(p + 1,) b and w by least squares with √λ I below X: another way to the same.

    Args:
        flat: of the greatest singular value, below which one is taken for 0.
    """
    means, mean = X.mean(axis=0), y.mean()
    p = X.shape[1]
    below = np.vstack([X - means, np.sqrt(lam) * np.eye(p)])
    w = np.linalg.lstsq(below, np.concatenate([y - mean, np.zeros(p)]), rcond=flat)[0]
    return np.concatenate([[mean - means @ w], w])


@theorem(
    "λ* has the least leave-one-out error so far",
    source="Allen (1974)",
    phases=_EVERY,
    proof=("that is the rule: λ* changes where the error is below the least before it",),
)
def chosen(problem: Problem, before: RidgeFit | None, fit: RidgeFit) -> Answer:
    errors = np.array([fit.rows.error_left_out(lam) for lam in fit.so_far])
    finite = [i for i in np.flatnonzero(np.isfinite(errors)).tolist() if fit.so_far[i] != fit.best]
    if not finite:  # one is no less than itself
        return None
    of_lam = [f"λ = {in_words(fit.so_far[i])}" for i in finite]
    return Sides.each(("CV(λ*)", fit.rows.error_left_out(fit.best)), ("CV", errors[finite]), entries=of_lam)


@theorem(
    "at λ = 0 w is the shortest fit, X⁺(y - ȳ)",
    source="Penrose (1956)",
    phases=("limit",),
    hypotheses=SURE,
    proof=("s/(s² + λ) → 1/s along each direction with s > 0, and w has no part along the others",),
)
def limit(problem: Problem, before: RidgeFit | None, fit: RidgeFit) -> Answer:
    w, of = fit.rows.shortest, fit.rows.of
    alone = float(np.linalg.norm(np.asarray(fit.rows.data.y)) / of.S[0]) if len(of.S) else 0.0  # a weight for all of y
    size = of.magnifies(0.0) ** 2 * (float(np.linalg.norm(w)) + alone)
    return Sides.each(("w", fit.w), ("X⁺(y - ȳ)", w), relation="==", size=size, entries=fit.rows.data.features)


@theorem(
    "w is the MAP of the prior N(0, γ²), λ = 1/γ², σ = 1",
    source="Lindley and Smith (1972)",
    phases=_EVERY,
    hypotheses=FINITE | SURE,
    proof=(
        "for densities p, log p(y | w) p(w) is -½ RSS - ½ ‖w‖²/γ² and a constant:",
        "-½ of what ridge minimises",
    ),
)
def likeliest(problem: Problem, before: RidgeFit | None, fit: RidgeFit) -> Answer:
    lam, w, rows = fit.lam, fit.w, fit.rows
    if lam == 0:
        return DoesNotApply("λ = 0: the prior is flat")

    def posterior(u: Array) -> float:
        return -(rows.rss(u) + lam * float(u @ u)) / 2

    uphill = w + ((rows.y - rows.X @ w) @ rows.X - lam * w) / (lam + float((rows.of.S**2).max(initial=0.0)))
    others = (np.zeros_like(w), rows.shortest, uphill)
    return Sides.each(
        ("log p(another w | y)", np.array([posterior(u) for u in others])),
        ("log p(w | y)", posterior(w)),
        size=fit.size + lam * float(w @ w),
        entries=("w = 0", "least squares", "a step uphill"),
    )


@theorem(
    "least squares within ‖u‖ <= ‖w‖: no RSS is less",
    source="Hoerl and Kennard (1970)",
    phases=_EVERY,
    hypotheses=SURE,
    proof=("RSS + λ‖w‖² <= RSS(u) + λ‖u‖² <= RSS(u) + λ‖w‖² for every u in the disc",),
)
def within(problem: Problem, before: RidgeFit | None, fit: RidgeFit) -> Answer:
    rows, w = fit.rows, fit.w
    downhill = w + (rows.y - rows.X @ w) @ rows.X / float(rows.of.S[0]) ** 2 if len(rows.of.S) else w
    others = (into_ball(downhill, fit.norm), into_ball(rows.shortest, fit.norm))
    losses = np.array([rows.rss(u) for u in others])
    named = "a step downhill", "least squares, cut to it"
    return Sides.each(("RSS", fit.rss), ("RSS of another in the disc", losses), size=fit.size, entries=named)


@theorem(
    "MSE(λ) < MSE(0) for 0 < λ <= 2σ²/‖w*‖²",
    source="Hoerl and Kennard (1970); this bound Theobald (1974)",
    phases=_EVERY,
    hypotheses=SURE,
    proof=(
        "along v the error is (λ²(v·w*)² + σ²s²)/(s² + λ)², at λ = 0 it is σ²/s²",
        "it falls by λ(σ²(2 + λ/s²) - λ(v·w*)²)/(s² + λ)², and λ(v·w*)² <= λ‖w*‖² <= 2σ²",
    ),
)
def beats(problem: Problem, before: RidgeFit | None, fit: RidgeFit) -> Answer:
    rows, lam, known = fit.rows, fit.lam, fit.rows.truth
    if known is None:
        return DoesNotApply("the true w and σ are not known")
    if len(rows.of.S) < rows.data.d:
        return DoesNotApply("the columns are dependent: XᵀX is singular, and least squares has no one w")
    if not 0 < lam <= rows.most_that_helps:
        return DoesNotApply(f"λ = {in_words(lam)} is not in (0, 2σ²/‖w*‖²] = (0, {rows.most_that_helps:.4g}]")
    if lam <= 1e-10 * float(rows.of.S[0]) ** 2:
        return DoesNotApply("λ is so small that rounding decides")
    here = by_traces(rows.X, known.w, known.sigma, lam).total
    return Sides(("MSE(λ)", here), ("MSE(0)", rows.parts_at(0.0).total), relation="<")


THEOREMS = (
    beats,
    chosen,
    optimal,
    longer,
    closer,
    degrees,
    without_row,
    limit,
    within,
    likeliest,
)
