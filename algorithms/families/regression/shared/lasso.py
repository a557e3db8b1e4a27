"""The lasso: its objective, its dual, its exact solution and the soft threshold.

    F(w) = ½ ‖r‖² + λ Σ |w_j|,   r = y - Xw,   X and y without their means, so that the intercept is not penalised

    dual    D(θ) = ½ ‖y‖² - ½ ‖y - θ‖²  for |x_j·θ| <= λ;   D(θ) <= F(w*) <= F(w)
    gap     F(w) - D(s r) = ½ (1 - s)² ‖r‖² + Σ (λ |w_j| - s w_j x_j·r),   s = min(1, λ / max |x_j·r|)

All but the columns' lengths is worked out from XᵀX, Xᵀy and ‖y‖². λ is given as a share of λmax = max |x_j·y|, from
which on w* = 0. Without the ½ on ‖r‖² the same w* belongs to 2λ; scikit-learn's alpha is λ/n.

References: Tibshirani (1996), Regression shrinkage and selection via the lasso, Journal of the Royal Statistical
Society B 58; Lee, Battle, Raina and Ng (2006), Efficient sparse coding algorithms, NIPS.
"""

from functools import cached_property

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset

_NONE = 1e-13  # of its length with the mean: a column that is shorter without it is constant
_SHORT = 1e-20  # of the longest column: shorter ones weigh nothing
_ROUNDED = 1e-13  # of the largest number that was added: what rounding leaves of 0
_FLAT = 1e-12  # of the greatest curvature: a smaller one is taken for 0
_GAP = 1e-14  # of the largest number that was added: to which a gap is known


class Centred(Struct, frozen=True, eq=False, dict=True):
    """Rows without their means, and all that least squares asks of them.

    Attributes:
        X, y: (n, d) and (n,), without means; a column that is constant is 0, and so are targets.
        means, mean: (d,) and the number taken off.
        gram: (d, d) XᵀX.
        moments: (d,) Xᵀy.
        squares: (d,) ‖x_j‖², the diagonal of `gram`.
        total: ‖y‖².
    """

    X: Array
    y: Array
    means: Array
    mean: float
    gram: Array
    moments: Array
    squares: Array
    total: float

    @cached_property
    def L(self) -> float:
        """The greatest eigenvalue of XᵀX: how fast the gradient of ½‖r‖² can change."""
        return max(float(np.linalg.eigvalsh(self.gram)[-1]), 0.0)

    @cached_property
    def lengths(self) -> Array:
        """(d,) ‖x_j‖; 1 of a column that is 0."""
        return np.sqrt(np.where(self.squares > 0, self.squares, 1.0))

    @property
    def greatest(self) -> float:
        """λmax, the largest |x_j·y|: the least λ for which w* = 0."""
        return float(np.abs(self.moments).max())

    def predicted(self, w: Array, at: Array) -> Array:
        """(m,) predictions at (m, d) places, with the intercept that goes with w."""
        return np.asarray(self.mean + (at - self.means) @ w)

    def error(self, w: Array, data: Dataset) -> float:
        """The mean squared error on rows, these or others."""
        off = self.predicted(w, data.X) - np.asarray(data.y)
        return float(off @ off) / len(off)


class Lasso(Struct, frozen=True, eq=False):
    """F of some rows for some λ.

    Attributes:
        of: the rows.
        lam: λ.
    """

    of: Centred
    lam: float

    @property
    def greatest(self) -> float:
        """λmax."""
        return self.of.greatest

    @property
    def d(self) -> int:
        """How many coefficients there are."""
        return len(self.of.moments)

    def correlations(self, w: Array) -> Array:
        """(d,) x_j·r; the gradient of ½‖r‖² is the opposite."""
        return np.asarray(self.of.moments - self.of.gram.dot(w))

    def squared(self, w: Array, correlations: Array | None = None) -> float:
        """‖r‖²; the correlations at w are worked out where they are not at hand."""
        q = self.correlations(w) if correlations is None else correlations
        return max(self.of.total - float(w.dot(self.of.moments + q)), 0.0)

    def value(self, w: Array) -> float:
        """F(w)."""
        return self.squared(w) / 2 + self.lam * float(np.abs(w).sum())

    def size(self, w: Array) -> float:
        """The largest number that is added on the way to F(w)."""
        reach = np.sqrt(self.of.total) + float(np.abs(w).dot(np.sqrt(self.of.squares)))
        return float(reach * reach) + self.lam * float(np.abs(w).sum())

    def sizes(self, w: Array) -> Array:
        """(d,) the largest numbers that are added on the way to each x_j·r."""
        lengths = np.sqrt(self.of.squares)
        return np.asarray(lengths * (np.sqrt(self.of.total) + float(lengths.dot(np.abs(w)))))

    def shrunk(self, q: Array) -> float:
        """s, by which the residuals have to shrink so that no x_j·r, of which q are the values, is beyond λ."""
        largest = float(np.maximum.reduce(np.abs(q)))
        return 1.0 if largest <= self.lam else self.lam / largest

    def falls(self, w: Array, q: Array) -> Array:
        """(d,) how far F falls if a coefficient goes to where F is least along it, of x_j·r that are q."""
        a = self.of.squares
        step = np.divide(soft(q + a * w, self.lam), a, out=np.zeros(self.d), where=a > 0) - w
        return np.asarray(q * step - a * step * step / 2 - self.lam * (np.abs(w + step) - np.abs(w)))

    def gap(self, w: Array, correlations: Array | None = None) -> float:
        """F(w) - D(s r), at least F(w) - F(w*); correlations as for `squared`."""
        q = self.correlations(w) if correlations is None else correlations
        s = self.shrunk(q)
        left = self.lam * float(np.add.reduce(np.abs(w))) - s * float(w.dot(q))
        return (1 - s) ** 2 * self.squared(w, q) / 2 + max(left, 0.0)

    def known_gap(self, w: Array, correlations: Array | None = None) -> float:
        """The same gap, 0 where it is no more than rounding may leave of it."""
        return self.known(self.gap(w, correlations), w)

    def known(self, gap: float, w: Array) -> float:
        """A gap at w, 0 where it is no more than rounding may leave of it."""
        return gap if gap > _GAP * self.size(w) else 0.0


