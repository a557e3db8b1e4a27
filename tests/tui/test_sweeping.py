"""Many runs on the screen: asked for, filling a chart, opened, compared, cancelled, exported."""

import csv
import re
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Select

from algorithms import datasets, find
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import SIZES, app, at, stage, text, until, worked_out
from tui.app import IterscopeApp
from tui.export.cells import shown as cells_of
from tui.screens.ask_sweep import AskSweep
from tui.screens.compare import CompareScreen
from tui.screens.stage import StageScreen
from tui.screens.sweep import SweepScreen

ROWS = {"k": 3, "start": "rows"}


def lloyd(**parameters: object) -> IterscopeApp:
    return IterscopeApp(LoadedRun.checked(find("lloyd"), datasets.iris, {**ROWS, **parameters}))


async def begun(pilot: Pilot[None], values: str, over: str = "", each: str = "") -> SweepScreen:
    """Ask for runs, and begin them."""
    await pilot.pause()
    await pilot.press("R")
    await until(pilot, lambda: isinstance(pilot.app.screen, AskSweep))
    asking = pilot.app.screen
    if over:
        asking.query_one("#over", Select).value = over
        await pilot.pause()
    asking.query_one("#values", Input).value = values
    if each:
        asking.query_one("#each", Input).value = each
    asking.query_one("#values", Input).focus()
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, SweepScreen))
    screen = pilot.app.screen
    assert isinstance(screen, SweepScreen)
    return screen


async def test_a_histogram_fills_and_the_ends_are_opened_beside_each_other_in_one_key() -> None:
    async with lloyd().run_test(size=SIZES[0]) as pilot:
        await until(pilot, at(pilot, 0))
        await worked_out(pilot)  # the run in hand is among them by its end
        await begun(pilot, "0:14")
        await until(pilot, lambda: "14 of 14 runs, all done" in text(pilot))
        for size in SIZES:
            await pilot.resize_terminal(*size)
            for words in ("↑ runs", "objective →", "from 78.85", "◆ the run in hand: 78.86", "▼◆"):
                await until(pilot, lambda words=words: words in text(pilot), f"{words} at {size}")  # type: ignore[misc]
            cells = cells_of(pilot.app.screen, 0)
            assert cells.glyphs.shape == size[::-1]
            inks = (cells.styles[cells.glyphs == ord("◆")] >> 24 & 0xFFFFFF).tolist()
            assert len(inks) == 2, size
            assert len(set(inks)) == 1, f"the run in hand has one colour, in the chart and in its words, at {size}"
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        runs = [run.timeline for run in stage_of(pilot).session.side_by_side.runs]
        await until(pilot, lambda: all(run.stopped for run in runs))
        objectives = [run.curve("objective")[1][-1] for run in runs]
        assert objectives == pytest.approx([78.85, 145.5], abs=3)
        await pilot.press("escape", "R")
        await until(pilot, lambda: isinstance(pilot.app.screen, SweepScreen))
        assert "14 of 14 runs" in text(pilot)


def stage_of(pilot: Pilot[None]) -> StageScreen:
    return next(screen for screen in pilot.app.screen_stack if isinstance(screen, StageScreen))


async def test_the_chosen_run_is_opened_in_place_of_the_one_in_hand() -> None:
    async with lloyd().run_test(size=(100, 30)) as pilot:
        screen = await begun(pilot, "0:14")
        await until(pilot, lambda: "14 of 14 runs" in text(pilot))
        await pilot.press("end", "up", "down")
        chosen = screen._swept.chosen
        assert chosen is not None
        worst = screen._swept.value(chosen)
        assert f"▼ seed {chosen}: {worst:.6g}" in text(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert stage(pilot).player.timeline.parameters["seed"] == chosen
        await worked_out(pilot)
        await pilot.press("R")
        await until(pilot, lambda: isinstance(pilot.app.screen, SweepScreen))
        assert f"◆ the run in hand: {worst:.4g}" in text(pilot)


async def test_a_click_on_a_bar_opens_a_run_of_it() -> None:
    async with lloyd().run_test(size=(160, 48)) as pilot:
        screen = await begun(pilot, "0:14")
        await until(pilot, lambda: "14 of 14 runs" in text(pilot))
        view = screen._view
        last = max(column for column, group in enumerate(view._groups) if group == max(view._groups))
        await pilot.click("#swept", offset=(view._left + last, 20))
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        run = await worked_out(pilot)
        assert run.curve("objective")[1][-1] > 142


async def test_two_marked_runs_stand_side_by_side() -> None:
    async with lloyd().run_test(size=(160, 48)) as pilot:
        screen = await begun(pilot, "0:14")
        await until(pilot, lambda: "14 of 14 runs" in text(pilot))
        await pilot.press("end", "space", "home", "down", "space")
        marked = list(screen._swept.marked)
        assert len(marked) == 2
        assert f"A seed {marked[0]}:" in text(pilot)
        assert f"B seed {marked[1]}:" in text(pilot)
        await pilot.press("c")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        seeds = [run.timeline.parameters["seed"] for run in stage_of(pilot).session.side_by_side.runs]
        assert seeds == marked


async def test_escape_cancels_and_the_numbers_so_far_stay_and_are_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with lloyd().run_test(size=(100, 30)) as pilot:
        screen = await begun(pilot, "0:1000000")
        await until(pilot, lambda: screen._swept.columns.done >= 5)
        await pilot.press("escape")
        assert not screen._swept.running
        assert "of 1,000,000 runs, cancelled" in text(pilot)
        done = screen._swept.columns.done
        await pilot.press("e")
        await until(pilot, lambda: (tmp_path / "lloyd-runs.csv").exists())
        rows = list(csv.DictReader((tmp_path / "lloyd-runs.csv").read_text().splitlines()))
        assert done <= len(rows) <= screen._swept.columns.done, "those under way when it was cancelled count"
        assert float(rows[0]["objective"]) == screen._swept.value(int(rows[0]["run"]))
        await until(pilot, lambda: pilot.app.screen is screen and "written: lloyd-runs.csv" in text(pilot))
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, StageScreen)


