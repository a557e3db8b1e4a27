"""The screen: keys do what they say, at every size; what is shown is what the run is at."""

from pathlib import Path

import pytest
from rich.color import Color
from textual.command import CommandPalette
from textual.containers import VerticalScroll
from textual.widgets import OptionList

from algorithms import find, names
from algorithms.core.catalogue import BEGIN
from algorithms.core.plane import planes
from algorithms.data import iris
from algorithms.playback.runs.loaded_run import LoadedRun
from algorithms.playback.runs.request import read
from tests.tui.pilot import SIZES, app, at, stage, still, text, until
from tui.app import IterscopeApp
from tui.look import printed
from tui.screens.go_to import GoTo
from tui.screens.stage import StageScreen
from tui.sections.key_groups import NAMED
from tui.widgets.raster import RasterView
from tui.widgets.track import Track


@pytest.mark.parametrize("size", SIZES)
async def test_everything_is_shown(size: tuple[int, int]) -> None:
    async with app().run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0))
        shown = text(pilot)
        for words in ("Tiny descent", "two rows", "x is 4.000 now.", "f(x) = x²", "step 0 of", "space", "keys"):
            assert words in shown
        await pilot.press("2")
        await until(pilot, lambda: "f never rises" in text(pilot, "#side"))
        await pilot.press("3")
        await until(pilot, lambda: "numbers" in text(pilot, "#side"))


async def test_the_keys_move_the_cursor() -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        for keys, t in (
            (["right", "l"], 2),
            (["left"], 1),
            (["shift+right"], 5),
            (["n"], 10),
            (["N"], 5),
            (["L"], 10),
            (["H"], 5),
            (["end"], 30),
            (["home"], 0),
            (["dollar_sign"], 30),
            (["h"], 29),
            (["r"], 30),
        ):
            await pilot.press(*keys)
            await until(pilot, at(pilot, t))


