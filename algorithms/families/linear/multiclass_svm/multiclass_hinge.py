"""The hinge for K classes, its softened form, and weights near the best of its penalised mean.

    s_r = L 1[r ≠ y] + w_r·x - w_y·x,   ξ = max_r s_r,   ξ_ε = ε ln Σ_r e^(s_r / ε)

    ξ <= ξ_ε <= ξ + ε ln K,   and with L > 0:  ξ >= L where another class has a score as high, ξ >= 0 everywhere

f(W) = ½λ Σ_k ‖w_k‖² + mean ξ_ε. ε = 0 is ξ itself; L = 0 and ε = 1 is -ln p_y of softmax regression. The push q of a
row on the classes is the slope of ξ_ε along the s: 1 for the class of the greatest s, or e^(s/ε) over their sum.

The dual of f at ε = 0, scaled to sums over the rows: W = Σ_i α_i x_i' / (λn) with α_i <= 1[y_i], Σ_r α_ir = 0, and
D = -½‖Σ α_i x_i'‖²/(λn²) - L/n Σ_i Σ_{r≠y} α_ir <= f. It is raised row by row, each time as far as it goes.

References: Crammer and Singer (2001), On the algorithmic implementation of multiclass kernel-based vector machines,
JMLR 2; Keerthi, Sundararajan, Chang, Hsieh and Lin (2008), A sequential dual method for large scale multi-class linear
SVMs, KDD.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from algorithms.core import Answer, Array, Dataset, DoesNotApply, Sides
from algorithms.families.linear.shared.base_problems import with_constant

_WORK = 2_500  # rows that may be visited on the way to the best weights: a fraction of a second
_SWEEPS = 12  # over the rows, if that is less
_NEAR = 1e-4  # a gap this small, relatively, is small enough


class Reference(Struct, frozen=True, eq=False):
    """Weights u to hold a run against.

    Attributes:
        W: (K, p).
        losses: (n,) ξ_ε of every row at u.
        penalised: ½λ Σ ‖w_k‖² of u.
        below: a number that f is nowhere below.
    """

    W: Array
    losses: Array
    penalised: float
    below: float

    @property
    def value(self) -> float:
        """f(u)."""
        return self.penalised + float(self.losses.mean())


def features(data: Dataset, bias: bool) -> Array:
    """(n, p) rows, the constant 1 last when there is a bias; ask for them by `data.once(features, bias)`."""
    return with_constant(data.X, bias)


def reference(data: Dataset, bias: bool, penalty: float, margin: float, softness: float, everywhere: bool) -> Reference:
    """u near the least f of ε = 0, and its losses as they are asked for; ask for it by `data.once`."""
    X, y = data.once(features, bias), np.asarray(data.y)
    W, below = near_best(X, y, len(data.classes), penalty, margin)
    of_rows = losses(violations_of_rows(X @ W.T, y, margin, everywhere), softness)
    return Reference(W, of_rows, penalty * float((W * W).sum()) / 2, below)


def one_hot(k: int, which: int) -> Array:
    """(k,) 1 at a place, else 0."""
    return np.asarray(np.arange(k) == which, float)


def violations(scores: Array, own: int, margin: float, everywhere: bool = False) -> Array:
    """(K,) s of a row with (K,) scores; with `everywhere` L is asked of its own class too."""
    asked = margin if everywhere else margin * (1 - one_hot(len(scores), own))
    return np.asarray(asked + (scores - scores[own]))  # so that L is not lost beside scores of any size


def violations_of_rows(scores: Array, y: Array, margin: float, everywhere: bool = False) -> Array:
    """(m, K) s of rows with (m, K) scores and (m,) classes."""
    own = y[:, None] == np.arange(scores.shape[1])
    return np.asarray(np.where(own & (not everywhere), 0.0, margin) + (scores - scores[own][:, None]))


def greatest(s: Array, own: int) -> int:
    """The class of the greatest s; its own where no other is greater."""
    return int(s.argmax()) if s.max() > s[own] else own


def beaten(scores: Array, y: Array) -> Array:
    """(m,) bool: whether another class scores as high as the row's own, of (m, K) scores."""
    own = y[:, None] == np.arange(scores.shape[1])
    return np.asarray(np.where(own, -np.inf, scores).max(axis=1) >= scores[own])


def score_size(W: Array, x: Array) -> float:
    """The largest number that is added on the way to a score of x or to a difference of two, 1 at least."""
    return 1.0 + 2 * float((np.abs(W) @ np.abs(x)).max())


def softened_max(s: Array, softness: float) -> float:
    """ξ_ε of the (K,) s of a row."""
    return float(losses(s[None], softness)[0])


def pushed_away(pushed: Array, own: int, q: Array) -> Array:
    """(K, K) pushes so far, with those of a row of class `own` on the others."""
    return pushed + np.outer(one_hot(len(q), own), q * (1 - one_hot(len(q), own)))


def losses(s: Array, softness: float) -> Array:
    """(m,) ξ_ε of (m, K) s."""
    if softness == 0:
        return np.asarray(s.max(axis=1))
    top = s.max(axis=1)
    return np.asarray(top + softness * np.log(np.exp((s - top[:, None]) / softness).sum(axis=1)))


def pushes(s: Array, y: int, softness: float) -> Array:
    """(K,) the push q of a row on each class; on its own class alone where no other s is greater."""
    if softness > 0:
        e = np.exp((s - s.max()) / softness)
        return np.asarray(e / e.sum())
    return one_hot(len(s), greatest(s, y))


