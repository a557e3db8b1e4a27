"""Least squares as a bowl: its exact solution and its curvatures.

    f(w) = 1/(2n) Σ (x_i·w - y_i)²,   H = XᵀX / n,   f(w) - f(u) = ½ (w - u)ᵀ H (w - u)

for u any solution of the normal equations H u = Xᵀy / n; u here is the shortest, to which a descent from
w = 0 comes where there are many.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset


class Bowl(Struct, frozen=True, eq=False):
    """f with all that is known of it.

    Attributes:
        X: (n, p) features, the constant 1 last when there is an intercept.
        y: (n,).
        exact: (p,) the least-norm solution u.
        left: (n,) x_i·u - y_i, the residuals of u.
        lowest: f(u).
        curvatures: (p,) eigenvalues of H, the greatest first: L, ...
        axes: (p, p) their eigenvectors, one a row.
    """

    X: Array
    y: Array
    exact: Array
    left: Array
    lowest: float
    curvatures: Array
    axes: Array

    @property
    def L(self) -> float:
        """The greatest curvature: how fast the gradient can change."""
        return float(self.curvatures[0])

    @property
    def p(self) -> int:
        """How many weights there are."""
        return len(self.exact)

    @property
    def scale(self) -> float:
        """The root mean square of the targets."""
        return float(np.sqrt(self.y @ self.y / len(self.y)))

    def size(self, w: Array) -> float:
        """The largest number that is added on the way to f(w): residuals are differences of far larger numbers."""
        reach = self.scale + float(np.sqrt(self.L * float(w @ w)))
        return reach * reach

    def loss(self, w: Array) -> float:
        """f(w)."""
        return half_mean_square(self.X @ w - self.y)

    def gradient(self, w: Array) -> Array:
        """(p,) the gradient of f at w."""
        return (self.X @ w - self.y) @ self.X / len(self.y)

    def row_gradients(self, w: Array) -> Array:
        """(n, p) the gradient of each row's half squared error at w."""
        return np.asarray((self.X @ w - self.y)[:, None] * self.X)

    def spread(self, w: Array) -> float:
        """How far a row's gradient is from that of f, in root mean square."""
        rows = self.row_gradients(w)
        return float(np.sqrt(((rows - rows.mean(axis=0)) ** 2).sum(axis=1).mean()))

    def excess(self, w: Array) -> float:
        """f(w) - f(u), without the cancellation."""
        return float(self.curvatures @ (self.axes @ (w - self.exact)) ** 2) / 2


def bowl(data: Dataset, intercept: bool) -> Bowl:
    """The least-squares problem of a data set; ask for it by `data.once(bowl, intercept)`."""
    X = features(data, intercept)
    y = np.asarray(data.y, float)
    exact = np.linalg.lstsq(X, y)[0]
    left = X @ exact - y
    values, vectors = np.linalg.eigh(X.T @ X / len(X))
    curvatures = np.clip(values[::-1], 0.0, None)
    return Bowl(X, y, exact, left, half_mean_square(left), curvatures, vectors[:, ::-1].T.copy())


def features(data: Dataset, intercept: bool) -> Array:
    """(n, p) rows, the constant 1 last when there is an intercept."""
    return np.column_stack([data.X, np.ones(data.n)]) if intercept else data.X


def mean_square(residuals: Array) -> float:
    """1/m Σ r²."""
    return float(residuals @ residuals / len(residuals))


def half_mean_square(residuals: Array) -> float:
    """1/(2m) Σ r², of (m,) residuals or of a single one."""
    if residuals.ndim == 0:
        return float(residuals) ** 2 / 2
    return float(residuals.dot(residuals)) / (2 * len(residuals))


def loss_and_move(X: Array, y: Array, w: Array, step: float) -> tuple[float, Array]:
    """f_t(w) and η_t g_t (p,), of (b, p) rows and their (b,) targets, or of one (p,) row and its target."""
    if X.ndim == 1:  # in plain numbers: arrays of one entry would take twice as long
        residual = float(X.dot(w)) - float(y)
        return residual * residual / 2, step * residual * X
    residuals = X.dot(w) - y
    return half_mean_square(residuals), step / len(X) * residuals.dot(X)
