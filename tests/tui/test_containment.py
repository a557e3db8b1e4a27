"""A fault closes the screen that it is in and nothing else, wherever it is raised; one goes on working after it."""

import asyncio
import inspect
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from tests.tui.pilot import app, at, stage, until
from tui.app import IterscopeApp
from tui.screens.asking import Dialog
from tui.screens.help import Help
from tui.screens.stage import StageScreen
from tui.terminal import containment, input_queue, inside
from tui.widgets.raster import RasterView

SECRET = "Alice"  # what an error may quote of the data


class Planted(Exception):
    """A fault of our own."""


def fail(*_: object) -> None:
    raise Planted(SECRET)


def fail_in(self: object, *_: object) -> None:
    raise Planted(SECRET)


class Failing(Dialog[str]):
    """A dialog that fails somewhere once it is there."""

    heading = "Fails"

    def body(self) -> list[Widget]:
        return [Input("typed", id="field"), Static("a line", id="line")]


class FailingCompose(Failing):
    def compose(self) -> ComposeResult:
        fail()
        yield Static()


class FailingChild(Failing):
    def body(self) -> list[Widget]:
        class Child(Static):
            def on_mount(self) -> None:
                fail()

        return [Child("a line", id="line")]


class FailingMount(Failing):
    def on_mount(self) -> None:
        fail()


class FailingKey(Failing):
    def on_key(self) -> None:
        fail()


class FailingClick(Failing):
    def on_click(self) -> None:
        fail()


class FailingAction(Failing):
    BINDINGS = [("x", "burn", "fails"), ("f5", "burn", "fails")]

    def action_burn(self) -> None:
        fail()


class FailingWatcher(Failing):
    def watch_title(self) -> None:
        if self.is_mounted and self.title == "other":
            fail()


class FailingAnswer(Failing):
    """Its answer is what fails, in the screen below."""


async def _thread(screen: Failing) -> None:
    screen.run_worker(fail, thread=True)


async def _coroutine(screen: Failing) -> None:
    async def work() -> None:
        assert get_current_worker().node is screen
        fail()

    screen.run_worker(work())


async def _layout(screen: Failing) -> None:
    line = screen.query_one("#line", Static)

    def broken(*_: object, **__: object) -> int:
        raise Planted(SECRET)

    line.get_content_height = broken  # type: ignore[method-assign]
    line.styles.height = "auto"
    line.refresh(layout=True)


async def _render(screen: Failing) -> None:
    line = screen.query_one("#line", Static)
    line.render_lines = containment.blank_where_it_fails(lambda self, crop: fail()).__get__(line)  # type: ignore[arg-type, method-assign]
    line.refresh()


def _own(screen: type[Failing], *keys: str) -> tuple[type[Failing], Callable[[Failing], Any], tuple[str, ...]]:
    async def nothing(_: Failing) -> None:
        return None

    return screen, nothing, keys


def _by(act: Callable[[Failing], Any]) -> tuple[type[Failing], Callable[[Failing], Any], tuple[str, ...]]:
    return Failing, act, ()


PLACES = {
    "compose": _own(FailingCompose),
    "mount": _own(FailingMount),
    "mount of a part": _own(FailingChild),
    "key": _own(FailingKey, "f5"),
    "action": _own(FailingAction, "f5"),
    "click": (FailingClick, lambda screen: None, ("click",)),
    "watcher": (FailingWatcher, lambda screen: screen.call_later(setattr, screen, "title", "other"), ()),
    "timer": _by(lambda screen: screen.set_timer(0.01, fail)),
    "interval": _by(lambda screen: screen.set_interval(0.01, fail)),
    "timer of a part": _by(lambda screen: screen.query_one("#line").set_timer(0.01, fail)),
    "later": _by(lambda screen: screen.call_later(fail)),
    "next": _by(lambda screen: screen.call_next(fail)),
    "after a refresh": _by(lambda screen: screen.call_after_refresh(fail)),
    "later, of a part": _by(lambda screen: screen.query_one("#line").call_later(fail)),
    "thread": _by(_thread),
    "coroutine": _by(_coroutine),
    "layout": _by(_layout),
    "render": _by(_render),
}


