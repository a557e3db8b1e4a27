"""What is said of a row that is looked at agrees with the rows, and is asked of no other."""

import numpy as np
import pytest

from algorithms import find, names
from algorithms.core import Points
from algorithms.core.dataset import Dataset
from algorithms.timeline import Timeline
from algorithms.toolbox.neighbours import rows_among
from algorithms.toolbox.panels.row_words import (
    said_of_cluster,
    said_of_coordinates,
    says_chance,
    says_claims,
    says_cost,
    says_fit,
    says_margin,
    says_mean,
    says_neighbours,
    says_residual,
    says_scores,
    says_shares,
)

X = np.array([[0.0, 0.0], [0.0, 1.0], [4.0, 0.0], [4.0, 3.0]])
DATA = Dataset(X=X, y=np.array([0, 0, 1, 1]), classes=("low", "high"), kind="class")


def test_a_margin_says_its_side() -> None:
    says = says_margin(np.array([0.5, -2.0, 0.0]), "y w·x")
    assert [says(row) for row in range(3)] == ["y w·x 0.5: right", "y w·x -2: wrong", "y w·x 0: on the boundary"]


def test_what_is_not_a_number_is_neither_right_nor_wrong() -> None:
    assert says_margin(np.array([np.nan]), "y w·x")(0) == "y w·x nan: undecided"
    assert says_scores(DATA, lambda at: np.array([[np.nan, 1.0]]), "f")(0).endswith(": undecided")
    assert says_chance(DATA, np.full(4, np.nan))(0).endswith(": undecided")


def test_a_chance_is_that_of_the_second_class() -> None:
    z = np.log(np.array([4.0, 4.0, 4.0, 0.25]))
    says = says_chance(DATA, z)
    assert [says(row) for row in (0, 2, 3)] == ["P(high) 0.2: right", "P(high) 0.8: right", "P(high) 0.2: wrong"]


def test_scores_name_the_greatest_first_and_whether_it_is_the_rows_own() -> None:
    says = says_scores(DATA, lambda at: np.column_stack([2.0 - at[:, 0], at[:, 1]]), "f")
    assert says(0) == "f low 2, high 0: right"
    assert says(3) == "f high 3, low -2: right"
    assert says_scores(DATA, lambda at: np.column_stack([at[:, 0], at[:, 1]]), "f")(3) == "f low 4, high 3: wrong"
    assert says_scores(DATA, lambda at: np.ones((1, 2)), "f")(3).endswith("tied")


def test_a_row_of_a_cluster_says_how_far_its_mean_is_and_the_next() -> None:
    says = says_mean(X, np.array([[0.0, 0.5], [4.0, 0.0]]), np.array([0, 0, 1, 0]))
    assert says(1) == "cluster 0: 0.5 from its mean, 4.123 from that of 1"
    assert says(3) == "cluster 0: 4.717 from its mean, 3 from that of 1"  # a nearer one is told, too
    assert says_mean(X, X[:1], np.zeros(4, int))(1) == "cluster 0: 1 from its mean"


def test_a_cost_is_said_with_its_margin_and_a_fit_with_what_is_left() -> None:
    says = says_cost(np.array([0.25, -1.0]), np.array([0.75, 2.0]))
    assert [says(0), says(1)] == ["z 0.25 costs 0.75: right", "z -1 costs 2: wrong"]
    y, f = np.array([1.0, 3.0]), np.array([0.5, 4.0])
    assert [says_fit(y, f)(row) for row in (0, 1)] == ["f 0.5, y - f 0.5", "f 4, y - f -1"]
    assert says_fit(y, lambda row: 2.0 * row)(1) == "f 2, y - f 1"


def test_clusters_without_a_mean_are_not_named() -> None:
    assert said_of_cluster(np.array([0, 2]), np.array([4.0, 9.0]), 2) == "cluster 2: 3 from its mean, 2 from that of 0"


def test_of_coordinates_the_last_three_are_said_and_what_they_leave() -> None:
    assert said_of_coordinates(np.array([1.5])) == "z₁ 1.5"
    assert said_of_coordinates(np.arange(1.0, 6.0)) == "z₃ 3, z₄ 4, z₅ 5"
    assert said_of_coordinates(np.array([3.0]), (4.0, 5.0)) == "z₁ 3; of its length 5 is left 4"


def test_a_residual_is_said_beside_the_tree_once_there_is_one() -> None:
    residual = np.array([0.25, -2.0])
    assert says_residual(residual, None)(1) == "r -2"
    assert says_residual(residual, lambda row: -1.5 * row)(1) == "r -2, h -1.5"


