"""What is asked for by name is in front: a theorem, a chart, the hall; a session keeps them."""

from pathlib import Path

import pytest

from algorithms import Opening
from algorithms.playback.runs.request import read
from tests.tui.pilot import stage, text, until
from tui.app import IterscopeApp
from tui.screens.theorem import TheoremScreen

COMMAND = ["gaussian_mixture", "--data", "faithful", "--columns", "waiting", "-p", "seed=3", "--at", "4"]


def asked(*words: str) -> IterscopeApp:
    request = read("python -m tui", [*COMMAND, *words])
    return IterscopeApp(request.opened, request.player, request.at, front=request.front)


async def test_a_chart_and_a_theorem_are_in_front() -> None:
    async with asked("--chart", "gap").run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "gap" in text(pilot, "#side").splitlines()[1])
    async with asked("--theorem", "neither step lowers F").run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "neither step lowers F" in text(pilot, "#side"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        await until(pilot, lambda: "neither step lowers F" in text(pilot))


async def test_the_hall_is_laid_out_with_the_theorem_that_was_asked_for() -> None:
    async with asked("--hall", "--theorem", "F touches").run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "touches log L" in text(pilot, "#big"))
        assert stage(pilot).lecturing
        await pilot.press("right")
        await until(pilot, lambda: stage(pilot).player.t == 5)
        assert "touches log L" in text(pilot, "#big")
        await pilot.press("F")
        await until(pilot, lambda: not stage(pilot).lecturing)


async def test_a_session_of_one_run_keeps_the_hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with asked("--hall", "--theorem", "F touches", "--chart", "gap").run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "touches log L" in text(pilot, "#big"))
        await pilot.press("1")
        await until(pilot, lambda: pilot.app.screen.query_one("#sides").display)
        assert stage(pilot).session.save(tmp_path / "kept.json", stage(pilot).view_now())
    opening = Opening(tmp_path / "kept.json")
    opening.work()
    async with IterscopeApp(session=opening).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "touches log L" in text(pilot, "#big"))
        assert stage(pilot).lecturing
        assert pilot.app.screen.query_one("#sides").display
        await pilot.press("x")
        await until(pilot, lambda: not pilot.app.screen.query_one("#sides").display)
        assert "gap" in text(pilot, "#side")


async def test_a_session_with_a_theorem_that_there_is_no_more_opens_in_the_hall(tmp_path: Path) -> None:
    async with asked("--hall", "--theorem", "F touches").run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "touches log L" in text(pilot, "#big"))
        view = stage(pilot).view_now()
        view["hall"]["theorem"] = "a statement of another version"
        assert stage(pilot).session.save(tmp_path / "kept.json", view)
    opening = Opening(tmp_path / "kept.json")
    opening.work()
    async with IterscopeApp(session=opening).run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: "█" in text(pilot, "#big"))
        assert stage(pilot).lecturing
