"""What a generator of another yields is understood without a word: its kinds of values, and what belongs together."""

import datetime
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from algorithms import Dataset, Timeline
from algorithms.core import Bars, Labels, Matrix, Path as Line, Points, Table
from algorithms.userfile.in_process import plain_algorithm

ROWS = Dataset(np.arange(12.0).reshape(6, 2) ** 1.5, name="rows")


def run_of(*yielded: Any, data: Dataset = Dataset.none) -> Timeline:
    def mine() -> Iterator[Any]:
        yield from yielded

    return Timeline(plain_algorithm(mine), data, {}).run()


def fields(yielded: Any) -> dict[str, Any]:
    return dict(run_of(yielded).at(1).state.fields)  # type: ignore[attr-defined]


def shown(run: Timeline) -> dict[str, Any]:
    frame = run.at(run.last)
    return {p.title: p.marks for p in run.algorithm.scene(run.problem, frame.before, frame.state).panels}


def charts(run: Timeline) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for curve in run.algorithm.curves:
        found.setdefault(curve.group, []).append(curve.name)
    return found


class Tensor:
    """As torch's: it gives its numbers only without a gradient, and in the memory of this machine."""

    def __init__(self, values: Any, grad: bool = True, far: bool = True):
        self.values, self.grad, self.far = np.asarray(values), grad, far

    def detach(self) -> "Tensor":
        return Tensor(self.values, False, self.far)

    def cpu(self) -> "Tensor":
        return Tensor(self.values, self.grad, False)

    def numpy(self) -> Any:
        if self.grad or self.far:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        return self.values

    def __array__(self, dtype: Any = None) -> Any:
        return self.numpy()


class Sparse:
    """As scipy's: it has no __array__ that is of use."""

    def __init__(self, values: Any):
        self.values = np.asarray(values)
        self.shape = self.values.shape

    def toarray(self) -> Any:
        return self.values


class Series:
    """As pandas': values under names."""

    def __init__(self, values: Any, index: Any):
        self.values, self.index = np.asarray(values), index

    def __array__(self, dtype: Any = None) -> Any:
        return self.values


class Frame:
    """As pandas': columns under names."""

    def __init__(self, columns: dict[str, Any]):
        self.columns, self._held = list(columns), columns
        self.index = range(len(next(iter(columns.values()))))

    def __getitem__(self, name: str) -> Series:
        return Series(self._held[name], self.index)

    def __array__(self, dtype: Any = None) -> Any:
        return np.stack([np.asarray(column) for column in self._held.values()], axis=1)


class Model:
    """As an estimator: what it learned is in its attributes."""

    def __init__(self) -> None:
        self.coef_, self.n_iter_, self._cache = np.ones((1, 3)), 4, np.zeros(9)

    def fit(self) -> None: ...


def test_tensors_that_need_a_gradient_and_lie_elsewhere_are_arrays_and_numbers() -> None:
    found = fields({"w": Tensor([1.0, 2.0]), "loss": Tensor(0.5), "steps": Tensor(3)})
    assert found["w"].tolist() == [1.0, 2.0]
    assert (found["loss"], found["steps"]) == (0.5, 3)
    assert type(found["steps"]) is int


def test_complex_numbers_are_two_parts_in_one_chart() -> None:
    run = run_of(*({"z": complex(t, -t), "roots": np.array([1 + 2j, 3.0])} for t in range(3)))
    assert charts(run) == {"z": ["z.real", "z.imag"]}
    assert run.curve("z.imag")[1].tolist() == [0.0, -1.0, -2.0]
    assert run.at(1).state.get("roots.imag").tolist() == [2.0, 0.0]  # type: ignore[attr-defined]


def test_sparse_and_masked_arrays_have_their_numbers_and_no_others() -> None:
    masked = np.ma.masked_array([1.0, -999.0, 3.0], [False, True, False])
    found = fields({"A": Sparse(np.eye(3)), "m": masked, "ints": np.ma.masked_array([1, 2], [False, False])})
    assert found["A"].tolist() == np.eye(3).tolist()
    assert np.array_equal(found["m"], [1.0, np.nan, 3.0], equal_nan=True)
    assert found["ints"].tolist() == [1, 2]


