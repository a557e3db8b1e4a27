"""A plane shows data of any size, and of what a feature map made of it, the features that it was made of."""

from typing import Any

import numpy as np
import pytest

from algorithms import Add, Dataset, Label, Move, Remove, Timeline, datasets, edited, find
from algorithms.core.plane import Plane, features_plane, planes
from algorithms.core.resolve import Faded, History, Levels, ResolvedPanel, Tint, View, resolve
from algorithms.core.scene import (
    Arrow,
    Contours,
    DragHandles,
    Ellipse,
    GhostTrail,
    Hyperplane,
    Labels,
    Mark,
    Panel,
    Path,
    Points,
    Region,
    Segments,
    Trail,
)
from algorithms.playback.pictures import drawing

VIEW = View(-3.0, 3.0, -3.0, 3.0, 6, 8)
XOR = datasets.xor.with_(n=40, map="products").load()
NEAR = datasets.rings.with_(n=60, map="rbf:7", hold_out=0.25).load()


def shown(data: Dataset, *marks: Mark, past: History | None = None) -> ResolvedPanel:
    return resolve(Panel(title="φ", space="data", marks=marks), planes(data)[0], VIEW, past)


def grid() -> Any:
    x, y = np.linspace(-2.5, 2.5, 6), np.linspace(2.625, -2.625, 8)
    return np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1)


def test_without_rows_there_is_one_empty_plane_on_which_nothing_fails() -> None:
    (plane,) = planes(Dataset.none)
    assert plane.whole
    assert plane.project(Dataset.none.X).shape == (0, 2)
    assert plane.lift(np.zeros((5, 2))).shape == (5, 0)
    own = Panel(
        title="f",
        space="own",
        marks=(Path(at=np.eye(2)), Contours(height=lambda at: at[:, :1] ** 2, levels=(1.0,))),
    )
    path, levels = resolve(own, plane, View(-1, 1, -1, 1, 4, 4)).marks
    assert isinstance(path, Path)
    assert np.array_equal(path.at, np.eye(2))
    assert isinstance(levels, Levels)
    assert levels.height.shape == (4, 4)


def test_the_plane_of_mapped_data_is_that_of_the_original_features() -> None:
    (plane,) = planes(XOR)
    assert (plane.across.name, plane.up.name, plane.whole) == ("x1", "x2", True)
    assert np.array_equal(plane.project(XOR.X), XOR.inputs.X)
    at = np.array([[0.5, -2.0]])
    assert np.array_equal(plane.lift(at), [[0.5, -2.0, -1.0]])
    scaled = datasets.iris.with_(scale=True, map="quadratic").load()
    before = datasets.iris.with_(scale=True).load()
    for mapped, plain in zip(planes(scaled), planes(before), strict=True):
        assert (mapped.title, mapped.across.name, mapped.up.unit) == (plain.title, plain.across.name, plain.up.unit)
        assert np.array_equal(mapped.project(scaled.X), plain.project(before.X))
    assert features_plane(scaled, 3, 1).title == "sepal_width_cm against petal_width_cm"


def test_a_score_is_asked_at_what_the_map_makes_of_the_grid() -> None:
    asked: list[Any] = []

    def score(at: Any) -> Any:
        asked.append(at)
        return at[:, 2]

    tint, line = shown(XOR, Region(score=score, check=XOR.X)).marks
    x = grid()
    assert np.allclose(asked[-1].reshape(8, 6, 3), np.concatenate([x, x[..., :1] * x[..., 1:]], axis=-1))
    assert isinstance(line, Levels)
    assert np.allclose(line.height, x[..., 0] * x[..., 1])
    assert isinstance(tint, Tint)
    assert np.array_equal(tint.tones == 1, x[..., 0] * x[..., 1] > 0)


def test_a_hyperplane_is_pulled_back_to_the_curve_it_is() -> None:
    (line,) = shown(XOR, Hyperplane(normal=np.array([1.0, 0.0, 2.0]), offset=-0.5, tone="accent")).marks
    x = grid()
    assert isinstance(line, Levels)
    assert np.allclose(line.height, x[..., 0] + 2 * x[..., 0] * x[..., 1] - 0.5)
    assert (line.levels, line.tone) == ((0.0,), "accent")


@pytest.mark.parametrize("data", [XOR, NEAR], ids=["products", "rbf"])
def test_rows_have_their_place_and_points_that_are_none_are_left_out_and_said(data: Dataset) -> None:
    middle = data.X.mean(axis=0)
    flat = shown(
        data,
        Points(at=data.X, classes=data.y),
        Labels(at=np.stack([data.X[3], middle]), texts=("third", "mean"), tones=(0, 1)),
        Segments(start=data.X[[0]], end=data.X[[1]]),
        Arrow(start=middle, end=data.X[0]),
        DragHandles(at=middle[None], moved=lambda state, i, to: state, names=("mean",)),
        Ellipse(mean=middle, covariance=np.eye(data.d)),
        Trail(where=lambda state: middle[None]),
    )
    points, labels, segments = flat.marks
    assert isinstance(points, Points)
    assert np.array_equal(points.at, data.inputs.X)
    assert isinstance(labels, Labels)
    assert (labels.texts, labels.tones) == (("third",), (0,))
    assert np.array_equal(labels.at, data.inputs.X[[3]])
    assert isinstance(segments, Segments)
    assert np.array_equal(segments.end, data.inputs.X[[1]])
    assert flat.note == "arrows and ellipses of φ left out"


