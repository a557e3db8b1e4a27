"""What comes at any moment, to a page or dialog that is not composed yet, shows other lines by now, or has gone."""

from asyncio import sleep
from typing import Any

import pytest
from rich.style import Style
from textual import events
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input, OptionList

from algorithms.playback.cursor.breakpoints import Breakpoint
from algorithms.timeline.branches import Change
from tests.tui.compare.pilot import screen as comparison, tinies, tiny
from tests.tui.pilot import app, at, stage, until
from tui.app import IterscopeApp
from tui.commands import Commands
from tui.paint.canvas import Canvas
from tui.paint.palette import DARK
from tui.screens.breakpoints import Breakpoints
from tui.screens.catalogue import CatalogueScreen
from tui.screens.choose_runs import ChooseRuns
from tui.screens.compare import CompareScreen
from tui.screens.last_change import LastChange
from tui.screens.lectures import LecturesScreen
from tui.screens.runs import Runs
from tui.screens.theorem import TheoremScreen
from tui.sections.column.frame import first_taken


def in_one_read(pilot: Pilot[None], *keys: str) -> None:
    """Send keys as a terminal does that had them all waiting."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))


async def opened(pilot: Pilot[None], screen: Screen[Any]) -> list[Any]:
    """Open a dialog; its answer comes into the list."""
    answers: list[Any] = []
    await until(pilot, at(pilot, 0))
    pilot.app.push_screen(screen, answers.append)
    await until(pilot, lambda: pilot.app.screen is screen and screen.is_mounted)
    return answers


@pytest.mark.parametrize("key", ["y", "f", "b", "R", "e", "p", "B", "c", "C", "d", "enter", "question_mark", "ctrl+s"])
async def test_a_dialog_that_opens_while_the_app_ends_does_no_harm(key: str) -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        in_one_read(pilot, "q", key)
        await until(pilot, lambda: pilot.app.return_code is not None)
    assert pilot.app.return_code == 0


async def test_the_value_that_was_clicked_is_taken_though_the_list_is_filtered_meanwhile() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        player = stage(pilot).player
        dialog = LastChange(player.timeline, player.frame)
        answers = await opened(pilot, dialog)
        listed = dialog.query_one(OptionList)
        dialog.query_one(Input).value = "zzz"  # told to the dialog before the choice is
        listed.highlighted = 1
        wanted = dialog._shown[1][0]
        listed.action_select()
        await until(pilot, lambda: bool(answers))
        assert answers[0].text == f"{wanted} changes"


async def test_the_completion_that_was_clicked_is_taken_though_others_are_offered_meanwhile() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        dialog = Breakpoints([], stage(pilot).player.timeline, lambda: None)
        await opened(pilot, dialog)
        field, offers = dialog.query_one("#condition", Input), dialog.query_one("#offers", OptionList)
        wanted = dialog._offered[1].text
        field.value = "zz"
        offers.highlighted = 1
        offers.action_select()
        await until(pilot, lambda: field.value == wanted)


async def test_a_breakpoint_that_was_removed_meanwhile_is_not_switched() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        first, second = stops = [Breakpoint("t > 3"), Breakpoint("t > 5")]
        dialog = Breakpoints(stops, stage(pilot).player.timeline, lambda: None)
        await opened(pilot, dialog)
        listed = dialog.query_one("#stops", OptionList)
        listed.focus()
        await until(pilot, lambda: listed.has_focus)
        listed.highlighted = 0
        listed.action_select()
        dialog.action_remove()
        await pilot.pause()
        assert stops == [second]
        assert first.on
        assert second.on


async def test_the_run_that_was_clicked_is_gone_to_though_another_is_in_hand_meanwhile() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        session = stage(pilot).session
        for eta in (0.2, 0.3):
            session.fork(0, Change(parameters={"eta": eta}), f"eta {eta}")
        dialog = Runs(session.branches, session.branch, lambda: None)
        answers = await opened(pilot, dialog)
        listed = dialog.query_one(OptionList)
        listed.highlighted = 1
        wanted = session.branches.all[1]
        listed.action_select()
        listed.highlighted = 0  # another key of the same read
        await until(pilot, lambda: bool(answers))
        assert answers == [wanted]


async def test_the_palette_opens_and_closes_as_fast_as_keys_come() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        for _ in range(3):  # which of the keys comes to it, and which to the stage, is not the point here
            in_one_read(pilot, *["ctrl+p", "escape"] * 3, "ctrl+p")
            await until(pilot, lambda: not isinstance(pilot.app.screen, Commands) or pilot.app.screen.is_live)
        for _ in range(5):
            await pilot.pause()
        assert pilot.app.is_running


async def test_one_palette_opens_while_another_is_on_its_way_out() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        for _ in range(2):
            pilot.app.action_command_palette()
            pilot.app.screen.dismiss()
        pilot.app.action_command_palette()
        await until(pilot, lambda: isinstance(pilot.app.screen, Commands) and pilot.app.screen.is_live)


async def test_a_click_on_a_line_that_has_gone_and_page_keys_without_lines_do_nothing() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        dialog = Commands()
        await opened(pilot, dialog)
        listed = dialog.query_one(OptionList)
        await until(pilot, lambda: listed.option_count > 0)
        click = events.Click(listed, 1, 1, 0, 0, 1, False, False, False, style=Style(meta={"option": 10_000}))
        await listed._on_click(click)
        listed.highlighted = 0
        for page in (listed.action_page_down, listed.action_page_up):
            listed._clear_caches()
            listed.styles.display = "none"
            await pilot.pause()
            page()  # type: ignore[no-untyped-call]
        assert pilot.app.screen is dialog


async def test_keys_of_a_theorem_page_that_is_not_composed_yet_do_nothing() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        page = TheoremScreen(stage(pilot).theorem_page, stage(pilot)._step_on)
        pilot.app.push_screen(page)
        for action in ("other(1)", "step(1)", "along", "log", "follow", "scroll_page(8)"):
            assert not await page.run_action(action)
        page.show_again()
        await until(pilot, lambda: page.is_live)


async def test_keys_of_a_list_that_is_not_composed_yet_do_nothing() -> None:
    async with IterscopeApp().run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, CatalogueScreen))
        listed = LecturesScreen()
        pilot.app.push_screen(listed)
        for action in ("watch", "algorithms", "start_filter", "scroll(1)"):
            assert not await listed.run_action(action)
        for _ in range(3):
            in_one_read(pilot, "tab", "tab", "tab")
        await pilot.pause()
        await until(pilot, lambda: isinstance(pilot.app.screen, LecturesScreen | CatalogueScreen))


async def test_what_a_thread_answers_to_a_dialog_that_has_gone_is_not_said() -> None:
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        dialog = ChooseRuns(stage(pilot).loaded, stage(pilot).session.candidates)
        await opened(pilot, dialog)
        dialog.dismiss()
        await until(pilot, lambda: not dialog.is_running)
        dialog.complain("there is no such algorithm.")


async def test_a_comparison_is_left_though_work_beside_it_was_cancelled() -> None:
    async with tinies(tiny(eta=0.3)).run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and comparison(pilot).is_live)
        work = comparison(pilot).run_worker(sleep(60), name="long")
        pilot.app.call_later(work.cancel)
        await comparison(pilot).leave()
        await until(pilot, lambda: not isinstance(pilot.app.screen, CompareScreen))


def test_a_section_without_rows_has_nothing_in_its_first_one() -> None:
    assert first_taken(Canvas(81, 0, DARK.panel, DARK.ink)) == 80