def test_a_sparse_matrix_that_would_fill_the_memory_is_told_by_its_size() -> None:
    large = Sparse(np.eye(2))
    large.shape = (10**6, 10**6)
    assert fields({"A": large, "x": 1.0})["A"] == "1000000×1000000, sparse: too large to be kept"


def test_a_series_and_a_table_keep_their_names() -> None:
    run = run_of({"rank": Series([0.5, 0.25, 0.25], ["a", "b", "c"]), "t": Frame({"x": [1.0, 2.0], "y": [3.0, 4.0]})})
    found = dict(run.at(1).state.fields)  # type: ignore[attr-defined]
    assert (found["rank.a"], found["rank.c"]) == (0.5, 0.25)
    assert found["t.y"].tolist() == [3.0, 4.0]
    (bars,) = shown(run)["rank"]
    assert isinstance(bars, Bars)
    assert bars.names == ("a", "b", "c")
    assert charts(run) == {"rank": ["rank.a", "rank.b", "rank.c"]}
    assert fields({"s": Series([1.0, 2.0], range(2))})["s"].tolist() == [1.0, 2.0]


def test_dates_and_exact_numbers_are_read() -> None:
    day = datetime.date(2024, 2, 29)
    days = np.array(["2024-01-01", "2024-01-03"], "datetime64[D]")
    found = fields({"day": day, "days": days, "took": datetime.timedelta(minutes=1), "price": Decimal("0.25")})
    assert found["day"] == "2024-02-29"
    assert found["days"] == "2 dates, 2024-01-01 to 2024-01-03"
    assert (found["took"], found["price"]) == (60.0, 0.25)


def test_an_estimator_is_what_it_learned() -> None:
    found = fields(Model())
    assert list(found) == ["coef_", "n_iter_"]
    assert found["coef_"].shape == (1, 3)


def test_what_another_library_raises_is_a_text() -> None:
    class Bad(Tensor):
        def detach(self) -> "Tensor":
            raise MemoryError("CUDA out of memory")

    class Worse:
        @property
        def columns(self) -> Any:
            raise ValueError("no columns")

    found = fields({"w": Bad([1.0]), "x": Worse()})
    assert isinstance(found["w"], str)
    assert isinstance(found["x"], str)


def test_a_state_that_is_yielded_by_a_name_of_its_own_leaves_its_fields_theirs() -> None:
    def mine() -> Iterator[Any]:
        state: dict[str, Any] = {}
        for t in range(2):
            state = {"mu": np.zeros(3) + t, "loss": 1.0}
            yield state
        ranks = {"a": 0.5, "b": 0.5}
        yield ranks

    run = Timeline(plain_algorithm(mine), Dataset.none, {}).run()
    names = [[name for name, _ in run.at(t).state.fields] for t in (1, 3)]  # type: ignore[attr-defined]
    assert names == [["mu", "loss"], ["ranks.a", "ranks.b"]]


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (("loss", "val_loss"), {"loss": ["loss", "val_loss"]}),
        (("trainLoss", "testLoss", "lr"), {"loss": ["trainLoss", "testLoss"], "lr": ["lr"]}),
        (("train", "test"), {"train and test": ["train", "test"]}),
        (("train_score", "score_time"), {"train_score": ["train_score"], "score_time": ["score_time"]}),
        (("w1", "w2"), {"w1": ["w1"], "w2": ["w2"]}),
        (("a.loss", "a.lr"), {"a.loss": ["a.loss"], "a.lr": ["a.lr"]}),
        (("a.x", "a.y", "b"), {"a": ["a.x", "a.y"], "b": ["b"]}),
    ],
)
def test_numbers_of_like_meaning_share_a_chart(names: tuple[str, ...], groups: dict[str, list[str]]) -> None:
    assert charts(run_of(dict.fromkeys(names, 1.0))) == groups


