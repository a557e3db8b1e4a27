"""The help begins with what is on the screen, and names all keys in groups; nothing is cut at any size."""

import pytest
from textual.pilot import Pilot

from algorithms import find
from algorithms.core.glossary import meaning
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import SIZES, app, at, stage, text, until
from tui.app import IterscopeApp
from tui.look import printed
from tui.paint.palette import DARK
from tui.screens.help import Help
from tui.sections.column.tabs import Tab
from tui.sections.signs import on_screen
from tui.widgets.column import Column


def lines(pilot: Pilot[None]) -> list[str]:
    return [strip.text for strip in pilot.app.screen._compositor.render_strips()]


@pytest.mark.parametrize("size", SIZES)
async def test_what_is_on_the_screen_comes_first_and_the_stage_stays_in_sight(size: tuple[int, int]) -> None:
    async with IterscopeApp(LoadedRun.usual(find("gaussian_mixture"))).run_test(size=size) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("right", "right", "right")
        await until(pilot, at(pilot, 3))
        await until(pilot, lambda: (picture := stage(pilot).picture) is not None and not picture.coarse)
        stage_before = [line[:36] for line in lines(pilot)[1:8]]
        await pilot.press("question_mark")
        await until(pilot, lambda: "what is on the screen" in text(pilot, "#help"))
        shown = text(pilot, "#help")
        for words in (
            "component 0",
            "what this step is about",
            "lower bound F",
            "the step in hand: 3",
            "full is equal",
        ):
            assert words in shown, words
        assert [line[:36] for line in lines(pilot)[1:8]] == stage_before
        await pilot.press("pagedown")
        await until(pilot, lambda: "Compare" in text(pilot, "#help"))
        keys = text(pilot, "#help")
        assert "…" not in keys.replace("1 … 7", "")  # nothing is cut
        for group in ("Move", "Look", "Change", "Keep"):
            assert group in keys
        await pilot.press("pagedown", "pagedown", "pagedown")
        await until(pilot, lambda: meaning("responsibility").sentence[:30] in text(pilot, "#help"))  # type: ignore[union-attr]
        await pilot.press("pageup", "pageup", "pageup")
        await until(pilot, lambda: "what is on the screen" in text(pilot, "#help"))


async def test_the_stage_never_goes_dark_while_the_help_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Help, "on_resize", lambda self: None)  # which comes after the first picture
    async with IterscopeApp(LoadedRun.usual(find("perceptron"))).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("question_mark")
        await until(
            pilot, lambda: isinstance(pilot.app.screen, Help) and pilot.app.screen.query_one("#help").region.width > 0
        )
        assert pilot.app.screen.has_class("beside")
        assert pilot.app.screen.query_one("#help").region.x > 60


async def test_the_count_of_tabs_without_room_is_explained() -> None:
    async with IterscopeApp(LoadedRun.usual(find("smo"))).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        further = next(tab for tab in pilot.app.screen.query_one(Column).tabs if tab.further)
        await pilot.press("question_mark")
        await until(pilot, lambda: f"{further.text} " in text(pilot, "#help"))
        assert f"{further.further} more tabs" in text(pilot, "#help")


async def test_one_tab_without_room_is_one() -> None:
    async with app().run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        run, picture = stage(pilot).player.timeline, stage(pilot).picture
        assert picture is not None
        for further, words in ((1, "1 more tab: t"), (2, "2 more tabs: t")):
            tabs = [Tab(4, "▸", True, 2, 7, further)]
            assert [sign.words for sign in on_screen(run, picture, None, (), DARK, tabs).signs["the charts"]] == [words]


async def test_letters_have_their_values_before_the_step_and_after() -> None:
    async with IterscopeApp(LoadedRun.usual(find("perceptron"))).run_test(size=(160, 48)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("right")
        await until(pilot, at(pilot, 1))
        await pilot.press("question_mark")
        await until(pilot, lambda: "0 → 1" in text(pilot, "#help"))  # m, the mistakes


async def test_two_answers_to_the_help_close_it_alone() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        help_screen = pilot.app.screen
        assert isinstance(help_screen, Help)
        help_screen.action_close()
        help_screen.action_close()
        await until(pilot, at(pilot, 0))
        assert len(pilot.app.screen_stack) == 2


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("left_square_bracket", "["),
        ("plus", "+"),
        ("question_mark", "?"),
        ("shift+right", "⇧→"),
        ("alt+left", "alt ←"),
        ("ctrl+s", "ctrl+s"),
        ("escape", "esc"),
        ("space", "space"),
        ("N", "N"),
        ("f1", "f1"),
    ],
)
def test_a_key_is_named_as_it_is_printed_on_the_keyboard(key: str, name: str) -> None:
    assert printed(key) == name
