"""Dataset: checked once, named, and never changed."""

from typing import Any

import numpy as np
import pytest

from algorithms import Add, Dataset, Refused
from algorithms.core.edits import edited


def test_numbers_classes_and_names_suggest_themselves() -> None:
    data = Dataset([[1, 2], [3, 4], [5, 6]], ["b", "a", "b"])
    assert (data.n, data.d, data.features) == (3, 2, ("x1", "x2"))
    assert (data.kind, data.classes) == ("class", ("a", "b"))
    assert data.y is not None
    assert data.y.tolist() == [1, 0, 1]
    assert data.signs.tolist() == [1.0, -1.0, 1.0]
    assert Dataset([1.0, 2.0], [0.5, 1.5]).kind == "number"
    assert Dataset([1.0, 2.0]).kind == "none"
    assert Dataset([1.0, 2.0], [1.0, -1.0]).classes == ("-1.0", "1.0")


def test_it_is_a_copy_that_cannot_be_changed() -> None:
    X, y = np.zeros((3, 2)), np.array([0.5, 1.5, 2.5])
    data = Dataset(X, y)
    X[0, 0] = y[0] = 9.0
    assert data.X[0, 0] == 0.0
    assert data.y is not None
    assert data.y[0] == 0.5
    for array in (data.X, data.y, data.centre, data.spread):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_a_row_is_told_in_its_own_units() -> None:
    scaled = Dataset([[0.0, 1.0, 0.0]], features=("a", "b", "c"), centre=[3.5, 70.0, 0.0], spread=[1.0, 13.0, 1.0])
    assert scaled.scaled
    assert scaled.original(scaled.X).tolist() == [[3.5, 83.0, 0.0]]
    assert scaled.row(0) == "a 3.5, b 83, ..."
    assert scaled.row(0, most=3) == "a 3.5, b 83, c 0"
    assert scaled.who(0) == "Row 0 (a 3.5, b 83, ...)"


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([[1.0, np.nan]], None, "X holds nan at row 0, column 1"),
        ([[1.0], [-np.inf]], None, "X holds -inf at row 1, column 0"),
        ([["a"]], None, "X is not a table of numbers"),
        ([[1], [1, 2]], None, "X is not a table of numbers"),
        ([], None, "X has shape"),
        (np.zeros((0, 2)), None, "X has shape"),
        (np.zeros((2, 2, 2)), None, "X has shape"),
        ([[1], [2]], [1], "y has shape"),
        ([[1], [2]], ["a", "a"], "y holds one class only"),
        ([[1], [2]], [1.5, np.nan], "y holds nan"),
        ([[1], [2]], [None, "a"], "y holds values of kinds that cannot be told apart"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(X: Any, y: Any, words: str) -> None:
    with pytest.raises(Refused) as caught:
        Dataset(X, y)
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")
    assert not str(caught.value).endswith("..")


def test_names_must_fit_and_y_comes_once() -> None:
    with pytest.raises(Refused, match="1 feature names for 2 columns"):
        Dataset([[1, 2]], features=("a",))
    with pytest.raises(Refused, match="given twice"):
        Dataset.of(Dataset([1, 2]), [0, 1])
    with pytest.raises(Refused, match="no two classes"):
        _ = Dataset([1, 2]).signs


def test_no_data_is_a_dataset_without_rows_that_is_false():
    none = Dataset.none
    assert not none
    assert (none.n, none.d, none.X.shape, none.features, none.kind) == (0, 0, (0, 0), (), "none")
    assert none.source is not None
    assert none.source.load() is none
    assert Dataset([[0.0]])


def test_no_data_has_no_rows_to_edit():
    with pytest.raises(Refused, match="runs without rows"):
        edited(Dataset.none, (Add(()),))
