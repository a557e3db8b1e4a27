"""The real app, whose key w hangs or raises as TROUBLE says: `python -m tests.terminal.troubled [words]`."""

import os
import sys
import time

from tui.__main__ import main
from tui.screens.stage import StageScreen


def trouble(stage: StageScreen) -> None:
    stage.tell("in trouble")
    if os.environ["TROUBLE"] == "hang":
        stage.call_after_refresh(never_done)
    else:
        raise ValueError("planted")


def never_done() -> None:
    while True:
        time.sleep(0.01)


if __name__ == "__main__":
    StageScreen.action_fit = trouble  # type: ignore[method-assign, assignment]
    sys.exit(main())
