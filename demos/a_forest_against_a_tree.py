"""Why a forest beats its trees: both grown on 20 samples of the same two moons, and asked about the same new rows.

python demos/a_forest_against_a_tree.py

From sample to sample a tree changes its mind: that is variance, and nearly half of its squared error. The mean of many
trees keeps the rest and loses the variance, down to what they have in common: the correlation between them.
"""

import numpy as np

from algorithms import datasets, find
from algorithms.families.trees.shared.bags import says

SAMPLES, TREES = 20, 40
new = datasets.load("moons", n=400, noise=0.35, seed=10**6)
shares = np.empty((SAMPLES, TREES, new.n))  # that say "lower" of a new row, after each tree
single = np.empty((SAMPLES, new.n))
for sample in range(SAMPLES):
    rows = datasets.load("moons", n=150, noise=0.35, seed=sample)
    *_, forest = find("random_forest")(rows, trees=TREES, importances=False)
    *_, tree = find("bagging")(rows, trees=1, bags=False)
    single[sample] = says(tree.trees[0], new.X)
    votes = np.array([says(each, new.X) for each in forest.trees])
    shares[sample] = votes.cumsum(axis=0) / np.arange(1, TREES + 1)[:, None]

print(f"{'':>14} {'variance':>9} {'the rest':>9} {'error²':>8} {'wrong':>7}")
for name, p in [("one tree", single), *((f"forest of {T}", shares[:, T - 1]) for T in (1, 3, 10, 40))]:
    variance, rest = p.var(axis=0).mean(), np.square(p.mean(axis=0) - new.y).mean()
    wrong = ((p > 0.5) != new.y).mean()
    print(f"{name:>14} {variance:9.3f} {rest:9.3f} {np.square(p - new.y).mean():8.3f} {wrong:7.1%}")
