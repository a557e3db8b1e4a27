"""Sessions on the screen: saving asks where and never writes over another, opening shows the same, leaving asks."""

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from algorithms import Change, Opening, datasets, find, read_session
from algorithms.playback.cursor.breakpoints import Breakpoint
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import stage, still, text, until
from tui.app import IterscopeApp
from tui.screens.catalogue import CatalogueScreen
from tui.screens.session import Leave, OpenSession, Replaying, SaveSession
from tui.screens.stage import StageScreen

SIZES = [(160, 48), (100, 30), (80, 24)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def app(name: str = "lloyd", data: str = "faithful", **parameters: Any) -> IterscopeApp:
    return IterscopeApp(LoadedRun.checked(find(name), datasets.recipe(data), parameters or {"k": 3}))


def shows(pilot: Pilot[None], kind: type) -> Callable[[], bool]:
    return lambda: isinstance(pilot.app.screen, kind)


def said(pilot: Pilot[None]) -> str:
    """What a dialog says."""
    return "\n".join(str(static.render()) for static in pilot.app.screen.query(Static))


async def settled(pilot: Pilot[None]) -> None:
    await until(pilot, shows(pilot, StageScreen))
    await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
    await until(pilot, lambda: stage(pilot).player.goal is None)
    await still(pilot)


async def fork(pilot: Pilot[None], t: int = 5) -> None:
    await settled(pilot)
    stage(pilot).action_seek(t)
    await settled(pilot)
    stage(pilot).session.fork(t, Change(parameters={"sweeps": 3}))
    await settled(pilot)


async def save(pilot: Pilot[None], name: str) -> None:
    await pilot.press("ctrl+s")
    await until(pilot, shows(pilot, SaveSession))
    pilot.app.screen.query_one(Input).value = name
    await pilot.press("enter")
    await until(pilot, shows(pilot, StageScreen))
    await until(pilot, lambda: "saved: " in text(pilot, "#narration"))


async def test_the_first_time_it_asks_where_and_then_no_more(folder: Path) -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await fork(pilot)
        await pilot.press("ctrl+s")
        await until(pilot, shows(pilot, SaveSession))
        assert pilot.app.screen.query_one(Input).value == "lloyd-faithful.json"
        await pilot.press("enter")
        await until(pilot, lambda: "saved: lloyd-faithful.json" in text(pilot))
        assert len(read_session(folder / "lloyd-faithful.json").branches) == 2
        await fork(pilot, 3)
        await pilot.press("ctrl+s")
        await until(pilot, lambda: "saved: " in text(pilot, "#narration"))
        assert len(read_session(folder / "lloyd-faithful.json").branches) == 3
        assert os.listdir(folder) == ["lloyd-faithful.json"]


async def test_another_file_is_written_over_only_when_that_is_confirmed(folder: Path) -> None:
    (folder / "notes.json").write_text("mine")
    (folder / "sub").mkdir()
    async with app().run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+s")
        await until(pilot, shows(pilot, SaveSession))
        for name, words in (
            ("", "needs the name"),
            ("sub", "is a folder"),
            ("no/such/file", "no folder no/such"),
            ("notes", "notes.json is there already"),
        ):
            pilot.app.screen.query_one(Input).value = name
            await pilot.press("enter")
            await until(pilot, lambda words=words: words in said(pilot))  # type: ignore[misc]
        assert (folder / "notes.json").read_text() == "mine"
        await pilot.press("escape")
        await until(pilot, shows(pilot, StageScreen))
        assert (folder / "notes.json").read_text() == "mine"
        await pilot.press("ctrl+s")
        pilot.app.screen.query_one(Input).value = "notes.json"
        await pilot.press("enter", "enter")
        await until(pilot, lambda: "saved: notes.json" in text(pilot))
        assert read_session(folder / "notes.json").algorithm == "lloyd"


async def test_what_cannot_be_written_is_said(folder: Path) -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+s")
        await until(pilot, shows(pilot, SaveSession))
        pilot.app.screen.query_one(Input).value = f"{'long' * 80}.json"
        await pilot.press("enter")
        await until(pilot, lambda: "not saved:" in text(pilot) and "longlong" in text(pilot))


@pytest.mark.parametrize("size", [SIZES[1], *(pytest.param(size, marks=pytest.mark.soak) for size in SIZES[::2])])
async def test_an_opened_session_is_the_same_screen(folder: Path, size: tuple[int, int]) -> None:
    keys = ["v", "down", "enter", "z", "Z", "Z", "alt+left", "plus", "plus", "m", "t", "x", "2", "s"]
    async with app("gaussian_mixture", "iris", k=3).run_test(size=size) as pilot:
        await settled(pilot)
        stage(pilot).action_seek(9)
        await settled(pilot)
        stage(pilot).session.fork(9, Change())
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
        stage(pilot).action_seek(12)
        await settled(pilot)
        before = text(pilot)
        await save(pilot, "lesson.json")
    async with IterscopeApp(session=Opening("lesson.json")).run_test(size=size) as pilot:
        await settled(pilot)
        assert "lesson.json: as it was saved" in text(pilot)
        stage(pilot).tell("")
        await settled(pilot)
        assert text(pilot) == before
        assert stage(pilot).session.unsaved == ""


async def test_saved_again_the_file_is_the_same(folder: Path) -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await fork(pilot)
        await pilot.press("z", "1")
        await save(pilot, "a.json")
    async with IterscopeApp(session=Opening("a.json")).run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+s")
        await until(pilot, shows(pilot, SaveSession))
        assert pilot.app.screen.query_one(Input).value == "a.json"
        pilot.app.screen.query_one(Input).value = "b.json"
        await pilot.press("enter")
        await until(pilot, lambda: "saved: b.json" in text(pilot))
    assert (folder / "a.json").read_bytes() == (folder / "b.json").read_bytes()


async def test_a_session_is_opened_from_the_screen(folder: Path) -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await fork(pilot)
        await save(pilot, "lesson.json")
    (folder / "other.json").write_text("{}")
    async with app("pca", "iris", k=2).run_test(size=(100, 30)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+o")
        await until(pilot, shows(pilot, OpenSession))
        assert pilot.app.screen.query_one(Input).value == ""
        for name, words in (("", "say which"), ("none.json", "there is no file"), ("other.json", "is not a session")):
            pilot.app.screen.query_one(Input).value = name
            await pilot.press("enter")
            await until(pilot, lambda words=words: words in said(pilot))  # type: ignore[misc]
        pilot.app.screen.query_one(Input).value = "lesson.json"
        await pilot.press("enter")
        await until(pilot, lambda: "k-means" in text(pilot, "#header"))
        assert len(stage(pilot).session.branches.all) == 2
        assert "sweeps 300 -> 3 at 4" in text(pilot)


async def test_opening_asks_about_what_is_not_saved(folder: Path) -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await fork(pilot)
        await save(pilot, "lesson.json")
        await fork(pilot, 3)
        await pilot.press("ctrl+o")
        await until(pilot, shows(pilot, OpenSession))
        assert pilot.app.screen.query_one(Input).value == "lesson.json"  # the one that was saved last is proposed
        await pilot.press("enter")
        await until(pilot, shows(pilot, Leave))
        assert "2 forks are not saved." in said(pilot)
        await pilot.press("escape")
        await until(pilot, shows(pilot, StageScreen))
        assert len(stage(pilot).session.branches.all) == 3


def damaged(file: str) -> None:
    """Another state than was saved, as another processor may give."""
    plain = json.loads(Path(file).read_text())
    del plain["check"]
    plain["states"]["first run"][3]["fields"]["means"]["digest"] = "0" * 16
    plain["written_by"] = "iterscope 0.1.0, NumPy 2.0.0, Plan9 sparc"
    Path(file).write_text(json.dumps(plain))


async def test_what_differs_is_told_before_it_is_shown() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await fork(pilot)
        await save(pilot, "lesson.json")
    damaged("lesson.json")
    async with IterscopeApp(session=Opening("lesson.json")).run_test(size=SIZES[0]) as pilot:
        await until(pilot, lambda: "is the first that is not" in said(pilot))
        for size in SIZES:
            await pilot.resize_terminal(*size)
            assert "first run: step 3" in said(pilot), size
            assert "Plan9 sparc" in said(pilot), size
        await pilot.press("enter")
        await until(pilot, shows(pilot, StageScreen))
        await until(pilot, lambda: "as it runs here" in text(pilot))
    async with IterscopeApp(session=Opening("lesson.json")).run_test(size=SIZES[-1]) as pilot:
        await until(pilot, shows(pilot, Replaying))
        await pilot.press("escape")
        await until(pilot, shows(pilot, CatalogueScreen))


async def test_a_fork_that_cannot_be_made_is_said_where_it_is_replayed() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await fork(pilot)
        await save(pilot, "lesson.json")
    plain = json.loads(Path("lesson.json").read_text())
    del plain["check"]
    plain["branches"][1]["change"] = {"parameters": {"k": 4}}
    Path("lesson.json").write_text(json.dumps(plain))
    async with IterscopeApp(session=Opening("lesson.json")).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "k cannot be changed half-way" in said(pilot))
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, Replaying)
        await pilot.press("escape")
        await until(pilot, shows(pilot, CatalogueScreen))


