"""Theorems that take long wait until one looks; then they are what they would have been."""

from copy import copy
from typing import Any

import numpy as np
import pytest

from algorithms import Timeline, find
from algorithms.core import Sides, Theorem
from algorithms.playback.cursor.player import Player
from algorithms.playback.pictures.viewer import LATER, Viewer
from algorithms.timeline import changed_fields, series
from tui.sections.theorems.rows import in_hand


@pytest.fixture
def dear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every check be one that takes long."""
    monkeypatch.setattr(series, "DEAR", -1.0)


def at_once() -> Timeline[Any]:
    return Timeline("lloyd", "faithful", {"k": 3})


def alike(one: Timeline[Any], other: Timeline[Any]) -> None:
    assert len(one) == len(other)
    for curve in find("lloyd").curves:
        for mine, theirs in zip(one.curve(curve.name), other.curve(curve.name)):
            assert mine.tolist() == theirs.tolist()
    for i in range(len(find("lloyd").theorems)):
        for mine, theirs in zip(one.theorem_series(i), other.theorem_series(i)):
            assert np.array_equal(mine, theirs, equal_nan=True)
    for t in range(len(one)):
        assert [v.status for v in one.verdicts(one[t])] == [v.status for v in other.verdicts(other[t])]


@pytest.mark.usefixtures("dear")
def test_it_waits_and_is_measured_in_order() -> None:
    run = at_once()
    run.advance(6, later=True)
    assert run.curve("objective")[0].tolist() == [1, 2, 3, 4, 5], "curves do not wait"
    assert len(run.theorem_series(0)[0]) == 0
    assert all(run.waits(run[t]) for t in range(6))
    assert not run.settled
    assert run.settle()
    assert not run.waits(run[4])
    other = at_once()
    other.advance(6)
    alike(run, other)
    run.advance(3, later=True)
    run.advance(100)  # these do not wait
    other.advance(103)
    assert [v.status for v in run.verdicts(run[7])] == [v.status for v in other.verdicts(other[7])], "out of turn"
    run.settle()
    alike(run, other)


@pytest.mark.usefixtures("dear")
def test_settling_can_be_interrupted() -> None:
    run = at_once()
    run.advance(5, later=True)
    slices = 1
    while not run.settle(0.0):
        slices += 1
    assert slices == 5
    assert run.theorem_series(0)[0].tolist() == [2, 3, 4]


@pytest.mark.usefixtures("dear")
def test_who_asks_for_a_step_has_it() -> None:
    run, other = at_once(), at_once()
    run.advance(5, later=True)
    other.advance(5)
    assert run.values(run[3]) == other.values(other[3])
    assert [v.status for v in run.verdicts(run[3])] == [v.status for v in other.verdicts(other[3])]


@pytest.mark.usefixtures("dear")
def test_a_pickled_run_has_measured_all() -> None:
    import pickle

    run, other = at_once(), at_once()
    run.advance(5, later=True)
    other.advance(5)
    alike(pickle.loads(pickle.dumps(run)), other)


@pytest.mark.usefixtures("dear")
def test_many_do_not_wait_for_ever() -> None:
    run = Timeline("perceptron", "blobs", {"epochs": 50, "eta": 0.001})
    while run.stopped is None and len(run) < 700:
        run.advance(1, later=True)
    waiting = sum(run._own.series.waiting(t) is not None for t in range(len(run)))
    assert 0 < waiting <= 64


def test_what_is_cheap_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "DEAR", 1e9)
    run = at_once()
    run.advance(5, later=True)
    assert run.settled
    assert run.theorem_series(0)[0].tolist() == [2, 3, 4]


@pytest.mark.usefixtures("dear")
def test_those_that_were_thinned_out_meanwhile_are_checked_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "MOST", 40)
    monkeypatch.setattr(series, "_WORTH", 4)
    wrong = Theorem("t < 45", lambda problem, before, after: Sides(("t", after.t), ("45", 45.0)), source="here")
    algorithm = copy(find("perceptron"))
    algorithm.theorems = (wrong,)
    run, other = (Timeline(algorithm, "blobs", {"epochs": 50, "eta": 0.001}) for _ in range(2))
    for _ in range(60):
        run.advance(1, later=True)
    other.advance(60)
    run.settle()
    assert [failure.t for failure in run.failures] == [failure.t for failure in other.failures]
    (t, sides), (at, theirs) = run.theorem_series(0), other.theorem_series(0)
    assert np.array_equal(sides[:, 0], t), "each has its own"
    assert np.array_equal(sides, theirs)
    assert t.tolist() == at.tolist()
    assert len(t) < 41, "they were thinned"


@pytest.mark.usefixtures("dear")
def test_a_fork_knows_of_all_before_it() -> None:
    run, other = at_once(), at_once()
    run.advance(6, later=True)
    other.advance(6)
    forks = [one.fork(4) for one in (run, other)]
    for i in range(len(find("lloyd").theorems)):
        for mine, theirs in zip(forks[0].theorem_series(i), forks[1].theorem_series(i)):
            assert np.array_equal(mine, theirs, equal_nan=True)


@pytest.mark.usefixtures("dear")
def test_a_picture_says_that_it_waits_and_is_made_anew() -> None:
    player = Player(at_once())
    viewer = Viewer(player.timeline)
    player.step(1)  # the first assignment, of which the third theorem alone speaks
    while player.goal is not None:
        player.work(0.01)
    moving = viewer.picture(player.frame, 40, 20, moving=True)
    assert moving.coarse
    assert {(v.status, v.why) for v in moving.verdicts} == {("undecided", LATER)}
    still = viewer.picture(player.frame, 40, 20)
    assert not still.coarse
    assert LATER not in {v.why for v in still.verdicts}
    assert in_hand(moving.verdicts) == 0
    player.step(2)  # to the next of that phase
    while player.goal is not None:
        player.work(0.01)
    waiting = viewer.picture(player.frame, 40, 20, moving=True)
    assert waiting.frame.state.phase == still.frame.state.phase
    assert {v.status for v in waiting.verdicts} == {"undecided"}
    assert in_hand(waiting.verdicts) == in_hand(still.verdicts) == 2, "the theorem in hand stays meanwhile"
    player.step(-2)
    while player.goal is not None:
        player.work(0.01)
    again = viewer.picture(player.frame, 40, 20, moving=True)
    assert again.verdicts == still.verdicts, "what is known is shown at once"


@pytest.mark.parametrize("seed", range(20))
def test_of_many_numbers_the_same_is_said_as_of_few(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(seed)
    before = draw.normal(size=(7, 3)).round(1)
    after = np.where(draw.random((7, 3)) < 0.4, before, draw.normal(size=(7, 3)).round(1))
    if seed % 4 == 1:
        after[draw.integers(7), draw.integers(3)] = (np.nan, np.inf)[seed % 8 == 1]
    if seed % 4 == 2:
        after = before + 0.0
        after[0, 0] = -before[0, 0]
    said = [changed_fields._of_arrays("w", before, after)]
    monkeypatch.setattr(changed_fields, "_MANY", 0)
    said.append(changed_fields._of_arrays("w", before, after))
    assert said[0] == said[1]
