"""What is believed of the weights of y = x·w + noise, noise N(0, σ²), before and after some rows: Gaussians.

    w ~ N(m, Σ),   Σ = S Sᵀ,   after rows X, y:   Σ⁻¹ = I/τ² + XᵀX/σ²,   m = Σ Xᵀy/σ²

References: Lindley and Smith (1972), Bayes estimates for the linear model, J. of the Royal Statistical Society B 34;
Potter (1963), New statistical formulas, MIT Instrumentation Laboratory (S in place of Σ).
"""

from math import log, pi, sqrt
from typing import NamedTuple

import numpy as np

from algorithms.core import Array


class WeightBelief(NamedTuple):
    """N(m, S Sᵀ) of (p,) weights.

    Attributes:
        mean: (p,) m.
        root: (p, p) S.
    """

    mean: Array
    root: Array

    @property
    def covariance(self) -> Array:
        """(p, p) Σ."""
        return np.asarray(self.root @ self.root.T)

    @property
    def deviations(self) -> Array:
        """(p,) of each weight."""
        return np.asarray(np.sqrt(np.vecdot(self.root, self.root)))

    @property
    def log_volume(self) -> float:
        """½ ln |Σ|."""
        return float(np.linalg.slogdet(self.root)[1])

    def variances(self) -> Array:
        """(p,) of Σ along its axes, the greatest first."""
        return np.asarray(np.linalg.svd(self.root, compute_uv=False) ** 2)

    def of_fit(self, X: Array) -> tuple[Array, Array]:
        """(n,) mean and variance of x·w for each of (n, p) rows."""
        spread = X @ self.root
        return X @ self.mean, np.vecdot(spread, spread)

    def log_density(self, w: Array) -> Array:
        """(k,) ln N(w; m, Σ) at (k, p) places."""
        z = np.linalg.solve(self.root, (w - self.mean).T)
        return np.asarray(-0.5 * (z * z).sum(axis=0) - self.log_volume - 0.5 * len(self.mean) * log(2 * pi))


def ridge(X: Array, y: Array, lam: float) -> Array:
    """(p,) the least Σ (y - x·w)² + λ‖w‖², no weight spared, by the columns and √λ I below them."""
    p = X.shape[1]
    below = np.vstack([X, sqrt(lam) * np.eye(p)])
    return np.asarray(np.linalg.lstsq(below, np.concatenate([y, np.zeros(p)]))[0])


def log_evidence(X: Array, y: Array, sigma: float, tau: float) -> float:
    """Work ln p(y) out for all rows at once, y ~ N(0, σ²I + τ²XXᵀ): in which order they came is not in it."""
    w, p = ridge(X, y, (sigma / tau) ** 2), X.shape[1]
    off = y - X @ w
    log_ratio = float(np.linalg.slogdet(np.eye(p) + (tau / sigma) ** 2 * X.T @ X)[1])
    squares = float(off @ off) / sigma**2 + float(w @ w) / tau**2
    return -0.5 * (squares + log_ratio) - len(y) * (log(sigma) + 0.5 * log(2 * pi))