async def test_going_to_a_step() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await pilot.press("g", "1", "7", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await until(pilot, at(pilot, 17))
        await pilot.press("g", "x", "enter")
        assert not isinstance(pilot.app.screen, StageScreen)
        await pilot.press("escape")
        await until(pilot, at(pilot, 17))


async def test_the_clock_stands_while_a_dialog_is_in_front(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each tick of a screen behind a dialog would have both painted whole, again and again."""
    ticks: list[StageScreen] = []
    tick = StageScreen._tick

    def counted(screen: StageScreen) -> None:
        ticks.append(screen)
        tick(screen)

    monkeypatch.setattr(StageScreen, "_tick", counted)
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        behind = stage(pilot)
        await pilot.press("g")
        await until(pilot, lambda: isinstance(pilot.app.screen, GoTo))
        await until(pilot, lambda: not behind._ticking)  # one was on its way
        before = len(ticks)
        await pilot.pause(0.5)
        assert len(ticks) == before
        await pilot.press("escape")
        await until(pilot, lambda: len(ticks) > before + 2)


async def test_it_plays_and_pauses() -> None:
    async with app(steps=1000).run_test(size=(100, 30)) as pilot:
        await pilot.press("plus", "plus", "plus", "space")
        await until(pilot, lambda: stage(pilot).player.t > 5)
        await pilot.press("space")
        assert not stage(pilot).player.playing
        t = stage(pilot).player.t
        await until(pilot, at(pilot, t))


async def test_the_timeline_is_clicked() -> None:
    async with app(steps=20).run_test(size=(104, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        await still(pilot)
        await pilot.click("#track", offset=(101, 0))
        await until(pilot, at(pilot, 20))
        await pilot.click("#track", offset=(2, 0))
        await until(pilot, at(pilot, 0))


async def test_new_parameters_start_the_run_afresh() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await pilot.press("right", "right", "p")
        await until(pilot, lambda: not isinstance(pilot.app.screen, StageScreen))
        pilot.app.screen.query_one("#p-steps").focus()
        await pilot.press("end", *["backspace"] * 5, "7", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await until(pilot, lambda: "steps 7" in text(pilot, "#header"))
        assert stage(pilot).player.t == 2


async def test_a_wrong_parameter_is_refused_in_words() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await pilot.press("p")
        pilot.app.screen.query_one("#p-eta").focus()
        await pilot.press("end", *["backspace"] * 5, "9", "enter")
        assert not isinstance(pilot.app.screen, StageScreen)
        complaint = pilot.app.screen.query_one(".trouble").render()
        assert "eta" in str(complaint)


async def test_zoom_and_back() -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("z")
        await until(pilot, lambda: "zoomed" in text(pilot, "#stage"))
        await pilot.press("alt+right", "w")
        await until(pilot, lambda: "zoomed" not in text(pilot, "#stage"))


@pytest.mark.parametrize("size", [(79, 24), (80, 23), (10, 3), (1, 1)])
async def test_too_small_a_window_says_so(size: tuple[int, int]) -> None:
    async with app().run_test(size=size) as pilot:
        await until(pilot, lambda: pilot.app.screen.query_one("#too_small").display)
        assert not pilot.app.screen.query_one("#body").display


async def test_the_look_changes() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        dark = stage(pilot).query_one("#stage", RasterView)._shown
        pilot.app.action_look()  # type: ignore[attr-defined]
        assert dark is not None

        def light() -> bool:
            now = stage(pilot).query_one("#stage", RasterView)._shown
            return now is not None and bool((dark[1] != now[1]).mean() > 0.9)

        await until(pilot, light)


async def test_all_keys_are_in_the_help() -> None:
    async with app().run_test(size=(160, 60)) as pilot:
        keys = stage(pilot).all_bindings
        await pilot.press("question_mark")
        await until(pilot, lambda: not isinstance(pilot.app.screen, StageScreen))
        await pilot.press("pagedown")
        await until(pilot, lambda: " keys " in text(pilot, "#help"))
        for binding in keys:
            told = "1 … 7" if binding.action.startswith("section") else printed(binding.key.split(",")[0])[-1]
            assert told in text(pilot, "#help")
            assert binding.action.partition("(")[0] in NAMED
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, StageScreen)


async def test_it_can_be_read_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with app().run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0))
        lines = stage(pilot)._compositor.render_strips()
        assert len(lines) == 48
        for line in lines:
            for segment in line:
                assert segment.style is None or _grey(segment.style.color)
        await pilot.press("right", "question_mark")
        await pilot.pause(0.2)


def _grey(colour: Color | None) -> bool:
    return colour is None or colour.triplet is None or len(set(colour.triplet)) == 1


def opened(name: str) -> IterscopeApp:
    return IterscopeApp(LoadedRun.usual(find(name)))


async def test_other_data_start_the_run_afresh() -> None:
    async with opened("perceptron").run_test(size=(120, 40)) as pilot:
        await pilot.press("right", "d")
        await until(pilot, lambda: not isinstance(pilot.app.screen, StageScreen))
        pilot.app.screen.query_one("#path").focus()
        await pilot.press(*"blobs:n=44,margin=2", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert stage(pilot).player.timeline.data.n == 44
        await until(pilot, at(pilot, 0))


async def test_data_that_cannot_be_had_are_refused_in_words() -> None:
    async with opened("perceptron").run_test(size=(120, 40)) as pilot:
        await pilot.press("d")
        await until(pilot, lambda: not isinstance(pilot.app.screen, StageScreen))
        pilot.app.screen.query_one("#path").focus()
        await pilot.press(*"nowhere.csv", "enter")
        await until(pilot, lambda: "nowhere.csv" in str(pilot.app.screen.query_one(".trouble").render()))
        assert not isinstance(pilot.app.screen, StageScreen)


async def test_tab_stops_at_nothing_that_cannot_be_typed_in_or_chosen_from() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        for key, first in (("d", "recipes"), ("p", "p-eta")):
            await pilot.press(key)
            await pilot.pause()
            visited = []
            for _ in range(4):
                assert pilot.app.focused is not None
                visited.append(pilot.app.focused)
                await pilot.press("tab")
            assert visited[0].id == first
            assert not any(isinstance(widget, VerticalScroll) for widget in visited)
            await pilot.press("escape")


@pytest.mark.parametrize("width", [120, 160])
async def test_where_there_is_room_the_catalogue_has_whole_titles(width: int) -> None:
    async with IterscopeApp().run_test(size=(width, 36)) as pilot:
        await until(pilot, lambda: "enter" in text(pilot, "#keys"))
        await pilot.pause()
        listed = pilot.app.screen.query_one("#names", OptionList)
        room = listed.scrollable_content_region.width
        shown = [str(option.prompt).splitlines()[0].strip() for option in listed.options if option.id]
        assert shown[:6] == [find(name).title for name in BEGIN]
        assert all(len(find(name).title) + 6 <= room for name in names())


async def test_the_catalogue_plays_and_opens_what_is_in_hand() -> None:
    async with IterscopeApp().run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "step" in text(pilot, "#preview"))
        first = text(pilot, "#about")
        await pilot.press("down")
        await until(pilot, lambda: text(pilot, "#about") != first)
        await until(pilot, lambda: "step 2" in text(pilot, "#preview"))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await pilot.press("a", "escape")
        assert isinstance(pilot.app.screen, StageScreen)


async def test_a_click_before_anything_is_shown_does_no_harm() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        track = Track()
        await stage(pilot).mount(track)
        await pilot.click(track)
        assert pilot.app.is_running
        assert stage(pilot).player.t == 0


async def test_an_answer_given_twice_counts_once_and_closes_what_lies_over_it() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("g")
        await until(pilot, lambda: isinstance(pilot.app.screen, GoTo))
        dialog = pilot.app.screen
        assert isinstance(dialog, GoTo)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
        dialog.dismiss(3)
        dialog.dismiss(4)
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await until(pilot, at(pilot, 3))


async def test_a_file_that_fails_before_its_first_step_is_not_loaded_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def mine():\n    for i in range(9):\n        yield i\n")
    request = read("iterscope", [str(path)])
    async with IterscopeApp(request.opened, request.player).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "step 0 of" in text(pilot, "#header"))
        path.write_text("def mine():\n    x = 1 / 0\n    yield x\n")
        await pilot.press("ctrl+r")
        words = "not loaded, the run stays: it fails in line 2 before its first step: ZeroDivisionError"
        await until(pilot, lambda: words in " ".join(text(pilot, "#narration").split()))
        assert "for i in range(9)" in text(pilot, "#source")


async def test_a_plane_of_data_that_are_others_by_now_is_not_taken() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        before, others = stage(pilot).viewer.plane, iris.load()
        stage(pilot)._use_plane(planes(others)[1], others)
        assert stage(pilot).viewer.plane is before
        stage(pilot).redraw()
