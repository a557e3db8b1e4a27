"""Candidates, how their rows are dealt, and what is known of made data."""

import numpy as np
import pytest

from algorithms import Dataset
from algorithms.data import iris, line, prostate, sine
from algorithms.families.selection.shared.candidates import candidates, powers
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


def test_a_memoriser_knows_its_rows_and_of_all_else_the_mean():
    data = Dataset([[1.0], [-1.0], [3.0], [1.0]], [5.0, 7.0, 9.0, 6.0], kind="number")
    models, every = candidates(data, "memoriser", 5), np.ones(4, bool)
    at = np.array([[1.0], [-1.0], [3.0], [2.0]])
    answers = [models.predict(m, np.zeros(0), every, at).tolist() for m in range(5)]
    assert answers[0] == [6.75] * 4
    assert answers[2] == [5.0, 7.0, 6.75, 6.75]
    assert answers[4] == [5.0, 7.0, 9.0, 6.75]
    leverages, squares = models.hat(2)
    assert leverages == pytest.approx([1, 1, 0.25, 0.0])
    assert squares == pytest.approx(1 + 1 + 0.25 + 1)


@pytest.mark.parametrize("model", ["polynomial", "ridge", "neighbours", "memoriser"])
def test_many_samples_are_predicted_at_once(model):
    data = prostate.load()
    models, every = candidates(data, model, 3), np.ones(data.n, bool)
    samples = np.random.default_rng(0).standard_normal((4, data.n))
    for i in range(3):
        fits = [models.given(y).fit(i, every) for y in samples]
        each = [models.given(y).predict(i, w, every, data.X) for y, w in zip(samples, fits)]
        at_once = models.given(samples.T).predict(i, np.stack(fits, axis=1), every, data.X).T
        assert at_once == pytest.approx(np.stack(each))


def test_neighbours_found_beforehand_are_those_found_anew():
    data = prostate.load()
    models, every = candidates(data, "neighbours", 5), np.ones(data.n, bool)
    for i in range(5):
        anew = models.predict(i, np.zeros(0), every, data.X.copy())
        assert (models.predict(i, np.zeros(0), every, data.X) == anew).all()


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
