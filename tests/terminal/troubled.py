"""The real app, whose key w hangs or raises as TROUBLE says: `python -m tests.terminal.troubled [words]`."""

import os
import sys
import time
from typing import Any

from rich.console import Console
from textual.screen import Screen

from tui.__main__ import main
from tui.app import IterscopeApp
from tui.screens.stage import StageScreen
from tui.widgets.narration import Narration


def trouble(stage: StageScreen) -> None:
    if os.environ["TROUBLE"] == "hang":
        hang_once_it_is_seen(stage)
    stage.tell("in trouble")
    if os.environ["TROUBLE"] != "hang":
        raise ValueError("planted")


def hang_once_it_is_seen(stage: StageScreen) -> None:
    """Hang when the words have been sent: what is to be done after a refresh may come before it."""
    assert isinstance(stage.app, IterscopeApp)
    sending, narration = stage.app.sending, stage.query_one(Narration)
    changes = sending.changes

    def sent(screen: Screen[Any], console: Console) -> str:
        text = changes(screen, console)
        if any("in trouble" in strip.text for strip in narration.strips):
            narration.set_timer(0.01, hang)
        return text

    sending.changes = sent  # type: ignore[method-assign]


def hang() -> None:
    """Hang, and say so past the app: a key that comes before is taken in time."""
    os.write(1, b"\x1b[1;1Hit hangs")
    while True:
        time.sleep(0.01)


if __name__ == "__main__":
    StageScreen.action_fit = trouble  # type: ignore[method-assign, assignment]
    sys.exit(main())
