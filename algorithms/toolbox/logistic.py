"""The likelihood of logistic regression, with its slope, its curvature and its maximum.

    p_i = 1/(1 + e^(-x_i·w)),   ln P(w) = Σ y_i ln p_i + (1 - y_i) ln(1 - p_i) - ½ λ ‖w‖²,   y = 1 or 0

x has the constant 1 appended when there is a bias, on which there is no penalty.
"""

from functools import cached_property

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.activations import sigmoid, softplus
from algorithms.toolbox.blocks import row_blocks

FLAT = 1e-13  # of H's greatest eigenvalue: directions as flat as this have no curvature
_SHORTEST = 2.0**-40  # a step below which rounding decides
_LOST = 1e-12  # of ln P: a rise as small as this may be lost in the rounding of it
ENOUGH = 0.25  # of the rise that the slope promises, for a step to be taken


class AtWeights(Struct, frozen=True, eq=False, dict=True):
    """What the rows come to at weights w; each is worked out when it is first asked for.

    Attributes:
        scores: (n,) x·w.
        signs: (n,) 1 where y is 1, -1 where it is 0.
    """

    scores: Array
    signs: Array

    @cached_property
    def margins(self) -> Array:
        """(n,) the scores with the sign turned where y is 0."""
        return self.signs * self.scores

    @cached_property
    def chances(self) -> Array:
        """(n,) p, of class 1."""
        return sigmoid(self.scores)

    @cached_property
    def loss(self) -> float:
        """-Σ ln p over each row's own class; -ln p is ln(1 + e^-m), exact for a large m as for a small one."""
        return float(softplus(-self.margins).sum())


class Likelihood(Struct, frozen=True, eq=False, dict=True):
    """ln P of one data set.

    Attributes:
        X: (n, p) rows, the constant 1 last when there is a bias.
        y: (n,) 1 or 0.
        penalties: (p,) λ for each weight, 0 for the bias.
        last: the two weights asked of last and what the rows come to there: where one is, and what is tried.
    """

    X: Array
    y: Array
    penalties: Array
    last: list[tuple[Array, AtWeights]] = []

    @property
    def p(self) -> int:
        """How many weights there are."""
        return len(self.penalties)

    @cached_property
    def units(self) -> Array:
        """(p,) the root of the greatest curvature along each weight, 1 where there is none."""
        most = np.einsum("ij,ij->j", self.X, self.X) / 4 + self.penalties  # row by row, as X lies in memory
        return np.sqrt(np.where(most > 0, most, 1.0))

    @cached_property
    def signs(self) -> Array:
        """(n,) 1 where y is 1, -1 where it is 0."""
        return 2 * self.y - 1

    def at(self, w: Array) -> AtWeights:
        """What the rows come to at w; of the last two weights that cannot change any more it is at hand."""
        if w.flags.writeable:
            return AtWeights(self.X @ w, self.signs)
        for known, there in self.last:
            if known is w:
                return there
        there = AtWeights(self.X @ w, self.signs)
        self.last[:] = [(w, there), *self.last[:1]]
        return there

    def value(self, w: Array) -> float:
        """ln P(w)."""
        return -self.at(w).loss - 0.5 * float(self.penalties @ w**2)

    def mean_loss(self, w: Array) -> float:
        """The mean of -ln of the chance of each row's own class."""
        return self.at(w).loss / len(self.y)

    def size(self, w: Array) -> float:
        """The largest number that is added on the way to ln P(w)."""
        return 1.0 + float(softplus(np.abs(self.X) @ np.abs(w)).sum()) + float(self.penalties @ w**2)

    def margins(self, w: Array) -> Array:
        """(n,) x·w, with the sign turned where y is 0: positive for a row on its side."""
        return self.at(w).margins

    def scores(self, w: Array) -> Array:
        """(n,) x·w."""
        return self.at(w).scores

    def chances(self, w: Array) -> Array:
        """(n,) p, of class 1."""
        return self.at(w).chances

    def weights(self, w: Array) -> Array:
        """(n,) p (1 - p), the diagonal of R."""
        p = self.chances(w)
        return np.asarray(p * (1 - p))

    def gradient(self, w: Array) -> Array:
        """(p,) ∇ln P = Xᵀ(y - p) - λ w."""
        return np.asarray((self.y - self.chances(w)) @ self.X - self.penalties * w)

    def pulls(self, w: Array) -> Array:
        """(n,) |y - p|: how much of each row there is in the gradient."""
        return np.asarray(np.abs(self.y - self.chances(w)))

    def hessian(self, weights: Array) -> Array:
        """(p, p) H = XᵀRX + λ I, which is -∇²ln P, for (n,) weights on R's diagonal."""
        H, root = np.diag(self.penalties), np.sqrt(weights)[:, None]
        for rows in row_blocks(len(self.X), self.p, least=1024):  # √R X as a whole would not stay in the cache
            part = root[rows] * self.X[rows]
            H += part.T @ part
        return H