class Solution(Struct, frozen=True, eq=False):
    """Where F is least.

    Attributes:
        w: (d,) w*; one of them where there are many.
        value: F(w*).
        correlations: (d,) x_j·r there.
        gap: how far F(w*) may be above the least there is.
    """

    w: Array
    value: float
    correlations: Array
    gap: float


def centred(data: Dataset) -> Centred:
    """The rows without their means; ask for it by `data.once(centred)`."""
    means, y = np.add.reduce(data.X) / data.n, np.asarray(data.y, float)
    X = data.X - means
    gram = X.T @ X
    squares = gram.diagonal()
    none = (squares <= _NONE**2 * (squares + data.n * means**2)) | (squares <= _SHORT**2 * squares.max())
    if none.any():
        X[:, none] = gram[none] = gram[:, none] = 0.0
    mean = float(np.add.reduce(y)) / data.n
    y = y - mean
    if float(y @ y) <= _NONE**2 * len(y) * mean**2:
        y = np.zeros(len(y))
    return Centred(X, y, means, mean, gram, X.T @ y, gram.diagonal().copy(), float(y @ y))


def lasso(data: Dataset, ratio: float) -> Lasso:
    """F for λ = ratio λmax; ask for it by `data.once(lasso, ratio)`."""
    of = data.once(centred)
    return Lasso(of, ratio * of.greatest)


def solution(data: Dataset, ratio: float) -> Solution:
    """w*, by the search for its signs; ask for it by `data.once(solution, ratio)`."""
    f = data.once(lasso, ratio)
    w = exact(f)
    return Solution(w, f.value(w), f.correlations(w), f.gap(w))


def excess(f: Lasso, best: Solution, w: Array) -> float:
    """F(w) - F(w*) without the cancellation: ½‖X(w - w*)‖² + Σ (λ|w_j| - w_j x_j·r*)."""
    off = w - best.w
    slack = f.lam * np.abs(w) - w * np.clip(best.correlations, -f.lam, f.lam)
    return float(off @ f.of.gram @ off) / 2 + float(slack.sum())


def known_excess(f: Lasso, best: Solution, w: Array) -> float:
    """The same, 0 where it is no more than rounding may leave of it."""
    above = excess(f, best, w)
    return above if above > _GAP * f.size(w) else 0.0


def zeros(w: Array) -> str:
    """Say how many coefficients are exactly 0."""
    return f"{int((w == 0).sum())} of {len(w)} coefficients at 0"


def closed(f: Lasso, w: Array, gap: float) -> str:
    """Say what came out where the duality gap ends a run."""
    least = "the minimum" if gap == 0 else "at most that far above its minimum"
    return f"the duality gap is {gap:.3g}: F = {f.value(w):.5g} is {least}, with {zeros(w)}"


def soft(z: Array, threshold: float) -> Array:
    """Shrink each towards 0 by the threshold, and to 0 what is nearer."""
    return np.asarray(np.sign(z) * np.maximum(np.abs(z) - threshold, 0.0))


def exact(f: Lasso) -> Array:
    """(d,) w*: take in the coefficient that F falls fastest in, go to the best with these signs, let go what meets 0.

    F falls at every move and no signs come twice, so it ends; rounding may leave it a hair above the least.
    """
    w, signs = np.zeros(f.d), np.zeros(f.d)
    for _ in range(20 * f.d + 20):
        q = f.correlations(w)
        beyond = np.where(signs == 0, (np.abs(q) - f.lam) / f.of.lengths, -np.inf)  # whatever a column's unit is
        j = int(beyond.argmax())
        if beyond[j] <= _ROUNDED * float(np.sqrt(f.of.total)):
            break
        signs[j] = np.sign(q[j])
        _settle(f, w, signs)
    return w


def _settle(f: Lasso, w: Array, signs: Array) -> None:
    """Go, in place, to where F is least with these signs; a coefficient that meets 0 on the way is let go."""
    while signs.any():
        A = np.flatnonzero(signs)
        units = f.of.lengths[A]
        H, g = f.of.gram[np.ix_(A, A)] / np.outer(units, units), (f.correlations(w)[A] - f.lam * signs[A]) / units
        d, whole = _descent(H, g)
        d = d / units
        towards = d * signs[A] < 0
        until = np.full(len(A), np.inf)
        until[towards] = np.abs(w[A][towards] / d[towards])
        first = float(until.min())
        if whole and first >= 1:
            w[A] += d
            return
        if not np.isfinite(first):
            return
        w[A] += first * d
        met = A[until <= first]
        w[met] = signs[met] = 0.0


def _descent(H: Array, g: Array) -> tuple[Array, bool]:
    """A direction down, for the slope -g and curvature H: to the least where there is one, else along what is flat.

    Returns:
        the direction, and whether F is least at its end.
    """
    values, vectors = np.linalg.eigh(H)
    along = vectors.T @ g
    flat = values <= _FLAT * values[-1]
    if np.abs(along[flat]).max(initial=0.0) > 1e-9 * np.abs(g).max():
        return vectors[:, flat] @ along[flat], False
    bent = ~flat
    return vectors[:, bent] @ (along[bent] / values[bent]), True
