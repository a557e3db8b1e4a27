"""The form of the parameters: enter chooses in an open choice, and on a closed one begins the run and nothing else."""

from textual.widgets import Select

from algorithms import datasets, find
from algorithms.playback.loaded_run import LoadedRun
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.screens.parameters import EditParameters
from tui.screens.stage import StageScreen


async def test_enter_on_an_open_choice_chooses_and_on_a_closed_one_begins_the_run() -> None:
    app = IterscopeApp(LoadedRun.checked(find("lloyd"), datasets.iris, {}))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "J = Σ" in text(pilot))
        await pilot.press("p")
        await until(pilot, lambda: isinstance(pilot.app.screen, EditParameters))
        choice = pilot.app.screen.query(Select).first()
        choice.focus()
        before = choice.value
        await pilot.press("space")
        await until(pilot, lambda: choice.expanded)
        await pilot.press("down", "enter")
        await until(pilot, lambda: not choice.expanded)
        assert isinstance(pilot.app.screen, EditParameters)
        assert choice.value != before
        await until(pilot, lambda: choice.has_focus)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await until(pilot, lambda: f"start {choice.value}" in text(pilot, "#header"))
        for _ in range(5):
            await pilot.pause(0.05)
            assert isinstance(pilot.app.screen, StageScreen)
