"""What stands in brackets beside a statement about every entry: the true row, the weight's feature, the class."""

import numpy as np

from algorithms import find
from algorithms.core import Dataset
from algorithms.data import iris
from algorithms.families.linear.shared.base_problems import of_pairs
from algorithms.families.linear.shared.base_statements import all_right
from algorithms.families.selection.shared.candidates import powers
from algorithms.families.selection.shared.value_in_hand import linear_models, stationary
from algorithms.toolbox.entry_names import names_by_class, row_names, weight_names

THREE = Dataset([[-2.0, 0.0], [0.0, 1.0], [2.0, 3.0]], [0, 1, 2], classes=("a", "b", "+"))


def test_the_names_by_hand():
    assert row_names(np.flatnonzero([True, False, True])) == ["row 0", "row 2"]
    assert weight_names(THREE, False) == ("x1", "x2")
    assert names_by_class(THREE, True)[2:5] == ("bias of a", "x1 of b", "x2 of b")


def test_a_problem_of_two_classes_names_the_rows_of_the_data():
    """Rows 1 and 2 are b or +; row 1 alone is on the wrong side."""
    of = THREE.once(of_pairs, True)[2]
    signed = all_right(of, np.array([1.0, 0.0, 1.0]) * of.signs[of.rows.tolist().index(2)])
    assert not signed.hold
    assert signed.entry == "row 1"


def test_columns_of_powers_are_named_in_the_order_they_stand_in():
    problem = find("cross_validation").problem(Dataset(np.arange(12.0).reshape(6, 2), np.arange(6.0)))
    models = linear_models(problem)
    names = models.column_names(2)
    assert names == ("1", "degree 1 of x1", "degree 1 of x2", "degree 2 of x1", "degree 2 of x2")
    X = problem.data.X
    second = powers(X[:, 1:], X[:, 1:].min(axis=0), X[:, 1:].max(axis=0), 2)
    assert np.array_equal(models.columns_of(2)[:, names.index("degree 2 of x2") - 1], second[:, 1])
    w = np.zeros(models.columns.shape[1] + 1)
    assert stationary(models, 2, np.ones(6, bool), w).entry in names


def test_a_weight_that_is_off_is_named_by_feature_and_class():
    softmax = find("softmax_regression")
    problem = softmax.problem(iris.load())
    states = [state for _, state in zip(range(3), softmax.start(problem))]
    w = states[-1].w.copy()
    w[1, 2] += 1.0
    verdicts = [t.verdict(problem, states[-2], type(states[-1]).replaced(states[-1], w=w)) for t in softmax.theorems]
    failed = [v.sides.entry for v in verdicts if v.status == "fails" and v.theorem.about == "step" and v.sides]
    assert f"{problem.data.features[2]} of {problem.data.classes[1]}" in failed
