"""The margin's dual without a bias, solved by coordinates: what the best weights of a hinge or squared hinge are.

    least     P(w) = ½‖w‖² + C Σ loss(y w·x)             loss max(0, 1 - z), or its square
    greatest  W(α) = Σ α - ½‖w‖² - ½ρ Σ α²,   w = Σ α y x,   0 <= α <= C and ρ = 0, or 0 <= α and ρ = 1/(2C)

W is a parabola in each α; the coordinate moves that gains most, to the top or as far as 0 <= α <= C lets it. Any α
there has W(α) <= P(w'), whatever w', and ½‖w - w*‖² <= W* - W(α) <= P(w) - W(α).

References: Hsieh, Chang, Lin, Keerthi and Sundararajan (2008), A dual coordinate descent method for large-scale linear
SVM, ICML.
"""

import numpy as np
from msgspec import Struct

from algorithms.core import Array

_PRODUCTS = 50_000_000  # multiplications that may be spent on looking
_OVERHEAD = 3000  # multiplications that a step costs however few rows there are
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


def solve_boxed(yx: Array, C: float, squared: bool = False, alpha: Array | None = None) -> BoxedSolution:
    """Find the best weights for (n, p) signed rows, as nearly as a bounded number of steps comes to them.

    Args:
        C: what a row pays for falling short by one; infinite for a hard margin, of rows that can be separated.
        squared: whether it pays the square of it.
        alpha: (n,) where to begin; 0 where it is None.
    """
    box, ridge = (np.inf, 1 / (2 * C)) if squared else (C, 0.0)
    curvature = np.vecdot(yx, yx) + ridge
    curvature = np.where(curvature > 0, curvature, np.finfo(float).tiny)
    alpha = np.zeros(len(yx)) if alpha is None else alpha.copy()
    w = alpha @ yx
    for step in range(_PRODUCTS // (yx.size + _OVERHEAD)):
        slope = 1 - yx @ w - ridge * alpha
        if step % 50 == 0:
            w = alpha @ yx
            best = solution_at(yx, alpha, w, C, squared, ridge)
            if best.gap <= _CLOSE * best.primal < np.inf:
                break
        change = np.clip(alpha + slope / curvature, 0.0, box) - alpha
        row = int((change * (slope - curvature * change / 2)).argmax())
        by = float(change[row])
        if by == 0:
            break
        alpha[row] += by
        w = w + by * yx[row]
    return solution_at(yx, alpha, alpha @ yx, C, squared, ridge)


def solution_at(yx: Array, alpha: Array, w: Array, C: float, squared: bool, ridge: float) -> BoxedSolution:
    """Both problems at α; of a hard margin, P is that of w divided by its least margin."""
    square, z = float(w @ w), yx @ w
    dual = float(alpha.sum()) - square / 2 - ridge * float(alpha @ alpha) / 2
    if np.isinf(C):
        least = float(z.min())
        return BoxedSolution(alpha, w, square / 2 / least**2 if least > 0 else np.inf, dual)
    short = np.maximum(1 - z, 0.0)
    return BoxedSolution(alpha, w, square / 2 + C * float((short**2 if squared else short).sum()), dual)
