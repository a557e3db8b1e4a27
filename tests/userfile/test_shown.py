"""What a plain generator yields is shown by what it is."""

from collections import namedtuple
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import Struct

from algorithms import Dataset, Refused, Timeline, load
from algorithms.core import Bars, Labels, Matrix, Path as Line, Points, Table, Trail
from algorithms.userfile import running_algorithm
from algorithms.userfile.in_process import plain_algorithm
from algorithms.userfile.signature import takes

ROWS = Dataset(np.arange(12.0).reshape(6, 2) ** 1.5, [0, 0, 1, 1, 2, 2], name="rows")


def run_of(function: Callable[..., Any], **parameters: Any) -> Timeline:
    return Timeline(plain_algorithm(function), ROWS, parameters).run()


def panels(run: Timeline, t: int = -1) -> dict[str, list[type]]:
    frame = run.at(t if t >= 0 else run.last)
    scene = run.algorithm.scene(run.problem, frame.before, frame.state)
    return {panel.title: [type(mark) for mark in panel.marks] for panel in scene.panels}


def marks(run: Timeline, title: str) -> list[Any]:
    frame = run.at(run.last)
    scene = run.algorithm.scene(run.problem, frame.before, frame.state)
    return list(next(panel.marks for panel in scene.panels if panel.title == title))


@dataclass
class Data:
    loss: float
    w: Any


Named = namedtuple("Named", "loss w")


class Packed(Struct):
    loss: float
    w: Any


@pytest.mark.parametrize(
    "make", [lambda **v: v, Data, Named, Packed], ids=["dict", "dataclass", "namedtuple", "struct"]
)
def test_what_has_named_parts_is_shown_by_their_names(make: Callable[..., Any]) -> None:
    def mine() -> Iterator[Any]:
        yield make(loss=2.0, w=np.array([1.0, 2.0, 3.0]))
        yield make(loss=1.0, w=np.array([1.0, 2.5, 3.0]))

    run = run_of(mine)
    assert run.curve("loss")[1].tolist() == [2.0, 1.0]
    assert Bars in panels(run)["w"]
    assert run.at(1).state.get("w").tolist() == [1.0, 2.0, 3.0]


def test_a_bare_number_and_a_tuple_have_the_names_that_the_yield_gives_them() -> None:
    def numbers() -> Iterator[Any]:
        loss = 3.0
        while loss > 1:
            yield loss
            loss -= 1

    def pairs() -> Iterator[Any]:
        for step in range(3):
            size = 1 / (1 + step)
            yield step, size

    assert run_of(numbers).curve("loss")[1].tolist() == [3.0, 2.0]
    assert run_of(pairs).curve("size")[1].tolist() == [1.0, 0.5, 1 / 3]


def test_arrays_are_shown_by_their_shape() -> None:
    def mine() -> Iterator[Any]:
        yield {
            "image": np.eye(4, 5),
            "path": np.arange(100.0),
            "spots": np.arange(60.0).reshape(30, 2),
            "place": np.array([1.0, 2.0]),
            "words": "hello",
            "none": None,
            "empty": np.empty(0),
            "many": np.zeros((2, 3, 4)),
        }

    run = Timeline(plain_algorithm(mine), plain_algorithm(mine).datasets[0]).run()
    shown = panels(run)
    assert shown["image"] == [Matrix]
    assert shown["path"] == [Line]
    assert shown["spots"] == [Points]
    assert shown["path of place"] == [Trail, Labels]
    assert shown["many"] == [Matrix]
    table = marks(run, "values")[0]
    assert isinstance(table, Table)
    assert ("words", "'hello'") in table.rows


def test_labels_are_groups_of_the_rows_and_places_lie_among_them() -> None:
    def mine(X: Any) -> Iterator[Any]:
        labels, centres = np.array([0, 0, 0, 1, 1, 1]), X[:2]
        yield labels, centres

    run = run_of(mine)
    rows, *others = marks(run, "the data")
    assert rows.classes.tolist() == [0, 0, 0, 1, 1, 1]
    assert [type(mark) for mark in others] == [Trail, Labels]
    assert others[1].texts == ("centres 0", "centres 1")


def test_the_local_variables_and_the_line_are_shown() -> None:
    def mine() -> Iterator[Any]:
        secret = "seen"
        yield 1.0
        secret = "changed"
        yield len(secret)

    run = run_of(mine)
    first = run.algorithm.source[1]
    assert [run.at(t).line - first for t in (1, 2)] == [2, 4]
    assert ("secret", "'changed'") in marks(run, "locals")[0].rows


def test_a_whole_number_beyond_every_float_is_told_by_its_size() -> None:
    def mine() -> Iterator[dict[str, int]]:
        yield {"large": 10**400, "less": 2**70}

    run = run_of(mine)
    assert run.stopped is not None
    assert not run.stopped.failed
    fields = dict(run.at(1).state.fields)
    assert fields["large"] == "a whole number of 1,329 bits"
    assert fields["less"] == 2.0**70


def test_a_repr_that_raises_does_no_harm() -> None:
    class Bad:
        def __repr__(self) -> str:
            raise OSError

    def mine() -> Iterator[Any]:
        bad = Bad()
        yield bad

    assert "Bad" in str(run_of(mine).at(1).state.fields)


def test_arguments_are_parameters_with_the_types_of_annotations_and_defaults() -> None:
    def mine(X: Any, y: Any, k: int, eta: float = 1, way: str = "up", own: Any = None, deep: bool = False) -> None: ...

    found = takes(mine)
    assert found.data == "rows and target"
    assert {a.name: a.type for a in found.parameters} == {"k": int, "eta": float, "way": str, "deep": bool}
    assert takes(lambda k=3: None).data == "nothing"
    assert takes(lambda data: None).data == "dataset"


