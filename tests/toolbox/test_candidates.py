"""Candidates, how their rows are dealt, and what is known of made data."""

import numpy as np
import pytest

from algorithms import Dataset
from algorithms.data import iris, line, prostate, sine
from algorithms.toolbox.candidates import candidates, powers
from algorithms.toolbox.distances import pairwise_squared_distances, squared_distances
from algorithms.toolbox.truths import true_function


def test_polynomials_are_those_of_the_plain_powers():
    data = sine.load()
    every = np.ones(data.n, bool)
    models = candidates(data, "polynomial", 5)
    at = np.linspace(-1.2, 1.2, 9)[:, None]
    for degree in range(5):
        said = models.predict(degree, models.fit(degree, every), every, at)
        assert said == pytest.approx(np.polyval(np.polyfit(data.X[:, 0], data.y, degree), at[:, 0]), rel=1e-8)
        assert models.named(degree) == f"degree {degree}"


def test_columns_of_a_lower_degree_are_the_first_ones():
    X = prostate.load().X
    low, high = X.min(axis=0), X.max(axis=0)
    assert (powers(X, low, high, 4)[:, : 2 * X.shape[1]] == powers(X, low, high, 2)).all()
    assert np.abs(powers(X, low, high, 6)).max() <= 1 + 1e-12


def test_of_one_neighbour_the_rows_are_remembered_and_of_all_the_mean():
    data = prostate.load()
    every = np.ones(data.n, bool)
    models = candidates(data, "neighbours", data.n)
    assert models.predict(data.n - 1, np.zeros(0), every, data.X) == pytest.approx(data.y)
    assert models.predict(0, np.zeros(0), every, data.X[:3]) == pytest.approx(np.full(3, data.y.mean()))


def test_of_equal_distances_the_row_that_comes_first_is_nearer():
    data = Dataset([[1.0], [-1.0], [3.0]], [5.0, 7.0, 9.0], kind="number")
    models = candidates(data, "neighbours", 1)
    assert models.predict(0, np.zeros(0), np.ones(3, bool), np.zeros((1, 1))) == [5.0]


def test_distances_between_many_and_many_are_the_same():
    X = iris.load().X
    assert pairwise_squared_distances(X, X[:7]) == pytest.approx(squared_distances(X, X[:7]))


@pytest.mark.parametrize("recipe", [line.with_(n=4000), sine.with_(n=4000, waves=2.0)])
def test_the_truth_is_what_the_targets_lie_about(recipe):
    data = recipe.load()
    f = true_function(data)
    assert f is not None
    off = data.y - f(data.X)
    assert off.mean() == pytest.approx(0, abs=0.02)
    assert off.std() == pytest.approx(data.truth["noise"], rel=0.05)


def test_of_real_data_there_is_no_known_truth():
    assert true_function(prostate.load()) is None
