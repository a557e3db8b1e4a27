"""The fewest rows that a line gets wrong, against trying very many lines."""

import numpy as np
import pytest
from sklearn.svm import SVC

from algorithms.data import iris, tilt
from algorithms.families.linear.surrogate_losses.fewest_wrong import fewest_wrong


def by_trial(X, signs, lines=20_000):
    rng = np.random.default_rng(0)
    normals = rng.standard_normal((lines, X.shape[1]))
    at = X[rng.integers(len(X), size=lines)] + rng.normal(0, 0.2, (lines, X.shape[1]))
    sides = np.sign(normals @ X.T - np.vecdot(normals, at)[:, None])
    wrong = (sides != signs).sum(axis=1)
    return int(np.minimum(wrong, len(X) - wrong).min())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("d", [1, 2])
def test_no_line_of_many_does_better_and_some_does_as_well_on_few_rows(seed, d):
    rng = np.random.default_rng(seed)
    X, signs = rng.standard_normal((9, d)), np.sign(rng.standard_normal(9))
    assert fewest_wrong(X, signs) == by_trial(X, signs)


def test_xor_costs_one_of_four_and_rows_in_one_place_the_fewer():
    X = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]])
    assert fewest_wrong(X, np.array([1.0, -1.0, 1.0, -1.0])) == 1
    assert fewest_wrong(np.zeros((5, 2)), np.array([1.0, -1.0, 1.0, -1.0, 1.0])) == 2


def test_three_in_a_row_on_a_line_cannot_be_told_apart_one_by_one():
    assert fewest_wrong(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), np.array([1.0, -1.0, 1.0])) == 1


def test_separable_grids_cost_nothing_and_irises_no_more_than_a_support_vector_machine_has_wrong():
    grids = tilt.load()
    assert fewest_wrong(grids.X, grids.signs) == 0
    data = iris.with_(columns=("petal_length_cm", "petal_width_cm"), positive="virginica").load()
    X, y, signs = data.X[50::2], data.y[50::2], data.signs[50::2]
    theirs = int((SVC(kernel="linear", C=10.0).fit(X, y).predict(X) != y).sum())
    assert 0 < fewest_wrong(X, signs) <= theirs


def test_it_is_not_tried_in_space_nor_on_many_rows():
    assert fewest_wrong(np.zeros((5, 3)), np.ones(5)) is None
    assert fewest_wrong(np.zeros((101, 2)), np.ones(101)) is None


@pytest.mark.parametrize("units", [(1e6, 1e-4), (1e-4, 1e6), (1e40, 1.0), (1e-49, 1e-49)])
def test_the_units_of_the_features_do_not_count(units):
    rng = np.random.default_rng(3)
    for n in range(6, 24):
        X, signs = rng.normal(size=(n, 2)), rng.choice([-1.0, 1.0], n)
        assert fewest_wrong(X * units, signs) == fewest_wrong(X, signs)


def test_equal_rows_of_two_classes_are_not_told_apart():
    X = np.random.default_rng(1).normal(size=(30, 2))
    assert fewest_wrong(np.concatenate([X, X]), np.repeat([1.0, -1.0], 30)) == 30