def test_values_that_are_typed_become_numbers_and_wrong_ones_are_refused() -> None:
    def mine(X: Any, k: int, eta: float = 0.5) -> Iterator[Any]:
        yield k * eta

    assert run_of(mine, k="4", eta="0.25").curve("k * eta")[1].tolist() == [1.0]
    with pytest.raises(Refused, match="no default for k"):
        run_of(mine)
    with pytest.raises(Refused, match="eta"):
        run_of(mine, k=1, eta="fast")
    with pytest.raises(Refused, match="there is no parameter 'speed'"):
        run_of(mine, k=1, speed=1)


def test_the_same_object_changed_in_place_is_noticed_and_every_state_stays_as_it_was() -> None:
    def mine() -> Iterator[Any]:
        w = np.zeros(3)
        for i in range(3):
            w[i] = 1.0
            yield w

    run = run_of(mine)
    assert [run.at(t).state.get("w").sum() for t in (1, 2, 3)] == [1.0, 2.0, 3.0]
    assert run.algorithm.notices == [
        "w was changed in place since it was last yielded: what is shown is a copy of each time"
    ]
    assert "changed in place" in run.algorithm.explain(run.problem, run.at(2).state, run.at(3).state)


def test_what_does_not_change_is_not_complained_of() -> None:
    def mine() -> Iterator[Any]:
        w = np.zeros(3)
        yield w
        yield w

    assert run_of(mine).algorithm.notices == []


def test_it_cannot_resume_and_says_how_far_back_one_can_go() -> None:
    def mine() -> Iterator[Any]:
        for i in range(400):
            yield np.full(500, float(i))

    run = Timeline(plain_algorithm(mine), ROWS, budget=1 << 20).run()
    assert not run.resumes
    assert run.stride > 1
    kept = run.at(run.stride * 3)
    assert kept.t == run.stride * 3
    assert kept.state.fields[0][1][0] == kept.t - 1
    assert run.at(kept.t + 1).t == kept.t
    with pytest.raises(Refused, match="cannot be taken up again"):
        run.fork(10)


def test_a_live_generator_brings_its_data_and_runs_once() -> None:
    def mine(X: Any, eta: float) -> Iterator[Any]:
        yield X.mean(axis=0) * eta

    live = running_algorithm(mine(ROWS.X, 1.0))
    assert live.datasets[0].load().n == ROWS.n
    run = Timeline(live, live.datasets[0]).run()
    assert run.last == 1
    with pytest.raises(Refused, match="cannot be started over"):
        Timeline(live, live.datasets[0])
    with pytest.raises(Refused, match="takes a generator"):
        running_algorithm([1, 2])  # type: ignore[arg-type]


FILE = "def mine(n=3):\n    for i in range(n):\n        yield i\n"


def test_a_file_and_a_name_in_it_and_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "my file.py"
    path.write_text(FILE + "\n\ndef other():\n    yield 'a'\n")
    assert load(f"{path}:other").name == "other"
    with pytest.raises(Refused, match="several generator functions.*:mine or :other"):
        load(str(path))
    assert load("demos.running_mean:ALGORITHM").title == "Running mean"
    assert load("demos/running_mean.py").title == "Running mean"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def mine(:\n    yield 1\n", "line 1"),
        ("x = 1\n\ny = x / 0\n", "line 3: ZeroDivisionError"),
        ("import no_such_module\n", "line 1: ModuleNotFoundError"),
        ("def mine():\n    return 1\n", "holds no generator function"),
        ("raise SystemExit(3)\n", "line 1: SystemExit"),
        ("", "holds no generator function"),
    ],
)
@pytest.mark.parametrize("apart", [False, True])
def test_what_cannot_be_watched_is_said_in_one_sentence(text: str, said: str, apart: bool, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(Refused) as refusal:
        load(str(path), apart)
    assert said in str(refusal.value)
    assert "mine.py" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_many_large_arrays_together_are_not_kept() -> None:
    def mine() -> Iterator[Any]:
        yield {str(i): np.zeros(1 << 20) for i in range(12)}

    kept = [isinstance(value, np.ndarray) for _, value in run_of(mine).at(1).state.fields]
    assert kept == [True] * 4 + [False] * 8


def test_what_is_no_number_is_handed_over_as_it_is_and_not_as_0() -> None:
    def blown_up(data: Dataset) -> Iterator[dict[str, Any]]:
        values = np.array([1.0, np.nan, -np.inf])
        yield {"bars": values, "image": np.stack([values] * 3), "long": np.tile(values, 40)}

    run = run_of(blown_up)
    (bars,) = marks(run, "bars")
    assert isinstance(bars, Bars)
    assert np.array_equal(bars.heights, [1.0, np.nan, -np.inf], equal_nan=True)
    (image,) = marks(run, "image")
    assert isinstance(image, Matrix)
    assert np.isnan(image.values).any()
    assert np.isneginf(image.values).any()
    assert not image.signed  # nothing finite is below 0
    (line,) = marks(run, "long")
    assert isinstance(line, Line)
    assert np.array_equal(line.at[:3, 1], [1.0, np.nan, np.nan], equal_nan=True)


def test_a_centre_that_is_no_number_leaves_the_others_their_names_and_colours() -> None:
    def lost(data: Dataset) -> Iterator[dict[str, Any]]:
        yield {"labels": np.array([0, 0, 1, 1, 1, 1]), "centres": np.array([[np.nan, 1.0], [2.0, 3.0], [4.0, 5.0]])}

    labels = next(mark for mark in marks(run_of(lost), "the data") if isinstance(mark, Labels))
    assert labels.at.tolist() == [[2.0, 3.0], [4.0, 5.0]]
    assert labels.texts == ("centres 1", "centres 2")
    assert labels.tones == (1, 2)
