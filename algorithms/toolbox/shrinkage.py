"""Least squares with a penalty, by one singular value decomposition for every λ, and which directions it shrinks.

    minimise ‖y - b - X w‖² + λ ‖w‖²,   X - x̄ = U S Vᵀ,   w = V S/(S² + λ) Uᵀ(y - ȳ),   b = ȳ - x̄·w

The intercept b is not penalised. At λ = 0 this is least squares, the shortest w where there are many.

References: Hoerl and Kennard (1970), Ridge regression, Technometrics 12; Golub and Van Loan (2013), Matrix
Computations; Yamamoto, Nakatsukasa, Yanagisawa and Fukaya (2015), Roundoff error analysis of the CholeskyQR2
algorithm, Electronic Transactions on Numerical Analysis 44.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array

_NONE = 1e-13  # of the longest column: a singular value below it is taken for 0
_ROUNDED = 4e-15  # of it: what rounding leaves of 0
_ALONE = 1e-9  # 1 - h of a row below it: nothing but that row says how a direction is
_HIDING = 1e-12  # times how much of rounding comes through: a smaller 1 - h may be none
_MANY = 1000  # rows
_FAR = 1e-8  # of the greatest eigenvalue of XᵀX: the least of columns that are far from dependent
_CERTAIN = 1e6  # how much a solution may magnify rounding before nothing is claimed of it


class Spectrum(Struct, frozen=True, eq=False):
    """Columns without their means, decomposed, and targets.

    Attributes:
        U, S, V: (n, r), (r,) and (p, r); the directions that the rows vary in, the greatest first.
        means: (p,) of the columns.
        mean: of the targets.
        along: (r,) Uᵀ(y - ȳ).
        off: (n,) y - ȳ.
        longest: length of the longest column with its mean: none is more exact than that.
        doubtful: whether a direction that is left out is perhaps more than rounding.
    """

    U: Array
    S: Array
    V: Array
    means: Array
    mean: float
    along: Array
    off: Array
    longest: float
    doubtful: bool

    @property
    def least(self) -> float:
        """A singular value below it is taken for 0."""
        return _NONE * self.longest

    def weights(self, lam: float) -> Array:
        """(p + 1,) b and w for a λ."""
        w = self.V @ (self.S / (self.S**2 + lam) * self.along)
        return np.concatenate([[self.mean - float(self.means @ w)], w])

    def shrinkage(self, lam: float) -> Array:
        """(r,) S²/(S² + λ): how much of each direction is kept; its sum is the degrees of freedom besides b."""
        return np.asarray(self.S**2 / (self.S**2 + lam))

    def residuals(self, lam: float) -> Array:
        """(n,) y - f of each row."""
        return np.asarray(self.off - self.U @ (self.shrinkage(lam) * self.along))

    def magnifies(self, lam: float) -> float:
        """How much of rounding may come through in what is fitted: longest/s, less where s is shrunk."""
        return float((self.longest / self.S * self.shrinkage(lam)).max(initial=1.0))

    def certain(self, lam: float) -> bool:
        """Whether what is fitted is good to some digits."""
        return not (self.doubtful and lam == 0) and self.magnifies(lam) <= _CERTAIN


def spectrum(X: Array, y: Array) -> Spectrum:
    """Decompose (n, p) columns, for targets (n,)."""
    means, mean = X.mean(axis=0), float(y.mean())
    U, S, Vt = _decomposed(X - means)
    longest = float(np.sqrt((X * X).sum(axis=0).max(initial=0.0)))
    kept = _NONE * longest < S
    doubtful = bool((S[~kept] > _ROUNDED * longest).any())
    U = U[:, kept]
    return Spectrum(U, S[kept], Vt[kept].T, means, mean, U.T @ (y - mean), y - mean, longest, doubtful)


def _decomposed(X: Array) -> tuple[Array, Array, Array]:
    """Decompose columns; where there are many rows, by a triangle R with X = QR, which has the same S and V.

    Two passes of Cholesky's decomposition of XᵀX give Q and R as well as reflections do while columns are far from
    dependent, and in a fifth of the time (Yamamoto et al. 2015); where they are not, they are not used.
    """
    n, p = X.shape
    lengths = np.linalg.norm(X, axis=0)
    if n >= max(_MANY, 8 * p) and lengths.all():
        Q, R = X / lengths, np.diag(lengths)
        values = np.linalg.eigvalsh(Q.T @ Q)
        if values[0] > _FAR * values[-1]:
            for _ in range(2):
                L = np.linalg.cholesky(Q.T @ Q)
                Q, R = Q @ np.linalg.inv(L).T, L.T @ R
            U, S, Vt = np.linalg.svd(R)
            return Q @ U, S, Vt
    return np.linalg.svd(X, full_matrices=False)


def left_out(of: Spectrum, y: Array, lam: float, aside: Array) -> tuple[Array, float]:
    """(m,) residuals that rows would have if they were left out of the fit, from the fit to all rows alone.

    They are (I - H_FF)⁻¹ r_F for the rows F, with the hat matrix H of all rows and their residuals r: for one row
    r_i/(1 - h_i). By Woodbury's formula only a system of as many unknowns as there are directions is solved.

    Args:
        of: all rows.
        y: (n,) their targets.
        aside: (n,) bool, the rows F.

    Returns:
        the residuals, and how much of rounding may come through in them; infinite where the others do not say.
    """
    U = np.column_stack([np.full(len(y), len(y) ** -0.5), of.U])  # that of the intercept first
    kept = np.concatenate([[1.0], of.shrinkage(lam)])
    r = y - U @ (kept * (U.T @ y))
    rest = U[~aside].T @ U[~aside] + np.diag(1 / np.maximum(kept, 1e-15) - 1)
    lowest = float(np.linalg.eigvalsh(rest)[0])
    if lowest <= max(_ALONE, _HIDING * of.magnifies(lam)) or not of.certain(lam):
        return r[aside], np.inf
    return r[aside] + U[aside] @ np.linalg.solve(rest, U[aside].T @ r[aside]), of.magnifies(lam) ** 2 / lowest


def slope(X: Array, y: Array, w: Array, lam: float) -> tuple[Array, Array, float]:
    """Find where weights, b first, are optimal: Xᵀ(y - Xw) = λw but for b, with X the columns after 1.

    Returns:
        (p + 1,) both sides, and the largest number that is added on the way. A decomposition is as exact as the
        longest column, not as each.
    """
    X = np.column_stack([np.ones(len(X)), X])
    length = float(np.linalg.norm(X))
    size = length * (float(np.linalg.norm(y)) + length * float(np.linalg.norm(w)))
    return X.T @ (y - X @ w), lam * np.concatenate([[0.0], w[1:]]), size


def weights_along(of: Spectrum, penalties: Array) -> Array:
    """(v, p) the weights with each λ, without the intercept."""
    return np.stack([of.weights(lam)[1:] for lam in penalties.tolist()])


def residuals_left_out(of: Spectrum, lam: float) -> tuple[Array, float]:
    """(n,) r_i/(1 - h_i), the residuals that each row would have if it were left out of the fit.

    Returns:
        them, and how much of rounding may come through in them; infinite where a row alone decides a direction, and
        then so is its residual.
    """
    leverage = 1 / len(of.U) + np.einsum("ij,ij,j->i", of.U, of.U, of.shrinkage(lam))
    left, magnified = 1 - leverage, of.magnifies(lam)
    alone = left <= max(_ALONE, _HIDING * magnified)
    if not alone.any():
        return of.residuals(lam) / left, magnified**2 / float(left.min())
    return np.where(alone, np.inf, of.residuals(lam) / np.where(alone, 1.0, left)), np.inf
