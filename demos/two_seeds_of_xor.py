"""Two seeds of exclusive or: from one start a network learns what from another it never does, all else being the same.

python demos/two_seeds_of_xor.py

Two tanh units are enough for exclusive or. But descent goes down from where it starts to where the slope vanishes, and
from half of the starts that is not the least loss. What the loss comes near is

    0          where all four rows are told apart,
    ½ ln 2     where two rows are, and the other two, one of each class, are given the same chance of ½,
    ¾ H(1/3)   where one row is, and three, one of them of the other class, are given a chance of 1/3.

The same on the screen, with the corners at ±1:
python -m tui multilayer_perceptron --data xor:n=4,noise=0 -p hidden=2 -p eta=0.5 -p batch=4 -p every=epoch
    --against multilayer_perceptron:seed=1 --at 150
"""

import numpy as np

from algorithms import Dataset, find
from algorithms.toolbox.network import network_for, predictions

CORNERS = Dataset([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], classes=("same", "different"), name="exclusive or")
LEVELS = {"0": 0.0, "½ ln 2": np.log(2) / 2, "¾ H(1/3)": 0.75 * np.log(3) - 0.5 * np.log(2)}
SHOWN = (0, 10, 100, 300, 1000, 3000)

algorithm, network = find("multilayer_perceptron"), network_for(CORNERS, (2,), "tanh", "cross-entropy")


def descent(seed):
    """The loss after each epoch, and the length of the last gradient."""
    run = algorithm(CORNERS, hidden=(2,), eta=0.5, batch=4, epochs=max(SHOWN), every="epoch", seed=seed)
    losses = []
    for state in run:
        if state.iteration in SHOWN:
            losses.append(predictions(network, state.weights, CORNERS).loss)
    return losses, float(np.linalg.norm(np.concatenate(state.gradients, axis=None)))


runs = [descent(seed) for seed in range(20)]
ends = np.array([losses[-1] for losses, _ in runs])
nearest = [min(LEVELS, key=lambda name: abs(LEVELS[name] - end)) for end in ends.tolist()]
print(f"20 seeds, {max(SHOWN):,} epochs")
print(f"{'near':10} {'':8} {'seeds':>5} {'loss':>8} {'slope':>8}")
for name, level in LEVELS.items():
    these = [seed for seed in range(20) if nearest[seed] == name]
    loss, slope = np.mean([[ends[seed], runs[seed][1]] for seed in these], axis=0)
    print(f"{name:10} {level:8.4f} {len(these):5} {loss:8.3f} {slope:8.4f}")

two = nearest.index("0"), nearest.index("½ ln 2")
print(f"\n{'epoch':>5} " + " ".join(f"{f'seed {seed}':>8}" for seed in two))
for i, epoch in enumerate(SHOWN):
    print(f"{epoch:5} " + " ".join(f"{runs[seed][0][i]:8.4f}" for seed in two))
