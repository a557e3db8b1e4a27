"""Five ways down the same logistic loss, by passes over the data and by time: some are fast early, others late.

python demos/fast_early_fast_late.py

    f(w) = Σ ln(1 + exp(-y x·w)) + ½ λ‖w‖²        on the scaled breast cancer data, λ = 5, from w = 0

A step along the whole gradient takes a pass, Newton's with gradient and Hessian one too, and L-BFGS one for each place
at which it looks. A pass is also n steps along the gradient of one row, or n dual coordinates, a multiplier a row.
Where every row is visited by itself, most of the time here is Python's.
"""

from time import perf_counter

import numpy as np

from algorithms import datasets, find
from algorithms.families.optimisers.lbfgs.quasi_newton import solved, with_pair
from algorithms.families.optimisers.lbfgs.wolfe import fault, narrowed
from algorithms.toolbox.logistic import likelihood, maximum

PENALTY, MEMORY, PASSES = 5.0, 10, 50
SHOWN = (1, 2, 5, 10, 20, 50)

data = datasets.load("breast_cancer", scale=True)
log_likelihood = data.once(likelihood, PENALTY, False)
n, X, y = data.n, data.X, data.signs


class Loss:
    """f, as a search along a direction asks for it."""

    def value(self, w):
        return -log_likelihood.value(w)

    def gradient(self, w):
        return -log_likelihood.gradient(w)


def gradient():
    """η = 1/L."""
    for state in find("logistic_regression")(data, penalty=PENALTY, bias=False, tolerance=1e-12, steps=PASSES):
        if state.phase != "gradient":
            yield state.iteration, state.w


def newton():
    for state in find("logistic_newton")(data, penalty=PENALTY, bias=False):
        if state.phase in ("start", "step"):
            yield state.iteration, state.w


def coordinate():
    """Its f is C times as large, with C = 1/λ; the multipliers begin near 0, and so does w."""
    every = {"C": 1 / PENALTY, "constant": 0.0, "start": 1e-9, "tolerance": 1e-12, "passes": PASSES}
    for state in find("dual_logistic_regression")(data, **every):
        if state.place in (-1, n - 1):
            yield state.iteration, state.w


def stochastic():
    """n times the gradient of one row's share of f, a row at a time, with steps that shrink as 1/t."""
    w, t, rng = np.zeros(data.d), 0, np.random.default_rng(0)
    for done in range(PASSES + 1):
        yield done, w
        for i in rng.permutation(n):
            eta = 1 / (PENALTY * (t + 5 * n))
            w = w - eta * (PENALTY * w - n * y[i] / (1 + np.exp(y[i] * (X[i] @ w))) * X[i])
            t += 1


def lbfgs():
    f, w, passes = Loss(), np.zeros(data.d), 1
    S = Y = np.zeros((0, data.d))
    g = f.gradient(w)
    while np.linalg.norm(g) > 1e-7 and passes < PASSES:
        yield passes, w
        d, alpha, low, high = -solved(S, Y, g), 1.0 if len(S) else 1 / float(np.linalg.norm(g)), 0.0, 0.0
        while wrong := fault(f, w, d, alpha):
            alpha, low, high = narrowed(wrong, alpha, low, high)
            passes += 1
        moved = w + alpha * d
        passes, before, g = passes + 1, g, f.gradient(moved)
        S, Y = with_pair(S, Y, moved - w, g - before, MEMORY)
        w = moved
    yield passes, w


def run(way):
    """(passes, milliseconds, w) after each step; what is made once is made before."""
    next(way())
    begun, steps = perf_counter(), []
    for passes, w in way():
        steps.append((passes, 1000 * (perf_counter() - begun), w))
    return steps


least = maximum(data, PENALTY, False).value
gain = least - log_likelihood.value(np.zeros(data.d))
left = {}
for way in (gradient, stochastic, coordinate, newton, lbfgs):
    left[way.__name__] = [(p, ms, max(least - log_likelihood.value(w), 0.0) / gain) for p, ms, w in run(way)]

print("of f(0) - f* is left after so many passes")
print(f"{'passes':>8}" + "".join(f"{name:>12}" for name in left))
for most in SHOWN:
    shares = [[share for passes, _, share in steps if passes <= most][-1] for steps in left.values()]
    print(f"{most:8}" + "".join(f"{share:12.1e}" for share in shares))
for few, words in ((1e-1, "a tenth"), (1e-3, "a thousandth"), (1e-9, "a billionth")):
    print(f"\nuntil {words} is left")
    for name, steps in left.items():
        reached = next(((passes, ms) for passes, ms, share in steps if share <= few), None)
        print(f"{name:>12}", "not reached" if reached is None else f"{reached[0]:4} passes {reached[1]:9.2f} ms")
