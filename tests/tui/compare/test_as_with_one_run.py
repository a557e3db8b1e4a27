"""What works on one run works on several: breakpoints, exports, going back to one and to the comparison again."""

import csv
from pathlib import Path

import pytest
from textual.pilot import Pilot

from algorithms import Timeline, datasets, find
from algorithms.playback.cursor.breakpoints import Breakpoint
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import variant
from algorithms.saving.export.side_by_side import export_together
from tests.tui.compare.pilot import at, clusterings, screen, tinies, tiny
from tests.tui.pilot import text, until
from tui.app import IterscopeApp
from tui.screens.breakpoints import Breakpoints
from tui.screens.compare import CompareScreen
from tui.screens.export import ExportDialog
from tui.screens.stage import StageScreen


def minima() -> IterscopeApp:
    """Show a bad and a good minimum of k-means on iris."""
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("iris"), {"k": 3, "start": "rows", "seed": 7})
    return IterscopeApp(opened, against=[variant(opened, parameters="start=k-means++").timeline()])


async def test_a_breakpoint_stops_where_it_holds_in_any_run() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: "there are no breakpoints" in text(pilot, "#stories"))
        await pilot.press("b")
        await until(pilot, lambda: isinstance(pilot.app.screen, Breakpoints))
        await pilot.press(*"f < 1", "enter")
        await until(pilot, lambda: pilot.app.screen.query_one("#stops").option_count == 1)  # type: ignore[attr-defined]
        await pilot.press("escape")
        await until(pilot, at(pilot, 0, 0))
        firsts = [first_below(run.timeline) for run in screen(pilot).compared]
        assert firsts[1] < firsts[0]
        await pilot.press("right_square_bracket")
        await until(pilot, at(pilot, firsts[1], firsts[1]))
        await until(pilot, lambda: "B stops where f < 1" in text(pilot, "#stories"))
        await pilot.press("right_square_bracket")
        await until(pilot, at(pilot, firsts[0], firsts[0]))
        await until(pilot, lambda: "A stops where f < 1" in text(pilot, "#stories"))
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: "no breakpoint holds after this in any run" in text(pilot, "#stories"))
        await pilot.press("left_square_bracket")
        await until(pilot, at(pilot, firsts[1], firsts[1]))


def first_below(run: Timeline) -> int:
    run.run()
    t, values = run.curve("f")
    return int(t[values < 1][0])


async def test_a_breakpoint_that_only_one_run_knows_stops_there() -> None:
    async with clusterings().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        screen(pilot).session.breakpoints[:] = [Breakpoint("gap < 0.001")]
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: "B stops where gap < 0.001" in text(pilot, "#stories"))
        assert screen(pilot).together.followers[1].run.curve("gap")[1].min() < 0.001


async def exported(pilot: Pilot[None], row: int, path: Path) -> None:
    await pilot.press("e")
    await until(pilot, lambda: isinstance(pilot.app.screen, ExportDialog))
    pilot.app.screen.query_one("#kinds").highlighted = row  # type: ignore[attr-defined]
    await pilot.pause()
    pilot.app.screen.query_one("#file").value = str(path)  # type: ignore[attr-defined]
    pilot.app.screen.query_one("#file").focus()
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and path.exists())


async def test_the_comparison_is_exported(tmp_path: Path) -> None:
    async with minima().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("r")
        await until(pilot, lambda: "J ≤ J before" in text(pilot, "#abreast"))
        await exported(pilot, 2, tmp_path / "screen.txt")
        await until(pilot, lambda: "written: " in text(pilot, "#stories"))
        await exported(pilot, 1, tmp_path / "screen.svg")
        await exported(pilot, 0, tmp_path / "numbers.csv")
        runs = [run.timeline for run in screen(pilot).compared]
    words = (tmp_path / "screen.txt").read_text()
    assert "clusters, matched by the rows they share" in words
    assert "start k-means++" in words
    assert "start k-means++" in (tmp_path / "screen.svg").read_text().replace("&#160;", " ")
    rows = list(csv.DictReader((tmp_path / "numbers.csv").read_text().splitlines()))
    assert [row["run"] for row in rows] == ["A"] * len(runs[0]) + ["B"] * len(runs[1])
    last = [[row for row in rows if row["run"] == letter][-1] for letter in "AB"]
    assert [float(row["objective"]) for row in last] == [run.curve("objective")[1][-1] for run in runs]


def test_runs_of_two_algorithms_share_a_table_where_they_have_the_same_columns(tmp_path: Path) -> None:
    data = datasets.faithful.load()
    runs = [("A", Timeline(find("lloyd"), data, {"k": 2})), ("B", Timeline(find("gaussian_mixture"), data, {"k": 2}))]
    for _, run in runs:
        run.advance(4)
    path = tmp_path / "both.csv"
    assert list(export_together(path, runs))[-1] == pytest.approx(1.0)
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [row["t"] for row in rows if row["run"] == "A"] == [str(t) for t in range(len(runs[0][1]))]
    for row in rows:
        assert (row["mean log-likelihood"] == "") == (row["run"] == "A")


