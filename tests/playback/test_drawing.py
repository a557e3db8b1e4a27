"""What a hand does on a panel becomes edits that put rows where they were meant."""

from typing import Any

import numpy as np
import pytest

from algorithms import Add, Dataset, Label, Move, Refused, datasets, edited, find
from algorithms.core.plane import Plane, planes
from algorithms.core.resolve import ResolvedPanel, View, resolve
from algorithms.playback.pictures import drawing

VIEW = View(-3.0, 3.0, -3.0, 3.0, 8, 8)


def panel(name: str, data: Dataset, which: int = 0) -> tuple[ResolvedPanel, Plane]:
    algorithm = find(name)
    problem = algorithm.problem(data)
    state = next(algorithm.start(problem))
    plane = planes(data)[0]
    return resolve(algorithm.scene(problem, None, state).panels[which], plane, VIEW), plane


@pytest.mark.parametrize("at", [(0.5, -1.0), (3.0, 2.0)])
def test_a_row_in_two_dimensions_is_put_where_it_was_meant(at: tuple[float, float]) -> None:
    data = datasets.load("blobs", n=20)
    flat, plane = panel("perceptron", data)
    assert drawing.added(flat, plane, data, np.array(at), 1.0) == Add(at, 1.0)
    (move,) = drawing.carried(flat, plane, data, 3, np.array(at))
    assert edited(data, [move]).X[3] == pytest.approx(at)


def test_in_four_dimensions_a_row_is_moved_along_the_plane_only() -> None:
    data = datasets.load("iris")
    flat, plane = panel("lloyd", data)
    to = np.array([0.5, 0.7])
    (move,) = drawing.carried(flat, plane, data, 9, to)
    moved = edited(data, [move]).X[9]
    assert plane.project(moved[None])[0] == pytest.approx(to)
    hidden = (moved - data.X[9]) - plane.basis.T @ (plane.basis @ (moved - data.X[9]))
    assert np.allclose(hidden, 0.0)
    new = drawing.added(flat, plane, data, to, 0.0)
    assert plane.lift(to[None])[0] == pytest.approx(new.at)


def test_on_a_fit_the_height_is_the_target() -> None:
    data = datasets.load("line", scale=True)
    flat, plane = panel("stochastic_gradient", data)
    new = drawing.added(flat, plane, data, np.array([2.0, 9.0]), None)
    assert data.original(np.array(new.at)) == pytest.approx([2.0])
    assert new.y == 9.0
    move, label = drawing.carried(flat, plane, data, 5, np.array([2.0, 9.0]))
    assert isinstance(move, Move)
    assert label == Label(5, 9.0)


def test_a_panel_that_is_not_of_the_data_takes_no_row() -> None:
    data = datasets.load("coin")
    flat, plane = panel("beta_bernoulli", data)
    for do in (drawing.added, drawing.carried):
        with pytest.raises(Refused, match="is no row: m puts another panel on the stage"):
            do(flat, plane, data, np.zeros(2), 1) if do is drawing.added else do(flat, plane, data, 1, np.zeros(2))


def test_a_blob_is_that_of_its_seed_and_small() -> None:
    data = datasets.load("blobs", n=20)
    flat, plane = panel("perceptron", data)
    at = np.array([1.0, 2.0])
    blobs: list[Any] = [drawing.blob(flat, plane, data, at, 0.0, seed) for seed in ((3, 0), (3, 0), (3, 12), (4, 0))]
    assert blobs[0] == blobs[1]
    assert len({edit for blob in blobs for edit in blob}) == 3 * drawing.BLOB
    places = np.array([edit.at for edit in blobs[0]])
    assert (np.abs(places - at) < 0.2 * np.ptp(data.X, axis=0)).all()


def test_labels_go_round() -> None:
    data = datasets.load("iris")
    codes = [0]
    for _ in range(3):
        data = edited(data, [drawing.flipped(data, 0)])
        codes.append(int(np.asarray(data.y)[0]))
    assert codes == [0, 1, 2, 0]
    with pytest.raises(Refused, match="in no classes"):
        drawing.flipped(datasets.load("faithful"), 0)


def test_without_a_target_of_its_place_a_new_row_has_that_of_the_nearest() -> None:
    data = Dataset(np.array([[0.0, 0.0], [5.0, 5.0], [9.0, 0.0]]), np.array([1.5, 2.5, 3.5]), kind="number")
    flat, plane = panel("lloyd", data)
    assert drawing.added(flat, plane, data, np.array([4.5, 5.0]), None).y == 2.5
