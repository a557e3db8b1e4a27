"""Kernels: inner products k(x, z) = φ(x)·φ(z) of features φ that need not be written down.

    linear      x·z
    polynomial  (γ x·z + c)^p        c >= 0, so that every coefficient of the expansion is one of a kernel
    RBF         exp(-γ ‖x - z‖²)     φ has infinitely many coordinates, and ‖φ(x)‖ = 1

k is a kernel if and only if the Gram matrix of *every* finite set of rows is positive semi-definite. So one Gram
matrix with a negative eigenvalue refutes a kernel, and no Gram matrix proves one.

References: Mercer (1909), Philosophical Transactions of the Royal Society A 209; Aronszajn (1950), Transactions of
the American Mathematical Society 68; Schölkopf, Smola and Müller (1998), Neural Computation 10 (centring).
"""

from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset, Meta, Problem
from algorithms.core.ranges import out_of_range
from algorithms.toolbox.distances import pairwise_squared_distances

KernelName = Literal["linear", "polynomial", "rbf"]

# Parameters of an algorithm with a kernel, which are to be called kernel, gamma, degree and constant
KernelChoice: TypeAlias = Annotated[KernelName, Meta(description="x·z, (γ x·z + c)^degree, or exp(-γ ‖x - z‖²)")]
Gamma: TypeAlias = (
    Annotated[float, Meta(ge=0, le=1e6, description="γ of the kernel; automatic (or 0) is 1/(d · variance)")]
    | Literal["automatic"]
)
Degree: TypeAlias = Annotated[int, Meta(ge=1, le=10, description="of the polynomial kernel")]
Constant: TypeAlias = Annotated[float, Meta(ge=0, le=1e6, description="c of the polynomial kernel")]
OF_KERNELS: dict[str, tuple[str, ...]] = {  # for which kernels each has an effect
    "gamma": ("kernel", "polynomial", "rbf"),
    "degree": ("kernel", "polynomial"),
    "constant": ("kernel", "polynomial"),
}

_EPSILON = 2.0**-52
_ROUNDING = 1e-12  # of the trace: what the entries and the eigenvalues of a Gram matrix may be off by
_LARGEST = 1e100  # beyond it and below its inverse, products of kernel values would overflow or vanish
_FAR = 1e4  # of a γ‖x‖²: beyond it too many digits of γ‖x - z‖² are lost in a difference of squares
_BLURRED = 0.25  # of the rows' spread: where rounding may make so much of a k, nothing is known of them
_USED: dict[str, tuple[str, ...]] = {"linear": (), "polynomial": ("gamma", "degree", "constant"), "rbf": ("gamma",)}


class Kernel(Struct, frozen=True):
    """One kernel with its parameters.

    Each of the three is a function of one inner product, k(x, z) = h(left(x)·right(z)). For RBF that is
    -γ‖x - z‖² = (2γx, -γ‖x‖², -γ)·(z, 1, ‖z‖²). So a row of a Gram matrix is one product with a vector.

    Attributes:
        name: which of them.
        gamma: γ of polynomial and RBF.
        degree: p of polynomial.
        constant: c of polynomial, not negative.
    """

    name: KernelName
    gamma: float = 1.0
    degree: int = 3
    constant: float = 1.0

    def __call__(self, rows: Array, places: Array) -> Array:
        """(n, d) and (m, d) -> (n, m): k of each row with each place."""
        origin = places.mean(axis=0)
        if self.name == "rbf" and max(self.size(rows), self.size(places)) > _FAR:
            return self._shaped(-self.gamma * pairwise_squared_distances(rows, places))
        inner = self._left(rows, origin) @ self._right(places, origin).T
        if self.name == "rbf":
            np.minimum(inner, 0.0, out=inner)  # -γ‖x - z‖² that rounding made positive
        return self._shaped(inner)

    def squares(self, rows: Array) -> Array:
        """(n, d) -> (n,): ‖φ(x)‖² = k(x, x)."""
        if self.name == "rbf":
            return np.ones(len(rows))
        return self._shaped(np.vecdot(self._left(rows, rows[0]), self._right(rows, rows[0])))

    def squared_distances_of(self, rows: Array, least: float = 0.0) -> Callable[[int], Array]:
        """i -> (n,): ‖φ(x_i) - φ(x)‖² for all (n, d) rows, and `least` where they are closer than that."""
        if self.name == "linear":
            rows = rows - rows.mean(axis=0)  # distances stay, and less is lost in the differences of large squares
        origin = rows.mean(axis=0)
        left = np.asfortranarray(self._left(rows, origin))  # a product with a vector is quicker along columns
        right, squares = self._right(rows, origin), self.squares(rows)

        def distances(i: int) -> Array:
            inner = left @ right[i]
            if self.name == "rbf":
                np.minimum(inner, 0.0, out=inner)
            squared = self._shaped(inner)
            squared *= -2.0
            squared += 2.0 if self.name == "rbf" else squares + squares[i]
            squared[i] = 0.0
            return np.asarray(np.maximum(squared, least, out=squared))

        return distances

    def size(self, rows: Array) -> float:
        """The largest number that is added on the way to a k(x, z) of (n, d) rows: rounding is in proportion to it."""
        if self.name == "rbf":  # a difference of large squares, in an exponent
            away = rows - rows.mean(axis=0)
            return 1.0 + 8.0 * self.gamma * float(np.vecdot(away, away).max())
        return self.degree * float(np.abs(self.squares(rows)).max())

    def squared_spread(self, rows: Array) -> float:
        """The greatest ‖φ(x) - φ(x_0)‖² of (n, d) rows, a measure of how far apart they are."""
        squares = self.squares(rows)
        return float((squares + squares[0] - 2 * self(rows, rows[:1])[:, 0]).max())

    # RBF does not change when rows and places are moved together: near the origin, less is lost in rounding.
    def _left(self, rows: Array, origin: Array) -> Array:
        match self.name:
            case "linear":
                return rows
            case "polynomial":
                return np.column_stack([self.gamma * rows, np.full(len(rows), self.constant)])
        away = rows - origin
        lengths = np.vecdot(away, away)
        return np.column_stack([2 * self.gamma * away, -self.gamma * lengths, np.full(len(rows), -self.gamma)])

    def _right(self, places: Array, origin: Array) -> Array:
        match self.name:
            case "linear":
                return places
            case "polynomial":
                return np.column_stack([places, np.ones(len(places))])
        away = places - origin
        return np.column_stack([away, np.ones(len(places)), np.vecdot(away, away)])

    def _shaped(self, inner: Array) -> Array:
        """h of an array of the kernel's own, which is used up."""
        match self.name:
            case "linear":
                return inner
            case "polynomial":
                return np.asarray(np.square(inner, out=inner) if self.degree == 2 else inner**self.degree)
        return np.asarray(np.exp(inner, out=inner))


