"""From one run to the comparison and back: the runs, the step and the keys that belong to one of the two."""

from algorithms import Change
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.run_session import RunSession
from tests.tiny import TINY, Rows
from tests.tui.compare.pilot import at, screen, tinies, tiny
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.screens.choose_runs import ChooseRuns
from tui.screens.compare import CompareScreen
from tui.screens.stage import StageScreen


async def test_a_fork_stands_beside_its_parent() -> None:
    parent = tiny(steps=40)
    parent.advance(20)
    fork = parent.fork(10, eta=0.4)
    async with IterscopeApp(LoadedRun.checked(TINY, Rows(), {})).run_test(size=(160, 48)) as pilot:
        session = RunSession(LoadedRun.checked(TINY, Rows(), {}), 10)
        pilot.app.push_screen(CompareScreen(session, [ComparedRun("", parent), ComparedRun("steeper", fork)]))
        await until(pilot, at(pilot, 10, 10))
        f = next(line for line in text(pilot, "#abreast").splitlines() if " f " in line)
        assert "=" in f
        await pilot.press("right")
        await until(pilot, at(pilot, 11, 11))
        f = next(line for line in text(pilot, "#abreast").splitlines() if " f " in line)
        assert "=" not in f
        assert "steeper" in text(pilot, "#pane-1 PaneHeading")


async def test_two_runs_that_there_are_stand_beside_each_other_at_once() -> None:
    async with IterscopeApp(LoadedRun.checked(TINY, Rows(), {})).run_test(size=(160, 48)) as pilot:
        stage = pilot.app.screen
        assert isinstance(stage, StageScreen)
        await pilot.press("right", "right")
        await until(pilot, lambda: stage.player.t == 2)
        stage.session.fork(2, Change(parameters={"eta": 0.3}), "steeper")
        await until(pilot, lambda: stage.session.branch.name == "steeper")
        await pilot.press("c")
        await until(pilot, at(pilot, 2, 2))
        assert "steeper" in text(pilot, "#pane-0 PaneHeading")  # the one in hand
        await pilot.press("right", "c")
        await until(pilot, lambda: pilot.app.screen is stage)
        await pilot.press("C")
        await until(pilot, lambda: isinstance(pilot.app.screen, ChooseRuns))
        assert pilot.app.screen.query_one("#entrants").option_count == 2  # type: ignore[attr-defined]


async def test_back_to_one_run() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(100, 30)) as pilot:
        for key in ("c", "escape"):
            await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
            await pilot.press(key)
            await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
            screen_before = pilot.app.screen
            assert isinstance(screen_before, StageScreen)
            screen_before.compare_with([tiny(eta=0.3)])


async def test_the_comparison_with_a_run_from_elsewhere_is_left_at_its_step_and_gone_back_to() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3, 3))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        stage = pilot.app.screen
        assert isinstance(stage, StageScreen)
        await until(pilot, lambda: stage.player.t == 3 and "step 3 of" in text(pilot, "#header"))
        assert "c goes back to the comparison" in text(pilot, "#narration")
        await pilot.press("c")
        await until(pilot, at(pilot, 3, 3))
        assert screen(pilot).compared[1].timeline.parameters["eta"] == 0.3


async def test_where_they_first_differ_is_gone_to_and_told() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("D")
        await until(pilot, at(pilot, 1, 1))
        await until(pilot, lambda: "They differ first at step 1 (step): " in text(pilot, "#stories"))
