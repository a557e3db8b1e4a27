"""One outlier and three answers: a hard margin gives way, a soft one leaves it where it is, a bent one takes it in.

python demos/one_outlier.py

Setosa (o) against versicolor (x) by their petals, and one setosa (@) that grew a petal of 2.6 by 0.8. The hard margin
narrows to let it in; the soft one, at C = 1, stays nearly as wide and pays for it; an RBF kernel of γ = 20 at
C = 1,000,000 draws an island around it. A dot is a place where f says setosa.
"""

import numpy as np

from algorithms import Dataset, Timeline, datasets, find

smo = find("smo")
petals = datasets.load(
    "iris", classes=("setosa", "versicolor"), positive="setosa", columns=("petal_length_cm", "petal_width_cm")
)
with_outlier = Dataset(
    np.vstack([petals.X, [2.6, 0.8]]),
    np.append(petals.y, 1),
    classes=petals.classes,
    features=petals.features,
    name="petals and one outlier",
)
ANSWERS = {
    "hard": {"kernel": "linear", "margin": "hard"},
    "soft, C = 1": {"kernel": "linear", "C": 1.0},
    "RBF, C = 1e6": {"kernel": "rbf", "gamma": 20.0, "C": 1e6},
}
ACROSS, UP = np.linspace(0.8, 5.2, 34), np.linspace(1.9, 0.0, 15)


def solved(data, parameters):
    """The run at its end: α, and f as a function of places."""
    run = Timeline(smo, data, {**parameters, "tol": 1e-6, "prune": False}).run()
    state = run.at(run.last).state
    stage = smo.scene(run.problem, None, state).panels[0]
    f = next(mark.score for mark in stage.marks if hasattr(mark, "score"))
    return state.alpha, f


def width(data, parameters):
    """2/‖w‖ of a linear machine."""
    alpha, _ = solved(data, parameters)
    return 2 / np.linalg.norm((alpha * data.signs) @ data.X)


def picture(f, data):
    """Rows of signs: what f says, and the flowers over it."""
    places = np.array([[[x, y] for x in ACROSS] for y in UP])
    signs = np.where(f(places.reshape(-1, 2)).reshape(len(UP), -1) > 0, ".", " ")
    for i, (x, y) in enumerate(data.X):
        at = np.abs(UP - y).argmin(), np.abs(ACROSS - x).argmin()
        signs[at] = "@" if i == petals.n else "ox"[int(data.y[i] == 0)]
    return ["".join(line) for line in signs]


print(f"{'':>14} {'width':>7} {'with it':>8} {'y f of it':>10} {'wrong rows':>11}")
pictures = []
for name, parameters in ANSWERS.items():
    _, f = solved(with_outlier, parameters)
    z = with_outlier.signs * f(with_outlier.X)
    widths = [width(data, parameters) for data in (petals, with_outlier)] if name[0] != "R" else [np.nan] * 2
    before, after = (f"{value:.3f}".replace("nan", "-") for value in widths)
    print(f"{name:>14} {before:>7} {after:>8} {z[-1]:10.2f} {int((z <= 0).sum()):>11}")
    pictures.append(picture(f, with_outlier))

print("\n" + "   ".join(f"{name:^{len(ACROSS)}}" for name in ANSWERS).rstrip())
for line in zip(*pictures):
    print(" | ".join(line).rstrip())
