"""Gradient checks: slopes by differences against those known, stacked weights, places that are checked in turn."""

import numpy as np
import pytest

from algorithms.toolbox import gradient_check
from algorithms.toolbox.activations import ACTIVATIONS
from algorithms.toolbox.gradient_check import agreement, spread_evenly, surroundings
from algorithms.toolbox.losses import LOSSES
from algorithms.toolbox.network import Network


def network_of(sizes, activation="tanh", loss="cross-entropy"):
    return Network(sizes, ACTIVATIONS[activation], LOSSES[loss])


def batch_for(network, b=6, seed=0):
    rng = np.random.default_rng(seed)
    x = np.vstack([rng.normal(size=(network.sizes[0], b)), np.ones(b)])
    y = np.eye(network.sizes[-1])[:, rng.integers(network.sizes[-1], size=b)]
    return rng.normal(size=network.size), x, y


@pytest.mark.parametrize("loss", ["cross-entropy", "squared"])
@pytest.mark.parametrize("sizes", [(3, 1), (3, 4, 1), (3, 4, 5, 3)])
def test_stacked_weights_give_what_each_gives_by_itself(sizes, loss):
    network = network_of(sizes, loss=loss)
    _, x, y = batch_for(network)
    stacked = np.random.default_rng(1).normal(size=(2, 3, network.size))
    values, z = network.sums(stacked, x)
    losses = network.loss.of_rows(z, y)
    for place in np.ndindex(2, 3):
        alone, sums = network.sums(stacked[place], x)
        assert z[place] == pytest.approx(sums, rel=1e-12)
        assert losses[place] == pytest.approx(network.loss.of_rows(sums, y), rel=1e-12)
        for together, single in zip(values, alone):
            assert together[place] == pytest.approx(single, rel=1e-12)


def test_the_slope_of_a_linear_network_is_known():
    """Squared loss without hidden layers: ∂f/∂W = (W x - y) x'/b."""
    network = network_of((3, 2), loss="squared")
    weights, x, y = batch_for(network)
    exact = ((weights.reshape(2, 4) @ x - y) @ x.T / x.shape[1]).ravel()
    around = surroundings(network, weights, x, y)
    found = around.differences([network.weight_name(i) for i in range(8)], np.eye(8), exact)
    assert [d.slope for d in found] == pytest.approx(exact, rel=1e-7, abs=1e-9)
    assert all(d.apart <= d.slack < 1e-7 for d in found)
    assert agreement(found, "∂f/∂w", "difference").hold
    assert not agreement(around.differences(["w"], np.eye(8)[:1], 1.001 * exact), "∂f/∂w", "difference").hold


def test_directions_worked_out_a_few_at_a_time_are_the_same(monkeypatch):
    network = network_of((3, 4, 3))
    weights, x, y = batch_for(network)
    around = surroundings(network, weights, x, y)
    directions = np.random.default_rng(2).normal(size=(7, network.size))
    names = list("abcdefg")
    together = around.differences(names, directions, weights)
    monkeypatch.setattr(gradient_check, "_AT_ONCE", 1)
    alone = around.differences(names, directions, weights)
    assert [d.name for d in alone] == names
    assert [d.slope for d in alone] == pytest.approx([d.slope for d in together], rel=1e-7)


def test_a_relu_unit_that_crosses_0_along_one_direction_is_a_kink_there_alone():
    network = network_of((1, 1, 1), "relu")
    weights, x, y = np.array([1.0, 0.0, 1.0, 0.0]), np.array([[0.0], [1.0]]), np.array([[1.0]])
    found = surroundings(network, weights, x, y).differences(["bias", "out"], np.eye(4)[[1, 3]], np.zeros(4))
    assert [d.kink for d in found] == [True, False]


@pytest.mark.parametrize("n", [1, 5, 33, 610])
def test_every_weight_has_its_turn_and_none_much_more_often(n):
    steps = 4 * n
    counts = np.bincount(np.concatenate([spread_evenly(t, 3, n) for t in range(steps)]), minlength=n)
    assert len(counts) == n
    assert counts.min() >= 9
    assert counts.max() <= 15
