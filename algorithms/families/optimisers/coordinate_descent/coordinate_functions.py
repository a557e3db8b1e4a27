"""Functions of the plane that are minimised exactly along one coordinate: the smooth ones by name, and two with kinks.

lasso         ½ (z - a)ᵀH(z - a) + |x| + |y|          its kinks lie along the axes
slanted kink  2|x + y| + ½(x - 1)² + ½(y - 1)²        its kink lies across both: at (t, -t), |t| <= 1, neither
                                                      coordinate alone lowers f, and the least is at (0, 0)
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.toolbox.functions import FUNCTIONS, Function, Place, Window

CoordinateName = Literal["bowl", "valley", "rosenbrock", "saddle", "two wells", "huber", "lasso", "slanted kink"]
Best = Callable[[Array, int], float | None]

_H = np.array([[2.0, 1.0], [1.0, 2.0]])  # of the lasso
_A = np.array([1.5, 0.2])
_IN_X = str.maketrans({"x": "x₁", "y": "x₂", "z": "x"})  # the letters of the place, as they are on the axes
_STEEP = 2.0  # of the slanted kink


class CoordinateFunction(Struct, frozen=True, eq=False):
    """A function of the plane with its least place along each coordinate.

    Attributes:
        formula: what it is in mathematics, in a line.
        value: (..., 2) places -> (...).
        best: (place (2,), coordinate) -> the value of that coordinate at which f is least, the other one kept; None
            where f falls without end.
        window: ((left, right), (bottom, top)), where it is worth a look.
        minima, saddles: its local minima, the lowest first, and its saddles.
        convex: whether it is.
        L: no curvature of its smooth part is greater; None where there is no such number.
        smooth: f with its gradient; None where there are kinks.
        H: (2, 2) its Hessian where that is the same everywhere.
        kinks: (2, 2) ends of the lines along which it has kinks.
        separable: whether those lie along the axes.
    """

    formula: str
    value: Callable[[Array], Array]
    best: Best
    window: Window
    minima: tuple[Place, ...]
    saddles: tuple[Place, ...] = ()
    convex: bool = False
    L: float | None = None
    smooth: Function | None = None
    H: Array | None = None
    kinks: tuple[Array, ...] = ()
    separable: bool = True

    @property
    def lowest(self) -> float | None:
        """f*, the least value; None where it falls without end."""
        return float(self.value(np.array(self.minima[0]))) if self.minima else None


def soft(value: float, threshold: float) -> float:
    """Nearer to 0 by the threshold, and 0 within it."""
    return float(np.sign(value) * max(abs(value) - threshold, 0.0))


def of_quadratic(H: Array) -> Best:
    """Of ½ zᵀHz: where H_jj > 0."""

    def best(x: Array, j: int) -> float | None:
        return float(-H[j, 1 - j] * x[1 - j] / H[j, j]) + 0.0 if H[j, j] > 0 else None

    return best


def of_rosenbrock(x: Array, j: int) -> float:
    """The lowest of the places where the slope along the coordinate is 0: 400 t³ + (2 - 400 y) t - 2 = 0, or y = x²."""
    if j == 1:
        return float(x[0] ** 2)
    roots = np.roots([400.0, 0.0, 2 - 400 * x[1], -2.0])
    real = roots.real[np.abs(roots.imag) <= 1e-8 * np.maximum(np.abs(roots), 1e-8)]
    for _ in range(3):  # Newton's steps, for the digits that `roots` leaves
        real = real - (400 * real**3 + (2 - 400 * x[1]) * real - 2) / (1200 * real**2 + 2 - 400 * x[1])
    heights = (1 - real) ** 2 + 100 * (x[1] - real**2) ** 2
    return float(real[heights.argmin()])


def of_lasso(x: Array, j: int) -> float:
    pull = _H[j, j] * _A[j] - _H[j, 1 - j] * (x[1 - j] - _A[1 - j])
    return soft(float(pull), 1.0) / float(_H[j, j])


def lasso_value(at: Array) -> Array:
    away = at - _A
    return np.asarray(np.vecdot(away @ _H, away) / 2 + np.abs(at).sum(axis=-1))


def of_slanted_kink(x: Array, j: int) -> float:
    other = float(x[1 - j])
    return soft(1 + other, _STEEP) - other


def slanted_kink_value(at: Array) -> Array:
    return np.asarray(_STEEP * np.abs(at.sum(axis=-1)) + ((at - 1) ** 2).sum(axis=-1) / 2)


def smooth(f: Function, best: Best) -> CoordinateFunction:
    return CoordinateFunction(
        f.formula.translate(_IN_X),
        f.value,
        best,
        f.window,
        f.minima,
        f.saddles,
        f.convex,
        f.L,
        smooth=f,
        H=f.hessian(np.zeros(2)) if f.quadratic else None,
    )


def of_name(name: Literal["bowl", "valley", "saddle"]) -> CoordinateFunction:
    f = FUNCTIONS[name]
    return smooth(f, of_quadratic(f.hessian(np.zeros(2))))


COORDINATE_FUNCTIONS: dict[CoordinateName, CoordinateFunction] = {
    "bowl": of_name("bowl"),
    "valley": of_name("valley"),
    "rosenbrock": smooth(FUNCTIONS["rosenbrock"], of_rosenbrock),
    "saddle": of_name("saddle"),
    # x(x + 1)(x - 3/2) = 0, and of the two minima along x the one at 3/2 is the lower
    "two wells": smooth(FUNCTIONS["two wells"], lambda x, j: 0.0 if j else 1.5),
    "huber": smooth(FUNCTIONS["huber"], lambda x, j: 0.0),
    "lasso": CoordinateFunction(
        "½(x - a)ᵀH(x - a) + |x₁| + |x₂|",
        value=lasso_value,
        best=of_lasso,
        window=((-1.5, 2.5), (-1.6, 1.6)),
        minima=((1.1, 0.0),),
        convex=True,
        L=3.0,
        kinks=(np.array([[-1.5, 0.0], [2.5, 0.0]]), np.array([[0.0, -1.6], [0.0, 1.6]])),
    ),
    "slanted kink": CoordinateFunction(
        "2|x₁ + x₂| + ½(x₁ - 1)² + ½(x₂ - 1)²",
        value=slanted_kink_value,
        best=of_slanted_kink,
        window=((-2.5, 3.5), (-2.4, 2.4)),
        minima=((0.0, 0.0),),
        convex=True,
        L=1.0,
        kinks=(np.array([[-2.4, 2.4], [2.4, -2.4]]),),
        separable=False,
    ),
}
