"""Functions of the plane under constraints, by name: what dual ascent minimises, with all that is known of each.

    half-planes   ½‖x - (2, 1.5)‖²,  three straight walls      one of them is slack in the end
    line          ½‖x‖² on the line x₁ + 2x₂ = 2                an equality: its multiplier is below 0
    svm           ½‖w‖²,  y w·x >= 1 on three rows              the dual of the hard margin
    two rows      ½‖w‖²,  w₁ >= 1 and 2w₁ >= 1                  for α < 0 the dual is no bound
    slack         ½w² + ¼ξ,  w + ξ >= 1, ξ >= 0                 θ breaks off at α = ¼, where any ξ will do
    circle        -x₁ - ½x₂ in the unit disc                    linear: θ is curved by the constraint alone
    trust region  ½(x₁² - x₂²) - 0.5x₁ + 0.3x₂ in the disc      not convex, and yet no gap
    kink          x₁ + ½x₂²,  x₁ >= 0, |x₁| <= 1                θ has a kink at the top
    wells         (x₁² - 1)² + 0.4x₁ + ½x₂²,  x₁ >= 0           not convex: the gap stays

x is chosen from a box, all of the plane where none is named; of circle and trust region it is |x₁|, |x₂| <= 3.

References: Boyd and Vandenberghe (2004), Convex Optimization, chapter 5; Luenberger (1969), Optimization by Vector
Space Methods, chapter 8; Bertsekas (1999), Nonlinear Programming, chapter 6.
"""

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Literal

import numpy as np
from msgspec import Struct

from algorithms.core import Array
from algorithms.toolbox.functions import Window

ConstrainedName = Literal["half-planes", "line", "svm", "two rows", "slack", "circle", "trust region", "kink", "wells"]
_ALL = np.array([[-np.inf, np.inf], [-np.inf, np.inf]])
_REACH = 3.0  # of the box that circle and trust region choose from
_PRICE = 0.25  # C of slack


class Constraint(Struct, frozen=True, eq=False):
    """One condition on x.

    Attributes:
        text: what it is in mathematics.
        value: (..., 2) -> (...), g; not above 0 where it is met.
        gradient: (..., 2) -> (..., 2).
        equality: whether g is to be 0, so that its multiplier may have either sign.
    """

    text: str
    value: Callable[[Array], Array]
    gradient: Callable[[Array], Array]
    equality: bool = False


class Constrained(Struct, frozen=True, eq=False):
    """min f(x) under g(x) <= 0, over x in a box.

    Attributes:
        formula: f in mathematics.
        value: (..., 2) -> (...), f.
        gradient: (..., 2) -> (..., 2).
        constraints: m of them.
        least: (m,) α -> (2,) a place where L(·, α) is least over the box; None where it falls without end.
        window: ((left, right), (bottom, top)), where it is worth a look.
        solution: (2,) x*.
        multipliers: (m,) α*, where θ is greatest.
        convex: whether f and the inequalities are convex, equalities are linear, and a point meets all of them
            strictly but the linear ones: then there is no gap.
        L: what no slope of ∇θ exceeds over α >= 0; None where θ has a kink, or breaks off.
        mu: the least curvature of f and of every L(·, α), α >= 0; 0 where they have none in some direction.
        box: (2, 2) from where to where x₁ and x₂ are chosen.
        axes: what the two coordinates are called.
    """

    formula: str
    value: Callable[[Array], Array]
    gradient: Callable[[Array], Array]
    constraints: tuple[Constraint, ...]
    least: Callable[[Array], Array | None]
    window: Window
    solution: Array
    multipliers: Array
    convex: bool = True
    L: float | None = None
    mu: float = 0.0
    box: Array = _ALL
    axes: tuple[str, str] = ("x₁", "x₂")

    @property
    def m(self) -> int:
        return len(self.constraints)

    @property
    def texts(self) -> tuple[str, ...]:
        """What the constraints are in mathematics."""
        return tuple(g.text for g in self.constraints)

    @property
    def signed(self) -> Array:
        """(m,) bool: the multipliers that may have either sign."""
        return np.array([g.equality for g in self.constraints])

    @property
    def optimum(self) -> float:
        """p* = f(x*)."""
        return _ends(self)[0]

    @property
    def greatest(self) -> float:
        """θ* = θ(α*)."""
        return _ends(self)[1]

    def g(self, at: Array) -> Array:
        """(..., 2) -> (..., m), the constraints."""
        return np.stack([each.value(at) for each in self.constraints], axis=-1)

    def slopes(self, at: Array) -> Array:
        """(2,) -> (m, 2), the gradients of the constraints."""
        return np.stack([each.gradient(at) for each in self.constraints])

    def lagrangian(self, at: Array, alpha: Array) -> Array:
        """(..., 2) -> (...), L(x, α) = f(x) + α·g(x)."""
        return np.asarray(self.value(at) + self.g(at) @ alpha)

    def theta(self, alpha: Array) -> float:
        """θ(α), the least L(x, α); -∞ where it falls without end."""
        x = self.least(alpha)
        return -np.inf if x is None else float(self.lagrangian(x, alpha))

    def thetas(self, alphas: Array) -> Array:
        """(k, m) -> (k,) θ of each, NaN where L falls without end."""
        places = [self.least(alpha) for alpha in alphas]
        at = np.array([np.full(2, np.nan) if x is None else x for x in places])
        return np.asarray(self.value(at) + (self.g(at) * alphas).sum(axis=1))

    def broken(self, at: Array) -> str:
        """Say which constraint a place breaks most."""
        g = np.where(self.signed, np.abs(self.g(at)), self.g(at))
        worst = int(g.argmax())
        return (
            f"x breaks {self.constraints[worst].text} by {g[worst]:.3g}"
            if g[worst] > 1e-6
            else "x meets every constraint"
        )

    def size(self, at: Array, alpha: Array) -> float:
        """The largest number that is added on the way to L(x, α)."""
        return 1.0 + abs(float(self.value(at))) + float(np.abs(self.g(at)) @ np.abs(alpha)) + float(at @ at)

    def inside(self, at: Array) -> bool:
        """Whether a place is not at the edge of the box."""
        return bool(((self.box[:, 0] < at) & (at < self.box[:, 1])).all())