def kernel_of(data: Dataset, name: KernelName, gamma: float | str, degree: int, constant: float) -> Kernel:
    """The kernel with its parameters; for `data.once`. A γ of 0 is automatic too."""
    automatic = isinstance(gamma, str) or gamma == 0
    return Kernel(name=name, gamma=usual_gamma(data.X) if automatic else float(gamma), degree=degree, constant=constant)


def kernel_in_use(problem: Problem) -> Kernel:
    """The kernel of a problem whose parameters are kernel, gamma, degree and constant."""
    p = problem.parameters
    return problem.data.once(kernel_of, p.kernel, p.gamma, p.degree, p.constant)


def kernel_setting(problem: Problem) -> dict[str, object]:
    """The kernel of a problem by the parameters that have an effect on it."""
    kernel = kernel_in_use(problem)
    return {"kernel": kernel.name} | {name: getattr(kernel, name) for name in _USED[kernel.name]}


def kernel_size(data: Dataset, kernel: Kernel) -> float:
    """The largest number that is added on the way to a k(x, z) of the rows; for `data.once`."""
    return kernel.size(data.X)


def unusable(kernel: Kernel, data: Dataset) -> str | None:
    """Why nothing can be worked out with this kernel on these rows, for `validate`; None where it can."""
    extreme = out_of_range(data, _LARGEST)
    if extreme:
        return extreme
    with np.errstate(over="ignore", invalid="ignore"):
        longest, spread = float(kernel.squares(data.X).max()), kernel.squared_spread(data.X)
        if data.held_out is not None:
            longest = max(longest, float(kernel.squares(data.held_out.X).max()))
    if not longest < _LARGEST:
        return f"the largest k(x, x) in {data.name} is {longest:.3g}, which is out of range: scale the features."
    if not spread > 0:
        return f"to this kernel, all rows of {data.name} are in one place: no f can tell them apart."
    if spread < 1 / _LARGEST:
        return f"the largest ‖φ(x) - φ(z)‖² in {data.name} is {spread:.3g}, which is out of range: scale the features."
    blurred = _EPSILON * kernel.size(data.X) > _BLURRED * spread
    if kernel.name != "linear" and blurred:  # linear ones are taken about the mean
        return f"to this kernel, the rows of {data.name} differ by no more than rounding: scale them, or change gamma."
    return None


def usual_gamma(rows: Array) -> float:
    """1 / (d · variance of all numbers in (n, d) rows), which makes a usual γ‖x - z‖² about 2; 1 if nothing varies."""
    return 1.0 / (rows.shape[1] * float(rows.var()) or 1.0)


def centred(gram: Array) -> Array:
    """(n, n) -> (n, n): the Gram matrix of φ(x) - φ̄, φ̄ the mean over the n rows; nothing but k is needed for it."""
    away = gram - gram.mean(axis=0)
    away -= away.mean(axis=1)[:, None]
    return np.asarray(away)


def centred_sums(cross: Array, gram: Array, alpha: Array) -> Array:
    """(m, n) k of other places with the n rows of `gram`, (c, n) α -> (m, c): Σ α_i k, both centred at the mean row.

    With α less its mean, which the centred sum does not see, the means of `cross` and the grand mean drop out.
    """
    weights = (alpha - alpha.mean(axis=1)[:, None]).T
    return np.asarray(cross @ weights - gram.mean(axis=0) @ weights)


def least_eigenvalue(gram: Array) -> float:
    """Of a symmetric matrix; it is not negative, but for rounding, if this is a Gram matrix."""
    return float(np.linalg.eigvalsh(gram)[0])


def eigenvalue_rounding(gram: Array) -> float:
    """By how much rounding may turn a least eigenvalue of 0 negative."""
    return _ROUNDING * float(np.abs(np.diagonal(gram)).sum())


def refutes(gram: Array) -> bool:
    """Whether a symmetric matrix of k(x_i, x_j) has a negative eigenvalue: then k is no kernel."""
    return least_eigenvalue(gram) < -eigenvalue_rounding(gram)