def account_of(W: Array, x: Array, s: Array, own: int, softness: float, penalty: float, t: int) -> Array:
    """(3,) f(W) and ‖g‖²/(2λt) of the t-th row, of (K,) s, and how much it pushes other classes than its own."""
    q = pushes(s, own, softness)
    g = penalty * W + np.outer(q - one_hot(len(q), own), x)
    f = penalty * float((W * W).sum()) / 2 + softened_max(s, softness)
    return np.array([f, float((g * g).sum()) / (2 * penalty * t), 1 - q[own]])


def step_of(
    W: Array,
    after: Array,
    x: Array,
    s: Array,
    own: int,
    loss: float,
    softness: float,
    penalty: float,
    t: int,
    names: Sequence[str] = (),
) -> Sides:
    """W' = (1 - ηλ)W + η(1[y] - q)xᵀ for the t-th row, where q = e^((s - ξ)/ε) is worked out from its loss if ε > 0.

    Args:
        names: of the K p weights, class after class.
    """
    rounding = 1.0
    q = pushes(s, own, 0.0)
    if softness > 0:
        q = np.exp((s - loss) / softness)
        rounding += (float(np.abs(s).max()) + abs(loss)) / softness  # what is lost in s is lost in q as often
    push = np.outer(one_hot(len(s), own) - q, x) / (penalty * t)
    size = np.abs(W) + rounding * np.abs(x) / (penalty * t)
    sides = ("W'", after), ("(1 - ηλ)W + η(1[y] - q)x", (1 - 1 / t) * W + push)
    return Sides.each(*sides, relation="==", size=size, entries=names)


def leads_more(W: Array, after: Array, x: Array, own: int, rival: int, penalty: float, t: int) -> Sides:
    """(w'_y - w'_r)·x = (1 - ηλ)(w_y - w_r)·x + 2η‖x‖², for a row of class y that pushes r away with η = 1/(λt)."""
    was, now = (float((w[own] - w[rival]) @ x) for w in (W, after))
    rise = 2 * float(x @ x) / (penalty * t)
    size = score_size(W, x) + score_size(after, x) + rise
    aim = (1 - 1 / t) * was + rise
    return Sides(("(w'_y - w'ᵣ)·x", now), ("(1 - ηλ)(w_y - wᵣ)·x + 2η‖x‖²", aim), relation="==", size=size)


def binary_step(
    W: Array, after: Array, yx: Array, margin: float, penalty: float, t: int, corrected: bool, names: Sequence[str]
) -> Answer:
    """v = w_1 - w_0 of two classes goes as the binary machine with λ/2 does: corrected where y v·x < L.

    Args:
        W, after: (2, p) the weights before and after the t-th row.
        yx: (p,) the row times +1, or -1 if it is of class 0.
        names: of the p weights.
    """
    v, lam = W[1] - W[0], penalty / 2
    lead = float(v @ yx)
    if abs(lead - margin) <= 1e-12 * score_size(W, yx):
        return DoesNotApply("y v·x is L but for rounding, which decides")
    if corrected != (lead < margin):
        return Sides(("y v·x", lead), ("L", margin), relation="==")
    moved = (1 - 1 / t) * v + (yx / (lam * t) if corrected else 0.0)
    size = np.abs(W).sum(axis=0) + np.abs(yx) / (lam * t)
    sides = ("w'₁ - w'₀", after[1] - after[0]), ("binary v'", moved)
    return Sides.each(*sides, relation="==", size=size, entries=names)


def near_best(X: Array, y: Array, k: int, penalty: float, margin: float, sweeps: int = 0) -> tuple[Array, float]:
    """((K, p) weights near the least f at ε = 0, a number that f is nowhere below), by the dual, row by row.

    Args:
        X: (n, p).
        y: (n,) class codes.
        sweeps: over the rows, at most; 0 for as many as take a fraction of a second.
    """
    n, p = X.shape
    squares = np.vecdot(X, X) / (penalty * n)  # the curvature of the dual along α_i
    alpha, W = np.zeros((n, k)), np.zeros((k, p))
    limit = np.eye(k)[y]
    best, lowest, below = W, np.inf, -np.inf
    for _ in range(sweeps or min(max(_WORK // n, 1), _SWEEPS)):
        for i in range(n):
            if squares[i] > 0:
                asked = margin * (1 - limit[i]) + W @ X[i]
                change = nearest_below(alpha[i], -asked / squares[i], limit[i]) - alpha[i]
                alpha[i] += change
                W = W + np.outer(change, X[i]) / (penalty * n)
        half = penalty * float((W * W).sum()) / 2
        f = half + float(losses(violations_of_rows(X @ W.T, y, margin), 0.0).mean())
        below = max(below, -half - margin * float((alpha * (1 - limit)).sum()) / n)
        if f < lowest:
            best, lowest = W, f
        if lowest - below <= _NEAR * abs(lowest):
            break
    return best, below


def nearest_below(a: Array, step: Array, limit: Array) -> Array:
    """(K,) the b <= limit with Σ b = 0 that is nearest to a + step: it less θ, cut off at the limit, which sums to 1.

    A step may be far longer than the limit, of short rows: so all is measured from the class that it leaves lowest,
    and Σ b = 0 is as exact as if the step were short.
    """
    lowest = int((a - limit + step).argmin())
    above = (a - limit) - (a - limit)[lowest] + (step - step[lowest])  # >= 0 but for rounding
    ranked = np.sort(np.maximum(above, 0.0))  # Σ max(0, θ - above) = 1
    thetas = (1 + np.cumsum(ranked)) / np.arange(1, len(a) + 1)
    return np.asarray(limit - np.maximum(thetas[np.flatnonzero(ranked < thetas)[-1]] - np.maximum(above, 0.0), 0.0))
