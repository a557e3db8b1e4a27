"""A comparison is kept: gone back to it is the same, and a session file has it with the runs from elsewhere."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from algorithms import Opening, datasets, find
from algorithms.playback.comparison.alignment import ByTime
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.pictures.viewer import Picture
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import variant
from tests.tui.animation import played
from tests.tui.compare.pilot import screen
from tests.tui.pilot import stage, still, text, until
from tui.app import IterscopeApp
from tui.screens.compare import CompareScreen
from tui.screens.export import ExportDialog
from tui.screens.fork import Fork
from tui.screens.session import OpenSession, SaveSession
from tui.screens.stage import StageScreen


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shows(pilot: Pilot[None], kind: type) -> bool:
    return isinstance(pilot.app.screen, kind)


def apart() -> IterscopeApp:
    """Show k-means on iris beside a mixture on faithful, which have nothing in common."""
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("iris"), {"k": 3, "seed": 7})
    other = variant(opened, "gaussian_mixture", "faithful", "k=2")
    return IterscopeApp(opened, against=[ComparedRun("", other.timeline(), other)])


def described(pilot: Pilot[None]) -> dict[str, Any]:
    """Describe the comparison that is shown."""
    shown = screen(pilot)
    followers = shown.together.followers
    return {
        "runs": [
            (follower.run.algorithm.name, follower.run.data.name, dict(follower.run.parameters))
            for follower in followers
        ],
        "steps": [follower.player.t for follower in followers],
        "aligned": shown.together.alignment.name,
        "place": shown.together.place,
        "hand": shown.current,
        "seen": shown.kept(),
        "planes": [viewer.plane.title for viewer in shown.viewers],
        "zoomed": [viewer.kept().get("zoomed") for viewer in shown.viewers],
    }


def pictures(pilot: Pilot[None]) -> list[Picture]:
    return [picture for picture in screen(pilot).pictures if picture is not None]


async def settled(pilot: Pilot[None]) -> None:
    """Wait until the comparison is there and all of its runs are where they are to be."""
    await until(pilot, lambda: shows(pilot, CompareScreen) and all(screen(pilot).pictures))
    await until(pilot, lambda: not any(follower.aim for follower in screen(pilot).together.followers))
    await until(pilot, lambda: not screen(pilot).together.seeks)


async def forked_and_seen_in_a_way_of_its_own(pilot: Pilot[None]) -> None:
    """Fork the first run, align by iteration, look at the second alone on another plane, zoomed."""
    await settled(pilot)
    await pilot.press("right", "right", "f")
    await until(pilot, lambda: shows(pilot, Fork))
    pilot.app.screen.query_one("#p-sweeps", Input).value = "7"
    await pilot.press("enter")
    await until(pilot, lambda: shows(pilot, CompareScreen) and len(screen(pilot).compared) == 3)
    await pilot.press("u", "L", "L", "x", "s", "tab", "tab", "z", "1")
    await settled(pilot)


async def test_gone_back_to_the_comparison_is_the_same() -> None:
    async with apart().run_test(size=(160, 48)) as pilot:
        await forked_and_seen_in_a_way_of_its_own(pilot)
        before = described(pilot)
        assert (before["aligned"], before["hand"], before["seen"]["view"]) == ("iteration", 1, "stages")
        assert before["zoomed"][1]
        hand = screen(pilot).together.followers[1]
        run, t = hand.run, hand.player.t
        await pilot.press("escape")
        await until(pilot, lambda: shows(pilot, StageScreen))
        await until(pilot, lambda: "c goes back to the comparison" in text(pilot, "#narration"))
        assert stage(pilot).player.timeline is run
        assert stage(pilot).player.t == t > 0
        assert "faithful" in text(pilot, "#header")
        await pilot.press("c")
        await settled(pilot)
        assert described(pilot) == before
        await pilot.press("escape")
        await until(pilot, lambda: shows(pilot, StageScreen))
        await pilot.press("L", "c")
        await settled(pilot)
        assert screen(pilot).together.followers[1].player.t > t, "a run that went on takes the others along"
        assert screen(pilot).together.place > before["place"]


async def test_a_session_has_the_comparison_from_either_screen(folder: Path) -> None:
    async with apart().run_test(size=(160, 48)) as pilot:
        await forked_and_seen_in_a_way_of_its_own(pilot)
        before = described(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: shows(pilot, StageScreen))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: shows(pilot, SaveSession))
        pilot.app.screen.query_one("#path", Input).value = "both.json"
        await pilot.press("enter")
        await until(pilot, lambda: "saved: both.json" in text(pilot))
        assert stage(pilot).session.unsaved == ""
        single = (folder / "both.json").rename(folder / "single.json")
        await pilot.press("c")
        await settled(pilot)
        await pilot.press("ctrl+s")  # to where it was saved before
        await until(pilot, lambda: (folder / "both.json").exists() and "saved: both.json" in text(pilot))
        assert screen(pilot).session.unsaved == ""
        await pilot.press("home", "ctrl+o")
        await until(pilot, lambda: shows(pilot, OpenSession))
        pilot.app.screen.query_one("#path", Input).value = "both.json"
        await pilot.press("enter")
        await until(pilot, lambda: shows(pilot, CompareScreen) and "as it was saved" in text(pilot, "#stories"))
        await settled(pilot)
        assert described(pilot) == before
    for name in (single.name, "both.json"):
        async with IterscopeApp(session=Opening(name)).run_test(size=(160, 48)) as pilot:
            await settled(pilot)
            assert described(pilot) == before, name
            await pilot.press("escape")
            await until(pilot, lambda: shows(pilot, StageScreen))
            assert len(stage(pilot).session.side_by_side.sessions) == 2, name
            assert stage(pilot).session.unsaved == "", name


async def test_time_is_counted_anew_and_the_run_in_hand_has_its_step() -> None:
    async with apart().run_test(size=(160, 48)) as pilot:
        await settled(pilot)
        await pilot.press("right", "right", "right", "u", "u")
        await settled(pilot)
        assert screen(pilot).together.alignment.name == ByTime.name
        assert screen(pilot).together.followers[0].player.t == 3
        await pilot.press("f")
        await until(pilot, lambda: shows(pilot, Fork))
        pilot.app.screen.query_one("#p-sweeps", Input).value = "7"
        await pilot.press("enter")
        await until(pilot, lambda: shows(pilot, CompareScreen) and len(screen(pilot).compared) == 3)
        await settled(pilot)
        assert screen(pilot).together.alignment.name == ByTime.name
        assert screen(pilot).together.followers[0].player.t == 3


async def test_all_runs_step_together_in_a_cast(folder: Path) -> None:
    async with apart().run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        await pilot.press("right", "right", "right")
        await settled(pilot)
        await until(pilot, lambda: all(follower.run.stopped for follower in screen(pilot).together.followers))
        wanted = {}
        for t in (3, 2, 1):
            await until(pilot, lambda t=t: [p.frame.t for p in pictures(pilot)] == [t, t])
            await until(pilot, lambda: not any(p.coarse for p in pictures(pilot)))
            await still(pilot)
            wanted[t] = screen(pilot).cells_now().text.splitlines()
            await pilot.press("left")
        await pilot.press("right", "e")
        await until(pilot, lambda: shows(pilot, ExportDialog))
        pilot.app.screen.query_one("#kinds").highlighted = 4  # type: ignore[attr-defined]
        await pilot.pause()
        for field, value in (("#file", "all.cast"), ("#first", "1"), ("#last", "3")):
            pilot.app.screen.query_one(field, Input).value = value
        pilot.app.screen.query_one("#file").focus()
        await pilot.press("enter")
        await until(pilot, lambda: shows(pilot, CompareScreen) and "written: all.cast" in text(pilot, "#stories"))
        assert [follower.player.t for follower in screen(pilot).together.followers] == [1, 1]
    frames = list(played((folder / "all.cast").read_bytes()))
    assert len(frames) == 4  # three steps, and the end of the last
    assert [lines for _, lines, _ in frames[:3]] == [wanted[t] for t in (1, 2, 3)]
