"""The hinge for K classes: its values by hand, its slopes by differences, and a reference near the best."""

import numpy as np
import pytest

from algorithms.data import blobs
from algorithms.families.linear.multiclass_svm import multiclass_hinge as hinge

SCORES = np.array([1.0, 3.0, 2.5])


def test_violations_by_hand():
    assert hinge.violations(SCORES, 1, 1.0).tolist() == [-1, 0, 0.5]
    assert hinge.violations(SCORES, 1, 1.0, everywhere=True).tolist() == [-1, 1, 0.5]
    both = hinge.violations_of_rows(np.stack([SCORES, SCORES]), np.array([1, 0]), 1.0)
    assert both.tolist() == [[-1, 0, 0.5], [0, 3, 2.5]]
    assert hinge.greatest(both[0], 1) == 2
    assert hinge.greatest(np.array([0.0, 0.0]), 1) == 1  # a tie is no violation
    assert hinge.losses(both, 0.0).tolist() == [0.5, 3]
    assert hinge.beaten(np.array([[1.0, 1.0], [2.0, 1.0]]), np.array([0, 0])).tolist() == [True, False]


def test_a_softened_loss_lies_between_its_bounds_and_its_slope_is_the_push():
    s = hinge.violations(SCORES, 1, 1.0)
    for softness in (0.01, 0.5, 20.0):
        loss, q = hinge.softened_max(s, softness), hinge.pushes(s, 1, softness)
        assert s.max() <= loss <= s.max() + softness * np.log(3)
        assert q.sum() == pytest.approx(1)
        step = 1e-6 * np.eye(3)
        slope = [(hinge.softened_max(s + h, softness) - hinge.softened_max(s - h, softness)) / 2e-6 for h in step]
        assert q == pytest.approx(slope, abs=1e-4)


def test_what_is_pushed_is_the_others():
    pushed = hinge.pushed_away(np.zeros((2, 2)), 0, np.array([0.25, 0.75]))
    assert pushed.tolist() == [[0, 0.75], [0, 0]]


@pytest.mark.parametrize("softness", [0.0, 0.5])
def test_a_step_is_checked_by_shares_that_come_from_its_loss(softness):
    rng = np.random.default_rng(0)
    W, x = rng.normal(size=(3, 2)), rng.normal(size=2)
    s = hinge.violations(W @ x, 0, 1.0)
    q, loss = hinge.pushes(s, 0, softness), hinge.softened_max(s, softness)
    after = W - (0.1 * W + np.outer(q - hinge.one_hot(3, 0), x)) / (0.1 * 5)
    given = (x, s, 0, loss, softness, 0.1, 5)
    assert hinge.step_of(W, after, *given).hold
    assert not hinge.step_of(W, (W + after) / 2, *given).hold
    assert not hinge.step_of(W, 2 * W - after, *given).hold


def test_the_nearest_point_below_the_limit_is_nearer_than_all_that_are_tried():
    rng = np.random.default_rng(0)
    limit = hinge.one_hot(4, 2)
    for _ in range(20):
        b = rng.normal(size=4)
        a = hinge.nearest_below(b, np.zeros(4), limit)
        assert a.sum() == pytest.approx(0, abs=1e-12)
        assert (a <= limit + 1e-12).all()
        for other in (hinge.nearest_below(rng.normal(size=4), np.zeros(4), limit) for _ in range(20)):
            assert ((a - b) ** 2).sum() <= ((other - b) ** 2).sum() + 1e-12


def test_the_reference_is_enclosed_by_the_dual():
    data = blobs.with_(k=3, n=60).load()
    near = hinge.reference(data, True, 0.1, 1.0, 0.0, False)
    assert near.below <= near.value
    assert near.value - near.below <= 0.02 * near.value
    rng = np.random.default_rng(0)
    X, y = hinge.features(data, True), np.asarray(data.y)
    for _ in range(50):
        W = near.W + 0.1 * rng.normal(size=near.W.shape)
        f = 0.05 * (W * W).sum() + hinge.losses(hinge.violations_of_rows(X @ W.T, y, 1.0), 0.0).mean()
        assert f >= near.below
