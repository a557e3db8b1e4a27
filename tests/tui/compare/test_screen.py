"""The compare screen: its keys move and change what they say, for two runs and more, at every size."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import astuple
from textual.pilot import Pilot

from algorithms import Refused, datasets, find, load
from algorithms.playback.comparison.alignment import ByTime
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.variant import against, variant
from tests.tiny import TINY, Rows
from tests.tui.compare.pilot import at, clusterings, screen, tinies, tiny, worked_out
from tests.tui.pilot import SIZES, still, text, until
from tui.app import IterscopeApp
from tui.look import printed
from tui.screens.choose_runs import ChooseRuns
from tui.screens.compare import CompareScreen
from tui.screens.stage import StageScreen
from tui.sections.key_groups import NAMED
from tui.widgets.stage import Stage


@pytest.mark.parametrize("size", SIZES)
async def test_two_runs_are_shown_with_all_that_is_known_of_them(size: tuple[int, int]) -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0, 0))
        shown = text(pilot)
        for words in ("Tiny descent", "two rows", "steps 30", "eta 0.1", "eta 0.3", "f(x) = x²", "aligned by step"):
            assert words in shown
        await pilot.press("2")
        await until(pilot, lambda: "━ B 16" in text(pilot, "#abreast"))
        await pilot.press("3")
        await until(pilot, lambda: "theorems" in text(pilot, "#abreast"))
        await pilot.press("1")
        await until(pilot, lambda: "x is 4.000" in text(pilot))


async def test_the_keys_move_both() -> None:
    async with tinies(tiny(steps=12, eta=0.3)).run_test(size=(160, 48)) as pilot:
        for keys, there in (
            (["right", "l"], (2, 2)),
            (["left"], (1, 1)),
            (["shift+right"], (5, 5)),
            (["n"], (10, 10)),
            (["n"], (15, 12)),
            (["N"], (10, 10)),
            (["H"], (5, 5)),
            (["L"], (10, 10)),
            (["end"], (30, 12)),
            (["h"], (29, 12)),
            (["home"], (0, 0)),
            (["r"], (30, 12)),
            (["0"], (0, 0)),
            (["dollar_sign"], (30, 12)),
        ):
            await pilot.press(*keys)
            await until(pilot, at(pilot, *there))
        assert "ended at step 12, holds" in text(pilot)


async def test_it_plays_and_pauses() -> None:
    async with tinies(tiny(steps=900), steps=1000).run_test(size=(100, 30)) as pilot:
        await pilot.press("plus", "plus", "plus", "space")
        await until(pilot, lambda: screen(pilot).together.place[0] > 5)
        await pilot.press("minus", "space")
        assert not screen(pilot).together.playing
        t = int(screen(pilot).together.place[0])
        await until(pilot, at(pilot, t, t))


async def test_the_alignment_goes_round() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(160, 48)) as pilot:
        await pilot.press("right", "right", "u")
        await until(pilot, lambda: "aligned by iteration" in text(pilot, "#top"))
        await pilot.press("L")
        await until(pilot, at(pilot, 4, 4))
        await pilot.press("u")
        await until(pilot, lambda: "aligned by time spent" in text(pilot, "#top"))
        await until(pilot, lambda: screen(pilot).together.followers[0].player.t == 4)
        assert "of processor time" in text(pilot, "#tracks")
        await pilot.press("u")
        await until(pilot, lambda: "aligned by step" in text(pilot, "#top"))
        await until(pilot, at(pilot, 4, 4))


async def test_what_was_looked_for_is_said_no_more_when_the_runs_stand_there_already(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    later = [True]  # as on a machine that does other things: steps are timed in time, and here as fast as each other
    monkeypatch.setattr(ByTime, "key", lambda self, run, t: None if later else (float(t), 0.0))
    monkeypatch.setattr(ByTime, "position", lambda self, run, place: int(place[0]))
    async with tinies(tiny(eta=0.3)).run_test(size=(160, 48)) as pilot:
        await pilot.press("right", "right", "u")
        await until(pilot, lambda: "aligned by iteration" in text(pilot, "#top"))
        await until(pilot, at(pilot, 2, 2))
        await pilot.press("u")
        await until(pilot, lambda: "looking for this step by time spent" in text(pilot, "#top"))
        later.clear()
        await until(pilot, lambda: "aligned by time spent" in text(pilot, "#top"))
        assert at(pilot, 2, 2)()


async def test_going_to_a_step_and_an_iteration() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(100, 30)) as pilot:
        await pilot.press("g", "1", "7", "enter")
        await until(pilot, at(pilot, 17, 17))
        await pilot.press("u", "g")
        await until(pilot, lambda: "Go to iteration" in str(pilot.app.screen.query_one(".heading").render()))
        await pilot.press("2", "enter")
        await until(pilot, at(pilot, 14, 14))


async def test_the_timeline_and_the_chart_are_clicked() -> None:
    async with tinies(tiny(steps=20), steps=20).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await worked_out(pilot)
        await still(pilot)
        await pilot.click("#tracks", offset=(156, 0))
        await until(pilot, at(pilot, 20, 20))
        await pilot.click("#tracks", offset=(4, 1))
        await until(pilot, at(pilot, 0, 0))
        await pilot.click("#abreast", offset=(76, 6))
        await until(pilot, at(pilot, 20, 20))


async def test_a_run_is_taken_in_hand() -> None:
    async with tinies(tiny(eta=0.3), tiny(eta=0.2)).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0, 0))
        for keys, hand in ((["tab"], 1), (["tab", "tab"], 0), (["shift+tab"], 2)):
            await pilot.press(*keys)
            assert screen(pilot).current == hand
            assert "▸" in text(pilot, f"#pane-{hand} PaneHeading")
        await pilot.click("#pane-1")
        await until(pilot, lambda: screen(pilot).current == 1)


async def test_two_algorithms_on_the_same_data_have_the_same_axes() -> None:
    async with clusterings().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3, 3))

        def limits() -> list[Any]:
            plots = [stage.plot for stage in pilot.app.screen.query(Stage)]
            return [plot.limits for plot in plots if plot is not None]

        whole = limits()
        assert whole[0] == whole[1]
        await pilot.press("tab", "z")
        await until(pilot, lambda: "zoomed" in text(pilot, "#pane-0 Stage"))
        assert limits()[0] == limits()[1] != whole[0]
        await pilot.press("alt+up", "alt+right", "alt+down", "Z", "w")
        await until(pilot, lambda: "zoomed" not in text(pilot, "#pane-0 Stage"))
        assert limits() == whole
        shown = text(pilot, "#abreast")
        assert "objective" in shown
        assert "log-likelihood" in shown


async def test_units_are_equal_for_all_when_they_are_for_one() -> None:
    opened = LoadedRun.checked(find("smo"), datasets.recipe("blobs"), {})
    app = IterscopeApp(opened, against=[variant(opened, "perceptron").timeline()])
    async with app.run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        first, second = (stage.plot for stage in pilot.app.screen.query(Stage))
        assert first is not None
        assert second is not None
        assert astuple(first.limits) == pytest.approx(astuple(second.limits))
        assert first.canvas.columns == second.canvas.columns


async def test_another_plane_is_for_both() -> None:
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("iris"), {})
    app = IterscopeApp(opened, against=[variant(opened, parameters="k=2").timeline()])
    async with app.run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        before = [text(pilot, f"#pane-{i} Stage") for i in (0, 1)]
        await pilot.press("v", "down", "enter")
        await until(pilot, lambda: all(text(pilot, f"#pane-{i} Stage") != before[i] for i in (0, 1)))
        first, second = screen(pilot).viewers
        assert first.plane is second.plane


async def test_the_next_curve_and_the_next_panel() -> None:
    opened = LoadedRun.usual(find("perceptron"))
    app = IterscopeApp(opened, against=[variant(opened, parameters="eta=0.1").timeline()])
    async with app.run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await until(pilot, lambda: "x: 1 of" in text(pilot, "#abreast"))
        curve, panels = text(pilot, "#abreast"), [text(pilot, f"#pane-{i} Stage") for i in (0, 1)]
        await pilot.press("x")
        await until(pilot, lambda: text(pilot, "#abreast") != curve)
        await pilot.press("tab", "m")
        await until(pilot, lambda: text(pilot, "#pane-1 Stage") != panels[1] or "one panel" in text(pilot))
        assert text(pilot, "#pane-0 Stage") == panels[0]


def shown(pilot: Pilot[None], part: str, there: bool) -> Callable[[], bool]:
    return lambda: screen(pilot).query_one(part).display == there


async def test_what_is_shown_alone() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        for key, view in (("1", "stages"), ("1", "all"), ("2", "chart"), ("3", "numbers"), ("3", "all")):
            await pilot.press(key)
            assert screen(pilot).view == view
            await until(pilot, shown(pilot, "#stages", view in ("all", "stages")))
            await until(pilot, shown(pilot, "#abreast", view != "stages"))


async def test_the_part_under_the_stages_is_changed() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "x²" in text(pilot, "#abreast"))
        await pilot.press("t")
        await until(pilot, lambda: "theorems" in text(pilot, "#abreast"))
        await pilot.press("t")
        await until(pilot, lambda: "theorems" not in text(pilot, "#abreast"))


async def test_tabs_are_clicked_where_there_is_room_for_one_thing() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "3 numbers" in text(pilot, "#tabs"))
        await pilot.click("#tabs", offset=(24, 0))
        await until(pilot, lambda: "theorems" in text(pilot, "#abreast"))
        await pilot.press("t")
        await until(pilot, lambda: pilot.app.screen.query_one("#stages").display)


async def test_escape_stops_what_is_pursued_first() -> None:
    async with tinies(tiny(steps=90_000), steps=100_000).run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("r")
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, CompareScreen)
        assert not screen(pilot).together.seeks


async def test_all_keys_are_in_the_help() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(160, 60)) as pilot:
        keys = screen(pilot).all_bindings
        await pilot.press("question_mark")
        await until(pilot, lambda: not isinstance(pilot.app.screen, CompareScreen))
        await pilot.press("pagedown")
        await until(pilot, lambda: " keys " in text(pilot, "#help"))
        assert len(keys) > 30
        for binding in keys:
            assert printed(binding.key.split(",")[0])[-1] in text(pilot, "#help")
            assert binding.action.partition("(")[0] in NAMED


@pytest.mark.parametrize("size", [(79, 24), (80, 23), (10, 3), (1, 1)])
async def test_too_small_a_window_says_so(size: tuple[int, int]) -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=size) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await until(pilot, lambda: pilot.app.screen.query_one("#too_small").display)
        assert not pilot.app.screen.query_one("#stages").display


async def test_a_slow_run_is_worked_on_in_a_thread_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = tiny(steps=50)
    monkeypatch.setattr(Player, "slow", property(lambda player: player.timeline is slow))
    async with tinies(slow, steps=50).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0, 0))
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3, 3))
        await pilot.press("left", "n", "end")
        await until(pilot, at(pilot, 50, 50))


# Choosing the runs


async def choosing(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
    await pilot.press("c")
    await until(pilot, lambda: isinstance(pilot.app.screen, ChooseRuns))


async def test_a_run_with_other_parameters_is_chosen() -> None:
    async with IterscopeApp(LoadedRun.checked(TINY, Rows(), {"steps": 9})).run_test(size=(100, 30)) as pilot:
        await pilot.press("right", "right")
        await choosing(pilot)
        pilot.app.screen.query_one("#r-parameters").focus()
        await pilot.press(*"eta=0.2", "enter")
        await until(pilot, lambda: pilot.app.screen.query_one("#entrants").option_count == 2)  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, at(pilot, 2, 2))
        runs = [run.timeline for run in screen(pilot).compared]
        assert [run.parameters["eta"] for run in runs] == [0.1, 0.2]
        assert [run.parameters["steps"] for run in runs] == [9, 9]


async def test_another_algorithm_and_other_data_are_chosen() -> None:
    async with IterscopeApp(LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {})).run_test(
        size=(100, 30)
    ) as pilot:
        await choosing(pilot)
        await pilot.press(*"gaussian_mixture", "enter")
        await until(pilot, lambda: pilot.app.screen.query_one("#entrants").option_count == 2)  # type: ignore[attr-defined]
        pilot.app.screen.query_one("#r-data").focus()
        await pilot.press(*"iris", "space", *"scale=yes", "enter")
        await until(pilot, lambda: pilot.app.screen.query_one("#entrants").option_count == 3)  # type: ignore[attr-defined]
        pilot.app.screen.query_one("#entrants").focus()
        await pilot.press("down", "down", "space", "enter")
        await until(pilot, at(pilot, 0, 0))
        names = [run.timeline.algorithm.name for run in screen(pilot).compared]
        assert set(names) == {"lloyd", "gaussian_mixture"} or len(names) == 2
        assert pilot.app.screen.compared[-1].timeline.data.inputs.scaled  # type: ignore[attr-defined]


async def test_what_cannot_be_had_is_refused_in_words() -> None:
    async with IterscopeApp(LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {})).run_test(
        size=(100, 30)
    ) as pilot:
        await choosing(pilot)

        def complaint() -> str:
            return str(pilot.app.screen.query_one(".trouble").render())

        await pilot.press("enter")
        await until(pilot, lambda: "second run" in complaint())
        await pilot.press(*"perceptron", "enter")
        await until(pilot, lambda: "Perceptron learns classes" in complaint())
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))


def test_a_run_against_takes_along_what_it_knows() -> None:
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {"k": 4, "sweeps": 7})
    other = against(opened, "gaussian_mixture")
    assert other.parameters == {"k": 4}
    assert other.data is opened.data
    same = against(opened, ":k=2, seed=3")
    assert same.algorithm is opened.algorithm
    assert same.parameters == {"k": 2, "sweeps": 7, "seed": 3}
    assert against(opened, "lloyd:k=5").parameters["k"] == 5
    assert variant(opened, data="iris").data.name == "iris"


@pytest.mark.parametrize("text", ["lloyd:k", "lloyds", "lloyd:k=0", "perceptron", ":colour=3"])
def test_what_cannot_stand_against_is_refused(text: str) -> None:
    opened = LoadedRun.checked(find("lloyd"), datasets.recipe("faithful"), {})
    with pytest.raises(Refused):
        against(opened, text)


async def test_a_readers_own_generator_stands_beside_another() -> None:
    spec = str(Path(__file__).parents[3] / "demos" / "kmeans_of_a_student.py")
    own = LoadedRun.checked(load(spec, apart=True), datasets.recipe("iris"), {}, spec)
    async with IterscopeApp(own, against=[variant(own, "lloyd").timeline()]).run_test(size=(160, 48)) as pilot:
        await until(
            pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and "the data" in text(pilot, "#pane-0 Stage")
        )
        await pilot.press("right", "right")
        await until(pilot, at(pilot, 2, 2))
        await until(pilot, lambda: screen(pilot).pictures[0].frame.t == 2)  # type: ignore[union-attr]
        await pilot.press("u", "u")
        await until(pilot, lambda: "cannot be timed" in text(pilot, "#stories"))
        assert "aligned by step" in text(pilot, "#top")