async def test_a_long_replay_shows_how_far_it_is_and_can_be_given_up(folder: Path) -> None:
    async with app("perceptron", "blobs", epochs=100_000).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(stage(pilot).player.timeline) > 1000)
        stage(pilot).player.timeline.advance(60_000)
        await save(pilot, "long.json")
    async with IterscopeApp(session=Opening("long.json")).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, Replaying) and "% replayed" in said(pilot))
        await pilot.press("escape")
        await until(pilot, shows(pilot, CatalogueScreen))


async def test_the_app_is_left_while_a_slice_is_replayed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await fork(pilot)
        await save(pilot, "lesson.json")
    at_work = threading.Event()

    def slowly(opening: Opening, seconds: float) -> bool:
        at_work.set()
        time.sleep(0.3)
        return False

    monkeypatch.setattr(Opening, "work", slowly)
    async with IterscopeApp(session=Opening("lesson.json")).run_test(size=(80, 24)) as pilot:
        await until(pilot, at_work.is_set)
        dialog = pilot.app.screen
        assert isinstance(dialog, Replaying)
        await dialog.query_one("#replayed").remove()  # as when the screen is taken down
        await pilot.pause(0.5)
    assert not pilot.app._exception


async def test_leaving_a_clean_run_asks_nothing() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("q")
        await pilot.pause()
        assert pilot.app._exit


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
async def test_leaving_with_a_fork_asks(key: str) -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await fork(pilot)
        await pilot.press(key)
        await until(pilot, shows(pilot, Leave))
        assert "1 fork is not saved." in said(pilot)
        await pilot.press("down", "down", "enter")
        await until(pilot, shows(pilot, StageScreen))
        await pilot.press(key)
        await until(pilot, shows(pilot, Leave))
        await pilot.press("l")
        await pilot.pause()
        assert pilot.app._exit


