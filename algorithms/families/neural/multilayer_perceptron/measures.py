"""The state of a network that learns, and what is measured of it: its batch, its predictions, the loss around it."""

from typing import Any

import numpy as np

from algorithms.core import Array, Problem, State, kept, kept_by, once
from algorithms.toolbox.gradient_check import Checks, Surroundings, slopes, surroundings
from algorithms.toolbox.network import Network, Predictions, inputs_and_targets, network_for, predictions
from algorithms.toolbox.orders import batch_rows


class MultilayerPerceptronState(State, frozen=True, kw_only=True):
    weights: Array  # (p,) W_1, ..., W_L row by row; W_l is (m_l, m_(l-1) + 1), the biases its last column
    first: int = 0  # places in the epoch's order: the current batch begins here,
    used: int = 0  # and ends before this one
    activations: tuple[Array, ...] = ()  # a_1, a_2, ... as far as the batch has come: (m_l + 1, b), and (k, b)
    deltas: tuple[Array, ...] = ()  # ..., δ_(L-1), δ_L as far as its errors have come back: (m_l, b)
    gradients: tuple[Array, ...] = ()  # ∂f/∂W_l that go with them, kept after the update: (m_l, m_(l-1) + 1)


def next_batch(epoch: int, used: int, n: int, batch: int) -> tuple[int, int, int]:
    """Of the batch that follows when `used` rows of an epoch are used: its epoch, where it begins, where it ends."""
    epoch, first = (epoch, used) if 0 < used < n else (epoch + 1, 0)
    return epoch, first, min(first + batch, n)


@once
def learner(problem: Problem) -> Network:
    p = problem.parameters
    return network_for(problem.data, p.hidden, p.activation, p.loss)


def rows_at(problem: Problem, epoch: int, first: int, used: int) -> Array:
    """The numbers of the rows at these places of an epoch's order."""
    p, n = problem.parameters, problem.data.n
    return np.arange(n)[batch_rows(n, p.order, p.seed, epoch, first, used)]


def batch_of(problem: Problem, state: MultilayerPerceptronState) -> Array:
    """The numbers of the rows of the current batch."""
    return rows_at(problem, state.iteration, state.first, state.used)


@kept_by("weights")
def on_all(problem: Problem, state: MultilayerPerceptronState) -> Predictions:
    return predictions(learner(problem), state.weights, problem.data)


@once
def by_a_line(problem: Problem) -> float:
    """What least squares on the rows gets wrong, which is a network without a hidden layer."""
    inputs, targets = problem.data.once(inputs_and_targets)
    without = network_for(problem.data, (), problem.parameters.activation, "squared")
    weights = np.linalg.lstsq(inputs, targets.T, rcond=None)[0]
    return predictions(without, weights.T.ravel(), problem.data).error


@kept
def on_batch(problem: Problem, state: MultilayerPerceptronState) -> Predictions:
    return predictions(learner(problem), state.weights, problem.data, batch_of(problem, state))


@kept
def around(problem: Problem, before: MultilayerPerceptronState) -> Surroundings:
    """The loss around the weights of a state, of the batch that it is in, or of the next."""
    place = (before.iteration, before.first, before.used)
    if not before.activations:
        place = next_batch(before.iteration, before.used, problem.data.n, problem.parameters.batch)
    rows = rows_at(problem, *place)
    inputs, targets = problem.data.once(inputs_and_targets)
    return surroundings(learner(problem), before.weights, inputs[rows].T, targets[:, rows])


def gone(problem: Problem, state: MultilayerPerceptronState) -> bool:
    """Whether the state before is not that at whose weights the last batch's gradient was taken."""
    return problem.parameters.every == "epoch" and state.first > 0


def length(values: Array) -> float:
    return float(np.linalg.norm(values))


def gradient(state: MultilayerPerceptronState) -> Array:
    """(p,) ∇f once all layers have theirs, else that of the last layers."""
    return np.concatenate(state.gradients, axis=None)


@kept
def latest(problem: Problem, before: MultilayerPerceptronState) -> list[Any]:
    """Room for the state after, and its checks."""
    return []


def checks(problem: Problem, before: MultilayerPerceptronState, after: MultilayerPerceptronState) -> Checks:
    """The slopes that theorems and the scene ask for, worked out together once a step."""
    held = latest(problem, before)
    if not held or held[0] is not after:
        current = after.gradients[0].size if after.phase == "backward" else None
        step = after.weights - before.weights
        held[:] = after, slopes(around(problem, before), gradient(after), step, current, after.t)
    checks: Checks = held[1]
    return checks
