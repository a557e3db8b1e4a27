"""Data that a script has in hand: arrays, DataFrames and sparse matrices, at every door and by the rules of a file."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms import Dataset, Refused, Timeline, datasets, find, sweep

ROWS = np.random.default_rng(0).normal(size=(12, 2)).round(3)
KINDS = ["u", "v"] * 6


def fields(**columns: Any) -> Any:
    """A table with named columns that needs no library: an array with fields."""
    arrays = {name: np.asarray(values) for name, values in columns.items()}
    table = np.empty(len(next(iter(arrays.values()))), [(name, a.dtype.str) for name, a in arrays.items()])
    for name, values in arrays.items():
        table[name] = values
    return table


def frame(**columns: Any) -> Any:
    return pytest.importorskip("pandas").DataFrame(columns)


def polar(**columns: Any) -> Any:
    return pytest.importorskip("polars").DataFrame(columns)


def arrow(**columns: Any) -> Any:
    return pytest.importorskip("pyarrow").table(columns)


@pytest.fixture(params=[fields, frame, polar, arrow])
def made(request: pytest.FixtureRequest) -> Any:
    return request.param


DAYS = np.datetime64("2024-01-01", "us") + np.arange(12).astype("timedelta64[D]")


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (ROWS, ("x1", "x2")),
        (ROWS.tolist(), ("x1", "x2")),
        ("faithful", ("eruptions", "waiting")),
        (datasets.faithful, ("eruptions", "waiting")),
        (fields(width=ROWS[:, 0], height=ROWS[:, 1]), ("width", "height")),
        (None, ("eruptions", "waiting")),
    ],
    ids=["array", "lists", "name", "recipe", "table", "none"],
)
def test_a_timeline_takes_data_in_any_form_and_the_algorithm_by_name(data: Any, names: tuple[str, ...]) -> None:
    run = Timeline("lloyd", data, {"k": 2}).run()
    assert run.algorithm is find("lloyd")
    assert run.data.features == names
    assert run.stopped is not None


def test_a_name_that_there_is_not_is_refused_with_the_nearest() -> None:
    with pytest.raises(Refused, match=r"no algorithm 'loyd'.*Did you mean lloyd\?$"):
        Timeline("loyd", ROWS)
    with pytest.raises(Refused, match=r"no data set 'fathful'.*Did you mean faithful\?$"):
        Timeline("lloyd", "fathful")
    with pytest.raises(Refused, match=r"no data set 'fathful'.*Did you mean faithful\?$"):
        find("lloyd")("fathful")


def test_rows_and_target_come_as_a_pair_or_by_themselves() -> None:
    pair = Timeline("perceptron", (ROWS, KINDS)).data
    own = datasets.load(ROWS, KINDS)
    assert pair.classes == own.classes == ("u", "v")
    assert np.array_equal(pair.X, own.X)
    assert np.array_equal(pair.y, own.y)
    two_rows = Dataset.of(((1.0, 2.0), (3.0, 4.0)))
    assert (two_rows.n, two_rows.kind) == (2, "none")


def test_an_array_is_prepared_as_a_file_is() -> None:
    data = datasets.load(ROWS, KINDS, scale=True, hold_out=0.25, positive="u", columns=("x2",))
    assert (data.n, data.d, data.features, data.classes) == (9, 1, ("x2",), ("v", "u"))
    assert data.held_out is not None
    assert data.X.std() == pytest.approx(1)
    assert datasets.load(np.repeat([[1, 0], [2, 1]], 20, axis=0)).kind == "none"  # nothing of it is guessed to be y
    assert datasets.load(ROWS, sample=5).n == 5
    assert datasets.load(ROWS, map="quadratic").d > 2


def test_the_names_of_a_table_are_kept(made: Any) -> None:
    table = made(width=ROWS[:, 0], height=ROWS[:, 1])
    for data in (Dataset(table), Dataset.of(table), datasets.load(table), Timeline("lloyd", table, {"k": 2}).data):
        assert data.features == ("width", "height")
        assert np.array_equal(data.X, ROWS)
    typed = datasets.load(made(width=ROWS[:, 0], kind=KINDS))
    assert (typed.features, typed.target, typed.classes) == (("width",), "kind", ("u", "v"))


def test_a_column_of_a_table_is_a_target_with_its_name() -> None:
    table = frame(width=ROWS[:, 0], kind=KINDS)
    assert Dataset(table[["width"]], table["kind"]).target == "kind"
    assert datasets.load(table[["width"]], table["kind"]).target == "kind"


def test_the_dates_of_a_table_are_left_out_with_a_warning_and_refused_as_numbers(made: Any) -> None:
    table = made(width=ROWS[:, 0], day=DAYS)
    with pytest.warns(UserWarning, match="day left out: dates"):
        assert datasets.load(table, target="").features == ("width",)
    for refused in (lambda: datasets.load(table, columns=("day",), target=""), lambda: Dataset(table)):
        with pytest.raises(Refused, match=r"^row 0 has '2024-01-01.* in column day, a date; write it as a number"):
            refused()


def test_a_text_among_numbers_is_refused_by_row_and_column(made: Any) -> None:
    with pytest.raises(Refused, match="row 0 has 'u' in column kind, which is not a number"):
        Dataset(made(width=ROWS[:, 0], kind=KINDS))


def with_holes() -> Iterator[Any]:
    holes = ROWS[:, 0].copy()
    holes[3] = np.nan
    yield fields(a=holes, b=ROWS[:, 1])
    yield np.column_stack([holes, ROWS[:, 1]])


def test_what_is_dropped_is_a_warning_at_the_line_of_the_script(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("a,b,note\n1,2,xylem\n3,,phloem\n5,6,pith\n7,9,bark\n")
    doors = [
        lambda: datasets.load(path),
        lambda: Timeline("lloyd", path, {"k": 2}),
        lambda: Timeline("lloyd", datasets.recipe(str(path)), {"k": 2}),
        lambda: find("lloyd")(path, k=2),
        lambda: sweep("lloyd", path, over={"seed": range(2)}, k=2, jobs=1),
        lambda: sweep("lloyd", datasets.recipe(str(path)), over={"seed": range(2)}, k=2, jobs=1),
        *(lambda given=given: datasets.load(given, target="") for given in with_holes()),
    ]
    for door in doors:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            door()
        assert any("1 row dropped: row" in str(one.message) for one in caught)
        assert {one.filename for one in caught} == {__file__}
        assert not any("separated" in str(one.message) for one in caught)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        datasets.recipe(str(path)).load()  # as a screen loads it, which shows the notices
        datasets.load(path, columns=("a",), target="")  # nothing is lost that was not said


def test_a_fork_and_a_sweep_take_the_same_data() -> None:
    moved = Timeline("lloyd", ROWS, {"k": 2}).run().fork(2, data=ROWS + 1.0)
    assert moved.data.X[0, 0] == ROWS[0, 0] + 1
    ends = list(sweep("lloyd", ROWS, over={"seed": range(2)}, k=2, jobs=1))
    assert len(ends) == 2


def test_a_sparse_matrix_is_written_out_or_too_large() -> None:
    scipy = pytest.importorskip("scipy.sparse")
    matrix = scipy.random(30, 4, 0.5, random_state=1, format="csr")
    for data in (Dataset(matrix), datasets.load(matrix), Timeline("lloyd", matrix, {"k": 2}).data):
        assert np.array_equal(data.X, matrix.toarray())
    with pytest.raises(Refused, match=r"^the sparse matrix is 1,000,000 x 1,000; 67,108,864 cells at most"):
        datasets.load(scipy.csr_matrix((1_000_000, 1_000)))


def test_what_is_no_table_is_refused_in_a_sentence() -> None:
    for given, words in (
        (5, "shape"),
        ([[1, 2], [3]], "not a table of numbers"),
        (np.zeros((2, 2, 2)), "rows by features"),
        (np.zeros((0, 2)), "nothing in it"),
    ):
        with pytest.raises(Refused, match=words):
            datasets.load(given)
    with pytest.raises(Refused, match="y has 3 values for 12 rows"):
        datasets.load(ROWS, [1, 2, 3])
    with pytest.raises(Refused, match="takes no 'scaled'.*Did you mean scale"):
        datasets.load(ROWS, scaled=True)
    with pytest.raises(Refused, match="has its target with it"):
        datasets.load("iris", KINDS)