async def test_back_to_one_run_at_its_step_and_to_the_same_comparison_again() -> None:
    async with minima().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        compared = screen(pilot).compared
        await pilot.press("right", "right", "right", "right", "tab")
        await until(pilot, at(pilot, 4, 4))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        stage = pilot.app.screen
        assert isinstance(stage, StageScreen)
        await until(pilot, lambda: stage.player.t == 4)
        await pilot.press("right")
        await until(pilot, lambda: stage.player.t == 5)
        await pilot.press("c")
        await until(pilot, at(pilot, 5, 5))
        assert [run.timeline for run in screen(pilot).compared] == [run.timeline for run in compared]


async def test_good_and_bad_minima_have_clusters_of_their_own_colours_on_the_stages() -> None:
    async with minima().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("r")
        await until(pilot, lambda: "90 of 150 rows agree" in text(pilot, "#abreast"))
        first, second = text(pilot, "#pane-0 Stage"), text(pilot, "#pane-1 Stage")
        assert "■" in first
        assert "◆" not in first
        assert "◆" in second
        assert "■" not in second
        headings = [text(pilot, f"#pane-{i} PaneHeading") for i in range(2)]
        assert "objective 142.75" in headings[0]
        assert "objective 78.851 -44.8 %" in headings[1]
        await pilot.press("home")
        await until(pilot, at(pilot, 0, 0))
        await until(pilot, lambda: "142.75" not in text(pilot, "#pane-0 PaneHeading"))
        assert "objective" not in text(pilot, "#pane-0 PaneHeading"), "nothing is measured at the start"


async def test_the_table_is_scrolled_by_keys_where_it_is_longer_than_its_room() -> None:
    async with minima().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("r", "t")
        await until(pilot, lambda: "1 to 8 of" in text(pilot, "#abreast"))
        assert "where they are" not in text(pilot, "#abreast")
        await pilot.press("pagedown", "pagedown", "pagedown", "pagedown")
        await until(pilot, lambda: "where they are" in text(pilot, "#abreast"))
        await pilot.press("pageup", "pageup", "pageup", "pageup")
        await until(pilot, lambda: "1 to 8 of" in text(pilot, "#abreast"))


async def test_four_runs_stand_two_by_two_with_chart_and_table_at_their_right() -> None:
    async with tinies(tiny(eta=0.3), tiny(eta=0.2), tiny(eta=0.4)).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0, 0, 0))
        panes = [screen(pilot).query_one(f"#pane-{i}").region for i in range(4)]
        abreast = screen(pilot).query_one("#abreast").region
        assert panes[0].y == panes[1].y < panes[2].y == panes[3].y
        assert panes[0].x == panes[2].x < panes[1].x == panes[3].x
        assert abreast.x >= panes[1].right
        assert (abreast.y, abreast.bottom) == (panes[0].y, panes[3].bottom)
        shown = text(pilot, "#abreast").splitlines()
        assert next(i for i, line in enumerate(shown) if "━ D" in line) < next(
            i for i, line in enumerate(shown) if "theorems, both sides" in line
        )
        await pilot.press("3")
        await until(pilot, lambda: not screen(pilot).query_one("#stages").display)
        await pilot.press("3")
        await until(pilot, lambda: screen(pilot).query_one("#stages").display)
        table = next(i for i, line in enumerate(shown) if "theorems, both sides" in line)
        await pilot.click("#abreast", offset=(30, table))
        assert screen(pilot).together.place[0] == 0, "a click on the table goes nowhere"


async def test_a_question_is_about_the_run_in_hand_alone_and_the_comparison_comes_back() -> None:
    async with clusterings().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "tab")
        await until(pilot, at(pilot, 2, 2))
        await pilot.press("P")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen) and pilot.app.screen.asked is not None)
        stage = pilot.app.screen
        assert isinstance(stage, StageScreen)
        assert stage.quiz is not None
        assert stage.quiz.run.algorithm.name == "gaussian_mixture"
        assert stage.player.t == stage.player.timeline.last == 2
        await pilot.press("escape")
        await until(pilot, lambda: stage.quiz is None)
        await pilot.press("c")
        await until(pilot, at(pilot, 2, 2))


async def test_what_cannot_be_asked_is_said_in_the_comparison() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("P")
        await until(pilot, lambda: "A: this one has no questions" in text(pilot, "#stories"))
        assert isinstance(pilot.app.screen, CompareScreen)
