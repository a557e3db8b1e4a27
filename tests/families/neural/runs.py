"""Runs of the network that its tests share."""

import numpy as np

from algorithms import find
from algorithms.core import Dataset

MLP = find("multilayer_perceptron")
AGREE, SLOPE, STEP, FALL, TURN, BIAS, BALANCE, LINEAR = MLP.theorems
ALL = 1_000_000  # a batch of all rows


def overlapping(n=60, d=3, k=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    return Dataset(rng.normal(size=(n, d)) + y[:, None], y, classes=tuple("abcd"[:k]))


def run_of(data, every="phase", **parameters):
    return list(MLP(data, every=every, **parameters))


def first(most, data, every="phase", **parameters):
    return [state for _, state in zip(range(most), MLP(data, every=every, **parameters))]


def at(theorem, problem, before, after):
    return theorem.verdict(problem, before, after)


def verdicts(theorem, data, most=400, every="phase", **parameters):
    problem = MLP.problem(data, None, {"every": every, **parameters})
    states = [state for _, state in zip(range(most), MLP.start(problem))]
    return [at(theorem, problem, before, after) for before, after in zip([None, *states], states)]
