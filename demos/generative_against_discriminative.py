"""Two ways to a line: model P(x, y), how rows come about, or P(y | x) alone, what is asked.

python demos/generative_against_discriminative.py

A Gaussian a class with one covariance, and logistic regression, both end in log odds w·x + b. The form is the same and
the numbers are not: the first takes all rows to estimate means and covariance, the second minds those near the boundary
most. Here it has a penalty, λ = 0.1; without one it ends at w = (2.660, 3.407), b = -0.336 for the 200 people. (A tree
or k nearest neighbours model P(y | x) alone too; a leaf or a neighbour says 0 or 1.)

Where rows really are Gaussian, the first makes fewer errors, once there are rows enough for a covariance. Where they
are not, it comes to a worse line, however many rows there are.

On the screen: python -m tui gaussian_discriminant --data davis --scale --against logistic_regression --at 200
"""

import numpy as np

from algorithms import datasets, find

FIVE = ("mean_radius", "mean_texture", "mean_smoothness", "mean_concavity", "mean_symmetry")
SPLITS, ASIDE = 20, 200


def generative(data):
    """w = Σ⁻¹(μ₁ - μ₀), b = ½(μ₀ᵀΣ⁻¹μ₀ - μ₁ᵀΣ⁻¹μ₁) + ln π₁/π₀."""
    *_, last = find("gaussian_discriminant")(data, every="class")
    w0, w1 = np.linalg.solve(last.scatter.sum(axis=0) / data.n, last.means.T).T
    b = (last.means[0] @ w0 - last.means[1] @ w1) / 2 + np.log(last.counts[1] / last.counts[0])
    return w1 - w0, b


def discriminative(data):
    *_, last = find("logistic_newton")(data, penalty=0.1)
    return last.w[:-1], last.w[-1]


def error(line, data):
    w, b = line
    return float(((data.X @ w + b > 0) != data.y).mean())


WAYS = {"Gaussians": generative, "logistic": discriminative}

people = datasets.load("davis", scale=True)
print(f"{people.n} people, log odds of {people.classes[1]} by {people.features[0]} and {people.features[1]}")
for name, way in WAYS.items():
    w, b = way(people)
    print(f"{name:10} w = ({w[0]:.3f}, {w[1]:.3f})   b = {b:6.3f}   error {error((w, b), people):.3f}")

print(f"\nerror on {ASIDE} rows held out, mean of {SPLITS} samples")
print(f"{'':5} {'Gaussian rows':>20} {'breast cancer':>20}")
print(f"{'n':>5} {'Gaussians':>10} {'logistic':>9} {'Gaussians':>10} {'logistic':>9}")
for n in (12, 50, 300):
    means = []
    for asked in ({"name": "blobs", "d": 5, "n": n + ASIDE}, {"name": "breast_cancer", "columns": FIVE, "scale": True}):
        name, errors = asked.pop("name"), []
        for seed in range(SPLITS):
            drawn = {"seed": seed} if name == "blobs" else {"sample": n + ASIDE, "sample_seed": seed}
            data = datasets.load(name, **asked, **drawn, hold_out=ASIDE / (n + ASIDE), hold_out_seed=seed)
            errors.append([error(way(data), data.held_out) for way in WAYS.values()])
        means += np.mean(errors, axis=0).tolist()
    print(f"{n:5} {means[0]:10.4f} {means[1]:9.4f} {means[2]:10.4f} {means[3]:9.4f}")
