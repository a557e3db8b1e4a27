"""What the climbers of a log-likelihood share: when they end, how a step is cut short, how rows begin at w = 0."""

from collections.abc import Callable
from typing import Any

import numpy as np

from algorithms.core import Answer, Array, Problem, Sides
from algorithms.toolbox.ascent import Climbed
from algorithms.toolbox.logistic import ENOUGH

FAR = 1e6  # times as unlikely, in logarithms, as at w = 0: it will not come back
SHORTEST = 2.0**-40  # a step below which rounding decides


def flat_below(X: Array, tolerance: float) -> float:
    """The length below which a gradient is as good as 0: a share of Σ‖x‖."""
    return tolerance * float(np.sqrt(np.vecdot(X, X)).sum())


def flat_at(f: Climbed, w: Array, tolerance: float) -> Sides:
    """The gradient at w, worked out anew, is as short as was asked."""
    return Sides(("‖g‖", float(np.linalg.norm(f.gradient(w)))), ("tolerance Σ‖x‖", flat_below(f.X, tolerance)))


def far_below(f: Climbed, w: Array) -> Sides:
    """ln P has fallen to where no step brings it back from."""
    n = len(f.X)
    return Sides((f"{FAR:g} n", FAR * n), ("-ln P", -f.value(w)))


def rises_too_little(f: Climbed, w: Array, d: Array, s: float) -> bool | Sides:
    """By so short a step ln P rises by less than a quarter of what its slope promises, or it promises nothing."""
    promise = ENOUGH * s * float((f.gradient(w) * d).sum())
    return promise <= 0 or Sides(("ln P(w + s d) - ln P(w)", f.value(w + s * d) - f.value(w)), ("¼ s g·d", promise))


def cut_as_asked(f: Climbed, was: Array, now: Array, s: float, d: Array, promise: float) -> Sides:
    """Hold a step of s along d, whose slope promises g·d, against Armijo's rule: enough with s, and not with 2s."""
    asked, before, after = ENOUGH * s * promise, f.value(was), f.value(now)
    sides = ("ln P + ¼ s g·d", before + asked), ("ln P'", after)
    size, twice = f.size(was) + f.size(now), was + 2 * s * d
    if s == 1:
        return Sides(*sides, size=size)
    return Sides(("ln P(w + 2s d) - ¼ s g·d", f.value(twice) - asked), *sides, size=size + f.size(twice))


def moved_along(was: Array, s: float, d: Array, now: Array, names: tuple[str, ...]) -> Answer:
    """Hold weights against where s of the direction d leads."""
    size = np.abs(was) + np.abs(s * d)
    return Sides.each(("w'", now), ("w + s d", was + s * d), relation="==", size=size, entries=names)


def at_most(limit: float) -> Callable[[Problem, Any], bool | str]:
    """The hypothesis that η is no more than so many times 1/L."""
    return lambda problem, state: (
        problem.parameters.eta_L <= limit or f"ηL = {problem.parameters.eta_L:g} is above {limit:g}"
    )


def begun(value: float, n: int, K: int, w: Array) -> str:
    """What ln P is at the first weights of n rows and K classes."""
    if w.any():
        return f"The run begins at these weights, where ln P = {value:.4g}."
    share = "½" if K == 2 else f"1/{K} of its class"
    each = f"w = 0 gives each of the {n} rows trained on the chance {share}"
    return f"{each}: the log-likelihood ln P = -{n} ln {K} = {value:.4g}."


def balanced(value: float, wrong: int, n: int) -> str:
    """What came out, where the gradient is as good as 0."""
    return f"The pulls all but balance: ln P = {value:.5g}, and {wrong} of {n} rows are wrong."


def tried(s: float) -> str:
    """Why a step is halved."""
    return f"Too far: ln P would not rise by a quarter of what its slope promises. s = {s:.3g} is tried."
