"""Expectations: the mean over many runs, its error and its bound, against known ones; and when there is none."""

import math

import numpy as np
import pytest

from algorithms import Dataset, Refused, datasets, find, names
from algorithms.core import Expectation
from algorithms.sweeping import estimates

ALL = [(name, i) for name in names() for i in range(len(find(name).expectations))]


def last(name, i=0, data=None, **settings):
    algorithm = find(name)
    *_, estimate = estimates(algorithm.expectations[i], algorithm, data or algorithm.datasets[0], jobs=1, **settings)
    return estimate


@pytest.mark.parametrize(("name", "i"), ALL)
def test_each_is_finite_on_what_its_algorithm_opens_with(name, i):
    few = {"rounds": 3} if name == "adaboost" else {}
    estimate = last(name, i, runs=4, parameters=few)
    assert estimate.runs == estimate.of == len(estimate.values) == 4
    assert math.isfinite(estimate.mean)
    assert math.isfinite(estimate.bound)
    assert estimate.error > 0
    assert not estimate.failed


def test_the_potential_of_k_means_plus_plus_by_hand():
    data = Dataset(np.array([[0.0], [1.0], [10.0]]))
    estimate = last("k_means_plus_plus", data=data, parameters={"k": 2}, runs=200)
    assert set(estimate.values) <= {1.0, 81.0}  # of the row that neither mean is at
    assert estimate.bound == pytest.approx(8 * (np.log(2) + 2) * 0.5)
    first, other = [1 / 3, 1 / 3, 1 / 3], {0: (1 / 101, 100 / 101), 1: (1 / 82, 81 / 82), 2: (100 / 181, 81 / 181)}
    truth = (
        first[0] * (other[0][0] * 81 + other[0][1] * 1)
        + first[1] * (other[1][0] * 81 + other[1][1] * 1)
        + first[2] * (other[2][0] * 1 + other[2][1] * 1)
    )
    assert abs(estimate.mean - truth) < 4 * max(estimate.error, 0.2)


def test_a_drawn_gradient_is_the_whole_one_on_average_and_one_of_the_first_rows_is_not():
    right = last("stochastic_gradient", runs=400)
    assert abs(right.mean - right.bound) < 4 * right.error
    algorithm = find("stochastic_gradient")
    expectation = algorithm.expectations[0]
    wrong = Expectation(
        expectation.statement, expectation.measure, expectation.bound, expectation.names, expectation.source,
        fixed={"order": "cyclic"}, until=1,
    )  # fmt: skip
    *_, biased = estimates(wrong, algorithm, algorithm.datasets[0], runs=3, jobs=1)
    assert biased.error == pytest.approx(0, abs=1e-12)
    assert abs(biased.mean - biased.bound) > 0.01


def test_it_is_said_in_a_line():
    estimate = last("k_means_plus_plus", data=datasets.iris, runs=3)
    assert str(estimate).startswith("3 of 3 runs: ")
    assert " ± " in str(estimate)
    assert " against " in str(estimate)


def test_rows_that_no_recipe_makes_have_no_splits():
    data = datasets.iris.with_(positive="versicolor").load()
    bare = Dataset(data.X, data.y, classes=data.classes)
    with pytest.raises(Refused, match="open data by name"):
        last("adaboost", data=bare, runs=3)


def test_rows_of_ones_own_are_held_out_as_they_were():
    asked = find("adaboost").datasets[0].with_(hold_out=0.5)
    assert last("adaboost", data=asked, runs=2, parameters={"rounds": 2}).values.shape == (2,)


def test_splits_that_lose_a_class_measure_nothing_and_are_counted():
    few = datasets.blobs.with_(n=6, k=2, hold_out=0.5)
    estimate = last("adaboost", data=few, runs=12, parameters={"rounds": 2})
    assert 0 < estimate.failed < 12
    assert len(estimate.values) == 12 - estimate.failed
    assert math.isfinite(estimate.mean)
    assert str(estimate).endswith(f"; {estimate.failed} failed")
