"""The palette: every algorithm by name; answered once, and it closes itself only, however fast the keys come."""

import pytest
from textual import events
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from algorithms import find
from tests.sixty import plant
from tests.tui.pilot import app, at, until
from tui.screens.catalogue import CatalogueScreen
from tui.screens.last_change import LastChange
from tui.screens.stage import StageScreen
from tui.screens.theorem import TheoremScreen


async def palette(pilot: Pilot[None], typed: str = "") -> CommandPalette:
    await until(pilot, at(pilot, 0))
    await pilot.press("ctrl+p")
    await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
    screen = pilot.app.screen
    assert isinstance(screen, CommandPalette)
    await until(pilot, lambda: screen.query_one(OptionList).option_count > 0)
    if typed:
        screen.query_one(Input).value = typed
        await until(pilot, lambda: typed in str(first_option(screen)).casefold())
    return screen


def first_option(screen: CommandPalette) -> object:
    options = screen.query_one(OptionList).options
    return options[0].prompt if options else ""


def in_one_read(pilot: Pilot[None], *keys: str) -> None:
    """Send keys as a terminal does that had them all waiting."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))


def click_in_one_read(pilot: Pilot[None], times: int) -> None:
    """Click beside the palette so many times at once."""
    x, y = pilot.app.size.width - 1, pilot.app.size.height - 1
    for _ in range(times):
        for kind in (events.MouseDown, events.MouseUp):
            pilot.app.post_message(kind(None, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y))


async def still_whole(pilot: Pilot[None]) -> None:
    """The stage is there, and what is not saved is asked about."""
    for _ in range(5):
        await pilot.pause()
    assert pilot.app.is_running
    assert [type(screen) for screen in pilot.app.screen_stack[1:]] == [StageScreen]


async def test_two_clicks_beside_it_close_it_alone() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await palette(pilot)
        click_in_one_read(pilot, 2)
        await until(pilot, lambda: not isinstance(pilot.app.screen, CommandPalette))
        await still_whole(pilot)


async def test_two_escapes_close_it_alone() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await palette(pilot)
        in_one_read(pilot, "escape", "escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, CommandPalette))
        await still_whole(pilot)


async def test_the_second_of_two_enters_is_for_the_screen_below() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await palette(pilot, "step on")
        in_one_read(pilot, "enter", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, TheoremScreen))
        below = pilot.app.screen_stack[1]
        assert isinstance(below, StageScreen)
        assert below.player.t == 1  # once
        await pilot.press("escape")
        await still_whole(pilot)


async def test_the_second_of_two_enters_is_for_the_dialog_that_the_first_opens() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await palette(pilot, "all keys")
        in_one_read(pilot, "enter", "enter")  # which closes it
        await until(pilot, lambda: not isinstance(pilot.app.screen, CommandPalette))
        await still_whole(pilot)


async def test_what_is_typed_behind_an_enter_reaches_the_screen_that_it_opens() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await palette(pilot, "k-means")
        in_one_read(pilot, "enter", "right", "right", "y", "z")
        await until(pilot, lambda: isinstance(pilot.app.screen, LastChange))
        opened, dialog = pilot.app.screen_stack[1:]
        assert isinstance(opened, StageScreen)
        assert "k-means" in opened.loaded.algorithm.title
        await until(pilot, lambda: [field.value for field in dialog.query(Input)] == ["z"])
        await pilot.press("escape")
        await until(pilot, lambda: opened.player.t == 2)  # on a slow machine not before the dialog


async def test_any_algorithm_is_opened_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    async with app().run_test(size=(100, 30)) as pilot:
        for typed, name in (("random forest", "random_forest"), ("lgtboost", "logit_boost"), ("lloyd", "lloyd")):
            await pilot.press("ctrl+p")
            await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
            screen = pilot.app.screen
            screen.query_one(Input).value = typed
            title = find(name).title
            await until(pilot, lambda title=title, screen=screen: title in str(first_option(screen)))
            await pilot.press("enter")
            opened = find(name)
            await until(
                pilot,
                lambda opened=opened: (
                    isinstance(pilot.app.screen, StageScreen) and pilot.app.screen.loaded.algorithm is opened
                ),
            )


async def test_its_keys_are_named_as_they_are_printed() -> None:
    async with app().run_test(size=(100, 48)) as pilot:
        screen = await palette(pilot)
        shown = "\n".join(str(option.prompt) for option in screen.query_one(OptionList).options)
        for unprintable in ("left_square_bracket", "question_mark", "plus", "slash", "equals_sign"):
            assert unprintable not in shown
        assert "key: [" in shown


async def test_it_opens_an_algorithm_from_the_catalogue_too() -> None:
    from tui.app import IterscopeApp

    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
        screen = pilot.app.screen
        screen.query_one(Input).value = "adaboost"
        await until(pilot, lambda: "AdaBoost" in str(first_option(screen)))  # type: ignore[arg-type]
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
