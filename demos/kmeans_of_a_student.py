"""k-means as a student would write it; it knows nothing of iterscope.

python -m tui demos/kmeans_of_a_student.py --data iris -p k=3
python demos/kmeans_of_a_student.py
"""

import sys

import numpy as np


def kmeans(X, k=3, seed=0):
    """k-means: every row to its nearest centre, every centre to the mean of its rows."""
    rng = np.random.default_rng(seed)
    centres = X[rng.choice(len(X), k, replace=False)]
    labels = np.zeros(len(X), dtype=int)
    while True:
        distances = ((X[:, None] - centres) ** 2).sum(axis=2)
        new = distances.argmin(axis=1)
        moved = int((new != labels).sum())
        labels = new
        cost = distances.min(axis=1).sum()
        yield centres, labels, cost, moved
        if moved == 0:
            return "no row moved"
        centres = np.array([X[labels == j].mean(axis=0) if (labels == j).any() else centres[j] for j in range(k)])


if __name__ == "__main__":
    from algorithms import datasets

    X = datasets.load("iris").X
    if sys.stdout.isatty():
        from tui import watch

        sys.exit(watch(kmeans(X)))
    steps = list(kmeans(X))
    print(f"{len(steps)} steps, cost {steps[-1][2]:.6f}, rows in each cluster {np.bincount(steps[-1][1]).tolist()}")