async def test_leaving_can_save_first(folder: Path) -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await fork(pilot)
        await pilot.press("q")
        await until(pilot, shows(pilot, Leave))
        await pilot.press("enter")
        await until(pilot, shows(pilot, SaveSession))
        assert not pilot.app._exit
        await pilot.press("enter")
        await pilot.pause()
        assert pilot.app._exit
    assert len(read_session("lloyd-faithful.json").branches) == 2


async def test_what_is_saved_is_not_asked_about_until_it_is_changed(folder: Path) -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await fork(pilot)
        assert stage(pilot).session.unsaved == "1 fork is not saved."
        await save(pilot, "a.json")
        assert stage(pilot).session.unsaved == ""
        stage(pilot).session.branches.rename(stage(pilot).session.branch, "slow")
        assert stage(pilot).session.unsaved == "1 fork is not saved."
        await pilot.press("ctrl+s")
        await until(pilot, lambda: stage(pilot).session.unsaved == "")
        stage(pilot).session.breakpoints = [Breakpoint("moved == 0")]
        assert stage(pilot).session.unsaved == "1 fork and 1 breakpoint are not saved."
        await pilot.press("ctrl+s")
        assert read_session("a.json").breakpoints == ("moved == 0",)
        stage(pilot).session.breakpoints.append(Breakpoint("moved == 1", False))
        await pilot.press("ctrl+s")
        await until(pilot, lambda: stage(pilot).session.unsaved == "")
    async with IterscopeApp(session=Opening("a.json")).run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert stage(pilot).session.breakpoints == [Breakpoint("moved == 0"), Breakpoint("moved == 1", False)]
        assert stage(pilot).player.watch is not None


async def test_another_run_is_not_saved_over_the_last_one(folder: Path) -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await save(pilot, "a.json")
        stage(pilot).start_over(LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {"k": 5}))
        await settled(pilot)
        await pilot.press("ctrl+s")
        await until(pilot, shows(pilot, SaveSession))
    assert read_session("a.json").parameters["k"] == 3


MEANINGLESS = (
    {"plane": {"title": "none", "features": [0, 99]}, "stage": -4, "speed": 10**9},
    {"plane": {"features": [1, 1]}, "zoomed": {"x": [0, 0, 0, 0]}, "side": {"section": "all", "folded": [3]}},
    {"plane": 3, "stage": True, "zoomed": [1], "fitted": {"rows in the cells of the means": [1, 2, "a", 4]}},
    {"side": {"section": 50, "chart": 50, "panel": 50, "theorem": 50}, "source rows": 10**6, "shown": {"x": "y"}},
    {"zoomed": {"rows in the cells of the means": [1e308, -1e308, 3, 4]}, "given": [3, "k"], "speed": None},
    {"zoomed": {"rows in the cells of the means": [-1.7e308, 1.7e308, -1e-320, 1e-320]}},
    {"zoomed": {"rows in the cells of the means": [10**15, 10**18, 0.0, 1.0]}},
)


async def test_a_view_that_cannot_be_meant_is_passed_over() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await fork(pilot)
        await save(pilot, "a.json")
    plain = json.loads(Path("a.json").read_text())
    del plain["check"]
    for view in MEANINGLESS:
        Path("a.json").write_text(json.dumps(plain | {"view": view}))
        async with IterscopeApp(session=Opening("a.json")).run_test(size=(80, 24)) as pilot:
            await settled(pilot)
            assert "k-mean" in text(pilot, "#header"), view
            await pilot.press("l", "w", "1", "2", "3", "t", "x", "m", "s")
            await settled(pilot)
