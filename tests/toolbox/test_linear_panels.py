"""The foot of a row on a hyperplane, and the two margins: numbers of the lecture, and what a longer w changes."""

import numpy as np
import pytest

from algorithms import Dataset, datasets, find
from algorithms.core import Segments
from algorithms.toolbox.panels.linear import both_margins, foot, foot_of, normals, seen


def test_the_foot_of_the_lectures_row_is_four_away():
    x, w, b = np.array([3.0, 4.0]), np.array([3.0, 4.0]), -5.0
    at = foot_of(x, w, b)
    assert at @ w + b == pytest.approx(0)
    assert np.linalg.norm(x - at) == pytest.approx(4)
    assert np.cross(np.append(x - at, 0), np.append(w, 0)) == pytest.approx([0, 0, 0])


def test_a_longer_w_has_the_same_foot_and_distance_and_a_larger_least_y_f():
    data = Dataset([[3.0, 4.0], [-1.0, 0.0]], [1, 0], classes=("a", "b"))
    w = np.array([3.0, 4.0, -5.0])
    z = data.signs * (data.X @ w[:2] + w[2])
    one, double = both_margins(w, True, z), both_margins(2 * w, True, 2 * z)
    assert double["least y w·x"] == pytest.approx(2 * one["least y w·x"])
    assert double["least y w·x/‖w‖"] == pytest.approx(one["least y w·x/‖w‖"])
    (segment,), (other,) = foot(data, w, True, 0), foot(data, 2 * w, True, 0)
    assert segment.end == pytest.approx(other.end)


def test_there_is_no_foot_without_a_boundary_a_row_or_a_plane_that_shows_it():
    data = Dataset([[3.0, 4.0], [-1.0, 0.0]], [1, 0], classes=("a", "b"))
    assert foot(data, np.zeros(3), True, 0) == ()
    assert foot(data, np.ones(3), True, -1) == ()
    assert foot(datasets.iris.with_(positive="setosa").load(), np.ones(5), True, 0) == ()
    assert both_margins(np.zeros(3), True, np.zeros(2)) == {"least y w·x": 0.0, "least y w·x/‖w‖": None}


def test_a_weight_below_the_rounding_of_the_others_is_0_whatever_the_units():
    data = Dataset([[3.0, 1e-20], [-1.0, 4e-20]], [1, 0], classes=("a", "b"))
    assert seen(data, np.array([2.6, 2.6e20, -2e-15])).tolist() == [2.6, 2.6e20, 0.0]
    assert seen(data, np.array([2.6, 1.0, 1e-9])).tolist() == [2.6, 0.0, 1e-9]
    assert seen(data, np.zeros(3)).tolist() == [0.0, 0.0, 0.0]
    assert np.isnan(seen(data, np.full(2, np.nan))).all()


def test_the_perceptron_draws_the_foot_of_the_row_in_hand():
    perceptron = find("perceptron")
    problem = perceptron.problem(perceptron.datasets[0].load())
    run = perceptron.start(problem)
    states = [next(run) for _ in range(6)]
    marks = perceptron.scene(problem, states[4], states[5]).panels[0].marks
    (segment,) = [mark for mark in marks if isinstance(mark, Segments)]
    assert segment.start[0] == pytest.approx(problem.data.X[states[5].row])
    assert np.append(segment.end[0], 1) @ states[5].w == pytest.approx(0)


def test_a_way_that_a_rows_own_mark_covers_is_not_drawn():
    data = Dataset([[0.0, 0.0], [4.0, 3.0], [0.1, 2.0]], [0, 1, 1], classes=("a", "b"))
    w = np.array([1.0, 0.0, 0.0])  # the border is x1 = 0
    assert [len(foot(data, w, True, row)) for row in range(3)] == [0, 1, 0]


def test_a_step_that_is_little_more_than_its_head_is_not_named():
    data, w = Dataset([[0.0, 0.0], [4.0, 3.0]], [0, 1], classes=("a", "b")), np.array([1.0, 0.0])
    named = [normals(data, w, 0.0, w + [0.0, added])[1].legend for added in (0.05, 1.0)]
    assert named == ["", "the step"]