def test_rows_are_shown_all_or_not_at_all_as_far_as_rounding() -> None:
    middle = XOR.X.mean(axis=0)
    (points,) = shown(XOR, Points(at=(XOR.X - middle) + middle)).marks
    assert isinstance(points, Points)
    assert np.array_equal(points.at, XOR.inputs.X)
    moved = XOR.X.copy()
    moved[3] += 0.5
    flat = shown(XOR, Points(at=moved))
    assert flat.marks == (), "else the rows after it would go by the wrong number"
    assert flat.note == "points of φ left out"


def test_rows_held_out_and_copies_of_rows_have_their_place() -> None:
    aside = NEAR.held_out
    assert aside is not None
    (points,) = shown(NEAR, Points(at=aside.X, rows=False)).marks
    assert isinstance(points, Points)
    assert np.array_equal(points.at, aside.inputs.X)
    assert np.array_equal(NEAR.preimages(NEAR.X[::-1].copy()), NEAR.inputs.X[::-1])
    assert np.isnan(NEAR.preimages(NEAR.X[:1] + 1e-9)).all()


def test_boundaries_of_before_are_pulled_back_too() -> None:
    run = Timeline(find("perceptron"), XOR).run()
    frame = run.at(run.last)
    scene = run.algorithm.scene(run.problem_at(frame.t), frame.before, frame.state)
    past = History(recent=run.recent(frame.t, 8))
    flat = resolve(scene.panels[0], planes(XOR)[0], VIEW, past)
    earlier = [mark.mark for mark in flat.marks if isinstance(mark, Faded)]
    assert earlier
    assert all(isinstance(mark, Levels) for mark in earlier), "its boundaries before are curves too"


def test_an_earlier_mark_without_a_place_is_left_out() -> None:
    state: Any = next(iter(find("perceptron")(XOR)))
    ghost = GhostTrail(mark=lambda _: Arrow(start=np.zeros(3), end=np.ones(3)))
    assert shown(XOR, ghost, past=History(recent=(state,))).marks == ()


def test_rows_are_edited_among_the_original_features_and_mapped_again() -> None:
    new = edited(XOR, [Move(3, (0.5, -2.0)), Add((2.0, 3.0), 1.0), Remove(0), Label(0, 1.0)])
    assert new.X[2].tolist() == [0.5, -2.0, -1.0]
    assert new.X[-1].tolist() == [2.0, 3.0, 6.0]
    assert (new.n, new.features, new.map) == (XOR.n, XOR.features, XOR.map)
    assert new.origin is not None
    assert new.origin.parent is XOR
    assert new.origin.rows.tolist() == [*range(1, XOR.n), -1]
    assert new.words == "xor, products map, edited"
    assert edited(NEAR, [Remove(5)]).map is NEAR.map, "its centres stay where they are"
    assert edited(NEAR, [Remove(5)]).held_out is not None


def test_rows_of_before_an_edit_still_have_their_place() -> None:
    new = edited(NEAR, [Move(3, (9.0, 9.0))])
    assert np.array_equal(new.preimages(new.X), new.inputs.X)
    assert np.array_equal(planes(new)[0].project(NEAR.X), NEAR.inputs.X)


@pytest.mark.parametrize("data", [XOR, NEAR], ids=["products", "rbf"])
def test_a_hand_puts_rows_where_they_are_seen(data: Dataset) -> None:
    plane: Plane = planes(data)[0]
    flat = resolve(Panel(title="φ", space="data", marks=(Points(at=data.X, classes=data.y),)), plane, VIEW)
    at = np.array([0.25, 1.5])
    assert drawing.added(flat, plane, data, at, 1.0) == Add((0.25, 1.5), 1.0)
    (move,) = drawing.carried(flat, plane, data, 4, at)
    moved = edited(data, [move])
    assert moved.inputs.X[4] == pytest.approx(at)
    assert np.array_equal(moved.X[4], plane.lift(moved.inputs.X[4:5])[0])


def test_names_of_rows_follow_edits() -> None:
    data = Dataset([[0.0], [1.0], [2.0]], names=("Ann", "Bob", "Cy"))
    new = edited(data, [Remove(0), Add((4.0,))])
    assert new.names == ("Bob", "Cy", "")
    assert [new.row(i) for i in range(3)] == ["Bob", "Cy", "x1 4"]
