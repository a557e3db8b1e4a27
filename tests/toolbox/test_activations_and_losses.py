"""Activations and losses: against their definitions, with their slopes, and where numbers are extreme."""

import numpy as np
import pytest
from scipy.special import expit, log_softmax, softmax
from sklearn.metrics import log_loss

from algorithms.toolbox.activations import ACTIVATIONS, sigmoid
from algorithms.toolbox.losses import LOSSES

Z = np.concatenate([np.linspace(-6, 6, 49), [-800.0, -40.0, 40.0, 800.0]])


def test_values_are_those_of_scipy_and_numpy():
    into = np.empty_like(Z)
    assert ACTIVATIONS["sigmoid"].value(Z, into) == pytest.approx(expit(Z), abs=1e-15)
    assert ACTIVATIONS["tanh"].value(Z, into) == pytest.approx(np.tanh(Z), abs=1e-15)
    assert ACTIVATIONS["relu"].value(Z, into).tolist() == [max(z, 0.0) for z in Z.tolist()]


@pytest.mark.parametrize("name", ["sigmoid", "tanh", "relu"])
def test_slopes_agree_with_differences_and_may_work_in_place(name):
    activation = ACTIVATIONS[name]
    z = np.linspace(-3, 3, 40)  # 0 is not among them
    values = [activation.value(z + h, np.empty_like(z)) for h in (-1e-6, 0.0, 1e-6)]
    assert activation.slope(values[1]) == pytest.approx((values[2] - values[0]) / 2e-6, abs=1e-8)
    own = z.copy()
    assert activation.value(own, own) is own
    assert own.tolist() == values[1].tolist()


def test_the_sigmoid_takes_no_sum_amiss():
    assert sigmoid(np.array([-1e300, 0.0, 1e300])).tolist() == [0.0, 0.5, 1.0]


def test_probabilities_and_cross_entropy_are_those_of_scipy_and_scikit_learn():
    rng = np.random.default_rng(0)
    z, codes = 5 * rng.normal(size=(4, 60)), rng.integers(0, 4, 60)
    y = np.eye(4)[:, codes]
    loss = LOSSES["cross-entropy"]
    assert loss.outputs(z) == pytest.approx(softmax(z, axis=0), rel=1e-12)
    assert loss.of_rows(z, y) == pytest.approx(-log_softmax(z, axis=0)[codes, np.arange(60)], rel=1e-10)
    assert loss.of_rows(z, y).mean() == pytest.approx(log_loss(codes, softmax(z, axis=0).T, labels=range(4)))


def test_one_output_is_the_softmax_of_zero_and_its_sum():
    rng = np.random.default_rng(1)
    z, codes = 5 * rng.normal(size=(1, 60)), rng.integers(0, 2, 60)
    both = np.vstack([np.zeros(60), z])
    loss = LOSSES["cross-entropy"]
    assert loss.outputs(z)[0] == pytest.approx(softmax(both, axis=0)[1], rel=1e-12, abs=1e-15)
    assert loss.of_rows(z, codes[None].astype(float)) == pytest.approx(loss.of_rows(both, np.eye(2)[:, codes]))


def test_a_small_loss_keeps_its_digits_and_a_great_one_is_finite():
    loss = LOSSES["cross-entropy"]
    assert loss.of_rows(np.array([[40.0, -40.0]]), np.ones((1, 2))) == pytest.approx([np.exp(-40), 40.0], rel=1e-12)
    z, y = np.array([[40.0, 0.0], [0.0, 900.0], [0.0, 0.0]]), np.eye(3)[:, [0, 0]]
    assert loss.of_rows(z, y) == pytest.approx([2 * np.exp(-40), 900.0], rel=1e-12)


@pytest.mark.parametrize("name", ["cross-entropy", "squared"])
@pytest.mark.parametrize("k", [1, 3])
def test_the_slope_of_a_loss_in_its_sums_is_output_less_target(name, k):
    rng = np.random.default_rng(2)
    z, codes = rng.normal(size=(k, 20)), rng.integers(0, max(k, 2), 20)
    y = codes[None].astype(float) if k == 1 else np.eye(k)[:, codes]
    loss = LOSSES[name]
    for j in range(k):
        step = 1e-6 * np.eye(k)[:, [j]]
        slope = (loss.of_rows(z + step, y) - loss.of_rows(z - step, y)) / 2e-6
        assert (loss.outputs(z) - y)[j] == pytest.approx(slope, abs=1e-8)


def test_the_squared_loss_is_half_the_squared_distance():
    assert LOSSES["squared"].of_rows(np.array([[3.0], [1.0]]), np.array([[0.0], [1.0]])).tolist() == [4.5]
