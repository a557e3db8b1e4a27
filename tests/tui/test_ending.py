"""The end says what it leaves open, and what to try next, which a key opens."""

import pytest

from algorithms import find, names
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import at, stage, text, until
from tui.app import IterscopeApp
from tui.screens.stage import StageScreen


@pytest.mark.parametrize("size", [(160, 48), (120, 36), (80, 24)])
async def test_the_end_leaves_something_open_and_a_key_tries_it(size: tuple[int, int]) -> None:
    async with IterscopeApp(LoadedRun.usual(find("lloyd"))).run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("T")
        await until(pilot, lambda: "where a run has ended" in text(pilot, "#narration"))
        assert stage(pilot).player.t == 0
        await pilot.press("end")
        await until(pilot, lambda: "Try next" in text(pilot, "#narration"))
        shown = " ".join(text(pilot, "#narration").split())
        assert "The end: " in shown
        assert ("No theorem says that this minimum is the least." in shown) == (size[0] >= 120)
        assert "Try next: T start elsewhere, U two clusters." in shown
        first = stage(pilot)
        await pilot.press("U")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen) and pilot.app.screen is not first)
        await until(pilot, at(pilot, 0))
        assert stage(pilot).player.timeline.problem.parameters.k == 2


@pytest.mark.parametrize("name", names())
def test_every_algorithm_leaves_something_open_and_has_two_things_to_try_in_one_row(name: str) -> None:
    one = find(name)
    assert one.leaves_open.endswith(".")
    assert len(one.tries) == 2
    first, second = (words for words, _ in one.tries)
    assert len(f"Try next: T {first}, U {second}.") <= 64  # of 80 columns, where the phase stands before it
