"""VIEW beside a generator, and `Recorder(view=...)`, say how fields are shown where the guess is wrong."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algorithms import Dataset, Recorder, Refused, Timeline, load
from algorithms.core import Bars, Matrix, Path as Line, Points, Table
from algorithms.saving.runlog import LoggedRun
from algorithms.userfile.plain import PlainAlgorithm
from algorithms.userfile.view import View
from tests.userfile.runs import on

FILE = """
import numpy as np

VIEW = {
    "loss": "log", "train test": "together", "fast slow": "together, linear", "tour": "path of cities",
    "grid": "image", "cache": "hide", "lap": "iteration", "val_cost": "apart", "big": "linear",
}


def mine(n=5):
    cities = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 2.0]])
    for t in range(n):
        yield {
            "loss": 2.0 / (t + 1), "train": 1.0, "test": 2.0, "fast": 10.0 ** -t, "slow": 1.0, "lap": 7 + t,
            "tour": np.array([0, 1, 2, 4, 3]), "grid": np.arange(8.0).reshape(4, 2) + t, "cache": np.eye(3),
            "train_cost": 1.0, "val_cost": 2.0, "big": 10.0 ** t,
        }
"""


def shown(run: Timeline) -> dict[str, Any]:
    frame = run.at(run.last)
    return {p.title: p.marks for p in run.algorithm.scene(run.problem, frame.before, frame.state).panels}


def looks(run: Timeline) -> dict[str, tuple[str, bool]]:
    return {curve.name: (curve.group, curve.log) for curve in run.algorithm.curves}


def as_it_is(tmp_path: Path, text: str) -> Timeline:
    (tmp_path / "mine.py").write_text(text)
    return on(Timeline(load(str(tmp_path / "mine.py")), Dataset.none))


def apart(tmp_path: Path, text: str) -> Timeline:
    (tmp_path / "mine.py").write_text(text)
    return on(Timeline(load(str(tmp_path / "mine.py"), apart=True), Dataset.none))


def recorded(tmp_path: Path, text: str) -> Timeline:
    """Of a run in a process of its own."""
    run = apart(tmp_path, text)
    recorder = Recorder.of(tmp_path / "run.log", run.algorithm, run.problem, overwrite=True)
    for t in range(len(run)):
        recorder.keep(run.at(t).before, run.at(t).state, run.kind(t).line)
    recorder.end("it has ended")
    return Timeline(LoggedRun(tmp_path / "run.log"), Dataset.none).run()


def over(tmp_path: Path, text: str) -> Timeline:
    """Of a script that hands its generator to a recorder."""
    made: dict[str, Any] = {}
    exec(text, made)
    list(Recorder(tmp_path / "run.log").over(made["mine"]()))
    return Timeline(LoggedRun(tmp_path / "run.log"), Dataset.none).run()


@pytest.mark.parametrize("way", [as_it_is, apart, recorded, over])
def test_every_field_is_shown_as_it_says(way: Callable[[Path, str], Timeline], tmp_path: Path) -> None:
    run = way(tmp_path, FILE)
    assert looks(run) == {
        "loss": ("loss", True),
        "train": ("train test", False),
        "test": ("train test", False),
        "fast": ("fast slow", False),
        "slow": ("fast slow", False),
        "lap": ("lap", False),
        "train_cost": ("train_cost", False),
        "val_cost": ("val_cost", False),
        "big": ("big", False),
    }
    panels = shown(run)
    line, points = panels["tour of cities"]
    assert isinstance(line, Line)
    assert line.at.tolist() == [[0, 0], [1, 0], [1, 1], [0.5, 2], [0, 1], [0, 0]], "joined, and closed"
    assert isinstance(points, Points)
    assert isinstance(panels["grid"][0], Matrix), "four rows of two would be points"
    assert "cache" not in panels
    assert "cache" not in [name for name, _ in panels["values"][0].rows]
    assert "and 8 more" in run.algorithm.explain(run.problem, None, run.at(1).state)
    assert [run.at(t).state.iteration for t in (1, 5)] == [7, 11]
    assert run.algorithm.notices == []
    assert run.at(1).state.get("cache") is not None  # type: ignore[attr-defined]


def test_a_recorder_is_told_it_where_there_is_no_generator(tmp_path: Path) -> None:
    view = {"spots": "table", "w": "bars", "rounds": "iteration", "row": "image", "v": "line", ("a", "b"): "together"}
    with Recorder(tmp_path / "run.log", view=view) as recorder:  # type: ignore[arg-type]
        for t in range(3):
            recorder.write(
                {
                    "spots": np.eye(4, 2),
                    "w": np.ones(2),
                    "v": np.ones(3),
                    "row": np.ones(9),
                    "rounds": 5 * t,
                    "a": 1.0,
                    "b": 2.0,
                }
            )
    run = Timeline(LoggedRun(tmp_path / "run.log"), Dataset.none).run()
    panels = shown(run)
    kinds = [type(panels[name][0]) for name in ("spots", "w", "v", "row")]
    assert kinds == [Table, Bars, Line, Matrix]
    assert panels["row"][0].values.shape == (3, 3)
    assert run.at(2).state.iteration == 10
    assert looks(run)["a"] == looks(run)["b"] == ("a b", False)


@pytest.mark.parametrize(
    ("view", "sentence"),
    [
        (
            {"loss": "lgo"},
            r"VIEW says 'lgo' of 'loss' \(is 'log' meant\?\); there are log, linear, together, .*path of FIELD",
        ),
        ({"loss": 3}, r"VIEW says '3' of 'loss'; there are log"),
        ({"tour": "path of "}, "VIEW says 'path of' of 'tour'"),
        ({"tour": "way of cities"}, "VIEW says 'way of cities'"),
        ({3: "log"}, "VIEW has the key '3', which is no name of a field"),
        (["loss"], "VIEW is a dict of fields and how they are shown"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_ways_that_there_are(view: Any, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"VIEW = {view!r}\n\n\ndef mine():\n    yield 1.0\n")
    for isolated in (False, True):
        with pytest.raises(Refused, match=sentence):
            load(str(path), apart=isolated)
    with pytest.raises(Refused, match=sentence.replace("VIEW", "the view of a recording")):
        Recorder(tmp_path / "run.log", view=view)
    assert not (tmp_path / "run.log").exists()


@pytest.mark.parametrize(
    ("way", "name", "sentence"),
    [
        (way, name, sentence)
        for name, sentence in (
            ("los", "VIEW names 'los', which is not yielded: 'loss' is"),
            ("loss zebra", "VIEW names 'zebra', which is not yielded; there are loss, late"),
        )
        for way in (as_it_is, apart if name == "los" else recorded)  # a process each, which passes on either sentence
    ],
)
def test_a_name_that_no_field_has_is_told_with_those_that_there_are(
    way: Callable[[Path, str], Timeline], name: str, sentence: str, tmp_path: Path
) -> None:
    view = {name: "together" if " " in name else "log"}
    run = way(
        tmp_path, f"VIEW = {view}\n\n\ndef mine():\n    for t in range(30):\n        yield {{'loss': 1.0, 'late': t}}\n"
    )
    assert run.algorithm.notices == [sentence]


def test_a_recording_whose_view_was_made_to_harm_is_shown_without_it(tmp_path: Path) -> None:
    from algorithms.saving.runlog.logfile import Kind
    from algorithms.saving.runlog.records import Header
    from tests.saving.runlog.tapes import tape

    for view in ({"loss": "eval"}, {str(i): "log" for i in range(10_000)}):
        run = LoggedRun(tape(tmp_path / f"{len(view)}.log", (Kind.HEADER, Header(title="t", name="n", view=view))))
        assert run._view == View()


def test_it_is_known_after_a_pickle(tmp_path: Path) -> None:
    import pickle

    run = as_it_is(tmp_path, FILE)
    again = pickle.loads(pickle.dumps(run.algorithm))
    assert isinstance(again, PlainAlgorithm)
    assert again.view == run.algorithm.view  # type: ignore[attr-defined]
    assert {curve.name: curve.group for curve in again.curves}["train"] == "train test"


def test_groups_and_an_order_over_the_places_of_another_field_and_of_the_rows(tmp_path: Path) -> None:
    text = (
        "import numpy as np\nVIEW = {'codes': 'groups of at', 'turn': 'path of X', 'bad': 'path of at'}\n\n\n"
        "def mine(X):\n    at = np.arange(10.0).reshape(5, 2)\n"
        "    yield {'codes': np.array([0, 0, 1, 1, 1]), 'turn': np.array([0, 2, 1]), 'bad': np.array([1, 9])}\n"
    )
    (tmp_path / "mine.py").write_text(text)
    data = Dataset(np.arange(12.0).reshape(6, 2), name="rows")
    run = on(Timeline(load(str(tmp_path / "mine.py")), data))
    panels = shown(run)
    (points,) = panels["codes of at"]
    assert points.classes.tolist() == [0, 0, 1, 1, 1]
    assert panels["turn of X"][0].at.tolist() == [[0, 1], [4, 5], [2, 3]]
    assert isinstance(panels["bad"][0], Line), "row 9 of five there is not: the numbers themselves are drawn"
    assert run.algorithm.notices == []


def test_the_entries_of_an_array_are_followed_over_the_steps(tmp_path: Path) -> None:
    text = (
        "import numpy as np\nVIEW = {'w': 'curves', 'A': 'curves, log'}\n\n\ndef mine():\n    for t in range(1, 4):\n"
        "        yield {'w': np.arange(2.0) * t, 'A': np.full((2, 2), 1.0), 'v': np.ones(2)}\n"
        "    yield {'w': np.ones(1), 'A': np.ones((5, 5))}\n"
    )
    for way in (as_it_is, recorded):
        run = way(tmp_path, text)
        entries = {"w[0]": ("w", False), "w[1]": ("w", False)}
        assert looks(run) == entries | {f"A[{i},{j}]": ("A", True) for i in (0, 1) for j in (0, 1)}
        assert run.curve("w[1]")[1].tolist() == [1.0, 2.0, 3.0], "the last has no second entry"
        assert "w" in shown(run) or "path of w" in shown(run)
