"""What comes in one read is handed on one event at a time: it ends as the same typed slowly does."""

import asyncio

import pytest
from textual import events
from textual.app import ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tests.patience import PATIENCE
from tests.tui.pilot import app, at, stage, until
from tui.screens.help import Help
from tui.screens.last_change import LastChange
from tui.screens.stage import StageScreen
from tui.terminal import input_queue
from tui.widgets.raster import RasterView


def send(pilot: Pilot[None], *keys: str) -> None:
    """Send keys as a terminal does that had them all waiting."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))


def below(pilot: Pilot[None]) -> StageScreen:
    """The stage, whatever lies over it."""
    screen = pilot.app.screen_stack[1]
    assert isinstance(screen, StageScreen)
    return screen


def click(pilot: Pilot[None], x: int, y: int) -> None:
    for kind in (events.MouseDown, events.MouseUp):
        pilot.app.post_message(kind(None, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y))


@pytest.mark.parametrize("key", list("yfbRepBcCEgvdAz?") + ["enter", "ctrl+p", "ctrl+s", "ctrl+o"])
async def test_what_is_typed_behind_the_end_is_dropped(key: str) -> None:
    made = app()
    async with made.run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        send(pilot, "q", key, key)
        await until(pilot, lambda: not made.is_running)
    assert made.return_code == 0


async def test_letters_reach_the_dialog_that_the_key_before_opens() -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        send(pilot, "right", "y", "z", "z")
        await until(pilot, lambda: isinstance(pilot.app.screen, LastChange))
        await until(pilot, lambda: [field.value for field in pilot.app.screen.query(Input)] == ["zz"])
        assert below(pilot).player.t == 1


async def test_keys_behind_an_escape_reach_what_lies_below() -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        send(pilot, "question_mark", "escape", "right", "right", "y", "escape", "right")
        await until(pilot, lambda: below(pilot).player.t == 3)
        assert [type(screen) for screen in pilot.app.screen_stack[1:]] == [StageScreen]


class Passes(Static):
    """Passes on a message that it is sent; the last one closes the screen."""

    class On(Message):
        pass

    on_to: "Passes | None" = None

    def on_passes_on(self, message: On) -> None:
        message.stop()
        if self.on_to is None:
            self.screen.dismiss()
        else:
            self.on_to.post_message(Passes.On())


class AnswersSlowly(ModalScreen[None]):
    """Closes on x, of which one widget tells the next, from the last to the first."""

    def compose(self) -> ComposeResult:
        before = None
        for _ in range(30):
            widget = Passes()
            widget.on_to, before = before, widget
            yield widget

    def key_x(self) -> None:
        self.query(Passes).last().post_message(Passes.On())


async def test_a_key_waits_for_what_widgets_still_send_each_other() -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.app.push_screen(AnswersSlowly())
        send(pilot, "x", "right")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await until(pilot, at(pilot, 1))


async def test_a_click_means_what_stands_there_when_its_turn_comes() -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(pilot.app.screen, ModalScreen))
        send(pilot, "escape")
        click(pilot, 119, 0)  # beside the palette, while it is there: closing it twice would close the stage
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        send(pilot, "right")
        await until(pilot, at(pilot, 1))


async def test_a_burst_of_steps_is_taken_step_by_step_and_drawn_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        monkeypatch.setattr(input_queue, "_FRAME", 60.0)
        header = stage(pilot).query_one("#header")
        drawn: list[int] = []
        paint = header.paint  # type: ignore[attr-defined]
        monkeypatch.setattr(header, "paint", lambda canvas: (drawn.append(stage(pilot).player.t), paint(canvas)))
        send(pilot, *["right"] * 25, *["left"] * 5)
        await until(pilot, at(pilot, 20))
        assert drawn[-1] == 20
        assert len(drawn) < 10, drawn


async def test_what_was_not_drawn_is_drawn_before_a_key_that_depends_on_what_is_seen() -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        send(pilot, *["right"] * 12, "question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        assert below(pilot).player.t == 12
        header = below(pilot).query_one("#header", RasterView)
        assert "step 12 of" in "\n".join(strip.text for strip in header.strips)


async def test_a_handler_that_never_returns_does_not_hold_what_comes_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_queue, "_LOOK", 0.001)
    never = asyncio.Event()

    async def waits(self: StageScreen, event: events.Key) -> None:
        await never.wait()

    monkeypatch.setattr(StageScreen, "on_key", waits)
    async with app().run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        send(pilot, "w", "ctrl+q")
        try:
            async with asyncio.timeout(PATIENCE):
                while not pilot.app._exit:  # not by the pilot, which waits for the handler too
                    await asyncio.sleep(0.01)
        finally:
            never.set()


async def test_moves_of_the_mouse_are_joined_and_a_drag_is_not() -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        joined(input_queue.InputQueue(pilot.app))


def joined(queue: input_queue.InputQueue) -> None:

    def move(x: int, button: int) -> events.MouseMove:
        return events.MouseMove(None, x, 0, 0, 0, button, False, False, False, screen_x=x, screen_y=0)

    assert queue.admits(events.Key("a", "a"))
    for x in range(5):
        assert not queue.admits(move(x, 0))
    for x in range(5):
        assert not queue.admits(move(x, 1))
    waiting = [(event.x, event.button) for event in queue._waiting if isinstance(event, events.MouseMove)]
    assert waiting == [(4, 0), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]


async def test_a_picture_that_was_owed_holds_what_has_changed_since(monkeypatch: pytest.MonkeyPatch) -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.pause()
        screen, painted = stage(pilot), []
        monkeypatch.setattr(pilot.app, "_display", lambda _screen, update: painted.append(update is not None))
        header = screen.query_one("#header")
        header.refresh()
        screen._dirty_widgets.add(header)  # as it is when the header has told the screen
        pilot.app.input_queue._paint()  # type: ignore[attr-defined]
    assert painted[:1] == [True]


async def test_no_picture_is_painted_in_the_midst_of_changes_that_are_to_be_seen_as_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with app().run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        await pilot.pause()
        screen, painted = stage(pilot), []
        monkeypatch.setattr(pilot.app, "_display", lambda _screen, update: painted.append(update is not None))
        screen._dirty_widgets.add(screen.query_one("#header"))
        with pilot.app.batch_update():
            pilot.app.input_queue._paint()  # type: ignore[attr-defined]
            assert painted == []
        await until(pilot, lambda: True in painted)
