"""How far the weights of ridge are from the true ones in the mean, where those are known: bias, variance, their sum.

    y = b + X w + ε,  ε ~ N(0, σ²) on each row,  X fixed, its means taken off,   M = (XᵀX + λI)⁻¹

    E‖ŵ_λ - w‖²  =  ‖λ M w‖²  +  σ² tr(M XᵀX M)  =  Σ λ² (v·w)²/(s² + λ)²  +  σ² Σ s²/(s² + λ)²

s and v are the singular values and directions of X. It is below that of λ = 0 for 0 < λ <= 2σ²/‖w*‖², if XᵀX is
regular: along each direction by λ (σ² (2 + λ/s²) - λ (v·w)²)/(s² + λ)².

References: Hoerl and Kennard (1970), Ridge regression, Technometrics 12; Theobald (1974), Generalizations of mean
square error applied to ridge regression, JRSS B 36.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array


class Parts(Struct, frozen=True):
    """The mean squared error of weights.

    Attributes:
        bias: the squared length of their bias.
        variance: their summed variance.
    """

    bias: float
    variance: float

    @property
    def total(self) -> float:
        return self.bias + self.variance


def by_traces(X: Array, w: Array, sigma: float, lam: float) -> Parts:
    """Work it out from (n, p) columns without their means, for a finite λ; XᵀX + λI has to be regular."""
    G = X.T @ X
    M = np.linalg.inv(G + lam * np.eye(len(G)))
    bias = lam * M @ w
    return Parts(float(bias @ bias), float(sigma**2 * np.trace(M @ G @ M)))


def by_directions(S: Array, V: Array, w: Array, sigma: float, lam: float) -> Parts:
    """Work it out from (r,) singular values above 0 and their (p, r) directions; at λ = ∞ all of w is bias.

    What w has across all directions, where r < p, is bias at every λ.
    """
    along = V.T @ w
    across = max(float(w @ w - along @ along), 0.0) if V.shape[1] < len(w) else 0.0
    if np.isinf(lam):
        return Parts(float(w @ w), 0.0)
    share = lam / (S**2 + lam) * along
    return Parts(float(share @ share) + across, float(sigma**2 * ((S / (S**2 + lam)) ** 2).sum()))


def most_that_helps(w: Array, sigma: float) -> float:
    """2σ²/‖w*‖²: up to it every λ > 0 is better than none; ∞ for w = 0."""
    squared = float(w @ w)
    return 2 * sigma**2 / squared if squared else np.inf
