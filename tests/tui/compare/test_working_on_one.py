"""The keys that work on one run work on the run in hand of several, and the others stay."""

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from algorithms import datasets, find
from algorithms.playback.comparison.compared_run import ComparedRun
from algorithms.playback.pictures.drawing import BLOB
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import variant
from tests.tui.compare.pilot import at, screen, tinies, tiny, worked_out
from tests.tui.pilot import stage, text, until
from tui.app import IterscopeApp
from tui.screens.adding_run import GivePlace, RunsThere
from tui.screens.ask_sweep import AskSweep
from tui.screens.catalogue import CatalogueScreen
from tui.screens.choose_data import ChooseData
from tui.screens.choose_runs import ChooseRuns
from tui.screens.compare import CompareScreen
from tui.screens.fork import Fork
from tui.screens.last_change import LastChange
from tui.screens.parameters import EditParameters
from tui.screens.stage import StageScreen
from tui.screens.theorem import TheoremScreen


def shows(pilot: Pilot[None], kind: type) -> bool:
    return isinstance(pilot.app.screen, kind)


async def typed(pilot: Pilot[None], field: str, value: str) -> None:
    pilot.app.screen.query_one(field, Input).value = value
    pilot.app.screen.query_one(field, Input).focus()
    await pilot.press("enter")


def etas(pilot: Pilot[None]) -> list[float]:
    return [run.timeline.parameters["eta"] for run in screen(pilot).compared]


async def test_parameters_and_forks_are_of_the_run_in_hand_and_the_others_stay() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        first = screen(pilot).compared[0].timeline
        await pilot.press("right", "right", "right", "tab", "p")
        await until(pilot, lambda: shows(pilot, EditParameters))
        assert pilot.app.screen.query_one("#p-eta", Input).value == "0.3"
        await typed(pilot, "#p-eta", "0.45")
        await until(pilot, lambda: shows(pilot, CompareScreen) and etas(pilot) == [0.1, 0.45])
        await until(pilot, at(pilot, 3, 3))
        assert screen(pilot).compared[0].timeline is first
        assert screen(pilot).current == 1
        assert "B is another run" in text(pilot, "#stories")

        for eta, letter in (("0.2", "C"), ("0.25", "D")):  # of the run in hand, and so of the fork before
            await pilot.press("f")
            await until(pilot, lambda: shows(pilot, Fork))
            await typed(pilot, "#p-eta", eta)
            await until(pilot, lambda letter=letter: shows(pilot, CompareScreen) and f"it is {letter}" in text(pilot))
        assert etas(pilot) == [0.1, 0.45, 0.2, 0.25]
        assert [run.timeline.begin for run in screen(pilot).compared] == [0, 0, 3, 3]

        await pilot.press("f")
        await until(pilot, lambda: shows(pilot, Fork))
        await typed(pilot, "#p-eta", "0.35")
        await until(pilot, lambda: shows(pilot, GivePlace))
        await pilot.press("escape")
        await until(pilot, lambda: shows(pilot, CompareScreen))
        assert etas(pilot) == [0.1, 0.45, 0.2, 0.25]
        await pilot.press("B")
        await until(pilot, lambda: shows(pilot, RunsThere))
        listed = pilot.app.screen.query_one("#others")
        listed.highlighted = listed.option_count - 1  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: shows(pilot, GivePlace))
        await pilot.press("down", "enter")
        await until(pilot, lambda: shows(pilot, CompareScreen) and etas(pilot) == [0.1, 0.35, 0.2, 0.25])
        await until(pilot, at(pilot, 3, 3, 3, 3))
        assert screen(pilot).current == 1
        assert screen(pilot).session.unsaved == "3 forks are not saved."


