"""Why the lasso has zeros and ridge has none: what each asks of a coefficient w_j at its best.

python demos/zeros_of_the_lasso.py

    lasso   w_j = 0 wherever |x_j·r| <= λ, and |x_j·r| = λ for the others: a whole range of x_j·r for one w_j
    ridge   x_j·r = λ w_j: 0 for the one value x_j·r = 0 alone, on which no data lie but by accident
"""

import numpy as np

from algorithms import Timeline, datasets, find

data = datasets.load("prostate", scale=True)
X, y = data.X - data.X.mean(axis=0), data.y - data.y.mean()
greatest = np.abs(X.T @ y).max()  # from this λ on, all of the lasso's coefficients are 0

lasso, ridge = find("lasso_coordinate_descent"), find("ridge")
fits = {}
for ratio in (0.5, 0.2, 0.05, 0.01):
    lam = ratio * greatest
    least = Timeline(lasso, data, {"ratio": ratio, "tolerance": 1e-12}).run()
    shrunk = Timeline(ridge, data, {"most": lam, "least": lam / 2, "tried": 2}).run()
    fits[lam] = least.at(least.last).state.w, shrunk.at(1).state.w[1:]

print(f"{'λ':>6} {'zeros of the lasso':>19} {'zeros of ridge':>15}")
for lam, (w, v) in fits.items():
    print(f"{lam:6.2f} {(w == 0).sum():19} {(v == 0).sum():15}")

lam, (w, v) = list(fits.items())[1]
print(f"\nλ = {lam:.2f} {'lasso w':>11} {'|x·r|/λ':>8} {'ridge w':>8} {'x·r/λ':>8}")
for name, *numbers in zip(data.features, w, np.abs(X.T @ (y - X @ w)) / lam, v, X.T @ (y - X @ v) / lam):
    print("{:12} {:8.4f} {:8.4f} {:8.4f} {:8.4f}".format(name, *numbers))
