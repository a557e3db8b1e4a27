"""Runs on mapped data are looked at, edited, kept, recorded, exported and compared as any other."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from algorithms import (
    Add,
    Branches,
    Change,
    Dataset,
    Move,
    Opening,
    Recipe,
    Refused,
    Timeline,
    datasets,
    edited,
    export_numbers,
    find,
    load,
)
from algorithms.core.resolve import Levels, Tint
from algorithms.core.scene import Points
from algorithms.data.maps import fitted
from algorithms.playback.comparison.compared_run import kindred, viewers
from algorithms.playback.pictures.viewer import Picture, Viewer
from algorithms.saving.runlog import LoggedRun
from algorithms.saving.runlog.logfile import Damaged
from algorithms.saving.runlog.pack import Raw
from algorithms.saving.runlog.records import BumpsRecord, MonomialsRecord, RowsRecord
from algorithms.saving.session import session_of
from tests.saving.runlog.recording import record
from tests.saving.session.kept import changed, kept, refusal

XOR = datasets.xor.with_(n=40, map="products")
RBF = datasets.rings.with_(n=60, map="rbf:9", hold_out=0.25, scale=True)


def run(recipe: Recipe, name: str = "perceptron", **parameters: Any) -> Timeline:
    return Timeline(find(name), recipe, parameters).run()


def last(timeline: Timeline) -> Picture:
    picture = Viewer(timeline).picture(timeline.at(timeline.last), 60, 20)
    assert not picture.trouble
    return picture


def rows_of(picture: Picture) -> Any:
    return next(mark.at for mark in picture.stage.marks if isinstance(mark, Points) and mark.rows)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("perceptron", {}), ("smo", {"kernel": "linear"}), ("adaboost", {"rounds": 5}), ("decision_tree", {})],
    ids=lambda part: part if isinstance(part, str) else "",
)
@pytest.mark.parametrize("recipe", [XOR, RBF], ids=["xor", "rbf"])
def test_the_stage_is_the_plane_of_the_original_features(recipe: Recipe, name: str, parameters: dict[str, Any]) -> None:
    timeline = run(recipe, name, **parameters)
    picture = last(timeline)
    assert (picture.stage.across.name, picture.stage.up.name) == ("x1", "x2")
    assert np.array_equal(rows_of(picture), timeline.data.inputs.X)
    (tint,) = (mark for mark in picture.stage.marks if isinstance(mark, Tint))
    assert any(isinstance(mark, Levels) for mark in picture.stage.marks)
    limits = picture.limits[picture.stage.title]
    rows, columns = tint.tones.shape
    at = timeline.data.inputs.X
    column = ((at[:, 0] - limits.left) / (limits.right - limits.left) * columns).astype(int)
    row = ((limits.top - at[:, 1]) / (limits.top - limits.bottom) * rows).astype(int)
    agrees = float((tint.tones[row, column] == timeline.data.y).mean())
    assert agrees > 0.85, "the tint about a row is mostly that of its class"


def test_smo_with_a_linear_kernel_separates_what_the_map_made_straight() -> None:
    for recipe in (XOR, datasets.circle.with_(map="quadratic", scale=True)):
        timeline = run(recipe, "smo", kernel="linear", C=100.0)
        assert timeline.stopped is not None
        assert not timeline.stopped.failed
        curves = {curve.name: curve for curve in timeline.algorithm.curves}
        error = curves["training error"].measure(timeline.problem, timeline.at(timeline.last).state)
        assert error == 0.0


def test_the_null_space_stands_beside_the_stage() -> None:
    beside = dict(last(run(datasets.circle.with_(inside=0, map="quadratic"), "pca")).beside)
    table = beside["Φu = 0, rank 5 of 6"]
    assert table.rows[0][1] == pytest.approx(-4.0)
    assert not any(title.startswith("Φu") for title in dict(last(run(datasets.circle)).beside))


@pytest.mark.parametrize("recipe", [XOR, RBF], ids=["xor", "rbf"])
def test_a_session_keeps_the_map_and_edits_of_the_original_features(recipe: Recipe, tmp_path: Path) -> None:
    tree = Branches(run(recipe))
    fork = tree.fork(tree.root, 9, Change(edits=(Move(3, (0.5, -2.0)), Add((1.0, 1.5), 1.0))))
    fork.timeline.advance(20)
    data = fork.timeline.data
    path = tmp_path / "xor.json"
    kept(tree, path, recipe)
    assert json.loads(path.read_text())["data"]["recipe"]["map"] == recipe.map
    opening = Opening(path)
    opening.work()
    assert opening.differences == []
    again = opening.branches.all[1].timeline.data
    assert np.array_equal(again.X, data.X)
    assert np.array_equal(again.inputs.X[-1], [1.0, 1.5])
    assert np.array_equal(rows_of(last(opening.branches.all[1].timeline)), data.inputs.X)


def test_a_session_of_before_there_were_maps_has_none(tmp_path: Path) -> None:
    plain = datasets.xor.with_(n=40)
    path = tmp_path / "xor.json"
    kept(Branches(run(plain, epochs=3)), path, plain)
    assert "map" not in json.loads(path.read_text())["data"]["recipe"]
    opening = Opening(path)
    opening.work()
    assert opening.source == plain


def test_a_map_that_is_none_is_refused_in_a_session(tmp_path: Path) -> None:
    path = tmp_path / "xor.json"
    kept(Branches(run(XOR)), path, XOR)
    changed(path, lambda plain: plain["data"]["recipe"].update(map="cube"))
    assert "there is no feature map 'cube'" in refusal(path)


def test_what_a_script_has_mapped_is_refused_in_words(tmp_path: Path) -> None:
    inputs = Dataset(np.random.default_rng(0).standard_normal((20, 2)), np.arange(20) % 2)
    data = inputs.mapped(fitted("quadratic", inputs, 0))
    tree = Branches(Timeline(find("perceptron"), data))
    with pytest.raises(Refused, match="was mapped by a script"):
        session_of(tree, None, tmp_path / "a.json")


@pytest.mark.parametrize(
    "data",
    [XOR.load(), RBF.load(), edited(RBF.load(), [Move(3, (0.5, -2.0))])],
    ids=["products", "rbf", "edited"],
)
def test_a_recording_shows_the_original_features_too(data: Dataset, tmp_path: Path) -> None:
    record(tmp_path / "run.log", find("perceptron"), data, {}, 30)
    recorded = LoggedRun(tmp_path / "run.log")
    timeline = Timeline(recorded, recorded.datasets[0]).run()
    read = timeline.data
    assert np.array_equal(read.X, data.X), "with the centres as they were, not as the edited rows would have them"
    assert np.array_equal(read.inputs.X, data.inputs.X)
    assert np.array_equal(read.inputs.original(read.inputs.X), data.inputs.original(data.inputs.X))
    assert read.features == data.features
    assert (read.held_out is None) == (data.held_out is None)
    assert read.held_out is None or np.array_equal(read.held_out.X, data.held_out.X)  # type: ignore[union-attr]
    assert np.array_equal(rows_of(last(timeline)), data.inputs.X)


@pytest.mark.parametrize(
    "by",
    [
        MonomialsRecord("odd", ((0,), (7,))),
        MonomialsRecord("odd", ((-1,),)),
        MonomialsRecord("none", ()),
        BumpsRecord("flat", Raw.of(np.zeros((3, 5))), 1.0),
        BumpsRecord("narrow", Raw.of(np.zeros((3, 2))), 0.0),
        BumpsRecord("none", Raw.of(np.zeros((0, 2))), 1.0),
    ],
    ids=lambda by: by.title,
)
def test_a_recorded_map_that_is_none_is_damage(by: Any) -> None:
    with pytest.raises(Damaged, match="feature map"):
        replace(RowsRecord.of(XOR.load()), truth={}, map=by).dataset()


def test_a_file_of_ones_own_learns_on_the_mapped_features(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("def mine(X, y):\n    for x in X[:5]:\n        yield {'place': X[:2], 'd': len(x)}\n")
    algorithm = load(str(mine))
    timeline = Timeline(algorithm, XOR).run()
    assert timeline.at(1).state.get("d") == 3
    picture = last(timeline)
    assert np.array_equal(rows_of(picture), timeline.data.inputs.X)
    assert "of φ left out" not in picture.stage.note, "these places are those of rows"


def test_numbers_are_exported(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    export_numbers(path, run(XOR))
    assert len(path.read_text().splitlines()) > 40


def test_with_and_without_the_map_are_looked_at_on_one_plane() -> None:
    plain, mapped = run(datasets.xor.with_(n=40), epochs=2), run(XOR)
    assert kindred(plain.data, mapped.data)
    left, right = viewers([plain, mapped])
    assert left.slices is right.slices
    pictures = [v.picture(v.timeline.at(v.timeline.last), 60, 20) for v in (left, right)]
    assert not any(picture.trouble for picture in pictures)
    assert pictures[0].limits[pictures[0].stage.title] == pictures[1].limits[pictures[1].stage.title]
    assert np.array_equal(rows_of(pictures[1]), plain.data.X)
