"""All keys are told in two columns that stay columns where there is little room."""

import pytest
from textual.pilot import Pilot

from tests.tui.pilot import app, at, until
from tui.look import printed
from tui.screens.help import Help


def lines(pilot: Pilot[None]) -> list[str]:
    return [strip.text for strip in pilot.app.screen._compositor.render_strips()]


async def test_a_meaning_is_wrapped_below_itself_and_not_below_its_key() -> None:
    async with app().run_test(size=(80, 24)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        await until(pilot, lambda: any("the 1st panel" in line for line in lines(pilot)))
        shown = lines(pilot)
        row = next(i for i, line in enumerate(shown) if "the 1st panel" in line)
        assert shown[row + 1].index("alone, or all ") == shown[row].index("the 1st panel")


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
