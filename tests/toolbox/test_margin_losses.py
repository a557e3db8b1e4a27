"""Losses of a margin: their values, their slopes, and what they bound."""

from math import e, log

import numpy as np
import pytest
from hypothesis import given, strategies as st

from algorithms.toolbox.margin_losses import margin_loss, most_above

NAMES = ("hinge", "squared hinge", "logistic", "exponential", "squared", "perceptron", "generalised")


@pytest.mark.parametrize(
    ("name", "z", "values"),
    [
        ("hinge", [-2, -1, 0, 0.5, 1, 5], [3, 2, 1, 0.5, 0, 0]),  # twice the -z is not twice the loss
        ("squared hinge", [-1, 0, 0.5, 2], [4, 1, 0.25, 0]),
        ("logistic", [0, 1, 5], [0.693147, 0.313262, 0.00671535]),
        ("exponential", [-1, 0, 1], [e, 1, 1 / e]),
        ("squared", [-1, 0, 1, 3], [4, 1, 0, 4]),  # right by 3 costs 4
        ("perceptron", [-2, 0, 2], [2, 0, 0]),
    ],
)
def test_they_are_those_of_the_lectures(name, z, values):
    assert margin_loss(name).of(np.array(z, float)) == pytest.approx(values, rel=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_slopes_are_those_of_the_losses_and_lie_below_them(name):
    loss = margin_loss(name, 0.3, 1.0)
    z, h = np.linspace(-4, 4, 81) + 0.013, 1e-6
    assert loss.slope(z) == pytest.approx((loss.of(z + h) - loss.of(z - h)) / (2 * h), abs=1e-6)
    for kink in (0.0, 1.0):
        at = np.array([kink])
        assert (loss.of(z) >= loss.of(at) + loss.slope(at) * (z - kink) - 1e-12).all()


@pytest.mark.parametrize(("name", "at_zero"), list(zip(NAMES[:6], (1, 1, log(2), 1, 1, 0))))
def test_each_bounds_the_0_1_loss_divided_by_its_value_at_0_and_the_perceptron_loss_bounds_nothing(name, at_zero):
    loss, z = margin_loss(name), np.linspace(-9, 9, 181)
    assert loss.at_zero == pytest.approx(at_zero)
    assert (loss.of(z) >= 0).all()
    if at_zero:
        assert (loss.of(z) / loss.at_zero >= (z <= 0)).all()
    assert (margin_loss("logistic").of(np.array([0.0])) < 1).all()


@given(st.floats(1e-3, 100), st.floats(0, 10), st.floats(-50, 50))
def test_the_generalised_loss_lies_between_its_kink_and_eps_ln_2_above_it(epsilon, level, z):
    value = margin_loss("generalised", epsilon, level).of(np.array([z]))[0]
    kink = max(0.0, level - z)
    assert kink - 1e-9 <= value <= kink + most_above(epsilon) + 1e-9


def test_the_generalised_loss_reaches_its_bound_at_the_kink_and_is_the_logistic_one_at_eps_1_and_level_0():
    for epsilon, most in ((1.0, 0.693), (0.1, 0.0693)):
        assert margin_loss("generalised", epsilon, 1.0).of(np.ones(1))[0] == pytest.approx(most, abs=2e-4)
    z = np.linspace(-5, 5, 21)
    assert margin_loss("generalised", 1.0, 0.0).of(z) == pytest.approx(margin_loss("logistic").of(z))
    assert margin_loss("generalised", 1e-3, 0.0).of(z) == pytest.approx(margin_loss("perceptron").of(z), abs=1e-3)
