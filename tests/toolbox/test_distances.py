"""Squared distances, as SciPy measures them, of few and of many features."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from algorithms.toolbox.distances import pairwise_squared_distances, squared_distances, squared_distances_to_own


@pytest.mark.parametrize("d", [1, 2, 8, 9, 30])
def test_distances_are_those_of_scipy(d: int) -> None:
    draw = np.random.default_rng(d)
    rows, places = draw.normal(size=(50, d)) + 100.0, draw.normal(size=(4, d)) + 100.0
    truth = cdist(rows, places, "sqeuclidean")
    assert squared_distances(rows, places) == pytest.approx(truth, rel=1e-10)
    assert pairwise_squared_distances(rows, places) == pytest.approx(truth, rel=1e-10)


@pytest.mark.parametrize("d", [1, 2, 8, 9, 30])
def test_the_distance_to_ones_own_place_is_the_same_to_the_last_digit(d: int) -> None:
    draw = np.random.default_rng(d)
    rows, places, labels = draw.normal(size=(500, d)), draw.normal(size=(4, d)), draw.integers(0, 4, 500)
    own = squared_distances_to_own(rows, places, labels)
    assert np.array_equal(own, squared_distances(rows, places)[np.arange(500), labels])


def test_a_row_is_not_apart_from_itself_however_far_it_is() -> None:
    rows = np.array([[1e9, -1e9], [1e9 + 1, -1e9]])
    assert squared_distances(rows, rows).tolist() == [[0.0, 1.0], [1.0, 0.0]]
