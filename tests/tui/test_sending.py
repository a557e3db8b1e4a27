"""What is sent to the terminal: after any key it shows what the screen does, and what has not changed is not sent."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pyte
import pytest
from rich.segment import Segment
from rich.style import Style
from textual.drivers.headless_driver import HeadlessDriver
from textual.strip import Strip

from algorithms import find
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import at, stage, until
from tui.app import IterscopeApp
from tui.paint.cells import UNKNOWN, Cells, painting
from tui.terminal.sending import Sending, as_sent, from_strips

_COLUMNS, _ROWS = 110, 34
_STEPS = ("right", "right", "left", "escape")
_UNKNOWN = re.compile(r"\x1b\[[<>=][0-9;]*u|\x1b\[\?2026[hl]")  # to pyte


class Received:
    """A terminal that shows what it is sent, and what came since it was last asked."""

    def __init__(self) -> None:
        self.screen = pyte.Screen(_COLUMNS, _ROWS)
        self._stream = pyte.Stream(self.screen)
        self.latest = ""
        self.longest = 0  # that came at once

    def write(self, data: str) -> None:
        self.latest += data
        self.longest = max(self.longest, len(data))
        self._stream.feed(_UNKNOWN.sub("", data))

    def differs_from(self, app: Any) -> list[tuple[int, int, str]]:
        """List the cells that do not show what the screen in front says."""
        wrong: list[tuple[int, int, str]] = []
        for y, strip in enumerate(app.screen._compositor.render_strips()):
            x = 0
            for segment in strip:
                colours = segment.style.color, segment.style.bgcolor
                ink, ground = (colour.get_truecolor().hex[1:] if colour else "default" for colour in colours)
                for character in segment.text:
                    cell = self.screen.buffer[y][x]
                    seen = cell.data == character and cell.bg == ground
                    if not seen or (character != " " and (cell.fg, cell.bold) != (ink, bool(segment.style.bold))):
                        wrong.append((y, x, character))
                    x += 1
        return wrong


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Received:
    """Have the app of a test send what it shows."""
    received = Received()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(HeadlessDriver, "is_headless", False)
    monkeypatch.setattr(HeadlessDriver, "write", lambda _, data: received.write(data))
    return received


async def test_the_terminal_shows_what_the_screen_shows_after_any_key(terminal: Received) -> None:
    async with IterscopeApp(LoadedRun.usual(find("lloyd"))).run_test(
        size=(_COLUMNS, _ROWS), notifications=True
    ) as pilot:

        async def told(key: str) -> None:
            """Press it and wait for the terminal: what was drawn in pieces comes in pieces."""
            await pilot.press(key)
            await pilot.pause()
            await until(pilot, lambda: terminal.differs_from(pilot.app) == [], f"the screen after {key}")

        await until(pilot, at(pilot, 0))
        for key in (
            *_STEPS,
            "F",
            *_STEPS,
            "F",
            "enter",
            *_STEPS,
            "p",
            "up",
            "escape",
            "?",
            "escape",
            "i",
            *_STEPS,
            "s",
        ):
            await told(key)
        pilot.app.notify("one\ntwo\nthree")  # lies over cells of the column, and goes
        await until(pilot, lambda: len(pilot.app.screen.query("Toast")) == 1)
        for key in _STEPS[:3]:
            await told(key)
        pilot.app.clear_notifications()
        await told("right")


async def test_a_step_sends_less_than_it_changes_and_a_screen_that_comes_back_all(terminal: Received) -> None:
    async with IterscopeApp(LoadedRun.usual(find("perceptron"))).run_test(size=(_COLUMNS, _ROWS)) as pilot:
        await until(pilot, at(pilot, 0))
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)  # how far it is is sent too
        await pilot.press("right")
        await until(pilot, at(pilot, 1))
        await pilot.pause()
        terminal.longest = 0
        await pilot.press("right")
        await until(pilot, at(pilot, 2))
        await pilot.pause()  # what is drawn finely once there is time comes by itself
        assert 0 < terminal.longest < _COLUMNS * _ROWS
        terminal.screen.reset()  # something else wrote on it
        _sending(pilot.app).forget()
        pilot.app.screen.refresh()
        await until(pilot, lambda: terminal.differs_from(pilot.app) == [])


async def test_a_dialog_opens_and_closes_with_less_than_the_screen_and_shows_all(terminal: Received) -> None:
    async with IterscopeApp(LoadedRun.usual(find("perceptron"))).run_test(size=(_COLUMNS, _ROWS)) as pilot:
        await until(pilot, at(pilot, 0))
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        await pilot.press("right")
        await until(pilot, at(pilot, 1))
        await pilot.pause()
        front = pilot.app.screen

        async def sent(brought: Callable[[], object]) -> int:
            terminal.latest = ""
            brought()
            await pilot.pause()
            return len(terminal.latest)

        assert await sent(front.refresh) < 100, "the terminal shows it already"
        _sending(pilot.app).forget()
        whole = await sent(front.refresh)
        assert whole > _COLUMNS * _ROWS
        for key in ("question_mark", "escape"):
            terminal.latest = ""
            await pilot.press(key)
            await until(pilot, lambda key=key: (pilot.app.screen is front) == (key == "escape"))  # type: ignore[misc]
            await until(pilot, lambda: terminal.differs_from(pilot.app) == [])
            assert 0 < len(terminal.latest) < whole * 2 / 3, key


def test_what_no_cell_can_be_is_left_to_textual() -> None:
    plain = Style.parse("#102030 on #405060")
    for style, packed in (
        (plain, 0x102030 << 24 | 0x405060),
        (plain + Style(bold=True), 1 << 48 | 0x102030 << 24 | 0x405060),
        *((plain + Style.parse(more), None) for more in ("dim", "italic", "underline", "reverse", "strike")),
        (plain + Style(link="https://a.example"), None),
        (plain + Style(color="red"), None),
        (Style.parse("#102030"), None),
    ):
        cells = from_strips([(0, [(1, Strip([Segment("ab", style)]))])], _cells("....", [0] * 4), as_sent)
        there = np.array([packed is None] * 4) | [True, False, False, True]
        assert ((cells.glyphs == UNKNOWN) == there).all(), str(style)
        assert packed is None or cells.styles[0, 1] == packed
    joined = Strip([Segment("a\u200bb", plain), Segment("c", plain)])
    cells = from_strips([(0, [(0, joined)])], _cells("....", [0] * 4), as_sent)
    assert (cells.glyphs == [[UNKNOWN, UNKNOWN, ord("c"), UNKNOWN]]).all(), "what has no width takes no cell"


def _cells(text: str, styles: list[int]) -> Cells:
    return Cells(np.array([[ord(c) for c in text]], np.uint32), np.array([styles], np.int64))


def _sending(app: Any) -> Sending:
    sending = app.sending
    assert isinstance(sending, Sending)
    return sending


def test_of_a_blank_the_ground_alone_is_seen() -> None:
    before = Cells(np.full((1, 4), ord(" "), np.uint32), np.full((1, 4), 0xFF0000 << 24, np.int64))
    inked = Cells(before.glyphs, before.styles | 0xFF << 24 | 1 << 48)
    assert painting(before, inked) == ""
    grounded = Cells(before.glyphs, before.styles | np.array([[0, 0xFF, 0, 0]]))
    assert painting(before, grounded).count(" ") == 1


def test_a_style_is_told_where_it_changes() -> None:
    red, blue, bold = 0xFF0000 << 24, 0xFF << 24, 1 << 48
    before = _cells("......", [red] * 6)
    assert painting(before, _cells("aa..bb", [red] * 6)) == "\x1b[1;1H\x1b[38;2;255;0;0;48;2;0;0;0maa..bb\x1b[0m"
    assert painting(before, _cells(".a...b", [red] * 6)) == "\x1b[1;2H\x1b[38;2;255;0;0;48;2;0;0;0ma...b\x1b[0m"
    sent = painting(before, _cells("a b...", [red, blue, red | bold, red, red, red]))
    assert sent == "\x1b[1;1H\x1b[38;2;255;0;0;48;2;0;0;0ma \x1b[1mb\x1b[0m"
    sent = painting(before, _cells("ab....", [red | bold, blue, red, red, red, red]))
    assert sent == "\x1b[1;1H\x1b[1;38;2;255;0;0;48;2;0;0;0ma\x1b[22;38;2;0;0;255mb\x1b[0m"


def test_colours_that_come_again_and_again_are_told_once() -> None:
    red, blue = 0xFF0000, 0xFF
    stripes = _cells("          ", [red, blue] * 5)
    sent = painting(_cells("          ", [0] * 10), stripes)
    assert sent.count("48;2;255;0;0") == sent.count("48;2;0;0;255") == 1
    screen = pyte.Screen(10, 1)
    pyte.Stream(screen).feed(sent)
    assert [screen.buffer[0][x].bg for x in range(10)] == ["ff0000", "0000ff"] * 5