@pytest.fixture(autouse=True)
def details(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return containment.details_file()


def contained(**parameters: object) -> IterscopeApp:
    made = app(**parameters)
    made.strict = False
    return made


async def forked(pilot: Pilot[None]) -> None:
    """Have something that is not saved."""
    await until(pilot, at(pilot, 0))
    await pilot.press("right", "right")
    await until(pilot, at(pilot, 2))


def notices(pilot: Pilot[None]) -> list[str]:
    return [f"{notice.title}: {notice.message}" for notice in pilot.app._notifications]


async def plant(pilot: Pilot[None], place: str) -> None:
    """Open a dialog that fails at a place, and have it fail there."""
    kind, act, keys = PLACES[place]
    screen = kind()
    pilot.app.push_screen(screen)
    if kind in (FailingCompose, FailingMount, FailingChild):
        return
    await until(pilot, lambda: pilot.app.screen is screen and bool(screen.query("#line")))
    done = act(screen)
    if inspect.isawaitable(done) and asyncio.iscoroutine(done):
        await done
    for key in keys:
        if key == "click":
            await pilot.click("#line")
        else:
            await pilot.press(key)


@pytest.mark.parametrize("place", PLACES)
async def test_a_fault_closes_its_dialog_and_one_goes_on(place: str, details: Path) -> None:
    async with contained().run_test(size=(120, 40)) as pilot:
        await forked(pilot)
        await plant(pilot, place)
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await until(pilot, lambda: bool(notices(pilot)))
        [told] = notices(pilot)
        assert "Planted" in told
        assert "“Fails” failed and was closed" in told
        assert str(details) in told
        await pilot.press("right")
        await until(pilot, at(pilot, 3))
        await pilot.press("question_mark")  # another screen opens, and closes
        await until(pilot, lambda: isinstance(pilot.app.screen, Help))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert pilot.app._exception is None
        written = details.read_text()
        assert "Planted" in written
        assert SECRET not in written


async def test_in_the_lowest_screen_it_is_told_and_nothing_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StageScreen, "action_speed", fail_in)
    async with contained().run_test(size=(120, 40)) as pilot:
        await forked(pilot)
        await pilot.press("minus")
        await until(pilot, lambda: bool(notices(pilot)))
        assert "something failed in the stage" in notices(pilot)[0]
        await pilot.press("right")
        await until(pilot, at(pilot, 3))


async def test_a_widget_of_the_stage_that_cannot_be_drawn_is_blank(
    monkeypatch: pytest.MonkeyPatch, details: Path
) -> None:
    async with contained().run_test(size=(120, 40)) as pilot:
        await forked(pilot)
        narration = pilot.app.screen.query_one("#narration", RasterView)
        monkeypatch.setattr(narration, "render_line", fail)
        narration.refresh()
        await until(pilot, lambda: bool(notices(pilot)))
        for t in range(3, 40):  # each of which draws it again
            await pilot.press("right")
            if t == 10:
                await until(pilot, at(pilot, 10))
        assert pilot.app.is_running
        assert details.read_text().count("Planted: Narration") == 1


async def test_a_clock_that_failed_ticks_on(monkeypatch: pytest.MonkeyPatch) -> None:
    async with contained().run_test(size=(120, 40)) as pilot:
        await forked(pilot)
        go_on = StageScreen.go_on
        failed: list[float] = []

        def once(self: StageScreen, elapsed: float) -> None:
            if not failed:
                failed.append(elapsed)
                fail()
            go_on(self, elapsed)

        monkeypatch.setattr(StageScreen, "go_on", once)
        await until(pilot, lambda: bool(failed))
        await pilot.press("space")
        await until(pilot, lambda: stage(pilot).player.t > 4)


async def test_a_fault_in_what_an_answer_does_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async with contained().run_test(size=(120, 40)) as pilot:
        await forked(pilot)
        screen = FailingAnswer()
        stage(pilot).app.push_screen(screen, fail)
        await until(pilot, lambda: pilot.app.screen is screen)
        await pilot.press("escape")
        await until(pilot, lambda: bool(notices(pilot)))
        await pilot.press("right")
        await until(pilot, at(pilot, 3))


