"""From a key to a picture: the tables of tui/README.md name what is called, in the order in which it is."""

import re
import sys
from pathlib import Path
from types import FrameType

import pytest
from textual.drivers.headless_driver import HeadlessDriver

from algorithms import find
from algorithms.playback.cursor.player import Player
from algorithms.playback.runs.loaded_run import LoadedRun
from tests.tui.pilot import at, stage, until
from tui.app import IterscopeApp

ROOT = Path(__file__).parents[2]
Call = tuple[str, str]  # file and function


def tables() -> list[list[Call]]:
    """Read the files and functions of each table of the page."""
    parts = (ROOT / "tui" / "README.md").read_text().split("\n## ")[1:]
    return [re.findall(r"\| `([\w/]+\.py)` \| `([\w.]+)` \|$", part, re.MULTILINE) for part in parts]


class Calls:
    """The functions of the project that are called meanwhile, one after another."""

    def __init__(self) -> None:
        self.made: list[Call] = []

    def __enter__(self) -> "Calls":
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(ROOT)):
            self.made.append((code.co_filename.removeprefix(f"{ROOT}/"), code.co_qualname))


def left(table: list[Call], calls: Calls) -> list[Call]:
    """List what is on the page from where the way is another one: its rows are called one after another, whatever else
    is called between them."""
    made = iter(calls.made)
    reached = next((i for i, call in enumerate(table) if call not in made), len(table))
    return table[reached:]


async def test_a_key_goes_the_way_that_the_page_tells_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HeadlessDriver, "is_headless", False)  # as if there were a terminal to send to
    async with IterscopeApp(LoadedRun.usual(find("perceptron"))).run_test(size=(120, 36)) as pilot:
        await until(pilot, at(pilot, 0))
        await until(pilot, lambda: stage(pilot).player.timeline.stopped is not None)
        with Calls() as calls:
            await pilot.press("right")
            await until(pilot, at(pilot, 1))
            await until(pilot, lambda: not left(tables()[0][-2:], calls))  # the clock comes when it comes
    assert left(tables()[0], calls) == []


def test_a_step_that_no_one_has_taken_yet_goes_the_way_that_the_page_tells_of() -> None:
    player = Player(LoadedRun.usual(find("perceptron")).timeline())
    player.step(1)
    player.work(0.0)  # the way to the start of a run is another one
    with Calls() as calls:
        player.step(5)
        while player.t < 5 and player.goal is not None:
            player.work(0.1)
    assert left(tables()[1], calls) == []
