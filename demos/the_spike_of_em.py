"""The likelihood of a mixture has no bound: a component put alone on one value of Old Faithful, the floor lowered.

python demos/the_spike_of_em.py

EM comes to a stationary point, not to the greatest likelihood. Three components on the waiting times end at log L =
-1,032, the best of many starts. In three forks of that run one component begins alone on the rows of 79 minutes, as
narrow as the floor lets it be. It stays narrow, and the lower the floor the greater is log L, without end: half of
ln 100 more for each of its rows when the floor is a hundredth. The floor alone keeps the likelihood bounded.
"""

import numpy as np

from algorithms import Timeline, datasets, find
from algorithms.families.mixtures.gaussian_mixture.algorithm import begin
from algorithms.families.mixtures.gaussian_mixture.measures import floors

SPIKE = 79.0
em = find("gaussian_mixture")
data = datasets.load("faithful", columns=("waiting",))
chosen = {"start": "k-means", "seed": 1, "tol": 1e-8, "iterations": 1000}

two = Timeline(em, data, chosen | {"k": 2}).run()
others = two.at(two.last).state
share = float((data.X[:, 0] == SPIKE).mean())
weights = np.append((1 - share) * others.weights, share)
means = np.vstack([others.means, [[SPIKE]]])
covariances = np.concatenate([others.covariances, np.zeros((1, 1, 1))])


def line(begins: str, run: Timeline) -> str:
    """log L at the end, and the narrowest component: its mean, deviation and rows."""
    last = run.at(run.last).state
    j = int(last.covariances.argmin())
    mean, deviation = float(last.means[j, 0]), float(last.covariances[j, 0, 0] ** 0.5)
    floor, rows = run.parameters["floor"], data.n * last.weights[j]
    return f"{begins:<12} {floor:6.0e} {data.n * last.log_likelihood:9.1f} {mean:6.1f} {deviation:10.4f} {rows:6.1f}"


three = Timeline(em, data, chosen | {"k": 3}).run()
print(f"{'begins':<12} {'floor':>6} {'log L':>9} {'mean':>6} {'deviation':>10} {'rows':>6}")
print(line("by k-means", three))
for floor in (1e-3, 1e-5, 1e-7):
    spike = begin(data.n, weights, means, covariances, floors(data, floor))
    fork = three.fork(0, state=spike, floor=floor).run()
    assert not fork.failures
    print(line("alone on 79", fork))