async def test_an_edit_is_made_where_the_run_is_alone_and_its_fork_comes_back_with_c() -> None:
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {"k": 2})
    other = variant(opened, parameters="k=3")
    app = IterscopeApp(opened, against=[ComparedRun("", other.timeline(), other)])
    async with app.run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "tab")
        await until(pilot, at(pilot, 2, 2))
        await pilot.press("i")
        await until(pilot, lambda: shows(pilot, StageScreen) and stage(pilot).editing)
        assert stage(pilot).player.t == 2
        assert stage(pilot).player.timeline.parameters["k"] == 3
        await pilot.press("o")
        await until(pilot, lambda: len(stage(pilot).session.branches.all) == 2)
        await pilot.press("c")
        await until(pilot, at(pilot, 2, 2, 2))
        assert [run.timeline.data.n for run in screen(pilot).compared] == [272, 272, 272 + BLOB]
        assert screen(pilot).current == 2
        await pilot.press("escape")
        await until(pilot, lambda: shows(pilot, StageScreen))
        assert not stage(pilot).editing
        await pilot.press("c")
        await until(pilot, at(pilot, 2, 2, 2))

        await pilot.press("R")
        await until(pilot, lambda: shows(pilot, AskSweep))
        await pilot.press("escape", "c")
        await until(pilot, at(pilot, 2, 2, 2))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "C is of the catalogue" in text(pilot, "#stories"))


async def test_data_are_of_the_run_in_hand_and_runs_are_chosen_anew() -> None:
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {"k": 2})
    app = IterscopeApp(opened, against=[variant(opened, parameters="k=3").timeline()])
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "tab", "d")
        await until(pilot, lambda: shows(pilot, ChooseData))
        await typed(pilot, "#path", "iris")
        await until(pilot, lambda: shows(pilot, CompareScreen))
        runs = [run.timeline for run in screen(pilot).compared]
        assert [(run.data.name, run.parameters["k"]) for run in runs] == [("faithful", 2), ("iris", 3)]
        await until(pilot, at(pilot, 2, 2))

        await pilot.press("s")
        await until(pilot, lambda: screen(pilot).query_one("#source").display)
        await until(pilot, lambda: "▸" in text(pilot, "#source"))
        before = text(pilot, "#source")
        assert "yield state" in before
        await pilot.press("right")
        await until(pilot, lambda: text(pilot, "#source") != before)
        await pilot.press("left", "y")
        await until(pilot, lambda: shows(pilot, LastChange))
        await typed(pilot, "#what", "iteration")
        await until(pilot, lambda: "iteration" in text(pilot, "#stories") and "B: " in text(pilot, "#stories"))

        await pilot.press("C")
        await until(pilot, lambda: shows(pilot, ChooseRuns))
        assert pilot.app.screen.query_one("#entrants").option_count == 2  # type: ignore[attr-defined]
        await typed(pilot, "#r-parameters", "k=4")
        await until(pilot, lambda: pilot.app.screen.query_one("#entrants").option_count == 3)  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, lambda: shows(pilot, CompareScreen) and len(screen(pilot).compared) == 3)
        runs = [run.timeline for run in screen(pilot).compared]
        assert [run.parameters["k"] for run in runs] == [2, 3, 4]
        assert screen(pilot).current == 1
        assert screen(pilot).query_one("#source").display
        await pilot.press("a")
        await until(pilot, lambda: shows(pilot, CatalogueScreen))
        await pilot.press("escape")
        await until(pilot, lambda: shows(pilot, CompareScreen))


async def test_a_theorem_of_the_run_in_hand_is_opened_and_all_runs_step_there() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await worked_out(pilot)
        await pilot.press("tab", "enter")
        await until(pilot, lambda: shows(pilot, TheoremScreen))
        await pilot.press("right", "right")
        await until(pilot, lambda: "B   step 2 of 30" in text(pilot))
        assert "0.410      ≤       2.560" in text(pilot)  # f = (4 · 0.4²)² of B; that of A is 2.684
        await pilot.press("escape")
        await until(pilot, at(pilot, 2, 2))


async def test_an_edited_file_is_loaded_again_beside_what_it_was(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    source = "def halving(data, state=None):\n    for i in range(9):\n        yield {{'x': {start} / 2**i}}\n"
    mine.write_text(source.format(start=8.0))
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {"k": 2})
    other = variant(opened, str(mine))
    app = IterscopeApp(opened, against=[ComparedRun("", other.timeline(), other)])
    async with app.run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        before = [run.timeline for run in screen(pilot).compared]
        await pilot.press("tab")
        await pilot.pause()
        mine.write_text(source.format(start=6.0))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: screen(pilot).compared[1].timeline is not before[1])
        assert screen(pilot).compared[0].timeline is before[0]
        await pilot.press("right")
        await until(pilot, at(pilot, 1, 1))
        assert screen(pilot).compared[1].timeline.curve("x")[1][0] == 6.0