async def test_eight_in_a_row_give_one_notice(details: Path) -> None:
    async with contained().run_test(size=(120, 40)) as pilot:
        await forked(pilot)
        for _ in range(8):
            await plant(pilot, "mount")
            await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        assert len(notices(pilot)) == 1
        assert details.read_text().count("Planted: ") == 8
        assert not [screen for screen in pilot.app._registry if isinstance(screen, Failing) and screen.is_running]


async def ends(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: pilot.app._exception is not None)


async def test_too_many_in_a_short_time_end_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StageScreen, "action_speed", fail_in)
    with pytest.raises(Planted):  # noqa: PT012
        async with contained().run_test(size=(120, 40)) as pilot:
            await forked(pilot)
            await pilot.press(*["minus"] * 19)
            assert pilot.app._exception is None
            await pilot.press("minus")
            await ends(pilot)


@pytest.mark.parametrize("what", ["compose", "on_mount"])
async def test_without_a_lowest_screen_the_app_ends(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StageScreen, what, fail)
    with pytest.raises(Planted):
        async with contained().run_test(size=(120, 40)) as pilot:
            await ends(pilot)


async def test_under_test_a_fault_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StageScreen, "action_speed", fail_in)
    with pytest.raises(Planted):  # noqa: PT012
        async with app().run_test(size=(120, 40)) as pilot:
            await forked(pilot)
            await pilot.press("minus")
            await ends(pilot)


async def test_what_fails_since_its_screen_is_gone_is_written_down_alone(details: Path) -> None:
    async with contained().run_test(size=(120, 40)) as pilot:
        await forked(pilot)
        screen = Failing()
        pilot.app.push_screen(screen)
        await until(pilot, lambda: bool(screen.query("#line")))
        line = screen.query_one("#line")
        screen.dismiss(None)
        await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
        await until(pilot, lambda: not line.is_running)
        assert pilot.app.contains(containment.Fault(Planted(SECRET), line))
        assert not notices(pilot)
        assert "which had gone" in details.read_text()


async def test_the_file_of_details_begins_anew_when_it_is_full(details: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containment, "_BYTES", 1000)
    async with contained().run_test(size=(120, 40)) as pilot:
        await forked(pilot)
        for _ in range(8):
            await plant(pilot, "mount")
            await until(pilot, lambda: isinstance(pilot.app.screen, StageScreen))
    assert 0 < len(details.read_text()) < 4000


async def test_nothing_goes_on_while_the_app_is_being_left(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    async with app().run_test(size=(100, 30)) as pilot:
        await until(pilot, at(pilot, 0))
        monkeypatch.setattr(StageScreen, "go_on", lambda _self, elapsed: asked.append(elapsed))
        pilot.app._running = False  # as Textual has it while it takes the widgets of the screen away
        stage(pilot)._tick()
        assert asked == []
        pilot.app._running = True
        stage(pilot)._tick()
        assert len(asked) == 1


async def test_the_clock_goes_on_where_another_program_has_the_processor_as_a_tick_is_wound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: Counter[Timer] = Counter()

    def late() -> float:
        timer = sys._getframe(1).f_locals["self"]
        asked[timer] += 1
        return monotonic() + (timer._repeat == 0 and asked[timer] > 1)  # a second after it had begun

    async with app().run_test(size=(120, 40)) as pilot:
        await until(pilot, at(pilot, 0))
        monkeypatch.setattr("textual.timer._time", SimpleNamespace(get_time=late))
        await pilot.press("space")
        await until(pilot, lambda: stage(pilot).player.t > 3)
        assert asked


def test_the_private_names_that_are_used_are_there() -> None:
    for kind, names in inside.NAMES.items():
        source = inspect.getsource(kind)
        for name in names:
            assert name in source, f"{kind.__name__} of the installed Textual has no {name}"


def test_they_are_used_in_one_place() -> None:
    named = {name for names in inside.NAMES.values() for name in names}
    for module in (containment, input_queue):
        source = inspect.getsource(module)
        assert not [name for name in named - {"_handle_exception"} if f".{name}" in source]