async def test_the_run_in_hand_goes_on_while_the_others_are_made_and_they_end_with_the_app() -> None:
    async with lloyd().run_test(size=(100, 30)) as pilot:
        screen = await begun(pilot, "0:1000000")
        swept = screen._swept
        await until(pilot, lambda: swept.columns.done >= 2)
        await pilot.press("R")
        assert isinstance(pilot.app.screen, StageScreen)
        await pilot.press("right")
        assert stage(pilot).player.t == 1
        done = swept.columns.done
        await until(pilot, lambda: swept.columns.done > done)
        assert swept.running
    assert not swept.running
    assert swept.background._process.wait(20) is not None


async def test_a_curve_over_an_ordered_parameter_has_its_spread() -> None:
    async with lloyd().run_test(size=(100, 30)) as pilot:
        await begun(pilot, "2:6", over="k", each="4")
        await until(pilot, lambda: "16 of 16 runs" in text(pilot))
        await until(pilot, lambda: bool(re.search(r"k 2: 4 runs, the \w+ is chosen", text(pilot))))
        shown = text(pilot)
        assert "k →" in shown
        assert "↑ objective" in shown
        assert "the middle run" in shown
        await pilot.press("right", "right")
        assert "k 4: 4 runs" in text(pilot)
        await pilot.press("x")
        assert "↑ rows moved" in text(pilot)


async def test_a_logarithmic_axis_says_that_it_is_one_and_has_two_numbers_where_it_is_short() -> None:
    async with IterscopeApp(LoadedRun.usual(find("k_means_plus_plus"))).run_test(size=(100, 30)) as pilot:
        await begun(pilot, "0:20")
        await until(pilot, lambda: "20 of 20 runs, all done" in text(pilot))
        assert "objective, log →" in text(pilot)
        await pilot.press("x")
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "J after Lloyd, log →" in text(pilot))
            rows = text(pilot).splitlines()
            below = next(i for i, row in enumerate(rows) if "J after Lloyd, log →" in row) - 1
            assert len(re.findall(r"[\d.,]+", rows[below])) >= 2, size


async def test_the_words_of_runs_are_whole_and_a_value_without_a_dot_is_accounted_for() -> None:
    async with IterscopeApp(LoadedRun.usual(find("gradient_descent"))).run_test(size=SIZES[0]) as pilot:
        await begun(pilot, "bowl,rosenbrock,saddle", over="function")
        await until(pilot, lambda: "3 of 3 runs, all done" in text(pilot))
        await pilot.press("home")
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: "↑ excess, log" in text(pilot))
            words = " ".join(re.sub("[│▼]", " ", text(pilot)).split())
            assert "; 1 without a number that can be shown" in words, size
            assert "the slope is 0 to nine digits at (0, 0), the minimum" in words, size
            assert "◆ the run in hand" in words, size


async def test_words_that_are_swept_over_stand_under_the_axis() -> None:
    async with lloyd().run_test(size=(100, 30)) as pilot:
        await begun(pilot, "rows,k-means++,greedy", over="start", each="3")
        await until(pilot, lambda: "9 of 9 runs" in text(pilot))
        assert "rows" in text(pilot)
        assert "k-means++" in text(pilot)


async def test_what_is_swept_over_is_chosen_by_keys_with_values_that_suit_it() -> None:
    async with lloyd().run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        await pilot.press("R")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskSweep))
        await pilot.press("shift+tab", "space", "down", "enter")
        asking = pilot.app.screen
        await until(pilot, lambda: asking.query_one("#over", Select).value == "k")
        assert pilot.app.screen is asking
        assert asking.query_one("#values", Input).value == "1:11"
        assert asking.query_one("#each", Input).value == "20"
        assert "200 runs" in str(asking.query_one(".hint").render())


async def test_what_will_not_do_is_told_and_the_dialog_stays() -> None:
    async with lloyd().run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        await pilot.press("R")
        await until(pilot, lambda: isinstance(pilot.app.screen, AskSweep))
        asking = pilot.app.screen
        asking.query_one("#values", Input).value = "0:"
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, AskSweep)
        assert "is no range" in str(asking.query_one(".trouble").render())
        asking.query_one("#over", Select).value = "k"
        await pilot.pause()
        asking.query_one("#values", Input).value = "0,3"
        await pilot.pause()
        assert "k = '0' will not do" in str(asking.query_one(".trouble").render())


async def test_runs_that_cannot_be_made_are_told_on_the_chart() -> None:
    """The tiny run of the tests is in no catalogue, so no other process finds it."""
    async with app().run_test(size=(100, 30)) as pilot:
        await begun(pilot, "0.1,0.2", over="eta")
        await until(pilot, lambda: "there is no algorithm" in text(pilot))
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, StageScreen)
