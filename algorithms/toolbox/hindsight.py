"""The best fixed weights in hindsight: what a linear classifier should have had for rows that are known by now.

    u  with the least  Σ c_i loss(y_i u·x_i)  of all with ‖u‖ <= r

Exact for the squared loss, whose sums are a quadratic form, and for the perceptron loss, where u = 0 loses nothing.
For others u is as good as some hundred accelerated steps find it, on a smooth loss never off by more than ε ln 2 a row:
near the best, and any u will do for a bound on regret.

References: Nesterov (1983), A method of solving a convex programming problem with convergence rate O(1/k²), Soviet
Mathematics Doklady 27; Beck and Teboulle (2009), A fast iterative shrinkage-thresholding algorithm, SIAM J. Imaging
Sciences 2.
"""

from collections.abc import Callable

import numpy as np

from algorithms.core import Array, Dataset, Sides
from algorithms.toolbox.margin_losses import MarginLossName, margin_loss
from algorithms.toolbox.signed_rows import signed_rows

_STEPS = 300
_SMOOTH = 0.05  # ε of the loss that takes the hinge's place
_FLAT = 1e-13  # of the greatest eigenvalue: nothing is to be gained along directions as flat as this


def into_ball(w: Array, radius: float) -> Array:
    """The point nearest to w among those no longer than the radius."""
    length = float(np.linalg.norm(w))
    return w if length <= radius else w * (radius / length)


def nearer_by_a_step(w: Array, after: Array, u: Array, g: Array, eta: float, costs: Array) -> Sides:
    """f(w) - f(u) <= g·(w - u) <= (‖w - u‖² - ‖w' - u‖²)/(2η) + ½η‖g‖², for a step of η down the slope of f.

    Args:
        w, after: (p,) the weights before the step and after it.
        g: (p,) the slope of f at w.
        costs: (2,) f(w) and f(u).
    """
    nearer = float((w - after) @ (w + after - 2 * u)) / (2 * eta)
    spent, reach = eta * float(g @ g) / 2, float(np.linalg.norm(w) + np.linalg.norm(u))
    size = float(costs.sum()) + reach * float(np.linalg.norm(g)) + reach**2 / eta + spent
    sides = ("f(w) - f(u)", float(costs[0] - costs[1])), ("g·(w - u)", float(g @ (w - u)))
    return Sides(*sides, ("(‖w-u‖² - ‖w'-u‖²)/2η + ½η‖g‖²", nearer + spent), size=size)


def no_squares_less(yx: Array, counts: Array, u: Array, w: Array, radius: float) -> Sides:
    """Σ c (1 - u·yx)² <= Σ c (1 - w·yx)², with u in the ball; or else ‖u‖ <= r, which is not so.

    Args:
        yx: (n, p) signed rows.
        counts: (n,) c, how often each came.
        w: (p,) others of the ball.
    """
    length = float(np.linalg.norm(u))
    if length > radius * (1 + 1e-12):
        return Sides(("‖u‖", length), ("r", radius))
    of_u, of_w = (float(counts @ (1 - yx @ v) ** 2) for v in (u, w))
    size = float(counts @ (1 + np.abs(yx) @ (np.abs(u) + np.abs(w))) ** 2)
    return Sides(("Σf(u)", of_u), ("Σf of the w of now", of_w), size=size)


def longest_slope(yx: Array, slope: Callable[[Array], Array], radius: float) -> float:
    """How long the gradient of a row's loss can be in the ball: a convex loss is steepest at one of the ends."""
    lengths = np.linalg.norm(yx, axis=1)
    steepest = np.maximum(np.abs(slope(-lengths * radius)), np.abs(slope(lengths * radius)))
    return float((steepest * lengths).max())


def best_squared(yx: Array, counts: Array, radius: float) -> Array:
    """(p,) u with the least Σ c (1 - u·yx)² in the ball, the shortest where there are many.

    Args:
        yx: (n, p) signed rows.
        counts: (n,) c, how often each came.
    """
    values, vectors = np.linalg.eigh((yx * counts[:, None]).T @ yx)
    steep = values > _FLAT * max(float(values[-1]), np.finfo(float).tiny)
    values, vectors = values[steep], vectors[:, steep]
    along = (counts @ yx) @ vectors
    low, high = 0.0, float(np.linalg.norm(along)) / radius  # between them lies the multiplier, if there is need of one
    if not len(values) or np.linalg.norm(along / values) <= radius:
        return np.asarray(vectors @ (along / values))
    for _ in range(80):
        middle = (low + high) / 2
        longer = np.linalg.norm(along / (values + middle)) > radius
        low, high = (middle, high) if longer else (low, middle)
    return into_ball(vectors @ (along / (values + high)), radius)


def best_fixed(yx: Array, loss: MarginLossName, radius: float) -> Array:
    """(p,) u with nearly the least Σ loss(u·yx) in the ball, each of the (n, p) rows once."""
    if loss == "perceptron":
        return np.zeros(yx.shape[1])
    if loss == "squared":
        return best_squared(yx, np.ones(len(yx)), radius)
    smooth = margin_loss("generalised", *((_SMOOTH, 1.0) if loss == "hinge" else (1.0, 0.0)))
    curvature = float(np.linalg.eigvalsh(yx.T @ yx)[-1]) / (4 * (_SMOOTH if loss == "hinge" else 1.0))
    return fastest_descent(yx, smooth.slope, curvature, radius)


def fastest_descent(yx: Array, slope: Callable[[Array], Array], curvature: float, radius: float) -> Array:
    """(p,) where accelerated gradient steps in the ball come from 0, for Σ loss(u·yx) of that slope and curvature."""
    u = ahead = np.zeros(yx.shape[1])
    if not curvature:
        return u
    speed = 1.0
    for _ in range(_STEPS):
        was, u = u, into_ball(ahead - slope(yx @ ahead) @ yx / curvature, radius)
        before, speed = speed, (1 + np.sqrt(1 + 4 * speed**2)) / 2
        ahead = u + (before - 1) / speed * (u - was)
    return u


def best_of_a_pass(data: Dataset, loss: MarginLossName, radius: float, bias: bool) -> Array:
    """(p,) `best_fixed` of a data set; ask for it by `data.once(best_of_a_pass, loss, radius, bias)`."""
    return best_fixed(data.once(signed_rows, bias), loss, radius)


def steepest(data: Dataset, loss: MarginLossName, radius: float, bias: bool) -> float:
    """G, `longest_slope` of a data set; 1 where all slopes are 0."""
    return longest_slope(data.once(signed_rows, bias), margin_loss(loss).slope, radius) or 1.0
