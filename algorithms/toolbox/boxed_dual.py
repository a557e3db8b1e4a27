"""The margin's dual without a bias, solved by coordinates: what the best weights of a hinge or squared hinge are.

    least     P(w) = ½‖w‖² + C Σ loss(y w·x)             loss max(0, 1 - z), or its square
    greatest  W(α) = Σ α - ½‖w‖² - ½ρ Σ α²,   w = Σ α y x,   0 <= α <= C and ρ = 0, or 0 <= α and ρ = 1/(2C)

W is a parabola in each α; the coordinate moves that gains most, to the top or as far as 0 <= α <= C lets it. Now and
then all that are not at an end move together, to the top of W over them or until the first of them is at one: W rises
by that too, and the last digits come at once. Any α there has W(α) <= P(w'), whatever w', and
½‖w - w*‖² <= W* - W(α) <= P(w) - W(α).

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
    """Move all (n,) α with 0 < α < C to the top of W over them, or until the first of them is at an end.

    Args:
        slope: (n,) that of W along each α.
        signs: (n,) y, where Σ α y is to stay as it is.
    """
    alpha = alpha.copy()
    free = np.flatnonzero((alpha > 0) & (alpha < box))
    if not 0 < len(free) <= _MOST_TOGETHER:
        return alpha
    way = to_the_top(yx[free], slope[free], ridge, None if signs is None else signs[free])
    rising, falling = way > 0, way < 0
    rooms = np.full(len(free), np.inf)
    rooms[rising] = (box - alpha[free][rising]) / way[rising]
    rooms[falling] = -alpha[free][falling] / way[falling]
    first = int(rooms.argmin())
    alpha[free] = np.clip(alpha[free] + min(float(rooms[first]), 1.0) * way, 0.0, box)
    if rooms[first] <= 1:
        alpha[free[first]] = box if rising[first] else 0.0
    return alpha


def to_the_top(rows: Array, slope: Array, ridge: float, signs: Array | None) -> Array:
    """(m,) the way to where W is greatest over m multipliers, on which Σ α y stays, if the signs y are given."""
    m, Q = len(rows), rows @ rows.T + ridge * np.eye(len(rows))
    if signs is None:
        return np.asarray(np.linalg.solve(Q, slope) if well_posed(Q, ridge) else np.linalg.lstsq(Q, slope)[0])
    size = float(np.trace(Q)) / m or 1.0
    border = np.block([[Q / size, signs[:, None]], [signs[None], np.zeros((1, 1))]])
    return np.asarray(np.linalg.lstsq(border, np.append(slope / size, 0.0))[0][:m])


def well_posed(Q: Array, ridge: float) -> bool:
    """Whether a ridge keeps the least eigenvalue of Q well above what rounding makes of the greatest."""
    return ridge > 1e-10 * float(np.trace(Q))


def solution_at(yx: Array, alpha: Array, w: Array, C: float, squared: bool, ridge: float) -> BoxedSolution:
    """Both problems at α; of a hard margin, P is that of w divided by its least margin."""
    square, z = float(w @ w), yx @ w
    dual = float(alpha.sum()) - square / 2 - ridge * float(alpha @ alpha) / 2
    if np.isinf(C):
        least = float(z.min())
        return BoxedSolution(alpha, w, square / 2 / least**2 if least > 0 else np.inf, dual)
    short = np.maximum(1 - z, 0.0)
    return BoxedSolution(alpha, w, square / 2 + C * float((short**2 if squared else short).sum()), dual)
