"""A number of the state over the run, of runs of which no theorem is stated."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from algorithms import Recorder, Timeline
from algorithms.playback.pictures.followed import FollowedValues
from algorithms.playback.pictures.viewer import Viewer
from algorithms.playback.runs.loaded_run import recording
from algorithms.saving.runlog import LoggedRun
from tests.tui.pilot import SIZES, at, stage, text, until
from tui.app import IterscopeApp
from tui.screens.follow_value import FollowValue
from tui.screens.stage import StageScreen


@pytest.fixture
def squares(tmp_path: Path) -> Path:
    """w[i] is t squared and i more; a few steps have no w."""
    with Recorder(tmp_path / "run.log") as recorder:
        for t in range(12):
            recorder.write({"loss": 1 / (t + 1)} | ({} if t in (4, 5) else {"w": t**2 + np.arange(40.0)}))
    return tmp_path / "run.log"


def run_of(path: Path) -> Timeline:
    recorded = LoggedRun(path)
    return Timeline(recorded, recorded.datasets[0].load()).run()


def test_a_value_is_known_where_it_is_there(squares: Path) -> None:
    run, followed = run_of(squares), FollowedValues()
    assert followed.choose("w[3]")
    assert followed.choose("max(w) - 1")
    third, greatest = followed.along(run, run.at(6))
    there = [t for t in range(12) if t not in (4, 5)]
    assert third[1].tolist() == there
    assert third[2].tolist() == [t**2 + 3 for t in there]
    assert greatest[2].tolist() == [t**2 + 38 for t in there]
    assert third[3] == 39
    assert np.isnan(followed.along(run, run.at(4))[0][3])
    assert not followed.choose("w[3]")
    assert followed.texts == ("max(w) - 1",)


def test_what_another_run_does_not_have_is_no_fault(squares: Path, tmp_path: Path) -> None:
    with Recorder(tmp_path / "other.log") as recorder:
        recorder.write({"loss": 1.0})
    other, followed = run_of(tmp_path / "other.log"), FollowedValues()
    followed.choose("w[3]")
    ((_, steps, _, now),) = followed.along(other, other.at(0))
    assert not len(steps)
    assert np.isnan(now)
    ((_, steps, _, _),) = followed.along(run_of(squares), run_of(squares).at(0))
    assert len(steps) == 10  # of the run in hand, and not of the one before


def test_it_is_kept_with_how_a_run_is_looked_at(squares: Path) -> None:
    viewer = Viewer(run_of(squares))
    viewer.followed.choose("w[3]")
    again = Viewer(run_of(squares))
    again.restore(viewer.kept())
    assert again.followed.texts == ("w[3]",)
    assert "w[3]" in again.picture(again.timeline.at(2), 60, 20).charts
    again.restore({"followed": 3})
    again.restore({"followed": [1, "w[0]"]})
    assert again.followed.texts == ("w[0]",)


def said(pilot: Pilot[Any]) -> str:
    return str(pilot.app.screen.query_one(".trouble", Static).render())


@pytest.mark.parametrize("size", SIZES)
async def test_enter_asks_for_a_number_and_draws_it(squares: Path, size: tuple[int, int]) -> None:
    async with IterscopeApp(recording(str(squares))).run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("end")
        await until(pilot, at(pilot, 11))
        if size[0] >= 160:
            assert "follow a number" in text(pilot, "#keys")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, FollowValue))
        await pilot.press("w", "enter")
        await until(pilot, lambda: "w has 40 numbers: which one?" in said(pilot))
        await pilot.press("backspace", "3", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await until(pilot, lambda: "w[3]" in text(pilot, "#side"))
        assert "124" in text(pilot, "#side")  # 11² + 3
        await pilot.press("left")
        await until(pilot, lambda: "103" in text(pilot, "#side"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, FollowValue))
        await pilot.press(*"nothing", "enter")
        await until(pilot, lambda: "there is no 'nothing'" in said(pilot))
        await pilot.press(*["backspace"] * 7, *"w[3]", "enter")
        await until(pilot, lambda: "w[3] is not followed any more" in text(pilot, "#narration"))
        assert "w[3]" not in text(pilot, "#side")


async def test_before_anything_was_yielded_there_is_something_to_choose(tmp_path: Path) -> None:
    def mine() -> Any:
        for t in range(5):
            yield {"w": np.full(3, float(t))}

    for _ in Recorder(tmp_path / "run.log").over(mine()):
        pass
    async with IterscopeApp(recording(str(tmp_path / "run.log")), at=0).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: stage(pilot).player.timeline.last == 5)
        await pilot.press("0")
        await until(pilot, at(pilot, 0))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, FollowValue))
        await pilot.press("enter", "enter")
        await until(pilot, lambda: "w[0]" in text(pilot, "#side"))
