"""Why ridge beats least squares: how far ŵ is from the true w, over targets that are drawn anew for the same rows.

python demos/ridge_beats_least_squares.py

The features go together, so least squares (λ = 0) hardly knows how to share the weight between them: all of its error
is variance. A little λ buys much less variance for a little bias, and for 0 < λ <= 2σ²/‖w‖² it is sure to win.
"""

import numpy as np

from algorithms import Timeline, datasets, find

SAMPLES = 400

data, ridge = datasets.load("correlated", d=2, n=15, correlation=0.95, seed=4), find("ridge")
w, sigma = data.truth["w"], data.truth["noise"]
path = {"most": 100.0, "least": 0.1, "tried": 7}

run = Timeline(ridge, data, path).run()
bias, variance, total = (run.curve(name)[1] for name in ("bias²", "variance", "MSE"))

rng = np.random.default_rng(0)
errors = np.zeros(8)
for _ in range(SAMPLES):
    y = data.X @ w + sigma * rng.standard_normal(data.n)
    fits = np.stack([state.w[1:] for state in ridge(data.X, y, **path)])[1:-1]  # without λ = ∞ and the one it chooses
    errors += ((fits - w) ** 2).sum(axis=1) / SAMPLES

print(f"{'λ':>7} {'bias²':>7} {'variance':>8} {'MSE':>7} {f'over {SAMPLES} samples':>17}")
for lam, *parts, measured in zip([*np.geomspace(100, 0.1, 7), 0], bias[1:], variance[1:], total[1:], errors):
    print("{:7.3g} {:7.3f} {:8.3f} {:7.3f} {:17.3f}".format(lam, *parts, measured))
print(f"below the MSE of least squares for sure up to λ = 2σ²/‖w‖² = {2 * sigma**2 / (w @ w):.3g}")
