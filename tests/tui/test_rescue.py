"""What is not saved is written down when it changes, and what was rescued is offered where it belongs."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot

import tui.rescue
from algorithms import Change, datasets, find, read_session
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.run_session import RunSession
from algorithms.playback.runs.session_file import SessionFile, made_by_hand
from algorithms.saving.files import write_whole
from algorithms.saving.session import Session
from tests.patience import PATIENCE
from tests.tui.pilot import stage, until
from tui.app import IterscopeApp
from tui.rescue import Rescue
from tui.screens.rescued import OfferRescued
from tui.screens.stage import StageScreen


def app(folder: Path, name: str = "lloyd", data: str = "faithful") -> IterscopeApp:
    return IterscopeApp(LoadedRun.checked(find(name), datasets.recipe(data), {}), rescue=Rescue(folder))


async def shown(pilot: Pilot[None]) -> StageScreen:
    """A picture is there, and no thread has the run: of one that is busy nothing is written down."""

    def there() -> bool:
        screen = pilot.app.screen
        return isinstance(screen, StageScreen) and screen.picture is not None and not screen.session.access.busy

    await until(pilot, there)
    return stage(pilot)


async def forked(pilot: Pilot[None]) -> StageScreen:
    screen = await shown(pilot)
    screen.player.timeline.advance(2)
    screen.session.fork(1, Change(parameters={"sweeps": 3}))
    return await shown(pilot)


async def test_a_fork_is_kept_until_it_is_saved(tmp_path: Path) -> None:
    rescue = Rescue(tmp_path)
    async with app(tmp_path).run_test(size=(100, 30)) as pilot:
        screen = await shown(pilot)
        rescue.look(pilot.app)
        assert rescue.write() == ""  # nothing was made yet
        await forked(pilot)
        rescue.look(pilot.app)
        assert "lloyd-faithful.rescued.json" in rescue.write()
        assert rescue.write() == ""  # once
        assert len(read_session(tmp_path / "lloyd-faithful.rescued.json").branches) == 2
        screen.session.branches.rename(screen.session.branch, "another name")
        rescue.look(pilot.app)
        screen.session.file._saved = made_by_hand(screen.session)  # as if it were saved
        rescue.look(pilot.app)
        assert rescue.write() == ""


async def test_who_rescues_second_waits_for_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = Event(), Event()

    def slowly(*given: Any) -> Path:
        begun.set()
        assert go_on.wait(PATIENCE)
        return write_whole(*given)

    monkeypatch.setattr(tui.rescue, "write_whole", slowly)
    rescue = Rescue(tmp_path)
    async with app(tmp_path).run_test(size=(100, 30)) as pilot:
        await forked(pilot)
        rescue.look(pilot.app)
    with ThreadPoolExecutor() as threads:
        first = threads.submit(rescue.write)
        assert begun.wait(PATIENCE)
        second = threads.submit(lambda: (rescue.write(), list(tmp_path.iterdir())))
        with pytest.raises(TimeoutError):
            second.result(0.2)
        go_on.set()
        assert second.result() == ("", [tmp_path / "lloyd-faithful.rescued.json"])
        assert "lloyd-faithful.rescued.json" in first.result()


async def test_no_file_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "lloyd-faithful.rescued.json").write_text("mine")
    rescue = Rescue(tmp_path)
    async with app(tmp_path).run_test(size=(100, 30)) as pilot:
        await forked(pilot)
        rescue.look(pilot.app)
        assert "lloyd-faithful-2.rescued.json" in rescue.write()
    assert (tmp_path / "lloyd-faithful.rescued.json").read_text() == "mine"
    offered = rescue.offer("lloyd")
    assert offered is not None
    assert offered.path.name == "lloyd-faithful-2.rescued.json"  # what is no session is passed over
    assert rescue.offer("pca") is None
    assert rescue.offer("lloyd", "mine.py") is None  # one of that name, but not ours
    assert rescue.offer(None) is not None


async def test_what_was_rescued_counts_as_unsaved_when_it_is_opened(tmp_path: Path) -> None:
    rescue = Rescue(tmp_path)
    async with app(tmp_path).run_test(size=(100, 30)) as pilot:
        await forked(pilot)
        rescue.look(pilot.app)
        rescue.write()
    async with app(tmp_path).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, OfferRescued))
        await pilot.press("enter")
        screen = await shown(pilot)
        assert screen.session.unsaved == "1 fork is not saved."
        assert not list(tmp_path.iterdir())


async def test_what_has_not_changed_is_not_written_down_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions: list[str] = []
    described = SessionFile.written

    def written(file: SessionFile, session: RunSession, path: Path, *given: Any, **more: Any) -> Session:
        sessions.append(path.name)
        return described(file, session, path, *given, **more)

    monkeypatch.setattr(SessionFile, "written", written)
    rescue = Rescue(tmp_path)
    async with app(tmp_path, "perceptron", "blobs").run_test(size=(100, 30)) as pilot:
        screen = await shown(pilot)
        screen.player.timeline.advance(2_000)  # here, since the clock's own work on the run is here too
        screen.session.fork(1000, Change(parameters={"eta": 0.5}))
        for _ in range(3):
            rescue.look(pilot.app)
        mine = [name for name in sessions if name]
        screen.session.branches.rename(screen.session.branch, "another name")
        rescue.look(pilot.app)
        assert len(mine) < len(sessions) <= len(mine) + 2  # the app looks too
        assert "perceptron-blobs" in rescue.write()
        assert len(mine) <= 2  # this one's, and the app's own


@pytest.mark.parametrize("size", [(160, 48), (80, 24)])
async def test_the_offer_can_be_read_at_every_size(size: tuple[int, int], tmp_path: Path) -> None:
    rescue = Rescue(tmp_path)
    async with app(tmp_path).run_test(size=(100, 30)) as pilot:
        await forked(pilot)
        rescue.look(pilot.app)
        rescue.write()
    async with IterscopeApp(rescue=Rescue(tmp_path)).run_test(size=size) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, OfferRescued))
        await pilot.pause()
        text = "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())
        assert "1 fork of lloyd was not saved when iterscope last ended here." in text
        assert "delete it: lloyd-faithful.rescued.json" in text
        await pilot.press("escape")
        assert len(list(tmp_path.iterdir())) == 1