def test_neighbours_are_others_even_where_rows_are_equal() -> None:
    data = Dataset(X=np.vstack([X, X[:1]]), y=np.array([0, 0, 1, 1, 1]), classes=("low", "high"), kind="class")
    says = says_neighbours(data, rows_among(data.X), np.ones(2), 2)
    assert says(0) == "nearest: row 4 (high) at 0, row 1 (low) at 1: right"
    assert says(4) == "nearest: row 0 (low) at 0, row 1 (low) at 1: wrong"
    assert says_neighbours(data, rows_among(data.X), np.ones(2), 1)(2) == "nearest: row 3 (high) at 3: right"


def test_shares_and_claims() -> None:
    assert says_shares(np.array([[0.25, 0.75]]), "component")(0) == "0.75 of component 1, 0.25 of component 0"
    says = says_claims(DATA, lambda at: np.column_stack([at[:, 0] < 1, at[:, 1] > 0]))
    assert [says(row) for row in (0, 1, 2)] == ["claimed by low", "claimed by low and high", "claimed by no class"]


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("lloyd", "from its mean"),
        ("gaussian_mixture", "of component"),
        ("perceptron", "y w·x"),
        ("logistic_regression", "P("),
        ("smo", "y f"),
        ("nearest_neighbours", "nearest: row"),
        ("decision_tree", "leaf "),
        ("naive_bayes", "P "),
        ("spectral_clustering", " edges, f "),
        ("pca", "; of its length "),
        ("kernel_pca", "z₁ "),
        ("kernel_k_means", " from its mean"),
    ],
)
def test_each_family_says_something_of_its_rows(name: str, clause: str) -> None:
    algorithm = find(name)
    run = Timeline(algorithm, algorithm.datasets[0], {})
    run.advance(4)
    frame = run.at(3)
    panels = algorithm.scene(run.problem_at(3), frame.before, frame.state).panels
    planes = [[mark for mark in panel.marks if isinstance(mark, Points) and mark.says] for panel in panels]
    (points,) = next(said for said in planes if said)
    assert points.says is not None
    assert clause in points.says(1)
    assert points.says(0) != points.says(len(points.at) - 1)


@pytest.mark.parametrize(
    ("name", "title", "clause"),
    [
        ("dual_logistic_regression", "α of the rows, and C p", "C p "),
        ("least_squares_classifier", "what a row pays", " costs "),
        ("logistic_regression", "p against x·w", "P("),
        ("softmax_regression", "p of each class", "p "),
        ("surrogate_losses", "the loss over the margin", " costs "),
        ("lasso_coordinate_descent", "predicted against true", "y - f "),
        ("stochastic_gradient", "y against x", "y - f "),
        ("bayesian_linear_regression", "y against x", "expected "),
        ("bias_variance", "fits to samples of y", "mean fit "),
        ("pegasos", "what the row cost", " costs "),
        ("online_gradient_descent", "what the row cost", " costs "),
        ("kernel_logistic", "p against f", "P("),
        ("kernel_matrix", "v of the least eigenvalue", "v "),
        ("ridge", "predicted against true", "y - f "),
    ],
)
def test_a_row_says_something_in_panels_beside_the_stage_too(name: str, title: str, clause: str) -> None:
    algorithm = find(name)
    run = Timeline(algorithm, algorithm.datasets[0], {})
    run.advance(4)
    frame = run.at(3)
    panels = algorithm.scene(run.problem_at(3), frame.before, frame.state).panels
    panel = next(panel for panel in panels if panel.title.startswith(title))
    (points,) = [mark for mark in panel.marks if isinstance(mark, Points) and mark.rows]
    assert points.says is not None
    assert clause in points.says(1)
    assert points.says(0) != points.says(2)


@pytest.mark.parametrize("name", [name for name in names() if find(name).needs.data])
def test_no_row_that_is_crossed_is_said_to_be_right(name: str) -> None:
    algorithm = find(name)
    run = Timeline(algorithm, algorithm.datasets[0], {})
    run.advance(8)
    for t in {0, 1, run.last // 2, run.last}:
        frame = run.at(t)
        for panel in algorithm.scene(run.problem_at(t), frame.before, frame.state).panels:
            for mark in panel.marks:
                if isinstance(mark, Points) and mark.says is not None and mark.crossed is not None:
                    crossed = np.flatnonzero(mark.crossed)[:20].tolist()
                    assert [row for row in crossed if mark.says(row).endswith("right")] == []


@pytest.mark.parametrize("name", ["logistic_regression", "logistic_newton", "kernel_logistic"])
def test_rows_stand_on_the_curve_of_their_chance(name: str) -> None:
    algorithm = find(name)
    run = Timeline(algorithm, algorithm.datasets[0], {})
    run.advance(4)
    frame = run.at(3)
    panels = algorithm.scene(run.problem_at(3), frame.before, frame.state).panels
    panel = next(panel for panel in panels if panel.title.startswith("p against"))
    (points,) = [mark for mark in panel.marks if isinstance(mark, Points)]
    assert points.at[:, 1] == pytest.approx(1 / (1 + np.exp(-points.at[:, 0])))