def test_a_number_that_comes_later_joins_the_chart_of_its_like() -> None:
    run = run_of({"loss": 2.0}, {"loss": 1.0}, {"loss": 1.0, "val_loss": 3.0})
    assert charts(run) == {"loss": ["loss", "val_loss"]}
    assert run.curve("val_loss")[1].tolist() == [3.0]


def test_counters_come_last_and_set_the_iteration() -> None:
    run = run_of(*({"i": i, "epoch": i // 2, "w": 0.5, "k": 3} for i in range(4)))
    assert list(charts(run)) == ["w", "k", "i", "epoch"]
    assert [run.at(t).state.iteration for t in range(5)] == [0, 0, 0, 1, 1]
    assert next(iter(shown(run))) == "w", "not the counter, which is yielded first"
    assert run.algorithm.explain(run.problem, None, run.at(1).state).startswith("It yielded w 0.5, k 3, i 0")


def test_four_decades_have_a_logarithmic_axis_and_what_is_negative_has_none() -> None:
    def log(*values: Any) -> bool:
        return run_of(*({"x": value} for value in values)).algorithm.curves[0].log

    assert log(1.0, 0.5, 1e-4)
    assert log(1.0, 1e-9, 0.0)
    assert not log(1.0, 0.5, 1e-3)
    assert not log(1e6, 1.0, -1.0)
    assert not log(-1.0, 1e6, 1.0)
    assert not log(1, 10, 100_000)
    assert not log(np.nan, 1.0, np.inf)


def test_a_chart_has_one_scale() -> None:
    run = run_of({"loss": 1.0, "val_loss": 2.0}, {"loss": 1e-5, "val_loss": 2.0})
    assert [curve.log for curve in run.algorithm.curves] == [True, True]


def test_a_tour_is_joined_and_closed_and_another_order_stands_over_its_places() -> None:
    at = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    panels = shown(run_of({"cities": at, "best_tour": np.array([0, 2, 1, 3])}))
    line, points = panels["best_tour of cities"]
    assert isinstance(line, Line)
    assert line.at.tolist() == at[[0, 2, 1, 3, 0]].tolist()
    assert isinstance(points, Points)
    assert "cities" not in panels
    panels = shown(run_of({"at": at, "rank": np.array([3, 1, 2, 0])}))
    labels = next(mark for mark in panels["rank of at"] if isinstance(mark, Labels))
    assert labels.at.tolist() == at[[3, 1, 2, 0]].tolist()
    assert labels.texts == ("0", "1", "2", "3")


def test_shares_colour_the_rows_and_proportions_are_bars() -> None:
    shares = np.tile([0.25, 0.75], (6, 1))
    run = run_of({"resp": shares, "mu": ROWS.X[:2], "pi": np.array([0.25, 0.75])}, data=ROWS)
    points, *others = shown(run)["the data"]
    assert points.shares.tolist() == shares.tolist()
    assert [type(mark) for mark in others if isinstance(mark, Labels)] == [Labels]
    assert isinstance(shown(run)["pi"][0], Bars)
    assert "resp" not in shown(run)


@pytest.mark.parametrize(
    ("name", "value", "among"),
    [
        ("centres", np.full((3, 2), 1e6), True),
        ("at", np.full((3, 2), 5.0), True),
        ("at", np.full((3, 2), 1e6), False),
        ("coef_", np.full((3, 2), 5.0), False),
        ("weights", np.full((3, 2), 5.0), False),
        ("S", np.array([[2.0, 1.0], [1.0, 2.0]]), False),
    ],
)
def test_coefficients_and_covariances_are_no_places_among_the_rows(name: str, value: Any, among: bool) -> None:
    panels = shown(run_of({name: value}, data=ROWS))
    assert (name not in panels) is among


def test_a_covariance_is_a_matrix_and_walkers_are_points() -> None:
    panels = shown(run_of({"P": np.eye(2), "walkers": np.ones((24, 3)), "H": np.ones((24, 3)), "x": np.ones((5, 2))}))
    kinds = {title: type(marks[0]) for title, marks in panels.items() if title in "P walkers H x"}
    assert kinds["P"] is kinds["H"] is Matrix
    assert kinds["walkers"] is Points
    assert kinds["x"] is not Matrix


def test_the_stage_shows_what_is_yielded_first_and_data_where_something_lies_among_them() -> None:
    first = next(iter(shown(run_of({"loss": 1.0, "w": np.ones(2)}, data=ROWS))))
    assert first == "path of w"
    assert next(iter(shown(run_of({"w": np.ones(3), "labels": np.zeros(6, int)}, data=ROWS)))) == "the data"
    assert "the data" in shown(run_of({"loss": 1.0}, data=ROWS))
    run = run_of({"loss": 1.0}, data=ROWS)
    start = run.algorithm.scene(run.problem, None, run.at(0).state)
    assert start.panels[0].title == "the data", "nothing is yielded yet"


def test_a_long_array_is_told_by_its_extremes_and_by_how_much_changed() -> None:
    one = np.arange(100.0)
    run = run_of(
        {"w": one, "g": one > 50, "s": np.ones(3)}, {"w": np.where(one == 7, -1.0, one), "g": one > 50, "s": np.ones(3)}
    )
    (table,) = shown(run)["values"]
    assert isinstance(table, Table)
    assert dict(table.rows) == {
        "w": "100 float64, -1 to 99, 1 changed",
        "g": "100 bool, 49 true",
        "s": "[1 1 1]",
    }
    assert table.marked == (0,)


def test_a_dict_of_many_numbers_is_bars_and_no_crowd_of_curves() -> None:
    run = run_of({"rank": {f"n{i}": i / 9 for i in range(20)}, "err": 1.0})
    assert list(charts(run)) == ["err"]
    assert shown(run)["rank"][0].heights.shape == (20,)


def test_a_complex_vector_lies_in_the_plane() -> None:
    run = run_of(*({"roots": np.array([1j, 2.0, -1.0]) * t} for t in (1, 2)))
    panels = shown(run)
    trail, labels = panels["roots"]
    assert labels.at.tolist() == [[0.0, 2.0], [4.0, 0.0], [-2.0, 0.0]]
    assert trail.where(run.at(1).state).tolist() == [[0.0, 1.0], [2.0, 0.0], [-1.0, 0.0]]
    assert "roots.imag" not in panels


def test_a_dict_of_unlike_numbers_is_no_vector() -> None:
    run = run_of({"stump": {"feature": 3, "threshold": 0.5}, "loss": 1.0})
    assert charts(run) == {"stump.feature": ["stump.feature"], "stump.threshold": ["stump.threshold"], "loss": ["loss"]}


def test_what_is_computed_in_the_yield_has_the_name_of_what_computes_it() -> None:
    def mine() -> Iterator[Any]:
        a, b = np.ones(3), np.zeros(3)
        yield a, np.linalg.norm(a - 2.0 * b + 1.0), float(np.abs(a - 2.0 * b).max())
        yield a, np.linalg.norm(a - 2.0 * b), np.linalg.norm(a + 2.0 * b)

    run = Timeline(plain_algorithm(mine), Dataset.none, {}).run()
    names = [[name for name, _ in run.at(t).state.fields] for t in (1, 2)]  # type: ignore[attr-defined]
    assert names == [["a", "norm", "max"], ["a", "value 1", "value 2"]]


def test_of_a_place_that_becomes_nan_there_is_where_it_was() -> None:
    run = run_of({"w": np.array([1.0, 2.0])}, {"w": np.array([np.nan, 2.0])})
    (trail,) = shown(run)["path of w"]
    assert trail.where(run.at(1).state).tolist() == [[1.0, 2.0]]
