"""Functions of the plane by name: what optimisers descend, with all that is known of each.

    bowl        ½(x² + 2y²)                          λ = 2 and 1
    valley      ½ zᵀHz, turned by some 37°           λ = 20 and 1: the steps cross it again and again
    rosenbrock  (1 - x)² + 100(y - x²)²              a bent valley; no one L
    saddle      ½(x² - y²)                           λ = 1 and -1: no minimum
    two wells   x⁴/4 - x³/6 - 3x²/4 + y²/2           minima at (-1, 0) and, deeper, (3/2, 0); a saddle between them
    huber       ½r² for r <= 1, else r - ½           r = ‖(x, y)‖: no slope is longer than 1
    himmelblau  (x² + y - 11)² + (x + y² - 7)²       four minima, all 0, four saddles and a maximum between them

All are smooth enough to have a gradient everywhere, and take any number of places at once.

References: Rosenbrock (1960), An automatic method for finding the greatest or least value of a function, The Computer
Journal 3; Huber (1964), Robust estimation of a location parameter, Annals of Mathematical Statistics 35; Himmelblau
(1972), Applied Nonlinear Programming.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from algorithms.core import Array

FunctionName = Literal["bowl", "valley", "rosenbrock", "saddle", "two wells", "huber", "himmelblau"]
Window = tuple[tuple[float, float], tuple[float, float]]
Place = tuple[float, float]


class Function:
    """A function of the plane.

    Attributes:
        formula: what it is in mathematics, in a line.
        value: (..., 2) places -> (...).
        gradient: (..., 2) -> (..., 2).
        hessian: (2,) -> (2, 2), symmetric.
        window: ((left, right), (bottom, top)), where it is worth a look.
        L: the least number that no curvature exceeds in size anywhere; None where there is none.
        convex: whether it is.
        minima: its local minima, the lowest first; () where it has none.
        saddles: its saddles.
        maxima: its local maxima.
        quadratic: whether its curvature is the same everywhere; then (0, 0) is where its gradient is 0.
        third: (place (2,), direction (2,)) -> (2, 2), how the Hessian changes in that direction; it is linear in the
            place. None where that is not so.
    """

    def __init__(
        self,
        formula: str,
        *,
        value: Callable[[Array], Array],
        gradient: Callable[[Array], Array],
        hessian: Callable[[Array], Array],
        window: Window,
        L: float | None = None,
        convex: bool = False,
        minima: tuple[Place, ...] = ((0.0, 0.0),),
        saddles: tuple[Place, ...] = (),
        quadratic: bool = False,
        third: Callable[[Array, Array], Array] | None = None,
        maxima: tuple[Place, ...] = (),
    ):
        self.formula, self.value, self.gradient, self.hessian = formula, value, gradient, hessian
        self.window, self.L, self.convex, self.minima = window, L, convex, minima
        self.saddles, self.quadratic, self.third, self.maxima = saddles, quadratic, third, maxima

    @cached_property
    def lowest(self) -> float | None:
        """f*, the least value; None where it falls without end."""
        return float(self.value(np.array(self.minima[0]))) if self.minima else None

    def curvatures(self, at: Array) -> tuple[Array, Array]:
        """The eigenvalues λ (2,) of the Hessian at a place (2,), the steepest first, and their directions (2, 2)."""
        values, vectors = np.linalg.eigh(self.hessian(at))
        order = np.argsort(-np.abs(values), kind="stable")
        directions = vectors.T[order]
        directions *= np.where(directions.sum(axis=1) < 0, -1.0, 1.0)[:, None]
        return values[order], directions

    def nearest_minimum(self, at: Array) -> Array | None:
        """The minimum next to a place (2,), None where there is none."""
        if not self.minima:
            return None
        minima = np.array(self.minima)
        return np.asarray(minima[np.linalg.norm(minima - at, axis=1).argmin()])

    def nearest_critical(self, at: Array) -> Array:
        """The minimum, saddle or maximum next to a place (2,)."""
        places = np.array([*self.minima, *self.saddles, *self.maxima])
        return np.asarray(places[np.linalg.norm(places - at, axis=1).argmin()])

    def half_way(self, a: Array, b: Array) -> tuple[float, float]:
        """f(½a + ½b) and ½f(a) + ½f(b), of f and of its chord: where f is convex the first is not above the second."""
        return float(self.value(a / 2 + b / 2)), float(self.value(a) / 2 + self.value(b) / 2)

    def size(self, at: Array) -> float:
        """What rounding at a place (2,) is in proportion to: of f itself, and of f where the place is rounded."""
        return abs(float(self.value(at))) + float(np.linalg.norm(self.gradient(at)) * np.linalg.norm(at))


class HasLowest(Protocol):
    """What has a value at places of the plane, and may have a least one."""

    @property
    def value(self) -> Callable[[Array], Array]: ...

    @property
    def lowest(self) -> float | None: ...


def above_lowest(f: HasLowest, x: Array) -> float:
    """f(x) - f*, 0 also where rounding leaves less; NaN where f falls without end."""
    return np.nan if f.lowest is None else max(float(f.value(x)) - f.lowest, 0.0)


FLAT = 1e-9  # a shorter gradient is as good as none


def where_it_is_flat(f: Function, x: Array) -> str:
    """The place at which the gradient is 0, and which kind it is by the curvatures there."""
    curvatures, directions = f.curvatures(x)
    if curvatures.max() < 0:
        return f"at {place(x)}, a maximum: f falls on all sides, but no gradient points there"
    if curvatures.min() < 0:
        down = place(directions[curvatures.argmin()], 2)
        return f"at {place(x)}, a saddle: f falls along {down}, but no gradient points there"
    if f.lowest is not None and f.value(x) > f.lowest + FLAT:
        return f"at {place(x)}, a local minimum; the lowest is at {place(np.array(f.minima[0]))}"
    return f"at {place(x)}, the minimum"


def place(x: Array, digits: int = 4) -> str:
    """A place or a direction as it is written: (0.8, -0.6)."""
    across, up = np.round(x, digits) + 0.0  # never "-0"
    return f"({across:.4g}, {up:.4g})"


def quadratic(formula: str, H: Array, window: Window) -> Function:
    """½ zᵀHz of a symmetric H (2, 2) that is not singular."""
    curvatures = np.linalg.eigvalsh(H)
    definite = bool(curvatures.min() > 0)
    middle = ((0.0, 0.0),)
    return Function(
        formula,
        value=lambda at: np.asarray(np.vecdot(at @ H, at) / 2),
        gradient=lambda at: np.asarray(at @ H),
        hessian=lambda at: H,
        window=window,
        L=float(np.abs(curvatures).max()),
        convex=definite,
        minima=middle if definite else (),
        saddles=() if definite else middle,
        quadratic=True,
        third=lambda at, along: np.zeros((2, 2)),
    )


def _rosenbrock(at: Array) -> Array:
    x, y = at[..., 0], at[..., 1]
    return np.asarray((1 - x) ** 2 + 100 * (y - x**2) ** 2)


def _rosenbrock_gradient(at: Array) -> Array:
    x, y = at[..., 0], at[..., 1]
    return np.stack([-2 * (1 - x) - 400 * x * (y - x**2), 200 * (y - x**2)], axis=-1)


def _rosenbrock_hessian(at: Array) -> Array:
    x, y = at
    return np.array([[2 - 400 * (y - 3 * x**2), -400 * x], [-400 * x, 200.0]])


def _rosenbrock_third(at: Array, along: Array) -> Array:
    return np.array([[2400 * at[0] * along[0] - 400 * along[1], -400 * along[0]], [-400 * along[0], 0.0]])


def _wells(at: Array) -> Array:
    x, y = at[..., 0], at[..., 1]
    return np.asarray(x**4 / 4 - x**3 / 6 - 3 * x**2 / 4 + y**2 / 2)


def _wells_gradient(at: Array) -> Array:
    x, y = at[..., 0], at[..., 1]
    return np.stack([x * (x + 1) * (x - 1.5), y], axis=-1)


def _wells_hessian(at: Array) -> Array:
    x = at[0]
    return np.array([[3 * x**2 - x - 1.5, 0.0], [0.0, 1.0]])


def _wells_third(at: Array, along: Array) -> Array:
    return np.array([[(6 * at[0] - 1) * along[0], 0.0], [0.0, 0.0]])


def _huber(at: Array) -> Array:
    r = np.linalg.norm(at, axis=-1)
    return np.asarray(np.where(r <= 1, r**2 / 2, r - 0.5))


def _huber_gradient(at: Array) -> Array:
    return np.asarray(at / np.maximum(np.linalg.norm(at, axis=-1), 1.0)[..., None])


def _huber_hessian(at: Array) -> Array:
    r = float(np.linalg.norm(at))
    if r <= 1:
        return np.eye(2)
    outwards = at / r
    return np.asarray((np.eye(2) - np.outer(outwards, outwards)) / r)


def _himmelblau(at: Array) -> Array:
    x, y = at[..., 0], at[..., 1]
    return np.asarray((x**2 + y - 11) ** 2 + (x + y**2 - 7) ** 2)


def _himmelblau_gradient(at: Array) -> Array:
    x, y = at[..., 0], at[..., 1]
    first, second = x**2 + y - 11, x + y**2 - 7
    return np.stack([4 * x * first + 2 * second, 2 * first + 4 * y * second], axis=-1)


def _himmelblau_hessian(at: Array) -> Array:
    x, y = at
    return np.array([[12 * x**2 + 4 * y - 42, 4 * (x + y)], [4 * (x + y), 12 * y**2 + 4 * x - 26]])


def _himmelblau_third(at: Array, along: Array) -> Array:
    (x, y), (u, v) = at, along
    return np.array([[24 * x * u + 4 * v, 4 * (u + v)], [4 * (u + v), 24 * y * v + 4 * u]])


FUNCTIONS: dict[FunctionName, Function] = {
    "bowl": quadratic("½(x² + 2y²)", np.diag([1.0, 2.0]), ((-2.5, 2.5), (-2.0, 2.0))),
    # 1 along (4, 3)/5 and 20 along (-3, 4)/5
    "valley": quadratic(
        "3.92x² - 9.12xy + 6.58y²", np.array([[7.84, -9.12], [-9.12, 13.16]]), ((-2.5, 2.5), (-2.0, 2.0))
    ),
    "rosenbrock": Function(
        "(1 - x)² + 100(y - x²)²",
        value=_rosenbrock,
        gradient=_rosenbrock_gradient,
        hessian=_rosenbrock_hessian,
        third=_rosenbrock_third,
        window=((-2.0, 2.0), (-1.0, 2.2)),
        minima=((1.0, 1.0),),
    ),
    "saddle": quadratic("½(x² - y²)", np.diag([1.0, -1.0]), ((-2.5, 2.5), (-2.0, 2.0))),
    "two wells": Function(
        "x⁴/4 - x³/6 - 3x²/4 + y²/2",
        value=_wells,
        gradient=_wells_gradient,
        hessian=_wells_hessian,
        third=_wells_third,
        window=((-2.0, 2.5), (-1.8, 1.8)),
        minima=((1.5, 0.0), (-1.0, 0.0)),
        saddles=((0.0, 0.0),),
    ),
    "huber": Function(
        "½r² for r <= 1, else r - ½",
        value=_huber,
        gradient=_huber_gradient,
        hessian=_huber_hessian,
        window=((-4.0, 4.0), (-3.2, 3.2)),
        L=1.0,
        convex=True,
    ),
    "himmelblau": Function(
        "(x² + y - 11)² + (x + y² - 7)²",
        value=_himmelblau,
        gradient=_himmelblau_gradient,
        hessian=_himmelblau_hessian,
        third=_himmelblau_third,
        window=((-6.0, 6.0), (-4.8, 4.8)),
        minima=(
            (3.0, 2.0),
            (-2.805118086952745, 3.131312518250573),
            (-3.779310253377747, -3.2831859912861696),
            (3.5844283403304917, -1.8481265269644036),
        ),
        saddles=(
            (3.385154183607021, 0.07385187983774928),
            (-3.0730257507643897, -0.08135304428796751),
            (0.08667750455539634, 2.884254701174776),
            (-0.12796134673068005, -1.9537149802445766),
        ),
        maxima=((-0.2708445906673476, -0.9230385564799816),),
    ),
}
