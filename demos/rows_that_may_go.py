"""Only support vectors matter: 98 of 100 flowers may go, and the margin stays the same to the last digit but rounding.

python demos/rows_that_may_go.py

Setosa against versicolor by their petals, C = ∞. Two rows carry w; the hard margin is also the distance of the two
hulls of petals, which another algorithm finds without a multiplier.
"""

import numpy as np

from algorithms import Dataset, Timeline, datasets, find

iris = datasets.load("iris", columns=("petal_length_cm", "petal_width_cm"))
rows = np.flatnonzero(iris.y < 2)
petals = Dataset(iris.X[rows], iris.y[rows], classes=iris.classes[:2], features=iris.features, name="petals")


def margin(data):
    """The support vectors, w, and the width of the widest street between the classes."""
    run = Timeline(find("smo"), data, {"kernel": "linear", "margin": "hard", "tol": 1e-10, "prune": False}).run()
    alpha = run.at(run.last).state.alpha
    w = (alpha * data.signs) @ data.X
    return np.flatnonzero(alpha), w, 2 / np.linalg.norm(w)


print(f"{'rows':>12} {'support vectors':>16} {'w':>18} {'width':>7}")
support, w, width = margin(petals)
kept = Dataset(petals.X[support], petals.y[support], classes=petals.classes, features=petals.features, name="two rows")
gone = Dataset(
    np.delete(petals.X, support, axis=0),
    np.delete(petals.y, support),
    classes=petals.classes,
    features=petals.features,
    name="the others",
)
for data in (petals, kept, gone):
    support, w, width = margin(data)
    print(f"{data.n:>12} {len(support):>16} {f'{w[0]:.4f} {w[1]:.4f}':>18} {width:7.3f}")

hulls = Timeline(find("nearest_hulls"), petals).run()
print(f"the hulls of the two classes are {2 * hulls.curve('half distance')[1][-1]:.3f} apart")
