"""Base problems: which rows each is made of, the pass, the solution, and whose turn it is."""

import numpy as np
import pytest

from algorithms.core import Dataset
from algorithms.families.linear.shared.base_problems import (
    against_rest,
    ended,
    least_squares,
    longest,
    marked,
    next_problem,
    of_pairs,
    perceptron_pass,
    places_of_plane,
    sizes_at_rows,
    weights_at_rows,
)

DATA = Dataset([[1.0], [2.0], [3.0], [4.0]], [0, 1, 2, 1], classes=("a", "b", "c"))


def test_one_against_the_rest_has_every_row_and_a_sign_for_its_class():
    problems = against_rest(DATA, True)
    assert [of.name for of in problems] == ["a", "b", "c"]
    assert problems[1].signs.tolist() == [-1, 1, -1, 1]
    assert problems[1].z.tolist() == [[-1, -1], [2, 1], [-3, -1], [4, 1]]


def test_a_pair_has_the_rows_of_its_two_classes():
    problems = of_pairs(DATA, False)
    assert [of.name for of in problems] == ["a or b", "a or c", "b or c"]
    assert problems[2].rows.tolist() == [1, 2, 3]
    assert problems[2].z.tolist() == [[2], [-3], [4]]


def test_a_pass_corrects_with_the_weights_it_has_by_then():
    z = np.array([[1.0, 1.0], [-2.0, 0.0], [1.0, 0.5]])
    made = perceptron_pass(z, np.zeros(2), 0.5)
    assert made.corrected.tolist() == [True, True, True]  # (.5, .5), then z w = -1, then (-.5, .5) and z w = -.25
    assert made.w.tolist() == [0.0, 0.75]
    at_rows = weights_at_rows(z, np.zeros(2), made.corrected, 0.5)
    assert at_rows.tolist() == [0, -1, -0.25]
    assert (sizes_at_rows(z, np.zeros(2), made.corrected, 0.5) >= np.abs(at_rows)).all()


def test_the_solution_is_the_shortest_of_those_that_fit():
    z = np.array([[1.0, 1.0]])
    assert least_squares(z) == pytest.approx([0.5, 0.5])
    assert least_squares(np.zeros((0, 2))).tolist() == [0, 0]
    assert longest(z) == pytest.approx(np.sqrt(2))
    assert longest(np.zeros((0, 2))) == 0


@pytest.mark.parametrize(("turns", "order"), [("in turn", [0, 2, 0, 2]), ("one after another", [0, 0, 2, 2])])
def test_whose_turn_it_is(turns, order):
    passes, settled, visited = np.zeros(3, int), np.array([False, True, False]), []
    while (k := next_problem(passes, settled, 2, turns)) is not None:
        visited.append(k)
        passes[k] += 1
    assert visited == order


def test_the_end_is_put_in_words():
    settled = np.array([True, False, False])
    assert ended("perceptron", settled, 1000) == "2 of 3 problems had no clean pass among 1,000"
    assert ended("perceptron", settled[1:2], 5) == "the problem had no clean pass among 5"
    assert ended("least squares", settled[:1], 5) == "every problem is solved"
    assert ended("perceptron", settled[:1], 5) == "every problem has had a pass without a mistake"


def test_rows_of_a_problem_are_marked_among_all():
    assert marked(5, np.array([1, 3, 4]), np.array([True, False, True])).tolist() == [False, True, False, False, True]


def test_places_of_the_plane_lie_a_tenth_beyond_the_rows():
    flat = Dataset([[0.0, 0.0], [10.0, 5.0]], [0, 1], classes=("a", "b"))
    at = places_of_plane(flat)
    assert at.min(axis=0) == pytest.approx([-1, -0.5])
    assert at.max(axis=0) == pytest.approx([11, 5.5])