def likelihood(data: Dataset, penalty: float, bias: bool) -> Likelihood:
    """ln P of two classes, code 1 being y = 1; ask for it by `data.once(likelihood, penalty, bias)`."""
    X = np.column_stack([data.X, np.ones(data.n)]) if bias else data.X
    penalties = np.full(X.shape[1], float(penalty))
    if bias:
        penalties[-1] = 0.0
    return Likelihood(X, (data.signs + 1) / 2, penalties)


def greatest_curvature(data: Dataset, penalty: float, bias: bool) -> float:
    """L = λmax(XᵀX)/4 + λ, which no curvature of ln P exceeds, since p (1 - p) <= ¼; 1 where all rows are 0."""
    X = data.once(likelihood, penalty, bias).X
    return float(np.linalg.eigvalsh(X.T @ X)[-1]) / 4 + penalty or 1.0


def solved(H: Array, g: Array, units: Array) -> Array:
    """(p,) d with H d = g as nearly as can be, the shortest in those units; along what is flat nothing is asked.

    Args:
        units: (p,) what rows and columns of H are divided by, so that no feature's unit hides how another bends.
    """
    values, vectors = np.linalg.eigh(H / (units[:, None] * units))
    steep = values > FLAT * max(float(values[-1]), np.finfo(float).tiny)
    if not steep.all():
        values, vectors = values[steep], vectors[:, steep]
    return np.asarray(vectors @ ((g / units @ vectors) / values) / units)


class Maximum(Struct, frozen=True, eq=False):
    """The maximum of ln P, as near as double precision comes.

    Attributes:
        w: (p,) where it is.
        value: ln P there.
        exists: whether there is one: no slope is left but by rounding, and ln P bends down in every direction.
    """

    w: Array
    value: float
    exists: bool


def maximum(data: Dataset, penalty: float, bias: bool) -> Maximum:
    """The maximum of the rows as they are."""
    return greatest(data.once(likelihood, penalty, bias))


def greatest(f: Likelihood) -> Maximum:
    """The maximum, by Newton's steps: halved while ln P tells which is higher, then whole as long as g·d falls."""
    w, nearest, least = np.zeros(f.p), np.zeros(f.p), np.inf
    for _ in range(200):
        g = f.gradient(w)
        d = solved(f.hessian(f.weights(w)), g, f.units)
        s, now, rise = 1.0, f.value(w), float(g @ d)
        if rise <= _LOST * (1 + abs(now)):
            if not rise < least:
                break
            nearest, least = w, rise
        else:
            while s > _SHORTEST and f.value(w + s * d) < now + ENOUGH * s * rise:
                s /= 2
        w = w + s * d
    w = nearest if least < np.inf else w
    sizes = np.abs(f.X).sum(axis=0) + f.penalties * np.abs(w)
    values = np.linalg.eigvalsh(f.hessian(f.weights(w)))
    exists = bool((np.abs(f.gradient(w)) <= 1e-9 * sizes).all() and values[0] > 1e-9 * values[-1])
    return Maximum(w, f.value(w), exists)


def gradient_gaps(data: Dataset, penalty: float, bias: bool, steps: int) -> Array:
    """(steps + 1,) ln P(w*) - ln P(w_t) of gradient ascent from w = 0 with the step 1/L, L = λmax(XᵀX)/4 + λ."""
    f, best = data.once(likelihood, penalty, bias), data.once(maximum, penalty, bias)
    L = data.once(greatest_curvature, penalty, bias)
    w, gaps = np.zeros(f.p), np.empty(steps + 1)
    for t in range(steps + 1):
        gaps[t] = best.value - f.value(w)
        w = w + f.gradient(w) / L
    return gaps
