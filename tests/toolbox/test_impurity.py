"""Impurities: worked by hand, against SciPy, and concave."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import entropy

from algorithms.toolbox.impurity import Criterion, impurity, total_impurity

COUNTS = st.lists(st.integers(0, 300), min_size=2, max_size=6).filter(any)


def test_by_hand():
    three_to_one = np.array([3, 1])
    assert impurity("entropy", three_to_one) == pytest.approx(2 - 0.75 * np.log2(3))
    assert impurity("gini", three_to_one) == pytest.approx(1 - 9 / 16 - 1 / 16)
    assert impurity("error", three_to_one) == 0.25
    assert impurity("entropy", np.array([5, 5, 5, 5])) == pytest.approx(2)


@pytest.mark.parametrize("criterion", get_args(Criterion))
def test_one_class_is_exactly_pure_and_so_is_nothing(criterion):
    for n in (1, 2, 3, 7, 100, 12_345):
        assert impurity(criterion, np.array([0, n, 0])) == 0
    assert impurity(criterion, np.zeros(3, int)) == 0


@given(COUNTS)
def test_they_are_what_their_definitions_say(counts):
    p = np.array(counts) / sum(counts)
    assert impurity("entropy", np.array(counts)) == pytest.approx(entropy(p, base=2), abs=1e-12)
    assert impurity("gini", np.array(counts)) == pytest.approx((p * (1 - p)).sum(), abs=1e-12)
    assert impurity("error", np.array(counts)) == pytest.approx(1 - p.max(), abs=1e-12)


@pytest.mark.parametrize("criterion", get_args(Criterion))
def test_many_leaves_at_once_are_the_leaves_one_by_one_bit_for_bit(criterion):
    counts = np.random.default_rng(0).integers(0, 50, (4, 3, 5))
    together = total_impurity(criterion, 1000)(counts, counts.sum(axis=0))
    for i in range(3):
        for j in range(5):
            one = counts[:, i, j]
            assert together[i, j] == total_impurity(criterion, int(one.sum()))(one, one.sum())


@given(COUNTS, st.data())
def test_parting_rows_never_makes_them_more_mixed_and_error_is_between_half_gini_and_half_entropy(counts, data):
    whole = np.array(counts)
    left = np.array([data.draw(st.integers(0, c)) for c in counts])
    for criterion in get_args(Criterion):
        total = total_impurity(criterion, int(whole.sum()))
        parts = total(left, left.sum()) + total(whole - left, (whole - left).sum())
        assert parts <= total(whole, whole.sum()) + 1e-9
    gini, error, bits = (float(impurity(c, whole)) for c in ("gini", "error", "entropy"))
    assert gini / 2 - 1e-12 <= error <= bits / 2 + 1e-12
