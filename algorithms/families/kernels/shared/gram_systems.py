"""Linear systems with a Gram matrix: (K + λI) α = y, and at λ = 0 K² α = K y, whose shortest solution is K⁺y.

y need not lie in the range of a singular K: then K α = y has no solution, while K² α = K y always has one.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.kernels import Kernel

_EPSILON = 2.0**-52
_CLUSTER = 8  # times n times the precision: eigenvalues that are as near as this are one but for rounding


class GramSystem(Struct, frozen=True, eq=False):
    """A α = b.

    Attributes:
        gram: (n, n) K.
        y: (n,) targets, without what f is measured from.
        lam: λ.
        offset: what f is measured from: the mean of the targets, or 0.
    """

    gram: Array
    y: Array
    lam: float
    offset: float

    def times(self, v: Array) -> Array:
        """(n,) A v."""
        image = self.gram @ v
        return np.asarray(image + self.lam * v if self.lam else self.gram @ image)

    def left(self, alpha: Array) -> Array:
        """(n,) y - K α - λ α."""
        return np.asarray(self.y - self.gram @ alpha - self.lam * alpha)

    def residual(self, alpha: Array) -> Array:
        """(n,) b - A α."""
        left = self.left(alpha)
        return left if self.lam else np.asarray(self.gram @ left)


def gram_system(data: Dataset, kernel: Kernel, lam: float, centred: bool) -> GramSystem:
    """The system of the rows; for `data.once`."""
    gram, y = data.once(gram_matrix, kernel), np.asarray(data.y, float)
    offset = float(y.mean()) if centred else 0.0
    return GramSystem(gram, y - offset, lam, offset)


def function_length(shares: Array, values: Array) -> float:
    """‖f‖ = √(Σ sᵢ f(xᵢ)) of f = Σ sᵢ k(xᵢ, ·), which is ‖Σ sᵢ φ(xᵢ)‖, for (n,) shares and (n,) values of f."""
    return float(np.sqrt(max(float(shares @ values), 0.0)))


def gram_matrix(data: Dataset, kernel: Kernel) -> Array:
    """(n, n) k of the rows with each other, symmetric to the last bit; for `data.once`."""
    values = kernel(data.X, data.X)
    return np.asarray((values + values.T) / 2)


def gram_eigen(data: Dataset, kernel: Kernel) -> tuple[Array, Array]:
    """(n,) eigenvalues of K, rising, as rounding left them; (n, n) eigenvectors as columns; for `data.once`."""
    values, vectors = np.linalg.eigh(data.once(gram_matrix, kernel))
    return values, vectors


class Spectral(Struct, frozen=True, eq=False):
    """A system seen along the eigenvectors of K, those of eigenvalue 0 left out where λ = 0.

    Attributes:
        system: A α = b.
        k, vectors: (m,) eigenvalues of K, rising, and (n, m) their eigenvectors.
        largest: the greatest eigenvalue of K.
        rank: how many eigenvalues of K are not 0 but for rounding.
        gap: whether there is none that rounding could have made, so that K⁺ is certain.
        lost: how far below 0 rounding has put one.
    """

    system: GramSystem
    k: Array
    vectors: Array
    largest: float
    rank: int
    gap: bool
    lost: float

    @property
    def eigenvalues(self) -> Array:
        """(m,) of A."""
        return self.k + self.system.lam if self.system.lam else self.k**2

    @property
    def least(self) -> float:
        """μ, the least eigenvalue of A that is not 0; 1 where all are."""
        return float(self.eigenvalues[0]) if len(self.k) else 1.0

    @property
    def condition(self) -> float:
        """κ, the greatest eigenvalue of A over the least that is not 0."""
        return float(self.eigenvalues[-1]) / self.least if len(self.k) else 1.0

    @property
    def greatest(self) -> float:
        """The greatest eigenvalue of A."""
        return self.largest + self.system.lam if self.system.lam else self.largest**2

    @property
    def solution(self) -> Array:
        """(n,) α* = (K + λI)⁻¹y, or K⁺y."""
        return np.asarray(self.vectors @ ((self.system.y @ self.vectors) / (self.k + self.system.lam)))

    def parts(self, alpha: Array) -> Array:
        """(m,) the squares of the error along each eigenvector, in the energy norm; they add up to eᵀA e."""
        along = self.system.left(alpha) @ self.vectors
        return np.asarray(along**2 / (self.k + self.system.lam) if self.system.lam else along**2)

    def energy_size(self, alpha: Array) -> float:
        """The largest number that is added on the way to eᵀA e."""
        size, weights = (
            self.left_size(alpha),
            1 / (self.k + self.system.lam) if self.system.lam else np.ones(len(self.k)),
        )
        along = np.abs(self.system.left(alpha) @ self.vectors)
        return float((weights * (along * size + 1e-14 * size**2)).sum())

    def left_size(self, alpha: Array) -> float:
        """The same of y - K α - λ α."""
        return float(np.linalg.norm(self.system.y) + (self.largest + self.system.lam) * np.linalg.norm(alpha))

    def residual_size(self, alpha: Array) -> float:
        """The same of b - A α."""
        return self.left_size(alpha) * (1.0 if self.system.lam else self.largest)

    @property
    def drowned(self) -> bool:
        """Whether λ is no more than what rounding makes of an eigenvalue of K."""
        rounded = max(_CLUSTER * len(self.k) * _EPSILON * self.largest, 2 * self.lost)
        return 0 < self.system.lam <= rounded

    @property
    def distinct(self) -> int:
        """How many different eigenvalues of A b has a part along, or would have one by what rounding leaves of it."""
        # What is along a great one counts for more than it is: the steps divide by the least.
        shares = np.abs(self.system.y @ self.vectors) * self.eigenvalues / self.least
        there = self.eigenvalues[shares > len(shares) * _EPSILON * float(np.linalg.norm(self.system.y))]
        nearest = _CLUSTER * len(self.vectors) * _EPSILON * float(self.eigenvalues[-1]) if len(there) else 0.0
        return int((np.diff(there) > nearest).sum()) + bool(len(there))


def spectral(data: Dataset, kernel: Kernel, lam: float, centred: bool) -> Spectral:
    """The system along the eigenvectors of K; for `data.once`."""
    k, vectors = data.once(gram_eigen, kernel)
    largest, lost = max(float(k[-1]), 0.0), max(-float(k[0]), 0.0)
    k = np.maximum(k, -lam / 2)
    surely = k > 1e-6 * largest
    zero = k <= _CLUSTER * len(k) * _EPSILON * largest
    kept = ~zero if lam == 0 else np.ones(len(k), bool)
    system = data.once(gram_system, kernel, lam, centred)
    return Spectral(system, k[kept], vectors[:, kept], largest, int((~zero).sum()), bool((surely | zero).all()), lost)


def ridge_values(system: GramSystem, phi: Array) -> Array:
    """(n,) φ(x)·w of the rows with (n, D) features φ, where w has the least Σ(y - φ·w)² + λ‖w‖²: by least squares.

    At λ = 0 a direction of φ whose square rounding hides in K is none here either.
    """
    n, D = phi.shape
    flat = None if system.lam else float(np.sqrt(_CLUSTER * n * _EPSILON))
    if n < D:  # w is in the space of the rows, and D² numbers would be many
        U, s, _ = np.linalg.svd(phi, full_matrices=False)
        share = s**2 / (s**2 + system.lam) if flat is None else np.where(s > flat * s[0], 1.0, 0.0)
        return np.asarray(U @ (share * (U.T @ system.y)))
    below = np.vstack([phi, np.sqrt(system.lam) * np.eye(phi.shape[1])])
    w = np.linalg.lstsq(below, np.append(system.y, np.zeros(phi.shape[1])), rcond=flat)[0]
    return np.asarray(phi @ w)
