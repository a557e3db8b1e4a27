"""Functions k(x, z) of two rows, of which some make kernels and some do not.

Made by rules from features, and so kernels: sums and products of kernels, exp of one, f(x) k(x, z) f(z). No kernels:
tanh, -‖x - z‖, a power that is not whole (where its base may be negative it is sgn(u)|u|^1.5, and says so), the greater
of two numbers, a kernel times a negative number. min(x, z) is a kernel for x, z >= 0, the overlap of [0, x] and [0, z],
and none where rows are negative.

References: Aronszajn (1950), Theory of reproducing kernels, Transactions of the American Mathematical Society 68; Berg,
Christensen and Ressel (1984), Harmonic Analysis on Semigroups, chapter 3; Schölkopf and Smola (2002), Learning with
Kernels, section 2.2.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array, Dataset
from algorithms.toolbox.kernels import usual_gamma

CandidateName = Literal[
    "linear", "polynomial", "rbf", "min", "sum", "product", "exp", "cosine",
    "sigmoid", "distance", "power", "max", "minus",
]  # fmt: skip

_EPSILON = 2.0**-52
POWER = 1.5
MOST_ROWS = 100  # that may enter


class Candidate(Struct, frozen=True):
    """A function with its parameters.

    Attributes:
        name: which.
        gamma, constant, degree: γ, c and p where the formula has them.
        signed: whether γ x·z + c is below 0 for some of the rows, where a power that is not whole is not defined:
            sgn(u)|u|^1.5 takes its place.
    """

    name: CandidateName
    gamma: float
    degree: int
    constant: float
    signed: bool = False

    def __call__(self, rows: Array, places: Array) -> Array:
        """(n, d) and (m, d) -> (n, m)."""
        return _VALUES[self.name](self, rows, places)

    @property
    def formula(self) -> str:
        return "sgn(u)|u|^1.5 with u = γ x·z + c" if self.signed else FORMULAS[self.name]

    @property
    def parameters(self) -> dict[str, float]:
        """Those of γ, c and p that the formula has."""
        marks = {"γ": "γ", "c": " c", "p": "^p"}
        values = {"γ": self.gamma, "c": self.constant, "p": float(self.degree)}
        return {letter: values[letter] for letter, mark in marks.items() if mark in self.formula}

    def size(self, rows: Array) -> float:
        """The largest number on the way to a value of (n, d) rows: an entry may be off by the precision times it."""
        longest = float(np.vecdot(rows, rows).max())
        return _SIZES[self.name](self, longest, self.gamma * longest, float(np.abs(rows).sum(axis=1).max()))

    def proof(self, rows: Array) -> str | None:
        """Why it is known to be a kernel on such rows; None where it is not."""
        if self.name == "min" and rows.min() < 0:
            return None
        return PROOFS.get(self.name)


def _inner(rows: Array, places: Array) -> Array:
    return np.asarray(rows @ places.T)


def _squares(rows: Array, places: Array) -> Array:
    """‖x - z‖², of the differences themselves: nothing cancels."""
    return np.asarray(((rows[:, None] - places) ** 2).sum(axis=2))


def _rbf(k: Candidate, rows: Array, places: Array) -> Array:
    return np.asarray(np.exp(-k.gamma * _squares(rows, places)))


def _shifted(k: Candidate, rows: Array, places: Array) -> Array:
    return k.gamma * _inner(rows, places) + k.constant


def _power(k: Candidate, rows: Array, places: Array) -> Array:
    u = _shifted(k, rows, places)
    return np.asarray(np.sign(u) * np.abs(u) ** POWER)


def _cosine(k: Candidate, rows: Array, places: Array) -> Array:
    lengths = np.linalg.norm(rows, axis=1), np.linalg.norm(places, axis=1)
    return np.asarray((rows / lengths[0][:, None]) @ (places / lengths[1][:, None]).T)


_VALUES: dict[str, Callable[[Candidate, Array, Array], Array]] = {
    "linear": lambda k, x, z: _inner(x, z),
    "polynomial": lambda k, x, z: _shifted(k, x, z) ** k.degree,
    "rbf": _rbf,
    "min": lambda k, x, z: np.minimum(x[:, None], z).sum(axis=2),
    "sum": lambda k, x, z: _inner(x, z) + _rbf(k, x, z),
    "product": lambda k, x, z: _inner(x, z) * _rbf(k, x, z),
    "exp": lambda k, x, z: np.exp(k.gamma * _inner(x, z)),
    "cosine": _cosine,
    "sigmoid": lambda k, x, z: np.tanh(k.gamma * _inner(x, z) - k.constant),
    "distance": lambda k, x, z: -np.sqrt(_squares(x, z)),
    "power": _power,
    "max": lambda k, x, z: np.maximum(x[:, None], z).sum(axis=2),
    "minus": lambda k, x, z: -_inner(x, z),
}
_SIZES: dict[str, Callable[[Candidate, float, float, float], float]] = {  # of ‖x‖², γ‖x‖², Σ|x_j| at their greatest
    "linear": lambda k, square, u, sum_: square,
    "polynomial": lambda k, square, u, sum_: k.degree * float(np.float64(u + k.constant) ** k.degree),
    "rbf": lambda k, square, u, sum_: 1.0,
    "min": lambda k, square, u, sum_: sum_,
    "sum": lambda k, square, u, sum_: square + 1.0,
    "product": lambda k, square, u, sum_: 2 * square,
    "exp": lambda k, square, u, sum_: (1 + u) * float(np.exp(np.float64(u))),
    "cosine": lambda k, square, u, sum_: 4.0,
    "sigmoid": lambda k, square, u, sum_: 1 + u + k.constant,
    "distance": lambda k, square, u, sum_: 2 * float(np.sqrt(square)),
    "power": lambda k, square, u, sum_: 2 * (u + k.constant) ** POWER,
    "max": lambda k, square, u, sum_: sum_,
    "minus": lambda k, square, u, sum_: square,
}
FORMULAS = {
    "linear": "x·z",
    "polynomial": "(γ x·z + c)^p",
    "rbf": "exp(-γ‖x - z‖²)",
    "min": "Σ min(x_j, z_j)",
    "sum": "x·z + exp(-γ‖x - z‖²)",
    "product": "x·z exp(-γ‖x - z‖²)",
    "exp": "exp(γ x·z)",
    "cosine": "x·z/(‖x‖‖z‖)",
    "sigmoid": "tanh(γ x·z - c)",
    "distance": "-‖x - z‖",
    "power": "(γ x·z + c)^1.5",
    "max": "Σ max(x_j, z_j)",
    "minus": "-x·z",
}
PROOFS = {
    "linear": "φ(x) = x",
    "polynomial": "φ(x) has all products of at most p features",
    "rbf": "it is f(x) exp(2γ x·z) f(z)",
    "min": "for x >= 0 it is the overlap of [0, x] and [0, z]",
    "sum": "a sum of two kernels",
    "product": "a product of two kernels",
    "exp": "exp of a kernel, a limit of sums of products",
    "cosine": "f(x) x·z f(z) with f = 1/‖x‖",
}


def candidate_of(data: Dataset, name: CandidateName, gamma: float | str, degree: int, constant: float) -> Candidate:
    """The function with its parameters; for `data.once`. A γ of 0 is automatic too."""
    automatic = isinstance(gamma, str) or gamma == 0
    gamma, rows = usual_gamma(data.X) if automatic else float(gamma), data.X[:MOST_ROWS]
    signed = name == "power" and bool((gamma * _inner(rows, rows) + constant).min() < 0)
    return Candidate(name, gamma, degree, constant, signed)


def candidate_gram(data: Dataset, k: Candidate, rows: int) -> Array:
    """(m, m) k of the first rows with each other, symmetric to the last bit; for `data.once`."""
    X = data.X[:rows]
    values = k(X, X)
    return np.asarray((values + values.T) / 2 + 0.0)  # never "-0"


def eigenvalue_lost(size: float, rows: int, d: int) -> float:
    """What rounding may make of an eigenvalue of `rows` rows, when numbers as large as `size` were added."""
    return 2 * _EPSILON * rows * (d + 8) * size
