"""Columns made orthogonal one after the other, and what is known of their span by another way.

    z = x - Σ (q·x) q,   q = z/‖z‖

A column depends on those before it when nothing but rounding is left of it. What is held against this comes from a
singular value decomposition of all columns at once, each scaled to length 1 first: the span does not change by that.

References: Björck (1967), Solving linear least squares problems by Gram-Schmidt orthogonalization, BIT 7; Giraud,
Langou and Rozložník (2005), The loss of orthogonality in the Gram-Schmidt process, Computers and Mathematics with
Applications 50.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array

DEPENDENT = 1e-11  # of the length of a column: what is left below it is rounding
_NONE = 1e-13  # of the greatest singular value: what rounding leaves of one that is 0
_SURE = 1e-6  # of the greatest singular value: far enough above rounding


def orthogonal_part(x: Array, directions: tuple[Array, ...]) -> Array:
    """Find what is left of (n,) or (n, k) columns without their parts along orthonormal (n,) directions.

    They are taken off twice: what rounding leaves of them the first time is gone after the second.
    """
    if not directions:
        return x.copy()
    Q = np.stack(directions)
    for _ in range(2):
        x = x - Q.T @ (Q @ x)
    return x


def depends(left: Array, x: Array) -> bool:
    """Tell whether nothing but rounding is left of a column x."""
    return bool(np.linalg.norm(left) <= DEPENDENT * np.linalg.norm(x))


def taken_by(X: Array, directions: tuple[Array, ...], r: Array) -> Array:
    """(k,) by how much ‖r‖² would fall if one of the (n, k) columns were used next; 0 for a dependent one."""
    left = orthogonal_part(X, directions)
    lengths, full = np.linalg.norm(left, axis=0), np.linalg.norm(X, axis=0)
    free = lengths > DEPENDENT * full
    return np.where(free, r @ (left / np.where(free, lengths, 1.0)), 0.0) ** 2


def weights_of(X: Array, y: Array, used: tuple[int, ...], directions: tuple[Array, ...]) -> Array:
    """(p,) weights of the columns used with Xw = QQᵀy, 0 for the others.

    QX is triangular: the j-th column used has parts along the first j directions alone.
    """
    Q, w = np.stack(directions), np.zeros(X.shape[1])
    w[list(used)] = np.linalg.solve(np.triu(Q @ X[:, used]), Q @ y)
    return w


class Span(Struct, frozen=True, eq=False):
    """What the span of columns is, by singular values.

    Attributes:
        U: (n, rank) an orthonormal basis of it.
        null: (p, p - rank) an orthonormal basis of the weights that come to nothing.
        solve: (p, n) gives weights that fit best, for targets.
        condition: the greatest over the least singular value that is not 0, of columns of length 1.
        sure: whether no singular value is so small that rounding decides what it is.
    """

    U: Array
    null: Array
    solve: Array
    condition: float
    sure: bool

    @property
    def independent(self) -> bool:
        return bool(self.null.shape[1] == 0)

    def fitted(self, y: Array) -> Array:
        """(n,) XX⁺y, the point of the span that is nearest to y."""
        return np.asarray(self.U @ (self.U.T @ y))

    def shortest(self, y: Array) -> Array:
        """(p,) X⁺y, of the weights that fit best the shortest."""
        w = self.solve @ y
        return np.asarray(w - self.null @ (self.null.T @ w))


def span(X: Array) -> Span:
    """Decompose (n, p) columns."""
    lengths = np.linalg.norm(X, axis=0)
    lengths[lengths == 0] = 1.0
    n, p = X.shape
    U, s, Vt = np.linalg.svd(X / lengths, full_matrices=n < p)
    values = np.pad(s, (0, len(Vt) - len(s)))
    kept = values > DEPENDENT * float(s.max(initial=1e-300))
    rank = int(kept.sum())
    null = np.linalg.qr(Vt[rank:].T / lengths[:, None])[0] if rank < p else np.zeros((p, 0))
    scaled = (Vt[:rank].T / values[:rank]) @ U[:, :rank].T
    condition = float(values[0] / values[rank - 1]) if rank else 1.0
    sure = not ((values > _NONE * values[0]) & (values < _SURE * values[0])).any()
    return Span(U[:, :rank], null, scaled / lengths[:, None], condition, sure)
