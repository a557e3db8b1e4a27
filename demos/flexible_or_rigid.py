"""Flexible or rigid: the machine that is right on every training row is wrong on more of the rows held out.

python demos/flexible_or_rigid.py

Two moons of 300 rows with noise .3, a third of them held out. An RBF kernel of γ = 30 at C = 1,000 bends around each
row; γ = 1 at C = 1 lets some of them be wrong.
"""

from algorithms import Timeline, datasets, find

smo = find("smo")
moons = datasets.moons.with_(n=300, noise=0.3, hold_out=0.33)

print(f"{'γ':>4} {'C':>6} {'support vectors':>16} {'training':>9} {'held out':>9}")
for gamma, C in ((0.01, 1.0), (0.1, 1.0), (1.0, 1.0), (10.0, 10.0), (30.0, 1000.0)):
    run = Timeline(smo, moons, {"gamma": gamma, "C": C, "prune": False}).run()
    training, held_out = (100 * run.curve(name)[1][-1] for name in ("training error", "held-out error"))
    supports = int((run.at(run.last).state.alpha > 0).sum())
    print(f"{gamma:4g} {C:6g} {supports:>16} {training:8.1f}% {held_out:8.1f}%")
