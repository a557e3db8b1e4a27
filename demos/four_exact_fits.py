"""Four ways to the same predictions: a third column that is the sum of two others leaves w undecided.

python demos/four_exact_fits.py

y = 3 height + 4 weight, and the third column is 2 height + 3 weight: along v = (2, 3, -1), Xv = 0, and w may go as far
as it likes. Least squares leaves the column out. The gradient has no part along v, so descent from 0 never goes there,
and ends at the shortest w, as ridge does for λ → 0. The lasso takes the one with the least Σ|w|.
"""

import numpy as np

from algorithms import datasets, find

data = datasets.load("dependent")
v = np.array([2.0, 3.0, -1.0]) / np.sqrt(14)


def last_of(name: str, **parameters: float | str) -> np.ndarray:
    *_, last = find(name)(data, **parameters)
    return np.asarray(last.w)


fits = {
    "least squares": last_of("least_squares")[1:],  # the intercept is the first
    "gradient descent": last_of("stochastic_gradient", batch=data.n, order="cyclic", eta=0.1, epochs=2000)[:-1],
    "ridge, λ → 0": last_of("ridge", least=1e-9)[1:],
    "lasso, λ → 0": last_of("lasso_coordinate_descent", ratio=1e-4, tolerance=1e-12, every="sweep", sweeps=10_000),
}
print(f"{'':17} {'w1':>7} {'w2':>7} {'w3':>7} {'along v':>8} {'‖w‖':>7} {'Σ|w|':>7} {'worst row':>10}")
for name, w in fits.items():
    left = data.y - data.y.mean() - (data.X - data.X.mean(axis=0)) @ w
    numbers = (*w, v @ w, np.linalg.norm(w), np.abs(w).sum(), np.abs(left).max())
    print("{:17} {:7.4f} {:7.4f} {:7.4f} {:8.4f} {:7.4f} {:7.4f} {:10.0e}".format(name, *numbers))
