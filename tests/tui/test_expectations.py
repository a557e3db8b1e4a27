"""An expectation on the screen: a line beside the theorems, opened like one, worked out meanwhile, never a verdict."""

from algorithms import datasets
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.playback.few_runs import few_runs
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.screens.theorem import TheoremScreen


async def test_it_is_opened_and_its_mean_comes() -> None:
    with few_runs("k_means_plus_plus") as algorithm:
        app = IterscopeApp(LoadedRun.checked(algorithm, datasets.iris, {}))
        async with app.run_test(size=(160, 48)) as pilot:
            await until(pilot, lambda: "There is no mean yet" in text(pilot))
            await pilot.press("enter", "up")
            await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
            await until(pilot, lambda: "6 of 6 runs; a mean has an error, so it is no verdict" in text(pilot))
            assert "8 (ln k + 2) OPT" in text(pilot)
            assert " ± " in text(pilot)
            await pilot.press("escape", "2")
            await until(pilot, lambda: "6 of 6 runs: " in text(pilot))
            assert "E[ΣD²]" in text(pilot)
