"""What no algorithm can calculate with is refused where it comes in, in a sentence that says where it stands."""

import numpy as np
import pytest

from algorithms import Dataset, Refused, datasets, find
from tests.chosen import chosen

NO_NUMBERS = [np.nan, np.inf, -np.inf]
TOO_LARGE = [1e151, -1e300, float(np.finfo(float).max)]


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_a_feature_that_is_no_number_is_refused_with_its_place(value: float) -> None:
    with pytest.raises(
        Refused, match=r"^X holds -?(nan|inf) at row 2, column 1; every cell must be a finite number\.$"
    ):
        Dataset([[0.0, 1.0], [2.0, 3.0], [4.0, value]])


@pytest.mark.parametrize("value", TOO_LARGE)
def test_a_feature_that_cannot_be_squared_is_refused_with_its_place(value: float) -> None:
    with pytest.raises(Refused, match=r"^X holds \S+ at row 1, column 0; beyond 1e\+150 in size .* other units\.$"):
        Dataset([[0.0, 1.0], [value, 3.0]])


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_a_target_that_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(Refused, match=r"^y holds -?(nan|inf); every target must be finite\.$"):
        Dataset([[0.0], [1.0]], [0.5, value], kind="number")


@pytest.mark.parametrize("value", TOO_LARGE)
def test_a_target_that_cannot_be_squared_is_refused(value: float) -> None:
    with pytest.raises(Refused, match=r"^y holds \S+; beyond 1e\+150 in size .* other units\.$"):
        Dataset([[0.0], [1.0]], [0.5, value], kind="number")


@pytest.mark.parametrize("value", [*NO_NUMBERS, *TOO_LARGE])
@pytest.mark.parametrize("name", chosen())
def test_an_algorithm_that_is_given_them_as_arrays_refuses_them(name: str, value: float) -> None:
    with pytest.raises(Refused, match="X holds"):
        find(name)([[0.0, 1.0], [value, 2.0], [3.0, 4.0]], [0, 1, 0])


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize(
    ("cell", "said"), [("inf", "is not a number"), ("1e400", "is not a number"), ("1e300", "X holds")]
)
def test_a_file_with_such_a_cell_is_refused(tmp_path, cell: str, said: str, scale: bool) -> None:
    path = tmp_path / "hard.csv"
    path.write_text(f"a,b\n1.5,2\n{cell},3\n2.5,4\n")
    with pytest.raises(Refused, match=said):
        datasets.load(str(path), columns=("a", "b"), target="", scale=scale)


def test_a_cell_that_says_nan_is_missing_and_its_row_dropped_with_a_notice(tmp_path) -> None:
    path = tmp_path / "hard.csv"
    path.write_text("a,b\n1.5,2\nnan,3\n2.5,4\n")
    data = datasets.recipe(str(path), target="").load()
    assert data.n == 2
    assert any("1 row dropped" in notice for notice in data.notices)


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1.0, 1e140])
def test_scaled_features_have_mean_0_and_deviation_1_whatever_their_size(tmp_path, size: float) -> None:
    path = tmp_path / "sized.csv"
    rows = np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0], [9.0, 5.0]]) * size
    path.write_text("a,b\n" + "".join(f"{a!r},{b!r}\n" for a, b in rows.tolist()))
    X = datasets.load(str(path), target="", scale=True).X
    assert X.mean(axis=0) == pytest.approx([0.0, 0.0], abs=1e-12)
    assert X.std(axis=0) == pytest.approx([1.0, 0.0])
