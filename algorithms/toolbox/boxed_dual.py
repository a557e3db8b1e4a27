"""The margin's dual without a bias, solved by coordinates: what the best weights of a hinge or squared hinge are.

    least     P(w) = ½‖w‖² + C Σ loss(y w·x)             loss max(0, 1 - z), or its square
    greatest  W(α) = Σ α - ½‖w‖² - ½ρ Σ α²,   w = Σ α y x,   0 <= α <= C and ρ = 0, or 0 <= α and ρ = 1/(2C)

W is a parabola in each α; the coordinate moves that gains most, to the top or as far as 0 <= α <= C lets it. Now and
then all that are not at an end move together, to the top of W over them; those that come to an end on the way stay
there and the others go on. W rises by that too, and the last digits come at once. Any α there has W(α) <= P(w'),
whatever w', and ½‖w - w*‖² <= W* - W(α) <= P(w) - W(α).

References: Hsieh, Chang, Lin, Keerthi and Sundararajan (2008), A dual coordinate descent method for large-scale linear
SVM, ICML.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array

_PRODUCTS = 1_000_000_000  # multiplications that may be spent on looking
_OVERHEAD = 50_000  # multiplications that a step costs however few rows there are
_TOGETHER = 25  # steps of one before one of all
_MOST_TOGETHER = 150  # α that move at once
_LOST = 1e-13  # of W: a rise as small as this over so many steps is rounding
_LEVEL = 1e-10  # of a slope: what is less steep along a way that leaves w as it is, is rounding
_FLAT = 1e-13  # of the greatest singular value: a direction as flat as this has no rows in it
_CLOSE = 1e-9  # of P: a gap as small as this is none


class BoxedSolution(Struct, frozen=True, eq=False):
    """Both problems at α.

    Attributes:
        alpha: (n,) multipliers.
        w: (p,) Σ α y x.
        primal, dual: P(w) and W(α); the best lies between.
    """

    alpha: Array
    w: Array
    primal: float
    dual: float

    @property
    def gap(self) -> float:
        return max(self.primal - self.dual, 0.0)


def solve_boxed(yx: Array, C: float, squared: bool = False, most: int | None = None) -> BoxedSolution:
    """Find the best weights for (n, p) signed rows, as nearly as a bounded number of steps comes to them.

    Args:
        C: what a row pays for falling short by one; infinite for a hard margin, of rows that can be separated.
        squared: whether it pays the square of it.
        most: how many steps there may be; None for as many as there is time for.
    """
    box, ridge = (np.inf, 1 / (2 * C)) if squared else (C, 0.0)
    curvature = np.vecdot(yx, yx) + ridge
    curvature = np.where(curvature > 0, curvature, np.finfo(float).tiny)
    alpha = np.zeros(len(yx))
    w, reached = alpha @ yx, 0.0
    for step in range(min(most or _PRODUCTS, _PRODUCTS // (yx.size + _OVERHEAD))):
        slope = 1 - yx @ w - ridge * alpha
        if step % _TOGETHER == 0:
            alpha = together(yx, alpha, slope, box, ridge)
            w = alpha @ yx
            best = solution_at(yx, alpha, w, C, squared, ridge)
            if best.gap <= _CLOSE * best.primal < np.inf or step and not best.dual > reached * (1 + _LOST):
                break
            reached = best.dual
            slope = 1 - yx @ w - ridge * alpha
        change = np.clip(alpha + slope / curvature, 0.0, box) - alpha
        row = int((change * (slope - curvature * change / 2)).argmax())
        by = float(change[row])
        if by == 0:
            break
        alpha[row] += by
        w = w + by * yx[row]
    return solution_at(yx, alpha, alpha @ yx, C, squared, ridge)


def together(
    yx: Array, alpha: Array, slope: Array, box: float, ridge: float = 0.0, signs: Array | None = None
) -> Array:
    """Move all (n,) α with 0 < α < C to the top of W over those of them that are at no end then.

    Args:
        slope: (n,) that of W along each α.
        signs: (n,) y, where Σ α y is to stay as it is.
    """
    alpha, slope = alpha.copy(), slope.copy()
    free = np.flatnonzero((alpha > 0) & (alpha < box))
    if len(free) > _MOST_TOGETHER:
        return alpha
    while len(free):
        way = to_the_top(yx[free], slope[free], ridge, None if signs is None else signs[free])
        rooms, image = room_along(alpha[free], way, box), way @ yx[free]
        first = int(rooms.argmin())
        bend, steep = float(image @ image + ridge * way @ way), float(slope[free] @ way)
        far = min(float(rooms[first]), steep / bend if bend > 0 else np.inf)
        if not 0 < far < np.inf:
            return alpha
        alpha[free] = np.clip(alpha[free] + far * way, 0.0, box)
        if rooms[first] > far:
            return alpha
        alpha[free[first]] = box if way[first] > 0 else 0.0
        slope -= far * (yx @ image)
        slope[free] -= far * ridge * way
        free = free[(alpha[free] > 0) & (alpha[free] < box)]
    return alpha


def room_along(alpha: Array, way: Array, box: float) -> Array:
    """(m,) how often the way can be gone until each α is at an end."""
    rooms, rising, falling = np.full(len(alpha), np.inf), way > 0, way < 0
    with np.errstate(over="ignore"):
        rooms[rising] = (box - alpha[rising]) / way[rising]
        rooms[falling] = -alpha[falling] / way[falling]
    return rooms


def to_the_top(rows: Array, slope: Array, ridge: float, signs: Array | None) -> Array:
    """(m,) the way to where W is greatest over m multipliers, on which Σ α y stays, if the signs y are given.

    Of more rows than they have directions W may rise straight along a way that leaves w as it is: then it is that way,
    on which only an end of the box stops it.
    """
    if signs is not None:
        basis = across(signs)
        return np.asarray(basis @ to_the_top(basis.T @ rows, basis.T @ slope, ridge, None))
    if well_posed(rows, ridge):
        return np.asarray(np.linalg.solve(rows @ rows.T + ridge * np.eye(len(rows)), slope))
    vectors, lengths, _ = np.linalg.svd(rows, full_matrices=False)
    bent = lengths > _FLAT * lengths.max(initial=0.0)
    vectors, squares = vectors[:, bent], lengths[bent] ** 2 + ridge
    parts = slope @ vectors
    straight = slope - vectors @ parts
    if np.abs(straight).max(initial=0.0) <= _LEVEL * max(1.0, float(np.abs(slope).max(initial=0.0))):
        return np.asarray(vectors @ (parts / squares))
    return np.asarray(straight / ridge + vectors @ (parts / squares) if ridge else straight)


def across(signs: Array) -> Array:
    """(m, m - 1) orthonormal directions in which Σ α y stays, by Householder's reflection of y onto the first axis."""
    mirror = signs / np.sqrt(len(signs))
    mirror[0] += np.copysign(1.0, mirror[0])
    return np.asarray((np.eye(len(signs)) - 2 * np.outer(mirror, mirror) / (mirror @ mirror))[:, 1:])


def well_posed(rows: Array, ridge: float) -> bool:
    """Whether a ridge keeps the least eigenvalue of the Gram matrix well above what rounding makes of the greatest."""
    return ridge > 1e-10 * (float(np.vdot(rows, rows)) + len(rows) * ridge)


def solution_at(yx: Array, alpha: Array, w: Array, C: float, squared: bool, ridge: float) -> BoxedSolution:
    """Both problems at α; of a hard margin, P is that of w divided by its least margin."""
    square, z = float(w @ w), yx @ w
    dual = float(alpha.sum()) - square / 2 - ridge * float(alpha @ alpha) / 2
    if np.isinf(C):
        least = float(z.min())
        return BoxedSolution(alpha, w, square / 2 / least**2 if least > 0 else np.inf, dual)
    short = np.maximum(1 - z, 0.0)
    return BoxedSolution(alpha, w, square / 2 + C * float((short**2 if squared else short).sum()), dual)
