"""The real app, whose key w hangs or raises as TROUBLE says: `python -m tests.terminal.troubled [words]`."""

import os
import sys
import time

from textual.strip import Strip

from tui.__main__ import main
from tui.screens.stage import StageScreen
from tui.widgets.narration import Narration


def trouble(stage: StageScreen) -> None:
    if os.environ["TROUBLE"] == "hang":
        hang_once_it_is_seen(stage.query_one(Narration))
    stage.tell("in trouble")
    if os.environ["TROUBLE"] != "hang":
        raise ValueError("planted")


def hang_once_it_is_seen(narration: Narration) -> None:
    """Hang when the words have been painted: what is to be done after a refresh may come before it."""
    render = narration.render_line

    def rendered(y: int) -> Strip:
        strip = render(y)
        if "in trouble" in strip.text:
            narration.set_timer(0.01, hang)
        return strip

    narration.render_line = rendered  # type: ignore[method-assign]


def hang() -> None:
    """Hang, and say so past the app: a key that comes before is taken in time."""
    os.write(1, b"\x1b[1;1Hit hangs")
    while True:
        time.sleep(0.01)


if __name__ == "__main__":
    StageScreen.action_fit = trouble  # type: ignore[method-assign, assignment]
    sys.exit(main())
