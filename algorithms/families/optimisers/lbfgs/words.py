"""What is said of the steps of L-BFGS, with this step's numbers."""

import numpy as np

from algorithms.core import Problem
from algorithms.families.optimisers.lbfgs.measures import LbfgsState, descends, pair_of
from algorithms.families.optimisers.lbfgs.quasi_newton import bends, first_scale
from algorithms.families.optimisers.shared.descent import function_of, slope, value
from algorithms.toolbox.functions import place


def start(problem: Problem, before: LbfgsState | None, after: LbfgsState) -> str:
    here = f"f(x) = {value(problem, after):.4g} at {place(after.x)}"
    known = "Of the curvature nothing is known yet: B = I, a circle"
    true = "H, the true one (the Hessian), is drawn beside it, never asked for; only shapes tell, for sizes are fitted"
    return f"{here}, ‖g‖ = {slope(problem, after):.3g}. {known}. {true}."


def direction(problem: Problem, before: LbfgsState | None, after: LbfgsState) -> str:
    down, count = descends(problem, after), len(after.S)
    if not count:
        return f"No move is remembered, so d = -g, straight down. A move of length 1 is tried: α = {after.alpha:.3g}."
    angle = np.degrees(np.arccos(min(1.0, -down / (slope(problem, after) * float(np.linalg.norm(after.d))))))
    known = "the last move" if count == 1 else f"the last {count} moves"
    return (
        f"B is from {known}, begun as I/γ with γ = {first_scale(after.S, after.Y):.3g}. d is "
        f"{np.linalg.norm(after.d):.3g} long, {angle:.0f}° from straight down, and the slope along it g·d = {down:.3g}."
    )


def search(problem: Problem, before: LbfgsState | None, after: LbfgsState) -> str:
    f, tried = function_of(problem), f"α = {after.alpha:.3g}"
    if problem.parameters.search == "exact" or before is None:
        there = float(f.value(after.x + after.alpha * after.d))
        return f"Along d f is least at {tried}: {there:.4g}, beside {value(problem, after):.4g} here."
    was, to = f"α = {before.alpha:.3g}", after.x + before.alpha * after.d
    if after.high == before.alpha:
        there = float(f.value(to))
        return f"Too far: at {was} f is {there:.4g}, beside {value(problem, after):.4g} here. {tried} is tried."
    share = float(f.gradient(to) @ after.d) / descends(problem, after)
    return f"Too near: at {was} the slope along d is still {share:.2g} of what it was. {tried} is tried."


def step(problem: Problem, before: LbfgsState | None, after: LbfgsState) -> str:
    now = value(problem, after)
    if before is None:
        return f"f(x) = {now:.4g} here; the next step begins at {place(after.x)}."
    (s, y), was = pair_of(problem, before, after), value(problem, before)
    bend = float(s @ y) / (float(s @ s) or 1.0)  # a move of nothing has no curvature
    fall = f"f falls from {was:.4g} to {now:.4g}" if f"{was:.4g}" != f"{now:.4g}" else f"f stays at about {now:.4g}"
    moved = f"α = {after.alpha:.3g} of d moves x by {np.linalg.norm(s):.3g}, and {fall}."
    if not bends(s, y):
        return f"{moved} The slope changes by rounding only: the move is not remembered."
    return f"{moved} Along the move f curves by s·y/s·s = {bend:.3g}, and so does B now (drawn to a new scale)."
