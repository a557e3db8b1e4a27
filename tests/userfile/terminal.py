"""A reader's own file on the real screen: open it, leave it, and wait for the processes that it started."""

import os
import time
from collections.abc import Callable

from tests.patience import PATIENCE, Patience
from tests.terminal.pseudo import Pseudo


def screen(path: str, *words: str) -> Pseudo:
    return Pseudo.python("-m", "tui", path, *words, columns=100, rows=30)


def leave(terminal: Pseudo) -> None:
    terminal.press("q")
    assert terminal.status() == 0
    assert terminal.left_on() == []


def soon(met: Callable[[], bool]) -> None:
    patience = Patience(PATIENCE)
    while not met():
        assert not patience.over
        time.sleep(0.05)


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False
