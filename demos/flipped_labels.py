"""What the exponential loss says of AdaBoost: it pulls hardest at the rows whose label is wrong.

python demos/flipped_labels.py

A tenth of the labels is turned on purpose. A loss pulls at a row by its slope in z = y f: the exponential one by
e^(-z), however large that is, the logistic one by 1/(1 + e^z), never beyond 1. So at the same vote f, AdaBoost's, the
exponential loss has more of its pull on the turned rows, and far more on the row that it pulls at hardest.
"""

import numpy as np

from algorithms import datasets, find

SHOWN = (1, 3, 10, 30, 100)
PULLS = {
    "exponential": lambda z: np.exp(-z),
    "squared": lambda z: 2 * np.abs(1 - z),
    "hinge": lambda z: (z < 1) * 1.0,
    "logistic": lambda z: 1 / (1 + np.exp(z)),
}

print("pull at z = -5: " + ", ".join(f"{name} {pull(np.array(-5.0)):.3g}" for name, pull in PULLS.items()))

data = datasets.load("moons", n=200, noise=0.2, flip=0.1)
flipped = data.truth["flipped"]
print(f"\n{data.n} rows, {flipped.sum()} of them turned; shares of the pull at AdaBoost's vote")
print(f"{'':5} {'on turned rows':>23} {'on the heaviest row':>23}")
print(f"{'round':>5} {'exponential':>12} {'logistic':>10} {'exponential':>12} {'logistic':>10}")
for state in find("adaboost")(data, rounds=max(SHOWN)):
    if state.phase == "reweight" and state.iteration in SHOWN:
        pulls = [PULLS[name](data.signs * state.votes) for name in ("exponential", "logistic")]
        turned = [pull[flipped].sum() / pull.sum() for pull in pulls]
        heaviest = [pull.max() / pull.sum() for pull in pulls]
        print(f"{state.iteration:5} {turned[0]:12.1%} {turned[1]:10.1%} {heaviest[0]:12.1%} {heaviest[1]:10.1%}")
