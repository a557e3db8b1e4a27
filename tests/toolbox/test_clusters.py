"""Clusters: the nearest means, k-means++ against scikit-learn and against its definition, empty clusters."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.cluster import KMeans, kmeans_plusplus

from algorithms.data import digits, faithful, iris
from algorithms.toolbox.clusters import (
    closeness,
    fill_empty,
    first_greatest,
    greedy_draws,
    k_means,
    membership,
    nearest,
    plus_plus,
    random_labels,
    random_rows,
    squared_lengths,
)
from algorithms.toolbox.distances import squared_distances
from tests.examples import examples

SMALL = arrays.arrays(np.float64, arrays.array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.integers(-3, 3))


@given(SMALL)
def test_the_first_of_the_greatest_is_found_as_argmax_finds_it(scores):
    assert first_greatest(scores).tolist() == scores.argmax(axis=0).tolist()


def test_as_many_means_as_a_label_can_count():
    scores = np.eye(127)
    assert first_greatest(scores).tolist() == list(range(127))


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_closeness_is_half_of_what_distance_lacks(offset):
    rng = np.random.default_rng(0)
    rows, means = offset + rng.normal(size=(40, 3)), offset + rng.normal(size=(5, 3))
    centre = rows.mean(axis=0)
    distances = squared_lengths(rows, centre)[:, None] - 2 * closeness(rows, means, centre).T
    exact = ((rows[:, None] - means) ** 2).sum(axis=2)
    np.testing.assert_allclose(squared_distances(rows, means), exact, rtol=1e-12)
    np.testing.assert_allclose(distances, exact, atol=1e-13 + 1e-14 * offset**2)


def test_the_nearest_mean_is_scikit_learns():
    X = iris.load().X
    model = KMeans(4, init=X[:4].copy(), n_init=1).fit(X)
    assert nearest(X, model.cluster_centers_).tolist() == model.predict(X).tolist()


def test_membership_has_a_column_for_each_row_and_none_for_no_cluster():
    assert membership(np.array([1, 0, -1, 1], np.int8), 2).tolist() == [[0, 1, 0, 0], [1, 0, 0, 1]]


@pytest.mark.parametrize("recipe", [faithful, iris, digits], ids=lambda r: r.name)
@pytest.mark.parametrize("seed", range(5))
def test_with_the_same_random_numbers_it_draws_the_rows_that_scikit_learn_draws(recipe, seed):
    """`RandomState.random` gives what scikit-learn takes; with our generators the numbers are others."""
    X, k = recipe.load().X, 6
    ours = plus_plus(X, k, np.random.RandomState(seed), greedy_draws(k))
    theirs = kmeans_plusplus(X, k, random_state=seed)[1]
    assert ours.tolist() == theirs.tolist()


def test_the_second_row_is_drawn_in_proportion_to_its_squared_distance():
    X = np.array([[0.0], [1.0], [2.0], [4.0]])
    counts = np.zeros((4, 4))
    runs = 6000
    for seed in range(runs):
        first, second = plus_plus(X, 2, np.random.default_rng((seed, 0)))
        counts[first, second] += 1
    distances = (X - X.T) ** 2
    expected = distances / distances.sum(axis=1, keepdims=True)
    firsts = counts.sum(axis=1)
    assert np.abs(firsts / runs - 0.25).max() < 4 * np.sqrt(0.25 * 0.75 / runs)
    deviations = np.sqrt(np.maximum(expected * (1 - expected), 1e-12) / firsts[:, None])
    assert (np.abs(counts / firsts[:, None] - expected) <= 4 * deviations).all()


def test_its_mean_potential_keeps_the_bound_that_holds_in_expectation():
    """E[ΣD²] <= 8 (ln k + 2) OPT, with the best of many runs for OPT; greedy draws are no worse here."""
    X, k = iris.load().X, 5
    best = KMeans(k, n_init=50, random_state=0).fit(X).inertia_
    potentials = [
        squared_distances(X, X[plus_plus(X, k, np.random.default_rng((seed, 0)), draws)]).min(axis=1).sum()
        for draws in (1, greedy_draws(k))
        for seed in range(200)
    ]
    plain, greedy = np.mean(potentials[:200]), np.mean(potentials[200:])
    assert greedy < plain < 8 * (np.log(k) + 2) * best


def test_no_row_is_drawn_twice_while_another_place_is_left():
    rng = np.random.default_rng(0)
    for _ in range(50):
        X = rng.permutation(np.repeat(np.arange(6.0), 5))[:, None] + 1e6
        assert len(np.unique(X[plus_plus(X, 6, rng)])) == 6


def test_equal_rows_are_no_error():
    assert len(plus_plus(np.ones((5, 2)), 3, np.random.default_rng(0))) == 3


def test_random_starts():
    rng = np.random.default_rng(3)
    assert len(set(random_rows(10, 10, rng).tolist())) == 10
    assert np.bincount(random_labels(11, 4, rng)).tolist() == [3, 3, 3, 2]


def test_an_empty_cluster_takes_the_farthest_row_that_is_not_alone():
    labels = np.array([0, 0, 1, 0], np.int8)
    assert fill_empty(np.array([1.0, 2.0, 9.0, 3.0]), labels, 3).tolist() == [0, 0, 1, 2]
    assert fill_empty(np.array([1.0, 2.0, 9.0, 3.0]), labels, 4).tolist() == [0, 3, 1, 2]


def test_a_row_on_its_mean_is_not_taken():
    labels = np.zeros(3, np.int8)
    assert fill_empty(np.array([0.0, 1e-20, 0.0]), labels, 2, least=1e-15).tolist() == [0, 0, 0]


@settings(max_examples=examples(50), deadline=None)
@given(arrays.arrays(np.float64, st.tuples(st.integers(4, 30), st.integers(1, 3)), elements=st.integers(-4, 4)))
def test_k_means_ends_with_every_row_nearest_to_its_mean(X):
    labels = k_means(X, 3, np.random.default_rng(0))
    kept = np.unique(labels)
    means = np.stack([X[labels == j].mean(axis=0) for j in kept])
    distances = squared_distances(X, means)
    own = distances[np.arange(len(X)), np.searchsorted(kept, labels)]
    assert (own <= distances.min(axis=1) + 1e-9).all()


def test_k_means_finds_clusters_that_are_far_apart():
    rng = np.random.default_rng(0)
    truth = np.arange(60) % 3
    X = 100.0 * truth[:, None] + rng.normal(size=(60, 2))
    labels = k_means(X, 3, rng)
    assert len({(a, b) for a, b in zip(truth.tolist(), labels.tolist())}) == 3
