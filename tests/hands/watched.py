"""The real app, which writes down at its end what had been made: `python -m tests.hands.watched [words]`.

It is written to the file WATCHED_MADE when what is not saved is rescued, by an app that is otherwise as it is; and
when it is asked to end, by a key or the palette, to WATCHED_ASKED.
SIGUSR1 has every thread's frames printed, for a walk after which it does not end.
WATCHED_PLANTED plants what a walk has to find, at the key w: "raises", "forgets", "ends", or "leaves" a
process, half of a file and a mode of the terminal.
"""

import atexit
import faulthandler
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from textual.app import App

import tui.rescue
from algorithms.playback.runs.run_session import RunSession
from tests.hands.made import Made
from tui.__main__ import main
from tui.app import IterscopeApp
from tui.rescue import Rescue
from tui.screens.stage import StageScreen


def watch(file: Path) -> None:
    """Have what is rescued written down beside it, as the session in hand has it."""
    looked, wrote = Rescue.look, Rescue.write
    in_hand: list[RunSession] = []  # seen last: when it is rescued, the screens may have gone

    def look(self: Rescue, app: App[Any]) -> None:
        in_hand[:] = [screen.session for screen in app.screen_stack if isinstance(screen, StageScreen)][:1]
        looked(self, app)

    def write(self: Rescue) -> str:
        made = Made.of(in_hand[0]) if in_hand else Made()
        with suppress(FileExistsError), file.open("xb") as open_file:  # the first time counts
            open_file.write(made.encoded())
        return wrote(self)

    Rescue.look, Rescue.write = look, write  # type: ignore[method-assign]


def watch_quitting(file: Path) -> None:
    """Have it written down that the app was asked to end."""
    quits = IterscopeApp.action_quit

    async def asked(self: IterscopeApp) -> None:
        file.touch()
        await quits(self)

    IterscopeApp.action_quit = asked  # type: ignore[method-assign]


def planted(what: str) -> None:
    """Have a key leave or break something."""

    def action(stage: StageScreen) -> None:
        if what == "raises":
            raise ValueError("planted")
        if what == "leaves":
            subprocess.Popen(["sleep", "600"], start_new_session=True)
            tempfile.mkstemp(prefix=".", suffix=".part", dir=Path.cwd())
            atexit.register(os.write, 2, b"\x1b[?1003h")  # when all has been given back
        elif what == "ends":
            stage.app.exit()
        elif what == "forgets":
            tui.rescue._is_busy = lambda stage: True  # it will be looked at later, for ever

    StageScreen.action_fit = action  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    faulthandler.register(signal.SIGUSR1)
    watch(Path(os.environ["WATCHED_MADE"]))
    watch_quitting(Path(os.environ["WATCHED_ASKED"]))
    if what := os.environ.get("WATCHED_PLANTED"):
        planted(what)
    sys.exit(main())
