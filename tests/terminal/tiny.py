"""The smallest app that can go wrong in every way: `python -m tests.terminal.tiny [broken | deaf]`."""

import os
import sys
import time
from collections.abc import Iterator

from textual.app import App, ComposeResult
from textual.message import Message
from textual.widgets import Static

from tui.terminal import driver
from tui.terminal.clean import safe
from tui.terminal.guard import run

EVIL = "\x1b]2;title\x07\x1b[2J[@click=app.exit]now[/] [/nope] \u202edlrow\x9b31m"


class Tiny(App[None]):
    """Each key does one thing to it."""

    presses = 0

    def compose(self) -> ComposeResult:
        yield Static("ready", id="said")
        yield Static(safe(EVIL))

    def say(self, text: str) -> None:
        self.query_one("#said", Static).update(text)

    def key_q(self) -> None:
        self.exit()

    def key_k(self) -> None:
        self.presses += 1
        self.say(f"pressed {self.presses}")

    def key_z(self) -> None:
        self.action_suspend_process()

    def key_x(self) -> None:
        average_of(os.environ["PATIENT"])

    def key_w(self) -> None:
        self.run_worker(lambda: average_of(os.environ["PATIENT"]), thread=True)

    def key_t(self) -> None:
        self.say("thinking")
        self.run_worker(never_done, thread=True)

    def key_f(self) -> None:
        self.set_interval(0.01, self.flood)

    def flood(self) -> None:
        self.presses += 1
        self.say(f"flood {self.presses}" + chr(97 + self.presses % 26) * 1500)

    def key_h(self) -> None:
        self.say("hanging")
        self.call_after_refresh(never_done)


def average_of(patient: str) -> float:
    weight = patient + " weighs 71.5"
    return float(weight)


def never_done() -> None:
    while True:
        time.sleep(0.01)


def deaf(*_: object) -> Iterator[Message]:
    """What reads the keys raises at the first."""
    time.sleep(1)
    average_of(os.environ["PATIENT"])
    yield from ()


def make() -> Tiny:
    if "broken" in sys.argv:
        average_of(os.environ["PATIENT"])
    if "deaf" in sys.argv:
        driver.read_keys = deaf
    return Tiny()


if __name__ == "__main__":
    sys.exit(run(make, instead="python -m algorithms run NAME"))
