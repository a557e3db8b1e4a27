"""A step by key: the bytes that it sends and the processor time that it takes, of every algorithm and on many rows."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from os import environ
from statistics import median
from time import perf_counter, process_time
from typing import Any

from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

from algorithms.core.catalogue import names
from tests.bench.row import Figures, Result, below

_PRESSES = 60
_QUIET = 0.012  # seconds without a byte after which a press has been answered
_LARGE = ("perceptron", "lloyd", "gaussian_mixture", "decision_tree", "multilayer_perceptron")


class Sent(HeadlessDriver):
    """Keeps what is written to the terminal."""

    written: list[str]
    last = 0.0

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        self.written = [*getattr(self, "written", ()), data]
        self.last = perf_counter()


async def _answered(app: Any, since: float, left: int | None = None) -> None:
    """Wait until nothing has been written for a moment and no goal is pursued, after a press until its step is seen."""
    pressed = since
    while perf_counter() - max(since, app._driver.last) < _QUIET:
        player, picture = getattr(app.screen, "player", None), getattr(app.screen, "picture", None)
        waits = player is None or player.goal is not None or picture is None
        same = left is not None and not waits and picture.frame.t == left and not player.at_end  # an end has no next
        if waits or same or (left is not None and picture.frame.t != left and app._driver.last < pressed):
            since = perf_counter()
        await asyncio.sleep(0.003)


def here(words: list[str], size: tuple[int, int], ahead: float) -> None:
    """Open it in this process, let it compute ahead for so long, and press on, back at the ends; print what it took."""
    from algorithms.playback.runs.request import read
    from tui.__main__ import _app

    app: Any = _app(read("bench", words))
    app.driver_class = Sent
    taken: list[float] = []
    sent: list[int] = []

    async def pressed(pilot: Pilot[object]) -> None:
        driver: Any = app._driver
        await asyncio.sleep(0.4)
        await _answered(app, perf_counter())
        await asyncio.sleep(ahead)
        key = "right"
        for _ in range(_PRESSES):
            player = app.screen.player
            key = "left" if player.at_end else "right" if player.t == 0 else key
            driver.written = []
            began, at = process_time(), perf_counter()
            driver.send_message(events.Key(key, None))
            await _answered(app, at, player.t)
            taken.append((process_time() - began) * 1e3)
            sent.append(len("".join(driver.written).encode()))
        app.exit()

    asyncio.run(app.run_async(headless=False, size=size, auto_pilot=pressed))
    print(json.dumps({"milliseconds": taken, "bytes": sent}), file=sys.__stdout__)


def _presses(words: list[str], size: tuple[int, int], ahead: float) -> dict[str, list[float]]:
    code = f"from tests.bench.presses import here; here({words!r}, {size!r}, {ahead!r})"
    env = dict(environ, TERM="xterm-256color", COLORTERM="truecolor", ITERSCOPE_STRICT="1")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stdout
    return dict(json.loads(said.splitlines()[-1]))


def every_algorithm() -> Iterator[Result]:
    """Sixty steps of each, as it opens."""
    found = {name: _presses([name], (160, 48), 2.5) for name in names()}
    usual = {name: median(of["bytes"]) / 1000 for name, of in found.items()}
    largest = max(found, key=lambda name: max(found[name]["bytes"]))
    dearest = max(found, key=lambda name: max(found[name]["milliseconds"]))
    yield below("bytes a press, the median over all algorithms", median(usual.values()), 10, "KB")
    yield below(f"the largest press, of {largest}", max(found[largest]["bytes"]) / 1000, 20, "KB")
    yield below(f"the dearest press, of {dearest}", max(found[dearest]["milliseconds"]), 60, "ms")


def many_rows() -> Iterator[Result]:
    """Steps on 100,000 rows, while the run is computed behind and after that."""
    for name in _LARGE:
        for when, ahead in (("while it is computed", 0.0), ("at rest", 3.0)):
            found = _presses([name, "--data", "blobs:n=100000"], (200, 60), ahead)
            yield below(f"{name}, a press {when}, median", median(found["milliseconds"]), 20, "ms")


PRESSES = (
    Figures("a press, all algorithms at 160x48", every_algorithm),
    Figures("a press on 100,000 rows at 200x60", many_rows),
)
