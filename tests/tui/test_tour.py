"""The tour of README.md, typed line by line: each shows what it says."""

import re
import shlex
from pathlib import Path

import pytest
from textual.pilot import Pilot

from algorithms.playback.runs.request import read
from tests.documents import README, lines
from tests.tui.pilot import until
from tui.__main__ import _app

KEYS = {"→": "right", "←": "left", "↑": "up", "esc": "escape", "?": "question_mark"}
SEEN = (  # what the screen says before the keys that leave it
    "step 2",
    "rows change cluster",
    "the proof",
    "before the next step",
    " editing ",
    "aligned by step",
    "Fork at step",
    "F leaves",
    "Try next",
    "what is on the screen",
)


def screen(pilot: Pilot[None]) -> str:
    """All that the terminal shows, forms too."""
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_every_line_of_the_tour_shows_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (command,) = lines(README[README.index("## A tour") : README.index("## What is in it")])
    tour = re.findall(r"^\| (`.*`) \| ", README, re.M)
    assert len(tour) == len(SEEN)
    async with _app(read("python -m tui", shlex.split(command)[3:])).run_test(size=size) as pilot:
        await until(pilot, lambda: "step 0" in screen(pilot))
        for row, seen in zip(tour, SEEN):
            *keys, last = [KEYS.get(key, key) for key in re.findall(r"`([^`]+)`", row)]
            leaves = last in ("escape", "F")
            for key in keys if leaves else [*keys, last]:
                await pilot.press(key)
            await until(pilot, lambda seen=seen: seen in screen(pilot))  # type: ignore[misc]
            if leaves:
                await pilot.press(last)
                await until(pilot, lambda seen=seen: seen not in screen(pilot))  # type: ignore[misc]
