"""Feature maps φ: other features made of those of a data set, in which what was curved may be straight.

    quadratic   φ(x) = x_i, and x_i x_j for i <= j
    products    φ(x) = x_i, and x_i x_j for i < j
    rbf:m       φ(x) = exp(-‖x - c_j‖² / (2σ²)) for m centres c_j, drawn from the training rows; σ = D / √(2m),
                where D is the greatest distance between two centres

With "+1" after it (quadratic+1) a map has the constant 1 among its features. Features are scaled before the map: so
squares are of the same size, and a distance does not hang on units.

References: Cover (1965), Geometrical and statistical properties of systems of linear inequalities; Broomhead and Lowe
(1988), Multivariable functional interpolation and adaptive networks; Haykin (1999), Neural Networks, section 5.13.
"""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from algorithms.core.arrays import Array, frozen
from algorithms.core.dataset import Dataset
from algorithms.core.errors import Refused

THERE_ARE = "quadratic, products, rbf:20 (any number of centres), letters:2 (of a column of text)"
MOST_NUMBERS = 1 << 24  # that a map may make of a data set
_NAMED = 3  # so many coordinates of a centre are named
_CONSTANT = "+1"


class Monomials(Struct, frozen=True, tag="monomials"):
    """Products of features.

    Attributes:
        title: "quadratic map".
        factors: of each new feature, the numbers of those it is the product of; () for the constant 1.
    """

    title: str
    factors: tuple[tuple[int, ...], ...]

    def __call__(self, at: Array) -> Array:
        """Map (m, d) -> (m, D)."""
        x = np.ascontiguousarray(at.T)
        made = np.ones((len(self.factors), len(at)))  # column after column, which is many times faster
        for column, factors in zip(made, self.factors):
            for j in factors:
                column *= x[j]
        return made.T

    def names(self, data: Dataset) -> tuple[str, ...]:
        """Name the D features: "x1", "x1²", "x1·x2"."""
        return tuple(_product(data.features, factors) for factors in self.factors)


class Bumps(Struct, frozen=True, eq=False, tag="bumps"):
    """How near each of m centres is: 1 at the centre, falling like a Gaussian of that width.

    Attributes:
        centres: (m, d).
        width: the σ of all.
        constant: whether the constant 1 comes first.
    """

    title: str
    centres: Array
    width: float
    constant: bool = False

    def __call__(self, at: Array) -> Array:
        """Map (k, d) -> (k, m), and one more with the constant."""
        squares = np.zeros((len(at), len(self.centres)))
        for x, centre in zip(at.T, self.centres.T):
            squares += ((x[:, None] - centre) / self.width) ** 2
        near = np.exp(-squares / 2)
        return np.column_stack([np.ones(len(at)), near]) if self.constant else near

    def names(self, data: Dataset) -> tuple[str, ...]:
        """Name the bumps: "near (0.3, 1.2)", in the units that the data came in."""
        places = data.original(self.centres)
        rest = ", ..." if data.d > _NAMED else ""
        names = [f"near ({', '.join(f'{v:.3g}' for v in place[:_NAMED])}{rest})" for place in places.tolist()]
        named = [f"{name}, {i}" if names.count(name) > 1 else name for i, name in enumerate(names)]
        return (*(("1",) if self.constant else ()), *named)


Map: TypeAlias = Monomials | Bumps


def letter(text: str) -> int | None:
    """Read which letter "letters:2" speaks of, counted from 1; None for another map.

    Raises:
        Refused: when the text is no map.
    """
    kind, number, _ = _parts(text)
    return number if kind == "letters" else None


def fitted(text: str, data: Dataset, seed: int) -> Map:
    """Fit the map that a text speaks of to these training rows.

    Raises:
        Refused: when the text is no map, or does not go with the data.
    """
    kind, number, constant = _parts(text)
    size = number + constant if kind == "rbf" else constant + data.d + _pairs(kind, data.d)
    if data.n * size > MOST_NUMBERS:
        raise Refused(
            f"the {kind} map of {data.name} has {size:,} features for {data.n:,} rows, too many: choose some columns, "
            "or a sample of the rows."
        )
    title = f"{text} map"
    if kind == "rbf":
        centres = _centres(data, number, seed)
        return Bumps(title, frozen(centres), _width(centres), bool(constant))
    if kind == "products" and data.d == 1:
        raise Refused(f"{data.name} has one feature, so there are no products of two; quadratic has its square.")
    pairs = combinations_with_replacement if kind == "quadratic" else combinations
    alone = tuple((j,) for j in range(data.d))
    return Monomials(title, (*(((),) if constant else ()), *alone, *pairs(range(data.d), 2)))


def check(text: str) -> None:
    """Refuse what is no map."""
    if text:
        _parts(text)


def _parts(text: str) -> tuple[str, int, int]:
    """Parse a map: its kind, its number (0 for none), and 1 where the constant is a feature."""
    plain = text.removesuffix(_CONSTANT)
    kind, colon, number = plain.partition(":")
    if kind in ("quadratic", "products") and not colon:
        return kind, 0, int(plain != text)
    if kind not in ("rbf", "letters"):
        raise Refused(f"there is no feature map {text!r}; there are {THERE_ARE}.")
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= 10_000 and len(number) < 9):
        what = "how many centres there are, as rbf:20" if kind == "rbf" else "which letter it takes, as letters:2"
        raise Refused(f"the map {text!r} does not say {what}.")
    if kind == "letters" and plain != text:
        raise Refused("the letters map has no constant among its features: letters:2.")
    return kind, int(number), int(plain != text)


def _pairs(kind: str, d: int) -> int:
    return d * (d + 1) // 2 if kind == "quadratic" else d * (d - 1) // 2


def _product(names: Sequence[str], factors: tuple[int, ...]) -> str:
    if not factors:
        return "1"
    if len(set(factors)) < len(factors):
        return f"{names[factors[0]]}²"
    return "·".join(names[j] for j in factors)


def _centres(data: Dataset, m: int, seed: int) -> Array:
    """Draw (m, d) different training rows with the seed."""
    order = np.random.default_rng((seed, 2)).random(data.n).argsort()
    first = np.sort(np.unique(data.X[order], axis=0, return_index=True)[1])
    if len(first) < m:
        raise Refused(f"rbf:{m} takes {m} different rows for centres; {data.name} has {len(first)} to learn from.")
    return np.asarray(data.X[order[first[:m]]])


def _width(centres: Array) -> float:
    """Measure the greatest distance between two centres over √(2m); 1 for a single one."""
    farthest = max(float(np.linalg.norm(centres - c, axis=1).max()) for c in centres)
    return farthest / float(np.sqrt(2 * len(centres))) or 1.0