@cache
def _ends(of: Constrained) -> tuple[float, float]:
    """p* and θ*."""
    return float(of.value(of.solution)), of.theta(of.multipliers)


def wall(a: tuple[float, float], b: float, text: str, equality: bool = False) -> Constraint:
    """a·x - b <= 0, or = 0."""
    normal = np.array(a)
    return Constraint(
        text, lambda at: np.asarray(at @ normal - b), lambda at: np.broadcast_to(normal, at.shape), equality
    )


def nearest(
    formula: str,
    centre: tuple[float, float],
    walls: tuple[tuple[tuple[float, float], float, str], ...],
    window: Window,
    equality: bool = False,
    axes: tuple[str, str] = ("x₁", "x₂"),
) -> Constrained:
    """½‖x - centre‖² under straight walls: L is least at centre - Aᵀα, so that θ is a parabola bent by AAᵀ."""
    c = np.array(centre)
    A, b = np.array([a for a, _, _ in walls], float), np.array([level for _, level, _ in walls])
    alpha = _best_of_walls(A, A @ c - b, equality)
    return Constrained(
        formula,
        value=lambda at: np.asarray(((at - c) ** 2).sum(axis=-1) / 2),
        gradient=lambda at: np.asarray(at - c),
        constraints=tuple(wall(a, level, text, equality) for a, level, text in walls),
        least=lambda alpha: c - alpha @ A,
        window=window,
        solution=c - alpha @ A,
        multipliers=alpha,
        L=float(np.linalg.eigvalsh(A @ A.T)[-1]),
        mu=1.0,
        axes=axes,
    )


def _best_of_walls(A: Array, gaps: Array, equality: bool) -> Array:
    """(m,) α* of θ(α) = gaps·α - ½‖Aᵀα‖²: of every set of walls that may bind, the one whose corner is best."""
    best, at = -np.inf, np.zeros(len(A))
    for bound in product((False, True), repeat=len(A)):
        held = np.array(bound)
        if equality and not held.all():
            continue
        alpha = np.zeros(len(A))
        alpha[held] = np.linalg.lstsq(A[held] @ A[held].T, gaps[held], rcond=None)[0]
        value = float(gaps @ alpha - ((alpha @ A) ** 2).sum() / 2)
        if (equality or (alpha >= 0).all()) and value > best + 1e-12:
            best, at = value, alpha
    return at


def in_the_disc(formula: str, h: tuple[float, float], c: tuple[float, float], convex: bool) -> Constrained:
    """½ Σ h x² + c·x under ½(‖x‖² - 1) <= 0, x in the box: L falls apart into a parabola for each coordinate."""
    bend, slope = np.array(h), np.array(c)

    def least(alpha: Array) -> Array:
        curvature = bend + alpha[0]
        inner = np.clip(-slope / np.where(curvature > 0, curvature, 1.0), -_REACH, _REACH)
        return np.asarray(np.where(curvature > 0, inner, -np.sign(slope) * _REACH))

    low, high = float(max(0.0, -bend.min())), 100.0
    for _ in range(200):  # ‖x‖ falls as α rises
        middle = (low + high) / 2
        low, high = (middle, high) if float((least(np.array([middle])) ** 2).sum()) > 1 else (low, middle)
    best = np.array([high])
    return Constrained(
        formula,
        value=lambda at: np.asarray((at**2) @ bend / 2 + at @ slope),
        gradient=lambda at: np.asarray(at * bend + slope),
        constraints=(Constraint("‖x‖ <= 1", lambda at: np.asarray(((at**2).sum(axis=-1) - 1) / 2), np.asarray),),
        least=least,
        window=((-2.2, 2.2), (-1.8, 1.8)),
        solution=least(best),
        multipliers=best,
        convex=convex,
        L=float((_REACH**3 / np.abs(slope)).sum()),
        box=np.array([[-_REACH, _REACH], [-_REACH, _REACH]]),
    )


