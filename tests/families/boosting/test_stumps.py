"""Stumps: the best of all, one by one, what they say and what they cost."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as arrays

from algorithms.core import Dataset
from algorithms.families.boosting.shared.stumps import (
    Stump,
    Votes,
    best_stump as best_of_sorted,
    cost,
    least_costs,
    presorted,
)
from algorithms.toolbox.questions import between
from tests.examples import examples
from tests.families.boosting.runs import all_stumps, noisy


def best_stump(data, weights, criterion):
    return best_of_sorted(data.X, presorted(data.X), data.signs, weights, criterion)


def test_of_equally_good_stumps_the_first_feature_and_the_lowest_threshold_is_taken():
    """Below 0.5 or above 1.5 errs on one row of four, in either feature."""
    data = Dataset([[0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [2.0, 2.0]], [1, 0, 1, 0], classes=("-", "+"))
    found = best_stump(data, np.full(4, 0.25), "error")
    assert found == Stump(0, 0.5, 1.0, -1.0)


@settings(max_examples=examples(100), deadline=None)
@given(
    arrays.arrays(np.float64, st.tuples(st.integers(3, 12), st.integers(1, 4)), elements=st.integers(0, 5)),
    st.integers(0, 2**12),
    st.integers(0, 2**31),
)
def test_the_best_stump_is_the_best_of_all(X, bits, seed):
    y = [(bits >> i) & 1 for i in range(len(X))]
    data = Dataset(X, y, classes=("-", "+"))
    weights = np.random.default_rng(seed).integers(1, 9, len(X)).astype(float)
    weights /= weights.sum()
    candidates = [(weights[s(X) != data.signs].sum(), s.feature, s.threshold) for s in all_stumps(X)]
    if not candidates:
        return
    found = best_stump(data, weights, "error")
    least = min(error for error, *_ in candidates)
    first = min((f, t) for error, f, t in candidates if error <= least + 1e-12 / 2)
    assert weights[found(X) != data.signs].sum() == pytest.approx(least, abs=1e-12)
    assert (found.feature, found.threshold) == first


def test_a_threshold_lies_between_its_neighbours_even_when_nothing_does():
    low = 1.0
    high = np.nextafter(low, 2.0)
    assert between(low, high) == low
    assert between(-1.7e308, 1.7e308) == 0.0
    assert between(1.6e308, 1.7e308) == pytest.approx(1.65e308)


@given(st.integers(0, 2**31), st.integers(0, 30))
def test_the_vote_is_the_sum_of_its_stumps(seed, t):
    rng = np.random.default_rng(seed)
    sides = rng.choice([-1.0, 1.0], size=(2, t))
    votes = Votes(rng.integers(0, 3, t), rng.integers(0, 4, t).astype(float), *sides, rng.random(t))
    places = rng.integers(0, 5, (20, 3)).astype(float)
    each = [a * votes.stump(i)(places) for i, a in enumerate(votes.alphas.tolist())]
    np.testing.assert_allclose(votes(places), np.sum(each, axis=0) if each else np.zeros(20), atol=1e-12)


def test_a_stump_says_one_thing_on_each_side():
    assert Stump(1, 2.0, -1.0, 1.0)(np.array([[9.0, 2.0], [0.0, 2.1]])).tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("criterion", ["error", "gini"])
def test_the_cost_of_the_best_stump_is_the_least_of_the_features(criterion):
    data = noisy(150, 4)
    weights = np.random.default_rng(0).dirichlet(np.ones(data.n))
    least = least_costs(presorted(data.X), data.signs, weights, criterion)
    stump = best_stump(data, weights, criterion)
    assert cost(stump, data.X, data.signs, weights, criterion) == pytest.approx(least.min(), abs=1e-12)
    assert least.argmin() == stump.feature
    for feature in range(data.d):
        costs = [cost(s, data.X, data.signs, weights, criterion) for s in all_stumps(data.X) if s.feature == feature]
        assert min(costs) == pytest.approx(least[feature], abs=1e-12)
