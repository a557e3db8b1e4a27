"""Gradient descent on a function of one's own; whatever it yields is shown.

python -m tui demos/descent_of_your_own.py -p eta=0.0019
python demos/descent_of_your_own.py
"""

import sys

import numpy as np


def f(x):
    """Rosenbrock's valley: its floor is a parabola, and its lowest point is (1, 1)."""
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


def gradient(x):
    return np.array([-2 * (1 - x[0]) - 400 * x[0] * (x[1] - x[0] ** 2), 200 * (x[1] - x[0] ** 2)])


def descent(start=(-1.2, 1.0), eta=0.001, steps=2000):
    """Gradient descent on a function of one's own."""
    x = np.array(start)
    for _ in range(steps):
        g = gradient(x)
        yield {"x": x, "f": f(x), "slope": np.linalg.norm(g)}
        x = x - eta * g
    return f"{steps} steps"


if __name__ == "__main__":
    if sys.stdout.isatty():
        from tui import watch

        sys.exit(watch(descent()))
    *_, last = descent()
    print(f"x = ({last['x'][0]:.4f}, {last['x'][1]:.4f}), f = {last['f']:.6f}, slope {last['slope']:.4f}")