def _slack() -> Constrained:
    """One row x = 1 with its slack ξ at the price ¼: past α = ¼ more slack lowers L for ever."""
    return Constrained(
        "½w² + ¼ξ",
        value=lambda at: np.asarray(at[..., 0] ** 2 / 2 + _PRICE * at[..., 1]),
        gradient=lambda at: np.stack([at[..., 0], np.full(at.shape[:-1], _PRICE)], axis=-1),
        constraints=(wall((-1.0, -1.0), -1.0, "w + ξ >= 1"),),
        least=lambda alpha: np.array([alpha[0], 0.0]) if alpha[0] <= _PRICE else None,
        window=((-0.5, 1.5), (-0.2, 1.4)),
        solution=np.array([_PRICE, 1 - _PRICE]),
        multipliers=np.array([_PRICE]),
        box=np.array([[-np.inf, np.inf], [0.0, np.inf]]),
        axes=("w", "ξ"),
    )


def _kink() -> Constrained:
    """x₁ is chosen from [-1, 1] by the sign of 1 - α alone: θ = -|1 - α|."""
    return Constrained(
        "x₁ + ½x₂²",
        value=lambda at: np.asarray(at[..., 0] + at[..., 1] ** 2 / 2),
        gradient=lambda at: np.stack([np.ones(at.shape[:-1]), at[..., 1]], axis=-1),
        constraints=(wall((-1.0, 0.0), 0.0, "x₁ >= 0"),),
        least=lambda alpha: np.array([-1.0 if alpha[0] <= 1 else 1.0, 0.0]),
        window=((-1.6, 1.6), (-1.2, 1.2)),
        solution=np.zeros(2),
        multipliers=np.ones(1),
        box=np.array([[-1.0, 1.0], [-np.inf, np.inf]]),
    )


def _lowest_root(tilt: float) -> float:
    """Where (x² - 1)² + tilt x is least: the lowest of the places where its slope is 0."""
    roots = np.roots([4.0, 0.0, -4.0, tilt])
    places = np.sort(roots[np.abs(roots.imag) < 1e-6].real)
    return float(places[((places**2 - 1) ** 2 + tilt * places).argmin()])


def _wells() -> Constrained:
    """The deeper well is not allowed; the multiplier can only tilt them until both are as deep."""
    roots = np.roots([4.0, 0.0, -4.0, 0.4])
    return Constrained(
        "(x₁² - 1)² + 0.4x₁ + ½x₂²",
        value=lambda at: np.asarray((at[..., 0] ** 2 - 1) ** 2 + 0.4 * at[..., 0] + at[..., 1] ** 2 / 2),
        gradient=lambda at: np.stack([4 * at[..., 0] ** 3 - 4 * at[..., 0] + 0.4, at[..., 1]], axis=-1),
        constraints=(wall((-1.0, 0.0), 0.0, "x₁ >= 0"),),
        least=lambda alpha: np.array([_lowest_root(0.4 - float(alpha[0])), 0.0]),
        window=((-1.8, 1.8), (-1.4, 1.4)),
        solution=np.array([float(roots.real.max()), 0.0]),
        multipliers=np.array([0.4]),
        convex=False,
    )


CONSTRAINED: dict[ConstrainedName, Constrained] = {
    "half-planes": nearest(
        "½‖x - (2, 1.5)‖²",
        (2.0, 1.5),
        (((1.0, 0.0), 1.0, "x₁ <= 1"), ((1.0, 2.0), 2.0, "x₁ + 2x₂ <= 2"), ((0.0, -1.0), 0.5, "x₂ >= -0.5")),
        ((-1.5, 3.0), (-1.3, 2.3)),
    ),
    "line": nearest(
        "½‖x‖²", (0.0, 0.0), (((1.0, 2.0), 2.0, "x₁ + 2x₂ = 2"),), ((-1.5, 2.5), (-1.0, 2.2)), equality=True
    ),
    "svm": nearest(
        "½‖w‖²",
        (0.0, 0.0),
        (
            ((-1.0, -0.5), -1.0, "w·(1, 0.5) >= 1"),
            ((-0.2, -1.0), -1.0, "w·(0.2, 1) >= 1"),
            ((-2.0, -1.5), -1.0, "w·(2, 1.5) >= 1"),
        ),
        ((-1.0, 2.0), (-0.8, 1.6)),
        axes=("w₁", "w₂"),
    ),
    "two rows": nearest(
        "½‖w‖²",
        (0.0, 0.0),
        (((-1.0, 0.0), -1.0, "w₁ >= 1"), ((-2.0, 0.0), -1.0, "2w₁ >= 1")),
        ((-1.5, 2.5), (-1.6, 1.6)),
        axes=("w₁", "w₂"),
    ),
    "slack": _slack(),
    "circle": in_the_disc("-x₁ - ½x₂", (0.0, 0.0), (-1.0, -0.5), convex=True),
    "trust region": in_the_disc("½(x₁² - x₂²) - 0.5x₁ + 0.3x₂", (1.0, -1.0), (-0.5, 0.3), convex=False),
    "kink": _kink(),
    "wells": _wells(),
}
